//! Reads the folder of a game or variant from the disk. The files are strangers' work: they may be huge, no text, or
//! links to elsewhere, and none of that may stop more than a message.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use blazon_check::project::{Folder, Page};
use blazon_diagnostics::Diagnostic;
use walkdir::WalkDir;

/// The most bytes of one file.
const LONGEST: u64 = 8 << 20;
/// The most files and folders of one folder.
const MOST: usize = 5000;
/// How deep folders may lie in each other.
const DEEPEST: usize = 8;
/// The name of the manifest.
pub const MANIFEST: &str = "blazon.ron";

/// Puts a file where it belongs; `name` is relative to the folder.
pub fn put(folder: &mut Folder, name: &str, page: Page) {
    let in_tests = name.starts_with("tests/");
    match name.rsplit('.').next() {
        _ if name == MANIFEST => folder.manifest = Some(page),
        Some("blazon") if in_tests => folder.tests.push(page),
        Some("blazon") => folder.pages.push(page),
        Some("txt" | "tsv") if !in_tests => folder.data.push(page),
        _ => {}
    }
}

/// Reads a folder; what is wrong with it comes beside it.
pub fn read(root: &Path) -> (Folder, Vec<Diagnostic>) {
    let mut folder = Folder::default();
    let mut diagnostics = Vec::new();
    let real = match root.canonicalize() {
        Ok(real) => real,
        Err(error) => {
            diagnostics.push(unreadable(root, &error));
            return (folder, diagnostics);
        }
    };
    let walk = WalkDir::new(root).follow_links(true).max_depth(DEEPEST).sort_by_file_name();
    let mut seen = 0;
    for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || is_ours(entry.path())) {
        seen += 1;
        if seen > MOST {
            let message = format!("`{}` holds more than {MOST} files", shown(root));
            diagnostics.push(
                Diagnostic::global("files::unreadable", message).help("is this the folder that you meant?"),
            );
            break;
        }
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => {
                let path = entry.path();
                let Some(name) = relative(root, path).filter(|name| belongs(name)) else { continue };
                match read_inside(&real, path) {
                    Ok(text) => put(&mut folder, &name, Page { name: shown(path), text }),
                    Err(diagnostic) => diagnostics.push(*diagnostic),
                }
            }
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                let links_back = error.loop_ancestor().is_some();
                // A link that leads nowhere is no loss if nothing of ours stands behind it.
                if links_back || path.is_dir() || relative(root, &path).is_some_and(|name| belongs(&name)) {
                    diagnostics.push(match error.into_io_error() {
                        Some(error) => unreadable(&path, &error),
                        None => Diagnostic::global(
                            "files::unreadable",
                            format!("`{}` is a link to a folder around it", shown(&path)),
                        ),
                    });
                }
            }
        }
    }
    (folder, diagnostics)
}

/// Reads the pages of a library: the files of one folder, none below it.
pub fn read_library(root: &Path) -> (Vec<Page>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut paths: Vec<PathBuf> = match root.read_dir() {
        Ok(entries) => entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect(),
        Err(error) => {
            diagnostics.push(unreadable(root, &error));
            return (Vec::new(), diagnostics);
        }
    };
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "blazon"));
    paths.sort();
    let mut pages = Vec::new();
    for path in paths.iter().take(MOST) {
        match read_text(path) {
            Ok(text) => pages.push(Page { name: shown(path), text }),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    (pages, diagnostics)
}

/// Hidden files are not ours, nor are the variants of a game: they are folders of their own.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let is_another = path.is_dir() && path.join(MANIFEST).is_file();
    !is_another && !name.starts_with('.')
}

fn belongs(name: &str) -> bool {
    name == MANIFEST || [".blazon", ".txt", ".tsv"].iter().any(|ending| name.ends_with(ending))
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts: Vec<_> = path.strip_prefix(root).ok()?.iter().map(|part| part.to_string_lossy()).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Reads a file that really lies in the folder.
fn read_inside(root: &Path, path: &Path) -> Result<String, Box<Diagnostic>> {
    let real = path.canonicalize().map_err(|error| Box::new(unreadable(path, &error)))?;
    if !real.starts_with(root) {
        let message = format!("`{}` is a link to a file outside its folder", shown(path));
        return Err(Box::new(
            Diagnostic::global("files::outside", message).help("put the file itself into the folder"),
        ));
    }
    read_text(path)
}

/// Reads a text of reasonable length.
///
/// # Errors
/// `files::unreadable`, with the reason.
pub fn read_text(path: &Path) -> Result<String, Box<Diagnostic>> {
    let wrong =
        |why: String| Box::new(Diagnostic::global("files::unreadable", format!("`{}` {why}", shown(path))));
    let about = |error: &std::io::Error| Box::new(unreadable(path, error));
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

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::global("files::unreadable", format!("`{}` cannot be read: {error}", shown(path)))
}

/// A path as it is shown: from the current folder, if it lies in it, with `/` between folders.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let path = here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    let text = path.to_string_lossy();
    let text = if std::path::MAIN_SEPARATOR == '/' { text } else { text.replace('\\', "/").into() };
    crate::console::harmless(if text.is_empty() { "." } else { &text })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(messages[1].contains("longer than 8 MB"), "{messages:?}");
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
}
