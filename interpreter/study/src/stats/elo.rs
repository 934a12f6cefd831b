//! How strong players are, by the games that they have played against each other.
//!
//! The model of R. A. Bradley and M. E. Terry ("Rank Analysis of Incomplete Block Designs: I", Biometrika 39, 1952,
//! 324-345) on Elo's scale: who is `d` above another wins `1 / (1 + 10^(-d/400))` of their games; nobody's win is half a
//! win for both. Fitted by maximum likelihood with Newton's steps; intervals from the curvature there.

use super::sequential::normal_quantile;

/// Games between two players.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// One player, by place.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// How many games the first has won; those that nobody has won count a half.
    pub won: f64,
    /// How many were played.
    pub played: f64,
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
/// Each match is taken to have had one more game, half won by each: who has won all is strong, but not without bound.
const MADE_UP: f64 = 0.5;

/// The strengths of so many players, the first of them at 0. Who is connected with nobody by matches stays at 0, with an
/// interval without end.
pub fn strengths(players: usize, matches: &[Match]) -> Vec<Strength> {
    let unit = std::f64::consts::LN_10 / POINTS;
    let free = players.saturating_sub(1);
    let mut elo = vec![0.0; players];
    let mut inverse = Vec::new();
    for _ in 0..60 {
        let (mut slope, mut curve) = (vec![0.0; free], vec![vec![0.0; free]; free]);
        for game in matches {
            let played = game.played + 2.0 * MADE_UP;
            let expected = 1.0 / (1.0 + (-(elo[game.one] - elo[game.other]) * unit).exp());
            let miss = (game.won + MADE_UP - played * expected) * unit;
            let weight = played * expected * (1.0 - expected) * unit * unit;
            for (place, sign) in [(game.one, 1.0), (game.other, -1.0)] {
                let Some(row) = place.checked_sub(1) else { continue };
                slope[row] += sign * miss;
                for (other, sign_of_other) in [(game.one, 1.0), (game.other, -1.0)] {
                    if let Some(column) = other.checked_sub(1) {
                        curve[row][column] += sign * sign_of_other * weight;
                    }
                }
            }
        }
        inverse = inverted(curve);
        let steps: Vec<f64> =
            inverse.iter().map(|row: &Vec<f64>| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
        let mut widest: f64 = 0.0;
        for (elo, step) in elo.iter_mut().skip(1).zip(&steps) {
            // Far from the top the curve misleads.
            let step = if step.is_finite() { step.clamp(-POINTS, POINTS) } else { 0.0 };
            *elo += step;
            widest = widest.max(step.abs());
        }
        if widest < 1e-9 {
            break;
        }
    }
    let z = normal_quantile(0.975);
    let half = |place: usize| match place.checked_sub(1) {
        None => 0.0,
        Some(row) => inverse.get(row).map_or(f64::INFINITY, |line| z * line[row].max(0.0).sqrt()),
    };
    elo.iter().enumerate().map(|(place, &elo)| Strength { elo, half: half(place) }).collect()
}

/// The inverse of a matrix by elimination with the greatest pivot of the column; what has no inverse gives numbers without
/// bound.
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
        if by == 0.0 {
            inverse[column].fill(f64::INFINITY);
            continue;
        }
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

    fn games(one: usize, other: usize, won: f64, played: f64) -> Match {
        Match { one, other, won, played }
    }

    /// By hand: with 75.5 of 100 games (and the made-up one) the odds are 76 to 25.
    #[test]
    fn two_players_are_apart_by_their_odds() {
        let found = strengths(2, &[games(1, 0, 75.5, 100.0)]);
        let elo = 400.0 * (76.0f64 / 25.0).log10();
        assert!((found[1].elo - elo).abs() < 1e-6, "{found:?}");
        // The curvature: played * p * (1 - p), in natural units.
        let p = 76.0 / 101.0;
        let half = 1.959_964 / (101.0f64 * p * (1.0 - p)).sqrt() * 400.0 / std::f64::consts::LN_10;
        assert!((found[1].half - half).abs() < 1e-3, "{found:?}");
        assert_eq!(found[0], Strength { elo: 0.0, half: 0.0 });
    }

    #[test]
    fn a_chain_adds_up() {
        let found = strengths(3, &[games(1, 0, 750.0, 1000.0), games(2, 1, 750.0, 1000.0)]);
        assert!((found[2].elo - 2.0 * found[1].elo).abs() < 1e-6, "{found:?}");
        assert!(found[2].half > found[1].half);
    }

    #[test]
    fn who_has_won_all_is_strong_but_not_without_bound() {
        let found = strengths(2, &[games(1, 0, 60.0, 60.0)]);
        assert!(found[1].elo > 500.0 && found[1].elo < 2000.0 && found[1].half.is_finite(), "{found:?}");
    }

    #[test]
    fn who_has_played_nobody_is_unknown() {
        let found = strengths(3, &[games(1, 0, 5.0, 10.0)]);
        assert!(found[2].elo == 0.0 && !found[2].half.is_finite(), "{found:?}");
        assert!(strengths(0, &[]).is_empty());
    }
}
