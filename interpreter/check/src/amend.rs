//! Applies amendments to the flat book: `in`, `replace`, `remove`, `waive`, `before`, `after`, `under`.
//!
//! Everything happens here, once, on the tree; nothing of it is left at run time but the conditions of `under`,
//! which become conditions of the clauses, options and statements that they govern.

use blazon_diagnostics::{Diagnostic, Span, near_miss};
use blazon_syntax::ast::{
    self, Amend, AmendKind, BinaryOp, Block, ChoiceOption, Clause, ClauseKind, Declaration, Expr, ExprKind,
    Name, Node, Part, PartKind, PlacingLine, Removable, Statement, StatementKind,
};

use crate::edit::{choices_in, find_option, find_when, wrap_calls};
use crate::flat::{ColumnDecl, FactValue, Flat, FlatStep, exists, first_key, same_rule};
use crate::project::Layer;

/// Where an amendment stands.
#[derive(Clone, Debug)]
enum Place {
    Top,
    Kind(usize),
    Rule(usize),
    Step(usize),
    Option(usize, String),
    When(usize, String),
    Table(usize),
    Links(usize),
    Setup(usize),
}

/// Applies one amendment of a layer.
pub(crate) fn apply(flat: &mut Flat, layer: Layer, amend: &Amend, diagnostics: &mut Vec<Diagnostic>) {
    let mut amender = Amender { flat, layer, diagnostics, under: Vec::new() };
    amender.change(&Place::Top, amend);
}

struct Amender<'a> {
    flat: &'a mut Flat,
    layer: Layer,
    diagnostics: &'a mut Vec<Diagnostic>,
    under: Vec<Expr>,
}

impl Amender<'_> {
    fn change(&mut self, place: &Place, amend: &Amend) {
        match &amend.kind {
            AmendKind::Inside { part, changes } => {
                if let Some(inner) = self.open(place, part) {
                    self.cite(&inner, &amend.cites);
                    for change in changes {
                        self.change(&inner, change);
                    }
                }
            }
            AmendKind::Under { condition, changes } => {
                self.under.push(condition.clone());
                for change in changes {
                    self.change(place, change);
                }
                self.under.pop();
            }
            AmendKind::Hook { before, step, within, body } => {
                self.hook(*before, step, within.as_ref(), body, amend.span);
            }
            AmendKind::Add(node) => self.add(place, node, amend.span),
            AmendKind::Replace(node) => self.replace(place, node, amend.span),
            AmendKind::Remove(what) => self.remove(place, what, amend.span),
            AmendKind::Waive(label) => self.waive(place, label),
        }
    }

    // ----------------------------------------------------------------------------------------------- opening

    fn open(&mut self, place: &Place, part: &Part) -> Option<Place> {
        let name = &part.name;
        match part.kind {
            PartKind::Kind => {
                let names = self.flat.kinds.iter().map(|kind| kind.name.text.clone()).collect();
                self.find("kind", name, names).map(Place::Kind)
            }
            PartKind::Rule => self.find_rule(name).map(Place::Rule),
            PartKind::Step => self.find_step(name).map(Place::Step),
            PartKind::Setup => {
                let names = self.flat.setups.iter().map(|setup| setup.name.text.clone()).collect();
                self.find("setup", name, names).map(Place::Setup)
            }
            PartKind::Table => self.find_listed(name, part, true).map(Place::Table),
            PartKind::Links => self.find_listed(name, part, false).map(Place::Links),
            PartKind::Option => {
                let step = self.step_around(place, part.span, "option")?;
                if find_option(&mut self.flat.steps[step].step.body, &name.text).is_some() {
                    return Some(Place::Option(step, name.text.clone()));
                }
                let mut names = Vec::new();
                choices_in(&mut self.flat.steps[step].step.body, &mut |choose| {
                    names.extend(choose.options.iter().map(|option| option.name.text.clone()));
                });
                self.missing(
                    &format!("option of `{}`", self.flat.steps[step].step.name.text.clone()),
                    name,
                    &names,
                );
                None
            }
            PartKind::When => {
                let step = self.step_around(place, part.span, "case")?;
                if find_when(&mut self.flat.steps[step].step.body, &name.text).is_some() {
                    return Some(Place::When(step, name.text.clone()));
                }
                self.missing("case", name, &[]);
                None
            }
        }
    }

    fn step_around(&mut self, place: &Place, span: Span, what: &str) -> Option<usize> {
        match place {
            Place::Step(step) | Place::Option(step, _) | Place::When(step, _) => Some(*step),
            _ => {
                self.diagnostics.push(
                    Diagnostic::error("amend::missing", span, format!("an {what} belongs to a step"))
                        .help("open the step first: `in step give orders { in option march { … } }`"),
                );
                None
            }
        }
    }

    fn find(&mut self, what: &str, name: &Name, names: Vec<String>) -> Option<usize> {
        let found = names.iter().position(|other| *other == name.text);
        if found.is_none() {
            self.missing(what, name, &names);
        }
        found
    }

    fn find_rule(&mut self, name: &Name) -> Option<usize> {
        let found: Vec<usize> =
            (0..self.flat.rules.len()).filter(|&i| self.flat.rules[i].rule.name.text == name.text).collect();
        match found[..] {
            [one] => Some(one),
            [] => {
                let names: Vec<String> =
                    self.flat.rules.iter().map(|rule| rule.rule.name.text.clone()).collect();
                self.missing("rule", name, &names);
                None
            }
            [first, second, ..] => {
                self.diagnostics.push(
                    Diagnostic::error("names::ambiguous", name.span, format!("there are two rules `{}`", name.text))
                        .related(self.flat.rules[first].rule.name.span, "one")
                        .related(self.flat.rules[second].rule.name.span, "another")
                        .help("write the kind that it is asked of in brackets: `in rule city (block) { … }` is not supported yet; rename one"),
                );
                None
            }
        }
    }

    fn find_step(&mut self, name: &Name) -> Option<usize> {
        let names = self.flat.steps.iter().map(|step| step.step.name.text.clone()).collect();
        self.find("step", name, names)
    }

    fn find_listed(&mut self, name: &Name, part: &Part, tables: bool) -> Option<usize> {
        let heads: Vec<(String, Vec<String>, Span)> = if tables {
            self.flat.tables.iter().map(|t| (t.kind.text.clone(), fixed_text(&t.fixed), t.span)).collect()
        } else {
            self.flat.links.iter().map(|l| (l.kind.text.clone(), fixed_text(&l.fixed), l.span)).collect()
        };
        let wanted = fixed_text(&part.fixed);
        let found: Vec<usize> = (0..heads.len())
            .filter(|&i| heads[i].0 == name.text && (wanted.is_empty() || heads[i].1 == wanted))
            .collect();
        let what = if tables { "table" } else { "list of links" };
        match found[..] {
            [] => {
                let names: Vec<String> = heads.into_iter().map(|head| head.0).collect();
                self.missing(what, name, &names);
                None
            }
            [one] => Some(one),
            // With several tables and none singled out, the one without fixed columns is meant, else the first.
            _ => Some(found.iter().copied().find(|&i| heads[i].1 == wanted).unwrap_or(found[0])),
        }
    }

    fn missing(&mut self, what: &str, name: &Name, names: &[String]) {
        let mut diagnostic = Diagnostic::error(
            "amend::missing",
            name.span,
            format!("there is no {what} `{}` to change", name.text),
        )
        .label("not found");
        if let Some(near) = near_miss(&name.text, names.iter().map(String::as_str)) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else {
            diagnostic =
                diagnostic.help("what is changed must exist; to add something new, write it at the margin");
        }
        self.diagnostics.push(diagnostic);
    }

    /// `in rule pinned { } @5.22`: the paragraphs are those of what was opened, too.
    fn cite(&mut self, place: &Place, cites: &[ast::Cite]) {
        match place {
            Place::Rule(rule) => self.flat.rules[*rule].rule.cites.extend(cites.iter().cloned()),
            Place::Step(step) => self.flat.steps[*step].step.cites.extend(cites.iter().cloned()),
            Place::Option(step, name) => {
                if let Some(option) = find_option(&mut self.flat.steps[*step].step.body, name) {
                    option.cites.extend(cites.iter().cloned());
                }
            }
            Place::Table(table) => self.flat.tables[*table].cites.extend(cites.iter().cloned()),
            Place::Links(links) => self.flat.links[*links].cites.extend(cites.iter().cloned()),
            Place::Top | Place::Kind(_) | Place::When(..) | Place::Setup(_) => {}
        }
    }

    // ------------------------------------------------------------------------------------------------ adding

    fn add(&mut self, place: &Place, node: &Node, span: Span) {
        match (place, node) {
            (Place::Top, Node::Declaration(declaration)) => {
                self.flat.declare(self.layer, declaration, self.diagnostics)
            }
            (Place::Kind(kind), Node::Things(things)) => {
                self.flat.add_things(*kind, things, self.diagnostics)
            }
            (Place::Kind(kind), Node::Member(member)) => {
                self.flat.add_member(self.layer, *kind, member, self.diagnostics);
            }
            (Place::Rule(rule), Node::Clause(clause)) => {
                let clause = self.conditioned(clause.clone());
                self.add_clause(*rule, clause);
            }
            (Place::Rule(rule), Node::Rows(rows)) => {
                self.flat.rules[*rule].rule.rows.extend(rows.iter().cloned())
            }
            (Place::Step(step), Node::Clause(clause)) => {
                let clause = self.conditioned(clause.clone());
                if let Some(old) = label_in(&self.flat.steps[*step].step.laws, &clause) {
                    self.diagnostics.push(exists(&label_text(&clause), clause.span, old));
                } else {
                    self.flat.steps[*step].step.laws.push(clause);
                }
            }
            (Place::Step(step), Node::Option(option)) => self.add_option(*step, option, span),
            (Place::When(step, name), Node::Option(option)) => {
                let option = self.conditioned_option(option.clone());
                let mut added = false;
                if let Some(when) = find_when(&mut self.flat.steps[*step].step.body, name) {
                    choices_in(&mut when.body, &mut |choose| {
                        if !added {
                            choose.options.push(option.clone());
                            added = true;
                        }
                    });
                }
                if !added {
                    let name = Name { text: name.clone(), span };
                    self.missing("choice in the case", &name, &[]);
                }
            }
            (Place::Step(step), Node::When(when)) => {
                let mut when = when.clone();
                when.body = self.guarded(when.body);
                let mut added = false;
                crate::edit::cases_in(&mut self.flat.steps[*step].step.body, &mut |whens| {
                    if !added {
                        whens.push(when.clone());
                        added = true;
                    }
                });
                if !added {
                    self.missing("case in this step", &self.flat.steps[*step].step.name.clone(), &[]);
                }
            }
            (Place::Option(step, name), Node::Clause(clause)) => {
                let clause = self.conditioned(clause.clone());
                if let Some(option) = find_option(&mut self.flat.steps[*step].step.body, name) {
                    if let Some(old) = label_in(&option.needs, &clause) {
                        self.diagnostics.push(exists(&label_text(&clause), clause.span, old));
                    } else {
                        option.needs.push(clause);
                    }
                }
            }
            (Place::Table(table), Node::Rows(rows)) => {
                // Rows added later stand in the order of the table's heading.
                let target = &mut self.flat.tables[*table];
                target.rows.extend(rows.iter().cloned());
            }
            (Place::Table(table), Node::NamedRows(rows)) => {
                self.flat.tables[*table].named_rows.extend(rows.iter().cloned());
            }
            (Place::Links(links), Node::Links(more)) => {
                self.flat.links[*links].links.extend(more.iter().cloned())
            }
            (Place::Setup(setup), Node::Placing(line)) => {
                let setup = &mut self.flat.setups[*setup];
                merge_placing(&mut setup.placing.lines, line);
            }
            _ => {
                let mut diagnostic = Diagnostic::error("amend::missing", span, "this cannot be added here");
                diagnostic = diagnostic.help("open what it belongs to: `in rule …`, `in step …`, `in kind …`, `in table …`, `in setup …`");
                self.diagnostics.push(diagnostic);
            }
        }
    }

    fn add_clause(&mut self, rule: usize, clause: Clause) {
        let target = &mut self.flat.rules[rule].rule;
        if let Some(old) = label_in(&target.clauses, &clause) {
            self.diagnostics.push(exists(&label_text(&clause), clause.span, old));
        } else {
            target.clauses.push(clause);
        }
    }

    fn add_option(&mut self, step: usize, option: &ChoiceOption, span: Span) {
        let option = self.conditioned_option(option.clone());
        let body = &mut self.flat.steps[step].step.body;
        if let Some(old) = find_option(body, &option.name.text) {
            let first = old.span;
            self.diagnostics.push(exists(&option.name.text, option.span, first));
            return;
        }
        let mut count = 0;
        choices_in(body, &mut |_| count += 1);
        if count == 0 {
            let name = self.flat.steps[step].step.name.clone();
            self.diagnostics.push(
                Diagnostic::error(
                    "amend::missing",
                    span,
                    format!("the step `{}` has no choice to add an option to", name.text),
                )
                .related(name.span, "the step"),
            );
            return;
        }
        let mut added = false;
        choices_in(body, &mut |choose| {
            if !added {
                choose.options.push(option.clone());
                added = true;
            }
        });
    }

    // --------------------------------------------------------------------------------------------- replacing

    fn replace(&mut self, place: &Place, node: &Node, span: Span) {
        let can_hang = matches!(
            (place, node),
            (Place::Top, Node::Declaration(Declaration::Rule(_) | Declaration::Step(_)))
                | (Place::Rule(_) | Place::Option(..), Node::Clause(_))
                | (Place::Step(_), Node::Option(_))
        );
        if !can_hang && self.is_conditional(span) {
            return;
        }
        match (place, node) {
            (_, Node::FactValue { name, args, values }) => {
                self.note_change(
                    &format!("fact {} {args:?}", name.text).replace(|c: char| c.is_ascii_digit(), ""),
                    span,
                );
                self.flat.fact_values.push(FactValue {
                    name: name.clone(),
                    args: args.clone(),
                    values: values.clone(),
                });
            }
            (Place::Top, Node::Declaration(Declaration::Rule(rule))) => self.replace_rule(rule),
            (Place::Top, Node::Declaration(Declaration::Step(step))) => self.replace_step(step),
            (Place::Top, Node::Declaration(Declaration::Watch(watch))) => {
                let names = self.flat.watches.iter().map(|old| old.name.text.clone()).collect();
                if let Some(found) = self.find("watch", &watch.name, names) {
                    self.flat.watches[found] = watch.clone();
                }
            }
            (Place::Top, Node::Declaration(Declaration::Ruling(ruling))) => {
                let names = self.flat.rulings.iter().map(|old| old.name.text.clone()).collect();
                if let Some(found) = self.find("ruling", &ruling.name, names) {
                    self.flat.rulings[found] = ruling.clone();
                }
            }
            (Place::Top, Node::Declaration(Declaration::Setup(setup))) => {
                let names = self.flat.setups.iter().map(|old| old.name.text.clone()).collect();
                if let Some(found) = self.find("setup", &setup.name, names) {
                    self.flat.setups[found] = setup.clone();
                }
            }
            (Place::Top, Node::Declaration(Declaration::State(state))) => {
                self.replace_column(None, &ColumnDecl::State(state.clone()), span);
            }
            (Place::Top, Node::Declaration(Declaration::Fact(fact))) => {
                self.replace_column(None, &ColumnDecl::Fact(fact.clone()), span);
            }
            (Place::Kind(kind), Node::Member(member)) => match member {
                ast::Member::Fact(fact) => {
                    self.replace_column(Some(*kind), &ColumnDecl::Fact(fact.clone()), span)
                }
                ast::Member::State(state) => {
                    self.replace_column(Some(*kind), &ColumnDecl::State(state.clone()), span);
                }
                ast::Member::Seen(seen) => self.flat.kinds[*kind].seen = Some(seen.clone()),
                ast::Member::Back(back) => self.flat.kinds[*kind].back = Some(back.clone()),
            },
            (Place::Rule(rule), Node::Clause(clause)) => {
                let rule = *rule;
                let Some(label) = &clause.label else {
                    self.diagnostics.push(unlabelled(clause.span));
                    return;
                };
                self.note_change(
                    &format!("rule {} {}", self.flat.rules[rule].rule.name.text, label.text),
                    clause.span,
                );
                if self.drop_clause(rule, label) {
                    let mut clause = self.conditioned(clause.clone());
                    if !self.under.is_empty() {
                        clause.label =
                            Some(Name { text: format!("{} (changed)", label.text), span: label.span });
                    }
                    self.flat.rules[rule].rule.clauses.push(clause);
                }
            }
            (Place::Step(step), Node::Option(option)) => {
                let step = *step;
                let under = self.condition();
                self.note_change(&format!("step {} option {}", step, option.name.text), span);
                let replacement = self.conditioned_option(option.clone());
                let body = &mut self.flat.steps[step].step.body;
                match find_option(body, &option.name.text) {
                    Some(old) => match under {
                        None => *old = replacement,
                        Some(condition) => {
                            old.needs.push(need_not(&condition, old.span));
                            choices_in(body, &mut |choose| {
                                if choose.options.iter().any(|o| o.name.text == option.name.text) {
                                    choose.options.push(replacement.clone());
                                }
                            });
                        }
                    },
                    None => self.missing("option", &option.name, &[]),
                }
            }
            (Place::Option(step, name), Node::Clause(clause)) => {
                let condition = self.condition();
                let mut clause = self.conditioned(clause.clone());
                let Some(option) = find_option(&mut self.flat.steps[*step].step.body, name) else { return };
                let label = clause.label.as_ref().map(|label| label.text.clone());
                match option
                    .needs
                    .iter_mut()
                    .find(|need| need.label.as_ref().map(|l| l.text.clone()) == label)
                {
                    Some(old) if label.is_some() => match condition {
                        None => *old = clause,
                        Some(condition) => {
                            restrict(old, &not(&condition));
                            if let Some(label) = &mut clause.label {
                                label.text.push_str(" (changed)");
                            }
                            option.needs.push(clause);
                        }
                    },
                    _ => {
                        let name =
                            clause.label.clone().unwrap_or(Name { text: "needs".into(), span: clause.span });
                        self.missing("need", &name, &[]);
                    }
                }
            }
            (Place::Step(step), Node::When(when)) => {
                let name = when.values.first().map(expression_text).unwrap_or_default();
                match find_when(&mut self.flat.steps[*step].step.body, &name) {
                    Some(old) => *old = when.clone(),
                    None => self.missing("case", &Name { text: name, span: when.span }, &[]),
                }
            }
            (Place::Setup(setup), Node::Placing(line)) => {
                let lines = &mut self.flat.setups[*setup].placing.lines;
                if !replace_placing(lines, line) {
                    let name = Name { text: "line of this setup".into(), span };
                    self.missing("such", &name, &[]);
                }
            }
            (Place::Table(table), Node::NamedRows(rows)) => {
                let kind = self.flat.tables[*table].kind.text.clone();
                for row in rows {
                    self.flat.overrides.push((kind.clone(), row.clone()));
                }
            }
            (Place::Links(links), Node::Links(replaced)) => {
                for link in replaced {
                    self.remove(&Place::Top, &Removable::Link(link.clone()), link.span);
                    self.flat.links[*links].links.push(link.clone());
                }
            }
            (Place::Table(table), Node::Rows(rows)) => {
                for row in rows {
                    let first = row.cells.first().map(|cell| cell.text.clone()).unwrap_or_default();
                    let target = &mut self.flat.tables[*table].rows;
                    match target
                        .iter_mut()
                        .skip(1)
                        .find(|old| old.cells.first().is_some_and(|c| c.text == first))
                    {
                        Some(old) => *old = row.clone(),
                        None => self.missing("row", &Name { text: first, span: row.span }, &[]),
                    }
                }
            }
            _ => self
                .diagnostics
                .push(Diagnostic::error("amend::missing", span, "this cannot be replaced here").help(
                "open what it belongs to: `in rule …`, `in step …`, `in kind …`, `in table …`, `in setup …`",
            )),
        }
    }

    /// Whether a change stands under a condition that it cannot hang on; says so.
    fn is_conditional(&mut self, span: Span) -> bool {
        let Some(condition) = self.under.last() else { return false };
        self.diagnostics.push(
            Diagnostic::error("amend::condition", span, "this change cannot hang on a condition")
                .related(condition.span, "it stands under this")
                .help(
                    "under a condition clauses, needs, options, whole rules and whole steps can be changed",
                ),
        );
        true
    }

    fn replace_rule(&mut self, rule: &ast::Rule) {
        let Some(found) = self.flat.rules.iter().position(|old| same_rule(&old.rule, rule)) else {
            let names: Vec<String> = self.flat.rules.iter().map(|old| old.rule.name.text.clone()).collect();
            self.missing("rule", &rule.name, &names);
            return;
        };
        self.note_change(&format!("rule {}", rule.name.text), rule.span);
        let old = &self.flat.rules[found].rule;
        if crate::flat::type_text(&old.ty) != crate::flat::type_text(&rule.ty)
            || old.ty.optional != rule.ty.optional
        {
            self.diagnostics.push(
                Diagnostic::error(
                    "types::mismatch",
                    rule.ty.span,
                    format!("`{}` changes its type", rule.name.text),
                )
                .label("what replaces a rule gives the same type")
                .related(old.ty.span, "the type that is asked for everywhere")
                .help("keep the type, or add a rule of another name"),
            );
            return;
        }
        match self.condition() {
            None => {
                self.flat.rules[found].rule = rule.clone();
                self.flat.rules[found].layer = self.layer;
            }
            Some(condition) => {
                let old = &mut self.flat.rules[found].rule;
                let labels: Vec<Name> =
                    old.clauses.iter().filter_map(|clause| clause.label.clone()).collect();
                for clause in &mut old.clauses {
                    restrict(clause, &not(&condition));
                }
                if let Some(base) = &rule.base {
                    let label = Name { text: format!("{} (replaced)", rule.name.text), span: rule.name.span };
                    old.clauses.push(Clause {
                        kind: ClauseKind::Except {
                            beats: labels,
                            value: base.clone(),
                            when: Some(condition.clone()),
                        },
                        label: Some(label),
                        cites: rule.cites.clone(),
                        span: rule.span,
                    });
                }
                for clause in &rule.clauses {
                    let mut clause = clause.clone();
                    restrict(&mut clause, &condition);
                    old.clauses.push(clause);
                }
            }
        }
    }

    fn replace_step(&mut self, step: &ast::Step) {
        let Some(found) = self.find_step(&step.name) else { return };
        self.note_change(&format!("step {}", step.name.text), step.span);
        let old = &mut self.flat.steps[found];
        match self.under.split_first() {
            None => {
                old.step = step.clone();
                old.layer = self.layer;
            }
            Some(_) => {
                let condition = conjunction(&self.under);
                let printed = std::mem::take(&mut old.step.body);
                old.step.body = block(vec![statement(
                    StatementKind::If(condition, step.body.clone(), Some(printed)),
                    step.span,
                )]);
            }
        }
    }

    fn replace_column(&mut self, kind: Option<usize>, decl: &ColumnDecl, span: Span) {
        let owner = kind.map(|kind| self.flat.kinds[kind].name.clone());
        let probe = crate::flat::FlatColumn { owner, decl: decl.clone(), layer: self.layer };
        let found =
            self.flat.columns.iter().position(|old| {
                old.decl.name().text == decl.name().text && first_key(old) == first_key(&probe)
            });
        let Some(found) = found else {
            let names: Vec<String> =
                self.flat.columns.iter().map(|old| old.decl.name().text.clone()).collect();
            self.missing("fact or state", decl.name(), &names);
            return;
        };
        self.note_change(&format!("column {}", decl.name().text), span);
        let old = &mut self.flat.columns[found];
        // `state shields: … = printed`: the printed fact stays under its name with `(printed)` behind it.
        if let (ColumnDecl::State(state), ColumnDecl::Fact(fact)) = (decl, &old.decl)
            && let Some(Expr { kind: ExprKind::Call(call), .. }) = &state.start
            && call.name.text == "printed"
        {
            let mut fact = fact.clone();
            let hidden = format!("{} (printed)", fact.name.text);
            fact.name.text.clone_from(&hidden);
            let mut state = state.clone();
            let key = old.owner.clone().unwrap_or_else(|| state.name.clone());
            let span = state.span;
            let subject = Expr { kind: ExprKind::Call(ast::Call { name: key, args: vec![] }), span };
            state.start = Some(Expr {
                kind: ExprKind::Dot(
                    Box::new(subject),
                    ast::Call { name: Name { text: hidden, span: fact.name.span }, args: vec![] },
                ),
                span,
            });
            let (owner, layer) = (old.owner.clone(), old.layer);
            old.decl = ColumnDecl::State(state);
            old.layer = self.layer;
            self.flat.columns.push(crate::flat::FlatColumn { owner, decl: ColumnDecl::Fact(fact), layer });
            return;
        }
        old.decl = decl.clone();
        old.layer = self.layer;
    }

    // ---------------------------------------------------------------------------------------------- removing

    fn remove(&mut self, place: &Place, what: &Removable, span: Span) {
        let can_hang = match (what, place) {
            (Removable::Named { what, .. }, Place::Rule(_) | Place::Option(..) | Place::Step(_)) => {
                matches!(what.text.as_str(), "clause" | "needs" | "option")
            }
            _ => false,
        };
        if !can_hang && self.is_conditional(span) {
            return;
        }
        match what {
            Removable::Link(link) => {
                let found = self.flat.links.iter_mut().find_map(|links| {
                    let same = |l: &ast::Link| {
                        (l.from.text == link.from.text && l.to.text == link.to.text)
                            || (l.from.text == link.to.text && l.to.text == link.from.text)
                    };
                    links.links.iter().position(same).map(|i| links.links.remove(i))
                });
                if found.is_none() {
                    let name =
                        Name { text: format!("{} - {}", link.from.text, link.to.text), span: link.span };
                    self.missing("link", &name, &[]);
                }
            }
            Removable::Thing(thing) => self.remove_thing(place, thing),
            Removable::Named { what, name } => match (what.text.as_str(), place) {
                ("clause" | "needs", Place::Rule(rule)) => {
                    self.note_change(
                        &format!("rule {} {}", self.flat.rules[*rule].rule.name.text, name.text),
                        span,
                    );
                    self.drop_clause(*rule, name);
                }
                ("clause" | "needs", _) => self.waive(place, name),
                ("option", Place::Step(step)) => self.remove_option(*step, name),
                ("rule", _) => {
                    if let Some(found) = self.find_rule(name) {
                        self.flat.rules.remove(found);
                    }
                }
                ("step", _) => {
                    if let Some(found) = self.find_step(name) {
                        self.flat.steps.remove(found);
                    }
                }
                ("kind", _) => {
                    let names = self.flat.kinds.iter().map(|kind| kind.name.text.clone()).collect();
                    if let Some(found) = self.find("kind", name, names) {
                        self.flat.kinds.remove(found);
                    }
                }
                ("ruling", _) => {
                    let names = self.flat.rulings.iter().map(|ruling| ruling.name.text.clone()).collect();
                    if let Some(found) = self.find("ruling", name, names) {
                        self.flat.rulings.remove(found);
                    }
                }
                ("setup", _) => {
                    let names = self.flat.setups.iter().map(|setup| setup.name.text.clone()).collect();
                    if let Some(found) = self.find("setup", name, names) {
                        self.flat.setups.remove(found);
                    }
                }
                ("whenever", _) => {
                    let names = self.flat.watches.iter().map(|watch| watch.name.text.clone()).collect();
                    if let Some(found) = self.find("watch", name, names) {
                        self.flat.watches.remove(found);
                    }
                }
                ("fact" | "state", _) => {
                    let names =
                        self.flat.columns.iter().map(|column| column.decl.name().text.clone()).collect();
                    if let Some(found) = self.find("fact or state", name, names) {
                        self.flat.columns.remove(found);
                    }
                }
                ("when", Place::Step(step)) => {
                    let mut gone = false;
                    crate::edit::cases_in(&mut self.flat.steps[*step].step.body, &mut |whens| {
                        let before = whens.len();
                        whens.retain(|when| !when.values.iter().any(|v| expression_text(v) == name.text));
                        gone |= whens.len() < before;
                    });
                    if !gone {
                        self.missing("case", name, &[]);
                    }
                }
                _ => self.diagnostics.push(
                    Diagnostic::error(
                        "amend::missing",
                        span,
                        format!("a {} cannot be removed here", what.text),
                    )
                    .help("open what it belongs to first: `in rule …`, `in step …`"),
                ),
            },
        }
    }

    fn remove_option(&mut self, step: usize, name: &Name) {
        let condition = self.condition();
        let body = &mut self.flat.steps[step].step.body;
        let Some(option) = find_option(body, &name.text) else {
            self.missing("option", name, &[]);
            return;
        };
        if let Some(condition) = condition {
            option.needs.push(need_not(&condition, name.span));
        } else {
            choices_in(body, &mut |choose| choose.options.retain(|option| option.name.text != name.text));
        }
    }

    fn remove_thing(&mut self, place: &Place, thing: &Name) {
        match place {
            Place::Setup(setup) => {
                if !remove_placed(&mut self.flat.setups[*setup].placing.lines, &thing.text) {
                    self.missing("thing in this setup", thing, &[]);
                }
            }
            Place::Table(table) => {
                let kind = self.flat.tables[*table].kind.text.clone();
                self.drop_rows(&kind, thing);
            }
            Place::Kind(kind) => {
                let kind = self.flat.kinds[*kind].name.text.clone();
                let place = self.flat.kinds.iter().position(|k| k.name.text == kind).unwrap_or(0);
                let before = self.flat.kinds[place].things.len();
                self.flat.kinds[place].things.retain(|old| old.text != thing.text);
                if self.flat.kinds[place].things.len() == before {
                    self.drop_rows(&kind, thing);
                }
            }
            _ => self.missing("opened part that lists it, so no thing", thing, &[]),
        }
    }

    fn drop_rows(&mut self, kind: &str, thing: &Name) {
        let mut gone = false;
        for table in self.flat.tables.iter_mut().filter(|table| table.kind.text == kind) {
            let before = table.rows.len() + table.named_rows.len();
            let mut heading = true;
            table.rows.retain(|row| {
                let keep = heading || row.cells.first().is_none_or(|cell| cell.text != thing.text);
                heading = false;
                keep
            });
            table.named_rows.retain(|row| row.thing.text != thing.text);
            gone |= table.rows.len() + table.named_rows.len() < before;
        }
        if gone {
            self.flat.removed_things.push((kind.to_owned(), thing.clone()));
        } else {
            self.missing(kind, thing, &[]);
        }
    }

    /// Takes a clause away, or lets it hold only where the condition of `under` does not.
    fn drop_clause(&mut self, rule: usize, label: &Name) -> bool {
        let condition = self.condition();
        let target = &mut self.flat.rules[rule].rule;
        let labels: Vec<String> = target
            .clauses
            .iter()
            .filter_map(|clause| clause.label.as_ref().map(|l| l.text.clone()))
            .collect();
        let Some(found) =
            target.clauses.iter().position(|c| c.label.as_ref().is_some_and(|l| l.text == label.text))
        else {
            let what = format!("clause of `{}`", target.name.text);
            self.missing(&what, label, &labels);
            return false;
        };
        match condition {
            None => {
                target.clauses.remove(found);
            }
            Some(condition) => restrict(&mut target.clauses[found], &not(&condition)),
        }
        true
    }

    fn waive(&mut self, place: &Place, label: &Name) {
        let condition = self.condition();
        let named = |clause: &Clause| clause.label.as_ref().is_some_and(|l| l.text == label.text);
        let needs: Option<&mut Vec<Clause>> = match place {
            Place::Rule(rule) => Some(&mut self.flat.rules[*rule].rule.clauses),
            Place::Step(step) => Some(&mut self.flat.steps[*step].step.laws),
            Place::Option(step, name) => {
                find_option(&mut self.flat.steps[*step].step.body, name).map(|option| &mut option.needs)
            }
            _ => None,
        };
        let Some(needs) = needs else {
            self.missing("need", label, &[]);
            return;
        };
        let labels: Vec<String> =
            needs.iter().filter_map(|clause| clause.label.as_ref().map(|l| l.text.clone())).collect();
        match needs.iter().position(named) {
            Some(found) => match condition {
                None => {
                    needs.remove(found);
                }
                Some(condition) => restrict(&mut needs[found], &not(&condition)),
            },
            None => self.missing("need", label, &labels),
        }
    }

    // ------------------------------------------------------------------------------------------------- hooks

    fn hook(&mut self, before: bool, step: &Name, within: Option<&Name>, body: &Block, span: Span) {
        let Some(found) = self.find_step(step) else { return };
        let body = self.guarded(body.clone());
        match within {
            None => {
                let target = &mut self.flat.steps[found].step;
                if before {
                    target.body.statements.splice(0..0, body.statements);
                } else if crate::edit::returns(&target.body) {
                    // A `return` must not skip what comes after: the printed body becomes a step of its own.
                    let mut inner = target.clone();
                    inner.name.text = format!("{} (as printed)", inner.name.text);
                    inner.laws.clear();
                    let call = call_of(&inner, span);
                    target.body = block(std::iter::once(call).chain(body.statements).collect());
                    self.flat.steps.push(FlatStep { step: inner, layer: self.layer });
                } else {
                    target.body.statements.extend(body.statements);
                }
            }
            Some(outer) => {
                let Some(outer) = self.find_step(outer) else { return };
                let mut wrapper = self.flat.steps[found].step.clone();
                let printed = wrapper.name.clone();
                let called = call_of(&wrapper, span);
                wrapper.name.text =
                    format!("{} (in {})", printed.text, self.flat.steps[outer].step.name.text);
                while self.flat.steps.iter().any(|s| s.step.name.text == wrapper.name.text) {
                    wrapper.name.text.push('\'');
                }
                wrapper.laws.clear();
                wrapper.body = block(if before {
                    body.statements.into_iter().chain(std::iter::once(called)).collect()
                } else {
                    std::iter::once(called).chain(body.statements).collect()
                });
                let count =
                    wrap_calls(&mut self.flat.steps[outer].step.body, &printed.text, &wrapper.name.text);
                if count == 0 {
                    let name = self.flat.steps[outer].step.name.clone();
                    self.diagnostics.push(
                        Diagnostic::error(
                            "amend::missing",
                            span,
                            format!("the step `{}` does not do `{}`", name.text, printed.text),
                        )
                        .related(name.span, "the step"),
                    );
                    return;
                }
                self.flat.steps.push(FlatStep { step: wrapper, layer: self.layer });
            }
        }
    }

    // -------------------------------------------------------------------------------------------- conditions

    fn condition(&self) -> Option<Expr> {
        (!self.under.is_empty()).then(|| conjunction(&self.under))
    }

    fn conditioned(&self, mut clause: Clause) -> Clause {
        if let Some(condition) = self.condition() {
            restrict(&mut clause, &condition);
        }
        clause
    }

    fn conditioned_option(&self, mut option: ChoiceOption) -> ChoiceOption {
        if let Some(condition) = self.condition() {
            option.needs.insert(0, need_that(condition, option.span));
        }
        option
    }

    fn guarded(&self, body: Block) -> Block {
        match self.condition() {
            None => body,
            Some(condition) => {
                let span = body.span;
                block(vec![statement(StatementKind::If(condition, body, None), span)])
            }
        }
    }

    /// Two variants that put something in one node's place need an order, which their manifests give; the same
    /// variant changing a node twice without `under` is a slip.
    fn note_change(&mut self, node: &str, span: Span) {
        if !self.under.is_empty() {
            return;
        }
        if let Some((layer, first)) = self.flat.changed.insert(node.to_owned(), (self.layer, span)) {
            let both_variants = matches!(layer, Layer::Variant(_)) && matches!(self.layer, Layer::Variant(_));
            if layer == self.layer || both_variants {
                self.diagnostics.push(
                    Diagnostic::error("amend::clash", span, "two changes fight over one place")
                        .label("the second")
                        .related(first, "the first")
                        .help("keep one of them, or name the other variant in `after:` and remove its change first"),
                );
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------- helpers

fn restrict(clause: &mut Clause, condition: &Expr) {
    match &mut clause.kind {
        ClauseKind::Except { when, .. } | ClauseKind::Modify { when, .. } => {
            *when = Some(match when.take() {
                None => condition.clone(),
                Some(old) => binary(BinaryOp::And, condition.clone(), old),
            });
        }
        ClauseKind::Need { condition: need, .. } => {
            let old = need.clone();
            *need = binary(BinaryOp::Or, not(condition), old);
        }
    }
}

fn need_that(condition: Expr, span: Span) -> Clause {
    Clause { kind: ClauseKind::Need { condition, reason: None }, label: None, cites: Vec::new(), span }
}

fn need_not(condition: &Expr, span: Span) -> Clause {
    need_that(not(condition), span)
}

fn conjunction(parts: &[Expr]) -> Expr {
    let mut parts = parts.iter().cloned();
    let first = parts.next().unwrap_or(Expr { kind: ExprKind::Flag(true), span: Span::default() });
    parts.fold(first, |all, part| binary(BinaryOp::And, all, part))
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = right.span;
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

fn not(expr: &Expr) -> Expr {
    Expr { kind: ExprKind::Not(Box::new(expr.clone())), span: expr.span }
}

fn block(statements: Vec<Statement>) -> Block {
    let span = statements.first().map_or(Span::default(), |s| s.span);
    Block { statements, span }
}

fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement { kind, cites: Vec::new(), span }
}

fn call_of(step: &ast::Step, span: Span) -> Statement {
    let args = step
        .params
        .iter()
        .map(|param| Expr {
            kind: ExprKind::Call(ast::Call { name: param.name.clone(), args: Vec::new() }),
            span: param.name.span,
        })
        .collect();
    let call = ast::Call { name: step.name.clone(), args };
    let call = Expr { kind: ExprKind::Call(call), span };
    let kind = if step.ty.is_some() { StatementKind::Return(Some(call)) } else { StatementKind::Do(call) };
    statement(kind, span)
}

fn label_in(clauses: &[Clause], clause: &Clause) -> Option<Span> {
    let label = clause.label.as_ref()?;
    clauses.iter().find(|old| old.label.as_ref().is_some_and(|l| l.text == label.text)).map(|old| old.span)
}

fn label_text(clause: &Clause) -> String {
    clause.label.as_ref().map(|label| label.text.clone()).unwrap_or_default()
}

fn unlabelled(span: Span) -> Diagnostic {
    Diagnostic::error("amend::missing", span, "what replaces a clause needs that clause's label")
        .help("write the label and a colon before it: `replace except city: 6 if …`")
}

fn fixed_text(fixed: &[(Name, Expr)]) -> Vec<String> {
    fixed.iter().map(|(name, value)| format!("{}:{}", name.text, expression_text(value))).collect()
}

/// A simple value as it was written.
pub(crate) fn expression_text(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Thing(text) => text.clone(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        ExprKind::Call(call) => call.name.text.clone(),
        ExprKind::Range(lo, hi) => format!("{}..{}", expression_text(lo), expression_text(hi)),
        _ => String::new(),
    }
}

/// A line added to a setup joins the group of its heading, if there is one.
fn merge_placing(lines: &mut Vec<PlacingLine>, line: &PlacingLine) {
    if let PlacingLine::Group { heading, lines: more } = line {
        for old in lines.iter_mut() {
            if let PlacingLine::Group { heading: there, lines } = old
                && there.text == heading.text
            {
                for line in more {
                    merge_placing(lines, line);
                }
                return;
            }
        }
    }
    lines.push(line.clone());
}

fn replace_placing(lines: &mut Vec<PlacingLine>, line: &PlacingLine) -> bool {
    match line {
        PlacingLine::Assign(new) => {
            let StatementKind::Assign { target, .. } = &new.kind else { return false };
            let wanted = expression_text(target);
            for old in lines.iter_mut() {
                if let PlacingLine::Assign(Statement { kind: StatementKind::Assign { target, .. }, .. }) = old
                    && expression_text(target) == wanted
                {
                    *old = line.clone();
                    return true;
                }
            }
            false
        }
        PlacingLine::Placed { things, .. } => {
            let found = things.iter().all(|(thing, _)| remove_placed(lines, &thing.text));
            lines.push(line.clone());
            found
        }
        PlacingLine::Group { heading, lines: more } => {
            let mut found = true;
            for line in more {
                if let PlacingLine::Placed { things, .. } = line {
                    for (thing, _) in things {
                        found &= remove_placed(lines, &thing.text);
                    }
                }
            }
            merge_placing(lines, &PlacingLine::Group { heading: heading.clone(), lines: more.clone() });
            found
        }
        PlacingLine::Others(_) => {
            for old in lines.iter_mut() {
                if matches!(old, PlacingLine::Others(_)) {
                    *old = line.clone();
                    return true;
                }
            }
            false
        }
    }
}

fn remove_placed(lines: &mut Vec<PlacingLine>, thing: &str) -> bool {
    let mut gone = false;
    for line in lines.iter_mut() {
        match line {
            PlacingLine::Placed { things, .. } => {
                let before = things.len();
                things.retain(|(name, _)| name.text != thing);
                gone |= things.len() < before;
            }
            PlacingLine::Group { lines, .. } => gone |= remove_placed(lines, thing),
            _ => {}
        }
    }
    lines.retain(|line| !matches!(line, PlacingLine::Placed { things, .. } if things.is_empty()));
    gone
}
