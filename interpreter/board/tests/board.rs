//! The board of every game inside the program: what a seat is shown says nothing of what it may not know, and drawn maps
//! of strangers are held against the rules.

use blazon::bots::{Pick, Random};
use blazon::{Game, PlayerId, Rules, Selection};
use blazon_board::{Board, map_to_begin_with};

use common::{PLACES, program};

mod common;

/// All that a seat is shown, as one text.
fn shown(board: &Board, game: &mut Game, seat: Option<PlayerId>) -> String {
    let shown = board.show(game, seat).unwrap();
    let mut text = serde_json::to_string_pretty(&(shown.fragments, &shown.decision)).unwrap();
    text += &board.picture(game, seat).unwrap();
    if let Some(seat) = seat.filter(|_| shown.decision.yours) {
        let refused = board.why(game, seat).unwrap();
        text += &serde_json::to_string_pretty(&refused).unwrap();
    }
    text
}

/// Plays at random, and compares what each seat is shown with what it would be shown if what it may not know were
/// otherwise.
fn hidden(name: &str, decisions: usize, every: usize) {
    let program = program(name);
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    let (mut seed, mut bot) = (11, Random::new(11, Pick::ByName));
    game.begin(seed).unwrap();
    let (mut otherwise, mut displays) = (0, 0);
    for decision in 0..decisions {
        let Some(player) = game.decider() else {
            seed += 1;
            bot = Random::new(seed, Pick::ByName);
            game.begin(seed).unwrap();
            continue;
        };
        if decision % every == 0 {
            for seat in game.players() {
                let now = shown(&board, &mut game, Some(seat));
                displays += now.matches(r#""layer": "scene""#).count();
                for seed in 0..3 {
                    let mut guess = game.clone();
                    // What the rules let all know of hidden things need not be the same in a guess.
                    if !guess.imagine(seat, seed).unwrap() || guess.prompt(seat) != game.prompt(seat) {
                        continue;
                    }
                    otherwise += usize::from(guess.view(None).unwrap() != game.view(None).unwrap());
                    let then = shown(&board, &mut guess, Some(seat));
                    let line = now.lines().zip(then.lines()).find(|(a, b)| a != b);
                    assert_eq!(
                        line,
                        None,
                        "{name}: {} can tell at decision {decision}",
                        game.player_name(seat)
                    );
                    assert_eq!(now.len(), then.len());
                }
            }
        }
        game.choose_by(player, &mut bot).unwrap();
    }
    assert!(otherwise > 0, "{name}: nothing was hidden, so nothing was shown");
    assert!(displays > 0, "{name}: nothing was displayed");
}

#[test]
fn what_is_hidden_changes_no_byte_of_a_board_of_areas() {
    hidden("richard-iii", 200, 10);
}

#[test]
fn what_is_hidden_changes_no_byte_of_a_board_of_points() {
    hidden("salt-road", 200, 3);
}

#[test]
fn a_card_in_hand_says_what_its_number_is_and_what_sets_it_apart() {
    let program = program("richard-iii");
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    let mut hands = String::new();
    for seed in 0..8 {
        game.begin(seed).unwrap();
        for player in game.players() {
            let shown = board.show(&mut game, Some(player)).unwrap().fragments;
            hands.extend(shown.into_iter().filter(|fragment| fragment.layer == "hand").map(|hand| hand.html));
        }
    }
    for card in [
        r#"aria-label="AP3, 3, points"><span class="cn">AP3</span><span class="cv">3</span><span class="cl">points</span>"#,
        r#"aria-label="Muster, 0, points, event"><span class="cn">Muster</span><span class="cv">0</span><span class="cl">points, event</span>"#,
    ] {
        assert!(hands.contains(card), "{card}: {hands}");
    }
}

/// The board of these places on a map, or what is wrong with it; where it differs is told beside it.
fn places(map: &str) -> Result<(Board, Vec<String>), Vec<String>> {
    let manifest = r#"Game(name: "Places", player: "side", begins: "game")"#;
    let mut rules =
        Rules::from_texts([("blazon.ron", manifest), ("places.blazon", PLACES), ("map.svg", map)]);
    let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let map = rules.map(&[]).map(|page| page.text.clone());
    let said = |problem: &blazon_board::MapProblem| format!("{}: {}", problem.code, problem.message);
    let board = Board::new(program, map.as_deref())
        .map_err(|problems| problems.iter().map(said).collect::<Vec<_>>())?;
    let differs = board.differs().iter().map(said).collect();
    Ok((board, differs))
}

fn map(inside: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">{inside}</svg>"#)
}

#[test]
fn shapes_are_found_by_their_labels() {
    let drawn = map(r#"<rect width="100" height="50"/><g id="area" transform="translate(10,0)">
           <path d="M0,0h40v50h-40z"><title>Mill</title></path><rect id="Ford" x="40" width="40" height="50"/></g>"#);
    let (board, differs) = places(&drawn).unwrap();
    assert_eq!(differs, Vec::<String>::new());
    assert_eq!(board.sheet().matches(r#"class="land place""#).count(), 2);
    assert!(board.sheet().contains(r#"aria-label="Ford""#));
}

/// As a program that draws writes it: the file has an `id` and a title, layers lie in a layer and have groups of their own, and
/// what it keeps for itself stands among them.
#[test]
fn what_a_program_that_draws_puts_around_layers_is_no_layer() {
    let drawn = r##"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="100mm" height="50mm" viewBox="0 0 100 50" version="1.1" id="svg1" xmlns="http://www.w3.org/2000/svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd">
  <title id="title1">My map</title>
  <sodipodi:namedview id="namedview1" pagecolor="#ffffff" inkscape:current-layer="layer1"/>
  <defs id="defs1"/>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1">
    <g inkscape:label="area" inkscape:groupmode="layer" id="layer2" style="display:inline">
      <g id="g3"><path d="m 0,0 h 40 v 50 h -40 z" inkscape:label="Mill" id="path1"/></g>
      <rect id="Ford" x="40" y="0" width="40" height="50"/>
    </g>
  </g>
</svg>"##;
    let (board, differs) = places(drawn).unwrap();
    assert_eq!(differs, Vec::<String>::new());
    assert_eq!(board.sheet().matches(r#"class="land place""#).count(), 2);
}

#[test]
fn a_map_is_held_against_the_rules_both_ways() {
    let shape = r#"<rect id="Mill" width="9" height="9"/>"#;
    let missing = "map::missing: the area `Ford` has no shape on the map";
    let differs = |inside: &str| places(&map(inside)).unwrap().1;
    let unknown = differs(&format!(r#"<g id="area">{shape}<rect id="Fort" width="9" height="9"/></g>"#));
    assert_eq!(unknown, ["map::unknown: there is no area `Fort`", missing]);
    let twice = differs(&format!(r#"<g id="areas">{shape}{}</g>"#, shape.replace('9', "8")));
    assert_eq!(twice, ["map::twice: `Mill` is drawn twice", missing]);
    let (board, differs) = places(&map(&format!(r#"<g id="area">{shape}</g>"#))).unwrap();
    assert_eq!(differs, [missing]);
    assert_eq!(board.sheet().matches(r#"class="land place""#).count(), 2, "it is drawn all the same");
}

#[test]
fn what_runs_or_reaches_out_is_refused() {
    for inside in [
        "<script>alert(1)</script>",
        r#"<g onclick="alert(1)"/>"#,
        r#"<image href="https://example.org/x.png"/>"#,
        r##"<use href="#x"/>"##,
        r#"<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>"#,
        r#"<rect width="1" height="1" fill="url(https://example.org/x)"/>"#,
        r#"<a href="javascript:alert(1)"><rect width="1" height="1"/></a>"#,
        r#"<animate attributeName="href"/>"#,
    ] {
        let said = places(&map(inside)).err().unwrap_or_default();
        assert!(
            said.iter().all(|said| said.starts_with("map::element")) && !said.is_empty(),
            "{inside}: {said:?}"
        );
    }
}

#[test]
fn no_map_is_too_strange() {
    let deep = "<g>".repeat(200) + &"</g>".repeat(200);
    for text in [
        "".to_owned(),
        "no svg".to_owned(),
        "<!DOCTYPE x [<!ENTITY a 'aaaa'>]><svg>&a;</svg>".to_owned(),
        r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#.to_owned(),
        map(&deep),
        map(r#"<path d="M0,0 Q"/>"#),
        map(r#"<path d="M1e999,0L2,2"/>"#),
        map(r#"<rect width="x" height="1"/>"#),
        map(r#"<g transform="spin(3)"><rect width="1" height="1"/></g>"#),
        // Of what is so large a computer makes more curves than it has room for.
        map(r#"<circle id="Ford" r="1e200"/>"#),
        map(r#"<ellipse id="Ford" rx="1e30" ry="1"/>"#),
        map(r#"<path id="Ford" d="M0 0C1e200 1e200 0 1e200 9 9z"/>"#),
        map(r#"<path id="Ford" d="M0 0C1e30 1e30 0 1e30 9 9z"/>"#),
        map(r#"<path id="Ford" d="M0 0A1e200 1e200 0 0 0 9 9z"/>"#),
        map(r#"<path id="Ford" d="M1e200 0A1 1 0 0 0 9 9z"/>"#),
        map(r#"<g transform="scale(1e30)"><circle id="Ford" r="1"/></g>"#),
        map(r#"<g transform="translate(1e300)"><circle id="Ford" r="1"/></g>"#),
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e-300 1e-300"/>"#.to_owned(),
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e300 1e300"/>"#.to_owned(),
        map(&"<g/>".repeat(210_000)),
        " ".repeat((3 << 20) + 1),
    ] {
        let said = places(&text).err().unwrap_or_default();
        assert!(said.iter().any(|said| said.starts_with("map::unreadable")), "{:.60}: {said:?}", text);
    }
    // A shape of no size, or one that is a line, is where it is.
    let board = places(&map(
        r#"<g id="area"><rect id="Mill" width="0" height="9"/><path id="Ford" d="M1,1L9,9"/></g>"#,
    ));
    assert!(board.is_ok());
}

#[test]
fn a_look_that_draws_nothing_is_known() {
    let idle = |look: &str| {
        let manifest = r#"Game(name: "Places", player: "side", begins: "game")"#;
        let page = format!("{PLACES}\n{look}\n");
        let mut rules = Rules::from_texts([("blazon.ron", manifest), ("places.blazon", page.as_str())]);
        let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
        let board = Board::new(program, None).unwrap();
        board.idle().map(|said| said.message).collect::<Vec<_>>()
    };
    assert_eq!(idle("look piece pips: none"), Vec::<String>::new());
    assert_eq!(
        idle("look piece value: steps"),
        ["`look piece value` draws nothing: the board shows nothing that has such a part"]
    );
    // A sign is drawn where something of its sort is.
    assert_eq!(idle("look piece: anchor"), Vec::<String>::new());
    assert_eq!(idle("look Mill: none"), ["`look Mill` draws nothing: `Mill` bears no sign by itself"]);
    assert_eq!(idle("look Ford: none"), Vec::<String>::new(), "a link called so is a line");
    assert_eq!(
        idle("look strength: none"),
        ["`look strength` draws nothing: `strength` is told nowhere else than where it is drawn"]
    );
    assert_eq!(
        idle("look Mill: sea"),
        ["`look Mill` draws nothing: the board shows nothing by the name of `Mill`"]
    );
}

#[test]
fn a_sign_of_another_sort_draws_nothing() {
    let page = |look: &str| {
        format!(
            r#"
kind side = Red, Blue
kind sort = Plain, Thorn, Town
kind hex {{ fact number: 0..999; fact port: flag; fact sort: sort }}
table hex
  | name | number | port | sort  |
  | 0101 | 101    | yes  | Plain |
  | 0102 | 102    |      | Thorn |
  | 0201 | 201    |      | Town  |
kind side line = hex - hex
grid side line by number, even columns low
kind piece {{ state at: hex?; state side: side; fact brave: flag }}
table piece
  | name  | brave |
  | Guard | yes   |
setup Start (piece: side, at) {{ Guard: Red, '0101' }}
step game {{ choose by Red {{ option pass "Pass" {{ win(Red) }} }} }}
{look}
"#
        )
    };
    let idle = |look: &str| {
        let manifest = r#"Game(name: "Signs", player: "side", begins: "game")"#;
        let mut rules = Rules::from_texts([("blazon.ron", manifest), ("signs.blazon", page(look).as_str())]);
        let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
        Board::new(program, None)
            .unwrap()
            .idle()
            .map(|said| said.message + "; " + &said.help.unwrap_or_default())
            .collect::<Vec<_>>()
    };
    for drawn in [
        "look Plain: sand",
        "look Plain: clear\nlook Town: marsh",
        "look brave: star",
        "look hex marks: none",
    ] {
        assert_eq!(idle(drawn), Vec::<String>::new(), "{drawn}");
    }
    // On a grid no marks stand beside names.
    assert_eq!(
        idle("look hex marks: port"),
        [
            "`look hex marks` draws nothing: a grid draws no `marks`; a grid shows ground and regions, and lines \
             along and across its sides by the flags of links, such as `river`; leave the look out, or draw a map"
        ]
    );
    assert_eq!(idle("look port: tower").len(), 1);
    assert_eq!(
        idle("look Plain: sand\nlook Town: town"),
        [
            "`look Town` draws nothing: `Town` is not drawn by such a sign as `town`; give it a ground, such as `wood`"
        ]
    );
    assert_eq!(idle("look port: sea").len(), 1);
}

#[test]
fn a_look_of_the_rules_goes_before_a_guess() {
    let board = places(&map(
        r#"<g id="area"><rect id="Mill" width="9" height="9"/><rect id="Ford" width="9" height="9"/></g>"#,
    ));
    let manifest = r#"Game(name: "Places", player: "side", begins: "game")"#;
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("places.blazon", PLACES)]);
    let mut game = Game::new(rules.program(&Selection::default()).unwrap()).unwrap();
    game.begin(1).unwrap();
    let text = shown(&board.unwrap().0, &mut game, None);
    assert!(text.contains("piece block t-vert") && text.contains("strength 3 of 3"), "{text}");
}

#[test]
fn only_a_grid_shows_ground() {
    let looks = "kind soil = Mud\nfact soil(area): soil = Mud\nlook area ground: soil\n";
    let manifest = r#"Game(name: "Places", player: "side", begins: "game")"#;
    let page = format!("{PLACES}\n{looks}");
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("places.blazon", page.as_str())]);
    let board = Board::new(rules.program(&Selection::default()).unwrap(), None).unwrap();
    let said: Vec<String> = board.idle().map(|said| said.message).collect();
    assert_eq!(said, ["`look area ground` draws nothing: only a grid draws `ground`"]);
}

#[test]
fn what_only_keeps_the_books_is_not_told() {
    let kept = "state rounds: 0..9 = 4\nstate stage: 0..9 = 5\nstate paid(side): 0..9 = 6\nstate worn(area): 0..9\n\
                state debt(side, area): 0..9 = 8\nstate tally(piece): 0..9\nstate turn: side = Red\n";
    let told = |looks: &str| {
        let manifest = r#"Game(name: "Places", player: "side", begins: "game")"#;
        let begun = "\n  Foot: Red, Mill\n  worn(Ford) := 7\n  tally(Foot) := 9\n}";
        let page = format!("{}{kept}{looks}", PLACES.replace(" Foot: Red, Mill }", begun));
        let mut rules = Rules::from_texts([("blazon.ron", manifest), ("places.blazon", page.as_str())]);
        let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
        let board = Board::new(program.clone(), None).unwrap();
        let idle: Vec<String> = board.idle().map(|said| said.message).collect();
        assert_eq!(idle, Vec::<String>::new(), "{looks}");
        let mut game = Game::new(program).unwrap();
        game.begin(1).unwrap();
        let shown = board.show(&mut game, None).unwrap();
        shown.fragments.iter().map(|fragment| fragment.html.clone()).collect::<String>()
            + &board.picture(&mut game, None).unwrap()
    };
    let (all, none) = (
        told(""),
        told(
            "look rounds: none\nlook paid: none\nlook worn: none\nlook debt: none\nlook tally: none\nlook turn: none\n",
        ),
    );
    for word in ["rounds", "paid", "worn", "debt", "tally", "turn"] {
        assert!(all.contains(word), "{word}: {all}");
        assert!(!none.contains(word), "{word}: {none}");
    }
    assert!(none.contains("stage"), "what is not named is told: {none}");
}

/// A map to begin with has what the board draws of a grid, and is drawn as large.
#[test]
fn a_map_of_a_grid_keeps_its_ground_and_its_rivers() {
    let page = r#"
kind side = Red, Blue
kind sort = Clear, Wood, Sea
kind hex { fact number: 0..999; fact sort: sort }
table hex
  | name | number | sort  |
  | 0101 | 101    | Clear |
  | 0102 | 102    | Wood  |
  | 0201 | 201    | Sea   |
  | Mill | 202    | Clear |
kind side line = hex - hex { fact river: flag; fact road: flag }
grid side line by number, even columns low
links side line (river)
  '0101' - '0102'
links side line (road)
  '0102' - Mill
kind piece = Foot { state at: hex?; state side: side }
setup Start (piece: side, at) { Foot: Red, Mill }
step game { choose by Red { option pass "Pass" { win(Red) } } }
"#;
    let manifest = r#"Game(name: "Grid", player: "side", begins: "game")"#;
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("grid.blazon", page)]);
    let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let map = map_to_begin_with(&program.book).unwrap();
    let classes = ["sea", "wood", "tree", "grid", "river", "road"];
    for class in classes {
        assert!(map.contains(&format!("<path class=\"{class}\" style=")), "{class}: {map}");
    }
    let (plain, drawn) =
        (Board::new(program.clone(), None).unwrap(), Board::new(program.clone(), Some(&map)).unwrap());
    assert_eq!(drawn.differs(), []);
    for class in ["cover wood", "tree", "grid", "river case", "river", "road case", "road", "town", "num"] {
        for board in [&plain, &drawn] {
            assert!(board.sheet().contains(&format!("class=\"{class}\"")), "{class}: {}", board.sheet());
        }
    }
    // Of what the map shows, a look says nothing.
    let looked = format!("{page}look Wood: marsh\n");
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("grid.blazon", looked.as_str())]);
    let looked = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Board::new(looked.clone(), None).unwrap().idle().count(), 0);
    let idle: Vec<String> = Board::new(looked, Some(&map)).unwrap().idle().map(|said| said.message).collect();
    assert_eq!(
        idle,
        ["`look Wood` draws nothing: there is a drawn map, and `Wood` looks as it is drawn there"]
    );
    // What covers places takes no click from them.
    assert!(drawn.sheet().contains(r#"<g pointer-events="none"><path class="sea""#), "{}", drawn.sheet());
    let mut game = Game::new(program).unwrap();
    game.begin(1).unwrap();
    let names = |board: &Board, game: &mut Game| {
        let shown = board.show(game, None).unwrap().fragments;
        shown.iter().map(|fragment| fragment.html.matches("place-name").count()).sum::<usize>()
    };
    assert_eq!(
        (names(&plain, &mut game), names(&drawn, &mut game)),
        (0, 0),
        "numbers stand small in their cells"
    );
    // From afar a name stands beside the piece.
    let shown = drawn.show(&mut game, None).unwrap().fragments;
    let all: String = shown.iter().map(|fragment| fragment.html.as_str()).collect();
    assert!(all.contains(">Foot</text>") && all.contains(r#"class="afar""#), "{all}");
    assert!(all.contains("<title>Foot, Red, in Mill</title>"), "{all}");
}

/// The lines of the log of a small game, as the two seats and who looks on read them: North keeps its card, and may send it
/// back only if it is the Fool.
fn keeping(face: &str, holds: &str) -> Vec<Vec<String>> {
    let page = r#"
kind side = North, South
kind area = Mill
kind card { fact poor: flag; state held: side? FACE }
table card
  | name   | poor |
  | Fool   | yes  |
  | Knight |      |
setup Start { HOLDS.held := North }
step game {
  choose by North {
    option keep "Keep the card" { }
    option back "Send it back"
      needs any c in cards where c.held = North and c.poor else "only the Fool goes back"
    { }
  }
  choose by South {
    option wait "Wait" { win(South) }
    option go "Go" { win(North) }
  }
}
"#;
    let page = page.replace("FACE", face).replace("HOLDS", holds);
    let manifest = r#"Game(name: "Keeping", player: "side", begins: "game")"#;
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("keeping.blazon", page.as_str())]);
    let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    game.begin(1).unwrap();
    if game.decider() == game.players().first().copied() {
        let options = game.options(game.players()[0]);
        game.choose(game.players()[0], options[0].id).unwrap();
    }
    let events = game.take_events();
    let seats = game.players().into_iter().map(Some).chain([None]);
    seats.map(|seat| board.lines(&game, &events, seat).into_iter().flatten().collect()).collect()
}

#[test]
fn that_nothing_else_was_open_is_told_to_who_decided() {
    let is_forced =
        |face, holds| keeping(face, holds).iter().map(|lines| lines[0].contains("forced")).collect();
    let hidden = "; seen by v: v = card.held";
    let forced: Vec<bool> = is_forced(hidden, "Knight");
    assert_eq!(forced, [true, false, false], "his alone it is to know that he had to keep it");
    let free: Vec<bool> = is_forced(hidden, "Fool");
    assert_eq!(free, [false; 3]);
    let open: Vec<bool> = is_forced("", "Knight");
    assert_eq!(open, [true; 3], "where nothing is hidden all can see that he had to");
    // Nothing else in what others read tells the two games apart.
    let (forced, free) = (keeping(hidden, "Knight"), keeping(hidden, "Fool"));
    assert_ne!(forced[0], free[0]);
    assert_eq!(forced[1..], free[1..]);
}

/// The first link has no track, and is drawn by a line of its own; the key counts it, too.
const TRACKS: &str = r#"
kind side = Red, Blue
kind track = Path, Ferry
kind area = Mill, Ford, Hill, Weir { fact drawn: point }
kind way = area - area { fact track: track? }
table area
  | name | drawn |
  | Mill | 0, 0  |
  | Ford | 9, 0  |
  | Hill | 9, 9  |
  | Weir | 0, 9  |
links way
  Mill - Hill
links way (track: Ferry)
  Mill - Ford
links way (track: Path)
  Hill - Weir
look Ferry: blue
rule walked(w: way): flag = w.track = Path
setup Start { }
step game { win(Red) }
invariant short: not any w in ways where w.walked and w = Mill - Ford
"#;

#[test]
fn the_key_shows_lines_as_the_map_does() {
    let manifest = r#"Game(name: "Tracks", player: "side", begins: "game")"#;
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("tracks.blazon", TRACKS)]);
    let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    game.begin(1).unwrap();
    let picture = board.picture(&mut game, None).unwrap();
    // The paths of the map by the names of their links, and those of the key by what they are called.
    let class =
        |element: &str| element.split("class=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let on_map = |link: &str| {
        let before = picture.split(&format!("<title>{link}</title>")).next().unwrap();
        class(&before[before.rfind("<path").unwrap()..])
    };
    let in_key = |name: &str| {
        let before = picture.split(&format!(">{name}</text>")).next().unwrap();
        class(&before[before.rfind("<path").unwrap()..])
    };
    assert_eq!(on_map("Mill - Ford"), "way core n1 hue l-blue");
    assert_eq!(in_key("Ferry way"), on_map("Mill - Ford"));
    assert_eq!(on_map("Hill - Weir"), "way core n2");
    assert_eq!(in_key("Path way"), on_map("Hill - Weir"));
    assert!(
        picture.contains(".way.core.n1.hue.l-blue { stroke: #"),
        "the colour is in the picture's own stylesheet"
    );
}
