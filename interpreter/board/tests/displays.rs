//! Displays: what goes on at a place is seen near by those who may see it, by what the rules say or what belongs to a step.

use blazon::bots::{Pick, Random};
use blazon::{Game, PlayerId, Rules, Selection};
use blazon_board::Board;

use common::{PLACES, program};

mod common;

/// What is displayed the first time that something is that is wanted, to each seat and to all, as games are played at
/// random.
fn displayed(name: &str, wanted: &dyn Fn(&[String]) -> bool) -> Vec<String> {
    let program = program(name);
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    let (mut seed, mut bot) = (0, Random::new(0, Pick::ByName));
    game.begin(seed).unwrap();
    for _ in 0..10_000 {
        let Some(player) = game.decider() else {
            seed += 1;
            bot = Random::new(seed, Pick::ByName);
            game.begin(seed).unwrap();
            continue;
        };
        let seats: Vec<Option<PlayerId>> = game.players().into_iter().map(Some).chain([None]).collect();
        let mut scene = |seat| {
            let fragments = board.show(&mut game, seat).unwrap().fragments;
            fragments.into_iter().find(|fragment| fragment.layer == "scene").map(|fragment| fragment.html)
        };
        // What nobody is shown who looks on, no seat is shown.
        let shown: Vec<String> = match scene(None) {
            Some(_) => seats.into_iter().filter_map(scene).collect(),
            None => Vec::new(),
        };
        if !shown.is_empty() && wanted(&shown) {
            return shown;
        }
        game.choose_by(player, &mut bot).unwrap();
    }
    Vec::new()
}

/// The name of a player, by his place at the table.
fn named(name: &str, place: usize) -> Option<String> {
    let game = Game::new(program(name)).unwrap();
    Some(game.player_name(*game.players().get(place)?).to_owned())
}

#[test]
fn what_goes_on_at_a_place_is_displayed() {
    let of = |html: &str, what: &str| html.matches(what).count();
    // Named by a look, or guessed from what belongs to the step.
    for (name, title, counted) in [
        ("richard-iii", "Battle in ", "round <b>1</b>"),
        ("salt-road", "Battle in ", "round <b>1</b>"),
        ("lionheart", "Field combat in ", "casualties <b>0</b>"),
    ] {
        let shown = displayed(name, &|_| true);
        assert_eq!(shown.len(), 3, "{name}: two players and who looks on");
        for html in &shown {
            assert!(html.contains(title) && html.contains(counted), "{name}: {html}");
            assert_eq!(of(html, r#"class="wing""#), 2, "{name}");
            assert!(of(html, r#"class="piece "#) >= 2, "{name}");
        }
        // One's own side stands below.
        let below = |html: &str| {
            let last = html.rsplit_once("<strong>").and_then(|(_, rest)| rest.split_once("</strong>"));
            last.map(|(name, _)| name.to_owned())
        };
        assert_eq!(below(&shown[0]), named(name, 0), "{name}");
        assert_eq!(below(&shown[1]), named(name, 1), "{name}");
    }
    // Who waits in reserve stands aside for all to see; the others see his back.
    let faceless = |html: &str| of(html, "block back");
    let aside = |html: &str| of(html, r#"class="row aside""#);
    let owner = |shown: &[String]| (0..2).find(|&seat| faceless(&shown[1 - seat]) > faceless(&shown[seat]));
    let battle = displayed("richard-iii", &|shown| owner(shown).is_some());
    let own = owner(&battle).unwrap();
    let other = 1 - own;
    assert!(
        aside(&battle[0]) > 0
            && aside(&battle[1]) == aside(&battle[0])
            && aside(&battle[2]) == aside(&battle[0])
    );
    assert!(faceless(&battle[2]) >= faceless(&battle[other]));
    let program = program("richard-iii");
    let kind = program.book.kinds.iter().find(|kind| kind.seen.is_some()).unwrap();
    let names = |seat: usize| {
        kind.things.iter().filter(|thing| battle[seat].contains(&format!("\"{}, ", thing.name))).count()
    };
    let hidden = faceless(&battle[other]) - faceless(&battle[own]);
    assert_eq!(names(other), names(own) - hidden, "{}", battle[own]);
}

/// The display of a game of two places while two sides fight there, with other looks.
fn fight(looks: &str) -> Option<String> {
    let fight = r#"
state field: area, fresh each fight
state bold: side, fresh each fight
state meek: side, fresh each fight
state blows: 0..9, fresh each fight
state wounds(side): 0..9 = 2
state tired(piece): flag = yes
step fight(a: area) {
  field := a
  bold := Red
  meek := Blue
  blows := 3
  choose by Red {
    option strike "Strike" { win(Red) }
    option wait "Wait" { }
  }
}
"#;
    let page = PLACES
        .replace("kind piece = Foot", "kind piece = Foot, Horse, Guns")
        .replace("Foot: Red, Mill", "Foot: Red, Mill; Horse: Blue, Mill; Guns: Blue, Ford");
    let page =
        page.replace("choose by Red { option pass \"Pass\" { win(Red) } }", "fight(Mill)") + fight + looks;
    let manifest = r#"Game(name: "Places", player: "side", begins: "game")"#;
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("places.blazon", page.as_str())]);
    let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    game.begin(1).unwrap();
    let shown = board.show(&mut game, None).unwrap().fragments;
    shown.into_iter().find(|fragment| fragment.layer == "scene").map(|fragment| fragment.html)
}

#[test]
fn a_display_is_guessed_said_or_taken_away() {
    let guessed = fight("").unwrap();
    for words in ["Fight in Mill", "blows <b>3</b>", "<i>bold</i>", "<i>meek</i>", "Foot, Red", "Horse, Blue"]
    {
        assert!(guessed.contains(words), "{words}: {guessed}");
    }
    assert!(
        !guessed.contains("Guns") && !guessed.contains("wounds") && !guessed.contains(" spent"),
        "{guessed}"
    );
    assert_eq!(fight("look fight display: none\n"), None);
    // One side named: all who stand there have part in it.
    let said =
        fight("look fight display: field, meek, wounds\nlook piece aside: tired\nlook piece spent: tired\n")
            .unwrap();
    for words in ["<i>meek</i>", "wounds <b>2</b>", "Foot, Red", "<em>tired</em>", "t-vert spent"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("blows") && !said.contains("bold"), "{said}");
    // Who joins in from elsewhere.
    let joined = fight("look fight display: field, bold, meek, tired\n").unwrap();
    let (red, blue) = joined.split_once("Horse, Blue").unwrap();
    assert!(red.contains("Foot, Red") && blue.contains("Guns, Blue"), "{joined}");
}
