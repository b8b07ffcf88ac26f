//! Numbers and cells as people read them.

use crate::figures::Spread;

/// 30720 as 30,720.
pub(super) fn thousands(number: u64) -> String {
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
pub(super) fn three_digits(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => thousands(number.round() as u64),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 1.0 => format!("{number:.2}"),
        size if size >= 0.1 => format!("{number:.3}"),
        _ => format!("{number:.4}"),
    }
}

/// A median, and from where to where half of the rounds go.
pub(super) fn spread(Spread { median, low, high }: Spread) -> String {
    let text = |number| three_digits(number);
    format!("{} ({}..{})", text(median), text(low), text(high))
}

/// A name of the file's as people write it: `ltm_thread_rsqrt` is `ltm thread rsqrt`.
pub(super) fn choice(name: &str) -> String {
    name.replace('_', " ")
}

/// A work's name in headings.
pub(super) fn work(name: &str) -> &str {
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

/// A table of Markdown: words to the left, numbers to the right.
pub(super) fn table(headings: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let is_word = |cell: &String| cell.starts_with(char::is_alphabetic);
    let rule = |column: usize| {
        let words = column == 0 || rows.iter().any(|row| row.get(column).is_some_and(is_word));
        if words { "---" } else { "---:" }.to_owned()
    };
    let mut text = line(headings);
    text += &line(&(0..headings.len()).map(rule).collect::<Vec<_>>());
    for row in rows {
        // A bar in an error's text would begin another column.
        text += &line(&row.iter().map(|cell| cell.replace('|', "/")).collect::<Vec<_>>());
    }
    text
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
        let text = table(&["a".into(), "b".into()], &[vec!["x | y".into(), "1".into()]]);
        assert_eq!(text, "| a | b |\n| --- | ---: |\n| x / y | 1 |\n");
    }
}
