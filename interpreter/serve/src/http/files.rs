//! The files of the client: scripts, styles, words. They lie inside the program.

use std::borrow::Cow;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use super::lean::lean;
use super::sent::Path;
use crate::draw::STYLE;
use crate::problem::Problem;

/// What browsers get as it is.
#[derive(RustEmbed)]
#[folder = "web"]
#[include = "*.js"]
#[include = "*.css"]
#[include = "*.svg"]
#[exclude = "tests/*"]
struct Web;

/// A file, unless the browser has it already.
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(data) = data(&name) else {
        return Problem::new(StatusCode::NOT_FOUND, "serve::table", "there is no such file").into_response();
    };
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let tag: String = Sha256::digest(&data)[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    // The browser asks each time, and is mostly told that nothing has changed.
    let always = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
    let has_it = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    if has_it.flat_map(|tags| tags.split(',')).any(|one| one.trim().trim_start_matches("W/") == tag) {
        return (StatusCode::NOT_MODIFIED, always).into_response();
    }
    let content = match std::str::from_utf8(&data) {
        Ok(script) if name.ends_with(".js") => lean(script).into_bytes(),
        Ok(_) | Err(_) => data.into_owned(),
    };
    (always, [(header::CONTENT_TYPE, kind)], content).into_response()
}

/// What a file holds: one of the page's, or how the board is drawn.
fn data(name: &str) -> Option<Cow<'static, [u8]>> {
    match name {
        "drawing.css" => Some(Cow::Borrowed(STYLE.as_bytes())),
        _ => Some(Web::get(name)?.data),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_is_small() {
        let script = |name: &str| -> usize {
            let file = Web::get(name).expect("a file that is listed");
            lean(std::str::from_utf8(&file.data).expect("UTF-8")).len()
        };
        // What only a designer's page loads has a limit of its own.
        let for_designers = ["design.js", "design.words.js", "edit.js"];
        // And no table loads that of the lobby.
        let scripts = Web::iter().filter(|name| name.ends_with(".js") && name != "lobby.js");
        let (designing, playing): (Vec<_>, Vec<_>) =
            scripts.partition(|name| for_designers.contains(&name.as_ref()));
        let sum = |names: &[Cow<'static, str>]| names.iter().map(|name| script(name)).sum::<usize>();
        let (designing, playing) = (sum(&designing), sum(&playing));
        assert!((20_000..=64 * 1024).contains(&playing), "{playing} bytes of script");
        assert!((1_000..=20 * 1024).contains(&designing), "{designing} bytes of script for designers");
    }
}
