//! Lines typed by a person, or piped by a program.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use crate::console::Console;
use crate::input::{Line, line};

/// How a program ends that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// Standard input.
pub struct Input {
    /// Whether a person sits there: then there are prompts, and the screen is cleared between people.
    pub interactive: bool,
    /// What a person types; an interruption is the end of it. Nothing where lines are read directly.
    typed: Option<Receiver<Option<Line>>>,
}

impl Input {
    /// A person must see both what he types and what he is told.
    pub fn new() -> Self {
        let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        Self { interactive, typed: if interactive { typed() } else { None } }
    }

    /// The next line; nothing at the end of the input, or when it was interrupted.
    pub fn read(&self, prompt: &str, console: &Console) -> Option<String> {
        if self.interactive {
            console.write(prompt);
        }
        let line = match &self.typed {
            Some(typed) => typed.recv().ok().flatten(),
            None => line(),
        };
        line.map(|line| match line {
            Line::Whole(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
            // Nobody typed that.
            Line::TooLong => "a line that is too long".to_owned(),
        })
    }
}

/// Lines as they are typed. The first Ctrl-C ends the input, so that a game is kept as at its end; the second ends the
/// program at once. Where interruptions cannot be heard lines are read directly, and Ctrl-C does what it always does.
fn typed() -> Option<Receiver<Option<Line>>> {
    let (lines, typed) = channel();
    let (end, interrupted) = (lines.clone(), AtomicBool::new(false));
    ctrlc::set_handler(move || {
        if interrupted.swap(true, Ordering::Relaxed) || end.send(None).is_err() {
            std::process::exit(INTERRUPTED);
        }
    })
    .ok()?;
    std::thread::spawn(move || {
        loop {
            let line = line();
            let is_end = line.is_none();
            if lines.send(line).is_err() || is_end {
                return;
            }
        }
    });
    Some(typed)
}
