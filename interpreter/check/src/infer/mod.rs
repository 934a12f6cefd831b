//! Bodies become typed: every expression, statement and choice of rules, steps, setups and tests.

mod always;
mod answers;
mod calls;
pub(crate) mod can;
mod choices;
mod expressions;
pub(crate) mod holes;
mod inherited_needs;
mod labels;
mod look_alikes;
mod loops;
mod luck;
pub(crate) mod offers;
mod operators;
mod queries;
mod query_forms;
mod questions;
mod ranges;
mod rules;
pub(crate) mod scenes;
mod setups;
pub(crate) mod statements;
mod substitute_names;
mod table_ranges;
mod test_items;
mod texts;
mod with;
