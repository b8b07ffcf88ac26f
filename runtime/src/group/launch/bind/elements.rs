//! Binds elements, slices and scalars.

use std::ptr;

use super::{Bind, Role};
use crate::backend::view::{View, ViewMut};
use crate::group::launch::Launch;
use crate::run::Value;
use crate::{DeviceType, Result};

/// A number of elements that no argument determines.
impl<'a> Bind<'a> for usize {
    fn bind(self, launch: &mut Launch<'a>, role: Role, name: &'static str) -> Result<()> {
        launch.agree(role, name, self, None)
    }
}

/// Elements, or a raw slice.
impl<'a, T: DeviceType> Bind<'a> for View<'a, T> {
    fn bind(self, launch: &mut Launch<'a>, role: Role, name: &'static str) -> Result<()> {
        let length = launch.read(name, self)?;
        launch.length = length;
        if role == Role::Each {
            launch.strided(size_of::<T>(), false);
        }
        launch.agree(role, name, length, None)
    }
}

/// A raw slice that the kernel writes.
impl<'a, T: DeviceType> Bind<'a> for ViewMut<'a, T> {
    fn bind(self, launch: &mut Launch<'a>, _: Role, name: &'static str) -> Result<()> {
        launch.length = launch.write(name, self)?;
        Ok(())
    }
}

/// A scalar.
impl<'a, T: DeviceType> Bind<'a> for &'a T {
    fn bind(self, launch: &mut Launch<'a>, _: Role, name: &'static str) -> Result<()> {
        if T::DEFINITION.is_none() {
            launch.numbers.push((launch.bound.len(), name));
        }
        launch.push(Value::Borrowed(ptr::from_ref(self).cast(), size_of::<T>()));
        Ok(())
    }
}
