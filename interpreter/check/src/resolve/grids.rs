//! Grids: things that lie in staggered columns or rows, or in squares, joined where they touch.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use blazon_book::{self as book, Base, ColumnId, Constant, KindId, Role, Type};
use blazon_diagnostics::{Article, Diagnostic, Span};
use blazon_syntax::ast::{self, Name, Stagger};

use crate::merge::merged::{ColumnDecl, Merged, MergedColumn, MergedKind, first_key};
use crate::resolve::checker::{Checker, Function, Laid};
use crate::resolve::tables::{Cell, Listed};

/// The facts that a grid gives to its things.
pub(crate) const COORDINATES: [&str; 2] = ["across", "down"];

/// Adds the coordinates' columns to the book: a fact `across` and a fact `down` of each kind that a grid lays out.
pub(crate) fn add_coordinates(merged: &mut Merged, diagnostics: &mut Vec<Diagnostic>) {
    let mut laid: Vec<String> = Vec::new();
    for grid in &merged.grids.clone() {
        let Some(number) = number_of(merged, grid) else { continue };
        let Some(optional) = number_type(number).map(|ty| ty.optional) else { continue };
        let Some(owner) = number.owner.clone().or_else(|| match &number.decl {
            ColumnDecl::Fact(fact) => fact.keys.first().cloned(),
            ColumnDecl::State(_) => None,
        }) else {
            continue;
        };
        let layer = number.layer;
        if laid.contains(&owner.text) {
            continue; // A second grid of a kind: said where it is laid out.
        }
        laid.push(owner.text.clone());
        for name in COORDINATES {
            let taken = merged
                .columns
                .iter()
                .find(|old| old.decl.name().text == name && first_key(old).as_deref() == Some(&owner.text));
            if let Some(old) = taken {
                diagnostics.push(
                    Diagnostic::error(
                        "names::twice",
                        old.decl.name().span,
                        format!("the grid gives each {} a fact `{name}`", owner.text),
                    )
                    .label("declared once more here")
                    .related(grid.span, "the grid")
                    .help("give yours another name"),
                );
                continue;
            }
            let ty = ast::TypeKind::Named(Name { text: "number".to_owned(), span: grid.span });
            let fact = ast::Fact {
                name: Name { text: name.to_owned(), span: grid.span },
                keys: Vec::new(),
                ty: ast::Type { kind: ty, optional, span: grid.span },
                value: None,
                cites: grid.cites.clone(),
                span: grid.span,
            };
            let decl = ColumnDecl::Fact(fact);
            merged.columns.push(MergedColumn { owner: Some(owner.clone()), decl, layer });
        }
    }
}

/// The kind of the things that a kind of links joins.
fn joined<'f>(merged: &'f Merged, links: &str) -> Option<&'f MergedKind> {
    let ends = merged.kinds.iter().find(|kind| kind.name.text == links)?.ends.as_ref()?;
    merged.kinds.iter().find(|kind| kind.name.text == ends.0.text)
}

/// The column of a grid's printed numbers.
fn number_of<'f>(merged: &'f Merged, grid: &ast::Grid) -> Option<&'f MergedColumn> {
    let kind = joined(merged, &grid.kind.text)?;
    merged.columns.iter().find(|column| {
        column.decl.name().text == grid.fact.text && first_key(column).as_deref() == Some(&kind.name.text)
    })
}

/// The type of a fact that holds one number for each thing.
fn number_type(column: &MergedColumn) -> Option<&ast::Type> {
    let ColumnDecl::Fact(fact) = &column.decl else { return None };
    let number = match &fact.ty.kind {
        ast::TypeKind::Range(..) => true,
        ast::TypeKind::Named(name) => name.text == "number",
        ast::TypeKind::SetOf(_) => false,
    };
    let keys = fact.keys.len() + usize::from(column.owner.is_some());
    (number && keys == 1).then_some(&fact.ty)
}

/// A number written in digits, and its place.
fn written_number(value: &ast::Expr) -> Option<(i64, Span)> {
    match value.kind {
        ast::ExprKind::Number(number) => Some((number, value.span)),
        ast::ExprKind::Text(_)
        | ast::ExprKind::Flag(_)
        | ast::ExprKind::None
        | ast::ExprKind::Thing(_)
        | ast::ExprKind::Call(_)
        | ast::ExprKind::Dot(..)
        | ast::ExprKind::Not(_)
        | ast::ExprKind::Binary(..)
        | ast::ExprKind::Rounded(..)
        | ast::ExprKind::Range(..)
        | ast::ExprKind::Otherwise(..)
        | ast::ExprKind::Query(_)
        | ast::ExprKind::List(_) => None,
    }
}

/// How places lie, as the book says it.
fn typed(stagger: Stagger) -> book::Stagger {
    match stagger {
        Stagger::Columns { even } => book::Stagger::Columns { even },
        Stagger::Rows { even } => book::Stagger::Rows { even },
        Stagger::Squares => book::Stagger::Squares,
    }
}

/// The greatest number by which a thing can lie on a grid.
const LAST: i64 = 9_999;
/// And how many digits it has.
const DIGITS: usize = 4;

/// Where the thing of a printed number lies, in doubled coordinates.
fn place(stagger: Stagger, number: i64) -> (i64, i64) {
    let (column, row) = (number.div_euclid(100), number.rem_euclid(100));
    match stagger {
        Stagger::Columns { even } => (column, 2 * row + i64::from((column % 2 == 0) == even)),
        Stagger::Rows { even } => (2 * column + i64::from((row % 2 == 0) == even), row),
        Stagger::Squares => (column, row),
    }
}

/// One of each two opposite ways to a neighbour.
fn ways(stagger: Stagger) -> &'static [(i64, i64)] {
    match stagger {
        Stagger::Columns { .. } => &[(0, 2), (1, -1), (1, 1)],
        Stagger::Rows { .. } => &[(2, 0), (-1, 1), (1, 1)],
        Stagger::Squares => &[(1, 0), (0, 1)],
    }
}

impl<'p> Checker<'p> {
    /// Lays the grids out: declares a link between every two things that touch, and lists their coordinates.
    pub(crate) fn lay_grids(&mut self, listed: &mut Vec<Listed<'p>>) {
        let merged = self.merged;
        for grid in &merged.grids {
            if let Some(laid) = self.lay_grid(grid, listed) {
                self.grids.push(laid);
            }
        }
    }

    fn lay_grid(&mut self, grid: &ast::Grid, listed: &mut Vec<Listed<'p>>) -> Option<Laid> {
        let links = self.kind_id(&grid.kind)?;
        let Some((things, _)) = self.kinds[links.0 as usize].ends else {
            self.diagnostics.push(
                Diagnostic::error(
                    "types::mismatch",
                    grid.kind.span,
                    format!("`{}` is not a kind of links", grid.kind.text),
                )
                .help(format!("declare it as `kind {} = hex - hex`", grid.kind.text)),
            );
            return None;
        };
        if let Some(old) = self.grids.iter().position(|old| old.things == things || old.links == links) {
            let first = self.grids[old].span;
            let name = self.kinds[things.0 as usize].name.clone();
            self.diagnostics.push(
                Diagnostic::error("names::twice", grid.span, format!("a second grid of the kind `{name}`"))
                    .related(first, "the first")
                    .help("a thing lies on one grid: keep one of the two"),
            );
            return None;
        }
        let column = self.numbers_of(grid, things)?;
        self.refuse_worked_out(column, things, listed);
        let numbers = self.printed_numbers(column, things, listed);
        let mut laid = Laid {
            links,
            things,
            on: vec![false; numbers.len()],
            numbered: HashMap::new(),
            left_out: Vec::new(),
            stagger: grid.stagger,
            fact: grid.fact.text.clone(),
            span: grid.span,
        };
        let mut places: HashMap<(i64, i64), u32> = HashMap::new();
        let mut coordinates = Vec::new();
        let declared = number_type(&self.merged.columns[column]).map(|ty| ty.kind.clone());
        let in_type = |number: i64| match declared {
            Some(ast::TypeKind::Range(lo, hi)) => (lo..=hi).contains(&number),
            Some(ast::TypeKind::Named(_) | ast::TypeKind::SetOf(_)) | None => true,
        };
        let (mut failed, mut beyond) = (false, 0);
        for (thing, number) in numbers.iter().enumerate() {
            let Some((number, span)) = *number else { continue };
            // Six digits may say no more than four, with a nought before both: it is read otherwise than it is printed.
            let digits = self.parsed.sources.slice(span).bytes().filter(u8::is_ascii_digit).count();
            if !(0..=LAST).contains(&number) || digits > DIGITS {
                // Of a map of three digits each all numbers are such, or nearly. What is not of its type is told as that.
                if beyond < 3 && in_type(number) {
                    self.beyond(things, thing, span);
                }
                (failed, beyond) = (true, beyond + 1);
                continue;
            }
            let (across, down) = place(grid.stagger, number);
            match laid.numbered.entry(number) {
                Entry::Occupied(old) => {
                    let old = *old.get();
                    self.same_number(things, (old, thing as u32), number, span, numbers[old as usize]);
                    failed = true;
                }
                Entry::Vacant(free) => {
                    free.insert(thing as u32);
                    laid.on[thing] = true;
                    places.insert((across, down), thing as u32);
                    coordinates.push((thing as u32, across, down));
                }
            }
        }
        self.refuse_coordinates(things, listed);
        if failed || self.lacks_numbers(column, &numbers) {
            // That is said; what would be said of coordinates only follows from it.
            self.blank_coordinates(things, grid.span, numbers.len(), listed);
        }
        for (thing, across, down) in &coordinates {
            for (name, value) in COORDINATES.iter().zip([across, down]) {
                let column = Name { text: (*name).to_owned(), span: grid.span };
                let cell = Cell::Number(*value);
                listed.push(Listed { kind: things, thing: *thing, column, cell, span: grid.span });
            }
        }
        for (thing, across, down) in coordinates {
            for (right, below) in ways(grid.stagger) {
                let Some(other) = places.get(&(across + right, down + below)).copied() else { continue };
                let key = (links, thing.min(other), thing.max(other));
                if self.without.contains(&key) {
                    laid.left_out.push(key);
                    continue;
                }
                let names = &self.kinds[things.0 as usize].things;
                let name = format!("{} - {}", names[thing as usize].name, names[other as usize].name);
                let link = self.add_thing(links, &name, Some((thing, other)), grid.span);
                self.links.insert(key, link);
            }
        }
        if !failed {
            self.astray(&laid, &numbers);
        }
        Some(laid)
    }

    /// Complains of a number that has not two digits for the column and two for the row.
    fn beyond(&mut self, kind: KindId, thing: usize, span: Span) {
        let name = &self.kinds[kind.0 as usize].things[thing].name;
        let number = self.parsed.sources.slice(span).trim_matches(['|', ' ']).to_owned();
        let message = format!(
            "`{name}` has the number {number}, and a grid reads four digits: column and row, two each"
        );
        self.diagnostics.push(
            Diagnostic::error("grid::number", span, message)
                .help("give each place such a number, in a fact of its own if the printed one is longer"),
        );
    }

    /// Warns of places whose number looks wrong: those that touch no other, where most do, and those whose name is another
    /// number, where names mostly are the numbers.
    fn astray(&mut self, laid: &Laid, numbers: &[Option<(i64, Span)>]) {
        let names = &self.kinds[laid.things.0 as usize].things;
        let on = || numbers.iter().enumerate().filter_map(|(thing, number)| Some((thing, (*number)?)));
        let named = |thing: usize| {
            let name = &names[thing].name;
            name.bytes().all(|sign| sign.is_ascii_digit()).then(|| name.parse::<i64>().ok()).flatten()
        };
        let other =
            |(thing, (number, _)): &(usize, (i64, Span))| named(*thing).is_some_and(|name| name != *number);
        let called = on().filter(|(thing, _)| named(*thing).is_some()).count();
        let are_numbers = on().filter(&other).count() * 2 < called;
        let links = &self.kinds[laid.links.0 as usize].things;
        let joined =
            links.iter().filter_map(|link| link.ends).chain(laid.left_out.iter().map(|key| (key.1, key.2)));
        let joined: HashSet<usize> = joined.flat_map(|(a, b)| [a as usize, b as usize]).collect();
        let most_touch = joined.len() * 2 > on().count();
        let mut found = Vec::new();
        for place in on() {
            let (thing, (number, span)) = place;
            let name = &names[thing].name;
            let message = if are_numbers && other(&place) {
                format!("`{name}` has another number, {number:04}")
            } else if most_touch && !joined.contains(&thing) {
                format!("`{name}` touches no other place of its grid: its number is {number:04}")
            } else {
                continue;
            };
            let said = Diagnostic::warning("grid::astray", span, message);
            found.push(
                said.help("is the number misprinted? The first digits are the column, the last two the row"),
            );
        }
        found.into_iter().for_each(|said| self.warn(said));
    }

    /// The column of the printed numbers, checked.
    fn numbers_of(&mut self, grid: &ast::Grid, things: KindId) -> Option<usize> {
        let merged = self.merged;
        let kind = self.kinds[things.0 as usize].name.clone();
        let of_kind = |column: &&MergedColumn| first_key(column).as_deref() == Some(kind.as_str());
        let found = merged
            .columns
            .iter()
            .position(|column| of_kind(&column) && column.decl.name().text == grid.fact.text);
        let Some(found) = found else {
            let names = merged.columns.iter().filter(of_kind).map(|column| column.decl.name().text.as_str());
            let near = self.merged.guesses.near_miss(&grid.fact.text, names).map(str::to_owned);
            let mut diagnostic = Diagnostic::error(
                "names::unknown",
                grid.fact.span,
                format!("{kind} has no fact `{}`", grid.fact.text, kind = Article(&kind)),
            );
            diagnostic = match near {
                Some(near) => diagnostic.did_you_mean(near),
                None => diagnostic
                    .help(format!("declare it: `kind {kind} {{ fact {}: 0..9999? }}`", grid.fact.text)),
            };
            self.diagnostics.push(diagnostic);
            return None;
        };
        self.use_function(grid.fact.span, Function::Column(ColumnId(found as u32)));
        if number_type(&merged.columns[found]).is_none() {
            let span = merged.columns[found].decl.name().span;
            self.diagnostics.push(
                Diagnostic::error(
                    "types::mismatch",
                    grid.fact.span,
                    format!("`{}` is not a fact that holds a number for each {kind}", grid.fact.text),
                )
                .related(span, "declared here")
                .help("a grid is laid out by printed numbers: four digits, the column and the row"),
            );
            return None;
        }
        Some(found)
    }

    /// What is printed in the number's column, by thing. What no number is said to be wrong where facts are filled; what
    /// would have to be worked out first is said to be wrong where the grid is laid out.
    fn printed_numbers(
        &self,
        column: usize,
        kind: KindId,
        listed: &[Listed<'p>],
    ) -> Vec<Option<(i64, Span)>> {
        let merged = self.merged;
        let ColumnDecl::Fact(fact) = &merged.columns[column].decl else { return Vec::new() };
        let all = fact.value.as_ref().and_then(written_number);
        let mut numbers: Vec<Option<(i64, Span)>> = vec![all; self.kinds[kind.0 as usize].things.len()];
        for cell in listed.iter().filter(|cell| cell.kind == kind && cell.column.text == fact.name.text) {
            numbers[cell.thing as usize] = match &cell.cell {
                Cell::Text(text) => text.parse().ok().map(|number| (number, cell.span)),
                Cell::Value(value) => written_number(value),
                Cell::Number(number) => Some((*number, cell.span)),
            };
        }
        for change in merged.fact_values.iter().filter(|change| change.name.text == fact.name.text) {
            if let ([of], [value]) = (&change.args[..], change.put())
                && let Some(thing) = self.key_of(of, kind)
            {
                numbers[thing as usize] = written_number(value);
            }
        }
        numbers
    }

    /// Complains of numbers that are written as more than digits: a grid is laid out before anything is worked out.
    fn refuse_worked_out(&mut self, column: usize, kind: KindId, listed: &[Listed<'p>]) {
        let merged = self.merged;
        let ColumnDecl::Fact(fact) = &merged.columns[column].decl else { return };
        let fixed = listed.iter().filter_map(|cell| match cell.cell {
            Cell::Value(value) if cell.kind == kind && cell.column.text == fact.name.text => Some(value),
            Cell::Value(_) | Cell::Text(_) | Cell::Number(_) => None,
        });
        let anew = merged.fact_values.iter().filter(|change| change.name.text == fact.name.text);
        let written = fact.value.iter().chain(fixed).chain(anew.flat_map(|change| change.put()));
        for value in written {
            if written_number(value).is_none() && !matches!(value.kind, ast::ExprKind::None) {
                self.diagnostics.push(
                    Diagnostic::error("tables::cell", value.span, "this number is not written in digits")
                        .help("a grid is laid out by printed numbers: four digits, the column and the row"),
                );
            }
        }
    }

    /// Whether a number is blank that may not be.
    fn lacks_numbers(&self, column: usize, numbers: &[Option<(i64, Span)>]) -> bool {
        let optional = number_type(&self.merged.columns[column]).is_some_and(|ty| ty.optional);
        !optional && numbers.iter().any(Option::is_none)
    }

    fn blank_coordinates(&self, kind: KindId, span: Span, things: usize, listed: &mut Vec<Listed<'p>>) {
        for thing in 0..things as u32 {
            for name in COORDINATES {
                let column = Name { text: name.to_owned(), span };
                listed.push(Listed { kind, thing, column, cell: Cell::Number(0), span });
            }
        }
    }

    /// The things of grids by their printed numbers, before the grids are laid out.
    pub(crate) fn numbered(&self, listed: &[Listed<'p>]) -> HashMap<KindId, HashMap<i64, u32>> {
        let mut all = HashMap::new();
        for grid in &self.merged.grids {
            let links = self.kind_names.get(&grid.kind.text);
            let Some((things, _)) = links.and_then(|links| self.kinds[links.0 as usize].ends) else {
                continue;
            };
            let kind = self.kinds[things.0 as usize].name.as_str();
            let column = self.merged.columns.iter().position(|column| {
                first_key(column).as_deref() == Some(kind) && column.decl.name().text == grid.fact.text
            });
            let Some(column) = column else { continue };
            let numbers = self.printed_numbers(column, things, listed);
            let by_number = (0..).zip(numbers).filter_map(|(thing, number)| Some((number?.0, thing)));
            all.insert(things, by_number.collect());
        }
        all
    }

    fn same_number(
        &mut self,
        kind: KindId,
        (first, second): (u32, u32),
        number: i64,
        span: Span,
        before: Option<(i64, Span)>,
    ) {
        let names = &self.kinds[kind.0 as usize].things;
        let (first, second) = (&names[first as usize].name, &names[second as usize].name);
        let mut diagnostic = Diagnostic::error(
            "grid::number",
            span,
            format!("`{first}` and `{second}` have one number, {number:04}"),
        )
        .help("each place of a grid has a number of its own");
        if let Some((_, before)) = before {
            diagnostic = diagnostic.related(before, format!("`{first}`"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Coordinates are worked out: no table may give them.
    fn refuse_coordinates(&mut self, kind: KindId, listed: &mut Vec<Listed<'p>>) {
        let given = |cell: &Listed<'_>| cell.kind == kind && COORDINATES.contains(&cell.column.text.as_str());
        if let Some(cell) = listed.iter().find(|cell| given(cell)) {
            self.diagnostics.push(
                Diagnostic::error(
                    "tables::columns",
                    cell.column.span,
                    format!("`{}` is worked out by the grid: it is not printed", cell.column.text),
                )
                .help("take the column out of the table"),
            );
        }
        listed.retain(|cell| !given(cell));
    }

    /// The grid that a kind of links belongs to.
    pub(crate) fn grid_of(&self, links: KindId) -> Option<&Laid> {
        self.grids.iter().find(|grid| grid.links == links)
    }

    /// Says that two things of a grid do not touch, and what the first of them touches.
    pub(crate) fn apart(&mut self, links: KindId, (from, to): (u32, u32), span: Span) {
        let Some((ends, _)) = self.kinds[links.0 as usize].ends else { return };
        let name = |thing: u32| self.kinds[ends.0 as usize].things[thing as usize].name.clone();
        let mut touched: Vec<u32> = self.kinds[links.0 as usize]
            .things
            .iter()
            .filter_map(|link| match link.ends {
                Some((a, b)) if a == from => Some(b),
                Some((a, b)) if b == from => Some(a),
                _ => None,
            })
            .collect();
        touched.sort_unstable();
        let touched: Vec<String> = touched.into_iter().map(name).collect();
        let help = match &touched[..] {
            [] => format!("`{}` touches nothing on the grid", name(from)),
            touched => format!("`{}` touches {}", name(from), blazon_diagnostics::list(touched, "and")),
        };
        let message = format!("`{}` and `{}` do not touch on the grid", name(from), name(to));
        self.diagnostics.push(Diagnostic::error("grid::apart", span, message).help(help));
    }

    /// The grids as the book keeps them.
    pub(crate) fn book_grids(&mut self) -> Vec<book::Grid> {
        let column = |checker: &Self, kind: KindId, name: &str| {
            let found = checker.columns.iter().position(|c| c.name == name && c.keys == [kind])?;
            Some(ColumnId(found as u32))
        };
        let mut grids = Vec::new();
        for laid in self.grids.clone() {
            let [across, down] = COORDINATES.map(|name| column(self, laid.things, name));
            let number = column(self, laid.things, &laid.fact);
            let (Some(number), Some(across), Some(down)) = (number, across, down) else { continue };
            grids.push(book::Grid {
                links: laid.links,
                things: laid.things,
                number,
                across,
                down,
                stagger: typed(laid.stagger),
            });
        }
        grids
    }

    /// Makes the types of coordinates as narrow as what they hold.
    pub(crate) fn narrow_coordinates(&mut self) {
        for kind in self.grids.iter().map(|grid| grid.things) {
            for column in &mut self.columns {
                let Role::Fact(values) = &column.role else { continue };
                if column.keys != [kind] || !COORDINATES.contains(&column.name.as_str()) {
                    continue;
                }
                let words = values.iter().filter_map(|value| match value {
                    Constant::Word(word) => Some(*word),
                    Constant::Absent | Constant::Set(_) | Constant::Text(_) | Constant::Point(..) => None,
                });
                if let Some((lo, hi)) = words.clone().min().zip(words.max()) {
                    column.ty = Type { base: Base::Number(lo, hi), optional: column.ty.optional };
                }
            }
        }
    }
}
