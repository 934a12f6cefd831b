//! Rows and columns of a table by what is written at its edges.

use blazon_book::{Base, LocalId};
use blazon_diagnostics::{did_you_mean, few, list, near_miss};

use super::Table;
use crate::console::harmless;
use crate::exit::{Failure, Result};

/// A cell's place among those below the heading and behind the leading columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub row: usize,
    pub column: usize,
}

/// A cell as printed, without the quotes that a text may have; several, as of a set, keep theirs.
pub fn printed(cell: &str) -> &str {
    let inside = cell.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inside.filter(|inside| !inside.contains('\'')).unwrap_or(cell)
}

/// The value at a place.
pub fn cell<'t>(table: &Table<'t>, place: &Place) -> &'t str {
    let row = table.body.printed.get(place.row + 1);
    row.and_then(|row| row.get(table.body.leading.len() + place.column)).map_or("", |cell| printed(cell))
}

/// Whether all parameters lead, so that one column holds the answers.
pub fn has_one_column(table: &Table) -> bool {
    table.body.leading.len() == table.rule.params
}

/// The place that row and column name.
///
/// # Errors
/// If one of them is missing, or there is no such.
pub fn place(table: &Table, row: Option<&str>, column: Option<&str>) -> Result<Place> {
    let row = match row {
        Some(row) => values(table, row, &table.body.leading)?,
        None if table.body.leading.is_empty() => Vec::new(),
        None => return Err(Failure::Usage(format!("say which row: {}", rows_said(table)))),
    };
    let column = match column {
        _ if has_one_column(table) && column.is_some() => {
            return Err(Failure::Usage("this table has one column: say only the row".to_owned()));
        }
        _ if has_one_column(table) => 0,
        Some(column) => column_value(table, column)?,
        None => return Err(Failure::Usage(format!("say which column: {}", columns_said(table)))),
    };
    find(table, &row, column)
}

/// The place of values, or what the table has instead.
///
/// # Errors
/// If the values lie outside it, or are none that the rule can be asked with.
pub fn find(table: &Table, leading: &[i64], across: i64) -> Result<Place> {
    let Some(row) = table.body.row(leading) else {
        let shown: Vec<String> = leading.iter().map(ToString::to_string).collect();
        return Err(Failure::Problem(format!(
            "the table has no row for {}; it has {}",
            shown.join(", "),
            rows_said(table)
        )));
    };
    let Some(column) = table.body.column(across) else {
        return Err(Failure::Problem(format!(
            "{across} lies outside the table, whose columns are {}",
            columns_said(table)
        )));
    };
    // A column without an end has room for what the rule is never asked.
    let last = (!has_one_column(table)).then_some((&table.body.across, &across));
    for (local, value) in table.body.leading.iter().zip(leading).chain(last) {
        let param = &table.rule.locals[local.0 as usize];
        if let Base::Number(least, most) = param.ty.base
            && !(least..=most).contains(value)
        {
            let name = harmless(&param.name);
            return Err(Failure::Problem(format!(
                "{value} never fits `{name}` of `{}`, which is {least}..{most}",
                harmless(&table.rule.name)
            )));
        }
    }
    Ok(Place { row, column })
}

/// The value of a column: its heading as printed, or a value that it holds for.
///
/// # Errors
/// As [`value`].
pub fn column_value(table: &Table, text: &str) -> Result<i64> {
    let across = table.body.across;
    let headings = table.body.printed.first().into_iter().flatten().skip(table.body.leading.len());
    let place = headings.map(|cell| printed(cell)).position(|cell| cell == text.trim());
    match place.and_then(|place| table.body.headings.get(place)) {
        Some(range) => Ok(within(table, across, *range)),
        None => value(table, across, text),
    }
}

/// A value of a range that is printed, one with which the rule may be asked.
fn within(table: &Table, local: LocalId, (low, high): (i64, i64)) -> i64 {
    let Base::Number(least, most) = table.rule.locals[local.0 as usize].ty.base else { return low };
    low.clamp(least, most.max(least)).min(high)
}

/// The values of leading columns, as they are printed, or written with commas between them.
///
/// # Errors
/// If they are more or fewer than the columns, and as [`value`].
pub fn values(table: &Table, text: &str, leading: &[LocalId]) -> Result<Vec<i64>> {
    let is_printed = |row: &&[String]| {
        let cells: Vec<&str> = row.iter().take(leading.len()).map(|cell| printed(cell)).collect();
        !cells.is_empty() && cells.join(", ") == text.trim()
    };
    let rows = table.body.printed.iter().skip(1).map(Vec::as_slice);
    if let Some((row, _)) = table.body.rows.iter().zip(rows).find(|(_, printed)| is_printed(printed)) {
        let ranges = row.ranges.iter().zip(leading);
        return Ok(ranges.map(|(range, local)| within(table, *local, *range)).collect());
    }
    // One value may have commas in its name.
    let parts: Vec<&str> = match leading {
        [_] => vec![text.trim()],
        _ => text.split(',').map(str::trim).collect(),
    };
    if parts.len() != leading.len() {
        let names: Vec<&str> =
            leading.iter().map(|local| table.rule.locals[local.0 as usize].name.as_str()).collect();
        let message = match names[..] {
            [] => "the table has no rows to choose from: say only the column".to_owned(),
            _ => format!("a row is said by its {}, with commas", list(&names, "and")),
        };
        return Err(Failure::Usage(message));
    }
    parts.iter().zip(leading).map(|(part, local)| value(table, *local, part)).collect()
}

/// What a text says of a parameter: a thing's number, or a number.
fn value(table: &Table, local: LocalId, text: &str) -> Result<i64> {
    let local = &table.rule.locals[local.0 as usize];
    let name = harmless(&local.name);
    let Base::Thing(kind) = local.ty.base else {
        return text
            .parse()
            .map_err(|_| Failure::Usage(format!("`{}` is no number, and {name} is one", harmless(text))));
    };
    let things = &table.book.kind(kind).things;
    let lower = printed(text).to_lowercase();
    let same = |thing: &blazon_book::Thing| thing.name.to_lowercase() == lower;
    if let Some(thing) = things.iter().position(same) {
        return Ok(thing as i64);
    }
    let names: Vec<&str> = things.iter().map(|thing| thing.name.as_str()).collect();
    let mut message = format!("no {name} is called `{}`", harmless(text));
    message += &match near_miss(text, names.iter().copied()) {
        Some(near) => format!("; {}", did_you_mean(near)),
        None if names.len() <= 12 => format!("; there are {}", list(&names, "and")),
        None => String::new(),
    };
    Err(Failure::Usage(message))
}

/// The rows by their leading cells.
pub fn rows_said(table: &Table) -> String {
    let count = table.body.leading.len();
    let rows: Vec<String> = table
        .body
        .printed
        .iter()
        .skip(1)
        .map(|row| row.iter().take(count).map(|cell| printed(cell)).collect::<Vec<_>>().join(", "))
        .collect();
    few(12, &rows, "and")
}

/// The columns by their headings.
pub fn columns_said(table: &Table) -> String {
    let heading = table.body.printed.first().map(Vec::as_slice).unwrap_or_default();
    let headings: Vec<String> =
        heading.iter().skip(table.body.leading.len()).map(|cell| printed(cell).to_owned()).collect();
    few(12, &headings, "and")
}

#[cfg(test)]
mod tests {
    use super::printed;

    #[test]
    fn quotes_around_one_text_are_left_out() {
        for (cell, shown) in
            [("'1/2'", "1/2"), ("'0301', '0601'", "'0301', '0601'"), ("Foot", "Foot"), ("'", "'")]
        {
            assert_eq!(printed(cell), shown);
        }
    }
}
