//! What a variant does not touch stays as it is: the same instructions, and nothing to look up when it is played. And
//! a stack of variants is read as its files are read, each once. What it puts as it was is what it was.

use std::collections::{BTreeMap, BTreeSet};

use blazon_check::Settings;
use blazon_check::project::{Folder, Layer, Page, Parsed};
use blazon_syntax::ast;
use blazon_tests::{parsed, program, rules_only};

/// The rules and steps of a game under some variants: name and instructions. What only says where something stands in
/// the whole program (lines, the numbers of choices and tables) is told from the beginning of the function, or left out.
fn functions(variants: &[&str]) -> BTreeMap<String, String> {
    let program = program(&parsed(&rules_only("richard-iii", variants)), &Settings::default());
    let listing = program.listing();
    let mut functions = BTreeMap::new();
    for chunk in listing.split("\n\n").skip(1) {
        let (heading, body) = chunk.split_once('\n').unwrap_or((chunk, ""));
        let name = heading.split("  (").next().unwrap_or(heading).to_owned();
        let mut first = None;
        let lines: Vec<String> = body.lines().map(|line| relative(line, &mut first)).collect();
        assert!(functions.insert(name, format!("{heading}\n{}", lines.join("\n"))).is_none(), "{heading}");
    }
    functions
}

/// A line of the listing, as seen from the first line of its function.
fn relative(line: &str, first: &mut Option<usize>) -> String {
    let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    if let Some(at) = words.first().and_then(|word| word.trim_end_matches(':').parse::<usize>().ok()) {
        first.get_or_insert(at);
        words.remove(0);
    }
    for place in 1..words.len() {
        let Ok(number) = words[place].trim_end_matches([':', ',']).parse::<usize>() else { continue };
        match words[place - 1].as_str() {
            "jump" | "else" => words[place] = format!("+{}", number - first.unwrap_or(0)),
            "choice" | "choose" | "table" => words[place] = "…".to_owned(),
            _ => {}
        }
    }
    // A hidden column beside an index: `hidden 5[r28]`.
    for place in 1..words.len() {
        if words[place - 1] == "hidden" {
            let rest = words[place].trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
            words[place] = format!("…{rest}");
        }
    }
    words.join(" ")
}

#[test]
fn only_what_a_variant_amends_is_compiled_otherwise() {
    let base = functions(&[]);
    assert!(base.len() > 150, "{}", base.len());
    for (variant, amended) in [
        // A step that asks a small rule has it inside.
        ("welsh-hills", &["rule firepower", "rule turn letter", "step battle round"] as &[&str]),
        ("faithless", &["rule betrays", "step tempt"]),
        ("long-war", &["step setup Wars of the Roses"]),
        ("hard-winter", &["step campaign reset"]),
        // What is done elsewhere without what stands around it is a part of it.
        ("historical-events", &["step campaign reset", "step open hands"]),
    ] {
        let with = functions(&[variant]);
        let other: BTreeSet<&str> = base
            .iter()
            .filter(|(name, code)| with.get(*name) != Some(code))
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(other, amended.iter().copied().collect(), "{variant}");
    }
}

#[test]
fn a_stack_is_read_as_its_files_are_read() {
    let stack = ["thornbury", "welsh-hills", "hard-winter", "devonshire"];
    let project = rules_only("richard-iii", &stack);
    let folders = || std::iter::once(&project.game).chain(&project.variants);
    let written: BTreeMap<&str, usize> = folders()
        .flat_map(|folder| folder.manifest.iter().chain(&folder.pages).chain(&folder.data))
        .map(|page| (page.name.as_str(), page.text.len()))
        .collect();
    let parsed = parsed(&project);
    let mut read = BTreeMap::new();
    for (_, source) in parsed.sources.iter().filter(|(_, source)| !source.name.starts_with("stdlib/")) {
        let before = read.insert(&*source.name, source.text.len());
        assert_eq!(before, None, "{} is read twice", source.name);
    }
    // Every byte once, and none that is not in the stack.
    assert_eq!(read, written);
    let library: usize = project.library.iter().map(|page| page.text.len()).sum();
    let whole: usize = parsed.sources.iter().map(|(_, source)| source.text.len()).sum();
    assert!(whole <= written.values().sum::<usize>() + library);
}

/// Puts each rule and step of a page anew, as it is written there.
fn put_anew(parsed: &Parsed, file: &ast::File) -> String {
    let written = file.items.iter().filter(|item| {
        matches!(
            &item.kind,
            ast::ItemKind::Declaration(ast::Declaration::Rule(_) | ast::Declaration::Step(_))
        )
    });
    written.map(|item| format!("replace {}\n", parsed.sources.slice(item.span))).collect()
}

#[test]
fn what_a_variant_puts_as_it_is_written_is_what_it_was() {
    for game in ["richard-iii", "lionheart", "salt-road"] {
        let mut project = rules_only(game, &[]);
        let before = parsed(&project);
        let own = before.files.iter().filter(|(layer, _)| *layer == Layer::Game);
        let pages = own.map(|(_, file)| Page {
            name: format!("anew/{}", before.sources.get(file.source).name),
            text: put_anew(&before, file),
        });
        let pages: Vec<Page> = pages.collect();
        assert!(
            pages.iter().map(|page| page.text.matches("replace ").count()).sum::<usize>() >= 10,
            "{game}"
        );
        let manifest = format!("Variant(name: \"Anew\", game: \"{}\")", before.game.name);
        project.variants.push(Folder {
            manifest: Some(Page { name: "anew/blazon.ron".to_owned(), text: manifest }),
            pages,
            ..Folder::default()
        });
        let after = parsed(&project);
        let listed = |of: &Parsed| program(of, &Settings::default()).listing();
        assert_eq!(listed(&before), listed(&after), "{game}");
    }
}
