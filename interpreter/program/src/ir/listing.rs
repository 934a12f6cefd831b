//! A program in words: every function with its instructions, columns and choices by their names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use blazon_book::Role;

use crate::ir::op_info;
use crate::ir::{Column, Function, Op, Origin, Program, Reg, Space, TextPiece};

impl Program {
    /// All functions and their instructions, readable.
    pub fn listing(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{} state words, {} fact words, {} instructions",
            self.state_words,
            self.facts.len(),
            self.code.len()
        );
        for function in &self.functions {
            self.list_function(&mut out, function);
        }
        out
    }

    /// One function and its instructions, by name; `None` if there is none.
    pub fn listing_of(&self, name: &str) -> Option<String> {
        let mut out = String::new();
        self.functions.iter().filter(|f| f.name == name).for_each(|f| self.list_function(&mut out, f));
        (!out.is_empty()).then_some(out)
    }

    /// The name of a column.
    pub fn column_name(&self, column: u16) -> String {
        match self.book.columns.get(column as usize) {
            Some(column) => column.name.clone(),
            None => format!("hidden {}", column as usize - self.book.columns.len()),
        }
    }

    fn list_function(&self, out: &mut String, function: &Function) {
        let kind = match function.origin {
            Origin::Step(_) => "step",
            Origin::Rule(_) => "rule",
            Origin::Explain(_) => "explain",
            Origin::Made => "made",
        };
        let _ = writeln!(
            out,
            "\n{kind} {}  ({} in, {} out, {} lasting, {} words)",
            function.name,
            function.param_words,
            function.result_words,
            function.local_words,
            function.frame_words
        );
        let range = function.entry as usize..function.end as usize;
        let mut targets = BTreeSet::new();
        for op in &self.code[range.clone()] {
            targets.extend(op_info::target(&mut { *op }).map(|to| *to));
        }
        let entries = self.entries();
        for pc in range {
            for name in entries.get(&(pc as u32)).into_iter().flatten() {
                let _ = writeln!(out, "  {name}");
            }
            let mark = if targets.contains(&(pc as u32)) { ':' } else { ' ' };
            let _ = writeln!(out, "{pc:>6}{mark} {}", self.list_op(&self.code[pc]));
        }
    }

    /// Where pieces of choices begin.
    fn entries(&self) -> BTreeMap<u32, Vec<String>> {
        let mut entries: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        let mut add = |pc: u32, name: String| entries.entry(pc).or_default().push(name);
        for (number, choice) in self.choices.iter().enumerate() {
            add(choice.who, format!("choice {number}: who, into r{}", choice.who_reg));
            add(choice.enumerate, format!("choice {number}: what is open"));
            add(choice.domain, format!("choice {number}: what can be asked about"));
            choice.prompt.into_iter().for_each(|pc| add(pc, format!("choice {number}: prompt")));
            choice.otherwise.into_iter().for_each(|pc| add(pc, format!("choice {number}: else")));
            add(choice.after, format!("choice {number}: after"));
            for option in &choice.options {
                option
                    .label
                    .into_iter()
                    .for_each(|pc| add(pc, format!("choice {number}: line of {}", option.name)));
                add(option.explain, format!("choice {number}: why not {}", option.name));
                add(option.body, format!("choice {number}: {}", option.name));
            }
        }
        entries
    }

    fn name_of(&self, function: u16) -> &str {
        self.functions.get(function as usize).map_or("?", |f| f.name.as_str())
    }

    fn kind_name(&self, kind: u16) -> &str {
        self.book.kinds.get(kind as usize).map_or("number", |kind| kind.name.as_str())
    }

    fn list_set(&self, words: u16, index: u32) -> String {
        let words = &self.pool[index as usize..index as usize + words as usize];
        words.iter().rev().map(|word| format!("{word:x}")).collect::<Vec<_>>().join("_")
    }

    fn list_text(&self, text: u32) -> String {
        let pieces = &self.texts[text as usize].pieces;
        let show = |piece: &TextPiece| match piece {
            TextPiece::Plain(plain) => plain.clone(),
            TextPiece::Value(reg, _) => format!("{{r{reg}}}"),
        };
        pieces.iter().map(show).collect()
    }

    /// An entry of a column: the key is left out where there is but one.
    fn list_entry(&self, column: u16, key: Reg) -> String {
        let name = self.column_name(column);
        match self.columns.get(column as usize).map(|column| column.len) {
            Some(1) => name,
            _ => format!("{name}[r{key}]"),
        }
    }

    /// The column of facts that begins at a word.
    fn list_fact(&self, offset: u32) -> String {
        let begins =
            |column: &Column| column.space == Space::Fact && column.offset == offset && column.len > 1;
        match self.columns.iter().position(begins) {
            Some(column) => self.column_name(column as u16),
            None => format!("facts from {offset}"),
        }
    }

    /// What a word of the states holds.
    fn list_word(&self, offset: u32) -> String {
        let holds = |column: &&Column| {
            let end = match column.inverse {
                0 => u64::from(column.offset) + column.words(),
                inverse => u64::from(inverse) + (column.hi.max(-1) + 2) as u64 * u64::from(column.key_words),
            };
            column.space == Space::State && (u64::from(column.offset)..end).contains(&u64::from(offset))
        };
        match self
            .columns
            .iter()
            .find(holds)
            .and_then(|found| self.columns.iter().position(|c| std::ptr::eq(c, found)))
        {
            Some(column) => format!("word {offset} of {}", self.column_name(column as u16)),
            None => format!("word {offset}"),
        }
    }

    /// An instruction in words.
    fn list_op(&self, op: &Op) -> String {
        match *op {
            Op::Int { dst, value } => format!("r{dst} = {value}"),
            Op::Number { dst, index } => match self.numbers[index as usize] {
                crate::ir::ABSENT => format!("r{dst} = none"),
                number => format!("r{dst} = {number}"),
            },
            Op::Set { dst, words, index } => format!("r{dst} = {{{}}}", self.list_set(words, index)),
            Op::Empty { dst, words } => format!("r{dst} = {{}}{}", of(words)),
            Op::Copy { dst, src, words } => format!("r{dst} = r{src}{}", of(words)),
            Op::Add { dst, a, b } => format!("r{dst} = r{a} + r{b}"),
            Op::Sub { dst, a, b } => format!("r{dst} = r{a} - r{b}"),
            Op::Mul { dst, a, b } => format!("r{dst} = r{a} * r{b}"),
            Op::Div { dst, a, b } => format!("r{dst} = r{a} / r{b}"),
            Op::Min { dst, a, b } => format!("r{dst} = min r{a}, r{b}"),
            Op::Max { dst, a, b } => format!("r{dst} = max r{a}, r{b}"),
            Op::Odd { dst, a } => format!("r{dst} = odd r{a}"),
            Op::Eq { dst, a, b } => format!("r{dst} = r{a} = r{b}"),
            Op::Ne { dst, a, b } => format!("r{dst} = r{a} != r{b}"),
            Op::Lt { dst, a, b } => format!("r{dst} = r{a} < r{b}"),
            Op::Le { dst, a, b } => format!("r{dst} = r{a} <= r{b}"),
            Op::EqInt { dst, a, value } => format!("r{dst} = r{a} = {value}"),
            Op::IsAbsent { dst, a } => format!("r{dst} = r{a} is none"),
            Op::Not { dst, a } => format!("r{dst} = not r{a}"),
            Op::Index { dst, a, b, size } => format!("r{dst} = r{a} * {size} + r{b}"),
            Op::Load { dst, column, key } | Op::LoadSet { dst, column, key } => {
                format!("r{dst} = {}", self.list_entry(column, key))
            }
            Op::Store { column, key, src } | Op::StoreSet { column, key, src } => {
                format!("{} := r{src}", self.list_entry(column, key))
            }
            Op::Members { dst, column } => format!("r{dst} = members of {}", self.column_name(column)),
            Op::Where { dst, column, value } => {
                format!("r{dst} = where {} = r{value}", self.column_name(column))
            }
            Op::Reset { scope } => {
                let columns = self.scopes.get(scope as usize).into_iter().flatten();
                let names: Vec<String> = columns.map(|&column| self.column_name(column)).collect();
                format!("reset {}", names.join(", "))
            }
            Op::Union { dst, a, b, words } => format!("r{dst} = r{a} | r{b}{}", of(words)),
            Op::Both { dst, a, b, words } => format!("r{dst} = r{a} & r{b}{}", of(words)),
            Op::Without { dst, a, b, words } => format!("r{dst} = r{a} &~ r{b}{}", of(words)),
            Op::SetEq { dst, a, b, words } => format!("r{dst} = r{a} == r{b}{}", of(words)),
            Op::Insert { set, elem } => format!("r{set} += r{elem}"),
            Op::Delete { set, elem } => format!("r{set} -= r{elem}"),
            Op::Has { dst, set, elem } => format!("r{dst} = r{elem} in r{set}"),
            Op::Count { dst, set, words } => format!("r{dst} = count r{set}{}", of(words)),
            Op::Some { dst, set, words } => format!("r{dst} = any r{set}{}", of(words)),
            Op::First { dst, set, words } => format!("r{dst} = first r{set}{}", of(words)),
            Op::Alike { set, kind } => format!("r{set} alike by {}", self.kind_name(kind)),
            Op::Links { dst, kind, a } => format!("r{dst} = {} links of r{a}", self.kind_name(kind)),
            Op::Neighbours { dst, kind, a } => {
                format!("r{dst} = {} neighbours of r{a}", self.kind_name(kind))
            }
            Op::Between { dst, kind, a, b } => {
                format!("r{dst} = {} between r{a}, r{b}", self.kind_name(kind))
            }
            Op::Ends { dst, kind, a } => format!("r{dst} = {} ends of r{a}", self.kind_name(kind)),
            Op::Next { set, words, elem, exit } => {
                format!("r{elem} = next of r{set}{} else {exit}", of(words))
            }
            Op::NextNumber { counter, limit, exit } => format!("r{counter} += 1 to r{limit} else {exit}"),
            Op::NextDie { dice, die, exit } => format!("r{die} = next die of r{dice} else {exit}"),
            Op::Push { seq, elem } => format!("push r{seq}, r{elem}"),
            Op::PushAll { seq, set, words } => format!("push all r{seq}, r{set}{}", of(words)),
            Op::NextOf { seq, elem, exit } => format!("r{elem} = next in r{seq} else {exit}"),
            Op::Jump { to } => format!("jump {to}"),
            Op::JumpIf { a, to } => format!("if r{a} jump {to}"),
            Op::JumpUnless { a, to } => format!("unless r{a} jump {to}"),
            Op::Call { function, args, dst } => format!("r{dst} = ask {}(r{args}…)", self.name_of(function)),
            Op::Do { function, args, dst, key } => {
                format!("r{dst} = do {}(r{args}…) key r{key}", self.name_of(function))
            }
            Op::Return { src } => format!("return r{src}"),
            Op::Table { dst, table, args } => format!("r{dst} = table {table} of r{args}…"),
            Op::Win { player } => format!("win r{player}"),
            Op::Over => "over".to_owned(),
            Op::Done => "done".to_owned(),
            Op::Clash => "clash".to_owned(),
            Op::MixSite { dst, key, site } => format!("r{dst} = mix r{key} site {site:08x}"),
            Op::MixValue { dst, key, value, kind } => {
                format!("r{dst} = mix r{key} {} r{value}", self.kind_name(kind))
            }
            Op::MixSet { dst, key, set, kind } => {
                format!("r{dst} = mix r{key} set of {} r{set}", self.kind_name(kind))
            }
            Op::MixCount { dst, key, slots } => format!("r{dst} = mix r{key} count r{slots}…"),
            Op::Die { dst, sides, key } => format!("r{dst} = die r{sides} key r{key}"),
            Op::Dice { dst, sides, count, key } => format!("r{dst} = dice r{sides}, r{count} key r{key}"),
            Op::Draw { dst, set, count, key, kind } => {
                format!("r{dst} = draw {} r{set}, r{count} key r{key}", self.kind_name(kind))
            }
            Op::Choose { choice } => format!("choose {choice}"),
            Op::EachNext { choice } => format!("next of each, choice {choice}"),
            Op::NeighboursOf { dst, kind, set } => {
                format!("r{dst} = {} neighbours of all of r{set}", self.book.kinds[kind as usize].name)
            }
            Op::WhereIs { dst, column, value } => {
                format!("r{dst} = where {} = {value}", self.column_name(column))
            }
            Op::Fact { dst, key, offset, .. } => format!("r{dst} = {}[r{key}]", self.list_fact(offset)),
            Op::Word { dst, offset } => format!("r{dst} = {}", self.list_word(offset)),
            Op::Copies { dst, src, dst2, src2 } => format!("r{dst} = r{src}, r{dst2} = r{src2}"),
            Op::WordBoth { dst, a, read, offset } => {
                format!("r{dst} = r{a} & r{read} = {}", self.list_word(offset))
            }
            Op::WordWithout { dst, a, read, offset } => {
                format!("r{dst} = r{a} &~ r{read} = {}", self.list_word(offset))
            }
            Op::WhereBoth { dst, a, read, column, value } => {
                format!("r{dst} = r{a} & r{read} = where {} = r{value}", self.column_name(column))
            }
            Op::JumpEq { dst, a, b, to, when } => format!("r{dst} = r{a} = r{b}, {when} jump {to}"),
            Op::JumpNe { dst, a, b, to, when } => format!("r{dst} = r{a} != r{b}, {when} jump {to}"),
            Op::JumpLt { dst, a, b, to, when } => format!("r{dst} = r{a} < r{b}, {when} jump {to}"),
            Op::JumpLe { dst, a, b, to, when } => format!("r{dst} = r{a} <= r{b}, {when} jump {to}"),
            Op::JumpEqInt { dst, a, value, to, when } => format!("r{dst} = r{a} = {value}, {when} jump {to}"),
            Op::JumpAbsent { dst, a, to, when } => format!("r{dst} = r{a} is none, {when} jump {to}"),
            Op::JumpHas { dst, set, elem, to, when } => {
                format!("r{dst} = r{elem} in r{set}, {when} jump {to}")
            }
            Op::JumpSome { dst, set, to, when, .. } => format!("r{dst} = any r{set}, {when} jump {to}"),
            Op::Image { dst, column, set, .. } => format!("r{dst} = {} of r{set}", self.column_name(column)),
            Op::EmitAll { option, args, count, set, .. } => {
                format!("emit option {option} (r{args}, {count}) for each of r{set}")
            }
            Op::Emit { option, args, count } => format!("emit option {option} (r{args}, {count})"),
            Op::Text { text } => format!("text {:?}", self.list_text(text)),
            Op::Say { text, announce } => {
                format!("{} {:?}", if announce { "announce" } else { "say" }, self.list_text(text))
            }
            Op::Refuse { need } => {
                let need = &self.needs[need as usize];
                format!("refuse {}", if need.label.is_empty() { &need.condition } else { &need.label })
            }
        }
    }

    /// How many words the states take, column by column, for those who look for large ones.
    pub fn layout(&self) -> String {
        let mut out = String::new();
        for (place, column) in self.columns.iter().enumerate() {
            let made = place >= self.book.columns.len();
            let fact = !made && matches!(self.book.columns[place].role, Role::Fact(_));
            let inverse = if column.inverse == 0 {
                0
            } else {
                (column.hi.max(-1) + 2) as u64 * u64::from(column.key_words)
            };
            let _ = writeln!(
                out,
                "{}: {:?} {} at {}, {} words, index {} words",
                self.column_name(place as u16),
                column.space,
                if fact { "fact" } else { "state" },
                column.offset,
                column.words(),
                inverse
            );
        }
        out
    }
}

/// The words of a set, if there are several.
fn of(words: u16) -> String {
    if words == 1 { String::new() } else { format!(" ×{words}") }
}
