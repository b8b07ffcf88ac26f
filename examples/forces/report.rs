//! What the program prints.

use std::fmt;

use td_kernel::Device;
use td_kernel_examples::Digits;
use td_kernel_examples::progress::Elements;

use crate::balance::Drift;
use crate::bodies::Bodies;
use crate::law::Units;
use crate::motion::Course;
use crate::record::{Begun, Record, Start};

/// One line for each fact, with its name in front.
#[derive(Debug)]
pub(crate) struct Report {
    device: String,
    bodies: usize,
    origin: String,
    course: Course,
    begun: Option<Begun>,
}

impl Report {
    pub(crate) fn new(device: &Device, bodies: &Bodies, course: Course, record: Record) -> Report {
        Report {
            device: device.name().into(),
            bodies: bodies.all.len(),
            origin: bodies.origin.clone(),
            course,
            begun: record.begun(),
        }
    }

    /// What to say of steps that are too long, if they are.
    pub(crate) fn warning(&self) -> Option<String> {
        let share = self.begun.as_ref()?.drift.absurd()?;
        let shorter = (0.1 * self.course.time_step) as f32;
        let percent = 100.0 * share;
        Some(format!(
            "the energy, which should stay the same, strayed by {percent:.0} % of the largest kinetic energy: the steps are too long for the fastest bodies; try a tenth of the time, `--time-step {shorter}`, and more steps"
        ))
    }

    fn forces(&self, f: &mut fmt::Formatter<'_>, units: Units) -> fmt::Result {
        let Units { energy, force, .. } = units;
        let pairs = Elements::One(self.bodies).pairs();
        writeln!(f, "device: {}", self.device)?;
        writeln!(f, "bodies: {} ({})", self.bodies, self.origin)?;
        writeln!(f, "law: {}", self.course.law)?;
        write!(f, "pairs: {pairs}")?;
        let start = self.begun.as_ref().map(|begun| &begun.start).filter(|_| pairs > 0);
        let Some(&Start { energy: potential, largest: Some((largest, body)), net, time }) = start
        else {
            return write!(f, ", so there are no forces");
        };
        let [net, lengths] = net;
        writeln!(f, "\npotential energy: {}{energy}", Digits(potential))?;
        writeln!(f, "largest force: {}{force} (body {body})", Digits(largest))?;
        writeln!(f, "net force: {}", Share(net, lengths, "the absolute values of all forces"))?;
        let seconds = time.as_secs_f64();
        let rate = pairs as f64 / seconds;
        write!(f, "kernel: {:.3} ms, {rate:.3e} pairs/s", seconds * 1e3)
    }

    fn motion(&self, f: &mut fmt::Formatter<'_>, units: Units, begun: &Begun) -> fmt::Result {
        let Units { time, energy, momentum, .. } = units;
        let Course { steps, time_step, .. } = self.course;
        let drift = &begun.drift;
        let Drift { first, last, .. } = drift;
        let seconds = begun.time.as_secs_f64();
        let per_step = 1e3 * seconds / f64::from(steps);
        // Single precision has the shortest decimals.
        let [each, all] = [time_step, last.time].map(|time| time as f32);
        writeln!(f, "\nsteps: {steps} of {each}{time}, {all}{time} in all")?;
        writeln!(
            f,
            "kinetic energy: {}{energy}, then {}{energy}",
            Digits(first.kinetic),
            Digits(last.kinetic)
        )?;
        let [start, end] = [first, last].map(|balance| Digits(balance.energy()));
        writeln!(f, "energy: {start}{energy}, then {end}{energy}")?;
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
        match &self.begun {
            Some(begun) if self.course.steps > 0 => self.motion(f, units, begun),
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
