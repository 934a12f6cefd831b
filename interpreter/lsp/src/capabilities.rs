//! What the server can do, and what it asks of an editor.

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions, ExecuteCommandOptions,
    RenameOptions, SaveOptions, SemanticTokensOptions, ServerCapabilities, SignatureHelpOptions,
    TextDocumentSyncKind, TextDocumentSyncOptions,
};
use serde_json::{Value, json};

use crate::features::tokens;
use crate::places::Encoding;
use crate::trying;

/// What an editor can do, as far as it matters here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Editor {
    /// How columns are counted.
    pub encoding: Encoding,
    /// Whether it opens pages that lie inside the program.
    pub opens_inside: bool,
    /// Whether it can be asked to watch files.
    pub watches: bool,
    /// Whether it can be asked to look at lenses again.
    pub refreshes: bool,
}

impl Editor {
    /// Reads what an editor says of itself.
    pub fn of(params: &Value) -> Self {
        let capabilities = params.get("capabilities").unwrap_or(&Value::Null);
        let is = |path: &str| {
            capabilities.pointer(path).is_some_and(|value| !value.is_null() && *value != json!(false))
        };
        Self {
            encoding: Encoding::agreed(capabilities),
            opens_inside: is("/workspace/textDocumentContent"),
            refreshes: is("/workspace/codeLens/refreshSupport"),
            watches: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
        }
    }
}

/// What is answered to an editor that says hello.
pub fn answer(editor: &Editor) -> Value {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(SaveOptions { include_text: Some(false) }.into()),
        ..TextDocumentSyncOptions::default()
    };
    let capabilities = ServerCapabilities {
        position_encoding: Some(editor.encoding.name()),
        text_document_sync: Some(sync.into()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ","].map(str::to_owned).to_vec()),
            ..SignatureHelpOptions::default()
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: tokens::legend(),
                full: Some(true.into()),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        call_hierarchy_provider: Some(true.into()),
        code_lens_provider: Some(CodeLensOptions::default()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [trying::TEST, trying::TEST_ALL, trying::SAY].map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        rename_provider: Some(
            RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() }.into(),
        ),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", "@", " ", "(", ":", "="].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        document_formatting_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        document_link_provider: Some(lsp_types::DocumentLinkOptions::default()),
        ..ServerCapabilities::default()
    };
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "blazon", "version": env!("CARGO_PKG_VERSION") },
    })
}
