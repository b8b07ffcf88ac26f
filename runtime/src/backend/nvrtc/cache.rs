//! Compiled kernels, kept on disk for the next process.
//!
//! **The key.** An entry's key covers everything that NVRTC's result depends on: the source, the kernel's name (messages show
//! it), the options, the architecture and the NVRTC; also the version of this crate and of the entry format. The NVRTC is
//! identified by its file: path, size, time of modification, and the first 4 KiB, which mostly contain a build number. Loading
//! the library to ask it would take forty times as long as a whole cache hit. An entry's file name is the SHA-256 of its key.
//!
//! **What is trusted.** An entry repeats its key and has a checksum over its contents. A truncated, changed or foreign file is
//! reported, compiled again and overwritten. A checksum is not a signature: anyone who can write to the folder can put code on
//! the GPU. So the folder is created for its user alone, and may only be shared with trusted people. An entry is stored under
//! the NVRTC that made it, which is known after the compilation. Before that, the NVRTC that the process *would* load is a
//! guess; a wrong guess misses an entry but never finds a wrong one.
//!
//! **What is not kept.** Source that includes files, which NVRTC looks for in the working directory, and source with an option
//! that may read files: the key would not cover their contents.
//!
//! **Concurrent processes.** An entry is written under a temporary name, then renamed, so readers see all of it or none. A
//! process killed in between leaves a file that ends in `.tmp`, which is never read. Any file may be deleted at any time; this
//! module deletes nothing.

#[cfg(any(test, feature = "__fuzz"))]
pub(crate) mod damage;
mod entry;
mod key;
#[cfg(test)]
mod tests;

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "cpu")]
pub(crate) use self::key::includes_files;
use self::key::{Inputs, Key};
use super::{Compiled, library};
use crate::{Result, host::files};

/// The variable that names the cache folder for all devices.
const VARIABLE: &str = "TD_KERNEL_CACHE";

/// A folder of compiled kernels.
///
/// [`Device::with_cache`](crate::Device::with_cache) makes one for a device, the environment variable `TD_KERNEL_CACHE` for
/// every device. The CPU keeps its libraries there too, keyed by the compiler, its options and the processor.
///
/// A kernel is found if its source, its name, the options, the architecture, the file of NVRTC and the version of this crate
/// are the same. A kernel that may read files, through an `#include` or an option, is not kept. Processes may share a folder,
/// and its files may be deleted at any time. A damaged file is detected, reported and replaced. A forged one is not detected,
/// so use a folder that only people you trust can write to. A new folder is created for its user alone.
///
/// A cache needs no GPU:
///
/// ```no_run
/// use td_kernel::nvrtc::Cache;
///
/// let source = r#"extern "C" __global__ void nothing() {}"#;
/// let cache = Cache::new("target/kernels");
/// let compiled = cache.compile("nothing", source, &[], 90)?; // by NVRTC
/// let again = cache.compile("nothing", source, &[], 90)?; // from the folder, as in every later process
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    /// Whether a warning has already reported that the folder is unusable, or that entries are not found again.
    has_warned: AtomicBool,
}

impl Cache {
    /// A cache in `folder`, which is created when the first kernel is kept.
    ///
    /// A relative path starts at the current working directory. An unusable folder is not an error: kernels are then compiled
    /// as without a cache, and one warning through `tracing` gives the reason. There is also a warning if every user of the
    /// machine can write to the folder. An empty path means no folder, not the working directory: nothing is kept.
    pub fn new(folder: impl AsRef<Path>) -> Cache {
        let folder = folder.as_ref();
        if folder.as_os_str().is_empty() {
            return Cache { folder: PathBuf::new(), has_warned: AtomicBool::new(false) };
        }
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        if files::is_open_to_all(&folder) {
            tracing::warn!(
                "every user of this machine can write to {}, the cache of compiled kernels, and so run code on the GPU: remove this permission, or use another folder",
                folder.display()
            );
        }
        Cache { folder, has_warned: AtomicBool::new(false) }
    }

    /// The cache that the environment names.
    pub(crate) fn from_environment() -> Option<Cache> {
        Cache::asked_for(env::var_os(VARIABLE))
    }

    /// An empty value counts as unset: scripts unset variables that way.
    fn asked_for(value: Option<OsString>) -> Option<Cache> {
        value.filter(|folder| !folder.is_empty()).map(Cache::new)
    }

    /// Whether there is no folder.
    pub(crate) fn is_off(&self) -> bool {
        self.folder.as_os_str().is_empty()
    }

    /// The folder; an empty path if there is none.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the same as [`compile`](super::compile): from the folder, or compiled now and kept there.
    ///
    /// Warnings are reported through `tracing` each time.
    ///
    /// # Errors
    ///
    /// Those of [`compile`](super::compile). The cache adds none.
    pub fn compile(
        &self,
        kernel: &str,
        source: &str,
        options: &[&str],
        architecture: u32,
    ) -> Result<Compiled> {
        if self.is_off() {
            return super::compile(kernel, source, options, architecture);
        }
        if key::reads_files(source, options) {
            tracing::debug!("kernel `{kernel}` may read files and is not kept in the cache");
            return super::compile(kernel, source, options, architecture);
        }
        let key = |nvrtc| Key::of(&Inputs::new(nvrtc, kernel, source, options, architecture));
        let expected = library::expected();
        if let Some(compiled) = expected.as_ref().and_then(|nvrtc| self.lookup(&key(nvrtc))) {
            tracing::debug!("kernel `{kernel}` comes from the cache");
            super::report_warnings(kernel, &compiled.warnings);
            return Ok(compiled);
        }
        let compiled = super::compile(kernel, source, options, architecture)?;
        let loaded = library::loaded();
        if let Some(nvrtc) = &loaded {
            self.store(&key(nvrtc), &compiled);
        }
        if loaded.is_none() || loaded != expected {
            let file =
                loaded.map_or("an unknown file".into(), |nvrtc| nvrtc.path.display().to_string());
            self.warn_once(&format!(
                "later processes will not find the kernels of this process in the cache: NVRTC is {file}, which could not be determined before it was loaded; set $TD_KERNEL_NVRTC to the library"
            ));
        }
        Ok(compiled)
    }

    /// The entry for this key, if it exists and is intact.
    fn lookup(&self, key: &Key) -> Option<Compiled> {
        let path = self.path(key);
        let bytes = match files::read(&path) {
            Ok(bytes) => bytes,
            // `store` reports an unusable folder, or a file in its place.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return None;
            }
            Err(error) => {
                tracing::warn!(
                    "cannot read {} in the cache, so the kernel is compiled again: {error}",
                    path.display()
                );
                return None;
            }
        };
        match entry::decode(key, &bytes) {
            Ok(compiled) => Some(compiled),
            Err(defect) => {
                tracing::warn!(
                    "{} in the cache {defect}: the kernel is compiled again, and the file overwritten",
                    path.display()
                );
                None
            }
        }
    }

    /// Keeps `compiled` under this key, or warns once why it cannot.
    fn store(&self, key: &Key, compiled: &Compiled) {
        if let Err(error) =
            files::write(&self.folder, &key.file_name(), &entry::encode(key, compiled))
        {
            self.warn_once(&format!(
                "cannot store compiled kernels in {}: {error}; each process compiles them again: use a writable folder with free space, set by ${VARIABLE} or `with_cache`",
                self.folder.display()
            ));
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(key.file_name())
    }

    fn warn_once(&self, text: &str) {
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!("{text}");
        }
    }
}
