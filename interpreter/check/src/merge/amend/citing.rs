//! Paragraphs of what a layer below declares, and changes that change nothing else.

use blazon_diagnostics::{Diagnostic, Fix, Span};
use blazon_syntax::ast::{Amend, Cite, Part, PartKind};

use super::{Amender, Place};

impl Amender<'_> {
    /// `cite option march in give orders @5.2`: the paragraphs are those of the part, too.
    pub(super) fn cite_part(&mut self, place: &Place, parts: &[Part], cites: &[Cite]) {
        if let ([option], Place::Top) = (parts, place)
            && option.kind == PartKind::Option
        {
            let cites: Vec<String> = cites.iter().map(|cite| format!("@{}", cite.text)).collect();
            let meant = format!("cite option {} in STEP {}", option.name.text, cites.join(" "));
            self.diagnostics.push(
                Diagnostic::error("amend::missing", option.span, "an option belongs to a step")
                    .help(format!("say in which: `{meant}`")),
            );
            return;
        }
        let mut found = place.clone();
        for part in parts {
            match self.open(&found, part) {
                Some(inner) => found = inner,
                None => return,
            }
        }
        self.cite(&found, cites);
    }

    /// Warns of `in rule pinned { } @5.22`: what only gives paragraphs says so, and what does nothing is a slip.
    pub(super) fn changes_nothing(&mut self, place: &Place, part: &Part, amend: &Amend) {
        // What could not be read is left out of the braces.
        let within = |at: Span| {
            at.source == amend.span.source && at.start >= amend.span.start && at.start <= amend.span.end
        };
        if self.diagnostics.iter().any(|said| said.is_error() && said.span.is_some_and(within)) {
            return;
        }
        let word = match part.kind {
            PartKind::Rule => "rule",
            PartKind::Step => "step",
            PartKind::Table => "table",
            PartKind::Links => "links",
            PartKind::Option => "option",
            PartKind::Kind
            | PartKind::Setup
            | PartKind::When
            | PartKind::Choice
            | PartKind::Seen
            | PartKind::Back => "",
        };
        let cites: Vec<String> = amend.cites.iter().map(|cite| format!("@{}", cite.text)).collect();
        let said = Diagnostic::warning("lint::changes-nothing", part.span, "nothing is changed here");
        let is_whole = part.fixed.is_empty() && part.beside.is_none();
        self.diagnostics.push(match (word, cites.is_empty()) {
            (_, true) | ("", false) => said
                .label("its braces are empty")
                .help("write the changes in the braces, or take the line out"),
            ("option", false) => {
                let name = &part.name.text;
                let step = match place {
                    Place::Step(step) | Place::Part(step, _) => {
                        self.merged.steps[*step].step.name.text.as_str()
                    }
                    Place::Top
                    | Place::Kind(_)
                    | Place::Rule(_)
                    | Place::Face(_)
                    | Place::Table(_)
                    | Place::Links(_)
                    | Place::Setup(_) => "STEP",
                };
                said.label("only paragraphs are given")
                    .help(format!("write at the margin `cite option {name} in {step} {}`", cites.join(" ")))
            }
            (word, false) => {
                let meant = format!("cite {word} {} {}", part.name.text, cites.join(" "));
                let said = said.label("only paragraphs are given").help(format!("write `{meant}`"));
                match is_whole {
                    true => said.fix(Fix::replace(format!("write `{meant}`"), amend.span, meant)),
                    false => said,
                }
            }
        });
    }
}
