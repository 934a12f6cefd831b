//! What the checker reads: a game, its library modules, its variants, as texts. Where they come from (a folder, the
//! binary itself, a test) is the caller's business.

mod data_files;
pub(crate) mod digest;
mod docs;
pub mod manifest;
mod manifest_words;
mod neighbours;
mod paragraphs;
mod parse_cache;
mod questions;
mod stacking;
mod taken_words;
mod unseen;
mod words;

pub use parse_cache::ParseCache;
use stacking::Laid;
pub(crate) use words::Word;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Sources, Span};
use blazon_syntax::ast;

use crate::project::manifest::{GameManifest, Manifest, VariantManifest};

/// One file as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The name shown in messages, with `/` between folders.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A folder with a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// `blazon.ron`.
    pub manifest: Option<Page>,
    /// The pages, in the order of their names.
    pub pages: Vec<Page>,
    /// The pages of tests; who only plays leaves them out.
    pub tests: Vec<Page>,
    /// Other files that pages and manifest name: outlines, tables.
    pub data: Vec<Page>,
    /// `map.svg`, the drawn map. Who draws boards reads it; no rule does.
    pub map: Option<Page>,
}

/// Everything that is checked together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// The library: the module's name is the page's name without folder and ending.
    pub library: Vec<Page>,
    /// The game.
    pub game: Folder,
    /// The variants, in the order asked for.
    pub variants: Vec<Folder>,
    /// The names of variants that the game has beside these. A manifest may name them, too.
    pub others: Vec<String>,
}

/// Where a page comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The library.
    Library,
    /// The game.
    Game,
    /// A variant, by its place in the stack.
    Variant(usize),
}

/// The rows of a file, taken in by an item of a page.
#[derive(Clone, Debug)]
pub struct TakenIn {
    /// Whose page it is.
    pub layer: Layer,
    /// The table or list of links.
    pub name: String,
    /// The file.
    pub source: SourceId,
}

/// A project that has been parsed.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Whether a manifest could not be read: then only what is wrong with it and with the pages by themselves is said.
    pub is_partial: bool,
    /// All files.
    pub sources: Arc<Sources>,
    /// The game's manifest.
    pub game: GameManifest,
    /// The variants' manifests, in the order of the stack.
    pub variants: Vec<VariantManifest>,
    /// Where the manifests stand: the game's, then the variants'.
    pub manifests: Vec<Span>,
    /// The trees, in the order of the layers.
    pub files: Vec<(Layer, Arc<ast::File>)>,
    /// The pages of tests.
    pub tests: BTreeSet<SourceId>,
    /// The modules of the library that the game does not take in.
    pub spare: Vec<Page>,
    /// The layer of each page and data file.
    pub(crate) layers: HashMap<SourceId, Layer>,
    /// Data files: layer, name, source.
    pub data: Vec<(Layer, String, SourceId)>,
    /// Which table or list of links takes in the rows of which file, in the order of the pages.
    pub taken: Vec<TakenIn>,
    /// The paragraphs.
    pub outline: Vec<(String, String)>,
    /// Whether there is an outline to check citations against.
    pub has_outline: bool,
    /// The statement ids.
    pub statements: Vec<String>,
    /// What somebody asks beside the rules.
    pub questions: Vec<ast::Expr>,
    /// What was wrong so far.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses all pages of a project.
///
/// # Errors
/// Diagnostics alone, if a manifest cannot be read; otherwise what is wrong stands in [`Parsed::diagnostics`].
pub fn parse(project: &Project) -> Result<Parsed, (Arc<Sources>, Vec<Diagnostic>)> {
    parse_with(project, &mut ParseCache::default())
}

/// Parses all pages of a project but those that the cache knows from the project before. With another variant in the place
/// of one these are the pages of the library and the game; with one more they stand at other places, and are parsed again.
///
/// # Errors
/// As [`parse`].
pub fn parse_with(
    project: &Project,
    cache: &mut ParseCache,
) -> Result<Parsed, (Arc<Sources>, Vec<Diagnostic>)> {
    let manifests = Manifests::read(project);
    if manifests.game.is_none() || manifests.failed {
        return Err((Arc::new(manifests.sources), manifests.diagnostics));
    }
    Ok(parse_pages(project, manifests, cache))
}

/// Parses all pages of a project, whatever is wrong with its manifests; pages that the cache knows are not parsed again.
/// Where a manifest cannot be read, [`Parsed::is_partial`] is set: the pages are read as if they used the whole library.
pub fn parse_anyway(project: &Project, cache: &mut ParseCache) -> Parsed {
    let parsed = parse_pages(project, Manifests::read(project), cache);
    cache.keep(parsed.sources.iter().count());
    parsed
}

/// All manifests of a project.
struct Manifests<'p> {
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    game: Option<(GameManifest, Span)>,
    variants: Vec<Laid<'p>>,
    /// Whether one could not be read, or is of another sort than its folder.
    failed: bool,
}

impl<'p> Manifests<'p> {
    fn read(project: &'p Project) -> Self {
        let (mut sources, mut diagnostics, mut faults) = (Sources::default(), Vec::new(), Vec::new());
        let mut read = |folder, what, diagnostics: &mut Vec<Diagnostic>| {
            read_manifest(folder, what, &mut sources, diagnostics, &mut faults)
        };
        let game = match read(&project.game, "the game", &mut diagnostics) {
            Some((Manifest::Game(game), span)) => Some((game, span)),
            Some((Manifest::Variant(variant), span)) => {
                diagnostics.push(
                    Diagnostic::error(
                        "files::manifest",
                        span,
                        format!("`{}` is a variant, not a game", variant.name),
                    )
                    .help(format!(
                        "play it with its game: `blazon play \"{}\" --variant PATH`",
                        variant.game
                    )),
                );
                None
            }
            None => None,
        };
        let mut variants = Vec::new();
        for folder in &project.variants {
            match read(folder, "a variant", &mut diagnostics) {
                Some((Manifest::Variant(variant), span)) => variants.push((variant, folder, span)),
                Some((Manifest::Game(other), span)) => diagnostics.push(Diagnostic::error(
                    "files::manifest",
                    span,
                    format!("`{}` is a game, not a variant", other.name),
                )),
                None => {}
            }
        }
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        // With these the pages can be read all the same.
        diagnostics.append(&mut faults);
        Self { sources, diagnostics, game, variants, failed }
    }
}

/// Complains of variants of another game, or of another version of it; whether all are of this game.
fn versions(
    (game, game_span): (&GameManifest, Span),
    variants: &[Laid<'_>],
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut all_fit = true;
    for (variant, folder, span) in variants {
        if variant.game != game.name {
            all_fit = false;
            let message =
                format!("`{}` changes `{}`, but the game is `{}`", variant.name, variant.game, game.name);
            let named = folder
                .manifest
                .as_ref()
                .and_then(|page| named(&page.text, &variant.game, span.source).first().copied());
            let diagnostic = Diagnostic::error("amend::version", named.unwrap_or(*span), message)
                .related(game_span, "the game");
            diagnostics.push(match blazon_diagnostics::near_miss(&variant.game, [game.name.as_str()]) {
                Some(near) => diagnostic.help(blazon_diagnostics::did_you_mean(near)).with_fixes(
                    named.map(|at| Fix::replace(format!("write `{near}`"), at, format!("\"{near}\""))),
                ),
                None => diagnostic.help("play it with the game that it names"),
            });
        } else if !version_fits(&game.version, &variant.game_version) {
            let word = Word { manifest: Some(*span), entry: "game_version", word: &variant.game_version };
            let message = format!(
                "`{}` was written for version {} of `{}`, which is now {}",
                variant.name, variant.game_version, game.name, game.version
            );
            diagnostics.push(
                word.wrong(sources, "amend::version", message)
                    .related(game_span, "the game")
                    .help("try it: change `game_version` in its blazon.ron, and check again"),
            );
        }
    }
    all_fit
}

/// Where a manifest names something in quotes.
fn named(manifest: &str, name: &str, source: SourceId) -> Vec<Span> {
    let quoted = format!("\"{name}\"");
    let places = manifest.match_indices(&quoted);
    places.map(|(at, quoted)| Span::new(source, at, at + quoted.len())).collect()
}

fn parse_pages(project: &Project, manifests: Manifests<'_>, cache: &mut ParseCache) -> Parsed {
    let Manifests { mut sources, mut diagnostics, game, variants, failed } = manifests;
    let mut is_partial = game.is_none() || failed;
    let (game, game_span) = game.unwrap_or_else(|| {
        let modules = project.library.iter().map(|page| module_name(&page.name).to_owned());
        (GameManifest { uses: modules.collect(), ..GameManifest::default() }, Span::default())
    });
    let variants = if is_partial {
        variants
    } else {
        // What a variant of another game changes is not there: nothing is said of that.
        is_partial = !versions((&game, game_span), &variants, &sources, &mut diagnostics);
        stacking::exclusions(&variants, &sources, &mut diagnostics);
        // Nor of what one builds on that is not laid.
        is_partial |= !neighbours::known(&variants, &project.others, &sources, &mut diagnostics);
        stacking::ordered(variants, &mut diagnostics)
    };

    let mut parsed = Parsed {
        is_partial,
        sources: Arc::default(),
        files: Vec::new(),
        tests: BTreeSet::new(),
        spare: Vec::new(),
        layers: HashMap::new(),
        data: Vec::new(),
        taken: Vec::new(),
        outline: Vec::new(),
        has_outline: false,
        statements: Vec::new(),
        questions: Vec::new(),
        diagnostics,
        variants: variants.iter().map(|(manifest, ..)| manifest.clone()).collect(),
        manifests: std::iter::once(game_span).chain(variants.iter().map(|(.., span)| *span)).collect(),
        game,
    };
    let mut met = HashSet::new();
    for module in parsed.game.uses.clone() {
        // That it is named twice is said of the manifest.
        if !met.insert(module.clone()) {
            continue;
        }
        match project.library.iter().find(|page| module_name(&page.name) == module) {
            Some(page) => {
                parsed.page(Layer::Library, page, &mut sources, cache);
            }
            None => {
                let known: Vec<&str> = project.library.iter().map(|page| module_name(&page.name)).collect();
                let near = blazon_diagnostics::near_miss(&module, known.iter().copied());
                let word = parsed.word(Layer::Game, "uses", &module);
                let message = format!("the library has no module `{module}`");
                let said = word.wrong(&sources, "files::missing", message);
                parsed.diagnostics.push(word.mended(said, &sources, near, || match known.as_slice() {
                    [] => "no library was found".to_owned(),
                    known => format!("it has {}", blazon_diagnostics::list(known, "and")),
                }));
            }
        }
    }
    let is_spare = |page: &&Page| !parsed.game.uses.iter().any(|used| used == module_name(&page.name));
    parsed.spare = project.library.iter().filter(is_spare).cloned().collect();
    let (outline, statements) = (parsed.game.outline.clone(), parsed.game.statements.clone());
    parsed.folder(Layer::Game, &project.game, outline, statements, &mut sources, cache);
    for (place, (manifest, folder, _)) in variants.iter().enumerate() {
        let (outline, statements) = (manifest.outline.clone(), manifest.statements.clone());
        parsed.folder(Layer::Variant(place), folder, outline, statements, &mut sources, cache);
        let is_bare = folder.pages.is_empty() && folder.tests.is_empty() && folder.map.is_none();
        let settles =
            !manifest.rulings.is_empty() || !manifest.players.is_empty() || !manifest.unseats.is_empty();
        if is_bare && !settles {
            let word = parsed.word(Layer::Variant(place), "name", &manifest.name);
            let message = "this variant has no page, and changes nothing".to_owned();
            let said = word.wrong(&sources, "lint::changes-nothing", message).as_warning();
            parsed.diagnostics.push(said.help("its pages lie beside the manifest and end in `.blazon`"));
        }
    }
    taken_words::tell_once(&sources, &mut parsed.diagnostics);
    unseen::in_files(&sources, &mut parsed.diagnostics);
    parsed.sources = Arc::new(sources);
    crate::project::data_files::take_in(&mut parsed);
    parsed
}

impl Parsed {
    /// Where a page or data file comes from.
    pub(crate) fn layer_of(&self, source: SourceId) -> Option<Layer> {
        self.layers.get(&source).copied()
    }

    /// Whether slips of a layer are told: whoever plays by the library cannot mend it, and of a game on which variants are laid
    /// theirs are looked at, since its own are told without them.
    pub(crate) fn is_judged(&self, layer: Layer) -> bool {
        match layer {
            Layer::Library => false,
            Layer::Game => self.variants.is_empty(),
            Layer::Variant(_) => true,
        }
    }

    /// Whether a slip at a place is told; what stands among tests may try anything.
    pub(crate) fn is_judged_at(&self, at: Span) -> bool {
        !self.tests.contains(&at.source)
            && self.layer_of(at.source).is_some_and(|layer| self.is_judged(layer))
    }

    fn page(&mut self, layer: Layer, page: &Page, sources: &mut Sources, cache: &mut ParseCache) -> SourceId {
        let id = sources.add(page.name.as_str(), page.text.as_str());
        let (file, diagnostics) = cache.parse(sources, id);
        self.diagnostics.extend_from_slice(diagnostics);
        self.files.push((layer, file));
        self.layers.insert(id, layer);
        id
    }

    fn folder(
        &mut self,
        layer: Layer,
        folder: &Folder,
        outline: Option<String>,
        statements: Option<String>,
        sources: &mut Sources,
        cache: &mut ParseCache,
    ) {
        for page in &folder.pages {
            self.page(layer, page, sources, cache);
        }
        for page in &folder.tests {
            let source = self.page(layer, page, sources, cache);
            self.tests.insert(source);
        }
        for page in &folder.data {
            let id = sources.add(page.name.as_str(), page.text.as_str());
            self.data.push((layer, page.name.clone(), id));
            self.layers.insert(id, layer);
            let name = page.name.rsplit('/').next().unwrap_or_default();
            if name.to_lowercase().contains(".blazon") {
                let message = format!("`{name}` is no page, and is not read");
                let said = Diagnostic::warning("files::ending", Span::new(id, 0, 0), message);
                let help = "a page ends in `.blazon`: take away what an editor has put behind that";
                self.diagnostics.push(said.help(help));
            }
        }
        if let Some(name) = outline
            && let Some(file) = self.named_file(layer, folder, (&name, "outline"), sources)
        {
            self.has_outline = true;
            let lines = paragraphs::read(file, sources, "paragraph", &mut self.diagnostics);
            self.outline.extend(lines.into_iter().map(|line| (line.id.to_owned(), line.title.to_owned())));
        }
        if let Some(name) = statements
            && let Some(file) = self.named_file(layer, folder, (&name, "statements"), sources)
        {
            let lines = paragraphs::read(file, sources, "statement", &mut self.diagnostics);
            self.statements.extend(lines.into_iter().map(|line| line.id.to_owned()));
            if !self.has_outline {
                let message = "without an `outline` no citation is checked, of these neither".to_owned();
                let said = self.word(layer, "statements", &name).wrong(sources, "files::manifest", message);
                let said = said.as_warning();
                self.diagnostics
                    .push(said.help("name the paragraphs of the rulebook, too: `outline: \"outline.txt\"`"));
            }
        }
    }

    /// The file that a manifest names.
    fn named_file(
        &mut self,
        layer: Layer,
        folder: &Folder,
        (name, entry): (&str, &'static str),
        sources: &Sources,
    ) -> Option<SourceId> {
        let manifest = folder.manifest.as_ref()?;
        let near = match self.beside(layer, &manifest.name, name) {
            Ok(source) => return Some(source),
            Err(near) => near,
        };
        let word = self.word(layer, entry, name);
        let said = if leads_out(name) {
            let message = format!("`{name}` leads out of the folder of the rules");
            word.wrong(sources, "files::outside", message).help(COPY)
        } else {
            let message = format!("there is no file `{name}` beside the manifest");
            let said = word.wrong(sources, "files::missing", message);
            let otherwise = || format!("put the file there, or take `{entry}` out of the manifest");
            word.mended(said, sources, near, otherwise)
        };
        self.diagnostics.push(said);
        None
    }

    /// Where the manifest of the game or of a variant stands.
    fn manifest(&self, layer: Layer) -> Span {
        let place = match layer {
            Layer::Library | Layer::Game => 0,
            Layer::Variant(place) => place + 1,
        };
        self.manifests.get(place).copied().unwrap_or_default()
    }

    /// The data file of a name in the folder of a page or manifest, or below it; or else the name that was probably meant.
    fn beside(&self, layer: Layer, page: &str, name: &str) -> Result<SourceId, Option<&str>> {
        let folder = page.rfind('/').map_or("", |slash| &page[..=slash]);
        let here = self.data.iter().filter(|(other, ..)| *other == layer);
        let here = here.filter_map(|(_, path, source)| Some((path.strip_prefix(folder)?, *source)));
        match here.clone().find(|(path, _)| *path == name) {
            Some((_, source)) => Ok(source),
            None => Err(blazon_diagnostics::near_miss(name, here.map(|(path, _)| path))),
        }
    }
}

fn read_manifest(
    folder: &Folder,
    what: &str,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
    faults: &mut Vec<Diagnostic>,
) -> Option<(Manifest, Span)> {
    let Some(page) = &folder.manifest else {
        diagnostics.push(Diagnostic::global("files::manifest", format!("{what} has no blazon.ron")).help(
            "every game and every variant is a folder with a manifest `blazon.ron` and pages `*.blazon`",
        ));
        return None;
    };
    let id = sources.add(page.name.as_str(), page.text.as_str());
    match Manifest::read(&page.text) {
        Ok(manifest) => {
            let span = Span::new(id, 0, page.text.find('\n').unwrap_or(page.text.len()));
            unseen::in_manifest(&page.text, &manifest, span, diagnostics);
            for fault in manifest.faults() {
                let places = named(&page.text, fault.word, id);
                let at = places.last().unwrap_or(&span);
                faults.push(Diagnostic::error("files::manifest", *at, fault.message).help(fault.help));
            }
            Some((manifest, span))
        }
        Err(error) => {
            diagnostics.push(manifest_words::explain(&error, id, &page.text));
            None
        }
    }
}

pub(crate) fn module_name(page: &str) -> &str {
    let file = page.rsplit('/').next().unwrap_or(page);
    file.strip_suffix(".blazon").unwrap_or(file)
}

fn version_fits(version: &str, wanted: &str) -> bool {
    wanted.is_empty()
        || version == wanted
        || version.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))
}

/// What leads to the mend where a path leads out of the folder of the rules.
pub(crate) const COPY: &str = "copy the file into the folder, and name it from there";

/// Whether a name is a path that leads out of the folder that it is written in.
pub(crate) fn leads_out(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    let begins_at_root = name.starts_with(['/', '\\']) || name.get(1..2) == Some(":");
    begins_at_root || parts.any(|part| part == "..")
}
