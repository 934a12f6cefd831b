//! What a clean check promises, held against the machine on small rules put together from parts: where things come from,
//! how they are handed on, and what is done with them at the end. Two positions differ only in which of two cards lies
//! hidden in Blue's hand; what is checked without a word looks the same to Red in both, and is told alike.

use std::sync::Arc;

use blazon_check::project::{Folder, Page, Project, parse};
use blazon_check::{Settings, check};
use blazon_machine::Machine;
use blazon_program::Program;
use blazon_tests::pairs::{knows, lead};

const MANIFEST: &str = r#"Game(name: "Secrets", player: "side", begins: "game")"#;

const GAME: &str = r#"
kind side = Red, Blue
kind card {
  fact  worth  : 1..9 = 1
  state hand   : side?
  state tapped : flag
  seen by v: v = card.hand
  back: hand
}
table card
  | name | worth |
  | Ace  | 9     |
  | Low  | 1     |
  | Two  | 2     |
state gone : flag
state told : 0..9
state kept : card?
state mode : flag
setup Dawn (card: hand) { Two: Red; others: none }
rule hand(s: side): set of card = all c in cards where c.hand = s
rule high: set of card = all c in cards where c.worth > 5
rule some: set of card = all c in cards where c.hand = Blue
  except high: all c in cards where c.worth > 5 if mode
rule same(s: set of card): set of card = s
rule one(c: card): card = c
rule away(s: set of card): number = count c in s where c.hand = Blue
rule is high(c: card): flag = any d in cards where d.worth > 5 and d = c
step game { for s in sides { turn(s) }; win(Red) }
step turn(s: side) {
  mode := yes
  probe
  choose by s "Next?" { option wait "Wait" { } }
}
test "one" { from Dawn; position (card: hand) { Ace: Blue; Low: none }; play turn(Red) }
test "two" { from Dawn; position (card: hand) { Low: Blue; Ace: none }; play turn(Red) }
"#;

/// Sets of cards.
const SOURCES: &[&str] = &[
    "(all d in cards where d.worth > 5)",
    "[Ace]",
    "high",
    "some",
    "Blue.hand",
    "(all d in cards where not any d.hand)",
    "(all d in Blue.hand where d.worth > 5)",
    "(all d in cards where d.hand = Blue or d.worth > 5)",
    "(high - Blue.hand)",
    "(lowest d in cards by d.worth)",
    "(first Blue.hand)",
];

/// How they come to where something is done with a card `c`: what `probe` does, and what else is written.
const WAYS: &[(&str, &str)] = &[
    ("for c in SOURCE { DO }", ""),
    ("for c in cards where c in SOURCE { DO }", ""),
    ("let s = SOURCE; for c in s { DO }", ""),
    ("for d in SOURCE { let c = d; DO }", ""),
    ("for d in SOURCE { let c = one(d); DO }", ""),
    ("with c = first SOURCE { DO }", ""),
    ("via(SOURCE)", "step via(s: set of card) { for c in s { DO } }"),
    ("for c in SOURCE { then(c) }", "step then(c: card) { DO }"),
    ("for c in SOURCE.same { DO }", ""),
    ("let s = give; for c in s { DO }", "step give: set of card { return SOURCE }"),
    ("for d in SOURCE { let c = back(d); DO }", "step back(c: card): card { return c }"),
    ("for d in SOURCE { kept := d }; with c = kept { DO }", ""),
    (
        "choose by Blue { option take(c in SOURCE) \"{c}\" { DO }; option leave \"Leave\" { }; option stay \"Stay\" { } }",
        "",
    ),
    (
        "choose by Red { option take(c in SOURCE) \"{c}\" { DO }; option leave \"Leave\" { }; option stay \"Stay\" { } }",
        "",
    ),
    (
        "choose by Red { option take(named c in SOURCE) \"{c}\" { DO }; option leave \"Leave\" { }; option stay \"Stay\" { } }",
        "",
    ),
];

/// What is done with it.
const DEEDS: &[&str] = &[
    "if c.hand = Blue { gone := yes }",
    "if any c.hand { say \"there\" }",
    "c.hand := none",
    "c.tapped := yes",
    "say \"{c}\"",
    "say \"{c.hand}\"",
    "say \"{c.worth}\"",
    "kept := c",
    "told := min(9, told + c.worth)",
    "if c.worth > 5 { gone := yes }",
    "if c = Ace { gone := yes }",
    "if c in high { gone := yes }",
    "if c.is high { gone := yes }",
    "if any d in cards where d.worth > 5 and d != c { gone := yes }",
    "if any d in SOURCE where d.hand = Blue and d = c { gone := yes }",
    "if SOURCE.away > 0 { gone := yes }",
    "told := count SOURCE",
];

/// A page that does one of them, of cards that come from somewhere in some way.
fn page(source: &str, way: &(&str, &str), deed: &str) -> String {
    let put = |text: &str| text.replace("DO", deed).replace("SOURCE", source);
    format!("{GAME}step probe {{ {} }}\n{}\n", put(way.0), put(way.1))
}

/// The program of a page; or the codes of what is wrong with it.
fn compiled(text: &str) -> Result<Arc<Program>, Vec<&'static str>> {
    let page = |name: &str, text: &str| Page { name: name.to_owned(), text: text.to_owned() };
    let game = Folder {
        manifest: Some(page("blazon.ron", MANIFEST)),
        pages: vec![page("secrets.blazon", text)],
        ..Folder::default()
    };
    let parsed = parse(&Project { game, ..Project::default() });
    let parsed = parsed.map_err(|(_, said)| said.iter().map(|said| said.code).collect::<Vec<_>>())?;
    let checked = check(&parsed, &Settings::default());
    let errors = checked.diagnostics.iter().filter(|said| said.is_error());
    let book = checked.book.ok_or_else(|| errors.map(|error| error.code).collect::<Vec<_>>())?;
    blazon_program::lower(book).map(Arc::new).map_err(|said| said.iter().map(|said| said.code).collect())
}

/// All that Red reads in a position, on the way there, and as the first option is taken, by the name of the test that
/// leads there; and how many options there are for others, which may hang on what they hide.
fn reads(program: &Arc<Program>, test: &str, red: u32) -> (String, Vec<usize>) {
    let test = program.book.tests.iter().find(|other| other.name == test).expect("a test");
    let mut machine = Machine::new(program.clone()).expect("a machine");
    machine.record(true);
    lead(&mut machine, test);
    let mut all = knows(&mut machine, red);
    let mut others = Vec::new();
    for _ in 0..2 {
        let Some(&decider) = machine.deciders().first() else { break };
        if decider != red {
            others.push(machine.options(decider).len());
        }
        machine.choose(decider, 0).expect("a legal choice");
        all.push_str(&knows(&mut machine, red));
    }
    (all, others)
}

#[test]
fn what_is_checked_without_a_word_tells_nothing() {
    let (mut clean, mut leaks, mut others) = (0, 0, 0);
    let mut told = Vec::new();
    for source in SOURCES {
        for way in WAYS {
            for deed in DEEDS {
                let text = page(source, way, deed);
                let probe = || text[text.find("step probe").unwrap_or_default()..].trim().to_owned();
                match compiled(&text) {
                    Ok(program) => {
                        clean += 1;
                        let things = &program.book.kind(program.book.player).things;
                        let red = things.iter().position(|side| side.name == "Red").expect("a side") as u32;
                        let ((one, here), (two, there)) =
                            (reads(&program, "one", red), reads(&program, "two", red));
                        if here != there {
                            // What Blue is free to do hangs on his hand, and so does what he does.
                            others += 1;
                            continue;
                        }
                        if let Some((a, b)) = one.lines().zip(two.lines()).find(|(a, b)| a != b) {
                            told.push(format!("{}\n  `{a}`\n  `{b}`", probe()));
                        } else if one != two {
                            told.push(format!("{}\n  more or fewer lines", probe()));
                        }
                    }
                    Err(codes) if codes.iter().all(|code| *code == "hidden::leak") => leaks += 1,
                    Err(codes) => panic!("{} is no rule: {codes:?}", probe()),
                }
            }
        }
    }
    println!("{clean} clean, {others} of them with other options for Blue; {leaks} that tell");
    assert!(told.is_empty(), "{} of {clean}:\n{}", told.len(), told.join("\n"));
    assert!(clean > 300 + others && leaks > 300, "{clean} clean, {others} not compared, {leaks} that tell");
}
