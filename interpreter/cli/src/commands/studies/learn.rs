//! `blazon learn`: plays a game against itself, learns who is ahead, and writes it as rules.
//!
//! The work is done in [`blazon_study::learn`]; this file says how far it is, writes the folder and tells what came of it.

use std::path::Path;

use blazon::{Rules, Settings, shown};
use blazon_machine::bots::Skill;
use blazon_study::learn::{
    Ground, Hands, LONGEST, Learned, MARK, Progress, Trouble, Unfinished, Wish, learn, page,
};
use blazon_study::tally::Failed;
use indicatif::ProgressBar;
use serde_json::json;

use crate::args::LearnArgs;
use crate::commands::studies::simulate;
use crate::console::{Console, paint, style};
use crate::exit::{Failure, Result};
use crate::failed;
use crate::figures::{counted, grouped};
use crate::load;
use crate::save_file;
use crate::seed::new_study_seed;
use crate::words::Words;

/// The page's file.
const PAGE: &str = "outlook.blazon";
/// The manifest's.
const MANIFEST: &str = blazon::MANIFEST;
/// So many positions of each game are looked at.
const POSITIONS: usize = 12;

/// Learns an outlook.
///
/// # Errors
/// If the game is not found or has errors, there is nothing to learn, or the folder holds something else.
pub fn run(args: &LearnArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    if let Some(folder) = &args.out {
        may_write(folder, args.again)?;
    }
    let mut rules = load::game_or_default(args.game.as_deref(), &args.with.variants, library)?;
    // What is wrong with the rules, or was asked for and is not there, is told best by what every command loads with.
    load::program(&mut rules, &args.with, args.scenario.clone())?;
    let stack = rules.stack(&args.with.variants)?;
    let settings =
        Settings { setup: args.scenario.clone(), rulings: args.with.rulings.clone(), ..Settings::default() };
    let (mut ground, program) = Ground::new(&rules, &stack, settings)?;
    let seed = args.seed.unwrap_or_else(new_study_seed);
    let wish = Wish {
        seed,
        again: Words::learn(args, seed).to_string(),
        games: args.games,
        rounds: args.rounds,
        positions: POSITIONS,
        clauses: args.clauses,
        skill: args.players.clone(),
        sets: args.pairs,
    };
    let stop = simulate::interruptions()?;
    let mut bar = Bar(None);
    let hands = Hands { threads: simulate::threads(args.threads), stop: &stop };
    let learned = learn(&mut ground, &program, &wish, hands, &mut bar);
    bar.ends();
    let learned = learned.map_err(|trouble| match trouble {
        Trouble::Stopped => {
            console.note("nothing was learned and nothing written: it was stopped");
            Failure::Interrupted
        }
        Trouble::Rules(error) => error.into(),
        Trouble::Alone | Trouble::NoDecisions => Failure::Problem(trouble.to_string()),
        Trouble::NoEnd(ref unfinished) | Trouble::Nothing(_, ref unfinished) => {
            console.write_aside(unfinished_text(args, unfinished));
            Failure::Problem(trouble.to_string())
        }
        Trouble::Unsound(_) | Trouble::Bug => {
            console.error(trouble.to_string());
            Failure::Bug
        }
    })?;
    if let Some(folder) = &args.out {
        write(folder, args.again, &program.book.title, &ground, &learned)?;
    }
    if args.json {
        console.line(told(args, &program.book, &wish, &learned));
        return Ok(());
    }
    console.write(&learned.page);
    console.write_aside(unfinished_text(args, &learned.unfinished));
    if learned.duels.is_empty() {
        console.line("\nNo games were played by it: `--pairs 40` says whether it plays better.");
    }
    match &args.out {
        Some(folder) => {
            let path = shown(folder);
            console.line(format!("\n{} {path}/{PAGE}", paint(style::GOOD, "wrote")));
            let game = game_beside(args, folder, &rules, library);
            let command = Words::play_with(game.as_ref(), &args.with, &path, program.book.players.len());
            console.line(format!("  {}", paint(style::STRONG, command)));
        }
        None => console.line("\nThis is written nowhere: `--out FOLDER` makes a variant of it."),
    }
    Ok(())
}

/// What names the game where a variant in a folder is played; nothing if it is found without, by the folder or because it is
/// the one around here.
fn game_beside(args: &LearnArgs, folder: &Path, rules: &Rules, library: Option<&Path>) -> Option<String> {
    let found = load::loader(library).game_of(&[folder.to_string_lossy().into_owned()]);
    match found {
        Ok(Some(found)) if found.root == rules.root => return None,
        Ok(None) if args.game.is_none() => return None,
        Ok(_) | Err(_) => {}
    }
    // Without a name it was the game around here, or the one in the program.
    let around = || rules.root.as_ref().map(|root| shown(root));
    args.game.clone().or_else(around).or_else(|| blazon::default_game().map(|game| game.key))
}

/// The games that tell nothing, and how they are seen again.
fn unfinished_text(args: &LearnArgs, unfinished: &Unfinished) -> String {
    if unfinished.count() == 0 {
        return String::new();
    }
    let rows = unfinished.first.iter();
    let rows: Vec<_> =
        rows.map(|(row, skill)| (format!("game {}", row.game), row, again(args, row, skill))).collect();
    let head = format!(
        "{} of {} did not come to an end, and nothing was learned from them",
        grouped(unfinished.count()),
        counted(unfinished.played, "game")
    );
    format!("{}\n{}", paint(style::BAD, head), failed::list(&rows, unfinished.count()))
}

/// How a game is played again.
fn again(args: &LearnArgs, row: &Failed, skill: &Skill) -> String {
    let game = (args.game.as_ref(), &args.with);
    let words = Words::game(game, args.scenario.as_deref(), &skill.to_string(), row.seed);
    failed::again(words, row, LONGEST)
}

/// Shows how far it is, to people only.
struct Bar(Option<ProgressBar>);

impl Progress for Bar {
    fn begins(&mut self, what: &str, games: u64) {
        self.ends();
        let bar = simulate::bar(games);
        bar.set_message(format!(": {what}"));
        self.0 = Some(bar);
    }

    fn game(&mut self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    fn ends(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

/// Whether a folder is new, is empty, or holds a page that was learned and that nobody has changed, or may be written over
/// though somebody has; and whether it can be written.
///
/// # Errors
/// If it holds something that somebody wrote, or cannot be written.
fn may_write(folder: &Path, again: bool) -> Result<()> {
    let taken = |why: &str| {
        Err(Failure::Usage(format!("`{}` {why}; name another folder with `--out`", shown(folder))))
    };
    let page = folder.join(PAGE);
    if page.exists() {
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        if !text.starts_with(MARK) {
            return taken("has an outlook that was not learned");
        }
        if !again && !page::is_untouched(&text) {
            return taken(
                "has an outlook that somebody has changed since it was learned (`--again` writes over it)",
            );
        }
        return save_file::may_put(&page).map_err(Failure::Environment);
    }
    match std::fs::read_dir(folder).map(Iterator::count) {
        Ok(0) => save_file::may_put(&page).map_err(Failure::Environment),
        Ok(_) => taken("is there already, and nothing in it was learned"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            save_file::may_make(folder).map_err(Failure::Environment)
        }
        Err(error) => taken(&format!("cannot be written: {error}")),
    }
}

/// Writes the variant. A manifest that is there stays: it may have been given another name.
fn write(folder: &Path, again: bool, game: &str, ground: &Ground, learned: &Learned) -> Result<()> {
    may_write(folder, again)?;
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::Environment(format!("`{}` cannot be made: {error}", shown(folder))))?;
    let manifest = folder.join(MANIFEST);
    if !manifest.exists() {
        let text = page::manifest(&name_of(folder), game, ground.beneath());
        save_file::put(&manifest, &text).map_err(Failure::Environment)?;
    }
    save_file::put(&folder.join(PAGE), &learned.page).map_err(Failure::Environment)
}

/// The variant's name, from that of its folder.
fn name_of(folder: &Path) -> String {
    let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name =
        path.file_name().map(|name| name.to_string_lossy().replace(['-', '_'], " ")).unwrap_or_default();
    let mut letters = name.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "Learned".to_owned(),
    }
}

/// All that came of it, for programs.
fn told(args: &LearnArgs, book: &blazon_book::Book, wish: &Wish, learned: &Learned) -> serde_json::Value {
    let clauses = learned.clauses.iter().map(|(feature, weight)| {
        json!({
            "label": feature.label,
            "weight": weight,
            "text": feature.text,
            "condition": feature.is_condition,
        })
    });
    let duels = learned.duels.iter().map(|duel| {
        let (least, most) = duel.interval();
        json!({
            "against": duel.against,
            "games": duel.games,
            "won": duel.won,
            "nobody": duel.nobody,
            "failed": duel.failed,
            "share": duel.share(),
            "interval": [least, most],
            "verdict": duel.verdict().word(),
        })
    });
    let origin = &learned.origin;
    let failed = learned.unfinished.first.iter().map(|(row, skill)| {
        json!({ "game": row.game, "seed": row.seed, "why": failed::why(row), "again": again(args, row, skill) })
    });
    json!({
        "schema": 1,
        "game": book.title,
        "version": book.version,
        "variants": book.variants,
        "setup": book.setups.get(book.default_setup).map(|setup| &setup.name),
        "seed": wish.seed,
        "games": origin.games,
        "played": learned.unfinished.played,
        "faults": learned.unfinished.faults,
        "limits": learned.unfinished.limits,
        "failed": failed.collect::<Vec<_>>(),
        "rounds": origin.players,
        "candidates": learned.candidates.0,
        "telling": learned.candidates.1,
        "clauses": clauses.collect::<Vec<_>>(),
        "held": {
            "games": origin.held.games,
            "loss": origin.held.loss,
            "blind_loss": origin.held.blind_loss,
            "right": origin.held.right,
            "blind_right": origin.held.blind_right,
        },
        "duels": duels.collect::<Vec<_>>(),
        "replaces": learned.replaces,
        "out": args.out,
        "page": learned.page,
    })
}

/// Who plays, as it is asked for: a player made of code that looks at outlooks, or random.
///
/// # Errors
/// In words, if there is no such player, or the rule it judges by is named: that is what is learned.
pub fn skill(text: &str) -> std::result::Result<Skill, String> {
    let skill: Skill = text.parse()?;
    match skill.outlook {
        Some(_) => Err("by which rule positions are judged is what is learned; leave `:rule` out".to_owned()),
        None => Ok(skill),
    }
}
