//! The name of a new variant or game, and the name of its folder.

use crate::console::harmless;

/// The longest name, in characters.
const LONGEST: usize = 60;
/// Signs that a name may hold beside letters, digits and blanks: none of them means anything in rules or manifests.
const SIGNS: &str = "'’-–.,!?&()+:;";
/// Names that some systems keep for devices.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A name that can stand in a manifest, a comment and a text, and the folder that goes with it.
#[derive(Debug, PartialEq, Eq)]
pub struct Name {
    /// As it was given, blanks tidied.
    pub text: String,
    /// For the folder: small letters, digits and hyphens.
    pub slug: String,
}

impl Name {
    /// Takes a name.
    ///
    /// # Errors
    /// In words, if it cannot be one.
    pub fn new(given: &str) -> Result<Self, String> {
        let text = given.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err("the name is empty; give one, in quotes if it has blanks".to_owned());
        }
        let shown = harmless(&text);
        if text.chars().count() > LONGEST {
            return Err(format!("a name has at most {LONGEST} characters, and `{shown}` has more"));
        }
        if text.contains(['/', '\\']) {
            return Err(format!(
                "`{shown}` looks like a path, but a name is wanted; the folder is named after it"
            ));
        }
        if let Some(sign) =
            text.chars().find(|&c| !(c.is_alphanumeric() || is_mark(c) || c == ' ' || SIGNS.contains(c)))
        {
            return Err(format!(
                "`{}` cannot stand in a name; use letters, digits, blanks and signs such as ' - . !",
                harmless(&sign.to_string())
            ));
        }
        let slug = slug(&text);
        if slug.is_empty() {
            return Err(format!("`{shown}` has no letter or digit; a folder could not be named after it"));
        }
        Ok(Self { text, slug })
    }

    /// States for the first test to look at, the best first: any of them may be impossible, because a word of it
    /// belongs to the language or the game has it already.
    pub fn flags(&self) -> Vec<String> {
        let words: Vec<String> = self.slug.split('-').map(str::to_owned).collect();
        let is_word = |word: &String| word.chars().all(|c| c.is_ascii_lowercase());
        let mut flags = Vec::new();
        if words.len() <= 4 && words.iter().all(is_word) {
            flags.push(format!("{} announced", words.join(" ")));
        }
        flags.extend(["announced", "variant announced", "house rules announced"].map(str::to_owned));
        flags
    }
}

/// Signs that are set above or below the letter before them.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn slug(text: &str) -> String {
    let mut slug = String::new();
    // An apostrophe parts no words.
    for c in text.chars().filter(|&c| !is_mark(c) && !"'’".contains(c)) {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-').to_owned();
    let port = |name: &str| {
        slug.strip_prefix(name)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    if DEVICES.contains(&slug.as_str()) || port("com") || port("lpt") {
        format!("{slug}-rules")
    } else {
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slug_of(name: &str) -> String {
        Name::new(name).unwrap().slug
    }

    #[test]
    fn folders_have_safe_names() {
        assert_eq!(slug_of("Deep Snow"), "deep-snow");
        assert_eq!(slug_of("  The   Miller's Road! "), "the-millers-road");
        assert_eq!(slug_of("..hidden.."), "hidden");
        assert_eq!(slug_of("Übermut (2)"), "übermut-2");
        assert_eq!(slug_of("U\u{308}bermut"), "ubermut");
        assert_eq!(slug_of("雪"), "雪");
        assert_eq!(slug_of("--version"), "version");
        assert_eq!(slug_of("NUL"), "nul-rules");
        assert_eq!(slug_of("Com1"), "com1-rules");
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for name in
            ["", "  ", "..", "a/b", "../up", "C:\\games", "a\"b", "{x}", "a|b", "«name»", "a\u{7}b", "-"]
        {
            assert!(Name::new(name).is_err(), "{name:?}");
        }
        assert!(Name::new(&"a".repeat(LONGEST)).is_ok());
        assert!(Name::new(&"a".repeat(LONGEST + 1)).is_err());
    }

    #[test]
    fn odd_names_have_a_state_too() {
        assert_eq!(Name::new("Deep Snow").unwrap().flags()[0], "deep snow announced");
        assert_eq!(Name::new("Übermut").unwrap().flags()[0], "announced");
    }
}
