//! Names from the other end, looked up in the game.

use blazon_book::KindId;
use blazon_diagnostics::{did_you_mean, list, near_miss};
use blazon_machine::Standing;
use serde_json::{Map, Value};

use super::Line;
use super::message::{self, Message};
use super::request::{Problem, Which};
use crate::terminal::kinds;

type Answer<T> = std::result::Result<T, Problem>;

impl Line<'_> {
    /// A player by name.
    pub(super) fn player(&self, name: &str) -> Answer<u32> {
        self.session.player(name).ok_or_else(|| {
            let book = &self.session.machine.program().book;
            let names: Vec<&str> =
                book.kind(book.player).things.iter().map(|thing| thing.name.as_str()).collect();
            Problem::new(
                "protocol::player",
                format!("there is no player `{name}`; there are {}", list(&names, "and")),
            )
        })
    }

    /// A setup by name or second name; the one that is played, if none is named.
    pub(super) fn setup(&self, name: Option<&str>) -> Answer<usize> {
        let Some(name) = name else { return Ok(self.session.setup) };
        let lower = name.to_lowercase();
        let setups = &self.session.machine.program().book.setups;
        let is_it = |text: &String| text.to_lowercase() == lower;
        setups.iter().position(|s| is_it(&s.name) || s.title.as_ref().is_some_and(is_it)).ok_or_else(|| {
            let names: Vec<&str> = setups.iter().map(|setup| setup.name.as_str()).collect();
            Problem::new(
                "protocol::name",
                format!("there is no setup `{name}`; there are {}", list(&names, "and")),
            )
        })
    }

    /// A thing by name; `Name (kind)` where two kinds have one of that name.
    pub(super) fn thing(&self, name: &str) -> Answer<(KindId, u32)> {
        let book = &self.session.machine.program().book;
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
                let names =
                    kinds(book).flat_map(|kind| book.kind(kind).things.iter().map(|t| t.name.as_str()));
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
    pub(super) fn meant(&mut self, player: u32, option: &str, args: &Map<String, Value>) -> Answer<usize> {
        let open = message::options(&mut self.session, player);
        let matching: Vec<usize> = open
            .iter()
            .filter(|open| open.option == option && open.args == *args)
            .map(|open| open.id)
            .collect();
        match matching.as_slice() {
            [one] => Ok(*one),
            [] => Err(self.not_open(player, option, args)),
            several => {
                let ids: Vec<String> = several.iter().map(usize::to_string).collect();
                let ids = list(&ids, "and");
                Err(Problem::new(
                    "protocol::ambiguous",
                    format!("the options {ids} look like this; choose one by its id"),
                ))
            }
        }
    }

    fn not_open(&mut self, player: u32, option: &str, args: &Map<String, Value>) -> Problem {
        let which = Which::Meaning(option.to_owned(), args.clone());
        let reason = match self.standing(player, &which) {
            Ok(Standing::Refused(refusal)) => format!("it is refused: {}", refusal.reason),
            Ok(_) => "it is not among what can be chosen here".to_owned(),
            Err(problem) => return problem,
        };
        Problem::new("run::illegal", format!("`{option}` with these arguments is not open: {reason}"))
    }

    /// Whether an option is open, or why not.
    fn standing(&mut self, player: u32, which: &Which) -> Answer<Standing> {
        let (option, args) = match which {
            Which::Index(_) => return Ok(Standing::Open),
            Which::Meaning(option, args) => (option, args),
        };
        let Some(choice) = self.session.machine.choice() else { return Ok(Standing::Outside) };
        let names: Vec<String> = choice.options.iter().map(|info| info.name.clone()).collect();
        let infos: Vec<_> = choice.options.iter().map(|info| info.params.clone()).collect();
        if !names.contains(option) {
            return Err(Problem::new(
                "protocol::name",
                format!("there is no option `{option}` here; there are {}", list(&names, "and")),
            ));
        }
        if let Some(params) = names.iter().position(|name| name == option).map(|place| &infos[place])
            && let Some(key) = args.keys().find(|key| !params.iter().any(|param| param.name == **key))
        {
            let known: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { list(&known, "and") };
            return Err(Problem::new(
                "protocol::name",
                format!("`{option}` has no argument `{key}`; its arguments: {known}"),
            ));
        }
        let open = message::options(&mut self.session, player);
        if open.iter().any(|open| open.option == *option && open.args == *args) {
            return Ok(Standing::Open);
        }
        for refusal in self.session.machine.refused(player) {
            let same = names.get(refusal.option as usize) == Some(option)
                && message::arguments(&mut self.session, refusal.option, &refusal.args, Some(player))
                    == *args;
            if same {
                return Ok(Standing::Refused(refusal));
            }
        }
        Ok(Standing::Outside)
    }

    /// The answer to `why`.
    pub(super) fn why(&mut self, player: u32, which: Option<&Which>, id: Option<&Value>) -> Answer<Message> {
        let Some(which) = which else {
            let refused = self.session.machine.refused(player);
            return Ok(message::refusals(&mut self.session, player, &refused, id));
        };
        let standing = self.standing(player, which)?;
        Ok(message::why(&mut self.session, player, &standing, id))
    }
}
