//! `blazon new`: what is written is sound, and what is there already stays.

use crate::common::Room;

/// Checks a folder without a warning, and how it is laid out, and runs its tests.
fn sound(room: &Room, path: &str) {
    let run = room.run(&["check", path, "-D", "warnings"], "");
    assert_eq!(run.code, 0, "{path}: {}{}", run.out, run.err);
    let run = room.run(&["format", "--check", path], "");
    assert_eq!(run.code, 0, "{path}: {}{}", run.out, run.err);
    let run = room.run(&["test", path], "");
    assert_eq!(run.code, 0, "{path}: {}{}", run.out, run.err);
    assert!(run.out.ends_with("1 passed, 0 failed\n"), "{path}: {}", run.out);
}

#[test]
fn a_new_variant_is_sound() {
    let room = Room::new();
    for (name, slug) in [
        ("Deep Snow", "deep-snow"),
        ("Where If And", "where-if-and"),
        ("The King's  Road!", "the-kings-road"),
        ("Übermut", "übermut"),
        ("雪", "雪"),
        ("1471", "1471"),
    ] {
        let run = room.run(&["new", "variant", name, "--of", "two-rivers"], "");
        assert_eq!(run.code, 0, "{name}: {}{}", run.out, run.err);
        let path = format!("two-rivers/variants/{slug}");
        assert!(run.out.contains(&format!("wrote {path}/blazon.ron")), "{}", run.out);
        assert!(run.out.contains("blazon play "), "{}", run.out);
        sound(&room, &path);
        let run = room.run(&["play", &path, "--players", "random", "--seed", "1"], "");
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        assert!(run.out.contains("This is "), "{}", run.out);
    }
    // All of them together, for none takes a name that another needs.
    let stack = ["check", "two-rivers", "-V", "deep-snow", "-V", "where-if-and"];
    assert_eq!(room.run(&stack, "").code, 0);
}

#[test]
fn a_new_variant_of_the_game_in_the_program_lies_here() {
    let room = Room::empty();
    let run = room.run(&["new", "variant", "Deep Snow"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    sound(&room, "deep-snow");
    let games = room.run(&["new", "variant", "Deep Snow", "--of", "nowhere"], "");
    assert_eq!(games.code, 2);
}

#[test]
fn a_new_game_is_sound() {
    let room = Room::empty();
    for (name, slug) in [("Two Hills", "two-hills"), ("Krieg & Frieden", "krieg-frieden")] {
        let run = room.run(&["new", "game", name], "");
        assert_eq!(run.code, 0, "{name}: {}{}", run.out, run.err);
        sound(&room, slug);
        let run = room.run(&["play", slug, "--players", "random", "--seed", "1"], "");
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    }
    // A variant of it, asked for from inside.
    let run = room.run(&["new", "variant", "Fog", "--of", "two-hills"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    sound(&room, "two-hills/variants/fog");
}

#[test]
fn what_is_there_stays() {
    let room = Room::new();
    room.write("two-hills", "a file of mine");
    for args in [
        &["new", "game", "Two Hills"] as &[&str],
        &["new", "game", "Two Rivers!"],
        &["new", "variant", "Floods", "--of", "two-rivers"],
        &["new", "variant", "FLOODS!", "--of", "two-rivers"],
        &["new", "variant", "", "--of", "two-rivers"],
        &["new", "variant", "a/b", "--of", "two-rivers"],
        &["new", "game", ".."],
        &["new", "game", "a \"b\""],
        &["new", "game", "{x}"],
        &["new", "castle", "x"],
        &["new"],
    ] {
        let run = room.run(args, "");
        assert_eq!(run.code, 2, "{args:?}: {}{}", run.out, run.err);
        assert!(!run.err.is_empty() && run.out.is_empty(), "{args:?}");
    }
    assert_eq!(std::fs::read_to_string(room.path("two-hills")).expect("it is there"), "a file of mine");
    // A game with mistakes is mended first.
    room.write("two-rivers/3-slip.blazon", "rule slip: flag = nothing\n");
    let run = room.run(&["new", "variant", "Deep Snow", "--of", "two-rivers"], "");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("mend these first"), "{}", run.err);
    assert!(!room.path("two-rivers/variants/deep-snow").exists());
}
