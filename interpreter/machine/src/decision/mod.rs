//! Decisions: who is asked, what is open to them, and how answers are carried out.

mod inspect;
pub(crate) mod simultaneous;
pub(crate) mod standing;
pub(crate) mod veiled;

use blazon_program::ir::{ChoiceInfo, EachInfo, slot};

use crate::decision::simultaneous::{ASKING, answer_at};
use crate::fault::{Trap, code};
use crate::machine::Machine;
use crate::question::Pending;
use crate::vm::call;
use crate::vm::context::Stop;
use crate::vm::dispatch::CHOICE_COST;
use crate::vm::event::Event;
use crate::vm::options::Options;
use crate::vm::text;

impl Machine {
    /// Comes to a choice. Answers where it goes on, or `None` if somebody must decide.
    pub(crate) fn meet(&mut self, choice: u16, pc: usize, base: usize) -> Result<Option<usize>, Trap> {
        let prepared = self.prepared.clone();
        let info = &prepared.program.choices[choice as usize];
        self.open(choice, pc, base);
        if let Some(each) = info.each {
            return self.meet_each(info, each);
        }
        let (asked, decider) = self.who(info)?;
        self.enumerate(info.enumerate as usize)?;
        self.veil(info, asked, decider)?;
        match self.ctx.emit.len() {
            0 => self.nothing_open(info).map(Some),
            1 => {
                self.ctx.fuel -= CHOICE_COST;
                let options = std::mem::take(&mut self.ctx.emit);
                let body = self.carry_out(info, asked, decider, &options, 0, true);
                self.ctx.emit = options;
                body.map(Some)
            }
            _ => {
                self.ask_player(asked, decider);
                self.stand();
                Ok(None)
            }
        }
    }

    /// Computes again what is being decided in a position that stands at a choice.
    pub(crate) fn look_again(&mut self, pc: usize, base: usize) -> Result<(), Trap> {
        let prepared = self.prepared.clone();
        let blazon_program::ir::Op::Choose { choice } = prepared.program.code[pc] else {
            return Err(Trap::new(code::RESTORE, "the position does not stand at a decision"));
        };
        let info = &prepared.program.choices[choice as usize];
        let refuse = |what| Err(Trap::new(code::RESTORE, format!("the position cannot be restored: {what}")));
        self.open(choice, pc, base);
        let Some(each) = info.each else {
            let (asked, decider) = self.who(info)?;
            self.enumerate(info.enumerate as usize)?;
            self.veil(info, asked, decider)?;
            if self.ctx.emit.len() < 2 {
                return refuse("there is nothing to decide");
            }
            self.ask_player(asked, decider);
            return Ok(());
        };
        let slots = base + each.slots as usize;
        if self.mem[slots] != ASKING {
            return refuse("the answers are in disorder");
        }
        for player in 0..self.players() {
            match self.mem[answer_at(slots, each, player)] {
                EachInfo::NOT_ASKED => {}
                0 => {
                    self.enumerate_for(info, each, player)?;
                    if self.ctx.emit.len() < 2 {
                        return refuse("there is nothing to decide");
                    }
                    let decider = self.decider(player as u32)?;
                    self.ask_player(player as u32, decider);
                }
                answer if answer > info.options.len() as u64 => return refuse("an answer is unknown"),
                _ => {
                    // Nothing has changed since he was asked, or was not because one option alone was open.
                    self.enumerate_for(info, each, player)?;
                    if self.ctx.emit.len() == 1 {
                        self.decision.forced.push(player as u32);
                    }
                }
            }
        }
        if self.decision.live == 0 { refuse("nobody has to answer") } else { Ok(()) }
    }

    /// A question is answered. For a choice by each the answer waits for the others.
    pub(crate) fn answer(&mut self, pending: usize, index: usize) -> Result<(), Trap> {
        let prepared = self.prepared.clone();
        let Some(choice) = self.decision.choice else { return Err(Trap::internal("nothing is asked")) };
        let info = &prepared.program.choices[choice as usize];
        let base = self.decision.base;
        let Pending { asked, decider, options } = std::mem::take(&mut self.decision.pendings[pending]);
        self.mem[slot::TAKEN] = self.mem[slot::TAKEN].wrapping_add(1);
        match info.each {
            None => {
                self.ctx.refuel();
                let body = self.carry_out(info, asked, decider, &options, index, false);
                self.decision.clear();
                self.give_back(pending, options);
                self.advance(body?, base)
            }
            Some(each) => {
                self.keep(asked, &options, index);
                self.give_back(pending, options);
                self.decision.remove(pending);
                if self.decision.live == 0 {
                    self.ctx.refuel();
                    let forced = std::mem::take(&mut self.decision.forced);
                    let begun = self.carry_out_all(info, each, &forced);
                    self.decision.clear();
                    begun.and_then(|body| self.advance(body, base))
                } else {
                    Ok(())
                }
            }
        }
    }

    /// Puts a buffer of options back for the next decision.
    fn give_back(&mut self, pending: usize, options: Options) {
        if let Some(place) = self.decision.pendings.get_mut(pending) {
            place.options = options;
        }
    }

    pub(crate) fn open(&mut self, choice: u16, pc: usize, base: usize) {
        self.decision.clear();
        (self.decision.choice, self.decision.pc, self.decision.base) = (Some(choice), pc, base);
    }

    pub(crate) fn ask_player(&mut self, asked: u32, decider: u32) {
        let mut options = std::mem::take(&mut self.ctx.emit);
        self.decision.add(asked, decider, &mut options);
        self.ctx.emit = options;
    }

    /// The position ends here, at a decision.
    pub(crate) fn stand(&mut self) {
        let (pc, base) = (self.decision.pc, self.decision.base);
        let function = &self.prepared.program.functions[self.prepared.owner[pc] as usize];
        self.mem[slot::PC] = pc as u64;
        self.mem[slot::BASE] = base as u64;
        self.end = base + function.local_words as usize;
    }

    pub(crate) fn players(&self) -> usize {
        self.prepared.things(self.prepared.program.book.player)
    }

    /// Runs a piece of the choice's step on the side.
    pub(crate) fn side(&mut self, pc: usize) -> Result<Stop, Trap> {
        let base = self.decision.base;
        let depth = self.ctx.depth;
        let stop = call::exec(&self.prepared, &mut self.mem, &mut self.ctx, pc, base, false);
        if stop.is_ok() {
            self.ctx.depth = depth;
        }
        stop
    }

    fn who(&mut self, info: &ChoiceInfo) -> Result<(u32, u32), Trap> {
        self.side(info.who as usize)?;
        let asked = self.mem[self.decision.base + info.who_reg as usize];
        if asked >= self.players() as u64 {
            return Err(Trap::internal("a choice asks nobody"));
        }
        Ok((asked as u32, self.decider(asked as u32)?))
    }

    /// Who decides for a player.
    pub(crate) fn decider(&mut self, asked: u32) -> Result<u32, Trap> {
        let Some(rule) = self.prepared.program.book.chooser else { return self.seated(asked, asked) };
        let (prepared, at) = (self.prepared.clone(), self.free());
        let function = prepared.program.rule(rule);
        let result =
            call::run_function(&prepared, &mut self.mem, &mut self.ctx, function, at, &[u64::from(asked)])?;
        let decider = self.mem[result];
        if decider >= self.players() as u64 {
            return Err(Trap::internal(format!("nobody chooses for {}", self.player_name(asked))));
        }
        self.seated(asked, decider as u32)
    }

    /// Whoever decides, if he sits at the table.
    fn seated(&self, asked: u32, decider: u32) -> Result<u32, Trap> {
        if self.prepared.program.book.players.contains(&decider) {
            return Ok(decider);
        }
        let (asked, decider) = (self.player_name(asked), self.player_name(decider));
        let message = match asked == decider {
            true => format!("{asked} is asked and does not sit at the table"),
            false => format!("{asked} is asked, {decider} decides and does not sit at the table"),
        };
        let help =
            "name him among the `players` of the manifest, or say in a rule `chooser` who decides for him";
        Err(Trap::new(code::SEAT, format!("{message}: {help}")))
    }

    fn enumerate(&mut self, pc: usize) -> Result<(), Trap> {
        self.ctx.emit.clear();
        self.side(pc).map(|_| ())
    }

    /// The options of one of several; his variable holds him meanwhile.
    pub(crate) fn enumerate_for(
        &mut self,
        info: &ChoiceInfo,
        each: EachInfo,
        player: usize,
    ) -> Result<(), Trap> {
        self.with_asked(Some(each), player as u32, |machine| {
            machine.enumerate(info.enumerate as usize)?;
            if machine.ctx.emit.is_empty() || machine.sees_options() {
                return Ok(());
            }
            let decider = machine.decider(player as u32)?;
            machine.veil(info, player as u32, decider)
        })
    }

    /// Whether nothing that the options of the choice mean is hidden from anybody.
    fn sees_options(&self) -> bool {
        self.decision.choice().is_none_or(|choice| self.prepared.veiled[usize::from(choice)].is_empty())
    }

    /// Does something while the variable of a choice by each holds a player; the position is then as before.
    pub(crate) fn with_asked<T>(
        &mut self,
        each: Option<EachInfo>,
        player: u32,
        work: impl FnOnce(&mut Self) -> Result<T, Trap>,
    ) -> Result<T, Trap> {
        let Some(each) = each else { return work(self) };
        let at = self.decision.base + each.local as usize;
        let before = std::mem::replace(&mut self.mem[at], u64::from(player));
        let result = work(self);
        self.mem[at] = before;
        result
    }

    pub(crate) fn nothing_open(&mut self, info: &ChoiceInfo) -> Result<usize, Trap> {
        self.decision.clear();
        self.ctx.fuel -= CHOICE_COST;
        if let Some(otherwise) = info.otherwise {
            return Ok(otherwise as usize);
        }
        self.ctx.pc = self.decision.pc;
        self.ctx.base = self.decision.base;
        Err(Trap::new(code::EMPTY_CHOICE, "nothing can be chosen here, and there is no `else`"))
    }

    /// Puts the arguments into the body's variables and tells of it; answers where the body begins.
    fn carry_out(
        &mut self,
        info: &ChoiceInfo,
        asked: u32,
        decider: u32,
        options: &Options,
        index: usize,
        forced: bool,
    ) -> Result<usize, Trap> {
        let Some(chosen) = options.get(index) else { return Err(Trap::internal("there is no such option")) };
        self.charge_chosen(chosen.option, chosen.args)?;
        if forced {
            self.note_unasked(chosen.option);
        }
        if self.ctx.record {
            self.tell(info, asked, decider, chosen.option, chosen.args, forced)?;
        }
        let option = &info.options[chosen.option as usize];
        for (param, &arg) in option.params.iter().zip(chosen.args) {
            self.mem[self.decision.base + param.local as usize] = arg as u64;
        }
        Ok(option.body as usize)
    }

    /// Keeps that an option was the only one, if somebody wants to know.
    pub(crate) fn note_unasked(&mut self, option: u16) {
        if let (Some(unasked), Some(choice)) = (&mut self.ctx.unasked, self.decision.choice) {
            unasked.insert((choice, option));
        }
    }

    /// Counts what is told of an option that is taken, whether anybody keeps it or not.
    pub(crate) fn charge_chosen(&mut self, option: u16, args: &[i64]) -> Result<(), Trap> {
        let line = self.prepared.line_words(self.decision.choice, option);
        self.ctx.tells(3 * args.len() + line)
    }

    /// Records that an option is taken.
    pub(crate) fn tell(
        &mut self,
        info: &ChoiceInfo,
        asked: u32,
        decider: u32,
        option: u16,
        args: &[i64],
        forced: bool,
    ) -> Result<(), Trap> {
        let line =
            self.with_asked(info.each, asked, |machine| machine.line_of(info, decider, option, args))?;
        let meant = self.meant(&info.options[option as usize], decider, args)?;
        let choice = self.decision.choice.unwrap_or_default();
        let args = args.to_vec();
        self.ctx.events.push(Event::Chosen {
            player: decider,
            asked,
            choice,
            option,
            args,
            forced,
            line,
            meant,
        });
        Ok(())
    }

    /// An option's line, its values kept, as it is offered to a decider.
    pub(crate) fn line_of(
        &mut self,
        info: &ChoiceInfo,
        decider: u32,
        option: u16,
        args: &[i64],
    ) -> Result<text::Line, Trap> {
        let option = &info.options[option as usize];
        let mut line = match option.label {
            None => return self.meant(option, decider, args),
            Some(label) => {
                self.lay_args(option, args);
                self.ctx.line = text::Line::default();
                self.side(label as usize)?;
                std::mem::take(&mut self.ctx.line)
            }
        };
        self.name_args(decider, option, args, &mut line);
        Ok(line)
    }

    /// The arguments of an option, kept, as it is offered to a decider.
    fn meant(
        &mut self,
        option: &blazon_program::ir::OptionInfo,
        decider: u32,
        args: &[i64],
    ) -> Result<text::Line, Trap> {
        let of_kinds: Vec<_> = option.params.iter().zip(args).map(|(p, &arg)| (p.kind, arg)).collect();
        let (prepared, at) = (self.prepared.clone(), self.free());
        let mut line = text::capture_args(&prepared, &mut self.mem, &mut self.ctx, at, &of_kinds)?;
        self.name_args(decider, option, args, &mut line);
        Ok(line)
    }

    /// Who is offered things by their names may read these names.
    pub(crate) fn name_args(
        &self,
        decider: u32,
        option: &blazon_program::ir::OptionInfo,
        args: &[i64],
        line: &mut text::Line,
    ) {
        let named = option.params.iter().zip(args).filter(|(param, _)| param.named);
        let things: Vec<_> =
            named.filter_map(|(param, &arg)| Some((param.kind?, u32::try_from(arg).ok()?))).collect();
        if !things.is_empty() {
            text::name_to(&self.prepared, line, &things, decider);
        }
    }

    /// Puts arguments where labels and explanations look for them.
    pub(crate) fn lay_args(&mut self, option: &blazon_program::ir::OptionInfo, args: &[i64]) {
        for (param, &arg) in option.params.iter().zip(args) {
            self.mem[self.decision.base + param.scratch as usize] = arg as u64;
        }
    }
}
