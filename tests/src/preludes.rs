//! Preludes, which kernels share, and Rust constants.

use td_kernel::{Device, DeviceType, PairKernel, Result, td_kernel};

/// Everything in the prelude.
#[td_kernel(
    prelude = include_str!("forces.cuh"),
    constants(CUTOFF: f32 = 1.0, EPSILON: f32 = 1.0, SHIFT: f32 = 0.0),
)]
unsafe fn names(out: &mut [f32]) {
    r#"
    const Potential one = {3.0f, 0.0f};
    out[0] = one.at(2.0f);
    out[1] = powers[SECOND - 3];
    out[2] = shifted::by(1.0f, 3);
    out[3] = angle(1.0f);
    out[4] = twice(4.0f) + FIRST;
    out[5] = lennard_jones(0.25f).energy;
    out[6] = DISTANCE(make_float3(3, 4, 1), make_float3(0, 0, 1));
    "#
}

/// The prelude in the kernel's file; over features, with a macro that uses the body's names.
#[td_kernel(
    prelude = r#"
        #define DIFFERENCE (p.i - p.j)
        #define COUNT ++count
        constexpr float HALF = BASE / 2;
        inline float weighted(float value, unsigned int at) { return value * (at % PERIOD + 1); }
    "#,
    constants(PERIOD: u32 = 3, BASE: f32 = 5.0),
)]
unsafe fn weighted_sums(
    #[each] p: &Features<f32>,
    #[fold(start = "BASE - HALF")] sum: f32,
    #[fold] count: u32,
    out: &mut Packed<f32>,
) {
    let feature = r#"
    sum += weighted(DIFFERENCE, k);
    COUNT;
    "#;
    let pair = r#" out = sum / count; "#;
}

/// A Rust struct.
#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
pub struct Sphere {
    center: [f32; 2],
    radius: f32,
}

/// A prelude's functions can use structs, and constants are the lengths of arrays.
#[td_kernel(
    constants(BINS: usize = BINS, WIDTH: f32 = 1.0 / BINS as f32),
    prelude = r#"
        struct Bins {
            unsigned int count[BINS];
        };

        inline unsigned int bin(const Sphere &a, const Sphere &b)
        {
            const float gap = hypotf(a.center[0] - b.center[0], a.center[1] - b.center[1]);
            return min((unsigned int)((gap - a.radius - b.radius) / WIDTH), (unsigned int)BINS - 1);
        }
    "#,
)]
pub unsafe fn histogram(#[each] s: &[Sphere], bins: &mut [u32]) {
    r#"
    Bins own;
    for (unsigned int k = 0; k < BINS; ++k)
        own.count[k] = 0;
    ++own.count[bin(s.i, s.j)];
    for (unsigned int k = 0; k < BINS; ++k)
        if (own.count[k])
            atomicAdd(&bins[k], own.count[k]);
    "#
}

const BINS: usize = 4;

/// Constants may have the names of the kernel's own variables, which its bodies do not see.
#[td_kernel(
    sweep = "rows",
    constants(TILE: f32 = 0.5, WIDTH: f32 = 2.0, HEIGHT: f32 = 4.0, BLOCK_COLUMNS: f32 = 8.0)
)]
pub unsafe fn capitals(#[each] p: &[f32], value: &mut Packed<f32>) {
    r#" value = p.i * TILE + p.j * WIDTH + HEIGHT + BLOCK_COLUMNS; "#
}

/// A prelude may define `min` and `max` itself.
#[td_kernel(prelude = r#"
    inline float min(float a, float b) { return a < b ? a : b; }
    inline int max(int a, int b) { return a > b ? a : b; }
"#)]
pub unsafe fn own_minimum(#[each] p: &[f32], value: &mut Packed<f32>) {
    r#" value = min(p.i, p.j) + max((int)p.i, (int)p.j) + min(2u, 3u); "#
}

/// A macro of a prelude may use a pair's index, or a sum.
#[td_kernel(prelude = r#"
    #define ABOVE (i > LIMIT)
    #define LIMIT 2
    #define COUNT for (int k = 0; k < 3; ++k) hits += 1
"#)]
unsafe fn hidden(#[each] p: &[f32], hits: &mut Sum<u32>) {
    r#"
    if (ABOVE && p.i > p.j)
        COUNT;
    "#
}

/// The values of all constants, by their bits.
#[td_kernel(constants(
    F_NAN: f32 = f32::from_bits(NANS[0]),
    F_LEAST: f32 = f32::from_bits(1),
    F_LIMIT: f32 = f32::NEG_INFINITY,
    F_ZERO: f32 = -0.0,
    F_TENTH: f32 = 0.1,
    D_NAN: f64 = f64::from_bits(0xfff4_0000_1234_5678),
    D_LIMIT: f64 = f64::INFINITY,
    D_LEAST: f64 = f64::from_bits(1),
    D_MOST: f64 = f64::MAX,
    D_PI: f64 = std::f64::consts::PI,
    LEAST_8: i8 = i8::MIN,
    LEAST_16: i16 = i16::MIN,
    LEAST_32: i32 = i32::MIN,
    LEAST_64: i64 = i64::MIN,
    LEAST_SIZE: isize = isize::MIN,
    MOST_8: u8 = u8::MAX,
    MOST_16: u16 = u16::MAX,
    MOST_32: u32 = u32::MAX,
    MOST_64: u64 = u64::MAX,
    MOST_SIZE: usize = usize::MAX,
    YES: bool = NANS.len() == 2,
    NO: bool = false,
))]
pub unsafe fn bits(floats: &mut [u32], doubles: &mut [i64], least: &mut [i64], most: &mut [u64]) {
    r#"
    floats[0] = __float_as_uint(F_NAN);
    floats[1] = __float_as_uint(F_LEAST);
    floats[2] = __float_as_uint(F_LIMIT);
    floats[3] = __float_as_uint(F_ZERO);
    floats[4] = __float_as_uint(F_TENTH);
    doubles[0] = __double_as_longlong(D_NAN);
    doubles[1] = __double_as_longlong(D_LIMIT);
    doubles[2] = __double_as_longlong(D_LEAST);
    doubles[3] = __double_as_longlong(D_MOST);
    doubles[4] = __double_as_longlong(D_PI);
    static_assert(sizeof(LEAST_8) == 1 && sizeof(MOST_16) == 2 && sizeof(LEAST_SIZE) == 8, "of Rust's size");
    least[0] = LEAST_8;
    least[1] = LEAST_16;
    least[2] = LEAST_32;
    least[3] = LEAST_64;
    least[4] = LEAST_SIZE;
    most[0] = MOST_8;
    most[1] = MOST_16;
    most[2] = MOST_32;
    most[3] = MOST_64;
    most[4] = MOST_SIZE + (YES && !NO ? 0 : 1);
    "#
}

const NANS: [u32; 2] = [0xffc1_2345, 0];

/// The sources of all these kernels, by their names.
pub const SOURCES: &[(&str, &[&str])] = &[
    (names::NAME, names::SOURCES),
    (weighted_sums::NAME, weighted_sums::SOURCES),
    (histogram::NAME, histogram::SOURCES),
    (hidden::NAME, hidden::SOURCES),
    (own_minimum::NAME, own_minimum::SOURCES),
    (bits::NAME, bits::SOURCES),
];

/// Runs all of them, and compares the results.
pub fn check(device: &Device) -> Result<()> {
    preludes(device)?;
    constants(device)
}

fn preludes(device: &Device) -> Result<()> {
    let mut out = device.zeroed(7)?;
    names::load(device)?.launch(2, &mut out)?;
    assert_eq!(out.download()?, [6.0, 4.0, 2.5, 2.0 * std::f32::consts::PI, 8.0, 16_128.0, 5.0]);

    let values: Vec<f32> = (0..7 * 9).map(|at| (at * at % 17) as f32).collect();
    let mut out = device.packed(7)?;
    weighted_sums::load(device)?.launch(&device.features(&values, 9)?, &mut out)?;
    let out = out.download()?;
    for i in 0..7 {
        for j in 0..i {
            let of = |k: usize| (values[9 * i + k] - values[9 * j + k]) * (k % 3 + 1) as f32;
            // Small integers: every order gives the same sum.
            assert_eq!(out[(i, j)], (2.5 + (0..9).map(of).sum::<f32>()) / 9.0, "{i}, {j}");
        }
    }

    let sphere = |at: u8| Sphere { center: [f32::from(at), 0.0], radius: 0.4375 };
    let spheres: Vec<_> = (0..3).map(sphere).collect();
    let mut bins = device.zeroed(BINS)?;
    histogram::load(device)?.launch(&device.upload(&spheres)?, &mut bins)?;
    // Two gaps of an eighth, and one of nine eighths.
    assert_eq!(bins.download()?, [2, 0, 0, 1]);

    let mut hits = device.sum()?;
    hidden::load(device)?.launch(&device.upload(&[0.0, 1.0, 2.0, 3.0, 1.5])?, &mut hits)?;
    // For 3 and 1.5: all smaller ones before them.
    assert_eq!(hits.download()?, 3 * (3 + 2));

    let mut value = device.packed(2)?;
    own_minimum::load(device)?.launch(&device.upload(&[1.5, 4.0])?, &mut value)?;
    assert_eq!(value.download()?.as_slice(), [1.5 + 4.0 + 2.0]);
    Ok(())
}

fn constants(device: &Device) -> Result<()> {
    let mut value = device.packed(3)?;
    capitals::load(device)?.launch(&device.upload(&[1.0, 2.0, 4.0])?, &mut value)?;
    assert_eq!(value.download()?.as_slice(), [15.0, 16.0, 18.0]);
    let (mut floats, mut doubles) = (device.zeroed(5)?, device.zeroed(5)?);
    let (mut least, mut most) = (device.zeroed(5)?, device.zeroed(5)?);
    bits::load(device)?.launch(2, &mut floats, &mut doubles, &mut least, &mut most)?;
    let of_floats = [NANS[0], 1, 0xff80_0000, 0x8000_0000, 0.1_f32.to_bits()];
    assert_eq!(floats.download()?, of_floats);
    let of_doubles = [
        0xfff4_0000_1234_5678,
        f64::INFINITY.to_bits(),
        1,
        f64::MAX.to_bits(),
        std::f64::consts::PI.to_bits(),
    ];
    assert_eq!(doubles.download()?, of_doubles.map(u64::cast_signed));
    let of_least = [i8::MIN.into(), i16::MIN.into(), i32::MIN.into(), i64::MIN, i64::MIN];
    assert_eq!(least.download()?, of_least);
    let of_most = [u8::MAX.into(), u16::MAX.into(), u32::MAX.into(), u64::MAX, u64::MAX];
    assert_eq!(most.download()?, of_most);
    Ok(())
}
