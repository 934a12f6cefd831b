//! What is told of a rule's clauses comes to the rule's value: in positions of all games, for all rules that are asked of
//! nothing, of one thing or of a small number.

use std::sync::Arc;

use blazon::bots::{Pick, Random};
use blazon::told::Value;
use blazon::trace::{Held, Sort, Traced, Tracer};
use blazon::{Game, Program};
use blazon_book::{Base, Book, RuleId};
use blazon_check::Settings;
use blazon_tests::{parsed, program, rules_only};

/// The arguments that a rule is asked with: none, or each of some things.
fn arguments(book: &Book, rule: RuleId) -> Vec<Vec<i64>> {
    let rule = book.rule(rule);
    match &rule.locals[..rule.params] {
        [] => vec![Vec::new()],
        [param] => match param.ty.base {
            Base::Thing(kind) => {
                let count = book.kind(kind).things.len() as i64;
                (0..count).step_by((count as usize / 7).max(1)).map(|thing| vec![thing]).collect()
            }
            Base::Flag => vec![vec![0], vec![1]],
            Base::Number(lo, hi) => {
                (lo.max(-20)..=hi.min(20)).step_by(5).map(|number| vec![number]).collect()
            }
            Base::Set(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => Vec::new(),
        },
        [..] => Vec::new(),
    }
}

/// The value that the clauses come to; nothing where one of them could not be asked.
fn added_up(traced: &Traced) -> Option<Value> {
    let clauses = &traced.clauses;
    if clauses.iter().any(|clause| clause.held == Held::Failed) {
        return None;
    }
    if clauses.iter().any(|clause| clause.sort == Sort::Need) {
        let refuses = clauses.iter().any(|clause| clause.held == Held::No);
        return Some(Value::Flag(!refuses));
    }
    let mut whole = None;
    let decided = clauses.iter().filter(|clause| clause.decides);
    for clause in decided {
        let value = clause.value.as_ref().and_then(|answer| answer.value.clone())?;
        whole = Some(match (clause.sort, whole, value) {
            (Sort::Base | Sort::Exception, _, value) => value,
            (Sort::Plus, Some(Value::Number(sum)), Value::Number(more)) => Value::Number(sum + more),
            (Sort::Minus, Some(Value::Number(sum)), Value::Number(less)) => Value::Number(sum - less),
            (Sort::Plus, Some(Value::Things(mut all)), more) => {
                all.extend(names(&more));
                Value::Things(all)
            }
            (Sort::Minus, Some(Value::Things(mut all)), less) => {
                all.retain(|name| !names(&less).contains(name));
                Value::Things(all)
            }
            (sort, whole, value) => panic!("{sort:?} {value:?} to {whole:?} of {}", traced.asked),
        });
    }
    whole
}

fn names(value: &Value) -> Vec<String> {
    match value {
        Value::Things(names) => names.clone(),
        Value::Thing(name) => vec![name.clone()],
        Value::Nothing => Vec::new(),
        other => panic!("{other:?} are no things"),
    }
}

fn sorted(value: Option<Value>) -> Option<Value> {
    match value {
        Some(Value::Things(mut names)) => {
            names.sort();
            names.dedup();
            Some(Value::Things(names))
        }
        other => other,
    }
}

/// Compares in positions of a game played by chance; answers how many rules were asked, with how many clauses, and how
/// often an exception decided.
fn compare(played: &Arc<Program>, stops: &[usize]) -> (usize, usize, usize) {
    let book = played.book.clone();
    let rules: Vec<RuleId> = (0..book.rules.len() as u32).map(RuleId).collect();
    let tracer = Tracer::new(&book, &rules, 0).expect("it is not too large");
    let (mut asked, mut clauses, mut exceptions) = (0, 0, 0);
    for &stop in stops {
        let mut game = Game::new(played.clone()).expect("a start");
        game.begin(stop as u64).expect("it begins");
        let mut bot = Random::new(stop as u64, Pick::ByName);
        for _ in 0..stop {
            let Some(player) = game.decider() else { break };
            game.choose_by(player, &mut bot).expect("an open option");
        }
        let mut other = tracer.bring(&game).expect("its log can be played");
        assert_eq!(other.view(None).expect("a view"), game.view(None).expect("a view"), "{stop}");
        for &rule in &rules {
            for args in arguments(&book, rule) {
                let traced = tracer.trace(&mut other, rule, &args);
                let plain = game.value_by_id(rule, &args);
                assert_eq!(traced.value.failed, plain.is_err(), "{stop}: {traced:#?}");
                assert_eq!(traced.value.value, plain.clone().ok(), "{stop}: {traced:#?}");
                asked += 1;
                clauses += traced.clauses.len();
                exceptions += usize::from(
                    traced.clauses.iter().any(|clause| clause.decides && clause.sort == Sort::Exception),
                );
                let row = traced.clauses.iter().any(|clause| clause.sort == Sort::Row);
                let sum = added_up(&traced);
                if let (Ok(plain), Some(sum), false) = (plain, sum, row) {
                    assert_eq!(sorted(Some(sum)), sorted(Some(plain)), "{stop}: {traced:#?}");
                }
            }
        }
    }
    (asked, clauses, exceptions)
}

#[test]
fn clauses_come_to_the_value() {
    for (name, stops) in
        [("richard-iii", [3, 90, 260]), ("lionheart", [2, 40, 210]), ("salt-road", [1, 20, 60])]
    {
        let (asked, clauses, exceptions) =
            compare(&program(&parsed(&rules_only(name, &[])), &Settings::default()), &stops);
        assert!(asked > 300 && clauses > asked && exceptions > 20, "{name}: {asked} {clauses} {exceptions}");
    }
}
