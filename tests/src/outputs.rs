//! Outputs of every type that a kernel can write: each number, each vector, and structs of every alignment and
//! many sizes; packed, in a square and through a slice, in every sweep.
//!
//! A value is one of the two elements, or one of a pool that the pair selects. So it passes through every kernel unchanged, and
//! is compared exactly.

use std::error::Error;
use std::fmt::Debug;

use td_kernel::{Buffer, Device, Result};

use self::samples::Sample;

/// One kernel, and how one of its variants is run at each size.
macro_rules! kernel {
    (
        $keys:tt $name:ident($($parameter:tt)*) $body:literal;
        |$device:ident, $n:ident, $what:ident, $kernel:ident| $run:block
    ) => {
        pub(super) mod $name {
            use super::*;

            #[td_kernel $keys]
            unsafe fn kernel($($parameter)*) {
                $body
            }

            pub(in super::super) const SOURCES: &[&str] = &kernel::SOURCES;

            pub(in super::super) fn run($device: &Device, text: usize, sizes: &[usize]) -> Outcome {
                let $kernel = kernel { kernel: kernel::load($device)?.kernel.pin(text) };
                let $what = format!("text {text}");
                for &$n in sizes {
                    $run
                }
                Ok(())
            }
        }
    };
}

/// A module for each type, whose kernels are macros of these names, and the list of all.
macro_rules! table {
    ($list:ident, $prefix:literal; $($kernels:tt { $($name:ident: $type:ty,)* })*) => {
        $($(of_type! { $name, $type, $prefix, $kernels })*)*

        /// The kernels of every type.
        pub(super) const $list: &[&[Case]] = &[$($($name::CASES,)*)*];
    };
}

macro_rules! of_type {
    ($name:ident, $type:ty, $prefix:literal, [$($kernel:ident)*]) => {
        mod $name {
            use super::*;

            $($kernel!($type);)*

            pub(super) const CASES: &[Case] = &[$(Case {
                output: stringify!($type),
                layout: [size_of::<$type>(), align_of::<$type>()],
                kernel: concat!($prefix, stringify!($kernel)),
                sources: $kernel::SOURCES,
                run: $kernel::run,
            },)*];
        }
    };
}

// After the macros, which it uses.
mod kernels;
mod listed;
mod samples;
pub mod together;

/// The sizes at which launches are most likely to go wrong: zero, one pair, and around the sides of tiles.
pub const SIZES: &[usize] = &[0, 1, 2, 3, 31, 33, 63, 65, 129, 257];

/// The number of values in the pool: a prime, so that adjacent pairs select different values.
const POOL: usize = 1021;

/// A kernel for one type.
#[derive(Clone, Copy)]
pub struct Case {
    /// The type of its output.
    pub output: &'static str,
    /// The size of that type, and its alignment, in bytes.
    pub layout: [usize; 2],
    /// The kernel's name.
    pub kernel: &'static str,
    /// Its sources.
    pub sources: &'static [&'static str],
    run: Run,
}

type Outcome = Result<(), Box<dyn Error>>;
type Run = fn(&Device, usize, &[usize]) -> Outcome;

/// The kernels with slots and those that list pairs, each with the indices of its variants.
pub fn cases() -> Vec<(Case, usize)> {
    let cases = kernels::CASES.iter().chain(listed::LISTED).copied().flatten();
    cases.flat_map(|case| (0..case.sources.len()).map(|text| (*case, text))).collect()
}

impl Case {
    /// Runs one of the kernel's variants at every size, and compares each value with the expected one. Returns what is wrong,
    /// or why the kernel does not compile or run.
    pub fn failure(&self, device: &Device, text: usize, sizes: &[usize]) -> Option<String> {
        let Case { output, kernel, run, .. } = self;
        let error = run(device, text, sizes).err()?;
        Some(format!("{kernel} of {output}: {error}"))
    }
}

/// The elements, and the pool that pairs choose from.
fn inputs<T: Sample>(device: &Device, n: usize) -> Result<(Buffer<T>, Buffer<T>)> {
    let samples = |count: usize, first: usize| -> Vec<T> {
        (first..first + count).map(|number| T::sample(number as u32)).collect()
    };
    Ok((device.upload(&samples(n, 0))?, device.upload(&samples(POOL, n))?))
}

/// The value that the body of every kernel here computes for a pair of n elements.
fn expected<T: Sample>(n: usize, i: usize, j: usize) -> T {
    let number = match (i + j) % 3 {
        0 => i,
        1 => j,
        _ => n + (37 * i + j) % POOL,
    };
    T::sample(number as u32)
}

/// The pairs in packed order.
fn pairs(n: usize, diagonal: bool) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (0..i + usize::from(diagonal)).map(move |j| (i, j)))
}

/// Compares the slots of all pairs with the expected values, as bytes.
fn compare_packed<T: Sample>(what: &str, found: &[T], n: usize, diagonal: bool) -> Outcome {
    let expected = pairs(n, diagonal).map(|(i, j)| ((i, j), expected(n, i, j)));
    compare(what, found, expected, n)
}

/// Compares both values of each pair, and the diagonal, with the expected values, as bytes.
fn compare_square<T: Sample>(what: &str, found: &[T], n: usize, diagonal: T) -> Outcome {
    let value = |i: usize, j: usize| match i == j {
        true => diagonal,
        false => expected(n, i.max(j), i.min(j)),
    };
    let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    compare(what, found, places.map(|(i, j)| ((i, j), value(i, j))), n)
}

fn compare<T: PartialEq + Debug>(
    what: &str,
    found: &[T],
    expected: impl Iterator<Item = ((usize, usize), T)>,
    n: usize,
) -> Outcome {
    let expected: Vec<_> = expected.collect();
    if found.len() != expected.len() {
        let text = format!("{what}, n = {n}: {} values for {}", found.len(), expected.len());
        return Err(text.into());
    }
    let wrong = || found.iter().zip(&expected).filter(|(found, (_, expected))| *found != expected);
    match wrong().next() {
        None => Ok(()),
        Some((value, (place, expected))) => Err(format!(
            "{what}, n = {n}: {place:?} is {value:?} and not {expected:?}; {} of {} are wrong",
            wrong().count(),
            found.len()
        )
        .into()),
    }
}
