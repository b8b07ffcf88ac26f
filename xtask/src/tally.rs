//! How many tests have passed, from what the test harness prints: `cargo test` runs many programs, each with a result of its
//! own, and says nothing in the end.

use std::fmt;
use std::io::{self, Read, Write};
use std::time::Duration;

use crate::programs::Program;

/// The sums of all results.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    passed: u64,
    ignored: u64,
    /// How long each program took, and to build them.
    pub(crate) programs: Vec<Program>,
}

impl Tally {
    /// Hands everything on, as it comes, and adds up the results in it.
    pub(crate) fn follow(
        &mut self,
        mut output: impl Read,
        mut shown: impl Write,
    ) -> io::Result<()> {
        let mut piece = [0; 4096];
        let mut line = Vec::new();
        loop {
            let length = match output.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            // A reader who has gone away does not end the tests.
            let _ = shown.write_all(&piece[..length]).and_then(|()| shown.flush());
            for &byte in &piece[..length] {
                match byte {
                    b'\n' => self.add(&String::from_utf8_lossy(&std::mem::take(&mut line))),
                    _ => line.push(byte),
                }
            }
        }
        Ok(())
    }

    /// Adds a line such as `test result: ok. 12 passed; 0 failed; 1 ignored; …`, and no other.
    fn add(&mut self, line: &str) {
        let Some((_, result)) = line.split_once("test result: ") else { return };
        let counts = result.split_once(". ").map_or(result, |(_, counts)| counts);
        for count in counts.split("; ") {
            let Some((number, word)) = count.split_once(' ') else { continue };
            let number = number.parse::<u64>().unwrap_or_default();
            match word {
                "passed" => self.passed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }

    /// Adds what another call has run.
    pub(crate) fn and(&mut self, other: Tally) {
        let Tally { passed, ignored, programs } = other;
        self.passed += passed;
        self.ignored += ignored;
        self.programs.extend(programs);
    }

    /// The last line of a task whose commands have all succeeded.
    pub(crate) fn text(&self, duration: Duration) -> String {
        if self.passed == 0 {
            return "no test has run".to_owned();
        }
        let seconds = duration.as_secs();
        let time = match seconds / 60 {
            0 => format!("{seconds} s"),
            minutes => format!("{minutes} min {} s", seconds % 60),
        };
        format!("all passed: {self}, in {time}")
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} test{}", self.passed, if self.passed == 1 { "" } else { "s" })?;
        match self.ignored {
            0 => Ok(()),
            ignored => write!(formatter, " ({ignored} ignored)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_programs_are_added_up() {
        let output = "running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.02s\n\
            test a ... test result: ok. 40 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.50s\n\
            7 passed\nthe end";
        let mut tally = Tally::default();
        tally.follow(output.as_bytes(), io::sink()).unwrap();
        assert_eq!(tally, Tally { passed: 42, ignored: 1, programs: Vec::new() });
        let text = tally.text(Duration::from_secs(391));
        assert_eq!(text, "all passed: 42 tests (1 ignored), in 6 min 31 s");
    }

    #[test]
    fn what_ran_nothing_does_not_say_that_all_passed() {
        assert_eq!(Tally::default().text(Duration::from_secs(9)), "no test has run");
        let one = Tally { passed: 1, ..Tally::default() };
        assert_eq!(one.text(Duration::from_secs(9)), "all passed: 1 test, in 9 s");
    }
}
