//! For the tests of a crate with kernels: checks that all kernels compile and give correct results, without a GPU.
//!
//! [`compile_all`] compiles every kernel of the crate with NVRTC, and returns the registers and memory that each uses on a GPU,
//! as [`functions`] does for one source.
//!
//! These functions run a kernel on the CPU, once for each variant that a launch could choose:
//!
//! - [`packed()`], [`square()`], [`matrix()`], [`sum()`], [`pairs()`] and [`pairs_with_values()`] compare the results with a
//!   closure over all pairs;
//! - [`max`] and [`min`] compare with the extreme of the values that such a closure gives;
//! - [`histogram`](histogram()) compares with the bin that such a closure gives for each pair;
//! - [`nearest`](nearest()) and [`nearest_k`] compare with the neighbours that brute force finds by such a closure;
//! - [`given()`] compares the values that a launch over given pairs stores with a closure over these pairs;
//! - [`packed_sets`] and [`matrix_sets`], and for elements with features [`packed_feature_sets`] and [`matrix_feature_sets`],
//!   compare the values of the pairs of many sets with a closure over these pairs, and [`nearest_sets`] and [`nearest_row_sets`]
//!   the nearest neighbours;
//! - [`sums`], [`minima`] and [`maxima`] compare with a closure over the elements;
//! - [`reduce`](reduce()) compares states with such a closure, in several orders of joins.
//!
//! Their first argument is the number of elements; for a kernel of two sets, `(rows, columns)`. A closure over pairs gets i > j,
//! or the row and the column.
//!
//! ```
//! use td_kernel::{td_kernel, testing};
//!
//! #[td_kernel]
//! unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
//!     r#" distance = fabsf(x.i - x.j); "#
//! }
//!
//! // In the crate's own tests: `#[test] fn distances() -> Result<(), testing::Failure> {`
//! # fn main() -> Result<(), testing::Failure> {
//! let x: Vec<f32> = (0..100).map(|k| (k * k) as f32).collect();
//! testing::packed(x.len(), |device, distances| {
//!     distance::load(device)?.launch(&device.upload(&x)?, distances)
//! })?
//! .within(1e-6, |i, j| (x[i] - x[j]).abs())
//! # }
//! ```

mod compile;
mod elements;
mod extreme;
mod given;
mod histogram;
mod lists;
mod machine;
mod near;
mod nearest;
mod reduce;
mod results;
mod run;
mod sets;
#[cfg(test)]
mod tests;
mod trial;
mod words;

#[doc(hidden)]
pub use compile::Registered;
pub use compile::{Checked, compile_all, compile_all_allowing, functions};
pub use elements::{ElementResults, maxima, minima, sums};
pub use extreme::{ExtremeOfPairs, max, min};
pub use given::given;
pub use histogram::{Binned, histogram};
pub use lists::{Listed, ListedValues};
pub use machine::Function;
pub use near::Near;
pub use nearest::{Ranked, RankedInSets, nearest, nearest_k, nearest_row_sets, nearest_sets};
pub use reduce::reduce;
pub use results::{Stored, Total};
pub use run::{matrix, packed, pairs, pairs_with_values, square, sum};
pub use sets::{StoredInSets, matrix_feature_sets, matrix_sets, packed_feature_sets, packed_sets};

use crate::Error;
use crate::error::counted;
use words::wanted;

/// Why a test of kernels failed.
///
/// ```
/// use td_kernel::testing::{self, Failure};
///
/// // No architecture is named.
/// match testing::compile_all(&[]) {
///     Err(Failure::NoArchitectures) => {}
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// There is nothing to compile for.
    #[error(
        "the list of architectures is empty: pass those of your GPUs, such as 90 for compute capability 9.0"
    )]
    NoArchitectures,

    /// NVRTC does not support an architecture, or it is older than any that kernels support.
    #[error(
        "kernels cannot be compiled for sm_{architecture}: pass one of {known:?}, which this NVRTC supports (90 is compute capability 9.0, and the oldest for kernels is 6.0)"
    )]
    #[non_exhaustive]
    UnknownArchitecture {
        /// The given architecture.
        architecture: u32,
        /// The supported architectures.
        known: Vec<u32>,
    },

    /// There is nothing to compile.
    #[error(
        "found no kernels: call `compile_all` from a unit test of the crate that defines the kernels; it does not find the kernels of other crates, or those of a library from its `tests` folder"
    )]
    NoKernels,

    /// Some kernels do not compile.
    #[error(
        "{failed} of {} failed:\n\n{}{}",
        counted(*compilations, "compilation"),
        paragraphs(errors),
        also(*warned, warnings)
    )]
    #[non_exhaustive]
    Compile {
        /// The compiler's errors, each mistake once.
        errors: Vec<Error>,
        /// The number of failures.
        failed: usize,
        /// The number of compilations: one for each source of each kernel and each architecture.
        compilations: usize,
        /// The warnings that are not allowed, of kernels that compile, without repetitions.
        warnings: Vec<String>,
        /// The number of compilations with such warnings.
        warned: usize,
    },

    /// Some kernels compile with warnings that are not allowed.
    #[error(
        "warnings of {warned} of {}:\n\n{}\n\nto allow some of them, call `compile_all_allowing`",
        counted(*compilations, "compilation"),
        warnings.join("\n\n")
    )]
    #[non_exhaustive]
    Warnings {
        /// The warnings of each kernel, without repetitions.
        warnings: Vec<String>,
        /// The number of compilations with warnings.
        warned: usize,
        /// The number of compilations: one for each source of each kernel and each architecture.
        compilations: usize,
    },

    /// The closure that runs a kernel launched none with the given output.
    #[error(
        "the closure did not launch a kernel with the output of this run: call `name::load(device)?.launch(…)` with the closure's device and output"
    )]
    NothingLaunched,

    /// A kernel gave a wrong value.
    #[error(
        "kernel `{kernel}` ({variant}): pair ({}, {}){} {}, but {}; {wrong} of {all} values are wrong",
        pair[0],
        pair[1],
        set.map_or(String::new(), |set| format!(" of set {set}")),
        words::given(found),
        wanted(expected)
    )]
    #[non_exhaustive]
    Differs {
        /// The kernel.
        kernel: &'static str,
        /// The variant, by map, sweep and tile.
        variant: Box<str>,
        /// The pair's set, for a kernel over many sets.
        set: Option<usize>,
        /// The first wrong pair, as (i, j); for a square or a matrix, the row and the column.
        pair: [usize; 2],
        /// The value found.
        found: Box<str>,
        /// The value expected.
        expected: Box<str>,
        /// The number of wrong values.
        wrong: usize,
        /// The number of values.
        all: usize,
    },

    /// A kernel gave an element a wrong result.
    #[error(
        "kernel `{kernel}` ({variant}): element {element}{} got {found}, but {expected} was expected; {wrong} of {all} results are wrong",
        set.map_or(String::new(), |set| format!(" of set {set}"))
    )]
    #[non_exhaustive]
    WrongElement {
        /// The kernel.
        kernel: &'static str,
        /// The variant, by map, sweep and tile.
        variant: Box<str>,
        /// The set of the element, of a kernel over many sets with nearest neighbours.
        set: Option<usize>,
        /// The first element with a wrong result. With a set, it counts its elements.
        element: usize,
        /// The result found.
        found: Box<str>,
        /// The result expected.
        expected: Box<str>,
        /// The number of wrong results.
        wrong: usize,
        /// The number of results.
        all: usize,
    },

    /// A total is not the sum over all pairs.
    #[error("kernel `{kernel}` ({variant}): the total is {found}, but {expected} was expected")]
    #[non_exhaustive]
    WrongTotal {
        /// The kernel.
        kernel: &'static str,
        /// The variant, by map, sweep and tile.
        variant: Box<str>,
        /// The total.
        found: Box<str>,
        /// The total expected.
        expected: Box<str>,
    },

    /// An extreme is not that of all pairs.
    #[error("kernel `{kernel}` ({variant}): it found {found}, but {expected} was expected")]
    #[non_exhaustive]
    WrongExtreme {
        /// The kernel.
        kernel: &'static str,
        /// The variant, by map, sweep and tile.
        variant: Box<str>,
        /// The value and pair found.
        found: Box<str>,
        /// The ones expected.
        expected: Box<str>,
    },

    /// A bin of a histogram does not have its pairs.
    #[error(
        "kernel `{kernel}` ({variant}): {} {found}, but {expected} was expected; {wrong} of {all} bins are wrong, with the pairs outside as one",
        bin.map_or("outside of all bins are".to_owned(), |bin| format!("bin {bin} has"))
    )]
    #[non_exhaustive]
    WrongBin {
        /// The kernel.
        kernel: &'static str,
        /// The variant, by map, sweep and tile.
        variant: Box<str>,
        /// The first wrong bin; `None` for the pairs outside of all bins.
        bin: Option<usize>,
        /// The count or weight found.
        found: Box<str>,
        /// The one expected.
        expected: Box<str>,
        /// The number of wrong bins.
        wrong: usize,
        /// The number of bins, and one for the pairs outside.
        all: usize,
    },

    /// The kernel did not run.
    #[error(transparent)]
    Run(#[from] Error),
}

fn paragraphs(errors: &[Error]) -> String {
    errors.iter().map(Error::to_string).collect::<Vec<_>>().join("\n\n")
}

/// Warnings beside errors, so that both can be fixed before the next run.
fn also(warned: usize, warnings: &[String]) -> String {
    match warned {
        0 => String::new(),
        _ => {
            let others = counted(warned, "other compilation");
            format!("\n\nwarnings of {others}:\n\n{}", warnings.join("\n\n"))
        }
    }
}

// Tests print `Debug` for people to read, so it equals `Display`.
impl std::fmt::Debug for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
