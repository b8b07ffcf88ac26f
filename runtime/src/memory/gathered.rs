//! What several processes have gathered, put together.

use crate::host::word::{self, Word};
use crate::memory::exact::{Digits, Exact, MAX_ADDITIONS};
use crate::{Error, ErrorKind, Result, host};

/// An output that gathers: [`Sum`](crate::Sum), [`Sums`](crate::Sums), [`Minima`](crate::Minima), [`Maxima`](crate::Maxima) and
/// [`Nearest`](crate::Nearest), whose results of several processes can be put together, as those of several devices of one
/// process are.
///
/// Each process has some of the pairs ([`Devices::part_of`](crate::Devices::part_of), or `rows` of a kernel). What its output
/// has is downloaded as words, which are to be sent in whatever way the processes have. [`join`](Self::join) puts those of two
/// together, in any order and as often as there are processes, and [`found`](Self::found) makes of them what a download would
/// have given of all pairs. (A [`Pairs`](crate::Pairs) is a list: the lists of all processes one after another.)
///
/// Words are of the same version of this crate, and of outputs of the same type and number of elements. They have all bits of
/// what was gathered, also where a download rounds: so deterministic sums are exact until they are found.
///
/// ```
/// use td_kernel::{Devices, Gathered, td_kernel};
///
/// #[td_kernel]
/// unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 2>) {
///     r#" near.push(fabsf(x.i - x.j)); "#
/// }
///
/// let x = [1.0, 9.0, 2.0, 5.0];
/// // What two processes would do, one after another.
/// let mut all = Vec::new();
/// for process in 0..2 {
///     let own = Devices::cpu(1)?.part_of(process, 2)?;
///     let mut near = own.nearest(x.len())?;
///     nearest::load(&own)?.launch(&own.upload(&x)?, &mut near)?;
///     if process == 0 {
///         all = near.words()?;
///     } else {
///         near.join(&mut all, &near.words()?)?;
///         let found = near.found(&all)?;
///         assert_eq!(found.row(0), Some((&[2, 3][..], &[1.0, 4.0][..])));
///         assert_eq!(found.row(1), Some((&[3, 2][..], &[4.0, 7.0][..])));
///     }
/// }
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// No other type can implement it.
pub trait Gathered: sealed::Output {
    /// What is found of all pairs: what a download gives.
    type Found;

    /// What was gathered so far, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    fn words(&self) -> Result<Vec<u64>>;

    /// Puts what another one has gathered to `words`.
    ///
    /// # Errors
    ///
    /// Either are the words of an output of another type or size; or a deterministic sum has been added to too often.
    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()>;

    /// What the words of all stand for. What this output itself has gathered plays no part.
    ///
    /// # Errors
    ///
    /// They are the words of an output of another type or size; or a sum does not fit its type.
    fn found(&self, words: &[u64]) -> Result<Self::Found>;
}

pub(crate) mod sealed {
    /// An output of this crate.
    pub trait Output {}
}

/// The words of an output: those of its cells; then, where it has exact sums, how often was added to them, and their words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parted {
    /// How many cells or slots there are.
    pub(crate) cells: usize,
    /// How many exact sums each component has, and their digits, where it can have some.
    pub(crate) sums: usize,
    pub(crate) digits: Option<Digits>,
}

impl Parted {
    /// Without exact sums.
    pub(crate) fn of_cells(cells: usize) -> Parted {
        Parted { cells, sums: 0, digits: None }
    }

    pub(crate) fn words<W: Word>(&self, cells: Vec<W>, exact: Option<&Exact>) -> Result<Vec<u64>> {
        let mut words = word::words(cells)?;
        if let Some(exact) = exact {
            let digits = exact.words()?;
            host::make_room(&mut words, digits.len().saturating_add(1))?;
            words.push(exact.additions);
            words.extend(digits);
        }
        Ok(words)
    }

    /// Joins cells by `join`, and adds up exact sums.
    pub(crate) fn join<W: Word>(
        &self,
        words: &mut Vec<u64>,
        others: &[u64],
        join: impl Fn(W, W) -> W,
    ) -> Result<()> {
        self.expect(words)?;
        self.expect(others)?;
        // One that has added nothing exactly has none of these words.
        if words.len() < others.len() {
            host::make_room(words, others.len() - words.len())?;
            words.resize(others.len(), 0);
        }
        let (cells, exact) = words.split_at_mut(self.cells);
        let (other_cells, other_exact) = others.split_at(self.cells);
        word::join(cells, other_cells, join);
        if let (Some(digits), Some((additions, exact)), Some((others, other_exact))) =
            (self.digits, exact.split_first_mut(), other_exact.split_first())
        {
            *additions = additions.saturating_add(*others);
            if *additions > MAX_ADDITIONS {
                return Err(Error::new(
                    ErrorKind::SumOverflow,
                    "these exact sums have been added to so often that they might overflow their words when they are joined: download them more often, and `clear()` them",
                ));
            }
            digits.join(exact, other_exact, self.sums);
        }
        Ok(())
    }

    /// The cells, and the words of exact sums where there are some.
    pub(crate) fn cells<'w, W: Word>(
        &self,
        words: &'w [u64],
    ) -> Result<(Vec<W>, Option<&'w [u64]>)> {
        self.expect(words)?;
        let (cells, exact) = words.split_at(self.cells);
        Ok((word::cells(cells)?, exact.split_first().map(|(_, exact)| exact)))
    }

    /// The sum of all exact sums.
    pub(crate) fn total(&self, exact: &[u64]) -> f64 {
        self.digits.map_or(0.0, |digits| digits.total(exact, self.sums))
    }

    /// Each exact sum.
    pub(crate) fn values(&self, exact: &[u64]) -> Result<Vec<f64>> {
        self.digits.map_or_else(|| Ok(Vec::new()), |digits| digits.values(exact, self.sums))
    }

    /// An error where these are no words of such an output.
    pub(crate) fn expect(&self, words: &[u64]) -> Result<()> {
        let components = self.cells.checked_div(self.sums).unwrap_or_default();
        // A total has exact sums of one component, and as many slots.
        let with_exact = self.digits.map(|digits| {
            let exact = digits.words().saturating_mul(self.sums).saturating_mul(components);
            self.cells.saturating_add(1).saturating_add(exact)
        });
        match words.len() {
            found if found == self.cells || Some(found) == with_exact => Ok(()),
            found => Err(Error::arguments(format!(
                "{found} words do not belong to this output, which has {} cells: join those of outputs of the same type, with as many elements, made by the same version of td-kernel",
                self.cells
            ))),
        }
    }
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;
    use crate::{Device, ErrorKind};

    #[test]
    fn words_of_other_outputs_are_refused() {
        let device = Device::cpu().unwrap();
        let (sums, minima) =
            (device.sums::<[f32; 3]>(5).unwrap(), device.minima::<f32>(5).unwrap());
        let mut words = sums.words().unwrap();
        assert_eq!(words.len(), 15);
        let error = minima.found(&words).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert_eq!(error.to_string().split(' ').next(), Some("15"));
        assert!(sums.join(&mut words, &[0; 14]).is_err());
        assert!(sums.join(&mut vec![0; 16], &[0; 15]).is_err());
        // With exact sums: 10 words for each sum, and one more.
        assert!(sums.found(&[0; 166]).is_ok() && sums.found(&[0; 165]).is_err());
        let total = device.sum::<f32>().unwrap();
        assert!(total.found(&[0; 64]).is_ok() && total.found(&[0; 64 + 1 + 64 * 67]).is_ok());
        assert!(total.found(&[0; 63]).is_err() && total.found(&[]).is_err());
    }

    #[test]
    fn exact_sums_are_not_added_to_too_often() {
        let device = Device::cpu().unwrap();
        let sums = device.sums::<f32>(1).unwrap();
        let full = || [&[0, MAX_ADDITIONS][..], &[7; 10]].concat();
        let mut words = vec![0];
        // Where one has none, there is nothing to add to.
        sums.join(&mut words, &full()).unwrap();
        assert_eq!(words, full());
        sums.join(&mut words, &[0]).unwrap();
        assert_eq!(words, full());
        let error = sums.join(&mut words, &[&[0, 1][..], &[0; 10]].concat()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SumOverflow);
    }
}
