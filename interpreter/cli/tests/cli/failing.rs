//! Games whose rules fail and games without an end: whatever plays many of them says so, how each is played again, and
//! that it is no success.

use serde_json::Value;

use crate::common::{Room, Run};

const MANIFEST: &str =
    "Game(name: \"Coins\", version: \"1.0.0\", player: \"side\", begins: \"game\", uses: [])";

/// Three takings of a die each: who has more than LIMIT breaks the rules.
const COINS: &str = r#"-- Who has more coins in the end has won.
kind side = Red, Blue { state coins: 0..LIMIT }
setup Start (side: coins) { Red, Blue: 0 }
rule outlook(s: side): number = s.coins
step game {
  for n in 1..3 {
    for s in sides {
      choose by s "How many?" {
        option take "Takes some" { s.coins += roll(d6) }
        option leave "Leaves them" { }
      }
    }
  }
  if Red.coins > Blue.coins { win(Red) }
  if Blue.coins > Red.coins { win(Blue) }
}
"#;

const ENDLESS: &str = r#"kind side = Red, Blue { state coins: 0..9 }
setup Start (side: coins) { Red, Blue: 0 }
step game { while yes { if Red.coins = 9 { win(Red) }; choose by Red "On?" { option on "Goes on" { }; option more "Goes further" { } } } }
"#;

/// The game as it works, as it fails now and then, and one that never ends.
fn room() -> Room {
    let room = Room::empty();
    for (name, page) in [
        ("sound", COINS.replace("LIMIT", "99")),
        ("failing", COINS.replace("LIMIT", "12")),
        ("endless", ENDLESS.to_owned()),
    ] {
        room.write(&format!("{name}/blazon.ron"), MANIFEST);
        room.write(&format!("{name}/coins.blazon"), page);
    }
    room
}

fn told(room: &Room, words: &str) -> Run {
    room.run(&words.split(' ').collect::<Vec<_>>(), "")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {} {}", run.out, run.err))
}

/// What a command says on standard output and beside it, and that it is no success.
fn says(room: &Room, words: &str, out: &str, err: &str, code: i32) {
    let run = told(room, words);
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), (out, err, code), "{words}");
}

/// Plays each game again as it is printed: it fails again.
fn fails_again(room: &Room, out: &str) {
    let again: Vec<&str> = out.lines().filter_map(|line| line.trim().strip_prefix("blazon ")).collect();
    assert!(!again.is_empty(), "{out}");
    for words in again {
        let run = told(room, &words.replace('\'', ""));
        let stops =
            run.out.contains("; --most sets the limit") || run.err.contains("; --most sets the limit");
        let stands = run.err.contains("the game stands before that decision: seed ");
        assert!(run.code == 1 && stands || stops, "{words}: {} {}", run.out, run.err);
    }
}

#[test]
fn shares_are_of_the_games_that_ended_where_others_did_not() {
    let room = room();
    for (game, is_said) in [("failing", true), ("sound", false)] {
        let run = told(&room, &format!("simulate {game} -n 40 --seed 1"));
        assert_eq!(run.out.contains("of those that ended"), is_said, "{}{}", run.out, run.err);
    }
}

/// A game that failed is no half point for anybody.
#[test]
fn a_ladder_leaves_out_the_pairs_that_failed() {
    let room = room();
    let words = "ladder failing --players random,greedy -n 8 --seed 3";
    let out = r#"Coins 1.0.0 · Start, seed 3
           Elo, 95 % interval
  random               +0 ± 0
  greedy           +559 ± 500
           against   games    points       95 % interval   won as Red   won as Blue
  greedy   random       12   100.0 %   71.7 % to 100.0 %       6 of 6        6 of 6
2 of 16 games did not come to an end (2 by a fault of the rules): the 2 pairs that they are of are left out of the figures above
  pair 4, greedy as Red, random as Blue: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 14 (in game)
    blazon play failing --players 'greedy,random' --seed 7105537140435967
  pair 1, random as Red, greedy as Blue: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 13 (in game)
    blazon play failing --players 'random,greedy' --seed 407638796292049
"#;
    let err = "";
    says(&room, words, out, err, 1);
    fails_again(&room, &format!("{out}{err}"));
    let told = json(&told(&room, &format!("{words} --json")));
    let meeting = &told["meetings"][0];
    let counts = ["games", "played", "broken", "faults", "limits"].map(|key| meeting[key].as_u64());
    assert_eq!(counts, [12, 16, 2, 2, 0].map(Some));
    assert!(out.contains(told["failed"][0]["again"].as_str().expect("a command")), "{told}");
}

/// Nor is one that never ends.
#[test]
fn a_ladder_of_games_without_an_end_tells_nothing() {
    let room = room();
    let words = "ladder endless --players random,even -n 1 --seed 3";
    let out = r#"Coins 1.0.0 · Start, seed 3
           Elo, 95 % interval
  random               +0 ± 0
  even                unknown
         against   games    points   95 % interval   won as Red   won as Blue
  even   random        0   unknown                       0 of 0        0 of 0
2 of 2 games did not come to an end (2 stopped after 100,000 decisions): the pair that they are of is left out of the figures above
  pair 0, even as Red, random as Blue: not over after 100,000 decisions
    blazon play endless --players 'even,random' --seed 3486904274089342 --most 100000
  pair 0, random as Red, even as Blue: not over after 100,000 decisions
    blazon play endless --players 'random,even' --seed 3486904274089342 --most 100000
"#;
    let err = "";
    says(&room, words, out, err, 1);
    fails_again(&room, &format!("{out}{err}"));
}

/// Shares add up to all games, columns subtract, and what failed stands above all.
#[test]
fn a_comparison_tells_the_games_that_failed_apart() {
    let room = room();
    let words = "compare failing --base sound --levels random -n 128 --all --seed 3";
    let out = r#"Coins 1.0.0 · Start: what 1 changed place does, seed 3
random against random: 128 pairs of games
  11 of 128 games by the changed rules did not come to an end
                       base   changed   points   95 % at all times   lost/won
  Red                49.2 %    42.2 %     -7.0       -17.2 to +8.3        9/0
  Blue               39.8 %    38.3 %     -1.6       -8.3 to +17.2        2/0
  nobody             10.9 %    10.9 %     +0.0
  the rules failed    0.0 %     8.6 %     +8.6
  Not sure yet: first all games must come to an end: what 11 of 128 pairs might have come to hides 2 points.
  0 of 128 pairs ended otherwise, and in 11 more a game did not come to an end: how many tell 2 points cannot be said from these
  in a game                  base   changed   difference     95 %   pairs
  decisions                   6.0       6.0        +0.00   ± 0.00     117
  winner behind, % of it    14.72     14.72        +0.00   ± 0.00     103
  lead changes               0.50      0.50        +0.00   ± 0.00     117
  settled for the last, %   46.93     46.93        +0.00   ± 0.00     103
  weight of a decision       4.24      4.24        +0.00                1
  11 of 128 pairs part somewhere; the others went the same way: same choices, same winner
  first parted by                                                         pairs
  failing/coins.blazon:2   kind side = Red, Blue { state coins: 0..12 }      11
  11 games did not come to an end by the changed rules
  game 1: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 13 (in game)
    blazon play failing --players random --seed 407638796292049
  game 18: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 14 (in game)
    blazon play failing --players random --seed 3600111172943235
  game 28: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 13 (in game)
    blazon play failing --players random --seed 172052350980880
  game 45: run::range, after 6 decisions: `coins` holds 0 to 12 and cannot become 13 (in game)
    blazon play failing --players random --seed 8457590786959003
  game 56: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 16 (in game)
    blazon play failing --players random --seed 3542366149694734
  and 6 more
Sure to 95 in 100: where nothing changed it says more or less of each player in at most 5 of 100 comparisons; a change of 2 points it calls none in at most 5. Between 0 and 2 points it may say either.
"#;
    let err = "";
    says(&room, words, out, err, 1);
    fails_again(&room, &format!("{out}{err}"));
    let told = json(&told(&room, &format!("{words} --json --report out.html")));
    let level = &told["levels"][0];
    let failed = level["sides"][1]["failed"].as_array().expect("games");
    assert_eq!(level["broken"].as_u64(), level["sides"][1]["faults"].as_u64());
    assert!(out.contains(failed[0]["again"].as_str().expect("a command")), "{failed:?}");
    let report = std::fs::read_to_string(room.path("out.html")).expect("a report");
    let headline =
        report.find("of 128 games by the changed rules did not come to an end").expect("it is said");
    assert!(headline < report.find("Who wins").expect("a heading"));
    assert!(report.contains("<th scope=\"row\">the rules failed</th>"), "{report}");
}

/// The same of games that are stopped.
#[test]
fn a_comparison_of_games_without_an_end() {
    let room = room();
    let words = "compare endless --base endless --apart --levels random -n 4 --all --seed 3 --most 50";
    let out = r#"Coins 1.0.0 · Start: what nothing does, seed 3, each side on luck of its own
random against random: 4 pairs of games
  4 of 4 games by the rules as they were did not come to an end
  4 of 4 games by the changed rules did not come to an end
                         base   changed   points   95 % at all times   lost/won
  Red                   0.0 %     0.0 %     +0.0    -100.0 to +100.0        0/0
  Blue                  0.0 %     0.0 %     +0.0    -100.0 to +100.0        0/0
  stopped, too long   100.0 %   100.0 %     +0.0
  Not sure yet: first all games must come to an end: what 4 of 4 pairs might have come to hides 2 points.
  0 of 4 pairs ended otherwise, and in 4 more a game did not come to an end: how many tell 2 points cannot be said from these
  4 games did not come to an end by the rules as they were
  game 0: not over after 50 decisions
    blazon play endless --players random --seed 3486904274089342 --most 50
  game 1: not over after 50 decisions
    blazon play endless --players random --seed 407638796292049 --most 50
  game 2: not over after 50 decisions
    blazon play endless --players random --seed 7585957863206428 --most 50
  game 3: not over after 50 decisions
    blazon play endless --players random --seed 5703754341190952 --most 50
  4 games did not come to an end by the changed rules
  game 0: not over after 50 decisions
    blazon play endless --players random --seed 4713475691410858 --most 50
  game 1: not over after 50 decisions
    blazon play endless --players random --seed 7101865939851599 --most 50
  game 2: not over after 50 decisions
    blazon play endless --players random --seed 8325245818620991 --most 50
  game 3: not over after 50 decisions
    blazon play endless --players random --seed 4621057283182712 --most 50
Sure to 95 in 100: where nothing changed it says more or less in at most 5 of 100 comparisons; a change of 2 points it calls none in at most 5. Between 0 and 2 points it may say either.
"#;
    let err = "";
    says(&room, words, out, err, 1);
    fails_again(&room, &format!("{out}{err}"));
}

/// An outlook says from how many games it is, and how many told nothing.
#[test]
fn what_is_learned_is_learned_of_games_that_ended() {
    let room = room();
    let words = "learn failing --seed 3 -n 60 --rounds 1 --pairs 4 --players greedy@20";
    let out = r#"-- Learned by `blazon learn` from 55 games of Coins (Start), seed 3.
-- 5 more did not come to an end, and tell nothing.
-- Rounds of play: 1 by greedy@20.
-- In 8 games that were held out it names the winner in 64.6 % of the positions; who knows only how often
-- each seat wins, in 25.0 %. Loss 0.587 nats against 0.693.
-- The same again: blazon learn failing -n 60 --rounds 1 --players greedy@20 --clauses 8 --pairs 4 --seed 3
-- learned cannot be told from the game's own outlook: it wins 2 of 6 games and shares 2 that nobody wins: 50.0 % of the points (30 to 70 %); 2 more did not come to an end
-- learned cannot be told from random: it wins 2 of 4 games, 50.0 % (26 to 74 %); 2 more did not come to an end
-- What counts is how much more a player has than the others. Change what you know better.
-- Seal 6a3a734c82518863: while it fits, the page is as it was learned.
replace rule outlook(s: side): number = 0
  + coins: 10 * s.coins

This is written nowhere: `--out FOLDER` makes a variant of it.
"#;
    let err = r#"5 of 60 games did not come to an end, and nothing was learned from them
  game 23: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 14 (in game)
    blazon play failing --players greedy@20 --seed 4291420000505722
  game 25: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 14 (in game)
    blazon play failing --players greedy@20 --seed 4871350435309423
  game 29: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 15 (in game)
    blazon play failing --players greedy@20 --seed 6926736310676588
  game 30: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 13 (in game)
    blazon play failing --players greedy@20 --seed 3169420703505590
  game 52: run::range, after 5 decisions: `coins` holds 0 to 12 and cannot become 14 (in game)
    blazon play failing --players greedy@20 --seed 8489121241901580
"#;
    says(&room, words, out, err, 0);
    fails_again(&room, &format!("{out}{err}"));
}

/// And why there is none.
#[test]
fn nothing_is_learned_where_no_game_ends() {
    let room = room();
    let words = "learn endless --seed 3 -n 20 --rounds 1 --pairs 0";
    let out = r#""#;
    let err = r#"24 of 24 games did not come to an end, and nothing was learned from them
  game 0: not over after 20,000 decisions
    blazon play endless --players random --seed 6476149584302618 --most 20000
  game 1: not over after 20,000 decisions
    blazon play endless --players random --seed 6548713498394559 --most 20000
  game 2: not over after 20,000 decisions
    blazon play endless --players random --seed 1373697582308368 --most 20000
  game 3: not over after 20,000 decisions
    blazon play endless --players random --seed 5772336695437842 --most 20000
  game 4: not over after 20,000 decisions
    blazon play endless --players random --seed 5087414751539145 --most 20000
  and 19 more
error: none of the games came to an end: there is nothing to learn from
"#;
    says(&room, words, out, err, 1);
    fails_again(&room, &format!("{out}{err}"));
}

/// Where the work would be lost, it is not begun.
#[test]
fn what_cannot_be_written_is_said_before_a_game_is_played() {
    let room = room();
    for (words, file) in [
        ("compare failing --base sound -n 1000000000 --all --report no/x.html", "no/x.html"),
        ("ladder sound -n 1000000 -o no/x.md", "no/x.md"),
        ("simulate sound --players random -n 1000000000 -o no/x.csv", "no/x.csv"),
        ("simulate sound --players random -n 1000000000 --lcov no/x.info", "no/x.info"),
    ] {
        let err = format!("error: `{file}` cannot be written: there is no folder `no`\n");
        says(&room, words, "", &err, 3);
    }
}

#[test]
fn what_was_asked_in_vain_says_why() {
    let room = room();
    room.write("sound/tests/coins.blazon", "test \"a coin\" {\n  expect Red.coins = 0\n}\n");
    crate::common::copy(&room.path("sound"), &room.path("same"));
    for (words, code, err) in [
        (
            "test sound nosuch",
            2,
            "error: no test has `nosuch` in its name or its file's; there is 1 test (--list)\n",
        ),
        ("test sound @1.1", 2, "error: no test cites `1.1`; there is 1 test (--list)\n"),
        (
            "compare same --base sound",
            2,
            "error: nothing is changed: the rules are those of `sound` (--base), word for word\n",
        ),
        (
            "simulate sound --players random,random,random",
            2,
            "error: 3 players are named for 2 seats: `Red` and `Blue`\n",
        ),
        ("simulate sound --players Red=random,Blue=random,Red=greedy", 2, "error: two are named for Red\n"),
        (
            "format nothere",
            3,
            "error: there is no file or folder `nothere` [files::missing]\nerror: not every page was laid out\n",
        ),
        (
            "table sound",
            0,
            "the game has no rule that is printed as a table (the tables that fill its kinds are not among those)\n",
        ),
    ] {
        says(&room, words, "", err, code);
    }
}

/// An outlook that fails would be taken for an even position, and nobody would know: it is a failure of the rules.
#[test]
fn an_outlook_that_fails_is_told() {
    let room = room();
    let page = COINS.replace("LIMIT", "99").replace("= s.coins\n", "= 10 / (s.coins - 5)\n");
    room.write("blind/blazon.ron", MANIFEST);
    room.write("blind/coins.blazon", page);
    let run = told(&room, "simulate blind -n 12 --seed 1 --players random");
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    let first = "4 games did not come to an end
  game 7: run::range, after 2 decisions: a number is divided by zero or leaves ±1,000,000,000,000,000 (in outlook)
    blazon play blind --players random --seed 6498767946634617
";
    assert!(run.out.contains(first), "{}", run.out);
    fails_again(&room, &run.out);
    for words in [
        "ladder blind --players random,greedy -n 8 --seed 3",
        "compare sound --base blind --levels random -n 64 --seed 1",
    ] {
        let run = told(&room, words);
        assert!(run.code == 1 && run.out.contains("run::"), "{words}: {} {}", run.out, run.err);
        fails_again(&room, &run.out);
    }
}
