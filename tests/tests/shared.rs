//! The shared memory that the runtime states for a kernel, which rustc checks, equals that of the compiled code.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use object::{Object, ObjectSection};
use td_kernel::__private::{Registered, Variant, inventory};
use td_kernel::nvrtc::{self, Code};
use td_kernel::{DeviceType, td_kernel};
use td_kernel_geometry::SWEEPS;
use td_kernel_tests::OPTIONS;

/// A struct, whose size only rustc knows.
#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
pub struct Wide {
    at: [f32; 4],
    weight: f64,
}

// Kernels of every sweep that use all their shared memory: a compiler removes what is never read.

#[td_kernel(tile = 0)]
unsafe fn classic(
    #[each] p: &[f32],
    #[each] q: &[Wide],
    a: &mut Packed<f32>,
    b: &mut Square<Wide>,
    s: &mut Sum<f32>,
) {
    r#" a = p.i - p.j; b.weight = q.i.weight + q.j.at[0]; s += a; "#
}

#[td_kernel(block = 8)]
unsafe fn classic_of_8(#[each] p: &[u8], s: &mut Sum<u64>, t: &mut Sum<f64>) {
    r#" s += p.i * p.j; t += p.i; "#
}

#[td_kernel(space = "thread")]
unsafe fn threads(#[each] p: &[Wide], s: &mut Sum<i32>) {
    r#" s += p.i.weight > p.j.weight; "#
}

#[td_kernel]
unsafe fn columns(#[each] p: &[[f32; 4]], s: &mut Sum<f32>, l: &mut Pairs) {
    r#" s += p.i.x * p.j.w; if (p.i.y > p.j.z) l.push(); "#
}

#[td_kernel(map = "walk")]
unsafe fn columns_of_structs(#[each] p: &[Wide], #[each] q: &[u16], s: &mut Sum<u32>) {
    r#" s += p.i.weight > p.j.weight && q.i > q.j; "#
}

#[td_kernel]
unsafe fn rows(#[each] p: &[[f32; 3]], a: &mut Packed<f32>, s: &mut Sum<f32>) {
    r#" a = p.i.x - p.j.z; s += a; "#
}

#[td_kernel(map = "walk")]
unsafe fn rows_of_bytes(#[each] p: &[f32], a: &mut Packed<u8>) {
    r#" a = p.i > p.j; "#
}

#[td_kernel]
unsafe fn rows_of_vectors(#[each] p: &[Wide], a: &mut Packed<[f32; 3]>, b: &mut Packed<[f64; 2]>) {
    r#" a.y = p.i.at[1]; b.x = p.j.weight; "#
}

#[td_kernel]
unsafe fn rows_of_structs(#[each] p: &[f32], a: &mut Packed<Wide>) {
    r#" a.weight = p.i - p.j; "#
}

#[td_kernel]
unsafe fn squares(#[each] p: &[[f32; 4]], a: &mut Square<f32>) {
    r#" a = p.i.x * p.j.x; "#
}

#[td_kernel]
unsafe fn squares_of_two(#[each] p: &[f32], a: &mut Square<f64>, b: &mut Square<u8>) {
    r#" a = p.i; b = p.i > p.j; "#
}

#[td_kernel]
unsafe fn squares_of_structs(#[each] p: &[f32], a: &mut Square<Wide>, l: &mut Pairs) {
    r#" a.weight = p.i; if (p.i > p.j) l.push(); "#
}

#[td_kernel(sweep = "mirror", tile = 32)]
unsafe fn mirror(#[each] p: &[u16], a: &mut Square<[f32; 3]>, s: &mut Sum<u64>) {
    r#" a.z = p.i; s += p.j; "#
}

#[td_kernel]
unsafe fn results(
    #[each] p: &[[f32; 3]],
    #[each] a: &mut Sums<[f32; 3]>,
    #[each] b: &mut Minima<(f32, u32)>,
    s: &mut Sum<f32>,
) {
    r#" a.i.x += p.i.x; b.offer(p.j.y); s += p.i.z; "#
}

#[td_kernel]
unsafe fn results_of_rows(#[row] p: &[f32], #[column] q: &[f64], #[row] a: &mut Sums<[f64; 2]>) {
    r#" a.x += p * q; "#
}

#[td_kernel]
unsafe fn folds(#[each] p: &Features<f32>, #[fold] s: f32, a: &mut Packed<f32>) {
    let feature = r#" s += p.i * p.j; "#;
    let pair = r#" a = s; "#;
}

#[td_kernel]
unsafe fn folds_of_bytes(
    #[row] p: &Features<u8>,
    #[column] q: &Features<u8>,
    #[row] r: &Features<i8>,
    #[fold] s: u32,
    #[fold] t: [f32; 3],
    a: &mut Matrix<u16>,
) {
    let feature = r#" s += p ^ q; t.y += r; "#;
    let pair = r#" a = s + t.x + t.y + t.z; "#;
}

/// The folds, and the square's values, take more room than the chunks.
#[td_kernel]
unsafe fn folds_of_squares(
    #[each] p: &Features<f64>,
    #[fold] s: [f64; 4],
    #[fold] t: [f64; 4],
    a: &mut Square<Wide>,
    b: &mut Square<f32>,
    c: &mut Sum<f32>,
) {
    let feature = r#" s.x += p.i; s.y += p.j; s.z += k; s.w += 1; t.x -= p.i; t.y *= p.j; t.z += 2; t.w -= k; "#;
    let pair = r#" a.weight = s.x + s.y * s.z + s.w; b = t.x + t.y * t.z + t.w; c += b; "#;
}

#[td_kernel]
unsafe fn folds_of_results(
    #[row] p: &Features<[i16; 2]>,
    #[row] q: &[Wide],
    #[fold] s: i64,
    #[column] a: &mut Sums<f64>,
    #[row] b: &mut Minima<(f32, u32)>,
) {
    let feature = r#" s += p.x * p.y; "#;
    let pair = r#" a += s * q.weight; b.offer(s); "#;
}

#[td_kernel]
unsafe fn nearest(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 100>) {
    r#" near.push(p.i.x * p.j.y); "#
}

#[td_kernel(tile = 0)]
unsafe fn nearest_of_rows(#[row] p: &[f32], #[column] q: &[f64], #[row] near: &mut Nearest<i8, 1>) {
    r#" near.push(p < q); "#
}

#[td_kernel]
unsafe fn nearest_of_folds(
    #[each] p: &Features<f32>,
    #[fold] s: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" s += p.i * p.j; "#;
    let pair = r#" near.push(s); "#;
}

/// The shared memory of the code, in bytes: the size of its section. On GPUs from sm_80 on, this includes 1 KiB for the driver.
fn compiled(entry: &str, text: &str) -> usize {
    let Code::Cubin(code) = nvrtc::compile(entry, text, OPTIONS, 75).unwrap().code else {
        unreachable!()
    };
    let file = object::File::parse(&*code).unwrap();
    let name = format!(".nv.shared.{entry}_kernel");
    file.section_by_name(&name).map_or(0, |section| section.size() as usize)
}

#[test]
fn reported_shared_memory_is_right() {
    let mut sweeps = BTreeSet::new();
    let mut count = 0;
    for Registered { kernel, variants, .. } in inventory::iter::<Registered> {
        for (at, Variant { source, tiling, shared, .. }) in variants.iter().enumerate() {
            sweeps.insert(tiling.sweep.name());
            let source = &source.text();
            let found = compiled(kernel, source);
            // Between two arrays the compiler adds padding for the alignment of the second one.
            let most = shared + 16 * source.matches("__shared__ ").count();
            assert!(
                (*shared..=most).contains(&found),
                "{kernel} {at} ({}): {shared} bytes are said, and the code has {found}",
                tiling.sweep
            );
            count += 1;
        }
    }
    assert_eq!(sweeps.len(), SWEEPS.len());
    assert!(count > 30, "only {count} texts");
}
