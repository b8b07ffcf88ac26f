//! Combines the results of several processes.

use crate::host::word::{self, Word};
use crate::memory::exact::{Digits, Exact, add};
use crate::{Error, Result, host};

/// An output whose results can be combined across processes, by words that have the same meaning in all of them.
///
/// Each process visits some of the pairs ([`Devices::part_of`](crate::Devices::part_of), or a kernel's `rows`) and exports its
/// partial result with [`to_bits`](Self::to_bits). The processes exchange these words by any means. [`join`](Self::join) combines
/// the words of two processes, in any order and for any number of processes; [`finish`](Self::finish) converts the combined words
/// into the result that a download over all pairs gives. ([`Pairs`](crate::Pairs) is a list: concatenate the lists of all
/// processes.)
///
/// Combine only words from the same version of this crate, and of outputs with the same type and number of elements. Words are
/// not rounded, so deterministic sums stay exact until `finish`.
///
/// ```
/// use td_kernel::{Devices, PartialResult, td_kernel};
///
/// #[td_kernel]
/// unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 2>) {
///     r#" near.push(fabsf(x.i - x.j)); "#
/// }
///
/// let x = [1.0, 9.0, 2.0, 5.0];
/// // What two processes do, run one after the other.
/// let mut all = Vec::new();
/// for process in 0..2 {
///     let own = Devices::cpu(1)?.part_of(process, 2)?;
///     let mut near = own.nearest(x.len())?;
///     nearest::load(&own)?.launch(&own.upload(&x)?, &mut near)?;
///     if process == 0 {
///         all = near.to_bits()?;
///     } else {
///         near.join(&mut all, &near.to_bits()?)?;
///         let found = near.finish(&all)?;
///         assert_eq!(found.row(0), Some((&[2, 3][..], &[1.0, 4.0][..])));
///         assert_eq!(found.row(1), Some((&[3, 2][..], &[4.0, 7.0][..])));
///     }
/// }
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed.
pub trait PartialResult: sealed::Output {
    /// The result over all pairs, as a download returns it.
    type Output;

    /// The partial result, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    fn to_bits(&self) -> Result<Vec<u64>>;

    /// Combines the words `others` into `words`.
    ///
    /// # Errors
    ///
    /// Either belongs to an output of another type or size.
    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()>;

    /// Converts combined words to the result. The contents of this output are ignored.
    ///
    /// # Errors
    ///
    /// The words belong to an output of another type or size; or a sum does not fit its type.
    fn finish(&self, words: &[u64]) -> Result<Self::Output>;
}

pub(crate) mod sealed {
    /// An output of this crate.
    pub trait Output {}
}

/// The layout of an output's words: its cells; then, if there are exact sums, their words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parted {
    /// The number of cells or slots.
    pub(crate) cells: usize,
    /// The number of exact sums in each component, and their digits, if the output can have any.
    pub(crate) sums: usize,
    pub(crate) digits: Option<Digits>,
}

impl Parted {
    /// Without exact sums.
    pub(crate) fn with_cells(cells: usize) -> Parted {
        Parted { cells, sums: 0, digits: None }
    }

    pub(crate) fn words<W: Word>(&self, cells: Vec<W>, exact: Option<&Exact>) -> Result<Vec<u64>> {
        let mut words = word::words(cells)?;
        if let Some(exact) = exact {
            let digits = exact.words()?;
            host::make_room(&mut words, digits.len())?;
            words.extend(digits);
        }
        Ok(words)
    }

    /// Combines cells with `join`, and adds exact sums.
    pub(crate) fn join<W: Word>(
        &self,
        words: &mut Vec<u64>,
        others: &[u64],
        join: impl Fn(W, W) -> W,
    ) -> Result<()> {
        self.expect(words)?;
        self.expect(others)?;
        // An output without exact sums omits these words.
        if words.len() < others.len() {
            host::make_room(words, others.len() - words.len())?;
            words.resize(others.len(), 0);
        }
        let (cells, exact) = words.split_at_mut(self.cells);
        let (other_cells, other_exact) = others.split_at(self.cells);
        word::join(cells, other_cells, join);
        if let Some(digits) = self.digits {
            digits.join(exact, other_exact, self.sums);
        }
        Ok(())
    }

    /// The cells, and the words of exact sums if present.
    pub(crate) fn cells<'w, W: Word>(
        &self,
        words: &'w [u64],
    ) -> Result<(Vec<W>, Option<&'w [u64]>)> {
        self.expect(words)?;
        let (cells, exact) = words.split_at(self.cells);
        Ok((word::cells(cells)?, Some(exact).filter(|exact| !exact.is_empty())))
    }

    /// The cells, each with its exact sum if the words have any.
    pub(crate) fn summed<W: Word + Copy>(
        &self,
        words: &[u64],
        plus: impl Fn(W, f64) -> W,
    ) -> Result<Vec<W>> {
        let (mut cells, exact) = self.cells(words)?;
        if let Some(exact) = exact {
            add(&mut cells, self.expect_digits()?.values(exact, self.sums)?, plus);
        }
        Ok(cells)
    }

    /// The sum of all exact sums of each component.
    pub(crate) fn totals(&self, exact: &[u64]) -> Result<Vec<f64>> {
        let digits = self.expect_digits()?;
        let components = exact.chunks((digits.words() * self.sums).max(1));
        Ok(components.map(|words| digits.total(words, self.sums)).collect())
    }

    fn expect_digits(&self) -> Result<Digits> {
        self.digits.ok_or_else(|| Error::other("an output without exact sums has words of them"))
    }

    /// Returns an error if the words do not fit this output.
    pub(crate) fn expect(&self, words: &[u64]) -> Result<()> {
        let components = self.cells / self.sums.max(1);
        // The numbers of a `Sum` are components, with an exact sum for each slot.
        let with_exact = self.digits.map(|digits| {
            let exact = digits.words().saturating_mul(self.sums).saturating_mul(components);
            self.cells.saturating_add(exact)
        });
        match words.len() {
            found if found == self.cells || Some(found) == with_exact => Ok(()),
            found => {
                let cells = self.cells;
                let expected =
                    with_exact.map_or(cells.to_string(), |words| format!("{cells} or {words}"));
                Err(Error::arguments(format!(
                    "expected {expected} words for this output, got {found}: join only words of outputs of the same type and number of elements, made by the same version of td-kernel"
                )))
            }
        }
    }
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;
    use crate::{Device, ErrorKind};

    #[test]
    fn wrong_word_counts_are_refused() {
        let device = Device::cpu().unwrap();
        let (sums, minima) =
            (device.sums::<[f32; 3]>(5).unwrap(), device.minima::<f32>(5).unwrap());
        let mut words = sums.to_bits().unwrap();
        assert_eq!(words.len(), 15);
        let error = minima.finish(&words).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert!(error.to_string().contains(", got 15:"), "{error}");
        assert!(sums.join(&mut words, &[0; 14]).is_err());
        assert!(sums.join(&mut vec![0; 16], &[0; 15]).is_err());
        // With exact sums: 10 words for each sum.
        assert!(sums.finish(&[0; 165]).is_ok() && sums.finish(&[0; 166]).is_err());
        let total = device.sum::<f32>().unwrap();
        assert!(total.finish(&[0; 64]).is_ok() && total.finish(&[0; 64 + 64 * 67]).is_ok());
        assert!(total.finish(&[0; 63]).is_err() && total.finish(&[]).is_err());
    }

    #[test]
    fn exact_sums_join_any_number_of_times() {
        let device = Device::cpu().unwrap();
        let sums = device.sums::<f32>(1).unwrap();
        // Words that are nearly full.
        let own = [&[0][..], &[1 << 62; 5], &[0_u64; 5]].concat();
        let mut words = vec![0];
        // Joining into words without exact sums.
        for _ in 0..4096 {
            sums.join(&mut words, &own).unwrap();
        }
        assert!(words[1..].iter().all(|word| *word < 1 << 32), "{words:?}");
        let digits = (0..5).map(|digit| 2_f64.powi(32 * digit - 150)).sum::<f64>();
        assert_eq!(sums.finish(&words).unwrap(), [(4096.0 * 2_f64.powi(62) * digits) as f32]);
    }
}
