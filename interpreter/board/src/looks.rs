//! What the board shows of a game: which things are places, pieces and cards, what stands on their faces.
//!
//! It is guessed from the declarations that a game has anyhow, so that a game that says nothing about its looks has a
//! board; what the rules say by `look` goes before that. Only names of facts and states stand here: what is drawn is read from what a seat may see, never worked
//! out from the position.

use std::collections::{BTreeMap, BTreeSet};

use blazon::book::{Base, Book, ColumnId, Constant, ExprKind, KindId, Part, Role, Says};
use blazon::present::{set_when_taken_off, whose};

use crate::layout::Plan;
use crate::signs::{COLOURS, Ground, Line, Sort, TINCTURES, colour_of, glyph_of, tincture_of};

/// What the board shows of a game.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    /// The kind of places, in a game that has any.
    pub place: Option<KindId>,
    /// The kind of links that join them.
    pub links: Option<KindId>,
    /// The tinctures of the players, by their places in their kind.
    pub tinctures: Vec<&'static str>,
    /// The kinds that stand on places.
    pub pieces: Vec<PieceLook>,
    /// The kinds that are held in hands.
    pub cards: Vec<CardLook>,
    /// The facts of places that are drawn as a glyph beside the name.
    pub marks: Vec<(ColumnId, &'static str)>,
    /// The fact of a place that says whose home it is.
    pub owner: Option<ColumnId>,
    /// The fact of a place that says what ground it is.
    pub ground: Option<ColumnId>,
    /// The fact that many places share.
    pub region: Option<ColumnId>,
    /// The fact that says where a place is drawn.
    pub point: Option<ColumnId>,
    /// The fact or flags of a link by which links differ.
    pub line: Option<ColumnId>,
    /// The states that are told nowhere, since the rules say so.
    pub untold: BTreeSet<ColumnId>,
    /// The looks of parts that nothing has, by their places in the book.
    astray: Vec<usize>,
    /// Signs that the rules ask for, by the word that they draw.
    signs: BTreeMap<String, Option<&'static str>>,
}

/// A kind of things that stand on places.
#[derive(Clone, Debug)]
pub struct PieceLook {
    /// The kind.
    pub kind: KindId,
    /// The state or fact that says where one stands.
    pub at: ColumnId,
    /// Whether it never moves.
    pub fixed: bool,
    /// The state or fact that says whose it is.
    pub side: Option<ColumnId>,
    /// The state and the fact that say how many steps are left of how many.
    pub pips: Option<(ColumnId, ColumnId)>,
    /// The fact that stands in the corner.
    pub corner: Option<ColumnId>,
    /// The state of two keys that counts what goes with it.
    pub counts: Option<ColumnId>,
    /// The fact whose word is drawn as a glyph.
    pub glyph: Option<ColumnId>,
    /// The flag of a fact that is drawn as a badge, and its glyph.
    pub badge: Option<(ColumnId, &'static str)>,
    /// The flag of those who stand aside where something goes on.
    pub aside: Option<ColumnId>,
    /// The flag of those who have acted.
    pub spent: Option<ColumnId>,
    /// The state that says in which box one lies that is nowhere: set where its place is taken from it.
    pub elsewhere: Option<ColumnId>,
}

/// A kind of things that are held in hands.
#[derive(Clone, Debug)]
pub struct CardLook {
    /// The kind.
    pub kind: KindId,
    /// The state that says in whose hand it is.
    pub hand: ColumnId,
    /// Its value: a fact.
    pub value: Option<ColumnId>,
    /// The flag of a fact that sets some of them apart.
    pub special: Option<ColumnId>,
    /// Other states that say before whom it lies.
    pub before: Vec<ColumnId>,
}

impl Looks {
    /// What the declarations of a game say.
    pub fn of(book: &Book) -> Self {
        let (place, links) = places(book);
        let signs = book.looks.iter().filter_map(|look| match &look.says {
            Says::Sign(word, sign) => Some((word.clone(), *sign)),
            Says::Part(..) | Says::Display(..) => None,
        });
        let mut looks = Self {
            signs: signs.collect(),
            place,
            links,
            tinctures: tinctures(book.kind(book.player).things.iter().map(|thing| thing.name.as_str())),
            ..Self::default()
        };
        if let Some(place) = place {
            looks.facts_of_places(book, place);
        }
        if let Some(links) = links {
            looks.line = facts(book, links).find(|&column| thing(book, column).is_some());
        }
        for kind in (0..book.kinds.len() as u32).map(KindId) {
            if Some(kind) == place || kind == book.player || book.kind(kind).ends.is_some() {
                continue;
            }
            if let Some(piece) = PieceLook::of(book, kind, place, &|word| looks.glyph(word)) {
                looks.pieces.push(piece);
            } else if let Some(card) = CardLook::of(book, kind) {
                looks.cards.push(card);
            }
        }
        looks.untold = untold(book);
        looks.say(book);
        looks
    }

    /// What the rules say by `look`.
    fn say(&mut self, book: &Book) {
        for (side, thing) in book.kind(book.player).things.iter().enumerate() {
            if let Some(tincture) = self.signs.get(&thing.name).copied().flatten().and_then(tincture_of) {
                self.tinctures[side] = tincture;
            }
        }
        for (place, look) in book.looks.iter().enumerate() {
            if let Says::Part(kind, part, columns) = &look.says
                && !self.say_part(book, *kind, *part, columns)
            {
                self.astray.push(place);
            }
        }
        let (untold, cards) = (&self.untold, &mut self.cards);
        for card in cards {
            card.before.retain(|column| !untold.contains(column));
        }
    }

    /// The looks of the rules that draw nothing on a board that is laid out so, by their places in the book; those of
    /// displays aside.
    pub fn idle(&self, book: &Book, plan: Plan) -> Vec<usize> {
        let is_idle = |place: usize, says: &Says| match says {
            Says::Part(_, part, columns) => {
                self.astray.contains(&place) || !columns.is_empty() && !plan.draws(*part)
            }
            Says::Sign(word, Some(sign)) => {
                !self.drawn_by(book, word, plan).iter().any(|drawn| drawn.is(sign))
            }
            Says::Sign(word, None) => self.is_drawn_anyhow(book, word) || self.bears_no_sign(book, word),
            Says::Display(..) => false,
        };
        let looks = book.looks.iter().enumerate();
        looks.filter(|(place, look)| is_idle(*place, &look.says)).map(|(place, _)| place).collect()
    }

    /// Whether a word is that of states alone, each of which is drawn as a part of its kind.
    pub fn is_drawn_anyhow(&self, book: &Book, word: &str) -> bool {
        let columns = || (0..book.columns.len() as u32).map(ColumnId);
        let mut named = columns().filter(|&column| book.column(column).name == word).peekable();
        let is_drawn = |column: ColumnId| {
            let kind = book.column(column).keys.first();
            self.untold.contains(&column) && kind.is_some_and(|&kind| self.parts(kind).contains(&column))
        };
        named.peek().is_some() && named.all(is_drawn)
    }

    /// Whether nothing is taken away by drawing a word without a sign: it has none by itself, and no state is called so.
    pub fn bears_no_sign(&self, book: &Book, word: &str) -> bool {
        let is_sign = glyph_of(word).is_some()
            || Ground::of(word).is_some()
            || Line::of(word).is_some()
            || colour_of(word).is_some();
        let is_player = book.kind(book.player).things.iter().any(|thing| thing.name == word);
        !is_sign && !is_player && !self.untold.iter().any(|&column| book.column(column).name == word)
    }

    /// The states and facts that are drawn as parts of a kind.
    pub fn parts(&self, kind: KindId) -> Vec<ColumnId> {
        let mut columns = Vec::new();
        if let Some(look) = self.piece(kind) {
            columns.push(look.at);
            columns.extend(look.side);
            columns.extend(look.pips.map(|(left, _)| left));
            columns.extend(look.elsewhere);
            columns.extend(look.corner);
        }
        for card in self.cards.iter().filter(|card| card.kind == kind) {
            columns.push(card.hand);
            columns.extend(&card.before);
        }
        columns
    }

    /// By which sorts of signs a board that is laid out so draws what bears a word.
    pub fn drawn_by(&self, book: &Book, word: &str, plan: Plan) -> Vec<Sort> {
        let named = |column: ColumnId| book.column(column).name == word;
        let is_thing = |kind: KindId| book.kind(kind).things.iter().any(|thing| thing.name == word);
        let among = |column: ColumnId| thing(book, column).is_some_and(is_thing);
        let has_glyph = |piece: &PieceLook| {
            book.kind(piece.kind).name == word
                || piece.glyph.is_some_and(among)
                || piece.badge.is_some_and(|(badge, _)| named(badge))
        };
        let mut facts_of_links = self.links.iter().flat_map(|&links| facts(book, links));
        let on_grid = plan == Plan::Grid;
        [
            (Sort::Tincture, is_thing(book.player)),
            (
                Sort::Glyph,
                plan.draws(Part::Marks) && self.marks.iter().any(|(mark, _)| named(*mark))
                    || self.pieces.iter().any(has_glyph),
            ),
            (Sort::Ground, on_grid && self.ground.is_some_and(among)),
            (Sort::Line, on_grid && facts_of_links.any(named)),
            (Sort::Colour, plan.draws(Part::Line) && self.line.is_some_and(among)),
        ]
        .into_iter()
        .filter_map(|(sort, is_drawn)| is_drawn.then_some(sort))
        .collect()
    }

    /// What the rules say of a part of a kind; false if nothing of that kind is drawn that has such a part.
    fn say_part(&mut self, book: &Book, kind: KindId, part: Part, columns: &[ColumnId]) -> bool {
        let first = columns.first().copied();
        let glyph = |column: ColumnId| self.glyph(&book.column(column).name).unwrap_or("star");
        let badge = first.map(|badge| (badge, glyph(badge)));
        let marks = columns.iter().map(|&column| (column, glyph(column))).collect();
        let piece = self.pieces.iter_mut().find(|piece| piece.kind == kind);
        let card = self.cards.iter_mut().find(|card| card.kind == kind);
        let is_place = self.place == Some(kind);
        let set = |slot: Option<&mut Option<ColumnId>>| slot.map(|slot| *slot = first).is_some();
        match part {
            Part::At => match (piece, first) {
                (Some(piece), Some(at)) => {
                    (piece.at, piece.fixed) = (at, !is_state(&book.column(at).role));
                    true
                }
                _ => false,
            },
            Part::Side => set(piece.map(|piece| &mut piece.side)),
            Part::Pips => piece.map(|piece| piece.pips = first.zip(columns.get(1).copied())).is_some(),
            Part::Corner => set(piece.map(|piece| &mut piece.corner)),
            Part::Counts => set(piece.map(|piece| &mut piece.counts)),
            Part::Glyph => set(piece.map(|piece| &mut piece.glyph)),
            Part::Badge => piece.map(|piece| piece.badge = badge).is_some(),
            Part::Aside => set(piece.map(|piece| &mut piece.aside)),
            Part::Spent => set(piece.map(|piece| &mut piece.spent)),
            Part::Box => set(piece.map(|piece| &mut piece.elsewhere)),
            Part::Hand => card.zip(first).map(|(card, hand)| card.hand = hand).is_some(),
            Part::Value => set(card.map(|card| &mut card.value)),
            Part::Marks => is_place.then(|| self.marks = marks).is_some(),
            Part::Home => set(is_place.then_some(&mut self.owner)),
            Part::Ground => set(is_place.then_some(&mut self.ground)),
            Part::Region => set(is_place.then_some(&mut self.region)),
            Part::Point => set(is_place.then_some(&mut self.point)),
            Part::Line => set((self.links == Some(kind)).then_some(&mut self.line)),
        }
    }

    /// The glyph of a word: as the rules say, or as the word says by itself.
    pub fn glyph(&self, word: &str) -> Option<&'static str> {
        match self.signs.get(word) {
            Some(sign) => *sign,
            None => glyph_of(word),
        }
    }

    /// The glyph of a word, or, where nothing says what it bears, of another.
    pub fn glyph_or(&self, word: &str, other: &str) -> Option<&'static str> {
        match self.signs.get(word) {
            Some(sign) => *sign,
            None => glyph_of(word).or_else(|| self.glyph(other)),
        }
    }

    /// The ground of a word, likewise.
    pub fn ground_of(&self, word: &str) -> Option<Ground> {
        match self.signs.get(word) {
            Some(sign) => sign.and_then(Ground::of),
            None => Ground::of(word),
        }
    }

    /// The line of a word, likewise.
    pub fn line_of(&self, word: &str) -> Option<Line> {
        match self.signs.get(word) {
            Some(sign) => sign.and_then(Line::of),
            None => Line::of(word),
        }
    }

    /// The colour of a link's word, likewise.
    pub fn colour(&self, word: &str) -> Option<&'static str> {
        match self.signs.get(word) {
            Some(sign) => sign.filter(|sign| COLOURS.contains(sign)),
            None => colour_of(word),
        }
    }

    fn facts_of_places(&mut self, book: &Book, place: KindId) {
        let count = book.kind(place).things.len();
        for column in facts(book, place) {
            let of = book.column(column);
            let words = thing(book, column).map(|kind| &book.kind(kind).things);
            let distinct = distinct(book, column);
            if matches!(of.ty.base, Base::Point) {
                self.point = self.point.or(Some(column));
            } else if let Some(glyph) = self.glyph(&of.name) {
                self.marks.push((column, glyph));
            } else if of.ty.base == Base::Thing(book.player) {
                self.owner = self.owner.or(Some(column));
            } else if words.is_some_and(|words| words.iter().any(|word| self.ground_of(&word.name).is_some()))
            {
                self.ground = self.ground.or(Some(column));
            } else if words.is_some() && distinct > 1 && distinct * 8 < count {
                self.region = self.region.or(Some(column));
            }
        }
    }

    /// The look of a kind of pieces.
    pub fn piece(&self, kind: KindId) -> Option<&PieceLook> {
        self.pieces.iter().find(|piece| piece.kind == kind)
    }

    /// Whether a kind is held in hands.
    pub fn is_card(&self, kind: KindId) -> bool {
        self.cards.iter().any(|card| card.kind == kind)
    }

    /// The tincture of a side; of nobody, `none`.
    pub fn tincture(&self, side: Option<u32>) -> &'static str {
        side.and_then(|side| self.tinctures.get(side as usize)).copied().unwrap_or("none")
    }
}

/// The states of which the rules say that they bear no sign: what keeps the books, and is nothing to look at.
fn untold(book: &Book) -> BTreeSet<ColumnId> {
    let is_untold = |name: &str| {
        book.looks.iter().any(|look| matches!(&look.says, Says::Sign(word, None) if word == name))
    };
    let columns = (0..book.columns.len() as u32).map(ColumnId);
    let states = columns.filter(|&column| is_state(&book.column(column).role));
    states.filter(|&column| is_untold(&book.column(column).name)).collect()
}

/// The kind of places, and that of the links between them: what a grid lays out, or else what links join, or else what
/// has a point to be drawn at.
fn places(book: &Book) -> (Option<KindId>, Option<KindId>) {
    if let Some(grid) = book.grids.first() {
        return (Some(grid.things), Some(grid.links));
    }
    let kinds = (0..book.kinds.len() as u32).map(KindId);
    let linked =
        kinds.clone().find(|&kind| book.kind(kind).ends.is_some() && !book.kind(kind).things.is_empty());
    if let Some(links) = linked {
        return (book.kind(links).ends.map(|(place, _)| place), Some(links));
    }
    let drawn = kinds
        .clone()
        .find(|&kind| facts(book, kind).any(|column| book.column(column).ty.base == Base::Point));
    (drawn, None)
}

impl PieceLook {
    fn of(
        book: &Book,
        kind: KindId,
        place: Option<KindId>,
        glyph_of: &dyn Fn(&str) -> Option<&'static str>,
    ) -> Option<Self> {
        let place = place?;
        let at_place = |&column: &ColumnId| thing(book, column) == Some(place);
        let state = states(book, kind).find(|column| at_place(column) && book.column(*column).name == "at");
        let state = state.or_else(|| states(book, kind).find(at_place));
        let called = &book.kind(place).name;
        let fact =
            || facts(book, kind).find(|column| at_place(column) && book.column(*column).name == *called);
        let (at, fixed) = match state {
            Some(state) => (state, false),
            None => (fact()?, true),
        };
        let side = whose(book, kind);
        let glyph = facts(book, kind).find(|&column| {
            let words = thing(book, column).map(|kind| &book.kind(kind).things);
            words.is_some_and(|words| words.iter().any(|word| glyph_of(&word.name).is_some()))
        });
        let badge = facts(book, kind).find_map(|column| {
            let of = book.column(column);
            (of.ty.base == Base::Flag).then(|| glyph_of(&of.name)).flatten().map(|glyph| (column, glyph))
        });
        let lost = set_when_taken_off(book, at);
        Some(Self {
            kind,
            at,
            fixed,
            side,
            pips: states(book, kind).find_map(|column| Some((column, begins_as(book, kind, column)?))),
            corner: facts(book, kind).find(|&column| {
                let words = thing(book, column).filter(|&of| of != book.player && of != place);
                words.is_some_and(|of| {
                    let things = &book.kind(of).things;
                    !things.is_empty() && things.iter().all(|thing| thing.name.chars().count() <= 3)
                })
            }),
            counts: book
                .columns
                .iter()
                .position(|column| {
                    let number = matches!(column.ty.base, Base::Number(..));
                    number
                        && is_state(&column.role)
                        && column.keys.len() == 2
                        && column.keys.first() == Some(&kind)
                })
                .map(|place| ColumnId(place as u32)),
            glyph,
            badge,
            aside: None,
            spent: None,
            elsewhere: states(book, kind).filter(|column| lost.contains(column)).find(|&column| {
                let of = thing(book, column).filter(|&of| of != book.player && of != place && of != kind);
                of.is_some_and(|of| facts(book, of).next().is_none() && book.kind(of).things.len() <= 12)
            }),
        })
    }
}

impl CardLook {
    fn of(book: &Book, kind: KindId) -> Option<Self> {
        book.kind(kind).seen.as_ref()?;
        let of_player = |&column: &ColumnId| thing(book, column) == Some(book.player);
        let mut held = states(book, kind).filter(of_player);
        let hand = states(book, kind).find(|column| of_player(column) && book.column(*column).name == "hand");
        let hand = hand.or_else(|| held.next())?;
        let number = |&column: &ColumnId| matches!(book.column(column).ty.base, Base::Number(..));
        Some(Self {
            kind,
            hand,
            value: facts(book, kind).find(number),
            special: facts(book, kind).find(|&column| book.column(column).ty.base == Base::Flag),
            before: states(book, kind).filter(|&column| of_player(&column) && column != hand).collect(),
        })
    }
}

/// The fact of the same thing that a number begins as.
fn begins_as(book: &Book, kind: KindId, column: ColumnId) -> Option<ColumnId> {
    let of = book.column(column);
    let Role::State { start: Some(start), .. } = &of.role else { return None };
    match (&of.ty.base, &start.value.kind) {
        (Base::Number(..), ExprKind::Column(fact, _)) if book.column(*fact).keys == [kind] => Some(*fact),
        _ => None,
    }
}

/// The facts asked of one thing of a kind.
pub(crate) fn facts(book: &Book, kind: KindId) -> impl Iterator<Item = ColumnId> + '_ {
    columns(book, kind).filter(|&column| !is_state(&book.column(column).role))
}

/// The states asked of one thing of a kind.
pub(crate) fn states(book: &Book, kind: KindId) -> impl Iterator<Item = ColumnId> + '_ {
    columns(book, kind).filter(|&column| is_state(&book.column(column).role))
}

fn columns(book: &Book, kind: KindId) -> impl Iterator<Item = ColumnId> + '_ {
    (0..book.columns.len() as u32).map(ColumnId).filter(move |&column| book.column(column).keys == [kind])
}

pub(crate) fn is_state(role: &Role) -> bool {
    match role {
        Role::State { .. } => true,
        Role::Fact(_) => false,
    }
}

/// The kind of the thing that a column holds.
pub(crate) fn thing(book: &Book, column: ColumnId) -> Option<KindId> {
    book.column(column).ty.base.thing()
}

/// The tinctures of players: who is the first to be called by a colour has it, the others have what is left, in order.
fn tinctures<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'static str> {
    let mut said: Vec<Option<&'static str>> = Vec::new();
    for name in names {
        let called = name.split_whitespace().find_map(|word| tincture_of(&word.to_lowercase()));
        said.push(called.filter(|_| !said.contains(&called)));
    }
    let free: Vec<&'static str> =
        TINCTURES.into_iter().filter(|tincture| !said.contains(&Some(tincture))).collect();
    // With more players than tinctures some look alike.
    let mut left = free.iter().chain(&TINCTURES).copied().cycle();
    said.into_iter().map(|said| said.or_else(|| left.next()).unwrap_or(TINCTURES[0])).collect()
}

/// The printed value of a thing.
pub(crate) fn printed(book: &Book, column: ColumnId, thing: u32) -> Option<&Constant> {
    match &book.column(column).role {
        Role::Fact(values) => values.get(thing as usize).filter(|value| **value != Constant::Absent),
        Role::State { .. } => None,
    }
}

/// The printed number, flag or thing of a thing.
pub(crate) fn word(book: &Book, column: ColumnId, thing: u32) -> Option<i64> {
    match printed(book, column, thing)? {
        Constant::Word(word) => Some(*word),
        Constant::Absent | Constant::Set(_) | Constant::Text(_) | Constant::Point(..) => None,
    }
}

/// The name of the thing that is printed for a thing.
pub(crate) fn printed_name(book: &Book, column: ColumnId, of: u32) -> Option<&str> {
    let kind = thing(book, column)?;
    let word = usize::try_from(word(book, column, of)?).ok()?;
    book.kind(kind).things.get(word).map(|thing| thing.name.as_str())
}

/// How many values a fact has.
fn distinct(book: &Book, column: ColumnId) -> usize {
    let Role::Fact(values) = &book.column(column).role else { return 0 };
    let mut words: Vec<i64> = values
        .iter()
        .filter_map(|value| if let Constant::Word(word) = value { Some(*word) } else { None })
        .collect();
    words.sort_unstable();
    words.dedup();
    words.len()
}

#[cfg(test)]
mod tests {
    use super::tinctures;

    #[test]
    fn who_is_called_by_a_colour_has_it() {
        assert_eq!(tinctures(["North", "South"].into_iter()), ["azure", "gules"]);
        assert_eq!(tinctures(["Red", "Blue"].into_iter()), ["gules", "azure"]);
        assert_eq!(tinctures(["Red Guards", "Union", "Red Army"].into_iter()), ["gules", "azure", "or"]);
        let many = tinctures(["A", "B", "C", "D", "E", "F", "G", "H", "Blue"].into_iter());
        assert_eq!((many[0], many[8]), ("gules", "azure"));
    }
}
