//! The article before a name: names are chosen by those who write games, so `a` or `an` is only known when one is shown.

use std::fmt;

/// A name with `a` or `an` before it, by how its first word sounds.
///
/// The first letter decides, with the exceptions that English has for common words: `a unit`, `a user`, `a one`, but
/// `an hour`. A word all in capitals is read letter by letter: `an MP`, `a UN mandate`.
pub struct Article<'a>(pub &'a str);

impl fmt::Display for Article<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = if begins_with_vowel_sound(self.0) { "an" } else { "a" };
        write!(f, "{article} {}", self.0)
    }
}

/// Beginnings with a vowel's letter and a consonant's sound.
const CONSONANT_SOUNDS: [&str; 9] = ["eu", "ewe", "once", "one", "uk", "uni", "ura", "use", "usu"];

/// Beginnings of those that `uni` does not speak for: there `un-` stands before a word with `i`.
const NOT_ONE: [&str; 5] = ["unid", "unim", "unin", "unir", "uniss"];

/// Beginnings with a silent `h`.
const SILENT_H: [&str; 5] = ["heir", "honest", "honor", "honour", "hour"];

fn begins_with_vowel_sound(name: &str) -> bool {
    let word: &str = name.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or("");
    let letters = word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    if letters && word.chars().any(char::is_uppercase) {
        return word.starts_with(['A', 'E', 'F', 'H', 'I', 'L', 'M', 'N', 'O', 'R', 'S', 'X', '8']);
    }
    let word = word.to_lowercase();
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| word.starts_with(beginning));
    if word.chars().all(|c| c.is_ascii_digit()) {
        // Eight, eighty, eleven, eighteen.
        return word.starts_with('8') || word == "11" || word == "18";
    }
    if begins(&SILENT_H) {
        return true;
    }
    let vowel = word
        .starts_with(['a', 'e', 'i', 'o', 'u', 'à', 'á', 'â', 'ä', 'å', 'æ', 'é', 'è', 'ê', 'ö', 'ø', 'ü']);
    vowel && (!begins(&CONSONANT_SOUNDS) || begins(&NOT_ONE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sound_decides() {
        for name in [
            "area",
            "option",
            "event",
            "island",
            "umbrella",
            "urban area",
            "unarmed man",
            "unimportant area",
            "heir",
            "hour",
            "honour",
            "honest broker",
            "MP",
            "HQ",
            "SP unit",
            "11",
            "8",
            "Étang",
            "'area'",
        ] {
            assert_eq!(Article(name).to_string(), format!("an {name}"));
        }
        for name in [
            "unit",
            "union",
            "user",
            "usual suspect",
            "one",
            "one-way road",
            "once-only option",
            "European",
            "hero",
            "hex",
            "house",
            "number 3",
            "set of area",
            "UN mandate",
            "2",
            "12",
            "block",
            "yard",
            "",
            "flag?",
        ] {
            assert_eq!(Article(name).to_string(), format!("a {name}"));
        }
    }
}
