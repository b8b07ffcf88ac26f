//! The errors of launches and their messages, on the CPU, through the generated types.

use td_kernel::__private::Axis;
use td_kernel::{Device, ErrorKind, Shape, td_kernel};

#[td_kernel]
unsafe fn difference(#[each] x: &[f32], #[each] y: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i - y.j; "#
}

#[td_kernel(diagonal = true)]
unsafe fn product(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i * x.j; "#
}

#[td_kernel(diagonal = true, space = "thread")]
unsafe fn square_of_threads(out: &mut Square<u32>) {
    r#" out = 100 * i + j; "#
}

#[td_kernel]
unsafe fn count(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel]
unsafe fn list(pairs: &mut Pairs) {
    r#" pairs.push(); "#
}

#[test]
fn mismatched_lengths_are_named() {
    let device = Device::cpu().unwrap();
    let kernel = difference::load(&device).unwrap();
    let (x, y) = (device.upload(&[1.0, 2.0, 3.0]).unwrap(), device.upload(&[1.0]).unwrap());
    let mut out = device.packed(3).unwrap();
    assert_errors! { kernel.launch(&x, &y, &mut out) => ["difference", "`y` is for 1", "`x` requires", "3"], Arguments "y"; }

    let mut small = device.packed(2).unwrap();
    assert_errors! { kernel.launch(&x, &x, &mut small) => ["difference", "`out` is for 2", "`x` requires", "3"], Arguments "out"; }
    // The check came before anything ran.
    assert_eq!(small.download().unwrap().as_slice(), [0.0]);
}

#[test]
fn slots_with_and_without_diagonal() {
    let device = Device::cpu().unwrap();
    let x = device.upload(&[1.0, 2.0, 3.0]).unwrap();
    let mut without = device.packed(3).unwrap();
    let mut with = device.packed(Shape::triangle(3).with_diagonal()).unwrap();
    let (difference, product) =
        (difference::load(&device).unwrap(), product::load(&device).unwrap());
    assert_errors! {
        product.launch(&x, &mut without) => ["product", "`out`", "with_diagonal()"], Arguments;
        difference.launch(&x, &x, &mut with) => ["difference", "`out`", "device.packed(n)"], Arguments;
    }
    product.launch(&x, &mut with).unwrap();
    assert_eq!(with.download().unwrap().as_slice(), [1.0, 2.0, 4.0, 3.0, 6.0, 9.0]);
}

#[test]
fn threads_write_whole_square() {
    let device = Device::emulator().unwrap();
    let mut out = device.square(40).unwrap();
    square_of_threads::load(&device).unwrap().launch(&mut out).unwrap();
    let out = out.download().unwrap();
    for (i, j) in (0..40).flat_map(|i| (0..40).map(move |j| (i, j))) {
        assert_eq!(out[(i, j)] as usize, 100 * i.max(j) + i.min(j));
    }
}

#[test]
fn element_count_past_32_bits_is_refused() {
    let device = Device::emulator().unwrap();
    let kernel = count::load(&device).unwrap();
    let mut total = device.sum().unwrap();
    for n in [1 << 32, 5_000_000_000, usize::MAX] {
        let words = ["count", "the map ltm", &n.to_string(), "walk"];
        assert_errors! { kernel.launch(n, &mut total) => words, MapLimitExceeded; }
    }
    assert_eq!(total.download().unwrap(), 0);
    let cpu = Device::cpu().unwrap();
    assert_errors! { count::load(&cpu).unwrap().launch(1 << 32, &mut cpu.sum().unwrap()) => "", MapLimitExceeded; }
}

#[test]
fn totals_and_lists_accumulate() {
    let device = Device::cpu().unwrap();
    let mut total = device.sum().unwrap();
    let kernel = count::load(&device).unwrap();
    for n in [0, 1, 20, 30] {
        kernel.launch(n, &mut total).unwrap();
    }
    assert_eq!(total.download().unwrap(), 190 + 435);
    total.clear().unwrap();
    assert_eq!(total.download().unwrap(), 0);

    let mut pairs = device.pairs(4).unwrap();
    let kernel = list::load(&device).unwrap();
    kernel.launch(2, &mut pairs).unwrap();
    kernel.launch(3, &mut pairs).unwrap();
    let found = pairs.download().unwrap().sorted().unwrap();
    assert_eq!(found.pairs(), [[1, 0], [1, 0], [2, 0], [2, 1]]);

    kernel.launch(100, &mut pairs).unwrap();
    let error = pairs.download().unwrap_err();
    assert_eq!((error.needed(), error.limit()), (Some(4954), Some(4)));
    assert_errors! { pairs.download() => ["4954", "capacity is 4", "device.pairs(4954)"], PairsOverflow; }
    pairs.clear().unwrap();
    assert_eq!((pairs.count().unwrap(), pairs.download().unwrap().len()), (0, 0));
}

#[test]
fn impossible_allocation_is_an_error() {
    let device = Device::cpu().unwrap();
    assert_errors! { device.zeroed::<[f64; 4]>(usize::MAX / 8) => "elements of 32 bytes", TooLarge; }
    assert_errors! { device.packed::<u8>(usize::MAX) => "", TooLarge; }
}

#[test]
fn missing_memory_is_an_error() {
    let device = Device::cpu().unwrap();
    // Half of the bytes that a process can address.
    let error = device.zeroed::<u8>(1 << 47).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfDeviceMemory, "{error}");
    // Linux reports how much is free.
    let (needed, free) = (error.needed(), error.limit());
    assert_eq!((needed, free.is_some()), (Some(1 << 47), cfg!(target_os = "linux")));
    assert!(error.to_string().contains("140737488355328 bytes"), "{error}");
    assert_errors! { device.packed::<f64>(6_000_000) => "", OutOfDeviceMemory; }
}

/// A request that only generated code of another version could make.
#[test]
fn unsupported_features_are_named() {
    use td_kernel::__private::{KernelInfo, Loops, Refused, Variant};
    let device = Device::cpu().unwrap();
    let kernel = count { kernel: count::load(&device).unwrap().kernel.pin(99) };
    assert_errors! {
        kernel.launch(3, &mut device.sum().unwrap()) => "kernel `count`: its variant 99 does not exist", VersionMismatch;
    }

    let device = Device::emulator().unwrap();
    let info = count::load(&device).unwrap().kernel.info();
    let variants = vec![Variant { map: "spiral", has_rows: false, ..info.variants[0] }].leak();
    let (near, entries, refused) = (None, Err("it is written by hand"), Refused::NONE);
    let loops = Loops { ..info.loops };
    let info = KernelInfo { near, entries, refused, loops, variants, ..*info };
    // SAFETY: the sources are those of the kernel; its map does not exist.
    let kernel = unsafe { td_kernel::Kernel::load(&device, Box::leak(Box::new(info))) }.unwrap();
    let mut launch = kernel.launch();
    launch.bind(Axis::Each, "n", 3).unwrap();
    // SAFETY: nothing runs.
    let launched = unsafe { launch.run() };
    assert_errors! { launched => "the map `spiral`", VersionMismatch; }
}

/// Safe code of a kernel's module can put another kernel into its type.
#[test]
fn another_kernel_is_refused() {
    #[td_kernel]
    unsafe fn first(#[each] x: &[f32], out: &mut Packed<f32>) {
        r#" out = x.i; "#
    }
    #[td_kernel]
    unsafe fn second(scale: f32, out: &mut Packed<f32>) {
        r#" out = scale; "#
    }
    let device = Device::cpu().unwrap();
    let wrong = first { kernel: second::load(&device).unwrap().kernel };
    let (x, mut out) = (device.upload(&[1.0; 3]).unwrap(), device.packed(3).unwrap());
    let words = ["`first`", "another kernel, `second`", "first::load"];
    assert_errors! {
        wrong.launch(&x, &mut out) => words, Arguments;
        wrong.rows(0..2).launch(&x, &mut out) => words, Arguments;
        wrong.tune(&x, &mut out) => words, Arguments;
        wrong.chunks(&x) => words, Arguments;
    }
    assert_eq!(out.download().unwrap().as_slice(), [0.0; 3], "nothing has run");
}

#[test]
fn streams_on_the_cpu_are_refused() {
    let device = Device::cpu().unwrap();
    assert!(device.stream().is_none() && device.is_cpu() && device.name().starts_with("CPU"));
}

#[test]
fn missing_gpu_is_an_error() {
    let opened = Device::cuda(4096);
    match &opened {
        Err(error) if error.to_string().starts_with("no NVIDIA driver") => {
            assert_errors! { opened => ["libcuda", "CPU"], NoGpu; }
        }
        _ => assert_errors! { opened => "4096", NoGpu; },
    }
}

#[test]
fn threads_load_and_share_a_kernel() {
    let device = Device::cpu().unwrap();
    let shared = count::load(&device).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (device, shared) = (&device, &shared);
            scope.spawn(move || {
                let loaded = count::load(device).unwrap();
                let mut total = device.sum().unwrap();
                // Each launch needs another plan than the launches of other threads.
                for n in [100, 7 * thread, 300, 2, 100] {
                    for kernel in [shared, &loaded, &shared.clone()] {
                        total.clear().unwrap();
                        kernel.launch(n, &mut total).unwrap();
                        let pairs = n * n.saturating_sub(1) / 2;
                        assert_eq!(total.download().unwrap(), pairs as u64);
                    }
                }
            });
        }
    });
}

#[test]
fn reports_and_tuning_match_launches() {
    use td_kernel_tests::variants::{listed, packed, square};
    let device = Device::emulator().unwrap();
    let kernel = packed::load(&device).unwrap();
    for n in [0, 1] {
        let report = kernel.report(n).unwrap();
        assert!(report.grids.is_empty() && report.resources.is_none(), "{report}");
        assert!(report.to_string().contains("nothing to do"), "{report}");
    }
    assert_eq!(kernel.report(100).unwrap().grids.len(), 1);
    // A square of one element has a diagonal, which a launch writes.
    assert_eq!(square::load(&device).unwrap().report(1).unwrap().grids, [[1, 1]]);

    let x = device.upload(&[1_u32; 200]).unwrap();
    let mut keys = device.packed(200).unwrap();
    let tuned = kernel.tune(&x, &mut keys).unwrap();
    assert_eq!((tuned.elements, tuned.times.len()), (200, packed::SOURCES.len()));
    assert!(tuned.times.is_sorted_by_key(|(_, time)| *time), "{tuned}");
    let report = kernel.report(200).unwrap();
    let fastest = format!("tile {}, {} x {}", report.tile, report.block[0], report.block[1]);
    assert!(tuned.times[0].0.contains(&fastest), "{tuned}\n{report}");

    let none = device.upload(&[]).unwrap();
    let (mut count, mut list) = (device.sum().unwrap(), device.pairs(0).unwrap());
    let tuned = listed::load(&device).unwrap().tune(&none, &mut count, &mut list);
    assert_errors! { tuned => "cannot be tuned without pairs", Arguments in "listed"; }
}

/// With `map = "auto"`, a map with a larger limit replaces one that ends before n.
#[test]
fn auto_map_reaches_the_largest_n() {
    let device = Device::emulator().unwrap();
    let kernel = ends::load(&device).unwrap();
    let n = 3000;
    let x = device.upload(&vec![1.0_f32; n]).unwrap();
    let mut sum = device.packed(n).unwrap();
    kernel.launch(&x, &mut sum).unwrap();
    assert!(sum.download().unwrap().as_slice().iter().all(|value| *value == 2.0));
    assert_ne!(kernel.report(n).unwrap().map, "ltm");
    // But not one that is pinned.
    assert_errors! { kernel.kernel.pin(0).report(n) => "ltm", MapLimitExceeded; }
}

/// With a large epsilon the root of ltm fails early.
#[td_kernel(map = "auto", sqrt = "sqrt", epsilon = 0.2, tile = 64)]
unsafe fn ends(#[each] x: &[f32], sum: &mut Packed<f32>) {
    r#" sum = x.i + x.j; "#
}

#[test]
fn mismatched_squares_are_refused() {
    use td_kernel_tests::variants::square;
    let device = Device::cpu().unwrap();
    let x = device.upload(&[1_u32; 5]).unwrap();
    let launched = square::load(&device).unwrap().launch(&x, &mut device.square(4).unwrap());
    assert_errors! { launched => ["`key` is for 4", "requires 5"], Arguments "key"; }
}

#[td_kernel]
unsafe fn slow(total: &mut Sum<u64>) {
    r#"
    for (volatile int turn = 0; turn < 50; turn = turn + 1) { }
    total += 1;
    "#
}

#[test]
fn progress_during_a_launch() {
    let device = Device::emulator().unwrap();
    let kernel = slow::load(&device).unwrap();
    let n = 2000;
    let report = kernel.report(n).unwrap();
    let blocks: u64 = report.grids.iter().map(|[x, y]| u64::from(*x) * u64::from(*y)).sum();
    assert!(blocks > 100, "{report}");
    assert_eq!((device.progress().blocks, device.progress().finished), (0, 0));

    for launches in 1..=2 {
        let mut is_between = false;
        std::thread::scope(|scope| {
            let launch = scope.spawn(|| {
                let mut total = device.sum::<u64>().unwrap();
                kernel.launch(n, &mut total).unwrap();
            });
            // A clone is the same device.
            let (device, mut latest) = (device.clone(), device.progress());
            while !launch.is_finished() {
                let progress = device.progress();
                assert!(progress.finished >= latest.finished, "{latest:?}, {progress:?}");
                assert!(progress.finished <= progress.blocks, "{progress:?}");
                assert!(progress.blocks <= launches * blocks, "{progress:?}");
                let before = (launches - 1) * blocks;
                is_between |= (before + 1..launches * blocks).contains(&progress.finished);
                latest = progress;
            }
        });
        let progress = device.progress();
        assert_eq!((progress.blocks, progress.finished), (launches * blocks, launches * blocks));
        // Even if this thread seldom ran in the meantime.
        assert!(is_between);
    }
    assert_eq!(Device::cpu().unwrap().progress().blocks, 0);
}
