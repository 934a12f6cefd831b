//! Setups, scenes and tests: who stands where.

pub(crate) mod scenes;
mod setup_lines;
mod setups;
mod test_items;
