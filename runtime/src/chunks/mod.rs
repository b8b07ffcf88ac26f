//! Rows of a triangle or of a matrix in bands: results that are larger than a device's memory, or than the host's.
//!
//! Uses `group` and what is below it.

mod file;
mod journal;
mod lane;
mod lock;
mod npy;
mod of;
mod resume;
mod room;
mod slots;
mod started;
mod whole;
mod work;

use std::fmt;
use std::ops::Range;

pub use self::file::{reserve, sync_folder};
pub use self::journal::ResumeStep;
pub use self::npy::{NpyValue, bytes as npy_bytes, header as npy_header};
pub use self::of::BandsOf;
pub use self::room::Need;
use self::room::Sharers;
pub use self::slots::BandSlots;
pub use self::started::{Band, StartedBands};
use self::whole::Cut;
pub(crate) use self::whole::rectangle;
pub use self::work::{checksum, difference, values_of, work_text};
use crate::error::BandsCause;
use crate::{Device, DeviceType, Result, Shape};

/// Launches a kernel for some rows.
type Launch<'a, T> = Box<dyn FnMut(Range<usize>, &mut BandSlots<T>) -> Result<()> + 'a>;

/// Looks at each band.
type Inspect<'a, T> = Box<dyn FnMut(&Band<'_, T>) -> Result<()> + 'a>;

/// Is told how far bands have got.
type Callback<'a> = Box<dyn FnMut(BandProgress) + 'a>;

/// The rows of a kernel's result in bands of about equal memory, in order: from the `bands` of a generated kernel with one
/// `Packed` or one `Matrix`, which takes the arguments of `launch` but this one; or from [`Device::bands`] and its like, for
/// any launch.
///
/// The result is never in memory as a whole, neither on the device nor on the host. On a GPU a band is computed while the
/// one before it is copied to pinned memory of the host, and the one before that is the caller's.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let device = Device::best()?;
/// let kernel = distance::load(&device)?;
/// let x = device.upload(&[0.0, 1.0, 3.0, 6.0, 10.0])?;
/// let mut farthest = Vec::new();
/// let mut bands = kernel.bands(&x)?.memory(64).start()?; // room for 16 values, in all bands that are under way
/// while let Some(band) = bands.next()? {
///     for (_, row) in band.each_row() {
///         farthest.push(row.iter().copied().fold(0.0, f32::max));
///     }
/// }
/// assert_eq!(farthest, [0.0, 1.0, 3.0, 6.0, 10.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// A value has the same bits as in one launch of all rows, as it has with [`rows`](crate::PairKernel::rows). Other outputs of
/// the kernel gather over all bands: a `Sum` is complete after the last one. After `kernel.rows(a..b)` the bands are those of
/// these rows.
///
/// # Several devices
///
/// Bands of [`Devices`](crate::Devices) go to whichever of them has least to do, and arrive in the order of the rows, as those
/// of one device do; so does progress. Each device has slots, copies to the host and host memory of its own, so that bands
/// arrive at the rate of all connections together. All other outputs that several devices gather, sums, lists and results of
/// elements, gather over all bands and all devices. One thread launches what devices compute: CPUs among them, whose launches
/// return when they have ended, compute one after another, each with all cores.
///
/// ```
/// use td_kernel::{Devices, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>, far: &mut Sum<u64>) {
///     r#"
///     distance = fabsf(x.i - x.j);
///     if (distance > 5.0f) far += 1;
///     "#
/// }
///
/// let devices = Devices::cpu(2)?; // or Devices::all(): every GPU
/// let (kernel, x) = (distance::load(&devices)?, devices.upload(&[0.0, 1.0, 3.0, 6.0, 10.0])?);
/// let (mut far, mut values) = (devices.sum()?, Vec::new());
/// kernel.bands(&x, &mut far)?.height(1).each(|band| {
///     values.extend_from_slice(band.values);
///     Ok(())
/// })?;
/// assert_eq!(values, [1.0, 3.0, 2.0, 6.0, 5.0, 3.0, 10.0, 9.0, 7.0, 4.0]);
/// assert_eq!(far.download()?, 4);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// An error of one device names it, and ends the bands of all.
pub struct Bands<'a, T> {
    device: Device,
    whole: Shape,
    rows: Option<Range<usize>>,
    side: usize,
    /// The kernel's name and text, where it is one kernel.
    text: String,
    /// The kernel's name, where it has outputs beside the values.
    gathers: Option<&'static str>,
    /// Whether a file has the values from the last to the first.
    is_condensed: bool,
    limits: Limits,
    inspect: Option<Inspect<'a, T>>,
    /// For tests: see [`Bands::at_steps`].
    steps: Option<Box<dyn FnMut(ResumeStep) + 'a>>,
    progress: Option<Callback<'a>>,
    launch: Launch<'a, T>,
}

/// What may be used.
#[derive(Clone, Debug)]
struct Limits {
    /// Bytes of all slots on the device.
    memory: Option<usize>,
    /// Bytes of the host's memory that slots are copied to.
    host_memory: Option<usize>,
    /// How many bands have memory at the same time, where they are copied.
    in_flight: usize,
    /// The most rows of a band.
    height: usize,
    /// Who else takes of the same memory.
    sharers: Sharers,
}

/// How far bands have got: for the callback of [`Bands::progress`].
///
/// ```
/// use td_kernel::{BandProgress, Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// /// What a person reads while a program runs.
/// fn words(done: &BandProgress) -> String {
///     let percent = 100.0 * done.values as f64 / done.of.max(1) as f64;
///     format!("{percent:.0} %, next row {}", done.next_row)
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[0.0, 1.0, 3.0, 6.0, 10.0])?;
/// let mut told = Vec::new();
/// let bands = distance::load(&device)?.bands(&x)?.height(2);
/// bands.progress(|done| told.push(words(&done))).each(|_| Ok(()))?;
/// // Later rows of a triangle are longer: most of the work is in the last ones.
/// assert_eq!(told, ["10 %, next row 2", "60 %, next row 4", "100 %, next row 5"]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BandProgress {
    /// The first row that is not done: the next band begins there.
    pub next_row: usize,
    /// The values of the bands that are done.
    pub values: usize,
    /// The values of all bands.
    pub of: usize,
}

impl<'a, T: DeviceType> Bands<'a, T> {
    /// At most so many bytes of the device's memory for the values, of all bands that are under way; of several devices, of
    /// each one's memory. On a GPU these are [`in_flight`](Self::in_flight) bands; on the CPU it is one.
    ///
    /// Without a limit, bands have from 64 to 512 MiB each, as many as 256 rows need, and less than half of what is free. Those
    /// of several devices are smaller where there would be less than four for each.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// At most so many bytes of the host's pinned memory for the values, of all bands that are under way. Without a limit,
    /// it is as much as of the device's memory, and less than a quarter of what is free. Several devices share these bytes.
    #[must_use]
    pub fn host_memory(mut self, bytes: usize) -> Self {
        self.limits.host_memory = Some(bytes);
        self
    }

    /// So many bands of each device have memory at the same time, there and on the host: from 1 to 64, and 2 if nothing is said. With
    /// 1, nothing is done at the same time; more than 2 are for a caller that is sometimes slow.
    #[must_use]
    pub fn in_flight(mut self, bands: usize) -> Self {
        self.limits.in_flight = bands.clamp(1, 64);
        self
    }

    /// At most so many rows in a band, and at least one.
    #[must_use]
    pub fn height(mut self, rows: usize) -> Self {
        self.limits.height = rows.max(1);
        self
    }

    /// Only the bands of these rows: to go on where an earlier program has ended.
    #[must_use]
    pub fn rows(mut self, rows: Range<usize>) -> Self {
        self.rows = Some(rows);
        self
    }

    /// A file gets SciPy's condensed form, (0, 1), (0, 2), … (1, 2), …, as of `scipy.spatial.distance.pdist`: **give the
    /// elements in reverse order** for that, the last one first. Then the rows that are computed first are the last ones of
    /// this form, back to front, and each band is one piece of the file, which is written as fast as any other. A band itself
    /// has the pairs of the reversed elements, and is the same as without this call.
    ///
    /// The pair function sees the element that SciPy has first as `j` in the order that was given, as the smaller index is
    /// always; that makes no difference to a distance, which is the same both ways.
    ///
    /// ```
    /// use td_kernel::{Device, Error, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// # let folder = std::env::temp_dir().join(format!("td-kernel-condensed-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).map_err(Error::other)?;
    /// # let path = folder.join("condensed.npy");
    /// let device = Device::cpu()?;
    /// let mut x = vec![0.0_f32, 1.0, 3.0, 7.0];
    /// x.reverse();
    /// distance::load(&device)?.bands(&device.upload(&x)?)?.condensed().write_npy(&path)?;
    /// let bytes = std::fs::read(&path).map_err(Error::other)?;
    /// let (values, _) = bytes[128..].as_chunks::<4>();
    /// let values: Vec<f32> = values.iter().map(|value| f32::from_le_bytes(*value)).collect();
    /// assert_eq!(values, [1.0, 3.0, 7.0, 2.0, 6.0, 4.0]);
    /// # std::fs::remove_dir_all(&folder).map_err(Error::other)?;
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// It is for all rows of a triangle without its diagonal; of others, writing a file is an error.
    #[must_use]
    pub fn condensed(mut self) -> Self {
        self.is_condensed = true;
        self
    }

    /// Passes each band to `look` too, before [`each`](Self::each) or [`write_npy`](Self::write_npy) has it: for statistics of
    /// what goes to a file. An error of `look` ends the bands.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[0.0, 1.0, 3.0])?;
    /// let (mut sum, mut rows) = (0.0, 0);
    /// let bands = distance::load(&device)?.bands(&x)?.inspect(|band| {
    ///     sum += band.values.iter().sum::<f32>();
    ///     Ok(())
    /// });
    /// bands.each(|band| {
    ///     rows += band.rows.len();
    ///     Ok(())
    /// })?;
    /// assert_eq!((sum, rows), (6.0, 3));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn inspect(mut self, look: impl FnMut(&Band<'_, T>) -> Result<()> + 'a) -> Self {
        self.inspect = Some(Box::new(look));
        self
    }

    /// Calls `report` after each band, when the caller is done with it.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn product(#[row] x: &[f32], #[column] y: &[f32], products: &mut Matrix<f32>) {
    ///     r#" products = x * y; "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let (x, y) = (device.upload(&[1.0, 2.0, 3.0])?, device.upload(&[10.0, 100.0])?);
    /// let bands = product::load(&device)?.bands(&x, &y)?;
    /// let mut shares = Vec::new();
    /// bands.height(2).progress(|done| shares.push((done.values, done.of))).each(|_| Ok(()))?;
    /// assert_eq!(shares, [(4, 6), (6, 6)]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn progress(mut self, report: impl FnMut(BandProgress) + 'a) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// Takes the memory. The bands then come from [`StartedBands::next`].
    ///
    /// # Errors
    ///
    /// The arguments are wrong in the way of a launch's; a row alone is larger than a band may be; or there is not enough
    /// memory, or the device fails. Or these are [`part_of`](crate::Devices::part_of) the devices of several processes. Nothing has
    /// been computed then.
    pub fn start(self) -> Result<StartedBands<'a, T>> {
        let first = self.range()?.start;
        self.start_at(first)
    }

    /// The same from this row on, before which all is there.
    fn start_at(self, first: usize) -> Result<StartedBands<'a, T>> {
        let rows = self.range()?;
        self.expect_all()?;
        let room = self.room(&rows)?;
        let Bands { device, whole, side, limits, progress, launch, .. } = self;
        let report = Report::new(&whole, &rows, progress);
        let rows = first..rows.end;
        let cut = Cut { whole, rows, values: room, height: limits.height, side };
        StartedBands::new(&device, launch, cut, report, limits.in_flight)
    }

    /// Passes each band to `sink`, in order.
    ///
    /// # Errors
    ///
    /// Those of [`start`](Self::start) and [`StartedBands::next`]; or the first of `sink`, after which nothing is left
    /// running: [`Error::other`](crate::Error::other) makes one of any other error.
    pub fn each(mut self, mut sink: impl FnMut(Band<'_, T>) -> Result<()>) -> Result<()> {
        let mut inspect = self.inspect.take();
        let mut bands = self.start()?;
        while let Some(band) = bands.next()? {
            if let Some(look) = &mut inspect {
                look(&band)?;
            }
            sink(band)?;
        }
        Ok(())
    }

    /// Checks what can be checked before anything is done: for who takes space for the values first.
    #[doc(hidden)]
    pub fn expect_startable(&self) -> Result<()> {
        self.expect_all()?;
        self.room(&self.range()?).map(drop)
    }

    /// The kernel's name, where it has outputs beside the values.
    #[doc(hidden)]
    pub fn gathers(&self) -> Option<&'static str> {
        self.gathers
    }

    /// Checks that no other process has devices that share the launches: bands are of all rows in each process.
    fn expect_all(&self) -> Result<()> {
        let (count, [_, of]) = (self.device.devices().len(), self.device.backend().place());
        match self.device.is_part() {
            true => Err(BandsCause::Shared { count, of }.into()),
            false => Ok(()),
        }
    }

    /// The rows, which there are.
    fn range(&self) -> Result<Range<usize>> {
        let rows = self.rows.clone().unwrap_or(0..self.whole.row_count());
        self.whole.of_rows::<T>(rows.clone())?;
        Ok(rows)
    }
}

impl<T> fmt::Debug for Bands<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bands")
            .field("whole", &self.whole)
            .field("rows", &self.rows)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// What is told of bands.
struct Report<'a> {
    /// The values before the first row, and those of all rows.
    before: usize,
    of: usize,
    callback: Option<Callback<'a>>,
}

impl<'a> Report<'a> {
    fn new(whole: &Shape, rows: &Range<usize>, callback: Option<Callback<'a>>) -> Self {
        Report { before: whole.before(rows.start), of: whole.values(rows), callback }
    }

    /// All rows before `row` are done.
    fn reached(&mut self, whole: &Shape, row: usize) {
        if let Some(callback) = &mut self.callback {
            let values = whole.before(row) - self.before;
            callback(BandProgress { next_row: row, values, of: self.of });
        }
    }
}
