//! What happened, line by line, as a seat may know it.

use blazon::book::Book;
use blazon::machine::{Event, Word, Words};
use blazon::{Game, PlayerId};
use maud::{Markup, html};

use crate::layout::token;
use crate::looks::Looks;
use crate::piece::badge;
use crate::signs::n;

/// A line of the log, as HTML; nothing if there is nothing to tell.
pub fn line(game: &Game, looks: &Looks, event: &Event, viewer: PlayerId) -> Option<String> {
    let told = game.event_words(event, Some(viewer))?;
    let told = words(game.book(), &told);
    let line = match event {
        Event::Chosen { asked, .. } => html! {
            li class=(if game.is_forced(event, Some(viewer)) == Some(true) { "chosen forced" } else { "chosen" }) {
                (badge(looks, *asked, 14))
                span { span class="who" { (game.player_name((*asked).into())) ": " } (told) }
            }
        },
        Event::Said { .. } => html! { li class="said" { (told) } },
        Event::Rolled { dice, sides, .. } => html! {
            li class="dice" aria-label=(dice.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")) {
                @for &pips in dice { (die(pips, *sides)) }
            }
        },
        Event::Drawn { .. } => return None,
        Event::Over { .. } => html! { li class="over" { (told) } },
    };
    Some(line.into_string())
}

/// A line with the names in it that light up. It is read long after it was told, so it names only what is called the same
/// whatever happens: things with a name of their own, which the reader knew when it was told.
fn words(book: &Book, words: &Words) -> Markup {
    html! {
        @for word in words.iter() {
            @match word {
                Word::Plain(text) => (text),
                Word::Thing(kind, thing, name) => {
                    @if book.kind(*kind).is_alone(*thing) { b data-t=(token(*kind, *thing)) { (name) } } @else { b { (name) } }
                }
            }
        }
    }
}

/// A die as it fell: pips up to six, else the number.
fn die(shows: u8, sides: i64) -> Markup {
    let at = |places: &[(f64, f64)]| {
        html! { @for (x, y) in places { circle cx=(n(*x)) cy=(n(*y)) r="1.7" {} } }
    };
    let (l, m, r) = (4.5, 9.0, 13.5);
    let pips: &[(f64, f64)] = match shows {
        1 => &[(m, m)],
        2 => &[(l, l), (r, r)],
        3 => &[(l, l), (m, m), (r, r)],
        4 => &[(l, l), (r, l), (l, r), (r, r)],
        5 => &[(l, l), (r, l), (m, m), (l, r), (r, r)],
        6 => &[(l, l), (r, l), (l, m), (r, m), (l, r), (r, r)],
        _ => &[],
    };
    html! {
        svg class="die" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" {
            rect x=".5" y=".5" width="17" height="17" rx="3.5" {}
            @if sides == 6 && !pips.is_empty() { (at(pips)) } @else { text x="9" y="13" { (shows) } }
        }
    }
}
