//! Standard input and output as a connection: what comes in may be anything, and what cannot be read ends nothing.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Response};
use serde_json::{Value, json};

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
            if write(message, &mut output).and_then(|()| output.flush()).is_err() {
                break;
            }
        }
    })?;
    Ok((server, Writing(ended)))
}

/// What an id begins with that stands for a number: the type of ids holds no number that takes more than 32 bits, and an
/// editor may count as far as it likes.
const NUMBER: &str = "\0number ";

/// Puts texts in the places of ids that are other numbers than the type of ids holds: of a request, and of what is taken
/// back.
fn narrow(message: &mut Value) {
    for place in ["/id", "/params/id"] {
        if let Some(id) = message.pointer_mut(place)
            && let Value::Number(number) = id
            && number.as_i64().is_none_or(|number| i32::try_from(number).is_err())
        {
            *id = Value::String(format!("{NUMBER}{number}"));
        }
    }
}

/// The number that an id stands for.
fn number_of(response: &Response) -> Option<Value> {
    let id = serde_json::to_value(&response.id).ok()?;
    serde_json::from_str(id.as_str()?.strip_prefix(NUMBER)?).ok()
}

/// Writes a message, with its id as it came.
fn write(message: Message, output: &mut impl Write) -> io::Result<()> {
    if let Message::Response(response) = &message
        && let Some(number) = number_of(response)
    {
        let mut answer = serde_json::to_value(response)?;
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = number;
        let body = answer.to_string();
        return write!(output, "Content-Length: {}\r\n\r\n{body}", body.len());
    }
    message.write(output)
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
        let read = serde_json::from_slice::<Value>(&body).and_then(|mut message| {
            narrow(&mut message);
            serde_json::from_value(message)
        });
        Ok(match read {
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
    fn any_number_is_an_id() {
        for id in ["7", "-1", "4294967296", "-9007199254740991", "18446744073709551615", "1.5", "\"7\""] {
            let body = format!("{{\"id\":{id},\"method\":\"shutdown\"}}");
            let input = format!("Content-Length: {}\r\n\r\n{body}", body.len());
            let mut reader = Reader::new(input.as_bytes());
            let Read1::Message(Message::Request(request)) = reader.read().unwrap() else {
                panic!("{id} is no id");
            };
            let mut said = Vec::new();
            write(Response::new_ok(request.id, json!(null)).into(), &mut said).unwrap();
            let said = String::from_utf8(said).unwrap();
            let (head, body) = said.split_once("\r\n\r\n").unwrap();
            assert_eq!(head, format!("Content-Length: {}", body.len()));
            let answer: Value = serde_json::from_str(body).unwrap();
            assert_eq!((answer["id"].to_string(), &answer["jsonrpc"]), (id.to_owned(), &json!("2.0")));
        }
    }

    #[test]
    fn what_is_taken_back_has_the_same_id() {
        let mut asked = json!({ "id": 4_294_967_296_u64, "method": "a" });
        let mut taken_back = json!({ "method": "$/cancelRequest", "params": { "id": 4_294_967_296_u64 } });
        narrow(&mut asked);
        narrow(&mut taken_back);
        assert_eq!(asked["id"], taken_back["params"]["id"]);
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
