//! Kernels over the pairs of two sets, in every sweep and tile.

use td_kernel::__private::{KernelInfo, Sweep, Variant};
use td_kernel::{Device, Kernel, Result};

use crate::{facts, leaked, sources};

/// How a kernel's threads share the pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The sweep.
    pub sweep: Sweep,
    /// Elements per side of a tile, or threads per side of a block in the classic sweep.
    pub side: u32,
}

impl Choice {
    /// Every sweep of rectangles, in tiles of every kind.
    pub fn all() -> Vec<Choice> {
        let sides: [(Sweep, &[u32]); 4] = [
            (Sweep::Classic, &[8, 16, 32]),
            (Sweep::Rows, &[32, 64, 96, 128]),
            (Sweep::Columns, &[32, 64, 96, 128, 256]),
            (Sweep::Fold, &[32, 64, 128]),
        ];
        let of = |(sweep, sides): (Sweep, &'static [u32])| {
            sides.iter().map(move |&side| Choice { sweep, side })
        };
        sides.into_iter().flat_map(of).collect()
    }

    /// The keys, as a user writes them.
    pub fn attribute(&self) -> String {
        match self.sweep {
            Sweep::Classic => format!("block = {}", self.side),
            sweep => format!("sweep = \"{}\", tile = {}", sweep.name(), self.side),
        }
    }

    /// Generates the kernel `item` with these keys, and compiles it for `device`.
    pub fn load(&self, device: &Device, name: &'static str, item: &str) -> Result<Kernel> {
        let source = sources(&self.attribute(), item).remove(0);
        assert!(source.has_rows, "no ranges of rows: {self:?}\n{item}");
        let (info, variant) = facts(name, source);
        let map = if self.sweep == Sweep::Fold { "strips" } else { "full" };
        let info = leaked(KernelInfo {
            has_packed: item.contains("Matrix<"),
            is_rectangle: true,
            variants: std::slice::from_ref(leaked(Variant { map, ..variant })),
            ..info
        });
        // SAFETY: the generator made the sources with the same keys as the other numbers.
        unsafe { Kernel::load(device, info) }
    }
}
