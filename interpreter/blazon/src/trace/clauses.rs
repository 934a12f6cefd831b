//! Asks the clauses of a rule in a position, in the order in which the machine would look at them.

use std::collections::BTreeSet;

use blazon_book::{
    Exception, ExprKind, LocalId, Modifier, Need, Piece, Rule, RuleBody, RuleId, RuleTable, Text,
};
use blazon_diagnostics::Span;

use super::ask::Asking;
use super::probes::{Pair, Probe, Probes};
use super::told::{Clause, Held, Part, Sort};
use crate::told::Value;

/// What came of the clauses: their telling, and what those that decided asked.
#[derive(Default)]
pub(super) struct Looked<'p> {
    pub clauses: Vec<Clause>,
    pub deciding: Vec<&'p Probe>,
}

impl<'a> Asking<'a> {
    /// All clauses of a rule that was made askable; of another none.
    pub fn clauses(&mut self, id: RuleId, rule: &Rule, args: &[i64]) -> Looked<'a> {
        let mut looked = Looked::default();
        let tracer = self.tracer;
        match (&rule.body, tracer.probes.get(&id)) {
            (
                RuleBody::Value { exceptions, modifiers, .. },
                Some(Probes::Value { base, exceptions: asked, modifiers: more }),
            ) => {
                self.exceptions(exceptions, asked, args, &mut looked);
                self.base(rule, base, args, &mut looked);
                self.modifiers(modifiers, more, args, &mut looked);
            }
            (RuleBody::Permission(needs), Some(Probes::Permission(asked))) => {
                self.needs(needs, asked, args, &mut looked);
            }
            (RuleBody::Table(table), Some(Probes::Table)) => {
                looked.clauses.extend(self.row(rule, table, args));
            }
            (RuleBody::Value { .. } | RuleBody::Permission(_) | RuleBody::Table(_), _) => {}
        }
        looked
    }

    /// The exceptions: of those that hold one decides that no other holding one outranks.
    fn exceptions<'p>(
        &mut self,
        exceptions: &[Exception],
        asked: &'p [Pair],
        args: &[i64],
        looked: &mut Looked<'p>,
    ) {
        let holds: Vec<(Held, Vec<Part>)> = asked.iter().map(|pair| self.when(pair, args)).collect();
        let held = |place: usize| holds.get(place).is_some_and(|(held, _)| *held == Held::Yes);
        let beaten = |place: usize| {
            let mut others = exceptions.iter().enumerate();
            others.any(|(other, by)| other != place && held(other) && by.beats.contains(&place))
        };
        for (place, (exception, pair)) in exceptions.iter().zip(asked).enumerate() {
            let mut clause = self.clause(
                Sort::Exception,
                &exception.label,
                pair.when.as_ref(),
                exception.span,
                &exception.cites,
            );
            (clause.held, clause.parts) = holds[place].clone();
            clause.decides = held(place) && !beaten(place);
            clause.beats = exception.beats.iter().map(|&beaten| exceptions[beaten].label.clone()).collect();
            self.give(&mut clause, pair, args, looked);
        }
    }

    fn modifiers<'p>(
        &mut self,
        modifiers: &[Modifier],
        asked: &'p [Pair],
        args: &[i64],
        looked: &mut Looked<'p>,
    ) {
        let given =
            looked.clauses.iter().find(|clause| clause.decides).and_then(|clause| clause.value.as_ref());
        let is_absent = given.is_some_and(|given| matches!(given.value, Some(Value::Nothing)));
        for (modifier, pair) in modifiers.iter().zip(asked) {
            let sort = if modifier.minus { Sort::Minus } else { Sort::Plus };
            let mut clause =
                self.clause(sort, &modifier.label, pair.when.as_ref(), modifier.span, &modifier.cites);
            if is_absent {
                clause.held = Held::NotAsked;
                looked.clauses.push(clause);
                continue;
            }
            (clause.held, clause.parts) = self.when(pair, args);
            clause.decides = clause.held == Held::Yes;
            self.give(&mut clause, pair, args, looked);
        }
    }

    /// Whether a clause holds; one without a condition always does.
    fn when(&mut self, pair: &Pair, args: &[i64]) -> (Held, Vec<Part>) {
        pair.when.as_ref().map_or((Held::Yes, Vec::new()), |when| self.condition(when, args))
    }

    /// Adds a clause, with its value if it holds.
    fn give<'p>(&mut self, clause: &mut Clause, pair: &'p Pair, args: &[i64], looked: &mut Looked<'p>) {
        if clause.held == Held::Yes {
            clause.value = Some(self.value(pair.value.rule, args));
        }
        if clause.decides {
            looked.deciding.extend(pair.when.iter().chain([&pair.value]));
        }
        looked.clauses.push(clause.clone());
    }

    /// The base: it is looked at where no exception holds.
    fn base<'p>(&mut self, rule: &Rule, base: &'p Probe, args: &[i64], looked: &mut Looked<'p>) {
        let decides = looked.clauses.iter().all(|clause| clause.held == Held::No);
        let mut clause = self.clause(Sort::Base, "", None, base.span, &rule.cites);
        clause.condition = self.text(base.span);
        clause.decides = decides;
        clause.held = if decides { Held::Yes } else { Held::NotAsked };
        if decides {
            clause.value = Some(self.value(base.rule, args));
            looked.deciding.push(base);
        }
        looked.clauses.push(clause);
    }

    /// A reason as written; one that nobody wrote, of a value that is not offered, in the same form.
    fn reason(&self, reason: &Text) -> String {
        let written = self.text(reason.span);
        if let Some(quoted) = written.strip_prefix('"') {
            return quoted.trim_end_matches('"').to_owned();
        }
        let piece = |piece: &Piece| match piece {
            Piece::Plain(words) => words.clone(),
            Piece::Hole(expr) => format!("{{{}}}", self.text(expr.span)),
            Piece::Plural(plural) => plural.many.clone(),
        };
        reason.pieces.iter().map(piece).collect()
    }

    /// The needs: the first that fails refuses, and none behind it is looked at.
    fn needs<'p>(&mut self, needs: &[Need], asked: &'p [Probe], args: &[i64], looked: &mut Looked<'p>) {
        let mut refused = false;
        for (need, probe) in needs.iter().zip(asked) {
            let mut clause = self.clause(Sort::Need, &need.label, Some(probe), need.span, &need.cites);
            clause.condition = self.need_text(need, probe);
            clause.reason = need.reason.as_ref().map(|reason| self.reason(reason));
            if !refused {
                (clause.held, clause.parts) = self.condition(probe, args);
                refused = clause.held != Held::Yes;
                clause.decides = refused;
                if refused {
                    looked.deciding = vec![probe];
                } else {
                    looked.deciding.push(probe);
                }
            }
            looked.clauses.push(clause);
        }
        if !refused {
            looked.clauses.iter_mut().for_each(|clause| clause.decides = true);
        }
    }

    /// The condition of a need, with the cases in which it binds.
    fn need_text(&self, need: &Need, probe: &Probe) -> String {
        let is_source = matches!(need.condition.kind, ExprKind::In(..) | ExprKind::Within(..));
        if is_source && !self.text(need.span).starts_with("needs") {
            // What an option takes a variable from.
            return format!("among {}", probe.words);
        }
        match probe.cases.join(" and ") {
            cases if cases.is_empty() => probe.words.clone(),
            cases => format!("if {cases}: {}", probe.words),
        }
    }

    /// The row of a table that answers.
    fn row(&self, rule: &Rule, table: &RuleTable, args: &[i64]) -> Option<Clause> {
        let value = |local: &LocalId| args.get(local.0 as usize).copied();
        let leading: Vec<i64> = table.leading.iter().map(value).collect::<Option<_>>()?;
        let row = table.row(&leading)?;
        let column = table.column(value(&table.across)?)?;
        let printed = table.printed.get(row + 1).map(|cells| cells.join(" | ")).unwrap_or_default();
        let heading = table.printed.first().and_then(|cells| cells.get(table.leading.len() + column));
        let mut clause = self.clause(Sort::Row, "", None, table.rows[row].span, &rule.cites);
        clause.condition = format!("| {printed} |");
        clause.held = Held::Yes;
        clause.decides = true;
        clause.label = heading.cloned().unwrap_or_default();
        Some(clause)
    }

    fn clause(&self, sort: Sort, label: &str, when: Option<&Probe>, span: Span, cites: &[String]) -> Clause {
        Clause {
            sort,
            label: label.to_owned(),
            condition: when.map(|when| when.words.clone()).unwrap_or_default(),
            held: Held::NotAsked,
            decides: false,
            value: None,
            reason: None,
            beats: Vec::new(),
            parts: Vec::new(),
            paragraphs: self.paragraphs(cites),
            place: self.place(span),
            origin: self.origin(span),
        }
    }

    /// Whether a condition holds, and its parts up to the one that decided it.
    fn condition(&mut self, probe: &Probe, args: &[i64]) -> (Held, Vec<Part>) {
        let held = self.holds(probe.rule, args);
        let mut parts = Vec::new();
        if let Some(joined) = &probe.joined {
            let mut decided = false;
            for (place, (rule, words)) in joined.parts.iter().enumerate() {
                let held = if decided { Held::NotAsked } else { self.holds(*rule, args) };
                decided |= held == Held::Failed || held == if joined.until { Held::Yes } else { Held::No };
                let held = if place < joined.cases { held.denied() } else { held };
                parts.push(Part { text: words.clone(), held });
            }
            // What the checker joined was written as one.
            let once: BTreeSet<&str> = parts.iter().map(|part| part.text.as_str()).collect();
            if once.len() < parts.len() {
                parts.clear();
            }
        }
        (held, parts)
    }
}
