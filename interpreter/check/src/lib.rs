//! Reads a game's files into one book: lays library, game and variants together, applies amendments, resolves names
//! and types, and proves what can be proved before anything is played.
//!
//! ```text
//! pages ──parse──► trees ──flat──► one tree ──amend──► one tree ──check──► Book
//! ```

mod amend;
mod analysis;
mod build;
mod calls;
mod checker;
mod choices;
mod citations;
mod data;
mod declare;
mod edit;
mod expressions;
mod flat;
mod gone;
mod grids;
mod laws;
mod links;
mod loops;
pub mod manifest;
pub mod print;
pub mod project;
mod queries;
mod rule_list;
mod rules;
mod setups;
mod statements;
mod substitute;
mod tables;
mod testing;
mod walk;
mod ways;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use blazon_book as book;
use blazon_diagnostics::Diagnostic;

use crate::analysis::Calls;
use blazon_book::{Base, Book, KindId, StepId, Type, Watch};
use crate::checker::{Checker, Env, Function};
use crate::declare::Chosen;
use crate::flat::Flat;
use crate::project::Parsed;
use crate::statements::Around;

/// What is chosen before a game.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The setup, by name or second name; the manifest's, if absent.
    pub setup: Option<String>,
    /// Rulings other than their defaults: name and value.
    pub rulings: Vec<(String, String)>,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The book, if there was no error.
    pub book: Option<Arc<Book>>,
    /// What was said, those of the parser first.
    pub diagnostics: Vec<Diagnostic>,
    /// The paragraphs of the outline that nothing cites and nothing accounts for.
    pub uncited: Vec<String>,
}

/// Checks a parsed project.
pub fn check(parsed: &Parsed, settings: &Settings) -> Checked {
    let mut diagnostics = parsed.diagnostics.clone();
    let (mut flat, amends) = Flat::collect(parsed, &mut diagnostics);
    for (layer, amend) in &amends {
        amend::apply(&mut flat, *layer, amend, &parsed.variants, &mut diagnostics);
    }
    grids::add_coordinates(&mut flat, &mut diagnostics);
    let mut checker = Checker {
        parsed,
        flat: &flat,
        diagnostics,
        kinds: Vec::new(),
        kind_names: HashMap::new(),
        things: HashMap::new(),
        links: HashMap::new(),
        without: HashSet::new(),
        grids: Vec::new(),
        columns: Vec::new(),
        rules: Vec::new(),
        steps: Vec::new(),
        functions: HashMap::new(),
        rulings: Vec::new(),
        ruling_kinds: Vec::new(),
        used: BTreeSet::new(),
        writes: edit::writes(&flat),
        options: edit::options(&flat),
        player: KindId(0),
        players: Vec::new(),
        made_steps: Vec::new(),
        made_rules: Vec::new(),
    };
    let book = checker.book(settings);
    let mut diagnostics = checker.diagnostics;
    let uncited = uncited(parsed);
    let book = book.map(|mut book| {
        let calls = Calls::of(&book);
        analysis::cycles(&book, &calls, &mut diagnostics);
        analysis::scopes(&mut book, &calls, &mut diagnostics);
        book
    });
    let diagnostics = tidy(diagnostics);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    Checked { book: book.filter(|_| !failed).map(Arc::new), diagnostics, uncited }
}

/// Leaves out what only follows from something else that is said: repetitions, and names that are unknown because the
/// item that declares them could not be read.
fn tidy(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    const FOLLOWS: [&str; 8] = [
        "names::unknown",
        "names::unused",
        "rules::promise",
        "amend::missing",
        "files::manifest",
        "setup::missing",
        "setup::place",
        "steps::choice-empty",
    ];
    let broken = diagnostics.iter().any(|d| d.code.starts_with("syntax::"));
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    let mut kept: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        let follows =
            broken && FOLLOWS.contains(&diagnostic.code) || errors && diagnostic.code == "names::unused";
        let said = kept.iter().any(|old| {
            old.span == diagnostic.span && old.code == diagnostic.code && old.message == diagnostic.message
        });
        if !follows && !said {
            kept.push(with_articles(diagnostic));
        }
    }
    kept
}

/// Kinds have any name, so `a` becomes `an` where it must only once the message is whole.
fn with_articles(mut diagnostic: Diagnostic) -> Diagnostic {
    let mend = |text: &str| {
        let mut mended = String::with_capacity(text.len() + 4);
        let mut rest = text;
        while let Some(at) = rest.find(" a ") {
            let (head, tail) = rest.split_at(at + 3);
            let quoted = (mended.matches('`').count() + head.matches('`').count()) % 2 == 1;
            let vowel = !quoted && tail.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
            mended.push_str(&head[..head.len() - 1]);
            mended.push_str(if vowel { "n " } else { " " });
            rest = tail;
        }
        mended.push_str(rest);
        match mended.strip_prefix("a ") {
            Some(rest) if rest.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {rest}"),
            _ => mended,
        }
    };
    diagnostic.message = mend(&diagnostic.message);
    diagnostic.label = mend(&diagnostic.label);
    diagnostic.help = diagnostic.help.as_deref().map(mend);
    diagnostic
}

impl Checker<'_> {
    fn book(&mut self, settings: &Settings) -> Option<Book> {
        let flat = self.flat;
        // Later choices count: the game's, each variant's, the player's.
        let parsed = self.parsed;
        let manifests =
            std::iter::once(&parsed.game.rulings).chain(parsed.variants.iter().map(|v| &v.rulings));
        let by_manifest = manifests.zip(&parsed.manifests).flat_map(|(rulings, span)| {
            rulings.iter().map(|(name, value)| Chosen { name, value, manifest: Some(*span) })
        });
        let asked = settings.rulings.iter().map(|(name, value)| Chosen { name, value, manifest: None });
        let rulings: Vec<Chosen> = by_manifest.chain(asked).collect();
        self.declare(&rulings);
        if self.player.0 as usize >= self.kinds.len() {
            return None;
        }
        self.hidden_faces();
        self.titles();
        let rules: Vec<Option<book::Rule>> = (0..flat.rules.len()).map(|place| self.rule(place)).collect();
        let steps: Vec<Option<book::Step>> = (0..flat.steps.len()).map(|place| self.step(place)).collect();
        let watches = self.watches();
        let setups: Vec<book::Setup> = flat.setups.iter().filter_map(|setup| self.setup(setup)).collect();
        let tests: Vec<book::Test> = flat.tests.iter().filter_map(|test| self.test(test)).collect();
        for omitted in &flat.omitted {
            let _ = self.cites(&omitted.cites);
        }
        self.unused();
        let begins = self.begins()?;
        let default_setup = self.default_setup(settings, &setups)?;
        let chooser = self
            .rule_id("chooser", 1)
            .filter(|id| self.rules[id.0 as usize].params[0].1 == Type::of(Base::Thing(self.player)));
        let rules: Vec<book::Rule> = rules.into_iter().collect::<Option<_>>()?;
        let steps: Vec<book::Step> = steps.into_iter().collect::<Option<_>>()?;
        let parsed = self.parsed;
        let grids = self.book_grids();
        Some(Book {
            title: parsed.game.name.clone(),
            version: parsed.game.version.clone(),
            variants: parsed.variants.iter().map(|v| (v.name.clone(), v.version.clone())).collect(),
            kinds: std::mem::take(&mut self.kinds),
            columns: std::mem::take(&mut self.columns),
            grids,
            rules: rules.into_iter().chain(std::mem::take(&mut self.made_rules)).collect(),
            steps: steps.into_iter().chain(std::mem::take(&mut self.made_steps)).collect(),
            watches,
            setups,
            rulings: std::mem::take(&mut self.rulings),
            tests,
            player: self.player,
            players: std::mem::take(&mut self.players),
            chooser,
            begins,
            default_setup,
            outline: parsed.outline.clone(),
            statements: parsed.statements.clone(),
            sources: parsed.sources.clone(),
        })
    }

    fn step(&mut self, place: usize) -> Option<book::Step> {
        let flat = self.flat;
        let step = &flat.steps[place].step;
        let signature = self.steps[place].clone();
        let mut env = Env::default();
        for (name, ty) in &signature.params {
            env.bind(name, *ty);
        }
        // Laws are checked where they stand, too, so that a slip in one is said once, even if no option does the step.
        for law in &step.laws {
            let mut inner = env.clone();
            let _ = self.need(&mut inner, law);
        }
        let errors = self.errors();
        let body = self.block(&mut env, &step.body, Around { returns: signature.ty, loops: 0 });
        if self.errors() > errors {
            return None;
        }
        Some(book::Step {
            name: signature.name,
            params: signature.params.len(),
            locals: statements::locals(env),
            ty: signature.ty,
            body,
            cites: self.cites(&step.cites),
            span: step.span,
        })
    }

    fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.is_error()).count()
    }

    fn watches(&mut self) -> Vec<Watch> {
        let flat = self.flat;
        let mut watches = Vec::new();
        for watch in &flat.watches {
            let mut env = Env::default();
            let condition = self.flag(&mut env, &watch.condition);
            let mut body_env = Env::default();
            let block = self.block(&mut body_env, &watch.body, Around::default());
            let _ = self.cites(&watch.cites);
            let Some(condition) = condition else { continue };
            let body = self.make_step(&format!("whenever {}", watch.name.text), block, body_env, watch.span);
            watches.push(Watch {
                name: watch.name.text.clone(),
                locals: env.locals,
                condition,
                body,
                awake: Vec::new(),
                span: watch.span,
            });
        }
        watches
    }

    fn begins(&mut self) -> Option<StepId> {
        let name = self.parsed.game.begins.clone();
        match self.steps.iter().position(|step| step.name == name) {
            Some(place) if self.steps[place].params.is_empty() => {
                self.used.insert(Function::Step(StepId(place as u32)));
                Some(StepId(place as u32))
            }
            Some(place) => {
                let span = self.steps[place].span;
                self.error(
                    "files::manifest",
                    span,
                    format!("the game begins with `{name}`, which may have no parameters"),
                );
                None
            }
            None => {
                let near =
                    blazon_diagnostics::near_miss(&name, self.steps.iter().map(|step| step.name.as_str()))
                        .map(str::to_owned);
                let mut diagnostic = Diagnostic::global(
                    "files::manifest",
                    format!(
                        "the manifest says that the game begins with `{name}`, but there is no such step"
                    ),
                );
                diagnostic = match near {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help("write the step, or change `begins:` in blazon.ron"),
                };
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    fn default_setup(&mut self, settings: &Settings, setups: &[book::Setup]) -> Option<usize> {
        if setups.is_empty() {
            if self.flat.setups.is_empty() {
                self.diagnostics.push(
                    Diagnostic::global("setup::missing", "the game has no setup")
                        .help("write one: `setup Start (piece: side, at) { … }`"),
                );
            }
            return None;
        }
        let Some(wanted) = settings.setup.clone().or(self.parsed.game.setup.clone()) else { return Some(0) };
        let lower = wanted.to_lowercase();
        let place = setups.iter().position(|setup| {
            setup.name.to_lowercase() == lower
                || setup.title.as_ref().is_some_and(|t| t.to_lowercase() == lower)
        });
        if place.is_none() {
            let names: Vec<&str> = setups.iter().map(|setup| setup.name.as_str()).collect();
            let near = blazon_diagnostics::near_miss(&wanted, names.iter().copied());
            let mut diagnostic =
                Diagnostic::global("names::unknown", format!("there is no setup `{wanted}`"));
            diagnostic = match near {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("there are {}", blazon_diagnostics::list(&names, "and"))),
            };
            self.diagnostics.push(diagnostic);
        }
        place
    }
}

/// The paragraphs that no page cites: the citations are looked up in the pages' own text, where each begins with `@`.
fn uncited(parsed: &Parsed) -> Vec<String> {
    let mut cited: BTreeSet<&str> = BTreeSet::new();
    for (_, source) in parsed.sources.iter().filter(|(_, source)| source.name.ends_with(".blazon")) {
        for (at, _) in source.text.match_indices('@') {
            let rest = &source.text[at + 1..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || ".-".contains(c))).unwrap_or(rest.len());
            cited.insert(&rest[..end]);
        }
    }
    parsed.outline.iter().map(|(number, _)| number).filter(|n| !cited.contains(n.as_str())).cloned().collect()
}
