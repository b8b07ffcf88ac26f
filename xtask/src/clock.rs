//! How long something took: by the clock, and of processors' time, which tells more on a machine that does other things too.

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

/// Seconds by the clock, and those that processors worked for the programs, where the system tells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spent {
    pub(crate) passed: Duration,
    pub(crate) worked: Option<Duration>,
}

impl Spent {
    /// Both together.
    pub(crate) fn and(self, other: Spent) -> Spent {
        let worked = self.worked.zip(other.worked).map(|(one, other)| one + other);
        Spent { passed: self.passed + other.passed, worked }
    }
}

/// As two columns of a table.
impl fmt::Display for Spent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:7.1}", self.passed.as_secs_f64())?;
        match self.worked {
            Some(worked) => write!(formatter, "  {:7.1}", worked.as_secs_f64()),
            None => write!(formatter, "        -"),
        }
    }
}

/// What stands above these columns.
pub(crate) const COLUMNS: &str = "seconds  of CPUs";

/// Counts from when it is made.
pub(crate) struct Clock {
    /// The process whose programs are counted.
    process: Option<u32>,
    start: Instant,
    worked: Option<Duration>,
}

impl Clock {
    /// Counts the programs that this process has started and waited for, and theirs.
    pub(crate) fn start() -> Clock {
        Clock::of(None)
    }

    /// Counts the programs of another process.
    pub(crate) fn of_process(process: u32) -> Clock {
        Clock::of(Some(process))
    }

    fn of(process: Option<u32>) -> Clock {
        Clock { process, start: Instant::now(), worked: worked_for(process) }
    }

    /// What was spent until now.
    pub(crate) fn spent(&self) -> Spent {
        let worked = self.worked.zip(worked_for(self.process));
        let worked = worked.map(|(before, now)| now.saturating_sub(before));
        Spent { passed: self.start.elapsed(), worked }
    }

    /// What was spent until now, and counts anew.
    pub(crate) fn lap(&mut self) -> Spent {
        let next = Clock::of(self.process);
        let worked = self.worked.zip(next.worked);
        let worked = worked.map(|(before, now)| now.saturating_sub(before));
        let passed = next.start.duration_since(self.start);
        *self = next;
        Spent { passed, worked }
    }
}

/// What processors have worked for the ended programs of a process, or of this one. Linux tells.
fn worked_for(process: Option<u32>) -> Option<Duration> {
    let process = process.map_or_else(|| "self".to_owned(), |process| process.to_string());
    in_status(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

/// The time of ended programs, in a process's line of numbers: in hundredths of seconds, as Linux counts for programs.
fn in_status(line: &str) -> Option<Duration> {
    // The process's name comes second, in parentheses, and may have spaces. After it, these are the 14th and the 15th.
    let (_, numbers) = line.rsplit_once(')')?;
    let mut numbers = numbers.split_whitespace().skip(13).map(str::parse::<u64>);
    let (user, system) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(Duration::from_millis(10 * (user + system)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_ended_programs_is_read() {
        let line = "812 (a (b) c) S 1 812 812 0 -1 4194560 9 8 7 6 500 400 12345 55 20 0 1 0";
        assert_eq!(in_status(line), Some(Duration::from_millis(124_000)));
        for other in ["", "812 (a) S 1", "812 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 x y"] {
            assert_eq!(in_status(other), None, "{other}");
        }
    }

    #[test]
    fn times_are_added_up_where_both_are_known() {
        let of = |passed, worked: Option<u64>| Spent {
            passed: Duration::from_secs(passed),
            worked: worked.map(Duration::from_secs),
        };
        assert_eq!(of(1, Some(2)).and(of(3, Some(4))), of(4, Some(6)));
        assert_eq!(of(1, Some(2)).and(of(3, None)), of(4, None));
        assert_eq!(of(90, Some(2)).to_string(), "   90.0      2.0");
        assert_eq!(of(90, None).to_string(), "   90.0        -");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_that_has_ended_is_counted() {
        let mut clock = Clock::start();
        let counts = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done";
        let status = std::process::Command::new("sh").args(["-c", counts]).status().unwrap();
        assert!(status.success());
        let spent = clock.lap();
        assert!(spent.worked.is_some_and(|worked| worked > Duration::ZERO), "{spent:?}");
        assert!(clock.spent().passed < spent.passed);
        assert!(Clock::of_process(std::process::id()).spent().worked.is_some());
    }
}
