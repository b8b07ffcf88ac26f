//! The nearest neighbours in another set.

use td_kernel::{Result, td_kernel};

use super::{check_of_two, random, simt};

macro_rules! of_two {
    ($($name:ident: $keys:tt;)*) => {$(
        #[td_kernel $keys]
        pub(crate) unsafe fn $name(#[row] a: &[i32], #[column] b: &[i32], order: i32, #[row] near: &mut Nearest<i32, 7>) {
            r#" near.push(order == 0 ? abs(a - b) : order == 1 ? -(int)j : 3); "#
        }
    )*};
}

of_two! {
    queries: ();
    queries_of_small_tiles: (tile = 32);
    queries_one_by_one: (block = 16);
}

#[test]
fn rectangles() -> Result<()> {
    let device = simt();
    for (rows, columns) in [(0, 5), (5, 0), (1, 1), (3, 200), (200, 3), (65, 130), (300, 300)] {
        let a: Vec<i32> = random(rows as u32, 500).map(|x| x as i32).take(rows).collect();
        let b: Vec<i32> = random(columns as u32 + 9, 500).map(|x| x as i32).take(columns).collect();
        let (on_a, on_b) = (device.upload(&a)?, device.upload(&b)?);
        for order in 0..3 {
            let of = |i: usize, j: usize| match order {
                0 => (a[i] - b[j]).abs(),
                1 => -(j as i32),
                _ => 3,
            };
            for text in 0..3 {
                let mut near = device.nearest(rows)?;
                match text {
                    0 => queries::load(&device)?.launch(&on_a, &on_b, order, &mut near)?,
                    1 => queries_of_small_tiles::load(&device)?
                        .launch(&on_a, &on_b, order, &mut near)?,
                    _ => {
                        queries_one_by_one::load(&device)?
                            .launch(&on_a, &on_b, order, &mut near)?;
                    }
                }
                check_of_two(&near.download()?, rows, columns, of);
            }
        }
    }
    Ok(())
}
