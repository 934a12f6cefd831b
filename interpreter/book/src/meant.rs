//! Names that mean something by themselves: whoever has one of these is asked for it, by the machine or by the reader of
//! texts.

/// The rule that says who decides for a player.
pub const CHOOSER: &str = "chooser";
/// The rule by which bots judge a position, if no other is named.
pub const OUTLOOK: &str = "outlook";
/// The fact, state or rule that says of a thing whether it is spoken of as several.
pub const PLURAL: &str = "plural";
/// What a step has returned, behind it.
pub const RESULT: &str = "result";

/// All of them.
pub const ALL: [&str; 4] = [CHOOSER, OUTLOOK, PLURAL, RESULT];
