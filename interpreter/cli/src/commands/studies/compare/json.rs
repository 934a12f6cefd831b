//! Tells programs what a change does.

use blazon_study::compare::Found;
use serde_json::{Value, json};

use super::sides::Sides;
use super::text::{disagreements, needed, words};
use super::{Level, missing};
use crate::args::CompareArgs;
use crate::failed;
use crate::figures::ratio;

/// The version of the object.
const SCHEMA: u32 = 1;

/// All that was found, as one object.
pub fn told(args: &CompareArgs, sides: &Sides, seed: u64, levels: &[Level]) -> Value {
    let variants = |book: &blazon_book::Book| -> Vec<Value> {
        book.variants.iter().map(|(name, version)| json!({ "name": name, "version": version })).collect()
    };
    let rulings: Vec<Value> =
        args.with.rulings.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    let setups = sides.setups.iter().filter_map(|&(setup, _)| sides.base.book.setups.get(setup));
    json!({
        "schema": SCHEMA,
        "game": sides.base.book.title,
        "version": sides.base.book.version,
        "base": variants(&sides.base.book),
        "changed": variants(&sides.changed.book),
        "rulings": rulings,
        "setups": setups.map(|setup| setup.name.clone()).collect::<Vec<_>>(),
        "left_out": { "base": sides.left_out[0], "changed": sides.left_out[1] },
        "unplayed": sides.unplayed,
        "seed": seed,
        "points": args.points,
        "error": args.error,
        "apart": args.apart,
        "outlook": sides.judged(args),
        "disagree": disagreements(sides, levels),
        "missing": missing(args, levels),
        "levels": levels.iter().map(|level| one(args, sides, level)).collect::<Vec<_>>(),
    })
}

fn one(args: &CompareArgs, sides: &Sides, level: &Level) -> Value {
    let found = &level.found;
    let causes = level.causes.iter().map(|(cause, count)| {
        let mut told = json!(cause);
        told["pairs"] = json!(count);
        told
    });
    let (paired, unpaired) = needed(args, sides, found);
    let both = [0, 1].map(|side| of_side(args, sides, level, side));
    json!({
        "players_all": level.player.to_string(),
        "pairs": found.sums.pairs,
        "most": level.most,
        "interrupted": level.is_cut(),
        "players": found.players(&sides.base.book),
        "nobody": found.sums.sides.each_ref().map(|side| side.tally.nobody),
        "setups": setups(sides, found),
        "otherwise": found.sums.otherwise(),
        "broken": found.sums.broken(),
        "needed": json!({ "paired": paired, "unpaired": unpaired }),
        "measures": found.measures(&sides.counted(&level.plans)),
        "sides": both,
        "parted": (!args.apart).then_some(found.sums.parted.len()),
        "blamed": (!args.apart).then_some(level.blamed),
        "causes": causes.collect::<Vec<_>>(),
        "options": options(sides, found),
    })
}

fn of_side(args: &CompareArgs, sides: &Sides, level: &Level, place: usize) -> Value {
    let side = &level.found.sums.sides[place];
    let failed = side.tally.failed.iter().map(|row| {
        let again = failed::again(words(args, sides, level, place, row), row, args.most);
        json!({ "game": row.game, "seed": row.seed, "why": failed::why(row), "again": again })
    });
    let endings = side.tally.endings.iter().map(|(ending, ended)| {
        json!({
            "step": ending.step, "cites": ending.cites, "games": ended.games, "won": ended.won,
            "share": ratio(ended.games, side.tally.games),
        })
    });
    json!({
        "games": side.tally.games,
        "faults": side.tally.faults,
        "limits": side.tally.limits,
        "failed": failed.collect::<Vec<_>>(),
        "lengths": side.told_lengths([&sides.base.book, &sides.changed.book][place], &level.plans[place]),
        "endings": endings.collect::<Vec<_>>(),
        "led": side.led,
        "by_setup": side.by_setup,
    })
}

/// By how much each player wins more often by the changed rules, setup by setup.
fn setups(sides: &Sides, found: &Found) -> Vec<Value> {
    let book = &sides.base.book;
    let things = &book.kind(book.player).things;
    let all = sides.setups.iter().zip(&found.sums.by_setup).map(|(&(setup, _), counts)| {
        let players = book.players.iter().zip(counts).map(|(&player, counts)| {
            json!({
                "player": things.get(player as usize).map(|thing| thing.name.as_str()),
                "lost_by_change": counts.of_value(-1.0),
                "won_by_change": counts.of_value(1.0),
                "difference": counts.mean(),
                "interval": <[f64; 2]>::from(counts.interval()),
            })
        });
        let pairs = counts.first().map_or(0, |counts| counts.count());
        let name = book.setups.get(setup).map(|setup| setup.name.as_str());
        json!({ "setup": name, "pairs": pairs, "players": players.collect::<Vec<_>>() })
    });
    all.collect()
}

/// How each option fared by both.
fn options(sides: &Sides, found: &Found) -> Vec<Value> {
    let old = found.sums.gathered[0].choices.by_name(&sides.base);
    let new = found.sums.gathered[1].choices.by_name(&sides.changed);
    let keys = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key)));
    keys.map(|key| {
        let (step, option) = key;
        json!({ "step": step, "option": option, "base": old.get(key), "changed": new.get(key) })
    })
    .collect()
}
