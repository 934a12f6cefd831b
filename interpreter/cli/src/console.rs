//! Standard output and standard error: one decision on colour, one on line characters, one on width.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Arc, OnceLock};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
pub use blazon::present::harmless;
use blazon_diagnostics::{Diagnostic, Format, Sources, render};
use clap::ValueEnum;

/// The width where nobody says another.
const WIDTH: usize = 100;

/// The styles used; each has one meaning.
pub mod style {
    use super::{AnsiColor, Style};

    /// Names and headings.
    pub const STRONG: Style = Style::new().bold();
    /// What is there to be overlooked.
    pub const FAINT: Style = Style::new().dimmed();
    /// What went well.
    pub const GOOD: Style = AnsiColor::Green.on_default();
    /// What did not.
    pub const BAD: Style = AnsiColor::Red.on_default().bold();
    /// What to look at.
    pub const CARE: Style = AnsiColor::Yellow.on_default();
    /// Places in files, paragraphs.
    pub const PLACE: Style = AnsiColor::Cyan.on_default();

    /// A style for each player.
    pub fn player(player: u32) -> Style {
        const COLORS: [AnsiColor; 6] = [
            AnsiColor::Red,
            AnsiColor::Blue,
            AnsiColor::Green,
            AnsiColor::Magenta,
            AnsiColor::Cyan,
            AnsiColor::Yellow,
        ];
        COLORS[player as usize % COLORS.len()].on_default()
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// Where a terminal shows it, and `NO_COLOR` is not set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl From<Color> for clap::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// Where a command writes.
pub struct Console {
    out: anstream::ColorChoice,
    err: anstream::ColorChoice,
    /// Whether what is for people stands beside, since programs read standard output.
    beside: bool,
    unicode: bool,
    width: OnceLock<usize>,
    /// Why standard output takes no more, if it does not.
    lost: Arc<OnceLock<Lost>>,
}

/// Why standard output takes no more. The work goes on all the same: its files and its exit code are for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lost {
    /// Nobody reads any more, and there is no noise about it.
    Unread,
    /// It cannot be written, which has been said.
    Broken,
}

impl Console {
    /// Decides on colour: the flag, then `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR`, then whether it is a terminal.
    pub fn new(color: Color) -> Self {
        let choice = match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .filter_map(|name| std::env::var(name).ok())
            .find(|value| !value.is_empty());
        let plain = |locale: &String| {
            let locale = locale.to_lowercase();
            !locale.contains("utf-8") && !locale.contains("utf8")
        };
        let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
        Self {
            out: AutoStream::choice(&std::io::stdout()),
            err: AutoStream::choice(&std::io::stderr()),
            beside: false,
            unicode: !dumb && !locale.as_ref().is_some_and(plain),
            width: OnceLock::new(),
            lost: Arc::default(),
        }
    }

    /// Whether nobody will ever read what is still written to standard output.
    pub fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    /// Whether standard output could not be written, though somebody may wait for it.
    pub fn is_broken(&self) -> bool {
        self.lost.get() == Some(&Lost::Broken)
    }

    /// Writes to standard output while it can be.
    fn put(&self, write: impl FnOnce(std::io::StdoutLock<'static>) -> std::io::Result<()>) {
        if self.is_lost() {
            return;
        }
        if let Err(error) = write(std::io::stdout().lock()) {
            let lost = if error.kind() == ErrorKind::BrokenPipe { Lost::Unread } else { Lost::Broken };
            if self.lost.set(lost).is_ok() && lost == Lost::Broken {
                self.error(format_args!("standard output cannot be written: {error}"));
            }
        }
    }

    /// The same, but what it would write to standard output it writes to standard error: there programs read something else.
    pub fn beside(&self) -> Self {
        Self {
            beside: true,
            out: self.err,
            err: self.err,
            unicode: self.unicode,
            width: self.width.clone(),
            lost: Arc::clone(&self.lost),
        }
    }

    /// Writes to standard output as it is.
    pub fn write(&self, text: impl Display) {
        if self.beside {
            return self.write_aside(text);
        }
        self.put(|stdout| {
            let mut stream = AutoStream::new(stdout, self.out);
            write!(stream, "{text}").and_then(|()| stream.flush())
        });
    }

    /// Writes a line to standard output.
    pub fn line(&self, text: impl Display) {
        self.write(format_args!("{text}\n"));
    }

    /// Writes to standard error as it is.
    pub fn write_aside(&self, text: impl Display) {
        let mut stream = AutoStream::new(std::io::stderr().lock(), self.err);
        // Nobody can be told that nobody can be told.
        let _ = write!(stream, "{text}").and_then(|()| stream.flush());
    }

    /// Says something beside the results, on standard error.
    pub fn note(&self, text: impl Display) {
        self.write_aside(format_args!("{text}\n"));
    }

    /// Says what is wrong, on standard error.
    pub fn error(&self, text: impl Display) {
        self.note(format_args!("{}: {}", paint(style::BAD, "error"), harmless(&text.to_string())));
    }

    /// Shows diagnostics to people, on standard error.
    pub fn report(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        self.write_aside(render(diagnostics, sources, Format::Human, self.aside_style()));
    }

    /// How diagnostics are drawn on standard error.
    pub fn aside_style(&self) -> blazon_diagnostics::Style {
        self.style(self.err)
    }

    /// How diagnostics are drawn on standard output.
    pub fn out_style(&self) -> blazon_diagnostics::Style {
        self.style(self.out)
    }

    fn style(&self, choice: anstream::ColorChoice) -> blazon_diagnostics::Style {
        let color = !matches!(choice, anstream::ColorChoice::Never);
        blazon_diagnostics::Style { color, unicode: self.unicode, width: self.width() }
    }

    /// The columns of the terminal.
    pub fn width(&self) -> usize {
        *self.width.get_or_init(|| {
            let named = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
            named.or_else(terminal_width).unwrap_or(WIDTH).clamp(20, 400)
        })
    }

    /// What stands between two columns of text.
    pub fn bar(&self) -> &'static str {
        if self.unicode { "│" } else { "|" }
    }

    /// Whether a person reads standard output.
    pub fn is_terminal(&self) -> bool {
        std::io::stdout().is_terminal()
    }

    /// Begins at the top of the screen, if a person reads it; what has scrolled away stays.
    pub fn new_page(&self) {
        if self.is_terminal() {
            self.write("\x1b[2J\x1b[H");
        }
    }

    /// Empties the screen, scrolled lines included.
    pub fn clear(&self) {
        if self.is_terminal() {
            self.put(|mut stdout| stdout.write_all(b"\x1b[2J\x1b[3J\x1b[H").and_then(|()| stdout.flush()));
        }
    }
}

/// A text in a style, without anything in it that steers the terminal.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{}{style:#}", harmless(&text.to_string()))
}

/// The columns of a text on the terminal, styles not counted; one for each character.
pub fn columns(text: &str) -> usize {
    let mut columns = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            chars.by_ref().find(|c| c.is_ascii_alphabetic());
        } else {
            columns += 1;
        }
    }
    columns
}

/// A text padded to so many columns.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Asks the terminal for its width. The standard library cannot, so the system's own tool does.
fn terminal_width() -> Option<usize> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return None;
    }
    let size = std::process::Command::new("stty")
        .arg("size")
        .stdin(std::process::Stdio::inherit())
        .stderr(std::process::Stdio::null())
        .output()
        .ok()?;
    let size = String::from_utf8(size.stdout).ok()?;
    size.split_whitespace().nth(1)?.parse().ok().filter(|&columns| columns > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_take_no_columns() {
        assert_eq!(columns(&paint(style::BAD, "Zürich")), 6);
        assert_eq!(columns(""), 0);
    }
}
