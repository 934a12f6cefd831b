//! Standard input and output as a connection: what comes in may be anything, and what cannot be read ends nothing.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification};
use serde_json::json;

/// The most bytes of one message.
const LONGEST: u64 = 256 << 20;
/// The most bytes of one line of a message's head.
const LONGEST_LINE: u64 = 4096;

/// The method by which the reader tells the server of a message that could not be read.
pub const BROKEN: &str = "$/blazon/broken";

/// What was read.
enum Read1 {
    /// A message.
    Message(Message),
    /// Something else, and what is wrong with it.
    Broken(String),
    /// The end of the stream.
    End,
}

/// How long is waited at the end for what is still to be written.
const LAST: Duration = Duration::from_secs(1);

/// What still writes when a conversation is over.
#[derive(Debug)]
pub struct Writing(mpsc::Receiver<()>);

impl Writing {
    /// Waits until all is written, but not for ever: tests may still run that have something to tell.
    pub fn end(self) {
        // Nothing is ever sent: what is waited for is that nobody can send any more.
        let _ = self.0.recv_timeout(LAST);
    }
}

/// A connection over standard input and output.
///
/// # Errors
/// If no thread can be started.
pub fn stdio() -> io::Result<(Connection, Writing)> {
    let (server, client) = Connection::memory();
    let Connection { sender, receiver } = client;
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut reader = Reader::new(BufReader::new(io::stdin()));
        loop {
            let message = match reader.read() {
                Ok(Read1::Message(message)) => message,
                Ok(Read1::Broken(why)) => Message::Notification(Notification {
                    method: BROKEN.to_owned(),
                    params: json!({ "why": why }),
                }),
                Ok(Read1::End) | Err(_) => break,
            };
            if sender.send(message).is_err() {
                break;
            }
        }
    })?;
    let (ending, ended) = mpsc::channel::<()>();
    thread::Builder::new().name("writer".to_owned()).spawn(move || {
        let _ending = ending;
        let mut output = io::stdout().lock();
        for message in receiver {
            // Nobody can be told that nobody can be told.
            if message.write(&mut output).and_then(|()| output.flush()).is_err() {
                break;
            }
        }
    })?;
    Ok((server, Writing(ended)))
}

/// What reads messages.
struct Reader<R> {
    input: R,
    /// Whether the last lines were no head: that is said once, and what follows is passed over up to the next head.
    is_lost: bool,
}

impl<R: BufRead> Reader<R> {
    fn new(input: R) -> Self {
        Self { input, is_lost: false }
    }

    /// Reads one message: lines of a head, an empty line, and a body of JSON.
    fn read(&mut self) -> io::Result<Read1> {
        let length = match self.head()? {
            Ok(length) => length,
            Err(end) => return Ok(end),
        };
        if length > LONGEST {
            io::copy(&mut self.input.by_ref().take(length), &mut io::sink())?;
            return Ok(Read1::Broken(format!("a message of {length} bytes is too long")));
        }
        let mut body = Vec::new();
        if (self.input.by_ref().take(length).read_to_end(&mut body)? as u64) < length {
            return Ok(Read1::End);
        }
        Ok(match serde_json::from_slice(&body) {
            Ok(message) => Read1::Message(message),
            Err(error) => Read1::Broken(format!("a message cannot be read: {error}")),
        })
    }

    /// Reads a head: how long the body is, or what there is instead.
    fn head(&mut self) -> io::Result<Result<u64, Read1>> {
        let mut length = None;
        loop {
            let mut line = Vec::new();
            if self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(Err(Read1::End));
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            let wrong = match (line.split_once(':'), length) {
                (Some((name, value)), _) => {
                    if name.eq_ignore_ascii_case("content-length") {
                        length = value.trim().parse::<u64>().ok();
                    }
                    continue;
                }
                (None, Some(length)) if line.is_empty() => {
                    self.is_lost = false;
                    return Ok(Ok(length));
                }
                (None, None) if line.is_empty() => "a message's head has no Content-Length",
                (None, _) => "a line of a message's head has no colon",
            };
            length = None;
            if !std::mem::replace(&mut self.is_lost, true) {
                return Ok(Err(Read1::Broken(wrong.to_owned())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(input: &[u8]) -> Vec<String> {
        let mut reader = Reader::new(input);
        let mut said = Vec::new();
        loop {
            match reader.read().unwrap() {
                Read1::Message(message) => said.push(serde_json::to_string(&message).unwrap()),
                Read1::Broken(why) => said.push(why),
                Read1::End => return said,
            }
        }
    }

    #[test]
    fn what_cannot_be_read_ends_nothing() {
        let good = "Content-Length: 17\r\n\r\n{\"method\":\"exit\"}";
        let text = format!(
            "Content-Length: 3\r\n\r\n{{x}}{good}what\r\n{good}\r\n{good}Content-Length: 99999999999999999999\r\n\r\n{good}"
        );
        let said = said(text.as_bytes());
        let exit = "{\"method\":\"exit\"}";
        assert_eq!(said.iter().filter(|said| *said == exit).count(), 4, "{said:?}");
        assert_eq!(said.len(), 8, "{said:?}");
        assert!(said[0].starts_with("a message cannot be read: "), "{said:?}");
    }

    #[test]
    fn what_is_no_message_is_said_once() {
        let good = "Content-Length: 17\r\n\r\n{\"method\":\"exit\"}";
        let noise = "some text\n\n\nwhat: ever\n\nmore of it\n".repeat(1000);
        let said = said(format!("{noise}{good}{noise}").as_bytes());
        let no_colon = "a line of a message's head has no colon";
        assert_eq!(said, [no_colon, "{\"method\":\"exit\"}", no_colon]);
    }

    #[test]
    fn a_huge_length_takes_no_memory() {
        let text = "Content-Length: 18446744073709551615\r\n\r\nabc";
        assert_eq!(said(text.as_bytes()), ["a message of 18446744073709551615 bytes is too long"]);
        assert_eq!(said(b"Content-Length: 5\r\n\r\nabc"), Vec::<String>::new());
    }
}
