//! Lists of links: each makes links, or gives the links of a grid their facts.

use std::collections::{HashMap, HashSet};

use blazon_book::KindId;
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{self, Name};

use crate::merge::merged::Scope;
use crate::resolve::checker::Checker;
use crate::resolve::tables::{Cell, Listed};

/// Which link: its kind and its ends, the smaller number first.
type Pair = (KindId, u32, u32);

/// A line of a list, its ends resolved.
struct Entry<'f> {
    from: u32,
    to: u32,
    span: Span,
    /// Columns and cells of its own.
    cells: Vec<(&'f Name, &'f Name)>,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It makes its link.
    Stays,
    /// Another line says its link anew, which keeps this place.
    Moved,
    /// It is taken out.
    Goes,
}

impl<'p> Checker<'p> {
    /// Grids, then the lists.
    pub(crate) fn declare_links(&mut self, listed: &mut Vec<Listed<'p>>) {
        let merged = self.merged;
        let removed = self.removed_pairs(&self.numbered(listed));
        self.without = removed
            .iter()
            .filter(|(_, places)| {
                places.iter().any(|&place| merged.removed_links[place].scope == Scope::Everywhere)
            })
            .map(|(pair, _)| *pair)
            .collect();
        self.lay_grids(listed);
        // What was really taken out; and who gave a fact to a link.
        let mut taken: HashSet<usize> = HashSet::new();
        for places in self.grids.iter().flat_map(|grid| &grid.left_out).filter_map(|pair| removed.get(pair)) {
            taken.extend(
                places.iter().filter(|&&place| merged.removed_links[place].scope == Scope::Everywhere),
            );
        }
        let mut lines = Vec::new();
        for (place, list) in merged.links.iter().enumerate() {
            let Some(kind) = self.kind_id(&list.kind) else { continue };
            let Some((end, _)) = self.kinds[kind.0 as usize].ends else {
                self.diagnostics.push(
                    Diagnostic::error(
                        "types::mismatch",
                        list.kind.span,
                        format!("`{}` is not a kind of links", list.kind.text),
                    )
                    .help("declare it as `kind border = area - area`"),
                );
                continue;
            };
            for entry in self.entries(list, kind, end) {
                let pair = (kind, entry.from.min(entry.to), entry.from.max(entry.to));
                let out: Vec<usize> = removed
                    .get(&pair)
                    .map(|all| all.iter().copied().filter(|&r| self.takes(r, place, entry.span)).collect())
                    .unwrap_or_default();
                let is_moved = |&r: &usize| matches!(merged.removed_links[r].scope, Scope::Replaced(_));
                let fate = match out.is_empty() {
                    _ if merged.moved_links.contains(&entry.span) => Fate::Moved,
                    true => Fate::Stays,
                    false if out.iter().all(is_moved) => Fate::Moved,
                    false => Fate::Goes,
                };
                taken.extend(out);
                lines.push((&**list, pair, entry, fate));
            }
        }
        self.enter_all(&lines, listed);
        for (place, removed) in merged.removed_links.iter().enumerate() {
            if !taken.contains(&place) {
                let name = format!("{} - {}", removed.link.from.text, removed.link.to.text);
                self.diagnostics.push(
                    Diagnostic::error(
                        "amend::missing",
                        removed.link.span,
                        format!("there is no link `{name}` to change"),
                    )
                    .label("not found")
                    .help("what is changed must exist; to add something new, write it at the margin"),
                );
            }
        }
    }

    /// Makes the links of all lines. One that is said anew elsewhere is made where it stood.
    fn enter_all(&mut self, lines: &[(&'p ast::Links, Pair, Entry<'p>, Fate)], listed: &mut Vec<Listed<'p>>) {
        let mut given: HashMap<(u32, u32, String), Span> = HashMap::new();
        let moved = lines.iter().filter(|(.., fate)| *fate == Fate::Moved).map(|(_, pair, ..)| *pair);
        let moved: HashSet<Pair> = moved.collect();
        let mut anew: HashMap<Pair, usize> = HashMap::new();
        for (line, (_, pair, _, fate)) in lines.iter().enumerate() {
            if *fate == Fate::Stays && moved.contains(pair) {
                anew.entry(*pair).or_insert(line);
            }
        }
        let mut made: HashSet<usize> = HashSet::new();
        for (line, (_, pair, _, fate)) in lines.iter().enumerate() {
            let line = match fate {
                Fate::Stays => Some(line),
                Fate::Moved => anew.get(pair).copied(),
                Fate::Goes => None,
            };
            if let Some(line) = line.filter(|line| made.insert(*line)) {
                let (list, pair, entry, _) = &lines[line];
                self.enter(list, *pair, entry, &mut given, listed);
            }
        }
    }

    /// The links that amendments take out, by kind and ends.
    fn removed_pairs(&self, numbered: &HashMap<KindId, HashMap<i64, u32>>) -> HashMap<Pair, Vec<usize>> {
        let mut removed: HashMap<Pair, Vec<usize>> = HashMap::new();
        for (place, change) in self.merged.removed_links.iter().enumerate() {
            for (kind, info) in self.kinds.iter().enumerate() {
                let Some((end, _)) = info.ends else { continue };
                let ends = [&change.link.from, &change.link.to].map(|name| {
                    let number = || numbered.get(&end)?.get(&name.text.parse().ok()?).copied();
                    self.thing_of(&name.text, end).or_else(number)
                });
                if let [Some(a), Some(b)] = ends {
                    removed.entry((KindId(kind as u32), a.min(b), a.max(b))).or_default().push(place);
                }
            }
        }
        removed
    }

    /// Whether a change takes a line out of a list.
    fn takes(&self, change: usize, list: usize, line: Span) -> bool {
        let merged = self.merged;
        match merged.removed_links[change].scope {
            Scope::Everywhere => true,
            Scope::List(only) => only == list,
            Scope::Replaced(by) => {
                let (old, new) = (&merged.links[list], &merged.links[by]);
                let grid = merged.grids.iter().any(|grid| grid.kind.text == old.kind.text);
                let shares =
                    |(name, _): &(Name, ast::Expr)| new.fixed.iter().any(|(n, _)| n.text == name.text);
                old.kind.text == new.kind.text
                    && line != merged.removed_links[change].link.span
                    && (!grid || old.fixed.iter().any(shares))
            }
        }
    }

    /// The lines of a list, rows first.
    fn entries(&mut self, list: &'p ast::Links, kind: KindId, end: KindId) -> Vec<Entry<'p>> {
        let mut entries = Vec::new();
        if let Some((heading, rows)) = list.rows.split_first() {
            let ends: Vec<&str> = heading.cells.iter().take(2).map(|cell| cell.text.as_str()).collect();
            if ends != ["from", "to"] {
                self.diagnostics.push(
                    Diagnostic::error(
                        "tables::columns",
                        heading.cells.first().map_or(heading.span, |cell| cell.span),
                        "the first columns of a list of links are `from` and `to`",
                    )
                    .help(match self.is_of_file(heading.span) {
                        true => "begin the file with a line of headings, the first of them `from` and `to`, with a tab between one and the next; blanks part nothing",
                        false => "begin the heading row with `| from | to | …`",
                    }),
                );
                return entries;
            }
            for row in rows {
                if row.cells.len() != heading.cells.len() {
                    self.row_length(row, heading);
                    continue;
                }
                let span = row.cells[0].span.to(row.cells[1].span);
                let cells = heading.cells.iter().zip(&row.cells).skip(2);
                let cells = cells.filter(|(_, cell)| !cell.text.is_empty()).collect();
                entries.extend(self.entry(kind, end, (&row.cells[0], &row.cells[1]), span, cells));
            }
        }
        for link in &list.links {
            entries.extend(self.entry(kind, end, (&link.from, &link.to), link.span, Vec::new()));
        }
        entries
    }

    fn entry(
        &mut self,
        kind: KindId,
        end: KindId,
        (from, to): (&Name, &Name),
        span: Span,
        cells: Vec<(&'p Name, &'p Name)>,
    ) -> Option<Entry<'p>> {
        let (from, to) = (self.link_end(from, kind, end), self.link_end(to, kind, end));
        let (from, to) = (from?, to?);
        if from == to {
            self.error("tables::cell", span, "a link joins two different things");
            return None;
        }
        Some(Entry { from, to, span, cells })
    }

    /// An end of a link: a thing by its name or, on a grid, by its number.
    fn link_end(&mut self, name: &Name, kind: KindId, end: KindId) -> Option<u32> {
        let text = name.text.trim_matches('\'');
        if let Some(thing) = self.thing_of(text, end) {
            self.use_thing(name.span, end, thing);
            return self.is_alone(end, thing, name.span).then_some(thing);
        }
        let Some((grid, number)) = self.grid_of(kind).zip(text.parse::<i64>().ok()) else {
            return self.thing(text, Some(end), name.span).map(|(_, thing)| thing);
        };
        let found = grid.numbered.get(&number).copied();
        if found.is_none() {
            let what = self.kinds[end.0 as usize].name.clone();
            self.diagnostics.push(
                Diagnostic::error("names::unknown", name.span, format!("no {what} has the number {text}"))
                    .label("not on the grid")
                    .help("an end of a link is the name of a thing or its number on the grid"),
            );
        }
        found
    }

    /// Makes the link of a line, or finds that of the grid, and lists its facts.
    fn enter(
        &mut self,
        list: &'p ast::Links,
        pair: Pair,
        entry: &Entry<'p>,
        given: &mut HashMap<(u32, u32, String), Span>,
        listed: &mut Vec<Listed<'p>>,
    ) {
        let kind = pair.0;
        let on_grid =
            self.grid_of(kind).is_some_and(|grid| grid.on[pair.1 as usize] && grid.on[pair.2 as usize]);
        let shown = |checker: &Self| {
            let end = checker.kinds[kind.0 as usize].ends.map_or(kind, |ends| ends.0);
            let things = &checker.kinds[end.0 as usize].things;
            format!("{} - {}", things[entry.from as usize].name, things[entry.to as usize].name)
        };
        let thing = match self.links.get(&pair).copied() {
            None if self.without.contains(&pair) => return,
            None if on_grid => return self.apart(kind, (entry.from, entry.to), entry.span),
            None => {
                let name = shown(self);
                let thing = self.add_thing(kind, &name, Some((entry.from, entry.to)), entry.span);
                self.links.insert(pair, thing);
                thing
            }
            Some(thing) if on_grid => {
                let gives =
                    !list.fixed.is_empty() || list.rows.first().is_some_and(|row| row.cells.len() > 2);
                if !gives {
                    let message = format!("the grid joins {} already", shown(self));
                    self.diagnostics.push(Diagnostic::error("names::twice", entry.span, message).help(
                        format!(
                            "give the list a fact, `links {} (fact: …)`, or take the line out",
                            list.kind.text
                        ),
                    ));
                    return;
                }
                thing
            }
            Some(old) => {
                let first = self.kinds[kind.0 as usize].things[old as usize].span;
                let message = format!("{} is listed twice", shown(self));
                self.diagnostics.push(
                    Diagnostic::error("names::twice", entry.span, message).related(first, "first here"),
                );
                return;
            }
        };
        let fixed =
            list.fixed.iter().map(|(column, value)| (column, Cell::Value(value), value.span, entry.span));
        let cells = entry
            .cells
            .iter()
            .map(|(column, cell)| (*column, Cell::Text(cell.text.clone()), cell.span, cell.span));
        for (column, cell, span, said) in fixed.chain(cells) {
            if let Some(first) = given.insert((kind.0, thing, column.text.clone()), said) {
                let message = format!("`{}` of {} is given twice", column.text, shown(self));
                self.diagnostics
                    .push(Diagnostic::error("names::twice", said, message).related(first, "first here"));
                continue;
            }
            listed.push(Listed { kind, thing, column: column.clone(), cell, span });
        }
    }
}
