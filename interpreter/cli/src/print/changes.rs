//! What variants change, against the game without them: the changed items with their headings, line by line, each line
//! with where it comes from. The game stands on the left and the amended game on the right where the screen is wide
//! enough for both; elsewhere what was stands above what is.

use std::collections::BTreeMap;

use blazon::present::cited;
use blazon_book::Book;
use blazon_check::print::Line;
use blazon_check::printed_before::{self, Before};
use blazon_check::project::Parsed;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::{layers, lines_of, place};
use crate::console::{Console, columns, harmless, paint, style};

/// From this width on there is room for two texts side by side.
const WIDE: usize = 120;

/// A line of one of both books.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    text: String,
    cites: String,
    origin: String,
}

impl Told {
    /// What the line says, wherever it stands: what only goes further in under a condition is the same.
    fn says(&self) -> (&str, &str) {
        (self.text.trim(), &self.cites)
    }

    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }
}

/// An item of a book: a rule, a step, a table.
struct Item {
    /// Its word and name; of several with the same, with the place among them.
    key: String,
    lines: Vec<Told>,
}

/// A line before and after; at least one of both is there.
struct Row<'a> {
    before: Option<&'a Told>,
    after: Option<&'a Told>,
    changed: bool,
}

impl Row<'_> {
    fn either(&self) -> Option<&Told> {
        self.after.or(self.before)
    }
}

/// Prints the changes of the variants to a game, of which there is a book if it has no errors.
pub fn print((before, book): (&Parsed, Option<&Book>), (after, now): (&Parsed, &Book), console: &Console) {
    let (old, new) = (items(before, book), items(after, Some(now)));
    let replaced = book.map(|book| replaced(before, after, book)).unwrap_or_default();
    let keys = |items: &[Item]| items.iter().map(|item| item.key.clone()).collect::<Vec<_>>();
    let (old_keys, new_keys) = (keys(&old), keys(&new));
    let page = Page::new(console);
    let [mut changed, mut added, mut gone] = [0; 3];
    for op in capture_diff_slices(Algorithm::Patience, &old_keys, &new_keys) {
        let (tag, olds, news) = op.as_tag_tuple();
        if tag == DiffTag::Equal {
            for (old, new) in olds.zip(news).map(|(i, k)| (&old[i], &new[k])) {
                let rows = rows(&old.lines, &new.lines);
                if rows.iter().any(|row| row.changed) {
                    changed += 1;
                    page.item(&rows);
                }
            }
            continue;
        }
        for item in &old[olds] {
            gone += 1;
            page.item(&rows(&item.lines, &[]));
        }
        for item in &new[news] {
            let was = replaced.get(&item.key).map(Vec::as_slice).unwrap_or_default();
            if was.is_empty() {
                added += 1;
            } else {
                changed += 1;
            }
            page.item(&rows(was, &item.lines));
        }
    }
    if changed + added + gone == 0 {
        console.note("the rulebook reads as it does without them");
    } else {
        console.note(format!("{changed} changed, {added} added, {gone} taken away"));
    }
}

/// A book by its items.
fn items(parsed: &Parsed, book: Option<&Book>) -> Vec<Item> {
    let layers = layers(parsed);
    let told = |line: &Line| Told {
        text: harmless(&line.text),
        cites: cited(&once(&line.cites)).trim_start().to_owned(),
        origin: line.origin.map(|span| place(parsed, &layers, span)).unwrap_or_default(),
    };
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut items: Vec<Item> = Vec::new();
    for line in lines_of(parsed, book).iter().filter(|line| !line.text.is_empty()) {
        if let Some(key) = &line.opens {
            let same = seen.entry(key.clone()).or_default();
            *same += 1;
            items.push(Item { key: format!("{key} {same}"), lines: Vec::new() });
        }
        if let Some(item) = items.last_mut() {
            item.lines.push(told(line));
        }
    }
    items
}

/// What was printed before items that only say what is printed now, by these items.
fn replaced(before: &Parsed, after: &Parsed, book: &Book) -> BTreeMap<String, Vec<Told>> {
    let layers = layers(before);
    let told = |was: Before| {
        let (text, origin) = (harmless(&was.text), place(before, &layers, was.origin));
        (format!("{} 1", was.opens), vec![Told { text, cites: String::new(), origin }])
    };
    printed_before::before(after, book).into_iter().map(told).collect()
}

fn once(cites: &[String]) -> Vec<String> {
    let mut cites = cites.to_vec();
    cites.dedup();
    cites
}

/// The lines of an item before and after, beside each other.
fn rows<'a>(before: &'a [Told], after: &'a [Told]) -> Vec<Row<'a>> {
    fn says(lines: &[Told]) -> Vec<(&str, &str)> {
        lines.iter().map(Told::says).collect()
    }
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Patience, &says(before), &says(after)) {
        let (tag, old, new) = op.as_tag_tuple();
        let changed = tag != DiffTag::Equal;
        for step in 0..old.len().max(new.len()) {
            rows.push(Row {
                before: before[old.clone()].get(step),
                after: after[new.clone()].get(step),
                changed,
            });
        }
    }
    rows
}

/// The rows to be shown: those that changed, and the lines around them that open what they stand in. A brace alone
/// opens nothing that a reader wants to see again.
fn shown(rows: &[Row]) -> Vec<bool> {
    let mut shown: Vec<bool> = rows.iter().map(|row| row.changed).collect();
    for place in (0..rows.len()).filter(|&place| rows[place].changed) {
        let mut limit = rows[place].either().map_or(0, Told::indent);
        for around in (0..place).rev() {
            let Some(line) = rows[around].either().filter(|line| line.indent() < limit) else { continue };
            let text = line.text.trim();
            let opens = text != "{" && text != "}";
            shown[around] |= opens;
            // `} else {` and a lone brace have what they belong to at their own depth.
            limit = line.indent() + usize::from(!opens || text.starts_with('}'));
            if limit == 0 {
                break;
            }
        }
        shown[0] = true;
    }
    shown
}

/// How changes are laid out.
struct Page<'a> {
    console: &'a Console,
    /// The columns of one text, if two are side by side.
    half: Option<usize>,
}

impl<'a> Page<'a> {
    fn new(console: &'a Console) -> Self {
        let width = console.width();
        Self { console, half: (width >= WIDE).then(|| (width - 3) / 2) }
    }

    fn item(&self, rows: &[Row]) {
        let shown = shown(rows);
        let gutter = rows.iter().zip(&shown).filter(|(_, shown)| **shown);
        let gutter = gutter
            .flat_map(|(row, _)| [row.before, row.after])
            .flatten()
            .map(|line| columns(&line.origin))
            .max()
            .unwrap_or(0);
        let mut left_out = false;
        for (row, shown) in rows.iter().zip(&shown) {
            if !shown {
                left_out |= row.either().is_some_and(|line| !matches!(line.text.trim(), "{" | "}"));
                continue;
            }
            if std::mem::take(&mut left_out) {
                self.gap(gutter);
            }
            match self.half {
                Some(half) => self.beside(row, half),
                None => self.below(row, gutter),
            }
        }
        self.console.line("");
    }

    fn gap(&self, gutter: usize) {
        let indent = if self.half.is_some() { 2 } else { gutter + 4 };
        self.console.line(format!("{:indent$}{}", "", paint(style::FAINT, "…")));
    }

    /// What was above what is.
    fn below(&self, row: &Row, gutter: usize) {
        let line = |told: &Told, sign: &str, of: anstyle::Style| {
            let origin = paint(style::FAINT, format!("{:gutter$}", told.origin));
            let cites = match told.cites.as_str() {
                "" => String::new(),
                cites => format!("  {}", paint(style::PLACE, cites)),
            };
            let text = paint(of, format!("{sign} {}", told.text));
            self.console.line(format!("{origin}  {text}{cites}"));
        };
        match (row.changed, row.before, row.after) {
            (false, _, Some(told)) => line(told, " ", anstyle::Style::new()),
            (_, before, after) => {
                if let Some(told) = before {
                    line(told, "-", style::BAD);
                }
                if let Some(told) = after {
                    line(told, "+", style::GOOD);
                }
            }
        }
    }

    /// What was on the left, what is on the right.
    fn beside(&self, row: &Row, half: usize) {
        let cell = |told: Option<&Told>, sign: &str, of: anstyle::Style| {
            let Some(told) = told else { return Vec::new() };
            let (sign, of) = if row.changed { (sign, of) } else { (" ", anstyle::Style::new()) };
            let indent = told.indent() + 2;
            let said = format!("{} {}", told.text.trim(), told.cites);
            let mut lines: Vec<(anstyle::Style, String)> =
                wrapped(said.trim(), half.saturating_sub(indent), 4)
                    .into_iter()
                    .enumerate()
                    .map(|(place, part)| {
                        let sign = if place == 0 { sign } else { " " };
                        (of, format!("{sign}{:1$}{part}", "", indent - 1))
                    })
                    .collect();
            if row.changed || told.indent() == 0 {
                let room = half.saturating_sub(indent + 4);
                let origin = wrapped(&told.origin, room, 0);
                lines.extend(
                    origin.into_iter().map(|part| (style::FAINT, format!("{:1$}{part}", "", indent + 4))),
                );
            }
            lines
        };
        let left = cell(row.before, "-", style::BAD);
        let right = cell(row.after, "+", style::GOOD);
        for place in 0..left.len().max(right.len()) {
            let part = |cell: &[(anstyle::Style, String)]| {
                cell.get(place).map(|(of, text)| (paint(*of, text), columns(text))).unwrap_or_default()
            };
            let ((left, taken), (right, _)) = (part(&left), part(&right));
            let gap = " ".repeat(half.saturating_sub(taken));
            let bar = paint(style::FAINT, self.console.bar());
            self.console.line(format!("{left}{gap} {bar} {right}").trim_end());
        }
    }
}

/// A text in lines of so many columns, broken at blanks; what is too long for a line is broken anywhere. All lines but
/// the first are set in by `hang`.
fn wrapped(text: &str, room: usize, hang: usize) -> Vec<String> {
    let room = room.max(8);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_inclusive(' ') {
        let mut word = word.to_owned();
        if !line.trim().is_empty() && columns(&line) + columns(word.trim_end()) > room {
            lines.push(std::mem::replace(&mut line, " ".repeat(hang)));
        }
        while columns(&line) + columns(word.trim_end()) > room {
            let fits = room.saturating_sub(columns(&line)).max(1);
            let rest: String = word.chars().skip(fits).collect();
            line.extend(word.chars().take(fits));
            lines.push(std::mem::replace(&mut line, " ".repeat(hang)));
            word = rest;
        }
        line.push_str(&word);
    }
    lines.push(line);
    lines.iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Told {
        Told { text: text.to_owned(), cites: String::new(), origin: String::new() }
    }

    #[test]
    fn a_changed_line_comes_with_what_it_stands_in() {
        let lines = |need: &str| {
            [
                "step turn {",
                "  let n = 1",
                "  if n > 0 {",
                "    choose {",
                "      option a",
                "        needs x",
                need,
                "      {",
                "        done",
                "      }",
                "    }",
                "  } else {",
                "    stop",
                "  }",
                "}",
            ]
            .map(told)
        };
        let (before, after) = (lines("        needs y"), lines("        needs z"));
        let rows = rows(&before, &after);
        let shown: Vec<&str> = rows
            .iter()
            .zip(shown(&rows))
            .filter(|(_, shown)| *shown)
            .filter_map(|(row, _)| Some(row.either()?.text.trim()))
            .collect();
        assert_eq!(shown, ["step turn {", "if n > 0 {", "choose {", "option a", "needs z"]);
    }

    #[test]
    fn the_body_of_an_option_stands_in_the_option() {
        let before = ["step turn {", "  option a", "    needs x", "  {", "    done", "  }", "}"].map(told);
        let after = ["step turn {", "  option a", "    needs x", "  {", "    more", "  }", "}"].map(told);
        let rows = rows(&before, &after);
        assert_eq!(shown(&rows), [true, true, false, false, true, false, false]);
    }

    #[test]
    fn what_only_goes_further_in_is_not_changed() {
        let before = ["step turn {", "  draw", "  march", "}"].map(told);
        let after =
            ["step turn {", "  if truce {", "    rest", "  } else {", "    draw", "    march", "  }", "}"]
                .map(told);
        let rows = rows(&before, &after);
        let changed: Vec<(bool, &str)> = rows
            .iter()
            .filter(|row| row.changed)
            .filter_map(|row| Some((row.before.is_some(), row.either()?.text.trim())))
            .collect();
        let added = ["if truce {", "rest", "} else {", "}"].map(|text| (false, text));
        assert_eq!(changed, added);
    }

    #[test]
    fn long_lines_are_wrapped() {
        assert_eq!(wrapped("one two three", 9, 2), ["one two", "  three"]);
        assert_eq!(wrapped("abcdefghijkl", 8, 0), ["abcdefgh", "ijkl"]);
        assert_eq!(wrapped("", 8, 0), Vec::<String>::new());
    }
}
