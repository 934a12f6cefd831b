//! What a change of the rules does to a game under way: which lines changed, where the game parts, which lines are to
//! blame for that, and what is otherwise where it goes on.
//!
//! Dice are keyed by their purpose and choices are logged by meaning, so the same game can be played again under other
//! rules up to the same decision ([`crate::Game::replay`]). Here is what follows from that:
//!
//! | question | answer |
//! | --- | --- |
//! | what is another in the texts? | [`Change::hunks`] |
//! | which of that makes this game part here? | [`Blame`]: found by trying, not by guessing |
//! | what is otherwise at the decision where it stands? | [`Standpoint::difference`] |

mod blame;
mod difference;
mod hunks;
mod standpoint;
mod texts;

pub use blame::{Blame, Culprit};
pub use difference::{Came, Difference, OtherValue, Went};
pub use hunks::{Change, Hunk, Settled};
pub use standpoint::Standpoint;
