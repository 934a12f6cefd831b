//! Saves of the games of this repository. Those in `format-1` were written by the program before format 2; those in
//! `format-2` are the same games. Each must load, and a random game from there on must go the same way as ever.
//!
//! When the text of a game is changed on purpose, its saves are foreign, and that is right. Then
//!
//! 1. `BLESS=1 cargo test -p blazon-tests --test saves` plays the logs in `format-2` again by the new text, as far as
//!    they can be followed, goes on at random to the length that they had, and writes saves of that, and `course.txt`
//!    anew;
//! 2. a save in `format-1` whose log can still be followed loads as before; one whose log cannot, or that does not know
//!    a ruling of today, is moved to `tests/saves/foreign`, where `foreign_saves_are_refused_and_replayed` takes it up.
//!
//! If a save fails and no game was changed, the program has broken saves that people have: mend the program.

use blazon_kernel::chance;
use blazon_machine::save::{Followed, Replayed, Save};

use super::*;

/// The choices of a random game from there on.
const MOST: usize = 20_000;

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Loads a save and plays on; one line of what came of it.
fn course(name: &str, save: &Save, machine: &mut Machine) -> String {
    let resumed = match save.resume(machine) {
        Ok(resumed) => resumed,
        Err(error) => panic!(
            "{name} does not load: {error}\nIf the text of its game was changed on purpose, see the header of {}",
            file!()
        ),
    };
    let here = machine.snapshot();
    assert_eq!(save.resume(machine).as_ref(), Ok(&resumed), "{name}: a second time");
    assert_eq!(machine.snapshot(), here);
    machine.record(true);
    machine.take_events();
    let (taken, again) = (machine.taken(), Save::new(machine, 0, 0, Vec::new()));
    let digest = again.digest().expect("a digest").to_owned();
    let further = play(machine, 5, MOST);
    let text: String = further.iter().map(|entry| format!("{entry}\n")).collect();
    let winner = machine.outcome().expect("an end").winner;
    format!(
        "{name}: {} choices, {taken} decisions, position {digest}; {} more choices {:016x}, {} decisions, winner {winner:?}\n",
        resumed.log.len(),
        further.len(),
        chance::hash_text(&text),
        machine.taken(),
    )
}

#[test]
fn old_and_new_saves_load_and_go_on_as_ever() {
    let mut shelf = Shelf::default();
    let mut courses = String::new();
    for format in ["format-1", "format-2"] {
        for (name, text) in games_in(format) {
            let mut save = Save::from_text(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let mut machine = machine(&shelf.of(&save.rules));
            if blessing() && format == "format-2" {
                save = renewed(&save, &mut machine);
                let path = saves().join(format).join(format!("{name}.game"));
                std::fs::write(path, save.to_text().expect("a text")).expect("written");
            }
            courses += &course(&format!("{format}/{name}"), &save, &mut machine);
        }
    }
    let path = saves().join("course.txt");
    if blessing() {
        std::fs::write(&path, &courses).expect("written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(courses, golden);
}

/// The same game by the rules as they are now, as far as they can follow it, and a random one from there on.
fn renewed(save: &Save, machine: &mut Machine) -> Save {
    let setup = save.setup_in(machine.program()).expect("its setup");
    let Followed { mut made, .. } = save.replay(machine, setup).expect("a start");
    made.extend(play(machine, 6, save.log.len().saturating_sub(made.len())));
    Save::new(machine, setup, save.seed, made).with_by_hand(save.by_hand.clone())
}

#[test]
fn both_formats_come_to_the_same_position() {
    let mut shelf = Shelf::default();
    let newer: HashMap<String, String> = games_in("format-2").into_iter().collect();
    for (name, text) in games_in("format-1") {
        let [old, new] = [&text, &newer[&name]].map(|text| Save::from_text(text).expect("a save"));
        let program = shelf.of(&old.rules);
        let [mut one, mut other] = [machine(&program), machine(&program)];
        let resumed = old.resume(&mut one).expect("the old one");
        assert_eq!(new.resume(&mut other).map(|resumed| resumed.note), Ok(None));
        assert_eq!(resumed.log, new.log, "{name}");
        if name.ends_with("-secret") {
            // The answer that waits stood only in the position, which nobody can read any more.
            let note = "an answer to what is being asked stood only in the position, which the older format of this \
                        file does not let be read; it is asked again";
            assert_eq!(resumed.note.as_deref(), Some(note), "{name}");
            assert_eq!((one.deciders().len(), other.deciders().len()), (2, 1), "{name}");
            assert_eq!(new.pending.len(), 1, "{name}");
        } else {
            assert_eq!(resumed.note, None, "{name}");
            assert_eq!(one.snapshot(), other.snapshot(), "{name}");
        }
    }
}

#[test]
fn foreign_saves_are_refused_and_replayed() {
    let folder = saves().join("foreign");
    if !folder.is_dir() {
        return;
    }
    let mut shelf = Shelf::default();
    for (name, text) in games_in("foreign") {
        let save = Save::from_text(&text).expect("a save");
        let mut machine = machine(&shelf.of(&save.rules));
        let refused = save.resume(&mut machine).expect_err(&name);
        assert_eq!(refused.code, "save::foreign", "{name}");
        let setup = save.setup_in(machine.program()).expect("its setup");
        let followed = save.replay(&mut machine, setup).expect("a start");
        let unknown =
            refused.message.contains("a ruling") && refused.message.ends_with("that it does not know");
        let until = matches!(followed.replayed, Replayed::Until(_));
        assert!(until || unknown, "{name} can be followed, and knows every ruling: move it back");
    }
}
