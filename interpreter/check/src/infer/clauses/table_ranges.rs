//! The headings and leading cells of a rule's table: for which values of a parameter a column or row holds.

use blazon_book::{Base, Type};
use blazon_diagnostics::Diagnostic;
use blazon_syntax::ast;

use crate::resolve::checker::Checker;

/// The ends of `..4` and `4..` where nothing is written.
const LEAST: i64 = i64::MIN + 1;
const MOST: i64 = i64::MAX;

impl Checker<'_> {
    /// `3`, `2..4`, `..0`, `6..`, or a thing: what a parameter of this name and type may be.
    pub(crate) fn range_cell(&mut self, cell: &ast::Name, name: &str, ty: Type) -> Option<(i64, i64)> {
        let (text, span) = (&*cell.text, cell.span);
        if let Base::Thing(kind) = ty.base {
            let (_, thing) = self.thing(text.trim_matches('\''), Some(kind), span)?;
            let all = self.named_alike(kind, thing);
            return Some((i64::from(*all.start()), i64::from(*all.end())));
        }
        let range = match text.split_once("..") {
            Some(("", hi)) => hi.trim().parse().ok().map(|hi| (LEAST, hi)),
            Some((lo, "")) => lo.trim().parse().ok().map(|lo| (lo, MOST)),
            Some((lo, hi)) => lo.trim().parse().ok().zip(hi.trim().parse().ok()),
            None => text.parse().ok().map(|n| (n, n)),
        };
        match range {
            Some((low, high)) if low > high => {
                let said = Diagnostic::error("types::mismatch", span, format!("no number lies in `{text}`"));
                self.diagnostics.push(said.help("write the smaller number first"));
                return None;
            }
            Some(range) => self.range_fits(range, cell, name, ty),
            None => self.diagnostics.push(
                Diagnostic::error("tables::cell", span, format!("`{text}` is no number and no range"))
                    .help(format!("it stands for values of `{name}`: write `3`, `2..4`, `..0` or `6..`")),
            ),
        }
        range
    }

    /// Complains if an end that is written is a number that the parameter never is: nobody could ask for it.
    fn range_fits(&mut self, (low, high): (i64, i64), cell: &ast::Name, name: &str, ty: Type) {
        let Base::Number(least, most) = ty.base else { return };
        if (low == LEAST || low >= least) && (high == MOST || high <= most) {
            return;
        }
        self.diagnostics.push(
            Diagnostic::error(
                "types::range",
                cell.span,
                format!("the table is never asked for all of `{}`: `{name}` is {least}..{most}", cell.text),
            )
            .help("keep to that range, leave an end open such as `6..`, or widen the range in the rule's heading"),
        );
    }
}
