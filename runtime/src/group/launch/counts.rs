//! The numbers of elements and pairs of a launch, and where its outputs begin.

use std::ops::Range;

use smallvec::SmallVec;

use super::Launch;
use crate::error::counted;
use crate::host::sets::SetPairs;
use crate::host::triangle;
use crate::memory::target::FIRST_NUMBER;
use crate::plan::extent::Extent;
use crate::{Error, Result};

/// Which elements an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The elements that form the pairs.
    Each,
    /// A rectangle's rows.
    Row,
    /// A rectangle's columns.
    Column,
    /// None: it is for the kernel as a whole.
    All,
}

/// A number of elements, and the first argument that has it.
pub(crate) type KnownCount = Option<(usize, &'static str)>;

/// Slots for the pairs, which are checked once the counts are known.
pub(super) struct PairSlots {
    pub(super) name: &'static str,
    /// The number of slots.
    pub(super) length: usize,
    /// The rows that the slots are for, if the argument specifies them.
    pub(super) rows: Option<Range<usize>>,
    /// The pairs of many sets that the slots are for, if the argument specifies them.
    pub(super) set_pairs: Option<SetPairs>,
    /// The number of slots on each device, if several share the pairs of many sets.
    pub(super) device_lengths: SmallVec<[usize; 8]>,
}

pub(super) struct ExtremesOfSets {
    pub(super) name: &'static str,
    /// The number of sets that it is for.
    pub(super) count: usize,
    /// The method of `Device` that makes it.
    pub(super) made_by: &'static str,
    /// Whether it has the index of its pair, of 32 bits.
    pub(super) has_pair: bool,
}

/// The work of a launch.
pub(super) struct Work {
    pub(super) extent: Extent,
    /// Whether there is anything to do.
    pub(super) is_any: bool,
    /// The index, among the slots of all pairs, of the launch's first slot.
    pub(super) first_slot: u64,
}

impl Launch<'_> {
    /// A number of elements that an argument gives.
    pub(crate) fn expect_count(&self, known: KnownCount) -> Result<usize> {
        known.map(|(count, _)| count).ok_or_else(|| {
            let unknown = Error::other("no argument gives the number of elements");
            unknown.of_kernel(self.kernel.info.name)
        })
    }

    /// Records the number of elements that argument `name` has for its axis. `made_by` is the method of `Device` that makes
    /// such an argument, as written: `packed(n)`.
    pub(super) fn agree(
        &mut self,
        axis: Axis,
        name: &'static str,
        count: usize,
        made_by: Option<&'static str>,
    ) -> Result<()> {
        let (kernel, is_exchanged) = (self.kernel.info.name, self.kernel.info.is_exchanged);
        let [rows, columns] = if is_exchanged { ["columns", "rows"] } else { ["rows", "columns"] };
        let (what, known) = match axis {
            Axis::Each => ("elements", &mut self.n),
            Axis::Row => (rows, &mut self.n),
            Axis::Column => (columns, &mut self.columns),
            Axis::All => return Ok(()),
        };
        agree(kernel, what, known, (name, made_by), count)
    }

    /// The work of the launch. Checks the lengths of outputs against it.
    pub(super) fn work(&self) -> Result<Work> {
        let info = self.kernel.info;
        let (n, columns) = match info.is_rectangle {
            true => self.rows_and_columns()?,
            false => (self.elements_of_all()?, None),
        };
        let mut extent = Extent::new(info, n, columns, self.kernel.rows.as_ref())?;
        extent.compiled_for = self.compiled_for.filter(|count| *count != FIRST_NUMBER);
        self.kernel.expect_rows(&extent)?;
        if let Some(sets) = &self.sets {
            return sets.work(self, extent);
        }
        let first_slot = self.first_slot(&extent)?;
        for &(argument, found) in &self.squares {
            let expected = n.saturating_mul(n);
            if found != expected {
                let problem = format!(
                    "has {}, but the square of {extent} has {expected}: use `device.square({n})`",
                    counted(found, "value")
                );
                return Err(self.wrong(argument, problem));
            }
        }
        // A single element has no pair, but its square has a diagonal.
        let is_any = extent.has_pairs(info.diagonal) || (n == 1 && !self.squares.is_empty());
        Ok(Work { extent, is_any, first_slot })
    }

    /// The number of elements. If no other argument has it, it follows from slots without a shape.
    fn elements_of_all(&self) -> Result<usize> {
        let info = self.kernel.info;
        match (self.n, self.slots.first(), self.squares.first()) {
            (Some((n, _)), ..) => Ok(n),
            (None, Some(&PairSlots { name, length, .. }), _) => match &self.kernel.rows {
                None => slots_of(length, info.diagonal).ok_or_else(|| {
                    let power = if info.diagonal { "n (n + 1) / 2" } else { "n (n - 1) / 2" };
                    self.wrong(name, format!("has {length} slots, which is not {power} for any n"))
                }),
                Some(rows) => {
                    let visited = Some(rows.clone());
                    let extent = Extent { rows: visited, ..Extent::all(rows.end, None) };
                    self.kernel.expect_rows(&extent)?;
                    Err(self.wrong(name, format!("is a slice for rows {rows:?}, but no argument gives the number of elements: pass {}", self.device_call(rows))))
                }
            },
            (None, None, Some(&(_, length))) => Ok(length.isqrt()),
            (None, None, None) => Ok(0),
        }
    }

    /// The numbers of rows and columns. If one is unknown, it follows from slots without a shape.
    fn rows_and_columns(&self) -> Result<(usize, Option<usize>)> {
        let count = |known: KnownCount| known.map(|(count, _)| count);
        let (rows, columns) = (count(self.n), count(self.columns));
        let (&PairSlots { name, length, .. }, range) = match (rows, columns, self.slots.first()) {
            (Some(rows), Some(columns), _) => return Ok((rows, Some(columns))),
            // Without slots, both counts are arguments of the launch or zero.
            (_, _, None) => return Ok((rows.unwrap_or(0), Some(columns.unwrap_or(0)))),
            (_, _, Some(slots)) => (slots, &self.kernel.rows),
        };
        let shared =
            |count: usize| (count > 0 && length.is_multiple_of(count)).then(|| length / count);
        let counts = match (rows, columns, range) {
            (Some(rows), None, None) => shared(rows).map(|columns| (rows, columns)),
            (Some(rows), None, Some(range)) => shared(range.len()).map(|columns| (rows, columns)),
            (None, Some(columns), None) => shared(columns).map(|rows| (rows, columns)),
            _ => None,
        };
        match counts {
            Some((rows, columns)) => Ok((rows, Some(columns))),
            None => Err(self.wrong(name, format!("is a slice of {}, but the arguments do not determine the numbers of rows and columns: pass `device.matrix((rows, columns))`", counted(length, "value")))),
        }
    }

    /// The first slot of all slots. Also checks that they cover all visited rows.
    fn first_slot(&self, extent: &Extent) -> Result<u64> {
        let visited = extent.rows();
        let slot = |row| extent.slot(row, self.kernel.info.diagonal);
        let mut first: Option<(&'static str, usize)> = None;
        for PairSlots { name, length, rows, .. } in &self.slots {
            let begin = match rows {
                Some(rows) => {
                    // Compared by slots, since row 0 has none without the diagonal.
                    let has_all = slot(rows.start) <= slot(visited.start)
                        && slot(visited.end) <= slot(rows.end);
                    if !has_all && !visited.is_empty() {
                        return Err(self.wrong(name, format!("has slots for rows {rows:?}, but the launch visits rows {visited:?}: pass {}, or launch `kernel.rows({rows:?})`", self.device_call(&visited))));
                    }
                    // A kernel would write past the end of shorter slots.
                    let room = slot(rows.end).saturating_sub(slot(rows.start));
                    if *length != room {
                        let problem = format!(
                            "has {}, but its rows {rows:?} have {}",
                            counted(*length, "slot"),
                            counted(room, "pair")
                        );
                        return Err(self.wrong(name, problem));
                    }
                    rows.start
                }
                None => {
                    let expected = extent.pairs(self.kernel.info.diagonal);
                    if *length != expected {
                        return Err(self.wrong(name, format!("has {}, but needs {expected}, one for each pair of {extent}: pass a slice of {expected}", counted(*length, "slot"))));
                    }
                    visited.start
                }
            };
            match first {
                None => first = Some((name, begin)),
                Some((first, expected)) if slot(expected) != slot(begin) => {
                    return Err(self.wrong(name, format!("begins at row {begin}, but `{first}` begins at row {expected}: make both for the same rows")));
                }
                Some(_) => {}
            }
        }
        Ok(first.map_or(0, |(_, row)| slot(row) as u64))
    }

    /// The call that makes slots for these rows.
    fn device_call(&self, rows: &Range<usize>) -> String {
        let info = self.kernel.info;
        match (info.is_rectangle, info.diagonal) {
            (true, _) => {
                format!("`device.matrix(Shape::rectangle(rows, columns).of_rows({rows:?}))`")
            }
            (false, false) => format!("`device.packed(Shape::triangle(n).of_rows({rows:?}))`"),
            (false, true) => {
                format!("`device.packed(Shape::triangle(n).with_diagonal().of_rows({rows:?}))`")
            }
        }
    }

    pub(super) fn wrong(&self, argument: &'static str, problem: String) -> Error {
        Error::arguments(problem).about(self.kernel.info.name, argument)
    }
}

/// Compares a count with that of an earlier argument.
fn agree(
    kernel: &'static str,
    what: &'static str,
    known: &mut KnownCount,
    (name, made_by): (&'static str, Option<&'static str>),
    found: usize,
) -> Result<()> {
    let Some((expected, first)) = *known else {
        *known = Some((found, name));
        return Ok(());
    };
    if found == expected {
        return Ok(());
    }
    let advice = made_by.map(|call| format!(": write {}", called(call, what, expected)));
    let advice = advice.unwrap_or_default();
    let problem = format!("is for {found} {what}, but `{first}` requires {expected}{advice}");
    Err(Error::arguments(problem).about(kernel, name))
}

/// A call of a method of `Device`, written with parameter names, with the number in place of `what` or `n`.
fn called(call: &str, what: &str, number: usize) -> String {
    let is_other = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let words = call.split_inclusive(is_other).map(|piece| {
        let word = piece.trim_end_matches(is_other);
        match word == what || word == "n" {
            true => piece.replacen(word, &number.to_string(), 1),
            false => piece.to_owned(),
        }
    });
    format!("`device.{}`", words.collect::<String>())
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
    use crate::backend::view::ViewMut;
    use crate::group::launch::bind::output;
    use crate::types::info::KernelInfo;
    use crate::types::info::samples::{CROSS, EDM};
    use crate::{Device, Kernel, Matrix, Packed, Square};

    fn kernel(info: &'static KernelInfo) -> Kernel {
        // SAFETY: it is not launched.
        unsafe { Kernel::load(&Device::emulator().unwrap(), info) }.unwrap()
    }

    /// The work of a launch for these numbers of elements, or of rows and columns, into `length` slots without a shape.
    fn work(kernel: &Kernel, [n, columns]: [Option<usize>; 2], length: usize) -> Result<Work> {
        let mut memory = vec![0_u32; length];
        let mut slots = ViewMut::Cpu(&mut memory);
        let mut launch = Launch::new(kernel);
        if let Some(n) = n {
            let axis = if kernel.info.is_rectangle { Axis::Row } else { Axis::Each };
            launch.bind(axis, "n", n)?;
        }
        columns.map_or(Ok(()), |columns| launch.bind(Axis::Column, "columns", columns))?;
        match kernel.info.is_rectangle {
            true => launch.bind(Axis::All, "out", output::<Matrix<u32>>(&mut slots))?,
            false => launch.bind(Axis::All, "out", output::<Packed<u32>>(&mut slots))?,
        }
        launch.work()
    }

    fn expect_error(work: Result<Work>, words: &str) {
        let Err(error) = work else { panic!("it is taken: {words}") };
        assert!(error.to_string().starts_with(words), "{error}");
    }

    #[test]
    fn shapeless_slots_must_fit_the_rows() {
        let kernel = kernel(&EDM);
        let work = |kernel: &Kernel, n, length| work(kernel, [n, None], length);
        let all = work(&kernel, None, 45).unwrap();
        assert_eq!((all.extent.n, all.first_slot, all.is_any), (10, 0, true));
        let start = "kernel `edm`: `out` ";
        let expect = |work, words: &str| expect_error(work, &format!("{start}{words}"));
        expect(
            work(&kernel, Some(10), 44),
            "has 44 slots, but needs 45, one for each pair of 10 elements",
        );
        expect(work(&kernel, None, 44), "has 44 slots, which is not n (n - 1) / 2 for any n");

        let chunk = kernel.rows(4..7);
        let work_of_chunk = work(&chunk, Some(10), 15).unwrap();
        assert_eq!((work_of_chunk.first_slot, work_of_chunk.is_any), (6, true));
        for length in [14, 16, 45] {
            let words = format!(
                "has {length} slots, but needs 15, one for each pair of rows 4..7 of 10 elements"
            );
            expect(work(&chunk, Some(10), length), &words);
        }
        expect(work(&chunk, None, 15), "is a slice for rows 4..7, but no argument");
        let words = "kernel `edm`: rows 4..7 are not within 6 elements";
        expect_error(work(&chunk, Some(6), 15), words);
    }

    #[test]
    fn shapeless_slots_give_the_missing_count() {
        let kernel = kernel(&CROSS);
        let found = |kernel, counts, length| {
            let Work { extent, first_slot, .. } = work(kernel, counts, length)?;
            Ok::<_, Error>((extent.n, extent.columns, first_slot))
        };
        for counts in [[Some(3), Some(5)], [Some(3), None], [None, Some(5)]] {
            assert_eq!(found(&kernel, counts, 15).unwrap(), (3, Some(5), 0), "{counts:?}");
        }
        for counts in [[None, None], [Some(4), None], [None, Some(4)], [Some(0), None]] {
            let error = found(&kernel, counts, 15).unwrap_err().to_string();
            assert!(error.contains("do not determine the numbers of rows and columns"), "{error}");
        }
        let error = found(&kernel, [Some(3), Some(5)], 14).unwrap_err().to_string();
        let expected = "has 14 slots, but needs 15, one for each pair of 3 rows of 5 columns";
        assert!(error.contains(expected), "{error}");

        // A slice has the values of the visited rows.
        let chunk = kernel.rows(2..5);
        assert_eq!(found(&chunk, [Some(9), Some(5)], 15).unwrap(), (9, Some(5), 10));
        assert_eq!(found(&chunk, [Some(9), None], 15).unwrap(), (9, Some(5), 10));
        assert!(found(&chunk, [None, Some(5)], 15).is_err());
        assert!(found(&chunk, [Some(9), Some(5)], 45).is_err());
    }

    #[test]
    fn square_memory_has_exact_length() {
        let kernel = kernel(&EDM);
        let work = |n: Option<usize>, length: usize| {
            let mut memory = vec![0_u32; length];
            let mut values = ViewMut::Cpu(&mut memory);
            let mut launch = Launch::new(&kernel);
            n.map_or(Ok(()), |n| launch.bind(Axis::Each, "n", n))?;
            launch.bind(Axis::All, "out", output::<Square<u32>>(&mut values))?;
            launch.work()
        };
        for n in [None, Some(10)] {
            let found = work(n, 100).unwrap();
            assert_eq!((found.extent.n, found.is_any), (10, true));
            // Also for a square of more than n elements: its rows would be longer.
            for length in [99, 101, 110, 120] {
                let words = format!("kernel `edm`: `out` has {length} values, but ");
                expect_error(work(n, length), &words);
            }
        }
        for length in [81, 121] {
            let words = format!(
                "kernel `edm`: `out` has {length} values, but the square of 10 elements has 100"
            );
            expect_error(work(Some(10), length), &words);
        }
    }

    #[test]
    fn advice_names_the_constructor_call() {
        for (what, call, advice) in [
            ("elements", "packed(n)", "`device.packed(5)`"),
            (
                "elements",
                "packed(Shape::triangle(n).of_rows(a..b))",
                "`device.packed(Shape::triangle(5).of_rows(a..b))`",
            ),
            ("rows", "matrix((rows, columns))", "`device.matrix((5, columns))`"),
            (
                "columns",
                "matrix(Shape::rectangle(rows, columns).of_rows(a..b))",
                "`device.matrix(Shape::rectangle(rows, 5).of_rows(a..b))`",
            ),
            ("rows", "nearest(n)", "`device.nearest(5)`"),
        ] {
            assert_eq!(called(call, what, 5), advice);
        }
    }
}
