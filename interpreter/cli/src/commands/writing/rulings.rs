//! `blazon rulings`: the open questions of a game and the answers to choose from.

use std::path::Path;

use blazon::present::cited;

use crate::args::RulingsArgs;
use crate::console::{Console, harmless, paint, style};
use crate::exit::Result;
use crate::load;

/// Lists the rulings.
///
/// # Errors
/// If the game is not found or has errors.
pub fn run(args: &RulingsArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut rules = load::game_or_default(args.path.as_deref(), &args.with.variants, library)?;
    let program = load::program(&mut rules, &args.with, None)?;
    let book = &program.book;
    if book.rulings.is_empty() {
        console.note(format!("{} has no rulings", harmless(&book.title)));
    }
    for ruling in &book.rulings {
        let values: Vec<String> = ruling
            .values
            .iter()
            .enumerate()
            .map(|(place, value)| match place == ruling.chosen {
                true => paint(style::GOOD, format!("[{value}]")),
                false => paint(anstyle::Style::new(), value),
            })
            .collect();
        console.line(format!(
            "{} = {}{}",
            paint(style::STRONG, &ruling.name),
            values.join(" or "),
            paint(style::PLACE, cited(&ruling.cites))
        ));
        if !ruling.question.is_empty() {
            console.line(format!("    {}", harmless(&ruling.question)));
        }
    }
    if let Some(ruling) = book.rulings.iter().find(|ruling| ruling.values.len() > 1) {
        let other = (ruling.chosen + 1) % ruling.values.len();
        console.note(format!(
            "\nThe value in brackets holds. Choose another: blazon play -R {}",
            paint(style::STRONG, format!("\"{}={}\"", ruling.name, ruling.values[other]))
        ));
    }
    Ok(())
}
