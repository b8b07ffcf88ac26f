//! Binds elements of many sets.

use super::{Bind, Role};
use crate::group::launch::Launch;
use crate::group::launch::sets::SetsOfLaunch;
use crate::{DeviceType, Result, Sets};

/// The addresses of the elements and of the map's tables.
impl<'a, T: DeviceType> Bind<'a> for &'a Sets<T> {
    fn bind(self, launch: &mut Launch<'a>, role: Role, name: &'static str) -> Result<()> {
        launch.read(name, self.elements.view())?;
        launch.strided(size_of::<T>(), false);
        let before = launch.bound.len();
        launch.read(name, self.tables.sets.view())?;
        launch.read(name, self.tables.runs.view())?;
        launch.sets = Some(SetsOfLaunch {
            tables: &self.tables,
            offsets: &self.offsets,
            of_runs: before..launch.bound.len(),
            takes_set: false,
        });
        launch.agree(role, name, self.element_count(), None)
    }
}
