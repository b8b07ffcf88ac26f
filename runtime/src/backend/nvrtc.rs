//! NVRTC, NVIDIA's compiler as a library: CUDA C++ to machine code.
//!
//! [`compile`] needs no GPU, so tests can compile kernels for any architecture. A [`Cache`] keeps compiled kernels for the next
//! process.

mod cache;
mod library;
mod messages;

use std::ffi::{CStr, CString, c_char};

use cudarc::nvrtc::result::NvrtcError;
use cudarc::nvrtc::{result, sys};

pub use self::cache::Cache;
#[cfg(feature = "__fuzz")]
pub(crate) use self::cache::damage::check as check_entry;
#[cfg(feature = "cpu")]
pub(crate) use self::cache::includes_files;
use crate::backend::compiler_messages::explained;
use crate::types::warnings;
use crate::{Error, Result};

/// The options of every compilation, besides the architecture.
const OPTIONS: &[&str] = &["--std=c++17", "--ptxas-options=--warn-on-spills"];

/// The oldest supported architecture: the first with atomic addition of doubles.
pub(crate) const OLDEST_ARCHITECTURE: u32 = 60;

/// A compiled kernel.
///
/// ```no_run
/// use td_kernel::nvrtc;
///
/// let compiled = nvrtc::compile("nothing", r#"extern "C" __global__ void nothing() {}"#, &[], 90)?;
/// assert!(compiled.warnings.is_empty());
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq))]
#[non_exhaustive]
pub struct Compiled {
    /// The code.
    pub code: Code,
    /// The compiler's warnings; empty if there are none.
    pub warnings: String,
}

/// The two forms of code that a driver loads.
///
/// ```no_run
/// # #[cfg(feature = "cudarc")] {
/// use td_kernel::cudarc::nvrtc::Ptx;
/// use td_kernel::nvrtc::{self, Code};
///
/// let compiled = nvrtc::compile("nothing", r#"extern "C" __global__ void nothing() {}"#, &[], 90)?;
/// // What cudarc's `CudaContext::load_module` takes.
/// let image = match compiled.code {
///     Code::Cubin(bytes) => Ptx::from_binary(bytes),
///     Code::Ptx(text) => Ptx::from_src(text),
/// };
/// # }
/// # Ok::<(), td_kernel::Error>(())
/// ```
// Exhaustive: a driver loads no other form.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub enum Code {
    /// Machine code for one architecture. It loads even if the compiler is newer than the driver; PTX then does not.
    Cubin(Vec<u8>),
    /// Assembly for a virtual architecture, used where the GPU is newer than NVRTC.
    Ptx(String),
}

impl Error {
    /// Turns an NVRTC error into one that names the failed action.
    pub(crate) fn nvrtc(action: &'static str) -> impl FnOnce(NvrtcError) -> Error {
        move |code| Error::no_compiler(format!("NVRTC cannot {action}: {:?}", code.0))
    }
}

/// NVRTC's version, as (major, minor).
///
/// # Errors
///
/// NVRTC is missing.
pub fn version() -> Result<(u32, u32)> {
    library::load()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: NVRTC is loaded, and writes two numbers.
    unsafe { sys::nvrtcVersion(&mut major, &mut minor) }
        .result()
        .map_err(Error::nvrtc("report its version"))?;
    Ok((major.unsigned_abs(), minor.unsigned_abs()))
}

/// Compiles `source` for `architecture`: 90 for compute capability 9.0.
///
/// `options` are NVRTC options besides C++17 and the architecture. A generated kernel's are in its `OPTIONS`.
///
/// `kernel` is its name in messages. Warnings are also reported through `tracing`.
///
/// # Errors
///
/// NVRTC is missing or older than 12.0; the architecture is older than 60 or than all that NVRTC supports; or NVRTC rejects the
/// source: then the error holds its messages, with the user's line numbers.
pub fn compile(
    kernel: &str,
    source: &str,
    options: &[&str],
    architecture: u32,
) -> Result<Compiled> {
    is_supported(architecture)?;
    library::load()?;
    let known = architectures()?;
    let nearest = known.iter().copied().filter(|known| *known <= architecture).max();
    let (target, is_cubin) = match nearest {
        // With the suffix `a`, code may use features that no later architecture has. A cubin runs on this architecture only
        // anyway.
        Some(90) if architecture == 90 => ("sm_90a".to_owned(), true),
        Some(exact) if exact == architecture => (format!("sm_{exact}"), true),
        // An architecture newer than NVRTC's newest, or between two that it supports: the driver compiles the PTX for it.
        Some(nearest) => (format!("compute_{nearest}"), false),
        None => {
            return Err(Error::no_compiler(format!(
                "this NVRTC does not support sm_{architecture}, only {known:?}: CUDA 13 does not support GPUs before sm_75, so install CUDA 12, or `pip install nvidia-cuda-nvrtc-cu12` in a virtual environment, and set $TD_KERNEL_NVRTC to that library"
            )));
        }
    };
    let without_nul = |what: &str, text: String| {
        CString::new(text).map_err(|_| {
            Error::compile(kernel, "NVRTC", format!("the kernel {what} contains a NUL character"))
        })
    };
    let text = without_nul("source", source.to_owned())?;
    let name = without_nul("name", format!("{kernel}.cu"))?;
    let architecture = format!("--gpu-architecture={target}");
    // The common name, without the suffix `a`.
    let compiler = format!("NVRTC, {}", target.strip_suffix('a').unwrap_or(&target));
    let options = OPTIONS.iter().chain(options).map(|&option| option.to_owned());
    let options: Vec<String> = options.chain([architecture]).collect();
    let Answer { log, code } = on_a_large_stack(kernel, || ask(&text, &name, &options, is_cubin))??;
    let log = messages::readable(kernel, source, &log);
    let Some(code) = code else {
        return Err(Error::compile(kernel, &compiler, explained(kernel, source, &log)));
    };
    report_warnings(kernel, &log);
    if matches!(&code, Code::Cubin(bytes) if bytes.is_empty()) {
        let problem = format!(
            "NVRTC returned no machine code with the options {}: remove options that request other output, such as `-dlto`",
            options.join(" ")
        );
        return Err(Error::compile(kernel, &compiler, problem));
    }
    Ok(Compiled { code, warnings: log })
}

/// Compiles a source, or takes it from the cache, if there is one.
pub(crate) fn compile_with(
    cache: Option<&Cache>,
    kernel: &str,
    source: &str,
    options: &[&str],
    architecture: u32,
) -> Result<Compiled> {
    match cache {
        Some(cache) => cache.compile(kernel, source, options, architecture),
        None => compile(kernel, source, options, architecture),
    }
}

/// NVRTC's log for a source, and the code if it compiles.
struct Answer {
    log: String,
    code: Option<Code>,
}

/// Compiles a source with NVRTC.
fn ask(text: &CStr, name: &CStr, options: &[String], is_cubin: bool) -> Result<Answer> {
    let program = result::create_program(text, Some(name));
    let program = Program(program.map_err(Error::nvrtc("create a program"))?);
    // SAFETY: the program was created above and is destroyed when it goes out of scope, before `text` and `name`, which it may
    // refer to.
    let compiled = unsafe { result::compile_program(program.0, options) };
    let code = match compiled {
        Err(_) => None,
        Ok(()) if is_cubin => Some(Code::Cubin(program.cubin()?)),
        Ok(()) => Some(Code::Ptx(program.ptx()?)),
    };
    Ok(Answer { log: program.log(), code })
}

/// The stack on which NVRTC compiles. NVRTC recurses for each nested bracket and `?:`; a thousand of them overflow the 2 MiB of
/// Rust's threads. Only pages that it touches take memory.
const STACK: usize = 64 << 20;

/// Runs `work` on a thread with a large stack.
fn on_a_large_stack<R: Send>(kernel: &str, work: impl FnOnce() -> R + Send) -> Result<R> {
    let failed = |reason| Error::io("start a thread that compiles", kernel, reason);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("nvrtc".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work).map_err(failed)?;
        // Nothing panics on that thread; a panic would become this error.
        thread.join().map_err(|_| failed(std::io::Error::other("it has panicked")))
    })
}

/// Whether this crate compiles kernels for this architecture, given an NVRTC that supports it.
pub(crate) fn is_supported(architecture: u32) -> Result<()> {
    match architecture < OLDEST_ARCHITECTURE {
        true => Err(Error::no_gpu(format!(
            "compute capability {}.{} (sm_{architecture}) is not supported: kernels run on GPUs of {}.{} (sm_{OLDEST_ARCHITECTURE}) and later",
            architecture / 10,
            architecture % 10,
            OLDEST_ARCHITECTURE / 10,
            OLDEST_ARCHITECTURE % 10
        ))),
        false => Ok(()),
    }
}

/// Reports a compiler's warnings, if any.
fn report_warnings(kernel: &str, text: &str) {
    if !text.is_empty() {
        warnings::report(&format!("kernel `{kernel}` compiles with warnings:\n{text}"));
    }
}

/// The architectures that NVRTC compiles kernels for: 90 for compute capability 9.0. Architectures before 60, which NVRTC 12
/// supports too, are left out.
///
/// # Errors
///
/// NVRTC is missing.
pub fn architectures() -> Result<Vec<u32>> {
    library::load()?;
    let mut count = 0;
    let ask = || Error::nvrtc("list its architectures");
    // SAFETY: NVRTC is loaded, and writes one number.
    unsafe { sys::nvrtcGetNumSupportedArchs(&mut count) }.result().map_err(ask())?;
    let length = usize::try_from(count);
    let length =
        length.map_err(|_| Error::other(format!("NVRTC reports {count} architectures")))?;
    let mut known = vec![0; length];
    // SAFETY: `known` has room for the number of values that NVRTC has reported.
    unsafe { sys::nvrtcGetSupportedArchs(known.as_mut_ptr()) }.result().map_err(ask())?;
    let known = known.into_iter().map(i32::unsigned_abs);
    Ok(known.filter(|each| *each >= OLDEST_ARCHITECTURE).collect())
}

struct Program(sys::nvrtcProgram);

impl Program {
    /// The compiler's log.
    fn log(&self) -> String {
        // SAFETY: the program exists.
        match unsafe { result::get_program_log(self.0) } {
            Ok(log) => text(&log).trim().to_owned(),
            Err(error) => format!("(NVRTC cannot return its log: {error})"),
        }
    }

    fn cubin(&self) -> Result<Vec<u8>> {
        let get = || Error::nvrtc("return the machine code");
        let mut size = 0;
        // SAFETY: the program exists, and NVRTC writes one number.
        unsafe { sys::nvrtcGetCUBINSize(self.0, &mut size) }.result().map_err(get())?;
        let mut cubin = vec![0_u8; size];
        // SAFETY: `cubin` has room for the number of bytes that NVRTC has reported.
        unsafe { sys::nvrtcGetCUBIN(self.0, cubin.as_mut_ptr().cast()) }.result().map_err(get())?;
        Ok(cubin)
    }

    fn ptx(&self) -> Result<String> {
        // SAFETY: the program exists.
        let ptx = unsafe { result::get_ptx(self.0) }.map_err(Error::nvrtc("return the PTX"))?;
        Ok(text(&ptx))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: created in `compile`, and destroyed only here.
        if let Err(error) = unsafe { result::destroy_program(self.0) } {
            tracing::warn!("NVRTC cannot destroy a program: {error}");
        }
    }
}

/// The characters before the NUL.
fn text(chars: &[c_char]) -> String {
    let bytes = bytemuck::cast_slice(chars);
    let text = CStr::from_bytes_until_nul(bytes).map_or(bytes, CStr::to_bytes);
    String::from_utf8_lossy(text).into_owned()
}
