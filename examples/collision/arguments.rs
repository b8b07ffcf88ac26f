//! The command line.

use std::fmt;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Parser, ValueEnum};
use td_kernel_examples::{DeviceChoice, FileOptions, random};

/// Finds which of many spheres overlap: counts the pairs with one kernel, lists them with another,
/// and checks that both found the same.
///
/// Spheres overlap if their centres are no farther apart than their radii together. Without
/// arguments they are the atoms of a protein, the entry 1A8O of the Protein Data Bank, with half
/// their van der Waals radii, so that atoms with a bond between them overlap. Pairs are
/// computed in single precision, from coordinates that are counted from each column's median in double precision.
#[derive(Debug, Parser)]
#[command(name = "collision", after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read the spheres from this file, or from standard input if it is -: a table with the columns x, y, z and r, with a
    /// header or without; or the atoms of a PDB or mmCIF file's first model, without water, and of alternate locations
    /// those that come first. Each also compressed by gzip [default: 1A8O, built in]
    #[arg(long, value_name = "FILE.csv|.pdb|.cif", conflicts_with = "random")]
    pub(crate) input: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) file: FileOptions,

    /// Make this many spheres at random, as 30720 or 3e4, with centres uniform in the unit cube and radii uniform up to
    /// 0.01, or up to 0.00001 in one dimension
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = random::count)]
    pub(crate) random: Option<u32>,

    /// Which random spheres: the same seed gives the same spheres
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    pub(crate) seed: u64,

    /// Multiply all radii by this [default: 0.5 for atoms, and 1 for other spheres]
    #[arg(long, value_name = "F", value_parser = scale, allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,

    /// In how many dimensions; in one, spheres are intervals around their x
    #[arg(long, value_enum, default_value_t)]
    pub(crate) dimensions: Dimensions,

    /// Write the pairs that overlap to this file: comma-separated values i,j with i > j, counted from 0, sorted; for atoms
    /// also atom_i,atom_j, what they are called
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,

    /// Draw the spheres and the pairs that overlap, .png or .svg, with a line between the centres of each pair in a colour
    /// that tells how deep they overlap: seen along the axis in which the spheres extend least, or in one dimension as
    /// intervals above each other. Of more than can be told apart it draws some, and says so
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// Write the spheres to this file: n x 4 (x, y, z and the scaled radius), in NumPy's format, as 64-bit floats
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) save_input: Option<PathBuf>,

    /// Replace output files that exist; of a link, the file that it leads to. The input is never
    /// replaced, nor what is no file
    #[arg(long)]
    pub(crate) force: bool,

    /// Where the kernels run
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: DeviceChoice,
}

/// The option `--dimensions`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dimensions {
    One,
    #[default]
    Three,
}

// By hand, because a derived name cannot be a number.
impl ValueEnum for Dimensions {
    fn value_variants<'a>() -> &'a [Self] {
        &[Dimensions::One, Dimensions::Three]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Dimensions::One => "1",
            Dimensions::Three => "3",
        }))
    }
}

impl fmt::Display for Dimensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dimensions::One => "1",
            Dimensions::Three => "3",
        })
    }
}

/// Within a range that keeps the square of every scaled radius in single precision.
fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if scale > 0.0 && scale <= 1000.0 => Ok(scale),
        _ => Err("it has to be a number above 0 and up to 1000".into()),
    }
}

const EXAMPLES: &str = "\
Examples:
  collision
      the atoms of a protein, and how many of their pairs overlap
  collision --input model.pdb --scale 1 --output pairs.csv
      the atoms of another one with their full radii, and the pairs in a file
  zcat model.cif.gz | collision --input - --format cif --plot contacts.svg
      the atoms of another one from standard input, and a picture of them
  collision --random 30720 --seed 1 --device cuda
      471,843,840 pairs on a GPU, an error if there is none";
