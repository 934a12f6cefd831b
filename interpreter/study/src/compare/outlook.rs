//! Whether a change touches the outlook: then each side is measured, and played by who thinks, by a yardstick of its own.

use std::collections::BTreeMap;

use blazon_book::walk::each_expr_of_rule;
use blazon_book::{Book, ExprKind, RuleBody, RuleId};
use blazon_machine::bots::{OUTLOOK, outlook};

/// What is to be said of the outlook by which two rule sets are compared; nothing if it is the same by both, or neither has one.
/// It is the same if it is written the same, and so is all that it asks.
pub fn outlook_differs(base: &Book, changed: &Book) -> Option<String> {
    let whose = |has: &str, lacks: &str| {
        format!(
            "Only {has} rules have an `{OUTLOOK}`: by the {lacks} ones nobody is told to lead, and who thinks judges by nothing."
        )
    };
    match (outlook(base, OUTLOOK), outlook(changed, OUTLOOK)) {
        (None, None) => None,
        (Some(_), None) => Some(whose("the old", "changed")),
        (None, Some(_)) => Some(whose("the changed", "old")),
        (Some(one), Some(other)) => (written(base, one) != written(changed, other)).then(|| {
            format!(
                "What `{OUTLOOK}` says is changed, too: each side is measured by its own, and so is judged what is tried by \
                 who thinks."
            )
        }),
    }
}

/// How a rule is written, and all rules that it asks, by name.
fn written(book: &Book, rule: RuleId) -> BTreeMap<&str, Vec<String>> {
    let (mut all, mut left) = (BTreeMap::new(), vec![rule]);
    while let Some(rule) = left.pop().map(|rule| book.rule(rule)) {
        if all.contains_key(rule.name.as_str()) {
            continue;
        }
        let mut words = Vec::new();
        if let RuleBody::Value { modifiers, .. } = &rule.body {
            words.extend(modifiers.iter().map(|modifier| format!("{} {}", modifier.minus, modifier.label)));
        }
        each_expr_of_rule(rule, &mut |expr| {
            words.push(book.text(expr.span));
            if let ExprKind::Rule(asked, _) = expr.kind {
                left.push(asked);
            }
        });
        all.insert(rule.name.as_str(), words);
    }
    all
}
