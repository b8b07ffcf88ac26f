//! Results over the pairs of one set: written values, collisions, and small triangles.

use td_kernel::cudarc::driver::DeviceRepr;
use td_kernel::{DeviceType, LaunchWith, td_kernel};

use super::issue::{beside_fill, beside_issue};
use super::{Measured, Setting};
use crate::kernels;
use crate::measure::by_hand::Mix;
use crate::measure::points::{Point, Value};
use crate::subject::{Counts, Distances, Layout, Lists, Subject, Values, pairs};

pub(super) fn distances<T: Point, L: Layout, K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    K: for<'a> LaunchWith<L::Arguments<'a, T, f32>>,
{
    let subject = Distances::<T, L>::distances(gpu, *n)?;
    beside_fill::<Distances<T, L>, K>(&subject, subject.bytes())
}

pub(super) fn values<U: Value, L: Layout, K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    K: for<'a> LaunchWith<L::Arguments<'a, f32, U>>,
{
    let subject = Values::<U, L>::values(gpu, *n)?;
    beside_fill::<Values<U, L>, K>(&subject, subject.bytes())
}

pub(super) fn counted(Setting { gpu, n, .. }: &Setting) -> Measured {
    let subject = Counts::of_spheres(gpu, *n)?;
    let kernel = subject.generated::<kernels::count>()?;
    beside_issue(&subject, kernel, Mix::COLLISION, pairs(*n), 4)
}

pub(super) fn listed(Setting { gpu, n, .. }: &Setting) -> Measured {
    let subject = Lists::new(gpu, *n)?;
    let kernel = subject.generated::<kernels::list>()?;
    beside_issue(&subject, kernel, Mix::COLLISION, pairs(*n), 4)
}

/// A result of 24 bytes.
#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
pub(super) struct Six {
    words: [f32; 6],
}

// SAFETY: a DeviceType has the same layout on a GPU as in Rust.
unsafe impl DeviceRepr for Six {}

/// Results of every type size, packed and square.
macro_rules! values {
    ($($module:ident: $type:ty, $body:literal;)+) => {
        $(pub(super) mod $module {
            #[allow(unused_imports)]
            use super::*;

            #[td_kernel(map = "auto")]
            pub(crate) unsafe fn packed(#[each] x: &[f32], out: &mut Packed<$type>) {
                $body
            }

            #[td_kernel(map = "auto")]
            pub(crate) unsafe fn square(#[each] x: &[f32], out: &mut Square<$type>) {
                $body
            }
        })+
    };
}

values! {
    byte: u8, r#" out = fabsf(x.i - x.j) < 0.25f; "#;
    short: i16, r#" out = (short)(1000 * fabsf(x.i - x.j)); "#;
    float: f32, r#" out = fabsf(x.i - x.j); "#;
    float3: [f32; 3], r#" float d = fabsf(x.i - x.j); out = make_float3(d, d + 1, d + 2); "#;
    float4: [f32; 4], r#" float d = fabsf(x.i - x.j); out = make_float4(d, d + 1, d + 2, d + 3); "#;
    six: Six, r#" float d = fabsf(x.i - x.j); for (unsigned int k = 0; k < 6; ++k) out.words[k] = d + k; "#;
}
