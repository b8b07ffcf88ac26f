//! What a product may be, in double precision, and what kernels make of their products.

/// The features of some elements.
pub(super) struct Rows {
    pub(super) values: Vec<f32>,
    pub(super) width: usize,
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// The product of row i and of row j of others, as a sum of floats.
    pub(super) fn sum_of_floats(&self, i: usize, others: &Rows, j: usize) -> f32 {
        let terms = self.row(i).iter().zip(others.row(j));
        terms.fold(0.0, |sum, (x, y)| x.mul_add(*y, sum))
    }

    fn row(&self, element: usize) -> &[f32] {
        &self.values[element * self.width..][..self.width]
    }
}

pub(super) type Pair = (usize, usize);

/// A product and the bound of its error.
pub(super) type Product = [f32; 2];

/// At most how many products of features are compared in double precision.
const MOST: usize = 1 << 24;

/// Whether tensor cores can multiply the row.
fn has_scale(row: &[f32]) -> bool {
    let greatest = row.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
    let limits = 2.0_f32.powi(-50)..=2.0_f32.powi(50);
    row.iter().all(|x| x.is_finite()) && (greatest == 0.0 || limits.contains(&greatest))
}

/// The kind of features, on which the bound of the error depends.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    Floats,
    Halves,
}

/// Compares products with double precision; if one of the rows has no scale, with the sum of floats.
pub(super) fn check_pairs(
    pairs: &[Pair],
    found: &[Product],
    [a, b]: [&Rows; 2],
    bound: Bound,
    place: &str,
) {
    assert_eq!(pairs.len(), found.len(), "{place}");
    let step = 1 + pairs.len() * a.width / MOST;
    for (&(i, j), &[dot, error]) in pairs.iter().zip(found).step_by(step) {
        let (x, y) = (a.row(i), b.row(j));
        let terms = || x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y));
        let norm = |x: &[f32]| x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        let (exact, norms) = (terms().sum::<f64>(), norm(x) * norm(y));
        let place =
            format!("{place}: ({i}, {j}) has {dot} with an error of {error}, exact {exact}");
        if !has_scale(x) || !has_scale(y) {
            let sum = a.sum_of_floats(i, b, j);
            assert!(
                dot.to_bits() == sum.to_bits() || dot.is_nan() && sum.is_nan(),
                "{place}, {sum}"
            );
            if !dot.is_finite() || !exact.is_finite() {
                assert!(!error.is_finite(), "{place}");
                continue;
            }
        }
        // The doubles are off, too.
        let slack = norms * a.width as f64 * f64::EPSILON;
        let off = (f64::from(dot) - exact).abs();
        assert!(off <= f64::from(error) + slack, "{place}: off by {off}");
        // A bound that is not much more than it has to be: of tensor cores, or of a sum of floats.
        let width = a.width as f64;
        let of_cores = match bound {
            Bound::Floats => 120.0 + width / 32.0,
            Bound::Halves => 200.0 + width / 64.0,
        };
        let most = (of_cores + width) * 2.0_f64.powi(-24) * norms;
        assert!(f64::from(error) <= most + width * 2.0_f64.powi(-149), "{place}: at most {most}");
    }
}

/// What a kernel makes of its products besides storing them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Results {
    pub(super) mixed: Vec<[f32; 2]>,
    pub(super) count: u64,
    pub(super) most: Vec<Option<(f32, u32)>>,
    pub(super) least: Vec<Option<(f32, u32)>>,
    pub(super) degrees: Vec<u32>,
    pub(super) near: Vec<[u32; 2]>,
    pub(super) valued: Vec<([u32; 2], f32)>,
    pub(super) counts: Vec<u32>,
}

impl Results {
    /// Panics with the first difference.
    pub(super) fn compare(&self, expected: &Results, place: &str) {
        let slots =
            self.mixed.iter().zip(&expected.mixed).position(|(found, value)| found != value);
        assert_eq!((slots, self.mixed.len()), (None, expected.mixed.len()), "{place}: slots");
        assert_eq!(self.most, expected.most, "{place}");
        assert_eq!(self.least, expected.least, "{place}");
        assert_eq!(self.degrees, expected.degrees, "{place}");
        assert_eq!((self.count, &self.counts), (expected.count, &expected.counts), "{place}");
        assert!(self == expected, "{place}: lists");
    }
}

/// The parameters of elements, and a slice.
pub(super) fn weight(element: usize) -> [f32; 4] {
    [(element % 5) as f32 - 2.0, 9.0, -9.0, (element % 7) as f32 / 3.0]
}

#[derive(Clone, Copy, td_kernel::DeviceType)]
#[repr(C)]
pub(super) struct Label {
    pub(super) factor: f64,
    pub(super) group: u8,
}

pub(super) fn label(element: usize) -> Label {
    Label { factor: element as f64 / 8.0, group: (element % 3) as u8 }
}

pub(super) const TABLE: [f32; 5] = [0.5, -1.0, 1.0 / 3.0, 4.0, 1e-3];
pub(super) const SCALE: f32 = 1.7;

/// The number of the body's own counters.
pub(super) const COUNTERS: usize = 9;

/// The results that follow from these products, and the sums of the products of each column and of all.
pub(super) fn expected(
    pairs: &[Pair],
    found: &[Product],
    [rows, columns]: [usize; 2],
    is_one_set: bool,
    limit: f32,
) -> (Results, Vec<f64>, f64) {
    let (most, least) = (vec![None; rows], vec![None; columns]);
    let (degrees, counts) = (vec![0; rows], vec![0; COUNTERS]);
    let mut all = Results { most, least, degrees, counts, ..Results::default() };
    let (mut sums, mut total) = (vec![0.0; columns], 0.0);
    // Of equal values the one with the smaller index is kept.
    let offer = |kept: &mut Option<(f32, u32)>, sign: f32, value: f32, other: usize| {
        let is_better = |(before, at): (f32, u32)| {
            sign * value > sign * before || value == before && (other as u32) < at
        };
        if kept.is_none_or(is_better) {
            *kept = Some((value, other as u32));
        }
    };
    for (&(i, j), &[dot, _]) in pairs.iter().zip(found) {
        let (x, y, z) = (weight(i), label(j), TABLE[(i + 2 * j) % TABLE.len()]);
        all.mixed.push([x[0] * dot + x[3], y.factor as f32 * SCALE - z + f32::from(y.group)]);
        offer(&mut all.most[i], 1.0, dot, j);
        if is_one_set {
            offer(&mut all.most[j], 1.0, dot, i);
        }
        offer(&mut all.least[j], -1.0, dot, i);
        // A sum drops the `.j` part of a pair of an element with itself.
        if !is_one_set || i != j {
            sums[j] += f64::from(dot);
        }
        total += f64::from(dot);
        if dot > limit {
            all.count += 1;
            all.degrees[i] += 1;
            all.near.push([i as u32, j as u32]);
            all.valued.push(([i as u32, j as u32], dot));
            all.counts[(i + j) % COUNTERS] += 1;
        }
    }
    (all, sums, total)
}
