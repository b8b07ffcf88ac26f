//! Errors on a machine with missing software. Each case is a process of its own, because libraries are searched for only once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

use td_kernel::{Device, Devices, ErrorKind, nvrtc, td_kernel};
use td_kernel_tests::{assert_errors, compiler};
use tracing_subscriber::util::SubscriberInitExt;

/// A driver that starts and counts one GPU, but lacks every other function.
const OLD_DRIVER: &str = r#"
extern "C" int cuInit(unsigned) { return 0; }
extern "C" int cuDeviceGetCount(int *count) { *count = 1; return 0; }
"#;

/// A driver that starts and counts one GPU, which another process has: every other function fails.
const BUSY_GPU: &str = r#"
extern "C" int cuInit(unsigned) { return 0; }
extern "C" int cuDeviceGetCount(int *count) { *count = 1; return 0; }
extern "C" int cuDeviceGet(int *device, int) { *device = 0; return 0; }
"#;

/// A driver that counts fewer GPUs than none.
const WRONG_COUNT: &str = r#"
extern "C" int cuInit(unsigned) { return 0; }
extern "C" int cuDeviceGetCount(int *count) { *count = -1; return 0; }
"#;

/// A driver whose GPU has a compute capability below zero.
const WRONG_GPU: &str = r#"
extern "C" int cuDeviceGetCount(int *count) { *count = 1; return 0; }
extern "C" int cuDeviceGet(int *device, int) { *device = 0; return 0; }
extern "C" int cuDeviceGetAttribute(int *value, int, int) { *value = -9; return 0; }
"#;

/// A loader in whose WSL folder `$DRIVER` is.
const LOADER_OF_WSL: &str = r#"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
extern "C" void *dlopen(const char *path, int flags) noexcept {
    const auto open = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return open(path && !strcmp(path, "/usr/lib/wsl/lib/libcuda.so.1") ? getenv("DRIVER") : path, flags);
}
"#;

#[td_kernel]
unsafe fn empty(#[each] x: &[f32], count: &mut Sum<u32>) {
    r#" if (x.i < x.j) count += 1; "#
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--in-process") {
        return in_process(&arguments.next().unwrap());
    }
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let nothing = folder.path().join("nothing.so");
    let mut passed = 0;
    let mut case = |name: &str, change: &dyn Fn(&mut Command)| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--in-process", name]).env("RUST_BACKTRACE", "0");
        change(&mut command);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {}\n{text}", output.status);
        println!("test {name} ... ok");
        passed += 1;
    };
    case("no-nvrtc", &|command| {
        command.env("TD_KERNEL_NVRTC", &nothing);
    });
    if cfg!(target_os = "linux") {
        library(&folder.path().join("libold.so"), "extern \"C\" int nvrtcVersion() { return 0; }");
        case("old-nvrtc", &|command| {
            command.env("TD_KERNEL_NVRTC", folder.path().join("libold.so"));
        });
        library(&folder.path().join("libnvrtc.so.11.2"), &nvrtc_11());
        case("nvrtc-11", &|command| {
            command.env("TD_KERNEL_NVRTC", folder.path().join("libnvrtc.so.11.2"));
        });
        // cudarc looks for this name first.
        let others = folder.path().join("others");
        std::fs::create_dir(&others).unwrap();
        library(&others.join("libnvrtc.so"), "extern \"C\" int nvrtcVersion() { return 0; }");
        case("other-nvrtc", &|command| {
            command.env("LD_LIBRARY_PATH", &others);
        });
    }
    case("no-compiler", &|command| {
        command.env("CXX", &nothing);
    });
    case("compiler-with-wrapper", &|command| {
        let usual = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
        command.env("CXX", format!("env {usual}"));
    });
    case("no-compiler-on-path", &|command| {
        command.env_remove("CXX").env("PATH", &empty);
    });
    case("other-program", &|command| {
        command.env("CXX", "true");
    });
    if cfg!(target_os = "linux") {
        // A machine with a driver finds it in its own folders.
        if matches!(Device::cuda(0), Err(error) if error.to_string().starts_with("no NVIDIA driver"))
        {
            case("no-driver", &|_| {});
            let loader = folder.path().join("libloader.so");
            library(&loader, LOADER_OF_WSL);
            stub(folder.path(), &driver("", 100));
            case("driver-of-wsl", &|command| {
                command.env("LD_PRELOAD", &loader);
                command.env("DRIVER", folder.path().join("libcuda.so.1"));
            });
        }
        for (name, source) in [
            ("no-functions", String::new()),
            ("old-driver", OLD_DRIVER.to_owned()),
            ("driver-without-gpu", driver("", 100)),
            ("stub-driver", driver("", 34)),
            ("busy-gpu", driver(BUSY_GPU, 46)),
            ("wrong-count", driver(WRONG_COUNT, 100)),
            ("wrong-gpu", driver(WRONG_GPU, 0)),
        ] {
            let drivers = folder.path().join(name);
            std::fs::create_dir(&drivers).unwrap();
            stub(&drivers, &source);
            case(name, &|command| {
                command.env("LD_LIBRARY_PATH", &drivers);
            });
        }
    }
    println!("\n{passed} passed, 0 failed");
}

/// Runs one case in a process whose environment lacks something.
fn in_process(case: &str) {
    let compile = || nvrtc::compile("any", "", &[], 90);
    match case {
        "no-nvrtc" => assert_errors! {
            compile() => ["nothing.so", "pip install nvidia-cuda-nvrtc", "$TD_KERNEL_NVRTC"], NoCompiler;
        },
        "old-nvrtc" => assert_errors! {
            compile() => ["libold.so", "nvrtcGetErrorString", "pip install nvidia-cuda-nvrtc"], NoCompiler;
        },
        "nvrtc-11" => assert_errors! {
            compile() => ["libnvrtc.so.11.2", "NVRTC 11.8", "12.0", "pip install nvidia-cuda-nvrtc"], NoCompiler;
        },
        "other-nvrtc" => assert_errors! {
            compile() => ["libnvrtc.so", "library path", "$TD_KERNEL_NVRTC"], NoCompiler;
        },
        "no-compiler" => assert_errors! { Device::cpu() => ["nothing.so", "$CXX"], NoCompiler; },
        "no-compiler-on-path" => assert_errors! {
            Device::cpu() => ["c++", "g++", "clang++", "apt install g++"], NoCompiler;
        },
        "other-program" => assert_errors! {
            empty::load(&Device::cpu().unwrap()) => ["`true`", "no library", "$CXX"], NoCompiler in "empty";
        },
        "no-driver" => {
            no_gpu(["no NVIDIA driver", "/usr/lib/wsl/lib/libcuda.so.1", "run on the CPU instead"]);
            best_is_cpu("install the driver of your GPU");
        }
        "no-functions" | "old-driver" => {
            no_gpu(["cuCtxGetCurrent", "11.2", "run on the CPU instead"]);
            best_is_cpu("lacks the function `cuCtxGetCurrent`");
        }
        "stub-driver" => {
            no_gpu(["cannot start the NVIDIA driver", "stub", "run on the CPU instead"]);
            assert_eq!(Device::cuda(0).unwrap_err().driver_code(), Some(34));
            assert_eq!(Devices::all().err().unwrap().kind(), ErrorKind::NoGpu);
            best_is_cpu("cannot start the NVIDIA driver");
        }
        "busy-gpu" => {
            assert_errors! { Device::cuda(0) => "", DeviceFailed; }
            best_is_cpu("cannot open the GPU");
        }
        "wrong-count" => wrong_driver("the driver reports -1 GPUs"),
        "wrong-gpu" => wrong_driver("the driver reports compute capability -9.-9"),
        "compiler-with-wrapper" => {
            let device = Device::cpu().unwrap();
            let (kernel, mut count) = (empty::load(&device).unwrap(), device.sum().unwrap());
            kernel.launch(&device.upload(&[2.0, 1.0]).unwrap(), &mut count).unwrap();
            assert_eq!(count.download().unwrap(), 1);
        }
        "driver-without-gpu" | "driver-of-wsl" => {
            no_gpu(["no GPU 0", "reports none"]);
            best_is_cpu("there is no GPU 0: the driver reports none");
        }
        _ => panic!("no case {case}"),
    }
}

/// There is no GPU, for the reason in these words.
fn no_gpu<const N: usize>(words: [&str; N]) {
    assert_errors! { Device::cuda(0) => words, NoGpu; }
}

/// What a driver reports cannot be right.
fn wrong_driver(reason: &str) {
    no_gpu([reason, "run on the CPU instead"]);
    best_is_cpu(reason);
}

/// The CPU is used instead, as its name and a warning report. The warning gives the reason, and does not advise running on the
/// CPU.
fn best_is_cpu(reason: &str) {
    let log = tempfile::NamedTempFile::new().unwrap();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(log.reopen().unwrap());
    let told = subscriber.set_default();
    let best = Device::best().unwrap();
    drop(told);
    assert!(best.name().starts_with("CPU"));
    let text = std::fs::read_to_string(log.path()).unwrap();
    assert!(text.contains("kernels run on the CPU") && text.contains(reason), "{text}");
    assert!(!text.contains("instead"), "{text}");
}

/// The source of an NVRTC 11.8 that only reports its version.
fn nvrtc_11() -> String {
    let listed = include_str!("../../runtime/src/backend/nvrtc/library.rs");
    let names =
        listed.lines().filter_map(|line| line.trim().strip_prefix("\"nvrtc")?.strip_suffix("\","));
    let other = names.filter(|name| *name != "Version");
    let functions = other.map(|name| format!("extern \"C\" int nvrtc{name}() {{ return 3; }}\n"));
    let version = "extern \"C\" int nvrtcVersion(int *major, int *minor) { *major = 11; *minor = 8; return 0; }\n";
    functions.chain([version.to_owned()]).collect()
}

/// The source of a driver with these functions. Each other one that this crate calls returns an error with this code.
fn driver(functions: &str, code: i32) -> String {
    let listed = include_str!("../../runtime/src/backend/driver.rs");
    let names =
        listed.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
    let others = names
        .filter(|name| name.starts_with("cu") && !functions.contains(&format!(" {name}(")))
        .map(|name| format!("extern \"C\" int {name}() {{ return {code}; }}\n"));
    format!("{functions}{}", others.collect::<String>())
}

/// Compiles `source` into a library that replaces the driver.
fn stub(folder: &Path, source: &str) {
    for name in ["libcuda.so.1", "libcuda.so"] {
        library(&folder.join(name), source);
    }
}

/// Compiles `source` into this library.
fn library(path: &Path, source: &str) {
    let text = path.with_extension("cpp");
    std::fs::write(&text, source).unwrap();
    let mut command = compiler();
    // The loader recognises a loaded library by this name.
    command.arg(format!("-Wl,-soname,{}", path.file_name().unwrap().display()));
    command.args(["-shared", "-fPIC", "-o"]).arg(path).arg(&text);
    assert!(command.status().unwrap().success());
}
