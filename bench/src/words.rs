//! Numbers and cells as people read them.

use crate::measure::times::Spread;

/// 30720 as 30,720.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// With three digits that count.
pub(crate) fn three_digits(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => thousands(number.round() as u64),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 1.0 => format!("{number:.2}"),
        size if size >= 0.1 => format!("{number:.3}"),
        _ => format!("{number:.4}"),
    }
}

/// A median, and from where to where half of the rounds go.
pub(crate) fn spread(Spread { median, low, high }: Spread) -> String {
    let text = |number| three_digits(number);
    format!("{} ({}..{})", text(median), text(low), text(high))
}

/// A name of the file's as people write it: `ltm_thread_rsqrt` is `ltm thread rsqrt`.
pub(crate) fn choice(name: &str) -> String {
    name.replace('_', " ")
}

/// A work of the papers as headings have it.
pub(crate) fn work(name: &str) -> &str {
    match name {
        "dummy" => "Dummy",
        "edm-1" => "EDM, 1 feature",
        "edm-2" => "EDM, 2 features",
        "edm-3" => "EDM, 3 features",
        "edm-4" => "EDM, 4 features",
        "collision-1d" => "Collision, 1D",
        "collision-3d" => "Collision, 3D",
        other => other,
    }
}

/// What an error says, without what to do about it.
pub(crate) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A table of Markdown, whose cells stand below each other in a terminal too: words to the left, numbers to the right.
pub(crate) fn table<H: AsRef<str>>(headings: &[H], rows: &[Vec<String>]) -> String {
    let headings: Vec<&str> = headings.iter().map(AsRef::as_ref).collect();
    // A bar in an error's text would begin another column.
    let clean = |cell: &&str| cell.replace('|', "/");
    let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect());
    let rows: Vec<Vec<String>> = std::iter::once(headings)
        .chain(rows)
        .map(|row: Vec<&str>| row.iter().map(clean).collect())
        .collect();
    let mut lines = vec![String::from("|"); rows.len() + 1];
    for column in 0..rows[0].len() {
        let cell = |row: &Vec<String>| row.get(column).cloned().unwrap_or_default();
        let width = rows.iter().map(|row| cell(row).chars().count()).fold(3, usize::max);
        let is_word = |row| cell(row).starts_with(char::is_alphabetic);
        let words = column == 0 || rows[1..].iter().any(is_word);
        let rule = "-".repeat(width - usize::from(!words)) + if words { "" } else { ":" };
        let cells = std::iter::once(cell(&rows[0])).chain([rule]).chain(rows[1..].iter().map(cell));
        for (line, cell) in lines.iter_mut().zip(cells) {
            *line +=
                &if words { format!(" {cell:<width$} |") } else { format!(" {cell:>width$} |") };
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(999), "999");
        let texts = [1234.5, 12.34, 1.234, 0.1234, 0.0123].map(three_digits);
        assert_eq!(texts, ["1,235", "12.3", "1.23", "0.123", "0.0123"]);
    }

    #[test]
    fn cells_stand_below_each_other_and_have_no_bars() {
        let rows = [vec!["x | y".into(), "1.5".into()], vec![String::new(), "20.5".into()]];
        let lines =
            ["| a     |    b |", "| ----- | ---: |", "| x / y |  1.5 |", "|       | 20.5 |"];
        assert_eq!(table(&["a", "b"], &rows), lines.join("\n") + "\n");
    }
}
