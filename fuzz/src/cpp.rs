//! A second reader of C++, to compare the code generator's scanner with: it follows the phases of
//! translation one after another, and knows nothing of the scanner.
//!
//! Compilers differ in what a line is, and which branches of `#if` they take depends on macros that
//! a body does not show. So a body is read in each of these ways, and has to stay in its function
//! in all of them.

mod lexer;
mod macros;
mod worlds;

/// In what compilers differ.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// g++ and clang join lines also where spaces follow the backslash; NVRTC does not.
    pub spaced_splices: bool,
    /// g++ and clang end a line at a carriage return by itself; for NVRTC it is a space.
    pub returns_end_lines: bool,
    /// g++ ends a raw string with the line of a directive.
    pub directives_end_raws: bool,
}

/// Follows the body in the text that is read, as in a kernel.
const END: &str = "#line 4294967 \"end\"\n}\n";

/// How `body` can leave the function that it stands in, or change what follows it; `None` where it
/// cannot. What it includes is taken to be empty.
pub fn leaves(body: &str) -> Option<String> {
    let end_of_line = if body.ends_with('\n') { "" } else { "\n" };
    let text = format!("{body}{end_of_line}{END}");
    (0..8).find_map(|bits| {
        let reading = Reading {
            spaced_splices: bits & 1 != 0,
            returns_end_lines: bits & 2 != 0,
            directives_end_raws: bits & 4 != 0,
        };
        let way = match lexer::lines(&text, reading) {
            Ok(lines) => worlds::leave(&lines),
            Err(unclosed) => Some(format!("has a {unclosed} that is not closed")),
        };
        way.map(|way| format!("{way} ({reading:?})"))
    })
}

/// Whether the braces of preprocessed text are one block, from the first to the last of its tokens.
pub fn is_one_block(text: &str) -> bool {
    let reading =
        Reading { spaced_splices: true, returns_end_lines: true, directives_end_raws: false };
    let Ok(lines) = lexer::lines(text, reading) else { return false };
    let tokens: Vec<&str> = lines.iter().flatten().map(String::as_str).collect();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "{" | "<%" => depth += 1,
            "}" | "%>" => depth = depth.saturating_sub(1),
            _ => {}
        }
        // It is closed at the last token, and not before.
        if (depth == 0) != (at + 1 == tokens.len()) {
            return false;
        }
    }
    !tokens.is_empty()
}
