//! A call of cargo or of this program beside others. Cargo runs one program after another. But NVRTC compiles one text after
//! another, whatever number of threads ask it: a program that does little else leaves all processors but one idle.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use super::{failed, not_started, shown};
use crate::failure::Result;
use crate::output::say;
use crate::programs::{Program, Programs};
use crate::tally::Tally;

/// A call that runs, and is shown when it has ended.
pub(crate) struct Beside {
    command: Command,
    child: Running,
    output: Reader<Tally>,
    told: Reader<Vec<Program>>,
}

/// What a thread has understood of an output, and the output itself.
type Reader<T> = JoinHandle<io::Result<(T, Vec<u8>)>>;

/// A process that does not outlive its call.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Beside {
    /// Starts a command of cargo's that runs tests.
    pub(crate) fn start(mut command: Command) -> Result<Beside> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = Running(command.spawn().map_err(|error| not_started(&command, &error))?);
        let programs = Programs::of(child.0.id());
        let told = child.0.stderr.take();
        let told = thread::spawn(move || {
            let mut text = Vec::new();
            Ok((programs.follow(told, &mut text)?, text))
        });
        let output = child.0.stdout.take();
        let output = thread::spawn(move || {
            let (mut tally, mut text) = (Tally::default(), Vec::new());
            let output: Box<dyn Read> =
                output.map_or(Box::new(io::empty()), |output| Box::new(output));
            tally.follow(output, &mut text)?;
            Ok((tally, text))
        });
        Ok(Beside { command, child, output, told })
    }

    /// Waits for its end, shows it, and adds up how many tests have passed, and how long each program took.
    pub(crate) fn finish(self, tally: &mut Tally) -> Result<()> {
        let Beside { command, mut child, output, told } = self;
        say(&format!("$ {}", shown(&command)));
        // Before the process is waited for: until then the system knows its times.
        let read = joined(told).and_then(|told| Ok((told, joined(output)?)));
        let ended = child.0.wait();
        let read = read.and_then(|((programs, said), (mut passed, text))| {
            // A reader who has gone away does not end the tests.
            let _ = io::stderr().write_all(&said);
            let _ = io::stdout().write_all(&text);
            passed.programs = programs;
            tally.and(passed);
            ended
        });
        let status = read.map_err(|error| failed(&command, &error.to_string()))?;
        if status.success() { Ok(()) } else { Err(failed(&command, &status.to_string())) }
    }
}

fn joined<T>(reader: Reader<T>) -> io::Result<(T, Vec<u8>)> {
    reader.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    #[cfg(unix)]
    #[test]
    fn what_ran_beside_counts() {
        let told = "echo '     Running tests/a.rs (d/a-1)' >&2; echo 'test result: ok. 3 passed; 0 failed; 1 ignored'";
        let mut tally = Tally::default();
        Beside::start(script(told)).unwrap().finish(&mut tally).unwrap();
        assert_eq!(tally.to_string(), "3 tests (1 ignored)");
        assert_eq!(tally.programs.len(), 2);
        let failed = Beside::start(script("exit 3")).unwrap().finish(&mut tally);
        assert!(failed.unwrap_err().to_string().contains("exit status: 3"));
        assert_eq!(tally.to_string(), "3 tests (1 ignored)");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_left_is_ended() {
        let beside = Beside::start(script("exec sleep 600")).unwrap();
        let path = format!("/proc/{}", beside.child.0.id());
        assert!(std::fs::exists(&path).unwrap());
        drop(beside);
        assert!(!std::fs::exists(&path).unwrap());
    }
}
