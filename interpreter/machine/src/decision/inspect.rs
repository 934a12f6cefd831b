//! What a client asks: rules, states, prompt, lines, and why an option is refused.

use blazon_book::{ColumnId, RuleId, Type};
use blazon_program::ir::ChoiceInfo;

use crate::decision::simultaneous::Answer;
use crate::decision::standing::{Refusal, Standing};
use crate::decision::veiled::Meaning;
use crate::fault::{Fault, Trap};
use crate::machine::Machine;
use crate::vm::call;
use crate::vm::context::Stop;
use crate::vm::event::Event;
use crate::vm::memo::{self, Worth};
use crate::vm::options::Options;
use crate::vm::text::{self, Line};
use crate::vm::words::Words;

impl Machine {
    /// Asks a rule in the position as it is. The arguments are words.
    ///
    /// # Errors
    ///
    /// A [`Fault`] of the rule, or `run::internal` where the arguments are not as many words as its parameters.
    pub fn ask(&mut self, rule: RuleId, args: &[i64]) -> Result<Vec<u64>, Fault> {
        let prepared = self.prepared.clone();
        let function = prepared.program.rule(rule);
        let words = prepared.program.functions[function as usize].result_words as usize;
        let args: Vec<u64> = args.iter().map(|&arg| arg as u64).collect();
        let worth = prepared.groups.worth.get(function as usize).copied().unwrap_or(Worth::NOTHING);
        let remembers = words == 1 && worth != Worth::NOTHING && !self.is_counting();
        let key = if remembers { memo::key(function as u16, &args) } else { 0 };
        if key != 0
            && let Some(answer) = self.ctx.memo.get(key, worth)
        {
            return Ok(vec![answer]);
        }
        self.ctx.refuel();
        let at = self.free();
        match call::run_function(&prepared, &mut self.mem, &mut self.ctx, function, at, &args) {
            Ok(result) => {
                let answer = self.mem[result..result + words].to_vec();
                if let (true, [answer]) = (key != 0, &answer[..]) {
                    self.ctx.memo.put(key, *answer);
                }
                Ok(answer)
            }
            Err(trap) => Err(self.fault(trap)),
        }
    }

    /// The first word that neither the position nor the temporaries of its innermost step use.
    pub(crate) fn free(&self) -> usize {
        match self.decision.place() {
            Some((pc, base)) => {
                let function = self.prepared.owner[pc] as usize;
                base + self.prepared.program.functions[function].frame_words as usize
            }
            None => self.end,
        }
    }

    /// The entry of a state or fact in the position as it is, as words; the keys are things.
    pub fn column(&self, column: ColumnId, keys: &[u32]) -> Option<Vec<u64>> {
        let book = self.prepared.program.book.columns.get(column.0 as usize)?;
        let col = self.prepared.columns.get(column.0 as usize)?;
        let key = book
            .keys
            .iter()
            .zip(keys)
            .fold(0, |at, (&kind, &key)| at * self.prepared.things(kind) as u64 + u64::from(key));
        if keys.len() != book.keys.len() || key >= col.len {
            return None;
        }
        let words = if col.fact { &self.prepared.program.facts } else { &self.mem };
        Some(col.entry(words, key))
    }

    /// The thing that a state or fact without keys holds in the position as it is; none while it is absent.
    pub fn held(&self, column: ColumnId) -> Option<u32> {
        let word = self.column(column, &[])?.first().copied()?.cast_signed();
        u32::try_from(word).ok()
    }

    /// A value as a viewer reads it; hidden things show their backs.
    pub fn show(&mut self, ty: Type, words: &[u64], viewer: Option<u32>) -> String {
        let prepared = self.prepared.clone();
        let mut sights = Vec::new();
        self.ctx.refuel();
        let at = self.free();
        match text::sights(&prepared, &mut self.mem, &mut self.ctx, at, ty, words, &mut sights) {
            Ok(()) => text::value(&prepared, ty, words, &mut sights.iter(), viewer).to_string(),
            Err(trap) => self.fault(trap).message,
        }
    }

    /// What is asked, as a viewer reads it; empty when nothing is, or when the rules give no words.
    pub fn prompt(&mut self, viewer: Option<u32>) -> String {
        let asked = viewer.filter(|&viewer| self.decision.asked(viewer).is_some());
        let player = asked.or_else(|| self.deciders().first().copied());
        player.map(|player| self.prompt_words(player, viewer).to_string()).unwrap_or_default()
    }

    /// What a decider is asked, as a viewer reads it, with the things that it names.
    pub fn prompt_words(&mut self, player: u32, viewer: Option<u32>) -> Words {
        let prepared = self.prepared.clone();
        let Some(choice) = self.decision.choice() else { return Words::default() };
        let info = &prepared.program.choices[choice as usize];
        let Some(prompt) = info.prompt else { return Words::default() };
        let asked = self.decision.asked(player);
        self.ctx.refuel();
        let line = self.with_asked(info.each, asked.unwrap_or_default(), |machine| {
            machine.ctx.line = Line::default();
            machine.side(prompt as usize)?;
            Ok(std::mem::take(&mut machine.ctx.line))
        });
        match line {
            Ok(line) => text::render(&prepared, &line, viewer, false),
            Err(trap) => self.fault(trap).message.into(),
        }
    }

    /// The line of an open option of a player, as a viewer reads it.
    pub fn label(&mut self, player: u32, index: usize, viewer: Option<u32>) -> String {
        match self.options(player).get(index) {
            None => String::new(),
            Some(chosen) => {
                let (option, args) = (chosen.option, chosen.args.to_vec());
                self.label_of(player, option, &args, viewer).to_string()
            }
        }
    }

    /// The line of an option with arguments, open or not.
    pub fn label_of(&mut self, player: u32, option: u16, args: &[i64], viewer: Option<u32>) -> Words {
        let Some(asked) = self.decision.asked(player) else { return Words::default() };
        self.label_asked((player, asked), option, args, viewer)
    }

    /// The lines of what a player has answered already, for himself or another, while others who are asked with him have not.
    /// They are for him alone.
    pub fn answered_by(&mut self, player: u32) -> Vec<Words> {
        self.ctx.refuel();
        let mut answers = self.answers();
        answers.retain(|answer| self.decider(answer.asked).is_ok_and(|decider| decider == player));
        let line = |answer: Answer| {
            self.label_asked((player, answer.asked), answer.option, &answer.args, Some(player))
        };
        answers.into_iter().map(line).collect()
    }

    /// The line of an option of what is asked, for who decides and whom the rules ask.
    fn label_asked(
        &mut self,
        (player, asked): (u32, u32),
        option: u16,
        args: &[i64],
        viewer: Option<u32>,
    ) -> Words {
        let prepared = self.prepared.clone();
        let Some(choice) = self.decision.choice() else { return Words::default() };
        let info = &prepared.program.choices[choice as usize];
        if info.options.get(option as usize).is_none_or(|o| o.params.len() != args.len()) {
            return Words::default();
        }
        self.ctx.refuel();
        match self.with_asked(info.each, asked, |machine| machine.line_of(info, player, option, args)) {
            Ok(line) => option_line(self, info, option, &line, viewer),
            Err(trap) => self.fault(trap).message.into(),
        }
    }

    /// An event as a viewer may know it; `None` if there is nothing to tell.
    pub fn tell_event(&self, event: &Event, viewer: Option<u32>) -> Option<String> {
        let words = self.event_words(event, viewer)?;
        Some(match event {
            Event::Chosen { asked, .. } => format!("{}: {words}", self.player_name(*asked)),
            Event::Said { .. } | Event::Rolled { .. } | Event::Drawn { .. } | Event::Over { .. } => {
                words.to_string()
            }
        })
    }

    /// The same with the things that it names; of a choice without who made it.
    pub fn event_words(&self, event: &Event, viewer: Option<u32>) -> Option<Words> {
        let prepared = &self.prepared;
        Some(match event {
            Event::Chosen { choice, option, line, .. } => {
                let info = &prepared.program.choices[*choice as usize];
                option_line(self, info, *option, line, viewer)
            }
            Event::Said { announce, line } => text::render(prepared, line, viewer, *announce),
            Event::Rolled { sides, dice, .. } => {
                let fell: Vec<String> = dice.iter().map(ToString::to_string).collect();
                let fell = if fell.is_empty() { "none".to_owned() } else { fell.join(", ") };
                format!("d{sides}: {fell}").into()
            }
            Event::Drawn { .. } => return None,
            Event::Over { winner: Some(winner) } => format!("{} wins", self.player_name(*winner)).into(),
            Event::Over { winner: None } => "The game is over".into(),
        })
    }

    /// Whether an option that was taken was the only one and so taken unasked, as a viewer may know it: nothing of other
    /// events, and where he may not know. It tells whether something else was open, which may hang on what is hidden: so
    /// who decided is told, and an umpire; others only in a game that hides nothing.
    pub fn is_forced(&self, event: &Event, viewer: Option<u32>) -> Option<bool> {
        let Event::Chosen { player, forced, .. } = event else { return None };
        (viewer.is_none_or(|viewer| viewer == *player) || !self.hides_something()).then_some(*forced)
    }

    /// Whether there are faces that not everybody sees.
    fn hides_something(&self) -> bool {
        self.prepared.program.book.kinds.iter().any(|kind| kind.seen.is_some())
    }

    /// The arguments of an option that was taken, as a viewer may know them; of another event none. In a game that hides
    /// something others than who decided are told the option's line: what that does not say is nothing to them.
    pub fn event_args(&self, event: &Event, viewer: Option<u32>) -> Vec<Option<String>> {
        let Event::Chosen { player, choice, option, meant, .. } = event else { return Vec::new() };
        let options = self.prepared.program.choices.get(usize::from(*choice)).map(|info| &info.options);
        let Some(info) = options.and_then(|options| options.get(usize::from(*option))) else {
            return Vec::new();
        };
        let kinds = info.params.iter().map(|param| param.kind);
        let reads_all = viewer.is_none_or(|viewer| viewer == *player) || !self.hides_something();
        let args = text::render_args(&self.prepared, meant, kinds, viewer);
        let told = info.params.iter().map(|param| reads_all || param.told);
        args.iter().zip(told).map(|(arg, told)| told.then(|| arg.to_string())).collect()
    }

    /// Everything that a player could ask about and that is not open, with the first need that refuses it. Of an option that
    /// has several bodies the one is asked that stands.
    pub fn refused(&mut self, player: u32) -> Vec<Refusal> {
        let prepared = self.prepared.clone();
        let (Some(choice), Some(asked)) = (self.decision.choice(), self.decision.asked(player)) else {
            return Vec::new();
        };
        let info = &prepared.program.choices[choice as usize];
        let mut refusals: Vec<Refusal> = Vec::new();
        let domain = match self.domain(info, asked) {
            Ok(domain) => domain,
            Err(trap) => {
                self.fault(trap);
                return refusals;
            }
        };
        let told_apart = match self.told_apart(info, player, &domain) {
            Ok(places) => places,
            Err(trap) => {
                self.fault(trap);
                return refusals;
            }
        };
        for chosen in told_apart.into_iter().filter_map(|place| domain.get(place)) {
            let same = |refusal: &Refusal| {
                refusal.option == chosen.option
                    && self.alike_args(info, chosen.option, &refusal.args, chosen.args)
            };
            let is_open = |machine: &Self| {
                let alike = |option, args: &[i64]| {
                    option == chosen.option && machine.alike_args(info, option, args, chosen.args)
                };
                machine.options(player).meant(alike).is_some()
            };
            if is_open(self) || refusals.iter().any(same) {
                continue;
            }
            match self.explain(info, (asked, player), chosen.option, chosen.args) {
                Ok(Some(refusal)) => refusals.push(refusal),
                Ok(None) => {}
                Err(trap) => {
                    self.fault(trap);
                }
            }
        }
        let has_another = |refusal: &Refusal| {
            let is_another = |option: u16, args: &[i64]| {
                option != refusal.option
                    && info.options[option as usize].name == info.options[refusal.option as usize].name
                    && self.alike_args(info, option, args, &refusal.args)
            };
            self.options(player).meant(is_another).is_some()
                || refusals.iter().any(|other| other.stands && is_another(other.option, &other.args))
        };
        let kept: Vec<bool> =
            refusals.iter().map(|refusal| refusal.stands || !has_another(refusal)).collect();
        let mut kept = kept.into_iter();
        refusals.retain(|_| kept.next().unwrap_or(true));
        refusals
    }

    /// The places of what can be asked about, once where a player cannot tell which of several unseen things is meant, in
    /// an order that tells nothing; without what he cannot tell from something open.
    fn told_apart(&mut self, info: &ChoiceInfo, player: u32, domain: &Options) -> Result<Vec<usize>, Trap> {
        let Some(meanings) = self.meanings(info, player, domain)? else {
            return Ok((0..domain.len()).collect());
        };
        let mut places: Vec<(Meaning, usize)> =
            meanings.into_iter().enumerate().map(|(place, meaning)| (meaning, place)).collect();
        places.sort();
        places.dedup_by(|a, b| a.0 == b.0);
        let open = self.options(player).meanings();
        places.retain(|(meaning, _)| !open.contains(meaning));
        Ok(places.into_iter().map(|(_, place)| place).collect())
    }

    /// Whether an option is open to a player, refused and why, or not among what can be asked about.
    pub fn why(&mut self, player: u32, option: u16, args: &[i64]) -> Standing {
        let prepared = self.prepared.clone();
        let (Some(choice), Some(asked)) = (self.decision.choice(), self.decision.asked(player)) else {
            return Standing::Outside;
        };
        if self.find(player, option, args).is_some() {
            return Standing::Open;
        }
        let info = &prepared.program.choices[choice as usize];
        let found = self.domain(info, asked).map(|domain| {
            let same = |o: &crate::vm::options::Chosen| {
                o.option == option && self.alike_args(info, option, o.args, args)
            };
            domain.iter().find(same).map(|o| o.args.to_vec())
        });
        let explained = found.and_then(|found| match found {
            Some(args) => self.explain(info, (asked, player), option, &args),
            None => Ok(None),
        });
        match explained {
            Ok(Some(refusal)) => Standing::Refused(refusal),
            Ok(None) => Standing::Outside,
            Err(trap) => {
                self.fault(trap);
                Standing::Outside
            }
        }
    }

    fn alike_args(&self, info: &ChoiceInfo, option: u16, a: &[i64], b: &[i64]) -> bool {
        let params = info.options.get(option as usize).map(|o| o.params.as_slice()).unwrap_or_default();
        a.len() == b.len()
            && params.len() == a.len()
            && params.iter().zip(a.iter().zip(b)).all(|(p, (&a, &b))| self.is_same(p.kind, a, b))
    }

    fn domain(&mut self, info: &ChoiceInfo, asked: u32) -> Result<Options, Trap> {
        self.ctx.refuel();
        self.with_asked(info.each, asked, |machine| {
            machine.ctx.emit.clear();
            machine.side(info.domain as usize)?;
            Ok(std::mem::take(&mut machine.ctx.emit))
        })
    }

    /// The first need that refuses, in words for who decides for the one asked; `None` if all hold.
    fn explain(
        &mut self,
        info: &ChoiceInfo,
        (asked, decider): (u32, u32),
        option: u16,
        args: &[i64],
    ) -> Result<Option<Refusal>, Trap> {
        let prepared = self.prepared.clone();
        self.ctx.refuel();
        let refused = self.with_asked(info.each, asked, |machine| {
            machine.lay_args(&info.options[option as usize], args);
            machine.ctx.line = Line::default();
            let stop = machine.side(info.options[option as usize].explain as usize)?;
            Ok((stop, std::mem::take(&mut machine.ctx.line)))
        })?;
        let (Stop::Refused(need), mut reason) = refused else { return Ok(None) };
        self.name_args(decider, &info.options[option as usize], args, &mut reason);
        let line =
            self.with_asked(info.each, asked, |machine| machine.line_of(info, decider, option, args))?;
        let viewer = Some(decider);
        let need = &prepared.program.needs[need as usize];
        let reason = match need.has_reason && !reason.is_blank() {
            true => text::render(&prepared, &reason, viewer, false).to_string(),
            false => need.condition.clone(),
        };
        Ok(Some(Refusal {
            option,
            args: args.to_vec(),
            label: option_line(self, info, option, &line, viewer).to_string(),
            reason,
            need: need.label.clone(),
            cites: need.cites.clone(),
            span: need.span,
            // A need that begins and ends with its option is written nowhere: it says when that body stands.
            stands: need.span != info.options[option as usize].span,
        }))
    }
}

/// An option's line; without words of its own its name and arguments.
fn option_line(machine: &Machine, info: &ChoiceInfo, option: u16, line: &Line, viewer: Option<u32>) -> Words {
    if !line.is_blank() {
        return text::render(&machine.prepared, line, viewer, false);
    }
    let Some(option) = info.options.get(option as usize) else { return Words::default() };
    let args = text::render_args(&machine.prepared, line, option.params.iter().map(|p| p.kind), viewer);
    let mut words = Words::from(option.name.as_str());
    for (place, arg) in args.iter().enumerate() {
        words.push(if place == 0 { " (" } else { ", " });
        words.extend(arg.clone());
    }
    if !args.is_empty() {
        words.push(")");
    }
    words.up_to(text::MOST_LETTERS)
}
