//! Runs the CUDA source of the roots on the emulator at both ends of each row: rows change nowhere else.

use td_kernel_geometry::{DEFAULT_EPSILON, Root, WIDE, triangle};

use super::{Compiler, build, launch, text};
use crate::backend::KernelSource;

/// The first and the last λ of each of these rows.
fn ends(rows: std::ops::Range<u32>) -> Vec<u64> {
    rows.flat_map(|row| [triangle(row), triangle(row) + u64::from(row)]).collect()
}

/// The rows that the source computes for these λ, with 32 or 64 bits.
fn rows(root: Root, wide: bool, lambdas: &[u64]) -> Vec<u32> {
    let source = format!(
        "{}
        extern \"C\" __global__ void kernel(const unsigned long long *const lambdas, const unsigned int count, unsigned int *const rows)
        {{
            for (unsigned int k = blockIdx.x; k < count; k += gridDim.x)
                rows[k] = {};
        }}",
        root.helper(),
        root.call("lambdas[k]"),
    );
    let text = KernelSource { is_wide: wide, ..text("roots", &source) };
    let program = build::program(&Compiler::find().unwrap(), &text, None).unwrap();
    let mut rows = vec![u32::MAX; lambdas.len()];
    let count = lambdas.len() as u32;
    launch!(program, [64, 1, 1], [1; 3], lambdas.as_ptr(), count, rows.as_mut_ptr()).unwrap();
    rows
}

/// In 32 bits below [`WIDE`]; in 64 bits up to 2^33, in the last rows of the largest grid, and in the last ones that 2^32
/// elements have in the smallest blocks, which `walk` visits.
#[test]
fn exact_root_is_right_at_row_ends() {
    let last_narrow = Root::Exact.row(WIDE - 1);
    let past_33_bits = Root::Exact.row(1 << 33) + 1;
    for (wide, range) in [
        (false, 0..last_narrow + 1),
        (true, 0..past_33_bits),
        (true, 16_777_087 - 1000..16_777_087),
        (true, (1 << 29) - 1000..1 << 29),
    ] {
        let lambdas = ends(range.clone());
        let found = rows(Root::Exact, wide, &lambdas);
        for (k, row) in range.enumerate() {
            let ends = 2 * k..2 * k + 2;
            assert_eq!(found[ends.clone()], [row; 2], "{wide}, λ {:?}", &lambdas[ends]);
        }
    }
}

/// On the CPU, a launch trusts the reference implementation: the source gives the same rows, right or wrong.
#[test]
fn float_roots_match_the_reference() {
    let lambdas = ends(0..Root::Exact.row(u32::MAX.into()));
    for root in Root::NAMES.iter().map(|name| Root::new(name, DEFAULT_EPSILON).unwrap()) {
        if root == Root::Exact {
            continue;
        }
        let found = rows(root, false, &lambdas);
        for (lambda, row) in lambdas.iter().zip(found) {
            assert_eq!(row, root.row(*lambda), "{root}, λ = {lambda}");
        }
        let failure = root.first_failure(0, 1 << 24).unwrap();
        assert!(lambdas.contains(&failure), "{root} fails inside a row: {failure}");
    }
}
