//! Failures of one of several devices, with devices that fail on demand.
#![allow(clippy::unwrap_used)]

use std::alloc::Layout;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cudarc::driver::CudaStream;

use super::Devices;
use crate::backend::nvrtc::Cache;
use crate::backend::view::{Byte, MemorySpace};
use crate::backend::{Allocation, Backend, HostBytes, KernelSource, Loaded, Stopwatch};
use crate::{Device, Error, ErrorKind, Result, Sum, Target, td_kernel};

/// The behaviour of a device, and when it fails.
#[derive(Default)]
struct Faults {
    name: &'static str,
    /// Whether a launch returns before its work is done, as on a GPU.
    is_gpu: bool,
    compiling: AtomicBool,
    launching: AtomicBool,
    /// The number of launches that have started.
    launches: AtomicUsize,
}

impl Faults {
    fn check(&self, is_failing: &AtomicBool, action: &str) -> Result<()> {
        match is_failing.load(Ordering::Relaxed) {
            false => Ok(()),
            true => Err(Error::refused("count", action)),
        }
    }
}

/// A device with the CPU's memory, whose launches do nothing.
struct Faulty {
    cpu: Device,
    faults: Arc<Faults>,
}

impl Backend for Faulty {
    fn name(&self) -> &str {
        self.faults.name
    }

    fn is_cpu(&self) -> bool {
        !self.faults.is_gpu
    }

    fn multiprocessors(&self) -> u32 {
        1
    }

    fn owns(&self, space: &MemorySpace<'_>) -> bool {
        self.cpu.backend().owns(space)
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn stopwatch(&self, stream: Option<&Arc<CudaStream>>) -> Result<Box<dyn Stopwatch>> {
        self.cpu.backend().stopwatch(stream)
    }

    fn allocate(&self, layout: Layout, contents: Option<&[Byte]>) -> Result<Box<dyn Allocation>> {
        self.cpu.backend().allocate(layout, contents)
    }

    unsafe fn copy_from_device(
        &self,
        to: u64,
        source: &dyn Backend,
        from: u64,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.cpu.backend().copy_from_device(to, source, from, bytes) }
    }

    fn pinned(&self, layout: Layout) -> Result<Box<dyn HostBytes>> {
        self.cpu.backend().pinned(layout)
    }

    fn compile(&self, _: &KernelSource<'_>, _: Option<&Cache>) -> Result<Box<dyn Loaded>> {
        self.faults.check(&self.faults.compiling, "compiled")?;
        Ok(Box::new(Nothing(self.faults.clone())))
    }
}

/// Code that does nothing, or fails.
struct Nothing(Arc<Faults>);

impl Loaded for Nothing {
    fn parameters(&self, _: usize) -> Option<&[usize]> {
        None
    }

    fn resident(&self) -> u32 {
        1
    }

    fn other(&self, _: &str, _: u32) -> Result<Box<dyn Loaded>> {
        self.0.check(&self.0.compiling, "compiled")?;
        Ok(Box::new(Nothing(self.0.clone())))
    }

    unsafe fn launch(
        &self,
        _: Option<&Arc<CudaStream>>,
        _: [u32; 2],
        _: [u32; 2],
        _: &mut [*mut c_void],
    ) -> Result<()> {
        self.0.launches.fetch_add(1, Ordering::Relaxed);
        self.0.check(&self.0.launching, "launched")
    }
}

/// Three devices with names, and their faults.
fn devices(are_gpus: [bool; 3]) -> (Devices, [Arc<Faults>; 3]) {
    let cpu = Device::cpu().unwrap();
    let faults = [0, 1, 2].map(|at| {
        let (name, is_gpu) = (["zero", "one", "two"][at], are_gpus[at]);
        Arc::new(Faults { name, is_gpu, ..Faults::default() })
    });
    let of =
        |faults: &Arc<Faults>| Device::new(Faulty { cpu: cpu.clone(), faults: faults.clone() });
    (Devices::new(faults.iter().map(of)).unwrap(), faults)
}

#[td_kernel]
unsafe fn count(
    #[each] x: &[u32],
    count: &mut Sum<u64>,
    list: &mut Pairs,
    valued: &mut Pairs<u32>,
    #[each] degree: &mut Sums<u32>,
    #[each] most: &mut Maxima<u32>,
) {
    r#"
    count += 1;
    list.push();
    valued.push(x.i);
    degree.i += 1;
    most.offer(x.i);
    "#
}

/// Enough elements to give all three devices work.
const N: usize = 1000;

/// Everything that a launch writes.
struct Outputs {
    count: Sum<u64>,
    list: crate::Pairs,
    valued: crate::Pairs<u32>,
    degree: crate::Sums<u32>,
    most: crate::Maxima<u32>,
}

impl Outputs {
    fn on(device: &Target) -> Outputs {
        Outputs {
            count: device.sum().unwrap(),
            list: device.pairs(7).unwrap(),
            valued: device.pairs(7).unwrap(),
            degree: device.sums(N).unwrap(),
            most: device.maxima(N).unwrap(),
        }
    }

    fn launch(&mut self, kernel: &count, x: &crate::Buffer<u32>) -> Result<()> {
        let Outputs { count, list, valued, degree, most } = self;
        kernel.launch(x, count, list, valued, degree, most)
    }

    fn download(&self) -> [Result<()>; 5] {
        [
            self.count.download().map(drop),
            self.list.download().map(drop),
            self.valued.download().map(drop),
            self.degree.download().map(drop),
            self.most.download().map(drop),
        ]
    }

    fn clear(&mut self) -> Result<()> {
        self.count.clear()?;
        self.list.clear()?;
        self.valued.clear()?;
        self.degree.clear()?;
        self.most.clear()
    }
}

fn started(faults: &[Arc<Faults>; 3]) -> [usize; 3] {
    [0, 1, 2].map(|at| faults[at].launches.swap(0, Ordering::Relaxed))
}

fn expect_named(error: &Error, index: usize, name: &str, action: &str) {
    assert_eq!(error.device(), Some((index, name)));
    let message =
        format!("on device {index} ({name}): kernel `count`: it cannot be launched: {action}");
    assert_eq!((error.to_string(), error.kind()), (message, ErrorKind::Arguments));
}

#[test]
fn failed_device_poisons_result() {
    for (are_gpus, begun) in [
        // CPUs start together; GPUs one after another and first.
        ([false; 3], [1, 1, 1]),
        ([true; 3], [1, 1, 0]),
        ([false, true, false], [0, 1, 0]),
        ([true, false, true], [1, 1, 1]),
    ] {
        let (devices, faults) = devices(are_gpus);
        let kernel = count::load(&devices).unwrap();
        let x = devices.upload(&[1; N]).unwrap();
        let mut outputs = Outputs::on(&devices);
        outputs.launch(&kernel, &x).unwrap();
        assert_eq!(started(&faults), [1, 1, 1]);
        assert!(outputs.download().iter().all(Result::is_ok));

        faults[1].launching.store(true, Ordering::Relaxed);
        let error = outputs.launch(&kernel, &x).unwrap_err();
        expect_named(&error, 1, "one", "launched");
        assert_eq!(started(&faults), begun);
        for refused in outputs.download() {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind(), refused.device()), (ErrorKind::DeviceFailed, None));
            assert!(refused.to_string().contains(&error.to_string()), "{refused}");
        }
        // Another launch does not repair it, and other outputs are not affected.
        faults[1].launching.store(false, Ordering::Relaxed);
        outputs.launch(&kernel, &x).unwrap();
        assert!(outputs.download().iter().all(Result::is_err));
        let mut others = Outputs::on(&devices);
        others.launch(&kernel, &x).unwrap();
        assert!(others.download().iter().all(Result::is_ok));
        outputs.clear().unwrap();
        outputs.launch(&kernel, &x).unwrap();
        assert!(outputs.download().iter().all(Result::is_ok));
    }
}

#[test]
fn failed_compilation_launches_nothing() {
    let (devices, faults) = devices([true, false, true]);
    faults[2].compiling.store(true, Ordering::Relaxed);
    expect_named(&count::load(&devices).unwrap_err(), 2, "two", "compiled");
    faults[2].compiling.store(false, Ordering::Relaxed);
    let kernel = count::load(&devices).unwrap();
    // Few elements take another variant than the first, which is compiled now.
    faults[0].compiling.store(true, Ordering::Relaxed);
    let x = devices.upload(&[1; N]).unwrap();
    let (mut outputs, most) = (Outputs::on(&devices), count::SOURCES.len());
    assert!(most > 1);
    expect_named(&outputs.launch(&kernel, &x).unwrap_err(), 0, "zero", "compiled");
    assert!(outputs.download().iter().all(Result::is_ok));
    // The kernel that merges the devices' neighbours is compiled at a launch.
    faults[0].compiling.store(false, Ordering::Relaxed);
    let (merged, mut nearest) = (near::load(&devices).unwrap(), devices.nearest(N).unwrap());
    faults[0].compiling.store(true, Ordering::Relaxed);
    expect_named(&merged.launch(&x, &mut nearest).unwrap_err(), 0, "zero", "compiled");
    assert!(nearest.download().is_ok());
    assert_eq!(started(&faults), [0, 0, 0]);
}

/// For one set, each device has some of an element's neighbours; for two, each has its own rows.
#[td_kernel(tile = 32)]
unsafe fn near(#[each] x: &[u32], #[each] nearest: &mut Nearest<u32, 3>) {
    r#" nearest.push(x.i + x.j); "#
}

#[td_kernel(tile = 32)]
unsafe fn near_of_two(#[row] x: &[u32], #[column] y: &[u32], #[row] nearest: &mut Nearest<u32, 3>) {
    r#" nearest.push(x + y); "#
}

#[test]
fn failed_round_poisons_neighbours() {
    for are_gpus in [[false; 3], [true; 3], [true, false, true]] {
        let (devices, faults) = devices(are_gpus);
        let x = devices.upload(&[1; N]).unwrap();
        let one_set = near::load(&devices).unwrap();
        let two_sets = near_of_two::load(&devices).unwrap();
        let mut nearest = devices.nearest::<u32, 3>(N).unwrap();
        // 32 tiles and 17 offsets, which are 5, 6 and 6 per device, in four rounds each. Merges come before and after each
        // round, and two more for the other devices' neighbours. For two sets there are 10, 11 and 11 rows of tiles, with 32
        // offsets, in six rounds.
        let ([each, each_of_two], others) = ([4, 6].map(|rounds| 1 + 2 * rounds), 2);
        one_set.launch(&x, &mut nearest).unwrap();
        assert_eq!(started(&faults), [each + others; 3]);
        assert!(nearest.download().is_ok());
        // The rows were other devices' before.
        two_sets.launch(&x, &x, &mut nearest).unwrap();
        assert_eq!(started(&faults), [each_of_two + others; 3]);
        two_sets.launch(&x, &x, &mut nearest).unwrap();
        assert_eq!(started(&faults), [each_of_two; 3]);

        faults[1].launching.store(true, Ordering::Relaxed);
        for is_of_two in [false, true] {
            let launched = match is_of_two {
                false => one_set.launch(&x, &mut nearest),
                true => two_sets.launch(&x, &x, &mut nearest),
            };
            let error = launched.unwrap_err();
            expect_named(&error, 1, "one", "launched");
            // The first merge fails, and no device merges missing results.
            let rounds = if is_of_two { each_of_two } else { each };
            assert_eq!(started(&faults), [rounds, 1, rounds]);
            let refused = nearest.download().unwrap_err();
            assert_eq!((refused.kind(), refused.device()), (ErrorKind::DeviceFailed, None));
            let first = "on device 1 (one): kernel `count`: it cannot be launched";
            assert!(refused.to_string().contains(first), "{refused}");
        }
        faults[1].launching.store(false, Ordering::Relaxed);
        one_set.launch(&x, &mut nearest).unwrap();
        assert!(nearest.download().is_err());
        nearest.clear().unwrap();
        two_sets.launch(&x, &x, &mut nearest).unwrap();
        assert!(nearest.download().is_ok());
    }
}

#[test]
fn idle_device_launches_nothing() {
    let (devices, faults) = devices([true, true, true]);
    let kernel = count::load(&devices).unwrap();
    faults[0].launching.store(true, Ordering::Relaxed);
    let mut outputs = Outputs::on(&devices);
    // No pairs.
    let x = devices.upload(&[1; N]).unwrap();
    let launched = kernel.rows(0..1).launch(
        &x, &mut outputs.count, &mut outputs.list, &mut outputs.valued, &mut outputs.degree,
        &mut outputs.most,
    );
    launched.unwrap();
    assert_eq!(started(&faults), [0, 0, 0]);
    assert_eq!(devices.name(), "1 x zero, 1 x one, 1 x two");
    assert_eq!(format!("{devices:?}"), "[Device(\"zero\"), Device(\"one\"), Device(\"two\")]");
}

#[td_kernel]
unsafe fn stored(#[each] x: &[u32], count: &mut Sum<u64>, out: &mut Packed<u32>) {
    r#" out = x.i; count += 1; "#
}

/// Devices get chunks in turn. If one rejects its chunk, the chunks of all end, and their counts are partial.
#[test]
fn failed_chunk_ends_all_chunks() {
    for are_gpus in [[false; 3], [true; 3], [true, false, true]] {
        let (devices, faults) = devices(are_gpus);
        let (kernel, x) = (stored::load(&devices).unwrap(), devices.upload(&[1; N]).unwrap());
        let mut count = devices.sum().unwrap();
        kernel.chunks(&x, &mut count).unwrap().height(100).each(|_| Ok(())).unwrap();
        let launches = started(&faults);
        assert!(!launches.contains(&0), "{launches:?}");
        assert!(count.download().is_ok());

        faults[1].launching.store(true, Ordering::Relaxed);
        let mut rows = 0;
        let chunks = kernel.chunks(&x, &mut count).unwrap().height(100);
        let error = chunks.each(|chunk| {
            rows = chunk.rows.end;
            Ok(())
        });
        assert_eq!(error.as_ref().unwrap_err().device(), Some((1, "one")));
        let text = error.unwrap_err().to_string();
        assert_eq!(text, "on device 1 (one): kernel `count`: it cannot be launched: launched");
        assert_eq!((rows, started(&faults)), (0, [1, 1, 0]));
        assert!(count.download().unwrap_err().to_string().contains(&text));
        count.clear().unwrap();
        faults[1].launching.store(false, Ordering::Relaxed);
        kernel.chunks(&x, &mut count).unwrap().height(100).each(|_| Ok(())).unwrap();
        assert!(count.download().is_ok());

        // Another variant than the first is compiled when a chunk first needs it.
        let (devices, faults) = self::devices(are_gpus);
        let (kernel, x) = (stored::load(&devices).unwrap(), devices.upload(&[1; 3]).unwrap());
        faults[2].compiling.store(true, Ordering::Relaxed);
        let error = kernel.chunks(&x, &mut count).unwrap().height(1).each(|_| Ok(()));
        assert_eq!(error.unwrap_err().device(), Some((2, "two")));
    }
}
