//! Players made of code at a game's table.

use blazon::PlayerId;
use blazon::bots::{Search, Skill, Way};
use blazon::hints::{Change, Prospect, hints};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::choice::Choice;
use crate::error::{not_open, raised, unknown};
use crate::game::Game;
use crate::seats::{self, Bots};
use crate::told::to_python;

/// Why a game was not played to its end.
enum Stopped {
    /// The rules failed.
    Failed(blazon::Error),
    /// Somebody wants to stop.
    Asked(PyErr),
}

impl From<blazon::Error> for Stopped {
    fn from(error: blazon::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<PyErr> for Stopped {
    fn from(error: PyErr) -> Self {
        Self::Asked(error)
    }
}

impl Game {
    /// A player who is asked, and the program that is to decide for him.
    fn asked(&self, py: Python<'_>, bot: &str, player: Option<&str>) -> PyResult<(PlayerId, Skill)> {
        let player = self.seat(py, player)?;
        if self.game.open(player) == 0 {
            let name = self.game.player_name(player);
            return Err(not_open(py, &format!("{name} is not asked now")));
        }
        Ok((player, seats::skill(py, self.game.book(), bot)?))
    }
}

#[pymethods]
impl Game {
    /// Lets a program decide for a player: `"random"`, `"even"`, `"greedy"`, `"search"`, with `@200` for how many positions
    /// it tries and `:rule` for the rule that it judges by. It knows what the player may know. Answers the option that it
    /// took. Other Python threads go on meanwhile.
    ///
    /// The game has one program of each name for each player: it knows what it chose and learned before, since one that does
    /// not goes round in circles. Its seed comes of the game's; the same moves from the beginning are the same game. With a
    /// `seed` another is made for this decision alone: the same seed decides the same.
    ///
    /// Raises `UnknownError` if there is no such program, `NotOpen` if the player is not asked, `Fault` if the rules fail.
    #[pyo3(signature = (bot="greedy", *, player=None, seed=None))]
    fn bot_move(
        &mut self,
        py: Python<'_>,
        bot: &str,
        player: Option<&str>,
        seed: Option<u64>,
    ) -> PyResult<Option<Choice>> {
        let (player, skill) = self.asked(py, bot, player)?;
        let (game, bots) = (&mut self.game, &mut self.bots);
        let option = py.detach(|| match seed {
            Some(seed) => game.ask(player, skill.bot(seed).as_mut()),
            None => game.ask(player, bots.of(player, &skill, game.seed())),
        });
        let choice = self.taken_as(player, option);
        let game = &mut self.game;
        py.detach(|| game.choose(player, option)).map_err(|error| raised(py, &error))?;
        Ok(choice)
    }

    /// The option that a program would take; the game stays as it is. Otherwise as `bot_move`.
    #[pyo3(signature = (bot="greedy", *, player=None, seed=None))]
    fn bot_choice(
        &mut self,
        py: Python<'_>,
        bot: &str,
        player: Option<&str>,
        seed: Option<u64>,
    ) -> PyResult<Option<Choice>> {
        let (player, skill) = self.asked(py, bot, player)?;
        let (game, bots) = (&mut self.game, &self.bots);
        let option = py.detach(|| {
            let mut bot = match seed {
                Some(seed) => skill.bot(seed),
                None => bots.twin_of(player, &skill, game.seed()),
            };
            game.ask(player, bot.as_mut())
        });
        Ok(self.taken_as(player, option))
    }

    /// What a `search` program thinks of the options of a player: a dictionary with `options`, the best first, each with its
    /// `id`, `label`, `value` (0 lost, 1 won, one half as it stands now), `tries`, `outlook` by players, and `clauses`, by
    /// players and labels how much clauses of the outlook change; `outlook` now by players; and `positions`, how many were
    /// tried. `None` if there is nothing to choose.
    ///
    /// Raises as `bot_move`, and `UnknownError` if the program does not search.
    #[pyo3(signature = (bot="search", *, player=None, seed=0))]
    fn advise<'py>(
        &mut self,
        py: Python<'py>,
        bot: &str,
        player: Option<&str>,
        seed: u64,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let player = self.seat(py, player)?;
        let skill = seats::skill(py, self.game.book(), bot)?;
        let (Way::Search, Some(effort)) = (skill.way, skill.effort()) else {
            return Err(unknown(py, &format!("`{bot}` does not search; `search` does, or `search@2000`")));
        };
        let game = &self.game;
        let hints = py.detach(|| {
            let search = Search::new(seed, effort).by(skill.outlook.as_deref());
            hints(game, player, search)
        });
        let Some(hints) = hints.map_err(|error| raised(py, &error))? else { return Ok(None) };
        let outlook = |looks: &Prospect| (looks.player.clone(), looks.then.into());
        let clauses = |looks: &Prospect| {
            let change = |clause: &Change| (clause.label.clone(), (clause.then - clause.now).into());
            (looks.player.clone(), Value::Object(looks.clauses.iter().map(change).collect()))
        };
        let options: Vec<Value> = hints
            .options
            .iter()
            .map(|hint| {
                json!({
                    "id": hint.option.index(),
                    "label": self.game.label(player, hint.option),
                    "value": hint.value,
                    "tries": hint.tries,
                    "outlook": Value::Object(hint.outlook.iter().map(outlook).collect()),
                    "clauses": Value::Object(hint.outlook.iter().map(clauses).collect()),
                })
            })
            .collect();
        let now: serde_json::Map<_, _> =
            hints.outlook.into_iter().map(|(player, outlook)| (player, outlook.into())).collect();
        let told = json!({ "options": options, "outlook": now, "positions": hints.positions });
        to_python(py, &told).map(Some)
    }

    /// Plays on to the end of the game, or until `most` more decisions were taken, with programs on all seats; `players` is
    /// one for all, one for each in order, or some by the players' names (others play at random). Answers `outcome`. Other
    /// Python threads go on meanwhile; Ctrl-C ends it between two decisions.
    ///
    /// They are the game's programs, as for `bot_move`, or with a `seed` others that are made for this call.
    ///
    /// Raises `UnknownError` if there is no such program or player, `Fault` if the rules fail.
    #[pyo3(signature = (players=None, *, most=100_000, seed=None))]
    fn play_out<'py>(
        &mut self,
        py: Python<'py>,
        players: Option<&Bound<'py, PyAny>>,
        most: u64,
        seed: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        /// So many decisions are taken before it is looked whether somebody wants to stop.
        const TOGETHER: u64 = 64;
        let random = pyo3::types::PyString::new(py, "random");
        let skills = seats::skills(self.game.book(), players.unwrap_or(random.as_any()))?;
        let mut others = Bots::default();
        let (bots, seed) = match seed {
            Some(seed) => (&mut others, seed),
            None => (&mut self.bots, self.game.seed()),
        };
        let game = &mut self.game;
        let played = py.detach(|| -> Result<(), Stopped> {
            for number in 1..=most {
                let Some(player) = game.decider() else { break };
                let skill = skills.get(player.index()).unwrap_or(&Skill::RANDOM);
                game.choose_by(player, bots.of(player, skill, seed))?;
                if number % TOGETHER == 0 {
                    Python::attach(|py| py.check_signals())?;
                }
            }
            Ok(())
        });
        match played {
            Ok(()) => {}
            Err(Stopped::Failed(error)) => return Err(raised(py, &error)),
            Err(Stopped::Asked(error)) => return Err(error),
        }
        to_python(py, &self.game.end())
    }
}
