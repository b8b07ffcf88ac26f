//! What only a GPU can show. Every test here needs one, with its driver and NVRTC.
//!
//! Tests whose name starts with `small` are quick enough for a memory checker.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::__private::Sweep;
use td_kernel::cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use td_kernel::cudarc::nvrtc::Ptx;
use td_kernel::maps::{self, DEFAULT_EPSILON, Root, Shape, Space, WIDE};
use td_kernel::{Device, Error, Kernel, Result, nvrtc, td_kernel};
use td_kernel_tests::{Choice, every, structs, types, variants};

/// Euclidean distance of every pair of points.
#[td_kernel(map = "ltm")]
unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);
    "#
}

/// Marks each pair with a bit in the triangle with its diagonal, and counts what is wrong.
const VISIT: &str = r##"
unsafe fn visit(
    strict: u32,
    bits: &mut [u32],
    visited: &mut Sum<u64>,
    again: &mut Sum<u64>,
    outside: &mut Sum<u64>,
) {
    r#"
    if (i >= n || j + strict > i) {
        outside += 1;
        return;
    }
    const unsigned long long cell = (unsigned long long)i * (i + 1) / 2 + j;
    const unsigned int bit = 1u << (cell % 32);
    if (atomicOr(&bits[cell / 32], bit) & bit)
        again += 1;
    visited += 1;
    "#
}
"##;

fn gpu() -> Device {
    Device::cuda(0).unwrap()
}

/// What a kernel did that it should not have: visits outside, second visits, and pairs that it did
/// not visit. All zero means that it visited each pair exactly once, since it visited as many
/// different pairs as there are.
fn wrong_visits(device: &Device, kernel: &Kernel, choice: &Choice, n: usize) -> Result<u64> {
    let mut bits = device.zeroed::<u32>((n * (n + 1) / 2).div_ceil(32))?;
    let (mut visited, mut again, mut outside) =
        (device.sum::<u64>()?, device.sum::<u64>()?, device.sum::<u64>()?);
    let strict = u32::from(!choice.diagonal);
    let mut launch = kernel.launch();
    launch.elements(n)?;
    launch.scalar(&strict);
    launch.slice_mut("bits", &mut bits)?;
    launch.sum("visited", &mut visited)?;
    launch.sum("again", &mut again)?;
    launch.sum("outside", &mut outside)?;
    launch.run()?;
    let missed = (choice.pairs(n) as u64).abs_diff(visited.download()?);
    Ok(missed + again.download()? + outside.download()?)
}

/// Checks that the kernel visits each pair once, or refuses: a float root has its end, and says so.
fn visits_each_pair_once(device: &Device, kernel: &Kernel, choice: &Choice, n: usize) {
    match wrong_visits(device, kernel, choice, n) {
        Ok(wrong) => {
            println!("{}, n = {n}: {wrong} wrong", choice.attribute());
            assert_eq!(wrong, 0);
        }
        Err(error @ Error::PastMap { .. }) if choice.root != Root::Exact => println!("{error}"),
        Err(error) => panic!("{choice:?}, n = {n}: {error}"),
    }
}

#[test]
fn small_every_combination_visits_each_pair_once() {
    let device = gpu();
    for choice in Choice::all() {
        every::check(&device, &choice, every::SIZES).unwrap();
    }
}

#[test]
fn small_every_tile_visits_each_pair_once() {
    let device = gpu();
    for choice in Choice::tiles() {
        every::check(&device, &choice, every::SIZES).unwrap();
    }
}

#[test]
fn small_every_variant_gives_the_same() {
    variants::check(&gpu(), &[0, 1, 2, 33, 64, 200, 259, 1000]).unwrap();
}

#[test]
fn small_tuning_times_every_variant_and_reports_tell_of_spills() {
    let device = gpu();
    let kernel = edm::load(&device).unwrap();
    let host = points(2000);
    let p = device.upload(&host).unwrap();
    let mut distance = device.packed(host.len()).unwrap();
    let tuned = kernel.tune(&p, &mut distance).unwrap();
    println!("{tuned}");
    assert_eq!((tuned.elements, tuned.times.len()), (2000, edm::SOURCES.len()));
    assert_near(distance.download().unwrap().as_slice(), &distances(&host));
    let report = kernel.report(2000).unwrap();
    println!("{report}");
    assert!(tuned.times[0].0.contains(&format!("tile {}", report.tile)), "{tuned}\n{report}");
    let code = report.code.unwrap();
    assert_eq!(code.local, 0);
    assert!(code.registers > 0 && code.shared > 0 && code.blocks > 0);
    assert!(code.occupancy > 0.0 && code.occupancy <= 1.0);
}

#[test]
fn small_every_number_and_vector_arrives_as_it_was_sent() {
    types::check(&gpu());
}

#[test]
fn small_structs_have_the_same_fields_on_both_sides() {
    structs::check(&gpu()).unwrap();
}

#[test]
fn every_map_visits_each_pair_once_at_large_sizes() {
    let device = gpu();
    let sizes = [1, 17, 1000, 4097, 30_720, 46_341, 46_342, 65_537, 92_683, 131_072];
    for diagonal in [false, true] {
        for choice in Choice::maps() {
            let choice = Choice { diagonal, ..choice };
            let kernel = choice.load(&device, "visit", VISIT).unwrap();
            for n in sizes {
                visits_each_pair_once(&device, &kernel, &choice, n);
            }
        }
    }
}

/// λ has 64 bits from T(65,535) blocks on: the last size below, and sizes above.
#[test]
fn ltm_and_walk_go_on_where_blocks_need_64_bits() {
    let device = gpu();
    for map in ["ltm", "walk"] {
        let choices = Choice::maps();
        let choice = choices.iter().find(|choice| choice.map == map && choice.root == Root::Exact);
        let choice = Choice { block: 8, ..*choice.unwrap() };
        let kernel = choice.load(&device, "visit", VISIT).unwrap();
        for n in [65_534 * 8, 65_535 * 8, 65_535 * 8 + 1, 65_600 * 8 - 3] {
            visits_each_pair_once(&device, &kernel, &choice, n);
        }
    }
}

/// Maps whose grid ends: right at the last n that it takes.
#[test]
fn every_map_is_right_at_the_end_of_its_grid() {
    let device = gpu();
    for choice in Choice::maps().iter().filter(|choice| choice.root == Root::Exact) {
        let choice = Choice { block: 8, ..*choice };
        let map = maps::map(choice.map).unwrap();
        let shape = Shape { linear: choice.linear, ..Shape::blocks(1) };
        let rows = maps::largest(map, &shape, choice.space, choice.block) as usize;
        let n = if choice.space == Space::Thread { rows + 1 } else { rows * 8 };
        // ltm's balanced grid and the walk's go on past what a GPU's memory can check.
        if n < 600_000 {
            let kernel = choice.load(&device, "visit", VISIT).unwrap();
            visits_each_pair_once(&device, &kernel, &choice, n);
        }
    }
}

#[test]
fn tiles_of_every_size_visit_each_pair_once() {
    let device = gpu();
    for choice in Choice::tiles().iter().filter(|choice| choice.sweep == Sweep::Columns) {
        let kernel = choice.load(&device, "visit", VISIT).unwrap();
        for n in [1000, 4097, 10_007, 30_720] {
            visits_each_pair_once(&device, &kernel, choice, n);
        }
    }
}

/// Looks at what a sweep over rows has written, with one thread a pair.
#[td_kernel(map = "bb", diagonal = true, tile = 0)]
unsafe fn wrong_slots(strict: u32, is_square: u32, keys: &[u64], wrong: &mut Sum<u64>) {
    r#"
    const unsigned long long key = i == j && strict ? 77 : (unsigned long long)i << 32 | j;
    if (is_square) {
        if (keys[(unsigned long long)i * n + j] != key || keys[(unsigned long long)j * n + i] != key)
            wrong += 1;
    } else if (i > j || !strict) {
        const unsigned long long start = (unsigned long long)i * (strict ? i - 1 : i + 1) / 2;
        if (keys[start + j] != key)
            wrong += 1;
    }
    "#
}

#[test]
fn slots_of_every_tile_hold_their_own_pair() {
    let device = gpu();
    let check = wrong_slots::load(&device).unwrap();
    for choice in Choice::tiles() {
        let is_square = match choice.sweep {
            Sweep::Rows => choice.square,
            Sweep::Mirror => true,
            _ => continue,
        };
        let output = if is_square { "Square" } else { "Packed" };
        let item = format!(
            "unsafe fn write(key: &mut {output}<u64>) {{ r#\" key = (unsigned long long)i << 32 | j; \"# }}"
        );
        let kernel = choice.load(&device, "write", &item).unwrap();
        for n in [1000, 4097, 10_007, 16_384] {
            let (mut wrong, strict) = (device.sum::<u64>().unwrap(), u32::from(!choice.diagonal));
            let is = u32::from(is_square);
            if is_square {
                let mut keys = device.square::<u64>(n).unwrap().with_diagonal(77);
                let mut launch = kernel.launch();
                launch.square("key", &mut keys).unwrap();
                launch.run().unwrap();
                check.launch(n, strict, is, &keys, &mut wrong).unwrap();
            } else {
                let mut keys = match choice.diagonal {
                    true => device.packed_with_diagonal::<u64>(n).unwrap(),
                    false => device.packed::<u64>(n).unwrap(),
                };
                let mut launch = kernel.launch();
                launch.packed("key", &mut keys).unwrap();
                launch.run().unwrap();
                check.launch(n, strict, is, &keys, &mut wrong).unwrap();
            }
            assert_eq!(wrong.download().unwrap(), 0, "{choice:?}, n = {n}");
        }
    }
}

/// A sum of products, of which a compiler may round one before it fuses the other: both halves alike.
#[td_kernel]
unsafe fn squares(#[each] p: &[f32], sum: &mut Square<f32>) {
    r#" sum = p.i * p.i + p.j * p.j; "#
}

#[test]
fn small_squares_are_the_same_in_both_halves() {
    let device = gpu();
    for n in [64, 129, 1000, 1001] {
        let p: Vec<f32> = (0..n).map(|k| (k as f32 * 0.754_877_7).fract() + 0.1).collect();
        let p = device.upload(&p).unwrap();
        for variant in 0..squares::SOURCES.len() {
            let kernel = squares { kernel: squares::load(&device).unwrap().kernel.pin(variant) };
            let mut sum = device.square(n).unwrap();
            kernel.launch(&p, &mut sum).unwrap();
            let sum = sum.download().unwrap();
            for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
                assert_eq!(sum.get(i, j), sum.get(j, i), "variant {variant}, n = {n}, ({i}, {j})");
            }
        }
    }
}

/// A view that starts anywhere: four neighbours cannot be stored at once.
#[test]
fn small_packed_views_that_start_anywhere_are_written_right() {
    let context = CudaContext::new(0).unwrap();
    let device = Device::from_cuda(&context).unwrap();
    let stream = context.default_stream();
    let (n, pairs) = (300, 300 * 299 / 2);
    let p = stream.clone_htod(&points(n)).unwrap();
    for start in 0..5 {
        let mut memory = stream.clone_htod(&vec![-1.0_f32; pairs + 8]).unwrap();
        let mut slots = memory.slice_mut(start..start + pairs);
        edm::load(&device).unwrap().launch(&p, &mut slots).unwrap();
        let memory = stream.clone_dtoh(&memory).unwrap();
        stream.synchronize().unwrap();
        assert_near(&memory[start..start + pairs], &distances(&points(n)));
        let around = memory[..start].iter().chain(&memory[start + pairs..]);
        assert!(around.clone().all(|value| *value == -1.0), "start {start}");
    }
}

#[test]
fn blocks_of_every_size_visit_each_pair_once() {
    let device = gpu();
    for choice in Choice::all() {
        let kernel = choice.load(&device, "visit", VISIT).unwrap();
        for n in [1000, 4097, 10_007] {
            visits_each_pair_once(&device, &kernel, &choice, n);
        }
    }
}

/// Computes the row of every λ below 2^32, and of the exact root below 2^33.
#[test]
fn roots_are_swept_over_every_block() {
    let device = gpu();
    for name in Root::NAMES {
        let root = Root::new(name, DEFAULT_EPSILON).unwrap();
        let end = if root == Root::Exact { 1 << 33 } else { 1 << 32 };
        let narrow = device.root_failure(root, WIDE).unwrap();
        let failure = device.root_failure(root, end).unwrap();
        let row = failure.map(|lambda| Root::Exact.row(lambda));
        println!(
            "{root} on {}: first wrong λ below {end}: {failure:?}, of row {row:?}",
            device.name()
        );
        assert_eq!(narrow, failure, "{root}");
        assert_eq!(failure.is_none(), root == Root::Exact, "{root}");
    }
}

/// Rows change only at the units T(r): both sides of each, up to the largest grid there is.
#[test]
fn the_exact_root_is_exact_at_every_boundary() {
    const BOUNDARIES: &str = r#"
extern "C" __global__ void boundaries(const unsigned long long end, unsigned long long *const wrong)
{
    for (unsigned long long row = 1 + blockIdx.x * blockDim.x + threadIdx.x; row < end; row += gridDim.x * blockDim.x) {
        const unsigned long long first = row * (row + 1) / 2;
        if (td_row(first) != row || td_row(first - 1) != row - 1 || td_row(first + row) != row)
            atomicAdd(wrong, 1ull);
    }
}
"#;
    let context = CudaContext::new(0).unwrap();
    let stream = context.default_stream();
    let (major, minor) = context.compute_capability().unwrap();
    for (wide, end) in [("", 65_535_u64), ("#define TD_WIDE\n", 20_000_000)] {
        let source = format!("{wide}{}{BOUNDARIES}", Root::Exact.helper());
        let compiled = nvrtc::compile("boundaries", &source, (major * 10 + minor) as u32).unwrap();
        let nvrtc::Code::Cubin(code) = compiled.code else { panic!("PTX") };
        let function = context
            .load_module(Ptx::from_binary(code))
            .unwrap()
            .load_function("boundaries")
            .unwrap();
        let mut wrong = stream.clone_htod(&[0_u64]).unwrap();
        let config =
            LaunchConfig { grid_dim: (1024, 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        let mut launch = stream.launch_builder(&function);
        launch.arg(&end).arg(&mut wrong);
        // SAFETY: the arguments are the kernel's, which writes the one element.
        unsafe { launch.launch(config) }.unwrap();
        assert_eq!(stream.clone_dtoh(&wrong).unwrap(), [0], "rows below {end}");
    }
}

/// Each map with each float root: right at the last n that it takes, an error at the next.
#[test]
fn float_roots_are_refused_past_their_end_and_right_before_it() {
    let device = gpu();
    for choice in Choice::maps().into_iter().filter(|choice| choice.root != Root::Exact) {
        for diagonal in [false, true] {
            let choice = Choice { block: 8, diagonal, ..choice };
            let kernel = choice.load(&device, "visit", VISIT).unwrap();
            let past = |n: usize| {
                let mut launch = kernel.launch();
                launch.elements(n).unwrap();
                launch.run().unwrap_err()
            };
            let error = past(400_000);
            let Error::PastMap { most, .. } = error else { panic!("{error}") };
            // Past the grid too, it is the root that ends first.
            for n in [1_500_000, 300_000_000] {
                assert!(matches!(past(n), Error::PastMap { most: same, .. } if same == most));
            }
            let failure = device.root_failure(choice.root, WIDE).unwrap().unwrap();
            let row = Root::Exact.row(failure) as usize;
            let rows = if choice.space == Space::Thread { most } else { most / 8 };
            assert!((row - 2..=row + 1).contains(&rows), "{choice:?}: {most}, row {row}");
            println!("{}: {}", choice.attribute(), past(most + 1));
            assert!(matches!(past(most + 1), Error::PastMap { .. }));
            assert_eq!(
                wrong_visits(&device, &kernel, &choice, most).unwrap(),
                0,
                "{choice:?}, n = {most}"
            );
        }
    }
}

/// The twins of `sqrt` and `newton` give a GPU's bits, so both end at the same unit.
#[test]
fn twins_end_where_the_gpu_does() {
    let device = gpu();
    for root in [Root::Sqrt { epsilon: DEFAULT_EPSILON }, Root::Newton { epsilon: DEFAULT_EPSILON }]
    {
        let end = 20_000_000;
        assert_eq!(device.root_failure(root, end).unwrap(), root.first_failure(0, end), "{root}");
    }
}

fn points(n: usize) -> Vec<[f32; 4]> {
    (0..n)
        .map(|k| [k as f32 * 0.37, (k % 11) as f32, (k % 5) as f32 * -2.5, 1.0 / (k + 1) as f32])
        .collect()
}

fn distances(points: &[[f32; 4]]) -> Vec<f64> {
    let distance = |(i, j): (usize, usize)| {
        let squares =
            points[i].iter().zip(points[j]).map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2));
        squares.sum::<f64>().sqrt()
    };
    (0..points.len()).flat_map(|i| (0..i).map(move |j| (i, j))).map(distance).collect()
}

fn assert_near(found: &[f32], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (f64::from(*found) - expected).abs() <= 1e-6 * expected.max(1.0),
            "{found} {expected}"
        );
    }
}

#[test]
fn small_slices_and_views_of_cudarc_are_taken_as_they_are() {
    let context = CudaContext::new(0).unwrap();
    let device = Device::from_cuda(&context).unwrap();
    let kernel = edm::load(&device).unwrap();
    let stream = context.new_stream().unwrap();
    let all = points(300);
    let slice = stream.clone_htod(&all).unwrap();
    let mut packed = stream.alloc_zeros::<f32>(300 * 299 / 2).unwrap();

    // On the default stream, with memory of another: cudarc's events keep the order.
    kernel.launch(&slice, &mut packed).unwrap();
    assert_near(&stream.clone_dtoh(&packed).unwrap(), &distances(&all));

    // Views, on a stream.
    let on_stream = kernel.on(&stream).unwrap();
    let view = slice.slice(100..200);
    let mut part = packed.slice_mut(7..7 + 100 * 99 / 2);
    on_stream.launch(&view, &mut part).unwrap();
    let found = stream.clone_dtoh(&part).unwrap();
    stream.synchronize().unwrap();
    assert_near(&found, &distances(&all[100..200]));

    // A view that starts inside a float4.
    let floats = stream.alloc_zeros::<f32>(100).unwrap();
    let shifted = floats.slice(1..);
    // SAFETY: 20 elements of 4 floats lie within the 99.
    let shifted = unsafe { shifted.transmute::<[f32; 4]>(20) }.unwrap();
    let error = kernel.launch(&shifted, &mut packed).unwrap_err();
    assert!(matches!(error, Error::Misaligned { argument: "p", alignment: 16, .. }), "{error}");

    let error = kernel.launch(&slice, &mut packed.slice_mut(0..10)).unwrap_err();
    assert!(matches!(error, Error::PackedLength { n: 300, found: 10, .. }), "{error}");
}

#[test]
fn small_arguments_of_another_device_are_refused() {
    let (gpu, cpu) = (gpu(), Device::cpu());
    let kernel = edm::load(&gpu).unwrap();
    let mut packed = gpu.packed(3).unwrap();
    // A machine without a C++ compiler has no CPU device to mix in.
    match cpu {
        Ok(cpu) => {
            let elsewhere = cpu.upload(&points(3)).unwrap();
            let error = kernel.launch(&elsewhere, &mut packed).unwrap_err();
            assert!(matches!(error, Error::WrongDevice { argument: "p", .. }), "{error}");
        }
        Err(error) => assert!(matches!(error, Error::NoCompiler { .. }), "{error}"),
    }
}

#[test]
fn small_the_gpu_that_is_not_there_is_named() {
    let error = Device::cuda(999).unwrap_err();
    assert!(matches!(error, Error::NoGpu { ordinal: 999, .. }), "{error}");
    println!("{error}");
}

#[test]
fn too_much_memory_is_an_error_with_numbers() {
    let error = gpu().zeroed::<u8>(1 << 43).unwrap_err();
    println!("{error}");
    assert!(
        matches!(error, Error::OutOfMemory { needed, free: Some(_) } if needed == 1 << 43),
        "{error}"
    );
}

#[test]
fn small_threads_share_a_kernel() {
    let device = gpu();
    let kernel = edm::load(&device).unwrap();
    std::thread::scope(|scope| {
        for n in [2, 50, 100, 150] {
            let (device, kernel) = (&device, &kernel);
            scope.spawn(move || {
                let all = points(n);
                let p = device.upload(&all).unwrap();
                let mut distance = device.packed(n).unwrap();
                kernel.launch(&p, &mut distance).unwrap();
                assert_near(distance.download().unwrap().as_slice(), &distances(&all));
            });
        }
    });
}

/// The GPU opened again knows no kernel, and finds this one on the disk.
#[test]
fn small_kernels_from_a_cache_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let host = points(300);
    let kept = || std::fs::read_dir(folder.path()).unwrap().count();
    for round in 0..2 {
        let before = kept();
        let device = gpu().with_cache(folder.path());
        let p = device.upload(&host).unwrap();
        let mut distance = device.packed(host.len()).unwrap();
        edm::load(&device).unwrap().launch(&p, &mut distance).unwrap();
        assert_near(distance.download().unwrap().as_slice(), &distances(&host));
        assert_eq!(kept() > before, round == 0, "round {round}: {before}, then {}", kept());
    }
}
