//! What every kind of device does: it allocates, copies, compiles, launches and keeps the order.
//!
//! `cuda`, `cpu` and `several` are the kinds. Nothing above this module asks which one a device is; a view of elements
//! (`view.rs`) says only in whose memory they are.
//!
//! Uses `host` and what is below it.

pub(crate) mod compiler_messages;
#[cfg(feature = "cpu")]
pub(crate) mod cpu;
pub(crate) mod cuda;
pub(crate) mod driver;
pub mod nvrtc;
pub(crate) mod order;
pub(crate) mod several;
pub(crate) mod view;

mod copies;

use std::alloc::Layout;
use std::ffi::c_void;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cudarc::driver::CudaStream;
use td_kernel_maps::Root;

pub(crate) use self::copies::{Note, Notes, Relay};
use crate::Result;
use crate::backend::nvrtc::Cache;
use crate::backend::view::{Byte, Home, View, ViewMut};

/// A device of some kind.
///
/// Where a method takes a stream, it is one of this device's, or `None` on a kind that has none.
pub(crate) trait Backend: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// What the device calls itself.
    fn name(&self) -> &str;

    /// Whether it is the CPU.
    fn is_cpu(&self) -> bool {
        false
    }

    /// Whether it is several devices, each of which has its own memory and runs its own part of a launch.
    fn is_several(&self) -> bool {
        false
    }

    /// Its place among all devices that share each launch, which may be those of several processes: how many come before it,
    /// or before the first that it stands for, and how many there are.
    fn place(&self) -> [usize; 2] {
        [0, 1]
    }

    /// Whether it runs the plain loops of a kernel that has some, and not a GPU's text.
    fn runs_loops(&self) -> bool {
        false
    }

    /// Whether launches need the calling thread for themselves, so that it must not wait for launches of other threads.
    fn needs_this_thread(&self) -> bool {
        false
    }

    /// How many multiprocessors, or cores, run blocks.
    fn multiprocessors(&self) -> u32;

    /// Whether its warps multiply matrices of `bf16`, and copy into shared memory meanwhile, as the sweep that filters does.
    fn multiplies_matrices(&self) -> bool {
        true
    }

    /// The stream that memory is copied and cleared on, where there are streams.
    fn stream(&self) -> Option<&Arc<CudaStream>> {
        None
    }

    /// Whether a kernel on this device can have memory there.
    fn owns(&self, home: &Home<'_>) -> bool;

    /// Has a launch on `stream` wait for what the stream of the memory at `home` has been given, where nothing else
    /// does. Then it returns that stream, which is to wait for the launch. This device owns the memory.
    fn join(
        &self,
        _stream: Option<&CudaStream>,
        _home: &Home<'_>,
    ) -> Result<Option<Arc<CudaStream>>> {
        Ok(None)
    }

    /// From here on, each use of memory waits for its earlier uses on other streams, even on streams dropped since.
    fn keep_order(&self) -> Result<()> {
        Ok(())
    }

    /// Waits for all streams.
    fn synchronize(&self) -> Result<()>;

    /// Starts to measure time on a stream.
    fn stopwatch(&self, stream: Option<&Arc<CudaStream>>) -> Result<Box<dyn Stopwatch>>;

    /// Memory of this layout, which is not empty: a copy of `contents`, which has the layout's size, or zeros.
    fn allocate(&self, layout: Layout, contents: Option<&[Byte]>) -> Result<Box<dyn Allocation>>;

    /// Copies bytes from the memory of `source`, another device or this one, to this device's: after all that its own stream
    /// has been given, and perhaps after this call has returned, which [`synchronize`](Backend::synchronize) waits for.
    ///
    /// # Safety
    ///
    /// Each device owns so many bytes from its address on. Nothing writes those of `source` any more, nor uses the others but
    /// on this device's own stream, until the copy has ended.
    unsafe fn copy_from_device(
        &self,
        to: u64,
        source: &dyn Backend,
        from: u64,
        bytes: usize,
    ) -> Result<()>;

    /// Zeros in host memory of the kind that this device copies to and from fastest.
    fn pinned(&self, layout: Layout) -> Result<Box<dyn HostBytes>>;

    /// How many bytes could be allocated now, where the device can tell.
    fn free_memory(&self) -> Option<usize> {
        None
    }

    /// A number that tells its memory from that of other GPUs, the same in all processes of a machine, where it can be told.
    fn identity(&self) -> Option<u64> {
        None
    }

    /// Whether memory is copied to the host by a [`Relay`]. Otherwise it is the host's.
    fn has_relay(&self) -> bool {
        false
    }

    /// What copies so many pieces of memory to the host, beside what kernels do; `None` where memory is the host's. From
    /// here on the order of streams is kept.
    fn relay(&self, _slots: usize) -> Result<Option<Box<dyn Relay>>> {
        Ok(None)
    }

    /// What reads a word of this device while it goes on; `None` where there are no rounds to go on with.
    fn notes(&self) -> Result<Option<Box<dyn Notes>>> {
        Ok(None)
    }

    /// Compiles a text and loads the code. A kind of device that uses the cache first looks for the code there.
    fn compile(&self, text: &Text<'_>, cache: Option<&Cache>) -> Result<Box<dyn Loaded>>;

    /// The smallest λ below `end` whose row `root` gets wrong on this device.
    fn root_failure(&self, root: Root, end: u64, cache: Option<&Cache>) -> Result<Option<u64>>;

    /// How far launches have got; zeros on a kind of device that does not count.
    fn progress(&self) -> Progress {
        Progress::default()
    }
}

/// A text to be compiled.
pub(crate) struct Text<'a> {
    /// What messages call the kernel.
    pub(crate) kernel: &'a str,
    /// The name of its `extern "C" __global__` function.
    pub(crate) entry: &'a str,
    /// The names of the others that it has: see [`Loaded::other`].
    #[cfg_attr(not(feature = "cpu"), allow(dead_code))]
    pub(crate) others: &'a [String],
    pub(crate) source: &'a str,
    /// The compiler's options for it, beside those of every text: NVRTC's, which the emulator has no use for, and for plain loops the
    /// C++ compiler's.
    pub(crate) options: &'a [&'a str],
    /// Whether λ has 64 bits: the macro `TD_WIDE` is then defined.
    pub(crate) is_wide: bool,
    /// The threads of a block.
    pub(crate) threads: u32,
    /// The shared memory, in bytes, that a launch gives each block beside what the text declares. An emulated block declares it.
    pub(crate) shared: u32,
    /// Whether it is a text in plain loops.
    #[cfg_attr(not(feature = "cpu"), allow(dead_code))]
    pub(crate) is_loops: bool,
    /// Where the user's texts in it begin: see [`KernelInfo`](crate::types::info::KernelInfo).
    #[cfg_attr(not(feature = "cpu"), allow(dead_code))]
    pub(crate) columns: &'a [(&'a str, usize)],
}

/// Code on a device.
pub(crate) trait Loaded: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The sizes in bytes of the parameters that the code was compiled with, where the device can tell. The first call
    /// decides how many it asks for: at most `count`.
    fn parameters(&self, count: usize) -> Option<&[usize]>;

    /// How many blocks the device runs at the same time, or about how many are worth launching.
    fn resident(&self) -> u32;

    /// What the code takes of a GPU; `None` on others.
    fn resources(&self) -> Result<Option<Resources>>;

    /// Another function of the same text, for blocks of so many threads.
    fn other(&self, entry: &str, threads: u32) -> Result<Box<dyn Loaded>>;

    /// Launches a grid of blocks.
    ///
    /// # Safety
    ///
    /// `parameters` points to one value for each parameter of the code, of that parameter's type. With these values and
    /// this grid, the code uses only memory that the device owns and that nothing else writes meanwhile.
    unsafe fn launch(
        &self,
        stream: Option<&Arc<CudaStream>>,
        grid: [u32; 2],
        block: [u32; 2],
        parameters: &mut [*mut c_void],
    ) -> Result<()>;
}

/// Memory of a device.
pub(crate) trait Allocation: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The bytes, for a kernel to read.
    fn view(&self) -> View<'_, Byte>;

    /// The bytes, for a kernel to write.
    fn view_mut(&mut self) -> ViewMut<'_, Byte>;

    /// Copies the bytes from `first` on to `host`: waits for everything that writes them, and returns when they are
    /// copied. Each byte of `host` then has the value that it has on the device.
    fn copy_to(&self, first: usize, host: &mut [Byte]) -> Result<()>;

    /// How many devices have the bytes, each its own.
    fn devices(&self) -> usize {
        1
    }

    /// The same as `copy_to`, of the bytes that one of the devices has.
    fn copy_of_device(&self, _device: usize, first: usize, host: &mut [Byte]) -> Result<()> {
        self.copy_to(first, host)
    }

    /// Copies `host` to the bytes from `first` on: waits for everything that uses those bytes, and returns when `host`
    /// has been read.
    fn copy_from(&mut self, first: usize, host: &[Byte]) -> Result<()>;

    /// Sets all bits to zero.
    fn clear(&mut self) -> Result<()>;
}

/// Bytes of the host's memory.
pub(crate) trait HostBytes: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The first one; they are this value's own.
    fn start(&self) -> NonNull<u8>;
}

/// Measures the time of what is launched.
pub(crate) trait Stopwatch {
    /// Notes when what was launched so far has ended.
    fn lap(&mut self) -> Result<()>;

    /// The times from the start to the first lap, and from each to the next one, once what was launched has ended.
    fn laps(self: Box<Self>) -> Result<Vec<Duration>>;
}

/// The host's clock, for launches that have ended.
pub(crate) struct Clock {
    start: Instant,
    laps: Vec<Duration>,
}

impl Clock {
    /// It starts.
    pub(crate) fn new() -> Clock {
        Clock { start: Instant::now(), laps: Vec::new() }
    }
}

impl Stopwatch for Clock {
    fn lap(&mut self) -> Result<()> {
        let now = Instant::now();
        self.laps.push(now - self.start);
        self.start = now;
        Ok(())
    }

    fn laps(self: Box<Self>) -> Result<Vec<Duration>> {
        Ok(self.laps)
    }
}

/// What compiled code takes of a GPU: in a [`Report`](crate::Report).
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
/// if let Some(resources) = distance::load(&device)?.report(30_000)?.resources {
///     assert_eq!(resources.local, 0, "registers are spilled");
///     println!("{:.0} % of the warps", 100.0 * resources.occupancy);
/// }
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Resources {
    /// Registers of each thread.
    pub registers: u32,
    /// Shared memory of each block, in bytes.
    pub shared: u32,
    /// Local memory of each thread, in bytes: spilled registers, and the body's own arrays.
    pub local: u32,
    /// How many blocks a multiprocessor runs at a time.
    pub blocks: u32,
    /// The share of a multiprocessor's warps that these blocks fill, from 0 to 1.
    pub occupancy: f64,
}

/// How many blocks have been launched on a device, and how many of them have run: from
/// [`Target::progress`](crate::Target::progress).
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
/// let mut distances = device.packed(100)?;
/// distance::load(&device)?.launch(&device.upload(&[0.5; 100])?, &mut distances)?;
/// let progress = device.progress();
/// assert!(progress.blocks > 0 && progress.finished == progress.blocks);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The blocks of all launches that have begun.
    pub blocks: u64,
    /// The blocks among them that have run.
    pub finished: u64,
}
