//! Where no type can stand no kernel can, which is rustc's to say: it does not tell a macro.

use td_kernel::td_kernel;

struct Owner;

impl Owner {
    #[td_kernel]
    unsafe fn associated(out: &mut Packed<f32>) {
        r#" out = 1; "#
    }
}

fn main() {}
