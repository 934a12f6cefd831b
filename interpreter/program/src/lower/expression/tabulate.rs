//! What reads nothing but what is printed, as tables: rules, facts of facts and links. The answers are worked out here, for
//! all arguments; those of a rule that reads more are looked up where it does not come to that.

use blazon_book::walk::ExprKey;
use blazon_book::{Base, Expr, ExprKind, KindId, LocalId, Role, RuleBody, RuleId, Type};

use crate::analysis::const_eval::{Bits, Eval, Known};
use crate::ir::{ABSENT, Column, Op, Reg};
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::layout;
use crate::lower::lowering::Lowering;
use smallvec::{SmallVec, smallvec};

/// The most words of a table.
pub(crate) const LARGEST: usize = 1 << 12;
/// The most entries of a table in which answers are missing.
const MOST_PARTLY: usize = 1 << 9;
/// How many steps one answer may take.
const FUEL: u32 = 2_000;

impl FunctionBuilder<'_> {
    /// Looks the answer of a rule up, if it is a table.
    pub fn look_up(&mut self, rule: RuleId, args: &[Expr], dst: Reg) -> bool {
        let Some(column) = self.lowering.table_of(rule) else { return false };
        let mark = self.mark();
        let Some(key) = self.entry_of(rule, args) else { return false };
        self.read(column, key, dst);
        self.release(mark);
        true
    }

    /// Looks the answer of a rule up that is printed for most things, and asks it of the others.
    pub fn look_up_partly(&mut self, rule: RuleId, args: &[Expr], dst: Reg) -> bool {
        let Some((answers, known)) = self.lowering.partly_table_of(rule) else { return false };
        let mark = self.mark();
        // They are asked once, whether the answer is there or not.
        let args: Vec<Expr> = args
            .iter()
            .map(|arg| {
                if let ExprKind::Local(_) = arg.kind {
                    return arg.clone();
                }
                let (value, local) = (self.value(arg), self.fresh(arg.ty));
                self.bind_var(local, value);
                Expr { kind: ExprKind::Local(local), ..arg.clone() }
            })
            .collect();
        let Some(key) = self.entry_of(rule, &args) else { return false };
        let (is_known, end) = (self.temp(1), self.label());
        self.read(answers, key, dst);
        self.read(known, key, is_known);
        self.jump_if_set(is_known, end);
        self.call(rule, &args, dst);
        self.set(end);
        self.release(mark);
        true
    }

    /// The entry of the table of a rule; none if it has no parameters.
    fn entry_of(&mut self, rule: RuleId, args: &[Expr]) -> Option<Reg> {
        let (first, rest) = args.split_first()?;
        let sizes = self.lowering.sizes(rule).unwrap_or_default();
        let mut key = self.value(first);
        for (place, next) in rest.iter().enumerate() {
            let (a, b, dst) = (key, self.value(next), self.temp(1));
            let size = sizes.get(place + 1).copied().unwrap_or(1);
            self.emit(Op::Index { dst, a, b, size: size as u32 });
            key = dst;
        }
        Some(key)
    }

    fn read(&mut self, column: u16, key: Reg, dst: Reg) {
        self.emit(match self.column(column).set_words {
            0 => Op::Load { dst, column, key },
            _ => Op::LoadSet { dst, column, key },
        });
    }
}

impl FunctionBuilder<'_> {
    /// Looks up a fact of a fact, `w.colour.limit`, in one table, if it is one.
    pub fn composed(&mut self, expr: &Expr, dst: Reg) -> bool {
        let Some((inner, key, kind)) = self.chain(expr) else { return false };
        if inner == 0 {
            return false;
        }
        let local = self.fresh(Type::of(Base::Thing(kind)));
        let variable =
            Expr { kind: ExprKind::Local(local), ty: Type::of(Base::Thing(kind)), span: expr.span };
        let (mut whole, key) = (expr.clone(), key.clone());
        put_key(&mut whole, inner, &variable);
        let place = (kind, ExprKey::of_function(&whole, &[local]));
        let column = match self.lowering.composed.get(&place) {
            Some(known) => *known,
            None => {
                let column = self.compose(&whole, local, kind);
                self.lowering.composed.insert(place, column);
                column
            }
        };
        let Some(column) = column else { return false };
        let key = self.value(&key);
        self.read(column, key, dst);
        true
    }

    /// How many facts of one key stand in one another behind the outermost, and the innermost key with its kind.
    fn chain<'e>(&self, expr: &'e Expr) -> Option<(usize, &'e Expr, KindId)> {
        let ExprKind::Column(column, keys) = &expr.kind else { return None };
        let [key] = keys.as_slice() else { return None };
        let column = self.book.column(*column);
        if !matches!(column.role, Role::Fact(_)) || key.ty.optional {
            return None;
        }
        match self.chain(key) {
            Some((inner, key, kind)) => Some((inner + 1, key, kind)),
            None => Some((0, key, *column.keys.first()?)),
        }
    }

    /// The column of what an expression is for each thing.
    fn compose(&mut self, whole: &Expr, local: LocalId, kind: KindId) -> Option<u16> {
        let words = match whole.ty.base {
            Base::Set(of) => self.kind_words(of),
            Base::Flag | Base::Number(..) | Base::Thing(_) => 0,
            Base::Permission
            | Base::Die
            | Base::Dice
            | Base::Text
            | Base::Point
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => return None,
        };
        let things = self.book.kind(kind).things.len();
        if things == 0 || things * usize::from(words.max(1)) > LARGEST {
            return None;
        }
        let mut table = Vec::with_capacity(things * usize::from(words.max(1)));
        let mut eval = self.printed_eval(whole)?;
        for thing in 0..things {
            match eval.with(&[(local, thing as i64)], whole)? {
                Known::Word(word) if words == 0 => table.push(word as u64),
                Known::Set(set) if set.len() == usize::from(words) && words > 0 => table.extend(set),
                Known::Word(_) | Known::Set(_) => return None,
            }
        }
        let column = Column { len: things as u32, set_words: words, ..layout::words_of_facts() };
        Some(self.lowering.made_facts(column, &table))
    }

    /// Looks the link between two things up, where a table of all pairs is small.
    pub fn link_table(&mut self, kind: KindId, a: &Expr, b: &Expr, dst: Reg) -> bool {
        let Some((end, _)) = self.book.kind(kind).ends else { return false };
        let things = self.book.kind(end).things.len();
        if a.ty.optional || b.ty.optional || things == 0 || things * things > LARGEST {
            return false;
        }
        let column = match self.lowering.link_tables.get(&kind) {
            Some(&known) => known,
            None => {
                let mut table = vec![ABSENT as u64; things * things];
                let info = &self.lowering.program.kinds[kind.0 as usize];
                for (thing, range) in info.first.windows(2).enumerate() {
                    // The first link between two counts.
                    for &(other, link) in info.joined[range[0] as usize..range[1] as usize].iter().rev() {
                        table[thing * things + other as usize] = u64::from(link);
                    }
                }
                let column = Column { len: (things * things) as u32, ..layout::words_of_facts() };
                let column = self.lowering.made_facts(column, &table);
                self.lowering.link_tables.insert(kind, column);
                column
            }
        };
        let (a, b, key) = (self.value(a), self.value(b), self.temp(1));
        self.emit(Op::Index { dst: key, a, b, size: things as u32 });
        self.emit(Op::Load { dst, column, key });
        true
    }
}

/// Puts another key in place of the innermost.
fn put_key(expr: &mut Expr, inner: usize, key: &Expr) {
    if let ExprKind::Column(_, keys) = &mut expr.kind
        && let [own] = keys.as_mut_slice()
    {
        match inner.checked_sub(1) {
            Some(inner) => put_key(own, inner, key),
            None => *own = key.clone(),
        }
    }
}

impl Lowering {
    /// How many things each parameter may be; none if one is no thing, or may be absent.
    fn sizes(&self, rule: RuleId) -> Option<Vec<usize>> {
        let rule = self.book.rule(rule);
        let size = |param: &blazon_book::Local| match (param.ty.base, param.ty.optional) {
            (Base::Thing(kind), false) => Some(self.book.kind(kind).things.len()),
            _ => None,
        };
        rule.locals[..rule.params].iter().map(size).collect()
    }

    /// The column of a rule's answers, made when it is first asked for.
    pub fn table_of(&mut self, rule: RuleId) -> Option<u16> {
        if let Some(known) = self.tabled.get(&rule) {
            return *known;
        }
        let column = self.answers(rule);
        self.tabled.insert(rule, column);
        column
    }

    fn answers(&mut self, id: RuleId) -> Option<u16> {
        let shape = self.shape_of_answers(id).filter(|_| self.uses.is_printed(id))?;
        let mut table = Vec::with_capacity(shape.entries * usize::from(shape.words.max(1)));
        let mut eval = Eval::new(self.fixed());
        for entry in 0..shape.entries {
            table.extend(shape.answer(&mut eval, entry)?);
        }
        Some(self.made_facts(shape.column(), &table))
    }

    /// The columns of a rule's answers and of where they are there, made when they are first asked for; none where the
    /// answer is mostly not printed.
    pub fn partly_table_of(&mut self, rule: RuleId) -> Option<(u16, u16)> {
        if let Some(known) = self.partly_tabled.get(&rule) {
            return *known;
        }
        let columns = self.known_answers(rule);
        self.partly_tabled.insert(rule, columns);
        columns
    }

    fn known_answers(&mut self, id: RuleId) -> Option<(u16, u16)> {
        let shape = self.shape_of_answers(id).filter(|shape| shape.entries <= MOST_PARTLY)?;
        let (mut table, mut known) = (Vec::new(), Vec::new());
        let mut eval = Eval::new(self.fixed());
        let mut unknown = 0;
        for entry in 0..shape.entries {
            let answer = shape.answer(&mut eval, entry);
            unknown += usize::from(answer.is_none());
            if unknown * 4 > shape.entries {
                return None;
            }
            known.push(u64::from(answer.is_some()));
            table.extend(answer.unwrap_or_else(|| smallvec![0; usize::from(shape.words.max(1))]));
        }
        let answers = self.made_facts(shape.column(), &table);
        let flags = Column { len: shape.entries as u32, ..layout::words_of_facts() };
        Some((answers, self.made_facts(flags, &known)))
    }

    /// The table that a rule's answers would be; none if they are no table's, or too many.
    fn shape_of_answers(&self, id: RuleId) -> Option<Answers> {
        let rule = self.book.rule(id);
        if rule.params == 0 || matches!(rule.body, RuleBody::Table(_)) {
            return None;
        }
        let words = match rule.ty.base {
            Base::Flag | Base::Permission | Base::Number(..) | Base::Thing(_) | Base::Die => 0,
            Base::Set(kind) => self.program.kinds[kind.0 as usize].words,
            Base::Dice | Base::Text | Base::Point | Base::Numbers | Base::Nothing | Base::Unknown => {
                return None;
            }
        };
        let sizes = self.sizes(id)?;
        let entries = sizes.iter().try_fold(1usize, |all, &size| all.checked_mul(size))?;
        let fits = entries > 0 && entries.checked_mul(usize::from(words.max(1)))? <= LARGEST;
        fits.then_some(Answers { rule: id, sizes, entries, words })
    }
}

/// A table of a rule's answers.
struct Answers {
    rule: RuleId,
    /// How many things each parameter may be.
    sizes: Vec<usize>,
    entries: usize,
    /// The words of a set; 0 where the answers are none.
    words: u16,
}

impl Answers {
    /// The answer of an entry, if it can be known.
    fn answer(&self, eval: &mut Eval, entry: usize) -> Option<Bits> {
        let mut rest = entry;
        let mut env: SmallVec<[(LocalId, i64); 4]> = SmallVec::new();
        for (place, &size) in self.sizes.iter().enumerate().rev() {
            env.push((LocalId(place as u32), (rest % size) as i64));
            rest /= size;
        }
        match eval.answer(self.rule, &env, FUEL)? {
            Known::Word(word) if self.words == 0 => Some(smallvec![word as u64]),
            Known::Set(set) if self.words > 0 && set.len() == usize::from(self.words) => Some(set),
            Known::Word(_) | Known::Set(_) => None,
        }
    }

    fn column(&self) -> Column {
        Column { len: self.entries as u32, set_words: self.words, ..layout::words_of_facts() }
    }
}
