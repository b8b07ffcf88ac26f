//! The memory in which results of elements are accumulated.

use crate::backend::Backend;
use crate::memory::Memory;
use crate::{DeviceType, Result, host};

/// The cells of n elements, ordered by component, then by element, so that neighbouring threads add to neighbouring cells.
pub struct Cells<C> {
    pub(crate) memory: Memory<C>,
    /// The number of elements.
    pub(crate) elements: usize,
    /// The number of cells of each element.
    pub(crate) components: usize,
}

impl<C: DeviceType> Cells<C> {
    /// Empty cells, all bits zero.
    pub(crate) fn new(backend: &dyn Backend, elements: usize, components: usize) -> Result<Self> {
        // An overflow saturates, and the allocation then fails as too large.
        let count = elements.saturating_mul(components);
        Ok(Cells { memory: Memory::zeroed(backend, count)?, elements, components })
    }

    /// Converts each element's cells, of those of all elements, with `result`.
    pub(crate) fn made_of<T>(
        &self,
        cells: &[C],
        result: impl Fn(&[C]) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut own = Vec::with_capacity(self.components);
        let of = |element: usize| {
            own.clear();
            let places = (0..self.components).map(|each| each * self.elements + element);
            own.extend(places.filter_map(|place| cells.get(place).copied()));
            result(&own)
        };
        let mut results = host::with_room(self.elements)?;
        for result in (0..self.elements).map(of) {
            results.push(result?);
        }
        Ok(results)
    }
}
