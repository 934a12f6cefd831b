//! A game that pages of the editor belong to, and its stacks of variants, each looked at when it is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use blazon_check::project::{ParseCache, parse_anyway};

use super::analysed::{Analysed, Tests};
use super::read::Read;
use super::texts::Texts;
use crate::documents::Documents;
use crate::places::Encoding;

/// How many answers about one text are kept.
const KEPT: usize = 4;

/// Which variants lie on a game, by place.
pub type Stack = Vec<usize>;

impl From<&Stack> for View {
    fn from(stack: &Stack) -> Self {
        Self { stack: stack.clone(), is_lean: false }
    }
}

/// How much of a game is looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct View {
    /// The variants on it.
    pub stack: Stack,
    /// Whether the game's own tests are left out: with a variant they say nothing that they do not say without.
    pub is_lean: bool,
}

/// A game with its variants.
#[derive(Debug)]
pub struct Game {
    /// What is on the disk.
    pub texts: Texts,
    /// Counts the changes of its texts.
    pub revision: u64,
    stacks: BTreeMap<View, Looked>,
}

/// A stack as it was last looked at.
#[derive(Debug, Default)]
struct Looked {
    cache: ParseCache,
    revision: u64,
    read: Option<Arc<Read>>,
    answers: Vec<(Tests, Arc<Analysed>)>,
}

impl Game {
    /// A game that nothing was asked about.
    pub fn new(texts: Texts) -> Self {
        Self { texts, revision: 1, stacks: BTreeMap::new() }
    }

    /// The pages of a stack as they are now.
    pub fn read(&mut self, view: &View, documents: &Documents, encoding: Encoding) -> Arc<Read> {
        let looked = self.stacks.entry(view.clone()).or_default();
        if looked.revision == self.revision
            && let Some(read) = &looked.read
        {
            return read.clone();
        }
        let mut project = self.texts.project(&view.stack, documents);
        if view.is_lean {
            project.game.tests.clear();
        }
        let ground = self.texts.ground.clone();
        let looked = self.stacks.entry(view.clone()).or_default();
        let parsed = parse_anyway(&project, &mut looked.cache);
        let read = Arc::new(Read::new(parsed, &ground, encoding));
        looked.revision = self.revision;
        looked.read = Some(read.clone());
        looked.answers.clear();
        read
    }

    /// A stack looked at as it is now.
    pub fn analysed(
        &mut self,
        view: &View,
        tests: Tests,
        documents: &Documents,
        encoding: Encoding,
    ) -> Arc<Analysed> {
        let read = self.read(view, documents, encoding);
        let looked = self.stacks.entry(view.clone()).or_default();
        if let Some((_, known)) = looked.answers.iter().find(|(known, _)| *known == tests) {
            return known.clone();
        }
        let analysed = Arc::new(Analysed::new(&read, &tests));
        if looked.answers.len() >= KEPT {
            looked.answers.remove(0);
        }
        looked.answers.push((tests, analysed.clone()));
        analysed
    }

    /// The trees of a stack, to be looked at again with a few pages changed.
    pub fn trees(&self, view: &View) -> ParseCache {
        self.stacks.get(view).map(|looked| looked.cache.clone()).unwrap_or_default()
    }
}
