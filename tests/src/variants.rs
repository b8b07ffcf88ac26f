//! Kernels with the default keys, whose launches choose a variant by n.

use td_kernel::td_kernel;

/// A key for each pair.
#[td_kernel]
pub unsafe fn packed(#[each] x: &[u32], key: &mut Packed<u64>) {
    r#" key = (unsigned long long)x.i << 32 | x.j; "#
}

/// The keys in both halves of a square.
#[td_kernel]
pub unsafe fn square(#[each] x: &[u32], key: &mut Square<u64>) {
    r#" key = (unsigned long long)x.i << 32 | x.j; "#
}

/// Pairs counted and listed, with every map of `map = "auto"`.
#[td_kernel(map = "auto", diagonal = true)]
pub unsafe fn listed(#[each] x: &[u32], count: &mut Sum<u64>, list: &mut Pairs) {
    r#" if ((x.i + x.j) % 3 == 0) { count += 1; list.push(); } "#
}
