//! The commands that read rules: check, test, print, rulings, explain, completions.

use crate::common::Room;

#[test]
fn a_sound_game_is_sound() {
    let room = Room::new();
    let run = room.run(&["check", "two-rivers", "--all", "-D", "warnings"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("Two Rivers 1.0.0: no problems"), "{}", run.out);
    assert!(run.out.contains("Two Rivers + Floods"), "{}", run.out);
    // From anywhere inside.
    for path in ["two-rivers/1-things.blazon", "two-rivers/tests", "two-rivers/variants/floods/floods.blazon"]
    {
        assert_eq!(room.run(&["check", path], "").code, 0, "{path}");
    }
}

#[test]
fn other_readings_are_checked_where_that_is_asked() {
    let room = Room::new();
    room.write(
        "two-rivers/3-luck.blazon",
        "ruling armies rest: Always or Never\n\
         ruling armies tire: no or yes\n\
         step tire { choose by North { option rest \"Rest\" needs armies rest = Always { } } }\n\
         after round { tire }\n\
         under armies tire = yes { after round { say \"tired\" } }\n",
    );
    let sound = room.run(&["check", "two-rivers", "-D", "warnings"], "");
    assert_eq!((sound.code, sound.err.as_str()), (0, ""), "{}", sound.out);
    let run = room.run(&["check", "two-rivers", "--readings"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    let told = "it can happen that no option is open here (with `armies rest` = Never)";
    assert!(run.err.contains(told), "{}", run.err);
    assert!(run.out.contains("Two Rivers, armies rest=Never: 1 error\n"), "{}", run.out);
    assert!(run.out.contains("Two Rivers: 2 other readings without more problems\n"), "{}", run.out);
    let short = room.run(&["check", "two-rivers", "--readings", "--format", "short"], "");
    assert_eq!(short.code, 1);
    assert_eq!(short.out.lines().count(), 1, "{}", short.out);
    assert!(
        short.out.starts_with("two-rivers/3-luck.blazon:3:") && short.out.contains(told),
        "{}",
        short.out
    );
    // What is chosen is chosen, and what a variant brings is looked at with that variant.
    let chosen = room.run(&["check", "two-rivers", "--readings", "-R", "armies rest=Always"], "");
    assert_eq!(chosen.code, 0, "{}", chosen.err);
    assert!(chosen.out.contains("Two Rivers: 2 other readings without more problems\n"), "{}", chosen.out);
    room.write(
        "two-rivers/variants/floods/dry.blazon",
        "ruling armies swim: yes or no\nafter round { if armies swim { say \"wet\" } }\n",
    );
    let all = room.run(&["check", "two-rivers", "--all", "--readings"], "");
    assert!(all.out.contains("Two Rivers + Floods: 3 other readings without more problems\n"), "{}", all.out);
    // So is what the game has; and what is said of the game alone is not said again.
    assert_eq!(all.err.matches(told).count(), 1, "{}", all.err);
    room.write(
        "two-rivers/4-load.blazon",
        "rule load: number = 1\n\
         under armies tire = yes { in rule load { except tired: 2 } }\n\
         after round { say \"{load}\" }\n",
    );
    room.write("two-rivers/variants/floods/mud.blazon", "in rule load { except mud: 3 }\n");
    let all = room.run(&["check", "two-rivers", "--all", "--readings"], "");
    assert!(all.out.contains("Two Rivers + Floods, armies tire=yes: 1 error\n"), "{}", all.out);
}

#[test]
fn what_the_line_of_a_choice_tells_is_listed() {
    let room = Room::new();
    let page = |line: &str, more: &str| {
        format!(
            "kind mole = Digger, Delver {{\n  state whose: realm?\n  state den: realm?\n  seen by v: v = mole.whose\n  \
             back: whose{more}\n}}\n\
             step burrow {{ choose by North {{ option hide(m in moles, to in realms) {line} {{ m.den := to }} }} }}\n\
             after round {{ burrow }}\n"
        )
    };
    let told = "`den` of a mole, by the line of whoever takes `hide`";
    for (line, more, is_told) in
        [("\"{m} to {to}\"", "", true), ("\"hide {m}\"", "", false), ("\"{m} to {to}\"", ", den", false)]
    {
        room.write("two-rivers/3-moles.blazon", page(line, more));
        let run = room.run(&["check", "two-rivers", "--told"], "");
        assert_eq!((run.code, run.out.contains(told)), (0, is_told), "{line} {}{}", run.out, run.err);
    }
}

#[test]
fn mistakes_are_shown_in_three_formats() {
    let room = Room::new();
    room.write("two-rivers/3-slip.blazon", "rule slip(a: army): flag = a.tird\n");
    let human = room.run(&["check", "two-rivers"], "");
    assert_eq!(human.code, 1);
    assert!(human.err.contains("two-rivers/3-slip.blazon:1:"), "{}", human.err);
    assert!(human.out.contains("1 error"), "{}", human.out);
    let short = room.run(&["check", "two-rivers", "--format", "short"], "");
    assert_eq!(short.code, 1);
    assert!(short.out.starts_with("two-rivers/3-slip.blazon:1:"), "{}", short.out);
    let json = room.run(&["check", "two-rivers", "--format", "json"], "");
    let document: serde_json::Value = serde_json::from_str(&json.out).expect("it is JSON");
    assert_eq!(document["schema"], 1);
    assert_eq!(document["diagnostics"][0]["line"], 1);
    // Nothing is played with it.
    assert_eq!(room.run(&["play", "two-rivers"], "").code, 1);
    assert_eq!(room.run(&["test", "two-rivers"], "").code, 1);
}

#[test]
fn uncited_paragraphs_are_warnings() {
    let room = Room::new();
    room.write("two-rivers/outline.txt", "1 A\n2 B\n2.1 C\n3 D\n4 E\n5 F\n");
    let run = room.run(&["check", "two-rivers"], "");
    assert_eq!(run.code, 0);
    assert!(run.err.contains("cites::uncited") && run.err.contains("@5"), "{}", run.err);
    assert_eq!(room.run(&["check", "two-rivers", "-D", "warnings"], "").code, 1);
}

#[test]
fn a_comment_cites_nothing() {
    let room = Room::new();
    room.write("two-rivers/outline.txt", "1 A\n2 B\n2.1 C\n3 D\n4 E\n5 F\n");
    room.write("two-rivers/later.blazon", "-- what @5 says is still to be written\n");
    let run = room.run(&["check", "two-rivers"], "");
    assert!(run.err.contains("cites::uncited") && run.err.contains("@5"), "{}", run.err);
    // Neither does a text; what stands behind a line does.
    room.write("two-rivers/later.blazon", "ruling late: yes or no \"What of @5?\"\n");
    assert!(room.run(&["check", "two-rivers"], "").err.contains("@5"));
    room.write("two-rivers/later.blazon", "ruling late: yes or no @5 \"What of it?\"\n");
    assert!(!room.run(&["check", "two-rivers"], "").err.contains("cites::uncited"));
}

#[test]
fn printed_values_are_worked_out() {
    let room = Room::new();
    let page = "ruling heavy: yes or no @1 \"Are badges heavy?\"\n\
        kind badge = Oak, Elm, Ash {\n\
        \x20 fact weight: 0..9 = 1 + 2 @1\n\
        \x20 fact dear: flag = heavy and 2 < 3 @1\n\
        \x20 fact rivals: set of badge = badges - Oak @1\n\
        \x20 fact best: badge = Elm @1\n\
        }\n";
    room.write("two-rivers/badge.blazon", page);
    let test = "test \"badges\" {\n\
        \x20 from Spring\n\
        \x20 expect Oak.weight = 3, Ash.dear, count Oak.rivals = 2, Elm in Ash.rivals, Oak.best = Elm\n\
        }\n";
    room.write("two-rivers/tests/badge.blazon", test);
    let run = room.run(&["test", "two-rivers", "badges"], "");
    assert!(run.out.ends_with("1 passed, 0 failed (3 not asked for)\n"), "{}{}", run.out, run.err);
}

#[test]
fn the_words_of_a_ruling_are_no_things() {
    let room = Room::new();
    let counted = || {
        let run = room.run(&["check", "two-rivers"], "");
        let counts = run.out.rsplit("; ").next().unwrap_or_default().to_owned();
        counts.split(", ").take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let before = counted();
    assert!(before[0].ends_with(" kinds") && before[1].ends_with(" things"), "{before:?}");
    room.write("two-rivers/later.blazon", "ruling late: Early or Late @1 \"When is it late?\"\n");
    assert_eq!(counted(), before);
}

#[test]
fn tests_run_by_their_rules() {
    let room = Room::new();
    let run = room.run(&["test", "two-rivers"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.ends_with("3 passed, 0 failed\n"), "{}", run.out);
    let run = room.run(&["test", "two-rivers/variants/floods"], "");
    assert!(run.out.ends_with("1 passed, 0 failed\n"), "{}", run.out);
    let run = room.run(&["test", "two-rivers", "@s-2", "-j", "1"], "");
    assert!(run.out.ends_with("1 passed, 0 failed (2 not asked for)\n"), "{}", run.out);
    let run = room.run(&["test", "two-rivers", "--list"], "");
    assert!(run.out.ends_with("3 tests\n"), "{}", run.out);
    let run = room.run(&["test", "two-rivers", "--statements"], "");
    assert!(run.out.contains("S-3  not covered"), "{}", run.out);
    assert!(run.out.contains("2 of 3 statements covered (66.7 %), 1 not covered"), "{}", run.out);
}

#[test]
fn tests_run_by_rulings_that_are_asked_for() {
    let room = Room::new();
    // The test of the default reading fails under the other one; a test's own ruling counts more.
    let run = room.run(&["test", "two-rivers", "-R", "crowds=yes"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("FAIL") && run.out.contains("a place holds one army"), "{}", run.out);
    assert!(run.out.contains("2 passed, 1 failed"), "{}", run.out);
    assert_eq!(room.run(&["test", "two-rivers", "-R", "crowds=no"], "").code, 0);
    for wrong in ["crowd=yes", "crowds=perhaps"] {
        let run = room.run(&["test", "two-rivers", "-R", wrong], "");
        assert_eq!(run.code, 2, "{wrong}: {}{}", run.out, run.err);
    }
    let run = room.run(&["test", "two-rivers", "-R", "crowd=yes"], "");
    assert!(run.err.contains("did you mean `crowds`?"), "{}", run.err);
}

#[test]
fn a_failing_test_says_everything() {
    let room = Room::new();
    room.write(
        "two-rivers/tests/play.blazon",
        "test \"a mistake\" {\n  from Spring\n  play orders(North)\n  North: move(Brown, Mill)\n}\n",
    );
    let run = room.run(&["test", "two-rivers"], "");
    assert_eq!(run.code, 1);
    for words in [
        "FAIL a mistake",
        "two-rivers/tests/play.blazon:4:3",
        "    4 |   North: move(Brown, Mill)",
        "expected  open",
        "actual  refused: Mill is crowded @2.1",
        "North is asked \"Where to?\"",
        "1 passed, 1 failed",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

#[test]
fn the_rulebook_tells_where_it_comes_from() {
    let room = Room::new();
    let run = room.run(&["print", "two-rivers", "--variant", "floods"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let line = |words: &str| run.out.lines().find(|line| line.contains(words)).unwrap_or_default().to_owned();
    assert!(line("needs flood: p != Ford").starts_with("Floods/floods.blazon:2"), "{}", run.out);
    assert!(line("needs room:").ends_with("@2.1"), "{}", run.out);
    assert!(line("option rest").starts_with("game/2-play.blazon:"), "{}", run.out);
    let code = room.run(&["print", "two-rivers", "--code"], "");
    assert_eq!(code.code, 0);
    assert!(code.out.contains("instructions"), "{}", code.out);
}

#[test]
fn changes_are_shown_beside_what_was() {
    let room = Room::new();
    room.write("two-rivers/variants/slow/blazon.ron", "Variant(name: \"Slow\", game: \"Two Rivers\")");
    room.write(
        "two-rivers/variants/slow/slow.blazon",
        "in step orders { in option move { needs slow: a != Grey else \"not yet\" } }\n\
         in step fight { } @2.1\n\
         replace rule other(r: realm): realm = South\n  except North if r = South\n\
         remove ruling crowds\n\
         rule slowness: number = 1\n\
         before war { say \"{slowness}\" }\n",
    );
    room.write("two-rivers/2-play.blazon", {
        let page = std::fs::read_to_string(room.path("two-rivers/2-play.blazon")).expect("the page");
        page.replace("under crowds = yes {\n  in rule may enter { waive room }\n}\n", "")
    });
    let run = room.run(&["print", "two-rivers", "-V", "slow", "--changes"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let line = |words: &str| run.out.lines().find(|line| line.contains(words)).unwrap_or_default().to_owned();
    // The need, in its option, in its step, and nothing of the other option.
    assert!(line("needs slow").starts_with("Slow/slow.blazon:1"), "{}", run.out);
    assert!(line("needs slow").contains("  +     "), "{}", run.out);
    assert!(line("option move").starts_with("game/2-play.blazon:"), "{}", run.out);
    assert!(line("step orders").contains("step orders(r: realm) {"), "{}", run.out);
    assert!(!run.out.contains("option rest"), "{}", run.out);
    // What was and what is.
    assert!(line("- rule other(r: realm): realm = North").starts_with("game/2-play.blazon"), "{}", run.out);
    assert!(line("+ rule other(r: realm): realm = South").starts_with("Slow/slow.blazon:3"), "{}", run.out);
    assert!(line("- ruling crowds").starts_with("game/2-play.blazon"), "{}", run.out);
    assert!(line("+ rule slowness").starts_with("Slow/slow.blazon:6"), "{}", run.out);
    assert!(run.err.contains("4 changed, 1 added, 1 taken away"), "{}\n{}", run.out, run.err);
    let wide = room.run_at("140", &["print", "two-rivers", "-V", "slow", "--changes"], "");
    let both = |line: &str| {
        line.contains("- rule other(r: realm): realm = North")
            && line.contains("│ + rule other(r: realm): realm = South")
    };
    assert!(wide.out.lines().any(both), "{}", wide.out);
    assert!(wide.out.lines().all(|line| line.chars().count() <= 140), "{}", wide.out);
    // The path of the variant is enough.
    let inside = room.run(&["print", "two-rivers/variants/slow", "--changes"], "");
    assert_eq!(inside.out, run.out);
}

#[test]
fn what_is_printed_anew_stands_beside_what_was_printed() {
    let room = Room::new();
    room.write("two-rivers/variants/low/blazon.ron", "Variant(name: \"Low\", game: \"Two Rivers\")");
    room.write(
        "two-rivers/variants/low/low.blazon",
        "in kind place { fact wells: set of bank; fact deep(bank): 0..9 = 3 }\n\
         replace fact region(Mill) = Lower\n\
         in table place { replace Ford: region Lower }\n",
    );
    let run = room.run(&["print", "two-rivers", "-V", "low", "--changes"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let line = |words: &str| run.out.lines().find(|line| line.contains(words)).unwrap_or_default().to_owned();
    assert!(line("- fact region(Mill) = Upper").starts_with("game/1-things.blazon:6"), "{}", run.out);
    assert!(line("+ fact region(Mill) = Lower").starts_with("Low/low.blazon:2"), "{}", run.out);
    assert!(
        line("- in table place { Ford: region Upper }").starts_with("game/1-things.blazon:6"),
        "{}",
        run.out
    );
    assert!(
        line("+ in table place { replace Ford: region Lower }").starts_with("Low/low.blazon:3"),
        "{}",
        run.out
    );
    assert!(run.err.contains("3 changed, 0 added, 0 taken away"), "{}\n{}", run.out, run.err);
}

#[test]
fn a_link_that_is_taken_out_stands_in_no_list() {
    let room = Room::new();
    // Beside rows and grids, links are looked up by what they join.
    let more = "kind path = place - place { fact width: 1..9 }\nlinks path\n  | from | to | width |\n  | Mill | Hill | 2 |\n\
        rule wide(p: path): flag = p.width > 1\ninvariant narrow: not any p in paths where p.width > 8 and p.wide\n";
    room.write("two-rivers/3-paths.blazon", more);
    room.write("two-rivers/variants/cut/blazon.ron", "Variant(name: \"Cut\", game: \"Two Rivers\")");
    room.write("two-rivers/variants/cut/cut.blazon", "remove Hill - Ford\nremove Mill - Hill\n");
    let run = room.run(&["print", "two-rivers", "-V", "cut"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.out.contains("Ford - Hill") && run.out.contains("Hill - Tower"), "{}", run.out);
    assert!(run.out.contains("remove Mill - Hill"), "the rows say it still: {}", run.out);
    let run = room.run(&["print", "two-rivers", "-V", "cut", "--changes"], "");
    assert!(run.out.contains("-   Ford - Hill") && run.out.contains("+ remove Mill - Hill"), "{}", run.out);
}

#[test]
fn the_rulebook_tells_what_rulings_are_settled_to() {
    let room = Room::new();
    let line = |args: &[&str]| {
        let run = room.run(args, "");
        assert_eq!(run.code, 0, "{}", run.err);
        run.out.lines().find(|line| line.contains("ruling crowds")).unwrap_or_default().to_owned()
    };
    assert!(!line(&["print", "two-rivers"]).contains("settled"));
    assert!(line(&["print", "two-rivers", "-R", "crowds=yes"]).contains("no or yes -- settled: yes"));
    // A variant that only settles it changes what holds.
    room.write(
        "two-rivers/variants/full/blazon.ron",
        "Variant(name: \"Full\", game: \"Two Rivers\", rulings: [(\"crowds\", \"yes\")])",
    );
    room.write("two-rivers/variants/full/full.blazon", "-- nothing else\n");
    let changes = ["print", "two-rivers", "-V", "full", "--changes"];
    assert!(room.run(&changes, "").out.contains("+ ruling crowds: no or yes -- settled: yes"));
    assert!(room.run(&["print", "two-rivers"], "").out.lines().any(|line| {
        line.starts_with("game/1-things.blazon:3") && line.contains("kind realm") && line.ends_with("@1")
    }));
}

#[test]
fn rulings_are_listed_and_chosen() {
    let room = Room::new();
    let run = room.run(&["rulings", "two-rivers"], "");
    assert!(run.out.starts_with("crowds = [no] or yes @2.1\n"), "{}", run.out);
    let run = room.run(&["rulings", "two-rivers", "-R", "crowds = yes"], "");
    assert!(run.out.starts_with("crowds = no or [yes]"), "{}", run.out);
    assert_eq!(room.run(&["rulings", "two-rivers", "-R", "crowds"], "").code, 2);
}

#[test]
fn bad_files_are_messages() {
    let room = Room::new();
    room.write("two-rivers/bad.blazon", b"rule \xff\xfe");
    let run = room.run(&["check", "two-rivers", "--format", "short"], "");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("error[files::unreadable]"), "{}", run.out);
    room.write("two-rivers/bad.blazon", "(".repeat(100_000));
    assert_eq!(room.run(&["check", "two-rivers"], "").code, 1);
    room.write("two-rivers/bad.blazon", "");
    room.write("two-rivers/blazon.ron", "Game(name: 3");
    let run = room.run(&["check", "two-rivers", "--format", "short"], "");
    assert!(run.code == 1 && run.out.contains("files::manifest"), "{}", run.out);
    let run = room.run(&["check", "two-rivers/variants/floods"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
}

#[test]
fn what_is_not_there_is_usage() {
    let room = Room::new();
    for args in [
        &["check", "nowhere"] as &[&str],
        &["check", "two-rivers", "-V", "flods"],
        &["check", "two-rivers", "-R", "crowds=maybe"],
        &["rulings", "two-rivers", "-R", "crowds=maybe"],
        &["print", "two-rivers", "-R", "crowd=no"],
        &["print", "two-rivers", "--changes"],
        &["play", "two-rivers", "-R", "crowds=maybe"],
        &["play", "two-rivers", "--scenario", "Sprung"],
        &["explain", "names::unknwn"],
        &["play", "two-rivers", "--players", "nobody"],
        &["completions", "abacus"],
        &["frolic"],
    ] {
        let run = room.run(args, "");
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.out.is_empty() && !run.err.is_empty(), "{args:?}");
    }
    let run = room.run(&["check", "two-rivers", "-V", "flods"], "");
    assert!(run.err.contains("did you mean `floods`"), "{}", run.err);
    let run = room.run(&["play", "two-rivers", "-s", "Sprung"], "");
    assert!(run.err.contains("there is no setup `Sprung`; did you mean `Spring`?"), "{}", run.err);
    let run = room.run(&["check", "two-rivers", "-R", "crowds=maybe"], "");
    assert!(run.err.contains("has no value `maybe`; it can be `no` or `yes`"), "{}", run.err);
}

#[test]
fn colour_is_one_decision() {
    let room = Room::new();
    assert!(!room.run(&["rulings", "two-rivers"], "").out.contains('\u{1b}'));
    assert!(room.run(&["rulings", "two-rivers", "--color", "always"], "").out.contains('\u{1b}'));
    let run = room.run(&["--color=always", "check", "nowhere"], "");
    assert!(run.err.contains('\u{1b}'), "{}", run.err);
}

#[test]
fn codes_and_completions() {
    let room = Room::empty();
    assert!(room.run(&["explain", "error[syntax::tab]"], "").out.starts_with("syntax::tab: "));
    assert!(room.run(&["explain"], "").out.lines().count() > 20);
    assert!(room.run(&["completions", "bash"], "").out.contains("blazon"));
}

#[test]
fn what_is_told_stands_in_the_json_of_a_check() {
    let room = Room::new();
    let run = room.run(&["check", "two-rivers", "--told", "--format", "json"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("one document");
    assert_eq!(document["schema"], 1);
    assert!(document["diagnostics"].is_array() && document["told"].is_array(), "{document}");
    let people = room.run(&["check", "two-rivers", "--told"], "").out;
    for told in document["told"].as_array().into_iter().flatten() {
        let (file, line) = (told["file"].as_str().unwrap_or_default(), &told["line"]);
        let what = told["what"].as_str().unwrap_or_default();
        assert!(people.contains(&format!("{file}:{line}:")) && people.contains(what), "{told}: {people}");
    }
}

#[test]
fn what_might_be_a_page_and_is_none_is_told() {
    let room = Room::new();
    room.write("rain/blazon.ron", "Variant(name: \"Rain\", game: \"Two Rivers\")\n");
    room.write("rain/rain.blazon.txt", "before round { say \"It rains.\" }\n");
    let run = room.run(&["check", "two-rivers", "-V", "rain"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let told = "\
warning[lint::changes-nothing]

  ⚠ this variant has no page, and changes nothing
   ╭─[rain/blazon.ron:1:15]
 1 │ Variant(name: \"Rain\", game: \"Two Rivers\")
   ·               ──────
   ╰────
  help: its pages lie beside the manifest and end in `.blazon`

warning[files::ending]

  ⚠ `rain.blazon.txt` is no page, and is not read
   ╭─[rain/rain.blazon.txt:1:1]
 1 │ before round { say \"It rains.\" }
   · ▲
   ╰────
  help: a page ends in `.blazon`: take away what an editor has put behind that

2 warnings
";
    assert_eq!(run.err, told);
    // A map, or who plays, may be all that a variant brings.
    std::fs::remove_file(room.path("rain/rain.blazon.txt")).expect("it is there");
    room.write("rain/map.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>\n");
    let run = room.run(&["check", "two-rivers", "-V", "rain"], "");
    assert!(!run.err.contains("changes-nothing"), "{}", run.err);
    std::fs::remove_file(room.path("rain/map.svg")).expect("it is there");
    room.write("rain/blazon.ron", "Variant(name: \"Rain\", game: \"Two Rivers\", unseats: [\"South\"])\n");
    let run = room.run(&["check", "two-rivers", "-V", "rain"], "");
    assert!(!run.err.contains("changes-nothing"), "{}", run.err);
}
