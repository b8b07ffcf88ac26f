//! Binds elements of many sets.

use super::{Bind, Role};
use crate::group::launch::Launch;
use crate::{DeviceType, FeatureSets, Result, Sets};

/// The address of the elements, and with the last `Sets` those of the map's tables.
impl<'a, T: DeviceType> Bind<'a> for &'a Sets<T> {
    fn bind(self, launch: &mut Launch<'a>, role: Role, name: &'static str) -> Result<()> {
        launch.read(name, self.elements.view())?;
        launch.strided(size_of::<T>(), false);
        launch.take_sets(role, name, &self.layout)?;
        launch.agree(role, name, self.element_count(), None)
    }
}

/// The address of the features, and with the last of the sets those of the map's tables.
impl<'a, T: DeviceType> Bind<'a> for &'a FeatureSets<T> {
    fn bind(self, launch: &mut Launch<'a>, role: Role, name: &'static str) -> Result<()> {
        (&self.features).bind(launch, role, name)?;
        launch.take_sets(role, name, &self.layout)
    }
}
