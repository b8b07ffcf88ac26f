//! A work at one n, ready to run with each choice: its elements, and room for what comes out.

use std::cell::RefCell;

use td_kernel::cudarc::driver::{CudaSlice, DeviceRepr};
use td_kernel::{Device, DeviceType, Result, Sum};

use super::choices::Choice;
use super::works::{collision_1, collision_3, dummy, edm_1, edm_2, edm_3, edm_4};
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::points::{segments, spheres};
use crate::targets::edm::{Edm, Problem};

/// A work of the papers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// The name in files and on the command line.
    pub(crate) name: &'static str,
    pub(crate) choices: &'static [Choice],
    open: for<'a> fn(&'a Gpu, usize) -> Opened<'a>,
}

/// A work at one n, or why there is none.
type Opened<'a> = std::result::Result<Box<dyn Subject + 'a>, Failure>;

/// Every work.
pub(crate) const WORKS: &[Work] = &[
    Work { name: "dummy", choices: dummy::CHOICES, open: open_dummy },
    Work { name: "edm-1", choices: edm_1::CHOICES, open: open_edm_1 },
    Work { name: "edm-2", choices: edm_2::CHOICES, open: open_edm_2 },
    Work { name: "edm-3", choices: edm_3::CHOICES, open: open_edm_3 },
    Work { name: "edm-4", choices: edm_4::CHOICES, open: open_edm_4 },
    Work { name: "collision-1d", choices: collision_1::CHOICES, open: open_collision_1 },
    Work { name: "collision-3d", choices: collision_3::CHOICES, open: open_collision_3 },
];

impl Work {
    /// The work for n elements. It fails where they and what comes out do not fit into memory.
    pub(crate) fn open<'a>(&self, gpu: &'a Gpu, n: usize) -> Opened<'a> {
        (self.open)(gpu, n)
    }
}

/// A work at one n.
pub(crate) trait Subject {
    /// Loads the kernel of a choice, runs it once, and checks what comes out.
    fn check(&mut self, choice: usize) -> std::result::Result<(), Failure>;

    /// Runs the kernel of a choice that was checked.
    fn run(&self, choice: usize) -> Result<()>;
}

/// How each kernel of a work is loaded.
type Loads<L> = &'static [fn(&Device) -> Result<L>];

/// The loaded kernels of a work, by the number of their choice.
struct Kernels<L: 'static> {
    device: Device,
    loads: Loads<L>,
    loaded: Vec<Option<L>>,
}

impl<L> Kernels<L> {
    fn new(gpu: &Gpu, loads: Loads<L>) -> Self {
        let loaded = loads.iter().map(|_| None).collect();
        Kernels { device: gpu.device.clone(), loads, loaded }
    }

    fn load(&mut self, choice: usize) -> Result<()> {
        if self.loaded[choice].is_none() {
            self.loaded[choice] = Some(self.loads[choice](&self.device)?);
        }
        Ok(())
    }

    /// Does something with a kernel; nothing where it was not loaded.
    fn with(&self, choice: usize, work: impl FnOnce(&L) -> Result<()>) -> Result<()> {
        self.loaded[choice].as_ref().map_or(Ok(()), work)
    }
}

struct Dummy<'a> {
    gpu: &'a Gpu,
    n: usize,
    kernels: Kernels<dummy::Launch>,
    found: RefCell<CudaSlice<u32>>,
}

fn open_dummy(gpu: &Gpu, n: usize) -> Opened<'_> {
    let found = RefCell::new(gpu.upload(&[0_u32])?);
    Ok(Box::new(Dummy { gpu, n, kernels: Kernels::new(gpu, dummy::LOADS), found }))
}

impl Subject for Dummy<'_> {
    fn check(&mut self, choice: usize) -> std::result::Result<(), Failure> {
        self.kernels.load(choice)?;
        // Of the sums i + j = s with i > j, s < n, half are pairs, whichever rows they are in.
        for wanted in [1, self.n / 2, self.n - 1] {
            let mut count = self.gpu.upload(&[0_u32])?;
            self.kernels.with(choice, |launch| launch(self.n, wanted as u32, &mut count))?;
            let visited = self.gpu.stream.clone_dtoh(&count)?;
            let expected = wanted.div_ceil(2) as u32;
            if visited != [expected] {
                let text = format!("visits {visited:?} of {expected} pairs with i + j = {wanted}");
                return Err(text.into());
            }
        }
        Ok(())
    }

    fn run(&self, choice: usize) -> Result<()> {
        let found = &mut *self.found.borrow_mut();
        // No pair has this sum.
        self.kernels.with(choice, |launch| launch(self.n, u32::MAX, found))
    }
}

/// What a kernel of distances is launched with.
type Distances<T> = Box<dyn Fn(&CudaSlice<T>, &mut CudaSlice<f32>) -> Result<()>>;

struct Edms<'a, T: 'static> {
    problem: Problem<'a, T>,
    kernels: Kernels<Distances<T>>,
    expected: CudaSlice<f32>,
    slots: RefCell<CudaSlice<f32>>,
}

fn open_edm<'a, T: Edm + 'static>(
    gpu: &'a Gpu,
    n: usize,
    loads: Loads<Distances<T>>,
) -> Opened<'a> {
    let problem = Problem::<T>::new(gpu, n)?;
    let slots = RefCell::new(problem.poisoned()?);
    let expected = problem.reference()?;
    Ok(Box::new(Edms { problem, kernels: Kernels::new(gpu, loads), expected, slots }))
}

impl<T: Edm> Subject for Edms<'_, T> {
    fn check(&mut self, choice: usize) -> std::result::Result<(), Failure> {
        self.kernels.load(choice)?;
        let slots = self.slots.get_mut();
        self.problem.gpu.poison(slots)?;
        self.kernels.with(choice, |launch| launch(&self.problem.points, slots))?;
        self.problem.gpu.check("distances", slots, &self.expected)
    }

    fn run(&self, choice: usize) -> Result<()> {
        let slots = &mut *self.slots.borrow_mut();
        self.kernels.with(choice, |launch| launch(&self.problem.points, slots))
    }
}

macro_rules! open_edm {
    ($($open:ident: $name:ident;)+) => {$(
        fn $open(gpu: &Gpu, n: usize) -> Opened<'_> {
            open_edm(gpu, n, $name::LOADS)
        }
    )+};
}

open_edm! {
    open_edm_1: edm_1;
    open_edm_2: edm_2;
    open_edm_3: edm_3;
    open_edm_4: edm_4;
}

/// What a kernel of collisions is launched with.
type Collide<T> = Box<dyn Fn(&CudaSlice<T>, &mut Sum<u64>) -> Result<()>>;

struct Collisions<T: 'static> {
    kernels: Kernels<Collide<T>>,
    balls: CudaSlice<T>,
    /// The count of the first choice that was checked: the bounding box.
    expected: Option<u64>,
    touching: RefCell<Sum<u64>>,
}

fn open_collisions<T: DeviceType + DeviceRepr>(
    gpu: &Gpu,
    balls: &[T],
    loads: Loads<Collide<T>>,
) -> Opened<'static> {
    Ok(Box::new(Collisions {
        kernels: Kernels::new(gpu, loads),
        balls: gpu.upload(balls)?,
        expected: None,
        touching: RefCell::new(gpu.device.sum()?),
    }))
}

fn open_collision_1(gpu: &Gpu, n: usize) -> Opened<'_> {
    open_collisions(gpu, &segments(n), collision_1::LOADS)
}

fn open_collision_3(gpu: &Gpu, n: usize) -> Opened<'_> {
    open_collisions(gpu, &spheres(n), collision_3::LOADS)
}

impl<T: DeviceType + DeviceRepr> Subject for Collisions<T> {
    fn check(&mut self, choice: usize) -> std::result::Result<(), Failure> {
        self.kernels.load(choice)?;
        let touching = self.touching.get_mut();
        touching.clear()?;
        self.kernels.with(choice, |launch| launch(&self.balls, touching))?;
        let count = touching.download()?;
        match *self.expected.get_or_insert(count) {
            expected if expected != count => {
                Err(format!("{count} collisions, and {expected} by bb").into())
            }
            _ => Ok(()),
        }
    }

    fn run(&self, choice: usize) -> Result<()> {
        let touching = &mut *self.touching.borrow_mut();
        self.kernels.with(choice, |launch| launch(&self.balls, touching))
    }
}
