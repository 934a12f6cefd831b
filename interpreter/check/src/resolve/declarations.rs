//! Declarations: kinds and their things, links, rulings, facts and states, headings of rules and steps.

use std::collections::BTreeMap;

use blazon_book::{
    Base, Column, ColumnId, Constant, Kind, KindId, KindOrigin, Role, RuleId, Ruling, StepId, Thing, Type,
};
use blazon_diagnostics::{Diagnostic, Fix, Span};
use blazon_syntax::ast::{self, RulingValue};

use crate::infer::holes::UNKNOWN;
use crate::merge::merged::ColumnDecl;
use crate::project::{Layer, Word};
use crate::resolve::checker::{Checker, Function, Signature};
use crate::resolve::citations::cited;
use crate::resolve::env::Env;
use crate::resolve::tables::Listed;

/// A value chosen for a ruling.
pub(crate) struct Chosen<'a> {
    pub name: &'a String,
    pub value: &'a String,
    /// The manifest that chooses it; none if the player does.
    pub manifest: Option<Span>,
}

impl Chosen<'_> {
    /// The name of the ruling where it is chosen.
    fn word(&self) -> Word<'_> {
        Word { manifest: self.manifest, entry: "rulings", word: self.name }
    }
}

impl<'p> Checker<'p> {
    /// Fills the tables of kinds, things, columns, rulings and headings. Bodies come later.
    pub(crate) fn declare(&mut self, chosen: &[Chosen]) {
        self.declare_kinds();
        self.declare_rulings(chosen);
        let listed = self.declare_things();
        self.find_players();
        self.declare_columns();
        self.declare_functions();
        self.declare_headings();
        self.tell_names_apart();
        self.fill_facts(&listed);
        self.narrow_coordinates();
        self.start_values();
    }

    fn declare_kinds(&mut self) {
        let merged = self.merged;
        for kind in &merged.kinds {
            self.not_a_type(&kind.name);
            let id = KindId(self.kinds.len() as u32);
            self.kind_names.insert(kind.name.text.clone(), id);
            self.kinds.push(Kind {
                name: kind.name.text.clone(),
                plural: kind
                    .plural
                    .as_ref()
                    .map_or_else(|| format!("{}s", kind.name.text), |p| p.text.clone()),
                things: Vec::new(),
                ends: None,
                seen: None,
                back: Vec::new(),
                name_on_back: false,
                origin: KindOrigin::Declared,
                span: kind.name.span,
            });
        }
        for (place, kind) in merged.kinds.iter().enumerate() {
            if let Some((from, to)) = &kind.ends
                && let (Some(a), Some(b)) = (self.kind_id(from), self.kind_id(to))
            {
                if a != b {
                    self.diagnostics.push(
                        Diagnostic::error(
                            "types::mismatch",
                            to.span,
                            "both ends of a link must be of one kind",
                        )
                        .help("as in `kind border = area - area`"),
                    );
                }
                self.kinds[place].ends = Some((a, a));
            }
        }
        if let Some(kind) = self.kind_names.get(&self.parsed.game.player) {
            self.player = *kind;
        } else {
            let name = self.parsed.game.player.clone();
            let near = self
                .merged
                .guesses
                .near_miss(&name, self.kind_names.keys().map(String::as_str))
                .map(str::to_owned);
            let message = format!("the manifest says that `{name}` decides, but there is no such kind");
            self.wrong_in_manifest(Layer::Game, "player", &name, message, near.as_deref(), || {
                "declare the kind, for instance `kind side = Red, Blue`, or change `player:` in blazon.ron"
            });
        }
    }

    fn declare_rulings(&mut self, chosen: &[Chosen]) {
        let merged = self.merged;
        for ruling in &merged.rulings {
            let texts: Vec<String> = ruling.values.iter().map(ast::print::ruling_value).collect();
            if let Some(twice) = (1..texts.len()).find(|place| texts[..*place].contains(&texts[*place])) {
                let message = format!("the ruling `{}` has `{}` twice", ruling.name.text, texts[twice]);
                let said = Diagnostic::error("names::twice", ruling.span, message);
                self.diagnostics.push(said.help("each of its values is another reading: say the other"));
            }
            let kind = if ruling.values.iter().all(|v| matches!(v, RulingValue::Thing(_))) {
                let id = KindId(self.kinds.len() as u32);
                let things = ruling
                    .values
                    .iter()
                    .enumerate()
                    .map(|(i, value)| {
                        let (name, span) = match value {
                            RulingValue::Thing(name) => (name.text.clone(), name.span),
                            RulingValue::Flag(_) | RulingValue::Number(_) => (String::new(), ruling.span),
                        };
                        self.things.entry(name.clone()).or_default().push((id, i as u32));
                        Thing { name, group: i as u32, ends: None, span }
                    })
                    .collect();
                self.kinds.push(Kind {
                    name: ruling.name.text.clone(),
                    plural: format!("readings of {}", ruling.name.text),
                    things,
                    ends: None,
                    seen: None,
                    back: Vec::new(),
                    name_on_back: false,
                    origin: KindOrigin::Ruling(self.rulings.len()),
                    span: ruling.name.span,
                });
                Some(id)
            } else {
                let first = std::mem::discriminant(&ruling.values[0]);
                if ruling.values.iter().any(|v| std::mem::discriminant(v) != first) {
                    self.error(
                        "types::mismatch",
                        ruling.span,
                        "the values of a ruling are all yes/no, all numbers, or all capitalised words",
                    );
                }
                None
            };
            let choice = match chosen.iter().rev().find(|chosen| *chosen.name == ruling.name.text) {
                None => 0,
                Some(chosen @ Chosen { value, manifest, .. }) => {
                    match texts.iter().position(|t| t.eq_ignore_ascii_case(value)) {
                        Some(place) => place,
                        None => {
                            let message = format!("the ruling `{}` has no value `{value}`", ruling.name.text);
                            let diagnostic = match manifest {
                                Some(_) => chosen
                                    .word()
                                    .wrong(&self.parsed.sources, "names::unknown", message)
                                    .label("it is chosen in this manifest")
                                    .related(ruling.span, "the ruling"),
                                None => Diagnostic::error("names::unknown", ruling.span, message),
                            };
                            let help = format!("it can be {}", blazon_diagnostics::list(&texts, "or"));
                            self.diagnostics.push(diagnostic.help(help));
                            0
                        }
                    }
                }
            };
            self.asked_for_twice(ruling, chosen);
            self.ruling_kinds.push(kind);
            let cites = cited(&ruling.cites);
            self.rulings.push(Ruling {
                name: ruling.name.text.clone(),
                values: texts,
                chosen: choice,
                question: ruling.question.as_ref().and_then(ast::Text::plain).unwrap_or_default(),
                cites,
                span: ruling.span,
            });
        }
        for chosen in chosen {
            let Chosen { name, manifest, .. } = chosen;
            if !self.rulings.iter().any(|ruling| ruling.name == **name) {
                let near = self
                    .merged
                    .guesses
                    .near_miss(name, self.rulings.iter().map(|r| r.name.as_str()))
                    .map(str::to_owned);
                let message = format!("there is no ruling `{name}`");
                let (word, sources) = (chosen.word(), &self.parsed.sources);
                let said = word.wrong(sources, "names::unknown", message);
                let said = match manifest {
                    Some(_) => said.label("it is chosen in this manifest"),
                    None => said,
                };
                let otherwise = || "`blazon rulings` lists them".to_owned();
                self.diagnostics.push(word.mended(said, sources, near.as_deref(), otherwise));
            }
        }
    }

    /// Complains of a ruling that whoever plays asks for in two ways.
    fn asked_for_twice(&mut self, ruling: &ast::Ruling, chosen: &[Chosen]) {
        let mut asked = chosen
            .iter()
            .filter(|chosen| chosen.manifest.is_none() && *chosen.name == ruling.name.text)
            .map(|chosen| chosen.value);
        let Some(first) = asked.next() else { return };
        if let Some(other) = asked.find(|value| !value.eq_ignore_ascii_case(first)) {
            let name = &ruling.name.text;
            let message = format!("the ruling `{name}` is asked for as `{first}` and as `{other}`");
            self.diagnostics.push(
                Diagnostic::error("names::twice", ruling.span, message)
                    .label("it has one value while it is played")
                    .help("ask for one of the two"),
            );
        }
    }

    /// Makes every ruling a printed value of which nothing is known.
    pub(crate) fn open_rulings(&mut self) {
        self.open_rulings = Some(ColumnId(self.columns.len() as u32));
        for (ruling, kind) in self.rulings.iter().zip(&self.ruling_kinds) {
            let numbers: Vec<i64> = ruling.values.iter().filter_map(|value| value.parse().ok()).collect();
            let base = match (kind, numbers.iter().min(), numbers.iter().max()) {
                (Some(kind), ..) => Base::Thing(*kind),
                (None, Some(least), Some(most)) => Base::Number(*least, *most),
                (None, ..) => Base::Flag,
            };
            self.columns.push(Column {
                name: ruling.name.clone(),
                keys: Vec::new(),
                ty: Type::of(base),
                role: Role::Fact(Vec::new()),
                cites: Vec::new(),
                span: ruling.span,
            });
        }
    }

    /// Things by list and by table, then links between them.
    fn declare_things(&mut self) -> Vec<Listed<'p>> {
        let merged = self.merged;
        for (place, kind) in merged.kinds.iter().enumerate() {
            for thing in &kind.things {
                self.add_thing(KindId(place as u32), &thing.text, None, thing.span);
            }
        }
        let mut listed = Vec::new();
        for table in &merged.tables {
            if let Some(kind) = self.kind_id(&table.kind) {
                self.list_table(table, kind, &mut listed);
            }
        }
        self.list_overrides(&mut listed);
        self.declare_links(&mut listed);
        listed
    }

    /// Adds a thing, or finds it where it is listed already.
    pub(crate) fn add_thing(
        &mut self,
        kind: KindId,
        name: &str,
        ends: Option<(u32, u32)>,
        span: Span,
    ) -> u32 {
        let things = &mut self.kinds[kind.0 as usize].things;
        let place = things.len() as u32;
        things.push(Thing { name: name.to_owned(), group: place, ends, span });
        let entry = self.things.entry(name.to_owned()).or_default();
        if !entry.iter().any(|(other, _)| *other == kind) {
            entry.push((kind, place));
        }
        place
    }

    /// Complains of a word of a manifest, at its place.
    pub(crate) fn wrong_in_manifest(
        &mut self,
        layer: Layer,
        entry: &'static str,
        word: &str,
        message: String,
        near: Option<&str>,
        otherwise: impl FnOnce() -> &'static str,
    ) {
        let (word, sources) = (self.parsed.word(layer, entry, word), &self.parsed.sources);
        let said = word.wrong(sources, "files::manifest", message);
        self.diagnostics.push(word.mended(said, sources, near, || otherwise().to_owned()));
    }

    fn declare_columns(&mut self) {
        let merged = self.merged;
        for column in &merged.columns {
            let (name, keys, ty, cites, span, fact) = match &column.decl {
                ColumnDecl::Fact(fact) => (&fact.name, &fact.keys, &fact.ty, &fact.cites, fact.span, true),
                ColumnDecl::State(state) => {
                    (&state.name, &state.keys, &state.ty, &state.cites, state.span, false)
                }
            };
            let keys: Option<Vec<KindId>> =
                column.owner.iter().chain(keys).map(|key| self.kind_id(key)).collect();
            let ty = self.ty(ty);
            let cites = cited(cites);
            // A column that cannot be typed keeps its place, so that numbers agree with the merged tree.
            let ty = ty.filter(|_| keys.is_some()).unwrap_or(UNKNOWN);
            let keys = keys.unwrap_or_default();
            if !fact
                && matches!(ty.base, Base::Text | Base::Point | Base::Permission | Base::Dice | Base::Die)
            {
                let shown = self.show_one(ty);
                self.error("types::mismatch", span, format!("a state cannot keep {shown}"));
            }
            let role =
                if fact { Role::Fact(Vec::new()) } else { Role::State { start: None, fresh: Vec::new() } };
            self.columns.push(Column { name: name.text.clone(), keys, ty, role, cites, span });
        }
    }

    fn declare_functions(&mut self) {
        // `a.neighbours` follows the first kind of links declared: a variant that adds another changes nothing there.
        // `a.road neighbours` says which.
        let first: Vec<bool> = (0..self.kinds.len())
            .map(|place| {
                let ends = self.kinds[place].ends;
                ends.is_some() && !self.kinds[..place].iter().any(|before| before.ends == ends)
            })
            .collect();
        let mut add = |name: &str, function: Function| {
            self.functions.entry(name.to_owned()).or_default().push(function);
        };
        for (place, kind) in self.kinds.iter().enumerate() {
            let id = KindId(place as u32);
            add(&kind.plural, Function::Plural(id));
            if kind.ends.is_some() {
                // All links at a thing share the name of the set of all: `borders`, `a.borders`.
                add(&kind.plural, Function::Links(id));
                add(&kind.name, Function::Between(id));
                if first[place] {
                    add("neighbours", Function::Neighbours(id));
                }
                add(&format!("{} neighbours", kind.name), Function::Neighbours(id));
                add("ends", Function::Ends(id));
            }
        }
        for (place, column) in self.columns.iter().enumerate() {
            add(&column.name, Function::Column(ColumnId(place as u32)));
        }
        for (place, ruling) in self.rulings.iter().enumerate() {
            add(&ruling.name, Function::Ruling(place));
        }
    }

    fn declare_headings(&mut self) {
        let merged = self.merged;
        for (place, rule) in merged.rules.iter().enumerate() {
            let rule = &rule.rule;
            let params = self.params(&rule.params);
            let ty = self.ty(&rule.ty);
            self.rules.push(Signature { name: rule.name.text.clone(), params, ty, span: rule.name.span });
            self.functions
                .entry(rule.name.text.clone())
                .or_default()
                .push(Function::Rule(RuleId(place as u32)));
        }
        for (place, step) in merged.steps.iter().enumerate() {
            let step = &step.step;
            let params = self.params(&step.params);
            let ty = step.ty.as_ref().and_then(|ty| self.ty(ty));
            self.steps.push(Signature { name: step.name.text.clone(), params, ty, span: step.name.span });
            self.functions
                .entry(step.name.text.clone())
                .or_default()
                .push(Function::Step(StepId(place as u32)));
        }
    }

    fn params(&mut self, params: &[ast::Param]) -> Vec<(String, Type)> {
        for (place, param) in params.iter().enumerate() {
            let first = params[..place].iter().find(|other| other.name.text == param.name.text);
            if let Some(first) = first {
                let message = format!("there are two parameters `{}`", param.name.text);
                self.diagnostics.push(
                    Diagnostic::error("names::twice", param.name.span, message)
                        .related(first.name.span, "the other")
                        .help("give one of them another name"),
                );
            }
        }
        params.iter().map(|param| (param.name.text.clone(), self.ty(&param.ty).unwrap_or(UNKNOWN))).collect()
    }

    /// A number begins at 0: one whose range leaves 0 out must say where it begins.
    fn needs_start(&mut self, state: &ast::State, ty: Type) {
        let Base::Number(lo, hi) = ty.base else { return };
        if state.start.is_some() || ty.optional || (lo <= 0 && 0 <= hi) {
            return;
        }
        let nearest = if lo > 0 { lo } else { hi };
        let end = Span { start: state.ty.span.end, end: state.ty.span.end, ..state.ty.span };
        self.diagnostics.push(
            Diagnostic::error(
                "types::range",
                state.ty.span,
                format!("`{}` does not say where it begins, and 0 lies outside {lo}..{hi}", state.name.text),
            )
            .help(format!("write its start behind the range: `= {nearest}`"))
            .fix(Fix::replace(format!("write `= {nearest}`"), end, format!(" = {nearest}"))),
        );
    }

    /// Start values and scopes of states, once everything that they can name is declared.
    fn start_values(&mut self) {
        let merged = self.merged;
        for (place, column) in merged.columns.iter().enumerate() {
            let ColumnDecl::State(state) = &column.decl else { continue };
            let ty = self.columns[place].ty;
            let mut env = Env::default();
            for key in self.columns[place].keys.clone() {
                let (name, span) = (self.kinds[key.0 as usize].name.clone(), self.kinds[key.0 as usize].span);
                env.bind_at(&name, Type::of(Base::Thing(key)), span);
            }
            let start = state
                .start
                .as_ref()
                .and_then(|start| self.typed(&mut env, start, ty))
                .map(|value| blazon_book::Start { locals: env.locals, value });
            let name = self.columns[place].name.clone();
            if let Some(start) = &start {
                self.given(&start.value, ty, &format!("`{name}`"));
            }
            self.needs_start(state, ty);
            let thing = matches!(ty.base, Base::Thing(_)) && !ty.optional;
            if thing
                && state.start.is_none()
                && !state.fresh.is_empty()
                && !self.columns[place].keys.is_empty()
            {
                self.diagnostics.push(
                    Diagnostic::error(
                        "names::scope",
                        state.span,
                        format!("`{}` has nothing to start with", state.name.text),
                    )
                    .help(
                        "give it a start value, `= …`, or write `?` behind its type: then it starts absent",
                    ),
                );
            }
            let mut steps = Vec::new();
            for name in &state.fresh {
                match self.merged.steps.place(&name.text) {
                    Some(step) => {
                        let step = StepId(step as u32);
                        self.use_function(name.span, Function::Step(step));
                        steps.push(step);
                    }
                    None => {
                        let near = self
                            .merged
                            .guesses
                            .near_miss(&name.text, self.steps.iter().map(|s| s.name.as_str()))
                            .map(str::to_owned);
                        let mut diagnostic = Diagnostic::error(
                            "names::unknown",
                            name.span,
                            format!("there is no step `{}`", name.text),
                        );
                        diagnostic = match near {
                            Some(near) => diagnostic.did_you_mean(near),
                            None => diagnostic
                                .help("`fresh each` names the steps at whose start and end a state is reset"),
                        };
                        self.diagnostics.push(diagnostic);
                    }
                }
            }
            self.columns[place].role = Role::State { start, fresh: steps };
        }
    }

    /// The value of facts that no table gives.
    pub(crate) fn blank(ty: Type) -> Option<Constant> {
        match ty.base {
            _ if ty.optional => Some(Constant::Absent),
            Base::Flag | Base::Unknown => Some(Constant::Word(0)),
            Base::Set(_) => Some(Constant::Set(Vec::new())),
            Base::Text => Some(Constant::Text(String::new())),
            Base::Point => Some(Constant::Point(0, 0)),
            Base::Number(..)
            | Base::Thing(_)
            | Base::Dice
            | Base::Die
            | Base::Permission
            | Base::Numbers
            | Base::Nothing => None,
        }
    }

    /// The facts and states of a kind by their names, in alphabetical order.
    pub(crate) fn columns_of(&self, kind: KindId) -> BTreeMap<String, Vec<ColumnId>> {
        let mut columns: BTreeMap<String, Vec<ColumnId>> = BTreeMap::new();
        for (place, column) in self.columns.iter().enumerate() {
            if column.keys.first() == Some(&kind) {
                columns.entry(column.name.clone()).or_default().push(ColumnId(place as u32));
            }
        }
        columns
    }
}
