//! A game that is served: its files, read once, and again when they change.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use blazon::diagnostics::Diagnostic;
use blazon::{Loader, ParseCache, Project, Reading, Rules, Settings};

use super::trouble::Trouble;
use super::{Kit, Wanted, Wrong, lock};

/// Trees are kept of so many selections, the last that were read: a designer tries one or two at a time, the proof takes
/// the same again, and a large game's trees are some megabytes.
const READ: usize = 8;

/// A game that is served.
pub struct Offered {
    /// How it is named to the server: a folder, or the key of a game inside the program.
    pub key: String,
    /// Its own name.
    pub name: String,
    /// Its folder; none if it lies inside the program.
    pub root: Option<PathBuf>,
    loader: Loader,
    /// The variants that were asked for, perhaps by paths.
    asked: Vec<String>,
    /// Never held while anything is parsed or compiled.
    texts: Mutex<Texts>,
    /// Its variants: pages ask for them, and wait for nothing.
    variants: RwLock<Arc<[Choice]>>,
}

/// A variant that may be chosen.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its folder.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Those that are played wherever it is, by folder and name.
    pub with: Vec<(String, String)>,
}

/// The files, and what is remembered of reading them.
struct Texts {
    rules: Rules,
    /// How often they were read again.
    readings: u64,
    /// For each selection that was read last the trees of its pages, the latest at the end.
    caches: Vec<(Wanted, ParseCache)>,
}

impl Offered {
    /// The game of a name or folder, and the folders of the variants asked for by name or path.
    ///
    /// # Errors
    /// If it is not found.
    pub fn find(loader: &Loader, key: &str, asked: &[String]) -> Result<(Self, Vec<String>), blazon::Error> {
        let mut rules = found(loader, key)?;
        let stack = rules.stack(asked)?;
        let around = rules.inside.map(|inside| rules.alone(inside)).unwrap_or_default();
        let laid = stack.iter().filter(|place| !around.contains(place));
        let mut wanted: Vec<String> = laid.map(|&place| rules.variants[place].key.clone()).collect();
        wanted.sort();
        let offered = Self {
            name: rules.name(),
            variants: RwLock::new(variants(&rules)),
            key: key.to_owned(),
            root: rules.root.clone(),
            loader: loader.clone(),
            asked: asked.to_vec(),
            texts: Mutex::new(Texts { rules, readings: 0, caches: Vec::new() }),
        };
        Ok((offered, wanted))
    }

    /// Its variants.
    pub fn variants(&self) -> Arc<[Choice]> {
        self.variants.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is wanted, with all that it needs.
    pub fn whole(&self, mut wanted: Wanted) -> Wanted {
        let variants = self.variants();
        let chosen = variants.iter().filter(|variant| wanted.variants.contains(&variant.key));
        let more: Vec<String> =
            chosen.flat_map(|variant| variant.with.iter().map(|(key, _)| key.clone())).collect();
        wanted.variants.extend(more);
        wanted.sorted()
    }

    /// How often its files were read again.
    pub fn readings(&self) -> u64 {
        lock(&self.texts).readings
    }

    /// What somebody holds who reads the files.
    #[cfg(test)]
    pub fn held(&self) -> impl Drop + '_ {
        lock(&self.texts)
    }

    /// The files of the game and of its variants: how messages name them, and where they lie. Only what really lies in the
    /// game's folder is among them.
    pub fn files(&self) -> Vec<(String, PathBuf)> {
        let Some(root) = &self.root else { return Vec::new() };
        let (Some(around), Ok(real)) = (root.parent(), root.canonicalize()) else { return Vec::new() };
        let texts = lock(&self.texts);
        let stack: Vec<usize> = (0..texts.rules.variants.len()).collect();
        let project = texts.rules.project(&stack);
        drop(texts);
        let folders = std::iter::once(&project.game).chain(&project.variants);
        let names = folders.flat_map(|folder| {
            let pages = folder.manifest.iter().chain(&folder.pages).chain(&folder.tests);
            pages.chain(&folder.data).map(|page| page.name.clone())
        });
        let files = names.filter_map(|name| {
            let path = around.join(&name).canonicalize().ok()?;
            path.starts_with(&real).then_some((name, path))
        });
        files.collect()
    }

    /// The pages of the library: how messages name them, and their texts.
    pub fn library_pages(&self) -> Vec<(String, String)> {
        let texts = lock(&self.texts);
        texts.rules.project(&[]).library.into_iter().map(|page| (page.name, page.text)).collect()
    }

    /// The folder of the library, if it is not the program's.
    pub fn library(&self) -> Option<&Path> {
        self.loader.library_folder()
    }

    /// Reads the files again; answers whether anything is another.
    pub fn read_again(&self) -> bool {
        // While a folder is moved or rewritten it may be nowhere: then nothing has changed yet.
        let Ok(mut rules) = found(&self.loader, &self.key) else { return false };
        if rules.stack(&self.asked).is_err() {
            return false;
        }
        let mut texts = lock(&self.texts);
        let all = |rules: &Rules| {
            let stack: Vec<usize> = (0..rules.variants.len()).collect();
            (rules.project(&stack), rules.file_diagnostics(&stack))
        };
        let ((was, said), (is, says)) = (all(&texts.rules), all(&rules));
        let is_another = said != says || !same(&was, &is);
        *self.variants.write().unwrap_or_else(PoisonError::into_inner) = variants(&rules);
        texts.rules = rules;
        texts.readings += 1;
        is_another
    }

    /// What is needed to play something of it.
    ///
    /// # Errors
    /// If there is no such variant or ruling, or the rules have errors.
    pub fn kit(&self, wanted: &Wanted) -> Result<Kit, Wrong> {
        // It takes a while, and others ask for the files meanwhile.
        let mut rules = lock(&self.texts).rules.clone();
        let program = rules.program(&wanted.selection())?;
        let stack = rules.stack(&wanted.variants)?;
        let project = rules.project_without_tests(&stack);
        Kit::new(wanted, project, program)
    }

    /// The same from the files as they were last read, with the trees of pages that did not change; that nobody learns
    /// what is hidden is left unproved, for [`Self::proof`].
    ///
    /// # Errors
    /// What is wrong with the rules.
    pub fn kit_again(&self, wanted: &Wanted) -> Result<Kit, Trouble> {
        let (project, compiled) = self.compiled(wanted, true)?;
        if compiled.has_errors() {
            return Err(Trouble::of(&compiled.diagnostics, &compiled.sources));
        }
        let sources = compiled.sources.clone();
        let program = compiled.into_program().map_err(Trouble::from)?;
        Kit::new(wanted, project, program).map_err(|wrong| match wrong {
            Wrong::Rules(error) => error.into(),
            Wrong::Other(problem) => Trouble::of(&[Diagnostic::global(problem.code, problem.text)], &sources),
        })
    }

    /// All that is to be said of the rules as they were last read, the proof that nobody learns what is hidden included.
    pub fn proof(&self, wanted: &Wanted) -> Option<Trouble> {
        let said = match self.compiled(wanted, false) {
            Ok((_, compiled)) => Trouble::of(&compiled.diagnostics, &compiled.sources),
            Err(trouble) => trouble,
        };
        said.has_errors().then_some(said)
    }

    fn compiled(&self, wanted: &Wanted, unproved: bool) -> Result<(Project, blazon::Compiled), Trouble> {
        let mut texts = lock(&self.texts);
        let stack = texts.rules.stack(&wanted.variants).map_err(Trouble::from)?;
        let project = texts.rules.project_without_tests(&stack);
        let files = texts.rules.file_diagnostics(&stack);
        let place = texts.caches.iter().position(|(other, _)| other == wanted);
        let mut cache = place.map(|place| texts.caches.remove(place).1).unwrap_or_default();
        drop(texts);
        let reading = Reading::again(&project, files, &mut cache);
        let mut texts = lock(&self.texts);
        texts.caches.retain(|(other, _)| other != wanted);
        texts.caches.push((wanted.clone(), cache));
        let over = texts.caches.len().saturating_sub(READ);
        texts.caches.drain(..over);
        drop(texts);
        let settings = Settings { rulings: wanted.rulings.clone(), unproved, ..Settings::default() };
        Ok((project, reading.compile(&settings)))
    }
}

fn variants(rules: &Rules) -> Arc<[Choice]> {
    let named = |place: usize| {
        let variant = &rules.variants[place];
        (variant.key.clone(), variant.name.clone())
    };
    let choice = |place: usize| {
        let (key, name) = named(place);
        let with = rules.alone(place).into_iter().filter(|&other| other != place).map(named).collect();
        Choice { key, name, with }
    };
    (0..rules.variants.len()).map(choice).collect()
}

/// Whether two projects are the same texts. Tests are left out: nobody plays by them.
fn same(a: &Project, b: &Project) -> bool {
    let texts = |project: &Project| -> Vec<(String, String)> {
        let folders = std::iter::once(&project.game).chain(&project.variants);
        let pages = folders.flat_map(|folder| {
            let more = folder.manifest.iter().chain(&folder.map);
            folder.pages.iter().chain(&folder.data).chain(more)
        });
        let pages = project.library.iter().chain(pages);
        pages.map(|page| (page.name.clone(), page.text.clone())).collect()
    };
    texts(a) == texts(b)
}

/// A game, its files named from its own folder on: players are told where a rule stands, not where this machine keeps it.
fn found(loader: &Loader, key: &str) -> Result<Rules, blazon::Error> {
    let rules = loader.find(key)?;
    match rules.root.as_deref().and_then(Path::parent) {
        Some(around) => loader.clone().names_from(around).find(key),
        None => Ok(rules),
    }
}

/// Rules that were written down when a table was made, to go on by.
///
/// # Errors
/// If they have errors by now.
pub fn kept_kit(wanted: &Wanted, project: Project) -> Result<Arc<Kit>, Wrong> {
    let settings = Settings { rulings: wanted.rulings.clone(), unproved: true, ..Settings::default() };
    let program = blazon::compile(&project, &settings).into_program()?;
    Kit::new(wanted, project, program).map(Arc::new)
}
