//! Values of the attribute from a `macro_rules!`.

use td_kernel::td_kernel;

macro_rules! kernel {
    ($name:ident, $map:literal, $tile:expr, $diagonal:expr, $body:expr) => {
        #[td_kernel(map = $map, tile = $tile, diagonal = $diagonal)]
        unsafe fn $name(out: &mut Packed<f32>) {
            $body
        }
    };
}

kernel!(right_by_macro, "rb", 64, true, r#" out = 1; "#);
kernel!(wrong_by_macro, "br", 65, 1, r#" } "#);

fn main() {}
