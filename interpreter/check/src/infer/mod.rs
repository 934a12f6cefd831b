//! Bodies become typed: every expression, statement and choice of rules, steps, setups and tests.

pub(crate) mod clauses;
pub(crate) mod exclusive;
pub(crate) mod holes;
pub(crate) mod options;
pub(crate) mod positions;
pub(crate) mod slips;
pub(crate) mod steps;
pub(crate) mod values;
