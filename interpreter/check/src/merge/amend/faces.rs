//! Changes of who sees what: `in seen by v { … }`, `in back { … }`, `replace seen by v: …`, `replace back: …`.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{Member, Name, Param, Part};

use super::{Amender, Place};
use crate::merge::edits::{Edit, RuleEdit};
use crate::merge::faces::{Side, heading, rule_of};
use crate::merge::ledger::Op;
use crate::merge::merged::MergedRule;
use crate::references::DefinitionKind;

/// An opened `seen by` or `back`.
#[derive(Clone, Debug)]
pub(super) struct Face {
    /// The place of the kind.
    pub(super) kind: usize,
    pub(super) side: Side,
    /// What the change calls the viewer.
    viewer: Option<Name>,
}

impl Amender<'_> {
    /// Opens `seen by` or `back` of a kind.
    pub(super) fn open_face(&mut self, place: &Place, part: &Part, side: Side) -> Option<Place> {
        let Place::Kind(kind) = *place else {
            let words = side.words();
            let sample = match side {
                Side::Seen => "in kind card { in seen by v { except shown: yes if card.shown } }",
                Side::Back => "in kind card { in back { + of: owner } }",
            };
            self.diagnostics.push(
                Diagnostic::error("amend::missing", part.span, format!("`{words}` belongs to a kind"))
                    .help(format!("open the kind first: `{sample}`")),
            );
            return None;
        };
        let Some(found) = self.face(kind, side) else {
            self.no_face(kind, side, part.span);
            return None;
        };
        let viewer = (side == Side::Seen).then(|| part.name.clone());
        let declared = found.rule.params.first().map(|param| param.name.span);
        if let (Some(viewer), Some(declared)) = (&viewer, declared) {
            self.merged.uses.note(viewer.span, DefinitionKind::Variable, declared);
        }
        Some(Place::Face(Face { kind, side, viewer }))
    }

    /// Notes a change of one of them, of the part at the path.
    pub(super) fn edit_face(&mut self, face: &Face, kind: RuleEdit, (op, path): (Op, &[String]), span: Span) {
        // A back is what it is for the whole game.
        if face.side == Side::Back && self.is_conditional(span) {
            return;
        }
        let (layer, under) = (self.layer, self.condition());
        let of = self.merged.kinds[face.kind].name.clone();
        let names: Option<Vec<Param>> = face.viewer.as_ref().map(|viewer| heading(&of, viewer));
        let mut whole = vec![format!("kind {}", of.text), face.side.words().to_owned()];
        whole.extend(path.iter().cloned());
        if let Some(merged) = self.face_mut(face.kind, face.side) {
            merged.edits.push(Edit { layer, under, names, kind, span });
        }
        self.note(whole, op, span);
    }

    /// `replace seen by v: …`, `replace back: …`
    pub(super) fn replace_face(&mut self, kind: usize, member: &Member, whole: bool, span: Span) {
        let of = self.merged.kinds[kind].name.clone();
        let Some((side, rule)) = rule_of(&of, member) else { return };
        if self.face(kind, side).is_none() {
            self.no_face(kind, side, span);
            return;
        }
        let face = Face { kind, side, viewer: None };
        let op = if whole { Op::Whole } else { Op::Put };
        self.edit_face(&face, RuleEdit::Body { rule: Box::new(rule), whole }, (op, &[]), span);
    }

    fn face(&self, kind: usize, side: Side) -> Option<&MergedRule> {
        let kind = &self.merged.kinds[kind];
        match side {
            Side::Seen => kind.seen.as_ref(),
            Side::Back => kind.back.as_ref(),
        }
    }

    pub(super) fn face_mut(&mut self, kind: usize, side: Side) -> Option<&mut MergedRule> {
        let kind = &mut self.merged.kinds[kind];
        match side {
            Side::Seen => kind.seen.as_mut(),
            Side::Back => kind.back.as_mut(),
        }
    }

    /// Rows stand where only clauses can.
    pub(super) fn no_rows(&mut self, face: &Face, span: Span) {
        let message = format!("`{}` has no rows", face.side.words());
        self.diagnostics.push(
            Diagnostic::error("amend::missing", span, message)
                .help("what holds in some cases is a clause: `except label: yes if …`"),
        );
    }

    /// The kind says nothing of that.
    fn no_face(&mut self, kind: usize, side: Side, span: Span) {
        let name = &self.merged.kinds[kind].name;
        let words = side.words();
        let viewer = match side {
            Side::Seen => " v",
            Side::Back => "",
        };
        self.diagnostics.push(
            Diagnostic::error("amend::missing", span, format!("`{}` has no `{words}` to change", name.text))
                .related(name.span, "the kind")
                .help(format!(
                    "to add one, write `{words}{viewer}: …` in the braces of `in kind {} {{ … }}`",
                    name.text
                )),
        );
    }
}
