//! What is noted of the motion, moment by moment.

use std::io::Write;
use std::time::{Duration, Instant};

use td_kernel_examples::{NewFile, Result, memory};

use crate::balance::{Balance, Drift};
use crate::bodies::Bodies;
use crate::field::Forces;
use crate::law::Law;
use crate::motion::Moment;

/// The forces at the start, the drift since, and the balance of each moment if it is kept.
#[derive(Debug)]
pub(crate) struct Record {
    begun: Option<Begun>,
    kept: Option<Vec<Balance>>,
}

/// What is known from the first moment on.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) start: Start,
    pub(crate) drift: Drift,
    since: Instant,
    /// How long all steps took so far.
    pub(crate) time: Duration,
}

impl Record {
    /// An empty record; of all balances of so many steps, if they are to be kept.
    pub(crate) fn new(keep: bool, steps: u32) -> Result<Record> {
        let kept = if keep { Some(memory::reserved(steps as usize + 1)?) } else { None };
        Ok(Record { begun: None, kept })
    }

    /// Notes a moment.
    pub(crate) fn note(&mut self, moment: &Moment, bodies: &Bodies, law: Law) {
        let balance = Balance::of(moment, bodies, law);
        if let Some(kept) = &mut self.kept {
            kept.push(balance);
        }
        match &mut self.begun {
            Some(begun) => {
                begun.drift = begun.drift.and(balance);
                begun.time = begun.since.elapsed();
            }
            None => {
                self.begun = Some(Begun {
                    start: Start::of(&moment.forces),
                    drift: Drift::start(balance),
                    since: Instant::now(),
                    time: Duration::ZERO,
                });
            }
        }
    }

    /// What is known, once there was a moment.
    pub(crate) fn begun(self) -> Option<Begun> {
        self.begun
    }

    /// Writes the balances that were kept to a file of comma-separated values.
    pub(crate) fn write(&self, file: &NewFile) -> Result<()> {
        file.write(|writer| {
            writeln!(writer, "step,time,kinetic,potential,energy,px,py,pz")?;
            for (step, balance) in self.kept.iter().flatten().enumerate() {
                let Balance { time, kinetic, potential, momentum: [x, y, z], .. } = balance;
                let energy = balance.energy();
                writeln!(writer, "{step},{time},{kinetic},{potential},{energy},{x},{y},{z}")?;
            }
            Ok(())
        })
    }
}

/// The forces at the start.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) energy: f64,
    /// The largest force, and the body that it acts on.
    pub(crate) largest: Option<(f64, usize)>,
    /// The absolute value of the forces' sum, and the sum of their absolute values.
    pub(crate) net: [f64; 2],
    /// How long the kernel took.
    pub(crate) time: Duration,
}

impl Start {
    fn of(forces: &Forces) -> Start {
        let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
        let (mut largest, mut sum, mut lengths) = (None, [0.0; 3], 0.0);
        for (body, force) in forces.all.iter().enumerate() {
            let size = length(*force);
            if largest.is_none_or(|(largest, _)| size > largest) {
                largest = Some((size, body));
            }
            lengths += size;
            sum = [0, 1, 2].map(|axis| sum[axis] + force[axis]);
        }
        Start { energy: forces.energy, largest, net: [length(sum), lengths], time: forces.time }
    }
}
