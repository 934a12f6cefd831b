//! The samples of the language reference and the tour: every fenced block is read and checked as its info string
//! says (the convention stands at the top of `grammar/reference.md`).

#[path = "reference/constructs.rs"]
mod constructs;

use std::collections::BTreeSet;

use blazon_book::Book;
use blazon_check::manifest::Manifest;
use blazon_check::project::{Folder, Page, Project};
use blazon_check::{Checked, Settings};
use blazon_diagnostics::{Diagnostic, Format, Sources, Span, render};
use blazon_machine::test_runner::run_test;

const REFERENCE: &str = "reference.md";
const TOUR: &str = "tour.md";

fn text_of(file: &str) -> String {
    std::fs::read_to_string(blazon_tests::top().join("grammar").join(file)).expect("a file of the grammar")
}

/// A fenced block.
#[derive(Clone, Debug)]
struct Sample {
    place: String,
    language: String,
    words: Vec<String>,
    text: String,
}

impl Sample {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|other| other == word)
    }
    fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }
}

fn samples(file: &str) -> Vec<Sample> {
    let text = text_of(file);
    let mut samples = Vec::new();
    let mut open: Option<Sample> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => samples.extend(open.take()),
            (Some(info), None) => {
                let mut words = info.split(' ').map(str::to_owned);
                open = Some(Sample {
                    place: format!("{file}:{}", number + 1),
                    language: words.next().unwrap_or_default(),
                    words: words.collect(),
                    text: String::new(),
                });
            }
            (None, Some(sample)) => {
                sample.text.push_str(&line.replace('→', "\t"));
                sample.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{file}: a fence is not closed");
    samples
}

/// The running example of a file: its manifest, its pages, what lies beside them.
#[derive(Clone, Debug, Default)]
struct Example {
    manifest: String,
    base: String,
    files: Vec<Page>,
    library: Vec<Page>,
}

impl Example {
    fn of(samples: &[Sample]) -> Self {
        let mut example = Self::default();
        for sample in samples {
            if sample.has("manifest") {
                example.manifest.clone_from(&sample.text);
            }
            if sample.has("base") {
                example.base.push_str(&sample.text);
                example.base.push('\n');
            }
            if let Some(name) = sample.value("file") {
                example.files.push(Page { name: name.to_owned(), text: sample.text.clone() });
            }
            if let Some(module) = sample.value("library") {
                example.library.push(Page { name: format!("{module}.blazon"), text: sample.text.clone() });
            }
        }
        example
    }

    /// Puts each item of an edit in the place of the item with the same heading.
    fn edit(&mut self, sample: &Sample) {
        for item in items(&sample.text) {
            let old = items(&self.base).into_iter().find(|old| heading(old) == heading(&item));
            let old = old
                .unwrap_or_else(|| panic!("{}: nothing to edit is called {}", sample.place, heading(&item)));
            self.base = self.base.replacen(&old, &item, 1);
        }
    }

    fn project(&self, sample: &Sample) -> Project {
        let page = |name: &str, text: &str| Page { name: name.to_owned(), text: text.to_owned() };
        let mut game = Folder {
            manifest: Some(page("blazon.ron", &self.manifest)),
            pages: vec![page("base.blazon", &self.base)],
            data: self.files.clone(),
            ..Folder::default()
        };
        if sample.language == "ron" && sample.has("variant") {
            let variant =
                Folder { manifest: Some(page("variant/blazon.ron", &sample.text)), ..Folder::default() };
            return Project {
                library: self.library.clone(),
                game,
                variants: vec![variant],
                ..Project::default()
            };
        }
        if sample.language == "ron" {
            game.manifest = Some(page("blazon.ron", &sample.text));
            return Project { library: self.library.clone(), game, ..Project::default() };
        }
        if let Some(module) = sample.value("uses") {
            let uses = self.manifest.replace("uses: []", &format!("uses: [\"{module}\"]"));
            assert_ne!(uses, self.manifest, "the manifest of the running example has no `uses: []`");
            game.manifest = Some(page("blazon.ron", &uses));
        }
        let mut variants = Vec::new();
        if sample.has("variant") {
            let Ok(Manifest::Game(manifest)) = Manifest::read(&self.manifest) else {
                panic!("{}: no manifest", sample.place)
            };
            let manifest = format!("Variant(name: \"Sample\", game: \"{}\")", manifest.name);
            variants.push(Folder {
                manifest: Some(page("variant/blazon.ron", &manifest)),
                pages: vec![page("sample.blazon", &sample.text)],
                ..Folder::default()
            });
        } else if !sample.has("base") && !sample.has("edit") {
            game.pages.push(page("sample.blazon", &sample.text));
        }
        Project { library: self.library.clone(), game, variants, ..Project::default() }
    }
}

fn items(page: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in page.lines() {
        let begins = line.starts_with(|c: char| c.is_alphabetic());
        let ends = line.is_empty() || line.starts_with("--");
        match items.last_mut() {
            _ if begins || ends => items.push(format!("{line}\n")),
            Some(item) => {
                item.push_str(line);
                item.push('\n');
            }
            None => {}
        }
    }
    items.retain(|item| item.starts_with(|c: char| c.is_alphabetic()));
    items
}

fn heading(item: &str) -> &str {
    item.split(['(', ':', '{', '=', '"', '\n']).next().unwrap_or(item).trim()
}

/// What a check says, and the sample's place before it.
fn check(
    project: &Project,
    settings: &Settings,
) -> (Option<Checked>, Vec<Diagnostic>, std::sync::Arc<Sources>) {
    match blazon_check::project::parse(project) {
        Ok(parsed) => {
            let checked = blazon_check::check(&parsed, settings);
            let diagnostics = checked.diagnostics.clone();
            (Some(checked), diagnostics, parsed.sources)
        }
        Err((sources, diagnostics)) => (None, diagnostics, sources),
    }
}

fn codes(diagnostics: &[Diagnostic], errors: bool) -> BTreeSet<&'static str> {
    diagnostics.iter().filter(|d| d.is_error() == errors).map(|d| d.code).collect()
}

/// What is wrong with a sample, as a report.
fn faults(example: &Example, sample: &Sample) -> Option<String> {
    let project = example.project(sample);
    let (checked, diagnostics, sources) = check(&project, &Settings::default());
    let expected = |key: &str| -> BTreeSet<&str> { sample.value(key).into_iter().collect() };
    let (errors, mut warnings) = (codes(&diagnostics, true), codes(&diagnostics, false));
    // Nothing uses the rule of a sample about rules, and only tests set the state of one about states.
    for idle in ["names::unused", "lint::never-set"] {
        if sample.value("warning") != Some(idle) {
            warnings.remove(idle);
        }
    }
    let right = errors == expected("error") && (!errors.is_empty() || warnings == expected("warning"));
    if !right {
        let said = render(&diagnostics, &sources, Format::Human, blazon_tests::style());
        return Some(format!("{}: {}\n{said}", sample.place, sample.words.join(" ")));
    }
    let book = checked.and_then(|checked| checked.book)?;
    let own = |span: Span| sources.find(span.source).is_some_and(|source| &*source.name == "sample.blazon");
    if book.tests.iter().any(|test| own(test.span)) != sample.has("test") && !sample.has("base") {
        return Some(format!("{}: says `test` and has none, or the other way round", sample.place));
    }
    let failed: Vec<String> =
        (0..book.tests.len()).filter_map(|place| played(&project, &book, place)).collect();
    (!failed.is_empty()).then(|| format!("{}:\n{}", sample.place, failed.join("\n")))
}

/// Plays one test of a book, under the rulings that it asks for; what failed.
fn played(project: &Project, book: &Book, place: usize) -> Option<String> {
    let test = &book.tests[place];
    let parsed = blazon_tests::parsed(project);
    let settings = Settings { rulings: test.rulings.clone(), invariants: true, ..Settings::default() };
    let program = blazon_tests::program(&parsed, &settings);
    let report = run_test(&program, &program.book.tests[place]);
    let lines: Vec<String> = report
        .failures
        .iter()
        .map(|failure| {
            let (line, told) = (parsed.sources.slice(failure.span), &failure.message);
            let (expected, actual) = (&failure.expected, &failure.actual);
            format!("  {line}: {told}: expected {expected:?}, found {actual:?}\n{}", failure.position)
        })
        .collect();
    (!report.passed).then(|| format!("  test \"{}\"\n{}", test.name, lines.join("\n")))
}

fn run(file: &str) {
    let samples = samples(file);
    let mut example = Example::of(&samples);
    let mut wrong = Vec::new();
    for sample in &samples {
        let known = ["base", "manifest", "edit", "variant", "test"];
        for word in sample.words.iter().filter(|w| !w.contains('=')) {
            assert!(known.contains(&word.as_str()), "{}: what is `{word}`?", sample.place);
        }
        match sample.language.as_str() {
            "" | "text" | "tsv" => continue,
            "blazon" | "ron" => {}
            other => panic!("{}: what is `{other}`?", sample.place),
        }
        if sample.value("library").is_some() {
            continue;
        }
        if sample.has("edit") {
            example.edit(sample);
        }
        if sample.language == "ron" && sample.value("error").is_none() && !sample.has("manifest") {
            if let Err(error) = Manifest::read(&sample.text) {
                wrong.push(format!("{}: {error}", sample.place));
            }
            continue;
        }
        wrong.extend(faults(&example, sample));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn samples_of_the_reference() {
    run(REFERENCE);
}

#[test]
fn samples_of_the_tour() {
    run(TOUR);
}

#[test]
fn every_construct_has_a_sample() {
    let mut found = BTreeSet::new();
    for sample in samples(REFERENCE).iter().filter(|s| s.language == "blazon" && s.value("error").is_none()) {
        found.extend(constructs::of(&sample.text));
    }
    let all = constructs::all();
    let missing: Vec<_> = all.difference(&found).collect();
    assert!(missing.is_empty(), "no sample shows {missing:?}");
    let unlisted: Vec<_> = found.difference(&all).collect();
    assert!(unlisted.is_empty(), "not in the list of constructs: {unlisted:?}");
}

/// Every keyword of the grammar, every reserved word and every code is mentioned.
#[test]
fn nothing_is_left_out() {
    let (reference, grammar) = (text_of(REFERENCE), text_of("blazon.pest"));
    let mut missing = Vec::new();
    for line in grammar.lines().filter(|line| line.starts_with("kw_") || line.contains("_{ (\"")) {
        let words = line.split('"').skip(1).step_by(2).filter(|w| w.chars().all(|c| c.is_ascii_lowercase()));
        let words: Vec<&str> = words.collect();
        let joined = words.join(" ");
        let known = |word: &str| reference.contains(&format!("`{word}`"));
        if line.starts_with("kw_") {
            missing.extend(Some(joined).filter(|word| !known(word)));
        } else {
            missing.extend(words.iter().filter(|word| !known(word)).map(|word| (*word).to_owned()));
        }
    }
    for page in blazon_diagnostics::all() {
        if !reference.contains(&format!("`{}`", page.code))
            && !reference.contains(&format!("={}\n", page.code))
        {
            missing.push(page.code.to_owned());
        }
    }
    assert!(missing.is_empty(), "the reference does not mention {missing:?}");
}

/// The samples with errors show every code that the checker and the parser can say.
#[test]
fn all_messages_stand_in_the_list_of_them() {
    let text = text_of(REFERENCE);
    let list = text.split("\n# 21 All messages\n").nth(1).and_then(|rest| rest.split("\n# 22 ").next());
    let listed: BTreeSet<&str> =
        list.expect("the list").split('`').skip(1).step_by(2).filter(|code| code.contains("::")).collect();
    let explained: BTreeSet<&str> = blazon_diagnostics::all().iter().map(|page| page.code).collect();
    assert_eq!(listed, explained);
}

#[test]
fn most_codes_have_a_sample() {
    let shown: BTreeSet<String> = samples(REFERENCE)
        .iter()
        .flat_map(|s| ["error", "warning"].map(|key| s.value(key).map(str::to_owned)))
        .flatten()
        .collect();
    let families = ["syntax", "names", "types", "tables", "setup", "rules", "steps", "amend", "cites"];
    let rest: Vec<&str> = blazon_diagnostics::all()
        .iter()
        .map(|page| page.code)
        .filter(|code| families.iter().any(|f| code.starts_with(&format!("{f}::"))) && !shown.contains(*code))
        .collect();
    assert_eq!(rest, NO_SAMPLE);
}

/// Codes without a sample, for the reason beside them.
const NO_SAMPLE: &[&str] = &[
    "syntax::depth",   // long and dull
    "amend::cycle",    // takes two variants
    "amend::order",    // so does this
    "amend::excludes", // and this
    "cites::uncited",  // a line of a report
];
