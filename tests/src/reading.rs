//! What tests ask NVRTC of texts that are not all to become machine code.

use td_kernel::__private::{Registered, inventory};
use td_kernel::Result;
use td_kernel::nvrtc::{self, Compiled};

use crate::covering::in_turn;

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

/// Compiles every kernel of the program that calls this for Hopper: each in one of its texts, by turns, or with the feature `every` in
/// all. Returns how many kernels there are.
///
/// # Errors
///
/// NVRTC is missing, or a text does not compile.
///
/// # Panics
///
/// There is a warning.
pub fn compile_in_turn() -> Result<usize> {
    let mut kernels: Vec<_> = inventory::iter::<Registered>.into_iter().collect();
    // A linker's list has no order, and kernels of one name differ in their first text.
    kernels.sort_unstable_by_key(|each| (each.kernel, each.variants[0].source));
    for (turn, Registered { kernel, variants, warnings, .. }) in kernels.iter().enumerate() {
        assert!(warnings.is_empty(), "{kernel}");
        let texts = variants.iter().map(|each| each.source);
        let texts = texts.chain(variants.iter().filter_map(|each| each.rows));
        for (at, text) in in_turn(texts, turn) {
            let compiled = nvrtc::compile(kernel, text, 90)?;
            assert_eq!(compiled.warnings, "", "{kernel}, text {at}");
        }
    }
    Ok(kernels.len())
}
