//! Chunks of many elements, compared on the device, because the host would take too long.

use std::ops::Range;
use td_kernel::__private::{Axis, output};

use td_kernel::{Buffer, Device, Kernel, Packed, Result, Shape, Slice, SliceMut, td_kernel};

use crate::folds::{Added, pass};
use crate::{Choice, Sweep};

/// Marks each pair with a bit in the triangle with its diagonal, and stores a value that is a sum of several products.
const ITEM: &str = r##"
unsafe fn large(
    #[each] p: &[[f32; 4]],
    bits: &mut [u32],
    PARAMETERS
    visited: &mut Sum<u64>,
    again: &mut Sum<u64>,
) {
    r#"
    const unsigned long long cell = (unsigned long long)i * (i + 1) / 2 + j;
    const unsigned int bit = 1u << (cell % 32);
    if (atomicOr(&bits[cell / 32], bit) & bit)
        again += 1;
    visited += 1;
    BODY
    "#
}
"##;

/// Compares slots of one launch with slots of chunks, bit for bit, one thread for each pair.
#[td_kernel(map = "bb", tile = 0, diagonal = true)]
unsafe fn differences(
    strict: u32,
    first_slot: u64,
    all: &[f32],
    chunk: &[f32],
    different: &mut Sum<u64>,
) {
    r#"
    if (i == j && strict)
        return;
    const unsigned long long slot = (unsigned long long)i * (strict ? i - 1 : i + 1) / 2 + j;
    // All elements differ, so every value is above zero.
    if (__float_as_uint(all[slot]) != __float_as_uint(chunk[slot - first_slot]) || (i != j && !(all[slot] > 0)))
        different += 1;
    "#
}

/// Random cuts of 0..n into chunks, the same for the same seed.
pub fn random_cuts(n: usize, count: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move || {
        // Knuth's MMIX generator; only its high bits are random enough.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let cut = |_| {
        let mut cut = vec![0, n];
        let chunks = 2 + random() % 6;
        cut.extend((1..chunks).map(|_| random() % (n + 1)));
        cut.sort_unstable();
        cut
    };
    (0..count).map(cut).collect()
}

/// Launches a kernel with this choice over chunks of `cuts`, and compares its visits and values with those of one launch.
pub fn check_large(device: &Device, choice: &Choice, n: usize, cuts: &[Vec<usize>]) -> Result<()> {
    let has_slots = choice.sweep != Sweep::Columns;
    let [parameters, body] = match has_slots {
        true => ["distance: &mut Packed<f32>,", DISTANCE],
        false => ["", ""],
    };
    let item = ITEM.replace("PARAMETERS", parameters).replace("BODY", body);
    let kernel = choice.load(device, "large", &item)?;
    let run = Run { device, choice, n, p: device.upload(&super::points(n))? };
    let mut all = run.slots()?;
    run.launch(&kernel, std::slice::from_ref(&(0..n)), all.as_mut(), None)?;
    for cut in cuts {
        let chunks: Vec<_> = cut.windows(2).map(|ends| ends[0]..ends[1]).collect();
        let place = || format!("{choice:?}, n = {n}, chunks {chunks:?}, on {}", device.name());
        let mut shared = run.slots()?;
        run.launch(&kernel, &chunks, shared.as_mut(), all.as_ref())?;
        if let (Some(all), Some(shared)) = (&all, &shared) {
            let check = differences::load(device)?;
            let mut different = device.sum()?;
            check.launch(n, u32::from(!choice.diagonal), 0, all, shared, &mut different)?;
            assert_eq!(different.download()?, 0, "{}: slots of all rows", place());
        }
    }
    Ok(())
}

const DISTANCE: &str = "
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);";

/// The elements of a choice.
struct Run<'a> {
    device: &'a Device,
    choice: &'a Choice,
    n: usize,
    p: Buffer<[f32; 4]>,
}

impl Run<'_> {
    /// Slots of all pairs, for a kernel that has some.
    fn slots(&self) -> Result<Option<Packed<f32>>> {
        let make = || match self.choice.diagonal {
            true => self.device.packed(Shape::triangle(self.n).with_diagonal()),
            false => self.device.packed(self.n),
        };
        (self.choice.sweep != Sweep::Columns).then(make).transpose()
    }

    /// Launches the kernel for each chunk into `slots`. If there are slots to compare with, it also launches into slots of the
    /// chunk. Compares the visits.
    fn launch(
        &self,
        kernel: &Kernel,
        chunks: &[Range<usize>],
        mut slots: Option<&mut Packed<f32>>,
        all: Option<&Packed<f32>>,
    ) -> Result<()> {
        let (device, n) = (self.device, self.n);
        let place = |rows: &Range<usize>| format!("{:?}, n = {n}, rows {rows:?}", self.choice);
        let mut bits = device.zeroed::<u32>((n * (n + 1) / 2).div_ceil(32))?;
        let (mut visited, mut again) = (device.sum::<u64>()?, device.sum::<u64>()?);
        for rows in chunks {
            let kernel = if chunks.len() == 1 { kernel.clone() } else { kernel.rows(rows.clone()) };
            let added = Added::of_one(device, self.choice.sweep, n)?;
            let mut launch = kernel.launch();
            pass!(launch, added);
            launch.bind(Axis::Each, "p", Slice::view(&self.p))?;
            launch.bind(Axis::All, "bits", SliceMut::view_mut(&mut bits))?;
            if let Some(slots) = slots.as_deref_mut() {
                launch.bind(Axis::All, "distance", output(slots))?;
            }
            launch.bind(Axis::All, "visited", &mut visited)?;
            launch.bind(Axis::All, "again", &mut again)?;
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }?;
            let Some(all) = all else { continue };
            let different = self.own(&kernel, rows, all)?;
            assert_eq!(different, 0, "{}: slots of the chunk's own", place(rows));
        }
        // Each pair was visited if there are as many different visits as pairs.
        let pairs = self.choice.pairs(n) as u64;
        let counts = (visited.download()?, again.download()?);
        assert_eq!(counts, (pairs, 0), "{}: visits, and second ones", place(&(0..n)));
        Ok(())
    }

    /// The number of the chunk's slots that differ from those of one launch.
    fn own(&self, kernel: &Kernel, rows: &Range<usize>, all: &Packed<f32>) -> Result<u64> {
        let (device, n) = (self.device, self.n);
        let mut chunk: Packed<f32> = match self.choice.diagonal {
            true => device.packed(Shape::triangle(n).with_diagonal().of_rows(rows.clone()))?,
            false => device.packed(Shape::triangle(n).of_rows(rows.clone()))?,
        };
        let mut bits = device.zeroed::<u32>((n * (n + 1) / 2).div_ceil(32))?;
        let (mut visited, mut again) = (device.sum::<u64>()?, device.sum::<u64>()?);
        let added = Added::of_one(device, self.choice.sweep, n)?;
        let mut launch = kernel.launch();
        pass!(launch, added);
        launch.bind(Axis::Each, "p", Slice::view(&self.p))?;
        launch.bind(Axis::All, "bits", SliceMut::view_mut(&mut bits))?;
        launch.bind(Axis::All, "distance", output(&mut chunk))?;
        launch.bind(Axis::All, "visited", &mut visited)?;
        launch.bind(Axis::All, "again", &mut again)?;
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { launch.run() }?;
        assert_eq!(visited.download()?, chunk.len() as u64, "{:?}, rows {rows:?}", self.choice);
        // The number of slots before the chunk.
        let before = self.choice.pairs(rows.start) as u64;
        let (check, mut different) = (differences::load(device)?.rows(rows.clone()), device.sum()?);
        let strict = u32::from(!self.choice.diagonal);
        check.launch(n, strict, before, all, &chunk, &mut different)?;
        different.download()
    }
}
