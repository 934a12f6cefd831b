//! Lines of standard input.

use std::io::{BufRead, Read};

/// The longest line that is read.
pub const LONGEST: u64 = 1 << 24;

/// A line of standard input.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Its bytes without its end.
    Whole(Vec<u8>),
    /// It had more than [`LONGEST`] bytes: nothing of it is there.
    TooLong,
}

/// The next line of standard input; nothing at the end of the input.
pub fn line() -> Option<Line> {
    line_of(&mut std::io::stdin().lock(), LONGEST)
}

/// The next line; one that is too long is read to its end, so that its rest is not taken for the next.
fn line_of(input: &mut impl BufRead, longest: u64) -> Option<Line> {
    let mut bytes = Vec::new();
    let read = input.take(longest + 1).read_until(b'\n', &mut bytes);
    if !matches!(read, Ok(1..)) {
        return None;
    }
    if bytes.len() as u64 > longest && bytes.last() != Some(&b'\n') {
        while matches!(input.take(longest).read_until(b'\n', &mut bytes), Ok(1..))
            && bytes.last() != Some(&b'\n')
        {
            bytes.clear();
        }
        return Some(Line::TooLong);
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Some(Line::Whole(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_long_line_is_no_line() {
        let mut input: &[u8] = b"one\r\n12345678901234567890\n12345678\n123456789\n\nlast";
        let mut next = || line_of(&mut input, 8);
        let whole = |text: &str| Some(Line::Whole(text.as_bytes().to_vec()));
        assert_eq!(next(), whole("one"));
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), whole("12345678"), "as long as a line may be");
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), whole(""));
        assert_eq!(next(), whole("last"));
        assert_eq!(next(), None);
        let mut endless: &[u8] = b"123456789012345678901234567890";
        assert_eq!(line_of(&mut endless, 8), Some(Line::TooLong));
        assert_eq!(line_of(&mut endless, 8), None);
    }
}
