//! Declarations: kinds, facts, states, rules, tables, links, setups, rulings, watches.

use std::sync::Arc;

use blazon_diagnostics::Span;

use super::*;

/// A named part of the book.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `kind city (cities) = Bristol, …`
    Kind(Kind),
    /// `fact port(area): flag` outside its kind's body.
    Fact(Fact),
    /// `state leader: side`
    State(State),
    /// `rule force(s: side): set of block = …`
    Rule(Arc<Rule>),
    /// `step battle(a: area) { … }`
    Step(Arc<Step>),
    /// `table area …`
    Table(Arc<Table>),
    /// `links border (colour: Red) …`
    Links(Arc<Links>),
    /// `grid border by number, even columns low`
    Grid(Arc<Grid>),
    /// `setup Dawn "1702" (block: side, at) { … }`
    Setup(Arc<Setup>),
    /// `ruling guns may swim: yes or no`
    Ruling(Ruling),
    /// `whenever rescue: … { … }`
    Watch(Watch),
    /// `invariant strength: … else "…"`
    Invariant(Invariant),
    /// `look block corner: rating`
    Look(Look),
    /// `omitted @3.14 "…"`
    Omitted(Omitted),
}

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

/// `seen by v: v = block.side` and its clauses: a rule of the viewer and the thing, which is a flag.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The name of the viewer.
    pub viewer: Name,
    /// When the viewer sees the face.
    pub when: Expr,
    /// Exceptions, in the written order.
    pub clauses: Vec<Clause>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The line, without the clauses.
    pub span: Span,
}

/// `back: side, at` and its clauses: a set of names, to which they add and from which they take.
#[derive(Clone, Debug)]
pub struct Back {
    /// What everybody sees.
    pub names: Vec<Name>,
    /// Modifiers, in the written order. Their value is a list of names.
    pub clauses: Vec<Clause>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The line, without the clauses.
    pub span: Span,
}

impl Back {
    /// Names as the value of a clause.
    pub fn listed(names: &[Name], span: Span) -> Expr {
        let call = |name: &Name| Call { name: name.clone(), args: Vec::new() };
        let one = |name: &Name| Expr { kind: ExprKind::Call(call(name)), span: name.span };
        Expr { kind: ExprKind::List(names.iter().map(one).collect()), span }
    }

    /// The names of such a value.
    pub fn names(value: &Expr) -> impl Iterator<Item = &Name> {
        let listed = if let ExprKind::List(all) = &value.kind { all.as_slice() } else { &[] };
        listed
            .iter()
            .filter_map(|one| if let ExprKind::Call(call) = &one.kind { Some(&call.name) } else { None })
    }
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
    /// The title of a printed table.
    pub title: Option<Text>,
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

/// The four clauses.
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
    /// `needs label if case: condition else "reason"`
    Need {
        /// In which case it binds; in any, if absent.
        when: Option<Expr>,
        /// What must hold.
        condition: Expr,
        /// Why not, otherwise.
        reason: Option<Text>,
    },
    /// `known to all if condition`: the answer of the rule is released. Its label is these words.
    Known {
        /// When; always, if absent.
        when: Option<Expr>,
    },
}

/// `table block (side: Red) "file.tsv" | … |`
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
    /// `Mill: river Ouse; port`
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

/// `Mill: river Ouse; port`
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

/// `links border (colour: Red) Ford - Mill, …`
#[derive(Clone, Debug)]
pub struct Links {
    /// The kind of links.
    pub kind: Name,
    /// Facts of all links listed.
    pub fixed: Vec<(Name, Expr)>,
    /// A file beside the page that holds the links.
    pub file: Option<Text>,
    /// Links with facts of their own; the first row is the heading.
    pub rows: Vec<Row>,
    /// The links.
    pub links: Vec<Link>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The heading line.
    pub span: Span,
}

/// `grid border by number, even columns low`
#[derive(Clone, Debug)]
pub struct Grid {
    /// The kind of links that it declares.
    pub kind: Name,
    /// The fact that holds the printed number of a place.
    pub fact: Name,
    /// How the places lie.
    pub stagger: Stagger,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole line.
    pub span: Span,
}

/// How the places of a grid lie. A printed number is `CCRR`: the column times a hundred, and the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stagger {
    /// Columns of hexes; those whose number is even (or odd) lie half a hex lower.
    Columns {
        /// Whether it is the even ones.
        even: bool,
    },
    /// Rows of hexes; those whose number is even (or odd) lie half a hex further right.
    Rows {
        /// Whether it is the even ones.
        even: bool,
    },
    /// Squares, which touch along a side.
    Squares,
}

/// `Ford - Mill`
#[derive(Clone, Debug)]
pub struct Link {
    /// One end.
    pub from: Name,
    /// The other.
    pub to: Name,
    /// Both.
    pub span: Span,
}

/// `setup Dawn "1702" (block: side, at, status) { … }`
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

impl Setup {
    /// Its second name, if it is written without holes.
    pub fn second_name(&self) -> Option<String> {
        self.title.as_ref().and_then(Text::plain)
    }
}

/// `(block: side, at, status) { … }`
#[derive(Clone, Debug)]
pub struct Placing {
    /// The kind of things placed; none, where only states are set.
    pub kind: Option<Name>,
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
    /// `others: Red, Mill`
    Others {
        /// Where and how.
        values: Vec<Name>,
        /// The whole line.
        span: Span,
    },
    /// `Red { … }`
    Group {
        /// The heading.
        heading: Name,
        /// Its lines.
        lines: Vec<PlacingLine>,
    },
    /// `Guard 4, Scouts: Mill, Hurt`
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
    /// `leader := Red`
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

/// `invariant NAME: CONDITION else "TEXT"`
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name.
    pub name: Name,
    /// What holds whenever somebody is asked.
    pub condition: Expr,
    /// What is said where it does not.
    pub reason: Option<Text>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole line.
    pub span: Span,
}

/// `look block corner: rating` or `look Water: sea`
#[derive(Clone, Debug)]
pub struct Look {
    /// What it is about: a kind and a part of its look, or a word that is drawn by a sign.
    pub name: Name,
    /// The facts, states or signs; none for `none`.
    pub values: Vec<Name>,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole line.
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
