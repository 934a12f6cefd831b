//! A small assembler: programs written by hand, for tests of the machine alone.
#![allow(dead_code)] // Each test uses a part.

use std::sync::Arc;

use blazon_book::{
    Base, Book, Column as BookColumn, Expr, ExprKind, Kind, KindId, KindOrigin, Local, Role, Rule, RuleBody,
    RuleId, Seen, Setup, Step, StepId, Thing, Type,
};
use blazon_diagnostics::Span;
use blazon_kernel::chance::hash_text;
use blazon_machine::{Limits, Machine};
use blazon_program::Program;
use blazon_program::ir::*;

pub const SIDE: KindId = KindId(0);
pub const BLOCK: KindId = KindId(1);
pub const AREA: KindId = KindId(2);
pub const BORDER: KindId = KindId(3);
pub const CARD: KindId = KindId(4);

/// A place in the code that is not known yet.
#[derive(Clone, Copy)]
pub struct Label(usize);

/// A program in the making.
pub struct Asm {
    pub book: Book,
    pub program: Program,
    labels: Vec<Option<Pc>>,
    fixups: Vec<(usize, usize)>,
}

pub fn thing(name: &str, group: u32) -> Thing {
    Thing { name: name.to_owned(), group, ends: None, span: Span::default() }
}

fn kind(name: &str, things: Vec<Thing>) -> Kind {
    Kind {
        name: name.to_owned(),
        plural: format!("{name}s"),
        things,
        ends: None,
        seen: None,
        back: Vec::new(),
        name_on_back: false,
        origin: KindOrigin::Declared,
        span: Span::default(),
    }
}

impl Asm {
    /// Sides Lancaster and York, 70 blocks, 4 areas in a row joined by 3 borders, 6 cards in look-alikes of two.
    pub fn new() -> Self {
        let blocks = (0..70).map(|i| thing(&format!("Block {i}"), i)).collect();
        let cards = (0..6).map(|i| thing(&format!("AP{}", i / 2 + 1), i / 2 * 2)).collect();
        let mut borders = kind("border", Vec::new());
        for i in 0..3u32 {
            borders
                .things
                .push(Thing { ends: Some((i, i + 1)), ..thing(&format!("Area {i} - Area {}", i + 1), i) });
        }
        borders.ends = Some((AREA, AREA));
        let kinds = vec![
            kind("side", vec![thing("Lancaster", 0), thing("York", 1)]),
            kind("block", blocks),
            kind("area", (0..4).map(|i| thing(&format!("Area {i}"), i)).collect()),
            borders,
            kind("card", cards),
        ];
        let info = |kind: &Kind| KindInfo {
            words: kind.things.len().div_ceil(64) as u16,
            hashes: kind.things.iter().map(|t| hash_text(&t.name)).collect(),
            groups: (kind.name == "card").then(|| kind.things.iter().map(|t| t.group).collect()),
            ends: kind.things.iter().filter_map(|t| t.ends).collect(),
            first: if kind.ends.is_some() { vec![0, 1, 3, 5, 6] } else { Vec::new() },
            joined: if kind.ends.is_some() {
                vec![(1, 0), (0, 0), (2, 1), (1, 1), (3, 2), (2, 2)]
            } else {
                Vec::new()
            },
        };
        let infos: Vec<KindInfo> = kinds.iter().map(info).collect();
        let book = Book {
            whole: true,
            title: "Sample".to_owned(),
            version: "1.0.0".to_owned(),
            player: SIDE,
            players: vec![0, 1],
            kinds,
            ..Book::default()
        };
        let program = Program {
            book: Arc::new(book.clone()),
            code: vec![Op::Over],
            spans: Vec::new(),
            functions: Vec::new(),
            columns: Vec::new(),
            facts: Vec::new(),
            state_words: RESERVED,
            pool: Vec::new(),
            numbers: Vec::new(),
            seen: vec![None; infos.len()],
            faces: vec![None; infos.len()],
            kinds: infos,
            choices: Vec::new(),
            held: Vec::new(),
            texts: Vec::new(),
            printed: Vec::new(),
            needs: Vec::new(),
            tables: Vec::new(),
            ranges: Vec::new(),
            scopes: Vec::new(),
            starts: Vec::new(),
            invariants: Vec::new(),
            sites: Vec::new(),
            site_rules: Vec::new(),
        };
        Self { book, program, labels: Vec::new(), fixups: Vec::new() }
    }

    pub fn op(&mut self, op: Op) -> Pc {
        self.program.code.push(op);
        self.program.code.len() as Pc - 1
    }

    pub fn ops(&mut self, ops: &[Op]) {
        self.program.code.extend_from_slice(ops);
    }

    pub fn here(&self) -> Pc {
        self.program.code.len() as Pc
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.here());
    }

    /// A label that is bound here.
    pub fn mark(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// An instruction that goes to a label; whatever place it names is replaced.
    pub fn to(&mut self, op: Op, label: Label) {
        let at = self.op(op) as usize;
        self.fixups.push((at, label.0));
    }

    pub fn jump(&mut self, label: Label) {
        self.to(Op::Jump { to: 0 }, label);
    }

    /// A scalar state.
    #[allow(clippy::too_many_arguments)]
    pub fn state(
        &mut self,
        name: &str,
        keys: &[KindId],
        ty: Type,
        shift: u8,
        lo: i64,
        hi: i64,
        inverse: bool,
    ) -> u16 {
        let len: usize = keys.iter().map(|k| self.book.kinds[k.0 as usize].things.len()).product();
        let key_words = keys.first().map_or(1, |k| self.program.kinds[k.0 as usize].words);
        let offset = self.program.state_words as u32;
        self.program.state_words += (len << shift).div_ceil(64);
        let mut index = 0;
        if inverse {
            index = self.program.state_words as u32;
            self.program.state_words += (hi as usize + 2) * key_words as usize;
        }
        self.program.columns.push(Column {
            space: Space::State,
            offset,
            len: len as u32,
            set_words: 0,
            shift,
            bias: if shift == 6 { 0 } else { lo - i64::from(ty.optional) },
            optional: ty.optional,
            lo,
            hi,
            inverse: index,
            key_words,
        });
        self.column(name, keys, ty)
    }

    /// A set-valued state.
    pub fn set_state(&mut self, name: &str, keys: &[KindId], of: KindId) -> u16 {
        let len: usize = keys.iter().map(|k| self.book.kinds[k.0 as usize].things.len()).product();
        let set_words = self.program.kinds[of.0 as usize].words;
        let offset = self.program.state_words as u32;
        self.program.state_words += len * set_words as usize;
        self.program.columns.push(Column {
            space: Space::State,
            offset,
            len: len as u32,
            set_words,
            shift: 6,
            bias: 0,
            optional: false,
            lo: 0,
            hi: 0,
            inverse: 0,
            key_words: 1,
        });
        self.column(name, keys, Type::of(Base::Set(of)))
    }

    fn column(&mut self, name: &str, keys: &[KindId], ty: Type) -> u16 {
        self.book.columns.push(BookColumn {
            name: name.to_owned(),
            keys: keys.to_vec(),
            ty,
            role: Role::State { start: None, fresh: Vec::new() },
            cites: Vec::new(),
            span: Span::default(),
        });
        self.book.columns.len() as u16 - 1
    }

    /// A step without parameters; steps come before rules, rules before functions made here.
    pub fn step(&mut self, name: &str, locals: u16, temps: u16, body: impl FnOnce(&mut Self)) -> u16 {
        self.step_with(name, 0, locals, temps, 0, body)
    }

    /// A step: parameters begin at register [`HEADER`], other locals behind them, then temporaries.
    pub fn step_with(
        &mut self,
        name: &str,
        params: u16,
        locals: u16,
        temps: u16,
        result: u16,
        body: impl FnOnce(&mut Self),
    ) -> u16 {
        assert!(self.book.rules.is_empty());
        self.book.steps.push(Step {
            name: name.to_owned(),
            params: params as usize,
            locals: Vec::new(),
            ty: None,
            body: Vec::new(),
            before: 0,
            is_part: false,
            cites: vec!["1.1".to_owned()],
            span: Span::default(),
        });
        let id = StepId(self.book.steps.len() as u32 - 1);
        self.function(name, Origin::Step(id), params, result, HEADER as u16 + params + locals, temps, body)
    }

    /// A rule with parameters from register 0.
    pub fn rule(
        &mut self,
        name: &str,
        params: u16,
        result: u16,
        temps: u16,
        ty: Type,
        body: impl FnOnce(&mut Self),
    ) -> RuleId {
        let id = RuleId(self.book.rules.len() as u32);
        let nothing = Expr { kind: ExprKind::Absent, ty, span: Span::default() };
        self.book.rules.push(Rule {
            known: Vec::new(),
            title: None,
            name: name.to_owned(),
            params: params as usize,
            locals: (0..params)
                .map(|i| Local { name: format!("p{i}"), ty: Type::of(Base::Thing(SIDE)) })
                .collect(),
            ty,
            body: RuleBody::Value { base: nothing, exceptions: Vec::new(), modifiers: Vec::new() },
            cites: vec!["2.1".to_owned()],
            span: Span::default(),
        });
        self.function(name, Origin::Rule(id), params, result, params, temps, body);
        id
    }

    pub fn made(
        &mut self,
        name: &str,
        params: u16,
        result: u16,
        temps: u16,
        body: impl FnOnce(&mut Self),
    ) -> u16 {
        self.function(name, Origin::Made, params, result, params, temps, body)
    }

    #[allow(clippy::too_many_arguments)]
    fn function(
        &mut self,
        name: &str,
        origin: Origin,
        params: u16,
        result: u16,
        locals: u16,
        temps: u16,
        body: impl FnOnce(&mut Self),
    ) -> u16 {
        let entry = self.here();
        body(self);
        let end = self.here();
        self.program.functions.push(Function {
            name: name.to_owned(),
            origin,
            entry,
            end,
            param_words: params,
            result_words: result,
            local_words: locals,
            frame_words: locals + temps,
        });
        self.program.functions.len() as u16 - 1
    }

    pub fn text(&mut self, pieces: Vec<TextPiece>) -> u32 {
        self.program.texts.push(TextInfo { pieces, span: Span::default() });
        self.program.texts.len() as u32 - 1
    }

    pub fn need(&mut self, label: &str, has_reason: bool, condition: &str) -> u32 {
        self.program.needs.push(NeedInfo {
            label: label.to_owned(),
            has_reason,
            condition: condition.to_owned(),
            cites: vec!["5.2".to_owned()],
            span: Span::default(),
        });
        self.program.needs.len() as u32 - 1
    }

    pub fn setup(&mut self, name: &str, step: u16) {
        self.book.setups.push(Setup {
            name: name.to_owned(),
            title: None,
            body: StepId(u32::from(step)),
            span: Span::default(),
        });
    }

    /// A card's face is seen by the side that the state `column` says; the state stands on the back.
    pub fn hide_cards(&mut self, column: u16) {
        let function = self.made("seen", 2, 1, 1, |a| {
            a.ops(&[
                Op::Load { dst: 2, column, key: 1 },
                Op::Eq { dst: 2, a: 2, b: 0 },
                Op::Return { src: 2 },
            ]);
        });
        self.program.seen[CARD.0 as usize] = Some(u32::from(function));
        let kind = &mut self.book.kinds[CARD.0 as usize];
        kind.back = vec![blazon_book::ColumnId(u32::from(column))];
        let when = Expr { kind: ExprKind::Absent, ty: Type::of(Base::Flag), span: Span::default() };
        kind.seen = Some(Seen { locals: Vec::new(), when, rule: None });
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "only jumps have labels")]
    pub fn finish(mut self) -> Arc<Program> {
        for (at, label) in &self.fixups {
            let place = self.labels[*label].expect("every label is bound");
            match &mut self.program.code[*at] {
                Op::Jump { to }
                | Op::JumpIf { to, .. }
                | Op::JumpUnless { to, .. }
                | Op::Again { to, .. } => *to = place,
                Op::Next { exit, .. }
                | Op::NextNumber { exit, .. }
                | Op::NextDie { exit, .. }
                | Op::NextOf { exit, .. }
                | Op::NextWay { exit, .. } => *exit = place,
                other => panic!("{other:?} goes nowhere"),
            }
        }
        self.program.spans = vec![Span::default(); self.program.code.len()];
        self.program.book = Arc::new(self.book);
        Arc::new(self.program)
    }
}

pub fn number() -> Type {
    Type::of(Base::Number(-1000, 1000))
}
pub fn flag() -> Type {
    Type::of(Base::Flag)
}

/// The option infos of hand-made choices.
pub fn option(name: &str, params: Vec<OptionParam>, body: Pc, label: Option<Pc>, explain: Pc) -> OptionInfo {
    OptionInfo {
        name: name.to_owned(),
        params,
        body,
        label,
        explain,
        cites: vec!["3.1".to_owned()],
        span: Span::default(),
    }
}
pub fn param(name: &str, kind: Option<KindId>, local: Reg, scratch: Reg) -> OptionParam {
    OptionParam { name: name.to_owned(), kind, local, scratch, named: false, told: true }
}

/// States of the sample game.
pub struct Sample {
    pub program: Arc<Program>,
    pub moved: u16,
    pub points: u16,
    pub turn: u16,
    pub hand: u16,
    pub score: RuleId,
    pub lay: StepId,
    pub pass: StepId,
}

/// The sample game. In turn the sides roll a die and take a block that nobody has taken (only those below the
/// thirtieth may be taken by York), and gain what the die shows; who has 20 wins. A side may pass.
pub fn sample() -> Sample {
    let mut a = Asm::new();
    let turn = a.state("turn", &[], Type::of(Base::Thing(SIDE)), 3, 0, 1, false);
    let moved = a.state("moved", &[BLOCK], flag(), 0, 0, 1, false);
    let points = a.state("points", &[SIDE], number(), 4, -50, 50, false);
    let hand = a.state("hand", &[CARD], Type::maybe(Base::Thing(SIDE)), 3, 0, 1, true);
    a.program.pool = vec![u64::MAX, 0x3f];
    let rule_may = 4; // The rules follow the four steps.
    let rule_score = 5;

    // main: locals 3 die, 4 block; temporaries from 5.
    a.step("main", 2, 20, |a| {
        let again = a.mark();
        a.ops(&[
            Op::Int { dst: 5, value: 0 },
            Op::MixSite { dst: 6, key: 2, site: 1 },
            Op::Load { dst: 7, column: turn, key: 5 },
            Op::MixValue { dst: 6, key: 6, value: 7, kind: SIDE.0 as u16 },
            Op::Load { dst: 7, column: points, key: 7 },
            Op::MixValue { dst: 6, key: 6, value: 7, kind: u16::MAX },
            Op::Int { dst: 7, value: 6 },
            Op::Die { dst: 3, sides: 7, key: 6 },
        ]);
        a.op(Op::Choose { choice: 0 });
        // who
        let who = a.here();
        a.ops(&[Op::Load { dst: 5, column: turn, key: 5 }, Op::Done]);
        // options
        let mut list = |needs: bool| {
            let from = a.here();
            a.op(Op::Set { dst: 6, words: 2, index: 0 });
            if needs {
                a.ops(&[Op::Members { dst: 8, column: moved }, Op::Without { dst: 6, a: 6, b: 8, words: 2 }]);
            }
            let (next, out) = (a.mark(), a.label());
            a.to(Op::Next { set: 6, words: 2, elem: 10, exit: 0 }, out);
            if needs {
                a.op(Op::Call { function: rule_may, args: 10, dst: 11 });
                a.to(Op::JumpUnless { a: 11, to: 0 }, next);
            }
            a.op(Op::Emit { option: 0, args: 10, count: 1 });
            a.jump(next);
            a.bind(out);
            a.ops(&[Op::Emit { option: 1, args: 0, count: 0 }, Op::Done]);
            from
        };
        let (enumerate, domain) = (list(true), list(false));
        let prompt = a.here();
        let text = a.text(vec![TextPiece::Plain("You rolled ".into()), TextPiece::Value(3, number())]);
        a.ops(&[Op::Text { text }, Op::Done]);
        let label = a.here();
        let text = a.text(vec![
            TextPiece::Plain("Take ".into()),
            TextPiece::Value(12, Type::of(Base::Thing(BLOCK))),
            TextPiece::Plain(" for ".into()),
            TextPiece::Value(3, number()),
        ]);
        a.ops(&[Op::Text { text }, Op::Done]);
        // why not
        let explain = a.here();
        let (free, may) = (a.label(), a.label());
        let reason = a.text(vec![
            TextPiece::Value(12, Type::of(Base::Thing(BLOCK))),
            TextPiece::Plain(" is taken".into()),
        ]);
        let (taken, strange) = (a.need("free", true, "not b.moved"), a.need("", false, "may take(b)"));
        a.op(Op::Load { dst: 13, column: moved, key: 12 });
        a.to(Op::JumpUnless { a: 13, to: 0 }, free);
        a.ops(&[Op::Text { text: reason }, Op::Refuse { need: taken }]);
        a.bind(free);
        a.op(Op::Call { function: rule_may, args: 12, dst: 13 });
        a.to(Op::JumpIf { a: 13, to: 0 }, may);
        a.op(Op::Refuse { need: strange });
        a.bind(may);
        let explain_nothing = a.op(Op::Done);
        // take
        let (after, won) = (a.label(), a.label());
        let take = a.here();
        let said = a
            .text(vec![TextPiece::Plain("Gone: ".into()), TextPiece::Value(4, Type::of(Base::Thing(BLOCK)))]);
        a.ops(&[
            Op::Int { dst: 5, value: 1 },
            Op::Store { column: moved, key: 4, src: 5 },
            Op::Say { text: said, announce: false },
            Op::Load { dst: 5, column: turn, key: 5 },
            Op::Copy { dst: 6, src: 3, words: 1 },
            Op::Do { function: 2, args: 5, dst: 7, key: 2 },
            Op::Int { dst: 8, value: 20 },
            Op::Le { dst: 8, a: 8, b: 7 },
        ]);
        a.to(Op::JumpIf { a: 8, to: 0 }, won);
        a.bind(after);
        let next_turn = a.here();
        a.ops(&[
            Op::Load { dst: 5, column: turn, key: 5 },
            Op::Not { dst: 5, a: 5 },
            Op::Store { column: turn, key: 5, src: 5 },
        ]);
        a.jump(again);
        a.bind(won);
        a.ops(&[Op::Load { dst: 5, column: turn, key: 5 }, Op::Win { player: 5 }]);
        a.program.choices.push(ChoiceInfo {
            step: StepId(0),
            question: 1,
            who,
            who_reg: 5,
            enumerate,
            domain,
            prompt: Some(prompt),
            options: vec![
                option("take", vec![param("b", Some(BLOCK), 4, 12)], take, Some(label), explain),
                option("pass", vec![], next_turn, None, explain_nothing),
            ],
            otherwise: None,
            after: next_turn,
            each: None,
            cites: vec!["3".into()],
            span: Span::default(),
        });
    });
    a.step("setup", 0, 4, |a| {
        a.ops(&[
            Op::Int { dst: 3, value: 1 },
            Op::Int { dst: 4, value: 0 },
            Op::Store { column: hand, key: 3, src: 4 },
            Op::Int { dst: 5, value: 4 },
            Op::Store { column: hand, key: 5, src: 3 },
            Op::Return { src: 0 },
        ]);
    });
    // gain(side, n): number, the new points.
    a.step_with("gain", 2, 0, 2, 1, |a| {
        a.ops(&[
            Op::Load { dst: 5, column: points, key: 3 },
            Op::Add { dst: 5, a: 5, b: 4 },
            Op::Store { column: points, key: 3, src: 5 },
            Op::Return { src: 5 },
        ]);
    });
    // A test's line: York has ten points.
    let lay = a.step("lay", 0, 2, |a| {
        a.ops(&[
            Op::Int { dst: 3, value: 1 },
            Op::Int { dst: 4, value: 10 },
            Op::Store { column: points, key: 3, src: 4 },
            Op::Return { src: 0 },
        ]);
    });
    // may take(b): of York's only those below the thirtieth.
    a.rule("may take", 1, 1, 3, flag(), |a| {
        a.ops(&[
            Op::Load { dst: 1, column: turn, key: 1 },
            Op::Not { dst: 1, a: 1 },
            Op::Int { dst: 2, value: 30 },
            Op::Lt { dst: 2, a: 0, b: 2 },
            Op::Add { dst: 1, a: 1, b: 2 },
            Op::Return { src: 1 },
        ]);
    });
    let score = a.rule("outlook", 1, 1, 1, number(), |a| {
        a.ops(&[Op::Load { dst: 1, column: points, key: 0 }, Op::Return { src: 1 }]);
    });
    assert_eq!((a.program.functions.len() as u16, score.0 as u16 + rule_may), (6, rule_score));
    a.hide_cards(hand);
    a.setup("Short", 1);
    Sample {
        program: a.finish(),
        moved,
        points,
        turn,
        hand,
        score,
        lay: StepId(u32::from(lay)),
        pass: StepId(0),
    }
}

/// A machine of little room.
pub fn small(program: &Arc<Program>) -> Machine {
    Machine::with_limits(program.clone(), Limits { ops: 100_000, words: 2000, depth: 100, told: 1 << 20 })
        .unwrap()
}
