//! What was printed where variants print something else: `replace fact …` and rows by name say only what is there now.

use blazon_book::{Base, Book, Column, ColumnId, Constant, KindId, Role, Type};
use blazon_diagnostics::Span;
use blazon_syntax::ast::print::{expr, thing};
use blazon_syntax::ast::{self, BinaryOp, ExprKind, NamedRow};

use crate::merge::merged::{FactValue, printed_name};
use crate::project::Parsed;
use crate::references::Uses;

/// What a book printed before a line of another prints it anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// The item of the flat rulebook that prints it anew ([`super::print::Line::opens`]).
    pub opens: String,
    /// What was there, in the words of the language.
    pub text: String,
    /// Where the thing is listed of which it is printed; the fact, if it is printed of none.
    pub origin: Span,
}

/// What a book printed before that a project lays on it prints anew.
pub fn before(after: &Parsed, book: &Book) -> Vec<Before> {
    let mut quiet = Vec::new();
    let merged = crate::merge::merge(after, Uses::default(), &mut quiet);
    let facts = merged.fact_values.iter().filter_map(|change| replaced(book, change));
    let rows = merged.overrides.iter().filter_map(|(kind, row)| row_before(book, kind, row));
    facts.chain(rows).collect()
}

fn replaced(book: &Book, change: &FactValue) -> Option<Before> {
    let args: Vec<String> = change.args.iter().map(expr).collect();
    let (column, keys) = facts(book, &change.name.text, change.args.len()).find_map(|id| {
        let keys = change.args.iter().zip(&book.column(id).keys);
        let keys: Option<Vec<u32>> = keys.map(|(arg, kind)| named(book, arg, *kind)).collect();
        Some((id, keys?))
    })?;
    let opens = format!("fact {}({})", change.name.text, args.join(", "));
    let text = format!("{opens} = {}", value(book, book.column(column), &keys)?);
    Some(Before { opens, text, origin: origin(book, column, &keys) })
}

fn row_before(book: &Book, kind: &str, row: &NamedRow) -> Option<Before> {
    let id = KindId(book.kinds.iter().position(|other| other.name == kind)? as u32);
    let name = row.thing.text.trim_matches('\'');
    let place = book.kind(id).things.iter().position(|thing| thing.name == name)? as u32;
    let cells: Vec<String> =
        row.cells.iter().map(|cell| cell_before(book, id, place, &cell.text)).collect::<Option<_>>()?;
    let text = format!("in table {kind} {{ {}: {} }}", row.thing.text, cells.join("; "));
    let opens = format!("in table {kind}: {}", row.thing.text);
    Some(Before { opens, text, origin: book.kind(id).things[place as usize].span })
}

/// `column value`, or `column(key) value`, with the value that there was.
fn cell_before(book: &Book, kind: KindId, place: u32, cell: &str) -> Option<String> {
    if cell.starts_with("copies ") {
        return Some(format!("copies {}", book.kind(kind).alike(place).count()));
    }
    let is_of_kind =
        |column: &&Column| column.keys.first() == Some(&kind) && matches!(column.role, Role::Fact(_));
    let begins = |column: &&Column| {
        let rest = cell.strip_prefix(column.name.trim_end_matches(" (printed)"));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '(']))
    };
    let columns = book.columns.iter().filter(is_of_kind).filter(begins);
    let longest = columns.max_by_key(|column| column.name.len())?;
    let name = longest.name.trim_end_matches(" (printed)");
    let key =
        cell[name.len()..].strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(key, _)| key.trim());
    let of = facts(book, name, 1 + usize::from(key.is_some())).find(|id| book.column(*id).keys[0] == kind)?;
    let mut keys = vec![place];
    if let Some(key) = key {
        keys.push(thing_of(book, key, book.column(of).keys[1])?);
    }
    let key = key.map(|key| format!("({key})")).unwrap_or_default();
    Some(format!("{name}{key} {}", value(book, book.column(of), &keys)?))
}

/// The facts of a name that are asked of so many things; what was made a state is still printed under a hidden name.
fn facts<'b>(book: &'b Book, name: &'b str, keys: usize) -> impl Iterator<Item = ColumnId> + 'b {
    let hidden = printed_name(name);
    let fits = move |column: &Column| {
        (column.name == name || column.name == hidden)
            && column.keys.len() == keys
            && matches!(column.role, Role::Fact(_))
    };
    let columns = book.columns.iter().enumerate().filter(move |(_, column)| fits(column));
    columns.map(|(place, _)| ColumnId(place as u32))
}

/// The thing or link that an expression names.
fn named(book: &Book, arg: &ast::Expr, kind: KindId) -> Option<u32> {
    if let ExprKind::Binary(BinaryOp::Minus, from, to) = &arg.kind {
        let (end, _) = book.kind(kind).ends?;
        let (from, to) = (named(book, from, end)?, named(book, to, end)?);
        let joins = |ends: Option<(u32, u32)>| ends == Some((from, to)) || ends == Some((to, from));
        return book.kind(kind).things.iter().position(|link| joins(link.ends)).map(|place| place as u32);
    }
    thing_of(book, &arg.as_name()?, kind)
}

fn thing_of(book: &Book, name: &str, kind: KindId) -> Option<u32> {
    let kind = book.kind(kind);
    let bare = name.strip_suffix(&format!(" ({})", kind.name));
    let place =
        kind.things.iter().position(|thing| thing.name == name || Some(thing.name.as_str()) == bare)?;
    Some(place as u32)
}

fn origin(book: &Book, column: ColumnId, keys: &[u32]) -> Span {
    let thing = book.column(column).keys.first().zip(keys.first());
    thing.map_or(book.column(column).span, |(kind, place)| book.kind(*kind).things[*place as usize].span)
}

/// The value of a fact in the words of the language.
fn value(book: &Book, column: &Column, keys: &[u32]) -> Option<String> {
    let Role::Fact(values) = &column.role else { return None };
    let mut entry = 0;
    for (key, kind) in keys.iter().zip(&column.keys) {
        entry = entry * book.kind(*kind).things.len() + *key as usize;
    }
    Some(match values.get(entry)? {
        Constant::Absent => "none".to_owned(),
        Constant::Word(word) => word_of(book, column.ty, *word),
        Constant::Set(things) if things.is_empty() => "none".to_owned(),
        Constant::Set(things) => {
            let things = things.iter().map(|thing| word_of(book, column.ty, i64::from(*thing)));
            things.collect::<Vec<_>>().join(", ")
        }
        Constant::Text(text) => format!("\"{text}\""),
        Constant::Point(across, down) => format!("{across}, {down}"),
    })
}

fn word_of(book: &Book, ty: Type, word: i64) -> String {
    match ty.base {
        Base::Flag | Base::Permission => if word == 1 { "yes" } else { "no" }.to_owned(),
        Base::Thing(kind) | Base::Set(kind) => {
            let known = usize::try_from(word).ok().and_then(|place| book.kind(kind).things.get(place));
            known.map_or_else(|| word.to_string(), |known| thing(&known.name))
        }
        Base::Number(..)
        | Base::Dice
        | Base::Die
        | Base::Text
        | Base::Point
        | Base::Numbers
        | Base::Nothing
        | Base::Unknown => word.to_string(),
    }
}
