//! What is open in the editor, and the games that it belongs to.
//!
//! A page belongs to the game or variant of the nearest manifest from it upward. What is on the editor's screen is laid
//! over what is on the disk, so that every answer is of one and the same state of all texts: that of the screen.

mod analysed;
mod game;
mod read;
mod texts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use blazon::MANIFEST;
use blazon_check::project::parse_anyway;
use blazon_diagnostics::SourceId;
use lsp_types::Uri;

pub use analysed::{Analysed, Extent, Page, names};
pub use game::{Game, Stack};
pub use read::{Ground, Home, Read};
pub use texts::Texts;

use crate::documents::{Document, Documents};
use crate::places::Encoding;
use crate::uris;

/// Everything that is open, and all games that were asked about.
#[derive(Debug, Default)]
pub struct Workspace {
    /// How columns are counted.
    pub encoding: Encoding,
    /// The folder of the library, if it is not that of the program.
    pub library: Option<PathBuf>,
    /// The folders that are open in the editor.
    pub folders: Vec<PathBuf>,
    documents: Documents,
    games: BTreeMap<PathBuf, Game>,
    /// The game of each folder with a manifest, and which of its variants it is.
    homes: BTreeMap<PathBuf, (PathBuf, Option<usize>)>,
}

/// Where a page belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belongs {
    /// The game, by its folder.
    pub game: PathBuf,
    /// The variants on it.
    pub stack: Stack,
}

impl Workspace {
    /// Nothing is open; the library is that of a folder, or else that of the program.
    pub fn new(library: Option<PathBuf>) -> Self {
        Self { library, ..Self::default() }
    }

    /// The texts that are open.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// Opens a text.
    pub fn open(&mut self, path: PathBuf, document: Document) {
        self.documents.open(path.clone(), document);
        self.touch(&path);
    }

    /// Changes a text that is open; whether it is.
    pub fn change(&mut self, path: &Path, change: impl FnOnce(&mut Document)) -> bool {
        let Some(document) = self.documents.get_mut(path) else { return false };
        change(document);
        self.touch(path);
        true
    }

    /// Closes a text: what is on the disk counts again.
    pub fn close(&mut self, path: &Path) {
        if self.documents.close(path) {
            self.touch(path);
        }
    }

    /// Reads the games that are known from the disk again; whether one of them says something else now.
    pub fn look(&mut self) -> bool {
        let mut has_changed = false;
        for folder in self.games.keys().cloned().collect::<Vec<_>>() {
            // Without a manifest of its own the folder is a part of the game around it.
            let is_there = folder.join(MANIFEST).is_file();
            has_changed |= match Texts::find(&folder, self.library.as_deref()) {
                Ok(texts) if is_there => self.know(&folder, texts),
                Ok(_) | Err(_) => {
                    self.games.remove(&folder);
                    self.homes.retain(|_, (game, _)| *game != folder);
                    true
                }
            };
        }
        has_changed
    }

    /// Forgets all that was found out.
    pub fn forget(&mut self) {
        self.games.clear();
        self.homes.clear();
    }

    /// Counts a change in the games that a file belongs to.
    fn touch(&mut self, path: &Path) {
        let is_library = self.is_library(path);
        let game = self.belongs(path).ok().map(|belongs| belongs.game);
        for (folder, known) in &mut self.games {
            if is_library || Some(folder) == game.as_ref() {
                known.revision += 1;
            }
        }
    }

    /// Whether a file is a page of the library on the disk.
    fn is_library(&self, path: &Path) -> bool {
        self.library.as_deref().is_some_and(|library| path.parent() == Some(library))
    }

    /// The game and stack that a file belongs to.
    ///
    /// # Errors
    /// In words, if it belongs to none.
    pub fn belongs(&mut self, path: &Path) -> Result<Belongs, String> {
        if self.is_library(path) {
            return self.game_that_uses(path);
        }
        let folder = path.ancestors().skip(1).find(|folder| folder.join(MANIFEST).is_file());
        let Some(folder) = folder.map(Path::to_owned) else {
            return Err(format!(
                "there is no {MANIFEST} in a folder around `{}`: a page belongs to a game",
                blazon::shown(path)
            ));
        };
        if texts::is_hidden(&folder, path) {
            return Err(format!(
                "`{}` is no page of its game: what is called by a dot and a name is not read",
                blazon::shown(path)
            ));
        }
        self.belongs_folder(&folder)
    }

    /// The game and stack of a folder with a manifest.
    fn belongs_folder(&mut self, folder: &Path) -> Result<Belongs, String> {
        if let Some((game, variant)) = self.homes.get(folder) {
            return Ok(self.on_the_screen(game, *variant));
        }
        let found = Texts::find(folder, self.library.as_deref())?;
        let variant = found.rules.inside;
        let below = found.rules.root.clone().filter(|root| root != folder && variant.is_some());
        let key = variant.and_then(|place| Some(found.rules.variants.get(place)?.key.clone()));
        let (game, variant) = match (below, key) {
            // One of the game's own variants: the game is held once.
            (Some(root), Some(key)) if folder == root.join("variants").join(&key) => {
                let place = |game: &Game| game.texts.place_of(&key);
                if self.games.get(&root).and_then(place).is_none() {
                    let texts = Texts::find(&root, self.library.as_deref())?;
                    self.know(&root, texts);
                }
                let variant = self.games.get(&root).and_then(place);
                (root, variant)
            }
            _ => {
                self.know(folder, found);
                (folder.to_owned(), variant)
            }
        };
        self.homes.insert(folder.to_owned(), (game.clone(), variant));
        Ok(self.on_the_screen(&game, variant))
    }

    /// A game with one of its variants, and what this needs as its manifest is now.
    fn on_the_screen(&self, game: &Path, variant: Option<usize>) -> Belongs {
        let known = variant.zip(self.games.get(game));
        let stack = known.map(|(variant, game)| game.texts.alone(variant, &self.documents));
        Belongs { game: game.to_owned(), stack: stack.unwrap_or_default() }
    }

    /// Takes in a game as it is on the disk now; whether it says something else than what was known of it. What is parsed
    /// already stays so, as long as the same variants are there.
    fn know(&mut self, folder: &Path, texts: Texts) -> bool {
        match self.games.get_mut(folder) {
            Some(known) if known.texts.is_like(&texts) => known.reread(texts, &self.documents),
            Some(_) | None => {
                self.games.insert(folder.to_owned(), Game::new(texts));
                self.homes.retain(|_, (game, _)| game != folder);
                true
            }
        }
    }

    /// A game that takes in a page of the library: one that is known, or the first in the editor's folders.
    fn game_that_uses(&mut self, path: &Path) -> Result<Belongs, String> {
        let module = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        for folder in self.manifests() {
            let Ok(belongs) = self.belongs_folder(&folder) else { continue };
            let belongs = Belongs { stack: Stack::new(), ..belongs };
            let Some(read) = self.read(&belongs) else { continue };
            if read.parsed.game.uses.contains(&module) {
                return Ok(belongs);
            }
        }
        Err(format!("no game of this workspace uses the module `{module}` of the library"))
    }

    /// The folders with a manifest: those of games that are known, then those of the editor's folders.
    pub fn manifests(&self) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = self.games.keys().cloned().collect();
        let mut left = MOST_FOLDERS;
        for folder in &self.folders {
            search(folder, 0, &mut left, &mut all);
        }
        all
    }

    /// A game that is known.
    pub fn game(&self, belongs: &Belongs) -> Option<&Game> {
        self.games.get(&belongs.game)
    }

    /// All games that are known, with their folders.
    pub fn games(&self) -> impl Iterator<Item = (&Path, &Game)> {
        self.games.iter().map(|(folder, game)| (folder.as_path(), game))
    }

    /// The pages of a game as they are now.
    pub fn read(&mut self, belongs: &Belongs) -> Option<Arc<Read>> {
        let game = self.games.get_mut(&belongs.game)?;
        Some(game.read(&belongs.stack, &self.documents, self.encoding))
    }

    /// A game looked at as it is now.
    fn analysed(&mut self, belongs: &Belongs, extent: &Extent) -> Option<Arc<Analysed>> {
        let game = self.games.get_mut(&belongs.game)?;
        Some(game.analysed(&belongs.stack, extent, &self.documents, self.encoding))
    }

    /// A game looked at as it is now with several stacks.
    pub fn all_analysed(&mut self, game: &Path, wanted: &[(Stack, Extent)]) -> Vec<Arc<Analysed>> {
        let Some(game) = self.games.get_mut(game) else { return Vec::new() };
        game.all_analysed(wanted, &self.documents, self.encoding)
    }

    /// A page with its game, looked at as it is now, with its own tests.
    ///
    /// # Errors
    /// In words, if it is no page of a game.
    pub fn page(&mut self, uri: &Uri) -> Result<Page, String> {
        let (belongs, path, source) = self.source(uri)?;
        let book = self.analysed(&belongs, &Extent::Page(source)).ok_or("this game is not known any more")?;
        Ok(Page { book, source, path })
    }

    /// A page with its game as it would be with another text, which is not kept.
    pub fn supposed(&self, page: &Page, belongs: &Belongs, text: &str) -> Option<Page> {
        let mut documents = self.documents.clone();
        let uri = uris::uri_of(&page.path)?;
        documents.open(page.path.clone(), Document::new(uri, 0, text));
        let game = self.games.get(&belongs.game)?;
        let project = game.texts.project(&belongs.stack, &documents);
        let parsed = parse_anyway(&project, &mut game.trees(&belongs.stack));
        let read = Arc::new(Read::new(parsed, &game.texts.ground, self.encoding));
        let book = Arc::new(Analysed::new(&read, &Extent::Page(page.source)));
        Some(Page { book, ..page.clone() })
    }

    /// A page with its game as it is written now; nothing is checked for it.
    ///
    /// # Errors
    /// As [`Self::page`].
    pub fn source(&mut self, uri: &Uri) -> Result<(Belongs, PathBuf, SourceId), String> {
        let path = uris::path_of(uri).ok_or_else(|| format!("`{}` is no file", uri.scheme()))?;
        let belongs = self.belongs(&path)?;
        let read = self.read(&belongs).ok_or("this game is not known any more")?;
        match read.source_of(&path) {
            Some(source) => Ok((belongs, path, source)),
            None => Err(format!("`{}` is no page of its game", blazon::shown(&path))),
        }
    }
}

/// How many folders are searched for manifests, and how deep they lie.
const MOST_FOLDERS: usize = 2000;
const DEEPEST: usize = 5;

/// Searches folders for manifests, those of games before those of the variants in them.
fn search(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    if depth > DEEPEST || *left == 0 {
        return;
    }
    *left -= 1;
    if folder.join(MANIFEST).is_file() && !found.iter().any(|known| known == folder) {
        found.push(folder.to_owned());
    }
    let entries = folder.read_dir().into_iter().flatten().filter_map(|entry| entry.ok());
    let is_folder = |entry: &std::fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // What programs make is no place for rules, and links may lead anywhere.
        entry.file_type().is_ok_and(|kind| kind.is_dir())
            && !name.starts_with('.')
            && !["target", "node_modules"].contains(&&*name)
    };
    let mut inner: Vec<PathBuf> = entries.filter(is_folder).map(|entry| entry.path()).collect();
    inner.sort();
    for inner in inner {
        search(&inner, depth + 1, left, found);
    }
}
