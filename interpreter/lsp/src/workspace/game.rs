//! A game that pages of the editor belong to, and its stacks of variants, each looked at when it is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use blazon_check::project::{ParseCache, parse_anyway};
use rayon::prelude::*;

use super::analysed::{Analysed, Extent};
use super::read::Read;
use super::texts::Texts;
use crate::cores;
use crate::documents::Documents;
use crate::places::Encoding;

/// How many answers about one text are kept.
const KEPT: usize = 4;

/// Which variants lie on a game, by place.
pub type Stack = Vec<usize>;

/// A game with its variants.
#[derive(Debug)]
pub struct Game {
    /// What is on the disk.
    pub texts: Texts,
    /// Counts the changes of its texts.
    pub revision: u64,
    stacks: BTreeMap<Stack, Looked>,
}

/// A stack as it was last looked at.
#[derive(Debug, Default)]
struct Looked {
    cache: ParseCache,
    revision: u64,
    read: Option<Arc<Read>>,
    answers: Vec<Arc<Analysed>>,
}

impl Game {
    /// A game that nothing was asked about.
    pub fn new(texts: Texts) -> Self {
        Self { texts, revision: 1, stacks: BTreeMap::new() }
    }

    /// Takes in what is on the disk now; whether that says something else than what was known.
    pub fn reread(&mut self, texts: Texts, documents: &Documents) -> bool {
        let changes = !self.texts.says_the_same(&texts, documents);
        self.texts = texts;
        self.revision += u64::from(changes);
        changes
    }

    /// The pages of a stack as they are now.
    pub fn read(&mut self, stack: &Stack, documents: &Documents, encoding: Encoding) -> Arc<Read> {
        let mut looked = self.taken(stack);
        let read = looked.read(self, stack, documents, encoding);
        self.stacks.insert(stack.clone(), looked);
        read
    }

    /// A stack looked at as it is now.
    pub fn analysed(
        &mut self,
        stack: &Stack,
        extent: &Extent,
        documents: &Documents,
        encoding: Encoding,
    ) -> Arc<Analysed> {
        let mut looked = self.taken(stack);
        let analysed = looked.analysed(self, stack, extent, documents, encoding);
        self.stacks.insert(stack.clone(), looked);
        analysed
    }

    /// Several stacks looked at as they are now, by all cores. Each stack is there once.
    pub fn all_analysed(
        &mut self,
        wanted: &[(Stack, Extent)],
        documents: &Documents,
        encoding: Encoding,
    ) -> Vec<Arc<Analysed>> {
        // The first of each length is read before the others, which then have its trees.
        for (stack, _) in wanted {
            if !self.stacks.contains_key(stack) {
                let looked = match self.stacks.keys().any(|known| known.len() == stack.len()) {
                    true => self.taken(stack),
                    false => {
                        self.read(stack, documents, encoding);
                        continue;
                    }
                };
                self.stacks.insert(stack.clone(), looked);
            }
        }
        let take = |(stack, extent)| (stack, extent, self.taken(stack));
        let mut taken: Vec<(&Stack, &Extent, Looked)> =
            wanted.iter().map(|(stack, extent)| (stack, extent)).map(take).collect();
        let game = &*self;
        let look = |(stack, extent, looked): &mut (&Stack, &Extent, Looked)| {
            looked.analysed(game, stack, extent, documents, encoding)
        };
        let found = cores::on_all(|| taken.par_iter_mut().map(look).collect());
        self.stacks.extend(taken.into_iter().map(|(stack, _, looked)| (stack.clone(), looked)));
        found
    }

    /// The trees of a stack, to be looked at again with a few pages changed.
    pub fn trees(&self, stack: &Stack) -> ParseCache {
        self.stacks.get(stack).map(|looked| looked.cache.clone()).unwrap_or_default()
    }

    /// What is known of a stack. One that was never asked about has the trees of another with as many variants: the
    /// game's own pages have the same numbers in both.
    fn taken(&mut self, stack: &Stack) -> Looked {
        self.stacks.remove(stack).unwrap_or_else(|| {
            let like = self.stacks.iter().find(|(other, _)| other.len() == stack.len());
            Looked {
                cache: like.map(|(_, looked)| looked.cache.clone()).unwrap_or_default(),
                ..Looked::default()
            }
        })
    }
}

impl Looked {
    fn read(&mut self, game: &Game, stack: &Stack, documents: &Documents, encoding: Encoding) -> Arc<Read> {
        if self.revision == game.revision
            && let Some(read) = &self.read
        {
            return read.clone();
        }
        let project = game.texts.project(stack, documents);
        let parsed = parse_anyway(&project, &mut self.cache);
        let read = Arc::new(Read::new(parsed, &game.texts.ground, encoding));
        self.revision = game.revision;
        self.read = Some(read.clone());
        self.answers.clear();
        read
    }

    fn analysed(
        &mut self,
        game: &Game,
        stack: &Stack,
        extent: &Extent,
        documents: &Documents,
        encoding: Encoding,
    ) -> Arc<Analysed> {
        let read = self.read(game, stack, documents, encoding);
        if let Some(known) = self.answers.iter().find(|known| known.extent == *extent) {
            return known.clone();
        }
        let analysed = Arc::new(Analysed::new(&read, extent));
        if self.answers.len() >= KEPT {
            self.answers.remove(0);
        }
        self.answers.push(analysed.clone());
        analysed
    }
}
