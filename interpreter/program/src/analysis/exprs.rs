//! Walks over expressions: parts, variables, substitution, and what is known to be present only because of what
//! stands before.

use std::collections::HashMap;

use blazon_book::{
    Base, Block, Book, Chooser, Expr, ExprKind, KindId, LocalId, Piece, RuleBody, RuleId, Statement,
    StatementKind, Text, Value,
};

/// The variable of a query that has none.
pub(crate) const NO_LOCAL: LocalId = LocalId(u32::MAX);

/// Looks at the direct parts of an expression.
pub(crate) fn for_parts<'e>(expr: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Word(_)
        | ExprKind::Absent
        | ExprKind::Everything(_)
        | ExprKind::Players
        | ExprKind::Winner
        | ExprKind::Local(_) => {}
        ExprKind::Column(_, all)
        | ExprKind::Rule(_, all)
        | ExprKind::And(all)
        | ExprKind::Or(all)
        | ExprKind::List(all) => all.iter().for_each(f),
        ExprKind::Links(_, a)
        | ExprKind::Neighbours(_, a)
        | ExprKind::Ends(_, a)
        | ExprKind::ToSet(a)
        | ExprKind::Not(a)
        | ExprKind::Odd(a) => f(a),
        ExprKind::Between(_, a, b)
        | ExprKind::Each(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::In(a, b)
        | ExprKind::Arithmetic(_, a, b)
        | ExprKind::Sets(_, a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Otherwise(a, b) => {
            f(a);
            f(b);
        }
        ExprKind::Within(a, b, c) | ExprKind::Choice(a, b, c) => {
            f(a);
            f(b);
            f(c);
        }
        ExprKind::Query(q) => {
            let q = q.as_ref();
            f(&q.source);
            q.filter.iter().for_each(&mut *f);
            q.by.iter().for_each(&mut *f);
            q.within.iter().for_each(f);
        }
    }
}

/// The direct parts of an expression.
pub(crate) fn parts(expr: &Expr) -> Vec<&Expr> {
    let mut all = Vec::new();
    for_parts(expr, &mut |part| all.push(part));
    all
}

/// Changes the direct parts of an expression.
pub(crate) fn for_parts_mut<'e>(expr: &'e mut Expr, f: &mut dyn FnMut(&'e mut Expr)) {
    match &mut expr.kind {
        ExprKind::Word(_)
        | ExprKind::Absent
        | ExprKind::Everything(_)
        | ExprKind::Players
        | ExprKind::Winner
        | ExprKind::Local(_) => {}
        ExprKind::Column(_, all)
        | ExprKind::Rule(_, all)
        | ExprKind::And(all)
        | ExprKind::Or(all)
        | ExprKind::List(all) => all.iter_mut().for_each(f),
        ExprKind::Links(_, a)
        | ExprKind::Neighbours(_, a)
        | ExprKind::Ends(_, a)
        | ExprKind::ToSet(a)
        | ExprKind::Not(a)
        | ExprKind::Odd(a) => f(a),
        ExprKind::Between(_, a, b)
        | ExprKind::Each(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::In(a, b)
        | ExprKind::Arithmetic(_, a, b)
        | ExprKind::Sets(_, a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Otherwise(a, b) => {
            f(a);
            f(b);
        }
        ExprKind::Within(a, b, c) | ExprKind::Choice(a, b, c) => {
            f(a);
            f(b);
            f(c);
        }
        ExprKind::Query(q) => {
            let q = q.as_mut();
            f(&mut q.source);
            q.filter.iter_mut().for_each(&mut *f);
            q.by.iter_mut().for_each(&mut *f);
            q.within.iter_mut().for_each(f);
        }
    }
}

/// Looks at an expression and all its parts.
pub(crate) fn each<'e>(expr: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    f(expr);
    for_parts(expr, &mut |part| each(part, f));
}

/// How many nodes an expression has.
pub(crate) fn size(expr: &Expr) -> usize {
    let mut count = 0;
    each(expr, &mut |_| count += 1);
    count
}

/// Whether a variable occurs.
pub(crate) fn mentions(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    each(expr, &mut |e| found |= matches!(e.kind, ExprKind::Local(l) if l == local));
    found
}

/// The variables that an expression binds itself.
pub(crate) fn bound(expr: &Expr) -> Vec<LocalId> {
    let mut all = Vec::new();
    each(expr, &mut |e| match &e.kind {
        ExprKind::Each(local, ..) => all.push(*local),
        ExprKind::Query(q) => all.push(q.local),
        _ => {}
    });
    all
}

/// What comes in place of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Put {
    /// An expression.
    Expr(Expr),
    /// The same variable under another number.
    Renamed(LocalId),
}

/// Puts expressions in place of variables; `fresh` renames those that the expression binds.
pub(crate) fn substitute(
    expr: &mut Expr,
    map: &mut HashMap<LocalId, Put>,
    fresh: &mut dyn FnMut(LocalId) -> LocalId,
) {
    match &mut expr.kind {
        ExprKind::Local(local) => {
            match map.get(local) {
                Some(Put::Renamed(new)) => *local = *new,
                Some(Put::Expr(with)) => {
                    expr.kind = with.kind.clone();
                    expr.ty.optional &= with.ty.optional;
                }
                None => {}
            }
            return;
        }
        ExprKind::Each(local, ..) => rename(local, map, fresh),
        ExprKind::Query(query) => rename(&mut query.local, map, fresh),
        _ => {}
    }
    for_parts_mut(expr, &mut |part| substitute(part, map, fresh));
}

fn rename(local: &mut LocalId, map: &mut HashMap<LocalId, Put>, fresh: &mut dyn FnMut(LocalId) -> LocalId) {
    if *local != NO_LOCAL {
        let new = fresh(*local);
        map.insert(*local, Put::Renamed(new));
        *local = new;
    }
}

/// The kind of a thing or set.
pub(crate) fn kind_of(base: Base) -> Option<KindId> {
    match base {
        Base::Thing(kind) | Base::Set(kind) => Some(kind),
        _ => None,
    }
}

/// A key for a path of variables, facts, states and rules: equal keys, equal values.
pub(crate) fn path(expr: &Expr) -> Option<String> {
    let all = |args: &[Expr]| args.iter().map(path).collect::<Option<Vec<_>>>().map(|keys| keys.join(","));
    Some(match &expr.kind {
        ExprKind::Local(local) => format!("v{};", local.0),
        ExprKind::Word(word) => format!("{word}"),
        ExprKind::Absent => "none".to_owned(),
        ExprKind::Column(column, args) => format!("c{}({})", column.0, all(args)?),
        ExprKind::Rule(rule, args) => format!("r{}({})", rule.0, all(args)?),
        ExprKind::Between(kind, a, b) => {
            let (a, b) = (path(a)?, path(b)?);
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            format!("b{}({a},{b})", kind.0)
        }
        ExprKind::Each(local, source, body) => {
            format!("e({},{})", path(source)?, path(body)?.replace(&format!("v{};", local.0), "it"))
        }
        _ => return None,
    })
}

/// A text that is the same for expressions that are the same but for places in the text and the numbers of their own
/// variables.
pub(crate) fn signature(expr: &Expr) -> String {
    let mut out = String::new();
    sign(expr, &mut Vec::new(), &mut out);
    out
}

fn sign(expr: &Expr, bound: &mut Vec<LocalId>, out: &mut String) {
    use std::fmt::Write;
    // Writing to a string cannot fail.
    let _ = match &expr.kind {
        ExprKind::Word(word) => write!(out, "{word}"),
        ExprKind::Local(local) => match bound.iter().rposition(|l| l == local) {
            Some(place) => write!(out, "#{place}"),
            None => write!(out, "v{}", local.0),
        },
        ExprKind::Everything(kind) => write!(out, "all{}", kind.0),
        ExprKind::Column(column, _) => write!(out, "c{}", column.0),
        ExprKind::Rule(rule, _) => write!(out, "r{}", rule.0),
        ExprKind::Links(kind, _) => write!(out, "links{}", kind.0),
        ExprKind::Neighbours(kind, _) => write!(out, "neighbours{}", kind.0),
        ExprKind::Between(kind, ..) => write!(out, "between{}", kind.0),
        ExprKind::Ends(kind, _) => write!(out, "ends{}", kind.0),
        ExprKind::Compare(op, ..) => write!(out, "{op:?}"),
        ExprKind::Arithmetic(op, ..) => write!(out, "{op:?}"),
        ExprKind::Sets(op, ..) => write!(out, "{op:?}"),
        ExprKind::Query(q) => {
            let has = |part: &Option<Expr>| u8::from(part.is_some());
            write!(out, "{:?}{}{}{}", q.quantifier, has(&q.filter), has(&q.by), has(&q.within))
        }
        ExprKind::Absent => write!(out, "none"),
        ExprKind::Players => write!(out, "players"),
        ExprKind::Winner => write!(out, "winner"),
        ExprKind::Each(..) => write!(out, "each"),
        ExprKind::ToSet(_) => write!(out, "set"),
        ExprKind::Not(_) => write!(out, "not"),
        ExprKind::And(_) => write!(out, "and"),
        ExprKind::Or(_) => write!(out, "or"),
        ExprKind::In(..) => write!(out, "in"),
        ExprKind::Within(..) => write!(out, "within"),
        ExprKind::Odd(_) => write!(out, "odd"),
        ExprKind::Range(..) => write!(out, "range"),
        ExprKind::Otherwise(..) => write!(out, "otherwise"),
        ExprKind::List(_) => write!(out, "list"),
        ExprKind::Choice(..) => write!(out, "choice"),
    };
    let mark = bound.len();
    match &expr.kind {
        ExprKind::Each(local, ..) => bound.push(*local),
        ExprKind::Query(query) => bound.push(query.local),
        _ => {}
    }
    out.push('(');
    for_parts(expr, &mut |part| {
        sign(part, bound, out);
        out.push(',');
    });
    out.push(')');
    bound.truncate(mark);
}

/// What an expression assumes to be present, because something before it says so: such paths may be absent where
/// the expression is asked out of order. `None`: it also tests such a path itself, so it must stay where it is.
pub(crate) fn assumed<'e>(
    book: &Book,
    local_optional: &dyn Fn(LocalId) -> bool,
    expr: &'e Expr,
) -> Option<Vec<&'e Expr>> {
    let own = bound(expr);
    let free = |e: &Expr| !own.iter().any(|local| *local != NO_LOCAL && mentions(e, *local));
    let mut narrowed: Vec<(String, &Expr)> = Vec::new();
    let mut tested: Vec<String> = Vec::new();
    each(expr, &mut |e| {
        let may_be_absent = match &e.kind {
            ExprKind::Local(local) => local_optional(*local),
            ExprKind::Column(column, _) => book.column(*column).ty.optional,
            ExprKind::Rule(rule, _) => book.rule(*rule).ty.optional,
            ExprKind::Between(..) | ExprKind::Absent => true,
            ExprKind::Each(_, source, _) => {
                matches!(source.ty.base, Base::Thing(_))
                    && matches!(e.ty.base, Base::Thing(_) | Base::Number(..))
            }
            _ => false,
        };
        if !may_be_absent {
            return;
        }
        if e.ty.optional {
            if !matches!(e.kind, ExprKind::Absent) {
                tested.extend(path(e));
            }
        } else if free(e) {
            narrowed.push((path(e).unwrap_or_default(), e));
        }
    });
    if narrowed.iter().any(|(key, _)| key.is_empty() || tested.contains(key)) {
        return None;
    }
    // Inner paths stand behind the paths that hold them.
    let mut guards: Vec<&Expr> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for (key, guard) in narrowed.iter().rev() {
        if !seen.contains(&key.as_str()) {
            seen.push(key);
            guards.push(guard);
        }
    }
    Some(guards)
}

/// Looks at all statements of a block, the inner ones too.
pub(crate) fn statements<'b>(block: &'b Block, f: &mut dyn FnMut(&'b Statement)) {
    for statement in block {
        f(statement);
        for inner in blocks(statement) {
            statements(inner, f);
        }
    }
}

/// The blocks inside a statement.
pub(crate) fn blocks(statement: &Statement) -> Vec<&Block> {
    match &statement.kind {
        StatementKind::If(_, a, b) => vec![a, b],
        StatementKind::For { body, otherwise, .. } => std::iter::once(body).chain(otherwise).collect(),
        StatementKind::While(_, body) => vec![body],
        StatementKind::Case { arms, otherwise, .. } => arms.iter().map(|(_, b)| b).chain(otherwise).collect(),
        StatementKind::Choose(choose) => {
            choose.options.iter().map(|option| &option.body).chain(&choose.otherwise).collect()
        }
        _ => Vec::new(),
    }
}

/// The value of a statement, if it has one that may do something.
pub(crate) fn value(statement: &Statement) -> Option<&Value> {
    match &statement.kind {
        StatementKind::Let(_, value) | StatementKind::Assign { value, .. } => Some(value),
        StatementKind::Return(value) => value.as_ref(),
        _ => None,
    }
}

/// The expressions of a text.
pub(crate) fn holes(text: &Text) -> impl Iterator<Item = &Expr> {
    text.pieces.iter().filter_map(|piece| match piece {
        Piece::Hole(expr) => Some(expr),
        Piece::Plain(_) => None,
    })
}

/// The expressions that stand directly in a statement.
pub(crate) fn expressions(statement: &Statement) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = Vec::new();
    match &statement.kind {
        StatementKind::Assign { keys, .. } => all.extend(keys),
        StatementKind::If(e, ..) | StatementKind::While(e, _) | StatementKind::Win(e) => all.push(e),
        StatementKind::For { sources, filter, .. } => {
            all.extend(sources);
            all.extend(filter);
        }
        StatementKind::Do(_, args) => all.extend(args),
        StatementKind::Say { text, .. } => all.extend(holes(text)),
        StatementKind::Choose(choose) => {
            match &choose.by {
                Chooser::One(e) | Chooser::Each(_, e) => all.push(e),
            }
            all.extend(choose.prompt.iter().flat_map(holes));
            for option in &choose.options {
                for binder in &option.binders {
                    all.push(&binder.source);
                    all.extend(&binder.filter);
                }
                all.extend(option.label.iter().flat_map(holes));
                for need in &option.needs {
                    all.push(&need.condition);
                    all.extend(need.reason.iter().flat_map(holes));
                }
            }
        }
        _ => {}
    }
    match value(statement) {
        Some(Value::Expr(e) | Value::Die(e)) => all.push(e),
        Some(Value::Step(_, args)) => all.extend(args),
        Some(Value::Dice(a, b) | Value::Draw(a, b)) => all.extend([a, b]),
        None => {}
    }
    all
}

/// The expressions of a rule, those of its texts included.
pub(crate) fn rule_expressions(book: &Book, rule: RuleId) -> Vec<&Expr> {
    let mut all = rule_conditions(book, rule);
    if let RuleBody::Permission(needs) = &book.rule(rule).body {
        all.extend(needs.iter().flat_map(|need| need.reason.iter().flat_map(holes)));
    }
    all
}

/// The expressions that decide what a rule answers.
pub(crate) fn rule_conditions(book: &Book, rule: RuleId) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = Vec::new();
    match &book.rule(rule).body {
        RuleBody::Value { base, exceptions, modifiers } => {
            all.push(base);
            for e in exceptions {
                all.push(&e.value);
                all.extend(&e.when);
            }
            for m in modifiers {
                all.push(&m.value);
                all.extend(&m.when);
            }
        }
        RuleBody::Permission(needs) => all.extend(needs.iter().map(|need| &need.condition)),
        RuleBody::Table(_) => {}
    }
    all
}
