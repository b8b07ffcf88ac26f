//! Compiled libraries.

use std::path::{Path, PathBuf};

use crate::backend::cpu::cache::{self, CachedLibrary, Key};
use crate::backend::cpu::folder::{self, Folder};
use crate::{Error, Result};

/// A compiled library in a directory of its own, which is removed with this value.
pub(super) struct Library {
    pub(super) directory: Folder,
    /// The stack size that its threads need.
    pub(super) stack: usize,
    /// The compiler's warnings.
    pub(super) warnings: String,
}

impl Library {
    /// A directory for a library.
    pub(super) fn new(stack: usize) -> Result<Library> {
        let parent = folder::parent();
        let directory = Folder::new(&parent)
            .map_err(|reason| Error::io("make a directory in", parent, reason))?;
        Ok(Library { directory, stack, warnings: String::new() })
    }

    /// Keeps it in the cache's folder for other processes.
    pub(super) fn keep(&self, folder: &Path, key: &Key) {
        // A library that cannot be read is not kept: loading it reports why.
        if let Ok(library) = std::fs::read(self.path()) {
            let (stack, warnings) = (self.stack, self.warnings.clone());
            cache::store(folder, key, &CachedLibrary { stack, warnings, library });
        }
    }

    /// The library's file.
    pub(super) fn path(&self) -> PathBuf {
        let name =
            format!("{}kernel{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        self.directory.path().join(name)
    }
}
