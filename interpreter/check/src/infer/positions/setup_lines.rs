//! Lines of a setup that set one state of one thing: of two layers the higher has the last word, and where neither knows
//! of the other, nothing may decide.

use std::collections::HashMap;

use blazon_book::walk::ExprKey;
use blazon_book::{AssignOp, Block, ColumnId, Expr, Statement, StatementKind};
use blazon_diagnostics::{Diagnostic, Span};

use crate::merge::ledger;
use crate::merge::order::{Order, Standing};
use crate::project::Layer;
use crate::resolve::checker::Checker;

/// What places a thing: a value of its line, or what a state begins with that the line does not give.
pub(crate) struct Placed {
    pub statement: Statement,
    pub is_given: bool,
}

/// A state of certain things.
type Entry = (ColumnId, Vec<ExprKey>);

impl Checker<'_> {
    /// What a setup does: it places things, then it sets states. `home` is where it is declared: there the order of
    /// lines is what they say.
    pub(crate) fn carried_out(&mut self, placed: Vec<Placed>, set: Block, home: Span) -> Block {
        let order = Order::new(&self.parsed.variants);
        let mut places: HashMap<Entry, Span> = HashMap::new();
        for Placed { statement, .. } in placed.iter().filter(|placed| placed.is_given) {
            if let Some((entry, _)) = entry_of(statement) {
                places.insert(entry, statement.span);
            }
        }
        let mut before: HashMap<Entry, Vec<(Span, AssignOp)>> = HashMap::new();
        let mut body: Block = placed.into_iter().map(|placed| placed.statement).collect();
        for statement in &set {
            let Some((entry, op)) = entry_of(statement) else { continue };
            let span = statement.span;
            if let Some(&place) = places.get(&entry).filter(|_| op == AssignOp::Set)
                && order.of(self.layer_at(span), self.layer_at(place)) == Standing::Beside
            {
                self.fight(place, span, false);
            }
            let earlier = before.entry(entry).or_default();
            let is_home = |at: Span| home.contains(at);
            // Nothing more would be told of a line than its first.
            let fight = earlier.iter().find_map(|&(other, how)| {
                match order.of(self.layer_at(span), self.layer_at(other)) {
                    // Two that both add, or both take, come to the same either way; one that adds and one that takes may
                    // leave the range of the state on one of the ways.
                    Standing::Beside if op == AssignOp::Set || op != how => Some((other, false)),
                    Standing::Same if op == AssignOp::Set && how == AssignOp::Set => {
                        (!is_home(span) || !is_home(other)).then_some((other, true))
                    }
                    Standing::Same | Standing::Above | Standing::Below | Standing::Beside => None,
                }
            });
            // Of many alike the first stands for all.
            let alike = |at: Span, how: AssignOp| (self.layer_at(at), is_home(at), how);
            if !earlier.iter().any(|&(other, how)| alike(other, how) == alike(span, op)) {
                earlier.push((span, op));
            }
            if let Some((other, one_layer)) = fight {
                self.fight(other, span, one_layer);
            }
        }
        body.extend(set);
        body
    }

    /// `others: Red` where a line says already where all others are.
    pub(crate) fn others_again(&mut self, first: Span, second: Span) {
        let order = Order::new(&self.parsed.variants);
        if order.of(self.layer_at(first), self.layer_at(second)) == Standing::Beside {
            self.fight(first, second, false);
            return;
        }
        self.diagnostics.push(
            Diagnostic::error("setup::twice", second, "the others are placed twice")
                .related(first, "first here")
                .help("keep one of the lines; a change puts another in its place: `replace others: …`"),
        );
    }

    /// Two lines that set one state, unless the ledger shows one of them already.
    fn fight(&mut self, a: Span, b: Span, one_layer: bool) {
        let key = |span: Span| (self.layer_at(span), span);
        let (first, second) = if key(a) <= key(b) { (a, b) } else { (b, a) };
        if !self.diagnostics.iter().any(|said| said.code == "amend::clash" && said.span == Some(second)) {
            self.diagnostics.push(ledger::fight(first, second, one_layer));
        }
    }

    /// The layer of a page.
    fn layer_at(&self, span: Span) -> Layer {
        self.parsed.layer_of(span.source).unwrap_or(Layer::Game)
    }
}

/// The state that a statement sets, and of what.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others set nothing")]
fn entry_of(statement: &Statement) -> Option<(Entry, AssignOp)> {
    match &statement.kind {
        StatementKind::Assign { column, keys, op, .. } => {
            Some(((*column, keys.iter().map(|key: &Expr| ExprKey::of(key)).collect()), *op))
        }
        _ => None,
    }
}
