//! A GPU, opened through the driver, with the kernels and memory of one context.

mod function;
mod mailbox;
mod memory;
mod page_locked;
mod relay;
mod root;
mod staging;

use std::alloc::Layout;
use std::ptr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cudarc::driver::sys::{self, CUdevice_attribute_enum as Attribute, CUevent_flags};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError, result};
use cudarc::nvrtc::Ptx;
use td_kernel_geometry::{Root, Tiling};

use self::function::Function;
use self::mailbox::Mailbox;
use self::memory::Memory;
use self::page_locked::PageLocked;
use self::relay::Relay;
use self::root::Proven;
use self::staging::Staging;
use crate::backend::nvrtc::{self, Cache};
use crate::backend::order::{self, EventGuard};
use crate::backend::view::{Byte, MemorySpace};
use crate::backend::{self, Allocation, Backend, HostBytes, KernelSource, Loaded, Stopwatch};
use crate::error::counted;
use crate::types::info::{TENSOR_CORES, multiplies};
use crate::{Error, Result, backend::driver};

pub(crate) struct Gpu {
    name: String,
    stream: Arc<CudaStream>,
    /// The compute capability as a number: 90 for 9.0.
    architecture: u32,
    multiprocessors: u32,
    /// The most dynamic shared memory of a block, in bytes, beside 1 KiB for a kernel's own.
    shared_memory: u32,
    /// Keeps cudarc's events in use once there are several streams.
    event_guard: EventGuard,
    /// Page-locked slots for large copies.
    staging: Arc<Staging>,
    /// How far each float root is proven on this GPU.
    proven: Mutex<Vec<Proven>>,
}

impl Gpu {
    /// The number of GPUs that the driver reports.
    pub(crate) fn count() -> Result<usize> {
        driver::probe()?;
        match CudaContext::device_count() {
            Ok(count) => usize::try_from(count)
                .map_err(|_| Error::no_gpu(format!("the driver reports {count} GPUs"))),
            // With a driver but no GPU, the driver returns this error instead of 0.
            Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => Ok(0),
            Err(error) => Err(Error::no_driver(error)),
        }
    }

    pub(crate) fn open(ordinal: usize) -> Result<Gpu> {
        let count = Gpu::count()?;
        if ordinal >= count {
            let reported = match count {
                0 => "none".to_owned(),
                _ => format!("{}, numbered from 0", counted(count, "GPU")),
            };
            return Err(Error::no_gpu(format!(
                "there is no GPU {ordinal}: the driver reports {reported}"
            )));
        }
        Gpu::from_context(&CudaContext::new(ordinal).map_err(Error::driver("open the GPU"))?)
    }

    pub(crate) fn from_context(context: &Arc<CudaContext>) -> Result<Gpu> {
        let ask = || Error::driver("query the GPU's properties");
        let name = context.name().map_err(ask())?;
        let (major, minor) = context.compute_capability().map_err(ask())?;
        let architecture = u32::try_from(major * 10 + minor).map_err(|_| {
            Error::no_gpu(format!("the driver reports compute capability {major}.{minor}"))
        })?;
        nvrtc::is_supported(architecture)?;
        let count = Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let multiprocessors = context.attribute(count).map_err(ask())?.unsigned_abs();
        let shared = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let shared = context.attribute(shared).map_err(ask())?.unsigned_abs();
        Ok(Gpu {
            name,
            stream: context.default_stream(),
            architecture,
            multiprocessors,
            shared_memory: shared.saturating_sub(1024),
            event_guard: EventGuard::default(),
            staging: Arc::default(),
            proven: Mutex::default(),
        })
    }

    /// Compiles and loads kernel source, or loads compiled code from `cache`.
    fn load(&self, text: &KernelSource<'_>, cache: Option<&Cache>) -> Result<Function> {
        let KernelSource { kernel, entry, source, is_wide, threads, shared, .. } = *text;
        let wide = if is_wide { &["--define-macro=TD_WIDE"][..] } else { &[] };
        let options = [text.options, wide].concat();
        let compiled = nvrtc::compile_with(cache, kernel, source, &options, self.architecture)?;
        let image = match compiled.code {
            nvrtc::Code::Cubin(bytes) => Ptx::from_binary(bytes),
            nvrtc::Code::Ptx(text) => Ptx::from_src(text),
        };
        let module = self.stream.context().load_module(image);
        let module = module.map_err(Error::driver("load the kernel"))?;
        Function::new(self.stream.context(), module, entry, [threads, shared], self.multiprocessors)
    }
}

impl Backend for Gpu {
    fn name(&self) -> &str {
        &self.name
    }

    fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    fn supports(&self, tiling: &Tiling) -> bool {
        let fits = self.dynamic_shared(tiling) <= self.shared_memory;
        !multiplies(tiling) || (self.architecture >= TENSOR_CORES && fits)
    }

    fn dynamic_shared(&self, tiling: &Tiling) -> u32 {
        tiling.dynamic_shared(self.architecture)
    }

    fn stream(&self) -> Option<&Arc<CudaStream>> {
        Some(&self.stream)
    }

    fn owns(&self, space: &MemorySpace<'_>) -> bool {
        match space {
            MemorySpace::Nowhere => true,
            MemorySpace::Host | MemorySpace::Several(_) => false,
            MemorySpace::Gpu(stream) => stream.context() == self.stream.context(),
        }
    }

    fn join(
        &self,
        stream: Option<&CudaStream>,
        space: &MemorySpace<'_>,
    ) -> Result<Option<Arc<CudaStream>>> {
        match (space, stream) {
            (MemorySpace::Gpu(home), Some(stream)) => {
                order::join(stream, home, || self.keep_order())
            }
            _ => Ok(None),
        }
    }

    fn keep_order(&self) -> Result<()> {
        self.event_guard.enable(&self.stream)
    }

    fn synchronize(&self) -> Result<()> {
        self.stream.context().synchronize().map_err(Error::driver("wait for the device"))
    }

    /// Measures with the GPU's clock, between events.
    fn stopwatch(&self, stream: Option<&Arc<CudaStream>>) -> Result<Box<dyn Stopwatch>> {
        let stream = stream.unwrap_or(&self.stream).clone();
        let start = event(&stream)?;
        Ok(Box::new(Events { start, stream }))
    }

    fn allocate(&self, layout: Layout, contents: Option<&[Byte]>) -> Result<Box<dyn Allocation>> {
        let memory = Memory::new(&self.stream, self.staging.clone(), layout.size(), contents)?;
        Ok(Box::new(memory))
    }

    /// The driver copies between GPUs: directly if the process has enabled it, otherwise through the host.
    unsafe fn copy_from_device(
        &self,
        to: u64,
        source: &dyn Backend,
        from: u64,
        bytes: usize,
    ) -> Result<()> {
        let failed = || Error::driver("copy from another device");
        let (context, stream) = (self.stream.context(), self.stream.cu_stream());
        context.bind_to_thread().map_err(failed())?;
        let other = source.stream().map(|stream| stream.context());
        // SAFETY: the caller's promise; the stream is of the bound context, and without a stream the source's memory is the
        // host's, which nothing writes during the copy.
        let copied = unsafe {
            match other {
                None => {
                    let host = ptr::with_exposed_provenance::<u8>(from as usize);
                    let host = std::slice::from_raw_parts(host, bytes);
                    result::memcpy_htod_async(to, host, stream)
                }
                Some(other) if other == context => {
                    result::memcpy_dtod_async(to, from, bytes, stream)
                }
                Some(other) => {
                    let (own, other) = (context.cu_ctx(), other.cu_ctx());
                    result::memcpy_peer_async(own, to, other, from, bytes, stream)
                }
            }
        };
        copied.map_err(failed())
    }

    fn pinned(&self, layout: Layout) -> Result<Box<dyn HostBytes>> {
        Ok(Box::new(PageLocked::zeroed(self.stream.context(), layout)?))
    }

    fn free_memory(&self) -> Option<usize> {
        self.stream.context().mem_get_info().ok().map(|(free, _)| free)
    }

    fn identity(&self) -> Option<u64> {
        driver::identity(self.stream.context())
    }

    fn has_relay(&self) -> bool {
        true
    }

    fn relay(&self, slots: usize) -> Result<Option<Box<dyn backend::Relay>>> {
        self.keep_order()?;
        Ok(Some(Box::new(Relay::new(&self.stream, slots)?)))
    }

    fn mailbox(&self) -> Result<Option<Box<dyn backend::Mailbox>>> {
        Ok(Some(Box::new(Mailbox::new(&self.stream)?)))
    }

    fn compile(&self, text: &KernelSource<'_>, cache: Option<&Cache>) -> Result<Box<dyn Loaded>> {
        Ok(Box::new(self.load(text, cache)?))
    }

    fn root_failure(&self, root: Root, end: u64, cache: Option<&Cache>) -> Result<Option<u64>> {
        self.prove(root, end, cache)
    }
}

/// The start on a stream.
struct Events {
    start: CudaEvent,
    stream: Arc<CudaStream>,
}

fn event(stream: &CudaStream) -> Result<CudaEvent> {
    let event = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
    event.map_err(Error::driver("time a kernel"))
}

impl Stopwatch for Events {
    fn stop(self: Box<Self>) -> Result<Duration> {
        let end = event(&self.stream)?;
        let milliseconds = driver::elapsed(&self.start, &end)?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds) / 1e3))
    }
}
