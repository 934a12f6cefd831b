//! All places where a name stands: in the game, in its tests, and in every variant that speaks of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use blazon_check::{Definition, DefinitionKind, References};
use blazon_diagnostics::Span;
use blazon_syntax::plain_name;

use crate::headings;
use crate::outline::{self, Sort};
use crate::workspace::{Analysed, Belongs, Extent, Stack, Workspace, names};

/// The places of a name in one stack.
#[derive(Debug)]
pub struct InStack {
    /// The variants.
    pub stack: Stack,
    /// The game as it was looked at.
    pub book: Arc<Analysed>,
    /// Where the name stands, its declarations among them.
    pub spans: Vec<Span>,
    /// Where it is declared.
    pub declared: Vec<Span>,
}

/// The places of what a name means, in the stack that it was asked in first. What names something else by one of the
/// other words is looked at, too.
pub fn everywhere(
    workspace: &mut Workspace,
    belongs: &Belongs,
    book: &Analysed,
    definitions: &[Definition],
    others: &[String],
) -> Vec<InStack> {
    // A variable is known in one item and in what amends that; no test knows it.
    let item = if definitions.iter().all(|one| one.kind == DefinitionKind::Variable) {
        definitions.iter().map(|one| item_around(book, *one)).collect::<Option<Vec<String>>>()
    } else {
        None
    };
    let tests = item.is_none();
    let words = item.unwrap_or_else(|| words(book, definitions));
    let stacks = stacks(workspace, belongs, &words);
    let extent = Extent::Naming { words: words.into_iter().chain(others.iter().cloned()).collect(), tests };
    let wanted: Vec<(Stack, Extent)> = stacks.iter().map(|stack| (stack.clone(), extent.clone())).collect();
    let looked = workspace.all_analysed(&belongs.game, &wanted);
    let found = stacks.into_iter().zip(looked).map(|(stack, looked)| {
        let here = definitions.iter().filter_map(|definition| {
            let source = looked.read.same(&book.read, definition.span.source)?;
            Some(Definition { span: Span { source, ..definition.span }, ..*definition })
        });
        let here = headings::together(&looked, here.collect());
        let (spans, declared) = family(&looked.checked.references, here);
        InStack { stack, book: looked, spans, declared }
    });
    found.collect()
}

/// The longest word of the name of the rule, step or other item that a variable belongs to.
fn item_around(book: &Analysed, variable: Definition) -> Option<String> {
    let entries = outline::entries(book.read.file(variable.span.source)?);
    let at = variable.span.start;
    let entry = entries.iter().find(|entry| entry.extent.start <= at && at < entry.extent.end)?;
    matches!(entry.sort, Sort::Definition(_)).then(|| longest(&entry.name))
}

/// The longest word of a name: a page may have more blanks between two words, or a line's end.
pub fn longest(name: &str) -> String {
    name.split(' ').max_by_key(|word| word.len()).unwrap_or_default().to_owned()
}

/// The words that stand wherever one of these is named.
fn words(book: &Analysed, definitions: &[Definition]) -> Vec<String> {
    let mut words = BTreeSet::new();
    for definition in definitions {
        let name = plain_name(book.read.text(definition.span));
        words.insert(longest(&name));
    }
    // Neighbours of a place are asked for by that word alone.
    if definitions.iter().any(|definition| definition.kind == DefinitionKind::Kind) {
        words.insert("neighbours".to_owned());
    }
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

/// The stacks in which a name can stand: that of the page, the game alone, and each variant in whose pages one of the
/// words stands.
fn stacks(workspace: &Workspace, belongs: &Belongs, words: &[String]) -> Vec<Stack> {
    let mut stacks = vec![belongs.stack.clone()];
    let Some(game) = workspace.game(belongs) else { return stacks };
    if !belongs.stack.is_empty() && game.texts.rules.root.is_some() {
        stacks.push(Stack::new());
    }
    let all: Stack = (0..game.texts.rules.variants.len()).collect();
    let project = game.texts.project(&all, workspace.documents());
    for (place, folder) in project.variants.iter().enumerate() {
        let mut pages = folder.pages.iter().chain(&folder.tests).chain(&folder.data);
        let names = pages.any(|page| words.iter().any(|word| names(&page.text, word)));
        let stack = game.texts.alone(place, workspace.documents());
        if names && belongs.stack != stack {
            stacks.push(stack);
        }
    }
    stacks
}

/// All uses and declarations of some definitions and of those that replace them and are replaced by them; of options those
/// of every option that shares a use with them, for a test that names an option means every option of that name.
fn family(references: &References, definitions: Vec<Definition>) -> (Vec<Span>, Vec<Span>) {
    let mut spans = BTreeSet::new();
    let (mut declared, mut visited) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting = definitions;
    while let Some(definition) = waiting.pop() {
        let family = references.family(definition);
        let others = family.iter().flat_map(|span| references.declared_at(*span));
        declared.extend(others.filter(|other| other.kind.replaces(definition.kind)).map(|other| other.span));
        if !visited.insert(definition) {
            continue;
        }
        declared.insert(definition.span);
        for span in family {
            spans.insert(span);
            match definition.kind {
                DefinitionKind::Option => {
                    let others = references.meant_at(span).chain(references.declared_at(span));
                    waiting.extend(others.filter(|other| other.kind == definition.kind));
                }
                // In the value of a fact or state its key is called by the name of its kind.
                DefinitionKind::Kind => {
                    let key = Definition { kind: DefinitionKind::Variable, span };
                    if references.uses_of(key).next().is_some() {
                        waiting.push(key);
                    }
                }
                DefinitionKind::Plural
                | DefinitionKind::Thing
                | DefinitionKind::Fact
                | DefinitionKind::State
                | DefinitionKind::Rule
                | DefinitionKind::Step
                | DefinitionKind::Variable
                | DefinitionKind::Ruling
                | DefinitionKind::RulingValue
                | DefinitionKind::Setup
                | DefinitionKind::Clause
                | DefinitionKind::Case
                | DefinitionKind::Watch
                | DefinitionKind::Invariant
                | DefinitionKind::Look
                | DefinitionKind::Scene
                | DefinitionKind::Links
                | DefinitionKind::Table
                | DefinitionKind::Grid => {}
            }
        }
    }
    (spans.into_iter().collect(), declared.into_iter().collect())
}
