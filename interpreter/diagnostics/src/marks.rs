//! Marks on names: what is woven into another text keeps its own variables apart by them. No page can write one, and no
//! message shows one.

use crate::Span;

/// No page has this sign in a name.
const MARK: char = '\u{1}';

/// A name with a mark: what stands elsewhere and is called the same is something else.
pub fn marked(name: &str, mark: impl std::fmt::Display) -> String {
    format!("{name}{MARK}{mark}{MARK}")
}

/// A name as it is written.
pub fn plain(name: &str) -> &str {
    name.split(MARK).next().unwrap_or(name)
}

/// Whether a name has a mark.
pub fn is_marked(name: &str) -> bool {
    name.contains(MARK)
}

/// Whether whoever writes at a place may mean a variable by its plain name: it has no mark, or it is marked as written among
/// the same lines.
pub fn may_be_meant(name: &str, at: Span) -> bool {
    let Some(mark) = name.split(MARK).nth(1) else { return true };
    let mut numbers = mark.split(':').map(str::parse);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(source)), Some(Ok(start)), Some(Ok(end))) => {
            source == at.source.0 && start <= at.start && at.end <= end
        }
        _ => false,
    }
}

/// Text without marks, to be shown.
pub fn shown(text: String) -> String {
    if !text.contains(MARK) {
        return text;
    }
    // Every other piece is a mark.
    text.split(MARK).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceId;

    #[test]
    fn marks_are_not_shown() {
        let name = marked("die", "3:14:30");
        assert!(is_marked(&name) && !is_marked("die"));
        assert_eq!((plain(&name), plain("die")), ("die", "die"));
        assert_eq!(shown(format!("let {name} = roll(d6) + {name}")), "let die = roll(d6) + die");
        assert_eq!(shown("nothing".to_owned()), "nothing");
        let at = |source, start| Span { source: SourceId(source), start, end: start + 3 };
        assert!(may_be_meant(&name, at(3, 20)) && may_be_meant("die", at(3, 40)));
        assert!(!may_be_meant(&name, at(3, 40)) && !may_be_meant(&name, at(4, 20)));
        assert!(!may_be_meant(&marked("die", "option"), at(3, 20)));
    }
}
