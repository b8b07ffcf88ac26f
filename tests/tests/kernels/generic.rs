//! Code that is generic over kernels, on the CPU.

use td_kernel::{
    Device, DeviceType, LaunchWith, Matrix, Packed, PairKernel, Pairs, Result, Slice, SliceMut,
    Slots, Square, Sum, TuneReport, td_kernel,
};

#[td_kernel(map = "auto")]
unsafe fn difference(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i - x.j; "#
}

#[td_kernel(map = "rb", block = 16)]
unsafe fn product(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i * x.j; "#
}

/// A kernel from numbers to packed slots.
trait Packs: for<'a> LaunchWith<(&'a dyn Slice<f32>, &'a mut dyn Slots<Packed<f32>>)> {}

impl<K> Packs for K where K: for<'a> LaunchWith<(&'a dyn Slice<f32>, &'a mut dyn Slots<Packed<f32>>)>
{}

const X: [f32; 5] = [1.0, 3.0, 7.0, 2.0, 5.0];

/// The values that the kernel stores for all pairs: by one launch, and by two launches of some rows each.
fn values<K: Packs>(device: &Device) -> Result<[Vec<f32>; 2]> {
    let kernel = K::load(device)?;
    let x = device.upload(&X)?;
    let (mut whole, mut parts) = (device.packed(X.len())?, device.packed(X.len())?);
    kernel.launch_with((&x, &mut whole))?;
    for rows in [0..2, 2..5] {
        kernel.rows(rows).launch_with((&x, &mut parts))?;
    }
    Ok([whole.download()?.as_slice().to_vec(), parts.download()?.as_slice().to_vec()])
}

fn expected(of: fn(f32, f32) -> f32) -> Vec<f32> {
    (0..X.len()).flat_map(|i| (0..i).map(move |j| of(X[i], X[j]))).collect()
}

#[test]
fn generic_function() {
    let device = Device::cpu().unwrap();
    let differences = expected(|a, b| a - b);
    assert_eq!(values::<difference>(&device).unwrap(), [differences.clone(), differences]);
    let products = expected(|a, b| a * b);
    assert_eq!(values::<product>(&device).unwrap(), [products.clone(), products]);
}

/// A kernel's name, whether its sources are those of the type, its tile, and the result of tuning.
fn facts<K: Packs>(device: &Device) -> Result<(&'static str, bool, u32, TuneReport)> {
    let kernel = K::load(device)?;
    let (x, mut out) = (device.upload(&X)?, device.packed(X.len())?);
    let tuned = kernel.tune_with((&x, &mut out))?;
    Ok((K::NAME, K::SOURCES.first() == Some(&K::SOURCE), kernel.report(X.len())?.tile, tuned))
}

#[test]
fn kernels_describe_themselves() {
    // The CPU's loops have no variants to choose from.
    let device = Device::emulator().unwrap();
    let (name, is_first, _, tuned) = facts::<difference>(&device).unwrap();
    assert_eq!(
        (name, is_first, tuned.times.len()),
        ("difference", true, difference::SOURCES.len())
    );
    let (name, is_first, tile, tuned) = facts::<product>(&device).unwrap();
    assert_eq!((name, is_first, tile, tuned.elements), ("product", true, 16, 5));
    assert_eq!(<product as PairKernel>::SOURCES, product::SOURCES);
}

#[td_kernel]
unsafe fn every(
    weights: &[f32],
    scale: f32,
    marks: &mut [u8],
    square: &mut Square<f32>,
    total: &mut Sum<f64>,
    list: &mut Pairs,
) {
    r#"
    square = scale * weights[i] * weights[j];
    total += weights[i] - weights[j];
    if (weights[i] > 2 * weights[j]) list.push();
    marks[i] = 1;
    "#
}

#[td_kernel]
unsafe fn count(wanted: u32, total: &mut Sum<u64>) {
    r#" total += i + j == wanted; "#
}

/// The tuple has an argument of each kind, and n if no argument has it.
#[test]
fn tuples_of_every_argument() {
    type Every<'a> = (
        &'a dyn Slice<f32>,
        f32,
        &'a mut dyn SliceMut<u8>,
        &'a mut dyn Slots<Square<f32>>,
        &'a mut Sum<f64>,
        &'a mut Pairs,
    );
    fn run<K: for<'a> LaunchWith<Every<'a>>>(kernel: &K, all: Every<'_>) {
        kernel.launch_with(all).unwrap();
    }
    let device = Device::cpu().unwrap();
    let weights = device.upload(&[1.0, 2.0, 5.0]).unwrap();
    let mut marks = device.upload(&[0_u8; 3]).unwrap();
    let mut square = device.square(3).unwrap();
    let (mut total, mut list) = (device.sum().unwrap(), device.pairs(3).unwrap());
    let kernel = every::load(&device).unwrap();
    run(&kernel, (&weights, 0.5, &mut marks, &mut square, &mut total, &mut list));
    assert_eq!(square.download().unwrap().get(1, 2), Some(&5.0));
    assert_eq!(total.download().unwrap(), 8.0);
    assert_eq!(list.download().unwrap().len(), 2);
    assert_eq!(marks.download().unwrap(), [0, 1, 1]);

    fn counted<K>(device: &Device, n: usize) -> Result<u64>
    where
        K: for<'a> LaunchWith<(usize, u32, &'a mut Sum<u64>)>,
    {
        let mut total = device.sum()?;
        K::load(device)?.launch_with((n, 4, &mut total))?;
        total.download()
    }
    assert_eq!(counted::<count>(&device, 10).unwrap(), 2);

    // Even if the kernel is known, elements coerce to trait objects.
    let mut again = device.packed(X.len()).unwrap();
    let kernel = product::load(&device).unwrap();
    kernel.launch_with((&device.upload(&X).unwrap(), &mut again)).unwrap();
    assert_eq!(again.download().unwrap().as_slice(), expected(|a, b| a * b));
}

mod inner {
    use super::*;

    #[derive(Clone, Copy, DeviceType)]
    #[repr(C)]
    struct Point {
        x: f32,
    }

    #[td_kernel]
    pub(super) unsafe fn of_points(#[each] p: &[Point], total: &mut Sum<f32>) {
        r#" total += p.i.x - p.j.x; "#
    }

    fn total<K>(device: &Device) -> Result<f32>
    where
        K: for<'a> LaunchWith<(&'a dyn Slice<Point>, &'a mut Sum<f32>)>,
    {
        let mut total = device.sum()?;
        let points = X.map(|x| Point { x });
        K::load(device)?.launch_with((&device.upload(&points)?, &mut total))?;
        total.download()
    }

    /// A kernel that is more visible than the types of its arguments.
    #[test]
    fn structs_may_be_private() {
        let total = total::<of_points>(&Device::cpu().unwrap()).unwrap();
        assert_eq!(total, expected(|a, b| a - b).iter().sum::<f32>());
    }
}

#[td_kernel]
unsafe fn cross(#[row] x: &[f32], #[column] y: &[u16], out: &mut Matrix<f32>) {
    r#" out = x - y; "#
}

#[td_kernel]
unsafe fn wide(#[column] y: &[u16], total: &mut Sum<u64>) {
    r#" total += y * i; "#
}

/// Kernels over the pairs of two sets, by their arguments: a number of rows if no argument has it.
#[test]
fn generic_function_over_rectangles() {
    fn values<K>(device: &Device, x: &[f32], y: &[u16]) -> Result<Vec<f32>>
    where
        K: for<'a> LaunchWith<(
            &'a dyn Slice<f32>,
            &'a dyn Slice<u16>,
            &'a mut dyn Slots<Matrix<f32>>,
        )>,
    {
        let mut out = device.matrix((x.len(), y.len()))?;
        let kernel = K::load(device)?;
        // Reported as if there were as many rows as columns.
        let report = kernel.report(50)?;
        assert_eq!((report.elements, report.columns), (50, Some(50)));
        kernel.launch_with((&device.upload(x)?, &device.upload(y)?, &mut out))?;
        Ok(out.download()?.into_vec())
    }
    fn total<K>(device: &Device, rows: usize, y: &[u16]) -> Result<u64>
    where
        K: for<'a> LaunchWith<(usize, &'a dyn Slice<u16>, &'a mut Sum<u64>)>,
    {
        let mut total = device.sum()?;
        K::load(device)?.launch_with((rows, &device.upload(y)?, &mut total))?;
        total.download()
    }
    let device = Device::cpu().unwrap();
    let found = values::<cross>(&device, &[1.0, 5.0], &[1, 2, 3]).unwrap();
    assert_eq!(found, [0.0, -1.0, -2.0, 4.0, 3.0, 2.0]);
    assert_eq!(total::<wide>(&device, 4, &[10, 20]).unwrap(), 30 * 6);
}
