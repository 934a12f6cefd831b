//! Names from the other end, looked up in a game: who is meant, which option, which thing, and why it is not open. What the
//! umpire for programs (`commands/mcp`) is asked is looked up here, too.

use blazon::present::kinds;
use blazon::told::{Argument, Arguments, Standing};
use blazon::{Game, OptionId, PlayerId, SetupId};
use blazon_book::KindId;
use blazon_diagnostics::{did_you_mean, list, near_miss};
use serde_json::{Map, Value};

use super::request::{Problem, Which};

type Answer<T> = std::result::Result<T, Problem>;

/// A player by name.
pub fn player(game: &Game, name: &str) -> Answer<PlayerId> {
    game.player(name).ok_or_else(|| {
        let book = game.book();
        let names: Vec<&str> =
            book.kind(book.player).things.iter().map(|thing| thing.name.as_str()).collect();
        Problem::new(
            "protocol::player",
            format!("there is no player `{name}`; there are {}", list(&names, "and")),
        )
    })
}

/// A setup by name or second name; the one that is played, if none is named.
pub fn setup(game: &Game, name: Option<&str>) -> Answer<SetupId> {
    let Some(name) = name else { return Ok(game.setup()) };
    let lower = name.to_lowercase();
    let setups = &game.book().setups;
    let is_it = |text: &String| text.to_lowercase() == lower;
    let place = setups.iter().position(|s| is_it(&s.name) || s.title.as_ref().is_some_and(is_it));
    place.map(SetupId::from).ok_or_else(|| {
        let names: Vec<&str> = setups.iter().map(|setup| setup.name.as_str()).collect();
        Problem::new(
            "protocol::name",
            format!("there is no setup `{name}`; there are {}", list(&names, "and")),
        )
    })
}

/// A thing by name; `Name (kind)` where two kinds have one of that name.
pub fn thing(game: &Game, name: &str) -> Answer<(KindId, u32)> {
    let book = game.book();
    let (bare, of) = match name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")) {
        Some((bare, kind)) => (bare, Some(kind)),
        None => (name, None),
    };
    let mut found = Vec::new();
    for kind in kinds(book) {
        for (place, thing) in book.kind(kind).things.iter().enumerate() {
            let by_kind = thing.name == bare && of == Some(book.kind(kind).name.as_str());
            if thing.group as usize == place && (thing.name == name || by_kind) {
                found.push((kind, place as u32));
            }
        }
    }
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let names = kinds(book).flat_map(|kind| book.kind(kind).things.iter().map(|t| t.name.as_str()));
            let near = near_miss(name, names);
            let near = near.map(|near| format!("; {}", did_you_mean(near))).unwrap_or_default();
            Err(Problem::new("protocol::name", format!("there is nothing called `{name}`{near}")))
        }
        several => {
            let names: Vec<String> =
                several.iter().map(|(kind, _)| format!("`{name} ({})`", book.kind(*kind).name)).collect();
            Err(Problem::new("protocol::name", format!("`{name}` is {}", list(&names, "or"))))
        }
    }
}

/// The open option of that name and these arguments.
pub fn meant(game: &mut Game, player: PlayerId, option: &str, args: &Map<String, Value>) -> Answer<OptionId> {
    let open = game.options(player);
    let args_meant = arguments(args);
    let matching =
        open.iter().filter(|open| open.option == option && Some(&open.args) == args_meant.as_ref());
    let matching: Vec<OptionId> = matching.map(|open| open.id).collect();
    match matching.as_slice() {
        [one] => Ok(*one),
        [] => Err(not_open(game, player, option, args)),
        several => {
            let ids: Vec<String> = several.iter().map(|id| id.index().to_string()).collect();
            let ids = list(&ids, "and");
            Err(Problem::new(
                "protocol::ambiguous",
                format!("the options {ids} look like this; choose one by its id"),
            ))
        }
    }
}

fn not_open(game: &mut Game, player: PlayerId, option: &str, args: &Map<String, Value>) -> Problem {
    let which = Which::Meaning(option.to_owned(), args.clone());
    let reason = match standing(game, player, &which) {
        Ok(Standing::Refused(refusal)) => format!("it is refused: {}", refusal.reason),
        Ok(_) => "it is not among what can be chosen here".to_owned(),
        Err(problem) => return problem,
    };
    Problem::new("run::illegal", format!("`{option}` with these arguments is not open: {reason}"))
}

/// Whether an option is open, or why not.
pub fn standing(game: &mut Game, player: PlayerId, which: &Which) -> Answer<Standing> {
    let (option, args) = match which {
        Which::Index(_) => return open(game, player, which).map(|_| Standing::Open),
        Which::Meaning(option, args) => (option, args),
    };
    if game.choice().is_none() {
        return Ok(Standing::Outside);
    }
    let options = game.option_names();
    let Some((_, params)) = options.iter().find(|(name, _)| name == option) else {
        let names: Vec<&String> = options.iter().map(|(name, _)| name).collect();
        return Err(Problem::new(
            "protocol::name",
            format!("there is no option `{option}` here; there are {}", list(&names, "and")),
        ));
    };
    if let Some(key) = args.keys().find(|key| !params.contains(key)) {
        let known = if params.is_empty() { "none".to_owned() } else { list(params, "and") };
        return Err(Problem::new(
            "protocol::name",
            format!("`{option}` has no argument `{key}`; its arguments: {known}"),
        ));
    }
    match arguments(args) {
        Some(args) => Ok(game.why(player, option, &args)),
        None => Ok(Standing::Outside),
    }
}

/// The player who answers: the one named, or the only one asked.
pub fn decider(game: &Game, name: Option<&str>) -> Answer<PlayerId> {
    let deciders = game.deciders();
    match (name, deciders.as_slice()) {
        (Some(name), _) => {
            let named = player(game, name)?;
            match deciders.contains(&named) {
                true => Ok(named),
                false => Err(Problem::new("protocol::player", format!("{name} is not asked"))),
            }
        }
        (None, [one]) => Ok(*one),
        (None, []) => Err(over()),
        (None, _) => {
            Err(Problem::new("protocol::player", "several are asked: say which one in `player`".to_owned()))
        }
    }
}

/// Nobody decides any more.
pub fn over() -> Problem {
    Problem::new("protocol::over", "nothing is asked: the game is over".to_owned())
}

/// The place of the option that is meant.
pub fn open(game: &mut Game, player: PlayerId, which: &Which) -> Answer<OptionId> {
    match which {
        Which::Index(index) => {
            let open = game.open(player);
            match *index < open {
                true => Ok((*index).into()),
                false => {
                    Err(Problem::new("run::illegal", format!("there is no option {index}; {open} are open")))
                }
            }
        }
        Which::Meaning(option, args) => meant(game, player, option, args),
    }
}

/// Arguments as the other end names them; nothing where one is of a sort that no argument has.
fn arguments(args: &Map<String, Value>) -> Option<Arguments> {
    let argument = |(name, value): (&String, &Value)| {
        let argument = match value {
            Value::Null => Argument::Nothing,
            Value::Number(number) => Argument::Number(number.as_i64()?),
            Value::String(name) => Argument::Name(name.clone()),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
        };
        Some((name.clone(), argument))
    };
    args.iter().map(argument).collect()
}
