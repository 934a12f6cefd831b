//! The language server on all games and variants: every request on every page, random edits, the messages of a check,
//! and other names for everything.

#[path = "../../interpreter/lsp/tests/lsp/client.rs"]
mod client;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use blazon::testing::Written;
use blazon::{Loader, Reading, Rules, Settings};
use blazon_board::Board;
use blazon_check::project::{ParseCache, Project, parse_anyway};
use blazon_check::{Definition, DefinitionKind, analyse};
use blazon_fixtures::tries;
use blazon_machine::test_runner::run_test;
use client::{Client, edited, position, uri};
use serde_json::{Value, json};

const GAMES: [&str; 3] = ["richard-iii", "lionheart", "salt-road"];

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn game(name: &str) -> PathBuf {
    top().join("rules").join(name)
}

/// An editor that takes the library from the repository, so that its pages can be opened and written.
fn editor(folder: &Path) -> Client {
    let library = Some(top().join("stdlib"));
    Client::with(folder, blazon_lsp::Settings { library, tables: None, pause: Duration::ZERO }, json!({}))
}

/// All pages below a folder, in order.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|ending| ending == "blazon") {
            found.push(path);
        }
    }
    found
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// The requests about a place.
const OF_PLACES: [&str; 7] = [
    "hover",
    "definition",
    "completion",
    "signatureHelp",
    "documentHighlight",
    "prepareRename",
    "prepareCallHierarchy",
];

/// The requests about a page.
const OF_PAGES: [&str; 6] =
    ["documentSymbol", "foldingRange", "documentLink", "semanticTokens/full", "codeLens", "formatting"];

/// An answer, or a refusal that says why; never a failure.
fn answered(answer: Result<Value, (i32, String)>, what: &str) -> Value {
    match answer {
        Ok(value) => value,
        Err((code, message)) => {
            assert_eq!(code, -32803, "{what}: {message}");
            assert!(!message.is_empty(), "{what}");
            Value::Null
        }
    }
}

fn walk(name: &str) {
    let mut client = editor(&game(name));
    let all = std::env::var_os("BLAZON_WALK").is_some();
    let mut answers = 0;
    for page in pages(&game(name)) {
        let text = std::fs::read_to_string(&page).unwrap();
        for method in OF_PAGES {
            let params = json!({ "textDocument": { "uri": uri(&page) }, "options": { "tabSize": 2, "insertSpaces": true } });
            let answer = client.request(&format!("textDocument/{method}"), params);
            let answer = answered(answer, &format!("{method} {}", page.display()));
            assert!(answer.is_array() || answer.is_object(), "{method} {}: {answer}", page.display());
            if method == "formatting" {
                assert_eq!(answer, json!([]), "{} is laid out", page.display());
            }
        }
        let words = words(&text);
        let step = if all { 1 } else { (words.len() / if name == GAMES[2] { 6 } else { 2 }).max(1) };
        for at in words.iter().step_by(step) {
            let place = position(&text, *at);
            for method in OF_PLACES {
                let params = json!({ "textDocument": { "uri": uri(&page) }, "position": place });
                let answer = client.request(&format!("textDocument/{method}"), params);
                let what = format!("{method} {} {place}", page.display());
                answers += usize::from(answered(answer, &what) != Value::Null);
            }
        }
    }
    assert!(answers > 40, "{name}: {answers}");
}

/// Where words begin.
fn words(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut inside = false;
    for (at, c) in text.char_indices() {
        if c.is_alphanumeric() && !inside {
            found.push(at);
        }
        inside = c.is_alphanumeric();
    }
    found
}

#[test]
fn every_request_on_every_page_of_the_first_game() {
    walk("richard-iii");
}

#[test]
fn every_request_on_every_page_of_the_second_game() {
    walk("lionheart");
}

#[test]
fn every_request_on_every_page_of_the_smallest_game() {
    walk("salt-road");
}

#[test]
fn pages_of_the_library_belong_to_a_game() {
    let mut client = editor(&game("richard-iii"));
    let page = top().join("stdlib/battles.blazon");
    client.open(&page);
    let symbols = client.ask_page("documentSymbol", &page).unwrap();
    assert!(symbols.as_array().is_some_and(|symbols| symbols.len() > 20));
    let colours = client.ask_page("semanticTokens/full", &page).unwrap();
    assert!(colours["data"].as_array().is_some_and(|data| data.len() > 500));
}

/// Edits pages at random, and asks in between.
fn edits(name: &str, seed: u64) {
    let rounds = std::env::var("BLAZON_EDITS")
        .ok()
        .and_then(|count| count.parse::<usize>().ok())
        .unwrap_or(90)
        .div_ceil(GAMES.len());
    let mut client = editor(&game(name));
    // Tests are most of a game and read like any other page: some of them are enough.
    let all: Vec<PathBuf> = pages(&game(name))
        .into_iter()
        .filter(|page| !page.display().to_string().contains("/variants/"))
        .collect();
    let all: Vec<PathBuf> = all
        .iter()
        .enumerate()
        .filter(|(place, page)| !page.display().to_string().contains("/tests/") || place % 5 == 0)
        .map(|(_, page)| page.clone())
        .collect();
    for page in &all {
        client.open(page);
    }
    const PIECES: [&str; 14] =
        ["x", " ", "\n", "}", "{", "(", ".", "@", " := ", "\"", "-- ", "rule a: flag = yes\n", "é", "𝔘"];
    let mut dice = Dice(seed);
    for round in 0..rounds {
        let page = &all[dice.below(all.len())];
        let text = client.text(page);
        if dice.below(3) == 0 {
            client.write(page, &std::fs::read_to_string(page).unwrap());
            continue;
        }
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let first = dice.below(places.len());
        let last = (first + dice.below(4)).min(places.len() - 1);
        let (start, end) = (places[first], places[last]);
        let new = PIECES[dice.below(PIECES.len())];
        let range = json!({ "start": position(&text, start), "end": position(&text, end) });
        let mut written = text.clone();
        written.replace_range(start..end, new);
        client.change(page, json!([{ "range": range, "text": new }]));
        client.remember(page, &written);
        let here = position(&written, start + new.len());
        let params = json!({
            "textDocument": { "uri": uri(page) }, "position": here, "newName": "another name",
            "context": { "includeDeclaration": true, "diagnostics": [], "triggerKind": 1, "isRetrigger": false }, "range": { "start": here, "end": here },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        let asked = [&OF_PLACES[..], &OF_PAGES[..], &["references", "rename", "codeAction"]].concat();
        let method = asked[round % asked.len()];
        let answer = client.request(&format!("textDocument/{method}"), params);
        answered(answer, &format!("{name} {round} {method}"));
    }
    let failed = client.told.iter().filter(|(_, params)| params.to_string().contains("a mistake of Blazon"));
    assert_eq!(failed.count(), 0, "{:?}", client.told);
    // What is on the screen in the end is what was written: its layout is that of the whole text.
    for page in &all {
        let text = client.text(page);
        let params = json!({ "textDocument": { "uri": uri(page) }, "options": { "tabSize": 2, "insertSpaces": true } });
        let answer = client.request("textDocument/formatting", params).unwrap();
        assert_eq!(edited(&text, &answer), blazon_syntax::format(&text).text, "{}", page.display());
    }
}

#[test]
fn random_edits_of_the_first_game() {
    edits("richard-iii", 0x5eed_1001);
}

#[test]
fn random_edits_of_the_second_game() {
    edits("lionheart", 0x5eed_1002);
}

#[test]
fn random_edits_of_the_smallest_game() {
    edits("salt-road", 0x5eed_1003);
}

fn rules(name: &str) -> Rules {
    Loader::new()
        .library(top().join("stdlib"))
        .names_from(game(name))
        .find(game(name).to_str().unwrap())
        .unwrap()
}

/// What a check says of a project: file, line, code and message.
fn checked(project: &Project) -> BTreeSet<(String, usize, String)> {
    let reading = Reading::of(project, Vec::new());
    let compiled = reading.compile(&Settings::default());
    let sources = reading.sources();
    let place = |diagnostic: &blazon_diagnostics::Diagnostic| match diagnostic
        .span
        .and_then(|span| Some((span, sources.find(span.source)?)))
    {
        Some((span, source)) => {
            (source.name.to_string(), source.line_col(span.start).0, diagnostic.code.to_owned())
        }
        None => ("blazon.ron".to_owned(), 1, diagnostic.code.to_owned()),
    };
    compiled.diagnostics.iter().map(place).collect()
}

/// The same, as the server said it.
fn published(client: &Client, folder: &Path) -> BTreeSet<(String, usize, String)> {
    let mut found = BTreeSet::new();
    for (file, said) in &client.published {
        let name = file.strip_prefix(&format!("{}/", uri(folder))).unwrap_or(file).to_owned();
        for one in said["diagnostics"].as_array().unwrap() {
            let line = one["range"]["start"]["line"].as_u64().unwrap() as usize + 1;
            found.insert((name.clone(), line, one["code"].as_str().unwrap().to_owned()));
        }
    }
    found
}

#[test]
fn an_editor_is_told_what_a_check_tells() {
    for (name, seed) in [("salt-road", 11), ("lionheart", 12), ("richard-iii", 13)] {
        let rules = rules(name);
        let whole = rules.project(&[]);
        let mut client = editor(&game(name));
        let page = &whole.game.pages[1];
        let path = game(name).join(&page.name);
        client.open(&path);
        let mut dice = Dice(seed);
        for round in 0..6 {
            let places: Vec<usize> = page.text.char_indices().map(|(at, _)| at).collect();
            let at = places[dice.below(places.len())];
            let mut text = page.text.clone();
            text.insert_str(at, ["x", "}", " yes ", "\"", "(", "\n"][round]);
            client.write(&path, &text);
            client.said(&path);
            let mut project = whole.clone();
            project.game.pages[1].text = text;
            let expected = checked(&project);
            // Of the variants only what the game's own pages say is compared: none of them is open.
            client.wait("the same messages", |client| {
                let found = published(client, &game(name));
                expected.iter().all(|one| found.contains(one))
                    && found.iter().all(|one| expected.contains(one) || one.0.starts_with("variants/"))
            });
        }
    }
}

/// A name that is declared somewhere.
struct Named {
    kind: DefinitionKind,
    name: String,
    page: PathBuf,
    at: usize,
}

/// Names of each sort that the pages of a stack declare, at most so many of each, with a place where each can be renamed.
fn names(project: &Project, most: usize) -> Vec<Named> {
    let parsed = parse_anyway(project, &mut ParseCache::default());
    let checked = analyse(&parsed, &Settings { unproved: true, ..Settings::default() });
    let mut by_kind: BTreeMap<DefinitionKind, BTreeSet<Definition>> = BTreeMap::new();
    for (_, definition) in checked.references.iter() {
        by_kind.entry(definition.kind).or_default().insert(definition);
    }
    let mut found = Vec::new();
    for (kind, definitions) in by_kind {
        let step = (definitions.len() / most).max(1);
        for definition in definitions.into_iter().step_by(step).take(most) {
            let source = parsed.sources.get(definition.span.source);
            let name = blazon_syntax::plain_name(parsed.sources.slice(definition.span));
            let (page, at) = (PathBuf::from(&*source.name), definition.span.start as usize);
            found.push(Named { kind, name, page, at });
        }
    }
    found
}

/// A name that nothing has yet.
fn fresh(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Thing
        | DefinitionKind::Setup
        | DefinitionKind::Scene
        | DefinitionKind::RulingValue => "Quite New",
        DefinitionKind::Kind
        | DefinitionKind::Plural
        | DefinitionKind::Fact
        | DefinitionKind::State
        | DefinitionKind::Rule
        | DefinitionKind::Step
        | DefinitionKind::Option
        | DefinitionKind::Variable
        | DefinitionKind::Ruling
        | DefinitionKind::Clause
        | DefinitionKind::Case
        | DefinitionKind::Watch
        | DefinitionKind::Invariant
        | DefinitionKind::Look
        | DefinitionKind::Links
        | DefinitionKind::Table
        | DefinitionKind::Grid => "quite new",
    }
}

/// The files of a project.
fn files(project: &mut Project) -> impl Iterator<Item = &mut blazon_check::project::Page> {
    let folders = std::iter::once(&mut project.game).chain(&mut project.variants);
    let files = folders.flat_map(|folder| {
        let pages = folder.pages.iter_mut().chain(&mut folder.tests).chain(&mut folder.data);
        pages.chain(&mut folder.manifest).chain(&mut folder.map)
    });
    files.chain(&mut project.library)
}

/// What is wrong with the drawn map of a project.
fn map_problems(project: &Project) -> Vec<String> {
    let variants = project.variants.iter().rev().filter_map(|variant| variant.map.as_ref());
    let Some(map) = variants.chain(&project.game.map).next() else { return Vec::new() };
    let reading = Reading::of(project, Vec::new());
    let program = reading.compile(&Settings { unproved: true, ..Settings::default() }).program;
    let Some(program) = program else { return vec!["no program".to_owned()] };
    match Board::new(program, Some(&map.text)) {
        Ok(board) => board.differs().iter().map(|problem| problem.code.to_owned()).collect(),
        Err(problems) => problems.into_iter().map(|problem| problem.code.to_owned()).collect(),
    }
}

/// The tests of a project in which a word stands, and whether each holds.
fn outcomes(project: &Project, word: &str) -> BTreeMap<String, bool> {
    let reading = Reading::of(project, Vec::new());
    let is_wanted = |test: &Written| reading.text_of(test).contains(word);
    let wanted: Vec<Written> = reading.tests(false).into_iter().filter(is_wanted).collect();
    let prepared = reading.prepare(&Settings { unproved: true, ..Settings::default() }, &wanted);
    assert!(prepared.failed.is_none(), "{word}: the rules have errors");
    let mut found: BTreeMap<String, bool> = wanted
        .iter()
        .filter(|test| prepared.broken.contains_key(&test.span))
        .map(|test| (test.name.clone(), false))
        .collect();
    for program in &prepared.programs {
        // Those that ask for other rulings are run by programs of their own: not here.
        for test in program.book.tests.iter().filter(|test| test.rulings.is_empty()) {
            found.insert(test.name.clone(), run_test(program, test).failures.is_empty());
        }
    }
    found
}

/// Renames names of each sort in a game and its variants, and looks whether all is the same but for the name: what a check
/// says of the game and of every variant whose pages have the name, how much there is of everything, the drawn map, and
/// the tests in which the name stands. What is refused must say why.
fn renamed(name: &str) {
    let rules = rules(name);
    let whole = rules.project(&[]);
    let mut client = editor(&game(name));
    let wanted = std::env::var("BLAZON_NAMES").ok().and_then(|most| most.parse().ok());
    let most: usize = wanted.unwrap_or(tries(9, 24));
    let mut all: Vec<Named> = names(&whole, 10);
    let step = (all.len() / most).max(1);
    all = all.into_iter().step_by(step).collect();
    // Of what looks name, and of what variants say, some more: each in few places, and forgotten most easily.
    let looks = names(&whole, 4).into_iter().filter(|one| one.page.ends_with("board.blazon"));
    all.extend(looks.step_by(3).take(most / 6));
    for variant in 0..rules.variants.len() {
        let own = names(&rules.project(&[variant]), 40);
        let own: Vec<Named> = own.into_iter().filter(|one| one.page.starts_with("variants")).collect();
        let step = (own.len() * rules.variants.len() / (most / 3).max(1)).max(1);
        all.extend(own.into_iter().skip(variant % step).step_by(step));
    }
    let stacks: Vec<Vec<usize>> =
        std::iter::once(Vec::new()).chain((0..rules.variants.len()).map(|one| vec![one])).collect();
    let mut before: BTreeMap<Vec<usize>, (Vec<String>, Vec<usize>)> = BTreeMap::new();
    let problems = map_problems(&whole);
    let (mut done, mut refused) = (0, 0);
    for Named { kind, name: old, page, at } in all {
        let path = game(name).join(&page);
        let text = std::fs::read_to_string(&path).unwrap();
        let new = fresh(kind);
        let params =
            json!({ "textDocument": { "uri": uri(&path) }, "position": position(&text, at), "newName": new });
        let asked = std::time::Instant::now();
        let answer = match client.request("textDocument/rename", params) {
            Ok(answer) => answer,
            Err((code, message)) => {
                assert_eq!(code, -32803, "{old}: {message}");
                assert!(message.contains(' '), "{old}: {message}");
                println!("{name}: {kind:?} `{old}` of {}: {message}", page.display());
                refused += 1;
                continue;
            }
        };
        println!("{name}: {kind:?} `{old}` of {}: {:?}", page.display(), asked.elapsed());
        let mut changed: BTreeSet<String> = BTreeSet::new();
        for stack in &stacks {
            let printed = rules.project(stack);
            let mut project = printed.clone();
            let mut is_own = false;
            for file in files(&mut project) {
                let Some(edits) = answer["changes"].get(uri(&game(name).join(&file.name))) else { continue };
                file.text = edited(&file.text, edits);
                changed.insert(file.name.clone());
                is_own |= file.name.starts_with("variants");
            }
            let longest = old.split(' ').max_by_key(|word| word.len()).unwrap_or_default();
            let has_name = printed.variants.iter().any(|folder| {
                folder.pages.iter().chain(&folder.tests).any(|page| page.text.contains(longest))
            });
            if !(stack.is_empty() || is_own || has_name) {
                continue;
            }
            let expected = before.entry(stack.clone()).or_insert_with(|| book(&printed)).clone();
            let after = book(&project);
            assert_eq!(after.0, expected.0, "{kind:?} `{old}` {stack:?}");
            assert_eq!(after.1, expected.1, "{kind:?} `{old}` {stack:?}: as many of everything");
            let is_said = printed.game.tests.iter().any(|page| {
                page.text.lines().any(|line| line.split('"').nth(1).is_some_and(|text| text.contains(&old)))
            });
            if stack.is_empty() && matches!(kind, DefinitionKind::Thing | DefinitionKind::Option) && is_said {
                let (was, is) = (outcomes(&printed, &old), outcomes(&project, new));
                let broken: Vec<&String> = was
                    .iter()
                    .filter(|(test, held)| **held && is.get(*test) == Some(&false))
                    .map(|(test, _)| test)
                    .collect();
                assert!(broken.is_empty(), "{kind:?} `{old}`: {broken:?}");
            }
            if stack.is_empty()
                && matches!(kind, DefinitionKind::Thing | DefinitionKind::Kind | DefinitionKind::Plural)
            {
                assert_eq!(map_problems(&project), problems, "{kind:?} `{old}`");
            }
        }
        assert!(!changed.is_empty(), "{kind:?} `{old}`");
        done += 1;
    }
    println!("{name}: {done} were renamed, {refused} refused");
    assert!(done >= 10 && done > refused, "{name}: {done} were renamed, {refused} refused");
}

/// What a check says, and how much of everything the book has.
fn book(project: &Project) -> (Vec<String>, Vec<usize>) {
    let parsed = parse_anyway(project, &mut ParseCache::default());
    let checked = analyse(&parsed, &Settings { unproved: true, ..Settings::default() });
    let mut said: Vec<String> = checked.diagnostics.iter().map(|said| said.code.to_owned()).collect();
    said.sort();
    let model = &checked.model;
    let counts = vec![
        model.kinds.len(),
        model.kinds.iter().map(|kind| kind.things.len()).sum(),
        model.columns.len(),
        model.rules.len(),
        model.steps.len(),
        model.rulings.len(),
        model.setups.len(),
        model.tests.len(),
        model.looks.len(),
        checked.references.iter().count(),
    ];
    (said, counts)
}

#[test]
fn other_names_leave_the_first_game_as_it_is() {
    renamed("richard-iii");
}

#[test]
fn other_names_leave_the_second_game_as_it_is() {
    renamed("lionheart");
}

#[test]
fn other_names_leave_the_smallest_game_as_it_is() {
    renamed("salt-road");
}
