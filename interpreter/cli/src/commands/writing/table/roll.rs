//! Dice on a table: the last value that it is read by is rolled.

use blazon_book::{Base, LocalId};
use blazon_kernel::chance::Stream;
use serde_json::json;

use super::Table;
use super::look_up::{self, Place, has_one_column};
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
    let chosen = Chosen::new(table, row)?;
    let seed = args.seed.unwrap_or_else(new_seed);
    let mut stream = Stream::new(seed);
    let Some(times) = args.times else {
        let rolled = dice.roll(&mut stream);
        let place = chosen.place(table, rolled.saturating_add(args.plus))?;
        once(table, dice, rolled, &place, args, console);
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
    for _ in 0..times {
        let place = chosen.place(table, dice.roll(&mut stream).saturating_add(args.plus))?;
        let value = look_up::cell(table, &place);
        if let Some((_, count)) = counts.iter_mut().find(|(other, _)| *other == value) {
            *count += 1;
        }
    }
    counts.retain(|(_, count)| *count > 0);
    if args.json {
        let values: Vec<_> =
            counts.iter().map(|(value, count)| json!({ "value": value, "times": count })).collect();
        console.line(json!({
            "schema": 1, "rule": table.rule.name, "dice": dice.to_string(), "plus": args.plus, "seed": seed,
            "times": times, "values": values,
        }));
        return Ok(());
    }
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

/// One roll: the dice, and what the table makes of it.
fn once(table: &Table, dice: Dice, rolled: i64, place: &Place, args: &TableArgs, console: &Console) {
    let value = look_up::cell(table, place);
    if args.json {
        console.line(json!({
            "schema": 1, "rule": table.rule.name, "dice": dice.to_string(), "plus": args.plus,
            "rolled": rolled, "value": value,
        }));
        return;
    }
    let sum = match args.plus {
        0 => rolled.to_string(),
        plus if plus < 0 => format!("{rolled} - {} = {}", plus.unsigned_abs(), rolled.saturating_add(plus)),
        plus => format!("{rolled} + {plus} = {}", rolled.saturating_add(plus)),
    };
    console.line(format!("{dice}: {sum}: {}", paint(style::STRONG, harmless(value))));
}

/// All values that a table is read by, but the one that is rolled.
struct Chosen {
    leading: Vec<i64>,
    /// Whether what is rolled is the last leading value, since the table has one column.
    leads: bool,
}

impl Chosen {
    fn new(table: &Table, row: Option<&str>) -> Result<Self> {
        let leads = has_one_column(table);
        let (rolled, given): (LocalId, &[LocalId]) = match table.body.leading.split_last() {
            Some((last, others)) if leads => (*last, others),
            _ => (table.body.across, &table.body.leading),
        };
        let local = &table.rule.locals[rolled.0 as usize];
        if !matches!(local.ty.base, Base::Number(..)) {
            let message =
                format!("the table is read by {} last, which is no number to roll", harmless(&local.name));
            return Err(Failure::Usage(message));
        }
        let leading = match row {
            Some(row) => look_up::values(table, row, given)?,
            None if given.is_empty() => Vec::new(),
            None => return Err(Failure::Usage(format!("say which row: {}", look_up::rows_said(table)))),
        };
        Ok(Self { leading, leads })
    }

    fn place(&self, table: &Table, result: i64) -> Result<Place> {
        if !self.leads {
            return look_up::find(table, &self.leading, result);
        }
        let mut leading = self.leading.clone();
        leading.push(result);
        look_up::find(table, &leading, 0)
    }
}
