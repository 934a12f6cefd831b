//! The syntax tree: what stands in one file, as written, with the place of every part.
//!
//! Nothing is resolved here: a name is text, a thing is text, a table cell is text. Amendments are still
//! apart from what they amend. The checker (`blazon-check`) turns trees into one book.

use blazon_diagnostics::Span;

/// A name or a thing as written, blanks between its words folded to one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The words.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A citation: `@5.21` is `5.21`.
pub type Cite = Name;

/// One file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Its items in the written order.
    pub items: Vec<Item>,
}

/// One item at the left margin.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// From its first word to its last.
    pub span: Span,
}

/// What may stand at the left margin.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// A declaration of the book.
    Declaration(Declaration),
    /// A change of what is declared elsewhere.
    Amend(Amend),
    /// `test "…" { … }`
    Test(Test),
}

/// A named part of the book.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `kind city (cities) = Bristol, …`
    Kind(Kind),
    /// `fact port(area): flag` outside its kind's body.
    Fact(Fact),
    /// `state throne: side`
    State(State),
    /// `rule force(s: side): set of block = …`
    Rule(Rule),
    /// `step battle(a: area) { … }`
    Step(Step),
    /// `table area …`
    Table(Table),
    /// `links border (colour: Red) …`
    Links(Links),
    /// `setup Kingmaker "1470" (block: side, at) { … }`
    Setup(Setup),
    /// `ruling bombards may sail: yes or no`
    Ruling(Ruling),
    /// `whenever rescue: … { … }`
    Watch(Watch),
    /// `omitted @3.14 "…"`
    Omitted(Omitted),
}

// ------------------------------------------------------------------------------------------- declarations

/// `kind NAME (PLURAL) = THINGS { MEMBERS }`, or `kind border = area - area { … }`
#[derive(Clone, Debug)]
pub struct Kind {
    /// The kind's name.
    pub name: Name,
    /// The name of the set of all, where it is not the name with an `s`.
    pub plural: Option<Name>,
    /// For a kind of links: the kinds of its two ends.
    pub ends: Option<(Name, Name)>,
    /// The things listed.
    pub things: Vec<Name>,
    /// Facts, states, `seen by`, `back`.
    pub members: Vec<Member>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
}

/// A line in a kind's body.
#[derive(Clone, Debug)]
pub enum Member {
    /// `fact steps: 2..4`
    Fact(Fact),
    /// `state strength: 0..4 = block.steps`
    State(State),
    /// `seen by v: …`
    Seen(Seen),
    /// `back: side, at`
    Back(Back),
}

/// `fact loyalty(side): 1..3?`; in a kind's body the kind itself is the first key and not written.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its name.
    pub name: Name,
    /// The kinds it is asked of, as written.
    pub keys: Vec<Name>,
    /// Its type.
    pub ty: Type,
    /// A value for all, where the table leaves it blank.
    pub value: Option<Expr>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole line.
    pub span: Span,
}

/// `state moved(block): flag = no, fresh each game turn`
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// The kinds it is kept for, as written.
    pub keys: Vec<Name>,
    /// Its type.
    pub ty: Type,
    /// The value at the start and at each reset.
    pub start: Option<Expr>,
    /// The steps at whose start and end it is reset.
    pub fresh: Vec<Name>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole line.
    pub span: Span,
}

/// `seen by v: v = block.side`
#[derive(Clone, Debug)]
pub struct Seen {
    /// The name of the viewer.
    pub viewer: Name,
    /// When the viewer sees the face.
    pub when: Expr,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole line.
    pub span: Span,
}

/// `back: side, at`
#[derive(Clone, Debug)]
pub struct Back {
    /// What everybody sees.
    pub names: Vec<Name>,
    /// The whole line.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its form.
    pub kind: TypeKind,
    /// `?`: it may be absent.
    pub optional: bool,
    /// Where.
    pub span: Span,
}

/// The forms of a type.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// A kind, or `flag`, `number`, `text`, `point`, `dice`, `permission`.
    Named(Name),
    /// `set of block`
    SetOf(Name),
    /// `0..4`
    Range(i64, i64),
}

/// `b: block`
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// `rule NAME(PARAMS): TYPE = BASE` and its clauses, or a rule that is a table, or a promise (neither).
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it gives.
    pub ty: Type,
    /// The base value.
    pub base: Option<Expr>,
    /// The rows, for a rule that is a table; the first is the heading.
    pub rows: Vec<Row>,
    /// Exceptions, modifiers, needs, in the written order.
    pub clauses: Vec<Clause>,
    /// Paragraphs of the base.
    pub cites: Vec<Cite>,
    /// From `rule` to the end of the heading and base, without the clauses.
    pub span: Span,
}

/// A labelled part of a rule.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it does.
    pub kind: ClauseKind,
    /// Its label, if any.
    pub label: Option<Name>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole clause.
    pub span: Span,
}

/// The three clauses.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// `except label beats other: value if condition`
    Except {
        /// The labels it outranks.
        beats: Vec<Name>,
        /// The value instead.
        value: Expr,
        /// When; always, if absent.
        when: Option<Expr>,
    },
    /// `+ label: value if condition`, or with `-`
    Modify {
        /// Whether it takes away.
        minus: bool,
        /// What is added.
        value: Expr,
        /// When; always, if absent.
        when: Option<Expr>,
    },
    /// `needs label: condition else "reason"`
    Need {
        /// What must hold.
        condition: Expr,
        /// Why not, otherwise.
        reason: Option<Text>,
    },
}

/// `table block (house: York) "file.tsv" | … |`
#[derive(Clone, Debug)]
pub struct Table {
    /// The kind whose things and facts it lists.
    pub kind: Name,
    /// Columns with one value for all rows.
    pub fixed: Vec<(Name, Expr)>,
    /// A file beside the page that holds the rows, tab-separated.
    pub file: Option<Text>,
    /// The rows; the first is the heading (absent in an amendment).
    pub rows: Vec<Row>,
    /// `Devon: seas English Channel; port`
    pub named_rows: Vec<NamedRow>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The heading line.
    pub span: Span,
}

/// `| … | … |`
#[derive(Clone, Debug)]
pub struct Row {
    /// The cells, trimmed; an empty one is blank.
    pub cells: Vec<Name>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole row.
    pub span: Span,
}

/// `Devon: seas English Channel, Irish Sea; port`
#[derive(Clone, Debug)]
pub struct NamedRow {
    /// The thing.
    pub thing: Name,
    /// Column and value; a flag column stands without a value. The text is `column value` as written,
    /// since only the checker knows where the column's name ends.
    pub cells: Vec<Name>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole row.
    pub span: Span,
}

/// `links border (colour: Red) Kent - Sussex, …`
#[derive(Clone, Debug)]
pub struct Links {
    /// The kind of links.
    pub kind: Name,
    /// Facts of all links listed.
    pub fixed: Vec<(Name, Expr)>,
    /// A file beside the page that holds the links.
    pub file: Option<Text>,
    /// The links.
    pub links: Vec<Link>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The heading line.
    pub span: Span,
}

/// `Kent - Sussex`
#[derive(Clone, Debug)]
pub struct Link {
    /// One end.
    pub from: Name,
    /// The other.
    pub to: Name,
    /// Both.
    pub span: Span,
}

/// `setup Kingmaker "1470" (block: side, at, status) { … }`
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its name.
    pub name: Name,
    /// A second name.
    pub title: Option<Text>,
    /// What it places and sets.
    pub placing: Placing,
    /// From `setup` to the opening brace.
    pub span: Span,
}

/// `(block: side, at, status) { … }`
#[derive(Clone, Debug)]
pub struct Placing {
    /// The kind of things placed.
    pub kind: Name,
    /// The states that headings and values set.
    pub keys: Vec<Name>,
    /// The lines.
    pub lines: Vec<PlacingLine>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// From the opening bracket to the closing brace.
    pub span: Span,
}

/// A line of a setup.
#[derive(Clone, Debug)]
pub enum PlacingLine {
    /// `others: Dead`
    Others(Name),
    /// `York { … }`
    Group {
        /// The heading.
        heading: Name,
        /// Its lines.
        lines: Vec<PlacingLine>,
    },
    /// `Henry VI 4, Exeter: Middlesex, Captive`
    Placed {
        /// Who, each perhaps with a number.
        things: Vec<(Name, Option<i64>)>,
        /// Where and how.
        values: Vec<Name>,
        /// Paragraphs.
        cites: Vec<Cite>,
        /// The whole line.
        span: Span,
    },
    /// `throne := York`
    Assign(Statement),
}

/// `ruling spare hits: Lost or Carried @6.3 "…"`
#[derive(Clone, Debug)]
pub struct Ruling {
    /// Its name.
    pub name: Name,
    /// Its values: all `yes`/`no`, all numbers, or all things of its own.
    pub values: Vec<RulingValue>,
    /// The question it settles.
    pub question: Option<Text>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole.
    pub span: Span,
}

/// A value of a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulingValue {
    /// `yes` or `no`
    Flag(bool),
    /// `3`
    Number(i64),
    /// `Lost`
    Thing(Name),
}

/// `whenever LABEL: CONDITION { … }`
#[derive(Clone, Debug)]
pub struct Watch {
    /// Its label.
    pub name: Name,
    /// What must become true.
    pub condition: Expr,
    /// What happens.
    pub body: Block,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// From `whenever` to the opening brace.
    pub span: Span,
}

/// `omitted @3.14 "…"`
#[derive(Clone, Debug)]
pub struct Omitted {
    /// The paragraphs without a rule.
    pub cites: Vec<Cite>,
    /// Why.
    pub reason: Text,
    /// The whole line.
    pub span: Span,
}

// --------------------------------------------------------------------------------------------- procedures

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
    /// A title.
    pub title: Option<Text>,
    /// What happens.
    pub body: Block,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// From `when` to the opening brace.
    pub span: Span,
}

/// `choose by s "prompt" { options } else { … }`
#[derive(Clone, Debug)]
pub struct Choose {
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
    /// The variable.
    pub name: Name,
    /// Where it comes from.
    pub source: Expr,
    /// Which of them.
    pub filter: Option<Expr>,
}

// -------------------------------------------------------------------------------------------- expressions

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `"…"`
    Text(Text),
    /// `4`
    Number(i64),
    /// `yes`, `no`
    Flag(bool),
    /// `none`
    None,
    /// `Isle of Man`, `York (levy)`: capital, or quoted. A bracket after it is part of the text.
    Thing(String),
    /// `throne`, `force(s, a)`: a variable, state, rule or set.
    Call(Call),
    /// `b.at`, `a.border(to)`
    Dot(Box<Expr>, Call),
    /// `not x`
    Not(Box<Expr>),
    /// `a and b`, `a + b`, `a = b`, `a in b` …
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `1..n`
    Range(Box<Expr>, Box<Expr>),
    /// `x otherwise y`
    Otherwise(Box<Expr>, Box<Expr>),
    /// `all b in blocks where …`, `any S`, `least h in S by h.rank`
    Query(Box<Query>),
    /// `[Kent, Salisbury]`
    List(Vec<Expr>),
}

/// A name with arguments.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name.
    pub name: Name,
    /// The arguments in brackets.
    pub args: Vec<Expr>,
}

/// The operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `+`: sum or union
    Plus,
    /// `-`: difference; between two things, a link
    Minus,
    /// `*`
    Times,
    /// `/`, rounded down
    Over,
    /// `&`: what both have
    Both,
}

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which.
    pub quantifier: Quantifier,
    /// The variable; absent in `any S`, `count S`, `first S`, `all S`.
    pub name: Option<Name>,
    /// Where from.
    pub source: Expr,
    /// Which of them.
    pub filter: Option<Expr>,
    /// `by …`: what is compared, summed, or the next hop.
    pub by: Option<Expr>,
    /// `within …`: hops.
    pub within: Option<Expr>,
}

/// The words that open a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// The set.
    All,
    /// Whether there is one.
    Any,
    /// How many.
    Count,
    /// The first in printed order.
    First,
    /// Those with the greatest `by`.
    Most,
    /// Those with the least `by`.
    Least,
    /// The sum of `by`.
    Total,
    /// All that is reached in hops.
    Reach,
}

/// `"{b} marches to {to}"`
#[derive(Clone, Debug)]
pub struct Text {
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// With its quotes.
    pub span: Span,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// As written.
    Plain(String),
    /// `{…}`
    Hole(Expr),
}

impl Text {
    /// The text if it has no holes.
    pub fn plain(&self) -> Option<String> {
        self.pieces.iter().map(|p| if let Piece::Plain(s) = p { Some(s.as_str()) } else { None }).collect()
    }
}

// --------------------------------------------------------------------------------------------- amendments

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
    /// `under current event = Surprise { … }`
    Under {
        /// When the changes hold.
        condition: Expr,
        /// The changes.
        changes: Vec<Amend>,
    },
    /// `replace rule …`, `replace fact rating(Bombard) = B3`
    Replace(Node),
    /// `remove clause bombard`, `remove Kent - Sussex`
    Remove(Removable),
    /// `waive peace`
    Waive(Name),
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
}

/// What can be added or put in another's place.
#[derive(Clone, Debug)]
pub enum Node {
    /// A whole declaration.
    Declaration(Declaration),
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
    /// `fact rating(Bombard (York)) = B3`: one printed value.
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
    /// `rule x`, `step x`, `option x`, `clause x`, `fact x`, `state x`, `kind x`, `ruling x`, `when 3`
    Named {
        /// The word before the name.
        what: Name,
        /// The name.
        name: Name,
    },
    /// `Kent - Sussex`
    Link(Link),
    /// A thing of a kind, a row of a table, a line of a setup.
    Thing(Name),
}

// -------------------------------------------------------------------------------------------------- tests

/// `test "…" { … }`
#[derive(Clone, Debug)]
pub struct Test {
    /// What it shows.
    pub name: Text,
    /// Its lines.
    pub lines: Vec<TestLine>,
    /// What it shows, by paragraph and statement.
    pub cites: Vec<Cite>,
    /// From `test` to the opening brace.
    pub span: Span,
}

/// A line of a test.
#[derive(Clone, Debug)]
pub struct TestLine {
    /// What it says.
    pub kind: TestLineKind,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole line.
    pub span: Span,
}

/// The lines of a test.
#[derive(Clone, Debug)]
pub enum TestLineKind {
    /// `from Kingmaker`
    From(Name),
    /// `position (block: side, at) { … }`
    Position(Placing),
    /// `ruling spare hits = Carried`
    Ruling(Name, RulingValue),
    /// `play game turn`
    Play(Call),
    /// `dice 2, 6`: the next rolls.
    Dice(Vec<i64>),
    /// `cards AP2, Muster`: the next draws.
    Cards(Vec<Name>),
    /// `York: march(March, Essex)`
    Decide(Name, Call),
    /// `offer York: march(March, Essex)`
    Offer(Name, Call),
    /// `refuse York: march(March, Essex) "reason"`
    Refuse(Name, Call, Option<Text>),
    /// `expect …, …`
    Expect(Vec<Expr>),
    /// `fails "…"`: the line before ends in this run-time error.
    Fails(Text),
    /// `throne := York`
    Assign(Statement),
}
