//! Bands in a file, which is never in memory as a whole.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::npy::{bytes, bytes_mut, header};
use super::whole::dimensions;
use super::work::checksum;
use super::{Band, Bands, NpyValue, StartedBands};
use crate::error::BandsCause;
use crate::{Error, Result, Shape};

impl<T: NpyValue> Bands<'_, T> {
    /// Writes the values of all rows to a file in NumPy's format: of a triangle one row after another, as a
    /// [`Packed`](crate::Packed) has them, in one dimension; of a matrix in two. A file of this name is replaced.
    ///
    /// Each band is written to its place while the next ones are computed. The space is taken first, so a disk that is
    /// too small is an error before anything is computed; and the file has another name beside its own, `name.….part`, until
    /// all of it is there and on the disk. After an error that file is removed; after the end of the process it stays.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// # let folder = std::env::temp_dir().join(format!("td-kernel-bands-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).map_err(td_kernel::Error::other)?;
    /// # let path = folder.join("distances.npy");
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[0.0, 1.0, 3.0])?;
    /// distance::load(&device)?.bands(&x)?.write_npy(&path)?;
    /// // 3 values of 4 bytes, behind a header of 128.
    /// assert_eq!(std::fs::metadata(&path).map_err(td_kernel::Error::other)?.len(), 140);
    /// # std::fs::remove_dir_all(&folder).map_err(td_kernel::Error::other)?;
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`start`](Self::start) and [`StartedBands::next`]; or the file cannot be written, or is no file.
    pub fn write_npy(self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let failed = |reason| Error::io("write", path, reason);
        let unfinished = unfinished(path)?;
        self.fill(unfinished.as_file(), failed)?;
        unfinished.as_file().sync_all().map_err(failed)?;
        unfinished.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// The same into a file that is open for writing, whatever it holds: its name, and what becomes of it after an error, are
    /// the caller's. It is not forced to the disk.
    ///
    /// # Errors
    ///
    /// As those of [`write_npy`](Self::write_npy). What the system says to the file is an [`Error::other`].
    pub fn write_npy_to(self, file: &File) -> Result<()> {
        self.fill(file, Error::other)
    }

    /// Checks that a condensed form is asked only of what has one.
    pub(super) fn expect_condensed(&self, rows: &Range<usize>) -> Result<()> {
        let whole = &self.whole;
        let is_below = whole.column_count().is_none() && !whole.has_diagonal();
        let has_form = is_below && *rows == whole.rows();
        if self.is_condensed && !has_form { Err(BandsCause::NoForm {}.into()) } else { Ok(()) }
    }

    fn fill(mut self, file: &File, failed: impl Fn(io::Error) -> Error) -> Result<()> {
        let (rows, whole) = (self.range()?, self.whole.clone());
        self.expect_condensed(&rows)?;
        let header = header::<T>(&dimensions(&whole, &rows));
        let array = Array { file, header, whole, rows, is_condensed: self.is_condensed };
        // What is wrong with the arguments is told before any space is taken.
        let mut inspect = self.inspect.take();
        let mut bands: StartedBands<'_, T> = self.start()?;
        array.begin(size_of::<T>()).map_err(&failed)?;
        while let Some(band) = bands.next()? {
            if let Some(look) = &mut inspect {
                look(&band)?;
            }
            array.write_band(&band, |_| ()).map_err(&failed)?;
        }
        Ok(())
    }
}

/// A file of the values of some rows.
pub(super) struct Array<'a> {
    pub(super) file: &'a File,
    pub(super) header: Vec<u8>,
    pub(super) whole: Shape,
    pub(super) rows: Range<usize>,
    /// Whether the values are there from the last to the first.
    pub(super) is_condensed: bool,
}

impl Array<'_> {
    /// Whether the file begins with the header.
    pub(super) fn has_header(&self) -> io::Result<bool> {
        let mut header = vec![0; self.header.len()];
        read_at(self.file, &mut header, 0)?;
        Ok(header == self.header)
    }
}

/// How many values are turned round at a time.
const TURNED: usize = 1 << 20;

impl Array<'_> {
    /// Takes the space for all values of so many bytes, and writes what precedes them.
    pub(super) fn begin(&self, size: usize) -> io::Result<()> {
        let end = self.place(self.rows.end, size).ok_or_else(too_long)?;
        self.file.set_len(0)?;
        reserve(self.file, end)?;
        self.write_header()
    }

    /// Writes what precedes the values.
    pub(super) fn write_header(&self) -> io::Result<()> {
        write_at(self.file, &self.header, 0)
    }

    /// Writes a band to its place, and has `written` see its bytes in their order in the file.
    pub(super) fn write_band<T: NpyValue>(
        &self,
        band: &Band<'_, T>,
        mut written: impl FnMut(&[u8]),
    ) -> io::Result<()> {
        let size = size_of::<T>();
        if !self.is_condensed {
            let place = self.place(band.rows.start, size).ok_or_else(too_long)?;
            written(bytes(band.values));
            return write_at(self.file, bytes(band.values), place);
        }
        // The values of later rows come first.
        let mut place = self.turned_place(&band.rows, size)?;
        let mut turned = Vec::new();
        turned.try_reserve_exact(TURNED.min(band.values.len()))?;
        for values in band.values.rchunks(TURNED) {
            turned.clear();
            turned.extend(values.iter().rev().copied());
            written(bytes(&turned));
            write_at(self.file, bytes(&turned), place)?;
            place += size_of_val(values) as u64;
        }
        Ok(())
    }

    /// The checksum of the bytes that the file has for rows whose values have so many bytes each.
    pub(super) fn checksum(&self, rows: &Range<usize>, size: usize) -> io::Result<String> {
        let mut place = match self.is_condensed {
            true => self.turned_place(rows, size)?,
            false => self.place(rows.start, size).ok_or_else(too_long)?,
        };
        let mut left = self.whole.values(rows) * size;
        let (mut hash, mut bytes) = (Sha256::new(), vec![0; left.min(1 << 20)]);
        while left > 0 {
            let count = left.min(bytes.len());
            let piece = bytes.get_mut(..count).unwrap_or_default();
            read_at(self.file, piece, place)?;
            hash.update(piece);
            (left, place) = (left - count, place + count as u64);
        }
        Ok(checksum(hash))
    }

    /// Where the values of rows begin in an array that has them from the last to the first.
    fn turned_place(&self, rows: &Range<usize>, size: usize) -> io::Result<u64> {
        let [before, end] = [rows.end, self.rows.end].map(|row| self.place(row, size));
        let (before, end) = before.zip(end).ok_or_else(too_long)?;
        Ok(self.header.len() as u64 + (end - before))
    }

    /// Reads the values of rows, which are as many.
    pub(super) fn read<T: NpyValue>(
        &self,
        rows: &Range<usize>,
        values: &mut [T],
    ) -> io::Result<()> {
        if self.is_condensed {
            let place = self.turned_place(rows, size_of::<T>())?;
            read_at(self.file, bytes_mut(values), place)?;
            values.reverse();
            return Ok(());
        }
        let place = self.place(rows.start, size_of::<T>());
        read_at(self.file, bytes_mut(values), place.ok_or_else(too_long)?)
    }

    /// The bytes of all.
    pub(super) fn length<T>(whole: &Shape, rows: &Range<usize>, header: &[u8]) -> io::Result<u64> {
        place(whole, rows, header, rows.end, size_of::<T>()).ok_or_else(too_long)
    }

    /// Where the values of a row begin.
    fn place(&self, row: usize, size: usize) -> Option<u64> {
        place(&self.whole, &self.rows, &self.header, row, size)
    }
}

/// Where the values of a row begin, each of so many bytes, behind a header in a file of these rows.
fn place(
    whole: &Shape,
    rows: &Range<usize>,
    header: &[u8],
    row: usize,
    size: usize,
) -> Option<u64> {
    let values = whole.before(row) - whole.before(rows.start);
    let place = values.checked_mul(size)?.checked_add(header.len())?;
    let place = u64::try_from(place).ok()?;
    i64::try_from(place).is_ok().then_some(place)
}

fn too_long() -> io::Error {
    io::Error::other("more bytes than a file can have")
}

/// A file beside the one of this name, which gets the name in the end, and is removed where that does not happen.
fn unfinished(path: &Path) -> Result<tempfile::NamedTempFile> {
    let name = expect_file(path).map_err(|reason| Error::io("write", path, reason))?;
    let mut prefix = name.to_owned();
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // As any new file: that of `tempfile_in` only its owner could read, and its errors tell a name that nobody has given.
    let new = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    let folder = folder_of(path);
    builder.make_in(folder, new).map_err(|reason| {
        let (path, beside) = (path.to_owned(), folder.to_owned());
        BandsCause::Beside { path, action: "create a file in", beside, reason }.into()
    })
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Has the disk know the names in the file's folder. Where a system cannot, it does so by itself.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder_of(path))?.sync_all(),
        false => Ok(()),
    }
}

/// The name of a file that can have been or be written here: found now, and not when everything has been computed.
pub(super) fn expect_file(path: &Path) -> io::Result<&OsStr> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it does not name a file"))?;
    match path.metadata() {
        Ok(found) if !found.is_file() => Err(io::Error::other("it is not a file")),
        _ => Ok(name),
    }
}

/// Gives an empty file this length, and takes the space for it from the disk where the file system can: then no later write
/// finds the disk full.
pub fn reserve(file: &File, length: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // Taken piece by piece, the space would be all of the disk's for a moment, and other programs' writes would fail.
        if free_space(file).is_some_and(|free| length > free) {
            return Err(io::Error::from_raw_os_error(libc::ENOSPC));
        }
        let length = libc::off_t::try_from(length).map_err(io::Error::other)?;
        loop {
            // SAFETY: the file is open, and the call only changes the file.
            if unsafe { libc::fallocate(file.as_raw_fd(), 0, 0, length) } == 0 {
                return Ok(());
            }
            let error = io::Error::last_os_error();
            match error.raw_os_error() {
                Some(libc::EINTR) => {}
                // The file system takes space only when something is written.
                Some(libc::EOPNOTSUPP | libc::ENOSYS) => break,
                _ => return Err(error),
            }
        }
    }
    file.set_len(length)
}

/// The bytes that this user could still write to the file's disk, where the system can tell.
#[cfg(target_os = "linux")]
fn free_space(file: &File) -> Option<u64> {
    use std::mem::MaybeUninit;
    use std::os::fd::AsRawFd;
    let mut told = MaybeUninit::<libc::statvfs64>::uninit();
    // SAFETY: the file is open, and there is room for the answer.
    if unsafe { libc::fstatvfs64(file.as_raw_fd(), told.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: the call has succeeded, and so has written the answer.
    let told = unsafe { told.assume_init() };
    // A file system without blocks has no end.
    (told.f_blocks > 0).then(|| told.f_bavail.saturating_mul(told.f_frsize))
}

/// Writes all bytes to their place.
fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, place);
    #[cfg(not(unix))]
    {
        use std::io::{Seek, SeekFrom, Write};
        let mut file = file;
        file.seek(SeekFrom::Start(place))?;
        file.write_all(bytes)
    }
}

/// Reads all bytes from their place.
fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, place);
    #[cfg(not(unix))]
    {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = file;
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(bytes)
    }
}
