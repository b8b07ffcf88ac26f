//! Bodies that are missing, have a wrong form, or close the function around them.

#[td_kernel] unsafe fn missing(out: &mut Packed<f32>) {} #[td_kernel] unsafe fn declared(out: &mut Packed<f32>);

mistakes! {
    #[td_kernel] unsafe fn kernel(out: &mut Packed<f32>) { MISTAKE }
    { r#"
    // nothing but a comment
    "# }
    { "out = 1;\n}" }
    { let x = 1; r#" out = 1; "# }
    { r#" out = 1; "#; r#" out = 2; } "# }
    { br#" out = 1; "# }
    { cr#" out = 1; "# }
    { r#" out = 1; "#cuda }
    { BODY }
    { concat!("out", " = 1;") }
    { format!("out = {};", 1) }
    { #![allow(unused)] r#" out = 1; "# }
    { include_str!("no_such_file.cu") }
    { include_str!("files/latin1.cu") }
    { include_str!("files") }
    { include_str!(3) }
    { include_str!(concat!("files/", "leaves.cu")) }
    { std::include_str!("files/leaves.cu",) }
    { r#"
    __shared__ float sum;
    __syncthreads();
    sum = __shfl_down_sync(~0u, sum, 1);
    td_row(1);
    asm volatile("bar.sync 0;");
    sum = std::sqrt(sum);
    "# }
    { r#"
    out = 1;
    }
    "# }
    { r#"
    if (i > 3) {
        out = 1; /* never closed
    "# }
    { r#"
    const char *text = "never closed;
    char c = 'c;
    text = R"(never closed;
    "# }
    { r#"
    #define row 2
    out = row;
    "# }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(x: &[f32], y: &mut [f32], out: &mut Packed<f32>) { MISTAKE }
    { r#" out = x.i - x.j; "# }
    { r#"
    out = x[i];
    y.i = 2 * y.j;
    "# }
}
