//! How strong players are, by the games that they have played against each other.
//!
//! The model of R. A. Bradley and M. E. Terry ("Rank Analysis of Incomplete Block Designs: I", Biometrika 39, 1952,
//! 324-345) on Elo's scale: who is `d` above another wins `1 / (1 + 10^(-d/400))` of their games; nobody's win is half a
//! win for both. Fitted by maximum likelihood with Newton's steps. The two games of a pair are on the same luck and so hang
//! together; intervals take the pairs for what is drawn, not the games (the "sandwich" of the curvature and what the pairs
//! scatter: P. J. Huber, "The behavior of maximum likelihood estimates under nonstandard conditions", Proceedings of the
//! Fifth Berkeley Symposium 1, 1967, 221-233).

use super::Z95;

/// Pairs of games between two players.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// One player, by place.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// How many pairs came out how for the first, in half points: 0 both lost, 4 both won.
    pub pairs: [u64; 5],
}

impl Match {
    /// How many pairs, with the points that each gave.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        (0u32..).zip(self.pairs).map(|(halves, pairs)| (pairs as f64, f64::from(halves) / 2.0))
    }
}

/// How strong a player is.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Strength {
    /// In points of Elo above the first player.
    pub elo: f64,
    /// Half the width of the interval of 95 percent; 0 for the first player, from whom all are measured.
    pub half: f64,
}

/// So many points make odds of 10 to 1.
const POINTS: f64 = 400.0;
/// A point in natural logarithms of the odds.
const UNIT: f64 = std::f64::consts::LN_10 / POINTS;
/// Each match is taken to have had one more game, half won by each: who has won all is strong, but not without bound.
const MADE_UP: f64 = 0.5;

/// The strengths of so many players, the first of them at 0. Who has met nobody of whom a chain of matches leads to the first
/// stays at 0, with an interval without end.
pub fn strengths(players: usize, matches: &[Match]) -> Vec<Strength> {
    let linked = linked(players, matches);
    // Those to be placed, in order; the first stands where he stands.
    let free: Vec<usize> = (1..players).filter(|&place| linked[place]).collect();
    let row = |place: usize| free.binary_search(&place).ok();
    let matches: Vec<&Match> = matches.iter().filter(|game| linked[game.one]).collect();
    let mut elo = vec![0.0; players];
    let mut inverse = Vec::new();
    for _ in 0..60 {
        let mut slope = vec![0.0; free.len()];
        let mut curve = square(free.len());
        for game in &matches {
            let expected = expected(&elo, game);
            let (mut won, mut played) = (MADE_UP, 2.0 * MADE_UP);
            for (pairs, points) in game.points() {
                (won, played) = (won + pairs * points, played + 2.0 * pairs);
            }
            let ends = [(row(game.one), 1.0), (row(game.other), -1.0)];
            for (own, sign) in ends {
                let Some(own) = own else { continue };
                slope[own] += sign * (won - played * expected) * UNIT;
            }
            add(&mut curve, ends, played * expected * (1.0 - expected) * UNIT * UNIT);
        }
        inverse = inverted(curve);
        let steps: Vec<f64> =
            inverse.iter().map(|row: &Vec<f64>| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
        let mut widest: f64 = 0.0;
        for (&place, step) in free.iter().zip(&steps) {
            // Far from the top the curve misleads.
            let step = step.clamp(-POINTS, POINTS);
            elo[place] += step;
            widest = widest.max(step.abs());
        }
        if widest < 1e-9 {
            break;
        }
    }
    let mut scatter = square(free.len());
    for game in &matches {
        let expected = expected(&elo, game);
        let made_up = MADE_UP * (expected * expected + (1.0 - expected) * (1.0 - expected));
        let of = |(pairs, points): (f64, f64)| pairs * (points - 2.0 * expected) * (points - 2.0 * expected);
        let scattered = made_up + game.points().map(of).sum::<f64>();
        add(&mut scatter, [(row(game.one), 1.0), (row(game.other), -1.0)], scattered * UNIT * UNIT);
    }
    let half = |place: usize| match row(place) {
        Some(row) => {
            let line: &Vec<f64> = &inverse[row];
            let times = |column: &Vec<f64>| line.iter().zip(column).map(|(a, b)| a * b).sum::<f64>();
            let variance: f64 = scatter.iter().map(times).zip(line).map(|(sum, own)| sum * own).sum();
            Z95 * variance.max(0.0).sqrt()
        }
        None if place == 0 => 0.0,
        None => f64::INFINITY,
    };
    elo.iter().enumerate().map(|(place, &elo)| Strength { elo, half: half(place) }).collect()
}

/// Which players a chain of matches links with the first.
fn linked(players: usize, matches: &[Match]) -> Vec<bool> {
    let mut linked: Vec<bool> = (0..players).map(|place| place == 0).collect();
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for game in matches {
            if linked[game.one] != linked[game.other] {
                (linked[game.one], linked[game.other], is_new) = (true, true, true);
            }
        }
    }
    linked
}

/// The share of the games between two that the first is expected to win.
fn expected(elo: &[f64], game: &Match) -> f64 {
    1.0 / (1.0 + (-(elo[game.one] - elo[game.other]) * UNIT).exp())
}

/// A matrix of nothing.
fn square(size: usize) -> Vec<Vec<f64>> {
    vec![vec![0.0; size]; size]
}

/// What a match adds to a matrix: so much for each two of those of its ends that are to be placed, with their signs.
fn add(matrix: &mut [Vec<f64>], ends: [(Option<usize>, f64); 2], weight: f64) {
    for (row, sign) in ends {
        for (column, other) in ends {
            if let (Some(row), Some(column)) = (row, column) {
                matrix[row][column] += sign * other * weight;
            }
        }
    }
}

/// The inverse of a matrix that has one, by elimination with the greatest pivot of the column.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for column in 0..size {
        let greatest = |a: &usize, b: &usize| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs());
        let Some(pivot) = (column..size).max_by(greatest) else { continue };
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let by = matrix[column][column];
        matrix[column].iter_mut().chain(inverse[column].iter_mut()).for_each(|cell| *cell /= by);
        let (own, own_inverse) = (matrix[column].clone(), inverse[column].clone());
        for row in (0..size).filter(|&row| row != column) {
            let times = matrix[row][column];
            for (cell, own) in matrix[row].iter_mut().zip(&own) {
                *cell -= times * own;
            }
            for (cell, own) in inverse[row].iter_mut().zip(&own_inverse) {
                *cell -= times * own;
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(one: usize, other: usize, pairs: [u64; 5]) -> Match {
        Match { one, other, pairs }
    }

    /// By hand: with 75.5 of 100 games (and the made-up one) the odds are 76 to 25.
    #[test]
    fn two_players_are_apart_by_their_odds() {
        let found = strengths(2, &[games(1, 0, [4, 0, 16, 1, 29])]);
        let elo = 400.0 * (76.0f64 / 25.0).log10();
        assert!((found[1].elo - elo).abs() < 1e-6, "{found:?}");
        // What the pairs scatter around what is expected of them, by the curvature, in natural units.
        let p = 76.0 / 101.0f64;
        let of = |pairs: f64, points: f64| pairs * (points - 2.0 * p).powi(2);
        let scattered = of(4.0, 0.0) + of(16.0, 1.0) + of(1.0, 1.5) + of(29.0, 2.0);
        let made_up = 0.5 * (p * p + (1.0 - p) * (1.0 - p));
        let half = 1.959_964 * (scattered + made_up).sqrt() / (101.0 * p * (1.0 - p)) * 400.0
            / std::f64::consts::LN_10;
        assert!((found[1].half - half).abs() < 1e-3, "{found:?} {half}");
        assert_eq!(found[0], Strength { elo: 0.0, half: 0.0 });
    }

    /// Where the second game of each pair comes out as the first, pairs tell as much as half as many games; where who sits on
    /// the better seat wins, they tell more.
    #[test]
    fn two_games_of_a_pair_are_not_two_games() {
        let of = |pairs: [u64; 5]| strengths(2, &[games(1, 0, pairs)])[1].half;
        let [apart, alike, seats] = [[25, 0, 50, 0, 25], [50, 0, 0, 0, 50], [0, 0, 100, 0, 0]].map(of);
        assert!((alike / apart - 2f64.sqrt()).abs() < 0.01 && seats < 0.1 * apart, "{apart} {alike} {seats}");
    }

    #[test]
    fn a_chain_adds_up() {
        let won = [0, 0, 250, 0, 250];
        let found = strengths(3, &[games(1, 0, won), games(2, 1, won)]);
        assert!((found[2].elo - 2.0 * found[1].elo).abs() < 1e-6, "{found:?}");
        assert!(found[2].half > found[1].half);
    }

    #[test]
    fn who_has_won_all_is_strong_but_not_without_bound() {
        let found = strengths(2, &[games(1, 0, [0, 0, 0, 0, 30])]);
        assert!(found[1].elo > 500.0 && found[1].elo < 2000.0 && found[1].half.is_finite(), "{found:?}");
        assert!(found[1].half > 200.0, "{found:?}");
    }

    #[test]
    fn who_has_played_nobody_is_unknown() {
        let found = strengths(3, &[games(1, 0, [2, 0, 1, 0, 2])]);
        assert!(found[2].elo == 0.0 && !found[2].half.is_finite(), "{found:?}");
        assert!(strengths(0, &[]).is_empty());
    }

    /// Three who have met each other, and none of them the first: how strong they are above him nobody knows.
    #[test]
    fn who_has_met_nobody_that_leads_to_the_first_is_unknown() {
        let won = [1, 0, 4, 0, 5];
        let met = [games(1, 2, won), games(2, 3, won), games(1, 3, won)];
        for found in [strengths(4, &met), strengths(3, &met[..1])] {
            assert!(found[1..].iter().all(|found| found.elo == 0.0 && !found.half.is_finite()), "{found:?}");
        }
        let found = strengths(4, &[met[1].clone(), games(1, 0, won)]);
        assert!(found[1].half.is_finite() && !found[2].half.is_finite(), "{found:?}");
    }
}
