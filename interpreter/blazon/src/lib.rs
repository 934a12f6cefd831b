//! Blazon as a library: loads the rules of a board game, compiles them, and plays games decision by decision.

pub use blazon_machine::bots;
mod compile;
mod error;
mod game;
mod ids;
mod load;
mod pool;
pub mod present;
pub mod told;

pub use blazon_check::Settings;
pub use blazon_check::project::{Folder, Page, Project};
pub use blazon_machine::Limits;
pub use compile::{Compiled, Reading, Selection, compile};
pub use error::{Error, Failure, Problems, Result, Unknown};
pub use game::{Game, Log, NoWayBack, Outcome};
pub use ids::{ChoiceId, OptionId, PlayerId, SetupId};
#[cfg(feature = "folders")]
pub use load::shown;
pub use load::{
    Embedded, Loader, MANIFEST, Rules, Variant, default_game, embedded_game, embedded_games, put,
};
pub use pool::{Pool, Table};
