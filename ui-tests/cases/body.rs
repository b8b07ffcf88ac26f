//! Bodies that are missing, of the wrong form, or that leave their function.

use td_kernel::td_kernel;

#[td_kernel]
unsafe fn missing(out: &mut Packed<f32>) {}

#[td_kernel]
unsafe fn empty(out: &mut Packed<f32>) {
    r#"
    // nothing but a comment
    "#
}

#[td_kernel]
unsafe fn escaped(out: &mut Packed<f32>) {
    "out = 1;\n"
}

#[td_kernel]
unsafe fn rust(out: &mut Packed<f32>) {
    let x = 1;
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn no_such_file(out: &mut Packed<f32>) {
    include_str!("no_such_file.cu")
}

#[td_kernel]
unsafe fn file_by_number(out: &mut Packed<f32>) {
    include_str!(3)
}

#[td_kernel]
unsafe fn barrier(out: &mut Packed<f32>) {
    r#"
    __shared__ float sum;
    __syncthreads();
    td_row(1);
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
    "#
}

#[td_kernel]
unsafe fn macro_that_goes_on(out: &mut Packed<f32>) {
    r#"
    #define row 2
    out = row;
    "#
}

#[td_kernel]
unsafe fn macros_of_braces(out: &mut Packed<f32>) {
    r#"
    #define OPEN {
    #define JOIN(a, b) a##b
    #pragma push_macro("row")
    #undef OPEN
    #undef JOIN
    out = 1;
    "#
}

#[td_kernel]
unsafe fn branches(out: &mut Packed<f32>) {
    r#"
    #ifdef FAST
    if (i > 3) {
    #else
    #endif
        out = (1;
    }
    #endif
    "#
}

#[td_kernel]
unsafe fn joined_lines(out: &mut Packed<f32>) {
    r#"
    /\
/ out = 1;
    out = 2; // spaces after this \ 
    out = 3; // the last line \
"#
}

fn main() {}
