//! Deterministic sums with the body `lower_bound` over boxes: each pair is added exactly, so that all ways have the bits of the host's sums.

use td_kernel::{Result, Sums, Target, td_kernel};

use super::{Way, sets};
use crate::exactly::{floats, numbers, of_f32, of_f64};

#[td_kernel(deterministic = true, diagonal = true, map = "rb", block = 8)]
unsafe fn of_one(
    #[each] p: &[[f32; 3]],
    #[each] w: &[f32],
    #[each] v: &[f64],
    limit: f32,
    total: &mut Sum<f32>,
    #[each] force: &mut Sums<[f32; 2]>,
    #[each] energy: &mut Sums<f64>,
    h: &mut Histogram<f32>,
) {
    let pair = r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    if (!(x * x + y * y + z * z <= limit))
        return;
    const float weight = w.i * w.j;
    // A pair's terms are first added to each other.
    total += weight;
    total -= w.i;
    force.i.x += weight;
    force.j.y -= w.i;
    energy.j -= v.i;
    h.add(i % 3, weight);
    "#;
    let lower_bound = r#" box_square(p.i, p.j) - limit "#;
}

#[td_kernel(deterministic = true)]
unsafe fn of_two(
    #[row] p: &[[f32; 3]],
    #[row] w: &[f32],
    #[column] q: &[[f32; 3]],
    #[column] v: &[f64],
    limit: f32,
    total: &mut Sum<f64>,
    #[column] energy: &mut Sums<f32>,
) {
    let pair = r#"
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    if (!(x * x + y * y + z * z <= limit))
        return;
    total += w * v;
    energy -= w;
    "#;
    let lower_bound = r#" box_square(p, q) - limit "#;
}

/// The bits of a result, of which a NaN has those of one, and both zeros those of one.
fn bits<T: Into<f64>>(value: T) -> u64 {
    let value: f64 = value.into();
    if value.is_nan() { u64::MAX } else { (value + 0.0).to_bits() }
}

/// Compares the sums of n points, of which each has about so many neighbours, with sums on the host. The weights have many magnitudes; a few
/// are not finite.
pub fn check(device: &Target, way: Way, n: usize, neighbours: f32) -> Result<()> {
    let (points, limit) = (sets::uniform(8, n), (2.0 * sets::radius(n, neighbours)).powi(2));
    let (mut w, mut v) = (floats(n, [-74, 50]), numbers(n, [-536, 450]));
    if n > 60 {
        (w[20], v[20]) = (f32::INFINITY, f64::NAN);
        (w[40], v[60]) = (f32::NEG_INFINITY, f64::INFINITY);
    }
    let is_close = |i: usize, j: usize| {
        let [x, y, z] = [0, 1, 2].map(|d| points[i][d] - points[j][d]);
        x * x + y * y + z * z <= limit
    };
    let (mut total, mut force) = (Vec::new(), vec![[Vec::new(), Vec::new()]; n]);
    let (mut energy, mut h) = (vec![Vec::new(); n], vec![Vec::new(); 3]);
    for (i, j) in
        (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).filter(|(i, j)| is_close(*i, *j))
    {
        let weight = w[i] * w[j];
        total.push(f64::from(weight) - f64::from(w[i]));
        force[i][0].push(f64::from(weight));
        h[i % 3].push(f64::from(weight));
        // A pair (i, i) adds to its element through `.i` only.
        if i != j {
            force[j][1].push(f64::from(-w[i]));
            energy[j].push(-v[i]);
        }
    }
    let mut expected = vec![bits(of_f32(&total))];
    expected.extend(force.iter().flatten().map(|terms| bits(of_f32(terms))));
    expected.extend(energy.into_iter().map(|terms| bits(of_f64(terms))));
    expected.extend(h.iter().map(|terms| bits(of_f32(terms))));
    let place = format!("{way:?}, {n}, {neighbours}, on {}", device.name());
    let (p, on_w, on_v) = (device.upload(&points)?, device.upload(&w)?, device.upload(&v)?);
    let (mut total, mut force, mut energy) = (device.sum()?, device.sums(n)?, device.sums(n)?);
    let mut h = device.histogram(3)?;
    load!(of_one, device, way)
        .launch(&p, &on_w, &on_v, limit, &mut total, &mut force, &mut energy, &mut h)?;
    let mut found = vec![bits(total.download()?)];
    found.extend(force.download()?.into_iter().flatten().map(bits::<f32>));
    found.extend(energy.download()?.into_iter().map(bits::<f64>));
    found.extend(h.download()?.into_vec().into_iter().map(bits::<f32>));
    assert!(found == expected, "{place}");

    let m = n / 3;
    let (mut total, mut energy) = (Vec::new(), vec![Vec::new(); n - m]);
    for (i, j) in (0..n).flat_map(|i| (m..n).map(move |j| (i, j))).filter(|(i, j)| is_close(*i, *j))
    {
        total.push(f64::from(w[i]) * v[j]);
        energy[j - m].push(f64::from(-w[i]));
    }
    let mut expected = vec![bits(of_f64(total))];
    expected.extend(energy.iter().map(|terms| bits(of_f32(terms))));
    let (q, on_v) = (device.upload(&points[m..])?, device.upload(&v[m..])?);
    let (mut total, mut energy): (_, Sums<f32>) = (device.sum()?, device.sums(n - m)?);
    load!(of_two, device, way).launch(&p, &on_w, &q, &on_v, limit, &mut total, &mut energy)?;
    let mut found = vec![bits(total.download()?)];
    found.extend(energy.download()?.into_iter().map(bits::<f32>));
    assert!(found == expected, "two sets, {place}");
    Ok(())
}
