//! Which spheres of many collide: the result is a list of pairs.
//! Example: `cargo run --release --example collision -- --output pairs.csv --plot contacts.svg`

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use plotters::prelude::*;
use td_kernel::{DeviceType, Pairs, td_kernel};
use td_kernel_examples::{DeviceChoice, Frame, Output, Result, Table, TableOptions, listed, rate};
use td_kernel_examples_files::{Atom, Atoms, input_of_atoms, radius, spheres};

/// A sphere, shared by Rust and the kernel.
#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Sphere {
    x: f32,
    y: f32,
    z: f32,
    radius: f32,
}

/// Lists a pair of spheres if they collide, and finds the deepest overlap. Touching spheres collide too, which squares tell without a
/// root. `low` is the rounding error of the centres. With it, close spheres far from zero keep their distance. The lower bound excludes tiles of
/// spheres that are far apart. It has no rounding errors of centres: these are at most 64 along each axis (see `Frame`), and move
/// two spheres by less than 256.
#[td_kernel(map = "ltm", order = "x, y, z")]
unsafe fn collisions(
    #[each] s: &[Sphere],
    #[each] low: &[[f32; 4]],
    colliding: &mut Pairs,
    deepest: &mut Max<f32>,
) {
    let pair = r#"
    float dx = s.i.x - s.j.x + (low.i.x - low.j.x);
    float dy = s.i.y - s.j.y + (low.i.y - low.j.y);
    float dz = s.i.z - s.j.z + (low.i.z - low.j.z);
    float r = s.i.radius + s.j.radius;
    float square = fmaf(dz, dz, fmaf(dy, dy, dx * dx));
    if (square <= r * r) {
        colliding.push();
        deepest.offer(r - sqrtf(square));
    }
    "#;
    let lower_bound = r#" box_distance(s.i, s.j) - s.i.hi.radius - s.j.hi.radius - 256 "#;
}

/// Lists which spheres of many collide: those of a table, or the atoms of a PDB or mmCIF file with half their van der Waals
/// radii in ångström, so that bonded atoms collide [default: the protein 1A8O]
///
/// Touching spheres collide too. Prints the number of collisions and the deepest overlap. Spheres count from 0.
#[derive(Args)]
#[command(
    mut_arg("input", input_of_atoms),
    mut_arg("columns", |it| it.help("Use these four columns of a table, by number from 0 or by name [default: x,y,z and r or radius; without names, all four]")),
    after_help = "Example: collision --input spheres.csv --columns x,y,z,radius --output pairs.csv"
)]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// Set the radius of an element in ångström, as FE=1.8: required if the built-in list has none
    #[arg(long, value_name = "ELEMENT=R", value_parser = radius, conflicts_with = "random")]
    radius: Vec<(String, f64)>,
    /// Write the pairs to this table: i, j, and the atoms' labels
    #[arg(long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Draw the spheres, viewed along z, and a line for each pair
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

fn main() {
    td_kernel_examples::start(run);
}

fn run(arguments: Arguments, device: DeviceChoice, out: &mut dyn Write) -> Result<()> {
    let output = Output::maybe(&arguments.output, arguments.table.force)?;
    let picture = Output::maybe(&arguments.plot, arguments.table.force)?;
    let table = rows(&arguments)?;
    let balls = table.values.as_chunks::<4>().0;
    let centres: Vec<f64> = balls.iter().flat_map(|[x, y, z, _]| [*x, *y, *z]).collect();
    let radii: Vec<f64> = balls.iter().map(|[.., radius]| *radius).collect();
    let frame = Frame::of(&centres, 3, &radii)?;
    let [centres, low] = frame.points::<4>(&centres);
    let spheres = centres.iter().zip(&radii).map(|(&[x, y, z, _], radius)| {
        let radius = (radius * frame.scale) as f32;
        Sphere { x, y, z, radius }
    });

    let device = device.open()?;
    let n = balls.len();
    let spheres = device.upload(&spheres.collect::<Vec<_>>())?;
    let low = device.upload(&low)?;
    let kernel = collisions::load(&device)?;
    kernel.prepare(n)?;
    let is_listed = output.is_some() || picture.is_some();
    let mut deepest = device.max()?;
    // Room for 16 contacts a sphere, if the list is an output.
    let (pairs, count, time) =
        listed(&device, (&kernel, n), is_listed.then_some(16 * n), |pairs: &mut Pairs| {
            kernel.launch(&spheres, &low, pairs, &mut deepest)
        })?;

    let all = n * (n - 1) / 2;
    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "spheres: {n} ({})", table.origin)?;
    writeln!(out, "pairs: {all}")?;
    writeln!(out, "collisions: {count}")?;
    let contacts = 2.0 * count as f64 / n as f64;
    writeln!(out, "contacts: {contacts:.3} a sphere, on average")?;
    let names = &table.cells;
    let name = |at: u32| names.get(at as usize).map_or("", String::as_str);
    if let Some((_, i, j)) = deepest.download()? {
        let ([x, y, z, r], [a, b, c, s]) = (balls[i as usize], balls[j as usize]);
        let depth = (r + s - (x - a).hypot(y - b).hypot(z - c)) as f32;
        let names = if names.is_empty() { "" } else { &format!(", {} and {}", name(i), name(j)) };
        writeln!(out, "deepest overlap: {depth:?} (i = {i}, j = {j}){names}")?;
    }
    writeln!(out, "kernel: {}", rate(time, all))?;

    if !is_listed {
        return Ok(());
    }
    let (pairs, _) = pairs.download()?.sorted()?.into_vecs(); // threads push them in any order
    if let Some(file) = output {
        let row =
            |&[i, j]: &[u32; 2]| [i.to_string(), j.to_string(), name(i).into(), name(j).into()];
        file.csv(["i", "j", "name_i", "name_j"], pairs.iter().map(row))?;
    }
    picture.map_or(Ok(()), |file| draw(file, balls, &pairs))
}

/// Draws the spheres, viewed along z, and a line for each pair.
fn draw(file: Output, balls: &[[f64; 4]], pairs: &[[u32; 2]]) -> Result<()> {
    let [x, y] = [0, 1].map(|axis| {
        let ends = balls.iter().flat_map(|ball| [ball[axis] - ball[3], ball[axis] + ball[3]]);
        ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], end| [a.min(end), b.max(end)])
    });
    // The same scale for both axes.
    let extent = (x[1] - x[0]).max(y[1] - y[0]);
    file.svg((700, 700), |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(10)
            .x_label_area_size(45)
            .y_label_area_size(45)
            .build_cartesian_2d(x[0]..x[0] + extent, y[0]..y[0] + extent)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().x_desc("x").y_desc("y").label_style(("sans-serif", 18)).draw()?;
        let pixels = 645.0 / extent;
        chart.draw_series(balls.iter().map(|[x, y, _, radius]| {
            let radius = (pixels * radius).max(1.0) as u32;
            Circle::new((*x, *y), radius, BLUE.mix(0.1).filled())
        }))?;
        let centre = |at: u32| (balls[at as usize][0], balls[at as usize][1]);
        chart.draw_series(pairs.iter().map(|pair| PathElement::new(pair.map(centre), RED)))?;
        Ok(String::new())
    })
}

/// The rows x, y, z, radius of all spheres, with the labels of atoms.
fn rows(arguments: &Arguments) -> Result<Table> {
    let options = &arguments.table;
    let names = |radius: &str| ["x", "y", "z", radius].map(String::from).to_vec();
    if options.random.is_none() && !options.has_table() {
        let Atoms { all, origin, .. } = spheres(options.input.as_deref(), &arguments.radius)?;
        let row = |Atom { position: [x, y, z], radius, .. }: &Atom| [*x, *y, *z, 0.5 * radius];
        let (values, origin) = (all.iter().flat_map(row).collect(), origin + ", half their radii");
        let (names, cells) = (names("r"), all.into_iter().map(|atom| atom.label).collect());
        return options.saved(Table { values, names, origin, cells, ..Table::default() });
    }
    if !arguments.radius.is_empty() {
        return Err("--radius is for atoms, but a table has a column with the radii".into());
    }
    let read = |columns| TableOptions { columns, save_input: None, ..options.clone() }.rows(4, 4);
    let is_unnamed = |table: &Table| table.names.iter().all(|name| name.parse::<f64>().is_ok());
    let mut table = match &options.columns {
        Some(columns) => read(Some(columns.clone()))?,
        None => read(Some(names("r"))).or_else(|error| {
            // Columns without names, as of an array that was written as a table, are taken in their order.
            let unnamed = || read(None).ok().filter(is_unnamed);
            read(Some(names("radius"))).ok().or_else(unnamed).ok_or(error)
        })?,
    };
    if table.width() < 4 {
        return Err(format!("{}: choose four with --columns", table.origin).into());
    }
    if options.random.is_some() {
        // Small enough that few collide.
        table.values.iter_mut().skip(3).step_by(4).for_each(|radius| *radius *= 0.01);
    }
    if let Some(at) = table.rows().position(|row| row[3] < 0.0) {
        let problem = format!("{} is not a radius of zero or more", table.values[4 * at + 3]);
        return table.refused(at, &table.names[3], &problem);
    }
    options.saved(Table { names: names("r"), ..table })
}
