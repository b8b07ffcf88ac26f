//! What NVRTC only reads: whether a text is understood, without machine code.

use td_kernel::Result;
use td_kernel::nvrtc::{self, Compiled};

/// Compiles a text into PTX, without optimizing it, which takes a few hundredths of a second: NVRTC reads it, and says what
/// is wrong or odd in it. Only spilled registers show later, in machine code.
///
/// # Errors
///
/// NVRTC is missing, or the text does not compile.
pub fn read(source: &str) -> Result<Compiled> {
    let newer = nvrtc::architectures()?.into_iter().max().unwrap_or_default() + 10;
    nvrtc::compile("every", &format!("// NVRTC option: --device-debug\n{source}"), newer)
}
