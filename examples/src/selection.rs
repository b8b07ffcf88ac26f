//! Which columns of a table are read.

use crate::problem::quoted;
use crate::{Column, Problem, Result, Table, number};

impl Table {
    /// The columns that `wanted` names or counts from 0, in its order.
    ///
    /// # Errors
    ///
    /// There is no such column, or more than one of that name, or one is chosen twice.
    pub fn columns<S: AsRef<str>>(&self, wanted: &[S]) -> Result<Vec<usize>> {
        let mut chosen = Vec::new();
        for wanted in wanted {
            let wanted = wanted.as_ref().trim();
            let column = self.column(wanted)?;
            if chosen.contains(&column) {
                return Err(self.refuse(Problem::ChosenTwice, wanted));
            }
            chosen.push(column);
        }
        Ok(chosen)
    }

    /// Whether a column has this name.
    pub fn has_column(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// The columns of numbers, up to `most` of them, without columns of text.
    ///
    /// # Errors
    ///
    /// There are none, or a column has both numbers and text.
    pub fn numeric_columns(&self, most: usize) -> Result<Vec<usize>> {
        let mut columns = Vec::new();
        for column in 0..self.width() {
            if columns.len() < most && self.is_numeric(column)? {
                columns.push(column);
            }
        }
        if columns.is_empty() {
            return Err(Problem::NoNumbers.at(self.first_values()));
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
            return Err(Problem::NoNumbers.at(self.first_values()));
        }
        Ok(columns)
    }

    /// Whether a column has numbers and no text. A gap or a number out of range does not exclude a column: reading it
    /// is an error.
    fn is_numeric(&self, column: usize) -> Result<bool> {
        let (mut with_number, mut with_text) = (None, None);
        for row in 0..self.height() {
            match number(self.cell(row, column)) {
                Err(Problem::EmptyCell) => {}
                Err(Problem::NotANumber(text)) => {
                    if has_separator(self.cell(row, column)) {
                        return Err(Problem::Separator(text).at(self.place(row, column)));
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
        Ok(with_text.is_none())
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
