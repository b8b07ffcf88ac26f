//! Functions that cannot be kernels.

#[td_kernel] struct NotAFunction;
#[td_kernel] mod not_a_function_either { pub fn inside() {} }
#[td_kernel] const POINTER: fn() = not_a_function_either::inside;

mistakes! {
    #[td_kernel] MISTAKE(out: &mut Packed<f32>) { r#" out = 1; "# }
    { fn kernel }
    { async unsafe fn kernel }
    { const unsafe fn kernel }
    { default unsafe fn kernel }
    { unsafe extern "C" fn kernel }
    { #[inline] unsafe fn kernel }
    { #[unsafe(no_mangle)] unsafe fn kernel }
    { #[td_kernel] unsafe fn kernel }
}

#[td_kernel] unsafe fn generic<T: Copy, const N: usize>(out: &mut Packed<f32>) where T: Copy, { r#" out = 1; "# }
#[td_kernel] unsafe fn lifetimes<'a, 'b>(x: &'a [f32], y: &'b mut [f32]) { r#" return; "# }
#[td_kernel] unsafe fn returns(out: &mut Packed<f32>) -> f32 { r#" out = 1; "# }
struct Receiver;
impl Receiver { #[td_kernel] unsafe fn method(&self, out: &mut Packed<f32>) { r#" out = 1; "# } }
trait Trait { #[td_kernel] unsafe fn provided(self: Box<Self>, out: &mut Packed<f32>) { r#" out = 1; "# } }
