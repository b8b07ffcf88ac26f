//! The results of elements, as arguments of a launch.

use super::address::Addresses;
use super::{Launch, Value};
use crate::Error;
use crate::ErrorKind;
use crate::memory::exact::{Exact, MAX_ADDITIONS};
use crate::memory::results::Results;
use crate::{Result, Sum, Summand, Summands, Sums};

impl<'a> Launch<'a> {
    /// A result for each of the elements that the pairs are made of.
    pub fn result_of_each<R: Results>(
        &mut self,
        name: &'static str,
        results: &'a mut R,
    ) -> Result<()> {
        let elements = self.gather_results(name, results)?;
        self.agree(name, elements, Some(R::MADE_BY))
    }

    /// A result for each element that a rectangle's rows are for.
    pub fn result_of_row<R: Results>(
        &mut self,
        name: &'static str,
        results: &'a mut R,
    ) -> Result<()> {
        let elements = self.gather_results(name, results)?;
        self.agree_rows(name, elements, Some(R::MADE_BY))
    }

    /// A result for each element that a rectangle's columns are for.
    pub fn result_of_column<R: Results>(
        &mut self,
        name: &'static str,
        results: &'a mut R,
    ) -> Result<()> {
        let elements = self.gather_results(name, results)?;
        self.agree_columns(name, elements, Some(R::MADE_BY))
    }

    /// A sum for each of the elements that the pairs are made of, the same in every run.
    pub fn exact_sums_of_each<T: Summands>(
        &mut self,
        name: &'static str,
        sums: &'a mut Sums<T>,
    ) -> Result<()> {
        let elements = self.gather_exactly(name, sums)?;
        self.agree(name, elements, Some(Sums::<T>::MADE_BY))
    }

    /// A sum for each element that a rectangle's rows are for, the same in every run.
    pub fn exact_sums_of_row<T: Summands>(
        &mut self,
        name: &'static str,
        sums: &'a mut Sums<T>,
    ) -> Result<()> {
        let elements = self.gather_exactly(name, sums)?;
        self.agree_rows(name, elements, Some(Sums::<T>::MADE_BY))
    }

    /// A sum for each element that a rectangle's columns are for, the same in every run.
    pub fn exact_sums_of_column<T: Summands>(
        &mut self,
        name: &'static str,
        sums: &'a mut Sums<T>,
    ) -> Result<()> {
        let elements = self.gather_exactly(name, sums)?;
        self.agree_columns(name, elements, Some(Sums::<T>::MADE_BY))
    }

    /// A total, the same in every run.
    pub fn exact_sum<T: Summand>(&mut self, name: &'static str, sum: &'a mut Sum<T>) -> Result<()> {
        // The digits are made where the kernel runs, and so must the total itself be there.
        self.expect_place(name, &sum.memory)?;
        self.expect_there(name, sum.memory.view().untyped())?;
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
        self.expect_place(name, &sums.cells.memory)?;
        self.expect_there(name, sums.cells.memory.view().untyped())?;
        let Some(exact) = sums.exact(&self.kernel.device)? else { return Ok(elements) };
        let stride = exact.stride();
        let first = self.take_exact(name, exact)?;
        self.follow(&first, (1..components).map(|each| each * stride));
        Ok(elements)
    }

    /// Takes the addresses of an exact sum's digits.
    fn take_exact(&mut self, name: &'static str, exact: &'a mut Exact) -> Result<Addresses> {
        let Exact { memory, additions, .. } = exact;
        let addresses = self.gather(name, memory)?;
        self.exact.push((name, additions));
        Ok(addresses)
    }

    /// Passes on addresses that are so many bytes after others.
    fn follow(&mut self, first: &Addresses, distances: impl Iterator<Item = u64>) {
        for distance in distances {
            let after: Addresses = first.iter().map(|address| address + distance).collect();
            self.values.push(Value::addresses(&after));
        }
    }

    /// Notes that a launch adds at most this often to any word of its exact sums; an error where a word might lose its
    /// sign.
    pub(super) fn count_additions(&mut self, most: u64) -> Result<()> {
        let kernel = self.kernel.info.name;
        for (argument, additions) in &mut self.exact {
            let all = additions.saturating_add(most);
            if all > MAX_ADDITIONS {
                let problem = "has been added to so often that another launch might overflow the words of its exact sums: download it, and `clear()` it";
                return Err(Error::new(ErrorKind::SumOverflow, problem).about(kernel, argument));
            }
            **additions = all;
        }
        Ok(())
    }

    /// Takes the addresses of the cells, one for each component; returns the number of elements.
    fn gather_results<R: Results>(
        &mut self,
        name: &'static str,
        results: &'a mut R,
    ) -> Result<usize> {
        let cells = results.cells();
        let (elements, components) = (cells.elements, cells.components);
        let first = self.gather(name, &mut cells.memory)?;
        let bytes = (elements * size_of::<R::Cell>()) as u64;
        // The addresses of all cells are those of memory that there is, and so none is past the last one.
        self.follow(&first, (1..components as u64).map(|component| component * bytes));
        Ok(elements)
    }
}
