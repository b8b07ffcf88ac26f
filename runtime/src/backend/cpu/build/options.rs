//! The options of the C++ compiler.

use std::path::Path;
use std::process::Command;
use std::sync::PoisonError;

use super::{run, write};
use crate::Result;
use crate::backend::cpu::compiler::Compiler;

/// Options for every text.
pub(super) const OPTIONS: &[&str] = &[
    "-std=c++17",
    "-shared",
    "-fPIC",
    // Only what the shim defines for the text's kernels is exported, and calls within the library are direct.
    "-fvisibility=hidden",
    // There is no errno in CUDA, and without it a square root is one instruction.
    "-fno-math-errno",
    // A body may read floats as a float4: nvcc allows it. The generated text itself does not need it.
    "-fno-strict-aliasing",
    // CUDA has no exceptions, and none could unwind across a fiber's stack.
    "-fno-exceptions",
    // `#pragma unroll` is for nvcc.
    "-Wno-unknown-pragmas",
    // Without it, g++ notes an old change of its ABI at every parameter aligned to 32 bytes.
    "-Wno-psabi",
    // Off by default in g++, but no body leaves out a `return` on purpose.
    "-Wreturn-type",
    // Likewise off, and a variable without a value is nobody's purpose. What g++ only suspects, by
    // `-Wmaybe-uninitialized`, is left out: it depends on what was inlined, and may be told of a helper's line.
    "-Wuninitialized",
    // A function that is declared but not defined is a build error with its name. Otherwise the call would end the
    // process.
    #[cfg(target_os = "linux")]
    "-Wl,-z,defs",
];

/// Options for a GPU's text.
pub(super) const OF_THREADS: &[&str] = &[
    // Most of what is emulated runs for less time than it is compiled, which takes a fifth less than with -O2.
    "-O1",
    // A product and a sum are rounded as they are written, on every processor.
    "-ffp-contract=off",
];

/// Options for plain loops, which become vector instructions.
pub(super) const OF_LOOPS: &[&str] = &[
    "-O3",
    // A product and a sum are rounded as they are written, unless the kernel says `fmad = true`.
    "-ffp-contract=off",
    // No operation on floats traps, in CUDA neither: so a condition around one can become a choice between values.
    "-fno-trapping-math",
];

/// Options for plain loops that not every compiler knows. The first lets a loop's sums be added up in the order of its vectors, where
/// its `#pragma omp simd` says so; clang warns where it cannot make vectors of such a loop. The library runs on this machine only.
/// And g++ would make a call of `memcpy` of the loops that store folds, and would then no longer keep these in registers: distances
/// took 1.6 times as long.
pub(super) const WISHES_OF_LOOPS: &[&str] =
    &["-fopenmp-simd", ONLY_CLANG, "-march=native", ONLY_GCC];

/// Options for a GPU's text that not every compiler knows: a GPU ends a kernel that reads or writes a value anywhere but at a
/// multiple of its alignment, and so does the emulator.
pub(super) const WISHES_OF_THREADS: &[&str] = &[ALIGNED, TRAP];

/// Without [`TRAP`] it would need a library of the compiler's.
pub(super) const ALIGNED: &str = "-fsanitize=alignment";

/// The misaligned value ends the process at once.
pub(super) const TRAP: &str = "-fsanitize-undefined-trap-on-error";

/// All options that not every compiler knows.
fn wishes() -> impl Iterator<Item = &'static str> {
    [WISHES, WISHES_OF_LOOPS, WISHES_OF_THREADS].into_iter().flatten().copied()
}

/// What clang does not know.
const ONLY_GCC: &str = "-fno-tree-loop-distribute-patterns";

/// What g++ does not know.
const ONLY_CLANG: &str = "-Wno-pass-failed";

/// Options that not every compiler knows.
pub(super) const WISHES: &[&str] = &[
    // A frame that is larger than a guard page touches each page of itself, and so cannot jump over the guard.
    "-fstack-clash-protection",
    // Files that say how large the frames of all functions are.
    "-fstack-usage",
    // Nothing of the C++ library is used but what headers have, and to look for it takes most of the time of linking. Not every
    // system has the library in this form.
    #[cfg(target_os = "linux")]
    "-static-libstdc++",
];

/// Options for what not every processor has. With fused products, `fmaf` is one instruction; without, it is a call of
/// the C library, which made distances of four features take 1.8 times as long.
pub(super) fn of_processor() -> &'static [&'static str] {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") {
        return &["-mfma"];
    }
    &[]
}

/// The options of [`wishes`] that a compiler of this name usually knows, or, where they have been tried,
/// those that it knows. To try them takes as long as a third of a short kernel, so that is left for when the compiler complains.
pub(super) fn usual(compiler: &Compiler) -> Vec<&'static str> {
    let tried = compiler.known.lock().unwrap_or_else(PoisonError::into_inner);
    tried.clone().unwrap_or_else(|| of_name(compiler))
}

fn of_name(compiler: &Compiler) -> Vec<&'static str> {
    all_but(if compiler.describe().contains("clang") { ONLY_GCC } else { ONLY_CLANG })
}

fn all_but(unknown: &str) -> Vec<&'static str> {
    wishes().filter(|wish| *wish != unknown).collect()
}

/// The options of [`wishes`] that the compiler knows. They are tried in `folder` when they are first
/// needed, by one thread while others wait.
pub(super) fn known(compiler: &Compiler, folder: &Path) -> Result<Vec<&'static str>> {
    let mut found = compiler.known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = &*found {
        return Ok(known.clone());
    }
    let knows = |options: &[&str]| {
        let output = run(compiler, &mut trial(compiler, folder, options)?)?;
        Ok(output.status.success())
    };
    // Usually the compiler is one of these two, and knows the rest.
    for unknown in [ONLY_CLANG, ONLY_GCC] {
        let others = all_but(unknown);
        if knows(&others)? {
            return Ok(found.insert(others).clone());
        }
    }
    if !knows(&[])? {
        // It complains of something else, such as a full disk, and nothing is known of its options.
        return Ok(of_name(compiler));
    }
    let each = wishes().map(|wish| Ok((wish, knows(&[wish])?)));
    let each = each.collect::<Result<Vec<_>>>()?;
    let known = each.into_iter().filter_map(|(wish, known)| known.then_some(wish)).collect();
    Ok(found.insert(known).clone())
}

/// The command that tells whether the compiler knows these options: an unknown one is an error, or a warning. Of an option
/// that turns a warning off, it tells whether there is that warning: g++ takes such an option for any name, and complains of
/// it only beside other messages.
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
