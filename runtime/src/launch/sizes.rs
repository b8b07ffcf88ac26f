//! How many elements and pairs a launch has, and which grids the map makes of them.

use td_kernel_maps::{Grid, triangle};

use super::Launch;
use crate::kernel::Kernel;
use crate::{Error, Result, packed};

impl Launch<'_> {
    /// Records that `name` tells n.
    pub(super) fn agree(&mut self, name: &'static str, n: usize) -> Result<()> {
        match self.n {
            None => self.n = Some((n, name)),
            Some((expected, first)) if expected != n => {
                return Err(Error::Lengths {
                    kernel: self.kernel.spec.name,
                    argument: name,
                    found: n,
                    first,
                    expected,
                });
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// n, and the number of pairs; checks the packed arguments against them.
    pub(super) fn sizes(&self) -> Result<(usize, usize)> {
        let spec = self.kernel.spec;
        let n = match (self.n, self.packed.first()) {
            (Some((n, _)), _) => n,
            // Only packed slots of cudarc's, which know their number but not n.
            (None, Some(&(name, length))) => slots_of(length, spec.diagonal)
                .ok_or(Error::NoTriangle { kernel: spec.name, argument: name, length })?,
            (None, None) => 0,
        };
        let pairs =
            packed::pairs(n, spec.diagonal).ok_or(Error::TooLarge { elements: n, size: 1 })?;
        for &(argument, found) in &self.packed {
            if found != pairs {
                return Err(Error::PackedLength {
                    kernel: spec.name,
                    argument,
                    n,
                    expected: pairs,
                    found,
                });
            }
        }
        Ok((n, pairs))
    }

    /// The launches for n, where the map, its root and the device can do it.
    pub(super) fn grids(&self, n: usize) -> Result<Vec<Grid>> {
        let Kernel { spec, map, device, .. } = self.kernel;
        let block = spec.block as usize;
        let past = |rows: u32, instead: &'static str| Error::PastMap {
            kernel: spec.name,
            map: map.name(),
            root: map.takes_root().then_some(spec.root),
            n,
            most: rows as usize * block,
            instead,
        };
        let rows = u32::try_from(n.div_ceil(block)).unwrap_or(u32::MAX);
        if rows > map.largest() {
            let instead = if spec.block < 32 {
                "write `block = 32`, or split the elements"
            } else {
                "split the elements"
            };
            return Err(past(map.largest(), instead));
        }
        let grids = map.grids(rows);
        if map.takes_root() {
            // Every block that is launched must find its row, or that it is past the last one.
            let lambdas = grids.iter().map(|grid| grid.x * grid.y).max().unwrap_or_default();
            if let Some(failure) = device.root_failure(spec.root, lambdas)? {
                let rows = largest_before(failure, |rows| map.grids(rows));
                return Err(past(rows, "write `sqrt = \"exact\"`"));
            }
        }
        Ok(grids)
    }
}

/// The n whose pairs fill `slots` slots.
fn slots_of(slots: usize, diagonal: bool) -> Option<usize> {
    let n = packed::triangle_root(slots)?;
    // The pairs of n elements with the diagonal are as many as those of n + 1 without it.
    Some(if diagonal { n - 1 } else { n })
}

/// The most rows whose launches stay below the block `failure`.
fn largest_before(failure: u32, grids: impl Fn(u32) -> Vec<Grid>) -> u32 {
    let fits = |rows| {
        grids(rows).iter().all(|grid| u64::from(grid.x) * u64::from(grid.y) <= u64::from(failure))
    };
    let mut rows = 0;
    while triangle(rows + 1) <= u64::from(failure) && fits(rows + 1) {
        rows += 1;
    }
    rows
}
