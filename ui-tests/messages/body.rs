//! Bodies that are missing, of the wrong form, or that leave their function.

#[td_kernel]
unsafe fn missing(out: &mut Packed<f32>) {}

#[td_kernel]
unsafe fn declared(out: &mut Packed<f32>);

#[td_kernel]
unsafe fn empty(out: &mut Packed<f32>) {
    r#"
    // nothing but a comment
    "#
}

#[td_kernel]
unsafe fn escaped(out: &mut Packed<f32>) {
    "out = 1;\n}"
}

#[td_kernel]
unsafe fn rust(out: &mut Packed<f32>) {
    let x = 1;
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn two(out: &mut Packed<f32>) {
    r#" out = 1; "#;
    r#" out = 2; } "#
}

#[td_kernel]
unsafe fn bytes(out: &mut Packed<f32>) {
    br#" out = 1; "#
}

#[td_kernel]
unsafe fn c_string(out: &mut Packed<f32>) {
    cr#" out = 1; "#
}

#[td_kernel]
unsafe fn suffixed(out: &mut Packed<f32>) {
    r#" out = 1; "#cuda
}

#[td_kernel]
unsafe fn constant(out: &mut Packed<f32>) {
    BODY
}

#[td_kernel]
unsafe fn concatenated(out: &mut Packed<f32>) {
    concat!("out", " = 1;")
}

#[td_kernel]
unsafe fn formatted(out: &mut Packed<f32>) {
    format!("out = {};", 1)
}

#[td_kernel]
unsafe fn with_inner_attribute(out: &mut Packed<f32>) {
    #![allow(unused)]
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn no_such_file(out: &mut Packed<f32>) {
    include_str!("no_such_file.cu")
}

#[td_kernel]
unsafe fn not_utf_8(out: &mut Packed<f32>) {
    include_str!("files/latin1.cu")
}

#[td_kernel]
unsafe fn folder(out: &mut Packed<f32>) {
    include_str!("files")
}

#[td_kernel]
unsafe fn file_by_number(out: &mut Packed<f32>) {
    include_str!(3)
}

#[td_kernel]
unsafe fn file_by_macro(out: &mut Packed<f32>) {
    include_str!(concat!("files/", "leaves.cu"))
}

#[td_kernel]
unsafe fn file_that_leaves(out: &mut Packed<f32>) {
    std::include_str!("files/leaves.cu",)
}

#[td_kernel]
unsafe fn barrier(out: &mut Packed<f32>) {
    r#"
    __shared__ float sum;
    __syncthreads();
    sum = __shfl_down_sync(~0u, sum, 1);
    td_row(1);
    asm volatile("bar.sync 0;");
    sum = std::sqrt(sum);
    "#
}

#[td_kernel]
unsafe fn braces(out: &mut Packed<f32>) {
    r#"
    out = 1;
    }
    "#
}

#[td_kernel]
unsafe fn unclosed(out: &mut Packed<f32>) {
    r#"
    if (i > 3) {
        out = 1; /* never closed
    "#
}

#[td_kernel]
unsafe fn quotes(out: &mut Packed<f32>) {
    r#"
    const char *text = "never closed;
    char c = 'c;
    text = R"(never closed;
    "#
}

#[td_kernel]
unsafe fn macro_that_goes_on(out: &mut Packed<f32>) {
    r#"
    #define row 2
    out = row;
    "#
}
