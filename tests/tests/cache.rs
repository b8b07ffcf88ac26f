//! The cache on disk with NVRTC, used by processes one after another and at the same time. These tests need NVRTC and no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use td_kernel::nvrtc::{self, Cache, Code, Compiled};
use td_kernel_tests::covering::chosen;
use td_kernel_tests::{Choice, OPTIONS, assert_errors, every, source};
use tempfile::TempDir;

/// Environment variables of a test's process: the cache, and the folder for results.
const CACHE: &str = "TD_KERNEL_TEST_CACHE";
const ANSWERS: &str = "TD_KERNEL_TEST_ANSWERS";

/// A source that compiles with a warning.
fn odd() -> String {
    source("", "unsafe fn odd(out: &mut Packed<f32>) { r#\" int unused = 1; out = 1; \"# }")
}

fn cubin(compiled: Compiled) -> Vec<u8> {
    let Code::Cubin(code) = compiled.code else { panic!("no machine code for a known GPU") };
    code
}

/// Not a test by itself: the other tests start it in processes.
#[test]
fn child_process() {
    let Some(cache) = env::var_os(CACHE) else { return };
    let answers = PathBuf::from(env::var_os(ANSWERS).unwrap());
    let log = fs::File::create(answers.join("log")).unwrap();
    tracing_subscriber::fmt().with_ansi(false).with_writer(log).init();
    let compiled = Cache::new(cache).compile("odd", &odd(), &[], 90).unwrap();
    fs::write(answers.join("code"), cubin(compiled)).unwrap();
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let nvrtc = maps.split_whitespace().find(|word| word.contains("/libnvrtc.so"));
    fs::write(answers.join("nvrtc"), nvrtc.unwrap_or_default()).unwrap();
}

/// A process that compiles, or finds in the cache.
struct Process {
    child: Child,
    answers: TempDir,
}

/// The results of a process.
#[derive(Debug, PartialEq)]
struct Answers {
    code: Vec<u8>,
    /// The log.
    log: String,
    /// The file that NVRTC was loaded from, empty if it was not loaded. Known only on Linux.
    nvrtc: String,
}

impl Process {
    fn start(cache: &Path, change: impl FnOnce(&mut Command)) -> Process {
        let answers = tempfile::tempdir().unwrap();
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "child_process"]);
        command.env(CACHE, cache).env(ANSWERS, answers.path()).stdout(Stdio::null());
        change(&mut command);
        Process { child: command.spawn().unwrap(), answers }
    }

    fn answers(mut self) -> Answers {
        assert!(self.child.wait().unwrap().success());
        let read = |name: &str| fs::read(self.answers.path().join(name)).unwrap();
        let text = |name: &str| String::from_utf8(read(name)).unwrap();
        Answers { code: read("code"), log: text("log"), nvrtc: text("nvrtc") }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn later_process_needs_no_nvrtc() {
    let folder = tempfile::tempdir().unwrap();
    let first = Process::start(folder.path(), |_| ()).answers();
    let second = Process::start(folder.path(), |_| ()).answers();
    assert_eq!(entries(folder.path()).len(), 1);
    assert_eq!(first.code, second.code);
    for log in [first.log, second.log] {
        assert!(log.contains("`odd` compiles with warnings") && log.contains("unused"), "{log}");
        assert_eq!(log.matches("WARN").count(), 1, "{log}");
    }
    if cfg!(target_os = "linux") {
        assert_ne!(first.nvrtc, "");
        assert_eq!(second.nvrtc, "");
    }
}

/// If NVRTC is on the system's library path, its file is also known without loading it.
#[cfg(target_os = "linux")]
#[test]
fn library_path_is_searched_like_the_loader() {
    let folder = tempfile::tempdir().unwrap();
    let nvrtc = PathBuf::from(Process::start(folder.path(), |_| ()).answers().nvrtc);
    let names = ["libnvrtc.so.13", "libnvrtc.so.12"];
    let nvrtc = nvrtc.parent().unwrap();
    assert!(names.iter().any(|name| nvrtc.join(name).exists()), "{}", nvrtc.display());
    let cache = tempfile::tempdir().unwrap();
    let by_name = |command: &mut Command| {
        for variable in ["TD_KERNEL_NVRTC", "CUDA_HOME", "CUDA_PATH"] {
            command.env_remove(variable);
        }
        command.env("LD_LIBRARY_PATH", nvrtc);
    };
    let first = Process::start(cache.path(), by_name).answers();
    let second = Process::start(cache.path(), by_name).answers();
    assert_eq!(first.code, second.code);
    assert!(Path::new(&first.nvrtc).starts_with(nvrtc.canonicalize().unwrap()), "{}", first.nvrtc);
    assert_eq!(second.nvrtc, "");
}

#[test]
fn concurrent_processes_leave_one_entry() {
    let folder = tempfile::tempdir().unwrap();
    let processes = [(); 4].map(|()| Process::start(folder.path(), |_| ()));
    let answers = processes.map(Process::answers);
    assert!(answers.iter().all(|each| each.code == answers[0].code));
    assert_eq!(entries(folder.path()).len(), 1);
    let last = Process::start(folder.path(), |_| ()).answers();
    assert_eq!(last.code, answers[0].code);
    assert!(cfg!(not(target_os = "linux")) || last.nvrtc.is_empty());
}

#[test]
fn damaged_entry_is_recompiled() {
    let folder = tempfile::tempdir().unwrap();
    let compile = || cubin(Cache::new(folder.path()).compile("odd", &odd(), &[], 90).unwrap());
    let code = compile();
    let [path] = &entries(folder.path())[..] else { panic!("not one entry") };
    let whole = fs::read(path).unwrap();
    fs::write(path, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(compile(), code);
    assert_eq!(fs::read(path).unwrap(), whole);
}

#[test]
fn combinations_have_separate_entries() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path());
    let choices = chosen(&Choice::maps(), |choice| vec![choice.map]);
    let texts: Vec<String> =
        choices.iter().map(|choice| source(&choice.attribute(), every::ITEM)).collect();
    let mut count = 0;
    for text in &texts {
        for options in [OPTIONS.to_vec(), [OPTIONS, &["--define-macro=TD_WIDE"]].concat()] {
            for architecture in [80, 90] {
                let compile = || cache.compile("every", text, &options, architecture).unwrap();
                let compiled = cubin(compile());
                count += 1;
                assert_eq!(entries(folder.path()).len(), count);
                assert_eq!(compiled, cubin(compile()));
                assert_eq!(entries(folder.path()).len(), count);
            }
        }
    }
    assert!(count >= 4 * 8, "{count}");
}

#[test]
fn ptx_is_cached() {
    let folder = tempfile::tempdir().unwrap();
    let newer = nvrtc::architectures().unwrap().into_iter().max().unwrap() + 10;
    let ptx = || match Cache::new(folder.path()).compile("odd", &odd(), &[], newer).unwrap().code {
        Code::Ptx(text) => text,
        Code::Cubin(_) => panic!("machine code for an unknown GPU"),
    };
    assert_eq!(ptx(), ptx());
    assert_eq!(entries(folder.path()).len(), 1);
}

#[test]
fn failed_and_including_sources_are_not_cached() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path());
    assert_errors! { cache.compile("bad", "int x = missing;", &[], 90) => "missing"; }
    cache.compile("uses", "#include <cstdint>\n", &[], 90).unwrap_err();
    let header = tempfile::Builder::new().suffix(".h").tempfile().unwrap();
    fs::write(header.path(), "extern \"C\" __global__ void included() {}").unwrap();
    let text = format!("#include \"{}\"", header.path().display());
    cache.compile("uses", &text, &[], 90).unwrap();
    assert!(entries(folder.path()).is_empty());
}

#[test]
fn unusable_cache_folder_is_ignored() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let cache = Cache::new(file.path());
    let code = cubin(cache.compile("odd", &odd(), &[], 90).unwrap());
    assert_eq!(code, cubin(nvrtc::compile("odd", &odd(), &[], 90).unwrap()));
    assert_eq!(fs::metadata(file.path()).unwrap().len(), 0);
}
