//! Outputs that `types` does not test: squares, sums, results of elements, lists and nearest neighbours, of one set and of two,
//! at widths of every kind, compared with the host's folds in doubles.

use td_kernel::{Device, Minima, Nearest, Result, Sum, Sums, td_kernel};

/// Features of less than a word, of a word, of a word and a remainder, and of several chunks with and without a remainder.
const WIDTHS: [usize; 8] = [1, 3, 4, 5, 31, 64, 127, 1000];

/// Runs every kind of output with features of several sizes, at every width: with `every_tile` in all tiles, otherwise in the
/// one that a launch takes.
pub fn check(device: &Device, every_tile: bool) -> Result<()> {
    for width in WIDTHS {
        // Two tiles of the smallest size, or some more of them.
        let counts = if width > 500 { [35, 33] } else { [70, 37] };
        floats::check(device, every_tile, counts, width)?;
        doubles::check(device, every_tile, counts, width)?;
        bytes::check(device, every_tile, counts, width)?;
    }
    Ok(())
}

/// The kernel as a launch takes it, or with each of its variants alone.
macro_rules! kernels {
    ($kernel:ident, $device:expr, $every_tile:expr) => {{
        let variants = if $every_tile { $kernel::SOURCES.len() } else { 1 };
        (0..variants).map(move |variant| {
            let kernel = $kernel::load($device)?;
            Ok::<_, td_kernel::Error>(match $every_tile {
                true => $kernel { kernel: kernel.kernel.pin(variant) },
                false => kernel,
            })
        })
    }};
}

/// The kernels over one type of features, folded to another type.
macro_rules! kinds {
    ($module:ident, $feature:tt, $fold:tt, $of_one:literal, $of_two:literal, $error:expr) => {
        mod $module {
            use super::*;

            #[td_kernel]
            unsafe fn of_one(
                #[each] p: &Features<$feature>,
                limit: f64,
                #[fold] s: $fold,
                square: &mut Square<$fold>,
                total: &mut Sum<f64>,
                #[each] of_each: &mut Sums<f64>,
                #[each] least: &mut Minima<(f32, u32)>,
                above: &mut Pairs<f64>,
            ) {
                let feature = $of_one;
                let pair = r#"
                square = s;
                total += s;
                of_each.i += s;
                of_each.j += s;
                least.offer((float)s);
                if (s > limit)
                    above.push(s);
                "#;
            }

            #[td_kernel]
            unsafe fn of_two(
                #[row] a: &Features<$feature>,
                #[column] b: &Features<$feature>,
                limit: f64,
                #[fold] s: $fold,
                matrix: &mut Matrix<$fold>,
                total: &mut Sum<f64>,
                #[row] of_row: &mut Sums<f64>,
                #[column] of_column: &mut Sums<f64>,
                above: &mut Pairs<f64>,
            ) {
                let feature = $of_two;
                let pair = r#"
                matrix = s;
                total += s;
                of_row += s;
                of_column += s;
                if (s > limit)
                    above.push(s);
                "#;
            }

            #[td_kernel]
            unsafe fn near_one(
                #[each] p: &Features<$feature>,
                #[fold] s: $fold,
                #[each] near: &mut Nearest<f32, 7>,
            ) {
                let feature = $of_one;
                let pair = r#" near.push((float)s); "#;
            }

            #[td_kernel]
            unsafe fn near_two(
                #[row] a: &Features<$feature>,
                #[column] b: &Features<$feature>,
                #[fold] s: $fold,
                #[row] near: &mut Nearest<f32, 7>,
            ) {
                let feature = $of_two;
                let pair = r#" near.push((float)s); "#;
            }

            pub(super) fn check(
                device: &Device,
                every_tile: bool,
                [rows, columns]: [usize; 2],
                width: usize,
            ) -> Result<()> {
                let number = |at: usize| ((at * 7919 + at / 3 * 104_729) % 251) as $feature;
                let of_rows: Vec<$feature> = (0..rows * width).map(number).collect();
                let of_columns: Vec<$feature> = (1..=columns * width).map(number).collect();
                let a = device.features(&of_rows, width)?;
                let b = device.features(&of_columns, width)?;
                let term = |x: $feature, y: $feature| (f64::from(x) - f64::from(y)).powi(2);
                let folded = |one: &[$feature], two: &[$feature]| -> f64 {
                    one.iter().zip(two).map(|(x, y)| term(*x, *y)).sum()
                };
                let row = |i: usize| &of_rows[i * width..][..width];
                let column = |j: usize| &of_columns[j * width..][..width];
                let error = |width: f64| -> f64 { $error(width) };
                let place = |kernel: &str| {
                    let (module, name) = (stringify!($module), device.name());
                    format!("{module}, {kernel}, {rows} x {columns}, width {width}, {name}")
                };

                let pairs = |at: usize| (at / rows != at % rows).then(|| (at / rows, at % rows));
                let expected: Vec<Option<f64>> = (0..rows * rows)
                    .map(|at| pairs(at).map(|(i, j)| folded(row(i), row(j))))
                    .collect();
                let host = Host { values: expected, columns: rows, error: error(width as f64) };
                let limit = host.limit();
                for kernel in kernels!(of_one, device, every_tile) {
                    let mut square = device.square(rows)?;
                    let (mut total, mut above) = (device.sum()?, device.pairs(rows * rows)?);
                    let (mut of_each, mut least) = (device.sums(rows)?, device.minima(rows)?);
                    kernel?.launch(
                        &a, limit, &mut square, &mut total, &mut of_each, &mut least, &mut above,
                    )?;
                    let place = place("of_one");
                    host.compare(square.download()?.as_slice(), &place);
                    let mut list = Vec::new();
                    for ([i, j], value) in above.download()?.sorted()?.iter() {
                        list.extend([([i, j], *value), ([j, i], *value)]);
                    }
                    host.compare_list(list, limit, &place);
                    host.compare_sums(&of_each, false, &place)?;
                    host.compare_total(&total, 0.5, &place)?;
                    host.compare_least(&least, &place)?;
                }
                for kernel in kernels!(near_one, device, every_tile) {
                    let mut near = device.nearest(rows)?;
                    kernel?.launch(&a, &mut near)?;
                    host.compare_nearest(&near, &place("near_one"))?;
                }

                let expected = (0..rows * columns)
                    .map(|at| Some(folded(row(at / columns), column(at % columns))));
                let host = Host { values: expected.collect(), columns, error: error(width as f64) };
                let limit = host.limit();
                for kernel in kernels!(of_two, device, every_tile) {
                    let mut matrix = device.matrix((rows, columns))?;
                    let (mut total, mut above) = (device.sum()?, device.pairs(rows * columns)?);
                    let (mut of_row, mut of_column) = (device.sums(rows)?, device.sums(columns)?);
                    kernel?.launch(
                        &a, &b, limit, &mut matrix, &mut total, &mut of_row, &mut of_column,
                        &mut above,
                    )?;
                    let place = place("of_two");
                    host.compare(matrix.download()?.as_slice(), &place);
                    let above = above.download()?.sorted()?;
                    let list = above.iter().map(|(pair, value)| (pair, *value)).collect();
                    host.compare_list(list, limit, &place);
                    host.compare_sums(&of_row, false, &place)?;
                    host.compare_sums(&of_column, true, &place)?;
                    host.compare_total(&total, 1.0, &place)?;
                }
                for kernel in kernels!(near_two, device, every_tile) {
                    let mut near = device.nearest(rows)?;
                    kernel?.launch(&a, &b, &mut near)?;
                    host.compare_nearest(&near, &place("near_two"))?;
                }
                Ok(())
            }
        }
    };
}

// A squared difference has three roundings, and the sum one for each feature; integers have none.
kinds!(
    floats,
    f32,
    f32,
    r#" const float d = p.i - p.j; s += d * d; "#,
    r#" const float d = a - b; s += d * d; "#,
    |width| (width + 3.0) * 2_f64.powi(-24)
);
kinds!(
    doubles,
    f64,
    f64,
    r#" const double d = p.i - p.j; s += d * d; "#,
    r#" const double d = a - b; s += d * d; "#,
    |width| 2.0 * (width + 3.0) * 2_f64.powi(-53)
);
kinds!(
    bytes,
    u8,
    u32,
    r#" const int d = p.i - p.j; s += d * d; "#,
    r#" const int d = a - b; s += d * d; "#,
    |_| 0.0
);

/// The host's folds of the pairs.
struct Host {
    /// By rows; an element has no pair with itself.
    values: Vec<Option<f64>>,
    columns: usize,
    /// The maximum relative error of a value.
    error: f64,
}

/// The maximum relative error of sums of a few thousand doubles, and of a double rounded to a float.
const OF_SUMS: f64 = 1e-11;
const OF_FLOATS: f64 = 1.0 / (1 << 24) as f64;

impl Host {
    /// A number below about half of the values, and near none.
    fn limit(&self) -> f64 {
        let mut all: Vec<f64> = self.values.iter().flatten().copied().collect();
        all.sort_by(f64::total_cmp);
        let middle = &all[all.len() / 2 - 20..][..40];
        let gap = middle.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
        let limit = gap.map_or(0.0, |gap| (gap[0] + gap[1]) / 2.0);
        let is_far = |value: &f64| (value - limit).abs() > 2.0 * self.error * limit;
        assert!(all.iter().all(is_far), "{limit} is too near");
        limit
    }

    fn is_near(found: f64, expected: f64, error: f64) -> bool {
        (found - expected).abs() <= error * expected
    }

    /// All slots; those without a pair are zero.
    fn compare<F: Copy + Into<f64>>(&self, found: &[F], place: &str) {
        assert_eq!(found.len(), self.values.len(), "{place}");
        for (at, (found, expected)) in found.iter().zip(&self.values).enumerate() {
            let (found, expected) = ((*found).into(), expected.unwrap_or_default());
            let is_right = Host::is_near(found, expected, self.error);
            assert!(is_right, "{place}: slot {at} has {found}, not {expected}");
        }
    }

    /// The pairs above a limit, in any order.
    fn compare_list(&self, mut found: Vec<([u32; 2], f64)>, limit: f64, place: &str) {
        found.sort_by_key(|each| each.0);
        let above = self.values.iter().enumerate().filter_map(|(at, value)| {
            let pair = [at / self.columns, at % self.columns].map(|index| index as u32);
            value.filter(|value| *value > limit).map(|value| (pair, value))
        });
        let above: Vec<_> = above.collect();
        assert_eq!(found.len(), above.len(), "{place}: the list");
        for (found, expected) in found.iter().zip(&above) {
            let is_right = Host::is_near(found.1, expected.1, self.error);
            assert!(found.0 == expected.0 && is_right, "{place}: {found:?}, not {expected:?}");
        }
    }

    /// The values of each row, or of each column.
    fn lines(&self, are_columns: bool) -> Vec<Vec<(f64, u32)>> {
        let rows = self.values.len() / self.columns;
        let mut lines = vec![Vec::new(); if are_columns { self.columns } else { rows }];
        for (at, value) in self.values.iter().enumerate() {
            let (i, j) = (at / self.columns, at % self.columns);
            let (line, other) = if are_columns { (j, i) } else { (i, j) };
            lines[line].extend(value.map(|value| (value, other as u32)));
        }
        lines
    }

    fn compare_sums(&self, sums: &Sums<f64>, are_columns: bool, place: &str) -> Result<()> {
        let found = sums.download()?;
        let lines = self.lines(are_columns);
        assert_eq!(found.len(), lines.len(), "{place}");
        for (element, (found, line)) in found.iter().zip(&lines).enumerate() {
            let expected: f64 = line.iter().map(|each| each.0).sum();
            let is_right = Host::is_near(*found, expected, self.error + OF_SUMS);
            assert!(is_right, "{place}: the sum of {element} is {found}, not {expected}");
        }
        Ok(())
    }

    /// Compares the total over all pairs. It may contain each value in both orders.
    fn compare_total(&self, total: &Sum<f64>, share: f64, place: &str) -> Result<()> {
        let expected = share * self.values.iter().flatten().sum::<f64>();
        let found = total.download()?;
        let is_right = Host::is_near(found, expected, self.error + OF_SUMS);
        assert!(is_right, "{place}: the total is {found}, not {expected}");
        Ok(())
    }

    /// Compares the minimum of each row and its partner. Another partner is accepted only if its value is equal within the
    /// error.
    fn compare_least(&self, least: &Minima<(f32, u32)>, place: &str) -> Result<()> {
        for (element, found) in least.download()?.into_iter().enumerate() {
            let found = found.map(|(value, other)| (vec![f64::from(value)], vec![other]));
            self.compare_line(element, found.unwrap_or_default(), 1, place);
        }
        Ok(())
    }

    fn compare_nearest(&self, near: &Nearest<f32, 7>, place: &str) -> Result<()> {
        for (element, others, values) in near.download()?.rows() {
            let values = values.iter().map(|value| f64::from(*value)).collect();
            self.compare_line(element, (values, others.to_vec()), 7, place);
        }
        Ok(())
    }

    /// Compares the smallest values of an element, and their partners, which must be different.
    fn compare_line(
        &self,
        element: usize,
        (values, others): (Vec<f64>, Vec<u32>),
        count: usize,
        place: &str,
    ) {
        let rows = &self.values[element * self.columns..][..self.columns];
        let mut line: Vec<f64> = rows.iter().flatten().copied().collect();
        line.sort_by(f64::total_cmp);
        assert_eq!((values.len(), others.len()), (count, count), "{place}: {element}");
        let error = self.error + OF_FLOATS;
        for ((value, other), expected) in values.iter().zip(&others).zip(&line) {
            let own = rows[*other as usize].unwrap_or(f64::NAN);
            let is_right =
                Host::is_near(*value, own, error) && Host::is_near(*value, *expected, error);
            assert!(is_right, "{place}: {element} has {value} for {other}, not {expected}");
        }
        let mut others = others;
        others.sort_unstable();
        others.dedup();
        assert_eq!(others.len(), count, "{place}: {element} has one twice");
    }
}
