//! The checker's tables and what is asked of them: kinds, things, functions, variables, near misses.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use blazon_book::build::NUMBER;
use blazon_book::graph::Numbers;
use blazon_book::{Base, Column, ColumnId, Kind, KindId, RuleId, Ruling, StepId, Type};
use blazon_diagnostics::{Article, Diagnostic, Fix, Span};
use blazon_syntax::ast;

use crate::analysis::late_laws::Inherited;
use crate::infer::options::can::Beside;
use crate::infer::options::made::{Asked, MadePermission};
use crate::infer::options::offers::{Offer, offers};
use crate::infer::positions::scenes::Reading;
use crate::infer::steps::wins::sure_wins;
use crate::merge::visit::{self, Writes, kind_in_brackets};
use crate::merge::{Merged, Sort};
use crate::model::Known;
use crate::project::Parsed;
use crate::references::DefinitionKind;
use crate::references::Uses;
use crate::resolve::binders::Bound;
use crate::resolve::env::Env;
use crate::resolve::uses::option_names;

/// What a name can stand for, beside a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Function {
    Column(ColumnId),
    Rule(RuleId),
    Step(StepId),
    Plural(KindId),
    Links(KindId),
    Neighbours(KindId),
    Between(KindId),
    Ends(KindId),
    Ruling(usize),
}

/// The heading of a rule or step.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub name: String,
    pub params: Vec<(String, Type)>,
    pub ty: Option<Type>,
    pub span: Span,
}

/// A grid laid out.
#[derive(Clone, Debug)]
pub(crate) struct Laid {
    /// The kind of its links.
    pub links: KindId,
    /// The kind of its things.
    pub things: KindId,
    /// Whether a thing lies on it, by thing.
    pub on: Vec<bool>,
    /// The thing of a printed number.
    pub numbered: HashMap<i64, u32>,
    /// The links that amendments take out of it: kind and ends.
    pub left_out: Vec<(KindId, u32, u32)>,
    pub stagger: ast::Stagger,
    /// The fact that holds the printed number.
    pub fact: String,
    pub span: Span,
}

/// How often the text asks for each function, or does it. What is set only is not asked for.
#[derive(Default)]
pub(crate) struct Used(BTreeMap<Function, usize>);

impl Used {
    pub fn note(&mut self, function: Function) {
        *self.0.entry(function).or_default() += 1;
    }

    /// A state was noted that is not asked for, but set.
    pub fn take_back(&mut self, function: Function) {
        if let Some(times) = self.0.get_mut(&function) {
            *times = times.saturating_sub(1);
        }
    }

    pub fn contains(&self, function: Function) -> bool {
        self.0.get(&function).is_some_and(|times| *times > 0)
    }
}

pub(crate) struct Checker<'p> {
    pub parsed: &'p Parsed,
    pub merged: &'p Merged,
    pub diagnostics: Vec<Diagnostic>,
    /// What is said besides if there is no error.
    pub if_right: Vec<Diagnostic>,
    pub kinds: Vec<Kind>,
    pub kind_names: BTreeMap<String, KindId>,
    pub things: HashMap<String, Vec<(KindId, u32)>>,
    pub links: HashMap<(KindId, u32, u32), u32>,
    /// The links that no grid makes, since an amendment takes them out.
    pub without: HashSet<(KindId, u32, u32)>,
    pub grids: Vec<Laid>,
    pub columns: Vec<Column>,
    pub rules: Vec<Signature>,
    pub steps: Vec<Signature>,
    pub functions: HashMap<String, Vec<Function>>,
    pub rulings: Vec<Ruling>,
    /// Where every reading is proved at once, rulings stand open: each is a printed value that nobody has filled in, a
    /// column from this one on. Otherwise each is the value that is chosen.
    pub open_rulings: Option<ColumnId>,
    /// How often a ruling was read so far.
    pub rulings_read: usize,
    /// What tests expect that holds whatever the rules are, by where it stands.
    pub certain: HashSet<Span>,
    /// The kind of a ruling whose values are things.
    pub ruling_kinds: Vec<Option<KindId>>,
    /// What the text asks for and does.
    pub used: Used,
    /// How often the text has named each variable, by where it comes up, and those that `let` has named.
    pub named: BTreeMap<Span, usize>,
    pub lets: BTreeMap<Span, String>,
    /// The states that are set anywhere, if only by a ruling that is not chosen.
    pub set: BTreeSet<ColumnId>,
    /// The states that each step sets, itself or through others, by name; by the name of the step.
    pub writes: Writes,
    /// The steps that end the game whatever happens.
    pub sure_wins: BTreeSet<usize>,
    pub player: KindId,
    pub players: Vec<u32>,
    /// The options of all steps: name and number of parameters.
    pub options: BTreeSet<(String, usize)>,
    /// The kinds of their parameters, once they are checked: a number has none.
    pub option_kinds: BTreeMap<(String, usize), BTreeSet<Vec<Option<KindId>>>>,
    /// The laws that an option inherits, by where they are written.
    pub laws_met: BTreeSet<Span>,
    /// The laws that options inherit, by the statement that does their step.
    pub laws_at: BTreeMap<Span, Inherited>,
    /// How many options were asked of each law, by its place.
    pub laws_asked: BTreeMap<Span, usize>,
    /// What a reader of a law should know, and of how many options that is so.
    pub laws_warned: Vec<(Span, Diagnostic, usize)>,
    /// Steps and rules that the checker makes (setups, tests), beyond those of the merged tree.
    pub made_steps: Vec<blazon_book::Step>,
    pub made_rules: Vec<blazon_book::Rule>,
    /// All options, and what was made of those that permissions ask for, by their places there: nothing while it is made.
    pub offers: Vec<Offer<'p>>,
    pub permissions: BTreeMap<Asked, Option<MadePermission>>,
    /// The block of the option whose laws are looked at.
    pub own_text: Option<Span>,
    /// Of options that are asked from elsewhere, by their places, what always holds or never does there, too.
    pub settled_elsewhere: BTreeMap<usize, HashSet<Span>>,
    /// Options that were asked where they cannot be, and what is wrong there, unless it is wrong where they stand, too.
    pub wrong_elsewhere: Vec<(ast::Name, Diagnostic)>,
    /// The step of which something is checked, by its place in the merged tree.
    pub around: Option<usize>,
    /// What is known around the choice of which an option is checked, up to what is done.
    pub beside: Option<Beside>,
    /// How each choice is counted, by where its options lie in the merged tree.
    pub choices: HashMap<usize, usize>,
    /// The paragraphs of the outline.
    pub paragraphs: HashSet<&'p str>,
    /// The places of the first so many messages.
    pub said_at: (usize, HashSet<Span>),
    /// The scenes that were read so far, by name.
    pub read_scenes: BTreeMap<String, Reading>,
    /// Which columns the tables of a kind have, blank or not.
    pub headings: BTreeSet<(KindId, String)>,
    /// How many lines of scenes have been taken up.
    pub taken_up: usize,
    /// What names mean, if that is asked for.
    pub uses: Uses,
    /// What else a page can name, likewise.
    pub known: Known,
    /// The places of the options of each name, likewise.
    pub option_names: BTreeMap<String, Vec<Span>>,
    /// Where variables are bound, once that is asked.
    pub bound: OnceCell<Bound>,
    /// Where the first hole is, if there is one.
    pub first_hole: Option<Span>,
    /// Whether a rule, a step or the start of the game is not there as a whole: then what can only be seen of the whole
    /// book is not looked for.
    pub is_partial: bool,
    /// How many things rows make that say how many of them there are.
    pub copied: u32,
}

impl<'p> Checker<'p> {
    /// Nothing is declared yet. What names mean is noted if that is `wanted`.
    pub fn new(parsed: &'p Parsed, merged: &'p Merged, diagnostics: Vec<Diagnostic>, wanted: bool) -> Self {
        let offers = offers(merged);
        Self {
            parsed,
            merged,
            diagnostics,
            if_right: Vec::new(),
            kinds: Vec::new(),
            kind_names: BTreeMap::new(),
            things: HashMap::new(),
            links: HashMap::new(),
            without: HashSet::new(),
            grids: Vec::new(),
            columns: Vec::new(),
            rules: Vec::new(),
            steps: Vec::new(),
            functions: HashMap::new(),
            rulings: Vec::new(),
            open_rulings: None,
            rulings_read: 0,
            certain: HashSet::default(),
            ruling_kinds: Vec::new(),
            used: Used::default(),
            named: BTreeMap::new(),
            lets: BTreeMap::new(),
            set: BTreeSet::new(),
            writes: visit::writes(merged),
            sure_wins: sure_wins(merged),
            options: visit::options(merged),
            option_kinds: BTreeMap::new(),
            laws_met: BTreeSet::new(),
            laws_at: BTreeMap::new(),
            laws_asked: BTreeMap::new(),
            laws_warned: Vec::new(),
            player: KindId(0),
            players: Vec::new(),
            paragraphs: parsed.outline.iter().map(|(number, _)| number.as_str()).collect(),
            said_at: (0, HashSet::new()),
            made_steps: Vec::new(),
            made_rules: Vec::new(),
            choices: offers.iter().map(|offer| (offer.choice_at(), offer.choice)).collect(),
            offers,
            permissions: BTreeMap::new(),
            around: None,
            beside: None,
            own_text: None,
            settled_elsewhere: BTreeMap::new(),
            wrong_elsewhere: Vec::new(),
            read_scenes: BTreeMap::new(),
            headings: BTreeSet::new(),
            taken_up: 0,
            uses: Uses::wanted(wanted),
            known: Known::default(),
            option_names: if wanted { option_names(merged) } else { BTreeMap::new() },
            bound: OnceCell::new(),
            first_hole: None,
            is_partial: false,
            copied: 0,
        }
    }
}

impl Checker<'_> {
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    /// Whether something was said of a place.
    pub fn is_said_at(&mut self, place: Span) -> bool {
        let (count, places) = &mut self.said_at;
        // What was said of a trial may be gone again.
        if *count > self.diagnostics.len() {
            (*count, *places) = Default::default();
        }
        places.extend(self.diagnostics[*count..].iter().filter_map(|diagnostic| diagnostic.span));
        *count = self.diagnostics.len();
        places.contains(&place)
    }

    pub fn kind_id(&mut self, name: &ast::Name) -> Option<KindId> {
        if let Some(id) = self.kind_names.get(&name.text).copied() {
            self.uses.note(name.span, DefinitionKind::Kind, self.kinds[id.0 as usize].span);
            return Some(id);
        }
        let near = self
            .merged
            .guesses
            .near_miss(&name.text, self.kind_names.keys().map(String::as_str))
            .map(str::to_owned);
        let mut diagnostic =
            Diagnostic::error("names::unknown", name.span, format!("there is no kind `{}`", name.text))
                .label("not known");
        diagnostic = match near {
            Some(near) => {
                let declared = self.declared_once(&near);
                diagnostic.did_you_mean(near).declared(declared)
            }
            None => diagnostic.help("a kind is declared by `kind name = Thing, Thing` or `kind name { … }`"),
        };
        self.say_unknown(&name.text, diagnostic);
        None
    }

    pub fn ty(&mut self, ty: &ast::Type) -> Option<Type> {
        let base = match &ty.kind {
            ast::TypeKind::Range(lo, hi) => {
                if lo > hi {
                    self.diagnostics.push(
                        Diagnostic::error(
                            "types::mismatch",
                            ty.span,
                            format!("no number lies in {lo}..{hi}"),
                        )
                        .help("write the smaller number first"),
                    );
                    return None;
                }
                Base::Number(*lo, *hi)
            }
            ast::TypeKind::SetOf(name) => Base::Set(self.kind_id(name)?),
            ast::TypeKind::Named(name) => match name.text.as_str() {
                "flag" => Base::Flag,
                "number" => Base::Number(NUMBER.0, NUMBER.1),
                "text" => Base::Text,
                "point" => Base::Point,
                "dice" => Base::Dice,
                "die" => Base::Die,
                "permission" => Base::Permission,
                _ if !self.kind_names.contains_key(&name.text) => {
                    self.unknown_type(name);
                    return None;
                }
                _ => Base::Thing(self.kind_id(name)?),
            },
        };
        if ty.optional && !matches!(base, Base::Thing(_) | Base::Number(..) | Base::Die) {
            self.diagnostics.push(
                Diagnostic::error(
                    "types::mismatch",
                    ty.span,
                    "only a thing, a number or a die can be absent",
                )
                .help("take the `?` away: a flag is `no`, a set is empty"),
            );
            return None;
        }
        Some(Type { base, optional: ty.optional })
    }

    /// A type as a sentence names it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others are called as they are written")]
    pub fn show(&self, ty: Type) -> String {
        let written = ty.words(&self.kinds);
        match ty.base {
            Base::Number(lo, hi) if (lo, hi) == NUMBER => written,
            Base::Number(lo, hi) if lo == hi => format!("number {lo}{}", if ty.optional { "?" } else { "" }),
            Base::Number(..) => format!("number {written}"),
            Base::Unknown => format!("thing {written}"),
            _ => written,
        }
    }

    /// The same with its article.
    pub fn show_one(&self, ty: Type) -> String {
        if ty.base == Base::Dice {
            return self.show(ty); // They are several.
        }
        Article(&self.show(ty)).to_string()
    }

    /// Forgets what a step may change.
    pub fn forget_step(&self, env: &mut Env, step: StepId) {
        let name = &self.steps[step.0 as usize].name;
        if !env.knows_any() {
            return;
        }
        let Some(writes) = self.writes.of(name) else { return env.forget_states() };
        self.forget_all(env, writes);
    }

    /// Forgets what watches may change that are looked at where a choice comes up: only in steps that set something.
    pub fn forget_watched(&self, env: &mut Env) {
        if self.around.is_none_or(|place| self.writes.sets(place)) {
            self.forget_all(env, self.writes.of_watches());
        }
    }

    /// Forgets what depends on states that may have changed.
    pub fn forget_all(&self, env: &mut Env, writes: &Numbers) {
        if writes.is_empty() || !env.knows_any() {
            return;
        }
        env.forget(|column| self.is_written_in(writes, column));
    }

    /// Whether a state is among some that are set.
    pub fn is_written_in(&self, writes: &Numbers, column: ColumnId) -> bool {
        let number = self.writes.number(&self.columns[column.0 as usize].name);
        number.is_some_and(|number| writes.contains(number))
    }

    pub fn arity(&self, function: Function) -> usize {
        match function {
            Function::Column(id) => self.columns[id.0 as usize].keys.len(),
            Function::Rule(id) => self.rules[id.0 as usize].params.len(),
            Function::Step(id) => self.steps[id.0 as usize].params.len(),
            Function::Plural(_) | Function::Ruling(_) => 0,
            Function::Links(_) | Function::Neighbours(_) | Function::Ends(_) => 1,
            Function::Between(_) => 2,
        }
    }

    pub fn param(&self, function: Function, place: usize) -> Type {
        match function {
            Function::Column(id) => Type::of(Base::Thing(self.columns[id.0 as usize].keys[place])),
            Function::Rule(id) => self.rules[id.0 as usize].params[place].1,
            Function::Step(id) => self.steps[id.0 as usize].params[place].1,
            Function::Links(kind) | Function::Neighbours(kind) | Function::Between(kind) => {
                let ends = self.kinds[kind.0 as usize].ends.map_or(kind, |ends| ends.0);
                Type::of(Base::Thing(ends))
            }
            Function::Ends(kind) => Type::of(Base::Thing(kind)),
            Function::Plural(_) | Function::Ruling(_) => Type::of(Base::Nothing),
        }
    }

    /// A thing by its name: of the kind hinted at, else of the only kind that has it. `Ford (piece)` names the kind.
    pub fn thing(&mut self, name: &str, hint: Option<KindId>, span: Span) -> Option<(KindId, u32)> {
        let (kind, thing) = self.find_thing(name, hint, span)?;
        self.use_thing(span, kind, thing);
        Some((kind, thing))
    }

    fn find_thing(&mut self, name: &str, hint: Option<KindId>, span: Span) -> Option<(KindId, u32)> {
        if let Some((kind, thing)) = hint.and_then(|kind| Some((kind, self.thing_of(name, kind)?))) {
            return Some((kind, thing));
        }
        if let Some(found) = self.things.get(name).filter(|_| hint.is_none()) {
            if let [thing] = found[..] {
                return Some(thing);
            } else {
                let kinds: Vec<String> =
                    found.iter().map(|(kind, _)| self.kinds[kind.0 as usize].name.clone()).collect();
                let written = ast::print::thing(name);
                self.diagnostics.push(
                    Diagnostic::error(
                        "names::ambiguous",
                        span,
                        format!("`{name}` can be {}", blazon_diagnostics::list(&kinds, "or")),
                    )
                    .help(format!("say which: `{written} ({})`", kinds[0]))
                    .with_fixes(kinds.iter().map(|kind| {
                        let end = Span { start: span.end, ..span };
                        Fix::replace(format!("write `{written} ({kind})`"), end, format!(" ({kind})"))
                    })),
                );
                return None;
            }
        }
        // `Ford (piece)`: a kind in brackets.
        if let Some((bare, kind)) = kind_in_brackets(name)
            && let Some(kind) = self.kind_names.get(kind).copied()
            && let Some(thing) = self.things.get(bare).and_then(|f| f.iter().find(|(k, _)| *k == kind))
        {
            return Some(*thing);
        }
        let wanted = hint.map(|kind| self.kinds[kind.0 as usize].name.clone());
        let guesses = &self.merged.guesses;
        let near = match hint {
            Some(kind) => guesses
                .near_miss(name, self.kinds[kind.0 as usize].things.iter().map(|thing| thing.name.as_str())),
            None if guesses.are_over() => None,
            None => {
                let mut names: Vec<&str> = self.things.keys().map(String::as_str).collect();
                names.sort_unstable();
                guesses.near_miss(name, names)
            }
        }
        .map(str::to_owned);
        let what = wanted.as_deref().unwrap_or("thing");
        let mut diagnostic =
            Diagnostic::error("names::unknown", span, format!("there is no {what} `{name}`"))
                .label("not known");
        let removed =
            self.merged.removed_things.iter().find(|(kind, thing)| {
                thing.text == name && wanted.as_ref().is_none_or(|wanted| wanted == kind)
            });
        if let Some((_, thing)) = removed {
            diagnostic = diagnostic
                .related(thing.span, "it is taken out here")
                .help("take it out where it is used, too");
        } else if let Some(called) = self.called_on_grid(name, hint) {
            let label = format!("the number is printed, but what lies there is called `{called}`");
            diagnostic = diagnostic.label(label).did_you_mean(called);
        } else if let Some(small) = self.small_name(None, name) {
            diagnostic = diagnostic.did_you_mean(small);
        } else if let Some(near) = near {
            let declared = self.declared_once(&near);
            diagnostic = diagnostic.did_you_mean(near).declared(declared);
        } else if let Some(other) = self.things.get(name).and_then(|found| found.first()) {
            let kind = &self.kinds[other.0.0 as usize].name;
            diagnostic = diagnostic.help(format!("`{name}` is {}, not {}", Article(kind), Article(what)));
        } else {
            diagnostic = diagnostic.help("things are listed by `kind name = …` or by the rows of a `table`");
        }
        self.diagnostics.push(diagnostic);
        None
    }

    /// What a grid calls the thing of a printed number.
    pub(crate) fn called_on_grid(&self, number: &str, hint: Option<KindId>) -> Option<String> {
        let number: i64 = number.parse().ok()?;
        let grid = self.grids.iter().find(|grid| hint.is_none_or(|kind| kind == grid.things))?;
        let thing = *grid.numbered.get(&number)?;
        Some(self.kinds[grid.things.0 as usize].things[thing as usize].name.clone())
    }

    /// A link between two things named.
    pub fn link_named(
        &mut self,
        from: &str,
        to: &str,
        hint: Option<KindId>,
        span: Span,
    ) -> Option<(KindId, u32)> {
        // `Mill - Ford (rail)`: a kind in brackets.
        let bracketed = kind_in_brackets(to).and_then(|(bare, kind)| {
            let kind = self.kind_names.get(kind).copied()?;
            self.kinds[kind.0 as usize].ends.map(|_| (bare, kind))
        });
        let (to, hint) = bracketed.map_or((to, hint), |(bare, kind)| (bare, Some(kind)));
        let link_kinds: Vec<KindId> = (0..self.kinds.len() as u32)
            .map(KindId)
            .filter(|kind| {
                self.kinds[kind.0 as usize].ends.is_some() && hint.is_none_or(|hint| hint == *kind)
            })
            .collect();
        let found: Vec<(KindId, u32)> =
            link_kinds.iter().filter_map(|&kind| Some((kind, self.link_between(from, to, kind)?))).collect();
        let name = |kind: KindId| self.kinds[kind.0 as usize].name.clone();
        match found[..] {
            [] => {}
            [(kind, link)] => {
                self.use_thing(span, kind, link);
                return Some((kind, link));
            }
            _ => {
                let kinds: Vec<String> = found.iter().map(|(kind, _)| name(*kind)).collect();
                let message = format!("`{from} - {to}` can be {}", blazon_diagnostics::list(&kinds, "or"));
                // The kind stands behind the second name: within the brackets, if it is bracketed.
                let is_bracketed = self.parsed.sources.slice(span).starts_with('(');
                let at = span.end - u32::from(is_bracketed);
                let end = Span { start: at, end: at, ..span };
                let said = Diagnostic::error("names::ambiguous", span, message);
                let said = said.help(format!("say which: `{from} - {to} ({})`", kinds[0]));
                self.diagnostics.push(said.with_fixes(kinds.iter().map(|kind| {
                    Fix::replace(format!("write `{from} - {to} ({kind})`"), end, format!(" ({kind})"))
                })));
                return None;
            }
        }
        let of = link_kinds.first().map_or_else(|| "road".to_owned(), |&kind| name(kind));
        let diagnostic =
            Diagnostic::error("names::unknown", span, format!("nothing joins `{from}` and `{to}`"))
                .help(format!("links are listed by `links {of}`"));
        let either = [format!("{from} - {to}"), format!("{to} - {from}")];
        let removed = self.merged.removed.iter().find(|r| r.what == Sort::Link && either.contains(&r.name));
        let name = removed.map(|removed| removed.name.clone()).unwrap_or_default();
        self.say_unknown(&name, diagnostic);
        None
    }

    /// A thing of a kind, silently. A link is named by its ends, whichever stands first.
    pub fn thing_of(&self, name: &str, kind: KindId) -> Option<u32> {
        let of_kind = |found: &Vec<(KindId, u32)>| found.iter().find(|(other, _)| *other == kind).copied();
        let named = self.things.get(name).and_then(of_kind).map(|(_, thing)| thing);
        let link = || {
            let (from, to) = name.split_once(" - ")?;
            self.link_between(from.trim(), to.trim(), kind)
        };
        named.or_else(link)
    }

    /// The link of a kind that joins two things, silently.
    fn link_between(&self, from: &str, to: &str, kind: KindId) -> Option<u32> {
        // Rules without any kind have none of players, either.
        let (end, _) = self.kinds.get(kind.0 as usize)?.ends?;
        let (a, b) = (self.thing_of(from, end)?, self.thing_of(to, end)?);
        self.links.get(&(kind, a.min(b), a.max(b))).copied()
    }

    /// What can be asked of a thing of a kind.
    pub fn askable(&self, kind: KindId) -> Vec<String> {
        self.names_of(kind, |_| true)
    }

    /// The same without what gives no value: steps that answer nothing.
    pub fn answering(&self, kind: KindId) -> Vec<String> {
        self.names_of(kind, |function| match function {
            Function::Step(step) => self.steps[step.0 as usize].ty.is_some(),
            Function::Column(_)
            | Function::Rule(_)
            | Function::Plural(_)
            | Function::Links(_)
            | Function::Neighbours(_)
            | Function::Between(_)
            | Function::Ends(_)
            | Function::Ruling(_) => true,
        })
    }

    fn names_of(&self, kind: KindId, is_meant: impl Fn(Function) -> bool) -> Vec<String> {
        let mut names: Vec<String> = self
            .functions
            .iter()
            .filter(|(_, all)| {
                all.iter().any(|f| {
                    self.arity(*f) > 0
                        && is_meant(*f)
                        && matches!(self.param(*f, 0).base, Base::Thing(k) | Base::Set(k) if k == kind)
                })
            })
            .map(|(name, _)| name.clone())
            .collect();
        names.sort();
        names
    }
}
