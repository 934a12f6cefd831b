//! How games are drawn: what `check` says of a map and of looks, pictures, maps to begin with.

use crate::common::Room;

const GAME: &str = r#"
kind side = Red, Blue
kind area = Mill, Ford
kind road = area - area
links road
  Mill - Ford
kind piece = Foot { state at: area?; state side: side; fact steps: 1..4 = 3 }
setup Start (piece: side, at) { Foot: Red, Mill }
step game { choose by Red { option pass "Pass" { win(Red) } } }
"#;

fn check(looks: &str, map: &str) -> (i32, String) {
    let room = Room::new();
    room.write("places/blazon.ron", r#"Game(name: "Places", player: "side", begins: "game")"#);
    room.write("places/places.blazon", format!("{GAME}{looks}\n"));
    room.write(
        "places/map.svg",
        format!("<svg viewBox=\"0 0 9 9\" xmlns=\"http://www.w3.org/2000/svg\">\n{map}\n</svg>\n"),
    );
    let run = room.run(&["check", "places", "--format", "short"], "");
    let said = run.out.lines().chain(run.err.lines());
    let drawn = said.filter(|line| line.contains("[map::") || line.contains("[looks::"));
    (run.code, drawn.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_map_is_held_against_the_rules() {
    let mill = r#"<rect id="Mill" width="4" height="9"/>"#;
    let ford = r#"<rect id="Ford" x="4" width="4" height="9"/>"#;
    assert_eq!(check("", &format!("<g id=\"area\">{mill}{ford}</g>")), (0, String::new()));
    let (code, said) = check("", &format!("<g id=\"area\">{mill}</g>"));
    assert_eq!(code, 0, "a warning");
    assert!(said.contains("warning") && said.contains("the area `Ford` has no shape on the map"), "{said}");
    let (code, said) = check("", &format!("<g id=\"area\">{mill}{}</g>", ford.replace("Ford", "Fort")));
    assert_eq!(code, 1);
    assert!(said.contains("there is no area `Fort`") && said.contains("map.svg:2"), "{said}");
    let (code, said) = check("", "<script>alert(1)</script>");
    assert_eq!(code, 1);
    assert!(said.contains("`<script>` may not stand in a map"), "{said}");
}

#[test]
fn a_look_that_draws_nothing_is_told() {
    let map = r#"<g id="area"><rect id="Mill" width="4" height="9"/><rect id="Ford" x="4" width="4" height="9"/></g>"#;
    let (code, said) = check("look piece value: steps", map);
    assert_eq!(code, 0, "a warning");
    assert!(said.contains("`look piece value` draws nothing"), "{said}");
}

/// What a grid draws, and what just it does not; what a state says that is told where it is drawn.
#[test]
fn a_look_that_a_board_cannot_draw_is_told_with_how_to_mend_it() {
    let room = Room::new();
    room.write("looks/blazon.ron", r#"Game(name: "Looks", player: "side", begins: "game")"#);
    let page = r#"kind side = Red, Blue
kind hex { fact number: 0..999; fact port: flag }
table hex
  | name | number | port |
  | 0101 | 101    | yes  |
  | 0102 | 102    |      |
kind side line = hex - hex
grid side line by number, even columns low
kind piece = Foot { state at: hex?; state side: side }
setup Start (piece: side, at) { Foot: Red, '0101' }
step game { choose by Red { option pass "Pass" { win(Red) }; option wait "Wait" { win(Blue) } } }
look hex marks: port
look port: tower
look at: none
"#;
    room.write("looks/looks.blazon", page);
    let run = room.run(&["check", "looks"], "");
    assert_eq!(run.code, 0, "warnings: {}{}", run.out, run.err);
    let said = format!("{}{}", run.out, run.err);
    let from = said.find("warning[looks::part]").expect("it is told");
    let wanted = r#"warning[looks::part]

  ⚠ `look hex marks` draws nothing: a grid draws no `marks`
    ╭─[looks/looks.blazon:12:1]
 11 │ step game { choose by Red { option pass "Pass" { win(Red) }; option wait "Wait" { win(Blue) } } }
 12 │ look hex marks: port
    · ────────────────────
 13 │ look port: tower
    ╰────
  help: a grid shows ground and regions, and lines along and across its sides by the flags of
        links, such as `river`; leave the look out, or draw a map

warning[looks::part]

  ⚠ `look port` draws nothing: the board shows nothing by the name of `port`
    ╭─[looks/looks.blazon:13:1]
 12 │ look hex marks: port
 13 │ look port: tower
    · ────────────────
 14 │ look at: none
    ╰────
  help: players have tinctures, kinds of pieces and, where there is no grid, facts of places
        glyphs; a grid has grounds and lines; see 4.6 of the reference

warning[looks::part]

  ⚠ `look at` draws nothing: `at` is told nowhere else than where it is drawn
    ╭─[looks/looks.blazon:14:1]
 13 │ look port: tower
 14 │ look at: none
    · ─────────────
    ╰────
  help: `none` of a part, as in `look piece pips: none`, draws it there no more

5 warnings
"#;
    assert_eq!(said[from..], *wanted);
}

/// What a run that fails says, and its code.
fn refused(room: &Room, args: &[&str]) -> (i32, String) {
    let run = room.run(args, "");
    assert_eq!(run.out, "", "{args:?}");
    (run.code, run.err)
}

#[test]
fn a_position_is_drawn() {
    let room = Room::new();
    let begun = room.run(&["picture", "two-rivers"], "");
    assert_eq!((begun.code, begun.err.as_str()), (0, ""));
    assert!(begun.out.starts_with("<svg xmlns=") && begun.out.ends_with("</svg>\n"), "{}", begun.out);
    let spectator = room.run(&["picture", "two-rivers", "--spectator"], "");
    assert_eq!(begun.out, spectator.out);
    // A seat's picture says whose it is; capitals aside.
    let north = room.run(&["picture", "two-rivers", "--seat", "north", "-o", "north.svg"], "");
    assert_eq!((north.code, north.out, north.err), (0, String::new(), String::new()));
    let read = |name: &str| std::fs::read_to_string(room.path(name)).expect("it was written");
    assert!(read("north.svg").contains(">you</text>") && !begun.out.contains(">you</text>"));
    // A saved game; the file is written over, for it is a drawing.
    let played = room.run(
        &["play", "two-rivers", "--seed", "3", "--players", "human,random"],
        "1\nsave evening.game\nquit\n",
    );
    assert_eq!(played.code, 0, "{}{}", played.out, played.err);
    let evening = room.run(
        &["picture", "two-rivers", "--load", "evening.game", "--seat", "North", "-o", "evening.svg"],
        "",
    );
    assert_eq!((evening.code, evening.err.as_str()), (0, ""));
    assert_ne!(read("evening.svg"), read("north.svg"));
    let again = room.run(&["picture", "two-rivers", "--seat", "North", "-o", "evening.svg"], "");
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(read("evening.svg"), read("north.svg"));
}

/// Whose a piece is may be printed on its back.
#[test]
fn a_back_that_tells_whose_it_is_has_the_colour_of_its_side() {
    let room = Room::new();
    room.write("backs/blazon.ron", r#"Game(name: "Backs", player: "side", begins: "game")"#);
    room.write(
        "backs/backs.blazon",
        r#"
kind side = Red, Blue
kind area = Fen, Mill { fact spot: point }
kind road = area - area
links road
  Fen - Mill
kind block = Scouts, Guards {
  fact house: side = Blue
  state at: area? = Fen
  seen by v: v = block.house
  back: house, at
}
setup Start { }
step game { choose by Red { option pass "Pass" { win(Red) }; option wait "Wait" { win(Blue) } } }
"#,
    );
    let drawn = |seat: &str| room.run(&["picture", "backs", "--seat", seat], "").out;
    let (red, blue) = (drawn("Red"), drawn("Blue"));
    let tincture = |svg: &str| {
        let at = svg.find("class=\"piece ").expect("a block is drawn");
        svg[at..]
            .split('"')
            .nth(1)
            .and_then(|class| class.split(' ').find(|word| word.starts_with("t-")))
            .map(str::to_owned)
    };
    assert_eq!(tincture(&red), tincture(&blue));
    assert_ne!(tincture(&red).as_deref(), Some("t-none"));
    let run = room.run(&["play", "backs", "--seed", "1", "--players", "human,random"], "pass\n");
    assert!(run.out.contains("Fen  Blue: 2 blocks\n"), "{}", run.out);
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let room = Room::new();
    room.write("notes.game", "no saved game");
    room.write("notes.txt", "notes of mine");
    for (args, code, said) in [
        (&["--seat", "Nroth"] as &[&str], 2, "error: no player is called `Nroth`; did you mean `North`?\n"),
        (&["--seat", "Umpire"], 2, "error: no player is called `Umpire`; there are `North` and `South`\n"),
        (
            &["--load", "none.game"],
            3,
            "error: `none.game` cannot be read: No such file or directory (os error 2)\n",
        ),
        (&["--load", "notes.game"], 1, NO_SAVE),
        (&["-o", "none/x.svg"], 3, "error: `none/x.svg` cannot be written: there is no folder `none`\n"),
        (&["-o", "two-rivers"], 3, "error: `two-rivers` is a folder\n"),
        (
            &["-o", "notes.txt"],
            3,
            "error: `notes.txt` is there already and is no drawing; take another name\n",
        ),
    ] {
        let all: Vec<&str> = ["picture", "two-rivers"].iter().chain(args).copied().collect();
        assert_eq!(refused(&room, &all), (code, said.to_owned()), "{args:?}");
    }
    assert_eq!(std::fs::read_to_string(room.path("notes.txt")).expect("it is there"), "notes of mine");
    room.write(
        "two-rivers/map.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><script/></svg>",
    );
    let words = r#"error[map::element]

  × `<script>` may not stand in a map
   ╭─[two-rivers/map.svg:1:59]
 1 │ <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script/></svg>
   ·                                                           ─
   ╰────
  help: a map has groups and shapes: paths, rects, circles, ellipses, polygons, lines

1 error
"#;
    assert_eq!(refused(&room, &["picture", "two-rivers"]), (1, words.to_owned()));
}

const NO_SAVE: &str =
    "error: this is not a saved game: 1:1-1:3: Expected struct `Save` but found `no` [save::damaged]\n";

/// A folder with a copy of a game of this repository, without its map.
fn copied(room: &Room, name: &str) {
    let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(name);
    crate::common::copy(&from, &room.path(name));
    let _ = std::fs::remove_file(room.path(name).join("map.svg"));
}

#[test]
fn a_map_to_begin_with_checks_clean() {
    let room = Room::empty();
    assert_eq!(room.run(&["new", "game", "Two Hills"], "").code, 0);
    for name in ["richard-iii", "lionheart", "salt-road"] {
        copied(&room, name);
    }
    for name in ["two-hills", "richard-iii", "lionheart", "salt-road"] {
        let map = format!("{name}/map.svg");
        let before = room.run(&["check", name, "--format", "short"], "");
        let begun = room.run(&["map", name, "--svg", "-o", &map], "");
        assert_eq!((begun.code, begun.err.as_str()), (0, ""), "{name}");
        assert_eq!(begun.out, format!("wrote {map}; `blazon check` holds it against the rules\n"));
        let after = room.run(&["check", name, "--format", "short"], "");
        assert_eq!((after.code, &after.out), (0, &before.out), "{name}");
        // A shape whose label is changed is held against the rules.
        let text = std::fs::read_to_string(room.path(&map)).expect("it was written");
        let (first, rest) = text.split_once("<path inkscape:label=\"").expect("it has a shape");
        room.write(&map, format!("{first}<path inkscape:label=\"X{rest}"));
        let bent = room.run(&["check", name, "--format", "short"], "");
        assert_eq!(bent.code, 1, "{name}");
        assert!(bent.out.contains("[map::unknown]") && bent.out.contains("[map::missing]"), "{}", bent.out);
    }
}

#[test]
fn a_map_is_not_written_over_unless_told() {
    let room = Room::new();
    room.write("map.svg", "my map");
    let read = || std::fs::read_to_string(room.path("map.svg")).expect("it is there");
    let said = refused(&room, &["map", "two-rivers", "--svg", "-o", "map.svg"]);
    assert_eq!(said, (2, "error: `map.svg` is there already; --force writes over it\n".to_owned()));
    assert_eq!(read(), "my map");
    let run = room.run(&["map", "two-rivers", "--svg", "-o", "map.svg", "--force"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(read(), room.run(&["map", "two-rivers"], "").out);
    let said = refused(&room, &["map", "two-rivers", "-o", "none/map.svg"]);
    let words = "error: `none/map.svg` cannot be written: there is no folder `none`\n";
    assert_eq!(said, (3, words.to_owned()));
    // A game of nothing but choices.
    room.write("choices/blazon.ron", r#"Game(name: "Choices", player: "side", begins: "game")"#);
    let page = "kind side = Red, Blue\nkind pawn = Pawn { state owner: side }\nsetup Start (pawn: owner) { Pawn: Red }\n\
                step game { choose by Red { option pass \"Pass\" { win(Red) } } }\n";
    room.write("choices/choices.blazon", page);
    let said = refused(&room, &["map", "choices", "--svg"]);
    let words = "error: the game has no places that a map could show: places are what links join, a grid lays out, or a \
                 point is given for\n";
    assert_eq!(said, (1, words.to_owned()));
}
