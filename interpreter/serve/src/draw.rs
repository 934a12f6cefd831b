//! What the tables need of whoever draws: the only place that knows the renderer.

use std::collections::BTreeMap;
use std::sync::Arc;

use blazon::machine::Event;
use blazon::told::{Change, Value};
use blazon::{Game, OptionId, PlayerId, Program};
pub use blazon_board::{Decision, Fragment, STYLE, thing_of};
use maud::{PreEscaped, html};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::problem::Problem;

/// Draws the positions of one program.
pub struct Board {
    board: blazon_board::Board,
    /// The titles of the paragraphs.
    titles: BTreeMap<String, String>,
    /// By what a page knows whether its empty board is still this one.
    print: String,
}

/// A picture, what is asked, and what the options mean.
pub struct Shown {
    /// The pieces.
    pub fragments: Vec<Fragment>,
    /// What is asked. How many decisions there were is nobody's business: each seat counts its own, so its number is none.
    pub decision: Decision,
    /// What its options mean.
    pub picks: Picks,
}

/// What an option would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Changes {
    /// Luck, or somebody else, has a part in it.
    Chance {
        /// Always.
        chance: bool,
    },
    /// What would be otherwise than it is, line by line as HTML.
    Lines {
        /// The lines.
        changes: Vec<String>,
    },
}

/// What the options of a decision mean: look-alikes are one option.
#[derive(Clone, Debug, Default)]
pub struct Picks(Box<[Box<[u32]>]>);

impl Picks {
    fn of(shown: &blazon_board::Shown) -> Self {
        let number = |option: &OptionId| u32::try_from(option.index()).unwrap_or(u32::MAX);
        let places = 0..shown.decision.options.len();
        Self(places.map(|place| shown.behind(place).iter().map(number).collect()).collect())
    }

    /// One of the options that an option of the page stands for, by a number that nobody foresees.
    pub fn take(&self, option: usize, chance: u64) -> Option<OptionId> {
        let alike = self.0.get(option)?;
        let place = chance % alike.len().max(1) as u64;
        alike.get(place as usize).map(|&option| OptionId::from(option as usize))
    }

    /// The option of the page that stands for one of the game's.
    pub fn page(&self, option: usize) -> Option<usize> {
        let option = u32::try_from(option).ok()?;
        self.0.iter().position(|alike| alike.contains(&option))
    }

    /// About how many bytes it takes.
    #[cfg(test)]
    pub fn memory(&self) -> usize {
        self.0.iter().map(|alike| 24 + 4 * alike.len()).sum()
    }
}

impl Board {
    /// A board for a program, with its drawn map.
    ///
    /// # Errors
    /// If the game's map cannot be shown.
    pub fn new(program: Arc<Program>, map: Option<&str>) -> Result<Self, Problem> {
        let titles = program.book.outline.iter().cloned().collect();
        let board = blazon_board::Board::new(program, map).map_err(|problems| {
            let code = problems.first().map_or("map::unreadable", |problem| problem.code);
            let said: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
            let text =
                format!("the drawn map cannot be shown: {}; `blazon check` shows where", said.join("; "));
            Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, code, text)
        })?;
        let drawn = Sha256::digest(board.sheet());
        let print = drawn[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { board, titles, print })
    }

    /// The board with what stands on it, as SVG.
    pub fn sheet_with(&self, pieces: &str) -> String {
        self.board.sheet_with(pieces)
    }

    /// What a viewer's page has besides the position.
    pub fn besides(&self, is_seat: bool) -> impl Iterator<Item = Fragment> {
        self.key().into_iter().chain(is_seat.then(|| self.mark()))
    }

    /// By what a page knows whether its empty board is still this one.
    fn mark(&self) -> Fragment {
        let html = html! { i id="sheet" hidden data-sheet=(self.print) {} }.into_string();
        Fragment { layer: "design", id: "sheet".to_owned(), html }
    }

    /// The key to the map, if it has one. It says what facts hold, which changes with the rules.
    fn key(&self) -> Option<Fragment> {
        let key = Some(self.board.key()).filter(|key| !key.is_empty())?;
        let html = html! { div id="key" { (PreEscaped(key)) } }.into_string();
        Some(Fragment { layer: "trays", id: "key".to_owned(), html })
    }

    /// What somebody sees, and what he is asked; without a player, what all see.
    pub fn show(&self, game: &mut Game, viewer: Option<PlayerId>) -> Result<Shown, Problem> {
        let shown = self.board.show(game, viewer)?;
        let picks = Picks::of(&shown);
        let decision = Decision { number: 0, ..shown.decision };
        Ok(Shown { fragments: shown.fragments, decision, picks })
    }

    /// The lines of the log for events as somebody may read them; nothing where there is nothing to tell.
    pub fn lines(&self, game: &Game, events: &[Event], viewer: Option<PlayerId>) -> Vec<Option<String>> {
        self.board.lines(game, events, viewer)
    }

    /// By what it is known whether the same is displayed as before.
    pub fn scene(&self, game: &Game) -> Option<u64> {
        self.board.scene(game)
    }

    /// As [`blazon_board::Board::is_of_scene`].
    pub fn is_of_scene(&self, game: &Game, event: &Event) -> bool {
        self.board.is_of_scene(game, event)
    }

    /// Paragraphs with their titles.
    pub fn titled(&self, paragraphs: &[String]) -> Vec<(String, String)> {
        let title = |paragraph: &String| self.titles.get(paragraph).cloned().unwrap_or_default();
        paragraphs.iter().map(|paragraph| (paragraph.clone(), title(paragraph))).collect()
    }

    /// Why what is not open is not, as JSON.
    pub fn why(&self, game: &mut Game, player: PlayerId, number: u64) -> Result<String, Problem> {
        let refusals = self.board.why(game, player)?;
        let cited = refusals.iter().flat_map(|refusal| &refusal.paragraphs);
        let titles: BTreeMap<&String, &String> =
            cited.filter_map(|paragraph| Some((paragraph, self.titles.get(paragraph)?))).collect();
        Ok(json!({ "number": number, "refusals": refusals, "titles": titles }).to_string())
    }
}

impl Changes {
    /// What can be told before, if anything.
    pub fn of(changes: Option<Vec<Change>>) -> Self {
        match changes {
            Some(changes) => Self::Lines { changes: changes.iter().filter_map(line).collect() },
            None => Self::Chance { chance: true },
        }
    }
}

/// What differs, as a line.
pub fn line(change: &Change) -> Option<String> {
    let (of, state, from, to) = match change {
        Change::Thing { name, state, from, to, .. } => (name.clone(), state, from, to),
        Change::State { state, keys, from, to } => (keys.join(", "), state, from, to),
        Change::Shown { .. } | Change::Covered { .. } | Change::Backs { .. } => return None,
    };
    let (from, to) = (shown(from), shown(to));
    let line = html! { @if !of.is_empty() { b { (of) } ": " } (state) " " (from) " → " (to) };
    Some(line.into_string())
}

/// A value in words.
fn shown(value: &Value) -> String {
    match value {
        Value::Nothing => "–".to_owned(),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Thing(name) => name.clone(),
        Value::Hidden { hidden } => format!("a {hidden}"),
        Value::Things(things) if things.is_empty() => "none".to_owned(),
        Value::Things(things) => things.join(", "),
        Value::Partly { things, hidden } => {
            things.iter().cloned().chain([format!("{hidden} hidden")]).collect::<Vec<_>>().join(", ")
        }
        Value::Dice(dice) => dice.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
    }
}
