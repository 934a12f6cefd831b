//! What makes a save foreign or damaged, what does not, and the whole of what is said.

use blazon_check::project::Page;
use blazon_machine::save::{ByHand, Laid, Replayed};

use super::*;

/// A game of the mill, half played.
fn half_played() -> Save {
    let mut machine = machine(&compiled(&mill(false), &[]));
    played(&mut machine, 3, 7)
}

/// What is said when that game is loaded by other rules; `None` if it is loaded.
fn said(project: &Project, rulings: &[(&str, &str)]) -> Option<String> {
    let rulings: Vec<(String, String)> =
        rulings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let mut machine = machine(&compiled(project, &rulings));
    machine.start(0, 8).expect("a start");
    let before = machine.snapshot();
    match half_played().resume(&mut machine) {
        Ok(resumed) => {
            assert_eq!(resumed.note, None);
            None
        }
        Err(error) => {
            assert_eq!(error.code, "save::foreign");
            assert_eq!(machine.snapshot(), before, "a failed load changes nothing");
            Some(error.message)
        }
    }
}

fn page<'a>(project: &'a mut Project, name: &str) -> &'a mut Page {
    let folder = &mut project.game;
    let mut all = folder.pages.iter_mut().chain(&mut folder.data).chain(&mut folder.manifest);
    all.find(|page| page.name.ends_with(name)).expect("a page")
}

/// The game with something else written in a page.
fn with(changes: &[(&str, &str, &str)]) -> Project {
    let mut project = mill(false);
    for (name, old, new) in changes {
        let page = page(&mut project, name);
        assert!(page.text.contains(old), "{old}");
        page.text = page.text.replacen(old, new, 1);
    }
    project
}

#[test]
fn what_is_not_played_does_not_count() {
    let same: &[&[(&str, &str, &str)]] = &[
        &[],
        &[("2-play.blazon", "-- Both bid at once; who has", "-- Both bid together, and who has")],
        &[
            ("2-play.blazon", "\"{to} is full\"", "\"{to} is crowded\""),
            ("2-play.blazon", "\"Rest\"", "\"Take a rest\""),
        ],
        &[("2-play.blazon", "@3", "@3.1 @7")],
        &[("2-play.blazon", "  bid\n", "\n\n    bid ;\n")],
        &[("2-play.blazon", " \"The weather\" @3", " \"What the sky does\"")],
        &[("2-play.blazon", "| Half        | 1    | 0    |", "|Half|1|0|")],
        &[(
            "2-play.blazon",
            "{ c.at := to; c.tired := yes; seize(s, to) }",
            "{\n c.at := to\n c.tired :=\n yes\n seize(s, to)\n}",
        )],
        &[("2-play.blazon", "= 2\n  except 4 if high", "=\n  2\n  except 4\n    if high")],
        &[("1-things.blazon", "= Hill Folk, Vale Folk ", "= Hill Folk,\n  Vale Folk")],
        &[("1-things.blazon", "St Mary's, Vale", "St Mary\u{2019}s, Vale")],
        &[("mills.tsv", "-- the mills\n", "")],
        &[("blazon.ron", "1.0.0", "1.0.1")],
        &[("blazon.ron", "    player", "    rulebook: \"The Mill Race, second printing\",\n    player")],
    ];
    for changes in same {
        assert_eq!(said(&with(changes), &[]), None, "{changes:?}");
    }
    // An item may move from the end of one page to the beginning of the next.
    let mut moved = mill(false);
    let things = page(&mut moved, "1-things.blazon");
    let at = things.text.find("setup Spring").expect("the setup");
    let setup = things.text.split_off(at);
    let play = page(&mut moved, "2-play.blazon");
    play.text.insert_str(0, &setup);
    assert_eq!(said(&moved, &[]), None);
    let mut tested = mill(false);
    tested.game.tests.push(Page {
        name: "tests/a.blazon".into(),
        text: "test \"nothing\" {\n  expect yes\n}\nomitted @9 \"nothing\"\n".into(),
    });
    assert_eq!(said(&tested, &[]), None);
}

#[test]
fn what_has_changed_is_named() {
    let changed = "the text of the rules has changed since it was saved: ";
    // Changes (page, old, new), and what is said of them.
    type Case<'a> = (&'a [(&'a str, &'a str, &'a str)], &'a str);
    let cases: &[Case<'_>] = &[
        (&[("2-play.blazon", "n / 2", "n / 3")], "rule `share` in 2-play.blazon (line 4) is new or changed"),
        (
            &[("2-play.blazon", "{s} bids", "{s.other} bids")],
            "step `bid` in 2-play.blazon (line 24) is new or changed",
        ),
        (
            &[("2-play.blazon", "1    | 0 ", "1    | 1 ")],
            "rule `weather` in 2-play.blazon (line 8) is new or changed",
        ),
        (&[("mills.tsv", "2nd\t2", "2nd\t3")], "the list of rows in mills.tsv is new or changed"),
        (
            &[("blazon.ron", "\"race\"", "\"round\"")],
            "who plays or how it begins in blazon.ron is new or changed",
        ),
        (
            &[("2-play.blazon", "0..6 = 2", "0..6 = 3"), ("1-things.blazon", "= 3\n", "= 4\n")],
            "state `grain` in 1-things.blazon (line 20) and rule `bar` in 2-play.blazon (line 52) are new or changed",
        ),
        (
            &[("2-play.blazon", "rule bar", "state idle: 0..1\nrule bar")],
            "state `idle` in 2-play.blazon (line 52) is new or changed",
        ),
        (
            &[
                ("1-things.blazon", "state last throw: 0..6\n", ""),
                ("2-play.blazon", "  last throw := die\n", ""),
            ],
            "step `seize` in 2-play.blazon (line 42) is new or changed; 1 item of 1-things.blazon is gone",
        ),
        (
            &[(
                "1-things.blazon",
                "state grain(side): 0..99 = 3\nstate fallen(side, mill): flag\n",
                "state fallen(side, mill): flag\nstate grain(side): 0..99 = 3\n",
            )],
            "its items stand in another order, from state `fallen` in 1-things.blazon (line 20) on",
        ),
    ];
    for (changes, what) in cases {
        assert_eq!(said(&with(changes), &[]), Some(format!("{changed}{what}")), "{changes:?}");
    }
    let version = said(&with(&[("2-play.blazon", "n / 2", "n / 3"), ("blazon.ron", "1.0.0", "1.1.0")]), &[]);
    assert_eq!(
        version.as_deref(),
        Some(
            "it was played by version 1.0.0, this is version 1.1.0: rule `share` in 2-play.blazon (line 4) is new or changed"
        )
    );
    let many = with(&[(
        "2-play.blazon",
        "rule bar",
        "state a1: 0..1\nstate a2: 0..1\nstate a3: 0..1\nstate a4: 0..1\nstate a5: 0..1\nstate a6: 0..1\nstate a7: 0..1\nrule bar",
    )]);
    assert_eq!(
        said(&many, &[]),
        Some(format!(
            "{changed}state `a1` in 2-play.blazon (line 52), state `a2` in 2-play.blazon (line 53), state `a3` in \
             2-play.blazon (line 54), state `a4` in 2-play.blazon (line 55), state `a5` in 2-play.blazon (line 56) and \
             2 more are new or changed"
        ))
    );
}

#[test]
fn other_rules_are_named() {
    assert_eq!(
        said(&mill(true), &[]).as_deref(),
        Some("it was played without variants; here it would be with Flood 1.0.0")
    );
    assert_eq!(
        said(&mill(false), &[("spoils", "All")]).as_deref(),
        Some("it was played with the ruling `spoils` = Half; here it is All")
    );
    let mut project = rules_only("salt-road", &[]);
    project.variants.clear();
    assert_eq!(said(&project, &[]).as_deref(), Some("it is a game of The Mill Race, not of The Salt Road"));
    let mut save = half_played();
    save.setup = "Autumn".to_owned();
    let error = save.resume(&mut machine(&compiled(&mill(false), &[]))).expect_err("no such setup");
    assert_eq!((error.code, &*error.message), ("save::foreign", "there is no setup `Autumn` here"));
    // A variant's change, by its page.
    let mut flood = mill(true);
    let saved = played(&mut machine(&compiled(&flood, &[])), 3, 7);
    let page = &mut flood.variants[0].pages[0];
    page.text = page.text.replace("/ 3", "/ 4");
    let error = saved.resume(&mut machine(&compiled(&flood, &[]))).expect_err("changed");
    assert_eq!(
        error.message,
        "the text of the rules has changed since it was saved: `in rule share` in flood.blazon (variant Flood) (line 1) \
         is new or changed"
    );
}

#[test]
fn newer_formats_and_nonsense_are_refused() {
    let refused = |text: &str| {
        let error = Save::from_text(text).expect_err("it is refused");
        format!("{} [{}]", error.message, error.code)
    };
    let text = half_played().to_text().expect("a text");
    assert_eq!(
        refused("Save(\n    format: 3,\n    moves: [(1, 2)],\n    more: Some(\"x\"),\n)"),
        "it has format 3, and this program reads formats 1 and 2; take a newer blazon [save::format]"
    );
    assert!(refused("").starts_with("this is not a saved game: "));
    assert!(refused(&text[..text.len() / 2]).starts_with("this is not a saved game: "));
    let changed = text.replacen("seed: 3", "seed: 4", 1);
    assert_eq!(
        refused(&changed),
        "its checksum does not match: it was changed or cut off after it was saved [save::damaged]"
    );
    // Other line ends and blanks are no damage.
    let mailed = text.replace('\n', "\r\n").replace("    ", "\t");
    assert_eq!(Save::from_text(&mailed), Ok(half_played()));
}

/// The checksum is public, so anybody can write a file. The rules say what can be loaded.
#[test]
fn what_the_rules_cannot_reach_cannot_be_loaded() {
    let mut machine = machine(&compiled(&mill(false), &[]));
    let refused = |machine: &mut Machine, change: &dyn Fn(&mut Save)| {
        let mut save = half_played();
        change(&mut save);
        let save = Save::from_text(&save.to_text().expect("a text")).expect("a whole file");
        let error = save.resume(machine).expect_err("it is refused");
        assert_eq!(error.code, "save::foreign");
        let blame = "its log does not lead to where it was saved, though the text of the rules is the same (the file was \
                     made by hand, or by a program that plays these rules otherwise): ";
        error.message.strip_prefix(blame).unwrap_or_else(|| panic!("{error}")).to_owned()
    };
    let first = half_played().log[0].clone();
    assert_eq!(
        refused(&mut machine, &|save| save.log[0].args = vec!["9".to_owned()]),
        format!(
            "choice 1 of the log, `{}: {}(9)`: it cannot be chosen at \"Bid of 3\"",
            first.player, first.option
        )
    );
    assert_eq!(
        refused(&mut machine, &|save| save.decisions += 1),
        "it comes to 7 decisions, and 8 were saved"
    );
    assert_eq!(refused(&mut machine, &|save| save.seed += 1), "it comes to another position");
    assert_eq!(
        refused(&mut machine, &|save| save.log[0].forced = true),
        "its log says of a choice that it was taken unasked, or asked, and it was not"
    );
    assert_eq!(
        refused(&mut machine, &|save| {
            let at = Some(0);
            save.by_hand = vec![ByHand { at, laid: Laid::Cards(vec![("card".into(), "Flood".into())]) }];
        }),
        format!("choice 1 of the log, `{first}`: there is no card `Flood`, which was laid ready by hand")
    );
}

/// What was laid by hand comes again: dice that were used, dice that still lie there, another seed.
#[test]
fn what_was_laid_by_hand_is_saved() {
    let program = compiled(&mill(false), &[]);
    let mut straight = machine(&program);
    straight.start(0, 3).expect("a start");
    let mut log = play(&mut straight, 1, 2);
    let mut by_hand =
        vec![ByHand { at: Some(straight.taken()), laid: Laid::Dice(vec![6, 6, 5, 6, 6, 6, 6, 6]) }];
    straight.script_dice(vec![6, 6, 5, 6, 6, 6, 6, 6]);
    log.extend(play(&mut straight, 2, 5));
    by_hand.push(ByHand { at: Some(straight.taken()), laid: Laid::Seed(77) });
    straight.reseed(77);
    let save = Save::new(&straight, 0, 3, log).with_by_hand(by_hand);
    let read = Save::from_text(&save.to_text().expect("a text")).expect("a save");
    assert_eq!(read, save);
    let mut other = machine(&program);
    read.resume(&mut other).expect("it is loaded");
    assert_eq!(other.snapshot(), straight.snapshot());
    assert_eq!(other.script(), straight.script());
    assert!(straight.script().0.len() < 8, "some were used");
    other.take_events();
    assert_eq!(play(&mut other, 9, 60), play(&mut straight, 9, 60));
}

/// By other rules a log is followed as far as it can be.
#[test]
fn a_foreign_save_is_replayed() {
    let save = played(&mut machine(&compiled(&mill(false), &[])), 12, 9);
    let fewer = with(&[("2-play.blazon", "1..min(2, s.grain)", "1..min(1, s.grain)")]);
    let mut machine = machine(&compiled(&fewer, &[]));
    let followed = save.replay(&mut machine, 0).expect("a start");
    let Replayed::Until(divergence) = followed.replayed else { panic!("two sacks cannot be bid now") };
    assert_eq!(
        divergence.to_string(),
        "choice 1 of the log, `Hill Folk: offer(2)`: it cannot be chosen at \"Bid of 3\""
    );
    assert_eq!((divergence.step, followed.made), (0, Vec::new()));
}
