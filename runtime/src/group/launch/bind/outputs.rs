//! Binds what a kernel writes: slots for pairs, totals, lists, results of elements.

use smallvec::SmallVec;

use super::{Addresses, Axis, Bind};
use crate::backend::view::ViewMut;
use crate::error::Detail;
use crate::group::launch::counts::PairSlots;
use crate::group::launch::{Bound, Launch};
use crate::host::sets::SetPairs;
use crate::memory::addend::Cell;
use crate::memory::argument::Shaped;
use crate::memory::exact;
use crate::memory::results::Results;
use crate::run::Value;
use crate::types::info::KernelInfo;
use crate::{
    DeviceType, Error, ExtremeValue, Matrix, Max, Min, Packed, Pairs, Result, Shape, Slots, Square,
    Sum, SumElement, Sums,
};

/// Slots for pairs, with the type in the kernel's signature.
pub struct Output<'a, R: Shaped> {
    shape: Option<Shape>,
    set_pairs: Option<SetPairs>,
    diagonal: R::Value,
    view: ViewMut<'a, R::Value>,
}

/// The slots of a launch.
pub fn output<'a, R: Shaped>(slots: &'a mut (impl Slots<R> + ?Sized)) -> Output<'a, R> {
    let (shape, set_pairs) = (slots.shape(), slots.pairs_of_sets().cloned());
    Output { shape, set_pairs, diagonal: slots.diagonal(), view: slots.slots() }
}

/// Sums that are the same in every run.
pub struct Exact<S>(pub S);

impl<'a, T: DeviceType> Bind<'a> for Output<'a, Packed<T>> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let Output { shape, set_pairs, view, .. } = self;
        if let Some(shape) = &shape {
            let (info, diagonal) = (launch.kernel.info, shape.has_diagonal());
            if diagonal != info.diagonal {
                return Err(wrong_diagonal(info, name));
            }
            let made_by = match (shape.is_whole(), diagonal) {
                (true, false) => "packed(n)",
                (true, true) => "packed(Shape::triangle(n).with_diagonal())",
                (false, false) => "packed(Shape::triangle(n).of_rows(a..b))",
                (false, true) => "packed(Shape::triangle(n).with_diagonal().of_rows(a..b))",
            };
            launch.agree(Axis::Each, name, shape.row_count(), Some(made_by))?;
        }
        launch.bind_slots(name, view, shape, set_pairs)
    }
}

impl<'a, T: DeviceType> Bind<'a> for Output<'a, Matrix<T>> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let Output { shape, set_pairs, view, .. } = self;
        if let Some(shape) = &shape {
            let made_by = match shape.is_whole() {
                true => "matrix((rows, columns))",
                false => "matrix(Shape::rectangle(rows, columns).of_rows(a..b))",
            };
            launch.agree(Axis::Row, name, shape.row_count(), Some(made_by))?;
            launch.agree(Axis::Column, name, shape.columns(0), Some(made_by))?;
        }
        launch.bind_slots(name, view, shape, set_pairs)
    }
}

impl<'a, T: DeviceType> Bind<'a> for Output<'a, Square<T>> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let Output { shape, diagonal, view, .. } = self;
        if let Some(shape) = shape {
            launch.agree(Axis::Each, name, shape.row_count(), Some("square(n)"))?;
        }
        let length = launch.write(name, view)?;
        launch.squares.push((name, length));
        // If there are pairs (i, i), the kernel itself writes the diagonal.
        if !launch.kernel.info.diagonal {
            launch.bound.push(Bound::Owned(Box::new(diagonal)));
        }
        Ok(())
    }
}

/// Results over all pairs, of which the kernel takes one address.
macro_rules! over_all_pairs {
    ($($name:ident<$value:ident>: $field:ident;)*) => {$(
        impl<'a, T: $value> Bind<'a> for &'a mut $name<T> {
            fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
                launch.gather(name, &mut self.$field).map(drop)
            }
        }
    )*};
}

over_all_pairs! {
    Max<ExtremeValue>: cells;
    Min<ExtremeValue>: cells;
}

/// A total: the addresses of the slots of each of its numbers.
impl<'a, T: SumElement> Bind<'a> for &'a mut Sum<T> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let bytes = self.memory.len() / T::COMPONENTS * size_of::<Cell<T>>();
        let first = launch.gather(name, &mut self.memory)?;
        after(&first, T::COMPONENTS, bytes as u64).for_each(|each| launch.push_addresses(&each));
        Ok(())
    }
}

/// A total, the same in every run: the addresses of the digits of each of its numbers.
impl<'a, T: SumElement> Bind<'a> for Exact<&'a mut Sum<T>> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let Exact(sum) = self;
        // The digits are allocated where the kernel runs, so the total must be there too.
        launch.expect_there(name, &sum.memory)?;
        let exact = sum.exact(&launch.kernel.device)?;
        let stride = exact.stride();
        let first = launch.gather(name, &mut exact.memory)?;
        after(&first, T::COMPONENTS, stride).for_each(|each| launch.push_addresses(&each));
        Ok(())
    }
}

/// A list of pairs.
impl<'a> Bind<'a> for &'a mut Pairs {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let capacity = self.capacity() as u64;
        launch.gather(name, &mut self.list)?;
        launch.gather(name, &mut self.count)?;
        launch.push(Value::Word(capacity));
        launch.lists.push(&mut self.bounds);
        Ok(())
    }
}

/// A list of pairs with values.
impl<'a, T: DeviceType> Bind<'a> for &'a mut Pairs<T> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        let capacity = self.capacity() as u64;
        launch.gather(name, &mut self.i)?;
        launch.gather(name, &mut self.j)?;
        launch.gather(name, &mut self.values)?;
        launch.gather(name, &mut self.count)?;
        launch.push(Value::Word(capacity));
        launch.lists.push(&mut self.bounds);
        Ok(())
    }
}

/// The most components of which each has an address in the kernel's parameters: those of CUDA's vectors.
const MAX_ADDRESSES: usize = 4;

/// A result for each element: the addresses of the cells, one for each component.
impl<'a, R: Results> Bind<'a> for &'a mut R {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let cells = self.cells();
        let (elements, components) = (cells.elements, cells.components);
        let first = launch.gather(name, &mut cells.memory)?;
        launch.strided(size_of::<R::Cell>(), false);
        let bytes = (elements * size_of::<R::Cell>()) as u64;
        // All cells exist, so no address is past the last one. A kernel with longer arrays computes the addresses itself.
        if components <= MAX_ADDRESSES {
            launch.follow(&first, components, bytes, size_of::<R::Cell>());
        } else if launch.kernel.is_of_sets() {
            // Also for a launch of one set. More elements than 32 bits count do not agree with the sets.
            launch.push(Value::Number(elements as u32));
        }
        launch.agree(axis, name, elements, Some(R::MADE_BY))
    }
}

/// A sum for each element, the same in every run: the addresses of the digits, one for each component.
impl<'a, T: SumElement> Bind<'a> for Exact<&'a mut Sums<T>> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let Exact(sums) = self;
        let elements = sums.len();
        launch.expect_there(name, &sums.cells.memory)?;
        if let Some(exact) = sums.exact(&launch.kernel.device)? {
            let stride = exact.stride();
            let first = launch.bind_exact(name, exact)?;
            launch.strided(size_of::<u64>(), false);
            if T::COMPONENTS <= MAX_ADDRESSES {
                launch.follow(&first, T::COMPONENTS, stride, size_of::<u64>());
            }
            if launch.kernel.is_of_sets() {
                // Also for a launch of one set. More elements than 32 bits count do not agree with the sets.
                launch.push(Value::Number(elements as u32));
            }
        }
        launch.agree(axis, name, elements, Some(Sums::<T>::MADE_BY))
    }
}

impl<'a> Launch<'a> {
    /// Takes slots for pairs, with their shape or the sets of their pairs, if they have one.
    fn bind_slots<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: ViewMut<'a, T>,
        shape: Option<Shape>,
        set_pairs: Option<SetPairs>,
    ) -> Result<()> {
        // Types have no elements without bytes, but dividing by zero would end the process.
        let count = |bytes: &usize| bytes / size_of::<T>().max(1);
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        let bytes = self.store(name, T::ALIGNMENT, unsafe { view.untyped() })?;
        self.strided(size_of::<T>(), true);
        let length = bytes.iter().map(count).sum();
        let device_lengths = match self.kernel.is_of_sets() && self.kernel.device.is_several() {
            true => bytes.iter().map(count).collect(),
            false => SmallVec::new(),
        };
        let rows = shape.map(|shape| shape.rows());
        self.slots.push(PairSlots { name, length, rows, set_pairs, device_lengths });
        Ok(())
    }

    /// Takes the addresses of the digits of elements' exact sums, which do not carry.
    pub(super) fn bind_exact(
        &mut self,
        name: &'static str,
        exact: &'a mut exact::Exact,
    ) -> Result<Addresses> {
        let exact::Exact { memory, additions, .. } = exact;
        let addresses = self.gather(name, memory)?;
        self.exact.push((name, additions));
        Ok(addresses)
    }

    /// Passes the addresses of all components but the first, each `bytes` bytes after the previous one. An element has `own` bytes.
    fn follow(&mut self, first: &Addresses, components: usize, bytes: u64, own: usize) {
        for addresses in after(first, components, bytes) {
            self.push_addresses(&addresses);
            self.strided(own, false);
        }
    }
}

/// The addresses of all components but the first, each `bytes` bytes after the previous one.
fn after(first: &Addresses, components: usize, bytes: u64) -> impl Iterator<Item = Addresses> {
    let component = move |at| first.iter().map(|address| address + at * bytes).collect();
    (1..components as u64).map(component)
}

/// The error for packed slots with the diagonal if the kernel has none, or without it if it has one.
fn wrong_diagonal(info: &KernelInfo, argument: &'static str) -> Error {
    let (problem, detail) = match info.diagonal {
        true => (
            "has no slots for the pairs (i, i), which the kernel visits: use `device.packed(Shape::triangle(n).with_diagonal())`",
            Detail::Diagonal,
        ),
        false => (
            "has slots for the pairs (i, i), which the kernel does not visit: use `device.packed(n)`",
            Detail::None,
        ),
    };
    Error::arguments(problem).about(info.name, argument).with(detail)
}
