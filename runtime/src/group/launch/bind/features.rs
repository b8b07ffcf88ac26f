//! Binds elements with features.

use super::{Axis, Bind};
use crate::error::counted;
use crate::group::launch::Launch;
use crate::{DeviceType, Features, Result};

impl<'a, T: DeviceType> Bind<'a> for &'a Features<T> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let before = launch.bound.len();
        launch.read(name, self.memory.view())?;
        let [rows, columns] = &mut launch.features;
        let own = (before, &self.operands);
        launch.feature_size = size_of::<T>() as u32;
        if axis != Axis::Column {
            rows.get_or_insert(own);
        }
        if axis != Axis::Row {
            columns.get_or_insert(own);
        }
        // `Features` allows at most 31 bits of features per element.
        let width = u32::try_from(self.width()).unwrap_or(u32::MAX);
        let (expected, first) = *launch.width.get_or_insert((width, name));
        if expected != width {
            let found = counted(self.width(), "feature");
            let problem = format!(
                "has {found} for each element, but `{first}` has {expected}: a kernel folds both together, so make both with the same width"
            );
            return Err(launch.wrong(name, problem));
        }
        launch.agree(axis, name, self.len(), None)
    }
}
