//! Elements with features.

use td_kernel::{Result, td_kernel};

use super::{check, check_of_two, devices, random};

#[td_kernel]
unsafe fn folded(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 10>) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" near.push(sum); "#;
}

#[td_kernel(tile = 32, diagonal = true)]
unsafe fn folded_small(
    #[each] p: &Features<i8>,
    #[fold] sum: i32,
    #[each] near: &mut Nearest<i32, 40>,
) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" near.push(-sum); "#;
}

#[td_kernel(tile = 64)]
unsafe fn folded_of_two(
    #[row] p: &Features<i32>,
    #[column] q: &Features<i32>,
    #[fold] sum: i32,
    #[row] near: &mut Nearest<i32, 7>,
) {
    let feature = r#" sum += abs(p - q); "#;
    let pair = r#" near.push(sum); "#;
}

/// Elements with features, on the CPU and on its emulator.
#[test]
fn features() -> Result<()> {
    for device in devices() {
        for n in [0, 1, 5, 33, 140, 300] {
            let width = 5;
            let numbers: Vec<i32> =
                random(n as u32, 16).map(|x| x as i32 - 8).take(n * width).collect();
            let sum = |i: usize, j: usize, term: fn(i32, i32) -> i32| -> i32 {
                (0..width).map(|k| term(numbers[i * width + k], numbers[j * width + k])).sum()
            };
            let floats: Vec<f32> = numbers.iter().map(|x| *x as f32).collect();
            let mut near = device.nearest(n)?;
            folded::load(&device)?.launch(&device.features(&floats, width)?, &mut near)?;
            check("folded", &near.download()?, n, |i, j| {
                (i != j).then(|| sum(i, j, |a, b| (a - b) * (a - b)) as f32)
            });
            let bytes: Vec<i8> = numbers.iter().map(|x| *x as i8).collect();
            let mut near = device.nearest(n)?;
            folded_small::load(&device)?.launch(&device.features(&bytes, width)?, &mut near)?;
            let of = |i, j| Some(-sum(i, j, |a, b| a * b));
            check("folded_small", &near.download()?, n, of);
            for rows in [0, 1, 70] {
                let queries: Vec<i32> = random(3, 9).map(|x| x as i32).take(rows * width).collect();
                let mut near = device.nearest(rows)?;
                folded_of_two::load(&device)?.launch(
                    &device.features(&queries, width)?,
                    &device.features(&numbers, width)?,
                    &mut near,
                )?;
                let near = near.download()?;
                let of = |i: usize, j: usize| -> i32 {
                    let of = |k| queries[i * width + k] - numbers[j * width + k];
                    (0..width).map(|k| of(k).abs()).sum()
                };
                check_of_two(&near, rows, n, of);
            }
        }
    }
    Ok(())
}
