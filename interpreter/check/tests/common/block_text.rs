//! The statements of a book's steps in words.

use std::fmt::Write;

use blazon_book::*;

use super::book_text::BookText;

impl BookText<'_> {
    /// Statements, one a line, indented so many times.
    pub fn block(&self, out: &mut String, depth: usize, locals: &[Local], block: &[Statement]) {
        for statement in block {
            self.statement(out, depth, locals, statement);
        }
    }

    fn statement(&self, out: &mut String, depth: usize, locals: &[Local], statement: &Statement) {
        let indent = "  ".repeat(depth);
        let mut line = |text: String| {
            let _ = writeln!(out, "{indent}{text}");
        };
        match &statement.kind {
            StatementKind::Let(local, value) => {
                let ty = self.ty(locals[local.0 as usize].ty);
                line(format!("let {}: {ty} = {}", self.local(locals, *local), self.value(locals, value)));
            }
            StatementKind::Assign { column, keys, op, value } => {
                let sign = match op {
                    AssignOp::Set => ":=",
                    AssignOp::Add => "+=",
                    AssignOp::Take => "-=",
                };
                let name = &self.book.column(*column).name;
                line(format!("{name}({}) {sign} {}", self.args(locals, keys), self.value(locals, value)));
            }
            StatementKind::If(when, then, otherwise) => {
                line(format!("if {}", self.expr(locals, when)));
                self.block(out, depth + 1, locals, then);
                self.otherwise(out, depth, locals, Some(otherwise).filter(|block| !block.is_empty()));
            }
            StatementKind::For { local, sources, filter, body, otherwise } => {
                let filter = filter.as_ref().map(|filter| format!(" where {}", self.expr(locals, filter)));
                let (name, sources) = (self.local(locals, *local), self.args(locals, sources));
                line(format!("for {name} in {sources}{}", filter.unwrap_or_default()));
                self.block(out, depth + 1, locals, body);
                self.otherwise(out, depth, locals, otherwise.as_ref());
            }
            StatementKind::While(when, body) => {
                line(format!("while {}", self.expr(locals, when)));
                self.block(out, depth + 1, locals, body);
            }
            StatementKind::Case { subject, arms, otherwise } => {
                line(format!("case {}", self.local(locals, *subject)));
                for (ranges, body) in arms {
                    let base = locals[subject.0 as usize].ty.base;
                    let ranges: Vec<String> = ranges
                        .iter()
                        .map(|&(lo, hi)| format!("{}..{}", self.word(base, lo), self.word(base, hi)))
                        .collect();
                    let _ = writeln!(out, "{indent}  when {}", ranges.join(", "));
                    self.block(out, depth + 2, locals, body);
                }
                self.otherwise(out, depth, locals, otherwise.as_ref());
            }
            StatementKind::Stop => line("stop".to_owned()),
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|value| format!(" {}", self.value(locals, value)));
                line(format!("return{}", value.unwrap_or_default()));
            }
            StatementKind::Choose(choose) => self.choose(out, depth, locals, choose),
            StatementKind::Say { announce, text } => {
                let word = if *announce { "announce" } else { "say" };
                line(format!("{word} {}", self.text(locals, text)));
            }
            StatementKind::Do(step, args) => {
                line(format!("do {}({})", self.book.step(*step).name, self.args(locals, args)));
            }
            StatementKind::Win(player) => line(format!("win {}", self.expr(locals, player))),
            StatementKind::Invalid(_) => line("hole".to_owned()),
        }
    }

    fn otherwise(&self, out: &mut String, depth: usize, locals: &[Local], block: Option<&Block>) {
        if let Some(block) = block {
            let _ = writeln!(out, "{}else", "  ".repeat(depth));
            self.block(out, depth + 1, locals, block);
        }
    }

    fn value(&self, locals: &[Local], value: &Value) -> String {
        match value {
            Value::Expr(expr) => self.expr(locals, expr),
            Value::Step(step, args) => {
                format!("do {}({})", self.book.step(*step).name, self.args(locals, args))
            }
            Value::Die(sides) => format!("die of {}", self.expr(locals, sides)),
            Value::Dice(sides, count) => {
                format!("{} dice of {}", self.expr(locals, count), self.expr(locals, sides))
            }
            Value::Draw(set, count) => {
                format!("draw {} of {}", self.expr(locals, count), self.expr(locals, set))
            }
        }
    }

    fn choose(&self, out: &mut String, depth: usize, locals: &[Local], choose: &Choose) {
        let indent = "  ".repeat(depth);
        let by = match &choose.by {
            Chooser::One(player) => self.expr(locals, player),
            Chooser::Each(local, players) => {
                format!("each {} in {}", self.local(locals, *local), self.expr(locals, players))
            }
        };
        let prompt = choose.prompt.as_ref().map(|prompt| format!(" {}", self.text(locals, prompt)));
        let _ = writeln!(out, "{indent}choose by {by}{}", prompt.unwrap_or_default());
        for option in &choose.options {
            let binders: Vec<String> = option
                .binders
                .iter()
                .map(|binder| {
                    let filter = binder.filter.as_ref();
                    let filter = filter.map(|filter| format!(" where {}", self.expr(locals, filter)));
                    let source = self.expr(locals, &binder.source);
                    format!("{} in {source}{}", self.local(locals, binder.local), filter.unwrap_or_default())
                })
                .collect();
            let label = option.label.as_ref().map(|label| format!(" {}", self.text(locals, label)));
            let _ = writeln!(
                out,
                "{indent}  option {}({}){}",
                option.name,
                binders.join(", "),
                label.unwrap_or_default()
            );
            self.needs(out, depth + 2, locals, &option.needs);
            self.block(out, depth + 2, locals, &option.body);
        }
        self.otherwise(out, depth, locals, choose.otherwise.as_ref());
    }
}
