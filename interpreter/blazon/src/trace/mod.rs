//! Why a rule's value is what it is, in a position: which clauses held and which did not, which one decided, and what it
//! asked. For those who write the rules: nothing is hidden here.
//!
//! ```
//! use blazon::trace::Tracer;
//! use blazon::{Game, Rules, Selection};
//!
//! let rules = r#"
//! kind side = North, South { state beans: 0..9 }
//! setup Start (side: beans) { North: 7; South: 6 }
//! rule hungry(s: side): flag = no
//!   except few: yes if s.beans < 7
//! step game {
//!   choose by North "?" { option throw "throws" { win(North) }; option keep "keeps" { win(South) } }
//! }
//! "#;
//! let manifest = r#"Game(name: "Beans", player: "side", begins: "game")"#;
//! let mut rules = Rules::from_texts([("blazon.ron", manifest), ("beans.blazon", rules)]);
//! let tracer = rules.tracer(&Selection::default(), "hungry(South)", 0)?;
//! let mut game = Game::new(tracer.program().clone())?;
//! game.begin(1)?;
//! let traced = &tracer.answers(&mut game)[0];
//! assert_eq!(traced.value.words, "yes");
//! assert_eq!((traced.clauses[0].label.as_str(), traced.clauses[0].decides), ("few", true));
//! # Ok::<(), blazon::Error>(())
//! ```
//!
//! The machine knows nothing of this. The book of the rules is given more rules: for each clause that is to be looked at
//! one that asks its condition alone, one for its value, one for each thing that stands in it; the states stay what they
//! are. A position of the rules is brought to such a program by playing its log again: [`Tracer::bring`].

mod ask;
mod clauses;
mod probes;
mod question;
mod told;
pub(crate) mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use blazon_book::{Book, Modifier, RuleBody, RuleId};
use blazon_machine::bots::Share;
use blazon_program::Program;

use crate::error::{Error, Problems, Result};
use crate::game::Game;
use probes::{Pair, Probes};
pub use told::{Answer, Clause, Held, Paragraph, Part, Read, Reads, Sort, Traced};

/// No more rules than these are traced behind one question, however deep it goes.
pub const MOST: usize = 200;

/// A program in which the clauses of some rules can be asked one by one.
#[derive(Clone, Debug)]
pub struct Tracer {
    program: Arc<Program>,
    probes: BTreeMap<RuleId, Probes>,
    /// How far the rules that are asked are traced themselves.
    depth: usize,
}

impl Tracer {
    /// Makes the clauses of rules askable, and of the rules that they ask, so many levels down.
    ///
    /// # Errors
    /// [`Error::Rules`] if the book is too large with what is added to it.
    pub fn new(book: &Arc<Book>, rules: &[RuleId], depth: usize) -> Result<Self> {
        let (book, probes) = probes::add(book, rules, depth);
        let sources = book.sources.clone();
        match blazon_program::lower(Arc::new(book)) {
            Ok(program) => Ok(Self { program: Arc::new(program), probes, depth }),
            Err(diagnostics) => Err(Error::from(Problems { diagnostics, sources })),
        }
    }

    /// The program: the game as it is, with what can be asked besides.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What a rule that was made askable adds and takes away, in the written order.
    pub(crate) fn shares(&self, rule: RuleId) -> Vec<Share> {
        let modifiers = match &self.program.book.rule(rule).body {
            RuleBody::Value { modifiers, .. } => modifiers.as_slice(),
            RuleBody::Permission(_) | RuleBody::Table(_) => &[],
        };
        let asked = match self.probes.get(&rule) {
            Some(Probes::Value { modifiers, .. }) => modifiers.as_slice(),
            Some(Probes::Permission(_) | Probes::Table) | None => &[],
        };
        let share = |(modifier, pair): (&Modifier, &Pair)| Share {
            when: pair.when.as_ref().map(|when| when.rule),
            value: pair.value.rule,
            minus: modifier.minus,
        };
        modifiers.iter().zip(asked).map(share).collect()
    }

    /// A game of [`Self::program`] that stands where another stands, as its log leads there.
    ///
    /// # Errors
    /// [`Error::Save`] or [`Error::Fault`] if the log cannot be played.
    pub fn bring(&self, game: &Game) -> Result<Game> {
        let mut other = Game::new(self.program.clone())?;
        other.replay(&game.saved())?;
        Ok(other)
    }

    /// Answers the questions of the book, each traced.
    pub fn answers(&self, game: &mut Game) -> Vec<Traced> {
        let questions = self.program.book.questions.clone();
        questions.into_iter().map(|question| ask::question(self, game, question)).collect()
    }

    /// Why a rule gives what it gives in a game of [`Self::program`]; the arguments are words: numbers, places of
    /// things, [`blazon_machine::NOTHING`]. Of a rule that was not made askable only the value is told.
    pub fn trace(&self, game: &mut Game, rule: RuleId, args: &[i64]) -> Traced {
        ask::rule(self, game, rule, args)
    }
}
