//! The page on which a seat says where it is to be called when it is its turn.

use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;

use super::at::At;
use super::page::{Failed, frame};
use super::sent::Form;
use crate::links::to_table;

/// `GET webhook`: the form.
pub async fn form(at: At) -> Result<Response, Failed> {
    let seat = at.seat()?;
    let facts = at.table.facts();
    let calls = &at.app.hall.calls;
    let (name, now) = (&facts.seats[seat].player, facts.seats[seat].webhook.as_deref());
    let fate = at.table.fate(seat);
    let body = html! {
        body class="plain" {
            main {
                h1 { "Call me when it is my turn" }
                @if calls.hosts().is_empty() {
                    p { "This server calls nobody. Whoever runs it can allow hosts: " code { "blazon serve --webhook-host discord.com" } }
                } @else {
                    p { "When " (name) " has to decide and no page of it is seen, this server sends a message to an address of yours, as chats take them. It says whose turn it is in which game, and nothing else." }
                    form method="post" {
                        label class="field" { "Address at " (calls.hosts().join(", "))
                            input type="url" name="address" maxlength="1000" size="60" value=[now] placeholder="https://…";
                        }
                        p { button class="verb do" { "Keep" } " " span { "Empty: no calls." } }
                    }
                }
                @if let Some(fate) = fate { p { "The last call: " (fate) "." } }
                p { a href=(to_table(&at.table.name, name)) { "To the table" } }
            }
        }
    };
    Ok(frame("Call me when it is my turn", body).into_response())
}

/// What the form sends.
#[derive(Deserialize)]
pub struct Address {
    address: String,
}

/// `POST webhook`: keeps the address, or forgets it if it is empty.
pub async fn keep(at: At, Form(Address { address }): Form<Address>) -> Result<Response, Failed> {
    let seat = at.seat()?;
    let address = address.trim();
    if !address.is_empty() {
        at.app.hall.calls.allows(address)?;
    }
    let kept = (!address.is_empty()).then(|| address.to_owned());
    at.table.change_soon(move |facts| facts.seats[seat].webhook = kept).await?;
    Ok(Redirect::to(&to_table(&at.table.name, &at.table.facts().seats[seat].player)).into_response())
}
