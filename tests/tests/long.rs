//! Long elements: structs around arrays, from a few bytes to a kilobyte, in every sweep that the default keys choose.
//! These tests need NVRTC and a C++ compiler, and no GPU.
#![allow(clippy::unwrap_used)]

use td_kernel::testing::{self, Failure};

/// Kernels over elements of `$length` floats, one for each kind of output.
macro_rules! long {
    ($($name:ident $length:literal),*) => {$(
        mod $name {
            use td_kernel::testing::{self, Failure};
            use td_kernel::{DeviceType, td_kernel};
            use td_kernel_tests::covering::in_turn;

            #[derive(Clone, Copy, DeviceType)]
            #[repr(C)]
            pub(super) struct Long {
                values: [f32; $length],
            }

            #[td_kernel]
            pub(super) unsafe fn packed(#[each] x: &[Long], out: &mut Packed<f32>) {
                include_str!("long.cu")
            }

            #[td_kernel]
            unsafe fn square(#[each] x: &[Long], out: &mut Square<f32>) {
                include_str!("long.cu")
            }

            #[td_kernel]
            unsafe fn sum(#[each] x: &[Long], total: &mut Sum<u32>) {
                r#" if (x.i.values[0] < x.j.values[0]) total += 1; "#
            }

            #[td_kernel]
            unsafe fn results(#[each] x: &[Long], #[each] count: &mut Sums<u32>) {
                r#" if (x.i.values[0] < x.j.values[0]) count.i += 1; "#
            }

            #[td_kernel]
            unsafe fn nearest(#[each] x: &[Long], #[each] near: &mut Nearest<f32, 4>) {
                r#" near.push(fabsf(x.i.values[0] - x.j.values[0])); "#
            }

            #[td_kernel]
            unsafe fn matrix(#[row] a: &[Long], #[column] b: &[Long], out: &mut Matrix<f32>) {
                r#" out = a.values[0] - b.values[0]; "#
            }

            #[td_kernel]
            unsafe fn own(#[each] x: &[Long], counts: &mut [u32]) {
                r#" if (x.i.values[0] < x.j.values[0]) atomicAdd(&counts[i], 1); "#
            }

            /// The number of sources of each kernel.
            pub(super) fn texts() -> [usize; 7] {
                [
                    packed::SOURCES.len(),
                    square::SOURCES.len(),
                    sum::SOURCES.len(),
                    results::SOURCES.len(),
                    nearest::SOURCES.len(),
                    matrix::SOURCES.len(),
                    own::SOURCES.len(),
                ]
            }

            /// Runs three of them, or one by turns, in each variant, and compares every pair.
            pub(super) fn check(turn: usize) -> Result<(), Failure> {
                // More than a tile, and not a multiple of one.
                let x: Vec<Long> = (0..70)
                    .map(|e| Long { values: std::array::from_fn(|k| ((7 * e + k * e) % 13) as f32) })
                    .collect();
                let distance = |i: usize, j: usize| {
                    let pairs = x[i].values.iter().zip(x[j].values);
                    let squares = pairs.map(|(a, b)| f64::from(a - b).powi(2));
                    squares.sum::<f64>().sqrt() as f32
                };
                let checks: [&dyn Fn() -> Result<(), Failure>; 3] = [
                    &|| {
                        testing::packed(x.len(), |device, out| {
                            packed::load(device)?.launch(&device.upload(&x)?, out)
                        })?
                        .within(1e-5, distance)
                    },
                    &|| {
                        testing::square(x.len(), |device, out| {
                            square::load(device)?.launch(&device.upload(&x)?, out)
                        })?
                        .within(1e-5, distance)
                    },
                    &|| {
                        testing::sum(x.len(), |device, total| {
                            sum::load(device)?.launch(&device.upload(&x)?, total)
                        })?
                        .equals(|i, j| u32::from(x[i].values[0] < x[j].values[0]))
                    },
                ];
                in_turn(checks, turn).into_iter().try_for_each(|check| check())
            }
        }
    )*};
}

long!(of_3 3, of_16 16, of_33 33, of_64 64, of_256 256);

#[test]
fn every_length_compiles() -> Result<(), Failure> {
    let checked = testing::compile_all(&[90])?;
    let texts = [of_3::texts(), of_16::texts(), of_33::texts(), of_64::texts(), of_256::texts()];
    // Those for given pairs, which `square` and `nearest` lack; `results` has two more, by element.
    let of_given = 7 * texts.len();
    assert_eq!(checked.len(), texts.as_flattened().iter().sum::<usize>() + of_given);
    Ok(())
}

/// Tiles that are too large are dropped, in the end all of them.
#[test]
fn every_length_has_a_source() {
    let usual = of_3::texts();
    for texts in [of_16::texts(), of_33::texts(), of_64::texts(), of_256::texts()] {
        assert!(
            texts.iter().zip(usual).all(|(texts, usual)| (1..=usual).contains(texts)),
            "{texts:?}"
        );
    }
    assert!(of_64::texts().iter().sum::<usize>() < usual.iter().sum());
    // One thread per pair.
    assert!(of_256::packed::SOURCES[0].contains("16 x 16"), "{}", of_256::packed::SOURCES[0]);
}

#[test]
fn long_elements_give_right_values() -> Result<(), Failure> {
    let checks = [of_3::check, of_16::check, of_33::check, of_64::check, of_256::check];
    checks.iter().enumerate().try_for_each(|(turn, check)| check(turn))
}
