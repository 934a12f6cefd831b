//! A report is one well-formed file that runs and loads nothing, has a table beneath every picture, takes no text from
//! the rules for markup, and is the same each time. `tests/report/check.py` works its figures out once more.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use blazon::{Program, Rules, Selection};
use blazon_board::Board;
use blazon_machine::bots::Skill;
use blazon_study::Plan;
use blazon_study::compare::{Cause, Contest, Lines};
use blazon_study::heat::Counted;
use blazon_study::report::{Level, Report, html};
use blazon_study::stats::Certainty;
use roxmltree::Document;

/// Two riders cross a ford; who rides over the other has him off the board. The first to have nobody left has lost.
const GAME: &str = r#"
kind side = Red, Blue
kind sort = Path
kind area { fact drawn at: point }
table area
  | name | drawn at |
  | Mill | 0, 0     |
  | Ford | 40, 10   |
  | Wood | 80, 0    |
  | Moor | 80, 40   |
kind road = area - area { fact sort: sort }
links road (sort: Path)
  Mill - Ford, Ford - Wood, Wood - Moor
kind rider = Ash, Birch, Cedar, Dogwood {
  state at: area?
  state side: side
}
setup Start (rider: side, at) { Ash, Birch: Red, Mill; Cedar, Dogwood: Blue, Wood }
rule outlook(s: side): number = count r in riders where r.side = s and r.at != none
step game {
  for round in 1..LAST { for s in sides { turn of(s) } }
  say "Nobody is left"
}
step turn of(s: side) {
  choose by s "Who rides?" {
    option ride(r in riders, to in areas) "{r} rides to {to}"
      needs own: r.side = s else "not yours"
      needs way: r.at != none and r.at != to else "no way"
    { r.at := to; clash(s, to) }
    option wait "Nobody" {}
  } else {}
}
step clash(s: side, to: area) {
  for other in riders where other.side != s and other.at = to { other.at := none }
  if not (any other in riders where other.side != s and other.at != none) { win(s) }
}
"#;

fn program(title: &str, last: u32) -> Arc<Program> {
    let manifest = format!("Game(name: {title:?}, player: \"side\", begins: \"game\")");
    let page = GAME.replace("LAST", &last.to_string());
    let mut rules = Rules::from_texts([("blazon.ron", manifest.as_str()), ("riders.blazon", page.as_str())]);
    rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"))
}

const HOSTILE: &str = "Riders <script>alert(1)</script> & \"<img src=x>\"";

/// A report of the game against itself with longer games.
fn report(threads: usize, until_sure: bool) -> String {
    let (base, changed) = (program(HOSTILE, 6), program(HOSTILE, 9));
    let plans = [&base, &changed].map(|program| Plan::new(&program.book, 3, Skill::RANDOM));
    let certainty = Certainty { matters: 0.05, error: 0.05 };
    let contest = Contest {
        base: base.clone(),
        changed: changed.clone(),
        base_plan: &plans[0],
        changed_plan: &plans[1],
        pairs: 640,
        certainty,
        until_sure,
        threads,
        rows: None,
    };
    let found = contest.play(&AtomicUsize::new(0), &mut |_, _| true).unwrap();
    let heat = &found.sums.gathered[0].heat;
    let sum =
        |counted: Counted| heat.cells(counted).iter().map(|cell| cell.sum).sum::<u64>() / counted.unit();
    assert_eq!(heat.games(), found.sums.pairs);
    assert!(sum(Counted::Stood(0)) > found.sums.pairs, "somebody stands somewhere");
    assert!(sum(Counted::Walked(0)) > 0 && sum(Counted::Left(1)) > 0 && !heat.jumped().is_empty());
    let lines = |place: &str, item: &str| Lines { place: place.into(), item: item.into() };
    let first = lines("riders.blazon:21", "step <b>game</b> {");
    let others = vec![lines("riders.blazon:3", "state <u>gone</u>: flag")];
    let cause = Cause { first, others, is_least: true };
    let causes = BTreeMap::from([(cause, 7)]);
    let boards = [&base, &changed].map(|program| Board::new((*program).clone(), None).unwrap());
    let rules = |program, board| blazon_study::report::Rules { name: HOSTILE, program, board: Some(board) };
    html(&Report {
        base: rules(&base, &boards[0]),
        changed: rules(&changed, &boards[1]),
        certainty,
        until_sure,
        apart: false,
        command: "blazon compare 'riders <script>' --seed 3",
        levels: vec![Level {
            name: "random",
            plans: [&plans[0], &plans[1]],
            pairs: 640,
            found: &found,
            tried: 7,
            causes: &causes,
            is_cut: false,
        }],
        missing: Vec::new(),
    })
}

/// What HTML may leave out and XML may not.
fn as_xml(page: &str) -> String {
    let mut page = page.replace("<!DOCTYPE html>", "").replace(" open>", " open=\"\">");
    for void in ["<meta", "<input"] {
        let parts: Vec<String> = page
            .split(void)
            .enumerate()
            .map(|(at, part)| if at == 0 { part.to_owned() } else { part.replacen('>', "/>", 1) })
            .collect();
        page = parts.join(void);
    }
    page.replace(" checked/>", " checked=\"\"/>")
}

#[test]
fn it_is_well_formed_and_loads_nothing() {
    let page = report(1, false);
    for foreign in [
        "<script",
        "<img",
        "<link",
        "<iframe",
        "http:",
        "https:",
        "@import",
        "url(h",
        "javascript:",
        "<b>",
        "<u>",
    ] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("Riders &lt;script&gt;alert(1)&lt;/script&gt; &amp; "));
    let xml = as_xml(&page);
    let document = Document::parse(&xml).unwrap_or_else(|error| panic!("{error}"));
    let figures: Vec<_> = document.descendants().filter(|node| node.has_tag_name("figure")).collect();
    assert!(figures.len() > 10, "{}", figures.len());
    for figure in figures {
        let is = |name: &'static str| figure.descendants().any(|node| node.has_tag_name(name));
        let last = figure.children().rfind(roxmltree::Node::is_element).unwrap();
        assert!(is("svg") && last.has_tag_name("details"), "a picture has its table beneath it");
        assert!(last.descendants().any(|node| node.attribute("data-v").is_some()), "with figures in it");
    }
    // Whatever a picture uses is there once.
    let mut ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "no id stands twice");
    for used in document.descendants().filter_map(|node| node.attribute("href")) {
        assert!(ids.binary_search(&used.trim_start_matches('#')).is_ok(), "{used}");
    }
    for picture in document.descendants().filter(|node| node.attribute("role") == Some("img")) {
        assert!(
            picture.children().any(|child| child.has_tag_name("title")),
            "every picture says what it shows"
        );
    }
}

#[test]
fn it_is_the_same_on_any_number_of_threads() {
    assert!(report(1, true) == report(3, true));
}

#[test]
fn its_figures_are_worked_out_once_more_in_python() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html");
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/report/check.py");
    for until_sure in [false, true] {
        let page = report(1, until_sure);
        std::fs::write(&place, &page).unwrap();
        let checked = match Command::new("python3").arg(&check).arg(&place).output() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            checked => checked.unwrap(),
        };
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success(), "{said}");
        // One figure that is wrong is found.
        let at = page
            .find("data-table=\"wins\"")
            .and_then(|at| Some(at + page[at..].find("data-v=\"0.")?))
            .unwrap();
        std::fs::write(&place, format!("{}data-v=\"0.9{}", &page[..at], &page[at + 10..])).unwrap();
        let checked = Command::new("python3").arg(&check).arg(&place).output().unwrap();
        assert_eq!(checked.status.code(), Some(1));
        // So is a count of pairs that came out otherwise which leaves out those that nobody wins any more.
        let count = "data-count=\"otherwise\" data-v=\"";
        let at = page.find(count).unwrap() + count.len();
        let end = at + page[at..].find('"').unwrap();
        let less: u64 = page[at..end].parse::<u64>().unwrap() - 1;
        std::fs::write(&place, format!("{}{less}{}", &page[..at], &page[end..])).unwrap();
        let checked = Command::new("python3").arg(&check).arg(&place).output().unwrap();
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.code() == Some(1) && said.contains("came out otherwise"), "{said}");
    }
}
