//! Binds the extremes of all pairs.

use super::{Axis, Bind};
use crate::group::launch::Launch;
use crate::{ExtremeValue, Max, Min, Result};

impl<'a, T: ExtremeValue> Bind<'a> for &'a mut Max<T> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        launch.gather(name, &mut self.cells).map(drop)
    }
}

impl<'a, T: ExtremeValue> Bind<'a> for &'a mut Min<T> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        launch.gather(name, &mut self.cells).map(drop)
    }
}
