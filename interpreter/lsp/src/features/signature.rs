//! What a rule, step, fact or option takes, while its arguments are written.

use blazon_book::Type;
use blazon_syntax::{Token, TokenKind, tokens};
use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, SignatureHelp, SignatureInformation,
};

use super::completion::{self, Signature, chain, options};
use crate::outline::{self, Sort};
use crate::workspace::Page;
use blazon_check::{Definition, DefinitionKind};

/// What is called around an offset, with the parameter that is being written.
pub fn help(page: &Page, offset: u32) -> Option<SignatureHelp> {
    let text = &page.text()?.text;
    let before = text.get(..offset as usize)?;
    let (name, behind_dot, place) = called(before)?;
    let model = &page.book.checked.model;
    let (name, known) = completion::called(model, &name).or_else(|| {
        let option = options(model).into_iter().find(|option| option.name == name)?;
        let params = option.binders.iter().map(|binder| (String::new(), binder.source.ty)).collect();
        Some((name, Signature { word: "option", params, gives: None }))
    })?;
    let given: Vec<String> =
        known.params.iter().map(|(name, ty)| parameter(name, &ty.words(&model.kinds))).collect();
    let gives = known.gives.map(|ty: Type| format!(": {}", ty.words(&model.kinds))).unwrap_or_default();
    let label = format!("{} {name}({}){gives}", known.word, given.join(", "));
    let parameters =
        given.into_iter().map(|label| ParameterInformation { label: label.into(), documentation: None });
    let active = u32::try_from(place + usize::from(behind_dot)).unwrap_or(0);
    let signature = SignatureInformation {
        label,
        documentation: doc(page, &name)
            .map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::PlainText, value })),
        parameters: Some(parameters.collect()),
        active_parameter: Some(active.into()),
    };
    Some(SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: Some(active.into()),
    })
}

fn parameter(name: &str, ty: &str) -> String {
    if name.is_empty() || name == ty { ty.to_owned() } else { format!("{name}: {ty}") }
}

/// The name before the bracket that is open at the end of a text, whether it stands behind a dot, and how many commas
/// stand behind the bracket.
fn called(text: &str) -> Option<(String, bool, usize)> {
    let all = tokens(text);
    let (mut depth, mut place) = (0_usize, 0_usize);
    for (at, token) in all.iter().enumerate().rev() {
        match token.kind {
            TokenKind::Close(_) => depth += 1,
            TokenKind::Open(b'(') if depth == 0 => return name_before(&all[..at], text, place),
            TokenKind::Open(_) if depth == 0 => return None,
            TokenKind::Open(_) => depth -= 1,
            TokenKind::Sign if depth == 0 && token.text(text) == "," => place += 1,
            TokenKind::Word
            | TokenKind::Text
            | TokenKind::Quoted
            | TokenKind::Cite
            | TokenKind::Row
            | TokenKind::Newline
            | TokenKind::Sign => {}
        }
    }
    None
}

fn name_before(before: &[Token], text: &str, place: usize) -> Option<(String, bool, usize)> {
    let mut names = chain(before, text);
    let name = names.pop()?;
    Some((name, names.last().is_some_and(|sign| sign == "."), place))
}

/// The comment above what has a name.
fn doc(page: &Page, name: &str) -> Option<String> {
    let read = page.read();
    let sorts = [
        DefinitionKind::Rule,
        DefinitionKind::Step,
        DefinitionKind::Fact,
        DefinitionKind::State,
        DefinitionKind::Option,
    ];
    read.parsed.files.iter().find_map(|(_, file)| {
        let entries = outline::entries(file);
        let all = outline::all(&entries);
        let entry = all.into_iter().find(|entry| {
            entry.name == name && sorts.iter().any(|sort| entry.sort == Sort::Definition(*sort))
        })?;
        let Sort::Definition(kind) = entry.sort else { return None };
        read.parsed.doc(Definition { kind, span: entry.at })
    })
}
