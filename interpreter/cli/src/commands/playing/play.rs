//! `blazon play`: a game at the terminal or over the line protocol.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use blazon::{Game, Rules, Selection};
use blazon_machine::save::Save;
use blazon_program::Program;

use crate::args::{PlayArgs, WithArgs};
use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::load;
use crate::protocol::Begin;
use crate::save_file;
use crate::seats::{self, Seats};
use crate::seed::new_seed;
use crate::shell::quoted;
use crate::terminal::TerminalGame;

/// Plays a game.
///
/// # Errors
/// If the game is not found or has errors, or a saved game cannot be gone on with.
pub fn run(args: &PlayArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let (program, saved) = program(args, library)?;
    if let Some(path) = &args.save {
        save_file::may_write(path).map_err(Failure::Environment)?;
    }
    let seed = args.seed.or(saved).unwrap_or_else(new_seed);
    let seats = Seats::new(&program.book, &args.players, seed)?;
    let game = Game::new(program.clone())?;
    let setup = program.book.default_setup.into();
    if args.protocol.is_some() {
        let begin = Begin { setup, seed, load: args.load.as_deref(), most: args.most };
        return crate::protocol::run(game, seats, &begin, console);
    }
    let mut table = TerminalGame::new(game, seats, again(args), args.save.clone(), console)
        .knows_seed(args.seed.is_some())
        .asked(load::asked(args.game.as_deref(), &args.with));
    match &args.load {
        Some(path) => table.load(path)?,
        None => table.start(setup, seed)?,
    }
    table.run(args.most)
}

/// The program of the game asked for; for a saved game that of the rules it was played by, and its seed.
fn program(args: &PlayArgs, library: Option<&Path>) -> Result<(Arc<Program>, Option<u64>)> {
    let Some(path) = &args.load else {
        let mut rules = load::game_or_default(args.game.as_deref(), &args.with.variants, library)?;
        let program = load::wanted(&mut rules, &args.with, args.scenario.clone(), args.invariants, false)?;
        return Ok((program, None));
    };
    let text = save_file::read(path).map_err(Failure::Environment)?;
    let (save, mut rules, with) = to_go_on(&text, args.game.as_deref(), &args.with, library)?;
    Ok((load::wanted(&mut rules, &with, None, args.invariants, false)?, Some(save.seed)))
}

/// A saved game, and the rules that it can be gone on with by.
///
/// # Errors
/// If it is none, or one of another game than the one asked for.
pub fn to_go_on(
    text: &str,
    game: Option<&str>,
    with: &WithArgs,
    library: Option<&Path>,
) -> Result<(Save, Rules, WithArgs)> {
    let save = Save::from_text(text)?;
    let (rules, with) = of_save(&save, game, with, library, "name its folder before `--load`")?;
    if rules.name() != save.rules.game {
        let (saved, asked) =
            (crate::console::harmless(&save.rules.game), crate::console::harmless(&rules.name()));
        return Err(Failure::Problem(format!(
            "this is a saved game of `{saved}`, not of `{asked}` [save::foreign]; \
             leave the game out, or name the folder of `{saved}`"
        )));
    }
    Ok((save, rules, with))
}

/// How the commands are told where a game lies whose saved game stands first.
pub const BY_GAME: &str = "name its folder, by `--game FOLDER`";

/// The game that a saved game was played by, with its variants and rulings, unless others are asked for; `how` says how a
/// game is named that is not found.
///
/// # Errors
/// If no game of that name is found.
pub fn of_save(
    save: &Save,
    game: Option<&str>,
    with: &WithArgs,
    library: Option<&Path>,
    how: &str,
) -> Result<(Rules, WithArgs)> {
    let loader = load::loader(library);
    let rules = match game {
        Some(game) => loader.find(game)?,
        None => {
            let is_its = |rules: &Rules| rules.name() == save.rules.game;
            let of_variants = loader.game_of(&with.variants)?.filter(is_its);
            let around = || loader.find_or_default(None).ok().filter(is_its);
            match of_variants {
                Some(rules) => rules,
                None => match around().or_else(|| loader.find(&save.rules.game).ok()) {
                    Some(rules) => as_saved(save, rules, &loader),
                    None => lies_here(save, &loader, how)?,
                },
            }
        }
    };
    let mut with = with.clone();
    if with.variants.is_empty() {
        let inside = rules.inside.map(|place| rules.variants[place].name.clone());
        let names = save.rules.variants.iter().map(|(name, _)| name.clone());
        with.variants = names.filter(|name| Some(name) != inside.as_ref()).collect();
        let is_known = |name: &str| {
            rules.variants.iter().any(|variant| variant.name == name)
                || Path::new(name).join("blazon.ron").is_file()
        };
        // Of another game's variants nothing is said: that it is another game's save is told instead.
        let missing = with.variants.iter().find(|name| !is_known(name));
        if let Some(name) = missing.filter(|_| rules.name() == save.rules.game) {
            let name = crate::console::harmless(name);
            return Err(Failure::Usage(format!(
                "the game was saved with the variant `{name}`, which does not lie with the game; \
                 name its folder, and all others that are played: `-V PATH`"
            )));
        }
    }
    for (name, value) in &save.rules.rulings {
        if !with.rulings.iter().any(|(other, _)| other == name) {
            with.rulings.push((name.clone(), value.clone()));
        }
    }
    Ok((rules, with))
}

/// The same for who plays a saved game again. A save does not tell who settled its rulings. What is laid on it now counts
/// for those that it settles in its manifest: a variant with which the game was not played, or a game that is named. Who is
/// told of it finds in the answer which rulings are others for that.
///
/// # Errors
/// As [`of_save`].
pub fn of_replayed(
    save: &Save,
    game: Option<&str>,
    asked: &WithArgs,
    library: Option<&Path>,
) -> Result<(Rules, WithArgs, Vec<String>)> {
    let (mut rules, mut with) = of_save(save, game, asked, library, BY_GAME)?;
    // That there is no such variant is said by who plays.
    let Ok(stack) = rules.stack(&with.variants) else { return Ok((rules, with, Vec::new())) };
    let was_there = |name: &String| save.rules.variants.iter().any(|(variant, _)| variant == name);
    let folders = std::iter::once((None, rules.name(), game.is_some())).chain(stack.iter().map(|&place| {
        let name = rules.variants[place].name.clone();
        let came = !was_there(&name);
        (Some(place), name, came)
    }));
    // Of several the last one counts, as in a game.
    let (mut settled, mut came) = (BTreeMap::new(), BTreeSet::new());
    for (place, whose, comes) in folders {
        for (name, value) in rules.settled(place) {
            if comes {
                came.insert(name.clone());
            }
            settled.insert(name, (value, whose.clone()));
        }
    }
    settled.retain(|name, _| came.contains(name) && asked.rulings.iter().all(|(other, _)| other != name));
    let mut others = Vec::new();
    for (name, value) in &mut with.rulings {
        let Some((is, whose)) = settled.get(name).filter(|(is, _)| is != value) else { continue };
        others.push(format!(
            "played by {name} = {value}, and replayed by {name} = {is}, which `{whose}` settles; as it was played: -R {}",
            quoted(&format!("{name}={value}"))
        ));
        value.clone_from(is);
    }
    Ok((rules, with, others))
}

/// A longer manifest is not looked at while a game is looked for.
const LONGEST_MANIFEST: u64 = 1 << 20;

/// The games of the saved one's name in the folders that lie here.
fn of_name(save: &Save, loader: &blazon::Loader) -> Vec<(String, Rules)> {
    let name = &save.rules.game;
    let entries = Path::new(".").read_dir().into_iter().flatten();
    let entries = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut folders: Vec<String> = entries.collect();
    folders.sort();
    // The name stands in the manifest of the game; whoever has it there is read whole.
    let is_named = |folder: &String| {
        let manifest = Path::new(folder).join("blazon.ron");
        let is_short = manifest.metadata().is_ok_and(|file| file.is_file() && file.len() <= LONGEST_MANIFEST);
        is_short && std::fs::read_to_string(manifest).is_ok_and(|text| text.contains(name))
    };
    let found = folders.into_iter().filter(is_named);
    let found = found.filter_map(|folder| loader.find(&folder).ok().map(|rules| (folder, rules)));
    found.filter(|(_, rules)| rules.name() == *name).collect()
}

/// The game that was found by name if it has the text that was saved; else, if one of the folders that lie here has it, the game
/// there: somebody's own copy of a game that is inside the program.
fn as_saved(save: &Save, mut rules: Rules, loader: &blazon::Loader) -> Rules {
    if is_as_saved(save, &mut rules) {
        return rules;
    }
    let mut here = of_name(save, loader).into_iter().map(|(_, rules)| rules);
    here.find_map(|mut here| is_as_saved(save, &mut here).then_some(here)).unwrap_or(rules)
}

/// The game that was saved in one of the folders that lie here: a save names no folder. Of several games of its name it is the
/// one with the text that it was saved with.
///
/// # Errors
/// If there is none, or none of several is known to be the one.
fn lies_here(save: &Save, loader: &blazon::Loader, how: &str) -> Result<Rules> {
    let name = &save.rules.game;
    let mut found = of_name(save, loader);
    let place = match found.len() {
        0 | 1 => 0,
        _ => found.iter_mut().position(|(_, rules)| is_as_saved(save, rules)).unwrap_or(found.len()),
    };
    if place < found.len() {
        return Ok(found.swap_remove(place).1);
    }
    let name = crate::console::harmless(name);
    Err(Failure::Usage(match &found[..] {
        [] => format!("the game `{name}` was not found; {how}"),
        several => {
            let folders = blazon_diagnostics::list(several.iter().map(|(folder, _)| folder.as_str()), "and");
            let folders = crate::console::harmless(&folders);
            format!(
                "games called `{name}` lie in {folders}, and none has the text that it was saved with; {how}"
            )
        }
    }))
}

/// Whether rules have the text that a game was saved with.
fn is_as_saved(save: &Save, rules: &mut Rules) -> bool {
    let variants = save.rules.variants.iter().map(|(name, _)| name.clone()).collect();
    let wanted = Selection { variants, rulings: save.rules.rulings.clone(), ..Selection::default() };
    rules.program(&wanted).is_ok_and(|program| save.rules.difference(&program.book).is_none())
}

/// How the program is called again for this game, up to `--load`. A save names its variants; one that does not lie with
/// the game is found by its folder only; who plays it does not say.
fn again(args: &PlayArgs) -> String {
    let mut words = vec!["blazon play".to_owned()];
    words.extend(args.game.as_deref().map(quoted));
    let variants = &args.with.variants;
    if variants.iter().any(|variant| Path::new(variant).join("blazon.ron").is_file()) {
        words.extend(variants.iter().map(|variant| format!("-V {}", quoted(variant))));
    }
    // A save does not know who plays: whoever goes on without this would sit on all seats, and see what the others hide.
    if !args.players.is_empty() {
        words.push(format!("--players {}", quoted(&seats::written(&args.players))));
    }
    words.join(" ")
}
