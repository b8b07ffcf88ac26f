//! The kernels: every output and kind of parameter, of one set and of two.

use std::ops::Range;

use td_kernel::{Device, Result, Shape, td_kernel};

use super::host::{
    COUNTERS, Label, Pair, Product, Results, Rows, SCALE, TABLE, check_pairs, expected, label,
    weight,
};

/// The rows of launches: all at once, or in ranges that begin and end inside tiles.
pub(super) fn cuts(rows: usize) -> Vec<Vec<Range<usize>>> {
    let (third, most) = (rows / 3, rows - rows / 5);
    vec![vec![0..third, third..third, third..most, most..rows], vec![rows / 2..rows, 0..rows / 2]]
}

/// Runs a kernel with all outputs. Without ranges of rows, it is one launch.
macro_rules! run {
    (
        $kernel:ident, $device:ident, [$($features:expr),*], [$rows:expr, $columns:expr],
        $slots:ident of $shape:expr, $limit:expr, $cuts:expr
    ) => {{
        let kernel = $kernel::load($device)?;
        let (rows, columns): (usize, usize) = ($rows, $columns);
        let weights = $device.upload(&(0..rows).map(weight).collect::<Vec<_>>())?;
        let labels = $device.upload(&(0..columns).map(label).collect::<Vec<_>>())?;
        let (table, room) = ($device.upload(&TABLE)?, rows * columns);
        let (mut most, mut least) = ($device.maxima(rows)?, $device.minima(columns)?);
        let (mut degrees, mut sums) = ($device.sums(rows)?, $device.sums(columns)?);
        let (mut count, mut total) = ($device.sum()?, $device.sum()?);
        let (mut near, mut valued) = ($device.pairs(room)?, $device.pairs(room)?);
        let mut counts = $device.zeroed(COUNTERS)?;
        let (mut chunks, whole) = (Vec::new(), [0..rows]);
        for range in if $cuts.is_empty() { &whole } else { $cuts } {
            let [mut value, mut error] = [$device.$slots($shape(range))?, $device.$slots($shape(range))?];
            let mut mixed = $device.$slots($shape(range))?;
            let of_rows;
            let kernel = match $cuts.is_empty() {
                true => &kernel,
                false => {
                    of_rows = kernel.rows(range.clone());
                    &of_rows
                }
            };
            kernel.launch(
                $($features,)* &weights, &labels, SCALE, &table, $limit, &mut value, &mut error,
                &mut mixed, &mut most, &mut least, &mut degrees, &mut sums, &mut count, &mut total,
                &mut near, &mut valued, &mut counts,
            )?;
            let (value, error) = (value.download()?, error.download()?);
            let both = value.as_slice().iter().zip(error.as_slice());
            let products: Vec<Product> = both.map(|(value, error)| [*value, *error]).collect();
            chunks.push((range.start, products, mixed.download()?.into_vec()));
        }
        // The order of rows is that of packed slots and of matrices.
        chunks.sort_by_key(|chunk| chunk.0);
        let (products, mixed): (Vec<_>, Vec<_>) =
            chunks.into_iter().map(|(_, products, mixed)| (products, mixed)).unzip();
        let valued = valued.download()?.sorted()?;
        let all = Results {
            count: count.download()?,
            most: most.download()?,
            least: least.download()?,
            degrees: degrees.download()?,
            near: near.download()?.sorted()?.into_vecs().0,
            valued: valued.iter().map(|(pair, value)| (pair, *value)).collect(),
            counts: counts.download()?,
            mixed: mixed.concat(),
        };
        (products.concat(), all, sums.download()?, total.download()?)
    }};
}

/// Compares the results of a kernel over these pairs, in one launch and in ranges of rows.
macro_rules! check {
    ($pairs:expr, [$a:expr, $b:expr], $is_one_set:expr, $limit:expr, $place:expr, $run:expr) => {{
        let (pairs, run): (Vec<Pair>, _) = ($pairs, $run);
        let sizes = [$a.len(), $b.len()];
        let (products, all, sums, total): (Vec<Product>, Results, Vec<f64>, f64) = run(&[])?;
        check_pairs(&pairs, &products, [$a, $b], $crate::products::Bound::Floats, $place);
        let (expected, of_columns, of_all) =
            expected(&pairs, &products, sizes, $is_one_set, $limit);
        let is_near =
            |found: f64, sum: f64| (found - sum).abs() <= 1e-11 * (1.0 + pairs.len() as f64);
        all.compare(&expected, $place);
        assert!(is_near(total, of_all), "{}: {total}, not {of_all}", $place);
        for cut in cuts(sizes[0]) {
            let (of_chunks, all, sums_of_chunks, total) = run(&cut)?;
            let bits =
                |all: &[Product]| all.iter().map(|each| each.map(f32::to_bits)).collect::<Vec<_>>();
            assert!(bits(&of_chunks) == bits(&products), "{}: rows {cut:?}", $place);
            all.compare(&expected, &format!("{}: rows {cut:?}", $place));
            assert!(is_near(total, of_all), "{}: {total}, not {of_all}", $place);
            for (found, sum) in sums.iter().chain(&sums_of_chunks).zip(of_columns.iter().cycle()) {
                assert!(is_near(*found, *sum), "{}: {found}, not {sum}", $place);
            }
        }
        products
    }};
}

/// The kernel of one set with all outputs. `own` are the folds.
macro_rules! every {
    ([$keys:tt] [$($own:tt)*] { $($body:tt)* }) => {
        #[td_kernel $keys]
        unsafe fn every(
            #[each] p: &Features<f32>,
            #[each] weight: &[[f32; 4]],
            #[each] label: &[Label],
            #[dot] dot: f32,
            $($own)*
            scale: f32,
            table: &[f32],
            limit: f32,
            value: &mut Packed<f32>,
            error: &mut Packed<f32>,
            mixed: &mut Packed<[f32; 2]>,
            #[each] most: &mut Maxima<(f32, u32)>,
            #[each] least: &mut Minima<(f32, u32)>,
            #[each] degree: &mut Sums<u32>,
            #[each] sums: &mut Sums<f64>,
            count: &mut Sum<u64>,
            total: &mut Sum<f64>,
            near: &mut Pairs,
            valued: &mut Pairs<f32>,
            counts: &mut [u32],
        ) {
            $($body)*
        }
    };
}

/// Modules of kernels of one set, by their keys.
macro_rules! of_one_set {
    ($($module:ident: $keys:tt, $diagonal:literal;)*) => {$(
        pub(super) mod $module {
            use super::*;

            every! { [$keys] [] {
                r#"
                value = dot;
                error = dot_error;
                mixed.x = weight.i.x * dot + weight.i.w;
                mixed.y = (float)label.j.factor * scale - table[(i + 2 * j) % table_length] + label.j.group;
                most.offer(dot);
                least.j.offer(dot);
                sums.j += dot;
                total += dot;
                if (dot > limit) {
                    degree.i += 1;
                    count += 1;
                    near.push();
                    valued.push(dot);
                    atomicAdd(&counts[(i + j) % counts_length], 1);
                }
                "#
            } }

            #[td_kernel $keys]
            unsafe fn square(#[each] p: &Features<f32>, #[dot] dot: f32, value: &mut Square<f32>) {
                r#" value = dot; "#
            }

            fn shape(n: usize) -> Shape {
                if $diagonal { Shape::triangle(n).with_diagonal() } else { Shape::triangle(n) }
            }

            fn pairs(n: usize) -> Vec<Pair> {
                (0..n).flat_map(|i| (0..i + usize::from($diagonal)).map(move |j| (i, j))).collect()
            }

            pub(in super::super) fn check(device: &Device, rows: &Rows, limit: f32, place: &str) -> Result<()> {
                let (p, n) = (device.features(&rows.values, rows.width)?, rows.len());
                let place = &format!("{}, {place}", stringify!($module));
                let of_rows = |range: &Range<usize>| shape(n).of_rows(range.clone());
                let run = |cuts: &[Range<usize>]| Ok(run!(every, device, [&p], [n, n], packed of of_rows, limit, cuts));
                let products = check!(pairs(n), [rows, rows], true, limit, place, run);
                // Both halves of a square have the bits of packed slots.
                let mut value = device.square(n)?.with_diagonal(-7.0);
                square::load(device)?.launch(&p, &mut value)?;
                let value = value.download()?;
                for (&(i, j), [dot, _]) in pairs(n).iter().zip(&products) {
                    let is_same = [value[(i, j)], value[(j, i)]].iter().all(|each| each.to_bits() == dot.to_bits());
                    assert!(is_same, "{place}: square, ({i}, {j})");
                }
                assert!($diagonal || (0..n).all(|i| value[(i, i)] == -7.0), "{place}: diagonal");
                Ok(())
            }

            /// All pairs and their products.
            pub(in super::super) fn dots(device: &Device, rows: &Rows) -> Result<(Vec<Pair>, Vec<Product>)> {
                let (p, n) = (device.features(&rows.values, rows.width)?, rows.len());
                let of_rows = |range: &Range<usize>| shape(n).of_rows(range.clone());
                let none: &[Range<usize>] = &[];
                let (products, ..) = run!(every, device, [&p], [n, n], packed of of_rows, f32::INFINITY, none);
                Ok((pairs(n), products))
            }
        }
    )*};
}

of_one_set! {
    of_one_set: (), false;
    with_diagonal: (diagonal = true), true;
}

pub(super) mod of_two_sets {
    use super::*;

    #[td_kernel]
    unsafe fn every(
        #[row] q: &Features<f32>,
        #[column] p: &Features<f32>,
        #[row] weight: &[[f32; 4]],
        #[column] label: &[Label],
        #[dot] dot: f32,
        scale: f32,
        table: &[f32],
        limit: f32,
        value: &mut Matrix<f32>,
        error: &mut Matrix<f32>,
        mixed: &mut Matrix<[f32; 2]>,
        #[row] most: &mut Maxima<(f32, u32)>,
        #[column] least: &mut Minima<(f32, u32)>,
        #[row] degree: &mut Sums<u32>,
        #[column] sum: &mut Sums<f64>,
        count: &mut Sum<u64>,
        total: &mut Sum<f64>,
        near: &mut Pairs,
        valued: &mut Pairs<f32>,
        counts: &mut [u32],
    ) {
        r#"
        value = dot;
        error = dot_error;
        mixed.x = weight.x * dot + weight.w;
        mixed.y = (float)label.factor * scale - table[(i + 2 * j) % table_length] + label.group;
        most.offer(dot);
        least.offer(dot);
        sum += dot;
        total += dot;
        if (dot > limit) {
            degree += 1;
            count += 1;
            near.push();
            valued.push(dot);
            atomicAdd(&counts[(i + j) % counts_length], 1);
        }
        "#
    }

    fn pairs([rows, columns]: [usize; 2]) -> Vec<Pair> {
        (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).collect()
    }

    pub(in super::super) fn check(
        device: &Device,
        [a, b]: [&Rows; 2],
        limit: f32,
        place: &str,
    ) -> Result<()> {
        let (q, p) = (device.features(&a.values, a.width)?, device.features(&b.values, b.width)?);
        let [rows, columns] = [a.len(), b.len()];
        let of_rows = |range: &Range<usize>| Shape::rectangle(rows, columns).of_rows(range.clone());
        let run = |cuts: &[Range<usize>]| {
            Ok(run!(every, device, [&q, &p], [rows, columns], matrix of of_rows, limit, cuts))
        };
        check!(pairs([rows, columns]), [a, b], false, limit, &format!("of_two_sets, {place}"), run);
        Ok(())
    }

    /// All pairs and their products.
    pub(in super::super) fn dots(
        device: &Device,
        [a, b]: [&Rows; 2],
    ) -> Result<(Vec<Pair>, Vec<Product>)> {
        let (q, p) = (device.features(&a.values, a.width)?, device.features(&b.values, b.width)?);
        let [rows, columns] = [a.len(), b.len()];
        let of_rows = |range: &Range<usize>| Shape::rectangle(rows, columns).of_rows(range.clone());
        let none: &[Range<usize>] = &[];
        let (products, ..) =
            run!(every, device, [&q, &p], [rows, columns], matrix of of_rows, f32::INFINITY, none);
        Ok((pairs([rows, columns]), products))
    }
}
