//! The numbers in the cells of a table.

/// What a cell has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    Number(f64),
    Missing,
    /// A number that cannot be told or held, with the reason.
    Unclear(&'static str),
    Text,
}

impl Cell {
    /// The number, or what is wrong with the cell.
    pub(crate) fn number(self) -> Result<f64, &'static str> {
        match self {
            Cell::Number(number) => Ok(number),
            Cell::Missing => Err("is not a number: leave such rows out with --skip-missing"),
            Cell::Unclear(problem) => Err(problem),
            Cell::Text => Err("is not a number, such as 5.1 or -2e-3"),
        }
    }
}

/// What a comma in a number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comma {
    /// It begins the decimals, and a point does not.
    Decimal,
    /// It may begin decimals or separate thousands.
    Unclear,
    /// There is none.
    Unused,
}

impl Comma {
    /// The meaning in the numbers among these cells. Between semicolons, and with another number of digits behind it than three,
    /// a comma begins decimals.
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a str>, delimiter: char) -> Comma {
        let mut meaning = Comma::Unused;
        let begins = |c: char| c.is_ascii_digit() || "+-,".contains(c);
        let numbers = cells.filter(|cell| cell.starts_with(begins));
        for (_, decimals) in numbers.filter_map(|cell| cell.split_once(',')) {
            if delimiter != ',' && (delimiter == ';' || decimals.len() != 3) {
                return Comma::Decimal;
            }
            meaning = Comma::Unclear;
        }
        meaning
    }
}

/// Reads a cell.
pub(crate) fn read(cell: &str, comma: Comma) -> Cell {
    const MISSING: [&str; 13] =
        ["", "?", ".", "-", "--", "na", "n/a", "#n/a", "<na>", "nan", "nat", "null", "none"];
    let is_plain = |byte: u8| byte.is_ascii_digit() || byte == b'-' || byte == b'.';
    if comma != Comma::Decimal && (1..16).contains(&cell.len()) && cell.bytes().all(is_plain) {
        // Most cells, quickly.
        if let Ok(number) = cell.parse() {
            return Cell::Number(number);
        }
    }
    if MISSING.contains(&cell.to_lowercase().as_str()) {
        return Cell::Missing;
    }
    let Some(plain) = without_thousands(&cell.replace('\u{2212}', "-")) else { return Cell::Text };
    let is_decimal = comma == Comma::Decimal && plain.matches(',').count() == 1;
    match plain.replace(',', if is_decimal { "." } else { "" }).parse::<f64>() {
        Err(_) => Cell::Text,
        Ok(_) if comma == Comma::Decimal && plain.contains('.') => {
            Cell::Unclear("has a point, and other cells have decimal commas: write one of both")
        }
        Ok(_) if plain.contains(',') && !is_decimal => Cell::Unclear(
            "has a comma, which may begin decimals or separate thousands: write a point, or nothing",
        ),
        Ok(number) if !number.is_finite() => Cell::Unclear("is not a finite number"),
        Ok(_) if is_inexact(&plain) => Cell::Unclear(
            "has more digits than a double, so it would become another number: choose other columns with --columns",
        ),
        Ok(number) => Cell::Number(number),
    }
}

/// A number without the spaces or apostrophes between its groups of three digits. `None` if they are elsewhere.
fn without_thousands(cell: &str) -> Option<String> {
    let (whole, decimals) = cell.split_at(cell.find(['.', ',']).unwrap_or(cell.len()));
    let groups: Vec<&str> = whole.split([' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'']).collect();
    let is_right = groups.len() == 1
        || (1..=3).contains(&groups[0].trim_start_matches(['-', '+']).len())
            && groups[1..].iter().all(|group| group.len() == 3);
    is_right.then(|| groups.concat() + decimals)
}

/// Whether a number is an integer that a double cannot hold.
fn is_inexact(number: &str) -> bool {
    let is_integer = number.trim_start_matches(['-', '+']).bytes().all(|it| it.is_ascii_digit());
    is_integer && number.parse::<i128>().map_or(true, |integer| integer as f64 as i128 != integer)
}

/// Whether numbers in the first row are names of columns: indices from 0 or 1 above numbers with decimals, or years above other
/// numbers.
pub(crate) fn are_names(first: &[f64], mut below: impl Iterator<Item = f64>) -> bool {
    let is_year = |number: &f64| number.fract() == 0.0 && (1000.0..3000.0).contains(number);
    let mut steps = first.windows(2).map(|pair| pair[1] - pair[0]);
    first.len() > 1
        && if first.iter().all(is_year) {
            steps.all(|step| step > 0.0) && !below.any(|it| is_year(&it))
        } else {
            [0.0, 1.0].contains(&first[0])
                && steps.all(|step| step == 1.0)
                && below.any(|it| it.fract() != 0.0)
        }
}
