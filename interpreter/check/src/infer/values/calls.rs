//! A name with its arguments: which function is meant, asked of one thing, of each of a set, or of what may be absent.

use blazon_book::build;
use blazon_book::{Arithmetic, Base, ColumnId, Expr, ExprKind, KindId, LocalId, Type, sides_of};
use blazon_diagnostics::{Diagnostic, Fix, Span};
use blazon_syntax::ast::{self};

use crate::merge::order::{Order, Standing};
use crate::resolve::checker::{Checker, Function};
use crate::resolve::env::Env;

impl Checker<'_> {
    /// A name with its arguments, the target of a dot first.
    pub(crate) fn apply(
        &mut self,
        env: &mut Env,
        name: &ast::Name,
        target: Option<&ast::Expr>,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let all: Vec<&ast::Expr> = target.into_iter().chain(args).collect();
        if let Some(found) = self.built_in(env, name, &all, span) {
            return found;
        }
        if self.asks_option(env, name) {
            return self.can(env, name, &all, None, span);
        }
        let Some(functions) = self.functions.get(&name.text).cloned() else {
            let in_scope = env.find(&name.text).is_some();
            if in_scope {
                self.error(
                    "types::arity",
                    name.span,
                    format!("`{}` is a variable: nothing can be asked of it in brackets", name.text),
                );
            } else if let Some(target) = target {
                // Say what can be asked of the target.
                let checked = self.expr(env, target, None)?;
                self.unknown_of(env, name, &checked);
            } else {
                self.unknown(env, name);
            }
            return None;
        };
        let fitting: Vec<Function> =
            functions.iter().copied().filter(|f| self.arity(*f) == all.len()).collect();
        if fitting.is_empty() {
            if functions.iter().any(|f| self.is_untyped(*f)) {
                return None; // What is wrong with it is said where it is declared.
            }
            let wanted = self.arity(functions[0]);
            let help = match all.is_empty() {
                true => self.ask_of(env, &name.text, self.param(functions[0], 0)),
                false => "what stands before the dot is the first".to_owned(),
            };
            self.diagnostics.push(
                Diagnostic::error(
                    "types::arity",
                    span,
                    format!(
                        "`{}` is asked with {} but takes {}",
                        name.text,
                        things(all.len()),
                        things(wanted)
                    ),
                )
                .help(help),
            );
            return None;
        }
        if all.is_empty() {
            self.use_function(name.span, fitting[0]);
            return self.finish(fitting[0], Vec::new(), span);
        }
        if let [only] = fitting[..] {
            // Known even where an argument is wrong.
            self.use_function(name.span, only);
        }
        let (mut function, first) = self.overload(env, name, &fitting, all[0])?;
        if let Function::Neighbours(links) = &mut function
            && name.text == "neighbours"
        {
            *links = self.which_neighbours(*links, name.span);
        }
        let first = self.asked_of(function, all[0], first);
        self.use_function(name.span, function);
        let (rest, perhaps) = self.further(env, function, &all)?;
        let asked = self.lift(env, function, first, rest, span)?;
        perhaps.into_iter().rev().try_fold(asked, |asked, (local, arg)| self.if_there(local, arg, asked))
    }

    /// The arguments behind the first; and those of them that may be absent though one is needed, by the variables that
    /// stand for them: the whole is asked only where they are there.
    #[allow(clippy::type_complexity, reason = "two lists, made together")]
    fn further(
        &mut self,
        env: &mut Env,
        function: Function,
        all: &[&ast::Expr],
    ) -> Option<(Vec<Expr>, Vec<(LocalId, Expr)>)> {
        let is_step = matches!(function, Function::Step(_));
        let (mut rest, mut perhaps) = (Vec::new(), Vec::new());
        for (place, arg) in all.iter().enumerate().skip(1) {
            let want = self.param(function, place);
            let read = self.expr(env, arg, want.base.kind()).map(|read| self.asked_of(function, arg, read));
            let arg = match read {
                Some(read) if lifts(read.ty, want) && !is_step => {
                    let (ty, span) = (Type { optional: false, ..read.ty }, read.span);
                    let local = env.bind("", ty);
                    perhaps.push((local, read));
                    Some(Expr { kind: ExprKind::Local(local), ty, span })
                }
                read => read.and_then(|read| self.coerce(read, want)),
            };
            rest.push(arg.map(|arg| self.kept(arg, function, place)));
        }
        let rest = rest.into_iter().collect::<Option<_>>()?;
        Some((rest, perhaps))
    }

    /// What is asked of something that may be absent: it gives nothing, or no, where that is so.
    fn if_there(&mut self, local: LocalId, source: Expr, body: Expr) -> Option<Expr> {
        let span = body.span;
        let ty = match body.ty.base {
            Base::Set(_) => body.ty,
            Base::Thing(_) | Base::Number(..) | Base::Die | Base::Text | Base::Point => {
                Type { optional: true, ..body.ty }
            }
            Base::Flag | Base::Permission => Type::of(Base::Flag),
            Base::Dice | Base::Numbers | Base::Nothing | Base::Unknown => {
                let shown = self.show_one(body.ty);
                let message = format!("{shown} cannot be asked of a set or of what may be absent");
                self.error("types::mismatch", span, message);
                return None;
            }
        };
        Some(Expr { kind: ExprKind::Each(local, Box::new(source), Box::new(body)), ty, span })
    }

    /// The kind of links that `neighbours` follows: the first that whoever wrote the page could know, and a warning where
    /// he could know others. What other layers add changes nothing there.
    fn which_neighbours(&mut self, first: KindId, span: Span) -> KindId {
        let order = Order::new(&self.parsed.variants);
        let asked = self.parsed.layer_of(span.source);
        let ends = self.kinds[first.0 as usize].ends;
        let is_known = |at: Span| {
            let standing =
                asked.zip(self.parsed.layer_of(at.source)).map(|(asked, layer)| order.of(asked, layer));
            matches!(standing, Some(Standing::Same | Standing::Above))
        };
        let joining = (0..self.kinds.len()).filter(|&place| {
            let kind = &self.kinds[place];
            kind.ends == ends && is_known(kind.span)
        });
        let known: Vec<usize> = joining.collect();
        let Some(&followed) = known.first() else { return first };
        if let Some(&other) = known.get(1) {
            let (of, other) = (&self.kinds[followed], &self.kinds[other]);
            let message =
                format!("`neighbours` follows only `{}`, and there is `{}`, too", of.name, other.name);
            let said = Diagnostic::warning("names::ambiguous", span, message)
                .related(other.span, "joins the same things")
                .help(format!("say which: `{} neighbours` or `{} neighbours`", of.name, other.name))
                .fix(Fix::replace(
                    format!("write `{} neighbours`", of.name),
                    span,
                    format!("{} neighbours", of.name),
                ));
            self.diagnostics.push(said);
        }
        KindId(followed as u32)
    }

    /// Which of several functions of one name is meant, by its first argument; and that argument.
    pub(crate) fn overload(
        &mut self,
        env: &mut Env,
        name: &ast::Name,
        fitting: &[Function],
        first: &ast::Expr,
    ) -> Option<(Function, Expr)> {
        let kind_at = |checker: &Self, f: Function| checker.param(f, 0).base.kind();
        if let [function] = fitting {
            let wanted = kind_at(self, *function);
            return Some((*function, self.expr(env, first, wanted)?));
        }
        if let ast::ExprKind::Thing(thing) = &first.kind {
            let of_kind: Vec<Function> = fitting
                .iter()
                .copied()
                .filter(|f| kind_at(self, *f).is_some_and(|kind| self.thing_of(thing, kind).is_some()))
                .collect();
            if let [function] = of_kind[..] {
                let wanted = kind_at(self, function);
                return Some((function, self.expr(env, first, wanted)?));
            }
        }
        let first = self.expr(env, first, None)?;
        let have = first.ty.base.kind();
        match fitting.iter().copied().find(|f| kind_at(self, *f) == have) {
            Some(function) => Some((function, first)),
            None => {
                self.unknown_of(env, name, &first);
                None
            }
        }
    }

    /// Asks a function of a first argument that may be a set or absent: then of each.
    pub(crate) fn lift(
        &mut self,
        env: &mut Env,
        function: Function,
        first: Expr,
        rest: Vec<Expr>,
        span: Span,
    ) -> Option<Expr> {
        let want = self.param(function, 0);
        let liftable = match (first.ty.base, want.base) {
            (Base::Set(have), Base::Thing(want)) => have == want,
            _ => lifts(first.ty, want),
        };
        if !liftable || matches!(function, Function::Step(_)) {
            let first = self.coerce(first, want)?;
            let first = self.kept(first, function, 0);
            return self.finish(function, std::iter::once(first).chain(rest).collect(), span);
        }
        let it = Type::of(first.ty.base.kind().map_or(first.ty.base, Base::Thing));
        let local = env.bind("", it);
        let it = self.kept(Expr { kind: ExprKind::Local(local), ty: it, span: first.span }, function, 0);
        let body = self.finish(function, std::iter::once(it).chain(rest).collect(), span)?;
        if !matches!(first.ty.base, Base::Set(_)) {
            return self.if_there(local, first, body);
        }
        let ty = match body.ty.base {
            Base::Set(_) => body.ty,
            Base::Thing(kind) => Type::of(Base::Set(kind)),
            Base::Flag | Base::Permission => {
                let said =
                    Diagnostic::error("types::number-of-set", span, "this asks a yes or no of a whole set")
                        .help("say how: `any x in … where x.…` or `every x in …: x.…`");
                self.diagnostics.push(self.label_alike(&first, said));
                return None;
            }
            Base::Number(..) => {
                let said =
                    Diagnostic::error("types::number-of-set", span, "this asks a number of a whole set")
                        .help("say which: `total x in … by x.…`, `max x in … by x.…`, or `count …`");
                self.diagnostics.push(self.label_alike(&first, said));
                return None;
            }
            Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => {
                let shown = self.show_one(body.ty);
                let message = format!("{shown} cannot be asked of a set or of what may be absent");
                self.error("types::mismatch", span, message);
                return None;
            }
        };
        Some(Expr { kind: ExprKind::Each(local, Box::new(first), Box::new(body)), ty, span })
    }

    /// A function with arguments of exactly its parameters' types.
    pub(crate) fn finish(&mut self, function: Function, args: Vec<Expr>, span: Span) -> Option<Expr> {
        self.used.note(function);
        let mut args = args;
        let mut next = || Box::new(args.remove(0));
        let (kind, ty) = match function {
            Function::Column(id) => {
                let ty = self.columns[id.0 as usize].ty;
                if ty.base == Base::Unknown {
                    return None; // What is wrong with it is said where it is declared.
                }
                (ExprKind::Column(id, args), ty)
            }
            Function::Rule(id) => {
                let ty = self.rules[id.0 as usize].ty?;
                (ExprKind::Rule(id, args), ty)
            }
            Function::Plural(kind) => (ExprKind::Everything(kind), Type::of(Base::Set(kind))),
            Function::Links(kind) => (ExprKind::Links(kind, next()), Type::of(Base::Set(kind))),
            Function::Neighbours(kind) => {
                let end = self.param(function, 0).base.kind()?;
                (ExprKind::Neighbours(kind, next()), Type::of(Base::Set(end)))
            }
            Function::Between(kind) => {
                let (a, b) = (next(), next());
                (ExprKind::Between(kind, a, b), Type::maybe(Base::Thing(kind)))
            }
            Function::Ends(kind) => {
                let (end, _) = self.kinds[kind.0 as usize].ends?;
                (ExprKind::Ends(kind, next()), Type::of(Base::Set(end)))
            }
            Function::Ruling(place) => {
                self.rulings_read += 1;
                if let Some(first) = self.open_rulings {
                    let column = ColumnId(first.0 + place as u32);
                    let ty = self.columns[column.0 as usize].ty;
                    return Some(Expr { kind: ExprKind::Column(column, Vec::new()), ty, span });
                }
                let chosen = self.rulings[place].chosen as i64;
                let text = self.rulings[place].values[chosen as usize].clone();
                return Some(match self.ruling_kinds[place] {
                    Some(kind) => build::thing(kind, chosen as u32, span),
                    None => match text.as_str() {
                        "yes" => build::flag(true, span),
                        "no" => build::flag(false, span),
                        _ => build::number(text.parse().unwrap_or(0), span),
                    },
                });
            }
            Function::Step(id) => {
                let name = self.steps[id.0 as usize].name.clone();
                self.diagnostics.push(
                    Diagnostic::error(
                        "rules::effect",
                        span,
                        format!("`{name}` is a step: it cannot be asked inside an expression"),
                    )
                    .help("do it alone on a line, or right after `let x =`, `:=`, `if`, `case` or `return`"),
                );
                return None;
            }
        };
        Some(Expr { kind, ty, span })
    }

    /// The functions of the language itself. `None` if the name is none of them.
    #[allow(
        clippy::option_option,
        reason = "the outer says whether it is built in, the inner whether it is right"
    )]
    pub(crate) fn built_in(
        &mut self,
        env: &mut Env,
        name: &ast::Name,
        args: &[&ast::Expr],
        span: Span,
    ) -> Option<Option<Expr>> {
        let player = self.player;
        Some(match (name.text.as_str(), args) {
            ("players", []) => Some(Expr { kind: ExprKind::Players, ty: Type::of(Base::Set(player)), span }),
            ("winner", []) => {
                Some(Expr { kind: ExprKind::Winner, ty: Type::maybe(Base::Thing(player)), span })
            }
            ("min" | "max", [a, b]) => {
                let rulings = self.rulings_read;
                let (a, b) = (self.number(env, a), self.number(env, b));
                let op = if name.text == "min" { Arithmetic::Min } else { Arithmetic::Max };
                let both = a.zip(b);
                if let Some((a, b)) = both.as_ref().filter(|_| self.rulings_read == rulings) {
                    self.always_the_bound(op, a, b, span);
                }
                both.map(|(a, b)| build::arithmetic(op, a, b, span))
            }
            ("odd", [n]) => self.number(env, n).map(|n| Expr {
                kind: ExprKind::Odd(Box::new(n)),
                ty: Type::of(Base::Flag),
                span,
            }),
            (die, []) if is_die(die) && (sides_of(die).is_some() || !self.functions.contains_key(die)) => {
                match sides_of(die) {
                    Some(sides) => Some(Expr { kind: ExprKind::Word(sides), ty: Type::of(Base::Die), span }),
                    None => {
                        self.no_die(span);
                        None
                    }
                }
            }
            (luck, all) if self.is_luck(luck, all.len()) => {
                self.diagnostics.push(
                    Diagnostic::error(
                        "rules::effect",
                        span,
                        format!("`{}` cannot stand inside an expression", name.text),
                    )
                    .help("luck has an order: in a step name it first, `let die = roll(d6)`, and then ask `die`"),
                );
                None
            }
            _ => return None,
        })
    }
}

/// Whether a question about one thing or number is asked of something that may be absent.
fn lifts(have: Type, want: Type) -> bool {
    let alike = match (have.base, want.base) {
        (Base::Thing(have), Base::Thing(want)) => have == want,
        (Base::Number(..), Base::Number(..)) | (Base::Die, Base::Die) => true,
        _ => false,
    };
    alike && have.optional && !want.optional
}

/// Whether a name is written as a die.
fn is_die(name: &str) -> bool {
    name.strip_prefix('d').is_some_and(|sides| !sides.is_empty() && sides.bytes().all(|b| b.is_ascii_digit()))
}

fn things(count: usize) -> String {
    match count {
        0 => "nothing".to_owned(),
        1 => "one thing".to_owned(),
        n => format!("{n} things"),
    }
}
