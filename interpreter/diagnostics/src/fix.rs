//! Mends as data: what an editor can do to the text by itself, beside the words of a diagnostic's help.

use crate::Span;

/// One mend: what it does in a few words, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for a menu: ``write `hand` ``.
    pub title: String,
    /// The changes, which belong together. They do not overlap.
    pub edits: Vec<Edit>,
}

/// One change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is taken out; an empty span only puts in.
    pub span: Span,
    /// What is put there.
    pub replacement: String,
}

impl Fix {
    /// A mend that writes one thing in the place of another.
    pub fn replace(title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        Self { title: title.into(), edits: vec![Edit { span, replacement: replacement.into() }] }
    }

    /// The mend of a misspelt name: the near name in its place, quoted where it must be.
    pub fn rename(span: Span, near: &str) -> Self {
        let near = quoted(near);
        Self::replace(format!("write `{near}`"), span, near)
    }

    /// A text with the edits of that source made. Edits that lie outside it, or inside a character, are left out.
    pub fn apply(&self, source: crate::SourceId, text: &str) -> String {
        let mut edits: Vec<&Edit> = self.edits.iter().filter(|edit| edit.span.source == source).collect();
        edits.sort_by_key(|edit| edit.span);
        let mut changed = text.to_owned();
        // From behind, so that the places before stay where they are.
        for edit in edits.into_iter().rev() {
            let range = edit.span.start as usize..edit.span.end as usize;
            if changed.get(range.clone()).is_some() {
                changed.replace_range(range, &edit.replacement);
            }
        }
        changed
    }
}

/// The words of the language that end a name; `blazon-syntax` holds them against its grammar.
pub const ENDING: [&str; 11] =
    ["otherwise", "within", "where", "beats", "else", "and", "not", "or", "in", "by", "if"];

/// A thing as it is written on a page: in quotes, unless its name reads as one without them.
pub fn written_thing(name: &str) -> String {
    let reads = |word: &str| {
        let part = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
        let letter = word.chars().next().is_some_and(char::is_alphabetic);
        letter && !ENDING.contains(&word) && word.split(['-', '\'', '’']).all(part)
    };
    let capital = name.chars().next().is_some_and(char::is_uppercase);
    // A bracket of words behind it is part of a thing.
    let bare = name.strip_suffix(')').and_then(|name| name.split_once(" (")).map_or_else(
        || name.split(' ').all(reads),
        |(name, bracket)| name.split(' ').chain(bracket.split(' ')).all(reads),
    );
    if capital && bare { name.to_owned() } else { format!("'{name}'") }
}

/// A name as it is written on a page: of things some stand in quotes, and only things do not begin with a small letter.
pub(crate) fn quoted(name: &str) -> String {
    match name.chars().next() {
        Some(first) if first.is_uppercase() || !first.is_alphabetic() => written_thing(name),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceId;

    #[test]
    fn edits_are_made_from_behind() {
        let (this, other) = (SourceId(0), SourceId(1));
        let edit = |source, start, end, replacement: &str| Edit {
            span: Span::new(source, start, end),
            replacement: replacement.to_owned(),
        };
        let fix = Fix {
            title: "mend both".to_owned(),
            edits: vec![edit(this, 0, 1, "long"), edit(other, 0, 9, "x"), edit(this, 4, 4, "é")],
        };
        assert_eq!(fix.apply(this, "a = b"), "long = éb");
        assert_eq!(fix.apply(this, "ü"), "ü", "inside a character and behind the text nothing is done");
    }

    #[test]
    fn things_are_quoted_where_they_must_be() {
        for bare in ["Ford", "Old Mill", "King's Own", "Saint-Denis", "Élan", "Cannon (old guard)"] {
            assert_eq!(written_thing(bare), bare);
        }
        for quoted in [
            "0201",
            "Hill 60",
            "-",
            "6/0",
            "levy",
            "Fog in March",
            "A, B",
            "Ford - Mill",
            "Hill (",
            "St. Ives",
            "",
        ] {
            assert_eq!(written_thing(quoted), format!("'{quoted}'"));
        }
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        let span = Span::default();
        assert_eq!(Fix::rename(span, "Old Mill").edits[0].replacement, "Old Mill");
        assert_eq!(Fix::rename(span, "1710").edits[0].replacement, "'1710'");
        assert_eq!(Fix::rename(span, "1710").title, "write `'1710'`");
    }
}
