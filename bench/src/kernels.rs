//! The generated kernels that several experiments measure.

use td_kernel::td_kernel;

/// Converts kernels of a module from and into kernels without a type, whose variant can be chosen.
macro_rules! untyped {
    ($($kernel:ident),+) => {$(
        impl From<$kernel> for td_kernel::Kernel {
            fn from($kernel { kernel }: $kernel) -> td_kernel::Kernel {
                kernel
            }
        }

        impl From<td_kernel::Kernel> for $kernel {
            fn from(kernel: td_kernel::Kernel) -> $kernel {
                $kernel { kernel }
            }
        }
    )+};
}

pub(crate) use untyped;

untyped!(packed_4, square_4, nearest_rows_with_lower);

/// Euclidean distances of the pairs of one set, into packed slots and both halves of a square.
macro_rules! distances {
    ($($packed:ident $($square:ident)?: $point:ty, $body:literal;)+) => {$(
        #[td_kernel(map = "auto")]
        pub(crate) unsafe fn $packed(#[each] p: &[$point], distance: &mut Packed<f32>) {
            $body
        }

        $(#[td_kernel]
        pub(crate) unsafe fn $square(#[each] p: &[$point], distance: &mut Square<f32>) {
            $body
        })?
    )+};
}

distances! {
    packed_1: f32, r#"
    float dx = p.i - p.j;
    distance = sqrtf(dx * dx);
    "#;
    packed_2 square_2: [f32; 2], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#;
    packed_3: [f32; 3], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    packed_4 square_4: [f32; 4], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

/// Counts touching spheres.
#[td_kernel(map = "auto")]
pub(crate) unsafe fn count(#[each] s: &[[f32; 4]], touching: &mut Sum<u64>) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (fmaf(dz, dz, fmaf(dy, dy, dx * dx)) <= r * r)
        touching += 1;
    "#
}

/// Lists touching spheres.
#[td_kernel(map = "auto")]
pub(crate) unsafe fn list(#[each] s: &[[f32; 4]], touching: &mut Pairs) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (fmaf(dz, dz, fmaf(dy, dy, dx * dx)) <= r * r)
        touching.push();
    "#
}

/// The squared distances of two sets, as in the paper on vector distances.
#[td_kernel]
pub(crate) unsafe fn square_of_distance(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[fold] sum: f32,
    square: &mut Matrix<f32>,
) {
    let feature = r#" float d = a - b; sum = fmaf(d, d, sum); "#;
    let pair = r#" square = sum; "#;
}

/// The ten nearest rows of each row, by squared distance.
#[td_kernel]
pub(crate) unsafe fn nearest_rows(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
}

/// The same with a lower bound from tensor cores, which excludes most pairs.
#[td_kernel]
pub(crate) unsafe fn nearest_rows_with_lower(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) "#;
}
