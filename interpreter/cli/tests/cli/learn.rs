//! Outlooks that are learned from games of a program against itself.

use serde_json::Value;

use crate::common::{Room, Run};

/// Runs `blazon learn` on the smallest of the games inside the program.
fn learn(room: &Room, args: &[&str]) -> Run {
    let mut all = vec!["learn", "salt-road", "--seed", "5", "-n", "160", "--players", "greedy@20"];
    all.extend(args);
    room.run(&all, "")
}

fn read(room: &Room, name: &str) -> String {
    std::fs::read_to_string(room.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A game of a page, in a folder `tiny`.
fn tiny(players: &str, page: &str) -> Room {
    let room = Room::empty();
    let manifest = format!("Game(name: \"Tiny\", player: \"side\", {players} begins: \"game\", uses: [])");
    room.write("tiny/blazon.ron", manifest);
    room.write("tiny/tiny.blazon", page);
    room
}

/// Whoever takes coins is ahead, though the game's own outlook says otherwise.
const COINS: &str = "
kind side = Red, Blue { state coins: 0..99 }
setup Start (side: coins) { Red, Blue: 5 }
rule outlook(s: side): number = 0 - s.coins
rule rich(s: side): number = s.coins
step game {
  for n in 1..20 {
    for s in sides {
      choose by s \"How many?\" {
        option take \"Take two\" { s.coins += roll(d3) }
        option leave \"Leave them\" { }
      }
    }
  }
  if Red.rich > Blue.rich { win(Red) }
  if Blue.rich > Red.rich { win(Blue) }
}
";

#[test]
fn a_page_that_is_as_if_somebody_had_written_it() {
    let room = Room::empty();
    let run = learn(&room, &["--pairs", "2", "-j", "1", "--out", "one/learned"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let page = read(&room, "one/learned/outlook.blazon");
    assert!(page.starts_with("-- Learned by `blazon learn` from 320 games of The Salt Road"), "{page}");
    assert!(page.contains("replace rule outlook(s: side): number = 0\n"), "{page}");
    assert!(page.lines().any(|line| line.starts_with("  + ") || line.starts_with("  - ")), "{page}");
    assert!(page.contains(" of 4 games"), "{page}");
    let manifest = read(&room, "one/learned/blazon.ron");
    assert!(manifest.contains("name: \"Learned\"") && manifest.contains("game: \"The Salt Road\""));

    let check = room.run(&["check", "one/learned", "-D", "warnings"], "");
    assert_eq!(check.code, 0, "{}{page}", check.err);
    let format = room.run(&["format", "--check", "one/learned"], "");
    assert_eq!(format.code, 0, "{}{page}", format.out);
    let played =
        room.run(&["simulate", "-V", "one/learned", "--players", "greedy@20", "-n", "2", "--seed", "1"], "");
    assert_eq!(played.code, 0, "{}", played.err);

    // The same seed learns the same, on any number of threads.
    let run = learn(&room, &["--pairs", "2", "-j", "2", "--out", "two/learned"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for file in ["outlook.blazon", "blazon.ron"] {
        assert_eq!(read(&room, &format!("one/learned/{file}")), read(&room, &format!("two/learned/{file}")));
    }
}

#[test]
fn an_object_for_programs() {
    let room = Room::empty();
    let run = learn(&room, &["--rounds", "1", "--pairs", "2", "--clauses", "3", "--json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let told: Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!((&told["schema"], &told["seed"], &told["games"]), (&1.into(), &5.into(), &160.into()));
    let clauses = told["clauses"].as_array().expect("there are clauses");
    assert!((1..=3).contains(&clauses.len()), "{clauses:?}");
    assert!(told["telling"].as_u64() < told["candidates"].as_u64());
    assert_eq!(told["duels"].as_array().map(Vec::len), Some(2));
    assert!(told["duels"][1]["against"] == "random" && told["duels"][1]["games"] == 4, "{}", told["duels"]);
}

#[test]
fn only_what_was_learned_is_overwritten() {
    let room = Room::empty();
    room.write("mine/outlook.blazon", "rule outlook(s: side): number = 1\n");
    room.write("other/notes.txt", "mine");
    for folder in ["mine", "other"] {
        let run = learn(&room, &["--out", folder]);
        assert_eq!(run.code, 2, "{}", run.out);
        assert!(run.err.contains("name another folder"), "{}", run.err);
    }
    assert_eq!(read(&room, "mine/outlook.blazon"), "rule outlook(s: side): number = 1\n");
    let args = ["--rounds", "1", "--pairs", "0", "--out", "old"];
    assert_eq!(learn(&room, &args).code, 0);
    room.write("old/blazon.ron", "Variant(name: \"My Own\", game: \"The Salt Road\")");
    let run = learn(&room, &args);
    assert_eq!(run.code, 0, "{}", run.err);
    let page = read(&room, "old/outlook.blazon");
    // What somebody has changed since is somebody's.
    let mine = page.replace(": number = 0", ": number = 1");
    room.write("old/outlook.blazon", &mine);
    let run = learn(&room, &args);
    let words = "error: `old` has an outlook that somebody has changed since it was learned (`--again` writes over it); name \
                 another folder with `--out`\n";
    assert_eq!((run.code, run.err.as_str()), (2, words), "{}", run.out);
    assert_eq!(read(&room, "old/outlook.blazon"), mine);
    assert_eq!(learn(&room, &[&args[..], &["--again"]].concat()).code, 0);
    assert_eq!(read(&room, "old/outlook.blazon"), page);
    assert!(read(&room, "old/blazon.ron").contains("My Own"), "what it is called stays");
}

#[test]
fn an_outlook_of_the_game_is_replaced() {
    let room = tiny("", COINS);
    let args = [
        "learn",
        "tiny",
        "--seed",
        "1",
        "-n",
        "200",
        "--rounds",
        "1",
        "--players",
        "greedy@20",
        "--pairs",
        "20",
        "-o",
        "tiny/variants/better",
    ];
    let run = room.run(&args, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let page = read(&room, "tiny/variants/better/outlook.blazon");
    assert!(page.contains("replace rule outlook(s: side): number = 0\n  + "), "{page}");
    assert!(page.contains("s.coins") || page.contains("s.rich"), "{page}");
    // The game's own is a mistake.
    assert!(page.contains("learned beats the game's own outlook"), "{page}");
    let check = room.run(&["check", "tiny", "-V", "better", "-D", "warnings"], "");
    assert_eq!(check.code, 0, "{}", check.err);
}

#[test]
fn what_nothing_can_be_learned_of_says_so() {
    let setup = "kind side = Red, Blue { state coins: 0..9 }\nsetup Start (side: coins) { Red, Blue: 1 }\n";
    let room = tiny(
        "",
        &format!("{setup}step game {{ Red.coins += roll(d6); if Red.coins > 4 {{ win(Red) }}; win(Blue) }}"),
    );
    let run = room.run(&["learn", "tiny", "--seed", "1"], "");
    assert_eq!((run.code, run.err.contains("nobody is ever asked")), (1, true), "{}", run.err);

    let choice =
        "step game { choose by Red \"?\" { option a \"A\" { win(Red) }; option b \"B\" { win(Blue) } } }";
    let room = tiny("players: [\"Red\"],", &format!("{setup}{choice}"));
    let run = room.run(&["learn", "tiny", "--seed", "1"], "");
    assert_eq!((run.code, run.err.contains("fewer than two players")), (1, true), "{}", run.err);

    for players in ["nobody", "greedy:outlook", "human"] {
        let run = room.run(&["learn", "tiny", "--players", players], "");
        assert_eq!(run.code, 2, "{players}: {}", run.err);
    }
    let run = room.run(&["learn", "nothing-of-that-name"], "");
    assert_eq!(run.code, 2, "{}", run.err);
}

/// What is to be typed next does what it says, wherever the folder lies.
#[test]
fn the_command_that_is_printed_works() {
    let room = tiny("", COINS);
    let args = ["learn", "tiny", "--seed", "1", "-n", "200", "--rounds", "1", "--pairs", "0", "-o"];
    for (folder, words) in [
        ("far/away/better", "blazon play tiny -V far/away/better --players 'human,greedy'"),
        ("tiny/variants/better", "blazon play -V tiny/variants/better --players 'human,greedy'"),
    ] {
        let run = room.run(&[&args[..], &[folder]].concat(), "");
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.out.lines().last().map(str::trim), Some(words), "{}", run.out);
        let words: Vec<String> = words.replace('\'', "").split(' ').skip(1).map(str::to_owned).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = room.run(&words, "");
        assert!(run.out.starts_with("Tiny 1.0.0 · Start · Better 1.0.0\n"), "{} {}", run.out, run.err);
        assert!(run.err.contains("the input ends before the game does"), "{}", run.err);
    }
}

#[test]
fn the_command_that_is_printed_has_the_program_play_all_others() {
    let page = COINS.replace("kind side = Red, Blue", "kind side = Red, Blue, Green");
    let room = tiny("", &page.replace("Red, Blue: 5", "Red, Blue, Green: 5"));
    let words = "learn tiny --seed 1 -n 200 --rounds 1 --pairs 0 -o x --players random";
    let run = room.run(&words.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.trim_end().ends_with("-V x --players 'human,greedy,greedy'"), "{}", run.out);
}

#[test]
fn what_cannot_be_written_is_said_before_a_game_is_played() {
    let room = tiny("", COINS);
    room.write("file", "mine");
    let run = room.run(&["learn", "tiny", "-n", "1000000", "-o", "file/deep"], "");
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    assert_eq!(
        run.err,
        "error: `file/deep` cannot be written: Not a directory (os error 20); name another folder with `--out`\n"
    );
    let run = room.run(&["learn", "tiny", "-n", "0"], "");
    assert!(
        run.err
            .starts_with("error: invalid value '0' for '--games <N>': write a number of games, 20 or more\n"),
        "{}",
        run.err
    );
}

const NOTHING: &str = "error: round 1 of 2: of 1 feature that the declarations give none tells in 40 games who will win, beyond \
                       what luck would do; more games may tell more (`--games`)\n";

/// A coin decides: nothing tells who wins, and it is said where that was looked for.
#[test]
fn nothing_is_found_where_a_coin_decides() {
    let toss = "  let toss = roll(d6)\n  if odd(toss) { win(Red) }\n  win(Blue)\n}\n";
    let room = tiny("", &(COINS.split("  if Red.rich").next().unwrap_or_default().to_owned() + toss));
    let run = room.run(&["learn", "tiny", "--seed", "3", "-n", "40", "--rounds", "2", "--pairs", "0"], "");
    assert_eq!((run.code, run.err.as_str()), (1, NOTHING), "{}", run.out);
}
