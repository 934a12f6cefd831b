//! What the other end may ask. Every key is known: what would be ignored is an error.

use blazon::Error;
use blazon::present::cited;
use blazon_diagnostics::{Span, did_you_mean, near_miss};
use blazon_machine::BacktraceEntry;
use blazon_machine::save::SaveError;
use serde_json::{Map, Value};

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// `{"choose":0}` or `{"option":"march","args":{…}}`
    Choose {
        /// Who answers, if several are asked.
        player: Option<String>,
        /// What.
        which: Which,
    },
    /// `{"decision":true}`: asks the same again.
    Decision,
    /// `{"view":"North"}`; `null` sees everything.
    View(Option<String>),
    /// `{"why":{"option":"march","args":{…}}}`; `{"why":{}}` lists all refusals.
    Why {
        /// Who asks, if several are asked.
        player: Option<String>,
        /// About what.
        which: Option<Which>,
    },
    /// `{"book":true}`
    Book,
    /// `{"try":0}` or `{"try":{"option":"march","args":{…}}}`
    Try {
        /// Who asks, if several are asked.
        player: Option<String>,
        /// About what.
        which: Which,
    },
    /// `{"changes":12,"view":"North"}`
    Changes {
        /// Since how many decisions were taken.
        since: u64,
        /// Who sees it; nobody sees everything.
        viewer: Option<String>,
    },
    /// `{"words":true}`
    Words(bool),
    /// `{"position":true}`
    Position,
    /// `{"load":"Save(…)"}`
    Load(String),
    /// `{"new":{"setup":"…","seed":7}}`
    New {
        /// The setup; the one at the start, if absent.
        setup: Option<String>,
        /// The seed; a new one, if absent.
        seed: Option<u64>,
    },
    /// `{"dice":[2,6]}`
    Dice(Vec<i64>),
    /// `{"cards":["Flood"]}`
    Cards(Vec<String>),
    /// `{"seed":7}`
    Seed(u64),
    /// `{"quit":true}`
    Quit,
}

/// An option.
#[derive(Clone, Debug, PartialEq)]
pub enum Which {
    /// By its place.
    Index(usize),
    /// By its name and its arguments by name.
    Meaning(String, Map<String, Value>),
}

/// Why a request is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `protocol::…`, `run::…` or `save::…`
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// The steps and rules under way, the innermost first; where there are very many, how many are left out stands
    /// between.
    pub stack: Vec<String>,
}

/// So many of the innermost steps and rules under way are told.
const MOST_FRAMES: usize = 12;

impl Problem {
    /// One without a stack.
    pub fn new(code: &'static str, message: String) -> Self {
        Self { code, message, stack: Vec::new() }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Fault(failure) => {
                let (fault, sources) = (failure.fault, failure.sources);
                let place = |span: Span| sources.find(span.source).map(|_| sources.place(span));
                let told = |frame: &BacktraceEntry| match place(frame.span) {
                    Some(place) => format!("{} {place}{}", frame.name, cited(&frame.cites)),
                    None => frame.name.clone(),
                };
                let (inner, between, outer) = fault.told(MOST_FRAMES);
                let more = (between > 0).then(|| format!("… {between} more …"));
                let stack = inner.iter().map(told).chain(more).chain(outer.iter().map(told)).collect();
                Self { code: fault.code, message: fault.message, stack }
            }
            Error::Save(error) => Self::from(error),
            Error::Unknown(_) | Error::Unreadable(_) | Error::Rules(_) => {
                Self::new(error.code(), error.to_string())
            }
        }
    }
}

impl From<SaveError> for Problem {
    fn from(error: SaveError) -> Self {
        Self::new(error.code, error.message)
    }
}

/// Each request's first key, with the keys that may stand beside it.
const REQUESTS: [(&str, &[&str]); 16] = [
    ("choose", &["player"]),
    ("option", &["args", "player"]),
    ("decision", &[]),
    ("changes", &["view"]),
    ("view", &[]),
    ("why", &["player"]),
    ("try", &["player"]),
    ("book", &[]),
    ("words", &[]),
    ("position", &[]),
    ("load", &[]),
    ("new", &[]),
    ("dice", &[]),
    ("cards", &[]),
    ("seed", &[]),
    ("quit", &[]),
];

/// Reads a request, with the `id` that its answer is to carry.
pub fn read(bytes: &[u8]) -> (Option<Value>, Result<Request, Problem>) {
    let mut object = match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return (None, Err(wrong("a request is a JSON object".to_owned()))),
        Err(error) => {
            return (None, Err(Problem::new("protocol::json", format!("this is no JSON: {error}"))));
        }
    };
    let id = object.remove("id");
    (id, request(object))
}

fn wrong(message: String) -> Problem {
    Problem::new("protocol::request", message)
}

fn request(mut object: Map<String, Value>) -> Result<Request, Problem> {
    let Some((verb, beside)) = REQUESTS.iter().find(|(verb, _)| object.contains_key(*verb)) else {
        let verbs = REQUESTS.iter().map(|(verb, _)| *verb);
        let near = object.keys().find_map(|key| near_miss(key, verbs.clone()));
        let near = near.map(|near| format!("; {}", did_you_mean(near))).unwrap_or_default();
        return Err(wrong(format!("nothing is asked{near}")));
    };
    if let Some(key) = object.keys().find(|key| key.as_str() != *verb && !beside.contains(&key.as_str())) {
        return Err(wrong(format!("`{verb}` knows no `{key}`")));
    }
    let value = object.remove(*verb).unwrap_or_default();
    let player = object.remove("player").map(|player| text("player", player)).transpose()?;
    let expects = |what: &str| wrong(format!("`{verb}` expects {what}"));
    match *verb {
        "choose" => {
            let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
            let index = index.ok_or_else(|| expects("the `id` of an option"))?;
            Ok(Request::Choose { player, which: Which::Index(index) })
        }
        "option" => Ok(Request::Choose { player, which: meaning(value, object.remove("args"))? }),
        "view" if value.is_null() => Ok(Request::View(None)),
        "view" => Ok(Request::View(Some(text("view", value)?))),
        "why" => {
            let Value::Object(mut about) = value else { return Err(expects("an object")) };
            let option = about.remove("option");
            let args = about.remove("args");
            if let Some(key) = about.keys().next() {
                return Err(wrong(format!("`why` knows no `{key}`")));
            }
            let which = option.map(|option| meaning(option, args)).transpose()?;
            Ok(Request::Why { player, which })
        }
        "changes" => {
            let since = number("changes", &value)?;
            let viewer = match object.remove("view") {
                None | Some(Value::Null) => None,
                Some(viewer) => Some(text("view", viewer)?),
            };
            Ok(Request::Changes { since, viewer })
        }
        "try" => match value {
            Value::Object(mut about) => {
                let option = about.remove("option").ok_or_else(|| expects("an `option`"))?;
                let args = about.remove("args");
                match about.keys().next() {
                    Some(key) => Err(wrong(format!("`try` knows no `{key}`"))),
                    None => Ok(Request::Try { player, which: meaning(option, args)? }),
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
                let index = index.ok_or_else(|| expects("the `id` of an option, or an object"))?;
                Ok(Request::Try { player, which: Which::Index(index) })
            }
        },
        "words" => match value {
            Value::Bool(on) => Ok(Request::Words(on)),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                Err(expects("`true` or `false`"))
            }
        },
        "load" => Ok(Request::Load(text("load", value)?)),
        "new" => {
            let Value::Object(mut about) = value else { return Err(expects("an object")) };
            let setup = about.remove("setup").map(|setup| text("setup", setup)).transpose()?;
            let seed = about.remove("seed").map(|seed| number("seed", &seed)).transpose()?;
            match about.keys().next() {
                Some(key) => Err(wrong(format!("`new` knows no `{key}`"))),
                None => Ok(Request::New { setup, seed }),
            }
        }
        "dice" => {
            let die = |die: &Value| die.as_i64().filter(|die| (1..=255).contains(die));
            let dice = value.as_array().and_then(|dice| dice.iter().map(die).collect());
            Ok(Request::Dice(dice.ok_or_else(|| expects("a list of what dice show, each from 1 to 255"))?))
        }
        "cards" => {
            let name = |name: &Value| name.as_str().map(str::to_owned);
            let names = value.as_array().and_then(|names| names.iter().map(name).collect());
            Ok(Request::Cards(names.ok_or_else(|| expects("a list of names"))?))
        }
        "seed" => Ok(Request::Seed(number("seed", &value)?)),
        _ if value != Value::Bool(true) => Err(expects("`true`")),
        "decision" => Ok(Request::Decision),
        "book" => Ok(Request::Book),
        "position" => Ok(Request::Position),
        _ => Ok(Request::Quit),
    }
}

fn meaning(option: Value, args: Option<Value>) -> Result<Which, Problem> {
    let args = match args {
        None => Map::new(),
        Some(Value::Object(args)) => args,
        Some(_) => return Err(wrong("`args` expects an object: the arguments by name".to_owned())),
    };
    Ok(Which::Meaning(text("option", option)?, args))
}

fn text(key: &str, value: Value) -> Result<String, Problem> {
    match value {
        Value::String(text) => Ok(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(wrong(format!("`{key}` expects a text")))
        }
    }
}

fn number(key: &str, value: &Value) -> Result<u64, Problem> {
    value.as_u64().ok_or_else(|| wrong(format!("`{key}` expects a number from 0")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        read(text.as_bytes()).1.unwrap_err().message
    }

    #[test]
    fn requests_are_read() {
        let (id, request) = read(br#"{"choose":3,"id":"x"}"#);
        assert_eq!(id, Some("x".into()));
        assert_eq!(request, Ok(Request::Choose { player: None, which: Which::Index(3) }));
        assert_eq!(read(br#"{"view":null}"#).1, Ok(Request::View(None)));
        assert_eq!(read(br#"{"why":{}}"#).1, Ok(Request::Why { player: None, which: None }));
        assert_eq!(read(br#"{"dice":[1,2]}"#).1, Ok(Request::Dice(vec![1, 2])));
    }

    #[test]
    fn nothing_is_ignored() {
        assert!(problem("{").contains("no JSON"));
        assert!(problem("[]").contains("object"));
        assert!(problem(r#"{"chose":1}"#).contains("did you mean `choose`"));
        assert!(problem(r#"{"choose":1,"args":{}}"#).contains("knows no `args`"));
        assert!(problem(r#"{"choose":-1}"#).contains("expects the `id`"));
        assert!(problem(r#"{"quit":false}"#).contains("expects `true`"));
        assert!(problem(r#"{"dice":[6,0]}"#).contains("each from 1 to 255"));
        assert!(problem(r#"{"new":{"sed":1}}"#).contains("knows no `sed`"));
        assert!(problem("\u{0}").contains("no JSON"));
    }
}
