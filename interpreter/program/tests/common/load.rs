//! Reads a rules folder into a book.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use blazon_book::Book;
use blazon_check::Settings;
use blazon_check::project::{Folder, Page, Project, parse};
use blazon_diagnostics::{Format, Style, render};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(path: &Path) -> Page {
    let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
    Page { name, text: std::fs::read_to_string(path).unwrap() }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(read) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        read.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn folder(path: &Path) -> Folder {
    let mut folder = Folder::default();
    for file in files(path).into_iter().chain(files(&path.join("tests"))) {
        let name = file.file_name().unwrap().to_string_lossy().to_string();
        if name == "blazon.ron" {
            folder.manifest = Some(page(&file));
        } else if name.ends_with(".blazon") {
            folder.pages.push(page(&file));
        } else if name.ends_with(".txt") || name.ends_with(".tsv") {
            folder.data.push(page(&file));
        }
    }
    folder
}

/// The book of a game with variants; what is wrong with it otherwise.
pub fn load(game: &Path, variants: &[PathBuf]) -> Result<Arc<Book>, String> {
    load_with(game, variants, &[])
}

/// The same under rulings.
pub fn load_with(
    game: &Path,
    variants: &[PathBuf],
    rulings: &[(String, String)],
) -> Result<Arc<Book>, String> {
    let library = files(&root().join("stdlib")).iter().map(|path| page(path)).collect();
    let variants = variants.iter().map(|path| folder(path)).collect();
    let project = Project { library, game: folder(game), variants };
    let style = Style { color: false, unicode: true, width: 120 };
    let parsed =
        parse(&project).map_err(|(sources, found)| render(&found, &sources, Format::Human, style))?;
    let checked =
        blazon_check::check(&parsed, &Settings { rulings: rulings.to_vec(), ..Settings::default() });
    checked.book.ok_or_else(|| render(&checked.diagnostics, &parsed.sources, Format::Human, style))
}
