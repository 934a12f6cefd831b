//! Which name means what: from every use to its definition, and back.

use std::collections::BTreeSet;

use blazon_diagnostics::{SourceId, Span};

/// What a name can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefinitionKind {
    /// A kind, by its name.
    Kind,
    /// The set of all of a kind, where the kind says what it is called.
    Plural,
    /// A thing, links included.
    Thing,
    /// A fact.
    Fact,
    /// A state.
    State,
    /// A rule.
    Rule,
    /// A step.
    Step,
    /// An option of a choice.
    Option,
    /// A parameter, or a variable of a statement, query or option.
    Variable,
    /// A ruling.
    Ruling,
    /// A value of a ruling.
    RulingValue,
    /// A setup.
    Setup,
    /// A clause or need, by its label.
    Clause,
    /// A case, by its first value.
    Case,
    /// A `whenever`.
    Watch,
    /// An `invariant`.
    Invariant,
    /// A `look`.
    Look,
    /// A scene of tests.
    Scene,
    /// A list of links.
    Links,
    /// A table of things.
    Table,
    /// A grid.
    Grid,
}

impl DefinitionKind {
    /// Whether one can stand in the place of the other under its name: a fact becomes a state.
    pub fn replaces(self, other: Self) -> bool {
        let is_column = |kind| matches!(kind, Self::Fact | Self::State);
        self == other || is_column(self) && is_column(other)
    }
}

/// What a name means, and where that is declared: a definition is told from others by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Definition {
    /// What it is.
    pub kind: DefinitionKind,
    /// The name where it is declared. For a link it is the line that lists it.
    pub span: Span,
}

/// All uses of names in a game, those in tests, in amendments and under rulings that fold them away included. A name
/// can mean several things at once: an option of a test stands for all options of that name.
///
/// What is amended keeps a definition of its own for each time that it is written: the name behind `replace rule` is
/// a use of the rule that was there before, and the definition of what stands there now. [`References::family`] brings
/// them together.
#[derive(Clone, Debug, Default)]
pub struct References {
    /// By place, each once.
    uses: Vec<(Span, Definition)>,
    /// The same, by definition.
    defined: Vec<(Definition, Span)>,
    /// What is declared and used, each once, by the place of its name.
    declared: Vec<(Span, Definition)>,
}

impl References {
    pub(crate) fn new(mut uses: Vec<(Span, Definition)>) -> Self {
        uses.sort_unstable();
        uses.dedup();
        let mut defined: Vec<_> = uses.iter().map(|&(span, definition)| (definition, span)).collect();
        defined.sort_unstable();
        let mut declared: Vec<_> =
            defined.iter().map(|&(definition, _)| (definition.span, definition)).collect();
        declared.dedup();
        declared.sort_unstable();
        Self { uses, defined, declared }
    }

    /// All uses in the order of their places, with what they mean.
    pub fn iter(&self) -> impl Iterator<Item = (Span, Definition)> {
        self.uses.iter().copied()
    }

    /// What a name at an offset means: that of the shortest use around it. Empty if no name is used there; the name of
    /// a definition itself is found by [`References::definition_at`].
    pub fn at(&self, source: SourceId, offset: u32) -> Vec<Definition> {
        let around = |span: &Span| span.touches(source, offset);
        let first = self.uses.partition_point(|(span, _)| span.source < source);
        let here =
            self.uses[first..].iter().take_while(|(span, _)| span.source == source && span.start <= offset);
        let found: Vec<&(Span, Definition)> = here.filter(|(span, _)| around(span)).collect();
        let shortest = found.iter().map(|(span, _)| span.end - span.start).min();
        let is_shortest = |span: &Span| Some(span.end - span.start) == shortest;
        found.iter().filter(|(span, _)| is_shortest(span)).map(|(_, definition)| *definition).collect()
    }

    /// The definition whose name stands at an offset, if anything uses it.
    pub fn definition_at(&self, source: SourceId, offset: u32) -> Option<Definition> {
        self.declared.iter().find(|(span, _)| span.touches(source, offset)).map(|(_, definition)| *definition)
    }

    /// Where a definition is used, in the order of places.
    pub fn uses_of(&self, definition: Definition) -> impl Iterator<Item = Span> {
        let first = self.defined.partition_point(|(other, _)| *other < definition);
        self.defined[first..].iter().take_while(move |(other, _)| *other == definition).map(|(_, span)| *span)
    }

    /// A definition with those that it replaces and those that replace it, and all their uses: every place that a new
    /// name touches. Some may be written in another way than the name, as `neighbours` for a kind of links.
    pub fn family(&self, definition: Definition) -> Vec<Span> {
        let mut spans = BTreeSet::from([definition.span]);
        let mut waiting = vec![definition];
        while let Some(next) = waiting.pop() {
            let replacing = self.uses_of(next).flat_map(|span| at(&self.declared, span));
            for other in
                at(&self.uses, next.span).chain(replacing).filter(|other| other.kind.replaces(next.kind))
            {
                if spans.insert(other.span) {
                    waiting.push(other);
                }
            }
            spans.extend(self.uses_of(next));
        }
        spans.into_iter().collect()
    }

    /// What the name at exactly this place means.
    pub fn meant_at(&self, span: Span) -> impl Iterator<Item = Definition> {
        at(&self.uses, span)
    }

    /// What is declared at exactly this place, if anything uses it.
    pub fn declared_at(&self, span: Span) -> impl Iterator<Item = Definition> {
        at(&self.declared, span)
    }
}

/// What stands at a place in a list that is ordered by places.
fn at(list: &[(Span, Definition)], span: Span) -> impl Iterator<Item = Definition> {
    let first = list.partition_point(|(other, _)| *other < span);
    list[first..].iter().take_while(move |(other, _)| *other == span).map(|(_, definition)| *definition)
}

/// Names used, and what they mean. Nothing is noted where nobody asked for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses(Option<Vec<(Span, Definition)>>);

impl Uses {
    /// A list that notes, if it is wanted.
    pub fn wanted(wanted: bool) -> Self {
        Self(wanted.then(Vec::new))
    }

    pub fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Notes that a name at one place means what is declared at another.
    pub fn note(&mut self, at: Span, sort: DefinitionKind, declared: Span) {
        if let Some(noted) = &mut self.0
            && at != declared
            && declared != Span::default()
        {
            noted.push((at, Definition { kind: sort, span: declared }));
        }
    }

    /// All that was noted.
    pub fn taken(&mut self) -> Vec<(Span, Definition)> {
        self.0.take().unwrap_or_default()
    }
}
