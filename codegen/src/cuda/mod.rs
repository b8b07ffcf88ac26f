//! The source of a kernel: the template of its sweep, filled, laid out, and joined with the helpers and the bodies.
//!
//! ```text
//! kernels/SWEEP.cu ── context ──> template ──> layout ──┬──> source
//!                     cuda/NAME.cuh, as far as used ────┤
//!                     the user's body, with #line ──────┘
//! ```

mod body;
mod call;
mod constants;
mod context;
pub(crate) mod definition;
mod files;
mod filter;
mod fold;
mod given_pairs;
mod helpers;
mod inputs;
mod layout;
mod loops;
mod near;
mod plain;
mod product;
mod quick;
mod standard;
mod states;
mod templates;

use std::collections::HashSet;

use td_kernel_geometry::Sweep;

pub(crate) use self::body::directive;
pub(crate) use self::product::folded as folded_product;
use crate::errors::Internal;
use crate::model::{Kernel, Members, SourceInput};

/// A named constant of a source: its name, its value, which may use others, and its description.
type Constant = (&'static str, String, &'static str);

/// The file name of the generated lines in compiler messages.
fn file(input: &SourceInput<'_>) -> String {
    let extension = if input.is_loops { "cpp" } else { "cu" };
    format!("{}.{extension}", input.kernel.plain_name())
}

/// The complete kernel: CUDA, or C++ for the CPU. The same model always gives the same source.
///
/// Rust constants are lines like `#include <constant CUTOFF>` here. rustc replaces them by values.
pub(crate) fn source(input: &SourceInput<'_>) -> Result<String, Internal> {
    Ok(body::join(input, around_bodies(input)?))
}

/// The file name of a source's template.
pub(crate) fn template(input: &SourceInput<'_>) -> String {
    let name = match input.variant.tiling.sweep {
        _ if input.is_loops => return loops::template(input),
        Sweep::Filter => filter::template(input),
        Sweep::Near => near::template(input),
        sweep => sweep.name(),
    };
    format!("{name}.cu")
}

/// The rest of a source, numbered as if it followed its title directly, like the source's own `#line` after its second part.
pub(crate) fn after_title(input: &SourceInput<'_>, title: &str, rest: &str) -> String {
    format!("#line {} \"{}\"\n{rest}", title.lines().count() + 1, file(input))
}

/// The line that a Rust constant replaces.
pub(crate) fn constant_line(name: &str) -> String {
    format!("#include <constant {name}>\n")
}

/// The generated words of all of the kernel's sources, without comments and the user's bodies. Parameter names are included.
pub(crate) fn words(kernel: &Kernel) -> Vec<String> {
    let mut found = HashSet::new();
    let given = kernel.entries_source().into_iter().chain(kernel.partners_sources());
    for input in kernel.sources().chain(given).chain(kernel.list_source()) {
        for input in [input, input.loops()] {
            // `source` reports the error.
            let Ok(source) = around_bodies(&input) else { continue };
            let lines = source.lines().filter(|line| !line.starts_with("#include <"));
            for line in lines.map(|line| line.split("//").next().unwrap_or_default()) {
                found.extend(helpers::words(line).map(str::to_owned));
            }
        }
    }
    found.into_iter().collect()
}

/// The source, with a mark in place of each body and the prelude.
fn around_bodies(input: &SourceInput<'_>) -> Result<String, Internal> {
    let mut map_helpers = context::prologue(input).helpers;
    if input.is_loops {
        // The loops over many sets read the map's tables, which its first helper declares.
        map_helpers.truncate(usize::from(input.kernel.form.members == Members::Many));
    }
    let filled = templates::fill(&template(input), context::of(input)?)?;
    let laid_out = constants::declared(input, &layout::laid_out(&filled));
    // Before the source come the definitions of structs, and before them the helpers of the numbers that structs may contain.
    let before: Vec<_> = match input.kernel.has_structs() {
        true => input.kernel.halves().collect(),
        false => Vec::new(),
    };
    // The bodies are not in the source yet.
    let words = helpers::names(&laid_out);
    let standard = standard::used(input.kernel, &words);
    let helpers = helpers::used(&words, map_helpers, &before);
    let helpers = if input.is_loops { in_plain_cpp(&helpers) } else { helpers };
    Ok(laid_out.replace(HELPERS, &(standard + &helpers)))
}

/// Rewrites helpers that CUDA shares as C++ without CUDA.
fn in_plain_cpp(helpers: &str) -> String {
    helpers
        .replace("static __device__ __forceinline__", "[[gnu::always_inline]] static inline")
        .replace("__device__ __forceinline__", "[[gnu::always_inline]]")
}

/// The line that marks the place of the helpers.
const HELPERS: &str = "#include <helpers>\n";

/// The C++ name of the kernel function.
pub(crate) fn entry(kernel: &Kernel) -> String {
    format!("{}_kernel", kernel.plain_name())
}
