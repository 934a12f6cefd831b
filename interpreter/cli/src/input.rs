//! Lines of standard input.

use std::io::{BufRead, Read};

/// The longest line that is read.
const LONGEST: u64 = 1 << 24;

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
