//! The format that is written: what was played, and nothing of how the machine held it. It is described in
//! `interpreter/blazon/SAVES.md`.

use blazon_kernel::chance;
use serde::{Deserialize, Serialize};

use super::by_hand::ByHand;
use super::entry::Entry;
use super::error::{SaveError, damaged};
use super::{Mark, Rules, Save, Text};

/// The number of this format.
pub(super) const FORMAT: u32 = 2;
/// What stands before the checksum in a text.
const CHECKSUM: &str = "checksum:";

#[derive(Serialize, Deserialize)]
#[serde(rename = "Save", deny_unknown_fields)]
struct Format2 {
    format: u32,
    rules: Rules2,
    setup: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    by_hand: Vec<ByHand>,
    log: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pending: Vec<Entry>,
    decisions: u64,
    position: String,
    checksum: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Rules", deny_unknown_fields)]
struct Rules2 {
    game: String,
    version: String,
    variants: Vec<(String, String)>,
    rulings: Vec<(String, String)>,
    text: Text,
}

/// Reads a text of this format.
pub(super) fn read(text: &str) -> Result<Save, SaveError> {
    let save: Format2 =
        ron::from_str(text).map_err(|error| damaged(format!("this is not a saved game: {error}")))?;
    let before = text.rfind(CHECKSUM).and_then(|at| text.get(..at)).unwrap_or_default();
    if checksum(before) != save.checksum {
        return Err(damaged("its checksum does not match: it was changed or cut off after it was saved"));
    }
    let Rules2 { game, version, variants, rulings, text } = save.rules;
    Ok(Save {
        format: save.format,
        rules: Rules { game, version, variants, rulings, text: Some(text) },
        setup: save.setup,
        seed: save.seed,
        by_hand: save.by_hand,
        log: save.log,
        pending: save.pending,
        decisions: save.decisions,
        mark: Mark::Digest(save.position),
    })
}

/// Writes a save. One that was read from an older format cannot be written: it has no digests.
pub(super) fn write(save: &Save) -> Result<String, SaveError> {
    let older = || damaged("a saved game of an older format is written anew only after it was gone on with");
    let Mark::Digest(position) = &save.mark else { return Err(older()) };
    let rules = save.rules.clone();
    let bare = Format2 {
        format: FORMAT,
        rules: Rules2 {
            game: rules.game,
            version: rules.version,
            variants: rules.variants,
            rulings: rules.rulings,
            text: rules.text.ok_or_else(older)?,
        },
        setup: save.setup.clone(),
        seed: save.seed,
        by_hand: save.by_hand.clone(),
        log: save.log.clone(),
        pending: save.pending.clone(),
        decisions: save.decisions,
        position: position.clone(),
        checksum: String::new(),
    };
    let pretty = ron::ser::PrettyConfig::new().struct_names(true).depth_limit(2).escape_strings(false);
    let text = ron::ser::to_string_pretty(&bare, pretty).map_err(|error| damaged(error.to_string()))?;
    let at = text.rfind(CHECKSUM).ok_or_else(|| damaged("it cannot be written"))?;
    let (before, after) = text.split_at(at);
    Ok(format!("{before}{}", after.replacen("\"\"", &format!("\"{}\"", checksum(before)), 1)))
}

/// A hash of all that stands before the checksum, blanks and line ends left out.
fn checksum(before: &str) -> String {
    let mut hasher = chance::TextHasher::default();
    before.split_ascii_whitespace().for_each(|word| hasher.write(word.as_bytes()));
    format!("{:016x}", hasher.finish())
}
