//! A kernel becomes a type, which an `impl` or a `trait` cannot contain.

use td_kernel::td_kernel;

struct Owner;

impl Owner {
    #[td_kernel]
    unsafe fn associated(out: &mut Packed<f32>) {
        r#" out = 1; "#
    }

    fn launch() {
        // A function can contain it.
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
            // In a macro's expansion the attribute cannot see the `impl`, so rustc reports it.
            #[td_kernel]
            unsafe fn $name(out: &mut Packed<f32>) {
                r#" out = 1; "#
            }
        }
    };
}
kernel!(named);

fn main() {}
