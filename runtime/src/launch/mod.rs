//! A launch: collects the arguments, checks them against each other, and only then runs.
//!
//! For one device or for several. Uses `kernel` and what is below it.

mod address;
mod around;
mod counts;
mod exchange;
mod features;
mod filter;
mod nearest;
mod pace;
mod parts;
mod ready;
mod results;
mod rounds;
mod value;

use std::ptr;

use counts::{PairSlots, Told, Work};
use cudarc::driver::CudaStream;
use nearest::Near;
use ready::stream;
use smallvec::SmallVec;
use value::Value;

use crate::Error;
use crate::backend::order::Access;
use crate::error::Detail;
use crate::kernel::Kernel;
use crate::memory::Complete;
use crate::types::info::KernelInfo;
use crate::{
    DeviceType, Matrix, Packed, Pairs, Result, Slice, SliceMut, Slots, Square, Sum, Summand,
};

/// The arguments of a launch, in the order of the kernel's parameters. For most kernels they fit without a heap
/// allocation: a launch takes a few microseconds, of which allocations would be a tenth.
pub struct Launch<'a> {
    pub(crate) kernel: &'a Kernel,
    /// n, and the argument that told it first; of a rectangle, the number of rows.
    pub(crate) n: Told,
    /// The number of a rectangle's columns, and the argument that told it first.
    pub(crate) columns: Told,
    values: SmallVec<[Value; 8]>,
    /// The length of the latest raw slice.
    length: usize,
    /// The width of features, and the argument that told it first.
    width: Option<(u32, &'static str)>,
    /// The indices of the first values that are addresses of features, of rows and of columns.
    features: [Option<usize>; 2],
    /// The slots for pairs.
    slots: SmallVec<[PairSlots; 1]>,
    /// The lengths of squares, with the names of their arguments.
    squares: SmallVec<[(&'static str, usize); 1]>,
    /// How often words of exact sums have been added to, with the names of their arguments.
    exact: SmallVec<[(&'static str, &'a mut u64); 1]>,
    /// The only one of several devices that is to run it, because the slots of a band are there.
    only: Option<usize>,
    /// Whether there are outputs, of those that have been given.
    pub(crate) has_outputs: bool,
    /// The argument for nearest neighbours.
    near: Option<Near<'a>>,
    /// The memory that the launch uses, to be recorded after it, with the index of its device.
    accesses: SmallVec<[(usize, Access<'a>); 4]>,
    /// Where a failure is noted, on several devices: each of the outputs.
    gathered: Vec<Complete>,
    /// The addresses that the kernel writes to, for the observer.
    #[cfg(feature = "testing")]
    written: Vec<u64>,
}

impl Kernel {
    /// Starts to collect the arguments of a launch.
    #[doc(hidden)]
    pub fn launch(&self) -> Launch<'_> {
        Launch::new(self)
    }

    /// The same for the generated type that `info` describes. It holds its kernel in a private field, which safe code of the same
    /// module can fill with another one, whose parameters are not those that this type passes.
    #[doc(hidden)]
    pub fn launch_of(&self, info: &'static KernelInfo) -> Result<Launch<'_>> {
        match std::ptr::eq(self.info, info) {
            true => Ok(self.launch()),
            false => Err(Error::arguments(format!(
                "`{}` holds the kernel `{}`: load it by `{}::load`",
                info.name, self.info.name, info.name
            ))),
        }
    }
}

impl<'a> Launch<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        Launch {
            kernel,
            n: None,
            columns: None,
            values: SmallVec::new(),
            length: 0,
            width: None,
            features: [None; 2],
            slots: SmallVec::new(),
            squares: SmallVec::new(),
            exact: SmallVec::new(),
            only: None,
            has_outputs: false,
            near: None,
            accesses: SmallVec::new(),
            gathered: Vec::new(),
            #[cfg(feature = "testing")]
            written: Vec::new(),
        }
    }

    /// The stream that the kernel is launched on, on the device of this index.
    fn stream(&self, at: usize) -> Option<&'a CudaStream> {
        stream(self.kernel, at).map(|stream| &**stream)
    }

    /// n, where no argument tells it.
    pub fn elements(&mut self, n: usize) -> Result<()> {
        self.agree("n", n, None)
    }

    /// A slice whose elements the pairs are made of.
    pub fn each<T: DeviceType>(
        &mut self,
        name: &'static str,
        slice: &'a (impl Slice<T> + ?Sized),
    ) -> Result<()> {
        let length = self.read(name, slice.view())?;
        self.agree(name, length, None)
    }

    /// The number of a rectangle's rows, where no argument tells it.
    pub fn rows(&mut self, count: usize) -> Result<()> {
        self.agree_rows("rows", count, None)
    }

    /// The number of a rectangle's columns, where no argument tells it.
    pub fn columns(&mut self, count: usize) -> Result<()> {
        self.agree_columns("columns", count, None)
    }

    /// A slice whose elements a rectangle's rows are for.
    pub fn row<T: DeviceType>(
        &mut self,
        name: &'static str,
        slice: &'a (impl Slice<T> + ?Sized),
    ) -> Result<()> {
        let length = self.read(name, slice.view())?;
        self.agree_rows(name, length, None)
    }

    /// A slice whose elements a rectangle's columns are for.
    pub fn column<T: DeviceType>(
        &mut self,
        name: &'static str,
        slice: &'a (impl Slice<T> + ?Sized),
    ) -> Result<()> {
        let length = self.read(name, slice.view())?;
        self.agree_columns(name, length, None)
    }

    /// A raw slice.
    pub fn slice<T: DeviceType>(
        &mut self,
        name: &'static str,
        slice: &'a (impl Slice<T> + ?Sized),
    ) -> Result<()> {
        self.length = self.read(name, slice.view())?;
        Ok(())
    }

    /// A raw slice that the kernel writes.
    pub fn slice_mut<T: DeviceType>(
        &mut self,
        name: &'static str,
        slice: &'a mut (impl SliceMut<T> + ?Sized),
    ) -> Result<()> {
        self.length = self.write(name, slice.view_mut())?;
        Ok(())
    }

    /// The length of the raw slice just before, where the body asks for it.
    pub fn length(&mut self) {
        self.values.push(Value::Word(self.length as u64));
    }

    /// A value.
    pub fn scalar<T: DeviceType>(&mut self, value: &'a T) {
        self.values.push(Value::Borrowed(ptr::from_ref(value).cast(), size_of::<T>()));
    }

    /// Slots for the pairs.
    pub fn packed<T: DeviceType>(
        &mut self,
        name: &'static str,
        slots: &'a mut (impl Slots<Packed<T>> + ?Sized),
    ) -> Result<()> {
        let shape = slots.shape();
        if let Some(shape) = &shape {
            let (info, diagonal) = (self.kernel.info, shape.has_diagonal());
            if diagonal != info.diagonal {
                return Err(wrong_diagonal(info, name));
            }
            let made_by = match (shape.is_whole(), diagonal) {
                (true, false) => "packed(n)",
                (true, true) => "packed_with_diagonal(n)",
                (false, false) => "packed_rows(n, rows)",
                (false, true) => "packed_rows_with_diagonal(n, rows)",
            };
            self.agree(name, shape.row_count(), Some(made_by))?;
        }
        let length = self.store(name, slots.slots())?;
        self.slots.push(PairSlots { name, length, rows: shape.map(|shape| shape.rows()) });
        Ok(())
    }

    /// Both halves of a matrix.
    pub fn square<T: DeviceType>(
        &mut self,
        name: &'static str,
        slots: &'a mut (impl Slots<Square<T>> + ?Sized),
    ) -> Result<()> {
        let diagonal = slots.diagonal();
        if let Some(shape) = slots.shape() {
            self.agree(name, shape.row_count(), Some("square(n)"))?;
        }
        let length = self.write(name, slots.slots())?;
        self.squares.push((name, length));
        // Where there are pairs (i, i), the kernel itself writes the diagonal.
        if !self.kernel.info.diagonal {
            self.values.push(Value::Owned(Box::new(diagonal)));
        }
        Ok(())
    }

    /// A value for each pair of a rectangle.
    pub fn matrix<T: DeviceType>(
        &mut self,
        name: &'static str,
        slots: &'a mut (impl Slots<Matrix<T>> + ?Sized),
    ) -> Result<()> {
        let shape = slots.shape();
        if let Some(shape) = &shape {
            let made_by = match shape.is_whole() {
                true => "matrix(rows, columns)",
                false => "matrix_rows(rows, columns, a..b)",
            };
            self.agree_rows(name, shape.row_count(), Some(made_by))?;
            self.agree_columns(name, shape.columns(0), Some(made_by))?;
        }
        let length = self.store(name, slots.slots())?;
        self.slots.push(PairSlots { name, length, rows: shape.map(|shape| shape.rows()) });
        Ok(())
    }

    /// A total.
    pub fn sum<T: Summand>(&mut self, name: &'static str, sum: &'a mut Sum<T>) -> Result<()> {
        self.gather(name, &mut sum.memory).map(drop)
    }

    /// A list of pairs.
    pub fn pairs(&mut self, name: &'static str, pairs: &'a mut Pairs) -> Result<()> {
        let capacity = pairs.capacity() as u64;
        self.gather(name, &mut pairs.list)?;
        self.gather(name, &mut pairs.count)?;
        self.values.push(Value::Word(capacity));
        Ok(())
    }

    /// A list of pairs with values.
    pub fn pairs_of<T: DeviceType>(
        &mut self,
        name: &'static str,
        pairs: &'a mut Pairs<T>,
    ) -> Result<()> {
        let capacity = pairs.capacity() as u64;
        self.gather(name, &mut pairs.i)?;
        self.gather(name, &mut pairs.j)?;
        self.gather(name, &mut pairs.values)?;
        self.gather(name, &mut pairs.count)?;
        self.values.push(Value::Word(capacity));
        Ok(())
    }

    /// Checks what can be checked only now, and launches.
    ///
    /// # Safety
    ///
    /// Every parameter of the kernel has been given, in order, by the method of its kind and with its type: a kernel
    /// interprets what it is passed by its own signature alone.
    pub unsafe fn run(mut self) -> Result<()> {
        let Work { extent, is_any, first_slot } = self.work()?;
        #[cfg(feature = "testing")]
        if let Some(observer) = &self.kernel.device.observer {
            observer.launched(self.kernel.info, extent.rows.is_some(), self.written.clone());
        }
        if !is_any {
            return Ok(());
        }
        let plans = self.kernel.plan(extent, self.only)?;
        for (_, plan) in &plans.parts {
            self.agree_with_code(plan)?;
        }
        if !self.exact.is_empty() {
            let most = plans.parts.iter().map(|(_, plan)| plan.additions());
            self.count_additions(most.fold(0, u64::saturating_add))?;
        }
        let ready = self.ready(&plans, first_slot)?;
        let near = self.near.take();
        // SAFETY: the arguments have been given as the caller promises. The memory behind their addresses is borrowed for
        // 'a, on the devices of the addresses, aligned, and as long as n needs.
        let launched = unsafe {
            match near {
                Some(near) => self.run_nearest(&ready, near),
                None => parts::run(self.kernel, &ready, &self.values),
            }
        };
        if let Err(error) = &launched {
            let failure = error.to_string();
            self.gathered.iter().for_each(|complete| complete.failed(&failure));
        }
        // Recorded even after a failure: some of several steps may have been launched.
        launched.and(self.record())
    }
}

/// The error for packed slots with the diagonal where the kernel has none, or without it.
fn wrong_diagonal(info: &KernelInfo, argument: &'static str) -> Error {
    let (problem, detail) = match info.diagonal {
        true => (
            "has no slots for the pairs (i, i), which the kernel visits: use `device.packed_with_diagonal(n)` or `device.packed_rows_with_diagonal(n, rows)`",
            Detail::Diagonal,
        ),
        false => (
            "has slots for the pairs (i, i), which the kernel does not visit: use `device.packed(n)` or `device.packed_rows(n, rows)`",
            Detail::None,
        ),
    };
    Error::arguments(problem).about(info.name, argument).with(detail)
}
