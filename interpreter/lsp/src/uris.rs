//! Files and the addresses by which an editor calls them.

use std::path::{Component, Path, PathBuf};

use lsp_types::Uri;

/// The scheme of pages that lie inside the program: `blazon:/stdlib/dice.blazon`.
pub const INSIDE: &str = "blazon";

/// The file of an address; none if it is no file's.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    if uri.scheme() != "file" {
        return None;
    }
    let path = uri.to_file_path().ok()?;
    // As it is written, without what leads back up: two addresses of one file are one file.
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    Some(plain)
}

/// Whether an address is that of a page of rules, by its ending.
pub fn is_page(uri: &Uri) -> bool {
    uri.path().ends_with(".blazon")
}

/// The address of a file.
pub fn uri_of(path: &Path) -> Option<Uri> {
    Uri::from_file_path(path).ok()
}

/// The address of a page inside the program.
pub fn inside(name: &str) -> Option<Uri> {
    let mut uri = Uri::parse(&format!("{INSIDE}:/")).ok()?;
    uri.set_path(&format!("/{name}"));
    Some(uri)
}
