//! What was traced, in lines: a mark and a word for each clause, what decided, what was asked.

use blazon::trace::{Answer, Clause, Held, Paragraph, Part, Read, Reads, Sort, Traced};

use crate::console::{Console, columns, harmless, padded, paint, style};

/// Tells a rule, and the rules that it asked.
pub fn tell(traced: &Traced, console: &Console) {
    let heading = format!("{} = {}", paint(style::STRONG, &traced.asked), answer(&traced.value));
    let title = traced.title.as_ref().map(|title| format!("  {}", harmless(title))).unwrap_or_default();
    console.line(format!("{heading}{title}{}", cited(&traced.paragraphs)));
    if let Some(place) = traced.place.as_ref().filter(|_| traced.rule.is_some()) {
        console.line(format!("  {}", paint(style::FAINT, place)));
    }
    // A question that is no rule has no clauses that anybody wrote.
    let clauses = if traced.rule.is_some() { &traced.clauses[..] } else { &[] };
    clauses.iter().for_each(|each| clause(each, console));
    if !traced.reads.is_empty() {
        console.line("  it asked");
        let widest = traced.reads.iter().map(|read| columns(&asked(read))).max().unwrap_or(0);
        traced.reads.iter().for_each(|each| read(each, widest.min(60), console));
    }
    for deeper in &traced.deeper {
        console.line("");
        tell(deeper, console);
    }
}

fn clause(clause: &Clause, console: &Console) {
    let word = match (clause.held, clause.decides) {
        (Held::Yes, true) => "holds, decides",
        (Held::No, true) => "fails, decides",
        (Held::Yes, false) => "holds",
        (Held::No, false) => "does not hold",
        (Held::NotAsked, _) => "not looked at",
        (Held::Failed, _) => "cannot be asked",
    };
    let word = padded(&paint(how(clause.held, clause.decides), word), 15);
    let origin =
        if clause.origin.starts_with("variant ") { format!(" ({})", clause.origin) } else { String::new() };
    let place = clause.place.as_deref().unwrap_or_default();
    console.line(format!(
        "  {} {word} {}{}  {}",
        mark(clause.held, console),
        harmless(&words(clause)),
        cited(&clause.paragraphs),
        paint(style::FAINT, format!("{place}{origin}")),
    ));
    if clause.parts.len() > 1 && clause.held != Held::NotAsked {
        clause.parts.iter().for_each(|each| part(each, console));
    }
    if let (Some(reason), Held::No) = (&clause.reason, clause.held) {
        console.line(format!("      \"{}\"", harmless(reason)));
    }
}

/// A clause as it would be written, without its value where that was not asked.
fn words(clause: &Clause) -> String {
    let sign = match clause.sort {
        Sort::Base => "else",
        Sort::Exception => "except",
        Sort::Plus => "+",
        Sort::Minus => "-",
        Sort::Need => "needs",
        Sort::Row => "row",
    };
    let mut words = sign.to_owned();
    if !clause.label.is_empty() {
        words += &match clause.sort {
            Sort::Row => format!(" at column {}:", clause.label),
            Sort::Base | Sort::Exception | Sort::Plus | Sort::Minus | Sort::Need => {
                format!(" {}:", clause.label)
            }
        };
    }
    let value = clause.value.as_ref().map(|value| value.words.clone());
    match (clause.sort, value) {
        (Sort::Base, Some(value)) if value == clause.condition => words += &format!(" {value}"),
        (Sort::Base, Some(value)) => words += &format!(" {value}, of {}", clause.condition),
        (Sort::Exception | Sort::Plus | Sort::Minus, Some(value)) if clause.condition.is_empty() => {
            words += &format!(" {value}");
        }
        (Sort::Exception | Sort::Plus | Sort::Minus, Some(value)) => {
            words += &format!(" {value} if {}", clause.condition);
        }
        (Sort::Exception | Sort::Plus | Sort::Minus, None) => words += &format!(" if {}", clause.condition),
        (Sort::Base | Sort::Need | Sort::Row, _) => words += &format!(" {}", clause.condition),
    }
    if clause.beats.iter().any(|label| !label.is_empty()) {
        words += &format!(" (beats {})", clause.beats.join(", "));
    }
    words
}

fn part(part: &Part, console: &Console) {
    console.line(format!("      {} {}", mark(part.held, console), harmless(&part.text)));
}

fn read(read: &Read, width: usize, console: &Console) {
    let what = match read.what {
        Reads::Rule => "rule",
        Reads::State => "state",
        Reads::Fact => "fact",
        Reads::Query => "found",
    };
    let place = read.place.as_deref().unwrap_or_default();
    console.line(format!(
        "    {}  {}",
        padded(&asked(read), width),
        paint(style::FAINT, format!("{what} {place}"))
    ));
}

fn asked(read: &Read) -> String {
    format!("{} = {}", harmless(&read.asked), answer(&read.value))
}

fn answer(answer: &Answer) -> String {
    match answer.failed {
        true => paint(style::BAD, format!("cannot be answered: {}", answer.words)),
        false => harmless(&answer.words),
    }
}

/// Paragraphs with their titles.
fn cited(paragraphs: &[Paragraph]) -> String {
    let one = |paragraph: &Paragraph| {
        let title = if paragraph.title.is_empty() { String::new() } else { format!(" {}", paragraph.title) };
        paint(style::PLACE, format!("  @{}{title}", paragraph.number))
    };
    paragraphs.iter().map(one).collect()
}

fn how(held: Held, decides: bool) -> anstyle::Style {
    match (held, decides) {
        (Held::Yes, true) => style::GOOD,
        (Held::No, true) | (Held::Failed, _) => style::BAD,
        (Held::Yes | Held::No, false) => anstyle::Style::new(),
        (Held::NotAsked, _) => style::FAINT,
    }
}

/// A sign for whoever skims; the word beside it says the same.
fn mark(held: Held, console: &Console) -> &'static str {
    let unicode = console.out_style().unicode;
    match (held, unicode) {
        (Held::Yes, true) => "✓",
        (Held::No, true) => "✗",
        (Held::NotAsked, true) => "·",
        (Held::Yes, false) => "+",
        (Held::No, false) => "-",
        (Held::NotAsked, false) => ".",
        (Held::Failed, _) => "!",
    }
}
