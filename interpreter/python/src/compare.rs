//! What a change of the rules does, in pairs of games on the same luck.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{TryRecvError, channel};
use std::time::Duration;

use blazon::Program;
use blazon_book::Book;
use blazon_study::compare::{Contest, Ended, Found, Side, counted, one_setup, other_players, usual_pairs};
use blazon_study::stats::Certainty;
use blazon_study::{NOW, Plan, course};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use serde_json::{Value, json};

use crate::error::{raised, unknown};
use crate::rules::Wanted;
use crate::seats::skill;
use crate::told::to_python;

/// How often it is looked whether somebody wants to stop.
const PATIENCE: Duration = Duration::from_millis(20);

/// Compares a game with what variants and rulings make of it: the same seeds and the same program on all seats, by the rules
/// as they were and by the changed ones.
///
/// `beneath` are variants that both have, `base` is another game or folder with the rules as they were. It stops as soon as
/// it is sure of each player, at the latest after `pairs` (20,000, or 400 where the program thinks); with `until_sure=False`
/// it plays all. `points` is how many percent of the games matter, `error` in how many percent of such comparisons it may be
/// wrong.
///
/// Answers a dictionary: `pairs`; `players`, each with `player`, `won` (games by both rules), `won_by_change`,
/// `lost_by_change`, `difference` (share of the games), `interval`, `verdict` (`more`, `less`, `same`, `open`); `nobody`;
/// `measures` of `decisions` and what games were like; `sides` with the lengths of games; `parted`, how many pairs were not
/// the same game. These are the figures of `blazon compare --json`.
///
/// Raises as `Game(…)`, and `UnknownError` if nothing is changed or the two are not for the same players and setup.
#[pyfunction]
#[pyo3(signature = (
    game, *, variants=None, rulings=None, beneath=None, base=None, setup=None, players="random", seed=7, pairs=None,
    points=2.0, error=5.0, until_sure=true, most=100_000, threads=None
))]
#[expect(clippy::too_many_arguments, reason = "these are the keywords of a Python function")]
pub fn compare<'py>(
    game: &Bound<'py, PyAny>,
    variants: Option<Vec<String>>,
    rulings: Option<&Bound<'py, PyDict>>,
    beneath: Option<Vec<String>>,
    base: Option<&Bound<'py, PyAny>>,
    setup: Option<String>,
    players: &str,
    seed: u64,
    pairs: Option<u64>,
    points: f64,
    error: f64,
    until_sure: bool,
    most: u64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = game.py();
    let path = |game: &Bound<'py, PyAny>| -> PyResult<String> {
        py.import("os")?.getattr("fspath")?.call1((game,))?.extract()
    };
    let (target, beneath) = (path(game)?, beneath.unwrap_or_default());
    if base.is_none() && variants.is_none() && rulings.is_none() {
        let message =
            "nothing is changed: name `variants`, `rulings`, or as `base` where the rules as they were lie";
        return Err(unknown(py, message));
    }
    if !(points > 0.0 && points < 100.0 && error > 0.0 && error < 100.0) {
        return Err(unknown(py, "`points` and `error` are percents between 0 and 100"));
    }
    let old = base.map(path).transpose()?.unwrap_or_else(|| target.clone());
    let old = Wanted::new(&old, Some(beneath.clone()), None, setup.clone(), false)?.program(py)?;
    let stack = beneath.into_iter().chain(variants.unwrap_or_default()).collect();
    let new = Wanted::new(&target, Some(stack), rulings, setup, false)?.program(py)?;
    if let Some(why) = other_players(&old.book, &new.book) {
        return Err(unknown(py, &why));
    }
    let both = one_setup(&old.book, &new.book);
    let (old_setup, new_setup) =
        both.map_err(|none| unknown(py, &format!("{}; {} (`setup=`)", none.message, none.help)))?;
    let skill = skill(py, &old.book, players)?;
    crate::seats::skill(py, &new.book, players)?;
    let [old_rounds, new_rounds] = course::rounds_of_both(&old.book, &new.book);
    let plan = |program: &Program, setup: usize, rounds| Plan {
        setups: vec![setup],
        most,
        rounds,
        ..Plan::new(&program.book, seed, skill.clone())
    };
    let (old_plan, new_plan) = (plan(&old, old_setup, old_rounds), plan(&new, new_setup, new_rounds));
    let certainty = Certainty { matters: points / 100.0, error: error / 100.0 };
    let pairs = pairs.unwrap_or_else(|| usual_pairs(&skill));
    let contest = Contest {
        base: old.clone(),
        changed: new.clone(),
        base_plan: &old_plan,
        changed_plan: &new_plan,
        pairs,
        certainty,
        until_sure,
        threads: crate::simulate::threads(py, threads, pairs)?,
        rows: None,
    };
    let found = played(py, &contest)?;
    let found = found.map_err(|fault| raised(py, &blazon::Error::fault(fault, &old.book.sources)))?;
    if found.ended == Ended::Bug {
        return Err(given_up());
    }
    to_python(py, &told([(&old.book, &old_plan), (&new.book, &new_plan)], &found))
}

/// Plays all pairs on other threads, while this one hears Ctrl-C.
fn played(py: Python<'_>, contest: &Contest<'_>) -> PyResult<Result<Found, blazon::machine::Fault>> {
    let (stop, (send, done)) = (AtomicUsize::new(0), channel());
    std::thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            // Nobody listens any more only after a panic of the other thread.
            let _ = send.send(contest.play(stop, &mut |_, _| true));
        });
        let mut asked = Ok(());
        loop {
            // A receiver cannot be shared with whoever waits without Python, so it is asked now and then.
            py.detach(|| std::thread::sleep(PATIENCE));
            match done.try_recv() {
                Ok(found) => return asked.map(|()| found),
                Err(TryRecvError::Disconnected) => {
                    return Err(given_up());
                }
                Err(TryRecvError::Empty) => {}
            }
            if asked.is_ok()
                && let Err(error) = py.check_signals()
            {
                asked = Err(error);
                stop.store(NOW, Ordering::Relaxed);
            }
        }
    })
}

fn given_up() -> PyErr {
    PyRuntimeError::new_err("a comparison was given up: this is a bug of Blazon")
}

fn told(sides: [(&Book, &Plan); 2], found: &Found) -> Value {
    let side = |side: &Side, (book, plan): (&Book, &Plan)| {
        json!({
            "games": side.tally.games, "faults": side.tally.faults, "limits": side.tally.limits,
            "lengths": side.told_lengths(book, plan),
        })
    };
    let (book, plan) = sides[0];
    let [base, changed] = &found.sums.sides;
    json!({
        "game": book.title,
        "seed": plan.seed,
        "pairs": found.sums.pairs,
        "players": found.players(book),
        "nobody": found.sums.sides.each_ref().map(|side| side.tally.nobody),
        "measures": found.measures(&counted(sides)),
        "sides": [side(base, sides[0]), side(changed, sides[1])],
        "parted": found.sums.parted.len(),
    })
}
