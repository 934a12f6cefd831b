//! The operators between two expressions and the words of queries: one table each of how they are written and, for
//! operators, how tightly they bind. Reading, joining lines and printing follow from them.

/// How tightly something binds, loosest first: what binds less tightly than what is around it stands in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// A query takes all that stands behind it.
    Query,
    /// `or`
    Or,
    /// `and`
    And,
    /// `not`
    Not,
    /// Comparisons and membership, which do not chain.
    Comparison,
    /// `..`, which does not chain.
    Range,
    /// Sums.
    Sum,
    /// Products.
    Product,
    /// `otherwise`
    Otherwise,
    /// Names, numbers, brackets.
    Value,
}

impl Precedence {
    /// The next that binds more tightly.
    pub fn tighter(self) -> Self {
        match self {
            Self::Query => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Not,
            Self::Not => Self::Comparison,
            Self::Comparison => Self::Range,
            Self::Range => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::Otherwise,
            Self::Otherwise | Self::Value => Self::Value,
        }
    }
}

/// Makes the type of the operators and what is known of each.
macro_rules! operators {
    ($($(#[$doc:meta])* $Name:ident $sign:literal $Precedence:ident;)*) => {
        /// The operators between two expressions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum BinaryOp { $($(#[$doc])* $Name),* }

        impl BinaryOp {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// How it is written.
            pub fn sign(self) -> &'static str {
                match self { $(Self::$Name => $sign),* }
            }

            /// How tightly it binds.
            pub fn precedence(self) -> Precedence {
                match self { $(Self::$Name => Precedence::$Precedence),* }
            }

            /// The operator that is written so, with single blanks between words.
            pub fn written(sign: &str) -> Option<Self> {
                match sign {
                    $($sign => Some(Self::$Name),)*
                    _ => None,
                }
            }
        }
    };
}

operators! {
    /// `or`
    Or "or" Or;
    /// `and`
    And "and" And;
    /// `=`
    Equal "=" Comparison;
    /// `!=`
    NotEqual "!=" Comparison;
    /// `<`
    Less "<" Comparison;
    /// `<=`
    AtMost "<=" Comparison;
    /// `>`
    Greater ">" Comparison;
    /// `>=`
    AtLeast ">=" Comparison;
    /// `in`
    In "in" Comparison;
    /// `not in`
    NotIn "not in" Comparison;
    /// `+`: sum or union
    Plus "+" Sum;
    /// `-`: difference; between two things, a link
    Minus "-" Sum;
    /// `*`
    Times "*" Product;
    /// `/`, rounded down
    Over "/" Product;
    /// `&`: what both have
    Both "&" Product;
}

/// Makes the type of the words that open a query.
macro_rules! quantifiers {
    ($($(#[$doc:meta])* $Name:ident $word:literal;)*) => {
        /// The words that open a query.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Quantifier { $($(#[$doc])* $Name),* }

        impl Quantifier {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// How it is written.
            pub fn word(self) -> &'static str {
                match self { $(Self::$Name => $word),* }
            }

            /// The quantifier that is written so.
            pub fn written(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$Name),)*
                    _ => None,
                }
            }
        }
    };
}

quantifiers! {
    /// The set.
    All "all";
    /// Whether there is one.
    Any "any";
    /// How many.
    Count "count";
    /// The first in printed order.
    First "first";
    /// Those with the greatest `by`.
    Most "most";
    /// Those with the least `by`.
    Least "least";
    /// The first of those with the greatest `by`.
    Highest "highest";
    /// The first of those with the least `by`.
    Lowest "lowest";
    /// The sum of `by`.
    Total "total";
    /// All that is reached in hops, or by ways that cost something.
    Reach "reach";
    /// Where one goes to from what is reached, with what that costs as `by`. It stands behind the `by` of a [`Self::Reach`],
    /// without a word of its own, and nowhere else.
    Way "";
    /// Whether a condition holds for each.
    Every "every";
    /// The least `by`.
    Min "min";
    /// The greatest `by`.
    Max "max";
}

impl Quantifier {
    /// Whether it picks by comparing: then `by` may hold several keys.
    pub fn compares(self) -> bool {
        match self {
            Self::Most | Self::Least | Self::Highest | Self::Lowest => true,
            Self::All
            | Self::Any
            | Self::Count
            | Self::First
            | Self::Total
            | Self::Reach
            | Self::Way
            | Self::Every
            | Self::Min
            | Self::Max => false,
        }
    }
}

/// Whether a word opens a query that may compare by several keys.
pub(crate) fn compares(word: &str) -> bool {
    Quantifier::written(word).is_some_and(Quantifier::compares)
}

/// How a quotient becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// `rounded down`, and without a word.
    Down,
    /// `rounded up`
    Up,
    /// `rounded`: to the nearest, halves up.
    Nearest,
}

impl Rounding {
    /// How it is written.
    pub fn words(self) -> &'static str {
        match self {
            Self::Down => "rounded down",
            Self::Up => "rounded up",
            Self::Nearest => "rounded",
        }
    }

    /// The rounding that is written so, with blanks between the words.
    pub fn written(words: &str) -> Option<Self> {
        let mut words = words.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("rounded"), None, _) => Some(Self::Nearest),
            (Some("rounded"), Some("up"), None) => Some(Self::Up),
            (Some("rounded"), Some("down"), None) => Some(Self::Down),
            _ => None,
        }
    }
}
