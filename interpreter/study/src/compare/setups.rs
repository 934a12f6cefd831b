//! The setups that can be compared: those that both rule sets have, by name.

use blazon_book::Book;
use blazon_book::walk::each_expr_of_block;

/// Why there is no setup to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotBoth {
    /// What is wrong: one sentence without an end.
    pub message: String,
    /// How to mend it.
    pub help: String,
}

/// The setup that games begin with where one is compared: that of the rules as they were, and that of its name among the
/// changed ones.
///
/// # Errors
/// If the changed rules have none of that name: games of two setups would tell nothing of the change.
pub fn one_setup(base: &Book, changed: &Book) -> Result<(usize, usize), NotBoth> {
    let name = base.setups.get(base.default_setup).map(|setup| setup.name.as_str()).unwrap_or_default();
    if let Some(other) = changed.setups.iter().position(|other| other.name == name) {
        return Ok((base.default_setup, other));
    }
    let both: Vec<&str> = pairs(base, changed)
        .filter_map(|(place, _)| base.setups.get(place).map(|setup| setup.name.as_str()))
        .collect();
    Err(NotBoth {
        message: format!(
            "the changed rules have no setup `{name}`, with which games begin by the rules as they were"
        ),
        help: match &both[..] {
            [] => "there is none that both have: give one of the changed rules the same name".to_owned(),
            [one] => format!("name the one that both have: `{one}`"),
            many => format!("name one that both have: {}", blazon_diagnostics::list(many, "or")),
        },
    })
}

/// All setups that both have by name, by their places in both.
///
/// # Errors
/// If there are none.
pub fn each_setup(base: &Book, changed: &Book) -> Result<Vec<(usize, usize)>, NotBoth> {
    let both: Vec<(usize, usize)> = pairs(base, changed).collect();
    if both.is_empty() {
        return Err(NotBoth {
            message: "the two have no setup of the same name".to_owned(),
            help: "give one of the changed rules the name that one has by the rules as they were".to_owned(),
        });
    }
    Ok(both)
}

/// The names of the setups that only one side has, for each side: they cannot be compared.
pub fn only_one_has(base: &Book, changed: &Book) -> [Vec<String>; 2] {
    [(base, changed), (changed, base)].map(|(book, other)| {
        let names = book.setups.iter().map(|setup| &setup.name);
        names.filter(|name| other.setups.iter().all(|setup| setup.name != **name)).cloned().collect()
    })
}

/// The names of the setups that both have, that place something otherwise by the changed rules, and with which no game begins:
/// what such a change does is not seen.
pub fn changed_unplayed(base: &Book, changed: &Book, played: &[(usize, usize)]) -> Vec<String> {
    let unplayed = pairs(base, changed).filter(|both| !played.contains(both));
    let otherwise = unplayed.filter(|&(old, new)| written(base, old) != written(changed, new));
    otherwise.filter_map(|(old, _)| base.setups.get(old).map(|setup| setup.name.clone())).collect()
}

/// What a setup places, as it is written, in the order in which it is placed.
fn written(book: &Book, setup: usize) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(setup) = book.setups.get(setup) {
        each_expr_of_block(&book.step(setup.body).body, &mut |expr| words.push(book.text(expr.span)));
    }
    words
}

/// Why games of two books cannot be compared: they are not for the same players, or these sit in another order.
pub fn other_players(base: &Book, changed: &Book) -> Option<String> {
    let names = |book: &Book| -> Vec<String> {
        book.kind(book.player).things.iter().map(|thing| thing.name.clone()).collect()
    };
    let seated = |book: &Book, names: &[String]| -> Vec<String> {
        book.players.iter().filter_map(|&seat| names.get(seat as usize).cloned()).collect()
    };
    let (old, new) = (names(base), names(changed));
    let at_table = (seated(base, &old), seated(changed, &new));
    let is_same = old == new && base.players == changed.players;
    (!is_same).then(|| {
        // In the order of their seats, unless they differ only in others of their kind.
        let (old, new) = if at_table.0 == at_table.1 { (old, new) } else { at_table };
        format!(
            "not the same play: by the rules as they were {}, by the changed ones {}; only games of the same players, in the \
             same seats, can be compared",
            blazon_diagnostics::list(&old, "and"),
            blazon_diagnostics::list(&new, "and")
        )
    })
}

fn pairs(base: &Book, changed: &Book) -> impl Iterator<Item = (usize, usize)> {
    base.setups.iter().enumerate().filter_map(|(place, setup)| {
        Some((place, changed.setups.iter().position(|other| other.name == setup.name)?))
    })
}
