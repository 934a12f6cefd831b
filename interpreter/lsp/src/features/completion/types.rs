//! What type a name gives, and what it takes, by the book.

use blazon_book::{Base, Book, KindId, KindOrigin, Type};
use blazon_check::Model;
use blazon_diagnostics::SourceId;

/// What something that can be called takes and gives.
#[derive(Clone, Debug)]
pub struct Signature {
    /// What it is.
    pub word: &'static str,
    /// Its parameters, by name and type.
    pub params: Vec<(String, Type)>,
    /// What it gives; nothing for a step without a result.
    pub gives: Option<Type>,
}

/// What a name of the book takes and gives.
pub fn signature(book: &Book, name: &str) -> Option<Signature> {
    let named = |locals: &[blazon_book::Local], params: usize| {
        locals.iter().take(params).map(|local| (local.name.clone(), local.ty)).collect()
    };
    if let Some(rule) = book.rules.iter().find(|rule| rule.name == name) {
        let params = named(&rule.locals, rule.params);
        return Some(Signature { word: "rule", params, gives: Some(rule.ty) });
    }
    if let Some(step) = book.steps.iter().find(|step| step.name == name) {
        return Some(Signature { word: "step", params: named(&step.locals, step.params), gives: step.ty });
    }
    if let Some(column) = book.columns.iter().find(|column| column.name == name) {
        let word = if matches!(column.role, blazon_book::Role::Fact(_)) { "fact" } else { "state" };
        let params = column.keys.iter().map(|&kind| (kind_name(book, kind), Type::of(Base::Thing(kind))));
        return Some(Signature { word, params: params.collect(), gives: Some(column.ty) });
    }
    let plural = book.kinds.iter().position(|kind| kind.plural == name)?;
    let all = Type::of(Base::Set(KindId(plural as u32)));
    Some(Signature { word: "set", params: Vec::new(), gives: Some(all) })
}

/// What a name takes and gives that stands behind words of its line: `play`, `let n`.
pub fn called(book: &Book, name: &str) -> Option<(String, Signature)> {
    let starts = std::iter::once(0).chain(name.match_indices(' ').map(|(at, _)| at + 1));
    let mut names = starts.filter_map(|at| name.get(at..));
    names.find_map(|name| Some((name.to_owned(), signature(book, name)?)))
}

/// The name of a kind.
pub fn kind_name(book: &Book, kind: KindId) -> String {
    book.kinds.get(kind.0 as usize).map_or_else(String::new, |kind| kind.name.clone())
}

/// A place, and what is amended there.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The game.
    pub model: &'a Model,
    /// The page.
    pub source: SourceId,
    /// Where in it.
    pub offset: u32,
    /// The rules and steps whose parts are written there.
    pub amended: &'a [String],
}

impl Place<'_> {
    /// The variables that are known, the innermost first: their names and types. Where a part of something else is
    /// written, its parameters are.
    pub fn variables(&self) -> Vec<(String, Type)> {
        let found = self.model.variables_at(self.source, self.offset);
        let mut found: Vec<(String, Type)> =
            found.into_iter().map(|variable| (variable.name.clone(), variable.ty)).collect();
        for name in self.amended {
            let known = signature(self.model, name).filter(|known| matches!(known.word, "rule" | "step"));
            found.extend(known.map(|known| known.params).unwrap_or_default());
        }
        found
    }

    /// The type of a chain of names and dots.
    pub fn type_of(&self, chain: &[String]) -> Option<Type> {
        let mut names = chain.split(|word| word == ".").map(|part| part.concat());
        let mut ty = self.head(&names.next()?)?;
        for name in names {
            ty = asked(self.model, ty, &name)?;
        }
        Some(ty)
    }

    /// The type of a name by itself.
    fn head(&self, name: &str) -> Option<Type> {
        let variables = self.variables();
        let known = |name: &str| {
            let variable = variables.iter().find(|(known, _)| known == name);
            variable.map(|(_, ty)| *ty).or_else(|| head(self.model, name))
        };
        // A keyword of the line may stand before the name: `expect`, `let n`.
        let starts = std::iter::once(0).chain(name.match_indices(' ').map(|(at, _)| at + 1));
        starts.filter_map(|at| known(name.get(at..)?)).next()
    }
}

/// The type of a name that is no variable.
fn head(model: &Model, name: &str) -> Option<Type> {
    let plain = name.trim_matches('\'');
    let kinds = model.kinds.iter().position(|kind| kind.things.iter().any(|thing| thing.name == plain));
    if let Some(kind) = kinds {
        return Some(Type::of(Base::Thing(KindId(kind as u32))));
    }
    if let Some(place) = model.rulings.iter().position(|ruling| ruling.name == name) {
        let values = model.kinds.iter().position(|kind| kind.origin == KindOrigin::Ruling(place));
        return values.map(|kind| Type::of(Base::Thing(KindId(kind as u32)))).or(Some(Type::of(Base::Flag)));
    }
    signature(model, name)?.gives
}

/// The type of what is asked of a value.
fn asked(model: &Model, of: Type, name: &str) -> Option<Type> {
    let kind = of.base.kind();
    if name == "neighbours" {
        return kind.map(|kind| Type::of(Base::Set(kind)));
    }
    if let Some(Signature { gives: Some(gives), .. }) = signature(model, name) {
        // Asked of a set it is asked of each, and gives a set.
        return match (of.base, gives.base) {
            (Base::Set(_), Base::Thing(kind)) => Some(Type::of(Base::Set(kind))),
            _ => Some(gives),
        };
    }
    None
}
