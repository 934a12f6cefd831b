//! Notes what the names of a page mean, for whoever asks for it: see [`crate::references`].

use std::collections::BTreeMap;

use blazon_book::{KindId, LocalId};
use blazon_diagnostics::Span;
use blazon_syntax::ast;

use crate::hygiene::{may_be_meant, plain};
use crate::merge::Merged;
use crate::merge::merged::ColumnDecl;
use crate::merge::visit::read_choices;
use crate::model::Variable;
use crate::references::DefinitionKind;
use crate::resolve::checker::{Checker, Function};
use crate::resolve::env::Env;

impl Checker<'_> {
    /// Notes nothing meanwhile: for text that is looked at again in another place than its own.
    pub(crate) fn unnoted<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let uses = std::mem::take(&mut self.uses);
        let found = look(self);
        self.uses = uses;
        found
    }

    /// Notes the variables that a stretch of text can name.
    pub(crate) fn note_scope(&mut self, env: &Env, span: Span) {
        if !self.uses.is_wanted() || env.names.is_empty() {
            return;
        }
        let variable = |(name, local): &(String, LocalId)| Variable {
            name: plain(name).to_owned(),
            ty: env.locals[local.0 as usize].ty,
            span: env.spans[local.0 as usize],
        };
        self.known.scopes.push((
            span,
            env.names.iter().filter(|(name, _)| may_be_meant(name, span)).map(variable).collect(),
        ));
    }

    /// Notes what can be asked of the things of each kind.
    pub(crate) fn note_askable(&mut self) {
        if self.uses.is_wanted() {
            self.known.askable =
                (0..self.kinds.len()).map(|kind| self.askable(KindId(kind as u32))).collect();
        }
    }

    pub(crate) fn use_function(&mut self, at: Span, function: Function) {
        if !self.uses.is_wanted() {
            return;
        }
        let (sort, declared) = self.declaration(function);
        self.uses.note(at, sort, declared);
    }

    /// Where something that can be asked is declared, and as what.
    pub(crate) fn declaration(&self, function: Function) -> (DefinitionKind, Span) {
        let merged = self.merged;
        match function {
            Function::Column(id) => match &merged.columns[id.0 as usize].decl {
                ColumnDecl::Fact(fact) => (DefinitionKind::Fact, fact.name.span),
                ColumnDecl::State(state) => (DefinitionKind::State, state.name.span),
            },
            Function::Rule(id) => (DefinitionKind::Rule, self.rules[id.0 as usize].span),
            Function::Step(id) => (DefinitionKind::Step, self.steps[id.0 as usize].span),
            Function::Plural(kind) => {
                match merged.kinds.get(kind.0 as usize).and_then(|kind| kind.plural.as_ref()) {
                    Some(plural) => (DefinitionKind::Plural, plural.span),
                    None => (DefinitionKind::Kind, self.kinds[kind.0 as usize].span),
                }
            }
            Function::Links(kind)
            | Function::Neighbours(kind)
            | Function::Between(kind)
            | Function::Ends(kind) => (DefinitionKind::Kind, self.kinds[kind.0 as usize].span),
            Function::Ruling(place) => (DefinitionKind::Ruling, merged.rulings[place].name.span),
        }
    }

    pub(crate) fn use_thing(&mut self, at: Span, kind: KindId, thing: u32) {
        let kinds = self.merged.kinds.len();
        let sort =
            if (kind.0 as usize) < kinds { DefinitionKind::Thing } else { DefinitionKind::RulingValue };
        self.uses.note(at, sort, self.kinds[kind.0 as usize].things[thing as usize].span);
    }

    pub(crate) fn use_local(&mut self, env: &Env, at: Span, local: LocalId) {
        let declared = env.spans[local.0 as usize];
        *self.named.entry(declared).or_default() += 1;
        self.rulings_read += usize::from(env.ruled.contains(&local));
        self.uses.note(at, DefinitionKind::Variable, declared);
    }

    /// A label that names another clause.
    pub(crate) fn use_label(&mut self, at: &ast::Name, clauses: &[ast::Clause]) {
        let labels = clauses.iter().filter_map(|clause| clause.label.as_ref());
        if let Some(label) = labels.into_iter().find(|label| label.text == at.text) {
            self.uses.note(at.span, DefinitionKind::Clause, label.span);
        }
    }

    /// All options of a name.
    pub(crate) fn use_option(&mut self, name: &ast::Name) {
        for place in 0..self.option_names.get(&name.text).map_or(0, Vec::len) {
            let declared = self.option_names[&name.text][place];
            self.uses.note(name.span, DefinitionKind::Option, declared);
        }
    }

    /// What pages say again of what is declared elsewhere: a kind that a game completes, a promise that it keeps.
    pub(crate) fn use_headings(&mut self) {
        let merged = self.merged;
        for kind in &merged.kinds {
            for again in &kind.spans {
                self.uses.note(*again, DefinitionKind::Kind, kind.name.span);
            }
        }
        for rule in merged.rules.iter() {
            if let Some(promised) = rule.promised {
                self.uses.note(promised, DefinitionKind::Rule, rule.rule.name.span);
            }
        }
    }
}

/// The places of the options of each name.
pub(crate) fn option_names(merged: &Merged) -> BTreeMap<String, Vec<Span>> {
    let mut names: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    let steps = merged.steps.iter().map(|step| &step.step.body);
    for body in steps.chain(merged.watches.iter().map(|watch| &watch.body)) {
        read_choices(body, &mut |choose| {
            for option in &choose.options {
                names.entry(option.name.text.clone()).or_default().push(option.name.span);
            }
        });
    }
    names
}
