//! The forces on all bodies and their energy, from the device.

use std::time::Duration;

use td_kernel::{Buffer, Device, Sum, Sums};
use td_kernel_examples::{Frame, Result};

use crate::bodies::{Bodies, Vector};
use crate::kernels::{gravity, lennard_jones};
use crate::law::{Law, Scales};

/// The forces of one moment.
#[derive(Clone, Debug)]
pub(crate) struct Forces {
    /// On each body.
    pub(crate) all: Vec<Vector>,
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
    scales: Scales,
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
        let scales = law.scales(bodies)?;
        let kernel = match law {
            Law::LennardJones { depth, .. } => {
                let kernel = lennard_jones::load(device)?;
                kernel.report(n)?;
                Kernel::LennardJones(kernel, depth)
            }
            Law::Gravity { softening } => {
                let kernel = gravity::load(device)?;
                kernel.report(n)?;
                Kernel::Gravity(kernel, (f64::from(softening) * scales.length).powi(2) as f32)
            }
        };
        let weights = bodies.all.iter().map(|body| law.weight(body));
        let mut field = Field {
            device,
            kernel,
            scales,
            weights: weights.map(|weight| (weight * scales.weight) as f32).collect(),
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
        // Only differences count, and single precision resolves them best near zero.
        let frame = Frame::of(&[positions.as_flattened()], 3)?;
        let Scales { length, energy, force, .. } = self.scales;
        for ((element, position), weight) in
            self.elements.iter_mut().zip(positions).zip(&self.weights)
        {
            for ((to, from), origin) in element.iter_mut().zip(position).zip(frame.origin()) {
                *to = ((from - origin) * length) as f32;
            }
            element[3] = *weight;
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
        let all = self.force.download()?.into_iter();
        let all = all.map(|vector| vector.map(|component| f64::from(component) * force));
        let energy = f64::from(self.energy.download()?) * energy;
        Ok(Forces { all: all.collect(), energy, time })
    }
}
