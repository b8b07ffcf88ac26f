//! Compiles every kernel of a crate.

use std::collections::HashSet;
use std::fmt;

use rayon::prelude::*;

use super::Failure;
use super::machine::{self, Function};
use crate::backend::nvrtc::{Cache, Code};
use crate::memory::target::{tested_numbers, with_number};
use crate::types::info::{Entries, NearInfo, Variant};
use crate::types::warnings::{self, Warning};
use crate::{Error, Result, backend::nvrtc};

/// A kernel of the crate under test. Generated code makes these only in unit tests.
#[doc(hidden)]
pub struct Registered {
    /// The kernel's name.
    pub kernel: &'static str,
    /// Its variants.
    pub variants: &'static [Variant],
    /// What its launches over given pairs run.
    pub entries: &'static Result<Entries, &'static str>,
    /// What its launches need that visit near tiles.
    pub near: &'static Option<NearInfo>,
    /// NVRTC's options for them.
    pub options: &'static [&'static str],
    /// The macro's warnings about its bodies.
    pub warnings: &'static [Warning],
}

inventory::collect!(Registered);

/// A kernel source that NVRTC has compiled: returned by [`compile_all`], and passed to the closure of [`compile_all_allowing`].
///
/// ```no_run
/// # use td_kernel::testing;
/// let checked = testing::compile_all(&[90])?;
/// println!("{} texts compile without a warning", checked.len());
/// assert!(checked.iter().all(|text| text.architecture == 90 && text.warnings.is_empty()));
/// # Ok::<(), testing::Failure>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The index of the source in `name::SOURCES`; their number for `name::PAIRS_SOURCE`, and larger ones for what else launches
    /// over lists run.
    pub variant: usize,
    /// The number for which it was compiled, if a launch gives it. Of nearest neighbours: 16, 32 and 256, for each of the ways in
    /// which kernels keep them. Of the numbers in a block of arrays: 4, 8 and 16.
    pub compiled_for: Option<u32>,
    /// The architecture: 90 for compute capability 9.0.
    pub architecture: u32,
    /// The warnings, with lines of the body: those about double precision, and the compiler's. Empty if there are none.
    pub warnings: String,
    /// The GPU resources of the source's functions; a kernel for neighbours has two. Empty if the format of NVRTC's machine
    /// code is unknown.
    pub functions: Vec<Function>,
    /// The variant, by map, sweep and tile.
    pub(super) name: Box<str>,
}

/// Identifies the source for people: `distance 0, sm_90`.
impl fmt::Display for Checked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Checked { kernel, variant, compiled_for, architecture, .. } = self;
        write!(formatter, "{} {variant}, sm_{architecture}", named(kernel, *compiled_for))
    }
}

/// Compiles all sources of every annotated kernel of the crate for each of these architectures: 90 for compute capability 9.0.
/// Needs NVRTC but no GPU.
///
/// Call it from a unit test of the kernels' crate; for kernels in a binary or in a file in `tests`, from there: a kernel is
/// listed only where its crate is compiled for testing.
///
/// ```no_run
/// # use td_kernel::testing;
/// // In the crate's own tests: `#[test]`
/// fn kernels_compile() -> Result<(), testing::Failure> {
///     testing::compile_all(&[80, 90, 120])?;
///     Ok(())
/// }
/// ```
///
/// With `TD_KERNEL_CACHE`, the folder of compiled kernels, sources that have not changed since they were last compiled are read
/// from there.
///
/// A kernel with `Nearest<T>`, whose launches give the number of neighbours, is compiled for 16, 32 and 256, and one with
/// `ArraySums<T>` for blocks of 4, 8 and 16 numbers. Failures name the number.
///
/// Sources that multiply on tensor cores, those of `#[dot]` and of filters, are compiled for architectures from 80 on. Launches on
/// older ones take a kernel's other sources.
///
/// Warnings are failures too: floats computed in double precision by accident, NVRTC's warnings, and spilled registers.
/// [`compile_all_allowing`] accepts some of them.
///
/// # Errors
///
/// There are no kernels or no architectures; NVRTC does not support an architecture, or is missing; or some kernels do not
/// compile, or compile with warnings: then the error lists all errors and warnings.
pub fn compile_all(architectures: &[u32]) -> Result<Vec<Checked>, Failure> {
    compile_all_allowing(architectures, |_| false)
}

/// Like [`compile_all`], but accepts warnings for sources for which `is_allowed` returns true. It is called for each source
/// with warnings.
///
/// ```no_run
/// # use td_kernel::testing;
/// // In the crate's own tests: `#[test]`
/// fn kernels_compile() -> Result<(), testing::Failure> {
///     // The oldest GPUs may spill this kernel's registers.
///     testing::compile_all_allowing(&[75, 90], |text| {
///         text.kernel == "overlap" && text.architecture == 75 && text.warnings.contains("spilled")
///     })?;
///     Ok(())
/// }
/// ```
///
/// With `|_| true` all warnings are accepted, and are in the result.
///
/// # Errors
///
/// Those of [`compile_all`].
pub fn compile_all_allowing(
    architectures: &[u32],
    is_allowed: impl Fn(&Checked) -> bool,
) -> Result<Vec<Checked>, Failure> {
    compile(inventory::iter::<Registered>, architectures, is_allowed)
}

pub(super) fn compile<'a>(
    kernels: impl IntoIterator<Item = &'a Registered>,
    architectures: &[u32],
    is_allowed: impl Fn(&Checked) -> bool,
) -> Result<Vec<Checked>, Failure> {
    if architectures.is_empty() {
        return Err(Failure::NoArchitectures);
    }
    are_known(architectures)?;
    let texts = kernels.into_iter().flat_map(|each| {
        let pair_sources = each
            .entries
            .iter()
            .flat_map(|entries| [&entries.variant].into_iter().chain(entries.partners));
        let list = each.near.as_ref().and_then(|near| near.list.as_ref().ok());
        let list_variant = list.map(|list| &list.variant);
        let all = each.variants.iter().chain(pair_sources).chain(list_variant).enumerate();
        all.flat_map(move |(at, variant)| {
            let counts = tested_numbers(&variant.source).iter();
            counts.map(move |count| (each, at, variant, *count))
        })
    });
    // Launches on an architecture without tensor cores take the other sources.
    let mut tasks: Vec<_> = texts
        .flat_map(|text| architectures.iter().map(move |architecture| (text, *architecture)))
        .filter(|((_, _, variant, _), architecture)| variant.runs_on(*architecture))
        .collect();
    if tasks.is_empty() {
        return Err(Failure::NoKernels);
    }
    // The linker's order of the list is arbitrary.
    tasks.sort_unstable_by_key(|((each, variant, _, number), architecture)| {
        (each.kernel, *variant, *number, *architecture)
    });
    let cache = Cache::from_environment();
    type Task<'a> = ((&'a Registered, usize, &'static Variant, Option<u32>), u32);
    let compile = |&((each, variant, of, compiled_for), architecture): &Task<'_>| {
        let Registered { kernel, options, warnings: own, .. } = *each;
        let source = &with_number(&of.source, compiled_for);
        let compiled = nvrtc::compile_with(cache.as_ref(), kernel, source, options, architecture);
        let compiled = compiled.map_err(|error| (error, compiled_for))?;
        let functions = code_functions(&compiled.code, architecture).unwrap_or_default();
        let both = [warnings::of(own, source), compiled.warnings];
        let all: Vec<_> = both.iter().filter(|each| !each.is_empty()).cloned().collect();
        let warnings = all.join("\n");
        let name = of.to_string().into();
        let text =
            Checked { kernel, variant, compiled_for, architecture, warnings, functions, name };
        Ok((text, both))
    };
    let done: Vec<Result<(Checked, Warnings), Failed>> = tasks.par_iter().map(compile).collect();
    let (checked, errors): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    let checked: Vec<(Checked, Warnings)> = checked.into_iter().flatten().collect();
    let (warned, warnings) = refused(&checked, is_allowed);
    let (failed, compilations) = (errors.len(), tasks.len());
    match (failed, warned) {
        (0, 0) => Ok(checked.into_iter().map(|(text, _)| text).collect()),
        (0, _) => Err(Failure::Warnings { warnings, warned, compilations }),
        _ => {
            let errors = different(errors.into_iter().filter_map(Result::err));
            Err(Failure::Compile { errors, failed, compilations, warnings, warned })
        }
    }
}

/// An error if NVRTC does not support one of them.
fn are_known(architectures: &[u32]) -> Result<(), Failure> {
    let known = nvrtc::architectures()?;
    let unknown = architectures.iter().copied().find(|each| !known.contains(each));
    let Some(architecture) = unknown else { return Ok(()) };
    Err(Failure::UnknownArchitecture { architecture, known })
}

/// The GPU resources of a source's functions on an architecture, 90 for compute capability 9.0: registers, memory,
/// instructions. Needs NVRTC but no GPU. [`compile_all`] returns them for every source.
///
/// ```no_run
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let functions = testing::functions("distance", distance::SOURCE, distance::OPTIONS, 90)?;
/// assert!(functions.iter().all(|function| function.local == 0), "no register is spilled");
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// With `TD_KERNEL_CACHE`, a source that was compiled before is read from that folder.
///
/// # Errors
///
/// NVRTC does not support the architecture, or is missing; the source does not compile; or the format of its machine code is
/// unknown.
pub fn functions(
    name: &str,
    source: &str,
    options: &[&str],
    architecture: u32,
) -> Result<Vec<Function>, Failure> {
    are_known(&[architecture])?;
    let cache = Cache::from_environment();
    let compiled = nvrtc::compile_with(cache.as_ref(), name, source, options, architecture)?;
    code_functions(&compiled.code, architecture).ok_or_else(|| {
        let error = Error::other("the format of NVRTC's machine code is unknown");
        error.of_kernel(name.to_owned()).into()
    })
}

/// The functions of machine code; `None` if its format is unknown.
fn code_functions(code: &Code, architecture: u32) -> Option<Vec<Function>> {
    let Code::Cubin(code) = code else { return None };
    machine::functions(code, architecture)
}

/// A kernel in messages.
fn named(kernel: &str, compiled_for: Option<u32>) -> String {
    match compiled_for {
        Some(number) => format!("{kernel} compiled for {number}"),
        None => kernel.to_owned(),
    }
}

/// A source's error, and the number for which it was compiled, if a launch gives one.
type Failed = (Error, Option<u32>);

/// The warnings of the macro and of NVRTC about a source.
type Warnings = [String; 2];

/// The number of sources with warnings that are not allowed, and these warnings without repetitions, each with its sources and
/// architectures if they are not all of the kernel's.
pub(super) fn refused(
    checked: &[(Checked, Warnings)],
    is_allowed: impl Fn(&Checked) -> bool,
) -> (usize, Vec<String>) {
    let is_refused = |text: &Checked| !text.warnings.is_empty() && !is_allowed(text);
    let refused: Vec<_> = checked.iter().filter(|(text, _)| is_refused(text)).collect();
    // Other sources of a kernel repeat the macro's warnings, and often NVRTC's.
    let mut seen = HashSet::new();
    let mut warnings = Vec::new();
    for (text, both) in &refused {
        for each in both.iter().filter(|each| !each.is_empty()) {
            if seen.insert((text.kernel, each)) {
                let is_of_kernel = |of: &&(Checked, Warnings)| of.0.kernel == text.kernel;
                let kernel_sources = checked.iter().filter(is_of_kernel).count();
                let with = refused.iter().filter(|of| is_of_kernel(of) && of.1.contains(each));
                let places: Vec<_> = with.map(|(text, _)| place(text)).collect();
                let head = match places.len() == kernel_sources {
                    true => format!("kernel `{}`:", text.kernel),
                    false => format!("kernel `{}`, in {}:", text.kernel, list(&places)),
                };
                let advice = if each.contains(SPILLED) { SPILL_ADVICE } else { "" };
                warnings.push(format!("{head}\n{each}{advice}"));
            }
        }
    }
    (refused.len(), warnings)
}

/// A part of NVRTC's message about registers.
const SPILLED: &str = "spilled to local memory";

const SPILL_ADVICE: &str = "\nthe source needs more registers than a thread has: use fewer variables at a time in the body, or a smaller `tile` in `#[td_kernel(…)]`";

/// A source of a kernel in messages: its index, its variant, the number for which it was compiled, and the architecture.
fn place(text: &Checked) -> String {
    let Checked { variant, compiled_for, architecture, name, .. } = text;
    let number = compiled_for.map_or(String::new(), |number| format!(" compiled for {number}"));
    format!("source {variant} ({name}){number} on sm_{architecture}")
}

fn list(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// The errors without repetitions: every source and every architecture repeats them.
fn different(errors: impl Iterator<Item = Failed>) -> Vec<Error> {
    let mut seen = HashSet::new();
    let text = |error: &Error| match (error.kernel(), error.compiler_log()) {
        (Some(kernel), Some(log)) => format!("{kernel}\n{log}"),
        _ => error.to_string(),
    };
    let errors = errors.filter(|(error, _)| seen.insert(text(error)));
    let name = |(error, compiled_for): Failed| match error.kernel() {
        Some(kernel) => {
            let name = named(kernel, compiled_for);
            error.of_kernel(name)
        }
        None => error,
    };
    errors.map(name).collect()
}
