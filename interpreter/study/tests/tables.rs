//! Tables of games by two sets of rules, as whoever compares them makes them.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use blazon::{Rules, Selection};
use blazon_machine::Machine;
use blazon_machine::bots::Skill;
use blazon_program::Program;
use blazon_study::Plan;
use blazon_study::tables::{Collector, Format, Schema, Side, Table, Writer};
use serde_json::Value;

const MANIFEST: &str = r#"Game(name: "Beans", player: "side", begins: "game")"#;
const RULES: &str = r#"
kind side = North, South { state beans: 0..9 }
setup Start (side: beans) { North: 7; South: 6 }
rule outlook(s: side): number = 0 - s.beans

step game {
  for n in 1..9 { round }
}
step round {
  for s in sides { turn(s) }
}
step turn(s: side) {
  choose by s "How many beans do you throw?" {
    option throw(n in 1..3) "throws {n}"
      needs enough: n <= s.beans else "so many are not left"
    { s.beans -= n; if s.beans = 0 { win(s) } }
  } else { win(s) }
}
"#;

fn program(rules: &str) -> Arc<Program> {
    let mut rules = Rules::from_texts([("blazon.ron", MANIFEST), ("beans.blazon", rules)]);
    rules.program(&Selection::default()).expect("the rules are right")
}

/// The rows of a table of some games by each of the programs.
fn rows(programs: &[(&str, Arc<Program>)], table: Table) -> Vec<Value> {
    let plans: Vec<Plan> =
        programs.iter().map(|(_, program)| Plan::new(&program.book, 3, Skill::RANDOM)).collect();
    let sides: Vec<Side> = programs
        .iter()
        .zip(&plans)
        .map(|((_, program), plan)| Side { book: &program.book, rounds: &plan.rounds })
        .collect();
    let schema = Schema::new(&sides);
    let mut writer = Writer::new(Vec::new(), &schema, table, Format::Jsonl).expect("memory takes all");
    let mut players: Vec<(Machine, Collector)> = Vec::new();
    for ((name, program), plan) in programs.iter().zip(&plans) {
        let machine = Machine::new(program.clone()).expect("the rules begin");
        let wanted = [(table, Format::Jsonl)];
        players.push((machine, Collector::new(&schema, program, plan, Some(name), &wanted)));
    }
    for game in 0..5 {
        for ((machine, collector), plan) in players.iter_mut().zip(&plans) {
            plan.play(machine, game, collector, &AtomicUsize::new(0)).expect("it is played to its end");
            for batch in collector.take() {
                writer.add(batch).expect("memory takes all");
            }
        }
    }
    let text = String::from_utf8(writer.finish().expect("memory takes all")).expect("it is text");
    text.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect()
}

fn two() -> Vec<(&'static str, Arc<Program>)> {
    // The variant calls its rounds otherwise, and has one beside them.
    let variant = RULES.replace("round", "lap").replace("{ lap }", "{ lap; rest }");
    vec![("base", program(RULES)), ("variant", program(&(variant + "step rest { say \"all rest\" }\n")))]
}

#[test]
fn each_row_tells_its_side() {
    for table in Table::ALL {
        let rows = rows(&two(), table);
        let of = |side: &str| rows.iter().filter(|row| row["side"] == side).count();
        assert!(of("base") > 0 && of("base") + of("variant") == rows.len(), "{table}");
        let columns: Vec<&String> = rows[0].as_object().expect("an object").keys().collect();
        assert!(
            rows.iter().all(|row| row.as_object().expect("an object").keys().eq(columns.iter().copied()))
        );
    }
    let alone = rows(&two()[..1], Table::Games);
    assert!(alone.len() == 5 && alone.iter().all(|row| row.get("side").is_none()));
}

/// What only the rules of one side have is empty in the rows of the other.
#[test]
fn counts_of_both_have_columns() {
    let games = rows(&two(), Table::Games);
    for game in &games {
        let base = game["side"] == "base";
        assert_eq!(game["count_round"].is_u64(), base, "{game}");
        for of_variant in ["count_lap", "count_rest"] {
            assert_eq!(game[of_variant].is_null(), base, "{game}");
        }
        assert_eq!((&game["plays_North"], &game["outcome"]), (&"random".into(), &"won".into()));
    }
    // Both play on the same seeds.
    assert!(
        games.chunks(2).all(|pair| pair[0]["seed"] == pair[1]["seed"] && pair[0]["game"] == pair[1]["game"])
    );
}

#[test]
fn numbers_are_numbers() {
    let decisions = rows(&two()[..1], Table::Decisions);
    let mut left = 0;
    for decision in &decisions {
        let args: Value =
            serde_json::from_str(decision["args"].as_str().expect("a text")).expect("an object");
        let thrown = args["n"].as_i64().expect("a number");
        assert!((1..=3).contains(&thrown) && decision["offered"].as_u64().is_some_and(|open| open > 1));
        assert_eq!((&decision["option"], &decision["step"]), (&"throw".into(), &"turn".into()));
        // The outlook is that before the choice: North begins with seven beans.
        if decision["player"] == "North" {
            left = if decision["n"] == 1 { 7 } else { left };
            assert_eq!(decision["outlook"], -left, "{decision}");
            left -= thrown;
        }
    }
    let events = rows(&two()[..1], Table::Events);
    let forced = events.iter().filter(|event| event["forced"] == true).count();
    let chosen = events.iter().filter(|event| event["kind"] == "chosen").count();
    assert_eq!(chosen - forced, decisions.len());
    assert!(events.iter().any(|event| event["text"] == "North: throws 2" && event["asked"] == "North"));
}
