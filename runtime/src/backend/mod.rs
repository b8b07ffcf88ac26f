//! What every backend does: allocate, copy, compile, launch and keep the order.
//!
//! The backends are `cuda` and `cpu`, and `several`, which stands for a list of the others. What differs between them is a method
//! here. Above, only messages, free memory and the order of launches ask whether a device is the CPU, and `group` asks whether it
//! is several. A view of elements (`view.rs`) only shows in whose memory they are.
//!
//! Uses `host` and the layers below it.

pub(crate) mod compiler_messages;
#[cfg(feature = "cpu")]
pub(crate) mod cpu;
pub(crate) mod cuda;
pub(crate) mod driver;
pub(crate) mod libraries;
#[cfg(test)]
pub(crate) mod logged;
pub mod nvrtc;
pub(crate) mod order;
pub(crate) mod several;
pub(crate) mod stream;
pub(crate) mod view;

mod copies;

use std::alloc::Layout;
use std::ffi::c_void;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cudarc::driver::CudaStream;
use td_kernel_geometry::{Root, Tiling};

pub(crate) use self::copies::{Mailbox, MailboxSlot, Relay};
use crate::Result;
use crate::backend::nvrtc::Cache;
use crate::backend::view::{Byte, MemorySpace, View, ViewMut};

/// A device.
///
/// A stream parameter is a stream of this device, or `None` on a backend without streams.
pub(crate) trait Backend: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The device's name.
    fn name(&self) -> &str;

    fn is_cpu(&self) -> bool {
        false
    }

    /// Whether it stands for several devices, each with its own memory and its own part of a launch.
    fn is_several(&self) -> bool {
        false
    }

    /// Its position among all devices that share each launch, also those of other processes: the number of devices before it
    /// (for several devices, before the first of them), and the number of all.
    fn place(&self) -> [usize; 2] {
        [0, 1]
    }

    /// Whether it runs the plain loops of a kernel that has them, instead of the GPU source.
    fn runs_loops(&self) -> bool {
        false
    }

    /// Whether launches use the calling thread, which then must not wait for launches of other threads.
    fn needs_this_thread(&self) -> bool {
        false
    }

    /// The number of multiprocessors, or of cores, that run blocks.
    fn multiprocessors(&self) -> u32;

    /// Whether it can run a source with this tiling: the sweeps `filter` and `product` need products of matrices, asynchronous
    /// copies to shared memory, and much of that memory.
    fn supports(&self, _tiling: &Tiling) -> bool {
        true
    }

    /// The dynamic shared memory of a block of a source with this tiling, in bytes. An emulated block declares it.
    fn dynamic_shared(&self, _tiling: &Tiling) -> u32 {
        0
    }

    /// The stream on which memory is copied and cleared, if the backend has streams.
    fn stream(&self) -> Option<&Arc<CudaStream>> {
        None
    }

    /// Whether a kernel on this device can use the memory at `space`.
    fn owns(&self, space: &MemorySpace<'_>) -> bool;

    /// Makes a launch on `stream` wait for earlier work on the stream of the memory at `space`, which this device owns. Does
    /// nothing where cudarc's events already order the two. Otherwise returns the memory's stream, which must then wait for the
    /// launch.
    fn join(
        &self,
        _stream: Option<&CudaStream>,
        _space: &MemorySpace<'_>,
    ) -> Result<Option<Arc<CudaStream>>> {
        Ok(None)
    }

    /// From now on, each use of memory waits for its earlier uses on other streams, even on dropped ones.
    fn keep_order(&self) -> Result<()> {
        Ok(())
    }

    /// Waits for all streams.
    fn synchronize(&self) -> Result<()>;

    /// Starts to measure time on a stream.
    fn stopwatch(&self, stream: Option<&Arc<CudaStream>>) -> Result<Box<dyn Stopwatch>>;

    /// Allocates memory of this layout, which is not empty. It starts as a copy of `contents`, of the same size, or as zeros.
    fn allocate(&self, layout: Layout, contents: Option<&[Byte]>) -> Result<Box<dyn Allocation>>;

    /// Copies bytes from the memory of `source`, which may be this device, to this device's memory. The copy runs after all
    /// earlier work on this device's own stream. It may end after this call returns; [`synchronize`](Backend::synchronize)
    /// waits for it.
    ///
    /// # Safety
    ///
    /// Each device owns `bytes` bytes from its address on. Until the copy has ended, nothing writes the bytes of `source`, and
    /// only this device's own stream uses the target bytes.
    unsafe fn copy_from_device(
        &self,
        to: u64,
        source: &dyn Backend,
        from: u64,
        bytes: usize,
    ) -> Result<()>;

    /// Zeroed host memory of the kind that this device copies fastest.
    fn pinned(&self, layout: Layout) -> Result<Box<dyn HostBytes>>;

    /// The bytes that could be allocated now, if the device reports them.
    fn free_memory(&self) -> Option<usize> {
        None
    }

    /// A number that identifies its memory among all GPUs, the same in all processes of a machine; `None` if unknown.
    fn identity(&self) -> Option<u64> {
        None
    }

    /// Whether a [`Relay`] copies its memory to the host. Otherwise its memory is the host's.
    fn has_relay(&self) -> bool {
        false
    }

    /// A relay for `slots` pieces of memory, which copies them to the host while kernels run; `None` where memory is the
    /// host's. From now on the order of streams is kept.
    fn relay(&self, _slots: usize) -> Result<Option<Box<dyn Relay>>> {
        Ok(None)
    }

    /// Reads a word of device memory while the stream goes on; `None` on backends that do not overlap rounds.
    fn mailbox(&self) -> Result<Option<Box<dyn Mailbox>>> {
        Ok(None)
    }

    /// Compiles kernel source and loads the code. A backend that uses the cache looks there first.
    fn compile(&self, text: &KernelSource<'_>, cache: Option<&Cache>) -> Result<Box<dyn Loaded>>;

    /// The smallest λ below `end` for which `root` gives the wrong row on this device.
    fn root_failure(&self, root: Root, end: u64, _cache: Option<&Cache>) -> Result<Option<u64>> {
        Ok(root.first_failure(0, end))
    }

    /// The progress of launches; zeros on a backend that does not count blocks.
    fn progress(&self) -> Progress {
        Progress::default()
    }
}

#[derive(Default)]
pub(crate) struct KernelSource<'a> {
    /// The kernel's name in messages.
    pub(crate) kernel: &'a str,
    /// The name of its `extern "C" __global__` function.
    pub(crate) entry: &'a str,
    /// The names of its other functions: see [`Loaded::other`].
    #[cfg_attr(not(feature = "cpu"), allow(dead_code))]
    pub(crate) others: &'a [String],
    pub(crate) source: &'a str,
    /// Compiler options for this source, besides those for every source: NVRTC's, which the emulator ignores, or for plain
    /// loops the C++ compiler's.
    pub(crate) options: &'a [&'a str],
    /// Whether λ has 64 bits, which defines the macro `TD_WIDE`.
    pub(crate) is_wide: bool,
    /// Threads per block.
    pub(crate) threads: u32,
    /// Dynamic shared memory per block, in bytes: see [`Backend::dynamic_shared`].
    pub(crate) shared: u32,
    /// Whether it is plain loops.
    #[cfg_attr(not(feature = "cpu"), allow(dead_code))]
    pub(crate) is_loops: bool,
    /// Where the user's code in it begins: see [`KernelInfo`](crate::types::info::KernelInfo).
    #[cfg_attr(not(feature = "cpu"), allow(dead_code))]
    pub(crate) columns: &'a [(&'a str, usize)],
}

impl<'a> KernelSource<'a> {
    /// A source of one function, without options, whose blocks have one thread.
    pub(crate) fn new(entry: &'a str, source: &'a str) -> Self {
        KernelSource { kernel: entry, entry, source, threads: 1, ..KernelSource::default() }
    }
}

/// What a launch passes for a parameter of this value.
pub(crate) fn pointer<T>(value: &T) -> *mut c_void {
    ptr::from_ref(value).cast_mut().cast()
}

/// Loaded code on a device.
pub(crate) trait Loaded: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The sizes in bytes of the compiled parameters, at most `count`, if the device reports them. The `count` of the first
    /// call holds for later calls.
    fn parameters(&self, count: usize) -> Option<&[usize]>;

    /// The number of blocks that the device runs at a time, or about how many are worth launching.
    fn resident(&self) -> u32;

    /// The GPU resources that the code uses; `None` on other devices.
    fn resources(&self) -> Result<Option<Resources>> {
        Ok(None)
    }

    /// Another function of the same source, for blocks of `threads` threads.
    fn other(&self, entry: &str, threads: u32) -> Result<Box<dyn Loaded>>;

    /// Launches a grid of blocks.
    ///
    /// # Safety
    ///
    /// `parameters` points to one value of the right type for each parameter of the code. With these values and this grid, the
    /// code uses only memory that the device owns and that nothing else writes during the launch.
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
    /// The bytes, for a kernel that reads them.
    fn view(&self) -> View<'_, Byte>;

    /// The bytes, for a kernel that writes them.
    fn view_mut(&mut self) -> ViewMut<'_, Byte>;

    /// Copies the bytes from `first` on to `host`. Waits for everything that writes them, and returns when they are copied.
    /// Each byte of `host` then has its value on the device.
    fn copy_to(&self, first: usize, host: &mut [Byte]) -> Result<()>;

    /// The number of devices, each with its own copy of the bytes.
    fn devices(&self) -> usize {
        1
    }

    /// Like `copy_to`, from the copy on one of the devices.
    fn copy_of_device(&self, _device: usize, first: usize, host: &mut [Byte]) -> Result<()> {
        self.copy_to(first, host)
    }

    /// Copies `host` to the bytes from `first` on. Waits for everything that uses those bytes, and returns when `host` is read.
    fn copy_from(&mut self, first: usize, host: &[Byte]) -> Result<()>;

    /// Sets all bits to zero.
    fn clear(&mut self) -> Result<()>;

    /// Fills the bytes with copies of `element`, of which they are a whole number.
    fn fill(&mut self, element: &[Byte]) -> Result<()>;
}

pub(crate) trait HostBytes: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The address of the first byte. This value owns the bytes.
    fn start(&self) -> NonNull<u8>;
}

/// Measures how long launches take.
pub(crate) trait Stopwatch {
    /// The time from the start until the work launched so far has ended, for which it waits.
    fn stop(self: Box<Self>) -> Result<Duration>;
}

/// A host clock, for launches that return when they have ended.
#[cfg_attr(not(feature = "cpu"), allow(dead_code))]
pub(crate) struct Clock(pub(crate) Instant);

impl Stopwatch for Clock {
    fn stop(self: Box<Self>) -> Result<Duration> {
        Ok(self.0.elapsed())
    }
}

/// The GPU resources that compiled code uses, part of a [`Report`](crate::Report).
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
    /// Registers per thread.
    pub registers: u32,
    /// Shared memory per block, in bytes.
    pub shared: u32,
    /// Local memory per thread, in bytes: spilled registers and the body's own arrays.
    pub local: u32,
    /// Blocks that a multiprocessor runs at a time.
    pub blocks: u32,
    /// The fraction of a multiprocessor's warps that these blocks fill, from 0 to 1.
    pub occupancy: f64,
}

/// How many blocks have been launched on a device, and how many have run: see [`Target::progress`](crate::Target::progress).
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
    /// Blocks of all launches so far.
    pub blocks: u64,
    /// Blocks that have run.
    pub finished: u64,
}
