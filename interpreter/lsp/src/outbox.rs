//! What the server tells the editor unasked. Any thread may.

use std::sync::{Arc, Mutex, PoisonError};

use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::{Diagnostic, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri};
use serde::Serialize;

type Send = dyn Fn(Message) + std::marker::Send;

/// Where messages to the editor go.
#[derive(Clone, Default)]
pub struct Outbox {
    send: Option<Arc<Mutex<Box<Send>>>>,
}

impl std::fmt::Debug for Outbox {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Outbox")
    }
}

impl Outbox {
    /// Messages go there.
    pub fn new(send: impl Fn(Message) + std::marker::Send + 'static) -> Self {
        Self { send: Some(Arc::new(Mutex::new(Box::new(send)))) }
    }

    /// Sends a message of any sort.
    pub fn send(&self, message: Message) {
        if let Some(send) = &self.send {
            send.lock().unwrap_or_else(PoisonError::into_inner)(message);
        }
    }

    fn tell(&self, method: &str, params: impl Serialize) {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    /// What is wrong with a file, in the place of what was said before.
    pub fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        self.tell("textDocument/publishDiagnostics", PublishDiagnosticsParams { uri, version, diagnostics });
    }

    /// Shows a sentence.
    pub fn show(&self, kind: MessageType, message: impl Into<String>) {
        let message = blazon_diagnostics::harmless(&message.into());
        self.tell("window/showMessage", ShowMessageParams { kind, message });
    }

    /// Asks the editor to ask again.
    pub fn refresh(&self, method: &str) {
        let id = RequestId::from(method.to_owned());
        self.send(Request { id, method: method.to_owned(), params: serde_json::Value::Null }.into());
    }

    /// Notes a sentence where nobody need read it.
    pub fn log(&self, message: impl Into<String>) {
        let message = blazon_diagnostics::harmless(&message.into());
        self.tell("window/logMessage", ShowMessageParams { kind: MessageType::Warning, message });
    }
}
