//! Hidden means hidden: what a player reads depends only on what he may see, until the rules release something.
//!
//! The statement is *non-interference up to declared release*: take two positions that differ only in what a player
//! may not see, and agree on all that the rules say is known to all; then everything that he reads is the same. `seen
//! by` is a label that depends on the position (L. Zheng, A. Myers, *Dynamic security labels and static information flow
//! control*, 2007); rules that are `known to all` are escape hatches (A. Sabelfeld, A. Myers, *A model for delimited
//! information release*, 2003).
//!
//! * [`demand`]: what is asked of a thing, and what is known there;
//! * [`reads`]: what an expression asks; [`summaries`]: what rules do;
//! * [`names`]: what goes by its name, and what by its back;
//! * [`facts`]: what is known at a place, and whether it follows that somebody sees a thing;
//! * [`steps`]: where something shows, and to whom;
//! * [`report`]: what is said of a leak; [`gather`]: at which place.

mod demand;
mod facts;
mod gather;
mod names;
mod reads;
mod report;
mod steps;
mod summaries;
mod terms;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use blazon_book::graph::{Join, Numbers, handed_on};
use blazon_book::walk::{Deeds, Visit, walk_statement};
use blazon_book::{
    AssignOp, Block, Book, ColumnId, Expr, KindId, LocalId, Role, RuleId, Statement, StatementKind, StepId,
    Value, build,
};
use blazon_diagnostics::{Article, Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::analysis::Calls;
use crate::project::Parsed;
use demand::{Asked, Demand};
use facts::Looked;
use names::Places;
use report::Leak;
use steps::StepSummary;
use summaries::Summary;

/// What a body does.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Whether somebody sees that it is done, who need not see any face.
    shows: bool,
    /// Whether somebody is asked or told something, or chance is: in which order that comes is seen.
    speaks: bool,
    /// The states that it sets.
    writes: Numbers,
    /// Those that it sets to something else than `no`, and to something else than `yes`.
    set_to: [Numbers; 2],
}

impl Effects {
    fn is_nothing(&self) -> bool {
        !self.shows && self.writes.is_empty()
    }
}

impl Join for Effects {
    fn join(&mut self, other: &Self) {
        self.shows |= other.shows;
        self.speaks |= other.speaks;
        self.writes.join(&other.writes);
        self.set_to[0].join(&other.set_to[0]);
        self.set_to[1].join(&other.set_to[1]);
    }
}

/// The search for leaks.
pub(super) struct Secrecy<'b> {
    book: &'b Book,
    calls: &'b Calls,
    /// The number of the variable made last.
    next: u32,
    /// For each kind, whether its things have a face that not all see.
    faces: Vec<bool>,
    /// And whether their names are on it: of others it is known which is which.
    hidden: Vec<bool>,
    /// The columns keyed by such kinds.
    hidden_columns: BTreeSet<ColumnId>,
    /// The columns that say who sees a thing: of a piece everybody knows them.
    tells: Numbers,
    /// What decides who sees what, or where something is released.
    matters: Numbers,
    /// The printed values that decide what the rules are.
    open: &'b Numbers,
    /// For each rule, whether it reads something that matters, and whether it reads anything.
    rules_matter: Vec<(bool, bool)>,
    /// The facts that were looked at before.
    looked: Looked,
    /// What rules and steps ask, with those of their parameters that are given by name.
    rules: FxHashMap<(RuleId, Places), Rc<Summary>>,
    steps: FxHashMap<(StepId, Places), Rc<StepSummary>>,
    /// What each step does, itself or through others.
    effects: Vec<Effects>,
    /// What watches set.
    watched: Effects,
    /// What named values ask, and what made named things members.
    labels: HashMap<LocalId, Rc<Vec<Demand>>>,
    names: HashMap<LocalId, (LocalId, Rc<Vec<Demand>>)>,
    /// The variables that may be members of sets that have a name.
    held: HashMap<LocalId, Vec<Expr>>,
    /// The parameters that rules may answer with.
    passed: FxHashMap<RuleId, Rc<Vec<usize>>>,
    /// The variables of options that go through pieces: which of them is chosen is seen as a piece.
    chosen: HashSet<LocalId>,
    /// Sets of one thing that was drawn: of one the order tells nothing.
    singles: HashSet<LocalId>,
    told: HashSet<(Span, Span)>,
    found: Vec<Leak>,
    /// How many expressions and statements may yet be looked at.
    looks: u64,
}

/// So many expressions and statements are looked at; a game of hundreds of rules takes five thousand. Where the ways in which
/// rules ask each other are too many, nothing is proved, which is said.
const LOOKS: u64 = 200_000;

/// How much stack must be left to read one rule or step.
const LEFT: usize = 256 << 10;

/// How much more there is then.
const MORE: usize = 4 << 20;

/// Goes on where there is stack enough: rules and steps lead to others in chains that may be as long as a page.
fn deeper<T>(go_on: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEFT, MORE, go_on)
}

/// Finds what a player learns without being told; `open` are printed values that decide what the rules are, `most` says
/// how many expressions and statements are looked at, if not [so many](LOOKS).
pub(crate) fn leaks(
    book: &Book,
    calls: &Calls,
    parsed: &Parsed,
    open: &Numbers,
    most: Option<u64>,
) -> Vec<Diagnostic> {
    let faces: Vec<bool> = book.kinds.iter().map(|kind| kind.seen.is_some()).collect();
    let hidden = book.kinds.iter().map(|kind| kind.seen.is_some() && !kind.name_on_back).collect();
    if !faces.contains(&true) {
        return Vec::new();
    }
    let hidden_columns = book
        .columns
        .iter()
        .enumerate()
        .filter(|(_, column)| {
            column.keys.iter().chain(&column.ty.base.kind()).any(|kind| faces[kind.0 as usize])
        })
        .map(|(place, _)| ColumnId(place as u32))
        .collect();
    let mut tells = Numbers::default();
    for seen in book.kinds.iter().filter_map(|kind| kind.seen.as_ref()) {
        tells.join(&calls.reads(&seen.when));
    }
    let mut said = labels_of_secrets(book, calls);
    let mut matters = tells.clone();
    matters.join(open);
    for release in book.rules.iter().flat_map(|rule| &rule.known) {
        release.when.iter().for_each(|when| matters.join(&calls.reads(when)));
    }
    matters.join(
        &book
            .chooser
            .map(|rule| calls.rules_read(rule).map(|column| column.0 as usize).collect())
            .unwrap_or_default(),
    );
    let rules_matter = (0..book.rules.len())
        .map(|rule| {
            let columns = || calls.rules_read(blazon_book::RuleId(rule as u32));
            (columns().any(|column| matters.contains(column.0 as usize)), columns().next().is_some())
        })
        .collect();
    let mut secrecy = Secrecy {
        rules_matter,
        looked: Looked::default(),
        book,
        calls,
        next: 0,
        faces,
        hidden,
        hidden_columns,
        tells,
        matters,
        open,
        rules: FxHashMap::default(),
        steps: FxHashMap::default(),
        effects: Vec::new(),
        watched: Effects::default(),
        labels: HashMap::new(),
        names: HashMap::new(),
        held: HashMap::new(),
        passed: FxHashMap::default(),
        chosen: HashSet::new(),
        singles: HashSet::new(),
        told: HashSet::new(),
        found: Vec::new(),
        looks: most.unwrap_or(LOOKS),
    };
    secrecy.effects = secrecy.all_effects();
    for watch in book.watches.iter().map(|watch| watch.body) {
        let effects = secrecy.effects[watch.0 as usize].clone();
        secrecy.watched.join(&effects);
    }
    secrecy.root(book.begins);
    for watch in &book.watches {
        secrecy.watch(watch);
    }
    for kind in 0..book.kinds.len() {
        secrecy.label(KindId(kind as u32));
    }
    if secrecy.looks == 0 {
        // What was found by then may be wrong.
        said.push(
            Diagnostic::error(
                "hidden::leak",
                book.step(book.begins).span,
                "whether what is hidden stays hidden was not found out: there are too many ways in which rules and steps ask \
                 each other",
            )
            .help("ask once, in a rule or a variable of its own, what is asked again and again in several ways"),
        );
    } else {
        said.extend(gather::gathered(secrecy.found, parsed));
    }
    said
}

/// What decides who sees a thing everybody knows. Of things of the same kind that is said of what stands on their backs, and of
/// what the label itself asks; that it makes secrets of other things known nobody would expect.
fn labels_of_secrets(book: &Book, calls: &Calls) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for kind in &book.kinds {
        let Some(seen) = &kind.seen else { continue };
        for column in calls.reads(&seen.when).iter() {
            let asked = &book.columns[column];
            let secret = asked.keys.iter().map(|key| book.kind(*key)).find(|owner| {
                let Some(own) = owner.seen.as_ref().filter(|_| owner.name != kind.name) else { return false };
                let is_state = matches!(asked.role, Role::State { .. });
                is_state
                    && !owner.back.contains(&ColumnId(column as u32))
                    && !calls.reads(&own.when).contains(column)
            });
            let Some(owner) = secret else { continue };
            let (state, thing, other) = (&asked.name, Article(&kind.name), Article(&owner.name));
            let message =
                format!("who sees {thing} depends on `{state}` of {other}, which not everybody sees");
            found.push(
                Diagnostic::error("hidden::leak", seen.when.span, message)
                    .label("what decides this is known to all")
                    .related(asked.span, "this is not")
                    .help(format!(
                        "put `{state}` on the back of {}, or let this hang on what everybody sees",
                        owner.plural
                    )),
            );
        }
    }
    found
}

/// Finds what a body does by itself.
struct Own<'s, 'b> {
    secrecy: &'s Secrecy<'b>,
    shows: bool,
    speaks: bool,
    set_to: [Vec<usize>; 2],
}

impl<'b> Visit<'b> for Own<'_, 'b> {
    fn visit_statement(&mut self, statement: &'b Statement) {
        match &statement.kind {
            StatementKind::Assign { column, keys, op, value } => {
                let flag = match (op, value) {
                    (AssignOp::Set, Value::Expr(value)) => build::constant(value),
                    (AssignOp::Set | AssignOp::Add | AssignOp::Take, _) => None,
                };
                if flag != Some(false) {
                    self.set_to[0].push(column.0 as usize);
                }
                if flag != Some(true) {
                    self.set_to[1].push(column.0 as usize);
                }
                let face = keys.iter().any(|key| self.secrecy.asked_of(*column, key) == Some(Asked::Face));
                self.shows |= !face;
            }
            StatementKind::Let(_, Value::Expr(_) | Value::Step(..))
            | StatementKind::If(..)
            | StatementKind::For { .. }
            | StatementKind::While(..)
            | StatementKind::Case { .. }
            | StatementKind::Do(..)
            | StatementKind::Invalid(_) => {}
            StatementKind::Stop | StatementKind::Return(_) => self.shows = true,
            StatementKind::Let(..)
            | StatementKind::Choose(_)
            | StatementKind::Say { .. }
            | StatementKind::Win(_) => {
                self.shows = true;
                self.speaks = true;
            }
        }
        walk_statement(self, statement);
    }
    fn visit_expr(&mut self, _: &'b blazon_book::Expr) {}
}

impl Secrecy<'_> {
    /// One look more; whether there were too many.
    fn gives_up(&mut self) -> bool {
        self.looks = self.looks.saturating_sub(1);
        self.looks == 0
    }

    /// What every step does, itself and through others; what is made fresh as it begins and ends is set, too.
    fn all_effects(&self) -> Vec<Effects> {
        let book = self.book;
        let mut own: Vec<Effects> = book.steps.iter().map(|step| self.own_effects(&step.body)).collect();
        for (place, column) in book.columns.iter().enumerate() {
            let Role::State { fresh, .. } = &column.role else { continue };
            for step in fresh {
                let is_face = column.keys.iter().any(|kind| self.is_on_face(ColumnId(place as u32), *kind));
                own[step.0 as usize].shows |= !is_face;
                let column: Numbers = [place].into_iter().collect();
                own[step.0 as usize].writes.join(&column);
                own[step.0 as usize].set_to.iter_mut().for_each(|set| set.join(&column));
            }
        }
        let next: Vec<Vec<usize>> = book
            .steps
            .iter()
            .map(|step| Deeds::of_block(&step.body).steps.iter().map(|step| step.0 as usize).collect())
            .collect();
        handed_on(&next, own)
    }

    fn own_effects(&self, block: &Block) -> Effects {
        let mut own = Own { secrecy: self, shows: false, speaks: false, set_to: [Vec::new(), Vec::new()] };
        own.visit_block(block);
        let Own { shows, speaks, set_to, .. } = own;
        let writes = Deeds::of_block(block).writes.iter().map(|column| column.0 as usize).collect();
        Effects { shows, speaks, writes, set_to: set_to.map(|columns| columns.into_iter().collect()) }
    }

    /// What a block does, itself and through steps.
    fn effects_of(&self, block: &Block) -> Effects {
        let mut effects = self.own_effects(block);
        for step in Deeds::of_block(block).steps {
            effects.join(&self.effects[step.0 as usize]);
        }
        effects
    }
}
