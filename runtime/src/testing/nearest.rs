//! Nearest neighbours, compared with a closure over all pairs.

mod sets;

use std::cmp::Ordering;
use std::fmt::Debug;

pub use self::sets::{RankedInSets, nearest_row_sets, nearest_sets};
use super::Failure;
use super::near::is_near;
use super::results::Runs;
use super::run::{address, of_every_text};
use crate::{Device, HostNearest, Nearest, NearestValue, Result, Shape};

/// The nearest neighbours that a kernel found, for each of its variants: from [`nearest`](nearest()).
///
/// The expected closure returns the value of each pair, or `None` if the kernel pushes none. Brute force finds each element's
/// neighbours from these values.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn closest(#[each] x: &[i32], #[each] near: &mut Nearest<i32, 3>) {
///     r#" if (x.i != x.j) near.push(abs(x.i - x.j)); "#
/// }
///
/// let x: Vec<i32> = (0..50).map(|k| k * k % 41).collect();
/// let found = testing::nearest::<_, 3>(x.len(), |device, near| {
///     closest::load(device)?.launch(&device.upload(&x)?, near)
/// })?;
/// found.equals(|i, j| (x[i] != x[j]).then(|| (x[i] - x[j]).abs()))?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)`, `.within(…)` or `.compare(…)` and return its result"]
pub struct Ranked<T> {
    runs: Runs<HostNearest<T>>,
    shape: Shape,
}

impl<T: Copy + PartialOrd + Debug> Ranked<T> {
    /// Checks that each element has the K least of its values `expected(i, j)`, by value and then by index, and no others. For
    /// one set i > j, or i >= j for a kernel with the diagonal; for two sets i is the row and j the column.
    ///
    /// Every value must be exactly what the kernel computes. (16-bit floats are compared before they are rounded. If rounding
    /// makes two values equal, call [`compare`](Ranked::compare).)
    ///
    /// # Errors
    ///
    /// Some elements have other neighbours: the error has the first of these elements, its first wrong neighbour, and their
    /// number.
    pub fn equals(&self, expected: impl Fn(usize, usize) -> Option<T>) -> Result<(), Failure> {
        check(&self.runs, |element| self.others(element, &expected), unequal)
    }

    /// Checks that each element has the K least of its values, where the kernel's values differ from `expected(i, j)` by at
    /// most `tolerance` times that, or by `tolerance` if that is less than 1. Neighbours whose values differ by no more may be
    /// in either order, and either may be missing.
    ///
    /// # Errors
    ///
    /// Some elements have other neighbours: the error has the first of these elements, a wrong neighbour, and their number.
    pub fn within(
        &self,
        tolerance: f64,
        expected: impl Fn(usize, usize) -> Option<T>,
    ) -> Result<(), Failure>
    where
        T: Into<f64>,
    {
        self.compare(expected, |found, expected| is_near(found.into(), expected.into(), tolerance))
    }

    /// Checks that each element has the K least of its values, where `is_right(found, expected)` decides whether a value is
    /// accepted. It is called for each neighbour with its expected value, and for the last neighbour with the value of each
    /// omitted pair that is less.
    ///
    /// # Errors
    ///
    /// Some elements have other neighbours: the error has the first of these elements, a wrong neighbour, and their number.
    pub fn compare(
        &self,
        expected: impl Fn(usize, usize) -> Option<T>,
        is_right: impl Fn(T, T) -> bool,
    ) -> Result<(), Failure> {
        let unlike = |found: &[Other<T>], all, most| unlike(found, all, most, &is_right);
        check(&self.runs, |element| self.others(element, &expected), unlike)
    }

    /// The candidates for an element's neighbours.
    fn others(&self, element: usize, value: impl Fn(usize, usize) -> Option<T>) -> Vec<Other<T>> {
        match self.shape.column_count() {
            Some(columns) => candidates(columns, |at| value(element, at)),
            None => candidates(self.shape.row_count(), one_set(element, self.runs.diagonal, value)),
        }
    }
}

/// Finds the elements for which `difference` returns one. It gets an element's neighbours, all other elements by index, and the
/// largest number of neighbours.
fn check<T: Copy>(
    runs: &Runs<HostNearest<T>>,
    others: impl Fn(usize) -> Vec<Other<T>>,
    difference: impl Fn(&[Other<T>], Vec<Other<T>>, usize) -> Option<Difference>,
) -> Result<(), Failure> {
    for (variant, near) in &runs.results {
        let mut wrong = near.rows().filter_map(|(element, indices, values)| {
            let found = indices.iter().zip(values);
            let found: Vec<_> =
                found.map(|(index, value)| Other { index: *index, value: *value }).collect();
            let difference = difference(&found, others(element), near.k());
            difference.map(|difference| (element, difference))
        });
        if let Some((element, Difference { found, expected })) = wrong.next() {
            return Err(Failure::WrongElement {
                kernel: runs.kernel,
                variant: variant.as_str().into(),
                set: None,
                element,
                found: found.into(),
                expected: expected.into(),
                wrong: 1 + wrong.count(),
                all: near.len(),
            });
        }
    }
    Ok(())
}

/// The candidates among so many elements, by index. NaN is not a candidate.
fn candidates<T: PartialOrd>(count: usize, value: impl Fn(usize) -> Option<T>) -> Vec<Other<T>> {
    let other = |at: usize| {
        let value = value(at).filter(|value| value.partial_cmp(value).is_some())?;
        // No more elements than 32 bits count have been launched.
        Some(Other { index: at as u32, value })
    };
    (0..count).filter_map(other).collect()
}

/// The value of an element's pair with each other element of its set.
fn one_set<T>(
    element: usize,
    has_diagonal: bool,
    value: impl Fn(usize, usize) -> Option<T>,
) -> impl Fn(usize) -> Option<T> {
    move |at| match at.cmp(&element) {
        Ordering::Equal if !has_diagonal => None,
        Ordering::Greater => value(at, element),
        _ => value(element, at),
    }
}

/// The first neighbour that is not exactly the expected one.
fn unequal<T: Copy + PartialOrd + Debug>(
    found: &[Other<T>],
    mut all: Vec<Other<T>>,
    most: usize,
) -> Option<Difference> {
    all.sort_by(|a, b| order(a.value, b.value).then(a.index.cmp(&b.index)));
    all.truncate(most);
    let places = 0..found.len().max(all.len());
    let mut places = places.map(|place| (place, found.get(place), all.get(place)));
    let (place, found, expected) = places.find(|(_, found, expected)| found != expected)?;
    Some(Difference::new(found, place, or_none(expected)))
}

/// An element that is another's neighbour, or could be.
#[derive(Clone, Copy, PartialEq)]
struct Other<T> {
    index: u32,
    value: T,
}

/// An element's actual and expected neighbour at a position, as text.
struct Difference {
    found: String,
    expected: String,
}

impl Difference {
    fn new<T: Debug>(found: Option<&Other<T>>, place: usize, expected: String) -> Self {
        Difference { found: format!("{} at position {place}", or_none(found)), expected }
    }
}

fn or_none<T: Debug>(other: Option<&Other<T>>) -> String {
    match other {
        Some(Other { index, value }) => format!("index {index} with value {value:?}"),
        None => "no neighbour".to_owned(),
    }
}

/// The order of numbers.
fn order<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The first wrong neighbour of an element, whose values may differ within what `is_right` allows. `all` is sorted by index.
fn unlike<T: Copy + PartialOrd + Debug>(
    found: &[Other<T>],
    mut all: Vec<Other<T>>,
    most: usize,
    is_right: impl Fn(T, T) -> bool,
) -> Option<Difference> {
    for (place, other) in found.iter().enumerate() {
        let wrong = |expected| Some(Difference::new(Some(other), place, expected));
        let Ok(at) = all.binary_search_by_key(&other.index, |other| other.index) else {
            let twice = found[..place].iter().any(|before| before.index == other.index);
            let text = if twice { "this index only once" } else { "another index" };
            return wrong(text.to_owned());
        };
        // What remains in the end has been omitted.
        let own = all.remove(at);
        if !is_right(other.value, own.value) {
            return wrong(or_none(Some(&own)));
        }
        if let Some(before) = place.checked_sub(1).and_then(|before| found.get(before))
            && before.value > other.value
        {
            return wrong(format!("a value that is not nearer than {:?}", before.value));
        }
    }
    let least = all.iter().min_by(|a, b| order(a.value, b.value));
    let Some(last) = found.last().filter(|_| found.len() >= most) else {
        return least.map(|least| Difference::new::<T>(None, found.len(), or_none(Some(least))));
    };
    let is_nearer =
        |other: &&Other<T>| last.value > other.value && !is_right(last.value, other.value);
    let nearer = all.iter().filter(is_nearer).min_by(|a, b| order(a.value, b.value))?;
    Some(Difference::new(Some(last), found.len() - 1, or_none(Some(nearer))))
}

/// Runs a kernel that finds the nearest neighbours of each element: of n elements, or of those of `(rows, columns)` that are
/// rows, among the columns.
///
/// `run` gets a device and neighbours in its memory; it loads the kernel for that device and launches it. The given neighbours
/// are compared; such a kernel has no other outputs. For the nearest rows of columns, pass `(columns, rows)`; the closure then gets
/// the column before the row.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn closest(#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 5>) {
///     r#" near.push(hypotf(p.i.x - p.j.x, p.i.y - p.j.y)); "#
/// }
///
/// let p: Vec<[f32; 2]> = (0..60).map(|k| [(k * 7 % 60) as f32, (k * k) as f32 / 9.0]).collect();
/// testing::nearest::<_, 5>(p.len(), |device, near| {
///     closest::load(device)?.launch(&device.upload(&p)?, near)
/// })?
/// .within(1e-5, |i, j| Some((p[i][0] - p[j][0]).hypot(p[i][1] - p[j][1])))?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn nearest<T: NearestValue, const K: usize>(
    pairs: impl Into<Shape>,
    run: impl Fn(&Device, &mut Nearest<T, K>) -> Result<()>,
) -> Result<Ranked<T>, Failure> {
    let shape = pairs.into();
    let runs = of_every_text(|device| {
        let mut near: Nearest<T, K> = device.nearest(shape.row_count())?;
        run(device, &mut near)?;
        Ok((address(near.cells.view()), near.download()?))
    })?;
    Ok(Ranked { runs, shape })
}

/// Like [`nearest`](nearest()), for a kernel with `Nearest<T>` and `k` neighbours.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn closest(#[each] x: &[i32], #[each] near: &mut Nearest<i32>) {
///     r#" near.push(abs(x.i - x.j)); "#
/// }
///
/// let x: Vec<i32> = (0..50).map(|k| k * k % 41).collect();
/// for k in [1, 9] {
///     testing::nearest_k(x.len(), k, |device, near| {
///         closest::load(device)?.launch(&device.upload(&x)?, near)
///     })?
///     .equals(|i, j| Some((x[i] - x[j]).abs()))?;
/// }
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn nearest_k<T: NearestValue>(
    pairs: impl Into<Shape>,
    k: usize,
    run: impl Fn(&Device, &mut Nearest<T>) -> Result<()>,
) -> Result<Ranked<T>, Failure> {
    let shape = pairs.into();
    let runs = of_every_text(|device| {
        let mut near: Nearest<T> = device.nearest_k(shape.row_count(), k)?;
        run(device, &mut near)?;
        Ok((address(near.cells.view()), near.download()?))
    })?;
    Ok(Ranked { runs, shape })
}

#[cfg(test)]
mod tests;
