//! How many of the combinations of maps, sweeps, sizes and types the tests try.

use std::process::Command;

use crate::workspace::{BENCH, TESTS_PACKAGE};

/// What the tests try.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Tried {
    /// Few combinations, in which all that can be wrong by itself occurs: what each change must pass.
    Few,
    /// Every combination that a test does not exclude: what a release must pass, and a change of the templates.
    Every,
}

impl Tried {
    pub(crate) fn new(every: bool) -> Tried {
        if every { Tried::Every } else { Tried::Few }
    }

    /// Makes a call of cargo build the tests for it.
    pub(crate) fn give_to(self, command: &mut Command) {
        self.give_to_those(command, |_| true);
    }

    /// The same of a call for some packages: cargo knows no features of others.
    pub(crate) fn give_to_those(self, command: &mut Command, is_built: impl Fn(&str) -> bool) {
        if self == Tried::Every {
            for package in [TESTS_PACKAGE, BENCH].into_iter().filter(|package| is_built(package)) {
                command.args(["--features", &format!("{package}/every")]);
            }
        }
    }
}
