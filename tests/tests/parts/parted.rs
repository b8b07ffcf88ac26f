//! Several processes, each with some of the devices that share a launch, together accumulate the same results as one process.

use std::fs;
use std::path::PathBuf;

use td_kernel::{
    Device, Devices, ErrorKind, Maxima, Minima, Nearest, PartialResult, Result, Sum, Sums, Target,
    td_kernel,
};
use td_kernel_tests::covering::part;

const SIZES: [usize; 6] = [0, 1, 2, 33, 257, 700];

/// Processes, and the devices of each.
const COUNTS: [[usize; 2]; 4] = [[1, 1], [3, 1], [7, 1], [2, 2]];

fn devices() -> [Device; 2] {
    [Device::cpu().unwrap(), Device::emulator().unwrap()]
}

/// Joins the results of `gather` as several processes would.
fn together<O: PartialResult>(
    device: &Device,
    [processes, each]: [usize; 2],
    gather: impl Fn(&Target) -> O,
) -> O::Output {
    let own = |process: usize| {
        let devices = Devices::new(vec![device.clone(); each]).unwrap();
        gather(&devices.part_of(process * each, processes * each).unwrap())
    };
    let first = own(0);
    // In another order than that of the pairs.
    let mut words = own(processes - 1).to_bits().unwrap();
    (0..processes - 1).for_each(|at| first.join(&mut words, &own(at).to_bits().unwrap()).unwrap());
    first.finish(&words).unwrap()
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
    #[each] degree: &mut Sums<u32>,
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
fn sums_of_parts_merge() {
    for device in devices() {
        for n in SIZES {
            let gather = |device: &Target| {
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
unsafe fn exact(#[each] x: &[f32], total: &mut Sum<f64>, #[each] sum: &mut Sums<[f32; 2]>) {
    r#"
    float d = x.i - x.j;
    total += (double)d * 1e-3;
    sum.i += make_float2(d * 0.1f, 1.0f / (1.0f + d * d));
    sum.j -= make_float2(d * 0.3f, d);
    "#
}

#[test]
fn deterministic_sums_agree() {
    for device in devices() {
        for n in SIZES {
            let gather = |device: &Target| {
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
    #[row] near: &mut Minima<(f32, u32)>,
    #[column] far: &mut Maxima<f64>,
    #[row] both: &mut Minima<[i16; 2]>,
) {
    r#"
    float d = fabsf(x - y);
    near.offer(d);
    far.offer((double)d);
    both.offer(make_short2((short)d, (short)(x + y)));
    "#
}

#[test]
fn extrema_of_parts_merge() {
    for device in devices() {
        for [rows, columns] in [[0, 5], [5, 0], [1, 1], [3, 300], [300, 3], [200, 100]] {
            let gather = |device: &Target| {
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

/// Each size with half of the numbers of processes, by turns.
#[test]
fn neighbours_of_parts_merge() {
    for device in devices() {
        for (turn, n) in SIZES.into_iter().enumerate() {
            let gather = |device: &Target| {
                let mut near: Nearest<f32, 5> = device.nearest(n).unwrap();
                let x = device.upload(&numbers(n)).unwrap();
                nearest::load(device).unwrap().launch(&x, &mut near).unwrap();
                near
            };
            let whole = gather(&device);
            for counts in part(&COUNTS, 2, turn) {
                let found = together(&device, counts, gather);
                assert_eq!(found, whole.download().unwrap(), "{n} {counts:?}");
            }
        }
    }
}

#[test]
fn invalid_parts_are_refused() {
    let devices = Devices::cpu(2).unwrap();
    for [first, of] in [[0, 1], [1, 2], [3, 4], [usize::MAX, usize::MAX], [usize::MAX, 3]] {
        let words = format!("^a total of {of} has no room for 2 devices from number {first} on: ");
        assert_errors! { devices.part_of(first, of) => words, Arguments; }
    }
    assert_eq!(devices.part_of(2, 4).unwrap().len(), 2);
}

#[td_kernel]
unsafe fn differences(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i - x.j; "#
}

/// Chunks are of all rows, which each process would compute.
#[test]
fn chunks_of_a_part_are_refused() {
    let devices = Devices::cpu(2).unwrap();
    let chunks = |devices: &Target| {
        let (kernel, x) =
            (differences::load(devices).unwrap(), devices.upload(&[1.0, 2.0]).unwrap());
        kernel.chunks(&x).unwrap().each(|_| Ok(()))
    };
    let words =
        "^these devices are 2 of 4 that share each launch with other processes: chunks visit all";
    let part = devices.part_of(2, 4).unwrap();
    assert_errors! { chunks(&part) => words, Arguments; }
    let (kernel, x) = (differences::load(&part).unwrap(), part.upload(&[1.0, 2.0]).unwrap());
    let mut slots = Device::cpu().unwrap().packed(2).unwrap();
    assert_errors! { kernel.launch(&x, &mut slots) => "because other processes have the values"; }
    // No other process has some of these.
    chunks(&devices.part_of(0, 2).unwrap()).unwrap();
    chunks(&devices).unwrap();
}

#[td_kernel]
unsafe fn all_pairs(#[each] x: &[f32], count: &mut Sum<u64>) {
    r#" if (x.i + x.j > -1.0f) count += 1; "#
}

#[td_kernel]
unsafe fn listed(
    #[each] x: &[f32],
    list: &mut Pairs,
    total: &mut Sum<f32>,
    #[each] degree: &mut Sums<u32>,
) {
    r#"
    list.push();
    total += x.i;
    degree.i += 1;
    "#
}

#[td_kernel]
unsafe fn closest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 2>) {
    r#" near.push(fabsf(x.i - x.j)); "#
}

/// Outputs of the whole devices would look complete: a list once had 496 of 1,225 pairs.
#[test]
fn outputs_of_other_devices_are_refused() {
    const N: usize = 50;
    let refused = |result: Result<()>, kernel: &str, argument: &str| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongDevice);
        assert_eq!((error.kernel(), error.argument()), (Some(kernel), Some(argument)));
        assert!(error.to_string().contains("that share each launch"), "{error}");
    };
    for device in devices() {
        let all = Devices::new([device]).unwrap();
        let [first, second] = [0, 1].map(|process| all.part_of(process, 2).unwrap());
        for (kernels, outputs) in [(&first, &all), (&all, &first), (&first, &second)] {
            let x = kernels.upload(&numbers(N)).unwrap();
            let launch = |[list, total, degree]: [&Devices; 3]| {
                let mut list = list.pairs(2000).unwrap();
                let mut total = total.sum().unwrap();
                let mut degree = degree.sums(N).unwrap();
                let kernel = listed::load(kernels).unwrap();
                kernel.launch(&x, &mut list, &mut total, &mut degree)
            };
            launch([kernels; 3]).unwrap();
            refused(launch([outputs, kernels, kernels]), "listed", "list");
            refused(launch([kernels, outputs, kernels]), "listed", "total");
            refused(launch([kernels, kernels, outputs]), "listed", "degree");

            let mut near = outputs.nearest(N).unwrap();
            refused(closest::load(kernels).unwrap().launch(&x, &mut near), "closest", "near");
        }
        // Inputs may come from either.
        let x = all.upload(&numbers(N)).unwrap();
        let mut count = first.sum().unwrap();
        all_pairs::load(&first).unwrap().launch(&x, &mut count).unwrap();
        assert!(count.download().unwrap() < 1225);
    }
}

/// The number of pairs that two processes count together, on the device of each.
fn counted_by_two(
    n: usize,
    of: &[Target; 2],
    load: impl Fn(usize, &Target) -> Result<all_pairs>,
) -> Result<u64> {
    let mut all = 0;
    for (process, device) in of.iter().enumerate() {
        let kernel = load(process, device)?;
        let mut count: Sum<u64> = device.sum()?;
        kernel.launch(&device.upload(&numbers(n))?, &mut count)?;
        all += count.download()?;
    }
    Ok(all)
}

/// A process's part depends on the variant. With other variants, two processes once counted 589,548 or 456,524 of 499,500
/// pairs.
#[test]
fn processes_use_one_variant() {
    let emulator = Device::emulator().unwrap();
    let devices = Devices::new([emulator]).unwrap();
    let parts = [0, 1].map(|process| Target::from(devices.part_of(process, 2).unwrap()));
    let pinned = |variants: [usize; 2]| {
        counted_by_two(1000, &parts, |process, device| {
            Ok(all_pairs { kernel: all_pairs::load(device)?.kernel.pin(variants[process]) })
        })
    };
    for variants in [[0, 1], [1, 2], [1, 1]] {
        let words = "^kernel `all_pairs`: it cannot be pinned to a variant, because each process";
        assert_errors! { pinned(variants) => words, Arguments in "all_pairs"; }
    }
    let (kernel, x) = (all_pairs::load(&parts[1]).unwrap(), parts[1].upload(&numbers(9)).unwrap());
    assert_errors! {
        kernel.tune(&x, &mut parts[1].sum().unwrap()) => "^kernel `all_pairs`: it cannot be tuned, because each";
    }

    // Tuning by a process on the same machine that shared its launches with no other.
    let folder = tempfile::tempdir().unwrap();
    let alone = devices.with_cache(folder.path());
    let (kernel, x) = (all_pairs::load(&alone).unwrap(), alone.upload(&numbers(20)).unwrap());
    kernel.tune(&x, &mut alone.sum().unwrap()).unwrap();
    let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let is_tuning = |path: &PathBuf| path.to_string_lossy().contains("tuning-");
    let tunings: Vec<_> = entries.filter(is_tuning).collect();
    assert_eq!(tunings.len(), 1);
    let text = fs::read_to_string(&tunings[0]).unwrap();
    // By default it would be the last one, with the smallest tiles.
    fs::write(&tunings[0], format!("{}\nall 1000 0\n", text.lines().next().unwrap())).unwrap();
    let parts = [parts[0].with_cache(folder.path()), parts[1].clone()];
    let counted = counted_by_two(1000, &parts, |_, device| all_pairs::load(device)).unwrap();
    assert_eq!(counted, 1000 * 999 / 2);
}
