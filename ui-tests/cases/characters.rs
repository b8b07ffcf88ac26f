//! Bodies that compilers do not agree about: joined lines, the ends of lines, and odd characters.

use td_kernel::td_kernel;

#[td_kernel]
unsafe fn joined_lines(out: &mut Packed<f32>) {
    r#"
    /\
/ out = 1;
    out = 2; // spaces after this \ 
    /* a comment *\
/ ends here or here */
    out = 3; // the last line \
"#
}

#[td_kernel]
unsafe fn odd(out: &mut Packed<f32>) {
    r#"
    out = 1;
    out = 1ö;
    "#
}

#[td_kernel]
unsafe fn carriage_return(out: &mut Packed<f32>) {
    include_str!("files/carriage_return.cu")
}

#[td_kernel]
unsafe fn nul(out: &mut Packed<f32>) {
    include_str!("files/nul.cu")
}

fn main() {}
