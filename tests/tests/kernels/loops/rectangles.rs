//! Pairs of two sets, with every kind of parameter and several outputs.

use td_kernel::td_kernel;

use super::{both, whole};

#[td_kernel]
unsafe fn dots(
    #[row] a: &Features<[i8; 4]>,
    #[column] b: &Features<[i8; 4]>,
    weights: &[i32],
    #[row] r: &[i32],
    #[column] c: &[u8],
    shift: i32,
    #[fold] dot: i32,
    out: &mut Matrix<i32>,
    #[row] least: &mut Min<i32>,
    #[column] far: &mut Max<(i32, u32)>,
    #[column] sum: &mut Sum<i64>,
) {
    let feature = r#" dot = __dp4a(a, b, dot) + weights[k]; "#;
    let pair = r#"
    out = dot + r - c + shift + (int)(rows - columns);
    least.offer(out);
    far.offer(out % 11);
    sum += out;
    "#;
}

#[test]
fn rectangles() {
    for [rows, columns] in [[1, 1], [3, 70], [70, 3], [129, 64], [300, 33]] {
        for width in [1, 400].into_iter().take(if rows * columns > 9000 { 1 } else { 2 }) {
            let [cpu, emulator] = both(|device| {
                let of = |n: usize, seed: usize| {
                    let values: Vec<_> =
                        whole(4 * n * width, seed).map(|each| each as i8 - 50).collect();
                    let values: Vec<[i8; 4]> = values.as_chunks().0.to_vec();
                    device.features(&values, width)
                };
                let weights = device.upload(&whole(width, 9).map(i32::from).collect::<Vec<_>>())?;
                let r = device.upload(&whole(rows, 10).map(i32::from).collect::<Vec<_>>())?;
                let c = device.upload(&whole(columns, 11).collect::<Vec<_>>())?;
                let mut out = device.matrix(rows, columns)?;
                let (mut least, mut far, mut sum) =
                    (device.minima(rows)?, device.maxima(columns)?, device.sums(columns)?);
                dots::load(device)?.launch(
                    &of(rows, 6)?,
                    &of(columns, 7)?,
                    &weights,
                    &r,
                    &c,
                    -5,
                    &mut out,
                    &mut least,
                    &mut far,
                    &mut sum,
                )?;
                Ok((out.download()?, least.download()?, far.download()?, sum.download()?))
            });
            assert_eq!(cpu, emulator, "{rows} {columns} {width}");
        }
    }
}
