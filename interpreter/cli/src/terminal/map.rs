//! A map of hexes or squares: a few letters for each place, at where it lies. The whole map where the terminal is wide
//! enough, or else a part of it: around a place that was named, or around what stands on the map.

use std::collections::BTreeMap;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use blazon::present::option_search::{self, Words};
use blazon::present::values;
use blazon_book::{Base, Book, ColumnId, Constant, Grid, Role, Stagger};
use blazon_machine::{Value, View};

use super::layout::hanging;
use super::shape::{Shape, columns_of};
use crate::console::{harmless, paint, style};

/// The columns that a place takes, the last of them a gap.
const CELL: i64 = 4;
/// The columns before the map, for the numbers of rows.
const MARGIN: i64 = 4;
/// How far a part of the map reaches from its middle: places to each side, up and down.
const REACH: (i64, i64) = (8, 6);
/// The most values that a fact may have to be shown by letters.
const MOST_LETTERS: usize = 12;

/// A map to be drawn.
pub struct Map<'a> {
    book: &'a Book,
    shape: &'a Shape,
    view: &'a View,
    grid: &'a Grid,
    /// Where the places lie, in columns and lines of the terminal.
    places: BTreeMap<u32, (i64, i64)>,
    width: i64,
}

/// What stands on a place.
#[derive(Default)]
struct Standing {
    /// Names, and whose they are.
    named: Vec<(String, Option<u32>)>,
    /// How many others.
    hidden: usize,
    /// Whose the others are.
    hidden_owner: Option<u32>,
}

/// A rectangle of the terminal's plane, its edges included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    left: i64,
    right: i64,
    top: i64,
    bottom: i64,
}

impl Part {
    fn holds(&self, (x, y): (i64, i64)) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// The smallest that holds all of these.
    fn around(places: impl IntoIterator<Item = (i64, i64)>) -> Option<Self> {
        places.into_iter().fold(None, |part: Option<Self>, (x, y)| {
            let part = part.unwrap_or(Self { left: x, right: x, top: y, bottom: y });
            Some(Self {
                left: part.left.min(x),
                right: part.right.max(x),
                top: part.top.min(y),
                bottom: part.bottom.max(y),
            })
        })
    }
}

impl<'a> Map<'a> {
    /// The map of a game, if it has one.
    pub fn new(book: &'a Book, shape: &'a Shape, view: &'a View, width: usize) -> Option<Self> {
        let on = |grid: &&Grid| shape.pieces.iter().any(|pieces| pieces.place == grid.things);
        let grid = book.grids.iter().find(on).or(book.grids.first())?;
        let (across, down) = (numbers(book, grid.across)?, numbers(book, grid.down)?);
        let places =
            (0..).zip(across.iter().zip(down)).filter_map(|(thing, (across, down))| match (across, down) {
                (Constant::Word(across), Constant::Word(down)) => {
                    Some((thing, plane(grid.stagger, *across, *down)))
                }
                _ => None,
            });
        Some(Self { book, shape, view, grid, places: places.collect(), width: width as i64 })
    }

    /// The map, or the part around a place or a piece that some words mean; below it what the letters mean.
    pub fn text(&self, around: &str) -> String {
        let standing = self.standing();
        let Some(whole) = Part::around(self.places.values().copied()) else {
            return "  nothing lies on the map\n".to_owned();
        };
        let part = if around.is_empty() {
            self.part(whole, &standing)
        } else {
            match self.find(around).and_then(|place| self.places.get(&place)) {
                Some(&(x, y)) => self.reach(whole, (x, y), REACH.0, REACH.1),
                None => return "  nothing of that name is on the map\n".to_owned(),
            }
        };
        let (letters, fact) = self.letters();
        let mut out = self.draw(part, &standing, &letters, fact);
        out += &self.legend(&letters, fact);
        out += &self.told(part, part != whole, &standing);
        if part != whole {
            let hint = "  this is a part of the map; `map` and the name of a place or a piece shows another";
            let _ = writeln!(out, "{}", paint(style::FAINT, hint));
        }
        out
    }

    /// All of it if it is not too wide, or else as much as fits around what stands on it.
    fn part(&self, whole: Part, standing: &BTreeMap<u32, Standing>) -> Part {
        if whole.right - whole.left + CELL + MARGIN <= self.width {
            return whole;
        }
        let stand = standing.keys().filter_map(|place| self.places.get(place)).copied();
        let box_ = Part::around(stand).unwrap_or(whole);
        let middle = ((box_.left + box_.right) / 2, (box_.top + box_.bottom) / 2);
        let rows = (box_.bottom - box_.top) / 4 + 2;
        self.reach(whole, middle, i64::MAX, rows)
    }

    /// The part around a point that reaches so many places to each side, up and down, as far as it fits.
    fn reach(&self, whole: Part, (x, y): (i64, i64), columns: i64, rows: i64) -> Part {
        let most = ((self.width - MARGIN) / CELL - 1).max(0) / 2;
        let (aside, updown) = (columns.min(most) * CELL, rows * 2);
        let x = x.div_euclid(CELL) * CELL;
        // At the edge of the map the part is moved inside.
        let fit = |middle: i64, reach: i64, least: i64, most: i64| {
            let middle = middle.min(most - reach).max(least + reach);
            ((middle - reach).max(least), (middle + reach).min(most))
        };
        let (left, right) = fit(x, aside, whole.left, whole.right);
        let (top, bottom) = fit(y, updown, whole.top, whole.bottom);
        Part { left, right, top, bottom }
    }

    /// The place that some words or its printed number mean, or that a piece of that name stands on.
    fn find(&self, typed: &str) -> Option<u32> {
        let number = typed.parse::<i64>().ok();
        let numbered = numbers(self.book, self.grid.number)?
            .iter()
            .position(|value| matches!(value, Constant::Word(word) if Some(*word) == number));
        let things = &self.book.kind(self.grid.things).things;
        let named: Vec<Words> = things.iter().map(|thing| Words::new(&thing.name, &thing.name)).collect();
        let place = option_search::find(typed, &named).first().copied().or(numbered);
        place.map(|place| place as u32).or_else(|| {
            let pieces: Vec<(u32, String, Option<u32>)> = self.seen().collect();
            let named: Vec<Words> = pieces.iter().map(|(_, name, _)| Words::new(name, name)).collect();
            option_search::find(typed, &named).first().map(|&piece| pieces[piece].0)
        })
    }

    /// The pieces that are seen on the map: where, what, whose.
    fn seen(&self) -> impl Iterator<Item = (u32, String, Option<u32>)> + '_ {
        self.shape.pieces.iter().filter(|pieces| pieces.place == self.grid.things).flat_map(move |pieces| {
            let view = self.view.kinds.iter().find(|view| view.kind == pieces.kind);
            view.into_iter().flat_map(|view| &view.seen).filter_map(move |thing| {
                let place = standing_on(&thing.states, pieces.at)?;
                let owner = pieces.owner_of(self.book, Some(thing.thing), &thing.states);
                Some((place, values::thing(self.book, pieces.kind, thing.thing), owner))
            })
        })
    }

    fn standing(&self) -> BTreeMap<u32, Standing> {
        let mut standing: BTreeMap<u32, Standing> = BTreeMap::new();
        for (place, name, owner) in self.seen() {
            standing.entry(place).or_default().named.push((name, owner));
        }
        for pieces in self.shape.pieces.iter().filter(|pieces| pieces.place == self.grid.things) {
            let view = self.view.kinds.iter().find(|view| view.kind == pieces.kind);
            for back in view.into_iter().flat_map(|view| &view.backs) {
                if let Some(place) = standing_on(back, pieces.at) {
                    let here = standing.entry(place).or_default();
                    here.hidden += 1;
                    here.hidden_owner = here.hidden_owner.or(pieces.owner_of(self.book, None, back));
                }
            }
        }
        standing
    }

    /// A letter for each value of the first fact that has few of them; the most frequent one is a dot.
    fn letters(&self) -> (Vec<char>, Option<ColumnId>) {
        let small = |column: &ColumnId| {
            let info = self.book.column(*column);
            let few = info.ty.base.thing().is_some_and(|kind| {
                kind != self.book.player && (2..=MOST_LETTERS).contains(&self.book.kind(kind).things.len())
            });
            few && matches!(info.role, Role::Fact(_))
        };
        let Some(fact) = columns_of(self.book, self.grid.things).find(small) else {
            return (Vec::new(), None);
        };
        let Base::Thing(kind) = self.book.column(fact).ty.base else { return (Vec::new(), None) };
        let things = &self.book.kind(kind).things;
        let mut count = vec![0; things.len()];
        for value in numbers(self.book, fact).into_iter().flatten() {
            if let Constant::Word(word) = value
                && let Some(count) = count.get_mut(*word as usize)
            {
                *count += 1;
            }
        }
        let common = (0..things.len()).rev().max_by_key(|&value| count[value]);
        let mut letters: Vec<char> = Vec::new();
        for (value, thing) in things.iter().enumerate() {
            let free = |c: &char| c.is_alphanumeric() && !letters.contains(c);
            let letter = thing.name.to_lowercase().chars().find(free).or_else(|| ('a'..='z').find(free));
            letters.push(if Some(value) == common { '.' } else { letter.unwrap_or('?') });
        }
        (letters, Some(fact))
    }

    fn draw(
        &self,
        part: Part,
        standing: &BTreeMap<u32, Standing>,
        letters: &[char],
        fact: Option<ColumnId>,
    ) -> String {
        let mut lines: BTreeMap<i64, BTreeMap<i64, (String, Style)>> = BTreeMap::new();
        let values = fact.and_then(|fact| numbers(self.book, fact));
        for (&place, &(x, y)) in self.places.iter().filter(|(_, at)| part.holds(**at)) {
            let value = match values.and_then(|values| values.get(place as usize)) {
                Some(Constant::Word(word)) => usize::try_from(*word).ok(),
                _ => None,
            };
            let ground = value.and_then(|value| Some((*letters.get(value)?, ground_style(letters, value))));
            let (letter, ground) = ground.unwrap_or(('.', style::FAINT));
            let name = short_name(&self.book.kind(self.grid.things).things[place as usize].name);
            let (first, second) = match (standing.get(&place), name) {
                (Some(here), name) => {
                    // The ground stands below, unless it is the common one.
                    let below = name.unwrap_or_else(|| letter.to_string().replace('.', ""));
                    (here.shown(), (below, ground))
                }
                (None, Some(name)) => ((letter.to_string(), ground), (name, style::PLACE)),
                (None, None) => ((letter.to_string(), ground), (String::new(), Style::new())),
            };
            lines.entry(y).or_default().insert(x, first);
            lines.entry(y + 1).or_default().insert(x, second);
        }
        let mut out = self.heading(part);
        for (y, cells) in lines {
            let row = self.row(y).map(|row| paint(style::FAINT, format!("{row:>3}")));
            let mut line = row.unwrap_or_else(|| "   ".to_owned());
            let mut column = part.left - 1;
            for (x, (text, style)) in cells.into_iter().filter(|(_, (text, _))| !text.is_empty()) {
                line += &" ".repeat(usize::try_from(x - column).unwrap_or(0));
                line += &paint(style, &text);
                column = x + text.chars().count() as i64;
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }

    /// The numbers of the columns above them.
    fn heading(&self, part: Part) -> String {
        let mut above: BTreeMap<i64, i64> = BTreeMap::new();
        for (&place, &(x, _)) in self.places.iter().filter(|(_, at)| part.holds(**at)) {
            if let Some(Constant::Word(number)) =
                numbers(self.book, self.grid.number).and_then(|all| all.get(place as usize))
            {
                // Where rows are staggered a column is named over its leftmost place.
                above.entry(x).or_insert(number.div_euclid(100));
            }
        }
        let mut line = " ".repeat(MARGIN as usize);
        let mut told = None;
        for (x, number) in above {
            if told == Some(number) {
                continue;
            }
            told = Some(number);
            let at = usize::try_from(MARGIN + x - part.left).unwrap_or(0);
            line += &" ".repeat(at.saturating_sub(line.chars().count()));
            let _ = write!(line, "{number:02}");
        }
        format!("{}\n", paint(style::FAINT, line))
    }

    /// The number of the row that begins on a line: places take two, and the staggered columns begin one lower.
    fn row(&self, y: i64) -> Option<i64> {
        let begins = y % 2 == 0 && self.places.values().any(|(_, top)| *top == y);
        begins.then_some(y / 2)
    }

    /// Who stands where on a part, and, if they are wanted, the names of its other places.
    fn told(&self, part: Part, names: bool, standing: &BTreeMap<u32, Standing>) -> String {
        let mut out = String::new();
        let mut others = Vec::new();
        for (place, _) in self.places.iter().filter(|(_, at)| part.holds(**at)) {
            let name = values::thing(self.book, self.grid.things, *place);
            match standing.get(place) {
                Some(here) => {
                    let heading = format!("  {}  ", paint(style::PLACE, name));
                    out += &hanging(&heading, &here.told(self.book), " ", self.width as usize);
                }
                None => others.extend(short_name(&name).map(|_| harmless(&name))),
            }
        }
        if names && !others.is_empty() {
            out += &hanging("  ", &others, ", ", self.width as usize);
        }
        out
    }

    fn legend(&self, letters: &[char], fact: Option<ColumnId>) -> String {
        let Some(fact) = fact else { return String::new() };
        let Base::Thing(kind) = self.book.column(fact).ty.base else { return String::new() };
        let named: Vec<String> = letters
            .iter()
            .enumerate()
            .map(|(value, letter)| {
                let name = values::thing(self.book, kind, value as u32);
                format!("{} {}", paint(ground_style(letters, value), letter), paint(style::FAINT, name))
            })
            .collect();
        format!("  {}\n", named.join("  "))
    }
}

impl Standing {
    /// Everybody, in pieces that may be put on several lines.
    fn told(&self, book: &Book) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut last = None;
        for (name, owner) in &self.named {
            let name = harmless(name);
            if let Some(before) = parts.last_mut() {
                before.push(',');
            }
            parts.push(match owner.filter(|owner| last != Some(*owner)) {
                Some(owner) => {
                    let whose = values::thing(book, book.player, owner);
                    format!("{} {name}", paint(style::player(owner), format!("{whose}:")))
                }
                None => name,
            });
            last = *owner;
        }
        if self.hidden > 0 {
            parts.push(paint(style::FAINT, format!("{} unseen", self.hidden)));
        }
        parts
    }

    /// Up to three letters for what stands there, in the colour of whose it is.
    fn shown(&self) -> (String, Style) {
        let owner = self.named.first().map_or(self.hidden_owner, |(_, owner)| *owner);
        let style = owner.map_or(style::STRONG, |owner| style::player(owner).bold());
        let first = |name: &str| name.chars().next().unwrap_or('?');
        let text = match (&self.named[..], self.hidden) {
            ([], hidden) => format!("{}?", hidden.min(99)),
            ([(name, _)], 0) => initials(name),
            (named, 0) if named.len() <= 3 => named.iter().map(|(name, _)| first(name)).collect(),
            (named, hidden) => format!("{}{}", (named.len() + hidden).min(99), first(&named[0].0)),
        };
        (text, style)
    }
}

/// `BG` for Blue Guard, `Van` for Vanguard.
fn initials(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    match words[..] {
        [word] => word.chars().take(3).collect(),
        _ => words.iter().filter_map(|word| word.chars().next()).take(3).collect(),
    }
}

/// The first letters of a name; none for a place that is called by its number.
fn short_name(name: &str) -> Option<String> {
    let letters = name.chars().filter(|c| !c.is_whitespace());
    (!name.chars().all(|c| c.is_ascii_digit())).then(|| letters.take(3).collect())
}

fn ground_style(letters: &[char], value: usize) -> Style {
    const COLORS: [AnsiColor; 6] = [
        AnsiColor::Green,
        AnsiColor::Blue,
        AnsiColor::Yellow,
        AnsiColor::Magenta,
        AnsiColor::Cyan,
        AnsiColor::Red,
    ];
    if letters.get(value) == Some(&'.') {
        return style::FAINT;
    }
    let place = letters.iter().take(value).filter(|letter| **letter != '.').count();
    COLORS[place % COLORS.len()].on_default()
}

/// Where a place lies on the terminal: a place takes two lines, and its own columns.
fn plane(stagger: Stagger, across: i64, down: i64) -> (i64, i64) {
    match stagger {
        Stagger::Columns { .. } => (across * CELL, down),
        Stagger::Rows { .. } => (across * CELL / 2, down * 2),
        Stagger::Squares => (across * CELL, down * 2),
    }
}

fn numbers(book: &Book, column: ColumnId) -> Option<&Vec<Constant>> {
    match &book.column(column).role {
        Role::Fact(values) => Some(values),
        Role::State { .. } => None,
    }
}

fn standing_on(states: &[(ColumnId, Value)], at: ColumnId) -> Option<u32> {
    match states.iter().find(|(column, _)| *column == at) {
        Some((_, Value::Thing(_, place))) => Some(*place),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_letters_stand_for_a_name() {
        assert_eq!(initials("Vanguard"), "Van");
        assert_eq!(initials("Guard of the North"), "Got");
        assert_eq!(initials(""), "");
        assert_eq!(short_name("Étang Noir"), Some("Éta".to_owned()));
        assert_eq!(short_name("Le Port"), Some("LeP".to_owned()));
        assert_eq!(short_name("1804"), None);
    }

    #[test]
    fn a_place_takes_two_lines() {
        let columns = Stagger::Columns { even: true };
        assert_eq!((plane(columns, 1, 2), plane(columns, 2, 3)), ((4, 2), (8, 3)));
        let rows = Stagger::Rows { even: true };
        assert_eq!((plane(rows, 2, 1), plane(rows, 3, 2)), ((4, 2), (6, 4)));
        assert_eq!(plane(Stagger::Squares, 1, 1), (4, 2));
    }

    #[test]
    fn parts_hold_what_they_lie_around() {
        let part = Part::around([(4, 2), (8, 3)]);
        assert_eq!(part, Some(Part { left: 4, right: 8, top: 2, bottom: 3 }));
        assert!(part.is_some_and(|part| part.holds((4, 3)) && !part.holds((12, 3))));
        assert_eq!(Part::around([]), None);
    }
}
