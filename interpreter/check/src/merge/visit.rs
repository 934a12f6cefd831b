//! Walks through a step's body to find and change what amendments name: options, cases, calls.

use std::collections::{BTreeSet, HashMap};

use blazon_syntax::ast::{Block, ChoiceOption, Choose, Expr, ExprKind, Statement, StatementKind, When};
use rustc_hash::FxHashMap;

use crate::merge::merged::Merged;

/// Calls `found` with every choice of a body, outer before inner.
pub(crate) fn choices_in(block: &mut Block, found: &mut dyn FnMut(&mut Choose)) {
    for_each_statement(block, &mut |statement| {
        if let StatementKind::Choose(choose) = &mut statement.kind {
            found(choose);
        }
    });
}

/// Calls `found` with the cases of every `case` of a body.
pub(crate) fn cases_in(block: &mut Block, found: &mut dyn FnMut(&mut Vec<When>)) {
    for_each_statement(block, &mut |statement| {
        if let StatementKind::Case { whens, .. } = &mut statement.kind {
            found(whens);
        }
    });
}

/// The first option of that name.
pub(crate) fn find_option<'a>(block: &'a mut Block, name: &str) -> Option<&'a mut ChoiceOption> {
    for statement in &mut block.statements {
        if matches!(statement.kind, StatementKind::Choose(_)) {
            let StatementKind::Choose(choose) = &mut statement.kind else { continue };
            let place = choose.options.iter().position(|option| option.name.text == name);
            if let Some(place) = place {
                return Some(&mut choose.options[place]);
            }
            for option in &mut choose.options {
                if let Some(found) = find_option(&mut option.body, name) {
                    return Some(found);
                }
            }
            if let Some(otherwise) = &mut choose.otherwise
                && let Some(found) = find_option(otherwise, name)
            {
                return Some(found);
            }
        } else {
            for inner in blocks_of(statement) {
                if let Some(found) = find_option(inner, name) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Whether a value of a case is what a name, or the text of a number or range, says.
pub(crate) fn says(value: &Expr, name: &str) -> bool {
    let number = |expr: &Expr, text: &str| match expr.kind {
        ExprKind::Number(number) => text.trim().parse() == Ok(number),
        _ => false,
    };
    match &value.kind {
        ExprKind::Range(lo, hi) => name.split_once("..").is_some_and(|(a, b)| number(lo, a) && number(hi, b)),
        ExprKind::Number(_) => number(value, name),
        ExprKind::Flag(flag) => name == if *flag { "yes" } else { "no" },
        _ => value.as_name().is_some_and(|own| own == name),
    }
}

/// The first case with a value that is looked for.
pub(crate) fn find_when<'a>(block: &'a mut Block, wanted: &dyn Fn(&Expr) -> bool) -> Option<&'a mut When> {
    for statement in &mut block.statements {
        if matches!(statement.kind, StatementKind::Case { .. }) {
            let StatementKind::Case { whens, otherwise, .. } = &mut statement.kind else { continue };
            let place = whens.iter().position(|when| when.values.iter().any(wanted));
            if let Some(place) = place {
                return Some(&mut whens[place]);
            }
            for when in whens {
                if let Some(found) = find_when(&mut when.body, wanted) {
                    return Some(found);
                }
            }
            if let Some(otherwise) = otherwise
                && let Some(found) = find_when(otherwise, wanted)
            {
                return Some(found);
            }
        } else {
            for inner in blocks_of(statement) {
                if let Some(found) = find_when(inner, wanted) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Lets calls of one step call another; says how many.
pub(crate) fn wrap_calls(block: &mut Block, from: &str, to: &str) -> usize {
    let mut count = 0;
    for_each_statement(block, &mut |statement| {
        let expr = match &mut statement.kind {
            StatementKind::Do(expr)
            | StatementKind::Let(_, expr)
            | StatementKind::Return(Some(expr))
            | StatementKind::Assign { value: expr, .. }
            | StatementKind::Case { subject: expr, .. }
            | StatementKind::If(expr, ..) => expr,
            _ => return,
        };
        let (ExprKind::Call(call) | ExprKind::Dot(_, call)) = &mut expr.kind else { return };
        if call.name.text == from {
            to.clone_into(&mut call.name.text);
            count += 1;
        }
    });
    count
}

/// Whether a body can leave before its end.
pub(crate) fn returns(block: &Block) -> bool {
    let mut found = false;
    read_statements(block, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::Return(_));
    });
    found
}

/// Calls `found` with every choice of a body that is only read, outer before inner.
pub(crate) fn read_choices<'a>(block: &'a Block, found: &mut dyn FnMut(&'a Choose)) {
    read_statements(block, &mut |statement| {
        if let StatementKind::Choose(choose) = &statement.kind {
            found(choose);
        }
    });
}

/// The same walk as [`for_each_statement`], over a body that is only read: copies of whole bodies are dear.
fn read_statements<'a>(block: &'a Block, found: &mut dyn FnMut(&'a Statement)) {
    for statement in &block.statements {
        found(statement);
        let mut inner = |block: &'a Block| read_statements(block, found);
        match &statement.kind {
            StatementKind::If(_, body, otherwise) | StatementKind::For { body, otherwise, .. } => {
                inner(body);
                otherwise.iter().for_each(inner);
            }
            StatementKind::While(_, body) => inner(body),
            StatementKind::Case { whens, otherwise, .. } => {
                whens.iter().for_each(|when| inner(&when.body));
                otherwise.iter().for_each(inner);
            }
            StatementKind::Choose(choose) => {
                choose.options.iter().for_each(|option| inner(&option.body));
                choose.otherwise.iter().for_each(inner);
            }
            _ => {}
        }
    }
}

fn for_each_statement(block: &mut Block, found: &mut dyn FnMut(&mut Statement)) {
    for statement in &mut block.statements {
        found(statement);
        for inner in blocks_of(statement) {
            for_each_statement(inner, found);
        }
    }
}

fn blocks_of(statement: &mut Statement) -> Vec<&mut Block> {
    match &mut statement.kind {
        StatementKind::If(_, then, otherwise) => std::iter::once(then).chain(otherwise).collect(),
        StatementKind::For { body, otherwise, .. } => std::iter::once(body).chain(otherwise).collect(),
        StatementKind::While(_, body) => vec![body],
        StatementKind::Case { whens, otherwise, .. } => {
            whens.iter_mut().map(|when| &mut when.body).chain(otherwise).collect()
        }
        StatementKind::Choose(choose) => {
            choose.options.iter_mut().map(|option| &mut option.body).chain(&mut choose.otherwise).collect()
        }
        _ => Vec::new(),
    }
}

/// What sets states: a step or a watch, by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Doer<'a> {
    Step(&'a str),
    Watch(&'a str),
}

/// The states that each step sets, by name, itself or through the steps that it does, watches included: a watch may
/// wake up at the end of any step.
pub(crate) fn writes(merged: &Merged) -> HashMap<String, BTreeSet<&str>> {
    let steps = merged.steps.iter().map(|step| (Doer::Step(&step.step.name.text), &step.step.body));
    let watches = merged.watches.iter().map(|watch| (Doer::Watch(&watch.name.text), &watch.body));
    let woken: Vec<Doer> = watches.clone().map(|(watch, _)| watch).collect();
    let mut writes: FxHashMap<Doer, BTreeSet<&str>> = FxHashMap::default();
    let mut does: FxHashMap<Doer, BTreeSet<&str>> = FxHashMap::default();
    for (doer, body) in steps.chain(watches) {
        let (set, called) = (writes.entry(doer).or_default(), does.entry(doer).or_default());
        read_statements(body, &mut |statement| {
            let expr = match &statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    set.extend(called_name(target));
                    value
                }
                StatementKind::Do(expr)
                | StatementKind::Let(_, expr)
                | StatementKind::Return(Some(expr))
                | StatementKind::Case { subject: expr, .. }
                | StatementKind::If(expr, ..) => expr,
                _ => return,
            };
            called.extend(called_name(expr));
        });
    }
    // States are reset where the steps that they are fresh for begin and end.
    for column in &merged.columns {
        if let crate::merge::merged::ColumnDecl::State(state) = &column.decl {
            for step in &state.fresh {
                writes.entry(Doer::Step(&step.text)).or_default().insert(&state.name.text);
            }
        }
    }
    // What is called may be a rule or an effect; only steps and watches lead on.
    does.values_mut().for_each(|called| called.retain(|name| writes.contains_key(&Doer::Step(name))));
    let mut through = HashMap::new();
    for &doer in writes.keys() {
        let Doer::Step(name) = doer else { continue };
        let mut seen = BTreeSet::from([name]);
        let mut waiting = vec![doer];
        if does.contains_key(&doer) {
            waiting.extend(&woken);
        }
        let mut all = BTreeSet::new();
        while let Some(next) = waiting.pop() {
            all.extend(writes.get(&next).into_iter().flatten());
            for &called in does.get(&next).into_iter().flatten() {
                if seen.insert(called) {
                    waiting.push(Doer::Step(called));
                }
            }
        }
        through.insert(name.to_owned(), all);
    }
    through
}

fn called_name(expr: &blazon_syntax::ast::Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Call(call) | ExprKind::Dot(_, call) => Some(&call.name.text),
        _ => None,
    }
}

/// The options of all steps and watches: name and number of parameters.
pub(crate) fn options(merged: &Merged) -> BTreeSet<(String, usize)> {
    let mut options = BTreeSet::new();
    let steps = merged.steps.iter().map(|step| &step.step.body);
    for body in steps.chain(merged.watches.iter().map(|watch| &watch.body)) {
        read_choices(body, &mut |choose| {
            options
                .extend(choose.options.iter().map(|option| (option.name.text.clone(), option.binders.len())));
        });
    }
    options
}
