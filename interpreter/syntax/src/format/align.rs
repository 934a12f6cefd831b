//! What stands below what: the parts of lines alike that follow each other, cells of tables, comments, citations.
//!
//! What is declared stands in columns, for it is read as a table is; what is done does not.

use super::CITES;
use super::page::Line;
use crate::lexer::TokenKind;

/// Lines alike: what each begins with, and up to two places that stand below each other.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Shape {
    /// `fact name: type`, `state name: type, fresh each step`
    Declaration,
    /// `kind name = things`
    Kind,
    /// `needs label: condition` and other clauses with a label.
    Clause(Clause),
    /// `in rule name { … }`
    Change,
    /// `when value { … }`
    Arm,
    /// `cite rule name @1.1`
    Citing,
    /// `omitted @1.1 "text"`
    Omitted,
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Clause {
    Need,
    Exception,
    Modifier,
}

pub(super) fn align(lines: &mut [Line<'_>]) {
    in_runs(
        lines,
        |line| shape(line).map(|(shape, _)| shape),
        |run| {
            for place in 0..2 {
                below_each_other(run, place);
            }
        },
    );
    in_runs(lines, |line| (is_row(line)).then_some(line.indent), fill);
    let has_code = |line: &Line<'_>| (!line.tokens.is_empty()).then_some(());
    lines.iter_mut().for_each(cites);
    in_runs(lines, has_code, comments);
}

/// Does something with each run of lines that are alike; what is kept, empty or a comment ends a run.
fn in_runs<'t, K: PartialEq>(
    lines: &mut [Line<'t>],
    alike: impl Fn(&Line<'t>) -> Option<K>,
    mut done: impl FnMut(&mut [Line<'t>]),
) {
    let mut start = 0;
    while start < lines.len() {
        let key = if lines[start].kept.is_some() { None } else { alike(&lines[start]) };
        let mut end = start + 1;
        if key.is_some() {
            while lines.get(end).is_some_and(|line| {
                line.kept.is_none() && line.indent == lines[start].indent && alike(line) == key
            }) {
                end += 1;
            }
            done(&mut lines[start..end]);
        }
        start = end;
    }
}

/// What a line is like, and which of its pieces stand below those of its neighbours.
fn shape(line: &Line<'_>) -> Option<(Shape, [Option<usize>; 2])> {
    let words: Vec<&str> = line.tokens.iter().map(|token| line.word(token)).collect();
    let first = *words.first()?;
    if line.joined {
        return None;
    }
    let at = |wanted: &str| outside(line, &words, wanted);
    Some(match first {
        "fact" | "state" => (Shape::Declaration, [Some(at(":")?), fresh(&words)]),
        "kind" => (Shape::Kind, [Some(at("=").filter(|_| at("{").is_none())?), None]),
        "needs" => (Shape::Clause(Clause::Need), [label(line, &words), None]),
        "except" => (Shape::Clause(Clause::Exception), [label(line, &words), None]),
        "+" | "-" => (Shape::Clause(Clause::Modifier), [label(line, &words), None]),
        "in" if ends_with_brace(line) => (Shape::Change, [Some(brace(line)?), None]),
        "when" if ends_with_brace(line) => (Shape::Arm, [Some(brace(line)?), None]),
        "cite" => {
            (Shape::Citing, [Some(line.tokens.iter().position(|token| token.kind == TokenKind::Cite)?), None])
        }
        "omitted" => (
            Shape::Omitted,
            [Some(line.tokens.iter().position(|token| token.kind == TokenKind::Text)?), None],
        ),
        _ => return None,
    })
}

/// Where a sign stands outside of brackets.
fn outside(line: &Line<'_>, words: &[&str], wanted: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, token) in line.tokens.iter().enumerate() {
        if depth == 0 && words[place] == wanted {
            return Some(place);
        }
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth = depth.saturating_sub(1),
            TokenKind::Word
            | TokenKind::Text
            | TokenKind::Quoted
            | TokenKind::Cite
            | TokenKind::Row
            | TokenKind::Newline
            | TokenKind::Sign => {}
        }
    }
    None
}

fn fresh(words: &[&str]) -> Option<usize> {
    words.windows(3).position(|three| three == [",", "fresh", "each"]).map(|place| place + 1)
}

/// What stands behind the label of a clause. Labels of several parts (`a beats b`, `a if b`) stand by themselves.
fn label(line: &Line<'_>, words: &[&str]) -> Option<usize> {
    let colon = words.iter().position(|word| *word == ":")?;
    let is_label = line.tokens[1..colon]
        .iter()
        .zip(&words[1..colon])
        .all(|(token, word)| token.kind == TokenKind::Word && !matches!(*word, "if" | "beats"));
    (is_label && colon > 1 && colon + 1 < words.len()).then_some(colon + 1)
}

/// The brace of a line that ends with its partner.
fn brace(line: &Line<'_>) -> Option<usize> {
    line.tokens.iter().position(|token| token.kind == TokenKind::Open(b'{'))
}

/// Whether a line closes what it opens, and ends with that.
fn ends_with_brace(line: &Line<'_>) -> bool {
    let mut depth = 0_i32;
    for token in line.tokens {
        depth += i32::from(matches!(token.kind, TokenKind::Open(b'{')));
        depth -= i32::from(matches!(token.kind, TokenKind::Close(b'}')));
    }
    let mut solid = line.tokens.iter().rev().skip_while(|token| token.kind == TokenKind::Cite);
    depth == 0 && solid.next().is_some_and(|token| token.kind == TokenKind::Close(b'}'))
}

/// Puts one place of lines alike below each other.
fn below_each_other(run: &mut [Line<'_>], place: usize) {
    let anchors: Vec<Option<usize>> =
        run.iter().map(|line| shape(line).and_then(|(_, anchors)| anchors[place])).collect();
    if anchors.iter().flatten().count() < 2 {
        return;
    }
    let start = |line: &Line<'_>, anchor: usize| {
        line.pieces[..anchor].iter().map(|piece| piece.blanks + line.length(piece)).sum::<usize>() + 1
    };
    let column = run.iter().zip(&anchors).filter_map(|(line, anchor)| Some(start(line, (*anchor)?))).max();
    let Some(column) = column else { return };
    for (line, anchor) in run.iter_mut().zip(&anchors) {
        if let Some(anchor) = *anchor {
            line.pieces[anchor].blanks = column + 1 - start(line, anchor);
        }
    }
}

fn is_row(line: &Line<'_>) -> bool {
    line.tokens.first().is_some_and(|token| token.kind == TokenKind::Row)
}

/// Fills up the cells of the rows of one table.
fn fill(run: &mut [Line<'_>]) {
    let cells = |line: &Line<'_>| -> Vec<String> {
        let row = line.word(&line.tokens[0]);
        let row = row.strip_prefix('|').unwrap_or(row);
        row.strip_suffix('|').unwrap_or(row).split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let rows: Vec<Vec<String>> = run.iter().map(cells).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (line, row) in run.iter_mut().zip(&rows) {
        let mut filled = String::from("|");
        for (cell, width) in row.iter().zip(&widths) {
            filled += &format!(" {cell}{} |", " ".repeat(width - cell.chars().count()));
        }
        line.pieces[0].text = Some(filled);
    }
}

/// Comments behind lines that follow each other stand below each other, those behind citations right beside them.
fn comments(run: &mut [Line<'_>]) {
    let is_beside = |line: &Line<'_>| line.tokens.last().is_some_and(|token| token.kind == TokenKind::Cite);
    let below = run.iter().filter(|line| line.comment.is_some() && !is_beside(line));
    let column = below.map(Line::width).max().unwrap_or(0);
    for line in run.iter_mut().filter(|line| line.comment.is_some()) {
        line.before_comment = if is_beside(line) { 1 } else { column + 1 - line.width() };
    }
}

/// The citations at the end of a line have a column of their own.
fn cites(line: &mut Line<'_>) {
    let behind = line.tokens.iter().rev().take_while(|token| token.kind == TokenKind::Cite).count();
    let first = line.tokens.len() - behind;
    // Lines that only cite have theirs beside them.
    let only_cites = line.tokens.first().is_some_and(|token| line.word(token) == "cite");
    if behind == 0 || first == 0 || line.kept.is_some() || only_cites {
        return;
    }
    let before: usize = line.indent
        + line.pieces[..first].iter().map(|piece| piece.blanks + line.length(piece)).sum::<usize>();
    line.pieces[first].blanks = CITES.saturating_sub(before).max(1);
}
