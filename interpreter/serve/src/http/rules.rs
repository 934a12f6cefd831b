//! The text of a paragraph: the lines of the rules that cite it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use maud::{Markup, html};
use serde_json::{Value, json};

use blazon::book::Book;

use super::App;
use super::sent::Path;
use super::who::Who;
use crate::problem::Problem;

/// So many items of the rules are shown.
const MOST: usize = 12;
/// So many lines of each.
const LINES: usize = 40;

/// `GET paragraph/5.21`.
pub async fn paragraph(
    State(app): State<App>,
    Path((table, number)): Path<(String, String)>,
    who: Who,
) -> Result<Json<Value>, Problem> {
    let table = app.hall.table(&table)?;
    if !table.facts().may_watch(who.browser.as_deref()) {
        return Err(Problem::seat());
    }
    let told = table.with(&app.hall, move |sitting| {
        let book = &sitting.live.kit.pool.program().book;
        let title = book.outline.iter().find(|(other, _)| *other == number).map(|(_, title)| title.as_str());
        let items = items(book, &number);
        if title.is_none() && items.is_empty() {
            let text = "the rules know no such paragraph";
            return Err(Problem::new(StatusCode::NOT_FOUND, "serve::request", text));
        }
        let title = title.map_or_else(|| number.clone(), |title| format!("{number} {title}"));
        Ok(Json(json!({ "title": title, "html": html! { @for item in &items { (item) } }.into_string() })))
    });
    told.await
}

/// The items of the rules that cite a paragraph: where they stand, and their text.
fn items(book: &Book, number: &str) -> Vec<Markup> {
    let mut items = Vec::new();
    for (_, source) in book.sources.iter().filter(|(_, source)| source.name.ends_with(".blazon")) {
        let lines: Vec<&str> = source.text.lines().collect();
        let mut shown_to = 0;
        for (place, line) in lines.iter().enumerate() {
            if place < shown_to || !cites(line, number) || items.len() == MOST {
                continue;
            }
            let begin = (0..=place).rev().find(|&line| begins(lines[line])).unwrap_or(place);
            let end = (place + 1..lines.len()).find(|&line| begins(lines[line])).unwrap_or(lines.len());
            let begin = begin.max(shown_to).max(place.saturating_sub(LINES / 2));
            let end = end.min(begin + LINES).max(place + 1);
            shown_to = end;
            let text = lines[begin..end].join("\n");
            items.push(html! {
                figure { figcaption { (source.name) ":" (begin + 1) } pre { (text.trim_end()) } }
            });
        }
    }
    items
}

/// Whether an item begins on a line: in the first column, with a word.
fn begins(line: &str) -> bool {
    line.starts_with(|first: char| first.is_alphabetic())
}

/// Whether a line cites a paragraph itself, not one that begins like it.
fn cites(line: &str, number: &str) -> bool {
    line.match_indices('@').any(|(at, _)| {
        let rest = &line[at + 1..];
        rest.split(|letter: char| letter.is_whitespace() || letter == ',').next() == Some(number)
    })
}
