//! `blazon new`: a small folder to begin with, for a variant or for a game. What is written checks without a word and
//! has a test that passes.

mod name;
mod templates;

use std::path::{Path, PathBuf};

use blazon::{Folder, Page, Reading, Rules, Settings, compile, embedded_game, put as put_page, shown};

use crate::args::{NewArgs, NewWhat};
use crate::console::{Console, harmless, paint, style};
use crate::exit::{Failure, Result};
use crate::load;
use crate::shell::quoted;
use name::Name;
use templates::File;

/// Writes the folder, and says what can be done with it.
///
/// # Errors
/// If the name is no name or is taken, the game is not sound, or the folder cannot be written.
pub fn run(args: &NewArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    match &args.what {
        NewWhat::Variant { name, of } => variant(name, of.as_deref(), library, console),
        NewWhat::Game { name } => game(name, console),
    }
}

fn variant(name: &str, of: Option<&str>, library: Option<&Path>, console: &Console) -> Result<()> {
    let name = Name::new(name).map_err(Failure::Usage)?;
    let rules = load::loader(library).find_or_default(of)?;
    let lower = name.text.to_lowercase();
    let same = |other: &str| other.to_lowercase() == lower || other == name.slug;
    if let Some(other) = rules.variants.iter().find(|other| same(&other.name) || same(&other.key)) {
        let message = format!("`{}` has a variant `{}` already; take another name", rules.name(), other.name);
        return Err(Failure::Usage(message));
    }
    let program = Reading::new(&rules, &[]).program(&Settings::default()).map_err(|error| {
        Failure::from(error).tell(console);
        console.note("a variant begins with a game that is sound; mend these first");
        Failure::Problems
    })?;
    let book = &program.book;
    let of_game = templates::Game {
        name: &book.title,
        version: &book.version,
        begins: &book.steps[book.begins.0 as usize].name,
        setup: &book.setups[book.default_setup].name,
    };
    let files = name.flags().into_iter().map(|flag| templates::variant(&name, &of_game, &flag));
    let Some(files) = files.into_iter().find(|files| is_sound(&rules, files)) else {
        return Err(Failure::Problem(format!("`{}` leaves no room for a beginning", harmless(&book.title))));
    };
    let parent = match &rules.root {
        Some(root) => root.join("variants"),
        None => PathBuf::from("."),
    };
    let folder = put(&parent, &name, &files)?;
    tell(&folder, &files, console);
    Ok(())
}

/// Whether a variant can be laid on its game without a word.
fn is_sound(rules: &Rules, files: &[File]) -> bool {
    let mut folder = Folder::default();
    for file in files {
        let page = Page { name: file.path.clone(), text: file.text.clone() };
        put_page(&mut folder, &file.path, page);
    }
    let compiled = compile(&rules.project_with(folder), &Settings::default());
    compiled.program.is_some() && compiled.diagnostics.is_empty()
}

fn game(name: &str, console: &Console) -> Result<()> {
    let name = Name::new(name).map_err(Failure::Usage)?;
    if let Some(other) = embedded_game(&name.text).or_else(|| embedded_game(&name.slug)) {
        let message = format!("there is a game `{}` inside this program; take another name", other.name);
        return Err(Failure::Usage(message));
    }
    let files = templates::game(&name);
    let folder = put(Path::new("."), &name, &files)?;
    tell(&folder, &files, console);
    Ok(())
}

/// Writes the files into a new folder: aside first, then under its name, so that there is never half of one.
fn put(parent: &Path, name: &Name, files: &[File]) -> Result<PathBuf> {
    let folder = parent.join(&name.slug);
    if folder.symlink_metadata().is_ok() {
        let message = format!("`{}` is there already; take another name", shown(&folder));
        return Err(Failure::Usage(message));
    }
    write(parent, &folder, files)
        .map_err(|error| Failure::Environment(format!("`{}` cannot be written: {error}", shown(&folder))))?;
    Ok(folder)
}

fn write(parent: &Path, folder: &Path, files: &[File]) -> std::io::Result<()> {
    std::fs::create_dir_all(parent)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".blazon-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o777));
    }
    let aside = builder.tempdir_in(parent)?;
    for file in files {
        let path = aside.path().join(&file.path);
        if let Some(around) = path.parent() {
            std::fs::create_dir_all(around)?;
        }
        std::fs::write(path, &file.text)?;
    }
    std::fs::rename(aside.path(), folder)?;
    // The folder has its name now; there is nothing left aside that could be removed.
    let _ = aside.keep();
    Ok(())
}

fn tell(folder: &Path, files: &[File], console: &Console) {
    let path = shown(folder);
    for file in files {
        console.line(format!("{} {path}/{}", paint(style::GOOD, "wrote"), file.path));
    }
    console.line("\nNext:");
    let path = quoted(&path);
    for (command, what) in [
        ("test", "plays the test"),
        ("check", "finds mistakes after each change"),
        ("print", "shows all rules as they hold now"),
        ("play", "plays"),
    ] {
        let command = format!("blazon {command} {path}");
        console.line(format!("  {}  {}", paint(style::STRONG, &command), paint(style::FAINT, what)));
    }
}
