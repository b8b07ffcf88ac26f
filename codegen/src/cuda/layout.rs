//! Lays out a filled template: indentation, long lines, braces and blank lines.
//!
//! So a template can be indented as it reads best, its loops and conditions among the kernel's own, and a part of it
//! can stand at any depth. What a template marks:
//!
//! - `¶` is where a line may be broken. It is broken, at all of them, where it would be longer than [`WIDTH`].
//! - `{~` and `~}` are braces that a single line does not need. Around no line, what they are around goes too.
//! - A line of nothing but [`NOTHING`], which stands for an empty value, is none.

/// The most characters of a line.
const WIDTH: usize = 110;

/// Stands for an empty value. A line of it alone is left out, while a line of spaces is a blank line.
pub(super) const NOTHING: &str = "\u{0}";

/// Where a line may be broken.
const BREAK: char = '¶';

/// Between parameters: where a long line may be broken.
pub(super) const SEPARATOR: &str = ",¶";

/// The text, laid out.
pub(super) fn laid_out(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !is_nothing(line));
    let cleaned: Vec<String> = lines.map(|line| line.replace(NOTHING, "")).collect();
    indented(&braced(&cleaned))
}

fn is_nothing(line: &str) -> bool {
    line.contains(NOTHING) && line.replace(NOTHING, "").trim().is_empty()
}

/// The lines, with braces only where they are needed.
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
                // The `#pragma unroll` of the loop that is left out.
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

/// The lines, each indented by its depth among braces.
fn indented(lines: &[String]) -> String {
    let mut text = String::new();
    // The depths of the lines that have opened a brace.
    let mut open: Vec<usize> = Vec::new();
    // How many conditions or loops without braces the next line is in.
    let mut pending = 0;
    for line in lines {
        let (code, ends_block) = (code(line), line.starts_with('}'));
        if line.is_empty() {
            // One blank line is enough, and none at a brace.
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

/// Appends the line, broken where it is too long.
fn push(text: &mut String, line: &str, depth: usize) {
    let indent = "    ".repeat(depth);
    let flat = line.replace(",¶", ", ").replace(BREAK, "");
    if !line.contains(BREAK) || indent.len() + flat.trim_end_matches(';').len() <= WIDTH {
        text.push_str(&indent);
        text.push_str(&flat);
    } else {
        text.push_str(&indent);
        // A space after a mark stands between two words of an unbroken line.
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
    let starts = ["if (", "for (", "else"].iter().any(|word| code.starts_with(word));
    starts && !code.ends_with(';')
}

#[cfg(test)]
mod tests {
    use super::laid_out;

    #[test]
    fn lines_are_as_far_in_as_they_are_among_braces() {
        let text = "f()\n{\nfor (;;)\n#pragma unroll\nif (a) {\nb;\nc;\n}\nd;\nif (a)\nreturn; // for { nothing\n\n\nelse {\n\ne;\n\n}\n}\n";
        let expected = "f()\n{\n    for (;;)\n#pragma unroll\n        if (a) {\n            b;\n            c;\n        }\n    d;\n    if (a)\n        return; // for { nothing\n\n    else {\n        e;\n    }\n}\n";
        assert_eq!(laid_out(text), expected);
    }

    #[test]
    fn a_single_line_needs_no_braces() {
        assert_eq!(laid_out("if (a) {~\nb;\n~}\n"), "if (a)\n    b;\n");
        assert_eq!(laid_out("if (a) {~\nb;\n\nc;\n~}\n"), "if (a) {\n    b;\n\n    c;\n}\n");
        assert_eq!(laid_out("#pragma unroll\nif (a) {~\n\0\n~}\nd;\n"), "d;\n");
        assert_eq!(laid_out("if (a)\n{~\nb;\nc;\n~}\n"), "if (a) {\n    b;\n    c;\n}\n");
    }

    #[test]
    fn long_lines_are_broken_at_every_mark() {
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
