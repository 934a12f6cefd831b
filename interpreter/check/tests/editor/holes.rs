//! A model is there whatever is wrong, with holes in the places of what is wrong and everything else typed.

use blazon_book::{Base, ExprKind, RuleBody, StatementKind};
use blazon_check::project::{ParseCache, parse_anyway};
use blazon_check::{Checked, Settings, analyse, check};

use crate::loading::{fixtures, ford, ford_with};

fn look(project: &blazon_check::project::Project) -> Checked {
    analyse(&parse_anyway(project, &mut ParseCache::default()), &Settings::default())
}

#[test]
fn every_fixture_has_a_model() {
    let all = fixtures();
    assert!(all.len() > 80);
    for (name, project) in all {
        let parsed = parse_anyway(&project, &mut ParseCache::default());
        let (checked, plain) = (analyse(&parsed, &Settings::default()), check(&parsed, &Settings::default()));
        let failed = checked.diagnostics.iter().any(blazon_diagnostics::Diagnostic::is_error);
        assert_eq!(checked.model.is_playable(), !failed, "{name}");
        assert_eq!(checked.book.is_some(), !failed, "{name}");
        assert_eq!(checked.diagnostics, plain.diagnostics, "{name}: noting uses says nothing");
        assert!(checked.model.kinds.iter().any(|kind| kind.name == "area"), "{name}");
        assert!(checked.references.iter().count() > 50, "{name}");
    }
}

#[test]
fn a_wrong_value_leaves_a_hole_with_its_parts() {
    let checked = look(&ford_with("number = p.strength", "number = p.strength + p.colour"));
    assert_eq!(checked.diagnostics.len(), 1);
    let power = checked.model.rules.iter().find(|rule| rule.name == "power").unwrap();
    let RuleBody::Value { base, exceptions, modifiers } = &power.body else { panic!("a value") };
    let ExprKind::Invalid(parts) = &base.kind else { panic!("a hole") };
    assert!(matches!(base.ty.base, Base::Number(..)), "what the rule gives is known");
    assert!(matches!(parts[0].kind, ExprKind::Column(..)), "so is the left side");
    assert_eq!((exceptions.len(), modifiers.len()), (1, 1), "the clauses are as they were");
}

#[test]
fn a_wrong_heading_keeps_the_body() {
    let checked =
        look(&ford_with("for p in most p in s.army by p.power { wound(p) }", "for p in s.arm { wound(p) }"));
    let turn = checked.model.steps.iter().find(|step| step.name == "turn").unwrap();
    let StatementKind::If(_, then, _) = &turn.body.last().unwrap().kind else { panic!("the last statement") };
    let StatementKind::For { sources, body, .. } = &then[0].kind else { panic!("a loop") };
    assert!(matches!(sources[0].kind, ExprKind::Invalid(_)));
    assert_eq!(body.len(), 1);
    assert!(matches!(body[0].kind, StatementKind::Invalid(_)), "the variable has no type that a step takes");
    assert_eq!(checked.diagnostics.len(), 1, "{:?}", checked.diagnostics);
}

#[test]
fn rules_of_unknown_types_stay() {
    let checked = look(&ford_with("rule rival(s: side): side", "rule rival(s: sied): side"));
    let rival = checked.model.rules.iter().find(|rule| rule.name == "rival").unwrap();
    assert_eq!(rival.locals[0].ty.base, Base::Unknown);
    let said: Vec<&str> = checked.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(said, ["there is no kind `sied`"], "nothing follows from it");
}

#[test]
fn pages_without_a_manifest_have_a_model() {
    for text in ["Game(", "Game(name: \"The Ford\", player: \"side\", begin: \"game\")", ""] {
        let mut project = ford();
        project.game.manifest.as_mut().unwrap().text = text.to_owned();
        let checked = look(&project);
        assert!(checked.diagnostics.iter().all(|d| d.code == "files::manifest"), "{:?}", checked.diagnostics);
        assert!(!checked.diagnostics.is_empty() && checked.book.is_none());
        assert!(checked.model.rules.iter().any(|rule| rule.name == "power"));
        assert!(checked.references.iter().count() > 50);
    }
}

#[test]
fn an_empty_project_has_a_model() {
    let checked = look(&blazon_check::project::Project::default());
    assert!(checked.model.rules.is_empty() && checked.book.is_none());
    let mut project = ford();
    project.game.pages.clear();
    assert!(look(&project).model.steps.is_empty());
}

#[test]
fn broken_pages_keep_what_can_be_read() {
    let checked = look(&ford_with("rule rival(s: side): side = Red ", "rule rival(s: side): side = = Red "));
    assert!(checked.diagnostics.iter().all(|d| d.code.starts_with("syntax::")), "{:?}", checked.diagnostics);
    assert!(checked.model.rules.iter().any(|rule| rule.name == "power"));
    assert!(checked.model.setups.iter().any(|setup| setup.name == "Dawn"));
}
