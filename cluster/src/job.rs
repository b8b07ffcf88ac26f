//! What identifies a job: the same job gives the same bytes.

use sha2::{Digest, Sha256};
use td_kernel::__private::{checksum, npy_bytes, values_of, work_text};
use td_kernel::{NpyValue, PairKernel};

use crate::Shape;

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
        self.with_bytes(T::DESCR.as_bytes()).with_bytes(npy_bytes(elements))
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
        work_text([
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("shape", self.shape.to_string()),
            ("values", values_of::<T>()),
            ("kernel", format!("{} {}", self.kernel, checksum(self.source.clone()))),
            ("input", checksum(self.given.clone())),
        ])
    }
}

#[cfg(test)]
mod tests {
    use td_kernel::__private::difference;
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
    fn jobs_differ_in_each_fact() {
        let of = |job: Job| job.with(&[1.0_f32, 2.0]).text::<f32>();
        let text = of(Job::new::<one>(Shape::triangle(2)));
        assert_eq!(difference(&text, &of(Job::new::<one>(Shape::triangle(2)))), None);
        let differs = |other: &str, words: &str| {
            let difference = difference(&text, other).unwrap();
            assert!(difference.starts_with(words), "{difference}");
        };
        let diagonal = of(Job::new::<one>(Shape::triangle_with_diagonal(2)));
        differs(
            &diagonal,
            "it is a triangle of 2 elements, and here it is a triangle of 2 elements with",
        );
        let kernel = of(Job::new::<other>(Shape::triangle(2)));
        differs(&kernel, "its kernel is `one`, and here it is `other`");
        let job = Job::new::<one>(Shape::triangle(2));
        let input = "its elements, or other values that the kernel is given, are not those";
        differs(&job.clone().with(&[1.0_f32, 2.5]).text::<f32>(), input);
        differs(&job.clone().with(&[1.0_f32]).with(&[2.0_f32]).text::<f32>(), input);
        let values = "its values have NumPy's type <f4, and here they have ";
        differs(&job.clone().with(&[1.0_f32, 2.0]).text::<i32>(), values);
        differs(&job.with(&[1.0_f32, 2.0]).text::<[f32; 2]>(), values);
    }
}
