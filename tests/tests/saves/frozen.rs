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

const RULES: &str = "101c86b3b2512328";
const ITEMS: &str = "
game/blazon.ron 0: 37c073d8685466b3
game/1-things.blazon 114: cf303447aabab93f
game/1-things.blazon 172: 8c78f51b5161aa02
game/1-things.blazon 230: 62802de28c64a7f7
game/1-things.blazon 354: bae81fd710108b63
game/1-things.blazon 380: 52e721c6d52d6df5
game/1-things.blazon 438: f29c21ae7b223aae
game/1-things.blazon 532: 241f31d116fd5d96
game/1-things.blazon 674: 4e1179b3aec2feed
game/1-things.blazon 703: 5e2cd711fd56aaca
game/1-things.blazon 734: ae7912e6ca15e9d3
game/1-things.blazon 760: 4a21b68329072041
game/1-things.blazon 784: 555694ded9ece468
game/1-things.blazon 896: 580cb3df072beecb
game/2-play.blazon 0: 4304af52a5b5d7e8
game/2-play.blazon 94: fb24ddf72319ddfa
game/2-play.blazon 177: 746568810ad08668
game/2-play.blazon 318: 8e128d988495075c
game/2-play.blazon 510: 1c393cb614dd3bca
game/2-play.blazon 654: 4ab4dc9a110721fd
game/2-play.blazon 813: 3e76cbe32cceb727
game/2-play.blazon 1091: 2e95171285d0310a
game/2-play.blazon 1442: 497de7a6fa938ec0
game/2-play.blazon 1688: 9f007b2d1336f256
game/mills.tsv 0: 66701e601fc61c96
variant Flood/flood.blazon 0: 2560f44562bb7f2a
";
const POSITIONS: [&str; 5] =
    ["19edcc29984ba28b", "07b50781d709e981", "f6a18c7fb45f2a63", "8924858502f4448d", "add1db617045dada"];
