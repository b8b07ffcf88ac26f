//! The streams that users choose for launches.

use std::sync::Arc;

use cudarc::driver::CudaStream;

/// A stream of a GPU: with the feature `cudarc` of this crate, an `Arc<CudaStream>`.
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
