//! Breaks single lines of a game's rules and looks whether the checker or a test notices:
//!
//! ```sh
//! cargo run -p blazon-tests --example mutate -- rules/richard-iii --count 300 --seed 1
//! cargo run -p blazon-tests --example mutate -- rules/richard-iii/variants/commons-rise --all
//! cargo run -p blazon-tests --example mutate -- stdlib --count 60
//! ```
//!
//! A game's mutants are tried by its own tests and those of its variants, a variant's by its own, the library's by the
//! tests of all games. With `--secrets` only what says who sees what is broken: `seen by`, `back`, `known to all`. The
//! same seed breaks the same lines. Of a line one change is tried, with `--all` every one of every line; a part of a page that only some reading of a ruling
//! plays is looked at four times less often. `--page NAME` keeps to one page, `--line N` to one of its lines, `--jobs N` tries several at once. What is
//! listed in `tests/mutants-equivalent.txt` is left out, and an entry there that fits no line is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use blazon::{Reading, Rules, Settings};
use blazon_check::project::Layer;
use blazon_kernel::chance::Stream;
use blazon_tests::mutation::equivalent::Equivalents;
use blazon_tests::mutation::names::Sorts;
use blazon_tests::mutation::report::{Trial, text};
use blazon_tests::mutation::trial::{Fate, Place, Stack};
use blazon_tests::mutation::{Change, sites, trial};
use blazon_tests::{loader, top};

/// Of what only some reading of a ruling plays, one line in so many is tried.
const UNDER: usize = 4;

struct Args {
    target: String,
    count: usize,
    seed: u64,
    page: String,
    line: Option<usize>,
    jobs: usize,
    all: bool,
    secrets: bool,
}

fn args() -> Result<Args, String> {
    let mut args = Args {
        target: String::new(),
        count: 100,
        seed: 1,
        page: String::new(),
        line: None,
        jobs: 1,
        all: false,
        secrets: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        let number = |text: String| text.parse::<usize>().map_err(|_| format!("`{text}` is not a number"));
        match word.as_str() {
            "--count" => args.count = number(value()?)?,
            "--seed" => args.seed = number(value()?)? as u64,
            "--jobs" => args.jobs = number(value()?)?.max(1),
            "--page" => args.page = value()?,
            "--line" => args.line = Some(number(value()?)?),
            "--all" => args.all = true,
            "--secrets" => (args.all, args.secrets) = (true, true),
            _ if args.target.is_empty() && !word.starts_with('-') => args.target = word,
            _ => return Err(format!("`{word}` is not known here")),
        }
    }
    match args.target.is_empty() {
        true => {
            Err("usage: mutate rules/GAME|stdlib [--count N] [--seed N] [--page NAME] [--line N] [--jobs N] [--all] [--secrets]".to_owned())
        }
        false => Ok(args),
    }
}

/// A mutant that is to be tried.
struct Mutant {
    page: String,
    text: String,
    place: Place,
    change: Change,
}

/// A game: its stacks, and the pages of it that are broken. A module that it does not use is none of them.
struct Game {
    stacks: Vec<Stack>,
    pages: BTreeSet<String>,
}

/// A game with all stacks on which its tests run; a variant with the one on which its own do.
fn stacks(rules: &Rules) -> Vec<Stack> {
    if let Some(variant) = rules.inside {
        return vec![Stack { project: rules.project(&[variant]), layer: Layer::Variant(0) }];
    }
    let alone = Stack { project: rules.project(&[]), layer: Layer::Game };
    let variants = (0..rules.variants.len())
        .map(|place| Stack { project: rules.project(&[place]), layer: Layer::Variant(0) });
    std::iter::once(alone).chain(variants).collect()
}

/// All mutants of the game's pages, or of the library's modules that it uses, by page and line.
fn mutants(
    stacks: &[Stack],
    args: &Args,
    library: bool,
) -> Result<BTreeMap<(String, usize), Vec<Mutant>>, String> {
    let mut project = stacks[0].project.clone();
    let reading = Reading::of(&project, Vec::new());
    let compiled = reading.compile(&Settings::default());
    let (Some(parsed), Some(program)) = (&reading.parsed, &compiled.program) else {
        return Err(format!("{} has errors: `blazon check` tells them", args.target));
    };
    let sorts = Sorts::of(&program.book, parsed.files.iter().map(|(_, file)| &**file));
    let places: Vec<Place> = match (library, stacks[0].layer) {
        (true, _) => (0..project.library.len()).map(Place::Library).collect(),
        (false, Layer::Variant(_)) => (0..project.variants[0].pages.len()).map(Place::Variant).collect(),
        (false, _) => (0..project.game.pages.len()).map(Place::Game).collect(),
    };
    let mut found: BTreeMap<(String, usize), Vec<Mutant>> = BTreeMap::new();
    for place in places {
        let (page, text) = {
            let page = place.page(&mut project);
            (page.name.clone(), page.text.clone())
        };
        let file = parsed
            .files
            .iter()
            .map(|(_, file)| file)
            .find(|file| parsed.sources.find(file.source).is_some_and(|source| *source.name == *page));
        let Some(file) = file.filter(|_| page.contains(&args.page)) else { continue };
        for change in sites::all(file, &text, &sorts) {
            let line = change.line(&text);
            if args.line.is_some_and(|wanted| wanted != line) || args.secrets && !change.secret {
                continue;
            }
            let mutant = Mutant { page: page.clone(), text: text.clone(), place, change };
            found.entry((page.clone(), line)).or_default().push(mutant);
        }
    }
    Ok(found)
}

/// The mutants in the order in which they are tried: lines in a random order, a random change of each.
fn drawn(mut lines: Vec<Vec<Mutant>>, seed: u64) -> Vec<Mutant> {
    let mut chance = Stream::new(seed);
    let mut order = Vec::new();
    while !lines.is_empty() {
        let at = chance.below(lines.len());
        let mut changes = lines.swap_remove(at);
        let mutant = changes.swap_remove(chance.below(changes.len()));
        if mutant.change.rulings.is_empty() || chance.below(UNDER) == 0 {
            order.push(mutant);
        }
    }
    order
}

fn try_one(games: &[Game], mutant: &Mutant) -> Fate {
    for game in games.iter().filter(|game| game.pages.contains(&mutant.page)) {
        match trial::of(&game.stacks, mutant.place, &mutant.change) {
            Fate::Survived => {}
            fate => return fate,
        }
    }
    Fate::Survived
}

/// Tries mutants in their order until there are enough that can be read.
fn tried(games: &[Game], mutants: &[Mutant], args: &Args) -> Vec<Trial> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let trials = Mutex::new(BTreeMap::new());
    let work = || {
        while done.load(Ordering::SeqCst) < args.count {
            let at = next.fetch_add(1, Ordering::SeqCst);
            let Some(mutant) = mutants.get(at) else { return };
            let fate = try_one(games, mutant);
            if fate == Fate::Unreadable {
                continue;
            }
            let (was, becomes) = mutant.change.lines(&mutant.text);
            let (page, line) = (mutant.page.clone(), mutant.change.line(&mutant.text));
            if fate == Fate::Survived {
                eprintln!("{page}:{line} survived\n- {was}\n+ {becomes}");
            }
            let trial = Trial { page, line, operator: mutant.change.operator, was, becomes, fate };
            trials.lock().expect("no thread died").insert(at, trial);
            done.fetch_add(1, Ordering::SeqCst);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.jobs {
            let worker = std::thread::Builder::new().stack_size(64 << 20);
            worker.spawn_scoped(scope, work).expect("a thread");
        }
    });
    // Several threads may have begun one more than was asked for.
    trials.into_inner().expect("no thread died").into_values().take(args.count).collect()
}

fn run() -> Result<bool, String> {
    let args = args()?;
    let library = args.target == "stdlib";
    let folders = if library {
        vec!["rules/richard-iii", "rules/lionheart", "rules/salt-road", "tests/games/long-ferry"]
    } else {
        vec![&*args.target]
    };
    let mut games = Vec::new();
    let mut lines: BTreeMap<(String, usize), Vec<Mutant>> = BTreeMap::new();
    for folder in folders {
        let path = top().join(folder).display().to_string();
        let rules = loader().library(top().join("stdlib")).find(&path).map_err(|error| error.to_string())?;
        let stacks = stacks(&rules);
        let found = mutants(&stacks, &args, library)?;
        games.push(Game { stacks, pages: found.keys().map(|(page, _)| page.clone()).collect() });
        for (line, changes) in found {
            lines.entry(line).or_insert(changes);
        }
    }
    let list = std::fs::read_to_string(top().join("tests/mutants-equivalent.txt")).unwrap_or_default();
    let mut equivalents = Equivalents::read(&list)?;
    for mutant in lines.values_mut() {
        mutant.retain(|mutant| {
            let (was, becomes) = mutant.change.lines(&mutant.text);
            !equivalents.has(&mutant.page, &was, &becomes)
        });
    }
    let every = args.line.is_none() && !args.secrets;
    let whole = |page: &str| every && games.iter().any(|game| game.pages.contains(page));
    let stale: Vec<String> = equivalents.stale(whole).collect();
    let lines = lines.into_values().filter(|changes| !changes.is_empty());
    let mutants = match args.all {
        true => lines.flatten().collect(),
        false => drawn(lines.collect(), args.seed),
    };
    eprintln!("{} mutants", mutants.len());
    print!("{}", text(&tried(&games, &mutants, &args)));
    for entry in &stale {
        eprintln!("this equivalent fits no line any more:\n{entry}");
    }
    Ok(stale.is_empty())
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(wrong) => {
            eprintln!("{wrong}");
            ExitCode::FAILURE
        }
    }
}
