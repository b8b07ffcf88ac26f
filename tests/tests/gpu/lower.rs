//! Lists and nearest neighbours of large sets with a lower bound over features: tensor cores filter the pairs, and the results are the same
//! as without it, bit for bit.

use td_kernel::Result;

use crate::small::filtered;
use crate::small::nearest::lower_bound::{compare, compare_of_two, uniform};
use crate::{gpu, share_memory};

#[test]
fn large_sets_by_lower_bound() -> Result<()> {
    let (_memory, device) = (share_memory(), gpu());
    for (n, width) in
        [(20_000, 64), (5000, 100), (3000, 1000), (40_000, 16), (20_000, 128), (20_000, 160)]
    {
        let evaluated = compare(&device, "uniform", &uniform(n, n * width), width, 8)?;
        // The first round evaluates all pairs of n / 128 tiles.
        let all = n as u64 * (n as u64 - 1) / 2;
        assert!(u64::from(evaluated) < all / 5, "{n} x {width}: {evaluated} of {all}");
        compare(&device, "uniform", &uniform(n + 1, n * width), width, 100)?;
    }
    compare(&device, "uniform", &uniform(1, 6000 * 40), 40, 256)?;
    Ok(())
}

#[test]
fn large_rectangles_by_lower_bound() -> Result<()> {
    let (_memory, device) = (share_memory(), gpu());
    for (rows, columns, width) in
        [(20_000, 30_000, 64), (100, 200_000, 128), (50_000, 5000, 20), (20_000, 9000, 160)]
    {
        let (q, p) = (uniform(rows, rows * width), uniform(columns + 1, columns * width));
        compare_of_two(&device, "uniform", [&q, &p], width, 10)?;
    }
    Ok(())
}

/// Lists, with the variant that a launch chooses by itself from the kernel's threshold on.
#[test]
fn large_lists_by_lower_bound() -> Result<()> {
    let (_memory, device) = (share_memory(), gpu());
    for (n, width, limit) in [(20_000, 128, 13.0), (20_000, 20, 0.7), (9000, 150, 16.5)] {
        let [found, evaluated] =
            filtered::compare(&device, "large", &uniform(3, n * width), width, limit)?;
        let all = (n * (n - 1) / 2) as u64;
        assert!(found > 1000 && evaluated < all / 20, "{found}, {evaluated} of {all}");
    }
    Ok(())
}
