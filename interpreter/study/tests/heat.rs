//! What the words of a position tell of who stands where is what the machine tells when it is asked, state by state; and
//! who moves and falls in one decision has walked and fallen where he did.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use blazon::{Loader, Program, Rules, Selection};
use blazon_board::{Mover, Movers};
use blazon_machine::Machine;
use blazon_machine::bots::Skill;
use blazon_study::heat::{Counted, Heat};
use blazon_study::{Plan, Watch};

/// Counts the slow way: asks the machine for every thing after every decision, and moves all one by one as it was stored.
#[derive(Default)]
struct Slow {
    movers: Option<Movers>,
    /// Where each thing stands and whose it is, mover by mover.
    before: Vec<Vec<(Option<u32>, usize)>>,
    decisions: u64,
    stood: BTreeMap<(usize, u32), u64>,
    met: BTreeMap<u32, u64>,
    left: BTreeMap<(usize, u32), u64>,
    walked: BTreeMap<(usize, u32), u64>,
    jumped: u64,
}

fn word(machine: &Machine, column: blazon::book::ColumnId, thing: u32) -> Option<u32> {
    let words = machine.column(column, &[thing]).unwrap();
    u32::try_from(words[0] as i64).ok()
}

fn standing(machine: &Machine, mover: &Mover) -> Vec<(Option<u32>, usize)> {
    let book = &machine.program().book;
    let sides = book.kind(book.player).things.len();
    let of = |thing| {
        let side = mover.side.and_then(|side| word(machine, side, thing));
        (word(machine, mover.at, thing), side.map_or(sides, |side| side as usize))
    };
    (0..book.kind(mover.kind).things.len() as u32).map(of).collect()
}

impl Slow {
    fn look(&mut self, machine: &Machine) {
        let book = &machine.program().book;
        let sides = book.kind(book.player).things.len();
        let mut here: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for &(at, side) in self.before.iter().flatten() {
            let Some(at) = at else { continue };
            *self.stood.entry((side, at)).or_default() += 1;
            if side < sides {
                here.entry(at).or_default().push(side);
            }
        }
        for (at, mut sides) in here {
            sides.sort_unstable();
            sides.dedup();
            *self.met.entry(at).or_default() += u64::from(sides.len() > 1);
        }
    }
}

impl Watch for Slow {
    fn starts(&mut self, _machine: &mut Machine, _game: u64) {
        *self = Self::default();
    }

    fn begins(&mut self, machine: &mut Machine) {
        self.movers = Movers::of(&machine.program().book);
        let movers = self.movers.as_ref().unwrap();
        self.before = movers.kinds.iter().map(|mover| standing(machine, mover)).collect();
    }

    fn decided(&mut self, machine: &mut Machine) {
        self.decisions += 1;
        self.look(machine);
        let movers = self.movers.clone().unwrap();
        let links =
            movers.links.map(|links| machine.program().book.kind(links).things.clone()).unwrap_or_default();
        for (mover, before) in movers.kinds.iter().zip(&mut self.before) {
            let now = standing(machine, mover);
            // Where each stands while the decision is carried out, and the last place on the board where it stood.
            let mut at: Vec<Option<u32>> = before.iter().map(|&(at, _)| at).collect();
            let mut last = at.clone();
            for stored in machine.stored().iter().filter(|stored| stored.column == mover.at) {
                let thing = stored.key as usize;
                at[thing] = u32::try_from(stored.value).ok();
                let Some(to) = at[thing] else { continue };
                let Some(from) = last[thing].replace(to).filter(|&from| from != to) else { continue };
                let side = before[thing].1;
                let joins = |ends: (u32, u32)| ends == (from, to) || ends == (to, from);
                match links.iter().position(|link| link.ends.is_some_and(joins)) {
                    Some(link) => *self.walked.entry((side, link as u32)).or_default() += 1,
                    None => self.jumped += 1,
                }
            }
            assert_eq!(at, now.iter().map(|&(at, _)| at).collect::<Vec<_>>(), "all that moved was told");
            for ((&(_, side), last), &(at, _)) in before.iter().zip(last).zip(&now) {
                if let (Some(last), None) = (last, at) {
                    *self.left.entry((side, last)).or_default() += 1;
                }
            }
            *before = now;
        }
    }
}

#[test]
fn heat_is_what_the_machine_tells() {
    for (name, most) in [("salt-road", 5000), ("richard-iii", 5000), ("lionheart", 400)] {
        let program: Arc<Program> = Loader::new().find(name).unwrap().program(&Selection::default()).unwrap();
        let mut machine = Machine::new(program.clone()).unwrap();
        machine.record(false);
        let plan = Plan { most, ..Plan::new(&program.book, 11, Skill::RANDOM) };
        let (mut heat, mut other, mut slow) = (Heat::new(&program), Heat::new(&program), Slow::default());
        let stop = AtomicUsize::new(0);
        plan.play(&mut machine, 0, &mut (&mut heat, &mut slow), &stop).unwrap();
        assert_eq!(heat.games(), 0, "it is not known yet whether it counts");
        heat.keep_whole();
        assert_eq!(heat.games(), 1, "{name}");
        let sides = program.book.kind(program.book.player).things.len();
        let parts = |count: u64| (count * Counted::Met.unit() + slow.decisions / 2) / slow.decisions;
        slow.stood.values_mut().chain(slow.met.values_mut()).for_each(|count| *count = parts(*count));
        slow.stood.retain(|_, count| *count > 0);
        let sums = |counted| -> BTreeMap<u32, u64> {
            (0..)
                .zip(heat.cells(counted))
                .filter(|(_, cell)| cell.sum > 0)
                .map(|(at, cell)| (at, cell.sum))
                .collect()
        };
        let of = |all: &BTreeMap<(usize, u32), u64>, side: usize| -> BTreeMap<u32, u64> {
            all.iter()
                .filter(|((whose, _), _)| *whose == side)
                .map(|((_, at), count)| (*at, *count))
                .collect()
        };
        for side in 0..=sides {
            assert_eq!(sums(Counted::Stood(side)), of(&slow.stood, side), "{name}: stood, {side}");
            assert_eq!(sums(Counted::Left(side)), of(&slow.left, side), "{name}: left, {side}");
            assert_eq!(sums(Counted::Walked(side)), of(&slow.walked, side), "{name}: walked, {side}");
        }
        slow.met.retain(|_, count| *count > 0);
        assert_eq!(sums(Counted::Met), slow.met, "{name}: met");
        assert_eq!(heat.jumped().values().sum::<u64>(), slow.jumped, "{name}: jumped");
        assert!(slow.stood.len() > 4 && slow.walked.len() > 1, "{name}: somebody walks");
        // Added up in either order it is the same.
        plan.play(&mut machine, 1, &mut other, &stop).unwrap();
        other.keep_whole();
        let (mut one, mut two) = (heat.clone(), other.clone());
        one.merge(&other);
        two.merge(&heat);
        assert_eq!((one.games(), two.games()), (2, 2));
        assert_eq!(one.cells(Counted::Stood(0)), two.cells(Counted::Stood(0)), "{name}");
        assert!(one.cells(Counted::Met) == two.cells(Counted::Met) && one.jumped() == two.jumped(), "{name}");
        assert_eq!(one.cells(Counted::Walked(0)), two.cells(Counted::Walked(0)), "{name}");
    }
}

/// A march, a fight and a retreat, all in one decision.
const ONE_DECISION: &str = r#"
kind side = Red, Blue
kind area = Home, Field, Camp
kind road = area - area
links road
  Home - Field, Field - Camp
kind man {
  fact owner : side
  state at   : area?
}
table man
  | name | owner |
  | Ann  | Red   |
  | Bob  | Red   |
  | Cid  | Blue  |
setup Dawn (man: at) { Ann: Home; Bob: Home; Cid: Camp }
step game {
  choose by Red "March?" {
    option march(n in 1..2) "March at {n}" {
      Ann.at := Field
      Cid.at := Field
      Ann.at := none
      Cid.at := Camp
      Bob.at := none
      Bob.at := Field
    }
  }
  win(Red)
}
"#;

#[test]
fn who_moves_and_falls_in_one_decision_fell_where_he_came_to() {
    let manifest = r#"Game(name: "Fields", player: "side", begins: "game")"#;
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("fields.blazon", ONE_DECISION)]);
    let program = rules.program(&Selection::default()).expect("a program");
    let mut machine = Machine::new(program.clone()).unwrap();
    let (mut heat, stop) = (Heat::new(&program), AtomicUsize::new(0));
    Plan::new(&program.book, 1, Skill::RANDOM).play(&mut machine, 0, &mut heat, &stop).unwrap();
    heat.keep_whole();
    let sums = |counted| heat.cells(counted).iter().map(|cell| cell.sum).collect::<Vec<_>>();
    // Ann fell in the field; Bob was only taken up.
    assert_eq!((sums(Counted::Left(0)), sums(Counted::Left(1))), (vec![0, 1, 0], vec![0, 0, 0]));
    assert_eq!((sums(Counted::Walked(0)), sums(Counted::Walked(1))), (vec![2, 0], vec![0, 2]));
    assert!(heat.jumped().is_empty());
}
