//! Several devices as one.

#[cfg(all(test, feature = "cpu"))]
mod tests;

use std::fmt;
use std::path::Path;

use crate::error::counted;
#[cfg(feature = "cpu")]
use crate::host;
use crate::host::methods::is_target;
use crate::{Device, Error, ErrorKind, Result, Target};

/// Several GPUs, or CPUs in their place, that share the work of each launch.
///
/// Uploads are copied to each device. A launch gives each device a part of the rows with about as many pairs as the other
/// parts. The host combines the results when they are downloaded; the devices merge nearest neighbours at the end of a launch.
/// So a program for one device also works for several:
///
/// ```
/// use td_kernel::{Devices, td_kernel};
///
/// #[td_kernel]
/// unsafe fn collisions(
///     #[each] p: &[[f32; 2]],
///     radius: f32,
///     #[each] hits: &mut Sums<u32>,
///     close: &mut Pairs,
/// ) {
///     r#"
///     float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
///     if (dx * dx + dy * dy < radius * radius) {
///         hits.i += 1;
///         hits.j += 1;
///         close.push();
///     }
///     "#
/// }
///
/// # fn main() -> td_kernel::Result<()> {
/// let devices = Devices::cpu(2)?; // or Devices::all(): every GPU
/// let kernel = collisions::load(&devices)?;
/// // A row of 1000 points, one apart from the next.
/// let points: Vec<[f32; 2]> = (0..1000).map(|at| [at as f32, 0.0]).collect();
/// let points = devices.upload(&points)?;
/// let (mut hits, mut close) = (devices.sums(1000)?, devices.pairs(1000)?);
/// kernel.launch(&points, 1.5, &mut hits, &mut close)?;
/// let hits: Vec<u32> = hits.download()?;
/// assert_eq!((hits[0], hits[1], hits[998], hits[999]), (1, 2, 2, 1));
/// assert_eq!(close.download()?.len(), 999);
/// # Ok(())
/// # }
/// ```
///
/// # What several devices do
///
/// - **Gather results** of all pairs and of elements, like [`Sum`](crate::Sum) and [`Sums`](crate::Sums). The kernel needs a map with
///   ranges of rows; a launch chooses one if the kernel has several maps.
/// - **Find the [`Nearest`](crate::Nearest)** of each element, in rounds. Within many sets, each device does so for some elements.
/// - **Share the pairs of [many sets](crate::Sets)**, also [with features](crate::FeatureSets): each device visits consecutive pairs,
///   and a large set may be divided.
///   [`PackedSets`](crate::PackedSets) and [`MatrixSets`](crate::MatrixSets) have the values of each pair on the device that visits
///   it, and no kernel can read them.
/// - **Compute values for each pair** (`Packed`, `Matrix`) in [chunks](crate::Chunks) of rows, each on one of the devices:
///   `kernel.chunks(…)` returns them in order.
///
/// Other slots outside chunks are on one device each, so a launch into them is an error that shows what to write instead. A kernel
/// whose results [cannot be combined](crate#parameters) is not loaded.
///
/// # Where results are, and what waits
///
/// Each device keeps what it has gathered over any number of launches. A download waits for all devices, copies the part of each,
/// and adds, appends or compares the parts on the host; states of a `Reduce` are joined on one device. Devices never wait for each
/// other, and need not reach each other's memory. The copies are small: some hundred bytes for a sum, 4 or 8 bytes per element and
/// device for results of elements (80 or more for a [deterministic](crate::Sums) sum), and for a list its pairs, each of which is
/// on one device only.
///
/// With a lower bound over boxes, all devices start after the host has read a test of some pairs from the first one.
///
/// Nearest neighbours are the exception. Each device runs some of the [rounds](crate::maps::rounds) and then has the K nearest
/// of every element among its own pairs. When all have finished, each device takes an equal part of the elements, copies 8 K
/// bytes per element from each other device, and merges them; a download copies each element's neighbours from the device that
/// merged them. GPUs copy from each other through the driver: directly if the process has enabled it between them, otherwise
/// through host memory. The rows of two sets are divided so that nothing needs merging: each device has all columns. Only if
/// rows are so few that some devices would have no or much less work, the devices divide the columns and merge. Such a launch
/// returns when all work is done. Within [many sets](crate::Sets), each device has consecutive elements and their whole sets, so
/// nothing needs merging, and on GPUs the launch returns at once. If launches divide the elements differently, because their sets
/// have other sizes, a download merges what all devices have found.
///
/// A launch first checks everything and lets each device compile what it needs, then starts all devices at the same time. On
/// GPUs it returns when the work is on their default streams (`with_stream` is for one device); on CPUs, when the work is done.
/// On each device a list has room for all of its pairs, so it is too short on several devices exactly if it is too short on
/// one.
///
/// # The same results on any number of devices
///
/// Counts, sums of integers, minima and maxima with their indices, nearest neighbours, and the set of listed pairs do not
/// depend on the number of devices. The order of a list does; even on one device it differs between launches. Sums of floats
/// are within the bound that [`Sum`](crate::Sum) and [`Sums`](crate::Sums) state for one device: each device's part is, and the
/// parts are added as doubles. With `#[td_kernel(deterministic = true)]` they have the same bits on any number of devices of
/// one kind, on every map but `walk`: the devices' rows end where tiles end, or in a CPU's plain loops where the parts of its
/// cores end, and partial sums are those of tiles or of such parts. A `Sum` over [given pairs](crate#given-pairs) has them if the
/// list was uploaded. In a list that the devices have made together, the order of pairs differs, and so may the sum's last bits.
///
/// The value of a pair has the same bits on every device of one kind and in every tile. (With the key `fmad = true` the
/// compiler may fuse products differently in kernels for other tiles, which a launch on more devices may take.)
///
/// # When a device fails
///
/// The error is that of the device, with its index and name ([`Error::device`](crate::Error::device)). If something is wrong
/// before the devices start, nothing has run. If a device rejects its part of a launch after another one has started, the
/// outputs have a part of the result: the launch is an error, and so is each of their downloads until they are cleared. (Values of
/// the pairs of many sets keep what they had on the other devices, as slots do.) If a
/// GPU fails later, in the kernel, the download is an error that names the GPU.
///
/// # Which devices
///
/// All parts are about equally large, so the devices should be equally fast. GPUs and CPUs may be in one list; then the CPUs
/// search for nearest neighbours, and visit [sets](crate::Sets) of 8,192 elements and more, with the GPU source, which is far
/// slower than their own loops. For tests, the list may name a
/// device twice: `Devices::new([gpu.clone(), gpu])` uses one GPU like two.
#[derive(Clone)]
pub struct Devices {
    joint: Target,
    devices: Vec<Device>,
}

impl Devices {
    /// All GPUs that kernels run on, in the driver's order. A GPU that is too old is left out, with a warning through
    /// `tracing`.
    ///
    /// ```
    /// use td_kernel::{Devices, ErrorKind};
    ///
    /// let devices = match Devices::all() {
    ///     Err(error) if error.kind() == ErrorKind::NoGpu => Devices::cpu(1),
    ///     other => other,
    /// }?;
    /// println!("kernels run on {}", devices.name());
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no driver, no GPU, or none of compute capability 6.0 or later; or the driver fails.
    pub fn all() -> Result<Devices> {
        let mut devices = Vec::new();
        let mut left_out = None;
        for ordinal in 0..Device::count_gpus()? {
            match Device::cuda(ordinal) {
                Ok(device) => devices.push(device),
                // The GPU is too old.
                Err(error) if error.kind() == ErrorKind::NoGpu => {
                    tracing::warn!("GPU {ordinal} is left out: {}", error.without_advice());
                    left_out = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        match left_out {
            _ if !devices.is_empty() => Devices::new(devices),
            Some(error) => Err(error),
            None => Err(Error::no_gpu("there is no GPU 0: the driver reports none")),
        }
    }

    /// These devices, in this order.
    ///
    /// ```
    /// use td_kernel::{Device, Devices};
    ///
    /// let (one, other) = (Device::cpu()?, Device::emulator()?);
    /// let devices = Devices::new([one, other])?;
    /// assert_eq!(devices.len(), 2);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The list is empty.
    pub fn new(devices: impl IntoIterator<Item = Device>) -> Result<Devices> {
        let devices: Vec<Device> = devices.into_iter().collect();
        if devices.is_empty() {
            let problem =
                "the list of devices is empty: give at least one, or write `Devices::all()`";
            return Err(Error::arguments(problem));
        }
        let of = devices.len();
        Ok(Devices::among(devices, 0, of))
    }

    /// These devices as numbers `first` and up of all `of` that share each launch.
    fn among(devices: Vec<Device>, first: usize, of: usize) -> Devices {
        let targets = devices.iter().map(|device| device.target.clone()).collect();
        Devices { joint: Target::joint(targets, first, of), devices }
    }

    /// The CPU, `count` times, in place of as many GPUs: for tests of code for several devices.
    ///
    /// Each has its own memory; they share the cores and the compiled kernels. [`Device::cpu`] describes how kernels run there.
    ///
    /// Needs the feature `cpu` of this crate, which is on by default.
    ///
    /// # Errors
    ///
    /// `count` is 0, there is not enough memory for as many devices, or there is no C++ compiler.
    #[cfg(feature = "cpu")]
    pub fn cpu(count: usize) -> Result<Devices> {
        Devices::new(host::collected(count, std::iter::repeat_n(Device::cpu()?, count))?)
    }

    /// These devices as some of the `of` devices, in several processes, that share each launch; `first` devices come before
    /// these. A launch then visits only these devices' pairs, as many as any other's, and an output has only their results.
    /// [`PartialResult`](crate::PartialResult) combines it with the results of the other processes.
    ///
    /// The parts are those of as many devices in one process. So results that are the same on any number of devices are the
    /// same on any number of processes too.
    ///
    /// Make outputs with the same `Devices` that the kernel is loaded for. A launch into an output of all devices, or of
    /// another part, is an error: the pairs of a part would look like all pairs.
    ///
    /// Each process divides the pairs by itself, and nothing compares the divisions. So **all processes must have equal
    /// devices**: the same number, of the same kind and name, with as many multiprocessors or cores. Otherwise pairs are
    /// counted twice or not at all. The division also depends on the variant. So all processes take the variant that the rule
    /// gives for n, whatever has been tuned on their machines, and `tune` is an error on these devices. The keys `map` and
    /// `tile` of a kernel's attribute choose for all processes.
    ///
    /// [`Chunks`](crate::Chunks) visit all rows, not a process's part. So they are an error on these devices if other processes
    /// have devices too. Call `chunks` on one of these devices, with the `rows` for this process.
    ///
    /// ```
    /// use td_kernel::{Devices, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn close(#[each] x: &[f32], count: &mut Sum<u32>) {
    ///     r#" if (fabsf(x.i - x.j) < 2.5f) count += 1; "#
    /// }
    ///
    /// let x: Vec<f32> = (0..100).map(|at| at as f32).collect();
    /// let mut all = 0;
    /// // What three processes would do, one after another.
    /// for process in 0..3 {
    ///     let own = Devices::cpu(1)?.part_of(process, 3)?;
    ///     let mut count = own.sum()?;
    ///     close::load(&own)?.launch(&own.upload(&x)?, &mut count)?;
    ///     all += count.download()?;
    /// }
    /// assert_eq!(all, 99 + 98);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `of` is less than `first` plus the number of these devices.
    pub fn part_of(&self, first: usize, of: usize) -> Result<Devices> {
        let count = self.len();
        if first.checked_add(count).is_none_or(|end| end > of) {
            return Err(Error::arguments(format!(
                "a total of {of} has no room for {} from number {first} on: in every process, pass as `first` the number of devices before its own, and as `of` the total",
                counted(count, "device")
            )));
        }
        Ok(Devices::among(self.devices.clone(), first, of))
    }

    /// Each device, in order: to load a kernel for one of them, or to get its name.
    ///
    /// ```
    /// use td_kernel::Devices;
    ///
    /// let devices = Devices::cpu(3)?;
    /// for (index, device) in devices.iter().enumerate() {
    ///     println!("device {index}: {}", device.name());
    /// }
    /// assert_eq!(devices.iter().len(), 3);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Device> {
        self.devices.iter()
    }

    /// The same devices, with the kernels that they compile from now on kept in `folder`: see [`Device::with_cache`].
    #[must_use]
    pub fn with_cache(&self, folder: impl AsRef<Path>) -> Devices {
        let folder = folder.as_ref();
        let devices = self.iter().map(|device| device.with_cache(folder)).collect();
        let [first, of] = self.joint.backend().place();
        let Devices { joint, devices } = Devices::among(devices, first, of);
        Devices { joint: joint.with_cache(folder), devices }
    }

    /// The number of devices.
    // At least one, so there is no `is_empty`.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.devices.len()
    }
}

is_target!(Devices, joint);

impl fmt::Debug for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
