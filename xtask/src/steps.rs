//! Running the steps of a task: each command is shown before it runs, and a task of many steps
//! ends in a table.

mod beside;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::clock::{COLUMNS, Clock, Spent};
use crate::failure::{Failure, Result};
use crate::output::{complain, say};
use crate::programs::Programs;
use crate::tally::Tally;

pub(crate) use self::beside::Beside;

/// Shows a command and runs it; its output goes where this program's output goes.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    say(&format!("$ {}", shown(command)));
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(failed(command, &status.to_string()))
}

/// [`run`] for a command of cargo's that runs tests: adds up how many have passed, and how long each program takes.
pub(crate) fn run_tests(command: &mut Command, tally: &mut Tally) -> Result<()> {
    say(&format!("$ {}", shown(command)));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    // Cargo asks its own output, which is no terminal here.
    if io::stderr().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = command.spawn().map_err(|error| not_started(command, &error))?;
    let programs = Programs::of(child.id());
    let (output, told) = (child.stdout.take(), child.stderr.take());
    let followed = thread::scope(|scope| {
        let programs = scope.spawn(|| programs.follow(told, io::stderr()));
        let followed = output.map_or(Ok(()), |output| tally.follow(output, io::stdout()));
        let programs = programs.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
        tally.programs.extend(programs?);
        followed
    });
    let ended = child.wait();
    let status = followed.and(ended).map_err(|error| failed(command, &error.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(command, &status.to_string())) }
}

/// Shows a command, runs it and returns its standard output. Its errors go to standard error.
pub(crate) fn run_and_read(command: &mut Command) -> Result<String> {
    say(&format!("$ {}", shown(command)));
    read(command)
}

/// Shows a command, runs it and returns what it writes to standard error, if it succeeds.
pub(crate) fn run_and_read_errors(command: &mut Command) -> Result<String> {
    say(&format!("$ {}", shown(command)));
    let output =
        command.stdout(Stdio::inherit()).output().map_err(|error| not_started(command, &error))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        complain(&said);
        return Err(failed(command, &output.status.to_string()));
    }
    Ok(said)
}

/// Runs a command that only asks a question, so it is not shown, and returns its answer.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(failed(command, &output.status.to_string()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn not_started(command: &Command, error: &io::Error) -> Failure {
    let program = command.get_program().to_string_lossy();
    Failure::new(
        format!("could not start `{program}`: {error}"),
        format!("install `{program}`, or put its folder on PATH"),
    )
}

fn failed(command: &Command, status: &str) -> Failure {
    Failure::new(
        format!("`{}` failed ({status})", shown(command)),
        "its output is above; once that is mended, run the task again",
    )
}

/// A command as typed in the workspace's root. Variables that are only removed are not shown.
fn shown(command: &Command) -> String {
    let mut words = Vec::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            let value = quoted(&value.to_string_lossy());
            words.push(format!("{}={value}", name.to_string_lossy()));
        }
    }
    // Cargo passes its own full path on, which would show a toolchain's folder instead of the command.
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(program.as_os_str());
    words.push(quoted(&name.to_string_lossy()));
    words.extend(command.get_args().map(|word| quoted(&word.to_string_lossy())));
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain =
        |character: char| character.is_ascii_alphanumeric() || "-_=./:,+@%\\".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The steps of a task that continues after a failure, so that one run shows everything that is wrong.
pub(crate) struct Table {
    rows: Vec<Row>,
}

struct Row {
    step: String,
    outcome: Outcome,
    spent: Spent,
}

#[derive(PartialEq)]
enum Outcome {
    Passed,
    Failed,
    /// With the reason.
    Skipped(String),
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { rows: Vec::new() }
    }

    /// Runs one step, and returns its result unless it failed.
    pub(crate) fn step<T>(&mut self, step: &str, act: impl FnOnce() -> Result<T>) -> Option<T> {
        say(&format!("\n== {step}"));
        let clock = Clock::start();
        let made = act();
        let spent = clock.spent();
        let outcome = if made.is_ok() { Outcome::Passed } else { Outcome::Failed };
        self.rows.push(Row { step: step.to_owned(), outcome, spent });
        made.map_err(|failure| failure.report()).ok()
    }

    /// Records a step that cannot run, because an earlier one failed or something is not installed.
    pub(crate) fn skip(&mut self, step: &str, because: &str) {
        say(&format!("\n== {step}\nskipped: {because}"));
        self.rows.push(Row {
            step: step.to_owned(),
            outcome: Outcome::Skipped(because.to_owned()),
            spent: Spent::default(),
        });
    }

    /// Prints the table; an error if any step failed.
    pub(crate) fn finish(&self) -> Result<()> {
        say(&format!("\n{}", self.text()));
        let failed: Vec<&str> = self
            .rows
            .iter()
            .filter(|row| row.outcome == Outcome::Failed)
            .map(|row| row.step.as_str())
            .collect();
        if failed.is_empty() {
            return Ok(());
        }
        Err(Failure::new(
            format!("failed: {}", failed.join(", ")),
            "each has its own heading above, with its command and what to do",
        ))
    }

    fn text(&self) -> String {
        let width = self.rows.iter().map(|row| row.step.len()).max();
        let width = width.unwrap_or(0).max("total".len());
        let mut text = format!("{:width$}  result   {COLUMNS}\n", "step");
        let mut total = Spent { worked: Some(Duration::ZERO), ..Spent::default() };
        for row in &self.rows {
            let (outcome, reason) = match &row.outcome {
                Outcome::Passed => ("ok", String::new()),
                Outcome::Failed => ("FAILED", String::new()),
                Outcome::Skipped(because) => ("skipped", format!("  {because}")),
            };
            text += &format!("{:width$}  {outcome:7}  {}{reason}\n", row.step, row.spent);
            if !matches!(row.outcome, Outcome::Skipped(_)) {
                total = total.and(row.spent);
            }
        }
        text + &format!("{:width$}  {:7}  {total}", "total", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let mut command = Command::new("/toolchains/stable/bin/cargo");
        command.args(["doc", "--no-deps", "two words", "it's"]);
        command.env("RUSTDOCFLAGS", "-D warnings").env_remove("CI");
        assert_eq!(
            shown(&command),
            r"RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'two words' 'it'\''s'"
        );
    }

    #[test]
    fn a_failed_step_is_named_and_the_others_still_run() {
        let mut table = Table::new();
        assert_eq!(table.step("first", || Ok(1)), Some(1));
        let failure = || Err::<(), _>(Failure::new("no", "try"));
        assert_eq!(table.step("second", failure), None);
        table.skip("third", "the second failed");
        assert_eq!(table.step("fourth", || Ok(4)), Some(4));
        let text = table.text();
        assert!(text.contains("first   ok "), "{text}");
        assert!(text.contains("second  FAILED "), "{text}");
        assert!(
            text.contains("third   skipped ") && text.contains("  the second failed\n"),
            "{text}"
        );
        let failure = table.finish().unwrap_err().to_string();
        assert!(failure.starts_with("failed: second\n"), "{failure}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let failure = run(&mut Command::new("td-kernel-no-such-program")).unwrap_err();
        let text = failure.to_string();
        assert!(text.contains("could not start `td-kernel-no-such-program`"));
    }
}
