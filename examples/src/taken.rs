//! The columns that were taken of two tables, whose rows are compared with each other.

use crate::text::escaped;
use crate::{Place, Problem, Result, Table};

/// Lists of more names than these are not shown, but where they differ.
const MOST_NAMES: usize = 8;

/// Which columns were taken of an input.
#[derive(Clone, Debug)]
pub struct Taken {
    /// What messages call the input.
    file: String,
    /// The names of all columns; empty where they have none.
    names: Vec<String>,
    /// The places of those that were taken.
    columns: Vec<usize>,
    /// Whether the user has chosen all of them by their numbers, and so takes them as they are.
    by_number: bool,
}

impl Taken {
    /// These columns of a table, which were chosen in these words, if in any.
    pub(crate) fn of(table: &Table, columns: &[usize], wanted: Option<&[String]>) -> Taken {
        let is_number = |part: &str| part.trim().parse::<usize>().is_ok();
        // A name may be a number with dots in it, but no name in a header is a number.
        let by_number = wanted.is_some_and(|wanted| {
            wanted.iter().all(|one| !table.has_column(one) && one.split("..").all(is_number))
        });
        let names = match table.has_header() {
            true => (0..table.width()).map(|column| table.name(column)).collect(),
            false => Vec::new(),
        };
        Taken { file: table.file.clone(), names, columns: columns.to_vec(), by_number }
    }

    /// So many columns without names, of what messages call `file`.
    pub(crate) fn unnamed(file: &str, count: usize) -> Taken {
        let columns = (0..count).collect();
        Taken { file: file.into(), names: Vec::new(), columns, by_number: false }
    }

    /// Checks that these columns mean what those of another input do, as many of them, which is called first. Where only one
    /// of both has names, warns that places decide.
    ///
    /// # Errors
    ///
    /// They have other names, or the same ones in another order.
    pub fn expect_same(&self, first: &Taken) -> Result<()> {
        if self.by_number || first.by_number {
            return Ok(());
        }
        let (found, expected) = (self.taken(), first.taken());
        let (named, other) = match (found.is_empty(), expected.is_empty()) {
            (false, false) => return self.compare(&found, first, &expected),
            (true, true) => return Ok(()),
            (false, true) => (self, first),
            (true, false) => (first, self),
        };
        let warning = format!(
            "the columns of {} have no names: they are taken to be in the order of those of {}, {}",
            other.file,
            named.file,
            list(&named.taken(), None)
        );
        tracing::warn!("{}", escaped(&warning));
        Ok(())
    }

    /// The names of the columns that were taken.
    fn taken(&self) -> Vec<&str> {
        let name = |column: &usize| self.names.get(*column).map(String::as_str);
        self.columns.iter().filter_map(name).collect()
    }

    /// Whether a column, and no other one, has this name.
    fn has_one(&self, name: &str) -> bool {
        self.names.iter().filter(|known| *known == name).count() == 1
    }

    fn compare(&self, found: &[&str], first: &Taken, expected: &[&str]) -> Result<()> {
        let Some(differs) = found.iter().zip(expected).position(|(one, other)| one != other) else {
            return Ok(());
        };
        let (here, there) = (list(found, Some(differs)), list(expected, Some(differs)));
        let other = escaped(&first.file);
        let are_all_here = expected.iter().all(|name| self.has_one(name) && first.has_one(name));
        let problem = match are_all_here {
            true => Problem::OtherOrder { here, other, there, choice: by_names(expected) },
            false => {
                let choice = (self.columns == first.columns).then(|| by_numbers(&self.columns));
                Problem::OtherNames { here, other, there, choice }
            }
        };
        Err(problem.at(Place::file(&self.file)))
    }
}

/// These names; of many the one at `place`, else the first and the last.
fn list(names: &[&str], place: Option<usize>) -> String {
    let shown = match (names, place) {
        (names, _) if names.len() <= MOST_NAMES => names.join(", "),
        (names, Some(place)) => {
            let name = names.get(place).copied().unwrap_or_default();
            format!("{name} in place {place} (counted from 0)")
        }
        (names, None) => [names[0], names[names.len() - 1]].join(" to "),
    };
    escaped(&shown)
}

/// What `--columns` is given to choose columns by these names; nothing where they are too many or could not be written so.
fn by_names(names: &[&str]) -> Option<String> {
    let is_plain = |name: &&str| {
        !name.is_empty() && !name.contains([',', '"', '\'', '\\']) && escaped(name) == **name
    };
    let names = Some(names).filter(|names| names.len() <= MOST_NAMES && names.iter().all(is_plain));
    names.map(|names| crate::identifiers::quoted_for_shell(&names.join(",")))
}

/// The same by their numbers.
fn by_numbers(columns: &[usize]) -> String {
    let runs = columns.chunk_by(|one, next| one + 1 == *next);
    let parts = runs.flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first}..{last}")],
        run => run.iter().map(usize::to_string).collect(),
    });
    parts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(file: &str, header: &str, wanted: Option<&str>) -> Taken {
        let width = header.split(',').count();
        let table =
            Table::parse(file, format!("{header}\n{}1\n", "1,".repeat(width - 1)).as_bytes());
        let (table, wanted) = (table.unwrap(), wanted.map(|all| all.split(',').map(str::to_owned)));
        let wanted: Option<Vec<String>> = wanted.map(Iterator::collect);
        let columns = match &wanted {
            Some(wanted) => table.columns(wanted).unwrap(),
            None => (0..width).collect(),
        };
        Taken::of(&table, &columns, wanted.as_deref())
    }

    fn refused(first: &str, second: &str, wanted: Option<&str>) -> Option<String> {
        let same = taken("b.csv", second, wanted).expect_same(&taken("a.csv", first, wanted));
        same.err().map(|error| error.to_string())
    }

    #[test]
    fn the_same_names_are_fine_and_others_are_not() {
        for (first, second, wanted) in [
            ("x,y", "x,y", None),
            ("x,y", "1,2", None),
            ("1,2", "x,y", None),
            ("1,2", "3,4", None),
            ("x,x", "x,x", None),
            ("x,y", "y,x", Some("x,y")),
            ("x,y", "y,z,x", Some("x,y")),
            ("x,y", "lat,lon", Some("0,1")),
            ("x,y,z", "c,a,b", Some("0..2")),
        ] {
            assert_eq!(refused(first, second, wanted), None, "{first} and {second}");
        }
        for (first, second, wanted, message) in [
            (
                "x,y",
                "y,x",
                None,
                "b.csv: its columns are y, x, and those of a.csv x, y, so that unlike ones would be compared: choose \
                 them by name, with --columns x,y",
            ),
            ("x,y", "z,x,y", None, "with --columns x,y"),
            ("a b,y", "y,a b", None, "with --columns 'a b,y'"),
            // Between the ends of a range, there may be others.
            ("a,b,c,d", "a,c,b,d", Some("a..d"), "with --columns a,b,c,d"),
            (
                "x,y",
                "lat,lon",
                None,
                "b.csv: its columns are lat, lon, and those of a.csv x, y: give both the same names, or if these belong \
                 together as they stand, choose them by number, with --columns 0,1",
            ),
            ("x,y", "x,Y", None, "with --columns 0,1"),
            ("a,b,c", "d,e,f", None, "with --columns 0..2"),
            ("x,y", "x,x", None, "with --columns 0,1"),
        ] {
            let second_columns = taken("b.csv", second, wanted);
            let second_columns =
                Taken { columns: second_columns.columns[..].to_vec(), ..second_columns };
            let error =
                second_columns.expect_same(&taken("a.csv", first, wanted)).unwrap_err().to_string();
            assert!(error.ends_with(message), "{first} and {second}: {error}");
        }
    }

    #[test]
    fn of_many_columns_the_first_that_differs_is_named() {
        let names: Vec<String> = (0..128).map(|at| format!("f{at}")).collect();
        let mut turned = names.clone();
        turned.swap(70, 71);
        let error = refused(&names.join(","), &turned.join(","), None).unwrap();
        assert_eq!(
            error,
            "b.csv: its columns are f71 in place 70 (counted from 0), and those of a.csv f70 in place 70 (counted from \
             0), so that unlike ones would be compared: choose them by name, with --columns"
        );
        let mut other = names.clone();
        other[3] = "g".into();
        let error = refused(&names.join(","), &other.join(","), None).unwrap();
        assert!(error.ends_with("choose them by number, with --columns 0..127"), "{error}");
    }
}
