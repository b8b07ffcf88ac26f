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

    /// The columns in whose first row is no text other than a number, up to `most` of them.
    ///
    /// # Errors
    ///
    /// There are none.
    pub fn numeric_columns(&self, most: usize) -> Result<Vec<usize>> {
        // A gap or a number out of range leaves no column out unseen: reading it is an error.
        let is_number =
            |column: &usize| !matches!(number(self.cell(0, *column)), Err(Problem::NotANumber(_)));
        let columns: Vec<usize> = (0..self.width()).filter(is_number).take(most).collect();
        if columns.is_empty() {
            return Err(Problem::NoNumbers.at(self.first_values()));
        }
        Ok(columns)
    }

    fn column(&self, wanted: &str) -> Result<usize> {
        // A header holds no numbers, so a name is never mistaken for one.
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
