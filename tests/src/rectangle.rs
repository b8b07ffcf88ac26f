//! Kernels over the pairs of two sets, in every sweep and tile, and the check that each pair was visited exactly once.

mod values;
mod variants;

use std::fmt::Debug;
use std::ops::Range;

use td_kernel::__private::{Axis, KernelInfo, Sweep, Variant, output};
use td_kernel::{Device, HostPairs, Kernel, Pairs, Result, Shape, Slice, SliceMut};

use crate::covering::{chosen, part, turns, with_turns};
use crate::folds::{self, Added, pass};
use crate::{facts, leaked, sources};

pub use self::values::check_values;
pub use self::variants::check_variants;

/// Rows and columns: none, one, around each block size, primes, multiples of no vector, a long side of either.
pub const SIZES: &[[usize; 2]] = &[
    [0, 0],
    [0, 5],
    [5, 0],
    [1, 1],
    [1, 2],
    [2, 1],
    [1, 259],
    [259, 1],
    [31, 33],
    [32, 64],
    [64, 32],
    [65, 129],
    [97, 89],
    [128, 136],
    [7, 600],
    [600, 7],
    [200, 263],
];

/// How a kernel's threads share the pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The sweep.
    pub sweep: Sweep,
    /// Elements per side of a tile, or threads per side of a block in the classic sweep.
    pub side: u32,
}

/// These choices, each with [`SIZES`], or by default with half of them; each sweep has them all.
pub fn chosen_halves(choices: &[Choice]) -> Vec<(Choice, Vec<[usize; 2]>)> {
    let all = with_turns(choices, turns(2));
    let chosen = chosen(&all, |(choice, turn)| choice.properties_with(&turn.to_string()));
    chosen.into_iter().map(|(choice, turn)| (choice, part(SIZES, 2, turn))).collect()
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

    /// The properties of a choice with another option, such as sizes, that can be wrong separately (`covering`): the sweep in a
    /// tile size, and the option in the sweep.
    pub fn properties_with(&self, other: &str) -> Vec<String> {
        let Choice { sweep, side } = self;
        vec![format!("{sweep:?} of {side}"), format!("{other} in {sweep:?}")]
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
        self.load_with(device, name, item, "")
    }

    /// [`load`](Choice::load) with a source before the kernel's: the structs that it uses.
    pub fn load_with(
        &self,
        device: &Device,
        name: &'static str,
        item: &str,
        before: &str,
    ) -> Result<Kernel> {
        let item = &folds::item(item, self.sweep);
        let source = sources(&self.attribute(), item).remove(0);
        assert!(source.has_rows, "no ranges of rows: {self:?}\n{item}");
        let (info, variant) = facts(name, before, source);
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

/// The rows of each launch: all at once, or in chunks.
fn cuts(rows: usize) -> Vec<Vec<Range<usize>>> {
    let (third, half) = (rows / 3, rows.div_ceil(2));
    vec![vec![0..third, third..third, third..rows], vec![half..rows, 0..half]]
}

/// Runs the kernel over these rows and columns, in one launch and in chunks, and compares everything it wrote.
pub fn check(device: &Device, choice: &Choice, sizes: &[[usize; 2]]) -> Result<()> {
    let kernel = choice.load(device, "every", &item(choice))?;
    for &[rows, columns] in sizes {
        launches(device, choice, &kernel, [rows, columns], &[])?;
        for cuts in cuts(rows) {
            launches(device, choice, &kernel, [rows, columns], &cuts)?;
        }
    }
    Ok(())
}

/// [`check`] of one size, in one launch or in several chunks of rows.
fn launches(
    device: &Device,
    choice: &Choice,
    kernel: &Kernel,
    [rows, columns]: [usize; 2],
    cuts: &[Range<usize>],
) -> Result<()> {
    let context = format!("{choice:?}, {rows} x {columns}, cut {cuts:?}, on {}", device.name());
    let x = device.upload(&(0..rows as u32).collect::<Vec<_>>())?;
    let y: Vec<[f32; 3]> = (0..columns).map(|k| [k as f32, 0.5, -(k as f32)]).collect();
    let y = device.upload(&y)?;
    let z = device.upload(&(0..rows).map(|k| 0.5 * k as f64).collect::<Vec<_>>())?;
    let mut visits = device.zeroed::<u32>(rows * columns)?;
    let added = Added::of_sets(device, choice.sweep, [rows, columns])?;
    let (mut wrong, mut steps) = (device.sum::<u64>()?, device.sum::<i64>()?);
    let mut weight = device.sum::<f32>()?;
    let mut listed: Pairs = device.pairs(rows * columns)?;
    let mut valued = device.pairs::<[f32; 2]>(rows * columns)?;
    // Matrices of all rows, whose other rows stay unchanged; and chunks, which are joined.
    let mut key = device.matrix::<u64>((rows, columns))?;
    let mut lows = vec![0; rows * columns];
    let step = 5_u32;
    let whole = 0..rows;
    for chunk in if cuts.is_empty() { std::slice::from_ref(&whole) } else { cuts } {
        let kernel = if cuts.is_empty() { kernel.clone() } else { kernel.rows(chunk.clone()) };
        let mut low = device.matrix::<u8>(Shape::rectangle(rows, columns).of_rows(0..rows))?;
        let mut launch = kernel.launch();
        pass!(launch, added);
        launch.bind(Axis::Row, "x", Slice::view(&x))?;
        launch.bind(Axis::Column, "y", Slice::view(&y))?;
        launch.bind(Axis::Row, "z", Slice::view(&z))?;
        launch.bind(Axis::All, "scalar", &step)?;
        launch.bind(Axis::All, "visits", SliceMut::view_mut(&mut visits))?;
        if choice.sweep != Sweep::Columns {
            launch.bind(Axis::All, "key", output(&mut key))?;
            launch.bind(Axis::All, "low", output(&mut low))?;
        }
        launch.bind(Axis::All, "wrong", &mut wrong)?;
        launch.bind(Axis::All, "steps", &mut steps)?;
        launch.bind(Axis::All, "weight", &mut weight)?;
        launch.bind(Axis::All, "listed", &mut listed)?;
        launch.bind(Axis::All, "valued", &mut valued)?;
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { launch.run() }?;
        let low = low.download()?;
        for ((i, j), &value) in &low {
            if chunk.contains(&i) {
                lows[i * columns + j] = value;
            } else {
                assert_eq!(value, 0, "{context}: ({i}, {j}) is outside of the chunk");
            }
        }
    }
    let pairs = || (0..rows).flat_map(move |i| (0..columns).map(move |j| (i, j)));
    assert_eq!(wrong.download()?, 0, "{context}: pairs outside, or elements of another pair");
    for ((i, j), visits) in pairs().zip(visits.download()?) {
        assert_eq!(visits, step, "{context}: visits of ({i}, {j}), times {step}");
    }
    if choice.sweep != Sweep::Columns {
        let keys: Vec<u64> = pairs().map(|(i, j)| (i as u64) << 32 | j as u64).collect();
        assert_eq!(key.download()?.as_slice(), keys, "{context}: matrix of u64");
        let expected: Vec<u8> = pairs().map(|(i, j)| (i + 2 * j) as u8).collect();
        assert_eq!(lows, expected, "{context}: matrix of u8");
    }
    let expected: i64 = pairs().map(|(i, j)| j as i64 - i as i64).sum();
    assert_eq!(steps.download()?, expected, "{context}: sum of signed integers");
    assert_eq!(weight.download()?, (rows * columns) as f32, "{context}: sum of floats");
    let found = listed.download()?.sorted()?;
    let third = pairs().filter(|(i, j)| (i + j) % 3 == 0).map(|(i, j)| [i as u32, j as u32]);
    assert_eq!(found.pairs(), third.collect::<Vec<_>>(), "{context}: list");
    let fifth = pairs().filter(|(i, j)| (i + 2 * j) % 5 == 0);
    let fifth: Vec<_> = fifth.map(|(i, j)| [i as u32, j as u32]).collect();
    let values = fifth.iter().map(|pair| pair.map(|index| index as f32)).collect();
    let expected = HostPairs::from_vecs(fifth, values)?;
    assert_eq!(valued.download()?.sorted()?, expected, "{context}: list with values");
    Ok(())
}
