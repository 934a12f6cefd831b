//! `blazon format`: lays pages out, or tells which are laid out otherwise.

use std::io::Read;
use std::path::{Path, PathBuf};

use blazon::shown;
use blazon_syntax::{Formatted, format};
use walkdir::{DirEntry, WalkDir};

use crate::args::FormatArgs;
use crate::console::{Console, harmless};
use crate::exit::{Failure, Result};
use crate::save_file;

/// Pages that take more bytes are no pages.
const TOO_LONG: u64 = 16 << 20;

/// Lays out pages, each by itself: one that cannot be read or written keeps the others from nothing.
///
/// # Errors
/// If there is no page, one cannot be read or written, or, when it is only asked, one is laid out otherwise.
pub fn run(args: &FormatArgs, console: &Console) -> Result<()> {
    if args.paths.iter().any(|path| path.as_os_str() == "-") {
        return piped(args, console);
    }
    let mut wrong = Vec::new();
    let (mut changed, mut all) = (0_usize, 0_usize);
    for path in pages(&args.paths, &mut wrong)? {
        match page(&path, args.check, console) {
            Ok(news) => {
                all += 1;
                changed += usize::from(news);
            }
            Err(message) => wrong.push(message),
        }
    }
    for message in &wrong {
        console.error(harmless(message));
    }
    let pages = if all == 1 { "1 page".to_owned() } else { format!("{all} pages") };
    match (changed, args.check) {
        // Where nothing could be read there is nothing to be told but that.
        (0, _) if all == 0 && !wrong.is_empty() => {}
        (0, _) => console.line(format!("{pages}: laid out already")),
        (_, true) => {
            console.line(format!("{pages}: {changed} laid out otherwise; `blazon format` lays them out"))
        }
        (_, false) => console.line(format!("{pages}: {changed} laid out anew")),
    }
    if !wrong.is_empty() {
        return Err(Failure::Environment("not every page was laid out".to_owned()));
    }
    if args.check && changed > 0 { Err(Failure::Problems) } else { Ok(()) }
}

/// From standard input to standard output.
fn piped(args: &FormatArgs, console: &Console) -> Result<()> {
    if args.paths.len() > 1 {
        return Err(Failure::Usage("standard input is laid out by itself: name no other page".to_owned()));
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(TOO_LONG + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Environment(format!("standard input cannot be read: {error}")))?;
    let text = text_of(bytes, "standard input").map_err(Failure::Environment)?;
    let formatted = format(&text);
    tell_unread(&formatted, "standard input", console);
    if !args.check {
        console.write(formatted.text);
        return Ok(());
    }
    if formatted.text == text {
        return Ok(());
    }
    Err(Failure::Problem("standard input is laid out otherwise; `blazon format -` lays it out".to_owned()))
}

/// Says which items were left as they are.
fn tell_unread(formatted: &Formatted, name: &str, console: &Console) {
    for line in &formatted.unread {
        console.note(format!("{name}:{line}: what cannot be read is left as it is; `blazon check` says why"));
    }
}

/// The pages at these places and below them, in order.
///
/// # Errors
/// If a folder has none: then it is another one that was meant.
fn pages(paths: &[PathBuf], wrong: &mut Vec<String>) -> Result<Vec<PathBuf>> {
    let is_hidden = |entry: &DirEntry| {
        entry.depth() > 0 && entry.file_name().to_str().is_some_and(|name| name.starts_with('.'))
    };
    let mut pages = Vec::new();
    for path in paths {
        let is_page = path.extension().is_some_and(|ext| ext == "blazon");
        if path.is_file() && !is_page {
            // A saved game, a manifest, a list: laid out as a page it might be spoilt.
            wrong.push(format!("`{}` is no page: the name of a page ends in `.blazon`", shown(path)));
            continue;
        }
        if path.is_file() {
            pages.push(path.clone());
            continue;
        }
        if !path.exists() {
            wrong.push(format!("there is no file or folder `{}` [files::missing]", shown(path)));
            continue;
        }
        let (pages_before, wrong_before) = (pages.len(), wrong.len());
        // Links are not followed: what lies outside is not ours to change.
        for entry in
            WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(|entry| !is_hidden(entry))
        {
            match entry {
                Ok(entry) => {
                    let is_page = entry.path().extension().is_some_and(|ext| ext == "blazon");
                    if entry.file_type().is_file() && is_page {
                        pages.push(entry.into_path());
                    }
                }
                // The error itself names an operation of the program.
                Err(error) => wrong.push(format!(
                    "`{}` cannot be read: {}",
                    error.path().map_or_else(|| shown(path), shown),
                    error
                        .io_error()
                        .map_or_else(|| "it leads in a circle".to_owned(), |why| why.kind().to_string())
                )),
            }
        }
        if (pages.len(), wrong.len()) == (pages_before, wrong_before) {
            let name = shown(path);
            return Err(Failure::Usage(format!(
                "no page lies in `{name}`: a page is a file whose name ends in `.blazon` [files::missing]"
            )));
        }
    }
    Ok(pages)
}

/// Lays one page out; whether it was laid out otherwise.
fn page(path: &Path, only_check: bool, console: &Console) -> std::result::Result<bool, String> {
    let name = shown(path);
    let told = |error: std::io::Error| format!("`{name}` cannot be read: {error}");
    let length = std::fs::metadata(path).map_err(told)?.len();
    if length > TOO_LONG {
        return Err(format!("`{name}` is no page: it has {length} bytes"));
    }
    let text = text_of(std::fs::read(path).map_err(told)?, &format!("`{name}`"))?;
    let formatted = format(&text);
    tell_unread(&formatted, &name, console);
    if formatted.text == text {
        return Ok(false);
    }
    if !only_check {
        save_file::put(path, &formatted.text)?;
    }
    console.line(name);
    Ok(true)
}

fn text_of(bytes: Vec<u8>, name: &str) -> std::result::Result<String, String> {
    if bytes.len() as u64 > TOO_LONG {
        return Err(format!("{name} is no page: it has more than {TOO_LONG} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{name} is no text: byte {at} is not UTF-8")
    })
}
