//! How long each program of `cargo test` takes, from what cargo says when it starts one.

use std::io::{self, Read, Write};
use std::process::ChildStderr;

use crate::clock::{COLUMNS, Clock, Spent};

/// What `cargo test` did before the first program.
const BUILD: &str = "(building)";

/// How many are named in a table; of the rest there is a sum.
const NAMED: usize = 25;

/// A program, and how long it took.
#[derive(Debug, PartialEq)]
pub(crate) struct Program {
    name: String,
    spent: Spent,
}

/// The programs of a call of cargo.
pub(crate) struct Programs {
    clock: Clock,
    name: String,
    ended: Vec<Program>,
}

impl Programs {
    /// Those that the process of this call starts.
    pub(crate) fn of(process: u32) -> Programs {
        Programs { clock: Clock::of_process(process), name: BUILD.into(), ended: Vec::new() }
    }

    /// Hands on what cargo says, as it comes, until it ends. So this has to be the only reader, and the process may be waited
    /// for afterwards only: until then the system knows its times.
    pub(crate) fn follow(
        mut self,
        told: Option<ChildStderr>,
        mut shown: impl Write,
    ) -> io::Result<Vec<Program>> {
        let mut line = Vec::new();
        let mut piece = [0; 4096];
        let mut told = told;
        while let Some(told) = &mut told {
            let length = match told.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            // A reader who has gone away does not end the tests.
            let _ = shown.write_all(&piece[..length]).and_then(|()| shown.flush());
            for &byte in &piece[..length] {
                match byte {
                    b'\n' => self.hear(&String::from_utf8_lossy(&std::mem::take(&mut line))),
                    _ => line.push(byte),
                }
            }
        }
        self.next(String::new());
        Ok(self.ended)
    }

    fn hear(&mut self, line: &str) {
        if let Some(name) = started(line) {
            self.next(name);
        }
    }

    /// One has ended, and the next one begins.
    fn next(&mut self, name: String) {
        let name = std::mem::replace(&mut self.name, name);
        self.ended.push(Program { name, spent: self.clock.lap() });
    }
}

/// The name of a program that cargo says it starts now.
fn started(line: &str) -> Option<String> {
    let plain = without_colors(line);
    let mut words = plain.split_whitespace();
    match words.next()? {
        "Doc-tests" => Some(format!("doc tests of {}", words.next()?)),
        // `Running tests/kernels/main.rs (target/debug/deps/kernels-1b…)`: the file's name without its hash.
        "Running" => {
            let path = words.next_back()?.strip_prefix('(')?.strip_suffix(')')?;
            let file = path.rsplit(['/', '\\']).next()?;
            Some(file.rsplit_once('-').map_or(file, |(name, _)| name).to_owned())
        }
        _ => None,
    }
}

fn without_colors(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// The programs that took longest, by the time of processors where it is known.
pub(crate) fn table(programs: &[Program]) -> String {
    let mut programs: Vec<_> = programs.iter().collect();
    programs.sort_by_key(|program| {
        std::cmp::Reverse((program.spent.worked.unwrap_or_default(), program.spent.passed))
    });
    let (named, others) = programs.split_at(NAMED.min(programs.len()));
    let rest = others.iter().map(|program| program.spent).reduce(Spent::and);
    let rest = rest.map(|spent| (format!("{} others", others.len()), spent));
    let named = named.iter().map(|program| (program.name.clone(), program.spent));
    let rows: Vec<_> = named.chain(rest).collect();
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let mut text = format!("{:width$}  {COLUMNS}", "program");
    for (name, spent) in rows {
        text += &format!("\n{name:width$}  {spent}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_program_is_known_when_it_starts() {
        let lines = [
            ("     Running tests/kernels/main.rs (target/d/kernels-1b20)", Some("kernels")),
            ("     Running unittests src/lib.rs (/t/debug/deps/td_kernel-77)", Some("td_kernel")),
            ("\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m tests/a.rs (d/a_b-0)", Some("a_b")),
            ("   Doc-tests td_kernel", Some("doc tests of td_kernel")),
            ("   Compiling td-kernel v0.2.0 (/td/runtime)", None),
            ("     Running", None),
            ("", None),
        ];
        for (line, name) in lines {
            assert_eq!(started(line).as_deref(), name, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_a_call_of_cargo_starts_is_told() {
        let script = "echo '   Compiling a' >&2; echo '     Running tests/a.rs (d/a-1)' >&2; echo '   Doc-tests b' >&2";
        let mut child =
            Command::new("sh").args(["-c", script]).stderr(Stdio::piped()).spawn().unwrap();
        let told = child.stderr.take();
        let programs = Programs::of(child.id()).follow(told, io::sink()).unwrap();
        child.wait().unwrap();
        let names: Vec<_> = programs.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, [BUILD, "a", "doc tests of b"]);
    }

    #[test]
    fn the_longest_are_named_and_the_rest_added_up() {
        let of = |at: u64| {
            let worked = Some(Duration::from_secs(at));
            Program {
                name: format!("p{at}"),
                spent: Spent { passed: Duration::from_secs(1), worked },
            }
        };
        let programs: Vec<_> = (0..NAMED as u64 + 2).map(of).collect();
        let text = table(&programs);
        assert!(text.contains("\np26           1.0     26.0\n"), "{text}");
        assert!(text.ends_with("2 others      2.0      1.0"), "{text}");
    }
}
