//! The laws of forces: their numbers and units.

use td_kernel_examples::memory::collected;
use td_kernel_examples::{Error, Frame, Result, power_of_two};

use crate::arguments::{Arguments, LawName};
use crate::bodies::{Bodies, Body};

/// By what the bodies attract and repel each other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Law {
    /// `depth` is the energy that parts two bodies that touch, and `scale` the factor of the radii.
    LennardJones { depth: f32, scale: f32 },
    /// `softening` is the distance below which it is weakened.
    Gravity { softening: f32 },
}

/// How the law's quantities are written, each with a space in front, where there are names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    pub(crate) time: &'static str,
    pub(crate) energy: &'static str,
    pub(crate) force: &'static str,
    pub(crate) momentum: &'static str,
}

/// Powers of two that keep the products of a kernel within the range of single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// By what lengths are multiplied before.
    pub(crate) length: f64,
    /// By what radii or masses are.
    pub(crate) weight: f64,
    /// By what energies are multiplied afterwards.
    pub(crate) energy: f64,
    /// By what forces are.
    pub(crate) force: f64,
}

impl Law {
    /// The law that the arguments ask for, for these bodies.
    pub(crate) fn choose(arguments: &Arguments, bodies: &Bodies) -> Result<Law> {
        let unfit = |option, is_given: bool, law| match is_given {
            true => Err(Error::UnfitOption { option, law }),
            false => Ok(()),
        };
        match arguments.law {
            LawName::LennardJones => {
                unfit("--softening", arguments.softening.is_some(), "gravity")?;
                Ok(Law::LennardJones {
                    depth: arguments.depth.unwrap_or(1.0) as f32,
                    scale: arguments.scale.unwrap_or(0.45) as f32,
                })
            }
            LawName::Gravity => {
                unfit("--depth", arguments.depth.is_some(), "lennard-jones")?;
                unfit("--scale", arguments.scale.is_some(), "lennard-jones")?;
                let tenth = 0.1 * bodies.extent();
                // Of no body, of one, or of all in one place, there is no distance to begin with.
                let default = if tenth > 0.0 { tenth } else { 1.0 };
                Ok(Law::Gravity { softening: arguments.softening.unwrap_or(default) as f32 })
            }
        }
    }

    /// What the kernel knows of a body besides its position: the scaled radius, or the mass.
    pub(crate) fn weight(self, body: &Body) -> f64 {
        match self {
            Law::LennardJones { scale, .. } => f64::from(scale) * body.radius,
            Law::Gravity { .. } => body.mass,
        }
    }

    /// In what units the kernel computes the forces of these bodies.
    pub(crate) fn scales(self, bodies: &Bodies) -> Result<Scales> {
        let weights = bodies.all.iter().map(|body| self.weight(body));
        let weight = power_of_two(weights.fold(0.0, f64::max));
        match self {
            Law::LennardJones { .. } => {
                Ok(Scales { length: weight, weight, energy: 1.0, force: weight })
            }
            Law::Gravity { softening } => {
                let positions = bodies.all.iter().flat_map(|body| body.position);
                let positions = collected(bodies.all.len().saturating_mul(3), positions)?;
                let frame = Frame::of(&[&positions], 3)?.with_lengths([softening.into()]);
                let length = power_of_two(frame.largest());
                let energy = length / weight / weight;
                Ok(Scales { length, weight, energy, force: energy * length })
            }
        }
    }

    /// The acceleration of a unit of mass by a unit of force: 1 kJ/mol/Å is 100 Da Å/ps².
    pub(crate) fn acceleration(self) -> f64 {
        match self {
            Law::LennardJones { .. } => 100.0,
            Law::Gravity { .. } => 1.0,
        }
    }

    /// The time of a step, where the user names none.
    pub(crate) fn time_step(self, bodies: &Bodies) -> f64 {
        match self {
            Law::LennardJones { .. } => 0.001,
            Law::Gravity { softening } => {
                // A turn takes 2π over its frequency. The squares of two frequencies: of all bodies together, and of two of the heaviest at the distance of
                // the softening.
                let heaviest = bodies.all.iter().map(|body| body.mass).fold(0.0, f64::max);
                let together = bodies.mass() / bodies.extent().powi(3);
                let two = 2.0 * heaviest / f64::from(softening).powi(3);
                let step = 0.01 / (if together.is_finite() { together } else { 0.0 } + two).sqrt();
                if step.is_finite() { step } else { 1.0 }
            }
        }
    }

    pub(crate) fn units(self) -> Units {
        match self {
            Law::LennardJones { .. } => {
                Units { time: " ps", energy: " kJ/mol", force: " kJ/mol/Å", momentum: " Da Å/ps" }
            }
            Law::Gravity { .. } => Units { time: "", energy: "", force: "", momentum: "" },
        }
    }
}

impl std::fmt::Display for Law {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Law::LennardJones { depth, scale } => write!(
                f,
                "softened Lennard-Jones, {depth} kJ/mol deep where spheres of {scale} times the radii \
                 touch"
            ),
            Law::Gravity { softening } => {
                write!(f, "gravity with G = 1, softened by {softening}")
            }
        }
    }
}
