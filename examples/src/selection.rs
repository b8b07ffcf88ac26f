//! Which columns of a table are read.

use std::ops::RangeInclusive;

use crate::missing::{Missing, has_no_value, is_missing};
use crate::problem::quoted;
use crate::{Column, Problem, Result, Table, number};

impl Table {
    /// The columns that `wanted` names or counts from 0, in its order; two with `..` between them are these and all
    /// between them.
    ///
    /// # Errors
    ///
    /// There is no such column, or more than one of that name, or one is chosen twice, or a range is backward.
    pub fn columns<S: AsRef<str>>(&self, wanted: &[S]) -> Result<Vec<usize>> {
        let mut chosen = Vec::new();
        for wanted in wanted {
            let wanted = wanted.as_ref().trim();
            for column in self.range(wanted)? {
                if chosen.contains(&column) {
                    return Err(self.refuse(Problem::ChosenTwice, wanted));
                }
                chosen.push(column);
            }
        }
        Ok(chosen)
    }

    /// The columns of these names, all of which are needed.
    ///
    /// # Errors
    ///
    /// Some are not there, or two have one of these names.
    pub fn named(&self, names: &[&str]) -> Result<Vec<usize>> {
        let missing: Vec<&str> =
            names.iter().copied().filter(|name| !self.has_column(name)).collect();
        if missing.is_empty() {
            return self.columns(names);
        }
        let problem = Problem::NoColumns {
            wanted: listed(names, "and"),
            missing: listed(&missing, "or"),
            known: self.known(),
        };
        Err(problem.at(self.start()))
    }

    /// A column, or those from one to another.
    fn range(&self, wanted: &str) -> Result<RangeInclusive<usize>> {
        // A name may have dots.
        let ends = if self.has_column(wanted) { None } else { wanted.split_once("..") };
        let Some((first, last)) = ends else {
            let column = self.column(wanted)?;
            return Ok(column..=column);
        };
        let (first, last) = (first.trim(), last.trim());
        let range = self.column(first)?..=self.column(last)?;
        match range.is_empty() {
            true => Err(self.refuse(Problem::BackwardRange(format!("{last}..{first}")), wanted)),
            false => Ok(range),
        }
    }

    /// Whether a column has this name.
    pub fn has_column(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// The columns of numbers, up to `most` of them, without columns of text; and where rows may be left out, without
    /// those that have no value at all.
    ///
    /// # Errors
    ///
    /// There are none, or a column has both numbers and text.
    pub fn numeric_columns(&self, most: usize, missing: Missing) -> Result<Vec<usize>> {
        let mut columns = Vec::new();
        let has_values = |column| !self.texts(column).all(has_no_value);
        for column in 0..self.width() {
            if columns.len() < most
                && self.is_numeric(column)?
                && (missing == Missing::Error || has_values(column))
            {
                columns.push(column);
            }
        }
        if columns.is_empty() {
            return Err(Problem::NoNumbers(self.delimiter).at(self.first_values()));
        }
        Ok(columns)
    }

    /// All columns but that of labels, if there is one: each has to be one of numbers.
    ///
    /// # Errors
    ///
    /// There are none, or one has text.
    pub fn feature_columns(&self, labels: Option<usize>) -> Result<Vec<usize>> {
        let mut columns = Vec::new();
        for column in (0..self.width()).filter(|column| Some(*column) != labels) {
            if !self.is_numeric(column)? {
                let text = quoted(self.texts(column).next().unwrap_or_default());
                return Err(Problem::TextColumn(text).at(self.place(0, column)));
            }
            columns.push(column);
        }
        if columns.is_empty() {
            return Err(Problem::NoNumbers(self.delimiter).at(self.first_values()));
        }
        Ok(columns)
    }

    /// Whether a column has numbers and no text. A gap or a number out of range does not exclude a column: reading it
    /// is an error. But a column with nothing else than words for gaps is one of text.
    fn is_numeric(&self, column: usize) -> Result<bool> {
        let (mut with_number, mut with_text, mut with_word) = (None, None, false);
        for row in 0..self.height() {
            let cell = self.cell(row, column);
            match number(cell) {
                Err(Problem::EmptyCell) => {}
                Err(Problem::NotANumber(_)) if is_missing(cell) => with_word = true,
                Err(Problem::NotANumber(text)) => {
                    if has_separator(cell) {
                        let delimiter = self.delimiter;
                        let problem = Problem::Separator { text, delimiter };
                        return Err(problem.at(self.place(row, column)));
                    }
                    with_text = with_text.or(Some((row, text)));
                }
                _ => with_number = with_number.or(Some(row)),
            }
            if let (Some(number), Some((text_row, text))) = (with_number, &with_text) {
                let problem = Problem::Mixed {
                    text: text.clone(),
                    number: quoted(self.cell(number, column)),
                    line: self.line(number),
                };
                return Err(problem.at(self.place(*text_row, column)));
            }
        }
        Ok(with_text.is_none() && (with_number.is_some() || !with_word))
    }

    fn column(&self, wanted: &str) -> Result<usize> {
        // No name in a header is a number, so `wanted` is either a name or a number.
        let mut named = self.names().enumerate().filter(|(_, name)| *name == wanted);
        match (named.next(), named.next()) {
            (Some(_), Some(_)) => return Err(self.refuse(Problem::AmbiguousName, wanted)),
            (Some((column, _)), None) => return Ok(column),
            (None, _) => {}
        }
        match wanted.parse() {
            Ok(column) if column < self.width() => Ok(column),
            _ => {
                let known = self.known();
                Err(self.refuse(Problem::NoColumn { known }, wanted))
            }
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.header.iter().flat_map(|row| row.cells.iter())
    }

    fn known(&self) -> String {
        if self.has_header() {
            let names: Vec<String> =
                self.names().map(|name| format!("`{}`", quoted(name))).collect();
            names.join(", ")
        } else {
            format!("no header, and the columns 0 to {}", self.width().saturating_sub(1))
        }
    }

    fn refuse(&self, problem: Problem, wanted: &str) -> crate::Error {
        problem.at(self.start().column(Column::Name(quoted(wanted))))
    }
}

/// Words one after another, with one more before the last.
fn listed(words: &[&str], before_last: &str) -> String {
    match words {
        [some @ .., last] if !some.is_empty() => {
            format!("{} {before_last} {last}", some.join(", "))
        }
        words => words.concat(),
    }
}

/// Whether a cell has several numbers: the file then separates cells by something other than commas.
fn has_separator(cell: &str) -> bool {
    let mut parts = cell.split([';', '\t', '|']);
    let first = parts.next().is_some_and(is_number);
    let mut rest = parts.peekable();
    first && rest.peek().is_some() && rest.all(is_number)
}

fn is_number(text: &str) -> bool {
    text.trim().parse::<f32>().is_ok()
}
