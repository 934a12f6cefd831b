//! What tells open options apart that read the same: "Hunt a ship" twice, one in one port, one in another.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::{ColumnId, KindId};
use blazon_machine::{Behind, Value, View};

use super::options::{Arguments, Offer, Open};
use crate::game::Game;
use crate::ids::{OptionId, PlayerId};
use crate::present::values;

/// The states of a thing, by column.
type States = [(ColumnId, Value)];

/// Says, of offers of one line, what each differs by from the others, as far as the player sees it.
pub(crate) fn tell_apart(game: &mut Game, player: PlayerId, offers: &mut [Offer]) {
    let mut alike: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (place, offer) in offers.iter().enumerate() {
        alike.entry((&offer.option, &offer.label)).or_default().push(place);
    }
    let groups: Vec<Vec<usize>> = alike.into_values().filter(|places| places.len() > 1).collect();
    if groups.is_empty() {
        return;
    }
    let open: BTreeMap<OptionId, Open> =
        game.options_by_id(player).into_iter().map(|open| (open.id, open)).collect();
    let Ok((view, behind)) = game.view_and_behind(Some(player)) else { return };
    let program = game.program().clone();
    let Some(options) = game.choice().and_then(|choice| program.choices.get(usize::from(u16::from(choice))))
    else {
        return;
    };
    for group in groups {
        let args: Vec<(&Open, &Arguments)> = group
            .iter()
            .filter_map(|&place| Some((open.get(&offers[place].id)?, &offers[place].args)))
            .collect();
        let Some(option) = args.first().and_then(|(open, _)| options.options.get(usize::from(open.option)))
        else {
            continue;
        };
        let mut told: Vec<Vec<String>> = vec![Vec::new(); args.len()];
        for (at, param) in option.params.iter().enumerate() {
            let shown: Vec<String> = args
                .iter()
                .map(|(_, args)| args.iter().nth(at).map(|(_, value)| value.to_string()).unwrap_or_default())
                .collect();
            if shown.iter().any(|other| *other != shown[0]) {
                told.iter_mut().zip(shown).for_each(|(told, shown)| told.push(shown));
                continue;
            }
            let Some(kind) = param.kind else { continue };
            let things = args.iter().map(|(open, _)| {
                let thing = u32::try_from(*open.args.get(at)?).ok()?;
                states(&view, &behind, kind, thing)
            });
            let things: Vec<Option<&States>> = things.collect();
            let Some(column) = differing(&things) else { continue };
            for (told, thing) in told.iter_mut().zip(&things) {
                told.extend(held(*thing, column).map(|(_, held)| values::state(&program.book, column, held)));
            }
        }
        for (place, told) in group.into_iter().zip(told) {
            offers[place].apart = told.join(", ");
        }
    }
}

/// What is seen of a thing: of its face, or of the back that it lies behind.
fn states<'v>(view: &'v View, behind: &Behind, kind: KindId, thing: u32) -> Option<&'v States> {
    let of = view.kinds.get(kind.0 as usize)?;
    match behind.backs(kind).iter().position(|&other| other == thing) {
        Some(back) => of.backs.get(back).map(Vec::as_slice),
        None => of.seen.iter().find(|seen| seen.thing == thing).map(|seen| seen.states.as_slice()),
    }
}

/// The first state in which some of the things differ.
fn differing(things: &[Option<&States>]) -> Option<ColumnId> {
    let columns: BTreeSet<ColumnId> =
        things.iter().flatten().flat_map(|states| states.iter().map(|(column, _)| *column)).collect();
    columns.into_iter().find(|&column| {
        let first = held(things[0], column);
        things.iter().any(|thing| held(*thing, column) != first)
    })
}

/// What a thing has in a state, if that is seen.
fn held(thing: Option<&States>, column: ColumnId) -> Option<&(ColumnId, Value)> {
    thing?.iter().find(|(other, _)| *other == column)
}
