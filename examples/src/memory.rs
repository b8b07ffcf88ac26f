//! Allocations that return an error: too little memory must not end the process.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use td_kernel::{Device, ErrorKind};

use crate::number::whole;
use crate::{Error, Result, source};

/// How many bytes an argument says: 2000000000, or 2e9.
///
/// # Errors
///
/// It is no whole number, or more than an address space has.
pub fn bytes(text: &str) -> std::result::Result<usize, String> {
    let number = whole(text, isize::MAX as u64)?;
    usize::try_from(number).map_err(|error| error.to_string())
}

/// An empty vector with room for `length` elements.
///
/// # Errors
///
/// There is not enough memory.
pub fn reserved<T>(length: usize) -> Result<Vec<T>> {
    let mut vector = Vec::new();
    match vector.try_reserve_exact(length) {
        Ok(()) => Ok(vector),
        Err(_) => {
            let needed = length.saturating_mul(size_of::<T>());
            Err(Error::HostMemory { needed })
        }
    }
}

/// The first `length` of these elements.
///
/// # Errors
///
/// There is not enough memory.
pub fn collected<T>(length: usize, elements: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut vector = reserved(length)?;
    vector.extend(elements.into_iter().take(length));
    Ok(vector)
}

/// Asks for memory for so many values on the device, for a copy of them on the host, and then for so many more there, and
/// gives it back: a result should not be computed that has no place.
///
/// # Errors
///
/// There is not enough memory, by now: others may use some of it before the work does.
pub fn expect_room(device: &Device, values: usize, more: usize) -> Result<()> {
    /// Values of 256 MB: threads and the kernel's code take memory that is not asked for here.
    const MOST_BESIDE: usize = 1 << 26;

    let _computed = device.zeroed::<f32>(values)?;
    let beside = (values / 2).min(MOST_BESIDE);
    match device.is_cpu() {
        // The device's memory is the host's, of which it knows how much is free. Its values are given back before more is
        // made of the copy.
        true => drop(device.zeroed::<f32>(values.max(more).saturating_add(beside))?),
        false => drop(reserved::<f32>(values.saturating_add(more).saturating_add(beside))?),
    }
    Ok(())
}

/// Whether this error says that there is not enough memory.
pub fn is_full(error: &Error) -> bool {
    match error {
        Error::HostMemory { .. } => true,
        Error::Device(error) => {
            matches!(error.kind(), ErrorKind::OutOfDeviceMemory | ErrorKind::OutOfHostMemory)
        }
        _ => false,
    }
}

/// What is in an input file of binary data, which begins with `start`; `None` if it does not.
///
/// # Errors
///
/// It cannot be read, or is too large.
pub(crate) fn read_binary(path: &Path, start: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        file.by_ref().take(start.len() as u64).read_to_end(&mut bytes)?;
        if bytes != start {
            return Ok(false);
        }
        file.take(source::LARGEST).read_to_end(&mut bytes)?;
        Ok(true)
    });
    let read = read.and_then(|is_it| Ok(is_it.then_some(source::checked(bytes)?)));
    read.map_err(|reason| Error::Read { path: path.into(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_whole_numbers() {
        assert_eq!((bytes("2e9"), bytes("7")), (Ok(2_000_000_000), Ok(7)));
        for text in ["-1", "2.5", "2GB", "1e30"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        let error = reserved::<u64>(usize::MAX / 16).unwrap_err();
        assert!(error.to_string().starts_with("not enough memory on the host"), "{error}");
        assert!(reserved::<u64>(usize::MAX).is_err());
        assert!(collected(usize::MAX, 0_u64..).is_err());
        assert_eq!(collected(3, 0..).unwrap(), [0, 1, 2]);
        assert_eq!(collected(3, [7]).unwrap(), [7]);
    }
}
