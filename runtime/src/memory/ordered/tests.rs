//! Orders are kept until elements are written, for each kernel, set and device.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use super::Ordered;
use crate::__private::NearTiles;
use crate::memory::Memory;
use crate::{Device, Devices, Result, Slice, Target, td_kernel};

const N: usize = 100;

#[td_kernel]
unsafe fn close(
    #[each] x: &[f32],
    #[each] group: &[u8],
    limit: f32,
    count: &mut Sum<u32>,
    #[each] degree: &mut Sums<u32>,
) {
    let pair = r#"
    if (fabsf(x.i - x.j) <= limit && group.i == group.j) {
        count += 1;
        degree.i += 1;
        degree.j += 1;
    }
    "#;
    let lower_bound = r#" box_distance(x.i, x.j) - limit "#;
}

#[td_kernel]
unsafe fn close_of_two(
    #[row] a: &[f32],
    #[column] b: &[f32],
    limit: f32,
    #[row] degree: &mut Sums<u32>,
) {
    let pair = r#"
    if (fabsf(a - b) <= limit)
        degree += 1;
    "#;
    let lower_bound = r#" box_distance(a, b) - limit "#;
}

/// The same kernel, which always sorts.
macro_rules! load {
    ($kernel:ident, $device:expr) => {
        $kernel::load($device)
            .map(|loaded| $kernel { kernel: loaded.kernel.near_tiles(NearTiles::Always) })
    };
}

/// The devices that sort with the CPU's loops and with a GPU's functions.
fn devices() -> [Device; 2] {
    [Device::cpu().unwrap(), Device::emulator().unwrap()]
}

/// Numbers in no order, and their groups.
fn numbers(seed: usize) -> (Vec<f32>, Vec<u8>) {
    let x = |k: usize| ((k * 37 + seed) % 101) as f32;
    ((0..N).map(x).collect(), (0..N).map(|k| (k % 3) as u8).collect())
}

fn kept<B>(ordered: &Ordered<B>) -> Vec<Arc<Memory<u32>>> {
    ordered.orders.kept()
}

fn is_same(a: &[Arc<Memory<u32>>], b: &[Arc<Memory<u32>>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}

/// What a launch finds: the number of pairs, and those of each element.
fn found(
    kernel: &close,
    (x, group): (&dyn Slice<f32>, &dyn Slice<u8>),
    limit: f32,
) -> Result<(u32, Vec<u32>)> {
    let device: &Target = &kernel.kernel.device;
    let (mut count, mut degree) = (device.sum()?, device.sums(N)?);
    kernel.launch(x, group, limit, &mut count, &mut degree)?;
    Ok((count.download()?, degree.download()?))
}

/// The same, computed here.
fn expected(x: &[f32], group: &[u8], limit: f32) -> (u32, Vec<u32>) {
    let is_close =
        |i: usize, j: usize| i != j && (x[i] - x[j]).abs() <= limit && group[i] == group[j];
    let degree = |i| (0..N).filter(|j| is_close(i, *j)).count() as u32;
    let degrees: Vec<_> = (0..N).map(degree).collect();
    (degrees.iter().sum::<u32>() / 2, degrees)
}

#[test]
fn order_is_kept_until_elements_are_written() -> Result<()> {
    for device in devices() {
        let kernel = load!(close, &device)?;
        let [(mut x, mut group), (other_x, other_group)] = [numbers(5), numbers(50)];
        let mut a = Ordered::new(device.upload(&x)?);
        let mut b = Ordered::new(device.upload(&group)?);
        assert!(kept(&a).is_empty());
        assert_eq!(found(&kernel, (&a, &b), 2.0)?, expected(&x, &group, 2.0));
        let first = kept(&a);
        assert_eq!((first.len(), kept(&b).len()), (1, 0));
        // With other parameters, and rows.
        for limit in [0.0, 9.0, f32::NAN] {
            assert_eq!(found(&kernel, (&a, &b), limit)?, expected(&x, &group, limit));
        }
        let rows = close { kernel: kernel.kernel.rows(0..N) };
        assert_eq!(found(&rows, (&a, &b), 2.0)?, expected(&x, &group, 2.0));
        assert!(is_same(&kept(&a), &first));
        // Elements that are not read by the lower bound are copied too.
        b.upload_into(&other_group)?;
        group = other_group;
        assert_eq!(found(&kernel, (&a, &b), 2.0)?, expected(&x, &group, 2.0));
        let second = kept(&a);
        assert!(second.len() == 1 && !is_same(&second, &first));
        a.slice_mut(..)?.upload_into(&other_x)?;
        x = other_x;
        assert!(kept(&a).is_empty());
        assert_eq!(found(&kernel, (&a, &b), 2.0)?, expected(&x, &group, 2.0));
        assert_eq!(kept(&a).len(), 1);
        // The elements can be taken out, and ordered again.
        let (plain, again) = (a.into_inner(), Ordered::new(b.into_inner()));
        assert_eq!(found(&kernel, (&plain, &again), 3.0)?, expected(&x, &group, 3.0));
        assert_eq!(found(&kernel, (&Ordered::new(plain), &again), 3.0)?, expected(&x, &group, 3.0));
    }
    Ok(())
}

/// If one of the arguments for the elements of a set is not ordered, each launch sorts.
#[test]
fn every_argument_of_a_set_must_be_ordered() -> Result<()> {
    for device in devices() {
        let kernel = load!(close, &device)?;
        let (x, group) = numbers(7);
        let (a, b) = (Ordered::new(device.upload(&x)?), Ordered::new(device.upload(&group)?));
        for _ in 0..2 {
            assert_eq!(found(&kernel, (&a, &*b), 2.0)?, expected(&x, &group, 2.0));
            assert_eq!(found(&kernel, (&*a, &b), 2.0)?, expected(&x, &group, 2.0));
        }
        assert!(kept(&a).is_empty() && kept(&b).is_empty());
        // A slice of a buffer has an order of its own.
        let slices = (Ordered::new(a.slice(..)?), Ordered::new(b.slice(..)?));
        assert_eq!(found(&kernel, (&slices.0, &slices.1), 2.0)?, expected(&x, &group, 2.0));
        assert_eq!((kept(&slices.0).len(), kept(&a).len()), (1, 0));
    }
    Ok(())
}

/// An order is kept for each kernel, set and device, and for each kind of source.
#[test]
fn orders_are_kept_apart() -> Result<()> {
    let (x, group) = numbers(9);
    let [cpu, emulator] = devices();
    let (a, b) = (Ordered::new(cpu.upload(&x)?), Ordered::new(cpu.upload(&group)?));
    let expected = expected(&x, &group, 2.0);
    let within = |k: &f32| x.iter().filter(|other| (*other - k).abs() <= 2.0).count() as u32;
    let degrees: Vec<_> = x.iter().map(within).collect();
    for (at, device) in [cpu, emulator.clone()].iter().enumerate() {
        for _ in 0..2 {
            assert_eq!(found(&load!(close, device)?, (&a, &b), 2.0)?, expected);
            let mut degree = device.sums(N)?;
            load!(close_of_two, device)?.launch(&a, &a, 2.0, &mut degree)?;
            assert_eq!(degree.download()?, degrees);
            let kept = [kept(&a).len(), kept(&b).len()];
            assert_eq!(kept, [3 * (at + 1), 0]);
        }
    }
    let devices = Devices::new(vec![emulator; 3])?;
    let (a, b) = (Ordered::new(devices.upload(&x)?), Ordered::new(devices.upload(&group)?));
    let kernel = load!(close, &devices)?;
    assert_eq!(found(&kernel, (&a, &b), 2.0)?, expected);
    let first = kept(&a);
    assert!(!first.is_empty());
    assert_eq!(found(&kernel, (&a, &b), 2.0)?, expected);
    assert!(is_same(&kept(&a), &first));
    Ok(())
}

/// Launches that are rejected, or that have no pairs, keep nothing.
#[test]
fn rejected_launches_keep_nothing() -> Result<()> {
    for device in devices() {
        let kernel = load!(close_of_two, &device)?;
        let a = Ordered::new(device.upload(&[1.0; N])?);
        let none = Ordered::new(device.upload(&[])?);
        let mut degree = device.sums(N + 1)?;
        let error = kernel.launch(&a, &a, 2.0, &mut degree).unwrap_err().to_string();
        assert!(error.contains("`degree` is for 101 rows, but `a` requires 100"), "{error}");
        let devices = Devices::new(vec![device.clone(); 2])?;
        let elsewhere = load!(close_of_two, &devices)?;
        let error = elsewhere.launch(&a, &a, 2.0, &mut devices.sums(N)?).unwrap_err().to_string();
        assert!(error.contains("kernel `close_of_two`: `a` is on the CPU"), "{error}");
        kernel.launch(&a, &none, 2.0, &mut device.sums(N)?)?;
        assert!(kept(&a).is_empty() && kept(&none).is_empty());
    }
    Ok(())
}

/// Launches at the same time share an order.
#[test]
fn launches_at_the_same_time() -> Result<()> {
    for device in devices() {
        let kernel = load!(close, &device)?;
        let (x, group) = numbers(11);
        let (a, b) = (Ordered::new(device.upload(&x)?), Ordered::new(device.upload(&group)?));
        std::thread::scope(|scope| {
            for limit in 0..4_u8 {
                let (kernel, a, b, x, group) = (&kernel, &a, &b, &x, &group);
                scope.spawn(move || {
                    let expected = expected(x, group, limit.into());
                    for _ in 0..3 {
                        assert_eq!(found(kernel, (a, b), limit.into()).unwrap(), expected);
                    }
                });
            }
        });
        assert_eq!(kept(&a).len(), 1);
    }
    Ok(())
}
