//! What lies on the disk: a folder for each table.
//!
//! | file | what | how it is written |
//! | --- | --- | --- |
//! | `table.json` | what is played, who sits where | whole |
//! | `log.jsonl` | what was done, a line each | made with the table; appended and synced before anybody sees the effect |
//! | `begin.game` | the saved game that it began with, if there is one | once |
//! | `log-1.jsonl` … | the log from the first time on that it goes on by other rules; the log before is left as it is | the same |
//! | `standing.json` | who has to decide, while the table sleeps | whole |
//! | `save.game` | the game as `blazon play --load` takes it | whole, now and then; at a designer's table always |
//!
//! What is written whole is the old file or the new one, whatever happens meanwhile: see [`blazon::files`].
//!
//! Beside them the folder `rules` holds the rules of all tables as text, once each.
//!
//! `table.json` says which of them must be there: one that has gone is told, and never read as an empty one.
//! The log is the game. The last file is a copy, and no table is made from it: it is for people, and for the language server,
//! which reads it to tell a designer what rules are worth at his own table. The one before it counts as long as the log is as
//! long as it was.

mod facts;
mod folder;
mod journal;
mod standing;
mod texts;

pub use facts::{Access, Facts, Seat, Sits, bots_of};
pub use folder::{Data, read};
pub use journal::{Journal, Line};
pub use standing::Standing;
pub use texts::{keep_rules, kept_rules};
