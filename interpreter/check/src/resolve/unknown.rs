//! What is said of a name that nothing bears: what was meant, where the name is known, what is known at its place.

use blazon_book::meant::RESULT;
use blazon_book::{Base, Expr, KindId};
use blazon_diagnostics::{Article, Diagnostic, Fix, Span, did_you_mean, list};
use blazon_syntax::ast;
use blazon_syntax::{QUANTIFIERS, Slip, slips_in_name};

use crate::hygiene::{may_be_meant, plain};
use crate::project::Layer;
use crate::resolve::binders::{bound, of_step};
use crate::resolve::checker::{Checker, Function};
use crate::resolve::env::Env;
use crate::resolve::grids::COORDINATES;

/// How many variables are listed as known.
const LISTED: usize = 8;

/// A name that is bound in more steps than these stands for something different in each.
const OWNERS: usize = 2;

/// What the language itself can be asked, and the values that are words.
const BUILT_IN: [&str; 11] =
    ["players", "winner", "min", "max", "odd", "roll", "roll again", "draw", "yes", "no", "none"];

/// The types that are no kinds.
pub(crate) const TYPES: [&str; 7] = ["flag", "number", "text", "point", "die", "dice", "permission"];

/// What stands alone on a line, beside steps.
const STATEMENTS: [&str; 3] = ["stop", "return", "win"];

/// What other languages call the values of a flag.
const FOREIGN: [(&str, &str); 2] = [("true", "yes"), ("false", "no")];

/// `terrain is Peak`, read as one name.
struct Compared(Span, String);

impl Compared {
    fn mend(self, diagnostic: Diagnostic) -> Diagnostic {
        let Self(span, meant) = self;
        let help = format!("to compare write `=`: `{meant}`");
        diagnostic.help(help).fix(Fix::replace(format!("write `{meant}`"), span, meant))
    }
}

/// Whether a name is a comparison by `is` of what is known.
fn compared(name: &ast::Name, is_known: impl Fn(&str) -> bool) -> Option<Compared> {
    let (left, right) = name.text.split_once(" is ")?;
    is_known(left).then(|| Compared(name.span, format!("{left} = {right}")))
}

/// What other languages call types, and what they are called here.
const ELSEWHERE: [(&str, &str); 10] = [
    ("bool", "flag"),
    ("boolean", "flag"),
    ("int", "number"),
    ("integer", "number"),
    ("float", "number"),
    ("num", "number"),
    ("str", "text"),
    ("string", "text"),
    ("coordinate", "point"),
    ("position", "point"),
];

/// What chance gives, and how it is asked for.
const CHANCE: [(&str, &str); 3] = [
    ("roll", "let die = roll(d6)"),
    ("roll again", "let dice = roll again(d6, first d in dice)"),
    ("draw", "let cards = draw(s.deck, 2)"),
];

impl Checker<'_> {
    /// Complains of a name that nothing bears.
    pub fn unknown(&mut self, env: &Env, name: &ast::Name) {
        let text = &name.text;
        if let Some(gone) = self.merged.gone.get(&name.span) {
            self.diagnostics.push(gone.told(name));
            return;
        }
        let diagnostic =
            Diagnostic::error("names::unknown", name.span, format!("nothing is called `{text}`"))
                .label("not known");
        let diagnostic = match self.merged.guesses.are_over() {
            true => diagnostic,
            false => self.led(env, name, diagnostic),
        };
        self.say_unknown(text, diagnostic);
    }

    /// Adds what leads from an unknown name to the mend.
    fn led(&self, env: &Env, name: &ast::Name, diagnostic: Diagnostic) -> Diagnostic {
        let text = &name.text;
        if let Some((span, home)) = self.bound_elsewhere(env, name) {
            return diagnostic.label("not known here").related(span, home.to_string()).help(home.mend(text));
        }
        if text == RESULT {
            return diagnostic
                .help("`result` is what a step has returned; it is known in `after …` of a step that returns something");
        }
        if matches!(text.as_str(), "min" | "max") {
            return diagnostic.help(format!(
                "`{text}(a, b)` takes two numbers: of three write `{text}(a, {text}(b, c))`, of all in a set `({text} x in S by x.n)`"
            ));
        }
        if let Some((_, meant)) = FOREIGN.iter().find(|(foreign, _)| foreign == text) {
            return diagnostic.did_you_mean(meant);
        }
        if let Some(compared) = compared(name, |part| self.is_known(env, part)) {
            return compared.mend(diagnostic);
        }
        let meant = env.names.iter().filter(|(known, _)| may_be_meant(known, name.span));
        let mut known: Vec<&str> = meant.map(|(known, _)| plain(known)).collect();
        known.extend(self.functions.keys().map(String::as_str));
        known.sort_unstable();
        known.extend(BUILT_IN);
        if let Some(words) = rounding_at_end(text, |part| self.is_known(env, part)) {
            return diagnostic.help(no_rounding(words));
        }
        let is_known = |part: &str| self.is_known(env, part) && !self.things.contains_key(part);
        let split = text.match_indices(' ').find(|(i, _)| {
            let (left, right) = (&text[..*i], &text[i + 1..]);
            is_known(left) && (is_known(right) || self.things.contains_key(right))
        });
        if let Some((i, _)) = split {
            let (left, right) = (&text[..i], &text[i + 1..]);
            return diagnostic
                .help(format!("is a dot or a comma missing, as in `{left}.{right}`?"))
                .fix(Fix::replace(format!("write `{left}.{right}`"), name.span, format!("{left}.{right}")));
        }
        if let Some(mended) = self.keyword_between(env, name, &diagnostic, &is_known) {
            return mended;
        }
        // `first al p in …` binds a variable `al p`.
        let bound = env.names.iter().rev().find_map(|(bound, local)| {
            let slip = slips_in_name(plain(bound))
                .into_iter()
                .find(|slip| slip.before.is_empty() && slip.after == text);
            slip.map(|slip| (slip, env.spans[local.0 as usize]))
        });
        if let Some((slip, span)) = bound {
            let misspelt = Diagnostic { span: Some(span), ..diagnostic.clone() };
            return self
                .mean_keyword(misspelt, span, &slip)
                .related(name.span, format!("so `{text}` is not known here"));
        }
        // A thing is meant only where nothing but its capital is missing.
        let things = self.things.keys().map(String::as_str).filter(|thing| thing.to_lowercase() == *text);
        let mut things: Vec<&str> = things.collect();
        things.sort_unstable();
        if let Some(near) = self.merged.guesses.near_miss(text, known.iter().copied().chain(things)) {
            let meant = match env.names.iter().rfind(|(name, _)| plain(name) == near) {
                Some((_, local)) => Some(env.spans[local.0 as usize]),
                None => self.declared_once(near),
            };
            return diagnostic.did_you_mean(near).declared(meant);
        }
        match slips_in_name(text).into_iter().find(|slip| slip.word.len() > 2 && slip.before.is_empty()) {
            Some(slip) => self.mean_keyword(diagnostic, name.span, &slip),
            None => diagnostic.help(self.known_here(env, name.span)),
        }
    }

    /// Where a name is declared, if one thing only bears it and it is written there.
    pub(crate) fn declared_once(&self, name: &str) -> Option<Span> {
        let functions = self.functions.get(name).into_iter().flatten();
        let functions = functions.map(|function| self.declaration(*function).1);
        let kinds = self.kind_names.get(name).map(|kind| self.kinds[kind.0 as usize].span);
        let things = self.things.get(name).into_iter().flatten();
        let things = things.map(|(kind, thing)| self.kinds[kind.0 as usize].things[*thing as usize].span);
        let mut declared = functions.chain(kinds).chain(things);
        let (Some(span), None) = (declared.next(), declared.next()) else { return None };
        (self.parsed.sources.slice(span) == name).then_some(span)
    }

    /// Where a variable of that name is known, if not here: further in, or in another step.
    fn bound_elsewhere<'s>(&'s self, env: &Env, name: &ast::Name) -> Option<(Span, Home<'s>)> {
        let ended = env.ended.iter().rev().find(|(ended, ..)| *ended == name.text);
        if let Some(&(_, span, within)) = ended {
            return Some((span, Home::Within(within)));
        }
        let merged = self.merged;
        let owners = self.bound.get_or_init(|| bound(merged)).get(&name.text)?;
        let elsewhere: Vec<&(String, Span)> =
            owners.iter().filter(|(_, span)| !env.spans.contains(span)).collect();
        match elsewhere[..] {
            // What changes hang before and behind the lines of a step is the same step, and knows nothing of their names.
            [(owner, span), ..]
                if self.around.is_some_and(|step| *owner == of_step(&self.steps[step].name)) =>
            {
                Some((*span, Home::Within("the lines among which it is written")))
            }
            [(owner, span), ..] if elsewhere.len() <= OWNERS => Some((*span, Home::Owner(owner))),
            _ => None,
        }
    }

    /// If a word of a name is nearly a word of the language, and what stands before it is known, or at its beginning what
    /// stands behind it, that word is meant.
    fn keyword_between(
        &self,
        env: &Env,
        name: &ast::Name,
        diagnostic: &Diagnostic,
        known_before: &dyn Fn(&str) -> bool,
    ) -> Option<Diagnostic> {
        let known = |part: &str| self.is_known(env, part);
        let begins = |part: &str| !part.is_empty() && (prefixes(part).any(known) || opens(part));
        let slip = slips_in_name(&name.text).into_iter().find(|slip| match slip.before {
            "" => begins(slip.after),
            before => known_before(before) && (slip.word.len() > 1 || begins(slip.after)),
        })?;
        Some(self.mean_keyword(diagnostic.clone(), name.span, &slip))
    }

    /// Says which words of the language a word of a name was probably meant for.
    fn mean_keyword(&self, diagnostic: Diagnostic, name: Span, slip: &Slip<'_>) -> Diagnostic {
        let diagnostic = diagnostic.label(format!("`{}` is no word of the language", slip.word));
        let [meant] = slip.meant[..] else {
            return diagnostic.help(format!("perhaps {} is meant", list(&slip.meant, "or")));
        };
        let written = self.parsed.sources.slice(name);
        let Some(at) = written.find(slip.word) else { return diagnostic.help(did_you_mean(meant)) };
        let start = name.start + at as u32;
        let word = Span { start, end: start + slip.word.len() as u32, ..name };
        diagnostic.help(did_you_mean(meant)).fix(Fix::replace(format!("write `{meant}`"), word, meant))
    }

    /// Whether anything is called so at a place.
    pub(crate) fn is_known(&self, env: &Env, part: &str) -> bool {
        env.find(part).is_some()
            || self.functions.contains_key(part)
            || BUILT_IN.contains(&part)
            || self.things.contains_key(part)
    }

    /// What variables are known at a place, by name.
    fn known_here(&self, env: &Env, at: Span) -> String {
        let mut shown: Vec<String> = Vec::new();
        for (place, (name, local)) in env.names.iter().enumerate().rev() {
            let hidden = env.names[place + 1..].iter().any(|(later, _)| later == name);
            let ty = env.locals[local.0 as usize].ty;
            if !hidden && ty.base != Base::Unknown && may_be_meant(name, at) {
                shown.push(format!("`{}` ({})", plain(name), self.show_one(ty)));
            }
        }
        let more = if shown.len() > LISTED { " …" } else { "" };
        shown.truncate(LISTED);
        match shown.is_empty() {
            true => "no variable is known here, and no fact, state, rule or step has this name".to_owned(),
            false => format!(
                "the variables known here are {}{more}; no fact, state, rule or step has this name",
                shown.join(", ")
            ),
        }
    }

    /// Complains that a name cannot be asked of a value.
    pub(crate) fn unknown_of(&mut self, env: &Env, name: &ast::Name, target: &Expr) {
        if let Some(kind) = target.ty.base.kind().filter(|_| COORDINATES.contains(&name.text.as_str())) {
            return self.on_no_grid(kind, name);
        }
        // To gather the names takes as long as to guess.
        let kind = target.ty.base.kind().filter(|_| !self.merged.guesses.are_over());
        let askable = kind.map(|kind| self.answering(kind)).unwrap_or_default();
        let what = match target.ty.base.kind() {
            Some(kind) => Article(&self.kinds[kind.0 as usize].name).to_string(),
            None => self.show_one(target.ty),
        };
        let message = format!("`{}` cannot be asked of {what}", name.text);
        let diagnostic = Diagnostic::error("names::unknown", name.span, message);
        let known_before = |part: &str| askable.iter().any(|name| name == part);
        let diagnostic = if let Some(words) = rounding_at_end(&name.text, known_before) {
            diagnostic.help(no_rounding(words))
        } else if let Some(compared) = compared(name, known_before) {
            compared.mend(diagnostic)
        } else if let Some(mended) = self.keyword_between(env, name, &diagnostic, &known_before) {
            mended
        } else if let Some(near) =
            self.merged.guesses.near_miss(&name.text, askable.iter().map(String::as_str))
        {
            diagnostic.label("no such thing").did_you_mean(near).declared(self.declared_once(near))
        } else if askable.is_empty() {
            diagnostic
        } else {
            let some: Vec<&str> = askable.iter().take(12).map(String::as_str).collect();
            let more = if askable.len() > some.len() { " …" } else { "" };
            diagnostic.label("no such thing").help(format!("{what} can be asked: {}{more}", some.join(", ")))
        };
        self.say_unknown(&name.text, diagnostic);
    }

    /// Complains that a kind has no coordinates, which a grid would give it: once for all that ask for them in the library.
    fn on_no_grid(&mut self, kind: KindId, name: &ast::Name) {
        let is_library = self.parsed.layer_of(name.span.source) == Some(Layer::Library);
        let declared = self.kinds[kind.0 as usize].span;
        let said = match is_library {
            true => {
                let message = format!("{} lies on no grid", Article(&self.kinds[kind.0 as usize].name));
                Diagnostic::error("names::unknown", declared, message)
                    .label("the library asks where its things lie")
                    .related(name.span, "for instance here")
            }
            false => {
                let what = Article(&self.kinds[kind.0 as usize].name);
                let message = format!("`{}` cannot be asked of {what}, which lies on no grid", name.text);
                Diagnostic::error("names::unknown", name.span, message)
            }
        };
        let links = self.kinds.iter().find(|links| links.ends.is_some_and(|(end, _)| end == kind));
        let links = links.map_or("LINKS", |links| links.name.as_str());
        let said = said.help(format!(
            "a grid lays things out by a printed number of four digits, the column and the row: `grid {links} by number, even \
             columns low`"
        ));
        // What is said of the library again is left out in the end.
        self.say_unknown(&name.text, said);
    }

    /// What leads to the mend where a name is asked of nothing that must be asked of something: a variable that it can
    /// be asked of.
    pub(crate) fn ask_of(&self, env: &Env, name: &str, of: blazon_book::Type) -> String {
        let Some(kind) = of.base.kind() else { return "what stands before the dot is the first".to_owned() };
        let fits = |local: &blazon_book::LocalId| env.locals[local.0 as usize].ty.base == Base::Thing(kind);
        let kind = &self.kinds[kind.0 as usize].name;
        match env.names.iter().rev().find(|(_, local)| fits(local)) {
            Some((known, _)) => format!("ask it of {}: `{}.{name}`", Article(kind), plain(known)),
            None => format!("ask it of {}, before a dot: `….{name}`", Article(kind)),
        }
    }

    /// Complains of a type that nothing is called.
    pub(crate) fn unknown_type(&mut self, name: &ast::Name) {
        // Kinds first: of two that are equally near the game's own is likelier.
        let mut known: Vec<&str> = self.kind_names.keys().map(String::as_str).collect();
        known.extend(TYPES);
        let diagnostic =
            Diagnostic::error("names::unknown", name.span, format!("there is no kind `{}`", name.text))
                .label("not known");
        if let Some((_, meant)) = ELSEWHERE.iter().find(|(word, _)| *word == name.text.to_lowercase()) {
            return self.say_unknown(&name.text, diagnostic.did_you_mean(*meant));
        }
        let list_of =
            ["list of ", "array of ", "group of "].iter().find_map(|word| name.text.strip_prefix(word));
        let set_of = list_of.or_else(|| slips_in_set_of(&name.text)).filter(|kind| known.contains(kind));
        let diagnostic = match (set_of, self.merged.guesses.near_miss(&name.text, known.iter().copied())) {
            (Some(kind), _) => diagnostic.did_you_mean(format!("set of {kind}")),
            (None, Some(near)) => diagnostic.did_you_mean(near).declared(self.declared_once(near)),
            (None, None) => diagnostic.help(format!(
                "a kind is declared by `kind name = Thing, Thing` or `kind name {{ … }}`; other types are {}, ranges such \
                 as `0..4`, and `set of` a kind",
                list(TYPES, "and")
            )),
        };
        self.say_unknown(&name.text, diagnostic);
    }

    /// Complains of a step that nothing is called.
    pub(crate) fn unknown_step(&mut self, env: &Env, name: &ast::Name) {
        let diagnostic =
            Diagnostic::error("names::unknown", name.span, format!("there is no step `{}`", name.text))
                .label("not known");
        if let Some((word, sample)) = CHANCE.iter().find(|(word, _)| *word == name.text) {
            let message = format!("what `{word}` comes to is asked for by nobody");
            let said = Diagnostic::error("names::unknown", name.span, message);
            let help = format!("give it a name, and go on with that: `{sample}`");
            return self.say_unknown(&name.text, said.label("this does nothing by itself").help(help));
        }
        let steps = self.steps.iter().map(|step| step.name.as_str());
        let keyword = slips_in_name(&name.text).into_iter().find(|slip| slip.before.is_empty());
        let diagnostic = if let Some((span, home)) = self.bound_elsewhere(env, name) {
            diagnostic.related(span, home.to_string()).help("a variable alone on a line does nothing")
        } else if let Some((step, of)) = self.called_without_brackets(&name.text) {
            diagnostic.did_you_mean(format!("{step}({of})"))
        } else if let Some(near) = self.merged.guesses.near_miss(&name.text, steps.chain(STATEMENTS)) {
            diagnostic.did_you_mean(near).declared(self.declared_once(near))
        } else if let Some(slip) = keyword {
            self.mean_keyword(diagnostic, name.span, &slip)
        } else {
            diagnostic.help("declare it: `step name { … }`")
        };
        self.say_unknown(&name.text, diagnostic);
    }

    /// A step that is asked of something, as in `win Red`, and of what.
    fn called_without_brackets<'n>(&self, name: &'n str) -> Option<(&'n str, &'n str)> {
        let takes = |step: &str| {
            let mut steps = self.steps.iter();
            step == "win" || steps.any(|known| known.name == step && !known.params.is_empty())
        };
        let parts = name.match_indices(' ').map(|(at, _)| (&name[..at], name[at..].trim_start()));
        parts.rev().find(|(step, _)| takes(step))
    }

    /// Whether a fact or state was declared with a type or kind that nothing is called.
    pub(crate) fn is_untyped(&self, function: Function) -> bool {
        matches!(function, Function::Column(id) if self.columns[id.0 as usize].ty.base == Base::Unknown)
    }

    /// Whether the name that an expression begins with is nothing's.
    pub(crate) fn unknown_beginning<'e>(&self, env: &Env, expr: &'e ast::Expr) -> Option<&'e ast::Name> {
        let name = leftmost(expr)?;
        (!self.is_known(env, &name.text)).then_some(name)
    }

    /// The name or variable that differs from the name of a thing only in its capital.
    pub(crate) fn small_name(&self, env: Option<&Env>, thing: &str) -> Option<String> {
        let small = thing.to_lowercase();
        let variable = env.is_some_and(|env| env.find(&small).is_some());
        (variable || self.functions.contains_key(&small)).then_some(small)
    }
}

/// Where a variable is known.
enum Home<'s> {
    /// In a part of this step that has ended.
    Within(&'static str),
    /// In another step or rule.
    Owner(&'s str),
}

impl std::fmt::Display for Home<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Home::Within(within) => write!(f, "it is known only in {within}"),
            Home::Owner(owner) => write!(f, "it is known only in {owner}"),
        }
    }
}

impl Home<'_> {
    fn mend(&self, name: &str) -> String {
        match self {
            Home::Within(_) => {
                "ask for it there, or keep it in a `let` or a state that is known here, too".to_owned()
            }
            Home::Owner(_) => format!("hand it on as a parameter, or keep it in a state: `state {name}: …`"),
        }
    }
}

/// The name that an expression begins with.
fn leftmost(expr: &ast::Expr) -> Option<&ast::Name> {
    match &expr.kind {
        ast::ExprKind::Call(call) => Some(&call.name),
        ast::ExprKind::Dot(target, _) => leftmost(target),
        ast::ExprKind::Binary(_, left, _)
        | ast::ExprKind::Rounded(_, left)
        | ast::ExprKind::Range(left, _)
        | ast::ExprKind::Otherwise(left, _) => leftmost(left),
        ast::ExprKind::Text(_)
        | ast::ExprKind::Number(_)
        | ast::ExprKind::Flag(_)
        | ast::ExprKind::None
        | ast::ExprKind::Thing(_)
        | ast::ExprKind::Not(_)
        | ast::ExprKind::Query(_)
        | ast::ExprKind::List(_) => None,
    }
}

fn no_rounding(words: &str) -> String {
    format!(
        "`{words}` rounds nothing here: behind a quotient stands `rounded up`, `rounded`, or `rounded down`"
    )
}

/// What stands behind a known name and was meant to round.
fn rounding_at_end(name: &str, is_known: impl Fn(&str) -> bool) -> Option<&str> {
    let (at, _) = name.match_indices(" round").next()?;
    is_known(&name[..at]).then_some(&name[at + 1..])
}

/// The beginnings of a run of words, up to a whole word, the longest first.
fn prefixes(words: &str) -> impl Iterator<Item = &str> {
    std::iter::once(words).chain(words.rmatch_indices(' ').map(|(end, _)| &words[..end]))
}

/// Whether a run of words begins with a word that opens a value.
fn opens(words: &str) -> bool {
    QUANTIFIERS.contains(&words.split(' ').next().unwrap_or(""))
}

/// The kind behind a misspelt `set of`.
fn slips_in_set_of(name: &str) -> Option<&str> {
    let (set, rest) = name.split_once(' ')?;
    let (of, kind) = rest.split_once(' ')?;
    let near = |word: &str, meant: &str| blazon_diagnostics::slips_between(word, meant) <= 1;
    (near(set, "set") && near(of, "of")).then_some(kind)
}
