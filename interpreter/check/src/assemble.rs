//! From headings and bodies to a book: the order of the work, and what only the whole can say.

use blazon_book::build;
use blazon_book::meant::CHOOSER;
use blazon_book::{self as book, Base, Book, KindId, StepId, Type, Watch};
use blazon_diagnostics::{Diagnostic, Span, Stage};
use blazon_syntax::ast;

use crate::Settings;
use crate::infer::holes::UNKNOWN;
use crate::infer::steps::statements::Around;
use crate::merge::merged::{MergedRule, MergedStep};
use crate::project::Layer;
use crate::resolve::citations::cited;
use crate::resolve::declarations::Chosen;
use crate::resolve::{Checker, Env, Function};

impl Checker<'_> {
    /// The book, with a hole wherever something is wrong.
    pub(crate) fn book(&mut self, settings: &Settings) -> Book {
        let read = self.diagnostics.len();
        self.declare_all(settings);
        self.diagnostics[read..].iter_mut().for_each(|said| said.stage = Stage::Headings);
        if self.player.0 as usize >= self.kinds.len() {
            // Without the kind that decides nearly everything would be wrong: nothing more is said.
            return self.quietly(|checker| {
                checker.make_player_kind();
                checker.bodies(settings)
            });
        }
        self.bodies(settings)
    }

    /// The rules, with all rulings open; without tests and whatever else is asked of one reading only.
    pub(crate) fn open_book(&mut self, settings: &Settings) -> Book {
        self.declare_all(settings);
        self.open_rulings();
        self.bodies(settings)
    }

    fn declare_all(&mut self, settings: &Settings) {
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
    }

    /// A kind in the place of the one that the manifest names and nothing declares.
    fn make_player_kind(&mut self) {
        let name = self.parsed.game.player.clone();
        self.player = KindId(self.kinds.len() as u32);
        self.is_partial = true;
        self.kinds.push(book::Kind {
            origin: book::KindOrigin::Declared,
            plural: format!("{name}s"),
            name,
            things: Vec::new(),
            ends: None,
            seen: None,
            back: Vec::new(),
            name_on_back: false,
            span: Span::default(),
        });
    }

    /// Everything behind the declarations.
    fn bodies(&mut self, settings: &Settings) -> Book {
        let merged = self.merged;
        self.hidden_faces();
        self.titles();
        let is_looked_at = |name: &ast::Name, is_amended: bool| {
            let holds = |span: &Span| span.contains(name.span);
            is_amended || settings.within.as_ref().is_none_or(|spans| spans.iter().any(holds))
        };
        let rule = |(place, rule): (usize, &MergedRule)| match is_looked_at(&rule.rule.name, rule.is_amended)
        {
            true => self.rule(place),
            false => self.rule_heading(place),
        };
        let rules: Vec<book::Rule> = merged.rules.iter().enumerate().map(rule).collect();
        let step = |(place, step): (usize, &MergedStep)| match is_looked_at(&step.step.name, step.is_amended)
        {
            true => self.step(place),
            false => self.step_heading(place),
        };
        let steps: Vec<book::Step> = merged.steps.iter().enumerate().map(step).collect();
        let watches = self.watches();
        let setups: Vec<book::Setup> = merged.setups.iter().map(|setup| self.setup(setup)).collect();
        let set = std::mem::take(&mut self.set);
        let (mut tests, mut questions) = (Vec::new(), Vec::new());
        if self.open_rulings.is_none() {
            tests.extend(merged.tests.iter().map(|test| self.test(&test.test)));
            // Where some tests are wanted, the scenes are those that they take up.
            if settings.tests.is_none() {
                self.scenes();
            }
            questions = self.questions();
        }
        // The rules of invariants come last: a book that is played without them does not have these.
        let invariants = self.invariants();
        let looks = self.looks();
        self.points(&looks);
        self.check_cites();
        self.say_wrong_elsewhere();
        if settings.within.is_none() {
            self.unused(&set);
            self.unused_parameters(&rules, &steps);
            self.warn_of_laws();
            self.laws_for_nothing();
        }
        let begins = self.begins();
        let default_setup = begins.and_then(|_| self.default_setup(settings, &setups));
        self.is_partial |= begins.is_none() || default_setup.is_none();
        let chooser = self.asked_of_players(CHOOSER);
        let parsed = self.parsed;
        let grids = self.book_grids();
        self.use_unseen();
        self.note_askable();
        Book {
            whole: !self.is_partial && self.first_hole.is_none(),
            title: parsed.game.name.clone(),
            version: parsed.game.version.clone(),
            variants: parsed.variants.iter().map(|v| (v.name.clone(), v.version.clone())).collect(),
            kinds: std::mem::take(&mut self.kinds),
            columns: std::mem::take(&mut self.columns),
            grids,
            rules: rules.into_iter().chain(std::mem::take(&mut self.made_rules)).collect(),
            steps: steps.into_iter().chain(std::mem::take(&mut self.made_steps)).collect(),
            watches,
            invariants,
            looks,
            setups,
            rulings: std::mem::take(&mut self.rulings),
            tests,
            questions,
            player: self.player,
            players: std::mem::take(&mut self.players),
            chooser,
            counter: None,
            begins: begins.unwrap_or(StepId(0)),
            default_setup: default_setup.unwrap_or(0),
            outline: parsed.outline.clone(),
            statements: parsed.statements.clone(),
            digest: crate::project::digest::of(parsed),
            sources: parsed.sources.clone(),
        }
    }

    /// A rule whose body nobody looks at.
    fn rule_heading(&mut self, place: usize) -> book::Rule {
        self.is_partial = true;
        let signature = self.rules[place].clone();
        let span = self.merged.rules[place].rule.span;
        let ty = signature.ty.unwrap_or(UNKNOWN);
        let base = build::hole(ty, Vec::new(), span);
        book::Rule {
            name: signature.name,
            title: None,
            params: signature.params.len(),
            locals: Vec::new(),
            ty,
            known: Vec::new(),
            body: book::RuleBody::Value { base, exceptions: Vec::new(), modifiers: Vec::new() },
            cites: Vec::new(),
            span,
        }
    }

    /// A step whose body nobody looks at.
    fn step_heading(&mut self, place: usize) -> book::Step {
        self.is_partial = true;
        let signature = self.steps[place].clone();
        book::Step {
            name: signature.name,
            params: signature.params.len(),
            locals: Vec::new(),
            ty: signature.ty,
            body: book::Block::default(),
            before: 0,
            is_part: self.merged.steps[place].is_part,
            cites: Vec::new(),
            span: self.merged.steps[place].step.span,
        }
    }

    fn step(&mut self, place: usize) -> book::Step {
        let merged = self.merged;
        let step = &merged.steps[place].step;
        let signature = self.steps[place].clone();
        let mut env = Env::default();
        for ((_, ty), param) in signature.params.iter().zip(&step.params) {
            env.bind_name(&param.name, *ty);
        }
        self.around = Some(place);
        self.note_scope(&env, step.span);
        // Laws are checked where they stand, too, so that a slip in one is said once, even if no option does the step. Each
        // is asked only where those before it hold.
        let mut of_laws = env.clone();
        let said = self.diagnostics.len();
        for law in &step.laws {
            let Some((need, ruled)) = self.ruled_need(&mut of_laws, law) else { continue };
            self.asks_no_more(&of_laws, &need.condition, ruled);
            self.suppose(&mut of_laws, &need.condition, true, ruled);
        }
        // What a law always says it says of what options do the step with, and that need not fit yet.
        self.diagnostics.extract_if(said.., |said| said.code == "lint::settled").for_each(drop);
        let said = self.diagnostics.len();
        let around = Around { returns: signature.ty, ..Around::default() };
        let (body, ends) = self.block_with_ends(&mut env, &step.body, around);
        let before = step.before.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or_default();
        self.around = None;
        let wrong = self.diagnostics[said..].iter().any(Diagnostic::is_error);
        if let Some(ty) = signature.ty
            && !wrong
        {
            self.answered(&signature.name, ty, &body, step.name.span);
        }
        self.is_partial |= wrong;
        let cites = cited(&step.cites);
        book::Step {
            name: signature.name,
            params: signature.params.len(),
            locals: crate::infer::steps::statements::locals(env),
            ty: signature.ty,
            body,
            before,
            is_part: merged.steps[place].is_part,
            cites,
            span: step.span,
        }
    }

    fn invariants(&mut self) -> Vec<book::Invariant> {
        let merged = self.merged;
        let mut invariants = Vec::new();
        for invariant in &merged.invariants {
            let clause = ast::Clause {
                kind: ast::ClauseKind::Need {
                    when: None,
                    condition: invariant.condition.clone(),
                    reason: invariant.reason.clone(),
                },
                label: None,
                cites: invariant.cites.clone(),
                span: invariant.span,
            };
            let mut env = Env::default();
            let Some(need) = self.need(&mut env, &clause) else { continue };
            let name = &invariant.name.text;
            let cites = need.cites.clone();
            let rule = self.make_permission(&format!("invariant {name}"), need, env);
            invariants.push(book::Invariant { name: name.clone(), rule, cites, span: invariant.span });
        }
        invariants
    }

    fn watches(&mut self) -> Vec<Watch> {
        let merged = self.merged;
        let mut watches = Vec::new();
        for watch in &merged.watches {
            let mut env = Env::default();
            let (checked, is_ruled) = self.ruled_flag(&mut env, &watch.condition);
            let condition = self.or_hole(&mut env, checked, &watch.condition, Type::of(Base::Flag));
            // The block is done as soon as it holds.
            let mut body_env = Env::default();
            self.suppose_apart(&mut body_env, &condition, is_ruled);
            let block = self.block(&mut body_env, &watch.body, Around::default());
            let body = self.make_step(&format!("whenever {}", watch.name.text), block, body_env, watch.span);
            if let Some(step) = self.made_steps.last_mut() {
                step.cites = cited(&watch.cites);
            }
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
        match self.merged.steps.place(&name) {
            Some(place) if self.parsed.tests.contains(&self.steps[place].span.source) => {
                let message = format!("the game begins with `{name}`, which is declared among the tests");
                let said = Diagnostic::error("tests::game", self.steps[place].span, message);
                let label = "who plays does without this page";
                self.diagnostics.push(said.label(label).help("declare it on a page of the game"));
                None
            }
            Some(place) if self.steps[place].params.is_empty() => {
                self.used.note(Function::Step(StepId(place as u32)));
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
                let near = self
                    .merged
                    .guesses
                    .near_miss(&name, self.steps.iter().map(|step| step.name.as_str()))
                    .map(str::to_owned);
                let message = format!(
                    "the manifest says that the game begins with `{name}`, but there is no such step"
                );
                self.wrong_in_manifest(
                    Layer::Game,
                    "begins",
                    &name,
                    message,
                    near.as_deref(),
                    || "write the step, or change `begins:` in blazon.ron",
                );
                None
            }
        }
    }

    fn default_setup(&mut self, settings: &Settings, setups: &[book::Setup]) -> Option<usize> {
        if setups.is_empty() {
            if self.merged.setups.is_empty() {
                self.diagnostics.push(
                    Diagnostic::global("setup::missing", "the game has no setup")
                        .help("write one: `setup Start (piece: side, at) { … }`, or `setup Start { }` where nothing is placed"),
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
            let near = self.merged.guesses.near_miss(&wanted, names.iter().copied());
            let mut word = self.parsed.word(Layer::Game, "setup", &wanted);
            // What is asked for stands in no file.
            word.manifest = word.manifest.filter(|_| settings.setup.is_none());
            let sources = &self.parsed.sources;
            let said = word.wrong(sources, "names::unknown", format!("there is no setup `{wanted}`"));
            let otherwise = || match names[..] {
                [only] => format!("there is only `{only}`"),
                _ => format!("there are {}", blazon_diagnostics::list(&names, "and")),
            };
            self.diagnostics.push(word.mended(said, sources, near, otherwise));
        }
        place
    }
}
