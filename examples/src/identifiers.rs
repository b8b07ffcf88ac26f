//! Columns that count or name their rows, which are no features.

use crate::Table;

/// Names of such columns, as words in small letters.
const NAMES: [&str; 13] = [
    "id", "ids", "idx", "index", "key", "no", "nr", "num", "number", "row", "rownames", "serial",
    "uid",
];

/// More columns than these are chosen by ranges.
const MOST_NAMES: usize = 8;

/// Fewer consecutive numbers may well be values.
const FEWEST: usize = 3;

/// The largest number of which the next one is different in double precision.
const LARGEST: f64 = 9_007_199_254_740_991.0;

impl Table {
    /// Why a column looks as if it counted or named the rows, in words; `None` if it does not. It does if it has whole
    /// numbers that go up by one from row to row, or a name for such columns and whole numbers that are all different.
    ///
    /// Whole numbers alone do not count, even if they are all different: years and pixels are values.
    pub(crate) fn identifier(&self, column: usize) -> Option<&'static str> {
        let numbers: Vec<f64> = self.texts(column).map_while(whole).collect();
        if numbers.len() < self.height() || numbers.len() < FEWEST {
            return None;
        }
        if numbers.windows(2).all(|pair| pair[0] + 1.0 == pair[1]) {
            return Some("counts the rows");
        }
        if !self.has_header() || !is_named(&self.name(column)) {
            return None;
        }
        let mut sorted = numbers;
        sorted.sort_by(f64::total_cmp);
        let are_different = sorted.windows(2).all(|pair| pair[0] < pair[1]);
        are_different.then_some("has a different whole number in each row, and such a name")
    }

    /// A line for each of these columns that looks like an identifier, with the choice of columns that leaves such ones
    /// out.
    pub(crate) fn warnings_of_identifiers(
        &self,
        columns: &[usize],
        others: &[usize],
    ) -> Vec<String> {
        let is_value = |column: &usize| self.identifier(*column).is_none();
        let better: Vec<usize> =
            columns.iter().chain(others).copied().filter(is_value).take(columns.len()).collect();
        if better.is_empty() {
            // Nothing else is left to choose.
            return Vec::new();
        }
        let advice = format!("--columns {}", quoted_for_shell(&self.choices(&better)));
        let found = columns.iter().filter_map(|&column| Some((column, self.identifier(column)?)));
        found
            .map(|(column, why)| {
                format!(
                    "column `{}` of {} {why}, and is taken as a feature: if it is none, choose \
                     {advice}",
                    self.name(column),
                    self.file
                )
            })
            .collect()
    }

    /// How `--columns` chooses these columns; many of them by their numbers, as ranges.
    fn choices(&self, columns: &[usize]) -> String {
        if columns.len() <= MOST_NAMES {
            let names: Vec<String> = columns.iter().map(|column| self.choice(*column)).collect();
            return names.join(",");
        }
        let runs = columns.chunk_by(|one, next| one + 1 == *next);
        let ranges = runs.filter_map(|run| match run {
            [first, .., last] => Some(format!("{first}..{last}")),
            run => run.first().map(usize::to_string),
        });
        ranges.collect::<Vec<_>>().join(",")
    }

    /// How `--columns` chooses a column: by its name, or by its number where the name would not do.
    fn choice(&self, column: usize) -> String {
        let name = self.name(column);
        let is_plain = !name.is_empty() && !name.contains([',', '"', '\'']) && !name.contains("..");
        match is_plain && self.columns(&[&name]).is_ok_and(|found| found == [column]) {
            true => name,
            false => column.to_string(),
        }
    }
}

/// The number of a cell, if it is whole and so small that the next one is different.
fn whole(cell: &str) -> Option<f64> {
    let number: f64 = cell.parse().ok()?;
    (number.fract() == 0.0 && number.abs() < LARGEST).then_some(number)
}

/// Whether a column's name has a word for an identifier: `id`, `point_id`, `Row No.`, `customerId`. A column without a
/// name is what some programs write their own index in.
fn is_named(name: &str) -> bool {
    if name.is_empty() || name.starts_with("Unnamed: ") {
        return true;
    }
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = letter.is_lowercase();
        if let Some(word) = words.last_mut()
            && letter.is_alphanumeric()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.iter().any(|word| NAMES.contains(&word.as_str()))
}

/// A word as a shell takes it whole.
pub(crate) fn quoted_for_shell(word: &str) -> String {
    let is_plain =
        |letter: char| letter.is_alphanumeric() || matches!(letter, ',' | '_' | '-' | '.');
    match word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{word}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(name: &str, cells: &[&str]) -> Option<&'static str> {
        let rows: String = cells.iter().map(|cell| format!("{cell},0.5\n")).collect();
        let table = Table::parse("t.csv", format!("{name},x\n{rows}").as_bytes()).unwrap();
        table.identifier(0)
    }

    #[test]
    fn a_column_that_counts_the_rows_is_an_identifier() {
        for first in [0, 1, 1000, -2] {
            let cells = [first, first + 1, first + 2].map(|number| number.to_string());
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            assert_eq!(why("a", &cells), Some("counts the rows"), "{first}");
        }
        assert_eq!(why("a", &["1.0", "2.0", "3e0"]), Some("counts the rows"));
        for cells in [
            // Too few to tell.
            ["1", "2"].as_slice(),
            &["3", "2", "1"],
            &["1", "2", "4"],
            &["1", "2", "2.5"],
            &["1", "2", ""],
            &["1e16", "1e16", "1e16"],
        ] {
            assert_eq!(why("a", cells), None, "{cells:?}");
        }
    }

    #[test]
    fn a_name_tells_where_the_numbers_are_all_different() {
        let different = ["17", "3", "40"];
        for name in
            ["id", "ID", "point_id", "Row No.", "customerId", "index", "Unnamed: 0", "key", "Nr"]
        {
            assert!(why(name, &different).is_some(), "{name}");
            assert_eq!(why(name, &["17", "3", "17"]), None, "{name}");
            assert_eq!(why(name, &["1.33", "1.5", "2.4"]), None, "{name}");
        }
        // The index of a table that has its name left empty.
        let table = Table::parse("t.csv", b",x\n9,1\n4,2\n7,0\n").unwrap();
        assert!(table.identifier(0).is_some());
        for name in ["x", "year", "width", "ideal", "note", "Na", "grid"] {
            assert_eq!(why(name, &different), None, "{name}");
        }
    }

    #[test]
    fn a_warning_says_what_to_write() {
        let warnings = |text: &str, columns: &[usize], others: &[usize]| {
            let table = Table::parse("t.csv", text.as_bytes()).unwrap();
            table.warnings_of_identifiers(columns, others)
        };
        let expected = "column `id` of t.csv counts the rows, and is taken as a feature: if it is none, \
                        choose --columns x,y";
        assert_eq!(warnings("id,x,y\n1,2,9\n2,2,9\n3,1,9\n", &[0, 1, 2], &[]), [expected]);
        // A fifth column takes its place.
        let text = "id,a,b,c,d\n1,2,9,9,9\n2,2,9,9,9\n3,1,9,9,9\n";
        let found = warnings(text, &[0, 1, 2, 3], &[4]);
        assert!(found[0].ends_with("--columns a,b,c,d"), "{found:?}");
        let found = warnings("1,2.5\n2,2\n3,1\n", &[0, 1], &[]);
        assert!(found[0].contains("column `0`") && found[0].ends_with("--columns 1"), "{found:?}");
        // Names that the option or a shell would take apart, or that two columns have.
        for (name, choice) in
            [("\"a,b\"", "1"), ("a b", "'a b'"), ("a..b", "1"), ("id", "1"), ("$x", "'$x'")]
        {
            let text = format!("id,{name}\n1,5\n2,5\n3,5\n");
            let found = warnings(&text, &[0, 1], &[]);
            assert!(found[0].ends_with(&format!("--columns {choice}")), "{found:?}");
        }
        // Many columns are told by ranges.
        let names: String = (0..20).map(|k| format!(",c{k}")).collect();
        let row = |i: u32| format!("{i}{}\n", ",0.5".repeat(20));
        let text = format!("id{names}\n{}{}{}", row(1), row(2), row(3));
        let all: Vec<usize> = (0..21).collect();
        let found = warnings(&text, &all, &[]);
        assert!(found[0].ends_with("--columns 1..20"), "{found:?}");
        // There is nothing else to choose.
        assert!(warnings("id,name\n1,a\n2,b\n3,c\n", &[0], &[]).is_empty());
        assert!(warnings("x,y\n1,2\n5,2\n7,1\n", &[0, 1], &[]).is_empty());
    }
}
