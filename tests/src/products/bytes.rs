//! Products of 8-bit integers, which are exact: every output, of one set and of two, in one launch and in ranges of rows.

use std::ops::Range;

use td_kernel::{Device, Result, Shape, td_kernel};

use super::kernels::cuts;

/// Rows of 8-bit integers, with the greatest and the least ones.
pub(super) struct Bytes {
    values: Vec<u8>,
    width: usize,
}

impl Bytes {
    /// Every third row has one number only.
    pub(super) fn new(seed: usize, count: usize, width: usize) -> Bytes {
        let number = |at: usize| match (at / width % 3, at / width % 4) {
            (0, kind) => [0x80, 0x7f, 0xff, 0x01][kind],
            _ => ((at + 7 * seed) * 7919 % 1009 % 256) as u8,
        };
        Bytes { values: (0..count * width).map(number).collect(), width }
    }

    fn len(&self) -> usize {
        self.values.len() / self.width
    }

    fn signed(&self) -> Vec<i8> {
        self.values.iter().map(|value| value.cast_signed()).collect()
    }

    /// The rows as numbers.
    fn rows<'a>(&'a self, number: impl Fn(u8) -> i32 + 'a) -> Vec<Vec<i32>> {
        let row = |row: &[u8]| row.iter().map(|value| number(*value)).collect();
        self.values.chunks(self.width).map(row).collect()
    }
}

/// A pair and its product.
type Found = ([u32; 2], i32);

/// The sum of the products of two rows.
fn product(x: &[i32], y: &[i32]) -> i32 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// What the kernels make of their products.
#[derive(Debug, Default, PartialEq)]
struct Results {
    values: Vec<i32>,
    most: Vec<Option<(i32, u32)>>,
    sums: Vec<i64>,
    total: i64,
    listed: Vec<Found>,
}

/// The results for these pairs. Every kernel lists products that are not multiples of four.
fn expected(all: &[Found], [rows, columns]: [usize; 2], is_one_set: bool) -> Results {
    let (most, sums) = (vec![None; rows], vec![0; columns]);
    let mut results = Results { most, sums, ..Results::default() };
    let offer = |kept: &mut Option<(i32, u32)>, value: i32, other: u32| {
        if kept.is_none_or(|(before, at)| value > before || value == before && other < at) {
            *kept = Some((value, other));
        }
    };
    for &([i, j], dot) in all {
        results.values.push(dot);
        offer(&mut results.most[i as usize], dot, j);
        if is_one_set {
            offer(&mut results.most[j as usize], dot, i);
        }
        // A sum drops the `.j` part of a pair of an element with itself.
        if !is_one_set || i != j {
            results.sums[j as usize] += i64::from(dot);
        }
        results.total += i64::from(dot);
    }
    results.listed = all.iter().filter(|(_, dot)| dot % 4 != 0).copied().collect();
    results
}

/// Runs a kernel in these ranges of rows and compares its results.
macro_rules! check {
    (
        $kernel:ident, $device:ident, [$($features:expr),*], $sizes:expr, $slots:ident of $shape:expr, $all:expr, $is_one_set:expr
    ) => {{
        let kernel = $kernel::load($device)?;
        let ([rows, columns], all): ([usize; 2], Vec<Found>) = ($sizes, $all);
        let expected = expected(&all, [rows, columns], $is_one_set);
        for cut in [vec![vec![0..rows]], cuts(rows)].concat() {
            let (mut most, mut sums) = ($device.maxima(rows)?, $device.sums(columns)?);
            let (mut total, mut listed) = ($device.sum()?, $device.pairs(rows * columns)?);
            let mut chunks = Vec::new();
            for range in &cut {
                let mut value = $device.$slots($shape(range))?;
                let kernel = kernel.rows(range.clone());
                kernel.launch($($features,)* &mut value, &mut most, &mut sums, &mut total, &mut listed)?;
                chunks.push((range.start, value.download()?.into_vec()));
            }
            // The order of rows is that of packed slots and of matrices.
            chunks.sort_by_key(|chunk| chunk.0);
            let found = Results {
                values: chunks.into_iter().flat_map(|(_, values)| values).collect(),
                most: most.download()?,
                sums: sums.download()?,
                total: total.download()?,
                listed: listed.download()?.sorted()?.iter().map(|(pair, value)| (pair, *value)).collect(),
            };
            assert!(found == expected, "{}, rows {cut:?} of {rows} x {columns}", stringify!($kernel));
        }
    }};
}

/// Modules of kernels of one set, by their keys.
macro_rules! of_one_set {
    ($($module:ident: $keys:tt, $diagonal:literal;)*) => {$(
        mod $module {
            use super::*;

            #[td_kernel $keys]
            unsafe fn every(
                #[each] p: &Features<i8>,
                #[dot] dot: i32,
                value: &mut Packed<i32>,
                #[each] most: &mut Maxima<(i32, u32)>,
                #[each] sums: &mut Sums<i64>,
                total: &mut Sum<i64>,
                listed: &mut Pairs<i32>,
            ) {
                r#" value = dot; most.offer(dot); sums.j += dot; total += dot; if (dot % 4 != 0) listed.push(dot); "#
            }

            #[td_kernel $keys]
            unsafe fn square(#[each] p: &Features<u8>, #[dot] dot: i32, value: &mut Square<i32>) {
                r#" value = dot; "#
            }

            pub(super) fn check(device: &Device, rows: &Bytes) -> Result<()> {
                let (n, width) = (rows.len(), rows.width);
                let shape = if $diagonal { Shape::triangle(n).with_diagonal() } else { Shape::triangle(n) };
                let pairs = || (0..n).flat_map(|i| (0..i + usize::from($diagonal)).map(move |j| [i, j]));
                let all = |numbers: &[Vec<i32>]| -> Vec<Found> {
                    let found = |[i, j]: [usize; 2]| ([i as u32, j as u32], product(&numbers[i], &numbers[j]));
                    pairs().map(found).collect()
                };
                let p = device.features(&rows.signed(), width)?;
                let signed = all(&rows.rows(|value| value.cast_signed().into()));
                let of_rows = |range: &Range<usize>| shape.of_rows(range.clone());
                check!(every, device, [&p], [n, n], packed of of_rows, signed, true);
                let (p, mut value) = (device.features(&rows.values, width)?, device.square(n)?);
                square::load(device)?.launch(&p, &mut value)?;
                let value = value.download()?;
                for ([i, j], dot) in all(&rows.rows(i32::from)) {
                    let (i, j) = (i as usize, j as usize);
                    assert_eq!([value[(i, j)], value[(j, i)]], [dot, dot], "({i}, {j}) of {n}, width {width}");
                }
                Ok(())
            }
        }
    )*};
}

of_one_set! {
    of_one_set: (), false;
    with_diagonal: (diagonal = true), true;
}

#[td_kernel]
unsafe fn of_two_sets(
    #[row] q: &Features<u8>,
    #[column] p: &Features<u8>,
    #[dot] dot: i32,
    value: &mut Matrix<i32>,
    #[row] most: &mut Maxima<(i32, u32)>,
    #[column] sums: &mut Sums<i64>,
    total: &mut Sum<i64>,
    listed: &mut Pairs<i32>,
) {
    r#" value = dot; most.offer(dot); sums += dot; total += dot; if (dot % 4 != 0) listed.push(dot); "#
}

/// Sums of absolute differences where the product is odd, and products elsewhere.
#[td_kernel]
unsafe fn quick(
    #[row] q: &Features<i8>,
    #[column] p: &Features<i8>,
    #[dot] dot: i32,
    #[fold] sum: i32,
    value: &mut Matrix<i32>,
    #[row] degree: &mut Sums<u32>,
) {
    let quick = r#" value = dot; degree += 1; if (dot % 2 != 0) exact(); "#;
    let feature = r#" sum += abs(q - p); "#;
    let pair = r#" value = sum; degree += 1; "#;
}

/// Products of one set, with and without the diagonal, and of two.
pub(super) fn check(device: &Device, [a, b]: [&Bytes; 2]) -> Result<()> {
    of_one_set::check(device, a)?;
    with_diagonal::check(device, a)?;
    let [rows, columns] = [a.len(), b.len()];
    let pairs = || (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j]));
    let (q, p) = (device.features(&a.values, a.width)?, device.features(&b.values, b.width)?);
    let (x, y) = (a.rows(i32::from), b.rows(i32::from));
    let all = pairs().map(|[i, j]| ([i as u32, j as u32], product(&x[i], &y[j]))).collect();
    let of_rows = |range: &Range<usize>| Shape::rectangle(rows, columns).of_rows(range.clone());
    check!(of_two_sets, device, [&q, &p], [rows, columns], matrix of of_rows, all, false);

    let [q, p] = [a, b].map(|rows| device.features(&rows.signed(), rows.width));
    let (q, p) = (q?, p?);
    let [x, y] = [a, b].map(|rows| rows.rows(|value| value.cast_signed().into()));
    let (mut value, mut degree) = (device.matrix((rows, columns))?, device.sums(rows)?);
    quick::load(device)?.launch(&q, &p, &mut value, &mut degree)?;
    assert_eq!(degree.download()?, vec![columns as u32; rows]);
    let value = value.download()?;
    for [i, j] in pairs() {
        let dot = product(&x[i], &y[j]);
        let differences = || x[i].iter().zip(&y[j]).map(|(x, y)| (x - y).abs()).sum();
        // The CPU's loops evaluate all pairs by differences.
        let is_exact = dot % 2 != 0 || device.name().starts_with("CPU (");
        let expected = if is_exact { differences() } else { dot };
        assert_eq!(value[(i, j)], expected, "quick, ({i}, {j}) of {rows} x {columns}");
    }
    Ok(())
}
