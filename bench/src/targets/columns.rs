//! A Gaussian kernel matrix times several columns, without storing the matrix. Compared with the time to issue a pair's
//! instructions.

use td_kernel::{LaunchWith, Slice, Sums, td_kernel};

use super::issue::beside_issue;
use super::{Measured, Setting};
use crate::measure::by_hand::Mix;
use crate::subject::{Columns, MatrixTimes};

macro_rules! gaussian {
    ($($name:ident: $columns:ty, $body:literal;)*) => {$(
        #[td_kernel(
            fmad = true,
            prelude = r#"
            float weight(float3 x, float3 y) {
                float a = x.x - y.x, b = x.y - y.y, c = x.z - y.z;
                return expf(-(a * a + b * b + c * c));
            }
            "#
        )]
        pub(super) unsafe fn $name(
            #[row] x: &[[f32; 3]],
            #[column] y: &[[f32; 3]],
            #[column] v: &[$columns],
            #[row] out: &mut Sums<$columns>,
        ) {
            $body
        }
    )*};
}

gaussian! {
    times_1: f32, r#"out += weight(x, y) * v;"#;
    times_4: [f32; 4],
        r#"float w = weight(x, y); out.x += w * v.x; out.y += w * v.y; out.z += w * v.z; out.w += w * v.w;"#;
    times_16: [f32; 16], r#"out += weight(x, y) * v;"#;
    times_32: [f32; 32], r#"out += weight(x, y) * v;"#;
    times_64: [f32; 64], r#"out += weight(x, y) * v;"#;
}

/// Compared with 7 FP32 instructions, a root, which takes as long as a power of two, and a multiply-add for each column.
pub(super) fn beside_floor<V: Columns, K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    K: for<'a> LaunchWith<(
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<V>,
        &'a mut Sums<V>,
    )>,
{
    let subject = MatrixTimes::<V>::new(gpu, *n)?;
    let repeats = if *n > 65_536 { 1 } else { 4 };
    beside_issue::<MatrixTimes<V>, K>(&subject, Mix::gaussian(V::FEATURES), n * n, repeats)
}
