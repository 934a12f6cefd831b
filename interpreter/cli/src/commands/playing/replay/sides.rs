//! The two sides of a replay: the rules that games were made by, and those that they are replayed by.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use blazon::change::Change;
use blazon::{Project, Reading, Rules, Selection, Settings};
use blazon_machine::save::Save;
use blazon_program::Program;

use super::ending::Ending;
use crate::args::{ReplayArgs, WithArgs};
use crate::commands::playing::play::{BY_GAME, of_replayed, of_save};
use crate::exit::{Failure, Result};

/// By which rules a game was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Played {
    game: String,
    variants: Vec<String>,
    rulings: Vec<(String, String)>,
}

impl Played {
    /// As the saved game names them.
    pub fn of(save: &Save) -> Self {
        let rules = &save.rules;
        let mut variants: Vec<String> = rules.variants.iter().map(|(name, _)| name.clone()).collect();
        variants.sort();
        Self { game: rules.game.clone(), variants, rulings: rules.rulings.clone() }
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.game)?;
        self.variants.iter().try_for_each(|variant| write!(f, " + {variant}"))
    }
}

/// A ruling that has another value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OtherRuling {
    pub name: String,
    pub was: String,
    pub is: String,
}

/// Rules before and after a change.
pub struct Pair {
    /// By what the games are replayed.
    pub after: Arc<Program>,
    /// By what they were made, as that is written now; nothing if it has errors now.
    pub before: Option<Arc<Program>>,
    /// Whether these were named as those that the games were made by.
    pub is_named: bool,
    /// What differs in the texts.
    pub change: Change,
    /// How the rules after are checked.
    pub settings: Settings,
    /// The rulings that are others.
    pub rulings: Vec<OtherRuling>,
    project: Project,
}

/// The rules of one side.
struct Side {
    rules: Rules,
    with: WithArgs,
}

impl Side {
    fn of(save: &Save, (rules, with): (Rules, WithArgs)) -> Result<Self> {
        if rules.name() == save.rules.game {
            return Ok(Self { rules, with });
        }
        let message = format!(
            "this is a saved game of `{}`, not of `{}` [save::foreign]",
            save.rules.game,
            rules.name()
        );
        Err(Failure::Problem(message))
    }

    fn program(&mut self, invariants: bool) -> Result<Arc<Program>> {
        let WithArgs { variants, rulings } = self.with.clone();
        Ok(self.rules.program(&Selection { variants, rulings, invariants, ..Selection::default() })?)
    }

    fn project(&mut self) -> Result<Project> {
        let stack = self.rules.stack(&self.with.variants)?;
        Ok(self.rules.project_without_tests(&stack))
    }
}

impl Pair {
    /// The rules that a saved game was made by, or older ones of the same game, and those that are asked for.
    ///
    /// # Errors
    /// If one of them is not found, or those that are asked for have errors.
    pub fn of(save: &Save, args: &ReplayArgs, library: Option<&Path>) -> Result<Self> {
        let (rules, with, _) = of_replayed(save, args.game.as_deref(), &args.with, library)?;
        let mut after = Side::of(save, (rules, with))?;
        let was = args.was.as_deref().or(args.game.as_deref());
        let mut before = Side::of(save, of_save(save, was, &WithArgs::default(), library, BY_GAME)?)?;
        let program = after.program(args.invariants)?;
        let project = after.project()?;
        let rulings = other_rulings(&before.with.rulings, &after.with.rulings);
        let settings = Settings {
            rulings: after.with.rulings.clone(),
            invariants: args.invariants,
            ..Settings::default()
        };
        Ok(Self {
            after: program,
            change: Change::new(&before.project()?, &project),
            before: before.program(args.invariants).ok(),
            is_named: args.was.is_some(),
            settings,
            rulings,
            project,
        })
    }

    /// How a game came out by the rules that it was made by, if these are at hand.
    pub fn was(&self, save: &Save) -> Option<Ending> {
        let before = self.before.as_ref()?;
        let is_it = self.is_named || save.rules.difference(&before.book).is_none();
        if is_it { Ending::by(before, save) } else { None }
    }

    /// What the games are replayed by, in words.
    pub fn title(&self) -> String {
        let book = &self.after.book;
        let variants: String = book.variants.iter().map(|(name, _)| format!(" + {name}")).collect();
        let rulings: Vec<String> = self.rulings.iter().map(|r| format!("{} = {}", r.name, r.is)).collect();
        let rulings = if rulings.is_empty() { String::new() } else { format!(", {}", rulings.join(", ")) };
        format!("{} {}{variants}{rulings}", book.title, book.version)
    }

    /// The rules after the change, but with some of the rulings as they were.
    pub fn with_old_rulings(&self, kept: &[&OtherRuling]) -> Option<Arc<Program>> {
        let mut settings = Settings { unproved: true, ..self.settings.clone() };
        for (name, value) in &mut settings.rulings {
            if let Some(ruling) = kept.iter().find(|ruling| ruling.name == *name) {
                value.clone_from(&ruling.was);
            }
        }
        let mut reading = Reading::of(&self.project, Vec::new());
        reading.leave_out_tests();
        reading.compile(&settings).program
    }
}

/// The rulings whose value is another.
fn other_rulings(before: &[(String, String)], after: &[(String, String)]) -> Vec<OtherRuling> {
    let other = after.iter().filter_map(|(name, is)| {
        let (_, was) = before.iter().find(|(other, _)| other == name)?;
        (was != is).then(|| OtherRuling { name: name.clone(), was: was.clone(), is: is.clone() })
    });
    other.collect()
}
