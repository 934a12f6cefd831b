//! What a bot would do on a seat, and why: the options that it would take, what the outlook of each player would come to, and
//! which clauses of the outlook would change.
//!
//! ```
//! use blazon::bots::Search;
//! use blazon::hints::hints;
//! use blazon::{Game, Rules, Selection};
//!
//! let rules = r#"
//! kind side = North, South { state beans: 0..99 }
//! setup Start (side: beans) { North: 70; South: 60 }
//! rule outlook(s: side): number = 2 * s.beans
//!   + spare: 5 if s.beans > 68
//! step game {
//!   while yes {
//!     for s in sides {
//!       choose by s "How many beans do you throw?" {
//!         option throw(n in 1..3) "throws {n}" needs enough: n <= s.beans { s.beans -= n }
//!       } else { win(s) }
//!     }
//!   }
//! }
//! "#;
//! let manifest = r#"Game(name: "Beans", player: "side", begins: "game")"#;
//! let mut rules = Rules::from_texts([("blazon.ron", manifest), ("beans.blazon", rules)]);
//! let mut game = Game::new(rules.program(&Selection::default())?)?;
//! game.begin(1)?;
//! let north = game.decider().expect("North is asked");
//! let told = hints(&game, north, Search::new(1, blazon::bots::Effort::QUICK))?.expect("there is a choice");
//! let of_north = &told.options[0].outlook[0];
//! assert_eq!((of_north.player.as_str(), of_north.now), ("North", 145.0));
//! let labels: Vec<&str> = of_north.clauses.iter().map(|clause| clause.label.as_str()).collect();
//! assert_eq!(labels, ["beans", "spare"]);
//! let change: f64 = of_north.clauses.iter().map(|clause| clause.then - clause.now).sum();
//! assert!((of_north.then - of_north.now - change).abs() < 1e-9);
//! # Ok::<(), blazon::Error>(())
//! ```
//!
//! The bot knows what its seat may know. The clauses are asked as a [`Tracer`] asks them, in a program of its own, to which the
//! game is brought by its log.

use blazon_book::walk::each_expr;
use blazon_book::{Book, Expr, ExprKind, RuleBody};
use blazon_machine::bots::{Advice, Search};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::game::Game;
use crate::ids::{OptionId, PlayerId};
use crate::trace::{Tracer, words};

/// What a bot would do on a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hints {
    /// The options that it tried, the best first.
    pub options: Vec<Hint>,
    /// How many games were tried.
    pub tries: u32,
    /// How many positions were tried.
    pub positions: usize,
    /// What the outlook says of each player now, by name. Empty if the rules have none: games were tried to their end then.
    pub outlook: Vec<(String, f64)>,
}

/// What a bot thinks of an option.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hint {
    /// The option.
    pub option: OptionId,
    /// In how many games it was tried.
    pub tries: u32,
    /// What came of them: 0 is lost, 1 is won, one half is as it stands now.
    pub value: f64,
    /// What the outlook says of each player, now and in these games; empty if all of them came to their end.
    pub outlook: Vec<Prospect>,
}

/// How things look for a player, now and after an option.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prospect {
    /// His name.
    pub player: String,
    /// What the outlook says now.
    pub now: f64,
    /// What it said where games were judged, in the mean.
    pub then: f64,
    /// The same for its clauses, which sum up to it: those that change, what changes most first.
    pub clauses: Vec<Change>,
}

/// What a clause of the outlook comes to, now and after an option; below zero where it takes away.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Its label; if it has none, the beginning of what is written there.
    pub label: String,
    /// File and line.
    pub place: Option<String>,
    /// What it gives now.
    pub now: f64,
    /// What it gave where games were judged, in the mean.
    pub then: f64,
}

/// A clause without a label is told by so many characters of what it reads.
const READ: usize = 32;
/// Changes of a clause that are smaller are none: means are sums of many parts.
const LEAST: f64 = 1e-6;

/// What a bot would do on the seat of a player, and why; nothing if there is nothing to choose, or no guess at what he may not
/// know to think in. The same bot tells the same.
///
/// # Errors
/// [`crate::Error::Rules`] if the book is too large with clauses that can be asked; [`crate::Error::Save`] or
/// [`crate::Error::Fault`] if the game cannot be played again, or the outlook fails in what the player may know of the
/// position.
pub fn hints(game: &Game, player: PlayerId, mut bot: Search) -> Result<Option<Hints>> {
    let book = game.book();
    let Some(rule) = book.outlook(bot.judges_by()) else {
        let advice = game.clone().advise(player, &mut bot);
        return Ok(advice.map(|advice| told(game, &[], &advice)));
    };
    let tracer = Tracer::new(book, &[rule], 0)?;
    let mut traced = tracer.bring(game)?;
    let clauses = clauses(book, &book.rule(rule).body);
    let advice = traced.advise(player, &mut bot.telling(tracer.shares(rule)));
    match advice {
        Some(Advice { fault: Some(fault), .. }) => Err(Error::fault(fault, &traced.book().sources)),
        advice => Ok(advice.map(|advice| told(game, &clauses, &advice))),
    }
}

/// A clause by its name and its place. The base is the first.
struct Clause {
    label: String,
    place: Option<String>,
}

fn clauses(book: &Book, body: &RuleBody) -> Vec<Clause> {
    let clause = |label: &str, value: &Expr| {
        let label = if label.is_empty() { short(read(book, value)) } else { label.to_owned() };
        Clause { label, place: words::place(book, value.span) }
    };
    match body {
        RuleBody::Value { base, modifiers, .. } => {
            let base = clause("", base);
            let others = modifiers.iter().map(|modifier| clause(&modifier.label, &modifier.value));
            std::iter::once(base).chain(others).collect()
        }
        RuleBody::Permission(_) | RuleBody::Table(_) => Vec::new(),
    }
}

/// What an expression reads, by the names that the rules give it, each once. One that reads nothing never changes.
fn read(book: &Book, value: &Expr) -> String {
    let mut names: Vec<&str> = Vec::new();
    each_expr(value, &mut |part| {
        let name = if let ExprKind::Column(column, _) = &part.kind {
            &book.column(*column).name
        } else if let ExprKind::Rule(rule, _) = &part.kind {
            &book.rule(*rule).name
        } else {
            return;
        };
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    });
    if names.is_empty() { book.text(value.span) } else { names.join(", ") }
}

fn short(mut told: String) -> String {
    if let Some((end, _)) = told.char_indices().nth(READ) {
        told.truncate(end);
        told.push('…');
    }
    told
}

fn told(game: &Game, clauses: &[Clause], advice: &Advice) -> Hints {
    let players = game.players();
    let options = advice.options.iter().map(|advised| {
        let prospect = |&player: &PlayerId| {
            let (now, then) = (of(&advice.outlook, player)?, of(&advised.outlook, player)?);
            let before = parts(now, &advice.shares, player);
            let after = parts(then, &advised.shares, player);
            let mut changes: Vec<Change> = clauses
                .iter()
                .zip(before.into_iter().zip(after))
                .filter(|(_, (now, then))| (then - now).abs() >= LEAST)
                .map(|(clause, (now, then))| Change {
                    label: clause.label.clone(),
                    place: clause.place.clone(),
                    now,
                    then,
                })
                .collect();
            // Stable, so that equals stay as they are written.
            changes.sort_by(|a, b| (b.then - b.now).abs().total_cmp(&(a.then - a.now).abs()));
            Some(Prospect { player: game.player_name(player), now, then, clauses: changes })
        };
        Hint {
            option: advised.place.into(),
            tries: advised.tries,
            value: advised.value,
            outlook: players.iter().filter_map(prospect).collect(),
        }
    });
    let now = |&player: &PlayerId| Some((game.player_name(player), of(&advice.outlook, player)?));
    Hints {
        options: options.collect(),
        tries: advice.options.iter().map(|option| option.tries).sum(),
        positions: advice.positions,
        outlook: players.iter().filter_map(now).collect(),
    }
}

fn of(values: &[f64], player: PlayerId) -> Option<f64> {
    values.get(player.index()).copied()
}

/// What each clause gives of an outlook: the base, or an exception in its place, what the others leave of it.
fn parts(outlook: f64, shares: &[Vec<f64>], player: PlayerId) -> Vec<f64> {
    let others: Vec<f64> = shares.iter().map(|share| of(share, player).unwrap_or_default()).collect();
    std::iter::once(outlook - others.iter().sum::<f64>()).chain(others).collect()
}
