//! `blazon replay FOLDER`: saved games under changed rules.

use std::path::Path;

use blazon::bots::{Pick, Random};
use blazon::{Game, Loader, Selection};
use serde_json::Value;

use crate::common::{Room, Run};

/// A room with three saved games of two rivers: two in which somebody fords the river, and one in which nobody does.
fn room() -> Room {
    let room = Room::new();
    std::fs::create_dir_all(room.path("games/more")).expect("a folder can be made");
    for (file, moves) in [
        ("games/a.game", "move brown hill\nmove grey ford\n"),
        ("games/b.game", "rest\nrest\nmove brown hill\n"),
        ("games/more/c.game", "move brown hill\nrest\nrest\nmove grey ford\n"),
    ] {
        let run = room.run(&["play", "two-rivers", "--seed", "3"], format!("{moves}save {file}\nquit\n"));
        assert!(room.path(file).is_file(), "{file}: {}{}", run.out, run.err);
    }
    room
}

fn replay(room: &Room, more: &[&str]) -> Run {
    let mut args = vec!["replay", "games", "--game", "two-rivers"];
    args.extend(more);
    room.run(&args, "")
}

#[test]
fn games_that_part_are_told_by_what_is_to_blame() {
    let room = room();
    let run = replay(&room, &[]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(run.out, "Two Rivers 1.0.0 · 3 saved games\n\n3 go through, 0 part\n");
    let run = replay(&room, &["-V", "floods"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines,
        [
            "Two Rivers 1.0.0 + Floods · 3 saved games",
            "",
            "2 games part by two-rivers/variants/floods/floods.blazon:2  in rule may enter { needs flood: p != \
             Ford else \"{p} is flooded\" @2 }",
            "    + -- Nobody fords a flooded river.",
            "    + in rule may enter { needs flood: p != Ford else \"{p} is flooded\" @2 }",
            "  first: games/a.game at choice 2, `North: move(Grey, Ford)`",
            "    by these rules `North: rest` was the only choice before it and taken unasked; it is refused: Ford \
             is flooded",
            "    asked there: North: Where to?",
            "",
            "1 goes through, 2 part",
        ]
    );
}

#[test]
fn programs_are_told_each_game() {
    let room = room();
    let run = replay(&room, &["-V", "floods", "--json"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    let told: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&told["games"], &told["through"], &told["parted"]), (&3.into(), &1.into(), &2.into()));
    let group = &told["groups"][0];
    assert_eq!((&group["count"], &group["blame"]["by"]), (&2.into(), &"lines".into()));
    assert_eq!(group["blame"]["first"]["place"], "two-rivers/variants/floods/floods.blazon:2");
    let games: Vec<(&str, u64)> = group["games"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|game| (game["file"].as_str().unwrap_or_default(), game["choice"].as_u64().unwrap_or_default()))
        .collect();
    assert_eq!(games, [("games/a.game", 2), ("games/more/c.game", 4)]);
}

#[test]
fn a_ruling_is_to_blame_where_no_line_is() {
    let room = Room::new();
    std::fs::create_dir_all(room.path("games")).expect("a folder can be made");
    let args = ["play", "two-rivers", "--seed", "3", "-R", "crowds=yes"];
    room.run(&args, "move grey ford\nsave games/a.game\nquit\n");
    let run = replay(&room, &["-R", "crowds=no"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.starts_with("Two Rivers 1.0.0, crowds = no · 1 saved game\n"), "{}", run.out);
    let told = "1 game parts by the ruling crowds = no, which was yes\n  \
                games/a.game at choice 1, `North: move(Grey, Ford)`\n    it is refused: Ford is crowded\n";
    assert!(run.out.contains(told), "{}", run.out);
}

#[test]
fn older_rules_are_named_to_be_told_by_which_lines() {
    let room = room();
    crate::common::copy(&room.path("two-rivers"), &room.path("older"));
    let page = std::fs::read_to_string(room.path("two-rivers/2-play.blazon")).expect("the page");
    let page = page.replace("needs rested: not a.tired", "needs rested: not a.tired and p != Hill");
    room.write("two-rivers/2-play.blazon", page);
    let run = replay(&room, &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    let told = "3 games part by the rules as they are now: the text of the rules has changed since it was saved: \
                rule `may enter` in 2-play.blazon (line 10) is new or changed\n  \
                name the older rules to be told by which lines: --was FOLDER\n";
    assert!(run.out.contains(told), "{}", run.out);
    let run = replay(&room, &["--was", "older"]);
    let told = "3 games part by two-rivers/2-play.blazon:11  rule may enter(a: army, p: place): permission @2\n    \
                -   needs rested: not a.tired else \"{a} is tired\"\n    \
                +   needs rested: not a.tired and p != Hill else \"{a} is tired\"\n  \
                first: games/a.game at choice 1, ";
    assert!(run.code == 1 && run.out.contains(told), "{}", run.out);
}

#[test]
fn what_cannot_be_replayed_is_told() {
    let room = room();
    room.write("games/broken.game", "no game");
    room.write("games/notes.txt", "no game either, and no saved game by its name");
    let text = std::fs::read_to_string(room.path("games/a.game")).expect("a saved game");
    room.write("games/other.game", text.replace("Two Rivers", "Three Rivers"));
    let run = replay(&room, &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("games/broken.game this is not a saved game: "), "{}", run.out);
    assert!(run.out.contains("games/other.game "), "{}", run.out);
    assert!(run.out.ends_with("3 go through, 0 part, 2 cannot be replayed\n"), "{}", run.out);
    // Rules with errors are told as such.
    room.write("two-rivers/3-more.blazon", "rule more: number = les\n");
    let run = replay(&room, &[]);
    assert!(run.code == 1 && run.err.contains("names::unknown"), "{}{}", run.out, run.err);
    for (args, code, words) in [
        (&["replay", "two-rivers"] as &[&str], 1, "there is no saved game (*.game) in `two-rivers`"),
        (&["replay", "games", "--log"], 2, "--log and --save are for one saved game"),
        (&["replay", "games/a.game", "--json"], 2, "--json and --was are for a folder of saved games"),
        (&["replay", "nowhere"], 3, "nowhere"),
    ] {
        let run = room.run(args, "");
        assert!(run.code == code && run.err.contains(words), "{args:?}: {} {}", run.code, run.err);
    }
}

/// The repository's rules.
fn repository() -> String {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules/richard-iii");
    game.canonicalize().expect("the game is there").display().to_string()
}

/// Plays a game by chance to its end and saves it.
fn play(room: &Room, seed: u64, file: &str) {
    let mut rules = Loader::new().find(&repository()).expect("the game is there");
    let program = rules.program(&Selection::default()).expect("it compiles");
    let mut game = Game::new(program).expect("a start");
    game.begin(seed).expect("it begins");
    let mut bot = Random::new(seed, Pick::ByName);
    while let Some(player) = game.decider() {
        game.choose_by(player, &mut bot).expect("an open option");
    }
    room.write(file, game.save().expect("a text"));
}

#[test]
fn twenty_games_part_each_as_it_does_alone() {
    let room = Room::empty();
    let files: Vec<String> = (1..=20).map(|seed| format!("games/{seed:02}.game")).collect();
    files.iter().zip(1..).for_each(|(file, seed)| play(&room, seed, file));
    let rules = repository();
    for variant in ["devonshire", "hard-winter"] {
        let args = ["replay", "games", "--game", &rules, "-V", variant, "--json"];
        let told: Value = serde_json::from_str(&room.run(&args, "").out).expect("JSON");
        let groups = told["groups"].as_array().expect("a list");
        let mut parted = std::collections::BTreeMap::new();
        for group in groups {
            let place = group["blame"]["first"]["place"].as_str().unwrap_or_default();
            assert!(place.contains(&format!("/variants/{variant}/")), "{group}");
            for game in group["games"].as_array().expect("a list") {
                parted.insert(game["file"].as_str().unwrap_or_default(), game["choice"].clone());
            }
        }
        assert!(!parted.is_empty(), "{variant}");
        assert_eq!((&told["parted"], &told["through"]), (&parted.len().into(), &(20 - parted.len()).into()));
        for file in &files {
            let alone = room.run(&["replay", file, "--game", &rules, "-V", variant], "");
            assert_eq!(alone.code, i32::from(parted.contains_key(file.as_str())), "{file}: {}", alone.out);
            if let Some(choice) = parted.get(file.as_str()) {
                assert!(alone.out.contains(&format!("choice {choice} of the log")), "{}", alone.out);
            }
        }
    }
}

#[test]
fn a_ruling_that_a_variant_settles_is_to_blame() {
    let room = crate::common::sun();
    for more in [&["-V", "other"][..], &["-V", "quiet", "-R", "sun=no"]] {
        let mut args = vec!["replay", "games", "--game", "sun"];
        args.extend(more);
        let run = room.run(&args, "");
        assert_eq!(run.code, 1, "{}{}", run.out, run.err);
        let told = "1 game comes out otherwise by the ruling sun = no, which was yes\n  \
                    games/a.game all 2 choices can be made, but Bob wins, not Ann\n\n\
                    0 go through, 0 part, 1 comes out otherwise\n";
        assert!(run.out.ends_with(told), "{}", run.out);
    }
    // What is saved tells of the rulings that it was replayed by.
    let run = room.run(&["replay", "games/a.game", "--game", "sun", "-V", "other", "--save", "b.game"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.ends_with("all 2 choices can be made, but Bob wins, not Ann\n"), "{}", run.out);
    assert!(run.err.contains("played by sun = yes, and replayed by sun = no"), "{}", run.err);
    let saved = std::fs::read_to_string(room.path("b.game")).expect("a saved game");
    assert!(saved.contains("rulings: [(\"sun\", \"no\")]"), "{saved}");
}

/// All choices can be made and another wins: that is no game that goes through.
#[test]
fn games_that_come_out_otherwise_are_told_by_what_is_to_blame() {
    let room = crate::common::sun();
    crate::common::for_bob(&room);
    let checked = room.run(&["check", "sun", "-V", "bob"], "");
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let run = room.run(&["replay", "games", "--game", "sun", "-V", "bob"], "");
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    let told = "1 game comes out otherwise by bob/a.blazon:2  replace rule lucky: player = Bob @X.1\n    \
                + replace rule lucky: player = Bob @X.1\n  \
                games/a.game all 2 choices can be made, but Bob wins, not Ann\n\n";
    assert!(run.out.contains(told), "{}", run.out);
    let run = room.run(&["replay", "games", "--game", "sun", "-V", "bob", "--json"], "");
    let told: Value = serde_json::from_str(&run.out).expect("JSON");
    let counts = ["through", "parted", "otherwise"].map(|key| told[key].as_u64());
    assert_eq!(counts, [Some(0), Some(0), Some(1)]);
    assert_eq!(told["groups_otherwise"][0]["games"][0]["file"], "games/a.game");
    let run = room.run(&["replay", "games/a.game", "--game", "sun", "-V", "bob"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.ends_with("all 2 choices can be made, but Bob wins, not Ann\n"), "{}", run.out);
    let run = room.run(&["replay", "games/a.game", "--game", "sun", "-V", "quiet"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}
