//! A kernel becomes a type, which cannot stand in an `impl` or a `trait`.

use td_kernel::td_kernel;

struct Owner;

impl Owner {
    #[td_kernel]
    unsafe fn associated(out: &mut Packed<f32>) {
        r#" out = 1; "#
    }

    fn launch() {
        // In a function it can.
        #[td_kernel]
        unsafe fn inner(out: &mut Packed<f32>) {
            r#" out = 1; "#
        }
        let _ = inner::SOURCE;
    }
}

trait Kernels {
    #[td_kernel(tile = 64)]
    unsafe fn of_a_trait(#[each] x: &[f32], out: &mut Packed<f32>) {
        r#" out = x.i; "#
    }

    #[td_kernel]
    unsafe fn with_self(&self, out: &mut Packed<f32>) {
        r#" out = 1; "#
    }
}

macro_rules! kernel {
    ($name:ident) => {
        impl Owner {
            // From a macro, which is rustc's to say: it does not tell another macro.
            #[td_kernel]
            unsafe fn $name(out: &mut Packed<f32>) {
                r#" out = 1; "#
            }
        }
    };
}
kernel!(named);

fn main() {}
