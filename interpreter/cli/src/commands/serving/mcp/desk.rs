//! The rules on the umpire's desk: a game as it lies on the disk or in the program now, with the variants and rulings asked
//! for, and an amendment on top. They are read again for each request, so that what an editor has saved counts.

use std::path::PathBuf;

use blazon::present::{harmless, kinds};
use blazon::{Reading, Rules, Selection, Settings};
use blazon_diagnostics::{Format, Style, did_you_mean, explain, near_miss, render};
use serde_json::{Value, json};

use super::amendment::{Amendment, KEY};
use super::refusal::Refusal;
use crate::args::{CoverageArgs, TestArgs, WithArgs};
use crate::commands::writing::check::checked;
use crate::commands::writing::test::plan::{Outcome, Part};
use crate::commands::writing::test::pool;
use crate::load;

/// What the language is, for who has never seen it: pages beside those of the rules.
const LANGUAGE: [(&str, &str); 3] = [
    ("language/tour.md", include_str!("../../../../../../grammar/tour.md")),
    ("language/reference.md", include_str!("../../../../../../grammar/reference.md")),
    ("language/hidden.md", include_str!("../../../../../../grammar/hidden.md")),
];
/// The most lines of a page, and the most places that a search finds, in one answer.
const LINES: usize = 400;
/// The most tests that fail and are told in full.
const FAILURES: usize = 20;

/// The rules on the desk.
pub struct Desk {
    /// A game's name or folder; else the game around the current folder, or the default one.
    pub target: Option<String>,
    /// Variants and rulings.
    pub with: WithArgs,
    /// The folder of the library, if it is not the program's.
    pub library: Option<PathBuf>,
    /// What is laid on top.
    pub amendment: Amendment,
}

impl Desk {
    /// The rules as they lie there now, with the amendment among their variants.
    ///
    /// # Errors
    /// If there are none.
    pub fn rules(&self) -> Result<Rules, Refusal> {
        let mut rules =
            load::game_or_default(self.target.as_deref(), &self.with.variants, self.library.as_deref())?;
        if !self.amendment.is_empty() {
            let folder = self.amendment.folder(&rules.name());
            rules.add_variant(KEY, folder);
        }
        Ok(rules)
    }

    /// The names of the variants that are laid on the game, the amendment last.
    pub fn variants(&self) -> Vec<String> {
        let amended = (!self.amendment.is_empty()).then(|| KEY.to_owned());
        self.with.variants.iter().cloned().chain(amended).collect()
    }

    /// What is played.
    pub fn selection(&self, setup: Option<String>) -> Selection {
        Selection {
            variants: self.variants(),
            rulings: self.with.rulings.clone(),
            setup,
            ..Selection::default()
        }
    }

    /// What lies there: game, variants, rulings, setups, players, pages.
    ///
    /// # Errors
    /// If there is no game.
    pub fn about(&self) -> Result<Value, Refusal> {
        let mut rules = self.rules()?;
        let variants: Vec<Value> = rules
            .variants
            .iter()
            .filter(|variant| variant.key != KEY)
            .map(|variant| json!({ "name": variant.name, "folder": variant.key }))
            .collect();
        let mut about = json!({
            "game": rules.name(),
            "variants": variants,
            "laid_on": self.with.variants,
            "amendment": self.amendment.pages().keys().collect::<Vec<_>>(),
            "pages": self.pages(&mut rules)?.iter().map(|(name, text)| json!({ "page": name, "lines": text.lines().count() })).collect::<Vec<_>>(),
        });
        // Rules with errors have no book; the check tells them.
        let program = rules.program(&self.selection(None));
        about["whole"] = program.is_ok().into();
        if let Ok(program) = program {
            let book = &program.book;
            let things = &book.kind(book.player).things;
            let rulings = book.rulings.iter().map(|ruling| {
                json!({ "ruling": ruling.name, "value": ruling.values.get(ruling.chosen), "values": ruling.values })
            });
            about["version"] = book.version.as_str().into();
            about["players"] = book
                .players
                .iter()
                .filter_map(|&player| Some(things.get(player as usize)?.name.as_str()))
                .collect();
            about["setups"] = book.setups.iter().map(|setup| setup.name.as_str()).collect();
            about["rulings"] = rulings.collect();
        }
        Ok(about)
    }

    /// All pages with their texts: of the language, of the game and its library, of what is laid on it.
    fn pages(&self, rules: &mut Rules) -> Result<Vec<(String, String)>, Refusal> {
        let stack = rules.stack(&self.variants())?;
        let project = rules.project(&stack);
        let folders = std::iter::once(&project.game).chain(&project.variants);
        let pages = folders.flat_map(|folder| {
            folder.manifest.iter().chain(&folder.pages).chain(&folder.data).chain(&folder.tests)
        });
        let pages = pages.chain(&project.library).map(|page| (page.name.clone(), page.text.clone()));
        let language = LANGUAGE.iter().map(|&(name, text)| (name.to_owned(), text.to_owned()));
        Ok(language.chain(pages).collect())
    }

    /// Lines of a page, from one on.
    ///
    /// # Errors
    /// If there is no such page, or no such line.
    pub fn read(&self, page: &str, from: usize, lines: usize) -> Result<Value, Refusal> {
        let pages = self.pages(&mut self.rules()?)?;
        let Some((name, text)) = pages.iter().find(|(name, _)| name == page) else {
            let near = near_miss(page, pages.iter().map(|(name, _)| name.as_str()));
            let near = near.map(|near| format!("; {}", did_you_mean(near))).unwrap_or_default();
            let message = format!("there is no page `{}`{near}", harmless(page));
            return Err(Refusal::new("mcp::page", message).help("`rules` lists all pages"));
        };
        let all = text.lines().count();
        let from = from.max(1);
        if from > all.max(1) {
            let message =
                format!("`{}` has {all} lines, and it is asked for those from {from} on", harmless(name));
            return Err(Refusal::new("mcp::page", message));
        }
        let lines = lines.clamp(1, LINES);
        let shown: Vec<&str> = text.lines().skip(from - 1).take(lines).collect();
        let next = from + shown.len();
        let mut told = json!({ "page": name, "from": from, "lines": all, "text": shown.join("\n") });
        if next <= all {
            told["next"] = next.into();
        }
        Ok(told)
    }

    /// Where words stand in the pages, capitals aside.
    ///
    /// # Errors
    /// If there is no game, or no word.
    pub fn find(&self, words: &str) -> Result<Value, Refusal> {
        let lower = words.to_lowercase();
        if lower.trim().is_empty() {
            return Err(Refusal::new("mcp::request", "`words` is empty"));
        }
        let pages = self.pages(&mut self.rules()?)?;
        let mut found = Vec::new();
        let mut left_off = 0;
        for (name, text) in &pages {
            for (place, line) in
                text.lines().enumerate().filter(|(_, line)| line.to_lowercase().contains(&lower))
            {
                match found.len() < LINES {
                    true => found.push(json!({ "page": name, "line": place + 1, "text": line })),
                    false => left_off += 1,
                }
            }
        }
        Ok(json!({ "found": found, "left_off": left_off }))
    }

    /// All that there is to say of the rules.
    ///
    /// # Errors
    /// If there is no game, or no such variant or ruling.
    pub fn check(&self) -> Result<Value, Refusal> {
        let mut rules = self.rules()?;
        let stack = rules.stack(&self.variants())?;
        let reading = Reading::new(&rules, &stack);
        let settings = Settings { rulings: self.with.rulings.clone(), ..Settings::default() };
        let compiled = checked(&rules, &stack, &reading, &settings)?;
        let told = render(&compiled.diagnostics, &compiled.sources, Format::Json, Style::default());
        let told: Value = serde_json::from_str(&told).unwrap_or_default();
        let mut check = json!({
            "whole": !compiled.has_errors(),
            "diagnostics": told["diagnostics"],
            "drawn": render(&compiled.diagnostics, &compiled.sources, Format::Human, Style::default()),
        });
        if let Some(program) = &compiled.program {
            let book = &program.book;
            check["counts"] = json!({
                "kinds": kinds(book).count(),
                "things": kinds(book).map(|kind| book.kind(kind).things.len()).sum::<usize>(),
                "setups": book.setups.len(),
                "rulings": book.rulings.len(),
                "tests": book.tests.len(),
            });
        }
        Ok(check)
    }

    /// The page of a code.
    ///
    /// # Errors
    /// If there is none.
    pub fn explain(&self, code: &str) -> Result<Value, Refusal> {
        if let Some(page) = explain(code.trim()) {
            return Ok(json!({ "code": code.trim(), "text": page.to_string() }));
        }
        let near = near_miss(code, blazon_diagnostics::all().iter().map(|page| page.code));
        let near = near.map(|near| format!("; {}", did_you_mean(near))).unwrap_or_default();
        Err(Refusal::new("mcp::request", format!("no message has the code `{}`{near}", harmless(code))))
    }

    /// Runs the tests of the game on what is laid on it, and theirs; or some of them.
    ///
    /// # Errors
    /// If there is no game, or the rules have errors.
    pub fn test(&self, filter: Option<String>) -> Result<Value, Refusal> {
        let mut rules = self.rules()?;
        if self.variants().is_empty() {
            // Variants of their own are nobody's here: the game alone is asked about.
            rules.variants.clear();
        }
        let args = TestArgs {
            path: None,
            filter: filter.clone(),
            list: false,
            statements: false,
            variants: self.variants(),
            rulings: self.with.rulings.clone(),
            coverage: CoverageArgs::default(),
            format: "human".to_owned(),
            jobs: None,
        };
        let mut told = json!({ "passed": 0, "failed": 0, "not_asked_for": 0, "failures": [] });
        let (mut passed, mut failed, mut left_out, mut failures) = (0, 0, 0, Vec::new());
        let pool = pool(None)?;
        for part in &mut pool.install(|| Part::all(&mut rules, &args))? {
            if let Some(diagnostics) = &part.failed {
                let problems =
                    blazon::Problems { diagnostics: diagnostics.clone(), sources: part.sources.clone() };
                return Err(Refusal::from(blazon::Error::from(problems)));
            }
            pool.install(|| part.run());
            left_out += part.left_out;
            for case in &part.cases {
                let lines: Vec<Value> = match &case.outcome {
                    Some(outcome) if outcome.passed() => {
                        passed += 1;
                        continue;
                    }
                    Some(Outcome::Run(report, _)) => report.failures.iter().map(|failure| json!({
                        "place": part.sources.place(failure.span), "message": failure.message,
                        "expected": failure.expected, "actual": failure.actual, "position": failure.position,
                    })).collect(),
                    Some(Outcome::Broken(said)) => {
                        vec![json!({ "drawn": render(said, &part.sources, Format::Human, Style::default()) })]
                    }
                    None => Vec::new(),
                };
                failed += 1;
                if failures.len() < FAILURES {
                    failures.push(json!({
                        "test": case.test.name, "place": part.sources.place(case.test.span),
                        "cites": case.test.cites, "lines": lines,
                    }));
                }
            }
        }
        if let Some(words) = filter.filter(|_| passed + failed == 0) {
            let message =
                format!("no test has `{}` in its name, its file's or its paragraphs", harmless(&words));
            return Err(Refusal::new("mcp::request", message)
                .help(format!("there are {left_out}; without `only` all are run")));
        }
        told["passed"] = passed.into();
        told["failed"] = failed.into();
        told["not_asked_for"] = left_out.into();
        told["left_off"] = (failed - failures.len()).into();
        told["failures"] = failures.into();
        Ok(told)
    }
}
