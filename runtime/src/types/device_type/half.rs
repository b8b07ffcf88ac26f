//! 16-bit floats: the numbers of the crate half, which a kernel uses by name.
//!
//! A parameter's C++ type follows from its Rust type as it is written. `f16` could name any type, so rustc checks that it
//! implements these traits.

/// `f16` of the crate half, or an array of it.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `f16` is the type of the crate half, but this is `{Self}`",
    label = "not `half::f16`",
    note = "enable the feature `half` of td-kernel, and write `half::f16` of the same version as `td_kernel::half`; rename a struct of this name"
)]
pub trait F16 {}

/// `bf16` of the crate half, or an array of it.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `bf16` is the type of the crate half, but this is `{Self}`",
    label = "not `half::bf16`",
    note = "enable the feature `half` of td-kernel, and write `half::bf16` of the same version as `td_kernel::half`; rename a struct of this name"
)]
pub trait Bf16 {}

#[cfg(feature = "half")]
impl F16 for ::half::f16 {}
#[cfg(feature = "half")]
impl Bf16 for ::half::bf16 {}

impl<T: F16, const LENGTH: usize> F16 for [T; LENGTH] {}
impl<T: Bf16, const LENGTH: usize> Bf16 for [T; LENGTH] {}

/// Compiles only if `T` is `f16` of the crate half, or an array of it.
pub const fn td_f16<T: F16>() {}

/// Compiles only if `T` is `bf16` of the crate half, or an array of it.
pub const fn td_bf16<T: Bf16>() {}
