//! Where in the rules something comes from that is seen on a page.

use blazon::book::{Book, Role};
use blazon::diagnostics::Span;
use blazon::{Game, PlayerId};

use super::Sitting;
use super::live::player;
use crate::draw::thing_of;
use crate::problem::Problem;

/// What of a page is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// What is being decided.
    Decision,
    /// An option of the decision of a number.
    Option(u64, usize),
    /// A line of the log as the seat reads it, from 0.
    Line(usize),
    /// A thing, by its token.
    Thing(String),
}

impl Sitting<'_> {
    /// Whether this is a table of a designer, who may see where everything comes from.
    ///
    /// # Errors
    /// `serve::secret` if not.
    pub fn is_designed(&self) -> Result<(), Problem> {
        if self.is_open_to_design() {
            return Ok(());
        }
        Err(Problem::secret(
            "rules are changed at tables that are all yours, of a game that lies in a folder",
        ))
    }

    /// Whether rules can be changed at this table.
    pub fn is_open_to_design(&self) -> bool {
        self.hall.design.watches() && self.facts.is_in_one_hand() && self.lies_in_a_folder()
    }

    /// Whether the game is one whose files are there to be changed.
    pub fn lies_in_a_folder(&self) -> bool {
        self.hall.shelf.game(&self.facts.game).is_some_and(|game| game.root.is_some())
    }

    /// Whether its designer's own editor is opened from the board.
    pub fn has_editor(&self) -> bool {
        self.hall.design.editor().is_some()
    }

    /// Where something comes from: what stands there, and file, line and column.
    ///
    /// # Errors
    /// If there is nothing of the kind.
    pub fn places(&mut self, seat: usize, asked: &Asked) -> Result<Vec<(String, String)>, Problem> {
        if let Asked::Line(line) = asked {
            return self.line_places(seat, *line);
        }
        let option = match asked {
            Asked::Option(number, option) => {
                self.fits(seat, *number)?;
                self.look(Some(seat))?.picks.take(*option, 0)
            }
            Asked::Decision | Asked::Line(_) | Asked::Thing(_) => None,
        };
        let mut copy = self.live.game.clone();
        let kit = self.live.kit.clone();
        let spans = kit.pool.act(&mut copy, |game| {
            let player = player(game, seat);
            match asked {
                Asked::Thing(name) => of_thing(game.book(), name),
                Asked::Option(..) => of_option(game, player, option),
                Asked::Decision | Asked::Line(_) => of_decision(game),
            }
        })?;
        let sources = &kit.pool.program().book.sources;
        let known = spans.into_iter().filter(|(_, span)| sources.find(span.source).is_some());
        Ok(known.map(|(what, span)| (what, sources.place(span))).collect())
    }

    fn line_places(&self, seat: usize, line: usize) -> Result<Vec<(String, String)>, Problem> {
        let read = self.live.told.iter().filter(|told| told.text_for(Some(seat)).is_some());
        let Some(told) = read.into_iter().nth(line) else {
            return Err(Problem::request("there is no such line"));
        };
        let sources = &self.live.kit.pool.program().book.sources;
        let span = told.span.filter(|span| sources.find(span.source).is_some());
        Ok(span.map(|span| ("this line".to_owned(), sources.place(span))).into_iter().collect())
    }
}

fn of_decision(game: &Game) -> Vec<(String, Span)> {
    game.machine().choice().map(|choice| ("what is asked".to_owned(), choice.span)).into_iter().collect()
}

fn of_option(game: &mut Game, player: Option<PlayerId>, id: Option<blazon::OptionId>) -> Vec<(String, Span)> {
    let Some((player, id)) = player.zip(id) else { return Vec::new() };
    let open = game.options_by_id(player).into_iter().find(|open| open.id == id);
    let choice = game.machine().choice();
    let info = open.zip(choice).and_then(|(open, choice)| choice.options.get(usize::from(open.option)));
    info.map(|info| (format!("option {}", info.name), info.span)).into_iter().collect()
}

/// Where a thing is listed, and where the states and facts are declared that it has.
fn of_thing(book: &Book, token: &str) -> Vec<(String, Span)> {
    let Some((id, thing)) = thing_of(token) else { return Vec::new() };
    let Some(kind) = book.kinds.get(id.0 as usize) else { return Vec::new() };
    let thing = thing.and_then(|thing| kind.things.get(thing as usize));
    let mut places: Vec<(String, Span)> =
        thing.map(|thing| (thing.name.clone(), thing.span)).into_iter().collect();
    places.push((format!("kind {}", kind.name), kind.span));
    let of_it = book.columns.iter().filter(|column| column.keys == [id]);
    places.extend(of_it.map(|column| {
        let word = if matches!(column.role, Role::Fact(_)) { "fact" } else { "state" };
        (format!("{word} {}", column.name), column.span)
    }));
    places
}
