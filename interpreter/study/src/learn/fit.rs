//! Logistic regression: who wins, told by a few numbers of a position.
//!
//! The likelihood of a game does not grow with how many of its positions were kept: all weigh as much as one together.
//! Coefficients have a normal prior (ridge; A. E. Hoerl, R. W. Kennard, "Ridge regression", Technometrics 12, 1970,
//! 55-67), measured in the size that a column usually has. Found by Newton's steps, halved where they do not help.
//! Which columns are taken is found by forward selection, with games that were not fitted to as judges (`select`).

use super::select::Part;

/// So much weight has the prior of a coefficient, against one game.
const RIDGE: f64 = 1.0;
/// And that of an intercept: so little that it only keeps it finite where one always wins.
const LOOSE: f64 = 1e-3;
/// The most steps of Newton; a dozen is usual.
const STEPS: usize = 50;
/// Close enough.
const CLOSE: f64 = 1e-9;

/// A position seen by a player.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The game, from 0.
    pub game: usize,
    /// Fitted to, judged by, or held out.
    pub part: Part,
    /// How much it counts: all of a game come to 1.
    pub weight: f64,
    /// Whether the player has won: 1, 0, or what lies between if nobody has.
    pub won: f64,
    /// Cases of one group have an intercept in common.
    pub group: usize,
}

/// What is fitted to: cases, and what each column says of them.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// The cases.
    pub cases: Vec<Case>,
    /// A number for each case.
    pub columns: Vec<Vec<f64>>,
    /// How many groups there are.
    pub groups: usize,
    /// How many cases a position is, one for each player who looks at it, one after another. Of two players one is enough.
    pub views: usize,
}

/// Coefficients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// One for each group.
    pub intercepts: Vec<f64>,
    /// The columns that were taken, each with its coefficient.
    pub taken: Vec<(usize, f64)>,
}

impl Fit {
    /// The logit of a case.
    pub fn logit(&self, cases: &Cases, case: usize) -> f64 {
        let intercept = self.intercepts.get(cases.cases[case].group).copied().unwrap_or_default();
        self.taken.iter().fold(intercept, |sum, &(column, weight)| sum + weight * cases.columns[column][case])
    }
}

/// How unlikely what came is by a logit, in nats.
pub fn loss(logit: f64, won: f64) -> f64 {
    // ln(1 + e^x) without overflow.
    let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
    won * softplus(-logit) + (1.0 - won) * softplus(logit)
}

/// The chance of a logit.
pub fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

impl Cases {
    /// The mean loss of each game of a part: its number, and the loss.
    pub fn losses(&self, fit: &Fit, part: Part) -> Vec<(usize, f64)> {
        let mut losses: Vec<(usize, f64)> = Vec::new();
        for (place, case) in self.cases.iter().enumerate().filter(|(_, case)| case.part == part) {
            let loss = case.weight * loss(fit.logit(self, place), case.won);
            match losses.last_mut() {
                Some((game, sum)) if *game == case.game => *sum += loss,
                _ => losses.push((case.game, loss)),
            }
        }
        losses
    }

    /// How large a column usually is; 0 if it says nothing of anybody.
    pub fn size(&self, column: usize) -> f64 {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (case, value) in self.cases.iter().zip(&self.columns[column]) {
            sum += case.weight * value * value;
            weight += case.weight;
        }
        if weight > 0.0 { (sum / weight).sqrt() } else { 0.0 }
    }

    /// Fits columns to the cases of some parts, from where another fit stands.
    pub fn fit(&self, taken: &[usize], parts: &[Part], from: &Fit) -> Fit {
        let sizes: Vec<f64> = taken.iter().map(|&column| self.size(column).max(f64::MIN_POSITIVE)).collect();
        let mut at: Vec<f64> =
            (0..self.groups).map(|group| from.intercepts.get(group).copied().unwrap_or_default()).collect();
        at.extend(taken.iter().zip(&sizes).map(|(&column, size)| {
            let known = from.taken.iter().find(|(other, _)| *other == column);
            known.map_or(0.0, |(_, weight)| weight * size)
        }));
        let system = System { cases: self, taken, sizes: &sizes, parts };
        let mut cost = system.cost(&at);
        for _ in 0..STEPS {
            let Some(step) = system.step(&at) else { break };
            let mut share = 1.0;
            let mut better = None;
            while share > 1e-6 {
                let next: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + share * s).collect();
                let next_cost = system.cost(&next);
                if next_cost < cost {
                    better = Some((next, next_cost));
                    break;
                }
                share /= 2.0;
            }
            let Some((next, next_cost)) = better else { break };
            let gained = cost - next_cost;
            (at, cost) = (next, next_cost);
            if gained < CLOSE * (1.0 + cost) {
                break;
            }
        }
        let weights = at.split_off(self.groups);
        let taken = taken.iter().zip(weights).zip(&sizes).map(|((&c, w), size)| (c, w / size)).collect();
        Fit { intercepts: at, taken }
    }

    /// How much a column that was not taken could help, as far as the slope and the bend of the likelihood tell (Rao's
    /// score), fitted to the cases of a part.
    pub fn score(&self, fit: &Fit, logits: &[f64], column: usize, part: Part) -> f64 {
        let size = self.size(column);
        if size == 0.0 || fit.taken.iter().any(|(taken, _)| *taken == column) {
            return 0.0;
        }
        let (mut slope, mut bend) = (0.0, RIDGE);
        for ((case, value), logit) in self.cases.iter().zip(&self.columns[column]).zip(logits) {
            if case.part == part {
                let p = chance(*logit);
                let x = value / size;
                slope += case.weight * (case.won - p) * x;
                bend += case.weight * p * (1.0 - p) * x * x;
            }
        }
        slope * slope / bend
    }

    /// The logits of all cases.
    pub fn logits(&self, fit: &Fit) -> Vec<f64> {
        (0..self.cases.len()).map(|case| fit.logit(self, case)).collect()
    }
}

/// What Newton's steps are taken in: coefficients of the groups, then of the columns in their usual size.
struct System<'a> {
    cases: &'a Cases,
    taken: &'a [usize],
    sizes: &'a [f64],
    parts: &'a [Part],
}

impl System<'_> {
    /// The numbers of a case, one for each column.
    fn row(&self, case: usize, row: &mut Vec<f64>) {
        row.clear();
        let columns = self.taken.iter().zip(self.sizes);
        row.extend(columns.map(|(&column, size)| self.cases.columns[column][case] / size));
    }

    fn prior(&self, place: usize) -> f64 {
        if place < self.cases.groups { LOOSE } else { RIDGE }
    }

    fn logit(&self, at: &[f64], case: &Case, row: &[f64]) -> f64 {
        let (intercepts, weights) = at.split_at(self.cases.groups);
        let intercept = intercepts.get(case.group).copied().unwrap_or_default();
        row.iter().zip(weights).fold(intercept, |sum, (x, w)| sum + x * w)
    }

    fn cost(&self, at: &[f64]) -> f64 {
        let mut row = Vec::new();
        let prior = at.iter().enumerate().map(|(place, a)| 0.5 * self.prior(place) * a * a);
        let mut cost: f64 = prior.sum();
        for (place, case) in self.cases.cases.iter().enumerate() {
            if self.parts.contains(&case.part) {
                self.row(place, &mut row);
                cost += case.weight * loss(self.logit(at, case, &row), case.won);
            }
        }
        cost
    }

    /// Newton's step; none where the system cannot be solved.
    fn step(&self, at: &[f64]) -> Option<Vec<f64>> {
        let size = at.len();
        let mut slope: Vec<f64> = at.iter().enumerate().map(|(place, a)| -self.prior(place) * a).collect();
        let mut bend = vec![vec![0.0; size]; size];
        for (place, row) in bend.iter_mut().enumerate() {
            row[place] = self.prior(place);
        }
        let mut row = Vec::new();
        for (place, case) in self.cases.cases.iter().enumerate() {
            if !self.parts.contains(&case.part) {
                continue;
            }
            self.row(place, &mut row);
            let p = chance(self.logit(at, case, &row));
            let miss = case.weight * (case.won - p);
            let curve = case.weight * p * (1.0 - p);
            let groups = self.cases.groups;
            slope[case.group] += miss;
            bend[case.group][case.group] += curve;
            for (i, x) in row.iter().enumerate() {
                slope[groups + i] += miss * x;
                bend[groups + i][case.group] += curve * x;
                for (j, y) in row.iter().enumerate().take(i + 1) {
                    bend[groups + i][groups + j] += curve * x * y;
                }
            }
        }
        solve(&mut bend, slope)
    }
}

/// Solves a system of a positive matrix of which the lower half is given (Cholesky).
fn solve(matrix: &mut [Vec<f64>], mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for i in 0..size {
        for j in 0..=i {
            let before = matrix[i].iter().zip(&matrix[j]).take(j);
            let sum = before.fold(matrix[i][j], |sum, (a, b)| sum - a * b);
            if i == j {
                if sum <= 0.0 || !sum.is_finite() {
                    return None;
                }
                matrix[i][i] = sum.sqrt();
            } else {
                matrix[i][j] = sum / matrix[j][j];
            }
        }
    }
    for i in 0..size {
        for k in 0..i {
            right[i] -= matrix[i][k] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    for i in (0..size).rev() {
        for k in i + 1..size {
            right[i] -= matrix[k][i] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(rows: &[(f64, f64, f64)]) -> Cases {
        let case = |(game, &(_, _, won)): (usize, &(f64, f64, f64))| Case {
            game,
            part: Part::Fitted,
            weight: 1.0,
            won,
            group: 0,
        };
        Cases {
            cases: rows.iter().enumerate().map(case).collect(),
            columns: vec![rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()],
            groups: 1,
            views: 1,
        }
    }

    /// Hours that twenty students learned, and who passed: the example of Wikipedia's article on logistic regression.
    fn students() -> Cases {
        let hours = [
            0.50, 0.75, 1.00, 1.25, 1.50, 1.75, 1.75, 2.00, 2.25, 2.50, 2.75, 3.00, 3.25, 3.50, 4.00, 4.25,
            4.50, 4.75, 5.00, 5.50,
        ];
        let passed = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1];
        let rows: Vec<_> = hours.into_iter().zip(passed).map(|(x, y)| (x, 0.0, f64::from(y))).collect();
        cases(&rows)
    }

    /// The article gives 1.5046 for an hour and -4.0777 for the intercept, without a prior: so many copies of each student
    /// that the prior does not count.
    #[test]
    fn students_pass_as_is_published() {
        let mut students = students();
        students.cases.iter_mut().for_each(|case| case.weight = 1e6);
        let fit = students.fit(&[0], &[Part::Fitted], &Fit::default());
        assert!((fit.taken[0].1 - 1.5046).abs() < 5e-5, "{fit:?}");
        assert!((fit.intercepts[0] + 4.0777).abs() < 5e-5, "{fit:?}");
    }

    /// With the prior: found independently, by 60,000 steps along the slope in a Python program of twenty lines.
    #[test]
    fn a_prior_draws_to_nothing() {
        let students = students();
        let fit = students.fit(&[0], &[Part::Fitted], &Fit::default());
        assert!((fit.taken[0].1 - 0.509_099_232_277).abs() < 1e-6, "{fit:?}");
        assert!((fit.intercepts[0] + 1.411_734_680_462).abs() < 1e-6, "{fit:?}");
    }

    #[test]
    fn what_is_beside_the_point_is_told_so() {
        let mut rows = Vec::new();
        for n in 0..200_u32 {
            let noise = f64::from(n * 7919 % 13) - 6.0;
            let cause = f64::from(n * 104_729 % 11) - 5.0;
            rows.push((noise, cause, if cause > 0.0 { 1.0 } else { 0.0 }));
        }
        let cases = cases(&rows);
        let none = cases.fit(&[], &[Part::Fitted], &Fit::default());
        let logits = cases.logits(&none);
        let [noise, cause] = [0, 1].map(|column| cases.score(&none, &logits, column, Part::Fitted));
        assert!(cause > 20.0 * noise.max(1.0), "{cause} {noise}");
    }

    /// Nobody can be told apart who always wins, and nothing comes to no end.
    #[test]
    fn what_is_certain_stays_finite() {
        let cases = cases(&[(1.0, 0.0, 1.0), (2.0, 0.0, 1.0), (3.0, 0.0, 1.0)]);
        let fit = cases.fit(&[0, 1], &[Part::Fitted], &Fit::default());
        assert!(fit.intercepts[0].is_finite() && fit.taken.iter().all(|(_, weight)| weight.is_finite()));
        assert_eq!(fit.taken[1].1, 0.0, "a column of nothing weighs nothing");
    }

    #[test]
    fn losses_do_not_overflow() {
        assert!((loss(0.0, 1.0) - std::f64::consts::LN_2).abs() < 1e-12);
        assert!((loss(-1000.0, 1.0) - 1000.0).abs() < 1e-9);
        assert!(loss(1000.0, 1.0) < 1e-9);
    }
}
