//! How many elements and pairs a launch has.

use std::ops::Range;

use super::Launch;
use crate::error::Cause;
use crate::kernel::extent::Extent;
use crate::{Result, host::triangle};

/// A packed argument, which can be checked only once n is known.
pub(super) struct Slots {
    pub(super) name: &'static str,
    /// The number of slots.
    pub(super) length: usize,
    /// The rows that the slots are for, where the argument has them.
    pub(super) rows: Option<Range<usize>>,
}

/// What a launch does.
pub(super) struct Work {
    pub(super) extent: Extent,
    /// Whether there is anything to do.
    pub(super) is_any: bool,
    /// The slot of the whole triangle that the packed arguments begin with.
    pub(super) first_slot: u64,
}

impl Launch<'_> {
    /// Records that `name` tells n: an argument that a method of `Device` makes for so many elements, where that is given as
    /// it is written, `packed(n)`.
    pub(super) fn agree(
        &mut self,
        name: &'static str,
        n: usize,
        made_by: Option<&'static str>,
    ) -> Result<()> {
        match self.n {
            None => self.n = Some((n, name)),
            Some((expected, first)) if expected != n => {
                return Err(Cause::Lengths {
                    kernel: self.kernel.info.name,
                    argument: name,
                    found: n,
                    first,
                    expected,
                    made_by,
                }
                .into());
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// What there is to do; checks the outputs' lengths against it.
    pub(super) fn work(&self) -> Result<Work> {
        let info = self.kernel.info;
        let n = match (self.n, self.packed.first(), self.squares.first()) {
            (Some((n, _)), ..) => n,
            // Only slots of cudarc's, which have a number of slots but no n.
            (None, Some(&Slots { name, length, .. }), _) => match &self.kernel.rows {
                None => slots_of(length, info.diagonal).ok_or(
                    Cause::SlotsOfNoN { kernel: info.name, argument: name, length }.into(),
                )?,
                Some(rows) => {
                    let rows = rows.clone();
                    let extent = Extent { n: rows.end, columns: None, rows: Some(rows.clone()) };
                    self.kernel.expect_rows(&extent)?;
                    return Err(Cause::RowsOfNoN { kernel: info.name, argument: name, rows }.into());
                }
            },
            (None, None, Some(&(_, length))) => length.isqrt(),
            (None, None, None) => 0,
        };
        let extent = Extent::new(info, n, self.kernel.rows.as_ref())?;
        self.kernel.expect_rows(&extent)?;
        let first_slot = self.first_slot(&extent)?;
        for &(argument, found) in &self.squares {
            let expected = n.saturating_mul(n);
            if found != expected {
                return Err(Cause::SquareLength {
                    kernel: info.name,
                    argument,
                    n,
                    expected,
                    found,
                }
                .into());
            }
        }
        // A single element has no pair, but a square of it has a diagonal.
        let is_any = extent.has_pairs(info.diagonal) || (n == 1 && !self.squares.is_empty());
        Ok(Work { extent, is_any, first_slot })
    }

    /// The slot that all packed arguments begin with. Also checks that they have slots for all visited rows.
    fn first_slot(&self, extent: &Extent) -> Result<u64> {
        let (kernel, diagonal) = (self.kernel.info.name, self.kernel.info.diagonal);
        let visited = extent.rows();
        // Where the number of slots overflows, there are more elements than any map takes: `plan` reports it.
        let slot = |row| triangle::pairs(row, diagonal).unwrap_or(usize::MAX);
        let mut first: Option<(&'static str, usize)> = None;
        for Slots { name: argument, length, rows } in &self.packed {
            let argument = *argument;
            let begin = match rows {
                Some(rows) => {
                    // Compared by slots, since row 0 has none without the diagonal.
                    let has_all = slot(rows.start) <= slot(visited.start)
                        && slot(visited.end) <= slot(rows.end);
                    if !has_all && !visited.is_empty() {
                        let found = rows.clone();
                        return Err(Cause::MissingRows { kernel, argument, found, visited }.into());
                    }
                    rows.start
                }
                None => {
                    self.expect_length(argument, *length, extent)?;
                    visited.start
                }
            };
            match first {
                None => first = Some((argument, begin)),
                Some((first, expected)) if slot(expected) != slot(begin) => {
                    return Err(Cause::FirstRows {
                        kernel,
                        argument,
                        found: begin,
                        first,
                        expected,
                    }
                    .into());
                }
                Some(_) => {}
            }
        }
        Ok(first.map_or(0, |(_, row)| slot(row) as u64))
    }

    /// Checks the number of slots of an argument of cudarc's.
    fn expect_length(&self, argument: &'static str, found: usize, extent: &Extent) -> Result<()> {
        let expected = extent.pairs(self.kernel.info.diagonal);
        if found == expected {
            return Ok(());
        }
        let kernel = self.kernel.info.name;
        Err(match &extent.rows {
            None => Cause::PackedLength { kernel, argument, n: extent.n, expected, found }.into(),
            Some(rows) => {
                Cause::RowsLength { kernel, argument, rows: rows.clone(), expected, found }.into()
            }
        })
    }
}

/// The n whose pairs fill `slots` slots.
fn slots_of(slots: usize, diagonal: bool) -> Option<usize> {
    let n = triangle::triangle_root(slots)?;
    // n elements with the diagonal have as many pairs as n + 1 elements without it.
    Some(if diagonal { n - 1 } else { n })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::argument::Shapeless;
    use crate::types::info::samples::EDM;
    use crate::{Device, Kernel, ViewMut};

    /// The work of a launch for `n` elements, where they are given, into cudarc's slots, of which only the number is
    /// known.
    fn work(kernel: &Kernel, n: Option<usize>, length: usize) -> Result<Work> {
        let mut memory = vec![0_u32; length];
        let mut slots = Shapeless(&mut memory);
        let mut launch = Launch::new(kernel);
        if let Some(n) = n {
            launch.elements(n)?;
        }
        launch.packed("out", &mut slots)?;
        launch.work()
    }

    #[test]
    fn slots_without_a_shape_are_those_of_the_rows() {
        let device = Device::emulator().unwrap();
        // SAFETY: it is not launched.
        let kernel = unsafe { Kernel::load(&device, &EDM) }.unwrap();
        let all = work(&kernel, None, 45).unwrap();
        assert_eq!((all.extent.n, all.first_slot, all.is_any), (10, 0, true));
        let error = work(&kernel, Some(10), 44).err().unwrap();
        assert!(matches!(error.cause(), Cause::PackedLength { expected: 45, .. }), "{error}");
        let error = work(&kernel, None, 44).err().unwrap();
        assert!(matches!(error.cause(), Cause::SlotsOfNoN { .. }), "{error}");

        let band = kernel.rows(4..7);
        let work_of_band = work(&band, Some(10), 15).unwrap();
        assert_eq!((work_of_band.first_slot, work_of_band.is_any), (6, true));
        for length in [14, 16, 45] {
            let error = work(&band, Some(10), length).err().unwrap();
            assert!(matches!(error.cause(), Cause::RowsLength { expected: 15, .. }), "{error}");
        }
        let error = work(&band, None, 15).err().unwrap();
        assert!(matches!(error.cause(), Cause::RowsOfNoN { .. }), "{error}");
        let error = work(&band, Some(6), 15).err().unwrap();
        assert!(matches!(error.cause(), Cause::LaunchRows { n: 6, .. }), "{error}");
    }

    /// The work of a launch for `n` elements, where they are given, into memory for a square of which only the length is known.
    fn work_of_square(kernel: &Kernel, n: Option<usize>, length: usize) -> Result<Work> {
        let mut memory = vec![0_u32; length];
        let mut values = ViewMut::Cpu(&mut memory);
        let mut launch = Launch::new(kernel);
        if let Some(n) = n {
            launch.elements(n)?;
        }
        launch.square("out", &mut values)?;
        launch.work()
    }

    #[test]
    fn memory_of_a_square_has_its_length() {
        let device = Device::emulator().unwrap();
        // SAFETY: it is not launched.
        let kernel = unsafe { Kernel::load(&device, &EDM) }.unwrap();
        for n in [None, Some(10)] {
            let work = work_of_square(&kernel, n, 100).unwrap();
            assert_eq!((work.extent.n, work.is_any), (10, true));
            // A larger square than that of n elements, too: its rows would be longer.
            for length in [99, 101, 110, 120] {
                let error = work_of_square(&kernel, n, length).err().unwrap();
                assert!(
                    matches!(error.cause(), Cause::SquareLength { found, .. } if *found == length),
                    "{error}"
                );
            }
        }
        for length in [81, 121] {
            let error = work_of_square(&kernel, Some(10), length).err().unwrap();
            assert!(matches!(error.cause(), Cause::SquareLength { expected: 100, .. }), "{error}");
        }
    }
}
