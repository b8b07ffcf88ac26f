//! The causes of errors of a machine: what it lacks, or has in an old version.

use std::path::PathBuf;

use cudarc::nvrtc::result::NvrtcError;

/// What to do about an NVRTC that is too old.
const NEWER_NVRTC: &str = "install a newer CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment, and name the library of that one in $TD_KERNEL_NVRTC, or none to have it looked for";

/// What to do without a GPU.
const ON_THE_CPU: &str = if cfg!(feature = "cpu") {
    "run on the CPU instead"
} else {
    "run on the CPU instead, with the feature `cpu` of td-kernel"
};

/// What a machine lacks: a driver, a GPU, or a compiler.
///
/// Architectures are as 90 for compute capability 9.0, and versions (major, minor).
#[derive(thiserror::Error, Debug)]
// Some are the CPU device's alone.
#[cfg_attr(not(feature = "cpu"), allow(dead_code))]
pub(crate) enum MachineCause {
    #[error(
        "no NVIDIA driver found\n  tried: {}\n  install the driver of your GPU, or {ON_THE_CPU}",
        tried.join(", ")
    )]
    NoDriver { tried: Vec<String> },

    #[error("the NVIDIA driver has no function `{function}`: install one for CUDA 11.2 or newer")]
    OldDriver { function: &'static str },

    #[error(
        "there is no GPU {ordinal}: the driver counts {count}, from 0 on; without one, {ON_THE_CPU}"
    )]
    NoGpu { ordinal: usize, count: usize },

    #[error(
        "NVRTC not found, which compiles kernels for a GPU\n  tried: {}\n  install the CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment, or name the library in $TD_KERNEL_NVRTC",
        tried.join("\n         ")
    )]
    NoNvrtc { tried: Vec<String> },

    #[error(
        "NVRTC was found as {}, but another one comes first on the system's library path: remove that one, or name it in $TD_KERNEL_NVRTC",
        wanted.display()
    )]
    OtherNvrtc { wanted: PathBuf },

    #[error(
        "{} has no function `{function}`, so it is not NVRTC, or one of long before CUDA {}.{}: {NEWER_NVRTC}",
        path.display(),
        oldest.0,
        oldest.1
    )]
    NotNvrtc { path: PathBuf, function: &'static str, oldest: (u32, u32) },

    #[error(
        "{} is NVRTC {}.{}, and the oldest one that kernels are compiled with is {}.{}: {NEWER_NVRTC}",
        path.display(),
        version.0,
        version.1,
        oldest.0,
        oldest.1
    )]
    OldNvrtc { path: PathBuf, version: (u32, u32), oldest: (u32, u32) },

    #[error(
        "compute capability {}.{} (sm_{architecture}) is not supported: kernels run on GPUs of {}.{} (sm_{oldest}) and later; without one, {ON_THE_CPU}",
        architecture / 10,
        architecture % 10,
        oldest / 10,
        oldest % 10
    )]
    OldGpu { architecture: u32, oldest: u32 },

    /// NVRTC failed, other than by refusing a kernel.
    #[error("NVRTC cannot {action}: {:?}", code.0)]
    Nvrtc { action: &'static str, code: NvrtcError },

    #[error(
        "this NVRTC does not compile for sm_{architecture}, but for {known:?}: CUDA 13 has dropped GPUs before sm_75, so install CUDA 12, or `pip install nvidia-cuda-nvrtc-cu12` in a virtual environment, and name that library in $TD_KERNEL_NVRTC"
    )]
    UnknownArchitecture { architecture: u32, known: Vec<u32> },

    #[error(
        "no C++ compiler found for the CPU device\n  tried: {}\n  install one (Debian and Ubuntu: `apt install g++`; Fedora: `dnf install gcc-c++`; macOS: `xcode-select --install`), or name one in $CXX",
        tried.join(", ")
    )]
    NoCompiler { tried: Vec<String> },

    /// `found` is what it left.
    #[error(
        "kernel `{kernel}`: the command `{command}` ({compiler}) ended without an error, but left {found}: name a C++ compiler in $CXX that takes the options of g++ and compiles for this machine, or unset $CXX"
    )]
    NoLibrary { kernel: String, command: String, compiler: String, found: String },
}

/// The message without the advice to run on the CPU, for where the CPU is used already, or other GPUs are.
pub(super) fn without_advice(message: &str) -> &str {
    let before = message.strip_suffix(ON_THE_CPU);
    let ends = [", or ", "; without one, "];
    let before = before.and_then(|before| ends.iter().find_map(|end| before.strip_suffix(end)));
    before.unwrap_or(message)
}
