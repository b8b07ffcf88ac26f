//! What happens to a pair of rows.
//!
//! Each of these functions becomes a type that loads and launches a complete kernel. It goes along the features of both
//! rows of every pair, does what `feature` says with each, and then what `pair` says once: it pushes a value, of which each
//! row keeps the K least. K is a part of the kernel's type, so there is a module of kernels for each of some K, and a
//! launch takes the first that is enough. Where there is a text `lower`, its number is not greater than what `pair` would push,
//! and pairs are left out that nobody needs.
//!
//! Values are in the units of a `Frame`, in which no square leaves the range of single precision. Kernels of one set push a pair to both of its rows; those of two
//! sets push it to the query.

/// The kernels that keep so many neighbours.
macro_rules! kernels {
    ($($module:ident: $k:literal;)*) => {$(
        pub(crate) mod $module {
            use td_kernel::td_kernel;

            /// The sum of squared differences. The sums of squares of the rows tell, with a product from tensor cores, which
            /// pairs cannot be near, so that most are left out.
            #[td_kernel]
            pub(crate) unsafe fn squares(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] norm: &[f32],
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
                let pair = r#" near.push(sum); "#;
                let lower = r#" fmaf(-2.0f, dot + dot_error, norm.i + norm.j) "#;
            }

            /// Its root. A root that is a little too small is enough for the lower bound; of a negative number, or of zero, it is
            /// no number, and the pair is not left out.
            #[td_kernel(prelude = r#"inline float below_root(float x) { return 0.99999f * x * rsqrtf(x); }"#)]
            pub(crate) unsafe fn distances(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] norm: &[f32],
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
                let pair = r#" near.push(sqrtf(sum)); "#;
                let lower = r#" below_root(fmaf(-2.0f, dot + dot_error, norm.i + norm.j)) "#;
            }

            /// The sum of squared differences of two sets.
            #[td_kernel]
            pub(crate) unsafe fn squares_of_two(
                #[row] query: &Features<f32>,
                #[column] p: &Features<f32>,
                #[fold] sum: f32,
                #[row] query_norm: &[f32],
                #[column] norm: &[f32],
                #[row] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = query - p; sum = fmaf(d, d, sum); "#;
                let pair = r#" near.push(sum); "#;
                let lower = r#" fmaf(-2.0f, dot + dot_error, query_norm + norm) "#;
            }

            /// Its root.
            #[td_kernel(prelude = r#"inline float below_root(float x) { return 0.99999f * x * rsqrtf(x); }"#)]
            pub(crate) unsafe fn distances_of_two(
                #[row] query: &Features<f32>,
                #[column] p: &Features<f32>,
                #[fold] sum: f32,
                #[row] query_norm: &[f32],
                #[column] norm: &[f32],
                #[row] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = query - p; sum = fmaf(d, d, sum); "#;
                let pair = r#" near.push(sqrtf(sum)); "#;
                let lower = r#" below_root(fmaf(-2.0f, dot + dot_error, query_norm + norm)) "#;
            }

            /// The sum of absolute differences.
            #[td_kernel]
            pub(crate) unsafe fn manhattan(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" sum += fabsf(p.i - p.j); "#;
                let pair = r#" near.push(sum); "#;
            }

            /// The same for two sets.
            #[td_kernel]
            pub(crate) unsafe fn manhattan_of_two(
                #[row] query: &Features<f32>,
                #[column] p: &Features<f32>,
                #[fold] sum: f32,
                #[row] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" sum += fabsf(query - p); "#;
                let pair = r#" near.push(sum); "#;
            }

            /// The sum of squared differences of two rows of length 1, which is twice what their cosine is below 1. For rows
            /// at a small angle it has all its digits, of which the cosine itself loses most. A row without a direction has
            /// a norm that is no number; then neither is the sum, which is nobody's neighbour.
            #[td_kernel]
            pub(crate) unsafe fn cosine(
                #[each] p: &Features<f32>,
                #[each] norm: &[f32],
                #[fold] sum: f32,
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
                let pair = r#" near.push(fmaf(0.0f, norm.i + norm.j, sum)); "#;
                let lower = r#" fmaf(-2.0f, dot + dot_error, norm.i + norm.j) "#;
            }

            /// The same for two sets.
            #[td_kernel]
            pub(crate) unsafe fn cosine_of_two(
                #[row] query: &Features<f32>,
                #[column] p: &Features<f32>,
                #[row] query_norm: &[f32],
                #[column] norm: &[f32],
                #[fold] sum: f32,
                #[row] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = query - p; sum = fmaf(d, d, sum); "#;
                let pair = r#" near.push(fmaf(0.0f, query_norm + norm, sum)); "#;
                let lower = r#" fmaf(-2.0f, dot + dot_error, query_norm + norm) "#;
            }

            /// The share of features that differ in any bit.
            #[td_kernel]
            pub(crate) unsafe fn hamming(
                #[each] p: &Features<u64>,
                #[fold] different: u32,
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" different += p.i != p.j; "#;
                let pair = r#" near.push((float)different / (float)features); "#;
            }

            /// The same for two sets.
            #[td_kernel]
            pub(crate) unsafe fn hamming_of_two(
                #[row] query: &Features<u64>,
                #[column] p: &Features<u64>,
                #[fold] different: u32,
                #[row] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" different += query != p; "#;
                let pair = r#" near.push((float)different / (float)features); "#;
            }
        }
    )*};
}

kernels! {
    up_to_10: 10;
    up_to_32: 32;
    up_to_100: 100;
    up_to_256: 256;
}
