//! A name that is not known here, but that a module of the library has which the game does not take in.

use std::collections::{BTreeMap, BTreeSet};

use blazon_diagnostics::{Diagnostic, SourceId, list};
use blazon_syntax::ast::{Declaration, ItemKind, Member};

use crate::project::{Layer, Page, Parsed, module_name};

/// What stands before the name of a part: a need, a clause, an option.
const PARTS: [&str; 6] = ["waive", "clause", "need", "needs", "option", "beats"];

/// Says of each name that is missed which modules have it.
pub(crate) fn mention(parsed: &Parsed, diagnostics: &mut [Diagnostic]) {
    let is_missed = |said: &&mut Diagnostic| ["amend::missing", "names::unknown"].contains(&said.code);
    let mut names: Option<BTreeMap<&str, BTreeSet<String>>> = None;
    let mut own: Option<BTreeSet<&str>> = None;
    for said in diagnostics.iter_mut().filter(is_missed) {
        let Some(span) = said.span else { continue };
        // A part of something is in no module.
        let before = parsed.sources.get(span.source).text.get(..span.start as usize).unwrap_or_default();
        if before.split_whitespace().next_back().is_some_and(|word| PARTS.contains(&word)) {
            continue;
        }
        let missed = blazon_syntax::plain_name(parsed.sources.slice(span));
        let names = names.get_or_insert_with(|| {
            parsed.spare.iter().map(|page| (module_name(&page.name), declared(page))).collect()
        });
        let having = names.iter().filter(|(_, names)| names.contains(&missed));
        let modules: Vec<&str> = having.map(|(module, _)| *module).collect();
        if modules.is_empty() {
            continue;
        }
        // Where something else has the name here, a module would not help.
        let own = own.get_or_insert_with(|| {
            let items = parsed.files.iter().flat_map(|(_, file)| &file.items);
            let declarations = items.filter_map(|item| match &item.kind {
                ItemKind::Declaration(declaration) => Some(declaration),
                ItemKind::Amend(_) | ItemKind::Test(_) | ItemKind::Scene(_) => None,
            });
            declarations.flat_map(names_of).collect()
        });
        if own.contains(&*missed) {
            continue;
        }
        let have = match modules.as_slice() {
            [module] => format!("the module `{module}` of the library has `{missed}`"),
            several => format!("the modules {} of the library have `{missed}`", list(several, "and")),
        };
        let is_of_variant = matches!(parsed.layer_of(span.source), Some(Layer::Variant(_)));
        let mend = match (is_of_variant, modules.len()) {
            (true, _) => "declare it here: only a game takes in modules, by `uses`",
            (false, 1) => "name it in `uses`, or declare it here",
            (false, _) => "name one in `uses`, or declare it here",
        };
        said.help = Some(format!("{have}: {mend}"));
        // It was no near miss: an edit to another name would mend nothing.
        said.fixes.clear();
    }
}

/// The names that a module declares.
fn declared(page: &Page) -> BTreeSet<String> {
    let (file, _) = blazon_syntax::parse(SourceId::default(), &page.text);
    let mut names = BTreeSet::new();
    for item in file.items {
        let ItemKind::Declaration(declaration) = item.kind else { continue };
        names.extend(names_of(&declaration).into_iter().map(str::to_owned));
    }
    names
}

pub(crate) fn names_of(declaration: &Declaration) -> Vec<&str> {
    match declaration {
        Declaration::Kind(kind) => {
            let members = kind.members.iter().filter_map(|member| match member {
                Member::Fact(fact) => Some(fact.name.text.as_str()),
                Member::State(state) => Some(&state.name.text),
                Member::Seen(_) | Member::Back(_) => None,
            });
            std::iter::once(kind.name.text.as_str()).chain(members).collect()
        }
        Declaration::Fact(fact) => vec![&fact.name.text],
        Declaration::State(state) => vec![&state.name.text],
        Declaration::Rule(rule) => vec![&rule.name.text],
        Declaration::Step(step) => vec![&step.name.text],
        Declaration::Table(_)
        | Declaration::Links(_)
        | Declaration::Grid(_)
        | Declaration::Setup(_)
        | Declaration::Ruling(_)
        | Declaration::Watch(_)
        | Declaration::Invariant(_)
        | Declaration::Look(_)
        | Declaration::Omitted(_) => Vec::new(),
    }
}
