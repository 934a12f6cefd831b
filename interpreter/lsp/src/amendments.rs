//! Who changes what: all changes in the pages of a game and of all its variants, whichever are laid on it now.

use std::collections::BTreeMap;
use std::sync::Arc;

use blazon_check::DefinitionKind;
use blazon_check::project::Page;
use blazon_diagnostics::Sources;

use crate::documents::Documents;
use crate::outline::{self, Change};
use crate::workspace::Texts;

/// A change of something that is declared elsewhere.
#[derive(Clone, Debug)]
pub struct Amendment {
    /// The variant that makes it; the game itself, if none.
    pub variant: Option<String>,
    /// `in rule`, `replace step`, …
    pub words: String,
    /// The name of what is changed.
    pub name: String,
    /// What that is, as far as the words say it.
    pub kind: Option<DefinitionKind>,
    /// Where.
    pub place: String,
}

impl Amendment {
    /// The change in a line.
    pub fn told(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{variant}: {} {} ({})", self.words, self.name, self.place),
            None => format!("{} {} ({})", self.words, self.name, self.place),
        }
    }
}

/// The changes of pages, as they were when they were last asked for.
#[derive(Debug, Default)]
pub struct Amendments {
    pages: BTreeMap<String, (String, Arc<Vec<Amendment>>)>,
}

impl Amendments {
    /// All changes of a game and its variants as they are now.
    pub fn all(&mut self, texts: &Texts, documents: &Documents) -> Vec<Amendment> {
        let stack: Vec<usize> = (0..texts.rules.variants.len()).collect();
        let project = texts.project(&stack, documents);
        let game = project.game.pages.iter().map(|page| (None, page));
        let variants = project.variants.iter().zip(&stack).flat_map(|(folder, place)| {
            let name = texts.rules.variants.get(*place).map(|variant| variant.name.clone());
            folder.pages.iter().map(move |page| (name.clone(), page))
        });
        let mut found = Vec::new();
        for (variant, page) in game.chain(variants) {
            found.extend(self.of_page(variant, page).iter().cloned());
        }
        found
    }

    fn of_page(&mut self, variant: Option<String>, page: &Page) -> Arc<Vec<Amendment>> {
        if let Some((text, known)) = self.pages.get(&page.name)
            && *text == page.text
        {
            return known.clone();
        }
        let mut sources = Sources::default();
        let id = sources.add(page.name.as_str(), page.text.as_str());
        let (file, _) = blazon_syntax::parse(id, &page.text);
        let source = sources.get(id);
        let amendment = |change: Change| {
            let place = format!("{}:{}", page.name, source.line_col(change.name.span.start).0);
            Amendment {
                variant: variant.clone(),
                words: change.words,
                name: change.name.text,
                kind: change.kind,
                place,
            }
        };
        let found: Vec<Amendment> = outline::changes(&file).into_iter().map(amendment).collect();
        let found = Arc::new(found);
        self.pages.insert(page.name.clone(), (page.text.clone(), found.clone()));
        found
    }
}
