//! The folder of all tables, held by one server at a time.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use blazon::files::put_whole;

use crate::problem::Problem;
use crate::secret;

/// The longest file that is read: a game of many thousands of choices has a few megabytes.
pub const LONGEST: u64 = 64 << 20;

/// The folder of all tables.
pub struct Data {
    path: PathBuf,
    /// How often a server has begun here: it counts what pages have seen on from there.
    pub boot: u64,
    /// The names of the tables that lay here when it was taken.
    pub names: Vec<String>,
    /// Held as long as the server runs.
    _lock: File,
}

impl Data {
    /// Takes a folder for this server; it is made if it is not there.
    ///
    /// # Errors
    /// In words, if it cannot be read or written to, or if another server has it.
    pub fn open(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let wrong = |error: io::Error| format!("the folder `{shown}` cannot be written to: {error}");
        fs::create_dir_all(path).map_err(wrong)?;
        let lock = File::options().create(true).append(true).open(path.join("lock")).map_err(wrong)?;
        if lock.try_lock().is_err() {
            return Err(format!(
                "another server keeps its tables in `{shown}`; stop it, or take another folder"
            ));
        }
        let counter = path.join("starts");
        let cannot = |error: io::Error| format!("the folder `{shown}` cannot be read: {error}");
        let before = match fs::read_to_string(&counter) {
            Ok(text) => {
                text.trim().parse::<u64>().ok().filter(|&before| before < u64::MAX).ok_or_else(|| {
                    // Where it began anew, old pages would take what they have seen for what is to come.
                    format!(
                        "`{}` says nothing of how often a server has begun here: write a number into it that is surely \
                         greater",
                        counter.display()
                    )
                })?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(cannot(error)),
        };
        let boot = before + 1;
        put_whole(&counter, format!("{boot}\n")).map_err(wrong)?;
        let names = names(path).map_err(cannot)?;
        Ok(Self { path: path.to_owned(), boot, names, _lock: lock })
    }

    /// The folder of a table, whose name has been looked at.
    pub fn table(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where the rules of a digest are kept.
    pub fn rules(&self, digest: &str) -> PathBuf {
        self.path.join("rules").join(format!("{digest}.json"))
    }

    /// Makes a table's folder; answers its name.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn new_table(&self) -> Result<String, Problem> {
        loop {
            let name = secret::new_name()?;
            match fs::create_dir(self.path.join(&name)) {
                Ok(()) => return Ok(name),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Problem::kept(format!("the table cannot be kept: {error}"))),
            }
        }
    }

    /// Removes what was begun of a table.
    pub fn remove(&self, name: &str) {
        // What cannot be removed has no `table.json` and is passed over.
        let _ = fs::remove_dir_all(self.path.join(name));
    }
}

/// The names of the tables in a folder.
fn names(path: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)? {
        names.extend(entry?.file_name().into_string().ok().filter(|name| secret::is_name(name)));
    }
    names.sort();
    Ok(names)
}

/// Reads a file of a table.
///
/// # Errors
/// If it is not there, too long, or no text.
pub fn read(path: &Path) -> io::Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|_| io::Error::other("it is no text"))
}

/// The same for a file whose last bytes may be torn.
///
/// # Errors
/// If it is not there or too long.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let length = fs::metadata(path)?.len();
    if length > LONGEST {
        let text = format!("it is too long: it has {length} bytes, and no more than {LONGEST} are read");
        return Err(io::Error::other(text));
    }
    fs::read(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_counted_on_and_never_from_the_beginning() {
        let room = tempfile::tempdir().expect("a folder");
        let open = || Data::open(room.path());
        let boots = [1, 2, 3].map(|_| open().map(|data| data.boot).expect("it is free"));
        assert_eq!(boots, [1, 2, 3]);
        let counter = room.path().join("starts");
        for torn in ["", "three", "18446744073709551615"] {
            fs::write(&counter, torn).expect("a file");
            let why = open().err().expect("nobody knows how often a server has begun here");
            assert!(why.contains("says nothing of how often a server has begun here"), "{why}");
        }
        fs::write(&counter, "7\n").expect("a file");
        assert_eq!(open().map(|data| data.boot), Ok(8));
        fs::remove_file(&counter).expect("it was there");
        fs::create_dir(&counter).expect("a folder");
        assert!(open().err().is_some_and(|why| why.contains("cannot be read")));
    }
}
