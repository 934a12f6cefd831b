//! `replace …`: one thing in another's place. Here whole items; their parts are replaced in `replacing_parts`.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{self, Declaration, Expr, ExprKind, Name, Node};

use super::opening::column_use;
use super::removing::link_key;
use super::{Amender, Place};
use crate::merge::edits::{ClauseEdit, PartEdit, RuleEdit, StepEdit};
use crate::merge::ledger::Op;
use crate::merge::merged::{ColumnDecl, FactChange, FactValue, column_key, first_key, printed_name};
use crate::merge::sort::Sort;
use crate::merge::wholes::whole_declarations;
use crate::project::Layer;
use crate::references::DefinitionKind;

impl Amender<'_> {
    pub(super) fn replace(&mut self, place: &Place, node: &Node, whole: bool, span: Span) {
        match (place, node) {
            (Place::Top, Node::Declaration(Declaration::Rule(rule))) => {
                return self.replace_rule(rule, whole);
            }
            (Place::Top, Node::Declaration(Declaration::Step(step))) => {
                return self.replace_step(step, whole);
            }
            (Place::Kind(kind), Node::Member(member @ (ast::Member::Seen(_) | ast::Member::Back(_)))) => {
                return self.replace_face(*kind, member, whole, span);
            }
            (_, Node::Clause(clause))
                if self.edit_clause(place, ClauseEdit::Put(clause.clone()), clause.span) =>
            {
                return;
            }
            (_, Node::Option(option)) => {
                let part = PartEdit::PutOption { option: option.clone(), whole };
                if self.edit_part(place, part, option.span) {
                    return;
                }
            }
            _ => {}
        }
        if self.is_conditional(span) {
            return;
        }
        match (place, node) {
            (_, Node::When(when)) if self.edit_part(place, PartEdit::PutWhen(when.clone()), when.span) => {}
            (_, Node::FactValue { name, args, values }) => {
                for path in self.merged.printed_at(&name.text, args) {
                    self.note(path, Op::Put, span);
                }
                self.merged.fact_values.push(FactValue {
                    name: name.clone(),
                    args: args.clone(),
                    change: FactChange::Put(values.clone()),
                    layer: self.layer,
                    is_printed_over: false,
                });
            }
            (_, Node::Test(test)) => self.replace_test(place, test, span),
            (Place::Top, Node::Declaration(declaration)) => self.replace_declaration(declaration, span),
            (Place::Kind(kind), Node::Member(member)) => self.replace_member(*kind, member, span),
            (Place::Setup(setup), Node::Placing(line)) => self.replace_placed(*setup, line, span),
            (Place::Table(table), Node::NamedRows(rows)) => self.replace_named_rows(*table, rows),
            (Place::Links(links), Node::Links(replaced)) => {
                let fixed = self.merged.links[*links].fixed.clone();
                for link in replaced {
                    self.note_link(link, Op::Put);
                    let columns: Vec<(&str, Span)> =
                        fixed.iter().map(|(column, _)| (column.text.as_str(), link.span)).collect();
                    self.print_anew(&link_key(link), &columns);
                    self.replace_link(*links, link);
                }
            }
            (Place::Rule(rule), Node::Rows(rows)) => self.replace_rows_of_rule(*rule, rows),
            (Place::Table(table), Node::Rows(rows)) => self.replace_rows(*table, rows),
            (Place::Face(face), Node::Rows(_)) => self.no_rows(face, span),
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

    /// Complains of what has parts of its own, of which each is changed by itself.
    fn not_as_a_whole(&mut self, word: &str, name: &Name, span: Span) {
        let what = match word {
            "links" => "a list of links".to_owned(),
            word => format!("a {word}"),
        };
        let message = format!("{what} is not replaced as a whole");
        let help =
            format!("open it, and add, replace or remove what is in it: `in {word} {} {{ … }}`", name.text);
        self.diagnostics.push(Diagnostic::error("amend::missing", span, message).help(help));
    }

    /// A whole item, by its name.
    fn replace_declaration(&mut self, declaration: &Declaration, span: Span) {
        if let Declaration::Look(new) = declaration {
            let old = self.merged.looks.find(&new.name.text).cloned();
            self.merged.unseen.looks.extend(old);
        }
        if self.replace_whole(declaration, span) {
            return;
        }
        match declaration {
            Declaration::State(state) => {
                self.replace_column(None, &ColumnDecl::State(state.clone()), span);
            }
            Declaration::Fact(fact) => {
                self.replace_column(None, &ColumnDecl::Fact(fact.clone()), span);
            }
            Declaration::Kind(kind) => self.not_as_a_whole("kind", &kind.name, span),
            Declaration::Table(table) => self.not_as_a_whole("table", &table.kind, span),
            Declaration::Links(links) => self.not_as_a_whole("links", &links.kind, span),
            Declaration::Rule(_) | Declaration::Step(_) | Declaration::Omitted(_) => {
                self.cannot_replace(span);
            }
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
            ast::Member::Seen(_) | ast::Member::Back(_) => self.replace_face(kind, member, false, span),
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

    fn replace_rule(&mut self, rule: &ast::Rule, whole: bool) {
        let Some(found) = self.merged.rules.same(rule) else {
            if self.other_parameters(rule) {
                return;
            }
            let names: Vec<String> = self.merged.rules.iter().map(|old| old.rule.name.text.clone()).collect();
            self.missing(&Sort::Rule, &rule.name, &names);
            return;
        };
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
        self.never_read((self.merged.rules[found].layer, declared), &rule.name, "rule");
        let kind = RuleEdit::Body { rule: Box::new(rule.clone()), whole };
        self.edit_rule(found, kind, (if whole { Op::Whole } else { Op::Put }, &[]), rule.span);
    }

    fn replace_step(&mut self, step: &ast::Step, whole: bool) {
        let Some(found) = self.find_step(&step.name) else { return };
        let old = &self.merged.steps[found];
        self.never_read((old.layer, old.step.name.span), &step.name, "step");
        let kind = StepEdit::Body { step: Box::new(step.clone()), whole };
        self.edit_step(found, kind, (if whole { Op::Whole } else { Op::Put }, &[]), step.span);
    }

    /// Warns of a body that its own layer puts another in the place of, at all times: nobody plays it, and nobody reads it.
    fn never_read(&mut self, (layer, declared): (Layer, Span), name: &Name, what: &str) {
        // A module of the library may be taken without the one that puts something else there.
        let is_of_module = layer == Layer::Library && declared.source != name.span.source;
        if layer == self.layer && self.under.is_empty() && !is_of_module {
            let message = format!("the {what} `{}` is written twice here: this one is never read", name.text);
            let said = Diagnostic::warning("names::twice", declared, message)
                .related(name.span, "this is put in its place")
                .help("take one of the two out; a variant puts something in the place of what its game says");
            self.diagnostics.push(said);
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
            let same = self.merged.columns.iter().find(|old| old.decl.name().text == decl.name().text);
            if let Some((old, owner)) = same.and_then(|old| Some((old, first_key(old)?))) {
                let name = decl.name();
                let message =
                    format!("there is no `{}` of that to change: it is one of each {owner}", name.text);
                let help = format!(
                    "open the kind: `in kind {owner} {{ replace {} {}: … }}`",
                    decl.word(),
                    name.text
                );
                let said = Diagnostic::error("amend::missing", name.span, message).label("not found");
                self.diagnostics.push(said.related(old.decl.name().span, "the other").help(help));
                return;
            }
            let names: Vec<String> =
                self.merged.columns.iter().map(|old| old.decl.name().text.clone()).collect();
            self.missing(&Sort::Column, decl.name(), &names);
            return;
        };
        self.note(vec![column_key(&probe)], Op::Put, span);
        let (sort, declared) = column_use(&self.merged.columns[found].decl);
        self.merged.uses.note(decl.name().span, sort, declared);
        self.merged.unseen.column(&self.merged.columns[found].decl);
        let old = &mut self.merged.columns[found];
        // `state shields: … = printed`: the printed fact stays under its name with `(printed)` behind it.
        if let (ColumnDecl::State(state), ColumnDecl::Fact(fact)) = (decl, &old.decl)
            && let Some(Expr { kind: ExprKind::Call(call), .. }) = &state.start
            && call.name.text == "printed"
        {
            let mut fact = fact.clone();
            let hidden = printed_name(&fact.name.text);
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
