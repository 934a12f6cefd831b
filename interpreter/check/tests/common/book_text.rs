//! A book in words: each item with the types that were inferred, the values that were printed, and what stands in it
//! after amendments.

use std::fmt::Write;

use blazon_book::*;
use blazon_diagnostics::Span;

/// A book to be put in words.
pub struct BookText<'b> {
    /// The book.
    pub book: &'b Book,
}

impl BookText<'_> {
    /// The items of all pages but the game's own.
    pub fn added(&self) -> String {
        let file = |span: Span| self.book.sources.place(span);
        self.items(|_, span| {
            let place = file(span);
            place.starts_with("more.blazon") || place.starts_with("variant-")
        })
    }

    /// The items of that name.
    pub fn named(&self, name: &str) -> String {
        self.items(|other, _| other == name)
    }

    fn items(&self, wanted: impl Fn(&str, Span) -> bool) -> String {
        let book = self.book;
        let mut out = String::new();
        for kind in book.kinds.iter().filter(|kind| wanted(&kind.name, kind.span)) {
            out += &self.declared(kind);
        }
        for column in book.columns.iter().filter(|column| wanted(&column.name, column.span)) {
            out += &self.column(column);
        }
        for grid in &book.grids {
            let kind = book.kind(grid.links);
            if wanted(&kind.name, kind.span) {
                let _ = writeln!(
                    out,
                    "grid {} by {}, {:?}",
                    kind.name,
                    book.column(grid.number).name,
                    grid.stagger
                );
            }
        }
        for ruling in book.rulings.iter().filter(|ruling| wanted(&ruling.name, ruling.span)) {
            let values = ruling.values.join(", ");
            let _ = writeln!(out, "ruling {} = {} of {values}", ruling.name, ruling.values[ruling.chosen]);
        }
        for rule in book.rules.iter().filter(|rule| wanted(&rule.name, rule.span)) {
            out += &self.rule(rule);
        }
        let bodies: Vec<StepId> = book
            .watches
            .iter()
            .map(|watch| watch.body)
            .chain(book.setups.iter().map(|setup| setup.body))
            .collect();
        for (place, step) in book.steps.iter().enumerate() {
            // The blocks of watches and setups are shown with them.
            if wanted(&step.name, step.span) && !bodies.contains(&StepId(place as u32)) {
                out += &self.step(step);
            }
        }
        for watch in book.watches.iter().filter(|watch| wanted(&watch.name, watch.span)) {
            out += &self.watch(watch);
        }
        for setup in book.setups.iter().filter(|setup| wanted(&setup.name, setup.span)) {
            let _ = writeln!(out, "setup {}", setup.name);
            self.block(&mut out, 1, &book.step(setup.body).locals, &book.step(setup.body).body);
        }
        out
    }

    fn declared(&self, kind: &Kind) -> String {
        let mut out = format!("kind {} ({})", kind.name, kind.plural);
        if let Some((a, b)) = kind.ends {
            let _ = write!(out, " = {} - {}", self.kind(a), self.kind(b));
        }
        let things: Vec<&str> = kind.things.iter().map(|thing| thing.name.as_str()).collect();
        let _ = writeln!(out, ": {}", things.join(", "));
        if let Some(seen) = &kind.seen {
            let viewer = self.local(&seen.locals, LocalId(0));
            let back: Vec<&str> =
                kind.back.iter().map(|&column| self.book.column(column).name.as_str()).collect();
            let name = if kind.name_on_back { "name " } else { "" };
            let when = self.expr(&seen.locals, &seen.when);
            let _ = writeln!(out, "  seen by {viewer}: {when}; back {name}{}", back.join(", "));
        }
        out
    }

    fn column(&self, column: &Column) -> String {
        let keys: Vec<&str> = column.keys.iter().map(|&key| self.kind(key)).collect();
        let heading = format!("{}({}): {}", column.name, keys.join(", "), self.ty(column.ty));
        match &column.role {
            Role::Fact(values) => {
                let values: Vec<String> =
                    values.iter().map(|value| self.constant(column.ty.base, value)).collect();
                format!("fact {heading} = {}\n", values.join(", "))
            }
            Role::State { start, fresh } => {
                let start =
                    start.as_ref().map(|start| format!(" = {}", self.expr(&start.locals, &start.value)));
                let fresh: String =
                    fresh.iter().map(|&step| format!(" fresh each {}", self.book.step(step).name)).collect();
                format!("state {heading}{}{fresh}\n", start.unwrap_or_default())
            }
        }
    }

    fn params(&self, locals: &[Local], params: usize) -> String {
        let one = |param: &Local| format!("{}: {}", param.name, self.ty(param.ty));
        locals[..params].iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn rule(&self, rule: &Rule) -> String {
        let params = self.params(&rule.locals, rule.params);
        let mut out = format!("rule {}({params}): {}\n", rule.name, self.ty(rule.ty));
        let when = |when: &Option<Expr>| {
            when.as_ref().map_or_else(String::new, |when| format!(" if {}", self.expr(&rule.locals, when)))
        };
        match &rule.body {
            RuleBody::Value { base, exceptions, modifiers } => {
                let _ = writeln!(out, "  = {}", self.expr(&rule.locals, base));
                for exception in exceptions {
                    let beats: Vec<&str> =
                        exception.beats.iter().map(|&other| exceptions[other].label.as_str()).collect();
                    let beats =
                        if beats.is_empty() { String::new() } else { format!(" beats {}", beats.join(", ")) };
                    let value = self.expr(&rule.locals, &exception.value);
                    let when = when(&exception.when);
                    let _ = writeln!(out, "  except {}{beats}: {value}{when}", exception.label);
                }
                for modifier in modifiers {
                    let sign = if modifier.minus { '-' } else { '+' };
                    let value = self.expr(&rule.locals, &modifier.value);
                    let when = when(&modifier.when);
                    let _ = writeln!(out, "  {sign} {}: {value}{when}", modifier.label);
                }
            }
            RuleBody::Permission(needs) => self.needs(&mut out, 1, &rule.locals, needs),
            RuleBody::Table(table) => self.table(&mut out, rule, table),
        }
        out
    }

    fn table(&self, out: &mut String, rule: &Rule, table: &RuleTable) {
        let range = |local: LocalId, (lo, hi): (i64, i64)| {
            let base = rule.locals[local.0 as usize].ty.base;
            match (lo, hi) {
                (lo, hi) if lo == hi => self.word(base, lo),
                (lo, i64::MAX) => format!("{lo}.."),
                (lo, hi) => format!("{lo}..{hi}"),
            }
        };
        let across: Vec<String> =
            table.headings.iter().map(|&heading| range(table.across, heading)).collect();
        let _ = writeln!(out, "  {} across: {}", self.local(&rule.locals, table.across), across.join(", "));
        for row in &table.rows {
            let leading: Vec<String> =
                table.leading.iter().zip(&row.ranges).map(|(&local, &part)| range(local, part)).collect();
            let cells: Vec<String> =
                row.values.iter().map(|cell| self.constant(rule.ty.base, cell)).collect();
            let _ = writeln!(out, "  {}: {}", leading.join(", "), cells.join(", "));
        }
    }

    /// Needs, those inherited from the laws of steps included.
    pub fn needs(&self, out: &mut String, depth: usize, locals: &[Local], needs: &[Need]) {
        for need in needs {
            let reason = need.reason.as_ref().map(|reason| format!(" else {}", self.text(locals, reason)));
            let condition = self.expr(locals, &need.condition);
            let indent = "  ".repeat(depth);
            let _ = writeln!(out, "{indent}needs {}: {condition}{}", need.label, reason.unwrap_or_default());
        }
    }

    fn step(&self, step: &Step) -> String {
        let ty = step.ty.map_or_else(String::new, |ty| format!(": {}", self.ty(ty)));
        let mut out = format!("step {}({}){ty}\n", step.name, self.params(&step.locals, step.params));
        self.block(&mut out, 1, &step.locals, &step.body);
        out
    }

    fn watch(&self, watch: &Watch) -> String {
        let awake: Vec<&str> = watch.awake.iter().map(|&step| self.book.step(step).name.as_str()).collect();
        let awake =
            if awake.is_empty() { String::new() } else { format!(" (awake in {})", awake.join(", ")) };
        let mut out =
            format!("whenever {}: {}{awake}\n", watch.name, self.expr(&watch.locals, &watch.condition));
        let body = self.book.step(watch.body);
        self.block(&mut out, 1, &body.locals, &body.body);
        out
    }
}
