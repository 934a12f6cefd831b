//! Many games between programs.

use serde_json::Value;

use crate::common::{Room, Run};

/// Runs `blazon simulate` with a game and more.
fn simulate(room: &Room, args: &[&str]) -> Run {
    let mut all = vec!["simulate", "two-rivers", "--seed", "4"];
    all.extend(args);
    room.run(&all, "")
}

fn read(room: &Room, name: &str) -> String {
    std::fs::read_to_string(room.path(name)).expect("the rows were written")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out))
}

/// A game whose rules fail as soon as one side has won two fights.
fn failing() -> Room {
    let room = Room::new();
    let page = "two-rivers/1-things.blazon";
    let text = read(&room, page).replace("0..9", "0..1");
    room.write(page, text);
    room
}

#[test]
fn a_table_for_people() {
    let room = Room::new();
    let run = simulate(&room, &["--games", "1200"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    for words in [
        "Two Rivers: Spring (first), 1,200 games, seed 4\n",
        "95 % interval",
        "  North    random",
        "  nobody",
        "  decisions",
        "  round        5.0       5",
        "  orders      10.0      10",
        "  war @4     1,200   100.0 %",
        "games a second\n",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

#[test]
fn the_same_rows_on_any_number_of_threads() {
    let room = Room::new();
    for (threads, file) in [("1", "one.csv"), ("2", "two.csv"), ("7", "seven.csv")] {
        let run = simulate(&room, &["-n", "3000", "--threads", threads, "--out", file]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let rows = read(&room, "one.csv");
    assert_eq!(rows.lines().count(), 3001);
    assert!(rows.starts_with(
        "game,seed,outcome,winner,ended_in,paragraphs,said,decisions,count_round,count_orders,error,setup,\
         plays_North,plays_South\n0,"
    ));
    assert!(rows == read(&room, "two.csv") && rows == read(&room, "seven.csv"));
    // Fewer games are the first of more; another seed gives others.
    simulate(&room, &["-n", "10", "--out", "few.csv"]);
    assert!(rows.starts_with(&read(&room, "few.csv")));
    room.run(&["simulate", "two-rivers", "--seed", "5", "-n", "10", "--out", "other.csv"], "");
    assert!(!rows.starts_with(&read(&room, "other.csv")));
}

#[test]
fn an_object_for_programs() {
    let room = Room::new();
    let args =
        ["-n", "200", "--json", "-V", "floods", "-R", "crowds=yes", "--players", "South=even,North=random"];
    let run = simulate(&room, &args);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let told = json(&run);
    assert_eq!((&told["schema"], &told["games"], &told["over"]), (&1.into(), &200.into(), &200.into()));
    assert_eq!(told["variants"][0][0], "Floods");
    assert_eq!(told["rulings"]["crowds"], "yes");
    let won: u64 = told["players"].as_array().unwrap().iter().map(|p| p["won"].as_u64().unwrap()).sum();
    assert_eq!(won + told["nobody"].as_u64().unwrap(), 200);
    let interval = &told["players"][0]["interval"];
    assert!(interval[0].as_f64() < told["players"][0]["share"].as_f64());
    assert!(interval[1].as_f64() > told["players"][0]["share"].as_f64());
    assert_eq!(told["endings"][0]["paragraphs"][0], "4");
    assert_eq!(told["rounds"]["of"], "round");
}

#[test]
fn players_are_seated() {
    let room = Room::new();
    let told = json(&simulate(&room, &["-n", "6", "--json", "--players", "greedy,random"]));
    assert_eq!(told["players"][0]["plays"], "greedy");
    assert_eq!(told["players"][1]["plays"], "random");
    for players in ["human", "random,human", "South=random", "random,random,random", "East=random"] {
        let run = simulate(&room, &["-n", "6", "--players", players]);
        assert_eq!(run.code, 2, "{players}: {}", run.out);
    }
}

#[test]
fn games_that_fail_are_counted_and_can_be_seen_again() {
    let room = failing();
    let run = simulate(&room, &["-n", "300", "--out", "games.csv", "-R", "crowds=yes"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("did not come to an end"), "{}", run.out);
    assert!(run.out.contains("`score` holds 0 to 1 and cannot become 2"), "{}", run.out);
    let rows = read(&room, "games.csv");
    assert_eq!(rows.lines().count(), 301);
    assert!(rows.contains(",fault,") && rows.contains(",won,") && rows.contains("run::range"), "{rows}");
    let again = run.out.lines().find(|line| line.contains("blazon play")).expect("how to see it again");
    let again = again.replace('\'', "");
    let words: Vec<&str> = again.split_whitespace().skip(1).collect();
    let seen = room.run(&words, "");
    assert_eq!(seen.code, 1, "{again}: {}", seen.out);
    assert!(seen.err.contains("cannot become 2"), "{}", seen.err);
    let told = json(&simulate(&room, &["-n", "300", "--json", "-R", "crowds=yes"]));
    let failed = told["faults"].as_u64().unwrap();
    assert_eq!(failed + told["over"].as_u64().unwrap(), 300);
    assert_eq!(rows.matches(",fault,").count() as u64, failed);
}

#[test]
fn games_without_an_end_are_stopped() {
    let room = Room::new();
    let run = simulate(&room, &["-n", "9", "--most", "3", "--out", "games.csv"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("9 games did not come to an end"), "{}", run.out);
    assert!(run.out.contains("game 0: not over after 3 decisions"), "{}", run.out);
    assert!(run.out.contains("and 4 more"), "{}", run.out);
    assert_eq!(read(&room, "games.csv").matches(",limit,").count(), 9);
}

#[test]
fn paths_that_cannot_be_used() {
    let room = Room::new();
    std::fs::create_dir(room.path("folder.csv")).expect("a folder can be made");
    room.write("mine.csv", "date,price\n1,2\n");
    for (file, code, words) in [
        ("games.txt", 2, "ends in .csv"),
        ("games", 2, "ends in .csv"),
        ("no/such/folder/games.csv", 3, "cannot be written"),
        ("folder.csv", 3, "is a folder"),
        ("mine.csv", 3, "holds no rows of games"),
    ] {
        let run = simulate(&room, &["-n", "3", "--out", file]);
        assert_eq!(run.code, code, "{file}: {}", run.err);
        assert!(run.err.contains(words) && run.out.is_empty(), "{file}: {}", run.err);
    }
    assert_eq!(read(&room, "mine.csv"), "date,price\n1,2\n");
    for args in [
        &["simulate", "nowhere"] as &[&str],
        &["simulate", "two-rivers", "-n", "0"],
        &["simulate", "two-rivers", "--threads", "0"],
        &["simulate", "two-rivers", "-V", "flods"],
        &["simulate", "two-rivers", "--scenario", "Winter"],
    ] {
        assert_eq!(room.run(args, "").code, 2, "{args:?}");
    }
}

#[test]
fn rows_replace_rows() {
    let room = Room::new();
    simulate(&room, &["-n", "30", "--out", "games.csv"]);
    simulate(&room, &["-n", "3", "--out", "games.csv"]);
    assert_eq!(read(&room, "games.csv").lines().count(), 4);
}

/// A full disk is told of before anything is played, if it is full then already.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let room = Room::new();
    std::os::unix::fs::symlink("/dev/full", room.path("full.csv")).expect("a link can be made");
    let run = simulate(&room, &["-n", "3", "--out", "full.csv"]);
    assert_eq!(run.code, 3, "{}", run.out);
    assert!(run.err.contains("cannot be written: No space left"), "{}", run.err);
}

/// Coverage is written over coverage alone.
#[test]
fn nothing_else_is_written_over_by_coverage() {
    let room = Room::new();
    let run =
        |file: &str| room.run(&["simulate", "two-rivers", "-n", "2", "--seed", "1", "--lcov", file], "");
    assert_eq!((run("a.info").code, run("a.info").code), (0, 0), "its own");
    room.write("notes.txt", "keep");
    let refused = run("notes.txt");
    assert!(refused.code == 3 && refused.out.is_empty(), "{}", refused.out);
    assert!(refused.err.contains("`notes.txt` is there already and is no lcov"), "{}", refused.err);
    assert_eq!(read(&room, "notes.txt"), "keep");
}

/// Rows are whole, and are those of a run of so many games.
#[cfg(unix)]
#[test]
fn an_interruption_keeps_what_is_done() {
    let room = Room::new();
    let args = ["simulate", "two-rivers", "--seed", "4", "-n", "1000000000", "--out", "games.csv"];
    let child = room.start(&args);
    let id = child.id().to_string();
    while std::fs::metadata(room.path("games.csv.part")).map_or(0, |file| file.len()) < 100_000 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::process::Command::new("kill").args(["-INT", &id]).status().expect("it is interrupted");
    let run = Run::of(child);
    assert_eq!(run.code, 130, "{}", run.err);
    let rows = read(&room, "games.csv");
    assert!(rows.ends_with('\n'));
    let count = rows.lines().count() - 1;
    assert!(rows.lines().skip(1).enumerate().all(|(game, row)| row.starts_with(&format!("{game},"))));
    assert!(run.err.contains(&format!("{count} of 1000000000 games were played")), "{}", run.err);
    assert!(run.out.contains("95 % interval"), "{}", run.out);
    simulate(&room, &["-n", &count.to_string(), "--out", "again.csv"]);
    assert_eq!(rows, read(&room, "again.csv"));
}

/// Rows of an earlier run stay until those of the next are all there, and what a killed program had done lies beside.
#[cfg(unix)]
#[test]
fn a_kill_leaves_the_earlier_rows() {
    let room = Room::new();
    simulate(&room, &["-n", "30", "--out", "games.csv"]);
    let before = read(&room, "games.csv");
    let args = ["simulate", "two-rivers", "--seed", "4", "-n", "1000000000", "--out", "games.csv"];
    let mut child = room.start(&args);
    while std::fs::metadata(room.path("games.csv.part")).map_or(0, |file| file.len()) < 100_000 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");
    assert_eq!(read(&room, "games.csv"), before);
    let rows = read(&room, "games.csv.part");
    assert!(rows.lines().count() > 100 && rows.starts_with(before.lines().next().unwrap()));
    // The next run takes the place of what lies beside.
    simulate(&room, &["-n", "3", "--out", "games.csv"]);
    assert_eq!(read(&room, "games.csv").lines().count(), 4);
    assert!(!room.path("games.csv.part").exists());
}

/// The second interruption does not wait for the games under way.
#[cfg(unix)]
#[test]
fn a_second_interruption_stops_at_once() {
    let room = Room::new();
    let args = ["simulate", "two-rivers", "-n", "1000", "--players", "search", "--threads", "2", "--json"];
    let child = room.start(&args);
    let id = child.id().to_string();
    std::thread::sleep(std::time::Duration::from_millis(300));
    for _ in 0..2 {
        std::process::Command::new("kill").args(["-INT", &id]).status().expect("it is interrupted");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let run = Run::of(child);
    assert_eq!(run.code, 130, "{}", run.err);
    let told = json(&run);
    assert_eq!(told["interrupted"], true);
    assert!(told["games"].as_u64().unwrap() < 1000);
}

/// An interrupted ladder takes the place of no whole one, and says how much of it there is.
#[cfg(unix)]
#[test]
fn an_interrupted_ladder_is_no_ladder() {
    let room = Room::new();
    let few =
        ["ladder", "two-rivers", "--players", "random,even", "-n", "3", "--seed", "4", "-o", "ladder.md"];
    assert_eq!(room.run(&few, "").code, 0);
    let before = read(&room, "ladder.md");
    let args = ["ladder", "two-rivers", "--players", "random,search", "-n", "1000000", "--seed", "4"];
    for more in [&["-o", "ladder.md"][..], &["--json"]] {
        let child = room.start(&[&args[..], more].concat());
        std::thread::sleep(std::time::Duration::from_millis(500));
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &id]).status().expect("it is interrupted");
        let run = Run::of(child);
        assert_eq!(run.code, 130, "{}", run.err);
        if more.len() == 1 {
            let told = json(&run);
            assert_eq!((&told["interrupted"], &told["all"]), (&true.into(), &1_000_000.into()));
            assert!(told["done"].as_u64().is_some_and(|done| done < 1_000_000), "{told}");
        } else {
            assert!(run.out.contains(" of 1,000,000 pairs were played: it was interrupted"), "{}", run.out);
            assert!(run.err.contains("`ladder.md` was not written: it was interrupted"), "{}", run.err);
        }
        assert_eq!(read(&room, "ladder.md"), before);
    }
}

#[test]
fn what_games_are_like_is_told_where_the_rules_say_who_leads() {
    let room = Room::new();
    let plain = simulate(&room, &["-n", "50"]);
    assert!(!plain.out.contains("by the outlook"), "{}", plain.out);
    let page = "rule outlook(r: realm): number = 3 * r.score + count a in armies where a.realm = r\n";
    room.write("two-rivers/5-outlook.blazon", page);
    let run = simulate(&room, &["-n", "50"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    for words in ["by the outlook", "winner behind, % of it", "lead changes", "settled for the last, %"] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    let one = json(&simulate(&room, &["-n", "50", "--json", "-j", "1"]));
    let three = json(&simulate(&room, &["-n", "50", "--json", "-j", "3"]));
    for key in ["measures", "led", "by_setup", "options"] {
        assert_eq!(one[key], three[key]);
    }
    assert!(one["measures"]["lead_changes"]["mean"].is_number(), "{one}");
    let taken = one["options"].as_array().expect("options").iter().map(|option| &option["fared"]["taken"]);
    let taken: u64 = taken.filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(Some(taken as f64 / 50.0), one["lengths"][0]["mean"].as_f64());
}

#[test]
fn all_setups_in_turn() {
    let room = Room::new();
    let run = simulate(&room, &["-n", "40", "--each-setup"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let told = json(&simulate(&room, &["-n", "40", "--each-setup", "--json"]));
    let setups = told["by_setup"].as_array().expect("setups");
    let games: u64 = setups.iter().filter_map(|won| won.as_array()?.last()?.as_u64()).sum();
    assert_eq!(games, 40);
}

#[test]
fn what_is_no_seed_is_said_and_a_setup_goes_by_both_words() {
    let room = Room::new();
    for command in ["simulate", "compare", "ladder", "learn", "play", "picture"] {
        for seed in ["-1", "nine"] {
            let run = room.run(&[command, "two-rivers", "--seed", seed], "");
            let said = "a seed is a whole number from 0 to 18446744073709551615";
            assert!(run.code == 2 && run.err.contains(said), "{command}: {}", run.err);
        }
        let [one, other] = ["--scenario", "--setup"].map(|word| {
            let run = room.run(&[command, "two-rivers", word, "Nowhere"], "");
            (run.code, run.out, run.err)
        });
        assert!(one.0 != 0 && one.2.contains("Nowhere"), "{command}: {}", one.2);
        assert_eq!(one, other, "{command}");
    }
    let told = |word| room.run(&["compare", "two-rivers", "-V", "floods", word, "nobody"], "").err;
    assert!(told("-p").contains("nobody") && told("--players") == told("--levels"), "{}", told("-p"));
}

/// Games are measured by the step in which somebody decides, not by one that is done in a loop before; and where a `whenever`
/// ends them, its paragraph is told.
#[test]
fn turns_are_those_in_which_somebody_decides() {
    let room = Room::empty();
    room.write(
        "bid/blazon.ron",
        "Game(name: \"Bid\", player: \"side\", begins: \"whole\", outline: \"outline.txt\")\n",
    );
    room.write("bid/outline.txt", "1 The rules\n2 The end\n");
    room.write(
        "bid/a.blazon",
        "kind side = Red, Blue @1\nstate coins(side): 0..9\nstate over: flag\nsetup Start { }\n\
         step whole {\n  for s in sides { deal(s) }\n  for n in 1..4 { for s in sides { turn(s) } }\n}\n\
         step deal(s: side) { s.coins := 3 }\n\
         step turn(s: side) { choose by s \"?\" { option pay \"Pay\" { s.coins -= min(1, s.coins) }; option wait \"Wait\" { } }\n\
         \x20 over := Red.coins = 0 }\n\
         whenever broke: over { win(Blue) } @2\n",
    );
    let run = room.run(&["simulate", "bid", "-n", "50", "--seed", "3", "--json"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let told: Value = serde_json::from_str(&run.out).expect("an object");
    assert_eq!(told["rounds"]["of"], "turn", "{told}");
    let endings = told["endings"].as_array().expect("endings");
    let broke = endings.iter().find(|ending| ending["step"] == "whenever broke").expect("some end so");
    assert_eq!(broke["paragraphs"], serde_json::json!(["2"]), "{told}");
}
