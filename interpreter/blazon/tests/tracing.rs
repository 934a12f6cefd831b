//! Why a rule's value is what it is: clauses, parts, what was asked, questions of all sorts, and what is wrong with one.

mod common;

use blazon::trace::{Held, Reads, Sort, Traced};
use blazon::{Game, Selection};
use common::{RULES, rules};

/// Rules of all sorts beside the small game.
const MORE: &str = r#"
rule left(s: side, n: 0..9): number = s.beans
  except bare: 0 if n > s.beans
  except all beats bare: 9 if n = 9
  + luck: 2 if s = North and n < 3 and n > 1
  - toll: 1
rule may eat(s: side, n: 0..9): permission
  needs some: n > 0 else "nothing is nothing"
  needs enough: n <= s.beans else "so many are not left"
  needs polite if s = South: n < 4 else "South is polite"
rule rest(s: side): set of side = all o in sides where o != s
rule hungriest: side? = lowest s in sides by s.beans
rule price(s: side, n: 1..6): number "Prices"
  | s     | 1..3 | 4..6 |
  | North | 1    | 2    |
  | South | 3    | 4    |
step eat(s: side) {
  choose by s "?" {
    option nibble(n in 1..3) "eats {n}"
      needs s.may eat(n)
      needs hungry: s.beans < 7 else "{s} is not hungry"
    { s.beans -= n }
  } else { return }
}
rule far(s: side): number = s.left(2) + count s.rest
rule dear(s: side): number? = s.beans
  except poor: none if s.beans < 7
  + tax: 2
rule odds(s: side): number = count n in 1..3 where s.left(n) > 6
rule sure(s: side): flag = every n in 7..8: s.left(n) = 0
rule many(s: side): number = count n in 0..12 where s.left(min(n, 9)) > 6
"#;

fn traced_in(page: &str, question: &str, depth: usize) -> Traced {
    let mut rules = rules(page);
    let tracer = rules
        .tracer(&Selection::default(), question, depth)
        .unwrap_or_else(|error| panic!("{question}: {error}"));
    let mut game = Game::new(tracer.program().clone()).expect("it has a start");
    game.begin(7).expect("it begins");
    tracer.answers(&mut game).pop().expect("one question, one answer")
}

fn traced(question: &str) -> Traced {
    traced_in(&page(), question, 0)
}

fn page() -> String {
    format!("{RULES}{MORE}")
}

/// What each clause is, whether it held and decided, its value.
fn clauses(traced: &Traced) -> Vec<(Sort, &str, Held, bool, &str)> {
    traced
        .clauses
        .iter()
        .map(|clause| {
            let value = clause.value.as_ref().map_or("", |value| value.words.as_str());
            (clause.sort, clause.label.as_str(), clause.held, clause.decides, value)
        })
        .collect()
}

#[test]
fn clauses_are_told_in_their_order() {
    let told = traced("left(North, 2)");
    assert_eq!((told.asked.as_str(), told.value.words.as_str()), ("left(North, 2)", "8"));
    assert_eq!(
        clauses(&told),
        [
            (Sort::Exception, "bare", Held::No, false, ""),
            (Sort::Exception, "all", Held::No, false, ""),
            (Sort::Base, "", Held::Yes, true, "7"),
            (Sort::Plus, "luck", Held::Yes, true, "2"),
            (Sort::Minus, "toll", Held::Yes, true, "1"),
        ]
    );
    let told = traced("South.left(9)");
    assert_eq!(told.value.words, "8");
    assert_eq!(
        clauses(&told)[..3],
        [
            (Sort::Exception, "bare", Held::Yes, false, "0"),
            (Sort::Exception, "all", Held::Yes, true, "9"),
            (Sort::Base, "", Held::NotAsked, false, ""),
        ]
    );
    assert_eq!(told.clauses[1].beats, ["bare"]);
    assert_eq!(told.clauses[1].place.as_deref().map(|place| place.starts_with("beans.blazon:")), Some(true));
    assert_eq!(told.clauses[1].origin, "game");
}

#[test]
fn of_what_is_absent_no_modifier_is_asked() {
    let tax = |told: &Traced| (told.clauses[2].held, told.clauses[2].decides);
    let told = traced("dear(North)");
    assert_eq!((told.value.words.as_str(), tax(&told)), ("9", (Held::Yes, true)));
    let told = traced("dear(South)");
    assert_eq!((told.value.words.as_str(), tax(&told)), ("none", (Held::NotAsked, false)));
}

#[test]
fn what_is_asked_of_each_of_a_few_numbers_is_told() {
    let asked = |question: &str| -> Vec<String> {
        let told = traced(question);
        told.reads.iter().map(|read| format!("{} = {}", read.asked, read.value.words)).collect()
    };
    assert_eq!(asked("odds(North)"), ["left(North, 1) = 6", "left(North, 2) = 8", "left(North, 3) = 6"]);
    assert_eq!(asked("sure(South)"), ["left(South, 7) = -1", "left(South, 8) = -1"]);
    assert!(asked("many(South)").is_empty(), "of more than twelve the whole is told");
}

#[test]
fn the_part_that_failed_is_told() {
    let told = traced("left(North, 1)");
    let luck = &told.clauses[3];
    let parts: Vec<(&str, Held)> = luck.parts.iter().map(|part| (part.text.as_str(), part.held)).collect();
    assert_eq!(parts, [("s = North", Held::Yes), ("n < 3", Held::Yes), ("n > 1", Held::No)]);
    let told = traced("left(South, 1)");
    let parts: Vec<Held> = told.clauses[3].parts.iter().map(|part| part.held).collect();
    assert_eq!(parts, [Held::No, Held::NotAsked, Held::NotAsked]);
}

#[test]
fn needs_are_told_up_to_the_one_that_refuses() {
    let told = traced("may eat(South, 5)");
    assert_eq!(told.value.words, "no");
    let needs: Vec<(&str, Held, bool, &str)> = told
        .clauses
        .iter()
        .map(|need| (need.label.as_str(), need.held, need.decides, need.condition.as_str()))
        .collect();
    assert_eq!(
        needs,
        [
            ("some", Held::Yes, false, "n > 0"),
            ("enough", Held::Yes, false, "n <= s.beans"),
            ("polite", Held::No, true, "if s = South: n < 4"),
        ]
    );
    assert_eq!(told.clauses[2].reason.as_deref(), Some("South is polite"));
    let told = traced("may eat(South, 0)");
    assert_eq!(told.clauses[1].held, Held::NotAsked);
    let told = traced("may eat(North, 5)");
    assert!(told.clauses.iter().all(|need| need.held == Held::Yes && need.decides));
}

/// Rules that change under a condition.
const CHANGED: &str = r#"
state fog: flag
state mud: flag
rule power(s: side): number = 1
  + hill: 2
  + wood: 3 if mud or s = North
rule far: number = 9
rule may go: permission
  needs light: far > 2 else "dark"
  needs calm if any s in sides where s.beans > 8: far > 2 or mud else "wild"
  needs dry if not mud: far > 20 or far = 9
under fog {
  in rule power { remove clause hill; remove clause wood }
  in rule may go { waive light }
}
"#;

fn changed(question: &str) -> Traced {
    traced_in(&format!("{RULES}{CHANGED}"), question, 0)
}

fn parts(traced: &Traced, clause: usize) -> Vec<(&str, Held)> {
    traced.clauses[clause].parts.iter().map(|part| (part.text.as_str(), part.held)).collect()
}

#[test]
fn what_a_condition_takes_away_is_not_told_as_what_it_asks() {
    let told = changed("power(South)");
    let conditions: Vec<&str> = told.clauses.iter().map(|clause| clause.condition.as_str()).collect();
    assert_eq!(conditions, ["1", "not fog", "not fog and (mud or s = North)"]);
    assert_eq!(told.clauses[1].held, Held::Yes);
    assert_eq!(parts(&told, 2), [("not fog", Held::Yes), ("mud or s = North", Held::No)]);
}

#[test]
fn the_cases_of_a_need_are_told_with_what_it_asks() {
    let told = changed("may go");
    let conditions: Vec<&str> = told.clauses.iter().map(|clause| clause.condition.as_str()).collect();
    assert_eq!(
        conditions,
        [
            "if not fog: far > 2",
            "if any s in sides where s.beans > 8: far > 2 or mud",
            "if not mud: far > 20 or far = 9",
        ]
    );
    assert_eq!(parts(&told, 0), [("not fog", Held::Yes), ("far > 2", Held::Yes)]);
    // What the case lets pass nobody asks.
    assert_eq!(
        parts(&told, 1),
        [
            ("any s in sides where s.beans > 8", Held::No),
            ("far > 2", Held::NotAsked),
            ("mud", Held::NotAsked),
        ]
    );
    assert_eq!(parts(&told, 2), [("not mud", Held::Yes), ("far > 20", Held::No), ("far = 9", Held::Yes)]);
}

#[test]
fn of_every_the_answer_of_the_whole_is_told() {
    let told = changed("South.beans > 0 and every s in sides: s.beans > 0");
    let read = told.reads.iter().find(|read| read.what == Reads::Query).expect("it is asked");
    assert_eq!((read.asked.as_str(), read.value.words.as_str()), ("every s in sides: s.beans > 0", "yes"));
}

#[test]
fn what_was_asked_is_told_once() {
    let told = traced("far(North)");
    let reads: Vec<(Reads, &str, &str)> =
        told.reads.iter().map(|read| (read.what, read.asked.as_str(), read.value.words.as_str())).collect();
    assert_eq!(
        reads,
        [
            (Reads::Rule, "left(North, 2)", "8"),
            (Reads::Query, "count s.rest", "1"),
            (Reads::Rule, "rest(North)", "South"),
        ]
    );
    assert!(told.deeper.is_empty());
    let deep = traced_in(&page(), "far(North)", 1);
    let deeper: Vec<&str> = deep.deeper.iter().map(|traced| traced.asked.as_str()).collect();
    assert_eq!(deeper, ["left(North, 2)", "rest(North)"]);
    assert_eq!(clauses(&deep.deeper[0]), clauses(&traced("left(North, 2)")));
    assert_eq!(deep.deeper[0].reads[0].asked, "beans(North)");
}

#[test]
fn of_a_table_the_row_and_column_are_told() {
    let told = traced("price(South, 5)");
    assert_eq!((told.value.words.as_str(), told.title.as_deref()), ("4", Some("Prices")));
    let [row] = &told.clauses[..] else { panic!("{told:?}") };
    assert_eq!(
        (row.sort, row.condition.as_str(), row.label.as_str()),
        (Sort::Row, "| South | 3 | 4 |", "4..6")
    );
}

#[test]
fn any_expression_is_answered() {
    let told = traced("count s in sides where s.beans > 6");
    assert_eq!((told.rule, told.value.words.as_str()), (None, "1"));
    let told = traced("left(North, 2) > left(South, 2)");
    assert_eq!(told.value.words, "yes");
    assert_eq!(told.reads.len(), 2);
    // Of an option its needs are told.
    for question in ["nibble(3) in eat(North)", "can nibble(3) in eat(North)"] {
        let told = traced(question);
        assert_eq!((told.asked.as_str(), told.value.words.as_str()), ("can nibble(North, 3)", "no"));
        let needs: Vec<(&str, Held)> =
            told.clauses.iter().map(|need| (need.condition.as_str(), need.held)).collect();
        assert_eq!(
            needs,
            [("among 1..3", Held::Yes), ("s.may eat(n)", Held::Yes), ("s.beans < 7", Held::No)]
        );
    }
}

#[test]
fn what_is_wrong_with_a_question_is_said_as_of_a_page() {
    for (question, code, words) in [
        ("lft(North, 2)", "names::unknown", "did you mean `left`?"),
        ("left(Nort, 2)", "names::unknown", "did you mean `North`?"),
        ("left(North)", "types::arity", "takes 2"),
        ("left(North, 2", "syntax::brace", "question:1"),
        ("throw(3)", "names::scope", "asks for `s`, which only its step knows"),
        ("rule more: number = 3", "syntax::expected", "question:1"),
        ("left(North, 2)\nin rule left { waive bare }", "syntax::expected", "question:2"),
        ("", "syntax::expected", "question:1"),
        ("none", "types::mismatch", "ask for a number, a yes or no, a thing or a set of things"),
    ] {
        let error = rules(&page()).tracer(&Selection::default(), question, 0).expect_err(question);
        let human = error.rendered(blazon_diagnostics::Format::Human, blazon_diagnostics::Style::default());
        assert_eq!(error.code(), code, "{question}: {human}");
        assert!(human.contains(words), "{question}: {human}");
    }
}

#[test]
fn the_game_is_the_same_with_a_question() {
    let plain = rules(&page()).program(&Selection::default()).expect("it compiles");
    let tracer = rules(&page()).tracer(&Selection::default(), "left(North, 1)", 3).expect("it compiles");
    let mut game = Game::new(plain).expect("it has a start");
    game.begin(3).expect("it begins");
    for _ in 0..4 {
        let player = game.decider().expect("somebody is asked");
        game.choose(player, 0.into()).expect("an open option");
    }
    let other = tracer.bring(&game).expect("its log can be played");
    assert_eq!(other.save().expect("a text"), game.save().expect("a text"));
}
