//! Rows of a table that lack a value.

use crate::missing::has_no_value;
use crate::{Place, Problem, Result, Table};

impl Table {
    /// Leaves out the rows without a value in one of these columns, and returns their lines.
    ///
    /// # Errors
    ///
    /// No row is left.
    pub(crate) fn leave_out_gaps(&mut self, columns: &[usize]) -> Result<Vec<u64>> {
        let mut lines = Vec::new();
        self.rows.retain(|row| {
            let is_gap = |column: &usize| row.cells.get(*column).is_some_and(has_no_value);
            let has_gap = columns.iter().any(is_gap);
            if has_gap {
                lines.push(row.line);
            }
            !has_gap
        });
        match self.rows.is_empty() {
            true => Err(Problem::NothingLeft.at(Place::file(&self.file))),
            false => Ok(lines),
        }
    }

    /// Refuses rows without a value in one of these columns.
    ///
    /// # Errors
    ///
    /// There is one.
    pub(crate) fn refuse_gaps(&self, columns: &[usize]) -> Result<()> {
        for row in 0..self.height() {
            for &column in columns {
                let cell = self.cell(row, column);
                if has_no_value(cell) {
                    return Err(Problem::NoValue(cell.into()).at(self.place(row, column)));
                }
            }
        }
        Ok(())
    }
}
