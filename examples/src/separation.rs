//! Finds out what separates the cells of a table.

use csv::{ByteRecord, ReaderBuilder};

use crate::delimiter::Delimiter;
use crate::text::{is_line_end, line_at};
use crate::{Place, Problem, Result};

/// What separates the cells of this text, which messages call `file`: a comma, a semicolon or a tab, the one that the
/// first row has. If that has several, it is the one by which all rows have the same number of cells.
///
/// # Errors
///
/// Several of them are possible: numbers would be read in one case, and others in another.
pub(crate) fn delimiter(file: &str, text: &[u8]) -> Result<Delimiter> {
    let start = text.iter().position(|byte| !is_line_end(*byte)).unwrap_or(text.len());
    let row = first_row(&text[start..]);
    let mut found = Delimiter::DETECTED.into_iter().filter(|delimiter| has(row, *delimiter));
    let (first, second) = (found.next().unwrap_or_default(), found.next());
    if second.is_none() {
        return Ok(first);
    }
    let is_even = |delimiter: &Delimiter| has(row, *delimiter) && splits_evenly(text, *delimiter);
    let mut even = Delimiter::DETECTED.into_iter().filter(is_even);
    match (even.next(), even.next()) {
        (Some(one), Some(other)) => {
            let place = Place::file(file).line(line_at(text, start));
            Err(Problem::AmbiguousDelimiter { one, other }.at(place))
        }
        (Some(only), None) => Ok(only),
        // A row of another length is told when the table is read.
        (None, _) => Ok(first),
    }
}

/// The first row, or what comes before a quote that is never closed: that is told when the table is read.
fn first_row(text: &[u8]) -> &[u8] {
    let mut is_quoted = false;
    let end = text.iter().position(|byte| {
        is_quoted ^= *byte == b'"';
        !is_quoted && is_line_end(*byte)
    });
    &text[..end.unwrap_or(text.len())]
}

/// Whether a row has this delimiter outside of quotes.
fn has(row: &[u8], delimiter: Delimiter) -> bool {
    let mut is_quoted = false;
    row.iter().any(|byte| {
        is_quoted ^= *byte == b'"';
        !is_quoted && *byte == delimiter.byte()
    })
}

/// Whether all rows have the same number of cells.
fn splits_evenly(text: &[u8], delimiter: Delimiter) -> bool {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter.byte())
        .from_reader(text);
    let mut cells = ByteRecord::new();
    let mut width = None;
    while reader.read_byte_record(&mut cells).unwrap_or(false) {
        if *width.get_or_insert(cells.len()) != cells.len() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> std::result::Result<Delimiter, String> {
        delimiter("t.csv", text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_row_tells() {
        for (text, delimiter) in [
            ("", Delimiter::Comma),
            ("7\n8\n", Delimiter::Comma),
            ("a,b\n1;2,3\n", Delimiter::Comma),
            ("\r\n\na;b\n1,5;2\n", Delimiter::Semicolon),
            ("a\tb\n1\t2\n", Delimiter::Tab),
            ("\"a,b\";c\n1;2\n", Delimiter::Semicolon),
            ("\"a,\n,\";b\n1;2\n", Delimiter::Semicolon),
            ("a|b\n1|2\n", Delimiter::Comma),
        ] {
            assert_eq!(found(text), Ok(delimiter), "{text:?}");
        }
    }

    #[test]
    fn all_rows_tell_where_the_first_has_several() {
        for (text, delimiter) in [
            ("a, b;c\n1;2\n", Delimiter::Semicolon),
            ("a;b,c\n1,2\n3,4\n", Delimiter::Comma),
            ("a b\tc,d\n1\t2\n", Delimiter::Tab),
            // By neither: the row is told when the table is read.
            ("a,b;c\n1\n2,3;4;5\n", Delimiter::Comma),
        ] {
            assert_eq!(found(text), Ok(delimiter), "{text:?}");
        }
        // Decimal commas: 3 and "5;2" or "3,5" and 2?
        let error = found("\n3,5;2\n4,5;1\n").unwrap_err();
        let message = "t.csv, line 2: the rows can be split by comma and by semicolon";
        assert!(error.starts_with(message) && error.contains("--delimiter"), "{error}");
    }
}
