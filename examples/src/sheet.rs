//! The cells of a table, as text.

use std::borrow::Cow;

use crate::count::counted;
use crate::text::place;

/// The rows of a table.
#[derive(Debug)]
pub(crate) struct Sheet<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// The character between cells; a space for any number of spaces and tabs.
    pub(crate) delimiter: char,
    /// The number of lines that are comments.
    pub(crate) comments: usize,
}

#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) line: usize,
    pub(crate) cells: Vec<Cow<'a, str>>,
}

impl Sheet<'_> {
    /// The cells of all rows, which have the same number of them. Empty lines and comments are left out. A line that begins with #
    /// is an error below a row if it has as many cells, at least two: it may be a comment or a row.
    pub(crate) fn read(text: &str) -> Result<Sheet<'_>, String> {
        let delimiter = delimiter(text);
        let (mut rows, mut comments) = (Vec::<Row<'_>>::new(), 0);
        let (mut rest, mut line) = (text, 1);
        while !rest.is_empty() {
            let (first, below) = rest.split_once('\n').unwrap_or((rest, ""));
            if !is_row(first) {
                let is_comment = first.trim().starts_with('#');
                let width = rows.last().map_or(1, |row| row.cells.len());
                let has_cells = next_row(first, delimiter).is_ok_and(|row| row.0.len() == width);
                if is_comment && has_cells && width > 1 {
                    let problem = "cells, as a row does: remove it or the #";
                    return Err(format!("line {line} begins with # and has {width} {problem}"));
                }
                comments += usize::from(is_comment);
                (rest, line) = (below, line + 1);
                continue;
            }
            let (cells, below) = next_row(rest, delimiter).map_err(|cell| {
                let (line, column) = place(text, text.len() - cell.len());
                format!("line {line}, column {column}: the quote does not end")
            })?;
            rows.push(Row { line, cells });
            line += rest[..rest.len() - below.len()].matches('\n').count();
            rest = below;
        }
        if let [first, below @ ..] = rows.as_mut_slice() {
            let (at, count) = (first.line, first.cells.len());
            let is_wider = |row: &Row<'_>| row.cells.len() == count + 1;
            if !below.is_empty() && " \t".contains(delimiter) && below.iter().all(is_wider) {
                // R writes no name above the names of rows.
                first.cells.insert(0, Cow::default());
            } else if let Some(row) = below.iter().find(|row| row.cells.len() != count) {
                let (line, cells) = (row.line, counted(row.cells.len(), "cell"));
                let other = format!("line {at} has {count}, with {delimiter:?} between cells");
                return Err(format!("line {line}: {cells}, but {other}"));
            }
        }
        Ok(Sheet { rows, delimiter, comments })
    }
}

/// Whether a line has cells: it is not empty, no comment, and not the delimiter as Excel writes it.
fn is_row(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#') && !line.starts_with("sep=")
}

/// Tabs, semicolons, commas or spaces: the first of these that the first row has outside of quotes.
fn delimiter(text: &str) -> char {
    let unquoted = |line: &str| line.trim().split('"').step_by(2).collect::<Vec<_>>().join("_");
    let mut rows = text.lines().filter(|line| is_row(line)).map(unquoted);
    let (first, last) = (rows.next().unwrap_or_default(), rows.next_back());
    let words = |line: &str| line.split_whitespace().count();
    let is_even = |last: &String| (words(&first)..=words(&first) + 1).contains(&words(last));
    let found = ['\t', ';', ','].into_iter().find(|mark| first.contains(*mark));
    let has_spaces = first.contains(' ') && last.as_ref().is_none_or(is_even);
    found.unwrap_or(if has_spaces { ' ' } else { ',' })
}

/// The cells of a text's first row, and what follows it. An error of the text from a cell on whose quote does not end.
fn next_row(text: &str, delimiter: char) -> Result<(Vec<Cow<'_, str>>, &str), &str> {
    let mut rest = if delimiter == ' ' { text.trim_start() } else { text };
    let (mut cells, mut is_last) = (Vec::new(), false);
    while !is_last {
        let cell;
        (cell, rest, is_last) = next_cell(rest, delimiter).ok_or(rest)?;
        cells.push(cell);
    }
    Ok((cells, rest))
}

/// The first cell of a text, what follows it, and whether it is the last one of its row. `None` if its quote does not end.
fn next_cell(text: &str, delimiter: char) -> Option<(Cow<'_, str>, &str, bool)> {
    let is_space = |c: char| c == ' ' || (c == '\t' && delimiter == ' ');
    let (mut quoted, mut rest) = (String::new(), text.trim_start_matches(is_space));
    while let Some(inner) = rest.strip_prefix('"') {
        // Two quotes within a cell stand for one.
        let (inner, after) = inner.split_once('"')?;
        rest = after;
        quoted = quoted + inner + if rest.starts_with('"') { "\"" } else { "" };
    }
    let end = rest.find(|c| c == '\n' || c == delimiter || is_space(c) && delimiter == ' ');
    let (more, mut rest) = rest.split_at(end.unwrap_or(rest.len()));
    let cell = match quoted.as_str() {
        "" => Cow::Borrowed(more.trim()),
        _ => Cow::Owned((quoted + more).trim().to_owned()),
    };
    let is_last = |rest: &str| rest.is_empty() || rest.starts_with('\n');
    if delimiter == ' ' {
        rest = rest.trim_start_matches(is_space);
        return Some((cell, rest.strip_prefix('\n').unwrap_or(rest), is_last(rest)));
    }
    Some((cell, rest.get(1..).unwrap_or_default(), is_last(rest)))
}
