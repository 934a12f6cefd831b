//! Tables: rows become things, cells become printed values.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;

use blazon_book::{Base, ColumnId, Constant, KindId, Role, Type};
use blazon_diagnostics::{Article, Diagnostic, Fix, Span, did_you_mean};
use blazon_syntax::ast::{self, Name};
use rustc_hash::FxHashMap;

use crate::merge::merged::{ColumnDecl, printed_name};
use crate::project::Layer;
use crate::resolve::checker::{Checker, Function};
use crate::resolve::constants::ordered;

/// The most values of one fact or state: as many flags as a position may take.
const MOST_ENTRIES: usize = 1 << 22;

/// The column that says how many look-alikes a row makes.
const COPIES: &str = "copies";
/// The columns of a table of things that are not facts of theirs: what each is, and what to do without it.
const OWN_COLUMNS: [(&str, &str, &str); 2] = [
    ("name", "in a table it says which thing a row is of", "a thing is shown by its name as it is, `{x}`"),
    (COPIES, "in a table it says how many look-alikes a row makes", "how many there are is asked by `count`"),
];
/// So many things are made by it in a game. Each takes memory before anybody knows whether the book is too large.
const MOST_COPIES: u32 = 100_000;

/// How many look-alikes a row makes, and where that is said.
#[derive(Clone, Copy)]
struct Copies {
    number: u32,
    said: Option<Span>,
}

/// What changes say of `copies`, by the names of the rows that they print anew.
type CopiesAnew<'p> = HashMap<&'p str, (&'p str, Span)>;

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
        self.fact_of_no_column(table);
        let anew = self.copies_anew(&table.kind.text);
        let parsed = self.parsed;
        let of_all = table.fixed.iter().find(|(column, _)| column.text == COPIES);
        let of_all = of_all.map(|(_, number)| (parsed.sources.slice(number.span), number.span));
        if let Some((heading, rows)) = table.rows.split_first() {
            if heading.cells.first().is_none_or(|cell| cell.text != "name") {
                let span = heading.cells.first().map_or(heading.span, |cell| cell.span);
                let help = match self.is_of_file(span) {
                    true => {
                        "begin the file with a line of headings, the first of them `name`, with a tab between one and the next; blanks part nothing"
                    }
                    false => "begin the heading row with `| name | …`",
                };
                self.diagnostics.push(
                    Diagnostic::error(
                        "tables::columns",
                        span,
                        "the first column of a table of things is `name`",
                    )
                    .help(help),
                );
                return;
            }
            let fixed = table.fixed.iter().map(|(column, _)| column);
            self.said_twice(fixed.chain(heading.cells.iter().skip(1)));
            let columns =
                heading.cells.iter().skip(1).map(|cell| cell.text.split('(').next().unwrap_or_default());
            self.headings.extend(columns.map(|column| (kind, column.trim().to_owned())));
            for row in rows {
                if row.cells.len() != heading.cells.len() {
                    self.row_length(row, heading);
                    continue;
                }
                let copies = heading
                    .cells
                    .iter()
                    .position(|cell| cell.text == COPIES)
                    .map(|place| &row.cells[place])
                    .filter(|cell| !cell.text.is_empty());
                let copies = copies.map(|cell| (cell.text.as_str(), cell.span)).or(of_all);
                let copies = self.copies(&anew, &row.cells[0], copies);
                let Some((first, copies)) = self.row_thing(kind, &row.cells[0], copies) else { continue };
                for copy in 0..copies {
                    for (column, cell) in heading.cells.iter().zip(&row.cells).skip(1) {
                        if column.text != COPIES && !cell.text.is_empty() {
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
            let fixed = table.fixed.iter().map(|(column, _)| column);
            self.said_twice(fixed.chain(cells.iter().map(|(column, _)| column)));
            let copies = cells.iter().find(|(column, _)| column.text == COPIES);
            let copies = copies.map(|(column, text)| (text.as_str(), column.span)).or(of_all);
            let copies = self.copies(&anew, &row.thing, copies);
            let Some((first, copies)) = self.row_thing(kind, &row.thing, copies) else { continue };
            for thing in first..first + copies {
                self.fixed_cells(table, kind, thing, listed);
                for (column, text) in cells.iter().filter(|(column, _)| column.text != COPIES) {
                    let (column, cell) = (column.clone(), Cell::Text(text.clone()));
                    listed.push(Listed { kind, thing, span: column.span, column, cell });
                }
            }
        }
    }

    /// Complains of a column that a table or a row by name has twice, or that is said for all rows already: of what stands there
    /// one is never read.
    fn said_twice<'n>(&mut self, columns: impl Iterator<Item = &'n Name>) {
        let mut known: FxHashMap<&str, Span> = FxHashMap::default();
        for column in columns.filter(|column| !column.text.is_empty()) {
            match known.get(column.text.as_str()) {
                Some(&first) if !self.is_said_at(column.span) => self.diagnostics.push(
                    Diagnostic::error(
                        "tables::columns",
                        column.span,
                        format!("`{}` stands twice", column.text),
                    )
                    .related(first, "it stands here, too")
                    .help("take one of the two out: of what they say one would never be read"),
                ),
                Some(_) => {}
                None => {
                    known.insert(&column.text, column.span);
                }
            }
        }
    }

    /// What rows by name print in the place of other values, once all tables have listed their things.
    pub(crate) fn list_overrides(&mut self, listed: &mut Vec<Listed<'p>>) {
        let merged = self.merged;
        for (kind, row) in &merged.overrides {
            let Some(kind) = self.kind_names.get(kind).copied() else { continue };
            let name = row.thing.text.trim_matches('\'');
            let Some(thing) = self.thing_of(name, kind) else {
                self.nothing_to_print(kind, name, row.thing.span);
                continue;
            };
            self.use_thing(row.thing.span, kind, thing);
            for cell in &row.cells {
                let (column, text) = self.split_named_cell(kind, cell);
                if column.text == COPIES {
                    self.copies_of_listed(kind, thing, cell.span);
                    continue; // So many were made where its row was read.
                }
                for thing in self.named_alike(kind, thing) {
                    let (column, cell, span) = (column.clone(), Cell::Text(text.clone()), cell.span);
                    listed.push(Listed { kind, thing, span, column, cell });
                }
            }
        }
    }

    /// Complains of a row that is printed anew and is not there; of one that another change takes out that is said.
    fn nothing_to_print(&mut self, kind: KindId, name: &str, span: Span) {
        if self.merged.removed.iter().any(|removed| removed.name == name) {
            return;
        }
        let kind = &self.kinds[kind.0 as usize];
        let things = kind.things.iter().map(|thing| thing.name.as_str());
        let message = format!("there is no {} `{name}` to change", kind.name);
        let said = Diagnostic::error("amend::missing", span, message).label("not found");
        let said = match self.merged.guesses.near_miss(name, things) {
            Some(near) => said.did_you_mean(near),
            None => said.help("what is changed must exist; to add a row write it without `replace`"),
        };
        self.diagnostics.push(said);
    }

    fn fixed_cells(&mut self, table: &'p ast::Table, kind: KindId, thing: u32, listed: &mut Vec<Listed<'p>>) {
        for (column, value) in table.fixed.iter().filter(|(column, _)| column.text != COPIES) {
            let (column, cell, span) = (column.clone(), Cell::Value(value), value.span);
            listed.push(Listed { kind, thing, column, cell, span });
        }
    }

    /// What changes say of `copies` in rows of a kind, by the names of the rows; of several the last.
    fn copies_anew(&self, kind: &str) -> CopiesAnew<'p> {
        let merged = self.merged;
        let rows = merged.overrides.iter().filter(|(of, _)| of == kind);
        let said = rows.filter_map(|(_, row)| {
            let copies = row.cells.iter().find_map(|cell| {
                let number = cell.text.strip_prefix(COPIES)?.strip_prefix(' ')?;
                Some((number.trim(), cell.span))
            });
            Some((row.thing.text.trim_matches('\''), copies?))
        });
        said.collect()
    }

    /// How many look-alikes a row makes: as many as it says, or as a change of it says instead.
    fn copies(&mut self, anew: &CopiesAnew<'_>, name: &Name, said: Option<(&str, Span)>) -> Copies {
        let changed = anew.get(name.text.trim_matches('\'')).copied();
        let Some((number, span)) = changed.or(said) else { return Copies { number: 1, said: None } };
        match number.parse::<u32>() {
            Ok(number) if (1..=1000).contains(&number) => {
                self.copied = self.copied.saturating_add(number);
                if self.copied > MOST_COPIES {
                    let message = format!("`copies` makes more than {MOST_COPIES} things");
                    self.error("tables::cell", span, message);
                    return Copies { number: 1, said: None };
                }
                Copies { number, said: Some(span) }
            }
            _ => {
                self.error("tables::cell", span, "`copies` is a number from 1 to 1000");
                Copies { number: 1, said: None }
            }
        }
    }

    /// Complains of `copies` of a thing that no row makes.
    fn copies_of_listed(&mut self, kind: KindId, thing: u32, span: Span) {
        if (thing as usize) < self.merged.kinds[kind.0 as usize].things.len() && !self.is_said_at(span) {
            let name = self.kinds[kind.0 as usize].things[thing as usize].name.clone();
            self.no_copies(kind, &name, span);
        }
    }

    fn no_copies(&mut self, kind: KindId, name: &str, span: Span) {
        let declared = &self.merged.kinds[kind.0 as usize];
        let listed = declared.things.iter().find(|thing| thing.text == name);
        let message = format!("`{name}` is listed by its kind, and so there is one of it");
        let mut said = Diagnostic::error("tables::cell", span, message);
        if let Some(listed) = listed {
            said = said.related(listed.span, "listed here");
        }
        self.diagnostics.push(said.help(format!(
            "take it out of the list behind `kind {}`: its row in the table makes it, with `copies`",
            declared.name.text
        )));
    }

    /// `name` and `copies` are no facts: of a kind that has a table no row could ever fill them.
    fn fact_of_no_column(&mut self, table: &ast::Table) {
        let merged = self.merged;
        for (word, means, help) in OWN_COLUMNS {
            let fact = merged.columns.iter().find(|column| {
                matches!(column.decl, ColumnDecl::Fact(_))
                    && column.decl.name().text == word
                    && crate::merge::merged::first_key(column).as_deref() == Some(&table.kind.text)
            });
            let Some(name) = fact.map(|fact| fact.decl.name()) else { continue };
            if !self.is_said_at(name.span) {
                let said =
                    Diagnostic::error("tables::columns", name.span, format!("`{word}` cannot be a fact"));
                self.diagnostics.push(
                    said.label("no row could fill it")
                        .related(table.kind.span, means)
                        .help(format!("take the fact out, or give it another name; {help}")),
                );
            }
        }
    }

    /// Whether a place lies in a file of rows beside a page.
    pub(crate) fn is_of_file(&self, span: Span) -> bool {
        self.parsed.data.iter().any(|(_, _, source)| *source == span.source)
    }

    /// How a thing that has a row already is mended, by where its second row stands.
    fn row_again(&self, kind: KindId, name: &Name) -> String {
        let changed = |item: &ast::Item| match item.kind {
            ast::ItemKind::Amend(_) => {
                item.span.source == name.span.source
                    && (item.span.start..item.span.end).contains(&name.span.start)
            }
            ast::ItemKind::Declaration(_) | ast::ItemKind::Test(_) | ast::ItemKind::Scene(_) => false,
        };
        if self.parsed.files.iter().any(|(_, file)| file.items.iter().any(changed)) {
            return "write `replace` before it to change what is printed, or give it another name".to_owned();
        }
        let kind = &self.kinds[kind.0 as usize].name;
        let thing = ast::print::thing(name.text.trim_matches('\''));
        format!(
            "take one of the rows out, or give it another name; a variant changes what is printed by `in table {kind} {{ replace {thing}: … }}`"
        )
    }

    /// The thing of a row, and how many of it there are: new, or one that the kind lists already.
    fn row_thing(&mut self, kind: KindId, name: &Name, copies: Copies) -> Option<(u32, u32)> {
        if name.text.is_empty() {
            self.error("tables::cell", name.span, "a row needs a name in its first cell");
            return None;
        }
        let bare = name.text.trim_matches('\'').to_owned();
        if let Some(old) = self.thing_of(&bare, kind) {
            // The things that the kind lists come first.
            let listed = self.merged.kinds[kind.0 as usize].things.len();
            if (old as usize) < listed {
                self.use_thing(name.span, kind, old);
                if let Some(span) = copies.said.filter(|_| copies.number > 1)
                    && !self.is_said_at(span)
                {
                    self.no_copies(kind, &bare, span);
                }
                return Some((old, 1));
            }
            let first = self.kinds[kind.0 as usize].things[old as usize].span;
            self.diagnostics.push(
                Diagnostic::error("names::twice", name.span, format!("`{bare}` stands in the table twice"))
                    .related(first, "first here")
                    .help(self.row_again(kind, name)),
            );
            return None;
        }
        let first = self.add_thing(kind, &bare, None, name.span);
        for _ in 1..copies.number {
            let copy = self.add_thing(kind, &bare, None, name.span);
            self.kinds[kind.0 as usize].things[copy as usize].group = first;
        }
        Some((first, copies.number))
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
        let mut wrong_headings = BTreeSet::new();
        let mut given = BTreeSet::new();
        let mut by_kind: HashMap<KindId, BTreeMap<String, Vec<ColumnId>>> = HashMap::new();
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
            given.insert(column.0 as usize);
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
            if !wrong && !given.contains(&place) {
                self.never_given(place, &values);
            }
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
                // Whoever plays by the library cannot change what it declares.
                let is_own = self.parsed.layer_of(span.source) != Some(Layer::Library);
                let help = match self.columns[place].ty.base {
                    _ if !is_own => "fill the cell".to_owned(),
                    Base::Number(lo, hi) => format!(
                        "fill the cell, or say behind the type what holds where it is blank: `= {}`, or `?` if it may be absent",
                        0.clamp(lo, hi)
                    ),
                    Base::Flag
                    | Base::Thing(_)
                    | Base::Set(_)
                    | Base::Dice
                    | Base::Die
                    | Base::Text
                    | Base::Point
                    | Base::Permission
                    | Base::Numbers
                    | Base::Nothing
                    | Base::Unknown => {
                        "fill the cell, or say behind the type what holds where it is blank: `= …`, or `?` if it may be absent".to_owned()
                    }
                };
                diagnostic = diagnostic.help(help);
                self.diagnostics.push(diagnostic);
            }
            let fallback = |ty: Type| Self::blank(ty).unwrap_or(Constant::Word(0));
            let ty = self.columns[place].ty;
            let values = values.into_iter().map(|value| value.unwrap_or_else(|| fallback(ty))).collect();
            self.columns[place].role = Role::Fact(values);
        }
    }

    /// Warns of a fact that is what blank cells are for all things, since no table has a column for it.
    fn never_given(&mut self, place: usize, values: &[Option<Constant>]) {
        let column = &self.columns[place];
        let merged = self.merged;
        let ColumnDecl::Fact(ast::Fact { name, value: None, .. }) = &merged.columns[place].decl else {
            return;
        };
        let blank = match Self::blank(column.ty) {
            Some(Constant::Absent) => "absent",
            Some(Constant::Word(_)) if column.ty.base == Base::Flag => "`no`",
            Some(Constant::Set(_)) => "empty",
            Some(Constant::Word(_) | Constant::Text(_) | Constant::Point(..)) | None => {
                return;
            }
        };
        let is_blank = |value: &Option<Constant>| *value == Self::blank(column.ty);
        let is_changed = merged.fact_values.iter().any(|change| change.name.text == name.text);
        let is_own = merged.columns[place].layer != Layer::Library;
        let is_headed = column.keys.iter().any(|kind| self.headings.contains(&(*kind, name.text.clone())));
        if is_own && !values.is_empty() && values.iter().all(is_blank) && !is_changed && !is_headed {
            let message = format!("no table gives the fact `{}`: it is {blank} for all", name.text);
            let help =
                "write a column for it; or say behind the type what it is where nothing is written, `= …`";
            self.if_right.push(Diagnostic::warning("lint::never-set", name.span, message).help(help));
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
        columns: &BTreeMap<String, Vec<ColumnId>>,
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
            } else if matches!(name, "replace" | "remove") {
                diagnostic = diagnostic.help("each change of a row stands on a line of its own");
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
                Err(_) if ty.optional => {
                    wrong(self, "write a number in digits, or leave the cell blank where there is none")
                }
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
