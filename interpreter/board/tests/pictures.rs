//! Pictures: one file that needs nothing beside it and shows what a seat may see; and maps to begin with, which the reader
//! of maps takes without a word.

use std::path::Path;
use std::sync::Arc;

use blazon::bots::{Pick, Random};
use blazon::{Game, Loader, PlayerId, Program, Rules, Selection};
use blazon_board::{Board, map_to_begin_with};
use blazon_fixtures::{Section, each};
use roxmltree::Document;

const GAMES: [&str; 3] = ["richard-iii", "lionheart", "salt-road"];

fn of_page(page: &str) -> Arc<Program> {
    let manifest = r#"Game(name: "Places", player: "side", begins: "game")"#;
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("places.blazon", page)]);
    rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A game inside the program, and its drawn map.
fn inside(name: &str) -> (Arc<Program>, Option<String>) {
    let mut rules = Loader::new().find(name).unwrap();
    let program = rules.program(&Selection::default()).unwrap();
    (program, rules.map(&[]).map(|map| map.text.clone()))
}

/// How many elements are of a class.
fn count(picture: &Document, class: &str) -> usize {
    let has = |node: &roxmltree::Node| {
        node.attribute("class").is_some_and(|classes| classes.split_whitespace().any(|other| other == class))
    };
    picture.descendants().filter(has).count()
}

/// The words that a picture shows, one after the other.
fn words(picture: &Document) -> Vec<String> {
    let texts =
        picture.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    texts.map(|text| text.text().unwrap_or_default().to_owned()).collect()
}

/// The same of its pieces.
fn on_pieces(picture: &Document) -> Vec<String> {
    let is_piece = |node: &roxmltree::Node| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|class| class == "piece"))
    };
    let texts = picture.descendants().filter(|node| node.tag_name().name() == "text");
    let on_pieces = texts.filter(|text| text.ancestors().any(|around| is_piece(&around)));
    on_pieces.map(|text| text.text().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_whole_file_of_a_small_game() {
    each(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures"), |fixture| {
        let program = of_page(fixture.section("page").unwrap());
        let board = Board::new(program.clone(), None).unwrap();
        let mut game = Game::new(program).unwrap();
        game.begin(1).unwrap();
        let blue = game.players()[1];
        vec![
            Section::new("picture", &board.picture(&mut game, None).unwrap()),
            Section::new("blue's picture", &board.picture(&mut game, Some(blue)).unwrap()),
        ]
    });
}

#[test]
fn a_picture_needs_nothing_beside_it() {
    for name in GAMES {
        let (program, map) = inside(name);
        let board = Board::new(program.clone(), map.as_deref()).unwrap();
        let mut game = Game::new(program).unwrap();
        game.begin(5).unwrap();
        let mut bot = Random::new(5, Pick::ByName);
        for decision in 0..120 {
            let Some(player) = game.decider() else { break };
            if decision % 30 == 0 {
                let seats: Vec<Option<PlayerId>> =
                    game.players().into_iter().map(Some).chain([None]).collect();
                for seat in seats {
                    needs_nothing(&board.picture(&mut game, seat).unwrap());
                }
            }
            game.choose_by(player, &mut bot).unwrap();
        }
    }
}

fn needs_nothing(picture: &str) {
    const KNOWN: [&str; 15] = [
        "svg", "title", "style", "defs", "pattern", "clipPath", "g", "rect", "path", "circle", "polygon",
        "use", "text", "ellipse", "line",
    ];
    let document = Document::parse(picture).unwrap_or_else(|error| panic!("{error}: {picture:.200}"));
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        assert!(KNOWN.contains(&name), "`{name}` in a picture");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on"), "{name} in a picture");
            let within = value.strip_prefix("url(#").map(|rest| rest.trim_end_matches(')'));
            let within = within.or_else(|| (name == "href").then(|| value.trim_start_matches('#')));
            assert!(within.is_none_or(|id| ids.contains(&id)), "{name}=\"{value}\" is not in the picture");
            assert!(!value.contains("//") && (within.is_some() || !value.contains("url(")), "{name}={value}");
        }
    }
    let style =
        document.descendants().find(|node| node.has_tag_name("style") || node.tag_name().name() == "style");
    let style = style.and_then(|style| style.text()).unwrap_or_default();
    assert!(!style.contains("url(") && !style.contains("@import"), "{style}");
}

#[test]
fn everything_that_a_seat_sees_is_in_its_picture_and_nothing_else() {
    for name in GAMES {
        let (program, map) = inside(name);
        let board = Board::new(program.clone(), map.as_deref()).unwrap();
        let mut game = Game::new(program).unwrap();
        game.begin(3).unwrap();
        let seats: Vec<Option<PlayerId>> = game.players().into_iter().map(Some).chain([None]).collect();
        for seat in seats {
            let picture = board.picture(&mut game, seat).unwrap();
            let document = Document::parse(&picture).unwrap();
            // What the page draws is drawn here, by the same functions; of look-alike backs in a box there is one.
            let shown = board.show(&mut game, seat).unwrap();
            let page: String = shown.fragments.iter().map(|fragment| fragment.html.as_str()).collect();
            assert_eq!(count(&document, "piece"), page.matches(r#"class="piece "#).count(), "{name}");
            assert!(count(&document, "piece") > 5, "{name}");
            let view = game.view(Some(seat.unwrap_or(PlayerId::PUBLIC))).unwrap();
            let unseen =
                |known: &str| view.kinds.values().all(|kind| kind.seen.iter().all(|of| of.name != known));
            let everything = game.view(None).unwrap();
            let kinds = everything.kinds.values();
            let hidden: Vec<&str> = kinds
                .flat_map(|kind| &kind.seen)
                .map(|of| of.name.as_str())
                .filter(|of| unseen(of))
                .collect();
            for word in on_pieces(&document) {
                assert!(!hidden.contains(&word.as_str()), "{name}: {seat:?} sees {word}");
            }
        }
    }
}

#[test]
fn a_game_without_places_has_a_picture() {
    let page = "kind side = Red, Blue\nkind pawn = Pawn { state owner: side }\nstate score: 0..9 = 4\n\
                setup Start (pawn: owner) { Pawn: Red }\n\
                step game { choose by Red { option pass \"Pass\" { win(Red) } } }\n";
    let program = of_page(page);
    assert_eq!(map_to_begin_with(&program.book), None);
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    game.begin(1).unwrap();
    let picture = board.picture(&mut game, None).unwrap();
    needs_nothing(&picture);
    let words = words(&Document::parse(&picture).unwrap());
    assert_eq!(words, ["Places", "Start", "score", "4", "Red", "Blue", "pawns", "1", "Pawn: owner Red"]);
}

#[test]
fn what_is_kept_by_several_keys_is_in_the_picture() {
    let page = "kind side = Red, Blue\nkind region = North, South\nkind area = Mill, Ford\nkind road = area - area\n\
                links road\n  Mill - Ford\nkind pawn = Pawn, Other { state at: area?; state side: side; state late: flag }\n\
                state vote(region, side): 0..6 = 2\nstate toll(area, side): 0..9 = 7\n\
                setup Start (pawn: side, at, late) { Pawn: Red, Mill, yes; Other: Blue, Ford, no }\n\
                step game { choose by Red { option pass \"Pass\" { win(Red) } } }\n";
    let program = of_page(page);
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    game.begin(1).unwrap();
    let picture = board.picture(&mut game, None).unwrap();
    needs_nothing(&picture);
    let words = words(&Document::parse(&picture).unwrap());
    for told in ["regions", "North: vote Red 2, vote Blue 2", "Ford: toll Red 7, toll Blue 7", "Pawn: late"] {
        assert!(words.iter().any(|word| word == told), "{told} is missing: {words:?}");
    }
}

#[test]
fn on_a_map_that_was_begun_the_homes_are_marked_as_they_were() {
    let page = "kind side = Red, Blue\nkind area { fact side: side? }\n\
                table area\n  | name | side |\n  | Mill | Red  |\n  | Ford | Blue |\n  | Moor |      |\n\
                kind road = area - area\nlinks road\n  Mill - Ford, Ford - Moor\n\
                kind pawn = Pawn { state at: area?; state side: side }\n\
                setup Start (pawn: side, at) { Pawn: Red, Mill }\n\
                step game { choose by Red { option pass \"Pass\" { win(Red) } } }\n";
    let program = of_page(page);
    let map = map_to_begin_with(&program.book).unwrap();
    for map in [None, Some(map.as_str())] {
        let board = Board::new(program.clone(), map).unwrap();
        let mut game = Game::new(program.clone()).unwrap();
        game.begin(1).unwrap();
        let picture = board.picture(&mut game, None).unwrap();
        needs_nothing(&picture);
        assert_eq!(count(&Document::parse(&picture).unwrap(), "home"), 2, "{}", map.is_some());
    }
}

/// What the reader says of a map to begin with: how many shapes it has, and what is wrong with it.
fn begun(program: &Arc<Program>) -> (usize, Vec<String>) {
    let map = map_to_begin_with(&program.book).unwrap();
    let board =
        Board::new(program.clone(), Some(&map)).map_err(|problems| panic!("{:?}", problems.first())).unwrap();
    let said = board.differs().iter().map(|problem| format!("{}: {}", problem.code, problem.message));
    (map.matches("inkscape:label=").count() - map.matches("inkscape:groupmode=").count(), said.collect())
}

#[test]
fn a_map_to_begin_with_is_read_without_a_word() {
    for (name, shapes) in [("richard-iii", 33 + 62), ("lionheart", 1039), ("salt-road", 10 + 17)] {
        assert_eq!(begun(&inside(name).0), (shapes, Vec::new()), "{name}");
    }
}

#[test]
fn names_of_any_sort_are_labels() {
    let page = r#"
kind side = Red, Blue
kind area
table area
  | name            |
  | Rock & Pool     |
  | Übersee         |
  | <b>"Mill"</b>   |
  | Saint-Omer      |
kind road = area - area
links road
  Übersee - Saint-Omer, Saint-Omer - 'Rock & Pool'
kind piece = Foot { state at: area?; state side: side }
setup Start (piece: side, at) { Foot: Red, Übersee }
step game { choose by Red { option pass "Pass" { win(Red) } } }
"#;
    assert_eq!(begun(&of_page(page)), (6, Vec::new()));
}

/// What is drawn at a point: from the left, from above, to the right, below.
type Drawn = (String, [f64; 4]);

/// The names of places in a picture, with the marks under them, and its pieces.
fn names_and_pieces(picture: &Document) -> (Vec<Drawn>, Vec<Drawn>) {
    let class = |node: &roxmltree::Node, wanted: &str| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|class| class == wanted))
    };
    let number =
        |node: &roxmltree::Node, name: &str| node.attribute(name).and_then(|text| text.parse::<f64>().ok());
    let mut drawn = (Vec::new(), Vec::new());
    for node in picture.descendants() {
        if class(&node, "place-name") {
            let (x, y) = (number(&node, "x").unwrap(), number(&node, "y").unwrap());
            let name = node.text().unwrap_or_default();
            // As wide as such letters are at least.
            let beside = node.parent().into_iter().flat_map(|group| group.children().collect::<Vec<_>>());
            let marks = beside.filter(|mark| class(mark, "mark")).count() as f64;
            let half = (name.chars().count() as f64 * 5.0).max(marks * 13.0) / 2.0;
            let under = if marks > 0.0 { 13.0 } else { 0.0 };
            drawn.0.push((name.to_owned(), [x - half, y - 9.0, x + half, y + under]));
        } else if class(&node, "piece")
            && !class(&node, "site")
            && node.ancestors().any(|around| class(&around, "at"))
        {
            let at = node.attribute("transform").unwrap().trim_start_matches("translate(");
            let (x, y) = at.split(')').next().unwrap().split_once(',').unwrap();
            let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
            let wood = node.descendants().find(|part| class(part, "wood")).unwrap();
            let (w, h) = (number(&wood, "width").unwrap_or(40.0), number(&wood, "height").unwrap_or(40.0));
            drawn.1.push((node.attribute("aria-label").unwrap_or_default().to_owned(), [x, y, x + w, y + h]));
        }
    }
    drawn
}

fn meet(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

#[test]
fn names_of_places_can_be_read_whatever_stands_there() {
    let (program, map) = inside("richard-iii");
    let board = Board::new(program.clone(), map.as_deref()).unwrap();
    let (mut looked, mut covered) = (0, Vec::new());
    for seed in 0..4 {
        let mut game = Game::new(program.clone()).unwrap();
        game.begin(seed).unwrap();
        let mut bot = Random::new(seed, Pick::ByName);
        for decision in 0..160 {
            let Some(player) = game.decider() else { break };
            if decision % 20 == 0 {
                let picture = board.picture(&mut game, Some(player)).unwrap();
                let (names, pieces) = names_and_pieces(&Document::parse(&picture).unwrap());
                assert!(
                    names.len() > 30 && pieces.len() > 10,
                    "{} names, {} pieces",
                    names.len(),
                    pieces.len()
                );
                for (at, (name, place)) in names.iter().enumerate() {
                    looked += 1;
                    let others = names[at + 1..].iter().chain(&pieces);
                    covered.extend(
                        others
                            .filter(|(_, other)| meet(place, other))
                            .map(|(other, _)| format!("{seed}/{decision}: {name} and {other}")),
                    );
                }
            }
            game.choose_by(player, &mut bot).unwrap();
        }
    }
    assert!(covered.is_empty(), "{} of {looked} names: {covered:#?}", covered.len());
}
