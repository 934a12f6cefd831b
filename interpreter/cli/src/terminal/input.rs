//! Lines typed by a person, or piped by a program.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::console::Console;
use crate::input::{Line, line};

/// How a program ends that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// How often it is looked for an interruption while nothing is typed.
const OFTEN: Duration = Duration::from_millis(50);

/// So many lines are read before they are asked for.
const AHEAD: usize = 16;

/// Standard input, and interruptions.
pub struct Input {
    /// Whether a person sits there: then there are prompts, and the screen is cleared between people.
    pub interactive: bool,
    /// What is typed. Nothing where lines are read directly.
    typed: Option<Receiver<Line>>,
    /// Whether somebody wants the program to end.
    interrupted: Arc<AtomicBool>,
}

impl Input {
    /// A person must see both what he types and what he is told. Interruptions are heard where one sits, and where something is
    /// to be done as the game ends, however that is: the first ends the input, the second ends the program at once. Where they
    /// cannot be heard lines are read directly, and Ctrl-C does what it always does.
    pub fn new(keeps: bool) -> Self {
        let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let interrupted = Arc::new(AtomicBool::new(false));
        let asked = interrupted.clone();
        let hears = (interactive || keeps)
            && ctrlc::set_handler(move || {
                if asked.swap(true, Ordering::Relaxed) {
                    std::process::exit(INTERRUPTED);
                }
            })
            .is_ok();
        Self { interactive, typed: hears.then(typed), interrupted }
    }

    /// Whether somebody wants the program to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The next line; nothing at the end of the input, or when it was interrupted.
    pub fn read(&self, prompt: &str, console: &Console) -> Option<String> {
        if self.interactive {
            console.write(prompt);
        }
        let line = match &self.typed {
            Some(typed) => loop {
                if self.is_interrupted() {
                    break None;
                }
                match typed.recv_timeout(OFTEN) {
                    Ok(line) => break Some(line),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break None,
                }
            },
            None => line(),
        };
        line.map(|line| match line {
            Line::Whole(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
            // Nobody typed that.
            Line::TooLong => "a line that is too long".to_owned(),
        })
    }
}

/// Lines as they are typed, a few ahead of what is asked for.
fn typed() -> Receiver<Line> {
    let (lines, typed) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        while let Some(line) = line() {
            if lines.send(line).is_err() {
                return;
            }
        }
    });
    typed
}
