//! Bodies that round doubles to floats, in which the square of a small distance is zero.

use td_kernel::{Nearest, Result, Target, td_kernel};

use super::Way;

#[td_kernel]
unsafe fn within(#[each] p: &[f64], cutoff: f32, list: &mut Pairs) {
    let pair = r#"
    const float d = (float)p.i - (float)p.j;
    if (sqrtf(d * d) <= cutoff)
        list.push();
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - cutoff "#;
}

#[td_kernel]
unsafe fn on_sphere(#[each] p: &[[f64; 2]], cutoff: f32, list: &mut Pairs) {
    let pair = r#"
    const float x = sinf(((float)p.i.x - (float)p.j.x) / 2), y = sinf(((float)p.i.y - (float)p.j.y) / 2);
    if (2 * asinf(sqrtf(x * x + cosf(p.i.x) * cosf(p.j.x) * y * y)) <= cutoff)
        list.push();
    "#;
    let lower_bound = r#" sphere_distance(p.i, p.j) - cutoff "#;
}

#[td_kernel]
unsafe fn nearest(#[each] p: &[f64], #[each] near: &mut Nearest<f32, 3>) {
    let pair = r#"
    const float d = (float)p.i - (float)p.j;
    near.push(d * d);
    "#;
    let lower_bound = r#" box_square(p.i, p.j) "#;
}

/// Elements at two places, whose distance is more than the cutoff, but zero in the bodies: all pairs are near, and the nearest
/// ones of an element are those with the least indices.
pub fn check(device: &Target, way: Way, n: usize) -> Result<()> {
    let place = format!("{n}, {way:?}, {}", device.name());
    let p: Vec<f64> = (0..n).map(|k| (k % 2) as f64 * 1e-24).collect();
    let points: Vec<[f64; 2]> = p.iter().map(|x| [*x, 0.0]).collect();
    let p = device.upload(&p)?;
    let mut list = device.pairs(n * n)?;
    load!(within, device, way).launch(&p, 1e-25, &mut list)?;
    assert_eq!(list.download()?.len(), n * (n - 1) / 2, "{place}");
    list.clear()?;
    load!(on_sphere, device, way).launch(&device.upload(&points)?, 1e-25, &mut list)?;
    assert_eq!(list.download()?.len(), n * (n - 1) / 2, "sphere, {place}");
    let mut near: Nearest<f32, 3> = device.nearest(n)?;
    load!(nearest, device, way).launch(&p, &mut near)?;
    let near = near.download()?;
    for element in 0..n {
        let expected: Vec<u32> = (0..n as u32).filter(|k| *k != element as u32).take(3).collect();
        let found = near.row(element).map(|(indices, _)| indices);
        assert_eq!(found, Some(&expected[..]), "{element} of {place}");
    }
    Ok(())
}
