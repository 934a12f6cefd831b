//! `blazon ladder`: how strong programs are that play a game.

use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::Ordering;

use blazon_program::Program;
use blazon_study::Plan;
use blazon_study::ladder::{Ladder, Meeting, ranked};
use blazon_study::stats::Strength;
use serde_json::{Value, json};

use crate::args::LadderArgs;
use crate::commands::simulate::{bar_of, interruptions, threads};
use crate::console::{Console, paint, style};
use crate::exit::{Failure, Result};
use crate::figures::{Table, grouped};
use crate::load;
use crate::save_file;
use crate::seats::may_judge;
use crate::seed::new_seed;
use crate::shell::quoted;

/// How a ladder's file begins: nothing else is written over.
const BEGINS: &str = "# How strong programs are";

/// Plays the ladder.
///
/// # Errors
/// If the game is not found, has errors or is not for two, a rule to judge by is missing, or the file cannot be written.
pub fn run(args: &LadderArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut rules = load::game_or_default(args.game.as_deref(), &args.with.variants, library)?;
    let program = load::wanted(&mut rules, &args.with, args.scenario.clone(), false, false)?;
    possible(args, &program)?;
    if let Some(path) = args.out.as_deref().filter(|path| path.exists() && !save_file::begins(path, BEGINS)) {
        let message =
            format!("`{}` is there already and is no ladder; take another name", blazon::shown(path));
        return Err(Failure::Environment(message));
    }
    let seed = args.seed.unwrap_or_else(new_seed);
    let count = args.players.len();
    let all = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
    let meetings: Vec<(usize, usize)> =
        all.filter(|(one, other)| !args.neighbours || one + 1 == *other).collect();
    let plan = Plan::new(&program.book, seed, args.players[0].clone());
    let pairs = args.pairs * meetings.len() as u64;
    let (players, threads) = (args.players.clone(), threads(args.threads));
    let ladder = Ladder { program: program.clone(), plan, players, meetings, pairs: args.pairs, threads };
    let stop = interruptions()?;
    let bar = bar_of(pairs, "pairs");
    let played = ladder.play(&stop, &mut |done| bar.set_position(done));
    bar.finish_and_clear();
    let meetings = played.map_err(|fault| blazon::Error::fault(fault, &program.book.sources))?;
    let told = Told { args, program: &program, seed, strengths: ranked(count, &meetings), meetings };
    if args.json {
        console.line(told.json());
    } else {
        console.write(told.text());
    }
    if let Some(path) = &args.out {
        save_file::put(path, &told.markdown()).map_err(Failure::Environment)?;
    }
    if stop.load(Ordering::Relaxed) > 0 { Err(Failure::Interrupted) } else { Ok(()) }
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
    args.players.iter().try_for_each(|skill| may_judge(book, skill))?;
    Ok(())
}

struct Told<'a> {
    args: &'a LadderArgs,
    program: &'a Program,
    seed: u64,
    meetings: Vec<Meeting>,
    strengths: Vec<Strength>,
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
        let (share, half) = meeting.share();
        let between = format!("{} to {}", percent((share - half).max(0.0)), percent((share + half).min(1.0)));
        let seats =
            meeting.seats.iter().map(|[games, won]| format!("{} of {}", grouped(*won), grouped(*games)));
        [self.args.players[meeting.other].to_string(), self.args.players[meeting.one].to_string()]
            .into_iter()
            .chain([grouped(meeting.games()), percent(share), between])
            .chain(seats)
            .collect()
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
        let _ = write!(out, "\n```sh\n{}\n```\n", self.again());
        out
    }

    fn again(&self) -> String {
        let mut words = "blazon ladder".to_owned();
        let args = self.args;
        if let Some(game) = &args.game {
            let _ = write!(words, " {}", quoted(game));
        }
        for variant in &args.with.variants {
            let _ = write!(words, " -V {}", quoted(variant));
        }
        for (name, value) in &args.with.rulings {
            let _ = write!(words, " -R {}", quoted(&format!("{name}={value}")));
        }
        if let Some(scenario) = &args.scenario {
            let _ = write!(words, " --scenario {}", quoted(scenario));
        }
        let players: Vec<String> = args.players.iter().map(ToString::to_string).collect();
        let _ =
            write!(words, " --players {} -n {} --seed {}", quoted(&players.join(",")), args.pairs, self.seed);
        if args.neighbours {
            words += " --neighbours";
        }
        words
    }

    fn json(&self) -> Value {
        let players = self.args.players.iter().zip(&self.strengths);
        let players = players.map(|(player, strength)| {
            json!({ "player": player.to_string(), "elo": strength.elo, "half": strength.half })
        });
        let meetings = self.meetings.iter().map(|meeting| {
            let (share, half) = meeting.share();
            json!({
                "player": self.args.players[meeting.other].to_string(),
                "against": self.args.players[meeting.one].to_string(),
                "games": meeting.games(), "points": meeting.points(), "share": share, "half": half,
                "pairs": meeting.pairs, "seats": meeting.seats,
            })
        });
        json!({
            "schema": 1,
            "game": self.program.book.title,
            "played": self.played(),
            "seed": self.seed,
            "players": players.collect::<Vec<_>>(),
            "meetings": meetings.collect::<Vec<_>>(),
        })
    }
}
