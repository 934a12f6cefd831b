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
    assert_eq!(run.out, "");
}
