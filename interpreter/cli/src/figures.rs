//! Figures as people read them: shares, thousands, straight tables.

pub use blazon_study::report::grouped;

use crate::console::{columns, paint, style};

/// A part of a whole; 0 of nothing.
pub fn ratio(hits: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { hits as f64 / of as f64 }
}

/// The same in percent.
pub fn share(hits: u64, of: u64) -> String {
    format!("{:.1} %", ratio(hits, of) * 100.0)
}

/// So many things, in words: `1 game`, `2,000 games`.
pub fn counted(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Phrases as a list in a sentence, as they are; for names there is [`blazon_diagnostics::list`], which quotes them.
pub fn joined(phrases: &[String], conjunction: &str) -> String {
    match phrases {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}

/// A table: the first columns to the left, the others to the right, a heading above.
pub struct Table {
    left: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Nothing but its headings; so many columns stand to the left.
    pub fn new<H: Into<String>>(heads: impl IntoIterator<Item = H>, left: usize) -> Self {
        Self { left, rows: vec![heads.into_iter().map(Into::into).collect()] }
    }

    /// One more row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines.
    pub fn text(&self) -> String {
        let count = self.rows[0].len();
        let width =
            |column: usize| self.rows.iter().map(|row| columns(&row[column])).max().unwrap_or_default();
        let widths: Vec<usize> = (0..count).map(width).collect();
        let mut out = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let gap = " ".repeat(widths[column] - columns(cell));
                let cell = if column < self.left { format!("{cell}{gap}") } else { format!("{gap}{cell}") };
                line += if column == 0 { "  " } else { "   " };
                line += &cell;
            }
            let line = line.trim_end();
            out += &if place == 0 { paint(style::FAINT, line) } else { crate::console::harmless(line) };
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn tables_are_straight() {
        let mut table = Table::new(["", "won"], 1);
        table.row(["Zürich".to_owned(), "7".to_owned()]);
        assert_eq!(table.text().lines().last(), Some("  Zürich     7"));
    }
}
