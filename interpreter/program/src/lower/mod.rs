//! From a checked book to a program: the order of the work.

pub(crate) mod choice;
pub(crate) mod dice_keys;
pub(crate) mod expression;
mod faces;
pub(crate) mod function_builder;
pub(crate) mod keys;
pub(crate) mod layout;
pub(crate) mod lowering;
pub(crate) mod query;
pub(crate) mod rules;
pub(crate) mod statement;
mod texts;

use std::sync::Arc;

use blazon_book::walk::each_expr;
use blazon_book::{
    Base, Book, ColumnId, Expr, ExprKind, KindId, Local, LocalId, Modifier, Quantifier, Query, Role, Rule,
    RuleBody, RuleId, StepId, Type,
};
use blazon_diagnostics::{Diagnostic, Span};

use crate::coverage;
use crate::ir::{Function, Op, Origin, Program};
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::lowering::Lowering;
use crate::passes::drop_unused_columns;
use crate::passes::superinstructions;
use crate::verify;

/// Lowers a book.
///
/// # Errors
///
/// `run::memory`: a limit, for a rule or step that needs too much memory at once. `run::internal`: the book has holes,
/// or is not what the checker promises, or (in debug builds) the program that was made does not keep what the machine relies on; a
/// mistake of ours.
pub fn lower(book: Arc<Book>) -> Result<Program, Vec<Diagnostic>> {
    if !book.whole {
        return Err(vec![Diagnostic::global("run::internal", "a book with holes cannot be played")]);
    }
    let mut lowering = Lowering::new(book);
    lowering.lay_out();
    if lowering.problems.is_empty() {
        lowering.functions();
    }
    if !lowering.problems.is_empty() {
        return Err(lowering.problems);
    }
    let mut program = lowering.program;
    drop_unused_columns::pack(&mut program);
    superinstructions::fuse(&mut program);
    if cfg!(debug_assertions)
        && let Err(message) = verify::verify(&program)
    {
        let message = format!("the program that was made is broken (a mistake of the compiler): {message}");
        return Err(vec![Diagnostic::global("run::internal", message)]);
    }
    Ok(program)
}

/// Lowers a book to a program that counts what comes up, at its [`Program::sites`].
///
/// # Errors
///
/// As [`lower`].
pub fn lower_counting(book: &Book) -> Result<Program, Vec<Diagnostic>> {
    let counting = coverage::counting(book);
    let mut program = lower(Arc::new(counting.book))?;
    (program.sites, program.site_rules) = (counting.sites, counting.rules);
    Ok(program)
}

impl Lowering {
    /// Gives all functions their numbers, then lowers one after the other.
    fn functions(&mut self) {
        let book = self.book.clone();
        let mut next = (book.steps.len() + book.rules.len()) as u32;
        let mut number = || {
            next += 1;
            next - 1
        };
        for (place, rule) in book.rules.iter().enumerate() {
            if matches!(rule.body, RuleBody::Permission(_)) {
                self.explains.insert(RuleId(place as u32), number());
            }
        }
        for (place, rule) in book.rules.iter().enumerate() {
            for clause in clauses(rule) {
                self.clauses.insert((RuleId(place as u32), clause), number());
            }
        }
        let explains = |invariant: &blazon_book::Invariant| self.explains.get(&invariant.rule).copied();
        self.program.invariants = book.invariants.iter().filter_map(explains).collect();
        self.watch_functions = book.watches.iter().map(|_| number()).collect();
        for (place, column) in book.columns.iter().enumerate() {
            if matches!(&column.role, Role::State { start: Some(_), .. }) {
                self.program.starts.push((place as u16, number()));
            }
        }
        for (place, kind) in book.kinds.iter().enumerate() {
            self.program.seen[place] = kind.seen.as_ref().map(|_| number());
            self.program.faces[place] = kind.seen.as_ref().map(|_| number());
        }
        if next > u32::from(u16::MAX) {
            self.too_large(Span::default(), format!("the book has {next} rules and steps"));
            return;
        }
        let none = Function {
            name: String::new(),
            origin: Origin::Made,
            entry: 0,
            end: 0,
            param_words: 0,
            result_words: 0,
            local_words: 0,
            frame_words: 0,
        };
        self.program.functions = vec![none; next as usize];
        // Calls ask for the words of functions that are not lowered yet.
        for (place, step) in book.steps.iter().enumerate() {
            self.heading(place, &step.name, &step.locals[..step.params], step.ty);
        }
        for (place, rule) in book.rules.iter().enumerate() {
            self.heading(book.steps.len() + place, &rule.name, &rule.locals[..rule.params], Some(rule.ty));
        }
        for place in 0..book.steps.len() {
            self.step(StepId(place as u32));
        }
        for place in 0..book.rules.len() {
            self.rule(RuleId(place as u32));
        }
        for place in 0..book.rules.len() {
            if self.explains.contains_key(&RuleId(place as u32)) {
                self.explain_rule(RuleId(place as u32));
            }
        }
        for (place, rule) in book.rules.iter().enumerate() {
            let RuleBody::Value { modifiers, .. } = &rule.body else { continue };
            for (clause, modifier) in modifiers.iter().enumerate() {
                let Some(&function) = self.clauses.get(&(RuleId(place as u32), clause)) else { continue };
                let name = match modifier.label.as_str() {
                    "" => rule.name.clone(),
                    label => format!("{}, {label}", rule.name),
                };
                self.made(function, name, &rule.locals, rule.params, &modifier.value, modifier.value.ty);
            }
        }
        for (watch, &function) in book.watches.iter().zip(&self.watch_functions.clone()) {
            self.made(
                function,
                format!("whenever {}", watch.name),
                &watch.locals,
                0,
                &watch.condition,
                Type::of(Base::Flag),
            );
        }
        for (column, function) in self.program.starts.clone() {
            let column = book.column(ColumnId(u32::from(column)));
            if let Role::State { start: Some(start), .. } = &column.role {
                let name = format!("the start of {}", column.name);
                self.made(function, name, &start.locals, column.keys.len(), &start.value, column.ty);
            }
        }
        for place in 0..book.kinds.len() {
            self.sight(KindId(place as u32));
        }
    }

    /// Who sees the face of a thing, and which faces somebody sees.
    fn sight(&mut self, of: KindId) {
        let book = self.book.clone();
        let (kind, place) = (book.kind(of), of.0 as usize);
        let (Some(seen), Some(one), Some(all)) =
            (&kind.seen, self.program.seen[place], self.program.faces[place])
        else {
            return;
        };
        let (flag, set) = (Type::of(Base::Flag), Type::of(Base::Set(of)));
        self.made(one, format!("who sees a {}", kind.name), &seen.locals, 2, &seen.when, flag);
        let span = seen.when.span;
        let query = Query {
            quantifier: Quantifier::All,
            local: LocalId(1),
            source: Expr { kind: ExprKind::Everything(of), ty: set, span },
            filter: Some(seen.when.clone()),
            by: None,
            within: None,
        };
        let faces = Expr { kind: ExprKind::Query(Box::new(query)), ty: set, span };
        self.made(all, format!("which {} somebody sees", kind.plural), &seen.locals, 1, &faces, set);
    }

    fn heading(&mut self, place: usize, name: &str, params: &[Local], ty: Option<Type>) {
        let words: usize = params.iter().map(|param| self.program.words_of(param.ty)).sum();
        let result = ty.map_or(0, |ty| self.program.words_of(ty));
        let function = &mut self.program.functions[place];
        function.name = name.to_owned();
        function.param_words = words.min(usize::from(u16::MAX)) as u16;
        function.result_words = result as u16;
    }

    /// A pure function of one expression.
    fn made(&mut self, function: u32, name: String, locals: &[Local], params: usize, value: &Expr, ty: Type) {
        let mut builder = FunctionBuilder::new(self, locals, false, value.span);
        let words = builder.params(params);
        let result = builder.temp(builder.words(ty));
        builder.put(value, result);
        builder.emit(Op::Return { src: result });
        let result_words = builder.words(ty);
        builder.finish(function, name, Origin::Made, words, result_words);
    }
}

/// The modifiers of a rule, by their places, that are functions of their own: where it has several, those that look through a
/// set are much to find out, and a change of what one reads need not be felt by the others.
fn clauses(rule: &Rule) -> Vec<usize> {
    let RuleBody::Value { modifiers, .. } = &rule.body else { return Vec::new() };
    let is_much = |modifier: &Modifier| {
        let mut looks = false;
        each_expr(&modifier.value, &mut |part| looks |= matches!(part.kind, ExprKind::Query(_)));
        looks && matches!(modifier.value.ty.base, Base::Number(..))
    };
    let much = modifiers.iter().enumerate().filter(|(_, modifier)| is_much(modifier));
    if modifiers.len() > 1 { much.map(|(place, _)| place).collect() } else { Vec::new() }
}

impl FunctionBuilder<'_> {
    /// Gives the parameters their places, one after the other; answers how many words they take.
    pub fn params(&mut self, params: usize) -> u16 {
        let mut words = 0u16;
        for param in 0..params {
            let local = LocalId(param as u32);
            words = words.saturating_add(self.words(self.vars[param].ty));
            self.place(local);
        }
        words
    }
}
