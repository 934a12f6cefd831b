//! The candidates for what is expected at a place.

use blazon_book::{Base, Book, KindOrigin, Role, Type};
use blazon_syntax::{KeywordPlace, keywords_at};
use lsp_types::CompletionItemKind as Sign;

use super::Candidate;
use super::context::{Context, Expected, Table};
use super::types::{Place, called, kind_name, signature};
use crate::outline::{self, Sort};
use crate::workspace::Page;
use blazon_check::DefinitionKind;

/// The types that are no kinds.
const TYPES: [&str; 8] = ["flag", "number", "text", "point", "die", "dice", "permission", "set of"];

/// What the language itself can be asked.
const BUILT_IN: [&str; 6] = ["players", "winner", "odd", "roll", "roll again", "draw"];

/// What begins a line below the heading of a rule.
const CLAUSES: [&str; 3] = ["except", "needs", "known to all"];

/// What begins a line of a choice, beside statements.
const CHOICES: [&str; 4] = ["option", "when", "needs", "except"];

/// What stands in a kind.
const MEMBERS: [&str; 4] = ["fact", "state", "seen by", "back"];

/// What stands alone on a line, beside steps.
const ENDS: [&str; 1] = ["win"];

/// All candidates at a place.
pub fn of(page: &Page, offset: u32, context: &Context) -> Vec<Candidate> {
    let model = &page.book.checked.model;
    let at = Place { model, source: page.source, offset, amended: &context.amended };
    match &context.expected {
        Expected::Nothing => Vec::new(),
        Expected::Item => keywords(KeywordPlace::Margin),
        Expected::Part => {
            let mut words = keywords(KeywordPlace::Opened);
            words.extend(["step", "option", "when", "choice", "clause", "test"].map(|word| keyword(word, 0)));
            words
        }
        Expected::Statement => {
            let of_choices = CHOICES.iter().map(|word| keyword(word, 1)).collect();
            [keywords(KeywordPlace::Statement), of_choices, doable(&at)].concat()
        }
        Expected::TestLine => {
            let players = player_names(model)
                .into_iter()
                .map(|name| Candidate::new(format!("{name}:"), Sign::EnumMember, "player", 1));
            let states = model.columns.iter().filter(|column| matches!(column.role, Role::State { .. }));
            let states =
                states.map(|state| Candidate::new(&state.name, Sign::Field, state.ty.words(&model.kinds), 2));
            [keywords(KeywordPlace::TestLine), players.chain(states).collect()].concat()
        }
        Expected::Asked(chain) => asked(&at, chain),
        Expected::Value(compared) => {
            let wanted = at.type_of(compared).filter(|_| !compared.is_empty());
            values(&at, wanted)
        }
        Expected::Argument(name, behind_dot, place) => {
            argument(&at, name, *behind_dot, *place, context.in_test)
        }
        Expected::Paragraph => paragraphs(page, context.in_test),
        Expected::Type => {
            let types = TYPES.iter().map(|word| keyword(word, 1));
            kinds(model).into_iter().chain(types).collect()
        }
        Expected::Kind => kinds(model),
        Expected::Cell(table, heading) => {
            column(model, table, heading).map(|ty| constants(model, ty)).unwrap_or_default()
        }
        Expected::Placed => {
            let states = model.columns.iter().filter(|column| matches!(column.role, Role::State { .. }));
            let states =
                states.map(|state| Candidate::new(&state.name, Sign::Field, state.ty.words(&model.kinds), 2));
            [vec![keyword("others", 0)], things(model, 1), states.collect()].concat()
        }
        Expected::Clause => {
            [CLAUSES.iter().map(|word| keyword(word, 0)).collect(), values(&at, None)].concat()
        }
        Expected::Member => MEMBERS.iter().map(|word| keyword(word, 0)).collect(),
        Expected::Condition => [named(page, "ruling"), values(&at, None)].concat(),
        Expected::Named(word) => named(page, word),
        Expected::Pick => {
            let mut found = all(page, DefinitionKind::Option, Sign::Constructor, "option");
            found.sort_by(|a, b| a.text.cmp(&b.text));
            found
        }
        Expected::Given(name) => values(&at, signature(model, name).and_then(|known| known.gives)),
        Expected::RulingValue(name) => {
            let ruling = model.rulings.iter().find(|ruling| ruling.name == *name);
            let values = ruling.map(|ruling| ruling.values.clone()).unwrap_or_default();
            values.into_iter().map(|value| Candidate::new(value, Sign::EnumMember, "value", 0)).collect()
        }
    }
}

fn keyword(word: &str, rank: u8) -> Candidate {
    Candidate::new(word, Sign::Keyword, "", rank)
}

fn keywords(place: KeywordPlace) -> Vec<Candidate> {
    keywords_at(place).map(|word| keyword(word, 0)).collect()
}

fn kinds(book: &Book) -> Vec<Candidate> {
    let declared = book.kinds.iter().filter(|kind| kind.origin == KindOrigin::Declared);
    declared.map(|kind| Candidate::new(&kind.name, Sign::Class, "kind", 0)).collect()
}

fn player_names(book: &Book) -> Vec<String> {
    let kind = book.kinds.get(book.player.0 as usize);
    kind.map(|kind| kind.things.iter().map(|thing| thing.name.clone()).collect()).unwrap_or_default()
}

/// The type of what stands in a column of a table.
fn column(book: &Book, table: &Table, heading: &str) -> Option<Type> {
    match table {
        Table::Things => signature(book, heading)?.gives,
        Table::Rule(name) => {
            let rule = signature(book, name)?;
            let param = rule.params.into_iter().find(|(name, _)| name == heading);
            param.map(|(_, ty)| ty).or(rule.gives)
        }
    }
}

/// The things of all kinds that are called by a name.
fn things(book: &Book, rank: u8) -> Vec<Candidate> {
    let declared = book.kinds.iter().filter(|kind| kind.origin == KindOrigin::Declared);
    let named = declared.flat_map(|kind| {
        // Links are called by their ends.
        let things = kind.things.iter().filter(|thing| thing.ends.is_none());
        things.map(|thing| Candidate::new(quoted(&thing.name), Sign::EnumMember, &kind.name, rank))
    });
    named.collect()
}

/// What can be asked of the value before a dot.
fn asked(at: &Place<'_>, chain: &[String]) -> Vec<Candidate> {
    let model = at.model;
    let Some(ty) = at.type_of(chain) else { return Vec::new() };
    let Some(kind) = ty.base.kind() else { return Vec::new() };
    let candidate = |name: &String| {
        let known = signature(model, name);
        let detail = known.as_ref().and_then(|known| known.gives).map(|ty| ty.words(&model.kinds));
        let sign = match known.map(|known| known.word) {
            Some("rule") => Sign::Function,
            Some("step") => Sign::Method,
            Some("state") => Sign::Field,
            Some(_) => Sign::Property,
            None => Sign::Reference,
        };
        Candidate::new(name, sign, detail.unwrap_or_default(), 0)
    };
    model.askable(kind).iter().map(candidate).collect()
}

/// Steps, and states and variables that can be set.
fn doable(at: &Place<'_>) -> Vec<Candidate> {
    let model = at.model;
    let steps = model.steps.iter().filter(|step| is_name(&step.name));
    let steps = steps.map(|step| Candidate::new(&step.name, Sign::Method, "step", 1));
    let states = model
        .columns
        .iter()
        .filter(|column| matches!(column.role, Role::State { .. }) && column.keys.is_empty());
    let states =
        states.map(|state| Candidate::new(&state.name, Sign::Field, state.ty.words(&model.kinds), 2));
    let ends = ENDS.iter().map(|word| keyword(word, 0));
    steps.chain(states).chain(ends).chain(variables(at, None)).collect()
}

/// Whether a name is written by somebody: what the checker makes has other signs in it.
fn is_name(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_alphabetic) && !name.contains(['(', '|', '"'])
}

fn variables(at: &Place<'_>, wanted: Option<Type>) -> Vec<Candidate> {
    let fitting = |ty: Type| wanted.is_none_or(|wanted| fits(ty, wanted));
    let found = at.variables().into_iter().filter(|(_, ty)| fitting(*ty));
    found.map(|(name, ty)| Candidate::new(name, Sign::Variable, ty.words(&at.model.kinds), 0)).collect()
}

/// Whether a value can stand where one of a type is wanted.
fn fits(ty: Type, wanted: Type) -> bool {
    match (ty.base, wanted.base) {
        (Base::Unknown, _) | (_, Base::Unknown) => true,
        (Base::Number(..), Base::Number(..)) => true,
        (a, b) => a == b || a.kind().is_some() && a.kind() == b.kind(),
    }
}

/// Values of a type; of any where none is known.
fn values(at: &Place<'_>, wanted: Option<Type>) -> Vec<Candidate> {
    let model = at.model;
    let mut found = variables(at, wanted);
    if let Some(wanted) = wanted {
        found.extend(constants(model, wanted));
    } else {
        found.extend(keywords_at(KeywordPlace::Value).map(|word| keyword(word, 3)));
        found.extend(BUILT_IN.iter().map(|word| keyword(word, 4)));
        found.extend(["yes", "no", "none", "not"].map(|word| keyword(word, 3)));
        found.extend(
            model
                .kinds
                .iter()
                .filter(|kind| kind.origin == KindOrigin::Declared && is_name(&kind.plural))
                .map(|kind| Candidate::new(&kind.plural, Sign::Class, format!("set of {}", kind.name), 2)),
        );
    }
    let fitting = |ty: Type| wanted.is_none_or(|wanted| fits(ty, wanted));
    let rules = model.rules.iter().filter(|rule| is_name(&rule.name) && fitting(rule.ty));
    found
        .extend(rules.map(|rule| Candidate::new(&rule.name, Sign::Function, rule.ty.words(&model.kinds), 2)));
    let columns = model.columns.iter().filter(|column| fitting(column.ty) && is_name(&column.name));
    found.extend(columns.map(|column| {
        let sign = if matches!(column.role, Role::Fact(_)) { Sign::Property } else { Sign::Field };
        Candidate::new(&column.name, sign, column.ty.words(&model.kinds), 2)
    }));
    // What a ruling can be is called by no name as a whole.
    let kind = wanted.and_then(|wanted| wanted.base.kind());
    let kind = kind.and_then(|kind| model.kinds.get(kind.0 as usize));
    let kind = kind.filter(|kind| kind.origin == KindOrigin::Declared);
    found.extend(kind.map(|kind| Candidate::new(&kind.plural, Sign::Class, "all of them", 2)));
    if wanted.is_none() {
        // There may be thousands: they stand last.
        found.extend(things(model, 5));
    }
    let rulings = model.rulings.iter().filter(|_| wanted.is_none());
    found.extend(rulings.map(|ruling| Candidate::new(&ruling.name, Sign::Enum, "ruling", 3)));
    found
}

/// What of a type is written as a word.
fn constants(book: &Book, wanted: Type) -> Vec<Candidate> {
    let mut found = Vec::new();
    match wanted.base {
        Base::Flag => found.extend(["yes", "no"].map(|word| keyword(word, 0))),
        Base::Thing(kind) | Base::Set(kind) => {
            let things =
                book.kinds.get(kind.0 as usize).map(|kind| kind.things.as_slice()).unwrap_or_default();
            let name = kind_name(book, kind);
            // Links and places of a grid are not written by name.
            let written = things.iter().filter(|thing| thing.ends.is_none());
            found
                .extend(written.map(|thing| Candidate::new(quoted(&thing.name), Sign::EnumMember, &name, 1)));
        }
        Base::Die => found.extend(["d6", "d8", "d10", "d12"].map(|word| keyword(word, 1))),
        Base::Number(..)
        | Base::Dice
        | Base::Text
        | Base::Point
        | Base::Permission
        | Base::Numbers
        | Base::Nothing
        | Base::Unknown => {}
    }
    if wanted.optional {
        found.push(keyword("none", 1));
    }
    found
}

/// A thing as it is written.
fn quoted(name: &str) -> String {
    match name.chars().next() {
        Some(first) if first.is_uppercase() => name.to_owned(),
        _ => format!("'{name}'"),
    }
}

/// What can be the argument of a rule, step, fact or option.
fn argument(at: &Place<'_>, name: &str, behind_dot: bool, place: usize, in_test: bool) -> Vec<Candidate> {
    let model = at.model;
    let option = options(model).into_iter().find(|option| option.name == name).filter(|_| in_test);
    if let Some(option) = option {
        // Which things can be taken hangs on the position; of which kind they are does not.
        let wanted = option.binders.get(place).and_then(|binder| element(binder.source.ty));
        return wanted.map(|wanted| constants(model, wanted)).unwrap_or_default();
    }
    let known = called(model, name);
    let place = place + usize::from(behind_dot);
    match known.and_then(|(_, known)| known.params.get(place).map(|(_, ty)| *ty)) {
        Some(ty) => values(at, Some(ty)),
        None => values(at, None),
    }
}

/// The type of the members of a set.
fn element(ty: Type) -> Option<Type> {
    match ty.base {
        Base::Set(kind) | Base::Thing(kind) => Some(Type::of(Base::Thing(kind))),
        Base::Number(..) | Base::Numbers => Some(Type::of(Base::Number(0, 0))),
        Base::Flag
        | Base::Dice
        | Base::Die
        | Base::Text
        | Base::Point
        | Base::Permission
        | Base::Nothing
        | Base::Unknown => None,
    }
}

/// All options of a book.
pub fn options(book: &Book) -> Vec<&blazon_book::ChoiceOption> {
    use blazon_book::{Statement, StatementKind};
    fn gather<'b>(block: &'b [Statement], found: &mut Vec<&'b blazon_book::ChoiceOption>) {
        for statement in block {
            match &statement.kind {
                StatementKind::If(_, then, otherwise) => {
                    gather(then, found);
                    gather(otherwise, found);
                }
                StatementKind::For { body, otherwise, .. } => {
                    gather(body, found);
                    gather(otherwise.as_deref().unwrap_or_default(), found);
                }
                StatementKind::While(_, body) => gather(body, found),
                StatementKind::Case { arms, otherwise, .. } => {
                    arms.iter().for_each(|(_, arm)| gather(arm, found));
                    gather(otherwise.as_deref().unwrap_or_default(), found);
                }
                StatementKind::Choose(choose) => {
                    for option in &choose.options {
                        found.push(option);
                        gather(&option.body, found);
                    }
                    gather(choose.otherwise.as_deref().unwrap_or_default(), found);
                }
                StatementKind::Let(..)
                | StatementKind::Assign { .. }
                | StatementKind::Stop
                | StatementKind::Return(_)
                | StatementKind::Say { .. }
                | StatementKind::Do(..)
                | StatementKind::Win(_)
                | StatementKind::Invalid(_) => {}
            }
        }
    }
    let mut found = Vec::new();
    book.steps.iter().for_each(|step| gather(&step.body, &mut found));
    found
}

fn paragraphs(page: &Page, in_test: bool) -> Vec<Candidate> {
    let parsed = &page.read().parsed;
    let outline = parsed
        .outline
        .iter()
        .map(|(number, title)| Candidate::new(format!("@{number}"), Sign::Reference, title, 0));
    let statements = parsed.statements.iter().filter(|_| in_test);
    outline
        .chain(statements.map(|id| Candidate::new(format!("@{id}"), Sign::Reference, "statement", 1)))
        .collect()
}

/// The names of what is declared, by the word before the name.
fn named(page: &Page, word: &str) -> Vec<Candidate> {
    let model = &page.book.checked.model;
    match word {
        "rule" => all(page, DefinitionKind::Rule, Sign::Function, "rule"),
        "step" => all(page, DefinitionKind::Step, Sign::Method, "step"),
        "option" => all(page, DefinitionKind::Option, Sign::Constructor, "option"),
        "setup" => {
            let scenes = all(page, DefinitionKind::Scene, Sign::Module, "scene");
            [all(page, DefinitionKind::Setup, Sign::Module, "setup"), scenes].concat()
        }
        "fact" => all(page, DefinitionKind::Fact, Sign::Property, "fact"),
        "state" => all(page, DefinitionKind::State, Sign::Field, "state"),
        "clause" => all(page, DefinitionKind::Clause, Sign::Text, "clause"),
        "kind" | "table" | "links" => kinds(model),
        "scene" => all(page, DefinitionKind::Scene, Sign::Module, "scene"),
        "player" => player_names(model)
            .into_iter()
            .map(|name| Candidate::new(name, Sign::EnumMember, "player", 0))
            .collect(),
        "ruling" => {
            let rulings = model.rulings.iter();
            rulings
                .map(|ruling| Candidate::new(&ruling.name, Sign::Enum, ruling.values.join(" or "), 0))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Everything of a sort that any page of the game declares.
fn all(page: &Page, kind: DefinitionKind, sign: Sign, word: &str) -> Vec<Candidate> {
    let files = page.read().parsed.files.iter();
    let mut found = Vec::new();
    for (_, file) in files {
        let entries = outline::entries(file);
        let entries = outline::all(&entries);
        let fitting = entries.into_iter().filter(|entry| entry.sort == Sort::Definition(kind));
        found.extend(fitting.map(|entry| {
            let name = entry.name.strip_prefix("replace ").unwrap_or(&entry.name);
            Candidate::new(name, sign, word, 0)
        }));
    }
    found
}
