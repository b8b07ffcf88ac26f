//! Tables of numbers.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cells::{Cell, Comma, are_names, read};
use crate::count::counted;
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
    /// Use these columns, all by name or all by number from 0 [default: the first ones with numbers, without row numbers below an empty
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
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The numbers, row by row.
    pub values: Vec<f64>,
    /// The names of the columns: their numbers, if they have no names.
    pub names: Vec<String>,
    /// The source of the rows.
    pub origin: String,
    /// A text for each row: of the column `TableOptions::other`, or a label. Empty if there are none.
    pub cells: Vec<String>,
    /// The file, and the line of each row, if it is a table.
    pub file: String,
    #[expect(missing_docs, reason = "see `file`")]
    pub lines: Vec<usize>,
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
        let has_index = has_index(first, below);
        // A column with any number in it is a column of numbers: other text in it is an error.
        let all: Vec<usize> = (usize::from(has_index)..first.len())
            .filter(|&at| has_number(at, &sheet.rows))
            .collect();
        let looks_named = {
            let cells = || below.iter().flat_map(|row| all.iter().map(|&at| &*row.cells[at]));
            let comma = Comma::of(cells().take(1000), sheet.delimiter);
            let numbers = cells().take(1000).filter_map(|cell| read(cell, comma).number().ok());
            let tops = all.iter().map(|&at| Some(first[at].parse::<u64>().ok()? as f64));
            tops.collect::<Option<Vec<f64>>>().is_some_and(|tops| are_names(&tops, numbers))
        };
        // The same for any choice of columns.
        let is_known = match self.header {
            Header::Auto => {
                has_index || looks_named || all.iter().any(|&at| is_named(at, first, below))
            }
            header => header == Header::Yes,
        };
        let find = |wanted: &[String], option: &str, is_known: bool| {
            columns(first, wanted, option, is_known, self.header != Header::No)
        };
        let chosen =
            self.columns.as_ref().map(|all| find(all, "--columns", is_known)).transpose()?;
        let is_known = is_known || chosen.as_ref().is_some_and(|(_, by_name)| *by_name);
        let other = self.other.as_ref();
        let other = other.map(|(option, name)| find(std::slice::from_ref(name), option, is_known));
        let (other, by_name) = other.transpose()?.unwrap_or_default();
        let is_known = is_known || by_name;
        let is_other = |at: usize| other.contains(&at);
        let columns = match chosen {
            Some((columns, _)) => columns,
            None => all.into_iter().filter(|at| !is_other(*at)).take(most).collect(),
        };
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
        let is_auto = self.header == Header::Auto;
        let has_header = is_known || is_auto && tops.contains(&Cell::Text);
        let called = |at: usize| match &*first[at] {
            written if has_header && !written.is_empty() => written.to_owned(),
            _ => at.to_string(),
        };
        let names: Vec<String> = columns.iter().map(|at| called(*at)).collect();
        let body = if has_header { below } else { &sheet.rows };
        let mut values = Vec::with_capacity(body.len() * columns.len());
        let (mut others, mut lines, mut skipped) = (Vec::new(), Vec::new(), 0);
        for Row { line, cells } in body {
            let numbers: Vec<Cell> = columns.iter().map(|&at| read(&cells[at], comma)).collect();
            if self.skip_missing && numbers.contains(&Cell::Missing) {
                skipped += 1;
                continue;
            }
            lines.push(*line);
            others.extend(other.iter().map(|&at| cells[at].to_string()));
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
        // Such as the lengths of waves, 400, 410, 420.
        let has_steps = tops.windows(3).all(|it| match it {
            [Cell::Number(a), Cell::Number(b), Cell::Number(c)] => a != b && b - a == c - b,
            _ => false,
        });
        // Or a year beside a word, which may be a name or a label.
        let has_word = columns.iter().all(|&at| first[at].parse::<u64>().is_ok())
            && (0..first.len()).any(|at| !is_other(at) && is_text(&first[at]));
        let is_count = |(at, row): (usize, &[f64])| row[0] == values[0] + at as f64;
        let counts = self.columns.is_none()
            && (columns[0], columns.len() > 1, values.len() > 2 * columns.len()) == (0, true, true)
            && [0.0, 1.0].contains(&values[0])
            && values.chunks(columns.len()).enumerate().all(is_count);
        let mut origin = format!("columns {} of {name}", list(&names));
        for (is_so, text) in [
            (!unused.is_empty(), format!(" (without {unused})")),
            (true, format!(", header: {}", if has_header { "yes" } else { "no" })),
            (is_auto && looks_named, " (if the first row is a point, use --header no)".into()),
            (
                is_auto && !has_header && (has_steps && columns.len() > 2 || has_word),
                " (if the first row has names, use --header yes)".into(),
            ),
            (counts, format!(", and {} counts the rows: --columns leaves it out", names[0])),
            (comma == Comma::Decimal, ", decimal commas".into()),
            (skipped > 0, format!(", left out: {} without a value", counted(skipped, "row"))),
            (
                sheet.comments > 0,
                format!(", left out: {} of comments", counted(sheet.comments, "line")),
            ),
        ] {
            origin += if is_so { &text } else { "" };
        }
        Ok(Table { values, names, origin, cells: others, file: name.into(), lines })
    }
}

/// Whether the first column has the numbers of rows that pandas and R write: integers below a cell without a name.
fn has_index(first: &[Cow<'_, str>], below: &[Row<'_>]) -> bool {
    let is_integer = |row: &Row<'_>| row.cells[0].parse::<i64>().is_ok();
    let counts = || (0..).zip(below).all(|(at, row)| row.cells[0].parse() == Ok(at));
    matches!(first, [unnamed, _, ..] if unnamed.is_empty())
        && !below.is_empty()
        && below.iter().all(is_integer)
        && (first.iter().any(is_text) || counts())
}

/// Whether a cell has a word.
fn is_text(cell: &Cow<'_, str>) -> bool {
    read(cell, Comma::Unclear) == Cell::Text
}

/// Whether the first cell of a column of numbers is the only word in it.
fn is_named(at: usize, first: &[Cow<'_, str>], below: &[Row<'_>]) -> bool {
    is_text(&first[at]) && !below.iter().any(|row| is_text(&row.cells[at]))
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

/// The indices of columns, and whether they are names in the first row: all or none of them. `is_header` tells that it has names,
/// which take precedence, and `may_be` that it may have some. `option` is the option that chooses the columns.
fn columns(
    first: &[Cow<'_, str>],
    wanted: &[String],
    option: &str,
    is_header: bool,
    may_be: bool,
) -> Result<(Vec<usize>, bool)> {
    let number = |it: &str| it.parse().ok().filter(|at| *at < first.len());
    let matching = |is_same: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..first.len()).filter(|&at| may_be && is_same(&first[at])).collect()
    };
    let named = |it: &str| match matching(&|name| name == it) {
        exact if exact.is_empty() => matching(&|name| name.eq_ignore_ascii_case(it)),
        exact => exact,
    };
    let name = |it: &str| named(it).pop().filter(|_| named(it).len() == 1);
    let names: Option<Vec<usize>> = wanted.iter().map(|it| name(it)).collect();
    let numbers: Option<Vec<usize>> = wanted.iter().map(|it| number(it)).collect();
    match (names, numbers) {
        (Some(names), numbers) if is_header || numbers.is_none() => return Ok((names, true)),
        (_, Some(numbers)) => return Ok((numbers, false)),
        _ => {}
    }
    let is_unknown = |it: &&String| number(it).is_none() && name(it).is_none();
    let is_missing = |it: &&String| if is_header { name(it) } else { number(it) }.is_none();
    let it = wanted.iter().find(is_unknown).or_else(|| wanted.iter().find(is_missing));
    let it = it.map_or("", String::as_str);
    let kind = if is_header { "called" } else { "number" };
    let problem = match (named(it).len(), number(it)) {
        (0, None) => format!("there is no column {it} in {}: choose", first.join(", ")),
        (2.., _) => format!("several columns are called {it}: choose by number, from 0,"),
        _ => {
            format!("there is no column {kind} {it}: choose all by name, or all by number from 0,")
        }
    };
    Err(format!("{problem} with {option}").into())
}

impl Table {
    /// Uniform random numbers, the same in every run. Their differences are exact in single precision.
    pub fn random(count: usize, width: usize) -> Table {
        let mut generator = fastrand::Rng::with_seed(0);
        let number = |_| f64::from(generator.u32(..1 << 24)) / f64::from(1 << 24);
        let values = (0..count * width).map(number).collect();
        let names = (0..width).map(|at| at.to_string()).collect();
        Table { values, names, origin: "random".into(), ..Table::default() }
    }

    /// An error about a row and a column.
    pub fn refused<T>(&self, row: usize, column: &str, problem: &str) -> Result<T> {
        let line = self.lines.get(row).copied().unwrap_or(row);
        Err(format!("{}: line {line}, column {column}: {problem}", self.file).into())
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
