//! What can be written at a place.

use crate::client::{edited, words};
use crate::room::{FORD, Room};
use serde_json::{Value, json};

/// The labels at a place of the page in which a piece is written in another way; `^` is the cursor.
fn offered(room: &Room, old: &str, new: &str) -> Vec<String> {
    items(room, old, new).iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

fn items(room: &Room, old: &str, new: &str) -> Vec<Value> {
    let mut client = room.client();
    let text = FORD.replacen(old, &new.replace('^', ""), 1);
    client.write(&room.ford(), &text);
    let answer = client.ask("completion", &room.ford(), new).unwrap();
    answer["items"].as_array().unwrap().clone()
}

#[test]
fn behind_a_dot_is_what_can_be_asked() {
    let room = Room::new();
    let asked = ["at", "march", "owner", "power", "steps", "strength"];
    assert_eq!(offered(&room, "p.at = a", "p.^ = a"), asked);
    assert_eq!(offered(&room, "{ march(p, to) }", "{ p.^ }"), asked);
    assert_eq!(offered(&room, "number = p.strength", "number = p.str^"), ["strength"]);
    assert_eq!(offered(&room, "if s = Red", "if s.rival.^ = Red"), ["army", "rival", "turn"]);
}

#[test]
fn behind_a_sign_is_what_fits() {
    let room = Room::new();
    assert_eq!(offered(&room, "if s = Red", "if s = ^"), ["s", "Blue", "Red", "owner", "rival", "sides"]);
    let places = ["to", "Beacon", "Ford", "Old Mill", "none", "areas", "at"];
    assert_eq!(offered(&room, "{ p.at := to }", "{ p.at := ^ }"), places);
    assert_eq!(offered(&room, "night march = Allowed", "night march = ^")[..2], ["Allowed", "Forbidden"]);
    assert_eq!(
        offered(&room, "blue: Blue if", "blue: ^ if"),
        ["s", "Blue", "Red", "owner", "rival", "sides"]
    );
}

#[test]
fn an_argument_is_of_its_type() {
    let room = Room::new();
    let offered = offered(&room, "{ march(p, to) }", "{ march(^, to) }");
    assert_eq!(offered, ["p", "Guard", "Levy", "Scouts", "army", "pieces"]);
}

#[test]
fn lines_begin_with_keywords() {
    let room = Room::new();
    let margin = offered(&room, "\nstep game {", "\n^\nstep game {");
    assert!(
        ["rule", "step", "test", "in", "replace"].iter().all(|word| margin.contains(&(*word).to_owned())),
        "{margin:?}"
    );
    assert!(!margin.contains(&"choose".to_owned()) && !margin.contains(&"power".to_owned()), "{margin:?}");
    let block = offered(&room, "  win(Red)", "  ^\n  win(Red)");
    assert!(
        ["choose", "for", "if", "turn", "march", "win"]
            .iter()
            .all(|word| block.contains(&(*word).to_owned())),
        "{block:?}"
    );
    assert!(!block.contains(&"rule".to_owned()), "{block:?}");
}

#[test]
fn changes_name_what_there_is() {
    let room = Room::new();
    let behind = |new: &str| offered(&room, "\nstep game {", &format!("\n{new}\nstep game {{"));
    assert_eq!(behind("in rule ^"), ["army", "held", "power", "rival"]);
    assert_eq!(behind("before ^"), ["game", "march", "turn"]);
    assert_eq!(
        behind("rule x(a: ^"),
        [
            "area",
            "piece",
            "road",
            "side",
            "weather",
            "dice",
            "die",
            "flag",
            "number",
            "permission",
            "point",
            "set of",
            "text"
        ]
    );
    assert_eq!(behind("omitted @^"), ["@1", "@2", "@3", "@4"]);
}

#[test]
fn tests_have_their_own_words() {
    let room = Room::new();
    let mut client = room.client();
    let page = room.path("ford/tests/tests.blazon");
    client.open(&page);
    let mut offered = |old: &str, new: &str| {
        let text = std::fs::read_to_string(&page).unwrap().replacen(old, &new.replace('^', ""), 1);
        client.write(&page, &text);
        let answer = client.ask("completion", &page, new).unwrap();
        let items = answer["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(offered("from Dawn", "from ^"), ["Dawn"]);
    assert_eq!(offered("Red: march(Guard, Old Mill)", "Red: ^"), ["march", "wait"]);
    assert_eq!(offered("march(Guard, Old Mill)", "march(Guard, ^)"), ["Beacon", "Ford", "Old Mill"]);
    assert_eq!(
        offered("expect Guard.at = Old Mill", "expect Guard.^"),
        ["at", "march", "owner", "power", "steps", "strength"]
    );
    let line = offered("  expect Guard.at = Old Mill", "  ^");
    assert!(
        ["expect", "offer", "Red:", "Blue:"].iter().all(|word| line.contains(&(*word).to_owned())),
        "{line:?}"
    );
}

#[test]
fn nothing_is_offered_where_nothing_can_be() {
    let room = Room::new();
    assert_eq!(offered(&room, "-- Who plays.", "-- Who ^plays."), Vec::<String>::new());
    assert_eq!(offered(&room, "\"Move a piece\"", "\"Move ^a piece\""), Vec::<String>::new());
    assert_eq!(offered(&room, "rule army(", "rule ^army("), Vec::<String>::new());
    let hole = offered(&room, "{to} is held", "{^} is held");
    assert!(hole.contains(&"pieces".to_owned()) && !hole.contains(&"choose".to_owned()), "{hole:?}");
}

#[test]
fn a_name_of_several_words_goes_on() {
    let room = Room::new();
    let items = items(
        &room,
        "Scouts: Old Mill",
        "Scouts: Old Mill\n  Levy: Ford\n}\nrule there(p: piece): flag = p.at = Old M^\nsetup Dusk (piece: at) {",
    );
    let mill = items.iter().find(|item| item["label"] == "Old Mill").expect("Old Mill");
    let text = FORD.replacen("Scouts: Old Mill", "Scouts: Old Mill\n  Levy: Ford\n}\nrule there(p: piece): flag = p.at = Old M\nsetup Dusk (piece: at) {", 1);
    assert_eq!(words(&text, &mill["textEdit"]["range"]), "Old M");
    assert!(edited(&text, &json!([mill["textEdit"]])).contains("p.at = Old Mill\nsetup Dusk"));
}

#[test]
fn a_cell_is_what_its_column_says() {
    let room = Room::new();
    assert_eq!(offered(&room, "| Scouts | Red   | 2     |", "| Scouts | ^   | 2     |"), ["Blue", "Red"]);
    assert_eq!(offered(&room, "| Scouts | Red   | 2     |", "| Scouts | Bl^"), ["Blue"]);
    assert_eq!(offered(&room, "| Beacon   | yes  | 2     |", "| Beacon   | ^  | 2     |"), ["no", "yes"]);
    // A name is new.
    assert_eq!(offered(&room, "| Scouts |", "| ^ |"), Vec::<String>::new());
}

#[test]
fn what_is_placed_is_called_by_name() {
    let room = Room::new();
    let line = offered(&room, "Guard: Ford\n  Scouts: Old Mill", "Guard: Ford\n  ^");
    assert_eq!(line[..2], ["others", "Beacon"]);
    assert!(
        ["Scouts", "Old Mill", "strength"].iter().all(|name| line.contains(&(*name).to_owned())),
        "{line:?}"
    );
    assert_eq!(offered(&room, "Scouts: Old Mill", "Scouts: Old M^"), ["Old Mill"]);
    let page = room.path("ford/tests/tests.blazon");
    let mut client = room.client();
    let text = "test \"a\" {\n  position (piece: at) {\n    Guard, L\n  }\n  expect S\n  play turn(B)\n  play turn(\n}\n";
    client.open_as(&page, text);
    let mut offered = |marked: &str| -> Vec<String> {
        let answer = client.ask("completion", &page, marked).unwrap();
        let items = answer["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(offered("Guard, L^")[0], "Levy");
    let expected = offered("expect S^");
    assert!(expected.contains(&"Scouts".to_owned()), "{expected:?}");
    let first = |offered: Vec<String>| offered.into_iter().take(2).collect::<Vec<_>>();
    assert_eq!(first(offered("play turn(^B)")), ["Blue", "Red"]);
    assert_eq!(first(offered("play turn(^\n")), ["Blue", "Red"]);
    let help = client.ask("signatureHelp", &page, "play turn(^B)").unwrap();
    assert_eq!(help["signatures"][0]["label"], "step turn(s: side)");
}

#[test]
fn a_kind_and_a_condition_have_their_own_words() {
    let room = Room::new();
    assert_eq!(
        offered(&room, "  -- What is left", "  ^\n  -- What is left"),
        ["back", "fact", "seen by", "state"]
    );
    assert_eq!(offered(&room, "Dry, Wet, Snow", "Dry, Wet, ^"), Vec::<String>::new());
    let behind = |new: &str| offered(&room, "\nstep game {", &format!("\n{new}\nstep game {{"));
    assert_eq!(behind("under ^")[0], "night march");
    assert!(behind("under pow^").contains(&"power".to_owned()), "any condition will do");
}

#[test]
fn clauses_and_options_begin_lines() {
    let room = Room::new();
    let clause = offered(&room, "number = p.strength                         @3", "number = p.strength\n  ^");
    assert_eq!(clause[..3], ["except", "known to all", "needs"]);
    let choice = offered(&room, "    option wait", "    ^\n    option wait");
    assert!(["option", "when", "if"].iter().all(|word| choice.contains(&(*word).to_owned())), "{choice:?}");
}

#[test]
fn a_position_begins_with_a_kind_and_its_states() {
    let room = Room::new();
    assert_eq!(offered(&room, "(piece: at)", "(^"), ["area", "piece", "road", "side", "weather"]);
    assert_eq!(offered(&room, "(piece: at)", "(piece: ^"), ["at", "strength"]);
    assert_eq!(offered(&room, "(piece: at)", "(piece: at, st^"), ["strength"]);
}

#[test]
fn brackets_that_are_not_closed_yet_hide_nothing() {
    let room = Room::new();
    let asked = ["at", "march", "owner", "power", "steps", "strength"];
    assert_eq!(offered(&room, "{ march(p, to) }", "{ march(p.^ }"), asked);
    assert_eq!(offered(&room, "{ march(p, to) }", "{ march((p.st^ }"), ["steps", "strength"]);
    assert_eq!(offered(&room, "{ march(p, to) }", "{ march([p.^"), asked);
    let areas = ["held", "hill", "neighbours", "road", "road neighbours", "roads", "worth"];
    let hill = |written: &str| offered(&room, "any a in p.at where a.hill", written);
    assert_eq!(hill("any (lowest a in p.at by a.^"), areas);
    assert_eq!(hill("any (lowest a in p.at by a.hi^"), ["hill"]);
    assert_eq!(hill("any (reach a in p.at by n in a.neighbours by n.^"), areas);
}

#[test]
fn behind_a_value_is_what_can_go_on() {
    let room = Room::new();
    let joining = ["and", "in", "not in", "or", "otherwise"];
    assert_eq!(offered(&room, "Blue if s = Red", "Blue if s = Red ^"), joining);
    assert_eq!(offered(&room, "p.owner = s and any p.at", "p.owner = s ^"), joining);
    assert_eq!(offered(&room, "a in p.at where a.hill", "a in p.at w^"), ["where", "otherwise"]);
    let goes_on = |written: &str| offered(&room, "any a in p.at where a.hill", written);
    let ways = goes_on("any (reach a in p.at by n in a.neighbours ^)");
    assert_eq!(ways, ["and", "by", "in", "not in", "or", "otherwise", "where", "within"]);
    let costs = goes_on("any (reach a in p.at by n in a.neighbours by n.^ within 3)");
    assert_eq!(costs, goes_on("any (most n in p.at by n.^)"));
    assert_eq!(offered(&room, "for n in 1..3", "for n ^"), ["in"]);
    assert_eq!(
        offered(&room, "needs peace: not to.held(s.rival) else", "needs peace: not to.held(s.rival) e^"),
        ["else", "needs", "otherwise"]
    );
    assert_eq!(offered(&room, "\"{to} is held", "\"{to ^} is held"), joining);
    // A name may go on, and what begins a value is not offered behind one.
    let old = offered(&room, "p.at = a", "p.at = Old ^");
    assert_eq!(old[0], "Old Mill");
    assert_eq!(old[1..], joining);
}

#[test]
fn needs_and_conditions_know_the_variables_of_their_option() {
    let room = Room::new();
    let peace = "needs peace: not to.held(s.rival) else \"{to} is held by {s.rival}\" @3";
    let needs = |new: &str| offered(&room, peace, new);
    for new in [
        "needs ^",
        "needs peace: ^",
        "needs peace: not ^",
        "needs peace: p.power > 0 and ^",
        "needs (^",
        "needs near if ^",
    ] {
        let found = needs(new);
        assert_eq!(found[..3], ["p", "s", "to"], "{new}");
        assert!(
            ["held", "power", "any", "night march", "Ford"]
                .iter()
                .all(|name| found.contains(&(*name).to_owned())),
            "{new}: {found:?}"
        );
        assert!(
            !["choose", "readings of night march"].iter().any(|name| found.contains(&(*name).to_owned())),
            "{new}: {found:?}"
        );
    }
    let of_areas = ["held", "hill", "neighbours", "road", "road neighbours", "roads", "worth"];
    assert_eq!(needs("needs peace: not to.^"), of_areas);
    assert_eq!(needs("needs near if to.^"), of_areas);
    assert_eq!(needs("needs p.^ else \"no\""), ["at", "march", "owner", "power", "steps", "strength"]);
    let places = ["to", "Beacon", "Ford", "Old Mill", "none", "areas", "at"];
    assert_eq!(needs("needs p.at = ^"), places);
    assert_eq!(needs("needs near if p.at = ^: p.power > 0"), places);
    assert_eq!(needs("needs any q in s.army where q.at = ^"), places);
    let first = |found: Vec<String>| found.into_iter().take(4).collect::<Vec<_>>();
    assert_eq!(first(needs("needs any q in s.army where ^")), ["p", "q", "s", "to"]);
    assert_eq!(first(needs("needs count s.army > ^")), ["p", "s", "to", "areas"]);
    assert_eq!(
        needs("needs peace: p.power > 0 ^"),
        ["and", "else", "in", "needs", "not in", "or", "otherwise"]
    );
    let night = "needs night: night march = Allowed or p.power > 0";
    assert_eq!(offered(&room, night, "needs night: night march = ^"), ["Allowed", "Forbidden"]);
    // In the option's own line, and in what its variables go through.
    let wait = |new: &str| offered(&room, "option wait \"Wait\" { }", new);
    let asked = ["at", "march", "owner", "power", "steps", "strength"];
    assert_eq!(wait("option wait(q in s.army) \"Wait\" needs q.^ { }"), asked);
    assert_eq!(wait("option wait(q in s.army where q.^) \"Wait\" { }"), asked);
    assert_eq!(wait("option wait(q in s.army where q.owner = ^) \"Wait\" { }")[..3], ["s", "Blue", "Red"]);
    assert_eq!(wait("option wait \"Wait\" ^ { }"), ["needs"]);
    // Of a step, and of an option that is changed.
    let behind = |new: &str| offered(&room, "\nstep game {", &format!("\n{new}\nstep game {{"));
    let asked_with = |own: &'static str| {
        let mut asked: Vec<&str> = asked.into_iter().chain([own]).collect();
        asked.sort_unstable();
        asked
    };
    assert_eq!(behind("step go(q: piece) needs fit: q.^ { }"), asked_with("go"));
    assert_eq!(behind("step go(q: piece)\n  needs ^\n{ }")[0], "q");
    assert_eq!(behind("rule may(q: piece): permission\n  needs q.^"), asked_with("may"));
    assert_eq!(behind("in step turn { in option march { needs x: p.^ } }"), asked);
    assert_eq!(behind("in step turn { in option march { needs ^ } }")[..3], ["p", "s", "to"]);
}
