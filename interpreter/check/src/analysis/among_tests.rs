//! The pages of tests lie beside the game: who plays does without them. So nothing on them may change the game, and no page of
//! the game may ask for what is declared there; else the tests would pass on a game that nobody plays.

use std::collections::BTreeSet;

use blazon_diagnostics::{Diagnostic, SourceId, Span};
use blazon_syntax::ast::{AmendKind, Declaration, Item, ItemKind, Node, Removable};

use crate::modules::names_of;
use crate::project::Parsed;
use crate::references::Definition;
use crate::resolve::homonyms::ASKED;

/// Complains of what changes the game.
pub(crate) fn changes(parsed: &Parsed, diagnostics: &mut Vec<Diagnostic>) {
    let own: BTreeSet<&str> = declared(parsed).filter_map(kind).collect();
    for item in items(parsed).filter(|item| changes_the_game(item, &own)) {
        let said = Diagnostic::error(
            "tests::game",
            item.span,
            "this would change the game, and stands among its tests",
        );
        diagnostics.push(said.label("who plays does without this page").help(
            "put it on a page of the game, or in a variant with tests of its own; what a test needs beside it may be a step, \
             which `play` does, or a scene, which `from` takes up",
        ));
    }
}

/// The kind that is declared, if one is.
fn kind(declaration: &Declaration) -> Option<&str> {
    let Declaration::Kind(kind) = declaration else { return None };
    Some(&kind.name.text)
}

/// Whether an item makes another game of the pages that are played; rows and links are those of a kind that tests have of
/// their own, or of the game.
fn changes_the_game(item: &Item, own: &BTreeSet<&str>) -> bool {
    match &item.kind {
        ItemKind::Test(_) | ItemKind::Scene(_) => false,
        ItemKind::Amend(amend) => !is_about_tests(&amend.kind),
        // A setup can be played, and a rule that the machine asks by its name says who is asked.
        ItemKind::Declaration(Declaration::Watch(_) | Declaration::Setup(_)) => true,
        ItemKind::Declaration(Declaration::Rule(rule)) => ASKED.contains(&rule.name.text.as_str()),
        ItemKind::Declaration(Declaration::Table(table)) => !own.contains(table.kind.text.as_str()),
        ItemKind::Declaration(Declaration::Links(links)) => !own.contains(links.kind.text.as_str()),
        ItemKind::Declaration(_) => false,
    }
}

/// Whether a change says no more than that a test holds no longer, or that another holds in its place.
pub fn is_about_tests(change: &AmendKind) -> bool {
    matches!(change, AmendKind::Replace { new: Node::Test(_), .. } | AmendKind::Remove(Removable::Test(_)))
}

/// Whether a page of the game might ask for something that is declared among the tests: then it is worth to look what its names
/// mean.
pub(crate) fn may_lean(parsed: &Parsed) -> bool {
    let others = declared(parsed).filter_map(|declaration| match declaration {
        Declaration::Kind(kind) => Some(kind.things.iter().chain(&kind.plural).collect()),
        Declaration::Setup(setup) => Some(vec![&setup.name]),
        Declaration::Ruling(ruling) => Some(vec![&ruling.name]),
        Declaration::Fact(_)
        | Declaration::State(_)
        | Declaration::Rule(_)
        | Declaration::Step(_)
        | Declaration::Table(_)
        | Declaration::Links(_)
        | Declaration::Grid(_)
        | Declaration::Watch(_)
        | Declaration::Invariant(_)
        | Declaration::Look(_)
        | Declaration::Omitted(_) => None,
    });
    let others = others.flatten().map(|name| name.text.as_str());
    let names: BTreeSet<&str> = declared(parsed).flat_map(names_of).chain(others).collect();
    let is_played = |source: SourceId| !parsed.tests.contains(&source);
    !names.is_empty()
        && parsed.files.iter().filter(|(_, file)| is_played(file.source)).any(|(_, file)| {
            let text = &parsed.sources.get(file.source).text;
            names.iter().any(|name| text.contains(name))
        })
}

/// Complains of what the game asks for and only its tests declare.
pub(crate) fn leaning(parsed: &Parsed, uses: &[(Span, Definition)], diagnostics: &mut Vec<Diagnostic>) {
    let is_among = |span: Span| parsed.tests.contains(&span.source);
    let mut told = BTreeSet::new();
    for (place, definition) in uses.iter().filter(|(place, of)| is_among(of.span) && !is_among(*place)) {
        if told.insert((*place, definition.span)) {
            let name = parsed.sources.slice(definition.span);
            let said =
                Diagnostic::error("tests::game", *place, format!("`{name}` is declared among the tests"));
            let said = said.label("who plays does without those pages");
            diagnostics.push(
                said.related(definition.span, "declared here").help("declare it on a page of the game"),
            );
        }
    }
}

fn items(parsed: &Parsed) -> impl Iterator<Item = &Item> {
    let among = parsed.files.iter().filter(|(_, file)| parsed.tests.contains(&file.source));
    among.flat_map(|(_, file)| &file.items)
}

fn declared(parsed: &Parsed) -> impl Iterator<Item = &Declaration> {
    items(parsed).filter_map(|item| match &item.kind {
        ItemKind::Declaration(declaration) => Some(declaration),
        ItemKind::Test(_) | ItemKind::Scene(_) | ItemKind::Amend(_) => None,
    })
}
