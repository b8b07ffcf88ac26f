//! The results of elements, as arguments of a launch.

use super::{Launch, Value};
use crate::Result;
use crate::results::Results;

impl<'a> Launch<'a> {
    /// A result for each of the elements that the pairs are made of.
    pub fn result_of_each(
        &mut self,
        name: &'static str,
        results: &'a mut impl Results,
    ) -> Result<()> {
        let elements = self.gather(name, results)?;
        self.agree(name, elements)
    }

    /// A result for each element that a rectangle's rows are for.
    pub fn result_of_row(
        &mut self,
        name: &'static str,
        results: &'a mut impl Results,
    ) -> Result<()> {
        let elements = self.gather(name, results)?;
        self.agree_rows(name, elements)
    }

    /// A result for each element that a rectangle's columns are for.
    pub fn result_of_column(
        &mut self,
        name: &'static str,
        results: &'a mut impl Results,
    ) -> Result<()> {
        let elements = self.gather(name, results)?;
        self.agree_columns(name, elements)
    }

    /// Takes the addresses of the cells, one for each component; returns the number of elements.
    fn gather<R: Results>(&mut self, name: &'static str, results: &'a mut R) -> Result<usize> {
        let cells = results.cells();
        let (elements, components) = (cells.elements, cells.components);
        self.write(name, cells.memory.view_mut())?;
        let Some(&Value::Word(first)) = self.values.last() else { return Ok(elements) };
        let bytes = (elements * size_of::<R::Cell>()) as u64;
        // The addresses of all cells are those of memory that there is, and so none is past the last one.
        let others = (1..components as u64).map(|component| Value::Word(first + component * bytes));
        self.values.extend(others);
        Ok(elements)
    }
}
