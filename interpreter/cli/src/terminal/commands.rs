//! What can be typed at a decision besides an option.

/// A line as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A number or the words of an option; nothing typed asks again.
    Option(String),
    /// All options, however many.
    List,
    /// Why an option is not open.
    Why(String),
    /// What a bot would do.
    Hint,
    /// The whole table.
    Board,
    /// The map of hexes, or the part around a place.
    Map(String),
    /// What the player holds.
    Hand,
    /// What happened, so many lines of it.
    Log(Option<usize>),
    /// All about one thing.
    Look(String),
    /// The titles of paragraphs.
    Paragraph(String),
    /// Takes the last choice back.
    Undo,
    /// Saves the game.
    Save(String),
    /// Goes on with a saved game.
    Load(String),
    /// Gives up.
    Resign,
    /// Ends the program.
    Quit,
    /// Lists the commands.
    Help,
    /// A slash, and behind it no command.
    Unknown(String),
}

/// The commands, for people.
pub const HELP: &str = "\
  3                 take option 3
  march north hill  take the option with these words; the beginnings of words are enough
  (nothing)         what is asked, again
  list              every option with its line, however many there are
  why north hill    why an option is not offered, with the paragraph
  hint              what a bot would do that knows what you know, and what it expects of it
  board             the whole table
  map, map hill     the map of hexes, if the game has one, or the part around a place or a piece
  hand              what you hold
  look hill         all about one thing
  log, log 50       what happened
  paragraph 5.21    the title of a paragraph of the rulebook
  undo              take your last choice back, but never past dice, draws or revealed faces
  save FILE         save the game
  load FILE         go on with a saved game
  resign            give up
  quit              end the program (at Ctrl-D or Ctrl-C the game of whoever types is saved unasked)
  /save FILE        the same: with a slash it is the command where an option begins with that word, too
";

/// How a command is written that lacks what it is asked of.
pub fn unfinished(line: &str) -> Option<&'static str> {
    match line.to_lowercase().as_str() {
        "look" => Some("look NAME"),
        "load" => Some("load FILE"),
        "paragraph" | "rule" => Some("paragraph NUMBER"),
        _ => None,
    }
}

/// Reads a line. Behind a slash stands a command.
pub fn read(line: &str) -> Typed {
    let line = line.trim();
    let Some(command) = line.strip_prefix('/') else { return read_word(line) };
    let typed = read_word(command.trim_start());
    if matches!(typed, Typed::Option(_)) { Typed::Unknown(line.to_owned()) } else { typed }
}

fn read_word(line: &str) -> Typed {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim().to_owned();
    let bare = rest.is_empty();
    match first.to_lowercase().as_str() {
        "why" => Typed::Why(rest),
        "hint" if bare => Typed::Hint,
        "list" | "options" if bare => Typed::List,
        "board" | "b" if bare => Typed::Board,
        "map" => Typed::Map(rest),
        "hand" if bare => Typed::Hand,
        "log" if bare => Typed::Log(None),
        "log" if rest.parse::<usize>().is_ok() => Typed::Log(rest.parse().ok()),
        "look" if !bare => Typed::Look(rest),
        "paragraph" | "rule" if !bare => Typed::Paragraph(rest),
        "undo" | "u" if bare => Typed::Undo,
        "save" => Typed::Save(rest),
        "load" if !bare => Typed::Load(rest),
        "resign" if bare => Typed::Resign,
        "quit" | "exit" | "q" if bare => Typed::Quit,
        "help" | "?" | "h" if bare => Typed::Help,
        _ => Typed::Option(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_options() {
        assert_eq!(read(" why  North Hill "), Typed::Why("North Hill".to_owned()));
        assert_eq!(read("hint"), Typed::Hint);
        assert_eq!((read("look"), unfinished("Look")), (Typed::Option("look".to_owned()), Some("look NAME")));
        assert_eq!(unfinished("wait"), None);
        assert_eq!(read("log 5"), Typed::Log(Some(5)));
        assert_eq!(read("hand over the crown"), Typed::Option("hand over the crown".to_owned()));
        assert_eq!(read("map"), Typed::Map(String::new()));
        assert_eq!(read("map Old Mill"), Typed::Map("Old Mill".to_owned()));
        assert_eq!(read("12"), Typed::Option("12".to_owned()));
        assert_eq!(read(""), Typed::Option(String::new()));
        assert_eq!(read("save a b.game"), Typed::Save("a b.game".to_owned()));
        assert_eq!(read("/save a b.game"), Typed::Save("a b.game".to_owned()));
        assert_eq!(read("/ quit"), Typed::Quit);
        assert_eq!(read("/march"), Typed::Unknown("/march".to_owned()));
    }
}
