//! The command line.

use std::path::PathBuf;

use clap::Parser;
use td_kernel_examples::{DeviceChoice, VectorOptions, random};

use crate::metric::Metric;

/// Finds the nearest neighbours of every row of a table, by any number of features, exactly.
///
/// Of rows that are equally near, the one with the smaller index comes first; no row is its own neighbour. Without
/// arguments the rows are the 150 flowers of Fisher's Iris data. Pairs are computed in single precision, from features that are
/// counted from each column's median in double precision; `cosine` and `correlation` compare rows of length 1 in the same
/// way, and `hamming` compares the input as it is.
#[derive(Debug, Parser)]
#[command(name = "knn", after_help = EXAMPLES)]
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
    #[arg(long, value_name = "D", default_value_t = 64, requires = "random", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) features: u32,

    /// Which random rows: the same seed gives the same rows
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    pub(crate) seed: u64,

    /// Find the nearest of the rows for each row of this file, instead of for the rows themselves. It is read as the input
    /// is, and has as many features
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    pub(crate) queries: Option<PathBuf>,

    /// How many neighbours each row has
    #[arg(long, value_name = "K", default_value_t = 10, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) k: u32,

    /// What is near
    #[arg(long, value_enum, default_value_t)]
    pub(crate) metric: Metric,

    /// Write the neighbours: to NAME-indices.npy and NAME-values.npy, arrays of K columns of 64-bit integers and 32-bit
    /// floats, the nearest first, where a row with fewer neighbours is filled up with -1 and NaN; or if the name ends in .mtx,
    /// to a sparse matrix in Matrix Market's format, with an entry for each neighbour that there is
    #[arg(long, value_name = "NAME|FILE.mtx")]
    pub(crate) output: Option<PathBuf>,

    /// Write the rows, as they were read, to this file: rows x features, in NumPy's format, as 64-bit floats
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) save_input: Option<PathBuf>,

    /// Search so many rows again on the host, in double precision, and print which share of their neighbours was found,
    /// and how many of the others rounding explains
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true,
        value_parser = random::count)]
    pub(crate) sample: u32,

    /// Replace output files that exist; of a link, the file that it leads to. The inputs are never
    /// replaced, nor what is no file
    #[arg(long)]
    pub(crate) force: bool,

    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: DeviceChoice,

    /// Search on so many devices together: GPUs from the first on. They find what one finds. The CPU stands for as many as are
    /// asked for, which is no faster
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) devices: u32,
}

const EXAMPLES: &str = "\
Examples:
  knn --k 5
      the five nearest flowers of each of the Iris data
  knn --input genes.csv.gz --label tissue --metric correlation --k 30 --output graph.mtx
      a graph of the rows of a file, which SciPy reads with `scipy.io.mmread`
  knn --input embeddings.npy --queries new.npy --metric cosine --output found
      for each vector of a file the nearest ones of another, to found-indices.npy and found-values.npy
  knn --random 102400 --features 128 --device cuda
      5,242,828,800 pairs of 128 features on a GPU, an error if there is none
  knn --random 204800 --features 128 --device cuda --devices 2
      20,971,417,600 pairs on two GPUs";
