//! Many games between players made of code, and what they come to.
//!
//! Threads play games ([`Plan::play`]) whose numbers they take from a [`Queue`] that brings the rows back in order, so
//! that the same seed tells the same on any number of threads. Whoever wants to know more of a game than how it ended
//! [watches](Watch) it.
//!
//! | module | what it answers |
//! | --- | --- |
//! | [`simulation`] | games of a plan on all threads |
//! | [`part`] | the same in blocks: on several machines, in several sittings |
//! | [`tally`] | how many games of a sort there were, how long they are, with intervals |
//! | [`course`] | which steps measure how far a game is |
//! | [`measure`], [`choices`], [`heat`] | what games were like, which options were offered and taken, what happened where |
//! | [`compare`] | what a change of the rules does: pairs of games on the same luck |
//! | [`ladder`] | how strong players are |
//! | [`tables`] | every game, decision and event as a row, for notebooks |
//! | [`report`] | the same to look at: one HTML file |
//! | [`learn`] | which outlook games against oneself teach, as rules text |
//! | [`stats`] | how sure one may be: intervals, tests that may be looked at at any time, strengths of players |

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

pub mod choices;
pub mod compare;
pub mod course;
mod game;
pub mod heat;
pub mod ladder;
pub mod learn;
mod meaning;
pub mod measure;
pub mod part;
mod queue;
pub mod report;
pub mod simulation;
pub mod stats;
pub mod tables;
pub mod tally;

pub use game::{End, NOW, Plan, Row, Watch};
pub use queue::{Back, Event, Flow, Queue, Stop, Wait};
