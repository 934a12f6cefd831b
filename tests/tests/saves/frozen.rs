//! A small game whose text never changes, with every digest written out: this holds the encodings of rules, positions
//! and files for ever. A value here may change only together with the number of the format.

use super::*;

/// The game of the frozen file: until an answer waits for another.
fn frozen() -> Save {
    let mut machine = machine(&compiled(&mill(true), &[]));
    let mut save = played(&mut machine, 12, 0);
    for most in 1..40 {
        save = played(&mut machine, 12, most);
        if most > 8 && !save.pending.is_empty() {
            break;
        }
    }
    save
}

#[test]
fn the_digest_of_the_rules_is_fixed() {
    let book = compiled(&mill(true), &[]).book.clone();
    let lines: Vec<String> = book
        .digest
        .pages
        .iter()
        .flat_map(|page| {
            page.items.iter().map(move |item| (page, item)).map(|(page, item)| {
                format!("{}/{} {}: {:016x}", page.layer, page.name, item.span.start, item.hash)
            })
        })
        .collect();
    assert_eq!(lines.join("\n"), ITEMS.trim());
    assert_eq!(format!("{:016x}", book.digest.hash()), RULES);
}

#[test]
fn the_digest_of_the_position_is_fixed() {
    let mut machine = machine(&compiled(&mill(false), &[]));
    let digests: Vec<String> = [0, 1, 2, 7, 99]
        .map(|most| played(&mut machine, 3, most).digest().expect("a digest").to_owned())
        .into();
    assert_eq!(digests, POSITIONS);
}

#[test]
fn the_file_is_fixed() {
    let path = saves().join("rules.game");
    let text = frozen().to_text().expect("a text");
    if std::env::var_os("BLESS").is_some() && !path.exists() {
        std::fs::write(&path, &text).expect("written");
    }
    assert_eq!(text, std::fs::read_to_string(&path).expect("the file"));
    let save = Save::from_text(&text).expect("a save");
    assert_eq!((save.pending.len(), save.to_text()), (1, Ok(text)));
}

const RULES: &str = "?";
const ITEMS: &str = "?";
const POSITIONS: [&str; 5] = ["?", "?", "?", "?", "?"];
