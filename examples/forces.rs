//! The forces between all atoms and their energy: a sum for each element, and one over all pairs.
//! Example: `cargo run --release --example forces -- --steps 1000 --output drop.xyz`
//! Example: `cargo run --release --example forces -- --random 100000 --cutoff 10`

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use td_kernel::{Device, td_kernel};
use td_kernel_examples::{
    DeviceChoice, Frame, Output, Result, count_in, number_in, progress_bar, rate,
};
use td_kernel_examples_files::{Atom, Atoms, radius, spheres};

/// The Lennard-Jones force of two atoms, whose spheres have the radii in w. This becomes a kernel that adds the force of each pair
/// i > j to those of both atoms, and its energy to the total. Each coordinate is two floats, `p + low`.
#[td_kernel(prelude = include_str!("forces.cuh"))]
unsafe fn lennard_jones(
    #[each] p: &[[f32; 4]],
    #[each] low: &[[f32; 4]],
    depth: f32,
    #[each] force: &mut Sums<[f32; 3]>,
    energy: &mut Sum<f32>,
) {
    r#"
    float3 d = difference(p.i, low.i, p.j, low.j);
    Pair pair = soft_pair(d, p.i.w + p.j.w, depth);
    energy += pair.energy;
    force.i += pair.force;
    force.j -= pair.force;
    "#
}

/// The same up to a cutoff, in a periodic cell with these edges, which may be infinite. Pairs of tiles past `reach` are skipped:
/// the cutoff, and what rounding may move two atoms. For many steps, launches keep a list of the pairs up to `reach` and a skin.
#[td_kernel(prelude = include_str!("forces.cuh"))]
unsafe fn near_lennard_jones(
    #[each] p: &[[f32; 4]],
    #[each] low: &[[f32; 4]],
    depth: f32,
    edges: [f32; 3],
    cutoff: f32,
    reach: f32,
    #[each] force: &mut Sums<[f32; 3]>,
    energy: &mut Sum<f32>,
) {
    let pair = r#"
    float3 d = nearest_image(difference(p.i, low.i, p.j, low.j), edges);
    if (squared_norm(d) > cutoff * cutoff)
        return;
    Pair pair = soft_pair(d, p.i.w + p.j.w, depth);
    energy += pair.energy;
    force.i += pair.force;
    force.j -= pair.force;
    "#;
    let lower_bound = r#" periodic_distance(p.i, p.j, edges.x, edges.y, edges.z) - reach "#;
}

/// The kernel of all pairs, or of those up to a cutoff in a cell with these edges.
enum Field {
    All(lennard_jones),
    Near { kernel: near_lennard_jones, edges: [f32; 3], cutoff: f32 },
}

impl Field {
    /// Compiles the kernel now, outside the timed part.
    fn load(device: &Device, arguments: &Arguments, atoms: &Atoms) -> Result<Field> {
        let edges = match arguments.edges.as_deref() {
            Some(&[x, y, z]) => [x, y, z],
            Some(_) => return Err("--box takes three edges, as --box 40,40,60".into()),
            None if arguments.periodic => atoms.edges()?.map(|edge| edge as f32),
            None => [f32::INFINITY; 3],
        };
        let Some(cutoff) = arguments.cutoff.map(|it| it as f32) else {
            let kernel = lennard_jones::load(device)?;
            kernel.prepare(atoms.all.len())?;
            return Ok(Field::All(kernel));
        };
        if let Some(edge) = edges.iter().find(|edge| edge.is_nan() || **edge < 2.0 * cutoff) {
            return Err(format!("an edge of {edge} is shorter than twice the cutoff, {cutoff}: an atom would be near its own image").into());
        }
        let kernel = near_lennard_jones::load(device)?;
        let kernel = if arguments.steps > 0 { kernel.keep(SKIN) } else { kernel };
        kernel.prepare(atoms.all.len())?;
        Ok(Field::Near { kernel, edges, cutoff })
    }
}

/// How much farther apart than the cutoff a list has pairs, in ångström: atoms move by half of it in some tens of steps.
const SKIN: f32 = 1.0;
/// The energy that separates two touching atoms, in kJ/mol.
const DEPTH: f32 = 1.0;
/// The factor of radii: bonded atoms start near the minimum of their energy.
const SCALE: f64 = 0.45;
/// The time of a step, in ps.
const TIME_STEP: f64 = 0.001;
/// The acceleration of 1 Da by 1 kJ/mol/Å, in Å/ps².
const ACCELERATION: f64 = 100.0;

/// The forces and the energy of atoms at these positions, and the kernel's time: upload, launch, download. For many steps, keep
/// the buffers and clear the results.
fn field(
    device: &Device,
    kernel: &Field,
    atoms: &[Atom],
    positions: &[[f64; 3]],
) -> Result<(Vec<[f32; 3]>, f32, Duration)> {
    let frame = Frame::of(positions.as_flattened(), 3, &[])?;
    let [mut points, mut low] = frame.points::<4>(positions.as_flattened());
    for point in points.iter_mut().chain(&mut low) {
        *point = point.map(|coordinate| coordinate * frame.unit);
    }
    let largest = points.as_flattened().iter().fold(0.0, |most: f32, at| most.max(at.abs()));
    for (point, atom) in points.iter_mut().zip(atoms) {
        point[3] = (SCALE * atom.radius) as f32;
    }
    let (points, low) = (device.upload(&points)?, device.upload(&low)?);
    let (mut force, mut energy) = (device.sums(atoms.len())?, device.sum()?);
    let launch = || match kernel {
        Field::All(kernel) => kernel.launch(&points, &low, DEPTH, &mut force, &mut energy),
        Field::Near { kernel, edges, cutoff } => {
            // A power of two, which rarely changes: a kept list is for one value.
            let reach = cutoff + largest.log2().ceil().exp2() * 2_f32.powi(-20);
            kernel.launch(&points, &low, DEPTH, *edges, *cutoff, reach, &mut force, &mut energy)
        }
    };
    let ((), time) = device.timed(launch)?;
    Ok((force.download()?, energy.download()?, time))
}

/// Computes the Lennard-Jones forces between all atoms of a PDB or mmCIF file and their energy, and moves the atoms
///
/// They have no bonds, no charges and no surrounding water: this is a drop of a simple liquid with the initial shape of a
/// protein. Prints the potential energy in kJ/mol, the largest force in kJ/mol/Å, and after --steps how constant the energy was. Sums
/// are added up in an order that changes from run to run, so their last digits may change too.
#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example: forces --input protein.pdb --cutoff 10 --steps 100 --output drop.xyz"
)]
struct Arguments {
    /// Read the atoms from this file [default: the protein 1A8O, built in]
    #[arg(long, value_name = "FILE.pdb|.cif", conflicts_with = "random")]
    input: Option<PathBuf>,
    /// Make this many carbon atoms, each near a point of a grid
    #[arg(long, value_name = "N", value_parser = count_in(1..=1 << 24))]
    random: Option<usize>,
    /// Set the radius of an element in ångström, as FE=1.8: required if the built-in list has none
    #[arg(long, value_name = "ELEMENT=R", value_parser = radius)]
    radius: Vec<(String, f64)>,
    /// Leave out the forces of atoms farther apart than this, in ångström
    #[arg(long, value_name = "Å", value_parser = number_in(1e-30..1e30))]
    cutoff: Option<f64>,
    /// Repeat the atoms periodically in a cell with these three edges, in ångström
    #[arg(long = "box", value_name = "A,B,C", value_delimiter = ',', requires = "cutoff")]
    edges: Option<Vec<f32>>,
    /// Repeat the atoms of the input periodically in its cell: the CRYST1 record of a PDB file, or _cell of an mmCIF file. The
    /// copies of a space group are left out
    #[arg(long, requires = "cutoff", conflicts_with_all = ["edges", "random"])]
    periodic: bool,
    /// Move the atoms by this many steps of a femtosecond (velocity Verlet)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count_in(..))]
    steps: usize,
    /// Write the start, every tenth step and the last one to this file, in extended XYZ
    #[arg(long, value_name = "FILE.xyz")]
    output: Option<PathBuf>,
    /// Replace output files that exist
    #[arg(long)]
    force: bool,
}

fn main() {
    td_kernel_examples::start(run);
}

fn run(arguments: Arguments, device: DeviceChoice, out: &mut dyn Write) -> Result<()> {
    let file = Output::maybe(&arguments.output, arguments.force)?;
    let read = match arguments.random {
        Some(count) => Atoms::random(count),
        None => spheres(arguments.input.as_deref(), &arguments.radius)?,
    };
    let atoms = &read.all;
    if let Some(atom) = atoms.iter().find(|atom| arguments.steps > 0 && atom.mass.is_nan()) {
        let Atom { label, element, .. } = atom;
        return Err(format!("{label}: the mass of {element} is unknown: leave out --steps").into());
    }
    let (n, steps) = (atoms.len(), arguments.steps);
    let device = device.open()?;
    let kernel = Field::load(&device, &arguments, &read)?;
    let field_at = |positions: &[[f64; 3]]| field(&device, &kernel, atoms, positions);
    let mut positions: Vec<[f64; 3]> = atoms.iter().map(|atom| atom.position).collect();
    if let Field::Near { edges, .. } = &kernel {
        // In double precision, because a kernel has the digits of floats.
        for (at, edge) in positions.iter_mut().flat_map(|it| it.iter_mut().zip(edges)) {
            *at = if edge.is_finite() { at.rem_euclid(f64::from(*edge)) } else { *at };
        }
    }
    if !device.is_cpu() {
        field_at(&positions)?; // the first launch also moves the kernel's code to the GPU
    }
    let (mut forces, potential, time) = field_at(&positions)?;

    let pairs = n * (n - 1) / 2;
    let length = |[x, y, z]: [f64; 3]| x.hypot(y).hypot(z);
    let lengths: Vec<f64> = forces.iter().map(|force| length(force.map(f64::from))).collect();
    let largest = lengths.iter().copied().fold(0.0, f64::max);
    let atom = lengths.iter().position(|length| *length == largest).unwrap_or_default();
    let sum = |axis: usize| forces.iter().map(|force| f64::from(force[axis])).sum::<f64>();
    let all: f64 = lengths.iter().sum();
    let share = length([sum(0), sum(1), sum(2)]) / all.max(f64::MIN_POSITIVE);
    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "atoms: {n} ({})", read.origin)?;
    writeln!(out, "pairs: {pairs}")?;
    if let Field::Near { edges: [a, b, c], .. } = kernel
        && [a, b, c] != [f32::INFINITY; 3]
    {
        writeln!(out, "cell: {a} x {b} x {c} Å")?;
    }
    writeln!(out, "potential energy: {potential:?} kJ/mol")?;
    writeln!(out, "largest force: {:?} kJ/mol/Å (atom {atom})", largest as f32)?;
    writeln!(out, "net force: {share:.1e} of the absolute values of all forces")?;
    writeln!(out, "kernel: {}", rate(time, pairs))?;

    let write = |step: usize, energy: f32, positions: &[[f64; 3]], forces: &[[f32; 3]]| {
        let Some(file) = file.as_ref().filter(|_| step.is_multiple_of(10) || step == steps) else {
            return Ok(());
        };
        let kinds = "Properties=species:S:1:pos:R:3:forces:R:3";
        let mut frame = format!("{n}\n{kinds} step={step} potential={energy}\n");
        for ((atom, [x, y, z]), [a, b, c]) in atoms.iter().zip(positions).zip(forces) {
            frame += &format!("{} {x} {y} {z} {a} {b} {c}\n", atom.element);
        }
        file.write(frame.as_bytes())
    };
    write(0, potential, &positions, &forces)?;
    let bar = progress_bar("moving atoms");
    bar.set_length(steps as u64);
    let mut velocities = vec![[0.0; 3]; n];
    let (mut farthest, mut kinetic) = (0.0_f64, 0.0);
    for step in 1..=steps {
        // Half a step of the velocities, one of the positions, and the other half.
        accelerate(&mut velocities, &forces, atoms);
        for (position, velocity) in positions.iter_mut().zip(&velocities) {
            *position = [0, 1, 2].map(|axis| position[axis] + TIME_STEP * velocity[axis]);
        }
        let energy;
        (forces, energy, _) = field_at(&positions)?;
        accelerate(&mut velocities, &forces, atoms);
        write(step, energy, &positions, &forces)?;
        let squares = atoms.iter().zip(&velocities).map(|(atom, v)| atom.mass * length(*v).powi(2));
        kinetic = 0.5 * squares.sum::<f64>() / ACCELERATION;
        farthest = farthest.max((f64::from(energy) + kinetic - f64::from(potential)).abs());
        bar.inc(1);
    }
    bar.finish_and_clear();
    if steps > 0 {
        // The total energy should stay constant.
        writeln!(out, "steps: {steps}, {:?} ps in all", (steps as f64 * TIME_STEP) as f32)?;
        writeln!(out, "kinetic energy: {:?} kJ/mol", kinetic as f32)?;
        writeln!(out, "farthest from the first energy: {farthest:.3e} kJ/mol")?;
    }
    file.map_or(Ok(()), Output::finish)
}

/// Advances the velocities by half a step.
fn accelerate(velocities: &mut [[f64; 3]], forces: &[[f32; 3]], atoms: &[Atom]) {
    for ((velocity, force), atom) in velocities.iter_mut().zip(forces).zip(atoms) {
        let factor = 0.5 * TIME_STEP * ACCELERATION / atom.mass;
        *velocity = [0, 1, 2].map(|axis| velocity[axis] + factor * f64::from(force[axis]));
    }
}
