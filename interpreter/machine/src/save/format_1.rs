//! The first format, which is read and no longer written. Frozen: what stands here describes files that there are.
//!
//! Such a save held the position as the machine's own words and a hash of the lowered program. Neither outlives a change
//! of the compiler, so both are left unread but for the words whose places were fixed: outcome, seed, decisions.

use blazon_kernel::{Position, chance};
use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::error::{SaveError, damaged};
use super::{Mark, Rules, Save};

/// The places of the words that are read.
const SEED: usize = 2;
const OUTCOME: usize = 3;
const TAKEN: usize = 4;

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename = "Save", deny_unknown_fields)]
struct Format1 {
    format: u32,
    rules: Rules1,
    setup: String,
    seed: u64,
    log: Vec<Entry>,
    position: String,
    checksum: String,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename = "Rules", deny_unknown_fields)]
struct Rules1 {
    game: String,
    version: String,
    variants: Vec<(String, String)>,
    rulings: Vec<(String, String)>,
    program: String,
}

/// What the position's first words say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The seed that chance went on with; another than the game's if it was changed by hand.
    pub seed: u64,
    /// 0 under way, 1 over without a winner, 2 + player when won.
    pub outcome: u64,
}

/// Reads a text of this format.
pub(super) fn read(text: &str) -> Result<Save, SaveError> {
    let save: Format1 =
        ron::from_str(text).map_err(|error| damaged(format!("this is not a saved game: {error}")))?;
    // The checksum was that of the shortest RON of the same save without one.
    let bare = Format1 { checksum: String::new(), ..save.clone() };
    let bare = ron::to_string(&bare).map_err(|error| damaged(error.to_string()))?;
    if format!("{:016x}", chance::hash_text(&bare)) != save.checksum {
        return Err(damaged("its checksum does not match: it was changed or cut off after it was saved"));
    }
    let position = Position::from_text(&save.position).map_err(|error| damaged(error.to_string()))?;
    let word = |place: usize| position.words().get(place).copied();
    let (Some(seed), Some(outcome), Some(decisions)) = (word(SEED), word(OUTCOME), word(TAKEN)) else {
        return Err(damaged("its position is cut off"));
    };
    let Rules1 { game, version, variants, rulings, program: _ } = save.rules;
    Ok(Save {
        format: save.format,
        rules: Rules { game, version, variants, rulings, text: None },
        setup: save.setup,
        seed: save.seed,
        by_hand: Vec::new(),
        log: save.log,
        pending: Vec::new(),
        decisions,
        mark: Mark::Header(Header { seed, outcome }),
    })
}
