//! The command line.

use std::path::PathBuf;

use clap::Parser;
use td_kernel_examples::{DeviceChoice, Layout, VectorOptions, random};

use crate::metric::Metric;
use crate::order::Order;

/// Compares every row of a table with every other, by any number of features, and tells which are most alike.
///
/// Without arguments the rows are the 150 flowers of Fisher's Iris data, with their species as labels. Pairs are computed in
/// single precision, distances from features that are counted from each column's median in double precision; `hamming`
/// compares the input as it is.
#[derive(Debug, Parser)]
#[command(name = "similarity", after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read the rows from this file: a table with a header or without, of comma-separated values or with semicolons or tabs
    /// (.csv, .tsv), also compressed by gzip (.csv.gz), or from standard input if it is -; or a two-dimensional array of floats of
    /// 32 or 64 bits or of integers in NumPy's format (.npy) [default: Iris, built in]
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    pub(crate) input: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) table: VectorOptions,

    /// Make this many rows at random, uniform between 0 and 1: as 30720 or 3e4
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = random::count)]
    pub(crate) random: Option<u32>,

    /// How many features random rows have
    #[arg(long, value_name = "K", default_value_t = 64, requires = "random", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) features: u32,

    /// Which random rows: the same seed gives the same rows
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    pub(crate) seed: u64,

    /// How rows are compared
    #[arg(long, value_enum, default_value_t)]
    pub(crate) metric: Metric,

    /// The factor of the squared distance in `rbf` [default: 1 / number of features]
    #[arg(long, value_name = "G", value_parser = gamma, allow_negative_numbers = true)]
    pub(crate) gamma: Option<f32>,

    /// Print so many of the pairs that are most alike
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub(crate) top: u32,

    /// Write the values of all pairs to this file, in NumPy's format, as 32-bit floats
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) output: Option<PathBuf>,

    /// How the values are laid out in the output
    #[arg(long, value_enum, default_value_t, requires = "output")]
    pub(crate) layout: Layout,

    /// Draw the values of all pairs as a picture, .png or .svg, with a legend. Where there are more than 1000 rows, a
    /// point of it is the mean of several pairs
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// In which order the picture has the rows
    #[arg(long, value_enum, default_value_t, requires = "plot")]
    pub(crate) order: Order,

    /// Write which row is at each place of the picture, counted from 0, to this file, in NumPy's format, as 64-bit integers
    #[arg(long, value_name = "FILE.npy", requires = "plot")]
    pub(crate) save_order: Option<PathBuf>,

    /// Write the rows, as they were read, to this file: rows x features, in NumPy's format, as 64-bit floats
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) save_input: Option<PathBuf>,

    /// Replace output files that exist; of a link, the file that it leads to. The input is never
    /// replaced, nor what is no file
    #[arg(long)]
    pub(crate) force: bool,

    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: DeviceChoice,
}

fn gamma(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(gamma) if gamma > 0.0 && gamma < f32::INFINITY => Ok(gamma),
        _ => {
            Err("it has to be above 0 and in the range of 32-bit floats, 1.5e-45 to 3.4e38".into())
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  similarity --plot iris.svg
      the Iris data, and a picture of all distances
  similarity --input genes.csv --label tissue --metric correlation --plot genes.png --order label
      correlations of the rows of a file, and a picture in which rows of one label are side by side
  similarity --input embeddings.npy --metric cosine --top 20 --output similarity.npy --layout square
      the 20 pairs of vectors that are most alike, and the whole matrix in a file
  similarity --random 30720 --features 512 --device cuda
      471,843,840 pairs of 512 features on a GPU, an error if there is none";
