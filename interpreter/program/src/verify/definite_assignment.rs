//! Whether every word is written before it is read, on all ways through a function.

use std::collections::BTreeMap;

use crate::ir::{Function, Op, Origin, Pc, Program};
use crate::verify::touch;

/// The words that hold something.
type Written = Vec<u64>;

fn mark(written: &mut Written, from: usize, words: usize) {
    for word in from..from + words {
        if let Some(bits) = written.get_mut(word / 64) {
            *bits |= 1 << (word % 64);
        }
    }
}

fn missing(written: &Written, from: usize, words: usize) -> Option<usize> {
    (from..from + words).find(|word| written.get(word / 64).is_none_or(|bits| bits >> (word % 64) & 1 == 0))
}

/// Follows all ways through a function.
pub(crate) fn check(program: &Program, number: usize) -> Result<(), String> {
    let function = &program.functions[number];
    let mut at_start = vec![0; (function.frame_words as usize).div_ceil(64)];
    mark(&mut at_start, 0, function.local_words as usize);
    let mut ways = Ways::default();
    ways.reach(function.entry, &at_start);
    for (pc, written) in entries(program, number, function, &at_start) {
        ways.reach(pc, &written);
    }
    while let Some(pc) = ways.open.pop() {
        let Some(mut written) = ways.before.get(&pc).cloned() else { continue };
        let op = program.code[pc as usize];
        step(program, function, op, &mut written);
        if !op.ends() {
            ways.reach(pc + op.length(), &written);
        }
        if let Some(to) = { op }.target() {
            ways.reach(*to, &written);
        }
    }
    ways.before.iter().try_for_each(|(&pc, written)| reads(program, function, pc, written))
}

/// What holds something before each instruction that can be reached.
#[derive(Default)]
struct Ways {
    before: BTreeMap<Pc, Written>,
    open: Vec<Pc>,
}

impl Ways {
    /// An instruction is reached with these words written.
    fn reach(&mut self, pc: Pc, written: &Written) {
        match self.before.get_mut(&pc) {
            None => {
                self.before.insert(pc, written.clone());
                self.open.push(pc);
            }
            Some(known) => {
                let mut changed = false;
                for (a, b) in known.iter_mut().zip(written) {
                    changed |= *a & !b != 0;
                    *a &= b;
                }
                if changed {
                    self.open.push(pc);
                }
            }
        }
    }
}

fn reads(program: &Program, function: &Function, pc: Pc, written: &Written) -> Result<(), String> {
    let op = program.code[pc as usize];
    let mut reads = touch(program, &op).reads;
    if let (Op::Return { src }, Origin::Rule(_) | Origin::Made) = (op, function.origin) {
        reads.push((src, function.result_words as usize));
    }
    for (reg, words) in reads {
        if let Some(word) = missing(written, reg as usize, words) {
            return Err(format!("instruction {pc} {op:?} reads r{word} before it is written"));
        }
    }
    Ok(())
}

/// What an instruction does to the words that hold something.
fn step(program: &Program, function: &Function, op: Op, written: &mut Written) {
    if let Op::Do { .. } = op {
        // Temporaries do not outlive a step that is done.
        written.fill(0);
        mark(written, 0, function.local_words as usize);
    }
    for (reg, words) in touch(program, &op).writes {
        mark(written, reg as usize, words);
    }
}

/// Where a step is entered from outside, and what holds something there.
fn entries(program: &Program, number: usize, function: &Function, at_start: &Written) -> Vec<(Pc, Written)> {
    let mut all = Vec::new();
    for choice in program.choices.iter().filter(|choice| choice.step.0 as usize == number) {
        let plain = [choice.who, choice.enumerate, choice.domain, choice.after];
        let plain = plain.into_iter().chain(choice.prompt).chain(choice.otherwise);
        all.extend(plain.map(|pc| (pc, at_start.clone())));
        for option in &choice.options {
            all.push((option.body, at_start.clone()));
            let mut with_arguments = at_start.clone();
            option.params.iter().for_each(|param| mark(&mut with_arguments, param.scratch as usize, 1));
            all.push((option.explain, with_arguments.clone()));
            all.extend(option.label.map(|pc| (pc, with_arguments)));
        }
    }
    all.retain(|(pc, _)| (function.entry..function.end).contains(pc));
    all
}
