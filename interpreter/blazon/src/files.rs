//! Files that are written whole or not at all: saved games, pages, whatever somebody has and is not to lose.
//!
//! A text goes into a file aside, to the disk, and then in the place of the old one. Whatever stops the program
//! meanwhile, the file is as it was before or as it is to be, however many write it at once.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is what the feature `folders` is for"
)]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

/// How the name of a file begins and ends that is written aside; between them it has letters of its own.
const ASIDE: (&str, &str) = (".blazon-", ".part");
/// Nobody takes so long to write a file: what lies aside longer was left by a program that was killed.
const LEFT: Duration = Duration::from_secs(3600);

/// Writes a file whole. One that was there keeps its permissions; a new one has those that the system gives new files.
///
/// # Errors
/// If the disk does not take it: what was there before is there still.
pub fn put_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut aside = aside(path)?;
    sweep(folder_of(path));
    // What goes wrong with the file itself says no path of this machine.
    aside.as_file_mut().write_all(content.as_ref())?;
    keep_permissions(path, aside.as_file())?;
    aside.as_file().sync_all()?;
    aside.persist(path).map_err(|error| error.error)?;
    // The new name should outlast a loss of power, too; where folders cannot be synced it does so anyway.
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Whether a file could be written, before there is what to write.
///
/// # Errors
/// If it could not.
pub fn may_put(path: &Path) -> io::Result<()> {
    aside(path).map(|_| ())
}

/// The folder that a file lies in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file aside; gone again if nobody puts it in its place.
fn aside(path: &Path) -> io::Result<NamedTempFile> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(ASIDE.0).suffix(ASIDE.1);
    // Not its writer's alone, as such files are otherwise: like any new file, it is for those whom the umask leaves.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The error itself would name the file aside, which nobody has asked for.
    builder.tempfile_in(folder_of(path)).map_err(|error| error.kind().into())
}

#[cfg(unix)]
fn keep_permissions(path: &Path, aside: &File) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) => aside.set_permissions(old.permissions()),
        Err(_) => Ok(()),
    }
}

/// Elsewhere a file has none but that it may only be read, and what may only be read is put in no other's place.
#[cfg(not(unix))]
fn keep_permissions(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

/// Takes away what programs that were killed while they wrote left in a folder. Where that fails nothing is lost.
fn sweep(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(ASIDE.0) && name.ends_with(ASIDE.1));
        let age = || entry.metadata().ok().filter(fs::Metadata::is_file)?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age > LEFT) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn whoever_writes_at_once_writes_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("board.tsv");
        // What is called so is somebody's own.
        fs::write(dir.path().join("board.part"), "mine").unwrap();
        let texts: Vec<String> = ('a'..='h').map(|letter| letter.to_string().repeat(100_000)).collect();
        let all_are_there = Barrier::new(texts.len());
        std::thread::scope(|scope| {
            for text in &texts {
                let (path, all_are_there) = (&path, &all_are_there);
                scope.spawn(move || {
                    all_are_there.wait();
                    for _ in 0..8 {
                        put_whole(path, text).unwrap();
                    }
                });
            }
        });
        assert!(texts.contains(&fs::read_to_string(&path).unwrap()));
        assert_eq!(fs::read_to_string(dir.path().join("board.part")).unwrap(), "mine");
        assert_eq!(names(dir.path()), ["board.part", "board.tsv"], "nothing is left aside");
    }

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
        put_whole(&dir.path().join("a.game"), "Save(1)").unwrap();
        assert_eq!(names(dir.path()), [".blazon-d4e5f6.part", "a.game", "notes.part"]);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(put_whole(dir.path(), "x").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        let nowhere = dir.path().join("nowhere").join("a.game");
        assert_eq!(may_put(&nowhere).unwrap_err().kind(), io::ErrorKind::NotFound);
        may_put(&dir.path().join("a.game")).unwrap();
        assert!(names(dir.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_any_file() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        let (any, ours) = (dir.path().join("any"), dir.path().join("ours"));
        fs::write(&any, "").unwrap();
        put_whole(&ours, "once").unwrap();
        assert_eq!(mode(&ours), mode(&any), "the umask decides of new ones");
        for kept in [0o600, 0o755] {
            fs::set_permissions(&ours, fs::Permissions::from_mode(kept)).unwrap();
            put_whole(&ours, "again").unwrap();
            assert_eq!(mode(&ours) & 0o777, kept);
        }
    }
}
