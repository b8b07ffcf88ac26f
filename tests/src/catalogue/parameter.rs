//! The parameters of kernels: how an argument is made, passed and read, and what an output has to be.

use std::any::Any;

use smallvec::smallvec;
use td_kernel::half::{bf16, f16};
use td_kernel::{
    ArraySums, Arrays, Buffer, ExtremeValue, FeatureSets, Features, Histogram, HistogramValue,
    Matrix, MatrixSets, Max, Maxima, Min, Minima, Nearest, NearestValue, Packed, PackedSets, Pairs,
    PartialResult, Reduce, Result, Sets, Shape, Slots, Square, Sum, SumElement, SumScalar, Sums,
};

use super::oracle::{Expected, Input, Row, Sizes, Total, in_order, offsets};
use super::value::{Offered, Value};
use super::{Run, random};

/// Which elements a parameter is for: the marker in the signature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Axis {
    /// `#[each]` and `#[row]`.
    Row,
    /// `#[column]`.
    Column,
    /// `#[set]`.
    Set,
    /// None.
    All,
}

impl Axis {
    /// The axis of a marker.
    pub(crate) fn new(marker: &str) -> Axis {
        match marker {
            "column" => Axis::Column,
            "set" => Axis::Set,
            "" => Axis::All,
            _ => Axis::Row,
        }
    }
}

/// A parameter of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its name.
    pub name: &'static str,
    /// Its elements.
    pub axis: Axis,
    /// The expected values, for capacities.
    pub expected: Option<&'a Expected>,
}

impl<'a> Place<'a> {
    /// The parameter with this name and this marker.
    pub(crate) fn new(run: &'a Run, name: &'static str, marker: &str) -> Place<'a> {
        Place { run, name, axis: Axis::new(marker), expected: None }
    }

    /// Makes its argument.
    pub(crate) fn make<P: Parameter>(
        self,
        inputs: &[Input],
        expected: &'a [(&'static str, Expected)],
    ) -> Result<P::Held> {
        let expected = expected.iter().find(|each| each.0 == self.name).map(|each| &each.1);
        let input = inputs.iter().find(|each| each.name == self.name);
        P::make(&Place { expected, ..self }, input)
    }

    /// The number of elements of each set.
    fn counts(&self) -> Vec<usize> {
        match self.axis {
            Axis::All => vec![1],
            Axis::Set => vec![1; self.run.sizes.counts(false).len()],
            _ => self.run.sizes.counts(self.axis == Axis::Column),
        }
    }

    fn count(&self) -> usize {
        self.counts().iter().sum()
    }

    /// The number of elements of all sets, or of rows.
    fn elements(&self) -> usize {
        self.run.sizes.counts(false).iter().sum()
    }

    /// The one of these that the run's seed chooses.
    fn of_seed<const N: usize>(&self, all: [usize; N]) -> usize {
        all[self.run.seed as usize % N]
    }

    /// An input with this many numbers for each element, as its type holds them.
    fn input<T: Value>(&self, width: usize) -> Input {
        let Place { run, name, .. } = *self;
        let numbers = random::numbers(run.numbers, run.seed, name, self.count() * width);
        let values = numbers.chunks_exact(T::WIDTH).map(T::from_numbers);
        let numbers = values.flat_map(T::numbers).collect();
        Input { name, width, numbers, offsets: offsets(&self.counts()) }
    }
}

/// A parameter's type in a signature.
pub(crate) trait Parameter {
    /// What a run holds.
    type Held;
    /// What a launch takes.
    type Argument<'a>;

    /// The numbers of an input.
    fn input(_: &Place<'_>) -> Option<Input> {
        None
    }

    /// What an output has to be before the first pair.
    fn expected(_: &Place<'_>) -> Option<Expected> {
        None
    }

    /// Makes the argument, of an input with these numbers.
    fn make(place: &Place<'_>, input: Option<&Input>) -> Result<Self::Held>;

    /// Passes it.
    fn argument(held: &mut Self::Held) -> Self::Argument<'_>;

    /// The rows of an output, of which each process has a part.
    fn read(_: &[Self::Held]) -> Result<Option<Vec<Row>>> {
        Ok(None)
    }
}

fn values<T: Value>(input: Option<&Input>) -> Vec<T> {
    let numbers = input.map_or(&[][..], |input| &input.numbers);
    numbers.chunks_exact(T::WIDTH).map(T::from_numbers).collect()
}

/// The numbers of a raw slice.
const RAW: usize = 7;

impl<T: Value> Parameter for &[T] {
    type Held = Buffer<T>;
    type Argument<'a> = &'a Buffer<T>;

    fn input(place: &Place<'_>) -> Option<Input> {
        let count = if place.axis == Axis::All { RAW } else { 1 };
        Some(place.input::<T>(T::WIDTH * count))
    }

    fn make(place: &Place<'_>, input: Option<&Input>) -> Result<Buffer<T>> {
        place.run.target.upload(&values(input))
    }

    fn argument(held: &mut Buffer<T>) -> &Buffer<T> {
        held
    }
}

macro_rules! scalars {
    ($($number:ident)*) => {$(
        impl Parameter for $number {
            type Held = $number;
            type Argument<'a> = $number;

            fn input(place: &Place<'_>) -> Option<Input> {
                Some(place.input::<$number>(1))
            }

            fn make(_: &Place<'_>, input: Option<&Input>) -> Result<$number> {
                Ok(values(input)[0])
            }

            fn argument(held: &mut $number) -> $number {
                *held
            }
        }
    )*};
}

scalars!(f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64);

/// The features of an element, by the seed: less than a word, a word and one more, and those at the ends of parts.
const FEATURES: [usize; 10] = [19, 3, 200, 130, 33, 70, 100, 65, 17, 5];

/// The numbers of an array whose width a launch gives, less than a block of them, and several blocks and a part.
const ARRAYS: [usize; 4] = [21, 1, 36, 16];

/// The neighbours whose number a launch gives.
const NEIGHBOURS: [usize; 7] = [20, 1, 8, 9, 33, 100, 256];

/// Inputs that are passed by reference: the numbers of an element, and how they are made of all values.
macro_rules! inputs {
    ($($name:ident, [$($bound:tt)*], $width:expr, $make:expr;)*) => {$(
        impl<T: $($bound)*> Parameter for &$name<T> {
            type Held = $name<T>;
            type Argument<'a> = &'a $name<T>;

            fn input(place: &Place<'_>) -> Option<Input> {
                let width: fn(&Place<'_>) -> usize = $width;
                Some(place.input::<T>(T::WIDTH * width(place)))
            }

            fn make(place: &Place<'_>, input: Option<&Input>) -> Result<$name<T>> {
                let make: fn(&Place<'_>, &[T]) -> Result<$name<T>> = $make;
                make(place, &values(input))
            }

            fn argument(held: &mut $name<T>) -> &$name<T> {
                held
            }
        }
    )*};
}

inputs! {
    Features, [Value], |place| place.of_seed(FEATURES), |place, values| {
        place.run.target.features(values, place.of_seed(FEATURES))
    };
    Arrays, [Value + SumScalar], |place| place.of_seed(ARRAYS), |place, values| {
        place.run.target.arrays(values, place.of_seed(ARRAYS))
    };
    Sets, [Value], |_| 1, |place, values| {
        let offsets = offsets(&place.counts());
        match place.run.large {
            Some(large) => place.run.target.sets_with_large(values, &offsets, large),
            None => place.run.target.sets(values, &offsets),
        }
    };
    FeatureSets, [Value], |place| place.of_seed(FEATURES), |place, values| {
        place.run.target.feature_sets(values, place.of_seed(FEATURES), &offsets(&place.counts()))
    };
}

/// A raw slice, to whose numbers pairs add: the oracle's numbers are an index and a term.
impl<T: Value> Parameter for &mut [T] {
    type Held = Buffer<T>;
    type Argument<'a> = &'a mut Buffer<T>;

    fn expected(_: &Place<'_>) -> Option<Expected> {
        Some(Expected::Bins(vec![Total::new(T::UNIT); RAW]))
    }

    fn make(place: &Place<'_>, _: Option<&Input>) -> Result<Buffer<T>> {
        place.run.target.zeroed(RAW)
    }

    fn argument(held: &mut Buffer<T>) -> &mut Buffer<T> {
        held
    }

    fn read(held: &[Buffer<T>]) -> Result<Option<Vec<Row>>> {
        Ok(rows(&held[0].download()?))
    }
}

/// The rows of values.
fn rows<T: Value>(values: &[T]) -> Option<Vec<Row>> {
    Some(values.iter().map(|value| value.numbers()).collect())
}

/// The slots of one launch, of all sets, or of given pairs.
pub(crate) enum Slotted<A, B, T> {
    /// Of one set, or two.
    One(A),
    /// Of many.
    Many(B),
    /// Of given pairs.
    Listed(Buffer<T>),
}

macro_rules! slotted {
    ($kind:ident, $sets:ident, $one:expr, $many:expr) => {
        impl<T: Value> Parameter for &mut $kind<T> {
            type Held = Slotted<$kind<T>, $sets<T>, T>;
            type Argument<'a> = &'a mut dyn Slots<$kind<T>>;

            fn expected(_: &Place<'_>) -> Option<Expected> {
                Some(Expected::Slots { width: T::WIDTH, values: Vec::new() })
            }

            fn make(place: &Place<'_>, _: Option<&Input>) -> Result<Self::Held> {
                let (one, many): (fn(&Place<'_>) -> _, fn(&Place<'_>) -> _) = ($one, $many);
                Ok(match (&place.run.list, &place.run.sizes) {
                    (Some(list), _) => Slotted::Listed(place.run.target.zeroed(list.len())?),
                    (_, Sizes::One(_) | Sizes::Two(..)) => Slotted::One(one(place)?),
                    _ => Slotted::Many(many(place)?),
                })
            }

            fn argument(held: &mut Self::Held) -> &mut dyn Slots<$kind<T>> {
                match held {
                    Slotted::One(values) => values,
                    Slotted::Many(values) => values,
                    Slotted::Listed(values) => values,
                }
            }

            fn read(held: &[Self::Held]) -> Result<Option<Vec<Row>>> {
                Ok(match &held[0] {
                    Slotted::One(values) => rows(values.download()?.as_slice()),
                    Slotted::Many(values) => rows(values.download()?.as_slice()),
                    Slotted::Listed(values) => rows(&values.download()?),
                })
            }
        }
    };
}

fn shape(place: &Place<'_>) -> Shape {
    let Run { sizes, rows, diagonal, .. } = place.run;
    let shape = match *sizes {
        Sizes::Two(rows, columns) => Shape::rectangle(rows, columns),
        _ if *diagonal => Shape::triangle(place.elements()).with_diagonal(),
        _ => Shape::triangle(place.elements()),
    };
    match rows {
        Some(rows) => shape.of_rows(rows.clone()),
        None => shape,
    }
}

slotted!(Packed, PackedSets, |place| place.run.device.packed(shape(place)), |place| {
    let offsets = offsets(&place.run.sizes.counts(false));
    let (target, values) = (&place.run.target, vec![0_u8; place.elements()]);
    match place.run.has_features {
        true => target.packed_sets(&target.feature_sets(&values, 1, &offsets)?),
        false => target.packed_sets(&target.sets(&values, &offsets)?),
    }
});
slotted!(Matrix, MatrixSets, |place| place.run.device.matrix(shape(place)), |place| {
    let target = &place.run.target;
    let [rows, columns] = [false, true].map(|is_column| place.run.sizes.counts(is_column));
    let [x, y] = [&rows, &columns].map(|counts| vec![0_u8; counts.iter().sum()]);
    let (rows, columns) = (offsets(&rows), offsets(&columns));
    match place.run.has_features {
        true => target.matrix_sets(
            &target.feature_sets(&x, 1, &rows)?,
            &target.feature_sets(&y, 1, &columns)?,
        ),
        false => target.matrix_sets(&target.sets(&x, &rows)?, &target.sets(&y, &columns)?),
    }
});

impl<T: Value> Parameter for &mut Square<T> {
    type Held = Square<T>;
    type Argument<'a> = &'a mut Square<T>;

    fn expected(place: &Place<'_>) -> Option<Expected> {
        let n = place.elements();
        Some(Expected::Square { values: vec![smallvec![0.0; T::WIDTH]; n * n] })
    }

    fn make(place: &Place<'_>, _: Option<&Input>) -> Result<Square<T>> {
        place.run.device.square(place.elements())
    }

    fn argument(held: &mut Square<T>) -> &mut Square<T> {
        held
    }

    fn read(held: &[Square<T>]) -> Result<Option<Vec<Row>>> {
        Ok(rows(held[0].download()?.as_slice()))
    }
}

/// Outputs that are passed as they are: their type with its parameters, what they have to be, how they are made and read.
macro_rules! outputs {
    ($($name:ty, [$($parameters:tt)*], $expected:expr, $make:expr, $read:expr;)*) => {$(
        impl<$($parameters)*> Parameter for &mut $name {
            type Held = $name;
            type Argument<'a> = &'a mut $name;

            fn expected(place: &Place<'_>) -> Option<Expected> {
                let expected: fn(&Place<'_>) -> Expected = $expected;
                Some(expected(place))
            }

            fn make(place: &Place<'_>, _: Option<&Input>) -> Result<$name> {
                let make: fn(&Place<'_>) -> Result<$name> = $make;
                make(place)
            }

            fn argument(held: &mut $name) -> &mut $name {
                held
            }

            fn read(held: &[$name]) -> Result<Option<Vec<Row>>> {
                let read: fn(&[$name]) -> Result<Vec<Row>> = $read;
                read(held).map(Some)
            }
        }
    )*};
}

/// The slots of a list: those that it has to take, or less.
fn capacity(place: &Place<'_>) -> usize {
    match place.expected {
        Some(Expected::List(pairs)) => pairs.len().saturating_sub(place.run.lacking),
        _ => 0,
    }
}

/// The bins of a histogram: few, and more than a block of a GPU or a thread of a CPU has a copy of. Blocks have powers of two of
/// counters.
fn bins(place: &Place<'_>) -> usize {
    place.of_seed([9000, 2048, 11, 1, 600, 1024, 512])
}

fn extrema<T: Offered>(is_least: bool, place: &Place<'_>) -> Expected {
    let empty = match T::EMPTY {
        Some((most, least, width)) => smallvec![if is_least { most } else { least }; width],
        None => Row::new(),
    };
    let (rows, has_index) = (vec![empty; place.count()], T::EMPTY.is_none());
    Expected::Extrema { is_least, has_index, is_of_sets: place.axis == Axis::Set, rows }
}

fn sums<T: Value>(place: &Place<'_>, width: usize) -> Expected {
    Expected::Sums {
        is_total: place.axis == Axis::All,
        rows: vec![vec![Total::new(T::UNIT); width]; place.count()],
    }
}

fn extreme<T: Value>(found: Option<(T, u32, u32)>) -> Vec<Row> {
    let found = found.map_or(Row::new(), |(value, i, j)| {
        smallvec![value.numbers()[0], f64::from(i), f64::from(j)]
    });
    vec![found]
}

/// K is zero if a launch gives the number of neighbours.
fn nearest<T: NearestValue + 'static, const K: usize>(place: &Place<'_>) -> Result<Nearest<T, K>> {
    let (target, n) = (&place.run.target, place.count());
    if K > 0 {
        return target.nearest(n);
    }
    let near: Box<dyn Any> = Box::new(target.nearest_k::<T>(n, place.of_seed(NEIGHBOURS))?);
    Ok(*near.downcast().expect("K is zero"))
}

fn extreme_of_sets<T: Value>(found: Option<((T, u32), u32, u32)>) -> Vec<Row> {
    let found = found.map_or(Row::new(), |((value, set), i, j)| {
        value.numbers().into_iter().chain([set, i, j].map(f64::from)).collect()
    });
    vec![found]
}

/// What a download returns, or all processes together have.
fn joined<O: PartialResult>(all: &[O], download: fn(&O) -> Result<O::Output>) -> Result<O::Output> {
    let [first, others @ .., last] = all else { return download(&all[0]) };
    // In another order than that of the pairs.
    let mut words = last.to_bits()?;
    for each in [first].into_iter().chain(others) {
        first.join(&mut words, &each.to_bits()?)?;
    }
    first.finish(&words)
}

/// The rows of all lists.
fn of_lists<L>(lists: &[L], rows: impl Fn(&L) -> Result<Vec<Row>>) -> Result<Vec<Row>> {
    let mut all = lists.iter().map(rows).collect::<Result<Vec<_>>>()?.concat();
    // By all numbers, since pairs of several sets have equal indices.
    all.sort_by(|a, b| in_order(a, b));
    Ok(all)
}

outputs! {
    Sum<T>, [T: Value + SumElement],
        |place| match T::WIDTH {
            1 => Expected::Total(Total::new(T::UNIT)),
            _ => sums::<T>(place, T::WIDTH),
        },
        |place| place.run.target.sum(),
        |sum| Ok(vec![joined(sum, Sum::download)?.numbers()]);
    Max<T>, [T: Value + ExtremeValue],
        |_| Expected::Extreme { is_least: false, has_set: false, best: None },
        |place| place.run.target.max(),
        |max| Ok(extreme(joined(max, Max::download)?));
    Min<T>, [T: Value + ExtremeValue],
        |_| Expected::Extreme { is_least: true, has_set: false, best: None },
        |place| place.run.target.min(),
        |min| Ok(extreme(joined(min, Min::download)?));
    Max<(T, u32)>, [T: Value + ExtremeValue],
        |_| Expected::Extreme { is_least: false, has_set: true, best: None },
        |place| place.run.target.max(),
        |max| Ok(extreme_of_sets(joined(max, Max::download)?));
    Min<(T, u32)>, [T: Value + ExtremeValue],
        |_| Expected::Extreme { is_least: true, has_set: true, best: None },
        |place| place.run.target.min(),
        |min| Ok(extreme_of_sets(joined(min, Min::download)?));
    Histogram<T>, [T: Value + HistogramValue],
        |place| Expected::Bins(vec![Total::new(T::UNIT); bins(place) + 1]),
        |place| place.run.target.histogram(bins(place)),
        |bins| {
            let bins = joined(bins, Histogram::download)?;
            let all = bins.as_slice().iter().copied().chain([bins.outside()]);
            Ok(all.map(T::numbers).collect())
        };
    Pairs, [],
        |_| Expected::List(Vec::new()),
        |place| place.run.target.pairs(capacity(place)),
        |lists| {
            let row = |pair: [u32; 2]| Row::from_slice(&pair.map(f64::from));
            of_lists(lists, |list| Ok(list.download()?.pairs().iter().map(|pair| row(*pair)).collect()))
        };
    Pairs<T>, [T: Value + td_kernel::PairValue],
        |_| Expected::List(Vec::new()),
        |place| place.run.target.pairs(capacity(place)),
        |lists| {
            let row = |(pair, value): ([u32; 2], &T)| -> Row {
                pair.map(f64::from).into_iter().chain(value.numbers()).collect()
            };
            of_lists(lists, |list| Ok(list.download()?.iter().map(row).collect()))
        };
    Sums<T>, [T: Value + SumElement],
        |place| sums::<T>(place, T::WIDTH),
        |place| place.run.target.sums(place.count()),
        |sums| Ok(joined(sums, Sums::download)?.into_iter().map(T::numbers).collect());
    ArraySums<T>, [T: Value + SumScalar + SumElement],
        |place| sums::<T>(place, place.of_seed(ARRAYS)),
        |place| place.run.target.array_sums(place.count(), place.of_seed(ARRAYS)),
        |sums| {
            let (sums, width) = (joined(sums, ArraySums::download)?, sums[0].width());
            let numbers: Vec<_> = sums.as_slice().iter().flat_map(|sum| sum.numbers()).collect();
            Ok(numbers.chunks(width).map(Row::from_slice).collect())
        };
    Reduce<S>, [S: Value],
        |place| sums::<S>(place, S::WIDTH),
        |place| place.run.target.reduce(place.count(), S::from_numbers(&vec![0.0; S::WIDTH])),
        |states| Ok(states[0].download()?.into_iter().map(S::numbers).collect());
    Minima<T>, [T: Offered + 'static],
        |place| extrema::<T>(true, place),
        |place| place.run.target.minima(place.count()),
        |minima| Ok(joined(minima, Minima::download)?.into_iter().map(T::row).collect());
    Maxima<T>, [T: Offered + 'static],
        |place| extrema::<T>(false, place),
        |place| place.run.target.maxima(place.count()),
        |maxima| Ok(joined(maxima, Maxima::download)?.into_iter().map(T::row).collect());
    Nearest<T, K>, [T: Value + NearestValue + 'static, const K: usize],
        |place| {
            let k = if K > 0 { K } else { place.of_seed(NEIGHBOURS) };
            Expected::Nearest { k, rows: vec![Vec::new(); place.count()] }
        },
        |place| nearest(place),
        |nearest| {
            let nearest = joined(nearest, Nearest::download)?;
            let row = |(_, indices, values): (usize, &[u32], &[T])| {
                let pairs = values.iter().zip(indices);
                pairs.flat_map(|(value, index)| [value.numbers()[0], f64::from(*index)]).collect()
            };
            Ok(nearest.rows().map(row).collect())
        };
}
