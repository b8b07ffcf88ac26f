use super::{Compiler, build, compile, launch, text};
use crate::backend::KernelSource;

/// A library exports the requested functions of its source, each with its own parameters.
#[test]
fn functions_share_a_library() {
    let source = r#"
        static __device__ int twice(int x) { return 2 * x; }
        extern "C" __global__ void kernel(int *x) { x[threadIdx.x] = twice(threadIdx.x); }
        extern "C" __global__ void add(int *x, const int y) { x[threadIdx.x] += twice(y); }
        extern "C" __global__ void never(int *x) { x[0] = 0; }
    "#;
    let others = ["add".to_owned()];
    let text = KernelSource { others: &others, ..text("test", source) };
    let kernel = build::program(&Compiler::find().unwrap(), &text, None).unwrap();
    let add = kernel.other("add").unwrap();
    assert_eq!((kernel.parameters(), add.parameters()), (&[8][..], &[8, 4][..]));
    let error = kernel.other("never").unwrap_err().to_string();
    assert!(error.contains("td_cpu_run_never"), "{error}");
    let mut x = [0_i32; 40];
    launch!(kernel, [1; 3], [40, 1, 1], x.as_mut_ptr()).unwrap();
    // The library stays loaded while one of its functions exists.
    drop(kernel);
    launch!(add, [1; 3], [40, 1, 1], x.as_mut_ptr(), 5_i32).unwrap();
    assert!(x.iter().zip(0..).all(|(x, at)| *x == 2 * at + 10), "{x:?}");
}

#[test]
fn indices_have_three_dimensions() {
    let program = compile(
        r#"extern "C" __global__ void kernel(uint3 *seen) {
            const unsigned int block =
                blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
            const unsigned int thread =
                threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
            const unsigned int at = block * blockDim.x * blockDim.y * blockDim.z + thread;
            if (thread % 3 == 0) __syncthreads();
            seen[2 * at] = blockIdx;
            seen[2 * at + 1] = threadIdx;
        }"#,
    );
    let (grid, block) = ([3, 4, 5], [7, 2, 3]);
    let threads: usize = [3, 4, 5, 7, 2, 3].iter().product();
    let mut seen = vec![[[u32::MAX; 3]; 2]; threads];
    launch!(program, grid, block, seen.as_mut_ptr()).unwrap();
    let indices = |size: [u32; 3]| {
        (0..size[2])
            .flat_map(move |z| (0..size[1]).flat_map(move |y| (0..size[0]).map(move |x| [x, y, z])))
    };
    let expected: Vec<_> = indices(grid)
        .flat_map(|in_grid| indices(block).map(move |in_block| [in_grid, in_block]))
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn largest_block_runs_with_barriers() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int *out) {
            __shared__ unsigned int reversed[1024];
            const unsigned int t = threadIdx.x + 32 * threadIdx.y;
            for (unsigned int round = 0; round < 3; ++round) {
                reversed[1023 - t] = t + round;
                __syncthreads();
                out[blockIdx.x * 1024 + t] += reversed[t];
                __syncthreads();
            }
        }"#,
    );
    let mut out = vec![0_u32; 8 * 1024];
    launch!(program, [8, 1, 1], [32, 32, 1], out.as_mut_ptr()).unwrap();
    assert!((0..out.len()).all(|i| out[i] == 3 * (1023 - i as u32 % 1024) + 3));
}

#[test]
fn struct_parameters_may_be_unaligned() {
    #[repr(C)]
    struct Cutoff {
        kind: u8,
        limits: [f64; 2],
        count: u16,
    }
    let program = compile(
        r#"struct Cutoff { unsigned char kind; double limits[2]; unsigned short count; };
        extern "C" __global__ void kernel(const Cutoff cutoff, const float4 p, double *out) {
            out[threadIdx.x] = cutoff.kind + cutoff.limits[0] + cutoff.limits[1]
                + cutoff.count + p.x + p.y + p.z + p.w;
        }"#,
    );
    let cutoff = Cutoff { kind: 1, limits: [20.0, 300.0], count: 4000 };
    let mut out = [0.0_f64; 4];
    // At least one run of four of these five floats is not aligned to 16 bytes.
    let floats = [0.5_f32; 5];
    for first in [0, 1] {
        // SAFETY: four of the five floats follow.
        let four = unsafe { &*floats.as_ptr().add(first).cast::<[f32; 4]>() };
        // `*four` is passed in place, not copied.
        launch!(program, [1; 3], [4, 1, 1], cutoff, *four, out.as_mut_ptr()).unwrap();
        assert_eq!(out, [4323.0; 4]);
        out = [0.0; 4];
    }
}

#[test]
fn threads_launch_one_program_at_once() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int salt, unsigned int *out) {
            __shared__ unsigned int values[64];
            values[threadIdx.x] = salt + blockIdx.x;
            __syncthreads();
            out[blockIdx.x * 64 + threadIdx.x] = values[63 - threadIdx.x] + threadIdx.x;
        }"#,
    );
    std::thread::scope(|scope| {
        for salt in [1000_u32, 5000] {
            let program = &program;
            scope.spawn(move || {
                for _ in 0..20 {
                    let mut out = vec![0_u32; 100 * 64];
                    launch!(program, [100, 1, 1], [64, 1, 1], salt, out.as_mut_ptr()).unwrap();
                    let expected = |i: usize| salt + (i / 64 + i % 64) as u32;
                    assert!((0..out.len()).all(|i| out[i] == expected(i)));
                }
            });
        }
    });
}

#[test]
fn launch_uses_the_current_pool() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int *count) { atomicAdd(count, 1u); }"#,
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut count = 0_u32;
    let counter = &raw mut count as usize;
    pool.install(|| launch!(program, [999, 1, 1], [33, 1, 1], counter)).unwrap();
    assert_eq!(count, 999 * 33);
}

#[test]
fn blocks_may_wait_for_earlier_blocks() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int *chain) {
            if (threadIdx.x != 0) return;
            while (atomicAdd(chain, 0u) < blockIdx.x) {}
            atomicAdd(chain, 1u);
        }"#,
    );
    let mut chain = 0_u32;
    launch!(program, [500, 1, 1], [32, 1, 1], &raw mut chain).unwrap();
    assert_eq!(chain, 500);
}

#[test]
fn invalid_sizes_are_refused() {
    let program = compile(r#"extern "C" __global__ void kernel() {}"#);
    let cases = [
        ([0, 1, 1], [1; 3], "kernel `test`: it cannot be launched: a grid is at least 1 x 1 x 1"),
        ([1, 65_536, 1], [1; 3], "at most 2147483647 x 65535 x 65535, not 1 x 65536 x 1"),
        ([1; 3], [32, 0, 1], "a block is at least 1 x 1 x 1"),
        ([1; 3], [u32::MAX; 3], "a block is at least 1 x 1 x 1"),
        ([1; 3], [1024, 2, 1], "a block has at most 1024 threads, not 2048"),
    ];
    for (grid, block, expected) in cases {
        let error = launch!(program, grid, block).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    launch!(program, [7, 7, 7], [1, 1, 1]).unwrap();
}

/// Each block has 1024 stacks at a time, and a process can have at most about 32,000.
#[test]
fn concurrent_launches_share_stacks() {
    let program = compile(
        r#"extern "C" __global__ void kernel(unsigned int *count) {
            __syncthreads();
            atomicAdd(count, 1u);
            __syncthreads();
        }"#,
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(40).build().unwrap();
    let counts = [(); 12].map(|()| std::sync::atomic::AtomicU32::new(0));
    let done: Vec<_> = std::thread::scope(|scope| {
        let launched = counts.each_ref().map(|count| {
            let (pool, program, count) = (&pool, &program, count.as_ptr() as usize);
            scope.spawn(move || pool.install(|| launch!(program, [80, 1, 1], [1024, 1, 1], count)))
        });
        launched.into_iter().map(|launched| launched.join().unwrap()).collect()
    });
    for (done, count) in done.into_iter().zip(counts) {
        done.unwrap();
        assert_eq!(count.into_inner(), 80 * 1024);
    }
}
