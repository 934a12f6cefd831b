//! A variant that is read without another that it is written for: what it does not find may stand there.

use blazon_diagnostics::{Diagnostic, list};

use crate::project::{Layer, Parsed};

/// Says at the first name that a variant does not find which of those in its `after` are not played.
pub(crate) fn mention(parsed: &Parsed, diagnostics: &mut [Diagnostic]) {
    for (place, variant) in parsed.variants.iter().enumerate() {
        let played = |name: &&String| parsed.variants.iter().any(|other| other.name == **name);
        let absent: Vec<&String> = variant.after.iter().filter(|name| !played(name)).collect();
        if absent.is_empty() {
            continue;
        }
        let is_own = |said: &&mut Diagnostic| {
            let layer = said.span.and_then(|span| parsed.layer_of(span.source));
            ["amend::missing", "names::unknown"].contains(&said.code) && layer == Some(Layer::Variant(place))
        };
        let Some(first) = diagnostics.iter_mut().find(is_own) else { continue };
        let beneath = format!(
            "`{}` names {} in its `after`, and {} not played here: if this stands there, write {} in `needs`",
            variant.name,
            list(&absent, "and"),
            if absent.len() == 1 { "that is" } else { "those are" },
            if absent.len() == 1 { "it" } else { "them" },
        );
        first.help = Some(match first.help.take() {
            Some(help) => format!("{help}; {beneath}"),
            None => beneath,
        });
    }
}
