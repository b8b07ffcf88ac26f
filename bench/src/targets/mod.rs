//! The targets of the generated kernels: the time of each work compared with its floor or with another way, taken in the same
//! rounds of one run, with checked results. A target is a line of the table.

mod bytes;
mod columns;
mod farthest;
pub(crate) mod folds;
pub(crate) mod forces;
mod given;
mod histograms;
mod issue;
pub(crate) mod near;
pub(crate) mod neighbours;
pub(crate) mod others;
mod over_features;
mod packed;
mod reduce;
mod set_neighbours;
pub(crate) mod sets;
mod together;
mod two_sets;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use self::columns::{beside_floor, times_16, times_32, times_64};
use self::folds::{
    dot, floor, packed_distance, packed_dot, packed_product, product, quick_distance, quick_square,
    torch,
};
use self::neighbours::{by_products, by_products_with_lower, hundred, topk, topk_of};
use self::packed::{Six, counted, distances, listed, values};
use self::two_sets::nearest;
use crate::kernels::{
    packed_1, packed_2, packed_3, packed_4, square_2, square_4, square_of_distance,
};
use crate::measure::gpu::Gpu;
use crate::measure::times::Times;
use crate::results::Bound::{self, AtLeast, AtMost, Cost, Gain};
use crate::results::{Record, Results, Run};
use crate::subject::{InMatrix, InPacked, InSquare};

#[derive(Args)]
pub(crate) struct Options {
    /// The Python that has torch, Triton, KeOps and SciPy
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    #[command(flatten)]
    run: Run,
}

/// The input of a measurement.
struct Setting {
    gpu: Gpu,
    python: PathBuf,
    n: usize,
    features: usize,
    /// The other library's way.
    other: &'static str,
}

/// The first times are ours, the second those of the comparison.
type Measured = Result<Vec<Times>>;

/// A work, after a comma what it is compared with if that is not its floor; the features of an element, or 0 if the work
/// defines its elements; n; the target; and the function that measures it.
type Target = (&'static str, usize, usize, Bound, fn(&Setting) -> Measured);

/// The size of most works.
const N: usize = 30_720;

/// A size of sums over features, also of the number of features: the largest of a paper on vector distances.
const CUBE: usize = 4096;

/// A size of forces, where each body has four times as many pairs.
const LARGE: usize = 131_072;

/// The rows of a search for neighbours, as in publications.
const MANY: usize = 102_400;

/// The elements of sets with a cutoff.
const MILLION: usize = 1_000_000;

/// Every target, in the order in which they are measured and printed.
const TARGETS: &[Target] = &[
    ("packed EDM", 1, N, AtMost(1.06), distances::<f32, InPacked, packed_1>),
    ("packed EDM", 2, N, AtMost(1.06), distances::<[f32; 2], InPacked, packed_2>),
    ("packed EDM", 3, N, AtMost(1.06), distances::<[f32; 3], InPacked, packed_3>),
    ("packed EDM", 4, N, AtMost(1.06), distances::<[f32; 4], InPacked, packed_4>),
    ("packed EDM", 1, 65_536, AtMost(1.08), distances::<f32, InPacked, packed_1>),
    ("packed EDM", 2, 65_536, AtMost(1.08), distances::<[f32; 2], InPacked, packed_2>),
    ("packed EDM", 3, 65_536, AtMost(1.08), distances::<[f32; 3], InPacked, packed_3>),
    ("packed EDM", 4, 65_536, AtMost(1.08), distances::<[f32; 4], InPacked, packed_4>),
    ("square EDM", 2, N, AtMost(1.06), distances::<[f32; 2], InSquare, square_2>),
    ("square EDM", 4, N, AtMost(1.06), distances::<[f32; 4], InSquare, square_4>),
    ("packed u8", 0, N, AtMost(1.30), values::<u8, InPacked, packed::byte::packed>),
    ("square u8", 0, N, AtMost(1.30), values::<u8, InSquare, packed::byte::square>),
    ("packed i16", 0, N, AtMost(1.10), values::<i16, InPacked, packed::short::packed>),
    ("square i16", 0, N, AtMost(1.10), values::<i16, InSquare, packed::short::square>),
    ("packed f32", 0, N, AtMost(1.10), values::<f32, InPacked, packed::float::packed>),
    ("square f32", 0, N, AtMost(1.10), values::<f32, InSquare, packed::float::square>),
    ("packed [f32; 3]", 0, N, AtMost(1.25), values::<[f32; 3], InPacked, packed::float3::packed>),
    ("square [f32; 3]", 0, N, AtMost(1.25), values::<[f32; 3], InSquare, packed::float3::square>),
    ("packed [f32; 4]", 0, N, AtMost(1.10), values::<[f32; 4], InPacked, packed::float4::packed>),
    ("square [f32; 4]", 0, N, AtMost(1.10), values::<[f32; 4], InSquare, packed::float4::square>),
    ("packed struct of 24 bytes", 0, N, AtMost(1.25), values::<Six, InPacked, packed::six::packed>),
    ("square struct of 24 bytes", 0, N, AtMost(1.25), values::<Six, InSquare, packed::six::square>),
    ("collision count", 0, N, AtMost(1.33), counted),
    ("collision list", 0, N, AtMost(1.42), listed),
    ("farthest pair", 0, N, AtMost(1.1), farthest::beside_count),
    ("histogram of 100 bins", 0, LARGE, AtMost(1.07), histograms::beside::<100, false>),
    ("histogram of 8,000 bins", 0, LARGE, AtMost(1.07), histograms::beside::<8000, false>),
    ("histogram of 1,000,000 bins", 0, LARGE, AtMost(1.07), histograms::beside::<1_000_000, true>),
    ("matrix times 16 columns", 0, N, AtMost(1.6), beside_floor::<16, times_16>),
    ("matrix times 32 columns", 0, N, Cost, beside_floor::<32, times_32>),
    ("matrix times 64 columns", 0, N, Cost, beside_floor::<64, times_64>),
    ("matrix times 16 columns", 0, LARGE, AtMost(1.6), beside_floor::<16, times_16>),
    ("matrix times 16 columns, four in each launch", 128, N, Gain, over_features::columns),
    ("matrix times 100 columns, given", 0, N, AtMost(1.1), columns::beside_arrays),
    ("log-sum-exp of rows, sums", 0, N, Cost, reduce::beside_sums),
    ("log-sum-exp of rows, sums", 0, LARGE, Cost, reduce::beside_sums),
    ("mean and variance of all pairs, sums", 0, N, Cost, reduce::moments_beside_sums),
    ("rectangle EDM", 1, N, AtMost(1.06), distances::<f32, InMatrix, two_sets::edm_1>),
    ("rectangle EDM", 2, N, AtMost(1.06), distances::<[f32; 2], InMatrix, two_sets::edm_2>),
    ("rectangle EDM", 3, N, AtMost(1.06), distances::<[f32; 3], InMatrix, two_sets::edm_3>),
    ("rectangle EDM", 4, N, AtMost(1.06), distances::<[f32; 4], InMatrix, two_sets::edm_4>),
    ("forces", 0, N, AtMost(1.6), forces::beside_floor),
    ("forces", 0, LARGE, AtMost(1.6), forces::beside_floor),
    ("row minima", 2, N, AtMost(1.45), nearest::<[f32; 2], two_sets::least_2>),
    ("row minima", 3, N, AtMost(1.45), nearest::<[f32; 3], two_sets::least_3>),
    ("row minima", 4, N, AtMost(1.45), nearest::<[f32; 4], two_sets::least_4>),
    ("fold distances", 128, N, AtMost(1.25), floor::<packed_distance>),
    ("fold distances", 512, N, AtMost(1.22), floor::<packed_distance>),
    ("fold distances", 4096, CUBE, AtMost(1.22), floor::<packed_distance>),
    ("fold distances of two sets", 4096, CUBE, AtMost(1.22), floor::<square_of_distance>),
    ("fold products", 512, N, AtMost(1.45), floor::<packed_product>),
    ("fold products of two sets", 512, N, AtMost(1.35), floor::<product>),
    ("dot products", 128, N, AtMost(1.0), floor::<packed_dot>),
    ("dot products", 512, N, AtMost(0.5), floor::<packed_dot>),
    ("dot products", 4096, CUBE, AtMost(0.45), floor::<packed_dot>),
    ("dot products of two sets", 4096, CUBE, AtMost(0.45), floor::<dot>),
    ("dot distances", 128, N, AtMost(1.0), floor::<quick_distance>),
    ("dot distances", 512, N, AtMost(0.5), floor::<quick_distance>),
    ("dot distances", 4096, CUBE, AtMost(0.45), floor::<quick_distance>),
    ("neighbours", 128, MANY, AtMost(1.40), neighbours::beside_floor),
    ("near count, all pairs", 0, 16_384, AtLeast(0.95), near::counted),
    ("near count, all pairs", 0, 65_536, AtLeast(0.95), near::counted),
    ("near count, all pairs", 0, MILLION, AtLeast(110.0), near::counted),
    ("near count, all pairs", 0, 10 * MILLION, AtLeast(890.0), near::counted),
    ("near count where all touch, all pairs", 0, 65_536, AtLeast(0.95), near::dense),
    ("near count where all touch, all pairs", 0, LARGE, AtLeast(0.95), near::dense),
    ("near tiles, all pairs", 0, 65_536, Gain, near::tiles),
    ("near tiles where all touch, all pairs", 0, LARGE, Gain, near::tiles_dense),
    ("near count in a kept order, sorting in each launch", 0, MILLION, Gain, near::in_order),
    ("near count of two sets, all pairs", 0, MILLION, Gain, near::counted_of_two),
    ("near count, cKDTree", 0, MILLION, Gain, near::counted_beside_tree),
    ("near list, all pairs", 0, MILLION, AtLeast(50.0), near::listed),
    ("near nearest ten, all pairs", 0, MILLION, AtLeast(20.5), near::searched),
    ("near nearest ten, cKDTree", 0, MILLION, Gain, near::searched_beside_tree),
    ("near forces, all pairs", 0, MILLION, Gain, near::forced),
    ("forces over a list, reading it", 0, MILLION, AtMost(1.5), given::forced),
    ("near forces with a list kept, sorting in each step", 0, MILLION, AtLeast(5.8), given::kept),
    ("distances of molecules", 3, 100_000, AtMost(1.3), sets::of_molecules),
    ("distances of sets of 8", 3, MILLION, AtMost(1.3), sets::of_eight),
    ("distances of sets of 100, single launches", 128, 10_000, Gain, over_features::sets),
    ("a large set among molecules, apart", 3, 10_000, AtMost(1.05), sets::with_a_large_one),
    ("ten nearest in sets of 2,000, single launches", 3, 1000, Gain, set_neighbours::single),
    ("ten nearest in sets of 2,000, torch.cdist and topk", 3, 1000, Gain, set_neighbours::topk),
    ("packed values and a square", 0, N, AtMost(1.5), together::square),
    ("packed values and a square", 0, N + 1, AtMost(3.3), together::square),
    ("packed values and the least of elements", 0, N, AtMost(5.0), together::results),
    ("distances of ligands and proteins", 3, 10_000, AtMost(1.3), sets::of_complexes),
    ("rows and columns of one set, two sets", 3, N, AtMost(2.0), sets::of_one),
    ("forces, square by hand", 0, N, AtLeast(1.45), forces::beside_square),
    ("forces, square by hand", 0, LARGE, AtLeast(1.45), forces::beside_square),
    ("forces, deterministic", 0, N, Cost, forces::beside_plain::<forces::deterministic>),
    ("forces, deterministic", 0, LARGE, Cost, forces::beside_plain::<forces::deterministic>),
    ("forces, without fmad", 0, N, Cost, forces::beside_plain::<forces::separate>),
    ("forces, without fmad", 0, LARGE, Cost, forces::beside_plain::<forces::separate>),
    ("forces, torch.compile", 0, N, Gain, forces::beside),
    ("forces, torch.compile", 0, LARGE, Gain, forces::beside),
    ("forces, KeOps", 0, N, Gain, forces::beside),
    ("K v, torch.compile", 4, N, Gain, columns::beside),
    ("K v, KeOps", 4, N, Gain, columns::beside),
    ("fold distances, torch.cdist", 128, N, AtLeast(1.0), torch::<packed_distance>),
    ("fold distances, torch.cdist", 512, N, AtLeast(1.0), torch::<packed_distance>),
    ("fold distances, torch.cdist", 4096, CUBE, AtLeast(1.0), torch::<packed_distance>),
    ("fold distances, torch.cdist", 4096, 128, Gain, torch::<packed_distance>),
    ("fold distances, torch.cdist", 4096, 256, Gain, torch::<packed_distance>),
    ("fold distances, torch.cdist", 4096, 512, Gain, torch::<packed_distance>),
    ("fold distances, torch.cdist without a product", 512, CUBE, Gain, torch::<packed_distance>),
    ("fold distances, torch.pdist", 4096, CUBE, Gain, torch::<packed_distance>),
    ("fold distances of two sets, torch.cdist", 4096, CUBE, Gain, torch::<square_of_distance>),
    ("fold products, torch.mm", 512, N, Gain, torch::<packed_product>),
    ("fold products of two sets, torch.mm", 512, N, Gain, torch::<product>),
    ("dot products, torch.mm", 128, N, AtLeast(1.0), torch::<packed_dot>),
    ("dot products, torch.mm", 512, N, AtLeast(1.0), torch::<packed_dot>),
    ("dot products, torch.mm", 4096, CUBE, AtLeast(1.0), torch::<packed_dot>),
    ("dot products of two sets, torch.mm", 4096, CUBE, AtLeast(1.0), torch::<dot>),
    ("cosines, torch", 512, N, Gain, folds::cosines),
    ("cosines, torch with TF32", 512, N, Gain, folds::cosines),
    ("dot distances, torch.cdist", 128, N, AtLeast(1.0), torch::<quick_distance>),
    ("dot distances, torch.cdist", 512, N, AtLeast(1.0), torch::<quick_distance>),
    ("dot distances, torch.cdist", 4096, CUBE, AtLeast(1.0), torch::<quick_distance>),
    ("dot distances, torch.cdist", 128, CUBE, AtLeast(1.0), torch::<quick_distance>),
    ("dot distances of two sets, torch.cdist", 4096, CUBE, AtLeast(1.0), torch::<quick_square>),
    ("dot distances of near duplicates, folds", 512, N, AtLeast(1.0), folds::near_duplicates),
    ("dot products of bytes, floats", 128, N, AtLeast(1.0), bytes::dots),
    ("dot products of bytes, floats", 512, N, AtLeast(1.5), bytes::dots),
    ("dot products of bytes, floats", 4096, CUBE, AtLeast(2.0), bytes::dots),
    ("neighbours, K = 100 against 10", 128, MANY, AtMost(1.25), hundred),
    ("neighbours by dot, folds of products", 128, MANY, AtLeast(1.5), neighbours::dots),
    ("neighbours, torch.cdist and topk", 128, MANY, AtLeast(4.0), topk),
    (
        "neighbours by products, torch.cdist and topk",
        128,
        MANY,
        AtLeast(6.0),
        topk_of::<by_products>,
    ),
    (
        "neighbours by products, with lower, torch.cdist and topk",
        128,
        MANY,
        AtLeast(6.0),
        topk_of::<by_products_with_lower>,
    ),
];

/// Measures the selected targets. A failure does not affect the next ones.
pub(crate) fn run(Options { python, run }: Options) -> Result<Results> {
    let gpu = Gpu::open()?;
    let mut results = Results::begin(&run, "targets", &gpu.device, String::new())?;
    let mut setting = Setting { gpu, python, n: 0, features: 0, other: "" };
    for &(work, features, n, bound, measure) in
        TARGETS.iter().filter(|(work, ..)| run.asks_for(work))
    {
        (setting.n, setting.features) = (n, features);
        setting.other = work.split_once(", ").map_or("", |(_, other)| other);
        let record = Record::new(work, n).with_features(features).with_target(bound);
        results.add(record.with(measure(&setting)))?;
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use td_kernel::PairKernel;

    use super::*;
    use crate::kernels::nearest_rows_with_lower;
    use crate::measure::by_hand::tests::compiles;

    macro_rules! kernels {
        ($($kernel:ty),+) => {
            [$((<$kernel>::NAME, <$kernel>::SOURCE)),+]
        };
    }

    #[test]
    fn kernels_compile() {
        let kernels = kernels!(
            two_sets::edm_4,
            two_sets::least_3,
            forces::plain,
            forces::separate,
            histograms::counted,
            farthest::farthest,
            farthest::count,
            packed_distance,
            packed_product,
            product,
            square_of_distance,
            near::touching,
            near::contacts,
            near::forces,
            near::nearest,
            near::touching_two,
            sets::distances,
            set_neighbours::nearest,
            sets::matrix_distances,
            reduce::log_sum,
            nearest_rows_with_lower,
            neighbours::nearest_hundred,
            by_products_with_lower,
            neighbours::by_dot
        );
        for (name, source) in kernels {
            compiles(name, source);
        }
    }
}
