//! The examples as processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::flag::register_conditional_default;
use tempfile::TempDir;

/// The executable of an example. Cargo does not tell a test its path. `cargo xtask ci`, which has built the examples with lints,
/// names their folder in `TD_KERNEL_EXAMPLES`. Otherwise this has Cargo build all examples, which takes no time where they are
/// built already. It is asked as if for the whole workspace, whose tests it is built with:
/// this package alone has other features of its dependencies, and would build most of these again.
pub(crate) fn executable(example: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        if let Some(built) = std::env::var_os("TD_KERNEL_EXAMPLES") {
            return built.into();
        }
        // In the profile's folder, this test lies in `deps` and the examples in `examples`.
        let profile = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned();
        let mut build = Command::new(env!("CARGO"));
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        build.args(["build", "--quiet", "--locked", "--workspace"]);
        for example in ["edm", "collision", "forces", "cross", "similarity", "knn"] {
            build.args(["--example", example]);
        }
        build.arg("--target-dir").arg(profile.parent().unwrap());
        let name = profile.file_name().unwrap();
        build.arg("--profile").arg(if name == "debug" { "dev".as_ref() } else { name });
        assert!(build.status().unwrap().success());
        profile.join("examples")
    });
    folder.join(format!("{example}{}", std::env::consts::EXE_SUFFIX))
}

/// A process of an example on the CPU, with a folder for its files and one as its `TMPDIR`.
pub(crate) struct Process {
    pub(crate) files: TempDir,
    pub(crate) temporary: TempDir,
    example: PathBuf,
}

impl Process {
    pub(crate) fn of(example: &str) -> Process {
        let folder = || tempfile::tempdir().unwrap();
        Process { files: folder(), temporary: folder(), example: executable(example) }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The command with these arguments, in the folder of files.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.example);
        self.prepare(&mut command);
        command.args(["--device", "cpu"]).args(arguments);
        command
    }

    /// [`command`](Process::command), run by a shell script that calls it as `"$@"`.
    pub(crate) fn by_shell(&self, script: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        self.prepare(&mut command);
        command.args(["-c", script, "sh"]).arg(&self.example);
        command.args(["--device", "cpu"]).args(arguments);
        command
    }

    fn prepare(&self, command: &mut Command) {
        command.current_dir(self.files.path()).env("TMPDIR", self.temporary.path());
        command.stdin(Stdio::null());
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The names of the files that exist.
    pub(crate) fn left(&self) -> Vec<String> {
        let mut names: Vec<String> = names(self.files.path()).collect();
        names.sort();
        names
    }
}

/// The names in a folder.
pub(crate) fn names(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
}

/// What a process wrote to standard error.
pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A running process, which is killed when this value is dropped.
pub(crate) struct Running(Child);

/// Starts a process without standard output, and with this standard error. It ignores none of the signals that end a
/// process, even where this test ignores some, as background jobs do.
pub(crate) fn start(command: &mut Command, messages: impl Into<Stdio>) -> Running {
    for signal in [SIGHUP, SIGINT, SIGTERM, SIGXCPU] {
        // A child inherits an ignored signal, but not a handler. This handler acts as the default would.
        register_conditional_default(signal, Arc::new(AtomicBool::new(true))).unwrap();
    }
    Running(command.stdout(Stdio::null()).stderr(messages).spawn().unwrap())
}

impl Running {
    /// Sends a signal, as `kill` names it.
    pub(crate) fn signal(&self, name: &str) {
        let mut kill = Command::new("sh");
        kill.args(["-c", "kill -s $0 $1", name]).arg(self.0.id().to_string());
        assert!(kill.status().unwrap().success());
    }

    pub(crate) fn is_done(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        wait_until("the end", || self.is_done());
        self.0.wait().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // An error means that the process has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until `is_so` returns true.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < end, "{what}: not within a minute");
        thread::sleep(Duration::from_millis(10));
    }
}
