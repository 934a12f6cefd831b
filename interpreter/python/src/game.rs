//! A game under way.

use std::collections::BTreeSet;
use std::sync::Arc;

use blazon::machine::save::{Replayed, Save};
use blazon::told::Offer;
use blazon::{OptionId, PlayerId, Program, SetupId};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::actions::Numbering;
use crate::choice::{Choice, fits, meaning};
use crate::error::{names, no_save, not_open, raised, save_failed, unknown};
use crate::layout::Layout;
use crate::rules::{Wanted, has_rules};
use crate::seats::{self, Bots};
use crate::told::{event, to_python};

/// How many options a message names.
const NAMED: usize = 6;

/// A game under way, at a decision or at its end.
///
/// `game` is the name of a game that this package has (`blazon_rules.games()`), or the folder of one. `variants` are laid
/// on it in their order; `rulings` are values by the rulings' names; `setup` is the name of a setup, the first if `None`.
/// The same `seed` and the same choices are the same game everywhere. With `invariants` the game stops with a `Fault` where
/// an invariant of the rules does not hold.
///
/// Raises `RulesError` if the rules have errors, `UnknownError` if something is asked for that there is not, `Fault` if the
/// rules fail before the first decision.
#[pyclass(subclass, module = "blazon_rules")]
pub struct Game {
    pub game: blazon::Game,
    /// The programs that decided in it.
    pub bots: Bots,
    wanted: Wanted,
    /// What a replay came to, or what whoever goes on with a saved game should know.
    #[pyo3(get)]
    note: Option<String>,
    /// Whether it is a guess, which has no log.
    #[pyo3(get)]
    is_guess: bool,
    layout: Option<Arc<Layout>>,
    numbering: Option<Arc<Numbering>>,
}

impl Game {
    /// The program that is played.
    pub fn program(&self) -> &Arc<Program> {
        self.game.program()
    }

    /// The place of the setup.
    pub fn setup_place(&self) -> usize {
        self.game.setup().into()
    }

    fn made(py: Python<'_>, program: Arc<Program>, wanted: Wanted) -> PyResult<Self> {
        let game = blazon::Game::new(program).map_err(|error| raised(py, &error))?;
        Ok(Self {
            game,
            bots: Bots::default(),
            wanted,
            note: None,
            is_guess: false,
            layout: None,
            numbering: None,
        })
    }

    /// Where what is seen stands among numbers; it hangs on the rules alone.
    pub fn layout(&mut self) -> Arc<Layout> {
        self.layout.get_or_insert_with(|| Arc::new(Layout::of(self.game.program()))).clone()
    }

    /// The numbers of all options that can ever be open.
    pub fn numbering(&mut self) -> Arc<Numbering> {
        self.numbering.get_or_insert_with(|| Arc::new(Numbering::of(self.game.program()))).clone()
    }

    /// A player at the table by his name; without a name the one who decides.
    ///
    /// # Errors
    /// `UnknownError` if there is none of that name, or several decide; `NotOpen` if nobody does.
    pub fn seat(&self, py: Python<'_>, name: Option<&str>) -> PyResult<PlayerId> {
        let Some(name) = name else {
            return match self.game.deciders().as_slice() {
                [] => Err(not_open(py, "nobody has to decide: the game is over")),
                [one] => Ok(*one),
                several => {
                    let several: Vec<String> =
                        several.iter().map(|&player| self.game.player_name(player)).collect();
                    let message =
                        format!("{} decide now; say which one: player={:?}", names(&several), several[0]);
                    Err(unknown(py, &message))
                }
            };
        };
        let found = self.game.player(name).filter(|player| self.game.players().contains(player));
        found.ok_or_else(|| {
            let message = format!("no player is called `{name}`; there are {}", names(&self.players()));
            unknown(py, &message)
        })
    }

    /// The open option that is meant, and whose it is.
    ///
    /// # Errors
    /// `NotOpen` if it is not open, `UnknownError` if several fit or there is no such player.
    pub fn found<'py>(
        &mut self,
        option: &Bound<'py, PyAny>,
        player: Option<&str>,
        args: Option<&Bound<'py, PyDict>>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(PlayerId, OptionId)> {
        let py = option.py();
        let given = together(py, args, named)?;
        let player = match (player, option.cast::<Choice>()) {
            (None, Ok(choice)) => self.seat(py, Some(choice.get().player()))?,
            (Some(_), _) | (None, Err(_)) => self.seat(py, player)?,
        };
        let id = self.meant(player, option, &given)?;
        Ok((player, id))
    }

    /// The open option that is meant: an [`Choice`] of this decision, its number, or its name with arguments.
    fn meant(
        &mut self,
        player: PlayerId,
        option: &Bound<'_, PyAny>,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<OptionId> {
        let py = option.py();
        let who = self.game.player_name(player);
        if self.game.open(player) == 0 {
            let message = match self.game.outcome() {
                Some(_) => "the game is over".to_owned(),
                None => format!("{who} is not asked now; {} must decide", names(&self.deciders())),
            };
            return Err(not_open(py, &message));
        }
        let named = option.is_instance_of::<PyString>();
        if !named && !given.is_empty() {
            let message =
                "arguments are given beside the name of an option, not beside an option or its number";
            return Err(unknown(py, message));
        }
        if let Ok(choice) = option.cast::<Choice>() {
            let choice = choice.get();
            let open = self.game.options(player);
            if open.get(choice.offer.id.index()).is_some_and(|offer| *offer == choice.offer) {
                return Ok(choice.offer.id);
            }
            let message = format!("`{}` is not open to {who} any more", meaning(&choice.offer));
            return Err(not_open(py, &message));
        }
        if named {
            return self.named(player, &option.extract::<String>()?, given);
        }
        let open = self.game.open(player);
        let Ok(place) = option.extract::<i64>() else {
            let message = "an option is an `Option`, its number, or its name with arguments";
            return Err(PyTypeError::new_err(message));
        };
        if let Some(place) = usize::try_from(place).ok().filter(|&place| place < open) {
            return Ok(place.into());
        }
        Err(not_open(py, &format!("there is no option {place}: {who} has {open}, from 0 to {}", open - 1)))
    }

    /// The one open option of a name that has all the arguments that are given.
    fn named(&mut self, player: PlayerId, name: &str, given: &Bound<'_, PyDict>) -> PyResult<OptionId> {
        let py = given.py();
        let open = self.game.options(player);
        let mut fitting: Vec<&Offer> = Vec::new();
        for offer in &open {
            if fits(&offer.option, &offer.args, name, given)? {
                fitting.push(offer);
            }
        }
        match fitting.as_slice() {
            [one] => Ok(one.id),
            // Those that read alike are the same to who chooses.
            [first, rest @ ..] if rest.iter().all(|offer| offer.args == first.args) => Ok(first.id),
            [] => Err(self.closed(player, name, given, &open)?),
            several => {
                let several: Vec<String> = several.iter().map(|offer| meaning(offer)).collect();
                let more = several.len().saturating_sub(NAMED);
                let mut listed = names(&several[..several.len().min(NAMED)]);
                if more > 0 {
                    listed += &format!(", and {more} more");
                }
                let message = format!("{} options fit; give more arguments: {listed}", several.len());
                Err(unknown(py, &message))
            }
        }
    }

    /// Why an option that is named is not open.
    fn closed(
        &mut self,
        player: PlayerId,
        name: &str,
        given: &Bound<'_, PyDict>,
        open: &[Offer],
    ) -> PyResult<PyErr> {
        let py = given.py();
        for refusal in self.game.refusals(player) {
            if fits(&refusal.option, &refusal.args, name, given)? {
                let mut message = format!(
                    "`{}` is not open: {}",
                    crate::choice::written(&refusal.option, &refusal.args),
                    refusal.reason
                );
                if !refusal.paragraphs.is_empty() {
                    message += &format!(" ({})", refusal.paragraphs.join(", "));
                }
                return Ok(not_open(py, &message));
            }
        }
        let there: BTreeSet<&str> = open.iter().map(|offer| offer.option.as_str()).collect();
        let there: Vec<&str> = there.into_iter().collect();
        let message = match there.contains(&name) {
            true => format!(
                "no option `{name}` with these arguments is open; `options()` has those that are, `refusals()` why others \
                 are not"
            ),
            false => format!("no option `{name}` is open; there are {}", names(&there)),
        };
        Ok(not_open(py, &message))
    }

    fn choice(&mut self, player: PlayerId, offer: Offer) -> Choice {
        Choice::new(offer, &self.game.player_name(player), self.game.taken())
    }
}

/// What rules a pickled game is by: target, variants, rulings, setup, invariants.
type Pickled = (String, Vec<String>, Vec<(String, String)>, Option<String>, bool);

/// Arguments from a dictionary and from keywords, together.
fn together<'py>(
    py: Python<'py>,
    args: Option<&Bound<'py, PyDict>>,
    named: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for some in [args, named].into_iter().flatten() {
        all.update(some.as_mapping())?;
    }
    Ok(all)
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (game, *, variants=None, rulings=None, setup=None, seed=0, invariants=false))]
    fn new(
        game: &Bound<'_, PyAny>,
        variants: Option<Vec<String>>,
        rulings: Option<&Bound<'_, PyDict>>,
        setup: Option<String>,
        seed: u64,
        invariants: bool,
    ) -> PyResult<Self> {
        let py = game.py();
        let path = py.import("os")?.getattr("fspath")?.call1((game,))?;
        let wanted = Wanted::new(&path.extract::<String>()?, variants, rulings, setup, invariants)?;
        let mut made = Self::made(py, wanted.program(py)?, wanted)?;
        made.reset(py, seed, None)?;
        Ok(made)
    }

    /// Begins anew with a seed; with another setup if one is named.
    ///
    /// Raises `UnknownError` if there is no such setup, `Fault` if the rules fail before the first decision.
    #[pyo3(signature = (seed=0, *, setup=None))]
    fn reset(&mut self, py: Python<'_>, seed: u64, setup: Option<&str>) -> PyResult<()> {
        let place = match setup {
            None => self.game.setup(),
            Some(name) => {
                let setups = &self.game.book().setups;
                let lower = name.to_lowercase();
                let place = setups.iter().position(|setup| setup.name.to_lowercase() == lower);
                let there: Vec<&str> = setups.iter().map(|setup| setup.name.as_str()).collect();
                let message = || format!("there is no setup `{name}`; there are {}", names(&there));
                SetupId::from(place.ok_or_else(|| unknown(py, &message()))?)
            }
        };
        let game = &mut self.game;
        py.detach(|| game.start(place, seed)).map_err(|error| raised(py, &error))?;
        self.bots = Bots::default();
        (self.note, self.is_guess) = (None, false);
        Ok(())
    }

    /// Another game by the same rules, from its beginning. It takes a fraction of the time of `Game(…)`: nothing is
    /// compiled.
    #[pyo3(signature = (seed=0, *, setup=None))]
    fn new_game(&self, py: Python<'_>, seed: u64, setup: Option<&str>) -> PyResult<Self> {
        let mut other = Self::made(py, self.program().clone(), self.wanted.clone())?;
        (other.layout, other.numbering) = (self.layout.clone(), self.numbering.clone());
        let own = self.game.setup();
        match setup {
            Some(_) => other.reset(py, seed, setup)?,
            None => other.game.start(own, seed).map_err(|error| raised(py, &error))?,
        }
        Ok(other)
    }

    /// The name of the game.
    #[getter]
    fn title(&self) -> &str {
        &self.game.book().title
    }

    /// The version of its rules.
    #[getter]
    fn version(&self) -> &str {
        &self.game.book().version
    }

    /// The seed of its dice and cards.
    #[getter]
    fn seed(&self) -> u64 {
        self.game.seed()
    }

    /// The name of the setup that it began with.
    #[getter]
    fn setup(&self) -> Option<String> {
        self.game.about().setup
    }

    /// The names of all setups.
    #[getter]
    fn setups(&self) -> Vec<String> {
        self.game.about().setups
    }

    /// Game, version, variants, rulings, players, setup and seed, as a dictionary.
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.game.about())
    }

    /// What never changes of the game: kinds with all that is printed, states, what is ever asked; as a dictionary.
    fn sheet<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.game.sheet())
    }

    /// The names of the players at the table, in the order of the rules.
    #[getter]
    fn players(&self) -> Vec<String> {
        seats::players(self.game.book())
    }

    /// The name of the first player who must decide now; `None` when the game is over.
    #[getter]
    fn decider(&self) -> Option<String> {
        self.game.decider().map(|player| self.game.player_name(player))
    }

    /// The names of all who must decide now: several where the rules ask them at once, in secret.
    #[getter]
    fn deciders(&self) -> Vec<String> {
        self.game.deciders().into_iter().map(|player| self.game.player_name(player)).collect()
    }

    /// How many decisions have been taken.
    #[getter]
    fn decisions(&self) -> u64 {
        self.game.taken()
    }

    /// What a player is asked, in the words of the rules; empty if nothing is.
    #[pyo3(signature = (player=None))]
    fn prompt(&mut self, py: Python<'_>, player: Option<&str>) -> PyResult<String> {
        let player = self.seat(py, player)?;
        Ok(self.game.prompt(player))
    }

    /// The open options of a player, as he may know them; none for one who is not asked. Without a player those of the one
    /// who decides.
    ///
    /// Raises `UnknownError` if there is no such player, or several decide and none is named.
    #[pyo3(signature = (player=None))]
    fn options(&mut self, py: Python<'_>, player: Option<&str>) -> PyResult<Vec<Choice>> {
        if player.is_none() && self.game.deciders().is_empty() {
            return Ok(Vec::new());
        }
        let player = self.seat(py, player)?;
        let (name, taken) = (self.game.player_name(player), self.game.taken());
        let offers = self.game.options(player);
        Ok(offers.into_iter().map(|offer| Choice::new(offer, &name, taken)).collect())
    }

    /// Takes an open option, and goes on to the next decision.
    ///
    /// `option` is an `Option` of this decision, its number, or the name of one with as many of its arguments as tell it
    /// from others, as keywords (`game.choose("march", b="Grey")`) or in `args` where a name is no keyword.
    ///
    /// Raises `NotOpen` if it is not open, with the need that refuses it; `UnknownError` if several fit; `Fault` if the
    /// rules fail. Then nothing has changed.
    #[pyo3(signature = (option, /, *, player=None, args=None, **named))]
    fn choose<'py>(
        &mut self,
        option: &Bound<'py, PyAny>,
        player: Option<&str>,
        args: Option<&Bound<'py, PyDict>>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<()> {
        let py = option.py();
        let (player, id) = self.found(option, player, args, named)?;
        let game = &mut self.game;
        py.detach(|| game.choose(player, id)).map_err(|error| raised(py, &error))
    }

    /// Whether an option is open, or why not: a dictionary with `standing`, which is `open`, `refused` or `outside`.
    ///
    /// Of one that is refused it has `option`, `args`, `label`, `reason` (the need's own words), `need` (its label),
    /// `paragraphs`, and `place` (page and line of the need). `outside` is what cannot be asked about here. Of several that
    /// fit the first is told.
    #[pyo3(signature = (option, /, *, player=None, args=None, **named))]
    fn why<'py>(
        &mut self,
        py: Python<'py>,
        option: &str,
        player: Option<&str>,
        args: Option<&Bound<'py, PyDict>>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        use blazon::told::Standing;
        let player = self.seat(py, player)?;
        let given = together(py, args, named)?;
        for offer in self.game.options(player) {
            if fits(&offer.option, &offer.args, option, &given)? {
                return to_python(py, &Standing::Open);
            }
        }
        for refusal in self.game.refusals(player) {
            if fits(&refusal.option, &refusal.args, option, &given)? {
                return to_python(py, &Standing::Refused(refusal));
            }
        }
        to_python(py, &Standing::Outside)
    }

    /// All that a player could ask about and that is not open, each with the first need that refuses it: dictionaries as
    /// `why` gives them.
    #[pyo3(signature = (player=None))]
    fn refusals<'py>(&mut self, py: Python<'py>, player: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let player = self.seat(py, player)?;
        to_python(py, &self.game.refusals(player))
    }

    /// What a player sees, as a dictionary; with `None` everything.
    ///
    /// `kinds` has of each kind `seen` (name and states of the things whose faces he sees) and `backs` (what stands on the
    /// backs of the others, sorted by that); `states` has the states without keys and with several.
    ///
    /// Raises `UnknownError` if there is no such player, `Fault` if the rules fail that say who sees what.
    fn view<'py>(&mut self, py: Python<'py>, player: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let viewer = player.map(|player| self.seat(py, Some(player))).transpose()?;
        let view = self.game.view(viewer).map_err(|error| raised(py, &error))?;
        to_python(py, &view)
    }

    /// A number of 16 hexadecimal digits that is the same for views that are the same, and another for others. It hangs on
    /// `view` alone.
    ///
    /// Raises as `view`.
    fn view_digest(&mut self, py: Python<'_>, player: Option<&str>) -> PyResult<String> {
        let viewer = player.map(|player| self.seat(py, Some(player))).transpose()?;
        let view = self.game.view(viewer).map_err(|error| raised(py, &error))?;
        let text =
            serde_json::to_string(&view).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(format!("{:016x}", blazon_kernel::chance::hash_text(&text)))
    }

    /// How the game ended: a dictionary with `outcome` (`won`, `drawn` or `unfinished`), `winner`, `decisions`, `seed`.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.game.end())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// The name of who has won; `None` while the game is under way, and if nobody has.
    #[getter]
    fn winner(&self) -> Option<String> {
        let winner = self.game.outcome()?.winner?;
        Some(self.game.player_name(winner))
    }

    /// What happened since the game was begun or loaded, in order, as a player may know it; without a player as an umpire
    /// does. About 16 megabytes are kept, then the oldest are dropped.
    ///
    /// Each is a dictionary with `event` (`chosen`, `said`, `rolled`, `drawn`, `over`), `text`, and what belongs to it.
    /// Without a player `for` and `args_for` tell what each player knows where that is not the whole; with one, what another
    /// chose has `forced` only in a game that hides nothing. In a guess there is
    /// none of what happened before it. With `since`, an earlier `event_count`, what happened since then.
    #[pyo3(signature = (player=None, *, since=0))]
    fn log<'py>(&self, py: Python<'py>, player: Option<&str>, since: usize) -> PyResult<Bound<'py, PyAny>> {
        let player = player.map(|player| self.seat(py, Some(player))).transpose()?;
        let events = self.game.events_since(since).iter();
        let told: Vec<_> = events.filter_map(|this| event(&self.game, this, player)).collect();
        to_python(py, &told)
    }

    /// How much happened since the game was begun or loaded, for `log(since=…)`.
    #[getter]
    fn event_count(&self) -> usize {
        self.game.event_count()
    }

    /// All choices from the start, by meaning, as an umpire knows them: dictionaries with `player`, `option`, `args` (names
    /// as a list), `forced`. A loaded game has those from before, too.
    #[getter]
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let entries = self.game.log().iter().map(|entry| {
            serde_json::json!({
                "player": entry.player, "option": entry.option, "args": entry.args, "forced": entry.forced,
            })
        });
        to_python(py, &entries.collect::<Vec<_>>())
    }

    /// Takes back the last decisions, whoever took them, dice and all: the game is played again from its start up to there,
    /// so nothing is paid for it while it is played. `log` begins anew there; `choices` has all. What programs learned is
    /// forgotten.
    ///
    /// Raises `SaveError` if there are not so many decisions, or the game is a guess.
    #[pyo3(signature = (decisions=1))]
    fn undo(&mut self, py: Python<'_>, decisions: u64) -> PyResult<()> {
        self.own_log(py)?;
        let taken = self.game.taken();
        let Some(left) = taken.checked_sub(decisions) else {
            let message = format!("{decisions} decisions cannot be taken back: {taken} were taken");
            return Err(no_save(py, &message));
        };
        let game = &self.game;
        let before = py.detach(|| game.at(left)).map_err(|error| raised(py, &error))?;
        let Some(before) = before else {
            return Err(no_save(py, &format!("the game never stood at {left} decisions")));
        };
        self.game = before;
        self.bots = Bots::default();
        Ok(())
    }

    /// A copy that goes its own way.
    #[pyo3(name = "clone")]
    fn copy(&self) -> Self {
        Self {
            game: self.game.clone(),
            bots: self.bots.clone(),
            wanted: self.wanted.clone(),
            note: self.note.clone(),
            is_guess: self.is_guess,
            layout: self.layout.clone(),
            numbering: self.numbering.clone(),
        }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    /// A game that a player cannot tell from this one: what he may not know is dealt anew, and luck to come is other. It is
    /// made of the seed and of what he may know, and of nothing else. It has no log, no choices, and a seed of its own.
    ///
    /// Raises `NotOpen` if the player is not asked or there is no such guess, `Fault` if the rules fail that say who sees
    /// what.
    #[pyo3(signature = (player=None, *, seed=0))]
    fn guess(&self, py: Python<'_>, player: Option<&str>, seed: u64) -> PyResult<Self> {
        let player = self.seat(py, player)?;
        let mut other = self.copy();
        // Programs of other seats know what he does not.
        other.bots = Bots::default();
        let game = &mut other.game;
        let is_there = py.detach(|| game.imagine(player, seed)).map_err(|error| raised(py, &error))?;
        if !is_there {
            let message = format!("there is no guess at what {} may not know", self.game.player_name(player));
            return Err(not_open(py, &message));
        }
        other.is_guess = true;
        Ok(other)
    }

    /// The game as a text, which `Game.load` goes on with. It holds the choices, so it takes a few kilobytes; what programs
    /// learned is not in it.
    ///
    /// Raises `SaveError` if the game is a guess.
    fn save(&self, py: Python<'_>) -> PyResult<String> {
        self.own_log(py)?;
        self.game.save().map_err(|error| save_failed(py, error))
    }

    /// Goes on with a saved game. Without `game` it is the one that the text names, with its variants and rulings.
    ///
    /// `note` has what whoever goes on with it should know, such as that the rules have changed since.
    ///
    /// Raises `SaveError` if the text is damaged or belongs to other rules, otherwise as `Game(…)`.
    #[staticmethod]
    #[pyo3(signature = (text, game=None, *, variants=None, rulings=None))]
    fn load(
        py: Python<'_>,
        text: &str,
        game: Option<&Bound<'_, PyAny>>,
        variants: Option<Vec<String>>,
        rulings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut made = Self::for_save(py, text, game, variants, rulings)?.0;
        let game = &mut made.game;
        made.note = py.detach(|| game.load(text)).map_err(|error| save_failed(py, error))?;
        Ok(made)
    }

    /// Plays the choices of a saved game again from its start, perhaps by other rules, as far as they allow. `note` says
    /// where and why it stopped, if it did.
    ///
    /// Raises as `load`.
    #[staticmethod]
    #[pyo3(signature = (text, game=None, *, variants=None, rulings=None))]
    fn replay(
        py: Python<'_>,
        text: &str,
        game: Option<&Bound<'_, PyAny>>,
        variants: Option<Vec<String>>,
        rulings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (mut made, save) = Self::for_save(py, text, game, variants, rulings)?;
        let game = &mut made.game;
        made.note = match py.detach(|| game.replay(&save)).map_err(|error| raised(py, &error))? {
            Replayed::Whole => None,
            Replayed::Until(divergence) => Some(divergence.to_string()),
        };
        Ok(made)
    }

    /// Games are pickled as they are saved: with the name or folder of the rules, which are compiled again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Pickled, String))> {
        let wanted = &self.wanted;
        let rulings: Vec<(String, String)> = wanted.selection.rulings.clone();
        let pickled = (
            wanted.target.clone(),
            wanted.selection.variants.clone(),
            rulings,
            wanted.selection.setup.clone(),
            wanted.selection.invariants,
        );
        let make = py.get_type::<Self>().getattr("_unpickled")?;
        Ok((make, (pickled, self.save(py)?)))
    }

    /// The other half of `__reduce__`.
    #[staticmethod]
    #[pyo3(name = "_unpickled")]
    fn unpickled(py: Python<'_>, pickled: Pickled, text: &str) -> PyResult<Self> {
        let (target, variants, rulings, setup, invariants) = pickled;
        let mut wanted = Wanted::new(&target, Some(variants), None, setup, invariants)?;
        wanted.selection.rulings = rulings;
        let mut made = Self::made(py, wanted.program(py)?, wanted)?;
        let game = &mut made.game;
        made.note = py.detach(|| game.load(text)).map_err(|error| save_failed(py, error))?;
        Ok(made)
    }

    fn __repr__(&self) -> String {
        let end = self.game.end();
        let stands = match (end.outcome, &end.winner) {
            ("unfinished", _) => format!("{} to decide", self.deciders().join(", ")),
            (_, Some(winner)) => format!("{winner} has won"),
            (_, None) => "over, nobody has won".to_owned(),
        };
        let what = if self.is_guess { "a guess at " } else { "" };
        format!(
            "<Game {what}{}, seed {}, {} decisions, {stands}>",
            self.game.about().played,
            self.game.seed(),
            end.decisions
        )
    }
}

impl Game {
    fn own_log(&self, py: Python<'_>) -> PyResult<()> {
        match self.is_guess {
            true => Err(no_save(py, "this game is a guess: it has no log to be saved or taken back")),
            false => Ok(()),
        }
    }

    /// A game with nothing under way by the rules that a saved game names, or by those that are given.
    fn for_save(
        py: Python<'_>,
        text: &str,
        game: Option<&Bound<'_, PyAny>>,
        variants: Option<Vec<String>>,
        rulings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Self, Save)> {
        let save = Save::from_text(text).map_err(|error| save_failed(py, error))?;
        if let Some(other) = game.and_then(|game| game.cast::<Self>().ok()) {
            if variants.is_some() || rulings.is_some() {
                return Err(has_rules(py));
            }
            let other = other.try_borrow()?;
            return Ok((Self::made(py, other.program().clone(), other.wanted.clone())?, save));
        }
        let named = || save.rules.variants.iter().map(|(name, _)| name.clone()).collect();
        let target = match game {
            Some(game) => py.import("os")?.getattr("fspath")?.call1((game,))?.extract()?,
            None => save.rules.game.clone(),
        };
        let setup = Some(save.setup.clone());
        let mut wanted = Wanted::new(&target, Some(variants.unwrap_or_else(named)), rulings, setup, false)?;
        if rulings.is_none() {
            wanted.selection.rulings = save.rules.rulings.clone();
        }
        Ok((Self::made(py, wanted.program(py)?, wanted)?, save))
    }

    /// For the bots' file: what a bot took, told as an option.
    pub fn taken_as(&mut self, player: PlayerId, id: OptionId) -> Option<Choice> {
        let offer = self.game.options(player).into_iter().nth(id.index())?;
        Some(self.choice(player, offer))
    }
}
