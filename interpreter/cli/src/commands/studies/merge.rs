//! `blazon merge`: puts the parts of a run together, and tells what the command for the whole of it would tell.
//!
//! Parts come from other machines, perhaps from strangers. Their words say which command they are of; it is read as if it
//! were typed here, but it names no folder, and writes nothing: what is read and written is said on the command line of
//! this one.

use std::fs;
use std::path::{Path, PathBuf};

use blazon::shown;
use blazon_study::part::{Clash, Contents, Damage, ENDING, Manifest, Part, Run, Shelf, What, is_manifest};
use clap::Parser;

use crate::args::{Args, Command, CompareArgs, MergeArgs, WithArgs};
use crate::commands::studies::{compare, ladder, simulate};
use crate::console::{Console, harmless};
use crate::exit::{Failure, Result};
use crate::figures::{grouped, joined};
use crate::words::Words;

/// What says what is there.
const MANIFEST: &str = "manifest.json";
/// So many of a sort are told one by one.
const TOLD: usize = 8;

/// Puts parts together.
///
/// # Errors
/// If parts are missing, damaged, or differ; if they are of other rules than those that lie here; or if something cannot be
/// written.
pub fn run(args: &MergeArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let shelf = look(&args.parts)?;
    let runs = shelf.runs();
    write_manifest(&args.parts[0], &Manifest::new(&runs, shelf.damaged()))?;
    for damaged in shelf.damaged().iter().take(TOLD) {
        console.note(format!("`{}` counts for nothing: {}", harmless(&damaged.file), harmless(&damaged.why)));
    }
    let run = chosen(args, &runs)?;
    if args.look && args.json {
        console.line(listed(run));
    } else if args.look {
        console.write(told(run));
    }
    agree(run)?;
    if !args.so_far {
        whole(run)?;
    }
    if args.look {
        return Ok(());
    }
    let kept = Kept { run, so_far: args.so_far };
    let command = command(args, run)?;
    if let Command::Simulate(asked) = &command {
        return simulate::merged(asked, &kept, args.data.clone(), library, console);
    }
    if let Command::Compare(asked) = &command {
        return compare::merged(asked, &kept, library, console);
    }
    if let Command::Ladder(asked) = &command {
        return ladder::merged(asked, &kept, library, console);
    }
    Err(no_command(run))
}

/// All parts in some folders.
fn look(folders: &[PathBuf]) -> Result<Shelf> {
    let mut shelf = Shelf::default();
    for folder in folders {
        let cannot = |error: std::io::Error| {
            Failure::Environment(if error.kind() == std::io::ErrorKind::NotFound {
                format!("there is no folder `{}`", shown(folder))
            } else if folder.is_file() {
                format!("`{}` is no folder; parts lie in one", shown(folder))
            } else {
                format!("`{}` cannot be read: {error}", shown(folder))
            })
        };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) && path.is_file() {
                files.push(path);
            }
        }
        files.sort();
        for path in files {
            let read = fs::read(&path).map_err(|error| {
                Failure::Environment(format!("`{}` cannot be read: {error}", shown(&path)))
            })?;
            let Some(name) = path.to_str() else {
                return Err(Failure::Environment(format!(
                    "the name of `{}` is no text in UTF-8, as manifest.json needs it: give it another",
                    shown(&path)
                )));
            };
            // The bytes are not kept: they are read again when they are added up.
            shelf.add(name.to_owned(), Part::from_bytes(&read).map(|part| part.head));
        }
    }
    Ok(shelf)
}

fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<()> {
    let path = folder.join(MANIFEST);
    if path.exists() && !fs::read_to_string(&path).is_ok_and(|text| is_manifest(&text)) {
        return Err(Failure::Environment(format!(
            "`{}` is there already and tells of no parts; the parts need a folder of their own",
            shown(&path)
        )));
    }
    crate::save_file::put(&path, manifest.text()).map_err(Failure::Environment)
}

/// The run that is meant.
fn chosen<'r>(args: &MergeArgs, runs: &'r [Contents]) -> Result<&'r Contents> {
    let folders: Vec<String> = args.parts.iter().map(|folder| shown(folder)).collect();
    let folders = blazon_diagnostics::list(&folders, "and");
    let wanted = args.run.as_deref().unwrap_or_default();
    let mut found = runs.iter().filter(|run| run.key.starts_with(wanted));
    match (found.next(), found.next()) {
        (Some(run), None) => Ok(run),
        (None, _) if runs.is_empty() => Err(Failure::Usage(format!(
            "there are no parts in {folders}: `blazon simulate … --from 0 --count 1000 --parts FOLDER` makes one"
        ))),
        (first, _) => {
            let what =
                if first.is_none() { "no run's key begins so" } else { "there are parts of several runs" };
            let runs = runs.iter().map(|run| format!("\n  --run {}   {}", run.key, words(run)));
            Err(Failure::Usage(format!("{what}; in {folders} there are{}", runs.collect::<String>())))
        }
    }
}

/// What is there, for people.
fn told(run: &Contents) -> String {
    let counts = run.run.what.counts();
    let there: u64 = run.parts.iter().map(|part| part.count).sum();
    let twice = run.parts.iter().filter(|part| part.copies > 1).count();
    format!(
        "{} {}: {} of {} {counts} in {} parts, {} of them there more than once and the same\n",
        run.run.what,
        run.key,
        grouped(there),
        grouped(run.of),
        grouped(run.parts.len() as u64),
        grouped(twice as u64)
    )
}

/// What is there, for programs: as `manifest.json` has it.
fn listed(run: &Contents) -> serde_json::Value {
    let mut told = serde_json::json!(run);
    told["schema"] = 1.into();
    told
}

/// Whether nothing differs.
fn agree(run: &Contents) -> Result<()> {
    if run.differs.is_empty() {
        return Ok(());
    }
    let told = run.differs.iter().take(TOLD).map(clash);
    let is_other = run.differs.iter().any(|clash| clash.same_block);
    let mend = match is_other {
        // Which of the two is right nobody can tell from here.
        true => "\nplay the block again with --again, to see which of the two is right",
        false => "\nmove one of the two elsewhere: what both have is to count once",
    };
    Err(Failure::Problem(format!("parts do not go together:{}{mend}", told.collect::<String>())))
}

/// Whether all is there. Of a comparison what is missing at the end may not be needed.
fn whole(run: &Contents) -> Result<()> {
    let counts = run.run.what.counts();
    let begins = run.parts.last().map_or(0, |part| part.from + part.count);
    let needed = |&&(from, _): &&(u64, u64)| run.run.what != What::Compare || from < begins;
    let missing: Vec<_> = run.missing.iter().filter(needed).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let told = missing.iter().take(TOLD).map(|&&(from, count)| block(run, from, count));
    let more = missing.len().saturating_sub(TOLD);
    let more =
        if more > 0 { format!("\n  and {more} more: manifest.json has them all") } else { String::new() };
    let all: u64 = missing.iter().map(|(_, count)| count).sum();
    Err(Failure::Problem(format!(
        "{} of {} {counts} are missing (--so-far tells of the others):{}{more}",
        grouped(all),
        grouped(run.of),
        told.collect::<String>()
    )))
}

/// What is typed to play a block of a run, on a line of its own.
fn block(run: &Contents, from: u64, count: u64) -> String {
    format!("\n  {} --from {from} --count {count} --parts FOLDER", words(run))
}

fn clash(clash: &Clash) -> String {
    let [one, other] = clash.files.each_ref().map(|file| harmless(file));
    match clash.same_block {
        true => format!("\n  `{one}` and `{other}` are the same block and not the same bytes"),
        false => {
            format!("\n  `{one}` and `{other}` overlap in {} numbers from {} on", clash.count, clash.from)
        }
    }
}

/// The command that the parts are of, with what this command line says.
fn command(args: &MergeArgs, run: &Contents) -> Result<Command> {
    let mut read = read(run, &run.words)?;
    let mend = |game: &mut Option<String>, given: &Option<String>, with: &mut WithArgs| {
        if given.is_some() {
            game.clone_from(given);
        }
        if !args.with.variants.is_empty() {
            with.variants.clone_from(&args.with.variants);
        }
        if !args.with.rulings.is_empty() {
            with.rulings.clone_from(&args.with.rulings);
        }
        names_no_folder("--game", game.as_deref().filter(|_| given.is_none()))?;
        let mut variants = with.variants.iter().filter(|_| args.with.variants.is_empty());
        variants.try_for_each(|variant| names_no_folder("-V", Some(variant)))
    };
    if let Command::Simulate(asked) = &mut read.command {
        mend(&mut asked.game, &args.game, &mut asked.with)?;
        (asked.out, asked.data.data) = (args.out.clone(), None);
        (asked.coverage, asked.block) = (Default::default(), Default::default());
        asked.json = args.json;
    } else if let Command::Compare(asked) = &mut read.command {
        mend(&mut asked.game, &args.game, &mut asked.with)?;
        names_no_folder("--base", asked.base.as_deref().filter(|_| args.base.is_none()))?;
        if args.base.is_some() {
            asked.base.clone_from(&args.base);
        }
        if args.beneath.is_empty() {
            asked.beneath.iter().try_for_each(|variant| names_no_folder("--beneath", Some(variant)))?;
        } else {
            asked.beneath.clone_from(&args.beneath);
        }
        asked.report.clone_from(&args.report);
        asked.blame = args.blame.unwrap_or(asked.blame);
        judge(args, run, asked)?;
        asked.block = Default::default();
        asked.json = args.json;
    } else if let Command::Ladder(asked) = &mut read.command {
        mend(&mut asked.game, &args.game, &mut asked.with)?;
        asked.out.clone_from(&args.out);
        asked.block = Default::default();
        asked.json = args.json;
    } else {
        return Err(no_command(run));
    }
    unused(args, run.run.what)?;
    Ok(read.command)
}

/// What the words of a part say.
fn read(run: &Contents, words: &[String]) -> Result<Args> {
    // Tables are asked for where they are kept.
    let block = ["--from", "0", "--count", "1", "--parts", "."];
    let asked = ["blazon"].into_iter().chain(words.iter().map(String::as_str)).chain(block);
    match Args::try_parse_from(asked) {
        Ok(read) if read.library.is_none() => Ok(read),
        Ok(_) | Err(_) => Err(no_command(run)),
    }
}

/// By what a comparison is judged: as this command line says, else as all its parts do.
fn judge(args: &MergeArgs, run: &Contents, asked: &mut CompareArgs) -> Result<()> {
    let mut said = Vec::new();
    for words in &run.said {
        let Command::Compare(part) = read(run, words)?.command else { return Err(no_command(run)) };
        // All pairs are told of where one part asks for that.
        asked.all |= part.all;
        let measures = (args.points.unwrap_or(part.points), args.error.unwrap_or(part.error));
        if !said.contains(&measures) {
            said.push(measures);
        }
    }
    match said[..] {
        [(points, error)] => {
            (asked.points, asked.error) = (points, error);
            Ok(())
        }
        _ => {
            let told: Vec<String> =
                said.iter().map(|(points, error)| format!("--points {points} --error {error}")).collect();
            Err(Failure::Usage(format!(
                "the parts are to be judged otherwise than each other: {}; say which it is",
                joined(&told, "or")
            )))
        }
    }
}

/// What was asked for that there is not.
fn unused(args: &MergeArgs, what: What) -> Result<()> {
    let asked = [
        (
            "--data",
            args.data.is_some(),
            what == What::Simulate,
            "only the parts of `blazon simulate` keep tables",
        ),
        ("--out", args.out.is_some(), what != What::Compare, "a comparison is written by --report or --json"),
        ("--report", args.report.is_some(), what == What::Compare, "reports are made of `blazon compare`"),
        ("--points", args.points.is_some(), what == What::Compare, "only a comparison says what matters"),
        (
            "--error",
            args.error.is_some(),
            what == What::Compare,
            "only a comparison says how often it may be wrong",
        ),
        (
            "--blame",
            args.blame.is_some(),
            what == What::Compare,
            "only a comparison looks for what is to blame",
        ),
        ("--base", args.base.is_some(), what == What::Compare, "only a comparison has rules as they were"),
        (
            "--beneath",
            !args.beneath.is_empty(),
            what == What::Compare,
            "only a comparison has rules as they were",
        ),
    ];
    match asked.into_iter().find(|(_, is_asked, is_there, _)| *is_asked && !is_there) {
        Some((option, _, _, why)) => {
            Err(Failure::Usage(format!("{option}: these are parts of `blazon {what}`; {why}")))
        }
        None => Ok(()),
    }
}

/// Whether what a part names is a name and no way to a folder somewhere.
fn names_no_folder(option: &str, name: Option<&str>) -> Result<()> {
    let is_name = |name: &str| {
        !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':']) && !name.contains('~')
    };
    match name.filter(|name| !is_name(name)) {
        None => Ok(()),
        Some(name) => Err(Failure::Usage(format!(
            "the parts were played by the rules in `{}`; say where these lie here ({option} PATH)",
            harmless(name)
        ))),
    }
}

/// The command for the whole of a run, harmless to show.
fn words(run: &Contents) -> String {
    harmless(&Words(run.words.clone()).to_string())
}

fn no_command(run: &Contents) -> Failure {
    Failure::Problem(format!(
        "the parts of {} do not say which command they are of: `{}` is none that plays games",
        run.key,
        words(run)
    ))
}

/// The parts of a run, one file for each block.
pub struct Kept<'r> {
    run: &'r Contents,
    /// Whether it is told of what is there, if something is missing.
    pub so_far: bool,
}

impl Kept<'_> {
    /// Whether they are of a run.
    ///
    /// # Errors
    /// If they are of other rules, players or seeds.
    pub fn are_of(&self, here: &Run) -> Result<()> {
        let there = &self.run.run;
        if here.key() == self.run.key {
            return Ok(());
        }
        let mut why = Vec::new();
        if there.blazon != here.blazon {
            why.push(format!("Blazon {} there, {} here", there.blazon, here.blazon));
        }
        for (there, here) in there.rules.iter().zip(&here.rules) {
            let name = format!("{} {}", there.game, there.version);
            if there.digest != here.digest || there.game != here.game {
                why.push(format!("the rules of {name} have other words here"));
            } else if there.pages != here.pages {
                why.push(format!("the pages of {name} have other comments, lines or names here"));
            } else if there != here {
                why.push(format!("{name} was played with other variants, rulings or setups"));
            }
        }
        if why.is_empty() {
            why.push("the players, seeds or tables are not the same".to_owned());
        }
        Err(Failure::Usage(format!(
            "the parts of {} are not of the rules that lie here: {}",
            self.run.key,
            harmless(&why.join("; "))
        )))
    }

    /// How many games or pairs there are in all.
    pub fn of(&self) -> u64 {
        self.run.of
    }

    /// What is typed to play the block that comes after those that go on from the first, as large as the last of them.
    pub fn next(&self) -> Option<String> {
        let &(from, missing) = self.run.missing.first()?;
        let before = self.run.parts.iter().rfind(|part| part.from < from);
        Some(block(self.run, from, before.map_or(missing, |part| part.count.min(missing))))
    }

    /// The run.
    pub fn run(&self) -> &Run {
        &self.run.run
    }

    /// Hands over all parts in order, until `take` answers that it has enough.
    ///
    /// # Errors
    /// If one cannot be read any more or is not what it was, or `take` fails.
    pub fn each(&self, mut take: impl FnMut(Part) -> Result<bool>) -> Result<()> {
        let mut next = 0;
        for listed in &self.run.parts {
            if listed.from != std::mem::replace(&mut next, listed.from + listed.count)
                && self.run.run.what == What::Compare
            {
                // The test looks at the pairs in their order.
                break;
            }
            let changed = |why: String| {
                Failure::Environment(format!(
                    "`{}` has changed while it was read: {why}",
                    harmless(&listed.file)
                ))
            };
            let bytes = fs::read(&listed.file).map_err(|error| changed(error.to_string()))?;
            let part = Part::from_bytes(&bytes).map_err(|damage| changed(damage.to_string()))?;
            if part.head.sha256 != listed.sha256 {
                return Err(changed("its hash is another".to_owned()));
            }
            if !take(part)? {
                break;
            }
        }
        Ok(())
    }
}

/// What to say of a part whose sums are not of its rules.
pub fn strange(part: &Part, damage: Option<Damage>) -> Failure {
    let why = damage.map_or_else(|| "its sums are of other rules".to_owned(), |damage| damage.to_string());
    Failure::Problem(format!("`{}` is no part of this run: {}", part.head.file_name(), harmless(&why)))
}
