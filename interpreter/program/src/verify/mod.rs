//! The verifier: whether a program keeps what the machine relies on. A mistake found here is one of the lowering.

mod definite_assignment;

use crate::ir::op_info::{Reference, Shape, Touch};
use crate::ir::{
    ChoiceInfo, Column, EachInfo, Function, HEADER, Held, Op, Origin, Pc, Program, RESERVED, Reg, Space,
    TextPiece,
};

/// Says what is wrong with a program.
///
/// # Errors
///
/// One sentence: where, and what the machine could not rely on.
pub fn verify(program: &Program) -> Result<(), String> {
    shapes(program)?;
    for (place, column) in program.columns.iter().enumerate() {
        let name = program.column_name(place as u16);
        column_lies_well(program, column).map_err(|message| format!("column {name}: {message}"))?;
    }
    for (number, function) in program.functions.iter().enumerate() {
        Check { program, function, number }
            .function()
            .map_err(|message| format!("{}: {message}", function.name))?;
    }
    for (number, choice) in program.choices.iter().enumerate() {
        choice_is_well(program, choice).map_err(|message| format!("choice {number}: {message}"))?;
    }
    program.held.iter().try_for_each(|held| is_local_of_a_step(program, held))
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

fn shapes(program: &Program) -> Result<(), String> {
    let book = &program.book;
    let told = |holds: bool, what: &str| ensure(holds, || what.to_owned());
    told(program.code.first() == Some(&Op::Over), "instruction 0 is not `over`")?;
    told(program.code.len() == program.spans.len(), "not every instruction has a place")?;
    told(
        [program.kinds.len(), program.seen.len(), program.faces.len()] == [book.kinds.len(); 3],
        "kinds are missing",
    )?;
    told(program.columns.len() >= book.columns.len(), "columns are missing")?;
    told(program.functions.len() >= book.steps.len() + book.rules.len(), "functions are missing")?;
    told(program.state_words >= RESERVED, "the machine's own words are missing")?;
    let mut ranges: Vec<(Pc, Pc)> = program.functions.iter().map(|f| (f.entry, f.end)).collect();
    ranges.sort_unstable();
    let mut next = 1;
    for (entry, end) in ranges {
        told(entry == next && end > entry, "functions do not lie side by side")?;
        next = end;
    }
    told(next as usize == program.code.len(), "code lies outside all functions")?;
    for (place, function) in program.functions.iter().enumerate() {
        let origin = match place.checked_sub(book.steps.len()) {
            None => matches!(function.origin, Origin::Step(step) if step.0 as usize == place),
            Some(rule) if rule < book.rules.len() => {
                matches!(function.origin, Origin::Rule(id) if id.0 as usize == rule)
            }
            Some(_) => matches!(function.origin, Origin::Explain(_) | Origin::Made),
        };
        ensure(origin, || format!("function {place} is not what its number says"))?;
    }
    let made = |function: u32| {
        let function = program.functions.get(function as usize);
        told(function.is_some_and(|f| f.origin == Origin::Made), "a start or a view is no function")
    };
    program.starts.iter().try_for_each(|(_, function)| made(*function))?;
    program.seen.iter().chain(&program.faces).flatten().try_for_each(|function| made(*function))
}

fn column_lies_well(program: &Program, column: &Column) -> Result<(), String> {
    let room = match column.space {
        Space::State => program.state_words,
        Space::Fact => program.facts.len(),
    };
    ensure(u64::from(column.offset) + column.words() <= room as u64, || "it lies outside its space".into())?;
    ensure(column.shift <= 6 && (column.set_words <= 1 || column.shift == 6), || {
        "its entries have no size".into()
    })?;
    if column.inverse != 0 {
        let index = (column.hi.max(-1) + 2) as u64 * u64::from(column.key_words);
        let end = u64::from(column.inverse) + index;
        ensure(column.space == Space::State && column.set_words == 0, || {
            "it cannot have an inverse index".into()
        })?;
        ensure(end <= program.state_words as u64, || "its inverse index lies outside the states".into())?;
        ensure(u64::from(column.key_words) * 64 >= u64::from(column.len), || {
            "its inverse index is too small".into()
        })?;
    }
    Ok(())
}

/// What is looked at while a function is checked.
struct Check<'p> {
    program: &'p Program,
    function: &'p Function,
    number: usize,
}

impl Check<'_> {
    fn is_step(&self) -> bool {
        matches!(self.function.origin, Origin::Step(_))
    }

    fn function(&self) -> Result<(), String> {
        let f = self.function;
        let lasting = if self.is_step() { HEADER as u16 } else { 0 };
        ensure(f.local_words >= lasting.saturating_add(f.param_words), || {
            "its parameters have no room".into()
        })?;
        ensure(f.frame_words >= f.local_words, || "its frame is smaller than its locals".into())?;
        for pc in f.entry..f.end {
            let op = self.program.code[pc as usize];
            self.op(pc, op).map_err(|message| format!("instruction {pc} {op:?}: {message}"))?;
        }
        let last = self.program.code[f.end as usize - 1];
        ensure(last.ends(), || "its code runs out at its end".into())?;
        definite_assignment::check(self.program, self.number)
    }

    fn op(&self, pc: Pc, op: Op) -> Result<(), String> {
        let f = self.function;
        if let Some(to) = { op }.target() {
            ensure((f.entry..f.end).contains(to), || "it jumps out of its function".into())?;
        }
        let mut references = Vec::new();
        op.references(&mut |reference| references.push(reference));
        references.into_iter().try_for_each(|reference| self.there(pc, reference))?;
        match f.origin {
            Origin::Step(_) => {}
            Origin::Explain(_) => ensure(!op.is_effect(), || "an explanation has no effects".into())?,
            Origin::Rule(_) | Origin::Made => {
                let shows = matches!(op, Op::Text { .. } | Op::Refuse { .. });
                ensure(!op.is_effect() && !shows, || "a rule has no effects".into())?;
            }
        }
        let touch = touch(self.program, &op);
        for &(reg, words) in touch.reads.iter().chain(&touch.writes) {
            ensure(reg as usize + words <= f.frame_words as usize, || {
                format!("r{reg} lies outside its frame")
            })?;
            // A part of a step goes on with the key of that.
            let hands_on = matches!(op, Op::Do { key: 2, args, dst, .. } if args != 2 && dst != 2);
            let own_key = (matches!(op, Op::MixSite { key: 2, .. }) || hands_on) && reg == 2;
            ensure(!self.is_step() || words == 0 || reg as usize >= HEADER || own_key, || {
                format!("r{reg} lies in the header of the frame")
            })?;
        }
        if let Op::Return { src } = op {
            let inside = src as usize + f.result_words as usize <= f.frame_words as usize;
            ensure(inside, || "its result lies outside its frame".into())?;
        }
        Ok(())
    }

    /// A number in an instruction: that there is what it stands for, and that it has the right shape.
    fn there(&self, pc: Pc, reference: Reference) -> Result<(), String> {
        let p = self.program;
        let there = |holds: bool, what: &str| ensure(holds, || format!("there is no such {what}"));
        let kind = |kind: u16| there((kind as usize) < p.kinds.len(), "kind");
        match reference {
            Reference::Column(column, shape) => self.column(column, shape),
            Reference::Kind(number) => kind(number),
            Reference::Links(number) => {
                kind(number)?;
                ensure(p.book.kinds[number as usize].ends.is_some(), || "this is no kind of links".into())
            }
            Reference::Rule(function) => {
                let called = p.functions.get(function as usize);
                there(called.is_some_and(|f| !matches!(f.origin, Origin::Step(_))), "rule")
            }
            Reference::Step(function) => {
                let called = p.functions.get(function as usize);
                there(called.is_some_and(|f| matches!(f.origin, Origin::Step(_))), "step")
            }
            Reference::Table(table) => there((table as usize) < p.tables.len(), "table"),
            Reference::Range(range) => there((range as usize) < p.ranges.len(), "range"),
            Reference::Choice(choice) => {
                let choice = p.choices.get(choice as usize);
                there(choice.is_some_and(|choice| choice.step.0 as usize == self.number), "choice")
            }
            Reference::Scope(scope) => {
                let scope = p.scopes.get(scope as usize).ok_or("there is no such scope")?;
                scope.iter().try_for_each(|&column| kept(self.column_of(column)?))
            }
            Reference::Option { option, args } => {
                let fits = |c: &ChoiceInfo| {
                    c.options.get(option as usize).is_some_and(|o| o.params.len() == args as usize)
                        && (c.enumerate..c.after).contains(&pc)
                };
                there(p.choices.iter().any(fits), "option")
            }
            Reference::Text(text) => there((text as usize) < p.texts.len(), "text"),
            Reference::Need(need) => there((need as usize) < p.needs.len(), "need"),
            Reference::Number(index) => there((index as usize) < p.numbers.len(), "number"),
            Reference::Pool { from, words } => there(from as usize + words as usize <= p.pool.len(), "set"),
            Reference::Facts { from, words } => {
                there(from as usize + words as usize <= p.facts.len(), "fact")
            }
            Reference::State(offset) => there((offset as usize) < p.state_words, "word"),
        }
    }

    fn column_of(&self, column: u16) -> Result<Column, String> {
        let found = self.program.columns.get(column as usize).copied();
        found.ok_or_else(|| "there is no such column".to_owned())
    }

    /// Whether there is a column of a shape.
    fn column(&self, column: u16, shape: Shape) -> Result<(), String> {
        let c = self.column_of(column)?;
        let scalar = || ensure(c.set_words == 0, || "the column holds sets".into());
        let sets = || ensure(c.set_words > 0, || "the column holds no sets".into());
        let one_key = u64::from(c.key_words) * 64 >= u64::from(c.len);
        let by_value =
            || ensure(c.set_words == 0 && c.lo == 0 && one_key, || "the column is not asked by value".into());
        match shape {
            Shape::Scalar => scalar(),
            Shape::KeptScalar => kept(c).and_then(|()| scalar()),
            Shape::Sets => sets(),
            Shape::KeptSets => kept(c).and_then(|()| sets()),
            Shape::Flags => ensure(c.set_words == 0 && c.shift == 0, || "the column holds no flags".into()),
            Shape::ByValue => by_value(),
            Shape::Indexed => {
                let indexed = c.inverse != 0 && c.key_words == 1;
                ensure(indexed, || "the column has no inverse index of single words".into())?;
                by_value()
            }
            Shape::Things(words) => {
                let fits = c.lo == 0 && c.hi < i64::from(words) * 64;
                ensure(c.set_words == 0 && one_key && fits, || "the column holds no such things".into())
            }
        }
    }
}

/// Whether a column is a state.
fn kept(column: Column) -> Result<(), String> {
    ensure(column.space == Space::State, || "a fact does not change".into())
}

/// What an instruction touches, the registers of texts included.
pub(crate) fn touch(program: &Program, op: &Op) -> Touch {
    let mut touch = op.touch(program);
    if let Op::Text { text } | Op::Say { text, .. } = op {
        for piece in &program.texts[*text as usize].pieces {
            touch.reads.extend(piece.values().map(|(reg, ty)| (reg, program.words_of(ty))));
            if let TextPiece::Guard(reg, ty) = piece {
                touch.reads.push((*reg, program.words_of(*ty)));
            }
        }
    }
    touch
}

/// What is held lies in the locals of the step that holds it.
fn is_local_of_a_step(program: &Program, held: &Held) -> Result<(), String> {
    let holds =
        |f: &&Function| f.entry <= held.from && held.to <= f.end && matches!(f.origin, Origin::Step(_));
    let (reg, words) = (usize::from(held.reg), program.held_words(held));
    let fits = |f: &Function| reg >= HEADER && reg + words <= usize::from(f.local_words);
    ensure(program.functions.iter().find(holds).is_some_and(fits), || {
        format!("what r{reg} holds from instruction {} on lies in no step", held.from)
    })
}

fn choice_is_well(program: &Program, choice: &ChoiceInfo) -> Result<(), String> {
    let Some(step) = program.functions.get(choice.step.0 as usize) else {
        return Err("it has no step".into());
    };
    let inside =
        |pc: Pc| ensure((step.entry..step.end).contains(&pc), || format!("{pc} lies outside its step"));
    let is_local = |reg: Reg, words: usize| {
        let fits = reg as usize >= HEADER && reg as usize + words <= step.local_words as usize;
        ensure(fits, || format!("r{reg} is no local of its step"))
    };
    [choice.who, choice.enumerate, choice.domain, choice.after].into_iter().try_for_each(inside)?;
    choice.prompt.into_iter().chain(choice.otherwise).try_for_each(inside)?;
    for option in &choice.options {
        inside(option.body)?;
        inside(option.explain)?;
        option.label.into_iter().try_for_each(inside)?;
        for param in &option.params {
            is_local(param.local, 1)?;
            let scratch = (step.local_words..step.frame_words).contains(&param.scratch);
            ensure(scratch, || format!("r{} is no temporary of its step", param.scratch))?;
        }
    }
    if let Some(EachInfo { local, slots, words }) = choice.each {
        let most = choice.options.iter().map(|option| option.params.len()).max().unwrap_or(0);
        ensure(words as usize > most, || "an answer has no room for its arguments".into())?;
        let players = program.book.kind(program.book.player).things.len();
        is_local(local, 1)?;
        is_local(slots, 1 + players * words as usize)?;
    }
    Ok(())
}
