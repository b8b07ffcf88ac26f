//! The kernels of the page that compares td-kernel with other software.

use td_kernel::{Device, Result, td_kernel};

// ANCHOR: distances
#[td_kernel]
unsafe fn distances(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    distance = sqrtf(x * x + y * y + z * z + w * w);
    "#
}
// ANCHOR_END: distances

// ANCHOR: cosine
#[td_kernel]
unsafe fn cosine(
    #[each] p: &Features<f32>,
    #[dot] dot: f32,
    #[each] norm: &[f32],
    cosine: &mut Packed<f32>,
) {
    r#" cosine = dot / (norm.i * norm.j); "#
}
// ANCHOR_END: cosine

// ANCHOR: collisions
#[td_kernel]
unsafe fn collisions(#[each] p: &[[f32; 4]], touching: &mut Sum<u64>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, reach = p.i.w + p.j.w;
    if (x * x + y * y + z * z <= reach * reach) touching += 1;
    "#
}
// ANCHOR_END: collisions

// ANCHOR: forces
#[td_kernel]
unsafe fn forces(#[each] p: &[[f32; 4]], #[each] pull: &mut Sums<[f32; 3]>) {
    r#"
    float x = p.j.x - p.i.x, y = p.j.y - p.i.y, z = p.j.z - p.i.z;
    float w = rsqrtf(x * x + y * y + z * z + 1e-4f), cube = w * w * w;
    float by_j = p.j.w * cube, by_i = p.i.w * cube;
    pull.i += make_float3(by_j * x, by_j * y, by_j * z);
    pull.j -= make_float3(by_i * x, by_i * y, by_i * z);
    "#
}
// ANCHOR_END: forces

// ANCHOR: neighbours
#[td_kernel]
unsafe fn neighbours(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) "#; // may be left out
}
// ANCHOR_END: neighbours

// ANCHOR: product
#[td_kernel(diagonal = true)]
unsafe fn product(
    #[each] p: &[[f32; 4]],
    #[each] v: &[f32],
    scale: f32,
    #[each] product: &mut Sums<f32>,
) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    float k = expf(-scale * (x * x + y * y + z * z + w * w));
    product.i += k * v.j;
    product.j += k * v.i;
    "#
}
// ANCHOR_END: product

const N: usize = 60;

/// Points, or spheres with a radius, in a cube.
fn points() -> Vec<[f32; 4]> {
    let part = |at: usize, step: usize| (at * step % 101) as f32 / 101.0;
    (0..N).map(|at| [part(at, 37), part(at, 53), part(at, 71), 0.05 + 0.1 * part(at, 29)]).collect()
}

fn square(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum()
}

fn is_near(value: f32, expected: f64) -> bool {
    (f64::from(value) - expected).abs() <= 1e-4 * (1.0 + expected.abs())
}

#[test]
fn values_of_pairs() -> Result<()> {
    let (device, points) = (Device::cpu()?, points());
    let norms: Vec<f32> = points.iter().map(|p| square(p, &[0.0; 4]).sqrt() as f32).collect();
    let (p, norm) = (device.upload(&points)?, device.upload(&norms)?);
    let mut result = device.packed(N)?;
    distances::load(&device)?.launch(&p, &mut result)?;
    for ((i, j), value) in &result.download()? {
        assert!(is_near(*value, square(&points[i], &points[j]).sqrt()));
    }
    let features = device.features_from_rows(&points)?;
    cosine::load(&device)?.launch(&features, &norm, &mut result)?;
    for ((i, j), value) in &result.download()? {
        let dot: f64 =
            points[i].iter().zip(&points[j]).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        assert!(is_near(*value, dot / f64::from(norms[i] * norms[j])));
    }
    Ok(())
}

#[test]
fn results_of_elements() -> Result<()> {
    let (device, points) = (Device::cpu()?, points());
    let p = device.upload(&points)?;
    let (mut touching, mut pull) = (device.sum()?, device.sums(N)?);
    collisions::load(&device)?.launch(&p, &mut touching)?;
    forces::load(&device)?.launch(&p, &mut pull)?;
    let v: Vec<f32> = (0..N).map(|at| at as f32 / N as f32).collect();
    let mut sums = device.sums(N)?;
    product::load(&device)?.launch(&p, &device.upload(&v)?, 2.0, &mut sums)?;
    let norms: Vec<f32> = points.iter().map(|p| square(p, &[0.0; 4]) as f32).collect();
    let mut near = device.nearest(N)?;
    let features = device.features_from_rows(&points)?;
    neighbours::load(&device)?.launch(&features, &device.upload(&norms)?, &mut near)?;

    let (pull, sums, near) = (pull.download()?, sums.download()?, near.download()?);
    let mut expected_touching = 0;
    for (i, p) in points.iter().enumerate() {
        let (mut force, mut sum) = ([0.0; 3], 0.0);
        for (j, q) in points.iter().enumerate() {
            let places = square(&p[..3], &q[..3]);
            expected_touching += u64::from(j < i && places.sqrt() <= f64::from(p[3] + q[3]));
            let strength = f64::from(q[3]) * (places + 1e-4).powf(-1.5);
            for axis in 0..3 {
                force[axis] += strength * f64::from(q[axis] - p[axis]);
            }
            sum += (-2.0 * square(p, q)).exp() * f64::from(v[j]);
        }
        assert!((0..3).all(|axis| is_near(pull[i][axis], force[axis])), "{i}");
        assert!(is_near(sums[i], sum), "{i}");
        let mut squares: Vec<_> =
            points.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, q)| square(p, q)).collect();
        squares.sort_by(f64::total_cmp);
        let (_, found) = near.row(i).unwrap();
        assert!(found.len() == 10 && found.iter().zip(&squares).all(|(a, b)| is_near(*a, *b)));
    }
    assert_eq!(touching.download()?, expected_touching);
    Ok(())
}
