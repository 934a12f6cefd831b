//! Names as they are written on a page.

/// Words that cannot stand inside a name; in a label they are left out.
const INNER: [&str; 11] =
    ["and", "or", "not", "in", "where", "by", "within", "otherwise", "if", "else", "beats"];

/// Whether a name is one that a page can write: what the checker makes for itself has others.
pub fn is_name(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_lowercase)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\''))
}

/// A thing as it is written: what does not begin with a capital stands in quotes.
pub fn thing(name: &str) -> String {
    match name.chars().next() {
        Some(first) if first.is_uppercase() => name.to_owned(),
        _ => format!("'{name}'"),
    }
}

/// A variable for a thing of a kind: the first letter of its name, or of the alphabet's end if that is taken.
pub fn variable(kind: &str, taken: &[&str]) -> String {
    let first = kind.chars().find(|c| c.is_lowercase()).into_iter();
    let letters = first.chain(['x', 'y', 'z']).map(String::from);
    letters.into_iter().find(|letter| !taken.contains(&letter.as_str())).unwrap_or_else(|| "other".to_owned())
}

/// A label of such words: small, with nothing in it that a name cannot have.
pub fn label(words: &[&str]) -> String {
    let mut label: Vec<String> = Vec::new();
    for word in words.iter().flat_map(|words| words.split_whitespace()) {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '\'');
        let word: String = word.to_lowercase().chars().filter(kept).collect();
        let word = word.trim_matches(['-', '\'']).to_owned();
        let is_word = word.chars().next().is_some_and(char::is_alphabetic);
        // What is said twice in a row is said once.
        if is_word && !INNER.contains(&word.as_str()) && label.last() != Some(&word) {
            label.push(word);
        }
    }
    if label.is_empty() { "clause".to_owned() } else { label.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_names() {
        assert_eq!(label(&["blocks", "On Map"]), "blocks on map");
        assert_eq!(label(&["Not One Step", "pool", "pool"]), "one step pool");
        assert_eq!(label(&["'49th Foot'", "In"]), "foot");
        assert_eq!(label(&["1702"]), "clause");
    }

    #[test]
    fn things_and_variables_are_written_as_a_page_has_them() {
        assert_eq!([thing("On Map"), thing("1/2")], ["On Map", "'1/2'"]);
        assert_eq!([variable("side", &[]), variable("stronghold", &["s"])], ["s", "x"]);
        assert!(is_name("marches left") && !is_name("") && !is_name("{x}") && !is_name("Mill"));
    }
}
