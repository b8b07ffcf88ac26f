//! Quotes in a CSV file. After a forgotten quote a reader takes everything as one cell, whole rows included, without
//! any error.

use crate::delimiter::Delimiter;
use crate::text::{ends_line, is_line_end};
use crate::{Column, Place, Problem, Result};

/// A quoted cell of several lines.
#[derive(Debug)]
pub(crate) struct LongCell {
    place: Place,
    /// The number of line ends in it.
    ends: u64,
    last_line: u64,
    delimiter: Delimiter,
    /// How many of these are in it.
    delimiters: u64,
}

/// Where a reader is.
enum State {
    /// At the start of a cell.
    Start,
    /// In a cell without quotes at its start: quotes in it are text.
    Bare,
    /// Within the quotes of a cell, which began here.
    Quoted(Spot),
    /// After what may be the closing quote of the cell that began here.
    Closed(Spot),
}

/// A position in the text, with its line.
#[derive(Clone, Copy)]
struct Spot {
    at: usize,
    line: u64,
    line_start: usize,
}

/// The quoted cells that have several lines.
///
/// # Errors
///
/// A quote is never closed, or closed in the middle of a cell.
pub(crate) fn long_cells(file: &str, text: &[u8], delimiter: Delimiter) -> Result<Vec<LongCell>> {
    let separator = delimiter.byte();
    let mut long = Vec::new();
    let mut state = State::Start;
    let mut here = Spot { at: 0, line: 1, line_start: 0 };
    for (at, &byte) in text.iter().enumerate() {
        here.at = at;
        state = match (state, byte) {
            (State::Start, b'"') => State::Quoted(here),
            (State::Quoted(start), b'"') => State::Closed(start),
            (State::Quoted(start), _) => State::Quoted(start),
            // Two adjacent quotes stand for one quote in the cell's text.
            (State::Closed(start), b'"') if text[at - 1] == b'"' => State::Quoted(start),
            (state, _) if byte == separator || is_line_end(byte) => {
                if let State::Closed(start) = state {
                    long.extend(long_cell(file, text, [start, here], delimiter));
                }
                State::Start
            }
            (State::Closed(start), b' ' | b'\t') => State::Closed(start),
            (State::Closed(start), _) if start.line == here.line => {
                return Err(Problem::TextBehindQuote.at(here.place(file, text)));
            }
            (State::Closed(start), _) => {
                let problem = Problem::QuoteClosesLate { line: here.line };
                return Err(problem.at(start.place(file, text)));
            }
            (State::Start | State::Bare, _) => State::Bare,
        };
        if ends_line(text, at) {
            here = Spot { at, line: here.line + 1, line_start: at + 1 };
        }
    }
    here.at = text.len();
    match state {
        State::Quoted(start) => return Err(Problem::UnclosedQuote.at(start.place(file, text))),
        State::Closed(start) => long.extend(long_cell(file, text, [start, here], delimiter)),
        State::Start | State::Bare => {}
    }
    Ok(long)
}

/// The cell between two positions, if it has several lines.
fn long_cell(
    file: &str,
    text: &[u8],
    [start, end]: [Spot; 2],
    delimiter: Delimiter,
) -> Option<LongCell> {
    if start.line == end.line {
        return None;
    }
    let held = &text[start.at..end.at];
    Some(LongCell {
        place: start.place(file, text),
        ends: end.line - start.line,
        last_line: end.line,
        delimiter,
        delimiters: held.iter().filter(|byte| **byte == delimiter.byte()).count() as u64,
    })
}

impl Spot {
    fn place(self, file: &str, text: &[u8]) -> Place {
        let before = String::from_utf8_lossy(&text[self.line_start..self.at]).chars().count();
        Place::file(file).line(self.line).column(Column::Character(before + 1))
    }
}

impl LongCell {
    /// Refuses a cell with exactly as many delimiters as whole rows of `width` cells: a forgotten quote makes such a cell,
    /// and the table still looks right without those rows.
    pub(crate) fn check(self, width: usize) -> Result<()> {
        if self.delimiters == self.ends * (width as u64).saturating_sub(1) {
            let LongCell { delimiter, last_line, place, .. } = self;
            return Err(Problem::SwallowedRows { delimiter, last_line }.at(place));
        }
        Ok(())
    }
}
