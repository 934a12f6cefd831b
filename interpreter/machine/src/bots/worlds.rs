//! A guess at what a player may not know.
//!
//! A world is the position with another seed (so nobody knows the dice to come) and with the faces that the player does
//! not see dealt anew behind the backs that he does see: what stands on the backs is moved about among the unseen
//! things whose printed backs are alike. Secret answers of others that are still pending are taken back, to be given
//! anew.
//!
//! What it still peeks at: states on the face stay with the face (so the strength of a hidden block is known, but not
//! where it is); things held in variables of steps under way and in states of other things are left as they are;
//! when a guess does not leave the player the very options that he has, the true faces are used; and so are secret
//! answers that were the only ones possible.

use blazon_book::{Base, KindId};
use blazon_kernel::Position;
use blazon_kernel::chance::Stream;
use blazon_program::ir::{EachInfo, slot};

use crate::fault::Fault;
use crate::machine::Machine;
use crate::vm::text;

/// How many guesses are made before the true faces are used.
const GUESSES: usize = 3;

/// Makes a world from the position at the root; the machine may stand anywhere afterwards.
pub(crate) fn imagine(
    machine: &mut Machine,
    root: &Position,
    player: u32,
    stream: &mut Stream,
    world: &mut Position,
) -> Result<(), Fault> {
    machine.restore(root)?;
    let seed = stream.word();
    let hides = machine.prepared.program.seen.iter().any(Option::is_some);
    let secret = take_back(machine, root, player);
    if hides || secret.is_some() {
        let options = machine.options(player).clone();
        let base = secret.unwrap_or_else(|| root.clone());
        for _ in 0..GUESSES {
            machine.restore(root)?;
            *world = base.clone();
            world.words_mut()[slot::SEED] = seed;
            deal(machine, player, stream, world);
            if machine.restore(world).is_ok() && machine.options(player).looks_like(&options) {
                return Ok(());
            }
        }
    }
    *world = root.clone();
    world.words_mut()[slot::SEED] = seed;
    Ok(())
}

/// The position without the pending answers of others; `None` if there are none.
fn take_back(machine: &Machine, root: &Position, player: u32) -> Option<Position> {
    let each = machine.choice()?.each?;
    let own = machine.decision.asked(player)?;
    let slots = root.words()[slot::BASE] as usize + each.slots as usize;
    let mut position = root.clone();
    let mut changed = false;
    for other in (0..machine.players()).filter(|&other| other != own as usize) {
        let word = position.words_mut().get_mut(slots + 1 + other * each.words as usize)?;
        if *word != 0 && *word != EachInfo::NOT_ASKED {
            *word = 0;
            changed = true;
        }
    }
    changed.then_some(position)
}

/// Deals the unseen faces anew behind the backs. The machine stands at the true position.
fn deal(machine: &mut Machine, player: u32, stream: &mut Stream, world: &mut Position) {
    let prepared = machine.prepared.clone();
    let book = &prepared.program.book;
    for (k, info) in book.kinds.iter().enumerate() {
        if prepared.program.seen[k].is_none() || info.name_on_back {
            continue;
        }
        let kind = KindId(k as u32);
        let at = machine.free();
        machine.ctx.refuel();
        let mut unseen: Vec<u32> = Vec::new();
        for thing in 0..info.things.len() as u32 {
            match text::sees(&prepared, &mut machine.mem, &mut machine.ctx, at, player, kind, thing) {
                Ok(true) => {}
                Ok(false) => unseen.push(thing),
                Err(trap) => {
                    machine.fault(trap);
                    return;
                }
            }
        }
        let plain = |c: &usize| {
            !matches!(book.columns[*c].ty.base, Base::Text | Base::Point | Base::Dice | Base::Die)
        };
        let back =
            info.back.iter().map(|c| c.0 as usize).filter(|&c| book.columns[c].keys == [kind]).filter(plain);
        let (facts, states): (Vec<usize>, Vec<usize>) = back.partition(|&c| prepared.columns[c].fact);
        let printed = |thing: u32| -> Vec<u64> {
            facts
                .iter()
                .flat_map(|&c| prepared.columns[c].entry(&prepared.program.facts, u64::from(thing)))
                .collect()
        };
        let mut classes: Vec<(Vec<u64>, Vec<u32>)> = Vec::new();
        for thing in unseen {
            let print = printed(thing);
            match classes.iter_mut().find(|(p, _)| *p == print) {
                Some((_, class)) => class.push(thing),
                None => classes.push((print, vec![thing])),
            }
        }
        for (_, class) in classes {
            let mut order: Vec<usize> = (0..class.len()).collect();
            for i in (1..order.len()).rev() {
                order.swap(i, stream.below(i + 1));
            }
            for &c in &states {
                let col = &prepared.columns[c];
                let before: Vec<Vec<u64>> =
                    class.iter().map(|&thing| col.entry(world.words(), u64::from(thing))).collect();
                for (&thing, &from) in class.iter().zip(&order) {
                    col.set_entry(world.words_mut(), u64::from(thing), &before[from]);
                }
            }
        }
    }
}
