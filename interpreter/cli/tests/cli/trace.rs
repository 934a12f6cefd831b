//! `blazon trace`: why a rule's value is what it is, told as lines and as JSON.

use crate::common::{Room, Run};

/// A room with a saved game: Brown went to the hill and fought.
fn room() -> Room {
    let room = Room::new();
    let run = room.run(&["play", "two-rivers", "--seed", "3"], "move brown hill\nsave a.game\nquit\n");
    assert!(room.path("a.game").is_file(), "{}{}", run.out, run.err);
    room
}

fn trace(room: &Room, question: &str, more: &[&str]) -> Run {
    // The game lies here: it need not be named.
    let mut args = vec!["trace", "a.game", question];
    args.extend(more);
    room.run(&args, "")
}

/// What is told of a question that is answered.
fn told(room: &Room, question: &str, more: &[&str]) -> Vec<String> {
    let run = trace(room, question, more);
    assert_eq!(run.code, 0, "{question}: {}", run.err);
    run.out.lines().map(str::to_owned).collect()
}

#[test]
fn clauses_are_told_with_their_places() {
    let room = room();
    let run = trace(&room, "may enter(Brown, Mill)", &[]);
    assert_eq!((run.code, run.err.as_str()), (0, "after 1 of 1 choices\n"));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines,
        [
            "may enter(Brown, Mill) = no  @2 Moving",
            "  two-rivers/2-play.blazon:10",
            "  ✗ fails, decides  needs rested: not a.tired  @2 Moving  two-rivers/2-play.blazon:11",
            "      \"{a} is tired\"",
            "  · not looked at   needs room: not any b in armies where b.at = p and b.realm = a.realm  \
             @2.1 Crowded places  two-rivers/2-play.blazon:12",
            "  it asked",
            "    tired(Brown) = yes  state two-rivers/1-things.blazon:23",
        ]
    );
    // Before the choice it was rested.
    let before = told(&room, "may enter(Brown, Mill)", &["--at", "0"]);
    assert_eq!(
        before[2],
        "  ✓ holds           needs rested: not a.tired  @2 Moving  two-rivers/2-play.blazon:11"
    );
}

#[test]
fn changes_of_a_variant_are_told_as_such() {
    let room = room();
    let lines = told(&room, "may enter(Grey, Ford)", &["-V", "floods", "--at", "0"]);
    assert_eq!(
        lines,
        [
            "may enter(Grey, Ford) = no  @2 Moving",
            "  two-rivers/2-play.blazon:10",
            "  ✓ holds           needs rested: not a.tired  @2 Moving  two-rivers/2-play.blazon:11",
            "  ✗ fails, decides  needs room: not any b in armies where b.at = p and b.realm = a.realm  @2.1 Crowded places  two-rivers/2-play.blazon:12",
            "      \"{p} is crowded\"",
            "  · not looked at   needs flood: p != Ford  @2 Moving  two-rivers/variants/floods/floods.blazon:2 (variant Floods)",
            "  it asked",
            "    any b in armies where b.at = p and b.realm = a.realm = yes  found two-rivers/2-play.blazon:12",
        ]
    );
}

/// A row stands where it was written: what a variant has put into a table is the variant's.
#[test]
fn a_row_of_a_table_is_told_with_its_own_place() {
    let room = Room::new();
    let page = "rule fare(p: place): number                                                               @3\n  \
                | p | ducats |\n  | Hill | 2 |\n  | Mill | 3 |\n  | Tower | 4 |\n  | Ford | 5 |\n\
                after round { for a in Brown where (fare(a.at) otherwise 0) > 9 { a.tired := yes } }\n";
    room.write("two-rivers/3-fares.blazon", page);
    let manifest = "Variant(name: \"Dear\", version: \"1.0.0\", game: \"Two Rivers\")\n";
    room.write("two-rivers/variants/dear/blazon.ron", manifest);
    room.write("two-rivers/variants/dear/dear.blazon", "in rule fare { replace | Mill | 9 | }\n");
    let run = room.run(&["play", "two-rivers", "--seed", "3"], "move brown hill\nsave a.game\nquit\n");
    assert!(room.path("a.game").is_file(), "{}{}", run.out, run.err);
    let told = |place: &str| told(&room, &format!("fare({place})"), &["-V", "dear", "--at", "0"]);
    let row = told("Mill").pop().unwrap_or_default();
    assert_eq!(
        row,
        "  ✓ holds, decides  row at column ducats: | Mill | 9 |  @3 Fighting  \
         two-rivers/variants/dear/dear.blazon:1 (variant Dear)"
    );
    let row = told("Tower").pop().unwrap_or_default();
    assert!(row.ends_with("| Tower | 4 |  @3 Fighting  two-rivers/3-fares.blazon:5"), "{row}");
    // So it is with what never came up.
    let run = room.run(&["simulate", "two-rivers", "-V", "dear", "-n", "1", "--seed", "1", "--coverage"], "");
    let lines: Vec<&str> = run.out.lines().filter(|line| line.contains("row `fare")).collect();
    let never = [
        "     5  the row `fare | Tower | 4 |` was never looked up",
        "     1  the row `fare | Mill | 9 |` was never looked up",
    ];
    assert_eq!(lines, never, "{}", run.out);
}

#[test]
fn what_is_not_offered_is_told_in_the_words_of_the_game() {
    let room = room();
    let lines = told(&room, "move(Grey, Tower) in orders(North)", &[]);
    let place = lines.iter().position(|line| line.contains("✗ fails, decides  needs among a.at.neighbours"));
    let reason = place.and_then(|place| lines.get(place + 1));
    assert_eq!(reason.map(|line| line.trim()), Some("\"{to} is not offered\""), "{lines:?}");
}

#[test]
fn an_option_is_asked_for_its_needs_and_what_they_ask() {
    let room = room();
    let lines = told(&room, "move(Grey, Ford) in orders(North)", &["--deep", "1"]);
    assert_eq!(
        lines,
        [
            "can move(North, Grey, Ford) = yes  @2 Moving",
            "  two-rivers/2-play.blazon:27",
            "  ✓ holds, decides  needs among armies  @2 Moving  two-rivers/2-play.blazon:27",
            "  ✓ holds, decides  needs a.realm = r and any a.at  @2 Moving  two-rivers/2-play.blazon:27",
            "      ✓ a.realm = r",
            "      ✓ any a.at",
            "  ✓ holds, decides  needs among a.at.neighbours  @2 Moving  two-rivers/2-play.blazon:27",
            "  ✓ holds, decides  needs a.may enter(to)  @2 Moving  two-rivers/2-play.blazon:28",
            "  it asked",
            "    realm(Grey) = North          state two-rivers/1-things.blazon:21",
            "    at(Grey) = Mill              state two-rivers/1-things.blazon:22",
            "    may enter(Grey, Ford) = yes  rule two-rivers/2-play.blazon:10",
            "",
            "may enter(Grey, Ford) = yes  @2 Moving",
            "  two-rivers/2-play.blazon:10",
            "  ✓ holds, decides  needs rested: not a.tired  @2 Moving  two-rivers/2-play.blazon:11",
            "  ✓ holds, decides  needs room: not any b in armies where b.at = p and b.realm = a.realm  @2.1 Crowded places  two-rivers/2-play.blazon:12",
            "  it asked",
            "    tired(Grey) = no                                           state two-rivers/1-things.blazon:23",
            "    any b in armies where b.at = p and b.realm = a.realm = no  found two-rivers/2-play.blazon:12",
        ]
    );
}

#[test]
fn what_is_wrong_is_said() {
    let room = room();
    for (question, more, code, words) in [
        ("may enter(Brwn, Mill)", &[] as &[&str], 1, "did you mean `Brown`?"),
        ("move(Grey, Ford)", &[], 1, "say with what the step is done: `can move(…) in orders(r)`"),
        ("enemies(North)", &[], 1, "question:1:1"),
        ("step x { }", &[], 1, "question:1:"),
        ("other(South)", &["--at", "2"], 2, "the saved game has 1 choices, and 2 are asked for"),
        ("other(South)", &["--deep", "9"], 2, "write a whole number from 0 to 8"),
    ] {
        let run = trace(&room, question, more);
        assert_eq!(run.code, code, "{question}: {}{}", run.out, run.err);
        assert!(run.err.contains(words), "{question}: {}", run.err);
        assert_eq!(run.out, "", "{question}");
    }
    room.write("b.game", "no game");
    let run = room.run(&["trace", "b.game", "other(South)"], "");
    assert!(run.code == 1 && run.err.contains("save::damaged"), "{}", run.err);
}

#[test]
fn programs_are_told_as_json() {
    let room = room();
    let run = trace(&room, "may enter(Brown, Mill)", &["--json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&json["schema"], &json["choices"]), (&1.into(), &1.into()));
    let traced = &json["traced"][0];
    assert_eq!(traced["value"]["value"], false);
    assert_eq!(traced["clauses"][0]["held"], "no");
    assert_eq!(traced["clauses"][0]["paragraphs"][0]["title"], "Moving");
    assert_eq!(traced["clauses"][1]["held"], "not-asked");
    assert_eq!(traced["reads"][0]["asked"], "tired(Brown)");
}

/// A variant that is laid on a saved game now counts for the rulings that it settles; what is asked for counts more.
#[test]
fn rulings_that_a_variant_settles_count() {
    let room = crate::common::sun();
    let asked = |more: &[&str]| {
        let mut args = vec!["trace", "games/a.game", "lucky", "--game", "sun"];
        args.extend(more);
        let run = room.run(&args, "");
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        (run.out.lines().next().unwrap_or_default().to_owned(), run.err)
    };
    assert_eq!(asked(&[]).0, "lucky = Ann");
    assert_eq!(asked(&["-V", "quiet"]).0, "lucky = Ann");
    let (told, said) = asked(&["-V", "other"]);
    assert_eq!(told, "lucky = Bob");
    let other = "played by sun = yes, and replayed by sun = no, which `Other` settles; as it was played: -R 'sun=yes'\n";
    assert!(said.contains(other), "{said}");
    let (told, said) = asked(&["-V", "other", "-R", "sun=yes"]);
    assert!(told == "lucky = Ann" && !said.contains("played by"), "{told} {said}");
    // So it is with the manifest of a game that is named.
    crate::common::copy(&room.path("sun"), &room.path("moon"));
    let manifest =
        "Game(name: \"Sun\", player: \"player\", begins: \"whole\", rulings: [(\"sun\", \"no\")])\n";
    room.write("moon/blazon.ron", manifest);
    let run = room.run(&["trace", "games/a.game", "lucky", "--game", "moon"], "");
    assert!(run.out.starts_with("lucky = Bob\n") && run.err.contains("which `Sun` settles"), "{}", run.err);
    // A variant that it was played with has settled nothing anew: at the table another value was asked for.
    let wanted = blazon::Selection {
        variants: vec![room.path("other").display().to_string()],
        rulings: vec![("sun".to_owned(), "yes".to_owned())],
        ..blazon::Selection::default()
    };
    crate::common::played_to_its_end(&room, &wanted, "games/b.game");
    let run = room.run(&["trace", "games/b.game", "lucky", "--game", "sun", "-V", "other"], "");
    assert!(run.out.starts_with("lucky = Ann\n"), "{}{}", run.out, run.err);
}
