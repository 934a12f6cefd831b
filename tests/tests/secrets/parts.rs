//! Rules put together from parts: each way that each set of cards may come to where each thing is done with one of them.

/// The game that they are about.
pub const GAME: &str = r#"
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
pub const SOURCES: &[&str] = &[
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
pub const WAYS: &[(&str, &str)] = &[
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
pub const DEEDS: &[&str] = &[
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

/// What may decide whether `v` sees a box.
pub const LABELS: &[&str] = &[
    "any c in SOURCE where c.hand = Blue",
    "any c in SOURCE where c.hand = v",
    "any c in SOURCE where c.worth > 5",
    "any c in SOURCE where c = Ace",
    "any c in SOURCE where c.is high and c.hand = v",
    "not any c in SOURCE where c.worth > 5 and c.hand = Blue",
    "count SOURCE > 1",
    "SOURCE.away > 0",
    "(total c in SOURCE by c.worth) > 9",
];

/// Pages on which one of them, of cards that come from somewhere, decides who sees a box: by itself, and as a clause.
pub fn labelled(source: &str, label: &str) -> [String; 2] {
    let label = label.replace("SOURCE", source);
    let page = |seen: String| {
        format!("kind box = Chest, Trunk {{\n  state full: flag\n  seen by v: {seen}\n}}\nstep probe {{ }}")
    };
    [page(format!("v = Blue or {label}")), page(format!("v = Blue\n    except open: yes if {label}"))]
}

/// A page that does one of them, of cards that come from somewhere in some way.
pub fn page(source: &str, way: &(&str, &str), deed: &str) -> String {
    let put = |text: &str| text.replace("DO", deed).replace("SOURCE", source);
    format!("step probe {{ {} }}\n{}", put(way.0), put(way.1))
}
