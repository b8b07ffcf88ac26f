//! Values of the pairs of many sets on a device, or on several devices, each of which has those of its own pairs.

use std::ops::Range;

use super::tables::{count_of, own, shares_of};
use crate::backend::view::{View, ViewMut};
use crate::host::sets::SetPairs;
use crate::memory::Memory;
use crate::types::info::OTHERS;
use crate::{DeviceType, Error, Result, Target, host};

/// The values.
pub(crate) enum Divided<T> {
    /// On one device.
    One(Memory<T>),
    /// On each of these devices.
    Several(Target, Vec<Memory<T>>),
}

impl<T: DeviceType> Divided<T> {
    /// A value for each of these pairs, all bits zero, where a launch will visit it. Sets of at least `large` elements are large; those
    /// of elements with features all have tiles.
    pub(super) fn zeroed(target: &Target, pairs: &SetPairs, large: Option<u32>) -> Result<Self> {
        if !target.is_several() {
            return Ok(Divided::One(Memory::zeroed(target.backend(), pairs.pair_count())?));
        }
        let [.., shared] = &OTHERS;
        if let Some(why) = shared.divided.filter(|_| target.is_part()) {
            return Err(Error::arguments(format!(
                "these devices share each launch with other processes: {why}"
            )));
        }
        let shares: Vec<_> = match large {
            Some(large) => {
                shares_of(pairs, large, target)?.into_iter().map(|share| share.pairs).collect()
            }
            None => {
                let shares = pairs.tiled().shares(count_of(target)).into_iter();
                own(target, shares.map(|share| share.pairs()))
            }
        };
        let each = target.devices().iter().zip(shares).enumerate();
        let own = each.map(|(at, (device, pairs))| {
            let count = (pairs.end - pairs.start) as usize;
            Memory::zeroed(device.backend(), count).map_err(|error| target.named(at, error))
        });
        Ok(Divided::Several(target.clone(), own.collect::<Result<_>>()?))
    }

    /// The values on all devices.
    pub(super) fn len(&self) -> usize {
        match self {
            Divided::One(memory) => memory.len(),
            Divided::Several(_, parts) => parts.iter().map(Memory::len).sum(),
        }
    }

    /// Copies all values to the host.
    pub(super) fn download(&self) -> Result<Vec<T>> {
        let mut values = host::zeros(self.len())?;
        self.download_into(0..self.len(), &mut values)?;
        Ok(values)
    }

    /// Copies all values, which are those in this range, into a slice of the same length: from all devices at the same time if
    /// they are many.
    pub(super) fn download_into(&self, all: Range<usize>, values: &mut [T]) -> Result<()> {
        let (target, parts) = match self {
            Divided::One(memory) => return memory.download_into(all, values),
            Divided::Several(target, parts) => (target, parts),
        };
        if values.len() != all.len() {
            return Err(Error::copy_length(all.len(), values.len()));
        }
        let is_large = size_of_val(values) >= host::LARGE;
        let mut rest = values;
        let mut items = parts.iter().enumerate().map(|(at, part)| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(part.len());
            rest = others;
            (at, part, own)
        });
        let copy = |(at, part, own): (usize, &Memory<T>, &mut [T])| {
            part.download_into(0..part.len(), own).map_err(|error| target.named(at, error))
        };
        match is_large {
            true => host::map_concurrently(items.collect(), copy).into_iter().collect(),
            false => items.try_for_each(copy),
        }
    }

    /// The values for a kernel to read. On several devices no kernel reads them, because none has all: the view has no device.
    pub(crate) fn view(&self) -> View<'_, T> {
        match self {
            Divided::One(memory) => memory.view(),
            Divided::Several(..) => View::Several(Vec::new()),
        }
    }

    /// The same, for a kernel to write at any index.
    pub(super) fn view_mut(&mut self) -> ViewMut<'_, T> {
        match self {
            Divided::One(memory) => memory.view_mut(),
            Divided::Several(..) => ViewMut::Several(Vec::new()),
        }
    }

    /// The values on each device, for a kernel that computes them.
    pub(super) fn slots(&mut self) -> ViewMut<'_, T> {
        match self {
            Divided::One(memory) => memory.view_mut(),
            Divided::Several(_, parts) => {
                ViewMut::Several(parts.iter_mut().map(Memory::view_mut).collect())
            }
        }
    }
}
