//! Games at the terminal, with piped input, and saved games.

use std::io::{BufRead, BufReader, Read, Write};

use crate::common::{Room, Run};

#[test]
fn the_binary_alone_plays() {
    let room = Room::empty();
    let run = room.run(&["play", "--seed", "1", "--players", "random", "--most", "40"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("seed 1"), "{}", run.out);
    let run = room.run(&["rulings"], "");
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn programs_play_the_same_game_twice() {
    let room = Room::new();
    let play = || room.run(&["play", "two-rivers", "--seed", "5", "--players", "random"], "");
    let (one, two) = (play(), play());
    assert_eq!(one.code, 0, "{}", one.err);
    assert!(one.out.contains("has won") || one.out.contains("nobody has won"), "{}", one.out);
    assert_eq!(one.out, two.out);
    assert!(room.run(&["play", "two-rivers", "--players", "random"], "").out.contains(" · seed "));
}

#[test]
fn words_pick_options() {
    let room = Room::new();
    let run = room.run(&["play", "two-rivers", "--seed", "1"], "move brown hill\nrest\nrest\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("Upper\n  Mill   North: Grey\n"), "{}", run.out);
    assert!(run.out.contains("Tower  South: 1 army\n"), "{}", run.out);
    assert!(run.out.contains("Brown fights Black: "), "{}", run.out);
    assert!(run.err.contains("the input ends before the game does"), "{}", run.err);
    let wrong = room.run(&["play", "two-rivers", "--seed", "1"], "dance\n");
    assert_eq!(wrong.code, 1);
    assert!(wrong.err.contains("no option is `dance` here"), "{}", wrong.err);
}

#[test]
fn a_bot_tells_what_it_would_do() {
    let room = Room::new();
    let plain = room.run(&["play", "two-rivers", "--seed", "1"], "hint\nhint\n");
    assert_eq!(plain.code, 0, "{}", plain.err);
    let told: Vec<&str> = plain.out.lines().filter(|line| line.contains(" tries, won ")).collect();
    assert!(told.len() >= 2 && told.len().is_multiple_of(2), "{}", plain.out);
    assert_eq!(told[..told.len() / 2], told[told.len() / 2..], "the same question, the same answer");
    assert!(plain.out.contains("the rules have no `outlook`"), "{}", plain.out);
    room.write("two-rivers/5-outlook.blazon", "rule outlook(r: realm): number = 3 * r.score\n");
    let run = room.run(&["play", "two-rivers", "--seed", "1"], "hint\n");
    assert!(run.out.contains("outlook: North 0 to "), "{}", run.out);
    assert!(run.out.contains(" of 100, where 50 is as it stands"), "{}", run.out);
    // And by which clauses of it.
    room.write(
        "two-rivers/5-outlook.blazon",
        "rule outlook(r: realm): number = 1\n  + points: 3 * r.score\n",
    );
    let run = room.run(&["play", "two-rivers", "--seed", "1"], "hint\n");
    assert!(run.out.contains("        North: points +"), "{}", run.out);
}

#[test]
fn questions_are_answered() {
    let room = Room::new();
    let questions = "why grey ford\nwhy\nboard\nlook mill\nlook black\nparagraph 2\nlog\nhelp\nlist\nhand\n";
    let run = room.run(&["play", "two-rivers"], questions);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "Grey moves to Ford: Ford is crowded @2.1",
        "@2.1 Crowded places",
        "Mill place",
        "region Upper",
        "at       Grey",
        "joined   Ford",
        "you do not see its face",
        "you hold nothing",
        "undo              take",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

/// What is an option and a command is never guessed: no file is written for "Save the crew".
#[test]
fn words_that_are_an_option_and_a_command_are_asked_about() {
    let room = Room::empty();
    room.write("sea/blazon.ron", "Game(name: \"Sea\", player: \"captain\", begins: \"wreck\")\n");
    room.write(
        "sea/a.blazon",
        "kind captain = Ann\nkind crew = Cook, Mate\nsetup Start { }\nstep wreck {\n  for n in 1..3 {\n    \
         choose by Ann \"What now?\" {\n      option save(c in crews) \"Save the {c}\" { say \"{c} is saved\" }\n      \
         option look out \"Look out\" { say \"a sail\" }\n      option undo \"Undo\" { say \"undone\" }\n    }\n  }\n}\n",
    );
    let play = |lines: &str| room.run(&["play", "sea", "--seed", "1"], lines);
    let run = play("save the mate\nsave the\nlook out\nundo\nlook cook\n");
    assert_eq!(run.code, 1, "{}", run.out);
    for words in [
        "`save the mate` is a command and option 2: type `2`, or `/save the mate`",
        "`save the` is a command and the beginning of 2 options: type a number, or `/save the`",
        "`look out` is a command and option 3: type `3`, or `/look out`",
        "`undo` is a command and option 4: type `4`, or `/undo`",
    ] {
        assert!(run.err.contains(words), "{words}: {}", run.err);
    }
    assert!(run.out.contains("Cook crew") && !room.path("the mate").exists(), "{}", run.out);
    let run = play("2\n/save a.game\n/look mate\n/jump\n/help\n");
    assert!(run.out.contains("Mate is saved") && run.out.contains("Mate crew"), "{}", run.out);
    assert!(run.err.contains("there is no command `/jump`; `/help` lists them"), "{}", run.err);
    assert!(run.out.contains("/save FILE") && room.path("a.game").exists(), "{}", run.out);
}

/// Of options that read the same each says what it differs by, as far as the player may know it.
#[test]
fn options_that_read_the_same_are_told_apart() {
    let room = Room::empty();
    room.write("sea/blazon.ron", "Game(name: \"Sea\", player: \"navy\", begins: \"hunt\")\n");
    room.write(
        "sea/a.blazon",
        "kind navy = Hunters, Raiders\nkind port = Brest, Bergen\nkind ship = Atlas, Bear, Crow, Mist {\n  \
         seen by v: ship.hunter or v = Raiders\n  back: port, loose\n  fact hunter: flag\n  state port: port = Brest\n  state loose: flag = yes\n}\n\
         replace fact hunter(Mist) = yes\nsetup Start { Crow.port := Bergen; Bear.port := Bergen; Mist.loose := no }\n\
         step hunt {\n  for n in 1..3 {\n    choose by Hunters \"Hunt\" {\n      \
         option hunt(s in ships where s.loose) \"Hunt {s}\" { }\n      option wait(p in ports) \"Wait\" { }\n      \
         option rest \"Rest\" { }\n    }\n  }\n}\n",
    );
    let play = |lines: &str| room.run(&["play", "sea", "--seed", "1"], lines);
    let run = play("list\nhunt bergen\n");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let lines: Vec<&str> = run.out.lines().map(str::trim).collect();
    for line in [
        "1  Hunt a ship · Brest",
        "2  Hunt a ship · Bergen",
        "3  Wait · Brest",
        "4  Wait · Bergen",
        "5  Rest",
    ] {
        assert!(lines.contains(&line), "{line}: {}", run.out);
    }
    assert!(run.err.contains("the input ends"), "the words are taken: {}", run.err);
}

/// Whose a piece is says what is called as the players are, though it is printed: not who has looked at it.
#[test]
fn whose_a_piece_is_no_other_state_says() {
    let room = Room::empty();
    let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules/salt-road");
    crate::common::copy(&rules, &room.path("mine"));
    let sides = || -> Vec<String> {
        let out = room.run(&["play", "mine", "--seed", "1"], "board\n").out;
        out.lines().filter(|line| line.contains("Coast:")).map(str::to_owned).collect()
    };
    let before = sides();
    assert!(!before.is_empty(), "pieces are told with whose they are");
    room.write(
        "mine/spies.blazon",
        "in kind block { state spied: side? }\nbefore game turn { for b in blocks { b.spied := none } }\n",
    );
    assert_eq!(sides(), before);
}

#[test]
fn states_of_several_keys_are_shown_with_their_first() {
    let room = Room::new();
    let page = "state carts(army, bank): 0..9\n\
                in setup Spring { carts(Grey, Lower) := 3; carts(Black, Upper) := 5 }\n";
    room.write("two-rivers/3-carts.blazon", page);
    let run = room.run(&["play", "two-rivers"], "look grey\nlook brown\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("Mill   North: Grey (carts Lower 3)\n"), "{}", run.out);
    assert!(run.out.contains(" · carts Lower 3\n"), "{}", run.out);
    assert!(!run.out.contains("carts Upper"), "what the face hides stays hidden: {}", run.out);
}

#[test]
fn dice_are_not_taken_back() {
    let room = Room::new();
    let run = room.run(&["play", "two-rivers", "-R", "crowds=yes"], "move grey ford\nundo\nmove grey ford\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("taken back"), "{}", run.out);
    let run = room.run(&["play", "two-rivers", "-R", "crowds=yes"], "move brown hill\nundo\n");
    assert!(run.err.contains("nothing to take back"), "{}", run.err);
}

#[test]
fn games_are_saved_and_gone_on_with() {
    let room = Room::new();
    let run = room
        .run(&["play", "two-rivers", "-V", "floods", "--seed", "3"], "move brown hill\nsave a.game\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("blazon play two-rivers --load a.game"), "{}", run.out);
    // Variants and rulings are those of the saved game.
    let run = room.run(&["play", "two-rivers", "--load", "a.game"], "board\nsave b.game\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("Two Rivers 1.0.0 · Spring (first) · Floods 1.0.0\n"), "{}", run.out);
    assert_eq!(std::fs::read(room.path("a.game")).unwrap(), std::fs::read(room.path("b.game")).unwrap());
    let run = room.run(&["replay", "a.game", "--game", "two-rivers", "--log"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("the position is the one that was saved"), "{}", run.out);
    assert!(run.out.contains("North: move(Brown, Hill)"), "{}", run.out);
    assert!(run.out.starts_with("Two Rivers 1.0.0 · Spring (first) · Floods 1.0.0 · seed 3"), "{}", run.out);
    // Other rules are refused, and told of.
    let run = room.run(&["play", "salt-road", "--load", "a.game"], "");
    assert_eq!(run.code, 1, "{}", run.err);
    let told = "this is a saved game of `Two Rivers`, not of `The Salt Road` [save::foreign]; \
                leave the game out, or name the folder of `Two Rivers`";
    assert!(run.err.contains(told) && run.out.is_empty(), "{}", run.err);
    let run = room.run(&["play", "two-rivers", "--load", "a.game", "-R", "crowds=yes"], "");
    assert!(run.code == 1 && run.err.contains("save::foreign"), "{}", run.err);
    let run = room.run(&["replay", "a.game", "--game", "two-rivers", "-R", "crowds=yes"], "");
    assert!(run.code == 0 && run.err.contains("crowds"), "{}{}", run.out, run.err);
    assert!(run.out.contains(" · rulings: crowds = yes · seed 3"), "{}", run.out);
}

#[test]
fn a_game_of_programs_is_kept_however_it_ends() {
    let room = Room::new();
    let play = |more: &[&str]| room.run(&[&["play", "two-rivers", "--players", "random"], more].concat(), "");
    let over = play(&["--seed", "3", "--save", "over.game"]);
    assert_eq!(over.code, 0, "{}", over.err);
    assert!(over.out.ends_with("saved; play it again with: blazon replay over.game\n"), "{}", over.out);
    let again = room.run(&["replay", "over.game", "--game", "two-rivers"], "");
    assert_eq!(again.code, 0, "{}{}", again.out, again.err);

    let stopped = play(&["--seed", "3", "--most", "2", "--save", "stopped.game"]);
    assert!(
        stopped
            .out
            .ends_with("saved; go on with: blazon play two-rivers --players random --load stopped.game\n"),
        "{}",
        stopped.out
    );
    let on = ["play", "two-rivers", "--load", "stopped.game", "--players", "random", "--save", "on.game"];
    assert!(room.run(&on, "").out.contains("saved; play it again"));

    // What cannot be kept is not played, and nothing else is written over.
    for (file, why) in [
        ("two-rivers/blazon.ron", "is there already and is no saved game; take another name"),
        ("nowhere/a.game", "nowhere"),
        ("two-rivers", "is a folder"),
    ] {
        let refused = play(&["--seed", "3", "--save", file]);
        assert!(refused.code == 3 && refused.out.is_empty() && refused.err.contains(why), "{}", refused.err);
    }
    // Who leaves a game that is kept is not asked for a name.
    let left = room.run(&["play", "two-rivers", "--save", "left.game"], "1\nquit\n");
    assert!(left.out.contains("saved; go on with: blazon play two-rivers --load left.game"), "{}", left.out);
    let told = room.run(&["play", "two-rivers", "--protocol", "jsonl", "--save", "left.game"], "");
    assert!(told.code == 2 && told.err.contains("cannot be used with"), "{}", told.err);
}

/// Where the games part, what was before it takes no place of the whole.
#[test]
fn a_saved_game_is_not_written_over_by_its_beginning() {
    let room = Room::new();
    let played =
        room.run(&["play", "two-rivers", "--players", "random", "--seed", "3", "--save", "a.game"], "");
    assert_eq!(played.code, 0, "{}", played.err);
    let whole = std::fs::read(room.path("a.game")).unwrap();
    let page = std::fs::read_to_string(room.path("two-rivers/2-play.blazon")).unwrap();
    room.write(
        "two-rivers/2-play.blazon",
        page.replacen("for n in 1..5 { round }", "for n in 1..2 { round }", 1),
    );
    let parted = room.run(&["replay", "a.game", "--game", "two-rivers", "--save", "./a.game"], "");
    assert!(parted.code == 1 && parted.err.contains("`a.game` was not written over"), "{}", parted.err);
    assert_eq!(std::fs::read(room.path("a.game")).unwrap(), whole);
    let aside = room.run(&["replay", "a.game", "--game", "two-rivers", "--save", "b.game"], "");
    assert!(aside.code == 1 && aside.err.contains("saved b.game as it stands after"), "{}", aside.err);
}

/// Editors may begin a text with a mark.
#[test]
fn a_saved_game_may_begin_with_a_byte_order_mark() {
    let room = Room::new();
    room.run(&["play", "two-rivers", "--players", "random", "--seed", "3", "--save", "a.game"], "");
    let text = std::fs::read_to_string(room.path("a.game")).unwrap();
    room.write("b.game", format!("\u{feff}{text}"));
    let again = room.run(&["replay", "b.game", "--game", "two-rivers"], "");
    assert_eq!(again.code, 0, "{}", again.err);
}

/// A game that is kept is kept when the program is told to end, too.
#[cfg(unix)]
#[test]
fn a_game_is_kept_when_it_is_interrupted() {
    for (signal, players, typed) in [
        ("-INT", "human,human", "move brown hill\n"),
        ("-TERM", "human,human", "move brown hill\n"),
        ("-HUP", "human,human", "move brown hill\n"),
        ("-INT", "search@3000000", ""),
    ] {
        let room = Room::new();
        let mut child =
            room.start(&["play", "two-rivers", "--seed", "3", "--players", players, "--save", "h.game"]);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(typed.as_bytes()).unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut told = String::new();
        while !told.contains(if typed.is_empty() { "seed 3" } else { "South" }) {
            assert!(out.read_line(&mut told).unwrap() > 0, "{told}");
        }
        let id = child.id().to_string();
        std::process::Command::new("kill").args([signal, &id]).status().expect("it is interrupted");
        out.read_to_string(&mut told).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal} {players}: {told}");
        // Who plays is named, as the shell takes it.
        let players = if players.contains(',') { format!("'{players}'") } else { players.to_owned() };
        let again = format!("blazon play two-rivers --players {players} --load h.game");
        assert!(told.contains(&again), "{signal} {players}: {told}");
        let again = room.run(&["replay", "h.game", "--game", "two-rivers"], "");
        assert!(
            again.code == 0 && again.out.contains("the position is the one that was saved"),
            "{}",
            again.out
        );
        drop(stdin);
    }
}

/// A save names no folder: of copies of a game it is the one with its text, and none if that is changed in all.
#[cfg(unix)]
#[test]
fn of_several_games_of_one_name_the_saved_text_says_which() {
    let room = Room::new();
    let played = ["play", "two-rivers", "--players", "random", "--seed", "3", "--save", "a.game"];
    assert_eq!(room.run(&played, "").code, 0);
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .args([room.path("two-rivers"), room.path("another")])
        .status();
    assert!(copied.expect("a copy").success());
    room.write("another/more.blazon", "rule more: number = 1\n");
    let run = room.run(&["replay", "a.game"], "");
    assert!(run.code == 0 && run.out.contains("the position is the one that was saved"), "{}", run.err);
    room.write("two-rivers/more.blazon", "rule more: number = 2\n");
    let told = "games called `Two Rivers` lie in `another` and `two-rivers`, and none has the text that it was saved with; \
                name its folder";
    for command in
        [&["replay", "a.game"] as &[&str], &["trace", "a.game", "1 + 1"], &["play", "--load", "a.game"]]
    {
        let run = room.run(command, "");
        assert!(run.code == 2 && run.err.contains(told), "{command:?}: {}{}", run.out, run.err);
    }
    let run = room.run(&["trace", "a.game", "1 + 1", "--game", "two-rivers"], "");
    assert!(run.err.contains("has changed since it was saved"), "{}{}", run.out, run.err);
}

/// Somebody's own copy of a game that is inside the program has the saved text, and the game in the program has not.
#[test]
fn a_copy_of_a_game_in_the_program_goes_on_with_its_own_saves() {
    let room = Room::empty();
    let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules/salt-road");
    crate::common::copy(&rules, &room.path("mine"));
    room.write("mine/more.blazon", "before game turn { say \"mine\" }\n");
    let played = ["play", "mine", "--players", "random", "--seed", "5", "--save", "a.game"];
    assert_eq!(room.run(&played, "").code, 0);
    let run = room.run(&["replay", "a.game"], "");
    assert!(run.out.contains("the position is the one that was saved"), "{}{}", run.out, run.err);
    let run = room.run(&["trace", "a.game", "1 + 1"], "");
    assert!(!run.err.contains("has changed"), "{}{}", run.out, run.err);
    let run = room.run(&["play", "--load", "a.game"], "");
    assert!(run.code == 0 && run.out.contains("The Salt Road"), "{}{}", run.out, run.err);
    // Where no copy has it, it is the game in the program, and what is otherwise is said.
    std::fs::remove_dir_all(room.path("mine")).expect("it can be removed");
    let run = room.run(&["replay", "a.game"], "");
    assert!(run.err.contains("has changed since it was saved"), "{}{}", run.out, run.err);
}

/// Who knows the seed knows the dice to come.
#[test]
fn a_seed_that_nobody_named_is_not_told_at_the_beginning() {
    let room = Room::new();
    let run = room.run(&["play", "two-rivers", "--players", "human,random"], "");
    assert!(!run.out.lines().next().unwrap().contains("seed"), "{}", run.out);
}

#[cfg(unix)]
#[test]
fn a_save_with_a_variant_that_lies_elsewhere_says_how_to_go_on() {
    let room = Room::new();
    room.write("mine/droughts/blazon.ron", "Variant(name: \"Droughts\", game: \"Two Rivers\")");
    room.write("mine/droughts/droughts.blazon", "in rule may enter { needs dry: yes }\n");
    let asked = ["play", "two-rivers", "-V", "floods", "-V", "mine/droughts", "--seed", "3"];
    let run = room.run(&asked, "move brown hill\nsave a.game\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let again = "blazon play two-rivers -V floods -V mine/droughts --load a.game";
    assert!(run.out.contains(again), "{}", run.out);
    let run = room.run(&["play", "two-rivers", "--load", "a.game"], "");
    let told = "saved with the variant `Droughts`, which does not lie with the game; name its folder";
    assert!(run.code != 0 && run.err.contains(told), "{}", run.err);
    let words: Vec<&str> = again.split(' ').skip(1).collect();
    let run = room.run(&words, "board\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_pipe_is_no_saved_game() {
    let room = Room::new();
    let made = std::process::Command::new("mkfifo").arg(room.path("a.game")).status();
    assert!(made.expect("a pipe can be made").success());
    let run = room.run(&["play", "two-rivers", "--load", "a.game"], "");
    assert!(run.code != 0 && run.err.contains("`a.game` is no file on a disk"), "{}", run.err);
}

#[test]
fn a_save_of_another_text_is_told_and_replayed() {
    let room = Room::new();
    room.run(&["play", "two-rivers"], "move brown hill\nsave a.game\nquit\n");
    let page = std::fs::read_to_string(room.path("two-rivers/2-play.blazon")).expect("the page");
    let spelled = page.replace("is tired\"", "is weary\"").replace("-- A war of", "-- The war of");
    room.write("two-rivers/2-play.blazon", &spelled);
    let run = room.run(&["play", "two-rivers", "--load", "a.game"], "");
    assert_eq!(run.code, 0, "a spelling does not count: {}", run.err);
    room.write("two-rivers/2-play.blazon", spelled.replace("1..5", "1..6"));
    let changed = "the text of the rules has changed since it was saved: \
                   step `war` in 2-play.blazon (line 14) is new or changed";
    let run = room.run(&["play", "two-rivers", "--load", "a.game"], "");
    let told = format!(
        "error: {changed} [save::foreign]; try: blazon replay a.game --game two-rivers --save NEW-FILE\n"
    );
    assert_eq!((run.code, run.err), (1, told));
    let run = room.run(&["replay", "a.game", "--game", "two-rivers", "--save", "b.game"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.starts_with(&format!("other rules than the saved game's: {changed}\n")), "{}", run.err);
    assert!(run.out.contains("can be made by these rules, too"), "{}", run.out);
    let run = room.run(&["play", "two-rivers", "--load", "b.game"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    // What was asked for is asked for again.
    let run = room.run(&["play", "two-rivers", "-V", "floods", "--load", "b.game"], "");
    let told = "try: blazon replay b.game --game two-rivers -V floods --save NEW-FILE";
    assert!(run.code == 1 && run.err.contains(told), "{}", run.err);
}

#[test]
fn damaged_games_are_refused() {
    let room = Room::new();
    room.run(&["play", "two-rivers"], "save a.game\n");
    let text = std::fs::read_to_string(room.path("a.game")).expect("it was saved");
    room.write("cut.game", &text[..text.len() / 2]);
    room.write("changed.game", text.replace("Spring", "Autumn"));
    room.write("bytes.game", b"\xff\xff");
    for file in ["cut.game", "changed.game", "bytes.game", "none.game", "two-rivers"] {
        for args in
            [&["play", "two-rivers", "--load", file] as &[&str], &["replay", file, "--game", "two-rivers"]]
        {
            let run = room.run(args, "");
            assert!(run.code == 1 || run.code == 3, "{args:?}: {}", run.code);
            assert!(run.err.starts_with("error: "), "{args:?}: {}", run.err);
        }
    }
    // Nothing but a saved game is overwritten.
    let run = room.run(&["play", "two-rivers"], "save two-rivers/blazon.ron\n");
    assert_eq!(run.code, 1);
    assert!(std::fs::read_to_string(room.path("two-rivers/blazon.ron")).unwrap().starts_with("Game("));
}

#[test]
fn a_person_against_a_program() {
    let room = Room::new();
    let run =
        room.run(&["play", "two-rivers", "--seed", "2", "--players", "South=random"], "rest\nrest\nresign\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("North resigns: South has won"), "{}", run.out);
    assert!(!run.out.contains("South: Where to?"), "{}", run.out);
}

#[test]
fn a_closed_pipe_is_quiet() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_blazon"))
        .arg("explain")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn files_are_written_whether_or_not_somebody_reads_beside_them() {
    let room = Room::new();
    let compare = "compare two-rivers --seed 4 --levels random -V floods -n 64 --all --report out.html";
    let ladder = "ladder two-rivers --seed 4 -p random,even -n 8 -o ladder.md";
    // What is remembered counts once for each thread.
    let simulate = "simulate two-rivers --seed 4 -n 8 -j 1 --coverage --lcov out.lcov";
    let play = "play two-rivers --seed 4 --players random --save a.game";
    let all = [(compare, "out.html"), (ladder, "ladder.md"), (simulate, "out.lcov"), (play, "a.game")];
    for (command, file) in all {
        let args: Vec<&str> = command.split(' ').collect();
        let mut child = room.start(&args);
        drop(child.stdout.take());
        let run = Run::of(child);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{command}");
        let unread = std::fs::read(room.path(file)).unwrap_or_else(|error| panic!("{command}: {error}"));
        std::fs::remove_file(room.path(file)).expect("a file");
        let read = room.run(&args, "");
        assert_eq!(read.code, 0, "{command}: {}", read.err);
        assert_eq!(unread, std::fs::read(room.path(file)).expect("a file"), "{command}");
    }
    // Nor is it hidden that something fails.
    room.write("two-rivers/tests/more.blazon", "test \"no\" { from Spring; expect 1 = 2 }\n");
    let mut child = room.start(&["test", "two-rivers"]);
    drop(child.stdout.take());
    assert_eq!(Run::of(child).code, 1);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_told_is_said_and_the_rest_is_done() {
    let room = Room::new();
    let mut args: Vec<&str> =
        "compare two-rivers --seed 4 --levels random -V floods -n 64 --all".split(' ').collect();
    args.extend(["--report", "out.html"]);
    let full = std::fs::File::create("/dev/full").expect("a device that is always full");
    let run = room.run_into(full, &args);
    assert_eq!(run.code, 3);
    assert_eq!(run.err.matches("error: standard output cannot be written: ").count(), 1, "{}", run.err);
    assert!(room.path("out.html").exists());
}

#[test]
fn hexes_are_drawn_where_they_lie() {
    let room = Room::with("long-march");
    let run = room.run(&["play", "long-march", "--seed", "1"], "map\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let start = run.out.find("    01  02  03  04  05\n").unwrap_or_else(|| panic!("{}", run.out));
    let map: Vec<&str> = run.out[start..].lines().take(12).collect();
    assert_eq!(
        map,
        [
            "    01  02  03  04  05",
            "  1 Rea     .       .",
            "        .       .",
            "  2 .       s       .",
            "        f   Cam s",
            "  3 VM      s       .",
            "    Ald BG      .",
            "  4 .   Bro .       .",
            "        .       BH",
            "  5 .       f       f",
            "",
            "  . Plain  f Forest  s Sea"
        ]
    );
    // A part of it, around a place, a number, or a piece.
    for words in ["map camber", "map 0404", "map blue horse"] {
        let run = room.run(&["play", "long-march"], format!("{words}\n"));
        assert!(run.out.contains("Cam"), "{words}: {}", run.out);
    }
    let run = room.run(&["play", "long-march"], "map nowhere\n");
    assert!(run.out.contains("nothing of that name is on the map"), "{}", run.out);
    let run = Room::new().run(&["play", "two-rivers"], "map\n");
    assert!(run.out.contains("this game has no map of hexes"), "{}", run.out);
}

/// A game whose players have gold, a vote and a place; nobody can be told from the others by what is not shown.
const PURSES: &str = "kind side = Red, Blue, Green\nkind town = Mill, Ford\n\
    state gold(side): 0..20 = 5\nstate debt(side): 0..9\nstate home(side): town? = Mill\nstate late(side): flag\n\
    setup Start { }\n\
    step g { for n in 1..2 { for s in sides { choose by s \"Turn {n}\" {\n\
      option earn \"Earn\" { s.gold += 1 }\n  option pack \"Pack\" { s.home := Ford; s.late := yes }\n\
    } } }; win(Red) }\n";

#[test]
fn a_number_that_is_kept_of_every_player_is_shown_of_all() {
    let room = Room::empty();
    room.write("purses/blazon.ron", "Game(name: \"Purses\", player: \"side\", begins: \"g\")");
    room.write("purses/1.blazon", PURSES);
    let run = room.run(&["play", "purses", "--seed", "1"], "board\nearn\nboard\npack\nboard\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    // Where nobody owes anything and all are where they began, nothing is said of it.
    for line in ["Red  gold 5", "Red  gold 6", "Blue  gold 5", "Green  gold 5"] {
        assert!(run.out.lines().any(|other| other.trim_end() == line), "{line}: {}", run.out);
    }
    for line in ["Red  gold 6, home Mill", "Blue  gold 5, home Ford, late", "Green  gold 5, home Mill"] {
        assert!(run.out.lines().any(|other| other.trim_end() == line), "{line}: {}", run.out);
    }
    assert!(!run.out.contains("debt"), "{}", run.out);
}

/// Pieces that face somewhere wherever they are, and cards that are laid aside.
const ASIDE: &str = "kind side = Red, Blue\nkind way = N, E\nkind fate = Fit, Caught\nkind area = Mill, Ford\n\
    kind road = area - area\nlinks road\n  Mill - Ford\n\
    kind unit = First, Second, Third {\n  fact army: side = Red\n  state side: side = unit.army\n  state at: area?\n\
      state way: way = N\n  state fate: fate = Fit\n}\n\
    kind card = Sun, Moon {\n  state hand: side?\n  state spent: flag\n  seen by v: v = card.hand or card.spent\n  back: hand, spent\n}\n\
    setup Start (unit: at) { First, Second: Mill; others: none }\n\
    step g { for n in 1..3 { choose by Red \"x\" {\n\
      option lose \"Lose\" { First.at := none; First.fate := Caught }\n\
      option spend \"Spend\" { announce \"{Sun}\"; Sun.spent := yes }\n\
    } }; win(Red) }\n";

#[test]
fn what_stands_nowhere_is_called_by_what_becomes_of_it() {
    let room = Room::empty();
    room.write("aside/blazon.ron", "Game(name: \"Aside\", player: \"side\", begins: \"g\")");
    room.write("aside/1.blazon", ASIDE);
    let run = room.run(&["play", "aside", "--seed", "1"], "lose\nspend\nboard\nquit\n");
    assert_eq!(run.code, 0, "{} {}", run.err, run.out);
    let has = |line: &str| run.out.lines().any(|other| other.trim() == line);
    assert!(has("Fit     Red: Third") && has("Caught  Red: First"), "{}", run.out);
    assert!(has("cards, spent  Sun"), "{}", run.out);
}

const LOOK_ALIKES: &str = r#"
kind side = Red, Blue
kind card { state hand: side?; seen by v: v = card.hand; back: hand }
table card
  | name | copies |
  | Mist | 4      |
setup Start { }
step g {
  for h in sides { let d = draw(all c in cards where not any c.hand, 1); for c in d { c.hand := h } }
  choose by Red "Well?" { option a "A" { win(Red) }; option b "B" { win(Blue) } }
}
"#;

#[test]
fn of_what_looks_alike_it_is_counted_what_is_seen() {
    let room = Room::new();
    room.write("mist/blazon.ron", "Game(name: \"Mist\", player: \"side\", begins: \"g\")");
    room.write("mist/1.blazon", LOOK_ALIKES);
    for seed in ["1", "2", "3"] {
        let run = room.run(&["play", "mist", "--seed", seed], "look mist\nquit\n");
        assert!(run.out.contains("1 of 4: hand Red"), "{}{}", run.out, run.err);
        assert!(run.out.contains("3 of 4: you do not see their faces"), "{}", run.out);
    }
}

#[test]
fn help_of_a_command_is_its_help() {
    let room = Room::new();
    let asked = room.run(&["help", "check"], "");
    assert_eq!((asked.code, asked.out), (0, room.run(&["check", "--help"], "").out));
}

/// What another has saved is not lost for a slip of the fingers.
#[test]
fn another_game_is_not_written_over() {
    let room = Room::new();
    let play = |seed: &str, typed: &str| room.run(&["play", "two-rivers", "--seed", seed], typed);
    assert_eq!(play("1", "move brown hill\nsave a.game\nquit\n").code, 0);
    let kept = std::fs::read_to_string(room.path("a.game")).expect("a game");
    let run = play("2", "save a.game\nquit\n");
    assert!(run.err.contains("`a.game` holds another game; take another name"), "{}{}", run.out, run.err);
    assert_eq!(std::fs::read_to_string(room.path("a.game")).expect("a game"), kept);
    // The same game, earlier or later, is the one that is meant.
    let run = play("1", "save a.game\nquit\n");
    assert!(run.out.contains("saved; go on with"), "{}{}", run.out, run.err);
    assert_ne!(std::fs::read_to_string(room.path("a.game")).expect("a game"), kept);
}
