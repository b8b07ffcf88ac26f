//! Every message, as people read it.

use std::io;
use std::path::PathBuf;

use cudarc::driver::{DriverError, sys};
use cudarc::nvrtc::result::NvrtcError;
use td_kernel_maps::Root;

use super::{
    BandsCause, Cause, DevicesCause, Error, ErrorKind, FeaturesCause, MachineCause, MatrixCause,
    RectangleCause,
};

/// Compares the message of an example of each variant. A variant without an example does not compile.
macro_rules! messages {
    ($test:ident, $cause:ident $(, $others:pat =>)?; $($variant:ident { $($field:ident: $value:expr),* $(,)? } => $message:expr)*) => {
        #[test]
        fn $test() {
            $(
                let error: Error = $cause::$variant { $($field: $value),* }.into();
                assert_eq!(error.to_string(), $message);
                assert_eq!(format!("{error:?}"), $message);
                // Whoever prints an error with its sources says nothing twice.
                let source = std::error::Error::source(&error).map(ToString::to_string);
                assert!(source.is_none_or(|source| !error.to_string().contains(&source)), "{error}");
            )*
        }

        // Only here so that the compiler counts the variants.
        const _: fn(&$cause) = |cause| match cause {
            $($cause::$variant { .. } => (),)*
            $($others => (),)?
        };
    };
}

/// A driver has words of its own for its errors; without one there are only their names.
#[test]
fn driver_error_has_its_message() {
    let code = DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    let expected = match crate::backend::driver::probe() {
        Ok(()) => {
            "cannot launch the kernel: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"
        }
        Err(_) => "cannot launch the kernel: CUDA_ERROR_ILLEGAL_ADDRESS",
    };
    assert_eq!(Error::driver("launch the kernel")(code).to_string(), expected);
}

/// It crosses threads, is kept anywhere, and makes no `Result` large.
#[test]
fn error_is_small_and_static() {
    fn goes_anywhere<T: std::error::Error + Send + Sync + 'static>() {}
    goes_anywhere::<Error>();
    assert_eq!(size_of::<Option<Error>>(), size_of::<usize>());
}

#[test]
fn error_of_another_kind_keeps_its_message() {
    let reason = io::Error::other(Error::new(Cause::UnknownMap { map: "spiral" }));
    let (message, source) = (reason.to_string(), std::error::Error::source(&reason).is_some());
    let error = Error::other(reason);
    assert_eq!(error.kind(), ErrorKind::Other);
    assert_eq!((error.to_string(), format!("{error:?}")), (message.clone(), message));
    assert_eq!(std::error::Error::source(&error).is_some(), source);
}

/// A warning that the CPU is used does not advise to use it.
#[test]
fn warning_has_no_advice() {
    let (tried, architecture) = (vec!["libcuda.so".to_owned()], 53);
    for (cause, end) in [
        (MachineCause::NoDriver { tried }, "\n  install the driver of your GPU"),
        (MachineCause::NoGpu { ordinal: 1, count: 1 }, "the driver counts 1, from 0 on"),
        (MachineCause::OldGpu { architecture, oldest: 60 }, "of 6.0 (sm_60) and later"),
    ] {
        let error: Error = cause.into();
        assert!(error.to_string().contains("run on the CPU instead"), "{error}");
        assert!(error.without_advice().ends_with(end), "{}", error.without_advice());
    }
    let other = Error::new(Cause::UnknownMap { map: "spiral" });
    assert_eq!(other.without_advice(), other.to_string());
}

/// What an argument is made by decides what is to be written.
#[test]
fn argument_lengths_name_their_constructor() {
    let lengths = |made_by| Cause::Lengths {
        kernel: "edm",
        argument: "out",
        found: 10,
        first: "p",
        expected: 5,
        made_by: Some(made_by),
    };
    for (call, advice) in [
        ("packed(n)", "`device.packed(n)` takes the number of elements: write `device.packed(5)`"),
        ("packed_rows(n, rows)", "write `device.packed_rows(5, rows)`"),
        ("minima(n)", "write `device.minima(5)`"),
    ] {
        let error = Error::new(lengths(call)).to_string();
        let start = "kernel `edm`: `out` has 10 elements, but `p` says that there are 5: ";
        assert!(error.starts_with(start) && error.ends_with(advice), "{error}");
    }
    let counts = |what, made_by| RectangleCause::Counts {
        kernel: "cross",
        argument: "out",
        what,
        found: 10,
        first: "p",
        expected: 5,
        made_by: Some(made_by),
    };
    for (what, call, advice) in [
        ("rows", "matrix(rows, columns)", "write `device.matrix(5, columns)`"),
        (
            "columns",
            "matrix_rows(rows, columns, a..b)",
            "write `device.matrix_rows(rows, 5, a..b)`",
        ),
        ("rows", "nearest(n)", "write `device.nearest(5)`"),
        ("columns", "sums(n)", "write `device.sums(5)`"),
    ] {
        let error: Error = counts(what, call).into();
        assert!(error.to_string().ends_with(advice), "{error}");
    }
    let error = Error::new(Cause::WrongDevice {
        kernel: "edm",
        argument: "p",
        device: "2 x CPU".into(),
        found: "the CPU".into(),
        are_several: true,
    });
    assert!(
        error
            .to_string()
            .ends_with(": make it by these `Devices`, as `devices.upload(&values)` does"),
        "{error}"
    );
}

/// What a program asks for is what the message says.
#[test]
fn an_error_answers() {
    let memory = Error::new(Cause::OutOfMemory { needed: 9, free: Some(4) });
    assert_eq!((memory.bytes_needed(), memory.bytes_free()), (Some(9), Some(4)));
    let host = Error::new(Cause::HostMemory { needed: 9 });
    assert_eq!((host.bytes_needed(), host.bytes_free()), (Some(9), None));
    let list = Error::new(Cause::PairsOverflow { needed: 9, capacity: 4 });
    assert_eq!((list.pairs_needed(), list.capacity()), (Some(9), Some(4)));
    let sum = Error::new(Cause::SumOverflow { total: -9, summand: "u32", wider: "u64" });
    assert_eq!(sum.total(), Some(-9));
    let (kernel, map, root, instead) = ("edm", "ltm", None, "write another");
    let past = Error::new(Cause::PastMap { kernel, map, root, n: 9, most: 4, instead });
    assert_eq!((past.max_elements(), past.max_row_end()), (Some(4), None));
    let rows = Error::new(Cause::RowsPastMap { kernel, map, root, rows: 0..9, most: 4, instead });
    assert_eq!((rows.max_elements(), rows.max_row_end()), (None, Some(4)));
    assert_eq!((past.kind(), rows.kind()), (ErrorKind::PastMap, ErrorKind::PastMap));
    let compile = Cause::Compile { kernel: "edm".into(), compiler: "c++".into(), log: "no".into() };
    let compile = Error::new(compile);
    assert_eq!((compile.kernel(), compile.compiler_log()), (Some("edm"), Some("no")));
    let code = DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    let driver = Error::new(Cause::Driver { action: "launch", code, words: "lost".into() });
    assert_eq!((driver.driver_code(), driver.driver_words()), (Some(700), Some("lost")));
    let reason = io::Error::from(io::ErrorKind::StorageFull);
    let file = Error::new(Cause::Io { action: "write", path: "a".into(), reason });
    assert_eq!(file.io_error().map(io::Error::kind), Some(io::ErrorKind::StorageFull));
    let (argument, alignment, address) = ("p", 16, 4);
    let argument = Error::new(Cause::Misaligned { kernel, argument, alignment, address });
    assert_eq!((argument.kernel(), argument.argument()), (Some("edm"), Some("p")));
    assert_eq!((argument.driver_code(), memory.argument(), memory.kernel()), (None, None, None));
}

/// Whoever prints an error may have lost the driver, or never had it: in a process of its own, for other tests load it.
#[cfg(target_os = "linux")]
#[test]
fn printing_loads_no_driver() {
    const ALONE: &str = "TD_KERNEL_TEST_PRINTS_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let this = "error::tests::printing_loads_no_driver";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", this]).env(ALONE, "1").output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
        return;
    }
    let code = DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    let error = Error::new(Cause::Driver { action: "launch", code, words: "lost".into() });
    assert_eq!(error.to_string(), "cannot launch: lost");
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(!maps.contains("libcuda"), "an error's words load a library:\n{maps}");
}

messages! {
    // The messages of all but the last are below, and that of the last is another error's.
    messages, Cause, Cause::Bands(_) | Cause::Devices(_) | Cause::Features(_) | Cause::Machine(_) | Cause::Matrix(_) | Cause::Rectangle(_) | Cause::Other(_) =>;

    Driver { action: "launch the kernel", code: DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS), words: "an illegal memory access was encountered".into() } =>
        "cannot launch the kernel: an illegal memory access was encountered"
    OutOfMemory { needed: 140_000_000_000, free: Some(85_000_000_000) } =>
        "not enough memory on the device: 140000000000 bytes needed, 85000000000 free"
    HostMemory { needed: 140_000_000_000 } =>
        "not enough memory on the host: 140000000000 bytes needed"
    CopyLength { length: 3, found: 4 } =>
        "3 elements are copied into a slice of 4: give it one of 3"
    UploadLength { length: 3, found: 4 } =>
        "a slice of 4 is copied into 3 elements: give it one of 3"
    SliceRange { range: 2..5, length: 4 } =>
        "2..5 is not a range of the elements of a buffer of 4: write a..b with a <= b <= 4"
    TooLarge { elements: usize::MAX, size: 4 } =>
        "18446744073709551615 elements of 4 bytes, or their pairs, are more than memory can hold"
    Lengths { kernel: "edm", argument: "q", found: 1, first: "p", expected: 3, made_by: None } =>
        "kernel `edm`: `q` has 1 elements, but `p` says that there are 3"
    PackedLength { kernel: "edm", argument: "distance", n: 4, expected: 6, found: 7 } =>
        "kernel `edm`: `distance` has 7 slots, but 4 elements have 6 pairs"
    SquareLength { kernel: "edm", argument: "distance", n: 4, expected: 16, found: 15 } =>
        "kernel `edm`: `distance` has 15 values, and 4 elements have 16: use `device.square(4)`"
    LaunchRows { kernel: "edm", rows: 5..12, n: 10 } =>
        "kernel `edm`: rows 5..12 are not a range of the rows of 10 elements: write `kernel.rows(a..b)` with a <= b <= 10"
    NoRows { kernel: "edm", why: "its map utm launches whole triangles only: write `map = \"ltm\"`".into() } =>
        "kernel `edm` cannot be launched for a range of rows: its map utm launches whole triangles only: write `map = \"ltm\"`"
    MissingRows { kernel: "edm", argument: "distance", found: 3..5, visited: 3..7 } =>
        "kernel `edm`: `distance` has slots for rows 3..5, but the launch visits rows 3..7: give it `device.packed_rows(n, 3..7)` (with the diagonal, `packed_rows_with_diagonal`), or launch `kernel.rows(3..5)`"
    RowsLength { kernel: "edm", argument: "distance", rows: 3..5, expected: 7, found: 8 } =>
        "kernel `edm`: `distance` has 8 slots, but rows 3..5 have 7 pairs: give it a slice of as many"
    FirstRows { kernel: "edm", argument: "q", found: 3, first: "distance", expected: 0 } =>
        "kernel `edm`: `q` begins at row 3, but `distance` at row 0: packed arguments of one launch begin at the same row: make both for the same rows"
    RowsOfNoN { kernel: "edm", argument: "distance", rows: 3..5 } =>
        "kernel `edm`: `distance` is a slice of slots for rows 3..5, which does not tell how many elements there are: give it `device.packed_rows(n, 3..5)` (with the diagonal, `packed_rows_with_diagonal`)"
    SlotsOfNoN { kernel: "edm", argument: "distance", length: 7 } =>
        "kernel `edm`: `distance` has 7 slots, which no number of elements has as pairs"
    WrongDiagonal { kernel: "edm", argument: "distance", kernel_has: true } =>
        "kernel `edm`: `distance` has no slots for the pairs (i, i), which the kernel visits: use `device.packed_with_diagonal(n)` or `device.packed_rows_with_diagonal(n, rows)`"
    WrongDevice { kernel: "edm", argument: "p", device: "NVIDIA H200".into(), found: "the CPU".into(), are_several: false } =>
        "kernel `edm`: `p` lies on the CPU, but the kernel was loaded for NVIDIA H200: make it by that `Device`, as `device.upload(&values)` does"
    WrongStream { kernel: "edm", device: "NVIDIA H200".into() } =>
        "kernel `edm`: the stream does not belong to NVIDIA H200, for which the kernel was loaded"
    Misaligned { kernel: "edm", argument: "p", alignment: 16, address: 0x1004 } =>
        "kernel `edm`: `p` starts at address 0x1004, but its elements are loaded as one and need a multiple of 16 bytes: start the view at such an element"
    PastMap { kernel: "edm", map: "ltm", root: Some(Root::Rsqrt { epsilon: 1e-4 }), n: 40_000, most: 32_864, instead: "write `sqrt = \"exact\"`" } =>
        "kernel `edm`: n = 40000 is more than the map ltm with the root rsqrt (epsilon 1e-4) can do exactly here, which is n = 32864 at most: write `sqrt = \"exact\"`"
    RowsPastMap { kernel: "edm", map: "ltm", root: Some(Root::Rsqrt { epsilon: 1e-4 }), rows: 30_000..40_000, most: 32_864, instead: "write `sqrt = \"exact\"`" } =>
        "kernel `edm`: rows 30000..40000 go further than the map ltm with the root rsqrt (epsilon 1e-4) can do exactly here, which is to row 32864 at most: write `sqrt = \"exact\"`"
    Parameters { kernel: "edm", compiled: vec![4, 8, 8], passed: vec![4, 8] } =>
        "kernel `edm` was compiled with parameters of [4, 8, 8] bytes, but a launch passes [4, 8]: use the same version of td-kernel and its macros"
    OtherKernel { kernel: "edm", held: "cross" } =>
        "`edm` holds the kernel `cross`: load it by `edm::load`"
    NoVariant { kernel: "edm", variant: 9 } =>
        "kernel `edm` has no variant 9: use the same version of td-kernel and its macros"
    NothingToTune { kernel: "edm" } =>
        "kernel `edm` cannot be tuned without pairs: give it the data that it is to be fast for"
    UnknownMap { map: "spiral" } =>
        "the macro knows a map `spiral` that this version of td-kernel does not: use the same version of both"
    PairsOverflow { needed: 4954, capacity: 4 } =>
        "4954 pairs were pushed, but there is room for 4: use `device.pairs(4954)`"
    SumOverflow { total: 4_294_967_296, summand: "u32", wider: "u64" } =>
        "the total is 4294967296, which a `Sum<u32>` does not hold: use a `Sum<u64>`"
    ExactSumFull { kernel: "forces", argument: "force" } =>
        "kernel `forces`: `force` has been added to so often that another launch might overflow the words of its exact sums: download it, and `clear()` it"
    NeighbourCount { found: 300, most: 256 } =>
        "a `Nearest` keeps from 1 to 256 neighbours of each element, and not 300"
    FullQueue { kernel: "nearest", argument: "near" } =>
        "kernel `nearest`: the queues of `near` are too short for its tiles: use the same version of td-kernel and its macros"
    Compile { kernel: "edm".into(), compiler: "NVRTC, sm_90".into(), log: "src/main.rs:8: error: expected a \";\"".into() } =>
        "kernel `edm` does not compile (NVRTC, sm_90):\nsrc/main.rs:8: error: expected a \";\""
    Io { action: "write", path: PathBuf::from("/tmp/kernel.cu"), reason: io::Error::new(io::ErrorKind::StorageFull, "no space left") } =>
        "cannot write /tmp/kernel.cu: no space left"
    Refused { kernel: "edm".into(), reason: "a block has at most 1024 threads, not 2048".into() } =>
        "cannot launch edm: a block has at most 1024 threads, not 2048"
    NoStack { kernel: "edm".into(), reason: std::io::Error::from_raw_os_error(12) } =>
        "cannot find memory for the threads of edm: Cannot allocate memory (os error 12)"
    Forked { kernel: "edm".into() } =>
        "kernel `edm`: this process was forked from one that had launched kernels on the CPU, and whose threads it does not have: launch before the fork only, or after it only, or start the program anew in the child"
    Deadlock { kernel: "edm".into(), block: [2, 1], waiting: 8, threads: 256 } =>
        "kernel `edm`: 8 of 256 threads of block (2, 1) wait forever at a barrier or a warp function that the others have left behind"
}

messages! {
    messages_of_bands, BandsCause;

    LongRow { row: 299_999, longest: 1_199_996, bytes: 500_000, memory: 2_399_992, host: 4_799_984 } =>
        "row 299999 has 1199996 bytes, and a band has room for 500000: give `memory` 2399992 bytes and `host_memory` 4799984 bytes or more, or leave them out"
    Gathers { kernel: "edm" } =>
        "kernel `edm` has outputs beside the values of bands, and what an earlier process has added to them is lost: write `write_npy`, which begins anew, or compute them by a kernel of their own"
    OtherWork { part: "a.npy.part".into(), journal: "a.npy.part.journal".into(), difference: "its kernel is `edm`, and here it is `edm_2`".into() } =>
        "a.npy.part.journal is the journal of other work: its kernel is `edm`, and here it is `edm_2`. Give what that work was begun with, remove it and a.npy.part to begin anew, or write to another file"
    NoForm {} =>
        "only all rows of a triangle without its diagonal have a condensed form: leave out `condensed()`, or give all rows"
    AtWork { part: "a.npy.part".into() } =>
        "another process is writing a.npy.part: wait for its end, or end it"
    Beside { path: "a.npy".into(), action: "create", beside: "a.npy.part.journal".into(), reason: io::Error::from_raw_os_error(13) } =>
        "cannot write a.npy: cannot create a.npy.part.journal: Permission denied (os error 13)"
    NotFinished { path: "a.npy".into(), part: "a.npy.part".into(), journal: "a.npy.part.journal".into() } =>
        "there is a.npy.part.journal and no a.npy.part, and a.npy is not the file that it describes: remove the journal to begin anew and replace that file, or write to another file"
    NoJournal { part: "a.npy.part".into() } =>
        "there is a.npy.part and no journal of it, so nothing tells what it is: remove it, or write to another file"
    Shared { count: 1, of: 4 } =>
        "bands are of all rows, and these are 1 of 4 devices that share each launch, with those of other processes: write `kernel.bands(…)` on one device that is not `part_of` others, with `.rows(a..b)` for the rows that this process is to have"
    Failed { failure: "cannot launch: lost".into() } =>
        "there are no more bands after an error: cannot launch: lost"
}

messages! {
    messages_of_a_machine, MachineCause;

    NoDriver { tried: vec!["libcuda.so.1".into(), "libcuda.so".into()] } =>
        "no NVIDIA driver found\n  tried: libcuda.so.1, libcuda.so\n  install the driver of your GPU, or run on the CPU instead"
    OldDriver { function: "cuMemAllocAsync" } =>
        "the NVIDIA driver has no function `cuMemAllocAsync`: install one for CUDA 11.2 or newer"
    NoGpu { ordinal: 1, count: 1 } =>
        "there is no GPU 1: the driver counts 1, from 0 on; without one, run on the CPU instead"
    NoNvrtc { tried: vec!["libnvrtc.so.13 (not found)".into(), "libnvrtc.so.12 (not found)".into()] } =>
        "NVRTC not found, which compiles kernels for a GPU\n  tried: libnvrtc.so.13 (not found)\n         libnvrtc.so.12 (not found)\n  install the CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment, or name the library in $TD_KERNEL_NVRTC"
    OtherNvrtc { wanted: PathBuf::from("/cuda/libnvrtc.so.13") } =>
        "NVRTC was found as /cuda/libnvrtc.so.13, but another one comes first on the system's library path: remove that one, or name it in $TD_KERNEL_NVRTC"
    NotNvrtc { path: PathBuf::from("libm.so.6"), function: "nvrtcVersion", oldest: (12, 0) } =>
        "libm.so.6 has no function `nvrtcVersion`, so it is not NVRTC, or one of long before CUDA 12.0: install a newer CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment, and name the library of that one in $TD_KERNEL_NVRTC, or none to have it looked for"
    OldNvrtc { path: PathBuf::from("/opt/cuda-11.8/lib64/libnvrtc.so"), version: (11, 8), oldest: (12, 0) } =>
        "/opt/cuda-11.8/lib64/libnvrtc.so is NVRTC 11.8, and the oldest one that kernels are compiled with is 12.0: install a newer CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment, and name the library of that one in $TD_KERNEL_NVRTC, or none to have it looked for"
    OldGpu { architecture: 53, oldest: 60 } =>
        "compute capability 5.3 (sm_53) is not supported: kernels run on GPUs of 6.0 (sm_60) and later; without one, run on the CPU instead"
    Nvrtc { action: "take a program", code: NvrtcError(cudarc::nvrtc::sys::nvrtcResult::NVRTC_ERROR_OUT_OF_MEMORY) } =>
        "NVRTC cannot take a program: NVRTC_ERROR_OUT_OF_MEMORY"
    UnknownArchitecture { architecture: 70, known: vec![75, 80, 90] } =>
        "this NVRTC does not compile for sm_70, but for [75, 80, 90]: CUDA 13 has dropped GPUs before sm_75, so install CUDA 12, or `pip install nvidia-cuda-nvrtc-cu12` in a virtual environment, and name that library in $TD_KERNEL_NVRTC"
    NoCompiler { tried: vec!["c++".into(), "g++".into()] } =>
        "no C++ compiler found for the CPU device\n  tried: c++, g++\n  install one (Debian and Ubuntu: `apt install g++`; Fedora: `dnf install gcc-c++`; macOS: `xcode-select --install`), or name one in $CXX"
    NoLibrary { kernel: "edm".into(), command: "true".into(), compiler: "true (GNU coreutils) 9.1".into(), found: "no library".into() } =>
        "kernel `edm`: the command `true` (true (GNU coreutils) 9.1) ended without an error, but left no library: name a C++ compiler in $CXX that takes the options of g++ and compiles for this machine, or unset $CXX"
}

messages! {
    messages_of_a_matrix, MatrixCause;

    RowRange { rows: 5..12, row_count: 10 } =>
        "rows 5..12 are not a range of the 10 rows of a matrix: write a..b with a <= b <= 10"
    TooLarge { rows: usize::MAX, columns: 2, size: 4 } =>
        "a matrix of 18446744073709551615 rows and 2 columns of 4 bytes each is more than memory can hold"
    RectangleLength { found: 5, rows: 2, columns: 3, expected: 6 } =>
        "5 values are given for 2 rows of 3 columns, which have 6: give as many"
    PackedRange { rows: 5..12, elements: 10 } =>
        "rows 5..12 are not a range of the rows of 10 elements: write a..b with a <= b <= 10"
    NotATriangle { length: 7 } =>
        "7 values are not a condensed matrix: n elements have n (n - 1) / 2 pairs"
    MatrixLength { found: 7, elements: 100, rows: 3..5, expected: 8 } =>
        "7 values are given for rows 3..5 of a packed matrix of 100 elements, which have 8: give as many"
    SomeRows { rows: 3..5, elements: 100, form: "condensed form" } =>
        "a matrix of only rows 3..5 of 100 elements has no condensed form: make one of all rows, as `device.packed(100)` has them"
    PairOutside { at: 2, pair: [5, 4], elements: 5 } =>
        "pair 2 of a list is (5, 4), which is outside of 5 elements: give the number of elements that the kernel ran over"
    PairOutsideRectangle { at: 0, pair: [4, 1], rows: 4, columns: 9 } =>
        "pair 0 of a list is (4, 1), which is outside of 4 rows and 9 columns: give those that the kernel ran over (of neighbours in another set by `to_csr_of_two`)"
    ListLengths { i: 3, j: 3, values: 2 } =>
        "a list of pairs is given 3 first indices, 3 second indices and 2 values: give as many of each"
    NeighbourLengths { indices: 3, values: 2, expected: 4 } =>
        "3 indices and 2 values are given for elements that have 4 neighbours in all: give as many of each"
    TooManyNeighbours { element: 2, count: 5, most: 4 } =>
        "element 2 is given 5 neighbours, where each has at most 4: give the nearest ones"
    NeighbourOrder { element: 2 } =>
        "the neighbours of element 2 are out of order: give the nearest first, by values that are numbers, and indices below 4294967295"
    NotSquare { rows: 2, columns: 3 } =>
        "an array of 2 rows and 3 columns is not a square matrix: give one of as many rows as columns"
    Columns { found: 2, expected: 3 } =>
        "the array has 2 columns, and its rows are asked for as elements of 3: give one of 3 columns"
}

messages! {
    messages_of_devices, DevicesCause;

    Empty {} =>
        "a list of no devices is given: give at least one, or write `Devices::all()`"
    NoPart { count: 2, first: 3, of: 4 } =>
        "of 4 devices there are no 2 from number 3 on: give all processes the same number of devices in all, and each the number of those before its own"
    OnDevice { index: 1, device: "NVIDIA H200".into(), error: Cause::UnknownMap { map: "spiral" }.into() } =>
        "on device 1 (NVIDIA H200): the macro knows a map `spiral` that this version of td-kernel does not: use the same version of both"
    Slots { what: "Packed", devices: "2 x NVIDIA H200".into(), instead: "device.packed_rows(n, a..b)" } =>
        "a `Packed` is on one device, and these are 2 x NVIDIA H200: write `kernel.bands(…)`, whose bands go to all of these; or make one on each, as in `for device in devices.iter()`, with the rows that it is to have: `device.packed_rows(n, a..b)`"
    Stores { kernel: "edm", argument: "distance", devices: "2 x NVIDIA H200".into() } =>
        "kernel `edm` stores a value for each pair in `distance`, which is on one device at most, and it is launched on 2 x NVIDIA H200: write `kernel.bands(…)`, whose bands go to all of these; or load it for each, as in `for device in devices.iter()`, and launch `kernel.rows(a..b)` there, into `device.packed_rows(n, a..b)` or `device.matrix_rows(rows, columns, a..b)`"
    NoRows { kernel: "edm", devices: "2 x NVIDIA H200".into(), why: "its map utm launches whole triangles only: write `map = \"ltm\"`".into() } =>
        "kernel `edm` cannot be shared by 2 x NVIDIA H200, each of which is to visit some of the rows: its map utm launches whole triangles only: write `map = \"ltm\"`"
    Written { kernel: "edm", argument: "degree", devices: "2 x NVIDIA H200".into() } =>
        "kernel `edm`: each of 2 x NVIDIA H200 would write a copy of `degree`, and nothing tells how to make one of them: write a result of elements, as in `#[each] degree: &mut Sum<T>`, or launch it on one device"
    OtherPart { kernel: "edm", argument: "close", count: 2, place: [2, 4], found: [0, 2] } =>
        "kernel `edm`: `close` is for devices 0..2 of 2 that share each launch, but the kernel was loaded for devices 2..4 of 4, which visit other pairs: make the output and load the kernel by the same `Devices`, those that `part_of` returned"
    OwnChoice { kernel: "edm", choice: "tuned" } =>
        "kernel `edm` is tuned on devices that share its launches with other processes: each process cuts the pairs by itself, and where it cuts follows from the variant, which has to be the same in all of them: leave that out, or choose by the keys `map` and `tile` of the kernel's attribute, which all processes have"
    OtherWords { found: 15, expected: 5 } =>
        "15 words do not belong to this output, which has 5 cells: join those of outputs of the same type, with as many elements, made by the same version of td-kernel"
    FullSum {} =>
        "these exact sums have been added to so often that they might overflow their words when they are joined: download them more often, and `clear()` them"
    Incomplete { failure: "on device 1 (NVIDIA H200): cannot launch the kernel: CUDA_ERROR_UNKNOWN".into() } =>
        "a launch has failed (on device 1 (NVIDIA H200): cannot launch the kernel: CUDA_ERROR_UNKNOWN), so this result may have what other devices have added, and not the rest: `clear()` it, and launch again"
}

messages! {
    messages_of_features, FeaturesCause;

    NoWidth { given: 7, what: "value" } =>
        "a width of 0 features is given for 7 values: write how many features a row has, at least 1"
    Length { given: 7, width: 3 } =>
        "7 values are no whole number of rows of 3 features: 6 would be 2 rows, and 9 would be 3; give a multiple of 3, or the width that the rows have"
    NoFeatures {} =>
        "row 0 has no features, and tells how many each row has: give each row at least 1"
    Row { row: 4, found: 2, expected: 3 } =>
        "row 4 has 2 features, but row 0 has 3: give each row 3"
    NoRows {} =>
        "no rows are given, and the first one tells how many features an element has: where there may be none, write `device.features(&values, width)`, with the values of all rows one after another"
    TooMany { rows: 1 << 32 } =>
        "4294967296 rows of features are more than kernels count, which is 4294967295: give fewer"
    TooWide { width: 1 << 32 } =>
        "rows of 4294967296 features are wider than kernels go along, which is 2147483647: give narrower ones"
    Widths { kernel: "distance", argument: "b", found: 3, first: "a", expected: 4 } =>
        "kernel `distance`: `b` has 3 features for each element, but `a` has 4: a kernel folds both together, so give them the same width"
    TooLarge { rows: 4_000_000_000, width: 4_000_000_000, size: 4 } =>
        "4000000000 rows of 4000000000 features of 4 bytes each are more than memory can hold"
}

messages! {
    messages_of_a_rectangle, RectangleCause;

    Counts { kernel: "cross", argument: "distance", what: "columns", found: 4, first: "data", expected: 5, made_by: Some("matrix(rows, columns)") } =>
        "kernel `cross`: `distance` is for 4 columns, but `data` says that there are 5: write `device.matrix(rows, 5)`"
    Length { kernel: "cross", argument: "distance", rows: 3, columns: 5, expected: 15, found: 12 } =>
        "kernel `cross`: `distance` has 12 values, and 3 rows of 5 columns have 15: give it `device.matrix(rows, columns)`, or a slice of as many"
    NoShape { kernel: "cross", argument: "distance", length: 12 } =>
        "kernel `cross`: `distance` is a slice of 12 values, which does not tell how many rows and columns there are: give it `device.matrix(rows, columns)`"
    Rows { kernel: "cross", rows: 5..12, count: 10 } =>
        "kernel `cross`: rows 5..12 are not a range of 10 rows: write `kernel.rows(a..b)` with a <= b <= 10"
    MissingRows { kernel: "cross", argument: "distance", found: 3..5, visited: 3..7 } =>
        "kernel `cross`: `distance` has rows 3..5, but the launch visits rows 3..7: give it `device.matrix_rows(rows, columns, 3..7)`, or launch `kernel.rows(3..5)`"
    FirstRows { kernel: "cross", argument: "q", found: 3, first: "distance", expected: 0 } =>
        "kernel `cross`: `q` begins at row 3, but `distance` at row 0: matrices of one launch begin at the same row: make both for the same rows"
    PastGrid { kernel: "cross", rows: 5_000_000_000, columns: 7 } =>
        "kernel `cross`: 5000000000 rows and 7 columns are more than one grid takes, or than 32 bits count: launch parts of them, with `kernel.rows(a..b)` or with slices"
}

/// The errors of each list answer like the others.
#[test]
fn errors_of_each_list_answer() {
    let (kernel, argument) = ("cross", "distance");
    let shape: Error = RectangleCause::NoShape { kernel, argument, length: 12 }.into();
    assert_eq!((shape.kernel(), shape.argument()), (Some("cross"), Some("distance")));
    assert_eq!(shape.kind(), ErrorKind::Arguments);
    let past: Error = RectangleCause::PastGrid { kernel, rows: 1 << 33, columns: 1 }.into();
    assert_eq!((past.kind(), past.argument()), (ErrorKind::PastMap, None));
    let features: Error = FeaturesCause::TooLarge { rows: 1 << 32, width: 1 << 32, size: 4 }.into();
    assert_eq!(features.kind(), ErrorKind::TooLarge);
    assert_eq!((features.kernel(), features.argument()), (None, None));
    let (found, first, expected) = (3, "a", 4);
    let widths: Error = FeaturesCause::Widths { kernel, argument, found, first, expected }.into();
    assert_eq!((widths.kernel(), widths.argument()), (Some("cross"), Some("distance")));
    assert_eq!(widths.kind(), ErrorKind::Arguments);
    let large: Error = MatrixCause::TooLarge { rows: usize::MAX, columns: 2, size: 4 }.into();
    assert_eq!(large.kind(), ErrorKind::TooLarge);
    let devices = String::new();
    let written: Error = DevicesCause::Written { kernel, argument, devices }.into();
    assert_eq!((written.kernel(), written.argument()), (Some("cross"), Some("distance")));
    assert_eq!((written.kind(), written.device()), (ErrorKind::Arguments, None));
}

#[test]
fn negative_total_suggests_a_signed_sum() {
    let below = Cause::SumOverflow { total: -4_294_967_296, summand: "i32", wider: "i64" };
    let message = "the total is -4294967296, which a `Sum<i32>` does not hold: use a `Sum<i64>`";
    assert_eq!(below.to_string(), message);
    let total = (1 << 64) - 3;
    let wrapped = Cause::SumOverflow { total, summand: "u32", wider: "u64" };
    let message = "the total is 18446744073709551613, which a `Sum<u32>` does not hold: use a `Sum<u64>`, or a `Sum<i64>` if it is -3, since more was taken off than was added";
    assert_eq!(wrapped.to_string(), message);
}
