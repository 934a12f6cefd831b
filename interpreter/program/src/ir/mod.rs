//! The program: what a book is lowered to, and what each instruction does.
//!
//! # Memory
//!
//! A position is one run of 64-bit words. Word 0 to [`RESERVED`] are the machine's own ([`slot`]); then come the
//! columns (states, their inverse indexes, hidden columns) up to [`Program::state_words`]; then the frames of the
//! steps under way. At a decision the position ends where the locals of the innermost frame end: nothing that lies
//! there is scratch. Copying, comparing, hashing and saving a position is copying, comparing … these words.
//!
//! # Values
//!
//! A flag, number, thing or optional of these is one word, read as `i64`; absent is [`ABSENT`]; a thing is its place
//! in its kind. A set over a kind of n things is ⌈n/64⌉ words, bit i of word i/64 for thing i. Dice are
//! [`DICE_WORDS`] words: the count, then eight dice a word, lowest byte first. Numbers (`1..n`) exist only in loops.
//!
//! # Frames and registers
//!
//! A register is a word counted from the base of the running frame. A step's frame begins with [`HEADER`] words:
//! the return address, the caller's base, and the key of its dice; then its parameters, then its other locals
//! (all zero when the frame is made), then temporaries. Temporaries are never alive across [`Op::Do`],
//! [`Op::Choose`] and the end of an option's body: a called step's frame begins where the caller's *locals* end. A
//! rule's frame has no header: parameters first; it begins where the caller's *temporaries* end, and is gone
//! when the rule has answered. Rules never change columns, roll or choose.

mod held;
mod listing;
mod op;
pub(crate) mod op_info;
mod op_table;
mod reads;

use std::sync::Arc;

use blazon_book::{Base, Book, KindId, RuleId, StepId, Type};
use blazon_diagnostics::Span;

pub use held::{Held, Holds};
pub use op::Op;
pub use reads::Reads;

/// A register: a word counted from the base of the frame.
pub type Reg = u16;
/// A place in [`Program::code`].
pub type Pc = u32;
/// The word of an absent thing or number.
pub const ABSENT: i64 = i64::MIN;
/// The words of a step's frame before its parameters.
pub const HEADER: usize = 3;
/// The words of a dice value; it holds up to [`MAX_DICE`] dice.
pub const DICE_WORDS: usize = 4;
pub use blazon_book::MAX_DICE;
/// The words at the start of a position that belong to the machine.
pub const RESERVED: usize = 8;

/// The machine's own words at the start of a position.
pub mod slot {
    /// The place in the code where it goes on (at a decision: its [`super::Op::Choose`]).
    pub const PC: usize = 0;
    /// The base of the innermost frame.
    pub const BASE: usize = 1;
    /// The seed of dice and draws.
    pub const SEED: usize = 2;
    /// 0 under way, 1 over without a winner, 2 + player when won.
    pub const OUTCOME: usize = 3;
    /// How many decisions have been taken.
    pub const TAKEN: usize = 4;
    /// 1 while a step is played by itself, whose end does not end the game.
    pub const ALONE: usize = 5;
}

/// A lowered book.
#[derive(Clone, Debug)]
pub struct Program {
    /// Names, texts' places, paragraphs, types: read when something is shown, never to play.
    pub book: Arc<Book>,
    /// All instructions. Instruction 0 is [`Op::Over`]: the return address of the outermost frame.
    pub code: Vec<Op>,
    /// Where each instruction comes from; as long as `code`.
    pub spans: Vec<Span>,
    /// Steps first (by [`StepId`]), then rules (by [`RuleId`]), then functions of the lowering.
    pub functions: Vec<Function>,
    /// The facts and states (by `ColumnId`), then hidden columns of the lowering.
    pub columns: Vec<Column>,
    /// The words of facts, addressed by columns with [`Space::Fact`].
    pub facts: Vec<u64>,
    /// The words before the frames: [`RESERVED`] and all columns of states.
    pub state_words: usize,
    /// The set constants.
    pub pool: Vec<u64>,
    /// The number constants that do not fit an instruction.
    pub numbers: Vec<i64>,
    /// What the machine needs of each kind, by [`KindId`].
    pub kinds: Vec<KindInfo>,
    /// The choices.
    pub choices: Vec<ChoiceInfo>,
    /// Which locals of steps hold things of kinds with hidden faces, and where in the code.
    pub held: Vec<Held>,
    /// The texts.
    pub texts: Vec<TextInfo>,
    /// The texts and points that facts have, each once: a value of such a type is the place of its words here.
    pub printed: Vec<String>,
    /// The needs that explain a refusal.
    pub needs: Vec<NeedInfo>,
    /// The tables of rules, flat: see [`Op::Table`].
    pub tables: Vec<TableInfo>,
    /// The ranges that values are kept in: see [`Op::Keep`].
    pub ranges: Vec<RangeInfo>,
    /// The columns that are fresh together, by scope ([`Op::Reset`]).
    pub scopes: Vec<Vec<u16>>,
    /// For each state with a start value: its column and the function that gives the value for its keys.
    pub starts: Vec<(u16, u32)>,
    /// For each kind that hides its faces: a function of viewer and thing that gives a flag.
    pub seen: Vec<Option<u32>>,
    /// For each of these kinds a function of a viewer that gives the set of things whose faces he sees.
    pub faces: Vec<Option<u32>>,
    /// For each invariant of the book the function that refuses where it does not hold.
    pub invariants: Vec<u32>,
    /// What is counted ([`Op::Tick`]); only of a program that counts.
    pub sites: Vec<crate::coverage::Site>,
    /// The rule that each of them is a part of, if it is one of a rule.
    pub site_rules: Vec<Option<RuleId>>,
}

/// A function: a step, a rule, or a piece made by the lowering.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, for call stacks.
    pub name: String,
    /// What it was.
    pub origin: Origin,
    /// Its first instruction.
    pub entry: Pc,
    /// The instruction after its last.
    pub end: Pc,
    /// The words of its parameters.
    pub param_words: u16,
    /// The words of its result.
    pub result_words: u16,
    /// The words of its frame that last (steps: header, parameters, locals; rules: parameters).
    pub local_words: u16,
    /// All words of its frame, temporaries included.
    pub frame_words: u16,
}

/// A range that a value is kept in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeInfo {
    /// The least value.
    pub lo: i64,
    /// The greatest.
    pub hi: i64,
    /// Whether it may be absent.
    pub optional: bool,
    /// What keeps it there, with a verb: `` `fire` gives ``.
    pub keeper: String,
}

/// What a function was in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A step: it has a header and may do everything.
    Step(StepId),
    /// A rule: pure.
    Rule(RuleId),
    /// A permission rule that explains its refusal ([`Op::Refuse`]) instead of answering.
    Explain(RuleId),
    /// A start value, a view: pure.
    Made,
}

/// Where a column lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// In the position.
    State,
    /// In [`Program::facts`].
    Fact,
}

/// How a column lies in memory.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// In the position or among the facts.
    pub space: Space,
    /// Its first word.
    pub offset: u32,
    /// How many entries it has: the product of the sizes of its keys.
    pub len: u32,
    /// For sets: the words of a value in registers; 0 for scalars.
    pub set_words: u16,
    /// log2 of the bits of an entry, at most 6; flags have 0. Sets of several words have entries of so many words.
    pub shift: u8,
    /// For scalars: an entry holds value − bias; where `optional`, 0 is absent (but with 64 bits the word itself).
    pub bias: i64,
    /// Whether it may be absent.
    pub optional: bool,
    /// The least value that may be stored.
    pub lo: i64,
    /// The greatest value that may be stored.
    pub hi: i64,
    /// For a state of one key holding a thing: the first word of its inverse index, a set of keys for absent and then
    /// one for each value ([`Op::Where`]); 0 if there is none: then the entries themselves are searched.
    pub inverse: u32,
    /// The words of a set of keys, for flags and inverse indexes.
    pub key_words: u16,
}

impl Column {
    /// The words that it takes, its inverse index not counted. Of a kind without things, too, it takes one: the flags of things
    /// are read as a set of them, and a set is never none ([`crate::lower::layout::set_words`]).
    pub(crate) fn words(&self) -> u64 {
        let words = match self.set_words {
            0 | 1 => (u64::from(self.len) << self.shift).div_ceil(64),
            words => u64::from(self.len) * u64::from(words),
        };
        words.max(1)
    }

    /// The words of its inverse index.
    pub(crate) fn inverse_words(&self) -> u64 {
        let values = u64::try_from(self.hi.max(-1) + 2).unwrap_or_default();
        if self.inverse == 0 { 0 } else { values * u64::from(self.key_words) }
    }

    /// Writes a scalar entry.
    pub(crate) fn store(&self, words: &mut [u64], key: usize, value: i64) {
        let bit = key << self.shift;
        let mask = if self.shift == 6 { u64::MAX } else { (1 << (1 << self.shift)) - 1 };
        let raw = if value == ABSENT && self.shift != 6 { 0 } else { value.wrapping_sub(self.bias) as u64 };
        if let Some(word) = words.get_mut(self.offset as usize + bit / 64) {
            *word = *word & !(mask << (bit % 64)) | (raw & mask) << (bit % 64);
        }
    }
}

/// What the machine needs of a kind.
#[derive(Clone, Debug)]
pub struct KindInfo {
    /// The words of a set of this kind.
    pub words: u16,
    /// A hash of each thing's name: what its dice are keyed by.
    pub hashes: Vec<u64>,
    /// The group of each thing, where there are look-alikes.
    pub groups: Option<Vec<u32>>,
    /// For links: the two ends of each.
    pub ends: Vec<(u32, u32)>,
    /// For links: at each thing of the end kind, where its entries begin in `joined`; one more at the end.
    pub first: Vec<u32>,
    /// For links: neighbour and link, by thing.
    pub joined: Vec<(u32, u32)>,
}

impl KindInfo {
    /// The words of a purse over this kind: see [`Op::Reach`]. A kind of more things than a register can name has one that
    /// fits no frame.
    pub fn purse_words(&self) -> u16 {
        u16::try_from(self.hashes.len() + 1).unwrap_or(u16::MAX)
    }
}

/// A choice.
#[derive(Clone, Debug)]
pub struct ChoiceInfo {
    /// The step it stands in.
    pub step: StepId,
    /// A key of the place in the book where it stands, made of names: another program that asks there has the same.
    pub question: u64,
    /// Computes who chooses into `who_reg`, then [`Op::Done`]: a player (one word), or for `each` a set of players.
    pub who: Pc,
    /// See `who`.
    pub who_reg: Reg,
    /// Emits the open options, then [`Op::Done`]. For `each` the variable's register holds the player asked.
    pub enumerate: Pc,
    /// The same without the needs: everything that can be asked about.
    pub domain: Pc,
    /// Renders the prompt ([`Op::Text`]), then [`Op::Done`].
    pub prompt: Option<Pc>,
    /// Its options.
    pub options: Vec<OptionInfo>,
    /// Where it goes on when nothing is open.
    pub otherwise: Option<Pc>,
    /// Where it goes on after an option's body (bodies jump there themselves; `each` uses it).
    pub after: Pc,
    /// For `choose by each`.
    pub each: Option<EachInfo>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// Of a choice that several make at once.
#[derive(Clone, Copy, Debug)]
pub struct EachInfo {
    /// The local that holds the player.
    pub local: Reg,
    /// The first of the locals that keep the answers: a phase (0 not begun, 1 asking, 2 done asking), then for each
    /// thing of the player kind `words` words: the answer's state ([`EachInfo::NOT_ASKED`], 0 awaited, 1 + option)
    /// and its arguments.
    pub slots: Reg,
    /// The words of one player's answer.
    pub words: u16,
}

impl EachInfo {
    /// The player is not asked, or his answer has been carried out.
    pub const NOT_ASKED: u64 = u64::MAX;
}

/// An option.
#[derive(Clone, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<OptionParam>,
    /// Where its body begins. The machine puts the arguments into the parameters' locals first.
    pub body: Pc,
    /// Renders its line, then [`Op::Done`]; the arguments are in the `scratch` registers.
    pub label: Option<Pc>,
    /// Runs to [`Op::Refuse`] at the first need that fails, or to [`Op::Done`]; arguments as for `label`.
    pub explain: Pc,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// A parameter of an option.
#[derive(Clone, Debug)]
pub struct OptionParam {
    /// Its name.
    pub name: String,
    /// Its kind; numbers have none.
    pub kind: Option<KindId>,
    /// The local in which the body finds it.
    pub local: Reg,
    /// The temporary in which `label` and `explain` find it.
    pub scratch: Reg,
    /// Whether things whose faces he does not see are named to him who is asked.
    pub named: bool,
    /// Whether the option's line says what it is: others read of what was chosen the line alone.
    pub told: bool,
}

/// A text.
#[derive(Clone, Debug)]
pub struct TextInfo {
    /// Its pieces.
    pub pieces: Vec<TextPiece>,
    /// Where it stands in the rules.
    pub span: Span,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub enum TextPiece {
    /// As written.
    Plain(String),
    /// The value in a register and those after it.
    Value(Reg, Type),
    /// The words of one or of several.
    Plural {
        /// The flag that says whether those of several are meant.
        several: Reg,
        /// The thing that is spoken of and its type: who does not see its face reads the words of one.
        of: Option<(Reg, Type)>,
        /// The words of one.
        one: String,
        /// The words of several.
        many: String,
    },
    /// Shows nothing: the thing or set in a register and those after it holds things on whose faces the next value
    /// hangs. Who does not see all of them reads `?` for it.
    Guard(Reg, Type),
}

impl TextPiece {
    /// The values that it is made of, in the order in which they are kept; of a guard none is.
    pub fn values(&self) -> impl Iterator<Item = (Reg, Type)> + use<> {
        let (first, second) = match self {
            Self::Plain(_) | Self::Guard(..) => (None, None),
            Self::Value(reg, ty) => (Some((*reg, *ty)), None),
            Self::Plural { several, of, .. } => (Some((*several, Type::of(Base::Flag))), *of),
        };
        first.into_iter().chain(second)
    }

    /// Its registers, to be moved.
    pub fn registers(&mut self, change: &mut dyn FnMut(&mut Reg)) {
        match self {
            Self::Plain(_) => {}
            Self::Value(reg, _) | Self::Guard(reg, _) => change(reg),
            Self::Plural { several, of, .. } => {
                change(several);
                of.iter_mut().for_each(|(reg, _)| change(reg));
            }
        }
    }
}

/// A need that refused.
#[derive(Clone, Debug)]
pub struct NeedInfo {
    /// Its label or an empty text.
    pub label: String,
    /// Whether [`Op::Text`] rendered a reason just before.
    pub has_reason: bool,
    /// Its condition as written, shown when there is no reason.
    pub condition: String,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// A rule's table: rows of `leading` inclusive ranges, then one column of results.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// How many leading values a row is found by.
    pub leading: u16,
    /// The inclusive ranges of the headings across.
    pub across: Vec<(i64, i64)>,
    /// For each row the ranges of its leading values.
    pub rows: Vec<Vec<(i64, i64)>>,
    /// The results, row by row, as words ([`ABSENT`] for absent).
    pub cells: Vec<i64>,
    /// The name of the rule, for messages.
    pub rule: RuleId,
}

impl Program {
    /// The function of a step.
    pub fn step(&self, id: StepId) -> u32 {
        id.0
    }
    /// The function of a rule.
    pub fn rule(&self, id: RuleId) -> u32 {
        self.book.steps.len() as u32 + id.0
    }
    /// The words of a value of this type.
    pub fn words_of(&self, ty: Type) -> usize {
        match ty.base {
            Base::Set(kind) => self.kinds[kind.0 as usize].words as usize,
            Base::Dice => DICE_WORDS,
            Base::Numbers => 2,
            Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Nothing
            | Base::Unknown => 1,
        }
    }
}
