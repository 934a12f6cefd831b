//! The walks over the typed tree: both visitors see the same parts, and what stands on them tells the truth.

use std::collections::HashMap;

use blazon_book::walk::{
    Deeds, ExprKey, Put, Reads, each_expr, each_expr_of_block, each_part_mut, substitute,
};
use blazon_book::{
    Arithmetic, AssignOp, Base, ChoiceOption, Choose, Chooser, ColumnId, Comparison, Expr, ExprKind, Keeper,
    KindId, LocalId, Need, Piece, Quantifier, Query, RuleId, SetOp, Statement, StatementKind, StepId, Text,
    Type, Value,
};
use blazon_diagnostics::Span;

const KIND: KindId = KindId(0);

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, ty: Type::of(Base::Flag), span: Span::default() }
}

fn word(word: i64) -> Expr {
    expr(ExprKind::Word(word))
}

fn boxed(number: i64) -> Box<Expr> {
    Box::new(word(number))
}

fn local(number: u32) -> Expr {
    expr(ExprKind::Local(LocalId(number)))
}

fn column(number: u32, of: Expr) -> Expr {
    expr(ExprKind::Column(ColumnId(number), vec![of]))
}

fn rule(number: u32, of: Vec<Expr>) -> Expr {
    expr(ExprKind::Rule(RuleId(number), of))
}

fn each(variable: u32, source: Expr, body: Expr) -> Expr {
    expr(ExprKind::Each(LocalId(variable), Box::new(source), Box::new(body)))
}

fn between(a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Between(KIND, Box::new(a), Box::new(b)))
}

fn query(variable: u32, source: Expr, filter: Option<Expr>) -> Expr {
    let local = LocalId(variable);
    let query = Query { quantifier: Quantifier::All, local, source, filter, by: None, within: None };
    expr(ExprKind::Query(Box::new(query)))
}

/// One expression of each kind that has parts; these are the numbers from 1.
fn all_with_parts() -> Vec<Expr> {
    let full = Query {
        quantifier: Quantifier::Reach,
        local: LocalId(0),
        source: word(1),
        filter: Some(word(2)),
        by: Some(word(3)),
        within: Some(word(4)),
    };
    let kinds = [
        ExprKind::Column(ColumnId(0), vec![word(1), word(2)]),
        ExprKind::Rule(RuleId(0), vec![word(1), word(2)]),
        ExprKind::Links(KIND, boxed(1)),
        ExprKind::Neighbours(KIND, boxed(1)),
        ExprKind::Between(KIND, boxed(1), boxed(2)),
        ExprKind::Ends(KIND, boxed(1)),
        ExprKind::Each(LocalId(0), boxed(1), boxed(2)),
        ExprKind::ToSet(boxed(1)),
        ExprKind::Not(boxed(1)),
        ExprKind::And(vec![word(1), word(2), word(3)]),
        ExprKind::Or(vec![word(1), word(2), word(3)]),
        ExprKind::Compare(Comparison::Less, boxed(1), boxed(2)),
        ExprKind::In(boxed(1), boxed(2)),
        ExprKind::Within(boxed(1), boxed(2), boxed(3)),
        ExprKind::Arithmetic(Arithmetic::Plus, boxed(1), boxed(2)),
        ExprKind::Sets(SetOp::Union, boxed(1), boxed(2)),
        ExprKind::Odd(boxed(1)),
        ExprKind::Kept(Keeper::Rule(RuleId(0)), boxed(1)),
        ExprKind::Range(boxed(1), boxed(2)),
        ExprKind::Otherwise(boxed(1), boxed(2)),
        ExprKind::Query(Box::new(full)),
        ExprKind::List(vec![word(1), word(2)]),
        ExprKind::Choice(boxed(1), boxed(2), boxed(3)),
    ];
    kinds.map(expr).into()
}

#[allow(clippy::wildcard_enum_match_arm, reason = "only numbers were put in")]
fn number_of(expr: &Expr) -> i64 {
    match expr.kind {
        ExprKind::Word(number) => number,
        _ => panic!("{expr:?} is no number"),
    }
}

#[test]
fn both_visitors_see_all_parts_in_the_written_order() {
    for mut whole in all_with_parts() {
        let parts: Vec<i64> = whole.parts().into_iter().map(number_of).collect();
        assert_eq!(parts, (1..=parts.len() as i64).collect::<Vec<_>>(), "{whole:?}");
        assert!(!parts.is_empty(), "{whole:?}");
        assert_eq!(whole.size(), 1 + parts.len());
        let mut changed = Vec::new();
        each_part_mut(&mut whole, &mut |part| {
            changed.push(number_of(part));
            part.kind = ExprKind::Winner;
        });
        assert_eq!(changed, parts, "{whole:?}");
        assert!(whole.parts().iter().all(|part| matches!(part.kind, ExprKind::Winner)), "{whole:?}");
    }
}

#[test]
fn keys_of_different_expressions_differ() {
    let keys: Vec<ExprKey> = all_with_parts().iter().map(ExprKey::of).collect();
    for (place, key) in keys.iter().enumerate() {
        assert!(!keys[..place].contains(key), "{key:?}");
    }
    let list = |items: Vec<Expr>| expr(ExprKind::List(items));
    let inner = list(vec![list(vec![word(1)]), word(2)]);
    let outer = list(vec![list(vec![word(1), word(2)])]);
    assert_ne!(ExprKey::of(&inner), ExprKey::of(&outer), "where a list ends is told");
}

#[test]
fn keys_do_not_tell_the_numbers_of_own_variables() {
    let all = |variable, asked| query(variable, word(1), Some(column(3, local(asked))));
    assert_eq!(ExprKey::of(&all(5, 5)), ExprKey::of(&all(6, 6)));
    assert_ne!(ExprKey::of(&all(5, 5)), ExprKey::of(&all(5, 6)), "another variable is another value");
    // The variable of the outer one, or of the inner one, asked in the innermost place.
    let nested = |asked| each(1, column(1, local(0)), each(12, column(2, local(1)), column(3, local(asked))));
    assert_ne!(ExprKey::of_path(&nested(1)), ExprKey::of_path(&nested(12)));
    assert_ne!(ExprKey::of_path(&nested(1)), ExprKey::of_path(&nested(2)));
}

#[test]
fn the_ends_of_a_link_have_no_order() {
    let (a, b) = (column(1, local(0)), column(2, local(1)));
    let (there, back) = (between(a.clone(), b.clone()), between(b, a));
    assert_eq!(ExprKey::of(&there), ExprKey::of(&back));
    assert_eq!(ExprKey::of_path(&there), ExprKey::of_path(&back));
    let (left, right) = (column(1, local(0)), local(7));
    let by_hand =
        ExprKey::of_path(&left).map(|left| ExprKey::between(KIND, &ExprKey::local(LocalId(7)), &left));
    assert_eq!(by_hand, ExprKey::of_path(&between(left, right)));
}

#[test]
fn a_key_knows_what_it_reads() {
    let path = each(4, column(11, local(0)), column(2, local(4)));
    let key = ExprKey::of_path(&path).expect("a path");
    assert!(key.reads(ColumnId(11)) && key.reads(ColumnId(2)));
    assert!(!key.reads(ColumnId(1)), "1 is not 11");
    assert!(key.reads_columns() && !key.asks_rules() && !key.names_none());
    let key = ExprKey::of_path(&rule(3, vec![expr(ExprKind::Absent)])).expect("a path");
    assert!(key.asks_rules() && key.names_none() && !key.reads_columns());
    assert_eq!(ExprKey::of_path(&column(1, query(2, word(1), None))), None, "a query is no path");
}

#[test]
fn substitution_renames_what_is_bound() {
    // `any v1 in c1(v0) where c2(v1) = v0`, with a rule of nothing for `v0`.
    let equal = ExprKind::Compare(Comparison::Equal, Box::new(column(2, local(1))), Box::new(local(0)));
    let mut whole = query(1, column(1, local(0)), Some(expr(equal)));
    let mut map = HashMap::from([(LocalId(0), Put::Expr(rule(7, vec![])))]);
    substitute(&mut whole, &mut map, &mut |old| LocalId(old.0 + 100));
    let equal =
        ExprKind::Compare(Comparison::Equal, Box::new(column(2, local(101))), Box::new(rule(7, vec![])));
    let expected = query(101, column(1, rule(7, vec![])), Some(expr(equal)));
    assert_eq!(format!("{whole:?}"), format!("{expected:?}"));
    assert_eq!(whole.bound(), [LocalId(101)]);
    assert!(whole.mentions(LocalId(101)) && !whole.mentions(LocalId(0)));
}

#[test]
fn a_query_without_a_variable_is_not_given_one() {
    let mut whole = query(LocalId::NONE.0, local(0), None);
    substitute(&mut whole, &mut HashMap::new(), &mut |_| LocalId(1));
    assert_eq!(whole.own_variable(), Some(LocalId::NONE));
    assert_eq!(local(0).own_variable(), None);
}

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, cites: Vec::new(), span: Span::default() }
}

fn text(hole: Expr) -> Text {
    Text { pieces: vec![Piece::Plain("So ".into()), Piece::Hole(hole)], span: Span::default() }
}

/// A choice in a loop, its one option labelled, with a need and a body.
fn choice_in_a_loop() -> Vec<Statement> {
    let need = Need {
        label: String::new(),
        condition: column(1, word(0)),
        reason: Some(text(column(2, word(0)))),
        cites: Vec::new(),
        span: Span::default(),
    };
    let option = ChoiceOption {
        name: "go".into(),
        binders: Vec::new(),
        label: Some(text(column(3, word(0)))),
        needs: vec![need],
        body: vec![
            statement(StatementKind::Let(LocalId(1), Value::Step(StepId(4), vec![column(4, word(0))]))),
            statement(StatementKind::Do(StepId(5), vec![rule(6, vec![expr(ExprKind::Winner)])])),
        ],
        cites: Vec::new(),
        span: Span::default(),
    };
    let choose = Choose {
        by: Chooser::One(column(0, word(0))),
        prompt: None,
        options: vec![option],
        otherwise: Some(vec![statement(StatementKind::Assign {
            column: ColumnId(9),
            keys: vec![column(7, word(0))],
            op: AssignOp::Set,
            value: Value::Die(word(6)),
        })]),
        cites: Vec::new(),
        span: Span::default(),
    };
    vec![statement(StatementKind::While(word(1), vec![statement(StatementKind::Choose(Box::new(choose)))]))]
}

#[test]
fn a_body_is_seen_whole_and_in_order() {
    let body = choice_in_a_loop();
    let mut columns = Vec::new();
    each_expr_of_block(&body, &mut |expr| {
        if let ExprKind::Column(column, _) = expr.kind {
            columns.push(column.0);
        }
    });
    assert_eq!(columns, [0, 1, 2, 3, 4, 7]);
    let reads = Reads::of_block(&body);
    assert_eq!(reads.columns.iter().map(|column| column.0).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 7]);
    assert_eq!(Vec::from_iter(reads.rules), [RuleId(6)]);
    assert!(reads.winner);
    assert_eq!(body[0].blocks().len(), 1);
}

#[test]
fn what_a_body_does_is_told_without_what_it_reads() {
    let deeds = Deeds::of_block(&choice_in_a_loop());
    assert_eq!(Vec::from_iter(deeds.writes), [ColumnId(9)]);
    assert_eq!(Vec::from_iter(deeds.steps), [StepId(4), StepId(5)]);
    assert!(deeds.rolls && deeds.chooses);
    let quiet = Deeds::of_statement(&statement(StatementKind::Say { announce: false, text: text(word(1)) }));
    assert_eq!(quiet, Deeds::default());
}

#[test]
fn inner_expressions_come_after_outer_ones() {
    let mut seen = Vec::new();
    each_expr(&column(1, column(2, column(3, word(0)))), &mut |expr| {
        if let ExprKind::Column(column, _) = expr.kind {
            seen.push(column.0);
        }
    });
    assert_eq!(seen, [1, 2, 3]);
}
