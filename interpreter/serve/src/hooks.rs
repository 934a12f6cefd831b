//! "Your turn", sent to a link that a player has given.

use crate::problem::Problem;
use crate::table::Table;

/// The longest link.
const LONGEST: usize = 500;

/// Sends messages.
#[derive(Default)]
pub struct Hooks {}

impl Hooks {
    /// Tells those who must decide.
    pub fn tell(&self, _table: &Table, _deciders: &[usize]) {}
}

/// A link to which something can be sent; nothing for an empty text.
///
/// # Errors
/// If it is none.
pub fn checked(link: &str) -> Result<Option<String>, Problem> {
    match link.trim() {
        "" => Ok(None),
        link if link.len() > LONGEST || link.contains(char::is_whitespace) => {
            Err(Problem::request("this is no link"))
        }
        link if link.starts_with("https://") || link.starts_with("http://") => Ok(Some(link.to_owned())),
        _ => Err(Problem::request("a link begins with https://")),
    }
}
