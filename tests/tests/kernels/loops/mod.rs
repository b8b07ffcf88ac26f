//! The plain loops of the CPU do what the GPU's text does, thread by thread on the emulator, where elements have features:
//! over domains, outputs, numbers of elements and widths of features. Those of other kernels: `pairs/`.

mod chunks;
mod gathered;
mod messages;
mod rectangles;
mod slots;

use td_kernel::{Device, DeviceType, Features, td_kernel};
use td_kernel_tests::both::{both, whole};

/// Numbers of elements, around the sides of blocks and such that there are several parts, with widths around those of rows
/// in memory, and such that features are folded in one chunk or in several. The emulator is slow: few are large.
const CASES: &[(usize, usize)] =
    &[(1, 1), (2, 3), (5, 16), (31, 3), (32, 1), (33, 300), (65, 17), (130, 5), (300, 2)];

fn features<T: DeviceType + From<u8>>(
    device: &Device,
    n: usize,
    width: usize,
    seed: usize,
) -> td_kernel::Result<Features<T>> {
    let values: Vec<T> = whole(n * width, seed).map(T::from).collect();
    device.features(&values, width)
}

#[td_kernel]
unsafe fn products(
    #[each] p: &Features<i32>,
    #[fold] sum: i32,
    #[fold(start = "7")] last: u32,
    product: &mut Packed<i32>,
    other: &mut Packed<[u16; 3]>,
) {
    let feature = r#" sum += p.i * p.j; if (p.i > p.j) last = k; "#;
    let pair = r#"
    product = sum + n;
    other = make_ushort3(last, i, features);
    "#;
}

#[test]
fn report_and_tuning_of_loops() {
    let [cpu, emulator] = both(|device| {
        let kernel = products::load(device)?;
        let p = features(device, 100, 3, 1)?;
        let tuned = kernel.tune(&p, &mut device.packed(100)?, &mut device.packed(100)?)?;
        assert!(
            kernel.rows(1..5).report(10)?.grids.len() == 1 && kernel.report(1)?.grids.is_empty()
        );
        Ok((kernel.report(4000)?, tuned))
    });
    assert_eq!((cpu.0.part_rows, cpu.0.grids.as_slice()), (Some(84), &[[48, 1]][..]));
    assert_eq!(cpu.0.to_string(), "n = 4000: plain loops on the CPU, 84 rows at a time; parts: 48");
    assert_eq!((cpu.1.elements, cpu.1.times.len()), (100, 1));
    assert_eq!(emulator.0.part_rows, None);
    assert_eq!(emulator.1.times.len(), products::SOURCES.len());
}

#[test]
fn every_kernel_has_loops() {
    for text in [products::CPU_SOURCE, td_kernel_tests::variants::packed::CPU_SOURCE] {
        assert!(!text.is_empty() && !text.contains("__global__"));
    }
}
