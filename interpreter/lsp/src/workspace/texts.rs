//! The texts of a game with its variants: those of the disk, and over them those of the screen.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use blazon::{Loader, Rules, put};
use blazon_check::manifest::Manifest;
use blazon_check::project::{Folder, Page, Project};
use blazon_diagnostics::Diagnostic;

use super::read::Ground;
use crate::documents::Documents;

/// What of a game is on the disk. Cheap to copy, to be looked at elsewhere.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The game with its variants.
    pub rules: Arc<Rules>,
    /// What names count from.
    pub ground: Ground,
}

impl Texts {
    /// The game or variant of a folder.
    ///
    /// # Errors
    /// In words, if the folder is none.
    pub fn find(folder: &Path, library: Option<&Path>) -> Result<Self, String> {
        let mut loader = Loader::new().names_from(folder);
        if let Some(library) = library {
            loader = loader.library(library);
        }
        let words = |error: blazon::Error| {
            error.diagnostics().iter().map(crate::diagnostics::words).collect::<Vec<_>>().join("\n")
        };
        let rules = loader.find(&folder.to_string_lossy()).map_err(words)?;
        let ground = Ground {
            root: folder.to_owned(),
            has_library: library.is_some(),
            is_inside: rules.root.is_none(),
        };
        Ok(Self { rules: Arc::new(rules), ground })
    }

    /// Whether something was read of the same game with the same variants in the same places, whatever they say now.
    pub fn is_like(&self, other: &Self) -> bool {
        let all = |texts: &Self| texts.keys(&(0..texts.rules.variants.len()).collect::<Vec<usize>>());
        let place = |texts: &Self| (texts.rules.root.clone(), texts.rules.inside);
        place(self) == place(other) && all(self) == all(other)
    }

    /// The folders of a stack of variants, by name.
    pub fn keys(&self, stack: &[usize]) -> Vec<String> {
        let variants = stack.iter().filter_map(|&place| self.rules.variants.get(place));
        variants.map(|variant| variant.key.clone()).collect()
    }

    /// The place of the variant in a folder of that name.
    pub fn place_of(&self, key: &str) -> Option<usize> {
        self.rules.variants.iter().position(|variant| variant.key == key)
    }

    /// Whether the two say the same, with what is on the screen over each; for what is alike.
    pub fn says_the_same(&self, other: &Self, documents: &Documents) -> bool {
        let all: Vec<usize> = (0..self.rules.variants.len()).collect();
        self.project(&all, documents) == other.project(&all, documents)
            && self.file_diagnostics(&all) == other.file_diagnostics(&all)
    }

    /// A variant on those that it needs, as manifests are on the editor's screen.
    pub fn alone(&self, variant: usize, documents: &Documents) -> Vec<usize> {
        let needs: Vec<Vec<String>> = (0..self.rules.variants.len())
            .map(|place| {
                let manifest = self.folder_of(place).map(|folder| folder.join(blazon::MANIFEST));
                let open = manifest.and_then(|manifest| documents.get(&manifest));
                let written = open.and_then(|open| Manifest::read(&open.text()).ok());
                match written {
                    Some(manifest) => manifest.needs().to_vec(),
                    None => self.rules.variants[place].needs.clone(),
                }
            })
            .collect();
        self.rules.laid(&[variant], &|place| needs.get(place).map_or(&[], Vec::as_slice))
    }

    /// The folder of a variant.
    pub fn folder_of(&self, variant: usize) -> Option<PathBuf> {
        let key = &self.rules.variants.get(variant)?.key;
        let below = self.rules.root.as_ref().map(|root| root.join("variants").join(key));
        below.filter(|folder| folder.is_dir()).or_else(|| Some(self.ground.root.clone()))
    }

    /// The game with a stack, as it is on the editor's screen.
    pub fn project(&self, stack: &[usize], documents: &Documents) -> Project {
        let mut project = self.rules.project(stack);
        for (path, document) in documents.iter() {
            let Some(name) = self.name_of(path) else { continue };
            let text = document.text();
            let library = project.library.iter_mut().filter(|_| self.ground.has_library);
            let folders = std::iter::once(&mut project.game).chain(&mut project.variants);
            let pages = folders.flat_map(pages_of).chain(library);
            if !lay(pages, &name, &text) {
                self.add(&mut project, stack, path, Page { name, text: text.to_string() });
            }
        }
        project
    }

    /// Puts a page where it will lie once it is saved.
    fn add(&self, project: &mut Project, stack: &[usize], path: &Path, page: Page) {
        let Some(folder) = path.ancestors().skip(1).find(|folder| folder.join(blazon::MANIFEST).is_file())
        else {
            return;
        };
        if is_hidden(folder, path) {
            return;
        }
        let variant = stack.iter().position(|&place| self.folder_of(place).as_deref() == Some(folder));
        let target = match variant {
            Some(place) => project.variants.get_mut(place),
            None if self.rules.root.as_deref() == Some(folder) => Some(&mut project.game),
            None => None,
        };
        let name = path.strip_prefix(folder).ok().map(shown);
        if let (Some(target), Some(name)) = (target, name) {
            put(target, &name, page);
            target.pages.sort_by(|a, b| a.name.cmp(&b.name));
            target.tests.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }

    /// A file's name, as messages have it.
    fn name_of(&self, path: &Path) -> Option<String> {
        if let Ok(below) = path.strip_prefix(&self.ground.root) {
            return Some(shown(below));
        }
        // What lies elsewhere has its whole path: the library of another folder, or the game of a variant that lies apart.
        Some(shown(path))
    }

    /// What is wrong with the files themselves.
    pub fn file_diagnostics(&self, stack: &[usize]) -> Vec<Diagnostic> {
        self.rules.file_diagnostics(stack)
    }
}

/// Whether a file, or a folder on the way to it from one with a manifest, is called by a dot and a name: such are not read.
pub fn is_hidden(folder: &Path, path: &Path) -> bool {
    let mut below = path.strip_prefix(folder).into_iter().flatten();
    below.any(|part| part.to_string_lossy().starts_with('.'))
}

/// All texts of a folder.
fn pages_of(folder: &mut Folder) -> impl Iterator<Item = &mut Page> {
    folder
        .pages
        .iter_mut()
        .chain(&mut folder.tests)
        .chain(&mut folder.data)
        .chain(&mut folder.manifest)
        .chain(&mut folder.map)
}

/// Lays a text over that of the disk; whether there was one of that name.
fn lay<'p>(mut pages: impl Iterator<Item = &'p mut Page>, name: &str, text: &str) -> bool {
    match pages.find(|page| page.name == name) {
        Some(page) => {
            text.clone_into(&mut page.text);
            true
        }
        None => false,
    }
}

/// A path as messages have it.
fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if std::path::MAIN_SEPARATOR == '/' { text } else { text.replace('\\', "/").into() };
    blazon::present::harmless(&text)
}
