//! Numbers for options, so that a learner's actions are the same in every position of a game.
//!
//! For each option of each choice there is a number for each value of its arguments, if all of them are not too many: for a
//! thing its place in its kind, sixteen more for things whose faces the player does not see, told apart by their backs, and
//! one for nothing. Otherwise numbers are hashed from names. Where two open options have the same number, the later one in
//! the order of the options takes the next number that no option has.

use std::collections::HashMap;
use std::sync::Arc;

use blazon::Program;
use blazon::machine::{Machine, NOTHING, View};
use blazon_book::walk::Visit;
use blazon_book::{Base, Book, Choose, KindId, Step, Type};
use blazon_kernel::chance::{hash_text, mix};

use crate::layout::may_hide;

/// The most numbers.
const MOST: usize = 65_536;
/// The numbers of things whose faces are not seen.
const BACKS: usize = 16;

/// The numbers of all options of a program.
pub struct Numbering {
    /// How many numbers there are.
    pub size: usize,
    /// For each choice, for each of its options; nothing where numbers are hashed.
    options: Option<Vec<Vec<Slot>>>,
    /// For each choice, for each of its options: the hash of its step and name.
    hashes: Vec<Vec<u64>>,
    /// For each kind, for each thing the first that looks like it.
    groups: Vec<Vec<u32>>,
    hides: Vec<bool>,
}

/// What a player is asked.
pub struct Asked {
    program: Arc<Program>,
    choice: usize,
    open: Vec<(u16, Vec<i64>)>,
}

impl Asked {
    /// What a machine asks a player; without options if it does not.
    pub fn of(machine: &Machine, player: u32) -> Self {
        let program = machine.program().clone();
        let choice = choice_of(machine, player);
        let open = machine.options(player).iter().map(|open| (open.option, open.args.to_vec())).collect();
        Self { program, choice: choice.unwrap_or(usize::MAX), open }
    }
}

/// The place of the choice that a player is asked, if he is.
pub fn choice_of(machine: &Machine, player: u32) -> Option<usize> {
    machine.choice_place().filter(|_| machine.deciders().contains(&player))
}

/// The numbers of an option.
struct Slot {
    first: usize,
    domains: Vec<Domain>,
}

/// The values of an argument; nothing comes last.
#[derive(Clone, Copy)]
enum Domain {
    /// So many things, and whether some may be hidden.
    Things(usize, bool),
    /// A number from one to another.
    Numbers(i64, usize),
}

impl Domain {
    fn size(self) -> usize {
        match self {
            Self::Things(count, hides) => count + if hides { BACKS } else { 0 } + 1,
            Self::Numbers(_, count) => count + 1,
        }
    }
}

impl Numbering {
    /// For all games of a program.
    pub fn of(program: &Program) -> Self {
        let book = &program.book;
        let hashes = program.choices.iter().map(|choice| {
            let step = hash_text(book.step(choice.step).title());
            choice.options.iter().map(|option| mix(step, hash_text(&option.name))).collect()
        });
        let (size, options) = match slots(program) {
            Some((size, slots)) => (size, Some(slots)),
            None => (MOST, None),
        };
        Self {
            size,
            options,
            hashes: hashes.collect(),
            groups: book
                .kinds
                .iter()
                .map(|kind| kind.things.iter().map(|thing| thing.group).collect())
                .collect(),
            hides: (0..book.kinds.len() as u32).map(|kind| may_hide(book, KindId(kind))).collect(),
        }
    }

    /// Whether numbers are hashed from names.
    pub fn is_hashed(&self) -> bool {
        self.options.is_none()
    }

    /// The numbers of open options, in their order; `view` is what the player sees, `show` tells a thing in the words that he
    /// reads. Nothing if they are more than there are numbers.
    pub fn numbers(
        &self,
        asked: &Asked,
        view: &View,
        show: &mut dyn FnMut(KindId, i64) -> String,
    ) -> Option<Vec<u32>> {
        if asked.open.len() > self.size {
            return None;
        }
        let Some(info) = asked.program.choices.get(asked.choice) else { return Some(Vec::new()) };
        let mut backs = Backs { show, view, hides: &self.hides, told: HashMap::new() };
        let mut numbers = Vec::with_capacity(asked.open.len());
        for (option, args) in &asked.open {
            let option = usize::from(*option);
            let params = info.options.get(option).into_iter().flat_map(|option| &option.params);
            let args = params.zip(args).map(|(param, &arg)| match param.kind {
                _ if arg == NOTHING => Argument::Nothing,
                None => Argument::Number(arg),
                Some(kind) => match if param.named { None } else { backs.back(kind, arg) } {
                    Some(back) => Argument::Back(back),
                    None => {
                        let first = self.groups[kind.0 as usize].get(arg as usize);
                        Argument::Thing(kind, first.copied().unwrap_or_default())
                    }
                },
            });
            let args: Vec<Argument> = args.collect();
            numbers.push(self.number(&asked.program.book, asked.choice, option, &args));
        }
        Some(settled(numbers, self.size))
    }

    fn number(&self, book: &Book, choice: usize, option: usize, args: &[Argument]) -> usize {
        if let Some(slot) = self.options.as_ref().and_then(|options| options.get(choice)?.get(option)) {
            let mut number = 0;
            for (&domain, arg) in slot.domains.iter().zip(args) {
                number = number * domain.size() + arg.place(domain);
            }
            return slot.first + number;
        }
        let hash = args.iter().fold(self.hashes[choice][option], |hash, arg| mix(hash, arg.hash(book)));
        (hash % self.size.max(1) as u64) as usize
    }
}

/// An argument as the player knows it.
enum Argument {
    Nothing,
    Number(i64),
    /// A thing by the first that looks like it.
    Thing(KindId, u32),
    /// The hash of a back.
    Back(u64),
}

impl Argument {
    /// Its place among the values; what is none of them stands where nothing does.
    fn place(&self, domain: Domain) -> usize {
        let nothing = domain.size() - 1;
        let place = match (domain, self) {
            (Domain::Things(count, _), Self::Thing(_, thing)) if (*thing as usize) < count => *thing as usize,
            (Domain::Things(count, true), Self::Back(hash)) => count + (hash % BACKS as u64) as usize,
            (Domain::Numbers(low, _), Self::Number(number)) => {
                usize::try_from(number.saturating_sub(low)).unwrap_or(nothing)
            }
            (Domain::Things(..), _) | (Domain::Numbers(..), _) => nothing,
        };
        place.min(nothing)
    }

    fn hash(&self, book: &Book) -> u64 {
        match self {
            Self::Nothing => hash_text("none"),
            Self::Number(number) => mix(hash_text("number"), *number as u64),
            Self::Thing(kind, thing) => {
                let things = &book.kind(*kind).things;
                things.get(*thing as usize).map_or(0, |thing| hash_text(&thing.name))
            }
            Self::Back(hash) => *hash,
        }
    }
}

/// Backs of things by the words that the player reads.
struct Backs<'a> {
    show: &'a mut dyn FnMut(KindId, i64) -> String,
    view: &'a View,
    hides: &'a [bool],
    told: HashMap<(KindId, i64), Option<u64>>,
}

impl Backs<'_> {
    /// The hash of the back of a thing; nothing if the player knows the thing.
    fn back(&mut self, kind: KindId, thing: i64) -> Option<u64> {
        if !self.hides.get(kind.0 as usize).copied().unwrap_or_default() {
            return None;
        }
        if let Some(told) = self.told.get(&(kind, thing)) {
            return *told;
        }
        let seen = self.view.kinds.get(kind.0 as usize);
        let known = seen
            .is_some_and(|seen| seen.seen.binary_search_by_key(&thing, |seen| i64::from(seen.thing)).is_ok());
        let told = (!known).then(|| hash_text(&(self.show)(kind, thing)));
        self.told.insert((kind, thing), told);
        told
    }
}

/// Each number once: the later one takes the next that no option has.
fn settled(wanted: Vec<usize>, size: usize) -> Vec<u32> {
    let mut taken: HashMap<usize, usize> = HashMap::with_capacity(wanted.len());
    for (place, &number) in wanted.iter().enumerate() {
        taken.entry(number).or_insert(place);
    }
    let mut numbers = Vec::with_capacity(wanted.len());
    for (place, number) in wanted.into_iter().enumerate() {
        let mut number = number;
        if taken.get(&number) != Some(&place) {
            while taken.contains_key(&number) {
                number = (number + 1) % size;
            }
            taken.insert(number, place);
        }
        numbers.push(number as u32);
    }
    numbers
}

/// The numbers of all options; nothing if they are too many.
fn slots(program: &Program) -> Option<(usize, Vec<Vec<Slot>>)> {
    let mut size: usize = 0;
    let mut choices = Vec::with_capacity(program.choices.len());
    for choice in &program.choices {
        let types = types(program.book.step(choice.step), choice.span)?;
        let mut options = Vec::with_capacity(choice.options.len());
        for (option, types) in choice.options.iter().zip(types) {
            let domains = option.params.iter().map(|param| {
                let named = |(name, _): &&(String, Type)| *name == param.name;
                domain(&program.book, types.iter().find(named)?.1)
            });
            let domains: Vec<Domain> = domains.collect::<Option<_>>()?;
            let count = domains.iter().try_fold(1_usize, |all, domain| all.checked_mul(domain.size()))?;
            options.push(Slot { first: size, domains });
            size = size.checked_add(count).filter(|&size| size <= MOST)?;
        }
        choices.push(options);
    }
    Some((size.max(1), choices))
}

fn domain(book: &Book, ty: Type) -> Option<Domain> {
    match ty.base {
        Base::Thing(kind) => Some(Domain::Things(book.kind(kind).things.len(), may_hide(book, kind))),
        Base::Number(low, high) => {
            Some(Domain::Numbers(low, usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?))
        }
        Base::Flag
        | Base::Set(_)
        | Base::Dice
        | Base::Die
        | Base::Text
        | Base::Point
        | Base::Permission
        | Base::Numbers
        | Base::Nothing
        | Base::Unknown => None,
    }
}

/// For each option of a choice the names and types of its parameters.
fn types(step: &Step, span: blazon_diagnostics::Span) -> Option<Vec<Vec<(String, Type)>>> {
    struct Find<'b> {
        span: blazon_diagnostics::Span,
        found: Option<&'b Choose>,
    }
    impl<'b> Visit<'b> for Find<'b> {
        fn visit_choose(&mut self, choose: &'b Choose) {
            if choose.span == self.span {
                self.found = Some(choose);
            }
            blazon_book::walk::walk_choose(self, choose);
        }
    }
    let mut find = Find { span, found: None };
    find.visit_block(&step.body);
    let options = find.found?.options.iter().map(|option| {
        let locals = option.binders.iter().filter_map(|binder| step.locals.get(binder.local.0 as usize));
        locals.map(|local| (local.name.clone(), local.ty)).collect()
    });
    Some(options.collect())
}
