//! What happened, to be told to each player as he may know it.

use blazon_book::KindId;
use blazon_diagnostics::Span;
use blazon_program::Program;
use blazon_program::ir::Pc;

use crate::vm::text::Line;

/// The words that an event takes before anything stands in it.
pub(crate) const EVENT_WORDS: usize = 16;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An option was taken.
    Chosen {
        /// Who decided.
        player: u32,
        /// For whom: the player that the rules asked.
        asked: u32,
        /// At which choice.
        choice: u16,
        /// Which of its options.
        option: u16,
        /// With which arguments.
        args: Vec<i64>,
        /// Whether it was the only one and so taken unasked.
        forced: bool,
        /// Its line.
        line: Line,
        /// Its arguments, with who sees what of them.
        meant: Line,
    },
    /// The rules said something.
    Said {
        /// Whether hidden things are named to all.
        announce: bool,
        /// What.
        line: Line,
    },
    /// Dice were rolled.
    Rolled {
        /// The sides of each.
        sides: i64,
        /// What fell.
        dice: Vec<u8>,
        /// Where in the program.
        at: Pc,
    },
    /// Things were drawn; who may know which is for the rules to say, so only their number is public.
    Drawn {
        /// Their kind.
        kind: KindId,
        /// Which.
        things: Vec<u32>,
        /// Where in the program.
        at: Pc,
    },
    /// The game is over.
    Over {
        /// Who won.
        winner: Option<u32>,
    },
}

impl Event {
    /// Where in the rules it comes from: the option, the text, the roll, the draw.
    pub fn span(&self, program: &Program) -> Option<Span> {
        match self {
            Self::Chosen { choice, option, .. } => {
                let options = &program.choices.get(usize::from(*choice))?.options;
                options.get(usize::from(*option)).map(|option| option.span)
            }
            Self::Said { line, .. } => program.texts.get(line.text()? as usize).map(|text| text.span),
            Self::Rolled { at, .. } | Self::Drawn { at, .. } => program.spans.get(*at as usize).copied(),
            Self::Over { .. } => None,
        }
    }

    /// About how many words of memory it takes.
    pub fn words(&self) -> usize {
        EVENT_WORDS
            + match self {
                Self::Chosen { args, line, meant, .. } => args.len() + line.words() + meant.words(),
                Self::Said { line, .. } => line.words(),
                Self::Rolled { dice, .. } => dice.len() / 8,
                Self::Drawn { things, .. } => things.len() / 2,
                Self::Over { .. } => 0,
            }
    }
}
