//! The spheres: built in, from a file, or at random.

use std::path::Path;

use td_kernel_examples::memory::collected;
use td_kernel_examples::text::shown;
use td_kernel_examples::{
    Atom, Input, NewFile, Place, Problem, Result, Table, atoms, data, random,
};

use crate::arguments::{Arguments, Dimensions};
use crate::sphere::Sphere;

/// Spheres, and where they are from.
#[derive(Debug)]
pub(crate) struct Spheres {
    pub(crate) all: Vec<Sphere>,
    pub(crate) origin: String,
}

impl Spheres {
    /// The spheres that the arguments ask for, as the kernels see them: radii scaled, and on the
    /// x axis where there is one dimension.
    pub(crate) fn choose(arguments: &Arguments) -> Result<Spheres> {
        let Spheres { mut all, origin } = match (arguments.random, &arguments.input) {
            (Some(count), _) => random(count as usize, arguments.seed, arguments.dimensions)?,
            (None, Some(path)) => from_file(path)?,
            (None, None) => Spheres {
                all: from_atoms(&atoms(data::PROTEIN.name, data::PROTEIN.text.as_bytes())?)?,
                origin: format!("atoms of {}", data::PROTEIN.name),
            },
        };
        for sphere in &mut all {
            sphere.radius *= arguments.scale;
            if arguments.dimensions == Dimensions::One {
                (sphere.y, sphere.z) = (0.0, 0.0);
            }
        }
        let origin = format!("{origin}, radii times {}", arguments.scale);
        Ok(Spheres { all, origin })
    }

    /// Writes the rows x, y, z, radius to a file in NumPy's format.
    pub(crate) fn write(&self, file: &NewFile) -> Result<()> {
        let spheres = self.all.iter();
        let values = spheres.flat_map(|sphere| [sphere.x, sphere.y, sphere.z, sphere.radius]);
        let values = collected(4 * self.all.len(), values)?;
        file.write_npy(&[self.all.len(), 4], &values)
    }
}

fn from_file(path: &Path) -> Result<Spheres> {
    match Input::read(path)? {
        Input::Table(table) => Ok(Spheres {
            all: from_table(&path.display().to_string(), &table)?,
            origin: format!("rows of {}", shown(path)),
        }),
        Input::Atoms(atoms) => {
            Ok(Spheres { all: from_atoms(&atoms)?, origin: format!("atoms of {}", shown(path)) })
        }
    }
}

/// Atoms as spheres of their van der Waals radii.
fn from_atoms(atoms: &[Atom]) -> Result<Vec<Sphere>> {
    let spheres = atoms.iter().map(|&Atom { position: [x, y, z], element }| Sphere {
        x,
        y,
        z,
        radius: element.radius,
    });
    collected(atoms.len(), spheres)
}

/// With a header, the columns of these names, wherever they are; without one, four columns.
fn from_table(name: &str, table: &Table) -> Result<Vec<Sphere>> {
    let columns = match table.has_header() {
        true => table.columns(&["x", "y", "z", "r"])?,
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
        Ok(Sphere { x, y, z, radius })
    });
    spheres.collect()
}

/// The largest radius of random spheres before scaling, chosen for a moderate number of contacts
/// at the default scale of a half: of 30,720 spheres about 2,800 pairs overlap in three dimensions
/// and 9,400 in one.
fn largest_radius(dimensions: Dimensions) -> f32 {
    match dimensions {
        Dimensions::One => 2e-5,
        Dimensions::Three => 2e-2,
    }
}

fn random(count: usize, seed: u64, dimensions: Dimensions) -> Result<Spheres> {
    let largest = largest_radius(dimensions);
    let mut numbers = random::unit_numbers(seed);
    let spheres = std::iter::from_fn(|| {
        let [x, y, z, u] = [numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?];
        // Never zero: u is below 1.
        Some(Sphere { x, y, z, radius: (1.0 - u) * largest })
    });
    Ok(Spheres {
        all: collected(count, spheres)?,
        origin: format!("centres uniform in the unit cube, radii in (0, {largest}], seed {seed}"),
    })
}
