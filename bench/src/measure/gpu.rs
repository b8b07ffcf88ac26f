//! The GPU: loads handwritten kernels, compares results, and takes times.

use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, bail};
use td_kernel::Device;
use td_kernel::cudarc::driver::{
    CudaFunction, CudaSlice, CudaStream, DevicePtrMut, DeviceRepr, LaunchArgs, LaunchConfig,
    PushKernelArg, result, sys,
};
use td_kernel::cudarc::nvrtc::Ptx;
use td_kernel::nvrtc::{self, Code};

use super::by_hand::Source;
use super::points::Value;
use super::times::{Spread, Times};

/// The number of rounds of each way, after a warm-up round.
pub(crate) const ROUNDS: usize = 21;

/// Over half a millisecond at the clock of any GPU: the host needs less for the launches of a round.
const DELAY_CYCLES: u32 = 2_000_000;

/// A GPU, and the kernels that every measurement needs. Clones share the GPU.
#[derive(Clone)]
pub(crate) struct Gpu {
    pub(crate) device: Device,
    pub(crate) stream: Arc<CudaStream>,
    /// For example, 90 for compute capability 9.0.
    architecture: u32,
    pub(crate) multiprocessors: u32,
    delay: CudaFunction,
}

/// One way to do a work.
pub(crate) struct Way<'a> {
    pub(crate) name: String,
    run: Box<dyn FnMut() -> Result<()> + 'a>,
}

impl<'a> Way<'a> {
    pub(crate) fn new(name: impl Into<String>, run: impl FnMut() -> Result<()> + 'a) -> Way<'a> {
        Way { name: name.into(), run: Box::new(run) }
    }
}

impl Gpu {
    /// The first GPU.
    pub(crate) fn open() -> Result<Gpu> {
        let device = Device::cuda(0)?;
        let stream = device.stream().context("the device does not have a stream")?.clone();
        let (major, minor) = stream.context().compute_capability()?;
        let architecture = (major * 10 + minor).unsigned_abs();
        let count = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let multiprocessors = stream.context().attribute(count)?.unsigned_abs();
        let delay = load(&stream, architecture, &Source::new("delay", &[]))?;
        Ok(Gpu { device, stream, architecture, multiprocessors, delay })
    }

    /// Loads a kernel with cudarc.
    pub(crate) fn load(&self, source: &Source) -> Result<CudaFunction> {
        load(&self.stream, self.architecture, source)
    }

    /// The number of blocks of `threads` threads, with few registers, that run at the same time.
    pub(crate) fn resident(&self, threads: u32) -> Result<u32> {
        let most = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
        let most = self.stream.context().attribute(most)?.unsigned_abs();
        Ok(self.multiprocessors * (most / threads).max(1))
    }

    /// A copy of `elements` on the GPU.
    pub(crate) fn upload<T: DeviceRepr>(&self, elements: &[T]) -> Result<CudaSlice<T>> {
        self.stream.clone_htod(elements).map_err(driver("copy to the device"))
    }

    /// Memory for results, with every bit set: an unwritten slot of floats is NaN.
    pub(crate) fn poisoned<T: Value>(&self, slots: usize) -> Result<CudaSlice<T>> {
        // SAFETY: the memory is written in the next statement, before anything can read it.
        let memory = unsafe { self.stream.alloc::<T>(slots) };
        let bytes = slots * size_of::<T>();
        let mut memory =
            memory.map_err(|error| anyhow!("cannot allocate {bytes} bytes: {error}"))?;
        self.poison(&mut memory)?;
        Ok(memory)
    }

    /// Sets every bit of results that are to be written again.
    pub(crate) fn poison<T: Value>(&self, memory: &mut CudaSlice<T>) -> Result<()> {
        let bytes = memory.num_bytes();
        let (address, guard) = memory.device_ptr_mut(&self.stream);
        // SAFETY: the allocation has this many bytes and is borrowed exclusively, the stream is the one that it was made on,
        // and every bit pattern is a value of a DeviceType.
        unsafe { result::memset_d8_async(address, 0xff, bytes, self.stream.cu_stream()) }
            .map_err(driver("poison the results"))?;
        drop(guard);
        Ok(())
    }

    /// Launches a handwritten kernel on the stream.
    ///
    /// # Safety
    ///
    /// `arguments` pushes a value for each of the kernel's parameters, of its type, and the memory that it passes is as long as
    /// a launch of this grid needs.
    pub(crate) unsafe fn launch<'a>(
        &'a self,
        function: &'a CudaFunction,
        grid: [u32; 2],
        block: [u32; 2],
        arguments: impl for<'b> FnOnce(&'b mut LaunchArgs<'a>) -> &'b mut LaunchArgs<'a>,
    ) -> Result<()> {
        let config = LaunchConfig {
            grid_dim: (grid[0], grid[1], 1),
            block_dim: (block[0], block[1], 1),
            shared_mem_bytes: 0,
        };
        let mut builder = self.stream.launch_builder(function);
        // SAFETY: the caller's promise.
        let launched = unsafe { arguments(&mut builder).launch(config) };
        launched.map(drop).map_err(driver("launch a kernel written by hand"))
    }

    /// The result of a comparing kernel: the number of wrong results, and the index of the first one.
    pub(crate) fn nothing_found(&self) -> Result<CudaSlice<u64>> {
        self.upload(&[0, u64::MAX])
    }

    /// An error if such a kernel has found wrong results.
    pub(crate) fn expect_nothing(&self, name: &str, found: &CudaSlice<u64>) -> Result<()> {
        match self.stream.clone_dtoh(found)?[..] {
            [0, _] => Ok(()),
            [wrong, first] => {
                bail!("{name}: {wrong} results are wrong or missing, the first in slot {first}")
            }
            _ => bail!("the comparison has no result"),
        }
    }

    /// The times of each way, in rounds that run all of them, so that a drift of the GPU's clock affects all equally. In each
    /// round every way runs `repeats` times.
    pub(crate) fn time(
        &self,
        rounds: usize,
        repeats: u32,
        ways: Vec<Way<'_>>,
    ) -> Result<Vec<Times>> {
        let names: Vec<String> = ways.iter().map(|way| way.name.clone()).collect();
        let samples = self.samples(rounds, repeats, ways)?;
        let times = names.into_iter().zip(samples);
        times.map(|(name, samples)| Ok((name, Spread::extremes(samples)?))).collect()
    }

    /// Like `time`, but returns the milliseconds of every round.
    pub(crate) fn samples(
        &self,
        rounds: usize,
        repeats: u32,
        mut ways: Vec<Way<'_>>,
    ) -> Result<Vec<Vec<f64>>> {
        let mut samples = vec![Vec::with_capacity(rounds); ways.len()];
        for round in 0..=rounds {
            for (way, samples) in ways.iter_mut().zip(&mut samples) {
                self.delay()?;
                let (done, time) =
                    self.device.timed(|| Ok((0..repeats).try_for_each(|_| (way.run)())))?;
                done.map_err(|error| anyhow!("{}: {error}", way.name))?;
                // The first round warms up: it loads code and fills caches.
                if round > 0 {
                    samples.push(time.as_secs_f64() * 1e3 / f64::from(repeats));
                }
            }
        }
        Ok(samples)
    }

    /// Keeps the GPU busy until the following launches are queued.
    fn delay(&self) -> Result<()> {
        // SAFETY: `delay` takes one number, and touches no memory.
        unsafe { self.launch(&self.delay, [1, 1], [1, 1], |launch| launch.arg(&DELAY_CYCLES)) }
    }
}

/// The driver's version, if available, and that of its CUDA. A device must be open.
pub(crate) fn driver_version() -> String {
    let mut version = 0;
    // SAFETY: a device is open, so the driver is loaded; every driver has the function, and it
    // writes one number.
    let asked = unsafe { sys::cuDriverGetVersion(&mut version) };
    let cuda = match asked.result() {
        Ok(()) => format!("CUDA {}.{}", version / 1000, version % 1000 / 10),
        Err(_) => "CUDA of an unknown version".to_owned(),
    };
    // Linux has the driver's version in a file; elsewhere CUDA's version is used.
    match std::fs::read_to_string("/sys/module/nvidia/version") {
        Ok(driver) => format!("{} ({cuda})", driver.trim()),
        Err(_) => cuda,
    }
}

fn load(stream: &Arc<CudaStream>, architecture: u32, source: &Source) -> Result<CudaFunction> {
    let entry = source.entry;
    let code = match nvrtc::compile(entry, &source.text(), &[], architecture)?.code {
        Code::Cubin(bytes) => Ptx::from_binary(bytes),
        Code::Ptx(text) => Ptx::from_src(text),
    };
    let module = stream.context().load_module(code).map_err(driver("load a kernel"))?;
    module.load_function(entry).map_err(driver("find a kernel in its code"))
}

/// Adds the attempted action to an error of the driver.
fn driver(action: &'static str) -> impl FnOnce(result::DriverError) -> Error {
    move |error| anyhow!("cannot {action}: {error}")
}
