//! Tables in CSV files, with the line of every row.

use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};

use crate::delimiter::Delimiter;
use crate::encoding::utf8;
use crate::missing::is_missing;
use crate::problem::quoted;
use crate::quotes::long_cells;
use crate::text::{ends_line, escaped, is_line_end};
use crate::{Column, Place, Problem, Result, memory, number, separation, source};

/// Of a row with more cells than these, a warning shows the first and the last.
const MOST_SHOWN: usize = 8;

/// A table of text.
///
/// The first row is a header if none of its cells is a number: in a row of numbers, one cell may be a name. Every row
/// has as many cells as the first. Blank lines do not count. Whatever looks like a mistake that would lose rows or
/// cells is refused.
#[derive(Debug)]
pub struct Table {
    pub(crate) file: String,
    pub(crate) header: Option<Row>,
    pub(crate) rows: Vec<Row>,
    pub(crate) delimiter: Delimiter,
}

/// A row of a table.
#[derive(Debug)]
pub(crate) struct Row {
    /// The line on which the row starts, counted from 1.
    pub(crate) line: u64,
    pub(crate) cells: StringRecord,
}

impl Table {
    /// The table in this file, or in standard input, which is called `-`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a table with at least one row of values.
    pub fn read(path: &Path) -> Result<Table> {
        Table::read_by(path, None)
    }

    /// The same, of cells with this delimiter between them; `None` finds it out.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a table with at least one row of values.
    pub fn read_by(path: &Path, delimiter: Option<Delimiter>) -> Result<Table> {
        Table::parse_by(&source::name(path), &source::read(path)?, delimiter)
    }

    /// The table in this text, which messages call `file`.
    ///
    /// # Errors
    ///
    /// The text is not a table with at least one row of values.
    pub fn parse(file: &str, text: &[u8]) -> Result<Table> {
        Table::parse_by(file, text, None)
    }

    /// The same, of cells with this delimiter between them; `None` finds it out.
    ///
    /// # Errors
    ///
    /// The text is not a table with at least one row of values.
    pub fn parse_by(file: &str, text: &[u8], delimiter: Option<Delimiter>) -> Result<Table> {
        let text = utf8(file, text)?.as_bytes();
        let delimiter = match delimiter {
            Some(delimiter) => delimiter,
            None => separation::delimiter(file, text)?,
        };
        let mut rows = rows(file, text, delimiter)?.into_iter().peekable();
        let Some(first) = rows.peek() else {
            return Err(Problem::Empty.at(Place::file(file)));
        };
        let is_header = first.cells.iter().all(|cell| cell.parse::<f32>().is_err());
        let header = rows.next_if(|_| is_header);
        let rows: Vec<Row> = rows.collect();
        match &header {
            Some(header) if rows.is_empty() => {
                Err(Problem::NoRows.at(Place::file(file).line(header.line)))
            }
            _ => {
                let table = Table { file: file.into(), header, rows, delimiter }.with_names()?;
                if let Some(warning) = table.warning_of_header() {
                    tracing::warn!("{}", escaped(&warning));
                }
                Ok(table)
            }
        }
    }

    /// Refuses a header without a name above any column of numbers: it is a row of values that are missing or misspelt.
    fn with_names(self) -> Result<Table> {
        let Some(header) = &self.header else { return Ok(self) };
        let has_numbers =
            |column: &usize| self.rows.iter().any(|row| is_number(row.cells.get(*column)));
        let mut unnamed = None;
        for column in (0..self.width()).filter(has_numbers) {
            let cell = header.cells.get(column).unwrap_or_default();
            if is_name(cell) {
                return Ok(self);
            }
            unnamed = unnamed.or(Some((column, cell)));
        }
        match unnamed {
            Some((column, cell)) => {
                let place = self.start().column(Column::Number(column));
                Err(Problem::NeitherNumberNorName(quoted(cell)).at(place))
            }
            None => Ok(self),
        }
    }

    /// A line for a first row that is read as values and looks like a header of numbers, such as 0, 1, 2 or 2019, 2020, 2021:
    /// its numbers rise in equal steps, and those of the second row do not rise in the same.
    fn warning_of_header(&self) -> Option<String> {
        let (None, [first, second, ..]) = (&self.header, self.rows.as_slice()) else { return None };
        let (start, step) = rising(first)?;
        if rising(second).is_some_and(|(_, other)| other == step) {
            return None;
        }
        // Two whole numbers may well be values.
        (start == 0.0 || first.cells.len() > 2).then(|| {
            let cells: Vec<String> = first.cells.iter().map(quoted).collect();
            let shown = match cells.as_slice() {
                [first, .., last] if cells.len() > MOST_SHOWN => format!("{first} to {last}"),
                cells => cells.join(", "),
            };
            format!(
                "the first row of {} ({shown}) is read as values: if it is a header, let a letter come first in each of \
                 its names",
                self.file
            )
        })
    }

    /// What reports say of a table without a header, behind its name.
    pub fn without_header(&self) -> &'static str {
        if self.has_header() { "" } else { ", without a header" }
    }

    /// The number of rows, without the header.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.first_row().map_or(0, |row| row.cells.len())
    }

    /// Whether the columns have names.
    pub fn has_header(&self) -> bool {
        self.header.is_some()
    }

    /// The name of a column, or its number where there are no names.
    pub fn name(&self, column: usize) -> String {
        match self.header.as_ref().and_then(|row| row.cells.get(column)) {
            Some(name) => name.into(),
            None => column.to_string(),
        }
    }

    /// The numbers in these columns, row by row.
    ///
    /// # Errors
    ///
    /// A cell is not a number that the kernels can take.
    pub fn numbers(&self, columns: &[usize]) -> Result<Vec<f64>> {
        let mut numbers = memory::reserved(self.height().saturating_mul(columns.len()))?;
        for row in 0..self.height() {
            for &column in columns {
                let number = number(self.cell(row, column));
                numbers.push(number.map_err(|problem| problem.at(self.place(row, column)))?);
            }
        }
        Ok(numbers)
    }

    /// What is in the cells of a column.
    pub fn texts(&self, column: usize) -> impl Iterator<Item = &str> {
        (0..self.height()).map(move |row| self.cell(row, column))
    }

    /// The position of a cell.
    pub fn place(&self, row: usize, column: usize) -> Place {
        self.place_of(self.rows.get(row)).column(match self.has_header() {
            true => Column::Name(quoted(&self.name(column))),
            false => Column::Number(column),
        })
    }

    /// The line of a row.
    pub(crate) fn line(&self, row: usize) -> u64 {
        self.rows.get(row).map_or(0, |row| row.line)
    }

    pub(crate) fn cell(&self, row: usize, column: usize) -> &str {
        let row = self.rows.get(row);
        row.and_then(|row| row.cells.get(column)).unwrap_or_default()
    }

    /// The position of the first row, header or not.
    pub(crate) fn start(&self) -> Place {
        self.place_of(self.first_row())
    }

    /// The position of the first row after the header.
    pub(crate) fn first_values(&self) -> Place {
        self.place_of(self.rows.first())
    }

    fn place_of(&self, row: Option<&Row>) -> Place {
        let place = Place::file(&self.file);
        match row {
            Some(row) => place.line(row.line),
            None => place,
        }
    }

    fn first_row(&self) -> Option<&Row> {
        self.header.as_ref().or(self.rows.first())
    }
}

/// The first of a row's numbers and their step, if there are several, all whole, that rise in equal steps.
fn rising(row: &Row) -> Option<(f64, f64)> {
    let numbers: Vec<f64> = row.cells.iter().filter_map(|cell| cell.parse().ok()).collect();
    let [first, second, ..] = numbers[..] else { return None };
    let are_whole = numbers.iter().all(|number| number.fract() == 0.0);
    let step = second - first;
    let is_equal = numbers.windows(2).all(|pair| pair[1] - pair[0] == step);
    (are_whole && step > 0.0 && is_equal).then_some((first, step))
}

fn is_number(cell: Option<&str>) -> bool {
    cell.is_some_and(|cell| cell.parse::<f32>().is_ok())
}

/// Whether a cell may be meant as the name of a column.
fn is_name(cell: &str) -> bool {
    let start = cell.trim_start_matches(['+', '-', '.']);
    !start.starts_with(|letter: char| letter.is_ascii_digit())
        && cell.contains(char::is_alphabetic)
        && !is_missing(cell)
}

/// All rows, which have the same number of cells.
fn rows(file: &str, text: &[u8], delimiter: Delimiter) -> Result<Vec<Row>> {
    let long = long_cells(file, text, delimiter)?;
    let rows = split(file, text, delimiter)?;
    let width = rows.first().map_or(0, |row| row.cells.len());
    long.into_iter().try_for_each(|cell| cell.check(width))?;
    Ok(rows)
}

fn split(file: &str, text: &[u8], delimiter: Delimiter) -> Result<Vec<Row>> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true) // ragged rows are reported below, with their lines
        .trim(Trim::All)
        .delimiter(delimiter.byte())
        .from_reader(text);
    let mut lines = Lines::new(text);
    let mut rows: Vec<Row> = Vec::new();
    let mut cells = StringRecord::new();
    loop {
        let start = reader.position().byte();
        let line = lines.line_of_record(start);
        match reader.read_record(&mut cells) {
            Ok(false) => return Ok(rows),
            Ok(true) => {}
            // The text is in memory and in UTF-8, and ragged rows are allowed: nothing is left.
            Err(_) => return Err(Problem::NotText.at(Place::file(file).line(line))),
        }
        if let Some(first) = rows.first().filter(|first| first.cells.len() != cells.len()) {
            let problem = Problem::Ragged {
                delimiter,
                found: cells.len(),
                expected: first.cells.len(),
                first_line: first.line,
            };
            return Err(problem.at(Place::file(file).line(line)));
        }
        rows.push(Row { line, cells: cells.clone() });
    }
}

/// Counts lines along a text.
///
/// The reader's own count is the line after the previous record, which is wrong where blank lines follow.
struct Lines<'a> {
    text: &'a [u8],
    offset: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn new(text: &'a [u8]) -> Self {
        Lines { text, offset: 0, line: 1 }
    }

    /// The line of the first record at or after `byte`, which must not be before that of an earlier call.
    fn line_of_record(&mut self, byte: u64) -> u64 {
        let byte = usize::try_from(byte).unwrap_or(usize::MAX);
        while let Some(&next) = self.text.get(self.offset) {
            if self.offset >= byte && !is_line_end(next) {
                break;
            }
            self.line += u64::from(ends_line(self.text, self.offset));
            self.offset += 1;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_of_numbers_is_warned_of() {
        let warning =
            |text: &str| Table::parse("t.csv", text.as_bytes()).unwrap().warning_of_header();
        for (text, shown) in [
            ("0,1,2,3\n0.5,0.5,0.5,0.1\n", "0, 1, 2, 3"),
            ("0,1\n0.5,0.5\n", "0, 1"),
            ("region,2019,2020,2021\nEMEA,10,20,35\n", "region, 2019, 2020, 2021"),
            ("region,2019,2020,2021\nEMEA,10,20,30\n", "region, 2019, 2020, 2021"),
            ("region,2019,2020\nEMEA,20,10\n", "region, 2019, 2020"),
            ("2000,2005,2010\n1,5,4\n", "2000, 2005, 2010"),
            ("0,1,2,3,4,5,6,7,8\n9,1,2,3,4,5,6,7,8\n", "0 to 8"),
        ] {
            let warning = warning(text).expect(text);
            assert!(
                warning.starts_with(&format!(
                    "the first row of t.csv ({shown}) is read as values: if it is"
                )),
                "{warning}"
            );
        }
        for text in [
            "x,y,z\n0,1,2\n9,5,4\n",
            "1,2\n5,3\n",
            "1,2,3\n4,5,6\n",
            "0,1,2\n",
            "0.5,1.5,2.5\n1,0,0\n",
            "5.1,3.5,1.4,0.2,setosa\n4.9,3,1.4,0.2,setosa\n",
            "3,2,1\n1,7,1\n",
            "1,1,1\n1,7,1\n",
            "a,7\nb,5\n",
        ] {
            assert_eq!(warning(text), None, "{text}");
        }
    }
}
