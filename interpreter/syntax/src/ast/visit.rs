//! Visitors of procedures and expressions as written, in the written order: one that reads and one that changes. Every
//! method goes on to the parts by the `walk_…` of its name; a new statement or expression is entered here.

use super::*;

/// Makes a visitor: a trait and the walks to the parts, which differ only in `&` or `&mut`. `'t` is the life of the
/// tree.
macro_rules! visitor {
    ($(#[$doc:meta])* $Visit:ident, $iter:ident, [$($mutable:tt)?],
     $block:ident $walk_block:ident, $statement:ident $walk_statement:ident, $choose:ident $walk_choose:ident,
     $option:ident $walk_option:ident, $clause:ident $walk_clause:ident, $text:ident $walk_text:ident,
     $expr:ident $walk_expr:ident, $query:ident $walk_query:ident) => {
        $(#[$doc])*
        pub trait $Visit<'t> {
            /// A block.
            fn $block(&mut self, block: &'t $($mutable)? Block) {
                $walk_block(self, block);
            }
            /// A statement.
            fn $statement(&mut self, statement: &'t $($mutable)? Statement) {
                $walk_statement(self, statement);
            }
            /// A choice.
            fn $choose(&mut self, choose: &'t $($mutable)? Choose) {
                $walk_choose(self, choose);
            }
            /// An option of a choice.
            fn $option(&mut self, option: &'t $($mutable)? ChoiceOption) {
                $walk_option(self, option);
            }
            /// A clause of a rule, a need of an option, a law of a step.
            fn $clause(&mut self, clause: &'t $($mutable)? Clause) {
                $walk_clause(self, clause);
            }
            /// A text.
            fn $text(&mut self, text: &'t $($mutable)? Text) {
                $walk_text(self, text);
            }
            /// An expression.
            fn $expr(&mut self, expr: &'t $($mutable)? Expr) {
                $walk_expr(self, expr);
            }
            /// A query.
            fn $query(&mut self, query: &'t $($mutable)? Query) {
                $walk_query(self, query);
            }
        }

        /// The statements of a block.
        pub fn $walk_block<'t, V: $Visit<'t> + ?Sized>(visitor: &mut V, block: &'t $($mutable)? Block) {
            block.statements.$iter().for_each(|statement| visitor.$statement(statement));
        }

        /// The parts of a statement.
        pub fn $walk_statement<'t, V: $Visit<'t> + ?Sized>(
            visitor: &mut V,
            statement: &'t $($mutable)? Statement,
        ) {
            match &$($mutable)? statement.kind {
                StatementKind::Let(_, value) | StatementKind::Do(value) => visitor.$expr(value),
                StatementKind::If(condition, then, otherwise) => {
                    visitor.$expr(condition);
                    visitor.$block(then);
                    otherwise.$iter().for_each(|block| visitor.$block(block));
                }
                StatementKind::For { name: _, sources, filter, body, otherwise } => {
                    sources.$iter().chain(filter).for_each(|expr| visitor.$expr(expr));
                    visitor.$block(body);
                    otherwise.$iter().for_each(|block| visitor.$block(block));
                }
                StatementKind::With { name: _, value, body, otherwise } => {
                    visitor.$expr(value);
                    visitor.$block(body);
                    otherwise.$iter().for_each(|block| visitor.$block(block));
                }
                StatementKind::While(condition, body) => {
                    visitor.$expr(condition);
                    visitor.$block(body);
                }
                StatementKind::Case { subject, whens, otherwise } => {
                    visitor.$expr(subject);
                    for when in whens {
                        when.values.$iter().for_each(|value| visitor.$expr(value));
                        when.title.$iter().for_each(|title| visitor.$text(title));
                        visitor.$block(&$($mutable)? when.body);
                    }
                    otherwise.$iter().for_each(|block| visitor.$block(block));
                }
                StatementKind::Return(value) => value.$iter().for_each(|value| visitor.$expr(value)),
                StatementKind::Choose(choose) => visitor.$choose(choose),
                StatementKind::Say { announce: _, text } => visitor.$text(text),
                StatementKind::Assign { target, op: _, value } => {
                    visitor.$expr(target);
                    visitor.$expr(value);
                }
                StatementKind::Stop => {}
            }
        }

        /// The parts of a choice.
        pub fn $walk_choose<'t, V: $Visit<'t> + ?Sized>(visitor: &mut V, choose: &'t $($mutable)? Choose) {
            match &$($mutable)? choose.by {
                Chooser::One(player) => visitor.$expr(player),
                Chooser::Each { name: _, source, filter } => {
                    visitor.$expr(source);
                    filter.$iter().for_each(|filter| visitor.$expr(filter));
                }
            }
            choose.prompt.$iter().for_each(|prompt| visitor.$text(prompt));
            choose.options.$iter().for_each(|option| visitor.$option(option));
            choose.otherwise.$iter().for_each(|block| visitor.$block(block));
        }

        /// The parts of an option.
        pub fn $walk_option<'t, V: $Visit<'t> + ?Sized>(
            visitor: &mut V,
            option: &'t $($mutable)? ChoiceOption,
        ) {
            for binder in option.binders.$iter() {
                visitor.$expr(&$($mutable)? binder.source);
                binder.filter.$iter().for_each(|filter| visitor.$expr(filter));
            }
            option.label.$iter().for_each(|label| visitor.$text(label));
            option.needs.$iter().for_each(|need| visitor.$clause(need));
            visitor.$block(&$($mutable)? option.body);
        }

        /// The parts of a clause.
        pub fn $walk_clause<'t, V: $Visit<'t> + ?Sized>(visitor: &mut V, clause: &'t $($mutable)? Clause) {
            match &$($mutable)? clause.kind {
                ClauseKind::Except { beats: _, value, when } | ClauseKind::Modify { minus: _, value, when } => {
                    visitor.$expr(value);
                    when.$iter().for_each(|when| visitor.$expr(when));
                }
                ClauseKind::Need { when, condition, reason } => {
                    when.$iter().for_each(|when| visitor.$expr(when));
                    visitor.$expr(condition);
                    reason.$iter().for_each(|reason| visitor.$text(reason));
                }
                ClauseKind::Known { when } => when.$iter().for_each(|when| visitor.$expr(when)),
            }
        }

        /// The holes of a text.
        pub fn $walk_text<'t, V: $Visit<'t> + ?Sized>(visitor: &mut V, text: &'t $($mutable)? Text) {
            for piece in text.pieces.$iter() {
                match piece {
                    Piece::Hole(expr) | Piece::Plural(expr, _) => visitor.$expr(expr),
                    Piece::Plain(_) => {}
                }
            }
        }

        /// The direct parts of an expression; the target of a dot comes before its arguments.
        pub fn $walk_expr<'t, V: $Visit<'t> + ?Sized>(visitor: &mut V, expr: &'t $($mutable)? Expr) {
            match &$($mutable)? expr.kind {
                ExprKind::Number(_) | ExprKind::Flag(_) | ExprKind::None | ExprKind::Thing(_) => {}
                ExprKind::Text(text) => visitor.$text(text),
                ExprKind::Call(call) => call.args.$iter().for_each(|arg| visitor.$expr(arg)),
                ExprKind::Dot(target, call) => {
                    visitor.$expr(target);
                    call.args.$iter().for_each(|arg| visitor.$expr(arg));
                }
                ExprKind::Not(inner) | ExprKind::Rounded(_, inner) => visitor.$expr(inner),
                ExprKind::Binary(_, a, b) | ExprKind::Range(a, b) | ExprKind::Otherwise(a, b) => {
                    visitor.$expr(a);
                    visitor.$expr(b);
                }
                ExprKind::Query(query) => visitor.$query(query),
                ExprKind::List(items) => items.$iter().for_each(|item| visitor.$expr(item)),
            }
        }

        /// The parts of a query.
        pub fn $walk_query<'t, V: $Visit<'t> + ?Sized>(visitor: &mut V, query: &'t $($mutable)? Query) {
            let Query { quantifier: _, name: _, source, filter, by, within, holds } = query;
            visitor.$expr(source);
            filter.$iter().for_each(|part| visitor.$expr(part));
            by.$iter().for_each(|key| visitor.$expr(key));
            for part in [within, holds] {
                part.$iter().for_each(|part| visitor.$expr(part));
            }
        }
    };
}

visitor!(
    /// Something that reads the tree.
    Visit, iter, [],
    visit_block walk_block, visit_statement walk_statement, visit_choose walk_choose,
    visit_option walk_option, visit_clause walk_clause, visit_text walk_text,
    visit_expr walk_expr, visit_query walk_query
);

visitor!(
    /// Something that changes the tree.
    VisitMut, iter_mut, [mut],
    visit_block_mut walk_block_mut, visit_statement_mut walk_statement_mut, visit_choose_mut walk_choose_mut,
    visit_option_mut walk_option_mut, visit_clause_mut walk_clause_mut, visit_text_mut walk_text_mut,
    visit_expr_mut walk_expr_mut, visit_query_mut walk_query_mut
);
