//! Rules: bases, exceptions, modifiers, permissions and tables.

use std::collections::{HashMap, HashSet};

use blazon_book::build;
use blazon_book::build::NUMBER;
use blazon_book::walk::ExprKey;
use blazon_book::{
    Base, Constant, Exception, Expr, ExprKind, LocalId, Modifier, Rule, RuleBody, RuleId, RuleTable,
    TableRow, Type,
};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;
use indexmap::IndexMap;

use crate::analysis::find_cycles;
use crate::infer::holes::UNKNOWN;
use crate::infer::statements::gaps;
use crate::merge::merged::is_promise;
use crate::references::DefinitionKind;
use crate::resolve::checker::{Checker, Env, Signature, presences};

/// The clauses of a rule that gives a value, as far as they are checked.
#[derive(Default)]
struct Clauses<'r> {
    exceptions: Vec<Exception>,
    modifiers: Vec<Modifier>,
    /// The labels that an exception outranks, and its place.
    beats: Vec<(&'r [ast::Name], usize)>,
    /// Whether one of them is wrong.
    broken: bool,
}

/// What stands before the value of a clause.
#[derive(Clone, Copy)]
enum Sort<'r> {
    /// `except`, and what it outranks.
    Exception(&'r [ast::Name]),
    /// `+` or `-`; whether it takes away.
    Modifier(bool),
}

impl Clauses<'_> {
    /// Keeps a clause of which not all could be typed.
    fn keep(&mut self, clause: &ast::Clause, value: Expr, when: Option<Expr>) {
        let label = clause.label.as_ref().map(|label| label.text.clone()).unwrap_or_default();
        let cites = clause.cites.iter().map(|cite| cite.text.clone()).collect();
        let span = clause.span;
        match &clause.kind {
            ast::ClauseKind::Except { .. } => {
                self.exceptions.push(Exception { label, beats: Vec::new(), value, when, cites, span });
            }
            ast::ClauseKind::Modify { minus, .. } => {
                self.modifiers.push(Modifier { label, minus: *minus, value, when, cites, span });
            }
            ast::ClauseKind::Need { .. } | ast::ClauseKind::Known { .. } => {}
        }
    }
}

impl Checker<'_> {
    /// Checks the body of the rule at a place of the merged tree.
    pub(crate) fn rule(&mut self, place: usize) -> Rule {
        let merged = self.merged;
        let signature = self.rules[place].clone();
        self.checked_rule(&merged.rules[place].rule, signature)
    }

    /// Checks the body of a rule.
    pub(crate) fn checked_rule(&mut self, rule: &ast::Rule, signature: Signature) -> Rule {
        let mut env = Env::default();
        for ((_, ty), param) in signature.params.iter().zip(&rule.params) {
            env.bind_name(&param.name, *ty);
        }
        let params = signature.params.len();
        let (body, complete) = match signature.ty {
            Some(ty) => self.rule_body(&mut env, rule, ty),
            None => self.quietly(|checker| (checker.value_rule(&mut env, rule, UNKNOWN).0, false)),
        };
        let known = self.releases(&mut env, rule);
        self.is_partial |= !complete;
        let last = rule.clauses.last().map_or(rule.span, |clause| clause.span);
        let span = rule.base.as_ref().map_or(rule.span, |base| rule.span.to(base.span)).to(last);
        self.note_scope(&env, span);
        let cites = if complete { self.cites(&rule.cites) } else { self.quietly(|c| c.cites(&rule.cites)) };
        let checked = Rule {
            name: signature.name,
            title: rule.title.as_ref().and_then(ast::Text::plain),
            params,
            locals: env.locals,
            ty: signature.ty.unwrap_or(UNKNOWN),
            known,
            body,
            cites,
            span: rule.span,
        };
        if complete {
            self.rule_range(&checked);
        }
        checked
    }

    /// Where a rule says that its answer is known to all.
    fn releases(&mut self, env: &mut Env, rule: &ast::Rule) -> Vec<blazon_book::Release> {
        let mut releases = Vec::new();
        for clause in &rule.clauses {
            let ast::ClauseKind::Known { when } = &clause.kind else { continue };
            let when = match when {
                None => None,
                Some(written) => {
                    let checked = self.flag(env, written);
                    Some(self.or_hole(env, checked, written, Type::of(Base::Flag)))
                }
            };
            let cites = self.cites(&clause.cites);
            releases.push(blazon_book::Release { when, cites, span: clause.span });
        }
        releases
    }

    /// How a rule is answered; and whether all of it could be typed.
    fn rule_body(&mut self, env: &mut Env, rule: &ast::Rule, ty: Type) -> (RuleBody, bool) {
        if is_promise(rule) {
            self.diagnostics.push(
                Diagnostic::error(
                    "rules::promise",
                    rule.name.span,
                    format!(
                        "the library leaves `{}` to the game, and the game does not say it",
                        rule.name.text
                    ),
                )
                .label("promised here")
                .help(format!("write in the game: `rule {}(…) = …`", rule.name.text)),
            );
            return self.quietly(|checker| (checker.value_rule(env, rule, ty).0, false));
        }
        if ty.base == Base::Permission {
            return (self.permission(env, rule), true);
        }
        if !rule.rows.is_empty() {
            return match self.rule_table(env, rule, ty) {
                Some(table) => (table, true),
                None => (self.table_hole(rule, ty), false),
            };
        }
        self.value_rule(env, rule, ty)
    }

    /// A table of which only what is printed is known.
    fn table_hole(&mut self, rule: &ast::Rule, ty: Type) -> RuleBody {
        let hole = self.empty_hole(ty, Vec::new(), rule.span);
        let Some(across) = rule.params.len().checked_sub(1) else {
            return RuleBody::Value { base: hole, exceptions: Vec::new(), modifiers: Vec::new() };
        };
        RuleBody::Table(RuleTable {
            leading: Vec::new(),
            across: LocalId(across as u32),
            headings: Vec::new(),
            rows: Vec::new(),
            printed: printed(rule),
        })
    }

    /// Titles belong to tables, and each to one.
    pub(crate) fn titles(&mut self) {
        let merged = self.merged;
        let mut seen: HashMap<String, Span> = HashMap::new();
        for rule in merged.rules.iter().map(|rule| &rule.rule) {
            let Some(title) = &rule.title else { continue };
            if rule.rows.is_empty() {
                self.diagnostics.push(
                    Diagnostic::error("tables::title", title.span, "only a table has a title")
                        .help("write rows below it, or take the title out"),
                );
                continue;
            }
            let Some(text) = title.plain() else {
                self.diagnostics.push(
                    Diagnostic::error("tables::title", title.span, "a title is the same for every game")
                        .help("write it without braces"),
                );
                continue;
            };
            if let Some(first) = seen.insert(text.to_lowercase(), title.span) {
                self.diagnostics.push(
                    Diagnostic::error(
                        "tables::title",
                        title.span,
                        format!("two tables are titled \"{text}\""),
                    )
                    .related(first, "the other")
                    .help("a table is asked for by its title: give each its own"),
                );
            }
        }
    }

    fn permission(&mut self, env: &mut Env, rule: &ast::Rule) -> RuleBody {
        let mut needs = Vec::new();
        if let Some(base) = &rule.base {
            self.diagnostics.push(
                Diagnostic::error("types::mismatch", base.span, "a permission has no value of its own")
                    .help("write its conditions as `needs label: … else \"…\"`"),
            );
        }
        for clause in &rule.clauses {
            if matches!(clause.kind, ast::ClauseKind::Known { .. }) {
                continue;
            }
            if let Some(mut need) = self.need(env, clause) {
                if need.cites.is_empty() {
                    need.cites = rule.cites.iter().map(|cite| cite.text.clone()).collect();
                }
                let known = presences(&need.condition, true);
                env.know(known);
                if build::constant(&need.condition) != Some(true) {
                    needs.push(need);
                }
            } else {
                needs.push(self.need_hole(env, clause));
            }
        }
        RuleBody::Permission(needs)
    }

    /// A base with its clauses; and whether all of it could be typed.
    fn value_rule(&mut self, env: &mut Env, rule: &ast::Rule, ty: Type) -> (RuleBody, bool) {
        let (base, mut complete) = match &rule.base {
            Some(base) => {
                let checked = self.typed(env, base, ty);
                let complete = checked.is_some();
                (self.or_hole(env, checked, base, ty), complete)
            }
            None => {
                self.error(
                    "rules::promise",
                    rule.name.span,
                    format!("the rule `{}` has clauses but no value", rule.name.text),
                );
                (self.empty_hole(ty, Vec::new(), rule.name.span), false)
            }
        };
        for clause in &rule.clauses {
            let ast::ClauseKind::Except { beats, .. } = &clause.kind else { continue };
            beats.iter().for_each(|name| self.use_label(name, &rule.clauses));
        }
        let mut checked = Clauses::default();
        for clause in &rule.clauses {
            if self.misread_label(env, rule, clause) {
                checked.broken = true;
                self.quietly(|checker| checker.value_clause(env, clause, ty, &mut checked));
            } else {
                self.value_clause(env, clause, ty, &mut checked);
            }
        }
        let Clauses { mut exceptions, modifiers, beats, broken } = checked;
        for (names, place) in beats {
            let outranked = self.outranked(rule, names, place, &exceptions);
            exceptions[place].beats = outranked;
        }
        self.find_beaten(&exceptions);
        self.find_clashes(&exceptions);
        complete &= !broken;
        (RuleBody::Value { base, exceptions, modifiers }, complete)
    }

    /// Checks an exception or a modifier; one that never holds is left out.
    fn value_clause<'r>(
        &mut self,
        env: &mut Env,
        clause: &'r ast::Clause,
        ty: Type,
        checked: &mut Clauses<'r>,
    ) {
        let (sort, value, when) = match &clause.kind {
            ast::ClauseKind::Except { beats, value, when } => (Sort::Exception(beats), value, when),
            ast::ClauseKind::Modify { minus, value, when } => (Sort::Modifier(*minus), value, when),
            ast::ClauseKind::Known { .. } => return,
            ast::ClauseKind::Need { .. } => {
                self.diagnostics.push(
                    Diagnostic::error(
                        "types::mismatch",
                        clause.span,
                        "`needs` belongs to permissions and options",
                    )
                    .help("this rule gives a value: write `except label: … if …`"),
                );
                return;
            }
        };
        let mark = env.mark();
        let (when, holds) = match when {
            None => (None, Some(true)),
            Some(written) => {
                let (Some(when), ruled) = self.ruled_flag(env, written) else {
                    checked.broken = true;
                    let when = self.hole(env, written, Type::of(Base::Flag));
                    let value = self.hole(env, value, ty);
                    checked.keep(clause, value, Some(when));
                    return;
                };
                env.know(presences(&when, true));
                let holds = build::constant(&when);
                if holds == Some(false) && !ruled {
                    self.diagnostics.push(
                        Diagnostic::warning("rules::dead", clause.span, "this clause never holds")
                            .help("mend its condition, or take it out"),
                    );
                }
                (Some(when), holds)
            }
        };
        let cites = self.cites(&clause.cites);
        let want = match sort {
            Sort::Exception(_) => Some(ty),
            Sort::Modifier(_) => self.summand(ty, clause.span),
        };
        let typed = want.and_then(|want| self.typed(env, value, want));
        let Some(value) = typed else {
            checked.broken |= want.is_some();
            let value = self.hole(env, value, want.unwrap_or(UNKNOWN));
            env.back(&mark);
            checked.keep(clause, value, when);
            return;
        };
        env.back(&mark);
        if holds == Some(false) {
            return;
        }
        let label = clause.label.as_ref().map(|label| label.text.clone()).unwrap_or_default();
        let span = clause.span;
        match sort {
            Sort::Exception(names) => {
                checked.beats.push((names, checked.exceptions.len()));
                checked.exceptions.push(Exception { label, beats: Vec::new(), value, when, cites, span });
            }
            Sort::Modifier(minus) => {
                checked.modifiers.push(Modifier { label, minus, value, when, cites, span })
            }
        }
    }

    /// The type of what a modifier adds to a value of a type.
    fn summand(&mut self, ty: Type, span: Span) -> Option<Type> {
        match ty.base {
            Base::Set(_) => Some(ty),
            Base::Number(..) if !ty.optional => Some(Type::of(Base::Number(NUMBER.0, NUMBER.1))),
            Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => {
                self.error("types::mismatch", span, "only numbers and sets can be added to");
                None
            }
        }
    }

    /// The places of the exceptions that one outranks, by their labels.
    fn outranked(
        &mut self,
        rule: &ast::Rule,
        names: &[ast::Name],
        place: usize,
        exceptions: &[Exception],
    ) -> Vec<usize> {
        let mut outranked = Vec::new();
        for name in names {
            let labelled = |clause: &ast::Clause| clause.label.as_ref().is_some_and(|l| l.text == name.text);
            match exceptions.iter().position(|e| e.label == name.text) {
                Some(other) if other != place => outranked.push(other),
                Some(_) => self.error("rules::clash", name.span, "a clause cannot outrank itself"),
                // Its condition may have been decided by a ruling, and then it is gone.
                None if rule.clauses.iter().any(labelled) => {}
                None if self.beaten_is_removed(rule, name) => {}
                None => {
                    let labels = exceptions.iter().map(|e| e.label.as_str());
                    let near = self.merged.guesses.near_miss(&name.text, labels).map(str::to_owned);
                    let mut diagnostic = Diagnostic::error(
                        "names::unknown",
                        name.span,
                        format!("`{}` has no exception `{}` to outrank", rule.name.text, name.text),
                    );
                    if let Some(near) = near {
                        diagnostic = diagnostic.did_you_mean(near);
                    }
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        outranked
    }

    /// Exceptions that outrank each other in a circle: where all of them hold, none would decide.
    fn find_beaten(&mut self, exceptions: &[Exception]) {
        let beats: Vec<Vec<usize>> = exceptions.iter().map(|exception| exception.beats.clone()).collect();
        for circle in find_cycles(&beats) {
            let Some((&last, others)) = circle.split_last() else { continue };
            let names: Vec<String> = others.iter().map(|other| exceptions[*other].label.clone()).collect();
            let message = format!(
                "`{}` outranks itself, by way of {}",
                exceptions[last].label,
                blazon_diagnostics::list(&names, "and")
            );
            let mut said = Diagnostic::error("rules::clash", exceptions[last].span, message)
                .label("where all of these hold, none would decide")
                .help("say of two clauses that can hold together only which of them outranks the other: leave one `beats` out");
            for other in others {
                said = said.related(exceptions[*other].span, format!("`{}`", exceptions[*other].label));
            }
            self.diagnostics.push(said);
        }
    }

    /// Exceptions that surely hold together with different values, without an order. Each is told with the first one
    /// that it clashes with: a page of them would fill a book with pairs.
    fn find_clashes(&mut self, exceptions: &[Exception]) {
        let beaten =
            |(i, e): (usize, &Exception)| e.beats.iter().map(|&b| (i.min(b), i.max(b))).collect::<Vec<_>>();
        let ordered: HashSet<(usize, usize)> = exceptions.iter().enumerate().flat_map(beaten).collect();
        // The exceptions so far that hold whenever a condition does (`None`: always), by their values.
        let mut together: HashMap<Option<ExprKey>, IndexMap<i64, Vec<usize>>> = HashMap::new();
        let mut all: IndexMap<i64, Vec<usize>> = IndexMap::new();
        for (place, exception) in exceptions.iter().enumerate() {
            let ExprKind::Word(value) = exception.value.kind else { continue };
            let when = exception.when.as_ref().map(ExprKey::of);
            let clash = |known: &IndexMap<i64, Vec<usize>>| {
                let others =
                    known.iter().filter(|(other, _)| **other != value).flat_map(|(_, places)| places);
                others.copied().find(|&other| !ordered.contains(&(other, place)))
            };
            let first = match &when {
                None => clash(&all),
                Some(_) => {
                    let found = [&when, &None].map(|key| together.get(key).and_then(clash));
                    found.into_iter().flatten().min()
                }
            };
            if let Some(first) = first {
                self.clash(&exceptions[first], exception);
            }
            all.entry(value).or_default().push(place);
            together.entry(when).or_default().entry(value).or_default().push(place);
        }
    }

    fn clash(&mut self, first: &Exception, second: &Exception) {
        let mend =
            format!("say which outranks the other: `except {} beats {}: …`", label(second), label(first));
        self.diagnostics.push(
            Diagnostic::error(
                "rules::clash",
                second.span,
                "two exceptions hold together and say different things",
            )
            .label("the second")
            .related(first.span, "the first")
            .help(mend),
        );
    }

    fn rule_table(&mut self, env: &mut Env, rule: &ast::Rule, ty: Type) -> Option<RuleBody> {
        let heading = rule.rows.first()?;
        let is_release = |clause: &&ast::Clause| matches!(clause.kind, ast::ClauseKind::Known { .. });
        if let Some(clause) = rule.clauses.iter().find(|clause| !is_release(clause)) {
            self.diagnostics.push(
                Diagnostic::error(
                    "types::mismatch",
                    clause.span,
                    "a rule that is a table has no clauses beside it",
                )
                .help("ask the table from another rule, and write the exceptions and modifiers there"),
            );
        }
        if let Some(value) = &rule.base {
            self.diagnostics.push(
                Diagnostic::error(
                    "types::mismatch",
                    value.span,
                    "a rule that is a table has no value beside it",
                )
                .related(heading.span, "its table")
                .help("the rows say all that it gives: take the value out, or the table"),
            );
        }
        let params: Vec<(String, Type)> = rule
            .params
            .iter()
            .zip(&env.locals)
            .map(|(param, local)| (param.name.text.clone(), local.ty))
            .collect();
        let mut leading: Vec<LocalId> = Vec::new();
        for cell in &heading.cells {
            match params.iter().position(|(name, _)| *name == cell.text) {
                Some(place) if leading.len() < params.len() => {
                    self.uses.note(cell.span, DefinitionKind::Variable, rule.params[place].name.span);
                    leading.push(LocalId(place as u32));
                }
                _ => break,
            }
        }
        let Some((across_name, across_ty)) = params.last().cloned() else {
            self.error("tables::columns", heading.span, "a table needs parameters to be read by");
            return None;
        };
        let one_column = leading.len() == params.len();
        let across = LocalId(params.len() as u32 - 1);
        let mut headings = Vec::new();
        if one_column {
            // All parameters lead; the single other column holds the value.
            headings.push((i64::MIN + 1, i64::MAX));
        } else {
            for cell in &heading.cells[leading.len()..] {
                headings.push(self.range_cell(cell, &across_name, across_ty)?);
            }
            self.table_cover(&headings, across_ty, &across_name, heading.span);
        }
        let mut rows = Vec::new();
        let mut complete = true;
        for row in &rule.rows[1..] {
            if row.cells.len() != heading.cells.len() {
                self.row_length(row, heading);
                complete = false;
                continue;
            }
            let mut ranges = Vec::new();
            for (cell, local) in row.cells.iter().zip(&leading) {
                let (name, ty) = &params[local.0 as usize];
                ranges.push(self.range_cell(cell, name, *ty)?);
            }
            let mut values = Vec::new();
            for cell in &row.cells[leading.len()..] {
                let value = self.cell(&cell.text, ty, cell.span, None)?;
                if value == Constant::Absent && !ty.optional {
                    self.error(
                        "tables::gap",
                        cell.span,
                        "this cell is blank, but the table must give a value",
                    );
                    return None;
                }
                values.push(value);
            }
            rows.push((ranges, values));
        }
        if complete {
            let spans: Vec<Span> = rule.rows[1..].iter().map(|row| row.span).collect();
            self.rows_cover(&leading, &params, &rows, &spans, heading.span);
        }
        Some(RuleBody::Table(RuleTable { leading, across, headings, rows, printed: printed(rule) }))
    }

    pub(crate) fn row_length(&mut self, row: &ast::Row, heading: &ast::Row) {
        self.diagnostics.push(
            Diagnostic::error(
                "tables::columns",
                row.span,
                format!(
                    "this row has {}, but the heading has {}",
                    cells(row.cells.len()),
                    heading.cells.len()
                ),
            )
            .related(heading.span, "the heading")
            .help("every column has a cell, blank if there is nothing to say"),
        );
    }

    fn universe(&self, ty: Type) -> (i64, i64) {
        match ty.base {
            Base::Thing(kind) => (0, self.kinds[kind.0 as usize].things.len() as i64 - 1),
            Base::Number(lo, hi) => (lo, hi),
            Base::Flag
            | Base::Set(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => (0, 1),
        }
    }

    fn table_cover(&mut self, headings: &[(i64, i64)], ty: Type, name: &str, span: Span) {
        for (i, a) in headings.iter().enumerate() {
            if headings[..i].iter().any(|b| a.0 <= b.1 && b.0 <= a.1) {
                self.error(
                    "tables::overlap",
                    span,
                    format!("two columns of the table hold for the same {name}"),
                );
                return;
            }
        }
        let covered: Vec<(i64, i64, Span)> = headings.iter().map(|(a, b)| (*a, *b, span)).collect();
        let gaps = gaps(&[self.universe(ty)], &covered);
        if let Some(gap) = gaps.first() {
            let shown = self.show_range(*gap, ty);
            self.diagnostics.push(
                Diagnostic::error(
                    "tables::gap",
                    span,
                    format!("no column of the table says what holds for {name} {shown}"),
                )
                .help("add a column, or let one be a range such as `6..`"),
            );
        }
    }

    /// Complains if rows overlap, or leave something out. Each row has its span.
    fn rows_cover(
        &mut self,
        leading: &[LocalId],
        params: &[(String, Type)],
        rows: &[TableRow],
        spans: &[Span],
        span: Span,
    ) {
        if let Some((later, earlier)) = overlap(rows) {
            self.diagnostics.push(
                Diagnostic::error(
                    "tables::overlap",
                    spans[later],
                    "this row holds where an earlier one does",
                )
                .label("the later")
                .related(spans[earlier], "the earlier")
                .help("write `replace` before the row to put it in the other's place, or take it out"),
            );
            return;
        }
        // The rows are complete if their number of combinations is that of the universe (they do not overlap).
        let size = |(lo, hi): (i64, i64)| i128::from(hi) - i128::from(lo) + 1;
        let clip = |range: (i64, i64), all: (i64, i64)| (range.0.max(all.0), range.1.min(all.1));
        let universes: Vec<(i64, i64)> =
            leading.iter().map(|l| self.universe(params[l.0 as usize].1)).collect();
        let all: i128 = universes.iter().map(|u| size(*u)).product();
        let have: i128 = rows
            .iter()
            .map(|(ranges, _)| {
                ranges.iter().zip(&universes).map(|(r, u)| size(clip(*r, *u)).max(0)).product::<i128>()
            })
            .sum();
        if have < all {
            let mut help = String::from("add the missing rows");
            if let [local] = leading {
                let covered: Vec<(i64, i64, Span)> =
                    rows.iter().map(|(r, _)| (r[0].0, r[0].1, span)).collect();
                let (name, ty) = &params[local.0 as usize];
                if let Some(gap) = gaps(&[self.universe(*ty)], &covered).first() {
                    help = format!("nothing is said for {name} {}: add a row", self.show_range(*gap, *ty));
                }
            }
            self.diagnostics.push(
                Diagnostic::error("tables::gap", span, "the table does not say everything: rows are missing")
                    .help(help),
            );
        }
    }

    fn show_range(&self, range: (i64, i64), ty: Type) -> String {
        if let Base::Thing(kind) = ty.base {
            let names: Vec<&str> = (range.0..=range.1)
                .filter_map(|i| self.kinds[kind.0 as usize].things.get(i as usize).map(|t| t.name.as_str()))
                .collect();
            return names.join(", ");
        }
        if range.0 == range.1 { range.0.to_string() } else { format!("{}..{}", range.0, range.1) }
    }

    /// The rule of a number.
    pub(crate) fn rule_id(&self, name: &str, params: usize) -> Option<RuleId> {
        let named = self.merged.rules.named(name).iter().copied();
        named
            .filter(|&place| self.rules[place].params.len() == params)
            .map(|place| RuleId(place as u32))
            .next()
    }
}

fn cells(count: usize) -> String {
    if count == 1 { "one cell".to_owned() } else { format!("{count} cells") }
}

/// The rows of a table as they are printed, the heading first.
fn printed(rule: &ast::Rule) -> Vec<Vec<String>> {
    rule.rows.iter().map(|row| row.cells.iter().map(|cell| cell.text.clone()).collect()).collect()
}

/// Two rows that hold for the same, the later first: of the first so many pairs the one that stands first.
///
/// The rows are gone through by what begins first in the column with the most different beginnings, so that each meets
/// only those that reach as far.
fn overlap(rows: &[TableRow]) -> Option<(usize, usize)> {
    const PAIRS: usize = 100;
    let columns = rows.iter().map(|row| row.0.len()).min()?;
    let beginnings = |column: &usize| rows.iter().map(|row| row.0[*column].0).collect::<HashSet<_>>().len();
    let Some(column) = (0..columns).rev().max_by_key(beginnings) else {
        return (rows.len() > 1).then_some((1, 0));
    };
    let meet = |a: &TableRow, b: &TableRow| a.0.iter().zip(&b.0).all(|(x, y)| x.0 <= y.1 && y.0 <= x.1);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&row| rows[row].0[column].0);
    let mut reaching: Vec<usize> = Vec::new();
    let mut pairs = Vec::new();
    for row in order {
        reaching.retain(|&other| rows[other].0[column].1 >= rows[row].0[column].0);
        let met = reaching.iter().filter(|&&other| meet(&rows[row], &rows[other]));
        pairs.extend(met.map(|&other| (row.max(other), row.min(other))).take(PAIRS));
        if pairs.len() >= PAIRS {
            break;
        }
        reaching.push(row);
    }
    pairs.into_iter().min()
}

fn label(exception: &Exception) -> &str {
    if exception.label.is_empty() { "label" } else { &exception.label }
}

/// Whether two expressions are the same, wherever they stand and whatever their own variables are called.
pub(crate) fn same(a: &Expr, b: &Expr) -> bool {
    ExprKey::of(a) == ExprKey::of(b)
}
