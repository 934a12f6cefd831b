//! Choices by meaning: whom the rules asked, and what he took, by the names that the rules give.

use blazon_book::KindId;
use blazon_program::Program;
use blazon_program::ir::ABSENT;
use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::vm::event::Event;

/// A choice by meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Choice", deny_unknown_fields)]
pub struct Entry {
    /// Whom the rules asked.
    pub player: String,
    /// The option's name.
    pub option: String,
    /// Its arguments: names of things, or numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Whether it was the only one and so taken unasked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.player, self.option)?;
        if self.args.is_empty() { Ok(()) } else { write!(f, "({})", self.args.join(", ")) }
    }
}

impl Entry {
    /// Whether both mean the same choice.
    pub(super) fn same(&self, other: &Self) -> bool {
        (&self.player, &self.option) == (&other.player, &other.option)
            && self.args.len() == other.args.len()
            && self.args.iter().zip(&other.args).all(|(a, b)| may_be(a, b))
    }

    /// An event as an entry of a log, if it is a choice.
    pub fn of(program: &Program, event: &Event) -> Option<Self> {
        let Event::Chosen { asked, choice, option, args, forced, .. } = event else { return None };
        Self::taken(program, *choice, *asked, *option, args, *forced)
    }

    /// The answers that wait in a choice by each for those of others, by the place of who gave them.
    pub fn pending(machine: &Machine) -> Vec<Self> {
        let Some(choice) = machine.decision.choice() else { return Vec::new() };
        let answers = machine.answers().into_iter();
        answers
            .filter_map(|answer| {
                let (option, args) = (answer.option, &answer.args);
                Self::taken(machine.program(), choice, answer.asked, option, args, answer.forced)
            })
            .collect()
    }

    /// An open option of a player, by the place of [`Machine::options`], as the choice that it would be.
    pub fn open(machine: &Machine, player: u32, index: usize) -> Option<Self> {
        let (choice, asked) = (machine.decision.choice()?, machine.decision.asked(player)?);
        let open = machine.options(player).get(index)?;
        Self::taken(machine.program(), choice, asked, open.option, open.args, false)
    }

    /// Who may make this choice now, and its place among what is open to him; nothing if it is not open.
    pub fn find(&self, machine: &Machine) -> Option<(u32, usize)> {
        self.find_member(machine).map(|(decider, place, _)| (decider, place))
    }

    /// The same, and which of those that the open option stands for.
    pub(super) fn find_member(&self, machine: &Machine) -> Option<(u32, usize, Option<usize>)> {
        let asked = |decider: &u32| {
            let asked = machine.decision.asked(*decider);
            asked.is_some_and(|asked| machine.player_name(asked) == self.player)
        };
        let decider = machine.deciders().iter().copied().find(asked)?;
        let options = machine.options(decider);
        let (place, member) = options
            .meant(|option, args| self.fits(machine, option, args, |_, a, b| a == b))
            .or_else(|| options.meant(|option, args| self.means(machine, option, args)))
            .or_else(|| {
                options.meant(|option, args| self.fits(machine, option, args, stands_for(machine)))
            })?;
        Some((decider, place, member))
    }

    /// Whether this is an option of what is being decided, whoever takes it.
    pub(super) fn means(&self, machine: &Machine, option: u16, args: &[i64]) -> bool {
        self.fits(machine, option, args, |_, a, b| may_be(a, b))
    }

    fn fits(
        &self,
        machine: &Machine,
        option: u16,
        args: &[i64],
        is_meant: impl Fn((Option<KindId>, i64), &str, &str) -> bool,
    ) -> bool {
        let info = machine.choice().and_then(|choice| choice.options.get(usize::from(option)));
        info.is_some_and(|info| {
            let names = info.params.iter().zip(args).zip(&self.args);
            info.name == self.option
                && info.params.len() == self.args.len()
                && names.into_iter().all(|((param, &arg), name)| {
                    is_meant((param.kind, arg), &copy(machine.program(), param.kind, arg), name)
                })
        })
    }

    fn taken(
        program: &Program,
        choice: u16,
        asked: u32,
        option: u16,
        args: &[i64],
        forced: bool,
    ) -> Option<Self> {
        let info = program.choices.get(choice as usize)?.options.get(option as usize)?;
        let kinds = info.params.iter().map(|param| param.kind);
        Some(Self {
            player: thing_name(program, program.book.player, i64::from(asked)),
            option: info.name.clone(),
            args: kinds.zip(args).map(|(kind, &arg)| copy(program, kind, arg)).collect(),
            forced,
        })
    }
}

/// An argument by meaning, and of look-alikes which one: `Cart`, `Cart #2`.
fn copy(program: &Program, kind: Option<KindId>, arg: i64) -> String {
    let name = argument(program, kind, arg);
    let things = kind.map_or(&[][..], |kind| &program.book.kind(kind).things);
    let group =
        usize::try_from(arg).ok().and_then(|thing| things.get(thing)).map(|thing| i64::from(thing.group));
    match group.map_or(0, |group| arg - group) {
        0 => name,
        behind => format!("{name}{COPY}{}", behind + 1),
    }
}

/// Whether what is open stands for the copy of that name: nothing tells the two apart. Of several who want such a thing at once
/// each gets another than the one that was open to him.
fn stands_for(machine: &Machine) -> impl Fn((Option<KindId>, i64), &str, &str) -> bool {
    |(kind, open), name, wanted| {
        let of_kind =
            || kind.map(|of| machine.prepared.look_alikes(of, open).collect::<Vec<_>>()).unwrap_or_default();
        name == wanted
            || of_kind().into_iter().any(|other| {
                copy(machine.program(), kind, other) == wanted && machine.is_same(kind, open, other)
            })
    }
}

/// What stands between a name of look-alikes and which of them it is.
const COPY: &str = " #";

/// Whether two names are the same, or one of them, which doesn't say which copy it is, that of the other.
fn may_be(a: &str, b: &str) -> bool {
    let is_copy_of = |a: &str, b: &str| {
        let copy = a.strip_prefix(b).and_then(|rest| rest.strip_prefix(COPY));
        copy.is_some_and(|copy| copy.parse::<u32>().is_ok())
    };
    a == b || is_copy_of(a, b) || is_copy_of(b, a)
}

/// An argument by meaning.
pub fn argument(program: &Program, kind: Option<KindId>, arg: i64) -> String {
    match kind {
        _ if arg == ABSENT => "none".to_owned(),
        Some(kind) => thing_name(program, kind, arg),
        None => arg.to_string(),
    }
}

pub(super) fn thing_name(program: &Program, kind: KindId, thing: i64) -> String {
    let things = &program.book.kind(kind).things;
    usize::try_from(thing)
        .ok()
        .and_then(|t| things.get(t))
        .map_or_else(|| thing.to_string(), |t| t.name.clone())
}
