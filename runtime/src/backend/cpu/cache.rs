//! Compiled libraries, kept in the cache's folder for the next process.
//!
//! An entry is found if everything that it depends on is the same: the source, the shim, all options, the compiler by its
//! command and reported version, the processor by its model and features, and the version of this crate. Source that includes
//! files of its own is not kept. On systems that do not report the processor, nothing is. The system's headers and the
//! compiler's environment (`CPATH` and the like) are not part of the key.
//!
//! ```text
//! magic     16  "td-kernel cpu\n\0\0"
//! checksum  32  SHA-256 of all that follows
//! key       32
//! stack      8  the size of a thread's stack, the lowest byte first
//! length     8  of the warnings, the same
//! warnings
//! library       to the end of the file
//! ```
//!
//! As with GPU code, a checksum is not a signature: anyone who can write to the folder can put code into this process.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::host::files;

const MAGIC: &[u8; 16] = b"td-kernel cpu\n\0\0";

/// The version of the entry layout; increase it with each change.
const FORMAT: &[u8] = b"1";

/// The file extension of entries.
const EXTENSION: &str = "cpu";

/// A compiled library as bytes, with its stack size and warnings.
#[derive(Debug, PartialEq)]
pub(super) struct CachedLibrary {
    pub(super) stack: usize,
    /// The compiler's warnings.
    pub(super) warnings: String,
    pub(super) library: Vec<u8>,
}

/// Identifies an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// The key of these parts; different divisions into parts give different keys. `None` if the processor is unknown.
    pub(super) fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Option<Key> {
        Some(Key::on(&processor()?, parts))
    }

    fn on<'a>(processor: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> Key {
        let own = [
            FORMAT,
            env!("CARGO_PKG_VERSION").as_bytes(),
            std::env::consts::ARCH.as_bytes(),
            std::env::consts::OS.as_bytes(),
            processor.as_bytes(),
        ];
        let mut hash = Sha256::new();
        // Each part follows its length, so different divisions into parts give different keys.
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        own.into_iter().for_each(&mut add);
        parts.into_iter().for_each(add);
        Key(hash.finalize().into())
    }

    pub(super) fn file_name(&self) -> String {
        format!("{}.{EXTENSION}", base16ct::lower::encode_string(&self.0))
    }
}

/// The processor's model and features as the system lists them: `-march=native` depends on both.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    // The first processor stands for all: a compiler asks whichever one it runs on.
    let first = text.split("\n\n").next()?;
    let names = [
        "vendor_id", "cpu family", "model", "model name", "stepping", "flags", "Features",
        "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision",
    ];
    let is_told = |line: &&str| {
        let name = line.split(':').next().unwrap_or_default().trim();
        names.contains(&name)
    };
    let told: Vec<_> = first.lines().filter(is_told).collect();
    let has_flags =
        told.iter().any(|line| line.starts_with("flags") || line.starts_with("Features"));
    has_flags.then(|| told.join("\n"))
}

/// The entry for this key, if it exists and is intact.
pub(super) fn lookup(folder: &Path, key: &Key) -> Option<CachedLibrary> {
    let path = folder.join(key.file_name());
    let bytes = files::read(&path).ok()?;
    let found = decode(key, &bytes);
    if found.is_none() {
        tracing::warn!(
            "{} in the cache is damaged: the kernel is compiled again, and the file overwritten",
            path.display()
        );
    }
    found
}

/// Keeps a library under this key. If that fails, a warning gives the reason, and the next process compiles again.
pub(super) fn store(folder: &Path, key: &Key, kept: &CachedLibrary) {
    if let Err(error) = files::write(folder, &key.file_name(), &encode(key, kept)) {
        tracing::warn!(
            "cannot store compiled kernels in {}: {error}; each process compiles them again",
            folder.display()
        );
    }
}

fn encode(key: &Key, kept: &CachedLibrary) -> Vec<u8> {
    let [stack, length] =
        [kept.stack, kept.warnings.len()].map(|number| (number as u64).to_le_bytes());
    let body =
        [key.0.as_slice(), &stack, &length, kept.warnings.as_bytes(), &kept.library].concat();
    let checksum: [u8; 32] = Sha256::digest(&body).into();
    [MAGIC.as_slice(), &checksum, &body].concat()
}

fn decode(key: &Key, bytes: &[u8]) -> Option<CachedLibrary> {
    let sealed = bytes.strip_prefix(MAGIC)?;
    let (seal, body) = sealed.split_first_chunk::<32>()?;
    let checksum: [u8; 32] = Sha256::digest(body).into();
    let rest = body.strip_prefix(&key.0).filter(|_| checksum == *seal)?;
    let (stack, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let number = |bytes: &[u8; 8]| usize::try_from(u64::from_le_bytes(*bytes)).ok();
    let (warnings, library) = rest.split_at_checked(number(length)?)?;
    let warnings = String::from_utf8(warnings.to_vec()).ok()?;
    Some(CachedLibrary { stack: number(stack)?, warnings, library: library.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> CachedLibrary {
        CachedLibrary { stack: 1 << 17, warnings: "unused".into(), library: (0..200).collect() }
    }

    #[test]
    fn each_input_changes_the_key() {
        let parts =
            |parts: &[&'static str]| parts.iter().map(|part| part.as_bytes()).collect::<Vec<_>>();
        let keys = [
            Key::on("flags: avx", parts(&["g++ 12", "-O3", "text"])),
            Key::on("flags: avx2", parts(&["g++ 12", "-O3", "text"])),
            Key::on("flags: avx", parts(&["g++ 13", "-O3", "text"])),
            Key::on("flags: avx", parts(&["g++ 12", "-O2", "text"])),
            Key::on("flags: avx", parts(&["g++ 12", "-O3t", "ext"])),
        ];
        let names: std::collections::BTreeSet<_> = keys.iter().map(Key::file_name).collect();
        assert_eq!(names.len(), keys.len());
    }

    #[test]
    fn damaged_entry_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        let key = Key::on("", [b"text".as_slice()]);
        assert_eq!(lookup(folder.path(), &key), None);
        store(folder.path(), &key, &kept());
        assert_eq!(lookup(folder.path(), &key), Some(kept()));
        assert_eq!(lookup(folder.path(), &Key::on("", [b"other".as_slice()])), None);
        let whole = encode(&key, &kept());
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            assert_eq!(decode(&key, &changed), None, "byte {place}");
            assert_eq!(decode(&key, &whole[..place]), None, "{place} bytes");
        }
        assert_eq!(decode(&Key::on("", [b"other".as_slice()]), &whole), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_describes_the_processor() {
        assert!(processor().is_some_and(|told| told.lines().count() > 1));
    }
}
