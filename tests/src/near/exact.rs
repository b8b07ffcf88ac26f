//! Deterministic sums with the body `lower_bound` over boxes: each pair is added exactly.

use td_kernel::{Histogram, Result, Sum, Sums, Target, td_kernel};

use super::Way;
use crate::exactly::{floats, numbers, of_f32, of_f64};

/// Kernels of one body, each with its keys.
macro_rules! kernels {
    ($($name:ident($($key:tt)*);)*) => {$(
        #[td_kernel(deterministic = true, $($key)*)]
        unsafe fn $name(
            #[each] p: &[[f32; 3]],
            #[each] w: &[f32],
            #[each] v: &[f64],
            limit: f32,
            total: &mut Sum<f32>,
            work: &mut Sum<f64>,
            count: &mut Sum<u64>,
            #[each] force: &mut Sums<[f32; 2]>,
            #[each] energy: &mut Sums<f64>,
            #[each] degree: &mut Sums<u32>,
            #[each] many: &mut Sums<[f32; 5]>,
            h: &mut Histogram<f32>,
        ) {
            let pair = r#"
            const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
            if (!(x * x + y * y + z * z <= limit))
                return;
            const float weight = w.i * w.j;
            total += weight;
            total -= w.i;
            work += v.i * v.j;
            count += 1;
            force.i += make_float2(weight, w.j);
            force.i -= make_float2(w.j, 0);
            force.j -= make_float2(weight, 1);
            energy.i += v.j;
            energy.j -= v.i;
            degree.j += 1;
            many.i[3] += weight;
            many.j[4] += w.i;
            h.add(i % 3, weight);
            "#;
            let lower_bound = r#" box_square(p.i, p.j) - limit "#;
        }
    )*};
}

kernels! {
    plain();
    with_diagonal(diagonal = true, map = "rb", block = 8);
}

/// The same of two sets.
#[td_kernel(deterministic = true)]
unsafe fn of_two(
    #[row] p: &[[f32; 3]],
    #[row] w: &[f32],
    #[column] q: &[[f32; 3]],
    #[column] v: &[f64],
    limit: f32,
    total: &mut Sum<f64>,
    #[row] force: &mut Sums<[f64; 2]>,
    #[column] energy: &mut Sums<f32>,
    h: &mut Histogram<f64>,
) {
    let pair = r#"
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    if (!(x * x + y * y + z * z <= limit))
        return;
    total += w * v;
    force += make_double2(v, w);
    energy -= w;
    h.add(j % 3, w * v);
    "#;
    let lower_bound = r#" box_square(p, q) - limit "#;
}

/// The bits of all results, of which a NaN has those of one.
pub type Bits = Vec<u64>;

fn wide(value: f64) -> u64 {
    if value.is_nan() { u64::MAX } else { (value + 0.0).to_bits() }
}

fn single(value: f32) -> u64 {
    wide(value.into())
}

/// Elements with weights.
pub struct Elements<'a> {
    points: &'a [[f32; 3]],
    w: Vec<f32>,
    v: Vec<f64>,
}

impl<'a> Elements<'a> {
    /// Weights of many magnitudes, and a few that are not finite.
    pub fn new(points: &'a [[f32; 3]], specials: bool) -> Self {
        let n = points.len();
        let (mut w, mut v) = (floats(n, [-74, 50]), numbers(n, [-536, 450]));
        if specials && n > 60 {
            (w[20], v[20]) = (f32::INFINITY, f64::NAN);
            (w[40], v[60]) = (f32::NEG_INFINITY, f64::INFINITY);
        }
        Elements { points, w, v }
    }

    fn is_close(&self, i: usize, point: [f32; 3], limit: f32) -> bool {
        let [x, y, z] = [0, 1, 2].map(|d| self.points[i][d] - point[d]);
        x * x + y * y + z * z <= limit
    }
}

/// The sums of one set.
struct OfOne {
    total: Sum<f32>,
    work: Sum<f64>,
    count: Sum<u64>,
    force: Sums<[f32; 2]>,
    energy: Sums<f64>,
    degree: Sums<u32>,
    many: Sums<[f32; 5]>,
    h: Histogram<f32>,
}

/// The results of launches for each of these ranges of rows, or for all.
pub fn of_one(
    device: &Target,
    way: Way,
    elements: &Elements<'_>,
    limit: f32,
    diagonal: bool,
    rows: &[std::ops::Range<usize>],
) -> Result<Bits> {
    let n = elements.points.len();
    let (p, w, v) =
        (device.upload(elements.points)?, device.upload(&elements.w)?, device.upload(&elements.v)?);
    let mut all = OfOne {
        total: device.sum()?,
        work: device.sum()?,
        count: device.sum()?,
        force: device.sums(n)?,
        energy: device.sums(n)?,
        degree: device.sums(n)?,
        many: device.sums(n)?,
        h: device.histogram(3)?,
    };
    macro_rules! launch {
        ($kernel:ident) => {
            let kernel = load!($kernel, device, way);
            let OfOne { total, work, count, force, energy, degree, many, h } = &mut all;
            if rows.is_empty() {
                kernel.launch(
                    &p, &w, &v, limit, total, work, count, force, energy, degree, many, h,
                )?;
            }
            for rows in rows {
                kernel.rows(rows.clone()).launch(
                    &p, &w, &v, limit, total, work, count, force, energy, degree, many, h,
                )?;
            }
        };
    }
    match diagonal {
        false => {
            launch!(plain);
        }
        true => {
            launch!(with_diagonal);
        }
    }
    let mut bits = vec![single(all.total.download()?), wide(all.work.download()?)];
    bits.push(all.count.download()?);
    bits.extend(all.force.download()?.into_iter().flatten().map(single));
    bits.extend(all.energy.download()?.into_iter().map(wide));
    bits.extend(all.degree.download()?.into_iter().map(u64::from));
    bits.extend(all.many.download()?.into_iter().flat_map(|each| [each[3], each[4]]).map(single));
    bits.extend(all.h.download()?.into_vec().into_iter().map(single));
    Ok(bits)
}

/// The same on the host.
pub fn expected_of_one(elements: &Elements<'_>, limit: f32, diagonal: bool) -> Bits {
    let Elements { points, w, v } = elements;
    let n = points.len();
    let (mut total, mut work, mut count) = (Vec::new(), Vec::new(), 0);
    let mut force = vec![[Vec::new(), Vec::new()]; n];
    let (mut energy, mut degree) = (vec![Vec::new(); n], vec![0_u64; n]);
    let (mut many, mut h) = (vec![[Vec::new(), Vec::new()]; n], vec![Vec::new(); 3]);
    for (i, j) in (0..n).flat_map(|i| (0..i + usize::from(diagonal)).map(move |j| (i, j))) {
        if !elements.is_close(i, points[j], limit) {
            continue;
        }
        let weight = w[i] * w[j];
        // A pair's terms are first added to each other.
        total.push(f64::from(weight) - f64::from(w[i]));
        work.push(v[i] * v[j]);
        count += 1;
        force[i][0].push(f64::from(weight - w[j]));
        force[i][1].push(f64::from(w[j]));
        energy[i].push(v[j]);
        many[i][0].push(f64::from(weight));
        h[i % 3].push(f64::from(weight));
        // A pair (i, i) adds to its element through `.i` only.
        if i != j {
            force[j][0].push(f64::from(-weight));
            force[j][1].push(-1.0);
            energy[j].push(-v[i]);
            degree[j] += 1;
            many[j][1].push(f64::from(w[i]));
        }
    }
    let mut bits = vec![single(of_f32(&total)), wide(of_f64(work)), count];
    bits.extend(force.iter().flatten().map(|terms| single(of_f32(terms))));
    bits.extend(energy.into_iter().map(|terms| wide(of_f64(terms))));
    bits.extend(degree);
    bits.extend(many.iter().flatten().map(|terms| single(of_f32(terms))));
    bits.extend(h.iter().map(|terms| single(of_f32(terms))));
    bits
}

/// The results of two sets.
pub fn of_sets(
    device: &Target,
    way: Way,
    rows: &Elements<'_>,
    columns: &Elements<'_>,
    limit: f32,
) -> Result<Bits> {
    let (p, w) = (device.upload(rows.points)?, device.upload(&rows.w)?);
    let (q, v) = (device.upload(columns.points)?, device.upload(&columns.v)?);
    let (mut total, mut h) = (device.sum()?, device.histogram(3)?);
    let (mut force, mut energy) = (device.sums(p.len())?, device.sums(q.len())?);
    let kernel = load!(of_two, device, way);
    kernel.launch(&p, &w, &q, &v, limit, &mut total, &mut force, &mut energy, &mut h)?;
    let force: Vec<[f64; 2]> = force.download()?;
    let energy: Vec<f32> = energy.download()?;
    let mut bits = vec![wide(total.download()?)];
    bits.extend(force.into_iter().flatten().map(wide));
    bits.extend(energy.into_iter().map(single));
    bits.extend(h.download()?.into_vec().into_iter().map(wide));
    Ok(bits)
}

/// The same on the host.
pub fn expected_of_sets(rows: &Elements<'_>, columns: &Elements<'_>, limit: f32) -> Bits {
    let (w, v) = (&rows.w, &columns.v);
    let (mut total, mut h) = (Vec::new(), vec![Vec::new(); 3]);
    let mut force = vec![[Vec::new(), Vec::new()]; w.len()];
    let mut energy = vec![Vec::new(); v.len()];
    for (i, j) in (0..w.len()).flat_map(|i| (0..v.len()).map(move |j| (i, j))) {
        if rows.is_close(i, columns.points[j], limit) {
            let weight = f64::from(w[i]) * v[j];
            total.push(weight);
            force[i][0].push(v[j]);
            force[i][1].push(f64::from(w[i]));
            energy[j].push(f64::from(-w[i]));
            h[j % 3].push(weight);
        }
    }
    let mut bits = vec![wide(of_f64(total))];
    bits.extend(force.into_iter().flatten().map(|terms| wide(of_f64(terms))));
    bits.extend(energy.iter().map(|terms| single(of_f32(terms))));
    bits.extend(h.into_iter().map(|terms| wide(of_f64(terms))));
    bits
}
