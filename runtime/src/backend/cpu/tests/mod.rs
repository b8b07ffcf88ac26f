//! Compiles and runs kernels.

use super::{Compiler, Program, build};
use crate::backend::KernelSource;

mod alignment;
mod atomics;
mod barriers;
mod messages;
mod options;
mod roots;
mod shim;
mod threads;
mod warps;

/// GPU source, whose kernel is called `kernel`.
fn text<'a>(name: &'a str, source: &'a str) -> KernelSource<'a> {
    KernelSource { kernel: name, ..KernelSource::new("kernel", source) }
}

/// Compiles a source whose kernel is called `kernel`.
fn compile(source: &str) -> Program {
    build::program(&Compiler::find().unwrap(), &text("test", source), None).unwrap()
}

/// Launches a kernel with values as its parameters; memory is passed as a pointer.
macro_rules! launch {
    ($program:expr, $grid:expr, $block:expr $(, $argument:expr)*) => {
        match [$(std::ptr::from_ref(&$argument).cast_mut().cast::<std::ffi::c_void>()),*] {
            // SAFETY: each test passes values of the types that its kernel declares, and memory as large as its kernel uses.
            arguments => unsafe {
                $program.launch($grid, $block, &arguments, &Default::default())
            },
        }
    };
}
use launch;
