//! Printing. `println!` panics when the reader has gone away (`cargo xtask ci | head`), which should not end a task
//! with a panic. But the test harness captures only what `println!` prints.

use std::io::{self, Write};

/// Prints a line to standard output.
pub(crate) fn say(line: &str) {
    if cfg!(test) {
        println!("{line}");
    } else {
        let _ = writeln!(io::stdout(), "{line}");
    }
}

/// Prints a line to standard error.
pub(crate) fn complain(line: &str) {
    if cfg!(test) {
        eprintln!("{line}");
    } else {
        let _ = writeln!(io::stderr(), "{line}");
    }
}
