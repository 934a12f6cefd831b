//! Runs the binary in a folder of its own, with a small game beside it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use blazon::{Game, Loader, Selection};

/// What came of a run.
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// Waits for the end of one that was started.
    pub fn of(child: Child) -> Self {
        let output = child.wait_with_output().expect("the binary ends");
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A folder of its own, with a copy of a game.
pub struct Room {
    dir: tempfile::TempDir,
}

impl Room {
    /// With the game `two-rivers`.
    pub fn new() -> Self {
        Self::with("two-rivers")
    }

    /// With a game of the tests.
    pub fn with(game: &str) -> Self {
        let room = Self::empty();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(game), &room.path(game));
        room
    }

    /// Without anything.
    pub fn empty() -> Self {
        Self { dir: tempfile::tempdir().expect("a folder can be made") }
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file in it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder can be made");
        std::fs::write(path, bytes).expect("a file can be written");
    }

    /// Runs the binary with some input.
    pub fn run(&self, args: &[&str], input: impl AsRef<[u8]>) -> Run {
        self.run_at("100", args, input)
    }

    /// Runs the binary on a screen of so many columns.
    pub fn run_at(&self, columns: &str, args: &[&str], input: impl AsRef<[u8]>) -> Run {
        let mut child = self.start_at(columns, args);
        let mut stdin = child.stdin.take().expect("there is an input");
        let input = input.as_ref().to_vec();
        let writer = std::thread::spawn(move || {
            // The program may end before it has read everything.
            let _ = stdin.write_all(&input);
        });
        let run = Run::of(child);
        writer.join().expect("the input is written");
        run
    }

    /// Starts the binary and goes on.
    pub fn start(&self, args: &[&str]) -> Child {
        self.start_at("100", args)
    }

    /// Runs the binary without input, with somewhere else for what it writes.
    pub fn run_into(&self, out: impl Into<Stdio>, args: &[&str]) -> Run {
        Run::of(self.command("100", args).stdin(Stdio::null()).stdout(out).spawn().expect("the binary runs"))
    }

    fn start_at(&self, columns: &str, args: &[&str]) -> Child {
        self.command(columns, args).spawn().expect("the binary runs")
    }

    fn command(&self, columns: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_blazon"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env("COLUMNS", columns)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// Copies a folder with all in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in from.read_dir().expect("the game is there") {
        let entry = entry.expect("the game is there");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a file can be copied");
        }
    }
}

/// A game in which a ruling says who wins, with the variant `quiet`, which settles none, and `other`, which settles it, and a
/// saved game of it, `games/a.game`, that Ann has won.
pub fn sun() -> Room {
    let room = Room::empty();
    room.write("sun/blazon.ron", "Game(name: \"Sun\", player: \"player\", begins: \"whole\")\n");
    room.write(
        "sun/a.blazon",
        "kind player = Ann, Bob\nsetup Start { }\nruling sun: yes or no \"Who wins?\"\n\
         rule lucky: player = Ann\nunder sun = no { replace rule lucky: player = Bob }\n\
         step whole {\n  for p in players { choose by p \"?\" { option go \"Go\" { }; option stay \"Stay\" { } } }\n  \
         win(lucky)\n}\n",
    );
    room.write("quiet/blazon.ron", "Variant(name: \"Quiet\", game: \"Sun\")\n");
    room.write("quiet/a.blazon", "before whole { say \"hello\" }\n");
    room.write(
        "other/blazon.ron",
        "Variant(\n  name: \"Other\",\n  game: \"Sun\",\n  rulings: [(\"sun\", \"no\")],\n)\n",
    );
    room.write("other/a.blazon", "before whole { say \"hello\" }\n");
    played_to_its_end(&room, &Selection::default(), "games/a.game");
    room
}

/// Lays a variant of [`sun`] beside it, by which Bob wins whatever the ruling says. It has an outline of its own, a line that
/// does nothing, and a test on a page that needs a scene among its tests.
pub fn for_bob(room: &Room) {
    room.write(
        "bob/blazon.ron",
        "Variant(name: \"For Bob\", game: \"Sun\", outline: Some(\"outline.txt\"))\n",
    );
    room.write("bob/outline.txt", "X.1 Who is lucky\n");
    room.write(
        "bob/a.blazon",
        "before whole { say \"hello\" } @X.1\nreplace rule lucky: player = Bob @X.1\n\
         test \"a page may say what a scene of the tests begins with\" { from Begun; expect lucky = Bob }\n",
    );
    room.write("bob/tests/scenes.blazon", "scene Begun { from Start }\n");
}

/// Plays the game of [`sun`] to its end and saves it.
pub fn played_to_its_end(room: &Room, wanted: &Selection, file: &str) {
    let mut rules = Loader::new().find(&room.path("sun").display().to_string()).expect("the game is there");
    let mut game = Game::new(rules.program(wanted).expect("it compiles")).expect("a game");
    game.begin(1).expect("it begins");
    while let Some(player) = game.decider() {
        let first = game.options(player)[0].id;
        game.choose(player, first).expect("it is open");
    }
    room.write(file, game.save().expect("a save"));
}
