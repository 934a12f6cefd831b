//! Options that mean things whose faces who is asked does not see. He is offered what he can tell apart: options that
//! differ only in which of several unseen things with like backs is meant are one, and they stand in an order that tells
//! nothing. Which of them it will be is settled by chance as soon as he is asked, so whatever is done with the option
//! (choosing, trying, saving, taking back) means the same thing.

use std::collections::BTreeMap;

use blazon_book::ColumnId;
use blazon_kernel::chance;
use blazon_program::ir::{ChoiceInfo, slot};

use crate::fault::Trap;
use crate::machine::Machine;
use crate::view::Value;
use crate::vm::options::Options;
use crate::vm::text;

/// What the luck of unseen things is keyed by, beside the step and the question.
const UNSEEN: u64 = chance::hash_text("unseen");

/// An argument as who is asked can tell it from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meant {
    /// A number, or a thing that he sees.
    Known(i64),
    /// A thing that he does not see: its back, and the argument that means the same thing first.
    Back(Vec<(ColumnId, Value)>, usize),
}

/// An option as who is asked can tell it from others.
pub(crate) type Meaning = (u16, Vec<Meant>);

/// What stands behind options that were put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Veil {
    /// Each option as it can be told from others.
    pub meanings: Vec<Meaning>,
    /// The arguments that each of them stands for, those it has itself among them.
    pub members: Vec<Vec<Vec<i64>>>,
}

impl Machine {
    /// Puts the open options together that a decider cannot tell apart.
    pub(crate) fn veil(&mut self, info: &ChoiceInfo, asked: u32, decider: u32) -> Result<(), Trap> {
        let options = std::mem::take(&mut self.ctx.emit);
        let meanings = self.meanings(info, decider, &options);
        self.ctx.emit = options;
        if let Some(meanings) = meanings? {
            let key = self.luck_of_unseen(info, asked);
            self.put_together(meanings, key);
        }
        Ok(())
    }

    /// Options as a viewer can tell them apart; nothing if he sees all that they mean.
    pub(crate) fn meanings(
        &mut self,
        info: &ChoiceInfo,
        viewer: u32,
        options: &Options,
    ) -> Result<Option<Vec<Meaning>>, Trap> {
        if !self.means_unseen(info, viewer, options)? {
            return Ok(None);
        }
        let look = self.look_of(viewer)?;
        let meant = |of: crate::vm::options::Chosen<'_>| {
            let params = info.options.get(usize::from(of.option)).map(|option| &option.params);
            let meant = params.into_iter().flatten().zip(of.args).map(|(param, &arg)| {
                match (param.kind, u32::try_from(arg)) {
                    (Some(kind), Ok(thing)) if !param.named && !look.knows(kind, thing as usize) => {
                        let first = of.args.iter().position(|&other| other == arg);
                        Meant::Back(look.back(kind, u64::from(thing)), first.unwrap_or_default())
                    }
                    _ => Meant::Known(arg),
                }
            });
            (of.option, meant.collect())
        };
        Ok(Some(options.iter().map(meant).collect()))
    }

    /// Whether options mean things whose faces a viewer does not see.
    fn means_unseen(&mut self, info: &ChoiceInfo, viewer: u32, options: &Options) -> Result<bool, Trap> {
        let prepared = self.prepared.clone();
        let Some(choice) = self.decision.choice() else { return Ok(false) };
        for &kind in &prepared.veiled[usize::from(choice)] {
            let at = self.free();
            let faces = text::faces(&prepared, &mut self.mem, &mut self.ctx, at, viewer, kind)?;
            let Some(faces) = faces else { continue };
            let words = usize::from(prepared.program.kinds[kind.0 as usize].words);
            let faces = &self.mem[faces..faces + words];
            let is_unseen = |thing: i64| {
                let thing = usize::try_from(thing).unwrap_or(usize::MAX);
                faces.get(thing / 64).is_some_and(|word| word >> (thing % 64) & 1 == 0)
            };
            for (run, (option, count, args)) in options.runs().enumerate() {
                for (place, param) in info.options[usize::from(option)].params.iter().enumerate() {
                    if param.kind != Some(kind) || param.named {
                        continue;
                    }
                    if let (Some(values), &[faces]) = (options.values(run, place), faces) {
                        if values & !faces != 0 {
                            return Ok(true);
                        }
                        continue;
                    }
                    let args = args.get(place..).unwrap_or_default();
                    // One thing often stands in many options that follow each other.
                    let mut last = None;
                    for &arg in args.iter().step_by(count.max(1)) {
                        if last != Some(arg) && is_unseen(arg) {
                            return Ok(true);
                        }
                        last = Some(arg);
                    }
                }
            }
        }
        Ok(false)
    }

    /// What chance is keyed by here: the step and its luck, the question, who is asked, and how many decisions were
    /// taken before. Of a choice by each the last may not count, since others answer meanwhile.
    fn luck_of_unseen(&self, info: &ChoiceInfo, asked: u32) -> u64 {
        let step = self.mem[self.decision.base + 2];
        let name = self.prepared.program.book.step(info.step).title();
        let taken = if info.each.is_some() { 0 } else { self.mem[slot::TAKEN] };
        let parts = [UNSEEN, step, chance::hash_text(name), u64::from(asked), taken];
        parts.into_iter().fold(self.mem[slot::SEED], chance::mix)
    }

    fn put_together(&mut self, meanings: Vec<Meaning>, key: u64) {
        let mut groups: BTreeMap<Meaning, Vec<Vec<i64>>> = BTreeMap::new();
        for (meaning, open) in meanings.into_iter().zip(self.ctx.emit.iter()) {
            groups.entry(meaning).or_default().push(open.args.to_vec());
        }
        self.ctx.emit.clear();
        let mut veil = Veil { meanings: Vec::new(), members: Vec::new() };
        for (meaning, members) in groups {
            let one = members.iter().min_by_key(|args| self.lot(meaning.0, args, key));
            let words: Vec<u64> = one.into_iter().flatten().map(|&arg| arg as u64).collect();
            self.ctx.emit.push(meaning.0, &words);
            veil.meanings.push(meaning);
            veil.members.push(members);
        }
        self.ctx.emit.cover(veil);
    }

    /// The lot of an option: the least is taken.
    fn lot(&self, option: u16, args: &[i64], key: u64) -> u64 {
        let params = self.choice().and_then(|choice| choice.options.get(usize::from(option)));
        let params = params.into_iter().flat_map(|option| &option.params);
        params.zip(args).fold(key, |key, (param, &arg)| {
            let names = param.kind.and_then(|kind| self.prepared.luck.get(kind.0 as usize));
            let name = names.and_then(|names| names.get(usize::try_from(arg).ok()?));
            chance::mix(key, name.copied().unwrap_or(arg as u64))
        })
    }

    /// Has the option at a place mean the very things that a test or a log names.
    pub(crate) fn bring_forward(&mut self, player: u32, place: usize, member: Option<usize>) {
        if let (Some(pending), Some(member)) = (self.decision.find(player), member) {
            self.decision.pendings[pending].options.bring_forward(place, member);
        }
    }
}
