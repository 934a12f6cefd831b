//! Which game is meant where none is named.

use crate::common::Room;

const FLOODS: &str = "two-rivers/variants/floods";

#[test]
fn the_path_of_a_variant_names_its_game() {
    let room = Room::new();
    let check = room.run(&["check", "-V", FLOODS], "");
    assert_eq!(check.code, 0, "{}", check.err);
    assert!(check.out.contains("Two Rivers + Floods 1.0.0"), "{}", check.out);
    let named = room.run(&["print", "two-rivers", "-V", "floods", "--changes"], "");
    assert_eq!(room.run(&["print", "-V", FLOODS, "--changes"], "").out, named.out);
    let named = room.run(&["test", "two-rivers", "-V", "floods"], "");
    let test = room.run(&["test", "-V", FLOODS], "");
    let closing = |out: &str| out.lines().last().unwrap_or_default().to_owned();
    assert_eq!((test.code, closing(&test.out)), (named.code, closing(&named.out)));
    let play = room.run(&["play", "-V", FLOODS, "--players", "random", "--seed", "1"], "");
    assert_eq!(play.code, 0, "{}", play.err);
    assert!(play.out.contains("Two Rivers"), "{}", play.out);
    let simulate = room.run(&["simulate", "-V", FLOODS, "--games", "2", "--seed", "1"], "");
    assert!(simulate.code == 0 && simulate.out.contains("Two Rivers + Floods"), "{}", simulate.out);
    let rulings = room.run(&["rulings", "-V", FLOODS], "");
    assert!(rulings.out.starts_with("crowds ="), "{}", rulings.out);
}

#[test]
fn a_variant_outside_its_game_is_told_that_its_game_is_missing() {
    let room = Room::new();
    room.write("alone/blazon.ron", "Variant(name: \"Alone\", game: \"Two Lakes\")");
    for args in [&["check", "-V", "alone"] as &[&str], &["play", "-V", "alone"], &["print", "-V", "alone"]] {
        let run = room.run(args, "");
        assert_eq!(run.code, 1, "{args:?}: {}", run.err);
        assert!(run.err.contains("the game `Two Lakes` of this variant was not found"), "{}", run.err);
    }
    // A name is looked for in a game, and there is none around.
    let run = room.run(&["check", "-V", "floods"], "");
    assert!(run.code != 0 && run.err.contains("there is no blazon.ron"), "{}", run.err);
}

#[test]
fn a_variant_that_is_named_by_its_path_twice_is_one() {
    let room = Room::new();
    let run = room.run(&["check", FLOODS, "-V", FLOODS], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("Two Rivers + Floods 1.0.0"), "{}", run.out);
}
