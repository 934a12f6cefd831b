//! Types, expressions and values of a book in words: every operand stands in brackets, and what the checker put in
//! where the text leaves it out is written out (`set(x)`, `each v in x: y`).

use blazon_book::*;

use super::book_text::BookText;

/// Between brackets, with commas.
fn list(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

impl BookText<'_> {
    /// `0..4`, `set of piece`, `area?`
    pub fn ty(&self, ty: Type) -> String {
        let base = match ty.base {
            Base::Flag => "flag".to_owned(),
            Base::Number(lo, hi) => format!("{lo}..{hi}"),
            Base::Thing(kind) => self.kind(kind).to_owned(),
            Base::Set(kind) => format!("set of {}", self.kind(kind)),
            Base::Dice => "dice".to_owned(),
            Base::Die => "die".to_owned(),
            Base::Text => "text".to_owned(),
            Base::Point => "point".to_owned(),
            Base::Permission => "permission".to_owned(),
            Base::Numbers => "numbers".to_owned(),
            Base::Nothing | Base::Unknown => "nothing".to_owned(),
        };
        if ty.optional { base + "?" } else { base }
    }

    pub fn kind(&self, kind: KindId) -> &str {
        &self.book.kind(kind).name
    }

    /// A word of a type: `3`, `yes`, `Ford`.
    pub fn word(&self, base: Base, word: i64) -> String {
        match base {
            Base::Flag => if word == 0 { "no" } else { "yes" }.to_owned(),
            Base::Thing(kind) | Base::Set(kind) => match self.book.kind(kind).things.get(word as usize) {
                Some(thing) => thing.name.clone(),
                None => format!("thing {word}?"),
            },
            Base::Number(..)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => word.to_string(),
        }
    }

    /// A printed value.
    pub fn constant(&self, base: Base, value: &Constant) -> String {
        match value {
            Constant::Absent => "none".to_owned(),
            Constant::Word(word) => self.word(base, *word),
            Constant::Set(things) => {
                format!("[{}]", list(things.iter().map(|&thing| self.word(base, i64::from(thing)))))
            }
            Constant::Text(text) => format!("{text:?}"),
            Constant::Point(x, y) => format!("({x}, {y})"),
        }
    }

    pub fn local(&self, locals: &[Local], id: LocalId) -> String {
        match locals.get(id.0 as usize) {
            Some(local) if local.name.is_empty() => format!("#{}", id.0),
            Some(local) => local.name.clone(),
            None => format!("local {}?", id.0),
        }
    }

    pub fn text(&self, locals: &[Local], text: &Text) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Plain(plain) => plain.clone(),
            Piece::Hole(value) => format!("{{{}}}", self.expr(locals, value)),
            Piece::Plural(Plural { of, several, one, many }) => {
                let of = of.as_ref().map(|of| format!("{} ", self.expr(locals, of))).unwrap_or_default();
                format!("{{{of}{}: {many} | {one}}}", self.expr(locals, several))
            }
        };
        format!("\"{}\"", text.pieces.iter().map(piece).collect::<String>())
    }

    pub fn args(&self, locals: &[Local], args: &[Expr]) -> String {
        list(args.iter().map(|arg| self.expr(locals, arg)))
    }

    /// An expression.
    pub fn expr(&self, locals: &[Local], expr: &Expr) -> String {
        let one = |part: &Expr| self.expr(locals, part);
        let all = |args: &[Expr]| self.args(locals, args);
        match &expr.kind {
            ExprKind::Word(word) => self.word(expr.ty.base, *word),
            ExprKind::Absent => "none".to_owned(),
            ExprKind::Everything(kind) => self.book.kind(*kind).plural.clone(),
            ExprKind::Players => "players".to_owned(),
            ExprKind::Winner => "winner".to_owned(),
            ExprKind::Local(local) => self.local(locals, *local),
            ExprKind::Column(column, keys) => format!("{}({})", self.book.column(*column).name, all(keys)),
            ExprKind::Rule(rule, args) => format!("ask {}({})", self.book.rule(*rule).name, all(args)),
            ExprKind::Links(kind, a) => format!("links {}({})", self.kind(*kind), one(a)),
            ExprKind::Neighbours(kind, a) => format!("neighbours {}({})", self.kind(*kind), one(a)),
            ExprKind::Between(kind, a, b) => format!("link {}({} - {})", self.kind(*kind), one(a), one(b)),
            ExprKind::Ends(kind, a) => format!("ends {}({})", self.kind(*kind), one(a)),
            ExprKind::Each(local, a, b) => {
                format!("(each {} in {}: {})", self.local(locals, *local), one(a), one(b))
            }
            ExprKind::ToSet(a) => format!("set({})", one(a)),
            ExprKind::Not(a) => format!("(not {})", one(a)),
            ExprKind::And(parts) => format!("({})", parts.iter().map(one).collect::<Vec<_>>().join(" and ")),
            ExprKind::Or(parts) => format!("({})", parts.iter().map(one).collect::<Vec<_>>().join(" or ")),
            ExprKind::Compare(comparison, a, b) => format!("({} {} {})", one(a), sign(*comparison), one(b)),
            ExprKind::In(a, b) => format!("({} in {})", one(a), one(b)),
            ExprKind::Within(a, b, c) => format!("({} within {}..{})", one(a), one(b), one(c)),
            ExprKind::Arithmetic(op, a, b) => arithmetic(*op, &one(a), &one(b)),
            ExprKind::Sets(op, a, b) => format!("({} {} {})", one(a), set_sign(*op), one(b)),
            ExprKind::Kept(_, a) => format!("kept({})", one(a)),
            ExprKind::Odd(a) => format!("odd({})", one(a)),
            ExprKind::Range(a, b) => format!("({}..{})", one(a), one(b)),
            ExprKind::Otherwise(a, b) => format!("({} otherwise {})", one(a), one(b)),
            ExprKind::Query(query) => self.query(locals, query),
            ExprKind::List(parts) => format!("[{}]", all(parts)),
            ExprKind::Invalid(parts) => format!("hole({})", all(parts)),
            ExprKind::Choice(when, a, b) => format!("(if {} then {} else {})", one(when), one(a), one(b)),
        }
    }

    fn query(&self, locals: &[Local], query: &Query) -> String {
        let word = match query.quantifier {
            Quantifier::All => "all",
            Quantifier::Any => "any",
            Quantifier::Count => "count",
            Quantifier::First => "first",
            Quantifier::Most => "most",
            Quantifier::Least => "least",
            Quantifier::Max => "max",
            Quantifier::Min => "min",
            Quantifier::Total => "total",
            Quantifier::Reach => "reach",
            Quantifier::Ways => "ways",
        };
        let some = |word: &str, part: &Option<Expr>| {
            part.as_ref().map_or_else(String::new, |part| format!(" {word} {}", self.expr(locals, part)))
        };
        format!(
            "({word} {} in {}{}{}{})",
            self.local(locals, query.local),
            self.expr(locals, &query.source),
            some("where", &query.filter),
            some("by", &query.by),
            some("within", &query.within)
        )
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
    }
}

fn set_sign(op: SetOp) -> &'static str {
    match op {
        SetOp::Union => "+",
        SetOp::Both => "&",
        SetOp::Without => "-",
    }
}

fn arithmetic(op: Arithmetic, a: &str, b: &str) -> String {
    let sign = match op {
        Arithmetic::Plus => "+",
        Arithmetic::Minus => "-",
        Arithmetic::Times => "*",
        Arithmetic::Over => "/",
        Arithmetic::OverUp => "/up",
        Arithmetic::OverNearest => "/nearest",
        Arithmetic::Min => return format!("min({a}, {b})"),
        Arithmetic::Max => return format!("max({a}, {b})"),
    };
    format!("({a} {sign} {b})")
}
