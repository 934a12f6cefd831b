//! Rules from texts and from folders, and what is said when there are none or they are wrong.

mod common;

use blazon::diagnostics::{Format, Style};
use blazon::{Error, Game, Loader, Reading, Rules, Selection, Settings};
use common::{MANIFEST, RULES, program, rules};

#[test]
fn mistakes_are_told_with_their_places() {
    let error = rules(&RULES.replace("s.beans -= n", "s.bens -= n"))
        .program(&Selection::default())
        .expect_err("there is no `bens`");
    assert!(matches!(error, Error::Rules(_)));
    assert_eq!(error.code(), "names::unknown");
    let text = error.rendered(Format::Human, Style::default());
    assert!(text.contains("beans.blazon:12:13") && text.contains("did you mean `beans`?"), "{text}");
}

#[test]
fn what_there_is_not_is_told_with_what_there_is() {
    let unknown = |wanted: Selection| {
        let error = rules(RULES).program(&wanted).expect_err("there is none");
        (error.code(), error.to_string())
    };
    let (code, said) = unknown(Selection { setup: Some("Fe".to_owned()), ..Selection::default() });
    assert_eq!(code, "names::unknown");
    assert!(said.contains("Fe"), "{said}");
    let (code, said) = unknown(Selection { variants: vec!["Rain".to_owned()], ..Selection::default() });
    assert_eq!(code, "files::missing");
    assert_eq!(said, "error[files::missing]: `Beans` has no variant `Rain`");
}

#[test]
fn of_two_variants_of_one_name_the_folder_says_which() {
    let mut rules = rules(RULES);
    for (key, south) in [("rain", 6), ("drizzle", 3)] {
        let mut folder = blazon::Folder::default();
        let page = |name: &str, text: &str| blazon::Page { name: name.to_owned(), text: text.to_owned() };
        blazon::put(&mut folder, "blazon.ron", page("blazon.ron", r#"Variant(name: "Wet", game: "Beans")"#));
        let change = format!("replace setup Start (side: beans) {{ North: 2; South: {south} }}\n");
        blazon::put(&mut folder, "wet.blazon", page("wet.blazon", &change));
        rules.add_variant(key, folder);
    }
    let wanted = |name: &str| Selection { variants: vec![name.to_owned()], ..Selection::default() };
    let said = rules.program(&wanted("Wet")).expect_err("there are two").to_string();
    let both = "2 variants of `Beans` are called `Wet`: name the folder of one, `rain` or `drizzle`";
    assert_eq!(said, format!("error[names::ambiguous]: {both}"));
    assert!(rules.program(&wanted("drizzle")).is_ok());
}

#[test]
fn capitals_of_a_variant_count_where_they_tell_two_apart() {
    let mut rules = rules(RULES);
    let page = |name: &str, text: &str| blazon::Page { name: name.to_owned(), text: text.to_owned() };
    for (key, name, south) in [("fog", "Mist", 6), ("haze", "Fog", 3), ("Haze", "Smoke", 4)] {
        let mut folder = blazon::Folder::default();
        let manifest = format!("Variant(name: \"{name}\", game: \"Beans\")");
        blazon::put(&mut folder, "blazon.ron", page("blazon.ron", &manifest));
        let change = format!("replace setup Start (side: beans) {{ North: 2; South: {south} }}\n");
        blazon::put(&mut folder, "change.blazon", page("change.blazon", &change));
        rules.add_variant(key, folder);
    }
    let mut place = |name: &str| rules.stack(&[name.to_owned()]).map_err(|error| error.to_string());
    assert_eq!((place("fog"), place("Fog")), (Ok(vec![0]), Ok(vec![1])));
    assert_eq!((place("haze"), place("Haze")), (Ok(vec![1]), Ok(vec![2])));
    assert_eq!((place("MIST"), place("smoke")), (Ok(vec![0]), Ok(vec![2])));
    let both = |name| Err(format!("error[names::ambiguous]: 2 variants of `Beans` are called `{name}`"));
    let said = |answer: Result<Vec<usize>, String>| {
        answer.map_err(|said| said[..said.rfind(": name").unwrap()].to_owned())
    };
    assert_eq!(said(place("FOG")), both("FOG"));
    assert_eq!(said(place("HAZE")), both("HAZE"));
    let missing = place("variants/haaze").unwrap_err();
    assert!(missing.ends_with("did you mean `haze`?"), "{missing}");
    let missing = place("elsewhere/fog/").unwrap_err();
    assert!(missing.ends_with("did you mean `fog`?"), "{missing}");
}

#[test]
fn who_decides_is_asked_of_the_rule_of_players_alone() {
    let more = "kind sack = Big, Small\nrule chooser(x: sack): side = North\nrule chooser(s: side): side = South\n\
                after game { if Big.chooser = North { win(North) } }\n";
    let program = rules(&format!("{more}{RULES}")).program(&Selection::default()).expect("it compiles");
    let mut game = Game::new(program).expect("it has a start");
    game.begin(1).expect("it begins");
    let decider = game.decider().expect("somebody is asked");
    assert_eq!(game.player_name(decider), "South");
}

#[test]
fn all_that_was_said_comes_with_a_program() {
    let reading = Reading::new(&rules(RULES), &[]);
    let compiled = reading.compile(&Settings::default());
    assert!(compiled.program.is_some() && !compiled.has_errors());
    assert_eq!(compiled.diagnostics, []);
}

#[test]
fn a_variant_is_laid_on_its_game() {
    let mut rules = rules(RULES);
    let mut folder = blazon::Folder::default();
    let page = |name: &str, text: &str| blazon::Page { name: name.to_owned(), text: text.to_owned() };
    let manifest = r#"Variant(name: "Rain", game: "Beans")"#;
    blazon::put(&mut folder, "blazon.ron", page("rain/blazon.ron", manifest));
    let change = "replace setup Start (side: beans) { North: 2; South: 6 }\n";
    blazon::put(&mut folder, "rain.blazon", page("rain/rain.blazon", change));
    rules.add_variant("rain", folder);
    let wanted = Selection { variants: vec!["rain".to_owned()], ..Selection::default() };
    let program = rules.program(&wanted).expect("it compiles");
    let mut game = Game::new(program).expect("it has a start");
    game.begin(1).expect("it begins");
    assert_eq!(game.about().variants[0].name, "Rain");
    let player = game.decider().expect("somebody is asked");
    assert_eq!(game.open(player), 2, "two beans are left to throw");
}

#[test]
fn a_machine_can_be_sent_to_another_thread() {
    fn sent<T: Send>(_: &T) {}
    fn shared<T: Sync>(_: &T) {}
    let game = Game::new(program()).expect("it has a start");
    let pool = blazon::Pool::new(program(), blazon::Limits::default()).expect("it has a start");
    sent(&game);
    sent(&pool);
    shared(&pool);
}

#[cfg(feature = "folders")]
mod folders {
    use super::*;
    use std::path::Path;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn found(root: &Path, name: &str) -> Rules {
        let path = root.join(name);
        Loader::new().names_from(root).find(&path.display().to_string()).expect("a game")
    }

    fn said(rules: &Rules) -> String {
        let compiled = Reading::new(rules, &[]).compile(&Settings::default());
        blazon::diagnostics::render(
            &compiled.diagnostics,
            &compiled.sources,
            Format::Human,
            Style { width: 80, ..Style::default() },
        )
    }

    #[test]
    fn a_game_is_found_from_any_file_of_it() {
        let dir = tempfile::tempdir().expect("a folder");
        write(dir.path(), "beans/blazon.ron", MANIFEST);
        write(dir.path(), "beans/pages/beans.blazon", RULES);
        assert_eq!(found(dir.path(), "beans/pages/beans.blazon").name(), "Beans");
        assert!(found(dir.path(), "beans").program(&Selection::default()).is_ok());
    }

    #[test]
    fn no_library_is_taken_from_around_a_game() {
        let dir = tempfile::tempdir().expect("a folder");
        let manifest = MANIFEST.replace("player:", r#"uses: ["secret"], player:"#);
        write(dir.path(), "beans/blazon.ron", &manifest);
        write(dir.path(), "beans/beans.blazon", RULES);
        write(dir.path(), "stdlib/secret.blazon", "this is nobody's business\n");
        write(dir.path(), "beans/stdlib/other.blazon", "-- a page like any other\n");
        let said = said(&found(dir.path(), "beans"));
        assert!(said.contains("the library has no module `secret`"), "{said}");
        assert!(!said.contains("nobody's business"), "{said}");
        // The caller may name a library, and only he.
        let path = dir.path().join("beans");
        let loader = Loader::new().library(dir.path().join("stdlib"));
        let rules = loader.find(&path.display().to_string()).expect("a game");
        let said = Reading::new(&rules, &[]).compile(&Settings::default());
        assert!(said.sources.iter().any(|(_, source)| source.text.contains("nobody's business")));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_of_a_game() {
        let dir = tempfile::tempdir().expect("a folder");
        write(dir.path(), "beans/blazon.ron", MANIFEST);
        write(dir.path(), "beans/beans.blazon", RULES);
        write(dir.path(), "passwords", "root:x:0:0\n");
        write(dir.path(), "other/blazon.ron", r#"Variant(name: "Other", game: "Beans")"#);
        write(dir.path(), "beans/variants/near/blazon.ron", r#"Variant(name: "Near", game: "Beans")"#);
        let link = |from: &str, to: &str| {
            std::os::unix::fs::symlink(dir.path().join(from), dir.path().join(to)).expect("a link");
        };
        link("passwords", "beans/x.blazon");
        link("other", "beans/variants/other");
        let rules = found(dir.path(), "beans");
        let variants: Vec<&str> = rules.variants.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(variants, ["Near"]);
        assert_eq!(
            said(&rules),
            "error[files::outside]\n\
             \n  × `beans/x.blazon` is a link to a file outside its folder\n  \
             help: put the file itself into the folder\n\
             \nerror[files::outside]\n\
             \n  × `beans/variants/other` is a link to a folder outside its folder\n  \
             help: put the folder itself into the folder\n\
             \n2 errors\n"
        );
    }

    #[test]
    fn a_library_that_is_no_folder_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        write(dir.path(), "beans/blazon.ron", MANIFEST);
        let path = dir.path().join("beans");
        let loader = Loader::new().names_from(dir.path()).library(dir.path().join("nowhere"));
        let error = loader.find(&path.display().to_string()).expect_err("there is none");
        assert_eq!(error.to_string(), "error[files::unreadable]: the library `nowhere` is no folder");
    }
}
