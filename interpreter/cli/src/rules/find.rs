//! Finds the game that a path or a name means, with its variants and its library.

use std::path::{Path, PathBuf};

use blazon_check::manifest::Manifest;
use blazon_check::project::{Folder, Page, Project};
use blazon_diagnostics::{Diagnostic, Sources, did_you_mean, near_miss};

use super::folders::{self, MANIFEST, shown};
use super::{compile, embedded};
use crate::console::Console;
use crate::trouble::{Result, Trouble};

/// A game with all that can be laid on top of it. Nothing is parsed yet.
pub struct Found {
    library: Vec<Page>,
    game: Folder,
    /// The game's folder; none if it lies inside the binary.
    pub root: Option<PathBuf>,
    /// The game's variants, by folder.
    pub variants: Vec<Variant>,
    /// The variant that the path itself lies in.
    pub inside: Option<usize>,
    /// What is wrong with the files of library and game.
    pub diagnostics: Vec<Diagnostic>,
}

/// A variant of a game.
pub struct Variant {
    /// The name of its folder.
    pub key: String,
    /// The name in its manifest, or else of its folder.
    pub name: String,
    folder: Folder,
    /// What is wrong with its files.
    pub diagnostics: Vec<Diagnostic>,
}

impl Variant {
    fn new(key: &str, folder: Folder, diagnostics: Vec<Diagnostic>) -> Self {
        let manifest = folder.manifest.as_ref().and_then(|page| Manifest::read(&page.text).ok());
        let name = manifest.map_or_else(|| key.to_owned(), |manifest| manifest.name().to_owned());
        Self { key: key.to_owned(), name, folder, diagnostics }
    }
}

/// The game that a path or a name means: the nearest manifest from the path upward, or a game inside the binary.
///
/// # Errors
/// If there is neither.
pub fn find(target: &str, library: Option<&Path>, console: &Console) -> Result<Found> {
    let path = Path::new(target);
    let mut found = if path.exists() {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        match nearest(&absolute) {
            Some(folder) => on_disk(&folder, console)?,
            None => {
                return Err(Trouble::Usage(format!(
                    "there is no {MANIFEST} in `{}` or any folder around it; a game is a folder with a manifest",
                    shown(path)
                )));
            }
        }
    } else if let Some(game) = embedded::game(target) {
        in_binary(&game)
    } else {
        return Err(unknown(target));
    };
    if let Some(folder) = library {
        if !folder.is_dir() {
            return Err(Trouble::Environment(format!("the library `{}` is no folder", shown(folder))));
        }
        let (pages, diagnostics) = folders::read_library(folder);
        found.library = pages;
        found.diagnostics.extend(diagnostics);
    }
    Ok(found)
}

/// As [`find`]; without a target the game around the current folder, or else the default game of the binary.
pub fn find_or_default(target: Option<&str>, library: Option<&Path>, console: &Console) -> Result<Found> {
    let around = || std::env::current_dir().ok().and_then(|here| nearest(&here)).map(|_| ".".to_owned());
    let target = target.map(str::to_owned).or_else(around).or_else(|| Some(embedded::default_game()?.key));
    match target {
        Some(target) => find(&target, library, console),
        None => Err(Trouble::Usage("name a folder of rules: this program holds no game".to_owned())),
    }
}

fn unknown(target: &str) -> Trouble {
    let games = embedded::games();
    let names: Vec<&str> = games.iter().flat_map(|game| [game.name.as_str(), game.key.as_str()]).collect();
    let mut message = format!(
        "there is no file or folder `{}`, and no game of that name",
        crate::console::harmless(target)
    );
    if let Some(near) = near_miss(target, names) {
        message += &format!("; {}", did_you_mean(near));
    }
    Trouble::Usage(message)
}

/// The nearest folder with a manifest, from a path upward.
fn nearest(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|folder| folder.join(MANIFEST).is_file()).map(Path::to_owned)
}

fn manifest_of(folder: &Path) -> Option<Manifest> {
    Manifest::read(&folders::read_text(&folder.join(MANIFEST)).ok()?).ok()
}

fn on_disk(folder: &Path, console: &Console) -> Result<Found> {
    let Some(Manifest::Variant(variant)) = manifest_of(folder) else {
        return Ok(game_on_disk(folder));
    };
    // Two up, `<game>/variants/<variant>`, or else any game around it, or else one inside the binary.
    let around =
        folder.ancestors().skip(1).find(|around| matches!(manifest_of(around), Some(Manifest::Game(_))));
    let mut found = match around {
        Some(game) => game_on_disk(game),
        None => match embedded::game(&variant.game) {
            Some(game) => in_binary(&game),
            None => {
                let message = format!("the game `{}` of this variant was not found", variant.game);
                let diagnostic = Diagnostic::global("files::missing", message)
                    .help("put the variant's folder into the folder `variants` of its game");
                compile::report(&[diagnostic], &Sources::default(), console);
                return Err(Trouble::Problems);
            }
        },
    };
    let real = folder.canonicalize().ok();
    let key = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let known = around.is_some_and(|game| folder.parent() == Some(&game.join("variants")) || real.is_none());
    found.inside = found.variants.iter().position(|other| known && other.key == key);
    if found.inside.is_none() {
        found.inside = Some(found.add(folder, &key));
    }
    Ok(found)
}

fn game_on_disk(folder: &Path) -> Found {
    let (game, mut diagnostics) = folders::read(folder);
    let library = folder.ancestors().map(|around| around.join("stdlib")).find(|library| library.is_dir());
    let library = match library {
        Some(library) => {
            let (pages, more) = folders::read_library(&library);
            diagnostics.extend(more);
            pages
        }
        None => embedded::library(),
    };
    let root = Some(folder.to_owned());
    let mut found = Found { library, game, root, variants: Vec::new(), inside: None, diagnostics };
    let entries = folder.join("variants").read_dir().into_iter().flatten().filter_map(|entry| entry.ok());
    let mut variants: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.join(MANIFEST).is_file()).collect();
    variants.sort();
    for variant in variants {
        let key = variant.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        found.add(&variant, &key);
    }
    found
}

fn in_binary(game: &embedded::Game) -> Found {
    let variants = embedded::variants(game);
    Found {
        library: embedded::library(),
        game: embedded::folder(&game.key),
        root: None,
        variants: variants
            .iter()
            .map(|path| {
                Variant::new(path.rsplit('/').next().unwrap_or(path), embedded::folder(path), Vec::new())
            })
            .collect(),
        inside: None,
        diagnostics: Vec::new(),
    }
}

impl Found {
    /// Reads one more variant; answers its place.
    fn add(&mut self, folder: &Path, key: &str) -> usize {
        let (pages, diagnostics) = folders::read(folder);
        self.variants.push(Variant::new(key, pages, diagnostics));
        self.variants.len() - 1
    }

    /// The game's name.
    pub fn name(&self) -> String {
        let manifest = self.game.manifest.as_ref().and_then(|page| Manifest::read(&page.text).ok());
        manifest.map_or_else(|| "the game".to_owned(), |manifest| manifest.name().to_owned())
    }

    /// The places of the variants asked for, after the one that the path lies in. Paths are read now.
    ///
    /// # Errors
    /// If there is no such variant.
    pub fn stack(&mut self, asked: &[String]) -> Result<Vec<usize>> {
        let mut stack: Vec<usize> = self.inside.into_iter().collect();
        for name in asked {
            let lower = name.to_lowercase();
            let known = self.variants.iter().position(|variant| {
                variant.name.to_lowercase() == lower || variant.key.to_lowercase() == lower
            });
            let place = match known {
                Some(place) => place,
                None if Path::new(name).exists() => {
                    let path = std::path::absolute(name).unwrap_or_else(|_| name.into());
                    let Some(folder) = nearest(&path) else {
                        return Err(Trouble::Usage(format!("there is no {MANIFEST} in `{}`", shown(&path))));
                    };
                    let key = folder.file_name().map(|key| key.to_string_lossy().into_owned());
                    self.add(&folder, &key.unwrap_or_default())
                }
                None => return Err(self.unknown_variant(name)),
            };
            if !stack.contains(&place) {
                stack.push(place);
            }
        }
        Ok(stack)
    }

    fn unknown_variant(&self, name: &str) -> Trouble {
        let names: Vec<&str> = self.variants.iter().map(|variant| variant.name.as_str()).collect();
        let keys = self.variants.iter().map(|variant| variant.key.as_str());
        let mut message = format!("`{}` has no variant `{}`", self.name(), crate::console::harmless(name));
        match near_miss(name, names.iter().copied().chain(keys)) {
            Some(near) => message += &format!("; {}", did_you_mean(near)),
            None if names.is_empty() => {}
            None => message += &format!("; it has {}", blazon_diagnostics::list(&names, "and")),
        }
        Trouble::Usage(message)
    }

    /// The game with a variant that is not on the disk yet.
    pub fn project_with(&self, variant: Folder) -> Project {
        Project { library: self.library.clone(), game: self.game.clone(), variants: vec![variant] }
    }

    /// The game with some of its variants, ready to be parsed.
    pub fn project(&self, stack: &[usize]) -> Project {
        Project {
            library: self.library.clone(),
            game: self.game.clone(),
            variants: stack.iter().map(|&place| self.variants[place].folder.clone()).collect(),
        }
    }

    /// The same without the pages of tests.
    pub fn project_without_tests(&self, stack: &[usize]) -> Project {
        let mut project = self.project(stack);
        project.variants.iter_mut().chain([&mut project.game]).for_each(|folder| folder.tests.clear());
        project
    }

    /// What is wrong with the files of the game and of some of its variants.
    pub fn file_diagnostics(&self, stack: &[usize]) -> Vec<Diagnostic> {
        let of_variants = stack.iter().flat_map(|&place| &self.variants[place].diagnostics);
        self.diagnostics.iter().chain(of_variants).cloned().collect()
    }
}
