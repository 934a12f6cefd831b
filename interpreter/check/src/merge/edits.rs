//! What changes do to rules and steps, kept apart from what they change until all are known: only then is it clear
//! what each is hung on.

use blazon_diagnostics::Span;
use blazon_syntax::ast::{
    Block, ChoiceOption, Cite, Clause, Expr, Name, Param, PartKind, Row, Rule, Step, When,
};

use crate::project::Layer;

/// One change of a rule or step.
#[derive(Clone, Debug)]
pub(crate) struct Edit<K> {
    pub layer: Layer,
    /// When it holds; always, if absent.
    pub under: Option<Expr>,
    /// What it calls the parameters, where it says so itself.
    pub names: Option<Vec<Param>>,
    pub kind: K,
    pub span: Span,
}

/// A change of a rule.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "most are clauses")]
pub(crate) enum RuleEdit {
    /// Another heading, value and clauses; with `whole`, what layers below hung on the rule goes, too.
    Body {
        rule: Box<Rule>,
        whole: bool,
    },
    Clause(ClauseEdit),
    Rows(Vec<Row>),
    PutRows(Vec<Row>),
    Cites(Vec<Cite>),
}

/// A change of a step.
#[derive(Clone, Debug)]
pub(crate) enum StepEdit {
    Body {
        step: Box<Step>,
        whole: bool,
    },
    Law(ClauseEdit),
    /// Of the option at the end of the path.
    Need(Vec<Opened>, ClauseEdit),
    /// A part of what the path opens; of the step, if that is empty.
    Part(Vec<Opened>, PartEdit),
    Hook {
        before: bool,
        body: Block,
    },
    /// Around another step where this one does it.
    HookOf {
        step: Name,
        before: bool,
        body: Block,
    },
    /// Of the step, or of the option at the end of the path.
    Cites(Vec<Opened>, Vec<Cite>),
}

/// A change of the options of a choice, or of the cases of a `case`.
#[derive(Clone, Debug)]
pub(crate) enum PartEdit {
    AddOption(ChoiceOption),
    PutOption { option: ChoiceOption, whole: bool },
    DropOption(Opened),
    AddWhen(When),
    PutWhen(When),
    DropWhen(Opened),
}

/// A change of a clause, need or law.
#[derive(Clone, Debug)]
pub(crate) enum ClauseEdit {
    Add(Clause),
    Put(Clause),
    Drop(Name),
}

/// A part of a step that a change opens or names.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub kind: PartKind,
    pub name: Name,
    /// What stands beside it.
    pub beside: Option<Name>,
}
