//! A name that is not known here, but that a module of the library has which the game does not take in.

use std::collections::{BTreeMap, BTreeSet};

use blazon_diagnostics::{Diagnostic, SourceId, list};
use blazon_syntax::ast::{Declaration, ItemKind, Member};

use crate::project::{Page, Parsed, module_name};

/// Says of each name that is missed which modules have it.
pub(crate) fn mention(parsed: &Parsed, diagnostics: &mut [Diagnostic]) {
    let is_missed = |said: &&mut Diagnostic| ["amend::missing", "names::unknown"].contains(&said.code);
    let mut names: Option<BTreeMap<&str, BTreeSet<String>>> = None;
    for said in diagnostics.iter_mut().filter(is_missed) {
        let Some(span) = said.span else { continue };
        let missed = blazon_syntax::plain_name(parsed.sources.slice(span));
        let names = names.get_or_insert_with(|| {
            parsed.spare.iter().map(|page| (module_name(&page.name), declared(page))).collect()
        });
        let having = names.iter().filter(|(_, names)| names.contains(&missed));
        let modules: Vec<&str> = having.map(|(module, _)| *module).collect();
        let help = match modules.as_slice() {
            [] => continue,
            [module] => {
                format!(
                    "the module `{module}` of the library has `{missed}`: name it in `uses`, or declare it here"
                )
            }
            several => {
                let several = list(several, "and");
                format!(
                    "the modules {several} of the library have `{missed}`: name one in `uses`, or declare it here"
                )
            }
        };
        said.help = Some(help);
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
        names.extend(names_of(declaration));
    }
    names
}

fn names_of(declaration: Declaration) -> Vec<String> {
    match declaration {
        Declaration::Kind(kind) => {
            let members = kind.members.into_iter().filter_map(|member| match member {
                Member::Fact(fact) => Some(fact.name.text),
                Member::State(state) => Some(state.name.text),
                Member::Seen(_) | Member::Back(_) => None,
            });
            std::iter::once(kind.name.text).chain(members).collect()
        }
        Declaration::Fact(fact) => vec![fact.name.text],
        Declaration::State(state) => vec![state.name.text],
        Declaration::Rule(rule) => vec![rule.name.text.clone()],
        Declaration::Step(step) => vec![step.name.text.clone()],
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
