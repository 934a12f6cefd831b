//! The machine: from decision to decision.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use blazon_book::{ColumnId, KindId, StepId};
use blazon_program::Program;
use blazon_program::ir::{ABSENT, ChoiceInfo, HEADER, slot};

use crate::fault::{BacktraceEntry, Fault, Limits, Trap, code};
use crate::question::Decision;
use crate::test_runner::by_meaning;
use crate::vm::call;
use crate::vm::context::{Context, Stop};
use crate::vm::dice;
use crate::vm::dispatch::WINDOW;
use crate::vm::event::Event;
use crate::vm::options::Options;
use crate::vm::prepared::Prepared;
use crate::vm::sets;
use crate::vm::stores::Stored;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won, if anybody did.
    pub winner: Option<u32>,
}

/// Plays a program: holds one position and what is to be decided in it.
pub struct Machine {
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) mem: Vec<u64>,
    pub(crate) ctx: Context,
    /// Where the position ends.
    pub(crate) end: usize,
    pub(crate) decision: Decision,
    /// The position at the last decision, to go back to.
    pub(crate) last: Vec<u64>,
    /// Where in the code the game was ended; not part of the position.
    pub(crate) ended: Option<usize>,
    /// Whether invariants are looked at after a choice; not so in what bots try.
    pub(crate) keeps_invariants: bool,
    /// For each invariant the last change before it was looked at and held.
    pub(crate) held: Vec<u64>,
}

impl Clone for Machine {
    fn clone(&self) -> Self {
        let mut copy = Self::empty(self.prepared.clone(), self.ctx.limits);
        copy.mem[..self.end].copy_from_slice(&self.mem[..self.end]);
        copy.end = self.end;
        copy.decision = self.decision.clone();
        copy.ended = self.ended;
        copy.keeps_invariants = self.keeps_invariants;
        copy.ctx.depth = self.ctx.depth;
        copy.ctx.record = self.ctx.record;
        copy.ctx.dice.clone_from(&self.ctx.dice);
        copy.ctx.cards.clone_from(&self.ctx.cards);
        copy
    }
}

impl Machine {
    /// A machine with the usual limits; nothing is under way yet.
    ///
    /// # Errors
    ///
    /// As [`Machine::with_limits`].
    pub fn new(program: Arc<Program>) -> Result<Self, Fault> {
        Self::with_limits(program, Limits::default())
    }

    /// A machine with limits of its own. Computes the start of all states.
    ///
    /// # Errors
    ///
    /// A [`Fault`] of a start value, or `run::memory` where the states do not fit the limits.
    pub fn with_limits(program: Arc<Program>, limits: Limits) -> Result<Self, Fault> {
        let bare = |trap: Trap| {
            let (code, message) = trap.into_parts();
            Fault::new(code, message)
        };
        let prepared = Prepared::new(program).map_err(bare)?;
        let room = prepared.template.len() + HEADER;
        if limits.words < room {
            return Err(Fault::new(
                code::MEMORY,
                format!("the game needs {room} words, the limit is {}", limits.words),
            ));
        }
        let mut machine = Self::empty(Arc::new(prepared), limits);
        machine.start_values()?;
        Ok(machine)
    }

    fn empty(prepared: Arc<Prepared>, limits: Limits) -> Self {
        let mut machine = Self {
            mem: vec![0; limits.words + WINDOW],
            ctx: Context::new(limits, &prepared.groups),
            end: 0,
            decision: Decision::default(),
            last: Vec::new(),
            ended: None,
            keeps_invariants: true,
            held: Vec::new(),
            prepared,
        };
        machine.clear();
        machine
    }

    /// Evaluates the start functions into the template.
    fn start_values(&mut self) -> Result<(), Fault> {
        let prepared = self.prepared.clone();
        let mut template = prepared.template.clone();
        for &(column, function) in &prepared.program.starts {
            let col = prepared.columns[column as usize];
            let book = &prepared.program.book;
            for key in 0..col.len {
                let things = book.keys_of(&book.columns[column as usize], key as usize);
                let args: Vec<u64> = things.into_iter().map(u64::from).collect();
                self.ctx.refuel();
                let at = call::run_function(
                    &prepared,
                    &mut self.mem,
                    &mut self.ctx,
                    function,
                    prepared.template.len(),
                    &args,
                )
                .map_err(|trap| self.fault(trap))?;
                if col.set_words > 0 {
                    let words = &self.mem[at..at + col.set_words as usize];
                    col.set_entry(&mut template, key, words);
                } else if col.takes(self.mem[at] as i64) {
                    col.put(&mut template, key, self.mem[at] as i64);
                } else {
                    let name = &book.columns[column as usize].name;
                    let message = format!(
                        "the start of `{name}` is {}, outside {} to {}",
                        self.mem[at] as i64, col.lo, col.hi
                    );
                    return Err(Fault::new(code::RANGE, message));
                }
            }
        }
        drop(prepared);
        // Nobody else has it yet.
        if let Some(prepared) = Arc::get_mut(&mut self.prepared) {
            prepared.template = template;
            prepared.index_template();
        }
        self.clear();
        Ok(())
    }

    /// The program that it plays.
    pub fn program(&self) -> &Arc<Program> {
        &self.prepared.program
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.ctx.limits
    }

    /// All states at their start, nothing under way.
    pub(crate) fn clear(&mut self) {
        let words = self.prepared.template.len();
        self.ctx.memo.compare(&self.prepared.groups, &self.mem[..words], &self.prepared.template);
        self.mem[..words].copy_from_slice(&self.prepared.template);
        self.mem[slot::BASE] = words as u64;
        self.end = words;
        self.ended = None;
        self.decision.clear();
        self.ctx.depth = 0;
    }

    /// Begins a game: a setup, then the first step, up to the first decision.
    ///
    /// # Errors
    ///
    /// A [`Fault`] of the rules (`run::range`, `run::endless`, `run::clash` …): the position is what it was before.
    pub fn start(&mut self, setup: usize, seed: u64) -> Result<(), Fault> {
        let begins = self.prepared.program.book.begins;
        self.remember();
        let events = self.ctx.events.len();
        let begun = self.lay_out(setup, seed).and_then(|()| self.enter(begins));
        self.settle(begun, events)?;
        self.keep_invariants(events, |_| "at the beginning".to_owned())
    }

    /// The position of a setup with nothing under way, as tests begin.
    ///
    /// # Errors
    ///
    /// A [`Fault`] of the rules (`run::range`, `run::endless`, `run::clash` …): the position is what it was before.
    pub fn place(&mut self, setup: usize, seed: u64) -> Result<(), Fault> {
        self.remember();
        let events = self.ctx.events.len();
        let laid = self.lay_out(setup, seed);
        self.settle(laid, events)
    }

    /// Plays one step without parameters as the outermost, in the states as they are, up to its first decision or
    /// its end. Its end does not end the game.
    ///
    /// # Errors
    ///
    /// A [`Fault`] of the rules (`run::range`, `run::endless`, `run::clash` …): the position is what it was before.
    pub fn play(&mut self, step: StepId) -> Result<(), Fault> {
        self.remember();
        let events = self.ctx.events.len();
        self.mem[slot::ALONE] = 1;
        self.set_outcome(0);
        let played = self.enter(step);
        self.settle(played, events)?;
        self.keep_invariants(events, |_| "at the first choice".to_owned())
    }

    /// Does one step without parameters that decides nothing, beside whatever is under way; what is being decided
    /// is then looked at anew.
    ///
    /// # Errors
    ///
    /// A [`Fault`] of the rules (`run::range`, `run::endless`, `run::clash` …): the position is what it was before.
    pub fn set(&mut self, step: StepId) -> Result<(), Fault> {
        self.remember();
        let events = self.ctx.events.len();
        let done = self.aside(step, self.end).and_then(|()| match self.decision.place() {
            Some((pc, base)) => self.advance(pc, base),
            None => Ok(()),
        });
        self.settle(done, events)
    }

    fn lay_out(&mut self, setup: usize, seed: u64) -> Result<(), Trap> {
        let Some(setup) = self.prepared.program.book.setups.get(setup) else {
            return Err(Trap::new(code::ILLEGAL, format!("there is no setup {setup}")));
        };
        let body = setup.body;
        self.clear();
        self.mem[slot::SEED] = seed;
        self.aside(body, self.end)
    }

    /// Runs a step to its end in a frame at `at`; the frames below stay.
    fn aside(&mut self, step: StepId, at: usize) -> Result<(), Trap> {
        let kept = (self.mem[slot::PC], self.mem[slot::BASE], self.ctx.depth);
        let entry = self.frame(step, at)?;
        self.ctx.refuel();
        let stop = call::exec(&self.prepared, &mut self.mem, &mut self.ctx, entry, at, false)?;
        (self.mem[slot::PC], self.mem[slot::BASE], self.ctx.depth) = kept;
        match stop {
            Stop::Over => Ok(()),
            Stop::Won(_)
            | Stop::Choose(_)
            | Stop::EachNext(_)
            | Stop::Done
            | Stop::Returned(_)
            | Stop::Refused(_) => Err(Trap::internal("a setup or a test's line decides something")),
        }
    }

    /// Makes the frame of a step that nobody called.
    fn frame(&mut self, step: StepId, at: usize) -> Result<usize, Trap> {
        let function = &self.prepared.program.functions[self.prepared.program.step(step) as usize];
        let locals = (function.local_words as usize).max(HEADER);
        if function.param_words != 0 {
            return Err(Trap::internal(format!("`{}` has parameters", function.name)));
        }
        if at + (function.frame_words as usize).max(locals) > self.ctx.limits.words {
            return Err(Trap::new(
                code::MEMORY,
                format!("more than {} words of memory are wanted", self.ctx.limits.words),
            ));
        }
        self.mem[at..at + locals].fill(0);
        self.mem[at + 2] = dice::OUTERMOST;
        Ok(function.entry as usize)
    }

    /// Begins a step as the outermost.
    fn enter(&mut self, step: StepId) -> Result<(), Trap> {
        let base = self.prepared.template.len();
        self.decision.clear();
        self.ctx.depth = 1;
        let entry = self.frame(step, base)?;
        self.advance(entry, base)
    }

    /// Runs until somebody must decide or the game is over.
    pub(crate) fn advance(&mut self, mut pc: usize, mut base: usize) -> Result<(), Trap> {
        self.ctx.refuel();
        loop {
            match call::exec(&self.prepared, &mut self.mem, &mut self.ctx, pc, base, false)? {
                Stop::Choose(choice) => {
                    (pc, base) = (self.ctx.pc, self.ctx.base);
                    match self.meet(choice, pc, base)? {
                        Some(next) => pc = next,
                        None => return Ok(()),
                    }
                }
                Stop::EachNext(choice) => {
                    base = self.ctx.base;
                    pc = self.each_next(choice, base)?;
                }
                Stop::Over => {
                    self.over(1 - self.mem[slot::ALONE].min(1), None);
                    return Ok(());
                }
                Stop::Won(player) => {
                    let players = self.prepared.things(self.prepared.program.book.player) as i64;
                    if !(0..players).contains(&player) {
                        return Err(Trap::internal("nobody has won"));
                    }
                    self.over(2 + player as u64, Some(player as u32));
                    self.ended = Some(self.ctx.pc);
                    return Ok(());
                }
                other @ (Stop::Done | Stop::Returned(_) | Stop::Refused(_)) => {
                    return Err(Trap::internal(format!("the game stops with {other:?}")));
                }
            }
        }
    }

    /// How the game stands, which rules may ask.
    fn set_outcome(&mut self, outcome: u64) {
        self.mem[slot::OUTCOME] = outcome;
        let groups = self.prepared.groups.at(slot::OUTCOME);
        self.ctx.memo.change(groups);
    }

    fn over(&mut self, outcome: u64, winner: Option<u32>) {
        self.mem[slot::PC] = 0;
        self.mem[slot::BASE] = self.prepared.template.len() as u64;
        self.set_outcome(outcome);
        self.end = self.prepared.template.len();
        self.decision.clear();
        self.ctx.depth = 0;
        if self.ctx.record && outcome != 0 {
            self.ctx.events.push(Event::Over { winner });
        }
    }

    /// How the game ended; `None` while it is under way.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.mem[slot::OUTCOME] {
            0 => None,
            1 => Some(Outcome { winner: None }),
            won => Some(Outcome { winner: Some(won as u32 - 2) }),
        }
    }

    /// The outcome as a number: 0 under way, 1 over without a winner, 2 + player when won.
    pub(crate) fn outcome_word(&self) -> u64 {
        self.mem[slot::OUTCOME]
    }

    /// Where the rules ended the game that this machine has just played to its end: the step with the `win`, or
    /// the first step of all if it came to its end and nobody won. Nothing while the game is under way, and nothing
    /// for a position that was restored when it was over already.
    pub fn ending(&self) -> Option<BacktraceEntry> {
        let outcome = self.outcome()?;
        match (self.ended, outcome.winner) {
            (Some(pc), _) => self.frame_at(pc),
            (None, Some(_)) => None,
            (None, None) => {
                let step = self.prepared.program.book.step(self.prepared.program.book.begins);
                Some(BacktraceEntry { name: step.name.clone(), span: step.span, cites: step.cites.clone() })
            }
        }
    }

    /// How many decisions have been taken.
    pub fn taken(&self) -> u64 {
        self.mem[slot::TAKEN]
    }

    /// The players who must decide now; none when nothing is under way.
    pub fn deciders(&self) -> &[u32] {
        self.decision.deciders()
    }

    /// For whom a player decides first: himself, unless the rules have somebody else decide for those whom they ask.
    pub fn asked(&self, player: u32) -> Option<u32> {
        self.decision.asked(player)
    }

    /// What is being decided.
    pub fn choice(&self) -> Option<&ChoiceInfo> {
        self.decision.choice().map(|choice| &self.prepared.program.choices[choice as usize])
    }

    /// The place of what is decided among the program's choices.
    pub fn choice_place(&self) -> Option<usize> {
        self.decision.choice().map(usize::from)
    }

    /// What is open to a player; nothing for one who is not asked.
    pub fn options(&self, player: u32) -> &Options {
        self.decision.options(player)
    }

    /// A player takes the option at a place of [`Machine::options`]; runs to the next decision.
    ///
    /// # Errors
    ///
    /// `run::illegal` if the player is not asked or there is no such option. A [`Fault`] of the rules (`run::range`,
    /// `run::endless`, `run::clash` …): the position is what it was before.
    pub fn choose(&mut self, player: u32, index: usize) -> Result<(), Fault> {
        let Some(pending) = self.decision.find(player) else {
            return Err(Fault::new(code::ILLEGAL, format!("{} is not asked", self.player_name(player))));
        };
        let open = self.decision.options(player).len();
        if index >= open {
            return Err(Fault::new(code::ILLEGAL, format!("there is no option {index}, {open} are open")));
        }
        self.remember();
        self.ctx.stores.since.clear();
        let events = self.ctx.events.len();
        let taken = self.answer(pending, index);
        self.settle(taken, events)?;
        self.keep_invariants(events, |machine| {
            let (name, option) = (machine.player_name(player), by_meaning(machine, player, index));
            format!("after `{name}: {option}`")
        })
    }

    /// A player takes an option by what it is; look-alikes count as the same.
    ///
    /// # Errors
    ///
    /// As [`Machine::choose`].
    pub fn choose_by(&mut self, player: u32, option: u16, args: &[i64]) -> Result<(), Fault> {
        match self.place_of(player, option, args) {
            Some((index, member)) => {
                self.bring_forward(player, index, member);
                self.choose(player, index)
            }
            None if self.decision.find(player).is_none() => self.choose(player, 0),
            None => Err(Fault::new(code::ILLEGAL, "this option is not open")),
        }
    }

    /// The place of an open option, or of the one that stands for it.
    pub fn find(&self, player: u32, option: u16, args: &[i64]) -> Option<usize> {
        self.place_of(player, option, args).map(|(place, _)| place)
    }

    fn place_of(&self, player: u32, option: u16, args: &[i64]) -> Option<(usize, Option<usize>)> {
        let info = self.choice()?.options.get(option as usize)?;
        let alike = |open: &[i64]| {
            open.len() == args.len()
                && info
                    .params
                    .iter()
                    .zip(open.iter().zip(args))
                    .all(|(p, (&a, &b))| self.prepared.alike(p.kind, a, b))
        };
        let open = self.decision.options(player);
        // One that nothing tells apart is meant first, then one that looks alike.
        let same = |open: &[i64]| {
            let mut kinds = info.params.iter().map(|param| param.kind);
            alike(open) && open.iter().zip(args).all(|(&a, &b)| self.is_same(kinds.next().flatten(), a, b))
        };
        open.meant(|o, these| o == option && these == args)
            .or_else(|| open.meant(|o, these| o == option && same(these)))
            .or_else(|| open.meant(|o, these| o == option && alike(these)))
    }

    /// Whether two things of a kind are the same, or look alike and no state tells them apart.
    pub(crate) fn is_same(&self, kind: Option<KindId>, a: i64, b: i64) -> bool {
        let (Some(kind), Ok(one), Ok(other)) = (kind, u32::try_from(a), u32::try_from(b)) else {
            return a == b;
        };
        self.alike(Some(kind), a, b) && sets::is_same(&self.prepared, &self.mem, kind, (one, other))
    }

    /// Whether two things of a kind are the same or look alike; numbers have no kind.
    pub fn alike(&self, kind: Option<KindId>, a: i64, b: i64) -> bool {
        self.prepared.alike(kind, a, b)
    }

    pub(crate) fn player_name(&self, player: u32) -> String {
        let things = &self.prepared.program.book.kind(self.prepared.program.book.player).things;
        things.get(player as usize).map_or_else(|| format!("player {player}"), |thing| thing.name.clone())
    }

    /// Whether events are kept from now on.
    pub fn record(&mut self, on: bool) {
        self.ctx.record = on;
    }

    /// Keeps from now on which options are done unasked, since each was the only one. What bots try is not kept.
    pub fn keep_unasked(&mut self) {
        self.ctx.unasked = Some(BTreeSet::new());
    }

    /// The options that were done unasked since this was asked last, each by the place of its choice and its own place there;
    /// none unless that is kept ([`Self::keep_unasked`]).
    pub fn take_unasked(&mut self) -> BTreeSet<(u16, u16)> {
        self.ctx.unasked.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Keeps from now on what the rules store in these states: each time that they set one of them. What bots try is not kept.
    pub fn watch_stores(&mut self, columns: &[ColumnId]) {
        self.ctx.stores.watch(columns);
    }

    /// What was stored in the states that are watched since the last choice was made, in order: the first 65,536 of it. What
    /// is fresh each step and goes back to its start is not among it.
    pub fn stored(&self) -> &[Stored] {
        &self.ctx.stores.since
    }

    /// Counts from now on, and from 0, how often each step is done. What bots try is not counted.
    pub fn count_turns(&mut self) {
        self.ctx.counts.clear();
        self.ctx.counts.resize(self.prepared.program.functions.len(), 0);
    }

    /// How often a step was done, if that is counted; what changes have made of it, to be done in its place, is counted with it.
    pub fn turns(&self, step: StepId) -> u64 {
        let alike = self.prepared.alike_steps.get(step.0 as usize).map_or(&[][..], Vec::as_slice);
        alike.iter().filter_map(|&function| self.ctx.counts.get(function as usize)).sum()
    }

    /// Counts from now on, and from 0, what comes up at the sites of a program that counts. What bots try is not counted.
    pub fn count_sites(&mut self) {
        self.ctx.hits.clear();
        self.ctx.hits.resize(self.prepared.program.sites.len(), [0; 2]);
        self.ctx.memo.is_coarse = self.is_counting();
    }

    /// Whether it counts what comes up: then what is looked at is looked at each time.
    pub(crate) fn is_counting(&self) -> bool {
        !self.ctx.hits.is_empty()
    }

    /// How often each site came up, and how often it held, if that is counted.
    pub fn hits(&self) -> &[[u64; 2]] {
        &self.ctx.hits
    }

    /// The events since they were last taken.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.ctx.events)
    }

    /// What the next dice show, before chance is asked again.
    pub fn script_dice(&mut self, dice: Vec<i64>) {
        self.ctx.dice = VecDeque::from(dice);
    }

    /// What is drawn next, before chance is asked again; a thing stands for all that look like it.
    pub fn script_draws(&mut self, cards: Vec<(KindId, u32)>) {
        self.ctx.cards = VecDeque::from(cards);
    }

    /// The dice and cards that lie ready and have not been used.
    pub fn script(&self) -> (Vec<i64>, Vec<(KindId, u32)>) {
        (self.ctx.dice.iter().copied().collect(), self.ctx.cards.iter().copied().collect())
    }

    /// Gives the dice and draws to come another seed. Bots use it, so as not to know what will fall.
    pub fn reseed(&mut self, seed: u64) {
        self.mem[slot::SEED] = seed;
    }
}

/// An absent argument.
pub const NOTHING: i64 = ABSENT;
