//! Lists, sums and results of elements with the text `lower`: what is found is what the kernels without it find.

use td_kernel::Result;
use td_kernel_tests::filtered::every::{find_of_one, find_of_two};
use td_kernel_tests::filtered::{find_alike, of_small_tiles, usual, with_diagonal};

use crate::{gpu, share_memory};

/// Numbers from -0.5 to 0.5.
fn uniform(seed: u32, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    std::iter::repeat_with(next).take(count).collect()
}

#[test]
fn small_sets_of_every_width() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    for n in [1, 2, 129, 700] {
        let values = uniform(n as u32, n * 7);
        usual::compare("small", &device, &values, 7, 0.5)?;
        with_diagonal::compare("small", &device, &values, 7, 0.5)?;
        of_small_tiles::compare("small", &device, &values, 7, 0.5)?;
    }
    for width in [1, 3, 64, 65, 128, 150, 200] {
        let values = uniform(width as u32, 300 * width);
        let limit = 0.1 * width as f32;
        usual::compare("small", &device, &values, width, limit)?;
        // All pairs are left, and a block's list is full again and again.
        usual::compare("small", &device, &values, width, f32::INFINITY)?;
    }
    Ok(())
}

#[test]
fn small_rectangles() -> Result<()> {
    let _shared = share_memory();
    for (rows, columns, width) in [(1, 1, 1), (5, 300, 7), (300, 5, 7), (300, 700, 130)] {
        let (q, p) = (uniform(1, rows * width), uniform(2, columns * width));
        let least = 0.1 * (width as f32).sqrt();
        let find = |text, band| find_alike(&gpu(), text, [&q, &p], width, least, band);
        assert_eq!(find(None, None)?, find(Some(0), None)?, "{rows} x {columns} x {width}");
        let band = rows / 3..rows;
        assert_eq!(find(None, Some(band.clone()))?, find(Some(0), Some(band))?);
    }
    Ok(())
}

#[test]
fn small_outputs_of_every_kind() -> Result<()> {
    let _shared = share_memory();
    for (n, width) in [(300, 5), (290, 70)] {
        let values = uniform(21, n * width);
        let find =
            |text| find_of_one(&gpu(), text, &values, width, 0.1 * (width as f32).sqrt(), n * n);
        assert_eq!(find(None)?, find(Some(0))?, "{n} x {width}");
    }
    let (q, p) = (uniform(22, 260 * 9), uniform(23, 400 * 9));
    for band in [None, Some(0..1), Some(130..257)] {
        let find = |text| find_of_two(&gpu(), text, [&q, &p], 9, 0.6, band.clone());
        assert_eq!(find(None)?, find(Some(0))?, "{band:?}");
    }
    Ok(())
}

/// As a launch without a choice of its own has them, from the kernel's own rule on.
#[test]
fn large_sets() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    for (n, width, limit) in [(20_000, 128, 13.0), (20_000, 20, 0.7), (9000, 150, 16.5)] {
        let values = uniform(3, n * width);
        let [found, evaluated] = usual::compare("large", &device, &values, width, limit)?;
        let all = (n * (n - 1) / 2) as u64;
        assert!(found > 1000 && evaluated < all / 20, "{found}, {evaluated} of {all}");
    }
    Ok(())
}

#[test]
fn large_ranges_of_rows() -> Result<()> {
    let _shared = share_memory();
    let (device, n, width) = (gpu(), 9000, 40);
    let values = uniform(4, n * width);
    for rows in [0..9000, 1000..1001, 5000..9000] {
        let find = |text| usual::find(&device, text, &values, width, 2.5, Some(rows.clone()));
        let ((found, evaluated), (expected, all)) = (find(None)?, find(Some(0))?);
        assert!(found == expected && (evaluated < all / 4 || all < 2000), "{rows:?}: {evaluated}");
    }
    Ok(())
}
