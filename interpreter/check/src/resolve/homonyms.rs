//! Names that say two things at once: what is declared twice under one name, in whichever ways, what the language has for
//! itself, and rules that the machine asks by their names, which mean nothing to it with another heading.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use blazon_book::meant::{CHOOSER, OUTLOOK};
use blazon_book::{Base, Role, RuleId, Type, sides_of};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::resolve::checker::{Checker, Function, Signature};
use crate::resolve::unknown::TYPES;

/// What the language does and asks by a name, and with how many values.
const BUILT_IN: [(&str, RangeInclusive<usize>); 9] = [
    ("win", 1..=1),
    ("roll", 1..=2),
    ("roll again", 2..=2),
    ("draw", 1..=2),
    ("min", 2..=2),
    ("max", 2..=2),
    ("odd", 1..=1),
    ("players", 0..=0),
    ("winner", 0..=0),
];

/// The rules that the machine asks by their names.
pub(crate) const ASKED: [&str; 2] = [CHOOSER, OUTLOOK];

/// Whether the language itself has this name, asked with so many values.
pub(crate) fn is_built_in(name: &str, values: usize) -> bool {
    values == 0 && sides_of(name).is_some()
        || BUILT_IN.iter().any(|(known, takes)| *known == name && takes.contains(&values))
}

impl Checker<'_> {
    /// Complains of names that say two things of the same.
    pub(super) fn tell_names_apart(&mut self) {
        let by_name: BTreeMap<String, Vec<Function>> =
            self.functions.iter().map(|(name, functions)| (name.clone(), functions.clone())).collect();
        for (name, functions) in &by_name {
            for (place, &function) in functions.iter().enumerate() {
                self.not_built_in(name, function);
                let twin = functions[..place].iter().copied().find(|&other| self.are_one(other, function));
                if let Some(other) = twin {
                    self.two_of_one_name(name, other, function);
                }
            }
        }
        self.asked_by_the_machine();
    }

    /// Whether nobody could tell which of two of one name is asked: by the kind of what they are asked of alone, be it one
    /// thing, a set, or no thing at all. What is said twice in one way is said elsewhere.
    fn are_one(&self, one: Function, other: Function) -> bool {
        let said_elsewhere = matches!(
            (one, other),
            (Function::Rule(_), Function::Rule(_))
                | (Function::Column(_), Function::Column(_))
                | (Function::Ruling(_), Function::Ruling(_))
                | (Function::Step(_), _)
                | (_, Function::Step(_))
        );
        let first = |function: Function| (self.arity(function) > 0).then(|| self.param(function, 0).base);
        let [a, b] = [first(one), first(other)];
        !(said_elsewhere && a == b)
            && self.arity(one) == self.arity(other)
            && a.map(Base::kind) == b.map(Base::kind)
            && ![a, b].contains(&Some(Base::Unknown))
    }

    fn two_of_one_name(&mut self, name: &str, one: Function, other: Function) {
        let at = |function: Function| self.declaration(function).1;
        let rank = |span: Span| (self.parsed.layer_of(span.source), span.source, span.start);
        let (first, second) = if rank(at(one)) <= rank(at(other)) { (one, other) } else { (other, one) };
        let message = match (self.sort(first), self.sort(second)) {
            (one, other) if one == other => format!("`{name}` is {one} twice, asked of the same kind"),
            (one, other) => format!("`{name}` is {one}, and {other}, too"),
        };
        self.diagnostics.push(
            Diagnostic::error("names::twice", at(second), message)
                .label("nobody could tell which is meant")
                .related(at(first), "the other is declared here")
                .help("give one of them another name"),
        );
    }

    fn not_built_in(&mut self, name: &str, function: Function) {
        let of_players = matches!(function, Function::Plural(kind) if kind == self.player);
        if of_players || !is_built_in(name, self.arity(function)) {
            return;
        }
        let message = format!("`{name}` is built in, and {} here, too", self.sort(function));
        self.diagnostics.push(
            Diagnostic::error("names::twice", self.declaration(function).1, message)
                .help("give it another name"),
        );
    }

    /// Complains of a kind that could be named in no type: the language has a type of that name.
    pub(super) fn not_a_type(&mut self, kind: &ast::Name) {
        if TYPES.contains(&kind.text.as_str()) && !self.is_said_at(kind.span) {
            let message = format!("`{}` is a type of the language, and a kind here, too", kind.text);
            let said = Diagnostic::error("names::twice", kind.span, message);
            self.diagnostics.push(said.label("no type could mean it").help("give the kind another name"));
        }
    }

    /// What something is, in words.
    fn sort(&self, function: Function) -> String {
        let of_kind = |kind: blazon_book::KindId| &self.kinds[kind.0 as usize].name;
        match function {
            Function::Column(id) if matches!(self.columns[id.0 as usize].role, Role::Fact(_)) => {
                "a fact".to_owned()
            }
            Function::Column(_) => "a state".to_owned(),
            Function::Rule(_) => "a rule".to_owned(),
            Function::Step(_) => "a step".to_owned(),
            Function::Ruling(_) => "a ruling".to_owned(),
            Function::Plural(kind) => format!("the name of all things of the kind `{}`", of_kind(kind)),
            Function::Links(kind)
            | Function::Neighbours(kind)
            | Function::Between(kind)
            | Function::Ends(kind) => {
                format!("what links of the kind `{}` give", of_kind(kind))
            }
        }
    }

    /// Rules that the machine asks by their names: another heading, and it would never ask them.
    fn asked_by_the_machine(&mut self) {
        let player = Type::of(Base::Thing(self.player));
        let numbers = |ty: Type| matches!(ty.base, Base::Number(..)) && !ty.optional;
        self.asked_so(CHOOSER, "says who decides for a player", |ty| ty == player, |kind| kind.to_owned());
        self.asked_so(OUTLOOK, "says how things look for a player", numbers, |_| "number".to_owned());
    }

    /// Whether a rule is one that the machine asks by its name.
    pub(crate) fn is_asked_by_the_machine(&self, place: usize) -> bool {
        let rule = &self.rules[place];
        ASKED.contains(&rule.name.as_str()) && self.is_of_player(rule)
    }

    /// The rule of a name that is asked of a player; others may have the name and be asked of something else.
    pub(crate) fn asked_of_players(&self, name: &str) -> Option<RuleId> {
        let found = self.rules.iter().position(|rule| rule.name == name && self.is_of_player(rule));
        found.map(|place| RuleId(place as u32))
    }

    fn is_of_player(&self, rule: &Signature) -> bool {
        matches!(rule.params[..], [(_, only)] if only == Type::of(Base::Thing(self.player)))
    }

    /// Complains of a rule of this name if none has the one parameter and the type with which it is asked.
    fn asked_so(&mut self, name: &str, does: &str, fits: impl Fn(Type) -> bool, ty: impl Fn(&str) -> String) {
        let mut named = self.rules.iter().filter(|rule| rule.name == name);
        let asked = named.clone().find(|rule| self.is_of_player(rule));
        let Some(rule) = asked.or_else(|| named.next()) else { return };
        // A type that is wrong by itself is told where it stands.
        let is_known = rule.params.iter().all(|(_, ty)| ty.base != Base::Unknown);
        let Some(given) = rule.ty.filter(|ty| is_known && ty.base != Base::Unknown) else { return };
        if asked.is_some() && fits(given) {
            return;
        }
        let kind = self.kinds[self.player.0 as usize].name.as_str();
        let letter: String = kind.chars().take(1).collect();
        let heading = format!("rule {name}({letter}: {kind}): {}", ty(kind));
        let message = format!("a rule `{name}` {does}, and with this heading nobody would ask it");
        let said = Diagnostic::error("rules::heading", rule.span, message)
            .help(format!("write `{heading} = …`, or give the rule another name"));
        self.diagnostics.push(said);
    }
}
