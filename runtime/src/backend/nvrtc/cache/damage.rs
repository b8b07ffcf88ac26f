//! Checks that changed cache files are detected: for a fuzzer, and for tests with the inputs that fuzzing found.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::super::{Code, Compiled, library::Identity};
use super::key::{Inputs, Key};
use super::{Cache, entry};

pub(super) fn nvrtc() -> Identity {
    Identity { path: "/opt/libnvrtc.so".into(), size: 1, modified: 2, head: vec![3] }
}

pub(super) fn key(source: &str) -> Key {
    Key::of(&Inputs::new(&nvrtc(), "edm", source, &[], 90))
}

/// Changes an entry in the way that the first byte selects, using the bytes after it, and looks it up.
///
/// # Errors
///
/// The cache returns something that was not stored, or does not return what was stored afterwards.
pub(crate) fn check(folder: &Path, data: &[u8]) -> Result<(), &'static str> {
    let Some((&way, rest)) = data.split_first() else { return Ok(()) };
    let cache = Cache::new(folder);
    let cubin = Compiled { code: Code::Cubin((0..40).collect()), warnings: "unused".into() };
    let ptx = Compiled { code: Code::Ptx(".version 8.0\n".into()), warnings: String::new() };
    let (stored, other) = if way & 8 == 0 { (&cubin, &ptx) } else { (&ptx, &cubin) };
    let (own, others) = (key("own"), key("other's"));
    cache.store(&own, stored);
    cache.store(&others, other);
    let path = cache.path(&own);
    let whole = entry::encode(&own, stored);
    let forges = matches!(way % 8, 5 | 7);
    let changed = match way % 8 {
        0 => rest.to_vec(),
        1 => {
            whole[..rest.first().map_or(0, |&length| usize::from(length).min(whole.len()))].to_vec()
        }
        2 => edited(whole.clone(), rest),
        3 => [&whole, rest].concat(),
        4 => entry::encode(&others, other),
        5 => sealed(&own, rest),
        6 => [rest, &whole].concat(),
        _ => edited(sealed(&own, &[&[0; 9], rest].concat()), rest),
    };
    std::fs::write(&path, &changed).map_err(|_| "the folder cannot be written")?;
    let found = cache.lookup(&own).map(|found| entry::encode(&own, &found));
    let holds = |is_true: bool, otherwise| if is_true { Ok(()) } else { Err(otherwise) };
    if changed == whole {
        holds(found.as_ref() == Some(&whole), "the intact entry is not found")?;
    } else if forges {
        // Anyone can compute a checksum. A result must at least be what the file contains.
        holds(found.is_none_or(|found| found == changed), "the entry found is not the file's")?;
    } else {
        holds(found.is_none(), "an entry that was not stored is found")?;
    }
    cache.store(&own, stored);
    let again = cache.lookup(&own).map(|found| entry::encode(&own, &found));
    holds(again == Some(whole), "a changed entry is not overwritten")?;
    let others_now = cache.lookup(&others).map(|found| entry::encode(&others, &found));
    holds(others_now == Some(entry::encode(&others, other)), "the other entry has changed")
}

/// Every three bytes change one byte: two give its position, one the change.
fn edited(mut bytes: Vec<u8>, edits: &[u8]) -> Vec<u8> {
    let length = bytes.len();
    for edit in edits.chunks_exact(3) {
        bytes[usize::from(u16::from_le_bytes([edit[0], edit[1]])) % length] ^= edit[2];
    }
    bytes
}

/// An entry with a valid checksum, as an attacker would write it.
pub(super) fn sealed(key: &Key, rest: &[u8]) -> Vec<u8> {
    let body = [key.digest().as_slice(), rest].concat();
    let checksum: [u8; 32] = Sha256::digest(&body).into();
    [b"td-kernel entry\n".as_slice(), &checksum, &body].concat()
}
