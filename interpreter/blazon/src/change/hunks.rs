//! A change of rules' texts in parts that can be laid on one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use blazon_check::manifest::Manifest;
use blazon_check::project::{Folder, Page, Project};
use blazon_diagnostics::{SourceId, Sources, Span};
use blazon_syntax::ast;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::texts::{Home, Key, Sort, below, in_library, name_of, of_sort, outlines, pages, root_of, sorted};

/// A change of rules' texts: two projects, and what differs between them.
#[derive(Clone, Debug)]
pub struct Change {
    before: Project,
    after: Project,
    hunks: Vec<Hunk>,
    /// The pages that differ, in the order of the hunks.
    pages: BTreeMap<Key, Vec<Piece>>,
}

/// Lines that became others; of a page that is new, or gone, one of its items, or one of several changes within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The page as messages name it.
    pub page: String,
    /// The first line that is another, from 1: in the new page, or in the old one if the page is gone.
    pub line: usize,
    /// The first line of the item around it, without what only opens a block: `rule limit(b: border): number`. Of one of
    /// several changes within an item its own first line, too: `in rule price { replace | Foot | 3 | }`.
    pub item: String,
    /// What stood there, line by line.
    pub removed: Vec<String>,
    /// What stands there.
    pub added: Vec<String>,
    /// Whether the item around it changes what is declared elsewhere.
    pub(super) amends: bool,
}

/// A piece of a page: the same before and after, a hunk by its place, or what stands around hunks and is there with any of
/// them: what opens and closes an item of which each change is a hunk.
#[derive(Clone, Debug)]
enum Piece {
    Same(String),
    Hunk(usize),
    Around(Range<usize>, String),
}

/// A ruling that a manifest settles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The ruling.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Where it says so, as messages name places.
    pub place: String,
}

impl Settled {
    fn in_manifest(page: &Page) -> Vec<Self> {
        let Ok(manifest) = Manifest::read(&page.text) else { return Vec::new() };
        // The list may begin on a line above.
        let begins = page.text.lines().position(|line| line.trim_start().starts_with("rulings"));
        let begins = begins.or_else(|| page.text.lines().position(|line| line.contains("rulings")));
        let begins = begins.unwrap_or_default();
        let of = |(name, value): &(String, String)| {
            let quoted = format!("\"{name}\"");
            let says = page.text.lines().skip(begins).position(|line| line.contains(&quoted));
            let line = begins + says.unwrap_or_default() + 1;
            let (name, value) = (name.clone(), value.clone());
            Self { name, value, place: format!("{}:{line}", page.name) }
        };
        manifest.rulings().iter().map(of).collect()
    }
}

impl Hunk {
    /// Whether it changes or takes away what was there, rather than only adding to it.
    pub(super) fn changes(&self) -> bool {
        !self.removed.is_empty() || self.amends
    }

    /// The change as a diff: `- ` before what went, `+ ` before what came.
    pub fn diff(&self) -> String {
        let gone = self.removed.iter().map(|line| format!("- {line}\n"));
        gone.chain(self.added.iter().map(|line| format!("+ {line}\n"))).collect()
    }

    /// Where it is, as messages name places: its first line that says something. What stands above an item as a comment
    /// comes with it, and is no change of the rules.
    pub fn place(&self) -> String {
        // Where lines only went, what stands there now is not theirs to count from.
        let above = self.added.iter().position(|line| says(line)).unwrap_or_default();
        format!("{}:{}", self.page, self.line + above)
    }
}

impl Change {
    /// What differs between two projects. Pages are told apart by folder and name; tests are left out, since no game is
    /// played by them.
    pub fn new(before: &Project, after: &Project) -> Self {
        let (before, after) = (without_tests(before), without_tests(after));
        let old: BTreeMap<Key, &Page> = pages(&before).into_iter().collect();
        let new: BTreeMap<Key, &Page> = pages(&after).into_iter().collect();
        let (mut hunks, mut changed) = (Vec::new(), BTreeMap::new());
        let words: BTreeSet<Key> = [&before, &after].into_iter().flat_map(outlines).collect();
        let keys: BTreeSet<&Key> = old.keys().chain(new.keys()).collect();
        for key in keys {
            let pieces = match (old.get(key), new.get(key)) {
                (Some(was), Some(is)) if was.text == is.text => continue,
                // What paragraphs are called parts no game, and what cites them is sound with it only.
                (was, is) if words.contains(key) => vec![Piece::Same(both_listed(was, is))],
                // What a new folder says of itself comes with it.
                (None, Some(_)) | (Some(_), None) if key.sort == Sort::Manifest => continue,
                (Some(was), Some(is)) => lines(key.sort, was, is, &mut hunks),
                (None, Some(is)) => items(key.sort, is, true, &mut hunks),
                (Some(was), None) => items(key.sort, was, false, &mut hunks),
                (None, None) => continue,
            };
            changed.insert(key.clone(), pieces);
        }
        Self { before, after, hunks, pages: changed }
    }

    /// The parts, by page and line.
    pub fn hunks(&self) -> &[Hunk] {
        &self.hunks
    }

    /// How many of the parts lie in no folder of some variants.
    pub fn beside(&self, variants: &[String]) -> usize {
        let is_beside = |key: &Key| !matches!(&key.home, Home::Variant(name) if variants.contains(name));
        let pieces = self.pages.iter().filter(|(key, _)| is_beside(key)).flat_map(|(_, pieces)| pieces);
        pieces.filter(|piece| matches!(piece, Piece::Hunk(_))).count()
    }

    /// What the manifests of variants that have come settle: with them the rulings are other ones, whatever hunks are laid
    /// on.
    pub fn settled(&self) -> Vec<Settled> {
        let there: Vec<String> = self.before.variants.iter().map(name_of).collect();
        let came = self.after.variants.iter().filter(|folder| !there.contains(&name_of(folder)));
        came.filter_map(|folder| folder.manifest.as_ref()).flat_map(Settled::in_manifest).collect()
    }

    /// Whether the texts are the same.
    pub fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// The rules with some of the hunks, by their places.
    pub(super) fn with(&self, wanted: &[usize]) -> Project {
        let mut project = self.after.clone();
        self.bring_back_folders(&mut project, wanted);
        for (key, pieces) in &self.pages {
            let text: String = pieces.iter().map(|piece| self.text(piece, wanted)).collect();
            self.put(&mut project, key, text);
        }
        project
    }

    /// Variants that are gone, where something of them is to be there.
    fn bring_back_folders(&self, project: &mut Project, wanted: &[usize]) {
        let there: Vec<String> = project.variants.iter().map(name_of).collect();
        for folder in &self.before.variants {
            let name = name_of(folder);
            let home = Home::Variant(name.clone());
            let pieces = self.pages.iter().filter(|(key, _)| key.home == home).flat_map(|(_, pieces)| pieces);
            let is_kept = |piece: &Piece| matches!(piece, Piece::Hunk(place) if !wanted.contains(place));
            if !there.contains(&name) && pieces.into_iter().any(is_kept) {
                let bare =
                    Folder { pages: Vec::new(), tests: Vec::new(), data: Vec::new(), ..folder.clone() };
                project.variants.push(bare);
            }
        }
    }

    fn text(&self, piece: &Piece, wanted: &[usize]) -> String {
        let lines = match piece {
            Piece::Same(text) => return text.clone(),
            Piece::Around(hunks, text) => {
                let is_there = |place: usize| wanted.contains(&place) != self.hunks[place].added.is_empty();
                return if hunks.clone().any(is_there) { text.clone() } else { String::new() };
            }
            Piece::Hunk(place) if wanted.contains(place) => &self.hunks[*place].added,
            Piece::Hunk(place) => &self.hunks[*place].removed,
        };
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Gives a page of the project another text; one that is empty is taken away unless both have it.
    fn put(&self, project: &mut Project, key: &Key, text: String) {
        let folder = match &key.home {
            Home::Library => {
                let is_it = |page: &Page| in_library(page) == key.name;
                let old = self.before.library.iter().find(|page| is_it(page));
                return put_page(&mut project.library, is_it, text, old, &key.name);
            }
            Home::Game => &mut project.game,
            Home::Variant(name) => {
                match project.variants.iter_mut().find(|folder| name_of(folder) == *name) {
                    Some(folder) => folder,
                    None => return,
                }
            }
        };
        let root = root_of(folder);
        let Some(list) = sorted(folder, key.sort) else {
            if let Some(page) = &mut folder.manifest {
                page.text = text;
            }
            return;
        };
        let was = match &key.home {
            Home::Library => None,
            Home::Game => Some(&self.before.game),
            Home::Variant(name) => self.before.variants.iter().find(|folder| name_of(folder) == *name),
        };
        let old = was.and_then(|was| {
            let root = root_of(was);
            of_sort(was, key.sort).iter().find(|page| below(&root, page) == key.name)
        });
        put_page(list, |page| below(&root, page) == key.name, text, old, &key.name);
    }

    /// The place of the hunk that holds a place of the new texts.
    pub(super) fn hunk_at(&self, sources: &Sources, span: Span) -> Option<usize> {
        let source = sources.find(span.source)?;
        let (line, _) = source.line_col(span.start);
        let holds = |hunk: &Hunk| {
            *hunk.page == *source.name && (hunk.line..hunk.line + hunk.added.len()).contains(&line)
        };
        self.hunks.iter().position(holds)
    }
}

/// The outline and the statements of two sides: all lines of the new one, and those for what only the old one names.
fn both_listed(was: Option<&&Page>, is: Option<&&Page>) -> String {
    let number = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let new: Vec<&str> = is.map(|page| page.text.lines().collect()).unwrap_or_default();
    let listed: BTreeSet<String> = new.iter().filter_map(|line| number(line)).collect();
    let old = was.map(|page| page.text.lines()).into_iter().flatten();
    let gone = old.filter(|line| number(line).is_some_and(|number| !listed.contains(&number)));
    new.iter().copied().chain(gone).map(|line| format!("{line}\n")).collect()
}

fn without_tests(project: &Project) -> Project {
    let mut project = project.clone();
    project.variants.iter_mut().chain([&mut project.game]).for_each(|folder| folder.tests.clear());
    project
}

/// Gives the page that is meant another text; one that is new takes the name that it had before.
fn put_page(
    list: &mut Vec<Page>,
    is_it: impl Fn(&Page) -> bool,
    text: String,
    old: Option<&Page>,
    new_name: &str,
) {
    match list.iter().position(is_it) {
        Some(place) if text.is_empty() && old.is_none() => {
            list.remove(place);
        }
        Some(place) => list[place].text = text,
        None if text.is_empty() => {}
        None => {
            let name = old.map_or(new_name, |page| page.name.as_str()).to_owned();
            list.push(Page { name, text });
            list.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
}

/// The pieces of a page that is there before and after. What stands between lines that stayed is cut where it can be: line
/// by line if as many came as went, at the beginnings of items if lines only came or only went.
fn lines(sort: Sort, was: &Page, is: &Page, hunks: &mut Vec<Hunk>) -> Vec<Piece> {
    let old: Vec<&str> = was.text.lines().collect();
    let new: Vec<&str> = is.text.lines().collect();
    let (gone, come) = (Headings::of(sort, &was.text), Headings::of(sort, &is.text));
    let mut pieces = Vec::new();
    for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
        let (tag, from, to) = op.as_tag_tuple();
        let parts = match tag {
            DiffTag::Equal => {
                pieces.push(Piece::Same(to.map(|line| format!("{}\n", new[line])).collect()));
                continue;
            }
            DiffTag::Replace if from.len() == to.len() => {
                from.zip(to).map(|(was, is)| (was..was + 1, is..is + 1)).collect()
            }
            DiffTag::Replace => vec![(from, to)],
            DiffTag::Insert => come.cut(to).into_iter().map(|to| (from.clone(), to)).collect(),
            DiffTag::Delete => gone.cut(from).into_iter().map(|from| (from, to.clone())).collect(),
        };
        let owned = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<String>>();
        for (from, to) in parts {
            let around = if to.is_empty() { gone.around(from.start + 1) } else { come.around(to.end) };
            let (item, amends) =
                around.map(|heading| (heading.words.clone(), heading.amends)).unwrap_or_default();
            let (line, removed, added) = (to.start + 1, owned(&old[from]), owned(&new[to]));
            pieces.push(Piece::Hunk(hunks.len()));
            hunks.push(Hunk { page: is.name.clone(), line, item, removed, added, amends });
        }
    }
    pieces
}

/// The items of a page that has come or gone, each a hunk; of an item that makes several changes each of these.
fn items(sort: Sort, page: &Page, came: bool, hunks: &mut Vec<Hunk>) -> Vec<Piece> {
    let headings = Headings::of(sort, &page.text);
    let lines: Vec<&str> = page.text.lines().collect();
    let mut starts: Vec<usize> = headings.0.iter().map(|heading| heading.line).collect();
    match starts.first_mut() {
        // What stands above the first item belongs to it.
        Some(first) => *first = 1,
        None => starts.push(1),
    }
    starts.dedup();
    let ends = starts.iter().skip(1).map(|line| line - 1).chain([lines.len()]);
    let mut pieces = Vec::new();
    let text =
        |from: usize, end: usize| lines[from - 1..end.max(from - 1)].iter().map(|&line| line.to_owned());
    let mut hunk = |line: usize, end: usize, item: String, amends: bool| {
        let (removed, added) = match came {
            true => (Vec::new(), text(line, end).collect()),
            false => (text(line, end).collect(), Vec::new()),
        };
        hunks.push(Hunk { page: page.name.clone(), line, item, removed, added, amends });
        hunks.len() - 1
    };
    for (&start, end) in starts.iter().zip(ends) {
        let Some(Heading { words, changes, last, amends, .. }) = headings.around(end) else {
            pieces.push(Piece::Hunk(hunk(start, end, String::new(), false)));
            continue;
        };
        let named = |line: usize, end: usize| {
            let more = if text(line, end).skip(1).any(|line| says(&line)) { " …" } else { "" };
            format!("{words} {{ {}{more} }}", said(lines[line - 1]))
        };
        let first = match changes[..] {
            [] => {
                pieces.push(Piece::Hunk(hunk(start, end, words.clone(), *amends)));
                continue;
            }
            [only] => {
                pieces.push(Piece::Hunk(hunk(start, end, named(only, *last), *amends)));
                continue;
            }
            [first, ..] => first,
        };
        let ends = changes.iter().skip(1).map(|line| line - 1).chain([*last]);
        let each: Vec<usize> =
            changes.iter().zip(ends).map(|(&line, end)| hunk(line, end, named(line, end), *amends)).collect();
        let range = each[0]..each[0] + each.len();
        let around =
            |from: usize, end: usize| -> String { text(from, end).map(|line| line + "\n").collect() };
        pieces.push(Piece::Around(range.clone(), around(start, first - 1)));
        pieces.extend(each.into_iter().map(Piece::Hunk));
        pieces.push(Piece::Around(range, around(last + 1, end)));
    }
    pieces
}

/// A line without its comment and what only opens a block.
fn said(line: &str) -> &str {
    let words = line.split(" -- ").next().unwrap_or_default().trim_end();
    words.trim_end_matches('{').trim()
}

/// Whether a line says something of the rules.
fn says(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with("--")
}

/// The items of a page. What is no page of rules has none, whatever words its lines begin with.
struct Headings(Vec<Heading>);

/// An item of a page; lines are counted from 1.
struct Heading {
    /// Where it begins.
    line: usize,
    /// How its first line reads.
    words: String,
    /// Whether it changes what is declared elsewhere.
    amends: bool,
    /// Where the changes begin of which it is made, if each begins a line of its own between those that open and close the
    /// item; else none.
    changes: Vec<usize>,
    /// The last line of these.
    last: usize,
}

impl Headings {
    fn of(sort: Sort, text: &str) -> Self {
        match sort {
            Sort::Page | Sort::Test => {}
            Sort::Data | Sort::Manifest => return Self(Vec::new()),
        }
        let mut sources = Sources::default();
        let id: SourceId = sources.add("page", text);
        let (file, _) = blazon_syntax::parse(id, text);
        let source = sources.get(id);
        let line_of = |at: u32| source.line_col(at).0;
        let heading = |item: &ast::Item| {
            let (line, end) = (line_of(item.span.start), line_of(item.span.end.saturating_sub(1)));
            let words = said(text.lines().nth(line - 1).unwrap_or_default()).to_owned();
            let inside = if let ast::ItemKind::Amend(amend) = &item.kind { inside(amend) } else { &[] };
            let mut changes: Vec<usize> = inside.iter().map(|change| line_of(change.span.start)).collect();
            let last = inside.last().map_or(line, |change| line_of(change.span.end.saturating_sub(1)));
            let is_apart =
                changes.is_sorted_by(|a, b| a < b) && changes.first().is_some_and(|&first| line < first);
            if !is_apart || last >= end {
                changes.clear();
            }
            Heading { line, words, amends: matches!(item.kind, ast::ItemKind::Amend(_)), changes, last }
        };
        let mut found: Vec<Heading> = file.items.iter().map(heading).collect();
        found.sort_by_key(|heading| heading.line);
        Self(found)
    }

    /// Cuts lines, from 0, where items begin.
    fn cut(&self, lines: Range<usize>) -> Vec<Range<usize>> {
        let inside = self.0.iter().map(|heading| heading.line - 1);
        let inside = inside.filter(|at| (lines.start + 1..lines.end).contains(at));
        let mut starts: Vec<usize> = std::iter::once(lines.start).chain(inside).collect();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([lines.end]);
        starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
    }

    /// The item that a line stands in.
    fn around(&self, line: usize) -> Option<&Heading> {
        self.0.iter().take_while(|heading| heading.line <= line).last()
    }
}

/// The changes that a change is made of; of one that opens a single other one those of that.
fn inside(amend: &ast::Amend) -> &[ast::Amend] {
    match &amend.kind {
        ast::AmendKind::Inside { changes, .. } | ast::AmendKind::Under { changes, .. } => {
            match &changes[..] {
                [only] if !inside(only).is_empty() => inside(only),
                changes => changes,
            }
        }
        ast::AmendKind::Cite(_)
        | ast::AmendKind::Members { .. }
        | ast::AmendKind::Add(_)
        | ast::AmendKind::Hook { .. }
        | ast::AmendKind::Replace { .. }
        | ast::AmendKind::Remove(_)
        | ast::AmendKind::Waive(_) => &[],
    }
}
