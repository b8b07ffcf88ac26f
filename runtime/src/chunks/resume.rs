//! A file of bands that a later process goes on with.

use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::file::Array;
use super::journal::{Begun, Expected, Journal, ResumeStep};
use super::npy::header;
use super::whole::{Cut, dimensions};
use super::work::{checksum, values_of, work_text};
use super::{Band, Bands, Inspect, NpyValue};
use crate::error::BandsCause;
use crate::{Error, Result, Shape, host};

impl<'a, T> Bands<'a, T> {
    /// Calls `step` after each step of [`resume_npy`](Self::resume_npy): for tests that end a process there.
    #[doc(hidden)]
    #[must_use]
    pub fn at_steps(mut self, step: impl FnMut(ResumeStep) + 'a) -> Self {
        self.steps = Some(Box::new(step));
        self
    }
}

impl<T: NpyValue> Bands<'_, T> {
    /// Like [`write_npy`](Self::write_npy), but what is there after an error, or after the end of the process, stays: a later
    /// call for the same work goes on after the last band that was on the disk, and the file is in the end the same, bit for
    /// bit. `work` is whatever tells this work from another one: the elements, or words and numbers that they follow from; and
    /// the values of the kernel's scalars. The kernel's text, the rows, and the type of the values are compared in any case.
    ///
    /// Until all of it is there, the file is called `name.part`. Beside it a journal, `name.part.journal`, names the work by a
    /// checksum of `work`, and has a line with a checksum of each band that has been forced to the disk; so bands should not be
    /// small. A later call compares these checksums with the file, writes the header again, and computes everything from the
    /// first band that differs. A file of another length is computed from its first row. In the end the file gets its name,
    /// and the journal is removed. Without a journal, a file of this name is replaced in the end. If a process ends after the
    /// file has its name and before the journal is removed, the next call checks the finished file and removes the journal.
    ///
    /// [`progress`](Self::progress) begins with what is there. [`inspect`](Self::inspect) sees all bands: those that are in
    /// the file are read again.
    ///
    /// ```
    /// use td_kernel::{Device, Error, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// # let folder = std::env::temp_dir().join(format!("td-kernel-resume-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).map_err(Error::other)?;
    /// # let path = folder.join("distances.npy");
    /// let device = Device::cpu()?;
    /// let x: Vec<f32> = (0..100).map(|at| at as f32).collect();
    /// let work: Vec<u8> = x.iter().flat_map(|x| x.to_le_bytes()).collect();
    /// let (kernel, x) = (distance::load(&device)?, device.upload(&x)?);
    /// // A process that ends in the middle: here by an error.
    /// let cut = kernel.bands(&x)?.height(10).inspect(|band| match band.rows.start {
    ///     50.. => Err(Error::other("the power is out")),
    ///     _ => Ok(()),
    /// });
    /// assert!(cut.resume_npy(&path, &work).is_err());
    /// // Another one goes on.
    /// let mut reached = Vec::new();
    /// let bands = kernel.bands(&x)?.height(10).progress(|done| reached.push(done.next_row));
    /// bands.resume_npy(&path, &work)?;
    /// assert_eq!(reached, [60, 70, 80, 90, 100]);
    /// // 4950 values of 4 bytes, behind a header of 128.
    /// assert_eq!(std::fs::metadata(&path).map_err(Error::other)?.len(), 19_928);
    /// # std::fs::remove_dir_all(&folder).map_err(Error::other)?;
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`write_npy`](Self::write_npy). The journal is that of other work, or of a process that is still at it. There is
    /// a file of the name of the unfinished one, and no journal; or there is a journal that has noted bands, no unfinished file,
    /// and a file of this name that is not the finished one. Or the kernel has outputs beside the values: what they
    /// gathered before the end of the earlier process would not be in them.
    pub fn resume_npy(mut self, path: impl AsRef<Path>, work: impl AsRef<[u8]>) -> Result<()> {
        let path = path.as_ref();
        let failed = |reason| Error::io("write", path, reason);
        if let Some(kernel) = self.gathers {
            return Err(BandsCause::Gathers { kernel }.into());
        }
        let (rows, whole) = (self.range()?, self.whole.clone());
        self.expect_condensed(&rows)?;
        let header = header::<T>(&dimensions(&whole, &rows));
        let work = self.work(&rows, work.as_ref());
        let length = Array::length::<T>(&whole, &rows, &header).map_err(failed)?;
        let of_file = ArrayOf::<T> {
            header,
            whole: whole.clone(),
            rows: rows.clone(),
            length,
            is_condensed: self.is_condensed,
            values: PhantomData,
        };
        let begun = Begun::find(path, &work, &of_file)?;
        let (done, room) = (begun.as_ref().map_or(rows.start, Begun::row), self.room(&rows)?);
        let there = Cut {
            whole,
            rows: rows.start..done,
            values: room,
            height: self.limits.height,
            side: self.side,
        };
        let (mut inspect, mut steps) = (self.inspect.take(), self.steps.take());
        let mut step = |step| {
            if let Some(steps) = &mut steps {
                steps(step);
            }
        };
        // What is wrong with the arguments is told before any space is taken.
        let mut bands = self.start_at(done)?;
        let journal = match begun {
            Some(begun) => begun.go_on().map_err(failed)?,
            None => Journal::begin(path, &work, &mut step)?,
        };
        let array = of_file.array(journal.part());
        match done > rows.start {
            _ if journal.is_named() => {}
            false => array.begin(size_of::<T>()).map_err(failed)?,
            // No band's checksum is of it.
            true => array.write_header().map_err(failed)?,
        }
        step(ResumeStep::Begun);
        read_again(&array, there, inspect.as_mut(), failed)?;
        while let Some(band) = bands.next()? {
            if let Some(look) = &mut inspect {
                look(&band)?;
            }
            let mut hash = Sha256::new();
            array.write_band(&band, |bytes| hash.update(bytes)).map_err(failed)?;
            step(ResumeStep::BandWritten);
            journal.reached(band.rows.end, &checksum(hash)).map_err(failed)?;
            step(ResumeStep::BandNoted);
        }
        journal.finish(path, &mut step).map_err(failed)
    }

    /// What tells this work from another one.
    fn work(&self, rows: &Range<usize>, input: &[u8]) -> String {
        let form = if self.is_condensed { ", in the condensed form" } else { "" };
        let kernel = self.text.lines().next().unwrap_or("a-launch-of-your-own");
        let sum = |bytes: &[u8]| checksum(Sha256::new_with_prefix(bytes));
        work_text([
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("shape", format!("rows {rows:?} of {}{form}", self.whole)),
            ("values", values_of::<T>()),
            ("kernel", format!("{kernel} {}", sum(self.text.as_bytes()))),
            ("device", if self.device.is_cpu() { "a CPU" } else { "a GPU" }.into()),
            ("input", sum(input)),
        ])
    }
}

/// A file of values of some rows, whichever it is.
struct ArrayOf<T> {
    header: Vec<u8>,
    whole: Shape,
    rows: Range<usize>,
    /// The bytes of all.
    length: u64,
    is_condensed: bool,
    values: PhantomData<T>,
}

impl<T> ArrayOf<T> {
    fn array<'a>(&self, file: &'a File) -> Array<'a> {
        let (header, whole, rows) = (self.header.clone(), self.whole.clone(), self.rows.clone());
        Array { file, header, whole, rows, is_condensed: self.is_condensed }
    }
}

impl<T> Expected for ArrayOf<T> {
    fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    fn has_length(&self, file: &File) -> io::Result<bool> {
        Ok(file.metadata()?.len() == self.length)
    }

    fn has_header(&self, file: &File) -> io::Result<bool> {
        self.array(file).has_header()
    }

    fn checksum(&self, file: &File, rows: &Range<usize>) -> io::Result<String> {
        self.array(file).checksum(rows, size_of::<T>())
    }
}

/// Has the bands that are in the file looked at.
fn read_again<T: NpyValue>(
    array: &Array<'_>,
    there: Cut,
    inspect: Option<&mut Inspect<'_, T>>,
    failed: impl Fn(io::Error) -> Error,
) -> Result<()> {
    let Some(look) = inspect else { return Ok(()) };
    let mut values = host::zeros::<T>(there.most_values())?;
    let whole = there.whole.clone();
    for rows in there {
        let count = whole.values(&rows);
        let values = values.get_mut(..count).unwrap_or_default();
        array.read(&rows, values).map_err(&failed)?;
        look(&Band { start: whole.before(rows.start), rows, values, whole: &whole })?;
    }
    Ok(())
}
