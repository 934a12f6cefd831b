//! Amendments: changes of what is declared elsewhere.

use blazon_diagnostics::Span;

use super::*;

/// A change of the book.
#[derive(Clone, Debug)]
pub struct Amend {
    /// What changes.
    pub kind: AmendKind,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole change.
    pub span: Span,
}

/// The changes.
#[derive(Clone, Debug)]
pub enum AmendKind {
    /// `in rule limit { … }`
    Inside {
        /// What is opened.
        part: Part,
        /// What is changed in it.
        changes: Vec<Amend>,
    },
    /// `cite rule pinned @5.22`, `cite option march in give orders @5.2`: paragraphs of what stands elsewhere. The parts
    /// lead to it, outer before inner.
    Cite(Vec<Part>),
    /// `in fact guards(North Gate) { + Archers; - Spearmen }`
    Members {
        /// The fact, whose values are sets.
        name: Name,
        /// Of what.
        args: Vec<Expr>,
        /// What is added and taken.
        lines: Vec<FactLine>,
    },
    /// A thing that simply stands in an opened part: it is added.
    Add(Node),
    /// `before give orders { … }`, `after retreat in battle round { … }`
    Hook {
        /// Whether before.
        before: bool,
        /// The step wrapped.
        step: Name,
        /// Only where this step does it.
        within: Option<Name>,
        /// What is done.
        body: Block,
    },
    /// `under weather = Fog { … }`
    Under {
        /// When the changes hold.
        condition: Expr,
        /// The changes.
        changes: Vec<Amend>,
    },
    /// `replace rule …`, `replace fact rating(Cannon) = B3`, `replace whole step …`
    Replace {
        /// What comes into the other's place.
        new: Node,
        /// Whether what other changes hung on it goes, too.
        whole: bool,
    },
    /// `remove clause cannon`, `remove Ford - Mill`
    Remove(Removable),
    /// `waive peace`
    Waive(Name),
}

/// `+ Archers, Spearmen`
#[derive(Clone, Debug)]
pub struct FactLine {
    /// Whether the members are taken away.
    pub minus: bool,
    /// The members.
    pub members: Vec<Expr>,
    /// The whole line.
    pub span: Span,
}

/// `rule limit`, `links border (colour: Yellow)`, `when 3`
#[derive(Clone, Debug)]
pub struct Part {
    /// What sort.
    pub kind: PartKind,
    /// Its name, or the value of a `when`.
    pub name: Name,
    /// The fixed columns that single out one of several tables or lists of links.
    pub fixed: Vec<(Name, Expr)>,
    /// What stands beside it in its choice or case, where several have the name.
    pub beside: Option<Name>,
    /// All of it.
    pub span: Span,
}

/// What can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// A kind.
    Kind,
    /// A rule.
    Rule,
    /// A step.
    Step,
    /// An option of the step around.
    Option,
    /// A table.
    Table,
    /// A list of links.
    Links,
    /// A setup.
    Setup,
    /// A case of the step around.
    When,
    /// A choice of the step around, by its name.
    Choice,
    /// Who sees the things of the kind around; the name is that of the viewer.
    Seen,
    /// What the backs of the kind around show.
    Back,
}

/// What can be added or put in another's place.
#[derive(Clone, Debug)]
pub enum Node {
    /// A whole declaration.
    Declaration(Declaration),
    /// A whole test.
    Test(Test),
    /// A line of a kind's body.
    Member(Member),
    /// A clause of a rule, a need of an option, a law of a step.
    Clause(Clause),
    /// An option.
    Option(ChoiceOption),
    /// A case.
    When(When),
    /// Rows of a table.
    Rows(Vec<Row>),
    /// Rows by name.
    NamedRows(Vec<NamedRow>),
    /// A line of a setup.
    Placing(PlacingLine),
    /// Links.
    Links(Vec<Link>),
    /// Things of a kind.
    Things(Vec<Name>),
    /// `fact rating(Cannon (Red)) = B3`: one printed value.
    FactValue {
        /// The fact.
        name: Name,
        /// Of what.
        args: Vec<Expr>,
        /// The values; several for a set.
        values: Vec<Expr>,
    },
}

/// What can be removed.
#[derive(Clone, Debug)]
pub enum Removable {
    /// `test "…"`, by what it shows.
    Test(Name),
    /// `rule x`, `step x`, `option x`, `clause x`, `fact x`, `state x`, `kind x`, `ruling x`, `when 3`
    Named {
        /// The word before the name.
        what: Name,
        /// The name.
        name: Name,
        /// What stands beside it.
        beside: Option<Name>,
    },
    /// `Ford - Mill`
    Link(Link),
    /// A thing of a kind, a row of a table, a line of a setup.
    Thing(Name),
}
