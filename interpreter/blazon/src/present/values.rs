//! Values in words.

use blazon_book::Base;
use blazon_book::{Book, ColumnId, Constant, KindId, Type};
use blazon_diagnostics::plain;
use blazon_machine::{Entry, Value, View};

/// The name of a thing, on one line and without anything that steers a terminal.
pub fn thing(book: &Book, kind: KindId, thing: u32) -> String {
    let things = &book.kind(kind).things;
    things.get(thing as usize).map_or_else(|| format!("{} {thing}", book.kind(kind).name), |t| plain(&t.name))
}

/// So many of a kind: `a block`, `3 blocks`.
pub fn counted(book: &Book, kind: KindId, count: usize) -> String {
    let kind = book.kind(kind);
    if count == 1 { format!("1 {}", kind.name) } else { format!("{count} {}", kind.plural) }
}

/// A value.
pub fn value(book: &Book, value: &Value) -> String {
    match value {
        Value::Absent => "none".to_owned(),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Thing(kind, t) => thing(book, *kind, *t),
        Value::Hidden(kind) => counted(book, *kind, 1),
        Value::Set(kind, things, hidden) => {
            let mut names: Vec<String> = things.iter().map(|&t| thing(book, *kind, t)).collect();
            if *hidden > 0 {
                names.push(counted(book, *kind, *hidden));
            }
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        }
        Value::Dice(dice) => dice.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// A state with its name, as briefly as it can be understood: `moved`, `strength 2`, `Captive`.
pub fn state(book: &Book, column: ColumnId, held: &Value) -> String {
    let column = book.column(column);
    let name = &column.name;
    match held {
        Value::Flag(true) => name.clone(),
        Value::Flag(false) => format!("not {name}"),
        Value::Absent => format!("no {name}"),
        Value::Thing(kind, _) if book.kind(*kind).name == *name => value(book, held),
        Value::Number(_) | Value::Thing(..) | Value::Hidden(_) | Value::Set(..) | Value::Dice(_) => {
            format!("{name} {}", value(book, held))
        }
    }
}

/// The states of several keys whose first is a thing, each with its other keys: `loads Coal 3`. What is absent, empty,
/// zero or no is left out.
pub fn keyed(book: &Book, view: &View, kind: KindId, first: u32) -> Vec<String> {
    let of_thing = view.states.iter().filter(|entry| {
        entry.keys.first() == Some(&first) && book.column(entry.column).keys.first() == Some(&kind)
    });
    of_thing.filter_map(|entry| by_its_first(book, entry)).collect()
}

/// A state of several keys, without the first of them; nothing for what is absent, empty, zero or no.
pub fn by_its_first(book: &Book, entry: &Entry) -> Option<String> {
    if entry.keys.len() < 2 || is_nothing(&entry.value) {
        return None;
    }
    let column = book.column(entry.column);
    let mut words = column.name.clone();
    for (&kind, &key) in column.keys.iter().zip(&entry.keys).skip(1) {
        words += &format!(" {}", thing(book, kind, key));
    }
    Some(match &entry.value {
        Value::Flag(_) => words,
        held @ (Value::Absent
        | Value::Number(_)
        | Value::Thing(..)
        | Value::Hidden(_)
        | Value::Set(..)
        | Value::Dice(_)) => format!("{words} {}", value(book, held)),
    })
}

/// Whether a value is absent, empty, zero or no.
pub fn is_nothing(held: &Value) -> bool {
    match held {
        Value::Absent | Value::Flag(false) | Value::Number(0) => true,
        Value::Set(_, things, hidden) => things.is_empty() && *hidden == 0,
        Value::Flag(_) | Value::Number(_) | Value::Thing(..) | Value::Hidden(_) | Value::Dice(_) => false,
    }
}

/// A printed value; nothing where nothing is printed.
pub fn constant(book: &Book, ty: Type, constant: &Constant) -> Option<String> {
    Some(match (constant, ty.base) {
        (Constant::Absent, _) => return None,
        (Constant::Word(0), Base::Flag) => return None,
        (Constant::Word(_), Base::Flag) => "yes".to_owned(),
        (Constant::Word(word), Base::Thing(kind)) => thing(book, kind, u32::try_from(*word).ok()?),
        (Constant::Word(word), _) => word.to_string(),
        (Constant::Set(things), _) if things.is_empty() => return None,
        (Constant::Set(things), Base::Set(kind)) => {
            things.iter().map(|&t| thing(book, kind, t)).collect::<Vec<_>>().join(", ")
        }
        (Constant::Set(_), _) => return None,
        (Constant::Text(text), _) => format!("\"{text}\""),
        (Constant::Point(x, y), _) => format!("{x}, {y}"),
    })
}
