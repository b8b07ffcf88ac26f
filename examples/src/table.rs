//! Tables of numbers.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cells::{Cell, Comma, are_names, read};
use crate::sheet::{Row, Sheet};
use crate::{Output, Result, count_in, read_text};

/// Fisher's Iris data, built into the executable.
const IRIS: &str = include_str!("../data/iris.csv");

/// The options for a table.
#[derive(Clone, Debug, Default, Args)]
pub struct TableOptions {
    /// Read the rows from this table, a text file. The first row tells what is between values: tabs, semicolons, commas or
    /// spaces. Except between commas, decimals may begin with a comma. Lines that begin with # are comments [default: Iris, built
    /// in]
    #[arg(long, value_name = "FILE.csv", conflicts_with = "random")]
    pub input: Option<PathBuf>,
    /// Use these columns, by number from 0 or by name [default: the first ones with numbers, without row numbers below an empty
    /// name]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',', conflicts_with = "random")]
    pub columns: Option<Vec<String>>,
    /// Whether the first row is a header. For auto, it is if one of its cells in the columns used has text, or if its numbers look
    /// like names, such as 2019, 2020, 2021
    #[arg(long, value_enum, default_value_t, conflicts_with = "random")]
    pub header: Header,
    /// Leave out rows in which one of the columns used does not have a value: it is empty, NA, NaN, null, ? or the like
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
    /// The name and the value of an option that chooses a column for `Table::cells`.
    #[arg(skip)]
    pub other: Option<(&'static str, String)>,
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
    /// A text for each row: of the column `TableOptions::other`, or a label. Empty if there are none.
    pub cells: Vec<String>,
}

/// Whether a file is a table, by its ending.
pub fn is_table(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ["csv", "tsv", "txt", "dat"].iter().any(|it| ending == *it))
}

impl TableOptions {
    /// Whether the input is a table, by its ending.
    pub fn has_table(&self) -> bool {
        self.input.as_deref().is_some_and(is_table)
    }

    /// The rows that the options select: of the chosen columns, or of the first `most` with numbers; or random rows of `width`
    /// numbers. They are written to `--save-input`.
    pub fn rows(&self, most: usize, width: usize) -> Result<Table> {
        let table = self.few_rows(most, width)?;
        if table.rows().len() < 2 {
            return Err(format!("expected at least two rows, got one: {}", table.origin).into());
        }
        Ok(table)
    }

    /// The same, of at least one row.
    pub fn few_rows(&self, most: usize, width: usize) -> Result<Table> {
        self.saved(match (self.random, &self.input) {
            (Some(count), _) => Table::random(count, width),
            (None, None) => self.parse("the built-in iris.csv", IRIS, most)?,
            (None, Some(path)) => {
                let name = path.display().to_string();
                let rows = self.parse(&name, &read_text(path)?, most);
                rows.map_err(|error| format!("{name}: {error}"))?
            }
        })
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

    fn parse(&self, name: &str, text: &str, most: usize) -> Result<Table> {
        let sheet = Sheet::read(text)?;
        let [top, below @ ..] = sheet.rows.as_slice() else {
            return Err("there are no rows".into());
        };
        let first = top.cells.as_slice();
        let find = |wanted: &str, option: &str| column(first, wanted, self.header, option);
        let other = self.other.as_ref().map(|(option, wanted)| find(wanted, option)).transpose()?;
        let is_other = |at: usize| other.is_some_and(|(other, _)| at == other);
        let has_index = self.columns.is_none() && has_index(first, below);
        let chosen: Vec<(usize, bool)> = match &self.columns {
            Some(all) => {
                all.iter().map(|wanted| find(wanted, "--columns")).collect::<Result<_>>()?
            }
            // A column with any number in it is a column of numbers: other text in it is an error.
            None => (usize::from(has_index)..first.len())
                .filter(|&at| !is_other(at) && has_number(at, &sheet.rows))
                .take(most)
                .map(|at| (at, false))
                .collect(),
        };
        let columns: Vec<usize> = chosen.iter().map(|(at, _)| *at).collect();
        let count = columns.len();
        if count == 0 && below.is_empty() {
            return Err("there are no rows below the header".into());
        }
        if count == 0 || count > most {
            let most = format!("are {count} columns, but at most {most} are supported");
            let problem = if count == 0 { "are no columns of numbers" } else { &most };
            return Err(format!("there {problem}: choose with --columns").into());
        }

        let cells = || sheet.rows.iter().flat_map(|row| columns.iter().map(|&at| &*row.cells[at]));
        let comma = Comma::of(cells(), sheet.delimiter);
        let tops: Vec<Cell> = columns.iter().map(|&at| read(&first[at], comma)).collect();
        let sample = cells().skip(columns.len()).take(1000);
        let sample = sample.filter_map(|cell| read(cell, comma).number().ok());
        let are_integers = columns.iter().all(|&at| first[at].parse::<u64>().is_ok());
        let looks_named = are_integers && are_names(&tops, sample);
        let is_named = chosen.iter().chain(&other).any(|(_, by_name)| *by_name)
            || tops.contains(&Cell::Text)
            || has_index
            || looks_named;
        let has_header = self.header == Header::Yes || self.header == Header::Auto && is_named;
        let called = |at: usize| match &*first[at] {
            written if has_header && !written.is_empty() => written.to_owned(),
            _ => at.to_string(),
        };
        let names: Vec<String> = columns.iter().map(|at| called(*at)).collect();
        let body = if has_header { below } else { &sheet.rows };
        let mut values = Vec::with_capacity(body.len() * columns.len());
        let (mut others, mut skipped) = (Vec::new(), 0);
        for Row { line, cells } in body {
            let numbers: Vec<Cell> = columns.iter().map(|&at| read(&cells[at], comma)).collect();
            if self.skip_missing && numbers.contains(&Cell::Missing) {
                skipped += 1;
                continue;
            }
            others.extend(other.map(|(at, _)| cells[at].to_string()));
            for ((number, name), at) in numbers.into_iter().zip(&names).zip(&columns) {
                let error =
                    |problem| format!("line {line}, column {name}: {:?} {problem}", cells[*at]);
                values.push(number.number().map_err(error)?);
            }
        }

        let is_unused = |at: &usize| !columns.contains(at) && !is_other(*at);
        let unused = (0..first.len()).filter(|at| self.columns.is_none() && is_unused(at));
        let name_of = |at| if has_index && at == 0 { "the index".into() } else { called(at) };
        let unused = list(&unused.map(name_of).collect::<Vec<String>>());
        let is_auto = self.header == Header::Auto;
        // Such as the lengths of waves, 400, 410, 420.
        let has_steps = tops.windows(3).all(|it| match it {
            [Cell::Number(a), Cell::Number(b), Cell::Number(c)] => a != b && b - a == c - b,
            _ => false,
        });
        let is_count = |(at, row): (usize, &[f64])| row[0] == values[0] + at as f64;
        let counts = self.columns.is_none()
            && (columns[0], columns.len() > 1, values.len() > 2 * columns.len()) == (0, true, true)
            && [0.0, 1.0].contains(&values[0])
            && values.chunks(columns.len()).enumerate().all(is_count);
        let mut origin = format!("columns {} of {name}", list(&names));
        for (is_so, text) in [
            (!unused.is_empty(), format!(" (without {unused})")),
            (true, format!(", header: {}", if has_header { "yes" } else { "no" })),
            (is_auto && looks_named, " (if the first row has numbers, use --header no)".into()),
            (
                is_auto && !has_header && has_steps && columns.len() > 2,
                " (if the first row has names, use --header yes)".into(),
            ),
            (counts, format!(", and {} counts the rows: --columns leaves it out", names[0])),
            (comma == Comma::Decimal, ", decimal commas".into()),
            (skipped > 0, format!(", left out: {skipped} rows without a value")),
            (sheet.comments > 0, format!(", left out: {} lines of comments", sheet.comments)),
        ] {
            origin += if is_so { &text } else { "" };
        }
        Ok(Table { values, names, origin, cells: others })
    }
}

/// Whether the first column has the numbers of rows that pandas and R write: integers below a cell without a name.
fn has_index(first: &[Cow<'_, str>], below: &[Row<'_>]) -> bool {
    let is_text = |cell: &Cow<'_, str>| read(cell, Comma::Unclear) == Cell::Text;
    let is_integer = |row: &Row<'_>| row.cells[0].parse::<i64>().is_ok();
    let counts = || (0..).zip(below).all(|(at, row)| row.cells[0].parse() == Ok(at));
    matches!(first, [unnamed, _, ..] if unnamed.is_empty())
        && !below.is_empty()
        && below.iter().all(is_integer)
        && (first.iter().any(is_text) || counts())
}

/// Whether a column has a number below its first cell, or in it if there are no other rows.
fn has_number(at: usize, rows: &[Row<'_>]) -> bool {
    let is_number = |row: &Row<'_>| {
        matches!(read(&row.cells[at], Comma::Unclear), Cell::Number(_) | Cell::Unclear(_))
    };
    rows[usize::from(rows.len() > 1)..].iter().any(is_number)
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
    first: &[Cow<'_, str>],
    wanted: &str,
    header: Header,
    option: &str,
) -> Result<(usize, bool)> {
    let error = |problem: String| Err(format!("{problem} with {option}").into());
    let number = wanted.parse().ok().filter(|at| *at < first.len()).map(|at| (at, false));
    let named = (0..first.len()).filter(|&at| header != Header::No && first[at] == wanted);
    match (number, named.collect::<Vec<_>>().as_slice()) {
        (Some(number), named) if header != Header::Yes || named.is_empty() => Ok(number),
        (_, &[at]) => Ok((at, true)),
        (_, []) => error(format!("there is no column {wanted} in {}: choose", first.join(", "))),
        _ => error(format!("several columns are called {wanted}: choose by number, from 0,")),
    }
}

impl Table {
    /// Uniform random numbers, the same in every run. Their differences are exact in single precision.
    pub fn random(count: usize, width: usize) -> Table {
        let mut generator = fastrand::Rng::with_seed(0);
        let number = |_| f64::from(generator.u32(..1 << 24)) / f64::from(1 << 24);
        let values = (0..count * width).map(number).collect();
        let names = (0..width).map(|at| at.to_string()).collect();
        Table { values, names, origin: "random".into(), cells: Vec::new() }
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
