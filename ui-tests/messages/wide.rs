//! Sums of arrays: wrong types, and too many numbers. Arrays whose width a launch gives: wrong types, and no sums.

#[td_kernel]
unsafe fn types(
    #[each] a: &mut Sums<[f32; 65]>, #[each] b: &mut Sums<[f64; 33]>, #[each] c: &mut Sums<[i32; 5]>,
    #[each] d: &mut Sums<[f32; COUNT]>, #[each] e: &mut Maxima<[f32; 16]>, f: &mut Packed<[f32; 16]>, g: [f32; 16], h: &[[i32; 16]],
    k: &mut [[f32; 16]],
) {
    r#" a.i += 1; "#
}

#[td_kernel] unsafe fn too_many(#[row] v: &[[f32; 40]], #[row] a: &mut Sums<[f32; 40]>, #[column] b: &mut Sums<[f32; 40]>) {
    r#" a += 2.0f * v; b += 2.0f * v; "#
}

#[td_kernel] unsafe fn unmarked(#[row] v: &[[f32; 16]], out: &mut Sums<[f32; 16]>) { r#" out += 2.0f * v; "# }

#[td_kernel]
unsafe fn types_of_given_arrays(
    #[each] a: &Arrays<i32>, #[each] b: &Arrays<[f32; 4]>, #[each] c: &Arrays, #[each] d: &mut Arrays<f32>, #[each] e: Arrays<f32>,
    f: &Arrays<f32>, #[each] g: &mut ArraySums<[f32; 16]>, #[each] h: &ArraySums<f32>, k: &mut ArraySums<f32>,
) {
    r#" g.i += a.j; "#
}

#[td_kernel] unsafe fn without_arrays(#[each] v: &[[f32; 16]], #[each] out: &mut ArraySums<f32>) { r#" out.i += 2.0f * v.j; "# }
#[td_kernel] unsafe fn without_sums(#[each] v: &Arrays<f32>) { r#" float w = v.i[0]; "# }
