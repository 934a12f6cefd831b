//! A program in words: every function with its instructions, columns and choices by their names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use blazon_book::Role;

use crate::ir::{ABSENT, Column, Function, Origin, Program, Reg, Space, TextPiece};

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
            targets.extend({ *op }.target().map(|to| *to));
        }
        let entries = self.entries();
        for pc in range {
            for name in entries.get(&(pc as u32)).into_iter().flatten() {
                let _ = writeln!(out, "  {name}");
            }
            let mark = if targets.contains(&(pc as u32)) { ':' } else { ' ' };
            let _ = writeln!(out, "{pc:>6}{mark} {}", self.code[pc].listed(self));
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

    pub(super) fn name_of(&self, function: u16) -> &str {
        self.functions.get(function as usize).map_or("?", |f| f.name.as_str())
    }

    pub(super) fn kind_name(&self, kind: u16) -> &str {
        self.book.kinds.get(kind as usize).map_or("number", |kind| kind.name.as_str())
    }

    pub(super) fn list_set(&self, words: u16, index: u32) -> String {
        let words = &self.pool[index as usize..index as usize + words as usize];
        words.iter().rev().map(|word| format!("{word:x}")).collect::<Vec<_>>().join("_")
    }

    pub(super) fn list_text(&self, text: u32) -> String {
        let pieces = &self.texts[text as usize].pieces;
        let show = |piece: &TextPiece| match piece {
            TextPiece::Plain(plain) => plain.clone(),
            TextPiece::Value(reg, _) => format!("{{r{reg}}}"),
            TextPiece::Plural { several, of, one, many } => {
                let of = of.map(|(reg, _)| format!("r{reg} ")).unwrap_or_default();
                format!("{{{of}r{several}: {many} | {one}}}")
            }
            TextPiece::Guard(reg, _) => format!("{{? r{reg}}}"),
        };
        format!("{:?}", pieces.iter().map(show).collect::<String>())
    }

    /// An entry of a column: the key is left out where there is but one.
    pub(super) fn list_entry(&self, column: u16, key: Reg) -> String {
        let name = self.column_name(column);
        match self.columns.get(column as usize).map(|column| column.len) {
            Some(1) => name,
            _ => format!("{name}[r{key}]"),
        }
    }

    /// The column of facts that begins at a word.
    pub(super) fn list_fact(&self, offset: u32) -> String {
        let begins =
            |column: &Column| column.space == Space::Fact && column.offset == offset && column.len > 1;
        match self.columns.iter().position(begins) {
            Some(column) => self.column_name(column as u16),
            None => format!("facts from {offset}"),
        }
    }

    /// What a word of the states holds.
    pub(super) fn list_word(&self, offset: u32) -> String {
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

    /// The names of the columns of a scope.
    pub(super) fn list_scope(&self, scope: u16) -> String {
        let columns = self.scopes.get(scope as usize).into_iter().flatten();
        columns.map(|&column| self.column_name(column)).collect::<Vec<_>>().join(", ")
    }

    /// A number constant.
    pub(super) fn list_number(&self, index: u32) -> String {
        match self.numbers[index as usize] {
            ABSENT => "none".to_owned(),
            number => number.to_string(),
        }
    }

    /// The label of a need, or its condition.
    pub(super) fn list_need(&self, need: u32) -> &str {
        let need = &self.needs[need as usize];
        if need.label.is_empty() { &need.condition } else { &need.label }
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
pub(super) fn of(words: u16) -> String {
    if words == 1 { String::new() } else { format!(" ×{words}") }
}
