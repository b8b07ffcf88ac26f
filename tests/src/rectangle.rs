//! Kernels over the pairs of two sets, in every sweep and tile.

use td_kernel::__private::{KernelInfo, Sweep, Variant};
use td_kernel::{Device, Kernel, Result};

use crate::{facts, folds, leaked, sources};

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
        let item = &folds::item(item, self.sweep);
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

/// The kernel. It counts a visit of (i, j) in a cell of its own, and every error in `wrong`.
const ITEM: &str = r##"
unsafe fn every(
    #[row] x: &[u32],
    #[column] y: &[[f32; 3]],
    #[row] z: &[f64],
    step: u32,
    visits: &mut [u32],
    key: &mut Matrix<u64>,
    low: &mut Matrix<u8>,
    wrong: &mut Sum<u64>,
    steps: &mut Sum<i64>,
    weight: &mut Sum<f32>,
    listed: &mut Pairs,
    valued: &mut Pairs<[f32; 2]>,
) {
    r#"
    if (i >= rows || j >= columns) {
        wrong += 1;
        return;
    }
    if (x != i || y.x != j || y.z != -(float)j || z != 0.5 * i)
        wrong += 1;
    atomicAdd(&visits[(unsigned long long)i * columns + j], step);
    key = (unsigned long long)i << 32 | j;
    low = i + 2 * j;
    steps += (long long)j - (long long)i;
    weight += 1.0f;
    if ((i + j) % 3 == 0)
        listed.push();
    if ((i + 2 * j) % 5 == 0)
        valued.push(make_float2(i, j));
    "#
}
"##;

/// The kernel for this choice: with matrices, unless the sweep has none.
pub fn item(choice: &Choice) -> String {
    match choice.sweep {
        Sweep::Columns => ITEM
            .replace("    key: &mut Matrix<u64>,\n    low: &mut Matrix<u8>,\n", "")
            .replace("    key = (unsigned long long)i << 32 | j;\n    low = i + 2 * j;\n", ""),
        sweep => folds::item(ITEM, sweep),
    }
}
