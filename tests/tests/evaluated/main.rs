//! What rules answer and what options offer, held against the plainest way to work it out ([`naive`]), on rules that are put
//! together at random ([`blazon_tests::writer`]).

mod naive;
mod played;

use std::sync::Arc;

use blazon_book::{Base, LocalId, RuleId, StatementKind};
use blazon_machine::Machine;
use blazon_program::Program;
use blazon_tests::compiled;
use blazon_tests::pairs::{lead, number};
use blazon_tests::writer::{Writer, open_game};
use rayon::prelude::*;

use naive::play::{Offered, offered};
use naive::{Env, Position, Trouble, Value, read};

/// What came of a page, or of many.
#[derive(Default)]
struct Came {
    pages: usize,
    answers: usize,
    options: usize,
    differ: Vec<String>,
    none: Vec<String>,
}

impl Came {
    /// Asks all rules of a position that ask for single things.
    fn answers(&mut self, machine: &mut Machine, program: &Program) {
        let book = &program.book;
        let position = Position::of(book, machine);
        for (place, rule) in book.rules.iter().enumerate() {
            let things = |base: Base| base.thing().map(|kind| 0..book.kind(kind).things.len() as i64);
            let params: Option<Vec<_>> =
                rule.locals[..rule.params].iter().map(|param| things(param.ty.base)).collect();
            let Some(params) = params else { continue };
            let mut all = vec![Vec::new()];
            for param in params {
                let with = |args: &Vec<i64>| {
                    param.clone().map(|arg| [args.as_slice(), &[arg]].concat()).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(with).collect();
            }
            for args in all {
                let answer = machine.ask(RuleId(place as u32), &args);
                let given = args.iter().map(|&arg| Value::Word(arg)).collect();
                let by_hand = position.rule(RuleId(place as u32), given);
                self.answers += 1;
                let answer = answer.map(|answer| read(rule.ty, &answer)).map_err(|fault| fault.code);
                let is_same = match (&answer, &by_hand) {
                    (Ok(answer), Ok(by_hand)) => answer == by_hand,
                    (Err("run::range"), Err(Trouble::Range)) | (Err("run::clash"), Err(Trouble::Clash)) => {
                        true
                    }
                    // A rule that is asked of what it is never asked of: nothing is said of what comes of it.
                    (_, Err(Trouble::Unsound(_))) => true,
                    (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
                };
                if !is_same {
                    self.differ.push(format!("{}{args:?}: {answer:?}, by hand {by_hand:?}", rule.name));
                }
            }
        }
    }

    /// Looks at what is offered in a position.
    fn options(&mut self, machine: &Machine, program: &Program) {
        let book = &program.book;
        let probe = book.steps.iter().find(|step| step.name == "probe").expect("a step");
        let Some(StatementKind::Choose(choose)) = probe.body.first().map(|statement| &statement.kind) else {
            unreachable!("it is one choice")
        };
        let decider = machine.deciders()[0];
        let env = Env::from([(LocalId(0), Value::Word(i64::from(decider)))]);
        let position = Position::of(book, machine);
        let mut by_hand = Vec::new();
        for (place, option) in choose.options.iter().enumerate() {
            let offers = offered(&position, (place as u16, option), 0, &env, &mut by_hand);
            offers.expect("needs that can be told");
        }
        let options = machine.options(decider).iter();
        let mut found: Offered = options.map(|option| (option.option, option.args.to_vec())).collect();
        found.sort_unstable();
        by_hand.sort_unstable();
        self.options += found.len();
        if found != by_hand {
            self.differ.push(format!("offered {found:?}, by hand {by_hand:?}"));
        }
    }

    /// Looks at a page.
    fn page(game: &str, rules: &str) -> Self {
        let mut came = Self { pages: 1, ..Self::default() };
        let program: Arc<Program> = match compiled(&format!("{game}{rules}\n")) {
            Ok(program) => program,
            Err(codes) => return Self { none: vec![format!("{codes:?}: {rules}")], ..came },
        };
        for test in program.book.tests.iter().filter(|test| test.name.starts_with("position")) {
            let mut machine = Machine::new(program.clone()).expect("a machine");
            lead(&mut machine, test);
            came.answers(&mut machine, &program);
            came.options(&machine, &program);
        }
        came.differ.truncate(1);
        came.differ.iter_mut().for_each(|differ| differ.insert_str(0, &format!("{rules}\n  ")));
        came
    }

    fn and(mut self, other: Self) -> Self {
        self.pages += other.pages;
        self.answers += other.answers;
        self.options += other.options;
        self.differ.extend(other.differ);
        self.none.extend(other.none);
        self
    }
}

/// `BLAZON_EVALUATED=200000` looks at more pages.
#[test]
fn answers_and_offers_are_what_they_come_to() {
    let (game, from) = (open_game(), number("BLAZON_EVALUATED_FROM", 0) as u64);
    let seeds = from..from + number("BLAZON_EVALUATED", 3000) as u64;
    let pages = seeds.into_par_iter().map(|seed| Came::page(&game, &Writer::questions(seed)));
    let Came { pages, answers, options, mut differ, none } = pages.reduce(Came::default, Came::and);
    println!("{pages} pages, {} of them none; {answers} answers and {options} options", none.len());
    differ.sort_by_key(String::len);
    let many = differ.len();
    differ.truncate(6);
    assert!(differ.is_empty(), "{many} differ:\n{}", differ.join("\n\n"));
    assert!(none.len() * 50 <= pages, "{}", none[0]);
    assert!(answers > 20 * pages && options > 5 * pages);
}

#[test]
fn what_a_domain_says_may_be_said_again_by_a_need() {
    let domains =
        ["s.hand", "(all c in cards where c.hand = s)", "(cards & s.hand)", "(s.hand & [Two, Ten])"];
    for domain in domains {
        for need in ["x in s.hand", "x.hand = s", "x.hand = Red", "x.hand = Red and x.hand = s"] {
            let option = format!("option take(x in {domain}) \"{{x}}\" needs fit: {need} else \"no\" {{ }}");
            let rules = format!(
                "step probe(s: side) {{ choose by s \"?\" {{ {option}; option leave \"Leave\" {{ }}; option stay \"Stay\" {{ }} }} }}\n\
                 test \"position\" {{ from Dawn; Ace.hand := Red; play probe(Red) }}"
            );
            let came = Came::page(&open_game(), &rules);
            assert!(came.differ.is_empty() && came.none.is_empty(), "{:?} {:?}", came.differ, came.none);
            assert_eq!(
                came.options,
                if domain.contains('&') && domain.contains('[') { 3 } else { 4 },
                "{rules}"
            );
        }
    }
}
