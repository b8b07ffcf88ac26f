//! Products of 8-bit integers, compared with products of the same numbers as floats.

use td_kernel::td_kernel;

use super::folds::packed_dot;
use super::issue::beside_fastest;
use super::{Measured, Setting};
use crate::subject::{Folds, Launch};

/// The products of the pairs of one set, as floats, in which these integers are exact.
#[td_kernel]
unsafe fn packed_dot_of_bytes(
    #[each] p: &Features<i8>,
    #[dot] dot: i32,
    product: &mut Packed<f32>,
) {
    r#" product = dot; "#
}

/// Rows of numbers from -8 to 7.
pub(super) fn dots(setting: &Setting) -> Measured {
    let Setting { gpu, n, features, .. } = setting;
    let subject = Folds::integers::<packed_dot>(gpu, [*n, *features])?;
    let (name, of_floats) = subject.folded::<packed_dot>()?;
    let bytes: Vec<i8> = subject.host_rows()?.into_iter().map(|value| value as i8).collect();
    let (p, kernel) =
        (gpu.device.features(&bytes, *features)?, packed_dot_of_bytes::load(&gpu.device)?);
    let of_bytes: Launch<Folds> = Box::new(move |_, slots| Ok(kernel.launch(&p, slots)?));
    let kernels = vec![(name.clone(), of_bytes), (format!("{name}, floats"), of_floats)];
    beside_fastest(&subject, kernels, 2)
}
