//! Lays out a filled template: indentation, long lines, braces and blank lines.
//!
//! So a template can be indented for reading, and a part of it can be used at any depth. A template marks:
//!
//! - `¶`: a possible line break. If the line would be longer than [`WIDTH`], it breaks at all of them.
//! - `{~` and `~}`: braces that a single line does not need. Without content, the statement before them is removed too.
//! - [`NOTHING`], for an empty value: a line with nothing else is removed.

/// The maximum length of a line, in characters.
const WIDTH: usize = 110;

/// Stands for an empty value. A line with only this is removed, while a line of spaces is a blank line.
pub(super) const NOTHING: &str = "\u{0}";

/// A possible line break.
const BREAK: char = '¶';

/// Between parameters: a long line may break here.
pub(super) const SEPARATOR: &str = ",¶";

/// Lays out the source.
pub(super) fn laid_out(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !is_nothing(line));
    let cleaned: Vec<String> = lines.map(|line| line.replace(NOTHING, "")).collect();
    indented(&braced(&cleaned))
}

fn is_nothing(line: &str) -> bool {
    line.contains(NOTHING) && line.replace(NOTHING, "").trim().is_empty()
}

/// Removes braces that are not needed.
fn braced(lines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    // The indices in `out` of the lines after each `{~`.
    let mut open: Vec<usize> = Vec::new();
    for line in lines {
        if let Some(head) = line.strip_suffix("{~") {
            // `{~` alone on a line belongs to the line before it.
            if !head.is_empty() {
                out.push(head.trim_end().to_owned());
            }
            open.push(out.len());
            continue;
        }
        if line != "~}" {
            out.push(line.clone());
            continue;
        }
        let Some(begin) = open.pop() else { continue };
        match out[begin..].iter().filter(|line| !line.is_empty()).count() {
            0 => {
                out.truncate(begin - 1);
                // The `#pragma unroll` of the removed loop.
                if out.last().is_some_and(|line| line.starts_with('#')) {
                    out.pop();
                }
            }
            1 => {}
            _ => {
                out[begin - 1].push_str(" {");
                out.push("}".to_owned());
            }
        }
    }
    out
}

/// Indents each line by its depth among braces.
fn indented(lines: &[String]) -> String {
    let mut text = String::new();
    // The depths of the lines that opened a brace.
    let mut open: Vec<usize> = Vec::new();
    // The number of conditions or loops without braces around the next line.
    let mut pending = 0;
    for line in lines {
        let (code, ends_block) = (code(line), line.starts_with('}'));
        if line.is_empty() {
            // At most one blank line, and none at a brace.
            if !text.ends_with("\n\n") && !text.ends_with("{\n") && !text.is_empty() {
                text.push('\n');
            }
            continue;
        }
        if ends_block && text.ends_with("\n\n") {
            text.pop();
        }
        if line.starts_with('#') {
            text.push_str(line);
            text.push('\n');
            continue;
        }
        let depth = match ends_block {
            true => open.pop().unwrap_or(0),
            false => open.last().map_or(0, |depth| depth + 1) + pending,
        };
        push(&mut text, line, depth);
        if code.is_empty() {
            continue;
        }
        if code.ends_with('{') {
            open.push(depth);
            pending = 0;
        } else if is_head(code) {
            pending += 1;
        } else {
            pending = 0;
        }
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// Appends the line, broken if it is too long.
fn push(text: &mut String, line: &str, depth: usize) {
    let indent = "    ".repeat(depth);
    let flat = line.replace(",¶", ", ").replace(BREAK, "");
    if !line.contains(BREAK) || indent.len() + flat.trim_end_matches(';').len() <= WIDTH {
        text.push_str(&indent);
        text.push_str(&flat);
    } else {
        text.push_str(&indent);
        // A space after a mark separates two words of an unbroken line.
        let line = line.replace("¶ ", "¶");
        text.push_str(&line.replace(BREAK, &format!("\n{indent}    ")));
    }
    text.push('\n');
}

/// The line without its comment.
fn code(line: &str) -> &str {
    line.find("//").map_or(line, |at| &line[..at]).trim_end()
}

/// Whether the next line belongs to this one: a loop or a condition without a brace.
fn is_head(code: &str) -> bool {
    let code = code.strip_prefix("} ").unwrap_or(code);
    let starts = ["if (", "for (", "while (", "else"].iter().any(|word| code.starts_with(word));
    starts && !code.ends_with(';')
}

#[cfg(test)]
mod tests {
    use super::laid_out;

    #[test]
    fn lines_are_indented_by_braces() {
        let text = "f()\n{\nfor (;;)\n#pragma unroll\nif (a) {\nb;\nc;\n}\nd;\nif (a)\nreturn; // for { nothing\n\n\nelse {\n\ne;\n\n}\n}\n";
        let expected = "f()\n{\n    for (;;)\n#pragma unroll\n        if (a) {\n            b;\n            c;\n        }\n    d;\n    if (a)\n        return; // for { nothing\n\n    else {\n        e;\n    }\n}\n";
        assert_eq!(laid_out(text), expected);
    }

    #[test]
    fn single_line_drops_braces() {
        assert_eq!(laid_out("if (a) {~\nb;\n~}\n"), "if (a)\n    b;\n");
        assert_eq!(laid_out("if (a) {~\nb;\n\nc;\n~}\n"), "if (a) {\n    b;\n\n    c;\n}\n");
        assert_eq!(laid_out("#pragma unroll\nif (a) {~\n\0\n~}\nd;\n"), "d;\n");
        assert_eq!(laid_out("if (a)\n{~\nb;\nc;\n~}\n"), "if (a) {\n    b;\n    c;\n}\n");
    }

    #[test]
    fn long_lines_break_at_marks() {
        assert_eq!(laid_out("f(¶a,¶b);\n"), "f(a, b);\n");
        let (a, b) = ("a".repeat(60), "b".repeat(60));
        assert_eq!(
            laid_out(&format!("{{\nf(¶{a},¶{b});\n}}\n")),
            format!("{{\n    f(\n        {a},\n        {b});\n}}\n")
        );
        assert_eq!(laid_out("if (a &&¶ b)\nc;\n"), "if (a && b)\n    c;\n");
        assert_eq!(
            laid_out(&format!("if ({a} &&¶ {b})\nc;\n")),
            format!("if ({a} &&\n    {b})\n    c;\n")
        );
    }
}
