//! Finds what somebody means by a few typed words: `march grey mill` for an option, a thing by part of its name.

/// What words are compared with.
pub struct Words {
    /// The name of the option and its arguments, in order.
    name: Vec<String>,
    /// Its line.
    line: Vec<String>,
}

impl Words {
    /// From the name with its arguments, and the line that is shown.
    pub fn new(name: &str, line: &str) -> Self {
        Self { name: split(name), line: split(line) }
    }

    /// Whether name or line begin with the first word of a text, and are that word if the text is.
    pub fn are_begun_by(&self, typed: &str) -> bool {
        let typed = split(typed);
        [&self.name, &self.line].into_iter().any(|words| match typed.as_slice() {
            [] => false,
            [_] => *words == typed,
            [first, ..] => words.first() == Some(first),
        })
    }
}

/// A text as lower-case words.
pub fn split(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || "'’.-+/".contains(c)))
        .map(|word| word.trim_matches(['.', '-', '/']).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}

/// How well words fit, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// They are name and arguments, no more and no less.
    Whole,
    /// Whole words of name and arguments, in order.
    InOrder,
    /// The beginnings of words of name and arguments, in order.
    Begun,
    /// Whole words somewhere.
    Somewhere,
    /// The beginnings of words somewhere.
    Begins,
}

fn fit(asked: &[String], words: &Words) -> Option<Fit> {
    let whole = |word: &String, asked: &String| word == asked;
    let begun = |word: &String, asked: &String| word.starts_with(asked.as_str());
    let anywhere = |same: &dyn Fn(&String, &String) -> bool| {
        asked.iter().all(|asked| words.name.iter().chain(&words.line).any(|word| same(word, asked)))
    };
    if asked == words.name.as_slice() {
        Some(Fit::Whole)
    } else if in_order(asked, &words.name, whole) {
        Some(Fit::InOrder)
    } else if in_order(asked, &words.name, begun) {
        Some(Fit::Begun)
    } else if anywhere(&whole) {
        Some(Fit::Somewhere)
    } else if anywhere(&begun) {
        Some(Fit::Begins)
    } else {
        None
    }
}

fn in_order(asked: &[String], words: &[String], same: impl Fn(&String, &String) -> bool) -> bool {
    let mut words = words.iter();
    asked.iter().all(|asked| words.any(|word| same(word, asked)))
}

/// The places of those that the words fit best. Words that fit several a little less well are not lost: whoever
/// finds too few can type less.
pub fn find<'a>(asked: &str, candidates: impl IntoIterator<Item = &'a Words>) -> Vec<usize> {
    let asked = split(asked);
    if asked.is_empty() {
        return Vec::new();
    }
    let fits: Vec<(Fit, usize)> = candidates
        .into_iter()
        .enumerate()
        .filter_map(|(place, words)| Some((fit(&asked, words)?, place)))
        .collect();
    let best = fits.iter().map(|(fit, _)| *fit).min();
    fits.into_iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(asked: &str) -> Vec<usize> {
        let candidates = [
            Words::new("march Grey Mill", "Grey marches to Mill"),
            Words::new("march Mill Grey", "Mill marches to Grey"),
            Words::new("march Mill East Hills", "Mill marches to East Hills"),
            Words::new("done", "Done marching"),
        ];
        find(asked, &candidates)
    }

    #[test]
    fn order_tells() {
        assert_eq!(places("march grey mill"), [0]);
        assert_eq!(places("grey mill"), [0]);
        assert_eq!(places("m m g"), [1]);
        assert_eq!(places("mill"), [0, 1, 2]);
    }

    #[test]
    fn names_come_before_lines() {
        assert_eq!(places("done"), [3]);
        assert_eq!(places("marching"), [3]);
        assert_eq!(places("hills"), [2]);
        assert_eq!(places("elsewhere"), Vec::<usize>::new());
        assert_eq!(places("  "), Vec::<usize>::new());
    }
}
