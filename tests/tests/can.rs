//! `can OPTION`, asked beside the option and elsewhere: it answers what the machine offers, and says why not. Small games with
//! tests of their own.

use blazon_tests::every_test_holds;

/// What is known around a choice is known to those who ask beside the option.
const BESIDE: &str = r#"
kind side = Red, Blue
kind pawn { fact power: 0..9 }
table pawn
  | name | power |
  | Pike | 1 |
  | Bow  | 5 |
state ace : pawn?
state gold : 0..9
setup Start { gold := 1 }
step pay(k: number) needs enough: k <= gold else "too dear" { gold -= k }
step game {
  if any ace {
    let price = ace.power - 3
    choose by Red "?" {
      option take "take" needs strong: ace.power > 3 else "too weak" { ace := none }
      option buy(m in 0..3) "buy {m}" needs fits: m <= price + 1 else "too many" { gold := m }
      option ride "ride" { pay(price) }
      option take twice "take twice" needs can take { ace := none }
      option buy more(m in 0..4) "buy {m} more" needs can buy(m) { gold := m }
      option buy all "buy all" needs can buy more(3) { gold := 9 }
      option ride on "ride on" needs can ride { gold := 0 }
      option pass { }
    }
  }
}
test "of what is there by a condition around" {
  from Start
  ace := Pike
  gold := 0
  play game
  refuse Red: take "too weak"
  refuse Red: take twice "too weak"
}
test "where it holds" { from Start; ace := Bow; play game; offer Red: take twice; Red: take twice; expect not any ace }
test "of what is named around" {
  from Start
  ace := Bow
  play game
  offer Red: buy more(3)
  refuse Red: buy more(4) "4 is not offered"
  Red: buy all
  expect gold = 9
}
test "less is named" { from Start; ace := Pike; play game; refuse Red: buy more(1) "too many"; refuse Red: buy all "too many" }
test "of a law that asks for what is named" {
  from Start
  ace := Bow
  play game
  refuse Red: ride "too dear"
  refuse Red: ride on "too dear"
}
test "and of one that holds" { from Start; ace := Bow; gold := 2; play game; Red: ride on; expect gold = 0 }
"#;

/// What is said behind `in` is asked, also beside the option.
const ELSEWHERE: &str = r#"
kind side = Red, Blue
kind piece = Pike, Bow, Cart { state of: side }
setup Start (piece: of) { Pike: Red; Bow: Red; Cart: Blue }
state tired : flag
rule foe(s: side): side = Red
  except red: Blue if s = Red
step game { for s in sides { go(s) } }
step go(s: side) {
  choose by s "?" {
    option rest(p in pieces where p.of = s) { tired := yes }
    option spy(p in pieces) needs can rest(p) in go(s.foe) { tired := yes }
    option own(p in pieces) needs can rest(p) in go(s) { tired := yes }
    option near(p in pieces where can rest(p) in go(Blue)) { tired := yes }
    option march(p in pieces) needs can rest(p) { tired := yes }
    option wait { }
  }
}
step talk {
  choose by each s in sides "?" {
    option give(p in pieces where p.of = s) { tired := no }
    option beg(p in pieces) needs can give(p) in talk(s.foe) { tired := no }
    option boast(p in pieces) needs can give(p) { tired := no }
    option hush { }
  }
}
test "of another side" {
  from Start
  play go(Red)
  offer Red: spy(Cart)
  offer Red: own(Pike)
  offer Red: near(Cart)
  offer Red: march(Bow)
  refuse Red: spy(Pike)
  refuse Red: own(Cart)
  refuse Red: near(Pike)
  refuse Red: march(Cart)
}
test "of each" {
  from Start
  play talk
  offer Red: beg(Cart)
  offer Red: boast(Pike)
  refuse Red: beg(Pike)
  refuse Red: boast(Cart)
  offer Blue: beg(Bow)
  offer Blue: boast(Cart)
  refuse Blue: beg(Cart)
}
"#;

/// The range of what a step is done with is kept where its option is asked for; and what an option is done with may ask for
/// another beside it, whether a law binds it or not.
const WITH_RANGES: &str = r#"
kind side = Red, Blue
kind piece = Pike, Bow, Cart { state of: side }
setup Start (piece: of) { Pike: Red; Bow: Red; Cart: Blue }
state got : 0..99
state lead(side) : piece?
rule twice(n: 0..3): 0..6 = n * 2
step game { ask(2) }
step pay(k: number) needs some: k > 1 else "few {k}" { got += k }
step go(m: 0..3) {
  choose by Red "?" {
    option a needs many: twice(m) > 3 else "few" { got += 1 }
    option wait { }
  }
}
step ask(m: 0..9) { if can a in go(m) { got += 10 } else { got += 1 } }
step muster(s: side) {
  choose by s "?" {
    option march(p in pieces where p.of = s) { got += 1 }
    option tally { let n = count p in pieces where can march(p); pay(n) }
    option wait { }
  }
}
step council {
  choose by each s in sides where any lead(s) "{lead(s).of} leads" {
    option call(k in 1..2) needs own: lead(s).of = s else "not {s}'s" { got += k }
    option doze { }
    option wait { }
  } else { got := 50 }
}
test "kept" { from Start; play ask(7); fails "run::range" }
test "within" { from Start; play ask(2); expect got = 10; play ask(1); expect got = 11 }
test "of two" { from Start; play muster(Red); Red: tally; expect got = 2 }
test "of one" { from Start; play muster(Blue); refuse Blue: tally "few 1" }
test "who leads" { from Start; lead(Red) := Cart; lead(Blue) := Cart; play council; refuse Red: call(1) "not Red's"; Blue: call(2); Red: wait; expect got = 2 }
test "nobody leads" { from Start; play council; expect got = 50 }
"#;

/// A need that a change puts in the place of another under a condition is asked in its place, before what relies on it.
const IN_ITS_PLACE: &str = r#"
kind side = Red, Blue
state fog : flag
state n : 0..9
setup Start { }
step game {
  choose by Red "?" {
    option a
      needs one: n > 0 else "one"
      needs two: 6 / n > 2 else "two"
    { n := 1 }
    option b { pay(n) }
    option rest { }
    option wait { fog := yes }
  }
}
step pay(k: 0..9)
  needs one: k > 0 else "one"
  needs two: 6 / k > 2 else "two"
{ n := k }
rule may(k: 0..9): permission
  needs one: k > 0 else "one"
  needs two: 6 / k > 2 else "two"
under fog {
  in step game { in option a { replace needs one: n > 1 else "new" } }
  in step pay { replace needs one: k > 1 else "new" }
  in rule may { replace needs one: k > 1 else "new" }
}
test "as it was" { from Start; play game; refuse Red: a "one"; refuse Red: b "one"; expect not may(0) }
test "in the fog" { from Start; fog := yes; play game; refuse Red: a "new"; refuse Red: b "new"; expect not may(0), not may(1), may(2) }
test "and then the other" { from Start; fog := yes; n := 3; play game; refuse Red: a "two"; refuse Red: b "two"; expect not may(3) }
"#;

/// Of bodies of which a condition lets one stand that one is asked, and it says why not.
const BODIES: &str = r#"
kind side = Red, Blue
state n : 0..9
state cold : flag
state late : flag
setup Start { }
step game {
  choose by Red "?" {
    option buy(m in 1..3) "{m}" needs fits: m != 2 else "too dear" { n := m }
    option sell(m in 0..3) "{m}" needs can buy(m) { n := 9 - m }
    option pass { cold := yes }
  }
}
under cold { in step game { replace option buy(m in 1..3) "{m}" needs warm: m != 3 else "too cold" { n := m } } }
step go {
  late := yes
  choose by Red "?" {
    option walk { n := 1 }
    option run needs can walk { n := 2 }
    option wait { n := 3 }
  }
}
under late { replace step go { n := 4 } }
step sell elsewhere {
  choose by Red "?" {
    option sell too(m in 0..3) "{m}" needs can buy(m) in game { n := 9 - m }
    option run too needs can walk in go { n := 2 }
    option stay { }
  }
}
test "the printed body, beside and elsewhere" {
  from Start
  play game
  offer Red: sell(3)
  refuse Red: sell(2) "too dear"
  refuse Red: sell(0) "0 is not offered"
  Red: pass
  cold := no
  play sell elsewhere
  offer Red: sell too(3)
  refuse Red: sell too(2) "too dear"
  refuse Red: sell too(0) "0 is not offered"
}
test "the other body, beside and elsewhere" {
  from Start
  cold := yes
  play game
  offer Red: sell(2)
  refuse Red: sell(3) "too cold"
  refuse Red: sell(0) "0 is not offered"
  Red: pass
  play sell elsewhere
  offer Red: sell too(2)
  refuse Red: sell too(3) "too cold"
  refuse Red: sell too(0) "0 is not offered"
}
test "a body that is under way stands" {
  from Start
  play go
  offer Red: walk
  offer Red: run
  Red: wait
  play sell elsewhere
  refuse Red: run too "not late"
}
"#;

#[test]
fn beside_the_option_what_is_known_around_the_choice_is_known() {
    every_test_holds(BESIDE);
}

#[test]
fn what_stands_behind_in_is_asked_beside_the_option_too() {
    every_test_holds(ELSEWHERE);
}

#[test]
fn what_a_step_is_done_with_is_kept_and_asked_for_in_its_law() {
    every_test_holds(WITH_RANGES);
}

#[test]
fn a_need_put_under_a_condition_is_asked_in_its_place() {
    every_test_holds(IN_ITS_PLACE);
}

#[test]
fn the_body_that_stands_is_asked_and_says_why_not() {
    every_test_holds(BODIES);
}
