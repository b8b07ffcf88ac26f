//! Kernels with results of elements, in every sweep that has them, compared with the host's results pair by pair.

use std::ops::Range;

use td_kernel::__private::{Axis, Sweep};
use td_kernel::{Buffer, Device, Kernel, Maxima, Minima, Result, Slice, Sums};
use td_kernel_geometry::{Root, Space, map};

mod exact;
mod infinite;
mod sets;

pub use exact::{bits as exact_bits, check as check_exact};
pub use infinite::check_infinite;
pub use sets::{check_rectangle, rectangle_choices};

use crate::Choice;
use crate::covering::in_turn;
use crate::folds::{Added, pass};

/// Sums of every kind of number, and of vectors. All terms are integers, so that sums are exact in any order.
pub const SUMS: &str = r##"
unsafe fn sums(
    #[each] x: &[u32],
    #[each] degree: &mut Sums<u32>,
    #[each] moment: &mut Sums<[i64; 2]>,
    #[each] force: &mut Sums<[f32; 3]>,
    #[each] weight: &mut Sums<f64>,
    wrong: &mut Sum<u64>,
) {
    r#"
    if (x.i != i || x.j != j || i >= n) {
        wrong += 1;
        return;
    }
    degree.i += 1;
    degree.j += 1;
    moment.i += make_longlong2(j, -7);
    moment.j -= make_longlong2(i, 3);
    const float3 f = make_float3(j, i, 1);
    force.i += f;
    force.j -= f;
    if (i % 2 == 0)
        force.j.y += 4;
    weight.i += 0.5 * j;
    weight.j += 0.25 * i;
    "#
}
"##;

/// Minima and maxima, alone, as vectors and with the index of the other element. There are few different values, so that many
/// are equal, and some pairs offer nothing.
pub const EXTREMA: &str = r##"
unsafe fn extrema(
    #[each] x: &[u32],
    #[each] least: &mut Minima<i32>,
    #[each] edges: &mut Maxima<[i16; 3]>,
    #[each] last: &mut Maxima<f64>,
    #[each] nearest: &mut Minima<(f32, u32)>,
    #[each] farthest: &mut Maxima<(u8, u32)>,
    wrong: &mut Sum<u64>,
) {
    r#"
    if (x.i != i || x.j != j || i >= n) {
        wrong += 1;
        return;
    }
    const int value = (int)((i * 37 + j * 37) % 11) - 5;
    least.i.offer(value + (int)j);
    least.j.offer(value - (int)i);
    edges.offer(make_short3(value, i, -(int)j));
    last.i.offer(-0.5 * i - j);
    nearest.offer(value == 0 ? (i % 2 ? 0.0f : -0.0f) : value == 1 ? nanf("") : (float)(value * value));
    if (i % 3)
        farthest.i.offer(value + 100);
    farthest.j.offer(value + 100);
    "#
}
"##;

/// The sweeps `rotate` and `fold` in every map and tile, and the classic sweep in every map, space and block size. The map's
/// root does not matter here.
pub fn choices() -> Vec<Choice> {
    let is_one = |choice: &Choice| {
        let is_usual = choice.map == "ltm" || choice.block == 16;
        choice.root == Root::Exact && is_usual
    };
    let classic = Choice::all();
    let is_able = |each: &Choice| match each.sweep {
        // Larger tiles have no registers for results.
        Sweep::Fold => !each.square && each.tile <= 64,
        sweep => sweep == Sweep::Rotate,
    };
    let tiles = Choice::tiles().into_iter().filter(is_able);
    classic.into_iter().chain(tiles).filter(is_one).collect()
}

/// The properties of a choice and the kernel of this turn that can be wrong separately: each sweep accumulates results in its
/// own way, with the diagonal and in each tile size. The map matters only by a block's pairs.
pub fn properties((choice, turn): &(Choice, usize)) -> Vec<String> {
    let Choice { map, space, sweep, diagonal, .. } = choice;
    vec![
        format!("{map} {space:?}"),
        format!("kernel {turn} in {sweep:?} {diagonal}"),
        format!("kernel {turn} in {sweep:?} of {}", choice.side()),
    ]
}

/// The rows of each launch: all at once, and in chunks if the map has ranges.
fn cuts(n: usize, choice: &Choice) -> Vec<Vec<Range<usize>>> {
    let whole = std::iter::once(0..n).collect();
    let has_ranges = map(choice.map).is_some_and(|map| map.has_row_ranges());
    match has_ranges && choice.space == Space::Block {
        true => vec![whole, vec![0..n / 3, n / 3..n / 3, n / 3..n], vec![n / 2..n, 0..n / 2]],
        false => vec![whole],
    }
}

/// The elements of a launch, and the pairs that are visited.
struct Run<'a> {
    device: &'a Device,
    choice: &'a Choice,
    n: usize,
    x: Buffer<u32>,
}

impl Run<'_> {
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.choice.visited(self.n)
    }

    /// The values that pairs give to each element: `value(i, j)` returns the pair's value for i and for j.
    fn gathered<T: Clone>(
        &self,
        start: T,
        mut gather: impl FnMut(&mut T, (usize, usize), bool),
    ) -> Vec<T> {
        let mut of = vec![start; self.n];
        for (i, j) in self.pairs() {
            gather(&mut of[i], (i, j), true);
            gather(&mut of[j], (i, j), false);
        }
        of
    }

    /// The sums of what pairs add. A pair (i, i) adds only its term for i.
    fn added<T: Clone>(
        &self,
        start: T,
        mut add: impl FnMut(&mut T, (usize, usize), bool),
    ) -> Vec<T> {
        self.gathered(start, |sum, (i, j), is_row| {
            if is_row || i != j {
                add(sum, (i, j), is_row);
            }
        })
    }
}

/// Launches a kernel over these chunks, and compares its results.
type Compare<'a> = fn(&Run<'a>, &Kernel, &[Range<usize>]) -> Result<()>;

/// Runs both kernels, or one of them by turns, over each number of elements, in one launch and in chunks, and compares all
/// results.
pub fn check(device: &Device, choice: &Choice, turn: usize, sizes: &[usize]) -> Result<()> {
    let kernels: [(_, _, Compare<'_>); 2] =
        [("sums", SUMS, Run::check_sums), ("extrema", EXTREMA, Run::check_extrema)];
    for (name, item, compare) in in_turn(kernels, turn) {
        let kernel = choice.load(device, name, item)?;
        for &n in sizes {
            let x = device.upload(&(0..n as u32).collect::<Vec<_>>())?;
            let run = Run { device, choice, n, x };
            for chunks in cuts(n, choice) {
                compare(&run, &kernel, &chunks)?;
            }
        }
    }
    Ok(())
}

impl Run<'_> {
    fn check_sums(&self, kernel: &Kernel, chunks: &[Range<usize>]) -> Result<()> {
        let Run { device, choice, n, x } = self;
        let place = format!("{choice:?}, n = {n}, rows {chunks:?}, on {}", device.name());
        let mut degree: Sums<u32> = device.sums(*n)?;
        let mut moment: Sums<[i64; 2]> = device.sums(*n)?;
        let mut force: Sums<[f32; 3]> = device.sums(*n)?;
        let mut weight: Sums<f64> = device.sums(*n)?;
        let mut wrong = device.sum::<u64>()?;
        let added = Added::of_one(device, choice.sweep, *n)?;
        for rows in chunks {
            let kernel = if chunks.len() == 1 { kernel.clone() } else { kernel.rows(rows.clone()) };
            let mut launch = kernel.launch();
            pass!(launch, added);
            launch.bind(Axis::Each, "x", Slice::view(x))?;
            launch.bind(Axis::Each, "degree", &mut degree)?;
            launch.bind(Axis::Each, "moment", &mut moment)?;
            launch.bind(Axis::Each, "force", &mut force)?;
            launch.bind(Axis::Each, "weight", &mut weight)?;
            launch.bind(Axis::All, "wrong", &mut wrong)?;
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }?;
        }
        assert_eq!(wrong.download()?, 0, "{place}: elements of another pair");
        let degrees = self.added(0, |degree, _, _| *degree += 1);
        assert_eq!(degree.download()?, degrees, "{place}: sums of u32");
        let moments = self.added([0, 0], |moment, (i, j), is_row| {
            let term = if is_row { [j as i64, -7] } else { [-(i as i64), -3] };
            *moment = [moment[0] + term[0], moment[1] + term[1]];
        });
        assert_eq!(moment.download()?, moments, "{place}: sums of [i64; 2]");
        let forces = self.added([0.0; 3], |force: &mut [f32; 3], (i, j), is_row| {
            let sign = if is_row { 1.0 } else { -1.0 };
            let more = if i % 2 == 0 && !is_row { 4.0 } else { 0.0 };
            let term = [sign * j as f32, sign * i as f32 + more, sign];
            force.iter_mut().zip(term).for_each(|(sum, term)| *sum += term);
        });
        assert_eq!(force.download()?, forces, "{place}: sums of [f32; 3]");
        let weights = self.added(0.0, |weight, (i, j), is_row| {
            *weight += if is_row { 0.5 * j as f64 } else { 0.25 * i as f64 };
        });
        assert_eq!(weight.download()?, weights, "{place}: sums of f64");
        Ok(())
    }

    fn check_extrema(&self, kernel: &Kernel, chunks: &[Range<usize>]) -> Result<()> {
        let Run { device, choice, n, x } = self;
        let place = format!("{choice:?}, n = {n}, rows {chunks:?}, on {}", device.name());
        let mut least: Minima<i32> = device.minima(*n)?;
        let mut edges: Maxima<[i16; 3]> = device.maxima(*n)?;
        let mut last: Maxima<f64> = device.maxima(*n)?;
        let mut nearest: Minima<(f32, u32)> = device.minima(*n)?;
        let mut farthest: Maxima<(u8, u32)> = device.maxima(*n)?;
        let mut wrong = device.sum::<u64>()?;
        let added = Added::of_one(device, choice.sweep, *n)?;
        for rows in chunks {
            let kernel = if chunks.len() == 1 { kernel.clone() } else { kernel.rows(rows.clone()) };
            let mut launch = kernel.launch();
            pass!(launch, added);
            launch.bind(Axis::Each, "x", Slice::view(x))?;
            launch.bind(Axis::Each, "least", &mut least)?;
            launch.bind(Axis::Each, "edges", &mut edges)?;
            launch.bind(Axis::Each, "last", &mut last)?;
            launch.bind(Axis::Each, "nearest", &mut nearest)?;
            launch.bind(Axis::Each, "farthest", &mut farthest)?;
            launch.bind(Axis::All, "wrong", &mut wrong)?;
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }?;
        }
        assert_eq!(wrong.download()?, 0, "{place}: elements of another pair");
        let value = |(i, j): (usize, usize)| ((i * 37 + j * 37) % 11) as i32 - 5;
        let leasts = self.gathered(i32::MAX, |least, (i, j), is_row| {
            let offered = value((i, j)) + if is_row { j as i32 } else { -(i as i32) };
            *least = offered.min(*least);
        });
        assert_eq!(least.download()?, leasts, "{place}: least i32");
        let all = self.gathered([i16::MIN; 3], |edges, (i, j), _| {
            let offered = [value((i, j)) as i16, i as i16, -(j as i16)];
            edges.iter_mut().zip(offered).for_each(|(edge, offered)| *edge = offered.max(*edge));
        });
        assert_eq!(edges.download()?, all, "{place}: greatest [i16; 3]");
        let lasts = self.gathered(f64::NEG_INFINITY, |last, (i, j), is_row| {
            if is_row {
                *last = last.max(-0.5 * i as f64 - j as f64);
            }
        });
        assert_eq!(last.download()?, lasts, "{place}: greatest f64");
        let nearests = self.gathered(None, |nearest: &mut Option<(f32, u32)>, (i, j), is_row| {
            let (value, other) = (value((i, j)), if is_row { j } else { i } as u32);
            let offered = ((value * value) as f32, other);
            // 1 means NaN.
            if value != 1 && nearest.is_none_or(|nearest| offered < nearest) {
                *nearest = Some(offered);
            }
        });
        assert_eq!(nearest.download()?, nearests, "{place}: least f32 with its partner");
        let farthests = self.gathered(None, |far: &mut Option<(u8, u32)>, (i, j), is_row| {
            let (value, other) = ((value((i, j)) + 100) as u8, if is_row { j } else { i } as u32);
            let is_offered = !is_row || i % 3 != 0;
            let is_better = |far: (u8, u32)| value > far.0 || (value == far.0 && other < far.1);
            if is_offered && far.is_none_or(is_better) {
                *far = Some((value, other));
            }
        });
        assert_eq!(farthest.download()?, farthests, "{place}: greatest u8 with its partner");
        Ok(())
    }
}
