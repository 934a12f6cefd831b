//! Reads the folder of a game or variant from the disk. The files are strangers' work: they may be huge, no text, or
//! links to elsewhere, and none of that may stop more than a message.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is what the feature `folders` is for"
)]

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use blazon_check::project::{Folder, Page};
use blazon_diagnostics::Diagnostic;
use walkdir::{DirEntry, WalkDir};

use super::pages::{MANIFEST, MAP, put};
use crate::present::harmless;

/// The most bytes of one file.
const LONGEST: u64 = 4 << 20;
/// The most bytes of all files of one folder: ten times what large games have, and a byte of a page takes ninety of memory while
/// it is read.
const LARGEST: usize = 8 << 20;
/// The most files and folders of one folder.
const MOST: usize = 5000;
/// How deep folders may lie in each other.
const DEEPEST: usize = 8;

/// Reads folders, and shows paths as the reader of messages knows them.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// Names are shown from here on; from the current folder if nothing stands here.
    from: Option<PathBuf>,
}

impl From<PathBuf> for Reader {
    fn from(folder: PathBuf) -> Self {
        Self { from: Some(folder) }
    }
}

/// A folder that is being read.
struct Walk<'a> {
    reader: &'a Reader,
    root: &'a Path,
    /// The same without links on the way: nothing outside it is read.
    real: PathBuf,
    folder: Folder,
    /// The bytes that were read.
    bytes: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    /// Reads a folder; what is wrong with it comes beside it.
    pub fn read(&self, root: &Path) -> (Folder, Vec<Diagnostic>) {
        let real = match root.canonicalize() {
            Ok(real) => real,
            Err(error) => return (Folder::default(), vec![self.unreadable(root, &error)]),
        };
        let folder = Folder::default();
        let mut walk = Walk { reader: self, root, real, folder, bytes: 0, diagnostics: Vec::new() };
        walk.all();
        (walk.folder, walk.diagnostics)
    }

    /// Reads the pages of a library: the files of one folder, none below it.
    pub fn read_library(&self, root: &Path) -> (Vec<Page>, Vec<Diagnostic>) {
        let unreadable = |error| (Vec::new(), vec![self.unreadable(root, &error)]);
        let real = match root.canonicalize() {
            Ok(real) => real,
            Err(error) => return unreadable(error),
        };
        let mut paths: Vec<PathBuf> = match root.read_dir() {
            Ok(entries) => entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect(),
            Err(error) => return unreadable(error),
        };
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "blazon"));
        paths.sort();
        let (mut pages, mut diagnostics) = (Vec::new(), Vec::new());
        let mut bytes = 0;
        for path in paths.iter().take(MOST) {
            match self.read_inside(&real, path) {
                Ok(text) => {
                    bytes += text.len();
                    pages.push(Page { name: self.shown(path), text });
                }
                Err(diagnostic) => diagnostics.push(*diagnostic),
            }
            if bytes > LARGEST {
                diagnostics.push(self.too_large(root));
                break;
            }
        }
        (pages, diagnostics)
    }

    /// Whether a file or folder really lies in a folder, whatever links lead to it.
    ///
    /// # Errors
    /// `files::outside` if it does not, `files::unreadable` if that cannot be told.
    pub fn inside(&self, root: &Path, path: &Path) -> Result<(), Box<Diagnostic>> {
        let real = path.canonicalize().map_err(|error| Box::new(self.unreadable(path, &error)))?;
        if real.starts_with(root) {
            return Ok(());
        }
        let what = if real.is_dir() { "folder" } else { "file" };
        let message = format!("`{}` is a link to a {what} outside its folder", self.shown(path));
        let help = format!("put the {what} itself into the folder");
        Err(Box::new(Diagnostic::global("files::outside", message).help(help)))
    }

    /// Reads a text of reasonable length that really lies in a folder.
    ///
    /// # Errors
    /// `files::outside` or `files::unreadable`, with the reason.
    pub fn read_inside(&self, root: &Path, path: &Path) -> Result<String, Box<Diagnostic>> {
        self.inside(root, path)?;
        self.read_text(path)
    }

    fn read_text(&self, path: &Path) -> Result<String, Box<Diagnostic>> {
        let wrong = |why: String| {
            Box::new(Diagnostic::global("files::unreadable", format!("`{}` {why}", self.shown(path))))
        };
        let about = |error: &std::io::Error| Box::new(self.unreadable(path, error));
        let metadata = path.metadata().map_err(|error| about(&error))?;
        if !metadata.is_file() {
            return Err(wrong("is no file".to_owned()));
        }
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| about(&error))?;
        file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| about(&error))?;
        if bytes.len() as u64 > LONGEST {
            return Err(wrong(format!("is longer than {} MB", LONGEST >> 20)));
        }
        // Some editors put a mark of the encoding before the text.
        if bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        String::from_utf8(bytes).map_err(|error| {
            let bytes = error.as_bytes();
            let at = error.utf8_error().valid_up_to();
            let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
            let mut diagnostic = wrong(format!("is not UTF-8 text: see byte {} in line {line}", at + 1));
            diagnostic.help = Some("save it as plain text in the encoding UTF-8".to_owned());
            diagnostic
        })
    }

    fn too_large(&self, root: &Path) -> Diagnostic {
        let message =
            format!("the files of `{}` have more than {} MB in all", self.shown(root), LARGEST >> 20);
        Diagnostic::global("files::unreadable", message).help("is this the folder that you meant?")
    }

    fn unreadable(&self, path: &Path, error: &std::io::Error) -> Diagnostic {
        Diagnostic::global("files::unreadable", format!("`{}` cannot be read: {error}", self.shown(path)))
    }

    /// A path as it is shown: from the current folder or the one set, if it lies in it, with `/` between folders.
    pub fn shown(&self, path: &Path) -> String {
        let here = self.from.clone().or_else(|| std::env::current_dir().ok());
        let path = here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
        let path = path.strip_prefix(".").unwrap_or(path);
        let text = path.to_string_lossy();
        let text = if std::path::MAIN_SEPARATOR == '/' { text } else { text.replace('\\', "/").into() };
        harmless(if text.is_empty() { "." } else { &text })
    }
}

/// A path as it is shown: from the current folder, if it lies in it, with `/` between folders.
pub fn shown(path: &Path) -> String {
    Reader::default().shown(path)
}

impl Walk<'_> {
    fn all(&mut self) {
        let walk = WalkDir::new(self.root).follow_links(true).max_depth(DEEPEST).sort_by_file_name();
        let mut walk = walk.into_iter();
        let mut seen = 0;
        while let Some(entry) = walk.next() {
            // What is not ours is neither counted nor gone into.
            if let Ok(entry) = &entry
                && entry.depth() > 0
                && !is_ours(entry.path())
            {
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            seen += 1;
            if seen > MOST {
                let message = format!("`{}` holds more than {MOST} files", self.reader.shown(self.root));
                self.diagnostics.push(
                    Diagnostic::global("files::unreadable", message)
                        .help("is this the folder that you meant?"),
                );
                break;
            }
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {
                    if let Err(outside) = self.folder(&entry) {
                        self.diagnostics.push(*outside);
                        walk.skip_current_dir();
                    }
                }
                Ok(entry) => self.file(entry.path()),
                Err(error) => self.wrong(error),
            }
            if self.bytes > LARGEST {
                self.diagnostics.push(self.reader.too_large(self.root));
                break;
            }
        }
    }

    /// Whether a folder may be gone into.
    fn folder(&self, entry: &DirEntry) -> Result<(), Box<Diagnostic>> {
        let is_link = entry.depth() > 0 && entry.path_is_symlink();
        if is_link { self.reader.inside(&self.real, entry.path()) } else { Ok(()) }
    }

    fn file(&mut self, path: &Path) {
        let Some(name) = relative(self.root, path).filter(|name| belongs(name)) else { return };
        match self.reader.read_inside(&self.real, path) {
            Ok(text) => {
                self.bytes += text.len();
                put(&mut self.folder, &name, Page { name: self.reader.shown(path), text });
            }
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
    }

    fn wrong(&mut self, error: walkdir::Error) {
        let path = error.path().unwrap_or(self.root).to_owned();
        let links_back = error.loop_ancestor().is_some();
        // A link that leads nowhere is no loss if nothing of ours stands behind it.
        if links_back || path.is_dir() || relative(self.root, &path).is_some_and(|name| belongs(&name)) {
            self.diagnostics.push(match error.into_io_error() {
                Some(error) => self.reader.unreadable(&path, &error),
                None => Diagnostic::global(
                    "files::unreadable",
                    format!("`{}` is a link to a folder around it", self.reader.shown(&path)),
                ),
            });
        }
    }
}

/// Hidden files are not ours, nor are the variants of a game: they are folders of their own.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let is_another = path.is_dir() && path.join(MANIFEST).is_file();
    !is_another && !name.starts_with('.')
}

fn belongs(name: &str) -> bool {
    name == MANIFEST || name == MAP || [".blazon", ".txt", ".tsv"].iter().any(|ending| name.ends_with(ending))
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts: Vec<_> = path.strip_prefix(root).ok()?.iter().map(|part| part.to_string_lossy()).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(root: &Path) -> (Folder, Vec<Diagnostic>) {
        Reader::default().read(root)
    }

    fn write(root: &Path, name: &str, bytes: &[u8]) {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    #[test]
    fn a_folder_is_read_without_its_variants() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "blazon.ron", b"Game()");
        write(dir.path(), "b.blazon", b"");
        write(dir.path(), "a.blazon", b"");
        write(dir.path(), "tests/t.blazon", b"");
        write(dir.path(), "tests/outline.txt", b"");
        write(dir.path(), "outline.txt", b"1 One");
        write(dir.path(), ".hidden/x.blazon", b"");
        write(dir.path(), "variants/v/blazon.ron", b"");
        write(dir.path(), "variants/v/v.blazon", b"");
        let (folder, diagnostics) = read(dir.path());
        assert_eq!(diagnostics, []);
        let names: Vec<_> = folder.pages.iter().map(|page| page.name.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["a.blazon", "b.blazon"]);
        assert_eq!(folder.tests.len(), 1);
        assert_eq!(folder.data.len(), 1);
        assert!(folder.manifest.is_some());
    }

    #[test]
    fn bad_files_are_messages() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "a.blazon", b"good\n\xff\xfe");
        write(dir.path(), "big.blazon", &vec![b' '; LONGEST as usize + 1]);
        let messages: Vec<_> = read(dir.path()).1.into_iter().map(|d| d.message).collect();
        assert!(messages[0].contains("byte 6 in line 2"), "{messages:?}");
        assert!(messages[1].contains("longer than 4 MB"), "{messages:?}");
    }

    #[test]
    fn a_folder_has_a_limit_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c", "d"] {
            // A file that takes no room on the disk.
            let file = File::create(dir.path().join(format!("{name}.blazon"))).unwrap();
            file.set_len(LONGEST).unwrap();
        }
        let (folder, diagnostics) = Reader::from(dir.path().to_owned()).read(dir.path());
        assert_eq!(folder.pages.len(), 3, "the limit, and the one that passes it");
        let said: Vec<_> = diagnostics.iter().map(|d| (d.code, d.message.as_str())).collect();
        assert_eq!(said, [("files::unreadable", "the files of `.` have more than 8 MB in all")]);
        let (pages, diagnostics) = Reader::default().read_library(dir.path());
        assert_eq!((pages.len(), diagnostics.len()), (3, 1));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_inside() {
        let dir = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        write(other.path(), "secret.blazon", b"");
        let root = dir.path().join("game");
        write(&root, "a.blazon", b"");
        std::os::unix::fs::symlink(other.path().join("secret.blazon"), root.join("b.blazon")).unwrap();
        std::os::unix::fs::symlink(&root, root.join("loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("c.blazon")).unwrap();
        let (folder, diagnostics) = read(&root);
        assert_eq!(folder.pages.len(), 1);
        let mut codes: Vec<_> = diagnostics.iter().map(|d| d.code).collect();
        codes.sort_unstable();
        assert_eq!(codes, ["files::outside", "files::unreadable", "files::unreadable"], "{diagnostics:?}");
    }

    #[cfg(unix)]
    #[test]
    fn folders_outside_are_not_looked_into() {
        let dir = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        write(other.path(), "secret.blazon", b"");
        let root = dir.path().join("game");
        write(&root, "inside/a.blazon", b"");
        std::os::unix::fs::symlink(other.path(), root.join("out")).unwrap();
        std::os::unix::fs::symlink(root.join("inside"), root.join("in")).unwrap();
        let (folder, diagnostics) = Reader::from(dir.path().to_owned()).read(&root);
        assert_eq!(folder.pages.len(), 2, "by its name and by the link");
        let said: Vec<_> =
            diagnostics.iter().map(|d| (d.code, d.message.as_str(), d.help.as_deref())).collect();
        let expected = (
            "files::outside",
            "`game/out` is a link to a folder outside its folder",
            Some("put the folder itself into the folder"),
        );
        assert_eq!(said, [expected]);
    }

    #[cfg(unix)]
    #[test]
    fn a_library_is_read_as_a_game_is() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "secret.txt", b"root:x:0:0");
        let library = dir.path().join("library");
        write(&library, "good.blazon", b"");
        std::os::unix::fs::symlink(dir.path().join("secret.txt"), library.join("x.blazon")).unwrap();
        let (pages, diagnostics) = Reader::default().read_library(&library);
        assert_eq!(pages.len(), 1);
        assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["files::outside"]);
    }
}
