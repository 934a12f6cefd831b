//! What is asked of each thing of a set, or of one that may be absent.

use blazon_book::{Base, Expr, ExprKind, LocalId, SetOp, Type};

use crate::ir::{Op, Reg};
use crate::lower::function_builder::FunctionBuilder;

impl FunctionBuilder<'_> {
    /// The body is asked of each thing of the source.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    pub fn each(&mut self, ty: Type, local: LocalId, source: &Expr, body: &Expr, dst: Reg) {
        let words = self.words(ty);
        if matches!(source.ty.base, Base::Numbers | Base::Dice) {
            self.each_number(words, local, source, body, dst);
            return;
        }
        if !matches!(source.ty.base, Base::Set(_)) {
            let thing = self.value(source);
            self.bind_var(local, thing);
            // Links answer of nothing by themselves.
            let direct = match &body.kind {
                ExprKind::Links(_, a) | ExprKind::Neighbours(_, a) | ExprKind::Ends(_, a) => {
                    matches!(a.kind, ExprKind::Local(l) if l == local)
                }
                _ => false,
            };
            if direct {
                self.put(body, dst);
                return;
            }
            let (absent, none, end) = (self.temp(1), self.label(), self.label());
            self.emit(Op::IsAbsent { dst: absent, a: thing });
            self.jump_if_set(absent, none);
            self.put(body, dst);
            self.jump(end);
            self.set(none);
            match ty.base {
                Base::Set(_) => self.emit(Op::Empty { dst, words }),
                Base::Flag | Base::Permission => self.word(dst, 0),
                Base::Number(..)
                | Base::Thing(_)
                | Base::Dice
                | Base::Die
                | Base::Text
                | Base::Point
                | Base::Numbers
                | Base::Nothing
                | Base::Unknown => self.absent(dst),
            }
            self.set(end);
            return;
        }
        if let ExprKind::Column(column, keys) = &body.kind
            && matches!(keys.as_slice(), [Expr { kind: ExprKind::Local(l), .. }] if *l == local)
            && matches!(body.ty.base, Base::Thing(_))
        {
            let set = self.value(source);
            self.emit(Op::Image { dst, column: column.0 as u16, set, words });
            return;
        }
        if let Some((op, body, with)) = self.cut_off(local, body) {
            self.each(ty, local, source, body, dst);
            self.combine(op, dst, with);
            return;
        }
        if let ExprKind::Neighbours(kind, of) = &body.kind
            && matches!(of.kind, ExprKind::Local(l) if l == local)
        {
            let set = self.value(source);
            self.emit(Op::NeighboursOf { dst, kind: kind.0 as u16, set });
            return;
        }
        let (rest, elem) = (self.own(source), self.temp(1));
        self.bind_var(local, elem);
        self.emit(Op::Empty { dst, words });
        let (head, end) = (self.here(), self.label());
        let of_source = self.words(source.ty);
        self.emit(Op::Next { set: rest, words: of_source, elem, exit: end.0 });
        let mark = self.mark();
        let found = self.value(body);
        match body.ty.base {
            Base::Set(_) => self.emit(Op::Union { dst, a: dst, b: found, words }),
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
            | Base::Unknown => self.emit(Op::Insert { set: dst, elem: found }),
        }
        self.release(mark);
        self.jump(head);
        self.set(end);
    }

    /// All that is asked of each of some numbers: a set.
    fn each_number(&mut self, words: u16, local: LocalId, source: &Expr, body: &Expr, dst: Reg) {
        let (through, _) = self.candidates(local, source, &[]);
        let end = self.label();
        self.emit(Op::Empty { dst, words });
        let head = self.begin_loop(local, &through, None, end);
        let mark = self.mark();
        let found = self.value(body);
        self.emit(Op::Union { dst, a: dst, b: found, words });
        self.release(mark);
        self.jump(head);
        self.set(end);
    }

    /// A set of which the same is cut off whatever the variable is, a variable of another or what is printed: that can be
    /// done once, for all of them together.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    pub fn cut_off<'e>(&self, local: LocalId, body: &'e Expr) -> Option<(SetOp, &'e Expr, &'e Expr)> {
        match &body.kind {
            ExprKind::Sets(op @ (SetOp::Both | SetOp::Without), a, b) => {
                let other = matches!(b.kind, ExprKind::Local(other) if other != local);
                (other || self.known(b).is_some()).then_some((*op, &**a, &**b))
            }
            _ => None,
        }
    }
}
