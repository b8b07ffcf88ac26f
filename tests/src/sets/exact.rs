//! Deterministic sums of the elements of many sets.

use td_kernel::{Device, Result, Target, td_kernel};

use super::offsets;
use crate::devices::some;
use crate::exactly::{floats, numbers, of_f32, of_f64};

/// Kernels of one body, each with its elements.
macro_rules! kernels {
    ($($name:ident($elements:ty);)*) => {$(
        #[td_kernel(deterministic = true)]
        unsafe fn $name(
            #[each] w: &$elements,
            #[each] v: &[f64],
            #[each] force: &mut Sums<[f32; 2]>,
            #[each] energy: &mut Sums<f64>,
            #[each] degree: &mut Sums<u32>,
        ) {
            r#"
            force.i += make_float2(w.i * w.j, w.j);
            force.i -= make_float2(w.j, 0);
            force.j -= make_float2(w.i * w.j, 1);
            energy.i += v.j;
            energy.j -= v.i;
            degree.j += i;
            "#
        }
    )*};
}

kernels! {
    of_sets(Sets<f32>);
    of_one([f32]);
}

/// Rows and columns, and a sum for each set.
#[td_kernel(deterministic = true)]
unsafe fn of_rectangles(
    #[row] w: &Sets<f32>,
    #[column] v: &Sets<f64>,
    #[row] force: &mut Sums<[f64; 2]>,
    #[column] energy: &mut Sums<f32>,
    by_set: &mut Histogram<f64>,
) {
    r#"
    force += make_double2(v, w);
    energy -= w;
    by_set.add(set, w * v);
    "#
}

/// The bits of the sums of each element.
type Bits = Vec<[u64; 4]>;

fn wide(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

fn single(value: f32) -> u64 {
    wide(value.into())
}

/// Weights of many magnitudes. Some products are subnormal.
struct Weights {
    w: Vec<f32>,
    v: Vec<f64>,
}

impl Weights {
    fn new(n: usize) -> Self {
        Weights { w: floats(n, [-74, 50]), v: numbers(n, [-536, 450]) }
    }
}

/// Sums of all sets, or with `of_one` of a single one.
fn found(target: &Target, weights: &Weights, sets: Option<(&[usize], u32)>) -> Result<Bits> {
    let n = weights.w.len();
    let v = target.upload(&weights.v)?;
    let (mut force, mut energy, mut degree) = (target.sums(n)?, target.sums(n)?, target.sums(n)?);
    match sets {
        Some((offsets, large)) => {
            let w = target.sets_with_large(&weights.w, offsets, large)?;
            of_sets::load(target)?.launch(&w, &v, &mut force, &mut energy, &mut degree)?;
        }
        None => {
            let w = target.upload(&weights.w)?;
            of_one::load(target)?.launch(&w, &v, &mut force, &mut energy, &mut degree)?;
        }
    }
    let (force, energy): (Vec<[f32; 2]>, Vec<f64>) = (force.download()?, energy.download()?);
    let all = force.into_iter().zip(energy).zip(degree.download()?);
    let bits = |(([a, b], c), degree): (([f32; 2], f64), u32)| {
        [single(a), single(b), wide(c), degree.into()]
    };
    Ok(all.map(bits).collect())
}

/// The exact sums of one set, rounded once. A pair's terms are first added to each other.
fn expected(w: &[f32], v: &[f64]) -> Bits {
    let n = w.len();
    let of_element = |at: usize| {
        let (mut force, mut energy, mut degree) = ([Vec::new(), Vec::new()], Vec::new(), 0);
        for j in 0..at {
            force[0].push(f64::from(w[at] * w[j] - w[j]));
            force[1].push(f64::from(w[j]));
            energy.push(v[j]);
        }
        for i in at + 1..n {
            force[0].push(f64::from(-(w[i] * w[at])));
            force[1].push(-1.0);
            energy.push(-v[i]);
            degree += i as u64;
        }
        [single(of_f32(&force[0])), single(of_f32(&force[1])), wide(of_f64(energy)), degree]
    };
    (0..n).map(of_element).collect()
}

/// Whether the sum of floats of an element of a set of n depends on their order, for most elements.
pub fn depend_on_order(n: usize) -> bool {
    let Weights { w, .. } = Weights::new(n);
    let depends = |i: &usize| {
        let terms = || (0..n).filter(|j| j != i).map(|j| w[*i] * w[j]);
        terms().sum::<f32>() != terms().rev().sum::<f32>()
    };
    2 * (0..n).filter(depends).count() > n
}

/// On one device and on `counts` of them: the exact sums of sets that are visited by runs of pairs, and those of a launch for each
/// set that is visited by tiles.
pub fn check(devices: &[Device], counts: &[usize], sizes: &[usize], large: u32) -> Result<()> {
    let (device, offsets) = (&devices[0], offsets(sizes));
    let all = Weights::new(offsets[sizes.len()]);
    let one = found(device, &all, Some((&offsets, large)))?;
    let has_tiles = |size: usize| size >= large as usize && !device.name().contains("CPU (");
    for (set, ends) in offsets.windows(2).enumerate() {
        let own = ends[0]..ends[1];
        let (w, v) = (all.w[own.clone()].to_vec(), all.v[own.clone()].to_vec());
        let expected = match has_tiles(own.len()) {
            true => found(device, &Weights { w, v }, None)?,
            false => expected(&w, &v),
        };
        assert_eq!(one[own], expected, "set {set} of {sizes:?}, on {}", device.name());
    }
    for &count in counts {
        let several = found(&some(devices, count)?, &all, Some((&offsets, large)))?;
        assert!(several == one, "{sizes:?} on {count} devices, {}", device.name());
    }
    Ok(())
}

/// The exact sums of rows, of columns, and of sets.
pub fn check_rectangles(devices: &[Device], counts: &[usize], sizes: [&[usize]; 2]) -> Result<()> {
    let [rows, columns] = sizes.map(offsets);
    let sets = sizes[0].len();
    let (n, m) = (rows[sets], columns[sets]);
    let (w, v) = (Weights::new(n).w, Weights::new(m).v);
    let mut terms = (vec![[vec![], vec![]]; n], vec![vec![]; m], vec![vec![]; sets]);
    for set in 0..sets {
        let of_columns = columns[set]..columns[set + 1];
        for (i, j) in
            (rows[set]..rows[set + 1]).flat_map(|i| of_columns.clone().map(move |j| (i, j)))
        {
            terms.0[i][0].push(v[j]);
            terms.0[i][1].push(f64::from(w[i]));
            terms.1[j].push(f64::from(-w[i]));
            terms.2[set].push(f64::from(w[i]) * v[j]);
        }
    }
    let of_wide = |terms: Vec<f64>| wide(of_f64(terms));
    let expected: (Vec<[u64; 2]>, Vec<u64>, Vec<u64>) = (
        terms.0.into_iter().map(|both| both.map(of_wide)).collect(),
        terms.1.iter().map(|terms| single(of_f32(terms))).collect(),
        terms.2.into_iter().map(of_wide).collect(),
    );
    for &count in [1].iter().chain(counts) {
        let target = some(devices, count)?;
        let (p, q) = (target.sets(&w, &rows)?, target.sets(&v, &columns)?);
        let (mut force, mut energy) = (target.sums(n)?, target.sums(m)?);
        let mut by_set = target.histogram(sets)?;
        let kernel = of_rectangles::load(&target)?;
        kernel.launch(&p, &q, &mut force, &mut energy, &mut by_set)?;
        let (force, energy): (Vec<[f64; 2]>, Vec<f32>) = (force.download()?, energy.download()?);
        let found = (
            force.into_iter().map(|both| both.map(wide)).collect(),
            energy.into_iter().map(single).collect(),
            by_set.download()?.into_vec().into_iter().map(wide).collect(),
        );
        assert_eq!(found, expected, "{sizes:?} on {count} devices, {}", target.name());
    }
    Ok(())
}
