//! Lines above items: run this test, which rulings touch this, how often this came up in the last tests.

use std::collections::{BTreeMap, BTreeSet};

use blazon_check::DefinitionKind;
use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::{Visit, walk_expr};
use blazon_syntax::ast::{Amend, AmendKind, Expr, ExprKind, File, ItemKind};
use lsp_types::{CodeLens, Command, Range};
use serde_json::json;

use crate::outline::{self, Entry, Sort};
use crate::trying::{self, OfPage};
use crate::workspace::{Page, Read};

/// The lenses of a page; `shown` is what the last tests have shown of it.
pub fn lenses(page: &Page, shown: Option<&OfPage>) -> Vec<CodeLens> {
    let Some(file) = page.file() else { return Vec::new() };
    let entries = outline::entries(file);
    let mut found = Vec::new();
    for entry in outline::all(&entries).into_iter().filter(|entry| entry.sort == Sort::Test) {
        found.extend(test(page, entry, shown));
    }
    if entries.iter().any(|entry| entry.sort == Sort::Test) {
        found.extend(all_tests(page));
    }
    found.extend(rulings(page, &entries));
    found.extend(shown.into_iter().flat_map(|shown| counts(page, &entries, shown)));
    found
}

fn lens(range: Range, title: String, command: &str, arguments: Vec<serde_json::Value>) -> CodeLens {
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let command = Command { title, command: command.to_owned(), arguments, ..Command::default() };
    CodeLens { range, command: Some(command), data: None }
}

/// Runs a test; what came of it last.
fn test(page: &Page, entry: &Entry, shown: Option<&OfPage>) -> Option<CodeLens> {
    let uri = page.read().uri(page.source)?;
    let last = shown.and_then(|shown| shown.tests.get(&entry.name));
    let title = match last {
        Some(true) => "run this test (passed)",
        Some(false) => "run this test (FAILED)",
        None => "run this test",
    };
    let arguments = vec![json!(uri), json!(entry.name)];
    Some(lens(page.read().range(entry.heading), title.to_owned(), trying::TEST, arguments))
}

/// Runs all tests, from the first line of a page of tests.
fn all_tests(page: &Page) -> Option<CodeLens> {
    let uri = page.read().uri(page.source)?;
    Some(lens(
        Range::default(),
        "run all tests, count what comes up".to_owned(),
        trying::TEST_ALL,
        vec![json!(uri)],
    ))
}

/// Which rulings touch what is declared here: those that it asks for, and those under which it is changed.
fn rulings(page: &Page, entries: &[Entry]) -> Vec<CodeLens> {
    let read = page.read();
    let model = &page.book.checked.model;
    let asked: Vec<Span> = page
        .book
        .checked
        .references
        .iter()
        .filter(|(span, definition)| span.source == page.source && definition.kind == DefinitionKind::Ruling)
        .map(|(span, _)| span)
        .collect();
    let changed = under(read);
    let mut found = Vec::new();
    for entry in entries {
        let Sort::Definition(kind) = entry.sort else { continue };
        if kind == DefinitionKind::Ruling {
            continue;
        }
        let within = |span: &&Span| entry.extent.contains(**span);
        let mut names: BTreeSet<String> =
            asked.iter().filter(within).map(|span| blazon_syntax::plain_name(read.text(*span))).collect();
        let under = changed.get(&entry.name).into_iter().flatten();
        let is_ruling = |name: &&String| model.rulings.iter().any(|ruling| ruling.name == **name);
        names.extend(under.filter(is_ruling).cloned());
        if names.is_empty() {
            continue;
        }
        let listed: Vec<&str> = names.iter().map(String::as_str).collect();
        let questions = names.iter().filter_map(|name| {
            let ruling = model.rulings.iter().find(|ruling| ruling.name == *name)?;
            let values = ruling.values.join(" or ");
            Some(format!("{name}: {values}; {}", ruling.question))
        });
        let questions: Vec<String> = questions.collect();
        let title = match listed.len() {
            1 => format!("touched by the ruling {}", listed[0]),
            _ => format!("touched by the rulings {}", listed.join(", ")),
        };
        found.push(lens(read.range(entry.at), title, trying::SAY, vec![json!(questions.join("\n"))]));
    }
    found
}

/// Of each name the rulings under which something of that name is changed.
fn under(read: &Read) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, file) in &read.parsed.files {
        for (ruling, name) in changes_under(file) {
            found.entry(name).or_default().insert(ruling);
        }
    }
    found
}

/// The names in the conditions under which something is changed, with the names of what is changed.
fn changes_under(file: &File) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for item in &file.items {
        let ItemKind::Amend(Amend { kind: AmendKind::Under { condition, .. }, .. }) = &item.kind else {
            continue;
        };
        let mut named = Named::default();
        named.visit_expr(condition);
        let inner = File { items: vec![item.clone()], ..File::default() };
        for change in outline::changes(&inner) {
            found.extend(named.0.iter().map(|ruling| (ruling.clone(), change.name.text.clone())));
        }
    }
    found
}

/// The names without arguments in an expression.
#[derive(Default)]
struct Named(BTreeSet<String>);

impl<'t> Visit<'t> for Named {
    fn visit_expr(&mut self, expr: &'t Expr) {
        if let ExprKind::Call(call) = &expr.kind
            && call.args.is_empty()
        {
            self.0.insert(call.name.text.clone());
        }
        walk_expr(self, expr);
    }
}

/// How often what is declared here came up.
fn counts(page: &Page, entries: &[Entry], shown: &OfPage) -> Vec<CodeLens> {
    if !shown.is_counted {
        return Vec::new();
    }
    let mut found = Vec::new();
    for entry in outline::all(entries) {
        let (at, range) = (page.read().range(entry.at), page.read().range(entry.extent));
        let is_own = |counted: &&(Range, u64)| {
            counted.0.start == at.start
                || counted.0.start == range.start
                || counted.0.start == page.read().range(entry.heading).start
        };
        let Some((_, count)) = shown.counts.iter().filter(is_own).max_by_key(|(_, count)| *count) else {
            continue;
        };
        let title = match count {
            0 => "never came up in the last tests".to_owned(),
            1 => "came up once in the last tests".to_owned(),
            count => format!("came up {count} times in the last tests"),
        };
        found.push(lens(
            at,
            title,
            trying::SAY,
            vec![json!(format!("{}: the last tests of this game or variant", entry.name))],
        ));
    }
    found
}
