//! Results of every size of type, packed and square, against the time that their bytes take alone.

use td_kernel::cudarc::driver::{CudaSlice, DeviceRepr, PushKernelArg};
use td_kernel::{DeviceType, Result, td_kernel};

use super::Setting;
use super::edm::pairs;
use super::packed::Fill;
use super::target::{Bound, Measured, Outcome, Target};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::hand_written::Source;
use crate::measure::points::points;

/// The size of a result.
const N: usize = 30_720;

/// A result of 8 bytes that is aligned to 4 only.
#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Two {
    a: f32,
    b: f32,
}

// SAFETY: a DeviceType is laid out for a GPU as for Rust.
unsafe impl DeviceRepr for Two {}

/// A result of 24 bytes.
#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Six {
    words: [f32; 6],
}

// SAFETY: a DeviceType is laid out for a GPU as for Rust.
unsafe impl DeviceRepr for Six {}

/// A generated kernel, loaded.
type Generated<T> = Box<dyn Fn(&CudaSlice<f32>, &mut CudaSlice<T>) -> Result<()>>;

/// Which memory is written.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Packed,
    Square,
}

macro_rules! outputs {
    ($($name:literal $module:ident: $type:ty, $doubles:literal, at most $packed:literal, $square:literal, $body:literal;)+) => {
        $(mod $module {
            #[allow(unused_imports)]
            use super::*;

            #[td_kernel(map = "auto")]
            pub(super) unsafe fn packed(#[each] x: &[f32], out: &mut Packed<$type>) {
                $body
            }

            #[td_kernel(map = "auto")]
            pub(super) unsafe fn square(#[each] x: &[f32], out: &mut Square<$type>) {
                $body
            }
        })+

        pub(crate) const TARGETS: &[Target] = &[
            $(
                Target { work: concat!("packed ", $name), features: None, n: N, bound: Bound::AtMost($packed) },
                Target { work: concat!("square ", $name), features: None, n: N, bound: Bound::AtMost($square) },
            )+
        ];

        pub(crate) fn measure(setting: &Setting, target: &Target) -> std::result::Result<Outcome, Failure> {
            let (gpu, n) = (&setting.gpu, target.n);
            match target.work {
                $(
                    concat!("packed ", $name) => {
                        let kernel = $module::packed::load(&gpu.device)?;
                        let run: Generated<$type> = Box::new(move |x, out| kernel.launch(x, out));
                        beside_fill(gpu, n, Layout::Packed, $doubles, run)
                    }
                    concat!("square ", $name) => {
                        let kernel = $module::square::load(&gpu.device)?;
                        let run: Generated<$type> = Box::new(move |x, out| kernel.launch(x, out));
                        beside_fill(gpu, n, Layout::Square, $doubles, run)
                    }
                )+
                work => Err(format!("no kernel writes {work}").into()),
            }
        }
    };
}

outputs! {
    "u8" bytes: u8, false, at most 1.30, 1.30,
        r#" out = fabsf(x.i - x.j) < 0.25f; "#;
    "i16" shorts: i16, false, at most 1.10, 1.10,
        r#" out = (short)(1000 * fabsf(x.i - x.j)); "#;
    "f32" floats: f32, false, at most 1.10, 1.10,
        r#" out = fabsf(x.i - x.j); "#;
    "f64" doubles: f64, true, at most 1.10, 1.10,
        r#" out = fabsf(x.i - x.j); "#;
    "[f32; 2]" vectors_of_two: [f32; 2], false, at most 1.10, 1.10,
        r#" float d = fabsf(x.i - x.j); out = make_float2(d, d + 1); "#;
    "struct of 8 bytes" structs_of_two: Two, false, at most 1.10, 1.10,
        r#" float d = fabsf(x.i - x.j); out.a = d; out.b = d + 1; "#;
    "[f32; 3]" vectors_of_three: [f32; 3], false, at most 1.25, 1.25,
        r#" float d = fabsf(x.i - x.j); out = make_float3(d, d + 1, d + 2); "#;
    "[f32; 4]" vectors_of_four: [f32; 4], false, at most 1.10, 1.10,
        r#" float d = fabsf(x.i - x.j); out = make_float4(d, d + 1, d + 2, d + 3); "#;
    "struct of 24 bytes" structs_of_six: Six, false, at most 1.25, 1.25,
        r#" float d = fabsf(x.i - x.j); for (unsigned int k = 0; k < 6; ++k) out.words[k] = d + k; "#;
}

fn beside_fill<T: DeviceType + DeviceRepr>(
    gpu: &Gpu,
    n: usize,
    layout: Layout,
    doubles: bool,
    generated: Generated<T>,
) -> std::result::Result<Outcome, Failure> {
    let points = gpu.upload(&points::<f32>(n))?;
    let slots = match layout {
        Layout::Packed => pairs(n),
        Layout::Square => n * n,
    };
    let mut ours = gpu.poisoned_of::<T>(slots)?;
    let mut filled = gpu.poisoned((slots * size_of::<T>()).div_ceil(4))?;
    let fill = Fill::new(gpu)?;
    let ways = vec![
        Way::new("float4 fill", || fill.launch(&mut filled)),
        Way::new("generated", || Ok(generated(&points, &mut ours)?)),
    ];
    let times = gpu.time(4, ways)?;
    // After the timing, so that what is checked is what was timed.
    check(gpu, &points, &ours, layout, doubles)?;
    let [reference, ours] =
        times.try_into().map_err(|_| "two ways were timed, and there are not two times")?;
    Ok(Outcome::Measured(Measured { ours, reference, others: Vec::new() }))
}

/// An error where a slot is not what it is to be.
fn check<T: DeviceType>(
    gpu: &Gpu,
    points: &CudaSlice<f32>,
    values: &CudaSlice<T>,
    layout: Layout,
    doubles: bool,
) -> std::result::Result<(), Failure> {
    let function = gpu.load(&check_source(size_of::<T>() as u32, doubles, layout))?;
    let mut found = gpu.upload(&[0_u64, u64::MAX])?;
    let n = points.len() as u32;
    let grid = [n.div_ceil(32), n.div_ceil(8)];
    // SAFETY: these are the parameters of `output_check` in their order; it is compiled for values of this size
    // and layout, of which there are as many as n points have, and the result has its two numbers.
    unsafe {
        gpu.launch(&function, grid, [32, 8], |launch| {
            launch.arg(&n).arg(points).arg(values).arg(&mut found);
        })
    }?;
    match gpu.stream.clone_dtoh(&found)?[..] {
        [0, _] => Ok(()),
        [wrong, first] => {
            Err(format!("{wrong} results are wrong or missing, the first in slot {first}").into())
        }
        _ => Err("the comparison has no result".into()),
    }
}

fn check_source(bytes: u32, doubles: bool, layout: Layout) -> Source {
    let text = include_str!("../../kernels/output_check.cu");
    let square = u32::from(layout == Layout::Square);
    let settings = vec![("BYTES", bytes), ("DOUBLES", u32::from(doubles)), ("SQUARE", square)];
    Source::new("output_check", text, settings)
}

#[cfg(test)]
mod tests {
    use td_kernel::nvrtc;

    use super::*;

    #[test]
    fn the_check_compiles() {
        for (bytes, doubles) in [(1, false), (2, false), (4, false), (8, true), (24, false)] {
            for layout in [Layout::Packed, Layout::Square] {
                let source = check_source(bytes, doubles, layout);
                let compiled = nvrtc::compile(source.entry, &source.text(), 90).unwrap();
                assert_eq!(compiled.warnings, "", "{bytes} bytes");
            }
        }
    }
}
