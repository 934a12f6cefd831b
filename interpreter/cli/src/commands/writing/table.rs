//! `blazon table`: the tables of a game as they are printed, one cell of one, or what the dice make of it.

mod look_up;
mod roll;

use std::path::Path;

use blazon::present::cited;
use blazon_book::{Book, Rule, RuleBody, RuleTable};
use blazon_diagnostics::{did_you_mean, list, near_miss};
use serde_json::json;

use self::look_up::{Place, printed};
use crate::args::TableArgs;
use crate::console::{Console, columns, harmless, padded, paint, style};
use crate::exit::{Failure, Result};
use crate::load;

/// What to say where there is nothing to be shown here; a game has tables of things, too, which fill kinds and are no rules.
const NONE: &str =
    "the game has no rule that is printed as a table (the tables that fill its kinds are not among those)";

/// A rule that is printed as a table.
#[derive(Clone, Copy)]
struct Table<'b> {
    book: &'b Book,
    rule: &'b Rule,
    body: &'b RuleTable,
}

impl Table<'_> {
    /// Its title, or else the rule's name.
    fn title(&self) -> &str {
        self.rule.title.as_deref().unwrap_or(&self.rule.name)
    }
}

/// Prints a table, asks it, or rolls on it; without a title lists the tables.
///
/// # Errors
/// If the game, the table, the row or the column is not found, or the dice lead out of the table.
pub fn run(args: &TableArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut rules = load::loader(library).find(&args.path)?;
    let program = load::program(&mut rules, &args.with, None)?;
    let tables: Vec<Table> = program
        .book
        .rules
        .iter()
        .filter_map(|rule| match &rule.body {
            RuleBody::Table(body) => Some(Table { book: &program.book, rule, body }),
            RuleBody::Value { .. } | RuleBody::Permission(_) => None,
        })
        .collect();
    let Some(title) = &args.title else {
        overview(&tables, args.json, console);
        return Ok(());
    };
    let table = of_title(&tables, title)?;
    let row = args.row.as_deref();
    if let Some(dice) = args.roll {
        roll::run(table, dice, row, args, console)
    } else if row.is_some() || args.column.is_some() {
        let place = look_up::place(table, row, args.column.as_deref())?;
        answer(table, &place, args.json, console);
        Ok(())
    } else {
        show(table, args.json, console);
        Ok(())
    }
}

/// The table of a title or of a rule's name, capitals aside.
fn of_title<'t, 'b>(tables: &'t [Table<'b>], title: &str) -> Result<&'t Table<'b>> {
    let lower = title.to_lowercase();
    let titled = tables.iter().find(|table| table.title().to_lowercase() == lower);
    if let Some(table) =
        titled.or_else(|| tables.iter().find(|table| table.rule.name.to_lowercase() == lower))
    {
        return Ok(table);
    }
    let mut message = format!("there is no table `{}`", harmless(title));
    let names: Vec<&str> =
        tables.iter().flat_map(|table| [table.title(), table.rule.name.as_str()]).collect();
    // A word or two of a long title are enough to be told the whole.
    let partly: Vec<&str> = tables
        .iter()
        .map(Table::title)
        .filter(|name| !lower.is_empty() && name.to_lowercase().contains(&lower))
        .collect();
    match near_miss(title, names) {
        Some(near) => message += &format!("; {}", did_you_mean(near)),
        None if tables.is_empty() => message += &format!("; {NONE}"),
        None if !partly.is_empty() => {
            message += &format!("; is it {}?", list(partly.iter().take(5), "or"));
        }
        None => message += "; without a title all tables are listed",
    }
    Err(Failure::Usage(message))
}

/// All tables: title and rule.
fn overview(tables: &[Table], json: bool, console: &Console) {
    if json {
        let all: Vec<_> = tables
            .iter()
            .map(|table| json!({ "title": table.rule.title, "rule": table.rule.name, "paragraphs": table.rule.cites }))
            .collect();
        console.line(json!({ "schema": 1, "tables": all }));
        return;
    }
    let widest = tables.iter().map(|table| columns(table.title())).max().unwrap_or(0);
    for table in tables {
        let title = paint(style::STRONG, table.title());
        let title = match &table.rule.title {
            Some(_) => format!("{}  {}", padded(&title, widest), harmless(&table.rule.name)),
            None => title,
        };
        console.line(format!("{title}{}", paint(style::PLACE, cited(&table.rule.cites))));
    }
    if tables.is_empty() {
        console.note(NONE);
    }
}

/// The whole table, its columns aligned.
fn show(table: &Table, json: bool, console: &Console) {
    if json {
        let mut rows =
            table.body.printed.iter().map(|row| row.iter().map(|cell| printed(cell)).collect::<Vec<_>>());
        let heading = rows.next().unwrap_or_default();
        let rows: Vec<_> = rows.collect();
        console.line(json!({
            "schema": 1,
            "title": table.title(),
            "rule": table.rule.name,
            "paragraphs": table.rule.cites,
            "leading": table.body.leading.len(),
            "columns": heading,
            "rows": rows,
        }));
        return;
    }
    console.line(format!(
        "{}{}",
        paint(style::STRONG, table.title()),
        paint(style::PLACE, cited(&table.rule.cites))
    ));
    let count = table.body.printed.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..count)
        .map(|place| table.body.printed.iter().map(|row| columns(printed(&row[place]))).max().unwrap_or(0))
        .collect();
    for (number, row) in table.body.printed.iter().enumerate() {
        let mut line = String::from(" ");
        for (place, cell) in row.iter().enumerate() {
            let heads = number == 0 || place < table.body.leading.len();
            let cell = paint(if heads { style::STRONG } else { anstyle::Style::new() }, printed(cell));
            line += match place {
                0 => " ",
                place if place == table.body.leading.len() => "  | ",
                _ => "  ",
            };
            let last = place + 1 == row.len();
            line += &if last { cell } else { padded(&cell, widths[place]) };
        }
        console.line(line);
    }
}

/// One cell.
fn answer(table: &Table, place: &Place, json: bool, console: &Console) {
    let value = look_up::cell(table, place);
    if json {
        console.line(json!({ "schema": 1, "rule": table.rule.name, "value": value }));
    } else {
        console.line(harmless(value));
    }
}
