//! Parameters and keys that kernels over two sets do not support, and the reverse.

#[td_kernel] unsafe fn both(#[each] p: &[f32], #[row] a: &[f32], #[column] b: &[f32], d: &mut Matrix<f32>) { r#" d = a - b; "# }

#[td_kernel] unsafe fn packed(#[row] a: &[f32], #[column] b: &[f32], d: &mut Packed<f32>, e: &mut Square<f32>) {
    r#" d = e = a - b; "#
}

#[td_kernel] unsafe fn matrix_of_one(#[each] p: &[f32], d: &mut Matrix<f32>) { r#" d = p.i - p.j; "# }
#[td_kernel] unsafe fn matrix_beside_packed(d: &mut Matrix<f32>, e: &mut Packed<f32>) { r#" d = e = i - j; "# }

#[td_kernel] unsafe fn marks(#[row] #[column] a: &[f32], #[row] #[row] b: &[f32], #[column(1)] c: &[f32], #[row] d: f32) {
    r#" return; "#
}

#[td_kernel] unsafe fn counts(#[row] rows: &[f32], columns: u32, total: &mut Sum<f32>) { r#" total += rows * columns; "# }
#[td_kernel] unsafe fn not_written(#[row] a: &[f32], d: &Matrix<f32>, e: &mut Matrix) { r#" d = a; "# }

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(#[row] a: &[f32], #[column] b: &[f32], d: &mut Matrix<f32>) { r#" d = a - b; "# }
    { map = "rb", space = "thread", diagonal = true }
    { sweep = "mirror" }
    { sweep = "columns" }
}
