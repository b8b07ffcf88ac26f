//! The command line.

use std::path::PathBuf;

use clap::Parser;
use td_kernel_examples::{DeviceChoice, TableOptions, random};

/// For each point of a first set, finds the nearest point of a second set.
///
/// Points have one to four features, in both sets as many. Of points that are equally near, the one with the smaller
/// index is taken. Without arguments the sets are halves of Fisher's Iris data: the flowers with an even index, counted
/// from 0, and those with an odd one. Pairs are computed in single precision, from coordinates
/// that are counted from each column's median in double precision.
#[derive(Debug, Parser)]
#[command(name = "cross", after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read the first set from this file, or from standard input if it is -: a table with a point a row, with a header or
    /// without, of comma-separated values or with semicolons or tabs, also compressed by gzip
    #[arg(value_name = "A.csv", requires = "second", conflicts_with = "random")]
    pub(crate) first: Option<PathBuf>,

    /// Read the second set from this file
    #[arg(value_name = "B.csv")]
    pub(crate) second: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) table: TableOptions,

    /// Make so many points for each set at random, uniform in the unit cube
    #[arg(long, value_names = ["N", "M"], num_args = 2, allow_negative_numbers = true,
        value_parser = random::count)]
    pub(crate) random: Option<Vec<u32>>,

    /// How many features random points have
    #[arg(long, value_name = "K", default_value_t = 4, requires = "random",
        value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) features: u8,

    /// Which random points: the same seed gives the same points
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    pub(crate) seed: u64,

    /// Write the nearest points to this file: comma-separated values i,j,distance, in the order of i, both counted from 0
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,

    /// Write all distances to this file, in NumPy's format, as 32-bit floats: a row for each point of the first set, a
    /// column for each of the second. The device and the host need memory for all of them
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) matrix: Option<PathBuf>,

    /// Find all pairs of points that are no farther apart than this
    #[arg(long, value_name = "R", value_parser = radius, allow_negative_numbers = true)]
    pub(crate) within: Option<f32>,

    /// Write the pairs within that radius to this file: comma-separated values i,j,distance, sorted
    #[arg(long, value_name = "FILE.csv", requires = "within")]
    pub(crate) pairs: Option<PathBuf>,

    /// Write the same pairs as a sparse matrix of distances in CSR form, for each point of the first set a row, to these
    /// files in NumPy's format: where each row begins, the columns of its pairs, and their distances
    #[arg(long, value_names = ["INDPTR.npy", "INDICES.npy", "DATA.npy"], num_args = 3, requires = "within")]
    pub(crate) csr: Option<Vec<PathBuf>>,

    /// Write the points of both sets, as they were read, to these files: points x features, in NumPy's format, as 64-bit
    /// floats
    #[arg(long, value_names = ["A.npy", "B.npy"], num_args = 2)]
    pub(crate) save_input: Option<Vec<PathBuf>>,

    /// Replace output files that exist; of a link, the file that it leads to. The inputs are never
    /// replaced, nor what is no file
    #[arg(long)]
    pub(crate) force: bool,

    /// Where the kernels run
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: DeviceChoice,
}

fn radius(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(radius) if (0.0..f32::INFINITY).contains(&radius) => Ok(radius),
        _ => Err("it has to be a finite number, and not below 0".into()),
    }
}

const EXAMPLES: &str = "\
Examples:
  cross
      the nearest flowers among two halves of the Iris data
  cross cities.csv stations.csv --columns x,y --output nearest.csv
      for each row of a file, the nearest row of another
  cross a.csv b.csv --matrix distances.npy --within 0.5 --pairs close.csv
      all distances in a file, and in another all pairs within a radius
  cross a.csv b.csv --within 0.5 --csr indptr.npy indices.npy data.npy
      the same pairs as a sparse matrix, which SciPy reads with `csr_array((data, indices, indptr))`
  cross --random 30720 30720 --seed 1 --device cuda
      943,718,400 pairs on a GPU, an error if there is none";
