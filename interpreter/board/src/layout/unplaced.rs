//! Points for places that have none, by the links between them: rings around a place, by how many links the others are away,
//! then moved until distances on the board are as hops are (stress majorization; Gansner, Koren, North 2004). What has the fewest
//! links that cross, or run through a place that is none of theirs, is taken.

use std::collections::VecDeque;
use std::f64::consts::TAU;

/// More places than these stay on their rings: each is held against each other one.
const MOST: usize = 150;
/// How often all are moved.
const ROUNDS: usize = 120;
/// How many places are tried as the middle.
const MIDDLES: usize = 6;
/// A link that is nearer to a place than this, in hops, runs through it.
const NEAR: f64 = 0.4;

type Point = (f64, f64);

/// Where so many places stand that are linked so, in any unit.
pub fn unplaced(count: usize, links: &[(usize, usize)]) -> Vec<Point> {
    let beside = neighbours(count, links);
    let plain = rings(&beside, 0);
    if !(3..=MOST).contains(&count) {
        return plain;
    }
    let hops: Vec<Vec<f64>> = (0..count).map(|from| hops(&beside, from)).collect();
    let mut best = (faults(&plain, links), plain);
    // The places from which the farthest is nearest.
    let mut middles: Vec<usize> = (0..count).collect();
    middles.sort_by(|&a, &b| farthest(&hops[a]).total_cmp(&farthest(&hops[b])));
    for middle in middles.into_iter().take(MIDDLES) {
        let mut points = rings(&beside, middle);
        relax(&mut points, &hops);
        let faults = faults(&points, links);
        if faults < best.0 {
            best = (faults, points);
        }
    }
    best.1
}

/// What each place is linked with.
fn neighbours(count: usize, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut beside = vec![Vec::new(); count];
    for &(a, b) in links {
        beside[a].push(b);
        beside[b].push(a);
    }
    beside
}

/// By how many links every place is away; what no link reaches is farther than all that some do.
fn hops(beside: &[Vec<usize>], from: usize) -> Vec<f64> {
    let mut away = vec![f64::INFINITY; beside.len()];
    let mut queue = VecDeque::from([from]);
    away[from] = 0.0;
    while let Some(place) = queue.pop_front() {
        for &next in &beside[place] {
            if away[next].is_infinite() {
                away[next] = away[place] + 1.0;
                queue.push_back(next);
            }
        }
    }
    let apart = (beside.len() as f64).sqrt() + 1.0;
    away.iter().map(|&hops| if hops.is_finite() { hops } else { apart }).collect()
}

fn farthest(hops: &[f64]) -> f64 {
    hops.iter().copied().fold(0.0, f64::max)
}

/// Places on rings around one of them, by how many links they are away. What no link reaches stands outside of what there is.
fn rings(beside: &[Vec<usize>], middle: usize) -> Vec<Point> {
    let count = beside.len();
    let mut ring = vec![usize::MAX; count];
    let mut rings: Vec<Vec<usize>> = Vec::new();
    for first in std::iter::once(middle).chain(0..count).filter(|&first| first < count) {
        if ring[first] != usize::MAX {
            continue;
        }
        let mut queue = VecDeque::from([first]);
        ring[first] = rings.len();
        while let Some(place) = queue.pop_front() {
            if rings.len() <= ring[place] {
                rings.resize(ring[place] + 1, Vec::new());
            }
            rings[ring[place]].push(place);
            for &next in &beside[place] {
                if ring[next] == usize::MAX {
                    ring[next] = ring[place] + 1;
                    queue.push_back(next);
                }
            }
        }
    }
    let mut points = vec![(0.0, 0.0); count];
    let mut out = 0.0_f64;
    for (distance, places) in rings.iter().enumerate() {
        // A ring is wide enough for all that stand on it.
        let alone = distance == 0 && places.len() == 1;
        out = if alone { 0.0 } else { (out + 1.0).max(places.len() as f64 / TAU) };
        for (place, &thing) in places.iter().enumerate() {
            let turn = TAU * (place as f64 + distance as f64 * 0.5) / places.len() as f64;
            points[thing] = (out * turn.sin(), -out * turn.cos());
        }
    }
    points
}

/// Moves each place, again and again, to where all others would have it: as far from them as they are by links, the near ones
/// counting most.
fn relax(points: &mut [Point], hops: &[Vec<f64>]) {
    for _ in 0..ROUNDS {
        for place in 0..points.len() {
            let (x, y) = points[place];
            let (mut to, mut weights) = ((0.0, 0.0), 0.0);
            for (other, &(ox, oy)) in points.iter().enumerate().filter(|(other, _)| *other != place) {
                let wanted = hops[place][other];
                let far = (x - ox).hypot(y - oy).max(1e-6);
                let weight = 1.0 / (wanted * wanted);
                to.0 += weight * (ox + wanted * (x - ox) / far);
                to.1 += weight * (oy + wanted * (y - oy) / far);
                weights += weight;
            }
            points[place] = (to.0 / weights, to.1 / weights);
        }
    }
}

/// How many links run through a place that is none of theirs, each worth several that cross, and how many cross.
fn faults(points: &[Point], links: &[(usize, usize)]) -> usize {
    let mut faults = 0;
    for (at, &(a, b)) in links.iter().enumerate() {
        let through = |place: &usize| {
            *place != a && *place != b && distance(points[*place], points[a], points[b]) < NEAR
        };
        faults += 5 * (0..points.len()).filter(through).count();
        let crosses = |&&(c, d): &&(usize, usize)| {
            let is_apart = a != c && a != d && b != c && b != d;
            is_apart && cross((points[a], points[b]), (points[c], points[d]))
        };
        faults += links[..at].iter().filter(crosses).count();
    }
    faults
}

/// How far a point is from a line between two.
fn distance(point: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let along = ((point.0 - a.0) * dx + (point.1 - a.1) * dy) / (dx * dx + dy * dy).max(1e-9);
    let along = along.clamp(0.0, 1.0);
    (point.0 - a.0 - along * dx).hypot(point.1 - a.1 - along * dy)
}

/// Whether two lines cross.
fn cross((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let side = |from: Point, to: Point, of: Point| {
        (to.0 - from.0) * (of.1 - from.1) - (to.1 - from.1) * (of.0 - from.0) > 0.0
    };
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_of_a_grid_runs_through_a_place() {
        let links: Vec<(usize, usize)> = (0..5)
            .flat_map(|row| (0..5).map(move |column| (row, column)))
            .flat_map(|(row, column)| {
                let here = row * 5 + column;
                [(column < 4, here + 1), (row < 4, here + 5)]
                    .into_iter()
                    .filter_map(move |(is_there, next)| is_there.then_some((here, next)))
            })
            .collect();
        let points = unplaced(25, &links);
        assert_eq!(faults(&points, &links), 0, "{points:?}");
        // On rings many do.
        assert!(faults(&rings(&neighbours(25, &links), 0), &links) > 10);
    }

    #[test]
    fn places_without_links_stand_apart() {
        let points = unplaced(7, &[(0, 1), (1, 2)]);
        for (at, a) in points.iter().enumerate() {
            assert!(a.0.is_finite() && a.1.is_finite());
            assert!(points[..at].iter().all(|b| (a.0 - b.0).hypot(a.1 - b.1) > 0.4), "{points:?}");
        }
    }
}
