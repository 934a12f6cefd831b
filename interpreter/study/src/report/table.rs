//! Tables with every figure twice: rounded for people, as it is for programs.

use maud::{Markup, html};

/// What stands in a table.
pub enum Cell {
    /// Words.
    Text(String),
    /// A figure, and how it is written.
    Figure(f64, String),
    /// Nothing.
    Blank,
}

impl Cell {
    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self::Figure(number as f64, super::words::grouped(number))
    }

    /// A figure if there is one.
    pub fn of(figure: Option<f64>, written: impl Fn(f64) -> String) -> Self {
        figure
            .filter(|figure| figure.is_finite())
            .map_or(Self::Blank, |figure| Self::Figure(figure, written(figure)))
    }

    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// A table.
pub struct Table {
    /// What programs find it by.
    name: &'static str,
    /// What is true of all of it, for programs.
    of_all: String,
    heads: Vec<String>,
    rows: Vec<(Vec<Cell>, String)>,
}

impl Table {
    /// Nothing but its headings.
    pub fn new<H: Into<String>>(name: &'static str, heads: impl IntoIterator<Item = H>) -> Self {
        let heads = heads.into_iter().map(Into::into).collect();
        Self { name, of_all: String::new(), heads, rows: Vec::new() }
    }

    /// With sums that figures are worked out from, for programs alone.
    pub fn sums(mut self, sums: String) -> Self {
        self.of_all = sums;
        self
    }

    /// One more row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push((cells.into_iter().collect(), String::new()));
    }

    /// One more row, with the sums that its figures are worked out from.
    pub fn row_of(&mut self, sums: String, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push((cells.into_iter().collect(), sums));
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table alone.
    pub fn drawn(&self) -> Markup {
        let sums = |sums: &String| (!sums.is_empty()).then(|| sums.clone());
        html! {
            div class="wide" tabindex="0" role="region" aria-label="A table that may be wider than the page" {
                table data-table=(self.name) data-sums=[sums(&self.of_all)] {
                    thead { tr { @for head in &self.heads { th scope="col" { (head) } } } }
                    tbody {
                        @for (cells, of_row) in &self.rows {
                            tr data-sums=[sums(of_row)] {
                                @for (place, cell) in cells.iter().enumerate() {
                                    @match cell {
                                        Cell::Text(text) if place == 0 => th scope="row" { (text) },
                                        Cell::Text(text) => td class="words" { (text) },
                                        Cell::Figure(figure, text) => td data-v=(figure) { (text) },
                                        Cell::Blank => td {},
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The table beneath a picture, closed until somebody wants it.
    pub fn beneath(&self, what: &str) -> Markup {
        html! { details class="figures" { summary { (what) } (self.drawn()) } }
    }
}

/// A picture with what it shows and the table beneath it.
pub fn figure(picture: &Markup, caption: &Markup, table: &Table) -> Markup {
    html! {
        figure {
            figcaption { (caption) }
            (picture)
            (table.beneath("The figures"))
        }
    }
}
