//! The kernels of the page that compares td-kernel with other software.

use td_kernel::{Device, Result, td_kernel};

include!("comparison/distances.rs");
include!("comparison/cosine.rs");
include!("comparison/collisions.rs");
include!("comparison/forces.rs");
include!("comparison/neighbours.rs");
include!("comparison/product.rs");

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
