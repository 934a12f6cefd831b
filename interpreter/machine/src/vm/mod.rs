//! The interpreter loop: instructions run in frames until somebody must decide, or nothing is left to do.

pub(crate) mod call;
pub(crate) mod context;
pub(crate) mod dice;
pub(crate) mod dispatch;
pub(crate) mod event;
pub(crate) mod memo;
pub(crate) mod names;
pub(crate) mod options;
pub(crate) mod prepared;
pub(crate) mod rare;
pub(crate) mod sets;
pub(crate) mod stores;
pub(crate) mod text;
pub(crate) mod traps;
pub(crate) mod words;
