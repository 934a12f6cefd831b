//! Where places are drawn: two at one point cover each other.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::{Base, Column, ColumnId, Constant, KindId, Look, Part, Role, Says};
use blazon_diagnostics::{Diagnostic, few};

use crate::resolve::checker::Checker;

/// So many things are named that stand at one point; the others are counted.
const NAMED: usize = 3;

impl Checker<'_> {
    /// Warns of places (what links join, and what states hold) that are drawn at the same point, once for each kind.
    pub(crate) fn points(&mut self, looks: &[Look]) {
        let held = self.columns.iter().filter(|column| matches!(column.role, Role::State { .. }));
        let ends = self.kinds.iter().filter_map(|kind| kind.ends).flat_map(|(from, to)| [from, to]);
        let places: BTreeSet<KindId> = held.filter_map(|column| column.ty.base.thing()).chain(ends).collect();
        for kind in places {
            let Some(fact) = self.drawn_at(kind, looks) else { continue };
            let Role::Fact(points) = &fact.role else { continue };
            let things = &self.kinds[kind.0 as usize].things;
            let mut at: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
            for (thing, point) in points.iter().enumerate() {
                // Look-alikes come of one row, and stand at its point.
                if let Constant::Point(across, down) = point
                    && things.get(thing).is_some_and(|of| of.group as usize == thing)
                {
                    at.entry((*across, *down)).or_default().push(thing);
                }
            }
            let Some(((across, down), there)) = at.into_iter().find(|(_, there)| there.len() > 1) else {
                continue;
            };
            let names = few(NAMED, there.iter().map(|&thing| &things[thing].name), "and");
            let message = format!("{names} are drawn at one point, {across}, {down}");
            let (first, second) = (things[there[0]].span, things[there[1]].span);
            let said = Diagnostic::warning("looks::point", second, message)
                .label("this covers the other")
                .related(first, "drawn there, too")
                .related(fact.span, "this is where they are drawn")
                .help("print where each stands: across and down. A blank cell is the point 0, 0");
            self.warn(said);
        }
    }

    /// The fact that says where the things of a kind are drawn: what a look names, or else the first that is a point.
    fn drawn_at(&self, kind: KindId, looks: &[Look]) -> Option<&Column> {
        let said = looks.iter().rev().find_map(|look| match &look.says {
            Says::Part(of, Part::Point, columns) if *of == kind => Some(columns),
            Says::Part(..) | Says::Display(..) | Says::Sign(..) => None,
        });
        let is_point = |column: &&Column| column.ty.base == Base::Point && column.keys == [kind];
        match said {
            Some(columns) => columns.first().map(|&ColumnId(column)| &self.columns[column as usize]),
            None => self.columns.iter().find(is_point),
        }
    }
}
