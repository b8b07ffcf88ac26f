//! The C++ that both compilers accept in a body: types, constants and functions, each with its expected value.

use td_kernel::{Device, td_kernel};

/// Each line of its body that ends in `// VALUE` writes one or more numbers, all of them VALUE.
#[td_kernel]
unsafe fn dialect(values: &mut [f64], counts: &mut [u32]) {
    include_str!("dialect.cu")
}

/// The body's source.
pub const TEXT: &str = include_str!("dialect.cu");

/// The generated source.
pub const SOURCE: &str = dialect::SOURCE;

/// The code of each value, with the value that its line gives.
fn values() -> Vec<(&'static str, f64)> {
    let of_line = |line: &'static str| {
        let (code, value) = line.rsplit_once(" // ")?;
        let value: f64 = value.parse().ok()?;
        Some(code.split("*next++ = ").skip(1).map(move |code| (code, value)))
    };
    TEXT.lines().filter_map(of_line).flatten().collect()
}

/// The relative tolerance of a value that is not an integer: ten units in the last place of a float, CUDA's bound for its worst
/// function, and some more for fast approximations.
const TOLERANCE: f64 = 1.2e-6;
const OF_APPROXIMATIONS: f64 = 4e-6;

/// Computes every value on the device, and compares it.
pub fn check(device: &Device) -> Result<(), Box<dyn std::error::Error>> {
    let expected = values();
    assert!(expected.len() > 500, "{} values", expected.len());
    let mut values = device.upload(&vec![0.0_f64; expected.len()])?;
    let mut counts = device.upload(&[0_u32])?;
    let kernel = dialect::load(device)?;
    kernel.launch(2, &mut values, &mut counts)?;
    for ((code, expected), value) in expected.iter().zip(values.download()?) {
        let is_exact = expected.fract() == 0.0;
        let tolerance = if is_fast(code) { OF_APPROXIMATIONS } else { TOLERANCE };
        let is_near = (value - expected).abs() <= tolerance * expected.abs();
        assert!(value == *expected || !is_exact && is_near, "{code}: {value}, not {expected}");
    }
    Ok(())
}

/// Whether the code calls a fast approximation: a float function with two underscores and no rounding in its name.
fn is_fast(code: &str) -> bool {
    let of_floats = ["cosf", "sinf", "tanf", "expf", "exp10f", "logf", "log2f", "log10f", "powf"];
    of_floats.iter().any(|name| code.starts_with(&format!("__{name}(")))
}
