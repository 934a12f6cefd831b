//! What a text shows, and whether all who read see what that hangs on.

use blazon_book::walk::ExprKey;
use blazon_book::{Base, ColumnId, ExprKind, KindId, Piece, Role, Text, Type};

use super::super::Secrecy;
use super::super::demand::{Asked, Demand};
use super::super::facts::Facts;
use super::super::report::Shown;
use super::super::terms::{kind_of, local, locals_of};
use super::{Pending, Place, Viewer, Walk};

impl Secrecy<'_> {
    /// A text. Things are shown by face or back to each reader, and so is what is asked of them; him who is asked
    /// something it must tell all that it seems to. What it asks of others by way of rules all must see who read it.
    pub(super) fn text(
        &mut self,
        text: &Text,
        asked: Option<&Viewer>,
        is_for_all: bool,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        for piece in &text.pieces {
            let expr = match piece {
                Piece::Hole(expr) => expr,
                // Of a thing that the reader doesn't see the words are those of one.
                Piece::Plural(plural) => plural.of.as_ref().unwrap_or(&plural.several),
                Piece::Plain(_) => continue,
            };
            let expr = self.own(expr, walk);
            let demands = self.demands(&expr);
            let (plain, mut deep): (Vec<Demand>, Vec<Demand>) = demands
                .into_iter()
                .partition(|demand| is_plain(demand, walk) && !self.is_piece_of_name(demand));
            // Who doesn't see a thing reads its back: of a name that tells where its piece lies.
            if kind_of(&expr).is_some_and(|kind| self.has_states_on_back(kind)) {
                deep.extend(self.pieces_of(&expr));
            }
            let shown = Shown::Text(expr.span);
            if let Some(viewer) = asked {
                self.settle(plain, viewer, &shown, place, walk);
            }
            let readers = asked.filter(|_| !is_for_all).unwrap_or(&Viewer::Everybody);
            self.settle(deep, readers, &shown, place, walk);
        }
    }

    /// What is announced by name is known from here on. What a rule or a state says may be another thing later.
    pub(super) fn name_aloud(&mut self, text: &Text, place: &mut Place, walk: &Walk) {
        for piece in &text.pieces {
            let Piece::Hole(expr) = piece else { continue };
            let expr = self.own(expr, walk);
            let stays = matches!(expr.kind, ExprKind::Local(_) | ExprKind::Word(_));
            if stays && self.is_hidden(expr.ty.base.thing()) {
                place.named.push(ExprKey::of(&expr));
            }
        }
    }

    /// Each of these must be seen by the viewer. What cannot be known here is left to those who do the step.
    pub(super) fn settle(
        &mut self,
        demands: Vec<Demand>,
        viewer: &Viewer,
        shown: &Shown,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        for demand in demands {
            if self.is_met(&demand, viewer, place, walk) {
                continue;
            }
            let mut demand = demand;
            // By what a variable of this step goes is known here: those who do the step must know that it is seen.
            if matches!(demand.thing.kind, ExprKind::Local(name) if !walk.params.contains(&name)) {
                demand.asked = Asked::Face;
            }
            let mut about = locals_of(&demand.thing);
            if let Viewer::One(one) = viewer {
                about.extend(locals_of(one));
            }
            demand.facts.extend(place.facts.about(&about));
            walk.pending.push(Pending {
                demand,
                viewer: viewer.clone(),
                shown: shown.clone(),
                changed: place.changed.clone(),
            });
        }
    }

    fn is_met(&mut self, demand: &Demand, viewer: &Viewer, place: &Place, walk: &Walk) -> bool {
        let is_state = demand.column.is_some_and(|column| {
            demand.asked == Asked::Face && matches!(self.book.column(column).role, Role::State { .. })
        });
        if !is_state && place.named.contains(&ExprKey::of(&demand.thing)) {
            return true;
        }
        match (&demand.thing.kind, demand.asked) {
            (ExprKind::Absent, _) => return true,
            (_, Asked::Face) => {}
            (ExprKind::Local(name), asked) => {
                let members = self.names.get(name).map(|(_, members)| members.clone());
                let met = |asked| members.as_ref().is_some_and(|all| all.iter().any(|d| d.asked == asked));
                let is_parameter = walk.params.contains(name);
                match asked {
                    // A variable that goes through names alone is a name.
                    Asked::Name if met(Asked::Name) && !met(Asked::Back) && !met(Asked::Face) => return true,
                    Asked::Back if self.chosen.contains(name) || !is_parameter && !met(Asked::Name) => {
                        return true;
                    }
                    Asked::Name | Asked::Back | Asked::Face => {}
                }
            }
            (ExprKind::Word(_), Asked::Name) => return true,
            (ExprKind::Word(_), Asked::Back) => {}
            (_, Asked::Back) if self.goes_by_name(&demand.thing).is_none() => return true,
            (_, Asked::Name | Asked::Back) => {}
        }
        self.is_seen(demand, viewer, &place.facts)
    }

    /// Whether the back of a kind shows more than what is printed.
    fn has_states_on_back(&self, kind: KindId) -> bool {
        let is_state = |column: &ColumnId| matches!(self.book.column(*column).role, Role::State { .. });
        self.book.kind(kind).back.iter().any(is_state)
    }

    /// Whether it asks where a thing lies that is known by its name, be it by a piece, too.
    fn is_piece_of_name(&self, demand: &Demand) -> bool {
        let ExprKind::Local(name) = &demand.thing.kind else { return false };
        let members = self.names.get(name).map(|(_, members)| members);
        demand.asked == Asked::Back
            && !self.chosen.contains(name)
            && members.is_some_and(|all| all.iter().any(|member| member.asked == Asked::Name))
    }

    /// Whether the viewer sees the thing, as far as is known.
    pub(super) fn is_seen(&mut self, demand: &Demand, viewer: &Viewer, known: &Facts) -> bool {
        let viewer = match viewer {
            Viewer::One(one) => one.clone(),
            Viewer::Everybody => {
                let name = self.fresh();
                local(name, Type::of(Base::Thing(self.book.player)), demand.thing.span)
            }
        };
        let Some(goal) = self.seen(&viewer, &demand.thing) else { return true };
        if self.is_plain_in(&goal, known) {
            return true;
        }
        let mut facts = known.clone();
        for fact in &demand.facts {
            self.know(&mut facts, (**fact).clone());
        }
        self.follows(&goal, &facts) || demand.released.iter().any(|when| self.follows(when, &facts))
    }
}

/// Whether a demand is of a variable of the step itself: what is asked of it in a text shows as its back.
fn is_plain(demand: &Demand, walk: &Walk) -> bool {
    let own = walk.base..walk.base + walk.locals.len() as u32;
    !demand.is_kept && locals_of(&demand.thing).iter().all(|local| own.contains(&local.0))
}
