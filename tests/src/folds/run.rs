//! Folds a type of features in every tile, in triangles and rectangles, whole and in chunks, and compares with the host's folds.

use std::fmt::Debug;
use std::ops::Range;

use td_kernel::__private::{Axis, Sweep, output};
use td_kernel::{Device, DeviceType, Features, Kernel, Result, Shape};

use super::cases::{FOLD, TYPES, item, item_of_sets, tiles};
use super::host::Host;
use crate::covering::part;
use crate::{Choice, rectangle};

/// Numbers of all sizes, the same in every run.
fn random(at: usize) -> u32 {
    let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
}

pub(super) struct Run<'a> {
    pub(super) device: &'a Device,
    pub(super) turn: Option<usize>,
    pub(super) sizes: &'a [[usize; 2]],
    pub(super) sizes_of_sets: &'a [[usize; 3]],
}

impl Run<'_> {
    /// All sizes without a turn or with the largest tile, which few types have; otherwise a third of each type's sizes, by
    /// turns.
    fn some<T: Clone>(&self, sizes: &[T], tiles: &[u32], turn: usize) -> Vec<T> {
        match self.turn.is_none() || tiles.contains(&128) {
            true => sizes.to_vec(),
            false => part(sizes, 3, turn),
        }
    }

    pub(super) fn of<T, F, G, S>(
        &self,
        name: &str,
        value: impl Fn(u32) -> T,
        host: Host<T, G, S>,
        found: impl Fn(F) -> G,
    ) -> Result<()>
    where
        T: DeviceType,
        F: DeviceType + Debug,
        S: Clone + Debug,
    {
        let at = TYPES.iter().position(|each| each[0] == name).unwrap_or_default();
        let kind = &TYPES[at];
        let all = tiles(kind);
        // Of every two types, one is tested with one set and the other with two.
        let tiles_of = |sets: usize| match self.turn {
            None => all,
            Some(turn) if (at + turn) % 2 == sets => &all[at / 2 % all.len()..][..1],
            Some(_) => &[],
        };
        let tiles = tiles_of(0);
        let triangle = |tile: u32| {
            let choice = Choice { tile, ..FOLD };
            Ok((tile, choice.load(self.device, "types", &item(kind))?))
        };
        let kernels = tiles.iter().map(|&tile| triangle(tile)).collect::<Result<Vec<_>>>()?;
        let values = |first: usize, count: usize| -> Vec<T> {
            (first..first + count).map(|at| value(random(at))).collect()
        };
        let folded = |a: &[T], b: &[T]| {
            let mut sum = host.start.clone();
            for ((a, b), k) in a.iter().zip(b).zip(0..) {
                (host.step)(&mut sum, *a, *b, k);
            }
            sum
        };
        for [n, width] in self.some(self.sizes, tiles, at / 2) {
            let p = values(n, n * width);
            let row = |i: usize| &p[i * width..][..width];
            let expected: Vec<S> = (0..n)
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .map(|(i, j)| folded(row(i), row(j)))
                .collect();
            let features = self.device.features(&p, width)?;
            for (tile, kernel) in &kernels {
                let place =
                    format!("{name}, tile {tile}, n = {n}, width {width}, {}", self.device.name());
                let whole: Vec<F> = self.packed(kernel, &features, &place)?;
                assert_eq!(whole.len(), expected.len(), "{place}");
                for (slot, (value, expected)) in whole.iter().zip(&expected).enumerate() {
                    let is_right = (host.is_right)(found(*value), expected, width);
                    assert!(is_right, "{place}: slot {slot} has {value:?}, not {expected:?}");
                }
            }
        }
        let tiles = tiles_of(1);
        let rectangle = |side: u32| {
            let choice = rectangle::Choice { sweep: Sweep::Fold, side };
            Ok((side, choice.load(self.device, "types", &item_of_sets(kind))?))
        };
        let kernels = tiles.iter().map(|&tile| rectangle(tile)).collect::<Result<Vec<_>>>()?;
        for [rows, columns, width] in self.some(self.sizes_of_sets, tiles, at / 2) {
            let (a, b) = (values(rows, rows * width), values(7, columns * width));
            let (row, column) =
                (|i: usize| &a[i * width..][..width], |j: usize| &b[j * width..][..width]);
            let features = [self.device.features(&a, width)?, self.device.features(&b, width)?];
            for (tile, kernel) in &kernels {
                let place = format!(
                    "{name}, tile {tile}, {rows} x {columns}, width {width}, {}",
                    self.device.name()
                );
                let whole: Vec<F> = self.matrix(kernel, &features, &place)?;
                assert_eq!(whole.len(), rows * columns, "{place}");
                for (slot, value) in whole.iter().enumerate() {
                    let (i, j) = (slot / columns, slot % columns);
                    let expected = folded(row(i), column(j));
                    let is_right = (host.is_right)(found(*value), &expected, width);
                    assert!(is_right, "{place}: ({i}, {j}) has {value:?}, not {expected:?}");
                }
            }
        }
        Ok(())
    }

    /// The packed values of one launch, after comparing them with those of chunks.
    fn packed<T: DeviceType, F: DeviceType + Debug>(
        &self,
        kernel: &Kernel,
        features: &Features<T>,
        place: &str,
    ) -> Result<Vec<F>> {
        let n = features.len();
        let launch = |kernel: &Kernel, slots: &mut td_kernel::Packed<F>| {
            let mut launch = kernel.launch();
            launch.bind(Axis::Each, "p", features)?;
            launch.width()?;
            launch.bind(Axis::All, "o", output(slots))?;
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }
        };
        let mut whole = self.device.packed(n)?;
        launch(kernel, &mut whole)?;
        let whole = whole.download()?.as_slice().to_vec();
        let (mut joined, mut shared) = (Vec::new(), self.device.packed(n)?);
        for rows in chunks(n) {
            let mut own = self.device.packed(Shape::triangle(n).of_rows(rows.clone()))?;
            launch(&kernel.rows(rows.clone()), &mut own)?;
            joined.extend_from_slice(own.download()?.as_slice());
            launch(&kernel.rows(rows), &mut shared)?;
        }
        assert!(bits(&joined) == bits(&whole), "{place}: slots of each chunk");
        assert!(bits(shared.download()?.as_slice()) == bits(&whole), "{place}: slots of all rows");
        Ok(whole)
    }

    /// Like `packed`, for a matrix.
    fn matrix<T: DeviceType, F: DeviceType + Debug>(
        &self,
        kernel: &Kernel,
        [a, b]: &[Features<T>; 2],
        place: &str,
    ) -> Result<Vec<F>> {
        let launch = |kernel: &Kernel, values: &mut td_kernel::Matrix<F>| {
            let mut launch = kernel.launch();
            launch.bind(Axis::Row, "a", a)?;
            launch.width()?;
            launch.bind(Axis::Column, "b", b)?;
            launch.bind(Axis::All, "o", output(values))?;
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }
        };
        let mut whole = self.device.matrix((a.len(), b.len()))?;
        launch(kernel, &mut whole)?;
        let whole = whole.download()?.as_slice().to_vec();
        let (mut joined, mut shared) = (Vec::new(), self.device.matrix((a.len(), b.len()))?);
        for rows in chunks(a.len()) {
            let mut own =
                self.device.matrix(Shape::rectangle(a.len(), b.len()).of_rows(rows.clone()))?;
            launch(&kernel.rows(rows.clone()), &mut own)?;
            joined.extend_from_slice(own.download()?.as_slice());
            launch(&kernel.rows(rows), &mut shared)?;
        }
        assert!(bits(&joined) == bits(&whole), "{place}: values of each chunk");
        assert!(bits(shared.download()?.as_slice()) == bits(&whole), "{place}: values of all rows");
        Ok(whole)
    }
}

/// All rows in three chunks, one of them of a single row.
fn chunks(rows: usize) -> [Range<usize>; 3] {
    let cut = rows / 3;
    [0..cut, cut..(cut + 1).min(rows), (cut + 1).min(rows)..rows]
}

/// The values' bytes: zeros of both signs are different.
fn bits<F: DeviceType>(values: &[F]) -> Vec<u8> {
    // SAFETY: the values are numbers and vectors of numbers, which have no padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }.to_vec()
}
