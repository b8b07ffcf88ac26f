//! Compiles every kernel of a crate.

use std::collections::HashSet;

use rayon::prelude::*;

use super::Failure;
use crate::error::Cause;
use crate::info::Variant;
use crate::{Error, Result, nvrtc};

/// A kernel of the crate under test. Generated code makes these only in unit tests.
#[doc(hidden)]
pub struct Registered {
    /// The kernel, as the user named it.
    pub kernel: &'static str,
    /// Its texts.
    pub variants: &'static [Variant],
}

inventory::collect!(Registered);

/// A text of a kernel that NVRTC has compiled: from [`compile_all`].
///
/// ```no_run
/// # use td_kernel::testing;
/// let checked = testing::compile_all(&[90])?;
/// for text in checked.iter().filter(|text| !text.warnings.is_empty()) {
///     println!("{} for sm_{}: {}", text.kernel, text.architecture, text.warnings);
/// }
/// # Ok::<(), testing::Failure>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The kernel.
    pub kernel: &'static str,
    /// Which of its texts: the index in `name::SOURCES`.
    pub variant: usize,
    /// Whether it is the text for a range of rows.
    pub is_of_rows: bool,
    /// The architecture, as 90 for compute capability 9.0.
    pub architecture: u32,
    /// The compiler's warnings, on the lines of the body; empty where there were none.
    pub warnings: String,
}

/// Compiles every annotated kernel of the crate, in all its texts, also those for ranges of rows, for each of these
/// architectures, as 90 for compute capability 9.0. It needs NVRTC and no GPU.
///
/// Call it from a unit test of the crate that the kernels are in; for kernels in a binary or in a file in `tests`, from
/// there: a kernel is listed only where its crate is compiled for testing.
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
/// # Errors
///
/// There are no kernels or no architectures; NVRTC does not know an architecture, or is missing; or some kernels do not
/// compile: then the error has every failure.
pub fn compile_all(architectures: &[u32]) -> Result<Vec<Checked>, Failure> {
    compile(inventory::iter::<Registered>, architectures)
}

/// Compiles these kernels.
pub(super) fn compile<'a>(
    kernels: impl IntoIterator<Item = &'a Registered>,
    architectures: &[u32],
) -> Result<Vec<Checked>, Failure> {
    if architectures.is_empty() {
        return Err(Failure::NoArchitectures);
    }
    let known = nvrtc::architectures()?;
    if let Some(&architecture) = architectures.iter().find(|each| !known.contains(each)) {
        return Err(Failure::UnknownArchitecture { architecture, known });
    }
    let texts = kernels.into_iter().flat_map(|each| {
        each.variants.iter().enumerate().flat_map(|(at, Variant { source, rows, .. })| {
            let rows = rows.map(|rows| (each.kernel, at, true, rows));
            [(each.kernel, at, false, *source)].into_iter().chain(rows)
        })
    });
    let mut tasks: Vec<_> = texts
        .flat_map(|text| architectures.iter().map(move |architecture| (text, *architecture)))
        .collect();
    if tasks.is_empty() {
        return Err(Failure::NoKernels);
    }
    // A linker's list has no order that means anything to people.
    tasks.sort_unstable_by_key(|((kernel, variant, is_of_rows, _), architecture)| {
        (*kernel, *variant, *is_of_rows, *architecture)
    });
    let compile =
        |&((kernel, variant, is_of_rows, source), architecture): &((_, _, _, &str), _)| {
            let compiled = nvrtc::compile(kernel, source, architecture)?;
            Ok(Checked { kernel, variant, is_of_rows, architecture, warnings: compiled.warnings })
        };
    let done: Vec<Result<Checked>> = tasks.par_iter().map(compile).collect();
    let (checked, errors): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    let failed = errors.len();
    if failed == 0 {
        return Ok(checked.into_iter().flatten().collect());
    }
    let errors = different(errors.into_iter().filter_map(Result::err));
    Err(Failure::Compile { errors, failed, compilations: tasks.len() })
}

/// Each mistake once: every text and every architecture repeats it.
fn different(errors: impl Iterator<Item = Error>) -> Vec<Error> {
    let mut told = HashSet::new();
    let text = |error: &Error| match error.cause() {
        Cause::Compile { kernel, log, .. } => format!("{kernel}\n{log}"),
        cause => cause.to_string(),
    };
    errors.filter(|error| told.insert(text(error))).collect()
}
