//! Which names are of one sort: things of a kind, rules of the same parameters and result, states of the same keys and
//! type. One of them put for another is a slip that the checker cannot see.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::Book;
use blazon_syntax::ast::*;

/// For each name, another of its sort.
#[derive(Debug, Default)]
pub struct Sorts {
    things: BTreeMap<String, String>,
    others: BTreeMap<String, String>,
    rulings: BTreeSet<String>,
}

impl Sorts {
    /// The sorts of a game, with its library.
    pub fn of<'t>(book: &Book, files: impl IntoIterator<Item = &'t File>) -> Self {
        let mut sorts = Self::default();
        for kind in &book.kinds {
            let names: Vec<&str> = kind.things.iter().map(|thing| thing.name.as_str()).collect();
            join(&mut sorts.things, &names);
        }
        sorts.rulings = book.rulings.iter().map(|ruling| ruling.name.clone()).collect();
        let mut listed: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for file in files {
            for item in &file.items {
                match &item.kind {
                    ItemKind::Declaration(declaration) => enter(declaration, &mut listed),
                    ItemKind::Amend(_) | ItemKind::Test(_) | ItemKind::Scene(_) => {}
                }
            }
        }
        for names in listed.values() {
            join(&mut sorts.others, names);
        }
        sorts
    }

    /// Another thing of the same kind.
    pub fn thing(&self, name: &str) -> Option<String> {
        self.things.get(name).cloned()
    }

    /// Another rule, state or fact of the same sort, or another thing.
    pub fn other(&self, name: &str) -> Option<String> {
        self.others.get(name).or_else(|| self.things.get(name)).cloned()
    }

    /// Whether a ruling is called so.
    pub fn is_ruling(&self, name: &str) -> bool {
        self.rulings.contains(name)
    }
}

/// Each name is taken for the next, the last for the first.
fn join(sort: &mut BTreeMap<String, String>, names: &[&str]) {
    for (place, &name) in names.iter().enumerate() {
        let next = names[(place + 1) % names.len()];
        if next != name {
            sort.entry(name.to_owned()).or_insert_with(|| next.to_owned());
        }
    }
}

fn enter<'t>(declaration: &'t Declaration, listed: &mut BTreeMap<String, Vec<&'t str>>) {
    let mut add = |sort: String, name: &'t Name| listed.entry(sort).or_default().push(&name.text);
    match declaration {
        Declaration::Rule(rule) => {
            let params: Vec<String> = rule.params.iter().map(|param| named(&param.ty)).collect();
            add(format!("rule({}): {}", params.join(", "), named(&rule.ty)), &rule.name);
        }
        Declaration::State(state) => {
            add(format!("state({}): {}", keys(&state.keys), named(&state.ty)), &state.name)
        }
        Declaration::Fact(fact) => {
            add(format!("fact({}): {}", keys(&fact.keys), named(&fact.ty)), &fact.name)
        }
        Declaration::Kind(kind) => {
            for member in &kind.members {
                match member {
                    Member::Fact(fact) => {
                        add(format!("fact of {}: {}", kind.name.text, named(&fact.ty)), &fact.name)
                    }
                    Member::State(state) => {
                        add(format!("state of {}: {}", kind.name.text, named(&state.ty)), &state.name);
                    }
                    Member::Seen(_) | Member::Back(_) => {}
                }
            }
        }
        Declaration::Step(_)
        | Declaration::Table(_)
        | Declaration::Links(_)
        | Declaration::Grid(_)
        | Declaration::Setup(_)
        | Declaration::Ruling(_)
        | Declaration::Watch(_)
        | Declaration::Invariant(_)
        | Declaration::Look(_)
        | Declaration::Omitted(_) => {}
    }
}

fn keys(names: &[Name]) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// A type by its name; all ranges are of one sort.
fn named(ty: &Type) -> String {
    let name = match &ty.kind {
        TypeKind::Named(name) => name.text.clone(),
        TypeKind::SetOf(name) => format!("set of {}", name.text),
        TypeKind::Range(..) => "number".to_owned(),
    };
    if ty.optional { name + "?" } else { name }
}
