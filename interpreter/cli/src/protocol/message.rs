//! What is said to the other end: one object a line, `type` says which.

use blazon_book::Book;
use blazon_machine::save::argument;
use blazon_machine::{Event, NOTHING, Refusal, Standing, Value as Held, View};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::request::Problem;
use crate::session::Session;
use crate::terminal::{self, values};

/// The version of the protocol: raised when something changes its meaning or goes away.
const VERSION: u32 = 1;

/// A message.
pub struct Message(Map<String, Value>);

impl Message {
    fn new(kind: &str, rest: Value, id: Option<&Value>) -> Self {
        let mut object = Map::new();
        object.insert("type".to_owned(), kind.into());
        if let Some(id) = id {
            object.insert("id".to_owned(), id.clone());
        }
        if let Value::Object(rest) = rest {
            object.extend(rest);
        }
        Self(object)
    }

    /// The line, `type` first.
    pub fn to_json(&self) -> String {
        let kind = self.0.get("type").cloned().unwrap_or_default();
        let mut line = format!("{{\"type\":{kind}");
        for (key, value) in self.0.iter().filter(|(key, _)| *key != "type") {
            line += &format!(",{}:{value}", Value::from(key.as_str()));
        }
        line.push('}');
        line
    }

    /// What is played.
    pub fn game(session: &Session) -> Self {
        let book = &session.machine.program().book;
        let rulings: Map<String, Value> = book
            .rulings
            .iter()
            .map(|ruling| (ruling.name.clone(), ruling.values.get(ruling.chosen).cloned().into()))
            .collect();
        let setups: Vec<&str> = book.setups.iter().map(|setup| setup.name.as_str()).collect();
        let players: Vec<String> = book.players.iter().map(|&player| session.player_name(player)).collect();
        let variants: Vec<Value> =
            book.variants.iter().map(|(name, version)| json!({"name": name, "version": version})).collect();
        let rest = json!({
            "protocol": VERSION,
            "played": book.played(session.setup),
            "game": book.title,
            "version": book.version,
            "variants": variants,
            "rulings": rulings,
            "players": players,
            "setup": setups.get(session.setup),
            "setups": setups,
            "seed": session.seed,
        });
        Self::new("game", rest, None)
    }

    /// A request was not followed, or the rules failed; the game stands as it did.
    pub fn error(problem: &Problem, id: Option<&Value>) -> Self {
        let mut rest = json!({"code": problem.code, "message": problem.message});
        if !problem.stack.is_empty() {
            rest["stack"] = problem.stack.clone().into();
        }
        Self::new("error", rest, id)
    }

    /// Done.
    pub fn ok(id: Option<&Value>) -> Self {
        Self::new("ok", Value::Null, id)
    }

    /// The game as text.
    pub fn position(text: String, id: Option<&Value>) -> Self {
        Self::new("position", json!({ "text": text }), id)
    }

    /// The game is over, or it is left.
    pub fn end(session: &Session) -> Self {
        let outcome = session.machine.outcome();
        let winner = outcome.and_then(|outcome| outcome.winner).map(|winner| session.player_name(winner));
        let word = match (&outcome, &winner) {
            (None, _) => "unfinished",
            (Some(_), None) => "drawn",
            (Some(_), Some(_)) => "won",
        };
        let rest = json!({
            "outcome": word,
            "winner": winner,
            "decisions": session.machine.taken(),
            "seed": session.seed,
        });
        Self::new("end", rest, None)
    }
}

/// An open option as it is offered.
#[derive(Serialize)]
pub struct Offer {
    /// What to choose it by.
    pub id: usize,
    /// Its name.
    pub option: String,
    /// Its arguments by name, as the player may know them.
    pub args: Map<String, Value>,
    /// Its line.
    pub label: String,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
}

/// Arguments by name; a hidden thing is told by its back.
pub fn arguments(
    session: &mut Session,
    option: u16,
    args: &[i64],
    viewer: Option<u32>,
) -> Map<String, Value> {
    let params = session.machine.choice().and_then(|choice| choice.options.get(option as usize));
    let Some(params) = params.map(|option| option.params.clone()) else { return Map::new() };
    let mut named = Map::new();
    for (param, &arg) in params.iter().zip(args) {
        let value = match param.kind {
            _ if arg == NOTHING => Value::Null,
            None => arg.into(),
            kind => terminal::argument(session, kind, arg, viewer).into(),
        };
        named.insert(param.name.clone(), value);
    }
    named
}

/// The open options of a player.
pub fn options(session: &mut Session, player: u32) -> Vec<Offer> {
    let chosen: Vec<(u16, Vec<i64>)> =
        session.machine.options(player).iter().map(|open| (open.option, open.args.to_vec())).collect();
    let mut offers = Vec::with_capacity(chosen.len());
    for (id, (option, args)) in chosen.into_iter().enumerate() {
        let info = session.machine.choice().and_then(|choice| choice.options.get(option as usize));
        let Some((name, paragraphs)) = info.map(|info| (info.name.clone(), info.cites.clone())) else {
            continue;
        };
        let args = arguments(session, option, &args, Some(player));
        let label = session.machine.label(player, id, Some(player));
        offers.push(Offer { id, option: name, args, label, paragraphs });
    }
    offers
}

/// What a player is asked.
pub fn decision(session: &mut Session, player: u32) -> Message {
    let deciders = session.machine.deciders().to_vec();
    let deciders: Vec<String> = deciders.into_iter().map(|decider| session.player_name(decider)).collect();
    let paragraphs = session.machine.choice().map(|choice| choice.cites.clone()).unwrap_or_default();
    let rest = json!({
        "player": session.player_name(player),
        "deciders": deciders,
        "decision": session.machine.taken(),
        "prompt": session.machine.prompt(Some(player)),
        "paragraphs": paragraphs,
        "options": options(session, player),
    });
    Message::new("decision", rest, None)
}

/// Something happened. `for` holds what each player may know of it, where that is not the whole.
pub fn event(session: &Session, event: &Event) -> Message {
    let machine = &session.machine;
    let program = machine.program();
    let book = &program.book;
    let text = machine.tell_event(event, None);
    let mut rest = match event {
        Event::Chosen { asked, choice, option, args, forced, .. } => {
            let info = program.choices.get(*choice as usize).and_then(|c| c.options.get(*option as usize));
            let named: Map<String, Value> = info
                .into_iter()
                .flat_map(|info| info.params.iter().zip(args))
                .map(|(param, &arg)| {
                    let value = match param.kind {
                        _ if arg == NOTHING => Value::Null,
                        None => arg.into(),
                        kind => argument(program, kind, arg).into(),
                    };
                    (param.name.clone(), value)
                })
                .collect();
            json!({
                "event": "chosen",
                "player": session.player_name(*asked),
                "option": info.map(|info| &info.name),
                "args": named,
                "forced": forced,
            })
        }
        Event::Said { .. } => json!({"event": "said"}),
        Event::Rolled { sides, dice, .. } => json!({"event": "rolled", "sides": sides, "dice": dice}),
        Event::Drawn { kind, things, .. } => {
            let things: Vec<String> = things.iter().map(|&thing| values::thing(book, *kind, thing)).collect();
            json!({"event": "drawn", "kind": book.kind(*kind).name, "things": things})
        }
        Event::Over { winner } => {
            json!({"event": "over", "winner": winner.map(|winner| session.player_name(winner))})
        }
    };
    let mut told = Map::new();
    for &player in &book.players {
        let known = machine.tell_event(event, Some(player));
        if known != text {
            told.insert(session.player_name(player), known.into());
        }
    }
    rest["text"] = text.into();
    if !told.is_empty() {
        rest["for"] = told.into();
    }
    Message::new("event", rest, None)
}

fn refusal(session: &mut Session, player: u32, refusal: &Refusal) -> Value {
    let info = session.machine.choice().and_then(|choice| choice.options.get(refusal.option as usize));
    let name = info.map(|info| info.name.clone());
    let sources = &session.machine.program().book.sources;
    let place = sources.find(refusal.span.source).map(|_| sources.place(refusal.span));
    json!({
        "option": name,
        "args": arguments(session, refusal.option, &refusal.args, Some(player)),
        "label": refusal.label,
        "reason": refusal.reason,
        "need": refusal.need,
        "paragraphs": refusal.cites,
        "place": place,
    })
}

/// Whether an option is open, or why not.
pub fn why(session: &mut Session, player: u32, standing: &Standing, id: Option<&Value>) -> Message {
    let rest = match standing {
        Standing::Open => json!({"standing": "open"}),
        Standing::Outside => json!({"standing": "outside"}),
        Standing::Refused(refused) => {
            let mut rest = refusal(session, player, refused);
            rest["standing"] = "refused".into();
            rest
        }
    };
    Message::new("why", rest, id)
}

/// All that is refused.
pub fn refusals(session: &mut Session, player: u32, refused: &[Refusal], id: Option<&Value>) -> Message {
    let refused: Vec<Value> = refused.iter().map(|one| refusal(session, player, one)).collect();
    Message::new("why", json!({ "refused": refused }), id)
}

/// What somebody sees.
pub fn view(session: &Session, view: &View, id: Option<&Value>) -> Message {
    let book = &session.machine.program().book;
    let states = |states: &[(blazon_book::ColumnId, Held)]| -> Map<String, Value> {
        states.iter().map(|(column, held)| (book.column(*column).name.clone(), value(book, held))).collect()
    };
    let mut kinds = Map::new();
    for of in &view.kinds {
        if of.seen.iter().all(|thing| thing.states.is_empty()) && of.backs.is_empty() {
            continue;
        }
        let seen: Vec<Value> = of
            .seen
            .iter()
            .map(|thing| json!({"name": values::thing(book, of.kind, thing.thing), "states": states(&thing.states)}))
            .collect();
        let backs: Vec<Value> = of.backs.iter().map(|back| states(back).into()).collect();
        kinds.insert(book.kind(of.kind).name.clone(), json!({"seen": seen, "backs": backs}));
    }
    let entries: Vec<Value> = view
        .states
        .iter()
        .map(|entry| {
            let column = book.column(entry.column);
            let keys = column.keys.iter().zip(&entry.keys).map(|(kind, key)| values::thing(book, *kind, *key));
            json!({"state": column.name, "keys": keys.collect::<Vec<_>>(), "value": value(book, &entry.value)})
        })
        .collect();
    let deciders: Vec<String> = view.deciders.iter().map(|&decider| session.player_name(decider)).collect();
    let rest = json!({
        "viewer": view.viewer.map(|viewer| session.player_name(viewer)),
        "deciders": deciders,
        "kinds": kinds,
        "states": entries,
    });
    Message::new("view", rest, id)
}

fn value(book: &Book, held: &Held) -> Value {
    match held {
        Held::Absent => Value::Null,
        Held::Flag(flag) => (*flag).into(),
        Held::Number(number) => (*number).into(),
        Held::Thing(kind, thing) => values::thing(book, *kind, *thing).into(),
        Held::Hidden(kind) => json!({"hidden": book.kind(*kind).name}),
        Held::Set(kind, things, hidden) => {
            let things: Vec<String> = things.iter().map(|&thing| values::thing(book, *kind, thing)).collect();
            if *hidden == 0 { things.into() } else { json!({"things": things, "hidden": hidden}) }
        }
        Held::Dice(dice) => dice.clone().into(),
    }
}
