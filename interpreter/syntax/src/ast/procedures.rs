//! Procedures: steps, statements, choices.

use blazon_diagnostics::Span;

use super::*;

/// `step cross(b: block, to: area): TYPE needs … { … }`
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it returns.
    pub ty: Option<Type>,
    /// Its laws: needs of every option that does this step.
    pub laws: Vec<Clause>,
    /// What it does.
    pub body: Block,
    /// How many of its first statements changes have hung before it; none of a step as it is written.
    pub before: usize,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// From `step` to the opening brace.
    pub span: Span,
}

/// `{ … }`
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
    /// With its braces.
    pub span: Span,
}

/// One statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole statement.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `let n = …`
    Let(Name, Expr),
    /// `if … { … } else …`; an `else if` is a block of one statement.
    If(Expr, Block, Option<Block>),
    /// `for b in S, T where c { … } else { … }`
    For {
        /// The variable.
        name: Name,
        /// The sources, in order.
        sources: Vec<Expr>,
        /// Which of them.
        filter: Option<Expr>,
        /// For each.
        body: Block,
        /// If there was none.
        otherwise: Option<Block>,
    },
    /// `with x = … { … } else { … }`
    With {
        /// The variable.
        name: Name,
        /// What it stands for, if that is there.
        value: Expr,
        /// If it is there.
        body: Block,
        /// If it is not.
        otherwise: Option<Block>,
    },
    /// `while … { … }`
    While(Expr, Block),
    /// `case … { when … { … } else { … } }`
    Case {
        /// What is looked at.
        subject: Expr,
        /// The cases.
        whens: Vec<When>,
        /// What else.
        otherwise: Option<Block>,
    },
    /// `stop`
    Stop,
    /// `return …`
    Return(Option<Expr>),
    /// `choose by … "…" { … }`
    Choose(Box<Choose>),
    /// `say "…"` (`announce`: hidden things are named)
    Say {
        /// Whether it is `announce`.
        announce: bool,
        /// What is said.
        text: Text,
    },
    /// `target := value`
    Assign {
        /// What is set: a name or a dot.
        target: Expr,
        /// How.
        op: AssignOp,
        /// To what.
        value: Expr,
    },
    /// A step that is done.
    Do(Expr),
}

/// `:=`, `+=`, `-=`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `:=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Take,
}

/// `when 1, 3..4 "title" { … }`
#[derive(Clone, Debug)]
pub struct When {
    /// The values.
    pub values: Vec<Expr>,
    /// In a change: the case that it is put beside.
    pub beside: Option<Name>,
    /// A title.
    pub title: Option<Text>,
    /// What happens.
    pub body: Block,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// From `when` to the opening brace.
    pub span: Span,
}

/// `choose orders by s "prompt" { options } else { … }`
#[derive(Clone, Debug)]
pub struct Choose {
    /// Its name, if it has one: changes are made by it.
    pub name: Option<Name>,
    /// Who chooses.
    pub by: Chooser,
    /// What is asked.
    pub prompt: Option<Text>,
    /// The options.
    pub options: Vec<ChoiceOption>,
    /// What happens when none is open.
    pub otherwise: Option<Block>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// From `choose` to the opening brace.
    pub span: Span,
}

/// Who chooses.
#[derive(Clone, Debug)]
pub enum Chooser {
    /// `by s`
    One(Expr),
    /// `by each s in players where …`: all at once, in secret.
    Each {
        /// The variable.
        name: Name,
        /// Who.
        source: Expr,
        /// Which of them.
        filter: Option<Expr>,
    },
}

/// `option march(b in s.army, to in b.at.neighbours) "label" needs … { … }`
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Its name.
    pub name: Name,
    /// Its parameters with their domains.
    pub binders: Vec<Binder>,
    /// In a change: the option that it is put beside.
    pub beside: Option<Name>,
    /// Its line in menus and logs.
    pub label: Option<Text>,
    /// What must hold.
    pub needs: Vec<Clause>,
    /// What happens.
    pub body: Block,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// From `option` to the opening brace.
    pub span: Span,
}

/// `b in S where c`
#[derive(Clone, Debug)]
pub struct Binder {
    /// `named`: whoever is asked names a thing that he may not see.
    pub by_name: bool,
    /// The variable.
    pub name: Name,
    /// Where it comes from.
    pub source: Expr,
    /// Which of them.
    pub filter: Option<Expr>,
}
