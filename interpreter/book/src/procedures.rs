//! Steps, statements, choices.

use blazon_diagnostics::Span;

use crate::*;

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// Parameters and all variables.
    pub locals: Vec<Local>,
    /// What it returns.
    pub ty: Option<Type>,
    /// What it does.
    pub body: Block,
    /// How many of its first statements changes have hung before it.
    pub before: usize,
    /// Whether changes made it of another, to stand between what they hang around that: it ends before the step does whose
    /// part it is.
    pub is_part: bool,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

impl Step {
    /// What its page calls it: of a step that changes made of another the name of that.
    pub fn title(&self) -> &str {
        title_of(&self.name)
    }
}

/// What its page calls a step of this name.
pub fn title_of(name: &str) -> &str {
    // No name of a page has a bracket.
    name.split(" (").next().unwrap_or(name)
}

/// Statements in order.
pub type Block = Vec<Statement>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A variable gets its only value.
    Let(LocalId, Value),
    /// A state is set. For a set, `Add` joins and `Take` removes (the value is then a set).
    Assign {
        /// The state.
        column: ColumnId,
        /// Of what.
        keys: Vec<Expr>,
        /// How.
        op: AssignOp,
        /// To what.
        value: Value,
    },
    /// `if`
    If(Expr, Block, Block),
    /// A loop over sources taken once, in order; a source is a set, a thing, an optional thing, numbers, dice or
    /// an optional number (a loop of none or one turn).
    For {
        /// The variable.
        local: LocalId,
        /// The sources; several are all sets or things of one kind.
        sources: Vec<Expr>,
        /// Which.
        filter: Option<Expr>,
        /// For each.
        body: Block,
        /// If there was none.
        otherwise: Option<Block>,
    },
    /// `while`
    While(Expr, Block),
    /// `case`
    Case {
        /// A variable: a number or a thing.
        subject: LocalId,
        /// Ranges (or things, as `t..t`) and what then.
        arms: Vec<(Vec<(i64, i64)>, Block)>,
        /// What else.
        otherwise: Option<Block>,
    },
    /// Leaves the innermost loop.
    Stop,
    /// Leaves the step.
    Return(Option<Value>),
    /// A choice.
    Choose(Box<Choose>),
    /// A line for the log.
    Say {
        /// Whether hidden things are named to all.
        announce: bool,
        /// The line.
        text: Text,
    },
    /// A step is done.
    Do(StepId, Vec<Expr>),
    /// The game ends.
    Win(Expr),
    /// A hole, as [`ExprKind::Invalid`]: the parts of the statement that could be typed.
    Invalid(Vec<Expr>),
}

/// How a state is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `:=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Take,
}

/// What a variable or state can be set to.
#[derive(Clone, Debug)]
pub enum Value {
    /// A pure value.
    Expr(Expr),
    /// What a step returns.
    Step(StepId, Vec<Expr>),
    /// One die: its number of sides.
    Die(Expr),
    /// Several dice: sides and how many.
    Dice(Expr, Expr),
    /// So many members of a set, at random (all of it, if it has fewer).
    Draw(Expr, Expr),
}

/// A choice.
#[derive(Clone, Debug)]
pub struct Choose {
    /// Who.
    pub by: Chooser,
    /// What is asked.
    pub prompt: Option<Text>,
    /// The options.
    pub options: Vec<ChoiceOption>,
    /// When none is open; absent only where one always is.
    pub otherwise: Option<Block>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// Who chooses.
#[derive(Clone, Debug)]
pub enum Chooser {
    /// One player.
    One(Expr),
    /// All at once, in secret.
    Each(LocalId, Expr),
}

/// An option.
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Its name.
    pub name: String,
    /// Its parameters, each over a set (or thing, or optional thing, or numbers).
    pub binders: Vec<Binder>,
    /// Its line; absent: name and arguments.
    pub label: Option<Text>,
    /// Its needs, those inherited from laws of steps last.
    pub needs: Vec<Need>,
    /// What happens.
    pub body: Block,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// `b in S where c`
#[derive(Clone, Debug)]
pub struct Binder {
    /// `named`: it goes through names, and is told by its name to whoever is asked.
    pub by_name: bool,
    /// The variable.
    pub local: LocalId,
    /// Where it comes from.
    pub source: Expr,
    /// Which.
    pub filter: Option<Expr>,
}
