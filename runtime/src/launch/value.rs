//! The value of a parameter.

use std::any::Any;
use std::ffi::c_void;
use std::ptr;

/// A parameter's value.
pub(super) enum Value {
    /// An address or a 64-bit number.
    Word(u64),
    /// An address on each of several devices.
    Words(Box<[u64]>),
    /// A 32-bit number.
    Number(u32),
    /// A scalar that the caller holds until the launch is over, and its size in bytes.
    Borrowed(*const c_void, usize),
    /// A value that an argument hands over, kept until the launch is over.
    Owned(Box<dyn Any>),
}

impl Value {
    /// Addresses, one for each device.
    pub(super) fn addresses(all: &[u64]) -> Value {
        match all {
            [one] => Value::Word(*one),
            all => Value::Words(all.into()),
        }
    }

    /// A pointer to the value, as the device of this index gets it.
    pub(super) fn pointer(&self, at: usize) -> *mut c_void {
        match self {
            Value::Word(word) => ptr::from_ref(word).cast_mut().cast(),
            Value::Words(words) => ptr::from_ref(&words[at]).cast_mut().cast(),
            Value::Number(number) => ptr::from_ref(number).cast_mut().cast(),
            Value::Borrowed(pointer, _) => pointer.cast_mut(),
            Value::Owned(value) => ptr::from_ref::<dyn Any>(&**value).cast_mut().cast(),
        }
    }

    /// The size of the value, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Value::Word(_) | Value::Words(_) => size_of::<u64>(),
            Value::Number(number) => size_of_val(number),
            Value::Borrowed(_, size) => *size,
            Value::Owned(value) => size_of_val(&**value),
        }
    }
}
