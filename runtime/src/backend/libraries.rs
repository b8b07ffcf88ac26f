//! The libraries that cudarc calls: the driver and NVRTC.
//!
//! cudarc loads them, unless another crate of the program makes it link them, as candle does. Only where it loads them does it
//! have `is_culib_present` and `culib`, which then hide the functions of these names here.

use std::sync::OnceLock;

use libloading::Library;

/// The driver in WSL. Not every container's loader searches its folder.
pub(crate) const DRIVER_OF_WSL: &str = "/usr/lib/wsl/lib/libcuda.so.1";

/// The driver, if it is present.
pub(crate) fn driver() -> Option<&'static Library> {
    #[allow(unused_imports)]
    use cudarc::driver::sys::*;
    static FOUND: OnceLock<&Library> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Some(found);
    }
    // SAFETY: loads the driver's library by its system names, as its first use would; its initialisers are the vendor's and run
    // once.
    let find = || unsafe { is_culib_present().then(|| culib()) };
    let found = find().or_else(|| load(DRIVER_OF_WSL).then(find).flatten())?;
    Some(FOUND.get_or_init(|| found))
}

/// Loads the driver's library for good. From then on, the loader of Linux finds it by its name.
fn load(path: &str) -> bool {
    // SAFETY: its initialisers are the vendor's and run once.
    let library = unsafe { Library::new(path) };
    library.map(std::mem::forget).is_ok()
}

/// NVRTC as cudarc finds it, if it does.
pub(crate) fn nvrtc() -> Option<&'static Library> {
    #[allow(unused_imports)]
    use cudarc::nvrtc::sys::*;
    // SAFETY: as above.
    unsafe { is_culib_present().then(|| culib()) }
}

/// A program that is linked with the libraries does not start without them.
#[cfg(unix)]
#[allow(dead_code)]
unsafe fn is_culib_present() -> bool {
    true
}

/// The program, in which the system's loader finds the functions of all libraries that it is linked with.
#[cfg(unix)]
#[allow(dead_code)]
unsafe fn culib() -> &'static Library {
    static PROGRAM: OnceLock<Library> = OnceLock::new();
    PROGRAM.get_or_init(|| libloading::os::unix::Library::this().into())
}
