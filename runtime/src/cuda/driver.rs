//! Looks for the driver's library before cudarc does, which panics where it is missing.

use crate::{Error, Result};

/// Finds the driver, or says what was looked for.
pub(super) fn probe() -> Result<()> {
    // SAFETY: loads the driver's library by its system names, as its first use would; its
    // initialisers are the vendor's own and run once.
    match unsafe { cudarc::driver::sys::is_culib_present() } {
        true => Ok(()),
        false => {
            let names = if cfg!(windows) {
                ["nvcuda.dll", "cuda.dll"]
            } else {
                ["libcuda.so.1", "libcuda.so"]
            };
            Err(Error::NoDriver { tried: names.map(str::to_owned).to_vec() })
        }
    }
}
