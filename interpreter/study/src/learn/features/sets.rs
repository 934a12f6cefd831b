//! What can be known of the things that are a player's: how many there are, of which sort, what they come to, and the
//! places that they stand in.

use blazon_book::{Base, KindId, KindOrigin};

use super::names::{self, variable};
use super::{Asked, Found};

/// Things of one kind that are the player's.
struct Own {
    kind: KindId,
    /// What they are called.
    label: String,
    /// The set that they are taken from: a kind's plural, or a rule.
    source: String,
    /// Which of it they are; all, if empty.
    condition: String,
    /// The same set for his enemies, if that can be said.
    others: Option<String>,
    /// Whether all is asked of them, or only how many there are.
    in_full: bool,
}

/// What is asked of a thing, without the borrow of the book.
struct Told {
    name: String,
    base: Base,
    optional: bool,
    moves: bool,
    is_rule: bool,
}

impl From<Asked<'_>> for Told {
    fn from(asked: Asked<'_>) -> Self {
        let Asked { name, ty, moves, is_rule } = asked;
        Self { name: name.to_owned(), base: ty.base, optional: ty.optional, moves, is_rule }
    }
}

impl Own {
    /// The set as one value.
    fn whole(&self, variable: &str) -> String {
        match self.condition.is_empty() {
            true => self.source.clone(),
            false => format!("(all {variable} in {} where {})", self.source, self.condition),
        }
    }

    /// A query about it, with a condition more if there is one.
    fn query(&self, word: &str, variable: &str, more: &str) -> String {
        let conditions: Vec<&str> =
            [self.condition.as_str(), more].into_iter().filter(|text| !text.is_empty()).collect();
        match conditions.is_empty() {
            true if word == "count" => format!("count {}", self.source),
            true => format!("{word} {variable} in {}", self.source),
            false => format!("{word} {variable} in {} where {}", self.source, conditions.join(" and ")),
        }
    }
}

impl Found<'_> {
    pub(super) fn of_sets(&mut self) {
        let mut sets = Vec::new();
        for place in 0..self.book.kinds.len() {
            let kind = KindId(place as u32);
            if kind != self.book.player && self.book.kind(kind).origin == KindOrigin::Declared {
                self.own(kind, &mut sets);
            }
        }
        for asked in self.asked_of(&[self.book.player]) {
            if let Base::Set(kind) = asked.ty.base {
                sets.push(Own {
                    kind,
                    label: asked.name.to_owned(),
                    source: format!("{}.{}", self.me, asked.name),
                    condition: String::new(),
                    others: None,
                    in_full: true,
                });
            }
        }
        for own in sets {
            self.of_set(&own);
        }
    }

    fn told_of(&self, keys: &[KindId]) -> Vec<Told> {
        self.asked_of(keys).into_iter().map(Told::from).collect()
    }

    /// The sets of things of a kind that are the player's.
    fn own(&self, kind: KindId, sets: &mut Vec<Own>) {
        let me = &self.me;
        let plural = &self.book.kind(kind).plural;
        if !names::is_name(plural) {
            return;
        }
        let it = variable(&self.book.kind(kind).name, &[me]);
        let owners: Vec<Told> = self.owners(kind).into_iter().map(Told::from).collect();
        let many = owners.len() > 1;
        for owner in &owners {
            let name = &owner.name;
            let of_others = match owner.optional {
                true => format!("any {it}.{name} and {it}.{name} != {me}"),
                false => format!("{it}.{name} != {me}"),
            };
            let label = if many { format!("{plural} {name}") } else { plural.clone() };
            let base = Own {
                kind,
                label: label.clone(),
                source: plural.clone(),
                condition: format!("{it}.{name} = {me}"),
                others: Some(format!("(all {it} in {plural} where {of_others})")),
                in_full: owner.moves,
            };
            let mut narrowed = |label: String, more: &str, in_full| {
                sets.push(Own {
                    kind,
                    label,
                    source: base.source.clone(),
                    condition: format!("{} and {more}", base.condition),
                    others: None,
                    in_full,
                });
            };
            for told in self.told_of(&[kind]) {
                match told.base {
                    Base::Thing(place) if told.optional && !told.is_rule && self.is_place(place) => {
                        narrowed(format!("{label} {}", told.name), &format!("any {it}.{}", told.name), true);
                    }
                    Base::Thing(values) if told.moves && !told.is_rule => {
                        for value in self.values_of(values) {
                            let more = format!("{it}.{} = {}", told.name, names::thing(&value));
                            narrowed(format!("{label} {value}"), &more, false);
                        }
                    }
                    Base::Thing(_)
                    | Base::Flag
                    | Base::Number(..)
                    | Base::Set(_)
                    | Base::Dice
                    | Base::Die
                    | Base::Text
                    | Base::Point
                    | Base::Permission
                    | Base::Numbers
                    | Base::Nothing
                    | Base::Unknown => {}
                }
            }
            sets.push(base);
        }
        // What holds between a thing and the player.
        for (keys, first) in [([kind, self.book.player], true), ([self.book.player, kind], false)] {
            for told in self.told_of(&keys) {
                if matches!(told.base, Base::Flag | Base::Permission) {
                    let condition = match first {
                        true => format!("{it}.{}({me})", told.name),
                        false => format!("{me}.{}({it})", told.name),
                    };
                    sets.push(Own {
                        kind,
                        label: format!("{} {plural}", told.name),
                        source: plural.clone(),
                        condition,
                        others: None,
                        in_full: self.is_place(kind),
                    });
                }
            }
        }
    }

    /// Whether things of a kind are places: links join them, or a board draws them at a point.
    fn is_place(&self, kind: KindId) -> bool {
        self.book.kinds.iter().any(|links| links.ends.is_some_and(|(a, b)| a == kind || b == kind))
            || self.told_of(&[kind]).iter().any(|told| told.base == Base::Point)
    }

    /// All that is asked of a set.
    fn of_set(&mut self, own: &Own) {
        let it = variable(&self.book.kind(own.kind).name, &[&self.me]);
        let name = own.label.clone();
        self.add(&[&name], own.query("count", &it, ""), false);
        let told = self.told_of(&[own.kind]);
        self.sums(own, &it, &told);
        if !own.in_full {
            return;
        }
        self.sorts(own, &it, &told);
        for told in &told {
            if let Base::Thing(place) = told.base
                && told.moves
                && self.is_place(place)
            {
                self.ground(own, &it, &told.name, place);
            }
        }
    }

    /// What a set comes to: the totals of numbers.
    fn sums(&mut self, own: &Own, it: &str, told: &[Told]) {
        let numbers: Vec<&Told> =
            told.iter().filter(|told| matches!(told.base, Base::Number(..)) && !told.optional).collect();
        for number in &numbers {
            let text = format!("{} by {it}.{}", own.query("total", it, ""), number.name);
            self.add(&[&number.name, "of", &own.label], text, false);
        }
        if !own.in_full {
            return;
        }
        // What is printed on a sort of thing, and times what is kept of the thing itself.
        let mut printed: Vec<(String, String)> = numbers
            .iter()
            .filter(|told| !told.moves)
            .map(|told| (told.name.clone(), format!("{it}.{}", told.name)))
            .collect();
        for sort in told.iter().filter(|told| !told.optional && !told.is_rule) {
            let Base::Thing(kind) = sort.base else { continue };
            for number in self.told_of(&[kind]) {
                if matches!(number.base, Base::Number(..)) && !number.optional && !number.is_rule {
                    let text = format!("{it}.{}.{}", sort.name, number.name);
                    self.add(
                        &[&number.name, "of", &own.label],
                        format!("{} by {text}", own.query("total", it, "")),
                        false,
                    );
                    printed.push((number.name.clone(), text));
                }
            }
        }
        for kept in numbers.iter().filter(|told| told.moves && !told.is_rule) {
            for (label, text) in &printed {
                let text = format!("{} by {it}.{} * {text}", own.query("total", it, ""), kept.name);
                self.add(&[&kept.name, "times", label, "of", &own.label], text, false);
            }
        }
        // Numbers that are kept of a thing and a value: so many of each sort.
        for (place, values) in self.book.kinds.iter().enumerate() {
            let kind = KindId(place as u32);
            if values.things.len() > 4 || kind == own.kind {
                continue;
            }
            for number in self.told_of(&[own.kind, kind]) {
                if !matches!(number.base, Base::Number(..)) || number.optional || !number.moves {
                    continue;
                }
                for value in self.values_of(kind) {
                    let by = format!("{it}.{}({})", number.name, names::thing(&value));
                    let text = format!("{} by {by}", own.query("total", it, ""));
                    self.add(&[&value, &number.name, "of", &own.label], text, false);
                }
            }
        }
    }

    /// How many of a set are of a sort.
    fn sorts(&mut self, own: &Own, it: &str, told: &[Told]) {
        for told in told {
            let asked = format!("{it}.{}", told.name);
            match told.base {
                Base::Flag | Base::Permission => {
                    self.add(&[&told.name, &own.label], own.query("count", it, &asked), false);
                }
                Base::Thing(kind) if kind == self.book.player => {
                    // Of two that say who owns it: where they part.
                    if !own.condition.contains(&asked) && own.others.is_none() {
                        let theirs = match told.optional {
                            true => format!("any {asked} and {asked} != {}", self.me),
                            false => format!("{asked} != {}", self.me),
                        };
                        let mine = format!("{asked} = {}", self.me);
                        self.add(&["own", &told.name, &own.label], own.query("count", it, &mine), false);
                        self.add(
                            &["foreign", &told.name, &own.label],
                            own.query("count", it, &theirs),
                            false,
                        );
                    }
                }
                Base::Thing(kind) => {
                    if own.condition.contains(&asked) {
                        continue;
                    }
                    for value in self.values_of(kind) {
                        let more = format!("{asked} = {}", names::thing(&value));
                        self.add(&[&value, &own.label], own.query("count", it, &more), false);
                    }
                }
                Base::Number(..)
                | Base::Set(_)
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

    /// The places that a set stands in, and those of them where nobody else does.
    fn ground(&mut self, own: &Own, it: &str, at: &str, place: KindId) {
        let plural = self.book.kind(place).plural.clone();
        let here = variable(&self.book.kind(place).name, &[&self.me, it]);
        let stood = format!("{}.{at}", own.whole(it));
        let mut grounds = vec![(format!("{plural} of {}", own.label), stood.clone())];
        if let Some(others) = &own.others {
            grounds.push((format!("{plural} alone"), format!("({stood} - {others}.{at})")));
        }
        for (label, source) in grounds {
            let ground =
                Own { kind: place, label, source, condition: String::new(), others: None, in_full: false };
            self.add(&[&ground.label], format!("count {}", ground.source), false);
            let told = self.told_of(&[place]);
            self.sums(&ground, &here, &told);
            let few: Vec<Told> = told.into_iter().filter(|told| !told.is_rule).collect();
            self.sorts(&ground, &here, &few);
        }
    }
}
