//! Notes what the names of a page mean, for whoever asks for it: see [`crate::references`].

use std::collections::BTreeMap;

use blazon_book::{KindId, LocalId, StepId};
use blazon_diagnostics::Span;
use blazon_syntax::{ast, plain_name};

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
        if !self.uses.is_wanted() {
            return;
        }
        let at = self.use_bracket(at, kind).unwrap_or(at);
        let kinds = self.merged.kinds.len();
        let sort =
            if (kind.0 as usize) < kinds { DefinitionKind::Thing } else { DefinitionKind::RulingValue };
        self.uses.note(at, sort, self.kinds[kind.0 as usize].things[thing as usize].span);
    }

    /// `Ford (piece)`: notes the kind, and answers where the thing stands by itself.
    fn use_bracket(&mut self, at: Span, kind: KindId) -> Option<Span> {
        let written = self.parsed.sources.slice(at);
        let open = written.strip_suffix(')')?.rfind('(')?;
        let declared = &self.kinds[kind.0 as usize];
        let (thing, word) = (written[..open].trim_end().len(), &written[open + 1..written.len() - 1]);
        if plain_name(word.trim()) != declared.name
            || declared.things.iter().any(|thing| thing.name == plain_name(written))
        {
            return None;
        }
        let start = at.start + (open + 1 + (word.len() - word.trim_start().len())) as u32;
        let of = Span { start, end: start + word.trim().len() as u32, ..at };
        self.uses.note(of, DefinitionKind::Kind, declared.span);
        Some(Span { end: at.start + thing as u32, ..at })
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

    /// What nothing is left of, and what looks name: nobody asks for these by a name.
    pub(crate) fn use_unseen(&mut self) {
        if !self.uses.is_wanted() {
            return;
        }
        let merged = self.merged;
        for ty in &merged.unseen.types {
            let (ast::TypeKind::Named(name) | ast::TypeKind::SetOf(name)) = &ty.kind else { continue };
            if self.kind_names.contains_key(&name.text) {
                self.kind_id(name);
            }
        }
        for name in &merged.unseen.steps {
            if let Some(place) = merged.steps.place(&name.text) {
                self.use_function(name.span, Function::Step(StepId(place as u32)));
            }
        }
        for look in merged.looks.iter().chain(&merged.unseen.looks) {
            self.use_look(look);
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
