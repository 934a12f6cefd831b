//! From a page that was changed to a program, as an editor or a board that watches the files waits for it: the other
//! pages are known, tests are left out. `cargo bench -p blazon-tests --bench editing`, or with a part of a name behind
//! `--`; with `--test` everything is done once.
//!
//! Times on a loaded machine lie. To count instead: `valgrind --tool=callgrind --toggle-collect='*measured*'` before
//! the bench's program, with `--test NAME`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use blazon_book::Book;
use blazon_check::project::{ParseCache, Parsed, Project, parse_anyway};
use blazon_check::{Checked, Settings, check};
use blazon_program::lower;
use blazon_tests::rules_only;
use criterion::{Criterion, criterion_group};

/// The game, the pages that are changed in turn, and what is changed there to and fro.
const GAME: &str = "richard-iii";
const PAGES: [(&str, &str, &str); 2] =
    [("5-battle.blazon", "round = 1", "round = 2"), ("board.blazon", "1465, 1795", "1466, 1795")];

/// A project before and after a change, and the trees of all its pages.
struct Edited {
    texts: [Project; 2],
    /// Which of the two was parsed last.
    last: usize,
    cache: ParseCache,
}

impl Edited {
    fn new(page: &str, old: &str, new: &str) -> Self {
        let before = rules_only(GAME, &[]);
        let mut after = before.clone();
        let page = after.game.pages.iter_mut().find(|other| other.name.ends_with(page)).expect("the page");
        let changed = page.text.replacen(old, new, 1);
        assert_ne!(page.text, changed);
        page.text = changed;
        let mut edited = Self { texts: [before, after], last: 0, cache: ParseCache::default() };
        edited.parse();
        edited
    }

    /// Parses the other of the two.
    fn parse(&mut self) -> Parsed {
        self.last = 1 - self.last;
        parse_anyway(&self.texts[self.last], &mut self.cache)
    }
}

/// What a board needs: that nobody learns what is hidden is proved behind it.
fn unproved() -> Settings {
    Settings { unproved: true, ..Settings::default() }
}

fn book(checked: Checked) -> Arc<Book> {
    checked.book.expect("a game without mistakes")
}

/// What valgrind looks at.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("editing");
    let mut of = |name: &str, work: &mut dyn FnMut()| {
        // What is made at the first time only does not count.
        work();
        group.bench_function(name, |bencher| bencher.iter(|| measured(work)));
    };
    for (page, old, new) in PAGES {
        let mut edited = Edited::new(page, old, new);
        of(&format!("parse {page}"), &mut || drop(black_box(edited.parse())));
    }
    let [(page, old, new), ..] = PAGES;
    let mut edited = Edited::new(page, old, new);
    let parsed = edited.parse();
    of("check", &mut || drop(black_box(check(&parsed, &unproved()))));
    of("check and prove", &mut || drop(black_box(check(&parsed, &Settings::default()))));
    let made = book(check(&parsed, &unproved()));
    of("lower", &mut || drop(black_box(lower(made.clone()))));
    of("all", &mut || {
        let parsed = edited.parse();
        drop(black_box(lower(book(check(&parsed, &unproved())))));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    targets = bench
}

fn main() {
    // Everything on one thread: an editor has other things to do on the others.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one.install(benches);
}
