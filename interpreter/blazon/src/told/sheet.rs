//! What never changes of a game: its kinds with all that is printed on them, what is kept, and what is ever asked.

use std::collections::BTreeMap;

use blazon_book::{Base, Book, Column, Constant, KindId, Role, Type};
use blazon_program::Program;
use serde::Serialize;

use super::view::Value;
use crate::present::values;

/// What never changes of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// The kind of the players.
    pub players: String,
    /// The kinds in the order of the rules.
    pub kinds: Vec<Kind>,
    /// Facts without keys or with several.
    pub facts: Vec<Fact>,
    /// All states.
    pub states: Vec<Kept>,
    /// All that is ever asked.
    pub choices: Vec<Choice>,
    /// The paragraphs that the rules are cited by, by number, with their titles.
    pub paragraphs: BTreeMap<String, String>,
}

/// A kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// The name of all its things.
    pub plural: String,
    /// The kinds that its things join, if they are links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joins: Option<[String; 2]>,
    /// How its things lie, if they lie on a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// Its things in printed order; look-alikes once.
    pub things: Vec<Thing>,
}

/// A grid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grid {
    /// The kind of the links between neighbours.
    pub links: String,
    /// The fact with the printed number.
    pub number: String,
    /// The fact that tells how far a thing lies to the right, in half steps where columns or rows are staggered.
    pub across: String,
    /// The fact that tells how far down.
    pub down: String,
}

/// A thing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thing {
    /// Its name.
    pub name: String,
    /// How many look like it, itself counted; left out if it is alone.
    #[serde(skip_serializing_if = "is_one")]
    pub copies: usize,
    /// What it joins, if it is a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<[String; 2]>,
    /// What is printed on it; what is absent or no is left out.
    pub facts: BTreeMap<String, Printed>,
}

/// A printed value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Printed {
    /// As a state would hold it.
    Value(Value),
    /// A text.
    Text(String),
    /// Where something is drawn: to the right, and down.
    Point([i64; 2]),
}

/// A fact without keys or with several.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// Its name.
    pub fact: String,
    /// The kinds of its keys.
    pub keys: Vec<String>,
    /// Its values; what is absent or no is left out.
    pub values: Vec<Entry>,
}

/// A value of a fact.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The things of which.
    pub keys: Vec<String>,
    /// What is printed.
    pub value: Printed,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kept {
    /// Its name.
    pub state: String,
    /// The kinds of its keys.
    pub keys: Vec<String>,
    /// What it holds.
    #[serde(flatten)]
    pub holds: Holds,
}

/// What can stand somewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Holds {
    /// `flag`, `number`, `thing`, `set`, `dice`, `text` or `point`.
    pub holds: &'static str,
    /// The kind of the thing or things.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The least and the greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[i64; 2]>,
    /// Whether there may be nothing.
    pub optional: bool,
}

/// A question that the rules ask.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The step that asks it.
    pub step: String,
    /// Whether several answer before anybody sees an answer.
    pub secret: bool,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
    /// Its options.
    pub options: Vec<Signature>,
}

/// An option as the rules declare it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Signature {
    /// Its name.
    pub option: String,
    /// Its arguments.
    pub args: Vec<Parameter>,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
}

/// An argument of an option as the rules declare it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The kind of the thing; nothing if it is a number.
    pub kind: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_one(copies: &usize) -> bool {
    *copies == 1
}

impl Sheet {
    /// What never changes of the games of a program.
    pub fn of(program: &Program) -> Self {
        let book = &program.book;
        let kinds = (0..book.kinds.len() as u32).map(|kind| Kind::of(book, KindId(kind)));
        let facts = book.columns.iter().filter_map(|column| match &column.role {
            Role::Fact(values) if column.keys.len() != 1 => Some(Fact::of(book, column, values)),
            Role::Fact(_) | Role::State { .. } => None,
        });
        let states = book.columns.iter().filter(|column| matches!(column.role, Role::State { .. }));
        Self {
            players: book.kind(book.player).name.clone(),
            kinds: kinds.collect(),
            facts: facts.collect(),
            states: states.map(|column| Kept::of(book, column)).collect(),
            choices: choices(program),
            paragraphs: book.outline.iter().cloned().collect(),
        }
    }
}

impl Kind {
    fn of(book: &Book, kind: KindId) -> Self {
        let info = book.kind(kind);
        let facts: Vec<(&Column, &[Constant])> = book
            .columns
            .iter()
            .filter_map(|column| match &column.role {
                Role::Fact(values) if column.keys == [kind] => Some((column, values.as_slice())),
                Role::Fact(_) | Role::State { .. } => None,
            })
            .collect();
        let things = info.things.iter().enumerate().filter(|(place, thing)| thing.group as usize == *place);
        let things = things.map(|(place, thing)| {
            let printed = facts.iter().filter_map(|(column, values)| {
                Some((column.name.clone(), printed(book, column.ty, values.get(place)?)?))
            });
            let ends = info.ends.zip(thing.ends).map(|(kinds, ends)| {
                [values::thing(book, kinds.0, ends.0), values::thing(book, kinds.1, ends.1)]
            });
            let copies = info.alike(place as u32).count();
            Thing { name: thing.name.clone(), copies, ends, facts: printed.collect() }
        });
        let grid = book.grids.iter().find(|grid| grid.things == kind).map(|grid| Grid {
            links: book.kind(grid.links).name.clone(),
            number: book.column(grid.number).name.clone(),
            across: book.column(grid.across).name.clone(),
            down: book.column(grid.down).name.clone(),
        });
        let name = |kind: KindId| book.kind(kind).name.clone();
        let joins = info.ends.map(|(one, other)| [name(one), name(other)]);
        Self { name: info.name.clone(), plural: info.plural.clone(), joins, grid, things: things.collect() }
    }
}

impl Fact {
    fn of(book: &Book, column: &Column, printed_values: &[Constant]) -> Self {
        let entries = printed_values.iter().enumerate().filter_map(|(place, value)| {
            let value = printed(book, column.ty, value)?;
            let things = column.keys.iter().zip(book.keys_of(column, place));
            Some(Entry {
                keys: things.map(|(&kind, thing)| values::thing(book, kind, thing)).collect(),
                value,
            })
        });
        Self { fact: column.name.clone(), keys: names(book, &column.keys), values: entries.collect() }
    }
}

impl Kept {
    fn of(book: &Book, column: &Column) -> Self {
        Self {
            state: column.name.clone(),
            keys: names(book, &column.keys),
            holds: Holds::of(book, column.ty),
        }
    }
}

impl Holds {
    fn of(book: &Book, ty: Type) -> Self {
        let of = |kind: KindId| Some(book.kind(kind).name.clone());
        let (holds, of, range) = match ty.base {
            Base::Flag | Base::Permission => ("flag", None, None),
            Base::Number(from, to) => ("number", None, Some([from, to])),
            Base::Thing(kind) => ("thing", of(kind), None),
            Base::Set(kind) => ("set", of(kind), None),
            Base::Dice => ("dice", None, None),
            Base::Die => ("die", None, None),
            Base::Text => ("text", None, None),
            Base::Point => ("point", None, None),
            Base::Numbers | Base::Nothing | Base::Unknown => ("nothing", None, None),
        };
        Self { holds, of, range, optional: ty.optional }
    }
}

fn names(book: &Book, kinds: &[KindId]) -> Vec<String> {
    kinds.iter().map(|&kind| book.kind(kind).name.clone()).collect()
}

/// A printed value; nothing where nothing is printed.
fn printed(book: &Book, ty: Type, constant: &Constant) -> Option<Printed> {
    Some(match (constant, ty.base) {
        (Constant::Absent, _) | (Constant::Word(0), Base::Flag) => return None,
        (Constant::Word(_), Base::Flag) => Printed::Value(Value::Flag(true)),
        (Constant::Word(word), Base::Thing(kind)) => {
            Printed::Value(Value::Thing(values::thing(book, kind, u32::try_from(*word).ok()?)))
        }
        (Constant::Word(sides), Base::Die) => Printed::Text(format!("d{sides}")),
        (Constant::Word(word), _) => Printed::Value(Value::Number(*word)),
        (Constant::Set(things), Base::Set(kind)) => {
            let names = things.iter().map(|&thing| values::thing(book, kind, thing));
            Printed::Value(Value::Things(names.collect()))
        }
        (Constant::Set(_), _) => return None,
        (Constant::Text(text), _) => Printed::Text(text.clone()),
        (Constant::Point(x, y), _) => Printed::Point([*x, *y]),
    })
}

fn choices(program: &Program) -> Vec<Choice> {
    let book = &program.book;
    let choices = program.choices.iter().map(|choice| {
        let options = choice.options.iter().map(|option| {
            let args = option.params.iter().map(|param| Parameter {
                name: param.name.clone(),
                kind: param.kind.map(|kind| book.kind(kind).name.clone()),
            });
            Signature { option: option.name.clone(), args: args.collect(), paragraphs: option.cites.clone() }
        });
        let step = book.steps.get(choice.step.0 as usize);
        Choice {
            step: step.map(|step| step.name.clone()).unwrap_or_default(),
            secret: choice.each.is_some(),
            paragraphs: choice.cites.clone(),
            options: options.collect(),
        }
    });
    choices.collect()
}
