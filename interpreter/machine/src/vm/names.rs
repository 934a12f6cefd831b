//! What questions and options are called, as keys: hashes of names, never places. Another program that has them under the
//! same names has the same keys, whatever else it has.

use std::collections::HashMap;

use blazon_book::KindId;
use blazon_kernel::chance::{hash_text, mix};
use blazon_program::Program;
use blazon_program::ir::ChoiceInfo;

/// The names of a program.
#[derive(Default)]
pub(crate) struct Names {
    pub choices: Vec<ChoiceNames>,
    /// Of the book's columns.
    pub columns: Vec<u64>,
    pub kinds: Vec<u64>,
}

/// The names of a choice.
pub(crate) struct ChoiceNames {
    /// Where it stands: see [`ChoiceInfo::question`].
    pub question: u64,
    pub options: Vec<OptionNames>,
}

/// The names of an option.
pub(crate) struct OptionNames {
    pub name: u64,
    /// The kinds of its arguments; numbers have none.
    pub kinds: Vec<Option<KindId>>,
    /// Whether there are look-alikes among its arguments: then several options may have one key.
    pub has_copies: bool,
}

impl Names {
    pub fn of(program: &Program) -> Self {
        let book = &program.book;
        let has_copies =
            |kind: KindId| program.kinds.get(kind.0 as usize).is_some_and(|kind| kind.groups.is_some());
        let mut questions = Unlike::default();
        let mut of_choice = |choice: &ChoiceInfo| {
            let question = questions.unlike(choice.question);
            let mut names = Unlike::default();
            let options = choice.options.iter().map(|option| OptionNames {
                name: names.unlike(hash_text(&option.name)),
                kinds: option.params.iter().map(|param| param.kind).collect(),
                has_copies: option.params.iter().filter_map(|param| param.kind).any(has_copies),
            });
            ChoiceNames { question, options: options.collect() }
        };
        Self {
            choices: program.choices.iter().map(&mut of_choice).collect(),
            columns: book.columns.iter().map(|column| hash_text(&column.name)).collect(),
            kinds: book.kinds.iter().map(|kind| hash_text(&kind.name)).collect(),
        }
    }
}

/// Tells what has the same name apart by how many had it before.
#[derive(Default)]
struct Unlike(HashMap<u64, u64>);

impl Unlike {
    fn unlike(&mut self, key: u64) -> u64 {
        let before = self.0.entry(key).or_default();
        *before += 1;
        if *before == 1 { key } else { mix(key, *before) }
    }
}
