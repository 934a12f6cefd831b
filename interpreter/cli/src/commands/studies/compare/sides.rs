//! The two rule sets of a comparison: as they were, and changed.

use std::path::Path;
use std::sync::Arc;

use blazon::change::Change;
use blazon::{Program, Rules, Settings};
use blazon_kernel::chance;
use blazon_machine::bots::Skill;
use blazon_study::compare::{
    Counted, NotBoth, changed_unplayed, counted, each_setup, one_setup, only_one_has, other_players,
    outlook_differs,
};
use blazon_study::{Plan, course};

use crate::args::{CompareArgs, WithArgs};
use crate::exit::{Failure, Result};
use crate::load;

/// What a seed is mixed with, where the sides have luck of their own.
const APART: u64 = chance::hash_text("apart");

/// Both rule sets.
pub struct Sides {
    /// As they were.
    pub base: Arc<Program>,
    /// Changed.
    pub changed: Arc<Program>,
    /// What differs in the texts.
    pub change: Change,
    /// How the changed rules are checked.
    pub settings: Settings,
    /// The setups that are played, by their places in both books.
    pub setups: Vec<(usize, usize)>,
    /// The names of the setups that only the rules as they were have, and only the changed ones, unless one was asked for.
    pub left_out: [Vec<String>; 2],
    /// The names of the setups that the change touches and that are not played, unless one was asked for.
    pub unplayed: Vec<String>,
    /// Both as texts with the variants that they have, to draw their boards.
    pub texts: [(Rules, Vec<String>); 2],
}

impl Sides {
    /// Those that were asked for.
    ///
    /// # Errors
    /// If they are not found, have errors, are the same, or are not for the same players and setups.
    pub fn of(args: &CompareArgs, library: Option<&Path>) -> Result<Self> {
        let variants: Vec<String> = args.beneath.iter().chain(&args.with.variants).cloned().collect();
        let rules = load::game_or_default(args.game.as_deref(), &variants, library)?;
        let old = match &args.base {
            Some(base) => load::game_or_default(Some(base), &[], library)?,
            None => {
                let mut same = rules.clone();
                same.inside = None;
                same
            }
        };
        let beneath = WithArgs { variants: args.beneath.clone(), rulings: Vec::new() };
        let with = WithArgs { variants, rulings: args.with.rulings.clone() };
        let named: Vec<String> =
            with.rulings.iter().map(|(name, value)| format!("`{name} = {value}`")).collect();
        let sides = Self::between((old, beneath), (rules, with), args)?;
        let is_ruled = sides.base.book.other_rulings() != sides.changed.book.other_rulings();
        if let Some(base) = args.base.as_ref().filter(|_| sides.change.is_empty() && !is_ruled && !args.apart)
        {
            return Err(Failure::Usage(format!(
                "nothing is changed: the rules are those of `{}` (--base), word for word",
                crate::console::harmless(base)
            )));
        }
        if sides.change.is_empty() && !is_ruled && !args.apart && !named.is_empty() {
            let named = crate::figures::joined(&named, "and");
            return Err(Failure::Usage(crate::console::harmless(&format!(
                "nothing is changed: {named} is what is played already"
            ))));
        }
        if sides.change.is_empty() && !is_ruled && !args.apart {
            return Err(Failure::Usage(
                "nothing is changed: name a variant (-V), a ruling (-R), or where the rules as they were lie (--base)"
                    .to_owned(),
            ));
        }
        Ok(sides)
    }

    /// Rules with their variants and rulings, as they were and changed; of the arguments only the setups count.
    ///
    /// # Errors
    /// If they have errors, or are not for the same players and setups.
    pub fn between(
        (mut old, beneath): (Rules, WithArgs),
        (mut rules, with): (Rules, WithArgs),
        args: &CompareArgs,
    ) -> Result<Self> {
        // Of two rule sets it is said in which something is missing: of one game and its variant, where only one lacks it.
        let whose = |whose: &str, is_told: bool, failure: Failure| match (is_told, failure) {
            (true, Failure::Usage(message)) => Failure::Usage(format!("{whose}: {message}")),
            (_, failure) => failure,
        };
        let (was, is) = (
            load::wanted(&mut old, &beneath, args.scenario.clone(), false, false),
            load::wanted(&mut rules, &with, args.scenario.clone(), false, false),
        );
        let is_named = args.base.is_some();
        let is_one_sided = args.scenario.is_some() && was.is_ok() != is.is_ok();
        let as_they_were =
            if is_named { "the rules as they were (--base)" } else { "the rules as they were" };
        let base = was.map_err(|failure| whose(as_they_were, is_named || is_one_sided, failure))?;
        let changed = is.map_err(|failure| whose("the changed rules", is_named || is_one_sided, failure))?;
        // Two games that have not even their players in common are told apart by these, not by their setups.
        if let Some(why) = other_players(&base.book, &changed.book) {
            return Err(Failure::Usage(why));
        }
        let stacks = (old.stack(&beneath.variants)?, rules.stack(&with.variants)?);
        let change =
            Change::new(&old.project_without_tests(&stacks.0), &rules.project_without_tests(&stacks.1));
        let settings = Settings { rulings: with.rulings.clone(), ..Settings::default() };
        let setups = setups(args, &base, &changed)?;
        // Who asks for one setup asks for no other.
        let (left_out, unplayed) = match args.scenario.is_none() {
            true => (
                only_one_has(&base.book, &changed.book),
                changed_unplayed(&base.book, &changed.book, &setups),
            ),
            false => Default::default(),
        };
        let texts = [(old, beneath.variants), (rules, with.variants)];
        Ok(Self { base, changed, change, settings, setups, left_out, unplayed, texts })
    }

    /// How the rules as they were are named: the game itself, where they are those that a variant's folder is asked to change.
    pub fn base_game(&self, args: &CompareArgs) -> Option<String> {
        let root = || {
            let (rules, _) = &self.texts[0];
            self.texts[1].0.inside?;
            rules.root.as_ref().map(|root| blazon::shown(root))
        };
        args.base.clone().or_else(root).or_else(|| args.game.clone())
    }

    /// What is to be said of the outlooks by which players judge and games are measured, if the change touches one.
    pub fn judged(&self, args: &CompareArgs) -> Option<String> {
        outlook_differs(&self.base.book, &self.changed.book, &args.levels)
    }

    /// How games are played by both, with one player on all seats.
    pub fn plans(&self, args: &CompareArgs, seed: u64, level: &Skill) -> [Plan; 2] {
        let [old_rounds, new_rounds] = course::rounds_of_both(&self.base.book, &self.changed.book);
        let plan = |program: &Program, setups: Vec<usize>, rounds, seed: u64| Plan {
            setups,
            most: args.most,
            rounds,
            ..Plan::new(&program.book, seed, level.clone())
        };
        let apart = if args.apart { chance::mix(seed, APART) >> 11 } else { seed };
        let (old, new) = self.setups.iter().copied().unzip();
        [plan(&self.base, old, old_rounds, seed), plan(&self.changed, new, new_rounds, apart)]
    }

    /// The steps that are counted in games of such plans.
    pub fn counted(&self, plans: &[Plan; 2]) -> Vec<Counted> {
        counted([(&self.base.book, &plans[0]), (&self.changed.book, &plans[1])])
    }
}

/// The setups that both have by name; or the one asked for, or that with which the rules as they were begin.
fn setups(args: &CompareArgs, base: &Program, changed: &Program) -> Result<Vec<(usize, usize)>> {
    let (found, how) = match args.each_setup {
        true => (each_setup(&base.book, &changed.book), ""),
        false => (one_setup(&base.book, &changed.book).map(|both| vec![both]), " (-s)"),
    };
    found.map_err(|NotBoth { message, help }| {
        Failure::Usage(format!("{message} [compare::setup]; {help}{how}"))
    })
}
