//! Nearest neighbours of large sets with a lower bound: tensor cores filter the pairs, and the neighbours are the same as
//! without it, bit for bit.

use td_kernel::Result;

use crate::small::nearest::lower_bound::{hundred, most, ten, uniform};
use crate::small::nearest::lower_bound_rect;
use crate::{gpu, share_memory};

#[test]
fn large_sets_by_lower_bound() -> Result<()> {
    let _memory = share_memory();
    let device = gpu();
    for (n, width) in
        [(20_000, 64), (5000, 100), (3000, 1000), (40_000, 16), (20_000, 128), (20_000, 160)]
    {
        let evaluated = ten::compare("uniform", &device, &uniform(n, n * width), width)?;
        // The first round evaluates all pairs of n / 128 tiles.
        let all = n as u64 * (n as u64 - 1) / 2;
        assert!(u64::from(evaluated) < all / 5, "{n} x {width}: {evaluated} of {all}");
        hundred::compare("uniform", &device, &uniform(n + 1, n * width), width)?;
    }
    most::compare("uniform", &device, &uniform(1, 6000 * 40), 40)?;
    Ok(())
}

#[test]
fn large_rectangles_by_lower_bound() -> Result<()> {
    let _memory = share_memory();
    for (rows, columns, width) in
        [(20_000, 30_000, 64), (100, 200_000, 128), (50_000, 5000, 20), (20_000, 9000, 160)]
    {
        let (q, p) = (uniform(rows, rows * width), uniform(columns + 1, columns * width));
        lower_bound_rect::ten::compare("uniform", &gpu(), [&q, &p], width)?;
    }
    Ok(())
}
