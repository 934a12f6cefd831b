//! The flat rulebook as text: library, game and variants laid together, amendments applied, every line with the place
//! that it comes from.

use blazon_diagnostics::Span;
use blazon_syntax::ast::print::{before_comma, expr, listed, ruling_value, text};
use blazon_syntax::ast::{
    AssignOp, Back, Block, Choose, Chooser, Cite, Clause, ClauseKind, Expr, Fact, FactLine, Name, Param,
    PlacingLine, Row, Rule, Stagger, State, Statement, StatementKind, Step, Type, TypeKind,
};

use crate::hygiene::shown;
use crate::merge::merged::{ColumnDecl, FactChange, Merged, MergedColumn, Scope};
use crate::project::Parsed;
use crate::references::Uses;

/// A line of the flat rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it says, indented.
    pub text: String,
    /// Where it comes from; lines that only close a brace come from nowhere.
    pub origin: Option<Span>,
    /// The paragraphs that it cites.
    pub cites: Vec<String>,
    /// The item that begins with it, by its word and name; none for the lines inside.
    pub opens: Option<String>,
}

/// Prints the flat rulebook of a project, tests left out.
pub fn print(parsed: &Parsed) -> Vec<Line> {
    let mut quiet = Vec::new();
    let merged = crate::merge::merge(parsed, Uses::default(), &mut quiet);
    let mut printer = Printer { lines: Vec::new(), depth: 0 };
    printer.merged(&merged);
    printer.lines
}

struct Printer {
    lines: Vec<Line>,
    depth: usize,
}

impl Printer {
    fn line(&mut self, text: impl Into<String>, origin: Span, cites: &[Cite]) {
        let text = format!("{}{}", "  ".repeat(self.depth), shown(text.into()));
        let cites = cites.iter().map(|cite| cite.text.clone()).collect();
        self.lines.push(Line { text, origin: Some(origin), cites, opens: None });
    }

    /// The first line of an item.
    fn heading(&mut self, item: String, text: impl Into<String>, origin: Span, cites: &[Cite]) {
        self.line(text, origin, cites);
        if let Some(line) = self.lines.last_mut() {
            line.opens = Some(item);
        }
    }

    fn close(&mut self) {
        self.depth -= 1;
        let text = format!("{}}}", "  ".repeat(self.depth));
        self.lines.push(Line { text, origin: None, cites: Vec::new(), opens: None });
    }

    fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.text.is_empty()) {
            self.lines.push(Line { text: String::new(), origin: None, cites: Vec::new(), opens: None });
        }
    }

    fn merged(&mut self, merged: &Merged) {
        for kind in &merged.kinds {
            self.kind(merged, kind);
        }
        for column in merged.columns.iter().filter(|column| column.owner.is_none()) {
            self.column(column);
            if let Some(line) = self.lines.last_mut() {
                let of =
                    crate::merge::merged::first_key(column).map(|key| format!("({key})")).unwrap_or_default();
                line.opens = Some(format!("fact or state {}{of}", column.decl.name().text));
            }
        }
        for table in &merged.tables {
            self.gap();
            let fixed = fixed(&table.fixed);
            let heading = format!("table {}{fixed}", table.kind.text);
            self.heading(heading.clone(), heading, table.span, &table.cites);
            self.depth += 1;
            self.rows(&table.rows);
            for row in &table.named_rows {
                let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
                self.line(format!("{}: {}", row.thing.text, cells.join("; ")), row.span, &row.cites);
            }
            self.depth -= 1;
        }
        for change in &merged.fact_values {
            let item = format!("fact {}({})", change.name.text, listed(&change.args));
            let text = match &change.change {
                FactChange::Put(values) => format!("{item} = {}", listed(values)),
                FactChange::Members(lines) => {
                    let line = |line: &FactLine| {
                        format!("{} {}", if line.minus { "-" } else { "+" }, listed(&line.members))
                    };
                    let lines: Vec<String> = lines.iter().map(line).collect();
                    format!("in {item} {{ {} }}", lines.join("; "))
                }
            };
            self.heading(item, text, change.name.span, &[]);
        }
        for (kind, row) in &merged.overrides {
            let item = format!("in table {kind}: {}", row.thing.text);
            let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
            let text = format!("in table {kind} {{ replace {}: {} }}", row.thing.text, cells.join("; "));
            self.heading(item, text, row.span, &row.cites);
        }
        for grid in &merged.grids {
            self.gap();
            let lie = stagger(grid.stagger);
            let text = format!("grid {} by {}, {lie}", grid.kind.text, grid.fact.text);
            self.heading(format!("grid {}", grid.kind.text), text, grid.span, &grid.cites);
        }
        // What a list says in words is left out of it; what a grid or a row makes stands in none.
        let mut unlisted: Vec<bool> = vec![true; merged.removed_links.len()];
        for (list, links) in merged.links.iter().enumerate() {
            self.gap();
            let heading = format!("links {}{}", links.kind.text, fixed(&links.fixed));
            self.heading(heading.clone(), heading, links.span, &links.cites);
            self.depth += 1;
            self.rows(&links.rows);
            for link in links.links.iter().filter(|link| !merged.moved_links.contains(&link.span)) {
                let removed = merged.removed_links.iter().position(|removed| removed.takes(list, link));
                if let Some(removed) = removed {
                    unlisted[removed] = false;
                    continue;
                }
                self.line(format!("{} - {}", link.from.text, link.to.text), link.span, &[]);
            }
            self.depth -= 1;
        }
        if unlisted.contains(&true) {
            self.gap();
        }
        for (removed, _) in merged.removed_links.iter().zip(&unlisted).filter(|(_, unlisted)| **unlisted) {
            let (from, to) = (&removed.link.from.text, &removed.link.to.text);
            let within = match removed.scope {
                Scope::Everywhere => String::new(),
                Scope::List(list) | Scope::Replaced(list) => {
                    let links = &merged.links[list];
                    format!(" in links {}{}", links.kind.text, fixed(&links.fixed))
                }
            };
            let word = if matches!(removed.scope, Scope::Replaced(_)) { "replace" } else { "remove" };
            self.line(format!("{word} {from} - {to}{within}"), removed.link.span, &[]);
        }
        self.gap();
        for ruling in &merged.rulings {
            let values: Vec<String> = ruling.values.iter().map(ruling_value).collect();
            self.heading(
                format!("ruling {}", ruling.name.text),
                format!("ruling {}: {}", ruling.name.text, values.join(" or ")),
                ruling.span,
                &ruling.cites,
            );
        }
        for setup in &merged.setups {
            self.gap();
            let keys: Vec<&str> = setup.placing.keys.iter().map(|key| key.text.as_str()).collect();
            let title = setup.title.as_ref().map(|t| format!(" {}", text(t))).unwrap_or_default();
            let placed = setup.placing.kind.as_ref();
            let placed =
                placed.map(|kind| format!(" ({}: {})", kind.text, keys.join(", "))).unwrap_or_default();
            let heading = format!("setup {}{title}{placed} {{", setup.name.text);
            let item = format!("setup {}", setup.name.text);
            self.heading(item, heading, setup.span, &setup.placing.cites);
            self.depth += 1;
            self.placing(&setup.placing.lines);
            self.close();
        }
        for rule in merged.rules.iter() {
            self.gap();
            let rule = &rule.rule;
            let base = rule.base.as_ref().map(|base| format!(" = {}", expr(base))).unwrap_or_default();
            let title = rule.title.as_ref().map(|title| format!(" {}", text(title))).unwrap_or_default();
            let heading =
                format!("rule {}{}: {}{title}{base}", rule.name.text, params(&rule.params), ty(&rule.ty));
            // Rules of one name are told apart by what they are asked of.
            let of = rule.params.first().map(|param| format!("({})", ty(&param.ty))).unwrap_or_default();
            self.heading(format!("rule {}{of}", rule.name.text), heading, rule.span, &rule.cites);
            self.depth += 1;
            self.rows(&rule.rows);
            for part in &rule.clauses {
                self.line(clause(part), part.span, &part.cites);
            }
            self.depth -= 1;
        }
        for watch in &merged.watches {
            self.gap();
            let heading = format!("whenever {}: {} {{", watch.name.text, expr(&watch.condition));
            let item = format!("whenever {}", watch.name.text);
            self.heading(item, heading, watch.span, &watch.cites);
            self.body(&watch.body);
            self.close();
        }
        for invariant in &merged.invariants {
            self.gap();
            let reason = invariant.reason.as_ref().map(|t| format!(" else {}", text(t))).unwrap_or_default();
            let item = format!("invariant {}", invariant.name.text);
            let line = format!("{item}: {}{reason}", expr(&invariant.condition));
            self.heading(item, line, invariant.span, &invariant.cites);
        }
        for look in &merged.looks {
            self.gap();
            let values: Vec<&str> = look.values.iter().map(|value| value.text.as_str()).collect();
            let values = if values.is_empty() { "none".to_owned() } else { values.join(", ") };
            let item = format!("look {}", look.name.text);
            self.heading(item.clone(), format!("{item}: {values}"), look.span, &look.cites);
        }
        for step in &merged.steps {
            self.gap();
            self.step(&step.step);
        }
    }

    fn kind(&mut self, merged: &Merged, kind: &crate::merge::merged::MergedKind) {
        self.gap();
        let plural = kind.plural.as_ref().map(|plural| format!(" ({})", plural.text)).unwrap_or_default();
        let ends = kind.ends.as_ref().map(|(a, b)| format!(" = {} - {}", a.text, b.text)).unwrap_or_default();
        let things: Vec<&str> = kind.things.iter().map(|thing| thing.text.as_str()).collect();
        let things = if things.is_empty() { String::new() } else { format!(" = {}", things.join(", ")) };
        let own =
            |column: &&MergedColumn| column.owner.as_ref().is_some_and(|owner| owner.text == kind.name.text);
        let columns: Vec<&MergedColumn> = merged.columns.iter().filter(own).collect();
        let bare = columns.is_empty() && kind.seen.is_none() && kind.back.is_none();
        let brace = if bare { "" } else { " {" };
        let heading = format!("kind {}{plural}{ends}{things}{brace}", kind.name.text);
        // Of several pages that declare it the one is named that lists its things.
        let first = kind.things.iter().next();
        let lists = |span: &&Span| first.is_some_and(|thing| thing.span.source == span.source);
        let origin = kind.spans.iter().find(lists).copied().unwrap_or(kind.name.span);
        self.heading(format!("kind {}", kind.name.text), heading, origin, &kind.cites);
        if bare {
            return;
        }
        self.depth += 1;
        for column in columns {
            self.column(column);
        }
        if let Some(seen) = &kind.seen {
            self.seen(&seen.rule);
        }
        if let Some(back) = &kind.back {
            self.back(&back.rule);
        }
        self.close();
    }

    fn seen(&mut self, rule: &Rule) {
        let viewer = rule.params.first().map(|viewer| viewer.name.text.as_str()).unwrap_or_default();
        let base = rule.base.as_ref().map(expr).unwrap_or_default();
        self.line(format!("seen by {viewer}: {base}"), rule.span, &rule.cites);
        self.depth += 1;
        for part in &rule.clauses {
            self.line(clause(part), part.span, &part.cites);
        }
        self.depth -= 1;
    }

    fn back(&mut self, rule: &Rule) {
        let base = rule.base.as_ref().map(back_names).unwrap_or_default();
        self.line(format!("back: {base}"), rule.span, &rule.cites);
        self.depth += 1;
        for part in &rule.clauses {
            let ClauseKind::Modify { minus, value, .. } = &part.kind else { continue };
            let sign = if *minus { "-" } else { "+" };
            let label = part.label.as_ref().map(|label| format!("{}: ", label.text)).unwrap_or_default();
            self.line(format!("{sign} {label}{}", back_names(value)), part.span, &part.cites);
        }
        self.depth -= 1;
    }

    fn column(&mut self, column: &MergedColumn) {
        match &column.decl {
            ColumnDecl::Fact(Fact { name, keys, ty: t, value, cites, span }) => {
                let value = value.as_ref().map(|v| format!(" = {}", expr(v))).unwrap_or_default();
                self.line(format!("fact {}{}: {}{value}", name.text, key_list(keys), ty(t)), *span, cites);
            }
            ColumnDecl::State(State { name, keys, ty: t, start, fresh, cites, span }) => {
                let start = start.as_ref().map(|v| format!(" = {}", expr(v))).unwrap_or_default();
                let steps: Vec<&str> = fresh.iter().map(|step| step.text.as_str()).collect();
                let fresh = if steps.is_empty() {
                    String::new()
                } else {
                    format!(", fresh each {}", steps.join(", "))
                };
                self.line(
                    format!("state {}{}: {}{start}{fresh}", name.text, key_list(keys), ty(t)),
                    *span,
                    cites,
                );
            }
        }
    }

    fn rows(&mut self, rows: &[Row]) {
        for row in rows {
            let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
            self.line(format!("| {} |", cells.join(" | ")), row.span, &row.cites);
        }
    }

    fn placing(&mut self, lines: &[PlacingLine]) {
        for line in lines {
            match line {
                PlacingLine::Others { values, span } => {
                    self.line(format!("others: {}", placed_values(values)), *span, &[]);
                }
                PlacingLine::Group { heading, lines } => {
                    self.line(format!("{} {{", heading.text), heading.span, &[]);
                    self.depth += 1;
                    self.placing(lines);
                    self.close();
                }
                PlacingLine::Placed { things, values, cites, span } => {
                    let things: Vec<String> = things
                        .iter()
                        .map(|(thing, number)| match number {
                            Some(number) => format!("{} {number}", thing.text),
                            None => thing.text.clone(),
                        })
                        .collect();
                    self.line(format!("{}: {}", things.join(", "), placed_values(values)), *span, cites);
                }
                PlacingLine::Assign(statement) => self.statement(statement),
            }
        }
    }

    fn step(&mut self, step: &Step) {
        let result = step.ty.as_ref().map(|t| format!(": {}", ty(t))).unwrap_or_default();
        let heading = format!("step {}{}{result}", step.name.text, params(&step.params));
        let item = format!("step {}", step.name.text);
        if step.laws.is_empty() {
            self.heading(item, format!("{heading} {{"), step.span, &step.cites);
        } else {
            self.heading(item, heading, step.span, &step.cites);
            self.depth += 1;
            for law in &step.laws {
                self.line(clause(law), law.span, &law.cites);
            }
            self.depth -= 1;
            self.line("{", step.span, &[]);
        }
        self.body(&step.body);
        self.close();
    }

    /// The statements of a block, one level deeper; the caller closes it.
    fn body(&mut self, block: &Block) {
        self.depth += 1;
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn otherwise(&mut self, block: Option<&Block>) {
        if let Some(block) = block {
            self.depth -= 1;
            self.line("} else {", block.span, &[]);
            self.body(block);
        }
        self.close();
    }

    fn statement(&mut self, statement: &Statement) {
        let (span, cites) = (statement.span, &statement.cites);
        match &statement.kind {
            StatementKind::Let(name, value) => {
                self.line(format!("let {} = {}", name.text, expr(value)), span, cites)
            }
            StatementKind::If(condition, then, otherwise) => {
                self.line(format!("if {} {{", expr(condition)), span, cites);
                self.body(then);
                self.otherwise(otherwise.as_ref());
            }
            StatementKind::For { name, sources, filter, body, otherwise } => {
                let filter = filter.as_ref().map(|f| format!(" where {}", expr(f))).unwrap_or_default();
                self.line(format!("for {} in {}{filter} {{", name.text, listed(sources)), span, cites);
                self.body(body);
                self.otherwise(otherwise.as_ref());
            }
            StatementKind::With { name, value, body, otherwise } => {
                self.line(format!("with {} = {} {{", name.text, expr(value)), span, cites);
                self.body(body);
                self.otherwise(otherwise.as_ref());
            }
            StatementKind::While(condition, body) => {
                self.line(format!("while {} {{", expr(condition)), span, cites);
                self.body(body);
                self.close();
            }
            StatementKind::Case { subject, whens, otherwise } => {
                self.line(format!("case {} {{", expr(subject)), span, cites);
                self.depth += 1;
                for when in whens {
                    let title = when.title.as_ref().map(|t| format!(" {}", text(t))).unwrap_or_default();
                    self.line(format!("when {}{title} {{", listed(&when.values)), when.span, &when.cites);
                    self.body(&when.body);
                    self.close();
                }
                if let Some(block) = otherwise {
                    self.line("else {", block.span, &[]);
                    self.body(block);
                    self.close();
                }
                self.close();
            }
            StatementKind::Stop => self.line("stop", span, cites),
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|v| format!(" {}", expr(v))).unwrap_or_default();
                self.line(format!("return{value}"), span, cites);
            }
            StatementKind::Choose(choose) => self.choose(choose),
            StatementKind::Say { announce, text: t } => {
                let word = if *announce { "announce" } else { "say" };
                self.line(format!("{word} {}", text(t)), span, cites);
            }
            StatementKind::Assign { target, op, value } => {
                let op = match op {
                    AssignOp::Set => ":=",
                    AssignOp::Add => "+=",
                    AssignOp::Take => "-=",
                };
                self.line(format!("{} {op} {}", expr(target), expr(value)), span, cites);
            }
            StatementKind::Do(what) => self.line(expr(what), span, cites),
        }
    }

    fn choose(&mut self, choose: &Choose) {
        let by = match &choose.by {
            Chooser::One(who) => expr(who),
            Chooser::Each { name, source, filter } => {
                let filter = filter.as_ref().map(|f| format!(" where {}", expr(f))).unwrap_or_default();
                format!("each {} in {}{filter}", name.text, expr(source))
            }
        };
        let prompt = choose.prompt.as_ref().map(|t| format!(" {}", text(t))).unwrap_or_default();
        let name = choose.name.as_ref().map(|name| format!("{} ", name.text)).unwrap_or_default();
        self.line(format!("choose {name}by {by}{prompt} {{"), choose.span, &choose.cites);
        self.depth += 1;
        for option in &choose.options {
            let binders: Vec<String> = option
                .binders
                .iter()
                .map(|binder| {
                    let filter =
                        binder.filter.as_ref().map(|f| format!(" where {}", expr(f))).unwrap_or_default();
                    let named = if binder.by_name { "named " } else { "" };
                    format!("{named}{} in {}{filter}", binder.name.text, before_comma(&binder.source))
                })
                .collect();
            let binders =
                if binders.is_empty() { String::new() } else { format!("({})", binders.join(", ")) };
            let label = option.label.as_ref().map(|t| format!(" {}", text(t))).unwrap_or_default();
            let brace = if option.needs.is_empty() { " {" } else { "" };
            self.line(
                format!("option {}{binders}{label}{brace}", option.name.text),
                option.span,
                &option.cites,
            );
            if !option.needs.is_empty() {
                self.depth += 1;
                for need in &option.needs {
                    self.line(clause(need), need.span, &need.cites);
                }
                self.depth -= 1;
                self.line("{", option.body.span, &[]);
            }
            self.body(&option.body);
            self.close();
        }
        self.otherwise(choose.otherwise.as_ref());
    }
}

/// The names of a back.
fn back_names(value: &Expr) -> String {
    let names: Vec<&str> = Back::names(value).map(|name| name.text.as_str()).collect();
    names.join(", ")
}

fn key_list(keys: &[Name]) -> String {
    let keys: Vec<&str> = keys.iter().map(|key| key.text.as_str()).collect();
    if keys.is_empty() { String::new() } else { format!("({})", keys.join(", ")) }
}

fn fixed(fixed: &[(Name, Expr)]) -> String {
    let parts: Vec<String> =
        fixed.iter().map(|(name, value)| format!("{}: {}", name.text, before_comma(value))).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// The heading of a rule as it is written: its name, its parameters and its type.
pub(crate) fn rule_heading(rule: &Rule) -> String {
    format!("{}{}: {}", rule.name.text, params(&rule.params), ty(&rule.ty))
}

fn params(params: &[Param]) -> String {
    let params: Vec<String> = params.iter().map(|p| format!("{}: {}", p.name.text, ty(&p.ty))).collect();
    if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) }
}

fn ty(ty: &Type) -> String {
    let name = match &ty.kind {
        TypeKind::Named(name) => name.text.clone(),
        TypeKind::SetOf(name) => format!("set of {}", name.text),
        TypeKind::Range(lo, hi) => format!("{lo}..{hi}"),
    };
    if ty.optional { format!("{name}?") } else { name }
}

/// How the things of a grid lie, as it is written.
fn stagger(stagger: Stagger) -> &'static str {
    match stagger {
        Stagger::Columns { even: true } => "even columns low",
        Stagger::Columns { even: false } => "odd columns low",
        Stagger::Rows { even: true } => "even rows right",
        Stagger::Rows { even: false } => "odd rows right",
        Stagger::Squares => "squares",
    }
}

fn clause(clause: &Clause) -> String {
    let label = clause.label.as_ref().map(|label| label.text.as_str());
    let head = |word: &str, more: &str| match label {
        Some(label) => format!("{word} {label}{more}: "),
        None => format!("{word} "),
    };
    let condition =
        |when: &Option<Expr>| when.as_ref().map(|w| format!(" if {}", expr(w))).unwrap_or_default();
    match &clause.kind {
        ClauseKind::Except { beats, value, when } => {
            let names: Vec<&str> = beats.iter().map(|name| name.text.as_str()).collect();
            let beats = if names.is_empty() { String::new() } else { format!(" beats {}", names.join(", ")) };
            format!("{}{}{}", head("except", &beats), expr(value), condition(when))
        }
        ClauseKind::Modify { minus, value, when } => {
            format!("{}{}{}", head(if *minus { "-" } else { "+" }, ""), expr(value), condition(when))
        }
        ClauseKind::Need { when, condition, reason } => {
            let reason = reason.as_ref().map(|r| format!(" else {}", text(r))).unwrap_or_default();
            let head = match (when, &clause.label) {
                (None, _) => head("needs", ""),
                (Some(when), None) => format!("needs if {}: ", expr(when)),
                (Some(when), Some(label)) => format!("needs {} if {}: ", label.text, expr(when)),
            };
            format!("{head}{}{reason}", expr(condition))
        }
        ClauseKind::Known { when } => format!("known to all{}", condition(when)),
    }
}

/// Values as a line of a setup has them.
fn placed_values(values: &[Name]) -> String {
    values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(", ")
}
