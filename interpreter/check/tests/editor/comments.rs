//! The comments above definitions, for hover.

use blazon_check::project::{ParseCache, parse_anyway};
use blazon_check::{Settings, analyse};

use crate::loading::ford_with;

#[test]
fn comments_are_found_by_definition() {
    let project = ford_with(
        "kind weather = Dry, Wet, Snow",
        "-- What the sky does.\n-- Rolled each day.\nkind weather = Dry, Wet, Snow",
    );
    let parsed = parse_anyway(&project, &mut ParseCache::default());
    let checked = analyse(&parsed, &Settings::default());
    let doc = |name: &str| {
        let mut all = checked.references.iter().map(|(_, definition)| definition);
        parsed.doc(all.find(|definition| parsed.sources.slice(definition.span) == name).unwrap())
    };
    assert_eq!(doc("weather").as_deref(), Some("What the sky does.\nRolled each day."));
    assert_eq!(doc("Wet"), None, "what stands above a list speaks of the kind");
    assert_eq!(doc("area"), None);
}
