//! The checked book: one game with its library and variants, flat, every name resolved and typed.
//!
//! Everything is a number into a table of this book. What the checker has proved is written at the field:
//! the lowering relies on it and the program's verifier checks what can be checked again.

use std::sync::Arc;

use blazon_diagnostics::{Sources, Span};

/// A kind of things, by its place in [`Book::kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u32);
/// A fact or a state, by its place in [`Book::columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub u32);
/// A rule, by its place in [`Book::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);
/// A step, by its place in [`Book::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u32);
/// A variable of a rule or step, by its place in the `locals` of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A whole game, checked.
#[derive(Clone, Debug)]
pub struct Book {
    /// The game's name.
    pub title: String,
    /// The game's version, as its manifest has it.
    pub version: String,
    /// The variants, in the order of stacking: name and version.
    pub variants: Vec<(String, String)>,
    /// All kinds.
    pub kinds: Vec<Kind>,
    /// All facts and states.
    pub columns: Vec<Column>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// All steps. No step can call itself, directly or not.
    pub steps: Vec<Step>,
    /// All watches.
    pub watches: Vec<Watch>,
    /// All setups.
    pub setups: Vec<Setup>,
    /// All rulings, with the value that this book was checked under.
    pub rulings: Vec<Ruling>,
    /// All tests.
    pub tests: Vec<Test>,
    /// The kind whose things decide.
    pub player: KindId,
    /// Those of its things that sit at the table, in the order of the manifest.
    pub players: Vec<u32>,
    /// A rule `chooser(s)` of one player that says who decides for him, if the book has one.
    pub chooser: Option<RuleId>,
    /// The first step; it has no parameters.
    pub begins: StepId,
    /// The setup used when nothing else is asked for.
    pub default_setup: usize,
    /// The paragraphs of the outline(s), in order: number and title.
    pub outline: Vec<(String, String)>,
    /// Statement ids of the audit that tests may cite.
    pub statements: Vec<String>,
    /// The files, for places.
    pub sources: Arc<Sources>,
}

/// A kind.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// The name of the set of all.
    pub plural: String,
    /// Its things, in printed order.
    pub things: Vec<Thing>,
    /// For a kind of links: the kinds of its ends (equal kinds in all supported books).
    pub ends: Option<(KindId, KindId)>,
    /// Who sees the face of a thing; everybody, if absent.
    pub seen: Option<Seen>,
    /// The columns that everybody sees of a thing whose face he does not see.
    pub back: Vec<ColumnId>,
    /// Whether the name stands on the back, too.
    pub name_on_back: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A thing.
#[derive(Clone, Debug)]
pub struct Thing {
    /// Its name as printed.
    pub name: String,
    /// Look-alikes share a group (the place of the first of them); others are alone in theirs.
    pub group: u32,
    /// For a link: its two ends.
    pub ends: Option<(u32, u32)>,
    /// Where it is listed.
    pub span: Span,
}

/// `seen by v: …`
#[derive(Clone, Debug)]
pub struct Seen {
    /// Local 0 is the viewer (a player), local 1 the thing.
    pub locals: Vec<Local>,
    /// A flag.
    pub when: Expr,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// What it is when it is there.
    pub base: Base,
    /// Whether it may be absent (things and numbers only).
    pub optional: bool,
}

/// The types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// `yes` or `no`.
    Flag,
    /// A number in these bounds, both included.
    Number(i64, i64),
    /// One thing.
    Thing(KindId),
    /// A set of things.
    Set(KindId),
    /// A roll of several dice.
    Dice,
    /// A text (facts and rulings' questions only).
    Text,
    /// Two numbers.
    Point,
    /// Yes, or no with a reason.
    Permission,
    /// `1..n`, as the source of a loop or the right side of `in`.
    Numbers,
    /// The type of `none`.
    Nothing,
}

/// A fact (printed) or a state (kept).
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The kinds it is asked of; empty for one value.
    pub keys: Vec<KindId>,
    /// What it holds.
    pub ty: Type,
    /// Printed or kept.
    pub role: Role,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

/// Printed or kept.
#[derive(Clone, Debug)]
pub enum Role {
    /// Printed: the values of all combinations of keys, the last key running fastest.
    Fact(Vec<Constant>),
    /// Kept.
    State {
        /// The value at the start and at each reset; reads facts and the key variables only. `None`: no,
        /// 0 (or the number nearest to it that the range has), absent, empty, or the first thing (then the
        /// state is set before it is read).
        start: Option<Start>,
        /// The steps that reset it when they begin and when they end.
        fresh: Vec<StepId>,
    },
}

/// The start of a state: an expression over its keys.
#[derive(Clone, Debug)]
pub struct Start {
    /// The key variables, in order, then whatever queries bind.
    pub locals: Vec<Local>,
    /// The value.
    pub value: Expr,
}

/// A printed value.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// Not there.
    Absent,
    /// A flag (0, 1), a number or a thing.
    Word(i64),
    /// A set, by its things in ascending order.
    Set(Vec<u32>),
    /// A text.
    Text(String),
    /// Two numbers.
    Point(i64, i64),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; empty for one that the checker made.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// Parameters and all variables of its queries.
    pub locals: Vec<Local>,
    /// What it gives.
    pub ty: Type,
    /// How.
    pub body: RuleBody,
    /// Paragraphs of the base.
    pub cites: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

/// How a rule is answered.
#[derive(Clone, Debug)]
pub enum RuleBody {
    /// A base, exceptions, modifiers.
    Value {
        /// The base.
        base: Expr,
        /// The exceptions. Of those that hold, one that no other holding one outranks decides; two such with
        /// different values are the run-time error `run::clash`.
        exceptions: Vec<Exception>,
        /// The modifiers; all that hold are added.
        modifiers: Vec<Modifier>,
    },
    /// Needs, in order; the first that fails refuses.
    Permission(Vec<Need>),
    /// A table: rows tried by the leading parameters, columns by the last one. Complete and without overlap.
    Table(RuleTable),
}

/// `except label beats …: value if when`
#[derive(Clone, Debug)]
pub struct Exception {
    /// Its label or an empty text.
    pub label: String,
    /// The places (in `exceptions`) of those that it outranks.
    pub beats: Vec<usize>,
    /// The value instead.
    pub value: Expr,
    /// When.
    pub when: Option<Expr>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// `+ label: value if when`
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Its label or an empty text.
    pub label: String,
    /// Whether it takes away.
    pub minus: bool,
    /// What is added: a number, or a set (or one thing, as a set).
    pub value: Expr,
    /// When.
    pub when: Option<Expr>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// `needs label: condition else "reason"`
#[derive(Clone, Debug)]
pub struct Need {
    /// Its label or an empty text.
    pub label: String,
    /// A flag or a permission; when a permission fails, its own reason is given.
    pub condition: Expr,
    /// Why not.
    pub reason: Option<Text>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// A rule that is a table.
#[derive(Clone, Debug)]
pub struct RuleTable {
    /// The leading columns: which parameter each one reads.
    pub leading: Vec<LocalId>,
    /// The parameter that the other columns read.
    pub across: LocalId,
    /// The ranges (or things, as `t..t`) of the other columns, in order.
    pub headings: Vec<(i64, i64)>,
    /// The rows: ranges of the leading columns, then one value per heading.
    pub rows: Vec<TableRow>,
}

/// A row of a rule's table: the ranges of its leading columns, and its values.
pub type TableRow = (Vec<(i64, i64)>, Vec<Constant>);

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
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where it is declared.
    pub span: Span,
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
    /// The variable.
    pub local: LocalId,
    /// Where it comes from.
    pub source: Expr,
    /// Which.
    pub filter: Option<Expr>,
}

/// A text with holes.
#[derive(Clone, Debug)]
pub struct Text {
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// Where.
    pub span: Span,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// As written.
    Plain(String),
    /// A value.
    Hole(Expr),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// The expressions. Operands have exactly the types that are said here; the checker has put [`ExprKind::ToSet`]
/// and [`ExprKind::Each`] where the text leaves them out.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a flag (0, 1) or a thing, by the type.
    Word(i64),
    /// Absent.
    Absent,
    /// All things of a kind.
    Everything(KindId),
    /// The players at the table, a set.
    Players,
    /// Who has won: an optional player.
    Winner,
    /// A variable.
    Local(LocalId),
    /// A fact or a state.
    Column(ColumnId, Vec<Expr>),
    /// A rule.
    Rule(RuleId, Vec<Expr>),
    /// All links at a thing.
    Links(KindId, Box<Expr>),
    /// All things that a link of this kind joins to a thing.
    Neighbours(KindId, Box<Expr>),
    /// The link between two things, optional.
    Between(KindId, Box<Expr>, Box<Expr>),
    /// The ends of a link, a set.
    Ends(KindId, Box<Expr>),
    /// The body is asked of each thing of the source (a set, or an optional thing) and the answers are joined:
    /// a set; or, of an optional source, optional (things, numbers), or `no` (flags, permissions).
    Each(LocalId, Box<Expr>, Box<Expr>),
    /// A thing or an optional thing, as a set.
    ToSet(Box<Expr>),
    /// `not`
    Not(Box<Expr>),
    /// `and`, from the left, the right side only if the left holds.
    And(Vec<Expr>),
    /// `or`, likewise.
    Or(Vec<Expr>),
    /// Two of one type: words (absent equals absent) or sets.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// A thing (perhaps absent: then `no`) in a set.
    In(Box<Expr>, Box<Expr>),
    /// A number between two numbers.
    Within(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Numbers.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// Sets.
    Sets(SetOp, Box<Expr>, Box<Expr>),
    /// `odd(n)`
    Odd(Box<Expr>),
    /// `1..n`
    Range(Box<Expr>, Box<Expr>),
    /// The right side where the left is absent.
    Otherwise(Box<Expr>, Box<Expr>),
    /// A query.
    Query(Box<Query>),
    /// Things as a set; an absent one adds nothing.
    List(Vec<Expr>),
    /// The second where the first holds, else the third: made by the checker for changes under a condition.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// The comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`, numbers
    Less,
    /// `<=`, numbers
    AtMost,
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, rounded down; by zero is the run-time error `run::range`
    Over,
    /// `min`
    Min,
    /// `max`
    Max,
}

/// Operations on sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetOp {
    /// `+`
    Union,
    /// `&`
    Both,
    /// `-`
    Without,
}

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which.
    pub quantifier: Quantifier,
    /// The variable.
    pub local: LocalId,
    /// A set, or dice, or (for `any`) numbers. For `reach`: where it starts.
    pub source: Expr,
    /// Which of them, a flag.
    pub filter: Option<Expr>,
    /// `most`, `least`, `total`: a number. `reach`: the next hops, a set.
    pub by: Option<Expr>,
    /// `reach`: how many hops; without end, if absent.
    pub within: Option<Expr>,
}

/// What a query gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// The set.
    All,
    /// A flag.
    Any,
    /// A number.
    Count,
    /// An optional thing (or number, of dice), in printed order.
    First,
    /// The set of the greatest.
    Most,
    /// The set of the least.
    Least,
    /// A sum.
    Total,
    /// A set, the start included.
    Reach,
}

/// `whenever`
#[derive(Clone, Debug)]
pub struct Watch {
    /// Its label.
    pub name: String,
    /// The variables of the condition.
    pub locals: Vec<Local>,
    /// What must become true.
    pub condition: Expr,
    /// A step without parameters that happens then.
    pub body: StepId,
    /// It sleeps while none of these steps is under way; empty: it never sleeps.
    pub awake: Vec<StepId>,
    /// Where.
    pub span: Span,
}

/// A setup.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its name.
    pub name: String,
    /// Its second name.
    pub title: Option<String>,
    /// A step without parameters that only sets states.
    pub body: StepId,
    /// Where.
    pub span: Span,
}

/// A ruling.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// Its name.
    pub name: String,
    /// Its values, as written; the first is the default.
    pub values: Vec<String>,
    /// The value chosen for this book, by place.
    pub chosen: usize,
    /// The question.
    pub question: String,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// What it shows.
    pub name: String,
    /// Paragraphs, statements, examples, rulings.
    pub cites: Vec<String>,
    /// The rulings it asks for: the book must be checked under these.
    pub rulings: Vec<(String, String)>,
    /// Its lines.
    pub lines: Vec<TestLine>,
    /// Where.
    pub span: Span,
}

/// A line of a test.
#[derive(Clone, Debug)]
pub struct TestLine {
    /// What it says.
    pub kind: TestLineKind,
    /// Where.
    pub span: Span,
}

/// The lines of a test.
#[derive(Clone, Debug)]
pub enum TestLineKind {
    /// The position of a setup.
    From(usize),
    /// A step without parameters that only sets states.
    Set(StepId),
    /// A step without parameters that is played to its first decision (its body does one step).
    Play(StepId),
    /// The next rolls.
    Dice(Vec<i64>),
    /// The next draws, by kind and thing.
    Cards(Vec<(KindId, u32)>),
    /// A player takes an option.
    Decide(u32, Pick),
    /// An option must be open to a player.
    Offer(u32, Pick),
    /// An option must be refused, perhaps for this reason.
    Refuse(u32, Pick, Option<String>),
    /// These must hold; each a rule of no parameters giving a flag, and its text.
    Expect(Vec<Expectation>),
    /// The line before must have ended in this run-time error.
    Fails(String),
}

/// One condition of an `expect` line.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// A flag.
    pub condition: RuleId,
    /// Of a comparison: its left side, to be shown when it fails.
    pub actual: Option<RuleId>,
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// An option by meaning: its name and its arguments. An argument lists all readings of what was written.
#[derive(Clone, Debug)]
pub struct Pick {
    /// The option's name.
    pub name: String,
    /// Each argument's readings: a thing of a kind, or a number (without kind).
    pub args: Vec<Vec<(Option<KindId>, i64)>>,
    /// As written.
    pub text: String,
}

impl Book {
    /// The kind of that number.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.0 as usize]
    }
    /// The column of that number.
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[id.0 as usize]
    }
    /// The rule of that number.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.0 as usize]
    }
    /// The step of that number.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }
}

impl Type {
    /// One that is always there.
    pub fn of(base: Base) -> Self {
        Self { base, optional: false }
    }
    /// One that may be absent.
    pub fn maybe(base: Base) -> Self {
        Self { base, optional: true }
    }
}
