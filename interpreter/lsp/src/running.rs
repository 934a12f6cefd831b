//! What rules are worth in the game that is under way on a board: a table of the game, as the server of boards keeps it on
//! the disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use blazon::Game;
use blazon_book::{Base, Book, Local, RuleId, Type};
use blazon_check::Definition;
use blazon_machine::save::{Replayed, Save};

/// So many of the newest tables are looked at: one that is of another game is passed over.
const TABLES: usize = 8;
/// So many values are told.
const VALUES: usize = 12;
/// The copy of a game beside its log.
const COPY: &str = "save.game";

/// Where a game that is under way is found on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tables {
    /// Below a folder of tables: the newest that is of the game.
    Newest(PathBuf),
    /// In a table's own folder, and in no other: nobody is told anything of other people's tables.
    One(PathBuf),
}

/// The game that is under way.
#[derive(Default)]
pub struct Running {
    /// Where tables are kept.
    tables: Option<Tables>,
    /// Of each of the newest copies when it was written, and of which game it is, if it can be read.
    titles: HashMap<PathBuf, (SystemTime, Option<String>)>,
    last: Option<Last>,
}

/// What was looked at last.
struct Last {
    book: Arc<Book>,
    copy: (PathBuf, SystemTime),
    /// The game under these rules; nothing if it does not come to where it stands.
    game: Option<Box<Game>>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("tables", &self.tables).finish_non_exhaustive()
    }
}

impl Running {
    /// Of these tables.
    pub fn new(tables: Option<Tables>) -> Self {
        Self { tables, ..Self::default() }
    }

    /// What a rule gives now, in words; nothing if no game is under way, or it asks for more than one thing.
    pub fn worth(&mut self, book: Option<Arc<Book>>, rule: Definition) -> Option<String> {
        let book = book?;
        let holds = |place: &usize| book.rules[*place].span.contains(rule.span);
        let id = (0..book.rules.len()).find(holds)?;
        let copy = self.newest(&book)?;
        let game = self.game(&book, copy)?;
        told(game, &book, RuleId(id as u32))
    }

    /// The newest table of a game: its copy, and when that was written.
    fn newest(&mut self, book: &Book) -> Option<(PathBuf, SystemTime)> {
        let tables = match self.tables.as_ref()? {
            Tables::Newest(folder) => folder.read_dir().ok()?.flatten().map(|table| table.path()).collect(),
            Tables::One(folder) => vec![folder.clone()],
        };
        let copies = tables.into_iter().filter_map(|table| {
            let copy = table.join(COPY);
            Some((copy.metadata().ok()?.modified().ok()?, copy))
        });
        let mut copies: Vec<(SystemTime, PathBuf)> = copies.collect();
        copies.sort_unstable_by(|a, b| b.cmp(a));
        copies.truncate(TABLES);
        self.titles.retain(|path, _| copies.iter().any(|(_, copy)| copy == path));
        let found = copies.into_iter().find(|(written, copy)| self.is_of(book, copy, *written));
        found.map(|(written, copy)| (copy, written))
    }

    /// Whether a copy is of a game. It is read once, as long as nobody writes it anew.
    fn is_of(&mut self, book: &Book, copy: &Path, written: SystemTime) -> bool {
        let known = self.titles.get(copy).filter(|(at, _)| *at == written);
        let title = match known {
            Some((_, title)) => title,
            None => {
                let title = read(copy).map(|save| save.rules.game);
                &self.titles.entry(copy.to_owned()).insert_entry((written, title)).into_mut().1
            }
        };
        title.as_ref() == Some(&book.title)
    }

    /// The game of a copy, played again by these rules.
    fn game(&mut self, book: &Arc<Book>, copy: (PathBuf, SystemTime)) -> Option<&mut Game> {
        let is_known = |last: &Last| Arc::ptr_eq(&last.book, book) && last.copy == copy;
        if !self.last.as_ref().is_some_and(is_known) {
            let game = read(&copy.0).and_then(|save| played(book, &save)).map(Box::new);
            self.last = Some(Last { book: book.clone(), copy, game });
        }
        self.last.as_mut()?.game.as_deref_mut()
    }
}

fn read(copy: &Path) -> Option<Save> {
    Save::from_text(&std::fs::read_to_string(copy).ok()?).ok()
}

fn played(book: &Arc<Book>, save: &Save) -> Option<Game> {
    let program = blazon_program::lower(book.clone()).ok()?;
    let mut game = Game::new(Arc::new(program)).ok()?;
    matches!(game.replay(save), Ok(Replayed::Whole)).then_some(game)
}

fn told(game: &mut Game, book: &Book, id: RuleId) -> Option<String> {
    let rule = book.rule(id);
    match &rule.locals[..rule.params] {
        [] => Some(format!("now: {}", game.worth(id, &[]).ok()?)),
        [Local { ty: Type { base: Base::Thing(kind), .. }, .. }] => {
            let names = book.kind(*kind).things.iter().map(|thing| thing.name.as_str());
            let values = names.enumerate().filter_map(|(thing, name)| {
                Some((name, game.worth(id, &[i64::try_from(thing).ok()?]).ok()?))
            });
            let values: Vec<(&str, String)> = values.collect();
            Some(if rule.ty.base == Base::Flag { holds(&values) } else { each(&values) })
        }
        _ => None,
    }
}

/// Of which things a flag is true.
fn holds(values: &[(&str, String)]) -> String {
    let names: Vec<&str> = values.iter().filter(|(_, value)| value == "yes").map(|(name, _)| *name).collect();
    match names.as_slice() {
        [] => "true now of none".to_owned(),
        names if names.len() == values.len() => "true now of all".to_owned(),
        names => format!("true now of: {}", some(names.iter().map(|name| (*name).to_owned()).collect())),
    }
}

fn each(values: &[(&str, String)]) -> String {
    format!("now: {}", some(values.iter().map(|(name, value)| format!("{name} {value}")).collect()))
}

/// Some of many.
fn some(words: Vec<String>) -> String {
    let more = words.len().saturating_sub(VALUES);
    let shown = words[..words.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
