//! The last look at what was said: what only follows from something else is left out.

use blazon_diagnostics::Diagnostic;

/// Leaves out what only follows from something else that is said: repetitions, and names that are unknown because the
/// item that declares them could not be read.
pub(crate) fn tidy(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    const FOLLOWS: [&str; 8] = [
        "names::unknown",
        "names::unused",
        "rules::promise",
        "amend::missing",
        "files::manifest",
        "setup::missing",
        "setup::place",
        "steps::choice-empty",
    ];
    let broken = diagnostics.iter().any(|d| d.code.starts_with("syntax::"));
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    let mut kept: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        let follows =
            broken && FOLLOWS.contains(&diagnostic.code) || errors && diagnostic.code == "names::unused";
        let said = kept.iter().any(|old| {
            old.span == diagnostic.span && old.code == diagnostic.code && old.message == diagnostic.message
        });
        if !follows && !said {
            kept.push(with_articles(diagnostic));
        }
    }
    kept
}

/// Kinds have any name, so `a` becomes `an` where it must only once the message is whole.
fn with_articles(mut diagnostic: Diagnostic) -> Diagnostic {
    let mend = |text: &str| {
        let mut mended = String::with_capacity(text.len() + 4);
        let mut rest = text;
        while let Some(at) = rest.find(" a ") {
            let (head, tail) = rest.split_at(at + 3);
            let quoted = (mended.matches('`').count() + head.matches('`').count()) % 2 == 1;
            let vowel = !quoted && tail.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
            mended.push_str(&head[..head.len() - 1]);
            mended.push_str(if vowel { "n " } else { " " });
            rest = tail;
        }
        mended.push_str(rest);
        match mended.strip_prefix("a ") {
            Some(rest) if rest.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {rest}"),
            _ => mended,
        }
    };
    diagnostic.message = mend(&diagnostic.message);
    diagnostic.label = mend(&diagnostic.label);
    diagnostic.help = diagnostic.help.as_deref().map(mend);
    diagnostic
}
