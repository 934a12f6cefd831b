//! What can be a name of what, said before anything else is tried.

use blazon_book::meant;
use blazon_check::{Definition, DefinitionKind};
use blazon_diagnostics::Article;
use blazon_syntax::{TokenKind, is_reserved, tokens};

use crate::outline;
use crate::subject::{kind_word, name_of};
use crate::workspace::Analysed;

/// Whether a name can be given.
///
/// # Errors
/// In words, if not.
pub fn check(book: &Analysed, definition: Definition, old: &str, new: &str) -> Result<(), String> {
    if new.is_empty() {
        return Err("a name has at least one word".to_owned());
    }
    if new == old {
        return Err(format!("it is called `{old}` already"));
    }
    let kind = definition.kind;
    if meant::ALL.contains(&old) || meant::ALL.contains(&new) {
        let meant = if meant::ALL.contains(&old) { old } else { new };
        return Err(format!(
            "`{meant}` means something by itself: what is called so is asked for by this name"
        ));
    }
    let is_thing = matches!(kind, DefinitionKind::Thing | DefinitionKind::RulingValue);
    let is_large = matches!(kind, DefinitionKind::Setup | DefinitionKind::Scene);
    let bare = new.trim_start_matches('\'').trim_end_matches('\'');
    let first = bare.chars().next().unwrap_or_default();
    if !is_thing && !is_large && !first.is_lowercase() {
        return Err(format!(
            "the name of {} begins with a small letter; `{new}` does not",
            Article(kind_word(kind))
        ));
    }
    words(bare, is_thing || is_large)?;
    if kind != DefinitionKind::Variable && kind != DefinitionKind::Clause {
        taken(book, definition, bare)?;
    }
    Ok(())
}

/// Whether it is made of words that can stand in a name.
fn words(name: &str, is_thing: bool) -> Result<(), String> {
    for (place, token) in tokens(name).into_iter().enumerate() {
        let word = token.text(name);
        let is_bracket = is_thing && matches!(token.kind, TokenKind::Open(b'(') | TokenKind::Close(_));
        // `Saint-Denis` and `d'Argent` are words with signs in them.
        let is_joint = is_thing && matches!(word, "-" | "'" | "’" | "." | "&");
        if token.kind != TokenKind::Word && !is_bracket && !is_joint {
            return Err(format!("`{word}` cannot stand in a name: names are made of words"));
        }
        let is_inner = place > 0
            && blazon_syntax::keywords_at(blazon_syntax::KeywordPlace::Between).any(|known| known == word);
        if (place == 0 && is_reserved(word)) || is_inner {
            return Err(format!(
                "`{word}` is a word of the language and cannot {} a name",
                if place == 0 { "begin" } else { "stand in" }
            ));
        }
    }
    Ok(())
}

/// Whether something has the name already.
fn taken(book: &Analysed, definition: Definition, new: &str) -> Result<(), String> {
    let small = new.to_lowercase();
    for (_, file) in &book.read.parsed.files {
        let entries = outline::entries(file);
        for entry in outline::all(&entries) {
            let outline::Sort::Definition(kind) = entry.sort else { continue };
            let clashes = match kind {
                DefinitionKind::Clause | DefinitionKind::Case | DefinitionKind::Look => false,
                // Two rulings may have a value of the same name.
                DefinitionKind::RulingValue => false,
                DefinitionKind::Links | DefinitionKind::Table | DefinitionKind::Grid => false,
                DefinitionKind::Option => definition.kind == DefinitionKind::Option,
                DefinitionKind::Watch | DefinitionKind::Invariant => definition.kind == kind,
                DefinitionKind::Setup | DefinitionKind::Scene => {
                    matches!(definition.kind, DefinitionKind::Setup | DefinitionKind::Scene)
                }
                DefinitionKind::Kind
                | DefinitionKind::Plural
                | DefinitionKind::Thing
                | DefinitionKind::Fact
                | DefinitionKind::State
                | DefinitionKind::Rule
                | DefinitionKind::Step
                | DefinitionKind::Variable
                | DefinitionKind::Ruling => true,
            };
            let name = entry.name.strip_prefix("replace ").unwrap_or(&entry.name);
            if clashes && entry.at != definition.span && name.to_lowercase() == small {
                let other = name_of(book, Definition { kind, span: entry.at });
                return Err(format!(
                    "there is {} `{other}` already, in {}",
                    Article(kind_word(kind)),
                    book.read.place(entry.at)
                ));
            }
        }
    }
    let model = &book.checked.model;
    if model.kinds.iter().any(|kind| kind.plural == new) {
        return Err(format!("`{new}` is the set of all of a kind already"));
    }
    Ok(())
}
