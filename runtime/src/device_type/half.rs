//! 16-bit floats: the numbers of the crate half, which a kernel knows by their names.
//!
//! The C++ type of a parameter follows from its type as it is written. What is written `f16` could be anything; so rustc
//! looks whether it implements these traits.

macro_rules! named {
    ($($name:literal, $number:ident, $trait:ident, $check:ident, $message:literal, $label:literal, $note:literal;)*) => {$(
        #[doc = concat!("`", $name, "` of the crate half, or an array of it.")]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $trait {}

        #[cfg(feature = "half")]
        impl $trait for ::half::$number {}

        impl<T: $trait, const LENGTH: usize> $trait for [T; LENGTH] {}

        #[doc = concat!("Compiles where `T` is made of `", $name, "` of the crate half.")]
        pub const fn $check<T: $trait>() {}
    )*};
}

named! {
    "f16", f16, F16, td_f16,
    "a kernel knows `f16` as a number of the crate half, which `{Self}` is not",
    "not `half::f16`",
    "turn on the feature `half` of td-kernel, and write `half::f16`, of the same version as `td_kernel::half`; a struct needs another name";

    "bf16", bf16, Bf16, td_bf16,
    "a kernel knows `bf16` as a number of the crate half, which `{Self}` is not",
    "not `half::bf16`",
    "turn on the feature `half` of td-kernel, and write `half::bf16`, of the same version as `td_kernel::half`; a struct needs another name";
}
