//! What is said to a designer of rules that have just been changed: what is wrong with them, or what they do to the game.

use blazon::change::{Difference, Hunk};
use blazon::told::Change;
use maud::{Markup, html};

use super::trial::{Outcome, Parting, Trial, because};
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
    let body = html! {
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
    };
    strip("bad", &title, &html! {}, &body)
}

/// Why the game cannot be played again at all.
pub fn problem(problem: &Problem) -> String {
    let title = "The game cannot be played by the changed rules: the board stays as it is";
    strip("bad", title, &html! {}, &html! { p { (problem.text) " " small { (problem.code) } } })
}

/// What changed rules do to the game.
pub fn trial(trial: &Trial, kit: &Kit) -> String {
    match &trial.outcome {
        Outcome::Whole(difference) => whole(difference, &trial.hunks),
        Outcome::Parted(parting) => parted(parting, kit),
    }
}

fn whole(difference: &Difference, hunks: &[Hunk]) -> String {
    let title = if difference.is_empty() {
        "The rules have changed; here nothing is otherwise"
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
            @for came in came.iter().take(MOST) {
                li class="came" { (came.player) ": " (came.label)
                    @if let Some(refusal) = &came.before { " " span { "was refused: " (refused(refusal)) } } }
            }
            (more(came.len(), "options that came"))
            @for went in went.iter().take(MOST) {
                li class="went" { (went.player) ": " (went.label)
                    @if let Some(refusal) = &went.now { " " span { "refused now: " (refused(refusal)) } } }
            }
            (more(went.len(), "options that went"))
        } }
        @if !values.is_empty() { ul class="values" {
            @for value in values.iter().take(MOST) {
                li { code { (value.rule) @if !value.thing.is_empty() { "(" (value.thing) ")" } } ": "
                    (value.from) " → " b { (value.to) } " " (at(Some(&value.place))) }
            }
            (more(values.len(), "values of rules"))
        } }
        @let moved: Vec<String> = moved.iter().filter_map(in_words).collect();
        @if !moved.is_empty() { ul class="moved" {
            @for line in moved.iter().take(MOST) { li { (maud::PreEscaped(line)) } }
            (more(moved.len(), "states"))
        } }
        @if *unread > 0 { p { (unread) " values of rules were not looked at." } }
        (diffs(hunks))
    };
    strip("whole", title, &buttons, &body)
}

fn parted(parting: &Parting, kit: &Kit) -> String {
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
    };
    strip("parted", &title, &buttons, &body)
}

fn strip(class: &str, title: &str, buttons: &Markup, body: &Markup) -> String {
    let strip = html! {
        section id="strip" class=(class) aria-label="The rules have changed" {
            header { h2 role="status" { (title) } (buttons) }
            div { (body) }
        }
    };
    strip.into_string()
}

/// A place in the rules, to be gone to.
fn at(place: Option<&str>) -> Markup {
    html! { @if let Some(place) = place { button class="at" data-at=(place) { (place) } } }
}

fn refused(refusal: &blazon::told::Refusal) -> Markup {
    let (reason, paragraphs, place) = because(refusal);
    html! { (reason) @for paragraph in paragraphs { " §" (paragraph) } " " (at(place)) }
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
    html! {
        @for hunk in hunks.iter().take(MOST) {
            figure class="diff" {
                figcaption { (at(Some(&hunk.place()))) " " code { (hunk.item) } }
                pre {
                    @for line in &hunk.removed { del { "- " (line) "\n" } }
                    @for line in &hunk.added { ins { "+ " (line) "\n" } }
                }
            }
        }
        @if hunks.len() > MOST { p { "and " (hunks.len() - MOST) " more changes" } }
    }
}

fn more(count: usize, what: &str) -> Markup {
    html! { @if count > MOST { li class="more" { "and " (count - MOST) " more " (what) } } }
}

fn in_words(change: &Change) -> Option<String> {
    line(change)
}
