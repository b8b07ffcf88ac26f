//! The command line.

use std::path::PathBuf;

use clap::Parser;
use td_kernel_examples::{DeviceChoice, Missing, TableOptions, memory, random};

/// Computes the Euclidean distance of every pair of points, on all machines that mpirun has started it on, into one file.
///
/// Points have one to four features. Without --input or --random they are the 150 flowers of Fisher's Iris data. Pairs are
/// computed in single precision, from coordinates that are counted from each column's median in double precision. Each rank takes the GPU of its number on its machine, counted on from the first after the last.
#[derive(Debug, Parser)]
#[command(name = "edm-cluster", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read the points from this file: a table with a point a row, with a header or without, of comma-separated values or with
    /// semicolons or tabs, also compressed by gzip; or an array of floats with 1 to 4 columns in NumPy's format (.npy). Rank 0
    /// reads it, and nobody else needs it
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    pub(crate) input: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) table: TableOptions,

    /// What becomes of rows of a table with an empty cell, or one with NA, NaN, null or the like, in one of the columns that are
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

    /// Write the distances to this file, in NumPy's format, as 32-bit floats in packed order: all ranks have to see it under
    /// this name
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) output: PathBuf,

    /// Go on with a job that was cut: compute only what is not in FILE.npy.cluster yet, by FILE.npy.cluster.journal. The number of ranks
    /// may be another one. Without such a job, compute all
    #[arg(long)]
    pub(crate) resume: bool,

    /// Replace the output if it exists, and without --resume what a job that was cut has left
    #[arg(long)]
    pub(crate) force: bool,

    /// Use at most so many bytes of each device's memory, and of the host's for each rank, for the values, as 2e9. Without it, the
    /// ranks of a machine take shares of what is free
    #[arg(long, value_name = "BYTES", value_parser = memory::bytes)]
    pub(crate) memory: Option<usize>,

    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: DeviceChoice,
}

const EXAMPLES: &str = "\
Examples:
  mpirun -n 4 edm-cluster --random 30000 --features 3 --output matrix.npy
      four ranks on this machine
  mpirun -n 8 --hostfile hosts edm-cluster --input points.csv --columns x,y,z --output /shared/matrix.npy
      on the machines of a list, which share a folder
  mpirun -n 8 --hostfile hosts edm-cluster --input points.csv --columns x,y,z --output /shared/matrix.npy --resume
      the rest of it, after it was cut";
