//! What every code means: the pages behind `blazon explain CODE`.

mod pages;

use std::fmt;

/// What a code means, with an example and the way to mend it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code, like `names::unknown`.
    pub code: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// A few paragraphs in plain words; examples are indented by four spaces, lines are at most 80 columns wide.
    pub text: &'static str,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n\n{}", self.code, self.title, self.text)
    }
}

/// The explanation of a code, if it has one.
pub fn explain(code: &str) -> Option<&'static Explanation> {
    all().iter().find(|page| page.code == code)
}

/// All explanations, related ones together.
pub fn all() -> &'static [Explanation] {
    pages::PAGES
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_has_one_page() {
        let codes: BTreeSet<&str> = all().iter().map(|page| page.code).collect();
        assert_eq!(codes.len(), all().len(), "a code is explained twice");
        let titles: BTreeSet<&str> = all().iter().map(|page| page.title).collect();
        assert_eq!(titles.len(), all().len(), "two codes have one title");
    }

    #[test]
    fn every_page_is_complete() {
        for Explanation { code, title, text } in all() {
            let family = code.split_once("::");
            let small = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            assert!(family.is_some_and(|(area, name)| small(area) && small(name)), "{code}");
            assert!(!title.is_empty() && !title.ends_with('.'), "{code}: {title}");
            assert!(text.contains("\n\n    "), "{code} has no example");
            assert!(text.contains("To mend it"), "{code} does not say how to mend it");
            assert!(text.len() > 150, "{code} says too little");
            assert!(!text.starts_with('\n') && text.ends_with('\n') && !text.ends_with("\n\n"), "{code}");
            for line in text.lines() {
                assert!(
                    line.chars().count() <= 80 && line.trim_end() == line && !line.contains('\t'),
                    "{code}: {line}"
                );
            }
        }
    }

    #[test]
    fn pages_of_a_family_stand_together() {
        let mut families: Vec<&str> = all().iter().filter_map(|page| page.code.split("::").next()).collect();
        families.dedup();
        let different: BTreeSet<&str> = families.iter().copied().collect();
        assert_eq!(different.len(), families.len(), "{families:?}");
    }

    #[test]
    fn codes_are_found() {
        assert_eq!(explain("names::unknown").map(|page| page.code), Some("names::unknown"));
        assert_eq!(explain("names::unheard"), None);
        let page = explain("syntax::tab").unwrap().to_string();
        assert!(page.starts_with("syntax::tab: "), "{page}");
    }

    /// The codes that the rest of the interpreter was promised.
    #[test]
    fn promised_codes_are_explained() {
        let promised = "
            syntax: expected brace tab text item depth reserved
            files: missing manifest unreadable outside
            names: unknown ambiguous twice scope unused
            types: mismatch absent arity not-a-set number-of-set not-assignable
            tables: columns cell gap overlap
            setup: place missing twice
            rules: promise clash cycle dead effect
            steps: cycle choice-empty case unreachable endless
            amend: missing exists clash cycle version order
            cites: unknown uncited
            hidden: leak
            lint: absent-equals
            run: range endless depth memory empty-choice clash internal
            save: foreign damaged format";
        for line in promised.trim().lines() {
            let (family, names) = line.trim().split_once(": ").unwrap();
            for name in names.split(' ') {
                let code = format!("{family}::{name}");
                assert!(explain(&code).is_some(), "{code}");
            }
        }
    }
}
