//! Setups and positions: lists of who stands where become steps that set states.

use std::collections::{BTreeMap, HashMap};

use blazon_book::build;
use blazon_book::walk::{Put, substitute};
use blazon_book::{
    AssignOp, Base, Block, ColumnId, Expr, ExprKind, KindId, LocalId, Role, Setup, Statement, StatementKind,
    Step, StepId, Type, Value,
};
use blazon_diagnostics::{Article, Diagnostic, Fix, Span};
use blazon_syntax::ast::{self, Name, PlacingLine};

use crate::infer::positions::setup_lines::Placed;
use crate::infer::steps::statements::Around;
use crate::resolve::checker::{Checker, Function};
use crate::resolve::citations::cited;
use crate::resolve::env::Env;

/// What is known of one thing of a position: the number beside it and the values it is given.
struct Given {
    number: Option<(i64, Span)>,
    values: Vec<(Name, bool)>,
    cites: Vec<String>,
    span: Span,
    /// Whether it stands there only by `others:`.
    among_others: bool,
}

/// Where all stand that no line names, and the line that says it.
type Others = (Vec<(Name, bool)>, Span);

/// The values that are given below some headings, and whether each is a heading.
fn under(headings: &[Name], values: &[Name]) -> Vec<(Name, bool)> {
    let headings = headings.iter().map(|heading| (heading.clone(), true));
    headings.chain(values.iter().map(|value| (value.clone(), false))).collect()
}

impl Checker<'_> {
    pub(crate) fn setup(&mut self, setup: &ast::Setup) -> Setup {
        self.second_name(setup);
        let Some((body, assigned, env)) = self.placing(&setup.placing, true) else {
            let hole = self.placing_hole(&setup.placing);
            return self.finish_setup(setup, vec![hole], Env::default());
        };
        for (place, column) in self.columns.iter().enumerate() {
            if column.must_be_said() && !assigned.contains(&ColumnId(place as u32)) {
                self.diagnostics.push(
                    Diagnostic::error(
                        "setup::missing",
                        setup.name.span,
                        format!("the setup does not say `{}`", column.name),
                    )
                    .related(column.span, "it has no start value")
                    .help(format!(
                        "add a line `{} := …`, or give it a start value where it is declared",
                        column.name
                    )),
                );
            }
        }
        self.finish_setup(setup, body, env)
    }

    /// Complains of a second name by which another setup is asked for.
    fn second_name(&mut self, setup: &ast::Setup) {
        let Some((title, text)) = setup.title.as_ref().zip(setup.second_name()) else { return };
        // Whoever asks for a setup need not know its capitals.
        let is_it = |name: &str| name.to_lowercase() == text.to_lowercase();
        let is_other = |other: &ast::Setup| other.name.span != setup.name.span;
        let setups = || self.merged.setups.iter();
        let mut before = setups().take_while(|other| is_other(other));
        let by_second = before.find(|other| other.second_name().is_some_and(|name| is_it(&name)));
        let by_name = || setups().find(|other| is_other(other) && is_it(&other.name.text));
        if let Some(other) = by_second.or_else(by_name) {
            let message = format!("another setup is called `{text}`, too");
            self.diagnostics.push(
                Diagnostic::error("names::twice", title.span, message)
                    .related(other.name.span, "the other")
                    .help("give it another second name: it is asked for by that"),
            );
        }
    }

    fn finish_setup(&mut self, setup: &ast::Setup, body: Block, env: Env) -> Setup {
        Setup {
            name: setup.name.text.clone(),
            title: setup.second_name(),
            body: self.make_step(&format!("setup {}", setup.name.text), body, env, setup.span),
            span: setup.name.span,
        }
    }

    /// The hole of a placing whose heading is wrong.
    pub(crate) fn placing_hole(&mut self, placing: &ast::Placing) -> Statement {
        let kind = self.statement_hole(&mut Env::default(), &[], placing.span);
        Statement { kind, cites: Vec::new(), span: placing.span }
    }

    /// Adds a step of the checker's own.
    pub(crate) fn make_step(&mut self, name: &str, body: Block, env: Env, span: Span) -> StepId {
        let id = StepId((self.steps.len() + self.made_steps.len()) as u32);
        self.made_steps.push(Step {
            name: name.to_owned(),
            params: 0,
            locals: env.locals,
            ty: None,
            body,
            before: 0,
            is_part: false,
            cites: Vec::new(),
            span,
        });
        id
    }

    /// The statements of a placing; also which states they set.
    pub(crate) fn placing(
        &mut self,
        placing: &ast::Placing,
        complete: bool,
    ) -> Option<(Block, Vec<ColumnId>, Env)> {
        let Some(kind) = &placing.kind else { return self.settings(placing) };
        let kind = self.kind_id(kind)?;
        let mut keys = Vec::new();
        for key in &placing.keys {
            let found = (0..self.columns.len()).find(|&i| {
                let column = &self.columns[i];
                column.name == key.text && column.keys == [kind] && matches!(column.role, Role::State { .. })
            });
            match found {
                Some(place) => {
                    let column = Function::Column(ColumnId(place as u32));
                    self.use_function(key.span, column);
                    self.set.insert(ColumnId(place as u32));
                    keys.push(ColumnId(place as u32));
                }
                None => {
                    let names: Vec<String> = self.columns_of(kind).into_keys().collect();
                    let near = self
                        .merged
                        .guesses
                        .near_miss(&key.text, names.iter().map(String::as_str))
                        .map(str::to_owned);
                    let kind = self.kinds[kind.0 as usize].name.clone();
                    let mut diagnostic = Diagnostic::error(
                        "names::unknown",
                        key.span,
                        format!("{kind} has no state `{}`", key.text, kind = Article(&kind)),
                    );
                    if let Some(near) = near {
                        diagnostic = diagnostic.did_you_mean(near);
                    }
                    self.diagnostics.push(diagnostic);
                    return None;
                }
            }
        }
        let mut env = Env::default();
        let mut body = Vec::new();
        let mut given: BTreeMap<u32, Given> = BTreeMap::new();
        let mut others: Option<Others> = None;
        let before = self.diagnostics.len();
        self.placing_lines(
            kind,
            &placing.lines,
            &mut Vec::new(),
            &mut given,
            &mut others,
            &mut env,
            &mut body,
        );
        let mut assigned = assigned(&body);
        let count = self.kinds[kind.0 as usize].things.len() as u32;
        let unplaced: Vec<u32> = (0..count).filter(|thing| !given.contains_key(thing)).collect();
        match others {
            Some((values, span)) => {
                for thing in &unplaced {
                    let (values, cites) = (values.clone(), Vec::new());
                    given.insert(*thing, Given { number: None, values, cites, span, among_others: true });
                }
            }
            // A misspelt name is said where it stands, not again as a thing that is missing.
            None if complete
                && !unplaced.is_empty()
                && !keys.is_empty()
                && self.diagnostics.len() == before =>
            {
                self.say_unplaced(kind, &unplaced, placing);
            }
            None => {}
        }
        let mut placed = Vec::new();
        for (thing, given) in &given {
            self.place(kind, *thing, &keys, given, complete, &mut placed);
        }
        assigned.extend(&keys);
        Some((self.carried_out(placed, body, placing.span), assigned, env))
    }

    /// The statements of a setup that places nothing, likewise.
    fn settings(&mut self, placing: &ast::Placing) -> Option<(Block, Vec<ColumnId>, Env)> {
        let mut env = Env::default();
        let mut body = Vec::new();
        for line in &placing.lines {
            let at = match line {
                PlacingLine::Assign(statement) => {
                    self.setting(statement, &mut env, &mut body);
                    continue;
                }
                PlacingLine::Group { heading: name, .. } => name.span,
                PlacingLine::Others { span, .. } | PlacingLine::Placed { span, .. } => *span,
            };
            self.diagnostics.push(
                Diagnostic::error("setup::place", at, "this setup places nothing")
                    .label("it does not say which states this gives")
                    .help("say it in brackets before the braces: `setup NAME (KIND: STATE) { … }`"),
            );
            return None;
        }
        let assigned = assigned(&body);
        Some((self.carried_out(Vec::new(), body, placing.span), assigned, env))
    }

    /// `STATE := VALUE` in a setup.
    fn setting(&mut self, statement: &ast::Statement, env: &mut Env, body: &mut Block) {
        let block = ast::Block { statements: vec![statement.clone()], span: statement.span };
        body.extend(self.block(env, &block, Around::default()));
    }

    /// Complains of things that a setup does not place: at the setup, or where a later layer brought the thing.
    fn say_unplaced(&mut self, kind: KindId, unplaced: &[u32], placing: &ast::Placing) {
        let home = self.parsed.layer_of(placing.span.source);
        let things = &self.kinds[kind.0 as usize].things;
        let brought = |thing: &&u32| self.parsed.layer_of(things[**thing as usize].span.source) > home;
        let (brought, own): (Vec<&u32>, Vec<&u32>) = unplaced.iter().partition(brought);
        let shown = |unplaced: &[&u32]| {
            blazon_diagnostics::few(8, unplaced.iter().map(|thing| &things[**thing as usize].name), "and")
        };
        let setup = self.merged.setups.iter().find(|setup| setup.placing.span == placing.span);
        let mut said = Vec::new();
        if let (Some(&&first), Some(setup)) = (brought.first(), setup) {
            let (first, name) = (&things[first as usize], &setup.name.text);
            let (thing, opened) = (ast::print::thing(&first.name), ast::print::thing(name));
            let message = format!("the setup `{name}` does not place {}", shown(&brought));
            said.push(
                Diagnostic::error("setup::missing", first.span, message)
                    .label("it stands nowhere at the start")
                    .related(setup.name.span, "the setup")
                    .help(format!("place it beside this: `in setup {opened} {{ {thing}: … }}`")),
            );
        }
        if !own.is_empty() || said.is_empty() {
            let message = format!("the setup does not place {}", shown(&own));
            said.push(
                Diagnostic::error("setup::missing", placing.span, message)
                    .help("place each of them, or add a line `others: …`"),
            );
        }
        self.diagnostics.extend(said);
    }

    #[allow(clippy::too_many_arguments, reason = "what a placing collects")]
    fn placing_lines(
        &mut self,
        kind: KindId,
        lines: &[PlacingLine],
        headings: &mut Vec<Name>,
        given: &mut BTreeMap<u32, Given>,
        others: &mut Option<Others>,
        env: &mut Env,
        body: &mut Block,
    ) {
        for line in lines {
            match line {
                PlacingLine::Others { values, span } => match others {
                    Some((_, first)) => self.others_again(*first, *span),
                    None => *others = Some((under(headings, values), *span)),
                },
                PlacingLine::Group { heading, lines } => {
                    headings.push(heading.clone());
                    self.placing_lines(kind, lines, headings, given, others, env, body);
                    headings.pop();
                }
                PlacingLine::Placed { things, values, cites, span } => {
                    let cites = cited(cites);
                    for (name, number) in things {
                        let Some((_, first)) = self.thing(&name.text, Some(kind), name.span) else {
                            continue;
                        };
                        // Of look-alikes the next that is not placed yet.
                        let things = &self.kinds[kind.0 as usize].things;
                        let group = things[first as usize].group;
                        let free = (0..things.len() as u32)
                            .find(|t| things[*t as usize].group == group && !given.contains_key(t));
                        let Some(thing) = free else {
                            let before = given[&first].span;
                            let there = things.iter().filter(|thing| thing.group == group).count();
                            let message = match there {
                                1 => format!("`{}` is placed twice", name.text),
                                _ => format!("there are only {there} `{}`, and this is one more", name.text),
                            };
                            let mut said = Diagnostic::error("setup::twice", name.span, message);
                            if before != *span {
                                said = said.related(before, "first here");
                            }
                            let is_changed =
                                self.parsed.layer_of(before.source) != self.parsed.layer_of(span.source);
                            self.diagnostics.push(said.help(match there {
                                1 if is_changed => "to place it elsewhere write `replace` before it",
                                1 => "take one of them out",
                                _ => "take it out, or print more of them: `copies` in their table says how many",
                            }));
                            continue;
                        };
                        let values = under(headings, values);
                        let number = number.map(|number| (number, name.span));
                        let (cites, span) = (cites.clone(), *span);
                        given.insert(thing, Given { number, values, cites, span, among_others: false });
                    }
                }
                PlacingLine::Assign(statement) => self.setting(statement, env, body),
            }
        }
    }

    /// The statements that give one thing its states.
    fn place(
        &mut self,
        kind: KindId,
        thing: u32,
        keys: &[ColumnId],
        given: &Given,
        complete: bool,
        out: &mut Vec<Placed>,
    ) {
        let mut values: BTreeMap<ColumnId, Expr> = BTreeMap::new();
        if let Some((number, span)) = given.number {
            let column =
                keys.iter().find(|key| matches!(self.columns[key.0 as usize].ty.base, Base::Number(..)));
            match column {
                Some(column) => {
                    let value = build::number(number, span);
                    self.placed(*column, &value);
                    values.insert(*column, value);
                }
                None => self.diagnostics.push(
                    Diagnostic::error("setup::place", span, "no state listed for this setup is a number")
                        .help("list it in the heading, as in `(block: side, at, strength)`"),
                ),
            }
        }
        for (name, heading) in &given.values {
            let free = |checker: &Self, fits: &dyn Fn(blazon_book::Type) -> bool| {
                keys.iter()
                    .copied()
                    .find(|key| !values.contains_key(key) && fits(checker.columns[key.0 as usize].ty))
            };
            let plain = match name.text.as_str() {
                // What stands in quotes is a name.
                _ if self.parsed.sources.slice(name.span).starts_with('\'') => None,
                "none" => free(self, &|ty| ty.optional).map(|key| {
                    (
                        key,
                        Expr { kind: ExprKind::Absent, ty: self.columns[key.0 as usize].ty, span: name.span },
                    )
                }),
                "yes" | "no" => free(self, &|ty| ty.base == Base::Flag)
                    .map(|key| (key, build::flag(name.text == "yes", name.span))),
                text => text.parse().ok().and_then(|number: i64| {
                    free(self, &|ty| matches!(ty.base, Base::Number(..)))
                        .map(|key| (key, build::number(number, name.span)))
                }),
            };
            if let Some((key, value)) = plain {
                self.placed(key, &value);
                values.insert(key, value);
                continue;
            }
            let column = keys.iter().copied().find(|key| {
                !values.contains_key(key)
                    && match self.columns[key.0 as usize].ty.base {
                        Base::Thing(kind) => self.thing_of(&name.text, kind).is_some(),
                        Base::Flag => self.columns[key.0 as usize].name == name.text,
                        Base::Number(..)
                        | Base::Set(_)
                        | Base::Dice
                        | Base::Die
                        | Base::Text
                        | Base::Point
                        | Base::Permission
                        | Base::Numbers
                        | Base::Nothing
                        | Base::Unknown => false,
                    }
            });
            let Some(column) = column else {
                self.bad_place(kind, thing, keys, name, *heading);
                continue;
            };
            let value = match self.columns[column.0 as usize].ty.base {
                Base::Thing(kind) => {
                    let Some(value) = self.only_thing(&name.text, kind, name.span) else { continue };
                    build::thing(kind, value, name.span)
                }
                Base::Flag
                | Base::Number(..)
                | Base::Set(_)
                | Base::Dice
                | Base::Die
                | Base::Text
                | Base::Point
                | Base::Permission
                | Base::Numbers
                | Base::Nothing
                | Base::Unknown => {
                    self.use_function(name.span, Function::Column(column));
                    build::flag(true, name.span)
                }
            };
            values.insert(column, value);
        }
        for key in keys {
            let given_value = values.remove(key);
            let is_given = given_value.is_some();
            let value = match given_value {
                Some(value) => value,
                None if self.columns[key.0 as usize].lacks_start() => {
                    if complete {
                        self.not_given(kind, thing, *key, given.span);
                    }
                    continue;
                }
                // Things not named one by one keep what `others:` does not say, but are nowhere else any more.
                None if given.among_others && !self.columns[key.0 as usize].ty.optional => continue,
                None => self.start_of(*key, kind, thing, given.span),
            };
            let kind = StatementKind::Assign {
                column: *key,
                keys: vec![build::thing(kind, thing, given.span)],
                op: AssignOp::Set,
                value: Value::Expr(value),
            };
            let statement = Statement { kind, cites: given.cites.clone(), span: given.span };
            out.push(Placed { statement, is_given });
        }
    }

    /// Complains of a number that a state can never be given; once, where several things are given it.
    fn placed(&mut self, column: ColumnId, value: &Expr) {
        if !self.is_said_at(value.span) {
            let (name, ty) = {
                let column = &self.columns[column.0 as usize];
                (format!("`{}`", column.name), column.ty)
            };
            self.given(value, ty, &name);
        }
    }

    /// Complains of a thing that is placed without one of the states that have no start.
    fn not_given(&mut self, kind: KindId, thing: u32, column: ColumnId, span: Span) {
        let known =
            |d: &Diagnostic| d.span == Some(span) && matches!(d.code, "setup::missing" | "setup::place");
        if self.diagnostics.iter().any(known) {
            return;
        }
        let (column, span_of) = {
            let column = &self.columns[column.0 as usize];
            (column.name.clone(), column.span)
        };
        let thing = &self.kinds[kind.0 as usize].things[thing as usize].name;
        self.diagnostics.push(
            Diagnostic::error(
                "setup::missing",
                span,
                format!("the setup does not give `{thing}` its `{column}`"),
            )
            .related(span_of, "it has no start value")
            .help(format!(
                "write it in the line, or in a heading around it, or give `{column}` a start value"
            )),
        );
    }

    fn bad_place(&mut self, kind: KindId, thing: u32, keys: &[ColumnId], name: &Name, heading: bool) {
        let unknown = |key: &ColumnId| self.columns[key.0 as usize].ty.base == Base::Unknown;
        if keys.iter().any(unknown)
            || self.diagnostics.iter().any(|d| d.code == "setup::place" && d.span == Some(name.span))
        {
            return;
        }
        let mut known: Vec<String> = Vec::new();
        let mut kinds: Vec<String> = Vec::new();
        for key in keys {
            if let Base::Thing(kind) = self.columns[key.0 as usize].ty.base {
                let kind = &self.kinds[kind.0 as usize];
                known.extend(kind.things.iter().map(|thing| thing.name.clone()));
                kinds.push(kind.name.clone());
            }
        }
        let what = if heading { "heading" } else { "place" };
        let message = match kinds.is_empty() {
            true => format!("no state that is listed in the heading holds `{}`", name.text),
            false => format!("there is no {} `{}`", blazon_diagnostics::list(&kinds, "or"), name.text),
        };
        let mut diagnostic =
            Diagnostic::error("setup::place", name.span, message).label(format!("no such {what}"));
        let is_set = |key: &&ColumnId| matches!(self.columns[key.0 as usize].ty.base, Base::Set(_));
        if let Some(set) = keys.iter().find(is_set).filter(|_| kinds.is_empty()) {
            let thing = &self.kinds[kind.0 as usize].things[thing as usize].name;
            let state = &self.columns[set.0 as usize].name;
            let help = format!("a set stands in a line of its own: `{thing}.{state} := [ … ]`");
            diagnostic.label = "a line gives no sets".to_owned();
            self.diagnostics.push(diagnostic.help(help));
            return;
        }
        let takes = |fits: fn(Type) -> bool| keys.iter().any(|key| fits(self.columns[key.0 as usize].ty));
        let is_value = match name.text.as_str() {
            "none" => takes(|ty| ty.optional),
            "yes" | "no" => takes(|ty| ty.base == Base::Flag),
            text => text.parse::<i64>().is_ok() && takes(|ty| matches!(ty.base, Base::Number(..))),
        };
        let numbered = keys.iter().find_map(|key| {
            let kind = self.columns[key.0 as usize].ty.base.kind()?;
            self.called_on_grid(&name.text, Some(kind))
        });
        if let Some(meant) = numbered {
            diagnostic = diagnostic
                .help(format!("what has that number is called `{meant}`"))
                .fix(Fix::replace(format!("write `{meant}`"), name.span, meant));
        } else if is_value && self.parsed.sources.slice(name.span).starts_with('\'') {
            let help = format!("what stands in quotes is a name; a value has none: `{}`", name.text);
            diagnostic = diagnostic.help(help);
        } else if let Some(near) = self.merged.guesses.near_miss(&name.text, known.iter().map(String::as_str))
        {
            diagnostic = diagnostic.did_you_mean(near);
        } else {
            let thing = self.kinds[kind.0 as usize].things[thing as usize].name.clone();
            diagnostic = diagnostic
                .help(format!("`{thing}` can be given one value for each state in the setup's heading"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// The start value of a state of one thing.
    fn start_of(&mut self, column: ColumnId, kind: KindId, thing: u32, span: Span) -> Expr {
        let ty = self.columns[column.0 as usize].ty;
        if let Role::State { start: Some(start), .. } = &self.columns[column.0 as usize].role {
            let subject = build::thing(kind, thing, span);
            let (mut value, mut map) =
                (start.value.clone(), HashMap::from([(LocalId(0), Put::Expr(subject))]));
            substitute(&mut value, &mut map, &mut |local| local);
            return value;
        }
        let word = |word| Expr { kind: ExprKind::Word(word), ty, span };
        match ty.base {
            _ if ty.optional => Expr { kind: ExprKind::Absent, ty, span },
            Base::Set(_) => Expr { kind: ExprKind::List(Vec::new()), ty, span },
            Base::Number(lo, hi) => word(0.clamp(lo, hi)),
            Base::Flag
            | Base::Thing(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => word(0),
        }
    }
}

/// The states that statements set.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others set nothing")]
fn assigned(body: &Block) -> Vec<ColumnId> {
    let columns = body.iter().map(|statement| match &statement.kind {
        StatementKind::Assign { column, .. } => Some(*column),
        _ => None,
    });
    columns.flatten().collect()
}
