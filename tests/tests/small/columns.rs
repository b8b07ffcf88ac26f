//! Nearest neighbours and states of columns. The kernel exchanges the two sets, which a body does not see.

use td_kernel::{Device, DeviceType, Devices, ErrorKind, HostNearest, Result, Target, td_kernel};

use super::nearest::{expected, random};
use super::{devices, simt};

/// Integers, so that sums of floats are exact too.
fn numbers(seed: usize, count: usize) -> Vec<i32> {
    random(seed as u32, 50).map(|x| x as i32 - 20).take(count).collect()
}

/// Compares the nearest rows of each column.
fn check<T: Copy + PartialOrd + std::fmt::Debug>(
    what: &str,
    near: &HostNearest<T>,
    [rows, columns]: [usize; 2],
    value: impl Fn(usize, usize) -> T,
) {
    assert_eq!(near.len(), columns, "{what}");
    for (j, indices, values) in near.rows() {
        let (of_rows, least) = expected(rows, near.k(), |i| Some(value(i, j)));
        assert_eq!(
            (indices, values),
            (&of_rows[..], &least[..]),
            "{what}, {rows} x {columns}: {j}"
        );
    }
    assert_eq!(near.to_csr((columns, rows)).unwrap().len(), columns * rows.min(near.k()));
}

const SIZES: [[usize; 2]; 9] =
    [[0, 5], [5, 0], [1, 1], [2, 1], [1, 2], [31, 33], [128, 64], [65, 130], [300, 257]];

macro_rules! plain {
    ($($name:ident: $keys:tt, $near:ty;)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(#[row] a: &[i32], w: &[i32], #[column] near: &mut $near, #[column] b: &[i32]) {
            r#" near.push(abs(a - b) + (int)(i % 3) + w[j] * (rows > columns)); "#
        }
    )*};
}

plain! {
    few: (), Nearest<i32, 7>;
    of_small_tiles: (tile = 32), Nearest<i32, 40>;
    one_by_one: (block = 16), Nearest<i32>;
}

/// A launch gives the number of rows.
#[td_kernel]
unsafe fn without_rows(#[column] b: &[i32], #[column] near: &mut Nearest<i32, 3>) {
    r#" near.push(abs((int)i - b)); "#
}

#[test]
fn plain_elements() -> Result<()> {
    for device in devices() {
        let several = Devices::new([device.clone(), device.clone(), device.clone()])?;
        for target in [Target::from(device), several.into()] {
            SIZES.into_iter().try_for_each(|size| search(&target, size))?;
        }
    }
    Ok(())
}

fn search(target: &Target, size @ [rows, columns]: [usize; 2]) -> Result<()> {
    let (a, b, w) = (numbers(rows, rows), numbers(columns, columns), numbers(3, columns));
    let of = |i: usize, j: usize| {
        (a[i] - b[j]).abs() + (i % 3) as i32 + if rows > columns { w[j] } else { 0 }
    };
    let (on_a, on_b, on_w) = (target.upload(&a)?, target.upload(&b)?, target.upload(&w)?);
    let mut near = target.nearest(columns)?;
    few::load(target)?.launch(&on_a, &on_w, &mut near, &on_b)?;
    check("few", &near.download()?, size, of);
    let mut near = target.nearest(columns)?;
    of_small_tiles::load(target)?.launch(&on_a, &on_w, &mut near, &on_b)?;
    check("many", &near.download()?, size, of);
    let mut near = target.nearest_k(columns, 20)?;
    one_by_one::load(target)?.launch(&on_a, &on_w, &mut near, &on_b)?;
    check("at run time", &near.download()?, size, of);
    let mut near = target.nearest(columns)?;
    without_rows::load(target)?.launch(rows, &on_b, &mut near)?;
    check("without rows", &near.download()?, size, |i, j| (i as i32 - b[j]).abs());
    Ok(())
}

/// The kernel with its last variant, which evaluates the lower bound.
macro_rules! bounded {
    ($kernel:ident, $target:expr) => {
        $kernel { kernel: $kernel::load($target)?.kernel.pin($kernel::SOURCES.len() - 1) }
    };
}

/// A place, whose members are not those of the other set's.
#[derive(Clone, Copy, Debug, DeviceType)]
#[repr(C)]
struct Place {
    weight: f32,
    center: [f32; 2],
}

#[derive(Clone, Copy, Debug, DeviceType)]
#[repr(C)]
struct Ball {
    center: [f32; 2],
    radius: f32,
}

#[td_kernel(order = "center[0], center[1]")]
unsafe fn boxes(
    #[row] a: &[Place],
    #[column] b: &[Ball],
    least: f32,
    #[column] near: &mut Nearest<f32, 4>,
) {
    let pair = r#"
    float x = a.center[0] - b.center[0], y = a.center[1] - b.center[1];
    near.push(x * x + y * y + b.radius + a.weight * (j % 2) + i % 4 + least);
    "#;
    let lower_bound = r#" box_square(a, b) + b.lo.radius + least "#;
}

#[test]
fn near_boxes() -> Result<()> {
    for device in devices() {
        for size @ [rows, columns] in SIZES.into_iter().chain([[1500, 700]]) {
            let x = numbers(rows, 3 * rows);
            let a: Vec<_> =
                x.chunks(3).map(|x| [x[0].abs(), x[1], x[2]].map(|x| x as f32)).collect();
            let y = numbers(columns + 9, 3 * columns);
            let b: Vec<_> = y.chunks(3).map(|y| [y[0], y[1], y[2]].map(|y| y as f32)).collect();
            let places = a.iter().map(|a| Place { weight: a[0], center: [a[1], a[2]] });
            let balls = b.iter().map(|b| Ball { radius: b[0], center: [b[1], b[2]] });
            let (places, balls): (Vec<_>, Vec<_>) = (places.collect(), balls.collect());
            let mut near = device.nearest(columns)?;
            let kernel = bounded!(boxes, &device);
            kernel.launch(&device.upload(&places)?, &device.upload(&balls)?, 2.0, &mut near)?;
            check("boxes", &near.download()?, size, |i, j| {
                let [x, y] = [a[i][1] - b[j][1], a[i][2] - b[j][2]];
                x * x + y * y + b[j][0] + a[i][0] * (j % 2) as f32 + (i % 4) as f32 + 2.0
            });
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn of_sets(
    #[column] b: &Sets<i32>,
    #[row] a: &Sets<i32>,
    #[column] near: &mut Nearest<i32, 5>,
) {
    r#" near.push(abs(a - b) + (int)(i % 3 + 2 * (j % 2) + set)); "#
}

#[test]
fn many_sets() -> Result<()> {
    let sizes = [[3, 4], [0, 5], [40, 2], [5, 0], [1, 1], [70, 70]];
    let all = sizes.map(|[rows, columns]| [numbers(rows, rows), numbers(columns + 5, columns)]);
    for device in devices() {
        let a = device.upload_sets(all.iter().map(|[a, _]| a))?;
        let b = device.upload_sets(all.iter().map(|[_, b]| b))?;
        let mut near = device.nearest(b.element_count())?;
        of_sets::load(&device)?.launch(&b, &a, &mut near)?;
        let near = near.download()?;
        for (set, [a, own]) in all.iter().enumerate() {
            for (j, element) in b.elements(set).into_iter().flatten().enumerate() {
                let of = |i: usize| (a[i] - own[j]).abs() + (i % 3 + 2 * (j % 2) + set) as i32;
                let (indices, values) = expected(a.len(), 5, |i| Some(of(i)));
                assert_eq!(near.row(element), Some((&indices[..], &values[..])), "{set}, {j}");
            }
        }
    }
    Ok(())
}

/// A filter: rows have a norm, and columns have a weight.
#[td_kernel]
unsafe fn filtered(
    #[row] p: &Features<f32>,
    #[column] q: &Features<f32>,
    #[fold] dot: f32,
    #[row] norm: &[f32],
    #[column] weight: &[f32],
    #[column] near: &mut Nearest<f32, 6>,
) {
    let feature = r#" dot += p * (q + 0 * k); "#;
    let pair = r#" near.push(norm - 2 * dot + weight * (i % 2) + j % 3 + (rows > columns)); "#;
    let lower_bound = r#" norm - 2.0f * dot_upper + weight * (i % 2) + j % 3 + (rows > columns) "#;
}

/// Products, with a second look at every third pair.
#[td_kernel]
unsafe fn multiplied(
    #[row] p: &Features<f32>,
    #[column] q: &Features<f32>,
    #[dot] dot: f32,
    #[fold] sum: f32,
    #[column] weight: &[f32],
    #[column] near: &mut Nearest<f32, 6>,
) {
    let quick = r#"
    if ((i + 2 * j) % 3 == 0)
        exact();
    else
        near.push(weight * (i % 2) - dot);
    "#;
    let feature = r#" sum += p * q; "#;
    let pair = r#" near.push(weight * (i % 2) - sum); "#;
}

#[test]
fn features() -> Result<()> {
    for device in devices() {
        for size @ [rows, columns] in SIZES {
            let width = 5;
            let floats = |seed, count: usize| -> Vec<f32> {
                numbers(seed, count).into_iter().map(|x| x as f32).collect()
            };
            let (p, q) = (floats(1, rows * width), floats(2, columns * width));
            let weight: Vec<f32> = floats(4, columns).iter().map(|x| x.abs()).collect();
            let norm: Vec<f32> = p.chunks(width).map(|p| p.iter().map(|x| x * x).sum()).collect();
            let dot = |i: usize, j: usize| -> f32 {
                (0..width).map(|k| p[i * width + k] * q[j * width + k]).sum()
            };
            let (on_p, on_q) = (device.features(&p, width)?, device.features(&q, width)?);
            let (on_norm, on_weight) = (device.upload(&norm)?, device.upload(&weight)?);
            let of = |i: usize, j: usize| {
                let indices = if rows > columns { 1.0 } else { 0.0 } + (j % 3) as f32;
                norm[i] - 2.0 * dot(i, j) + weight[j] * (i % 2) as f32 + indices
            };
            for kernel in [filtered::load(&device)?, bounded!(filtered, &device)] {
                let mut near = device.nearest(columns)?;
                kernel.launch(&on_p, &on_q, &on_norm, &on_weight, &mut near)?;
                check("filtered", &near.download()?, size, of);
            }
            for kernel in [multiplied::load(&device)?, bounded!(multiplied, &device)] {
                let mut near = device.nearest(columns)?;
                kernel.launch(&on_p, &on_q, &on_weight, &mut near)?;
                check("products", &near.download()?, size, |i, j| {
                    weight[j] * (i % 2) as f32 - dot(i, j)
                });
            }
        }
    }
    Ok(())
}

/// The number of pairs, and the sum of their numbers, which depend on the order of a pair.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceType)]
struct Count {
    pairs: u32,
    numbers: u64,
}

macro_rules! states {
    ($($name:ident($($parameter:tt)*) $body:tt)*) => {$(
        #[td_kernel(prelude = r#"
        Count join(Count a, Count b)
        {
            return {a.pairs + b.pairs, a.numbers + b.numbers};
        }
        "#)]
        unsafe fn $name($($parameter)*) $body
    )*};
}

states! {
    joined(#[row] x: &[u32], #[column] y: &[[u32; 3]], #[column] out: &mut Reduce<Count>, all: &mut Reduce<Count>, total: &mut Sum<u64>, far: &mut Max<u32>, list: &mut Pairs, values: &mut Pairs<u32>) {
        r#"
        Count count{1, 1000ull * x + y.z + rows + 2 * columns};
        out.join(count);
        all.join(count);
        total += i + 3 * j;
        far.offer(min(x, 7));
        if (i % 5 == j % 7) {
            list.push();
            values.push(x);
        }
        "#
    }
    folded(#[row] p: &Features<u8>, #[column] q: &Features<u8>, #[fold] d: i32, #[column] out: &mut Reduce<Count>) {
        let feature = r#" d += p + 2 * q + 0 * k; "#;
        let pair = r#" out.join({1, d + 100ull * i + j}); "#;
    }
}

fn join(target: &Target, [rows, columns]: [usize; 2]) -> Result<()> {
    let what = format!("{rows} x {columns} on {}", target.name());
    let x = target.upload(&(0..rows as u32).collect::<Vec<_>>())?;
    let y = target.upload(&(0..columns as u32).map(|j| [j; 3]).collect::<Vec<_>>())?;
    let start = Count::default();
    let (mut out, mut all) = (target.reduce(columns, start)?, target.reduce(1, start)?);
    let (mut total, mut far) = (target.sum()?, target.max()?);
    let (mut list, mut values) = (target.pairs(rows * columns)?, target.pairs(rows * columns)?);
    joined::load(target)?
        .launch(&x, &y, &mut out, &mut all, &mut total, &mut far, &mut list, &mut values)?;
    let of = |[i, j]: [usize; 2]| (1000 * i + j + rows + 2 * columns) as u64;
    let count = |pairs: &mut dyn Iterator<Item = [usize; 2]>| {
        pairs.fold(Count::default(), |Count { pairs, numbers }, pair| Count {
            pairs: pairs + 1,
            numbers: numbers + of(pair),
        })
    };
    for (j, found) in out.download()?.into_iter().enumerate() {
        assert_eq!(found, count(&mut (0..rows).map(|i| [i, j])), "{what}, column {j}");
    }
    let pairs = || (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j]));
    assert_eq!(all.download()?, [count(&mut pairs())], "{what}");
    assert_eq!(total.download()?, pairs().map(|[i, j]| (i + 3 * j) as u64).sum::<u64>(), "{what}");
    // Of equal values the first pair wins.
    let first = pairs().max_by_key(|[i, j]| (*i.min(&7), usize::MAX - i, usize::MAX - j));
    let first = first.map(|[i, j]| (i.min(7) as u32, i as u32, j as u32));
    assert_eq!(far.download()?, first, "{what}");
    let listed = || pairs().filter(|[i, j]| i % 5 == j % 7).map(|pair| pair.map(|at| at as u32));
    assert_eq!(list.download()?.sorted()?, listed().collect::<Vec<_>>().into(), "{what}");
    let found = values.download()?.sorted()?;
    let found: Vec<_> = found.iter().map(|(pair, value)| (pair, *value)).collect();
    assert_eq!(found, listed().map(|pair| (pair, pair[0])).collect::<Vec<_>>(), "{what}");

    let byte = |at: usize, k: usize| ((at * 5 + k * 3) % 7) as u8;
    let features = |count: usize| -> Vec<u8> {
        (0..count).flat_map(|at| (0..9).map(move |k| byte(at, k))).collect()
    };
    let (p, q) = (target.features(&features(rows), 9)?, target.features(&features(columns), 9)?);
    out.clear()?;
    folded::load(target)?.launch(&p, &q, &mut out)?;
    for (j, found) in out.download()?.into_iter().enumerate() {
        let fold = |i: usize| -> usize {
            (0..9).map(|k| usize::from(byte(i, k)) + 2 * usize::from(byte(j, k))).sum()
        };
        let numbers = (0..rows).map(|i| (fold(i) + 100 * i + j) as u64).sum();
        assert_eq!(found, Count { pairs: rows as u32, numbers }, "{what}, column {j}");
    }
    Ok(())
}

#[test]
fn states_of_columns() -> Result<()> {
    for device in devices() {
        let several = Devices::new([device.clone(), device.clone(), device.clone()])?;
        for target in [Target::from(device), several.into()] {
            SIZES.into_iter().try_for_each(|size| join(&target, size))?;
        }
    }
    Ok(())
}

/// Messages and reports have the user's rows and columns.
#[test]
fn counts_are_those_of_the_signature() -> Result<()> {
    let device = simt();
    let (a, w) = (device.upload(&[1, 2, 3])?, device.upload(&[0; 5])?);
    let mut near = device.nearest(5)?;
    let error = few::load(&device)?.launch(&a, &w, &mut near, &a).unwrap_err().to_string();
    assert!(error.contains("`b` is for 3 columns, but `near` requires 5"), "{error}");
    let report = few::load(&device)?.report(300, 70)?;
    assert_eq!((report.elements, report.columns), (300, Some(70)));
    let report = joined::load(&Device::cpu()?)?.report(2, 3)?.to_string();
    assert!(report.starts_with("2 rows and 3 columns: plain loops on the CPU, "), "{report}");
    assert!(report.contains(" columns at a time; "), "{report}");
    let ranged = few::load(&device)?.rows(4..9);
    for error in
        [ranged.launch(&a, &w, &mut near, &w).unwrap_err(), ranged.report(20, 20).unwrap_err()]
    {
        assert_eq!(error.kind(), ErrorKind::NoRows);
        assert!(error.to_string().contains("for a column is from all rows"), "{error}");
    }
    Ok(())
}

/// Nor do messages about sets exchange them.
#[test]
fn sets_are_those_of_the_signature() -> Result<()> {
    let device = simt();
    let [three, two] = [device.sets(&[1, 2, 3], &[0, 1, 2, 3])?, device.sets(&[1, 2], &[0, 1, 2])?];
    let (kernel, mut near) = (of_sets::load(&device)?, device.nearest(2)?);
    let error = kernel.launch(&two, &three, &mut near).unwrap_err().to_string();
    assert!(error.contains("write as many sets of rows as of columns"), "{error}");
    let error = kernel.rows(0..1).launch(&two, &two, &mut near).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoRows);
    assert!(error.to_string().contains("pass a `Sets` with fewer sets"), "{error}");
    Ok(())
}
