//! Pairs of two sets.

use td_kernel::td_kernel;
use td_kernel_tests::both::both;

use super::{Body, bodies, floats, points};

#[td_kernel]
unsafe fn costs(
    #[row] a: &[[f32; 2]],
    #[column] b: &[[f32; 2]],
    #[row] r: &[Body],
    #[column] s: &[f32],
    cost: &mut Matrix<f32>,
    close: &mut Pairs<u8>,
    #[row] least: &mut Min<(f32, u32)>,
    #[column] most: &mut Max<f32>,
    #[column] degree: &mut Sum<i64>,
) {
    r#"
    cost = fabsf(a.x - b.x) * fabsf(a.y - b.y) + s * r.at[1] + (float)(rows - columns);
    least.offer(cost);
    most.offer(cost);
    degree += (int)i - (int)j;
    if (r.kind % 2)
        close.push(r.kind);
    "#
}

#[test]
fn rectangles_have_the_same_bits() {
    for [rows, columns] in [[0, 3], [3, 0], [1, 1], [3, 300], [300, 3], [129, 64], [257, 4100]] {
        let [cpu, emulator] = both(|device| {
            let (a, b) =
                (device.upload(&points::<2>(rows, 1))?, device.upload(&points::<2>(columns, 2))?);
            let (r, s) = (device.upload(&bodies(rows))?, device.upload(&floats(columns, 3))?);
            let kernel = costs::load(device)?;
            let mut found = Vec::new();
            for band in [0..rows / 2, rows / 2..rows, 0..rows] {
                let mut cost = device.matrix_rows(rows, columns, band.clone())?;
                let mut close = device.pairs(rows * columns + 1)?;
                let (mut least, mut most, mut degree) =
                    (device.minima(rows)?, device.maxima(columns)?, device.sums(columns)?);
                kernel.rows(band).launch(
                    &a,
                    &b,
                    &r,
                    &s,
                    &mut cost,
                    &mut close,
                    &mut least,
                    &mut most,
                    &mut degree,
                )?;
                let close = close.download()?;
                let mut listed: Vec<_> = close.iter().map(|each| format!("{each:?}")).collect();
                listed.sort_unstable();
                found.push((
                    cost.download()?,
                    listed,
                    least.download()?,
                    most.download()?,
                    degree.download()?,
                ));
            }
            Ok(found)
        });
        assert!(cpu == emulator, "{rows} {columns}");
    }
}
