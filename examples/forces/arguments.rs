//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use td_kernel_examples::{DeviceChoice, FileOptions, random};

/// Computes the forces between all bodies and their energy, in one kernel, and moves the bodies.
///
/// Without arguments the bodies are the atoms of a protein, the entry 1A8O of the Protein Data Bank, and attract and
/// repel each other by a softened Lennard-Jones law. They have no bonds, no charges and no water around them: this is a
/// drop of a simple liquid that begins in the shape of a protein. Radii are scaled so that atoms with a bond between
/// them begin where their energy is nearly least; at full radii the bonds' ends would overlap and blow the drop apart.
///
/// Forces are computed in single precision; positions and velocities are kept in double precision. Each body's forces are
/// added up in an order that changes from run to run, and so may their last digits: after many steps, two runs have
/// bodies in different places, on a GPU and on a CPU of several cores. With `deterministic = true` at the kernels
/// (kernels.rs), every run on one device would have the same.
#[derive(Debug, Parser)]
#[command(name = "forces", after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The law of the forces
    #[arg(long, value_enum, default_value_t)]
    pub(crate) law: LawName,

    /// Read the bodies from this file, or from standard input if it is -: comma-separated values with the columns x, y, z
    /// and m (the mass), and r (the radius) for lennard-jones, with a header or without; a header may also name vx, vy and
    /// vz, the velocities. Or the atoms of a PDB or mmCIF file's first model, without water, and of alternate locations
    /// those that come first. Both also compressed by gzip [default: 1A8O, built in]
    #[arg(long, value_name = "FILE.csv|.pdb|.cif", conflicts_with = "random")]
    pub(crate) input: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) file: FileOptions,

    /// Make this many bodies at random: for gravity, uniform in the unit cube, with a mass of 1 in all; for
    /// lennard-jones, atoms of carbon, each about the middle of its own cell of a grid
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = random::count)]
    pub(crate) random: Option<u32>,

    /// Which random bodies: the same seed gives the same bodies
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    pub(crate) seed: u64,

    /// For lennard-jones: multiply all radii by this [default: 0.45]
    #[arg(long, value_name = "F", value_parser = above_zero::<1000>, allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,

    /// For lennard-jones: the energy that parts two bodies that touch, in kJ/mol [default: 1]
    #[arg(long, value_name = "E", value_parser = above_zero::<1_000_000>, allow_negative_numbers = true)]
    pub(crate) depth: Option<f64>,

    /// For gravity: the distance below which it is weakened [default: a tenth of the bodies' root mean square distance
    /// from their centre of mass, or 1 where all of them are in one place]
    #[arg(long, value_name = "D", value_parser = above_zero::<1_000_000_000_000>, allow_negative_numbers = true)]
    pub(crate) softening: Option<f64>,

    /// Move the bodies by so many steps (velocity Verlet)
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub(crate) steps: u32,

    /// The time of a step: in ps for lennard-jones [default: 0.001], and for gravity in the unit in which G = 1
    /// [default: a 600th, about, of the shortest time in which two bodies, or all of them, can turn about each other]
    #[arg(long, value_name = "T", requires = "steps", value_parser = above_zero::<1_000_000_000_000>, allow_negative_numbers = true)]
    pub(crate) time_step: Option<f64>,

    /// Write the bodies to this file, in extended XYZ: at each frame their positions, velocities and forces
    #[arg(long, value_name = "FILE.xyz")]
    pub(crate) output: Option<PathBuf>,

    /// How many steps lie between two frames of the output, the first of which is the start
    #[arg(long, value_name = "K", default_value_t = 10, requires = "output",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,

    /// Write the energies and the momentum at each step to this file: comma-separated values
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) energies: Option<PathBuf>,

    /// Replace output files that exist; of a link, the file that it leads to. The input is never
    /// replaced, nor what is no file
    #[arg(long)]
    pub(crate) force: bool,

    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) device: DeviceChoice,
}

/// The option `--law`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LawName {
    /// Atoms: they attract each other, and repel where they overlap. Lengths in ångström, times in picoseconds, masses
    /// in daltons, energies in kJ/mol
    #[default]
    LennardJones,
    /// Stars: they attract each other, softly where they meet. In units in which G = 1
    Gravity,
}

/// A number above zero, and up to `MAX`.
fn above_zero<const MAX: u64>(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && number <= MAX as f64 => Ok(number),
        _ => Err(format!("it has to be a number above 0 and up to {MAX}")),
    }
}

const EXAMPLES: &str = "\
Examples:
  forces
      the forces between the atoms of a protein, and their energy
  forces --steps 1000 --output drop.xyz
      a picosecond of their motion, and a hundred frames of it in a file
  forces --law gravity --random 30720 --steps 100 --device cuda
      a cloud of stars that falls together, on a GPU, an error if there is none";
