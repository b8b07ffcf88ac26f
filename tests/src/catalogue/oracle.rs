//! What a kernel must compute: a body in Rust, called for each pair in order, and for each output what it makes of the body's
//! numbers. Sums are in double precision: exact if elements are small integers, or else with a bound of a kernel's error.

use std::cmp::Ordering;
use std::mem;
use std::ops::Range;

use smallvec::{SmallVec, smallvec};

/// The numbers of a row of results, or of an element: few, in most kernels.
pub type Row = SmallVec<[f64; 4]>;

/// The sizes of what a kernel visits.
#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    /// The elements of one set.
    One(usize),
    /// The rows and columns of two sets.
    Two(usize, usize),
    /// The elements of each of many sets.
    Sets(Vec<usize>),
    /// The rows and columns of each of many rectangles.
    Rectangles(Vec<[usize; 2]>),
}

/// A pair: its set, i and j.
pub(crate) type Pair = (usize, usize, usize);

impl Sizes {
    /// The pairs, in the order of their slots.
    pub(crate) fn pairs(&self, diagonal: bool) -> Vec<Pair> {
        let triangle = |set: usize, n: usize| {
            (0..n).flat_map(move |i| (0..i + usize::from(diagonal)).map(move |j| (set, i, j)))
        };
        let rectangle = |set: usize, rows: usize, columns: usize| {
            (0..rows).flat_map(move |i| (0..columns).map(move |j| (set, i, j)))
        };
        let each = |sizes: &[usize]| sizes.iter().copied().enumerate().collect::<Vec<_>>();
        match self {
            Sizes::One(n) => triangle(0, *n).collect(),
            Sizes::Two(rows, columns) => rectangle(0, *rows, *columns).collect(),
            Sizes::Sets(sizes) => {
                each(sizes).into_iter().flat_map(|(set, n)| triangle(set, n)).collect()
            }
            Sizes::Rectangles(sizes) => {
                let sizes = sizes.iter().enumerate();
                sizes.flat_map(|(set, [rows, columns])| rectangle(set, *rows, *columns)).collect()
            }
        }
    }

    /// The number of elements of each set, of rows or of columns.
    pub(crate) fn counts(&self, is_column: bool) -> Vec<usize> {
        match self {
            Sizes::One(n) => vec![*n],
            Sizes::Two(rows, columns) => vec![if is_column { *columns } else { *rows }],
            Sizes::Sets(sizes) => sizes.clone(),
            Sizes::Rectangles(sizes) => {
                sizes.iter().map(|size| size[usize::from(is_column)]).collect()
            }
        }
    }
}

/// The first element of each set, and the number of elements.
pub(crate) fn offsets(counts: &[usize]) -> Vec<usize> {
    let mut offsets = vec![0];
    offsets.extend(counts.iter().scan(0, |before, count| {
        *before += count;
        Some(*before)
    }));
    offsets
}

/// A parameter that the body reads.
#[derive(Debug)]
pub(crate) struct Input {
    /// Its name.
    pub name: &'static str,
    /// The numbers of an element; of a scalar or a raw slice all numbers.
    pub width: usize,
    /// The numbers of all elements.
    pub numbers: Vec<f64>,
    /// The first element of each set.
    pub offsets: Vec<usize>,
}

/// A sum of terms, in any order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Total {
    sum: f64,
    /// The sum of the magnitudes.
    size: f64,
    /// The number of terms.
    terms: f64,
    /// The rounding error of one addition of the kernel's.
    unit: f64,
}

impl Total {
    /// Of no terms, in a type with this rounding error.
    pub(crate) fn new(unit: f64) -> Total {
        Total { sum: 0.0, size: 0.0, terms: 0.0, unit }
    }

    fn add(&mut self, term: f64) {
        self.sum += term;
        self.size += term.abs();
        self.terms += 1.0;
    }

    /// How far a kernel's sum may be from this one, which is rounded to doubles itself. A sum of integers is exact, if its type and
    /// doubles have all integers up to the sum of their magnitudes.
    fn error(&self, is_of_integers: bool) -> f64 {
        let is_of_integers = is_of_integers || self.unit == 0.0;
        let is_exact = is_of_integers && self.size * self.unit.max(f64::EPSILON / 2.0) <= 1.0;
        match !is_exact && self.size.is_finite() {
            true => self.terms * (self.unit + f64::EPSILON) * self.size,
            false => 0.0,
        }
    }
}

/// What an output makes of a pair's numbers.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    /// A value for each pair, in the order of pairs.
    Slots { width: usize, values: Vec<Row> },
    /// The values of a square, both of (i, j) and (j, i).
    Square { values: Vec<Row> },
    /// A total.
    Total(Total),
    /// The extreme of all pairs: its number, perhaps its set, i and j. Of equal ones the pair that comes first.
    Extreme { is_least: bool, has_set: bool, best: Option<Row> },
    /// A list: i, j and the numbers.
    List(Vec<Row>),
    /// The weight of each bin, and that outside of all.
    Bins(Vec<Total>),
    /// A sum for each element, or a state of all pairs.
    Sums { is_total: bool, rows: Vec<Vec<Total>> },
    /// The extreme of each element, by component, or with the index of the other one; of each set with
    /// that of the pair.
    Extrema { is_least: bool, has_index: bool, is_of_sets: bool, rows: Vec<Row> },
    /// The nearest of each element: a number and an index each.
    Nearest { k: usize, rows: Vec<Vec<[f64; 2]>> },
}

impl Expected {
    /// How far each number of [`take_rows`](Expected::take_rows) may be from a kernel's; nothing if it is exact.
    pub(crate) fn errors(&self, is_of_integers: bool) -> Vec<Row> {
        let error = |total: &Total| total.error(is_of_integers);
        match self {
            Expected::Total(total) => vec![smallvec![error(total)]],
            Expected::Bins(bins) => bins.iter().map(|bin| smallvec![error(bin)]).collect(),
            Expected::Sums { rows, .. } => {
                rows.iter().map(|row| row.iter().map(error).collect()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The results, as an output's rows. A list is in order.
    /// They are taken out, but for a list, whose length a launch needs.
    pub(crate) fn take_rows(&mut self) -> Vec<Row> {
        match self {
            Expected::Slots { values, .. } | Expected::Square { values, .. } => mem::take(values),
            Expected::Total(total) => vec![smallvec![total.sum]],
            Expected::Extreme { best, .. } => vec![best.take().unwrap_or_default()],
            Expected::List(pairs) => {
                pairs.sort_unstable_by(|a, b| in_order(a, b));
                pairs.clone()
            }
            Expected::Bins(bins) => bins.iter().map(|bin| smallvec![bin.sum]).collect(),
            Expected::Sums { rows, .. } => {
                rows.iter().map(|row| row.iter().map(|sum| sum.sum).collect()).collect()
            }
            Expected::Extrema { rows, .. } => mem::take(rows),
            Expected::Nearest { k, rows } => {
                rows.iter_mut().for_each(|row| keep_nearest(row, *k));
                rows.iter().map(|row| row.iter().flatten().copied().collect()).collect()
            }
        }
    }
}

/// Keeps the k nearest of a row. A second launch finds the same.
fn keep_nearest(row: &mut Vec<[f64; 2]>, k: usize) {
    row.sort_unstable_by(|a, b| a.partial_cmp(b).expect("NaN is not offered"));
    row.dedup();
    row.truncate(k);
}

/// The order of lists: by all numbers, of which NaN is the last.
pub(crate) fn in_order(a: &[f64], b: &[f64]) -> Ordering {
    let mut each = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    each.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The body's view of a pair.
pub(crate) struct Body<'a> {
    /// The row's index, in its set.
    pub i: usize,
    /// The column's index, in its set.
    pub j: usize,
    /// The set.
    pub set: usize,
    /// The number of elements of the set, or of rows.
    pub n: usize,
    /// The number of columns of the set.
    pub columns: usize,
    is_rectangle: bool,
    starts: &'a [Vec<usize>; 2],
    inputs: &'a [Input],
    outputs: &'a mut [(&'static str, Expected)],
}

impl<'a> Body<'a> {
    fn numbers(&self, name: &str, index: usize) -> &'a [f64] {
        let input = self.inputs.iter().find(|each| each.name == name);
        let Input { width, numbers, offsets, .. } = input.expect("the body's names are parameters");
        &numbers[(offsets[self.set] + index) * width..][..*width]
    }

    /// The number of a parameter at the row.
    pub(crate) fn row(&self, name: &str) -> f64 {
        self.numbers(name, self.i)[0]
    }

    /// The number of a parameter at the column.
    pub(crate) fn col(&self, name: &str) -> f64 {
        self.numbers(name, self.j)[0]
    }

    /// The numbers of a parameter at the row and at the column, as floats.
    pub(crate) fn floats<const N: usize>(&self, row: &str, column: &str) -> [[f32; N]; 2] {
        let ends = [self.numbers(row, self.i), self.numbers(column, self.j)];
        ends.map(|numbers| std::array::from_fn(|at| numbers[at] as f32))
    }

    /// The numbers of a parameter at the row.
    pub(crate) fn rows(&self, name: &str) -> Row {
        self.numbers(name, self.i).into()
    }

    /// The numbers of a parameter at the column.
    pub(crate) fn cols(&self, name: &str) -> Row {
        self.numbers(name, self.j).into()
    }

    /// The numbers of a scalar or a raw slice.
    pub(crate) fn all(&self, name: &str) -> &'a [f64] {
        let input = self.inputs.iter().find(|each| each.name == name);
        &input.expect("the body's names are parameters").numbers
    }

    /// The number of bins of a histogram.
    pub(crate) fn bins(&self, name: &str) -> usize {
        match self.outputs.iter().find(|each| each.0 == name) {
            Some((_, Expected::Bins(bins))) => bins.len() - 1,
            _ => 0,
        }
    }

    /// Gives numbers to an output of pairs, to both elements of a `Nearest`, or to the row of an output of rows or columns.
    pub(crate) fn put(&mut self, name: &str, numbers: impl IntoNumbers) {
        self.give(name, &numbers.numbers(), [true, true]);
    }

    /// Gives numbers to the row.
    pub(crate) fn put_row(&mut self, name: &str, numbers: impl IntoNumbers) {
        self.give(name, &numbers.numbers(), [true, false]);
    }

    /// Gives numbers to the column.
    pub(crate) fn put_col(&mut self, name: &str, numbers: impl IntoNumbers) {
        self.give(name, &numbers.numbers(), [false, true]);
    }

    fn give(&mut self, name: &str, numbers: &[f64], ends: [bool; 2]) {
        let (i, j, n, set) = (self.i, self.j, self.n, self.set);
        let [rows, columns] = self.starts;
        let indices = [(i, j, rows[set]), (j, i, columns[set])];
        let output = self.outputs.iter_mut().find(|each| each.0 == name);
        let output = &mut output.expect("the body's names are parameters").1;
        let is_pair_of_one = !self.is_rectangle && i == j;
        // A pair (i, i) has one element, to which it does not add the column's terms. Rows and columns of two sets have outputs of
        // their own, each with an end.
        let is_extreme = matches!(output, Expected::Extrema { .. });
        let is_dropped = is_pair_of_one && (ends[0] || !is_extreme);
        let ends = ends.into_iter().zip(indices).enumerate();
        let ends = ends.filter(|(end, (is, _))| *is && !(is_dropped && *end == 1));
        let ends: SmallVec<[_; 2]> = ends.map(|(_, (_, each))| each).collect();
        match output {
            Expected::Slots { values, .. } => {
                *values.last_mut().expect("a pair has a slot") = numbers.into();
            }
            Expected::Square { values } => {
                values[i * n + j] = numbers.into();
                values[j * n + i] = numbers.into();
            }
            Expected::Total(total) => total.add(numbers[0]),
            Expected::Extreme { is_least, has_set, best } => {
                let value = numbers[0];
                let is_better = |best: &[f64]| match *is_least {
                    true => value < best[0],
                    false => value > best[0],
                };
                let pair = &[set, i, j].map(|index| index as f64)[usize::from(!*has_set)..];
                let is_before = |best: &[f64]| value == best[0] && *pair < best[1..];
                let wins = |best: &Row| is_better(best) || is_before(best);
                if !value.is_nan() && best.as_ref().is_none_or(wins) {
                    *best = Some([value].iter().chain(pair).copied().collect());
                }
            }
            Expected::List(pairs) => {
                let mut pair: Row = smallvec![i as f64, j as f64];
                pair.extend_from_slice(numbers);
                pairs.push(pair);
            }
            Expected::Bins(bins) => {
                let (bin, weight) = (numbers[0].floor(), numbers.get(1).unwrap_or(&1.0));
                let outside = bins.len() - 1;
                let is_in = bin >= 0.0 && bin < outside as f64;
                bins[if is_in { bin as usize } else { outside }].add(*weight);
            }
            Expected::Sums { is_total, rows } => {
                // A state of all pairs is one row.
                let ends = if *is_total { smallvec![(0, 0, 0)] } else { ends };
                for (element, _, first) in ends {
                    let sums = rows[first + element].iter_mut();
                    sums.zip(numbers).for_each(|(sum, term)| sum.add(*term));
                }
            }
            Expected::Extrema { is_least, has_index, is_of_sets, rows } => {
                let ends = match *is_of_sets {
                    true if self.is_rectangle => smallvec![(set, i * self.columns + j, 0)],
                    true => smallvec![(set, i * i.saturating_sub(1) / 2 + j, 0)],
                    false => ends,
                };
                let is_better = |value: f64, best: f64| match *is_least {
                    true => value < best,
                    false => value > best,
                };
                for (element, other, first) in ends {
                    let row = &mut rows[first + element];
                    if *has_index {
                        let (value, other) = (numbers[0], other as f64);
                        let is = match row[..] {
                            [best, index] => {
                                is_better(value, best) || (value == best && other < index)
                            }
                            _ => !value.is_nan(),
                        };
                        if is {
                            *row = smallvec![value, other];
                        }
                        continue;
                    }
                    for (best, value) in row.iter_mut().zip(numbers) {
                        if is_better(*value, *best) {
                            *best = *value;
                        }
                    }
                }
            }
            Expected::Nearest { k, rows } => {
                for (element, other, first) in ends {
                    let row = &mut rows[first + element];
                    if !numbers[0].is_nan() {
                        row.push([numbers[0], other as f64]);
                    }
                    if row.len() > 2 * *k + 64 {
                        keep_nearest(row, *k);
                    }
                }
            }
        }
    }
}

/// One number, or several.
pub(crate) trait IntoNumbers {
    /// The numbers.
    fn numbers(self) -> Row;
}

impl IntoNumbers for f64 {
    fn numbers(self) -> Row {
        smallvec![self]
    }
}

impl IntoNumbers for () {
    fn numbers(self) -> Row {
        Row::new()
    }
}

impl<const N: usize> IntoNumbers for [f64; N] {
    fn numbers(self) -> Row {
        Row::from_slice(&self)
    }
}

impl IntoNumbers for Vec<f64> {
    fn numbers(self) -> Row {
        self.into()
    }
}

impl IntoNumbers for Row {
    fn numbers(self) -> Row {
        self
    }
}

/// Calls the body for each pair of these rows, or for those of a list.
pub(crate) fn visit(
    sizes: &Sizes,
    pairs: &[Pair],
    inputs: &[Input],
    outputs: &mut [(&'static str, Expected)],
    body: fn(&mut Body<'_>),
) {
    let counts = [false, true].map(|is_column| sizes.counts(is_column));
    let starts = [offsets(&counts[0]), offsets(&counts[1])];
    let is_rectangle = matches!(sizes, Sizes::Two(..) | Sizes::Rectangles(_));
    for (_, output) in outputs.iter_mut() {
        if let Expected::Slots { values, .. } = output {
            values.clear();
        }
    }
    for &(set, i, j) in pairs {
        for (_, output) in outputs.iter_mut() {
            if let Expected::Slots { width, values } = output {
                values.push(smallvec![0.0; *width]);
            }
        }
        let (n, columns) = (counts[0][set], counts[1][set]);
        body(&mut Body { i, j, set, n, columns, is_rectangle, inputs, outputs, starts: &starts });
    }
}

/// Whether a pair's row is among these.
pub(crate) fn is_in(rows: &Option<Range<usize>>, (_, i, _): &Pair) -> bool {
    rows.as_ref().is_none_or(|rows| rows.contains(i))
}
