//! Tables of numbers.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use csv::{ReaderBuilder, StringRecord, Trim};

use crate::cells::{Format, are_names, is_inexact, is_missing};
use crate::{Output, Result, count_in};

/// Fisher's Iris data, built into the executable.
const IRIS: &str = include_str!("../data/iris.csv");

/// The options for a table.
#[derive(Clone, Debug, Args)]
pub struct TableOptions {
    /// Read the rows from this table of comma-separated values (or tabs, for .tsv; or semicolons, with decimal commas or points).
    /// Lines that begin with # are comments [default: Iris, built in]
    #[arg(long, value_name = "FILE.csv", conflicts_with = "random")]
    pub input: Option<PathBuf>,
    /// Use these columns, by number from 0 or by name [default: the first ones with numbers]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',', conflicts_with = "random")]
    pub columns: Option<Vec<String>>,
    /// Whether the first row is a header; auto: it is if one of its cells, in the columns used, is not a number
    #[arg(long, value_enum, default_value_t, conflicts_with = "random")]
    pub header: Header,
    /// Leave out rows in which one of the columns used does not have a value
    #[arg(long, conflicts_with = "random")]
    pub skip_missing: bool,
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

/// Whether a file is a table, by its ending.
pub fn is_table(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ending == "csv" || ending == "tsv")
}

impl TableOptions {
    /// Whether the input is a table, by its ending.
    pub fn has_table(&self) -> bool {
        self.input.as_deref().is_some_and(is_table)
    }

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
        let (table, cells) = self.few_rows(other, most, width)?;
        if table.rows().len() < 2 {
            return Err(format!("expected at least two rows, got 1: {}", table.origin).into());
        }
        Ok((table, cells))
    }

    /// The same, of at least one row.
    pub fn few_rows(
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

    /// The table, after checking that it has a row and writing it to `--save-input`.
    pub fn saved(&self, table: Table) -> Result<Table> {
        if table.values.is_empty() {
            return Err(format!("there are no rows: {}", table.origin).into());
        }
        if let Some(path) = &self.save_input {
            let rows = table.rows().map(|row| row.iter().map(f64::to_string));
            // A letter in each name, so that the file is read with its header.
            let name = |name: &String| {
                name.parse::<f64>().map_or(name.clone(), |_: f64| format!("c{name}"))
            };
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
        let format = Format::of(name, text);
        let number = |cell: &str| format.number(cell);
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).trim(Trim::All).delimiter(format.delimiter).comment(Some(b'#'));
        let records = builder.from_reader(text.as_bytes()).into_records();
        let records = records.collect::<std::result::Result<Vec<StringRecord>, _>>()?;
        let Some(first) = records.first() else { return Err("there are no rows".into()) };

        let find = |wanted: &String| column(first, wanted, self.header, "--columns");
        let other =
            other.map(|(option, wanted)| column(first, wanted, self.header, option)).transpose()?;
        let is_other = |at: &usize| other.is_some_and(|(other, _)| *at == other);
        let mut has_index = false;
        let found: Vec<(usize, bool)> = match &self.columns {
            Some(wanted) => wanted.iter().map(find).collect::<Result<_>>()?,
            // A column with any number in it is a column of numbers: other text in it is an error.
            None => {
                let below = if records.len() > 1 { &records[1..] } else { &records };
                let has_number = |at: &usize| below.iter().any(|row| number(&row[*at]).is_some());
                // The index that pandas writes: 0, 1, 2 … below a cell without a name.
                let counts = || (0..).zip(below).all(|(at, row)| row[0].parse() == Ok(at));
                has_index = records.len() > 1 && first.len() > 1 && first[0].is_empty() && counts();
                let begin = usize::from(has_index);
                let all = (begin..first.len()).filter(|at| !is_other(at) && has_number(at));
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
        let below = records.iter().skip(1).take(1000);
        let below = below.map(|row| columns.iter().map(|&at| number(&row[at])).collect());
        let counts_up = are_names(&numbers, &columns, &below.collect::<Vec<_>>());
        let is_named = found.iter().chain(&other).any(|(_, by_name)| *by_name)
            || numbers.contains(&None)
            || has_index
            || counts_up;
        let has_header = self.header == Header::Yes || self.header == Header::Auto && is_named;
        let called = |&at: &usize| if has_header { first[at].to_owned() } else { at.to_string() };
        let names: Vec<String> = columns.iter().map(called).collect();
        let body = &records[usize::from(has_header)..];
        let mut values = Vec::with_capacity(body.len() * columns.len());
        let (mut kept, mut skipped) = (Vec::with_capacity(body.len()), 0);
        for row in body {
            if self.skip_missing && columns.iter().any(|&at| is_missing(&row[at])) {
                skipped += 1;
                continue;
            }
            kept.push(row);
            for (&column, name) in columns.iter().zip(&names) {
                let (line, cell) = (row.position().map_or(0, |at| at.line()), &row[column]);
                let problem = match number(cell) {
                    Some(_) if is_inexact(cell) => {
                        "has more digits than a double, so it would become another number: choose other columns with --columns"
                    }
                    Some(number) => {
                        values.push(number);
                        continue;
                    }
                    None if is_missing(cell) => {
                        "is not a finite number, such as 5.1 or -2e-3: leave such rows out with --skip-missing"
                    }
                    None => "is not a finite number, such as 5.1 or -2e-3",
                };
                return Err(format!("line {line}, column {name}: {cell:?} {problem}").into());
            }
        }
        // Years, for example, or the column numbers that some programs write.
        let looks_named =
            numbers.windows(2).all(|pair| pair[1].zip(pair[0]).is_some_and(|(b, a)| b - a == 1.0));
        let header = match (has_header, self.header) {
            (true, Header::Auto) if counts_up => {
                "yes (if the first row has numbers, use --header no)"
            }
            (true, _) => "yes",
            (false, Header::Auto) if names.len() > 1 && looks_named => {
                "no (if the first row has names, use --header yes)"
            }
            (false, _) => "no",
        };
        let others = (0..first.len())
            .filter(|at| self.columns.is_none() && !columns.contains(at) && !is_other(at));
        let called = |at| if has_index && at == 0 { "the index".to_owned() } else { called(&at) };
        let others = list(&others.map(called).collect::<Vec<_>>());
        let left_out = if others.is_empty() { others } else { format!(" (without {others})") };
        let skipped = match skipped {
            0 => String::new(),
            _ => format!(", left out: {skipped} rows without a value"),
        };
        let origin =
            format!("columns {} of {name}{left_out}, header: {header}{skipped}", list(&names));
        let cells = other.map(|(at, _)| kept.iter().map(|row| row[at].to_owned()).collect());
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
