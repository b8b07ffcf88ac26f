//! The options of the C++ compiler.

use std::path::Path;
use std::process::Command;
use std::sync::PoisonError;

use super::{run, write};
use crate::Result;
use crate::backend::cpu::compiler::Compiler;

/// Options for every source.
pub(super) const OPTIONS: &[&str] = &[
    "-std=c++17",
    "-shared",
    "-fPIC",
    // Only the shim's definitions for the kernels are exported, and calls within the library are direct.
    "-fvisibility=hidden",
    // CUDA has no errno, and without it a square root is one instruction.
    "-fno-math-errno",
    // A body may read floats as a float4, which nvcc allows. The generated source itself does not need it.
    "-fno-strict-aliasing",
    // CUDA has no exceptions, and none could unwind across a fiber's stack.
    "-fno-exceptions",
    // `#pragma unroll` is for nvcc.
    "-Wno-unknown-pragmas",
    // Without it, g++ notes an old change of its ABI at every parameter aligned to 32 bytes.
    "-Wno-psabi",
    // Off by default in g++, but a missing `return` is always a mistake.
    "-Wreturn-type",
    // Also off by default, but a variable without a value is always a mistake. `-Wmaybe-uninitialized`, for what g++ only
    // suspects, is left out: it depends on inlining, and may name a line of a helper.
    "-Wuninitialized",
    // A function that is declared but not defined becomes a build error with its name. Otherwise the call would end the
    // process.
    #[cfg(target_os = "linux")]
    "-Wl,-z,defs",
];

/// Options for GPU source.
pub(super) const OF_THREADS: &[&str] = &[
    // Most emulated kernels run for less time than they compile, which takes a fifth less than with -O2.
    "-O1",
    // A product and a sum are rounded as written, on every processor.
    "-ffp-contract=off",
];

/// Options for plain loops, which the compiler vectorises.
pub(super) const OF_LOOPS: &[&str] = &[
    "-O3",
    // A product and a sum are rounded as written, unless the kernel sets `fmad = true`.
    "-ffp-contract=off",
    // Float operations do not trap, as in CUDA, so a condition around one can become a select.
    "-fno-trapping-math",
];

/// Options for plain loops that not every compiler supports. The first allows a loop with `#pragma omp simd` to add its sums in
/// the order of its vectors; the second stops clang's warning where it cannot vectorise such a loop. `-march=native` is
/// possible because the library runs on this machine only. The last stops g++ from turning the loops that store folds into
/// calls of `memcpy`; it would then no longer keep folds in registers, and distances took 1.6 times as long.
pub(super) const OPTIONAL_LOOP_FLAGS: &[&str] =
    &["-fopenmp-simd", ONLY_CLANG, "-march=native", ONLY_GCC];

/// Options for GPU source that not every compiler supports. A GPU ends a kernel that reads or writes a value at an address that
/// is not a multiple of its alignment, and so does the emulator.
pub(super) const OPTIONAL_THREAD_FLAGS: &[&str] = &[ALIGNED, TRAP];

/// Without [`TRAP`] it would need a library of the compiler's.
pub(super) const ALIGNED: &str = "-fsanitize=alignment";

/// A misaligned value ends the process at once.
pub(super) const TRAP: &str = "-fsanitize-undefined-trap-on-error";

/// All options that not every compiler supports.
fn optional_flags() -> impl Iterator<Item = &'static str> {
    [OPTIONAL_FLAGS, OPTIONAL_LOOP_FLAGS, OPTIONAL_THREAD_FLAGS].into_iter().flatten().copied()
}

/// Not supported by clang.
const ONLY_GCC: &str = "-fno-tree-loop-distribute-patterns";

/// Not supported by g++.
const ONLY_CLANG: &str = "-Wno-pass-failed";

/// Options that not every compiler supports.
pub(super) const OPTIONAL_FLAGS: &[&str] = &[
    // A frame larger than a guard page touches each of its pages, so it cannot jump over the guard.
    "-fstack-clash-protection",
    // Writes files with the sizes of all functions' frames.
    "-fstack-usage",
    // Kernels use only headers of the C++ library, and searching the library takes most of the linking time. Not every system
    // has the library in this form.
    #[cfg(target_os = "linux")]
    "-static-libstdc++",
];

/// Options for features that not every processor has. With fused products, `fmaf` is one instruction; without, it is a call of
/// the C library, which made distances of four features take 1.8 times as long.
pub(super) fn processor_options() -> &'static [&'static str] {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") {
        return &["-mfma"];
    }
    &[]
}

/// The options of [`optional_flags`] that this compiler supports if they have been tried, otherwise those that a compiler of this
/// name usually supports. Trying takes a third of the time of a short kernel, so it is left for when the compiler complains.
pub(super) fn usual(compiler: &Compiler) -> Vec<&'static str> {
    let tried = compiler.known.lock().unwrap_or_else(PoisonError::into_inner);
    tried.clone().unwrap_or_else(|| name_options(compiler))
}

fn name_options(compiler: &Compiler) -> Vec<&'static str> {
    all_but(if compiler.describe().contains("clang") { ONLY_GCC } else { ONLY_CLANG })
}

fn all_but(unknown: &str) -> Vec<&'static str> {
    optional_flags().filter(|flag| *flag != unknown).collect()
}

/// The options of [`optional_flags`] that the compiler supports. They are tried in `folder` on first use, by one thread while
/// others wait.
pub(super) fn known(compiler: &Compiler, folder: &Path) -> Result<Vec<&'static str>> {
    let mut found = compiler.known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = &*found {
        return Ok(known.clone());
    }
    let knows = |options: &[&str]| {
        let output = run(compiler, &mut trial(compiler, folder, options)?)?;
        Ok(output.status.success())
    };
    // Usually the compiler is one of these two, and supports the rest.
    for unknown in [ONLY_CLANG, ONLY_GCC] {
        let others = all_but(unknown);
        if knows(&others)? {
            return Ok(found.insert(others).clone());
        }
    }
    if !knows(&[])? {
        // It complains about something else, such as a full disk, and nothing is known about its options.
        return Ok(name_options(compiler));
    }
    let each = optional_flags().map(|flag| Ok((flag, knows(&[flag])?)));
    let each = each.collect::<Result<Vec<_>>>()?;
    let known = each.into_iter().filter_map(|(flag, known)| known.then_some(flag)).collect();
    Ok(found.insert(known).clone())
}

/// The command that tests whether the compiler supports these options: an unknown one is an error or a warning. For an option
/// that turns a warning off, it tests the warning's own option: g++ accepts any such `-Wno-` name, and complains about it only
/// beside other messages.
fn trial(compiler: &Compiler, folder: &Path, options: &[&str]) -> Result<Command> {
    let options = options.iter().map(|option| option.replacen("-Wno-", "-W", 1));
    let text = folder.join("options.cpp");
    write(&text, "int options() { return 0; }\n")?;
    let mut command = compiler.command();
    command.args(options).args(["-Werror", "-shared", "-fPIC"]);
    command.args(["-x", "c++"]).arg(&text).arg("-o").arg(folder.join("options.o"));
    command.env("TMPDIR", folder);
    Ok(command)
}
