//! What is drawn and told of pieces and cards, as the rules say it.

use blazon::{Game, Rules, Selection};
use blazon_board::Board;

/// All that a spectator is shown of a small game at its first question.
fn shown(manifest: &str, page: &str) -> String {
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("page.blazon", page)]);
    let program = rules.program(&Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let board = Board::new(program.clone(), None).unwrap();
    let mut game = Game::new(program).unwrap();
    game.begin(1).unwrap();
    let idle: Vec<String> = board.idle().map(|said| said.message).collect();
    assert_eq!(idle, [""; 0]);
    let shown = board.show(&mut game, None).unwrap();
    shown.fragments.iter().map(|fragment| fragment.html.clone()).collect::<String>()
}

#[test]
fn states_stand_on_pieces_where_the_rules_say_so() {
    let drawn = |looks: &str| {
        let manifest = r#"Game(name: "Facing", player: "side", begins: "game")"#;
        let page = format!(
            "kind side = Red, Blue\nkind way = N, E\nkind area = Mill, Ford\nkind road = area - area\nlinks road\n  \
             Mill - Ford\nkind unit = Foot, Guns {{ state at: area?; state side: side; state way: way; state shaken: flag }}\n\
             {looks}setup Start (unit: side, at, way, shaken) {{ Foot: Red, Mill, E, yes; Guns: Blue, Ford, N, no }}\n\
             step game {{ choose by Red {{ option pass \"Pass\" {{ win(Red) }} }} }}\n"
        );
        shown(manifest, &page)
    };
    let facing = drawn("look unit corner: way\n");
    assert!(
        facing.contains("Foot, Red, E, in Mill") && facing.contains("Guns, Blue, N, in Ford"),
        "{facing}"
    );
    assert!(facing.contains(">E</text>") && facing.contains(">N</text>"), "{facing}");
    let badges = |page: &str| page.matches(r#"badge" transform"#).count();
    assert_eq!(badges(&drawn("look unit badge: shaken\n")), badges(&drawn("")) + 1);
}

/// A game of pieces with pips, of two sorts.
fn of_sorts(looks: &str) -> String {
    let manifest = r#"Game(name: "Sorts", player: "side", begins: "game")"#;
    let page = format!(
        "kind side = Red, Blue\nkind sort = Walkers, Wagon\nkind area = Mill, Ford\nkind road = area - area\nlinks road\n  \
         Mill - Ford\nkind unit {{ fact side: side; fact sort: sort; fact keen: flag; fact steps: 1..4 = 2; state at: area?; \
         state strength: 0..4 = unit.steps; state fed: flag = yes }}\ntable unit\n  | name | side | sort | keen |\n  \
         | First | Red | Walkers | yes |\n  | Other | Blue | Wagon | |\n{looks}\
         setup Start (unit: at) {{ First: Mill; Other: Ford; First.fed := no }}\n\
         step game {{ choose by Red {{ option pass \"Pass\" {{ win(Red) }} }} }}\n"
    );
    shown(manifest, &page)
}

#[test]
fn pieces_with_pips_bear_badges_and_the_signs_of_their_sorts() {
    let signs = |page: &str| page.matches("class=\"gl ").count();
    let (plain, badge) = (of_sorts(""), of_sorts("look unit badge: keen\nlook keen: star\n"));
    assert_eq!(signs(&badge), signs(&plain) + 1, "{badge}");
    // A wagon bears its sign unasked, and walkers that of their kind, if they have none; `none` is none.
    let sorts = of_sorts("look unit glyph: sort\nlook Walkers: swords\n");
    assert_eq!(signs(&sorts), signs(&plain) + 1, "{sorts}");
    assert_eq!(signs(&of_sorts("look unit: shield\n")), signs(&plain) + 1);
    assert_eq!(
        signs(&of_sorts("look unit: shield\nlook unit glyph: sort\nlook Wagon: none\n")),
        signs(&plain)
    );
}

#[test]
fn of_a_flag_that_all_begin_with_it_is_told_who_does_not_bear_it() {
    let told = of_sorts("");
    assert!(told.contains("First: not fed") && !told.contains("Other: fed"), "{told}");
}

#[test]
fn what_most_cards_bear_is_told() {
    let manifest = r#"Game(name: "Spent", player: "side", begins: "game")"#;
    let page = "kind side = Red, Blue\nkind card = Ace, King, Queen, Jack {\n  state hand: side?\n  state spent: flag\n  \
        seen by v: v = card.hand or card.spent\n  back: hand, spent\n}\nsetup Start { Ace.spent := yes; King.spent := yes; Queen.spent := yes; Jack.hand := Red }\n\
        step game {\n  for c in cards where c.spent { say \"{c}\" }\n  choose by Red { option lay(c in cards where c.hand = Red) \"Lay {c}\" { c.hand := none }; option pass \"Pass\" { win(Red) } }\n  win(Blue)\n}\n";
    let picture = shown(manifest, page);
    for name in ["Ace", "King", "Queen"] {
        assert!(picture.contains(name), "{name}: {picture}");
    }
}
