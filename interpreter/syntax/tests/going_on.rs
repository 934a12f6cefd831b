//! With which words a text can go on.

use blazon_syntax::going_on;

fn words(before: &str) -> Vec<&'static str> {
    let going = going_on(before, true).unwrap();
    assert!(!going.begins, "{before}");
    going.words
}

#[test]
fn behind_a_value_stand_the_words_that_join_it() {
    let rule = "-- The first.\nrule a: flag = yes\nrule b(p: piece): flag = ";
    assert_eq!(words(&format!("{rule}p.at = Old Mill ")), ["in", "and", "or", "otherwise", "not in"]);
    assert_eq!(
        words(&format!("{rule}any q in pieces ")),
        ["in", "and", "or", "where", "otherwise", "not in"],
        "a query that compares nothing takes no `by`"
    );
    assert_eq!(
        words(&format!("{rule}any reach a in areas ")),
        ["in", "and", "or", "where", "by", "within", "otherwise", "not in"]
    );
    assert_eq!(
        words(&format!("{rule}any reach a in areas by b in a.neighbours where b.open ")),
        ["in", "and", "or", "by", "within", "otherwise", "not in"]
    );
    assert_eq!(words("step a {\n  for p "), ["in"]);
    let named = going_on("step a {\n  choose ", true).unwrap();
    assert_eq!((named.words, named.begins), (vec!["by"], true), "a choice may have a name");
}

#[test]
fn where_a_value_begins_it_is_said() {
    for before in [
        "rule a: flag = ",
        "rule a: flag = b and",
        "step a {\n  if",
        "rule a: number = count p in",
        "rule a: flag = b.",
    ] {
        assert!(going_on(before, true).unwrap().begins, "{before}");
    }
    assert!(going_on("p.at =", false).unwrap().begins);
    assert!(!going_on("p.at", false).unwrap().begins);
}

#[test]
fn what_cannot_be_read_goes_on_with_nothing() {
    for before in ["rule a: flag = )", "what is this", &"(".repeat(100_000)] {
        assert_eq!(going_on(before, true), None);
    }
}
