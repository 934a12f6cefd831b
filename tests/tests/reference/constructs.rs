//! Which constructs of the language a page shows. The matches are complete: a new construct needs a name here and a
//! sample in the reference.

use std::collections::BTreeSet;

use blazon_diagnostics::SourceId;
use blazon_syntax::ast::*;

/// All constructs, as [`of`] names them, but operators and the words of queries: [`all`] adds these. (`replace` of a row by name is read, but the checker refuses it.)
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "kind", "kind: plural", "kind: ends", "kind: things", "kind: body",
    "fact", "fact: keys", "fact: value", "state", "state: keys", "state: start", "state: fresh each", "seen by", "seen by: clause",
    "back", "back: clause",
    "type: named", "type: set of", "type: range", "type: ?",
    "rule", "rule: parameters", "rule: promise", "rule: table", "except", "except: beats", "except: label", "modifier: +",
    "modifier: -", "needs", "needs: reason", "needs: label", "needs: case", "known to all", "known to all: if",
    "table", "table: fixed column", "table: file", "table: row", "table: row by name", "links", "links: fixed column",
    "links: file", "links: row", "grid", "rule: title",
    "setup", "setup: title", "setup: others", "setup: group", "setup: placed", "setup: number", "setup: assignment",
    "ruling", "ruling: yes or no", "ruling: numbers", "ruling: words", "ruling: question", "whenever", "invariant",
    "invariant: reason", "look", "omitted", "cite",
    "step", "step: parameters", "step: type", "step: law",
    "let", "if", "else", "for", "for: several", "for: where", "for: else", "with", "with: else", "while", "case", "case: else", "when: title",
    "stop", "return", "return: value", "choose", "choose: prompt", "choose: else", "choose: each", "say", "announce", ":=",
    "+=", "-=", "do",
    "option", "option: binder", "option: named", "option: where", "option: text", "option: needs",
    "text: hole", "text: words of one and of several", "rounded up", "rounded", "rounded down", "number", "flag", "none", "thing", "name", "call", "dot", "not", "..", "otherwise", "list",
    "query: ready set", "query: where", "query: by",
    "query: several keys", "query: within",
    "in kind", "in rule", "in step", "in option", "in when", "in choice", "in seen by", "in back", "in table", "in links", "in setup", "in fact", "cite part", "before", "after",
    "hook: in", "under", "waive", "beside", "replace whole",
    "add declaration", "add member", "add clause", "add option", "add when", "add row", "add row by name",
    "add setup line", "add link", "add thing",
    "replace declaration", "replace member", "replace clause", "replace option", "replace when", "replace row",
    "replace setup line", "replace fact",
    "replace test", "remove part", "remove link", "remove thing", "remove test",
    "test", "scene", "from", "position", "test: ruling", "play", "dice", "cards", "decision", "offer", "refuse", "refuse: reason",
    "expect", "fails", "sees", "does not see", "can tell", "cannot tell", "test: assignment",
];

/// All constructs.
pub fn all() -> BTreeSet<&'static str> {
    let operators = BinaryOp::ALL.iter().map(|operator| operator.sign());
    let quantifiers = Quantifier::ALL.iter().map(|quantifier| word_of(*quantifier));
    OTHERS.iter().copied().chain(operators).chain(quantifiers).collect()
}

/// What a query is called here: a way has no word of its own.
fn word_of(quantifier: Quantifier) -> &'static str {
    if quantifier == Quantifier::Way { "query: way" } else { quantifier.word() }
}

/// The constructs of a page.
pub fn of(page: &str) -> BTreeSet<&'static str> {
    let (file, _) = blazon_syntax::parse(SourceId(0), page);
    let mut finder = Finder(BTreeSet::new());
    for item in &file.items {
        match &item.kind {
            ItemKind::Declaration(declaration) => finder.declaration(declaration),
            ItemKind::Amend(amend) => finder.amend(amend),
            ItemKind::Test(test) => finder.test(test),
            ItemKind::Scene(scene) => {
                finder.see("scene");
                finder.test_lines(&scene.lines);
            }
        }
    }
    finder.0
}

struct Finder(BTreeSet<&'static str>);

impl Finder {
    fn see(&mut self, construct: &'static str) {
        self.0.insert(construct);
    }
    fn see_if(&mut self, seen: bool, construct: &'static str) {
        if seen {
            self.see(construct);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Kind(kind) => {
                self.see("kind");
                self.see_if(kind.plural.is_some(), "kind: plural");
                self.see_if(kind.ends.is_some(), "kind: ends");
                self.see_if(!kind.things.is_empty(), "kind: things");
                self.see_if(!kind.members.is_empty(), "kind: body");
                kind.members.iter().for_each(|member| self.member(member));
            }
            Declaration::Fact(fact) => self.member(&Member::Fact(fact.clone())),
            Declaration::State(state) => self.member(&Member::State(state.clone())),
            Declaration::Rule(rule) => self.rule(rule),
            Declaration::Step(step) => {
                self.see("step");
                self.see_if(!step.params.is_empty(), "step: parameters");
                self.see_if(step.ty.is_some(), "step: type");
                self.see_if(!step.laws.is_empty(), "step: law");
                step.laws.iter().for_each(|law| self.clause(law));
                self.block(&step.body);
            }
            Declaration::Table(table) => {
                self.see("table");
                self.see_if(!table.fixed.is_empty(), "table: fixed column");
                self.see_if(table.file.is_some(), "table: file");
                self.see_if(!table.rows.is_empty(), "table: row");
                self.see_if(!table.named_rows.is_empty(), "table: row by name");
            }
            Declaration::Links(links) => {
                self.see("links");
                self.see_if(!links.fixed.is_empty(), "links: fixed column");
                self.see_if(links.file.is_some(), "links: file");
                self.see_if(!links.rows.is_empty(), "links: row");
            }
            Declaration::Grid(_) => self.see("grid"),
            Declaration::Setup(setup) => {
                self.see("setup");
                self.see_if(setup.title.is_some(), "setup: title");
                self.placing(&setup.placing);
            }
            Declaration::Ruling(ruling) => {
                self.see("ruling");
                for value in &ruling.values {
                    self.see(match value {
                        RulingValue::Flag(_) => "ruling: yes or no",
                        RulingValue::Number(_) => "ruling: numbers",
                        RulingValue::Thing(_) => "ruling: words",
                    });
                }
                self.see_if(ruling.question.is_some(), "ruling: question");
                self.see_if(!ruling.cites.is_empty(), "cite");
            }
            Declaration::Watch(watch) => {
                self.see("whenever");
                self.expr(&watch.condition);
                self.block(&watch.body);
            }
            Declaration::Invariant(invariant) => {
                self.see("invariant");
                self.see_if(invariant.reason.is_some(), "invariant: reason");
                self.expr(&invariant.condition);
            }
            Declaration::Look(_) => self.see("look"),
            Declaration::Omitted(_) => self.see("omitted"),
        }
    }

    fn member(&mut self, member: &Member) {
        match member {
            Member::Fact(fact) => {
                self.see("fact");
                self.see_if(!fact.keys.is_empty(), "fact: keys");
                self.see_if(fact.value.is_some(), "fact: value");
                self.ty(&fact.ty);
            }
            Member::State(state) => {
                self.see("state");
                self.see_if(!state.keys.is_empty(), "state: keys");
                self.see_if(state.start.is_some(), "state: start");
                self.see_if(!state.fresh.is_empty(), "state: fresh each");
                self.ty(&state.ty);
                state.start.iter().for_each(|start| self.expr(start));
            }
            Member::Seen(seen) => {
                self.see("seen by");
                self.see_if(!seen.clauses.is_empty(), "seen by: clause");
                self.expr(&seen.when);
                seen.clauses.iter().for_each(|clause| self.clause(clause));
            }
            Member::Back(back) => {
                self.see("back");
                self.see_if(!back.clauses.is_empty(), "back: clause");
            }
        }
    }

    fn ty(&mut self, ty: &Type) {
        self.see_if(ty.optional, "type: ?");
        self.see(match ty.kind {
            TypeKind::Named(_) => "type: named",
            TypeKind::SetOf(_) => "type: set of",
            TypeKind::Range(..) => "type: range",
        });
    }

    fn rule(&mut self, rule: &Rule) {
        self.see("rule");
        self.see_if(!rule.params.is_empty(), "rule: parameters");
        let permission = matches!(&rule.ty.kind, TypeKind::Named(name) if name.text == "permission");
        self.see_if(rule.base.is_none() && rule.rows.is_empty() && !permission, "rule: promise");
        self.see_if(!rule.rows.is_empty(), "rule: table");
        self.see_if(rule.title.is_some(), "rule: title");
        self.see_if(!rule.cites.is_empty(), "cite");
        self.ty(&rule.ty);
        rule.base.iter().for_each(|base| self.expr(base));
        rule.clauses.iter().for_each(|clause| self.clause(clause));
    }

    fn clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Except { beats, value, when } => {
                self.see("except");
                self.see_if(!beats.is_empty(), "except: beats");
                self.see_if(clause.label.is_some(), "except: label");
                self.expr(value);
                when.iter().for_each(|when| self.expr(when));
            }
            ClauseKind::Modify { minus, value, when } => {
                self.see(if *minus { "modifier: -" } else { "modifier: +" });
                self.expr(value);
                when.iter().for_each(|when| self.expr(when));
            }
            ClauseKind::Need { when, condition, reason } => {
                self.see("needs");
                self.see_if(when.is_some(), "needs: case");
                when.iter().for_each(|when| self.expr(when));
                self.see_if(clause.label.is_some(), "needs: label");
                self.see_if(reason.is_some(), "needs: reason");
                self.expr(condition);
                reason.iter().for_each(|reason| self.text(reason));
            }
            ClauseKind::Known { when } => {
                self.see("known to all");
                self.see_if(when.is_some(), "known to all: if");
                when.iter().for_each(|when| self.expr(when));
            }
        }
    }

    fn placing(&mut self, placing: &Placing) {
        placing.lines.iter().for_each(|line| self.placing_line(line));
    }

    fn placing_line(&mut self, line: &PlacingLine) {
        match line {
            PlacingLine::Others { .. } => self.see("setup: others"),
            PlacingLine::Group { lines, .. } => {
                self.see("setup: group");
                lines.iter().for_each(|line| self.placing_line(line));
            }
            PlacingLine::Placed { things, .. } => {
                self.see("setup: placed");
                self.see_if(things.iter().any(|(_, number)| number.is_some()), "setup: number");
            }
            PlacingLine::Assign(_) => self.see("setup: assignment"),
        }
    }

    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let(_, value) => {
                self.see("let");
                self.expr(value);
            }
            StatementKind::If(condition, then, otherwise) => {
                self.see("if");
                self.see_if(otherwise.is_some(), "else");
                self.expr(condition);
                self.block(then);
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::For { sources, filter, body, otherwise, .. } => {
                self.see("for");
                self.see_if(sources.len() > 1, "for: several");
                self.see_if(filter.is_some(), "for: where");
                self.see_if(otherwise.is_some(), "for: else");
                sources.iter().chain(filter).for_each(|part| self.expr(part));
                self.block(body);
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::With { value, body, otherwise, .. } => {
                self.see("with");
                self.see_if(otherwise.is_some(), "with: else");
                self.expr(value);
                self.block(body);
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::While(condition, body) => {
                self.see("while");
                self.expr(condition);
                self.block(body);
            }
            StatementKind::Case { subject, whens, otherwise } => {
                self.see("case");
                self.see_if(otherwise.is_some(), "case: else");
                self.expr(subject);
                for when in whens {
                    self.see_if(when.title.is_some(), "when: title");
                    when.values.iter().for_each(|value| self.expr(value));
                    self.block(&when.body);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::Stop => self.see("stop"),
            StatementKind::Return(value) => {
                self.see(if value.is_some() { "return: value" } else { "return" });
                value.iter().for_each(|value| self.expr(value));
            }
            StatementKind::Choose(choose) => {
                self.see("choose");
                self.see_if(choose.prompt.is_some(), "choose: prompt");
                self.see_if(choose.otherwise.is_some(), "choose: else");
                match &choose.by {
                    Chooser::One(who) => self.expr(who),
                    Chooser::Each { source, .. } => {
                        self.see("choose: each");
                        self.expr(source);
                    }
                }
                choose.prompt.iter().for_each(|text| self.text(text));
                choose.options.iter().for_each(|option| self.option(option));
                choose.otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::Say { announce, text } => {
                self.see(if *announce { "announce" } else { "say" });
                self.text(text);
            }
            StatementKind::Assign { target, op, value } => {
                self.see(match op {
                    AssignOp::Set => ":=",
                    AssignOp::Add => "+=",
                    AssignOp::Take => "-=",
                });
                self.expr(target);
                self.expr(value);
            }
            StatementKind::Do(step) => {
                self.see("do");
                self.expr(step);
            }
        }
    }

    fn option(&mut self, option: &ChoiceOption) {
        self.see("option");
        self.see_if(option.label.is_some(), "option: text");
        self.see_if(!option.needs.is_empty(), "option: needs");
        for binder in &option.binders {
            self.see("option: binder");
            self.see_if(binder.by_name, "option: named");
            self.see_if(binder.filter.is_some(), "option: where");
            self.expr(&binder.source);
        }
        option.label.iter().for_each(|text| self.text(text));
        option.needs.iter().for_each(|need| self.clause(need));
        self.block(&option.body);
    }

    fn text(&mut self, text: &Text) {
        for piece in &text.pieces {
            match piece {
                Piece::Plain(_) => {}
                Piece::Hole(expr) => {
                    self.see("text: hole");
                    self.expr(expr);
                }
                Piece::Plural(expr, _) => {
                    self.see("text: words of one and of several");
                    self.expr(expr);
                }
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Text(text) => self.text(text),
            ExprKind::Number(_) => self.see("number"),
            ExprKind::Flag(_) => self.see("flag"),
            ExprKind::None => self.see("none"),
            ExprKind::Thing(_) => self.see("thing"),
            ExprKind::Call(call) => {
                self.see(if call.args.is_empty() { "name" } else { "call" });
                call.args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Dot(target, call) => {
                self.see("dot");
                self.expr(target);
                call.args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Not(inner) => {
                self.see("not");
                self.expr(inner);
            }
            ExprKind::Binary(op, left, right) => {
                self.see(op.sign());
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Rounded(rounding, quotient) => {
                self.see(rounding.words());
                self.expr(quotient);
            }
            ExprKind::Range(from, to) => {
                self.see("..");
                self.expr(from);
                self.expr(to);
            }
            ExprKind::Otherwise(value, fallback) => {
                self.see("otherwise");
                self.expr(value);
                self.expr(fallback);
            }
            ExprKind::Query(query) => {
                self.see(word_of(query.quantifier));
                self.see_if(query.name.is_none(), "query: ready set");
                self.see_if(query.filter.is_some(), "query: where");
                self.see_if(!query.by.is_empty(), "query: by");
                self.see_if(query.by.len() > 1, "query: several keys");
                self.see_if(query.within.is_some(), "query: within");
                self.expr(&query.source);
                let parts = query.filter.iter().chain(&query.by).chain(&query.within).chain(&query.holds);
                parts.for_each(|part| self.expr(part));
            }
            ExprKind::List(items) => {
                self.see("list");
                items.iter().for_each(|item| self.expr(item));
            }
        }
    }

    fn amend(&mut self, amend: &Amend) {
        match &amend.kind {
            AmendKind::Inside { part, changes } => {
                self.see(match part.kind {
                    PartKind::Kind => "in kind",
                    PartKind::Rule => "in rule",
                    PartKind::Step => "in step",
                    PartKind::Option => "in option",
                    PartKind::Table => "in table",
                    PartKind::Links => "in links",
                    PartKind::Setup => "in setup",
                    PartKind::When => "in when",
                    PartKind::Choice => "in choice",
                    PartKind::Seen => "in seen by",
                    PartKind::Back => "in back",
                });
                self.see_if(part.beside.is_some(), "beside");
                changes.iter().for_each(|change| self.amend(change));
            }
            AmendKind::Cite(_) => self.see("cite part"),
            AmendKind::Members { args, lines, .. } => {
                self.see("in fact");
                let members = lines.iter().flat_map(|line| &line.members);
                args.iter().chain(members).for_each(|part| self.expr(part));
            }
            AmendKind::Add(node) => self.see(match node {
                Node::Declaration(_) | Node::Test(_) => "add declaration",
                Node::Member(_) => "add member",
                Node::Clause(_) => "add clause",
                Node::Option(_) => "add option",
                Node::When(_) => "add when",
                Node::Rows(_) => "add row",
                Node::NamedRows(_) => "add row by name",
                Node::Placing(_) => "add setup line",
                Node::Links(_) => "add link",
                Node::Things(_) => "add thing",
                Node::FactValue { .. } => "replace fact",
            }),
            AmendKind::Hook { before, within, .. } => {
                self.see(if *before { "before" } else { "after" });
                self.see_if(within.is_some(), "hook: in");
            }
            AmendKind::Under { changes, .. } => {
                self.see("under");
                changes.iter().for_each(|change| self.amend(change));
            }
            AmendKind::Replace { new, whole } => {
                self.see_if(*whole, "replace whole");
                self.see(match new {
                    Node::Declaration(_) => "replace declaration",
                    Node::Test(_) => "replace test",
                    Node::Member(_) => "replace member",
                    Node::Clause(_) => "replace clause",
                    Node::Option(_) => "replace option",
                    Node::When(_) => "replace when",
                    Node::Rows(_) => "replace row",
                    Node::NamedRows(_) => "replace row by name",
                    Node::Placing(_) => "replace setup line",
                    Node::Links(_) => "replace link",
                    Node::Things(_) => "replace thing",
                    Node::FactValue { .. } => "replace fact",
                });
            }
            AmendKind::Remove(what) => self.see(match what {
                Removable::Named { .. } => "remove part",
                Removable::Link(_) => "remove link",
                Removable::Thing(_) => "remove thing",
                Removable::Test(_) => "remove test",
            }),
            AmendKind::Waive(_) => self.see("waive"),
        }
    }

    fn test(&mut self, test: &Test) {
        self.see("test");
        self.test_lines(&test.lines);
    }

    fn test_lines(&mut self, lines: &[TestLine]) {
        for line in lines {
            match &line.kind {
                TestLineKind::From(_) => self.see("from"),
                TestLineKind::Position(placing) => {
                    self.see("position");
                    self.placing(placing);
                }
                TestLineKind::Ruling(..) => self.see("test: ruling"),
                TestLineKind::Play(_) => self.see("play"),
                TestLineKind::Dice(_) => self.see("dice"),
                TestLineKind::Cards(_) => self.see("cards"),
                TestLineKind::Decide(..) => self.see("decision"),
                TestLineKind::Offer(..) => self.see("offer"),
                TestLineKind::Refuse(.., reason) => {
                    self.see("refuse");
                    self.see_if(reason.is_some(), "refuse: reason");
                }
                TestLineKind::Expect(conditions) => {
                    self.see("expect");
                    conditions.iter().for_each(|condition| self.expr(condition));
                }
                TestLineKind::Sight { sees, .. } => {
                    self.see(if *sees { "sees" } else { "does not see" });
                }
                TestLineKind::Telling { can, condition, .. } => {
                    self.see(if *can { "can tell" } else { "cannot tell" });
                    self.expr(condition);
                }
                TestLineKind::Fails(_) => self.see("fails"),
                TestLineKind::Assign(_) => self.see("test: assignment"),
            }
        }
    }
}
