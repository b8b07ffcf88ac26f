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

/// A table of Markdown: words to the left, numbers to the right.
pub(crate) fn table<H: AsRef<str>>(headings: &[H], rows: &[Vec<String>]) -> String {
    let headings: Vec<String> = headings.iter().map(|heading| heading.as_ref().into()).collect();
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let is_word = |cell: &String| cell.starts_with(char::is_alphabetic);
    let rule = |column: usize| {
        let words = column == 0 || rows.iter().any(|row| row.get(column).is_some_and(is_word));
        if words { "---" } else { "---:" }.to_owned()
    };
    let mut text = line(&headings);
    text += &line(&(0..headings.len()).map(rule).collect::<Vec<_>>());
    for row in rows {
        // A bar in an error's text would begin another column.
        text += &line(&row.iter().map(|cell| cell.replace('|', "/")).collect::<Vec<_>>());
    }
    text
}

/// A text whose tables have their cells below each other, for a terminal.
pub(crate) fn aligned(text: &str) -> String {
    let cells = |line: &str| -> Vec<String> {
        line.trim_start_matches("| ")
            .trim_end_matches(" |")
            .split(" | ")
            .map(str::to_owned)
            .collect()
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut aligned = String::new();
    for part in lines.chunk_by(|a, b| a.starts_with('|') == b.starts_with('|')) {
        if !part[0].starts_with('|') {
            part.iter().for_each(|line| aligned += &format!("{line}\n"));
            continue;
        }
        let rows: Vec<Vec<String>> = part.iter().map(|line| cells(line)).collect();
        let is_number: Vec<bool> = rows[1].iter().map(|rule| rule.ends_with(':')).collect();
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..is_number.len()).map(width).collect();
        for row in rows.iter().enumerate().filter(|(place, _)| *place != 1).map(|(_, row)| row) {
            let line: String = row
                .iter()
                .zip(&widths)
                .zip(&is_number)
                .map(|((cell, width), is_number)| match is_number {
                    true => format!("{cell:>width$}  "),
                    false => format!("{cell:<width$}  "),
                })
                .collect();
            aligned += &format!("{}\n", line.trim_end());
        }
    }
    aligned
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
    fn a_table_has_a_rule_and_no_bars_of_others() {
        let text = table(&["a", "b"], &[vec!["x | y".into(), "1".into()]]);
        assert_eq!(text, "| a | b |\n| --- | ---: |\n| x / y | 1 |\n");
        let rows = [vec!["long".into(), "1.5".into()], vec![String::new(), "20.5".into()]];
        let text = format!("before\n\n{}", table(&["a", "b"], &rows));
        assert_eq!(aligned(&text), "before\n\na        b\nlong   1.5\n      20.5\n");
    }
}
