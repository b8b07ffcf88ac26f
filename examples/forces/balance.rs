//! What should stay the same while bodies move, and by how much it does not: energy and momentum.

use crate::bodies::{Bodies, Vector};
use crate::law::Law;
use crate::motion::Moment;

/// The energies and the momentum of one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Balance {
    pub(crate) time: f64,
    pub(crate) kinetic: f64,
    pub(crate) potential: f64,
    pub(crate) momentum: Vector,
    /// The absolute values of all bodies' momenta, added up.
    pub(crate) momenta: f64,
}

impl Balance {
    pub(crate) fn of(moment: &Moment, bodies: &Bodies, law: Law) -> Balance {
        let mut balance = Balance {
            time: moment.time,
            kinetic: 0.0,
            potential: moment.forces.energy,
            momentum: [0.0; 3],
            momenta: 0.0,
        };
        for (body, velocity) in bodies.all.iter().zip(&moment.velocities) {
            let square: f64 = velocity.iter().map(|component| component * component).sum();
            balance.kinetic += 0.5 * body.mass * square / law.acceleration();
            balance.momenta += body.mass * square.sqrt();
            for (sum, component) in balance.momentum.iter_mut().zip(velocity) {
                *sum += body.mass * component;
            }
        }
        balance
    }

    /// The energy that should stay the same.
    pub(crate) fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// How far energy and momentum went from where they started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drift {
    pub(crate) first: Balance,
    pub(crate) last: Balance,
    /// The energy at the end, less that at the start.
    pub(crate) energy: f64,
    /// The largest absolute difference of any moment's energy from that at the start.
    pub(crate) farthest: f64,
    /// The largest kinetic energy: what drift is to be compared with, because potential energy has no zero of its own.
    pub(crate) kinetic: f64,
    /// The absolute value of the momentum at the end, less that at the start.
    pub(crate) momentum: f64,
    /// The largest sum of the absolute values of all bodies' momenta.
    pub(crate) momenta: f64,
}

impl Drift {
    /// No drift yet: the bodies start here.
    pub(crate) fn start(first: Balance) -> Drift {
        let Balance { kinetic, momenta, .. } = first;
        Drift { first, last: first, energy: 0.0, farthest: 0.0, kinetic, momentum: 0.0, momenta }
    }

    /// The part of the largest kinetic energy by which the energy strayed, where that is no motion of these bodies any more:
    /// a tenth or more, and more than single precision makes of a potential energy.
    pub(crate) fn absurd(&self) -> Option<f64> {
        let share = self.farthest / self.kinetic;
        let is_rounding = self.farthest <= 1e-4 * self.first.potential.abs();
        (share >= 0.1 && !is_rounding).then_some(share)
    }

    /// The drift up to the next moment.
    pub(crate) fn and(self, last: Balance) -> Drift {
        let energy = last.energy() - self.first.energy();
        let change = [0, 1, 2].map(|axis| last.momentum[axis] - self.first.momentum[axis]);
        Drift {
            first: self.first,
            last,
            energy,
            farthest: self.farthest.max(energy.abs()),
            kinetic: self.kinetic.max(last.kinetic),
            momentum: change.iter().map(|component| component * component).sum::<f64>().sqrt(),
            momenta: self.momenta.max(last.momenta),
        }
    }
}
