//! Generated code in a crate that renames `td-kernel`, has no prelude, defines other items under the prelude's names, and
//! forbids lints that the user's own code obeys. Three packages compile this file, one for each edition.
//!
//! If `td-kernel` has another name, the key `crate` is required:
//!
//! ```compile_fail,E0433
//! #[gpu::td_kernel]
//! unsafe fn count(total: &mut Sum<u64>) {
//!     r#" total += 1; "#
//! }
//! ```
//!
//! ```
//! #[gpu::td_kernel(crate = ::gpu)]
//! unsafe fn count(total: &mut Sum<u64>) {
//!     r#" total += 1; "#
//! }
//! ```
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unsafe_op_in_unsafe_fn,
    unreachable_pub,
    unused,
    unused_qualifications,
    unused_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    keyword_idents,
    let_underscore,
    nonstandard_style,
    future_incompatible,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(clippy::redundant_pub_crate, reason = "rustc's `unreachable_pub` wants what this refuses")]
// Lints of clippy's `restriction` group that a crate may deny.
#![deny(
    clippy::absolute_paths,
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::min_ident_chars,
    clippy::missing_docs_in_private_items,
    clippy::multiple_unsafe_ops_per_block,
    clippy::panic,
    clippy::question_mark_used,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::single_char_lifetime_names,
    clippy::undocumented_unsafe_blocks,
    clippy::unreachable,
    clippy::unwrap_used,
    clippy::wildcard_imports
)]

mod captures;
mod macros;
mod places;
#[cfg(test)]
mod tests;

// The path that this crate's macros use after `$crate`.
#[doc(hidden)]
pub use ::gpu as runtime;
pub use macros::{by_macro, of_crate, Whole};
pub use places::{differences, inside, Point};

/// A kernel of a public type, documented.
#[::gpu::td_kernel(crate = ::gpu, map = "auto")]
pub unsafe fn documented(
    #[each] points: &[Point],
    weights: &[core::primitive::f32],
    marks: &mut [u8],
    scale: f64,
    packed: &mut Packed<f32>,
    total: &mut Sum<f64>,
    list: &mut Pairs,
    differences: &mut Pairs<f32>,
) {
    r#"
    packed = points.i.place - points.j.place;
    total += scale * weights[i];
    if (marks[j] != 0) list.push();
    differences.push(packed);
    "#
}

// A type without documentation gets a default one.
#[::gpu::td_kernel(crate = ::gpu)]
pub unsafe fn undocumented(#[each] points: &[[f32; 2]], square: &mut Square<[f32; 2]>) {
    r#" square = make_float2(points.i.x - points.j.x, 0); "#
}

/// A kernel over features, with its two bodies.
#[::gpu::td_kernel(crate = ::gpu)]
pub unsafe fn folded(
    #[each] values: &Features<f32>,
    #[fold(start = "-1")] sum: f32,
    weights: &[core::primitive::f32],
    packed: &mut Packed<f32>,
) {
    let feature = r#" sum += weights[k] * values.i * values.j; "#;
    let pair = r#" packed = sum / features; "#;
}

/// A product of features, with the bound of its error.
#[::gpu::td_kernel(crate = ::gpu)]
pub unsafe fn multiplied(
    #[each] values: &Features<core::primitive::f32>,
    #[dot] r#dot: core::primitive::f32,
    packed: &mut Packed<f32>,
) {
    r#" packed = dot_error < 1 ? dot : 0; "#
}

/// A kernel that searches for nearest neighbours, whose type contains a number.
#[::gpu::td_kernel(crate = ::gpu)]
pub unsafe fn nearest(#[each] values: &[core::primitive::f32], #[each] near: &mut Nearest<f32, 3>) {
    r#" near.push(values.i * values.j); "#
}

/// A private kernel.
#[::gpu::td_kernel(crate = ::gpu)]
unsafe fn internal(count: &mut Sum<u64>) {
    r#" count += 1; "#
}

/// A deprecated kernel.
#[::gpu::td_kernel(crate = ::gpu)]
#[deprecated(note = "use another one")]
#[must_use]
#[cfg_attr(all(), cfg(all()), doc(hidden))]
pub unsafe fn old(#[each] points: &[Point], packed: &mut Packed<u8>) {
    r#" packed = points.i.place < points.j.place; "#
}

/// A kernel that its `cfg` disables, with errors in every part.
#[::gpu::td_kernel(crate = ::gpu, maps = "ltm")]
#[cfg_attr(all(), cfg(any()))]
pub fn never(missing: &[NoSuchType], usize: usize) {
    "}"
}

/// The number of pairs of `elements` elements, counted by a kernel.
///
/// # Errors
///
/// The errors of the device.
pub fn pairs(device: &::gpu::Device, elements: usize) -> ::gpu::Result<u64> {
    let kernel = match internal::load(device) {
        ::gpu::Result::Ok(kernel) => kernel,
        ::gpu::Result::Err(error) => return ::gpu::Result::Err(error),
    };
    let mut count = match device.sum() {
        ::gpu::Result::Ok(count) => count,
        ::gpu::Result::Err(error) => return ::gpu::Result::Err(error),
    };
    // A variable, because temporaries at the end of a block live longer in some editions.
    let launched = kernel.launch(elements, &mut count);
    if let ::gpu::Result::Err(error) = launched {
        return ::gpu::Result::Err(error);
    }
    count.download()
}
