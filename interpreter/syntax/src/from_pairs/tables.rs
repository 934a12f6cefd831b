//! Tables, links and setups.

use blazon_diagnostics::Diagnostic;
use blazon_grammar::{Node, Rule};

use super::{Built, Tree, internal};
use crate::ast::{
    Cite, Expr, ExprKind, Grid, Link, Links, Name, NamedRow, Placing, PlacingLine, Row, Setup, Stagger, Table,
};
use crate::messages::{NO_FILE, names_data};

impl Tree {
    /// A table.
    pub(super) fn table(&mut self, node: Node<'_>) -> Built<Table> {
        let mut parts = self.parts(node);
        let kind = self.name(&parts.next()?);
        let mut span = parts.span;
        span.end = kind.span.end;
        let fixed = self.fixed(parts.take(Rule::fixed), &mut span.end)?;
        let file = parts.take(Rule::text).map(|file| self.words(file)).transpose()?;
        span.end = file.as_ref().map_or(span.end, |file| file.span.end);
        let own = parts.cites();
        let (mut rows, mut named_rows) = (Vec::new(), Vec::new());
        for row in parts.rest {
            if row.as_rule() == Rule::row {
                rows.push(self.row(row)?);
            } else {
                named_rows.push(self.named_row(row)?);
            }
        }
        let cites = self.close_cites(own, parts.span);
        Ok(Table { kind, fixed, file, rows, named_rows, cites, span })
    }

    /// Columns with one value; `end` moves to their end.
    pub(super) fn fixed(&mut self, node: Option<Node<'_>>, end: &mut u32) -> Built<Vec<(Name, Expr)>> {
        let Some(node) = node else { return Ok(Vec::new()) };
        *end = self.span(&node).end;
        let mut fixed = Vec::new();
        for column in self.parts(node).run(Rule::fixed_column) {
            let mut parts = self.parts(column);
            let name = self.name(&parts.next()?);
            let value = match parts.take(Rule::expr) {
                Some(value) => self.among(true, |tree| tree.expr(value))?,
                // A flag alone is `yes`.
                None => Expr { kind: ExprKind::Flag(true), span: name.span },
            };
            fixed.push((name, value));
        }
        Ok(fixed)
    }

    /// A row between bars.
    pub(super) fn row(&mut self, node: Node<'_>) -> Built<Row> {
        let mut parts = self.parts(node);
        let cells = parts.run(Rule::cell).iter().map(|cell| self.cell(cell)).collect();
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(Row { cells, cites, span: parts.span })
    }

    /// A row by name.
    pub(super) fn named_row(&mut self, node: Node<'_>) -> Built<NamedRow> {
        let mut parts = self.parts(node);
        let thing = self.name(&parts.next()?);
        let cells = parts.run(Rule::named_cell).iter().map(|cell| self.cell(cell)).collect();
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(NamedRow { thing, cells, cites, span: parts.span })
    }

    /// A list of links.
    pub(super) fn links(&mut self, node: Node<'_>) -> Built<Links> {
        let mut parts = self.parts(node);
        let kind = self.name(&parts.next()?);
        let mut span = parts.span;
        span.end = kind.span.end;
        let fixed = self.fixed(parts.take(Rule::fixed), &mut span.end)?;
        let file = parts.take(Rule::text).map(|file| self.words(file)).transpose()?;
        span.end = file.as_ref().map_or(span.end, |file| file.span.end);
        let mut cites = parts.cites();
        let (mut rows, mut links) = (Vec::new(), Vec::new());
        for line in parts.rest {
            if line.as_rule() == Rule::row {
                rows.push(self.row(line)?);
            } else {
                links.extend(self.link_list(line, &mut cites)?);
            }
        }
        let cites = self.close_cites(cites, parts.span);
        Ok(Links { kind, fixed, file, rows, links, cites, span })
    }

    /// A grid.
    pub(super) fn grid(&mut self, node: Node<'_>) -> Built<Grid> {
        let mut parts = self.parts(node);
        let (kind, fact) = (self.name(&parts.next()?), self.name(&parts.next()?));
        let stagger = parts.next()?;
        let even = stagger.as_str().starts_with("even");
        let stagger = if stagger.as_str().contains("columns") {
            Stagger::Columns { even }
        } else if stagger.as_str().contains("rows") {
            Stagger::Rows { even }
        } else {
            Stagger::Squares
        };
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(Grid { kind, fact, stagger, cites, span: parts.span })
    }

    /// One line of links.
    pub(super) fn link_list(&mut self, node: Node<'_>, cites: &mut Vec<Cite>) -> Built<Vec<Link>> {
        let mut parts = self.parts(node);
        cites.extend(parts.cites());
        parts.run(Rule::link).into_iter().map(|link| self.link(link)).collect()
    }

    /// A link.
    pub(super) fn link(&mut self, node: Node<'_>) -> Built<Link> {
        let mut parts = self.parts(node);
        Ok(Link { from: self.name(&parts.next()?), to: self.name(&parts.next()?), span: parts.span })
    }

    /// A setup.
    pub(super) fn setup(&mut self, node: Node<'_>) -> Built<Setup> {
        let mut parts = self.parts(node);
        let name = self.name(&parts.next()?);
        let mut span = parts.span;
        span.end = name.span.end;
        let title = parts.take(Rule::text).map(|title| self.words(title)).transpose()?;
        span.end = title.as_ref().map_or(span.end, |title| title.span.end);
        if let Some(title) = &title
            && title.plain().is_some_and(|title| names_data(&title))
        {
            let said = Diagnostic::error("syntax::expected", title.span, "a setup takes no file")
                .label("this would be its second name")
                .help(NO_FILE);
            return Err(Box::new(said));
        }
        let placing = self.placing(parts.next()?)?;
        Ok(Setup { name, title, placing, span })
    }

    /// `(block: side, at) { … }`, or `{ … }` of a setup that places nothing.
    pub(super) fn placing(&mut self, node: Node<'_>) -> Built<Placing> {
        let mut parts = self.parts(node);
        let own = parts.cites();
        let (mut kind, mut keys) = (None, Vec::new());
        if let Some(heading) = parts.take(Rule::placing_keys) {
            let mut names = self.parts(heading);
            kind = Some(self.name(&names.next()?));
            keys = self.names(names.run(Rule::name));
        }
        let mut lines = Vec::new();
        for line in parts.rest {
            lines.push(self.placing_line(line)?);
        }
        let cites = self.close_cites(own, parts.span);
        Ok(Placing { kind, keys, lines, cites, span: parts.span })
    }

    /// A line of a setup.
    pub(super) fn placing_line(&mut self, node: Node<'_>) -> Built<PlacingLine> {
        Ok(match node.as_rule() {
            Rule::others => {
                let mut parts = self.parts(node);
                let cites = parts.cites();
                self.pass_on(cites);
                let values = parts.run(Rule::placed_value).iter().map(|value| self.place(value)).collect();
                PlacingLine::Others { values, span: parts.span }
            }
            Rule::group => {
                let mut parts = self.parts(node);
                let cites = parts.cites();
                self.pass_on(cites);
                let heading = self.name(&parts.next()?);
                let mut lines = Vec::new();
                for line in parts.rest {
                    lines.push(self.placing_line(line)?);
                }
                PlacingLine::Group { heading, lines }
            }
            Rule::placed => {
                let mut parts = self.parts(node);
                let mut things = Vec::new();
                for thing in parts.run(Rule::placed_thing) {
                    let mut thing = self.parts(thing);
                    let name = self.place(&thing.next()?);
                    let number = thing.take(Rule::number).map(|number| self.number(&number)).transpose()?;
                    things.push((name, number));
                }
                let values = parts.run(Rule::placed_value).iter().map(|value| self.place(value)).collect();
                let cites = self.close_cites(parts.cites(), parts.span);
                PlacingLine::Placed { things, values, cites, span: parts.span }
            }
            Rule::assignment => PlacingLine::Assign(self.statement(node)?),
            _ => return Err(internal(self.span(&node))),
        })
    }

    /// A thing, a value, or a link of two things.
    fn place(&self, node: &Node<'_>) -> Name {
        let words: Vec<String> = node
            .clone()
            .into_inner()
            .filter(|part| part.as_rule() != Rule::minus)
            .map(|part| super::fold(part.as_str()))
            .collect();
        Name { text: words.join(" - "), span: self.span(node) }
    }
}
