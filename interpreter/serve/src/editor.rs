//! The editor of whoever makes a game: the link by which a place of the rules is opened there.

use std::path::Path;

use crate::links::encoded_but;

/// The editors that are known by name, and how each is called.
const KNOWN: [(&str, &str); 6] = [
    ("vscode", "vscode://file/{path}:{line}:{column}"),
    ("vscodium", "vscodium://file/{path}:{line}:{column}"),
    ("cursor", "cursor://file/{path}:{line}:{column}"),
    ("zed", "zed://file/{path}:{line}:{column}"),
    ("idea", "idea://open?file={path}&line={line}"),
    ("textmate", "txmt://open?url=file://{path}&line={line}&column={column}"),
];

/// What a browser takes for itself: a link of these would open nothing, or do something in the page.
const NO_EDITOR: [&str; 14] = [
    "javascript",
    "data",
    "vbscript",
    "http",
    "https",
    "file",
    "blob",
    "about",
    "view-source",
    "filesystem",
    "ftp",
    "ws",
    "wss",
    "mailto",
];

/// How an editor is called: a link with `{path}` and perhaps `{line}` and `{column}` to be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor(String);

impl Editor {
    /// An editor by its name, or by a link with `{path}`.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it, and how it is written.
    pub fn of(text: &str) -> Result<Self, String> {
        if let Some((_, link)) = KNOWN.iter().find(|(name, _)| *name == text) {
            return Ok(Self((*link).to_owned()));
        }
        let names = KNOWN.map(|(name, _)| name).join(", ");
        let Some((scheme, _)) = text.split_once(':') else {
            return Err(format!(
                "no editor is known as `{}`; known are {names}; for another, write the link that opens a file in it, \
                 as my-editor://open?file={{path}}&line={{line}}&column={{column}}",
                shown(text)
            ));
        };
        let wrong = |what: &str| {
            Err(format!(
                "`{}` opens no editor: {what}; write the link that opens a file in it, as \
                 my-editor://open?file={{path}}&line={{line}}&column={{column}}, or one of {names}",
                shown(text)
            ))
        };
        let begins = scheme.starts_with(|first: char| first.is_ascii_alphabetic());
        if !begins
            || scheme.contains(|letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter))
        {
            return wrong("a link begins with letters and a colon");
        }
        if NO_EDITOR.contains(&scheme.to_ascii_lowercase().as_str()) {
            return wrong(&format!("`{scheme}:` is for browsers themselves"));
        }
        if !text.contains("{path}") {
            return wrong("nothing in it says which file, `{path}`");
        }
        let rest = ["{path}", "{line}", "{column}"]
            .iter()
            .fold(text.to_owned(), |rest, part| rest.replace(part, ""));
        if rest.contains(['{', '}']) {
            return wrong("between braces stand path, line and column, and nothing else");
        }
        let is_fine = |letter: char| letter.is_ascii_graphic() && !"\"<>\\^`".contains(letter);
        if !rest.chars().all(is_fine) {
            return wrong("other letters, blanks and quotes are written as in a browser, such as %20");
        }
        Ok(Self(text.to_owned()))
    }

    /// The link that opens a file at a line and a column, both from 1. The path is an absolute one.
    pub fn link(&self, path: &Path, line: u32, column: u32) -> String {
        let path = percent(path);
        // A scheme that ends its own part with a stroke has that of the path already; after `://` a path begins.
        let shared = |before: &str| before.ends_with('/') && !before.ends_with("://");
        let mut link = String::new();
        for (place, part) in self.0.split("{path}").enumerate() {
            if place > 0 {
                link += if shared(&link) { path.trim_start_matches('/') } else { &path };
            }
            link += part;
        }
        // In the path, braces are written otherwise: what is filled in here stood in the link itself.
        link.replace("{line}", &line.to_string()).replace("{column}", &column.to_string())
    }
}

/// What somebody wrote, so that a terminal takes nothing of it for a command.
fn shown(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

/// A path as it stands in a link.
fn percent(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = text.strip_prefix(r"\\?\").unwrap_or(&text);
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    // The colon of a drive stays; any other would be taken for the one before the line.
    let is_drive = |place, byte| cfg!(windows) && place == 1 && byte == b':';
    encoded_but(&text, |place, byte| b"/-._~".contains(&byte) || is_drive(place, byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(editor: &str, path: &str) -> String {
        Editor::of(editor).unwrap().link(Path::new(path), 12, 3)
    }

    #[test]
    #[cfg(unix)]
    fn each_editor_is_called_as_it_wants_to_be() {
        let path = "/games/my game/a&b:{line}.blazon";
        let as_told = "games/my%20game/a%26b%3A%7Bline%7D.blazon";
        for scheme in ["vscode", "vscodium", "cursor", "zed"] {
            assert_eq!(link(scheme, path), format!("{scheme}://file/{as_told}:12:3"));
        }
        assert_eq!(link("idea", path), format!("idea://open?file=/{as_told}&line=12"));
        assert_eq!(link("textmate", path), format!("txmt://open?url=file:///{as_told}&line=12&column=3"));
        assert_eq!(link("ed:{path}?l={line}", "/ä.blazon"), "ed:/%C3%A4.blazon?l=12");
    }

    #[test]
    fn what_opens_no_editor_is_refused() {
        let how = "write the link that opens a file in it, as my-editor://open?file={path}&line={line}&column={column}";
        let names = "vscode, vscodium, cursor, zed, idea, textmate";
        for (text, what) in [
            ("vscode://file/", "nothing in it says which file, `{path}`"),
            ("javascript:alert('{path}')", "`javascript:` is for browsers themselves"),
            ("JavaScript:{path}", "`JavaScript:` is for browsers themselves"),
            ("https://here/{path}", "`https:` is for browsers themselves"),
            ("://{path}", "a link begins with letters and a colon"),
            (" x:{path}", "a link begins with letters and a colon"),
            ("x:{path}{row}", "between braces stand path, line and column, and nothing else"),
            ("x:{path} y", "other letters, blanks and quotes are written as in a browser, such as %20"),
        ] {
            let said = format!("`{text}` opens no editor: {what}; {how}, or one of {names}");
            assert_eq!(Editor::of(text), Err(said));
        }
        let said = format!("no editor is known as `vi`; known are {names}; for another, {how}");
        assert_eq!(Editor::of("vi"), Err(said));
    }
}
