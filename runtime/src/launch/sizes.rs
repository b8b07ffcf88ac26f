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

    /// n, and whether there is anything to do for it; checks the outputs' lengths against n.
    pub(super) fn sizes(&self) -> Result<(usize, bool)> {
        let spec = self.kernel.spec;
        let n = match (self.n, self.packed.first(), self.squares.first()) {
            (Some((n, _)), ..) => n,
            // Only slots of cudarc's, which know their number but not n.
            (None, Some(&(name, length)), _) => slots_of(length, spec.diagonal)
                .ok_or(Error::SlotsOfNoN { kernel: spec.name, argument: name, length })?,
            (None, None, Some(&(_, length))) => length.isqrt(),
            (None, None, None) => 0,
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
        for &(argument, found) in &self.squares {
            let expected = n.saturating_mul(n);
            if found != expected {
                return Err(Error::SquareLength {
                    kernel: spec.name,
                    argument,
                    n,
                    expected,
                    found,
                });
            }
        }
        // A single element has no pair, but a square of it has a diagonal.
        Ok((n, pairs > 0 || (n == 1 && !self.squares.is_empty())))
    }
}

/// The n whose pairs fill `slots` slots.
fn slots_of(slots: usize, diagonal: bool) -> Option<usize> {
    let n = packed::triangle_root(slots)?;
    // The pairs of n elements with the diagonal are as many as those of n + 1 without it.
    Some(if diagonal { n - 1 } else { n })
}
