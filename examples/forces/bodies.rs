//! The bodies: built in, from a file, or at random.

use std::path::Path;

use td_kernel_examples::memory::collected;
use td_kernel_examples::text::escaped;
use td_kernel_examples::{
    Atom, Element, FileOptions, Input, Place, Problem, Result, Table, atoms, data, random, source,
};

use crate::arguments::{Arguments, LawName};

/// A vector in space.
pub(crate) type Vector = [f64; 3];

/// What the symbol of a body is that is no atom.
const NO_ATOM: &str = "X";

/// The side of the cells in which random atoms lie, in ångström, and how far they are from the middle at most, along each
/// axis: at the default radii none overlap by much.
const CELL: f64 = 1.7;
const DISPLACEMENT: f64 = 0.15;

/// A body at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub(crate) symbol: &'static str,
    pub(crate) position: Vector,
    pub(crate) velocity: Vector,
    pub(crate) mass: f64,
    /// Before it is scaled; zero for gravity, which knows none.
    pub(crate) radius: f64,
}

/// Bodies, and where they are from.
#[derive(Debug)]
pub(crate) struct Bodies {
    pub(crate) all: Vec<Body>,
    pub(crate) origin: String,
}

impl Bodies {
    /// The bodies that the arguments ask for.
    pub(crate) fn choose(arguments: &Arguments) -> Result<Bodies> {
        match (arguments.random, &arguments.input) {
            (Some(count), _) => random(count as usize, arguments.seed, arguments.law),
            (None, Some(path)) => from_file(path, arguments.file, arguments.law),
            (None, None) => Ok(Bodies {
                all: from_atoms(&atoms(data::PROTEIN.name, data::PROTEIN.text.as_bytes())?)?,
                origin: format!("atoms of {}", data::PROTEIN.name),
            }),
        }
    }

    /// The mass of all.
    pub(crate) fn mass(&self) -> f64 {
        self.all.iter().map(|body| body.mass).sum()
    }

    /// Their root mean square distance from their centre of mass; not a number where there are none.
    pub(crate) fn extent(&self) -> f64 {
        let mean = |of: &dyn Fn(&Body) -> f64| {
            self.all.iter().map(|body| body.mass * of(body)).sum::<f64>() / self.mass()
        };
        let centre = [0, 1, 2].map(|axis| mean(&|body| body.position[axis]));
        let square = |axis: usize| mean(&|body| (body.position[axis] - centre[axis]).powi(2));
        (square(0) + square(1) + square(2)).sqrt()
    }
}

fn from_file(path: &Path, options: FileOptions, law: LawName) -> Result<Bodies> {
    match Input::read(path, options)? {
        Input::Table(table) => Ok(Bodies {
            all: from_table(&source::name(path), &table, law)?,
            origin: format!("rows of {}{}", escaped(&source::name(path)), table.without_header()),
        }),
        Input::Atoms(atoms) => Ok(Bodies {
            all: from_atoms(&atoms)?,
            origin: format!("atoms of {}", escaped(&source::name(path))),
        }),
    }
}

/// Atoms at rest.
fn from_atoms(atoms: &[Atom]) -> Result<Vec<Body>> {
    let bodies = atoms.iter().map(|atom| Body {
        symbol: atom.element.symbol,
        position: atom.position,
        velocity: [0.0; 3],
        mass: atom.element.mass,
        radius: atom.element.radius,
    });
    collected(atoms.len(), bodies)
}

/// With a header, the columns of these names, wherever they are; without one, as many columns.
fn from_table(name: &str, table: &Table, law: LawName) -> Result<Vec<Body>> {
    let (names, wanted) = match law {
        LawName::LennardJones => (["x", "y", "z", "m", "r"].as_slice(), "5 (x, y, z, m and r)"),
        LawName::Gravity => (["x", "y", "z", "m"].as_slice(), "4 (x, y, z and m)"),
    };
    let velocities = ["vx", "vy", "vz"];
    let mut columns = match table.has_header() {
        true => table.named(names)?,
        false if table.width() == names.len() => (0..names.len()).collect(),
        false => {
            let problem = Problem::ColumnCount { wanted, found: table.width() };
            return Err(problem.at(Place::file(name)));
        }
    };
    let moves = velocities.iter().any(|name| table.has_column(name));
    if moves {
        columns.extend(table.named(&velocities)?);
    }
    let numbers = table.numbers(&columns)?;
    let rows = numbers.chunks(columns.len()).enumerate();
    let bodies = rows.map(|(row, numbers)| {
        let vector = |start: usize| [0, 1, 2].map(|axis| numbers[start + axis]);
        for (at, &column) in columns.iter().enumerate().take(names.len()).skip(3) {
            if numbers[at] <= 0.0 {
                let what = if at == 3 { "mass" } else { "radius" };
                let problem = Problem::NotAboveZero { what, found: numbers[at].to_string() };
                return Err(problem.at(table.place(row, column)));
            }
        }
        Ok(Body {
            symbol: NO_ATOM,
            position: vector(0),
            velocity: if moves { vector(names.len()) } else { [0.0; 3] },
            mass: numbers[3],
            radius: if law == LawName::LennardJones { numbers[4] } else { 0.0 },
        })
    });
    bodies.collect()
}

fn random(count: usize, seed: u64, law: LawName) -> Result<Bodies> {
    let mut numbers = random::unit_numbers(seed).map(f64::from);
    let vectors = std::iter::from_fn(|| Some([numbers.next()?, numbers.next()?, numbers.next()?]));
    let at_rest = |symbol, position, mass, radius| Body {
        symbol,
        position,
        velocity: [0.0; 3],
        mass,
        radius,
    };
    match law {
        LawName::Gravity => {
            let mass = 1.0 / count.max(1) as f64;
            let bodies = vectors.map(|position| at_rest(NO_ATOM, position, mass, 0.0));
            Ok(Bodies {
                all: collected(count, bodies)?,
                origin: format!("uniform in the unit cube, seed {seed}"),
            })
        }
        LawName::LennardJones => {
            let (symbol, mass, radius) = Element::of("C")
                .map_or((NO_ATOM, 12.0, 1.7), |carbon| (carbon.symbol, carbon.mass, carbon.radius));
            let side = (1_usize..).find(|side| side.pow(3) >= count).unwrap_or(1);
            let bodies = vectors.enumerate().map(|(at, unit)| {
                let cell = [at % side, at / side % side, at / side / side];
                let position = [0, 1, 2]
                    .map(|axis| CELL * cell[axis] as f64 + DISPLACEMENT * (2.0 * unit[axis] - 1.0));
                at_rest(symbol, position, mass, radius)
            });
            Ok(Bodies {
                all: collected(count, bodies)?,
                origin: format!("carbon about a grid of {CELL} Å, seed {seed}"),
            })
        }
    }
}
