//! Words for the shell.

/// A word as the shell takes it for one.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+:@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quoted("a/b.game"), "a/b.game");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
