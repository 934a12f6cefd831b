//! Sides without a player that are asked, or win, all the same: `for s in sides { choose by s … }` where not all of them sit at
//! the table. Only what is sure is told: nothing stands between that asks anything of them.

use std::collections::BTreeSet;

use blazon_book::{Block, Book, Chooser, Expr, ExprKind, LocalId, StatementKind, Thing};
use blazon_diagnostics::{Article, Diagnostic, Span, list};

use crate::infer::steps::ways_out::leaves;
use crate::project::{Layer, Parsed};

/// Warns of choices that sides without a player come to make, and of wins that they may have.
pub(crate) fn unseated(book: &Book, parsed: &Parsed, diagnostics: &mut Vec<Diagnostic>) {
    let all = &book.kind(book.player).things;
    let is_empty = |(place, _): &(usize, &Thing)| !book.players.contains(&(*place as u32));
    let empty: Vec<&str> =
        all.iter().enumerate().filter(is_empty).map(|(_, side)| side.name.as_str()).collect();
    if empty.is_empty() || book.chooser.is_some() {
        return;
    }
    let mut finder = Finder { book, asked: vec![BTreeSet::new(); book.steps.len()], found: Vec::new() };
    // Who is asked by a step that does another is known once it is known of that.
    loop {
        let before: usize = finder.asked.iter().map(BTreeSet::len).sum();
        finder.found.clear();
        for (place, step) in book.steps.iter().enumerate() {
            let params = (0..step.params).map(|param| LocalId(param as u32)).collect();
            finder.asked[place] =
                finder.block(&step.body, &params).into_iter().map(|local| local.0 as usize).collect();
        }
        if finder.asked.iter().map(BTreeSet::len).sum::<usize>() == before {
            break;
        }
    }
    for (span, is_win) in finder.found {
        if parsed.layer_of(span.source) == Some(Layer::Library) {
            continue;
        }
        let (kind, plural) = (&book.kind(book.player).name, &book.kind(book.player).plural);
        let comes = if is_win { "can win" } else { "is asked, and the game stops" };
        let message = format!("{} without a player {comes}", Article(kind));
        let label = "all of them, with a player or not";
        let help = format!("write `players` for `{plural}`: nobody plays {}", list(&empty, "and"));
        diagnostics.push(Diagnostic::warning("lint::unseated", span, message).label(label).help(help));
    }
}

/// Looks for what is asked of all sides.
struct Finder<'b> {
    book: &'b Book,
    /// The parameters of each step that are surely asked, or win.
    asked: Vec<BTreeSet<usize>>,
    /// Where all sides are gone through and asked, and whether by a win.
    found: Vec<(Span, bool)>,
}

impl Finder<'_> {
    /// Which of some variables a block surely asks: what stands behind a way out of it may not be reached.
    fn block(&mut self, block: &Block, of: &BTreeSet<LocalId>) -> BTreeSet<LocalId> {
        let mut asked = BTreeSet::new();
        let mut of = of.clone();
        for statement in block {
            asked.extend(self.statement(&statement.kind, &of));
            if leaves(std::slice::from_ref(statement)) {
                of.clear();
            }
        }
        asked
    }

    fn statement(&mut self, statement: &StatementKind, of: &BTreeSet<LocalId>) -> BTreeSet<LocalId> {
        let local =
            |expr: &Expr| if let ExprKind::Local(local) = expr.kind { of.get(&local).copied() } else { None };
        match statement {
            StatementKind::For { local: each, sources, filter: None, body, .. } => {
                let within = of.iter().copied().chain([*each]).collect();
                let mut asked = self.block(body, &within);
                if asked.remove(each) {
                    let all = sources.iter().filter(|source| self.is_all(source));
                    let found: Vec<(Span, bool)> = all.map(|source| (source.span, false)).collect();
                    self.found.extend(found);
                }
                asked
            }
            StatementKind::Choose(choose) => {
                match &choose.by {
                    Chooser::One(who) => return local(who).into_iter().collect(),
                    Chooser::Each(_, source) if self.is_all(source) => self.found.push((source.span, false)),
                    Chooser::Each(..) => {}
                }
                BTreeSet::new()
            }
            StatementKind::Do(step, args) => {
                let asked = &self.asked[step.0 as usize];
                args.iter()
                    .enumerate()
                    .filter(|(place, _)| asked.contains(place))
                    .filter_map(|(_, arg)| local(arg))
                    .collect()
            }
            StatementKind::Win(who) => {
                self.found.extend(self.is_any(who).then_some((who.span, true)));
                BTreeSet::new()
            }
            StatementKind::If(_, then, otherwise) => {
                self.block(then, &BTreeSet::new());
                self.block(otherwise, &BTreeSet::new());
                BTreeSet::new()
            }
            StatementKind::For { body, .. } | StatementKind::While(_, body) => {
                self.block(body, &BTreeSet::new());
                BTreeSet::new()
            }
            StatementKind::Case { arms, otherwise, .. } => {
                for block in arms.iter().map(|(_, block)| block).chain(otherwise) {
                    self.block(block, &BTreeSet::new());
                }
                BTreeSet::new()
            }
            StatementKind::Let(..)
            | StatementKind::Assign { .. }
            | StatementKind::Stop
            | StatementKind::Return(_)
            | StatementKind::Say { .. }
            | StatementKind::Invalid(_) => BTreeSet::new(),
        }
    }

    /// Whether this is some side of all, as `highest s in sides by s.gold`.
    fn is_any(&self, expr: &Expr) -> bool {
        let ExprKind::Query(query) = &expr.kind else { return false };
        query.filter.is_none() && (self.is_all(&query.source) || self.is_any(&query.source))
    }

    /// Whether this is the set of all sides.
    fn is_all(&self, expr: &Expr) -> bool {
        if let ExprKind::ToSet(inner) = &expr.kind {
            return self.is_all(inner);
        }
        matches!(expr.kind, ExprKind::Everything(kind) if kind == self.book.player)
    }
}
