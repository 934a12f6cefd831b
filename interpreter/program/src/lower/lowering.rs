//! What all functions of a program share while it is made: the tables that grow, and what is found once.

use std::collections::HashMap;
use std::sync::Arc;

use blazon_book::walk::ExprKey;
use blazon_book::{Book, KindId, RuleId, StepId};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_kernel::bits;
use rustc_hash::FxHashMap;

use crate::analysis::const_eval::{Constants, Fixed};
use crate::analysis::effects::Uses;
use crate::ir::{Op, Program};
use crate::lower::expression::inline::Plain;
use crate::lower::faces::Faces;
use crate::lower::layout;

/// How many problems of one book are reported.
const MOST_PROBLEMS: usize = 20;

/// The work under way. What is found by numbers of ours is hashed fast; what strangers wrote is not, since they could write
/// what has one hash.
pub(crate) struct Lowering {
    /// The book, with the rules that only guards of texts ask behind its own.
    pub book: Arc<Book>,
    pub faces: Faces,
    pub program: Program,
    pub uses: Uses,
    pub constants: Constants,
    /// For each watch whether its condition held when it was last looked at.
    pub watch_flags: Vec<u16>,
    /// For each watch the function of its condition.
    pub watch_functions: Vec<u32>,
    /// For each step that wakes a watch how often it is under way.
    pub under_way: FxHashMap<StepId, u16>,
    /// A column over the machine's word that says who has won.
    pub winner: Option<u16>,
    /// The functions that explain refusals.
    pub explains: FxHashMap<RuleId, u32>,
    /// The functions of modifiers that are much to find out, by the rule and the place among its modifiers.
    pub clauses: FxHashMap<(RuleId, usize), u32>,
    /// Sets of things by a value computed from facts, made on demand.
    pub by_value: HashMap<Vec<i64>, u16>,
    /// Sets of things by another thing, of conditions on printed facts of both; none of what is no such condition.
    pub pairs: HashMap<(KindId, KindId, ExprKey), Option<u16>>,
    /// The expressions that plain rules are.
    pub plain: FxHashMap<RuleId, Option<Arc<Plain>>>,
    /// The columns of the answers of rules that are tables.
    pub tabled: FxHashMap<RuleId, Option<u16>>,
    /// The columns of rules whose answer is printed for most things: the answers, and for which they are there.
    pub partly_tabled: FxHashMap<RuleId, Option<(u16, u16)>>,
    /// The columns of facts of facts, by the innermost key; none of what is none.
    pub composed: HashMap<(KindId, ExprKey), Option<u16>>,
    /// The columns of the links between all pairs of things, by the kind of links.
    pub link_tables: FxHashMap<KindId, u16>,
    pub problems: Vec<Diagnostic>,
    pools: HashMap<Vec<u64>, u32>,
    numbers: HashMap<i64, u32>,
    printed: HashMap<String, i64>,
}

impl Lowering {
    pub fn new(book: Arc<Book>) -> Self {
        let program = Program {
            code: vec![Op::Over],
            spans: vec![Span::default()],
            functions: Vec::new(),
            columns: Vec::new(),
            facts: Vec::new(),
            state_words: 0,
            pool: Vec::new(),
            numbers: Vec::new(),
            kinds: layout::kinds(&book),
            choices: Vec::new(),
            held: Vec::new(),
            texts: Vec::new(),
            printed: Vec::new(),
            needs: Vec::new(),
            tables: Vec::new(),
            ranges: Vec::new(),
            scopes: Vec::new(),
            starts: Vec::new(),
            seen: vec![None; book.kinds.len()],
            faces: vec![None; book.kinds.len()],
            invariants: Vec::new(),
            sites: Vec::new(),
            site_rules: Vec::new(),
            book: book.clone(),
        };
        let (book, faces) = Faces::of(book);
        let uses = Uses::new(&book);
        Self {
            constants: Constants::of(&book, &program.kinds, &uses),
            uses,
            book,
            faces,
            program,
            watch_flags: Vec::new(),
            watch_functions: Vec::new(),
            under_way: FxHashMap::default(),
            winner: None,
            explains: FxHashMap::default(),
            clauses: FxHashMap::default(),
            by_value: HashMap::new(),
            pairs: HashMap::new(),
            plain: FxHashMap::default(),
            tabled: FxHashMap::default(),
            partly_tabled: FxHashMap::default(),
            composed: HashMap::new(),
            link_tables: FxHashMap::default(),
            problems: Vec::new(),
            pools: HashMap::new(),
            numbers: HashMap::new(),
            printed: HashMap::new(),
        }
    }

    /// What stays the same all through a game.
    pub fn fixed(&self) -> Fixed<'_> {
        Fixed { book: &self.book, kinds: &self.program.kinds, constants: &self.constants }
    }

    /// A limit has been reached.
    pub fn too_large(&mut self, span: Span, message: String) {
        self.wrong(Diagnostic::error("run::memory", span, message));
    }

    /// The book is not what the checker promises.
    pub fn problem(&mut self, span: Span, message: &str) {
        let message = format!("{message} (a mistake of the checker or compiler)");
        self.wrong(Diagnostic::error("run::internal", span, message));
    }

    /// A hole, which no whole book has.
    pub fn hole(&mut self, span: Span) {
        self.problem(span, "a hole cannot be played");
    }

    fn wrong(&mut self, diagnostic: Diagnostic) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(diagnostic);
        }
    }

    /// A constant set.
    pub fn pool(&mut self, bits: &[u64]) -> u32 {
        if let Some(&index) = self.pools.get(bits) {
            return index;
        }
        let index = self.program.pool.len() as u32;
        self.program.pool.extend(bits);
        self.pools.insert(bits.to_vec(), index);
        index
    }

    /// A large constant number.
    pub fn number(&mut self, value: i64) -> u32 {
        let numbers = &mut self.program.numbers;
        *self.numbers.entry(value).or_insert_with(|| {
            numbers.push(value);
            numbers.len() as u32 - 1
        })
    }

    /// What is printed of a fact: the place of its words, the same for the same words.
    pub fn printed(&mut self, words: String) -> i64 {
        let printed = &mut self.program.printed;
        *self.printed.entry(words).or_insert_with_key(|words| {
            printed.push(words.clone());
            printed.len() as i64 - 1
        })
    }

    /// All things of a kind.
    pub fn everything(&self, kind: KindId) -> Vec<u64> {
        let things = self.book.kind(kind).things.len();
        let mut all = vec![0; self.program.kinds[kind.0 as usize].words as usize];
        for thing in 0..things {
            bits::insert(&mut all, thing);
        }
        all
    }
}
