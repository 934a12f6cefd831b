//! What the fixtures of the checker share: the Ford, a small game, with something changed in it.
//!
//! ```text
//! what it shows
//! === old
//! a piece of ford.blazon (or of its manifest)
//! === new
//! what stands there instead
//! === page
//! a page put beside it, `more.blazon` (may be absent)
//! === tests
//! a page among the tests, `tests/more.blazon` (may be absent)
//! === rows
//! a file of rows put beside it, `more.tsv`, with `→` for a tab (may be absent)
//! === file NAME
//! another data file, before those of the game (may be absent)
//! === library
//! a page of the library, `module.blazon` (may be absent)
//! === variant
//! the page of a variant (may be absent; several are stacked)
//! === manifest
//! the manifest of the variant before it, if it is not a plain one
//! === proof limit
//! how much may be looked at to prove that nobody learns what is hidden (may be absent)
//! ```
#![allow(dead_code, reason = "each test uses a part")]

pub mod block_text;
pub mod book_text;
pub mod expr_text;

use std::path::{Path, PathBuf};

use blazon_check::project::{Folder, Page, Parsed, Project, parse};
use blazon_check::{Checked, Settings, check};
use blazon_diagnostics::{Diagnostic, Format, Sources, Style, explain, render};
use blazon_fixtures::Section;

/// The folder of the checker's tests.
pub fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The Ford as it stands.
fn ford() -> Folder {
    let page = |name: &str| Page {
        name: name.to_owned(),
        text: std::fs::read_to_string(tests().join("ford").join(name)).expect("a file of the Ford"),
    };
    Folder {
        manifest: Some(page("blazon.ron")),
        pages: vec![page("ford.blazon")],
        data: vec![page("outline.txt")],
        ..Folder::default()
    }
}

/// The Ford with what the sections of a fixture change.
pub fn project(sections: &[Section]) -> Project {
    let mut project = Project { game: ford(), ..Project::default() };
    let mut old: Option<&str> = None;
    for Section { name, body } in sections {
        match name.as_str() {
            "old" => old = Some(body.trim_end_matches('\n')),
            "new" => {
                let old = old.take().expect("an `old` before each `new`");
                replace(&mut project.game, old, body.trim_end_matches('\n'));
            }
            "page" => project.game.pages.push(Page { name: "more.blazon".to_owned(), text: body.clone() }),
            "tests" => {
                let name = "tests/more.blazon".to_owned();
                project.game.tests.push(Page { name, text: body.clone() });
            }
            "rows" => {
                let text = body.replace('→', "\t");
                project.game.data.push(Page { name: "more.tsv".to_owned(), text });
            }
            "library" => {
                project.library.push(Page { name: "module.blazon".to_owned(), text: body.clone() });
            }
            "variant" => {
                let variant = variant(project.variants.len() + 1, body);
                project.variants.push(variant);
            }
            "manifest" => {
                let last = project.variants.last_mut().and_then(|variant| variant.manifest.as_mut());
                last.expect("a `variant` before its `manifest`").text.clone_from(body);
            }
            // What whoever plays asks for: see `checked`.
            "asked" | "proof limit" => {}
            other if other == "message" || other.starts_with("book") => {}
            other => {
                let file = other.strip_prefix("file ");
                let name = file.unwrap_or_else(|| panic!("what is a section `{other}`?")).to_owned();
                project.game.data.insert(0, Page { name, text: body.clone() });
            }
        }
    }
    project
}

fn replace(game: &mut Folder, old: &str, new: &str) {
    let mut pages = game.pages.iter_mut().chain(&mut game.manifest);
    let page = pages.find(|page| page.text.contains(old));
    let page = page.unwrap_or_else(|| panic!("the game has no text `{old}`"));
    page.text = page.text.replacen(old, new, 1);
}

fn variant(place: usize, text: &str) -> Folder {
    let manifest = format!("Variant(name: \"Variant {place}\", game: \"The Ford\")\n");
    Folder {
        manifest: Some(Page { name: format!("variant-{place}/blazon.ron"), text: manifest }),
        pages: vec![Page { name: format!("variant-{place}/page.blazon"), text: text.to_owned() }],
        ..Folder::default()
    }
}

/// What checking the changed Ford gives, and all that is said about it, as it is shown.
pub fn checked(sections: &[Section]) -> (Option<(Parsed, Checked)>, String) {
    match parse(&project(sections)) {
        Err((sources, diagnostics)) => (None, said(&diagnostics, &sources)),
        Ok(parsed) => {
            let asked = sections.iter().filter(|section| section.name == "asked");
            let asked =
                asked.flat_map(|section| section.body.lines()).filter_map(|line| line.split_once('='));
            let rulings = asked.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let limit = sections.iter().find(|section| section.name == "proof limit");
            let proof_limit = limit.map(|section| section.body.trim().parse().expect("a limit of the proof"));
            let checked = check(&parsed, &Settings { rulings, proof_limit, ..Settings::default() });
            let said = said(&checked.diagnostics, &parsed.sources);
            (Some((parsed, checked)), said)
        }
    }
}

fn said(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    for diagnostic in diagnostics {
        assert!(explain(diagnostic.code).is_some(), "`{}` is not explained", diagnostic.code);
    }
    render(diagnostics, sources, Format::Human, Style { color: false, unicode: true, width: 110 })
}
