//! The kernel that a generated type holds.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use crate::info::KernelInfo;
use crate::kernel::Kernel;
use crate::launch::Launch;
use crate::{Device, Report, Result, Tuned};

/// A [`Kernel`] that the generated type `K` has loaded for itself.
///
/// A generated type holds it in a private field, which safe code in the same module can still write. Because the
/// field's type names `K`, that code cannot put another kernel there, whose arguments are not those that `K::launch`
/// passes.
pub struct Typed<K> {
    kernel: Kernel,
    /// Names `K` without holding one, so `Typed` is `Send` and `Sync` whatever `K` is.
    of: PhantomData<fn() -> K>,
}

impl<K> Typed<K> {
    /// Compiles the kernel for `device`, or finds it compiled already.
    ///
    /// # Safety
    ///
    /// The contract of [`Kernel::load`]; and every launch of a `Typed<K>` is run with the arguments that this kernel
    /// takes.
    pub unsafe fn load(device: &Device, info: &'static KernelInfo) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe { Kernel::load(device, info) }.map(Self::of)
    }

    fn of(kernel: Kernel) -> Self {
        Typed { kernel, of: PhantomData }
    }

    /// [`Kernel::pin`].
    #[must_use]
    pub fn pin(&self, variant: usize) -> Self {
        Self::of(self.kernel.pin(variant))
    }

    /// [`Kernel::with_stream`].
    pub fn with_stream(&self, stream: &Arc<CudaStream>) -> Result<Self> {
        self.kernel.with_stream(stream).map(Self::of)
    }

    /// [`Kernel::rows`].
    #[must_use]
    pub fn rows(&self, rows: Range<usize>) -> Self {
        Self::of(self.kernel.rows(rows))
    }

    /// [`Kernel::launch`].
    pub fn launch(&self) -> Launch<'_> {
        self.kernel.launch()
    }

    /// [`Kernel::report`].
    pub fn report(&self, elements: usize) -> Result<Report> {
        self.kernel.report(elements)
    }

    /// [`Kernel::report_rectangle`].
    pub fn report_rectangle(&self, rows: usize, columns: usize) -> Result<Report> {
        self.kernel.report_rectangle(rows, columns)
    }

    /// [`Kernel::tune`].
    pub fn tune(&self, mut launch: impl FnMut(&Self) -> Result<()>) -> Result<Tuned> {
        self.kernel.tune(&mut |kernel| launch(&Self::of(kernel.clone())))
    }
}

impl<K> Clone for Typed<K> {
    fn clone(&self) -> Self {
        Self::of(self.kernel.clone())
    }
}

impl<K> fmt::Debug for Typed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kernel.fmt(f)
    }
}
