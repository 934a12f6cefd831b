//! A thousand games at the same time in little memory, as a server would hold them: each game waits as a position and a
//! log; the pool lends a machine to the one that somebody acts in. No sockets here: random players act in turn.

use blazon::bots::{Pick, Random};
use blazon::told::Event;
use blazon::{Error, Limits, Loader, Pool, Selection, Table};

/// What a server holds of a game.
struct Seat {
    table: Table,
    player: Random,
    /// How many lines have been told to the people at this table.
    told: usize,
}

/// What came of it.
#[derive(Debug, Default)]
struct Report {
    games: usize,
    over: usize,
    decisions: u64,
    /// The most bytes that a game took, and all together.
    most: usize,
    bytes: usize,
    machines: usize,
}

fn main() -> Result<(), Error> {
    let number = |place: usize| std::env::args().nth(place).and_then(|text| text.parse().ok());
    let report = serve(number(1).unwrap_or(1000), number(2).unwrap_or(200))?;
    println!("{} games, {} of them over, {} decisions", report.games, report.over, report.decisions);
    println!("{} bytes a game, {} the largest", report.bytes / report.games.max(1), report.most);
    println!("{} machine", report.machines);
    Ok(())
}

/// Holds so many games and lets each take so many decisions, one after the other.
fn serve(games: usize, rounds: usize) -> Result<Report, Error> {
    let program = Loader::new().find_or_default(None)?.program(&Selection::default())?;
    let setup = program.book.default_setup.into();
    // A stranger's rules should not keep the others waiting: a tenth of the usual operations.
    let pool = Pool::new(program, Limits { ops: 5_000_000, ..Limits::default() })?;
    let mut seats = Vec::with_capacity(games);
    for seed in 0..games as u64 {
        let player = Random::new(seed, Pick::ByName);
        seats.push(Seat { table: pool.start(setup, seed)?, player, told: 0 });
    }
    for _ in 0..rounds {
        for seat in &mut seats {
            decide(&pool, seat)?;
        }
    }
    let mut report = Report { games, machines: pool.idle(), ..Report::default() };
    for seat in &mut seats {
        let memory = seat.table.memory();
        report.bytes += memory;
        report.most = report.most.max(memory);
        let (over, taken) = pool.act(&mut seat.table, |game| (game.outcome().is_some(), game.taken()))?;
        report.over += usize::from(over);
        report.decisions += taken;
    }
    Ok(report)
}

/// One decision of one game; what happened is told, and forgotten.
fn decide(pool: &Pool, seat: &mut Seat) -> Result<(), Error> {
    let Seat { table, player, told } = seat;
    pool.act(table, |game| {
        if let Some(decider) = game.decider() {
            game.choose_by(decider, player)?;
        }
        let events = game.take_events();
        *told += events.iter().filter(|event| Event::of(game, event).text.is_some()).count();
        Ok(())
    })?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_waits_takes_a_few_kilobytes() {
        let report = serve(40, 60).expect("no fault");
        assert_eq!((report.games, report.machines), (40, 1));
        assert_eq!(report.decisions, 40 * 60);
        assert!(report.most < 16 << 10, "{report:?}");
    }
}
