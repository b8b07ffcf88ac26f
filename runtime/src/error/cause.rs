//! Every cause of an error, with its message.

use std::ops::Range;
use std::path::PathBuf;

use cudarc::driver::DriverError;
use td_kernel_maps::Root;

use super::call::called;
use super::{BandsCause, DevicesCause, FeaturesCause, MachineCause, MatrixCause, RectangleCause};

/// What a total may be that is taken for one of 64 bits without a sign.
fn below_zero(total: i128) -> String {
    if total <= i64::MAX.into() {
        return String::new();
    }
    let below = total - (1 << 64);
    format!(", or a `Sum<i64>` if it is {below}, since more was taken off than was added")
}

/// What is inside an [`Error`](super::Error). The messages say what each variant is.
///
/// Sizes of memory are in bytes.
#[derive(thiserror::Error, Debug)]
// Some are the CPU device's alone.
#[cfg_attr(not(feature = "cpu"), allow(dead_code))]
pub(crate) enum Cause {
    /// `words` are asked for at once: an error may be printed where there is no driver any more.
    #[error("cannot {action}: {words}")]
    Driver { action: &'static str, code: DriverError, words: String },

    /// `free` where the device can tell.
    #[error(
        "not enough memory on the device: {needed} bytes needed{}",
        free.map(|free| format!(", {free} free")).unwrap_or_default()
    )]
    OutOfMemory { needed: usize, free: Option<usize> },

    /// For a copy of what is on the device, or for a matrix made of one.
    #[error("not enough memory on the host: {needed} bytes needed")]
    HostMemory { needed: usize },

    #[error("{length} elements are copied into a slice of {found}: give it one of {length}")]
    CopyLength { length: usize, found: usize },

    #[error("a slice of {found} is copied into {length} elements: give it one of {length}")]
    UploadLength { length: usize, found: usize },

    #[error(
        "{range:?} is not a range of the elements of a buffer of {length}: write a..b with a <= b <= {length}"
    )]
    SliceRange { range: Range<usize>, length: usize },

    #[error("{elements} elements of {size} bytes, or their pairs, are more than memory can hold")]
    TooLarge { elements: usize, size: usize },

    #[error(
        "kernel `{kernel}`: `{argument}` has {found} elements, but `{first}` says that there are {expected}{}",
        made_by.map_or_else(String::new, |call| {
            format!(
                ": `device.{call}` takes the number of elements: write {}",
                called(call, "n", *expected)
            )
        })
    )]
    Lengths {
        kernel: &'static str,
        argument: &'static str,
        found: usize,
        first: &'static str,
        expected: usize,
        /// The method of `Device` that makes such an argument, as it is called.
        made_by: Option<&'static str>,
    },

    #[error(
        "kernel `{kernel}`: `{argument}` has {found} slots, but {n} elements have {expected} pairs"
    )]
    PackedLength {
        kernel: &'static str,
        argument: &'static str,
        n: usize,
        expected: usize,
        found: usize,
    },

    #[error(
        "kernel `{kernel}`: `{argument}` has {found} values, and {n} elements have {expected}: use `device.square({n})`"
    )]
    SquareLength {
        kernel: &'static str,
        argument: &'static str,
        n: usize,
        expected: usize,
        found: usize,
    },

    #[error(
        "kernel `{kernel}`: rows {rows:?} are not a range of the rows of {n} elements: write `kernel.rows(a..b)` with a <= b <= {n}"
    )]
    LaunchRows { kernel: &'static str, rows: Range<usize>, n: usize },

    #[error("kernel `{kernel}` cannot be launched for a range of rows: {why}")]
    NoRows { kernel: &'static str, why: String },

    #[error(
        "kernel `{kernel}`: `{argument}` has slots for rows {found:?}, but the launch visits rows {visited:?}: give it `device.packed_rows(n, {visited:?})` (with the diagonal, `packed_rows_with_diagonal`), or launch `kernel.rows({found:?})`"
    )]
    MissingRows {
        kernel: &'static str,
        argument: &'static str,
        found: Range<usize>,
        visited: Range<usize>,
    },

    #[error(
        "kernel `{kernel}`: `{argument}` has {found} slots, but rows {rows:?} have {expected} pairs: give it a slice of as many"
    )]
    RowsLength {
        kernel: &'static str,
        argument: &'static str,
        rows: Range<usize>,
        expected: usize,
        found: usize,
    },

    #[error(
        "kernel `{kernel}`: `{argument}` begins at row {found}, but `{first}` at row {expected}: packed arguments of one launch begin at the same row: make both for the same rows"
    )]
    FirstRows {
        kernel: &'static str,
        argument: &'static str,
        found: usize,
        first: &'static str,
        expected: usize,
    },

    #[error(
        "kernel `{kernel}`: `{argument}` is a slice of slots for rows {rows:?}, which does not tell how many elements there are: give it `device.packed_rows(n, {rows:?})` (with the diagonal, `packed_rows_with_diagonal`)"
    )]
    RowsOfNoN { kernel: &'static str, argument: &'static str, rows: Range<usize> },

    #[error(
        "kernel `{kernel}`: `{argument}` has {length} slots, which no number of elements has as pairs"
    )]
    SlotsOfNoN { kernel: &'static str, argument: &'static str, length: usize },

    #[error(
        "kernel `{kernel}`: `{argument}` {}: use `{}`",
        if *kernel_has { "has no slots for the pairs (i, i), which the kernel visits" } else { "has slots for the pairs (i, i), which the kernel does not visit" },
        if *kernel_has { "device.packed_with_diagonal(n)` or `device.packed_rows_with_diagonal(n, rows)" } else { "device.packed(n)` or `device.packed_rows(n, rows)" }
    )]
    WrongDiagonal { kernel: &'static str, argument: &'static str, kernel_has: bool },

    #[error(
        "kernel `{kernel}`: `{argument}` lies on {found}, but the kernel was loaded for {device}: make it by {}, as `{}.upload(&values)` does",
        if *are_several { "these `Devices`" } else { "that `Device`" },
        if *are_several { "devices" } else { "device" }
    )]
    WrongDevice {
        kernel: &'static str,
        argument: &'static str,
        device: String,
        found: String,
        /// Whether it was loaded for several devices.
        are_several: bool,
    },

    #[error(
        "kernel `{kernel}`: the stream does not belong to {device}, for which the kernel was loaded"
    )]
    WrongStream { kernel: &'static str, device: String },

    #[error(
        "kernel `{kernel}`: `{argument}` starts at address {address:#x}, but its elements are loaded as one and need a multiple of {alignment} bytes: start the view at such an element"
    )]
    Misaligned { kernel: &'static str, argument: &'static str, alignment: usize, address: u64 },

    #[error(
        "kernel `{kernel}`: n = {n} is more than the map {map}{} can do exactly here, which is n = {most} at most: {instead}",
        root.map(|root| format!(" with the root {root}")).unwrap_or_default()
    )]
    PastMap {
        kernel: &'static str,
        map: &'static str,
        root: Option<Root>,
        n: usize,
        most: usize,
        instead: &'static str,
    },

    /// `most` is the furthest end that a range can have.
    #[error(
        "kernel `{kernel}`: rows {rows:?} go further than the map {map}{} can do exactly here, which is to row {most} at most: {instead}",
        root.map(|root| format!(" with the root {root}")).unwrap_or_default()
    )]
    RowsPastMap {
        kernel: &'static str,
        map: &'static str,
        root: Option<Root>,
        rows: Range<usize>,
        most: usize,
        instead: &'static str,
    },

    #[error(
        "kernel `{kernel}` was compiled with parameters of {compiled:?} bytes, but a launch passes {passed:?}: use the same version of td-kernel and its macros"
    )]
    Parameters { kernel: &'static str, compiled: Vec<usize>, passed: Vec<usize> },

    #[error("`{kernel}` holds the kernel `{held}`: load it by `{kernel}::load`")]
    OtherKernel { kernel: &'static str, held: &'static str },

    #[error(
        "kernel `{kernel}` has no variant {variant}: use the same version of td-kernel and its macros"
    )]
    NoVariant { kernel: &'static str, variant: usize },

    #[error(
        "kernel `{kernel}` cannot be tuned without pairs: give it the data that it is to be fast for"
    )]
    NothingToTune { kernel: &'static str },

    #[error(
        "the macro knows a map `{map}` that this version of td-kernel does not: use the same version of both"
    )]
    UnknownMap { map: &'static str },

    #[error(
        "{needed} pairs were pushed, but there is room for {capacity}: use `device.pairs({needed})`"
    )]
    PairsOverflow { needed: u64, capacity: usize },

    #[error(
        "the total is {total}, which a `Sum<{summand}>` does not hold: use a `Sum<{wider}>`{}",
        below_zero(*total)
    )]
    SumOverflow { total: i128, summand: &'static str, wider: &'static str },

    #[error(
        "kernel `{kernel}`: `{argument}` has been added to so often that another launch might overflow the words of its exact sums: download it, and `clear()` it"
    )]
    ExactSumFull { kernel: &'static str, argument: &'static str },

    #[error("a `Nearest` keeps from 1 to {most} neighbours of each element, and not {found}")]
    NeighbourCount { found: usize, most: usize },

    #[error(
        "kernel `{kernel}`: the queues of `{argument}` are too short for its tiles: use the same version of td-kernel and its macros"
    )]
    FullQueue { kernel: &'static str, argument: &'static str },

    #[error("kernel `{kernel}` does not compile ({compiler}):\n{log}")]
    Compile { kernel: String, compiler: String, log: String },

    /// `reason` is in the message, and so no `source` of the error.
    #[error("cannot {action} {}: {reason}", path.display())]
    Io { action: &'static str, path: PathBuf, reason: std::io::Error },

    #[error("cannot launch {kernel}: {reason}")]
    Refused { kernel: String, reason: String },

    #[error("cannot find memory for the threads of {kernel}: {reason}")]
    NoStack { kernel: String, reason: std::io::Error },

    #[error(
        "kernel `{kernel}`: this process was forked from one that had launched kernels on the CPU, and whose threads it does not have: launch before the fork only, or after it only, or start the program anew in the child"
    )]
    Forked { kernel: String },

    #[error(
        "kernel `{kernel}`: {waiting} of {threads} threads of block ({}, {}) wait forever at a barrier or a warp function that the others have left behind",
        block[0],
        block[1]
    )]
    Deadlock { kernel: String, block: [u32; 2], waiting: usize, threads: usize },

    #[error(transparent)]
    Bands(BandsCause),

    #[error(transparent)]
    Devices(DevicesCause),

    #[error(transparent)]
    Features(FeaturesCause),

    #[error(transparent)]
    Machine(MachineCause),

    #[error(transparent)]
    Matrix(MatrixCause),

    #[error(transparent)]
    Rectangle(RectangleCause),

    /// An error of a closure that this crate has called.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}
