//! What a change of the rules does to a game under way: hunks, blame, and what is otherwise at the same decision.

use std::sync::Arc;

use blazon::change::{Blame, Change, Standpoint};
use blazon::machine::save::{Replayed, Save};
use blazon::{Folder, Game, Page, Program, Project, Settings, compile};

const MANIFEST: &str = r#"Game(name: "Beans", player: "side", begins: "game")"#;

const RULES: &str = r#"
kind side = North, South { state beans: 0..99 }
rule limit(s: side): 1..9 = 3
rule rich(s: side): flag = s.beans > 8
setup Start (side: beans) { North: 10; South: 9 }
step game {
  while yes {
    for s in sides {
      choose by s "How many?" {
        option throw(n in 1..9) "throws {n}"
          needs enough: n <= s.beans else "so many are not left"
          needs measure: n <= limit(s) else "no more than {limit(s)}"
        { s.beans -= n; if s.beans = 0 { win(s) } }
      } else { win(s) }
    }
  }
}
"#;

fn page(name: &str, text: &str) -> Page {
    Page { name: format!("beans/{name}"), text: text.to_owned() }
}

fn project(rules: &str) -> Project {
    let game = Folder {
        manifest: Some(page("blazon.ron", MANIFEST)),
        pages: vec![page("beans.blazon", rules)],
        ..Folder::default()
    };
    Project { game, ..Project::default() }
}

fn with_variant(pages: &[(&str, &str)]) -> Project {
    let manifest = r#"Variant(name: "Lean", game: "Beans")"#;
    let of = |name: &str, text: &str| page(&format!("variants/lean/{name}"), text);
    let folder = Folder {
        manifest: Some(of("blazon.ron", manifest)),
        pages: pages.iter().map(|(name, text)| of(name, text)).collect(),
        ..Folder::default()
    };
    Project { variants: vec![folder], ..project(RULES) }
}

fn program(project: &Project) -> Arc<Program> {
    let compiled = compile(project, &Settings::default());
    let said: Vec<_> = compiled.diagnostics.iter().filter(|d| d.is_error()).map(|d| &d.message).collect();
    assert_eq!(said, Vec::<&String>::new());
    compiled.program.expect("a program")
}

/// A game in which each throws in turn what is said here.
fn played(project: &Project, throws: &[i64]) -> Game {
    let mut game = Game::new(program(project)).expect("a game");
    game.begin(1).expect("a beginning");
    for throw in throws {
        let player = game.decider().expect("somebody is asked");
        let found = game.options(player).into_iter().find(|offer| offer.label == format!("throws {throw}"));
        game.choose(player, found.expect("it is open").id).expect("it is taken");
    }
    game
}

fn saved(project: &Project, throws: &[i64]) -> Save {
    Save::from_text(&played(project, throws).save().expect("a save")).expect("a save")
}

/// Plays a saved game again; answers what is to blame for where it parts, with what is said and after how many choices.
fn blamed(before: &Project, after: &Project, save: &Save) -> Option<(usize, String, String, String)> {
    let mut game = Game::new(program(after)).expect("a game");
    let Replayed::Until(parting) = game.replay(save).expect("a replay") else { return None };
    let change = Change::new(before, after);
    let mut blame = Blame::new(&change, &Settings::default());
    let culprit = blame.of(save, &parting).expect("something is to blame");
    assert!(culprit.is_least);
    Some((parting.step, parting.message.clone(), culprit.first.item.clone(), culprit.first.diff()))
}

#[test]
fn a_limit_that_is_raised_opens_options_and_says_what_had_refused_them() {
    let before = project(RULES);
    let after = project(&RULES.replace("1..9 = 3", "1..9 = 5"));
    let save = saved(&before, &[3, 2]);
    let mut old = played(&before, &[3, 2]);
    let mut new = Game::new(program(&after)).expect("a game");
    assert_eq!(new.replay(&save).expect("a replay"), Replayed::Whole);
    let (was, is) = (Standpoint::of(&mut old).expect("seen"), Standpoint::of(&mut new).expect("seen"));
    let difference = was.difference(&is);
    let came: Vec<(&str, &str)> = difference
        .came
        .iter()
        .map(|came| (came.label.as_str(), came.before.as_ref().expect("a refusal").reason.as_str()))
        .collect();
    assert_eq!(came, [("throws 4", "no more than 3"), ("throws 5", "no more than 3")]);
    let values: Vec<String> = difference
        .values
        .iter()
        .map(|v| format!("{}({}): {} → {} [{}]", v.rule, v.thing, v.from, v.to, v.place))
        .collect();
    assert_eq!(
        values,
        ["limit(North): 3 → 5 [beans/beans.blazon:3:1]", "limit(South): 3 → 5 [beans/beans.blazon:3:1]"]
    );
    assert!(difference.went.is_empty() && difference.moved.is_empty() && difference.asked.is_none());
    let back = is.difference(&was);
    let went: Vec<&str> = back.went.iter().map(|went| went.label.as_str()).collect();
    assert_eq!(went, ["throws 4", "throws 5"]);
    assert!(was.difference(&was).is_empty());
}

#[test]
fn what_moves_is_told() {
    let before = project(RULES);
    let after = project(&RULES.replace("North: 10", "North: 12"));
    let save = saved(&before, &[3]);
    let mut new = Game::new(program(&after)).expect("a game");
    assert_eq!(new.replay(&save).expect("a replay"), Replayed::Whole);
    let mut old = played(&before, &[3]);
    let (was, is) = (Standpoint::of(&mut old).expect("seen"), Standpoint::of(&mut new).expect("seen"));
    let difference = was.difference(&is);
    assert_eq!(difference.moved.len(), 1, "{difference:?}");
    assert_eq!(difference.values.len(), 1, "rich(North): {difference:?}");
}

#[test]
fn the_need_that_was_added_is_to_blame() {
    let before = project(RULES);
    let need = "          needs odd: odd(n) else \"only odd ones\"\n        { s.beans";
    let after = RULES.replace("        { s.beans", need).replace("How many?", "And now?");
    let after = project(&after.replace("s.beans > 8", "s.beans > 7"));
    let change = Change::new(&before, &after);
    assert_eq!(change.hunks().len(), 3);
    let save = saved(&before, &[3, 1, 1, 2, 3]);
    let (step, message, item, diff) = blamed(&before, &after, &save).expect("it parts");
    assert_eq!((step, message.as_str(), item.as_str()), (3, "it is refused: only odd ones", "step game"));
    assert_eq!(diff, "+           needs odd: odd(n) else \"only odd ones\"\n");
    assert_eq!(blamed(&before, &after, &saved(&before, &[3, 1, 1, 3])), None);
}

#[test]
fn a_rule_far_from_where_it_parts_is_found_by_trying() {
    let before = project(RULES);
    let after = RULES.replace("1..9 = 3", "1..9 = 2").replace("How many?", "And now?");
    let after = project(&after.replace("s.beans > 8", "s.beans > 7").replace("South: 9", "South: 8"));
    let save = saved(&before, &[2, 2, 3]);
    let (step, message, item, diff) = blamed(&before, &after, &save).expect("it parts");
    assert_eq!((step, message.as_str()), (2, "it is refused: no more than 2"));
    assert_eq!(item, "rule limit(s: side): 1..9 = 2");
    assert_eq!(diff, "- rule limit(s: side): 1..9 = 3\n+ rule limit(s: side): 1..9 = 2\n");
}

#[test]
fn two_hunks_that_only_together_do_it_are_both_named() {
    let before = project(RULES);
    let after = RULES.replace("1..9 = 3", "1..9 = 2 + poor(s)").replace("How many?", "And now?");
    let after = project(&(after + "rule poor(s: side): 0..1 = 0\nrule other: flag = no\n"));
    let save = saved(&before, &[3]);
    let mut game = Game::new(program(&after)).expect("a game");
    let Replayed::Until(parting) = game.replay(&save).expect("a replay") else { panic!("it parts") };
    let change = Change::new(&before, &after);
    assert_eq!(change.hunks().len(), 4);
    let culprit = Blame::new(&change, &Settings::default()).of(&save, &parting).expect("to blame");
    assert_eq!(
        culprit.first.diff(),
        "- rule limit(s: side): 1..9 = 3\n+ rule limit(s: side): 1..9 = 2 + poor(s)\n"
    );
    let others: Vec<String> = culprit.others.iter().map(|hunk| hunk.diff()).collect();
    assert_eq!(others, ["+ rule poor(s: side): 0..1 = 0\n"]);
}

#[test]
fn of_a_variant_the_amendment_is_to_blame_with_what_it_needs() {
    let before = project(RULES);
    let more = "rule half(s: side): 0..99 = s.beans / 2\n";
    let amend = "\nin rule rich {\n  + many: yes if s.beans > 7\n}\n";
    let amend = amend.replace("  + many: yes", "  except many: yes");
    let less = "\nin rule limit {\n  except half: 1 if half(s) < 4\n}\n";
    let after = with_variant(&[("a.blazon", more), ("b.blazon", &format!("{amend}{less}"))]);
    let change = Change::new(&before, &after);
    assert_eq!(change.hunks().len(), 3);
    let save = saved(&before, &[3, 3]);
    let mut game = Game::new(program(&after)).expect("a game");
    let Replayed::Until(parting) = game.replay(&save).expect("a replay") else {
        let replayed = game.replay(&saved(&before, &[3, 3, 3])).expect("a replay");
        let Replayed::Until(parting) = replayed else { panic!("it parts") };
        return check(&change, &saved(&before, &[3, 3, 3]), &parting);
    };
    check(&change, &save, &parting);

    fn check(change: &Change, save: &Save, parting: &blazon::machine::save::Divergence) {
        let culprit = Blame::new(change, &Settings::default()).of(save, parting).expect("to blame");
        assert_eq!(culprit.first.item, "in rule limit { except half: 1 if half(s) < 4 }");
        let others: Vec<&str> = culprit.others.iter().map(|hunk| hunk.item.as_str()).collect();
        assert_eq!(others, ["rule half(s: side): 0..99 = s.beans / 2"]);
    }
}

#[test]
fn a_variant_that_is_gone_is_a_change_too() {
    let before = with_variant(&[("b.blazon", "in rule limit {\n  except more: 9\n}\n")]);
    let after = project(RULES);
    let save = saved(&before, &[3, 7]);
    let (step, message, item, diff) = blamed(&before, &after, &save).expect("it parts");
    assert_eq!(
        (step, message.as_str(), item.as_str()),
        (1, "it is refused: no more than 3", "in rule limit { except more: 9 }")
    );
    assert_eq!(diff, "- in rule limit {\n-   except more: 9\n- }\n");
}

#[test]
fn of_several_changes_within_an_item_one_is_to_blame() {
    let page = "in rule limit {\n  -- The rich.\n  except rich: 3 if s.beans > 8\n\n  except poor: 1 -- or less\n    if s.beans < 5\n}\n";
    let (plain, lean) = (project(RULES), with_variant(&[("b.blazon", page)]));
    let change = Change::new(&plain, &lean);
    let places: Vec<String> = change.hunks().iter().map(|hunk| hunk.place()).collect();
    assert_eq!(places, ["beans/variants/lean/b.blazon:3", "beans/variants/lean/b.blazon:5"]);
    assert_eq!(change.hunks()[0].item, "in rule limit { except rich: 3 if s.beans > 8 }");
    let (step, _, item, diff) = blamed(&plain, &lean, &saved(&plain, &[3, 3, 3, 3, 2])).expect("it parts");
    assert_eq!((step, item.as_str()), (4, "in rule limit { except poor: 1 … }"));
    assert_eq!(diff, "+   except poor: 1 -- or less\n+     if s.beans < 5\n");
    // One within another is the same.
    let within = page
        .replace("in rule limit {\n", "under s.beans > 0 {\n  in rule limit {\n")
        .replace("5\n}", "5\n  }\n}");
    let within = Change::new(&plain, &with_variant(&[("b.blazon", &within)]));
    let items: Vec<&str> = within.hunks().iter().map(|hunk| hunk.item.as_str()).collect();
    assert_eq!(items[1..], ["under s.beans > 0 { except poor: 1 … }"]);
    // The other way round: what went let somebody throw less.
    let change = Change::new(&lean, &plain);
    assert_eq!(change.hunks().len(), 2);
    assert_eq!(change.hunks()[1].diff(), diff.replace("+ ", "- "));
}

#[test]
fn rows_of_a_file_are_no_items_whatever_they_begin_with() {
    let with = |rows: &[&str]| {
        let mut project = project(RULES);
        project.game.data.push(page("words.tsv", &rows.concat()));
        project
    };
    let (first, second) = ("name\tsize\nremove Wall\t1\n", "rule\t2\nremove Gate\nwaive wall\n");
    let change = Change::new(&with(&[first]), &with(&[first, second]));
    let [hunk] = change.hunks() else { panic!("{:?}", change.hunks()) };
    assert_eq!((hunk.line, hunk.item.as_str(), hunk.added.len()), (3, "", 3));
    // A file that is new is one part.
    let change = Change::new(&project(RULES), &with(&[first, second]));
    assert_eq!(change.hunks().len(), 1);
}

#[test]
fn the_same_texts_are_no_change() {
    let game = project(RULES);
    assert!(Change::new(&game, &game).is_empty());
    let moved = Project {
        game: Folder {
            manifest: Some(Page { name: "else/where/blazon.ron".to_owned(), text: MANIFEST.to_owned() }),
            pages: vec![Page { name: "else/where/beans.blazon".to_owned(), text: RULES.to_owned() }],
            ..Folder::default()
        },
        ..Project::default()
    };
    assert!(Change::new(&game, &moved).is_empty(), "where the folder lies does not matter");
}

/// Of two pages of one name in two folders the one is changed that is meant.
#[test]
fn pages_of_one_name_in_two_folders_are_told_apart() {
    let with = |ceiling: u32| {
        let mut project = project(&RULES.replace("n <= s.beans", "n <= ceiling"));
        project.game.pages.push(page("a/more.blazon", "rule other: number = 9\n"));
        project.game.pages.push(page("more.blazon", &format!("rule ceiling: number = {ceiling}\n")));
        project
    };
    let (before, after) = (with(9), with(2));
    let (step, said, item, diff) = blamed(&before, &after, &saved(&before, &[2, 3])).expect("it parts");
    assert_eq!((step, item.as_str()), (1, "rule ceiling: number = 2"), "{said}");
    assert_eq!(diff, "- rule ceiling: number = 9\n+ rule ceiling: number = 2\n");
}

#[test]
fn a_new_page_in_a_folder_of_its_own_is_to_blame() {
    let before = project(RULES);
    let mut after = project(&RULES.replace("n <= s.beans", "n <= ceiling"));
    after.game.pages.push(page("a/beans.blazon", "rule ceiling: number = 2\n"));
    let (.., diff) = blamed(&before, &after, &saved(&before, &[2, 3])).expect("it parts");
    assert_eq!(
        diff,
        "-           needs enough: n <= s.beans else \"so many are not left\"\n\
                      +           needs enough: n <= ceiling else \"so many are not left\"\n"
    );
}

/// What paragraphs are called is in no part of a change, and what cites them is sound whatever parts there are.
#[test]
fn an_outline_is_no_part_of_a_change() {
    let with = |outline: &str| {
        let mut project = project(&RULES.replace("= 3\n", "= 3 @X.1\n"));
        let manifest = MANIFEST.replace(")", ", outline: Some(\"outline.txt\"))");
        project.game.manifest = Some(page("blazon.ron", &manifest));
        project.game.data.push(page("outline.txt", outline));
        project
    };
    let (before, mut after) = (with("X.1 Limits\n"), with("X.2 Riches\n"));
    after.game.pages[0].text = RULES.replace("= 3\n", "= 2 @X.2\n");
    let change = Change::new(&before, &after);
    assert_eq!(change.hunks().len(), 1, "{:?}", change.hunks());
    assert!(Change::new(&before, &with("X.1 The limit\n")).is_empty());
    let save = saved(&before, &[3]);
    let (step, _, item, _) = blamed(&before, &after, &save).expect("it parts");
    assert_eq!((step, item.as_str()), (0, "rule limit(s: side): 1..9 = 2 @X.2"));
    let mut blame = Blame::new(&change, &Settings::default());
    assert!(blame.comes_of_no_text(&mut |_| true), "the old texts cite a paragraph of the old outline");
}
