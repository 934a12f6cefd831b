//! Keys of expressions: equal keys, equal values, wherever the expressions stand in the text.

use blazon_diagnostics::Span;

use crate::walk::{Visit, walk_expr};
use crate::*;

/// A key of an expression. It tells nothing of places in the text, of types, and of the numbers of the variables that
/// the expression binds itself; the two ends of a link have no order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprKey(Vec<Token>);

/// One expression without its parts; they follow in the written order. How many they are follows from the token, or, for
/// facts, states and rules, from what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Token {
    Word(i64),
    Absent,
    Everything(KindId),
    Players,
    Winner,
    Local(LocalId),
    /// A variable that the expression binds itself, by how many it has bound before.
    Own(u32),
    Column(ColumnId),
    Rule(RuleId),
    Links(KindId),
    Neighbours(KindId),
    Between(KindId),
    Ends(KindId),
    Each,
    ToSet,
    Not,
    And(u32),
    Or(u32),
    Compare(Comparison),
    In,
    Within,
    Arithmetic(Arithmetic),
    Sets(SetOp),
    Odd,
    Kept(Keeper),
    Range,
    Otherwise,
    /// With the parts that it has beside its source.
    Query(Quantifier, [bool; 3]),
    List(u32),
    Choice,
    /// What stands in two holes is not known to be the same.
    Hole(Span),
}

impl ExprKey {
    /// The key of any expression.
    pub fn of(expr: &Expr) -> Self {
        let mut maker = Maker { only_paths: false, ..Maker::default() };
        maker.visit_expr(expr);
        Self(maker.tokens)
    }

    /// The key of an expression as a function of some variables: what these are called elsewhere says nothing.
    pub fn of_function(expr: &Expr, params: &[LocalId]) -> Self {
        let mut maker = Maker { bound: params.to_vec(), ..Maker::default() };
        maker.visit_expr(expr);
        Self(maker.tokens)
    }

    /// The key of a path: variables, things, facts, states, rules and links between two things, asked of such. Other
    /// expressions are no paths.
    pub fn of_path(expr: &Expr) -> Option<Self> {
        let mut maker = Maker { only_paths: true, ..Maker::default() };
        maker.visit_expr(expr);
        (!maker.failed).then_some(Self(maker.tokens))
    }

    /// The key of a question, and whether it is asked as it stands: `a != b` is the contrary of `a = b`.
    pub fn of_question(expr: &Expr) -> (Self, bool) {
        let mut key = Self::of(expr);
        let is_contrary = key.0.first() == Some(&Token::Compare(Comparison::NotEqual));
        if is_contrary {
            key.0[0] = Token::Compare(Comparison::Equal);
        }
        (key, !is_contrary)
    }

    /// The key of a variable.
    pub fn local(local: LocalId) -> Self {
        Self(vec![Token::Local(local)])
    }

    /// The key of the link of a kind between what two keys stand for.
    pub fn between(kind: KindId, a: &Self, b: &Self) -> Self {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        Self([&[Token::Between(kind)], &a.0[..], &b.0[..]].concat())
    }

    /// The key of the same with variables that are called otherwise; none, if one of them has no name there.
    pub fn renamed(&self, called: impl Fn(LocalId) -> Option<LocalId>) -> Option<Self> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "only these are variables")]
        let renamed = |token: &Token| match token {
            Token::Local(local) => called(*local).map(Token::Local),
            _ => Some(*token),
        };
        self.0.iter().map(renamed).collect::<Option<Vec<_>>>().map(Self)
    }

    /// Whether it reads a fact or state.
    pub fn reads(&self, column: ColumnId) -> bool {
        self.0.contains(&Token::Column(column))
    }

    /// The facts and states that it reads.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only these are columns")]
    pub fn columns(&self) -> impl Iterator<Item = ColumnId> + '_ {
        self.0.iter().filter_map(|token| match token {
            Token::Column(column) => Some(*column),
            _ => None,
        })
    }

    /// Whether it reads any fact or state.
    pub fn reads_columns(&self) -> bool {
        self.columns().next().is_some()
    }

    /// Whether it asks any rule.
    pub fn asks_rules(&self) -> bool {
        self.0.iter().any(|token| matches!(token, Token::Rule(_)))
    }

    /// Whether it holds what may be another thing where it is asked again, though no state that it reads is set: who has won,
    /// or a hole.
    pub fn is_open(&self) -> bool {
        self.0.iter().any(|token| matches!(token, Token::Winner | Token::Hole(_)))
    }

    /// Whether `none` stands in it.
    pub fn names_none(&self) -> bool {
        self.0.contains(&Token::Absent)
    }
}

/// Makes a key.
#[derive(Default)]
struct Maker {
    tokens: Vec<Token>,
    /// The variables bound around.
    bound: Vec<LocalId>,
    only_paths: bool,
    /// Whether something was no path.
    failed: bool,
}

impl Maker {
    fn token(&self, expr: &Expr) -> Token {
        match &expr.kind {
            ExprKind::Word(word) => Token::Word(*word),
            ExprKind::Absent => Token::Absent,
            ExprKind::Everything(kind) => Token::Everything(*kind),
            ExprKind::Players => Token::Players,
            ExprKind::Winner => Token::Winner,
            ExprKind::Local(local) => match self.bound.iter().rposition(|bound| bound == local) {
                Some(place) => Token::Own(place as u32),
                None => Token::Local(*local),
            },
            ExprKind::Column(column, _) => Token::Column(*column),
            ExprKind::Rule(rule, _) => Token::Rule(*rule),
            ExprKind::Links(kind, _) => Token::Links(*kind),
            ExprKind::Neighbours(kind, _) => Token::Neighbours(*kind),
            ExprKind::Between(kind, ..) => Token::Between(*kind),
            ExprKind::Ends(kind, _) => Token::Ends(*kind),
            ExprKind::Each(..) => Token::Each,
            ExprKind::ToSet(_) => Token::ToSet,
            ExprKind::Not(_) => Token::Not,
            ExprKind::And(all) => Token::And(all.len() as u32),
            ExprKind::Or(all) => Token::Or(all.len() as u32),
            ExprKind::Compare(op, ..) => Token::Compare(*op),
            ExprKind::In(..) => Token::In,
            ExprKind::Within(..) => Token::Within,
            ExprKind::Arithmetic(op, ..) => Token::Arithmetic(*op),
            ExprKind::Sets(op, ..) => Token::Sets(*op),
            ExprKind::Odd(_) => Token::Odd,
            ExprKind::Kept(keeper, _) => Token::Kept(*keeper),
            ExprKind::Range(..) => Token::Range,
            ExprKind::Otherwise(..) => Token::Otherwise,
            ExprKind::Query(query) => {
                let has = [&query.filter, &query.by, &query.within].map(Option::is_some);
                Token::Query(query.quantifier, has)
            }
            ExprKind::List(all) => Token::List(all.len() as u32),
            ExprKind::Choice(..) => Token::Choice,
            ExprKind::Invalid(_) => Token::Hole(expr.span),
        }
    }
}

impl<'b> Visit<'b> for Maker {
    fn visit_expr(&mut self, expr: &'b Expr) {
        let token = self.token(expr);
        self.failed |= self.only_paths && !token.is_of_path();
        if self.failed {
            return;
        }
        self.tokens.push(token);
        let (first, mark) = (self.tokens.len(), self.bound.len());
        if let ExprKind::Between(_, a, b) = &expr.kind {
            self.visit_expr(a);
            let second = self.tokens.len();
            self.visit_expr(b);
            if self.tokens[second..] < self.tokens[first..second] {
                self.tokens[first..].rotate_left(second - first);
            }
        } else {
            walk_expr(self, expr);
        }
        self.bound.truncate(mark);
    }

    fn visit_binding(&mut self, local: LocalId) {
        self.bound.push(local);
    }
}

impl Token {
    /// Whether a path may hold it.
    fn is_of_path(self) -> bool {
        match self {
            Self::Word(_)
            | Self::Absent
            | Self::Local(_)
            | Self::Own(_)
            | Self::Column(_)
            | Self::Rule(_)
            | Self::Between(_)
            | Self::Each => true,
            Self::Hole(_)
            | Self::Everything(_)
            | Self::Players
            | Self::Winner
            | Self::Links(_)
            | Self::Neighbours(_)
            | Self::Ends(_)
            | Self::ToSet
            | Self::Not
            | Self::And(_)
            | Self::Or(_)
            | Self::Compare(_)
            | Self::In
            | Self::Within
            | Self::Arithmetic(_)
            | Self::Sets(_)
            | Self::Odd
            | Self::Kept(_)
            | Self::Range
            | Self::Otherwise
            | Self::Query(..)
            | Self::List(_)
            | Self::Choice => false,
        }
    }
}
