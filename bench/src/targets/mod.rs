//! What the generated kernels are to reach: each work's time against its floor's, or against what else
//! does it, taken in the same rounds of one run, with the results checked. A target is a line of the table.

mod beside;
pub(crate) mod close;
pub(crate) mod folds;
mod forces;
mod issue;
mod minima;
mod neighbours;
mod others;
mod rectangle;
pub(crate) mod target;
#[cfg(test)]
mod tests;
mod triangle;
mod triton;
mod values;

use std::path::PathBuf;

use clap::Args;

use self::minima::Partner;
use self::others::Others;
use self::target::{Bound, Outcome, Target, Targets};
use self::triangle::{counted, distances, listed, looks, small, values};
use self::values::{Six, Two};
use crate::Failure;
use crate::experiment::{self, File, Run};
use crate::figures::{edm_1, edm_2, edm_3, edm_4};
use crate::measure::gpu::Gpu;
use crate::subject::{InPacked, InSquare};

/// How the targets are measured, or read from a file.
#[derive(Args)]
pub(crate) struct Options {
    /// The Python that has torch and Triton.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Only the works with one of these words in their names, such as `rectangle,forces`.
    #[arg(long, value_delimiter = ',', conflicts_with = "from")]
    only: Vec<String>,
    #[command(flatten)]
    run: Run,
}

/// What a measurement runs on.
pub(crate) struct Setting {
    gpu: Gpu,
    python: PathBuf,
    others: Others,
}

impl Setting {
    pub(crate) fn new(gpu: &Gpu, python: PathBuf) -> Setting {
        Setting { gpu: gpu.clone(), python, others: Others::default() }
    }
}

/// The size of most works.
const N: usize = 30_720;

/// A size of sums over features, with as many features: the largest of a paper on vector distances.
const CUBE: usize = 4096;

/// A size of forces, where each body has four times as many pairs.
const LARGE: usize = 131_072;

/// Rows whose neighbours are looked for, as many as publications have.
const MANY: usize = 102_400;

/// Points in space, of which a search has half a million million pairs.
const POINTS: usize = 1_000_000;

/// The line of a work against its floor.
const fn floor(
    work: &'static str,
    features: Option<u32>,
    n: usize,
    limit: f64,
    measure: fn(&Setting, usize) -> Result<Outcome, Failure>,
) -> Target {
    Target { work, features, n, bound: Bound::AtMost(limit), is_floor: true, measure }
}

/// The same, without a limit.
const fn floor_without_limit(
    work: &'static str,
    features: Option<u32>,
    n: usize,
    measure: fn(&Setting, usize) -> Result<Outcome, Failure>,
) -> Target {
    Target { work, features, n, bound: Bound::Cost, is_floor: true, measure }
}

/// Of a work against what else does it.
const fn rival(
    work: &'static str,
    features: Option<u32>,
    n: usize,
    bound: Bound,
    measure: fn(&Setting, usize) -> Result<Outcome, Failure>,
) -> Target {
    Target { work, features, n, bound, is_floor: false, measure }
}

/// Every target, in the order in which they are measured and printed.
pub(crate) const TARGETS: &[Target] = &[
    floor("packed EDM", Some(1), N, 1.06, distances::<f32, InPacked, edm_1::packed>),
    floor("packed EDM", Some(2), N, 1.06, distances::<[f32; 2], InPacked, edm_2::packed>),
    floor("packed EDM", Some(3), N, 1.06, distances::<[f32; 3], InPacked, edm_3::packed>),
    floor("packed EDM", Some(4), N, 1.06, distances::<[f32; 4], InPacked, edm_4::packed>),
    floor("packed EDM", Some(1), 65_536, 1.08, distances::<f32, InPacked, edm_1::packed>),
    floor("packed EDM", Some(2), 65_536, 1.08, distances::<[f32; 2], InPacked, edm_2::packed>),
    floor("packed EDM", Some(3), 65_536, 1.08, distances::<[f32; 3], InPacked, edm_3::packed>),
    floor("packed EDM", Some(4), 65_536, 1.08, distances::<[f32; 4], InPacked, edm_4::packed>),
    floor("square EDM", Some(2), N, 1.06, distances::<[f32; 2], InSquare, edm_2::square>),
    floor("square EDM", Some(4), N, 1.06, distances::<[f32; 4], InSquare, edm_4::square>),
    floor("packed u8", None, N, 1.30, values::<u8, InPacked, values::byte::packed>),
    floor("square u8", None, N, 1.30, values::<u8, InSquare, values::byte::square>),
    floor("packed i16", None, N, 1.10, values::<i16, InPacked, values::short::packed>),
    floor("square i16", None, N, 1.10, values::<i16, InSquare, values::short::square>),
    floor("packed f32", None, N, 1.10, values::<f32, InPacked, values::float::packed>),
    floor("square f32", None, N, 1.10, values::<f32, InSquare, values::float::square>),
    floor("packed f64", None, N, 1.10, values::<f64, InPacked, values::double::packed>),
    floor("square f64", None, N, 1.10, values::<f64, InSquare, values::double::square>),
    floor("packed [f32; 2]", None, N, 1.10, values::<[f32; 2], InPacked, values::float2::packed>),
    floor("square [f32; 2]", None, N, 1.10, values::<[f32; 2], InSquare, values::float2::square>),
    floor("packed struct of 8 bytes", None, N, 1.10, values::<Two, InPacked, values::two::packed>),
    floor("square struct of 8 bytes", None, N, 1.10, values::<Two, InSquare, values::two::square>),
    floor("packed [f32; 3]", None, N, 1.25, values::<[f32; 3], InPacked, values::float3::packed>),
    floor("square [f32; 3]", None, N, 1.25, values::<[f32; 3], InSquare, values::float3::square>),
    floor("packed [f32; 4]", None, N, 1.10, values::<[f32; 4], InPacked, values::float4::packed>),
    floor("square [f32; 4]", None, N, 1.10, values::<[f32; 4], InSquare, values::float4::square>),
    floor("packed struct of 24 bytes", None, N, 1.25, values::<Six, InPacked, values::six::packed>),
    floor("square struct of 24 bytes", None, N, 1.25, values::<Six, InSquare, values::six::square>),
    floor("collision count", None, N, 1.33, counted),
    floor("collision list", None, N, 1.42, listed),
    floor("rectangle EDM", Some(1), N, 1.06, rectangle::distances::<f32, rectangle::edm_1>),
    floor("rectangle EDM", Some(2), N, 1.06, rectangle::distances::<[f32; 2], rectangle::edm_2>),
    floor("rectangle EDM", Some(3), N, 1.06, rectangle::distances::<[f32; 3], rectangle::edm_3>),
    floor("rectangle EDM", Some(4), N, 1.06, rectangle::distances::<[f32; 4], rectangle::edm_4>),
    floor_without_limit(rectangle::ODD, Some(1), N, rectangle::odd::<f32, rectangle::edm_1>),
    floor_without_limit(rectangle::ODD, Some(2), N, rectangle::odd::<[f32; 2], rectangle::edm_2>),
    floor_without_limit(rectangle::ODD, Some(3), N, rectangle::odd::<[f32; 3], rectangle::edm_3>),
    floor_without_limit(rectangle::ODD, Some(4), N, rectangle::odd::<[f32; 4], rectangle::edm_4>),
    floor("forces", None, N, 1.6, forces::beside_floor::<forces::plain>),
    floor("forces", None, LARGE, 1.6, forces::beside_floor::<forces::plain>),
    floor_without_limit(FLUSHED, None, N, forces::beside_floor::<forces::flushed>),
    floor_without_limit(FLUSHED, None, LARGE, forces::beside_floor::<forces::flushed>),
    floor("row minima", Some(2), N, 1.45, minima::beside_floor::<[f32; 2], f32, minima::least_2>),
    floor("row minima", Some(3), N, 1.45, minima::beside_floor::<[f32; 3], f32, minima::least_3>),
    floor("row minima", Some(4), N, 1.45, minima::beside_floor::<[f32; 4], f32, minima::least_4>),
    floor_without_limit(
        "row minima, partners",
        Some(2),
        N,
        minima::beside_floor::<[f32; 2], Partner, minima::partner_2>,
    ),
    floor_without_limit(
        "row minima, partners",
        Some(3),
        N,
        minima::beside_floor::<[f32; 3], Partner, minima::partner_3>,
    ),
    floor_without_limit(
        "row minima, partners",
        Some(4),
        N,
        minima::beside_floor::<[f32; 4], Partner, minima::partner_4>,
    ),
    floor("fold distances", Some(128), N, 1.25, folds::distances::<128>),
    floor("fold distances", Some(512), N, 1.22, folds::distances::<512>),
    floor("fold distances", Some(4096), CUBE, 1.22, folds::distances::<CUBE>),
    floor("fold distances of two sets", Some(4096), CUBE, 1.22, folds::squares_of_two::<CUBE>),
    floor("fold products", Some(512), N, 1.45, folds::products::<512>),
    floor("fold products of two sets", Some(512), N, 1.35, folds::products_of_two::<512>),
    floor("neighbours", Some(128), MANY, 1.40, neighbours::beside_floor::<128>),
    floor_without_limit("neighbours of points", Some(3), POINTS, neighbours::points_beside_floor),
    rival("dummy, best map", None, N, Bound::AtLeast(6.0), looks),
    rival("packed EDM, small", Some(4), 1024, Bound::AtMost(1.05), small),
    rival("packed EDM, small", Some(4), 4096, Bound::AtMost(1.05), small),
    rival(
        "packed EDM, Triton",
        Some(2),
        N,
        Bound::AtLeast(1.6),
        triton::measure::<[f32; 2], edm_2::packed>,
    ),
    rival(
        "packed EDM, Triton",
        Some(4),
        N,
        Bound::AtLeast(1.85),
        triton::measure::<[f32; 4], edm_4::packed>,
    ),
    rival("forces, square by hand", None, N, Bound::AtLeast(1.45), forces::beside_square),
    rival("forces, square by hand", None, LARGE, Bound::AtLeast(1.45), forces::beside_square),
    rival("forces, flushed square by hand", None, N, Bound::Gain, forces::beside_flushed_square),
    rival(
        "forces, flushed square by hand",
        None,
        LARGE,
        Bound::Gain,
        forces::beside_flushed_square,
    ),
    rival("forces, deterministic", None, N, Bound::Cost, forces::determinism),
    rival("forces, deterministic", None, LARGE, Bound::Cost, forces::determinism),
    rival("forces, torch.compile", None, N, Bound::Gain, forces::beside_compiled),
    rival("forces, torch.compile", None, LARGE, Bound::Gain, forces::beside_compiled),
    rival("forces, KeOps", None, N, Bound::Gain, forces::beside_keops),
    rival("forces, KeOps", None, LARGE, Bound::Gain, forces::beside_keops),
    rival("row minima, torch.compile", Some(3), N, Bound::Gain, minima::beside_compiled),
    rival("row minima, torch.cdist", Some(3), N, Bound::Gain, minima::beside_cdist),
    rival("row minima, KeOps", Some(3), N, Bound::Gain, minima::beside_keops),
    rival(CDIST, Some(128), N, Bound::AtLeast(1.0), folds::beside_cdist::<128>),
    rival(CDIST, Some(512), N, Bound::AtLeast(1.0), folds::beside_cdist::<512>),
    rival(CDIST, Some(4096), CUBE, Bound::AtLeast(1.0), folds::beside_cdist::<CUBE>),
    // Few elements, whose tiles are few, too.
    rival(CDIST, Some(4096), 128, Bound::Gain, folds::beside_cdist::<CUBE>),
    rival(CDIST, Some(4096), 256, Bound::Gain, folds::beside_cdist::<CUBE>),
    rival(CDIST, Some(4096), 512, Bound::Gain, folds::beside_cdist::<CUBE>),
    rival(EXACT, Some(512), CUBE, Bound::Gain, folds::beside_exact_cdist::<512>),
    rival(
        "fold distances, torch.pdist",
        Some(4096),
        CUBE,
        Bound::Gain,
        folds::beside_pdist::<CUBE>,
    ),
    rival(
        "fold distances of two sets, torch.cdist",
        Some(4096),
        CUBE,
        Bound::Gain,
        folds::two_beside_cdist::<CUBE>,
    ),
    rival("fold products, torch.mm", Some(512), N, Bound::Gain, folds::beside_mm::<512>),
    rival(
        "fold products of two sets, torch.mm",
        Some(512),
        N,
        Bound::Gain,
        folds::two_beside_mm::<512>,
    ),
    rival(
        "neighbours, K = 100 against 10",
        Some(128),
        MANY,
        Bound::AtMost(1.25),
        neighbours::hundred::<128>,
    ),
    rival(
        "neighbours, torch.cdist and topk",
        Some(128),
        MANY,
        Bound::AtLeast(4.0),
        neighbours::beside_topk::<128>,
    ),
    rival(
        "neighbours by products, torch.cdist and topk",
        Some(128),
        MANY,
        Bound::AtLeast(6.0),
        neighbours::products_beside_topk::<128>,
    ),
    rival(
        "neighbours by products, with lower, torch.cdist and topk",
        Some(128),
        MANY,
        Bound::AtLeast(6.0),
        neighbours::filtered_products_beside_topk::<128>,
    ),
    rival(
        "pairs within a distance, with lower, torch",
        Some(128),
        MANY,
        Bound::Gain,
        close::beside_torch::<128>,
    ),
];

/// Distances over many features beside torch's: by a product of matrices, and by differences.
const CDIST: &str = "fold distances, torch.cdist";
const EXACT: &str = "fold distances, torch.cdist without a product";

/// Forces whose root is the hardware's instruction alone, as the floor has it.
const FLUSHED: &str = "forces, flushed root";

/// Measures, or reads a file. The file is written after each row, so that a run that is cut short has told something.
pub(crate) fn run(Options { python, only, run }: Options) -> Result<(), Failure> {
    let targets: Vec<_> = TARGETS.iter().filter(|target| target.is_asked_for(&only)).collect();
    if targets.is_empty() {
        let text = "no target has one of these words in its name\n to do: write --only with such words as rectangle or forces";
        return Err(text.into());
    }
    experiment::run(&run, "targets", |gpu, file: &mut File<Targets>| {
        let setting = Setting::new(gpu, python);
        file.figures.only = only;
        for (place, target) in targets.iter().enumerate() {
            eprintln!("[{:>2}/{}] {}", place + 1, targets.len(), target.name());
            file.figures.rows.push(target.row(target.outcome(&setting)));
            file.keep()?;
        }
        Ok(())
    })
}
