//! Texts: what is shown of a value is a register and its type.

use blazon_book::{Base, Expr, ExprKind, Piece, Plural, Role, Text};

use crate::ir::{TextInfo, TextPiece};
use crate::lower::function_builder::FunctionBuilder;

impl FunctionBuilder<'_> {
    /// Puts the values of a text into temporaries; answers its number. What is announced is read by all alike.
    pub fn text(&mut self, text: &Text, announce: bool) -> u32 {
        let mut pieces = Vec::new();
        for piece in &text.pieces {
            match piece {
                Piece::Plain(plain) => pieces.push(TextPiece::Plain(plain.clone())),
                Piece::Plural(plural) => {
                    let before = pieces.len();
                    if !announce {
                        self.guard(plural.of.as_ref().unwrap_or(&plural.several), &mut pieces);
                    }
                    let is_guarded = pieces.len() > before;
                    pieces.push(self.plural(plural, is_guarded));
                }
                Piece::Hole(hole) => match self.printed_text(hole) {
                    Some(plain) => pieces.push(TextPiece::Plain(plain)),
                    None => {
                        if !announce {
                            self.guard(hole, &mut pieces);
                        }
                        let reg = self.value(hole);
                        pieces.push(TextPiece::Value(reg, hole.ty));
                    }
                },
            }
        }
        self.lowering.program.texts.push(TextInfo { pieces, span: text.span });
        self.lowering.program.texts.len() as u32 - 1
    }

    fn plural(&mut self, plural: &Plural, is_guarded: bool) -> TextPiece {
        let Plural { of, several, one, many } = plural;
        let several = self.value(several);
        // Whose face everybody sees is the same to all, unless it hangs on another's which thing it is.
        let hides = |of: &&Expr| {
            is_guarded || of.ty.base.kind().is_some_and(|kind| self.book.kind(kind).seen.is_some())
        };
        let of = of.as_ref().filter(hides).map(|of| (self.value(of), of.ty));
        TextPiece::Plural { several, of, one: one.clone(), many: many.clone() }
    }

    /// Puts before a value the things on whose faces it hangs.
    fn guard(&mut self, hole: &Expr, pieces: &mut Vec<TextPiece>) {
        let book = self.book.clone();
        for guard in self.lowering.faces.guards(&book, hole) {
            let reg = self.value(&guard);
            pieces.push(TextPiece::Guard(reg, guard.ty));
        }
    }

    /// A text or point that is printed and known.
    fn printed_text(&self, hole: &Expr) -> Option<String> {
        let (Base::Text | Base::Point, ExprKind::Column(column, keys)) = (hole.ty.base, &hole.kind) else {
            return None;
        };
        let column = self.book.column(*column);
        let Role::Fact(values) = &column.role else { return None };
        let mut at = 0;
        for (key, kind) in keys.iter().zip(&column.keys) {
            at = at * self.book.kind(*kind).things.len() + usize::try_from(self.known(key)?.word()?).ok()?;
        }
        values.get(at)?.words()
    }
}
