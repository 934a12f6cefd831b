//! Tells how many games came out: a table for people, an object for programs.

use std::fmt::Write;

use blazon::present::cited;
use blazon_book::Book;
use blazon_program::Program;
use blazon_study::Plan;
use blazon_study::choices::Choices;
use blazon_study::compare::{Side, Sum};
use blazon_study::stats::{Spread, wilson};
use blazon_study::tally::{Ended, Ending, Failed, ROUNDS, Tally};
use serde_json::{Value, json};

use crate::args::SimulateArgs;
use crate::console::{paint, style};
use crate::failed;
use crate::figures::{Table, counted, grouped, ratio, share};
use crate::words::Words;

/// The version of the object for programs.
const SCHEMA: u32 = 1;

/// What is to be told.
pub struct Told<'a> {
    /// What was asked for.
    pub args: &'a SimulateArgs,
    /// What was played.
    pub plan: &'a Plan,
    /// By which book.
    pub book: &'a Book,
    /// By which program.
    pub program: &'a Program,
    /// How it came out.
    pub side: &'a Side,
    /// How the options fared.
    pub choices: &'a Choices,
    /// On how many threads.
    pub threads: usize,
    /// In what time, if it was played here.
    pub seconds: Option<f64>,
}

impl Told<'_> {
    fn name(&self, player: u32) -> &str {
        let things = &self.book.kind(self.book.player).things;
        things.get(player as usize).map_or("?", |thing| thing.name.as_str())
    }

    fn setup(&self) -> String {
        if self.plan.setups.len() > 1 {
            return format!("all {} setups", self.plan.setups.len());
        }
        self.book.setups.get(self.book.default_setup).map_or_else(String::new, |setup| match &setup.title {
            Some(title) => format!("{} ({title})", setup.name),
            None => setup.name.clone(),
        })
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut out = self.heading();
        if self.side.tally.over > 0 {
            out += &self.winners();
            out += &self.lengths();
            out += &self.like();
            out += &self.endings();
            out += &self.by_round();
            out += &self.by_setup();
        }
        out += &self.failures();
        out += &self.speed();
        out
    }

    /// How fast it was.
    fn speed(&self) -> String {
        let Some(seconds) = self.seconds else { return String::new() };
        let games = self.side.tally.games as f64;
        let speed = if seconds > 0.0 { games / seconds } else { 0.0 };
        let threads = match self.threads {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        let speed = if speed < 10.0 { format!("{speed:.1}") } else { grouped(speed.round() as u64) };
        format!("{}\n", paint(style::FAINT, format!("{seconds:.1} s on {threads}, {speed} games a second")))
    }

    fn heading(&self) -> String {
        let mut title = paint(style::STRONG, &self.book.title);
        for (variant, _) in &self.book.variants {
            let _ = write!(title, " + {}", paint(style::STRONG, variant));
        }
        let games = self.side.tally.games;
        let games = counted(games, "game");
        let setup = crate::console::harmless(&self.setup());
        let rulings = self.book.other_rulings().into_iter().map(|ruling| format!(", {ruling}"));
        let rulings = crate::console::harmless(&rulings.collect::<String>());
        format!("{title}: {setup}{rulings}, {games}, seed {}\n", self.plan.seed)
    }

    /// Who won how often.
    fn winners(&self) -> String {
        let Tally { games, over, .. } = self.side.tally;
        let share_of = if over < games { "of those that ended" } else { "share" };
        let mut table = Table::new(["", "", "won", share_of, "95 % interval"], 2);
        let mut row = |name: String, plays: String, won: u64| {
            let (least, most) = wilson(won, over);
            let between = format!("{:.1} to {:.1} %", least * 100.0, most * 100.0);
            table.row([name, plays, grouped(won), share(won, over), between]);
        };
        for player in self.sides() {
            let won = self.side.tally.won[player as usize];
            row(self.name(player).to_owned(), self.plays(player), won);
        }
        if self.side.tally.nobody > 0 {
            row("nobody".to_owned(), String::new(), self.side.tally.nobody);
        }
        table.text()
    }

    /// All sides that a line is about: those at the table, and those without a seat that have won.
    fn sides(&self) -> Vec<u32> {
        let seated = &self.book.players;
        let won = (0..).zip(&self.side.tally.won).filter(|(side, won)| **won > 0 && !seated.contains(side));
        seated.iter().copied().chain(won.map(|(side, _)| side)).collect()
    }

    /// Who plays a side.
    fn plays(&self, side: u32) -> String {
        match self.book.players.contains(&side) {
            true => self.plan.players.get(side as usize).map(ToString::to_string).unwrap_or_default(),
            false => "no seat".to_owned(),
        }
    }

    /// How long games are.
    fn lengths(&self) -> String {
        let mut table = Table::new(["in a game", "mean", "least", "quarter", "half", "3/4", "most"], 1);
        for (name, spread) in self.spreads() {
            let numbers =
                [spread.least(), spread.quarter(1), spread.quarter(2), spread.quarter(3), spread.most()];
            let [a, b, c, d, e] = numbers.map(grouped);
            table.row([name, format!("{:.1}", spread.mean()), a, b, c, d, e]);
        }
        table.text()
    }

    fn spreads(&self) -> Vec<(String, &Spread)> {
        let mut spreads = vec![("decisions".to_owned(), &self.side.tally.decisions)];
        for (&step, spread) in self.plan.rounds.iter().zip(&self.side.tally.turns) {
            spreads.push((self.book.step(step).title().to_owned(), spread));
        }
        spreads
    }

    /// What the games were like; nothing of a book that does not say who leads.
    fn like(&self) -> String {
        let means = &self.side.means;
        let rows = [
            ("winner behind, % of it", 100.0, means.behind),
            ("lead changes", 1.0, means.lead_changes),
            ("settled for the last, %", 100.0, means.settled),
            ("weight of a decision", 1.0, means.weight),
        ];
        let mut table = Table::new(["by the outlook", "mean", "95 %", "games"], 1);
        let mut is_there = false;
        for (name, scale, sum) in rows {
            if let Some(mean) = sum.mean() {
                table.row([
                    name.to_owned(),
                    format!("{:.2}", mean * scale),
                    sum.half().map_or_else(String::new, |half| format!("± {:.2}", half * scale)),
                    // Not all games have it: none without a decision, some only if somebody has won.
                    grouped(sum.count()),
                ]);
                is_there = true;
            }
        }
        if is_there { table.text() } else { String::new() }
    }

    /// Who won with which setup, where there are several.
    fn by_setup(&self) -> String {
        if self.plan.setups.len() < 2 {
            return String::new();
        }
        let sides = self.sides();
        let players = sides.iter().map(|&player| self.name(player).to_owned());
        let heads = ["by setup".to_owned(), "games".to_owned()].into_iter().chain(players);
        let mut table = Table::new(heads, 1);
        for (&setup, won) in self.plan.setups.iter().zip(&self.side.by_setup) {
            let name = self.book.setups.get(setup).map_or_else(String::new, |setup| setup.name.clone());
            let games = won.last().copied().unwrap_or_default();
            let shares = sides.iter().map(|&player| share(won[player as usize], games));
            table.row([name, grouped(games)].into_iter().chain(shares));
        }
        table.text()
    }

    /// In which steps games were ended, and for whom.
    fn endings(&self) -> String {
        let mut endings: Vec<(&Ending, &Ended)> = self.side.tally.endings.iter().collect();
        endings.sort_by_key(|(_, ended)| std::cmp::Reverse(ended.games));
        self.by(
            "ended in",
            endings.into_iter().map(|(ending, ended)| {
                let step = if ending.step.is_empty() { "unknown" } else { &ending.step };
                (format!("{step}{}", cited(&ending.cites)), ended)
            }),
        )
    }

    /// How often the outermost round came, and who won then.
    fn by_round(&self) -> String {
        let Some(&step) = self.plan.rounds.first() else { return String::new() };
        if self.side.tally.by_round.len() < 2 {
            return String::new();
        }
        self.by(
            &format!("ended in {} no.", self.book.step(step).title()),
            self.side.tally.by_round.iter().map(|(&round, ended)| {
                (if round == ROUNDS { format!("{round} and more") } else { round.to_string() }, ended)
            }),
        )
    }

    fn by<'b>(&self, title: &str, sorts: impl Iterator<Item = (String, &'b Ended)>) -> String {
        let sides = self.sides();
        let players = sides.iter().map(|&player| self.name(player).to_owned());
        let heads = [title.to_owned(), "games".to_owned(), "share".to_owned()];
        let mut table = Table::new(heads.into_iter().chain(players), 1);
        for (name, ended) in sorts {
            let won = sides.iter().map(|&player| grouped(ended.won[player as usize]));
            let cells = [name, grouped(ended.games), share(ended.games, self.side.tally.over)];
            table.row(cells.into_iter().chain(won));
        }
        table.text()
    }

    /// The games that did not come to an end, and how to see them.
    fn failures(&self) -> String {
        let failed = self.side.tally.broken();
        if failed == 0 {
            return String::new();
        }
        let rows = self.side.tally.failed.iter();
        let rows: Vec<_> = rows.map(|row| (format!("game {}", row.game), row, self.again(row))).collect();
        let head = format!("{} did not come to an end", counted(failed, "game"));
        format!("{}\n{}", paint(style::BAD, head), failed::list(&rows, failed))
    }

    /// How a game is played again.
    fn again(&self, row: &Failed) -> String {
        let scenario = match self.plan.setups.len() {
            0 | 1 => self.args.scenario.as_deref(),
            // It may not have begun with the first.
            _ => self.book.setups.get(self.plan.setup_of(row.game)).map(|setup| setup.name.as_str()),
        };
        failed::again(Words::play(self.args, scenario, row.seed), row, self.args.most)
    }

    /// For programs.
    pub fn json(&self, interrupted: bool) -> Value {
        let tally = &self.side.tally;
        let setup = self.book.setups.get(self.book.default_setup);
        let won = |ended: &Ended| -> Value {
            let sides = self.sides().into_iter();
            let pairs = sides.map(|side| (self.name(side).to_owned(), ended.won[side as usize].into()));
            Value::Object(pairs.collect())
        };
        let players = self.sides().into_iter().map(|player| {
            let hits = tally.won[player as usize];
            let (least, most) = wilson(hits, tally.over);
            json!({
                "name": self.name(player),
                "plays": self.plays(player),
                "won": hits,
                "share": ratio(hits, tally.over),
                "interval": [least, most],
            })
        });
        let lengths = self.spreads().into_iter().map(|(name, spread)| {
            json!({
                "of": name,
                "mean": spread.mean(),
                "least": spread.least(),
                "quartiles": [spread.quarter(1), spread.quarter(2), spread.quarter(3)],
                "most": spread.most(),
            })
        });
        let endings = tally.endings.iter().map(|(ending, ended)| {
            json!({
                "step": ending.step,
                "paragraphs": ending.cites,
                "games": ended.games,
                "won": won(ended),
            })
        });
        let rounds = tally.by_round.iter().map(|(round, ended)| {
            json!({ "turns": round, "and_more": *round == ROUNDS, "games": ended.games, "won": won(ended) })
        });
        let failed = tally.failed.iter().map(
            |row| json!({ "game": row.game, "seed": row.seed, "why": failed::why(row), "again": self.again(row) }),
        );
        let pairs = |list: &[(String, String)]| -> Vec<Value> {
            list.iter().map(|(name, value)| json!([name, value])).collect()
        };
        let rulings = self.book.rulings.iter().map(|ruling| {
            let value = ruling.values.get(ruling.chosen).cloned().unwrap_or_default();
            (ruling.name.clone(), Value::from(value))
        });
        let fared = self.choices.by_name(self.program);
        let options = fared
            .iter()
            .map(|((step, option), fared)| json!({ "step": step, "option": option, "fared": fared }));
        json!({
            "schema": SCHEMA,
            "game": self.book.title,
            "version": self.book.version,
            "variants": pairs(&self.book.variants),
            "rulings": Value::Object(rulings.collect()),
            "setup": setup.map(|setup| setup.name.clone()),
            "seed": self.plan.seed,
            "asked": self.args.games,
            "games": tally.games,
            "interrupted": interrupted,
            "over": tally.over,
            "nobody": tally.nobody,
            "faults": tally.faults,
            "limits": tally.limits,
            "players": players.collect::<Vec<_>>(),
            "lengths": lengths.collect::<Vec<_>>(),
            "endings": endings.collect::<Vec<_>>(),
            "rounds": {
                "of": self.plan.rounds.first().map(|&step| self.book.step(step).title().to_owned()),
                "ended": rounds.collect::<Vec<_>>(),
            },
            "measures": {
                "behind": mean(&self.side.means.behind),
                "lead_changes": mean(&self.side.means.lead_changes),
                "settled": mean(&self.side.means.settled),
                "weight": mean(&self.side.means.weight),
            },
            "led": self.side.led,
            "by_setup": self.side.by_setup,
            "options": options.collect::<Vec<_>>(),
            "failed": failed.collect::<Vec<_>>(),
            "threads": self.seconds.map(|_| self.threads),
            "seconds": self.seconds,
        })
    }
}

/// A mean with half its interval of 95 percent.
fn mean(sum: &Sum) -> Value {
    json!({ "count": sum.count(), "mean": sum.mean(), "half": sum.half() })
}
