//! `blazon check`: finds the mistakes in a game or variant.

mod readings;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use blazon::present::kinds;
use blazon::{Compiled, Reading, Rules, Settings};
use blazon_board::Board;
use blazon_check::about_uncited;
use blazon_diagnostics::{Diagnostic, Format, render, summary};
use serde_json::json;

use self::readings::Others;
use crate::args::CheckArgs;
use crate::console::{Console, harmless, paint, style};
use crate::drawing;
use crate::exit::{Failure, Result};
use crate::figures::counted;
use crate::load;

/// Checks a game, with the variants asked for or with each one on its own.
///
/// # Errors
/// If there are errors, or warnings that are denied.
pub fn run(args: &CheckArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    match checked_all(args, library, console) {
        // Programs read what is wrong with rules in one place, be it that their game was not found.
        Err(Failure::Unreported(error)) if args.format != Format::Human => {
            let said = render(&error.diagnostics(), &error.sources(), args.format, console.out_style());
            console.write(said);
            Err(Failure::Problems)
        }
        outcome => outcome,
    }
}

fn checked_all(args: &CheckArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut rules = load::game(args.path.as_deref(), &args.with.variants, library)?;
    let first = rules.stack(&args.with.variants)?;
    let mut stacks = vec![first];
    if args.all && rules.inside.is_none() {
        stacks.extend((0..rules.variants.len()).map(|variant| rules.alone(variant)));
    }
    let settings = Settings { rulings: args.with.rulings.clone(), ..Settings::default() };
    let mut failed = false;
    let mut told = BTreeSet::new();
    for (stack, reading) in stacks.iter().zip(Reading::each(&rules, &stacks)) {
        let compiled = checked(&rules, stack, &reading, &settings)?;
        let denied = args.deny.is_some() && !compiled.diagnostics.is_empty();
        failed |= compiled.has_errors() || denied;
        if args.told && args.format == Format::Json {
            console.write(json_with_told(&compiled, console));
        } else {
            show(&rules, stack, &compiled, args.format, &mut told, console);
        }
        if args.readings {
            let others = Others::of(&reading, &compiled, &settings);
            let mut said = others.wrong.iter().flat_map(|other| &other.said);
            failed |= said.any(|said| args.deny.is_some() || said.is_error());
            show_readings(&title(&rules, stack), &others, &compiled, args.format, &mut told, console);
        }
        if args.told && args.format != Format::Json {
            show_told(&compiled, args.format, console);
        }
    }
    if failed { Err(Failure::Problems) } else { Ok(()) }
}

/// All that there is to say of a game with some of its variants.
///
/// # Errors
/// If a setup or ruling is asked for that there is not.
pub fn checked(rules: &Rules, stack: &[usize], reading: &Reading, settings: &Settings) -> Result<Compiled> {
    let mut compiled = reading.compile(settings);
    reading.settle(settings, &compiled)?;
    compiled.diagnostics.extend(about_uncited(&compiled.uncited));
    board(rules, stack, &mut compiled);
    Ok(compiled)
}

/// Looks that draw nothing; and the drawn map held against the rules, both ways.
fn board(rules: &Rules, stack: &[usize], compiled: &mut Compiled) {
    let Some(program) = &compiled.program else { return };
    let map = rules.map(stack);
    let board = Board::new(program.clone(), map.map(|map| map.text.as_str()));
    compiled.diagnostics.extend(board.iter().flat_map(Board::idle));
    let Some(map) = map else { return };
    let problems = match board {
        // A variant without a map of its own is drawn on the game's, which need not fit it.
        Ok(_) if !stack.is_empty() && rules.map(&[]).is_some_and(|game| game.name == map.name) => Vec::new(),
        Ok(board) => board.differs().to_vec(),
        Err(problems) => problems,
    };
    if problems.is_empty() {
        return;
    }
    let (told, sources) = drawing::told(problems, map, (*compiled.sources).clone());
    compiled.diagnostics.extend(told);
    compiled.sources = Arc::new(sources);
}

/// Shows what was said; to people nothing twice, for what is wrong with a game is wrong with it under each variant.
fn show(
    rules: &Rules,
    stack: &[usize],
    compiled: &Compiled,
    format: Format,
    told: &mut BTreeSet<String>,
    console: &Console,
) {
    if format != Format::Human {
        console.write(render(&compiled.diagnostics, &compiled.sources, format, console.out_style()));
        return;
    }
    console.report(&news(&compiled.diagnostics, compiled, told, console), &compiled.sources);
    let title = paint(style::STRONG, title(rules, stack));
    match &compiled.program {
        Some(program) => {
            let book = &program.book;
            let things: usize = kinds(book).map(|kind| book.kind(kind).things.len()).sum();
            let said = match summary(&compiled.diagnostics) {
                said if said.is_empty() => paint(style::GOOD, "no problems"),
                said => paint(style::CARE, said),
            };
            let counts = [
                counted(kinds(book).count() as u64, "kind"),
                counted(things as u64, "thing"),
                counted(book.setups.len() as u64, "setup"),
                counted(book.rulings.len() as u64, "ruling"),
                counted(book.tests.len() as u64, "test"),
            ];
            console.line(format!("{title} {}: {said}; {}", harmless(&book.version), counts.join(", ")));
        }
        None => console.line(format!("{title}: {}", paint(style::BAD, summary(&compiled.diagnostics)))),
    }
}

/// What was not told before.
fn news(
    said: &[Diagnostic],
    compiled: &Compiled,
    told: &mut BTreeSet<String>,
    console: &Console,
) -> Vec<Diagnostic> {
    let mut news = said.to_vec();
    news.retain(|diagnostic| {
        let one = std::slice::from_ref(diagnostic);
        told.insert(render(one, &compiled.sources, Format::Short, console.out_style()))
    });
    news
}

/// Shows what is said of other readings.
fn show_readings(
    title: &str,
    others: &Others,
    compiled: &Compiled,
    format: Format,
    told: &mut BTreeSet<String>,
    console: &Console,
) {
    for other in &others.wrong {
        if format == Format::Human {
            console.report(&news(&other.said, compiled, told, console), &compiled.sources);
            let name = paint(style::STRONG, format!("{title}, {}", harmless(&other.name)));
            console.line(format!("{name}: {}", paint(style::CARE, summary(&other.said))));
        } else {
            console.write(render(&other.said, &compiled.sources, format, console.out_style()));
        }
    }
    if format == Format::Human && others.count > 0 {
        let sound = counted((others.count - others.wrong.len()) as u64, "other reading");
        console.line(format!("{}: {sound} without more problems", paint(style::STRONG, title)));
    }
}

/// The game and its variants.
fn title(rules: &Rules, stack: &[usize]) -> String {
    let mut title = rules.name();
    for &variant in stack {
        title += &format!(" + {}", rules.variants[variant].name);
    }
    title
}

/// Where hidden things are told, place by place.
fn show_told(compiled: &Compiled, format: Format, console: &Console) {
    let Some(program) = &compiled.program else { return };
    let told = program.book.told();
    if told.is_empty() && format == Format::Human {
        console.line("nothing hidden is told".to_owned());
    }
    for told in told {
        let cites: String = told.cites.iter().map(|cite| format!(" @{}", harmless(cite))).collect();
        console.line(format!("{}  {}{cites}", compiled.sources.place(told.span), harmless(&told.what)));
    }
}

/// What was said and where hidden things are told, as one document; of rules with errors nobody knows what they tell.
fn json_with_told(compiled: &Compiled, console: &Console) -> String {
    let document = render(&compiled.diagnostics, &compiled.sources, Format::Json, console.out_style());
    let told = compiled.program.as_ref().map(|program| {
        let of = |told: blazon::book::Told| {
            let place = compiled.sources.find(told.span.source).map(|source| {
                let (line, column) = source.line_col(told.span.start);
                (source.name.to_string(), line, column)
            });
            let (file, line, column) = place
                .map_or((None, None, None), |(file, line, column)| (Some(file), Some(line), Some(column)));
            json!({
                "what": told.what,
                "cites": told.cites,
                "file": file,
                "line": line,
                "column": column,
                "start": told.span.start,
                "end": told.span.end,
            })
        };
        program.book.told().into_iter().map(of).collect::<Vec<_>>()
    });
    let mut document = document.trim_end().to_owned();
    // It is an object; what is beside the diagnostics is one entry more.
    if document.ends_with('}') {
        document.pop();
        document += &format!(",\"told\":{}}}", json!(told));
    }
    document + "\n"
}
