//! Rules: their clauses and tables.

mod labels;
mod rule_tables;
pub(crate) mod rules;
mod table_ranges;
