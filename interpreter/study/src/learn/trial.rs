//! The game with rules laid beside it that the game does not have: candidates for an outlook, and an outlook that was
//! learned, under a name of its own.

use std::sync::Arc;

use blazon::{Compiled, Error, Folder, Page, ParseCache, Project, Reading, Rules, Settings};
use blazon_book::{Book, RuleId};
use blazon_program::Program;

use super::features::{Feature, variable_of};

/// The page's name in messages.
const PAGE: &str = "learned/outlook.blazon";
/// What only a warning says of a rule that nobody but us asks.
const UNUSED: &str = "names::unused";

/// A game with all its variants, on which pages can be laid.
pub struct Ground {
    project: Project,
    settings: Settings,
    title: String,
    beneath: Vec<String>,
    cache: ParseCache,
}

/// A page laid on the game, compiled.
pub struct Trial {
    /// The game with the page.
    pub program: Arc<Program>,
    /// What can be asked, and by which rule.
    pub features: Vec<(Feature, RuleId)>,
}

impl Ground {
    /// A game with the variants at these places of its list, under some settings.
    ///
    /// # Errors
    /// If the rules have errors.
    pub fn new(rules: &Rules, stack: &[usize], settings: Settings) -> Result<(Self, Arc<Program>), Error> {
        let mut ground = Self {
            // Tests take the most of the time, and nobody asks them here. A page may lean on what stands among them.
            project: rules.project_without_tests(stack),
            settings,
            title: String::new(),
            beneath: stack
                .iter()
                .filter_map(|&place| rules.variants.get(place))
                .map(|variant| variant.name.clone())
                .collect(),
            cache: ParseCache::default(),
        };
        let mut compiled = ground.read(None);
        if compiled.has_errors() {
            ground.project = rules.project(stack);
            compiled = ground.read(None);
        }
        let program = compiled.into_program()?;
        ground.title.clone_from(&program.book.title);
        Ok((ground, program))
    }

    /// The variants that a page is laid on.
    pub fn beneath(&self) -> &[String] {
        &self.beneath
    }

    fn read(&mut self, laid: Option<Folder>) -> Compiled {
        let mut project = self.project.clone();
        project.variants.extend(laid);
        Reading::again(&project, Vec::new(), &mut self.cache).compile(&self.settings)
    }

    /// The game with a folder laid on it.
    pub fn lay(&mut self, manifest: String, page: String) -> Compiled {
        let page = Page { name: PAGE.to_owned(), text: page };
        let manifest = Page { name: "learned/blazon.ron".to_owned(), text: manifest };
        self.read(Some(Folder { manifest: Some(manifest), pages: vec![page], ..Folder::default() }))
    }

    /// What is said of a folder laid on the game, if it is not sound or not said nothing of.
    pub fn said_of(&mut self, manifest: String, page: String) -> Vec<String> {
        let compiled = self.lay(manifest, page);
        let said = compiled
            .diagnostics
            .iter()
            .filter(|said| said.is_error() || said.span.is_some_and(|span| is_ours(&compiled, span.source)));
        said.map(|said| format!("{} [{}]", said.message, said.code)).collect()
    }

    /// The game with those of the candidates that can be checked without a word, and with some other rules.
    ///
    /// # Errors
    /// If the other rules have errors.
    pub fn try_out(&mut self, book: &Book, features: &[Feature], rules: &str) -> Result<Trial, Error> {
        let me = variable_of(book);
        let player = &book.kind(book.player).name;
        let mut left: Vec<(String, &Feature)> =
            features.iter().enumerate().map(|(place, feature)| (name(book, place), feature)).collect();
        let manifest = super::page::manifest("Tried out", &self.title, &self.beneath);
        loop {
            // A line for each, so that what is said of a line is said of a candidate.
            let mut page = String::new();
            for (name, feature) in &left {
                let gives = if feature.is_condition { "flag" } else { "number" };
                page += &format!("rule {name}({me}: {player}): {gives} = {}\n", feature.text);
            }
            page += rules;
            let compiled = self.lay(manifest.clone(), page);
            let mut bad = vec![false; left.len()];
            for said in compiled.diagnostics.iter().filter(|said| said.code != UNUSED) {
                let Some(span) = said.span.filter(|span| is_ours(&compiled, span.source)) else { continue };
                let line = compiled.sources.get(span.source).line_col(span.start).0;
                if let Some(bad) = bad.get_mut(line.saturating_sub(1)) {
                    *bad = true;
                }
            }
            if bad.iter().any(|&bad| bad) {
                let mut bad = bad.into_iter();
                left.retain(|_| !bad.next().unwrap_or_default());
                continue;
            }
            let program = compiled.into_program()?;
            let find = |name: &str| rule(&program.book, name);
            let features =
                left.iter().filter_map(|(name, feature)| Some(((*feature).clone(), find(name)?))).collect();
            return Ok(Trial { program, features });
        }
    }
}

/// Whether something is said of the page that was laid on the game.
fn is_ours(compiled: &Compiled, source: blazon::diagnostics::SourceId) -> bool {
    compiled.sources.find(source).is_some_and(|source| &*source.name == PAGE)
}

/// The name of a candidate's rule: words of letters, since a word of a name begins with one.
fn name(book: &Book, place: usize) -> String {
    free(book, &format!("candidate x{place}"))
}

/// A name that no rule of a book has.
pub fn free(book: &Book, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while book.rules.iter().any(|rule| rule.name == name) || book.columns.iter().any(|c| c.name == name) {
        name += " anew";
    }
    name
}

/// The rule of a name.
fn rule(book: &Book, name: &str) -> Option<RuleId> {
    book.rules.iter().position(|rule| rule.name == name).map(|place| RuleId(place as u32))
}
