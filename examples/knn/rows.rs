//! The rows that are searched, and as the kernels of a metric take them.

use std::path::Path;

use td_kernel_examples::directions::{Directions, Origin, bits};
use td_kernel_examples::progress::Elements;
use td_kernel_examples::{Place, Problem, Result, Vectors, source};

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
    /// Counted from an [`Origin`], and rounded to single precision.
    Singles(Vec<f32>, Option<Vec<f32>>),
    /// With the angles of the rows, and with norms.
    Directions(Directions, Option<Directions>),
    /// As bits, of which the same number always has the same.
    Bits(Vec<u64>, Option<Vec<u64>>),
}

impl Prepared {
    pub(crate) fn new(sets: &Sets, metric: Metric) -> Result<Prepared> {
        let (data, queries) = (&sets.data, sets.queries.as_ref());
        let directions = |centred: bool| -> Result<Prepared> {
            let of = |rows| Directions::new(rows, centred);
            Ok(Prepared::Directions(of(data)?, queries.map(of).transpose()?))
        };
        match metric {
            Metric::Euclidean | Metric::Squared | Metric::Manhattan => {
                let origin = Origin::of([data].into_iter().chain(queries));
                let queries = queries.map(|queries| origin.singles(queries)).transpose()?;
                Ok(Prepared::Singles(origin.singles(data)?, queries))
            }
            Metric::Cosine => directions(false),
            Metric::Correlation => directions(true),
            Metric::Hamming => Ok(Prepared::Bits(bits(data)?, queries.map(bits).transpose()?)),
        }
    }
}
