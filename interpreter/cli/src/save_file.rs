//! Saved games on the disk, and other files that are replaced only by one that is written completely.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use blazon::shown;

/// The most bytes of a saved game.
const LONGEST: u64 = 64 << 20;
/// How a saved game begins: nothing else is overwritten.
const BEGINS: &str = "Save(";

/// How the file begins and ends that is written aside.
const ASIDE: (&str, &str) = (".blazon-", ".part");
/// Nobody takes so long to write a game: what lies aside longer was left by a program that was killed.
const LEFT: Duration = Duration::from_secs(3600);

/// Writes a saved game: aside first, then to the disk, then in the place of the old one.
///
/// # Errors
/// In words, if it cannot be written, or if another sort of file has that name.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    if path.is_file() && !begins(path, BEGINS) {
        return Err(format!("`{}` is there already and is no saved game; take another name", shown(path)));
    }
    put(path, text)
}

/// Writes a file: aside first, then to the disk, then in the place of the old one.
///
/// # Errors
/// In words, if it cannot be written.
pub fn put(path: &Path, text: &str) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("`{}` cannot be written: {error}", shown(path));
    let mut aside = aside(path)?;
    sweep(folder_of(path));
    aside.write_all(text.as_bytes()).map_err(wrong)?;
    aside.as_file().sync_all().map_err(wrong)?;
    aside.persist(path).map_err(|error| wrong(error.error))?;
    // The new name, too, should outlast a loss of power; where folders cannot be synced it does so anyway.
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
    Ok(())
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
    aside(path).map(|_| ())
}

/// Whether a folder that is not there can be made.
///
/// # Errors
/// In words, if it cannot be.
pub fn may_make(folder: &Path) -> Result<(), String> {
    let above = folder.ancestors().skip(1).find(|above| above.as_os_str().is_empty() || above.exists());
    let above = above.filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = if above.is_dir() {
        tempfile::Builder::new().prefix(ASIDE.0).suffix(ASIDE.1).tempdir_in(above).map(|_| ())
    } else {
        Err(std::io::ErrorKind::NotADirectory.into())
    };
    made.map_err(|error| format!("`{}` cannot be made: {}", shown(folder), error.kind()))
}

/// The folder that a file lies in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file aside, to which it is written first; gone again if nobody keeps it.
fn aside(path: &Path) -> Result<tempfile::NamedTempFile, String> {
    if path.is_dir() {
        return Err(format!("`{}` is a folder", shown(path)));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(format!("`{}` cannot be written: there is no folder `{}`", shown(path), shown(folder)));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(ASIDE.0).suffix(ASIDE.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // The error itself would name the file aside, which nobody has asked for.
    let kind = |error: std::io::Error| std::io::Error::from(error.kind());
    builder
        .tempfile_in(folder)
        .map_err(|error| format!("`{}` cannot be written: {}", shown(path), kind(error)))
}

/// Takes away what programs that were killed while they wrote left beside saved games. Where that fails nothing is lost.
fn sweep(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(ASIDE.0) && name.ends_with(ASIDE.1));
        let age =
            || entry.metadata().ok().filter(std::fs::Metadata::is_file)?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age > LEFT) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
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
    String::from_utf8(bytes).map_err(|_| format!("`{}` is no saved game: it is not text", shown(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_program_left_aside_is_taken_away() {
        let dir = tempfile::tempdir().unwrap();
        let left = |name: &str, age: Duration| {
            let file = File::create(dir.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - age).unwrap();
        };
        left(".blazon-a1b2c3.part", LEFT * 2);
        left(".blazon-d4e5f6.part", LEFT / 2);
        left("notes.part", LEFT * 2);
        write(&dir.path().join("a.game"), "Save(1)").unwrap();
        let names = dir.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, [".blazon-d4e5f6.part", "a.game", "notes.part"]);
    }

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
