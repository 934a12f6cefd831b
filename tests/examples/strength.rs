//! Measures how well bots play against each other: pairs of games with the same seed, the seats changed in the second.
//!
//! ```sh
//! cargo run --release -p blazon-tests --example strength -- salt-road search@1000 greedy 50
//! ```
//!
//! The game (with variants behind it, each after a `+`), who plays, against whom, how many pairs, and the first pair. A
//! game without a winner, or stopped, counts half. The interval is that of the mean over pairs, 95 %; the last lines are
//! the wins by seat.

use std::process::ExitCode;
use std::time::Instant;

use blazon_check::Settings;
use blazon_kernel::chance::mix;
use blazon_machine::Machine;
use blazon_machine::bots::{Skill, play_out};
use blazon_tests::{parsed, program, rules_only};

/// A game is stopped after so many decisions.
const MOST: usize = 20_000;

/// What pairs came to, in wins of the first.
#[derive(Default)]
struct Score {
    pairs: f64,
    sum: f64,
    squares: f64,
    /// By the seat of the first.
    wins: [f64; 2],
    decisions: usize,
}

impl Score {
    fn add(&mut self, wins: [f64; 2]) {
        let share = (wins[0] + wins[1]) / 2.0;
        self.pairs += 1.0;
        self.sum += share;
        self.squares += share * share;
        for (own, won) in self.wins.iter_mut().zip(wins) {
            *own += won;
        }
    }

    /// The mean share of the first, and half the width of its interval.
    fn share(&self) -> (f64, f64) {
        let mean = self.sum / self.pairs;
        // Two pairs more, one won and one lost: a run of equal pairs proves nothing for sure.
        let (pairs, sum, squares) = (self.pairs + 2.0, self.sum + 1.0, self.squares + 1.0);
        let variance = squares / pairs - (sum / pairs) * (sum / pairs);
        (mean, 1.96 * (variance / pairs).sqrt())
    }

    fn told(&self, since: Instant) -> String {
        let (mean, half) = self.share();
        let [first, second] = self.wins.map(|wins| 100.0 * wins / self.pairs);
        format!(
            "{:5.1} % ± {:4.1}  of {:3} pairs; first seat {first:5.1} %, second {second:5.1} %; {:.0} decisions a game, {:.1} s",
            100.0 * mean,
            100.0 * half,
            self.pairs,
            self.decisions as f64 / self.pairs / 2.0,
            since.elapsed().as_secs_f64(),
        )
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let [game, one, other, rest @ ..] = args else {
        return Err("usage: strength GAME[+VARIANT] SKILL SKILL [PAIRS] [FIRST]".to_owned());
    };
    let number = |place: usize, usual: u64| match rest.get(place) {
        None => Ok(usual),
        Some(text) => text.parse::<u64>().map_err(|_| format!("`{text}` is no number")),
    };
    let (pairs, first) = (number(0, 10)?, number(1, 0)?);
    let skills: [Skill; 2] = [one.parse()?, other.parse()?];
    let mut names = game.split('+');
    let game = names.next().unwrap_or_default();
    let stack: Vec<&str> = names.collect();
    let program = program(&parsed(&rules_only(game, &stack)), &Settings::default());
    let players = program.book.players.clone();
    let [left, right] = players[..] else { return Err(format!("{game} is for {} players", players.len())) };
    let kinds = program.book.kind(program.book.player).things.len();
    let mut machine = Machine::new(program).map_err(|fault| fault.message)?;
    let since = Instant::now();
    let mut score = Score::default();
    for pair in first..first + pairs {
        let seed = mix(7, pair);
        let mut wins = [0.5; 2];
        for (turn, won) in wins.iter_mut().enumerate() {
            // In the second game the seats are changed; the luck of the game is the same.
            let own = [left, right][turn];
            machine.start(0, seed).map_err(|fault| fault.message)?;
            let mut bots: Vec<_> = (0..kinds as u32)
                .map(|player| skills[usize::from(player != own)].bot(mix(seed, u64::from(player) + 1)))
                .collect();
            let mut seats: Vec<&mut dyn blazon_machine::bots::Bot> = Vec::new();
            for bot in &mut bots {
                seats.push(bot.as_mut());
            }
            let (outcome, taken) = play_out(&mut machine, &mut seats, MOST).map_err(|fault| fault.message)?;
            score.decisions += taken;
            if let Some(winner) = outcome.and_then(|outcome| outcome.winner) {
                *won = f64::from(u8::from(winner == own));
            }
        }
        score.add(wins);
        if (pair - first) % 10 == 9 {
            eprintln!("  {}", score.told(since));
        }
    }
    println!("{game}{stack:?} {} against {}: {}", skills[0], skills[1], score.told(since));
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("{wrong}");
            ExitCode::FAILURE
        }
    }
}
