//! A browser as far as the server can see: cookies, GET, POST, events. Nothing but a socket, so that every byte counts.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

/// So long is waited for anything.
const PATIENCE: Duration = Duration::from_secs(20);

/// A browser with one table open.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The server's port.
    pub port: u16,
    /// The cookie, as it is sent back.
    pub cookie: Option<String>,
    /// The table's path, with strokes around it.
    pub table: String,
    /// The seat, as it stands in links.
    pub seat: String,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers, names small.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Answer {
    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Browser {
    /// One that knows nobody.
    pub fn new(port: u16) -> Self {
        Self { port, cookie: None, table: String::new(), seat: String::new() }
    }

    /// The same browser after the server has started anew.
    pub fn at(&self, port: u16) -> Self {
        Self { port, ..self.clone() }
    }

    /// Opens a link, sits down, and goes where it leads.
    pub fn follow(&mut self, link: &str) {
        let answer = self.sit_down(link);
        assert_eq!(answer.status, 303, "{answer:?}");
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        let to = answer.header("location").expect("it leads somewhere");
        let (table, seat) = to.split_once("?seat=").expect("a seat");
        (self.table, self.seat) = (table.to_owned(), seat.to_owned());
    }

    /// What is answered to whoever sits down by a link.
    pub fn sit_down(&self, link: &str) -> Answer {
        let path = &link[link.find("/join/").expect("a link")..];
        let origin = format!("http://127.0.0.1:{}", self.port);
        self.send("POST", path, &[("Origin", &origin)], "").expect("an answer")
    }

    /// GET, from anywhere.
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "").expect("an answer")
    }

    /// GET, below the table, as the seat.
    pub fn ask(&self, what: &str) -> Answer {
        let sign = if what.contains('?') { '&' } else { '?' };
        self.get(&format!("{}{what}{sign}seat={}", self.table, self.seat))
    }

    /// POST, below the table, as the seat, as a page of the server does it.
    pub fn tell(&self, what: &str, body: &Value) -> io::Result<Answer> {
        let origin = format!("http://127.0.0.1:{}", self.port);
        let path = format!("{}{what}?seat={}", self.table, self.seat);
        self.send("POST", &path, &[("Origin", &origin)], &body.to_string())
    }

    /// What there is to be seen, as a whole.
    pub fn update(&self) -> Value {
        let answer = self.ask("update?since=0");
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    /// Takes an option of what was asked in an update.
    pub fn choose(&self, update: &Value, option: usize) -> Answer {
        self.tell("choose", &choice(update, option)).expect("an answer")
    }

    /// Waits until it is this seat's turn, or the game is over.
    pub fn wait_for_turn(&self) -> Value {
        for _ in 0..400 {
            let update = self.update();
            if update["decision"]["yours"] == true || !update["over"].is_null() {
                return update;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it is never {}'s turn", self.seat);
    }

    /// Sends a request with any headers, and waits for the whole answer.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> io::Result<Answer> {
        let mut stream = self.begin(method, path, headers, body)?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        answer(&bytes, method != "HEAD")
    }

    /// Listens to the table's events.
    pub fn listen(&self) -> Events {
        let path = format!("{}events?seat={}", self.table, self.seat);
        Events { lines: BufReader::new(self.begin("GET", &path, &[], "").expect("a stream")) }
    }

    fn begin(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if headers.iter().all(|(name, _)| *name != "Host") {
            head += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        if let Some(cookie) = &self.cookie {
            head += &format!("Cookie: {cookie}\r\n");
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if method == "POST" {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes())?;
        Ok(stream)
    }
}

/// The body that takes an option.
pub fn choice(update: &Value, option: usize) -> Value {
    json!({"number": update["decision"]["number"], "option": option, "since": update["version"]})
}

/// How many options there are.
pub fn options(update: &Value) -> usize {
    update["decision"]["options"].as_array().map_or(0, Vec::len)
}

/// The stream of events.
pub struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next version that is told.
    pub fn next(&mut self) -> u64 {
        loop {
            let mut line = String::new();
            assert_ne!(self.lines.read_line(&mut line).expect("a line in time"), 0, "the stream has ended");
            if let Some(version) = line.strip_prefix("data: ") {
                return version.trim().parse().expect("a number");
            }
        }
    }
}

/// Without a body only its length is told.
fn answer(bytes: &[u8], has_body: bool) -> io::Result<Answer> {
    let broken = || io::Error::new(io::ErrorKind::UnexpectedEof, "the answer is cut off");
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(broken)?;
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).ok_or_else(broken)?;
    let pair =
        |line: &str| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let headers: Vec<(String, String)> = lines.filter_map(pair).collect();
    let answer = Answer { status, headers, body: body.to_owned() };
    if !has_body {
        return Ok(answer);
    }
    if answer.header("transfer-encoding") == Some("chunked") {
        let body = unchunked(body).ok_or_else(broken)?;
        return Ok(Answer { body, ..answer });
    }
    let length = answer.header("content-length").and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length != body.len()) {
        return Err(broken());
    }
    Ok(answer)
}

fn unchunked(mut body: &str) -> Option<String> {
    let mut whole = String::new();
    loop {
        let (length, rest) = body.split_once("\r\n")?;
        let length = usize::from_str_radix(length.trim(), 16).ok()?;
        if length == 0 {
            return Some(whole);
        }
        whole += rest.get(..length)?;
        body = rest.get(length..)?.strip_prefix("\r\n")?;
    }
}
