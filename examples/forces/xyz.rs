//! Trajectories as extended XYZ: for each frame the number of bodies, a line of its properties, and a line for each body.

use std::io::{self, Write};

use crate::bodies::Bodies;
use crate::motion::Moment;

/// Writes a frame.
pub(crate) fn write(writer: &mut impl Write, bodies: &Bodies, moment: &Moment) -> io::Result<()> {
    let Moment { step, time, positions, velocities, forces } = moment;
    writeln!(writer, "{}", bodies.all.len())?;
    writeln!(
        writer,
        "Properties=species:S:1:pos:R:3:velo:R:3:forces:R:3 step={step} time={time} potential={}",
        forces.energy
    )?;
    let vectors = positions.iter().zip(velocities).zip(&forces.all);
    for (body, ((position, velocity), force)) in bodies.all.iter().zip(vectors) {
        write!(writer, "{}", body.symbol)?;
        for number in position {
            write!(writer, " {number:.15e}")?;
        }
        // About as many digits as single precision has.
        for number in velocity.iter().chain(force) {
            write!(writer, " {number:.7e}")?;
        }
        writeln!(writer)?;
    }
    Ok(())
}
