//! The proof that nobody learns what is hidden, for all readings of a game at once, held against the proofs of its single
//! readings: the Ford with cards, and with rulings that decide what the rules say of them.

mod common;
#[allow(dead_code, reason = "only games are loaded here")]
#[path = "editor/loading.rs"]
mod loading;

use blazon_check::project::{Parsed, parse};
use blazon_check::{Settings, check, is_proved_of_all_readings};
use blazon_fixtures::Section;

const CARDS: &str = "\
kind card {
  fact  worth  : 1..9 = 3
  state hand   : side?
  state turned : flag
  seen by v: v = card.hand or card.turned
  back: hand
}
table card
  | name | worth |
  | Ace  | 9     |
  | Two  | 2     |
rule hand(s: side): set of card = all c in cards where c.hand = s
rule best(s: side): number = total c in s.hand by c.worth
rule open(s: side): number = total c in (all c in s.hand where c.turned) by c.worth
ruling wealth told: Never or Open or Always \"Are the cards of a hand told?\"
ruling turns: no or yes                     \"Are cards turned when they are dealt?\"
ruling hands known: no or yes               \"Does everybody know what a hand is worth?\"
before game { for c in cards { c.turned := no; c.hand := Red } }
";

/// The Ford with cards and more.
fn parsed(more: &str) -> Parsed {
    let project = common::project(&[Section::new("page", &(CARDS.to_owned() + more))]);
    parse(&project).unwrap_or_else(|(_, said)| panic!("{said:?}"))
}

/// Every reading: name and value of each ruling.
fn readings() -> Vec<Vec<(String, String)>> {
    let mut all = vec![Vec::new()];
    for (name, values) in [
        ("wealth told", &["Never", "Open", "Always"][..]),
        ("turns", &["no", "yes"]),
        ("hands known", &["no", "yes"]),
    ] {
        let with = |reading: &Vec<(String, String)>| {
            let reading = reading.clone();
            values.iter().map(move |value| {
                let mut reading = reading.clone();
                reading.push((name.to_owned(), (*value).to_owned()));
                reading
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// The readings of which somebody learns what is hidden, in words.
fn leaking(parsed: &Parsed) -> Vec<String> {
    let mut found = Vec::new();
    for rulings in readings() {
        let words: Vec<&str> = rulings.iter().map(|(_, value)| value.as_str()).collect();
        let words = words.join(" ");
        let said = check(parsed, &Settings { rulings, ..Settings::default() }).diagnostics;
        for error in said.iter().filter(|said| said.is_error()) {
            assert_eq!(error.code, "hidden::leak", "{words}: {}", error.message);
        }
        if said.iter().any(|said| said.is_error()) {
            found.push(words);
        }
    }
    found
}

fn is_proved(parsed: &Parsed) -> bool {
    is_proved_of_all_readings(parsed, &Settings::default())
}

#[test]
fn what_leaks_in_no_reading_is_proved_of_all() {
    for more in [
        // Nothing is told.
        "",
        // What is told is seen, by whatever ruling.
        "under wealth told != Never { after turn { say \"{s.open} points\" } }",
        // A rule that is another in each reading.
        "rule told(s: side): number = 0\n\
         under wealth told = Open { in rule told { except open: s.open } }\n\
         after turn { say \"{s.told} points\" }",
        // Told only where all know it.
        "rule told(s: side): number = s.best\n\
         under hands known = yes { in rule told { known to all } }\n\
         under hands known = yes { after turn { say \"{s.told} points\" } }",
    ] {
        let parsed = parsed(more);
        assert_eq!(leaking(&parsed), Vec::<String>::new(), "{more}");
        assert!(is_proved(&parsed), "{more}");
    }
}

#[test]
fn what_leaks_in_one_reading_is_proved_of_none() {
    let one = parsed("under wealth told = Always { after turn { say \"{s.best} points\" } }");
    let always = ["Always no no", "Always no yes", "Always yes no", "Always yes yes"];
    assert_eq!(leaking(&one), always);
    assert!(!is_proved(&one));
}

#[test]
fn what_leaks_only_where_two_rulings_meet_is_found() {
    let two = parsed(
        "rule told(s: side): number = 0\n\
         under wealth told = Always { in rule told { except all: s.best } }\n\
         under turns = yes { after turn { say \"{s.told} points\" } }",
    );
    assert_eq!(leaking(&two), ["Always yes no", "Always yes yes"]);
    assert!(!is_proved(&two));
}

#[test]
fn one_ruling_has_not_two_values_at_once() {
    let parsed = parsed(
        "rule told(s: side): number = 0\n\
         under wealth told = Always { in rule told { except all: s.best } }\n\
         under wealth told = Open { after turn { say \"{s.told} points\" } }",
    );
    assert_eq!(leaking(&parsed), Vec::<String>::new());
    assert!(is_proved(&parsed));
}

#[test]
fn a_ruling_counts_before_what_is_asked_beside_it() {
    let parsed = parsed(
        "rule best card(s: side): card? = highest c in s.hand by c.worth\n\
         rule lead(s: side): card? = lowest c in s.hand where c.turned by c.worth\n\
         under wealth told = Always { in rule lead { except best: s.best card } }\n\
         under wealth told = Open {\n\
           in step turn { in option march { needs poor if any s.rival.lead: s.rival.open < 5 else \"rich\" } }\n\
         }",
    );
    assert_eq!(leaking(&parsed), Vec::<String>::new());
    assert!(is_proved(&parsed));
}

#[test]
fn rules_that_ask_each_other_in_no_reading_are_no_trap() {
    let parsed = parsed(
        "rule this(s: side): number = 0\n\
         rule that(s: side): number = 0\n\
         under turns = yes { in rule this { except turned: s.that } }\n\
         under turns = no { in rule that { except hidden: s.this } }\n\
         after turn { say \"{s.this} and {s.that}\" }",
    );
    assert_eq!(leaking(&parsed), Vec::<String>::new());
    assert!(!is_proved(&parsed));
}

#[test]
fn what_decides_who_sees_is_the_same_in_every_reading() {
    // By the first reading, whether a card is turned is a secret of its own.
    let masked = CARDS.replace(" or card.turned", "")
        + "under turns = yes { in kind card { in seen by v { except turned: yes if card.turned } } }\n\
           state showing: flag\n\
           after turn { for c in cards { if c.turned { showing := yes } } }\n";
    let project = common::project(&[Section::new("page", &masked)]);
    let parsed = parse(&project).unwrap_or_else(|(_, said)| panic!("{said:?}"));
    assert_eq!(leaking(&parsed).len(), 6);
    assert!(!is_proved(&parsed));
}

#[test]
fn pages_that_cannot_be_read_are_proved_of_nothing() {
    let broken = parsed("rule wrong: number = missing\nafter turn { say \"{wrong}\" }");
    assert!(!is_proved(&broken));
}

#[test]
fn all_readings_of_the_games_are_proved() {
    for game in ["richard-iii", "lionheart", "salt-road"] {
        let variants = std::fs::read_dir(loading::top().join("rules").join(game).join("variants"));
        let names =
            variants.into_iter().flatten().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut variants: Vec<String> = names.collect();
        variants.sort();
        let stacks = std::iter::once(Vec::new()).chain(variants.iter().map(|name| vec![name.as_str()]));
        for stack in stacks {
            let parsed = parse(&loading::game(game, &stack)).expect("pages that can be read");
            assert!(is_proved(&parsed), "{game} {stack:?}");
        }
    }
}

/// What takes too long is no proof, and no silence: what is said is shown in `reject/hidden-not-found-out`.
#[test]
fn what_is_not_proved_within_its_limit_is_said() {
    let parsed = parsed("");
    let errors = |proof_limit| {
        let checked = check(&parsed, &Settings { proof_limit, ..Settings::default() });
        checked.diagnostics.iter().filter(|said| said.is_error()).count()
    };
    assert_eq!((errors(None), errors(Some(200_000)), errors(Some(5))), (0, 0, 1));
}
