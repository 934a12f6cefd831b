//! Scenes: beginnings that tests share. A scene is read once, and its lines stand in every test that takes it up.

use std::rc::Rc;

use blazon_book::TestLine;
use blazon_diagnostics::{Diagnostic, Span, near_miss};
use blazon_syntax::ast;

use crate::merge::merged::{MergedScene, twice};
use crate::project::Layer;
use crate::references::DefinitionKind;
use crate::resolve::checker::Checker;

/// What the lines of a test or a scene come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    pub lines: Vec<TestLine>,
    pub rulings: Vec<(String, String)>,
}

impl Lines {
    /// Adds those of a scene that is taken up here.
    pub fn take_up(&mut self, scene: &Self, here: Span) {
        let lines = scene.lines.iter().cloned();
        self.lines.extend(lines.map(|line| TestLine { from: Some(here), ..line }));
        self.rulings.extend(scene.rulings.iter().cloned());
    }
}

/// So many lines are taken up in all: scenes that take up scenes twice would soon be longer than any memory.
pub(super) const MOST_TAKEN_UP: usize = 200_000;

/// A scene while it is read, and what came of it.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    UnderWay,
    Done(Rc<Lines>),
}

impl Checker<'_> {
    /// Reads the scenes of all layers whose tests are read; says which nobody takes up.
    pub(crate) fn scenes(&mut self) {
        let merged = self.merged;
        for MergedScene { scene, layer } in &merged.scenes {
            let name = &scene.name;
            if let Some(setup) = merged.setups.iter().find(|setup| setup.name.text == name.text) {
                self.diagnostics.push(twice("scene or setup", name, setup.name.span));
            }
            let has_tests = merged.tests.iter().any(|test| test.layer == *layer);
            if self.read_scenes.contains_key(&name.text) || !has_tests {
                continue;
            }
            self.read_scene(scene);
            if matches!(layer, Layer::Variant(_)) || self.parsed.variants.is_empty() {
                self.diagnostics.push(
                    Diagnostic::warning(
                        "names::unused",
                        name.span,
                        format!("no test begins with the scene `{}`", name.text),
                    )
                    .help(format!("take it up with `from {}`, or take it out", name.text)),
                );
            }
        }
    }

    /// Whether `from` means a scene here.
    pub(crate) fn is_scene(&self, name: &str) -> bool {
        self.merged.scenes.iter().any(|scene| scene.scene.name.text == name)
    }

    /// Whether the lines of a scene are taken up here; not, once those are too many.
    pub(crate) fn may_take_up(&mut self, scene: &Lines, here: Span) -> bool {
        let more = scene.lines.len() + scene.rulings.len();
        if self.taken_up <= MOST_TAKEN_UP && self.taken_up + more > MOST_TAKEN_UP {
            self.diagnostics.push(
                Diagnostic::error(
                    "tests::long",
                    here,
                    "tests and scenes take up more than 200,000 lines of scenes",
                )
                .label("no more are taken up from here on")
                .help("a scene is a beginning: take it up once in a test or scene, and keep it short"),
            );
        }
        self.taken_up += more;
        self.taken_up <= MOST_TAKEN_UP
    }

    /// The lines of the scene that a line takes up; none if it leads back to itself.
    pub(crate) fn scene(&mut self, name: &ast::Name) -> Option<Rc<Lines>> {
        let merged = self.merged;
        let scene = &merged.scenes.iter().find(|scene| scene.scene.name.text == name.text)?.scene;
        self.uses.note(name.span, DefinitionKind::Scene, scene.name.span);
        match self.read_scenes.get(&name.text) {
            Some(Reading::Done(lines)) => return Some(lines.clone()),
            Some(Reading::UnderWay) => {
                self.diagnostics.push(
                    Diagnostic::error(
                        "tests::cycle",
                        name.span,
                        format!("the scene `{}` leads back to itself", name.text),
                    )
                    .related(scene.name.span, "the scene")
                    .help("a scene begins with a setup, or with a scene that does not begin with it"),
                );
                return None;
            }
            None => {}
        }
        Some(self.read_scene(scene))
    }

    fn read_scene(&mut self, scene: &ast::Scene) -> Rc<Lines> {
        let name = &scene.name.text;
        self.read_scenes.insert(name.clone(), Reading::UnderWay);
        let lines = Rc::new(self.test_lines(&format!("the scene {name}"), &scene.lines));
        self.read_scenes.insert(name.clone(), Reading::Done(lines.clone()));
        lines
    }

    /// Complains of a `from` that names neither a setup nor a scene.
    pub(crate) fn no_beginning(&mut self, name: &ast::Name) {
        let setups = self.merged.setups.iter().map(|setup| setup.name.text.as_str());
        let scenes = self.merged.scenes.iter().map(|scene| scene.scene.name.text.as_str());
        let names: Vec<&str> = setups.chain(scenes).collect();
        let mut diagnostic = Diagnostic::error(
            "names::unknown",
            name.span,
            format!("there is no setup or scene `{}`", name.text),
        );
        diagnostic = match near_miss(&name.text, names.iter().copied()) {
            Some(near) => diagnostic.did_you_mean(near),
            None => diagnostic.help(format!("there are {}", blazon_diagnostics::list(&names, "and"))),
        };
        self.diagnostics.push(diagnostic);
    }
}
