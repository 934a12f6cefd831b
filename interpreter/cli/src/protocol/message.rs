//! What is said to the other end: one object a line, `type` says which. What the objects hold are the library's own
//! values.

use blazon::Game;
use blazon::told::{About, Change, Refusal};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::request::Problem;

/// The version of the protocol: raised when something changes its meaning or goes away.
const VERSION: u32 = 1;

/// A message.
pub struct Message(Map<String, Value>);

impl Message {
    /// A message of a type; `rest` is an object.
    pub fn new(kind: &str, rest: impl Serialize, id: Option<&Value>) -> Self {
        let mut object = Map::new();
        object.insert("type".to_owned(), kind.into());
        if let Some(id) = id {
            object.insert("id".to_owned(), id.clone());
        }
        match serde_json::to_value(rest) {
            Ok(Value::Object(rest)) => object.extend(rest),
            Ok(_) => {}
            // Names as keys and no numbers that JSON lacks: there is nothing to fail. If it does, it is said.
            Err(error) => {
                object.insert("error".to_owned(), error.to_string().into());
            }
        }
        Self(object)
    }

    /// Adds a field.
    pub fn add(&mut self, key: &str, value: impl Serialize) {
        self.0.insert(key.to_owned(), serde_json::to_value(value).unwrap_or_default());
    }

    /// Adds a field to each object of a list.
    pub fn add_each<T: Serialize>(&mut self, list: &str, key: &str, values: impl IntoIterator<Item = T>) {
        let objects = self.0.get_mut(list).and_then(Value::as_array_mut);
        for (object, value) in objects.into_iter().flatten().zip(values) {
            object[key] = serde_json::to_value(value).unwrap_or_default();
        }
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
    pub fn game(game: &Game) -> Self {
        Self::new("game", Played { protocol: VERSION, about: game.about() }, None)
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
    pub fn end(game: &Game) -> Self {
        Self::new("end", game.end(), None)
    }
}

/// What is played, and by which version of the protocol it is told.
#[derive(Serialize)]
struct Played {
    protocol: u32,
    #[serde(flatten)]
    about: About,
}

/// All that is refused.
#[derive(Serialize)]
pub struct Refused {
    /// Each with the first need that refuses it.
    pub refused: Vec<Refusal>,
}

/// What an option would change.
#[derive(Serialize)]
pub struct Tried {
    /// Whether it cannot be told before.
    pub chance: bool,
    /// What it would change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Change>>,
}

/// What has changed.
#[derive(Serialize)]
pub struct Changes {
    /// For whom; nobody sees everything.
    pub viewer: Option<String>,
    /// Since how many decisions were taken.
    pub since: u64,
    /// How many are taken now.
    pub decision: u64,
    /// What has changed.
    pub changes: Vec<Change>,
}
