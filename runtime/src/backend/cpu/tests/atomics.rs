use super::{compile, launch};

/// The results of all atomics, field by field as the kernel declares them.
#[repr(C)]
#[derive(Default, Debug, PartialEq)]
struct Cells {
    float_sum: f32,
    double_sum: f64,
    long_sum: u64,
    int_sum: i32,
    difference: u32,
    least: i32,
    greatest: u64,
    all: u32,
    any: u32,
    odd: u64,
    wrapped: u32,
    counted_down: u32,
    product: u32,
    halves: u16,
    exchanged: f32,
}

#[test]
fn atomics_of_many_blocks() {
    let program = compile(
        r#"struct Cells {
            float float_sum; double double_sum; unsigned long long long_sum; int int_sum;
            unsigned int difference; int least; unsigned long long greatest;
            unsigned int all, any; unsigned long long odd;
            unsigned int wrapped, counted_down, product; unsigned short halves; float exchanged;
        };
        extern "C" __global__ void kernel(Cells *cells) {
            const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
            atomicAdd(&cells->float_sum, 0.5f);
            atomicAdd(&cells->double_sum, 0.25);
            atomicAdd(&cells->long_sum, 1ull << 40);
            atomicAdd(&cells->int_sum, -3);
            atomicSub(&cells->difference, 2u);
            atomicMin(&cells->least, -static_cast<int>(t));
            atomicMax(&cells->greatest, static_cast<unsigned long long>(t) << 32);
            atomicAnd(&cells->all, ~(1u << t % 16));
            atomicOr_block(&cells->any, 1u << t % 16);
            atomicXor(&cells->odd, 1ull << t % 63);
            atomicInc(&cells->wrapped, 99u);
            atomicDec(&cells->counted_down, 98u);
            // A product modulo 2^32, by compare and swap.
            unsigned int old = cells->product, seen;
            do { seen = old; old = atomicCAS_system(&cells->product, seen, seen * 3u); }
            while (old != seen);
            unsigned short half = cells->halves, seen_half;
            do {
                seen_half = half;
                half = atomicCAS(&cells->halves, seen_half,
                                 static_cast<unsigned short>(seen_half + 1));
            } while (half != seen_half);
            atomicExch(&cells->exchanged, 7.0f);
        }"#,
    );
    let (blocks, threads) = (500_u32, 64_u32);
    let n = blocks * threads;
    let mut cells = Cells { all: u32::MAX, product: 1, ..Cells::default() };
    launch!(program, [blocks, 1, 1], [threads, 1, 1], &raw mut cells).unwrap();
    let expected = Cells {
        float_sum: n as f32 * 0.5,
        double_sum: f64::from(n) * 0.25,
        long_sum: u64::from(n) << 40,
        int_sum: -3 * n as i32,
        difference: 0_u32.wrapping_sub(2 * n),
        least: 1 - n as i32,
        greatest: u64::from(n - 1) << 32,
        all: 0xffff_0000,
        any: 0xffff,
        odd: (0..n).fold(0, |bits, t| bits ^ (1 << (t % 63))),
        wrapped: n % 100,
        counted_down: 99 - n % 99,
        product: 3_u32.wrapping_pow(n),
        halves: n as u16,
        exchanged: 7.0,
    };
    assert_eq!(cells, expected);
}
