//! Launches and compilations past a limit give an error or the right result. The process never hangs, ends, or continues with
//! wrong numbers.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use td_kernel::{Device, DeviceType, Result, nvrtc, td_kernel};
use td_kernel_tests::source;

use super::{process, succeeds};

/// 40 KB.
#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Large {
    values: [f32; 10_240],
}

/// Nearly the maximum size of a kernel's parameters.
#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Scalar {
    values: [u8; 32_600],
}

#[td_kernel]
unsafe fn count(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel]
unsafe fn large_slots(#[each] x: &[f32], out: &mut Packed<Large>) {
    r#"
    for (int k = 0; k < 10240; ++k) out.values[k] = x.i * k - x.j;
    "#
}

#[td_kernel]
unsafe fn large_scalar(scalar: Scalar, total: &mut Sum<u64>) {
    r#" total += scalar.values[i] + scalar.values[32599 - j]; "#
}

#[td_kernel(map = "table", tile = 32)]
unsafe fn by_table(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i - x.j; "#
}

// Blocks with a barrier, so that many threads need a stack at the same time.
#[td_kernel(block = 16)]
unsafe fn large_local(#[each] x: &[u32], out: &mut Packed<u32>, total: &mut Sum<u64>) {
    r#"
    volatile unsigned int values[46080];
    for (int k = 0; k < 46080; ++k) values[k] = x.i + k;
    total += 1;
    unsigned int sum = 0;
    for (int k = 0; k < 46080; ++k) sum += values[k] - x.i - k;
    out = sum + x.j;
    "#
}

#[td_kernel]
unsafe fn too_large_local(#[each] x: &[u32], out: &mut Packed<u32>) {
    r#"
    volatile unsigned int values[200000];
    for (int k = 0; k < 200000; ++k) values[k] = x.i + k;
    out = values[x.j];
    "#
}

// A compiler cannot know the size of this array. Its first element is lowest, far below the stack's end.
#[td_kernel(block = 16)]
unsafe fn endless_local(#[each] x: &[u32], out: &mut Packed<u32>) {
    r#"
    volatile unsigned int values[n * 1000];
    values[0] = x.i;
    out = values[0] + x.j;
    "#
}

fn elements(device: &Device, n: u32) -> td_kernel::Buffer<u32> {
    device.upload(&(0..n).collect::<Vec<_>>()).unwrap()
}

/// Runs the case in this process, if it is one of these.
pub(super) fn run(case: &str) -> bool {
    match case {
        "slots of 40 KB" => {
            let device = Device::emulator().unwrap();
            let x = device.upload(&[1.0, 2.0, 4.0]).unwrap();
            let mut out = device.packed(3).unwrap();
            large_slots::load(&device).unwrap().launch(&x, &mut out).unwrap();
            let out = out.download().unwrap();
            for (i, j, [a, b]) in [(1, 0, [2.0, 1.0]), (2, 0, [4.0, 1.0]), (2, 1, [4.0, 2.0])] {
                let values = out.get(i, j).unwrap().values;
                assert!((0..10_240).all(|k| values[k] == a * k as f32 - b), "{i} {j}");
            }
        }
        "a scalar of 32 KB" => {
            let device = Device::emulator().unwrap();
            let mut total = device.sum().unwrap();
            let kernel = large_scalar::load(&device).unwrap();
            kernel.launch(40, Scalar { values: [1; 32_600] }, &mut total).unwrap();
            assert_eq!(total.download().unwrap(), 2 * 780);
        }
        "locals of 180 KB" => {
            let device = Device::emulator().unwrap();
            let (x, mut out) = (elements(&device, 48), device.packed(48).unwrap());
            let mut total = device.sum().unwrap();
            large_local::load(&device).unwrap().launch(&x, &mut out, &mut total).unwrap();
            let out = out.download().unwrap();
            assert!((0..48).all(|i| (0..i).all(|j| out.get(i, j) == Some(&(j as u32)))));
            assert_eq!(total.download().unwrap(), 48 * 47 / 2);
        }
        "locals of 800 KB" => {
            let device = Device::emulator().unwrap();
            assert_errors! { too_large_local::load(&device) => ["524288", "too_large_local"], Compile; }
        }
        "locals without end" => {
            let device = Device::emulator().unwrap();
            let (x, mut out) = (elements(&device, 48), device.packed(48).unwrap());
            endless_local::load(&device).unwrap().launch(&x, &mut out).unwrap();
        }
        "a report of a table" => {
            let report =
                by_table::load(&Device::emulator().unwrap()).unwrap().report(500_000).unwrap();
            assert_eq!(report.grids, [[122_078_125, 1]]);
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
            let kilobytes: u64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
            assert!(kilobytes < 500_000, "{peak}");
        }
        "a forked process" => forked(),
        "NVRTC on a small stack" => {
            let body = |start: &str, each: &str, end: &str| {
                format!("{}{end}", (0..1000).fold(start.to_owned(), |text, _| text + each))
            };
            let brackets = body("out = ", "(1 + ", "1") + &")".repeat(1000);
            let choices = body("out = ", "i < 7 ? 1 : ", "2");
            for body in [brackets, choices] {
                let item = format!("unsafe fn deep(out: &mut Packed<f32>) {{ r#\" {body}; \"# }}");
                let text = source("tile = 64", &item);
                let compile = move || nvrtc::compile("deep", &text, &[], 90).map(drop);
                let small = std::thread::Builder::new().stack_size(2 << 20);
                small.spawn(compile).unwrap().join().unwrap().unwrap();
            }
        }
        "the compiler hangs" => assert_errors! { load() => ["1 second", "TD_KERNEL_CXX_SECONDS"]; },
        "the compiler hangs at once" => assert_errors! { Device::cpu() => "1 second"; },
        "SIGCHLD is ignored" => {
            // SAFETY: 1 is SIG_IGN on every system; nothing in this process waits for a signal.
            unsafe { signal(if cfg!(target_os = "linux") { 17 } else { 20 }, 1) };
            assert_errors! { Device::cpu() => "SIGCHLD"; }
        }
        "it compiles" => load().unwrap(),
        _ => return false,
    }
    true
}

fn load() -> Result<()> {
    count::load(&Device::cpu()?).map(drop)
}

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn signal(signal: i32, handler: usize) -> usize;
    fn kill(process: i32, signal: i32) -> i32;
    fn _exit(status: i32) -> !;
}

/// Launches, forks, and launches again in the child.
fn forked() {
    let device = Device::cpu().unwrap();
    let kernel = count::load(&device).unwrap();
    let mut total = device.sum().unwrap();
    kernel.launch(1000, &mut total).unwrap();
    // SAFETY: no other thread of this process holds a lock: all of them wait for work.
    let child = unsafe { fork() };
    if child == 0 {
        let refused = kernel.launch(1000, &mut total);
        let is_told = matches!(&refused, Err(error) if error.to_string().contains("fork"));
        // SAFETY: ends the process.
        unsafe { _exit(if is_told { 42 } else { 1 }) };
    }
    let (start, mut status) = (Instant::now(), 0);
    // SAFETY: the child is this process's own; 1 is WNOHANG on every system.
    while unsafe { waitpid(child, &mut status, 1) } == 0 {
        if start.elapsed() > Duration::from_secs(20) {
            // SAFETY: as above.
            unsafe { kill(child, 9) };
            panic!("the launch in the forked process hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(ExitStatus::from_raw(status).code(), Some(42), "{status:#x}");
    // The parent can still launch.
    kernel.launch(1000, &mut total).unwrap();
    assert_eq!(total.download().unwrap(), 999_000);
}

/// Tests whose process runs a case.
macro_rules! passes {
    ($($(#[$cfg:meta])? $name:ident: $case:literal;)*) => {$(
        $(#[$cfg])?
        #[test]
        fn $name() {
            succeeds(&process("", $case).output().unwrap());
        }
    )*};
}

passes! {
    slots_may_be_large: "slots of 40 KB";
    largest_scalars: "a scalar of 32 KB";
    bodies_have_enough_stack: "locals of 180 KB";
    oversized_local_variables_are_an_error: "locals of 800 KB";
    #[cfg(target_os = "linux")] report_makes_no_table: "a report of a table";
    launch_after_fork_is_an_error: "a forked process";
    nvrtc_has_its_own_stack: "NVRTC on a small stack";
    ignored_sigchld_is_named: "SIGCHLD is ignored";
}

/// Not an error: the process ends at the guard page, and no other memory is written.
#[test]
fn variable_length_arrays_hit_the_guard_page() {
    let output = process("ulimit -c 0;", "locals without end").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.signal(), Some(11), "{}\n{text}", output.status);
}

/// A compiler that runs this script.
fn compiler(folder: &Path, name: &[u8], script: &str) -> PathBuf {
    let path = folder.join(std::ffi::OsStr::from_bytes(name));
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[test]
fn hanging_compiler_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let at_work = compiler(
        folder.path(),
        b"at-work",
        "case \"$*\" in *--version*) echo slow;; *) sleep 31.7;; esac",
    );
    let at_once = compiler(folder.path(), b"at-once", "sleep 31.7");
    for (case, program) in
        [("the compiler hangs", at_work), ("the compiler hangs at once", at_once)]
    {
        let start = Instant::now();
        let mut command = process("", case);
        succeeds(&command.env("CXX", program).env("TD_KERNEL_CXX_SECONDS", "1").output().unwrap());
        assert!(start.elapsed() < Duration::from_secs(20), "{case}: {:?}", start.elapsed());
    }
    // The compiler's child processes are stopped with it, which takes the system a moment.
    let is_left = || {
        let left = Command::new("pgrep").args(["-f", "^sleep 31[.]7"]).output();
        !left.unwrap().stdout.is_empty()
    };
    let end = Instant::now() + Duration::from_secs(10);
    while is_left() {
        assert!(Instant::now() < end, "it left processes behind");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn compiler_name_with_any_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let used = folder.path().join("used");
    let script = format!("echo used >'{}'; exec c++ \"$@\"", used.display());
    let path = compiler(folder.path(), b"c++\xff", &script);
    succeeds(&process("", "it compiles").env("CXX", path).output().unwrap());
    assert!(used.exists(), "$CXX was passed over");
}

#[test]
fn empty_tmpdir_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    let script = format!("echo \"$@\" >>'{}'; exec c++ \"$@\"", seen.display());
    let path = compiler(folder.path(), b"cxx", &script);
    let mut command = process("", "it compiles");
    command.env("CXX", path).env("TMPDIR", "").current_dir(folder.path());
    succeeds(&command.output().unwrap());
    let seen = std::fs::read_to_string(seen).unwrap();
    let working = folder.path().join("td-kernel-");
    assert!(!seen.contains(working.to_str().unwrap()), "the working folder was used: {seen}");
    assert!(seen.contains("/td-kernel-"), "{seen}");
}
