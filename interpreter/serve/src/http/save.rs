//! The whole game as a file. Whoever has it knows everything: the page says what follows from that, and a button asks for it.
//! To look at the page changes nothing, wherever the link stood that led to it.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::html;

use super::at::At;
use super::page::frame;
use crate::links::to_table;
use crate::problem::Problem;

/// `GET save`: the button.
pub async fn ask(at: At) -> Result<Response, Problem> {
    let browser = at.who.browser.clone();
    let is_news = at.with(move |sitting| sitting.would_tell(browser.as_deref())).await?;
    let facts = at.table.facts();
    let back = to_table(&at.table.name, at.page.seat.as_deref().unwrap_or_default());
    let body = html! {
        body class="plain" {
            main {
                h1 { "Download the game" }
                p { "The file has all that was played, and everything that is hidden, the dice to come among it. It goes on from there with " code { "blazon play --load" } " or in the lobby." }
                @if is_news { p { "Whoever has it knows what seats may not know: from then on nobody else can sit down at this table." } }
                form method="post" { button class="go" { "Download" } }
                p { a href=(back) { "To the table" } }
            }
        }
    };
    Ok(frame(&facts.title, body).into_response())
}

/// `POST save`: the file.
pub async fn save(at: At) -> Result<Response, Problem> {
    let file = format!("attachment; filename=\"{}.game\"", at.table.name);
    let browser = at.who.browser.clone();
    let mut text = at.with(move |sitting| sitting.save(browser.as_deref())).await?;
    text.push_str(&at.table.facts().bots_line());
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, text).into_response())
}
