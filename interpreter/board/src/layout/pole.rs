//! The pole of inaccessibility: the middle of the largest circle inside a shape, where pieces stand best. The centre of
//! gravity of a crescent lies outside it.
//!
//! A search by halving cells, as in Vladimir Agafonkin, "A new algorithm for finding a visual center of a polygon" (2016).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Spot;

/// So many corners are looked at, about, before the best is taken that was found.
const LOOKS: usize = 1 << 21;

/// A ring of corners.
pub type Ring = Vec<(f64, f64)>;

struct Cell {
    x: f64,
    y: f64,
    half: f64,
    /// How far inside its middle is.
    inside: f64,
    /// How far inside any point of it can be.
    most: f64,
}

impl Cell {
    fn new(x: f64, y: f64, half: f64, rings: &[Ring]) -> Self {
        let inside = distance(x, y, rings);
        Self { x, y, half, inside, most: inside + half * std::f64::consts::SQRT_2 }
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Cell {}
impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.most.total_cmp(&other.most)
    }
}

/// The middle of the largest circle inside rings, to within a hundredth of their size.
pub fn pole(rings: &[Ring]) -> Option<Spot> {
    let corners = || rings.iter().flatten();
    let (left, right) = bounds(corners().map(|corner| corner.0))?;
    let (top, bottom) = bounds(corners().map(|corner| corner.1))?;
    let (width, height) = (right - left, bottom - top);
    let step = width.min(height);
    if step <= 0.0 {
        return Some(Spot { x: left, y: top, r: 0.0 });
    }
    let precision = width.max(height) / 100.0;
    let mut cells = BinaryHeap::new();
    let half = step / 2.0;
    // No more cells than a sliver of any length needs.
    let (across, down) = ((width / step).ceil().min(200.0), (height / step).ceil().min(200.0));
    for i in 0..across as usize {
        for j in 0..down as usize {
            let (x, y) = (left + half + i as f64 * step, top + half + j as f64 * step);
            cells.push(Cell::new(x, y, half, rings));
        }
    }
    let mut best = Cell::new(left + width / 2.0, top + height / 2.0, 0.0, rings);
    let most = (LOOKS / corners().count().max(1)).min(5000);
    let mut looked = 0;
    while let Some(cell) = cells.pop() {
        looked += 1;
        if cell.most - best.inside <= precision || looked > most {
            break;
        }
        let half = cell.half / 2.0;
        for (dx, dy) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            cells.push(Cell::new(cell.x + dx * half, cell.y + dy * half, half, rings));
        }
        if cell.inside > best.inside {
            best = cell;
        }
    }
    Some(Spot { x: best.x, y: best.y, r: best.inside.max(0.0) })
}

fn bounds(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |found, value| match found {
        None => Some((value, value)),
        Some((least, most)) => Some((value.min(least), value.max(most))),
    })
}

/// How far a point is from the nearest side; negative outside.
fn distance(x: f64, y: f64, rings: &[Ring]) -> f64 {
    let mut inside = false;
    let mut nearest = f64::INFINITY;
    for ring in rings {
        for (place, &(ax, ay)) in ring.iter().enumerate() {
            let (bx, by) = ring[(place + 1) % ring.len()];
            if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
                inside = !inside;
            }
            nearest = nearest.min(to_side(x, y, (ax, ay), (bx, by)));
        }
    }
    if inside { nearest.sqrt() } else { -nearest.sqrt() }
}

/// The square of the distance from a point to a side.
fn to_side(x: f64, y: f64, (ax, ay): (f64, f64), (bx, by): (f64, f64)) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let long = dx * dx + dy * dy;
    let along = if long == 0.0 { 0.0 } else { (((x - ax) * dx + (y - ay) * dy) / long).clamp(0.0, 1.0) };
    let (px, py) = (ax + along * dx - x, ay + along * dy - y);
    px * px + py * py
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_square() {
        let spot = pole(&[vec![(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]]).unwrap();
        assert!(
            (spot.x - 5.0).abs() < 0.2 && (spot.y - 5.0).abs() < 0.2 && (spot.r - 5.0).abs() < 0.2,
            "{spot:?}"
        );
    }

    #[test]
    fn a_crescent_is_not_stood_beside() {
        let crescent = vec![
            (0.0, 0.0),
            (30.0, 0.0),
            (30.0, 4.0),
            (4.0, 4.0),
            (4.0, 26.0),
            (30.0, 26.0),
            (30.0, 30.0),
            (0.0, 30.0),
        ];
        let spot = pole(&[crescent]).unwrap();
        assert!(spot.x < 5.0 || spot.y < 5.0 || spot.y > 25.0, "{spot:?}");
        assert!(spot.r > 1.9);
    }

    #[test]
    fn a_hole_is_outside() {
        let outer = vec![(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
        let hole = vec![(2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0)];
        let spot = pole(&[outer, hole]).unwrap();
        assert!(spot.r < 2.0, "{spot:?}");
        assert!(pole(&[]).is_none());
        assert_eq!(pole(&[vec![(1.0, 1.0)]]).unwrap().r, 0.0);
    }
}
