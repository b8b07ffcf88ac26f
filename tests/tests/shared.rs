//! The shared memory that the runtime states for a kernel, which rustc checks, equals that of the compiled code.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use object::{Object, ObjectSection};
use rayon::prelude::*;
use td_kernel::__private::Variant;
use td_kernel::Device;
use td_kernel::nvrtc::{self, Code};
use td_kernel_geometry::SWEEPS;
use td_kernel_tests::OPTIONS;
use td_kernel_tests::catalogue;
use td_kernel_tests::parallel::CheckEach;

/// Kernels of the catalogue that use all their shared memory: a compiler removes what is never read.
const NAMES: &str = "
    totals totals_of_blocks totals_of_threads totals_of_walk lists square bytes structs two_squares three_squares
    one_square large_list folds_of_several mixed slots_and_results results_of_small_tiles results_of_blocks rows_of_two
    matrices cells crossed folded folded_square folds_of_doubles folds_of_four_of_two folds_of_vectors folds_with_diagonal
    nearest nearest_column nearest_of_all nearest_row_one_by_one nearest_by_features
";

/// The shared memory of the code, in bytes: the size of its section. On GPUs from sm_80 on, this includes 1 KiB for the driver.
fn compiled(entry: &str, text: &str) -> usize {
    let Code::Cubin(code) = nvrtc::compile(entry, text, OPTIONS, 75).unwrap().code else {
        unreachable!()
    };
    let file = object::File::parse(&*code).unwrap();
    let name = format!(".nv.shared.{entry}_kernel");
    file.section_by_name(&name).map_or(0, |section| section.size() as usize)
}

#[test]
fn reported_shared_memory_is_right() {
    let device = Device::cpu().unwrap();
    let mut all = catalogue::all();
    all.retain(|entry| NAMES.split_whitespace().any(|name| name == entry.name));
    assert_eq!(all.len(), NAMES.split_whitespace().count());
    let sweeps = all.par_iter().check_each(|entry| {
        let kernel = (entry.kernel)(&device).unwrap();
        let variants = kernel.info().variants.iter().map(|variant| {
            let Variant { source, tiling, shared, .. } = variant;
            let source = &source.text();
            let found = compiled(entry.name, source);
            // Between two arrays the compiler adds padding for the alignment of the second one.
            let most = shared + 16 * source.matches("__shared__ ").count();
            assert!(
                (*shared..=most).contains(&found),
                "{} ({}): {shared} bytes are said, and the code has {found}",
                entry.name,
                tiling.sweep
            );
            tiling.sweep.name()
        });
        variants.collect::<BTreeSet<_>>()
    });
    let sweeps: BTreeSet<_> = sweeps.into_iter().flatten().collect();
    assert!(SWEEPS.iter().all(|sweep| sweeps.contains(sweep.name())), "{sweeps:?}");
}
