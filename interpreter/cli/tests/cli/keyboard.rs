//! Two people at one keyboard, at a real terminal: what each of them has seen is gone before the other looks.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::common::Room;

/// Both bid in secret, each from a chest into which the other does not see; then one is asked by what is in his.
const GAME: &str = r#"
kind side = Red, Blue
kind chest {
  fact  owner : side
  fact  filled: 0..99
  state coins : 0..99 = chest.filled
  seen by v: v = chest.owner
  back: owner
}
table chest
  | name       | owner | filled |
  | Red Chest  | Red   | 71     |
  | Blue Chest | Blue  | 42     |
setup Start "the start" (side: bid) { Red, Blue: 0 }
state bid(side): 0..99
step auction {
  choose by each s in players "Sealed bids" {
    option bid(c in chests where c.owner = s, n in 1..3) "Bid {n} of the {c.coins} coins in {c}" { s.bid := n }
  } else { }
  let c = Red Chest
  choose by c.owner "There are {c.coins} coins in {c}. Content?" {
    option content "Content" { }
    option sorry "Sorry" { }
  }
  win(Red)
}
"#;

const MANIFEST: &str =
    r#"Game(name: "Sealed Bids", player: "side", players: ["Red", "Blue"], begins: "auction")"#;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);
const ROWS: NonZeroU16 = NonZeroU16::new(60).unwrap();
const COLUMNS: NonZeroU16 = NonZeroU16::new(100).unwrap();

/// The program at a terminal.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    written: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Everything that was written since the screen was last cleared with what had scrolled away.
    since: Vec<u8>,
    _master: Box<dyn MasterPty + Send>,
}

/// The screen, what has scrolled away, and the place at the top.
const CLEAR: &[u8] = b"\x1b[2J\x1b[3J\x1b[H";

impl Terminal {
    fn play(room: &Room, args: &[&str]) -> Self {
        let size = PtySize { rows: ROWS.get(), cols: COLUMNS.get(), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_blazon"));
        command.args(args);
        command.cwd(room.path(""));
        command.env("TERM", "xterm");
        command.env("COLUMNS", COLUMNS.to_string());
        let child = pair.slave.spawn_command(command).expect("the program begins");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("what is written");
        let (sender, written) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().expect("the keys");
        let screen = vt100::Parser::new(ROWS, COLUMNS, 1000);
        Self { child, keys, written, screen, since: Vec::new(), _master: pair.master }
    }

    /// What can be read.
    fn shown(&self) -> String {
        self.screen.screen().contents()
    }

    /// What was written since everything was cleared: a terminal may keep it.
    fn kept(&self) -> String {
        String::from_utf8_lossy(&self.since).into_owned()
    }

    /// Waits until something can be read.
    fn until(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.shown().contains(text) {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(bytes) = self.written.recv_timeout(left) else {
                panic!("`{text}` does not come:\n{}", self.shown());
            };
            self.screen.process(&bytes);
            self.since.extend(bytes);
            let cleared = self.since.windows(CLEAR.len()).rposition(|bytes| bytes == CLEAR);
            if let Some(at) = cleared {
                self.since.drain(..at + CLEAR.len());
            }
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("a key");
        self.keys.flush().expect("a key");
    }

    /// Neither on the screen nor behind it.
    fn hides(&self, secrets: &[&str]) {
        for secret in secrets {
            assert!(!self.shown().contains(secret), "`{secret}` can be read:\n{}", self.shown());
            assert!(!self.kept().contains(secret), "`{secret}` can be scrolled to:\n{}", self.kept());
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn nobody_reads_what_was_shown_to_the_other() {
    let room = Room::empty();
    room.write("bids/blazon.ron", MANIFEST);
    room.write("bids/1-play.blazon", GAME);
    let mut terminal = Terminal::play(&room, &["play", "bids", "--players", "human,human", "--seed", "3"]);
    let (of_red, of_blue) = (["71", "Red Chest", "Red>"], ["42", "Blue Chest", "Blue>"]);

    terminal.until("Red: press Enter when only you are looking.");
    terminal.hides(&["71", "42", "Sealed bids"]);
    terminal.press("\n");
    terminal.until("Red>");
    assert!(terminal.shown().contains("Bid 2 of the 71 coins in Red Chest"), "{}", terminal.shown());
    terminal.hides(&["42", "press Enter"]);

    // What was typed and what was read is gone before the other is called.
    terminal.press("2\n");
    terminal.until("Blue: press Enter when only you are looking.");
    terminal.hides(&of_red);
    terminal.hides(&["Sealed bids", "Bid"]);
    // Nothing comes until he says that he is alone.
    std::thread::sleep(Duration::from_millis(200));
    terminal.hides(&of_blue);
    terminal.press("\n");
    terminal.until("Blue>");
    assert!(terminal.shown().contains("Bid 3 of the 42 coins in Blue Chest"), "{}", terminal.shown());
    terminal.hides(&of_red);

    // All have answered: what they bid is told, and what is in a chest only to its owner.
    terminal.press("3\n");
    terminal.until("Red: press Enter when only you are looking.");
    terminal.hides(&of_blue);
    terminal.hides(&of_red);
    terminal.press("\n");
    terminal.until("Red>");
    terminal.hides(&of_blue);
    assert!(terminal.shown().contains("There are 71 coins in Red Chest. Content?"), "{}", terminal.shown());
    terminal.press("1\n");
    terminal.until("Red has won");
}

#[test]
fn who_has_saved_is_not_asked_to() {
    let room = Room::new();
    for (typed, ends) in [("save a.game\nquit\n", true), ("save b.game\nmove brown hill\nquit\n", false)] {
        let mut terminal = Terminal::play(&room, &["play", "two-rivers", "--players", "human,greedy"]);
        terminal.until("North>");
        terminal.press(typed);
        if !ends {
            terminal.until("Save the game first?");
            terminal.press("\n");
        }
        let end = Instant::now() + PATIENCE;
        while terminal.child.try_wait().expect("its state").is_none() {
            assert!(Instant::now() < end, "it does not end:\n{}", terminal.shown());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
