//! Tests of the CPU's loops only: threads that share the rows, and features in chunks. `small` tests their results.

mod chunks;
mod messages;
mod turns;

use td_kernel::{Device, Devices, ErrorKind, td_kernel};

#[td_kernel]
unsafe fn products(#[each] p: &Features<i32>, #[fold] sum: i32, product: &mut Packed<i32>) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" product = sum; "#;
}

#[test]
fn report_and_tuning_of_loops() {
    let [cpu, emulator] = [Device::cpu(), Device::emulator()].map(|device| {
        let device = device.unwrap();
        let kernel = products::load(&device).unwrap();
        let p = device.features(&[1; 300], 3).unwrap();
        let tuned = kernel.tune(&p, &mut device.packed(100).unwrap()).unwrap();
        assert_eq!(kernel.rows(1..5).report(10).unwrap().grids.len(), 1);
        assert!(kernel.report(1).unwrap().grids.is_empty());
        kernel.prepare(4000).unwrap();
        assert_eq!(kernel.prepare(usize::MAX).unwrap_err().kind(), ErrorKind::MapLimitExceeded);
        (kernel.report(4000).unwrap(), tuned)
    });
    assert_eq!((cpu.0.part_rows, cpu.0.grids.as_slice()), (Some(84), &[[48, 1]][..]));
    assert_eq!(cpu.0.to_string(), "n = 4000: plain loops on the CPU, 84 rows at a time; parts: 48");
    let two = products::load(&Devices::cpu(2).unwrap()).unwrap().report(4000).unwrap();
    let [[first, _], [second, _]] = two.grids[..] else { panic!("{two}") };
    assert!(two.to_string().ends_with(&format!("at a time; parts: {first} {second}")), "{two}");
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
