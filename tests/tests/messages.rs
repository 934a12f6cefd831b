//! Every message that a bad rules text can cause: the mistake made in a small game, and the whole text of what is
//! said. A fixture is a file in `fixtures/messages`:
//!
//! ```text
//! what it shows
//! === old
//! a piece of ford.blazon
//! === new
//! what stands there instead
//! === page
//! a page put beside it (may be absent)
//! === variant
//! the page of a variant (may be absent; several are stacked)
//! === message
//! the whole rendered text
//! ```
//!
//! `BLESS=1 cargo test -p blazon-tests --test messages` writes the messages anew, to be read in the diff.

use std::path::Path;

use blazon_check::project::{Folder, Page, Project, parse};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Format, explain, render};
use blazon_tests::{folder, style, top};

/// A fixture's sections, in order.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut sections = vec![("about".to_owned(), String::new())];
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("=== ") {
            sections.push((name.to_owned(), String::new()));
        } else if let Some((_, body)) = sections.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    sections
}

fn said(sections: &[(String, String)]) -> String {
    let mut game = folder(&top().join("tests/fixtures/ford"));
    let strip = |page: &mut Page| page.name = page.name.rsplit('/').next().unwrap_or(&page.name).to_owned();
    game.pages.iter_mut().chain(&mut game.data).chain(&mut game.manifest).for_each(strip);
    let mut variants = Vec::new();
    let mut old: Option<&str> = None;
    for (name, body) in sections {
        match name.as_str() {
            "old" => old = Some(body.trim_end_matches('\n')),
            "new" => {
                let old = old.take().expect("an `old` before each `new`");
                let page = game
                    .pages
                    .iter_mut()
                    .chain(&mut game.manifest)
                    .find(|page| page.text.contains(old))
                    .unwrap_or_else(|| panic!("the game has no text `{old}`"));
                page.text = page.text.replacen(old, body.trim_end_matches('\n'), 1);
            }
            "page" => game.pages.push(Page { name: "more.blazon".to_owned(), text: body.clone() }),
            "variant" => {
                let place = variants.len() + 1;
                variants.push(Folder {
                    manifest: Some(Page {
                        name: format!("variant-{place}/blazon.ron"),
                        text: format!("Variant(name: \"Variant {place}\", game: \"The Ford\")\n"),
                    }),
                    pages: vec![Page { name: format!("variant-{place}/page.blazon"), text: body.clone() }],
                    ..Folder::default()
                });
            }
            "manifest" => {
                if let Some(manifest) =
                    variants.last_mut().and_then(|variant: &mut Folder| variant.manifest.as_mut())
                {
                    manifest.text.clone_from(body);
                }
            }
            _ => {}
        }
    }
    let project = Project { library: Vec::new(), game, variants };
    match parse(&project) {
        Err((sources, diagnostics)) => render(&diagnostics, &sources, Format::Human, style()),
        Ok(parsed) => {
            let checked = check(&parsed, &Settings::default());
            for diagnostic in &checked.diagnostics {
                assert!(explain(diagnostic.code).is_some(), "`{}` is not explained", diagnostic.code);
            }
            render(&checked.diagnostics, &parsed.sources, Format::Human, style())
        }
    }
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[test]
fn every_fixture_says_what_it_said() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut paths: Vec<_> = std::fs::read_dir(top().join("tests/fixtures/messages"))
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut wrong = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("text");
        let sections = sections(&text);
        let said = trimmed(&said(&sections));
        let expected = sections.iter().find(|(name, _)| name == "message").map(|(_, body)| trimmed(body));
        if expected.as_deref() == Some(said.as_str()) {
            continue;
        }
        if bless {
            write(path, &text, &said);
        } else {
            let expected = expected.unwrap_or_default();
            wrong.push(format!("{}\n--- expected\n{expected}\n--- said\n{said}\n", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn write(path: &Path, text: &str, said: &str) {
    let head = text.split("=== message").next().unwrap_or(text);
    std::fs::write(path, format!("{}\n=== message\n{said}\n", head.trim_end())).expect("a fixture");
}

#[test]
fn the_game_without_mistakes_is_checked_without_a_word() {
    assert_eq!(said(&[]), "");
}
