//! Saved games: text that refuses damage and other rules, and a log of choices by meaning that can be replayed.

use blazon_book::KindId;
use blazon_kernel::{Position, PositionError, chance};
use blazon_program::Program;
use blazon_program::ir::ABSENT;
use serde::{Deserialize, Serialize};

use crate::decision::standing::Standing;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::vm::event::Event;

/// The version of the format that is written.
const FORMAT: u32 = 1;

/// A saved game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Save", deny_unknown_fields)]
pub struct Save {
    /// The version of the format.
    pub format: u32,
    /// The rules it was played by.
    pub rules: Rules,
    /// The setup's name.
    pub setup: String,
    /// The seed.
    pub seed: u64,
    /// What was chosen, from the start.
    pub log: Vec<Entry>,
    /// The position, in its own text form.
    position: String,
    /// A hash of all the above.
    checksum: String,
}

/// Rules, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The game.
    pub game: String,
    /// Its version.
    pub version: String,
    /// The variants and their versions, in the order of stacking.
    pub variants: Vec<(String, String)>,
    /// The rulings and the values chosen.
    pub rulings: Vec<(String, String)>,
    /// A hash of the program.
    pub program: String,
}

/// A choice by meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Choice", deny_unknown_fields)]
pub struct Entry {
    /// Whom the rules asked.
    pub player: String,
    /// The option's name.
    pub option: String,
    /// Its arguments: names of things, or numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Whether it was the only one and so taken unasked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}

/// Why a saved game is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveError {
    /// `save::damaged` or `save::foreign`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for SaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SaveError {}

impl From<PositionError> for SaveError {
    fn from(error: PositionError) -> Self {
        damaged(error.to_string())
    }
}

fn damaged(message: impl Into<String>) -> SaveError {
    SaveError { code: "save::damaged", message: message.into() }
}

fn foreign(message: impl Into<String>) -> SaveError {
    SaveError { code: "save::foreign", message: message.into() }
}

/// Where a log can no longer be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The place in the log, from 0; its length if the game goes on where the log ends.
    pub step: usize,
    /// What was chosen there.
    pub entry: Option<Entry>,
    /// Why it cannot be chosen now.
    pub message: String,
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.player, self.option)?;
        if self.args.is_empty() { Ok(()) } else { write!(f, "({})", self.args.join(", ")) }
    }
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.entry {
            Some(entry) => write!(f, "choice {} of the log, `{entry}`: {}", self.step + 1, self.message),
            None => write!(f, "after the log: {}", self.message),
        }
    }
}

impl Rules {
    /// The rules of a machine.
    pub fn of(machine: &Machine) -> Self {
        let book = &machine.program().book;
        let rulings = book.rulings.iter().map(|ruling| {
            let value = ruling.values.get(ruling.chosen).cloned().unwrap_or_default();
            (ruling.name.clone(), value)
        });
        Self {
            game: book.title.clone(),
            version: book.version.clone(),
            variants: book.variants.clone(),
            rulings: rulings.collect(),
            program: format!("{:016x}", machine.fingerprint()),
        }
    }

    /// How these rules differ from others, in words; `None` if they do not.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let list = |pairs: &[(String, String)], none: &str| match pairs {
            [] => none.to_owned(),
            pairs => pairs.iter().map(|(a, b)| format!("{a} {b}")).collect::<Vec<_>>().join(", "),
        };
        if self.game != other.game {
            return Some(format!("it is a game of {}, not of {}", self.game, other.game));
        }
        if self.variants != other.variants {
            let (saved, here) = (list(&self.variants, "no variants"), list(&other.variants, "no variants"));
            return Some(format!("it was played with {saved}; here it would be {here}"));
        }
        let ruling = self.rulings.iter().find(|ruling| !other.rulings.contains(ruling));
        if let Some((name, value)) = ruling {
            let here = other.rulings.iter().find(|(n, _)| n == name).map_or("unknown", |(_, v)| v.as_str());
            return Some(format!("it was played with the ruling `{name}` = {value}; here it is {here}"));
        }
        if let Some((name, value)) =
            other.rulings.iter().find(|(name, _)| !self.rulings.iter().any(|(n, _)| n == name))
        {
            return Some(format!("here there is a ruling `{name}` = {value} that it does not know"));
        }
        if self.version != other.version {
            return Some(format!(
                "it was played by version {}, this is version {}",
                self.version, other.version
            ));
        }
        (self.program != other.program)
            .then(|| "the text of the rules has changed since it was saved".to_owned())
    }
}

impl Machine {
    /// A hash of everything in the program that play depends on.
    pub fn fingerprint(&self) -> u64 {
        *self.prepared.fingerprint.get_or_init(|| crate::fingerprint::of(&self.prepared.program))
    }
}

impl Entry {
    /// Whether both mean the same choice.
    fn same(&self, other: &Self) -> bool {
        (&self.player, &self.option, &self.args) == (&other.player, &other.option, &other.args)
    }

    /// An event as an entry of a log, if it is a choice.
    pub fn of(program: &Program, event: &Event) -> Option<Self> {
        let Event::Chosen { asked, choice, option, args, forced, .. } = event else { return None };
        let info = program.choices.get(*choice as usize)?.options.get(*option as usize)?;
        let kinds = info.params.iter().map(|param| param.kind);
        Some(Self {
            player: thing_name(program, program.book.player, i64::from(*asked)),
            option: info.name.clone(),
            args: kinds.zip(args).map(|(kind, &arg)| argument(program, kind, arg)).collect(),
            forced: *forced,
        })
    }
}

/// An argument by meaning.
pub fn argument(program: &Program, kind: Option<KindId>, arg: i64) -> String {
    match kind {
        _ if arg == ABSENT => "none".to_owned(),
        Some(kind) => thing_name(program, kind, arg),
        None => arg.to_string(),
    }
}

fn thing_name(program: &Program, kind: KindId, thing: i64) -> String {
    let things = &program.book.kind(kind).things;
    usize::try_from(thing)
        .ok()
        .and_then(|t| things.get(t))
        .map_or_else(|| thing.to_string(), |t| t.name.clone())
}

impl Save {
    /// The game of a machine, with the choices that led to it.
    pub fn new(machine: &Machine, setup: usize, seed: u64, log: Vec<Entry>) -> Self {
        let setups = &machine.program().book.setups;
        let mut save = Self {
            format: FORMAT,
            rules: Rules::of(machine),
            setup: setups.get(setup).map(|s| s.name.clone()).unwrap_or_default(),
            seed,
            log,
            position: machine.snapshot().to_text(),
            checksum: String::new(),
        };
        save.checksum = save.hash();
        save
    }

    fn hash(&self) -> String {
        let bare = Self { checksum: String::new(), ..self.clone() };
        let text = ron::to_string(&bare).unwrap_or_default();
        format!("{:016x}", chance::hash_text(&text))
    }

    /// The text form.
    pub fn to_text(&self) -> Result<String, SaveError> {
        let pretty = ron::ser::PrettyConfig::new().struct_names(true).depth_limit(2).escape_strings(false);
        ron::ser::to_string_pretty(self, pretty).map_err(|error| damaged(error.to_string()))
    }

    /// Reads the text form; damage is refused.
    pub fn from_text(text: &str) -> Result<Self, SaveError> {
        let save: Self =
            ron::from_str(text).map_err(|error| damaged(format!("this is not a saved game: {error}")))?;
        if save.format != FORMAT {
            return Err(damaged(format!(
                "it has format {}, and this program reads format {FORMAT}",
                save.format
            )));
        }
        if save.hash() != save.checksum {
            return Err(damaged("its checksum does not match: it was changed or cut off after it was saved"));
        }
        Ok(save)
    }

    /// The position.
    pub fn position(&self) -> Result<Position, SaveError> {
        Ok(Position::from_text(&self.position)?)
    }

    /// The setup's place in a program.
    pub fn setup_in(&self, program: &Program) -> Result<usize, SaveError> {
        let found = program.book.setups.iter().position(|setup| setup.name == self.setup);
        found.ok_or_else(|| foreign(format!("there is no setup `{}` here", self.setup)))
    }

    /// Lets a machine go on with the game. Refused if the machine plays by other rules; nothing changes then.
    pub fn resume(&self, machine: &mut Machine) -> Result<(), SaveError> {
        if let Some(difference) = self.rules.difference(&Rules::of(machine)) {
            return Err(foreign(difference));
        }
        machine.restore(&self.position()?).map_err(|fault| damaged(fault.message))
    }
}

/// Reads a saved game and lets a machine go on with it.
pub fn load(machine: &mut Machine, text: &str) -> Result<Save, SaveError> {
    let save = Save::from_text(text)?;
    save.resume(machine)?;
    Ok(save)
}

/// What came of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// The whole log was followed; the machine stands where it ends.
    Whole,
    /// The log could not be followed to its end; the machine stands where it stopped.
    Until(Divergence),
}

/// Plays a log by meaning from the start, perhaps by other rules than those it was made by. Choices that were made
/// unasked may be asked now, and the other way round.
pub fn replay(machine: &mut Machine, setup: usize, seed: u64, log: &[Entry]) -> Result<Replayed, Fault> {
    machine.take_events();
    machine.record(true);
    machine.start(setup, seed)?;
    let mut follow = Follow::default();
    for (step, entry) in log.iter().enumerate() {
        follow.listen(machine);
        match follow.entry(machine, step, entry) {
            Ok(()) => {}
            Err(message) => {
                return Ok(Replayed::Until(Divergence { step, entry: Some(entry.clone()), message }));
            }
        }
    }
    follow.listen(machine);
    Ok(match follow.waiting.first() {
        Some((step, entry)) if !by_each(machine) => {
            let message = "by these rules it was not taken unasked".to_owned();
            Replayed::Until(Divergence { step: *step, entry: Some(entry.clone()), message })
        }
        _ => Replayed::Whole,
    })
}

/// A log that is followed.
#[derive(Default)]
struct Follow {
    /// What was taken unasked and has not been met in the log yet.
    unasked: Vec<Entry>,
    /// What the log has of a choice by each that the machine will tell when all have answered: place and entry.
    waiting: Vec<(usize, Entry)>,
}

impl Follow {
    /// Hears what was taken unasked.
    fn listen(&mut self, machine: &mut Machine) {
        let events = machine.take_events();
        self.unasked
            .extend(events.iter().filter_map(|e| Entry::of(machine.program(), e)).filter(|e| e.forced));
        let unasked = &mut self.unasked;
        self.waiting.retain(|(_, entry)| match unasked.iter().position(|other| entry.same(other)) {
            Some(place) => {
                unasked.remove(place);
                false
            }
            None => true,
        });
    }

    /// Takes the next entry of the log, or says why it cannot be taken.
    fn entry(&mut self, machine: &mut Machine, step: usize, entry: &Entry) -> Result<(), String> {
        if let Some(place) = self.unasked.iter().position(|other| entry.same(other)) {
            self.unasked.remove(place);
            return Ok(());
        }
        let asked = machine.deciders().iter().filter_map(|&d| machine.decision.asked(d));
        let is_asked = asked.map(|a| machine.player_name(a)).any(|name| name == entry.player);
        if by_each(machine) && !is_asked {
            // Perhaps he answered unasked, which nobody may know yet.
            self.waiting.push((step, entry.clone()));
            return Ok(());
        }
        let (player, index) = find(machine, entry)?;
        if let Some(first) = self.unasked.first() {
            return Err(format!("by these rules `{first}` comes first, unasked"));
        }
        if let Some((_, other)) = self.waiting.first().filter(|_| !by_each(machine)) {
            return Err(format!("by these rules `{other}` was not taken before"));
        }
        machine.choose(player, index).map_err(|fault| fault.to_string())
    }
}

fn by_each(machine: &Machine) -> bool {
    machine.choice().is_some_and(|choice| choice.each.is_some())
}

/// Finds an entry among what is asked now, or says why it is not there.
fn find(machine: &mut Machine, entry: &Entry) -> Result<(u32, usize), String> {
    if let Some(outcome) = machine.outcome() {
        let winner = outcome.winner.map_or("nobody".to_owned(), |w| machine.player_name(w));
        return Err(format!("the game is over, {winner} has won"));
    }
    let program = machine.program().clone();
    let Some(info) = machine.choice() else { return Err("nothing is asked".to_owned()) };
    let options = info.options.clone();
    let asked = |m: &Machine, decider: u32| m.decision.asked(decider).map(|a| m.player_name(a));
    let decider =
        machine.deciders().iter().copied().find(|&d| asked(machine, d).as_ref() == Some(&entry.player));
    let Some(decider) = decider else {
        let names: Vec<String> = machine.deciders().iter().filter_map(|&d| asked(machine, d)).collect();
        return Err(format!("{} is asked, not {}", names.join(" and "), entry.player));
    };
    let meant = |option: u16, args: &[i64]| {
        options.get(option as usize).is_some_and(|info| {
            info.name == entry.option
                && info.params.len() == entry.args.len()
                && info
                    .params
                    .iter()
                    .zip(args)
                    .zip(&entry.args)
                    .all(|((p, &arg), name)| argument(&program, p.kind, arg) == *name)
        })
    };
    if let Some(index) = machine.options(decider).iter().position(|o| meant(o.option, o.args)) {
        return Ok((decider, index));
    }
    let prompt = machine.prompt(None);
    if !options.iter().any(|o| o.name == entry.option) {
        let names: Vec<&str> = options.iter().map(|o| o.name.as_str()).collect();
        return Err(format!("another thing is asked: \"{prompt}\" ({})", names.join(", ")));
    }
    for refusal in machine.refused(decider) {
        if meant(refusal.option, &refusal.args) {
            return Err(format!("it is refused: {}", refusal.reason));
        }
    }
    Err(format!("it cannot be chosen at \"{prompt}\""))
}

/// Whether an option that somebody asks about is open, in words for a message.
pub fn standing_text(standing: &Standing) -> String {
    match standing {
        Standing::Open => "it is open".to_owned(),
        Standing::Refused(refusal) => format!("it is refused: {}", refusal.reason),
        Standing::Outside => "it is not among what can be chosen".to_owned(),
    }
}
