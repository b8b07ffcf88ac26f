//! Runs the kernels.

use std::time::Duration;

use td_kernel::{Buffer, Csr, Device, RectangularMatrix};
use td_kernel_examples::memory::collected;
use td_kernel_examples::progress::{Elements, watch};
use td_kernel_examples::{Frame, Points, Result};

use crate::kernels::{distances, nearest, within};
use crate::neighbours::Neighbour;
use crate::sets::Sets;

/// How many pairs a list has room for at first.
const FIRST_CAPACITY: usize = 1 << 20;

/// Two sets on a device.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    device: &'a Device,
    query: Buffer<[f32; 4]>,
    point: Buffer<[f32; 4]>,
    /// By what the kernels multiply distances.
    unit: f32,
}

impl<'a> Search<'a> {
    pub(crate) fn new(device: &'a Device, sets: &Sets) -> Result<Search<'a>> {
        let Sets { rows, columns } = sets;
        let frame = Frame::of(&[&rows.values, &columns.values], sets.features())?;
        let upload =
            |points: &Points| -> Result<_> { Ok(device.upload(&elements(points, &frame)?)?) };
        Ok(Search { device, query: upload(rows)?, point: upload(columns)?, unit: frame.unit() })
    }

    /// For each point of the first set the nearest of the second, and how long the kernel took. There are none if the
    /// second set is empty.
    pub(crate) fn nearest(&self) -> Result<(Vec<Neighbour>, Duration)> {
        let kernel = nearest::load(self.device)?;
        let (rows, columns) = (self.query.len(), self.point.len());
        // Each kernel has several texts. `report` compiles the one for these sizes now, so that the time measured below
        // does not include it.
        kernel.report(rows, columns)?;
        let mut least = self.device.minima::<(f32, u32)>(rows)?;
        if !self.device.is_cpu() {
            // The first launch on a GPU also moves the kernel's code there.
            kernel.launch(&self.query, &self.point, self.unit, &mut least)?;
            least.clear()?;
        }
        let ((), time) = self.watch("finding the nearest", || {
            self.device.timed(|| kernel.launch(&self.query, &self.point, self.unit, &mut least))
        })?;
        let found = (0..).zip(least.download()?).filter_map(|(i, least)| {
            let (distance, j) = least?;
            Some(Neighbour { i, j, distance })
        });
        Ok((collected(rows, found)?, time))
    }

    /// The pairs no farther apart than `radius`: for each point of the first set those of the second, in order.
    pub(crate) fn within(&self, radius: f32) -> Result<Csr<f32>> {
        let kernel = within::load(self.device)?;
        let mut close = self.device.pairs::<f32>(FIRST_CAPACITY)?;
        let find = |close: &mut _| {
            self.watch("finding pairs", || {
                kernel.launch(&self.query, &self.point, self.unit, radius, close)
            })
        };
        find(&mut close)?;
        let count = usize::try_from(close.count()?).unwrap_or(usize::MAX);
        if count > close.capacity() {
            // Pairs past the list's end were only counted.
            close = self.device.pairs(count)?;
            find(&mut close)?;
        }
        // Threads push them in any order, which CSR does away with.
        Ok(close.download()?.to_csr_of_two(self.query.len(), self.point.len())?)
    }

    /// The distances of all pairs.
    pub(crate) fn distances(&self) -> Result<RectangularMatrix<f32>> {
        let kernel = distances::load(self.device)?;
        let mut matrix = self.device.matrix(self.query.len(), self.point.len())?;
        self.watch("computing distances", || {
            kernel.launch(&self.query, &self.point, self.unit, &mut matrix)
        })?;
        Ok(matrix.download()?)
    }

    fn watch<R>(&self, what: &'static str, work: impl FnOnce() -> R) -> R {
        watch(self.device, what, Elements::Two(self.query.len(), self.point.len()), work)
    }
}

/// The points with zeros for the features that they do not have.
fn elements(points: &Points, frame: &Frame) -> Result<Vec<[f32; 4]>> {
    let values = frame.singles(&points.values)?;
    let elements = values.chunks(points.features).map(|point| {
        let mut element = [0.0; 4];
        element[..point.len()].copy_from_slice(point);
        element
    });
    collected(points.len(), elements)
}
