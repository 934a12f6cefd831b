//! Changing rules in the browser, beside the board: for somebody who has no editor. Only from this machine, only by whoever
//! started the server, only files of the game's own folder, only at a table that is all one's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use blazon::files::put_whole;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::at::At;
use super::sent::{Query, Sent};
use crate::cores::waiting;
use crate::desk::Desk;
use crate::keep::read;
use crate::problem::Problem;

/// Which page.
#[derive(Deserialize)]
pub struct Named {
    name: String,
}

/// The files of the game that a table plays.
async fn files(at: &At) -> Result<Vec<(String, PathBuf)>, Problem> {
    at.seat()?;
    if !at.app.hall.design.edits() {
        let text = "rules are changed in the browser only where the server listens to this machine alone";
        return Err(Problem::secret(text));
    }
    // Others may reach this machine, and each is a designer at tables of his own.
    if !at.app.hall.is_hosts(at.who.browser.as_deref()) {
        let text = "rules are changed in the browser by whoever started the server: open the link first that it printed";
        return Err(Problem::secret(text));
    }
    let hall = at.app.hall.clone();
    at.with(move |sitting| {
        sitting.is_designed()?;
        let game = hall.shelf.game(&sitting.facts.game);
        Ok(game.map(|game| game.files()).unwrap_or_default())
    })
    .await
}

async fn path(at: &At, name: &str) -> Result<PathBuf, Problem> {
    find(files(at).await?, name)
}

fn find(files: Vec<(String, PathBuf)>, name: &str) -> Result<PathBuf, Problem> {
    let found = files.into_iter().find(|(other, _)| other == name).map(|(_, path)| path);
    found.ok_or_else(|| {
        Problem::new(
            StatusCode::NOT_FOUND,
            "serve::request",
            "the game has no such file that could be changed here",
        )
    })
}

/// `GET edit`: the files that can be changed, and the words of the language.
pub async fn list(at: At) -> Result<Json<Value>, Problem> {
    let files: Vec<String> = files(&at).await?.into_iter().map(|(name, _)| name).collect();
    Ok(Json(json!({ "files": files, "words": blazon_lsp::keywords() })))
}

/// A place as messages name it: file, line and column.
#[derive(Deserialize)]
pub struct Placed {
    at: String,
}

/// `GET edit/link`: what opens a place in the designer's own editor; nothing if there is none, or it is no file of his.
pub async fn link(at: At, Query(Placed { at: place }): Query<Placed>) -> Result<Json<Value>, Problem> {
    let files = files(&at).await?;
    let (name, line, column) = parts(&place);
    let link = at.app.hall.design.editor().and_then(|editor| {
        let (_, path) = files.iter().find(|(other, _)| other == name)?;
        Some(editor.link(path, line, column))
    });
    Ok(Json(json!({ "link": link })))
}

/// The file, line and column of a place; the beginning, where it says no more than the file.
fn parts(place: &str) -> (&str, u32, u32) {
    let number = |text: &'_ str| -> Option<u32> { text.parse().ok().filter(|&number| number > 0) };
    let cut = |text: &str| text.rsplit_once(':').and_then(|(rest, last)| Some((rest.len(), number(last)?)));
    let Some((end, last)) = cut(place) else { return (place, 1, 1) };
    match cut(&place[..end]) {
        Some((name, line)) => (&place[..name], line, last),
        None => (&place[..end], last, 1),
    }
}

/// `GET edit/page`: a file as it is on the disk, and a print by which it is known whether it has changed since.
/// A page of the library is only to be read.
pub async fn page(at: At, Query(Named { name }): Query<Named>) -> Result<Json<Value>, Problem> {
    // Whoever may not change these rules is refused before anything is looked for.
    let files = files(&at).await?;
    let path = match find(files, &name) {
        Ok(path) => path,
        Err(problem) => return library_page(&at, &name).ok_or(problem),
    };
    let text = waiting(move || on_disk(&path)).await?;
    Ok(Json(json!({ "text": text.replace("\r\n", "\n"), "print": print(&text), "reads": false })))
}

fn library_page(at: &At, name: &str) -> Option<Json<Value>> {
    let facts = at.table.facts();
    let pages = at.app.hall.shelf.game(&facts.game)?.library_pages();
    let (_, text) = pages.into_iter().find(|(other, _)| other == name)?;
    Some(Json(json!({ "text": text, "print": "", "reads": true })))
}

#[derive(Deserialize)]
struct Save {
    name: String,
    text: String,
    /// Of the text that was changed.
    print: String,
}

/// `POST edit/save`: writes a file, unless it is another by now than it was when it was read.
pub async fn save(at: At, sent: Sent) -> Result<Json<Value>, Problem> {
    let Save { name, text, print: before } = sent.json()?;
    let path = path(&at, &name).await?;
    let file = path.clone();
    let saved = waiting(move || {
        let old = on_disk(&path)?;
        if print(&old) != before {
            let text = "the file has been changed elsewhere since it was opened here; open it again, or save it there";
            return Err(Problem::new(StatusCode::CONFLICT, "serve::stale", text));
        }
        let text = if old.contains("\r\n") { text.replace('\n', "\r\n") } else { text };
        put_whole(&path, &text)
            .map_err(|error| Problem::kept(format!("the file cannot be written: {error}")))?;
        Ok(print(&text))
    });
    let print = saved.await?;
    at.table.saved(&file).await;
    Ok(Json(json!({ "print": print })))
}

#[derive(Deserialize)]
struct Look {
    name: String,
    text: String,
    /// The caret, from 0; columns as the browser counts them.
    line: u32,
    character: u32,
    /// Whether to say what could stand there.
    #[serde(default)]
    complete: bool,
}

/// `POST edit/look`: what an editor would show of a text that is not saved yet.
pub async fn look(at: At, sent: Sent) -> Result<Json<Value>, Problem> {
    let Look { name, text, line, character, complete } = sent.json()?;
    let path = path(&at, &name).await?;
    let desk = desk(&at).await?;
    at.with(|sitting| {
        sitting.keep_copy();
        Ok(())
    })
    .await?;
    let looked = waiting(move || {
        let uri = desk.put(&path, &text)?;
        let page = json!({ "uri": uri });
        let here = json!({ "textDocument": page, "position": { "line": line, "character": character } });
        let tokens = desk.ask("textDocument/semanticTokens/full", json!({ "textDocument": page }))?;
        let items = match complete {
            true => desk.ask("textDocument/completion", here.clone())?,
            false => Value::Null,
        };
        let hover = desk.ask("textDocument/hover", here)?;
        let (messages, is_checked) = desk.messages(&path);
        Ok(json!({
            "print": print(&on_disk(&path)?),
            "tokens": tokens["data"],
            "legend": desk.legend,
            "items": items,
            "hover": hover["contents"],
            "messages": messages,
            "checked": is_checked,
        }))
    })
    .await?;
    // It says what rules give in the game on the board, whoever may know that.
    if !looked["hover"].is_null() {
        at.with(|sitting| {
            sitting.is_designed()?;
            sitting.tell_all()
        })
        .await?;
    }
    Ok(Json(looked))
}

/// The language server of a table.
async fn desk(at: &At) -> Result<Arc<Desk>, Problem> {
    let hall = at.app.hall.clone();
    let (facts, table) = (at.table.facts(), hall.data.table(&at.table.name));
    at.table
        .desk(move || {
            let game = hall.shelf.game(&facts.game).ok_or_else(Problem::no_table)?;
            let root = game.root.as_ref().ok_or_else(Problem::no_table)?;
            let root = root.canonicalize().unwrap_or_else(|_| root.clone());
            Desk::new(&root, game.library(), &table)
        })
        .await
}

fn on_disk(path: &Path) -> Result<String, Problem> {
    read(path).map_err(|error| Problem::damaged(format!("the file cannot be read: {error}")))
}

fn print(text: &str) -> String {
    Sha256::digest(text)[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}
