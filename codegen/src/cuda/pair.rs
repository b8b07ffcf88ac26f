//! The pair function: the user's body, verbatim, between two `#line`s.
//!
//! The first `#line` makes the compiler's messages about the body name the user's file and line;
//! the second one returns to this text.

use std::fmt::Write as _;

use super::signature;
use crate::model::Kernel;

/// Appends the pair function to `text`, which must hold everything before it: the second `#line`
/// counts the lines.
pub(super) fn write(kernel: &Kernel, text: &mut String) {
    let name = format!("static __device__ __forceinline__ void {}_pair", kernel.plain_name());
    let head = signature::call(&name, &signature::pair(kernel), "");
    let body = &kernel.body;
    // Writing to a String cannot fail.
    let _ =
        write!(text, "{head}\n{{\n#line {} \"{}\"\n{}", body.line, quoted(&body.file), body.text);
    if !body.text.ends_with('\n') {
        text.push('\n');
    }
    let next = text.lines().count() + 2;
    let _ = write!(text, "#line {next} \"{}.cu\"\n}}\n", kernel.plain_name());
}

/// A file name inside a C string, which no character of it can end, nor its line.
fn quoted(file: &str) -> String {
    let file = file.replace('\\', "/").replace('"', "\\\"");
    file.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_file_name_stays_in_its_string() {
        assert_eq!(quoted("src\\a \"b\".rs"), "src/a \\\"b\\\".rs");
        assert_eq!(quoted("a\n}\r\0.rs"), "a?}??.rs");
    }
}
