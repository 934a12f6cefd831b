//! What somebody asks beside the rules: any expression that has a value, or an option, whose needs are asked then.

use blazon_book::{Base, RuleId};
use blazon_diagnostics::Diagnostic;
use blazon_syntax::ast;

use crate::infer::options::can::CAN;
use crate::resolve::Function;
use crate::resolve::checker::Checker;
use crate::resolve::env::Env;

impl Checker<'_> {
    /// The rules that answer what is asked beside the rules of the book.
    pub(crate) fn questions(&mut self) -> Vec<RuleId> {
        let parsed = self.parsed;
        parsed.questions.iter().filter_map(|question| self.question(question)).collect()
    }

    fn question(&mut self, written: &ast::Expr) -> Option<RuleId> {
        let mut question = written.clone();
        self.ask_option(&mut question);
        let mut env = Env::default();
        let Some(checked) = self.expr(&mut env, &question, None) else {
            self.hole(&mut env, &question, crate::infer::holes::UNKNOWN);
            return None;
        };
        match checked.ty.base {
            Base::Flag | Base::Number(..) | Base::Thing(_) | Base::Set(_) | Base::Die | Base::Permission => {
                Some(self.make_rule("question", &env.locals, checked, written.span))
            }
            Base::Dice | Base::Text | Base::Point | Base::Numbers | Base::Nothing | Base::Unknown => {
                let shown = self.show_one(checked.ty);
                let message = format!("{shown} cannot be asked for");
                self.diagnostics.push(
                    Diagnostic::error("types::mismatch", written.span, message)
                        .help("ask for a number, a yes or no, a thing or a set of things"),
                );
                self.empty_hole(checked.ty, Vec::new(), written.span);
                None
            }
        }
    }

    /// An option's name with arguments asks whether it is open, unless something else that is asked has the name:
    /// `march(…)` for `can march(…)`.
    fn ask_option(&self, question: &mut ast::Expr) {
        let name = match &mut question.kind {
            ast::ExprKind::Call(call) | ast::ExprKind::Dot(_, call) => &mut call.name,
            ast::ExprKind::Binary(ast::BinaryOp::In, left, _) => return self.ask_option(left),
            ast::ExprKind::Number(_)
            | ast::ExprKind::Text(_)
            | ast::ExprKind::Flag(_)
            | ast::ExprKind::None
            | ast::ExprKind::Thing(_)
            | ast::ExprKind::Not(_)
            | ast::ExprKind::Binary(..)
            | ast::ExprKind::Rounded(..)
            | ast::ExprKind::Range(..)
            | ast::ExprKind::Otherwise(..)
            | ast::ExprKind::Query(_)
            | ast::ExprKind::List(_) => return,
        };
        let is_option = self.offers.iter().any(|offer| offer.name() == name.text);
        let named = self.functions.get(&name.text).into_iter().flatten();
        // A step is nothing that can be asked.
        let is_asked = named.into_iter().any(|function| !matches!(function, Function::Step(_)));
        if is_option && !is_asked {
            name.text = format!("{CAN}{}", name.text);
        }
    }
}
