//! Random games, saved as text at random decisions and loaded by a machine that has seen nothing of them: the same
//! view, the same options, the same further course.

use super::*;

fn everywhere(program: &Arc<Program>, games: u64, most: usize) {
    for seed in 0..games {
        let mut straight = machine(program);
        let stop = (seed as usize * 37 + 11) % most;
        let save = played(&mut straight, seed, stop);
        let text = save.to_text().expect("a text");
        let read = Save::from_text(&text).expect("what was written");
        assert_eq!(read, save);
        let mut other = machine(program);
        let resumed = read.resume(&mut other).unwrap_or_else(|error| panic!("seed {seed}, {stop}: {error}"));
        assert_eq!((&resumed.log, &resumed.note), (&save.log, &None));
        assert_eq!(other.snapshot(), straight.snapshot(), "seed {seed}, {stop}");
        for viewer in [None, Some(0), Some(1)] {
            assert_eq!(other.view(viewer).expect("a view"), straight.view(viewer).expect("a view"));
        }
        other.take_events();
        let further = play(&mut straight, seed + 100, 60);
        assert_eq!(play(&mut other, seed + 100, 60), further, "seed {seed}, {stop}: forced choices, too");
        assert_eq!(other.snapshot(), straight.snapshot());
    }
}

#[test]
fn games_of_all_rules_are_saved_and_loaded() {
    everywhere(&compiled(&rules_only("richard-iii", &[]), &[]), 24, 320);
    everywhere(&compiled(&rules_only("lionheart", &[]), &[]), 12, 400);
    everywhere(&compiled(&rules_only("salt-road", &[]), &[]), 24, 100);
    everywhere(&compiled(&mill(false), &[]), 60, 25);
}
