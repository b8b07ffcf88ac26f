//! The points: built in, from a file, or at random.

use td_kernel_examples::memory::collected;
use td_kernel_examples::text::escaped;
use td_kernel_examples::{Place, Problem, Result, Table, data, random};

use crate::arguments::Arguments;

/// There is a kernel for each number of features up to this.
const MAX_FEATURES: usize = 4;

/// Points of one to four features.
#[derive(Debug)]
pub(crate) struct Points {
    /// Their features, point by point.
    pub(crate) values: Vec<f32>,
    /// How many features each has.
    pub(crate) features: usize,
    /// Where they are from, and what the features are.
    pub(crate) origin: String,
}

impl Points {
    /// The points that the arguments ask for.
    pub(crate) fn choose(arguments: &Arguments) -> Result<Points> {
        if let Some(count) = arguments.random {
            return Points::random(count as usize, usize::from(arguments.features), arguments.seed);
        }
        let (name, table) = match &arguments.input {
            Some(path) => (path.display().to_string(), Table::read(path)?),
            None => {
                (data::IRIS.name.into(), Table::parse(data::IRIS.name, data::IRIS.text.as_bytes())?)
            }
        };
        Points::from_table(&name, &table, arguments.columns.as_deref())
    }

    /// How many points there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len() / self.features
    }

    fn random(count: usize, features: usize, seed: u64) -> Result<Points> {
        Ok(Points {
            values: collected(count * features, random::unit_numbers(seed))?,
            features,
            origin: format!("uniform in the unit cube, seed {seed}"),
        })
    }

    fn from_table(name: &str, table: &Table, wanted: Option<&[String]>) -> Result<Points> {
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
