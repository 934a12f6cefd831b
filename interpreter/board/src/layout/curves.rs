//! Lines of corners into curves: rivers and coasts are drawn as curves, not side by side of a hex.

use std::collections::{BTreeMap, BTreeSet};

use crate::signs::n;

/// A corner, in tenths of a unit, so that equal corners are equal.
pub type Corner = (i64, i64);

fn xy((x, y): Corner) -> (f64, f64) {
    (x as f64 / 10.0, y as f64 / 10.0)
}

/// Sides (pairs of corners) joined to lines and rings, as path data.
pub fn curves(sides: impl IntoIterator<Item = (Corner, Corner)>) -> String {
    let mut beside: BTreeMap<Corner, BTreeSet<Corner>> = BTreeMap::new();
    for (a, b) in sides {
        beside.entry(a).or_default().insert(b);
        beside.entry(b).or_default().insert(a);
    }
    let mut path = String::new();
    // Lines that end or fork first, then rings.
    let ends: Vec<Corner> = beside.iter().filter(|(_, to)| to.len() != 2).map(|(from, _)| *from).collect();
    for from in ends {
        while let Some(to) = beside.get(&from).and_then(|to| to.first().copied()) {
            let line = walk(&mut beside, from, to);
            smooth(&mut path, &line, line.first() == line.last());
        }
    }
    while let Some((from, to)) = beside.iter().find_map(|(from, to)| to.first().map(|to| (*from, *to))) {
        let line = walk(&mut beside, from, to);
        smooth(&mut path, &line, line.first() == line.last());
    }
    path
}

/// Takes a line away, from a corner on to where it ends or forks.
fn walk(beside: &mut BTreeMap<Corner, BTreeSet<Corner>>, from: Corner, to: Corner) -> Vec<Corner> {
    let mut line = vec![from];
    let (mut here, mut next) = (from, to);
    loop {
        let fork = beside.get(&next).is_none_or(|others| others.len() != 2);
        beside.entry(here).or_default().remove(&next);
        beside.entry(next).or_default().remove(&here);
        line.push(next);
        let on = beside.get(&next).and_then(|to| to.first().copied());
        match on {
            Some(on) if !fork => (here, next) = (next, on),
            _ => return line,
        }
    }
}

fn smooth(path: &mut String, line: &[Corner], ring: bool) {
    let points: Vec<(f64, f64)> = line.iter().copied().map(xy).collect();
    let middle = |a: (f64, f64), b: (f64, f64)| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let put = |path: &mut String, sign: char, (x, y): (f64, f64)| {
        path.push(sign);
        path.push_str(&format!("{},{}", n(x), n(y)));
    };
    if ring && points.len() > 3 {
        let corners = &points[1..];
        let count = corners.len();
        put(path, 'M', middle(corners[count - 1], corners[0]));
        for (place, &corner) in corners.iter().enumerate() {
            put(path, 'Q', corner);
            put(path, ' ', middle(corner, corners[(place + 1) % count]));
        }
        path.push('Z');
        return;
    }
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return };
    put(path, 'M', first);
    for pair in points.windows(2).skip(1) {
        put(path, 'Q', pair[0]);
        put(path, ' ', middle(pair[0], pair[1]));
    }
    put(path, 'L', last);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_that_close_are_a_ring() {
        let square = [((0, 0), (10, 0)), ((10, 0), (10, 10)), ((10, 10), (0, 10)), ((0, 10), (0, 0))];
        let path = curves(square);
        assert_eq!(path.matches('M').count(), 1);
        assert!(path.ends_with('Z'), "{path}");
    }

    #[test]
    fn a_fork_ends_lines() {
        let fork = [((0, 0), (10, 0)), ((10, 0), (20, 0)), ((10, 0), (10, 10)), ((20, 0), (30, 0))];
        let path = curves(fork);
        assert_eq!(path.matches('M').count(), 3, "{path}");
        assert!(!path.contains('Z'));
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(curves([]), "");
    }
}
