//! What never came up: of what tests or games have counted, by page; for people, for programs, and as lcov for editors.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use blazon_book::RuleId;
use blazon_diagnostics::{SourceId, Sources};
use blazon_program::Program;
use blazon_program::coverage::{Site, What, sites_aside};
use serde_json::{Value, json};

use crate::console::{harmless, paint, style};
use crate::exit::{Failure, Result};
use crate::save_file;

/// The most lines of a page that are listed for people.
const LISTED: usize = 20;

/// How a file of lcov begins: nothing else is written over.
const BEGINS: &str = "TN:";

/// Whether lcov can be written there, before there is any.
///
/// # Errors
/// If it cannot be, or if another sort of file has that name.
pub fn may_write_lcov(path: &Path) -> Result<()> {
    let is_other = path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    if is_other && !save_file::begins(path, BEGINS) {
        let message = format!("`{}` is there already and is no lcov; take another name", blazon::shown(path));
        return Err(Failure::Environment(message));
    }
    save_file::may_put(path).map_err(Failure::Environment)
}

/// How often each site came up, and how often it held.
#[derive(Default)]
pub struct Coverage {
    sites: BTreeMap<Site, [u64; 2]>,
}

/// A site that did not come up, or always came out one way.
struct Gap<'a> {
    site: &'a Site,
    line: usize,
    said: &'static str,
    counts: [u64; 2],
}

/// The sites of a page.
struct Page<'a> {
    name: String,
    all: usize,
    gaps: Vec<Gap<'a>>,
}

/// The line of a site, the site, and how often it came up.
type Counted<'s> = (usize, &'s Site, [u64; 2]);

impl Coverage {
    /// Adds what was counted by a program.
    pub fn add(&mut self, program: &Program, hits: &[[u64; 2]]) {
        for (place, site) in program.sites.iter().enumerate() {
            let [came, held] = hits.get(place).copied().unwrap_or_default();
            let counts = self.sites.entry(site.clone()).or_default();
            counts[0] += came;
            counts[1] += held;
        }
    }

    /// Leaves out what only who looks on asks: see [`sites_aside`].
    pub fn leave_out_aside(&mut self, program: &Program, asked: &[RuleId]) {
        for site in sites_aside(program, asked) {
            self.sites.remove(&site);
        }
    }

    fn pages<'a>(&'a self, sources: &Sources) -> Vec<Page<'a>> {
        let mut pages: BTreeMap<SourceId, Page<'a>> = BTreeMap::new();
        for (site, &counts) in &self.sites {
            let Some(source) = sources.find(site.span.source) else { continue };
            let name = source.name.to_string();
            let page = pages.entry(site.span.source).or_insert(Page { name, all: 0, gaps: Vec::new() });
            page.all += 1;
            if let Some(said) = site.what.gap(counts) {
                let line = source.line_col(site.span.start).0;
                page.gaps.push(Gap { site, line, said, counts });
            }
        }
        let mut pages: Vec<Page<'a>> = pages.into_values().collect();
        pages.sort_by(|a, b| a.name.cmp(&b.name));
        pages
    }

    /// For people: a line for each page, then what never came up, at most some lines of each page.
    pub fn text(&self, sources: &Sources) -> String {
        let pages = self.pages(sources);
        let widest = pages.iter().map(|page| page.name.chars().count()).max().unwrap_or(0);
        let mut out = format!("\n{}\n", paint(style::STRONG, "What came up"));
        for page in &pages {
            let share = 100.0 * (page.all - page.gaps.len()) as f64 / page.all.max(1) as f64;
            let came = page.all - page.gaps.len();
            let name = harmless(&format!("{:widest$}", page.name));
            let _ = writeln!(out, "  {name}  {share:>5.1} %  {came} of {}", page.all);
        }
        for page in pages.iter().filter(|page| !page.gaps.is_empty()) {
            let _ = writeln!(out, "\n{}", paint(style::STRONG, harmless(&page.name)));
            // What a step or option that never came up holds did not come up either.
            let mut told: Vec<&Gap> = page.gaps.iter().filter(|gap| !self.follows(gap, page)).collect();
            told.dedup_by_key(|gap| (gap.line, gap.site.what, gap.said, &gap.site.name));
            for gap in told.iter().take(LISTED) {
                let words = harmless(&gap.site.told(gap.said));
                let _ = writeln!(out, "{}  {words}", paint(style::PLACE, format!("{:>6}", gap.line)));
            }
            if told.len() > LISTED {
                let _ =
                    writeln!(out, "        and {} others: `--format json` lists all", told.len() - LISTED);
            }
        }
        out
    }

    /// Whether a gap only follows from another: a line of a step that was never done.
    fn follows(&self, gap: &Gap<'_>, page: &Page<'_>) -> bool {
        let within = |outer: &Gap<'_>| {
            matches!(outer.site.what, What::Step | What::Taken) && outer.site.name == gap.site.name
        };
        matches!(gap.site.what, What::Line | What::Branch | What::Case) && page.gaps.iter().any(within)
            || gap.site.what == What::Taken
                && page.gaps.iter().any(|g| g.site.what == What::Open && g.site.name == gap.site.name)
    }

    /// For programs: all that never came up.
    pub fn json(&self, sources: &Sources) -> Value {
        let pages = self.pages(sources);
        let pages = pages.iter().map(|page| {
            let gaps = page.gaps.iter().map(|gap| {
                let [came, held] = gap.counts;
                let name = &gap.site.name;
                json!({
                    "line": gap.line, "what": gap.site.what.word(), "name": name, "said": gap.said,
                    "came_up": came, "held": held,
                })
            });
            json!({
                "page": page.name,
                "sites": page.all,
                "came_up": page.all - page.gaps.len(),
                "never": gaps.collect::<Vec<_>>(),
            })
        });
        json!({ "schema": 1, "coverage": pages.collect::<Vec<_>>() })
    }

    /// Writes lcov.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_lcov(&self, sources: &Sources, path: &Path) -> Result<()> {
        // Straight into what is there: it may be a pipe, or a link.
        let told =
            |error| Failure::Environment(format!("{} cannot be written: {error}", blazon::shown(path)));
        std::fs::write(path, self.lcov(sources)).map_err(told)
    }

    /// A record for each page, in the order of their names: functions are steps and rules, branches are all that holds
    /// or not, a line came up as often as what came up on it most often.
    fn lcov(&self, sources: &Sources) -> String {
        let mut pages: BTreeMap<&str, Vec<Counted<'_>>> = BTreeMap::new();
        for (site, &counts) in &self.sites {
            if let Some(source) = sources.find(site.span.source) {
                let line = source.line_col(site.span.start).0;
                pages.entry(&source.name).or_default().push((line, site, counts));
            }
        }
        let mut out = String::new();
        for (page, sites) in pages {
            let _ = writeln!(out, "TN:\nSF:{page}");
            for (line, site, counts) in &sites {
                if matches!(site.what, What::Step | What::Rule) {
                    let _ = writeln!(out, "FN:{line},{0}\nFNDA:{1},{0}", site.name, counts[0]);
                }
            }
            let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
            let mut branches: BTreeMap<usize, usize> = BTreeMap::new();
            for (line, site, [came, held]) in &sites {
                if is_twofold(site.what) {
                    let block = branches.entry(*line).or_default();
                    let _ = writeln!(out, "BRDA:{line},{block},0,{held}");
                    let _ = writeln!(out, "BRDA:{line},{block},1,{}", came - held);
                    *block += 1;
                }
                let most = lines.entry(*line).or_default();
                *most = (*most).max(*came);
            }
            for (line, came) in lines {
                let _ = writeln!(out, "DA:{line},{came}");
            }
            out += "end_of_record\n";
        }
        out
    }
}

/// Whether it holds or not.
fn is_twofold(what: What) -> bool {
    match what {
        What::Branch | What::Need | What::Exception | What::Modifier | What::Watch => true,
        What::Step | What::Rule | What::Line | What::Case | What::Open | What::Taken | What::Row => false,
    }
}
