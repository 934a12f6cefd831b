//! What an editor has said and nobody has taken in yet, in order. What it has taken back meanwhile is known before its
//! turn comes: whoever writes fast asks again with every letter, and only the last answer is wanted.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, RequestId};

/// The messages that wait.
pub struct Inbox {
    connection: Connection,
    waiting: VecDeque<Message>,
    /// The requests among them, and whether each is taken back.
    asked: HashMap<RequestId, bool>,
}

/// What comes next.
#[derive(Debug)]
pub enum Next {
    /// A message.
    Message(Message),
    /// A request whose answer nobody wants any more.
    TakenBack(RequestId),
    /// Nothing was said for as long as somebody wanted to wait.
    Quiet,
    /// Nothing will be said any more.
    End,
}

impl Inbox {
    /// What comes over a connection.
    pub fn new(connection: Connection) -> Self {
        Self { connection, waiting: VecDeque::new(), asked: HashMap::new() }
    }

    /// The next message; it is waited for so long, for ever if nothing is said of that.
    pub fn next(&mut self, patience: Option<Duration>) -> Next {
        self.gather();
        if self.waiting.is_empty() {
            let receiver = &self.connection.receiver;
            let received = match patience {
                Some(patience) => receiver.recv_timeout(patience).map_err(|error| error.is_timeout()),
                None => receiver.recv().map_err(|_| false),
            };
            match received {
                Ok(message) => self.take(message),
                Err(true) => return Next::Quiet,
                Err(false) => return Next::End,
            }
        }
        match self.waiting.pop_front() {
            Some(Message::Request(request)) if self.asked.remove(&request.id) == Some(true) => {
                Next::TakenBack(request.id)
            }
            Some(message) => Next::Message(message),
            // All that was said is that something is taken back.
            None => self.next(patience),
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.connection.receiver.is_empty()
    }

    /// Takes in all that has come.
    fn gather(&mut self) {
        while let Ok(message) = self.connection.receiver.try_recv() {
            self.take(message);
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Notification(Notification { method, params }) if method == "$/cancelRequest" => {
                let id = params.get("id").cloned().and_then(|id| serde_json::from_value(id).ok());
                // What is answered already cannot be taken back.
                if let Some(is_taken_back) = id.and_then(|id: RequestId| self.asked.get_mut(&id)) {
                    *is_taken_back = true;
                }
            }
            Message::Request(request) => {
                self.asked.insert(request.id.clone(), false);
                self.waiting.push_back(request.into());
            }
            message @ (Message::Notification(_) | Message::Response(_)) => self.waiting.push_back(message),
        }
    }
}
