//! Tables of numbers.

use std::fs;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use csv::{ReaderBuilder, StringRecord, Trim};

use crate::{Output, Result, count_in};

/// Fisher's Iris data, built into the executable.
const IRIS: &str = include_str!("../data/iris.csv");

/// The options for a table.
#[derive(Clone, Debug, Args)]
pub struct TableOptions {
    /// Read the rows from this table of comma-separated values (or tabs, for .tsv) [default: Iris, built in]
    #[arg(long, value_name = "FILE.csv", conflicts_with = "random")]
    pub input: Option<PathBuf>,
    /// Use these columns, by number from 0 or by name [default: the first ones with numbers]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',', conflicts_with = "random")]
    pub columns: Option<Vec<String>>,
    /// Whether the first row is a header; auto: it is if one of its cells, in the columns used, is not a number
    #[arg(long, value_enum, default_value_t, conflicts_with = "random")]
    pub header: Header,
    /// Make this many random rows, uniform between 0 and 1
    #[arg(long, value_name = "N", value_parser = count_in(1..=1 << 24))]
    pub random: Option<usize>,
    /// Write the rows as read to this table of comma-separated values
    #[arg(long, value_name = "FILE.csv")]
    pub save_input: Option<PathBuf>,
    /// Replace output files that exist
    #[arg(long)]
    pub force: bool,
}

/// The option `--header`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "the option says it")]
pub enum Header {
    #[default]
    Auto,
    Yes,
    No,
}

/// Rows of numbers.
#[derive(Clone, Debug)]
pub struct Table {
    /// The numbers, row by row.
    pub values: Vec<f64>,
    /// The names of the columns: their numbers, if they have no names.
    pub names: Vec<String>,
    /// The source of the rows.
    pub origin: String,
}

impl TableOptions {
    /// The rows that the options select: of the chosen columns, or of the first `most` with numbers; or random rows of `width`
    /// numbers. They are written to `--save-input`.
    pub fn rows(&self, most: usize, width: usize) -> Result<Table> {
        Ok(self.rows_and(None, most, width)?.0)
    }

    /// The same, and the cells of another column, which may have any text: the name of its option, and the option's value.
    pub fn rows_and(
        &self,
        other: Option<(&str, &str)>,
        most: usize,
        width: usize,
    ) -> Result<(Table, Vec<String>)> {
        let (table, cells) = match (self.random, &self.input) {
            (Some(count), _) => (Table::random(count, width), Vec::new()),
            (None, None) => self.parse("the built-in iris.csv", IRIS, most, other)?,
            (None, Some(path)) => {
                let name = path.display().to_string();
                let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
                let rows = self.parse(&name, &text, most, other);
                rows.map_err(|error| format!("{name}: {error}"))?
            }
        };
        Ok((self.saved(table)?, cells))
    }

    /// The table, after checking that it has a pair of rows and writing it to `--save-input`.
    pub fn saved(&self, table: Table) -> Result<Table> {
        let count = table.rows().len();
        if count < 2 {
            return Err(format!("expected at least two rows, got {count}: {}", table.origin).into());
        }
        if let Some(path) = &self.save_input {
            let rows = table.rows().map(|row| row.iter().map(f64::to_string));
            // A letter in each name, so that the file is read with its header.
            let name = |name: &String| number(name).map_or(name.clone(), |_| format!("c{name}"));
            Output::new(path, self.force)?.csv(table.names.iter().map(name), rows)?;
        }
        Ok(table)
    }

    fn parse(
        &self,
        name: &str,
        text: &str,
        most: usize,
        other: Option<(&str, &str)>,
    ) -> Result<(Table, Vec<String>)> {
        let delimiter = if name.to_lowercase().ends_with(".tsv") { b'\t' } else { b',' };
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).trim(Trim::All).delimiter(delimiter);
        let records = builder.from_reader(text.as_bytes()).into_records();
        let records = records.collect::<std::result::Result<Vec<StringRecord>, _>>()?;
        let Some(first) = records.first() else { return Err("there are no rows".into()) };

        let find = |wanted: &String| column(first, wanted, self.header, "--columns");
        let other =
            other.map(|(option, wanted)| column(first, wanted, self.header, option)).transpose()?;
        let is_other = |at: &usize| other.is_some_and(|(other, _)| *at == other);
        let found: Vec<(usize, bool)> = match &self.columns {
            Some(wanted) => wanted.iter().map(find).collect::<Result<_>>()?,
            // A column with any number in it is a column of numbers: other text in it is an error.
            None => {
                let below = if records.len() > 1 { &records[1..] } else { &records };
                let has_number = |at: &usize| below.iter().any(|row| number(&row[*at]).is_some());
                let all = (0..first.len()).filter(|at| !is_other(at) && has_number(at));
                all.take(most).map(|at| (at, false)).collect()
            }
        };
        let columns: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
        let count = columns.len();
        if count == 0 || count > most {
            let problem = match count {
                0 => "there are no columns of numbers".to_owned(),
                _ => format!("there are {count} columns, but at most {most} are supported"),
            };
            return Err(format!("{problem}: choose with --columns").into());
        }
        let numbers: Vec<Option<f64>> = columns.iter().map(|&at| number(&first[at])).collect();
        let is_named =
            found.iter().chain(&other).any(|(_, by_name)| *by_name) || numbers.contains(&None);
        let has_header = self.header == Header::Yes || self.header == Header::Auto && is_named;
        let called = |&at: &usize| if has_header { first[at].to_owned() } else { at.to_string() };
        let names: Vec<String> = columns.iter().map(called).collect();
        let body = &records[usize::from(has_header)..];
        let mut values = Vec::with_capacity(body.len() * columns.len());
        for row in body {
            for (&column, name) in columns.iter().zip(&names) {
                values.push(number(&row[column]).ok_or_else(|| {
                    let (line, cell) = (row.position().map_or(0, |at| at.line()), &row[column]);
                    format!("line {line}, column {name}: {cell:?} is not a finite number, such as 5.1 or -2e-3")
                })?);
            }
        }
        // Years, for example, or the column numbers that some programs write.
        let looks_named =
            numbers.windows(2).all(|pair| pair[1].zip(pair[0]).is_some_and(|(b, a)| b - a == 1.0));
        let header = match (has_header, self.header) {
            (true, _) => "yes",
            (false, Header::Auto) if names.len() > 1 && looks_named => {
                "no (if the first row has names, use --header yes)"
            }
            (false, _) => "no",
        };
        let others = (0..first.len())
            .filter(|at| self.columns.is_none() && !columns.contains(at) && !is_other(at));
        let others = list(&others.map(|at| called(&at)).collect::<Vec<_>>());
        let left_out = if others.is_empty() { others } else { format!(" (without {others})") };
        let origin = format!("columns {} of {name}{left_out}, header: {header}", list(&names));
        let cells = other.map(|(at, _)| body.iter().map(|row| row[at].to_owned()).collect());
        Ok((Table { values, names, origin }, cells.unwrap_or_default()))
    }
}

/// The names; if there are many, the first and the last.
fn list(names: &[String]) -> String {
    match names {
        [first, .., last] if names.len() > 8 => format!("{first} to {last}"),
        names => names.join(", "),
    }
}

/// The index of a column, and whether it was found by its name. A number takes precedence over a name, unless a header is
/// requested. `option` is the option that chooses the column.
fn column(
    first: &StringRecord,
    wanted: &str,
    header: Header,
    option: &str,
) -> Result<(usize, bool)> {
    let number = wanted.parse().ok().filter(|at| *at < first.len()).map(|at| (at, false));
    let named = (0..first.len()).filter(|&at| header != Header::No && &first[at] == wanted);
    let named: Vec<usize> = named.collect();
    match (number, named.as_slice()) {
        (Some(number), named) if header != Header::Yes || named.is_empty() => Ok(number),
        (_, &[at]) => Ok((at, true)),
        (_, []) => {
            let all = first.iter().collect::<Vec<_>>().join(", ");
            Err(format!("there is no column {wanted} in {all}: choose with {option}").into())
        }
        _ => Err(format!(
            "several columns are called {wanted}: choose by number, from 0, with {option}"
        )
        .into()),
    }
}

/// The number in a cell, if it is a finite one.
fn number(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|number: &f64| number.is_finite())
}

impl Table {
    /// Uniform random numbers, the same in every run. Their differences are exact in single precision.
    pub fn random(count: usize, width: usize) -> Table {
        let mut generator = fastrand::Rng::with_seed(0);
        let number = |_| f64::from(generator.u32(..1 << 24)) / f64::from(1 << 24);
        let values = (0..count * width).map(number).collect();
        let names = (0..width).map(|at| at.to_string()).collect();
        Table { values, names, origin: "random".into() }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// The rows.
    pub fn rows(&self) -> std::slice::Chunks<'_, f64> {
        self.values.chunks(self.width())
    }
}
