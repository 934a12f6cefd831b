//! The tests of a reading, made ready to run: which there are, and the programs that they run by.
//!
//! A test that cannot be checked, since it names what a variant has taken out, fails by itself: the others run without
//! it. Tests that are too many for one program run by several.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blazon_check::Settings;
use blazon_check::project::{Layer, Parsed};
use blazon_diagnostics::{Diagnostic, SourceId, Span};
use blazon_program::Program;
use blazon_syntax::ast::{AmendKind, Item, ItemKind, Name, Node, Removable, Scene, TestLineKind};

use crate::compile::{Compiled, Reading};

/// A test as it is written.
#[derive(Clone, Debug)]
pub struct Written {
    /// What it shows.
    pub name: String,
    /// What it cites.
    pub cites: Vec<String>,
    /// Its heading, which tells it from others.
    pub span: Span,
    /// All of it.
    extent: Span,
    /// The scenes that it takes up, directly.
    scenes: Vec<String>,
}

/// A test that a variant says does not hold as it is printed.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The test's name, where the variant says so.
    pub name: Name,
}

/// Tests with the programs that they run by.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// The programs, each with some of the tests.
    pub programs: Vec<Arc<Program>>,
    /// The tests that have errors, with these, by their headings.
    pub broken: BTreeMap<Span, Vec<Diagnostic>>,
    /// What was said if the rules themselves have errors; then nothing runs.
    pub failed: Option<Compiled>,
}

impl Reading {
    /// The tests that stand in the pages of the game and of its variants, in their order; of the library's nobody
    /// asks. With variants, `all` asks for the game's, too.
    pub fn tests(&self, all: bool) -> Vec<Written> {
        let Some(parsed) = &self.parsed else { return Vec::new() };
        let varied = !parsed.variants.is_empty();
        let asked = |layer: &Layer| match layer {
            Layer::Library => false,
            Layer::Game => all || !varied,
            Layer::Variant(_) => true,
        };
        let files = parsed.files.iter().filter(|(layer, _)| asked(layer));
        files.flat_map(|(_, file)| file.items.iter().filter_map(written)).collect()
    }

    /// What variants say of tests: that they do not hold, or what holds in their place.
    pub fn declared(&self) -> Vec<Declared> {
        let files = self.parsed.iter().flat_map(|parsed| &parsed.files);
        let items = files.flat_map(|(_, file)| &file.items);
        items.filter_map(|item| declared(item).map(|name| Declared { name })).collect()
    }

    /// The same rules without what variants say of tests: all of them are as they are printed.
    pub fn with_tests_as_printed(&self) -> Self {
        let mut reading = self.clone();
        for (_, file) in reading.parsed.iter_mut().flat_map(|parsed| &mut parsed.files) {
            if file.items.iter().any(|item| declared(item).is_some()) {
                Arc::make_mut(file).items.retain(|item| declared(item).is_none());
            }
        }
        reading
    }

    /// All that what a test shows can hang on besides itself and its scenes: the rules, as they are written, comments
    /// between them left out.
    pub fn text_of_rules(&self) -> String {
        let Some(parsed) = &self.parsed else { return String::new() };
        let mut all = String::new();
        let mut add = |span: Span| {
            all.push_str(parsed.sources.slice(span));
            all.push('\n');
        };
        let is_rule = |item: &&Item| !matches!(item.kind, ItemKind::Test(_) | ItemKind::Scene(_));
        let items = parsed.files.iter().flat_map(|(_, file)| &file.items).filter(is_rule);
        items.for_each(|item| add(item.span));
        let whole = |source: SourceId| {
            let length = parsed.sources.find(source).map_or(0, |source| source.text.len());
            Span::new(source, 0, length)
        };
        parsed.manifests.iter().for_each(|span| add(whole(span.source)));
        parsed.data.iter().for_each(|(.., source)| add(whole(*source)));
        all
    }

    /// A test as it is written, and the scenes that it takes up, directly or through others.
    pub fn text_of(&self, test: &Written) -> String {
        let Some(parsed) = &self.parsed else { return String::new() };
        let scenes: Vec<(&Scene, Span)> = scenes(parsed).collect();
        let mut all = parsed.sources.slice(test.extent).to_owned();
        for (scene, extent) in &scenes {
            if takes_up(&test.scenes, &scene.name.text, &scenes) {
                all.push('\n');
                all.push_str(parsed.sources.slice(*extent));
            }
        }
        all
    }

    /// Makes tests ready to run.
    pub fn prepare(&self, settings: &Settings, tests: &[Written]) -> Prepared {
        let mut prepared = Prepared::default();
        self.prepare_some(settings, tests, &mut prepared);
        prepared
    }

    fn prepare_some(&self, settings: &Settings, tests: &[Written], prepared: &mut Prepared) {
        let mut tests = tests.to_vec();
        loop {
            let wanted = Some(tests.iter().map(|test| test.span).collect());
            let compiled = self.compile(&Settings { tests: wanted, ..settings.clone() });
            let errors: Vec<&Diagnostic> = compiled.diagnostics.iter().filter(|d| d.is_error()).collect();
            if let Some(program) = compiled.program {
                prepared.programs.push(program);
                return;
            }
            let broken = self.broken(&errors, &tests);
            if !broken.is_empty() {
                tests.retain(|test| !broken.contains_key(&test.span));
                prepared.broken.extend(broken);
            } else if tests.len() > 1 && errors.iter().all(|error| error.code == "run::memory") {
                let (first, second) = tests.split_at(tests.len() / 2);
                self.prepare_some(settings, first, prepared);
                if prepared.failed.is_none() {
                    self.prepare_some(settings, second, prepared);
                }
                return;
            } else {
                prepared.failed = Some(compiled);
                return;
            }
        }
    }

    /// The tests that errors stand in, or in a scene that they take up.
    fn broken(&self, errors: &[&Diagnostic], tests: &[Written]) -> BTreeMap<Span, Vec<Diagnostic>> {
        let scenes: Vec<(&Scene, Span)> = self.parsed.iter().flat_map(scenes).collect();
        let mut broken: BTreeMap<Span, Vec<Diagnostic>> = BTreeMap::new();
        for error in errors {
            let Some(place) = error.span else { continue };
            let in_scene = scenes.iter().find(|(_, extent)| extent.contains(place));
            for test in tests {
                let takes_up = |scene: &Scene| takes_up(&test.scenes, &scene.name.text, &scenes);
                if test.extent.contains(place) || in_scene.is_some_and(|(scene, _)| takes_up(scene)) {
                    broken.entry(test.span).or_default().push((*error).clone());
                }
            }
        }
        broken
    }
}

fn declared(item: &Item) -> Option<Name> {
    let ItemKind::Amend(amend) = &item.kind else { return None };
    match &amend.kind {
        AmendKind::Replace { new: Node::Test(test), .. } => Some(test.name.as_name()),
        AmendKind::Remove(Removable::Test(name)) => Some(name.clone()),
        AmendKind::Replace { .. }
        | AmendKind::Remove(_)
        | AmendKind::Inside { .. }
        | AmendKind::Cite(_)
        | AmendKind::Members { .. }
        | AmendKind::Add(_)
        | AmendKind::Hook { .. }
        | AmendKind::Under { .. }
        | AmendKind::Waive(_) => None,
    }
}

fn written(item: &Item) -> Option<Written> {
    let test = item.test()?;
    Some(Written {
        name: test.name.as_name().text,
        cites: test.cites.iter().map(|cite| cite.text.clone()).collect(),
        span: test.span,
        extent: item.span,
        scenes: taken_up(&test.lines),
    })
}

fn taken_up(lines: &[blazon_syntax::ast::TestLine]) -> Vec<String> {
    let from = lines.iter().filter_map(|line| match &line.kind {
        TestLineKind::From(name) => Some(name.text.clone()),
        TestLineKind::Position(_)
        | TestLineKind::Ruling(..)
        | TestLineKind::Play(_)
        | TestLineKind::Dice(_)
        | TestLineKind::Cards(_)
        | TestLineKind::Decide(..)
        | TestLineKind::Offer(..)
        | TestLineKind::Refuse(..)
        | TestLineKind::Expect(_)
        | TestLineKind::Sight { .. }
        | TestLineKind::Telling { .. }
        | TestLineKind::Fails(_)
        | TestLineKind::Assign(_) => None,
    });
    from.collect()
}

fn scenes(parsed: &Parsed) -> impl Iterator<Item = (&Scene, Span)> {
    let items = parsed.files.iter().flat_map(|(_, file)| &file.items);
    items.filter_map(|item| match &item.kind {
        ItemKind::Scene(scene) => Some((&**scene, item.span)),
        ItemKind::Test(_) | ItemKind::Declaration(_) | ItemKind::Amend(_) => None,
    })
}

/// Whether one of these names leads to a scene, through others perhaps.
fn takes_up(from: &[String], scene: &str, scenes: &[(&Scene, Span)]) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut waiting: Vec<String> = from.to_vec();
    while let Some(next) = waiting.pop() {
        if next == scene {
            return true;
        }
        if let Some((found, _)) = scenes.iter().find(|(other, _)| other.name.text == next)
            && seen.insert(&found.name.text)
        {
            waiting.extend(taken_up(&found.lines));
        }
    }
    false
}
