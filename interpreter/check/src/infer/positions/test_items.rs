//! Tests in the language: positions, plays, picks and expectations, resolved against the book. What tests share stands
//! in `scenes`.

use std::collections::BTreeSet;

use blazon_book::build;
use blazon_book::{
    Base, Expectation, Expr, ExprKind, KindId, LocalId, Pick, Quantifier, Rule, RuleBody, RuleId, Test,
    TestLine, TestLineKind, Type,
};
use blazon_diagnostics::{Article, Diagnostic, Span};
use blazon_syntax::ast::{self, TestLineKind as Line};

use crate::infer::positions::scenes::{Lines, MOST_TAKEN_UP};
use crate::infer::steps::statements::Around;
use crate::merge::Sort;
use crate::merge::merged::Removed;
use crate::merge::visit::kind_in_brackets;
use crate::references::DefinitionKind;
use crate::resolve::checker::Checker;
use crate::resolve::citations::cited;
use crate::resolve::env::Env;

impl Checker<'_> {
    pub(crate) fn test(&mut self, test: &ast::Test) -> Test {
        let name = test.name.plain().unwrap_or_default();
        let cites = cited(&test.cites);
        let said = self.diagnostics.len();
        let lines = self.test_lines(&format!("\"{name}\""), &test.lines);
        // Of a line that is wrong nothing is known.
        let is_whole = said == self.diagnostics.len() && self.taken_up <= MOST_TAKEN_UP;
        if is_whole && !lines.lines.iter().any(|line| self.can_fail(&line.kind)) {
            self.diagnostics.push(
                Diagnostic::warning("tests::empty", test.span, "nothing in this test can fail")
                    .help("let it play something, and say what is expected then: `play …`, `expect …`"),
            );
        }
        Test { name, cites, rulings: lines.rulings, lines: lines.lines, span: test.span }
    }

    /// The lines of a test or a scene; `of` is what they belong to.
    pub(crate) fn test_lines(&mut self, of: &str, written: &[ast::TestLine]) -> Lines {
        let mut lines = Lines::default();
        for line in written {
            match &line.kind {
                Line::Ruling(name, value) => lines.rulings.extend(self.test_ruling(name, value)),
                Line::From(name) if self.is_scene(&name.text) => {
                    if let Some(scene) = self.scene(name)
                        && self.may_take_up(&scene, line.span)
                    {
                        if scene.lines.iter().any(|line| matches!(line.kind, TestLineKind::From(_))) {
                            self.begins_anew(&lines, line.span);
                        }
                        lines.take_up(&scene, line.span);
                    }
                }
                Line::From(_)
                | Line::Position(_)
                | Line::Play(_)
                | Line::Dice(_)
                | Line::Cards(_)
                | Line::Decide(..)
                | Line::Offer(..)
                | Line::Refuse(..)
                | Line::Expect(_)
                | Line::Sight { .. }
                | Line::Telling { .. }
                | Line::Fails(_)
                | Line::Assign(_) => {
                    let kind = self.test_line(of, line);
                    if let Some(TestLineKind::From(_)) = kind {
                        self.begins_anew(&lines, line.span);
                    }
                    lines.lines.extend(kind.map(|kind| TestLine { kind, span: line.span, from: None }));
                }
            }
        }
        lines
    }

    /// Warns of a beginning by which everything above it is lost: nothing of that was looked at.
    fn begins_anew(&mut self, lines: &Lines, span: Span) {
        let is_beginning = |line: &&TestLine| !matches!(line.kind, TestLineKind::From(_));
        let since = lines.lines.iter().rev().take_while(is_beginning);
        if !lines.lines.is_empty() && !since.into_iter().any(|line| self.can_fail(&line.kind)) {
            let above = lines.lines.first().map_or(span, |line| line.span);
            let said =
                Diagnostic::warning("tests::empty", span, "what stands above is lost: the test begins here");
            self.diagnostics.push(said.related(above, "from here").help("write `from` first, and once"));
        }
    }

    /// Whether a line plays something, or says what should be; a beginning does neither by itself, nor does what holds whatever
    /// the rules are.
    fn can_fail(&self, line: &TestLineKind) -> bool {
        match line {
            // Of one that is wrong nothing is known.
            TestLineKind::Expect(all) => {
                all.is_empty() || !all.iter().all(|one| self.certain.contains(&one.span))
            }
            TestLineKind::Play(_)
            | TestLineKind::Decide(..)
            | TestLineKind::Offer(..)
            | TestLineKind::Refuse(..)
            | TestLineKind::Sees(..)
            | TestLineKind::Tells(..)
            | TestLineKind::Fails(_) => true,
            TestLineKind::From(_) | TestLineKind::Set(_) | TestLineKind::Dice(_) | TestLineKind::Cards(_) => {
                false
            }
        }
    }

    /// `ruling NAME = VALUE`, if there are such a ruling and such a value.
    fn test_ruling(&mut self, name: &ast::Name, value: &ast::RulingValue) -> Option<(String, String)> {
        let shown = ast::print::ruling_value(value);
        self.use_ruling(name, value);
        match self.rulings.iter().find(|ruling| ruling.name == name.text) {
            Some(ruling) if ruling.values.contains(&shown) => return Some((name.text.clone(), shown)),
            Some(ruling) => {
                let values = ruling.values.clone();
                self.diagnostics.push(
                    Diagnostic::error(
                        "names::unknown",
                        name.span,
                        format!("the ruling `{}` has no value `{shown}`", name.text),
                    )
                    .help(format!("it can be {}", blazon_diagnostics::list(&values, "or"))),
                );
            }
            None => self.error("names::unknown", name.span, format!("there is no ruling `{}`", name.text)),
        }
        None
    }

    fn test_line(&mut self, test: &str, line: &ast::TestLine) -> Option<TestLineKind> {
        Some(match &line.kind {
            Line::From(name) => {
                let setups = &self.merged.setups;
                let by_name = setups.iter().position(|setup| setup.name.text == name.text);
                let by_second =
                    || setups.iter().position(|setup| setup.second_name().as_ref() == Some(&name.text));
                let Some(place) = by_name.or_else(by_second) else {
                    self.no_beginning(name);
                    return None;
                };
                self.uses.note(name.span, DefinitionKind::Setup, setups[place].name.span);
                TestLineKind::From(place)
            }
            Line::Position(placing) => {
                let (body, env) = match self.placing(placing, false) {
                    Some((body, _, env)) => (body, env),
                    None => (vec![self.placing_hole(placing)], Env::default()),
                };
                TestLineKind::Set(self.make_step(&format!("position of {test}"), body, env, line.span))
            }
            Line::Assign(statement) => {
                let mut env = Env::default();
                let block = ast::Block { statements: vec![statement.clone()], span: line.span };
                let body = self.block(&mut env, &block, Around::default());
                TestLineKind::Set(self.make_step(&format!("position of {test}"), body, env, line.span))
            }
            Line::Play(call) => {
                let mut env = Env::default();
                let expr = ast::Expr { kind: ast::ExprKind::Call(call.clone()), span: line.span };
                let statement =
                    ast::Statement { kind: ast::StatementKind::Do(expr), cites: Vec::new(), span: line.span };
                let block = ast::Block { statements: vec![statement], span: line.span };
                let body = self.block(&mut env, &block, Around::default());
                TestLineKind::Play(self.make_step(&format!("play of {test}"), body, env, line.span))
            }
            Line::Dice(dice) => TestLineKind::Dice(dice.clone()),
            Line::Cards(names) => {
                let mut cards = Vec::new();
                for name in names {
                    cards.push(self.thing(&name.text, None, name.span)?);
                }
                TestLineKind::Cards(cards)
            }
            Line::Decide(player, call) => {
                TestLineKind::Decide(self.test_player(player)?, self.pick(test, call)?)
            }
            Line::Offer(player, call) => {
                TestLineKind::Offer(self.test_player(player)?, self.pick(test, call)?)
            }
            Line::Refuse(player, call, reason) => TestLineKind::Refuse(
                self.test_player(player)?,
                self.pick(test, call)?,
                reason.as_ref().map(|text| text.plain().unwrap_or_default()),
            ),
            Line::Expect(conditions) => {
                let expectations = conditions.iter().filter_map(|c| self.expectation(test, c)).collect();
                TestLineKind::Expect(expectations)
            }
            Line::Sight { who, sees, things } => {
                let who = self.test_player(who)?;
                let mut faces = Vec::new();
                for thing in things {
                    faces.push(self.face(thing)?);
                }
                TestLineKind::Sees(who, *sees, faces)
            }
            Line::Telling { who, can, condition } => {
                TestLineKind::Tells(self.test_player(who)?, *can, self.expectation(test, condition)?)
            }
            Line::Fails(text) => {
                let words = text.plain().unwrap_or_default();
                if words.trim().is_empty() {
                    let said = Diagnostic::warning("tests::empty", text.span, "any error at all would do");
                    self.diagnostics
                        .push(said.help("write the code of the error that is meant, or words of it"));
                }
                TestLineKind::Fails(words)
            }
            Line::Ruling(..) => return None,
        })
    }

    fn use_ruling(&mut self, name: &ast::Name, value: &ast::RulingValue) {
        let merged = self.merged;
        let Some(ruling) = merged.rulings.iter().find(|ruling| ruling.name.text == name.text) else { return };
        self.uses.note(name.span, DefinitionKind::Ruling, ruling.name.span);
        let ast::RulingValue::Thing(value) = value else { return };
        for other in &ruling.values {
            if let ast::RulingValue::Thing(other) = other
                && other.text == value.text
            {
                self.uses.note(value.span, DefinitionKind::RulingValue, other.span);
            }
        }
    }

    /// A thing whose face is not for everybody, with all that look like it.
    fn face(&mut self, name: &ast::Name) -> Option<(KindId, Vec<u32>)> {
        // Of several things of a name that one is meant whose face is hidden.
        let named = self.things.get(&name.text).cloned().unwrap_or_default();
        let mut hidden: Vec<KindId> = named.iter().map(|(kind, _)| *kind).collect();
        hidden.retain(|kind| self.kinds[kind.0 as usize].seen.is_some());
        hidden.dedup();
        let kind = if let [kind] = hidden[..] { Some(kind) } else { None };
        let (kind, thing) = self.thing(&name.text, kind, name.span)?;
        self.use_thing(name.span, kind, thing);
        let info = &self.kinds[kind.0 as usize];
        if info.seen.is_none() {
            let message = format!(
                "everybody sees `{}`: nothing says who sees the face of {}",
                name.text,
                Article(&info.name)
            );
            self.diagnostics.push(
                Diagnostic::error("types::mismatch", name.span, message)
                    .related(info.span, "without `seen by`, the kind is open")
                    .help("name a thing with a hidden face, or take the line out"),
            );
            return None;
        }
        Some((kind, info.alike(thing).collect()))
    }

    fn test_player(&mut self, name: &ast::Name) -> Option<u32> {
        self.only_thing(&name.text, self.player, name.span)
    }

    fn expectation(&mut self, test: &str, condition: &ast::Expr) -> Option<Expectation> {
        let text = self.parsed.sources.slice(condition.span).to_owned();
        let mut env = Env::default();
        let (checked, is_ruled) = self.ruled_flag(&mut env, condition);
        let checked = checked?;
        if build::constant(&checked) == Some(true) && !is_ruled {
            self.certain.insert(condition.span);
        }
        let mut actual = None;
        if let ExprKind::Compare(_, a, b) = &checked.kind
            && !matches!(a.ty.base, Base::Nothing)
        {
            // What stands first on the page; `a > b` has become `b < a`.
            let is_turned = matches!(
                condition.kind,
                ast::ExprKind::Binary(ast::BinaryOp::Greater | ast::BinaryOp::AtLeast, ..)
            );
            actual = Some(if is_turned { (**b).clone() } else { (**a).clone() });
        }
        let locals = env.locals;
        let against = self.counterexample(&checked).filter(|_| actual.is_none());
        let actual_of =
            against.as_ref().map(|(local, _)| locals[local.0 as usize].name.clone()).unwrap_or_default();
        let actual = actual.or(against.map(|(_, first)| first));
        let name = format!("expectation of {test}");
        let condition_rule = self.make_rule(&name, &locals, checked, condition.span);
        let actual = actual.map(|actual| self.make_rule(&name, &locals, actual, condition.span));
        let span = condition.span;
        Some(Expectation { condition: condition_rule, actual, actual_of, lives: Vec::new(), text, span })
    }

    /// Of `every x in S: C`, which has become `not any x in S where not C`, and of `not any x in S where C`: the variable,
    /// and the first for which it is otherwise.
    fn counterexample(&self, checked: &Expr) -> Option<(LocalId, Expr)> {
        let ExprKind::Not(any) = &checked.kind else { return None };
        let ExprKind::Query(query) = &any.kind else { return None };
        let is_named = query.quantifier == Quantifier::Any && query.local != LocalId::NONE;
        is_named.then(|| {
            let (source, filter) = (query.source.clone(), query.filter.clone());
            let first = self.query_of(Quantifier::First, query.local, source, filter, None, any.span);
            (query.local, first)
        })
    }

    /// A rule of no parameters; what is asked of a permission is its answer alone.
    pub(crate) fn make_rule(
        &mut self,
        name: &str,
        locals: &[blazon_book::Local],
        base: Expr,
        span: blazon_diagnostics::Span,
    ) -> RuleId {
        let ty = if base.ty.base == Base::Permission { Type::of(Base::Flag) } else { base.ty };
        let body = RuleBody::Value { base, exceptions: Vec::new(), modifiers: Vec::new() };
        self.add_rule(Rule {
            known: Vec::new(),
            title: None,
            name: name.to_owned(),
            params: 0,
            locals: locals.to_vec(),
            ty,
            body,
            cites: Vec::new(),
            span,
        })
    }

    /// A permission of one need.
    pub(crate) fn make_permission(&mut self, name: &str, need: blazon_book::Need, env: Env) -> RuleId {
        self.add_rule(Rule {
            known: Vec::new(),
            title: None,
            name: name.to_owned(),
            params: 0,
            locals: env.locals,
            ty: Type::of(Base::Permission),
            cites: need.cites.clone(),
            span: need.span,
            body: RuleBody::Permission(vec![need]),
        })
    }

    pub(crate) fn add_rule(&mut self, rule: Rule) -> RuleId {
        self.made_rules.push(rule);
        RuleId((self.rules.len() + self.made_rules.len() - 1) as u32)
    }

    /// An option by name and arguments; every reading of an argument is kept, the play decides. What is not written out is
    /// worked out where the play has come to the line.
    fn pick(&mut self, test: &str, call: &ast::Call) -> Option<Pick> {
        let options = &self.options;
        if !options.iter().any(|(name, _)| *name == call.name.text) {
            let near = self
                .merged
                .guesses
                .near_miss(&call.name.text, options.iter().map(|(name, _)| name.as_str()))
                .map(str::to_owned);
            let mut diagnostic = Diagnostic::error(
                "names::unknown",
                call.name.span,
                format!("no step has an option `{}`", call.name.text),
            );
            let is_it = |removed: &&Removed| {
                matches!(removed.what, Sort::OptionOf(_)) && removed.name == call.name.text
            };
            if let Some(removed) = self.merged.removed.iter().find(is_it) {
                diagnostic = diagnostic.related(removed.span, "it is taken out here").help(format!(
                    "the test does not hold any more: take it out, too, by `remove test {test}`, or replace it"
                ));
            } else if let Some(near) = near {
                diagnostic = diagnostic.did_you_mean(near);
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        if !options.iter().any(|(name, arity)| *name == call.name.text && *arity == call.args.len()) {
            self.error(
                "types::arity",
                call.name.span,
                format!("no option `{}` has {} arguments", call.name.text, call.args.len()),
            );
            return None;
        }
        self.use_option(&call.name);
        let (mut args, mut asked) = (Vec::new(), Vec::new());
        let taken = self.option_kinds.get(&(call.name.text.clone(), call.args.len()));
        // Where not all steps were looked at, another may have an option of the name.
        let taken = taken.filter(|_| !self.is_partial).cloned().unwrap_or_default();
        for (place, arg) in call.args.iter().enumerate() {
            // Of several things of a name those that the option takes are meant.
            let is_taken = |kind: KindId| {
                taken.is_empty() || taken.iter().any(|kinds| kinds.get(place) == Some(&Some(kind)))
            };
            let mut readings = self.readings(arg, &is_taken);
            if readings.is_empty() {
                let (rule, kind) = self.asked_argument(test, arg)?;
                asked.push((place, rule));
                readings.push((kind, 0));
            }
            args.push(readings);
        }
        self.fits(call, &args)?;
        let text = match call.args.last() {
            Some(last) => {
                let start = call.name.span;
                format!("{})", self.parsed.sources.slice(start.to(last.span)))
            }
            None => call.name.text.clone(),
        };
        Some(Pick { name: call.name.text.clone(), args, asked, text })
    }

    /// A rule that gives an argument which is not written out, and of what kind it is.
    fn asked_argument(&mut self, test: &str, arg: &ast::Expr) -> Option<(RuleId, Option<KindId>)> {
        let mut env = Env::default();
        let checked = self.expr(&mut env, arg, None)?;
        let base = checked.ty.base;
        if !matches!(base, Base::Thing(_) | Base::Number(..)) {
            let shown = self.show_one(checked.ty);
            let message = format!("an option takes a thing or a number, but this is {shown}");
            self.error("types::mismatch", arg.span, message);
            return None;
        }
        Some((self.make_rule(&format!("argument of {test}"), &env.locals, checked, arg.span), base.kind()))
    }

    /// Whether some option of the name goes through things of these kinds; says which does not fit.
    fn fits(&mut self, call: &ast::Call, args: &[Vec<(Option<KindId>, i64)>]) -> Option<()> {
        let Some(wanted) = self.option_kinds.get(&(call.name.text.clone(), args.len())) else {
            return Some(());
        };
        let fits = |kinds: &Vec<Option<KindId>>, place: usize| {
            args[place].iter().any(|(kind, _)| *kind == kinds[place])
        };
        if wanted.is_empty() || wanted.iter().any(|kinds| (0..args.len()).all(|place| fits(kinds, place))) {
            return Some(());
        }
        // The argument that the fewest of them take.
        let place =
            (0..args.len()).min_by_key(|&place| wanted.iter().filter(|kinds| fits(kinds, place)).count())?;
        let word =
            |kind: Option<KindId>| kind.map_or("number", |kind| self.kinds[kind.0 as usize].name.as_str());
        let takes: BTreeSet<String> = wanted
            .iter()
            .map(|kinds| {
                let kinds: Vec<&str> = kinds.iter().map(|kind| word(*kind)).collect();
                format!("{}({})", call.name.text, kinds.join(", "))
            })
            .collect();
        let shown = self.parsed.sources.slice(call.args[place].span);
        let is: BTreeSet<String> =
            args[place].iter().map(|(kind, _)| Article(word(*kind)).to_string()).collect();
        let takes: Vec<&str> = takes.iter().map(String::as_str).collect();
        let here: BTreeSet<String> =
            wanted.iter().map(|kinds| Article(word(kinds[place])).to_string()).collect();
        let or = |words: BTreeSet<String>| words.into_iter().collect::<Vec<_>>().join(" or ");
        let message = format!("`{}` takes {} here, and `{shown}` is {}", call.name.text, or(here), or(is));
        self.diagnostics.push(
            Diagnostic::error("types::mismatch", call.args[place].span, message)
                .help(format!("there is {}", blazon_diagnostics::list(&takes, "and"))),
        );
        None
    }

    /// What an argument can be; noted is what of it is taken.
    fn readings(&mut self, arg: &ast::Expr, is_taken: &dyn Fn(KindId) -> bool) -> Vec<(Option<KindId>, i64)> {
        match &arg.kind {
            ast::ExprKind::Number(number) => vec![(None, *number)],
            ast::ExprKind::Thing(name) => {
                let mut found = self.things.get(name).cloned().unwrap_or_default();
                if found.is_empty()
                    && let Some((bare, kind)) = kind_in_brackets(name)
                    && let Some(kind) = self.kind_names.get(kind)
                {
                    found.extend(self.thing_of(bare, *kind).map(|thing| (*kind, thing)));
                }
                for (kind, thing) in found.iter().filter(|(kind, _)| is_taken(*kind)) {
                    self.use_thing(arg.span, *kind, *thing);
                }
                // A look-alike stands for all of its group.
                found
                    .into_iter()
                    .flat_map(|(kind, thing)| {
                        let things = &self.kinds[kind.0 as usize].things;
                        let group = things[thing as usize].group;
                        (0..things.len())
                            .filter(move |t| things[*t].group == group)
                            .map(move |t| (Some(kind), t as i64))
                    })
                    .collect()
            }
            ast::ExprKind::Binary(ast::BinaryOp::Minus, from, to) => match (&from.kind, &to.kind) {
                (ast::ExprKind::Thing(a), ast::ExprKind::Thing(b)) => (0..self.kinds.len() as u32)
                    .map(KindId)
                    .filter_map(|kind| {
                        let (end, _) = self.kinds[kind.0 as usize].ends?;
                        let (a, b) = (self.thing_of(a, end)?, self.thing_of(b, end)?);
                        self.use_thing(from.span, end, a);
                        self.use_thing(to.span, end, b);
                        self.links.get(&(kind, a.min(b), a.max(b))).map(|link| (Some(kind), i64::from(*link)))
                    })
                    .collect(),
                _ => Vec::new(),
            },
            ast::ExprKind::Text(_)
            | ast::ExprKind::Flag(_)
            | ast::ExprKind::None
            | ast::ExprKind::Call(_)
            | ast::ExprKind::Dot(..)
            | ast::ExprKind::Not(_)
            | ast::ExprKind::Binary(..)
            | ast::ExprKind::Rounded(..)
            | ast::ExprKind::Range(..)
            | ast::ExprKind::Otherwise(..)
            | ast::ExprKind::Query(_)
            | ast::ExprKind::List(_) => Vec::new(),
        }
    }
}
