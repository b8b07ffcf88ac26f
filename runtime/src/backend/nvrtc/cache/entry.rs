//! The bytes of an entry.
//!
//! ```text
//! magic     16  "td-kernel entry\n"
//! checksum  32  SHA-256 of all that follows
//! key       32  the key's own SHA-256
//! form       1  0 for machine code, 1 for PTX
//! length     8  of the warnings, the lowest byte first
//! warnings
//! code          to the end of the file
//! ```
//!
//! A change of this layout needs a new [`FORMAT`](super::key::FORMAT).

use sha2::{Digest, Sha256};

use super::key::Key;
use crate::backend::nvrtc::{Code, Compiled};

const MAGIC: &[u8; 16] = b"td-kernel entry\n";
const CUBIN: u8 = 0;
const PTX: u8 = 1;

/// Why a file is not the entry that was looked for.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum Defect {
    #[error("is not a compiled kernel")]
    Foreign,
    #[error("is truncated, or was changed")]
    Damaged,
    #[error("is the entry of another kernel")]
    OtherKey,
}

pub(super) fn encode(key: &Key, compiled: &Compiled) -> Vec<u8> {
    let (form, code) = match &compiled.code {
        Code::Cubin(bytes) => (CUBIN, bytes.as_slice()),
        Code::Ptx(text) => (PTX, text.as_bytes()),
    };
    let warnings = compiled.warnings.as_bytes();
    // 64 bits on every machine, whatever its `usize`.
    let length = (warnings.len() as u64).to_le_bytes();
    let body = [key.digest().as_slice(), &[form], &length, warnings, code].concat();
    [MAGIC.as_slice(), &checksum(&body), &body].concat()
}

/// Decodes an entry, if it is intact and has this `key`.
pub(super) fn decode(key: &Key, bytes: &[u8]) -> Result<Compiled, Defect> {
    let sealed = bytes.strip_prefix(MAGIC).ok_or(Defect::Foreign)?;
    let (seal, body) = sealed.split_first_chunk().ok_or(Defect::Damaged)?;
    if checksum(body) != *seal {
        return Err(Defect::Damaged);
    }
    // The checksum proves that the rest is as written. Contents that this crate never writes are still rejected: anyone who can
    // write a file can write its checksum.
    let body = body.strip_prefix(key.digest()).ok_or(Defect::OtherKey)?;
    contents(body).ok_or(Defect::Damaged)
}

fn contents(body: &[u8]) -> Option<Compiled> {
    let (&form, rest) = body.split_first()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (warnings, code) = rest.split_at_checked(length)?;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    let code = match form {
        CUBIN if !code.is_empty() => Code::Cubin(code.to_vec()),
        // cudarc panics on PTX that contains a NUL.
        PTX if !code.contains(&0) => Code::Ptx(text(code)?),
        _ => return None,
    };
    Some(Compiled { code, warnings: text(warnings)? })
}

fn checksum(body: &[u8]) -> [u8; 32] {
    Sha256::digest(body).into()
}
