//! The C++ expression of a fold's start value.

use crate::cuda_type::{self, CudaType};
use crate::scan::{self, Listed};

/// Checks that the string is one expression; for a vector, as many numbers in braces as it has members, or a call. Errors say
/// what is wrong and what to write instead.
pub(super) fn check(text: &str, cuda: &CudaType) -> Result<(), String> {
    let shown = text.trim();
    if shown.is_empty() {
        return Err("this start value is empty: write `start = \"INFINITY\"`, or `#[fold]` alone, which starts at zero".into());
    }
    for part in [";", "#", "//", "/*", "\n"] {
        if text.contains(part) {
            let part = if part == "\n" { "a line break" } else { &format!("`{part}`") };
            return Err(format!(
                "a fold starts at one expression, which cannot contain {part}: remove it"
            ));
        }
    }
    let scan = scan::read(text, 1);
    if let Some(problem) = scan.problems.first() {
        return Err(problem.message.clone());
    }
    let listed = scan.listed();
    let Some((_, count)) = cuda_type::parts(cuda) else {
        return match listed {
            Listed::Several(_) | Listed::InBraces(2..) => Err(format!(
                "a fold of one number starts at one expression, but `{shown}` is a list: write one expression"
            )),
            _ => Ok(()),
        };
    };
    let members = match listed {
        Listed::InBraces(found) if found == count => return Ok(()),
        // A call, which returns a vector.
        Listed::Call => return Ok(()),
        Listed::Several(found) if found == count => {
            shown.trim_start_matches('(').trim_end_matches(')').to_owned()
        }
        Listed::One => vec![shown; count].join(", "),
        _ => vec!["1"; count].join(", "),
    };
    Err(format!(
        "a fold of {count} numbers starts at {count} expressions in braces: write `start = \"{{{members}}}\"`"
    ))
}
