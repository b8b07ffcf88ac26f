//! Binds elements, slices and scalars.

use std::ptr;

use super::{Axis, Bind};
use crate::backend::view::{View, ViewMut};
use crate::group::launch::Launch;
use crate::memory::orders::Orders;
use crate::run::Value;
use crate::{DeviceType, Result, Slice};

/// A number of elements that no argument determines.
impl<'a> Bind<'a> for usize {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        launch.agree(axis, name, self, None)
    }
}

/// Elements of pairs.
pub struct Elements<'a, T> {
    view: View<'a, T>,
    orders: Option<&'a Orders>,
}

/// The elements of a launch's pairs.
pub fn elements<'a, T>(slice: &'a (impl Slice<T> + ?Sized)) -> Elements<'a, T> {
    Elements { view: slice.view(), orders: slice.orders() }
}

impl<'a, T: DeviceType> Bind<'a> for Elements<'a, T> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let set = usize::from(axis == Axis::Column);
        launch.orders.extend(self.orders.map(|orders| (set, orders)));
        self.view.bind(launch, axis, name)
    }
}

/// Elements, or a raw slice.
impl<'a, T: DeviceType> Bind<'a> for View<'a, T> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let length = launch.read(name, self)?;
        launch.length = length;
        if axis == Axis::Each {
            launch.strided(size_of::<T>(), false);
        }
        launch.agree(axis, name, length, None)
    }
}

/// A raw slice that the kernel writes.
impl<'a, T: DeviceType> Bind<'a> for ViewMut<'a, T> {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        launch.length = launch.write(name, self)?;
        Ok(())
    }
}

/// A scalar.
impl<'a, T: DeviceType> Bind<'a> for &'a T {
    fn bind(self, launch: &mut Launch<'a>, _: Axis, name: &'static str) -> Result<()> {
        if T::DEFINITION.is_none() {
            launch.numbers.push((launch.bound.len(), name));
        }
        launch.push(Value::Borrowed(ptr::from_ref(self).cast(), size_of::<T>()));
        Ok(())
    }
}
