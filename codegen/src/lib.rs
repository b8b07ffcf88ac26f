//! Turns an annotated pair body into a complete CUDA kernel and the Rust code that launches it.
//!
//! Data flows one way:
//!
//! ```text
//! attribute + function ── parse ──> model ──┬── cuda ────> CUDA C++ source
//!                          scan ─┘          └── expand ──> Rust tokens, around that source
//! ```
//!
//! This crate is a library over tokens, so that tests can use it without a compiler; the macros are in td-kernel-macros. It
//! reads no file, no environment and no clock: a front end provides them through [`Files`].

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
mod support;
mod warnings;

use errors::Internal;
pub use model::Refused;
use model::{Kernel, SourceInput};
use parse::{Outline, Rejected};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use td_kernel_geometry::Tiling;

/// A front end's access to source files.
pub trait Files {
    /// The file of `span`, as messages show it: without an absolute path.
    fn shown(&self, span: Span) -> String;

    /// The contents of the file that `path` names relative to the file of `span`, and its name for messages.
    ///
    /// # Errors
    ///
    /// A message for the user with the file's name and the problem.
    fn read(&self, span: Span, path: &str) -> Result<(String, String), String>;

    /// The tokens of the file of `span`, if available. Their own spans have no meaning.
    fn tokens(&self, _span: Span) -> Option<TokenStream> {
        None
    }
}

/// Expands `#[td_kernel(attribute)] item`.
///
/// Errors in the input become `compile_error!`s, all at once. A fallback beside them keeps the rest of the user's code compiling.
pub fn td_kernel(attribute: TokenStream, item: TokenStream, files: &dyn Files) -> TokenStream {
    let expanded = parsed(attribute, &item, files)
        .and_then(|kernel| expand::kernel(&kernel).map_err(TokenStream::from));
    expanded.unwrap_or_else(|errors| errors)
}

fn parsed(
    attribute: TokenStream,
    item: &TokenStream,
    files: &dyn Files,
) -> Result<Kernel, TokenStream> {
    parse::kernel(attribute, item, files).map_err(|rejected| in_place_of(&rejected))
}

/// The errors of a wrong item, and its fallback.
fn in_place_of(Rejected { errors, outline }: &Rejected) -> TokenStream {
    let item = outline.as_ref().map(|outline| {
        let Outline { name, visibility, conditions, runtime, parameters } = outline;
        expand::fallback(name, visibility, conditions, runtime, parameters)
    });
    quote!(#errors #item)
}

/// The source of a kernel's variant, and the runtime's facts about it.
pub struct Source {
    /// The source for a GPU.
    pub text: String,
    /// Whether it visits a range of the rows, which may be all of them.
    pub has_rows: bool,
    /// Why the kernel does not support some ways of launching.
    pub refused: Refused,
    /// Whether it takes n, or the number of all rows.
    pub takes_n: bool,
    /// Its options for NVRTC.
    pub options: Vec<&'static str>,
    /// The C++ for a CPU: loops over a range of the rows, the same for all variants.
    pub loops: String,
    /// Its options for the C++ compiler.
    pub loops_options: &'static [&'static str],
    /// Whether the loops take n, or the number of all rows.
    pub loops_take_n: bool,
    /// Whether the kernel searches for nearest neighbours.
    pub is_nearest: bool,
    /// How the threads of a block share its pairs.
    pub tiling: Tiling,
}

/// The CUDA source of `#[td_kernel(attribute)] item`, for each of its variants. The first variant is for large n.
///
/// # Errors
///
/// The tokens that [`td_kernel`] gives for a wrong input.
pub fn cuda_sources(
    attribute: TokenStream,
    item: TokenStream,
    files: &dyn Files,
) -> Result<Vec<Source>, TokenStream> {
    let kernel = parsed(attribute, &item, files)?;
    let loops =
        kernel.loops_source().ok_or_else(|| Internal("a kernel without variants".to_owned()))?;
    let source = |input: SourceInput<'_>| -> Result<Source, TokenStream> {
        Ok(Source {
            text: cuda::source(&input)?,
            has_rows: input.has_rows(),
            refused: input.kernel.variants.refused.clone(),
            takes_n: input.takes_n(),
            options: input.kernel.nvrtc_options(),
            loops: cuda::source(&loops)?,
            loops_options: input.kernel.loops_options(),
            loops_take_n: loops.takes_n(),
            is_nearest: input.kernel.is_nearest(),
            tiling: input.variant.tiling,
        })
    };
    kernel.sources().map(source).collect()
}

/// All sources of `#[td_kernel(attribute)] item`, each after the file name of its template, for tests.
///
/// # Errors
///
/// Those of [`cuda_sources`].
#[doc(hidden)]
pub fn filled_templates(
    attribute: TokenStream,
    item: TokenStream,
    files: &dyn Files,
) -> Result<Vec<(String, String)>, TokenStream> {
    let kernel = parsed(attribute, &item, files)?;
    let filled = |input: &SourceInput<'_>| -> Result<_, TokenStream> {
        Ok((cuda::template(input), cuda::source(input)?))
    };
    expand::all_sources(&kernel).iter().map(filled).collect()
}

/// The sources of launches over given pairs, if the kernel can visit them: for a GPU, for a CPU, and, if the outputs support it,
/// for a GPU that visits them by element.
///
/// # Errors
///
/// Those of [`cuda_sources`].
pub fn pairs_sources(
    attribute: TokenStream,
    item: TokenStream,
    files: &dyn Files,
) -> Result<Vec<String>, TokenStream> {
    let kernel = parsed(attribute, &item, files)?;
    let both = kernel.entries_source().into_iter().flat_map(SourceInput::with_loops);
    let all = both.chain(kernel.partners_sources());
    all.map(|input| Ok(cuda::source(&input)?)).collect()
}

/// The sources of launches that list near pairs, if the kernel can keep a list: for a GPU and for a CPU.
///
/// # Errors
///
/// Those of [`cuda_sources`].
pub fn list_sources(
    attribute: TokenStream,
    item: TokenStream,
    files: &dyn Files,
) -> Result<Vec<String>, TokenStream> {
    let kernel = parsed(attribute, &item, files)?;
    let both = kernel.list_source().into_iter().flat_map(SourceInput::with_loops);
    both.map(|input| Ok(cuda::source(&input)?)).collect()
}

/// Which kinds of parameters do not go with which ways of visiting and of launching, and why: the rows of a table in the documentation.
#[doc(hidden)]
pub fn support() -> Vec<[String; 3]> {
    support::table()
}

/// What the tuple of a `LaunchWith` has for parameters: the rows of a table in the documentation.
#[doc(hidden)]
pub fn arguments() -> Vec<[String; 2]> {
    support::arguments()
}

/// The runtime's descriptions of what launches over given pairs, over near pairs that they keep, and shared with other processes do not
/// support.
#[doc(hidden)]
pub fn other_launches() -> TokenStream {
    expand::other_launches()
}

/// Expands `#[derive(DeviceType)] item`.
pub fn device_type(item: TokenStream) -> TokenStream {
    derive::device_type(item)
}
