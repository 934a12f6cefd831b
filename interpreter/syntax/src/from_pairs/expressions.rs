//! Expressions, texts and types.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_grammar::{Node, Rule};

use super::{Built, Tree, brackets, fold, internal, rounding};
use crate::ast::{
    BinaryOp, Call, Expr, ExprKind, Piece, Plural, Precedence, Quantifier, Query, Rounding, Text, Type,
    TypeKind,
};

/// How deep the tree of one expression may be.
const MAX_TREE: usize = 200;

/// An expression, how deep it is, and whether it stands in brackets of its own.
struct Deep {
    expr: Expr,
    depth: usize,
    bracketed: bool,
}

impl Deep {
    /// The query of a ready set that stands here without brackets.
    fn bare_query(&self) -> Option<&Query> {
        match &self.expr.kind {
            ExprKind::Query(query) if !self.bracketed && query.name.is_none() => Some(query),
            _ => None,
        }
    }

    fn bare_and(&self) -> bool {
        !self.bracketed && matches!(self.expr.kind, ExprKind::Binary(BinaryOp::And, ..))
    }
}

/// A part of a flat expression.
enum Token {
    Not(Span),
    Operator(Operator, Span),
    Value(Deep),
    Rounded(Rounding, Span),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Binary(BinaryOp),
    Range,
    Otherwise,
}

impl Operator {
    fn precedence(self) -> Precedence {
        match self {
            Operator::Binary(operator) => operator.precedence(),
            Operator::Range => Precedence::Range,
            Operator::Otherwise => Precedence::Otherwise,
        }
    }
}

/// The parts of a flat expression, read from the left.
struct Flat {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    span: Span,
    /// What `and` joins beside an `or`, and that `or`.
    joined: Vec<Span>,
    or: Span,
    /// What else needs brackets.
    wrong: Vec<Diagnostic>,
}

impl Flat {
    /// Reads on as long as operators bind at least as strongly as `least`.
    fn climb(&mut self, least: Precedence) -> Built<Deep> {
        let mut left = self.prefix(least)?;
        loop {
            if let Some(&Token::Rounded(rounding, words)) = self.tokens.peek()
                && least <= Precedence::Product
            {
                self.tokens.next();
                left = round(left, rounding, words)?;
            }
            let (operator, sign) = match self.tokens.peek() {
                Some(&Token::Operator(operator, sign)) if operator.precedence() >= least => (operator, sign),
                _ => return Ok(left),
            };
            self.tokens.next();
            let precedence = operator.precedence();
            let right = self.climb(precedence.tighter())?;
            if let Operator::Binary(operator) = operator
                && brackets::joins_sets(operator)
                && let Some(query) = left.bare_query()
            {
                let joined = query.source.span.to(right.expr.span);
                self.wrong.push(brackets::query_beside_sign(left.expr.span, query, joined, sign));
            }
            if operator == Operator::Binary(BinaryOp::Or) {
                self.or = sign;
                self.joined.extend(
                    [&left, &right].into_iter().filter(|part| part.bare_and()).map(|part| part.expr.span),
                );
            }
            left = join(operator, left, right)?;
            if matches!(precedence, Precedence::Comparison | Precedence::Range)
                && let Some(&Token::Operator(next, second)) = self.tokens.peek()
                && next.precedence() == precedence
            {
                let what = if precedence == Precedence::Range { "ranges" } else { "comparisons" };
                return Err(Box::new(
                    Diagnostic::error("syntax::expected", second, format!("{what} do not chain"))
                        .label("a second one")
                        .related(sign, "the first")
                        .help("join two comparisons with `and`, or put one in brackets"),
                ));
            }
        }
    }

    fn prefix(&mut self, least: Precedence) -> Built<Deep> {
        let mut nots = Vec::new();
        while let Some(&Token::Not(span)) = self.tokens.peek() {
            if least > Precedence::Not {
                return Err(Box::new(
                    Diagnostic::error("syntax::expected", span, "`not` cannot stand after this sign")
                        .label("here")
                        .help("put the denied condition in brackets: `(not …)`"),
                ));
            }
            self.tokens.next();
            nots.push(span);
        }
        let mut value = if nots.is_empty() {
            match self.tokens.next() {
                Some(Token::Value(value)) => value,
                _ => return Err(internal(self.span)),
            }
        } else {
            self.climb(Precedence::Comparison)?
        };
        for span in nots.into_iter().rev() {
            let whole = span.to(value.expr.span);
            value = deepen(ExprKind::Not(Box::new(value.expr)), whole, value.depth)?;
        }
        Ok(value)
    }
}

/// Joins two values.
fn join(operator: Operator, left: Deep, right: Deep) -> Built<Deep> {
    let span = left.expr.span.to(right.expr.span);
    let depth = left.depth.max(right.depth);
    let (left, right) = (Box::new(left.expr), Box::new(right.expr));
    let kind = match operator {
        Operator::Binary(op) => ExprKind::Binary(op, left, right),
        Operator::Range => ExprKind::Range(left, right),
        Operator::Otherwise => ExprKind::Otherwise(left, right),
    };
    deepen(kind, span, depth)
}

/// What is rounded: a quotient.
fn round(left: Deep, rounding: Rounding, words: Span) -> Built<Deep> {
    if !matches!(left.expr.kind, ExprKind::Binary(BinaryOp::Over, ..)) {
        let (written, message) = (rounding.words(), "only a quotient is rounded");
        return Err(Box::new(
            Diagnostic::error("syntax::expected", words, message)
                .label(format!("`{written}` stands behind a quotient"))
                .related(left.expr.span, "this is none")
                .help(format!(
                    "write it behind what is divided: `a / b {written}`, `(a * b / c {written}) + d`"
                )),
        ));
    }
    let span = left.expr.span.to(words);
    deepen(ExprKind::Rounded(rounding, Box::new(left.expr)), span, left.depth)
}

/// One level more.
fn deepen(kind: ExprKind, span: Span, depth: usize) -> Built<Deep> {
    if depth >= MAX_TREE {
        return Err(Box::new(
            Diagnostic::error("syntax::depth", span, "an expression is too long")
                .label(format!("more than {MAX_TREE} signs deep"))
                .help("give parts of it names, as rules of their own"),
        ));
    }
    Ok(Deep { expr: Expr { kind, span }, depth: depth + 1, bracketed: false })
}

impl Tree {
    /// An expression, a sum, or a value by itself.
    pub(super) fn expr(&mut self, node: Node<'_>) -> Built<Expr> {
        Ok(self.deep(node)?.expr)
    }

    /// Expressions with commas between them.
    pub(super) fn exprs(&mut self, nodes: Vec<Node<'_>>) -> Built<Vec<Expr>> {
        self.among(true, |tree| nodes.into_iter().map(|node| tree.expr(node)).collect())
    }

    /// Reads something that is, or is not, one of several with commas between them.
    pub(super) fn among<R>(&mut self, listed: bool, read: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.listed, listed);
        let found = read(self);
        self.listed = before;
        found
    }

    fn deep(&mut self, node: Node<'_>) -> Built<Deep> {
        let span = self.span(&node);
        if node.as_rule() == Rule::operand {
            return self.operand(node);
        }
        let mut tokens = Vec::new();
        // Whether what is read next ends a quotient.
        let mut divides = false;
        for part in node.into_inner() {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::kw_not => tokens.push(Token::Not(place)),
                Rule::operand => {
                    let mut value = self.operand(part.clone())?;
                    let rounded =
                        if divides { rounding::split_off(part.as_str(), &mut value.expr) } else { None };
                    tokens.push(Token::Value(value));
                    tokens.extend(rounded.map(|(rounding, words)| Token::Rounded(rounding, words)));
                }
                Rule::rounding => {
                    let rounding = Rounding::written(part.as_str()).ok_or_else(|| internal(place))?;
                    tokens.push(Token::Rounded(rounding, place));
                }
                Rule::infix | Rule::range_infix | Rule::sum_infix => {
                    let sign = part.into_inner().next().ok_or_else(|| internal(place))?;
                    let operator = operator(&sign, place)?;
                    divides = match operator {
                        Operator::Binary(operator) => operator == BinaryOp::Over,
                        Operator::Otherwise => divides,
                        Operator::Range => false,
                    };
                    tokens.push(Token::Operator(operator, place));
                }
                _ => return Err(internal(place)),
            }
        }
        let tokens = tokens.into_iter().peekable();
        let mut flat = Flat { tokens, span, joined: Vec::new(), or: span, wrong: Vec::new() };
        let whole = flat.climb(Precedence::Query)?;
        self.wrong.extend(brackets::and_beside_or(flat.or, &flat.joined));
        self.wrong.append(&mut flat.wrong);
        Ok(whole)
    }

    /// A part of a query, which is one value.
    fn query_part(&mut self, node: Node<'_>) -> Built<Deep> {
        let sign = node.clone().into_inner().find_map(|part| {
            let joins = matches!(part.as_rule(), Rule::sum_infix | Rule::range_infix);
            let sign = joins.then(|| part.clone().into_inner().next())??;
            BinaryOp::written(sign.as_str()).filter(|&operator| brackets::joins_sets(operator))?;
            Some(self.span(&part))
        });
        let value = self.deep(node)?;
        self.wrong.extend(sign.map(|sign| brackets::sign_in_query(value.expr.span, sign)));
        Ok(value)
    }

    /// A value and what is asked of it.
    fn operand(&mut self, node: Node<'_>) -> Built<Deep> {
        let mut parts = self.parts(node);
        let first = parts.next()?;
        let mut value = self.primary(first)?;
        while let Some(asked) = parts.take(Rule::call) {
            let span = value.expr.span.to(self.span(&asked));
            let (call, depth) = self.deep_call(asked)?;
            value = deepen(ExprKind::Dot(Box::new(value.expr), call), span, value.depth.max(depth))?;
        }
        Ok(value)
    }

    fn primary(&mut self, node: Node<'_>) -> Built<Deep> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::text => ExprKind::Text(self.text(node)?),
            Rule::number => ExprKind::Number(self.number(&node)?),
            Rule::flag => ExprKind::Flag(node.as_str().trim() == "yes"),
            Rule::nothing => ExprKind::None,
            Rule::thing => ExprKind::Thing(fold(node.as_str())),
            Rule::call => {
                let (call, depth) = self.deep_call(node)?;
                return deepen(ExprKind::Call(call), span, depth);
            }
            Rule::list => {
                let (items, depth) = self.deep_list(node)?;
                return deepen(ExprKind::List(items), span, depth);
            }
            Rule::group_expr => {
                let inner = self.parts(node).next()?;
                let mut inner = self.among(false, |tree| tree.deep(inner))?;
                inner.expr.span = span;
                inner.bracketed = true;
                return Ok(inner);
            }
            Rule::query => return self.query(node),
            _ => return Err(internal(span)),
        };
        Ok(Deep { expr: Expr { kind, span }, depth: 1, bracketed: false })
    }

    /// A name with its arguments.
    pub(super) fn call(&mut self, node: Node<'_>) -> Built<Call> {
        Ok(self.deep_call(node)?.0)
    }

    fn deep_call(&mut self, node: Node<'_>) -> Built<(Call, usize)> {
        let mut parts = self.parts(node);
        let name = self.name(&parts.next()?);
        let (args, depth) = match parts.take(Rule::args) {
            Some(args) => self.deep_list(args)?,
            None => (Vec::new(), 0),
        };
        Ok((Call { name, args }, depth))
    }

    fn deep_list(&mut self, node: Node<'_>) -> Built<(Vec<Expr>, usize)> {
        let mut items = Vec::new();
        let mut depth = 0;
        for item in self.parts(node).run(Rule::expr) {
            let item = self.among(true, |tree| tree.deep(item))?;
            depth = depth.max(item.depth);
            items.push(item.expr);
        }
        Ok((items, depth))
    }

    fn query(&mut self, node: Node<'_>) -> Built<Deep> {
        let mut parts = self.parts(node);
        let span = parts.span;
        let first = parts.next()?;
        if first.as_rule() == Rule::every {
            return self.bound(Quantifier::Every, first, span);
        }
        let quantifier = Quantifier::written(first.as_str().trim()).ok_or_else(|| internal(span))?;
        let next = parts.next()?;
        if next.as_rule() != Rule::operand {
            return self.bound(quantifier, next, span);
        }
        let source = self.deep(next)?;
        let (filter, by, within, holds) = (None, Vec::new(), None, None);
        let query = Query { quantifier, name: None, source: source.expr, filter, by, within, holds };
        deepen(ExprKind::Query(Box::new(query)), span, source.depth)
    }

    /// A query with a variable.
    fn bound(&mut self, quantifier: Quantifier, node: Node<'_>, span: Span) -> Built<Deep> {
        let mut parts = self.parts(node);
        let name = Some(self.name(&parts.next()?));
        let source = self.query_part(parts.next()?)?;
        let mut depth = source.depth;
        let filter = self.tail(parts.take(Rule::where_part), &mut depth)?;
        let mut by: Vec<Expr> = self.tail(parts.take(Rule::by_part), &mut depth)?.into_iter().collect();
        if let Some(way) = parts.take(Rule::way_part) {
            let way = self.parts(way).next()?;
            let span = self.span(&way);
            let way = self.bound(Quantifier::Way, way, span)?;
            depth = depth.max(way.depth);
            by.push(way.expr);
        }
        if let Some(keys) = parts.take(Rule::by_keys) {
            let told =
                if self.listed { brackets::keys_in_list(span, &keys, |node| self.span(node)) } else { None };
            for key in self.parts(keys).rest {
                by.push(self.part_of_query(key, &mut depth)?);
            }
            match told {
                // What was read as another key may be the next of the list.
                Some(told) if by.len() > 1 => return Err(Box::new(told)),
                told => self.wrong.extend(told),
            }
        }
        let within = self.tail(parts.take(Rule::within_part), &mut depth)?;
        let holds = match parts.take(Rule::expr) {
            Some(holds) => {
                let holds = self.deep(holds)?;
                depth = depth.max(holds.depth);
                Some(holds.expr)
            }
            None => None,
        };
        let query = Query { quantifier, name, source: source.expr, filter, by, within, holds };
        deepen(ExprKind::Query(Box::new(query)), span, depth)
    }

    /// What stands behind an optional word of a query; `depth` grows to that of the deepest part.
    fn tail(&mut self, node: Option<Node<'_>>, depth: &mut usize) -> Built<Option<Expr>> {
        let Some(node) = node else { return Ok(None) };
        let inner = self.parts(node).next()?;
        self.part_of_query(inner, depth).map(Some)
    }

    fn part_of_query(&mut self, node: Node<'_>, depth: &mut usize) -> Built<Expr> {
        let value = self.query_part(node)?;
        *depth = (*depth).max(value.depth);
        Ok(value.expr)
    }

    /// The condition of an optional `where …`.
    pub(super) fn filter(&mut self, node: Option<Node<'_>>) -> Built<Option<Expr>> {
        let Some(node) = node else { return Ok(None) };
        let inner = self.parts(node).next()?;
        self.expr(inner).map(Some)
    }

    /// A text that is the same whenever it is read.
    pub(super) fn words(&mut self, node: Node<'_>) -> Built<Text> {
        let text = self.text(node)?;
        if text.plain().is_none() {
            let message = "nothing is filled in here: this text is the same for every game";
            self.wrong.push(
                Diagnostic::error("syntax::hole", text.span, message)
                    .label("a value in braces stands in it")
                    .help("write the words as they are read; a brace that is meant is written twice, `{{`"),
            );
        }
        Ok(text)
    }

    /// A text with its holes.
    pub(super) fn text(&mut self, node: Node<'_>) -> Built<Text> {
        let span = self.span(&node);
        let mut pieces = Vec::new();
        for part in self.parts(node).rest {
            pieces.push(match part.as_rule() {
                Rule::plain => Piece::Plain(part.as_str().replace("{{", "{").replace("}}", "}")),
                Rule::hole => {
                    let mut parts = self.parts(part);
                    let inner = parts.next()?;
                    let inner = self.among(false, |tree| tree.expr(inner))?;
                    match parts.take(Rule::plural_words) {
                        Some(words) => Piece::Plural(inner, self.plural(words)?),
                        None => Piece::Hole(inner),
                    }
                }
                _ => return Err(internal(span)),
            });
        }
        Ok(Text { pieces, span })
    }

    /// The words of a hole that chooses between them.
    fn plural(&mut self, node: Node<'_>) -> Built<Plural> {
        let mut parts = self.parts(node);
        let mut words = || parts.next().map(|words| words.as_str().trim().to_owned());
        let (one, many) = (words()?, words()?);
        Ok(Plural { one, many })
    }

    /// A type.
    pub(super) fn ty(&mut self, node: Node<'_>) -> Built<Type> {
        let mut parts = self.parts(node);
        let first = parts.next()?;
        let kind = match first.as_rule() {
            Rule::set_type => {
                let name = self.parts(first).next()?;
                TypeKind::SetOf(self.name(&name))
            }
            Rule::range_type => {
                let mut ends = self.parts(first);
                TypeKind::Range(self.number(&ends.next()?)?, self.number(&ends.next()?)?)
            }
            Rule::name => TypeKind::Named(self.name(&first)),
            _ => return Err(internal(parts.span)),
        };
        Ok(Type { kind, optional: parts.take(Rule::question).is_some(), span: parts.span })
    }
}

fn operator(sign: &Node<'_>, span: Span) -> Built<Operator> {
    match sign.as_rule() {
        Rule::range_sign => Ok(Operator::Range),
        Rule::kw_otherwise => Ok(Operator::Otherwise),
        // Of several words, perhaps on two lines.
        Rule::op_not_in => Ok(Operator::Binary(BinaryOp::NotIn)),
        _ => BinaryOp::written(sign.as_str()).map(Operator::Binary).ok_or_else(|| internal(span)),
    }
}
