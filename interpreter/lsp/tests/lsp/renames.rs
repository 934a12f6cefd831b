//! Names in places that are easily forgotten: looks, headings under conditions, drawn maps, texts of tests.

use std::collections::BTreeMap;

use serde_json::json;

use crate::client::{Client, edited};
use crate::room::Room;

/// Asks for a new name in a page, and answers the files as they would be.
fn renamed(
    room: &Room,
    client: &mut Client,
    page: &str,
    marked: &str,
    new: &str,
) -> Result<BTreeMap<String, String>, String> {
    let asked = client.ask_with("rename", &room.path(page), marked, json!({ "newName": new }));
    let answer = asked.map_err(|(_, message)| message)?;
    let mut changed = BTreeMap::new();
    for (uri, edits) in answer["changes"].as_object().unwrap() {
        let file = room.shown(uri);
        let text = edited(&room.read(&file), edits);
        changed.insert(file, text);
    }
    Ok(changed)
}

const FORD: &str = "ford/ford.blazon";
const BOARD: &str = "ford/board.blazon";

const LOOKS: &str = "look Blue: azure
look area marks: hill
look hill: tower
look piece  pips: strength, steps
look scuffle display: none
look Old Mill: none
state field: area, fresh each scuffle
step scuffle(a: area) { field := a; say \"At {a}\" }
";

#[test]
fn a_look_has_the_new_name() {
    let room = Room::new();
    room.put(BOARD, LOOKS);
    room.put(
        "ford/variants/floods/looks.blazon",
        "replace look hill: castle\nremove look piece pips\nremove look Old Mill\n",
    );
    let mut client = room.client();
    let mut board = |marked: &str, new: &str| {
        let changed = renamed(&room, &mut client, FORD, marked, new).unwrap();
        let of = |file: &str| changed.get(file).cloned().unwrap_or_default();
        (of(BOARD), of("ford/variants/floods/looks.blazon"))
    };
    let (page, _) = board("= Red, ^Blue", "White");
    assert!(page.starts_with("look White: azure\n"), "{page}");
    let (page, variant) = board("fact ^hill", "height");
    assert!(page.contains("look area marks: height\nlook height: tower\n"), "{page}");
    assert!(variant.starts_with("replace look height: castle\n"), "{variant}");
    let (page, variant) = board("kind ^piece", "unit");
    assert!(page.contains("look unit  pips: strength, steps\n"), "{page}");
    assert!(variant.contains("remove look unit pips\n"), "{variant}");
    let (page, _) = board("state ^strength", "force");
    assert!(page.contains("look piece  pips: force, steps\n"), "{page}");
    let (page, variant) = board("| ^Old Mill", "Weir");
    assert!(page.contains("look Weir: none\n"), "{page}");
    assert!(variant.ends_with("remove look Weir\n"), "{variant}");
    let changed = renamed(&room, &mut client, BOARD, "step ^scuffle", "brawl").unwrap();
    assert!(changed[BOARD].contains("look brawl display: none\nlook Old Mill"), "{changed:?}");
    // The names are found in the looks, too.
    let (_, message) =
        client.ask("definition", &room.path(BOARD), "look ^Blue").map_or_else(|e| e, |_| (0, String::new()));
    assert_eq!(message, "");
}

#[test]
fn a_look_of_two_that_bear_a_name_is_not_taken_from_one() {
    let room = Room::new();
    room.put(BOARD, "kind depot { fact hill: flag }\ntable depot\n  | name | hill |\n  | Barn | yes |\nlook hill: tower\n");
    let mut client = room.client();
    let refused = renamed(&room, &mut client, FORD, "fact ^hill", "height").unwrap_err();
    assert_eq!(
        refused,
        "in board.blazon:5 `hill` means a fact as well, declared in board.blazon:1, which would keep the name: rename it there, \
         and both have the new one; or tell the two apart there first"
    );
    let changed = renamed(&room, &mut client, BOARD, "look ^hill", "height").unwrap();
    assert!(
        changed[FORD].contains("fact height: flag") && changed[BOARD].contains("{ fact height: flag }"),
        "{changed:?}"
    );
    assert!(changed[BOARD].contains("look height: tower"), "{changed:?}");
}

#[test]
fn headings_under_conditions_have_the_new_name() {
    let room = Room::new();
    let fog = "state fog: flag
under fog {
  replace rule held(a: area, s: side): flag = no
  replace step turn(s: side) { stop }
  replace rule army(s: side): set of piece = all p in pieces where p.owner = s
}
";
    room.put("ford/variants/floods/fog.blazon", fog);
    let mut client = room.client();
    for (marked, old, new) in
        [("kind ^area", "area", "place"), ("kind ^side", "side", "party"), ("kind ^piece", "piece", "unit")]
    {
        let changed = renamed(&room, &mut client, FORD, marked, new).unwrap();
        let page = &changed["ford/variants/floods/fog.blazon"];
        assert!(!page.contains(&format!(": {old}")) && !page.contains(&format!("of {old}")), "{page}");
    }
}

#[test]
fn a_table_that_is_changed_is_called_by_its_kind() {
    let room = Room::new();
    let page = "ford/variants/floods/more.blazon";
    room.put(
        page,
        "in table piece { Boat: owner Blue; steps 1 }\nin links road { remove Ford - Old Mill }\n",
    );
    let mut client = room.client();
    let changed = renamed(&room, &mut client, FORD, "kind ^piece", "unit").unwrap();
    assert!(changed[page].starts_with("in table unit {"), "{changed:?}");
    let changed = renamed(&room, &mut client, page, "in links ^road", "way").unwrap();
    assert!(
        changed[page].contains("in links way {") && changed[FORD].contains("links way \"roads.tsv\""),
        "{changed:?}"
    );
    let changed = renamed(&room, &mut client, page, "remove ^Ford", "Shallows").unwrap();
    assert!(changed[page].contains("remove Shallows - Old Mill"), "{changed:?}");
    // One that nothing speaks of.
    let changed = renamed(&room, &mut client, page, "{ ^Boat", "Raft").unwrap();
    assert!(changed[page].contains("{ Raft: owner Blue"), "{changed:?}");
    assert_eq!(changed.len(), 1);
    let changed = renamed(&room, &mut client, FORD, "fact  ^steps", "levels").unwrap();
    assert!(changed[page].contains("owner Blue; levels 1"), "{changed:?}");
    let changed = renamed(&room, &mut client, FORD, "= Red, ^Blue", "White").unwrap();
    assert!(changed[page].contains("owner White; steps 1"), "{changed:?}");
}

#[test]
fn a_thing_that_is_told_apart_by_its_kind_keeps_that() {
    let room = Room::new();
    room.put(
        "ford/more.blazon",
        "kind inn { fact beds: 0..9 }\ntable inn\n  | name | beds |\n  | Ford | 3    |\n",
    );
    let tests = "test \"beds\" {\n  expect Ford (inn).beds = 3, not Ford (area).hill\n}\n";
    room.put("ford/tests/inns.blazon", tests);
    let mut client = room.client();
    let mut texts = |marked: &str, new: &str| {
        let changed = renamed(&room, &mut client, FORD, marked, new).unwrap();
        changed["ford/tests/inns.blazon"].clone()
    };
    assert_eq!(texts("| ^Ford", "Shallows"), tests.replace("Ford (area)", "Shallows (area)"));
    assert_eq!(texts("kind ^area", "place"), tests.replace("(area)", "(place)"));
}

const MAP: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 300 100">
<g inkscape:label="area">
<path id="Ford" d="M0,0 L50,0 L50,50 Z"/>
<path inkscape:label='OLD MILL' d="M100,0 L150,0 L150,50 Z"/>
<path d="M200,0 L250,0 L250,50 Z"><title> Beacon </title></path>
</g>
<g inkscape:label="Roads">
<path id="Old_Mill_-_Ford" d="M50,0 L100,0"/>
<path inkscape:label="Old Mill – Beacon" d="M150,0 L200,0"/>
</g>
<g inkscape:label="wood"><path id="Old_Mill" d="M0,60 L10,60"/></g>
</svg>
"#;

#[test]
fn shapes_and_lines_of_a_drawn_map_have_the_new_name() {
    let room = Room::new();
    let map = "ford/map.svg";
    room.put(map, MAP);
    let mut client = room.client();
    client.open(&room.path("ford/ford.blazon"));
    let mut drawn = |marked: &str, new: &str| {
        renamed(&room, &mut client, FORD, marked, new).unwrap().remove(map).unwrap_or_default()
    };
    let mill = drawn("| ^Old Mill", "Weir & Lock");
    let expected = MAP
        .replace("OLD MILL", "Weir &amp; Lock")
        .replace("Old_Mill_-_Ford", "Weir_&amp;_Lock_-_Ford")
        .replace("Old Mill – Beacon", "Weir &amp; Lock – Beacon");
    assert_eq!(mill, expected);
    assert_eq!(drawn("| ^Beacon", "Watch Fire"), MAP.replace("Beacon", "Watch Fire"));
    assert_eq!(drawn("kind ^area", "place"), MAP.replace("\"area\"", "\"place\""));
    assert_eq!(drawn("kind ^road", "way"), MAP.replace("\"Roads\"", "\"ways\""));
}

#[test]
fn texts_of_tests_have_the_new_name_where_the_rules_say_it() {
    let room = Room::new();
    let tests = "test \"Old Mill is taken\" {
  from Dawn
  Levy.at := Old Mill
  play turn(Red)
  refuse Red: march(Guard, Old Mill) \"Old Mill is held by Blue\"
  expect power(Levy) = 4
}
test \"too many\" {
  from Dawn
  play too many(Old Mill)
  fails \"strength\"
}
test \"a plain word\" {
  from Dawn
  play rest(Red)
  refuse Red: sleep \"Nobody sleeps at the Old Mill\"
}
";
    room.put(
        "ford/more.blazon",
        "step too many(a: area) { Guard.strength += 4 }
step rest(s: side) {
  choose by s \"Rest\" {
    option sleep \"Sleep\" needs no mill: s != Red else \"Nobody sleeps at the Old Mill\" { }
    option wake \"Wake\" { }
    option rise \"Rise\" { }
  }
}
",
    );
    room.put("ford/tests/texts.blazon", tests);
    let mut client = room.client();
    let mut texts = |marked: &str, new: &str| {
        renamed(&room, &mut client, FORD, marked, new)
            .unwrap()
            .remove("ford/tests/texts.blazon")
            .unwrap_or_default()
    };
    let mill = texts("| ^Old Mill", "Weir");
    assert!(mill.contains("\"Weir is held by Blue\""), "{mill}");
    assert!(mill.contains("\"Nobody sleeps at the Old Mill\""), "{mill}");
    assert!(mill.contains("test \"Old Mill is taken\""), "what a test shows is the author's: {mill}");
    let blue = texts("= Red, ^Blue", "White");
    assert!(blue.contains("\"Old Mill is held by White\""), "{blue}");
    let strength = texts("state ^strength", "force");
    assert!(strength.contains("fails \"force\""), "{strength}");
}

#[test]
fn what_cannot_be_found_out_of_a_text_is_told() {
    let room = Room::new();
    room.put(
        "ford/tests/scenes.blazon",
        "scene Taken {
  from Dawn
  Levy.at := Old Mill
  play turn(Red)
  refuse Red: march(Guard, Old Mill) \"Old Mill is held by Blue\"
}
test \"taken up\" { from Taken; expect Levy.at = Old Mill }
test \"as it should not be\" {
  from Dawn
  play turn(Red)
  refuse Red: march(Guard, Old Mill) \"Old Mill is far\"
}
",
    );
    let mut client = room.client();
    let changed = renamed(&room, &mut client, FORD, "| ^Old Mill", "Weir").unwrap();
    let page = &changed["ford/tests/scenes.blazon"];
    assert!(page.contains("\"Weir is held by Blue\"") && page.contains("\"Old Mill is far\""), "{page}");
    let told = |client: &Client| {
        client.told.iter().filter(|(method, _)| method == "window/showMessage").cloned().collect::<Vec<_>>()
    };
    let said = told(&client);
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(
        said[0].1["message"],
        "`Old Mill` stays in texts of tests that do not hold as they are: tests/scenes.blazon:11; look whether `Weir` is to stand there"
    );
    // Where the rules themselves cannot be played no test can be run.
    room.put("ford/more.blazon", "rule wrong(p: piece): number = p.nothing\n");
    let changed = renamed(&room, &mut client, FORD, "| ^Old Mill", "Weir").unwrap();
    assert!(changed["ford/tests/scenes.blazon"].contains("\"Old Mill is held by Blue\""), "{changed:?}");
    let said = told(&client);
    assert!(
        said.len() == 2
            && said[1].1["message"]
                .as_str()
                .unwrap()
                .contains("tests/scenes.blazon:5, tests/scenes.blazon:11;"),
        "{said:?}"
    );
}

#[test]
fn names_that_say_one_or_several_keep_them() {
    let room = Room::new();
    room.put(
        "ford/more.blazon",
        "rule plural(p: piece): flag = yes\nstep tell(p: piece) { say \"{p} {p: stands | stand}\" }\n",
    );
    let mut client = room.client();
    let refused = renamed(&room, &mut client, "ford/more.blazon", "rule ^plural", "many").unwrap_err();
    assert!(refused.starts_with("`plural` means something by itself"), "{refused}");
}

#[test]
fn a_fact_that_becomes_a_state_keeps_one_name() {
    let room = Room::new();
    let page = "ford/variants/floods/worn.blazon";
    room.put(
        page,
        "in kind piece { replace state steps: 1..4 = printed }\nrule worn(p: piece): flag = p.steps < 3\nstep wear(p: piece) { if p.steps > 1 { p.steps -= 1 } }\n",
    );
    let mut client = room.client();
    client.open(&room.path(page));
    assert!(
        client.said(&room.path(page)).iter().all(|said| !said.contains("error")),
        "{:?}",
        client.last(&room.path(page))
    );
    for (file, marked) in [(FORD, "fact  ^steps"), (page, "replace state ^steps"), (page, "= p.^steps < 3")] {
        let changed = renamed(&room, &mut client, file, marked, "levels").unwrap();
        assert!(
            changed[FORD].contains("piece.levels") && changed[FORD].contains("| name   | owner | levels |"),
            "{marked}: {changed:?}"
        );
        assert!(
            !changed[page].contains("steps") && changed[page].contains("replace state levels"),
            "{marked}: {changed:?}"
        );
    }
}
