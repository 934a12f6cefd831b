//! Names become numbers: kinds and their things, links, grids, facts, states, and the headings of rules and steps.

pub(crate) mod binders;
pub(crate) mod checker;
pub(crate) mod citations;
mod constants;
pub(crate) mod declarations;
mod displays;
pub(crate) mod env;
mod faces;
mod fact_changes;
pub(crate) mod grids;
pub(crate) mod homonyms;
mod link_lists;
mod looks;
mod points;
mod removed;
mod seats;
pub(crate) mod tables;
pub(crate) mod unknown;
pub(crate) mod uses;

pub(crate) use checker::{Checker, Function};
pub(crate) use env::Env;
