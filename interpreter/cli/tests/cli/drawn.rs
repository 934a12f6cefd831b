//! What `check` says of how a game is drawn: its map and its looks.

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
