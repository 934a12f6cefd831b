//! What the library is for: a new block game takes in its general part and removes nothing (`tests/games`), and what
//! designers ask for is a few lines of a variant (`tests/recipes`).

use std::path::PathBuf;

use blazon_book::Book;
use blazon_check::project::{Page, Parsed, Project};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Format, render};
use blazon_machine::Machine;
use blazon_machine::test_runner::run_on;
use blazon_tests::games::{End, play_many};
use blazon_tests::{parsed, program, project, style, top};

/// The most lines that a recipe may take, remarks and blank lines left out.
const LINES: usize = 6;

fn recipe(name: &str) -> String {
    top().join("tests/recipes").join(name).display().to_string()
}

/// The names of all recipes.
fn recipes() -> Vec<String> {
    let folders = std::fs::read_dir(top().join("tests/recipes")).expect("recipes");
    let name = |folder: std::io::Result<std::fs::DirEntry>| folder.expect("a folder").file_name();
    let mut names: Vec<String> = folders.map(|folder| name(folder).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The tests in a folder that fail.
fn failing(parsed: &Parsed, folder: &str) -> Vec<String> {
    let program = program(parsed, &Settings::default());
    let machine = Machine::new(program.clone()).expect("a machine");
    let inside =
        |book: &Book, place: usize| parsed.sources.get(book.tests[place].span.source).name.contains(folder);
    let tests: Vec<usize> =
        (0..program.book.tests.len()).filter(|&place| inside(&program.book, place)).collect();
    assert!(!tests.is_empty(), "no tests in {folder}");
    let run = |place: usize| run_on(machine.clone(), &program.book.tests[place]);
    tests.into_iter().map(run).filter(|report| !report.passed).map(|report| report.name).collect()
}

/// What is said of rules that should be clean.
fn said(parsed: &Parsed) -> Vec<String> {
    let diagnostics = check(parsed, &Settings::default()).diagnostics;
    diagnostics.into_iter().map(|diagnostic| format!("{}: {}", diagnostic.code, diagnostic.message)).collect()
}

fn is_test(page: &Page) -> bool {
    page.name.contains("/tests/")
}

#[test]
fn a_recipe_is_short_and_clean_and_its_tests_pass() {
    for name in recipes() {
        let project = project("richard-iii", &[&recipe(&name)]);
        for page in project.variants[0].pages.iter().filter(|page| !is_test(page)) {
            let lines = page.text.lines().map(str::trim);
            let count = lines.filter(|line| !line.is_empty() && !line.starts_with("--")).count();
            assert!(count <= LINES, "{name} takes {count} lines");
        }
        let parsed = parsed(&project);
        assert_eq!(said(&parsed), [""; 0], "{name}");
        assert_eq!(failing(&parsed, &format!("tests/recipes/{name}/")), [""; 0], "{name}");
    }
}

#[test]
fn without_its_page_the_tests_of_a_recipe_fail() {
    for name in recipes() {
        let mut project = project("richard-iii", &[&recipe(&name)]);
        project.variants[0].pages.retain(is_test);
        let parsed = parsed(&project);
        let refused = check(&parsed, &Settings::default()).book.is_none();
        assert!(refused || !failing(&parsed, &format!("tests/recipes/{name}/")).is_empty(), "{name}");
    }
}

#[test]
fn two_variants_give_one_area_a_shield_each_in_either_order() {
    let [one, other] = ["shield-of-stanley", "shield-of-rivers"].map(recipe);
    for stack in [[&one, &other], [&other, &one]] {
        let parsed = parsed(&project("richard-iii", &stack.map(String::as_str)));
        assert_eq!(said(&parsed), [""; 0]);
        assert_eq!(failing(&parsed, "tests/recipes/"), [""; 0]);
    }
}

/// All recipes at once: what they change lies apart.
#[test]
fn the_recipes_stack() {
    let all: Vec<String> = recipes().iter().map(|name| recipe(name)).collect();
    let parsed = parsed(&project("richard-iii", &all.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(said(&parsed), [""; 0]);
    assert_eq!(failing(&parsed, "tests/recipes/"), [""; 0]);
}

/// What is said of a game that takes in a module without those on which it stands.
#[test]
fn a_module_that_is_missing_is_named() {
    let mut project = ferry();
    let manifest = project.game.manifest.as_mut().expect("a manifest");
    manifest.text = manifest.text.replace("\"battles\"", "\"battles\", \"regroup\", \"reserves\"");
    let parsed = parsed(&project);
    let said = check(&parsed, &Settings::default()).diagnostics;
    let text = render(&said, &parsed.sources, Format::Human, style());
    assert_eq!(text.trim(), MISSING.trim());
}

const MISSING: &str = "
error[names::unknown]

  × `entries` cannot be asked of an area
    ╭─[stdlib/reserves.blazon:10:47]
  9 │ in rule late { except relief: yes if b.side = defender and b.relieves }
 10 │ rule relieves(b: block): flag = b.way in here.entries(b.side)
    ·                                               ───┬───
    ·                                                  ╰── no such thing
 11 │
    ╰────
  help: the module `fronts` of the library has `entries`: name it in `uses`, or declare it here

1 error
";

fn ferry() -> Project {
    let folder: PathBuf = ["..", "tests", "games", "long-ferry"].iter().collect();
    project(&folder.display().to_string(), &[])
}

/// A small block game of the general modules: it is complete, and says nowhere what it does not want.
#[test]
fn a_new_block_game_removes_nothing() {
    let project = ferry();
    for page in &project.game.pages {
        let takes_away =
            |line: &str| line.contains("remove ") || line.contains("replace ") || line.contains("waive ");
        assert!(!page.text.lines().any(takes_away), "{}", page.name);
    }
    let parsed = parsed(&project);
    assert_eq!(said(&parsed), [""; 0]);
    assert_eq!(failing(&parsed, "games/long-ferry/"), [""; 0]);
    play_many(&program(&parsed, &Settings::default()), 200, End::HasWinner, || |_| Ok(()));
}

/// How far hexes lie from each other is held against how many of them lie between, on each sort of grid.
#[test]
fn hexes_know_their_distances_however_they_lie() {
    let lies = ["even columns low", "odd columns low", "even rows right", "odd rows right", "squares"];
    // A track is one row or one column of them, which goes to and fro on some grids.
    let sizes = [(6, 5), (6, 1), (1, 5), (2, 1), (1, 2)];
    for (lie, (columns, rows)) in lies.into_iter().flat_map(|lie| sizes.map(|size| (lie, size))) {
        let rows: String = (1..=columns)
            .flat_map(|column| {
                (1..=rows).map(move |row| format!("  | {column:02}{row:02} | {column:02}{row:02} |\n"))
            })
            .collect();
        let page = format!(
            "kind side = North, South\ntable hex\n  | name | number |\n{rows}grid hexside by number, {lie}\nsetup Start {{ \
             }}\nrule hops(a: hex, b: hex, n: number): flag = n >= 0 and b in reach h in [a] by h.neighbours within n\n\
             rule counted(a: hex, b: hex): flag = a.hops(b, a.distance(b)) and not a.hops(b, a.distance(b) - 1)\n\
             step game {{ win(North) }}\n\
             test \"distances\" {{ from Start; expect every a in hexes: every b in hexes: a.counted(b) }}\n\
             test \"what lies beside\" {{ from Start; expect every h in hexes: every n in h.neighbours: every f in \
             h.flanks(n): f in h.neighbours and f.distance(n) = 2 }}\n"
        );
        let manifest = r#"Game(name: "Grid", player: "side", begins: "game", uses: ["hexes"])"#;
        let mut rules = blazon::Rules::from_texts([("blazon.ron", manifest), ("grid.blazon", page.as_str())]);
        let whole = rules.project(&[]);
        let parsed = blazon_check::project::parse(&whole).expect("a manifest");
        let failed = failing(&parsed, "grid");
        assert!(failed.is_empty(), "{lie}, {columns} columns: {failed:?}");
        rules.program(&blazon::Selection::default()).unwrap_or_else(|error| panic!("{lie}: {error}"));
    }
}

/// A game in which blocks march one by one or as a group.
const GROUPS: &str = "
kind side = North, South
rule rival(s: side): side = North
  except other: South if s = North
rule p1: side = North
kind colour = Path
table colour
  | name | limit |
  | Path | 9     |
kind rating = Guard
table rating
  | name  | letter | power |
  | Guard | A      | 1     |
kind block { state side: side }
table block (steps: 4, rating: Guard)
  | name  |
  | First |
  | Other |
kind area = Camp, Moor, Abbey, Hill
links border (colour: Path)
  Camp - Moor, Moor - Abbey, Moor - Hill
setup Start (block: side, at) { First, Other: North, Camp }
step game turn { action phase(North); battle phase }
step game { game turn }
rule points(s: side): number = 1
";

/// Whatever binds the way of one block into an area binds that of a group, and each of a group pays what it costs.
#[test]
fn a_group_is_bound_by_what_binds_one_block() {
    let pages = [
        (
            "in rule closed { except holy: yes if a = Abbey }
test \"one block\" { from Start; play game turn; Red: march(First, Moor); refuse Red: on(Abbey) \"Abbey is closed to North\" }
test \"a group\" {
  from Start
  play game turn
  Red: march together(Camp, Moor)
  Red: join(First)
  Red: join(Other)
  refuse Red: on together(Abbey) \"not all of the group may go there\"
  Red: on together(Hill)
  expect First.at = Hill, Other.at = Hill
}",
            "a law of the way in",
        ),
        (
            "replace rule march cost(b: block): 0..1 = 1
test \"each pays\" {
  from Start
  play game turn
  Red: march together(Camp, Moor)
  Red: join(First)
  expect points left = 0, First.at = Moor, Other.at = Camp
}",
            "what each costs",
        ),
    ];
    for (page, what) in pages {
        let manifest = r#"Game(name: "Groups", player: "side", begins: "game", uses: ["sides", "blocks", "maps", "moves", "battles", "groups"])"#;
        let page = format!("{GROUPS}{page}").replace("Red:", "North:");
        let rules = blazon::Rules::from_texts([("blazon.ron", manifest), ("groups.blazon", page.as_str())]);
        let parsed = blazon_check::project::parse(&rules.project(&[])).expect("a manifest");
        assert_eq!(said(&parsed), [""; 0], "{what}");
        assert_eq!(failing(&parsed, "groups.blazon"), [""; 0], "{what}");
    }
}
