//! Binds the extremes of sets.

use super::{Axis, Bind};
use crate::Result;
use crate::group::launch::Launch;
use crate::group::launch::counts::ExtremesOfSets;
use crate::memory::results::Results;

/// Results of sets in place of elements.
pub struct OfSets<'a, R> {
    /// One for each set.
    pub results: &'a mut R,
    /// Whether they have the indices of their pairs.
    pub has_pair: bool,
}

/// The address of the cells.
impl<'a, R: Results> Bind<'a> for OfSets<'a, R> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let OfSets { results, has_pair } = self;
        let cells = results.cells();
        launch.gather(name, &mut cells.memory)?;
        let (count, made_by) = (cells.elements, R::MADE_BY);
        launch.set_extremes.push(ExtremesOfSets { name, count, made_by, has_pair });
        Ok(())
    }
}
