//! What the program prints.

use std::fmt;
use std::time::Duration;

use td_kernel::Device;
use td_kernel_examples::progress::Elements;

use crate::balance::Drift;
use crate::bodies::Bodies;
use crate::field::Forces;
use crate::law::Units;
use crate::motion::Course;

/// One line for each fact, with its name in front.
#[derive(Debug)]
pub(crate) struct Report {
    device: String,
    bodies: usize,
    origin: String,
    course: Course,
    /// The forces at the start, the drift, and how long all steps took.
    steps: Option<(Start, Drift, Duration)>,
}

/// The forces at the start.
#[derive(Debug)]
pub(crate) struct Start {
    energy: f64,
    /// The largest force, and the body that it acts on.
    largest: Option<(f64, usize)>,
    /// The absolute value of the forces' sum, and the sum of their absolute values.
    net: [f64; 2],
    time: Duration,
}

impl Start {
    pub(crate) fn of(forces: &Forces) -> Start {
        let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
        let (mut largest, mut sum, mut lengths) = (None, [0.0; 3], 0.0);
        for (body, force) in forces.all.iter().enumerate() {
            let force = force.map(f64::from);
            let size = length(force);
            if largest.is_none_or(|(largest, _)| size > largest) {
                largest = Some((size, body));
            }
            lengths += size;
            sum = [0, 1, 2].map(|axis| sum[axis] + force[axis]);
        }
        Start { energy: forces.energy, largest, net: [length(sum), lengths], time: forces.time }
    }
}

impl Report {
    pub(crate) fn new(
        device: &Device,
        bodies: &Bodies,
        course: Course,
        steps: Option<(Start, Drift, Duration)>,
    ) -> Report {
        Report {
            device: device.name().into(),
            bodies: bodies.all.len(),
            origin: bodies.origin.clone(),
            course,
            steps,
        }
    }

    fn forces(&self, f: &mut fmt::Formatter<'_>, units: Units) -> fmt::Result {
        let Units { energy, force, .. } = units;
        let pairs = Elements::One(self.bodies).pairs();
        writeln!(f, "device: {}", self.device)?;
        writeln!(f, "bodies: {} ({})", self.bodies, self.origin)?;
        writeln!(f, "law: {}", self.course.law)?;
        write!(f, "pairs: {pairs}")?;
        let start = self.steps.as_ref().map(|(start, ..)| start).filter(|_| pairs > 0);
        let Some(&Start { energy: potential, largest: Some((largest, body)), net, time }) = start
        else {
            return write!(f, ", so there are no forces");
        };
        let [net, lengths] = net;
        writeln!(f, "\npotential energy: {potential:.6}{energy}")?;
        writeln!(f, "largest force: {largest:.6}{force} (body {body})")?;
        writeln!(f, "net force: {}", Share(net, lengths, "the absolute values of all forces"))?;
        let seconds = time.as_secs_f64();
        let rate = pairs as f64 / seconds;
        write!(f, "kernel: {:.3} ms, {rate:.3e} pairs/s", seconds * 1e3)
    }

    fn motion(
        &self,
        f: &mut fmt::Formatter<'_>,
        units: Units,
        drift: &Drift,
        duration: Duration,
    ) -> fmt::Result {
        let Units { time, energy, momentum, .. } = units;
        let Course { steps, time_step, .. } = self.course;
        let Drift { first, last, .. } = drift;
        let seconds = duration.as_secs_f64();
        let per_step = 1e3 * seconds / f64::from(steps);
        writeln!(f, "\nsteps: {steps} of {time_step:.6}{time}, {:.6}{time} in all", last.time)?;
        writeln!(
            f,
            "kinetic energy: {:.6}{energy}, then {:.6}{energy}",
            first.kinetic, last.kinetic
        )?;
        writeln!(f, "energy: {:.6}{energy}, then {:.6}{energy}", first.energy(), last.energy())?;
        let kinetic = "the largest kinetic energy";
        let share = Share(drift.energy, drift.kinetic, kinetic);
        writeln!(f, "energy drift: {:.3e}{energy}, {share}", drift.energy)?;
        let share = Share(drift.energy / f64::from(steps), drift.kinetic, kinetic);
        writeln!(f, "energy drift a step: {share}")?;
        let share = Share(drift.farthest, drift.kinetic, kinetic);
        writeln!(f, "farthest from the first energy: {:.3e}{energy}, {share}", drift.farthest)?;
        let share = Share(drift.momentum, drift.momenta, "the absolute values of all momenta");
        writeln!(f, "momentum drift: {:.3e}{momentum}, {share}", drift.momentum)?;
        write!(f, "time: {seconds:.3} s, {per_step:.3} ms a step")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = self.course.law.units();
        self.forces(f, units)?;
        match &self.steps {
            Some((_, drift, time)) if self.course.steps > 0 => self.motion(f, units, drift, *time),
            _ => Ok(()),
        }
    }
}

/// A part, what it is compared with, and what that is called.
struct Share(f64, f64, &'static str);

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Share(part, whole, name) = self;
        match *whole > 0.0 {
            true => write!(f, "{:.1e} of {name}", part / whole),
            false => write!(f, "{name} is zero"),
        }
    }
}
