//! Dice on a table: of the values that it is read by, the one that is not said is rolled; where none of the row and no
//! column is, the column.

use blazon_book::{Base, LocalId};
use blazon_kernel::chance::Stream;
use serde_json::json;

use super::Table;
use super::look_up::{self, Place, columns_said, has_one_column};
use crate::args::TableArgs;
use crate::console::{Console, columns, harmless, padded, paint, style};
use crate::dice::Dice;
use crate::exit::{Failure, Result};
use crate::seed::new_seed;

/// Rolls once, or often and counts.
///
/// # Errors
/// If the row is not found, or a result lies outside the table.
pub fn run(table: &Table, dice: Dice, row: Option<&str>, args: &TableArgs, console: &Console) -> Result<()> {
    let chosen = Chosen::new(table, row, args.column.as_deref())?;
    let seed = args.seed.unwrap_or_else(new_seed);
    let mut stream = Stream::new(seed);
    let Some(times) = args.times else {
        let rolled = dice.roll(&mut stream);
        let place = chosen.place(table, rolled.saturating_add(args.plus))?;
        once(table, &chosen, dice, rolled, &place, args, console);
        return Ok(());
    };
    // By the order in which the values are printed, so that the same table is always told alike.
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for row in 0..table.body.rows.len() {
        for column in 0..table.body.headings.len() {
            let value = look_up::cell(table, &Place { row, column });
            if !counts.iter().any(|(other, _)| *other == value) {
                counts.push((value, 0));
            }
        }
    }
    let mut outside = 0_u32;
    for _ in 0..times {
        let rolled = dice.roll(&mut stream).saturating_add(args.plus);
        let value = match chosen.place(table, rolled) {
            Ok(place) => look_up::cell(table, &place),
            Err(failure) => {
                outside += 1;
                // As long as some lie within, these are worth knowing, too.
                if outside == times {
                    return Err(failure);
                }
                continue;
            }
        };
        if let Some((_, count)) = counts.iter_mut().find(|(other, _)| *other == value) {
            *count += 1;
        }
    }
    counts.retain(|(_, count)| *count > 0);
    if args.json {
        let values: Vec<_> =
            counts.iter().map(|(value, count)| json!({ "value": value, "times": count })).collect();
        console.line(json!({
            "schema": 1, "rule": table.rule.name, "rolls": chosen.name, "dice": dice.to_string(), "plus": args.plus,
            "seed": seed, "times": times, "outside": outside, "values": values,
        }));
        return Ok(());
    }
    if chosen.is_one_of_several {
        console.line(format!("{}{dice}{}, {times} times:", chosen.told(), signed(args.plus)));
    }
    counts.extend((outside > 0).then_some((OUTSIDE, u64::from(outside))));
    let widest = counts.iter().map(|(value, _)| columns(value)).max().unwrap_or(0);
    for (value, count) in counts {
        // In tenths of a per cent, rounded.
        let share = (count * 2000 + u64::from(times)) / (2 * u64::from(times));
        console.line(format!(
            "{}  {count:>9}  {:>3}.{} %",
            padded(&paint(style::STRONG, value), widest),
            share / 10,
            share % 10
        ));
    }
    Ok(())
}

/// What is told of rolls that lie outside the table.
const OUTSIDE: &str = "(outside the table)";

/// What is added, in words.
fn signed(plus: i64) -> String {
    match plus {
        0 => String::new(),
        plus if plus < 0 => format!(" - {}", plus.unsigned_abs()),
        plus => format!(" + {plus}"),
    }
}

/// One roll: the dice, and what the table makes of it.
fn once(
    table: &Table,
    chosen: &Chosen,
    dice: Dice,
    rolled: i64,
    place: &Place,
    args: &TableArgs,
    console: &Console,
) {
    let value = look_up::cell(table, place);
    if args.json {
        console.line(json!({
            "schema": 1, "rule": table.rule.name, "rolls": chosen.name, "dice": dice.to_string(), "plus": args.plus,
            "rolled": rolled, "value": value,
        }));
        return;
    }
    let sum = match args.plus {
        0 => rolled.to_string(),
        plus => format!("{rolled}{} = {}", signed(plus), rolled.saturating_add(plus)),
    };
    console.line(format!("{}{dice}: {sum}: {}", chosen.told(), paint(style::STRONG, harmless(value))));
}

/// All values that a table is read by, but the one that is rolled.
struct Chosen<'t> {
    /// What is rolled.
    name: &'t str,
    /// Whether the table is read by anything else.
    is_one_of_several: bool,
    /// The values of the leading columns, without the last of them if that is rolled.
    leading: Vec<i64>,
    /// The column, where the last leading value is rolled.
    column: Option<i64>,
}

impl<'t> Chosen<'t> {
    fn new(table: &Table<'t>, row: Option<&str>, column: Option<&str>) -> Result<Self> {
        let column = match column {
            Some(_) if has_one_column(table) => {
                return Err(Failure::Usage("this table has one column: say only the row".to_owned()));
            }
            Some(column) => Some(look_up::column_value(table, column)?),
            None => has_one_column(table).then_some(0),
        };
        let (rolled, given): (LocalId, &[LocalId]) = match table.body.leading.split_last() {
            Some((last, others)) if column.is_some() => (*last, others),
            None if column.is_some() => {
                let message =
                    format!("the table has no rows to roll: its columns are {}", columns_said(table));
                return Err(Failure::Usage(message));
            }
            _ => (table.body.across, &table.body.leading),
        };
        let local = &table.rule.locals[rolled.0 as usize];
        if !matches!(local.ty.base, Base::Number(..)) {
            let message =
                format!("`{}` would be rolled, and it is no number: say the others", harmless(&local.name));
            return Err(Failure::Usage(message));
        }
        let is_said = !has_one_column(table) && column.is_some();
        let leading = match row {
            Some(_) if given.is_empty() && is_said => {
                return Err(Failure::Usage("the row is rolled: say only the column".to_owned()));
            }
            Some(row) => look_up::values(table, row, given)?,
            None if given.is_empty() => Vec::new(),
            None => return Err(Failure::Usage(format!("say which row: {}", look_up::rows_said(table)))),
        };
        Ok(Self { name: &local.name, is_one_of_several: table.rule.params > 1, leading, column })
    }

    /// What is rolled, before the dice, where that could be something else.
    fn told(&self) -> String {
        if self.is_one_of_several { format!("{} by ", harmless(self.name)) } else { String::new() }
    }

    fn place(&self, table: &Table, result: i64) -> Result<Place> {
        match self.column {
            Some(column) => look_up::find(table, &[&*self.leading, &[result]].concat(), column),
            None => look_up::find(table, &self.leading, result),
        }
    }
}
