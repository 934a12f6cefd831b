//! The open options: loops over their parameters. Things that nothing tells apart are looked at together.

use std::collections::{BTreeSet, HashMap};

use blazon_book::walk::ExprKey;
use blazon_book::{Base, ChoiceOption, ColumnId, Expr, ExprKind, KindId, LocalId, Type};

use crate::ir::{Op, Reg};
use crate::lower::choice::certain::{certain, put_value, said_present, settle};
use crate::lower::choice::option_plan::{Level, Plan, present};
use crate::lower::function_builder::{FunctionBuilder, Label};
use crate::lower::query::Through;
use crate::lower::query::set_predicates::Subject;

/// An option on its way.
struct Offer<'o> {
    place: u16,
    option: &'o ChoiceOption,
    levels: Vec<Level>,
    fixed: Vec<(LocalId, ColumnId)>,
    scratch: Reg,
}

impl Offer<'_> {
    fn local(&self, depth: usize) -> LocalId {
        self.option.binders[depth].local
    }
    fn kind(&self, depth: usize) -> Option<KindId> {
        match self.option.binders[depth].source.ty.base {
            Base::Set(kind) => Some(kind),
            Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => None,
        }
    }
    fn reg(&self, depth: usize) -> Reg {
        self.scratch + depth as u16
    }
    fn count(&self) -> usize {
        self.option.binders.len()
    }
    /// What is asked in the loop over a parameter behind its own tests.
    fn tests_behind(&self, depth: usize) -> impl Iterator<Item = &Expr> {
        self.levels.iter().skip(depth + 2).flat_map(|level| level.source.iter().chain(&level.conditions))
    }
}

impl FunctionBuilder<'_> {
    /// Emits all options of a choice: with their needs those that are open, without them all.
    pub fn offers(&mut self, options: &[ChoiceOption], scratch: Reg, with_needs: bool) {
        let mark = self.mark();
        let (mut shared, mut outer) = (HashMap::new(), Vec::new());
        let mut offers = Vec::new();
        for (place, option) in options.iter().enumerate() {
            let needs = if with_needs { option.needs.as_slice() } else { &[] };
            let Plan { levels, fixed } = self.plan(option, needs, &mut shared, &mut outer);
            offers.push(Offer { place: place as u16, option, levels, fixed, scratch });
        }
        self.begin_lazies(&outer);
        // What the first option asks before all else is there for all of them.
        let first = offers.first().and_then(|offer| offer.levels[0].conditions.first());
        self.force(LocalId::NONE, first);
        for offer in &offers {
            let span = std::mem::replace(&mut self.span, offer.option.span);
            self.offer(offer);
            self.span = span;
        }
        self.end_lazies(&outer);
        self.lazies.clear();
        self.release(mark);
    }

    fn offer(&mut self, offer: &Offer) {
        let mark = self.mark();
        let end = self.label();
        for condition in &offer.levels[0].conditions {
            self.jump_when(condition, false, end);
        }
        if offer.count() == 0 {
            self.emit_option(offer);
        } else {
            self.offer_from(offer, 0, end);
        }
        self.set(end);
        self.release(mark);
    }

    fn emit_option(&mut self, offer: &Offer) {
        let count = offer.count() as u16;
        self.emit(Op::Emit { option: offer.place, args: offer.scratch, count });
    }

    /// The candidates of a parameter.
    fn offered(&mut self, offer: &Offer, depth: usize) -> (Through, Vec<Expr>) {
        let level = &offer.levels[depth + 1];
        match &level.source {
            Some(source) => self.candidates_or_one(offer.local(depth), source, &level.conditions),
            None => (Through::Set(0, 0), Vec::new()),
        }
    }

    /// All things of a set as the last argument.
    fn emit_all(&mut self, offer: &Offer, set: Reg, words: u16) {
        let count = offer.count() as u16;
        self.emit(Op::EmitAll { option: offer.place, args: offer.scratch, count, set, words });
    }

    fn offer_from(&mut self, offer: &Offer, depth: usize, exit: Label) {
        let (through, mut rest) = self.offered(offer, depth);
        if let (0, Through::Set(set, words)) = (depth, &through)
            && let Some(columns) = self.groups(offer, &rest)
            && self.can_be_parted(offer, &rest)
        {
            self.offer_groups(offer, *set, *words, rest, &columns, exit);
            return;
        }
        self.one_of_alike(offer, depth, &through, &mut rest);
        if let (Through::Set(set, words), true, true) =
            (&through, rest.is_empty(), depth + 1 == offer.count())
        {
            self.emit_all(offer, *set, *words);
            self.jump(exit);
            return;
        }
        let lazies = &offer.levels[depth + 1].lazies;
        self.begin_lazies(lazies);
        let forced = self.force(offer.local(depth), rest.iter().chain(offer.tests_behind(depth)));
        let head = self.begin_loop(offer.local(depth), &through, Some(offer.reg(depth)), exit);
        self.renew_lazies(lazies, &rest);
        for condition in &rest {
            self.jump_when(condition, false, head);
        }
        if depth + 1 == offer.count() {
            self.emit_option(offer);
            self.jump(head);
        } else {
            self.offer_from(offer, depth + 1, head);
        }
        self.end_forced(&forced);
        self.end_lazies(lazies);
    }

    /// Of look-alikes only one is offered.
    fn one_of_alike(&mut self, offer: &Offer, depth: usize, through: &Through, rest: &mut Vec<Expr>) {
        if let (&Through::Set(set, words), Some(kind)) = (through, offer.kind(depth))
            && self.lowering.program.kinds[kind.0 as usize].groups.is_some()
        {
            self.sift_with(offer.local(depth), set, words, rest, &offer.levels[depth + 1].lazies);
            self.emit(Op::Alike { set, kind: kind.0 as u16 });
            rest.clear();
        }
    }

    // --------------------------------------------------------------------------------------------- groups

    /// The columns by which the first parameter's things fall into groups that all tests after the first treat alike;
    /// none if it is not worth it.
    fn groups(&self, offer: &Offer, rest: &[Expr]) -> Option<BTreeSet<ColumnId>> {
        let first = offer.local(0);
        let mut columns = BTreeSet::new();
        match offer.count() {
            1 => {
                let shared: Vec<_> = rest.iter().filter_map(|part| self.read_through(part, first)).collect();
                if shared.is_empty() {
                    return None;
                }
                columns.extend(shared.into_iter().flatten());
            }
            2 if offer.kind(1).is_some() => {
                let second = &offer.levels[2];
                for part in second.source.iter().chain(&second.conditions) {
                    columns.extend(self.read_through(part, first)?);
                }
                columns.extend(rest.iter().filter_map(|part| self.read_through(part, first)).flatten());
            }
            _ => return None,
        }
        columns.retain(|column| !offer.fixed.contains(&(first, *column)));
        (columns.len() <= 2).then_some(columns)
    }

    /// The first of a group stands for all of it in the tests; then all of it are emitted.
    fn offer_groups(
        &mut self,
        offer: &Offer,
        set: Reg,
        words: u16,
        rest: Vec<Expr>,
        columns: &BTreeSet<ColumnId>,
        exit: Label,
    ) {
        let (first, lazies) = (offer.local(0), &offer.levels[1].lazies);
        let (mut of_group, mut of_each): (Vec<Expr>, Vec<Expr>) =
            rest.into_iter().partition(|part| self.read_through(part, first).is_some());
        self.sift_guards(offer, set, words, &of_each, &of_group);
        self.sift_with(first, set, words, &of_each, lazies);
        of_each.clear();
        self.one_of_alike(offer, 0, &Through::Set(set, words), &mut of_each);
        self.begin_lazies(lazies);
        let group = self.temp(words);
        let values: Vec<(ColumnId, Reg)> = columns.iter().map(|&column| (column, self.temp(1))).collect();
        let forced = self.force(first, of_group.iter().chain(offer.tests_behind(0)));
        let head = self.begin_loop(first, &Through::Set(set, words), Some(offer.reg(0)), exit);
        self.group(set, group, words, &values, offer.reg(0));
        let offer = &self.of_group(offer, &values, &mut of_group);
        self.renew_lazies(lazies, &of_group);
        for condition in &of_group {
            self.jump_when(condition, false, head);
        }
        if offer.count() == 1 {
            self.emit_all(offer, group, words);
            self.jump(head);
        } else {
            self.offer_seconds(offer, group, words, head);
        }
        self.end_forced(&forced);
        self.end_lazies(lazies);
    }

    /// The second parameter for a group of the first: what is open to one is open to all.
    fn offer_seconds(&mut self, offer: &Offer, group: Reg, words: u16, head: Label) {
        let (through, mut rest) = self.offered(offer, 1);
        let kind = offer.kind(1).unwrap_or(KindId(0));
        let of_second = self.kind_words(kind);
        let second = match through {
            Through::Set(second, _) => second,
            // A set of one is tested in place.
            Through::One(thing, _) => {
                let second = self.temp(of_second);
                self.emit(Op::Empty { dst: second, words: of_second });
                self.emit(Op::Insert { set: second, elem: thing });
                second
            }
            Through::Dice(_) | Through::Numbers(..) | Through::Several(_) => return,
        };
        let through = Through::Set(second, of_second);
        self.one_of_alike(offer, 1, &through, &mut rest);
        self.sift_with(offer.local(1), second, of_second, &rest, &offer.levels[2].lazies);
        let (option, others) = (offer.place, of_second);
        self.emit(Op::EmitPairs { option, first: group, words, second, others });
        self.jump(head);
    }

    /// An option for a group of the first parameter: what the group has in common is there already.
    fn of_group<'o>(
        &mut self,
        offer: &Offer<'o>,
        values: &[(ColumnId, Reg)],
        of_group: &mut [Expr],
    ) -> Offer<'o> {
        let (first, mut levels) = (offer.local(0), offer.levels.clone());
        // Rules have been written out since the conditions found their places. None is settled by what it says itself.
        let mut sure = self.sure_before(&levels, of_group);
        let of_values = sure.clone();
        for condition in of_group.iter_mut() {
            let said = said_present(condition);
            settle(condition, &sure);
            sure.extend(said);
        }
        for level in &mut levels[2..] {
            level.conditions.iter_mut().chain(&mut level.source).for_each(|expr| settle(expr, &sure));
        }
        for &(column, reg) in values {
            let key = Expr {
                kind: ExprKind::Local(first),
                ty: self.vars[first.0 as usize].ty,
                span: offer.option.span,
            };
            let ty = self.book.column(column).ty;
            let path = Expr { kind: ExprKind::Column(column, vec![key]), ty, span: offer.option.span };
            let is_certain = ExprKey::of_path(&path).is_some_and(|key| of_values.contains(&key));
            let value = self.fresh(Type { optional: ty.optional && !is_certain, ..ty });
            self.bind_var(value, reg);
            let mut put = |expr: &mut Expr| put_value(expr, column, first, value);
            of_group.iter_mut().for_each(&mut put);
            for level in &mut levels[2..] {
                level.conditions.iter_mut().chain(&mut level.source).for_each(&mut put);
            }
            for lazy in offer.levels[1..].iter().flat_map(|level| &level.lazies) {
                if let Some(lazy) = self.lazies.get_mut(lazy) {
                    put(&mut lazy.expr);
                }
            }
        }
        Offer { levels, fixed: offer.fixed.clone(), ..*offer }
    }

    /// What is surely there before the conditions of groups are asked.
    fn sure_before(&self, levels: &[Level], of_group: &[Expr]) -> Vec<ExprKey> {
        let of_group: Vec<ExprKey> = of_group.iter().filter_map(said_present).collect();
        let mut sure = certain(&levels[..2]);
        sure.retain(|key| !of_group.contains(key));
        sure
    }

    /// Whether conditions of single things, which are asked before those of groups, may be: they have answers, and say what they
    /// take to be present.
    fn can_be_parted(&self, offer: &Offer, rest: &[Expr]) -> bool {
        let (of_group, of_each): (Vec<&Expr>, Vec<&Expr>) =
            rest.iter().partition(|part| self.read_through(part, offer.local(0)).is_some());
        let may_be_first = |part: &Expr| self.never_fails(part) && self.guards(part).is_some();
        of_group.is_empty() || of_each.into_iter().all(may_be_first)
    }

    /// Leaves in a set those things of which what is asked of each takes to be present is so: of others a condition of groups,
    /// which is asked later, does not hold.
    fn sift_guards(&mut self, offer: &Offer, set: Reg, words: u16, of_each: &[Expr], of_group: &[Expr]) {
        let Some(kind) = offer.kind(0).filter(|_| !of_group.is_empty()) else { return };
        let mut sure = self.sure_before(&offer.levels, of_group);
        let guards: Vec<Expr> = of_each.iter().filter_map(|part| self.guards(part)).flatten().collect();
        for guard in guards {
            let Some(path) = ExprKey::of_path(&guard).filter(|path| !sure.contains(path)) else { continue };
            sure.push(path);
            let asked = present(&guard);
            match self.mask(&asked, Subject { local: offer.local(0), kind }) {
                Some(mask) => self.narrow(set, words, &mask, true),
                None => self.sift(offer.local(0), set, words, &[asked]),
            }
        }
    }

    /// Takes out of a set those that agree with a thing just taken out of it.
    fn group(&mut self, set: Reg, group: Reg, words: u16, values: &[(ColumnId, Reg)], elem: Reg) {
        if let &[(column, value)] = values
            && self.has_index(column)
        {
            self.emit(Op::Group { set, group, column: column.0 as u16, value, elem });
            return;
        }
        let mark = self.mark();
        self.copy(group, set, words);
        for &(column, value) in values {
            let same = self.temp(words);
            let column = column.0 as u16;
            self.emit(Op::Load { dst: value, column, key: elem });
            self.emit(Op::Where { dst: same, column, value });
            self.emit(Op::Both { dst: group, a: group, b: same, words });
        }
        self.emit(Op::Without { dst: set, a: set, b: group, words });
        self.emit(Op::Insert { set: group, elem });
        self.release(mark);
    }
}
