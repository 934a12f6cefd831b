//! Starts the binary as a server with a folder of its own.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::client::Browser;

/// A server under way. It is killed when it is dropped.
pub struct Server {
    child: Child,
    /// The links that it printed: the first seat's, the spectators'.
    pub links: Vec<String>,
    /// All that it printed.
    pub said: String,
    /// Its port.
    pub port: u16,
}

/// The small game of the tests, in which armies are seen from behind.
pub fn two_rivers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/two-rivers")
}

/// A command that begins a server at a port that the system finds.
pub fn command(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_blazon"));
    command.arg("serve").args(args).arg("--data").arg(data);
    command
}

impl Server {
    /// Starts a game on a folder of tables, at a port that the system finds.
    pub fn start(game: &str, data: &Path, args: &[&str]) -> Self {
        let mut all = vec![game, "--port", "0"];
        all.extend(args);
        Self::of(&mut command(data, &all))
    }

    /// Starts a command and waits until it answers.
    pub fn of(command: &mut Command) -> Self {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let mut out = BufReader::new(child.stdout.take().expect("there is an output"));
        let mut said = String::new();
        while !said.contains("Ctrl-C") {
            if out.read_line(&mut said).expect("text") == 0 {
                let mut errors = String::new();
                let _ = child.stderr.take().expect("there are errors").read_to_string(&mut errors);
                panic!("it does not start: {said}{errors}");
            }
        }
        let words = said.split_whitespace().filter(|word| word.contains("/join/"));
        let links: Vec<String> = words.map(str::to_owned).collect();
        let port = links[0].split('/').nth(2).and_then(|host| host.rsplit_once(':'));
        let port = port.and_then(|(_, port)| port.parse().ok()).expect("a port");
        Self { child, links, said, port }
    }

    /// The bytes of memory that it uses now.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
    }

    /// A browser of its own that has followed the first seat's link.
    pub fn player(&self) -> Browser {
        self.follow(0)
    }

    /// A browser that has followed a link.
    pub fn follow(&self, link: usize) -> Browser {
        let mut browser = Browser::new(self.port);
        browser.follow(&self.links[link]);
        browser
    }

    /// Kills it at once, as a loss of power would.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to end, and waits until it has.
    #[cfg(unix)]
    pub fn stop(mut self) {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().expect("a signal can be sent");
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
