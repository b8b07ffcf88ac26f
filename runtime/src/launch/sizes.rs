//! How many elements and pairs a launch has.

use super::Launch;
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
                .ok_or(Error::SlotsOfNoN { kernel: spec.name, argument: name, length })?,
            (None, None) => 0,
        };
        // A number that does not fit is that of more elements than any map takes: `plan` says so.
        let pairs = packed::pairs(n, spec.diagonal).unwrap_or(usize::MAX);
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
}

/// The n whose pairs fill `slots` slots.
fn slots_of(slots: usize, diagonal: bool) -> Option<usize> {
    let n = packed::triangle_root(slots)?;
    // The pairs of n elements with the diagonal are as many as those of n + 1 without it.
    Some(if diagonal { n - 1 } else { n })
}
