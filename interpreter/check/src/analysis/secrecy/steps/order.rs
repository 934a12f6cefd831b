//! Whether it counts in which order the turns of a loop come: things come in the order of their names, so who sees what a
//! loop has left behind, and that it would be another if they came otherwise, learns their names.

use std::collections::{HashMap, HashSet};

use blazon_book::graph::{Join, Numbers};
use blazon_book::walk::{Deeds, ExprKey, each_expr};
use blazon_book::{
    AssignOp, Base, Block, ColumnId, Expr, ExprKind, LocalId, Statement, StatementKind, StepId, Value,
};

use super::super::Secrecy;
use super::super::terms::locals_of;

/// The turns of a loop.
struct Turns {
    /// What is set in any of them.
    written: Numbers,
    /// How each of these is set.
    ways: HashMap<ColumnId, Way>,
    /// Those that a turn may set of another thing than its own.
    foreign: HashSet<ColumnId>,
}

/// How turns set something.
#[derive(PartialEq)]
enum Way {
    /// Each of its own thing.
    Own,
    /// They add, or take; of numbers both come to the same in any order.
    Sum(AssignOp),
    /// All to one value.
    Alike(ExprKey),
}

/// A block of a turn.
#[derive(Clone, Copy)]
struct Within {
    /// The variable of the loop, as it is called here.
    own: Option<LocalId>,
    /// Whether `stop` leaves the loop.
    stops: bool,
    /// Whether `return` leaves the loop.
    returns: bool,
}

impl Secrecy<'_> {
    /// Whether it may count in which order the turns of a loop come, of which each does something that shows.
    pub(super) fn goes_in_order(&self, own: LocalId, filter: Option<&Expr>, body: &Block) -> bool {
        let mut written = self.effects_of(body).writes;
        // Watches look as a step ends.
        if !Deeds::of_block(body).steps.is_empty() {
            written.join(&self.watched.writes);
        }
        let mut turns = Turns { written, ways: HashMap::new(), foreign: HashSet::new() };
        let within = Within { own: Some(own), stops: true, returns: true };
        filter.is_some_and(|filter| self.reads_others(filter, within, &turns))
            || self.block_in_order(body, within, &mut turns)
            // Now it is known what is set of other things.
            || self.block_in_order(body, within, &mut turns)
    }

    fn block_in_order(&self, block: &Block, within: Within, turns: &mut Turns) -> bool {
        block.iter().any(|statement| self.statement_in_order(statement, within, turns))
    }

    fn statement_in_order(&self, statement: &Statement, within: Within, turns: &mut Turns) -> bool {
        match &statement.kind {
            StatementKind::Let(_, value) => self.value_in_order(value, within, turns),
            StatementKind::Assign { column, keys, op, value } => {
                let is_set = matches!(self.book.column(*column).ty.base, Base::Set(_));
                keys.iter().any(|key| self.reads_others(key, within, turns))
                    || self.value_in_order(value, within, turns)
                    || is_contested((*column, is_set), keys, *op, value, within, turns)
            }
            StatementKind::If(condition, yes, no) => {
                self.reads_others(condition, within, turns)
                    || self.block_in_order(yes, within, turns)
                    || self.block_in_order(no, within, turns)
            }
            StatementKind::For { sources, filter, body, otherwise, .. } => {
                sources.iter().chain(filter).any(|part| self.reads_others(part, within, turns))
                    || self.block_in_order(body, Within { stops: false, ..within }, turns)
                    || otherwise.iter().any(|block| self.block_in_order(block, within, turns))
            }
            StatementKind::While(condition, body) => {
                self.reads_others(condition, within, turns)
                    || self.block_in_order(body, Within { stops: false, ..within }, turns)
            }
            StatementKind::Case { arms, otherwise, .. } => {
                let mut blocks = arms.iter().map(|(_, block)| block).chain(otherwise);
                blocks.any(|block| self.block_in_order(block, within, turns))
            }
            StatementKind::Stop => within.stops,
            StatementKind::Return(value) => {
                within.returns || value.iter().any(|value| self.value_in_order(value, within, turns))
            }
            StatementKind::Do(step, args) => self.step_in_order(*step, args, within, turns),
            StatementKind::Choose(_) | StatementKind::Say { .. } | StatementKind::Win(_) => true,
            StatementKind::Invalid(_) => false,
        }
    }

    fn value_in_order(&self, value: &Value, within: Within, turns: &mut Turns) -> bool {
        match value {
            Value::Expr(expr) => self.reads_others(expr, within, turns),
            Value::Step(step, args) => self.step_in_order(*step, args, within, turns),
            Value::Die(..) | Value::Dice(..) | Value::Draw(..) => true,
        }
    }

    fn step_in_order(&self, id: StepId, args: &[Expr], within: Within, turns: &mut Turns) -> bool {
        if args.iter().any(|arg| self.reads_others(arg, within, turns)) {
            return true;
        }
        let place = args.iter().position(|arg| within.own.is_some_and(|own| is_local(arg, own)));
        let own = place.map(|place| LocalId(place as u32));
        let step = self.book.step(id);
        // What the step is given besides is another in each turn: what it sets by that is contested.
        let inner = Within { own, stops: false, returns: false };
        self.block_in_order(&step.body, inner, turns)
    }

    /// Whether something is asked that other turns may have changed.
    fn reads_others(&self, expr: &Expr, within: Within, turns: &Turns) -> bool {
        let own: Vec<LocalId> = within.own.into_iter().collect();
        self.reads_of_others(expr, &own, turns)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "the others read nothing themselves")]
    fn reads_of_others(&self, expr: &Expr, own: &[LocalId], turns: &Turns) -> bool {
        let mut found = false;
        let is_own = |part: &Expr| own.iter().any(|own| is_local(part, *own));
        each_expr(expr, &mut |part| match &part.kind {
            ExprKind::Column(column, keys) => {
                let is_own = keys.iter().any(is_own) && !turns.foreign.contains(column);
                found |= !is_own && turns.written.contains(column.0 as usize);
            }
            ExprKind::Rule(rule, args) => {
                let mut reads = self.calls.rules_read(*rule);
                if !found && reads.any(|column| turns.written.contains(column.0 as usize)) {
                    // What it asks of the thing of this turn is its own.
                    let places = args.iter().enumerate().filter(|(_, arg)| is_own(arg));
                    let own: Vec<LocalId> = places.map(|(place, _)| LocalId(place as u32)).collect();
                    let parts = self.book.rule(*rule).conditions();
                    found = parts.iter().any(|part| self.reads_of_others(part, &own, turns));
                }
            }
            _ => {}
        });
        found
    }
}

/// Whether turns may set the same to different values.
fn is_contested(
    (column, is_set): (ColumnId, bool),
    keys: &[Expr],
    op: AssignOp,
    value: &Value,
    within: Within,
    turns: &mut Turns,
) -> bool {
    let is_own = keys.iter().any(|key| within.own.is_some_and(|own| is_local(key, own)));
    let way = match (op, value) {
        // What one turn puts into a set the next may take out of it.
        (AssignOp::Add | AssignOp::Take, _) if !is_own => Way::Sum(if is_set { op } else { AssignOp::Add }),
        _ if is_own => Way::Own,
        (AssignOp::Set, Value::Expr(value)) if locals_of(value).is_empty() => Way::Alike(ExprKey::of(value)),
        (AssignOp::Set | AssignOp::Add | AssignOp::Take, _) => return true,
    };
    if way != Way::Own {
        turns.foreign.insert(column);
    }
    match turns.ways.get(&column) {
        Some(other) => *other != way,
        None => {
            turns.ways.insert(column, way);
            false
        }
    }
}

fn is_local(expr: &Expr, own: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(local) if local == own)
}
