//! What several processes gather, each with some of the devices that share a launch, is together what one process gathers.
#![allow(clippy::unwrap_used)]

use td_kernel::{
    Device, Devices, ErrorKind, Gathered, Maxima, Minima, Nearest, Sum, Sums, td_kernel,
};

const SIZES: [usize; 6] = [0, 1, 2, 33, 257, 700];

/// Processes, and the devices of each.
const COUNTS: [[usize; 2]; 4] = [[1, 1], [3, 1], [7, 1], [2, 2]];

fn devices() -> [Device; 2] {
    [Device::cpu().unwrap(), Device::emulator().unwrap()]
}

/// What `gather` gives as the processes of several, put together.
fn together<O: Gathered>(
    device: &Device,
    [processes, each]: [usize; 2],
    gather: impl Fn(&Device) -> O,
) -> O::Found {
    let own = |process: usize| {
        let devices = Devices::new(vec![device.clone(); each]).unwrap();
        gather(&devices.part_of(process * each, processes * each).unwrap())
    };
    let first = own(0);
    // In another order than that of the pairs.
    let mut words = own(processes - 1).words().unwrap();
    (0..processes - 1).for_each(|at| first.join(&mut words, &own(at).words().unwrap()).unwrap());
    first.found(&words).unwrap()
}

fn numbers(n: usize) -> Vec<f32> {
    // Some are equal.
    (0..n).map(|at| (at.wrapping_mul(2_654_435_761) >> 7) as f32 % 4093.0 / 64.0).collect()
}

#[td_kernel]
unsafe fn sums(
    #[each] x: &[f32],
    count: &mut Sum<u64>,
    total: &mut Sum<f32>,
    #[each] degree: &mut Sum<u32>,
) {
    r#"
    float d = fabsf(x.i - x.j);
    total += d;
    if (d < 8.0f) {
        count += 1;
        degree.i += 1;
        degree.j += 1;
    }
    "#
}

#[test]
fn sums_are_those_of_all_pairs() {
    for device in devices() {
        for n in SIZES {
            let gather = |device: &Device| {
                let (mut count, mut total) = (device.sum().unwrap(), device.sum().unwrap());
                let mut degree = device.sums(n).unwrap();
                let x = device.upload(&numbers(n)).unwrap();
                sums::load(device)
                    .unwrap()
                    .launch(&x, &mut count, &mut total, &mut degree)
                    .unwrap();
                (count, total, degree)
            };
            let whole = gather(&device);
            for counts in COUNTS {
                let found: u64 = together(&device, counts, |device| gather(device).0);
                assert_eq!(found, whole.0.download().unwrap(), "{n} {counts:?}");
                let found: f32 = together(&device, counts, |device| gather(device).1);
                let expected = whole.1.download().unwrap();
                assert!(
                    (found - expected).abs() <= 2e-6 * expected,
                    "{n} {counts:?}: {found} {expected}"
                );
                let found: Vec<u32> = together(&device, counts, |device| gather(device).2);
                assert_eq!(found, whole.2.download().unwrap(), "{n} {counts:?}");
            }
        }
    }
}

#[td_kernel(deterministic = true)]
unsafe fn exact(#[each] x: &[f32], total: &mut Sum<f64>, #[each] sum: &mut Sum<[f32; 2]>) {
    r#"
    float d = x.i - x.j;
    total += (double)d * 1e-3;
    sum.i += make_float2(d * 0.1f, 1.0f / (1.0f + d * d));
    sum.j -= make_float2(d * 0.3f, d);
    "#
}

#[test]
fn deterministic_sums_have_the_same_bits() {
    for device in devices() {
        for n in SIZES {
            let gather = |device: &Device| {
                let (mut total, mut sum) = (device.sum().unwrap(), device.sums(n).unwrap());
                let x = device.upload(&numbers(n)).unwrap();
                exact::load(device).unwrap().launch(&x, &mut total, &mut sum).unwrap();
                (total, sum)
            };
            let (total, sum): (Sum<f64>, Sums<[f32; 2]>) =
                gather(&Devices::new([device.clone()]).unwrap());
            let bits = |sums: Vec<[f32; 2]>| {
                sums.into_iter().map(|sum| sum.map(f32::to_bits)).collect::<Vec<_>>()
            };
            let (total, sum) = (total.download().unwrap(), bits(sum.download().unwrap()));
            for counts in COUNTS {
                let found = together(&device, counts, |device| gather(device).0);
                assert_eq!(found.to_bits(), total.to_bits(), "{n} {counts:?}");
                assert_eq!(
                    bits(together(&device, counts, |device| gather(device).1)),
                    sum,
                    "{n} {counts:?}"
                );
            }
        }
    }
}

#[td_kernel]
unsafe fn extremes(
    #[row] x: &[f32],
    #[column] y: &[f32],
    #[row] near: &mut Min<(f32, u32)>,
    #[column] far: &mut Max<f64>,
    #[row] both: &mut Min<[i16; 2]>,
) {
    r#"
    float d = fabsf(x - y);
    near.offer(d);
    far.offer((double)d);
    both.offer(make_short2((short)d, (short)(x + y)));
    "#
}

#[test]
fn least_and_greatest_values_are_those_of_all_pairs() {
    for device in devices() {
        for [rows, columns] in [[0, 5], [5, 0], [1, 1], [3, 300], [300, 3], [200, 100]] {
            let gather = |device: &Device| {
                let near: Minima<(f32, u32)> = device.minima(rows).unwrap();
                let far: Maxima<f64> = device.maxima(columns).unwrap();
                let both: Minima<[i16; 2]> = device.minima(rows).unwrap();
                let (mut near, mut far, mut both) = (near, far, both);
                let x = device.upload(&numbers(rows)).unwrap();
                let y = device.upload(&numbers(2 * columns)[columns..]).unwrap();
                let kernel = extremes::load(device).unwrap();
                kernel.launch(&x, &y, &mut near, &mut far, &mut both).unwrap();
                (near, far, both)
            };
            let whole = gather(&device);
            for counts in COUNTS {
                let place = format!("{rows} x {columns}, {counts:?}");
                let found = together(&device, counts, |device| gather(device).0);
                assert_eq!(found, whole.0.download().unwrap(), "{place}");
                let found = together(&device, counts, |device| gather(device).1);
                assert_eq!(found, whole.1.download().unwrap(), "{place}");
                let found = together(&device, counts, |device| gather(device).2);
                assert_eq!(found, whole.2.download().unwrap(), "{place}");
            }
        }
    }
}

#[td_kernel]
unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 5>) {
    r#" near.push(fabsf(x.i - x.j)); "#
}

#[td_kernel]
unsafe fn nearest_rows(
    #[each] x: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 12>,
) {
    let feature = r#" float d = x.i - x.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
}

#[td_kernel]
unsafe fn nearest_of_two(#[row] x: &[f32], #[column] y: &[f32], #[row] near: &mut Nearest<i32, 3>) {
    r#" near.push((int)fabsf(x - y)); "#
}

#[test]
fn neighbours_are_those_of_all_pairs() {
    for device in devices() {
        for n in SIZES {
            let gather = |device: &Device| {
                let mut near: Nearest<f32, 5> = device.nearest(n).unwrap();
                let x = device.upload(&numbers(n)).unwrap();
                nearest::load(device).unwrap().launch(&x, &mut near).unwrap();
                near
            };
            let of_rows = |device: &Device| {
                let mut near: Nearest<f32, 12> = device.nearest(n).unwrap();
                let x = device.features(&numbers(3 * n), 3).unwrap();
                nearest_rows::load(device).unwrap().launch(&x, &mut near).unwrap();
                near
            };
            let of_two = |device: &Device| {
                let mut near: Nearest<i32, 3> = device.nearest(n).unwrap();
                let x = device.upload(&numbers(n)).unwrap();
                let y = device.upload(&numbers(77)).unwrap();
                nearest_of_two::load(device).unwrap().launch(&x, &y, &mut near).unwrap();
                near
            };
            let (whole, rows) = (gather(&device), of_rows(&device));
            for counts in COUNTS {
                let found = together(&device, counts, gather);
                assert_eq!(found, whole.download().unwrap(), "{n} {counts:?}");
                let found = together(&device, counts, of_rows);
                assert_eq!(found, rows.download().unwrap(), "{n} {counts:?}");
                let found = together(&device, counts, of_two);
                assert_eq!(found, of_two(&device).download().unwrap(), "{n} {counts:?}");
            }
        }
    }
}

#[test]
fn parts_that_there_are_not_are_refused() {
    let devices = Devices::cpu(2).unwrap();
    for [first, of] in [[0, 1], [1, 2], [3, 4], [usize::MAX, usize::MAX], [usize::MAX, 3]] {
        let error = devices.part_of(first, of).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert!(error.to_string().starts_with("of "), "{error}");
    }
    assert_eq!(devices.part_of(2, 4).unwrap().len(), 2);
}

#[td_kernel]
unsafe fn differences(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i - x.j; "#
}

/// Bands are of all rows, which would be computed by each process.
#[test]
fn bands_of_a_part_are_refused() {
    let devices = Devices::cpu(2).unwrap();
    let bands = |devices: &Device| {
        let (kernel, x) =
            (differences::load(devices).unwrap(), devices.upload(&[1.0, 2.0]).unwrap());
        kernel.bands(&x).unwrap().each(|_| Ok(()))
    };
    let error = bands(&devices.part_of(2, 4).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Arguments);
    let words = "bands are of all rows, and these are 2 of 4 devices that share each launch";
    assert!(error.to_string().starts_with(words), "{error}");
    // No other process has some of these.
    bands(&devices.part_of(0, 2).unwrap()).unwrap();
    bands(&devices).unwrap();
}
