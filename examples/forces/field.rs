//! The forces on all bodies and their energy, from the device.

use std::time::Duration;

use td_kernel::{Buffer, Device, Result, Sum, Sums};

use crate::bodies::{Bodies, Vector};
use crate::kernels::{gravity, lennard_jones};
use crate::law::Law;

/// The forces of one moment.
#[derive(Clone, Debug)]
pub(crate) struct Forces {
    /// On each body.
    pub(crate) all: Vec<[f32; 3]>,
    /// The potential energy of all pairs.
    pub(crate) energy: f64,
    /// How long the kernel took.
    pub(crate) time: Duration,
}

impl Forces {
    /// Whether they are numbers, and finite.
    pub(crate) fn are_finite(&self) -> bool {
        self.energy.is_finite() && self.all.iter().flatten().all(|component| component.is_finite())
    }
}

/// A kernel, with its memory on the device.
pub(crate) struct Field<'a> {
    device: &'a Device,
    kernel: Kernel,
    /// What the kernel knows of each body besides its position.
    weights: Vec<f32>,
    /// Positions and weights, on the host.
    elements: Vec<[f32; 4]>,
    /// A copy of them on the device.
    bodies: Buffer<[f32; 4]>,
    force: Sums<[f32; 3]>,
    energy: Sum<f32>,
}

/// The kernel of a law, with the law's number.
enum Kernel {
    LennardJones(lennard_jones, f32),
    Gravity(gravity, f32),
}

impl<'a> Field<'a> {
    /// The field of these bodies on a device.
    pub(crate) fn new(device: &'a Device, law: Law, bodies: &Bodies) -> Result<Field<'a>> {
        let n = bodies.all.len();
        // Each kernel has several texts. `report` compiles the one for this number of bodies now, so that no measured
        // time includes it.
        let kernel = match law {
            Law::LennardJones { depth, .. } => {
                let kernel = lennard_jones::load(device)?;
                kernel.report(n)?;
                Kernel::LennardJones(kernel, depth)
            }
            Law::Gravity { softening } => {
                let kernel = gravity::load(device)?;
                kernel.report(n)?;
                Kernel::Gravity(kernel, softening * softening)
            }
        };
        let mut field = Field {
            device,
            kernel,
            weights: bodies.all.iter().map(|body| law.weight(body)).collect(),
            elements: vec![[0.0; 4]; n],
            bodies: device.zeroed(n)?,
            force: device.sums(n)?,
            energy: device.sum()?,
        };
        if !device.is_cpu() {
            // The first launch on a GPU also moves the kernel's code there.
            field.at(&bodies.all.iter().map(|body| body.position).collect::<Vec<_>>())?;
        }
        Ok(field)
    }

    /// The forces where the bodies are at these positions.
    pub(crate) fn at(&mut self, positions: &[Vector]) -> Result<Forces> {
        // Relative to their mean, because single precision resolves small numbers better, and only differences count.
        let mean = [0, 1, 2].map(|axis| {
            let sum: f64 = positions.iter().map(|position| position[axis]).sum();
            sum / positions.len().max(1) as f64
        });
        for ((element, position), weight) in
            self.elements.iter_mut().zip(positions).zip(&self.weights)
        {
            let [x, y, z] = [0, 1, 2].map(|axis| (position[axis] - mean[axis]) as f32);
            *element = [x, y, z, *weight];
        }
        self.bodies.upload_into(&self.elements)?;
        self.force.clear()?;
        self.energy.clear()?;
        let ((), time) = self.device.timed(|| match &self.kernel {
            Kernel::LennardJones(kernel, depth) => {
                kernel.launch(&self.bodies, *depth, &mut self.force, &mut self.energy)
            }
            Kernel::Gravity(kernel, softening) => {
                kernel.launch(&self.bodies, *softening, &mut self.force, &mut self.energy)
            }
        })?;
        Ok(Forces { all: self.force.download()?, energy: self.energy.download()?.into(), time })
    }
}
