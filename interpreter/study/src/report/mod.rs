//! A comparison to look at: one HTML file that needs nothing beside it and runs nothing.
//!
//! Every picture has a table beneath it with the same figures, in full precision in `data-v`, so that another program can
//! work them out again (`tests/report/check.py` does). The same comparison gives the same bytes.

mod ends;
mod games;
mod maps;
mod options;
mod picture;
mod table;
mod wins;
mod words;

use std::collections::BTreeMap;

use blazon_board::Board;
use blazon_machine::bots::Skill;
use blazon_program::Program;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::maps::Grounds;
use self::table::{Cell, Table};
pub use self::words::{bound, grouped};
use self::words::{player, trimmed};
use crate::compare::{Cause, Ended, Found, changed_unplayed, only_one_has, outlook_differs};
use crate::game::Plan;
use crate::stats::Certainty;

/// What a report tells of.
pub struct Report<'r> {
    /// The rules as they were.
    pub base: Rules<'r>,
    /// The changed rules; the players have the same names, in the same order.
    pub changed: Rules<'r>,
    /// When a difference matters, and how sure the test is.
    pub certainty: Certainty,
    /// Whether it was to stop when it was sure.
    pub until_sure: bool,
    /// Whether the games of a pair had luck of their own: then nothing says what parts them.
    pub apart: bool,
    /// What to type to get the same again.
    pub command: &'r str,
    /// One comparison for each level of the players that was played.
    pub levels: Vec<Level<'r>>,
    /// What the levels are called that were asked for and did not come up, since it was stopped before.
    pub missing: Vec<String>,
}

/// One of the two rule sets.
pub struct Rules<'r> {
    /// What they are called, such as the game's name with its variants.
    pub name: &'r str,
    /// The program.
    pub program: &'r Program,
    /// Its board; without one there are no maps.
    pub board: Option<&'r Board>,
}

/// What was found with players of one level.
pub struct Level<'r> {
    /// What the level is called, such as the skill of the players.
    pub name: &'r str,
    /// How the games were played: by the rules as they were, by the changed ones.
    pub plans: [&'r Plan; 2],
    /// The most pairs that were to be played.
    pub pairs: u64,
    /// What was found.
    pub found: &'r Found,
    /// Of how many pairs that parted it was tried what is to blame.
    pub tried: u64,
    /// And how often each was.
    pub causes: &'r BTreeMap<Cause, u64>,
    /// Whether it was stopped before it was tried for all pairs for which it should have been.
    pub is_cut: bool,
}

/// What sides wear that no board gives a tincture.
const TINCTURES: [&str; 6] = ["azure", "gules", "or", "vert", "purpure", "sable"];

impl Report<'_> {
    /// Whether all was played and tried that was asked for.
    fn is_whole(&self) -> bool {
        self.missing.is_empty()
            && self.levels.iter().all(|level| level.found.ended == Ended::Done && !level.is_cut)
    }

    /// The class of a side's colour.
    fn colour(&self, side: u32) -> String {
        let side = side as usize;
        let own = || TINCTURES[side % TINCTURES.len()];
        format!("t-{}", self.base.board.map_or_else(own, |board| board.tincture(side)))
    }
}

/// The file.
pub fn html(report: &Report) -> String {
    let title = format!("{} against {}", report.changed.name, report.base.name);
    let grounds = Grounds::of(report);
    let levels: Vec<(usize, &Level)> = report.levels.iter().enumerate().collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content="blazon compare";
                title { (title) }
                style { (PreEscaped(blazon_board::STYLE)) (PreEscaped(blazon_board::HEAT_STYLE)) (PreEscaped(include_str!("style.css"))) }
            }
            body {
                (PreEscaped(&grounds.drawn))
                header {
                    p class="kicker" { "What a change does" }
                    h1 { (report.changed.name) }
                    p class="against" { "against " (report.base.name) }
                }
                main {
                    @for &(_, level) in &levels { (headline(report, level)) }
                    (wins::disagreements(report))
                    @if let Some(told) = judged(report) {
                        section class="headline" { p { strong { (told) } } }
                    }
                    (unplayed(report))
                    @if !report.missing.is_empty() {
                        section class="headline" { p { strong { "Stopped before all was played: " } "there is nothing here of " (report.missing.join(", ")) " as players." } }
                    }
                    (small_print(report))
                    @if levels.len() > 1 {
                        nav { @for (number, level) in &levels { a href={ "#level-" (number) } { (level.name) } } }
                    }
                    @for &(number, level) in &levels { (of_level(report, level, number, &grounds)) }
                }
                footer { "Drawn by Blazon. Every figure stands in a table in full precision (" code { "data-v" } "); the same command gives the same bytes." }
            }
        }
    };
    page.into_string()
}

/// What was found with players of one level, in words.
fn headline(report: &Report, level: &Level) -> Markup {
    let pairs = level.found.sums.pairs;
    html! {
        section class="headline" {
            h2 { "Players: " (level.name) }
            (wins::failures(level))
            (wins::verdicts(report, level))
            p class="small" {
                (grouped(pairs))
                @match (report.apart, pairs) {
                    (true, 1) => " game by each rule set, on luck of its own",
                    (true, _) => " games by each rule set, each on luck of its own",
                    (false, 1) => " pair of games on the same luck",
                    (false, _) => " pairs of games on the same luck",
                }
                @if level.found.ended != Ended::Done { "; stopped before it was done" }
                @else if report.until_sure && pairs < level.pairs { "; stopped when it was sure" }
                "."
                @if !report.apart { " " (grouped(level.found.sums.parted.len() as u64)) " of them part." }
            }
        }
    }
}

/// What is to be said of the outlooks by which players judge and games are measured.
fn judged(report: &Report) -> Option<String> {
    let players: Vec<Skill> = report.levels.iter().flat_map(|level| level.plans[0].players.clone()).collect();
    outlook_differs(&report.base.program.book, &report.changed.program.book, &players)
}

/// The setups that the change touches and with which no game began.
fn unplayed(report: &Report) -> Markup {
    let played = report.levels.iter().flat_map(|level| {
        let [base, changed] = level.plans.map(|plan| plan.setups.iter().copied());
        base.zip(changed)
    });
    let (base, changed) = (&report.base.program.book, &report.changed.program.book);
    let names = changed_unplayed(base, changed, &played.collect::<Vec<_>>());
    html! {
        @if !names.is_empty() {
            section class="headline" { p { strong { "Changed, and not played: " } "the setup " (names.join(", ")) "." } }
        }
    }
}

/// By what rules, by whom, with which seed: all that is needed to do it again.
fn small_print(report: &Report) -> Markup {
    let mut table = Table::new("rules", ["", "base", "changed"]);
    let books = [&report.base.program.book, &report.changed.program.book];
    let both = |what: &str, of: &dyn Fn(&blazon_book::Book) -> String| {
        let [base, changed] = books.map(|book| Cell::text(of(book)));
        [Cell::text(what), base, changed]
    };
    table.row(both("game", &|book| format!("{} {}", book.title, book.version)));
    table.row(both("variants", &|book| {
        let all: Vec<String> =
            book.variants.iter().map(|(name, version)| format!("{name} {version}")).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    }));
    table.row(both("rulings", &|book| {
        let all = book.other_rulings();
        if all.is_empty() { "as the rules have them".to_owned() } else { all.join(", ") }
    }));
    table.row(both("digest of the rules", &|book| format!("{:016x}", book.digest.hash())));
    let mut played = Table::new("played", ["players", "seats", "seed", "setups", "pairs", "at most"]);
    for level in &report.levels {
        let book = books[0];
        let seats = book.players.iter().map(|&side| {
            let skill = level.plans[0].players.get(side as usize);
            format!("{}: {}", player(book, side), skill.map_or_else(String::new, ToString::to_string))
        });
        let setups = level.plans[0].setups.iter().filter_map(|&setup| book.setups.get(setup));
        played.row([
            Cell::text(level.name),
            Cell::text(seats.collect::<Vec<_>>().join(", ")),
            Cell::text(level.plans[0].seed.to_string()),
            Cell::text(setups.map(|setup| setup.name.clone()).collect::<Vec<_>>().join(", ")),
            Cell::whole(level.found.sums.pairs),
            Cell::whole(level.pairs),
        ]);
    }
    html! {
        details class="print" {
            summary { "How it was played, and how to play it again" }
            pre tabindex="0" { code { (report.command) } }
            @if !report.is_whole() {
                p class="small" { "This report was stopped before it was done; the command plays all of it." }
            }
            (played.drawn())
            (table.drawn())
            @for (names, whose) in only_one_has(books[0], books[1]).iter().zip(["the rules as they were", "the changed rules"]) {
                @if !names.is_empty() { p class="small" { "Not compared, since only " (whose) " have it: the setup " (names.join(", ")) "." } }
            }
            p class="small" {
                "A difference of " (trimmed(report.certainty.matters * 100.0)) " points matters; what is said to be sure is wrong in "
                (trimmed(report.certainty.error * 100.0)) " percent of comparisons at most, however often one looks (intervals by betting, Waudby-Smith and Ramdas 2024)."
            }
        }
    }
}

/// All that was found with players of one level.
fn of_level(report: &Report, level: &Level, number: usize, grounds: &Grounds) -> Markup {
    html! {
        article id={ "level-" (number) } data-level=(level.name) {
            h2 { "Players: " (level.name) }
            section {
                h3 { "Who wins" }
                (wins::shares(report, level))
                (wins::differences(report, level))
            }
            (ends::setups(report, level))
            (maps::maps(report, level, number, grounds))
            @if !report.apart { section { h3 { "What parted the pairs" } (ends::parted(level)) } }
            section { h3 { "What the games are like" } (games::lengths(report, level)) (games::measures(report, level)) (games::course(report, level)) }
            section { h3 { "How they end" } (ends::endings(level)) }
            section { h3 { "What is done" } (options::options(report, level)) }
        }
    }
}
