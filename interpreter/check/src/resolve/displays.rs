//! `look STEP display: …`: what is drawn while a step is under way; and what a board draws then by itself.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::{Base, Column, ColumnId, KindId, Look, Role, Says, StepId, display_by_itself};
use blazon_diagnostics::{Diagnostic, list};
use blazon_syntax::ast::{self, Name};

use crate::resolve::checker::{Checker, Function};

/// The word behind the name of the step.
pub(super) const DISPLAY: &str = "display";

impl Checker<'_> {
    /// The step of a look, if it is a look of a step's display.
    pub(super) fn step_of_display(&self, name: &str) -> Option<StepId> {
        let (step, word) = name.rsplit_once(' ')?;
        let place = self.merged.steps.place(step).filter(|_| word == DISPLAY)?;
        Some(StepId(place as u32))
    }

    pub(super) fn display(&mut self, look: &ast::Look, step: StepId) -> Option<Says> {
        let mut columns = Vec::new();
        for value in &look.values {
            let Some(column) = self.of_display(value, columns.first().copied()) else {
                self.unknown_in_display(value, columns.first().copied());
                return None;
            };
            columns.push(column);
        }
        let of_step = |column: &ColumnId| match &self.columns[column.0 as usize].role {
            Role::State { fresh, .. } => fresh.contains(&step),
            Role::Fact(_) => false,
        };
        if let (Some(value), Some(first)) = (look.values.first(), columns.first())
            && !(self.columns[first.0 as usize].ty.base.thing().is_some() && of_step(first))
        {
            let step = &self.merged.steps[step.0 as usize].step.name.text;
            let message =
                format!("the display of `{step}` begins with a state that holds the place where it goes on");
            self.diagnostics.push(
                Diagnostic::error("looks::part", value.span, message).label("this is not").help(format!(
                    "name a state that is `fresh each {step}`; `look {step} display: none` draws none"
                )),
            );
            return None;
        }
        Some(Says::Display(step, columns))
    }

    /// A state that a display can be drawn from.
    pub(super) fn of_display(&self, value: &Name, first: Option<ColumnId>) -> Option<ColumnId> {
        let is = |column: &Column| column.name == value.text && self.is_of_display(column, first);
        self.columns.iter().position(is).map(|place| ColumnId(place as u32))
    }

    /// Whether a state is one of all, or, behind the first, one of each player or a flag of what can stand at such a place.
    fn is_of_display(&self, column: &Column, first: Option<ColumnId>) -> bool {
        let place = first.and_then(|first| self.columns[first.0 as usize].ty.base.thing());
        let stands = |kind: KindId| {
            let is_where =
                |column: &Column| place.is_some() && column.ty.base.thing() == place && column.keys == [kind];
            self.columns.iter().any(|column| matches!(column.role, Role::State { .. }) && is_where(column))
        };
        matches!(column.role, Role::State { .. })
            && match (first, column.keys.as_slice()) {
                (_, []) => true,
                (Some(_), [key]) => *key == self.player || column.ty.base == Base::Flag && stands(*key),
                _ => false,
            }
    }

    /// Notes that the states are used of which the board makes a display by itself. Whoever took one of them out would take the
    /// display away.
    pub(super) fn use_displays_by_themselves(&mut self, looks: &[Look]) {
        let said = looks.iter().filter_map(|look| match &look.says {
            Says::Display(step, _) => Some(*step),
            Says::Part(..) | Says::Sign(..) => None,
        });
        let said: BTreeSet<StepId> = said.collect();
        let mut by_step: BTreeMap<StepId, Vec<(ColumnId, &Column)>> = BTreeMap::new();
        for (id, column) in (0u32..).map(ColumnId).zip(&self.columns) {
            if let Role::State { start: None, fresh } = &column.role
                && column.keys.is_empty()
            {
                let fresh = fresh.iter().filter(|step| !said.contains(step));
                fresh.for_each(|step| by_step.entry(*step).or_default().push((id, column)));
            }
        }
        let places = self.places();
        let displays = by_step
            .values()
            .filter_map(|own| display_by_itself(own, |kind| places.contains(&kind), self.player));
        let drawn: Vec<ColumnId> = displays.flatten().collect();
        drawn.into_iter().for_each(|column| self.used.note(Function::Column(column)));
    }

    /// The kinds of which a board can show where they are: links join them, or they have points.
    fn places(&self) -> BTreeSet<KindId> {
        let joined = self.kinds.iter().filter_map(|kind| kind.ends).flat_map(|(from, to)| [from, to]);
        let drawn = self.columns.iter().filter(|column| column.ty.base == Base::Point);
        joined.chain(drawn.filter_map(|column| column.keys.first().copied())).collect()
    }

    fn unknown_in_display(&mut self, value: &Name, first: Option<ColumnId>) {
        let known = self.columns.iter().filter(|column| self.is_of_display(column, first));
        let known: Vec<String> = known.map(|column| column.name.clone()).collect();
        let of = match first {
            None => "of the game",
            Some(_) => "of the game or of a player, nor a flag of what stands there",
        };
        let message = format!("there is no state `{}` {of}", value.text);
        let diagnostic = Diagnostic::error("names::unknown", value.span, message).label("not known");
        let diagnostic = match self.merged.guesses.near_miss(&value.text, known.iter().map(String::as_str)) {
            Some(near) => diagnostic.did_you_mean(near),
            None if known.is_empty() => diagnostic.help("declare one: `state here: area, fresh each battle`"),
            None => diagnostic.help(format!("there are {}", list(&known, "and"))),
        };
        self.diagnostics.push(diagnostic);
    }

    /// A look of a display of no step.
    pub(super) fn unknown_display(&mut self, name: &Name, step: &str) {
        let known: Vec<&str> = self.merged.steps.iter().map(|step| step.step.name.text.as_str()).collect();
        let message = format!("there is no step `{step}` that could have a display");
        let diagnostic = Diagnostic::error("names::unknown", name.span, message).label("not known");
        let diagnostic = match self.merged.guesses.near_miss(step, known.iter().copied()) {
            Some(near) => diagnostic.did_you_mean(format!("{near} {DISPLAY}")),
            None => diagnostic.help(
                "a display is of a step and of states: `look battle display: here, attacker, defender`",
            ),
        };
        self.diagnostics.push(diagnostic);
    }
}
