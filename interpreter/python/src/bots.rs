//! Players made of code at a game's table.

use blazon::bots::{Search, Way};
use blazon::hints::{Change, Prospect, hints};
use blazon::{OptionId, PlayerId};
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
    /// What a program would choose, and for whom.
    fn asked(
        &mut self,
        py: Python<'_>,
        bot: &str,
        player: Option<&str>,
        seed: Option<u64>,
    ) -> PyResult<(PlayerId, OptionId)> {
        let player = self.seat(py, player)?;
        if self.game.open(player) == 0 {
            let name = self.game.player_name(player);
            return Err(not_open(py, &format!("{name} is not asked now")));
        }
        let skill = seats::skill(py, self.game.book(), bot)?;
        let seed = seed.unwrap_or_else(|| self.seed_of(player));
        let game = &mut self.game;
        Ok((player, py.detach(|| game.ask(player, skill.bot(seed).as_mut()))))
    }

    /// A seed of each decision's own, so that a program made for one decision alone does not always pick the same.
    fn seed_of(&self, player: PlayerId) -> u64 {
        let place = u64::from(u32::from(player));
        blazon_kernel::chance::mix(self.game.seed().wrapping_add(place), self.game.taken())
    }
}

#[pymethods]
impl Game {
    /// Lets a program decide for a player: `"random"`, `"even"`, `"greedy"`, `"search"`, with `@200` for how many positions
    /// it tries and `:rule` for the rule that it judges by. It knows what the player may know. Answers the option that it
    /// took. Other Python threads go on meanwhile.
    ///
    /// The same seed decides the same; without one it comes of the game's seed and of how many decisions were taken.
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
        let (player, option) = self.asked(py, bot, player, seed)?;
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
        let (player, option) = self.asked(py, bot, player, seed)?;
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
        let seed = seed.unwrap_or_else(|| self.game.seed());
        let game = &mut self.game;
        let played = py.detach(|| -> Result<(), Stopped> {
            let mut bots = Bots::new(&skills, seed);
            for number in 1..=most {
                let Some(player) = game.decider() else { break };
                let option = bots.ask(game, player);
                game.choose(player, option)?;
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
