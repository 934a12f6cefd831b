//! `blazon lsp`: the language server, for editors.

use std::path::Path;

use blazon_lsp::{Settings, Tables};

use crate::args::LspArgs;
use crate::exit::{Failure, Result};

/// Serves an editor until it goes away.
///
/// # Errors
/// If the library is no folder, no thread can be started, or the editor went away without a goodbye.
pub fn run(args: &LspArgs, library: Option<&Path>) -> Result<()> {
    // Said or not, it is the only way.
    let LspArgs { stdio: _ } = args;
    let library = library.map(absolute).transpose()?;
    let tables = Some(Tables::Newest(super::serve::tables(None)));
    let settings = Settings { library, tables, ..Settings::default() };
    match blazon_lsp::stdio(settings) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Environment("the editor went away without a goodbye".to_owned())),
        Err(error) => Err(Failure::Environment(format!("no thread can be started: {error}"))),
    }
}

/// The library's folder, whatever folder the editor goes to.
fn absolute(library: &Path) -> Result<std::path::PathBuf> {
    if !library.is_dir() {
        let message = format!("the library `{}` is no folder", blazon::shown(library));
        return Err(Failure::Environment(message));
    }
    std::path::absolute(library)
        .map_err(|error| Failure::Environment(format!("the library cannot be found: {error}")))
}
