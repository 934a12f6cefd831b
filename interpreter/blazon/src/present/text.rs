//! Texts made safe, paragraphs as they are cited, and the kinds that a person knows of.

use blazon_book::{Book, KindId, KindOrigin};

pub use blazon_diagnostics::harmless;

/// Paragraphs as they are cited: ` @5.21 @6.3`.
pub fn cited(cites: &[String]) -> String {
    cites.iter().map(|cite| format!(" @{cite}")).collect()
}

/// All kinds, but those that the checker made for the values of rulings.
pub fn kinds(book: &Book) -> impl Iterator<Item = KindId> + '_ {
    let written = |kind: &KindId| match book.kind(*kind).origin {
        KindOrigin::Declared => true,
        KindOrigin::Ruling(_) => false,
    };
    (0..book.kinds.len() as u32).map(KindId).filter(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_marked() {
        assert_eq!(cited(&["5.21".to_owned(), "6".to_owned()]), " @5.21 @6");
    }
}
