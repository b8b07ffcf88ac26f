//! System faults: a full disk, and processes that are killed or end.

use std::cell::Cell;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use td_kernel::nvrtc::{self, Cache, Code};
use td_kernel::{Device, ErrorKind, td_kernel};
use td_kernel_tests::source;

use super::succeeds;

/// The environment variable of a test's process with its folder.
const FOLDER: &str = "TD_KERNEL_TEST_FOLDER";

#[td_kernel]
unsafe fn count(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel]
unsafe fn values(value: &mut Packed<f32>) {
    r#" value = i - j; "#
}

/// A different kernel for each number.
fn item(number: u32) -> String {
    format!("unsafe fn odd(out: &mut Packed<f32>) {{ r#\" out = {number}; \"# }}")
}

fn text(number: u32) -> String {
    source("tile = 64", &item(number))
}

fn cubin(compiled: nvrtc::Compiled) -> Vec<u8> {
    let Code::Cubin(code) = compiled.code else { panic!("no machine code for a known GPU") };
    code
}

/// Runs the case in this process, if it is one of these.
pub(super) fn run(case: &str) -> bool {
    let Ok(folder) = env::var(FOLDER) else { return false };
    tracing_subscriber::fmt().with_ansi(false).with_writer(std::io::stderr).init();
    match case {
        "cache on a full disk" => {
            let cache = Cache::new(folder);
            for number in 0..2 {
                let code = cubin(cache.compile("odd", &text(number), &[], 90).unwrap());
                assert_eq!(code, cubin(nvrtc::compile("odd", &text(number), &[], 90).unwrap()));
            }
        }
        "CPU on a full disk" => {
            let device = Device::cpu().unwrap();
            let error = count::load(&device).unwrap_err();
            let text = error.to_string();
            assert_eq!(error.kind(), ErrorKind::Io, "{text}");
            assert!(error.io_error().is_some(), "{text}");
            assert!(text.contains(&folder) && text.contains("cannot write"), "{text}");
        }
        "chunks on a full disk" => {
            let device = Device::cpu().unwrap();
            let kernel = values::load(&device).unwrap();
            // From here on, because the compiler's own files need more.
            limit_files(1000);
            let path = Path::new(&folder).join("values.npy");
            let computed = Cell::new(0);
            let chunks = device.chunks::<f32>(100, |rows, slots| {
                computed.set(computed.get() + rows.len());
                kernel.rows(rows).launch(slots)
            });
            let error = chunks.height(10).write_npy(&path).unwrap_err();
            let text = error.to_string();
            assert_eq!((error.kind(), computed.get()), (ErrorKind::Io, 0), "{text}");
            assert!(text.starts_with(&format!("cannot write {}: ", path.display())), "{text}");
            // A file that is small enough is written under the same limit.
            kernel.chunks(20).unwrap().height(10).write_npy(path.with_extension("small")).unwrap();
        }
        "write until killed" => {
            let cache = Cache::new(folder);
            for number in 0.. {
                cache.compile("odd", &text(number), &[], 90).unwrap();
            }
        }
        _ => return false,
    }
    true
}

/// Limits every file of this process to this many bytes. The process ignores the signal for larger files.
fn limit_files(bytes: libc::rlim_t) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: the call reads one structure.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &limit) }, 0);
}

fn process(prefix: &str, case: &str, folder: &Path) -> Command {
    let mut command = super::process(prefix, case);
    command.env(FOLDER, folder).env("TMPDIR", folder);
    command
}

/// Limits every file of the process to one block, as on a full disk: writing more is an error.
const FULL: &str = "trap '' XFSZ; ulimit -f 1;";

#[test]
fn cache_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let output = process(FULL, "cache on a full disk", folder.path()).output().unwrap();
    let log = succeeds(&output);
    assert!(log.contains("cannot store compiled kernels in"), "{log}");
    assert_eq!(log.matches("WARN").count(), 1, "{log}");
    // The half-written file was removed.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn cpu_device_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&process(FULL, "CPU on a full disk", folder.path()).output().unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The space for all values is allocated first: without it nothing is computed, and no file remains.
#[test]
fn chunks_on_a_full_disk_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = "trap '' XFSZ;";
    succeeds(&process(prefix, "chunks on a full disk", folder.path()).output().unwrap());
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(left[0].as_ref().unwrap().file_name(), "values.small");
}

/// A process that is killed at any moment leaves complete entries, and files that are never read.
#[test]
fn killed_process_leaves_whole_entries() {
    let folder = tempfile::tempdir().unwrap();
    let entries =
        || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let is_entry = |name: &OsString| !name.to_string_lossy().ends_with(".tmp");
    // From before the first entry is written until after some are, however slow the machine is.
    let mut round = 0;
    while round < 12 || entries().filter(is_entry).count() == 0 {
        round += 1;
        assert!(round < 100, "no entry in {round} rounds");
        let mut child = process("", "write until killed", folder.path()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60 + 37 * round));
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (files, whole) = (entries().count(), entries().filter(is_entry).count());
    // A damaged entry would be written again. No entry is new, so all of them were found.
    let cache = Cache::new(folder.path());
    for number in 0..whole as u32 {
        let code = cubin(cache.compile("odd", &text(number), &[], 90).unwrap());
        assert_eq!(code, cubin(nvrtc::compile("odd", &text(number), &[], 90).unwrap()), "{number}");
    }
    assert_eq!(entries().count(), files);
}
