//! The value of a parameter.

use std::ffi::c_void;

use crate::backend::pointer;

/// A parameter's value on one device.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    /// An address or a 64-bit number.
    Word(u64),
    /// A 32-bit number.
    Number(u32),
    /// A value that the caller keeps until the launch is over, and its size in bytes.
    Borrowed(*const c_void, usize),
}

// SAFETY: a value is a number, an address, or of a `DeviceType`, which is `Sync`; borrowed values do not change until the
// launch is over.
unsafe impl Send for Value {}
// SAFETY: as above; it is only read.
unsafe impl Sync for Value {}

impl Value {
    /// A pointer to the value.
    pub(crate) fn pointer(&self) -> *mut c_void {
        match self {
            Value::Word(word) => pointer(word),
            Value::Number(number) => pointer(number),
            Value::Borrowed(pointer, _) => pointer.cast_mut(),
        }
    }

    /// The size of the value, in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Value::Word(word) => size_of_val(word),
            Value::Number(number) => size_of_val(number),
            Value::Borrowed(_, size) => *size,
        }
    }
}
