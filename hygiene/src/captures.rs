//! Names in scope that generated code must not pick up.
#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "names that are there to be passed over"
)]
#![allow(non_camel_case_types, clippy::should_implement_trait, reason = "they are those of others")]

use ::core::marker::Sized;
use ::core::primitive;

/// Not the crate.
mod core {
    /// Nothing.
    pub(super) struct Nothing;
}

/// Not the crate.
mod std {
    pub(super) use super::core::Nothing;
}

/// Not the crate.
mod gpu {
    pub(super) use super::std::Nothing;
}

/// Not the standard library's, and not a type that a generated function could return.
struct Result;

/// Not the standard library's.
enum Option {
    /// Nor this one.
    Some,
}

/// Not a number.
struct usize;

/// Not a number either, though it is a reference to one.
type u32 = &'static primitive::u32;

/// Not a string.
struct str;

/// A trait that is not the runtime's, with these methods; implemented for every type. The methods take `self` by value, so Rust
/// finds them before methods that borrow.
macro_rules! slice {
    ($($name:ident($($argument:ty),*))+) => {
        /// Not the runtime's.
        trait Slice: Sized {
            $(
                /// Not that of a kernel, a launch or the standard library.
                fn $name(self $(, _: $argument)*) -> Result {
                    Result
                }
            )+
        }
    };
}

slice! {
    launch() load() with_stream(Option) rows(Option) launch_with(Option) report(Option)
    tune_with(Option) tune(Option) each(Option, Option) packed(Option, Option) scalar(Option) run()
    map(Option) clone()
}

impl<T> Slice for T {}

/// Not the standard library's.
macro_rules! include_str {
    ($($any:tt)*) => {
        Nothing
    };
}

/// Likewise.
macro_rules! offset_of {
    ($($any:tt)*) => {
        Nothing
    };
}

/// A struct in this scope.
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::gpu::DeviceType)]
#[device_type(crate = ::gpu)]
#[repr(C, align(8))]
pub(crate) struct Device {
    /// A name of a generated variable.
    pub(crate) field: u8,
    /// An array of arrays.
    pub(crate) value: [[f32; 2]; 2],
}

/// A kernel in this scope, whose parameters have names of generated variables.
#[::gpu::td_kernel(crate = ::gpu)]
pub(crate) unsafe fn kernel(
    #[each] device: &[Device],
    kernel: f32,
    launch: f32,
    variant: f32,
    arguments: f32,
    elements: f32,
    stream: f32,
    packed: &mut Packed<f32>,
) {
    r#" packed = device.i.field + device.j.value[1][0] + launch + variant + arguments + elements + stream + kernel; "#
}

/// A kernel with constants, whose types and values are names in this scope, too.
#[::gpu::td_kernel(
    crate = ::gpu,
    prelude = r"inline unsigned int of(unsigned int value) { return value * COUNT; }",
    constants(COUNT: usize = LIMIT, HALF: f32 = 0.5),
)]
pub(crate) unsafe fn given(packed: &mut Packed<f32>) {
    r#" packed = of(i) * HALF; "#
}

/// A number, of a type that this scope shadows.
const LIMIT: primitive::usize = 3;

/// A kernel in a file, whose name is one of Rust's.
#[::gpu::td_kernel(crate = ::gpu)]
pub(crate) unsafe fn r#match(r#type: u32, packed: &mut Packed<u32>) {
    include_str!("pair.cu",)
}
