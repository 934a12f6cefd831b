//! What lies on the disk: a folder for each table.
//!
//! | file | what | how it is written |
//! | --- | --- | --- |
//! | `table.json` | what is played, who sits where | aside, then renamed |
//! | `log.jsonl` | what was done, a line each | appended and synced before anybody sees the effect |
//! | `begin.game` | the saved game that it began with, if there is one | once |
//! | `save.game` | the game as `blazon play --load` takes it | aside, then renamed, now and then |
//!
//! The log is the game; the last file is a copy for people and is never read here.

mod facts;
mod folder;
mod journal;

pub use facts::{Access, Facts, Seat, Sits};
pub use folder::{Data, read, write_aside};
pub use journal::{Journal, Line};
