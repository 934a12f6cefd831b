//! What rules cost grows as their text does: each shape of `blazon_tests::shapes` with so many parts and with twice as
//! many is read, checked and compiled on a stack of one megabyte, and what is allocated is counted. A page that is twice
//! as long may ask for a little more than twice as much; for four times as much, and a long one ends any host.
//!
//! Time is not measured: it is another one each run. `benches/scaling.rs` shows it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use blazon_check::project::{Project, parse};
use blazon_check::{Settings, check};
use blazon_program::lower;
use blazon_tests::shapes::SHAPES;

/// Enough that guesses at names are over, which stop after so many comparisons ([`blazon_diagnostics::Guesses`]).
const PARTS: usize = 700;

/// How many times as much twice the text may ask for.
const MOST: f64 = 2.6;

/// The allocator of the system, and what is asked of it.
struct Counting;

static TIMES: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[allow(unsafe_code, reason = "an allocator is unsafe to write; this one hands everything on")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TIMES.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: what holds for the caller holds for the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above; whatever is given back came from there.
        unsafe { System.dealloc(place, layout) }
    }
}

/// How often and how much memory was asked for to read, check and compile rules.
fn cost(project: Project) -> [usize; 2] {
    let so_far = || [&TIMES, &BYTES].map(|counter| counter.load(Ordering::Relaxed));
    let work = move || {
        let before = so_far();
        let parsed = parse(&project).expect("manifests that can be read");
        if let Some(book) = check(&parsed, &Settings::default()).book {
            // Some come to a limit of programs; that costs, too.
            let _ = lower(book);
        }
        let after = so_far();
        [after[0] - before[0], after[1] - before[1]]
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread");
    thread.join().expect("no panic")
}

#[test]
fn twice_the_text_costs_twice_as_much() {
    let mut wrong = Vec::new();
    for shape in &SHAPES {
        let [none, once, twice] = [0, PARTS, 2 * PARTS].map(|parts| cost(shape.project(parts)));
        for (place, what) in ["times", "bytes"].into_iter().enumerate() {
            let more = |cost: [usize; 2]| cost[place].saturating_sub(none[place]) as f64;
            let growth = more(twice) / more(once).max(1.0);
            if growth > MOST {
                wrong.push(format!("{}: {growth:.2} times the {what}", shape.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
