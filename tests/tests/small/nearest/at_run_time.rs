//! A number of neighbours that a launch sets, of one set and of two, with and without features and a lower bound.

use td_kernel::{Devices, PartialResult, Result, Target, td_kernel};

use super::{check, check_of_two, devices, random};

#[td_kernel]
unsafe fn of_one(#[each] x: &[u32], #[each] near: &mut Nearest<u32>) {
    r#" near.push(x.i > x.j ? x.i - x.j : x.j - x.i); "#
}

#[td_kernel]
unsafe fn of_two(#[row] x: &[u32], #[column] y: &[u32], #[row] near: &mut Nearest<i32>) {
    r#" near.push(abs((int)x - (int)y)); "#
}

#[td_kernel]
unsafe fn of_features(
    #[each] x: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32>,
) {
    let feature = r#" float d = x.i - x.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower_bound = r#" norm.i + norm.j - 2 * dot_upper "#;
}

/// Each of the sizes for which kernels are compiled, and numbers between them.
const NUMBERS: [usize; 8] = [1, 8, 9, 20, 33, 100, 200, 256];

fn search(target: &Target, n: usize, numbers: &[usize]) -> Result<()> {
    let x: Vec<u32> = random(7, 5000).take(n).collect();
    let features: Vec<f32> = random(9, 20).take(3 * n).map(|x| x as f32).collect();
    let row = |i: usize| &features[3 * i..3 * i + 3];
    let norms: Vec<f32> = (0..n).map(|i| row(i).iter().map(|x| x * x).sum()).collect();
    let square = |i, j| row(i).iter().zip(row(j)).map(|(a, b)| (a - b) * (a - b)).sum();
    let (x_there, norm) = (target.upload(&x)?, target.upload(&norms)?);
    let p = target.features(&features, 3)?;
    let y = target.upload(&x[..n / 2])?;
    for &k in numbers {
        let what = format!("{k} neighbours, on {}", target.name());
        let mut near = target.nearest_k(n, k)?;
        of_one::load(target)?.launch(&x_there, &mut near)?;
        check(&what, &near.download()?, n, |i, j| (i != j).then(|| x[i].abs_diff(x[j])));
        assert_eq!(near.finish(&near.to_bits()?)?, near.download()?, "{what}");
        let mut near = target.nearest_k(n, k)?;
        of_two::load(target)?.launch(&x_there, &y, &mut near)?;
        check_of_two(&near.download()?, n, n / 2, |i, j| x[i].abs_diff(x[j]) as i32);
        let mut near = target.nearest_k(n, k)?;
        of_features::load(target)?.launch(&p, &norm, &mut near)?;
        check(&what, &near.download()?, n, |i, j| (i != j).then(|| square(i, j)));
    }
    Ok(())
}

#[test]
fn any_number_of_neighbours() -> Result<()> {
    for device in devices() {
        search(&device, 300, &NUMBERS)?;
        search(&device, 5, &[2, 7])?;
        let several = Devices::new([device.clone(), device.clone(), device.clone()])?;
        search(&several, 300, &[3, 40])?;
    }
    Ok(())
}

#[test]
fn wrong_numbers_are_refused() {
    let device = devices().remove(0);
    for k in [0, 257] {
        let error = device.nearest_k::<f32>(3, k).unwrap_err().to_string();
        assert!(error.contains(&format!("not {k}")), "{error}");
    }
    let error = device.nearest::<f32, 0>(3).unwrap_err().to_string();
    assert!(error.contains("`device.nearest_k(n, k)`"), "{error}");
}
