//! From an annotated pair body to a complete CUDA kernel, and to the Rust that launches it.
//!
//! Data flows one way:
//!
//! ```text
//! attribute + function ── parse ──> model ──┬── cuda ────> CUDA C++ text
//!                          scan ─┘          └── expand ──> Rust tokens, around that text
//! ```
//!
//! This crate is a library over tokens, so that tests can use it without a compiler around it; the macros are in
//! td-kernel-macros. It reads no file, no environment and no clock by itself: a front end provides them through
//! [`Files`].

mod attributes;
mod cuda;
mod cuda_type;
mod derive;
mod element;
mod errors;
mod expand;
mod kind;
mod model;
mod names;
mod parse;
mod scan;
mod standard;
mod warnings;

use model::Text;
use parse::{Outline, Rejected};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use td_kernel_maps::Tiling;

/// What a front end knows about source files.
pub trait Files {
    /// The file of `span`, as messages should show it: without a path of this machine.
    fn shown(&self, span: Span) -> String;

    /// The text of the file that `path` names from the file of `span`, and how to show its name.
    ///
    /// # Errors
    ///
    /// A message for the user, that names the file and says what was wrong with it.
    fn read(&self, span: Span, path: &str) -> Result<(String, String), String>;

    /// The tokens of the file of `span`, where they can be had. Their own spans mean nothing.
    fn tokens(&self, _span: Span) -> Option<TokenStream> {
        None
    }
}

/// Expands `#[td_kernel(attribute)] item`.
///
/// What is wrong with the input becomes `compile_error!`s, all of them at once. A fallback beside them keeps the rest
/// of the user's code from failing too.
pub fn td_kernel(attribute: TokenStream, item: TokenStream, files: &dyn Files) -> TokenStream {
    match parse::kernel(attribute, &item, files) {
        Ok(kernel) => expand::kernel(&kernel),
        Err(rejected) => in_place_of(&rejected),
    }
}

/// The errors of an item that is wrong, and its fallback.
fn in_place_of(Rejected { errors, outline }: &Rejected) -> TokenStream {
    let item = outline.as_ref().map(|outline| {
        let Outline { name, visibility, conditions, runtime, parameters } = outline;
        expand::fallback(name, visibility, conditions, runtime, parameters)
    });
    quote!(#errors #item)
}

/// The CUDA of a kernel's variant, and what the runtime knows of it.
pub struct Source {
    /// The source for a GPU.
    pub text: String,
    /// Whether it visits a range of the rows, which may be all of them.
    pub has_rows: bool,
    /// Whether it takes n, or the number of all rows.
    pub takes_n: bool,
    /// NVRTC's options for it.
    pub options: Vec<&'static str>,
    /// The C++ for a CPU, in plain loops over a range of the rows: the same of all variants.
    pub loops: String,
    /// The C++ compiler's options for it.
    pub loops_options: &'static [&'static str],
    /// Whether the loops take n, or the number of all rows.
    pub loops_take_n: bool,
    /// Whether the kernel looks for nearest neighbours.
    pub is_nearest: bool,
    /// How the threads of a block share its pairs.
    pub tiling: Tiling,
}

/// The CUDA of `#[td_kernel(attribute)] item`, for each of its variants. The first variant is for many elements.
///
/// # Errors
///
/// The tokens that [`td_kernel`] gives for a wrong input.
pub fn cuda_sources(
    attribute: TokenStream,
    item: TokenStream,
    files: &dyn Files,
) -> Result<Vec<Source>, TokenStream> {
    let kernel =
        parse::kernel(attribute, &item, files).map_err(|rejected| in_place_of(&rejected))?;
    let source = |text: Text<'_>| Source {
        text: cuda::source(&text),
        has_rows: text.has_rows(),
        takes_n: text.takes_n(),
        options: text.kernel.nvrtc_options(),
        loops: cuda::source(&text.of_loops()),
        loops_options: text.kernel.loops_options(),
        loops_take_n: text.of_loops().takes_n(),
        is_nearest: text.kernel.is_nearest(),
        tiling: text.variant.tiling,
    };
    Ok(kernel.texts().map(source).collect())
}

/// Expands `#[derive(DeviceType)] item`.
pub fn device_type(item: TokenStream) -> TokenStream {
    derive::device_type(item)
}
