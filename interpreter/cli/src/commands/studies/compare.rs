//! `blazon compare`: what a change of the rules does to the game.

mod json;
mod report;
mod sides;
mod text;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use blazon_book::Book;
use blazon_machine::bots::Skill;
use blazon_study::Plan;
use blazon_study::compare::{Cause, Causes, Contest, Ended, Found, Parting, Rows, SIDES, Sums, usual_pairs};
use blazon_study::part::Run;
use blazon_study::stats::Certainty;
use blazon_study::tables::{self, Batch, Manifest, Part, Schema};
use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::args::CompareArgs;
use crate::blocks::{self, Block};
use crate::commands::studies::merge::{Kept, strange};
use crate::commands::studies::simulate::{bar_of, interruptions, threads};
use crate::commands::writing::test::pool;
use crate::console::Console;
use crate::data::{self, Tables};
use crate::exit::{Failure, Result};
use crate::figures::{counted, grouped};
use crate::seats::{may_judge, twins};
use crate::seed::new_study_seed;
use crate::words::Words;

pub use sides::Sides;

/// So many pairs that part share the rules that are tried to find what is to blame; the same on any number of cores.
const TOGETHER: usize = 64;

/// What was found at one level of players.
pub struct Level {
    /// Who played.
    pub player: Skill,
    /// How games were played, by the rules as they were and by the changed ones.
    pub plans: [Plan; 2],
    /// The most pairs.
    pub most: u64,
    /// What came of it.
    pub found: Found,
    /// What is to blame for where pairs part, how often, of so many.
    pub causes: BTreeMap<Cause, u64>,
    /// Of how many pairs that part this was found out.
    pub blamed: u64,
    /// Whether somebody stopped it before it was found out of all that were to be looked at.
    pub cut: bool,
}

impl Level {
    /// Whether there is less of it than was asked for: it was stopped, or given up.
    pub fn is_cut(&self) -> bool {
        self.cut || self.found.ended != Ended::Done
    }
}

/// Compares.
///
/// # Errors
/// If the rules are not found or have errors, or it is interrupted.
pub fn run(args: &CompareArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    if let Some(path) = &args.report {
        report::may_be_written(path)?;
    }
    let mut sides = Sides::of(args, library)?;
    if let Some((other, player)) = twins(&args.levels) {
        let is = if other == player { "is named twice".to_owned() } else { format!("plays as `{other}`") };
        return Err(Failure::Usage(format!("`{player}` {is} (--levels): it would play the same games")));
    }
    for player in &args.levels {
        may_judge(&sides.base.book, player)?;
        may_judge(&sides.changed.book, player)?;
    }
    let seed = args.seed.unwrap_or_else(new_study_seed);
    let stop = interruptions()?;
    if args.block.parts.is_some() || args.block.describe {
        return block(args, &sides, seed, &stop, console);
    }
    if args.data.data.is_some() {
        only_level(args, "the tables of a run are")?;
    }
    let mut levels: Vec<Level> = Vec::new();
    for player in &args.levels {
        let table = Contested::of(args, &sides, seed, player);
        let found = match args.data.data {
            Some(_) => table.play_telling(&sides, &stop, console)?,
            None => table.play(&sides, None, &stop, &mut |_| Ok(()))?,
        };
        let level = table.level(found, &sides, &stop)?;
        tell(args, &sides, seed, &level, levels.is_empty(), console);
        // Levels that nobody waits for any more are not played, nor after a bug of ours.
        let is_cut = level.is_cut();
        levels.push(level);
        if is_cut || stop.load(Ordering::Relaxed) > 0 {
            break;
        }
    }
    end(args, &mut sides, seed, &levels, console)
}

/// Tells of pairs that were played in blocks: as many of them as it takes to be sure.
///
/// # Errors
/// As [`run`], and if the parts are of other rules than those that lie here, or end before it is sure.
pub fn merged(args: &CompareArgs, kept: &Kept, library: Option<&Path>, console: &Console) -> Result<()> {
    if let Some(path) = &args.report {
        report::may_be_written(path)?;
    }
    let mut sides = Sides::of(args, library)?;
    let (seed, player) = (args.seed.unwrap_or_default(), only_level(args, "a block is")?);
    let table = Contested::of(args, &sides, seed, player);
    kept.are_of(&table.run(&sides))?;
    let contest = table.contest(&sides);
    let mut found = contest.nothing();
    let bar = bar_of(table.pairs, "pairs");
    kept.each(|part| {
        let blocks: Vec<Sums> = part.sums().map_err(|damage| strange(&part, Some(damage)))?;
        for block in &blocks {
            if !block.fits(&found.sums) {
                return Err(strange(&part, None));
            }
            if !contest.is_done(&found) {
                found.add(block, &contest.base.book.players, &contest.certainty);
                table.seen(&bar, &sides, &found);
            }
        }
        Ok(!contest.is_done(&found))
    })?;
    bar.finish_and_clear();
    if !contest.is_done(&found) && found.sums.pairs < table.pairs && !kept.so_far {
        let why = if args.all { "all pairs are asked for (--all)" } else { "it is not sure yet" };
        return Err(Failure::Problem(format!(
            "{why}, and the parts end after {} (--so-far tells of them); of {} in all there comes next:{}",
            counted(found.sums.pairs, "pair"),
            grouped(table.pairs),
            kept.next().unwrap_or_default()
        )));
    }
    let stop = interruptions()?;
    let level = table.level(found, &sides, &stop)?;
    tell(args, &sides, seed, &level, true, console);
    end(args, &mut sides, seed, &[level], console)
}

/// The object for programs of two rule sets that are at hand; `seen` is told how many pairs there are.
///
/// # Errors
/// If the rules cannot begin a game.
pub fn told(
    args: &CompareArgs,
    sides: &Sides,
    seed: u64,
    stop: &AtomicUsize,
    seen: &mut dyn FnMut(u64),
) -> Result<serde_json::Value> {
    let mut levels = Vec::new();
    for player in &args.levels {
        let table = Contested::of(args, sides, seed, player);
        let played = table.contest(sides).play(stop, &mut |found, _| {
            seen(found.sums.pairs);
            true
        });
        let found = played.map_err(|fault| blazon::Error::fault(fault, &sides.base.book.sources))?;
        if found.ended == Ended::Bug {
            return Err(Failure::Bug);
        }
        levels.push(table.level(found, sides, stop)?);
    }
    Ok(json::told(args, sides, seed, &levels))
}

/// The level of what there can be one level of: a block, or tables.
fn only_level<'a>(args: &'a CompareArgs, what: &str) -> Result<&'a Skill> {
    match &args.levels[..] {
        [player] => Ok(player),
        levels => Err(Failure::Usage(format!(
            "{what} of one level, and {} are asked for: name one (--levels greedy), and play each by itself",
            levels.len()
        ))),
    }
}

/// Plays a block and keeps its part.
fn block(args: &CompareArgs, sides: &Sides, seed: u64, stop: &AtomicUsize, console: &Console) -> Result<()> {
    if !args.data.tables.is_empty() {
        return Err(Failure::Usage(
            "the parts of a comparison keep no tables: ask for --data without --parts, of fewer pairs"
                .to_owned(),
        ));
    }
    let table = Contested::of(args, sides, seed, only_level(args, "a block is")?);
    let contest = table.contest(sides);
    let run = table.run(sides);
    if blocks::describe(&args.block, &run, table.pairs, contest.block(), console) {
        return Ok(());
    }
    let Some(block) = Block::of(&args.block, run, table.pairs, contest.block())? else {
        return Ok(());
    };
    block.keep(Words::compare(args, seed).0, args.json, console, || {
        let bar = bar_of(block.numbers.end - block.numbers.start, "pairs");
        let mut blocks: Vec<Sums> = Vec::new();
        let played = contest.blocks(block.numbers.clone(), stop, &mut |block| {
            bar.inc(block.sums.pairs);
            blocks.push(block.sums);
            true
        });
        bar.finish_and_clear();
        played.map_err(|fault| blazon::Error::fault(fault, &sides.base.book.sources))?;
        let pairs: u64 = blocks.iter().map(|block| block.pairs).sum();
        match pairs == block.numbers.end - block.numbers.start {
            true => Ok((blocks, Vec::new())),
            false if stop.load(Ordering::Relaxed) > 0 => Err(Failure::Interrupted),
            false => Err(Failure::Bug),
        }
    })
}

/// Tells of a level.
fn tell(args: &CompareArgs, sides: &Sides, seed: u64, level: &Level, is_first: bool, console: &Console) {
    if args.json {
        return;
    }
    if is_first {
        console.write(text::heading(args, sides, seed));
    }
    console.write(text::level(args, sides, level));
}

/// Tells of all levels, and writes the report.
fn end(args: &CompareArgs, sides: &mut Sides, seed: u64, levels: &[Level], console: &Console) -> Result<()> {
    if args.json {
        console.line(json::told(args, sides, seed, levels));
    } else {
        console.write(text::agreement(args, sides, levels));
    }
    let closed = close(levels, &missing(args, levels));
    if let Some(path) = &args.report {
        // What was found before it was interrupted is worth a report, but not in the place of a whole one.
        if matches!(closed, Err(Failure::Interrupted)) && path.is_file() {
            let path = blazon::shown(path);
            console.note(format!("`{path}` is as it was: this comparison was interrupted"));
        } else {
            report::write(path, args, sides, seed, levels, console)?;
        }
    }
    closed
}

/// What is compared at one level.
struct Contested<'a> {
    args: &'a CompareArgs,
    player: &'a Skill,
    plans: [Plan; 2],
    /// The most pairs.
    pairs: u64,
}

impl<'a> Contested<'a> {
    fn of(args: &'a CompareArgs, sides: &Sides, seed: u64, player: &'a Skill) -> Self {
        let pairs = args.pairs.unwrap_or_else(|| usual_pairs(player));
        Self { args, player, plans: sides.plans(args, seed, player), pairs }
    }

    fn contest(&self, sides: &Sides) -> Contest<'_> {
        Contest {
            base: sides.base.clone(),
            changed: sides.changed.clone(),
            base_plan: &self.plans[0],
            changed_plan: &self.plans[1],
            pairs: self.pairs,
            certainty: certainty(self.args),
            until_sure: !self.args.all,
            threads: threads(self.args.threads),
            rows: None,
        }
    }

    /// Plays, and hands the rows of each game to `told`; where that fails, it goes no further.
    fn play(
        &self,
        sides: &Sides,
        rows: Option<Rows<'_>>,
        stop: &AtomicUsize,
        told: &mut dyn FnMut(Vec<Batch>) -> Result<()>,
    ) -> Result<Found> {
        let bar = bar_of(self.pairs, "pairs");
        let mut trouble = None;
        let contest = Contest { rows, ..self.contest(sides) };
        let played = contest.play(stop, &mut |found, games| {
            self.seen(&bar, sides, found);
            trouble = games.into_iter().try_for_each(&mut *told).err();
            trouble.is_none()
        });
        bar.finish_and_clear();
        let found = played.map_err(|fault| blazon::Error::fault(fault, &sides.base.book.sources))?;
        trouble.map_or(Ok(found), Err)
    }

    /// Plays, and writes tables of the games.
    fn play_telling(&self, sides: &Sides, stop: &AtomicUsize, console: &Console) -> Result<Found> {
        let books: [&Book; 2] = [&sides.base.book, &sides.changed.book];
        let of = |side: usize| tables::Side { book: books[side], rounds: &self.plans[side].rounds };
        let schema = Schema::new(&[of(0), of(1)]);
        let mut tables = Tables::begin(None, &self.args.data, schema.clone(), |format| {
            let part =
                |side: usize| Part { side: Some(SIDES[side]), book: books[side], plan: &self.plans[side] };
            Manifest::new(data::command(), format, 2 * self.pairs, &[part(0), part(1)])
        })?;
        let wanted = tables.wanted().to_vec();
        let rows = Rows { schema: &schema, wanted: &wanted };
        let told = self.play(sides, Some(rows), stop, &mut |batches| tables.add(batches)).and_then(|found| {
            tables.finish(2 * found.sums.pairs, found.ended != Ended::Done)?;
            Ok(found)
        });
        if let (Err(_), Some(left)) = (&told, tables.left()) {
            console.note(left);
        }
        told
    }

    fn run(&self, sides: &Sides) -> Run {
        Run::of_pairs((&sides.base.book, &self.plans[0]), (&sides.changed.book, &self.plans[1]))
    }

    /// Shows those who wait how it looks by now.
    fn seen(&self, bar: &ProgressBar, sides: &Sides, found: &Found) {
        bar.set_position(found.sums.pairs);
        bar.set_message(present(sides, found));
    }

    /// Finds what is to blame.
    fn level(self, mut found: Found, sides: &Sides, stop: &AtomicUsize) -> Result<Level> {
        if self.args.apart {
            // On luck of their own all pairs part, and nothing is to blame.
            found.sums.parted.clear();
        }
        let most = found.sums.parted.len().min(self.args.blame);
        let causes = causes(sides, &self.plans[1], &found, (most, self.args.threads), stop)?;
        let blamed = causes.values().sum();
        let cut = blamed < most as u64;
        let player = self.player.clone();
        Ok(Level { player, plans: self.plans, most: self.pairs, found, causes, blamed, cut })
    }
}

/// When it is sure.
pub fn certainty(args: &CompareArgs) -> Certainty {
    Certainty { matters: args.points / 100.0, error: args.error / 100.0 }
}

/// How it looks by now, for those who wait.
fn present(sides: &Sides, found: &Found) -> String {
    let book = &sides.base.book;
    let things = &book.kind(book.player).things;
    let first = found.sums.differences.first().zip(found.intervals.first());
    let Some(((counts, interval), &player)) = first.zip(book.players.first()) else {
        return String::new();
    };
    let name = things.get(player as usize).map_or("", |thing| thing.name.as_str());
    crate::console::harmless(&format!(
        "; {name} {:+.1} points ({:+.1} to {:+.1})",
        counts.mean() * 100.0,
        interval.least * 100.0,
        interval.most * 100.0
    ))
}

/// What is to blame for where the first pairs part, on so many threads.
fn causes(
    sides: &Sides,
    plan: &Plan,
    found: &Found,
    (most, threads): (usize, Option<u16>),
    stop: &AtomicUsize,
) -> Result<BTreeMap<Cause, u64>> {
    let bar: ProgressBar = bar_of(most as u64, "partings");
    let of = |some: &[(u64, Parting)]| {
        let mut causes = Causes::new(&sides.change, &sides.settings, &sides.changed.book, plan);
        let mut counted: BTreeMap<Cause, u64> = BTreeMap::new();
        for &(game, parting) in some {
            if stop.load(Ordering::Relaxed) > 0 {
                break;
            }
            *counted.entry(causes.of(game, parting)).or_default() += 1;
            bar.inc(1);
        }
        counted
    };
    let parted = &found.sums.parted[..most];
    let parts: Vec<_> = pool(threads)?.install(|| parted.par_chunks(TOGETHER).map(of).collect());
    bar.finish_and_clear();
    let mut all = BTreeMap::new();
    for (cause, count) in parts.into_iter().flatten() {
        *all.entry(cause).or_default() += count;
    }
    Ok(all)
}

/// The levels that were asked for and did not come up.
fn missing(args: &CompareArgs, levels: &[Level]) -> Vec<String> {
    args.levels.iter().skip(levels.len()).map(ToString::to_string).collect()
}

/// How it all ends, where these levels did not come up.
fn close(levels: &[Level], missing: &[String]) -> Result<()> {
    if levels.iter().any(|level| level.found.ended == Ended::Bug) {
        return Err(Failure::Bug);
    }
    if !missing.is_empty() || levels.iter().any(Level::is_cut) {
        return Err(Failure::Interrupted);
    }
    let failed = |level: &Level| level.found.sums.sides.iter().any(|side| side.tally.broken() > 0);
    if levels.iter().any(failed) { Err(Failure::Problems) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Args, Command};

    /// Whoever stops it while it is looked for what is to blame has not been told all, though all pairs were played.
    #[test]
    fn who_stops_the_search_for_the_blame_has_stopped_it() {
        let (args, mut sides) =
            asked("blazon compare richard-iii -V spies --levels random -n 64 --seed 7 -j 1");
        let level = |sides: &Sides, stop: usize, play_stop: usize| {
            let table = Contested::of(&args, sides, 7, &args.levels[0]);
            let played = table.contest(sides).play(&AtomicUsize::new(play_stop), &mut |_, _| true);
            table.level(played.expect("games"), sides, &AtomicUsize::new(stop)).expect("threads")
        };
        let whole = level(&sides, 0, 0);
        assert!(!whole.is_cut() && whole.found.sums.pairs == 64 && whole.blamed > 0);
        assert!(close(std::slice::from_ref(&whole), &[]).is_ok());
        let cut = level(&sides, 1, 0);
        assert!(cut.is_cut() && cut.found.ended == Ended::Done && cut.found.sums.pairs == 64);
        assert_eq!(
            json::told(&args, &sides, 7, std::slice::from_ref(&cut))["levels"][0]["interrupted"],
            true
        );
        assert!(
            text::level(&args, &sides, &cut)
                .contains("it was stopped before which lines do it was found out")
        );
        assert!(matches!(close(std::slice::from_ref(&cut), &[]), Err(Failure::Interrupted)));
        let page = page(&args, &mut sides, &[cut]);
        for words in [STOPPED, "before it had been tried which lines all of them part at"] {
            assert!(page.contains(words), "{words}: {page}");
        }
        let bug = Level { found: Found { ended: Ended::Bug, ..whole.found.clone() }, ..whole };
        assert!(matches!(close(&[bug], &[]), Err(Failure::Bug)));
        assert_eq!(level(&sides, 0, 1).found.ended, Ended::Interrupted);
    }

    /// Whoever stops it after one level and before the next is told which are missing, wherever it is told.
    #[test]
    fn levels_that_did_not_come_up_are_told() {
        let (args, mut sides) =
            asked("blazon compare richard-iii -V spies --levels random,greedy -n 4 --all -j 1");
        let table = Contested::of(&args, &sides, 7, &args.levels[0]);
        let played = table.contest(&sides).play(&AtomicUsize::new(0), &mut |_, _| true);
        let level = table.level(played.expect("games"), &sides, &AtomicUsize::new(0)).expect("threads");
        assert!(!level.is_cut(), "what was played is whole");
        let levels = [level];
        assert_eq!(missing(&args, &levels), ["greedy"]);
        assert!(matches!(close(&levels, &missing(&args, &levels)), Err(Failure::Interrupted)));
        assert_eq!(json::told(&args, &sides, 7, &levels)["missing"], serde_json::json!(["greedy"]));
        assert!(text::agreement(&args, &sides, &levels).contains("It was stopped before greedy had played."));
        let page = page(&args, &mut sides, &levels);
        for words in [STOPPED, "there is nothing here of greedy as players"] {
            assert!(page.contains(words), "{words}: {page}");
        }
    }

    /// What a report says that is not of all that was asked for.
    const STOPPED: &str = "This report was stopped before it was done";

    fn asked(words: &str) -> (CompareArgs, Sides) {
        let read = Args::try_parse_from(words.split(' ')).expect("a command");
        let Command::Compare(args) = read.command else { panic!("{words}") };
        let sides = Sides::of(&args, None).expect("sound rules");
        (args, sides)
    }

    fn page(args: &CompareArgs, sides: &mut Sides, levels: &[Level]) -> String {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("out.html");
        report::write(&path, args, sides, 7, levels, &Console::new(crate::console::Color::Never))
            .expect("a report");
        std::fs::read_to_string(path).expect("a report")
    }
}
