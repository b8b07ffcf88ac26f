//! Where input is read from: files, compressed ones, and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::{Error, Result};

/// Larger inputs are refused; in bytes, once they are no longer compressed.
pub(crate) const LARGEST: u64 = 1 << 32;
/// The part that is checked first, because names such as `/dev/zero` have no end.
const FIRST_PART: u64 = 1 << 16;
/// What every file that gzip has compressed begins with.
const GZIP: &[u8] = b"\x1f\x8b";

/// What every file in NumPy's format begins with.
pub(crate) const NPY: &[u8] = b"\x93NUMPY";

/// What files begin with that are no text, and what to say of them.
const PACKED: [(&[u8], &str); 5] = [
    (
        b"PK\x03\x04",
        "it is a zip archive, as spreadsheets are: unpack it, or save the table as .csv",
    ),
    (b"\xfd7zXZ\0", "it is compressed by xz: decompress it, or compress it by gzip"),
    (b"\x28\xb5\x2f\xfd", "it is compressed by zstd: decompress it, or compress it by gzip"),
    (b"BZh", "it is compressed by bzip2: decompress it, or compress it by gzip"),
    (
        NPY,
        "it is an array in NumPy's format, which `similarity` and `knn` read from files that end in .npy: write a table \
         of it, as `numpy.savetxt(name, rows, delimiter=\",\")` does",
    ),
];

/// Whether this name stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// What messages call an input.
pub fn name(path: &Path) -> String {
    match is_standard_input(path) {
        true => "standard input".into(),
        false => path.display().to_string(),
    }
}

/// The end of an input's name, in small letters, without one that says that it is compressed.
pub fn ending(path: &Path) -> Option<String> {
    let last = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
    match last(path)?.as_str() {
        "gz" => last(Path::new(path.file_stem()?)),
        ending => Some(ending.into()),
    }
}

/// The text of an input: of standard input if it is called `-`. What gzip has compressed, whatever its name, is
/// decompressed.
///
/// # Errors
///
/// It cannot be read, or is too large, or what is compressed is damaged.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let read = match is_standard_input(path) {
        true => text(io::stdin().lock()),
        false => File::open(path).and_then(text),
    };
    // Where reading fails, a message has the name that the user wrote, or what it stands for.
    read.map_err(|reason| Error::Read { path: name(path).into(), reason })
}

fn text(mut input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // `read_to_end` allocates fallibly. A first part with zero bytes is refused, whatever follows.
    input.by_ref().take(FIRST_PART).read_to_end(&mut bytes)?;
    if bytes.starts_with(GZIP) {
        return decompressed(bytes.chain(input));
    }
    if let Some((_, advice)) = PACKED.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(io::Error::other(*advice));
    }
    if !bytes.contains(&0) {
        input.take(LARGEST).read_to_end(&mut bytes)?;
    }
    checked(bytes)
}

fn decompressed(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match MultiGzDecoder::new(input).take(LARGEST + 1).read_to_end(&mut bytes) {
        Ok(_) => checked(bytes),
        Err(reason) if reason.kind() == io::ErrorKind::OutOfMemory => Err(reason),
        Err(reason) => Err(io::Error::other(format!(
            "it is compressed by gzip, and damaged or cut off ({reason}): compress or copy it again"
        ))),
    }
}

/// Refuses too many bytes.
pub(crate) fn checked(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    match bytes.len() as u64 <= LARGEST {
        true => Ok(bytes),
        false => Err(io::Error::other("it has more than 4 GiB, the most that is read")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn compressed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_is_compressed_is_read_as_what_is_not() {
        let plain = "x,y\n1,2\n".repeat(40_000).into_bytes();
        let whole = compressed(&plain);
        assert_eq!(text(plain.as_slice()).unwrap(), plain);
        assert_eq!(text(whole.as_slice()).unwrap(), plain);
        // Files that gzip has compressed can be put together.
        let twice = [whole.as_slice(), &whole].concat();
        assert_eq!(text(twice.as_slice()).unwrap(), plain.repeat(2));
        assert_eq!(text(compressed(b"").as_slice()).unwrap(), b"");
    }

    #[test]
    fn damaged_input_is_an_error() {
        let mut bytes = compressed(b"x,y\n1,2\n3,4\n");
        for cut in 2..bytes.len() {
            let error = text(&bytes[..cut]).unwrap_err().to_string();
            assert!(
                error.starts_with("it is compressed by gzip, and damaged or cut off"),
                "{error}"
            );
        }
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert!(text(bytes.as_slice()).is_err());
    }

    #[test]
    fn what_is_no_text_is_called_by_its_name() {
        for (start, name) in [
            ("PK\x03\x04\x14".as_bytes(), "a zip archive"),
            (b"\xfd7zXZ\0\0", "compressed by xz"),
            (b"\x28\xb5\x2f\xfd\x24", "compressed by zstd"),
            (b"BZh91AY", "compressed by bzip2"),
            (
                b"\x93NUMPY\x01\0v\0{",
                "an array in NumPy's format, which `similarity` and `knn` read",
            ),
        ] {
            let error = text(start).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }

    #[test]
    fn an_ending_is_that_before_gz() {
        for (path, expected) in [
            ("a.csv", Some("csv")),
            ("b.d/a.PDB", Some("pdb")),
            ("a.pdb.gz", Some("pdb")),
            ("a.CIF.GZ", Some("cif")),
            ("a.gz", None),
            ("-", None),
            ("a.csv/a", None),
        ] {
            assert_eq!(ending(Path::new(path)).as_deref(), expected, "{path}");
        }
        assert_eq!(name(Path::new("-")), "standard input");
        assert_eq!(name(Path::new("./-")), "./-");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_an_end_is_not_read_to_its_end() {
        assert!(read(Path::new("/dev/zero")).unwrap().len() as u64 <= FIRST_PART);
    }
}
