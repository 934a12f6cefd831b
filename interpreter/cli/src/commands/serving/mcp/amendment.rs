//! An amendment: pages of rules in memory, laid on the game as a variant is. Nothing of the game itself is touched, so that
//! what an amendment does can be read, compared, and dropped again.

use std::collections::BTreeMap;

use blazon::{Folder, MANIFEST, Page, put};

use super::refusal::Refusal;

/// The name under which it is asked for among the variants of a game: no folder that anybody makes is called so.
pub const KEY: &str = "amendment under way";
/// Its name in what is played.
const NAME: &str = "Amendment";
/// The most pages.
const MOST: usize = 64;
/// The most bytes of all its pages.
const LARGEST: usize = 1 << 20;

/// Pages by their names.
#[derive(Clone, Debug, Default)]
pub struct Amendment {
    pages: BTreeMap<String, String>,
}

impl Amendment {
    /// The pages with their texts.
    pub fn pages(&self) -> &BTreeMap<String, String> {
        &self.pages
    }

    /// Whether nothing is amended.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Puts a page there, in place of one of its name; without a text it goes away.
    ///
    /// # Errors
    /// If it is no name of a page, or too much in all.
    pub fn put(&mut self, page: &str, text: Option<String>) -> Result<(), Refusal> {
        let Some(text) = text else {
            return match self.pages.remove(page) {
                Some(_) => Ok(()),
                None => Err(self.missing(page)),
            };
        };
        named(page)?;
        let others = self.pages.iter().filter(|(name, _)| *name != page);
        let (count, bytes) =
            others.fold((1, text.len()), |(count, bytes), (_, text)| (count + 1, bytes + text.len()));
        if count > MOST || bytes > LARGEST {
            let message = format!(
                "an amendment has {MOST} pages and {} MB at most; this would be {count} pages and {bytes} bytes",
                LARGEST >> 20
            );
            return Err(Refusal::new("mcp::amendment", message));
        }
        self.pages.insert(page.to_owned(), text);
        Ok(())
    }

    /// Puts a text in place of another that stands in a page once.
    ///
    /// # Errors
    /// If it does not stand there, or more than once.
    pub fn replace(&mut self, page: &str, find: &str, with: &str) -> Result<(), Refusal> {
        let text = self.pages.get(page).ok_or_else(|| self.missing(page))?;
        let found = if find.is_empty() { 0 } else { text.matches(find).count() };
        if found != 1 {
            let message = format!("`find` stands {found} times in `{page}`; it must stand there once");
            return Err(Refusal::new("mcp::amendment", message)
                .help("take more of the lines around it, or give the whole `text`"));
        }
        let text = text.replacen(find, with, 1);
        self.put(page, Some(text))
    }

    /// It as the folder of a variant of a game.
    pub fn folder(&self, game: &str) -> Folder {
        let mut folder = Folder::default();
        for (name, text) in self.files(game) {
            let page = Page { name: format!("amendment/{name}"), text };
            put(&mut folder, &name, page);
        }
        folder
    }

    /// All files of the variant, its manifest first.
    pub fn files(&self, game: &str) -> Vec<(String, String)> {
        // A text in a manifest is written as one in Rust is.
        let manifest =
            format!("Variant(\n    name: {NAME:?},\n    version: \"1.0.0\",\n    game: {game:?},\n)\n");
        let pages = self.pages.iter().map(|(name, text)| (name.clone(), text.clone()));
        std::iter::once((MANIFEST.to_owned(), manifest)).chain(pages).collect()
    }

    fn missing(&self, page: &str) -> Refusal {
        let there: Vec<&String> = self.pages.keys().collect();
        let there = match there.as_slice() {
            [] => "it has none yet".to_owned(),
            there => format!("it has {}", blazon_diagnostics::list(there, "and")),
        };
        let message = format!("the amendment has no page `{}`; {there}", blazon::present::harmless(page));
        Refusal::new("mcp::amendment", message)
    }
}

/// Whether it is the name of a page: `NAME.blazon`, or `tests/NAME.blazon`.
fn named(page: &str) -> Result<(), Refusal> {
    let stem = page.strip_suffix(".blazon").map(|stem| stem.strip_prefix("tests/").unwrap_or(stem));
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match stem {
        Some(stem) if !stem.is_empty() && stem.len() <= 64 && stem.chars().all(plain) => Ok(()),
        _ => {
            let message = format!("`{}` is no name of a page", blazon::present::harmless(page));
            Err(Refusal::new("mcp::amendment", message)
                .help("a page is `NAME.blazon`, a page of tests `tests/NAME.blazon`; a name has letters, digits, `-` and `_`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amendment() -> Amendment {
        let mut amendment = Amendment::default();
        amendment.put("fog.blazon", Some("one two one".to_owned())).unwrap();
        amendment
    }

    #[test]
    fn names_lead_nowhere_else() {
        for page in [
            "",
            ".blazon",
            "../fog.blazon",
            "a/b.blazon",
            "tests/../x.blazon",
            "blazon.ron",
            "map.svg",
            "/x.blazon",
            "x\u{202e}.blazon",
        ] {
            let refused = Amendment::default().put(page, Some(String::new()));
            assert_eq!(refused.unwrap_err().code, "mcp::amendment", "{page}");
        }
        assert!(Amendment::default().put("tests/fog.blazon", Some(String::new())).is_ok());
    }

    #[test]
    fn what_is_replaced_stands_there_once() {
        let mut amendment = amendment();
        for find in ["one", "three", ""] {
            assert!(amendment.replace("fog.blazon", find, "x").is_err(), "{find}");
        }
        amendment.replace("fog.blazon", "two", "2").unwrap();
        assert_eq!(amendment.pages()["fog.blazon"], "one 2 one");
        assert!(
            amendment.replace("mist.blazon", "2", "3").unwrap_err().message.contains("it has `fog.blazon`")
        );
    }

    #[test]
    fn it_has_an_end() {
        let mut amendment = Amendment::default();
        for place in 0..MOST {
            amendment.put(&format!("p{place}.blazon"), Some(String::new())).unwrap();
        }
        assert!(amendment.put("more.blazon", Some(String::new())).is_err());
        amendment.put("p0.blazon", Some("x".repeat(LARGEST))).unwrap();
        assert!(amendment.put("p1.blazon", Some("x".to_owned())).is_err(), "too many bytes");
        amendment.put("p1.blazon", None).unwrap();
        assert!(amendment.put("p1.blazon", None).is_err());
    }

    #[test]
    fn it_is_a_variant_of_any_game() {
        let files = amendment().files("A \"strange\"\n game");
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["blazon.ron", "fog.blazon"]);
        let manifest = blazon_check::manifest::Manifest::read(&files[0].1).unwrap();
        assert!(
            matches!(manifest, blazon_check::manifest::Manifest::Variant(variant) if variant.game == "A \"strange\"\n game")
        );
    }
}
