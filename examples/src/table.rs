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
    /// Use these columns, all by name or all by number from 0; in a header, names come first [default: the first ones with numbers,
    /// without row numbers below an empty name]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',', conflicts_with = "random")]
    pub columns: Option<Vec<String>>,
    /// Whether the first row is a header. For auto, it is if a column has text in it and only numbers below, if its numbers look
    /// like names, such as 2019, 2020, 2021, or if --columns has names
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
    pub other: (&'static str, Vec<String>),
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
    /// The label of each row: of an atom, or from the column `TableOptions::other`. Empty without labels.
    pub cells: Vec<String>,
    /// The name of the table, and the line of each row.
    pub lines: (String, Vec<usize>),
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
            let name = |it: &String| it.parse().map_or(it.clone(), |_: f64| format!("c{it}"));
            Output::new(path, self.force)?.csv(table.names.iter().map(name), rows)?;
        }
        Ok(table)
    }

    fn parse(&self, name: &str, text: &str, most: usize) -> Result<Table> {
        let sheet = Sheet::read(text)?;
        let [top, below @ ..] = &sheet.rows[..] else { return Err("there are no rows".into()) };
        let first = top.cells.as_slice();
        let has_index = has_index(first, below);
        let body = if below.is_empty() { &sheet.rows } else { below };
        let has = |at: usize, is_so: fn(Cell) -> bool| {
            body.iter().any(|row| is_so(read(&row.cells[at], Comma::Unclear)))
        };
        // A column with any number in it is a column of numbers: other text in it is an error.
        let has_number =
            |at: &usize| has(*at, |it| matches!(it, Cell::Number(_) | Cell::Unclear(_)));
        let mut all: Vec<usize> =
            (usize::from(has_index)..first.len()).filter(has_number).collect();
        let cells =
            || below.iter().flat_map(|row| all.iter().map(|&at| &*row.cells[at])).take(1000);
        let comma = Comma::of(cells(), sheet.delimiter);
        let numbers = cells().filter_map(|cell| read(cell, comma).number().ok());
        let integer = |at: &usize| Some(first[*at].parse::<u64>().ok()? as f64);
        let tops: Option<Vec<f64>> = all.iter().map(integer).collect();
        let looks_named = tops.is_some_and(|tops| are_names(&tops, numbers));
        let is_named = |at: &usize| is_word(&first[*at]) && !has(*at, |it| it == Cell::Text);
        // The same for any choice of columns.
        let is_auto = self.header == Header::Auto;
        let is_header = has_index || looks_named || all.iter().any(is_named);
        let header = if is_auto && is_header { Header::Yes } else { self.header };
        let wanted = self.columns.as_deref().unwrap_or_default();
        let (chosen, header) = find(first, wanted, "--columns", header)?;
        let (other, header) = find(first, &self.other.1, self.other.0, header)?;
        all.retain(|at| !other.contains(at));
        all.truncate(most);
        let columns = if self.columns.is_some() { chosen } else { all };
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
        let has_header = header == Header::Yes || is_auto && tops.contains(&Cell::Text);
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
                let error = |it| format!("line {line}, column {name}: {:?} {it}", cells[*at]);
                values.push(number.number().map_err(error)?);
            }
        }

        let is_unused = |at: &usize| !columns.contains(at) && !other.contains(at);
        let unused = (0..first.len()).filter(|at| self.columns.is_none() && is_unused(at));
        let name_of = |at| if has_index && at == 0 { "the index".into() } else { called(at) };
        let unused = list(&unused.map(name_of).collect::<Vec<String>>());
        // Such as the lengths of waves, 400, 410, 420.
        let has_steps = tops.windows(3).all(|it| match it {
            [Cell::Number(a), Cell::Number(b), Cell::Number(c)] => a != b && b - a == c - b,
            _ => false,
        });
        // Or a year beside a word, which may be a name or a label.
        let has_word = columns.iter().all(|at| integer(at).is_some())
            && (0..first.len()).any(|at| is_unused(&at) && is_word(&first[at]));
        let may_have_names = is_auto && !has_header && (has_steps && columns.len() > 2 || has_word);
        let is_count = |(at, row): (usize, &[f64])| row[0] == values[0] + at as f64;
        let counts = self.columns.is_none()
            && (columns[0], columns.len() > 1, values.len() > 2 * columns.len()) == (0, true, true)
            && [0.0, 1.0].contains(&values[0])
            && values.chunks(columns.len()).enumerate().all(is_count);
        let mut origin = format!("columns {} of {name}", list(&names));
        let left_out = |count, one, what| format!(", left out: {} {what}", counted(count, one));
        for (is_so, text) in [
            (!unused.is_empty(), format!(" (without {unused})")),
            (true, format!(", header: {}", if has_header { "yes" } else { "no" })),
            (is_auto && looks_named, " (if the first row is a point, use --header no)".into()),
            (may_have_names, " (if the first row has names, use --header yes)".into()),
            (counts, format!(", and {} counts the rows: --columns leaves it out", names[0])),
            (comma == Comma::Decimal, ", decimal commas".into()),
            (skipped > 0, left_out(skipped, "row", "without a value")),
            (sheet.comments > 0, left_out(sheet.comments, "line", "of comments")),
        ] {
            origin += if is_so { &text } else { "" };
        }
        Ok(Table { values, names, origin, cells: others, lines: (name.into(), lines) })
    }
}

/// Whether the first column has the numbers of rows that pandas and R write: integers below a cell without a name.
fn has_index(first: &[Cow<'_, str>], below: &[Row<'_>]) -> bool {
    let is_integer = |row: &Row<'_>| row.cells[0].parse::<i64>().is_ok();
    let counts = || (0..).zip(below).all(|(at, row)| row.cells[0].parse() == Ok(at));
    matches!(first, [unnamed, _, ..] if unnamed.is_empty())
        && !below.is_empty()
        && below.iter().all(is_integer)
        && (first.iter().any(|cell| is_word(cell)) || counts())
}

/// Whether a cell has a word.
fn is_word(cell: &str) -> bool {
    read(cell, Comma::Unclear) == Cell::Text
}

/// The names; if there are many, the first and the last.
fn list(names: &[String]) -> String {
    match names {
        [first, .., last] if names.len() > 8 => format!("{first} to {last}"),
        names => names.join(", "),
    }
}

/// The indices of columns, which `option` chooses all by name or all by number. Names take precedence in a header. With it whether
/// the first row is known as one: names tell it.
fn find(
    first: &[Cow<'_, str>],
    wanted: &[String],
    option: &str,
    header: Header,
) -> Result<(Vec<usize>, Header)> {
    let number = |it: &String| it.parse().ok().filter(|at| *at < first.len());
    let matching = |is_same: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..first.len()).filter(|&at| header != Header::No && is_same(&first[at])).collect()
    };
    let named = |it: &String| match matching(&|name| name == it) {
        exact if exact.is_empty() => matching(&|name| name.eq_ignore_ascii_case(it)),
        exact => exact,
    };
    let name = |it: &String| named(it).pop().filter(|_| named(it).len() == 1);
    let is_header = header == Header::Yes;
    let names: Option<Vec<usize>> = wanted.iter().map(name).collect();
    let numbers: Option<Vec<usize>> = wanted.iter().map(number).collect();
    match (names, numbers) {
        (Some(names), numbers) if is_header || numbers.is_none() => {
            return Ok((names, Header::Yes));
        }
        (_, Some(numbers)) => return Ok((numbers, header)),
        _ => {}
    }
    let is_unknown = |it: &&String| number(it).is_none() && name(it).is_none();
    let is_missing = |it: &&String| if is_header { name(it) } else { number(it) }.is_none();
    let it = wanted.iter().find(is_unknown).or_else(|| wanted.iter().find(is_missing));
    let problem = match it.map(|it| (it, named(it).len(), number(it))) {
        Some((it, 0, None)) => format!("there is no column {it} in {}: choose", first.join(", ")),
        Some((it, 2.., _)) => format!("several columns are called {it}: choose by number, from 0,"),
        it => {
            let (kind, it) =
                (if is_header { "called" } else { "number" }, it.map_or("", |it| it.0));
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
        let (file, line) = (&self.lines.0, self.lines.1.get(row).copied().unwrap_or(row));
        Err(format!("{file}: line {line}, column {column}: {problem}").into())
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
