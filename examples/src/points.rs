//! Points, from a table or at random.

use std::path::Path;

use crate::memory::collected;
use crate::text::escaped;
use crate::{Place, Problem, Result, Table, random};

/// The examples have a kernel for each number of features up to this.
const MAX_FEATURES: usize = 4;

/// Points of one to four features.
#[derive(Debug)]
pub struct Points {
    /// Their features, point by point.
    pub values: Vec<f32>,
    /// How many features each has.
    pub features: usize,
    /// Where they are from, and what the features are.
    pub origin: String,
}

impl Points {
    /// The points in a file of comma-separated values: those of [`from_table`](Points::from_table).
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a table of such points.
    pub fn read(path: &Path, wanted: Option<&[String]>) -> Result<Points> {
        Points::from_table(&path.display().to_string(), &Table::read(path)?, wanted)
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.values.len() / self.features
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// `count` points at random, uniform in the unit cube.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn random(count: usize, features: usize, seed: u64) -> Result<Points> {
        Ok(Points {
            values: collected(count * features, random::unit_numbers(seed))?,
            features,
            origin: format!("uniform in the unit cube, seed {seed}"),
        })
    }

    /// The points in the rows of a table, which messages call `name`: in the `wanted` columns, else in the first columns
    /// of numbers.
    ///
    /// # Errors
    ///
    /// There are no such columns, or too many of them, or a cell is not a number that the kernels can take.
    pub fn from_table(name: &str, table: &Table, wanted: Option<&[String]>) -> Result<Points> {
        let columns = match wanted {
            None => table.numeric_columns(MAX_FEATURES)?,
            Some(wanted) => {
                if wanted.len() > MAX_FEATURES {
                    let problem = Problem::ColumnCount { wanted: "1 to 4", found: wanted.len() };
                    return Err(problem.at(Place::file(name)));
                }
                table.columns(wanted)?
            }
        };
        let names: Vec<String> = columns.iter().map(|&column| table.name(column)).collect();
        Ok(Points {
            values: table.numbers(&columns)?,
            features: columns.len(),
            origin: escaped(&format!("columns {} of {name}", names.join(", "))),
        })
    }
}
