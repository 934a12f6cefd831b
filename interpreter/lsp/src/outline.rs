//! What a page holds, by its tree alone: what is declared, changed and tested, each with all of its text.

use blazon_check::DefinitionKind;
use blazon_diagnostics::Span;
use blazon_syntax::ast::{
    Amend, AmendKind, Block, ChoiceOption, Choose, Clause, ClauseKind, Declaration, File, Item, ItemKind,
    Kind, Member, Name, Node, Part, PartKind, Removable, Rule, RulingValue, Step, Test,
    visit::{Visit, walk_choose},
};

/// What something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Something with a name that uses lead to.
    Definition(DefinitionKind),
    /// A test.
    Test,
    /// A change of what is declared elsewhere.
    Change,
    /// `omitted`
    Omitted,
}

/// One entry.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is.
    pub sort: Sort,
    /// Its name, or the words of a change.
    pub name: String,
    /// Where the name stands.
    pub at: Span,
    /// All of it.
    pub extent: Span,
    /// Its heading: what it is, up to its body.
    pub heading: Span,
    /// What stands in it.
    pub inner: Vec<Entry>,
}

/// What is changed: for [`changes`].
#[derive(Clone, Debug)]
pub struct Change {
    /// `replace rule`, `in step`, `before`, …
    pub words: String,
    /// What is changed.
    pub name: Name,
    /// What that is, as far as the words say it.
    pub kind: Option<DefinitionKind>,
}

/// The entries of a page, in the written order.
pub fn entries(file: &File) -> Vec<Entry> {
    file.items.iter().map(item).collect()
}

/// All entries, those in others behind them.
pub fn all(entries: &[Entry]) -> Vec<&Entry> {
    let mut found = Vec::new();
    for entry in entries {
        found.push(entry);
        found.extend(all(&entry.inner));
    }
    found
}

fn item(item: &Item) -> Entry {
    match &item.kind {
        ItemKind::Declaration(declared) => declaration(declared, item.span),
        ItemKind::Test(test) => test_entry(test, item.span),
        ItemKind::Scene(scene) => {
            entry(Sort::Definition(DefinitionKind::Scene), &scene.name, item.span, scene.span)
        }
        ItemKind::Amend(amend) => change(amend, item.span),
    }
}

fn test_entry(test: &Test, extent: Span) -> Entry {
    entry(Sort::Test, &test.name.as_name(), extent, test.span)
}

fn entry(sort: Sort, name: &Name, extent: Span, heading: Span) -> Entry {
    Entry { sort, name: name.text.clone(), at: name.span, extent, heading, inner: Vec::new() }
}

fn defined(kind: DefinitionKind, name: &Name, extent: Span, heading: Span) -> Entry {
    entry(Sort::Definition(kind), name, extent, heading)
}

fn declaration(declared: &Declaration, extent: Span) -> Entry {
    match declared {
        Declaration::Kind(kind) => kind_entry(kind, extent),
        Declaration::Fact(fact) => defined(DefinitionKind::Fact, &fact.name, extent, fact.span),
        Declaration::State(state) => defined(DefinitionKind::State, &state.name, extent, state.span),
        Declaration::Rule(rule) => rule_entry(rule, extent),
        Declaration::Step(step) => step_entry(step, extent),
        Declaration::Table(table) => defined(DefinitionKind::Table, &table.kind, extent, table.span),
        Declaration::Links(links) => defined(DefinitionKind::Links, &links.kind, extent, links.span),
        Declaration::Grid(grid) => defined(DefinitionKind::Grid, &grid.kind, extent, grid.span),
        Declaration::Setup(setup) => defined(DefinitionKind::Setup, &setup.name, extent, setup.span),
        Declaration::Ruling(ruling) => Entry {
            inner: ruling.values.iter().filter_map(ruling_value).collect(),
            ..defined(DefinitionKind::Ruling, &ruling.name, extent, ruling.span)
        },
        Declaration::Watch(watch) => Entry {
            inner: options(&watch.body),
            ..defined(DefinitionKind::Watch, &watch.name, extent, watch.span)
        },
        Declaration::Invariant(one) => defined(DefinitionKind::Invariant, &one.name, extent, one.span),
        Declaration::Look(look) => defined(DefinitionKind::Look, &look.name, extent, look.span),
        Declaration::Omitted(omitted) => {
            let cites: Vec<String> = omitted.cites.iter().map(|cite| format!("@{}", cite.text)).collect();
            let name = Name { text: cites.join(" "), span: omitted.span };
            entry(Sort::Omitted, &name, extent, omitted.span)
        }
    }
}

fn kind_entry(kind: &Kind, extent: Span) -> Entry {
    let first = kind.members.iter().map(|member| match member {
        Member::Fact(fact) => fact.span,
        Member::State(state) => state.span,
        Member::Seen(seen) => seen.span,
        Member::Back(back) => back.span,
    });
    let end = first.map(|span| span.start).min().unwrap_or(extent.end);
    let heading = Span { end, ..extent };
    let things =
        kind.things.iter().map(|thing| defined(DefinitionKind::Thing, thing, thing.span, thing.span));
    let inner = things.chain(kind.members.iter().filter_map(member)).collect();
    Entry { inner, ..defined(DefinitionKind::Kind, &kind.name, extent, heading) }
}

fn member(member: &Member) -> Option<Entry> {
    match member {
        Member::Fact(fact) => Some(defined(DefinitionKind::Fact, &fact.name, fact.span, fact.span)),
        Member::State(state) => Some(defined(DefinitionKind::State, &state.name, state.span, state.span)),
        Member::Seen(_) | Member::Back(_) => None,
    }
}

/// A value of a ruling that is a thing of its own.
fn ruling_value(value: &RulingValue) -> Option<Entry> {
    match value {
        RulingValue::Thing(name) => Some(defined(DefinitionKind::RulingValue, name, name.span, name.span)),
        RulingValue::Flag(_) | RulingValue::Number(_) => None,
    }
}

fn rule_entry(rule: &Rule, extent: Span) -> Entry {
    let inner = rule.clauses.iter().filter_map(clause).collect();
    Entry { inner, ..defined(DefinitionKind::Rule, &rule.name, extent, rule.span) }
}

fn step_entry(step: &Step, extent: Span) -> Entry {
    let laws = step.laws.iter().filter_map(clause);
    let inner = laws.chain(options(&step.body)).collect();
    Entry { inner, ..defined(DefinitionKind::Step, &step.name, extent, step.span) }
}

fn clause(clause: &Clause) -> Option<Entry> {
    if matches!(clause.kind, ClauseKind::Known { .. }) {
        return None;
    }
    let label = clause.label.as_ref()?;
    Some(defined(DefinitionKind::Clause, label, clause.span, clause.span))
}

fn option(option: &ChoiceOption) -> Entry {
    let needs = option.needs.iter().filter_map(clause);
    let inner = needs.chain(options(&option.body)).collect();
    let extent = option.span.to(option.body.span);
    Entry { inner, ..defined(DefinitionKind::Option, &option.name, extent, option.span) }
}

/// The options of a block, wherever they are chosen from.
fn options(block: &Block) -> Vec<Entry> {
    #[derive(Default)]
    struct Found(Vec<Entry>);
    impl<'t> Visit<'t> for Found {
        fn visit_choose(&mut self, choose: &'t Choose) {
            walk_choose(self, choose);
        }
        fn visit_option(&mut self, one: &'t ChoiceOption) {
            self.0.push(option(one));
        }
    }
    let mut found = Found::default();
    found.visit_block(block);
    found.0
}

fn change(amend: &Amend, extent: Span) -> Entry {
    let (words, name) = changed(amend);
    let inner = match &amend.kind {
        AmendKind::Inside { changes, .. } | AmendKind::Under { changes, .. } => {
            changes.iter().map(|one| change(one, one.span)).collect()
        }
        AmendKind::Hook { body, .. } => options(body),
        AmendKind::Add(node) => return node_entry(node, extent),
        AmendKind::Replace { new, .. } => {
            let whole = node_entry(new, extent);
            return Entry { name: format!("replace {}", whole.name), ..whole };
        }
        AmendKind::Cite(_) | AmendKind::Members { .. } | AmendKind::Remove(_) | AmendKind::Waive(_) => {
            Vec::new()
        }
    };
    let text = if name.text.is_empty() { words } else { format!("{words} {}", name.text) };
    let heading = Span { end: name.span.end.max(extent.start), ..extent };
    Entry { sort: Sort::Change, name: text, at: name.span, extent, heading, inner }
}

fn node_entry(node: &Node, extent: Span) -> Entry {
    let plain = |text: &str| {
        let name = Name { text: text.to_owned(), span: extent };
        entry(Sort::Change, &name, extent, extent)
    };
    match node {
        Node::Declaration(declared) => declaration(declared, extent),
        Node::Test(test) => test_entry(test, extent),
        Node::Member(one) => member(one).unwrap_or_else(|| plain("seen by")),
        Node::Clause(one) => clause(one).unwrap_or_else(|| plain("clause")),
        Node::Option(one) => option(one),
        Node::When(when) => Entry { inner: options(&when.body), ..plain("when") },
        Node::Rows(_) | Node::NamedRows(_) => plain("rows"),
        Node::Placing(_) => plain("line"),
        Node::Links(_) => plain("links"),
        Node::Things(things) => {
            let inner =
                things.iter().map(|thing| defined(DefinitionKind::Thing, thing, thing.span, thing.span));
            Entry { inner: inner.collect(), ..plain("things") }
        }
        Node::FactValue { name, .. } => entry(Sort::Change, name, extent, extent),
    }
}

/// What a change changes, in words, and the name.
fn changed(amend: &Amend) -> (String, Name) {
    let nothing = Name { text: String::new(), span: Span { end: amend.span.start, ..amend.span } };
    match &amend.kind {
        AmendKind::Inside { part, .. } => (format!("in {}", part_word(part)), part.name.clone()),
        AmendKind::Cite(parts) => match parts.last() {
            Some(part) => (format!("cite {}", part_word(part)), part.name.clone()),
            None => ("cite".to_owned(), nothing),
        },
        AmendKind::Members { name, .. } => ("in fact".to_owned(), name.clone()),
        AmendKind::Hook { before, step, .. } => {
            ((if *before { "before" } else { "after" }).to_owned(), step.clone())
        }
        AmendKind::Under { condition, .. } => {
            let text = blazon_syntax::ast::print::expr(condition);
            ("under".to_owned(), Name { text, span: condition.span })
        }
        AmendKind::Remove(Removable::Test(name)) => ("remove test".to_owned(), name.clone()),
        AmendKind::Remove(Removable::Named { what, name, .. }) => {
            (format!("remove {}", what.text), name.clone())
        }
        AmendKind::Remove(Removable::Thing(name)) => ("remove".to_owned(), name.clone()),
        AmendKind::Remove(Removable::Link(link)) => ("remove".to_owned(), link.from.clone()),
        AmendKind::Waive(name) => ("waive".to_owned(), name.clone()),
        AmendKind::Add(_) => ("add".to_owned(), nothing),
        AmendKind::Replace { .. } => ("replace".to_owned(), nothing),
    }
}

fn part_word(part: &Part) -> &'static str {
    match part.kind {
        PartKind::Kind => "kind",
        PartKind::Rule => "rule",
        PartKind::Step => "step",
        PartKind::Option => "option",
        PartKind::Table => "table",
        PartKind::Links => "links",
        PartKind::Setup => "setup",
        PartKind::When => "when",
        PartKind::Choice => "choice",
        PartKind::Seen => "seen by",
        PartKind::Back => "back",
    }
}

fn part_kind(part: &Part) -> Option<DefinitionKind> {
    match part.kind {
        PartKind::Kind => Some(DefinitionKind::Kind),
        PartKind::Rule => Some(DefinitionKind::Rule),
        PartKind::Step => Some(DefinitionKind::Step),
        PartKind::Option => Some(DefinitionKind::Option),
        PartKind::Table => Some(DefinitionKind::Table),
        PartKind::Links => Some(DefinitionKind::Links),
        PartKind::Setup => Some(DefinitionKind::Setup),
        PartKind::When | PartKind::Choice | PartKind::Seen | PartKind::Back => None,
    }
}

/// All changes of a page, those in others too: who amends what.
pub fn changes(file: &File) -> Vec<Change> {
    let mut found = Vec::new();
    for item in &file.items {
        if let ItemKind::Amend(amend) = &item.kind {
            gather(amend, &mut found);
        }
    }
    found
}

fn gather(amend: &Amend, found: &mut Vec<Change>) {
    let (words, name) = changed(amend);
    let mut push = |kind: Option<DefinitionKind>, name: &Name, words: &str| {
        found.push(Change { words: words.to_owned(), name: name.clone(), kind });
    };
    match &amend.kind {
        AmendKind::Inside { part, changes } => {
            push(part_kind(part), &name, &words);
            changes.iter().for_each(|one| gather(one, found));
        }
        AmendKind::Cite(parts) => {
            let kind = parts.last().and_then(part_kind);
            push(kind, &name, &words);
        }
        AmendKind::Members { .. } => push(Some(DefinitionKind::Fact), &name, &words),
        AmendKind::Hook { .. } => push(Some(DefinitionKind::Step), &name, &words),
        AmendKind::Under { changes, .. } => changes.iter().for_each(|one| gather(one, found)),
        AmendKind::Replace { new, .. } => {
            let entry = node_entry(new, amend.span);
            if let Sort::Definition(kind) = entry.sort {
                push(Some(kind), &Name { text: entry.name, span: entry.at }, "replace");
            } else if let Node::FactValue { name, .. } = new {
                push(Some(DefinitionKind::Fact), name, "replace");
            }
        }
        AmendKind::Remove(_) => push(None, &name, &words),
        AmendKind::Waive(_) => push(Some(DefinitionKind::Clause), &name, &words),
        AmendKind::Add(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blazon_diagnostics::SourceId;

    #[test]
    fn a_page_is_outlined() {
        let text = "kind side = Red, Blue {\n  state gold: 0..9\n}\nrule rich(s: side): flag = s.gold > 4\n  \
                    except never: no if s = Blue\nstep turn(s: side) {\n  choose by s \"?\" {\n    option pay \"pays\" \
                    needs some: s.gold > 0 { s.gold -= 1 }\n  } else { stop }\n}\nin rule rich {\n  remove clause never\n}\n\
                    test \"it works\" {\n  expect yes\n}\n";
        let (file, said) = blazon_syntax::parse(SourceId(0), text);
        assert_eq!(said, []);
        let entries = entries(&file);
        let names: Vec<&str> = all(&entries).iter().map(|entry| entry.name.as_str()).collect();
        let expected = [
            "side",
            "Red",
            "Blue",
            "gold",
            "rich",
            "never",
            "turn",
            "pay",
            "some",
            "in rule rich",
            "remove clause never",
            "it works",
        ];
        assert_eq!(names, expected);
        let changed: Vec<(String, String)> =
            changes(&file).into_iter().map(|change| (change.words, change.name.text)).collect();
        let expected = [("in rule", "rich"), ("remove clause", "never")];
        assert_eq!(changed, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
