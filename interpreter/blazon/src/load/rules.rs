//! A game with all that can be laid on top of it, as texts.

use std::collections::BTreeSet;
#[cfg(feature = "folders")]
use std::path::PathBuf;

use blazon_check::manifest::Manifest;
use blazon_check::project::{Folder, Page, Project};
use blazon_diagnostics::{Diagnostic, did_you_mean, list, near_miss};

#[cfg(feature = "folders")]
use super::folders::Reader;
use crate::error::{Error, Result};
use crate::present::harmless;

/// A game with all that can be laid on top of it. Nothing is parsed yet.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(super) library: Vec<Page>,
    pub(super) game: Folder,
    /// The game's folder; none if it does not lie on the disk.
    #[cfg(feature = "folders")]
    pub root: Option<PathBuf>,
    /// The game's variants, by folder.
    pub variants: Vec<Variant>,
    /// The variant that the path itself lies in, by its place.
    pub inside: Option<usize>,
    /// What is wrong with the files of library and game.
    pub diagnostics: Vec<Diagnostic>,
    #[cfg(feature = "folders")]
    pub(super) reader: Reader,
}

/// A variant of a game.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name of its folder.
    pub key: String,
    /// The name in its manifest, or else of its folder.
    pub name: String,
    /// The names of the variants that it is written on, as its manifest has them.
    pub needs: Vec<String>,
    pub(super) folder: Folder,
    /// Its folder without links on the way; none if it does not lie on the disk.
    #[cfg(feature = "folders")]
    pub(super) root: Option<PathBuf>,
    /// What is wrong with its files.
    pub diagnostics: Vec<Diagnostic>,
}

impl Variant {
    pub(super) fn new(key: &str, folder: Folder, diagnostics: Vec<Diagnostic>) -> Self {
        let manifest = folder.manifest.as_ref().and_then(|page| Manifest::read(&page.text).ok());
        let needs = manifest.as_ref().map(|manifest| manifest.needs().to_vec()).unwrap_or_default();
        let name = manifest.map_or_else(|| key.to_owned(), |manifest| manifest.name().to_owned());
        Self {
            key: key.to_owned(),
            name,
            needs,
            folder,
            #[cfg(feature = "folders")]
            root: None,
            diagnostics,
        }
    }
}

impl Rules {
    /// A game of pages that the caller has, with the modules of a library.
    pub fn new(game: Folder, library: Vec<Page>) -> Self {
        Self {
            library,
            game,
            #[cfg(feature = "folders")]
            root: None,
            variants: Vec::new(),
            inside: None,
            diagnostics: Vec::new(),
            #[cfg(feature = "folders")]
            reader: Reader::default(),
        }
    }

    /// Adds a variant that the caller has as pages; `key` is the name of its folder.
    pub fn add_variant(&mut self, key: &str, folder: Folder) {
        self.variants.push(Variant::new(key, folder, Vec::new()));
    }

    /// The game's name.
    pub fn name(&self) -> String {
        let manifest = self.game.manifest.as_ref().and_then(|page| Manifest::read(&page.text).ok());
        manifest.map_or_else(|| "the game".to_owned(), |manifest| manifest.name().to_owned())
    }

    /// The places of the variants asked for, after the one that the path lies in, each behind those that it needs. Paths are
    /// read now.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such variant, or if several have the name.
    pub fn stack(&mut self, asked: &[String]) -> Result<Vec<usize>> {
        let mut stack: Vec<usize> = self.inside.into_iter().collect();
        for name in asked {
            let place = match self.named(name)? {
                Some(place) => place,
                None => self.add_named(name)?.ok_or_else(|| self.unknown_variant(name))?,
            };
            if !stack.contains(&place) {
                stack.push(place);
            }
        }
        Ok(self.with_needs(&stack))
    }

    /// A variant as it is played when nothing else is asked for: on those that it needs.
    pub fn alone(&self, variant: usize) -> Vec<usize> {
        self.with_needs(&[variant])
    }

    /// The game alone, then each of its variants.
    pub fn each_alone(&self) -> Vec<Vec<usize>> {
        std::iter::once(Vec::new()).chain((0..self.variants.len()).map(|place| self.alone(place))).collect()
    }

    /// Variants with all that they need, each behind those that it needs.
    fn with_needs(&self, asked: &[usize]) -> Vec<usize> {
        self.laid(asked, &|place| self.variants.get(place).map_or(&[], |variant| variant.needs.as_slice()))
    }

    /// The same where it is known otherwise what each variant needs. What is nowhere, or may be one of several, is left
    /// out: the checker misses it.
    pub fn laid<'n>(&self, asked: &[usize], needs: &dyn Fn(usize) -> &'n [String]) -> Vec<usize> {
        let (mut stack, mut met) = (Vec::new(), BTreeSet::new());
        // Each with how many of its needs have been looked at: a chain of them may be long.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for &place in asked {
            open.extend(met.insert(place).then_some((place, 0)));
            while let Some((place, looked)) = open.last_mut() {
                let Some(name) = needs(*place).get(*looked) else {
                    stack.push(*place);
                    open.pop();
                    continue;
                };
                *looked += 1;
                let needed = self.needed(name, asked).filter(|&needed| met.insert(needed));
                open.extend(needed.map(|needed| (needed, 0)));
            }
        }
        stack
    }

    /// The variant that one of the others needs by this name: one that is asked for, or else the only one of that name.
    fn needed(&self, name: &str, asked: &[usize]) -> Option<usize> {
        let called = |&other: &usize| self.variants.get(other).is_some_and(|other| other.name == name);
        let mut all = (0..self.variants.len()).filter(called);
        let only = all.next().filter(|_| all.next().is_none());
        asked.iter().copied().find(called).or(only)
    }

    /// The place of the variant of a folder, or of a name: as it is written, or else whatever its capitals are. The name of
    /// a folder tells those apart that call themselves the same.
    fn named(&self, name: &str) -> Result<Option<usize>> {
        let lower = name.to_lowercase();
        let all = |fits: &dyn Fn(&Variant) -> bool| -> Vec<usize> {
            let named = self.variants.iter().enumerate().filter(|(_, variant)| fits(variant));
            named.map(|(place, _)| place).collect()
        };
        let like = |word: &str| word.to_lowercase() == lower;
        let found = [
            all(&|variant| variant.key == name),
            all(&|variant| variant.name == name),
            all(&|variant| like(&variant.key) || like(&variant.name)),
        ];
        match found.iter().find(|found| !found.is_empty()).map(Vec::as_slice) {
            None => Ok(None),
            Some([only]) => Ok(Some(*only)),
            Some(several) => {
                let keys: Vec<&str> =
                    several.iter().map(|&place| self.variants[place].key.as_str()).collect();
                let message = format!(
                    "{} variants of `{}` are called `{}`: name the folder of one, {}",
                    several.len(),
                    self.name(),
                    harmless(name),
                    list(&keys, "or")
                );
                Err(Error::unknown("names::ambiguous", message))
            }
        }
    }

    #[cfg(feature = "folders")]
    fn add_named(&mut self, name: &str) -> Result<Option<usize>> {
        super::disk::add_named(self, name)
    }

    #[cfg(not(feature = "folders"))]
    fn add_named(&mut self, _name: &str) -> Result<Option<usize>> {
        Ok(None)
    }

    fn unknown_variant(&self, name: &str) -> Error {
        let names: Vec<&str> = self.variants.iter().map(|variant| variant.name.as_str()).collect();
        let keys = self.variants.iter().map(|variant| variant.key.as_str());
        let mut message = format!("`{}` has no variant `{}`", self.name(), harmless(name));
        let known = names.iter().copied().chain(keys);
        // Of a path it is the folder that may be misspelt; its capitals count, too.
        let last = name.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(name);
        let itself = known.clone().find(|known| *known == last);
        match itself.or_else(|| near_miss(last, known)) {
            Some(near) => message += &format!("; {}", did_you_mean(near)),
            None if names.is_empty() => {}
            None => message += &format!("; it has {}", list(&names, "and")),
        }
        Error::unknown("files::missing", message)
    }

    /// The rulings that the manifest of a variant settles, by its place, or that of the game; with their values.
    pub fn settled(&self, variant: Option<usize>) -> Vec<(String, String)> {
        let folder = match variant {
            Some(place) => self.variants.get(place).map(|variant| &variant.folder),
            None => Some(&self.game),
        };
        let page = folder.and_then(|folder| folder.manifest.as_ref());
        let manifest = page.and_then(|page| Manifest::read(&page.text).ok());
        manifest.map(|manifest| manifest.rulings().to_vec()).unwrap_or_default()
    }

    /// The game with a variant that is not among [`Self::variants`].
    pub fn project_with(&self, variant: Folder) -> Project {
        Project { variants: vec![variant], ..self.project(&[]) }
    }

    /// The game with some of its variants, by place, ready to be parsed; a place that there is not is left out.
    pub fn project(&self, stack: &[usize]) -> Project {
        let variants = stack.iter().filter_map(|&place| self.variants.get(place));
        Project {
            library: self.library.clone(),
            game: self.game.clone(),
            variants: variants.map(|variant| variant.folder.clone()).collect(),
            others: self.variants.iter().map(|variant| variant.name.clone()).collect(),
        }
    }

    /// The same without the pages of tests.
    pub fn project_without_tests(&self, stack: &[usize]) -> Project {
        self.project_to_play(stack, false)
    }

    /// The same with those pages of tests on which an invariant may stand, if these are looked at.
    pub(crate) fn project_to_play(&self, stack: &[usize], invariants: bool) -> Project {
        let mut project = self.project(stack);
        for folder in project.variants.iter_mut().chain([&mut project.game]) {
            folder.tests.retain(|page| invariants && page.text.contains("invariant"));
        }
        project
    }

    /// The drawn map of the game with some of its variants: of several the last one.
    pub fn map(&self, stack: &[usize]) -> Option<&Page> {
        let variants = stack.iter().rev().filter_map(|&place| self.variants.get(place));
        let own = variants.filter_map(|variant| variant.folder.map.as_ref()).next();
        own.or(self.game.map.as_ref())
    }

    /// What is wrong with the files of the game and of some of its variants.
    pub fn file_diagnostics(&self, stack: &[usize]) -> Vec<Diagnostic> {
        let variants = stack.iter().filter_map(|&place| self.variants.get(place));
        let of_variants = variants.flat_map(|variant| &variant.diagnostics);
        self.diagnostics.iter().chain(of_variants).cloned().collect()
    }
}
