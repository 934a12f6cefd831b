//! `blazon format`: pages are laid out in their place, told of, or passed through.

use crate::common::Room;

const WRITTEN: &str = "rule   a:number=1  \n\n\n\nrule b: number = a+1   @2.1\n";
const LAID_OUT: &str = "rule a: number = 1\n\nrule b: number = a + 1                                                                      @2.1\n";

#[test]
fn a_page_is_laid_out_in_its_place_once() {
    let room = Room::empty();
    room.write("game/1-page.blazon", WRITTEN);
    room.write("game/.aside/2-page.blazon", WRITTEN);
    room.write("game/notes.txt", WRITTEN);
    let run = room.run(&["format", "--check", "game"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert_eq!(run.out, "game/1-page.blazon\n1 page: 1 laid out otherwise; `blazon format` lays them out\n");
    assert_eq!(std::fs::read_to_string(room.path("game/1-page.blazon")).unwrap(), WRITTEN);
    let run = room.run(&["format", "game"], "");
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "game/1-page.blazon\n1 page: 1 laid out anew\n"),
        "{}",
        run.err
    );
    assert_eq!(std::fs::read_to_string(room.path("game/1-page.blazon")).unwrap(), LAID_OUT);
    let run = room.run(&["format", "--check", "game"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "1 page: laid out already\n"), "{}", run.err);
    for untouched in ["game/.aside/2-page.blazon", "game/notes.txt"] {
        assert_eq!(std::fs::read_to_string(room.path(untouched)).unwrap(), WRITTEN, "{untouched}");
    }
}

#[test]
fn lines_end_as_they_did() {
    let room = Room::empty();
    let ended = |text: &str| text.replace('\n', "\r\n");
    room.write("game/1-page.blazon", ended(WRITTEN));
    let run = room.run(&["format", "game"], "");
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "game/1-page.blazon\n1 page: 1 laid out anew\n"),
        "{}",
        run.err
    );
    assert_eq!(std::fs::read_to_string(room.path("game/1-page.blazon")).unwrap(), ended(LAID_OUT));
    let run = room.run(&["format", "--check", "game"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "1 page: laid out already\n"), "{}", run.err);
    assert_eq!(room.run(&["format", "-"], ended(WRITTEN)).out, ended(LAID_OUT));
    // As most of them do.
    let mixed = LAID_OUT.replacen('\n', "\r\n", 1);
    assert_eq!(room.run(&["format", "-"], &mixed).out, LAID_OUT);
    assert_eq!(room.run(&["format", "-"], "").out, "");
    // The last line gets the end that the others have.
    assert_eq!(
        room.run(&["format", "-"], "rule a: number = 1\r\nrule b: number = 2").out,
        "rule a: number = 1\r\nrule b: number = 2\r\n"
    );
    // A line that cannot be read keeps its end, too.
    let unread = "rule   a:number=1\r\nrule b  : number = = 2\r\n";
    assert_eq!(room.run(&["format", "-"], unread).out, "rule a: number = 1\r\nrule b  : number = = 2\r\n");
}

#[test]
fn what_is_no_page_is_left_alone() {
    let room = Room::empty();
    room.write("a.game", WRITTEN);
    let run = room.run(&["format", "a.game"], "");
    assert_eq!((run.code, run.out.as_str()), (3, ""), "{}", run.err);
    assert!(run.err.contains("`a.game` is no page: the name of a page ends in `.blazon`"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(room.path("a.game")).unwrap(), WRITTEN);
}

#[test]
fn standard_input_is_passed_through() {
    let room = Room::empty();
    let run = room.run(&["format", "-"], WRITTEN);
    assert_eq!((run.code, run.out.as_str()), (0, LAID_OUT), "{}", run.err);
    let run = room.run(&["format", "--check", "-"], WRITTEN);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert_eq!(run.err, "error: standard input is laid out otherwise; `blazon format -` lays it out\n");
    let run = room.run(&["format", "--check", "-"], LAID_OUT);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let run = room.run(&["format", "-", "page.blazon"], WRITTEN);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
}

#[test]
fn what_cannot_be_read_of_standard_input_is_told() {
    let room = Room::empty();
    let run = room.run(&["format", "-"], "rule   a:number=1\nrule b  : number = = 2\n");
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "rule a: number = 1\nrule b  : number = = 2\n"),
        "{}",
        run.err
    );
    let told = "standard input:2: what cannot be read is left as it is; `blazon check` says why\n";
    assert_eq!(run.err, told);
    let run = room.run(&["format", "--check", "-"], &run.out);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", told));
}

#[test]
fn a_folder_without_a_page_is_not_what_was_meant() {
    let room = Room::empty();
    room.write("game/1-page.blazon", WRITTEN);
    room.write("notes/notes.txt", WRITTEN);
    let run = room.run(&["format", "game", "notes"], "");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert_eq!(
        run.err,
        "error: no page lies in `notes`: a page is a file whose name ends in `.blazon` [files::missing]\n"
    );
    assert_eq!(std::fs::read_to_string(room.path("game/1-page.blazon")).unwrap(), WRITTEN);
}

#[test]
fn what_cannot_be_read_is_told_and_left() {
    let room = Room::empty();
    room.write("a.blazon", "rule   a:number=1\nrule b  : number = = 2\n");
    room.write("b.blazon", [0x72, 0xff, 0x0a]);
    room.write("c.blazon", "rule c:number=1\n");
    let run = room.run(&["format", "a.blazon", "b.blazon", "c.blazon", "d.blazon"], "");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    let a = std::fs::read_to_string(room.path("a.blazon")).unwrap();
    assert_eq!(a, "rule a: number = 1\nrule b  : number = = 2\n");
    assert_eq!(std::fs::read_to_string(room.path("c.blazon")).unwrap(), "rule c: number = 1\n");
    assert!(run.err.contains("a.blazon:2: what cannot be read is left as it is"), "{}", run.err);
    assert!(run.err.contains("`b.blazon` is no text: byte 1 is not UTF-8"), "{}", run.err);
    assert!(run.err.contains("d.blazon"), "{}", run.err);
}
