//! What identifies a job: the same job gives the same bytes.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use td_kernel::{NpyValue, PairKernel};

use crate::Shape;
use crate::npy::bytes;

/// What a file is computed from: the shape of the result, a kernel, and all that the kernel is given. A job that was cut goes
/// on only as the same job.
///
/// ```
/// use td_kernel::td_kernel;
/// use td_kernel_cluster::{Job, Shape};
///
/// #[td_kernel]
/// unsafe fn scaled(#[each] x: &[f32], scale: f32, out: &mut Packed<f32>) {
///     r#" out = scale * fabsf(x.i - x.j); "#
/// }
///
/// let x = [0.0, 1.0, 3.0];
/// let job = Job::new::<scaled>(Shape::triangle(x.len())).with(&x).with(&[2.5_f32]);
/// # let _ = job;
/// ```
#[derive(Clone, Debug)]
pub struct Job {
    pub(crate) shape: Shape,
    kernel: &'static str,
    source: Sha256,
    given: Sha256,
}

/// A line of what identifies a job: what it tells, and the word that it begins with.
const LINES: [(&str, &str); 5] = [
    ("version of td-kernel", "version"),
    ("shape", "shape"),
    ("type of values", "values"),
    ("kernel", "kernel"),
    ("input", "input"),
];

impl Job {
    /// All values of this shape, by this kernel.
    pub fn new<K: PairKernel>(shape: Shape) -> Job {
        let mut source = Sha256::new();
        for text in K::SOURCES {
            source.update((text.len() as u64).to_le_bytes());
            source.update(text);
        }
        Job { shape, kernel: K::NAME, source, given: Sha256::new() }
    }

    /// The kernel is given these elements too, or this number.
    #[must_use]
    pub fn with<T: NpyValue>(self, elements: &[T]) -> Job {
        self.with_bytes(T::DESCR.as_bytes()).with_bytes(bytes(elements))
    }

    /// The same of what is no array, in bytes of the caller's choice.
    #[must_use]
    pub fn with_bytes(mut self, bytes: &[u8]) -> Job {
        self.given.update((bytes.len() as u64).to_le_bytes());
        self.given.update(bytes);
        self
    }

    /// As a text of lines, for values of this type.
    pub(crate) fn text<T: NpyValue>(&self) -> String {
        let dimensions: String =
            T::DIMENSIONS.iter().map(|length| format!(" x {length}")).collect();
        let facts = [
            env!("CARGO_PKG_VERSION").into(),
            self.shape.to_string(),
            format!("{}{dimensions}", T::DESCR),
            format!("{} {}", self.kernel, hex(&self.source)),
            hex(&self.given),
        ];
        let lines = LINES.iter().zip(facts);
        lines.fold(String::new(), |text, ((_, word), fact)| text + word + ": " + &fact + "\n")
    }
}

/// The first line in which two such texts differ: what it tells, and what it says in each.
pub(crate) fn difference(found: &str, expected: &str) -> Option<(&'static str, String, String)> {
    LINES.iter().find_map(|(what, word)| {
        let fact = |text: &str| {
            let mut lines =
                text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(": "));
            lines.next().unwrap_or("nothing").trim_end().to_owned()
        };
        let (found, expected) = (fact(found), fact(expected));
        (found != expected).then_some((*what, found, expected))
    })
}

/// The first half of a hash, which is enough for different jobs to differ.
pub(crate) fn hex(hash: &Sha256) -> String {
    let hash = hash.clone().finalize();
    hash.iter().take(16).fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use td_kernel::td_kernel;

    use super::*;

    #[td_kernel]
    unsafe fn one(#[each] x: &[f32], out: &mut Packed<f32>) {
        r#" out = x.i - x.j; "#
    }

    #[td_kernel]
    unsafe fn other(#[each] x: &[f32], out: &mut Packed<f32>) {
        r#" out = x.i + x.j; "#
    }

    #[test]
    fn jobs_differ_in_each_of_their_facts() {
        let of = |job: Job| job.with(&[1.0_f32, 2.0]).text::<f32>();
        let text = of(Job::new::<one>(Shape::triangle(2)));
        assert_eq!(difference(&text, &of(Job::new::<one>(Shape::triangle(2)))), None);
        let what = |other: &str| difference(&text, other).unwrap().0;
        assert_eq!(what(&of(Job::new::<one>(Shape::triangle_with_diagonal(2)))), "shape");
        assert_eq!(what(&of(Job::new::<other>(Shape::triangle(2)))), "kernel");
        let job = Job::new::<one>(Shape::triangle(2));
        assert_eq!(what(&job.clone().with(&[1.0_f32, 2.5]).text::<f32>()), "input");
        assert_eq!(what(&job.clone().with(&[1.0_f32]).with(&[2.0_f32]).text::<f32>()), "input");
        assert_eq!(what(&job.clone().with(&[1.0_f32, 2.0]).text::<i32>()), "type of values");
        assert_eq!(what(&job.with(&[1.0_f32, 2.0]).text::<[f32; 2]>()), "type of values");
        assert_eq!(what(""), "version of td-kernel");
        assert_eq!(difference("", &text).unwrap().1, "nothing");
    }
}
