//! The streams that users choose for launches.

use std::sync::Arc;

use cudarc::driver::CudaStream;

/// A stream of a GPU: with the feature `cudarc` of this crate, an `Arc<CudaStream>`.
///
/// ```
/// # #[cfg(feature = "cudarc")] {
/// use td_kernel::{Device, PairKernel, Result};
///
/// /// The same kernel on a stream of its own, where the device is a GPU.
/// fn on_own_stream<K: PairKernel>(device: &Device, kernel: &K) -> Result<K> {
///     let Some(stream) = device.stream() else { return Ok(kernel.clone()) };
///     let own = stream.context().new_stream().map_err(td_kernel::Error::other)?;
///     kernel.with_stream(&own)
/// }
/// # }
/// ```
///
/// This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stream of a GPU",
    note = "pass an `Arc<CudaStream>`, which is a stream with the feature `cudarc` of td-kernel"
)]
pub trait Stream: sealed::Stream {}

impl<T: sealed::Stream> Stream for T {}

pub(crate) mod sealed {
    use super::{Arc, CudaStream};

    /// A type of cudarc.
    pub trait Stream {
        fn stream(&self) -> &Arc<CudaStream>;
    }

    #[cfg(feature = "cudarc")]
    impl Stream for Arc<CudaStream> {
        fn stream(&self) -> &Arc<CudaStream> {
            self
        }
    }
}
