//! Choices that several make at once: answers wait in the frame until all have answered.
//!
//! Nothing of an answer is told before: events are made when the last one is in, and no view, option or text reads the
//! words in which answers wait.

use std::ops::Range;

use blazon_book::KindId;
use blazon_kernel::bits;
use blazon_program::ir::{ChoiceInfo, EachInfo};

use crate::fault::Trap;
use crate::machine::Machine;
use crate::vm::dispatch::CHOICE_COST;
use crate::vm::options::Options;

/// The phase in which answers are awaited.
pub(crate) const ASKING: u64 = 1;
/// The phase in which the bodies run.
const CARRYING_OUT: u64 = 2;

/// An answer that waits for those of others.
pub(crate) struct Answer {
    /// Whom the rules asked.
    pub asked: u32,
    /// Which option of the choice.
    pub option: u16,
    /// With which arguments.
    pub args: Vec<i64>,
    /// Whether it was the only one and so taken unasked.
    pub forced: bool,
}

impl Machine {
    /// The answers given so far in the choice by each that is under way.
    pub(crate) fn answers(&self) -> Vec<Answer> {
        let Some(info) = self.choice() else { return Vec::new() };
        let Some(each) = info.each else { return Vec::new() };
        let slots = self.decision.base + each.slots as usize;
        let given = (0..self.players()).filter_map(|player| {
            let (option, args) = self.answer_of(info, each, slots, player)?;
            let asked = player as u32;
            Some(Answer { asked, option, args, forced: self.decision.forced.contains(&asked) })
        });
        given.collect()
    }

    /// How many are asked in a choice by each; 0 if none is under way.
    pub(crate) fn deciders_by_each(&self) -> u64 {
        match self.choice() {
            Some(info) if info.each.is_some() => self.decision.live as u64,
            _ => 0,
        }
    }

    /// Several are asked at once. Who has nothing to choose from is passed over, if there is an `else`.
    pub(crate) fn meet_each(&mut self, info: &ChoiceInfo, each: EachInfo) -> Result<Option<usize>, Trap> {
        let base = self.decision.base;
        self.side(info.who as usize)?;
        let words = self.players().div_ceil(64);
        let from = base + info.who_reg as usize;
        let asked: Vec<usize> =
            bits::iter(&self.mem[from..from + words]).filter(|&player| player < self.players()).collect();
        let slots = base + each.slots as usize;
        let all = 1 + self.players() * each.words as usize;
        self.mem[slots..slots + all].fill(0);
        self.mem[slots] = ASKING;
        for player in 0..self.players() {
            self.mem[answer_at(slots, each, player)] = EachInfo::NOT_ASKED;
        }
        let (mut any, nobody) = (false, asked.is_empty());
        for player in asked {
            self.enumerate_for(info, each, player)?;
            match self.ctx.emit.len() {
                0 if info.otherwise.is_some() => {}
                0 => return self.nothing_open(info).map(Some),
                1 => {
                    any = true;
                    let options = std::mem::take(&mut self.ctx.emit);
                    self.keep(player as u32, &options, 0);
                    self.ctx.emit = options;
                    self.decision.forced.push(player as u32);
                }
                _ => {
                    any = true;
                    self.mem[answer_at(slots, each, player)] = 0;
                    let decider = self.decider(player as u32)?;
                    self.ask_player(player as u32, decider);
                }
            }
        }
        if self.decision.live > 0 {
            self.stand();
            return Ok(None);
        }
        if any {
            self.ctx.fuel -= CHOICE_COST;
            let forced = std::mem::take(&mut self.decision.forced);
            return self.carry_out_all(info, each, &forced).map(Some);
        }
        self.mem[slots..slots + all].fill(0);
        if nobody && info.otherwise.is_none() {
            self.decision.clear();
            return Ok(Some(info.after as usize));
        }
        self.nothing_open(info).map(Some)
    }

    /// Where the answer of one of several stands in the position, if a choice by each is under way.
    pub(crate) fn place_of_answer(&self, asked: u32) -> Option<Range<usize>> {
        let each = self.choice()?.each?;
        let at = answer_at(self.decision.base + each.slots as usize, each, asked as usize);
        Some(at..at + each.words as usize)
    }

    /// Keeps an answer until all have answered.
    pub(crate) fn keep(&mut self, asked: u32, options: &Options, index: usize) {
        let (Some(chosen), Some(at)) = (options.get(index), self.place_of_answer(asked)) else { return };
        let answer = &mut self.mem[at];
        answer[0] = 1 + u64::from(chosen.option);
        for (place, &arg) in answer[1..].iter_mut().zip(chosen.args) {
            *place = arg as u64;
        }
    }

    /// All have answered: tells of it, and answers where the first body begins.
    pub(crate) fn carry_out_all(
        &mut self,
        info: &ChoiceInfo,
        each: EachInfo,
        forced: &[u32],
    ) -> Result<usize, Trap> {
        let base = self.decision.base;
        let slots = base + each.slots as usize;
        self.mem[slots] = CARRYING_OUT;
        self.part_look_alikes(info, each, slots);
        for player in 0..self.players() {
            let Some((option, args)) = self.answer_of(info, each, slots, player) else { continue };
            self.charge_chosen(option, &args)?;
            let forced = forced.contains(&(player as u32));
            if forced {
                self.note_unasked(option);
            }
            if self.ctx.record {
                let decider = self.decider(player as u32)?;
                self.tell(info, player as u32, decider, option, &args, forced)?;
            }
        }
        self.next_answer(info, each, base)
    }

    /// Of several look-alikes one stands for all, and so all who want one have named the same: each gets another, in order
    /// of the players, as long as there are some that nothing tells from it.
    fn part_look_alikes(&mut self, info: &ChoiceInfo, each: EachInfo, slots: usize) {
        let mut given: Vec<(KindId, i64)> = Vec::new();
        for player in 0..self.players() {
            let Some((option, args)) = self.answer_of(info, each, slots, player) else { continue };
            let params = &info.options[option as usize].params;
            let mut own: Vec<(KindId, i64, i64)> = Vec::new();
            for (place, (param, &named)) in params.iter().zip(&args).enumerate() {
                let Some(kind) = param.kind else { continue };
                let thing = match own.iter().find(|(of, thing, _)| (*of, *thing) == (kind, named)) {
                    Some(&(.., thing)) => thing,
                    None if given.contains(&(kind, named)) => {
                        let is_free = |other: i64| {
                            !given.contains(&(kind, other))
                                && params
                                    .iter()
                                    .zip(&args)
                                    .all(|(own, &arg)| (own.kind, arg) != (param.kind, other))
                                && own.iter().all(|&(of, _, thing)| (of, thing) != (kind, other))
                        };
                        let mut others =
                            self.prepared.look_alikes(kind, named).filter(|&other| is_free(other));
                        others.find(|&other| self.is_same(Some(kind), named, other)).unwrap_or(named)
                    }
                    None => named,
                };
                own.push((kind, named, thing));
                self.mem[answer_at(slots, each, player) + 1 + place] = thing as u64;
            }
            given.extend(own.into_iter().map(|(kind, _, thing)| (kind, thing)));
        }
    }

    fn answer_of(
        &self,
        info: &ChoiceInfo,
        each: EachInfo,
        slots: usize,
        player: usize,
    ) -> Option<(u16, Vec<i64>)> {
        let at = answer_at(slots, each, player);
        match self.mem[at] {
            0 | EachInfo::NOT_ASKED => None,
            answer => {
                let option = u16::try_from(answer - 1).ok()?;
                let params = info.options.get(option as usize)?.params.len();
                let words = self.mem.get(at + 1..at + 1 + params)?;
                Some((option, words.iter().map(|&word| word as i64).collect()))
            }
        }
    }

    /// Those of a choice by each under way whose answers wait and are not known to a player: others decided for them.
    pub(crate) fn secret_answers(&mut self, player: u32) -> Result<Vec<u32>, Trap> {
        let mut secret = Vec::new();
        for asked in self.answers().into_iter().map(|answer| answer.asked) {
            if self.decider(asked)? != player {
                secret.push(asked);
            }
        }
        Ok(secret)
    }

    /// The options of one who has answered in the choice by each under way, in the position as it is.
    pub(crate) fn options_of_answered(&mut self, asked: u32) -> Result<Options, Trap> {
        let prepared = self.prepared.clone();
        let choice =
            self.decision.choice().and_then(|choice| prepared.program.choices.get(usize::from(choice)));
        let Some((info, each)) = choice.and_then(|info| Some((info, info.each?))) else {
            return Ok(Options::default());
        };
        self.ctx.refuel();
        self.enumerate_for(info, each, asked as usize)?;
        Ok(std::mem::take(&mut self.ctx.emit))
    }

    /// Players answer anew in the choice by each under way, by what is open to them in a position that may be another one.
    pub(crate) fn answer_anew(
        &mut self,
        players: &[u32],
        words: &mut [u64],
        mut choose: impl FnMut(&Self, &Options) -> usize,
    ) -> Result<(), Trap> {
        if self.choice().is_none_or(|info| info.each.is_none()) {
            return Ok(());
        }
        self.lay(words);
        for &asked in players {
            let options = self.options_of_answered(asked)?;
            if options.is_empty() {
                return Err(Trap::internal("somebody has answered to whom nothing is open"));
            }
            let place = choose(self, &options);
            self.keep(asked, &options, place);
        }
        words.copy_from_slice(&self.mem[..words.len()]);
        Ok(())
    }

    /// A body of a choice by each is done.
    pub(crate) fn each_next(&mut self, choice: u16, base: usize) -> Result<usize, Trap> {
        let prepared = self.prepared.clone();
        let info = &prepared.program.choices[choice as usize];
        self.ctx.fuel -= CHOICE_COST;
        match info.each {
            Some(each) => self.next_answer(info, each, base),
            None => Err(Trap::internal("this choice is not by each")),
        }
    }

    /// The next answer to be carried out, or the end of the choice.
    fn next_answer(&mut self, info: &ChoiceInfo, each: EachInfo, base: usize) -> Result<usize, Trap> {
        let slots = base + each.slots as usize;
        for player in 0..self.players() {
            let Some((option, args)) = self.answer_of(info, each, slots, player) else { continue };
            self.mem[answer_at(slots, each, player)] = EachInfo::NOT_ASKED;
            self.mem[base + each.local as usize] = player as u64;
            let option = &info.options[option as usize];
            for (param, &arg) in option.params.iter().zip(&args) {
                self.mem[base + param.local as usize] = arg as u64;
            }
            return Ok(option.body as usize);
        }
        let all = 1 + self.players() * each.words as usize;
        self.mem[slots..slots + all].fill(0);
        self.mem[base + each.local as usize] = 0;
        Ok(info.after as usize)
    }
}

/// Where a player's answer stands.
pub(crate) fn answer_at(slots: usize, each: EachInfo, player: usize) -> usize {
    slots + 1 + player * each.words as usize
}
