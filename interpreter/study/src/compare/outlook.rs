//! Whether a change touches the outlook: then each side is measured, and played by who thinks, by a yardstick of its own.

use std::collections::{BTreeMap, BTreeSet};

use blazon::present::values::constant;
use blazon_book::walk::each_expr_of_rule;
use blazon_book::{Book, Column, ExprKind, Role, RuleBody, RuleId};
use blazon_machine::bots::{OUTLOOK, Skill};

/// What is to be said of the outlooks by which two rule sets are compared, that of the game and those by which players judge;
/// nothing if they are the same by both, or neither has one. One is the same if it is written the same, and so is all that it
/// asks: rules, tables, and what is printed of things.
pub fn outlook_differs(base: &Book, changed: &Book, players: &[Skill]) -> Option<String> {
    let mut names = vec![OUTLOOK];
    for name in players.iter().filter_map(|player| player.outlook.as_deref()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let told: Vec<String> = names.into_iter().filter_map(|name| differs(base, changed, name)).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

fn differs(base: &Book, changed: &Book, name: &str) -> Option<String> {
    let whose = |has: &str, lacks: &str| {
        format!(
            "Only {has} rules have an `{name}`: by the {lacks} ones nobody is told to lead, and who thinks judges by nothing."
        )
    };
    match (base.outlook(name), changed.outlook(name)) {
        (None, None) => None,
        (Some(_), None) => Some(whose("the old", "changed")),
        (None, Some(_)) => Some(whose("the changed", "old")),
        (Some(one), Some(other)) => {
            let is_same = written(base, one).is_as(&written(changed, other));
            let measured = if name == OUTLOOK {
                "each side is measured by its own, and so is judged"
            } else {
                "by its own of each side is judged"
            };
            (!is_same).then(|| {
                format!("What `{name}` says is changed, too: {measured} what is tried by who thinks.")
            })
        }
    }
}

/// What an outlook says: itself, and all that it asks.
#[derive(Default)]
struct Said<'b> {
    /// How each rule is written, by name.
    rules: BTreeMap<&'b str, Vec<String>>,
    /// What is printed, by fact and things.
    facts: BTreeMap<String, Option<String>>,
}

impl Said<'_> {
    /// Whether another says the same. What is printed of things that only one of them has is no other answer: the other is
    /// never asked of them.
    fn is_as(&self, other: &Self) -> bool {
        let is_printed_so = |(fact, value): (&String, &Option<String>)| {
            other.facts.get(fact).is_none_or(|printed| printed == value)
        };
        self.rules == other.rules && self.facts.iter().all(is_printed_so)
    }
}

/// How a rule is written, and all rules that it asks, by name; and what is printed of the facts that they ask.
fn written(book: &Book, rule: RuleId) -> Said<'_> {
    let (mut said, mut left, mut facts) = (Said::default(), vec![rule], BTreeSet::new());
    while let Some(rule) = left.pop().map(|rule| book.rule(rule)) {
        if said.rules.contains_key(rule.name.as_str()) {
            continue;
        }
        let mut words = Vec::new();
        match &rule.body {
            RuleBody::Value { modifiers, .. } => {
                words.extend(
                    modifiers.iter().map(|modifier| format!("{} {}", modifier.minus, modifier.label)),
                );
            }
            RuleBody::Table(table) => words.extend(table.printed.iter().map(|row| row.join(" | "))),
            RuleBody::Permission(_) => {}
        }
        each_expr_of_rule(rule, &mut |expr| {
            words.push(book.text(expr.span));
            if let ExprKind::Rule(asked, _) = expr.kind {
                left.push(asked);
            }
            if let ExprKind::Column(asked, _) = expr.kind {
                facts.insert(asked);
            }
        });
        said.rules.insert(rule.name.as_str(), words);
    }
    facts.into_iter().for_each(|fact| print(book, book.column(fact), &mut said.facts));
    said
}

/// What is printed of a fact, by its name and the names of the things that it is asked of. What is kept changes in play.
fn print(book: &Book, column: &Column, facts: &mut BTreeMap<String, Option<String>>) {
    let Role::Fact(values) = &column.role else { return };
    for (place, value) in values.iter().enumerate() {
        let things = column.keys.iter().zip(book.keys_of(column, place));
        let names: Vec<&str> =
            things.map(|(&kind, thing)| book.kind(kind).things[thing as usize].name.as_str()).collect();
        let of = format!("{}: {}", column.name, names.join(", "));
        // Of look-alikes, which have one name, all is kept.
        let shown = constant(book, column.ty, value);
        facts
            .entry(of)
            .and_modify(|all| *all = Some(format!("{all:?}, {shown:?}")))
            .or_insert_with(|| shown.clone());
    }
}
