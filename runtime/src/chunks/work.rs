//! Identifies the work on a file. The same work gives the same bytes, and only the same work continues an unfinished file.
//!
//! It is a text of a few lines, each with a word and a fact. A journal begins with it.

use std::borrow::Cow;
use std::ops::Range;

use sha2::{Digest, Sha256};

use super::npy::bytes;
use super::{Chunks, NpyValue};

/// The first words of the lines.
const WORDS: [&str; 7] = ["version", "shape", "values", "kernel", "device", "input", "scalars"];

/// What distinguishes the work on a file from other work, for [`resume_npy`](Chunks::resume_npy): usually the elements. A slice,
/// an array or a vector of [`NpyValue`]s, a string, or a tuple of two to four of these.
///
/// ```
/// use td_kernel::npy::Work;
///
/// fn bytes(work: impl Work) -> Vec<u8> {
///     work.bytes().to_vec()
/// }
///
/// assert_eq!(bytes([[1_u8, 2], [3, 4]]), [1, 2, 3, 4]);
/// assert_eq!(bytes(&vec![1.0_f32]), 1.0_f32.to_ne_bytes());
/// assert_eq!(bytes("seed 7"), b"seed 7");
/// // The bytes of a tuple have the length of each part, so they tell its parts apart.
/// assert_ne!(bytes(("ab", "c")), bytes(("a", "bc")));
/// let (queries, data) = (vec![1.0_f32, 2.0], vec![3.0_f64]);
/// assert_eq!(bytes((&queries, &data, "seed 7")).len(), 3 * 8 + 8 + 8 + 6);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not identify the work on a file",
    label = "not a string, nor a slice of numbers or vectors, nor a tuple of these",
    note = "pass the elements, as a slice of numbers or of arrays of 2, 3 or 4 numbers, or a string that determines them; for several inputs pass a tuple, `(&queries, &data)`"
)]
pub trait Work {
    /// The bytes that are compared.
    fn bytes(&self) -> Cow<'_, [u8]>;
}

impl<T: NpyValue> Work for [T] {
    fn bytes(&self) -> Cow<'_, [u8]> {
        bytes(self).into()
    }
}

impl<T: NpyValue, const N: usize> Work for [T; N] {
    fn bytes(&self) -> Cow<'_, [u8]> {
        bytes(self).into()
    }
}

impl<T: NpyValue> Work for Vec<T> {
    fn bytes(&self) -> Cow<'_, [u8]> {
        bytes(self).into()
    }
}

impl Work for str {
    fn bytes(&self) -> Cow<'_, [u8]> {
        self.as_bytes().into()
    }
}

impl Work for String {
    fn bytes(&self) -> Cow<'_, [u8]> {
        self.as_bytes().into()
    }
}

impl<W: Work + ?Sized> Work for &W {
    fn bytes(&self) -> Cow<'_, [u8]> {
        (*self).bytes()
    }
}

macro_rules! tuples {
    ($($($part:ident)*;)*) => {$(
        impl<$($part: Work),*> Work for ($($part,)*) {
            fn bytes(&self) -> Cow<'_, [u8]> {
                #[allow(non_snake_case)]
                let ($($part,)*) = self;
                joined(&[$($part.bytes()),*]).into()
            }
        }
    )*};
}

tuples! {
    A B;
    A B C;
    A B C D;
}

/// The parts, each after its length: other parts have other bytes.
fn joined(parts: &[Cow<'_, [u8]>]) -> Vec<u8> {
    let parts =
        parts.iter().flat_map(|part| [&(part.len() as u64).to_le_bytes()[..], part].concat());
    parts.collect()
}

impl<T: NpyValue> Chunks<'_, T> {
    /// Identifies the work on these rows, with this input.
    pub(super) fn work(&self, rows: &Range<usize>, input: &[u8]) -> String {
        let form = if self.is_condensed { ", in the condensed form" } else { "" };
        let kernel = self.of.text.lines().next().unwrap_or("a-launch-of-your-own");
        let sum = |bytes: &[u8]| checksum(Sha256::new_with_prefix(bytes));
        work_text([
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("shape", format!("rows {rows:?} of {}{form}", self.of.shape)),
            ("values", values_of::<T>()),
            ("kernel", format!("{kernel} {}", sum(self.of.text.as_bytes()))),
            ("scalars", sum(&self.of.scalars)),
            ("device", if self.of.device.is_cpu() { "a CPU" } else { "a GPU" }.into()),
            ("input", sum(input)),
        ])
    }
}

pub(super) fn work_text<const N: usize>(facts: [(&str, String); N]) -> String {
    let lines = facts.map(|(word, fact)| format!("{word}: {fact}\n"));
    lines.concat()
}

/// The fact about values of this type: NumPy's name for it, and the lengths of a value's own dimensions.
pub(super) fn values_of<T: NpyValue>() -> String {
    let dimensions = T::DIMENSIONS.iter().map(|length| format!(" x {length}"));
    dimensions.fold(T::DESCR.to_owned(), |text, dimension| text + &dimension)
}

/// The fact about a long input: the first half of its hash, which is enough to detect a difference.
pub(super) fn checksum(hash: Sha256) -> String {
    let mut text = base16ct::lower::encode_string(&hash.finalize());
    text.truncate(32);
    text
}

/// Describes the first difference of one work from another; `None` if they are the same.
pub(super) fn difference(there: &str, here: &str) -> Option<String> {
    let differs = |word: &&str| fact(there, word) != fact(here, word);
    let word = WORDS.into_iter().find(differs)?;
    let [Some(there), Some(here)] = [there, here].map(|text| fact(text, word)) else {
        return Some("it does not contain a description of the work".into());
    };
    Some(match word {
        "version" => {
            format!("it was started with version {there} of td-kernel, but this is version {here}")
        }
        "shape" => format!("its shape is {there}, but here it is {here}"),
        "values" => format!("its values have the NumPy type {there}, but here they have {here}"),
        "kernel" => match [there, here].map(|text| text.split(' ').next().unwrap_or_default()) {
            [there, here] if there == here => {
                format!("the source of its kernel `{there}` differs from the source here")
            }
            [there, here] => format!("its kernel is `{there}`, but here it is `{here}`"),
        },
        "scalars" => "the scalar arguments of its kernel differ from those here".into(),
        "device" => format!("it is computed by {there}, but here by {here}"),
        _ => "its elements, or what else it was given as `work` (the last argument of `resume_npy` and `npy_file`), differ from those here".into(),
    })
}

/// The fact on the line that begins with this word.
fn fact<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.lines().find_map(|line| Some(line.strip_prefix(word)?.strip_prefix(": ")?.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: &str = "version: 1\nshape: a triangle of 900 elements\nvalues: <f4\nkernel: edm 77\nscalars: 5c\ninput: 1b46\n";

    #[test]
    fn differing_work_is_described() {
        assert_eq!(difference(WORK, WORK), None);
        for (from, to, words) in [
            (
                "version: 1",
                "version: 2",
                "it was started with version 1 of td-kernel, but this is version 2",
            ),
            (
                "900",
                "901",
                "its shape is a triangle of 900 elements, but here it is a triangle of 901 elements",
            ),
            ("<f4", "<f8", "its values have the NumPy type <f4, but here they have <f8"),
            ("edm 77", "edm_2 78", "its kernel is `edm`, but here it is `edm_2`"),
            ("edm 77", "edm 78", "the source of its kernel `edm` differs from the source here"),
            (
                "scalars: 5c",
                "scalars: 5d",
                "the scalar arguments of its kernel differ from those here",
            ),
            (
                "1b46",
                "9f0a",
                "its elements, or what else it was given as `work` (the last argument of `resume_npy` and `npy_file`), differ from those here",
            ),
            ("values: ", "value ", "it does not contain a description of the work"),
            (WORK, "precious", "it does not contain a description of the work"),
        ] {
            assert_eq!(difference(WORK, &WORK.replace(from, to)).as_deref(), Some(words));
        }
        let [cpu, gpu] = ["a CPU", "a GPU"].map(|device| format!("{WORK}device: {device}\n"));
        assert_eq!(difference(&cpu, &gpu).unwrap(), "it is computed by a CPU, but here by a GPU");
    }

    #[test]
    fn tuples_of_other_parts_differ() {
        fn bytes(work: impl Work) -> Vec<u8> {
            work.bytes().into_owned()
        }
        let (a, b, c) = ([1_u8, 2], [3_u8], [0_u8; 0]);
        let works = [
            bytes((a, b)),
            bytes((&a[..1], [2_u8, 3])),
            bytes((b, a)),
            bytes((c, [1_u8, 2, 3])),
            bytes((a, b, c)),
            bytes((a, c, b)),
            bytes((a, (b, c))),
            bytes(((a, b), c)),
            bytes((a, b, c, c)),
        ];
        for (at, work) in works.iter().enumerate() {
            assert!(!works[..at].contains(work), "{at}");
        }
        assert_eq!(bytes((&a.to_vec(), &b[..])), works[0]);
    }

    #[test]
    fn facts_round_trip() {
        let text =
            work_text([("values", values_of::<[f32; 3]>()), ("input", checksum(Sha256::new()))]);
        assert_eq!(fact(&text, "values"), Some("<f4 x 3"));
        assert_eq!(fact(&text, "input"), Some("e3b0c44298fc1c149afbf4c8996fb924"));
        assert_eq!(fact(&text, "shape"), None);
    }
}
