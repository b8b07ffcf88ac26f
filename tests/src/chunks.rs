//! Launches over ranges of rows: each visits its own pairs once, and together they give the same results as one launch.

mod large;
mod slots;

use std::ops::Range;
use td_kernel::__private::Axis;

use td_kernel::{Buffer, Device, Kernel, Pairs, Result, Slice, SliceMut};
use td_kernel_geometry::{Space, map};

pub use self::large::{check_large, random_cuts};
use self::slots::{CASES, Case, Slots, pass};
use crate::covering::{covering, part, with_turns};
use crate::folds::{Added, pass as pass_features};
use crate::{Choice, Sweep};

/// The kernel, with the slots of a case. It counts a visit of (i, j) in a cell of the triangle with the diagonal, and counts
/// wrong elements in `wrong`.
const ITEM: &str = r##"
unsafe fn chunks(
    #[each] p: &[[f32; 4]],
    #[each] x: &[u32],
    visits: &mut [u32],
    PARAMETERS
    wrong: &mut Sum<u64>,
    count: &mut Sum<u64>,
    weight: &mut Sum<f32>,
    listed: &mut Pairs,
    valued: &mut Pairs<u64>,
) {
    r#"
    if (x.i != i || x.j != j || i >= n) {
        wrong += 1;
        return;
    }
    atomicAdd(&visits[(unsigned long long)i * (i + 1) / 2 + j], 1);
    count += 1;
    weight += 0.1f * (i % 5) - 0.3f * (j % 2);
    if ((i + j) % 3 == 0)
        listed.push();
    if ((i + 2 * j) % 5 == 0)
        valued.push((unsigned long long)i << 32 | j);
    BODY
    "#
}
"##;

/// Every choice whose chunks are compared here: those with a source for ranges of rows, except the sweep `rotate`, whose results
/// of elements are compared over chunks in `results.rs`.
pub fn choices() -> Vec<Choice> {
    able().into_iter().filter(|choice| choice.sweep != Sweep::Rotate).collect()
}

/// Every choice with a source for ranges of rows.
pub fn able() -> Vec<Choice> {
    let mut choices: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    choices.retain(|choice| {
        let is_able = map(choice.map).is_some_and(|map| map.has_row_ranges());
        is_able && choice.space == Space::Block && !choice.square
    });
    choices
}

/// A few of [`choices`], each with a turn, that cover every property: each sweep with all slots, and each map, sweep and tile
/// size with both halves of the sizes.
pub fn few() -> Vec<(Choice, usize)> {
    covering(&with_turns_of_all(), properties)
}

/// Each of [`choices`] with each turn.
pub fn with_turns_of_all() -> Vec<(Choice, usize)> {
    with_turns(&choices(), 0..2 * CASES.len())
}

/// The properties of a choice and its turn that are tested separately.
pub fn properties((choice, turn): &(Choice, usize)) -> Vec<String> {
    let mut properties = choice.properties_with(&format!("half {}", turn % 2));
    properties.push(format!("slots {} in {:?}", turn % CASES.len(), choice.sweep));
    properties
}

/// The sizes for a choice: zero, one, primes, and around the ends of its tiles.
pub fn sizes(choice: &Choice) -> Vec<usize> {
    let side = choice.side() as usize;
    let prime = if side > 32 { 257 } else { 67 };
    let mut sizes = vec![0, 1, 2, 3, 31, side - 1, side, side + 1, 2 * side + 1, prime];
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Divisions of 0..n into chunks, as the first rows of chunks: all rows, single rows, cuts within tiles and between tiles, empty
/// chunks, and the first and the last row.
pub fn cuts(n: usize, side: usize) -> Vec<Vec<usize>> {
    let singles = |rows: Range<usize>| (rows.start..=rows.end).collect::<Vec<_>>();
    let middle = n / side * side;
    let mut cuts = vec![
        vec![0, side / 2, side + side / 3, n],
        vec![0, side, 2 * side, n],
        vec![0, 0, n / 3, n / 3, n / 3, n, n],
        vec![0, 1, n.saturating_sub(1), n],
        [vec![0], singles(side - 1..side + 2), vec![n]].concat(),
        [vec![0], singles(middle.saturating_sub(1)..n.min(middle + 2)), vec![n]].concat(),
        vec![0, 5, n / 2, n / 2 + 1, n],
        vec![0, n],
    ];
    if n < 40 {
        cuts[0] = singles(0..n);
    }
    for cut in &mut cuts {
        // Rows past the end are moved to the end, where they make empty chunks.
        cut.iter_mut().for_each(|row| *row = n.min(*row));
        cut.sort_unstable();
    }
    cuts
}

/// Launches kernels with this choice over chunks of several cuts, and compares all results. `turn` selects the slots, the first
/// cut and, without the feature `every`, half of the sizes; each size is tested with at most `most` cuts.
pub fn check(device: &Device, choice: &Choice, turn: usize, most: usize) -> Result<()> {
    let case = &CASES[turn % CASES.len()];
    let has_slots = choice.sweep != Sweep::Columns;
    let [parameters, body] = if has_slots { [case.parameters, case.body] } else { ["", ""] };
    let item = ITEM.replace("PARAMETERS", parameters).replace("BODY", body);
    let kernel = choice.load_with(device, "chunks", &item, case.before)?;
    for (at, n) in part(&sizes(choice), 2, turn).into_iter().enumerate() {
        let elements = Elements::new(device, choice, case, n)?;
        let all = elements.launch(&kernel, &(0..n), elements.slots(None)?)?;
        elements.compare_with_host(&all)?;
        let cuts = cuts(n, choice.side() as usize);
        for cut in cuts.iter().cycle().skip(turn + at).take(most.min(cuts.len())) {
            elements.check(&kernel, cut, &all)?;
        }
    }
    Ok(())
}

/// The elements of the pairs.
struct Elements<'a> {
    device: &'a Device,
    choice: &'a Choice,
    case: &'a Case,
    n: usize,
    host: Vec<[f32; 4]>,
    p: Buffer<[f32; 4]>,
    x: Buffer<u32>,
}

impl<'a> Elements<'a> {
    fn new(device: &'a Device, choice: &'a Choice, case: &'a Case, n: usize) -> Result<Self> {
        let host = points(n);
        let numbers: Vec<u32> = (0..n as u32).collect();
        let (p, x) = (device.upload(&host)?, device.upload(&numbers)?);
        Ok(Elements { device, choice, case, n, host, p, x })
    }

    /// The case's slots, for these rows or for all.
    fn slots(&self, rows: Option<&Range<usize>>) -> Result<Vec<Slots>> {
        if self.choice.sweep == Sweep::Columns {
            return Ok(Vec::new());
        }
        let make = |make: &slots::Make| make(self.device, self.n, rows, self.choice.diagonal);
        self.case.slots.iter().map(make).collect()
    }

    /// Launches the kernel for `rows`, and checks its visits; returns its slots.
    fn launch(
        &self,
        kernel: &Kernel,
        rows: &Range<usize>,
        mut slots: Vec<Slots>,
    ) -> Result<Vec<Slots>> {
        let (device, n) = (self.device, self.n);
        let context = || format!("{:?}, n = {n}, rows {rows:?}, on {}", self.choice, device.name());
        let all = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let is_visited =
            |&(i, j): &(usize, usize)| rows.contains(&i) && (j < i || self.choice.diagonal);
        let pairs: Vec<_> = all.clone().filter(is_visited).collect();
        let mut visits = device.zeroed::<u32>(n * (n + 1) / 2)?;
        let (mut wrong, mut count) = (device.sum::<u64>()?, device.sum::<u64>()?);
        let mut weight = device.sum::<f32>()?;
        let mut listed: Pairs = device.pairs(pairs.len())?;
        let mut valued = device.pairs::<u64>(pairs.len())?;
        let added = Added::of_one(device, self.choice.sweep, n)?;
        let mut launch = kernel.launch();
        pass_features!(launch, added);
        launch.bind(Axis::Each, "p", Slice::view(&self.p))?;
        launch.bind(Axis::Each, "x", Slice::view(&self.x))?;
        launch.bind(Axis::All, "visits", SliceMut::view_mut(&mut visits))?;
        for slots in &mut slots {
            pass!(launch, slots);
        }
        launch.bind(Axis::All, "wrong", &mut wrong)?;
        launch.bind(Axis::All, "count", &mut count)?;
        launch.bind(Axis::All, "weight", &mut weight)?;
        launch.bind(Axis::All, "listed", &mut listed)?;
        launch.bind(Axis::All, "valued", &mut valued)?;
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { launch.run() }?;
        assert_eq!(wrong.download()?, 0, "{}: elements of another pair", context());
        for (visits, pair) in visits.download()?.into_iter().zip(all) {
            assert_eq!(visits, u32::from(is_visited(&pair)), "{}: visits of {pair:?}", context());
        }
        assert_eq!(count.download()?, pairs.len() as u64, "{}: count", context());
        let terms = pairs.iter().map(|&(i, j)| {
            f64::from(0.1_f32 * (i % 5) as f32) - f64::from(0.3_f32 * (j % 2) as f32)
        });
        let sum: f64 = terms.clone().sum();
        let size: f64 = terms.map(f64::abs).sum();
        let error = (f64::from(weight.download()?) - sum).abs();
        // The terms are rounded too, or their products fused.
        let most = 1e-6 * size + 1e-7 * pairs.len() as f64;
        assert!(error <= most, "{}: a sum of floats is off by {error}", context());
        let list = listed.download()?.sorted()?;
        let third = pairs.iter().filter(|(i, j)| (i + j) % 3 == 0);
        let third: Vec<_> = third.map(|&(i, j)| [i as u32, j as u32]).collect();
        assert_eq!(list.pairs(), third, "{}: list", context());
        let fifth = pairs.iter().filter(|(i, j)| (i + 2 * j) % 5 == 0);
        let keys: Vec<u64> = fifth.map(|&(i, j)| (i as u64) << 32 | j as u64).collect();
        let list = valued.download()?.sorted()?;
        let found = list.iter().map(|([i, j], _)| u64::from(i) << 32 | u64::from(j));
        assert_eq!(found.collect::<Vec<_>>(), keys, "{}: list with values", context());
        assert_eq!(list.values(), keys, "{}: values of a list", context());
        Ok(slots)
    }

    /// Launches the kernel for each chunk of the cut, into slots of the chunk and into slots of all rows, and compares both with
    /// the slots of one launch.
    fn check(&self, kernel: &Kernel, cut: &[usize], all: &[Slots]) -> Result<()> {
        let mut joined = vec![Vec::new(); all.len()];
        let mut shared = self.slots(None)?;
        for rows in cut.windows(2).map(|ends| ends[0]..ends[1]) {
            let kernel = kernel.rows(rows.clone());
            let chunk = self.launch(&kernel, &rows, self.slots(Some(&rows))?)?;
            for (joined, chunk) in joined.iter_mut().zip(&chunk) {
                joined.extend(chunk.bits()?);
            }
            if !shared.is_empty() {
                shared = self.launch(&kernel, &rows, shared)?;
            }
        }
        for ((all, joined), shared) in all.iter().zip(&joined).zip(&shared) {
            let (all, shared) = (all.bits()?, shared.bits()?);
            for (what, found) in [("slots of each chunk", joined), ("slots of all rows", &shared)] {
                assert_eq!(found.len(), all.len(), "{:?}, {cut:?}: {what}", self.choice);
                let wrong = (0..all.len()).find(|slot| found[*slot] != all[*slot]);
                let name = self.device.name();
                assert_eq!(
                    wrong, None,
                    "{:?}, {cut:?}, on {name}: the first wrong of the {what}",
                    self.choice
                );
            }
        }
        Ok(())
    }

    /// Compares the slots of one launch with the host's values, so that the comparisons above are not of zeros.
    fn compare_with_host(&self, slots: &[Slots]) -> Result<()> {
        for slots in slots {
            let bits = slots.bits()?;
            assert_eq!(bits.len(), self.choice.pairs(self.n));
            for (found, (i, j)) in bits.iter().zip(self.choice.visited(self.n)) {
                let distance = distance(self.host[i], self.host[j]);
                let context = (self.choice, self.n, i, j);
                assert!(
                    slots::is_of_pair(found, i, j, distance),
                    "{context:?}: {found:x?} and {distance}"
                );
            }
        }
        Ok(())
    }
}

/// Points with coordinates whose products are rounded.
pub fn points(n: usize) -> Vec<[f32; 4]> {
    let of = |k: usize| {
        [k as f32 * 0.37, (k % 11) as f32 * 1.3, (k % 5) as f32 * -2.7, 1.0 / (k + 1) as f32]
    };
    (0..n).map(of).collect()
}

/// Their distance, in double precision.
fn distance(a: [f32; 4], b: [f32; 4]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2));
    squares.sum::<f64>().sqrt()
}
