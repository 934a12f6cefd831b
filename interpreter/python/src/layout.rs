//! What a seat sees as numbers: where each thing seen stands among them, and how they are filled.
//!
//! The layout hangs on the rules alone, never on a position. The numbers are made of nothing but the [`View`] of the seat,
//! which has no more than what he may know: things whose faces he does not see have no row of their own but one among the
//! backs of their kind, which are sorted by what stands on them. Of things that look alike the order tells nothing either.

use std::collections::{BTreeMap, HashMap};

use blazon::Program;
use blazon::machine::{KindView, Value, View};
use blazon_book::{Base, Book, ColumnId, KindId, MAX_DICE, Role, Type};

/// What is kept of several look-alikes at once, by field and their first ones: where each may stand, and what it is.
type Together<'v> = BTreeMap<(usize, Vec<u32>), Vec<(usize, &'v Value)>>;
/// In which row a thing stands that has look-alikes.
type Rows = HashMap<(KindId, u32), u32>;
/// What is kept of a thing together with others: the column, the first look-alikes of all its keys, and the value.
type About = HashMap<(KindId, u32), Vec<(ColumnId, Vec<u32>, Value)>>;

/// Nothing is there, or it is not known.
const NOTHING: i32 = -1;
/// A thing is there whose face is not seen.
pub const HIDDEN: i32 = -2;
/// The most numbers of one field.
const MOST: usize = 1 << 20;
/// Things of so many and fewer are told one by one in the flat vector, of more by the binary digits of their places.
const ONE_BY_ONE: usize = 128;
/// Numbers from these on are taken as without bounds.
const FAR: i64 = 1 << 20;

/// Where all that is seen stands.
pub struct Layout {
    /// In their order.
    pub fields: Vec<Field>,
    /// What is left out, and why.
    pub left_out: Vec<(String, &'static str)>,
    /// How many numbers there are.
    pub ints: usize,
    /// How long the flat vector is.
    pub floats: usize,
    /// Where each column's field begins: of the things seen, of backs.
    seen: HashMap<ColumnId, usize>,
    backs: HashMap<ColumnId, usize>,
    /// For each kind the field that tells which faces are seen.
    faces: HashMap<KindId, usize>,
    /// For each kind the field that tells how many backs there are.
    there: HashMap<KindId, usize>,
    /// For each kind the place of the first look-alike of each thing.
    groups: Vec<Vec<u32>>,
    /// For each kind of several keys' columns how many things it has.
    sizes: Vec<usize>,
    keys: HashMap<ColumnId, Vec<KindId>>,
}

/// An array of numbers.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name: `kind.state`, `kind.back.state`, `state`, `state(kind, kind)`, or one of ours that begins with `_`.
    pub name: String,
    /// The kinds or counts along its axes: names, where an axis is the things of a kind.
    pub axes: Vec<String>,
    /// How many along each axis.
    pub shape: Vec<usize>,
    /// What stands there.
    pub holds: Holds,
    /// Where it begins among the numbers.
    pub at: usize,
    /// Where it begins in the flat vector.
    pub flat_at: usize,
}

/// What stands in a field.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// 0 or 1.
    Flag,
    /// A number in bounds.
    Number(i64, i64),
    /// A thing by its place in its kind of so many; whether one may be there whose face is not seen.
    Thing(KindId, usize, bool),
    /// For each thing of a kind 0 or 1, and last how many others.
    Set(KindId, usize),
    /// Dice, one after the other.
    Dice,
    /// One of so many choices of the rules.
    Choice(usize),
}

impl Field {
    /// How many numbers.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// What stands where nothing is there, or it is not known.
    pub fn nothing(&self) -> i32 {
        self.holds.nothing()
    }
}

impl Holds {
    fn of(book: &Book, ty: Type) -> Option<Self> {
        let count = |kind: KindId| book.kind(kind).things.len();
        Some(match ty.base {
            Base::Flag | Base::Permission => Self::Flag,
            Base::Number(low, high) => Self::Number(low, high),
            Base::Thing(kind) => Self::Thing(kind, count(kind), may_hide(book, kind)),
            Base::Set(kind) => Self::Set(kind, count(kind)),
            Base::Dice => Self::Dice,
            Base::Die | Base::Text | Base::Point | Base::Numbers | Base::Nothing | Base::Unknown => {
                return None;
            }
        })
    }

    /// How many numbers one of it takes.
    fn width(self) -> usize {
        match self {
            Self::Flag | Self::Number(..) | Self::Thing(..) | Self::Choice(_) => 1,
            Self::Set(_, count) => count + 1,
            Self::Dice => MAX_DICE,
        }
    }

    /// What stands where nothing is there: a number that cannot be there otherwise.
    fn nothing(self) -> i32 {
        match self {
            Self::Number(low, _) if low < 0 => low.saturating_sub(1).max(i64::from(i32::MIN)) as i32,
            Self::Number(..)
            | Self::Flag
            | Self::Thing(..)
            | Self::Set(..)
            | Self::Dice
            | Self::Choice(_) => NOTHING,
        }
    }

    /// How many numbers of the flat vector one of it takes.
    fn flat(self) -> usize {
        match self {
            Self::Flag | Self::Number(..) => 2,
            Self::Thing(_, count, hides) => digits(count) + usize::from(hides),
            Self::Set(_, count) => count + 1,
            Self::Dice => MAX_DICE,
            Self::Choice(count) => digits(count),
        }
    }

    /// Writes numbers into a flat vector: all between -1 and 1, but for numbers without bounds.
    fn flatten(self, from: &[i32], into: &mut [f32]) {
        let each = self.flat() / self.width().max(1);
        if each == 0 {
            // A thing of a kind that has none, or a choice where nobody is ever asked: there is nothing to tell.
            return;
        }
        let own = from.iter().zip(into.chunks_exact_mut(each));
        match self {
            Self::Flag => own.for_each(|(&value, into)| {
                if value >= 0 {
                    into.copy_from_slice(&[value as f32, 1.0]);
                }
            }),
            Self::Number(low, high) => own.for_each(|(&value, into)| {
                if value != self.nothing() {
                    into.copy_from_slice(&[scaled(value, low, high), 1.0]);
                }
            }),
            Self::Thing(_, count, _) => own.for_each(|(&value, into)| {
                if value == HIDDEN {
                    if let Some(last) = into.last_mut() {
                        *last = 1.0;
                    }
                } else {
                    place(value, count, into);
                }
            }),
            Self::Choice(count) => own.for_each(|(&value, into)| place(value, count, into)),
            Self::Set(_, count) => {
                for (from, into) in from.chunks_exact(count + 1).zip(into.chunks_exact_mut(count + 1)) {
                    for (&value, into) in from.iter().zip(into.iter_mut()) {
                        *into = value.max(0) as f32;
                    }
                    into[count] /= count.max(1) as f32;
                }
            }
            Self::Dice => {
                for (&value, into) in from.iter().zip(into.iter_mut()) {
                    *into = value.max(0) as f32 / 10.0;
                }
            }
        }
    }
}

/// How many numbers tell one of so many.
fn digits(count: usize) -> usize {
    if count <= ONE_BY_ONE { count } else { (usize::BITS - count.leading_zeros()) as usize }
}

/// Writes which of so many it is; nothing of none.
fn place(value: i32, count: usize, into: &mut [f32]) {
    let Ok(value) = usize::try_from(value) else { return };
    if count <= ONE_BY_ONE {
        if let Some(one) = into.get_mut(value) {
            *one = 1.0;
        }
    } else {
        // From 1 on, so that the first is told from none.
        for (digit, into) in into.iter_mut().take(digits(count)).enumerate() {
            *into = ((value + 1) >> digit & 1) as f32;
        }
    }
}

/// A number between 0 and 1; one without bounds by its logarithm.
fn scaled(value: i32, low: i64, high: i64) -> f32 {
    let value = value as f32;
    if high.saturating_sub(low) < FAR {
        (value - low as f32) / (high - low).max(1) as f32
    } else {
        value.signum() * value.abs().ln_1p()
    }
}

/// Whether things of a kind may be told without their names.
pub fn may_hide(book: &Book, kind: KindId) -> bool {
    book.kind(kind).seen.is_some() && !book.kind(kind).name_on_back
}

impl Layout {
    /// For all games of a program.
    pub fn of(program: &Program) -> Self {
        let book = &program.book;
        let mut layout = Self {
            fields: Vec::new(),
            left_out: Vec::new(),
            ints: 0,
            floats: 0,
            seen: HashMap::new(),
            backs: HashMap::new(),
            faces: HashMap::new(),
            there: HashMap::new(),
            groups: book
                .kinds
                .iter()
                .map(|kind| kind.things.iter().map(|thing| thing.group).collect())
                .collect(),
            sizes: book.kinds.iter().map(|kind| kind.things.len()).collect(),
            keys: HashMap::new(),
        };
        let players = book.kind(book.player);
        let count = players.things.len();
        layout.add("_viewer".to_owned(), &[], Holds::Thing(book.player, count, false), book);
        layout.add("_deciders".to_owned(), &[book.player], Holds::Flag, book);
        layout.add("_choice".to_owned(), &[], Holds::Choice(program.choices.len()), book);
        let columns = || (0..).map(ColumnId).zip(&book.columns);
        for kind in (0..book.kinds.len() as u32).map(KindId) {
            let info = book.kind(kind);
            if info.things.is_empty() {
                continue;
            }
            if info.seen.is_some() {
                let field = layout.add(format!("{}._seen", info.name), &[kind], Holds::Flag, book);
                field.map(|field| layout.faces.insert(kind, field));
            }
            for (id, column) in columns() {
                if column.keys == [kind] && matches!(column.role, Role::State { .. }) {
                    let name = format!("{}.{}", info.name, column.name);
                    layout.add_column(name, id, &[kind], book, false);
                }
            }
            if may_hide(book, kind) {
                let name = format!("{}.back._there", info.name);
                let field = layout.add(name, &[kind], Holds::Flag, book);
                field.map(|field| layout.there.insert(kind, field));
                for &id in info.back.iter().filter(|&&id| book.column(id).keys == [kind]) {
                    let name = format!("{}.back.{}", info.name, book.column(id).name);
                    layout.add_column(name, id, &[kind], book, true);
                }
            }
        }
        for (id, column) in columns() {
            if column.keys.len() != 1 && matches!(column.role, Role::State { .. }) {
                // States of one name differ in the kinds of their keys.
                let kinds: Vec<&str> =
                    column.keys.iter().map(|&kind| book.kind(kind).name.as_str()).collect();
                let keys = if kinds.is_empty() { String::new() } else { format!("({})", kinds.join(", ")) };
                layout.add_column(format!("{}{keys}", column.name), id, &column.keys, book, false);
                layout.keys.insert(id, column.keys.clone());
            }
        }
        layout
    }

    fn add_column(&mut self, name: String, id: ColumnId, keys: &[KindId], book: &Book, back: bool) {
        let Some(holds) = Holds::of(book, book.column(id).ty) else {
            self.left_out.push((name, "it holds a text, a die or a place on the board"));
            return;
        };
        if let Some(field) = self.add(name, keys, holds, book) {
            if back { &mut self.backs } else { &mut self.seen }.insert(id, field);
        }
    }

    /// A field behind the others; nothing if it is too large.
    fn add(&mut self, name: String, keys: &[KindId], holds: Holds, book: &Book) -> Option<usize> {
        let mut shape: Vec<usize> = keys.iter().map(|&kind| book.kind(kind).things.len()).collect();
        let mut axes: Vec<String> = keys.iter().map(|&kind| book.kind(kind).name.clone()).collect();
        if shape.is_empty() {
            shape.push(1);
            axes.push(String::new());
        }
        match holds {
            Holds::Set(kind, _) => {
                shape.push(holds.width());
                axes.push(format!("{}, and how many others", book.kind(kind).name));
            }
            Holds::Dice => {
                shape.push(holds.width());
                axes.push("dice".to_owned());
            }
            Holds::Flag | Holds::Number(..) | Holds::Thing(..) | Holds::Choice(_) => {}
        }
        let len = shape.iter().try_fold(1_usize, |all, &size| all.checked_mul(size));
        let Some(len) = len.filter(|&len| len <= MOST) else {
            self.left_out.push((name, "it would be more than 1,048,576 numbers"));
            return None;
        };
        let field = Field { name, axes, shape, holds, at: self.ints, flat_at: self.floats };
        self.ints += len;
        self.floats += len / holds.width().max(1) * holds.flat();
        self.fields.push(field);
        Some(self.fields.len() - 1)
    }

    /// What somebody sees as numbers. `choice` is the place of the choice that he is asked, if he is.
    pub fn fill(&self, view: &View, choice: Option<usize>) -> Vec<i32> {
        let mut ints = vec![0; self.ints];
        for field in &self.fields {
            ints[field.at..field.at + field.len()].fill(field.nothing());
        }
        let (viewer, deciders, asked) = (&self.fields[0], &self.fields[1], &self.fields[2]);
        ints[viewer.at] = view.viewer.map_or(NOTHING, |viewer| viewer as i32);
        for player in 0..deciders.len() {
            ints[deciders.at + player] = i32::from(view.deciders.contains(&(player as u32)));
        }
        ints[asked.at] = choice.map_or(NOTHING, |choice| choice as i32);
        let about = self.about_alike(view);
        let mut rows = HashMap::new();
        for kind in &view.kinds {
            self.fill_kind(kind, &about, &mut rows, &mut ints);
        }
        self.fill_states(view, &rows, &mut ints);
        ints
    }

    /// Fills in the states without a key and with several.
    fn fill_states(&self, view: &View, rows: &Rows, ints: &mut [i32]) {
        // Where several keys have look-alikes nothing says which of the one belongs to which of the other: what is kept of
        // all of them stands in the order of what it is.
        let mut together = Together::new();
        for entry in &view.states {
            let (Some(&field), Some(kinds)) = (self.seen.get(&entry.column), self.keys.get(&entry.column))
            else {
                continue;
            };
            let keys = || kinds.iter().copied().zip(entry.keys.iter().copied());
            let row = |(kind, thing): (KindId, u32)| rows.get(&(kind, thing)).copied().unwrap_or(thing);
            let place = keys().fold(0, |place, key| place * self.sizes[key.0.0 as usize] + row(key) as usize);
            let alike: Vec<(KindId, u32)> = keys().filter(|&key| self.has_alike(key)).collect();
            if alike.len() > 1 || alike.iter().any(|key| !rows.contains_key(key)) {
                let groups = keys().map(|key| self.group(key)).collect();
                together.entry((field, groups)).or_default().push((place, &entry.value));
            } else {
                self.put(ints, field, place, &entry.value);
            }
        }
        for ((field, _), held) in together {
            let (mut places, mut values): (Vec<usize>, Vec<&Value>) = held.into_iter().unzip();
            places.sort_unstable();
            values.sort_by_cached_key(|value| self.in_group(value));
            for (place, value) in places.into_iter().zip(values) {
                self.put(ints, field, place, value);
            }
        }
    }

    /// What is kept of each thing that has look-alikes, together with other things, by which it may be told from them.
    fn about_alike(&self, view: &View) -> About {
        let mut about = About::new();
        for entry in &view.states {
            let Some(kinds) = self.keys.get(&entry.column) else { continue };
            let keys: Vec<(KindId, u32)> = kinds.iter().copied().zip(entry.keys.iter().copied()).collect();
            let groups: Vec<u32> = keys.iter().map(|&key| self.group(key)).collect();
            for &key in keys.iter().filter(|&&key| self.has_alike(key)) {
                let kept = (entry.column, groups.clone(), self.in_group(&entry.value));
                about.entry(key).or_default().push(kept);
            }
        }
        about.values_mut().for_each(|kept| kept.sort());
        about
    }

    /// The first of those that look like a thing.
    fn group(&self, (kind, thing): (KindId, u32)) -> u32 {
        self.groups[kind.0 as usize].get(thing as usize).copied().unwrap_or(thing)
    }

    /// Whether another thing looks like a thing.
    fn has_alike(&self, key: (KindId, u32)) -> bool {
        let (group, groups) = (self.group(key), &self.groups[key.0.0 as usize]);
        group != key.1 || groups.get(group as usize + 1) == Some(&group)
    }

    fn fill_kind(&self, kind: &KindView, about: &About, rows: &mut Rows, ints: &mut [i32]) {
        let groups = &self.groups[kind.kind.0 as usize];
        let faces = self.faces.get(&kind.kind);
        if let Some(&faces) = faces {
            let field = &self.fields[faces];
            ints[field.at..field.at + field.len()].fill(0);
        }
        let mut from = 0;
        while from < kind.seen.len() {
            // Which of several that look alike it is tells nothing: they are put in the order of what stands on them.
            let group = groups[kind.seen[from].thing as usize];
            let same = kind.seen[from..].iter().take_while(|thing| groups[thing.thing as usize] == group);
            let count = same.count();
            let mut alike: Vec<_> = kind.seen[from..from + count].iter().collect();
            if count > 1 {
                alike.sort_by_cached_key(|thing| {
                    (self.in_groups(&thing.states), about.get(&(kind.kind, thing.thing)))
                });
            }
            let alone = count == 1 && groups.get(group as usize + 1).is_none_or(|&next| next != group);
            for (place, thing) in alike.into_iter().enumerate() {
                let row = if alone { thing.thing as usize } else { group as usize + place };
                if !alone {
                    rows.insert((kind.kind, thing.thing), row as u32);
                }
                if let Some(&faces) = faces {
                    ints[self.fields[faces].at + row] = 1;
                }
                for (column, value) in &thing.states {
                    if let Some(&field) = self.seen.get(column) {
                        self.put(ints, field, row, value);
                    }
                }
            }
            from += count;
        }
        let Some(&there) = self.there.get(&kind.kind) else { return };
        let field = &self.fields[there];
        ints[field.at..field.at + field.len()].fill(0);
        for (row, back) in kind.backs.iter().enumerate() {
            ints[field.at + row] = 1;
            for (column, value) in back {
                if let Some(&field) = self.backs.get(column) {
                    self.put(ints, field, row, value);
                }
            }
        }
    }

    /// Values with each look-alike as the first of them, to be sorted by.
    fn in_groups(&self, states: &[(ColumnId, Value)]) -> Vec<(ColumnId, Value)> {
        states.iter().map(|(column, held)| (*column, self.in_group(held))).collect()
    }

    /// A value with a look-alike as the first of them.
    fn in_group(&self, value: &Value) -> Value {
        match value {
            Value::Thing(kind, thing) => Value::Thing(*kind, self.group((*kind, *thing))),
            Value::Set(kind, things, others) => {
                let mut groups: Vec<u32> = things.iter().map(|&thing| self.group((*kind, thing))).collect();
                groups.sort_unstable();
                Value::Set(*kind, groups, *others)
            }
            other @ (Value::Absent
            | Value::Flag(_)
            | Value::Number(_)
            | Value::Hidden(_)
            | Value::Dice(_)) => other.clone(),
        }
    }

    fn put(&self, ints: &mut [i32], field: usize, row: usize, value: &Value) {
        let field = &self.fields[field];
        let width = field.holds.width();
        let Some(into) = ints.get_mut(field.at + row * width..field.at + (row + 1) * width) else { return };
        match value {
            Value::Absent => {}
            Value::Flag(flag) => into[0] = i32::from(*flag),
            Value::Number(number) => {
                let least = i64::from(i32::MIN) + 1;
                into[0] = (*number).clamp(least, i64::from(i32::MAX)) as i32;
            }
            Value::Thing(kind, thing) => {
                into[0] =
                    self.groups[kind.0 as usize].get(*thing as usize).map_or(NOTHING, |&first| first as i32);
            }
            Value::Hidden(_) => into[0] = HIDDEN,
            Value::Set(kind, things, others) => {
                into.fill(0);
                // Of look-alikes the first of them is in it, as often as they are.
                for &thing in things {
                    if let Some(one) = self.groups[kind.0 as usize]
                        .get(thing as usize)
                        .and_then(|&first| into.get_mut(first as usize))
                    {
                        *one += 1;
                    }
                }
                if let Some(last) = into.last_mut() {
                    *last = *others as i32;
                }
            }
            Value::Dice(dice) => {
                for (into, &die) in into.iter_mut().zip(dice) {
                    *into = die.into();
                }
            }
        }
    }

    /// The same as one flat vector for a learner: see [`Holds`].
    pub fn flatten(&self, ints: &[i32], floats: &mut [f32]) {
        floats.fill(0.0);
        for field in &self.fields {
            let len = field.len();
            let flat = len / field.holds.width().max(1) * field.holds.flat();
            field
                .holds
                .flatten(&ints[field.at..field.at + len], &mut floats[field.flat_at..field.flat_at + flat]);
        }
    }
}
