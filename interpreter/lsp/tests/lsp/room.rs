//! A folder with a small game and two variants.

use std::path::{Path, PathBuf};

use crate::client::Client;

/// The folder; it goes when the test is over.
pub struct Room {
    folder: tempfile::TempDir,
}

const MANIFEST: &str = "Game(
    name: \"The Ford\",
    version: \"1.0.0\",
    outline: \"outline.txt\",
    player: \"side\",
    players: [\"Red\", \"Blue\"],
    begins: \"game\",
    setup: \"Dawn\",
)
";

/// The page of the game.
pub const FORD: &str = "-- The Ford: a small game.

-- Who plays.
kind side    = Red, Blue                                          @1
kind weather = Dry, Wet, Snow                                     @2
kind area    { fact hill: flag; fact worth: 0..9 }                @1
kind road    = area - area                                        @1
kind piece   {
  fact  owner    : side                                           @1
  fact  steps    : 1..4                                           @3
  state at       : area?                                          @1
  -- What is left of it.
  state strength : 0..4 = piece.steps                             @3
}

table area                                                        @1
  | name     | hill | worth |
  | Ford     |      | 3     |
  | Old Mill |      | 1     |
  | Beacon   | yes  | 2     |

links road \"roads.tsv\"                                            @1

table piece                                                       @1
  | name   | owner | steps |
  | Guard  | Red   | 3     |
  | Scouts | Red   | 2     |
  | Levy   | Blue  | 4     |

setup Dawn (piece: at) {                                          @1
  Guard: Ford
  Scouts: Old Mill
  Levy: Beacon
}

ruling night march: Forbidden or Allowed \"May one march by night?\"  @2

-- Who is against whom.
rule rival(s: side): side = Red                                   @2
  except blue: Blue if s = Red
rule army(s: side): set of piece = all p in pieces where p.owner = s and any p.at
rule held(a: area, s: side): flag = any p in s.army where p.at = a
rule power(p: piece): number = p.strength                         @3
  + hill: 1 if any a in p.at where a.hill                         @3

step game {                                                       @2
  for n in 1..3 { for s in sides { turn(s) }; for p in pieces { p.strength := p.steps } }
  win(Red)                                                        @4
}
step turn(s: side) {                                              @2
  choose by s \"Move a piece\" {
    option march(p in s.army, to in p.at.neighbours) \"{p} to {to}\" @2
      needs peace: not to.held(s.rival) else \"{to} is held by {s.rival}\" @3
      needs night: night march = Allowed or p.power > 0
    { march(p, to) }
    option wait \"Wait\" { }
  }
}
step march(p: piece, to: area) { p.at := to }                     @2
";

const TESTS: &str = "test \"a march\" @2 {
  from Dawn
  play turn(Red)
  Red: march(Guard, Old Mill)
  expect Guard.at = Old Mill
}

test \"a wrong one\" {
  from Dawn
  expect Guard.at = Beacon
}
";

const FLOODS: &str = "-- The river rises.
in rule power {
  + wet: 1 if p.at = Old Mill
}
replace step march(p: piece, to: area) { p.at := to }
";

impl Room {
    /// The game as it is.
    pub fn new() -> Self {
        let room = Self { folder: tempfile::tempdir().unwrap() };
        room.put("ford/blazon.ron", MANIFEST);
        room.put("ford/ford.blazon", FORD);
        room.put("ford/roads.tsv", "from\tto\nFord\tOld Mill\nOld Mill\tBeacon\n");
        room.put("ford/outline.txt", "1 The map\n2 The turn\n3 Combat\n4 Victory\n");
        room.put("ford/tests/tests.blazon", TESTS);
        room.put(
            "ford/variants/floods/blazon.ron",
            "Variant(name: \"Floods\", game: \"The Ford\", game_version: \"1\")",
        );
        room.put("ford/variants/floods/floods.blazon", FLOODS);
        room
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// The folder.
    pub fn folder(&self) -> PathBuf {
        self.path("")
    }

    /// Writes a file.
    pub fn put(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self.path(name)
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The game's page.
    pub fn ford(&self) -> PathBuf {
        self.path("ford/ford.blazon")
    }

    /// An editor with the game's page open.
    pub fn client(&self) -> Client {
        let mut client = Client::new(&self.folder());
        client.open(&self.ford());
        client
    }

    /// A path as tests say it.
    pub fn shown(&self, uri: &str) -> String {
        let folder = crate::client::uri(Path::new(&self.folder()));
        uri.strip_prefix(folder.trim_end_matches('/'))
            .map_or(uri, |below| below.trim_start_matches('/'))
            .to_owned()
    }
}
