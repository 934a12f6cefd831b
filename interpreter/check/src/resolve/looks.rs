//! `look`: what is drawn of a kind, and by which signs words are drawn.

use std::collections::BTreeSet;

use blazon_book::{self as book, Base, ColumnId, KindId, Part, Role, SIGNS, Says, TINCTURES};
use blazon_diagnostics::{Article, Diagnostic, Span, list};
use blazon_syntax::ast::{self, Name};

use crate::references::DefinitionKind;
use crate::resolve::checker::{Checker, Function};
use crate::resolve::displays::DISPLAY;

impl Checker<'_> {
    /// All looks; one with a mistake is left out.
    pub(crate) fn looks(&mut self) -> Vec<book::Look> {
        let merged = self.merged;
        let mut looks = Vec::new();
        for look in &merged.looks {
            if let Some(says) = self.look(look) {
                // What is drawn is asked for by those who look at it.
                let drawn = match &says {
                    Says::Display(_, columns) | Says::Part(_, _, columns) => columns.as_slice(),
                    Says::Sign(..) => &[],
                };
                drawn.iter().for_each(|column| self.used.note(Function::Column(*column)));
                looks.push(book::Look { name: look.name.text.clone(), says, span: look.span });
            }
        }
        self.use_displays_by_themselves(&looks);
        looks
    }

    fn look(&mut self, look: &ast::Look) -> Option<Says> {
        let mut met = BTreeSet::new();
        let twice = look.values.iter().find(|value| !met.insert(&value.text));
        if let Some(twice) = twice {
            let said =
                Diagnostic::error("looks::part", twice.span, format!("`{}` is named twice", twice.text));
            self.diagnostics
                .push(said.label("the second time").help("it is drawn once: take one of them out"));
            return None;
        }
        if let Some(step) = self.step_of_display(&look.name.text) {
            return self.display(look, step);
        }
        let split = look.name.text.rsplit_once(' ');
        let part = split.and_then(|(kind, word)| Some((*self.kind_names.get(kind)?, word)));
        match part {
            Some((kind, word)) => match Part::of(word) {
                Some(part) => self.look_part(look, kind, part),
                None if self.bears(&look.name.text) => self.sign(look),
                None => self.unknown_part(&look.name, word),
            },
            None if self.bears(&look.name.text) => self.sign(look),
            None => match split {
                Some((step, DISPLAY)) => {
                    self.unknown_display(&look.name, step);
                    None
                }
                Some(_) | None => self.unknown_look(&look.name),
            },
        }
    }

    /// Notes the names in a look: of the kind or step that it is of and its columns, or of whatever bears its name.
    pub(crate) fn use_look(&mut self, look: &ast::Look) {
        let Name { text, span } = &look.name;
        // Between words stand blanks as the author likes.
        let head = |checker: &Self, word: &str| {
            let written = checker.parsed.sources.slice(*span);
            let length = written.strip_suffix(word).map_or(written, str::trim_end).len();
            Span { end: span.start + length as u32, ..*span }
        };
        if let Some(step) = self.step_of_display(text) {
            let at = head(self, DISPLAY);
            self.use_function(at, Function::Step(step));
            let mut first = None;
            for value in &look.values {
                if let Some(column) = self.of_display(value, first) {
                    first.get_or_insert(column);
                    self.use_function(value.span, Function::Column(column));
                }
            }
            return;
        }
        let split = text.rsplit_once(' ').filter(|(_, word)| Part::of(word).is_some());
        if let Some((kind, word)) = split.and_then(|(kind, word)| Some((*self.kind_names.get(kind)?, word))) {
            let at = head(self, word);
            self.uses.note(at, DefinitionKind::Kind, self.kinds[kind.0 as usize].span);
            for value in &look.values {
                if let Some(column) = self.column_of(kind, &value.text) {
                    self.use_function(value.span, Function::Column(column));
                }
            }
            return;
        }
        let players = &self.kinds[self.player.0 as usize].things;
        if let Some(player) = players.iter().position(|thing| thing.name == *text)
            && !look.values.is_empty()
        {
            // A tincture is a player's, whoever else is called so.
            return self.use_thing(*span, self.player, player as u32);
        }
        for kind in (0..self.kinds.len() as u32).map(KindId) {
            let declared = &self.kinds[kind.0 as usize];
            if declared.name == *text {
                self.uses.note(*span, DefinitionKind::Kind, declared.span);
            }
            let things = (0..).zip(&self.kinds[kind.0 as usize].things);
            let named: Vec<u32> = things.filter(|(_, thing)| thing.name == *text).map(|(at, _)| at).collect();
            named.into_iter().for_each(|thing| self.use_thing(*span, kind, thing));
        }
        for column in (0..self.columns.len() as u32).map(ColumnId) {
            if self.columns[column.0 as usize].name == *text {
                self.use_function(*span, Function::Column(column));
            }
        }
    }

    /// The fact or state of a kind that has a name.
    fn column_of(&self, kind: KindId, name: &str) -> Option<ColumnId> {
        let is = |column: &book::Column| column.name == name && column.keys.first() == Some(&kind);
        self.columns.iter().position(is).map(|place| ColumnId(place as u32))
    }

    /// Whether anything has this name: a kind, a thing, a fact or a state.
    fn bears(&self, name: &str) -> bool {
        self.kinds.iter().any(|kind| kind.name == name || kind.things.iter().any(|thing| thing.name == name))
            || self.columns.iter().any(|column| column.name == name)
    }

    fn sign(&mut self, look: &ast::Look) -> Option<Says> {
        let name = look.name.text.clone();
        let value = match look.values.as_slice() {
            [] => return Some(Says::Sign(name, None)),
            [value] => value,
            [_, second, ..] => {
                let message = format!("`{name}` is drawn by one sign");
                self.diagnostics.push(
                    Diagnostic::error("looks::sign", second.span, message)
                        .label("a second one")
                        .help("leave one of them out"),
                );
                return None;
            }
        };
        let is_player = self.kinds[self.player.0 as usize].things.iter().any(|thing| thing.name == name);
        let signs = if is_player { TINCTURES } else { SIGNS };
        if let Some(sign) = signs.iter().find(|sign| **sign == value.text) {
            return Some(Says::Sign(name, Some(sign)));
        }
        let diagnostic =
            Diagnostic::error("looks::sign", value.span, format!("there is no sign `{}`", value.text))
                .label("not known");
        let diagnostic = match self.merged.guesses.near_miss(&value.text, signs.iter().copied()) {
            Some(near) => diagnostic.did_you_mean(near),
            None => diagnostic.help(format!("there are {}", list(signs, "and"))),
        };
        self.diagnostics.push(diagnostic);
        None
    }

    fn look_part(&mut self, look: &ast::Look, kind: KindId, part: Part) -> Option<Says> {
        let mut columns = Vec::new();
        for value in &look.values {
            match self.column_of(kind, &value.text) {
                Some(column) => columns.push(column),
                None => {
                    self.unknown_column(kind, value);
                    return None;
                }
            }
        }
        let wanted = wanted(part);
        let unfit = columns
            .iter()
            .zip(&look.values)
            .enumerate()
            .find(|(place, (column, _))| !self.can_draw(part, *place, **column));
        let wrong = match unfit {
            Some((_, (_, value))) => Some(value.span),
            None if columns.is_empty() => None,
            None => (!wanted.0.contains(&columns.len())).then_some(look.span),
        };
        if let Some(span) = wrong {
            let kind = &self.kinds[kind.0 as usize].name;
            let message = format!("the {} of {} is {}", part.word(), Article(kind), wanted.1);
            self.diagnostics.push(
                Diagnostic::error("looks::part", span, message)
                    .label("this is not")
                    .help(format!("`look {kind} {}: none` draws none", part.word())),
            );
            return None;
        }
        Some(Says::Part(kind, part, columns))
    }

    /// Whether a column can be drawn as a part of a look; `place` counts the columns of one line.
    fn can_draw(&self, part: Part, place: usize, column: ColumnId) -> bool {
        let column = &self.columns[column.0 as usize];
        let is_state = matches!(column.role, Role::State { .. });
        let one = column.keys.len() == 1;
        let thing = column.ty.base.thing();
        let number = matches!(column.ty.base, Base::Number(..));
        match part {
            Part::At => one && thing.is_some(),
            Part::Side | Part::Hand | Part::Home => one && thing == Some(self.player),
            Part::Pips => one && number && is_state == (place == 0),
            Part::Corner => one && (thing.is_some() || number),
            Part::Value => one && !is_state && (thing.is_some() || number),
            Part::Counts => is_state && number && column.keys.len() == 2,
            Part::Glyph | Part::Ground | Part::Region | Part::Line => one && !is_state && thing.is_some(),
            Part::Aside | Part::Spent => one && is_state && column.ty.base == Base::Flag,
            Part::Badge => one && column.ty.base == Base::Flag,
            Part::Box => one && is_state && thing.is_some(),
            Part::Marks => one && !is_state,
            Part::Point => one && !is_state && column.ty.base == Base::Point,
        }
    }

    fn unknown_column(&mut self, kind: KindId, value: &Name) {
        let known: Vec<String> = self
            .columns
            .iter()
            .filter(|column| column.keys.first() == Some(&kind))
            .map(|column| column.name.clone())
            .collect();
        let kind = &self.kinds[kind.0 as usize].name;
        let message = format!("{} has no fact or state `{}`", Article(kind), value.text);
        let diagnostic = Diagnostic::error("names::unknown", value.span, message).label("not known");
        let diagnostic = match self.merged.guesses.near_miss(&value.text, known.iter().map(String::as_str)) {
            Some(near) => diagnostic.did_you_mean(near),
            None => diagnostic.help(format!("it has {}", list(&known, "and"))),
        };
        self.diagnostics.push(diagnostic);
    }

    fn unknown_part(&mut self, name: &Name, word: &str) -> Option<Says> {
        let words: Vec<&str> = Part::ALL.iter().map(|(word, _)| *word).collect();
        let end = name.span.end as usize;
        let span = Span::new(name.span.source, end - word.len(), end);
        let diagnostic = Diagnostic::error("names::unknown", span, format!("no look has a part `{word}`"))
            .label("not known");
        let diagnostic = match self.merged.guesses.near_miss(word, words.iter().copied()) {
            Some(near) => diagnostic.did_you_mean(near),
            None => diagnostic.help(format!("the parts are {}", list(&words, "and"))),
        };
        self.diagnostics.push(diagnostic);
        None
    }

    fn unknown_look(&mut self, name: &Name) -> Option<Says> {
        let mut known: Vec<&str> =
            self.kinds.iter().flat_map(|kind| kind.things.iter()).map(|thing| thing.name.as_str()).collect();
        known.extend(self.columns.iter().map(|column| column.name.as_str()));
        known.extend(self.kinds.iter().map(|kind| kind.name.as_str()));
        let message = format!("nothing is called `{}`", name.text);
        let diagnostic = Diagnostic::error("names::unknown", name.span, message).label("not known");
        let diagnostic = match self.merged.guesses.near_miss(&name.text, known) {
            Some(near) => diagnostic.did_you_mean(near),
            None => diagnostic.help(
                "a look is of a kind and a part of it, `look block corner: rating`, or of a name, `look Water: sea`",
            ),
        };
        self.diagnostics.push(diagnostic);
        None
    }
}

/// How many columns a part is drawn from, and what they are.
fn wanted(part: Part) -> (std::ops::RangeInclusive<usize>, &'static str) {
    match part {
        Part::At => (1..=1, "a fact or state that holds the thing that it stands on"),
        Part::Side => (1..=1, "a fact or state that holds a player"),
        Part::Hand => (1..=1, "a state that holds a player"),
        Part::Home => (1..=1, "a fact that holds a player"),
        Part::Pips => (2..=2, "a state that is a number, and the fact that it begins as"),
        Part::Corner => (1..=1, "a fact or state that holds a thing or a number"),
        Part::Value => (1..=1, "a fact that holds a number or a thing"),
        Part::Counts => (1..=1, "a state that is a number, of it and of a second kind"),
        Part::Glyph => (1..=1, "a fact that holds a thing whose name is drawn"),
        Part::Aside | Part::Spent => (1..=1, "a state that is a flag"),
        Part::Badge => (1..=1, "a fact or state that is a flag"),
        Part::Box => (1..=1, "a state that holds a thing"),
        Part::Marks => (1..=12, "facts"),
        Part::Ground | Part::Region | Part::Line => (1..=1, "a fact that holds a thing"),
        Part::Point => (1..=1, "a fact that is a point"),
    }
}
