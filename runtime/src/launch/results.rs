//! The results of elements, as arguments of a launch.

use super::{Launch, Value};
use crate::error::Cause;
use crate::exact::{Exact, MAX_ADDITIONS};
use crate::results::Results;
use crate::{Result, Sum, Summand, Summands, Sums};

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

    /// A sum for each of the elements that the pairs are made of, the same in every run.
    pub fn exact_sums_of_each<T: Summands>(
        &mut self,
        name: &'static str,
        sums: &'a mut Sums<T>,
    ) -> Result<()> {
        let elements = self.gather_exactly(name, sums)?;
        self.agree(name, elements)
    }

    /// A sum for each element that a rectangle's rows are for, the same in every run.
    pub fn exact_sums_of_row<T: Summands>(
        &mut self,
        name: &'static str,
        sums: &'a mut Sums<T>,
    ) -> Result<()> {
        let elements = self.gather_exactly(name, sums)?;
        self.agree_rows(name, elements)
    }

    /// A sum for each element that a rectangle's columns are for, the same in every run.
    pub fn exact_sums_of_column<T: Summands>(
        &mut self,
        name: &'static str,
        sums: &'a mut Sums<T>,
    ) -> Result<()> {
        let elements = self.gather_exactly(name, sums)?;
        self.agree_columns(name, elements)
    }

    /// A total, the same in every run.
    pub fn exact_sum<T: Summand>(&mut self, name: &'static str, sum: &'a mut Sum<T>) -> Result<()> {
        // The digits are made where the kernel runs, and so must the total itself be there.
        self.join(name, &sum.memory.view().home())?;
        let exact = sum.exact(&self.kernel.device)?;
        self.take_exact(name, exact).map(drop)
    }

    /// Takes the addresses of the digits, one for each component; returns the number of elements.
    fn gather_exactly<T: Summands>(
        &mut self,
        name: &'static str,
        sums: &'a mut Sums<T>,
    ) -> Result<usize> {
        let elements = sums.len();
        let components = T::COMPONENTS as u64;
        self.join(name, &sums.cells.memory.view().home())?;
        let Some(exact) = sums.exact(&self.kernel.device)? else { return Ok(elements) };
        let stride = exact.stride();
        if let Some(first) = self.take_exact(name, exact)? {
            self.values.extend((1..components).map(|each| Value::Word(first + each * stride)));
        }
        Ok(elements)
    }

    /// Takes the address of an exact sum's digits.
    fn take_exact(&mut self, name: &'static str, exact: &'a mut Exact) -> Result<Option<u64>> {
        let Exact { memory, additions, .. } = exact;
        self.write(name, memory.view_mut())?;
        self.exact.push((name, additions));
        match self.values.last() {
            Some(&Value::Word(first)) => Ok(Some(first)),
            _ => Ok(None),
        }
    }

    /// Notes that a launch adds at most this often to any word of its exact sums; an error where a word might lose its
    /// sign.
    pub(super) fn count_additions(&mut self, most: u64) -> Result<()> {
        let kernel = self.kernel.info.name;
        for (argument, additions) in &mut self.exact {
            let all = additions.saturating_add(most);
            if all > MAX_ADDITIONS {
                return Err(Cause::ExactSumFull { kernel, argument }.into());
            }
            **additions = all;
        }
        Ok(())
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
