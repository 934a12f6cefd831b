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
    // Programs are told where they look.
    for (format, of) in [("json", "\"code\":\"files::missing\""), ("short", "error[files::missing]")] {
        let run = room.run(&["check", "-V", "alone", "--format", format], "");
        assert_eq!((run.code, run.err.as_str()), (1, ""));
        assert!(run.out.contains(of) && run.out.contains("`Two Lakes`"), "{}", run.out);
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

/// Lays a variant beside the others, with one page.
fn variant(room: &Room, folder: &str, manifest: &str, page: &str) {
    room.write(&format!("{folder}/blazon.ron"), format!("Variant(game: \"Two Rivers\", {manifest})\n"));
    room.write(&format!("{folder}/page.blazon"), page);
}

#[test]
fn a_variant_brings_those_that_it_needs() {
    let room = Room::new();
    variant(
        &room,
        "two-rivers/variants/a",
        "name: \"Deep Snow\", needs: [\"Winter\"]",
        "in rule cold { + deep: 1 }\n",
    );
    room.write("two-rivers/variants/a/tests/a.blazon", "test \"deep\" { from Spring; expect cold = 3 }\n");
    variant(
        &room,
        "two-rivers/variants/b",
        "name: \"Winter\", needs: [\"Clouds\"]",
        "rule cold: number = gray\n  + snow: 1\ninvariant frost: cold > 0\n",
    );
    variant(
        &room,
        "two-rivers/variants/c",
        "name: \"Clouds\"",
        "rule gray: number = 1\ninvariant dim: gray > 0\n",
    );
    let check = room.run(&["check", "two-rivers", "--all", "-D", "warnings"], "");
    assert_eq!(check.code, 0, "{}{}", check.out, check.err);
    let titles: Vec<&str> = check.out.lines().filter_map(|line| line.split(" 1.0.0").next()).collect();
    let of = ["Clouds + Winter + Deep Snow", "Clouds + Winter", "Clouds", "Floods"];
    let of: Vec<String> = of.map(|names| format!("Two Rivers + {names}")).to_vec();
    assert_eq!(titles[1..], of, "{}", check.out);
    for args in [
        &["test", "two-rivers"] as &[&str],
        &["test", "two-rivers/variants/a"],
        &["test", "two-rivers", "-V", "Deep Snow", "deep"],
        // Named beside it, in whatever order, each is laid once.
        &["test", "two-rivers", "-V", "Deep Snow", "-V", "Clouds", "-V", "b", "deep"],
    ] {
        let test = room.run(args, "");
        assert_eq!(test.code, 0, "{args:?}: {}{}", test.out, test.err);
        assert!(test.out.contains("passed"), "{}", test.out);
    }
    let play = room.run(&["play", "two-rivers", "-V", "a", "--players", "random", "--seed", "1"], "");
    assert!(play.out.contains("Clouds") && play.out.contains("Winter"), "{}", play.out);
    // A variant that lies elsewhere needs what is asked for beside it.
    variant(
        &room,
        "far/ice",
        "name: \"Ice\", needs: [\"Deep Snow\", \"Wind\"]",
        "in rule cold { + ice: gust }\n",
    );
    variant(&room, "far/wind", "name: \"Wind\"", "rule gust: number = 1\n");
    let both = room.run(&["check", "two-rivers", "-V", "far/ice", "-V", "far/wind"], "");
    assert_eq!(both.code, 0, "{}{}", both.out, both.err);
    let alone = room.run(&["check", "two-rivers", "-V", "far/ice"], "");
    assert_eq!(alone.code, 1, "{}", alone.out);
    assert_eq!(
        alone.err.matches("error[").count(),
        1,
        "what it lacks is not told line by line: {}",
        alone.err
    );
    assert!(alone.err.contains("`Ice` needs `Wind`, and that is not here"), "{}", alone.err);
    // Of two with the name none is chosen.
    variant(&room, "two-rivers/variants/d", "name: \"Clouds\"", "rule gray: number = 2\n");
    let unsure = room.run(&["check", "two-rivers", "-V", "Winter"], "");
    assert!(
        unsure.code == 1 && unsure.err.contains("2 variants of the game are called so"),
        "{}",
        unsure.err
    );
    let sure = room.run(&["test", "two-rivers", "-V", "Deep Snow", "-V", "d", "deep"], "");
    assert!(sure.code == 1 && sure.out.contains("cold"), "{}", sure.out);
}

#[test]
fn a_chain_of_needs_may_be_long() {
    let room = Room::new();
    for place in 0..400 {
        let manifest = format!("name: \"V{place}\", needs: [\"V{}\"]", (place + 1) % 400);
        variant(&room, &format!("two-rivers/variants/v{place}"), &manifest, "-- Nothing.\n");
    }
    let run = room.run(&["check", "two-rivers", "-V", "v7"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert_eq!(run.err.matches("error[amend::cycle]").count(), 1, "{}", run.err);
    assert!(run.err.len() < 20_000, "{} bytes", run.err.len());
}
