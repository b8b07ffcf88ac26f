//! A launch: collects the arguments, checks them against each other, and only then runs.

use std::ffi::c_void;
use std::ptr;

use cudarc::driver::{CudaContext, CudaStream, SyncOnDrop, result};
use td_kernel_maps::{Grid, triangle};

use crate::device::Target;
use crate::kernel::{Kernel, Loaded};
use crate::{
    DeviceType, Error, PackedSlots, Pairs, Result, Slice, SliceMut, Sum, View, ViewMut, packed,
};

/// The arguments of a launch, in the order of the kernel's parameters.
pub struct Launch<'a> {
    kernel: &'a Kernel,
    /// n, and the argument that told it first.
    n: Option<(usize, &'static str)>,
    values: Vec<Value>,
    /// The lengths of packed arguments, which can be checked only once n is known.
    packed: Vec<(&'static str, usize)>,
    /// cudarc's records of who uses which memory; they take effect when dropped, after the launch.
    guards: Vec<SyncOnDrop<'a>>,
}

/// A parameter's value.
enum Value {
    /// An address or a 64-bit number.
    Word(u64),
    /// A scalar of the caller's, who holds it until the launch is over.
    Borrowed(*const c_void),
}

/// Where an argument's elements are, on the device of the launch.
struct Place<'a> {
    address: u64,
    length: usize,
    guard: Option<SyncOnDrop<'a>>,
}

impl<'a> Launch<'a> {
    pub(crate) fn new(kernel: &'a Kernel) -> Self {
        Launch {
            kernel,
            n: None,
            values: Vec::with_capacity(8),
            packed: Vec::new(),
            guards: Vec::new(),
        }
    }

    /// n, where no argument tells it.
    pub fn elements(&mut self, n: usize) -> Result<()> {
        self.agree("n", n)
    }

    /// A slice whose elements the pairs are made of.
    pub fn each<T: DeviceType>(
        &mut self,
        name: &'static str,
        slice: &'a impl Slice<T>,
    ) -> Result<()> {
        let length = self.read(name, slice.view())?;
        self.agree(name, length)
    }

    /// A raw slice.
    pub fn slice<T: DeviceType>(
        &mut self,
        name: &'static str,
        slice: &'a impl Slice<T>,
    ) -> Result<()> {
        self.read(name, slice.view()).map(drop)
    }

    /// A raw slice that the kernel writes.
    pub fn slice_mut<T: DeviceType>(
        &mut self,
        name: &'static str,
        slice: &'a mut impl SliceMut<T>,
    ) -> Result<()> {
        self.write(name, slice.view_mut()).map(drop)
    }

    /// A value.
    pub fn scalar<T: DeviceType>(&mut self, value: &'a T) {
        self.values
            .push(Value::Borrowed(ptr::from_ref(value).cast()));
    }

    /// Slots for the pairs.
    pub fn packed<T: DeviceType>(
        &mut self,
        name: &'static str,
        slots: &'a mut impl PackedSlots<T>,
    ) -> Result<()> {
        if let Some((elements, diagonal)) = slots.shape() {
            let spec = self.kernel.spec;
            if diagonal != spec.diagonal {
                return Err(Error::WrongDiagonal {
                    kernel: spec.name,
                    argument: name,
                    kernel_has: spec.diagonal,
                });
            }
            self.agree(name, elements)?;
        }
        let length = self.write(name, slots.slots())?;
        self.packed.push((name, length));
        Ok(())
    }

    /// A total.
    pub fn sum<T: DeviceType>(&mut self, name: &'static str, sum: &'a mut Sum<T>) -> Result<()> {
        self.write(name, sum.memory.view_mut()).map(drop)
    }

    /// A list of pairs.
    pub fn pairs(&mut self, name: &'static str, pairs: &'a mut Pairs) -> Result<()> {
        let capacity = pairs.capacity() as u64;
        self.write(name, pairs.list.view_mut())?;
        self.write(name, pairs.count.view_mut())?;
        self.values.push(Value::Word(capacity));
        Ok(())
    }

    /// Checks what can be checked only now, and launches.
    pub fn run(mut self) -> Result<()> {
        let (n, pairs) = self.sizes()?;
        if pairs == 0 {
            return Ok(());
        }
        let grids = self.grids(n)?;
        // n fits 32 bits, as `grids` has checked; little-endian, it is the low half of the word.
        let n = n as u32;
        let mut parameters: Vec<*mut c_void> = Vec::with_capacity(self.values.len() + 1);
        parameters.push(ptr::from_ref(&n).cast_mut().cast());
        parameters.extend(self.values.iter().map(|value| match value {
            Value::Word(word) => ptr::from_ref(word).cast_mut().cast(),
            Value::Borrowed(pointer) => pointer.cast_mut(),
        }));
        for grid in grids {
            // SAFETY: `parameters` holds a pointer to a value for each parameter of the kernel, of
            // its type: the macro writes both from one signature. The memory behind the addresses
            // is borrowed for 'a, on the kernel's device, aligned, and as long as n needs.
            unsafe { self.start(grid, &mut parameters) }?;
        }
        self.guards.clear();
        Ok(())
    }

    /// n, and the number of pairs; checks the packed arguments against them.
    fn sizes(&self) -> Result<(usize, usize)> {
        let spec = self.kernel.spec;
        let n = match (self.n, self.packed.first()) {
            (Some((n, _)), _) => n,
            // Only packed slots of cudarc's, which know their number but not n.
            (None, Some(&(name, length))) => {
                slots_of(length, spec.diagonal).ok_or(Error::NoTriangle {
                    kernel: spec.name,
                    argument: name,
                    length,
                })?
            }
            (None, None) => 0,
        };
        let pairs = packed::pairs(n, spec.diagonal).ok_or(Error::TooLarge {
            elements: n,
            size: 1,
        })?;
        for &(argument, found) in &self.packed {
            if found != pairs {
                return Err(Error::PackedLength {
                    kernel: spec.name,
                    argument,
                    n,
                    expected: pairs,
                    found,
                });
            }
        }
        Ok((n, pairs))
    }

    /// The launches for n, where the map, its root and the device can do it.
    fn grids(&self, n: usize) -> Result<Vec<Grid>> {
        let Kernel {
            spec, map, device, ..
        } = self.kernel;
        let block = spec.block as usize;
        let past = |rows: u32, instead: &'static str| Error::PastMap {
            kernel: spec.name,
            map: map.name(),
            root: map.takes_root().then_some(spec.root),
            n,
            most: rows as usize * block,
            instead,
        };
        let rows = u32::try_from(n.div_ceil(block)).unwrap_or(u32::MAX);
        if rows > map.largest() {
            let instead = if spec.block < 32 {
                "write `block = 32`, or split the elements"
            } else {
                "split the elements"
            };
            return Err(past(map.largest(), instead));
        }
        let grids = map.grids(rows);
        if map.takes_root() {
            // Every block that is launched must find its row, or that it is past the last one.
            let lambdas = grids
                .iter()
                .map(|grid| grid.x * grid.y)
                .max()
                .unwrap_or_default();
            if let Some(failure) = device.root_failure(spec.root, lambdas)? {
                let rows = largest_before(failure, |rows| map.grids(rows));
                return Err(past(rows, "write `sqrt = \"exact\"`"));
            }
        }
        Ok(grids)
    }

    /// Launches one grid.
    ///
    /// # Safety
    ///
    /// `parameters` points to a value for each parameter of the kernel, valid for the device.
    unsafe fn start(&self, grid: Grid, parameters: &mut [*mut c_void]) -> Result<()> {
        let block = self.kernel.spec.block;
        match (&*self.kernel.loaded, &self.kernel.stream) {
            (Loaded::Cuda(function), Some(stream)) => {
                stream
                    .context()
                    .bind_to_thread()
                    .map_err(Error::driver("use the device"))?;
                // SAFETY: the caller's promise; the function and the stream are of one context.
                let launched = unsafe {
                    result::launch_kernel(
                        function.cu_function(),
                        (grid.x, grid.y, 1),
                        (block, block, 1),
                        0,
                        stream.cu_stream(),
                        parameters,
                    )
                };
                launched.map_err(Error::driver("launch the kernel"))
            }
            (Loaded::Cpu(program), _) => {
                // SAFETY: the caller's promise.
                unsafe { program.launch([grid.x, grid.y, 1], [block, block, 1], parameters) }
            }
            (Loaded::Cuda(_), None) => Err(Error::WrongStream {
                kernel: self.kernel.spec.name,
                device: self.kernel.device.name().into(),
            }),
        }
    }

    /// Records that `name` tells n.
    fn agree(&mut self, name: &'static str, n: usize) -> Result<()> {
        match self.n {
            None => self.n = Some((n, name)),
            Some((expected, first)) if expected != n => {
                return Err(Error::Lengths {
                    kernel: self.kernel.spec.name,
                    argument: name,
                    found: n,
                    first,
                    expected,
                });
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn read<T: DeviceType>(&mut self, name: &'static str, view: View<'a, T>) -> Result<usize> {
        let place = match view {
            View::Empty => Place {
                address: 0,
                length: 0,
                guard: None,
            },
            View::Cpu(elements) => {
                self.expect_cpu(name)?;
                Place {
                    address: elements.as_ptr() as u64,
                    length: elements.len(),
                    guard: None,
                }
            }
            View::Cuda(elements) => {
                let stream = self.expect_context(name, elements.stream().context())?;
                let (address, guard) = elements.device_ptr(stream);
                Place {
                    address,
                    length: elements.len(),
                    guard: Some(guard),
                }
            }
        };
        self.push::<T>(name, place)
    }

    fn write<T: DeviceType>(&mut self, name: &'static str, view: ViewMut<'a, T>) -> Result<usize> {
        let place = match view {
            ViewMut::Empty => Place {
                address: 0,
                length: 0,
                guard: None,
            },
            ViewMut::Cpu(elements) => {
                self.expect_cpu(name)?;
                Place {
                    address: elements.as_mut_ptr() as u64,
                    length: elements.len(),
                    guard: None,
                }
            }
            ViewMut::Cuda(elements) => {
                let stream = self.expect_context(name, elements.stream().context())?;
                let length = elements.len();
                let (address, guard) = elements.device_ptr_mut(stream);
                Place {
                    address,
                    length,
                    guard: Some(guard),
                }
            }
        };
        self.push::<T>(name, place)
    }

    fn push<T: DeviceType>(&mut self, name: &'static str, place: Place<'a>) -> Result<usize> {
        let Place {
            address,
            length,
            guard,
        } = place;
        self.guards.extend(guard);
        if !address.is_multiple_of(T::ALIGNMENT as u64) {
            return Err(Error::Misaligned {
                kernel: self.kernel.spec.name,
                argument: name,
                alignment: T::ALIGNMENT,
                address,
            });
        }
        self.values.push(Value::Word(address));
        Ok(length)
    }

    fn expect_cpu(&self, name: &'static str) -> Result<()> {
        match self.kernel.device.target() {
            Target::Cpu(_) => Ok(()),
            Target::Cuda(_) => Err(self.wrong_device(name, "the CPU".into())),
        }
    }

    /// The stream of the launch, where `context` is its own.
    fn expect_context(&self, name: &'static str, context: &CudaContext) -> Result<&'a CudaStream> {
        match &self.kernel.stream {
            Some(stream) if **stream.context() == *context => Ok(stream),
            _ => Err(self.wrong_device(name, format!("GPU {}", context.ordinal()))),
        }
    }

    fn wrong_device(&self, argument: &'static str, found: String) -> Error {
        let device = self.kernel.device.name().to_owned();
        Error::WrongDevice {
            kernel: self.kernel.spec.name,
            argument,
            device,
            found,
        }
    }
}

/// The n whose pairs fill `slots` slots.
fn slots_of(slots: usize, diagonal: bool) -> Option<usize> {
    let n = packed::triangle_root(slots)?;
    // The pairs of n elements with the diagonal are as many as those of n + 1 without it.
    Some(if diagonal { n - 1 } else { n })
}

/// The most rows whose launches stay below the block `failure`.
fn largest_before(failure: u32, grids: impl Fn(u32) -> Vec<Grid>) -> u32 {
    let fits = |rows| {
        grids(rows)
            .iter()
            .all(|grid| u64::from(grid.x) * u64::from(grid.y) <= u64::from(failure))
    };
    let mut rows = 0;
    while triangle(rows + 1) <= u64::from(failure) && fits(rows + 1) {
        rows += 1;
    }
    rows
}
