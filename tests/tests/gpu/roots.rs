//! The GPU's roots.

use td_kernel::__private::Axis;
use td_kernel::cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use td_kernel::cudarc::nvrtc::Ptx;
use td_kernel::{ErrorKind, nvrtc};
use td_kernel_geometry::{DEFAULT_EPSILON, Root, Space, WIDE};
use td_kernel_tests::Choice;

use crate::{VISIT, gpu, share_memory, wrong_visits};

/// Computes the row of every λ below 2^32, and for the exact root below 2^33.
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

/// Rows change only at the units T(r): tests both sides of each, up to the largest grid.
#[test]
fn exact_root_is_exact() {
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
        let compiled =
            nvrtc::compile("boundaries", &source, &[], (major * 10 + minor) as u32).unwrap();
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
        // SAFETY: the arguments match the kernel's parameters, and it writes the one element.
        unsafe { launch.launch(config) }.unwrap();
        assert_eq!(stream.clone_dtoh(&wrong).unwrap(), [0], "rows below {end}");
    }
}

/// Each map with each float root: right at the largest supported n, an error at the next.
#[test]
fn float_roots_are_right_up_to_their_limit() {
    let _shared = share_memory();
    let device = gpu();
    for choice in Choice::maps().into_iter().filter(|choice| choice.root != Root::Exact) {
        for diagonal in [false, true] {
            let choice = Choice { block: 8, diagonal, ..choice };
            let kernel = choice.load(&device, "visit", VISIT).unwrap();
            let past = |n: usize| {
                let mut launch = kernel.launch();
                launch.bind(Axis::Each, "n", n).unwrap();
                // SAFETY: the root fails before this n, so nothing runs.
                unsafe { launch.run() }.unwrap_err()
            };
            let error = past(400_000);
            let most = error.limit().unwrap();
            // Even past the grid's end, the error is about the root, which fails first.
            for n in [1_500_000, 300_000_000] {
                assert_eq!(past(n).limit(), Some(most));
            }
            let failure = device.root_failure(choice.root, WIDE).unwrap().unwrap();
            let row = Root::Exact.row(failure) as usize;
            let rows = if choice.space == Space::Thread { most } else { most / 8 };
            assert!((row - 2..=row + 1).contains(&rows), "{choice:?}: {most}, row {row}");
            println!("{}: {}", choice.attribute(), past(most + 1));
            assert_eq!(past(most + 1).kind(), ErrorKind::MapLimitExceeded);
            assert_eq!(
                wrong_visits(&device, std::slice::from_ref(&kernel), &choice, most).unwrap(),
                0,
                "{choice:?}, n = {most}"
            );
        }
    }
}

/// The reference implementations of `sqrt` and `newton` give the same bits as a GPU, so both fail at the same unit.
#[test]
fn reference_limits_match_the_gpu() {
    let device = gpu();
    for root in [Root::Sqrt { epsilon: DEFAULT_EPSILON }, Root::Newton { epsilon: DEFAULT_EPSILON }]
    {
        let end = 20_000_000;
        assert_eq!(device.root_failure(root, end).unwrap(), root.first_failure(0, end), "{root}");
    }
}
