//! The command line.

use std::path::PathBuf;

use clap::Parser;
use td_kernel_examples::{DeviceChoice, VectorOptions, random};

/// Finds the nearest neighbours of every row of a table by Euclidean distance, exactly, on all machines that mpirun has started
/// it on.
///
/// Of rows that are equally near, the one with the smaller index comes first; no row is its own neighbour. Without --input or
/// --random the rows are the 150 flowers of Fisher's Iris data. Each rank takes the GPU of its number on its machine, counted on
/// from the first after the last.
#[derive(Debug, Parser)]
#[command(name = "knn-cluster", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read the rows from this file: a table with a header or without (.csv, .tsv), also compressed by gzip (.csv.gz), or from
    /// standard input if it is -; or a two-dimensional array of floats in NumPy's format (.npy). Rank 0 reads it, and nobody else
    /// needs it
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

    /// How many neighbours each row has
    #[arg(long, value_name = "K", default_value_t = 10, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) k: u32,

    /// Write the neighbours: to NAME-indices.npy and NAME-values.npy, arrays of K columns of 64-bit integers and 32-bit
    /// floats, the nearest first, where a row with fewer neighbours is filled up with -1 and NaN; or if the name ends in .mtx,
    /// to a sparse matrix in Matrix Market's format, with an entry for each neighbour that there is
    #[arg(long, value_name = "NAME|FILE.mtx")]
    pub(crate) output: Option<PathBuf>,

    /// Replace output files that exist
    #[arg(long)]
    pub(crate) force: bool,

    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: DeviceChoice,
}

const EXAMPLES: &str = "\
Examples:
  mpirun -n 4 knn-cluster --random 30000 --features 64 --output near
      four ranks on this machine; near-indices.npy and near-values.npy
  mpirun -n 8 --hostfile hosts knn-cluster --input vectors.npy --k 100 --output near.mtx
      on the machines of a list; only the machine of rank 0 needs the files";
