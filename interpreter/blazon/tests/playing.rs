//! A game through the library: what is asked, what is refused, what is told, saving, taking back, many at once.

mod common;

use blazon::bots::{Pick, Random};
use blazon::told::{Argument, Arguments, Event, Standing, Value};
use blazon::{Error, Game, Limits, NoWayBack, OptionId, Pool, Rules, Selection};
use common::{RULES, game, program, rules};
use serde_json::{json, to_value};

fn args(n: i64) -> Arguments {
    [("n".to_owned(), Argument::Number(n))].into_iter().collect()
}

/// Plays to the end with the last option each time.
fn finish(game: &mut Game) {
    while let Some(player) = game.decider() {
        let last = game.open(player) - 1;
        game.choose(player, last.into()).expect("an open option");
    }
}

#[test]
fn what_is_asked_is_told_by_names() {
    let mut game = game();
    let north = game.player("north").expect("a player");
    assert_eq!(game.deciders(), [north]);
    let question = to_value(game.question(north)).expect("it is data");
    assert_eq!(question["player"], "North");
    assert_eq!(question["prompt"], "How many beans do you throw?");
    assert_eq!(
        question["options"][2],
        json!({"id": 2, "option": "throw", "args": {"n": 3}, "label": "throws 3", "paragraphs": []})
    );
    let view = to_value(game.view(Some(north)).expect("a view")).expect("it is data");
    assert_eq!(view["viewer"], "North");
    assert_eq!(view["kinds"]["side"]["seen"][1], json!({"name": "South", "states": {"beans": 6}}));
    let about = to_value(game.about()).expect("it is data");
    assert_eq!((&about["game"], &about["setup"]), (&json!("Beans"), &json!("Start")));
    assert_eq!(about["setups"], json!(["Start", "Few"]));
}

#[test]
fn what_is_not_open_says_why() {
    let mut game = Game::new(program()).expect("it has a start");
    game.start(1.into(), 7).expect("it begins");
    let north = game.player("North").expect("a player");
    assert_eq!(game.why(north, "throw", &args(2)), Standing::Open);
    assert_eq!(game.why(north, "throw", &args(4)), Standing::Outside);
    assert_eq!(game.why(north, "catch", &args(1)), Standing::Outside);
    let refused = to_value(game.why(north, "throw", &args(3))).expect("it is data");
    assert_eq!(
        refused,
        json!({
            "standing": "refused", "option": "throw", "args": {"n": 3}, "label": "throws 3",
            "reason": "so many are not left", "need": "enough", "paragraphs": [], "place": "beans.blazon:11:11",
        })
    );
    assert_eq!(game.refusals(north).len(), 1);
}

#[test]
fn what_cannot_be_chosen_changes_nothing() {
    let mut game = game();
    let (north, south) = (game.players()[0], game.players()[1]);
    for (player, option) in [(south, 0), (north, 3), (9.into(), 0)] {
        let error = game.choose(player, OptionId::from(option)).expect_err("it is not open");
        assert_eq!(error.code(), "run::illegal", "{error}");
        assert!(matches!(error, Error::Fault(_)));
    }
    assert_eq!((game.taken(), game.log().len()), (0, 0));
}

#[test]
fn what_happened_is_told() {
    let mut game = game();
    finish(&mut game);
    let told: Vec<_> = game.events().iter().map(|event| Event::of(&game, event)).collect();
    let first = to_value(&told[0]).expect("it is data");
    assert_eq!(
        first,
        json!({
            "event": "chosen", "player": "North", "option": "throw", "args": {"n": 3}, "forced": false,
            "text": "North: throws 3",
        })
    );
    assert_eq!(told[0].known_to("South"), Some("North: throws 3"));
    let last = told.last().expect("an end");
    assert_eq!(
        to_value(last).expect("it is data"),
        json!({"event": "over", "winner": "South", "text": "South wins"})
    );
    assert_eq!(to_value(game.end()).expect("it is data")["outcome"], "won");
    assert_eq!(game.log().get(0).map(|entry| entry.to_string()), Some("North: throw(3)".to_owned()));
}

#[test]
fn texts_and_points_are_shown_of_whatever_they_are_asked_of() {
    let page = r#"
kind side = North, South
kind banner { fact motto: text; fact lies: point; fact ally: banner?; state up: flag }
table banner
  | name | motto | lies | ally |
  | Lion | roar  | 3, 4 | Bear |
  | Bear | growl | 5, 6 |      |
  | Hare |       |      | Lion |
setup Start (banner: up) { others: no }
step game {
  for b in banners { cry(b); let words = b.motto; say "{words}!" }
  say "{Lion.motto}, {(first banners).motto}"
  win(North)
}
step cry(b: banner) { say "{b}: {b.motto} at {b.lies}, {b.ally.motto}" }
"#;
    let mut game =
        Game::new(rules(page).program(&Selection::default()).expect("it compiles")).expect("it starts");
    game.begin(7).expect("it begins");
    let told: Vec<_> = game.events().iter().map(|event| Event::of(&game, event)).collect();
    let said = |told: &Event| {
        let told = to_value(told).expect("it is data");
        (told["event"] == "said").then(|| told["text"].as_str().unwrap_or_default().to_owned())
    };
    let said: Vec<String> = told.iter().filter_map(said).collect();
    let wanted = [
        "Lion: roar at 3, 4, growl",
        "roar!",
        "Bear: growl at 5, 6, none",
        "growl!",
        "Hare:  at 0, 0, roar",
        "!",
        "roar, roar",
    ];
    assert_eq!(said, wanted);
}

/// What a side reads of what was said in a game of one page.
fn read_by(page: &str, player: &str) -> Vec<String> {
    let mut game =
        Game::new(rules(page).program(&Selection::default()).expect("it compiles")).expect("it starts");
    game.begin(7).expect("it begins");
    let told = game.events().iter().map(|event| Event::of(&game, event));
    let said = told.filter(|told| to_value(told).expect("it is data")["event"] == "said");
    said.filter_map(|told| told.known_to(player).map(str::to_owned)).collect()
}

/// Whether it is one or several who is spoken of tells what hangs on a face as much as the name does.
#[test]
fn words_of_whom_a_face_hides_are_those_of_one() {
    let read = |home: &str, player: &str| {
        let page = r#"
kind side = North, South
kind home = Mill, Barracks { fact plural: flag }
table home
  | name     | plural |
  | Barracks | yes    |
kind card = Ace, King { state held: side; state goes: home?; seen by v: v = card.held; back: held }
setup Start (card: held) { others: North }
step game {
  for c in cards { c.goes := HOME }
  say "what {Ace.goes: stands | stand} there, {Ace.goes}; {King.goes otherwise Mill: is | are} empty"
  win(North)
}
"#;
        read_by(&page.replace("HOME", home), player)
    };
    assert_eq!(read("Mill", "North"), ["what stands there, Mill; is empty"]);
    assert_eq!(read("Barracks", "North"), ["what stand there, Barracks; are empty"]);
    for home in ["Mill", "Barracks"] {
        assert_eq!(read(home, "South"), ["what stands there, ?; is empty"], "{home}");
    }
}

#[test]
fn words_of_one_and_of_several() {
    let page = r#"
kind side = North, South
kind block { fact owner: side; fact plural: flag; seen by s: s = block.owner; back: owner }
kind flag bearer = Cornet
table block
  | name    | owner | plural |
  | Guard   | North |        |
  | Archers | North | yes    |
  | Pikes   | South | yes    |
state lost(block): flag
rule roster: set of block = blocks
  known to all
rule straggler: block? = first b in blocks where b.lost
  known to all
setup Start (block: lost) { others: no }
step game {
  for n in 0..2 { say "{n} hit{n: | s}" }
  for b in roster { say "{b} {b: marches | march}" }
  let north = all b in blocks where b.owner = North
  say "{north} {north: is | are} here, {first north} {first b in north where not b.lost: is | are} first"
  announce "{Pikes} {Pikes: comes | come}"
  let lonely = straggler
  say "{lonely} {lonely: is | are} lost, {Cornet} {Cornet: rides | ride}"
  win(North)
}
"#;
    let hits = ["0 hits", "1 hit", "2 hits"];
    let own = [
        "Guard marches",
        "Archers march",
        "a South block marches",
        "Guard and Archers are here, Guard is first",
    ];
    let other = ["a North block marches", "a North block marches", "Pikes march"];
    let backs = ["2 North blocks are here, ? is first"];
    let all = ["Pikes come", "none is lost, Cornet rides"];
    assert_eq!(read_by(page, "North"), [&hits[..], &own, &all].concat());
    assert_eq!(read_by(page, "South"), [&hits[..], &other, &backs, &all].concat());
}

#[test]
fn a_saved_game_goes_on() {
    let mut game = game();
    let north = game.players()[0];
    game.choose(north, 1.into()).expect("an open option");
    let text = game.save().expect("a text");
    finish(&mut game);
    let mut other = Game::new(program()).expect("it has a start");
    other.load(&text).expect("it fits");
    assert_eq!((other.log().len(), other.taken(), other.seed()), (1, 1, 7));
    finish(&mut other);
    assert_eq!(other.log(), game.log());
    assert_eq!(other.outcome(), game.outcome());
    let error = Error::from(other.load("Save(").expect_err("it is cut off"));
    assert_eq!(error.code(), "save::damaged");
    assert_eq!(other.log(), game.log(), "nothing has changed");
}

#[test]
fn a_log_is_played_again() {
    let mut game = game();
    finish(&mut game);
    let save = blazon::machine::save::Save::from_text(&game.save().expect("a text")).expect("a save");
    let mut again = Game::new(program()).expect("it has a start");
    assert_eq!(again.replay(&save).expect("no fault"), blazon::machine::save::Replayed::Whole);
    assert_eq!((again.log(), again.outcome()), (game.log(), game.outcome()));
    // By rules that allow less, it is played as far as they allow.
    let mut fewer = rules(&RULES.replace("n in 1..3", "n in 1..2"));
    let mut other =
        Game::new(fewer.program(&Default::default()).expect("it compiles")).expect("it has a start");
    other.replay(&save).expect("no fault");
    assert_eq!(other.log().len(), 0);
    assert!(other.decider().is_some());
}

#[test]
fn choices_are_taken_back() {
    let mut game = game();
    game.keep_back(true);
    let (north, south) = (game.players()[0], game.players()[1]);
    game.choose(north, 0.into()).expect("an open option");
    game.choose(south, 0.into()).expect("an open option");
    assert_eq!(game.undo(north, |_| true), Err(NoWayBack::Another));
    assert_eq!(game.undo(south, |_| true), Ok(()));
    assert_eq!((game.taken(), game.log().len(), game.events().len()), (1, 1, 1));
    assert_eq!(game.undo(north, |_| true), Ok(()));
    assert_eq!(game.undo(north, |_| true), Err(NoWayBack::Nothing));
    assert_eq!(game.deciders(), [north]);
}

/// Of who has his name on his back all know which he is; what stands on his face they learn when it is opened.
#[test]
fn what_opens_a_face_is_not_taken_back_whatever_its_back_tells() {
    let page = |back: &str| {
        r#"
kind side = North, South
kind agent = Ann, Bob { state open: flag; state rank: 0..9; seen by v: agent.open; back: BACK }
setup Start (agent: open, rank) { Ann: no, 3; Bob: no, 7 }
step game {
  while yes {
    for s in sides {
      choose by s "What now?" {
        option look at(w in agents where not w.open) "looks at {w}" { w.open := yes }
        option wait "waits" { }
        option end "ends it" { win(s) }
      }
    }
  }
}
"#
        .replace("BACK", back)
    };
    for back in ["open", "name, open"] {
        let program = rules(&page(back)).program(&Selection::default()).expect("it compiles");
        let mut game = Game::new(program).expect("it starts");
        game.begin(7).expect("it begins");
        game.keep_back(true);
        let (north, south) = (game.players()[0], game.players()[1]);
        let wait = game.options(north).len() - 2;
        assert!(game.attempt(north, wait.into()).expect("no fault").is_some(), "{back}: it shows nothing");
        assert_eq!(game.attempt(north, 0.into()).expect("no fault"), None, "{back}: it shows a face");
        game.choose(north, wait.into()).expect("an open option");
        assert_eq!(game.can_undo(north, |_| true), Ok(()), "{back}");
        game.choose(south, 0.into()).expect("an open option");
        assert_eq!(game.can_undo(south, |_| true), Err(NoWayBack::Nothing), "{back}: a face was shown");
    }
}

#[test]
fn whether_a_choice_can_be_taken_back_is_known_before() {
    let mut game = game();
    game.keep_back_within(1);
    let (north, south) = (game.players()[0], game.players()[1]);
    assert_eq!(game.can_undo(north, |_| true), Err(NoWayBack::Nothing));
    game.choose(north, 0.into()).expect("an open option");
    assert_eq!(game.can_undo(north, |_| true), Ok(()));
    game.choose(south, 0.into()).expect("an open option");
    assert_eq!(game.can_undo(north, |_| true), Err(NoWayBack::Another));
    assert_eq!(game.undo(south, |_| true), Ok(()), "the last one is kept, however little may be");
    assert_eq!(game.can_undo(north, |_| true), Err(NoWayBack::Nothing), "and no more than that");
}

#[test]
fn a_choice_by_meaning_is_found_again() {
    let mut game = game();
    let north = game.players()[0];
    let option = game.options(north)[1].id;
    let entry = game.meaning(north, option).expect("it is open");
    assert_eq!(game.find(&entry), Some((north, option)));
    assert_eq!(game.meaning(north, 99.into()), None);
    assert_eq!(game.meaning(game.players()[1], 0.into()), None, "nobody else is asked");
    game.choose(north, option).expect("it is open");
    assert_eq!(game.log().get(0).as_ref(), Some(&entry));
    assert_eq!(game.find(&entry), None, "another is asked now");
}

#[test]
fn a_guess_leaves_a_player_what_he_may_choose() {
    let mut game = game();
    let north = game.players()[0];
    let before = (game.options(north), game.view(Some(north)).expect("a view"));
    assert!(game.imagine(north, 3).expect("no fault"), "there is a guess");
    assert_eq!((game.options(north), game.view(Some(north)).expect("a view")), before);
}

#[test]
fn many_games_share_a_machine() {
    let pool = Pool::new(program(), Limits::default()).expect("it has a start");
    let mut tables: Vec<_> = (0..50).map(|seed| pool.start(0.into(), seed).expect("it begins")).collect();
    let mut bots: Vec<_> = (0..50).map(|seed| Random::new(seed, Pick::Evenly)).collect();
    for _ in 0..20 {
        for (table, bot) in tables.iter_mut().zip(&mut bots) {
            let played = pool.act(table, |game| match game.decider() {
                Some(player) => game.choose_by(player, bot).map(|_| ()),
                None => Ok(()),
            });
            played.expect("the position fits").expect("no fault");
        }
    }
    assert_eq!(pool.idle(), 1);
    // Each game is what it would have been with a machine of its own.
    for (seed, table) in tables.iter_mut().enumerate() {
        let mut alone = Game::new(program()).expect("it has a start");
        alone.begin(seed as u64).expect("it begins");
        let mut bot = Random::new(seed as u64, Pick::Evenly);
        while let Some(player) = alone.decider() {
            alone.choose_by(player, &mut bot).expect("no fault");
        }
        assert!(table.memory() < 2000, "{}", table.memory());
        let log = pool.act(table, |game| game.log().clone()).expect("the position fits");
        assert_eq!(&log, alone.log());
    }
    let mut foreign =
        Game::new(rules(&RULES.replace("0..9", "0..300")).program(&Default::default()).expect("it compiles"))
            .expect("it has a start");
    foreign.begin(1).expect("it begins");
    assert!(pool.load(&foreign.save().expect("a text")).is_err());
    assert_eq!(pool.idle(), 1, "the machine has come back");
}

#[test]
fn the_value_of_a_rule_is_asked_by_name() {
    let page = format!(
        "{}\n{}",
        RULES,
        "rule left(s: side, n: 0..9): 0..9 = 0\n  except some: s.beans - n if n <= s.beans\n\
         rule richest: set of side = most s in sides by s.beans\n\
         rule poor(s: side): side? = none\n  except few: s if s.beans < 7\n"
    );
    let program = rules(&page).program(&Selection::default()).expect("it compiles");
    let mut game = Game::new(program).expect("it has a start");
    game.begin(7).expect("it begins");
    let name = |name: &str| Argument::Name(name.to_owned());
    assert_eq!(game.value_of("left", &[name("north"), Argument::Number(2)]).ok(), Some(Value::Number(5)));
    assert_eq!(game.value_of("richest", &[]).ok(), Some(Value::Things(vec!["North".to_owned()])));
    assert_eq!(game.value_of("poor", &[name("North")]).ok(), Some(Value::Nothing));
    assert_eq!(game.value_of("poor", &[name("South")]).ok(), Some(Value::Thing("South".to_owned())));
    for (rule, args, message) in [
        ("richst", vec![], "there is no rule `richst`; did you mean `richest`?"),
        ("richest", vec![name("North")], "`richest` takes nothing, and was given 1"),
        ("left", vec![name("North")], "`left` takes `s` and `n`, and was given 1"),
        ("poor", vec![name("Nort")], "no side is called `Nort`; did you mean `North`?"),
        ("poor", vec![Argument::Number(1)], "`1` is no value of `s`"),
        ("left", vec![name("North"), Argument::Number(10)], "`10` is no value of `n`"),
    ] {
        let error = game.value_of(rule, &args).expect_err(message);
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// Answers that wait for those of others are in no log yet, and were decisions all the same.
#[test]
fn each_position_that_was_is_found_again() {
    let page = "kind side = North, South, West\nstate bid(side): 0..9\nsetup Start { }\nstep game {\n  \
                for round in 1..9 {\n    choose by each s in sides \"Bid\" { option bid(n in 0..3) \"{n}\" { s.bid := n } }\n  \
                }\n}\n";
    let program = rules(page).program(&Selection::default()).expect("it compiles");
    let mut game = Game::new(program).expect("it has a start");
    game.begin(7).expect("it begins");
    let mut stood = vec![game.save().expect("a text")];
    for _ in 0..5 {
        let player = game.decider().expect("it goes on");
        game.choose(player, 1.into()).expect("an open option");
        stood.push(game.save().expect("a text"));
    }
    assert_eq!((game.taken(), stood.len()), (5, 6), "of the second round one has not answered");
    for (decisions, stood) in stood.iter().enumerate() {
        let before = game.at(decisions as u64).expect("it can be played again").expect("it stood there");
        assert_eq!(&before.save().expect("a text"), stood, "after {decisions}");
    }
    assert!(game.at(6).expect("nothing is played").is_none());
}

/// Three who want one of several like coins at once take three, as long as there are so many; and such a game is played again
/// from its log.
#[test]
fn who_want_look_alikes_at_once_get_different_ones() {
    let page = |coins: u32| {
        format!(
            "kind side = North, South, West\nkind coin {{ fact worth : 1..9\n  state owner : side? }}\n\
             table coin\n  | name | worth | copies |\n  | Groat | 4 | {coins} |\n  | Mark | 8 | 1 |\nsetup Start {{ }}\n\
             step game {{\n  for round in 1..2 {{\n    choose by each s in sides \"Take\" {{\n      \
             option take(c in coins where c.owner = none) \"{{c}}\" {{ c.owner := s }}\n      option pass \"Pass\" {{ }}\n    }}\n  }}\n}}\n"
        )
    };
    for (coins, groats) in [(6, [2, 2, 2]), (4, [1, 1, 2]), (3, [1, 1, 1])] {
        let program = rules(&page(coins)).program(&Selection::default()).expect("it compiles");
        let owner = program.book.columns.iter().position(|column| column.name == "owner").expect("a state");
        let mut game = Game::new(program.clone()).expect("it has a start");
        game.begin(3).expect("it begins");
        while let Some(player) = game.decider() {
            let first =
                game.options(player).first().map(|open| open.label.clone()).expect("something is open");
            let wanted = if first == "Groat" { 0.into() } else { 1.into() };
            game.choose(player, wanted).expect("an open option");
        }
        let owned = |game: &Game| {
            let machine = game.machine();
            let of = |coin| machine.column(blazon::book::ColumnId(owner as u32), &[coin]).expect("a coin")[0];
            (0..coins).map(of).collect::<Vec<_>>()
        };
        let stood = owned(&game);
        let each = [0, 1, 2].map(|side| stood.iter().filter(|&&owner| owner == side).count());
        assert_eq!(each, groats, "of {coins}");
        let text = game.save().expect("a text");
        let mut again = Game::new(program).expect("it has a start");
        again.load(&text).expect("it is played again");
        assert_eq!(owned(&again), stood, "of {coins}");
    }
}

/// Invariants on a page among the tests are looked at, whether or not anything else leans on such a page.
#[test]
fn invariants_among_the_tests_are_looked_at() {
    let texts = [
        ("blazon.ron", r#"Game(name: "Counting", player: "side", begins: "game")"#),
        (
            "a.blazon",
            "kind side = North, South\nstate n: 0..99\nsetup Start { }\nstep game {\n  for k in 1..4 {\n    n += 1\n    \
             choose by North \"More?\" { option more \"More\" { }; option less \"Less\" { } }\n  }\n}\n",
        ),
        ("tests/i.blazon", "invariant small: n < limit\n"),
        ("tests/j.blazon", "rule limit: number = 3\ntest \"small\" { from Start; expect limit = 3 }\n"),
    ];
    let mut rules = Rules::from_texts(texts);
    for (invariants, taken) in [(true, 1), (false, 4)] {
        let wanted = Selection { invariants, ..Selection::default() };
        let mut game = Game::new(rules.program(&wanted).expect("it compiles")).expect("it has a start");
        game.begin(7).expect("it begins");
        while let Some(north) = game.decider() {
            if let Err(error) = game.choose(north, 0.into()) {
                let Error::Fault(failure) = error else { panic!("{error}") };
                assert_eq!(failure.fault.code, "run::invariant");
                break;
            }
        }
        assert_eq!(game.taken(), taken, "invariants: {invariants}");
    }
}
