//! `blazon ladder`: how strong programs are that play a game.

use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use blazon_program::Program;
use blazon_study::Plan;
use blazon_study::ladder::{Ladder, Meeting, ranked};
use blazon_study::part::Run;
use blazon_study::stats::Strength;
use blazon_study::tally::Failed;
use serde_json::{Value, json};

use crate::args::LadderArgs;
use crate::blocks::{self, Block};
use crate::commands::studies::merge::{Kept, strange};
use crate::commands::studies::simulate::{bar_of, interruptions, threads};
use crate::console::{Console, paint, style};
use crate::exit::{Failure, Result};
use crate::failed;
use crate::figures::{Table, counted, grouped, joined};
use crate::load;
use crate::save_file;
use crate::seats::{may_judge, twins};
use crate::seed::new_study_seed;
use crate::words::Words;

/// How a ladder's file begins: nothing else is written over.
const BEGINS: &str = "# How strong programs are";

/// Plays the ladder.
///
/// # Errors
/// If the game is not found, has errors or is not for two, a rule to judge by is missing, a game does not come to an end,
/// or the file cannot be written.
pub fn run(args: &LadderArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let asked = Asked::of(args, library)?;
    let ladder = &asked.ladder;
    let run = asked.run();
    if blocks::describe(&args.block, &run, ladder.all(), 1, console) {
        return Ok(());
    }
    if let Some(block) = Block::of(&args.block, run, ladder.all(), 1)? {
        let stop = interruptions()?;
        let words = Words::ladder(args, ladder.plan.seed).0;
        return block.keep(words, args.json, console, || {
            let meetings = asked.play(block.numbers.clone(), &stop)?;
            if stop.load(Ordering::Relaxed) > 0 {
                Err(Failure::Interrupted)
            } else {
                Ok((meetings, Vec::new()))
            }
        });
    }
    asked.may_be_written()?;
    let stop = interruptions()?;
    let meetings = asked.play(0..ladder.all(), &stop)?;
    asked.tell(meetings, stop.load(Ordering::Relaxed) > 0, console)
}

/// Tells of pairs that were played in blocks.
///
/// # Errors
/// As [`run`], and if the parts are of other rules than those that lie here.
pub fn merged(args: &LadderArgs, kept: &Kept, library: Option<&Path>, console: &Console) -> Result<()> {
    let asked = Asked::of(args, library)?;
    kept.are_of(&asked.run())?;
    asked.may_be_written()?;
    let mut meetings = asked.ladder.nothing();
    kept.each(|part| {
        let more: Vec<Meeting> = part.sums().map_err(|damage| strange(&part, Some(damage)))?;
        if more.len() != meetings.len() || !more.iter().zip(&meetings).all(|(more, own)| more.fits(own)) {
            return Err(strange(&part, None));
        }
        meetings.iter_mut().zip(&more).for_each(|(own, more)| own.merge(more));
        Ok(true)
    })?;
    asked.tell(meetings, false, console)
}

/// What was asked for.
struct Asked<'a> {
    args: &'a LadderArgs,
    ladder: Ladder,
}

impl<'a> Asked<'a> {
    fn of(args: &'a LadderArgs, library: Option<&Path>) -> Result<Self> {
        let mut rules = load::game_or_default(args.game.as_deref(), &args.with.variants, library)?;
        let program = load::wanted(&mut rules, &args.with, args.scenario.clone(), false, false)?;
        possible(args, &program)?;
        let seed = args.seed.unwrap_or_else(new_study_seed);
        let count = args.players.len();
        let all = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        let meetings = all.filter(|(one, other)| !args.neighbours || one + 1 == *other).collect();
        let plan = Plan::new(&program.book, seed, args.players[0].clone());
        let (players, threads) = (args.players.clone(), threads(args.threads));
        Ok(Self { args, ladder: Ladder { program, plan, players, meetings, pairs: args.pairs, threads } })
    }

    /// Whether there is nothing where the ladder is to be written, or a ladder, and it can be written.
    fn may_be_written(&self) -> Result<()> {
        let Some(path) = self.args.out.as_deref() else { return Ok(()) };
        match path.exists() && !save_file::begins(path, BEGINS) {
            false => save_file::may_put(path).map_err(Failure::Environment),
            true => Err(Failure::Environment(format!(
                "`{}` is there already and is no ladder; take another name",
                blazon::shown(path)
            ))),
        }
    }

    fn run(&self) -> Run {
        let players: Vec<String> = self.ladder.players.iter().map(ToString::to_string).collect();
        Run::of_ladder(&self.ladder.program.book, &self.ladder.plan, &players, &self.ladder.meetings)
    }

    /// Plays pairs: all of them, unless somebody stopped it.
    fn play(&self, numbers: Range<u64>, stop: &AtomicUsize) -> Result<Vec<Meeting>> {
        let all = numbers.end - numbers.start;
        let bar = bar_of(all, "pairs");
        let played = self.ladder.play(numbers, stop, &mut |done| bar.set_position(done));
        bar.finish_and_clear();
        let meetings =
            played.map_err(|fault| blazon::Error::fault(fault, &self.ladder.program.book.sources))?;
        // A pair that met a bug of ours is missing: what was told of the others would pass for the whole.
        if done(&meetings) < all && stop.load(Ordering::Relaxed) == 0 {
            Err(Failure::Bug)
        } else {
            Ok(meetings)
        }
    }

    /// Tells of what was played, or of as much as was before it was interrupted.
    fn tell(&self, meetings: Vec<Meeting>, is_interrupted: bool, console: &Console) -> Result<()> {
        let (args, ladder) = (self.args, &self.ladder);
        let strengths = ranked(ladder.players.len(), &meetings);
        let (seed, most) = (ladder.plan.seed, ladder.plan.most);
        let (all, is_interrupted) = (ladder.all(), is_interrupted && done(&meetings) < ladder.all());
        let told =
            Told { args, program: &ladder.program, seed, most, strengths, meetings, all, is_interrupted };
        if args.json {
            console.line(told.json());
        } else {
            console.write(told.text());
        }
        if is_interrupted {
            if let Some(path) = &args.out {
                console.note(format!("`{}` was not written: it was interrupted", blazon::shown(path)));
            }
            return Err(Failure::Interrupted);
        }
        if let Some(path) = &args.out {
            save_file::put(path, told.markdown()).map_err(Failure::Environment)?;
        }
        if told.failed() > 0 { Err(Failure::Problems) } else { Ok(()) }
    }
}

/// How many pairs were played.
fn done(meetings: &[Meeting]) -> u64 {
    meetings.iter().map(|meeting| meeting.played() / 2).sum()
}

/// Whether there is a ladder of the game and these players.
fn possible(args: &LadderArgs, program: &Program) -> Result<()> {
    let book = &program.book;
    if book.players.len() != 2 {
        return Err(Failure::Usage(format!(
            "a ladder is of games for two, who change seats; {} is for {}",
            book.title,
            book.players.len()
        )));
    }
    if args.players.len() < 2 {
        return Err(Failure::Usage(
            "one player alone makes no ladder: name two or more (--players)".to_owned(),
        ));
    }
    if let Some((other, player)) = twins(&args.players) {
        return Err(Failure::Usage(format!(
            "`{other}` and `{player}` play the same (--players): a ladder tells nothing of the two"
        )));
    }
    args.players.iter().try_for_each(|skill| may_judge(book, skill))
}

/// So many games that failed are told one by one.
const TOLD: usize = 5;

struct Told<'a> {
    args: &'a LadderArgs,
    program: &'a Program,
    seed: u64,
    /// A game is stopped after so many decisions.
    most: u64,
    meetings: Vec<Meeting>,
    strengths: Vec<Strength>,
    /// How many pairs there are in all.
    all: u64,
    /// Whether somebody stopped it before all were played.
    is_interrupted: bool,
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn elo(strength: &Strength) -> String {
    match strength.half.is_finite() {
        true => format!("{:+.0} ± {:.0}", strength.elo, strength.half),
        false => "unknown".to_owned(),
    }
}

impl Told<'_> {
    fn played(&self) -> String {
        self.program.book.played(self.program.book.default_setup)
    }

    fn names(&self) -> Vec<String> {
        let things = &self.program.book.kind(self.program.book.player).things;
        self.program.book.players.iter().map(|&player| things[player as usize].name.clone()).collect()
    }

    fn row(&self, meeting: &Meeting) -> Vec<String> {
        let (share, between) = match meeting.share() {
            Some((share, half)) => {
                let [least, most] = [(share - half).max(0.0), (share + half).min(1.0)].map(percent);
                (percent(share), format!("{least} to {most}"))
            }
            None => ("unknown".to_owned(), String::new()),
        };
        let seats =
            meeting.seats.iter().map(|[games, won]| format!("{} of {}", grouped(*won), grouped(*games)));
        [self.args.players[meeting.other].to_string(), self.args.players[meeting.one].to_string()]
            .into_iter()
            .chain([grouped(meeting.games()), share, between])
            .chain(seats)
            .collect()
    }

    /// How many games did not come to an end.
    fn failed(&self) -> u64 {
        self.meetings.iter().map(Meeting::failed).sum()
    }

    /// The same in words, with what that means for the figures; nothing if all came to an end.
    fn failed_words(&self) -> Option<String> {
        let all: u64 = self.meetings.iter().map(Meeting::played).sum();
        let pairs: u64 = self.meetings.iter().map(|meeting| meeting.broken).sum();
        let of = |count: fn(&Meeting) -> u64| self.meetings.iter().map(count).sum::<u64>();
        let faults = of(|meeting| meeting.failures.iter().map(|failures| failures.faults).sum());
        let limits = of(|meeting| meeting.failures.iter().map(|failures| failures.limits).sum());
        let why = [(faults, "by a fault of the rules".to_owned()), (limits, self.limit())];
        let why = why.iter().filter(|(count, _)| *count > 0);
        let why: Vec<String> = why.map(|(count, why)| format!("{} {why}", grouped(*count))).collect();
        (pairs > 0).then(|| {
            format!(
                "{} of {} games did not come to an end ({}): {} left out of the figures above",
                grouped(self.failed()),
                grouped(all),
                joined(&why, "and"),
                match pairs {
                    1 => "the pair that they are of is".to_owned(),
                    pairs => format!("the {} pairs that they are of are", grouped(pairs)),
                }
            )
        })
    }

    fn limit(&self) -> String {
        format!("stopped after {} decisions", grouped(self.most))
    }

    /// The first that failed, where they sat, and how they are played again.
    fn failures(&self) -> Vec<(String, &Failed, String)> {
        let names = self.names();
        let rows = self.meetings.iter().flat_map(|meeting| {
            meeting.failures.iter().enumerate().flat_map(move |(seat, failures)| {
                failures.first.iter().map(move |failed| (meeting, seat, failed))
            })
        });
        let told = rows.map(|(meeting, seat, failed)| {
            let [one, other] = [meeting.one, meeting.other].map(|place| self.args.players[place].to_string());
            let seats = if seat == 0 { [other, one] } else { [one, other] };
            let which = names.iter().zip(&seats).map(|(name, player)| format!("{player} as {name}"));
            let words = Words::game(
                (self.args.game.as_ref(), &self.args.with),
                self.args.scenario.as_deref(),
                &seats.join(","),
                failed.seed,
            );
            let which = format!("pair {}, {}", failed.game, which.collect::<Vec<_>>().join(", "));
            (which, failed, failed::again(words, failed, self.most))
        });
        told.take(TOLD).collect()
    }

    /// How many pairs were played, where that is not all.
    fn cut(&self) -> Option<String> {
        let done = done(&self.meetings);
        let why = if self.is_interrupted { ": it was interrupted" } else { "" };
        (done < self.all)
            .then(|| format!("{} of {} were played{why}", grouped(done), counted(self.all, "pair")))
    }

    fn heads(&self) -> Vec<String> {
        let heads = ["", "against", "games", "points", "95 % interval"].map(str::to_owned);
        heads.into_iter().chain(self.names().into_iter().map(|name| format!("won as {name}"))).collect()
    }

    fn text(&self) -> String {
        let mut out = format!("{}, seed {}\n", paint(style::STRONG, self.played()), self.seed);
        let mut table = Table::new(["", "Elo, 95 % interval"], 1);
        for (player, strength) in self.args.players.iter().zip(&self.strengths) {
            table.row([player.to_string(), elo(strength)]);
        }
        out += &table.text();
        let mut table = Table::new(self.heads(), 2);
        for meeting in &self.meetings {
            table.row(self.row(meeting));
        }
        out += &table.text();
        if let Some(words) = self.cut() {
            let _ = writeln!(out, "{}", paint(style::CARE, words));
        }
        if let Some(words) = self.failed_words() {
            let _ = writeln!(out, "{}", paint(style::BAD, words));
            out += &failed::list(&self.failures(), self.failed());
        }
        out
    }

    fn markdown(&self) -> String {
        let mut out = format!(
            "{BEGINS}\n\n{}. Pairs of games on the same luck, once on each seat; Elo above the first, with intervals of 95 %.\n\n",
            crate::console::harmless(&self.played())
        );
        out += "| player | Elo |\n| --- | ---: |\n";
        for (player, strength) in self.args.players.iter().zip(&self.strengths) {
            let _ = writeln!(out, "| `{player}` | {} |", elo(strength));
        }
        let heads = self.heads();
        let _ = write!(out, "\n| {} |\n|{}\n", heads.join(" | "), " --- |".repeat(heads.len()));
        for meeting in &self.meetings {
            let _ = writeln!(out, "| {} |", self.row(meeting).join(" | "));
        }
        for words in [self.cut(), self.failed_words()].into_iter().flatten() {
            let _ = writeln!(out, "\n{words}.");
        }
        let _ = write!(out, "\n```sh\n{}\n```\n", self.again());
        out
    }

    fn again(&self) -> String {
        Words::ladder(self.args, self.seed).to_string()
    }

    fn json(&self) -> Value {
        let players = self.args.players.iter().zip(&self.strengths);
        let players = players.map(|(player, strength)| {
            // Who is connected with nobody has no strength, and numbers without bound are none in JSON.
            let half = strength.half.is_finite().then_some(strength.half);
            let elo = half.map(|_| strength.elo);
            json!({ "player": player.to_string(), "elo": elo, "half": half })
        });
        let meetings = self.meetings.iter().map(|meeting| {
            let (share, half) = meeting.share().unzip();
            json!({
                "player": self.args.players[meeting.other].to_string(),
                "against": self.args.players[meeting.one].to_string(),
                "games": meeting.games(), "points": meeting.points(), "share": share, "half": half,
                "pairs": meeting.pairs, "seats": meeting.seats, "played": meeting.played(),
                "broken": meeting.broken,
                "faults": meeting.failures.iter().map(|failures| failures.faults).sum::<u64>(),
                "limits": meeting.failures.iter().map(|failures| failures.limits).sum::<u64>(),
            })
        });
        let failures = self.failures();
        let failed = failures.iter().map(|(which, failed, again)| {
            json!({ "which": which, "seed": failed.seed, "why": failed::why(failed), "again": again })
        });
        json!({
            "schema": 1,
            "game": self.program.book.title,
            "played": self.played(),
            "seed": self.seed,
            "all": self.all,
            "done": done(&self.meetings),
            "interrupted": self.is_interrupted,
            "players": players.collect::<Vec<_>>(),
            "meetings": meetings.collect::<Vec<_>>(),
            "failed": failed.collect::<Vec<_>>(),
        })
    }
}
