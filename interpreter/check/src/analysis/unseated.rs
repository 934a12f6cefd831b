//! Sides without a player that are asked, or win, all the same: `for s in sides { choose by s … }` where not all of them sit at
//! the table. Only what is sure is told: nothing stands between that asks anything of the one whose turn it is. Whether it is
//! asked for other reasons is no matter: if it comes to that, it comes to all.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::walk::each_expr;
use blazon_book::{Base, Block, Book, Chooser, Expr, ExprKind, LocalId, StatementKind, Thing, Value};
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
    let asked = vec![Vec::new(); book.steps.len()];
    let mut finder = Finder { book, asked, same: BTreeMap::new(), found: BTreeMap::new() };
    // Who is asked by a step that does another is known once it is known of that.
    loop {
        let before: usize = finder.asked.iter().map(Vec::len).sum();
        finder.found.clear();
        for (place, step) in book.steps.iter().enumerate() {
            finder.same.clear();
            let params = (0..step.params).map(|param| LocalId(param as u32)).collect();
            finder.asked[place] = finder.block(&step.body, &params).into_iter().collect();
        }
        if finder.asked.iter().map(Vec::len).sum::<usize>() == before {
            break;
        }
    }
    for (span, Found { is_win, is_all }) in finder.found {
        if parsed.layer_of(span.source) == Some(Layer::Library) {
            continue;
        }
        let (kind, plural) = (&book.kind(book.player).name, &book.kind(book.player).plural);
        let comes = if is_win { "can win" } else { "is asked, and the game stops" };
        let message = format!("{} without a player {comes}", Article(kind));
        let (label, instead) = match is_all {
            true => ("all of them, with a player or not", format!("write `players` for `{plural}`")),
            false => ("one of them without a player", "name who has one, or write `players`".to_owned()),
        };
        let help = format!("{instead}: nobody plays {}", list(&empty, "and"));
        diagnostics.push(Diagnostic::warning("lint::unseated", span, message).label(label).help(help));
    }
}

/// What is asked of somebody: a variable, and whether it is a win.
type Asked = (LocalId, bool);

/// What comes to sides without a player at some place.
struct Found {
    /// Whether it is a win, and no question.
    is_win: bool,
    /// Whether all sides are gone through there, and not some by name.
    is_all: bool,
}

/// Looks for what is asked of all sides.
struct Finder<'b> {
    book: &'b Book,
    /// The parameters of each step that are surely asked, or win.
    asked: Vec<Vec<Asked>>,
    /// The variables of the step that are looked at which are but other names of others.
    same: BTreeMap<LocalId, LocalId>,
    /// Where sides without a player are gone through, and what comes to them; a question counts more than a win.
    found: BTreeMap<Span, Found>,
}

impl Finder<'_> {
    /// Which of some variables a block surely asks: what stands behind a way out of it may not be reached.
    fn block(&mut self, block: &Block, of: &BTreeSet<LocalId>) -> BTreeSet<Asked> {
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

    fn statement(&mut self, statement: &StatementKind, of: &BTreeSet<LocalId>) -> BTreeSet<Asked> {
        let local = |expr: &Expr| self.meant(expr).filter(|local| of.contains(local));
        match statement {
            StatementKind::For { local: each, sources, filter, body, otherwise } => {
                let conditions: Vec<&Expr> = sources.iter().chain(filter).collect();
                let of = self.untold(of, &conditions);
                let each_too = filter.is_none().then_some(*each);
                let mut asked = self.block(body, &of.iter().copied().chain(each_too).collect());
                for is_win in [true, false] {
                    if asked.remove(&(*each, is_win)) {
                        sources.iter().for_each(|source| self.find(source, is_win));
                    }
                }
                asked.extend(otherwise.iter().flat_map(|block| self.block(block, &of)));
                asked
            }
            StatementKind::Choose(choose) => {
                match &choose.by {
                    Chooser::One(who) => return local(who).map(|local| (local, false)).into_iter().collect(),
                    Chooser::Each(_, source) => self.find(source, false),
                }
                BTreeSet::new()
            }
            StatementKind::Do(step, args) => {
                let asked = &self.asked[step.0 as usize];
                let of_arg = |&(param, is_win): &Asked| {
                    args.get(param.0 as usize).and_then(local).map(|local| (local, is_win))
                };
                asked.iter().filter_map(of_arg).collect()
            }
            StatementKind::Win(who) => {
                let asked = local(who).map(|local| (local, true)).into_iter().collect();
                if let Some(query) = some_of(who) {
                    self.find(query, true);
                }
                asked
            }
            StatementKind::If(condition, then, otherwise) => {
                let of = self.untold(of, &[condition]);
                let asked = self.block(then, &of);
                asked.into_iter().chain(self.block(otherwise, &of)).collect()
            }
            StatementKind::While(condition, body) => {
                let of = self.untold(of, &[condition]);
                self.block(body, &of)
            }
            StatementKind::Case { subject, arms, otherwise } => {
                let subject = self.same.get(subject).unwrap_or(subject);
                let of = of.iter().copied().filter(|local| local != subject).collect();
                let blocks = arms.iter().map(|(_, block)| block).chain(otherwise);
                blocks.flat_map(|block| self.block(block, &of)).collect()
            }
            StatementKind::Let(name, Value::Expr(value)) => {
                if let Some(other) = self.meant(value) {
                    self.same.insert(*name, other);
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

    /// The variable that an expression is, by its first name.
    fn meant(&self, expr: &Expr) -> Option<LocalId> {
        let ExprKind::Local(local) = expr.kind else { return None };
        Some(self.same.get(&local).copied().unwrap_or(local))
    }

    /// The variables of which none of some conditions asks anything.
    fn untold(&self, of: &BTreeSet<LocalId>, conditions: &[&Expr]) -> BTreeSet<LocalId> {
        let mut of = of.clone();
        for condition in conditions {
            each_expr(condition, &mut |part| {
                if let Some(local) = self.meant(part) {
                    of.remove(&local);
                }
            });
        }
        of
    }

    /// Notes what comes to all that are gone through, if some of them have no player.
    fn find(&mut self, source: &Expr, is_win: bool) {
        let is_all = self.is_all(source);
        if is_all || self.is_empty(source) {
            self.found.insert(source.span, Found { is_win, is_all });
        }
    }

    /// Whether this is the set of all sides.
    fn is_all(&self, expr: &Expr) -> bool {
        if let ExprKind::ToSet(inner) = &expr.kind {
            return self.is_all(inner);
        }
        matches!(expr.kind, ExprKind::Everything(kind) if kind == self.book.player)
    }

    /// Whether this is a side by its name that has no player.
    fn is_empty(&self, expr: &Expr) -> bool {
        if let ExprKind::ToSet(inner) = &expr.kind {
            return self.is_empty(inner);
        }
        if let ExprKind::List(parts) = &expr.kind {
            return parts.iter().any(|part| self.is_empty(part));
        }
        let sits = |side: i64| self.book.players.iter().any(|&player| i64::from(player) == side);
        expr.ty.base == Base::Thing(self.book.player)
            && matches!(expr.kind, ExprKind::Word(side) if !sits(side))
    }
}

/// Of which set this is one that is there at any time, as of `highest s in sides by s.gold`.
fn some_of(expr: &Expr) -> Option<&Expr> {
    let ExprKind::Query(query) = &expr.kind else { return None };
    query.filter.is_none().then(|| some_of(&query.source).unwrap_or(&query.source))
}
