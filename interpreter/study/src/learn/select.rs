//! Which few of many columns tell who wins, and by which whole numbers they are weighed.
//!
//! Games are split, not positions: those of one game resemble each other. Columns are taken one after another (forward
//! selection), fitted to some games and judged by others, as long as a column promises more than the best of as many that
//! tell nothing would, and what it adds is more than its standard error, game by game. Of columns that are as good as the
//! best within half of that, the plainest is taken, so that the page is one that people can read. Games that neither fit
//! nor judge are held out, and say in the end how good it is.

use blazon_kernel::chance::mix;

use super::fit::{Case, Cases, Fit};

/// What a game is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It is fitted to.
    Fitted,
    /// It judges which columns are taken.
    Judge,
    /// It says how good it all is.
    Held,
}

impl Part {
    /// Of five games three are fitted to, one judges and one is held out.
    pub fn of(key: u64) -> Self {
        match mix(key, 0x5eed) % 5 {
            0 => Self::Held,
            1 => Self::Judge,
            _ => Self::Fitted,
        }
    }
}

/// So many columns are fitted in each round, those that promise the most.
const TRIED: usize = 16;
/// The scales of the largest weight that are tried; the first that is fine enough is taken.
const SCALES: [f64; 8] = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 10_000.0];
/// Whole numbers may cost so much of the loss.
const COARSE: f64 = 0.001;

/// Columns with whole weights.
#[derive(Clone, Debug, Default)]
pub struct Selected {
    /// The columns and their weights, the heaviest in play first.
    pub weights: Vec<(usize, i64)>,
    /// How it does with games that were held out.
    pub held: Held,
}

/// How well winners are told in games that nothing was fitted to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// How many games.
    pub games: usize,
    /// The loss in nats, each game as much as another.
    pub loss: f64,
    /// The loss of whoever knows only how often each seat wins.
    pub blind_loss: f64,
    /// In what share of positions the likeliest wins.
    pub right: f64,
    /// The same of whoever knows only how often each seat wins.
    pub blind_right: f64,
}

/// Takes at most so many columns. `burden` says how hard a column is to read.
pub fn select(cases: &Cases, most: usize, burden: &dyn Fn(usize) -> usize) -> Selected {
    let blind = cases.fit(&[], &[Part::Fitted], &Fit::default());
    let mut fit = blind.clone();
    while fit.taken.len() < most {
        let Some(next) = add(cases, &fit, burden) else { break };
        fit = next;
    }
    prune(cases, &mut fit);
    let taken: Vec<usize> = fit.taken.iter().map(|(column, _)| *column).collect();
    let known = [Part::Fitted, Part::Judge];
    let fit = cases.fit(&taken, &known, &fit);
    let (weights, fit) = round(cases, fit, &known);
    let blind = cases.fit(&[], &known, &blind);
    let mut weights = weights;
    weights.sort_by(|a, b| {
        let play = |&(column, weight): &(usize, i64)| weight.unsigned_abs() as f64 * cases.size(column);
        play(b).total_cmp(&play(a)).then(a.0.cmp(&b.0))
    });
    Selected { weights, held: held(cases, &fit, &blind) }
}

/// The difference of two fits for each judging game: its mean, and the standard error of that.
fn gain(cases: &Cases, before: &Fit, after: &Fit) -> (f64, f64) {
    let (before, after) = (cases.losses(before, Part::Judge), cases.losses(after, Part::Judge));
    let gains: Vec<f64> = before.iter().zip(&after).map(|((_, a), (_, b))| a - b).collect();
    let count = gains.len().max(2) as f64;
    let mean = gains.iter().sum::<f64>() / count;
    let spread = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (spread / count).sqrt())
}

/// One column more, if one is worth it.
fn add(cases: &Cases, fit: &Fit, burden: &dyn Fn(usize) -> usize) -> Option<Fit> {
    let logits = cases.logits(fit);
    // The best of so many that tell nothing has about this score (the risk inflation criterion: D. P. Foster, E. I. George,
    // Annals of Statistics 22, 1994, 1947-1975).
    let chance = 2.0 * (cases.columns.len().max(2) as f64).ln();
    let mut scored: Vec<(f64, usize)> = (0..cases.columns.len())
        .map(|column| (cases.score(fit, &logits, column, Part::Fitted), column))
        .filter(|(score, _)| *score > chance)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(burden(a.1).cmp(&burden(b.1))).then(a.1.cmp(&b.1)));
    scored.truncate(TRIED);
    let tried: Vec<(usize, Fit, f64, f64)> = scored
        .into_iter()
        .map(|(_, column)| {
            let taken: Vec<usize> = fit.taken.iter().map(|(column, _)| *column).chain([column]).collect();
            let next = cases.fit(&taken, &[Part::Fitted], fit);
            let (gain, error) = gain(cases, fit, &next);
            (column, next, gain, error)
        })
        .collect();
    let best = tried.iter().max_by(|a, b| a.2.total_cmp(&b.2))?;
    if best.2 <= best.3 {
        return None;
    }
    let good = best.2 - best.3 / 2.0;
    let plain = tried.iter().filter(|(_, _, gain, error)| *gain >= good && gain > error);
    plain.min_by_key(|(column, ..)| (burden(*column), *column)).map(|(_, next, ..)| next.clone())
}

/// Leaves out what later columns have made needless.
fn prune(cases: &Cases, fit: &mut Fit) {
    let mut place = 0;
    while place < fit.taken.len() && fit.taken.len() > 1 {
        let mut taken: Vec<usize> = fit.taken.iter().map(|(column, _)| *column).collect();
        taken.remove(place);
        let without = cases.fit(&taken, &[Part::Fitted], fit);
        let (lost, _) = gain(cases, &without, fit);
        if lost <= 0.0 {
            *fit = without;
        } else {
            place += 1;
        }
    }
}

/// Whole numbers in the place of weights: two digits of each, in the coarsest scale that costs next to nothing.
fn round(cases: &Cases, fit: Fit, known: &[Part]) -> (Vec<(usize, i64)>, Fit) {
    let cost = |fit: &Fit| -> f64 {
        known.iter().flat_map(|&part| cases.losses(fit, part)).map(|(_, loss)| loss).sum()
    };
    let exact = cost(&fit);
    let largest = fit.taken.iter().map(|(_, weight)| weight.abs()).fold(0.0, f64::max);
    if largest == 0.0 {
        return (Vec::new(), fit);
    }
    let mut found = (Vec::new(), fit.clone());
    for scale in SCALES {
        let unit = largest / scale;
        let whole: Vec<(usize, i64)> =
            fit.taken.iter().map(|&(column, weight)| (column, two_digits(weight / unit))).collect();
        let taken = whole.iter().map(|&(column, weight)| (column, weight as f64 * unit)).collect();
        let rounded = Fit { intercepts: fit.intercepts.clone(), taken };
        let fine = cost(&rounded) <= exact * (1.0 + COARSE) && whole.iter().all(|(_, weight)| *weight != 0);
        found = (whole, rounded);
        if fine {
            break;
        }
    }
    found.0.retain(|(_, weight)| *weight != 0);
    found
}

/// The nearest whole number of which only the first two digits are not 0.
fn two_digits(number: f64) -> i64 {
    let mut unit = 1.0;
    while (number / unit).abs() >= 100.0 {
        unit *= 10.0;
    }
    ((number / unit).round() * unit) as i64
}

fn held(cases: &Cases, fit: &Fit, blind: &Fit) -> Held {
    let mean = |fit: &Fit| -> (usize, f64) {
        let losses = cases.losses(fit, Part::Held);
        (losses.len(), losses.iter().map(|(_, loss)| loss).sum::<f64>() / losses.len().max(1) as f64)
    };
    let right = |fit: &Fit| -> f64 {
        let (mut right, mut all) = (0.0, 0.0);
        let views = cases.views.max(1);
        for (position, of) in cases.cases.chunks(views).enumerate().filter(|(_, of)| of[0].part == Part::Held)
        {
            let logits: Vec<f64> =
                (0..of.len()).map(|view| fit.logit(cases, position * views + view)).collect();
            // All cases of a position weigh the same.
            let weight = of[0].weight * of.len() as f64;
            right += weight * named(of, &logits);
            all += weight;
        }
        if all > 0.0 { right / all } else { 0.0 }
    };
    let (games, loss) = mean(fit);
    Held { games, loss, blind_loss: mean(blind).1, right: right(fit), blind_right: right(blind) }
}

/// How far the winner of a position is named by whoever takes the likeliest: 1 if it is he, and a share of it among several
/// who are as likely. The one case that stands for two players is the one or the other.
fn named(of: &[Case], logits: &[f64]) -> f64 {
    if let ([case], [logit]) = (of, logits) {
        return match logit {
            _ if *logit > 0.0 => case.won,
            _ if *logit < 0.0 => 1.0 - case.won,
            _ => 0.5,
        };
    }
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let likeliest: Vec<f64> =
        of.iter().zip(logits).filter(|(_, logit)| **logit == most).map(|(case, _)| case.won).collect();
    likeliest.iter().sum::<f64>() / likeliest.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::fit::chance;
    use super::*;
    use blazon_kernel::chance::Stream;

    /// Games of which one column is the cause, in so many that are noise.
    fn caused(noise: usize, games: usize) -> Cases {
        caused_by(5, noise, games)
    }

    /// The same from a seed.
    fn caused_by(seed: u64, noise: usize, games: usize) -> Cases {
        let mut stream = Stream::new(seed);
        let mut cases = Cases { groups: 1, ..Cases::default() };
        cases.columns = vec![Vec::new(); noise + 1];
        for game in 0..games {
            let values: Vec<f64> = (0..=noise).map(|_| stream.below(21) as f64 - 10.0).collect();
            let cause = values[noise / 2];
            let logit = 0.4 * cause + 0.5;
            let won = f64::from(u8::from((stream.below(1_000_000) as f64) < chance(logit) * 1e6));
            cases.cases.push(Case { game, part: Part::of(stream.word()), weight: 1.0, won, group: 0 });
            for (column, value) in cases.columns.iter_mut().zip(values) {
                column.push(value);
            }
        }
        cases
    }

    #[test]
    fn the_cause_is_found_among_noise() {
        let cases = caused(60, 600);
        let selected = select(&cases, 8, &|_| 1);
        assert_eq!(selected.weights.first().map(|(column, _)| *column), Some(30), "{selected:?}");
        assert!(selected.weights.len() <= 3, "{selected:?}");
        let held = selected.held;
        assert!(held.games > 80 && held.loss < held.blind_loss - 0.1, "{held:?}");
        assert!(held.right > held.blind_right + 0.1 && held.right > 0.7, "{held:?}");
    }

    #[test]
    fn of_two_that_tell_the_same_the_plainer_is_taken() {
        let mut cases = caused(2, 600);
        let cause = cases.columns[1].clone();
        cases.columns.push(cause.iter().map(|x| x * 2.0).collect());
        let selected = select(&cases, 8, &|column| if column == 3 { 1 } else { 5 });
        assert_eq!(selected.weights.first().map(|(column, _)| *column), Some(3), "{selected:?}");
    }

    #[test]
    fn nothing_is_taken_where_nothing_tells() {
        let mut taken = 0;
        for seed in 0..20 {
            let mut cases = caused_by(seed, 20, 600);
            cases.columns.remove(10);
            taken += select(&cases, 8, &|_| 1).weights.len();
        }
        // Of 400 columns of noise.
        assert!(taken <= 8, "{taken} were taken");
    }

    #[test]
    fn of_four_the_winner_is_one_of_four() {
        let mut stream = Stream::new(3);
        let mut cases = Cases { groups: 4, views: 4, columns: vec![Vec::new()], ..Cases::default() };
        for game in 0..2000 {
            let part = Part::of(stream.word());
            let winner = stream.below(4);
            for seat in 0..4 {
                let won = f64::from(u8::from(winner == seat));
                cases.cases.push(Case { game, part, weight: 0.25, won, group: seat });
                // Half of the games say who it is.
                cases.columns[0].push(if game % 2 == 0 { won } else { 0.0 });
            }
        }
        let held = select(&cases, 8, &|_| 1).held;
        let is_told = |case: &&Case| case.part == Part::Held && case.game.is_multiple_of(2);
        let told = cases.cases.iter().filter(is_told).count() as f64 / 4.0 / held.games as f64;
        assert!((held.blind_right - 0.25).abs() < 0.06, "{held:?}");
        assert!((held.right - told - (1.0 - told) / 4.0).abs() < 0.06, "{held:?}, {told}");
    }

    #[test]
    fn weights_have_two_digits() {
        let numbers = [0.4, 7.6, 99.4, 123.0, -456.0, 9951.0];
        assert_eq!(numbers.map(two_digits), [0, 8, 99, 120, -460, 10_000]);
    }
}
