//! A tree as a few lines of text, to compare with what is expected.
#![allow(dead_code)]

use blazon_syntax::ast::*;

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn word(name: &Name) -> String {
    name.text.clone()
}

fn cites(cites: &[Cite]) -> String {
    cites.iter().map(|cite| format!(" @{}", cite.text)).collect()
}

fn some<T>(value: &Option<T>, before: &str, show: impl Fn(&T) -> String) -> String {
    value.as_ref().map_or_else(String::new, |value| format!("{before}{}", show(value)))
}

/// A file, one item per line.
pub fn file(file: &File) -> String {
    file.items.iter().map(|i| item(i) + "\n").collect()
}

pub fn item(item: &Item) -> String {
    match &item.kind {
        ItemKind::Declaration(declared) => declaration(declared),
        ItemKind::Amend(amended) => amend(amended),
        ItemKind::Test(test) => {
            format!("test {}{} [{}]", text(&test.name), cites(&test.cites), list(&test.lines, test_line))
        }
        ItemKind::Scene(scene) => {
            format!("scene {}{} [{}]", word(&scene.name), cites(&scene.cites), list(&scene.lines, test_line))
        }
    }
}

pub fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Text(t) => text(t),
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Flag(true) => "yes".into(),
        ExprKind::Flag(false) => "no".into(),
        ExprKind::None => "none".into(),
        ExprKind::Thing(thing) => format!("<{thing}>"),
        ExprKind::Call(c) => call(c),
        ExprKind::Dot(of, c) => format!("{}.{}", expr(of), call(c)),
        ExprKind::Not(of) => format!("(not {})", expr(of)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", expr(a), expr(b)),
        ExprKind::Rounded(rounding, a) => format!("({rounding:?} {})", expr(a)),
        ExprKind::Range(a, b) => format!("(range {} {})", expr(a), expr(b)),
        ExprKind::Otherwise(a, b) => format!("(otherwise {} {})", expr(a), expr(b)),
        ExprKind::List(items) => format!("[{}]", list(items, expr)),
        ExprKind::Query(q) => format!(
            "({:?}{} {}{}{}{}{})",
            q.quantifier,
            some(&q.name, " ", |n| format!("{} in", n.text)),
            expr(&q.source),
            some(&q.filter, " where ", expr),
            if q.by.is_empty() { String::new() } else { format!(" by {}", list(&q.by, expr)) },
            some(&q.within, " within ", expr),
            some(&q.holds, ": ", expr)
        ),
    }
}

fn call(c: &Call) -> String {
    let args = if c.args.is_empty() { String::new() } else { format!("({})", list(&c.args, expr)) };
    format!("{}{args}", c.name.text)
}

pub fn text(t: &Text) -> String {
    let pieces: Vec<String> = t
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Plain(plain) => plain.clone(),
            Piece::Hole(hole) => format!("{{{}}}", expr(hole)),
            Piece::Plural(of, words) => format!("{{{}: {} | {}}}", expr(of), words.one, words.many),
        })
        .collect();
    format!("\"{}\"", pieces.join("~"))
}

fn ty(t: &Type) -> String {
    let kind = match &t.kind {
        TypeKind::Named(name) => word(name),
        TypeKind::SetOf(name) => format!("set/{}", name.text),
        TypeKind::Range(from, to) => format!("{from}..{to}"),
    };
    format!("{kind}{}", if t.optional { "?" } else { "" })
}

fn params(params: &[Param]) -> String {
    list(params, |p| format!("{}: {}", p.name.text, ty(&p.ty)))
}

fn clause(c: &Clause) -> String {
    let label = some(&c.label, " ", word);
    let body = match &c.kind {
        ClauseKind::Except { beats, value, when } => {
            format!("except{label}[{}] {}{}", list(beats, word), expr(value), some(when, " if ", expr))
        }
        ClauseKind::Modify { minus, value, when } => {
            format!("{}{label}: {}{}", if *minus { "-" } else { "+" }, expr(value), some(when, " if ", expr))
        }
        ClauseKind::Need { when, condition, reason } => {
            let label = label + &some(when, " if ", expr);
            format!("needs{label}: {}{}", expr(condition), some(reason, " else ", text))
        }
        ClauseKind::Known { when } => format!("known{}", some(when, " if ", expr)),
    };
    body + &cites(&c.cites)
}

fn row(r: &Row) -> String {
    format!("|{}|{}", list(&r.cells, word), cites(&r.cites))
}

fn named_row(r: &NamedRow) -> String {
    format!(
        "{}: {}{}",
        r.thing.text,
        r.cells.iter().map(word).collect::<Vec<_>>().join("; "),
        cites(&r.cites)
    )
}

fn link(l: &Link) -> String {
    format!("{} - {}", l.from.text, l.to.text)
}

fn fixed(columns: &[(Name, Expr)]) -> String {
    list(columns, |(name, value)| format!("{}={}", name.text, expr(value)))
}

fn member(m: &Member) -> String {
    match m {
        Member::Fact(f) => fact(f),
        Member::State(s) => state(s),
        Member::Seen(s) => {
            let clauses = list(&s.clauses, clause);
            format!("seen {}: {}{}[{clauses}]", s.viewer.text, expr(&s.when), cites(&s.cites))
        }
        Member::Back(b) => {
            let clauses = list(&b.clauses, clause);
            format!("back {}{}[{clauses}]", list(&b.names, word), cites(&b.cites))
        }
    }
}

fn fact(f: &Fact) -> String {
    let keys = list(&f.keys, word);
    format!("fact {}({keys}): {}{}{}", f.name.text, ty(&f.ty), some(&f.value, " = ", expr), cites(&f.cites))
}

fn state(s: &State) -> String {
    let keys = list(&s.keys, word);
    let fresh = list(&s.fresh, word);
    format!(
        "state {}({keys}): {}{} fresh[{fresh}]{}",
        s.name.text,
        ty(&s.ty),
        some(&s.start, " = ", expr),
        cites(&s.cites)
    )
}

fn declaration(d: &Declaration) -> String {
    match d {
        Declaration::Kind(k) => format!(
            "kind {}({}) ends[{}] = {} {{{}}}{}",
            k.name.text,
            some(&k.plural, "", word),
            some(&k.ends, "", |(a, b)| format!("{}, {}", a.text, b.text)),
            list(&k.things, word),
            list(&k.members, member),
            cites(&k.cites)
        ),
        Declaration::Fact(f) => fact(f),
        Declaration::State(s) => state(s),
        Declaration::Rule(r) => format!(
            "rule {}({}): {}{}{}{} rows[{}] [{}]",
            r.name.text,
            params(&r.params),
            ty(&r.ty),
            some(&r.title, " ", text),
            some(&r.base, " = ", expr),
            cites(&r.cites),
            list(&r.rows, row),
            list(&r.clauses, clause)
        ),
        Declaration::Step(s) => format!(
            "step {}({}){} laws[{}]{} {}",
            s.name.text,
            params(&s.params),
            some(&s.ty, ": ", ty),
            list(&s.laws, clause),
            cites(&s.cites),
            block(&s.body)
        ),
        Declaration::Table(t) => format!(
            "table {}({}){}{} [{}] [{}]",
            t.kind.text,
            fixed(&t.fixed),
            some(&t.file, " ", text),
            cites(&t.cites),
            list(&t.rows, row),
            list(&t.named_rows, named_row)
        ),
        Declaration::Links(l) => format!(
            "links {}({}){}{} [{}]{}",
            l.kind.text,
            fixed(&l.fixed),
            some(&l.file, " ", text),
            cites(&l.cites),
            list(&l.links, link),
            if l.rows.is_empty() { String::new() } else { format!(" rows[{}]", list(&l.rows, row)) }
        ),
        Declaration::Grid(g) => {
            format!("grid {} by {}, {:?}{}", g.kind.text, g.fact.text, g.stagger, cites(&g.cites))
        }
        Declaration::Setup(s) => {
            format!("setup {}{} {}", s.name.text, some(&s.title, " ", text), placing(&s.placing))
        }
        Declaration::Ruling(r) => format!(
            "ruling {} = {}{}{}",
            r.name.text,
            list(&r.values, ruling_value),
            some(&r.question, " ", text),
            cites(&r.cites)
        ),
        Declaration::Invariant(i) => format!(
            "invariant {}: {}{}{}",
            i.name.text,
            expr(&i.condition),
            some(&i.reason, " else ", text),
            cites(&i.cites)
        ),
        Declaration::Watch(w) => {
            format!("whenever {}: {}{} {}", w.name.text, expr(&w.condition), cites(&w.cites), block(&w.body))
        }
        Declaration::Look(l) => {
            format!("look {}: {}{}", l.name.text, list(&l.values, |v| v.text.clone()), cites(&l.cites))
        }
        Declaration::Omitted(o) => format!("omitted{} {}", cites(&o.cites), text(&o.reason)),
    }
}

fn ruling_value(v: &RulingValue) -> String {
    match v {
        RulingValue::Flag(flag) => flag.to_string(),
        RulingValue::Number(n) => n.to_string(),
        RulingValue::Thing(thing) => format!("<{}>", thing.text),
    }
}

fn placing(p: &Placing) -> String {
    let heading = some(&p.kind, "", |kind| format!("({}: {})", kind.text, list(&p.keys, word)));
    format!("{heading}{} [{}]", cites(&p.cites), list(&p.lines, placing_line))
}

fn placing_line(l: &PlacingLine) -> String {
    match l {
        PlacingLine::Others { values, .. } => format!("others: {}", list(values, word)),
        PlacingLine::Group { heading, lines } => format!("{} [{}]", heading.text, list(lines, placing_line)),
        PlacingLine::Placed { things, values, cites: c, .. } => format!(
            "{}: {}{}",
            list(things, |(name, n)| format!("{}{}", name.text, some(n, " x", i64::to_string))),
            list(values, word),
            cites(c)
        ),
        PlacingLine::Assign(s) => statement(s),
    }
}

fn block(b: &Block) -> String {
    format!("{{{}}}", b.statements.iter().map(statement).collect::<Vec<_>>().join("; "))
}

fn statement(s: &Statement) -> String {
    let body = match &s.kind {
        StatementKind::Let(name, value) => format!("let {} = {}", name.text, expr(value)),
        StatementKind::If(c, then, other) => {
            format!("if {} {}{}", expr(c), block(then), some(other, " else ", block))
        }
        StatementKind::For { name, sources, filter, body, otherwise } => format!(
            "for {} in {}{} {}{}",
            name.text,
            list(sources, expr),
            some(filter, " where ", expr),
            block(body),
            some(otherwise, " else ", block)
        ),
        StatementKind::With { name, value, body, otherwise } => {
            let otherwise = some(otherwise, " else ", block);
            format!("with {} = {} {}{otherwise}", name.text, expr(value), block(body))
        }
        StatementKind::While(c, body) => format!("while {} {}", expr(c), block(body)),
        StatementKind::Case { subject, whens, otherwise } => {
            format!("case {} {{{}}}{}", expr(subject), list(whens, when), some(otherwise, " else ", block))
        }
        StatementKind::Stop => "stop".into(),
        StatementKind::Return(value) => format!("return{}", some(value, " ", expr)),
        StatementKind::Choose(c) => {
            let by = match &c.by {
                Chooser::One(e) => expr(e),
                Chooser::Each { name, source, filter } => {
                    format!("each {} in {}{}", name.text, expr(source), some(filter, " where ", expr))
                }
            };
            return format!(
                "choose {}{by}{}{} {{{}}}{}",
                some(&c.name, "", |name| format!("{} ", name.text)),
                some(&c.prompt, " ", text),
                cites(&c.cites),
                list(&c.options, option),
                some(&c.otherwise, " else ", block)
            );
        }
        StatementKind::Say { announce, text: t } => {
            format!("{} {}", if *announce { "announce" } else { "say" }, text(t))
        }
        StatementKind::Assign { target, op, value } => format!("{op:?} {} {}", expr(target), expr(value)),
        StatementKind::Do(e) => format!("do {}", expr(e)),
    };
    body + &cites(&s.cites)
}

fn when(w: &When) -> String {
    format!(
        "when {}{}{}{} {}",
        list(&w.values, expr),
        some(&w.beside, " beside ", word),
        some(&w.title, " ", text),
        cites(&w.cites),
        block(&w.body)
    )
}

fn option(o: &ChoiceOption) -> String {
    format!(
        "option {}({}){}{}{} [{}] {}",
        o.name.text,
        list(&o.binders, |b| format!(
            "{}{} in {}{}",
            if b.by_name { "named " } else { "" },
            b.name.text,
            expr(&b.source),
            some(&b.filter, " where ", expr)
        )),
        some(&o.beside, " beside ", word),
        some(&o.label, " ", text),
        cites(&o.cites),
        list(&o.needs, clause),
        block(&o.body)
    )
}

fn amend(a: &Amend) -> String {
    let changes = |changes: &[Amend]| changes.iter().map(amend).collect::<Vec<_>>().join(" / ");
    let body = match &a.kind {
        AmendKind::Inside { part, changes: inner } => {
            let beside = some(&part.beside, " beside ", word);
            format!(
                "in {:?} {}({}){beside} <{}>",
                part.kind,
                part.name.text,
                fixed(&part.fixed),
                changes(inner)
            )
        }
        AmendKind::Cite(parts) => {
            let part = |p: &Part| format!("{:?} {}({})", p.kind, p.name.text, fixed(&p.fixed));
            format!("cite {}", list(parts, part))
        }
        AmendKind::Members { name, args, lines } => {
            let line =
                |l: &FactLine| format!("{}{}", if l.minus { "-" } else { "+" }, list(&l.members, expr));
            format!("in fact {}({}) <{}>", name.text, list(args, expr), list(lines, line))
        }
        AmendKind::Add(added) => format!("add {}", node(added)),
        AmendKind::Hook { before, step, within, body } => format!(
            "{} {}{} {}",
            if *before { "before" } else { "after" },
            step.text,
            some(within, " in ", word),
            block(body)
        ),
        AmendKind::Under { condition, changes: inner } => {
            format!("under {} <{}>", expr(condition), changes(inner))
        }
        AmendKind::Replace { new, whole } => {
            format!("replace {}{}", if *whole { "whole " } else { "" }, node(new))
        }
        AmendKind::Remove(Removable::Named { what, name, beside }) => {
            format!("remove {} {}{}", what.text, name.text, some(beside, " beside ", word))
        }
        AmendKind::Remove(Removable::Test(name)) => format!("remove test {}", name.text),
        AmendKind::Remove(Removable::Link(l)) => format!("remove link {}", link(l)),
        AmendKind::Remove(Removable::Thing(thing)) => format!("remove thing {}", thing.text),
        AmendKind::Waive(label) => format!("waive {}", label.text),
    };
    body + &cites(&a.cites)
}

fn node(n: &Node) -> String {
    match n {
        Node::Declaration(d) => declaration(d),
        Node::Test(test) => format!("test {} [{}]", text(&test.name), list(&test.lines, test_line)),
        Node::Member(m) => member(m),
        Node::Clause(c) => clause(c),
        Node::Option(o) => option(o),
        Node::When(w) => when(w),
        Node::Rows(rows) => format!("rows[{}]", list(rows, row)),
        Node::NamedRows(rows) => format!("named[{}]", list(rows, named_row)),
        Node::Placing(line) => format!("placing {}", placing_line(line)),
        Node::Links(links) => format!("links[{}]", list(links, link)),
        Node::Things(things) => format!("things[{}]", list(things, word)),
        Node::FactValue { name, args, values } => {
            format!("value {}({}) = {}", name.text, list(args, expr), list(values, expr))
        }
    }
}

fn test_line(l: &TestLine) -> String {
    let body = match &l.kind {
        TestLineKind::From(name) => format!("from {}", name.text),
        TestLineKind::Position(p) => format!("position {}", placing(p)),
        TestLineKind::Ruling(name, value) => format!("ruling {} = {}", name.text, ruling_value(value)),
        TestLineKind::Play(c) => format!("play {}", call(c)),
        TestLineKind::Dice(dice) => format!("dice {}", list(dice, i64::to_string)),
        TestLineKind::Cards(cards) => format!("cards {}", list(cards, word)),
        TestLineKind::Decide(who, c) => format!("{}: {}", who.text, call(c)),
        TestLineKind::Offer(who, c) => format!("offer {}: {}", who.text, call(c)),
        TestLineKind::Refuse(who, c, reason) => {
            format!("refuse {}: {}{}", who.text, call(c), some(reason, " ", text))
        }
        TestLineKind::Expect(conditions) => format!("expect {}", list(conditions, expr)),
        TestLineKind::Sight { who, sees, things } => {
            let verb = if *sees { "sees" } else { "does not see" };
            format!("{} {verb} {}", who.text, list(things, word))
        }
        TestLineKind::Telling { who, can, condition } => {
            let verb = if *can { "can tell whether" } else { "cannot tell whether" };
            format!("{} {verb} {}", who.text, expr(condition))
        }
        TestLineKind::Fails(t) => format!("fails {}", text(t)),
        TestLineKind::Assign(s) => return statement(s),
    };
    body + &cites(&l.cites)
}
