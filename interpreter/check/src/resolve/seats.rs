//! Who sits at the table: the players that the manifest of the game names, and what the manifests of variants change of them.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::Thing;
use blazon_diagnostics::{Diagnostic, Span};

use crate::merge::ledger::{HELP, NEIGHBOUR};
use crate::merge::order::{Order, Standing};
use crate::project::Layer;
use crate::resolve::checker::Checker;

/// What a variant says of a seat.
struct Change {
    layer: Layer,
    /// Whose seat, by his place in his kind.
    thing: u32,
    name: String,
    /// Whether he sits there from now on.
    sits: bool,
}

impl Change {
    fn entry(&self) -> &'static str {
        if self.sits { "players" } else { "unseats" }
    }
}

impl Checker<'_> {
    /// Finds the players of the game, and what variants change of them.
    pub(super) fn find_players(&mut self) {
        let names = self.parsed.game.players.clone();
        if names.is_empty() {
            let count = self.kinds.get(self.player.0 as usize).map_or(0, |kind| kind.things.len());
            self.players = (0..count as u32).collect();
        }
        for name in names {
            match self.thing_of(&name, self.player) {
                Some(thing) => self.players.push(thing),
                None => {
                    let message = format!(
                        "the manifest names `{name}` as a player, but no {} is called so",
                        self.parsed.game.player
                    );
                    let near = self.near_player(&name);
                    self.wrong_in_manifest(
                        Layer::Game,
                        "players",
                        &name,
                        message,
                        near.as_deref(),
                        || "change `players:` in blazon.ron",
                    );
                }
            }
        }
        self.change_seats();
        self.tell_players_apart();
        if self.players.is_empty() {
            self.diagnostics.push(Diagnostic::global("files::manifest", "nobody plays this game").help(
                "list the things of the kind that decides, and name that kind as `player:` in blazon.ron",
            ));
        }
    }

    /// The thing of the kind that decides that was probably meant.
    fn near_player(&self, name: &str) -> Option<String> {
        let kind = self.kinds.get(self.player.0 as usize)?;
        let things = kind.things.iter().map(|thing| thing.name.as_str());
        self.merged.guesses.near_miss(name, things).map(str::to_owned)
    }

    /// Takes what the manifests of variants say of seats, each of who sits there by what lies below it. Whom they seat comes
    /// after the players of the game, in printed order: the order of the stack is nothing.
    fn change_seats(&mut self) {
        let order = Order::new(&self.parsed.variants);
        let changes = self.changes_of_seats();
        let mut by_thing: BTreeMap<u32, Vec<&Change>> = BTreeMap::new();
        for change in &changes {
            by_thing.entry(change.thing).or_default().push(change);
        }
        for changes in by_thing.values() {
            self.hold_seats(changes, &order);
        }
        let mut seated = BTreeSet::new();
        for change in &changes {
            if !change.sits {
                seated.remove(&change.thing);
                self.players.retain(|thing| *thing != change.thing);
            } else if !self.players.contains(&change.thing) {
                seated.insert(change.thing);
            }
        }
        self.players.extend(seated);
    }

    /// Holds what variants say of one seat against each other, and each against what lies below it.
    fn hold_seats(&mut self, changes: &[&Change], order: &Order) {
        for (place, change) in changes.iter().enumerate() {
            let fights = |other: &&&Change| {
                other.sits != change.sits && order.of(change.layer, other.layer) == Standing::Beside
            };
            if changes.iter().any(|other| fights(&other)) {
                // Told once, of the later of the two.
                if let Some(other) = changes[..place].iter().rev().find(fights) {
                    self.fight_over_a_seat(change, other);
                }
                continue;
            }
            if self.is_of_a_neighbour(change, order) {
                continue;
            }
            let mut below = changes.iter().rev();
            let below = below.find(|other| order.of(change.layer, other.layer) == Standing::Above);
            let sat = below.map_or_else(|| self.players.contains(&change.thing), |last| last.sits);
            if sat == change.sits {
                self.says_nothing(change);
            }
        }
    }

    /// What variants say of seats, in the order of the stack, each once; what names nobody is told.
    fn changes_of_seats(&mut self) -> Vec<Change> {
        let parsed = self.parsed;
        let (mut changes, mut met) = (Vec::new(), BTreeSet::new());
        for (place, variant) in parsed.variants.iter().enumerate() {
            let layer = Layer::Variant(place);
            let named = variant.players.iter().map(|name| (name, true));
            for (name, sits) in named.chain(variant.unseats.iter().map(|name| (name, false))) {
                if let Some(thing) = self.thing_of(name, self.player) {
                    if met.insert((layer, thing, sits)) {
                        changes.push(Change { layer, thing, name: name.clone(), sits });
                    }
                    continue;
                }
                let (message, near) = (self.no_such_player(&variant.name, name), self.near_player(name));
                let (entry, otherwise) = match sits {
                    true => (
                        "players",
                        "change `players:` in its blazon.ron, or add the thing to the kind in a page",
                    ),
                    false => ("unseats", "change `unseats:` in its blazon.ron"),
                };
                self.wrong_in_manifest(layer, entry, name, message, near.as_deref(), || otherwise);
            }
        }
        changes
    }

    fn fight_over_a_seat(&mut self, change: &Change, other: &Change) {
        let does = |change: &Change| if change.sits { "sits there" } else { "does not" };
        let message = format!("two variants fight over the seat of `{}`", change.name);
        let word = self.parsed.word(change.layer, change.entry(), &change.name);
        let said = word.wrong(&self.parsed.sources, "amend::clash", message);
        let said = said.label(format!("here he {}", does(change)));
        let said = match self.seat_in(other) {
            Some(at) => said.related(at, format!("here he {}", does(other))),
            None => said,
        };
        self.diagnostics.push(said.help(HELP));
    }

    /// Where a manifest says it.
    fn seat_in(&self, change: &Change) -> Option<Span> {
        let word = self.parsed.word(change.layer, change.entry(), &change.name);
        word.place(&self.parsed.sources).or(word.manifest)
    }

    /// Whether it names somebody whom a variant beside it declares; this is told then.
    fn is_of_a_neighbour(&mut self, change: &Change, order: &Order) -> bool {
        let things = &self.kinds[self.player.0 as usize].things;
        let Some(at) = things.get(change.thing as usize).map(|thing| thing.span) else { return false };
        let declared = self.parsed.layer_of(at.source);
        if declared.is_none_or(|layer| order.of(change.layer, layer) != Standing::Beside) {
            return false;
        }
        let word = self.parsed.word(change.layer, change.entry(), &change.name);
        let message = format!("`{}` is declared by a variant beside this one", change.name);
        let said = word.wrong(&self.parsed.sources, "amend::clash", message).label("named here");
        self.diagnostics.push(said.related(at, "declared here").help(NEIGHBOUR));
        true
    }

    /// Of somebody who sits there already, or who does not sit there.
    fn says_nothing(&mut self, change: &Change) {
        let name = &change.name;
        if !change.sits {
            let message = format!("`{name}` does not sit at the table");
            let otherwise = || "change `unseats:` in its blazon.ron";
            self.wrong_in_manifest(change.layer, "unseats", name, message, None, otherwise);
            return;
        }
        let word = self.parsed.word(change.layer, "players", name);
        let said = word.wrong(
            &self.parsed.sources,
            "files::manifest",
            format!("`{name}` sits at the table already"),
        );
        self.diagnostics.push(said.as_warning().help(
            "`players` of a variant come beside those of the game; who leaves the table stands in `unseats`",
        ));
    }

    fn no_such_player(&self, variant: &str, name: &str) -> String {
        let kind = &self.parsed.game.player;
        format!("the manifest of `{variant}` names `{name}` as a player, but no {kind} is called so")
    }

    /// Complains of players that look alike: nobody could say who is asked.
    fn tell_players_apart(&mut self) {
        let Some(kind) = self.kinds.get(self.player.0 as usize) else { return };
        let copy = |(place, thing): &(usize, &Thing)| thing.group as usize != *place;
        if let Some((_, copy)) = kind.things.iter().enumerate().find(copy) {
            let message = format!("there are several players called `{}`", copy.name);
            let twice = Diagnostic::error("names::twice", copy.span, message);
            self.diagnostics.push(twice.help("give each a row and a name of its own, without `copies`"));
        }
    }
}
