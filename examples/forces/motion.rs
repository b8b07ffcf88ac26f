//! The motion of the bodies: the velocity Verlet method, in double precision.

use td_kernel_examples::memory::collected;
use td_kernel_examples::progress::Steps;
use td_kernel_examples::{Error, Result};

use crate::bodies::{Bodies, Vector};
use crate::field::Forces;
use crate::law::Law;

/// The bodies at one moment.
#[derive(Debug)]
pub(crate) struct Moment {
    /// How many steps lie behind.
    pub(crate) step: u32,
    pub(crate) time: f64,
    pub(crate) positions: Vec<Vector>,
    pub(crate) velocities: Vec<Vector>,
    pub(crate) forces: Forces,
}

/// How far and by what bodies move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub(crate) law: Law,
    pub(crate) steps: u32,
    pub(crate) time_step: f64,
}

impl Course {
    /// Moves the bodies by the forces of a `field`, and shows each moment to `seen`, the start first.
    ///
    /// A step takes the velocities half a step on by the forces at its start, the positions by a whole step, and the
    /// velocities by the other half, by the forces at its end. So the energy does not drift, but goes up and down by a part
    /// that shrinks with the square of the time step, as long as the step is short enough for the fastest motion.
    pub(crate) fn follow<E: From<Error>>(
        self,
        bodies: &Bodies,
        mut field: impl FnMut(&[Vector]) -> Result<Forces>,
        mut seen: impl FnMut(&Moment) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut moment = self.start(bodies, &mut field)?;
        seen(&moment)?;
        let mut progress = Steps::new("moving bodies", self.steps.into());
        for step in 1..=self.steps {
            self.turn(bodies, &mut moment);
            for (position, velocity) in moment.positions.iter_mut().zip(&moment.velocities) {
                add(position, self.time_step, velocity);
            }
            moment.forces = finite(field(&moment.positions), step)?;
            self.turn(bodies, &mut moment);
            (moment.step, moment.time) = (step, f64::from(step) * self.time_step);
            seen(&moment)?;
            progress.step();
        }
        Ok(())
    }

    fn start(
        self,
        bodies: &Bodies,
        field: &mut impl FnMut(&[Vector]) -> Result<Forces>,
    ) -> Result<Moment> {
        let all = bodies.all.iter();
        let positions = collected(all.len(), all.clone().map(|body| body.position))?;
        let velocities = collected(all.len(), all.map(|body| body.velocity))?;
        let forces = finite(field(&positions), 0)?;
        Ok(Moment { step: 0, time: 0.0, positions, velocities, forces })
    }

    /// Takes the velocities half a step on.
    fn turn(self, bodies: &Bodies, moment: &mut Moment) {
        let half = 0.5 * self.time_step * self.law.acceleration();
        let forces = moment.forces.all.iter().zip(&bodies.all);
        for (velocity, (force, body)) in moment.velocities.iter_mut().zip(forces) {
            add(velocity, half / body.mass, force);
        }
    }
}

fn finite(forces: Result<Forces>, step: u32) -> Result<Forces> {
    let forces = forces?;
    match forces.are_finite() {
        true => Ok(forces),
        false => Err(Error::NotFinite { step }),
    }
}

/// Adds a multiple of another vector.
fn add(vector: &mut Vector, factor: f64, other: &Vector) {
    for (component, other) in vector.iter_mut().zip(other) {
        *component += factor * other;
    }
}
