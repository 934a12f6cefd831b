//! Lines typed by a person, or piped by a program.

use std::io::{BufRead, IsTerminal, Read};

use crate::console::Console;

/// The longest line that is read.
const LONGEST: u64 = 1 << 24;

/// Standard input.
pub struct Input {
    /// Whether a person sits there: then there are prompts, and the screen is cleared between people.
    pub interactive: bool,
}

impl Input {
    /// A person must see both what he types and what he is told.
    pub fn new() -> Self {
        Self { interactive: std::io::stdin().is_terminal() && std::io::stdout().is_terminal() }
    }

    /// The next line; nothing at the end of the input.
    pub fn read(&self, prompt: &str, console: &Console) -> Option<String> {
        if self.interactive {
            console.write(prompt);
        }
        line().map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned())
    }
}

/// The next line of standard input without its end; nothing at the end of the input.
pub fn line() -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes);
    if !matches!(read, Ok(1..)) {
        return None;
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Some(bytes)
}
