//! Several devices as one.

#[cfg(all(test, feature = "cpu"))]
mod tests;

use std::fmt;
use std::ops::Deref;
use std::path::Path;

use crate::{Device, Error, Result, Target};

/// Several GPUs, or CPUs in their place, that share the work of each launch.
///
/// What is uploaded is copied to each of them. A launch gives each device a part of the rows, of about as many pairs as
/// the others have, and the results are put together on the host when they are downloaded; nearest neighbours by the
/// devices, at the end of a launch. So a program for one device is one for several:
///
/// ```
/// use td_kernel::{Devices, td_kernel};
///
/// #[td_kernel]
/// unsafe fn collisions(
///     #[each] p: &[[f32; 2]],
///     radius: f32,
///     #[each] hits: &mut Sum<u32>,
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
/// Kernels that gather: into [`Sum`](crate::Sum), [`Pairs`](crate::Pairs) with values and without, and the results of
/// elements, [`Sums`](crate::Sums), [`Minima`](crate::Minima) and [`Maxima`](crate::Maxima); of one set, of two, and over
/// [`Features`](crate::Features). The kernel's map must have ranges of rows; where it has several, a launch takes one
/// that has them. And kernels that look for the [`Nearest`](crate::Nearest) of each element, in rounds. Values for each pair
/// (`Packed`, `Matrix`) come in [bands](crate::Bands) of rows, each of which one of the devices computes: `kernel.bands(…)`
/// gives all of them in order. Slots as such are on one device each; a launch into them is refused, with what to write instead.
/// So is a kernel that writes a `Square`, or to a slice, which nothing tells how to put together.
///
/// # Where results are, and what waits
///
/// Each device keeps what it has gathered, over as many launches as there are. A download waits for all devices, copies
/// what each has, and adds it up, appends it, or takes the greatest of it, on the host; no device ever waits for another
/// one, and none needs to reach another's memory. What is copied is small: some hundred bytes for a sum, 4 or 8 bytes for
/// each element and device for its results (80 or more of a [deterministic](crate::Sums) sum), and the pairs of a list,
/// each of which only one device has.
///
/// Nearest neighbours are the exception. Each device goes through some of the [rounds](crate::maps::Rounds) by itself, and
/// then has the K nearest of every element among its own pairs. When all have ended, each takes what the others have for an
/// equal part of the elements, 8 K bytes for each element from each of the others, and merges it; a download copies each
/// element's from where it is complete. GPUs copy from each other through the driver: directly if the process has enabled
/// that between them, and by way of the host's memory if not. The rows of two sets are shared so that nothing is to be
/// merged, each device with all columns; only if rows are so few that some devices would have nothing to do, or much less
/// than others, do the devices share the columns, and merge. Such a launch returns when all is done.
///
/// A launch checks everything, has each device compile what it needs, and only then starts the devices, all at the same
/// time. On GPUs it returns when the work is on their default streams (`with_stream` is for one device); CPUs have done it
/// then. A list has room for all of its pairs on each device, so that it is too short on several devices exactly where it
/// is on one.
///
/// # The same results on any number of devices
///
/// Counts, sums of integers, least and greatest values with their indices, nearest neighbours, and which pairs are listed
/// do not depend on the number of devices. The order of a list does, as it does from launch to launch on one. Sums of floats are within the
/// bound that [`Sum`](crate::Sum) and [`Sums`](crate::Sums) state for one device: each device's part is, and the parts are
/// added up as doubles. With `#[td_kernel(deterministic = true)]` they have the same bits on any number of devices of one
/// kind, on every map but `walk`: the parts of the rows end where tiles end, or in the plain loops of a CPU where its cores'
/// parts end, and partial sums are those of tiles or of such parts.
///
/// The value of a pair has the same bits whichever device of one kind visits it, in whichever tile. (With the key
/// `fmad = true` the compiler may fuse products differently in kernels for other tiles, which a launch on more devices may take.)
///
/// # When a device fails
///
/// The error says which one, by its index and its name ([`Error::device`](crate::Error::device)), and is otherwise the
/// error of that device. If something is wrong before the devices start, nothing has run. If a device refuses its part of a
/// launch after another one has started, what the outputs have is a part of the result: the launch is an error, and so is
/// each of their downloads, until they are cleared. If a GPU fails later, in the kernel, that is an error of the download,
/// which names the GPU.
///
/// # Which devices
///
/// All parts are about equally large, so the devices should be equally fast. GPUs and CPUs may be in one list; then the CPUs
/// look for nearest neighbours by the GPU's text, which takes them far longer than loops of their own would. The list may
/// name a device twice, for tests: `Devices::new([gpu.clone(), gpu])` does with one GPU what two would do.
#[derive(Clone)]
pub struct Devices {
    joint: Target,
    devices: Vec<Device>,
}

impl Devices {
    /// All GPUs that kernels run on, in the order of the driver. One that is too old is left out, with a warning through
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
                // One that is too old.
                Err(error) if error.is_without_gpu() => {
                    tracing::warn!("GPU {ordinal} is left out: {}", error.without_advice());
                    left_out = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        match left_out {
            _ if !devices.is_empty() => Devices::new(devices),
            Some(error) => Err(error),
            None => Err(Error::no_gpu("there is no GPU 0: the driver counts 0, from 0 on")),
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

    /// These devices, as those from number `first` on of all `of` that share each launch.
    fn among(devices: Vec<Device>, first: usize, of: usize) -> Devices {
        let targets = devices.iter().map(|device| device.target.clone()).collect();
        Devices { joint: Target::joint(targets, first, of), devices }
    }

    /// The CPU, as often as `count` says, in the place of as many GPUs: for tests of what is to run on several.
    ///
    /// Each has memory of its own; they share the cores, and what is compiled. [`Device::cpu`] says how kernels run there.
    ///
    /// Needs the feature `cpu` of this crate, which is on by default.
    ///
    /// # Errors
    ///
    /// `count` is 0, or there is no C++ compiler.
    #[cfg(feature = "cpu")]
    pub fn cpu(count: usize) -> Result<Devices> {
        Devices::new(vec![Device::cpu()?; count])
    }

    /// These devices, as some of those that share each launch: `of` there are in all, in several processes, and `first` come
    /// before these. A launch then visits only the pairs that are these devices' own, as many as any other's, and an output
    /// has what these have gathered. [`Gathered`](crate::Gathered) puts it together with what others have.
    ///
    /// The parts are those that as many devices of one process would have: so what is the same on any number of
    /// devices is the same on any number of processes too.
    ///
    /// Outputs must be made by the same `Devices` that the kernel is loaded for. A launch into an output of the whole devices, or
    /// of another part, is an error: the pairs of a part would look like all pairs.
    ///
    /// Each process cuts the pairs by itself, and nothing compares how: **all processes must have equal devices**, of the same kind
    /// and name with as many multiprocessors or cores, and as many of them. Otherwise they cut at different places, and pairs are
    /// counted twice or not at all. Where parts end follows from the variant, too: so all processes take the one that the rule
    /// gives for n, whatever has been tuned on their machines, and `tune` is an error on these devices. The keys `map` and `tile` of
    /// a kernel's attribute choose for all of them.
    ///
    /// [`Bands`](crate::Bands) are of all rows, and no part of them is a process's own: on these devices they are an error, where
    /// there are others in other processes. Write `bands` of one of these devices, with the `rows` that this process is to have.
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
    /// There are fewer than `first` and these in all.
    pub fn part_of(&self, first: usize, of: usize) -> Result<Devices> {
        let count = self.len();
        if first.checked_add(count).is_none_or(|end| end > of) {
            return Err(Error::arguments(format!(
                "of {of} devices there are no {count} from number {first} on: give all processes the same number of devices in all, and each the number of those before its own"
            )));
        }
        Ok(Devices::among(self.devices.clone(), first, of))
    }

    /// Each device by itself, in order: to load a kernel for one of them, or to ask for its name.
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

    /// How many devices there are.
    // At least one, so no `is_empty`.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.devices.len()
    }
}

impl Deref for Devices {
    type Target = Target;

    fn deref(&self) -> &Target {
        &self.joint
    }
}

impl AsRef<Target> for Devices {
    fn as_ref(&self) -> &Target {
        &self.joint
    }
}

impl From<Devices> for Target {
    fn from(devices: Devices) -> Target {
        devices.joint
    }
}

impl fmt::Debug for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
