//! Binds arrays whose width is known at run time, and their sums.

use super::{Axis, Bind, Exact};
use crate::group::launch::Launch;
use crate::memory::addend::Total;
use crate::{ArraySums, Arrays, DeviceType, Result, SumElement, SumScalar};

/// The call of `Device` that makes sums.
const MADE_BY: &str = "array_sums(n, width)";

impl<'a, T: DeviceType> Bind<'a> for &'a Arrays<T> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        launch.array(name, self.width(), self.len() * size_of::<T>())?;
        launch.read(name, self.memory.view())?;
        launch.agree(axis, name, self.len(), None)
    }
}

impl<'a, T: SumScalar + SumElement> Bind<'a> for &'a mut ArraySums<T> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let elements = self.len();
        launch.array(name, self.width(), elements * size_of::<Total<T>>())?;
        launch.gather(name, &mut self.sums.cells.memory)?;
        launch.agree(axis, name, elements, Some(MADE_BY))
    }
}

/// The same in every run.
impl<'a, T: SumScalar + SumElement> Bind<'a> for Exact<&'a mut ArraySums<T>> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let Exact(sums) = self;
        let (elements, width) = (sums.len(), sums.width());
        launch.expect_there(name, &sums.sums.cells.memory)?;
        if let Some(exact) = sums.sums.exact(&launch.kernel.device)? {
            launch.array(name, width, exact.stride() as usize)?;
            launch.bind_exact(name, exact)?;
        }
        launch.agree(axis, name, elements, Some(MADE_BY))
    }
}
