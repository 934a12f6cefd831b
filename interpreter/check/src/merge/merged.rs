//! All pages laid together: every declaration of every layer in one list, before and after amendment.
//!
//! Still syntax: nothing is typed. [`Merged::collect`] takes the declarations, [`crate::merge::amend`] then applies the
//! changes, layer by layer.

use std::collections::hash_map;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, Guesses, SourceId, Span};
use blazon_syntax::ast::{self, Amend, Declaration, Expr, ItemKind, Member, Name};

use crate::merge::edits::{Edit, RuleEdit, StepEdit};
use crate::merge::faces::{self, Side};
use crate::merge::ledger::{Entry, Op};
use crate::merge::named_list::NamedList;
use crate::merge::sort::Sort;
use crate::merge::wholes::{whole_declarations, whole_key};
use crate::project::{Layer, Parsed};
use crate::references::Uses;

/// The merged tree as syntax.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merged {
    pub kinds: NamedList<MergedKind>,
    pub columns: NamedList<MergedColumn>,
    pub rules: NamedList<MergedRule>,
    pub steps: NamedList<MergedStep>,
    pub tables: Vec<Arc<ast::Table>>,
    pub links: Vec<Arc<ast::Links>>,
    pub grids: NamedList<Arc<ast::Grid>>,
    pub setups: NamedList<Arc<ast::Setup>>,
    pub rulings: NamedList<ast::Ruling>,
    pub watches: NamedList<ast::Watch>,
    /// Where the watch of each name was declared first: by that they come up in order.
    watch_homes: HashMap<String, (Layer, SourceId, u32)>,
    pub invariants: NamedList<ast::Invariant>,
    pub looks: NamedList<ast::Look>,
    pub tests: Vec<MergedTest>,
    pub scenes: Vec<MergedScene>,
    /// `replace fact rating(Cannon) = B3`, in order.
    pub fact_values: Vec<FactValue>,
    /// `replace Hussars: class Horse` in a table: kind and row.
    pub overrides: Vec<(String, ast::NamedRow)>,
    /// Things and rows taken away: kind and thing.
    pub removed_things: Vec<(String, Name)>,
    /// Links taken away that are not found as text: those of a grid, and of lists that say numbers.
    pub removed_links: Vec<RemovedLink>,
    /// Lines of lists of links that are said anew elsewhere. They say nothing any more, but the links keep their places.
    pub moved_links: HashSet<Span>,
    /// Every change by the part that it changes, to find those that fight.
    pub ledger: Vec<Entry>,
    /// What was taken out.
    pub removed: Vec<Removed>,
    /// What pages name that nothing is left of when all is laid together.
    pub unseen: Unseen,
    /// The layers of the pages.
    pub layers: HashMap<SourceId, Layer>,
    /// The names that may mean a variable of a body that stands there no more, by where they stand.
    pub gone: HashMap<Span, Gone>,
    /// What the names in amendments mean, if that is asked for.
    pub uses: Uses,
    /// The guesses at names, those of the checker, too.
    pub guesses: Guesses,
}

/// A variable that whoever hung something in a body knew, and that another body in its place may not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone {
    /// Where it was bound.
    pub variable: Span,
    /// The other body, or the change that puts it there.
    pub put: Span,
}

impl Gone {
    /// What is said where the body that stands there does not have it.
    pub fn told(&self, name: &Name) -> Diagnostic {
        let shown = crate::hygiene::plain(&name.text);
        let message = format!(
            "`{shown}` was a variable where this was written, and is none in the body that stands there now"
        );
        Diagnostic::error("amend::clash", name.span, message)
            .label("not known any more")
            .related(self.variable, "it was bound here")
            .related(self.put, "another body is put here")
            .help("keep the variable in the new body; or let the manifest of one of the two name the other in `after:`, and write what hangs in it for that body")
    }
}

/// What pages name, and no declaration of the whole names any more: kept for whoever asks where a name stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unseen {
    /// The types in headings under conditions, and of promises, rules, steps, facts and states that others stand in the place of. What is
    /// asked for are those of the heading that stands there, which are the same.
    pub types: Vec<ast::Type>,
    /// The steps that such states are fresh each.
    pub steps: Vec<Name>,
    /// Looks in whose place others stand, and those that are taken out, also where they are called by name.
    pub looks: Vec<ast::Look>,
}

impl Unseen {
    /// Notes the types of a heading.
    pub fn heading(&mut self, params: &[ast::Param], gives: Option<&ast::Type>) {
        self.types.extend(params.iter().map(|param| &param.ty).chain(gives).cloned());
    }

    /// Notes the kinds that a fact or state is asked of, and its type.
    pub fn column(&mut self, decl: &ColumnDecl) {
        let (keys, ty) = match decl {
            ColumnDecl::Fact(fact) => (&fact.keys, &fact.ty),
            ColumnDecl::State(state) => (&state.keys, &state.ty),
        };
        let key = |name: &Name| ast::Type {
            kind: ast::TypeKind::Named(name.clone()),
            optional: false,
            span: name.span,
        };
        self.types.extend(keys.iter().map(key).chain([ty.clone()]));
        if let ColumnDecl::State(state) = decl {
            self.steps.extend(state.fresh.iter().cloned());
        }
    }
}

/// Something taken out for good.
#[derive(Clone, Debug)]
pub(crate) struct Removed {
    /// What sort of part it was.
    pub what: Sort,
    pub name: String,
    pub layer: Layer,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct MergedKind {
    pub name: Name,
    pub plural: Option<Name>,
    pub ends: Option<(Name, Name)>,
    pub things: NamedList<Name>,
    /// Who sees the face of a thing: a rule that the kind names.
    pub seen: Option<MergedRule>,
    /// What the back shows; its value is a list of names.
    pub back: Option<MergedRule>,
    pub layer: Layer,
    /// All places where it is declared or completed.
    pub spans: Vec<Span>,
    /// Their paragraphs.
    pub cites: Vec<ast::Cite>,
}

#[derive(Clone, Debug)]
pub(crate) struct MergedColumn {
    /// The kind in whose body it stands.
    pub owner: Option<Name>,
    pub decl: ColumnDecl,
    pub layer: Layer,
}

#[derive(Clone, Debug)]
pub(crate) enum ColumnDecl {
    Fact(ast::Fact),
    State(ast::State),
}

impl ColumnDecl {
    pub fn name(&self) -> &Name {
        match self {
            Self::Fact(fact) => &fact.name,
            Self::State(state) => &state.name,
        }
    }

    /// The word that it begins with.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fact(_) => "fact",
            Self::State(_) => "state",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct MergedRule {
    pub rule: Arc<ast::Rule>,
    pub layer: Layer,
    /// A promise of the library that this rule keeps.
    pub promised: Option<Span>,
    /// Whether a change has added to it or put something in its place.
    pub is_amended: bool,
    /// What changes do to it, until it is woven.
    pub edits: Vec<Edit<RuleEdit>>,
}

#[derive(Clone, Debug)]
pub(crate) struct MergedStep {
    pub step: Arc<ast::Step>,
    pub layer: Layer,
    /// Whether a change has added to it or put something in its place.
    pub is_amended: bool,
    /// Whether it is made of another, to stand between what changes hang around that.
    pub is_part: bool,
    /// What changes do to it, until it is woven.
    pub edits: Vec<Edit<StepEdit>>,
}

impl MergedStep {
    /// One that changes make.
    pub fn made(step: ast::Step, layer: Layer, is_part: bool) -> Self {
        Self { step: step.into(), layer, is_amended: true, is_part, edits: Vec::new() }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FactValue {
    pub name: Name,
    pub args: Vec<Expr>,
    pub change: FactChange,
    pub layer: Layer,
    /// Whether a layer above prints another set there: it may have what is added here.
    pub is_printed_over: bool,
}

/// What a change does to a printed value.
#[derive(Clone, Debug)]
pub(crate) enum FactChange {
    /// Another value; several are a set.
    Put(Vec<Expr>),
    /// Members of a set, added and taken.
    Members(Vec<ast::FactLine>),
}

impl FactValue {
    /// The values that come in the place of the old one.
    pub fn put(&self) -> &[Expr] {
        match &self.change {
            FactChange::Put(values) => values,
            FactChange::Members(_) => &[],
        }
    }
}

/// `remove Ford - Mill`, to be looked up when things are known.
#[derive(Clone, Debug)]
pub(crate) struct RemovedLink {
    pub scope: Scope,
    pub link: ast::Link,
}

impl RemovedLink {
    /// Whether it takes a link out of a list, as far as names tell.
    pub fn takes(&self, list: usize, link: &ast::Link) -> bool {
        let ends = |link: &ast::Link| [link.from.text.clone(), link.to.text.clone()];
        let [from, to] = ends(link);
        let is_within = match self.scope {
            Scope::Everywhere => true,
            Scope::List(only) => only == list,
            Scope::Replaced(own) => own != list,
        };
        is_within && [[from.clone(), to.clone()], [to, from]].contains(&ends(&self.link))
    }
}

/// What a link is taken out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The grid and all lists.
    Everywhere,
    /// The list of that place.
    List(usize),
    /// What the list of that place says anew; its own line stays.
    Replaced(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct MergedTest {
    pub test: Arc<ast::Test>,
    pub layer: Layer,
    /// The layer in which it stood before changes put others in its place.
    pub declared: Layer,
}

impl MergedTest {
    /// What it shows, as amendments name it.
    pub fn name(&self) -> String {
        self.test.name.plain().unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct MergedScene {
    pub scene: Arc<ast::Scene>,
    pub layer: Layer,
}

impl Merged {
    /// The keys of what was put in the place of something else.
    pub(crate) fn put(&self) -> HashSet<&str> {
        let whole = self.ledger.iter().filter(|entry| entry.path.len() == 1);
        let put = whole.filter(|entry| matches!(entry.op, Op::Put | Op::Whole));
        put.map(|entry| entry.path[0].as_str()).collect()
    }
}

impl Merged {
    /// Takes all declarations of a project; gives back its amendments in order.
    pub fn collect<'p>(
        parsed: &'p Parsed,
        uses: Uses,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (Self, Vec<(Layer, &'p Amend)>) {
        let layers = parsed.layers.clone();
        let mut merged = Self { uses, layers, ..Self::default() };
        let mut amends = Vec::new();
        let mut tests = BTreeMap::new();
        for (layer, file) in &parsed.files {
            for item in &file.items {
                match &item.kind {
                    ItemKind::Declaration(declaration) => merged.declare(*layer, declaration, diagnostics),
                    ItemKind::Amend(amend) => amends.push((*layer, amend)),
                    ItemKind::Test(test) => {
                        let name = test.name.as_name();
                        if let Some(first) = tests.insert((*layer, name.text.clone()), name.span) {
                            diagnostics.push(test_twice(&name, first));
                        }
                        merged.tests.push(MergedTest { test: test.clone(), layer: *layer, declared: *layer });
                    }
                    ItemKind::Scene(scene) => merged.declare_scene(*layer, scene, diagnostics),
                }
            }
        }
        (merged, amends)
    }

    fn declare_scene(&mut self, layer: Layer, scene: &Arc<ast::Scene>, diagnostics: &mut Vec<Diagnostic>) {
        match self.scenes.iter().find(|old| old.scene.name.text == scene.name.text) {
            Some(old) => diagnostics.push(twice("scene", &scene.name, old.scene.name.span)),
            None => self.scenes.push(MergedScene { scene: scene.clone(), layer }),
        }
    }

    /// Leaves out the tests of library and game: they show the game as printed, and with variants only theirs are
    /// asked, unless one wants to see what is left of the game. Amendments have been applied: they may name any test.
    pub fn keep_tests_of_variants(&mut self) {
        self.tests.retain(|test| matches!(test.layer, Layer::Variant(_)));
    }

    /// Notes what a variant declares: another one changes that only if it knows of it.
    fn note_declared(&mut self, layer: Layer, declaration: &Declaration) {
        if !matches!(layer, Layer::Variant(_)) {
            return;
        }
        let column = |owner: Option<&Name>, decl: ColumnDecl| {
            let span = decl.name().span;
            (column_key(&MergedColumn { owner: owner.cloned(), decl, layer }), span)
        };
        let declared: Vec<(String, Span)> = match declaration {
            // One that stands below is completed.
            Declaration::Kind(kind) => {
                let is_new = self.kinds.find(&kind.name.text).is_none();
                let kept = is_new.then(|| (format!("kind {}", kind.name.text), kind.name.span));
                let members = kind.members.iter().filter_map(|member| match member {
                    Member::Fact(fact) => Some(column(Some(&kind.name), ColumnDecl::Fact(fact.clone()))),
                    Member::State(state) => Some(column(Some(&kind.name), ColumnDecl::State(state.clone()))),
                    Member::Seen(_) | Member::Back(_) => None,
                });
                kept.into_iter().chain(members).collect()
            }
            Declaration::Fact(fact) => vec![column(None, ColumnDecl::Fact(fact.clone()))],
            Declaration::State(state) => vec![column(None, ColumnDecl::State(state.clone()))],
            Declaration::Rule(rule) => vec![(rule_key(rule), rule.name.span)],
            Declaration::Step(step) => vec![(step_key(&step.name.text), step.name.span)],
            // They are lists, of which there may be several; what they list has names.
            Declaration::Table(_) | Declaration::Links(_) | Declaration::Omitted(_) => Vec::new(),
            whole_declarations!() => whole_key(declaration).into_iter().collect(),
        };
        for (key, span) in declared {
            self.ledger.push(Entry { path: vec![key], op: Op::Declare, layer, conditional: false, span });
        }
    }

    /// Adds a declaration; twice the same is an error.
    pub fn declare(&mut self, layer: Layer, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
        self.note_declared(layer, declaration);
        if let Declaration::Watch(watch) = declaration {
            let home = (layer, watch.name.span.source, watch.name.span.start);
            self.watch_homes.insert(watch.name.text.clone(), home);
        }
        if self.declare_whole(declaration, diagnostics) {
            return;
        }
        match declaration {
            Declaration::Kind(kind) => self.declare_kind(layer, kind, diagnostics),
            Declaration::Fact(fact) => {
                self.declare_column(layer, None, ColumnDecl::Fact(fact.clone()), diagnostics);
            }
            Declaration::State(state) => {
                self.declare_column(layer, None, ColumnDecl::State(state.clone()), diagnostics);
            }
            Declaration::Rule(rule) => self.declare_rule(layer, rule, diagnostics),
            Declaration::Step(step) => {
                if let Some(old) = self.steps.find(&step.name.text) {
                    diagnostics.push(twice("step", &step.name, old.step.name.span));
                    return;
                }
                same_labels(&step.laws, diagnostics);
                crate::merge::visit::read_choices(&step.body, &mut |choose| {
                    said_twice("option", choose.options.iter().map(|option| &option.name), diagnostics);
                    for option in &choose.options {
                        same_labels(&option.needs, diagnostics);
                        said_twice("variable", option.binders.iter().map(|binder| &binder.name), diagnostics);
                    }
                });
                self.steps.push(MergedStep {
                    step: step.clone(),
                    layer,
                    is_amended: false,
                    is_part: false,
                    edits: Vec::new(),
                });
            }
            Declaration::Table(table) => self.tables.push(table.clone()),
            Declaration::Links(links) => self.links.push(links.clone()),
            // Only citations are held against it.
            Declaration::Omitted(_) => {}
            whole_declarations!() => {}
        }
    }

    /// Puts the watches in the order in which they come up: that of the layers, and in one layer that of the pages and lines.
    /// One under a condition is declared when all plain ones are.
    pub fn order_watches(&mut self) {
        let homes = &self.watch_homes;
        self.watches.sort_by_key(|watch| homes.get(&watch.name.text).copied());
    }

    fn declare_kind(&mut self, layer: Layer, kind: &ast::Kind, diagnostics: &mut Vec<Diagnostic>) {
        let place = match self.kinds.place(&kind.name.text) {
            Some(place) => {
                let old = &mut self.kinds[place];
                // A game completes a kind of its library, and one module of the library another's.
                let modules = layer == Layer::Library && old.name.span.source != kind.name.span.source;
                if old.layer >= layer && !modules {
                    diagnostics.push(twice("kind", &kind.name, old.name.span));
                    return;
                }
                old.spans.push(kind.name.span);
                old.cites.extend(kind.cites.iter().cloned());
                old.plural = kind.plural.clone().or(old.plural.take());
                old.ends = kind.ends.clone().or(old.ends.take());
                place
            }
            None => {
                self.kinds.push(MergedKind {
                    name: kind.name.clone(),
                    plural: kind.plural.clone(),
                    ends: kind.ends.clone(),
                    things: NamedList::default(),
                    seen: None,
                    back: None,
                    layer,
                    spans: vec![kind.name.span],
                    cites: kind.cites.clone(),
                });
                self.kinds.len() - 1
            }
        };
        self.add_things(place, &kind.things, diagnostics);
        for member in &kind.members {
            self.add_member(layer, place, member, diagnostics);
        }
    }

    /// Adds things to a kind.
    pub fn add_things(&mut self, kind: usize, things: &[Name], diagnostics: &mut Vec<Diagnostic>) {
        for thing in things {
            if let Some(old) = self.kinds[kind].things.find(&thing.text) {
                diagnostics.push(twice(&self.kinds[kind].name.text, thing, old.span));
            } else {
                self.kinds[kind].things.push(thing.clone());
            }
        }
    }

    /// Adds a line to a kind's body.
    pub fn add_member(
        &mut self,
        layer: Layer,
        kind: usize,
        member: &Member,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let owner = self.kinds[kind].name.clone();
        match member {
            Member::Fact(fact) => {
                self.declare_column(layer, Some(owner), ColumnDecl::Fact(fact.clone()), diagnostics);
            }
            Member::State(state) => {
                self.declare_column(layer, Some(owner), ColumnDecl::State(state.clone()), diagnostics);
            }
            Member::Seen(_) | Member::Back(_) => {
                let Some((side, rule)) = faces::rule_of(&owner, member) else { return };
                same_labels(&rule.clauses, diagnostics);
                let of = &mut self.kinds[kind];
                let slot = if side == Side::Seen { &mut of.seen } else { &mut of.back };
                match slot {
                    None => *slot = Some(faces::declared(rule, layer)),
                    Some(old) if side == Side::Seen => {
                        diagnostics.push(exists("seen by", rule.span, old.rule.span));
                    }
                    Some(old) => {
                        faces::join(old, rule);
                        same_labels(&old.rule.clauses, diagnostics);
                    }
                }
            }
        }
    }

    fn declare_column(
        &mut self,
        layer: Layer,
        owner: Option<Name>,
        decl: ColumnDecl,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let new = MergedColumn { owner, decl, layer };
        let mut named = self.columns.named(&new.decl.name().text).iter().map(|&place| &self.columns[place]);
        if let Some(old) = named.find(|old| first_key(old) == first_key(&new)) {
            diagnostics.push(twice("fact or state", new.decl.name(), old.decl.name().span));
            return;
        }
        self.columns.push(new);
    }

    fn declare_rule(&mut self, layer: Layer, rule: &Arc<ast::Rule>, diagnostics: &mut Vec<Diagnostic>) {
        same_labels(&rule.clauses, diagnostics);
        if let Some(place) = self.rules.same(rule) {
            let old = &mut self.rules[place];
            let promise = is_promise(&old.rule);
            if promise && old.layer < layer && !is_promise(rule) {
                let promised = old.rule.name.span;
                self.unseen.heading(&old.rule.params, Some(&old.rule.ty));
                let mut kept = ast::Rule::clone(rule);
                // Clauses that the library hangs on its own promise stay.
                kept.clauses.splice(0..0, old.rule.clauses.iter().cloned());
                *old = MergedRule {
                    rule: kept.into(),
                    layer,
                    promised: Some(promised),
                    is_amended: true,
                    edits: Vec::new(),
                };
            } else {
                let span = old.rule.name.span;
                diagnostics.push(twice("rule", &rule.name, span));
            }
            return;
        }
        self.rules.push(MergedRule {
            rule: rule.clone(),
            layer,
            promised: None,
            is_amended: false,
            edits: Vec::new(),
        });
    }
}

/// What a printed fact is called that a change has made a state.
pub(crate) fn printed_name(fact: &str) -> String {
    format!("{fact} (printed)")
}

/// The kind that a column is first asked of, as written.
pub(crate) fn first_key(column: &MergedColumn) -> Option<String> {
    if let Some(owner) = &column.owner {
        return Some(owner.text.clone());
    }
    match &column.decl {
        ColumnDecl::Fact(fact) => fact.keys.first().map(|key| key.text.clone()),
        ColumnDecl::State(state) => state.keys.first().map(|key| key.text.clone()),
    }
}

/// Two clauses of one label could not be told apart by an amendment.
fn same_labels(clauses: &[ast::Clause], diagnostics: &mut Vec<Diagnostic>) {
    said_twice("label", clauses.iter().filter_map(|clause| clause.label.as_ref()), diagnostics);
}

/// Complains of every name that stood before.
fn said_twice<'n>(what: &str, names: impl Iterator<Item = &'n Name>, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for name in names {
        match seen.entry(&name.text) {
            hash_map::Entry::Occupied(first) => diagnostics.push(twice(what, name, *first.get())),
            hash_map::Entry::Vacant(place) => {
                place.insert(name.span);
            }
        }
    }
}

/// A rule without base, rows and needs is a promise of the library.
pub(crate) fn is_promise(rule: &ast::Rule) -> bool {
    rule.base.is_none()
        && rule.rows.is_empty()
        && !rule.clauses.iter().any(|clause| matches!(clause.kind, ast::ClauseKind::Need { .. }))
        && !matches!(&rule.ty.kind, ast::TypeKind::Named(name) if name.text == "permission")
}

/// Rules are one if name and first parameter's type agree.
pub(crate) fn same_rule(a: &ast::Rule, b: &ast::Rule) -> bool {
    let first = |rule: &ast::Rule| rule.params.first().map(|param| type_text(&param.ty));
    a.name.text == b.name.text && first(a) == first(b)
}

/// What tells a rule from others, of one name as well.
pub(crate) fn rule_key(rule: &ast::Rule) -> String {
    let of = rule.params.first().map(|param| type_text(&param.ty)).unwrap_or_default();
    format!("rule {}({of})", rule.name.text)
}

/// What tells a step from others.
pub(crate) fn step_key(name: &str) -> String {
    format!("step {name}")
}

/// What tells a fact or state from others, of one name as well.
pub(crate) fn column_key(column: &MergedColumn) -> String {
    column_path(&column.decl.name().text, &first_key(column).unwrap_or_default())
}

/// What the ledger calls a fact or state of a kind.
pub(crate) fn column_path(name: &str, kind: &str) -> String {
    format!("column {name}({kind})")
}

pub(crate) fn type_text(ty: &ast::Type) -> String {
    match &ty.kind {
        ast::TypeKind::Named(name) => name.text.clone(),
        ast::TypeKind::SetOf(name) => format!("set of {}", name.text),
        ast::TypeKind::Range(..) => "number".to_owned(),
    }
}

pub(crate) fn twice(what: &str, name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error("names::twice", name.span, format!("the {what} `{}` is declared twice", name.text))
        .label("again here")
        .related(first, "first here")
        .help("give one of them another name, or change the first with `in …` or `replace …`")
}

/// Two tests of one layer that show the same: amendments and reports name a test by what it shows.
pub(crate) fn test_twice(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error("names::twice", name.span, format!("two tests show \"{}\"", name.text))
        .label("again here")
        .related(first, "first here")
        .help("say what this one shows beyond the other")
}

pub(crate) fn exists(what: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("amend::exists", span, format!("`{what}` exists already"))
        .related(first, "it stands here")
        .help("write `replace` before it to put it in the other's place")
}
