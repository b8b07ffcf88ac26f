//! The command line.

use std::path::PathBuf;

use clap::Parser;
use td_kernel_examples::{DeviceChoice, Layout, Missing, TableOptions, memory, random};

/// Computes the Euclidean distance of every pair of points, and tells which pairs are nearest and
/// farthest.
///
/// Points have one to four features. Without arguments they are the 150 flowers of Fisher's Iris
/// data. Pairs are computed in single precision, from coordinates that are counted from each column's median
/// in double precision.
#[derive(Debug, Parser)]
#[command(name = "edm", after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read the points from this file, or from standard input if it is -: a table with a point a row, with a header or
    /// without, of comma-separated values or with semicolons or tabs, also compressed by gzip [default: Iris, built in]
    #[arg(long, value_name = "FILE.csv", conflicts_with = "random")]
    pub(crate) input: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) table: TableOptions,

    /// What becomes of rows with an empty cell, or one with NA, NaN, null or the like, in one of the columns that are
    /// taken
    #[arg(long, value_enum, default_value_t, conflicts_with = "random")]
    pub(crate) missing: Missing,

    /// Make this many points at random, uniform in the unit cube: as 30720 or 3e4
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = random::count)]
    pub(crate) random: Option<u32>,

    /// How many features random points have
    #[arg(long, value_name = "K", default_value_t = 4, requires = "random",
        value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) features: u8,

    /// Which random points: the same seed gives the same points
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    pub(crate) seed: u64,

    /// Write the distances to this file, in NumPy's format, as 32-bit floats
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) output: Option<PathBuf>,

    /// How the distances are laid out in the output
    #[arg(long, value_enum, default_value_t, requires = "output")]
    pub(crate) layout: Layout,

    /// Compute the distances in bands of rows where they are more than so many bytes, as 2e9, with at most so many of them
    /// in the memory of the device, and of the host. Without this, where there is no memory for all
    #[arg(long, value_name = "BYTES", value_parser = memory::bytes)]
    pub(crate) memory: Option<usize>,

    /// Write the output such that a run that was cut can be gone on with, and go on with one: after the last rows that are in
    /// the file FILE.npy.part. The distances are computed in bands then
    #[arg(long, requires = "output", conflicts_with = "plot")]
    pub(crate) resume: bool,

    /// Draw the distances of all pairs as a square, .png or .svg, with a legend. Where there are more than 1000 points, a
    /// cell of it is the mean of several pairs, and its title says so
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// Write the points, as they were read, to this file: n x features, in NumPy's format, as 64-bit floats
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

const EXAMPLES: &str = "\
Examples:
  edm
      the Iris data
  edm --input cities.csv --columns x,y --output distances.npy --layout square
      two columns of a file, and the whole matrix to another
  edm --input cities.csv.gz --columns 1..3 --missing skip --plot distances.svg
      three columns, without the rows that have gaps in them, and a picture of all distances
  edm --random 30720 --seed 1 --device cuda
      471,843,840 pairs on a GPU, an error if there is none
  edm --random 300000 --output matrix.npy --resume
      180 GB, in bands: no memory has all of them. After a cut, the same line goes on with them";
