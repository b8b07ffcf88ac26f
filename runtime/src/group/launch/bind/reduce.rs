//! Binds states of elements.

use std::ptr;

use super::{Bind, Role};
use crate::group::launch::Launch;
use crate::run::Value;
use crate::{DeviceType, Reduce, Result};

/// The addresses of the states, and the state that all begin as.
impl<'a, S: DeviceType> Bind<'a> for &'a mut Reduce<S> {
    fn bind(self, launch: &mut Launch<'a>, role: Role, name: &'static str) -> Result<()> {
        if launch.kernel.device.is_several() {
            let problem = "has states that only the kernel's own `join` combines, so several devices cannot share them: load the kernel for one `Device`; for two sets also for each device, with a slice of the rows";
            return Err(launch.wrong(name, problem.to_owned()));
        }
        let Reduce { states, start } = self;
        let elements = states.len();
        launch.gather(name, states)?;
        launch.push(Value::Borrowed(ptr::from_ref(start).cast(), size_of::<S>()));
        launch.agree(role, name, elements, Some("reduce(n, start)"))
    }
}
