//! Rows of any number of features: built in, from a file, or at random.

use std::collections::HashMap;
use std::path::Path;

use clap::Args;

use crate::delimiter::Delimiter;
use crate::memory::collected;
use crate::missing::Missing;
use crate::text::{escaped, shown};
use crate::{Error, Result, Table, Taken, data, npy, random, source};

/// The options about tables whose rows have any number of features.
#[derive(Clone, Debug, Default, Args)]
pub struct VectorOptions {
    /// Take these columns of a table, by name or counted from 0, or all from one to another, as a..c or 1..3 (both ends
    /// included) [default: all but that of labels]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',', conflicts_with = "random")]
    pub columns: Option<Vec<String>>,

    /// The column of a table that has the rows' labels, by name or counted from 0
    #[arg(long, value_name = "COLUMN", conflicts_with = "random")]
    pub label: Option<String>,

    /// What separates the cells of a row: comma, semicolon, tab or bar, or the character itself [default: the one of
    /// comma, semicolon and tab that the first row has]
    #[arg(long, value_name = "CHARACTER", conflicts_with = "random")]
    pub delimiter: Option<Delimiter>,

    /// What becomes of rows of a table with an empty cell, or one with NA, NaN, null or the like, in one of the columns
    /// that are taken
    #[arg(long, value_enum, default_value_t, conflicts_with = "random")]
    pub missing: Missing,
}

/// The column of Iris that has the labels.
const SPECIES: &str = "species";

/// How the names of files end that can be read.
const ENDINGS: &str = ".csv, .tsv or .npy, the first two also with .gz behind it";

/// More columns than these are not listed.
const MOST_NAMES: usize = 8;

/// Rows of as many features each.
#[derive(Debug)]
pub struct Vectors {
    /// The features, row by row.
    pub values: Vec<f64>,
    /// How many rows there are.
    pub count: usize,
    /// How many features each has.
    pub features: usize,
    /// What they are called, where a column says so.
    pub labels: Option<Labels>,
    /// Where the rows are from, and what the features are.
    pub origin: String,
    /// The lines of rows that were left out because they have no value in one of the columns.
    pub left_out: Vec<u64>,
    /// The columns of the input that they are from, if they are from one.
    pub taken: Option<Taken>,
}

/// What rows are called.
#[derive(Debug)]
pub struct Labels {
    /// All different labels, in the order of their first rows.
    pub names: Vec<String>,
    /// The place in `names` of each row's label.
    pub of: Vec<usize>,
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
    pub fn name(&self, row: usize) -> &str {
        self.of.get(row).and_then(|place| self.names.get(*place)).map_or("", String::as_str)
    }
}

impl Vectors {
    /// Those of Iris, with its species as labels if no column of labels is chosen.
    ///
    /// # Errors
    ///
    /// There are no such columns, or a cell is not a number that the kernels can take.
    pub fn iris(options: &VectorOptions) -> Result<Vectors> {
        let table = Table::parse(data::IRIS.name, data::IRIS.text.as_bytes())?;
        let label = options.label.as_deref().or(Some(SPECIES));
        Vectors::from_table(table, label, options)
    }

    /// Uniform numbers between 0 and 1.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn random(count: usize, features: usize, seed: u64) -> Result<Vectors> {
        let numbers = random::unit_numbers(seed).map(f64::from);
        Ok(Vectors {
            values: collected(count.saturating_mul(features), numbers)?,
            count,
            features,
            labels: None,
            origin: format!("uniform between 0 and 1, seed {seed}"),
            left_out: Vec::new(),
            taken: None,
        })
    }

    /// The rows of a file, by the end of its name; or of a table in standard input, which is called `-`.
    ///
    /// # Errors
    ///
    /// The end is not known, or an option is not for such files; or the file cannot be read, or is not what its name says.
    pub fn read(path: &Path, options: &VectorOptions) -> Result<Vectors> {
        let ending = source::ending(path);
        match ending.as_deref() {
            Some("npy") => {
                let given = [
                    ("--columns", options.columns.is_some()),
                    ("--label", options.label.is_some()),
                    ("--delimiter", options.delimiter.is_some()),
                    ("--missing", options.missing != Missing::default()),
                ];
                if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
                    return Err(Error::OnlyTables { option, path: path.into() });
                }
                let rows = npy::rows(path)?;
                let name = source::name(path);
                Ok(Vectors {
                    values: rows.values,
                    count: rows.count,
                    features: rows.width,
                    labels: None,
                    origin: format!("rows of {}", shown(path)),
                    left_out: Vec::new(),
                    taken: Some(Taken::unnamed(&name, rows.width)),
                })
            }
            ending if matches!(ending, Some("csv" | "tsv")) || source::is_standard_input(path) => {
                let table = Table::read_by(path, options.delimiter)?;
                Vectors::from_table(table, options.label.as_deref(), options)
            }
            _ => Err(Error::UnknownKind { path: path.into(), expected: ENDINGS }),
        }
    }

    /// The rows of a table, with labels from the column of this name. Warns of columns that look like identifiers, where
    /// none are chosen.
    fn from_table(
        mut table: Table,
        label: Option<&str>,
        options: &VectorOptions,
    ) -> Result<Vectors> {
        let label = match label {
            Some(label) => table.columns(&[label])?.first().copied(),
            None => None,
        };
        let columns = match &options.columns {
            Some(wanted) => table.columns(wanted)?,
            None => {
                let columns = table.feature_columns(label)?;
                for warning in table.warnings_of_identifiers(&columns, &[]) {
                    tracing::warn!("{}", escaped(&warning));
                }
                columns
            }
        };
        let left_out = match options.missing {
            Missing::Skip => table.leave_out_gaps(&columns)?,
            Missing::Error => table.refuse_gaps(&columns).map(|()| Vec::new())?,
        };
        let names: Vec<String> = columns.iter().map(|&column| table.name(column)).collect();
        let names = match names.as_slice() {
            [first, .., last] if names.len() > MOST_NAMES => format!("{first} to {last}"),
            names => names.join(", "),
        };
        Ok(Vectors {
            values: table.numbers(&columns)?,
            count: table.height(),
            features: columns.len(),
            labels: label.map(|column| Labels::new(table.texts(column))),
            origin: escaped(&format!(
                "columns {names} of {}{}",
                table.file,
                table.without_header()
            )),
            left_out,
            taken: Some(Taken::of(&table, &columns, options.columns.as_deref())),
        })
    }
}
