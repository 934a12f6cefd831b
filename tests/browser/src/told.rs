//! What the machine itself tells of a game that was kept: nothing of this comes from whoever draws the page.

use blazon::machine::Event;
use blazon::machine::save::Entry;
use blazon::{Game, Loader, PlayerId, Selection};
use serde::Deserialize;

use crate::{Laid, Tables};

/// A line of a table's log.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Done {
    Choice(Entry),
    Left(usize),
}

/// The lines that a table's seat must read, each after what sort it is of, by playing again what the disk has.
///
/// # Panics
/// If what was kept cannot be played again.
pub fn lines(tables: &Tables, laid: &Laid) -> Vec<String> {
    let begun = laid.begun();
    let mut rules = Loader::new().find(&tables.game).expect("a game");
    let wanted = Selection { variants: begun.variants.clone(), ..Selection::default() };
    let program = rules.program(&wanted).expect("rules that check");
    let setup = program.book.setups.iter().position(|setup| setup.name == begun.setup).expect("a setup");
    let mut game = Game::new(program).expect("a game");
    game.start(setup.into(), begun.seed).expect("a beginning");
    for choice in choices(laid) {
        let (player, option) =
            game.find(&choice).unwrap_or_else(|| panic!("`{choice}` was kept and is not open"));
        game.choose(player, option).unwrap_or_else(|error| panic!("`{choice}`: {error}"));
    }
    let seat = game.player(&laid.seat).expect("a player");
    game.events().iter().filter_map(|event| line(&game, event, seat)).collect()
}

/// The choices that hold, oldest first.
fn choices(laid: &Laid) -> Vec<Entry> {
    let mut choices = Vec::new();
    for line in laid.kept() {
        match serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}")) {
            Done::Choice(entry) => choices.push(entry),
            Done::Left(left) => choices.truncate(left),
        }
    }
    choices
}

/// An event as a seat may know it; of draws the page tells nothing.
fn line(game: &Game, event: &Event, seat: PlayerId) -> Option<String> {
    let told = game.tell(event, Some(seat))?;
    match event {
        Event::Chosen { .. } => Some(format!("chosen: {told}")),
        Event::Said { .. } => Some(format!("said: {told}")),
        Event::Rolled { dice, .. } => {
            Some(format!("dice: {}", dice.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")))
        }
        Event::Drawn { .. } => None,
        Event::Over { .. } => Some(format!("over: {told}")),
    }
}
