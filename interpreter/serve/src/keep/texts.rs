//! The rules of tables as text: a table goes on by the rules that it was begun by, whatever becomes of the files that they
//! were read from.

use std::path::Path;

use blazon::files::put_whole;
use blazon::{Folder, Page, Project};
use serde::{Deserialize, Serialize};

use super::folder::read;
use crate::problem::Problem;

/// The number of this form of the file.
const FORMAT: u32 = 1;

/// Rules as they are written down.
#[derive(Serialize, Deserialize)]
struct Kept {
    format: u32,
    library: Vec<KeptPage>,
    game: KeptFolder,
    variants: Vec<KeptFolder>,
}

#[derive(Default, Serialize, Deserialize)]
struct KeptFolder {
    manifest: Option<KeptPage>,
    pages: Vec<KeptPage>,
    data: Vec<KeptPage>,
    map: Option<KeptPage>,
}

#[derive(Serialize, Deserialize)]
struct KeptPage {
    name: String,
    text: String,
}

/// Writes rules down, unless they are there: without their tests, which nobody plays by.
///
/// # Errors
/// `serve::kept` if the disk does not take them.
pub fn keep_rules(path: &Path, project: &Project) -> Result<(), Problem> {
    if path.exists() {
        return Ok(());
    }
    let kept = Kept {
        format: FORMAT,
        library: pages(&project.library),
        game: folder(&project.game),
        variants: project.variants.iter().map(folder).collect(),
    };
    let text = serde_json::to_string(&kept).map_err(|error| Problem::internal(error.to_string()))?;
    // Only the one folder: where that of all tables is away for a moment, none is made in its place.
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir(folder);
    }
    let written = put_whole(path, &text);
    written.map_err(|error| Problem::kept(format!("the rules cannot be written down: {error}")))
}

/// Rules that were written down; none if they never were.
///
/// # Errors
/// `serve::damaged` if they cannot be read.
pub fn kept_rules(path: &Path) -> Result<Option<Project>, Problem> {
    if !path.exists() {
        return Ok(None);
    }
    let wrong = |why: String| Problem::damaged(format!("the rules of this table cannot be read: {why}"));
    let text = read(path).map_err(|error| wrong(error.to_string()))?;
    let kept: Kept = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if kept.format != FORMAT {
        return Err(wrong(format!("they have format {}; take a newer blazon", kept.format)));
    }
    Ok(Some(Project {
        library: kept.library.into_iter().map(Page::from).collect(),
        game: kept.game.into(),
        variants: kept.variants.into_iter().map(Folder::from).collect(),
        others: Vec::new(),
    }))
}

fn pages(pages: &[Page]) -> Vec<KeptPage> {
    pages.iter().map(page).collect()
}

fn page(page: &Page) -> KeptPage {
    KeptPage { name: page.name.clone(), text: page.text.clone() }
}

fn folder(folder: &Folder) -> KeptFolder {
    KeptFolder {
        manifest: folder.manifest.as_ref().map(page),
        pages: pages(&folder.pages),
        data: pages(&folder.data),
        map: folder.map.as_ref().map(page),
    }
}

impl From<KeptPage> for Page {
    fn from(KeptPage { name, text }: KeptPage) -> Self {
        Self { name, text }
    }
}

impl From<KeptFolder> for Folder {
    fn from(kept: KeptFolder) -> Self {
        Self {
            manifest: kept.manifest.map(Page::from),
            pages: kept.pages.into_iter().map(Page::from).collect(),
            tests: Vec::new(),
            data: kept.data.into_iter().map(Page::from).collect(),
            map: kept.map.map(Page::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules").join("a.json");
        assert!(kept_rules(&path).unwrap().is_none());
        let page = |name: &str| Page { name: name.to_owned(), text: "kind side = A, B\n".to_owned() };
        let game = Folder {
            manifest: Some(page("blazon.ron")),
            pages: vec![page("a.blazon")],
            tests: vec![page("tests/a.blazon")],
            ..Folder::default()
        };
        let project = Project { library: vec![page("turns.blazon")], game, ..Project::default() };
        keep_rules(&path, &project).unwrap();
        let again = kept_rules(&path).unwrap().unwrap();
        assert_eq!(again.game.pages[0].text, project.game.pages[0].text);
        assert_eq!((again.library.len(), again.game.tests.len()), (1, 0));
        std::fs::write(&path, "nonsense").unwrap();
        assert_eq!(kept_rules(&path).unwrap_err().code, "serve::damaged");
    }
}
