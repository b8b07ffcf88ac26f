//! The spheres: built in, from a file, or at random.

use std::path::Path;

use td_kernel_examples::memory::collected;
use td_kernel_examples::text::escaped;
use td_kernel_examples::{
    Atom, FileOptions, Input, NewFile, Place, Problem, Result, Table, atoms, data, random, source,
};

use crate::arguments::{Arguments, Dimensions};
use crate::sphere::Ball;

/// By what atoms' radii are multiplied if nothing else is said: so that atoms with a bond between them overlap.
const SCALE_OF_ATOMS: f64 = 0.5;

/// Spheres, and where they are from.
#[derive(Debug)]
pub(crate) struct Spheres {
    pub(crate) all: Vec<Ball>,
    /// What they are called, if they are atoms.
    pub(crate) names: Option<Vec<String>>,
    pub(crate) origin: String,
}

impl Spheres {
    /// The spheres that the arguments ask for, with their radii scaled, and on the
    /// x axis where there is one dimension.
    pub(crate) fn choose(arguments: &Arguments) -> Result<Spheres> {
        let Spheres { mut all, names, origin } = match (arguments.random, &arguments.input) {
            (Some(count), _) => random(count as usize, arguments.seed, arguments.dimensions)?,
            (None, Some(path)) => from_file(path, arguments.file)?,
            (None, None) => from_atoms(
                atoms(data::PROTEIN.name, data::PROTEIN.text.as_bytes())?,
                data::PROTEIN.name,
            )?,
        };
        let default = if names.is_some() { SCALE_OF_ATOMS } else { 1.0 };
        let scale = arguments.scale.unwrap_or(default);
        for sphere in &mut all {
            sphere.radius *= scale;
            if arguments.dimensions == Dimensions::One {
                (sphere.y, sphere.z) = (0.0, 0.0);
            }
        }
        let origin = match scale {
            1.0 => format!("{origin}, radii as they are"),
            _ => format!("{origin}, radii times {scale}"),
        };
        Ok(Spheres { all, names, origin })
    }

    /// What an element is called, if it is an atom.
    pub(crate) fn name(&self, index: u32) -> Option<&str> {
        self.names.as_ref()?.get(index as usize).map(String::as_str)
    }

    /// How deep the spheres of a pair overlap: zero where they only touch, and less where they do not.
    pub(crate) fn overlap(&self, [i, j]: [u32; 2]) -> f64 {
        let [a, b] = [i, j].map(|index| self.all[index as usize]);
        let distance = (a.x - b.x).hypot(a.y - b.y).hypot(a.z - b.z);
        a.radius + b.radius - distance
    }

    /// Writes the rows x, y, z, radius to a file in NumPy's format.
    pub(crate) fn write(&self, file: &NewFile) -> Result<()> {
        let spheres = self.all.iter();
        let values = spheres.flat_map(|sphere| [sphere.x, sphere.y, sphere.z, sphere.radius]);
        let values = collected(4 * self.all.len(), values)?;
        file.write_npy(&[self.all.len(), 4], &values)
    }
}

fn from_file(path: &Path, options: FileOptions) -> Result<Spheres> {
    let name = source::name(path);
    match Input::read(path, options)? {
        Input::Table(table) => {
            let all = from_table(&name, &table)?;
            let origin = escaped(&format!("rows of {name}{}", table.without_header()));
            Ok(Spheres { all, names: None, origin })
        }
        Input::Atoms(atoms) => from_atoms(atoms, &name),
    }
}

/// Atoms as spheres of their van der Waals radii, from what messages call `name`.
fn from_atoms(atoms: Vec<Atom>, name: &str) -> Result<Spheres> {
    let spheres = atoms.iter().map(|atom| {
        let [x, y, z] = atom.position;
        Ball { x, y, z, radius: atom.element.radius }
    });
    let all = collected(atoms.len(), spheres)?;
    let names = collected(atoms.len(), atoms.into_iter().map(|atom| atom.label))?;
    Ok(Spheres { all, names: Some(names), origin: escaped(&format!("atoms of {name}")) })
}

/// With a header, the columns of these names, wherever they are; without one, four columns.
fn from_table(name: &str, table: &Table) -> Result<Vec<Ball>> {
    let columns = match table.has_header() {
        true => table.named(&["x", "y", "z", "r"])?,
        false if table.width() == 4 => vec![0, 1, 2, 3],
        false => {
            let problem =
                Problem::ColumnCount { wanted: "4 (x, y, z and r)", found: table.width() };
            return Err(problem.at(Place::file(name)));
        }
    };
    let numbers = table.numbers(&columns)?;
    let rows = numbers.as_chunks::<4>().0.iter().enumerate();
    let spheres = rows.map(|(row, &[x, y, z, radius])| {
        if radius < 0.0 {
            let problem = Problem::NegativeRadius(radius.to_string());
            return Err(problem.at(table.place(row, columns[3])));
        }
        Ok(Ball { x, y, z, radius })
    });
    spheres.collect()
}

/// The largest radius of random spheres, chosen for a moderate number of contacts: of 30,720 spheres about 2,800 pairs
/// overlap in three dimensions and 9,400 in one.
fn largest_radius(dimensions: Dimensions) -> f64 {
    match dimensions {
        Dimensions::One => 1e-5,
        Dimensions::Three => 1e-2,
    }
}

fn random(count: usize, seed: u64, dimensions: Dimensions) -> Result<Spheres> {
    let largest = largest_radius(dimensions);
    let mut numbers = random::unit_numbers(seed).map(f64::from);
    let spheres = std::iter::from_fn(|| {
        let [x, y, z, u] = [numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?];
        // Never zero: u is below 1.
        Some(Ball { x, y, z, radius: (1.0 - u) * largest })
    });
    Ok(Spheres {
        all: collected(count, spheres)?,
        names: None,
        origin: format!("centres uniform in the unit cube, radii in (0, {largest}], seed {seed}"),
    })
}
