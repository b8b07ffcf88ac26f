//! The rows to be compared: built in, from a file, or at random.

use std::collections::HashMap;
use std::path::Path;

use td_kernel_examples::memory::collected;
use td_kernel_examples::text::{escaped, shown};
use td_kernel_examples::{Error, Result, Table, data, random, rows};

/// The column of Iris that has the labels.
const SPECIES: &str = "species";

/// More columns than these are not listed.
const MOST_NAMES: usize = 8;

/// Rows of as many features each.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The features, row by row.
    pub(crate) values: Vec<f64>,
    pub(crate) count: usize,
    pub(crate) features: usize,
    pub(crate) labels: Option<Labels>,
    /// Where the rows are from, and what the features are.
    pub(crate) origin: String,
}

/// What rows are called.
#[derive(Debug)]
pub(crate) struct Labels {
    /// All different labels, in the order of their first rows.
    pub(crate) names: Vec<String>,
    /// The place in `names` of each row's label.
    pub(crate) of: Vec<usize>,
}

impl Labels {
    fn new<'a>(labels: impl Iterator<Item = &'a str>) -> Labels {
        let (mut names, mut places) = (Vec::new(), HashMap::new());
        let of = labels.map(|label| {
            *places.entry(label).or_insert_with(|| {
                names.push(escaped(label));
                names.len() - 1
            })
        });
        Labels { of: of.collect(), names }
    }

    /// The label of a row.
    pub(crate) fn name(&self, row: usize) -> &str {
        self.of.get(row).and_then(|place| self.names.get(*place)).map_or("", String::as_str)
    }
}

impl Rows {
    /// Those of Iris, with its species as labels if no column of labels is chosen.
    pub(crate) fn iris(columns: Option<&[String]>, label: Option<&str>) -> Result<Rows> {
        let table = Table::parse(data::IRIS.name, data::IRIS.text.as_bytes())?;
        Rows::from_table(data::IRIS.name, &table, columns, label.or(Some(SPECIES)))
    }

    /// Uniform numbers between 0 and 1.
    pub(crate) fn random(count: usize, features: usize, seed: u64) -> Result<Rows> {
        let numbers = random::unit_numbers(seed).map(f64::from);
        Ok(Rows {
            values: collected(count.saturating_mul(features), numbers)?,
            count,
            features,
            labels: None,
            origin: format!("uniform between 0 and 1, seed {seed}"),
        })
    }

    /// The rows of a file, by the end of its name.
    pub(crate) fn read(
        path: &Path,
        columns: Option<&[String]>,
        label: Option<&str>,
    ) -> Result<Rows> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => {
                let name = path.display().to_string();
                Rows::from_table(&name, &Table::read(path)?, columns, label)
            }
            Some("npy") => {
                let options = [("--columns", columns.is_some()), ("--label", label.is_some())];
                for (option, is_given) in options {
                    if is_given {
                        return Err(Error::OnlyTables { option, path: path.into() });
                    }
                }
                let rows = rows(path)?;
                let origin = format!("rows of {}", shown(path));
                let (values, features) = (rows.values, rows.width);
                Ok(Rows { values, count: rows.count, features, labels: None, origin })
            }
            _ => Err(Error::UnknownKind { path: path.into(), expected: ".csv or .npy" }),
        }
    }

    /// The rows of a table, which messages call `name`.
    fn from_table(
        name: &str,
        table: &Table,
        columns: Option<&[String]>,
        label: Option<&str>,
    ) -> Result<Rows> {
        let label = match label {
            Some(label) => table.columns(&[label])?.first().copied(),
            None => None,
        };
        let columns = match columns {
            Some(wanted) => table.columns(wanted)?,
            None => table.feature_columns(label)?,
        };
        let names: Vec<String> = columns.iter().map(|&column| table.name(column)).collect();
        let names = match names.as_slice() {
            [first, .., last] if names.len() > MOST_NAMES => format!("{first} to {last}"),
            names => names.join(", "),
        };
        Ok(Rows {
            values: table.doubles(&columns)?,
            count: table.height(),
            features: columns.len(),
            labels: label.map(|column| Labels::new(table.texts(column))),
            origin: escaped(&format!("columns {names} of {name}")),
        })
    }
}
