//! How pieces stand: in each place one group for each side, own in front. Groups that would cover each other push each
//! other apart a little, so that everything can be hit.

use crate::layout::Layout;

/// A group of pieces of one side in one place, or the name of an empty place.
#[derive(Clone, Debug)]
pub struct Group {
    /// The place.
    pub place: u32,
    /// Whose pieces.
    pub side: Option<u32>,
    /// How many.
    pub count: usize,
    /// How many stand beside each other.
    pub columns: usize,
    /// From one to the next.
    pub dx: f64,
    /// From one row to the next.
    pub dy: f64,
    /// The width of the group.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Its middle.
    pub x: f64,
    /// Its middle.
    pub y: f64,
    /// Where it would rather stand.
    home: (f64, f64),
    /// The width of what is written over it.
    label: f64,
    /// The room that takes over it. The name of an empty place has all of the group's height.
    over: f64,
    /// Whether it is in front of others of its place.
    front: bool,
}

/// What a group is made of.
pub struct Wanted {
    /// The place.
    pub place: u32,
    /// Whose pieces.
    pub side: Option<u32>,
    /// How many; none for a place that has only its name.
    pub count: usize,
    /// Whether only backs are seen.
    pub backs: bool,
    /// Whether they are the viewer's.
    pub own: bool,
    /// The width of the name over it.
    pub label: f64,
    /// The width of a piece, as a part of the size.
    pub wide: f64,
}

impl Group {
    /// Where the piece of a number stands: its middle.
    pub fn spot(&self, at: usize, size: f64) -> (f64, f64) {
        let (column, row) = (at % self.columns, at / self.columns);
        let in_row = self.columns.min(self.count - row * self.columns);
        let x = self.x - (in_row.saturating_sub(1)) as f64 * self.dx / 2.0 + column as f64 * self.dx;
        (x, self.y - self.height / 2.0 + size / 2.0 + row as f64 * self.dy)
    }

    fn new(wanted: &Wanted, layout: &Layout, named: bool) -> Option<Self> {
        let spot = layout.spots.get(wanted.place as usize).copied().flatten()?;
        let (size, count) = (layout.size, wanted.count);
        let columns = match count {
            0 | 1 => 1,
            _ if wanted.backs => count.min(3),
            2..=4 => 2,
            5..=9 => 3,
            _ => 4,
        };
        let rows = count.div_ceil(columns);
        let dx = if wanted.backs { size * 0.42 } else { size * wanted.wide + 3.0 };
        let dy = if rows <= 2 || 2.0 * spot.r > size * 3.0 { size + 5.0 } else { size * 0.72 };
        let (width, height) = match count {
            0 => (1.0, OVER),
            _ => ((count.min(columns) - 1) as f64 * dx + size * wanted.wide, (rows - 1) as f64 * dy + size),
        };
        Some(Self {
            place: wanted.place,
            side: wanted.side,
            count,
            columns,
            dx,
            dy,
            width,
            height,
            x: spot.x,
            y: spot.y,
            home: (spot.x, spot.y),
            label: width.max(wanted.label),
            over: if named && count > 0 { OVER } else { 0.0 },
            front: wanted.own,
        })
    }
}

/// How much room a name takes, with the marks under it.
pub const OVER: f64 = 31.0;
/// So often groups push each other while each is drawn back to where it would rather stand, and so often after that where
/// names tell of what place they are.
const DRAWN: usize = 80;
const FREE: usize = 160;

/// Stands groups up. `named`: names stand over groups.
pub fn stand(wanted: &[Wanted], layout: &Layout, named: bool) -> Vec<Group> {
    let mut groups: Vec<Group> =
        wanted.iter().filter_map(|wanted| Group::new(wanted, layout, named)).collect();
    for round in 0..DRAWN + if named { FREE } else { 0 } {
        let moved = push_all(&mut groups);
        let drawn = if round < DRAWN { 0.04 } else { 0.0 };
        for group in &mut groups {
            group.x += (group.home.0 - group.x) * drawn;
            group.y += (group.home.1 - group.y) * drawn;
            let (aside, high) = (group.label / 2.0 + 6.0, group.height / 2.0 + 6.0);
            let low = high + group.over;
            group.x = group.x.max(aside).min((layout.width - aside).max(aside));
            group.y = group.y.max(low).min((layout.height - high).max(low));
        }
        if !moved {
            break;
        }
    }
    groups
}

/// Pushes groups apart that cover each other; answers whether there were any.
fn push_all(groups: &mut [Group]) -> bool {
    let mut moved = false;
    for a in 1..groups.len() {
        let (before, rest) = groups.split_at_mut(a);
        let Some(q) = rest.first_mut() else { continue };
        for p in before {
            moved |= push(p, q);
        }
    }
    moved
}

fn push(p: &mut Group, q: &mut Group) -> bool {
    let (over_p, over_q) = if p.place == q.place { (0.0, 0.0) } else { (p.over, q.over) };
    let x = (p.label + q.label) / 2.0 + 4.0 - (p.x - q.x).abs();
    if x <= 0.0 {
        return false;
    }
    let (py, qy) = (p.y - over_p / 2.0, q.y - over_q / 2.0);
    let y = (p.height + over_p + q.height + over_q) / 2.0 + 4.0 - (py - qy).abs();
    if y <= 0.0 {
        return false;
    }
    if x < y && p.place != q.place {
        let by = x / 2.0 * if p.x >= q.x { 1.0 } else { -1.0 };
        p.x += by;
        q.x -= by;
    } else {
        let down = py > qy || py == qy && p.front;
        let by = y / 2.0 * if down { 1.0 } else { -1.0 };
        p.y += by;
        q.y -= by;
    }
    true
}
