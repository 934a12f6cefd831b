//! Opens what an amendment names.

use std::sync::Arc;

use blazon_diagnostics::{Article, Diagnostic, Span};
use blazon_syntax::ast::{self, Expr, ExprKind, Name, Part, PartKind};

use super::missing::columns;
use super::{Amender, Place};
use crate::merge::edits::Opened;
use crate::merge::faces::Side;
use crate::merge::merged::{ColumnDecl, first_key, type_text};
use crate::merge::order::Standing;
use crate::merge::pieces::same_fixed;
use crate::merge::sort::Sort;
use crate::references::DefinitionKind;

/// A table or a list of links: its kind, and the columns in brackets behind that.
pub(super) type Listing<'m> = (&'m Name, &'m [(Name, Expr)]);

impl Amender<'_> {
    pub(super) fn open(&mut self, place: &Place, part: &Part) -> Option<Place> {
        let name = &part.name;
        match part.kind {
            PartKind::Kind => {
                let names = self.merged.kinds.iter().map(|kind| kind.name.text.clone()).collect();
                self.find(&Sort::Kind, name, names).map(Place::Kind)
            }
            PartKind::Rule => self.find_rule(name).map(Place::Rule),
            PartKind::Seen => self.open_face(place, part, Side::Seen),
            PartKind::Back => self.open_face(place, part, Side::Back),
            PartKind::Step => self.find_step(name).map(Place::Step),
            PartKind::Setup => {
                let names = self.merged.setups.iter().map(|setup| setup.name.text.clone()).collect();
                self.find(&Sort::Whole("setup"), name, names).map(Place::Setup)
            }
            PartKind::Table => self.find_listed(name, part, true).map(Place::Table),
            PartKind::Links => self.find_listed(name, part, false).map(Place::Links),
            PartKind::Option | PartKind::When | PartKind::Choice => {
                let opened = Opened { kind: part.kind, name: name.clone(), beside: part.beside.clone() };
                match place {
                    Place::Step(step) => Some(Place::Part(*step, vec![opened])),
                    Place::Part(step, path) => {
                        Some(Place::Part(*step, path.iter().cloned().chain([opened]).collect()))
                    }
                    Place::Top
                    | Place::Kind(_)
                    | Place::Rule(_)
                    | Place::Face(_)
                    | Place::Table(_)
                    | Place::Links(_)
                    | Place::Setup(_) => {
                        if part.kind == PartKind::Option {
                            self.option_outside(name, part.span);
                        } else {
                            self.outside_a_step(part);
                        }
                        None
                    }
                }
            }
        }
    }

    fn outside_a_step(&mut self, part: &Part) {
        let (what, sample) = match part.kind {
            PartKind::When => ("case", "in step weather { in when 3 { … } }"),
            PartKind::Choice => ("choice", "in step give orders { in choice orders { … } }"),
            PartKind::Option
            | PartKind::Kind
            | PartKind::Rule
            | PartKind::Step
            | PartKind::Table
            | PartKind::Links
            | PartKind::Setup
            | PartKind::Seen
            | PartKind::Back => ("option", "in step give orders { in option march { … } }"),
        };
        self.diagnostics.push(
            Diagnostic::error("amend::missing", part.span, format!("{} belongs to a step", Article(what)))
                .help(format!("open the step first: `{sample}`")),
        );
    }

    pub(in crate::merge) fn find(&mut self, what: &Sort, name: &Name, names: Vec<String>) -> Option<usize> {
        let found = names.iter().position(|other| *other == name.text);
        match found {
            Some(found) => self.note_use(what, name, found),
            None => self.missing(what, name, &names),
        }
        found
    }

    /// Notes what was found by [`Amender::find`].
    fn note_use(&mut self, what: &Sort, name: &Name, found: usize) {
        let merged = &mut *self.merged;
        let meant = if *what == Sort::Kind {
            Some((DefinitionKind::Kind, merged.kinds[found].name.span))
        } else if *what == Sort::Column {
            Some(column_use(&merged.columns[found].decl))
        } else {
            merged.whole_use(what, found)
        };
        if let Some((kind, declared)) = meant {
            merged.uses.note(name.span, kind, declared);
        }
        if *what == Sort::Whole("grid") {
            self.note_kind(name);
        }
    }

    /// What is called by a kind, as its table is, names the kind.
    fn note_kind(&mut self, name: &Name) {
        if let Some(kind) = self.merged.kinds.find(&name.text) {
            let declared = kind.name.span;
            self.merged.uses.note(name.span, DefinitionKind::Kind, declared);
        }
    }

    /// Notes the facts by which one of several tables is told from others, and their values.
    fn note_fixed(&mut self, kind: &str, fixed: &[(Name, Expr)]) {
        for (name, value) in fixed {
            let mut named =
                self.merged.columns.named(&name.text).iter().map(|&place| &self.merged.columns[place]);
            let Some(column) = named.find(|column| first_key(column).as_deref() == Some(kind)) else {
                continue;
            };
            let (sort, declared) = column_use(&column.decl);
            let of = match &column.decl {
                ColumnDecl::Fact(fact) => type_text(&fact.ty),
                ColumnDecl::State(state) => type_text(&state.ty),
            };
            self.merged.uses.note(name.span, sort, declared);
            if let ExprKind::Thing(text) = &value.kind {
                self.note_thing(&of, &Name { text: text.clone(), span: value.span });
            }
        }
    }

    /// Notes a thing of a kind that a change names and nobody looks at again, since it is gone.
    pub(super) fn note_thing(&mut self, kind: &str, thing: &Name) {
        let merged = &mut *self.merged;
        let listed = merged.kinds.find(kind).and_then(|kind| kind.things.find(&thing.text));
        let tables = merged.tables.iter().filter(|table| table.kind.text == kind);
        let mut rows = tables.flat_map(|table| {
            let cells = table.rows.iter().skip(1).filter_map(|row| row.cells.first());
            let cells = cells.filter(|cell| cell.text == thing.text).map(|cell| cell.span);
            let named = table.named_rows.iter().map(|row| &row.thing);
            cells.chain(named.filter(|name| name.text == thing.text).map(|name| name.span))
        });
        if let Some(declared) = listed.map(|name| name.span).or_else(|| rows.next()) {
            merged.uses.note(thing.span, DefinitionKind::Thing, declared);
        }
    }

    /// The same of the ends of a link, whatever kind of links it is of.
    pub(super) fn note_ends(&mut self, link: &ast::Link) {
        let ends = self.merged.kinds.iter().filter_map(|kind| kind.ends.as_ref());
        let mut ends: Vec<String> = ends.map(|(from, _)| from.text.clone()).collect();
        ends.sort();
        ends.dedup();
        for kind in &ends {
            self.note_thing(kind, &link.from);
            self.note_thing(kind, &link.to);
        }
    }

    pub(super) fn find_rule(&mut self, name: &Name) -> Option<usize> {
        match *self.merged.rules.named(&name.text) {
            [one] => {
                let declared = self.merged.rules[one].rule.name.span;
                self.merged.uses.note(name.span, DefinitionKind::Rule, declared);
                Some(one)
            }
            [] => {
                let names: Vec<String> =
                    self.merged.rules.iter().map(|rule| rule.rule.name.text.clone()).collect();
                self.missing(&Sort::Rule, name, &names);
                None
            }
            [first, second, ..] => {
                self.diagnostics.push(
                    Diagnostic::error("names::ambiguous", name.span, format!("there are two rules `{}`", name.text))
                        .related(self.merged.rules[first].rule.name.span, "one")
                        .related(self.merged.rules[second].rule.name.span, "another")
                        .help("a change cannot tell them apart: give one of the two another name, where it is declared"),
                );
                None
            }
        }
    }

    pub(super) fn find_step(&mut self, name: &Name) -> Option<usize> {
        // Steps are many and often named: their names are only listed to say which there are.
        let found = self.merged.steps.place(&name.text);
        match found {
            Some(found) => {
                let declared = self.merged.steps[found].step.name.span;
                self.merged.uses.note(name.span, DefinitionKind::Step, declared);
            }
            None => {
                let names: Vec<String> =
                    self.merged.steps.iter().map(|step| step.step.name.text.clone()).collect();
                self.missing(&Sort::Step, name, &names);
            }
        }
        found
    }

    pub(super) fn find_listed(&mut self, name: &Name, part: &Part, tables: bool) -> Option<usize> {
        let heads = self.listings(tables);
        let wanted = &*part.fixed;
        let heads_known: Vec<usize> = (0..heads.len()).filter(|&i| self.is_known(heads[i].0)).collect();
        let found: Vec<usize> = heads_known
            .iter()
            .copied()
            .filter(|&i| {
                heads[i].0.text == name.text && (wanted.is_empty() || same_fixed(heads[i].1, wanted))
            })
            .collect();
        match found[..] {
            [] if heads_known.iter().any(|&i| heads[i].0.text == name.text) => {
                self.no_such_columns(name, part, tables);
                None
            }
            [] => {
                let names: Vec<String> = heads_known.iter().map(|&i| heads[i].0.text.clone()).collect();
                self.missing(if tables { &Sort::Table } else { &Sort::Links }, name, &names);
                None
            }
            [first, ..] => {
                // With several tables and none singled out, the one without fixed columns is meant, else the first.
                let exact = found.iter().copied().find(|&i| same_fixed(heads[i].1, wanted));
                let meant = if found.len() > 1 { exact.unwrap_or(first) } else { first };
                let kind = if tables { DefinitionKind::Table } else { DefinitionKind::Links };
                let declared = heads[meant].0.span;
                self.merged.uses.note(name.span, kind, declared);
                self.note_kind(name);
                self.note_fixed(&name.text, &part.fixed);
                Some(meant)
            }
        }
    }

    /// All tables, or all lists of links.
    pub(super) fn listings(&self, tables: bool) -> Vec<Listing<'_>> {
        match tables {
            true => self.merged.tables.iter().map(|table| (&table.kind, &*table.fixed)).collect(),
            false => self.merged.links.iter().map(|links| (&links.kind, &*links.fixed)).collect(),
        }
    }

    /// The tables or lists of links of which any could be meant by a part that singles out none: its columns tell it from the
    /// others, or that it has none. Empty where one is meant.
    pub(super) fn lists_of(&self, place: &Place, part: &Part) -> Vec<(Span, String)> {
        let tables = matches!(place, Place::Table(_));
        if !tables && !matches!(place, Place::Links(_)) {
            return Vec::new();
        }
        let of_kind = |(kind, _): &Listing<'_>| kind.text == part.name.text && self.is_known(kind);
        let found: Vec<_> = self.listings(tables).into_iter().filter(of_kind).collect();
        if found.len() < 2 || !part.fixed.is_empty() || found.iter().any(|(_, fixed)| fixed.is_empty()) {
            return Vec::new();
        }
        found.into_iter().map(|(kind, fixed)| (kind.span, columns(fixed))).collect()
    }

    /// Complains of what is added to one of several tables or lists, and to none of them in particular.
    pub(super) fn one_of_several(&mut self, part: &Part, lists: &[(Span, String)], span: Span) {
        let (word, what) =
            if part.kind == PartKind::Table { ("table", "tables") } else { ("links", "lists of links") };
        let message = format!(
            "there are several {what} of `{}`, and this is added to none in particular",
            part.name.text
        );
        let mut said = Diagnostic::error("amend::ambiguous", span, message).label("to which?");
        for (place, (span, _)) in lists.iter().enumerate().take(3) {
            said = said.related(*span, if place == 0 { "to this one" } else { "or to this one" });
        }
        let columns = lists.first().map_or("", |(_, columns)| columns.as_str());
        self.diagnostics.push(
            said.help(format!(
                "single one out by its columns: `in {word} {}{columns} {{ … }}`",
                part.name.text
            )),
        );
    }

    /// Whether the layer knows of a list of a kind: its own, and those of what lies below.
    pub(super) fn is_known(&self, kind: &Name) -> bool {
        let by = self.merged.layers.get(&kind.span.source);
        by.is_none_or(|by| matches!(self.order.of(self.layer, *by), Standing::Same | Standing::Above))
    }

    /// `in table area { } @5.22`: the paragraphs are those of what was opened, too.
    pub(super) fn cite(&mut self, place: &Place, cites: &[ast::Cite]) {
        match place {
            Place::Table(table) => {
                Arc::make_mut(&mut self.merged.tables[*table]).cites.extend(cites.iter().cloned())
            }
            Place::Links(links) => {
                Arc::make_mut(&mut self.merged.links[*links]).cites.extend(cites.iter().cloned())
            }
            Place::Rule(_) | Place::Face(_) | Place::Step(_) | Place::Part(..) => {
                self.cite_woven(place, cites);
            }
            Place::Top | Place::Kind(_) | Place::Setup(_) => {}
        }
    }
}

/// How the name of a column is used.
pub(super) fn column_use(decl: &ColumnDecl) -> (DefinitionKind, Span) {
    match decl {
        ColumnDecl::Fact(fact) => (DefinitionKind::Fact, fact.name.span),
        ColumnDecl::State(state) => (DefinitionKind::State, state.name.span),
    }
}
