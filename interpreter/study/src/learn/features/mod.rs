//! What can be known of a player in a position, as rules text: expressions made of a book's own declarations.
//!
//! Nothing of a game's words stands here. Names, owners and places come from the book: a piece is whatever has a state, a
//! fact or a rule that answers a player; a place is whatever links join, or a board draws at a point. Of the candidates
//! many will be nonsense, some not even sound; what cannot be checked is dropped later (`trial`), what tells
//! nothing is not chosen ([`super::fit`]).

mod names;
mod sets;

use std::collections::BTreeSet;

use blazon_book::{Base, Book, KindId, RuleId, Type};
use blazon_machine::bots::OUTLOOK;

use names::{label, variable};

/// The most candidates that are tried; the plainest come first.
const MOST: usize = 900;

/// What can be known of a player, as rules text about a variable of [`variable_of`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What it is called on the page, as the label of a clause.
    pub label: String,
    /// The expression.
    pub text: String,
    /// Whether it is a condition, not a number.
    pub is_condition: bool,
}

impl Feature {
    /// How hard it is to read: of two that tell the same the plainer one is kept. A rule of the page says in one word what
    /// would have to be spelled out.
    pub fn burden(&self) -> usize {
        let signs = self.text.chars().filter(|c| !c.is_alphanumeric() && *c != ' ').count();
        self.text.split_whitespace().count() + 2 * signs
    }
}

/// The variable that stands for the player whom an outlook judges.
pub fn variable_of(book: &Book) -> String {
    variable(&book.kind(book.player).name, &[])
}

/// All candidates of a book, the plainest first.
pub fn candidates(book: &Book) -> Vec<Feature> {
    let mut found = Found { book, me: variable_of(book), features: Vec::new(), texts: BTreeSet::new() };
    found.of_player();
    found.of_table();
    found.of_sets();
    let mut features = found.features;
    // What is printed and kept comes before what is worked out of it.
    features.sort_by_key(Feature::burden);
    features.truncate(MOST);
    features
}

/// What was found so far.
struct Found<'a> {
    book: &'a Book,
    /// The player's variable.
    me: String,
    features: Vec<Feature>,
    texts: BTreeSet<String>,
}

/// Something that is asked of things by a name: a fact, a state or a rule.
#[derive(Clone, Copy, Debug)]
struct Asked<'a> {
    name: &'a str,
    ty: Type,
    /// Whether it is kept or worked out, and may so differ from one position to the next.
    moves: bool,
    /// Whether it is a rule.
    is_rule: bool,
}

impl Found<'_> {
    fn add(&mut self, label_words: &[&str], text: String, is_condition: bool) {
        if self.texts.insert(text.clone()) {
            self.features.push(Feature { label: label(label_words), text, is_condition });
        }
    }

    /// What is asked of things of these kinds, in this order.
    fn asked_of(&self, keys: &[KindId]) -> Vec<Asked<'_>> {
        let book: &Book = self.book;
        let mut asked = Vec::new();
        for column in &book.columns {
            if column.keys == keys && names::is_name(&column.name) {
                let moves = matches!(column.role, blazon_book::Role::State { .. });
                asked.push(Asked { name: &column.name, ty: column.ty, moves, is_rule: false });
            }
        }
        for (place, rule) in book.rules.iter().enumerate() {
            let params: Vec<Option<KindId>> =
                rule.locals.iter().take(rule.params).map(|local| local.ty.base.thing()).collect();
            let fits =
                params.len() == keys.len() && params.iter().zip(keys).all(|(a, b)| a.as_ref() == Some(b));
            if fits && self.is_usable(RuleId(place as u32)) {
                asked.push(Asked { name: &rule.name, ty: rule.ty, moves: true, is_rule: true });
            }
        }
        asked
    }

    /// Whether a rule is one of the page, not one that the checker made, and not what is to be learned.
    fn is_usable(&self, id: RuleId) -> bool {
        let rule = self.book.rule(id);
        names::is_name(&rule.name)
            && rule.name != OUTLOOK
            && self.book.chooser != Some(id)
            && self.book.counter != Some(id)
            && !self.book.questions.contains(&id)
            && !self.book.invariants.iter().any(|invariant| invariant.rule == id)
            && !self
                .book
                .kinds
                .iter()
                .any(|kind| kind.seen.as_ref().is_some_and(|seen| seen.rule == Some(id)))
    }

    /// What is asked of the player himself: tracks, treasuries, whatever the rules count for him.
    fn of_player(&mut self) {
        let me = self.me.clone();
        let asked: Vec<(String, Type)> = self
            .asked_of(&[self.book.player])
            .into_iter()
            .filter(|asked| asked.moves)
            .map(|asked| (asked.name.to_owned(), asked.ty))
            .collect();
        for (name, ty) in asked {
            match ty.base {
                Base::Number(..) if !ty.optional => self.add(&[&name], format!("{me}.{name}"), false),
                Base::Flag | Base::Permission => self.add(&[&name], format!("{me}.{name}"), true),
                Base::Thing(kind) if ty.optional && kind != self.book.player => {
                    self.add(&[&name], format!("any {me}.{name}"), true);
                }
                Base::Thing(kind) => self.each_value(&name, &format!("{me}.{name}"), kind),
                Base::Set(_)
                | Base::Number(..)
                | Base::Dice
                | Base::Die
                | Base::Text
                | Base::Point
                | Base::Numbers
                | Base::Nothing
                | Base::Unknown => {}
            }
        }
    }

    /// What lies on the table for all, and whether it is the player, or of him.
    fn of_table(&mut self) {
        let me = self.me.clone();
        let asked: Vec<(String, KindId)> = self
            .asked_of(&[])
            .into_iter()
            .filter(|asked| asked.moves)
            .filter_map(|asked| Some((asked.name.to_owned(), asked.ty.base.thing()?)))
            .collect();
        for (name, kind) in asked {
            if kind == self.book.player {
                self.add(&[&name], format!("{name} = {me}"), true);
                continue;
            }
            let owners: Vec<String> = self.owners(kind).iter().map(|owner| owner.name.to_owned()).collect();
            for owner in owners {
                self.add(&[&name, &owner], format!("{name}.{owner} = {me}"), true);
            }
        }
    }

    /// A condition for each value of something that has few.
    fn each_value(&mut self, name: &str, text: &str, kind: KindId) {
        for value in self.values_of(kind) {
            self.add(&[name, &value], format!("{text} = {}", names::thing(&value)), true);
        }
    }

    /// The things of a kind, if they are few enough to be told apart one by one.
    fn values_of(&self, kind: KindId) -> Vec<String> {
        /// A kind of more things is no list of values.
        const FEW: usize = 8;
        let things = &self.book.kind(kind).things;
        let few = kind != self.book.player && (2..=FEW).contains(&things.len());
        let printed = things.iter().filter(|thing| few && thing.ends.is_none());
        printed.map(|thing| thing.name.clone()).collect()
    }

    /// What says to whom a thing of a kind belongs.
    fn owners(&self, kind: KindId) -> Vec<Asked<'_>> {
        let mut owners = self.asked_of(&[kind]);
        owners.retain(|asked| asked.ty.base == Base::Thing(self.book.player));
        owners
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blazon::{Rules, Selection};

    const PAGE: &str = "
kind side = North, South { state coins: 0..9; state crowned: flag }
kind state of mind (moods) = Calm, Angry
kind town { fact gold: 0..3 = 1; state flies: side? }
table town
  | name | gold |
  | Ash  | 2    |
  | Elm  |      |
kind road = town - town
links road
  Ash - Elm
kind man (men) = Tom, Jim, Bob {
  fact  wage  : 1..4 = 2
  state lord  : side
  state at    : town?
  state mood  : state of mind = Calm
  state tired : flag
}
state throne: side
rule band(s: side): set of man = all m in men where m.lord = s and any m.at
rule rich(s: side): flag = s.coins > 5
rule guarded(t: town, s: side): flag = any m in s.band where m.at = t
setup Start (man: lord, at) { North { Tom, Jim: Ash }; South { Bob: Elm }; throne := North }
step game {
  for s in sides {
    choose by s \"?\" {
      option wait \"Wait\" {
        s.coins += 1
        s.crowned := s.rich
        Bob.tired := any s.band
        Ash.flies := s
        if Ash.guarded(s) { Bob.mood := Angry; throne := s; Bob.at := Elm }
      }
    }
  }
  win(North)
}
";

    fn texts() -> Vec<String> {
        let manifest = r#"Game(name: "T", player: "side", begins: "game")"#;
        let program = Rules::from_texts([("blazon.ron", manifest), ("t.blazon", PAGE)])
            .program(&Selection::default())
            .unwrap_or_else(|error| panic!("{error}"));
        candidates(&program.book).into_iter().map(|feature| feature.text).collect()
    }

    #[test]
    fn declarations_give_what_can_be_known() {
        let texts = texts();
        for text in [
            "s.coins",
            "s.crowned",
            "s.rich",
            "throne = s",
            "count s.band",
            "total m in s.band by m.wage",
            "count m in s.band where m.tired",
            "count m in s.band where m.mood = Angry",
            "count m in men where m.lord = s",
            "count m in men where m.lord = s and any m.at",
            "count t in towns where t.flies = s",
            "total t in towns where t.flies = s by t.gold",
            "count t in towns where t.guarded(s)",
            "count s.band.at",
            "total t in s.band.at by t.gold",
        ] {
            assert!(texts.iter().any(|other| other == text), "{text} is not among\n{}", texts.join("\n"));
        }
    }

    #[test]
    fn nothing_comes_twice() {
        let mut texts = texts();
        let count = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), count);
    }
}
