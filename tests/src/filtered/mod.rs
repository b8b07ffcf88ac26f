//! Lists, sums and results of elements with the body `lower_bound`: pairs that tensor cores exclude would not have changed any
//! result.

use td_kernel::{Buffer, Device, Result, Target, td_kernel};

/// A kernel's filtering variant is its last one.
macro_rules! filter {
    ($kernel:ident) => {{
        assert!($kernel::SOURCES[$kernel::SOURCES.len() - 1].contains("_prepare("));
        $kernel::SOURCES.len() - 1
    }};
}

pub mod every;

/// The results of a launch, with the pairs in order.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// The pairs, and the bits of their values.
    pub pairs: Vec<([u32; 2], u32)>,
    /// Their number.
    pub count: u64,
    /// The number of pairs of each element; for two sets, of each row.
    pub degrees: Vec<u32>,
}

impl Found {
    fn of(list: &td_kernel::HostPairs<f32>, count: u64, degrees: Vec<u32>) -> Found {
        let mut pairs: Vec<_> = list.iter().map(|(pair, value)| (pair, value.to_bits())).collect();
        pairs.sort_unstable();
        Found { pairs, count, degrees }
    }
}

/// The number of evaluated pairs, which a filter reduces.
type Evaluated = u32;

/// Modules of kernels of one set, by their keys.
macro_rules! of_one_set {
    ($($module:ident: $keys:tt;)*) => {$(
        /// The pairs within a distance.
        pub mod $module {
            use super::*;

            #[td_kernel $keys]
            unsafe fn close(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] norm: &[f32],
                limit: f32,
                list: &mut Pairs<f32>,
                count: &mut Sum<u64>,
                #[each] degree: &mut Sums<u32>,
                evaluated: &mut Sum<u32>,
            ) {
                let feature = r#" float d = p.i - p.j; sum += d * d; "#;
                let pair = r#"
                evaluated += 1;
                if (sum <= limit) {
                    list.push(sum);
                    count += 1;
                    degree.i += 1;
                    degree.j += 1;
                }
                "#;
                let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) - limit "#;
            }

            /// The results of the variant with this index, or with `None` of the filtering one, and the number of pairs that it
            /// evaluates; of these rows, if given.
            pub fn find(
                device: &Target,
                text: Option<usize>,
                values: &[f32],
                width: usize,
                limit: f32,
                rows: Option<std::ops::Range<usize>>,
            ) -> Result<(Found, Evaluated)> {
                let p = device.features(values, width)?;
                let n = p.len();
                let norm = device.upload(&norms(values, width))?;
                let text = text.unwrap_or(filter!(close));
                let kernel = close { kernel: close::load(device)?.kernel.pin(text) };
                let (mut list, mut count) = (device.pairs(n * (n + 1) / 2)?, device.sum()?);
                let (mut degree, mut evaluated) = (device.sums(n)?, device.sum()?);
                match rows {
                    None => kernel.launch(
                        &p, &norm, limit, &mut list, &mut count, &mut degree, &mut evaluated,
                    )?,
                    Some(rows) => kernel.rows(rows).launch(
                        &p, &norm, limit, &mut list, &mut count, &mut degree, &mut evaluated,
                    )?,
                }
                let degrees = degree.download()?;
                let found = Found::of(&list.download()?, count.download()?, degrees);
                Ok((found, evaluated.download()?))
            }

            /// Compares the results with the filter and without. Returns the numbers of pairs that are found and evaluated with
            /// it.
            pub fn compare(
                what: &str,
                device: &Device,
                values: &[f32],
                width: usize,
                limit: f32,
            ) -> Result<[u64; 2]> {
                let (expected, _) = find(device, Some(0), values, width, limit, None)?;
                let (found, evaluated) = find(device, None, values, width, limit, None)?;
                let n = values.len() / width.max(1);
                assert!(found == expected, "{what}, {n} x {width} within {limit}: {found:?}, not {expected:?}");
                Ok([found.count, evaluated.into()])
            }
        }
    )*};
}

of_one_set! {
    usual: ();
    with_diagonal: (diagonal = true);
    of_small_tiles: (tile = 32);
}

/// The squared norms of all elements.
pub fn norms(values: &[f32], width: usize) -> Vec<f32> {
    values.chunks(width.max(1)).map(|row| row.iter().map(|x| x * x).sum()).collect()
}

#[td_kernel]
unsafe fn alike(
    #[row] query: &Features<f32>,
    #[column] point: &Features<f32>,
    #[fold] product: f32,
    least: f32,
    list: &mut Pairs<f32>,
    count: &mut Sum<u64>,
    #[row] degree: &mut Sums<u32>,
    of_points: &[u32],
) {
    let feature = r#" product += query * point; "#;
    let pair = r#"
    if (product >= least && of_points[j] != 0) {
        list.push(product);
        count += 1;
        degree += 1;
    }
    "#;
    let lower_bound = r#" of_points[j] == 0 ? 1 : least - dot_upper "#;
}

/// The results over two sets of the variant with this index, or with `None` of the filtering one; of these rows, if given.
pub fn find_alike(
    device: &Target,
    text: Option<usize>,
    [queries, points]: [&[f32]; 2],
    width: usize,
    least: f32,
    rows: Option<std::ops::Range<usize>>,
) -> Result<Found> {
    let (query, point) = (device.features(queries, width)?, device.features(points, width)?);
    let of_points: Vec<_> = (0..point.len() as u32).map(|j| u32::from(j % 5 != 2)).collect();
    let of_points: Buffer<u32> = device.upload(&of_points)?;
    let text = text.unwrap_or(filter!(alike));
    let kernel = alike { kernel: alike::load(device)?.kernel.pin(text) };
    let (mut list, mut count) = (device.pairs(query.len() * point.len())?, device.sum()?);
    let mut degree = device.sums(query.len())?;
    match rows {
        None => {
            kernel.launch(&query, &point, least, &mut list, &mut count, &mut degree, &of_points)?;
        }
        Some(rows) => kernel
            .rows(rows)
            .launch(&query, &point, least, &mut list, &mut count, &mut degree, &of_points)?,
    }
    Ok(Found::of(&list.download()?, count.download()?, degree.download()?))
}
