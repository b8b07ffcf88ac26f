//! The rows that are searched, and as the kernels of a metric take them.

use std::path::Path;

use td_kernel_examples::directions::{bits, unit_rows};
use td_kernel_examples::memory::reserved;
use td_kernel_examples::progress::Elements;
use td_kernel_examples::{Frame, Place, Problem, Result, Vectors, source};

use crate::arguments::Arguments;
use crate::metric::Metric;

/// Rows, and those whose neighbours among them are searched, where these are others.
#[derive(Debug)]
pub(crate) struct Sets {
    pub(crate) data: Vectors,
    pub(crate) queries: Option<Vectors>,
}

impl Sets {
    /// The rows that the arguments ask for: at random, from files, or built in.
    pub(crate) fn choose(arguments: &Arguments) -> Result<Sets> {
        let options = &arguments.table;
        let data = match (arguments.random, &arguments.input) {
            (Some(count), _) => {
                Vectors::random(count as usize, arguments.features as usize, arguments.seed)
            }
            (None, Some(path)) => Vectors::read(path, options),
            (None, None) => Vectors::iris(options),
        }?;
        let queries = match &arguments.queries {
            Some(path) => Some(as_wide(Vectors::read(path, options)?, &data, path)?),
            None => None,
        };
        Ok(Sets { data, queries })
    }

    /// The rows that have neighbours.
    pub(crate) fn rows(&self) -> &Vectors {
        self.queries.as_ref().unwrap_or(&self.data)
    }

    /// What a launch is over.
    pub(crate) fn elements(&self) -> Elements {
        match &self.queries {
            Some(queries) => Elements::Two(queries.count, self.data.count),
            None => Elements::One(self.data.count),
        }
    }
}

/// The queries of this file, where they have as many features as the data, and no columns of other names.
fn as_wide(queries: Vectors, data: &Vectors, path: &Path) -> Result<Vectors> {
    let (found, expected) = (queries.features, data.features);
    if found == expected {
        if let (Some(taken), Some(first)) = (&queries.taken, &data.taken) {
            taken.expect_same(first)?;
        }
        return Ok(queries);
    }
    let problem = Problem::OtherWidth { found, expected, other: data.origin.clone() };
    Err(problem.at(Place::file(&source::name(path))))
}

/// Rows of features, and queries.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// In a [`Frame`] with this unit.
    Singles(Vec<f32>, Option<Vec<f32>>, f32),
    /// As vectors of length 1, in a [`Frame`] with this unit.
    Directions(Directions, Option<Directions>, f32),
    /// As bits, of which the same number always has the same.
    Bits(Vec<u64>, Option<Vec<u64>>),
}

/// Rows as vectors of length 1.
#[derive(Debug)]
pub(crate) struct Directions {
    /// In double precision; zeros where a row has no direction.
    pub(crate) exact: Vec<f64>,
    /// As the kernels get them.
    pub(crate) singles: Vec<f32>,
    /// The sum of the squares of each row as the kernels get it; not a number where it has no direction.
    pub(crate) norms: Vec<f32>,
}

impl Directions {
    fn new(exact: Vec<f64>, frame: &Frame, features: usize) -> Result<Directions> {
        let singles = frame.singles(&exact)?;
        let mut norms = norms(&singles, features)?;
        for (norm, row) in norms.iter_mut().zip(exact.chunks(features)) {
            if row.iter().all(|part| *part == 0.0) {
                *norm = f32::NAN;
            }
        }
        Ok(Directions { exact, singles, norms })
    }
}

/// The sum of squares of each row.
pub(crate) fn norms(rows: &[f32], features: usize) -> Result<Vec<f32>> {
    let mut norms = reserved(rows.len().div_ceil(features))?;
    norms.extend(rows.chunks(features).map(|row| row.iter().map(|x| x * x).sum::<f32>()));
    Ok(norms)
}

/// The frame of these rows and queries.
fn frame(data: &[f64], queries: Option<&[f64]>, features: usize) -> Result<Frame> {
    Frame::of(&[data, queries.unwrap_or_default()], features)
}

impl Prepared {
    pub(crate) fn new(sets: &Sets, metric: Metric) -> Result<Prepared> {
        let (data, queries) = (&sets.data, sets.queries.as_ref());
        let directions = |centred: bool| -> Result<Prepared> {
            let units = |rows| unit_rows(rows, centred);
            let (rows, queries) = (units(data)?, queries.map(units).transpose()?);
            let frame = frame(&rows, queries.as_deref(), data.features)?;
            let of = |exact| Directions::new(exact, &frame, data.features);
            Ok(Prepared::Directions(of(rows)?, queries.map(of).transpose()?, frame.unit()))
        };
        match metric {
            Metric::Euclidean | Metric::Squared | Metric::Manhattan => {
                let queries = queries.map(|queries| queries.values.as_slice());
                let frame = frame(&data.values, queries, data.features)?;
                let queries = queries.map(|queries| frame.singles(queries)).transpose()?;
                Ok(Prepared::Singles(frame.singles(&data.values)?, queries, frame.unit()))
            }
            Metric::Cosine => directions(false),
            Metric::Correlation => directions(true),
            Metric::Hamming => Ok(Prepared::Bits(bits(data)?, queries.map(bits).transpose()?)),
        }
    }

    /// By what distances are multiplied that a kernel has computed.
    pub(crate) fn unit(&self) -> f32 {
        match self {
            Prepared::Singles(_, _, unit) | Prepared::Directions(_, _, unit) => *unit,
            Prepared::Bits(..) => 1.0,
        }
    }
}
