//! Saved games on the disk, and other files that are replaced only by one that is written completely.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use blazon::files::{self, folder_of, put_whole};
use blazon::shown;

/// The most bytes of a saved game.
const LONGEST: u64 = 64 << 20;
/// How a saved game begins: nothing else is overwritten.
const BEGINS: &str = "Save(";

/// Writes a saved game whole.
///
/// # Errors
/// In words, if it cannot be written, or if another sort of file has that name.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    is_free(path)?;
    put(path, text)
}

/// Whether a saved game can be written there, before there is one: see [`write()`].
///
/// # Errors
/// In words, if it cannot be, or if another sort of file has that name.
pub fn may_write(path: &Path) -> Result<(), String> {
    is_free(path)?;
    may_put(path)
}

/// Whether no other sort of file has that name.
fn is_free(path: &Path) -> Result<(), String> {
    match path.is_file() && !begins(path, BEGINS) {
        true => Err(format!("`{}` is there already and is no saved game; take another name", shown(path))),
        false => Ok(()),
    }
}

/// Writes a file whole.
///
/// # Errors
/// In words, if it cannot be written.
pub fn put(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    has_place(path)?;
    put_whole(path, content).map_err(|error| cannot(path, &error))
}

/// Whether a file can be written, before there is what to write: whoever has worked for an hour should not hear then that
/// there is no such folder.
///
/// # Errors
/// In words, if it cannot be.
pub fn may_put(path: &Path) -> Result<(), String> {
    // What is no file on a disk, such as a pipe, has no place beside it.
    if path.exists() && !path.is_file() && !path.is_dir() {
        return Ok(());
    }
    has_place(path)?;
    files::may_put(path).map_err(|error| cannot(path, &error))
}

/// Whether a folder that is not there can be made.
///
/// # Errors
/// In words, if it cannot be.
pub fn may_make(folder: &Path) -> Result<(), String> {
    let above = folder.ancestors().skip(1).find(|above| above.as_os_str().is_empty() || above.exists());
    let above = above.filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = if above.is_dir() {
        tempfile::tempdir_in(above).map(|_| ())
    } else {
        Err(std::io::ErrorKind::NotADirectory.into())
    };
    made.map_err(|error| format!("`{}` cannot be made: {}", shown(folder), error.kind()))
}

/// Whether a file is no folder, and lies in one that is there.
fn has_place(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("`{}` is a folder", shown(path)));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(format!("`{}` cannot be written: there is no folder `{}`", shown(path), shown(folder)));
    }
    Ok(())
}

fn cannot(path: &Path, error: &std::io::Error) -> String {
    format!("`{}` cannot be written: {error}", shown(path))
}

/// Whether a file begins with some text.
pub fn begins(path: &Path, text: &str) -> bool {
    let mut begins = vec![0; text.len()];
    let read = path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut begins)).is_ok();
    read && begins == text.as_bytes()
}

/// Reads a saved game as text.
///
/// # Errors
/// In words, if it is not there or no text.
pub fn read(path: &Path) -> Result<String, String> {
    let wrong = |error: std::io::Error| format!("`{}` cannot be read: {error}", shown(path));
    let file = path.metadata().map_err(wrong)?;
    if file.is_dir() {
        return Err(format!("`{}` is a folder", shown(path)));
    }
    // A pipe may never have anything in it.
    if !file.is_file() {
        return Err(format!("`{}` is no file on a disk", shown(path)));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(wrong)?.take(LONGEST + 1).read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("`{}` is too long for a saved game", shown(path)));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("`{}` is no saved game: it is not text", shown(path)))?;
    // Some editors begin a text with a mark that nobody sees.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_saved_games_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let game = dir.path().join("a.game");
        write(&game, "Save(1)").unwrap();
        write(&game, "Save(2)").unwrap();
        assert_eq!(read(&game).unwrap(), "Save(2)");
        let other = dir.path().join("rules.blazon");
        std::fs::write(&other, "kind side").unwrap();
        assert!(write(&other, "Save(3)").unwrap_err().contains("no saved game"));
        assert!(write(dir.path(), "Save(4)").is_err());
        assert_eq!(dir.path().read_dir().unwrap().count(), 2, "nothing is left aside");
    }
}
