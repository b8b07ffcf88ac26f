//! Values are stored in the right slots.

use td_kernel::Device;
use td_kernel::cudarc::driver::CudaContext;

use crate::{assert_near, distances, edm, points};

/// A view that starts anywhere, even where four values cannot be stored as a vector.
#[test]
fn small_packed_views_at_any_offset() {
    let context = CudaContext::new(0).unwrap();
    let device = Device::from_cuda(&context).unwrap();
    let stream = context.default_stream();
    let (n, pairs) = (300, 300 * 299 / 2);
    let p = stream.clone_htod(&points(n)).unwrap();
    for start in 0..5 {
        let mut memory = stream.clone_htod(&vec![-1.0_f32; pairs + 8]).unwrap();
        let mut slots = memory.slice_mut(start..start + pairs);
        edm::load(&device).unwrap().launch(&p, &mut slots).unwrap();
        let memory = stream.clone_dtoh(&memory).unwrap();
        stream.synchronize().unwrap();
        assert_near(&memory[start..start + pairs], &distances(&points(n)));
        let around = memory[..start].iter().chain(&memory[start + pairs..]);
        assert!(around.clone().all(|value| *value == -1.0), "start {start}");
    }
}
