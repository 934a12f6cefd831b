//! Declarations: kinds, things, grids, facts and states, setups, rulings, watches.

use blazon_diagnostics::Span;

use crate::*;

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
    /// What made it.
    pub origin: KindOrigin,
    /// Where it is declared.
    pub span: Span,
}

impl Kind {
    /// The things that look like one, itself among them: they stand one after another.
    pub fn alike(&self, thing: u32) -> std::ops::RangeInclusive<u32> {
        let Some(group) = self.things.get(thing as usize).map(|thing| thing.group) else {
            return thing..=thing;
        };
        let count = self.things[group as usize..].iter().take_while(|other| other.group == group).count();
        group..=group + count.max(1) as u32 - 1
    }

    /// Whether nothing looks like a thing.
    pub fn is_alone(&self, thing: u32) -> bool {
        let alike = self.alike(thing);
        alike.start() == alike.end()
    }
}

/// What made a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindOrigin {
    /// A declaration in the rules.
    Declared,
    /// A ruling whose values are words, by its place in [`Book::rulings`]: the kind's things are these words.
    Ruling(usize),
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

/// `grid border by number, even columns low`
#[derive(Clone, Debug)]
pub struct Grid {
    /// The kind of its links: one between every two things that touch.
    pub links: KindId,
    /// The kind of its things.
    pub things: KindId,
    /// The fact that holds the printed number, absent for a thing that is not on the grid.
    pub number: ColumnId,
    /// The fact that holds the column; counted in half hexes where the rows are staggered.
    pub across: ColumnId,
    /// The fact that holds the row; counted in half hexes where the columns are staggered.
    pub down: ColumnId,
    /// How the things lie.
    pub stagger: Stagger,
}

/// `seen by v: …` with its clauses: a rule of the viewer and the thing.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Local 0 is the viewer (a player), local 1 the thing.
    pub locals: Vec<Local>,
    /// A flag: all that the rule says.
    pub when: Expr,
    /// The rule itself, with the same first locals, where it has clauses.
    pub rule: Option<RuleId>,
}

/// How the things of a grid lie. A printed number is `CCRR`: the column times a hundred, and the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Column {
    /// Whether it is a state that has nothing to begin with: a thing that is always there, of which no start is declared.
    pub fn lacks_start(&self) -> bool {
        let is_bare = matches!(self.role, Role::State { start: None, .. });
        is_bare && matches!(self.ty.base, Base::Thing(_)) && !self.ty.optional
    }

    /// Whether every setup must say it: it has nothing to begin with, and no step makes it anew.
    pub fn must_be_said(&self) -> bool {
        self.lacks_start() && matches!(&self.role, Role::State { fresh, .. } if fresh.is_empty())
    }
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

impl Constant {
    /// What a text or a point shows; of others their kind decides.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Point(across, down) => Some(format!("{across}, {down}")),
            Self::Absent | Self::Word(_) | Self::Set(_) => None,
        }
    }
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

/// `invariant NAME: CONDITION else "TEXT"`
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// A permission without parameters and with one need: what must hold whenever somebody is asked.
    pub rule: RuleId,
    /// Paragraphs.
    pub cites: Vec<String>,
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
