//! The texts that `blazon new` writes: files beside this crate's sources, with words in `«»` to be filled in.

use super::name::Name;

/// A file to be written.
pub struct File {
    /// Where, from the new folder.
    pub path: String,
    /// What.
    pub text: String,
}

/// What a variant must know of its game.
pub struct Game<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Its first step.
    pub begins: &'a str,
    /// The setup that is played when none is named.
    pub setup: &'a str,
}

/// A template: where it goes, and its text.
type Template = (&'static str, &'static str);

const VARIANT: [Template; 3] = [
    ("blazon.ron", include_str!("../../../../templates/variant/blazon.ron")),
    ("«slug».blazon", include_str!("../../../../templates/variant/page.blazon")),
    ("tests/«slug».blazon", include_str!("../../../../templates/variant/tests/page.blazon")),
];

const GAME: [Template; 4] = [
    ("blazon.ron", include_str!("../../../../templates/game/blazon.ron")),
    ("1-board.blazon", include_str!("../../../../templates/game/1-board.blazon")),
    ("2-rules.blazon", include_str!("../../../../templates/game/2-rules.blazon")),
    ("tests/first.blazon", include_str!("../../../../templates/game/tests/first.blazon")),
];

/// The files of a variant. The state `flag` is what its test looks at.
pub fn variant(name: &Name, game: &Game, flag: &str) -> Vec<File> {
    // A variant is for all versions that begin with the same number.
    let version = game.version.split('.').next().unwrap_or_default();
    let words = [
        ("«name»", name.text.as_str()),
        ("«slug»", &name.slug),
        ("«version»", version),
        ("«begins»", game.begins),
        ("«setup»", game.setup),
        ("«flag»", flag),
    ];
    let mut files = filled(&VARIANT, &words);
    for file in &mut files {
        // The name of somebody's game may hold signs that end a text in a manifest.
        let in_manifest = file.path.ends_with(".ron");
        let game = if in_manifest { escaped(game.name) } else { game.name.replace(['\n', '\r'], " ") };
        file.text = file.text.replace("«game»", &game);
    }
    files
}

/// The files of a game.
pub fn game(name: &Name) -> Vec<File> {
    filled(&GAME, &[("«name»", &name.text)])
}

fn filled(templates: &[Template], words: &[(&str, &str)]) -> Vec<File> {
    let fill = |text: &str| words.iter().fold(text.to_owned(), |text, (mark, word)| text.replace(mark, word));
    templates.iter().map(|(path, text)| File { path: fill(path), text: fill(text) }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r")
}
