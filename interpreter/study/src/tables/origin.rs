//! Where in the rules something comes from, in words.

use std::collections::HashMap;

use blazon_diagnostics::Span;
use blazon_machine::Event;
use blazon_program::Program;
use blazon_program::ir::{Op, Origin, Pc};

/// Where in the rules something comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The step that does it.
    pub step: String,
    /// Page, line, column.
    pub place: String,
    /// Paragraphs.
    pub paragraphs: String,
}

/// The places that were asked for, and what it takes to find others.
pub(super) struct Places {
    /// Which instruction says a text, by where the text stands.
    said: HashMap<Span, Pc>,
    /// By span and step.
    of_choices: HashMap<Span, Place>,
    of_events: HashMap<(Span, Pc), Place>,
}

impl Places {
    pub fn new(program: &Program) -> Self {
        let mut said = HashMap::new();
        for (pc, op) in program.code.iter().enumerate() {
            if let Op::Say { text, .. } = op
                && let Some(text) = program.texts.get(*text as usize)
            {
                said.entry(text.span).or_insert(pc as Pc);
            }
        }
        Self { said, of_choices: HashMap::new(), of_events: HashMap::new() }
    }

    /// Of a choice, with the paragraphs of one of its options.
    pub fn of_choice(&mut self, program: &Program, choice: Span, option: Span) -> &Place {
        self.of_choices.entry(option).or_insert_with(|| {
            let info = program.choices.iter().find(|info| info.span == choice);
            let taken = info.and_then(|info| info.options.iter().find(|info| info.span == option));
            let cites = match (taken, info) {
                (Some(taken), _) if !taken.cites.is_empty() => taken.cites.join(" "),
                (_, Some(info)) => info.cites.join(" "),
                (_, None) => String::new(),
            };
            let step = info.map(|info| program.book.step(info.step).title().to_owned());
            Place { step: step.unwrap_or_default(), place: place(program, choice), paragraphs: cites }
        })
    }

    /// Of an event; nothing of the end of a game, which its row tells.
    pub fn of_event(&mut self, program: &Program, event: &Event) -> Place {
        let Some(span) = event.span(program) else { return Place::default() };
        let pc = match event {
            Event::Chosen { choice, .. } => {
                let choice = program.choices.get(usize::from(*choice)).map(|choice| choice.span);
                return Place {
                    place: place(program, span),
                    ..self.of_choice(program, choice.unwrap_or(span), span).clone()
                };
            }
            Event::Said { .. } => self.said.get(&span).copied().unwrap_or_default(),
            Event::Rolled { at, .. } | Event::Drawn { at, .. } => *at,
            Event::Over { .. } => 0,
        };
        let found = self.of_events.entry((span, pc)).or_insert_with(|| {
            let of = program.functions.iter().find(|of| (of.entry..of.end).contains(&pc));
            let step = of.and_then(|of| match of.origin {
                Origin::Step(step) => Some(program.book.step(step)),
                Origin::Rule(_) | Origin::Explain(_) | Origin::Made => None,
            });
            Place {
                step: step.map(|step| step.title().to_owned()).unwrap_or_default(),
                place: place(program, span),
                paragraphs: step.map(|step| step.cites.join(" ")).unwrap_or_default(),
            }
        });
        found.clone()
    }
}

/// Page, line and column; nothing for what no page has.
fn place(program: &Program, span: Span) -> String {
    let sources = &program.book.sources;
    let Some(source) = sources.find(span.source) else { return String::new() };
    let (line, column) = source.line_col(span.start);
    format!("{}:{line}:{column}", page(&source.name))
}

/// What tables call a page. Of where it lies only the folder is told: the same rules make the same tables wherever they are.
pub(crate) fn page(name: &str) -> &str {
    let folder = name.rmatch_indices(['/', '\\']).nth(1).map_or(0, |(at, _)| at + 1);
    name.get(folder..).unwrap_or_default()
}
