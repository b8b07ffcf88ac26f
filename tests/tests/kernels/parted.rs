//! Processes, each with some of the devices that share a launch: what is refused, and the variant that they use. The catalogue joins
//! their results.

use std::fs;
use std::path::PathBuf;

use td_kernel::{Device, Devices, ErrorKind, Result, Sum, Target, td_kernel};

use crate::devices;

fn numbers(n: usize) -> Vec<f32> {
    // Some are equal.
    (0..n).map(|at| (at.wrapping_mul(2_654_435_761) >> 7) as f32 % 4093.0 / 64.0).collect()
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
