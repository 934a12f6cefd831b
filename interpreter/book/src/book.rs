//! The book itself: the tables that everything else is a number into.

use std::sync::Arc;

use blazon_diagnostics::Sources;

use crate::*;

/// A game, checked.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Whether it has no holes: only such a book is played. Where there was an error, [`ExprKind::Invalid`] and
    /// [`StatementKind::Invalid`] stand in the place of what is wrong, and `begins` and `default_setup` may name what
    /// is not there.
    pub whole: bool,
    /// The game's name.
    pub title: String,
    /// The game's version, as its manifest has it.
    pub version: String,
    /// The variants, in the order of stacking: name and version.
    pub variants: Vec<(String, String)>,
    /// All kinds.
    pub kinds: Vec<Kind>,
    /// All facts and states.
    pub columns: Vec<Column>,
    /// All grids.
    pub grids: Vec<Grid>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// All steps. No step can call itself, directly or not.
    pub steps: Vec<Step>,
    /// All watches.
    pub watches: Vec<Watch>,
    /// What must hold whenever somebody is asked. Their rules are the last of all; only a book that was checked for it
    /// has any.
    pub invariants: Vec<Invariant>,
    /// How it looks on a board.
    pub looks: Vec<Look>,
    /// All setups.
    pub setups: Vec<Setup>,
    /// All rulings, with the value that this book was checked under.
    pub rulings: Vec<Ruling>,
    /// All tests.
    pub tests: Vec<Test>,
    /// What somebody asks beside the rules, each a rule without parameters.
    pub questions: Vec<RuleId>,
    /// The kind whose things decide.
    pub player: KindId,
    /// Those of its things that sit at the table, in the order of the manifest.
    pub players: Vec<u32>,
    /// A rule `chooser(s)` of one player that says who decides for him, if the book has one.
    pub chooser: Option<RuleId>,
    /// The rule that counts, in a book that counts what comes up: a flag, and the number of its site.
    pub counter: Option<RuleId>,
    /// The first step; it has no parameters.
    pub begins: StepId,
    /// The setup used when nothing else is asked for.
    pub default_setup: usize,
    /// The paragraphs of the outline(s), in order: number and title.
    pub outline: Vec<(String, String)>,
    /// Statement ids of the audit that tests may cite.
    pub statements: Vec<String>,
    /// What the text of the rules comes to.
    pub digest: Digest,
    /// The files, for places.
    pub sources: Arc<Sources>,
}

impl Book {
    /// The type whose range something keeps.
    pub fn kept_type(&self, keeper: Keeper) -> Type {
        match keeper {
            Keeper::Rule(rule) => self.rule(rule).ty,
            Keeper::RuleParameter(rule, local) => self.rule(rule).locals[local.0 as usize].ty,
            Keeper::Step(step) => self.step(step).ty.unwrap_or(Type::of(Base::Nothing)),
            Keeper::StepParameter(step, local) => self.step(step).locals[local.0 as usize].ty,
        }
    }

    /// The kind of that number.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.0 as usize]
    }
    /// The column of that number.
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[id.0 as usize]
    }
    /// The things that an entry of a fact or state is of, in the order of its keys: the last key runs fastest.
    pub fn keys_of(&self, column: &Column, entry: usize) -> Vec<u32> {
        let mut left = entry;
        let mut things: Vec<u32> = Vec::with_capacity(column.keys.len());
        for &kind in column.keys.iter().rev() {
            let count = self.kind(kind).things.len().max(1);
            things.push((left % count) as u32);
            left /= count;
        }
        things.reverse();
        things
    }
    /// The rule of that number.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.0 as usize]
    }
    /// The rule of a name that says of a player, by a number, how things look for him; nothing if there is none.
    pub fn outlook(&self, name: &str) -> Option<RuleId> {
        let is_outlook = |rule: &Rule| {
            rule.name == name
                && rule.params == 1
                && matches!(rule.ty.base, Base::Number(..))
                && rule.locals.first().is_some_and(|local| local.ty.base == Base::Thing(self.player))
        };
        self.rules.iter().position(is_outlook).map(|rule| RuleId(rule as u32))
    }
    /// The step of that number.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }
}
