//! What an editor can offer at a place.

use blazon_check::project::{ParseCache, parse_anyway};
use blazon_check::{Model, Settings, analyse};
use blazon_diagnostics::SourceId;

use crate::loading::{ford, ford_with};

fn model(project: &blazon_check::project::Project) -> (Model, SourceId, String) {
    let parsed = parse_anyway(project, &mut ParseCache::default());
    let checked = analyse(&parsed, &Settings::default());
    let (page, source) = parsed.sources.iter().find(|(_, source)| &*source.name == "ford.blazon").unwrap();
    (checked.model, page, source.text.to_string())
}

#[test]
fn a_kind_says_what_it_can_be_asked() {
    let (model, ..) = model(&ford());
    let kind = |name: &str| model.kinds.iter().position(|kind| kind.name == name).unwrap();
    let asked = |name: &str| model.askable(blazon_book::KindId(kind(name) as u32)).join(", ");
    assert_eq!(asked("piece"), "at, march, owner, power, steps, strength, wound");
    assert_eq!(asked("side"), "army, rival, turn");
    assert!(asked("area").contains("neighbours") && asked("area").contains("roads"));
}

#[test]
fn a_place_knows_its_variables() {
    let (model, page, text) = model(&ford_with("p.strength -= min", "let loss = p.\n  p.strength -= min"));
    let names = |piece: &str| {
        let offset = text.find(piece).unwrap() + piece.len();
        let found = model.variables_at(page, offset as u32);
        found.iter().map(|variable| variable.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("{ march(p"), ["to", "p", "s"]);
    assert_eq!(names("all p in pieces where p.own"), ["p", "s"]);
    assert_eq!(names("for s in sides { tur"), ["s", "n"]);
    assert_eq!(names("{ p.at"), ["to", "p"]);
    assert_eq!(names("kind side"), Vec::<String>::new());
    assert_eq!(names("- Bea"), Vec::<String>::new());
}
