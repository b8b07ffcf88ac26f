//! Binds elements of many sets.

use super::{Axis, Bind};
use crate::group::launch::Launch;
use crate::{DeviceType, FeatureSets, Result, Sets};

/// The address of the elements, and with the last `Sets` those of the map's tables.
impl<'a, T: DeviceType> Bind<'a> for &'a Sets<T> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        launch.read(name, self.elements.view())?;
        launch.strided(size_of::<T>(), false);
        launch.take_sets(axis, name, &self.layout)?;
        launch.agree(axis, name, self.element_count(), None)
    }
}

/// The address of the features, and with the last of the sets those of the map's tables.
impl<'a, T: DeviceType> Bind<'a> for &'a FeatureSets<T> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        (&self.features).bind(launch, axis, name)?;
        launch.take_sets(axis, name, &self.layout)
    }
}
