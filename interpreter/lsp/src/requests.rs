//! Which request is answered by which capability.

use lsp_server::ErrorCode;
use lsp_types as lsp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::features::{
    actions, calls, completion, definition, folding, formatting, hover, lenses, links, references, rename,
    signature, symbols, tokens,
};
use crate::server::Server;
use crate::uris;
use crate::workspace::Page;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The protocol's code.
    pub code: i32,
    /// A sentence.
    pub message: String,
}

impl Refusal {
    /// A refusal.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code: code as i32, message: message.into() }
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::new(ErrorCode::RequestFailed, message)
    }
}

/// What comes of a request.
type Answer = Result<Value, Refusal>;

/// Answers a request.
///
/// # Errors
/// If there is no such request, what it holds is not of its form, or it cannot be answered.
pub fn answer(server: &mut Server, method: &str, params: Value) -> Answer {
    match method {
        "textDocument/hover" => with(params, |asked: lsp::HoverParams| {
            let at = asked.text_document_position_params;
            let (page, offset) = place(server, &at)?;
            let amendments = server.amendments(&page.path);
            Ok(hover::hover(&page, offset, &amendments, &mut server.running))
        }),
        "textDocument/definition" => with(params, |asked: lsp::DefinitionParams| {
            let (page, offset) = place(server, &asked.text_document_position_params)?;
            Ok(definition::definition(&page, offset, server.editor.opens_inside))
        }),
        "textDocument/completion" => with(params, |asked: lsp::CompletionParams| {
            let (page, offset) = place(server, &asked.text_document_position_params)?;
            let belongs = server.workspace.belongs(&page.path)?;
            let supposed = completion::supposed(&page, offset);
            let known = supposed.and_then(|text| server.workspace.supposed(&page, &belongs, &text));
            Ok(completion::completion(&page, known.as_ref().unwrap_or(&page), offset))
        }),
        "textDocument/references" => with(params, |asked: lsp::ReferenceParams| {
            let (page, offset) = place(server, &asked.text_document_position_params)?;
            let belongs = server.workspace.belongs(&page.path)?;
            let (declared, inside) = (asked.context.include_declaration, server.editor.opens_inside);
            Ok(references::references(&mut server.workspace, &belongs, &page, offset, declared, inside))
        }),
        "textDocument/documentHighlight" => with(params, |asked: lsp::DocumentHighlightParams| {
            let (page, offset) = place(server, &asked.text_document_position_params)?;
            Ok(references::highlights(&page, offset))
        }),
        "textDocument/prepareRename" => with(params, |asked: lsp::PrepareRenameParams| {
            let (page, offset) = place(server, &asked.text_document_position_params)?;
            Ok(rename::prepare(&page, offset)?)
        }),
        "textDocument/rename" => with(params, |asked: lsp::RenameParams| {
            // What is written goes by what stands in the files now, and not every editor tells what others changed there.
            server.look();
            let (page, offset) = place(server, &asked.text_document_position_params)?;
            let belongs = server.workspace.belongs(&page.path)?;
            let renamed = rename::rename(&mut server.workspace, &belongs, &page, offset, &asked.new_name)?;
            let (edit, notes) = renamed;
            notes.into_iter().for_each(|note| server.outbox.show(lsp::MessageType::Warning, note));
            Ok(edit)
        }),
        "textDocument/codeAction" => with(params, |asked: lsp::CodeActionParams| {
            let page = server.workspace.page(&asked.text_document.uri)?;
            Ok(actions::actions(&page, asked.range, asked.context.only.as_deref()))
        }),
        "textDocument/documentLink" => with(params, |asked: lsp::DocumentLinkParams| {
            Ok(links::links(&server.workspace.page(&asked.text_document.uri)?))
        }),
        "textDocument/codeLens" => with(params, |asked: lsp::CodeLensParams| {
            let page = server.workspace.page(&asked.text_document.uri)?;
            let text = page.text().map(|source| source.text.clone()).unwrap_or_default();
            // What was shown is kept by the address that the server makes: editors write some letters of it otherwise.
            let uri = page.read().uri(page.source).unwrap_or(asked.text_document.uri);
            Ok(lenses::lenses(&page, server.results.of(&uri, &text).as_ref()))
        }),
        "workspace/executeCommand" => with(params, |asked: lsp::ExecuteCommandParams| {
            Ok(server.execute(&asked.command, asked.arguments.as_deref().unwrap_or_default())?)
        }),
        "textDocument/signatureHelp" => with(params, |asked: lsp::SignatureHelpParams| {
            let (page, offset) = place(server, &asked.text_document_position_params)?;
            Ok(signature::help(&page, offset))
        }),
        "textDocument/semanticTokens/full" => with(params, |asked: lsp::SemanticTokensParams| {
            Ok(tokens::tokens(&server.workspace.page(&asked.text_document.uri)?))
        }),
        "textDocument/prepareCallHierarchy" => with(params, |asked: lsp::CallHierarchyPrepareParams| {
            let (page, offset) = place(server, &asked.text_document_position_params)?;
            Ok(calls::prepare(&page, offset))
        }),
        "callHierarchy/incomingCalls" => with(params, |asked: lsp::CallHierarchyIncomingCallsParams| {
            let (page, offset) = item(server, &asked.item)?;
            let belongs = server.workspace.belongs(&page.path)?;
            Ok(calls::incoming(&mut server.workspace, &belongs, &page, offset))
        }),
        "callHierarchy/outgoingCalls" => with(params, |asked: lsp::CallHierarchyOutgoingCallsParams| {
            let (page, offset) = item(server, &asked.item)?;
            Ok(calls::outgoing(&page, offset))
        }),
        _ => by_tree(server, method, params),
    }
}

/// Whether editors ask this by themselves, of every page that is open or at every touch of a key.
pub fn is_unasked(method: &str) -> bool {
    matches!(
        method,
        "textDocument/hover"
            | "textDocument/completion"
            | "textDocument/documentHighlight"
            | "textDocument/codeAction"
            | "textDocument/documentLink"
            | "textDocument/codeLens"
            | "textDocument/signatureHelp"
            | "textDocument/semanticTokens/full"
            | "textDocument/documentSymbol"
            | "textDocument/foldingRange"
    )
}

/// What is answered by the trees alone, without a check.
fn by_tree(server: &mut Server, method: &str, params: Value) -> Answer {
    match method {
        "textDocument/formatting" => with(params, |asked: lsp::DocumentFormattingParams| {
            let text = server.text(&asked.text_document.uri)?;
            if !uris::is_page(&asked.text_document.uri) {
                return Err("only pages, `*.blazon`, have a layout".to_owned().into());
            }
            Ok(formatting::format(text.source()))
        }),
        "textDocument/documentSymbol" => with(params, |asked: lsp::DocumentSymbolParams| {
            let (belongs, _, source) = server.workspace.source(&asked.text_document.uri)?;
            let read = server.workspace.read(&belongs);
            Ok(read.map(|read| symbols::of_page(&read, source)))
        }),
        "textDocument/foldingRange" => with(params, |asked: lsp::FoldingRangeParams| {
            let (belongs, _, source) = server.workspace.source(&asked.text_document.uri)?;
            let read = server.workspace.read(&belongs);
            Ok(read.and_then(|read| Some(folding::ranges(read.source(source)?, read.file(source)))))
        }),
        "workspace/symbol" => {
            with(params, |asked: lsp::WorkspaceSymbolParams| Ok(server.workspace_symbols(&asked.query)))
        }
        "workspace/textDocumentContent" => with(params, |asked: lsp::TextDocumentContentParams| {
            Ok(server.inside(&asked.uri).map(|text| lsp::TextDocumentContentResult { text }))
        }),
        _ => Err(Refusal::new(ErrorCode::MethodNotFound, format!("`{method}` is not known here"))),
    }
}

/// Reads what a request holds, and answers it.
fn with<P: DeserializeOwned, A: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> Result<A, Refusal>,
) -> Answer {
    let params = serde_json::from_value(params).map_err(|error| {
        Refusal::new(ErrorCode::InvalidParams, format!("what is asked is not of its form: {error}"))
    })?;
    serde_json::to_value(answer(params)?).map_err(|error| {
        Refusal::new(ErrorCode::InternalError, format!("the answer cannot be written: {error}"))
    })
}

/// The page and offset of a place.
fn place(server: &mut Server, at: &lsp::TextDocumentPositionParams) -> Result<(Page, u32), Refusal> {
    let page = server.workspace.page(&at.text_document.uri)?;
    let offset = page.offset(at.position);
    Ok((page, offset))
}

/// The page and offset of what an editor was told of who asks whom.
fn item(server: &mut Server, item: &lsp::CallHierarchyItem) -> Result<(Page, u32), Refusal> {
    let page = server.workspace.page(&item.uri)?;
    let offset = page.offset(item.selection_range.start);
    Ok((page, offset))
}
