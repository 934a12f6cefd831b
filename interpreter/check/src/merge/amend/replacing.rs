//! `replace …`: one thing in another's place. Here whole items; their parts are replaced in `replacing_parts`.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{self, Clause, ClauseKind, Declaration, Expr, ExprKind, Name, Node, StatementKind};

use super::conflicts::keys_text;
use super::opening::column_use;
use super::pieces::{block, conjunction, not, restrict, statement};
use super::{Amender, Place};
use crate::merge::merged::{ColumnDecl, FactValue, MergedRule, column_key, first_key, rule_key};
use crate::merge::sort::Sort;
use crate::merge::wholes::whole_declarations;
use crate::references::DefinitionKind;

impl Amender<'_> {
    pub(super) fn replace(&mut self, place: &Place, node: &Node, span: Span) {
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
                self.note_change(&format!("fact {}({})", name.text, keys_text(args)), span);
                self.merged.fact_values.push(FactValue {
                    name: name.clone(),
                    args: args.clone(),
                    values: values.clone(),
                });
            }
            (Place::Top, Node::Declaration(declaration)) => self.replace_declaration(declaration, span),
            (Place::Kind(kind), Node::Member(member)) => self.replace_member(*kind, member, span),
            (Place::Rule(rule), Node::Clause(clause)) => self.replace_clause(*rule, clause),
            (Place::Step(step), Node::Option(option)) => self.replace_option(*step, option, span),
            (Place::Option(step, name), Node::Clause(clause)) => {
                let what = self.need_of(place);
                self.replace_need(*step, name, &what, clause);
            }
            (Place::Step(step), Node::When(when)) => self.replace_when(*step, when, span),
            (Place::Setup(setup), Node::Placing(line)) => self.replace_placed(*setup, line, span),
            (Place::Table(table), Node::NamedRows(rows)) => self.replace_named_rows(*table, rows),
            (Place::Links(links), Node::Links(replaced)) => {
                for link in replaced {
                    self.replace_link(*links, link);
                }
            }
            (Place::Rule(rule), Node::Rows(rows)) => self.replace_rows_of_rule(*rule, rows),
            (Place::Table(table), Node::Rows(rows)) => self.replace_rows(*table, rows),
            _ => self.cannot_replace(span),
        }
    }

    fn cannot_replace(&mut self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error("amend::missing", span, "this cannot be replaced here").help(
                "open what it belongs to: `in rule …`, `in step …`, `in kind …`, `in table …`, `in setup …`",
            ),
        );
    }

    /// A whole item, by its name.
    fn replace_declaration(&mut self, declaration: &Declaration, span: Span) {
        if self.replace_whole(declaration, span) {
            return;
        }
        match declaration {
            Declaration::Rule(rule) => self.replace_rule(rule),
            Declaration::Step(step) => self.replace_step(step),
            Declaration::State(state) => {
                self.replace_column(None, &ColumnDecl::State(state.clone()), span);
            }
            Declaration::Fact(fact) => {
                self.replace_column(None, &ColumnDecl::Fact(fact.clone()), span);
            }
            Declaration::Kind(_)
            | Declaration::Table(_)
            | Declaration::Links(_)
            | Declaration::Omitted(_) => self.cannot_replace(span),
            whole_declarations!() => {}
        }
    }

    /// A line of a kind's body.
    fn replace_member(&mut self, kind: usize, member: &ast::Member, span: Span) {
        match member {
            ast::Member::Fact(fact) => self.replace_column(Some(kind), &ColumnDecl::Fact(fact.clone()), span),
            ast::Member::State(state) => {
                self.replace_column(Some(kind), &ColumnDecl::State(state.clone()), span);
            }
            ast::Member::Seen(seen) => {
                self.note_change(&format!("kind {} seen by", self.merged.kinds[kind].name.text), span);
                self.merged.kinds[kind].seen = Some(seen.clone());
            }
            ast::Member::Back(back) => {
                self.note_change(&format!("kind {} back", self.merged.kinds[kind].name.text), span);
                self.merged.kinds[kind].back = Some(back.clone());
            }
        }
    }

    /// Whether a change stands under a condition that it cannot hang on; says so.
    pub(super) fn is_conditional(&mut self, span: Span) -> bool {
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

    pub(super) fn replace_rule(&mut self, rule: &ast::Rule) {
        let Some(found) = self.merged.rules.same(rule) else {
            if self.other_parameters(rule) {
                return;
            }
            let names: Vec<String> = self.merged.rules.iter().map(|old| old.rule.name.text.clone()).collect();
            self.missing(&Sort::Rule, &rule.name, &names);
            return;
        };
        self.note_whole(&rule_key(rule), rule.span);
        let declared = self.merged.rules[found].rule.name.span;
        self.merged.uses.note(rule.name.span, DefinitionKind::Rule, declared);
        let old = &self.merged.rules[found].rule;
        if crate::merge::merged::type_text(&old.ty) != crate::merge::merged::type_text(&rule.ty)
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
                let mut rule = rule.clone();
                if !rule.rows.is_empty() {
                    // A table printed anew keeps its title, unless it brings one.
                    rule.title = rule.title.or_else(|| self.merged.rules[found].rule.title.take());
                }
                self.merged.rules[found].rule = rule;
                self.merged.rules[found].layer = self.layer;
            }
            Some(condition) => {
                self.set_table_apart(found);
                let base = self.base_of(rule, &condition);
                let old = &mut self.merged.rules[found].rule;
                let labels: Vec<Name> =
                    old.clauses.iter().filter_map(|clause| clause.label.clone()).collect();
                for clause in &mut old.clauses {
                    restrict(clause, &not(&condition));
                }
                if let Some(base) = base {
                    let label = Name { text: format!("{} (replaced)", rule.name.text), span: rule.name.span };
                    old.clauses.push(Clause {
                        kind: ClauseKind::Except {
                            beats: labels,
                            value: base,
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

    /// A rule that is a table becomes one that asks the table, which stays as it is printed under a name of its own.
    fn set_table_apart(&mut self, found: usize) {
        let merged = &mut self.merged.rules[found];
        if merged.rule.rows.is_empty() {
            return;
        }
        let mut table = merged.clone();
        table.rule.name.text.push_str(" (printed)");
        merged.rule.rows = Vec::new();
        merged.rule.title = None;
        merged.rule.base = Some(asked(&table.rule));
        self.merged.rules.push(table);
    }

    /// What a rule gives that replaces another under a condition; a table is put under a name of its own.
    fn base_of(&mut self, rule: &ast::Rule, condition: &Expr) -> Option<Expr> {
        if rule.rows.is_empty() {
            return rule.base.clone();
        }
        let mut table = rule.clone();
        table.name.text.push_str(&format!(" (under {})", ast::print::expr(condition)));
        let base = asked(&table);
        self.merged.rules.push(MergedRule { rule: table, layer: self.layer, promised: None });
        Some(base)
    }

    pub(super) fn replace_step(&mut self, step: &ast::Step) {
        let Some(found) = self.find_step(&step.name) else { return };
        self.note_whole(&format!("step {}", step.name.text), step.span);
        let old = &mut self.merged.steps[found];
        match self.under.split_first() {
            None => {
                old.step = step.clone();
                old.layer = self.layer;
            }
            Some(_) => {
                let condition = conjunction(&self.under);
                let printed = std::mem::take(&mut old.step.body);
                // What is printed stands first, so that other amendments find its parts before those of the new body.
                old.step.body = block(vec![statement(
                    StatementKind::If(not(&condition), printed, Some(step.body.clone())),
                    step.span,
                )]);
            }
        }
    }

    pub(super) fn replace_column(&mut self, kind: Option<usize>, decl: &ColumnDecl, span: Span) {
        let owner = kind.map(|kind| self.merged.kinds[kind].name.clone());
        let probe = crate::merge::merged::MergedColumn { owner, decl: decl.clone(), layer: self.layer };
        let found =
            self.merged.columns.iter().position(|old| {
                old.decl.name().text == decl.name().text && first_key(old) == first_key(&probe)
            });
        let Some(found) = found else {
            let names: Vec<String> =
                self.merged.columns.iter().map(|old| old.decl.name().text.clone()).collect();
            self.missing(&Sort::Column, decl.name(), &names);
            return;
        };
        self.note_change(&column_key(&probe), span);
        let (sort, declared) = column_use(&self.merged.columns[found].decl);
        self.merged.uses.note(decl.name().span, sort, declared);
        let old = &mut self.merged.columns[found];
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
            self.merged.columns.push(crate::merge::merged::MergedColumn {
                owner,
                decl: ColumnDecl::Fact(fact),
                layer,
            });
            return;
        }
        old.decl = decl.clone();
        old.layer = self.layer;
    }
}

/// A rule asked of its own parameters.
fn asked(rule: &ast::Rule) -> Expr {
    let call = |name: &Name, args| Expr {
        kind: ExprKind::Call(ast::Call { name: name.clone(), args }),
        span: rule.span,
    };
    call(&rule.name, rule.params.iter().map(|param| call(&param.name, Vec::new())).collect())
}
