//! The texts of two projects side by side: which page of one is which page of the other.

use blazon_check::manifest::Manifest;
use blazon_check::project::{Folder, Page, Project};

/// In which folder a page lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Home {
    /// The library.
    Library,
    /// The game.
    Game,
    /// A variant, by the name in its manifest.
    Variant(String),
}

/// Which of a folder's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Manifest,
    Page,
    Test,
    Data,
}

/// What page it is, wherever the folder lies on the disk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub home: Home,
    pub sort: Sort,
    /// From its folder on.
    pub name: String,
}

/// All pages of a project, in the order in which they are read.
pub(super) fn pages(project: &Project) -> Vec<(Key, &Page)> {
    let mut pages: Vec<(Key, &Page)> = Vec::new();
    for page in &project.library {
        let name = in_library(page).to_owned();
        pages.push((Key { home: Home::Library, sort: Sort::Page, name }, page));
    }
    of_folder(&Home::Game, &project.game, &mut pages);
    for folder in &project.variants {
        of_folder(&Home::Variant(name_of(folder)), folder, &mut pages);
    }
    pages
}

fn of_folder<'p>(home: &Home, folder: &'p Folder, pages: &mut Vec<(Key, &'p Page)>) {
    let root = root_of(folder);
    let mut add = |sort: Sort, page: &'p Page| {
        let name = below(&root, page).to_owned();
        pages.push((Key { home: home.clone(), sort, name }, page));
    };
    folder.manifest.iter().for_each(|page| add(Sort::Manifest, page));
    folder.pages.iter().for_each(|page| add(Sort::Page, page));
    folder.tests.iter().for_each(|page| add(Sort::Test, page));
    folder.data.iter().for_each(|page| add(Sort::Data, page));
}

/// The files of a project that list paragraphs and statements of the rulebook.
pub(super) fn outlines(project: &Project) -> Vec<Key> {
    let game = std::iter::once((Home::Game, &project.game));
    let variants = project.variants.iter().map(|folder| (Home::Variant(name_of(folder)), folder));
    let named = game.chain(variants).flat_map(|(home, folder)| {
        let manifest = folder.manifest.as_ref().and_then(|page| Manifest::read(&page.text).ok());
        let names = match manifest {
            Some(Manifest::Game(game)) => [game.outline, game.statements],
            Some(Manifest::Variant(variant)) => [variant.outline, variant.statements],
            None => [None, None],
        };
        names.into_iter().flatten().map(move |name| Key { home: home.clone(), sort: Sort::Data, name })
    });
    named.collect()
}

/// How a page of the library is called.
pub(super) fn in_library(page: &Page) -> &str {
    page.name.rsplit('/').next().unwrap_or(&page.name)
}

/// How a page is called from its folder on, by which two pages of one name in two folders are told apart.
pub(super) fn below<'p>(root: &str, page: &'p Page) -> &'p str {
    page.name.strip_prefix(root).unwrap_or(&page.name)
}

/// The folder itself, with a stroke.
pub(super) fn root_of(folder: &Folder) -> String {
    let manifest = folder.manifest.as_ref().map(|page| page.name.as_str()).unwrap_or_default();
    manifest.rfind('/').map(|stroke| manifest[..=stroke].to_owned()).unwrap_or_default()
}

/// The name in a variant's manifest; of one that cannot be read, its folder.
pub(super) fn name_of(folder: &Folder) -> String {
    let manifest = folder.manifest.as_ref().and_then(|page| Manifest::read(&page.text).ok());
    manifest.map_or_else(|| root_of(folder), |manifest| manifest.name().to_owned())
}

/// The pages of a folder of that sort.
pub(super) fn of_sort(folder: &Folder, sort: Sort) -> &[Page] {
    match sort {
        Sort::Manifest => folder.manifest.as_slice(),
        Sort::Page => &folder.pages,
        Sort::Test => &folder.tests,
        Sort::Data => &folder.data,
    }
}

/// The same, to be changed.
pub(super) fn sorted(folder: &mut Folder, sort: Sort) -> Option<&mut Vec<Page>> {
    match sort {
        Sort::Manifest => None,
        Sort::Page => Some(&mut folder.pages),
        Sort::Test => Some(&mut folder.tests),
        Sort::Data => Some(&mut folder.data),
    }
}
