//! From an annotated pair body to a complete CUDA kernel, and to the Rust that launches it.
//!
//! Data flows one way:
//!
//! ```text
//! attribute + function ── parse ──> model ──┬── cuda ────> CUDA C++ text
//!                          scan ─┘          └── expand ──> Rust tokens, around that text
//! ```
//!
//! This crate is a library over tokens, so that tests can use it without a compiler around it; the
//! macros are in td-kernel-macros. It reads no file, no environment and no clock by itself: what a
//! front end knows about files comes in through [`Files`].

mod attributes;
mod cuda;
mod derive;
mod errors;
mod expand;
mod kind;
mod model;
mod names;
mod parse;
mod scan;

use proc_macro2::{Span, TokenStream};

/// What a front end knows about source files.
pub trait Files {
    /// The file of `span`, as messages should show it: no path of the machine's own.
    fn shown(&self, span: Span) -> String;

    /// The text of the file that `path` names from the file of `span`, and how to show its name.
    ///
    /// # Errors
    ///
    /// A message for the user, that names the file and says what was wrong with it.
    fn read(&self, span: Span, path: &str) -> Result<(String, String), String>;
}

/// Expands `#[td_kernel(attribute)] item`.
///
/// What is wrong with the input becomes `compile_error!`s, all of them at once, beside items of the
/// same shape, so that the rest of the user's code does not fail for their lack.
pub fn td_kernel(attribute: TokenStream, item: TokenStream, files: &dyn Files) -> TokenStream {
    match parse::kernel(attribute, &item, files) {
        Ok(kernel) => expand::kernel(&kernel),
        Err(tokens) => tokens,
    }
}

/// The CUDA text of `#[td_kernel(attribute)] item`, of its first variant.
///
/// # Errors
///
/// The tokens that [`td_kernel`] gives for an input that is wrong.
pub fn cuda_source(
    attribute: TokenStream,
    item: TokenStream,
    files: &dyn Files,
) -> Result<String, TokenStream> {
    let kernel = parse::kernel(attribute, &item, files)?;
    Ok(kernel.texts().next().map(|text| cuda::source(&text)).unwrap_or_default())
}

/// The CUDA text of the same kernel for a range of rows; `None` where it has none.
///
/// # Errors
///
/// Those of [`cuda_source`].
pub fn cuda_source_of_rows(
    attribute: TokenStream,
    item: TokenStream,
    files: &dyn Files,
) -> Result<Option<String>, TokenStream> {
    let kernel = parse::kernel(attribute, &item, files)?;
    let rows = kernel.texts().next().and_then(|text| text.of_rows());
    Ok(rows.map(|text| cuda::source(&text)))
}

/// Expands `#[derive(DeviceType)] item`.
pub fn device_type(item: TokenStream) -> TokenStream {
    derive::device_type(item)
}
