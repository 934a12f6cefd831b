//! The decision as data: what is asked, by which verbs, with which things. The client narrows it by what is clicked.

use std::collections::BTreeMap;

use blazon::book::KindId;
use blazon::machine::{NOTHING, Refusal, Word, Words};
use blazon::{Game, OptionId, PlayerId};
use maud::{Markup, html};
use serde::Serialize;

use crate::looks::Looks;
use crate::piece::badge;
use crate::seen::Seen;

/// What a seat is asked, or that others are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// The seat.
    pub seat: String,
    /// Who must decide.
    pub deciders: Vec<String>,
    /// Whether it is this seat's to decide.
    pub yours: bool,
    /// Its number, to be sent back with the choice.
    pub number: u64,
    /// Whose badge, as HTML.
    pub badge: String,
    /// What is asked, as HTML with names that light up.
    pub prompt: String,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
    /// The names of the options, each once.
    pub verbs: Vec<Verb>,
    /// All that is open. The place of one is its number.
    pub options: Vec<Choice>,
    /// The names of the things in them, by token.
    pub names: BTreeMap<String, String>,
    /// Where things stand, by token: under which heading they are listed.
    pub groups: BTreeMap<String, String>,
}

/// The options of one name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verb {
    /// Its name in the rules.
    pub name: String,
    /// As it is shown.
    pub label: String,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
}

/// An argument of a verb.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Arg {
    /// Its name in the rules.
    pub name: String,
    /// What is asked for: `whom`, `where`, `way`, `card`, `side`, `number` or `which`.
    pub ask: &'static str,
}

/// An option: its verb, its arguments, its line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Choice(pub usize, pub Vec<Value>, pub String);

/// An argument: nothing, a number, or the token of a thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing.
    Nothing,
    /// A number.
    Number(i64),
    /// A thing by its token.
    Token(String),
}

/// An option that is not open, and why not.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// Its verb, as in [`Decision::verbs`].
    pub verb: usize,
    /// Its arguments.
    pub args: Vec<Value>,
    /// Its line.
    pub label: String,
    /// Why not.
    pub reason: String,
    /// The paragraphs of the need.
    pub paragraphs: Vec<String>,
    /// File and line of the need.
    pub place: Option<String>,
}

/// The options of the machine that stand behind each option of a decision: several where they look alike.
pub type Behind = Vec<Vec<OptionId>>;

/// What a seat is asked.
pub fn decision(game: &mut Game, looks: &Looks, seen: &Seen, viewer: Option<PlayerId>) -> (Decision, Behind) {
    let deciders = game.deciders();
    let mut decision = Decision {
        seat: viewer.map(|viewer| game.player_name(viewer)).unwrap_or_default(),
        deciders: deciders.iter().map(|&player| game.player_name(player)).collect(),
        number: game.taken(),
        paragraphs: game.paragraphs(),
        ..Decision::default()
    };
    let asked = viewer.filter(|viewer| deciders.contains(viewer));
    if let Some(shown) = asked.or_else(|| deciders.first().copied()) {
        decision.badge = badge(looks, shown.into(), 22).into_string();
    }
    // What others are asked may name what this seat does not know; the words are told as it may know them.
    if let Some(player) = asked.or_else(|| deciders.first().copied()) {
        let prompt = game.prompt_words(player, Some(viewer.unwrap_or(PlayerId::PUBLIC)));
        decision.prompt = words(seen, &prompt).into_string();
    }
    let Some(player) = asked else {
        for line in viewer.map(|viewer| game.answered_by(viewer)).unwrap_or_default() {
            let answer = html! { span.given { "✓ " (words(seen, &line)) } };
            decision.prompt.push_str(&answer.into_string());
        }
        return (decision, Behind::new());
    };
    decision.yours = true;
    decision.verbs = verbs(game, looks);
    let behind = options(game, (looks, seen), player, &mut decision);
    (decision, behind)
}

fn verbs(game: &Game, looks: &Looks) -> Vec<Verb> {
    let program = game.program();
    let Some(choice) = game.machine().choice() else { return Vec::new() };
    let ask = |kind: Option<KindId>| match kind {
        None => "number",
        Some(kind) if Some(kind) == looks.place => "where",
        Some(kind) if Some(kind) == looks.links => "way",
        Some(kind) if kind == program.book.player => "side",
        Some(kind) if looks.piece(kind).is_some() => "whom",
        Some(kind) if looks.is_card(kind) => "card",
        Some(_) => "which",
    };
    let verbs = choice.options.iter().map(|option| Verb {
        name: option.name.clone(),
        label: capital(&option.name),
        args: option
            .params
            .iter()
            .map(|param| Arg { name: param.name.clone(), ask: ask(param.kind) })
            .collect(),
        paragraphs: option.cites.clone(),
    });
    verbs.collect()
}

fn capital(name: &str) -> String {
    let mut signs = name.chars();
    signs.next().map(|first| first.to_uppercase().chain(signs).collect()).unwrap_or_default()
}

/// For each option of what is asked the kinds of its arguments, where they are things.
fn kinds(game: &Game) -> Vec<Vec<Option<KindId>>> {
    let options = game.machine().choice().into_iter().flat_map(|choice| &choice.options);
    options.map(|option| option.params.iter().map(|param| param.kind).collect()).collect()
}

fn arguments(seen: &Seen, kinds: &[Option<KindId>], args: &[i64]) -> Vec<Value> {
    let value = |(kind, &arg): (&Option<KindId>, &i64)| match (kind, u32::try_from(arg)) {
        _ if arg == NOTHING => Value::Nothing,
        (Some(kind), Ok(thing)) => Value::Token(seen.token(*kind, thing)),
        _ => Value::Number(arg),
    };
    kinds.iter().zip(args).map(value).collect()
}

/// Fills in the options, sorted by what is seen of them: their order tells nothing, and those that look alike are one.
fn options(
    game: &mut Game,
    (looks, seen): (&Looks, &Seen),
    player: PlayerId,
    decision: &mut Decision,
) -> Behind {
    let mut alike: BTreeMap<Choice, Vec<OptionId>> = BTreeMap::new();
    let mut order: Vec<(usize, Choice)> = Vec::new();
    let all_kinds = kinds(game);
    for (place, open) in game.options_by_id(player).into_iter().enumerate() {
        let kinds = &all_kinds[usize::from(open.option)];
        let args = arguments(seen, kinds, &open.args);
        let choice = Choice(usize::from(open.option), args, game.label(player, open.id));
        name(game, (looks, seen), player, kinds, &open.args, &choice, decision);
        let known = kinds.iter().zip(&open.args).all(|(kind, &arg)| match (kind, u32::try_from(arg)) {
            (Some(kind), Ok(thing)) => seen.is_open(*kind, thing),
            _ => true,
        });
        let ids = alike.entry(choice.clone()).or_default();
        if ids.is_empty() {
            // What names nothing hidden stays in the order of the rules.
            order.push((if known { place } else { usize::MAX }, choice));
        }
        ids.push(open.id);
    }
    order.sort();
    let mut behind = Behind::new();
    for (_, choice) in order {
        behind.push(alike.remove(&choice).unwrap_or_default());
        decision.options.push(choice);
    }
    // A verb without arguments is shown by its line: "End the action phase".
    for (verb, of) in decision.verbs.iter_mut().enumerate() {
        if of.args.is_empty()
            && let Some(Choice(.., line)) = decision.options.iter().find(|option| option.0 == verb)
        {
            of.label.clone_from(line);
        }
    }
    behind
}

fn name(
    game: &mut Game,
    (looks, seen): (&Looks, &Seen),
    player: PlayerId,
    kinds: &[Option<KindId>],
    args: &[i64],
    choice: &Choice,
    decision: &mut Decision,
) {
    for ((kind, &arg), value) in kinds.iter().zip(args).zip(&choice.1) {
        let (Some(kind), Value::Token(token), Ok(thing)) = (kind, value, u32::try_from(arg)) else {
            continue;
        };
        if decision.names.contains_key(token) {
            continue;
        }
        decision.names.insert(token.clone(), game.name_to(player, *kind, arg));
        if let Some(place) = seen.stands_at(looks, *kind, thing) {
            decision.groups.insert(token.clone(), place);
        }
    }
}

/// What could be asked about and is not open.
pub fn refused(game: &mut Game, seen: &Seen, player: PlayerId) -> Vec<Refused> {
    let refusals: Vec<Refusal> = game.refusals_by_id(player);
    let all_kinds = kinds(game);
    let mut told = Vec::new();
    for refusal in refusals {
        let sources = game.sources();
        let place = sources.find(refusal.span.source).map(|_| sources.place(refusal.span));
        told.push(Refused {
            verb: usize::from(refusal.option),
            args: arguments(seen, &all_kinds[usize::from(refusal.option)], &refusal.args),
            label: refusal.label,
            reason: refusal.reason,
            paragraphs: refusal.cites,
            place,
        });
    }
    // Sorted by what is seen: the order of hidden things tells nothing.
    told.sort_by(|a, b| (a.verb, &a.args, &a.label, &a.reason).cmp(&(b.verb, &b.args, &b.label, &b.reason)));
    told.dedup_by(|a, b| (a.verb, &a.args, &a.label, &a.reason) == (b.verb, &b.args, &b.label, &b.reason));
    told
}

/// A text with the names in it that light up.
pub fn words(seen: &Seen, words: &Words) -> Markup {
    html! {
        @for word in words.iter() {
            @match word {
                Word::Plain(text) => (text),
                Word::Thing(kind, thing, name) => {
                    @if seen.is_open(*kind, *thing) { b data-t=(seen.token(*kind, *thing)) { (name) } } @else { b { (name) } }
                }
            }
        }
    }
}
