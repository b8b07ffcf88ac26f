//! Points, from a table or at random.

use std::path::Path;

use crate::memory::collected;
use crate::text::escaped;
use crate::{Missing, Place, Problem, Result, Table, TableOptions, Taken, random};

/// The examples have a kernel for each number of features up to this.
const MAX_FEATURES: usize = 4;

/// Points of one to four features.
#[derive(Debug)]
pub struct Points {
    /// Their features as they were read, point by point.
    pub values: Vec<f64>,
    /// How many features each has.
    pub features: usize,
    /// Where they are from, and what the features are.
    pub origin: String,
    /// The lines of rows that were left out because they have no value in one of the columns.
    pub left_out: Vec<u64>,
    /// The columns of the table that they are from, if they are from one.
    pub taken: Option<Taken>,
}

impl Points {
    /// The points in a file of comma-separated values, or in standard input, which is called `-`: those of
    /// [`from_table`](Points::from_table).
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a table of such points.
    pub fn read(path: &Path, options: &TableOptions, missing: Option<Missing>) -> Result<Points> {
        let table = Table::read_by(path, options.delimiter)?;
        Points::from_table(table, options.columns.as_deref(), missing)
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
            values: collected(count * features, random::unit_numbers(seed).map(f64::from))?,
            features,
            origin: format!("uniform in the unit cube, seed {seed}"),
            left_out: Vec::new(),
            taken: None,
        })
    }

    /// The points in the rows of a table: in the `wanted` columns, else in the first columns of numbers. Warns of columns
    /// of that kind that look like identifiers.
    ///
    /// # Errors
    ///
    /// There are no such columns, or too many of them, or a cell is not a number that the kernels can take.
    pub fn from_table(
        mut table: Table,
        wanted: Option<&[String]>,
        missing: Option<Missing>,
    ) -> Result<Points> {
        let columns = match wanted {
            None => {
                let columns = table.numeric_columns(MAX_FEATURES, missing.unwrap_or_default())?;
                warn_of_identifiers(&table, &columns, missing.unwrap_or_default());
                columns
            }
            Some(wanted) => {
                let columns = table.columns(wanted)?;
                if columns.len() > MAX_FEATURES {
                    let problem = Problem::ColumnCount { wanted: "1 to 4", found: columns.len() };
                    return Err(problem.at(Place::file(&table.file)));
                }
                columns
            }
        };
        let left_out = match missing {
            Some(Missing::Skip) => table.leave_out_gaps(&columns)?,
            Some(Missing::Error) => table.refuse_gaps(&columns).map(|()| Vec::new())?,
            // A gap is no number, but there is no choice to tell of.
            None => Vec::new(),
        };
        let names: Vec<String> = columns.iter().map(|&column| table.name(column)).collect();
        Ok(Points {
            values: table.numbers(&columns)?,
            features: columns.len(),
            origin: escaped(&format!(
                "columns {} of {}{}",
                names.join(", "),
                table.file,
                table.without_header()
            )),
            left_out,
            taken: Some(Taken::of(&table, &columns, wanted)),
        })
    }
}

/// Warns of columns that look like identifiers, among those that were not asked for.
fn warn_of_identifiers(table: &Table, columns: &[usize], missing: Missing) {
    // Others only fill up a suggestion: one that holds numbers and text is none.
    let all = table.numeric_columns(table.width(), missing).unwrap_or_default();
    let others: Vec<usize> = all.into_iter().filter(|column| !columns.contains(column)).collect();
    for warning in table.warnings_of_identifiers(columns, &others) {
        tracing::warn!("{}", escaped(&warning));
    }
}
