//! Finds the parts of a body that changes name: options, cases, choices. A part is meant by its name; where several have
//! it, by what stands beside it. Nothing is meant by where it stands on the page.

use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::{Visit, VisitMut, walk_choose_mut, walk_statement, walk_statement_mut};
use blazon_syntax::ast::{Block, ChoiceOption, Choose, Expr, Name, PartKind, Statement, StatementKind, When};

use crate::hygiene::is_marked;
use crate::merge::edits::Opened;
use crate::merge::visit::says;

/// What came of a change of one body.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Done,
    /// Nothing has the name; what there is instead.
    Missing {
        name: Name,
        kind: PartKind,
        known: Vec<String>,
    },
    /// There is no choice, or no `case`, to put it into.
    Homeless,
    /// Several could be meant: where they begin.
    Several(Vec<Span>),
    /// It is there already.
    Exists(Span),
}

/// A part of a body.
pub(super) enum Target<'t> {
    Block(&'t mut Block),
    Option(&'t mut ChoiceOption),
    When(&'t mut When),
    Choice(&'t mut Choose),
}

/// Does something with the part at the end of a path; with all bodies of an option, if it has several.
pub(super) fn at(
    block: &mut Block,
    path: &[Opened],
    change: &mut dyn FnMut(Target<'_>) -> Outcome,
) -> Outcome {
    let Some((opened, rest)) = path.split_first() else { return change(Target::Block(block)) };
    match opened.kind {
        PartKind::When => in_case(block, opened, &mut |whens| {
            let Some(when) = whens.iter_mut().find(|when| has_value(when, &opened.name)) else {
                return Outcome::Homeless;
            };
            if rest.is_empty() { change(Target::When(when)) } else { at(&mut when.body, rest, change) }
        }),
        PartKind::Choice => in_choice(block, opened, &mut |choose| match rest.split_first() {
            None => change(Target::Choice(choose)),
            Some((inner, rest)) => in_options(choose, inner, rest, change),
        }),
        PartKind::Option
        | PartKind::Kind
        | PartKind::Rule
        | PartKind::Step
        | PartKind::Table
        | PartKind::Links
        | PartKind::Setup
        | PartKind::Seen
        | PartKind::Back => in_choice(block, opened, &mut |choose| in_options(choose, opened, rest, change)),
    }
}

fn in_options(
    choose: &mut Choose,
    opened: &Opened,
    rest: &[Opened],
    change: &mut dyn FnMut(Target<'_>) -> Outcome,
) -> Outcome {
    let known = names(choose);
    let mut outcome = Outcome::Missing { name: opened.name.clone(), kind: PartKind::Option, known };
    for option in choose.options.iter_mut().filter(|option| option.name.text == opened.name.text) {
        let next =
            if rest.is_empty() { change(Target::Option(option)) } else { at(&mut option.body, rest, change) };
        if !matches!(outcome, Outcome::Done) {
            outcome = next;
        }
    }
    outcome
}

/// Does something with the one choice that has what is opened.
pub(super) fn in_choice(
    block: &mut Block,
    opened: &Opened,
    change: &mut dyn FnMut(&mut Choose) -> Outcome,
) -> Outcome {
    let wanted = |choose: &Choose| is_meant(choose, opened);
    let spans = choices(block).filter(|choose| wanted(choose)).map(|choose| choose.span).collect::<Vec<_>>();
    match spans[..] {
        [] => {
            let known = if opened.kind == PartKind::Choice {
                choices(block).filter_map(|choose| Some(choose.name.as_ref()?.text.clone())).collect()
            } else {
                choices(block).flat_map(names).collect()
            };
            Outcome::Missing { name: opened.name.clone(), kind: opened.kind, known }
        }
        [_] => change_choice(block, &wanted, change),
        // They stand in bodies of one option, of which a condition lets one stand: what is hung holds in all.
        [..] if are_of_one_option(block, &spans) => {
            let mut outcome = Outcome::Homeless;
            for span in spans {
                let next = change_choice(block, &|choose| choose.span == span, change);
                if !matches!(outcome, Outcome::Done) {
                    outcome = next;
                }
            }
            outcome
        }
        [..] => Outcome::Several(spans),
    }
}

/// Whether of some choices every two stand in different bodies of one option.
fn are_of_one_option(block: &Block, choices: &[Span]) -> bool {
    let mut around = Around { options: Vec::new(), found: Vec::new() };
    around.visit_block(block);
    let meant: Vec<&Vec<InOption>> = around
        .found
        .iter()
        .filter(|(choice, _)| choices.contains(choice))
        .map(|(_, around)| around)
        .collect();
    let part = |a: &[InOption], b: &[InOption]| {
        let first = a.iter().zip(b).find(|(a, b)| a.option != b.option);
        first.is_some_and(|(a, b)| a.choice == b.choice && a.name == b.name)
    };
    meant.iter().enumerate().all(|(place, a)| meant[place + 1..].iter().all(|b| part(a, b)))
}

/// An option in which something stands.
#[derive(Clone)]
struct InOption {
    choice: Span,
    option: Span,
    name: String,
}

/// The choices of a body, each with the options that it stands in, outer before inner.
struct Around {
    options: Vec<InOption>,
    found: Vec<(Span, Vec<InOption>)>,
}

impl<'t> Visit<'t> for Around {
    fn visit_choose(&mut self, choose: &'t Choose) {
        self.found.push((choose.span, self.options.clone()));
        for option in &choose.options {
            let (choice, name) = (choose.span, option.name.text.clone());
            self.options.push(InOption { choice, option: option.span, name });
            self.visit_block(&option.body);
            self.options.pop();
        }
        choose.otherwise.iter().for_each(|block| self.visit_block(block));
    }
    fn visit_expr(&mut self, _: &'t Expr) {}
}

/// Does something with the one choice that an added option goes to: the one that has what it stands beside, else the
/// only one that stands in no other.
pub(super) fn home(
    block: &mut Block,
    beside: Option<&Name>,
    change: &mut dyn FnMut(&mut Choose) -> Outcome,
) -> Outcome {
    if let Some(beside) = beside {
        let opened = Opened { kind: PartKind::Option, name: beside.clone(), beside: None };
        return in_choice(block, &opened, change);
    }
    let mut outermost = Outermost(Vec::new());
    outermost.visit_block(block);
    match outermost.0[..] {
        [] => Outcome::Homeless,
        [only] => change_choice(block, &|choose| choose.span == only, change),
        [..] => Outcome::Several(outermost.0),
    }
}

/// The same for cases.
pub(super) fn home_of_case(
    block: &mut Block,
    beside: Option<&Name>,
    change: &mut dyn FnMut(&mut Vec<When>) -> Outcome,
) -> Outcome {
    if let Some(beside) = beside {
        let opened = Opened { kind: PartKind::When, name: beside.clone(), beside: None };
        return in_case(block, &opened, change);
    }
    let all = cases(block);
    match all.len() {
        0 => Outcome::Homeless,
        1 => change_case(block, &|_| true, change),
        _ => Outcome::Several(all.into_iter().map(|(span, _)| span).collect()),
    }
}

/// Does something with the cases among which the one that is opened stands.
pub(super) fn in_case(
    block: &mut Block,
    opened: &Opened,
    change: &mut dyn FnMut(&mut Vec<When>) -> Outcome,
) -> Outcome {
    let beside = opened.beside.as_ref();
    let wanted = |whens: &[When]| {
        let has = |name: &Name| whens.iter().any(|when| has_value(when, name));
        has(&opened.name) && beside.is_none_or(has)
    };
    let all = cases(block);
    let found: Vec<Span> = all.iter().filter(|(_, whens)| wanted(whens)).map(|(span, _)| *span).collect();
    match found[..] {
        [] => {
            let values = all.iter().flat_map(|(_, whens)| whens.iter()).flat_map(|when| &when.values);
            let known = values.map(blazon_syntax::ast::print::expr).collect();
            Outcome::Missing { name: opened.name.clone(), kind: PartKind::When, known }
        }
        [_] => change_case(block, &wanted, change),
        [..] => Outcome::Several(found),
    }
}

/// Whether a case has the value that a name, or the text of a number or range, says.
pub(super) fn has_value(when: &When, name: &Name) -> bool {
    when.values.iter().any(|value| says(value, &name.text))
}

/// The names of the options of a choice.
pub(super) fn names(choose: &Choose) -> Vec<String> {
    let known = choose.options.iter().filter(|option| !is_marked(&option.name.text));
    let mut names: Vec<String> = known.map(|option| option.name.text.clone()).collect();
    names.dedup();
    names
}

fn is_meant(choose: &Choose, opened: &Opened) -> bool {
    let has = |name: &Name| choose.options.iter().any(|option| option.name.text == name.text);
    if opened.kind == PartKind::Choice {
        return choose.name.as_ref().is_some_and(|name| name.text == opened.name.text);
    }
    has(&opened.name) && opened.beside.as_ref().is_none_or(has)
}

/// All choices of a body, outer before inner.
pub(super) fn choices(block: &Block) -> impl Iterator<Item = &Choose> {
    let mut all = Vec::new();
    crate::merge::visit::read_choices(block, &mut |choose| all.push(choose));
    all.into_iter()
}

/// Every `case` of a body: where it begins, and its cases.
pub(super) fn cases(block: &Block) -> Vec<(Span, &[When])> {
    struct Cases<'t>(Vec<(Span, &'t [When])>);
    impl<'t> Visit<'t> for Cases<'t> {
        fn visit_statement(&mut self, statement: &'t Statement) {
            if let StatementKind::Case { whens, .. } = &statement.kind {
                self.0.push((statement.span, whens));
            }
            walk_statement(self, statement);
        }
        fn visit_expr(&mut self, _: &'t Expr) {}
    }
    let mut cases = Cases(Vec::new());
    cases.visit_block(block);
    cases.0
}

/// The choices that stand in no option of another.
struct Outermost(Vec<Span>);

impl<'t> Visit<'t> for Outermost {
    fn visit_choose(&mut self, choose: &'t Choose) {
        self.0.push(choose.span);
        choose.otherwise.iter().for_each(|block| self.visit_block(block));
    }
    fn visit_expr(&mut self, _: &'t Expr) {}
}

/// Changes the first choice that is wanted.
fn change_choice(
    block: &mut Block,
    wanted: &dyn Fn(&Choose) -> bool,
    change: &mut dyn FnMut(&mut Choose) -> Outcome,
) -> Outcome {
    struct Search<'f> {
        wanted: &'f dyn Fn(&Choose) -> bool,
        change: &'f mut dyn FnMut(&mut Choose) -> Outcome,
        outcome: Option<Outcome>,
    }
    impl<'t> VisitMut<'t> for Search<'_> {
        fn visit_choose_mut(&mut self, choose: &'t mut Choose) {
            if self.outcome.is_none() && (self.wanted)(choose) {
                self.outcome = Some((self.change)(choose));
            } else {
                walk_choose_mut(self, choose);
            }
        }
        fn visit_expr_mut(&mut self, _: &'t mut Expr) {}
    }
    let mut search = Search { wanted, change, outcome: None };
    search.visit_block_mut(block);
    search.outcome.unwrap_or(Outcome::Homeless)
}

/// Changes the first `case` that is wanted.
fn change_case(
    block: &mut Block,
    wanted: &dyn Fn(&[When]) -> bool,
    change: &mut dyn FnMut(&mut Vec<When>) -> Outcome,
) -> Outcome {
    struct Search<'f> {
        wanted: &'f dyn Fn(&[When]) -> bool,
        change: &'f mut dyn FnMut(&mut Vec<When>) -> Outcome,
        outcome: Option<Outcome>,
    }
    impl<'t> VisitMut<'t> for Search<'_> {
        fn visit_statement_mut(&mut self, statement: &'t mut Statement) {
            if self.outcome.is_some() {
                return;
            }
            if let StatementKind::Case { whens, .. } = &mut statement.kind
                && (self.wanted)(whens)
            {
                self.outcome = Some((self.change)(whens));
                return;
            }
            walk_statement_mut(self, statement);
        }
        fn visit_expr_mut(&mut self, _: &'t mut Expr) {}
    }
    let mut search = Search { wanted, change, outcome: None };
    search.visit_block_mut(block);
    search.outcome.unwrap_or(Outcome::Homeless)
}
