//! Tables: rows become things, cells become printed values.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use blazon_book::{Base, ColumnId, Constant, KindId, Role, Type};
use blazon_diagnostics::{Article, Diagnostic, Fix, Span, did_you_mean};
use blazon_syntax::ast::{self, Name};

use crate::merge::merged::{ColumnDecl, printed_name};
use crate::resolve::checker::{Checker, Function};
use crate::resolve::constants::ordered;

/// The most values of one fact or state: as many flags as a position may take.
const MOST_ENTRIES: usize = 1 << 22;

/// A printed value, before its column is known to be right.
#[derive(Clone, Debug)]
pub(crate) struct Listed<'p> {
    pub kind: KindId,
    pub thing: u32,
    /// The heading, perhaps with a key in brackets: `loyalty(Red)`.
    pub column: Name,
    pub cell: Cell<'p>,
    pub span: Span,
}

/// What is printed.
#[derive(Clone, Debug)]
pub(crate) enum Cell<'p> {
    /// The text of a table's cell, read by the type of its column.
    Text(String),
    /// The expression of a fixed column.
    Value(&'p ast::Expr),
    /// A number that a grid works out.
    Number(i64),
}

impl<'p> Checker<'p> {
    /// Takes the things of a table, and its cells for later.
    pub(crate) fn list_table(&mut self, table: &'p ast::Table, kind: KindId, listed: &mut Vec<Listed<'p>>) {
        if let Some((heading, rows)) = table.rows.split_first() {
            if heading.cells.first().is_none_or(|cell| cell.text != "name") {
                let span = heading.cells.first().map_or(heading.span, |cell| cell.span);
                self.diagnostics.push(
                    Diagnostic::error(
                        "tables::columns",
                        span,
                        "the first column of a table of things is `name`",
                    )
                    .help("begin the heading row with `| name | …`"),
                );
                return;
            }
            for row in rows {
                if row.cells.len() != heading.cells.len() {
                    self.row_length(row, heading);
                    continue;
                }
                let copies = heading
                    .cells
                    .iter()
                    .position(|cell| cell.text == "copies")
                    .map(|place| &row.cells[place])
                    .filter(|cell| !cell.text.is_empty());
                let copies = match copies.map(|cell| (cell.text.parse::<u32>(), cell.span)) {
                    None => 1,
                    Some((Ok(n), _)) if (1..=1000).contains(&n) => n,
                    Some((_, span)) => {
                        self.error("tables::cell", span, "`copies` is a number from 1 to 1000");
                        1
                    }
                };
                let Some(first) = self.row_thing(kind, &row.cells[0], copies) else { continue };
                self.check_cites(&row.cites);
                for copy in 0..copies {
                    for (column, cell) in heading.cells.iter().zip(&row.cells).skip(1) {
                        if column.text != "copies" && !cell.text.is_empty() {
                            listed.push(Listed {
                                kind,
                                thing: first + copy,
                                column: column.clone(),
                                cell: Cell::Text(cell.text.clone()),
                                span: cell.span,
                            });
                        }
                    }
                    self.fixed_cells(table, kind, first + copy, listed);
                }
            }
        }
        for row in &table.named_rows {
            let cells: Vec<(Name, String)> =
                row.cells.iter().map(|cell| self.split_named_cell(kind, cell)).collect();
            let copies = cells.iter().find(|(column, _)| column.text == "copies");
            let copies = copies.and_then(|(_, text)| text.parse().ok()).unwrap_or(1_u32).clamp(1, 1000);
            let Some(first) = self.row_thing(kind, &row.thing, copies) else { continue };
            self.check_cites(&row.cites);
            for thing in first..first + copies {
                self.fixed_cells(table, kind, thing, listed);
                for (column, text) in cells.iter().filter(|(column, _)| column.text != "copies") {
                    let (column, cell) = (column.clone(), Cell::Text(text.clone()));
                    listed.push(Listed { kind, thing, span: column.span, column, cell });
                }
            }
        }
        let overridden: Vec<ast::NamedRow> = self
            .merged
            .overrides
            .iter()
            .filter(|(name, _)| *name == table.kind.text)
            .map(|(_, row)| row.clone())
            .collect();
        for row in overridden {
            // Each is applied once, with the first table of its kind that lists the thing.
            let Some(thing) = self.thing_of(row.thing.text.trim_matches('\''), kind) else { continue };
            self.use_thing(row.thing.span, kind, thing);
            for cell in &row.cells {
                let (column, text) = self.split_named_cell(kind, cell);
                for thing in self.named_alike(kind, thing) {
                    let (column, cell, span) = (column.clone(), Cell::Text(text.clone()), cell.span);
                    listed.push(Listed { kind, thing, span, column, cell });
                }
            }
        }
    }

    fn fixed_cells(&mut self, table: &'p ast::Table, kind: KindId, thing: u32, listed: &mut Vec<Listed<'p>>) {
        for (column, value) in &table.fixed {
            let (column, cell, span) = (column.clone(), Cell::Value(value), value.span);
            listed.push(Listed { kind, thing, column, cell, span });
        }
    }

    /// The thing of a row: new, or one that the kind lists already.
    fn row_thing(&mut self, kind: KindId, name: &Name, copies: u32) -> Option<u32> {
        if name.text.is_empty() {
            self.error("tables::cell", name.span, "a row needs a name in its first cell");
            return None;
        }
        let bare = name.text.trim_matches('\'').to_owned();
        if let Some(old) = self.thing_of(&bare, kind) {
            // The things that the kind lists come first.
            let listed = self.merged.kinds[kind.0 as usize].things.len();
            if (old as usize) < listed && copies == 1 {
                self.use_thing(name.span, kind, old);
                return Some(old);
            }
            let first = self.kinds[kind.0 as usize].things[old as usize].span;
            self.diagnostics.push(
                Diagnostic::error("names::twice", name.span, format!("`{bare}` stands in the table twice"))
                    .related(first, "first here")
                    .help("write `replace` before it to change what is printed, or give it another name"),
            );
            return None;
        }
        let first = self.add_thing(kind, &bare, None, name.span);
        for _ in 1..copies {
            let copy = self.add_thing(kind, &bare, None, name.span);
            self.kinds[kind.0 as usize].things[copy as usize].group = first;
        }
        Some(first)
    }

    /// `seas North Sea` is the column `seas` with the cell `North Sea`: the longest column's name that begins it.
    fn split_named_cell(&self, kind: KindId, cell: &Name) -> (Name, String) {
        let kind_name = &self.merged.kinds[kind.0 as usize].name.text;
        let length = self.merged.column_of_cell(kind_name, &cell.text).len();
        let text = cell.text[length..].trim();
        let column = Name { text: cell.text[..length].to_owned(), span: cell.span };
        // A flag stands alone.
        (column, if text.is_empty() { "yes".to_owned() } else { text.to_owned() })
    }

    /// How many values a fact or state has: one for each combination of its keys. None, and an error, if they are more
    /// than any position could hold.
    /// `before` counts what those before it take, in words.
    fn number_of_values(&mut self, place: usize, before: &mut usize) -> usize {
        let column = &self.columns[place];
        let sizes = column.keys.iter().map(|key| self.kinds[key.0 as usize].things.len());
        let entries = sizes.fold(1usize, usize::saturating_mul);
        let words = match column.ty.base {
            Base::Set(kind) => self.kinds[kind.0 as usize].things.len().div_ceil(64).max(1),
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
            | Base::Unknown => 1,
        };
        let all = entries.saturating_mul(words).saturating_add(*before);
        if all <= MOST_ENTRIES {
            *before = all;
            return entries;
        }
        let message = match entries > MOST_ENTRIES {
            true => format!("`{}` has more than {MOST_ENTRIES} values", column.name),
            false => {
                format!("with `{}` the facts and states have more than {MOST_ENTRIES} values", column.name)
            }
        };
        let label = match words {
            1 => "one for each combination of its keys",
            _ => "a set for each combination of its keys",
        };
        let found = Diagnostic::error("run::memory", column.span, message)
            .label(label)
            .help("ask it of fewer things at once, or of kinds with fewer things");
        self.diagnostics.push(found);
        0
    }

    /// Puts cells and replaced values into the facts.
    pub(crate) fn fill_facts(&mut self, listed: &[Listed<'p>]) {
        let merged = self.merged;
        // Blank values first.
        let mut wanted: Vec<Vec<Option<Constant>>> = Vec::new();
        let mut words = 0;
        for place in 0..self.columns.len() {
            let size = self.number_of_values(place, &mut words);
            let ty = self.columns[place].ty;
            let blank = match &merged.columns[place].decl {
                ColumnDecl::Fact(fact) => match &fact.value {
                    Some(value) => {
                        let value = self.constant(value, ty, Some(&fact.name.text));
                        Some(value.or(Self::blank(ty)).unwrap_or(Constant::Word(0)))
                    }
                    None => Self::blank(ty),
                },
                ColumnDecl::State(_) => None,
            };
            let is_fact = matches!(self.columns[place].role, Role::Fact(_));
            wanted.push(if is_fact { vec![blank; size] } else { Vec::new() });
        }
        // Where a heading or cell is wrong, that is said; that a value is then missing follows from it.
        let mut wrong_headings = std::collections::BTreeSet::new();
        let mut by_kind: HashMap<KindId, HashMap<String, Vec<ColumnId>>> = HashMap::new();
        for cell in listed {
            let columns = by_kind.entry(cell.kind).or_insert_with(|| self.columns_of(cell.kind));
            let Some((column, entries)) = self.entry_of(cell, columns) else {
                wrong_headings.insert(cell.kind);
                continue;
            };
            if matches!(self.columns[column.0 as usize].role, Role::State { .. }) {
                if self.is_said_at(cell.column.span) {
                    continue; // Said once for the whole column.
                }
                self.diagnostics.push(
                    Diagnostic::error(
                        "tables::columns",
                        cell.column.span,
                        format!("`{}` is a state: it is not printed", cell.column.text),
                    )
                    .help("give it a start value where it is declared, or set it in a setup"),
                );
                continue;
            }
            let ty = self.columns[column.0 as usize].ty;
            let name = Some(cell.column.text.as_str());
            let value = match &cell.cell {
                Cell::Text(text) => self.cell(text, ty, cell.span, name),
                Cell::Value(value) => self.constant(value, ty, name),
                Cell::Number(number) => Some(Constant::Word(*number)),
            };
            if let Some(slots) = wanted[column.0 as usize].get_mut(entries) {
                slots.fill(Some(value.or(Self::blank(ty)).unwrap_or(Constant::Word(0))));
            }
        }
        self.change_facts(&mut wanted);
        for (place, values) in wanted.into_iter().enumerate() {
            if !matches!(self.columns[place].role, Role::Fact(_)) {
                continue;
            }
            let wrong = self.columns[place].keys.first().is_some_and(|kind| wrong_headings.contains(kind));
            let missing = values.iter().position(Option::is_none).filter(|_| !wrong);
            if let Some(missing) = missing {
                let column = &self.columns[place];
                let thing = column.keys.first().and_then(|key| {
                    let rest: usize =
                        column.keys[1..].iter().map(|k| self.kinds[k.0 as usize].things.len()).product();
                    self.kinds[key.0 as usize].things.get(missing / rest.max(1))
                });
                let (name, span) = (column.name.clone(), column.span);
                let mut diagnostic = Diagnostic::error(
                    "tables::cell",
                    thing.map_or(span, |thing| thing.span),
                    match thing {
                        Some(thing) => format!("`{}` has no `{name}`, which may not be blank", thing.name),
                        None => format!("nothing gives the fact `{name}` its value"),
                    },
                )
                .related(span, "declared here");
                diagnostic = diagnostic.help("fill the cell, or add `?` to the type if it may be absent");
                self.diagnostics.push(diagnostic);
            }
            let fallback = |ty: Type| Self::blank(ty).unwrap_or(Constant::Word(0));
            let ty = self.columns[place].ty;
            let values = values.into_iter().map(|value| value.unwrap_or_else(|| fallback(ty))).collect();
            self.columns[place].role = Role::Fact(values);
        }
    }

    /// A thing or a link named by an expression.
    pub(crate) fn key_of(&self, arg: &ast::Expr, kind: KindId) -> Option<u32> {
        let end = self.kinds[kind.0 as usize].ends.map(|ends| ends.0);
        let thing_of = |name: &ast::Expr, kind| self.quiet_thing(&name.as_name()?, kind);
        if let (Some(end), ast::ExprKind::Binary(ast::BinaryOp::Minus, from, to)) = (end, &arg.kind) {
            let (from, to) = (thing_of(from, end)?, thing_of(to, end)?);
            return self.links.get(&(kind, from.min(to), from.max(to))).copied();
        }
        thing_of(arg, kind)
    }

    pub(crate) fn quiet_thing(&self, text: &str, kind: KindId) -> Option<u32> {
        let name = &self.kinds[kind.0 as usize].name;
        self.thing_of(text, kind).or_else(|| self.thing_of(text.strip_suffix(&format!(" ({name})"))?, kind))
    }

    /// The fact of a cell, and for which of its entries the cell holds: of look-alikes for all.
    fn entry_of(
        &mut self,
        cell: &Listed<'_>,
        columns: &HashMap<String, Vec<ColumnId>>,
    ) -> Option<(ColumnId, RangeInclusive<usize>)> {
        let (name, key) = match cell.column.text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, key)) if !columns.contains_key(&cell.column.text) => (name.trim(), Some(key.trim())),
            _ => (cell.column.text.as_str(), None),
        };
        let wanted = 1 + usize::from(key.is_some());
        // What a variant made a state is still printed, under its hidden name.
        let printed = columns.get(&printed_name(name));
        let found = printed
            .or(columns.get(name))
            .and_then(|all| all.iter().copied().find(|id| self.columns[id.0 as usize].keys.len() == wanted));
        let Some(column) = found else {
            let kind = self.kinds[cell.kind.0 as usize].name.clone();
            if self.diagnostics.iter().any(|d| d.span == Some(cell.column.span)) {
                return None; // Said once for the whole column.
            }
            let mut diagnostic = Diagnostic::error(
                "tables::columns",
                cell.column.span,
                format!("{kind} has no fact `{name}`", kind = Article(&kind)),
            );
            if let Some(near) = self.merged.guesses.near_miss(name, columns.keys().map(String::as_str)) {
                // A cell of a named row holds its column's name and its value.
                let start = cell.column.span.start as usize;
                let span = Span::new(cell.column.span.source, start, start + name.len());
                diagnostic = diagnostic.help(did_you_mean(near));
                if self.parsed.sources.slice(span) == name {
                    diagnostic = diagnostic.fix(Fix::rename(span, near));
                }
            } else {
                diagnostic = diagnostic.help(format!("declare it: `kind {kind} {{ fact {name}: … }}`"));
            }
            self.diagnostics.push(diagnostic);
            return None;
        };
        self.use_function(cell.column.span, Function::Column(column));
        let Some(key) = key else { return Some((column, cell.thing as usize..=cell.thing as usize)) };
        let kind = self.columns[column.0 as usize].keys[1];
        let (_, second) = self.thing(key, Some(kind), cell.column.span)?;
        let before = cell.thing as usize * self.kinds[kind.0 as usize].things.len();
        let all = self.named_alike(kind, second);
        Some((column, before + *all.start() as usize..=before + *all.end() as usize))
    }

    /// The value of a cell.
    pub(crate) fn cell(
        &mut self,
        text: &str,
        ty: Type,
        span: Span,
        column: Option<&str>,
    ) -> Option<Constant> {
        if text.is_empty() || text == "none" {
            return self.blank_value(ty, span);
        }
        let wrong = |checker: &mut Self, help: &str| {
            checker.wrong_value(ty, &format!("`{text}` is"), span, column, help);
            None
        };
        match ty.base {
            Base::Flag | Base::Permission => match text {
                "yes" => Some(Constant::Word(1)),
                "no" => Some(Constant::Word(0)),
                _ => wrong(self, "write `yes`, or leave the cell blank"),
            },
            Base::Number(lo, hi) => match text.parse::<i64>() {
                Ok(number) if (lo..=hi).contains(&number) => Some(Constant::Word(number)),
                Ok(_) => wrong(self, "the number lies outside the range of its type"),
                Err(_) => wrong(self, "write a number in digits"),
            },
            Base::Thing(kind) => {
                let thing = self.cell_thing(text, kind, span)?;
                self.is_alone(kind, thing, span).then_some(Constant::Word(i64::from(thing)))
            }
            Base::Set(kind) => {
                let mut things = Vec::new();
                for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                    let thing = self.cell_thing(part, kind, span)?;
                    things.extend(self.named_alike(kind, thing));
                }
                Some(Constant::Set(ordered(things)))
            }
            Base::Text => Some(Constant::Text(text.trim_matches('"').to_owned())),
            Base::Point => {
                let point =
                    text.split_once(',').and_then(|(x, y)| x.trim().parse().ok().zip(y.trim().parse().ok()));
                match point {
                    Some((x, y)) => Some(Constant::Point(x, y)),
                    None => wrong(self, "a point is two numbers: `590, 1590`"),
                }
            }
            Base::Die => match blazon_book::sides_of(text) {
                Some(sides) => Some(Constant::Word(sides)),
                None => wrong(self, "a die is `d6`, `d10` … up to `d255`"),
            },
            Base::Dice | Base::Numbers | Base::Nothing | Base::Unknown => None,
        }
    }

    fn cell_thing(&mut self, text: &str, kind: KindId, span: Span) -> Option<u32> {
        if self.kinds[kind.0 as usize].ends.is_some()
            && let Some((from, to)) = text.split_once(" - ")
        {
            return self.link_named(from.trim(), to.trim(), Some(kind), span).map(|(_, link)| link);
        }
        self.thing(text.trim_matches('\''), Some(kind), span).map(|(_, thing)| thing)
    }
}
