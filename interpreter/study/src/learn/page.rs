//! A learned outlook as a variant: a manifest, and a page that a designer reads and changes.

use blazon_book::Book;

use super::features::{Feature, variable_of};
use super::select::Held;

/// The first words of a page that was learned; one that does not begin so is somebody's own.
pub const MARK: &str = "-- Learned by `blazon learn`";

/// What an outlook comes from, as its page tells.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The game and what it was played with.
    pub what: String,
    /// The seed of all games.
    pub seed: u64,
    /// What to type to learn the same again; nothing if that is not known.
    pub again: String,
    /// How many games it comes from.
    pub games: usize,
    /// How many more came to no end, and tell nothing.
    pub failed: u64,
    /// Who played them, round by round.
    pub players: Vec<String>,
    /// How well it tells who wins.
    pub held: Held,
    /// How well it plays, a sentence each.
    pub verdicts: Vec<String>,
}

/// The manifest of a variant.
pub fn manifest(name: &str, game: &str, needs: &[String]) -> String {
    let mut text = format!("Variant(\n    name: {name:?},\n    version: \"1.0.0\",\n    game: {game:?},\n");
    if !needs.is_empty() {
        text += &format!("    needs: {needs:?},\n");
    }
    text + ")\n"
}

/// The rule of a name that judges by some features: a clause for each.
pub fn rule(book: &Book, heading: &str, clauses: &[(Feature, i64)]) -> String {
    let me = variable_of(book);
    let player = &book.kind(book.player).name;
    let mut text = format!("{heading}({me}: {player}): number = 0\n");
    for ((feature, weight), label) in clauses.iter().zip(labels(clauses)) {
        let sign = if *weight < 0 { '-' } else { '+' };
        let weight = weight.unsigned_abs();
        let value = match (feature.is_condition, weight) {
            (true, _) => format!("{weight} if {}", feature.text),
            (false, 1) => feature.text.clone(),
            // A query reaches as far to the right as it can; what is only asked with a dot needs no brackets.
            (false, _) if is_path(&feature.text) => format!("{weight} * {}", feature.text),
            (false, _) => format!("{weight} * ({})", feature.text),
        };
        text += &format!("  {sign} {label}: {value}\n");
    }
    text
}

fn is_path(text: &str) -> bool {
    text.contains('.') && !["count ", "total "].iter().any(|word| text.starts_with(word))
}

/// A label for each clause, none twice.
fn labels(clauses: &[(Feature, i64)]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for (feature, _) in clauses {
        let mut label = feature.label.clone();
        while labels.contains(&label) {
            label += " too";
        }
        labels.push(label);
    }
    labels
}

/// The page: what it comes from, and the rule.
pub fn page(book: &Book, replaces: bool, clauses: &[(Feature, i64)], origin: &Origin) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let held = origin.held;
    let mut text = format!("{MARK} from {} games of {}, seed {}.\n", origin.games, origin.what, origin.seed);
    if origin.failed > 0 {
        text += &format!("-- {} more did not come to an end, and tell nothing.\n", origin.failed);
    }
    let rounds: Vec<String> =
        origin.players.iter().enumerate().map(|(n, who)| format!("{} by {who}", n + 1)).collect();
    text += &format!("-- Rounds of play: {}.\n", rounds.join(", "));
    text += &format!(
        "-- In {} games that were held out it names the winner in {} of the positions; who knows only how often\n\
         -- each seat wins, in {}. Loss {:.3} nats against {:.3}.\n",
        held.games,
        percent(held.right),
        percent(held.blind_right),
        held.loss,
        held.blind_loss
    );
    if !origin.again.is_empty() {
        text += &format!("-- The same again: {}\n", origin.again);
    }
    for verdict in &origin.verdicts {
        text += &format!("-- {verdict}\n");
    }
    text += "-- What counts is how much more a player has than the others. Change what you know better.\n";
    let heading = if replaces { "replace rule outlook" } else { "rule outlook" };
    text += &rule(book, heading, clauses);
    sealed(&blazon_syntax::format(&text).text)
}

/// What begins the line by which it is seen whether somebody has changed a page.
const SEAL: &str = "-- Seal ";

/// What is on a page, but for its seal and how its lines end.
fn seal_of(text: &str) -> u64 {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(SEAL)).collect();
    blazon_kernel::chance::hash_text(&lines.join("\n"))
}

/// A page with its seal, above the rule.
fn sealed(text: &str) -> String {
    let seal = format!("{SEAL}{:016x}: while it fits, the page is as it was learned.", seal_of(text));
    let is_head = |line: &&str| line.starts_with("--");
    let head = text.lines().take_while(is_head);
    let rest = text.lines().skip_while(is_head);
    head.chain([seal.as_str()]).chain(rest).map(|line| format!("{line}\n")).collect()
}

/// Whether a page is as it was learned; one that nobody has changed may be written over.
pub fn is_untouched(text: &str) -> bool {
    let seal = text.lines().find_map(|line| line.strip_prefix(SEAL)?.get(..16));
    text.starts_with(MARK) && seal.is_some_and(|seal| seal == format!("{:016x}", seal_of(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_read_by_the_game() {
        assert_eq!(
            manifest("Learned", "A \"game\"", &["One".to_owned()]),
            "Variant(\n    name: \"Learned\",\n    version: \"1.0.0\",\n    game: \"A \\\"game\\\"\",\n    \
             needs: [\"One\"],\n)\n"
        );
    }

    #[test]
    fn a_page_that_was_changed_is_known() {
        let page =
            sealed(&format!("{MARK} from 3 games.\nrule outlook(s: side): number = 0\n  + men: 3 * s.men\n"));
        assert!(
            is_untouched(&page) && page.lines().nth(1).is_some_and(|line| line.starts_with(SEAL)),
            "{page}"
        );
        assert!(is_untouched(&page.replace('\n', "\r\n")), "how lines end is no change");
        assert!(!is_untouched(&page.replace("3 *", "4 *")) && !is_untouched(MARK));
    }

    #[test]
    fn no_label_comes_twice() {
        let feature =
            |label: &str| Feature { label: label.to_owned(), text: "s.x".to_owned(), is_condition: false };
        let clauses = [(feature("men"), 3), (feature("men"), 2), (feature("men"), 1)];
        assert_eq!(labels(&clauses), ["men", "men too", "men too too"]);
    }
}
