//! That a comparison says what was put in: games whose odds are known to the last percent.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use blazon::change::Change;
use blazon::{Program, Rules, Selection, Settings};
use blazon_fixtures::tries;
use blazon_machine::bots::Skill;
use blazon_study::Plan;
use blazon_study::compare::{Causes, Contest, Ended, Found, Sums};
use blazon_study::stats::{Certainty, Verdict};

const MANIFEST: &str = r#"Game(name: "Coins", player: "side", begins: "game")"#;

/// A game of ten tosses of a hundred-sided die and a decision each; North wins when the last is at most `limit`.
fn coins(limit: u32, stakes: u32) -> String {
    format!(
        r#"
kind side = North, South {{ state stake: 0..90 }}
setup Start (side: stake) {{ North: 0; South: 0 }}
rule limit: number = {limit}
rule stakes: number = {stakes}
step game {{
  for n in 1..10 {{
    for s in sides {{
      choose by s "What do you stake?" {{
        option stake(k in 1..3) "stakes {{k}}" {{ s.stake += k; wager(s) }}
        option wait "waits" {{ }}
      }}
    }}
  }}
  let die = roll(d100)
  if die <= limit {{ win(North) }}
  win(South)
}}
step wager(s: side) {{
  let die = roll(d6)
  if die > stakes {{ s.stake -= 1 }}
}}
"#
    )
}

fn rules(text: &str) -> Rules {
    Rules::from_texts([("blazon.ron", MANIFEST), ("coins.blazon", text)])
}

fn program(rules: &mut Rules) -> Arc<Program> {
    rules.program(&Selection::default()).expect("sound rules")
}

struct Both {
    base: Arc<Program>,
    changed: Arc<Program>,
    change: Change,
}

fn both(base: &str, changed: &str) -> Both {
    let (mut old, mut new) = (rules(base), rules(changed));
    let change = Change::new(&old.project_without_tests(&[]), &new.project_without_tests(&[]));
    Both { base: program(&mut old), changed: program(&mut new), change }
}

fn compare(both: &Both, seeds: [u64; 2], pairs: u64, threads: usize) -> (Found, Plan) {
    let plans = [(&both.base, seeds[0]), (&both.changed, seeds[1])]
        .map(|(program, seed)| Plan::new(&program.book, seed, Skill::RANDOM));
    let contest = Contest {
        base: both.base.clone(),
        changed: both.changed.clone(),
        base_plan: &plans[0],
        changed_plan: &plans[1],
        pairs,
        certainty: Certainty { matters: 0.02, error: 0.05 },
        until_sure: true,
        threads,
        rows: None,
    };
    let found = contest.play(&AtomicUsize::new(0), &mut |_, _| true).expect("games");
    let [_, changed] = plans;
    (found, changed)
}

/// What strangers may write into a part that no games come to is of no use, and nothing that is added up or told of it is
/// worked out.
#[test]
fn sums_that_no_pairs_come_to_do_not_fit() {
    let both = both(&coins(50, 3), &coins(60, 3));
    let (found, _) = compare(&both, [1, 1], 128, 1);
    assert_eq!((found.ended, found.sums.fits(&found.sums)), (Ended::Done, true));
    let told = serde_json::to_string(&found.sums).expect("sums are data");
    let changed = |key: &str, value: u64| -> Sums {
        let begin = told.find(key).unwrap_or_else(|| panic!("there is no {key}")) + key.len();
        let end = begin + told[begin..].find(|c: char| !c.is_ascii_digit()).expect("it is a number");
        let other = format!("{}{value}{}", &told[..begin], &told[end..]);
        serde_json::from_str(&other).expect("sums of the same form")
    };
    for (key, value) in [("\"least\":", 90_000), ("\"most\":", 1), ("\"count\":", 3), ("\"pairs\":", 1)] {
        assert!(!changed(key, value).fits(&found.sums), "{key}");
    }
    // What is only too much stays at the greatest number.
    let mut most = changed("\"won\":[", u64::MAX);
    assert!(most.fits(&found.sums));
    most.merge(&found.sums);
    assert_eq!(most.sides[0].tally.won[0], u64::MAX);
}

/// With three players any of the three may be told wrongly.
#[test]
fn players_share_the_error() {
    let certainty = Certainty { matters: 0.02, error: 0.06 };
    let of = |sides: &str| {
        let text = format!(
            "kind side = {sides}\nsetup Start {{ }}\nstep game {{ let die = roll(d6); if die > 3 {{ win(North) }}; win(South) }}\n"
        );
        let both = both(&text, &text);
        compare(&both, [1, 1], 4, 1).0
    };
    let shares = ["North, South", "North, South, East", "North, South, East, West"]
        .map(|sides| certainty.error / of(sides).tested(&certainty).error);
    assert_eq!(shares.map(f64::round), [1.0, 3.0, 4.0]);
}

/// Of forty comparisons of a change that matters just so much at most four miss it: the error is 5 percent, and five or more
/// of forty would come by chance in one of twenty such tests.
#[test]
fn a_planted_change_of_two_points_is_found() {
    let both = both(&coins(50, 3), &coins(52, 3));
    let (mut missed, mut pairs) = (0, 0);
    for seed in 1..=40 {
        let (found, _) = compare(&both, [seed, seed], 20_000, 2);
        match found.verdicts[..] {
            [Verdict::More, Verdict::Less] => {}
            [Verdict::Same, Verdict::Same] => missed += 1,
            _ => panic!("seed {seed}: {:?} after {} pairs", found.verdicts, found.sums.pairs),
        }
        pairs += found.sums.pairs;
        // On the same luck nobody who won by 50 loses by 52.
        assert_eq!(found.sums.differences[0].of_value(-1.0), 0);
        let won = found.sums.sides.each_ref().map(|side| side.tally.won[0]);
        assert_eq!(won[1] - won[0], found.sums.differences[0].of_value(1.0));
    }
    assert!(missed <= 4, "{missed} missed");
    assert!(pairs < 40 * 1_000, "{pairs} pairs in all");
}

/// Of forty comparisons of rules with themselves, on luck of their own, at most four say that something is otherwise; of the
/// first ten at most two.
#[test]
fn rules_are_like_themselves() {
    let both = both(&coins(50, 3), &coins(50, 3));
    let wrong = (1..=tries(10, 40)).filter(|&seed| {
        let (found, _) = compare(&both, [seed, seed + 1000], 40_000, 2);
        assert_ne!(found.verdicts[0], Verdict::Open, "seed {seed}, {} pairs", found.sums.pairs);
        found.verdicts[0] != Verdict::Same
    });
    let wrong = wrong.count();
    assert!(wrong <= tries(2, 4), "{wrong}");
}

/// Of three changed lines one parts the games: the stakes, by which North may win. What is said of waiting and how a number
/// is written parts none.
#[test]
fn the_line_that_parts_them_is_found_among_several() {
    let stakes_win = |text: String| text.replace("if die <= limit {", "if die <= limit or North.stake > 9 {");
    let changed = coins(50, 2).replace("\"waits\"", "\"waits and sees\"").replace("= 50", "= 45 + 5");
    let both = both(&stakes_win(coins(50, 3)), &stakes_win(changed));
    assert_eq!(both.change.hunks().len(), 3);
    let (found, plan) = compare(&both, [9, 9], 2000, 2);
    assert!(!found.sums.parted.is_empty());
    let mut causes = Causes::new(&both.change, &Settings::default(), &both.changed.book, &plan);
    let told = found.causes(&mut causes, 50);
    let items: Vec<(&str, usize)> =
        told.keys().map(|cause| (cause.first.item.as_str(), cause.others.len())).collect();
    assert_eq!(items, [("rule stakes: number = 2", 0)]);
}

/// A rule that is new and the step that asks it part the games only together.
#[test]
fn lines_that_part_them_together_are_all_named() {
    let base = coins(50, 3).replace("if die <= limit {", "if die <= limit or North.stake > 9 {");
    let changed = base.replace("rule stakes: number = 3", "rule odds: number = 2");
    let both = both(&base, &changed.replace("die > stakes", "die > odds"));
    let (found, plan) = compare(&both, [9, 9], 2000, 2);
    let mut causes = Causes::new(&both.change, &Settings::default(), &both.changed.book, &plan);
    let told = found.causes(&mut causes, 5);
    let items: Vec<Vec<&str>> =
        told.keys().map(|cause| cause.lines().map(|lines| lines.item.as_str()).collect()).collect();
    assert_eq!(items.len(), 1, "{told:?}");
    let mut together = items[0].clone();
    together.sort_unstable();
    assert_eq!(together, ["rule odds: number = 2", "step wager(s: side)"]);
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let both = both(&coins(50, 3), &coins(52, 2));
    let told = |threads| {
        let (found, _) = compare(&both, [7, 7], 6_000, threads);
        (
            found.sums.pairs,
            found.sums.differences.clone(),
            found.sums.parted.clone(),
            found.sums.sides.map(|side| side.tally.won),
        )
    };
    assert_eq!(told(1), told(3));
}

/// What was done in games that were broken off is no more than their beginning: nothing is told of it by the game.
#[test]
fn games_that_come_to_no_end_are_not_measured() {
    let outlook = "rule outlook(s: side): number = s.stake\n";
    let base = coins(50, 3) + outlook;
    let both = both(&base, &base.replace("state stake: 0..90", "state stake: 0..9"));
    let (found, _) = compare(&both, [7, 7], 512, 2);
    let (sums, whole) = (&found.sums, found.sums.whole());
    assert!(whole > 20 && sums.broken() > 20 && sums.pairs == whole + sums.broken());
    assert!(sums.hide(0.02) && !sums.hide(1.0) && !sums.hide(0.0));
    for (gathered, program) in sums.gathered.iter().zip([&both.base, &both.changed]) {
        let fared = gathered.choices.by_name(program);
        // Each game that comes to its end has twenty decisions.
        assert_eq!(fared.values().map(|fared| fared.to_end).sum::<u64>(), 20 * whole);
        assert!(fared.values().map(|fared| fared.taken).sum::<u64>() > 20 * whole);
    }
    for side in &sums.sides {
        // Nor of a game that came to its end beside one that did not: the columns of a report are of the same pairs.
        assert_eq!([side.means.lead_changes.count(), side.tally.decisions.count()], [whole; 2]);
        assert!(side.led.iter().all(|part| part.iter().map(|led| led.games).sum::<u64>() <= whole));
    }
}

#[test]
fn who_is_sure_of_something_else_is_told() {
    let rules = coins(50, 3);
    let both = both(&rules, &rules);
    let of = |who: &str, north: Verdict, south: Verdict, least: f64, most: f64| {
        let (mut found, _) = compare(&both, [7, 7], 64, 1);
        found.verdicts = vec![north, south];
        for (interval, (least, most)) in found.intervals.iter_mut().zip([(least, most), (-most, -least)]) {
            (interval.least, interval.most) = (least, most);
        }
        (who.to_owned(), found)
    };
    let told = |levels: &[(String, Found)]| {
        let levels: Vec<_> = levels.iter().map(|(who, found)| (who.clone(), found)).collect();
        blazon_study::compare::disagreements(&both.base.book, &levels)
    };
    let weak = of("random", Verdict::More, Verdict::Less, 0.01, 0.05);
    let strong = of("greedy", Verdict::Same, Verdict::Same, -0.015, 0.005);
    let open = of("search", Verdict::Open, Verdict::Open, -0.3, 0.3);
    let said = "The players disagree: North wins more often between random players (+1.0 to +5.0 points) and about as often \
                between greedy players (−1.5 to +0.5 points). Believe the stronger.";
    assert_eq!(told(&[weak.clone(), strong, open.clone()]), [said]);
    assert!(told(&[weak.clone(), open]).is_empty());
    // A small difference is sure at one level, and that it is small at the other: both may be right.
    let small = of("even", Verdict::Same, Verdict::Same, -0.005, 0.018);
    assert!(told(&[weak.clone(), small.clone()]).is_empty());
    let other = of("greedy", Verdict::Less, Verdict::More, -0.05, -0.001);
    let said = "The players disagree: North wins more often between random players (+1.0 to +5.0 points) and less often \
                between greedy players (−5.0 to −0.1 points). Believe the stronger.";
    assert_eq!(told(&[weak.clone(), small, other]), [said]);
    // How much is part of it, and what is not sure by itself may be sure of that.
    let much = of("greedy", Verdict::More, Verdict::Less, 0.2, 0.4);
    let open = of("search", Verdict::Open, Verdict::Open, -0.04, 0.006);
    let said = "The players disagree: North wins more often between random players (+1.0 to +5.0 points), more often between \
                greedy players (+20.0 to +40.0 points) and perhaps as often between search players (−4.0 to +0.6 points). \
                Believe the stronger.";
    assert_eq!(told(&[weak.clone(), much, open]), [said]);
    assert!(told(&[weak.clone(), weak]).is_empty() && told(&[]).is_empty());
}

/// What is printed in a table, or of a thing, is what the outlook says as much as a rule that it asks.
#[test]
fn an_outlook_is_changed_by_what_is_printed() {
    let of = |salt: u32, row: u32, more: &str| {
        let text = format!(
            "kind town {{ fact salt: 0..9; fact dust: 0..9 }}\n\
             table town\n  | name | salt | dust |\n  | Market | {salt} | 1 |\n  | Mill | 2 | 1 |\n{more}\
             rule worth(n: 1..2): number\n  | n | worth |\n  | 1 | {row} |\n  | 2 | 5 |\n\
             rule outlook(s: side): number = worth(1) + total t in towns by t.salt\n"
        );
        let text = coins(50, 3) + &text;
        program(&mut rules(&text)).book.clone()
    };
    let told = |one: &blazon_book::Book, other: &blazon_book::Book| {
        blazon_study::compare::outlook_differs(one, other, &[]).is_some()
    };
    let base = of(1, 4, "");
    assert!(!told(&base, &of(1, 4, "")));
    assert!(told(&base, &of(3, 4, "")), "another fact");
    assert!(told(&base, &of(1, 6, "")), "another row");
    assert!(!told(&base, &of(1, 4, "  | Moor | 2 | 2 |\n")), "a thing more");
}
