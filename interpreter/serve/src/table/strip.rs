//! What is said to a designer of rules that have just been changed: what is wrong with them, or what they do to the game.

use std::collections::BTreeSet;

use blazon::change::{Difference, Hunk};
use blazon::told::Refusal;
use maud::{Markup, html};

use super::trial::{Outcome, Parting, Trial};
use crate::draw::line;
use crate::problem::Problem;
use crate::shelf::{Kit, Trouble};

/// So many of a sort are shown.
const MOST: usize = 12;

/// What is wrong with the rules: the board stays as it is.
pub fn trouble(trouble: &Trouble) -> String {
    let errors = trouble.messages.iter().filter(|message| message.is_error).count();
    let errors = if errors == 1 { "an error".to_owned() } else { format!("{errors} errors") };
    let title = match trouble.is_in_force {
        true => format!("The rules are in force here, but have {errors}: nobody else can play by them"),
        false => format!("The rules have {errors}: the board stays as it is"),
    };
    strip("bad", &title, &html! {}, &messages(trouble))
}

fn messages(trouble: &Trouble) -> Markup {
    html! {
        ul class="said" {
            @for message in &trouble.messages {
                li {
                    (at(message.place.as_deref()))
                    " " (message.text)
                    @if let Some(help) = &message.help { " " i { (help) } }
                    " " small { (message.code) }
                }
            }
            @if trouble.more > 0 { li { "and " (trouble.more) " more" } }
        }
    }
}

/// The game goes by the rules before the change, since its designer wants that.
pub fn staying() -> String {
    let buttons = html! { button class="verb" data-design="take" { "Take the changed rules in" } };
    strip("stay", "This table stays with the rules before the change", &buttons, &html! {})
}

/// Why the game cannot be played again at all.
pub fn problem(problem: &Problem) -> String {
    let title = "The game cannot be played by the changed rules: the board stays as it is";
    let (place, text) = match problem.text.split_once(&format!(": error[{}]: ", problem.code)) {
        Some((place, text)) => (Some(place), text),
        None => (None, problem.text.as_str()),
    };
    strip("bad", title, &html! {}, &html! { p { (at(place)) " " (text) " " small { (problem.code) } } })
}

/// What changed rules do to the game.
pub fn trial(trial: &Trial, kit: &Kit, trouble: Option<&Trouble>) -> String {
    let more = html! {
        @if let Some(trouble) = trouble {
            p class="why" { "They are in force here, but nobody else can play by them:" }
            (messages(trouble))
        }
    };
    match &trial.outcome {
        Outcome::Whole(difference) => whole(difference, &trial.hunks, &more),
        Outcome::Parted(parting) => parted(parting, kit, &more),
    }
}

fn whole(difference: &Difference, hunks: &[Hunk], more_said: &Markup) -> String {
    let title = if difference.is_empty() {
        "The rules have changed; here nothing is otherwise"
    } else if difference.asked.is_some() {
        "The rules have changed: the same game, but something else is asked"
    } else {
        "The rules have changed: the same game, the same decision"
    };
    let buttons = html! {
        button class="verb" data-design="stay" { "Stay with the old rules" }
        button class="verb do" data-design="go" { "Go on" }
    };
    let Difference { asked, came, went, values, moved, unread } = difference;
    let body = html! {
        @if let Some((was, is)) = asked { p { "Asked was “" (was) "”, and now “" (is) "”." } }
        @let options = came.len() + went.len();
        @if options > 0 { ul class="options" {
            @for (why, labels) in &by_reason(came.iter().map(|came| (&came.player, &came.label, came.before.as_ref()))) {
                li class="came" { (names(labels)) @if let Some(why) = why { " " span { "was refused: " (refused(why)) } } }
            }
            @for (why, labels) in &by_reason(went.iter().map(|went| (&went.player, &went.label, went.now.as_ref()))) {
                li class="went" { (names(labels)) @if let Some(why) = why { " " span { "refused now: " (refused(why)) } } }
            }
        } }
        @if !values.is_empty() { ul class="values" {
            @for value in values.iter().take(MOST) {
                li { code { (value.rule) @if !value.thing.is_empty() { "(" (value.thing) ")" } } ": "
                    (value.from) " → " b { (value.to) } " " (at(Some(&value.place))) }
            }
            (more(values.len(), "values of rules"))
        } }
        @let moved: Vec<String> = moved.iter().filter_map(line).collect();
        @if !moved.is_empty() { ul class="moved" {
            @for line in moved.iter().take(MOST) { li { (maud::PreEscaped(line)) } }
            (more(moved.len(), "states"))
        } }
        @if *unread > 0 { p { (unread) " values of rules were not looked at." } }
        (diffs(hunks))
        (more_said)
    };
    strip("whole", title, &buttons, &body)
}

fn parted(parting: &Parting, kit: &Kit, more_said: &Markup) -> String {
    let at_choice = parting.at.step + 1;
    let title = match &parting.at.entry {
        Some(entry) => format!("The game parts at choice {at_choice}: {entry}"),
        None => "The game parts after its last choice".to_owned(),
    };
    let buttons = html! {
        button class="verb" data-design="stay" { "Stay with the old rules" }
        @if parting.at.entry.is_some() {
            button class="verb" data-design="without" { "Take the choice out" }
        }
        button class="verb do" data-design="go" { "Go on from here" }
    };
    let body = html! {
        p class="why" { (parting.at.message)
            @if let Some((paragraphs, place)) = &parting.refusal {
                " " (cited(paragraphs, kit)) " " (at(Some(place)))
            }
        }
        @if parting.blamed.is_empty() { (diffs(&[])) } @else { p { "Because of:" } (diffs(&parting.blamed)) }
        @if !parting.open.is_empty() { details { summary { "Open here: " (parting.open.len()) }
            ul { @for label in parting.open.iter().take(4 * MOST) { li { (label) } } } } }
        (more_said)
    };
    strip("parted", &title, &buttons, &body)
}

fn strip(class: &str, title: &str, buttons: &Markup, body: &Markup) -> String {
    // Nobody is asked before it is said what becomes of the game.
    let waits =
        (class == "parted").then_some("The board waits for you: above stands what can become of the game.");
    let strip = html! {
        details id="strip" class=(class) aria-label="The rules have changed" data-waits=[waits] open {
            summary { h2 role="status" { (title) } }
            div class="tools" { (buttons) }
            (body)
        }
    };
    strip.into_string()
}

/// A place in the rules, to be gone to.
fn at(place: Option<&str>) -> Markup {
    html! { @if let Some(place) = place { button class="at" data-at=(place) { (place) } } }
}

/// Options with the same reason stand together.
fn by_reason<'d>(
    options: impl Iterator<Item = (&'d String, &'d String, Option<&'d Refusal>)>,
) -> Vec<(Option<&'d Refusal>, Vec<String>)> {
    let mut found: Vec<(Option<&Refusal>, Vec<String>)> = Vec::new();
    for (player, label, why) in options {
        let place = found.iter().position(|(other, _)| other.map(because) == why.map(because));
        let label = format!("{player}: {label}");
        match place {
            Some(place) => found[place].1.push(label),
            None => found.push((why, vec![label])),
        }
    }
    found
}

/// Some of many names.
fn names(labels: &[String]) -> Markup {
    html! {
        @if labels.len() > 1 { b { (labels.len()) " options" } ": " }
        (labels[..labels.len().min(MOST)].join(", "))
        @if labels.len() > MOST { " and " (labels.len() - MOST) " more" }
    }
}

/// What refuses an option, with its paragraphs and its place.
fn because(refusal: &Refusal) -> (&str, &[String], Option<&str>) {
    (&refusal.reason, &refusal.paragraphs, refusal.place.as_deref())
}

fn refused(refusal: &Refusal) -> Markup {
    let (reason, paragraphs, place) = because(refusal);
    let once: BTreeSet<&String> = paragraphs.iter().collect();
    html! { (reason) @for paragraph in once { " §" (paragraph) } " " (at(place)) }
}

fn cited(paragraphs: &[String], kit: &Kit) -> Markup {
    let outline = &kit.pool.program().book.outline;
    let title = |number: &String| outline.iter().find(|(other, _)| other == number).map(|(_, title)| title);
    html! {
        @for number in paragraphs {
            span class="pg" { "§" (number) @if let Some(title) = title(number) { " " (title) } } " "
        }
    }
}

fn diffs(hunks: &[Hunk]) -> Markup {
    let is_blank = |hunk: &&Hunk| hunk.removed.iter().chain(&hunk.added).all(|line| line.trim().is_empty());
    let hunks: Vec<&Hunk> = hunks.iter().filter(|hunk| !is_blank(hunk)).collect();
    html! {
        @for hunk in hunks.iter().take(MOST) {
            figure class="diff" {
                figcaption { (at(Some(&hunk.place()))) " " code { (hunk.item.split_whitespace().collect::<Vec<_>>().join(" ")) } }
                @let margin = margin(hunk);
                pre {
                    @for line in &hunk.removed { del { "- " (line.get(margin..).unwrap_or_default()) "\n" } }
                    @for line in &hunk.added { ins { "+ " (line.get(margin..).unwrap_or_default()) "\n" } }
                }
            }
        }
        @if hunks.len() > MOST { p { "and " (hunks.len() - MOST) " more changes" } }
    }
}

/// How many blanks all lines of a change begin with.
fn margin(hunk: &Hunk) -> usize {
    let lines = hunk.removed.iter().chain(&hunk.added).filter(|line| !line.trim().is_empty());
    lines.map(|line| line.bytes().take_while(|&byte| byte == b' ').count()).min().unwrap_or_default()
}

fn more(count: usize, what: &str) -> Markup {
    html! { @if count > MOST { li class="more" { "and " (count - MOST) " more " (what) } } }
}
