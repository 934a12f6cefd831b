//! What the text of the rules in play comes to: by which text a game was played, told without the text.

use blazon_diagnostics::{Sources, Span};
use blazon_kernel::chance::TextHasher;

/// The text of all rules in play, page by page. Two books with the same [`Digest::hash`], the same game, variants and
/// values of rulings are the same rules to play by.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    /// The pages that hold something that is played: the library's modules, the game's, each variant's.
    pub pages: Vec<PageDigest>,
}

/// One page of rules.
#[derive(Clone, Debug)]
pub struct PageDigest {
    /// Whose it is.
    pub layer: DigestLayer,
    /// Its name within its folder, with `/` between folders.
    pub name: String,
    /// Its items that are played, in the written order.
    pub items: Vec<ItemDigest>,
}

/// Whose a page is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DigestLayer {
    /// The library's.
    Library,
    /// The game's.
    Game,
    /// A variant's, by the variant's name.
    Variant(String),
}

/// One item.
#[derive(Clone, Copy, Debug)]
pub struct ItemDigest {
    /// The hash of its tokens.
    pub hash: u64,
    /// Where it begins.
    pub span: Span,
}

impl std::fmt::Display for DigestLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Library => f.write_str("library"),
            Self::Game => f.write_str("game"),
            Self::Variant(name) => write!(f, "variant {name}"),
        }
    }
}

impl Digest {
    /// One hash of all items in their order. On which page of its layer an item stands does not count.
    pub fn hash(&self) -> u64 {
        let mut hasher = TextHasher::default();
        hasher.write(b"rules 1\n");
        let mut layer: Option<&DigestLayer> = None;
        for page in &self.pages {
            if layer != Some(&page.layer) {
                hasher.write(page.layer.to_string().as_bytes());
                hasher.write(b"\n");
                layer = Some(&page.layer);
            }
            page.items.iter().for_each(|item| hasher.write(&item.hash.to_le_bytes()));
        }
        hasher.finish()
    }
}

impl ItemDigest {
    /// What the item is, in the words that it begins with: ``rule `steep` ``, `` `in step march` ``.
    pub fn what(&self, sources: &Sources) -> String {
        let Some(source) = sources.find(self.span.source) else { return "an item".to_owned() };
        let line = source.text.get(self.span.start as usize..).and_then(|rest| rest.lines().next());
        let line = line.unwrap_or_default();
        let line = line.split("--").next().unwrap_or_default();
        let end = line.find(|c: char| !(c.is_alphanumeric() || " '\u{2019}-".contains(c)));
        let words: Vec<&str> = line[..end.unwrap_or(line.len())].split_whitespace().take(8).collect();
        match words.as_slice() {
            [] => "an item".to_owned(),
            [
                word @ ("in" | "before" | "after" | "under" | "replace" | "remove" | "waive" | "cite"),
                name @ ..,
            ] => {
                format!("`{}`", [&[*word], name].concat().join(" "))
            }
            [word] => (*word).to_owned(),
            [word, name @ ..] => format!("{word} `{}`", name.join(" ")),
        }
    }
}
