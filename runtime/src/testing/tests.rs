//! The messages of failures, and the failure for a crate without a kernel, such as this one.

use td_kernel_geometry::{Sweep, Tiling};

use super::Failure;
use super::compile::{Checked, Registered, compile, refused};
use crate::types::info::{Variant, samples};
use crate::{Error, ErrorKind};

#[test]
fn crate_without_kernels_is_an_error() {
    // If NVRTC is missing, the error is about that.
    match compile([], &[90], |_| false) {
        Err(Failure::NoKernels) => {}
        Err(Failure::Run(error)) if error.kind() == ErrorKind::NoCompiler => {}
        other => panic!("{other:?}"),
    }
}

/// A kernel with a number of neighbours at run time that compiles for few of them.
static SEARCH: Registered = Registered {
    kernel: "search",
    variants: &[samples::variant(
        &"\n#define TD_NEAREST 16\nstatic_assert(TD_NEAREST < 100);\n#if TD_NEAREST > 16\n#warning few\n#endif\n",
        "rounds",
    )],
    entries: &Err(""),
    near: &None,
    options: &[],
    warnings: &[],
};

/// A warning of one source on one architecture has both, and what to do about a spill.
#[test]
fn warnings_name_their_sources() {
    let spill = "ptxas warning : Registers are spilled to local memory in function 'edm_kernel', 8 bytes spill stores";
    let checked: Vec<_> = [(0, 75), (0, 90), (1, 75), (1, 90)]
        .map(|(variant, architecture)| {
            let own = if variant == 1 { "src/lib.rs:7: warning: …" } else { "" };
            let of_code = if (variant, architecture) == (1, 75) { spill } else { "" };
            let both = [own.to_owned(), of_code.to_owned()];
            let warnings = both.join("\n").trim().to_owned();
            let functions = Vec::new();
            let (kernel, name) = ("edm", "map ltm".into());
            let text = Checked {
                kernel,
                variant,
                compiled_for: None,
                architecture,
                warnings,
                functions,
                name,
            };
            (text, both)
        })
        .into();
    let (count, warnings) = refused(&checked, |_| false);
    assert_eq!(count, 2);
    assert_eq!(
        warnings,
        [
            "kernel `edm`, in source 1 (map ltm) on sm_75 and source 1 (map ltm) on sm_90:\nsrc/lib.rs:7: warning: …"
                .to_owned(),
            format!(
                "kernel `edm`, in source 1 (map ltm) on sm_75:\n{spill}\nthe source needs more registers than a thread has: use fewer variables at a time in the body, or a smaller `tile` in `#[td_kernel(…)]`"
            ),
        ]
    );
    // A warning of all sources.
    let (_, warnings) = refused(&checked[2..], |_| false);
    assert_eq!(warnings[0], "kernel `edm`:\nsrc/lib.rs:7: warning: …");
}

/// A kernel with a fold, and a product that only tensor cores multiply.
static DOT: Registered = Registered {
    kernel: "dot",
    variants: &[
        Variant {
            tiling: Tiling::new(Sweep::Product, 128),
            ..samples::variant(
                &"\n#if __CUDA_ARCH__ < 800\n#error needs tensor cores\n#endif\nextern \"C\" __global__ void dot_kernel() {}",
                "ltm",
            )
        },
        samples::variant(&"extern \"C\" __global__ void dot_kernel() {}", "ltm"),
    ],
    entries: &Err(""),
    near: &None,
    options: &[],
    warnings: &[],
};

#[test]
fn architectures_without_tensor_cores_take_the_fold() {
    let places: Vec<_> = match compile([&DOT], &[75, 90], |_| false) {
        Ok(checked) => checked.iter().map(|each| (each.variant, each.architecture)).collect(),
        Err(Failure::Run(error)) if error.kind() == ErrorKind::NoCompiler => return,
        Err(other) => panic!("{other}"),
    };
    assert_eq!(places, [(0, 90), (1, 75), (1, 90)]);
}

#[test]
fn failures_name_the_number() {
    let found = compile([&SEARCH], &[90], |_| false).unwrap_err().to_string();
    for words in [
        "1 of 3 compilations failed",
        "kernel `search compiled for 256`: it does not compile",
        "warnings of 1 other compilation:",
        "kernel `search`, in source 0 (map rounds, ",
    ] {
        assert!(found.contains(words) || found.contains("$TD_KERNEL_NVRTC"), "{found}");
    }
}

/// Compares the message of an example of each variant. A variant without an example does not compile.
macro_rules! messages {
    ($($example:pat => $failure:expr, $message:literal;)*) => {
        #[test]
        fn failure_messages_are_exact() {
            $(
                let failure = $failure;
                assert_eq!((failure.to_string(), format!("{failure:?}")), ($message.into(), $message.into()));
            )*
        }

        /// Never called: it makes the compiler check that every variant is there.
        #[allow(dead_code)]
        fn has_an_example(failure: &Failure) {
            match failure {
                $($example => (),)*
            }
        }
    };
}

messages! {
    Failure::NoArchitectures => Failure::NoArchitectures,
        "the list of architectures is empty: pass those of your GPUs, such as 90 for compute capability 9.0";
    Failure::UnknownArchitecture { .. } =>
        Failure::UnknownArchitecture { architecture: 900, known: vec![75, 90] },
        "kernels cannot be compiled for sm_900: pass one of [75, 90], which this NVRTC supports (90 is compute capability 9.0, and the oldest for kernels is 6.0)";
    Failure::NoKernels => Failure::NoKernels,
        "found no kernels: call `compile_all` from a unit test of the crate that defines the kernels; it does not find the kernels of other crates, or those of a library from its `tests` folder";
    Failure::Compile { .. } =>
        Failure::Compile { errors: vec![Error::other("7 is not n (n - 1) / 2")], failed: 4, compilations: 8, warnings: vec![], warned: 0 },
        "4 of 8 compilations failed:\n\n7 is not n (n - 1) / 2";
    Failure::Warnings { .. } =>
        Failure::Warnings { warnings: vec!["kernel `edm`:\nsrc/lib.rs:7: warning: …".into()], warned: 2, compilations: 8 },
        "warnings of 2 of 8 compilations:\n\nkernel `edm`:\nsrc/lib.rs:7: warning: …\n\nto allow some of them, call `compile_all_allowing`";
    Failure::NothingLaunched => Failure::NothingLaunched,
        "the closure did not launch a kernel with the output of this run: call `name::load(device)?.launch(…)` with the closure's device and output";
    Failure::Differs { .. } =>
        Failure::Differs {
            kernel: "edm",
            variant: "map ltm, sweep rows, tile 128, 16 x 16 threads".into(),
            set: None,
            pair: [9, 8],
            found: "1.5".into(),
            expected: "2.5".into(),
            wrong: 3,
            all: 4950,
        },
        "kernel `edm` (map ltm, sweep rows, tile 128, 16 x 16 threads): pair (9, 8) gave 1.5, but 2.5 was expected; 3 of 4950 values are wrong";
    Failure::WrongElement { .. } =>
        Failure::WrongElement {
            kernel: "forces",
            variant: "map ltm, sweep rotate, tile 64, 32 x 4 threads".into(),
            set: None,
            element: 7,
            found: "[0.0, 1.0]".into(),
            expected: "[0.5, 1.0]".into(),
            wrong: 2,
            all: 100,
        },
        "kernel `forces` (map ltm, sweep rotate, tile 64, 32 x 4 threads): element 7 got [0.0, 1.0], but [0.5, 1.0] was expected; 2 of 100 results are wrong";
    Failure::WrongTotal { .. } =>
        Failure::WrongTotal {
            kernel: "count",
            variant: "map ltm, sweep columns, tile 128, 32 x 1 threads".into(),
            found: "7".into(),
            expected: "8".into(),
        },
        "kernel `count` (map ltm, sweep columns, tile 128, 32 x 1 threads): the total is 7, but 8 was expected";
    Failure::WrongExtreme { .. } =>
        Failure::WrongExtreme {
            kernel: "diameter",
            variant: "map ltm, sweep columns, tile 128, 32 x 4 threads".into(),
            found: "Some((1.5, 3, 2))".into(),
            expected: "None".into(),
        },
        "kernel `diameter` (map ltm, sweep columns, tile 128, 32 x 4 threads): it found Some((1.5, 3, 2)), but None was expected";
    Failure::WrongBin { .. } =>
        Failure::WrongBin {
            kernel: "distances",
            variant: "map walk, sweep columns, tile 128, 32 x 4 threads".into(),
            bin: Some(3),
            found: "7".into(),
            expected: "8".into(),
            wrong: 2,
            all: 101,
        },
        "kernel `distances` (map walk, sweep columns, tile 128, 32 x 4 threads): bin 3 has 7, but 8 was expected; 2 of 101 bins are wrong, with the pairs outside as one";
    Failure::Run(_) => Failure::Run(Error::arguments("it has no pairs").of_kernel("edm")),
        "kernel `edm`: it has no pairs";
}
