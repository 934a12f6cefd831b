//! Games and fixtures as projects in memory.

use std::path::{Path, PathBuf};

use blazon_check::project::{Folder, Page, Project};
use blazon_fixtures::Section;

use crate::common::{project, tests};

pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages(folder: &Path) -> Vec<Page> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut pages: Vec<Page> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| Page {
            name: path.strip_prefix(top()).unwrap().display().to_string(),
            text: std::fs::read_to_string(&path).unwrap(),
        })
        .collect();
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

fn folder(path: &Path) -> Folder {
    let mut folder = Folder::default();
    for page in pages(path).into_iter().chain(pages(&path.join("tests"))) {
        match page.name.rsplit('.').next() {
            Some("ron") => folder.manifest = Some(page),
            Some("blazon") => folder.pages.push(page),
            _ => folder.data.push(page),
        }
    }
    folder
}

/// A game of the repository with variants.
pub fn game(name: &str, variants: &[&str]) -> Project {
    let path = top().join("rules").join(name);
    Project {
        library: pages(&top().join("stdlib")),
        game: folder(&path),
        variants: variants.iter().map(|name| folder(&path.join("variants").join(name))).collect(),
        ..Project::default()
    }
}

/// The small game that fixtures change.
pub fn ford() -> Project {
    project(&[])
}

/// The small game with a piece of it written in another way.
pub fn ford_with(old: &str, new: &str) -> Project {
    project(&[section("old", old), section("new", new)])
}

/// The small game with a variant.
pub fn ford_varied(page: &str) -> Project {
    project(&[section("variant", page)])
}

/// Every mistake that the checker's fixtures make: the fixture's name and its project.
pub fn fixtures() -> Vec<(String, Project)> {
    let all = blazon_fixtures::fixtures(&tests().join("reject"));
    all.into_iter().map(|fixture| (fixture.name, project(&fixture.sections))).collect()
}

fn section(name: &str, body: &str) -> Section {
    Section { name: name.to_owned(), body: body.to_owned() }
}
