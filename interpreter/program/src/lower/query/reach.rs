//! What is reached from a set: in hops, or by ways that cost something.

use blazon_book::build::NUMBER;
use blazon_book::{Expr, ExprKind, LocalId, Quantifier, Query};

use crate::ir::{Op, RangeInfo, Reg};
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::query::Through;

impl FunctionBuilder<'_> {
    /// What is tested of the next hops in the same way wherever they come from: the variable, all next hops, and the test.
    /// It can be asked of what is newly found alone, of all of it together.
    fn tested_alike(&self, from: LocalId, by: &Expr) -> Option<(LocalId, Expr, Expr)> {
        let ExprKind::Query(query) = &by.kind else { return None };
        let filter = query.filter.as_ref().filter(|_| query.quantifier == Quantifier::All)?;
        let is_alike =
            query.local != LocalId::NONE && !self.mentions(filter, from) && self.never_stops(filter);
        is_alike.then(|| (query.local, query.source.clone(), filter.clone()))
    }

    /// All that is reached from the source in so many hops: what was found last is asked for its next hops.
    pub(super) fn reach(&mut self, query: &Query, through: &Through, rest: &[Expr], dst: Reg) {
        let &Through::Set(edge, words) = through else { return };
        self.sift(query.local, edge, words, rest);
        let (reached, found, flag) = (self.temp(words), self.temp(words), self.temp(1));
        self.copy(reached, edge, words);
        let (end, next, hops) = (self.label(), self.label(), self.temp(2));
        if let Some(within) = &query.within {
            self.word(hops, 0);
            self.put(within, hops + 1);
        }
        let round = self.here();
        if query.within.is_some() {
            self.emit(Op::NextNumber { counter: hops, limit: hops + 1, exit: end.0 });
        }
        self.emit(Op::Some { dst: flag, set: edge, words });
        self.jump_if_clear(flag, end);
        let of_itself = |of: &Expr| matches!(of.kind, ExprKind::Local(l) if l == query.local);
        let tested = query.by.as_ref().and_then(|by| self.tested_alike(query.local, by));
        let by = tested.as_ref().map(|(_, hops, _)| hops).or(query.by.as_ref());
        let cut = by.and_then(|by| self.cut_off(query.local, by));
        let by = cut.map(|(_, by, _)| by).or(by);
        match by.map(|by| &by.kind) {
            Some(ExprKind::Neighbours(kind, of)) if of_itself(of) => {
                self.emit(Op::NeighboursOf { dst: found, kind: kind.0 as u16, set: edge });
            }
            _ => {
                self.emit(Op::Empty { dst: found, words });
                let mark = self.mark();
                let (head, _) = self.elem(query, &Through::Set(edge, words), next);
                if let Some(by) = by {
                    let hops = self.value(by);
                    self.emit(Op::Union { dst: found, a: found, b: hops, words });
                }
                self.release(mark);
                self.jump(head);
                self.set(next);
            }
        }
        if let Some((op, _, with)) = cut {
            self.combine(op, found, with);
        }
        self.emit(Op::Without { dst: edge, a: found, b: reached, words });
        if let Some((local, hops, filter)) = &tested {
            let mark = self.mark();
            let new = self.fresh(hops.ty);
            self.bind_var(new, edge);
            let new = Expr { kind: ExprKind::Local(new), ..hops.clone() };
            if let (Through::Set(set, _), rest) = self.candidates(*local, &new, std::slice::from_ref(filter))
            {
                self.sift(*local, set, words, &rest);
                self.copy(edge, set, words);
            }
            self.release(mark);
        }
        self.emit(Op::Union { dst: reached, a: reached, b: edge, words });
        self.jump(round);
        self.set(end);
        self.copy(dst, reached, words);
    }

    /// All that is reached by ways that do not cost more than so much together (Dijkstra 1959): of what has been reached that
    /// is gone on from which has the most left to spend. So each thing is gone on from once, and with the most that it can be.
    pub(super) fn reach_by_ways(
        &mut self,
        query: &Query,
        through: &Through,
        rest: &[Expr],
        (ways, most): (&Query, &Expr),
        dst: Reg,
    ) {
        let (&Through::Set(start, words), Some(kind)) = (through, query.source.ty.base.kind()) else {
            return;
        };
        self.sift(query.local, start, words, rest);
        let (purse_words, kind) = (self.lowering.program.kinds[kind.0 as usize].purse_words(), kind.0 as u16);
        let (reached, open, purse) = (self.temp(words), self.temp(words), self.temp(purse_words));
        // The start is reached though nothing may be spent.
        self.copy(reached, start, words);
        self.emit(Op::Empty { dst: open, words });
        self.emit(Op::Empty { dst: purse, words: purse_words });
        let (end, begun) = (self.label(), self.label());
        let (most, elem) = (self.own(most), self.temp(1));
        let head = self.here();
        self.emit(Op::Next { set: start, words, elem, exit: begun.0 });
        self.emit(Op::Reach { set: open, purse, kind, elem, left: most });
        self.jump(head);
        self.set(begun);

        let round = self.here();
        self.emit(Op::NextWay { set: open, purse, kind, elem, exit: end.0 });
        self.emit(Op::Insert { set: reached, elem });
        self.bind_var(query.local, elem);
        let filter: Vec<Expr> = ways.filter.iter().cloned().collect();
        let (through, rest) = self.candidates(ways.local, &ways.source, &filter);
        let (way, to) = self.elem(ways, &through, round);
        self.tests(&rest, way);
        if let Some(by) = &ways.by {
            let mark = self.mark();
            let (cost, left) = (self.own(by), self.temp(1));
            if by.ty.optional {
                self.emit(Op::IsAbsent { dst: left, a: cost });
                self.jump_if_set(left, way);
            }
            if blazon_book::bounds(by.ty).0 < 0 {
                self.keep_in(
                    RangeInfo { lo: 0, hi: NUMBER.1, optional: false, keeper: "a way costs".to_owned() },
                    cost,
                );
            }
            self.emit(Op::Sub { dst: left, a: purse.saturating_add(purse_words - 1), b: cost });
            self.emit(Op::Reach { set: open, purse, kind, elem: to, left });
            self.release(mark);
        }
        self.jump(way);
        self.set(end);
        self.copy(dst, reached, words);
    }
}
