//! Bots that think, at rules written for it: they get on, and they tell why.

use blazon::bots::{Bot, Effort, Search, Skill};
use blazon::hints::{Hints, hints};
use blazon::{Game, Rules, Selection};

const MANIFEST: &str = r#"Game(name: "Beans", player: "side", begins: "game")"#;

fn begun(rules: &str) -> Game {
    let mut rules = Rules::from_texts([("blazon.ron", MANIFEST), ("beans.blazon", rules)]);
    let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut game = Game::new(program).unwrap();
    game.begin(1).unwrap();
    game
}

/// To end a turn costs a bean; to look into the sack costs nothing, and changes nothing.
const SACKS: &str = include_str!("../../../tests/python/rules/sacks/sacks.blazon");

#[test]
fn who_thinks_does_not_put_off_for_ever() {
    for skill in ["greedy@60", "greedy@600", "search@200", "search@2000"] {
        let mut game = begun(SACKS);
        let mut bots: Vec<Box<dyn Bot>> =
            (0..2).map(|seed| skill.parse::<Skill>().unwrap().bot(seed)).collect();
        let mut taken = 0;
        while let Some(player) = game.decider() {
            game.choose_by(player, bots[player.index()].as_mut()).unwrap();
            taken += 1;
            assert!(taken <= 3 * 2 * 5, "{skill} looks into the sack for ever");
        }
        assert!(game.outcome().is_some(), "{skill}");
    }
}

#[test]
fn a_twin_chooses_the_same_and_so_does_who_has_rested() {
    for skill in ["random", "even", "greedy@60", "search@200"] {
        let mut game = begun(HARVEST);
        let mut bot = skill.parse::<Skill>().unwrap().bot(3);
        for number in 0..24 {
            let player = game.decider().unwrap();
            let mut twin = bot.twin();
            if number % 3 == 0 {
                bot.rest();
            }
            let chosen = game.ask(player, bot.as_mut());
            assert_eq!(game.ask(player, twin.as_mut()), chosen, "{skill}, decision {number}");
            game.choose(player, chosen).unwrap();
        }
    }
}

/// Each clause of an outlook alone: one that always holds, one that does so sometimes, one that takes away, and an
/// exception to the base.
const HARVEST: &str = r#"
kind side = North, South { state beans: 0..99; state weeds: 0..99; state tired: flag }
setup Start (side: beans, weeds, tired) { North: 3, 2, no; South: 3, 0, no }
rule outlook(s: side): number = 2 * s.beans
  except worn: s.beans if s.tired
  + spare: 5 if s.beans > 3
  + others: 1
  - weeds: 3 * s.weeds
step game {
  while every s in sides: s.beans < 90 {
    for s in sides {
      choose by s "What now?" {
        option sow(n in 1..2) "sows {n}" { s.beans += n }
        option hoe "hoes" needs any weed: s.weeds > 0 { s.weeds -= 1; s.tired := yes }
      }
    }
  }
}
"#;

fn told(game: &Game, positions: usize) -> Hints {
    let bot = Search::new(7, Effort { positions, horizon: 1 });
    hints(game, game.decider().unwrap(), bot).unwrap().unwrap()
}

#[test]
fn a_hint_tells_which_clauses_change() {
    let mut game = begun(HARVEST);
    let told = told(&game, 60);
    assert_eq!(told.outlook, [("North".to_owned(), 1.0), ("South".to_owned(), 7.0)]);
    assert!(told.options.len() == 3 && told.positions >= 60, "{told:?}");
    let player = game.decider().unwrap();
    let options = game.options(player);
    let of = |label: &str| {
        let open = options.iter().find(|option| option.label == label).unwrap();
        told.options.iter().find(|hint| hint.option == open.id).unwrap()
    };
    let changes = |label: &str| {
        let north = &of(label).outlook[0];
        let change = |clause: &blazon::hints::Change| (clause.label.clone(), clause.now, clause.then);
        (north.now, north.then, north.clauses.iter().map(change).collect::<Vec<_>>())
    };
    let clause = |label: &str, now: f64, then: f64| (label.to_owned(), now, then);
    // 2 * 3 + 1 - 3 * 2. What changes more stands before what changes less.
    let sown = vec![clause("spare", 0.0, 5.0), clause("beans", 6.0, 10.0)];
    assert_eq!(changes("sows 2"), (1.0, 10.0, sown));
    let hoed = vec![clause("beans", 6.0, 3.0), clause("weeds", -6.0, -3.0)];
    assert_eq!(changes("hoes"), (1.0, 1.0, hoed));
    let south = &of("hoes").outlook[1];
    assert_eq!((south.player.as_str(), south.now, south.then, south.clauses.len()), ("South", 7.0, 7.0, 0));
    assert_eq!(of("hoes").outlook[0].clauses[0].place.as_deref(), Some("beans.blazon:4"));
}

#[test]
fn a_hint_is_what_the_bot_would_do_and_changes_nothing() {
    let mut game = begun(HARVEST);
    for _ in 0..6 {
        let player = game.decider().unwrap();
        let before = game.save().unwrap();
        let told = told(&game, 200);
        let mut bot = Search::new(7, Effort { positions: 200, horizon: 1 });
        let advice = game.advise(player, &mut bot).unwrap();
        let plain: Vec<_> =
            advice.options.iter().map(|option| (option.place, option.tries, option.value)).collect();
        let hinted: Vec<_> =
            told.options.iter().map(|hint| (hint.option.index(), hint.tries, hint.value)).collect();
        assert_eq!(plain, hinted, "to ask for clauses changes nothing that is thought");
        assert_eq!(game.save().unwrap(), before);
        game.choose(player, told.options[0].option).unwrap();
    }
}

#[test]
fn a_clause_without_a_label_is_told_by_what_it_reads() {
    let base = "= s.beans + 2 * max(s.beans, s.weeds)";
    for (clause, label) in [
        (format!("{base}\n"), "beans, weeds"),
        (format!("{base} + s.harvest\nrule harvest(s: side): number = s.beans\n"), "beans, weeds, harvest"),
        (
            format!(
                "{base} + s.harvest of last years\nrule harvest of last years(s: side): number = s.beans\n"
            ),
            "beans, weeds, harvest of last ye…",
        ),
    ] {
        // What else there is of the outlook stays with it.
        let (first, others) = clause.split_once('\n').unwrap();
        let rules = HARVEST.replace("= 2 * s.beans", first) + others;
        let told = told(&begun(&rules), 60);
        let clauses = told.options.iter().flat_map(|hint| &hint.outlook[0].clauses);
        let labels: Vec<&str> = clauses.map(|clause| clause.label.as_str()).collect();
        assert!(labels.contains(&label), "{label}: {labels:?}");
    }
}

#[test]
fn without_an_outlook_there_are_no_clauses() {
    let rules = SACKS.replace("rule outlook(s: side): number = s.beans\n", "");
    let game = begun(&rules);
    let told = hints(&game, game.decider().unwrap(), Search::new(1, Effort::QUICK)).unwrap().unwrap();
    assert!(told.outlook.is_empty() && told.options.iter().all(|hint| hint.outlook.is_empty()), "{told:?}");
}

/// A bot takes such a position for even; whoever asks it for advice must know that it judges by nothing.
#[test]
fn a_hint_says_that_the_outlook_fails() {
    let rules = SACKS.replace("= s.beans\n", "= 10 / (s.beans - s.beans)\n");
    let game = begun(&rules);
    let failed = hints(&game, game.decider().unwrap(), Search::new(1, Effort::QUICK)).unwrap_err();
    assert_eq!(failed.code(), "run::range", "{failed}");
    let bot = Skill::GREEDY;
    assert!(game.clone().judged([&bot]).is_err());
    assert!(begun(SACKS).judged([&bot]).is_ok());
}
