//! Parameters that are one: what replaces a rule or step, or keeps what a promise says, writes its heading again.

use blazon_check::{Definition, DefinitionKind};
use blazon_syntax::ast::{Amend, AmendKind, Declaration, File, ItemKind, Name, Node, Param};

use crate::workspace::Analysed;

/// Some definitions, and of parameters among them those at the same place of the other headings.
pub fn together(book: &Analysed, definitions: Vec<Definition>) -> Vec<Definition> {
    let mut found = definitions;
    for definition in found.clone() {
        if definition.kind == DefinitionKind::Variable {
            found.extend(same(book, definition));
        }
    }
    found
}

/// The parameters of other headings that are the same and have the same name.
fn same(book: &Analysed, definition: Definition) -> Vec<Definition> {
    let all: Vec<Heading<'_>> = book.read.parsed.files.iter().flat_map(|(_, file)| headings(file)).collect();
    let place =
        |heading: &Heading<'_>| heading.params.iter().position(|param| param.name.span == definition.span);
    let Some((own, place)) = all.iter().find_map(|heading| Some((heading, place(heading)?))) else {
        return Vec::new();
    };
    let Some(name) = own.params.get(place).map(|param| &param.name.text) else { return Vec::new() };
    let others = all.iter().filter(|other| other.kind == own.kind && other.name.text == own.name.text);
    let others = others.filter_map(|other| other.params.get(place)).filter(|param| param.name.text == *name);
    others.map(|param| Definition { kind: DefinitionKind::Variable, span: param.name.span }).collect()
}

/// The heading of a rule or step.
struct Heading<'t> {
    kind: DefinitionKind,
    name: &'t Name,
    params: &'t [Param],
}

/// All headings of a page.
fn headings(file: &File) -> Vec<Heading<'_>> {
    let mut found = Vec::new();
    for item in &file.items {
        match &item.kind {
            ItemKind::Declaration(declared) => found.extend(heading(declared)),
            ItemKind::Amend(amend) => changed(amend, &mut found),
            ItemKind::Test(_) | ItemKind::Scene(_) => {}
        }
    }
    found
}

fn changed<'t>(amend: &'t Amend, found: &mut Vec<Heading<'t>>) {
    match &amend.kind {
        AmendKind::Inside { changes, .. } | AmendKind::Under { changes, .. } => {
            changes.iter().for_each(|one| changed(one, found));
        }
        AmendKind::Replace { new: Node::Declaration(declared), .. } => found.extend(heading(declared)),
        AmendKind::Replace { .. }
        | AmendKind::Add(_)
        | AmendKind::Cite(_)
        | AmendKind::Members { .. }
        | AmendKind::Hook { .. }
        | AmendKind::Remove(_)
        | AmendKind::Waive(_) => {}
    }
}

fn heading(declared: &Declaration) -> Option<Heading<'_>> {
    if let Declaration::Rule(rule) = declared {
        return Some(Heading { kind: DefinitionKind::Rule, name: &rule.name, params: &rule.params });
    }
    if let Declaration::Step(step) = declared {
        return Some(Heading { kind: DefinitionKind::Step, name: &step.name, params: &step.params });
    }
    None
}
