//! A compiled kernel, ready to be launched.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::{CudaFunction, CudaStream};
use td_kernel_maps::{Map, Root, Space};

use crate::cpu::Program;
use crate::device::Target;
use crate::launch::Launch;
use crate::{Device, Error, Result};

/// What the macro knows about a kernel.
#[derive(Debug)]
pub struct Spec {
    /// The kernel, as the user named it.
    pub name: &'static str,
    /// The kernel function in the text.
    pub entry: &'static str,
    /// The text.
    pub source: &'static str,
    /// The map's name.
    pub map: &'static str,
    /// The root inside the map.
    pub root: Root,
    /// What the map's units are.
    pub space: Space,
    /// Whether the map's grid is the one-dimensional one.
    pub linear: bool,
    /// Whether the pairs (i, i) belong to the work.
    pub diagonal: bool,
    /// Elements per side of what one block covers.
    pub side: u32,
    /// The threads of a block, along x and y.
    pub threads: [u32; 2],
}

/// A compiled kernel. Generated types hold one; use those.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) spec: &'static Spec,
    pub(crate) map: &'static dyn Map,
    pub(crate) device: Device,
    pub(crate) loaded: Arc<Loaded>,
    /// Where it is launched, on a GPU.
    pub(crate) stream: Option<Arc<CudaStream>>,
}

/// Code on a device.
pub(crate) enum Loaded {
    Cuda {
        function: CudaFunction,
        /// How many of its blocks run at the same time.
        resident: u32,
    },
    Cpu(Program),
}

impl Loaded {
    /// How many blocks run at the same time, or about as many as are worth having.
    pub(crate) fn resident(&self) -> u32 {
        match self {
            Loaded::Cuda { resident, .. } => *resident,
            // Each block runs on one core from beginning to end; a few for each even out.
            Loaded::Cpu(_) => {
                let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
                u32::try_from(8 * cores).unwrap_or(8)
            }
        }
    }
}

impl Kernel {
    /// Compiles the kernel for `device`, or finds it compiled already.
    #[doc(hidden)]
    pub fn load(device: &Device, spec: &'static Spec) -> Result<Kernel> {
        let map = td_kernel_maps::map(spec.map).ok_or(Error::UnknownMap { map: spec.map })?;
        let loaded = device.loaded(spec, false)?;
        Ok(Kernel { spec, map, device: device.clone(), loaded, stream: device.stream().cloned() })
    }

    /// The same kernel, launched on `stream` from now on.
    ///
    /// # Errors
    ///
    /// The stream belongs to another device than the kernel.
    pub fn on(&self, stream: &Arc<CudaStream>) -> Result<Kernel> {
        match self.device.target() {
            Target::Cuda(gpu) if gpu.stream.context() == stream.context() => {
                Ok(Kernel { stream: Some(stream.clone()), ..self.clone() })
            }
            _ => Err(Error::WrongStream {
                kernel: self.spec.name,
                device: self.device.name().into(),
            }),
        }
    }

    /// Starts to collect the arguments of a launch.
    #[doc(hidden)]
    pub fn launch(&self) -> Launch<'_> {
        Launch::new(self)
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.spec.name)
            .field("map", &self.spec.map)
            .field("root", &self.spec.root)
            .field("device", &self.device.name())
            .finish_non_exhaustive()
    }
}
