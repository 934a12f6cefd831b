//! Questions that the compiler asks in another order than they are written, or of many things at once: small games with tests of
//! their own, in which that would make a difference.

use blazon_tests::{compiled, every_test_holds};

/// A question of a path whose beginning is known to be there says itself whether it goes on.
const WHERE_ONE_IS: &str = r#"
kind side = Red, Blue
kind area = Harbour, Mill { fact home: side? }
table area
  Harbour: home Red
kind piece = Foot, Horse { state at: area? }
setup Start (piece: at) { Foot: Harbour; Horse: Mill }
rule at home: set of piece = all p in pieces where any p.at and any p.at.home
step game {
  choose by Red "Who goes home?" {
    option go home(p in pieces)
      needs there: any p.at
      needs home: any p.at.home else "{p.at} is nobody's home"
    { p.at := none }
    option stay { }
  }
}
test "the rule" { from Start; expect at home = [Foot] }
test "can" { from Start; expect not can go home(Horse) in game }
test "the menu" { from Start; play game; refuse Red: go home(Horse) "Mill is nobody's home" }
"#;

/// What has no answer is asked only where the rules ask it: behind what comes before it, of what there is.
const WITHOUT_AN_ANSWER: &str = r#"
kind side = Red, Blue
kind piece = Foot, Horse { state ready: flag; state shots: 0..9 }
state gold : 0..99
state camp : set of piece
setup Start { }
rule share(n: 1..9): number = 9 / n
rule rich: set of piece = all p in pieces where p.ready and gold / (count camp) > 1
rule fits: set of piece = all p in pieces where p.shots > 0 and any q in pieces where q.ready and p.shots.share > 1
step game {
  choose by Red "Who is paid?" {
    option pay(p in pieces)
      needs ready: p.ready else "{p} is not ready"
      needs enough: gold / (count camp) > 1 else "too poor"
    { gold -= 1; p.ready := no; p.shots := 1; camp += p }
  } else { say "nobody" }
}
step inspect { for p in camp where gold / (count camp) > 1 { say "{p}" } }
after game { inspect }
test "nobody is ready, so nothing is divided" { from Start; expect not any rich }
test "nobody is ready, so nobody is paid" { from Start; play game }
test "an empty camp" { from Start; play inspect }
test "shots" { from Start; expect not any fits }
"#;

/// Something absent has no neighbours, whatever else is asked of it.
const NOBODY: &str = r#"
kind side = Red, Blue
kind area = Mill, Ford { fact home: side?; state lord: side?; state lv: 0..9 }
table area
  Ford: home Red
kind road = area - area
links road
  Mill - Ford
kind piece = Foot, Horse { state at: area?; state pal: piece? }
setup Start { Horse.at := Mill }
rule near help(p: piece): flag =
    any x in p.pal.at.neighbours where any (all u in areas where u.lord = p.pal.at.home) and x.lv < 3
step game { say "{all p in pieces where p.near help}"; Foot.at := Ford; Foot.pal := Horse; Ford.lord := Red; Mill.lv := 3 }
test "nobody has a pal" { from Start; expect not Foot.near help }
"#;

/// What a rule asks of something that may be absent is asked behind its own question whether it is there.
const ONE_OR_THE_OTHER: &str = r#"
kind side = Red, Blue
kind area = Mill, Ford
kind piece = Foot, Horse { state at: area?; state side: side = Red }
state chief  : piece?
state acting : side = Red
setup Start { }
rule force(a: area): set of piece = all p in pieces where p.at = a and p.side = acting
step game {
  choose by Red "Where?" {
    option go(a in areas)
      needs led: chief in force(a) or a = Ford
    { chief := Foot; acting := Blue; Foot.at := a; Foot.side := Blue }
    option wait { }
  }
}
test "nobody leads" { from Start; play game; offer Red: go(Ford) }
"#;

/// What is asked of each thing may rely on what is asked before it of all that lie in one place.
const THINGS_AND_GROUPS: &str = r#"
kind side = Red, Blue
kind area = Mill, Ford { state burnt: flag; fact near: area? }
kind road = area - area { fact bad: flag }
kind piece = Foot, Horse { state at: area?; state home: area? }
setup Start { }
rule force(a: area): set of piece = all p in pieces where p.at = a
step game {
  choose by Red "Who?" {
    option go(p in pieces where p.at.burnt and road(p.home, p.at.near).bad)
    { Foot.at := Mill; Mill.burnt := yes; Foot.home := Mill }
    option wait { say "{Mill.force}" }
    option stay { }
  }
}
test "nobody goes" { from Start; play game; Red: wait }
"#;

/// A parameter that turns out not to be needed is named all the same.
const NEEDLESS: &str = r#"
kind side = Red, Blue
kind piece = Foot, Horse { state leader: piece = Foot; state strength: 0..9 = 2 }
setup Start { }
step relieve(old: piece, p: piece) {
  choose by Red "Who?" {
    option take over(x in pieces)
      needs strong: (p.leader otherwise old).strength > 3
    { x.strength := 9; x.leader := x }
    option wait { say "wait" }
    option stay { say "stay" }
  }
}
step game { relieve(Foot, Horse) }
test "can says no" { from Start; expect not can take over(Horse) in relieve(Foot, Horse) }
test "the menu says no" { from Start; play relieve(Foot, Horse); refuse Red: take over(Horse) }
"#;

/// What a need asks only in some case takes nothing for present in the others.
const IN_SOME_CASE: &str = r#"
kind side = Red, Blue
kind colour = C1, C2
kind area = A1, A2, A3 { fact home: side?; fact hue: colour }
kind road = area - area
table area
  | name | home | hue |
  | A1   | Red  | C1  |
  | A2   |      | C1  |
  | A3   | Blue | C1  |
links road
  A1 - A2, A2 - A3
kind piece = P1 { fact tribe: colour = C2; state at: area? }
state seen(area, side): flag
setup Start { P1.at := A1 }
step game {
  choose by Red "pick" {
    option o(x in areas, y in roads, z in (road(roads.ends, x)) where P1.tribe != x.hue)
      needs n0 if x.home = Red: x.seen(x.home) else "no0"
    { x.seen(Blue) := yes; P1.at := x; x.seen(Red) := yes; say "{y} {z}" }
  } else { say "none" }
}
test "some" { from Start; play game; offer Red: o(A2, A1 - A2, A1 - A2); refuse Red: o(A1, A1 - A2, A1 - A2) "no0" }
"#;

/// A law is asked of what its step is done with, whatever that is: a query, a sum.
const OF_ANYTHING: &str = r#"
kind side = Red, Blue
kind area = Mill, Ford { fact worth: 0..9; state lord: side? }
table area
  Mill: worth 0
  Ford: worth 3
kind piece = Foot, Horse { state at: area?; state n: 0..9 }
state gold : 0..9
setup Start { Horse.at := Ford; Horse.n := 1 }
setup Rich { gold := 1 }
rule inn(n: 0..9): area? = none
  except ford: Ford if n = 3 and gold > 0
step go(p: piece)
  needs out: any p.at else "{p} is nowhere"
  needs dear: p.at.worth / p.n > 1 else "{p.at} is worth nothing"
{ p.n += 1 }
step ride(n: 0..9)
  needs far: any inn(n) else "nothing is {n} away"
  needs dear: 9 / n.inn.worth = 3 else "it is worth nothing"
{ gold -= 1 }
step game {
  choose by Red "Who goes?" {
    option lead { go(first pieces) }
    option best { go(highest p in pieces by p.n) }
    option ride(n in 1..3) { ride(n + 1) }
    option stay { }
  }
}
test "nowhere" { from Start; play game; refuse Red: lead "Foot is nowhere" }
test "somewhere" { from Start; play game; Red: best; expect Horse.n = 2 }
test "with nothing" { from Start; play game; refuse Red: ride(2) "nothing is 3 away" }
test "with gold" { from Rich; play game; refuse Red: ride(1) "nothing is 2 away"; Red: ride(2); expect gold = 0 }
"#;

/// What holds where a way begins need not hold of what is reached.
const REACHED: &str = r#"
kind side = Red, Blue
kind area = Mill, Ford { fact size: 0..9 = 3 }
table area
  Ford: size 4
kind piece = Foot, Horse, Guns { state at: area?; state n: 0..9 }
setup Start { Foot.at := Mill; Guns.n := 5 }
rule chain(p: piece): set of piece =
    reach q in [p] where any q.at by (all o in pieces where o.n < q.at.size)
step game { say "{Foot.chain}"; Foot.at := Ford; Foot.n := 2 }
test "chain" { from Start; expect Foot.chain = [Foot, Horse] }
"#;

/// What ways cost is a part of them, even where nothing that they ask is known by any parameter of an option.
const WAYS: &str = r#"
kind side = Red, Blue
kind card = Ace, Low, Two { state place: 1..3 = 1; state held: side? }
state pile : set of card
setup Start { Ace.place := 3; Two.place := 2; Ace.held := Red; Low.held := Red; pile := [Ace, Two] }
step game {
  choose by Red "Which?" {
    option take(c in cards, d in ((all e in cards where any c.held) & (reach l in [c] by m in pile by m.place within 2))) { }
    option wait { }
    option pass { }
  }
}
test "ways" {
  from Start
  play game
  offer Red: take(Low, Two)
  offer Red: take(Ace, Ace)
  refuse Red: take(Low, Ace)
}
"#;

/// What is asked of numbers is read by whoever sees what they ask of, whatever else of its kind he does not see.
const OF_NUMBERS: &str = r#"
kind side = Red, Blue
kind class (classes) = Foot, Guns
kind unit {
  fact class : class
  fact side  : side
  seen by v: v = unit.side
  back: side
}
table unit
  Ann: class Guns; side Red
  Bob: class Guns; side Blue
state shots : 0..9
setup Start { }
rule strength(u: unit, n: number): number = n
  + guns: 2 if u.class = Guns
rule odds(u: unit): number = count n in 1..6 where u.strength(n) > 5
rule fewest(u: unit): number = (min n in 1..6 where u.strength(n) > 5 by u.strength(n)) otherwise 0
step game {
  choose by Red "Shoot?" {
    option shoot(u in units where u.side = Red)
      needs never: shots > 5 else "{odds(u)} of 6, {fewest(u)}, {count n in 1..2 where n > 1}"
    { }
    option wait { }
    option pass { }
  }
}
test "odds" {
  from Start
  play game
  refuse Red: shoot(Ann) "3 of 6, 6, 1"
}
"#;

/// Of a kind without things nothing is asked, whatever stands behind its states in the memory.
const NO_THINGS: &str = r#"
kind side = Red, Blue
kind token { state found: flag = yes; state lost: flag; state at: token?; state worth: 0..9 }
kind lamp = Lamp, Lantern, Torch { state lit: flag = yes }
state seen : set of token
rule found: set of token = all t in tokens where t.found
step game {
  choose by Red {
    option take(t in tokens where t.found) { t.lost := yes }
    option leave(t in tokens where not t.found) { t.lost := yes }
    option pass { for t in tokens { t.found := no } }
    option wait { }
  }
  for l in lamps where l.lit { l.lit := no }
}
setup Start { }
test "nothing is found" {
  from Start
  expect count tokens = 0, (count t in tokens where t.found) = 0, (count t in tokens where not t.lost) = 0
  expect not any t in tokens where t.found, not any t in tokens where not t.found, not any found, not any seen
  expect not any t in tokens where t.lost or not t.found, not any t in tokens where t.found = t.lost
  expect (total t in tokens by t.worth) = 0, not any t in tokens where any t.at, (count l in lamps where l.lit) = 3
}
test "nothing is offered" {
  from Start
  play game
  Red: pass
  expect not any l in lamps where l.lit, not any found
}
"#;

#[test]
fn every_question_has_the_answer_that_the_rules_give() {
    let games = [
        WHERE_ONE_IS,
        WITHOUT_AN_ANSWER,
        NOBODY,
        ONE_OR_THE_OTHER,
        THINGS_AND_GROUPS,
        NEEDLESS,
        IN_SOME_CASE,
        OF_ANYTHING,
        WAYS,
        OF_NUMBERS,
        NO_THINGS,
    ];
    for page in games {
        every_test_holds(page);
    }
}

#[test]
fn what_is_reached_is_not_known_to_be_what_it_began_with() {
    assert_eq!(compiled(REACHED).map(|_| ()), Err(vec!["types::absent"]));
}
