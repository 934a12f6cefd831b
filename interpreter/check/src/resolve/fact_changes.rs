//! Printed values that amendments change: another value in the place of one, members added to a set and taken out of it.

use std::collections::HashMap;

use blazon_book::{Base, ColumnId, Constant, Role, Type};
use blazon_diagnostics::{Diagnostic, Fix, Span, did_you_mean};
use blazon_syntax::ast;

use crate::merge::merged::{FactChange, FactValue, printed_name};
use crate::merge::order::{Order, Standing};
use crate::project::Layer;
use crate::resolve::checker::{Checker, Function};
use crate::resolve::constants::ordered;

/// A member of a set that is printed: fact, entry, thing.
type Member = (usize, usize, u32);

/// Who put members in and took them out.
#[derive(Default)]
struct Origins {
    added: HashMap<Member, Layer>,
    taken: HashMap<Member, Layer>,
}

/// The values of all facts while they are collected.
type Wanted = [Vec<Option<Constant>>];

impl Checker<'_> {
    /// Works the changes in, layer by layer. What is added to a set stays where a layer above puts another set there; what
    /// was taken out of the old one went with it.
    pub(super) fn change_facts(&mut self, wanted: &mut Wanted) {
        let merged = self.merged;
        let order = Order::new(&self.parsed.variants);
        let mut origins = Origins::default();
        for change in &merged.fact_values {
            let Some((column, entries)) = self.changed_entries(change) else { continue };
            match &change.change {
                FactChange::Put(values) => {
                    let ty = self.columns[column].ty;
                    let value = self.constants(values, ty, Some(&change.name.text));
                    let value = value.or(Self::blank(ty)).unwrap_or(Constant::Word(0));
                    for entry in entries {
                        if let Some(slot) = wanted[column].get_mut(entry) {
                            *slot = Some(origins.put(value.clone(), column, entry, change.layer));
                        }
                    }
                }
                FactChange::Members(lines) => {
                    self.change_members(change, lines, (column, entries), (&order, &mut origins), wanted);
                }
            }
        }
    }

    fn change_members(
        &mut self,
        change: &FactValue,
        lines: &[ast::FactLine],
        (column, entries): (usize, Vec<usize>),
        (order, origins): (&Order, &mut Origins),
        wanted: &mut Wanted,
    ) {
        let (ty, name) = (self.columns[column].ty, &change.name);
        let Base::Set(kind) = ty.base else {
            let shown = self.show_one(ty);
            let message = format!("`{}` is {shown}: nothing is added to it or taken from it", name.text);
            let declared = self.columns[column].span;
            let mend = format!("print another value: `replace fact {}(…) = …`", name.text);
            self.diagnostics.push(
                Diagnostic::error("types::mismatch", name.span, message)
                    .related(declared, "declared here")
                    .help(mend),
            );
            return;
        };
        for (line, member) in lines.iter().flat_map(|line| line.members.iter().map(move |m| (line, m))) {
            let one = self.constant(member, Type::of(Base::Set(kind)), Some(&name.text));
            let Some(Constant::Set(things)) = one else { continue };
            for &entry in &entries {
                let Some(slot) = wanted[column].get_mut(entry) else { continue };
                let mut now = match slot {
                    Some(Constant::Set(now)) => std::mem::take(now),
                    _ => Vec::new(),
                };
                for &thing in &things {
                    let is_there = now.contains(&thing);
                    let at = (column, entry, thing);
                    let by = if line.minus { &mut origins.taken } else { &mut origins.added };
                    let agrees =
                        by.get(&at).is_some_and(|by| order.of(change.layer, *by) == Standing::Beside);
                    if is_there != line.minus && !agrees && !change.is_printed_over {
                        let said = needless(line.minus, member.span, &name.text);
                        self.diagnostics.push(said);
                    }
                    by.insert(at, change.layer);
                    now.retain(|other| *other != thing);
                    now.extend((!line.minus).then_some(thing));
                }
                *slot = Some(Constant::Set(ordered(now)));
            }
        }
    }

    /// The fact that a change names, and those of its entries that it is for.
    fn changed_entries(&mut self, change: &FactValue) -> Option<(usize, Vec<usize>)> {
        let called = |name: &str| {
            let columns = self.columns.iter().enumerate();
            let found = columns.filter(|(_, column)| {
                column.name == name
                    && column.keys.len() == change.args.len()
                    && matches!(column.role, Role::Fact(_))
            });
            found.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        // What a variant made a state is still printed, under its hidden name.
        let hidden = called(&printed_name(&change.name.text));
        let facts = if hidden.is_empty() { called(&change.name.text) } else { hidden };
        let found = facts.iter().copied().find_map(|i| {
            let keys = change.args.iter().zip(&self.columns[i].keys);
            let keys: Option<Vec<u32>> = keys.map(|(arg, kind)| self.key_of(arg, *kind)).collect();
            Some((i, keys?))
        });
        let Some((column, keys)) = found else {
            let name = &change.name;
            let of = change.args.iter().map(ast::print::expr).collect::<Vec<_>>().join(", ");
            let known: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
            let mut fix = None;
            let (span, message, help) = match facts.first() {
                Some(fact) => {
                    let kinds: Vec<&str> = self.columns[*fact]
                        .keys
                        .iter()
                        .map(|kind| self.kinds[kind.0 as usize].name.as_str())
                        .collect();
                    let span = change.args.first().map_or(name.span, |arg| arg.span);
                    let message =
                        format!("there is no {} `{of}` to have a fact `{}`", kinds.join(", "), name.text);
                    (
                        span,
                        message,
                        "name what is there; something new gets its facts where it is added".to_owned(),
                    )
                }
                None if self
                    .columns
                    .iter()
                    .any(|column| column.name == name.text && !matches!(column.role, Role::Fact(_))) =>
                {
                    (
                        name.span,
                        format!("`{}` is a state: nothing of it is printed", name.text),
                        "set it in a setup, or let it begin otherwise: `replace state …`".to_owned(),
                    )
                }
                None => {
                    let message = format!("there is no fact `{}` to change", name.text);
                    let near = self.merged.guesses.near_miss(&name.text, known.iter().copied());
                    let help = match near {
                        Some(near) => {
                            fix = Some(Fix::rename(name.span, near));
                            did_you_mean(near)
                        }
                        None => "write the fact's name, and in brackets what it is printed of".to_owned(),
                    };
                    (name.span, message, help)
                }
            };
            let mut diagnostic = Diagnostic::error("amend::missing", span, message).help(help);
            diagnostic.fixes.extend(fix);
            self.diagnostics.push(diagnostic);
            return None;
        };
        self.use_function(change.name.span, Function::Column(ColumnId(column as u32)));
        for ((key, kind), arg) in keys.iter().zip(self.columns[column].keys.clone()).zip(&change.args) {
            self.use_thing(arg.span, kind, *key);
        }
        // For all things that look like one of those named.
        let mut entries = vec![0];
        for (key, kind) in keys.iter().zip(self.columns[column].keys.clone()) {
            let (all, size) = (self.named_alike(kind, *key), self.kinds[kind.0 as usize].things.len());
            let inner = |before: usize| all.clone().map(move |thing| before * size + thing as usize);
            entries = entries.into_iter().flat_map(inner).collect();
        }
        Some((column, entries))
    }
}

impl Origins {
    /// Another value, with what hangs on the old one.
    fn put(&mut self, value: Constant, column: usize, entry: usize, layer: Layer) -> Constant {
        let Constant::Set(mut things) = value else { return value };
        let hung = self.added.keys().filter(|(c, e, _)| (*c, *e) == (column, entry));
        let hung: Vec<u32> = ordered(hung.map(|(.., thing)| *thing).collect());
        for &thing in &things {
            self.added.insert((column, entry, thing), layer);
        }
        things.extend(hung);
        Constant::Set(ordered(things))
    }
}

/// What is said of a member that is added although it is there, or taken although it is not.
fn needless(minus: bool, span: Span, fact: &str) -> Diagnostic {
    match minus {
        true => Diagnostic::error("amend::missing", span, format!("this is not in `{fact}` here"))
            .label("nothing to take away")
            .help("take this name out of the line, or name what is printed there"),
        false => Diagnostic::error("amend::exists", span, format!("this is in `{fact}` here already"))
            .label("there is nothing to add")
            .help("take this name out of the line"),
    }
}
