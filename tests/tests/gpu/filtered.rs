//! Lists, sums and results of elements with the body `lower_bound`: the results equal those of kernels without it.

use td_kernel::Result;
use td_kernel_tests::filtered::usual;

use crate::small::filtered::uniform;
use crate::{gpu, share_memory};

/// With the variant that a launch chooses by itself, from the kernel's threshold on.
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
