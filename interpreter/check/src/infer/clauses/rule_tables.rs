//! Rules that are tables: their rows and columns, and what these leave out or say twice.

use std::collections::{BTreeSet, HashMap, HashSet};

use blazon_book::{Base, Constant, LocalId, RuleBody, RuleTable, TableRow, Type};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::infer::steps::statements::gaps;
use crate::references::DefinitionKind;
use crate::resolve::checker::Checker;
use crate::resolve::env::Env;

impl Checker<'_> {
    /// A table of which only what is printed is known.
    pub(crate) fn table_hole(&mut self, rule: &ast::Rule, ty: Type) -> RuleBody {
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
            // That there are holes in it is said already.
            let Some(text) = title.plain() else { continue };
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

    pub(crate) fn rule_table(&mut self, env: &mut Env, rule: &ast::Rule, ty: Type) -> Option<RuleBody> {
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
        if rule.params.is_empty() {
            self.error("tables::columns", heading.span, "a table needs parameters to be read by");
        }
        let across = self.across(rule, heading, &leading)?;
        if !self.can_lead(rule, &params) {
            return None;
        }
        let (across_name, across_ty) = params[across.0 as usize].clone();
        let one_column = leading.len() == params.len();
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
            rows.push(TableRow { ranges, values, span: row.span });
        }
        if complete {
            self.rows_cover(&leading, &params, &rows, heading.span);
        }
        Some(RuleBody::Table(RuleTable { leading, across, headings, rows, printed: printed(rule) }))
    }

    /// The parameter that the headings stand for which are no names: the one that no leading column is for. Complains of others
    /// that the table never asks. Nothing if a column is there twice, which is said.
    fn across(&mut self, rule: &ast::Rule, heading: &ast::Row, leading: &[LocalId]) -> Option<LocalId> {
        let of = |place: usize| LocalId(place as u32);
        for (place, local) in leading.iter().enumerate() {
            let Some(first) = leading[..place].iter().position(|other| other == local) else { continue };
            let cell = &heading.cells[place];
            self.diagnostics.push(
                Diagnostic::error("tables::columns", cell.span, format!("`{}` heads two columns", cell.text))
                    .related(heading.cells[first].span, "the other")
                    .help("each parameter leads once"),
            );
            return None;
        }
        let mut unnamed = (0..rule.params.len()).filter(|place| !leading.contains(&of(*place)));
        let across = unnamed.next_back();
        for place in unnamed {
            let (param, last) = (&rule.params[place].name, across.map(|place| &rule.params[place].name.text));
            let last = last.map_or(String::new(), |last| format!("; the other headings stand for `{last}`"));
            self.diagnostics.push(
                Diagnostic::error(
                    "tables::columns",
                    param.span,
                    format!("the table is the same for every `{}`", param.text),
                )
                .related(heading.span, "no column is for it")
                .help(format!(
                    "head a leading column with `{}`, or take the parameter out{last}",
                    param.text
                )),
            );
        }
        across.or(rule.params.len().checked_sub(1)).map(of)
    }

    /// Whether a table can be read by the parameters: by a thing or a number, which are there. Complains of the others.
    fn can_lead(&mut self, rule: &ast::Rule, params: &[(String, Type)]) -> bool {
        let mut can = true;
        for (param, (name, ty)) in rule.params.iter().zip(params) {
            if ty.base == Base::Unknown {
                return false; // That is said already.
            }
            let (message, help) = match (matches!(ty.base, Base::Thing(_) | Base::Number(..)), ty.optional) {
                (true, false) => continue,
                (true, true) => (
                    format!("a table has no place where `{name}` is absent"),
                    "take the `?` away: asked of what may be absent the rule gives nothing where it is, and `otherwise` says \
                     what holds then",
                ),
                (false, _) => (
                    format!("a table is read by things and numbers, and `{name}` is {}", self.show_one(*ty)),
                    "write a rule with a value and `except … if …`, or ask two tables",
                ),
            };
            self.diagnostics.push(Diagnostic::error("types::mismatch", param.ty.span, message).help(help));
            can = false;
        }
        can
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
            .help(match self.is_of_file(row.span) {
                true => "every column has a cell, blank if there is nothing to say; a tab stands between one and the next",
                false => "every column has a cell, blank if there is nothing to say",
            }),
        );
    }

    /// From where to where the values of a type lie, as they are kept; of what has no order as of a flag.
    pub(crate) fn universe(&self, ty: Type) -> (i64, i64) {
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

    /// Complains if rows overlap, or leave something out.
    fn rows_cover(&mut self, leading: &[LocalId], params: &[(String, Type)], rows: &[TableRow], span: Span) {
        if let Some((later, earlier)) = overlap(rows) {
            self.diagnostics.push(
                Diagnostic::error(
                    "tables::overlap",
                    rows[later].span,
                    "this row holds where an earlier one does",
                )
                .label("the later")
                .related(rows[earlier].span, "the earlier")
                .help("write `replace` before the row to put it in the other's place, or take it out"),
            );
            return;
        }
        let universes: Vec<(i64, i64)> =
            leading.iter().map(|l| self.universe(params[l.0 as usize].1)).collect();
        let Some(is_whole) = covers(rows, &universes) else {
            self.diagnostics.push(
                Diagnostic::error(
                    "tables::gap",
                    span,
                    "so many columns with so many values: whether rows are missing cannot be told",
                )
                .help("make several tables of it, of which one rule asks the other"),
            );
            return;
        };
        if !is_whole {
            let mut help = String::from("add the missing rows");
            if let [local] = leading {
                let covered: Vec<(i64, i64, Span)> =
                    rows.iter().map(|row| (row.ranges[0].0, row.ranges[0].1, row.span)).collect();
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
            let things = &self.kinds[kind.0 as usize].things;
            let names = (range.0..=range.1).filter_map(|thing| Some(&things.get(thing as usize)?.name));
            return blazon_diagnostics::list(names, "and");
        }
        if range.0 == range.1 { range.0.to_string() } else { format!("{}..{}", range.0, range.1) }
    }
}

/// Whether rows of which no two hold together leave nothing out: the universes of their columns are parted where a row
/// begins or ends, and the rows have all the parts. Not known if those are too many to be counted.
fn covers(rows: &[TableRow], universes: &[(i64, i64)]) -> Option<bool> {
    if universes.iter().any(|(least, most)| least > most) {
        return Some(true);
    }
    // Where the parts of each column begin, in order.
    let begins: Vec<Vec<i64>> = universes
        .iter()
        .enumerate()
        .map(|(column, &(least, most))| {
            let ranges = rows.iter().map(|row| row.ranges[column]);
            let begins = ranges.flat_map(|(from, to)| [from, to.saturating_add(1)]);
            let begins: BTreeSet<i64> =
                begins.filter(|at| (least..=most).contains(at)).chain([least]).collect();
            begins.into_iter().collect()
        })
        .collect();
    let product = |mut counts: std::slice::Iter<'_, usize>| {
        counts.try_fold(1u128, |all, &count| all.checked_mul(count as u128))
    };
    let counts: Vec<usize> = begins.iter().map(Vec::len).collect();
    let all = product(counts.iter())?;
    let have = rows.iter().try_fold(0u128, |sum, row| {
        let within = |(&(from, to), begins): (&(i64, i64), &Vec<i64>)| {
            let before = |at: i64| begins.partition_point(|begin| *begin < at);
            before(to.saturating_add(1)).saturating_sub(before(from))
        };
        let counts: Vec<usize> = row.ranges.iter().zip(&begins).map(within).collect();
        sum.checked_add(product(counts.iter())?)
    })?;
    Some(have == all)
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
    let columns = rows.iter().map(|row| row.ranges.len()).min()?;
    let beginnings =
        |column: &usize| rows.iter().map(|row| row.ranges[*column].0).collect::<HashSet<_>>().len();
    let Some(column) = (0..columns).rev().max_by_key(beginnings) else {
        return (rows.len() > 1).then_some((1, 0));
    };
    let meet =
        |a: &TableRow, b: &TableRow| a.ranges.iter().zip(&b.ranges).all(|(x, y)| x.0 <= y.1 && y.0 <= x.1);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&row| rows[row].ranges[column].0);
    let mut reaching: Vec<usize> = Vec::new();
    let mut pairs = Vec::new();
    for row in order {
        reaching.retain(|&other| rows[other].ranges[column].1 >= rows[row].ranges[column].0);
        let met = reaching.iter().filter(|&&other| meet(&rows[row], &rows[other]));
        pairs.extend(met.map(|&other| (row.max(other), row.min(other))).take(PAIRS));
        if pairs.len() >= PAIRS {
            break;
        }
        reaching.push(row);
    }
    pairs.into_iter().min()
}
